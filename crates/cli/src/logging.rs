//! The log of the engine on standard error, for who asks for it.

use std::io;

use legwork_runtime::hide_credentials;
use legwork_types::{Code, Problem};
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::output::Output;

/// Starts the log. Without a filter nothing is logged.
pub(crate) fn start(filter: Option<&str>, output: Output) -> Result<(), Problem> {
    let Some(filter) = filter.filter(|filter| !filter.trim().is_empty()) else { return Ok(()) };
    // The library of the protocol logs whole messages, and with them whatever is typed into a page.
    let targets = read(filter)?.with_target("rmcp", LevelFilter::OFF);
    let log = tracing_subscriber::fmt()
        .with_writer(|| Lines)
        .with_ansi(output.colors_on_stderr())
        .with_max_level(tracing::Level::TRACE)
        // A terminal that was closed can't be written to; the library would panic over it, in the middle of tidying up.
        .log_internal_errors(false)
        .finish();
    log.with(targets).try_init().map_err(|error| {
        Problem::new(Code::InternalError, "the log could not be started", "report this as a defect")
            .because(error.to_string())
    })
}

/// Standard error, line by line, without what looks like a credential: programs and servers repeat them in what they complain about.
struct Lines;

impl io::Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // A line is written in one go.
        let text = String::from_utf8_lossy(line);
        io::stderr().write_all(hide_credentials(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// The library takes any word for the name of a module, so a misspelled level would log nothing.
fn read(filter: &str) -> Result<Targets, Problem> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    let bad = |cause: String| {
        Problem::new(
            Code::Usage,
            "the log filter can't be read",
            "write a level (error, warn, info, debug, trace) or MODULE=LEVEL, with commas between several: \
             --log legwork_browser=debug",
        )
        .because(cause)
    };
    for part in filter.split(',').map(str::trim) {
        let is_level = |word: &str| LEVELS.contains(&word.to_ascii_lowercase().as_str());
        let known = match part.split_once('=') {
            Some((module, level)) => !module.is_empty() && is_level(level),
            None => is_level(part) || part.starts_with("legwork_"),
        };
        if !known {
            return Err(bad(format!("\"{part}\" is neither a level nor a module of Legwork")));
        }
    }
    filter.parse().map_err(|error: tracing_subscriber::filter::ParseError| bad(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_levels_or_modules() {
        for filter in ["info", "WARN", "legwork_browser=debug", "warn,legwork_cdp=trace", "legwork_runtime"] {
            assert!(read(filter).is_ok(), "{filter}");
        }
        for filter in ["verbose", "legwork_browser=loud", "info,,", "=", "info;debug"] {
            assert_eq!(read(filter).map_err(|problem| problem.code).err(), Some(Code::Usage), "{filter}");
        }
    }
}
