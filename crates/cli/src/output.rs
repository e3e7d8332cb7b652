//! What is said and where: results on standard output, everything else on standard error; as text or as JSON.

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use legwork_runtime::{Status, hide_credentials, without_credentials_of_others};
use legwork_types::{Code, Problem};
use serde::Serialize;

use crate::plain::{plain, plain_json};

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// For programs: one JSON value on standard output.
    Json,
}

/// The two ways out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) form: Form,
    out_colors: bool,
    err_colors: bool,
}

const BOLD: &str = "1";
const RED: &str = "1;31";
const GREEN: &str = "32";
const YELLOW: &str = "33";

impl Output {
    pub(crate) fn new(form: Form, color: Color) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colors = |terminal| uses_colors(color, terminal, no_color);
        Self {
            form,
            out_colors: colors(io::stdout().is_terminal()),
            err_colors: colors(io::stderr().is_terminal()),
        }
    }

    pub(crate) fn colors_on_stderr(self) -> bool {
        self.err_colors
    }

    /// One line of a result for people.
    pub(crate) fn line(self, text: &str) -> Result<(), Problem> {
        told(writeln!(io::stdout(), "{text}"))
    }

    /// One line beside the result.
    pub(crate) fn note(self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// The result for programs.
    pub(crate) fn json(self, value: &impl Serialize) -> Result<(), Problem> {
        // What is written here is made of texts and numbers; it can't fail to be JSON.
        let json = serde_json::to_string(value).unwrap_or_default();
        told(writeln!(io::stdout(), "{}", plain_json(&json)))
    }

    /// Something that a person should know although the command goes on.
    pub(crate) fn warn(self, text: &str) {
        let _ = writeln!(io::stderr(), "{} {}", paint(self.err_colors, YELLOW, "warning:"), plain(text));
    }

    /// The same, several times over.
    pub(crate) fn warn_all(self, texts: &[String]) {
        texts.iter().for_each(|text| self.warn(text));
    }

    /// Why the command failed.
    pub(crate) fn problem(self, problem: &Problem) {
        let problem = &without_credentials_of_others(problem.clone());
        #[derive(Serialize)]
        struct Envelope<'a> {
            error: &'a Problem,
        }
        match self.form {
            Form::Json => {
                // If that can't be written either, the exit code still tells.
                let _ = self.json(&Envelope { error: problem });
            }
            Form::Text => {
                let _ = write!(io::stderr(), "{}", describe(problem, self.err_colors));
            }
        }
    }

    /// The command line is wrong, in the parser's own words.
    pub(crate) fn usage(self, words: &str) {
        let words = hide_credentials(words.strip_prefix("error: ").unwrap_or(words).trim_end());
        let words = words.as_ref();
        if self.form == Form::Json {
            let (message, rest) = words.split_once("\n").unwrap_or((words, ""));
            let hint = "see `legwork --help`, and `legwork COMMAND --help` for one command";
            let problem = Problem::new(legwork_types::Code::Usage, message.trim(), hint);
            let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
            return self.problem(&if rest.is_empty() { problem } else { problem.because(rest) });
        }
        let head = paint(self.err_colors, RED, "error[USAGE]:");
        let _ = writeln!(io::stderr(), "{head} {words}");
    }

    /// How a check ended, in a word of fixed width.
    pub(crate) fn status(self, status: Status) -> String {
        match status {
            Status::Ok => paint(self.out_colors, GREEN, "ok  "),
            Status::Warn => paint(self.out_colors, YELLOW, "warn"),
            Status::Fail => paint(self.out_colors, RED, "fail"),
        }
    }

    /// A word that stands out in a result.
    pub(crate) fn strong(self, text: &str) -> String {
        paint(self.out_colors, BOLD, text)
    }
}

fn uses_colors(color: Color, terminal: bool, no_color: bool) -> bool {
    match color {
        Color::Auto => terminal && !no_color,
        Color::Always => true,
        Color::Never => false,
    }
}

fn describe(problem: &Problem, colors: bool) -> String {
    let head = paint(colors, RED, &format!("error[{}]:", problem.code));
    let mut text = format!("{head} {}\n", plain(&problem.message));
    if let Some(cause) = &problem.cause {
        // The last words of a browser have several lines; they stay recognisable as such.
        let lines: Vec<String> = cause.trim().lines().map(plain).collect();
        text.push_str(&format!("  cause: {}\n", lines.join("\n         ")));
    }
    text.push_str(&format!("  next:  {}\n", plain(&problem.hint)));
    text
}

fn paint(colors: bool, style: &str, text: &str) -> String {
    if colors { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// A reader that has gone away wants no more; any other failure means that the result is lost.
fn told(written: io::Result<()>) -> Result<(), Problem> {
    match written.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let hint = "see whether there is room where standard output goes";
            let problem = Problem::new(Code::OutputFailed, "the result could not be written", hint);
            Err(problem.because(error.to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use legwork_types::Code;

    use super::*;

    #[test]
    fn a_problem_says_what_why_and_what_next() {
        let problem = Problem::new(Code::NavigationFailed, "http://a/ could not be opened", "check the port")
            .because("net::ERR\u{1b}[0m\nsecond line");
        assert_eq!(
            describe(&problem, false),
            "error[NAVIGATION_FAILED]: http://a/ could not be opened\n  \
             cause: net::ERR\\u{1b}[0m\n         second line\n  next:  check the port\n"
        );
        assert!(describe(&problem, true).starts_with("\u{1b}[1;31merror[NAVIGATION_FAILED]:\u{1b}[0m "));
    }

    #[test]
    fn colours_are_for_terminals_unless_somebody_says_otherwise() {
        for (color, terminal, no_color, used) in [
            (Color::Auto, true, false, true),
            (Color::Auto, true, true, false),
            (Color::Auto, false, false, false),
            (Color::Always, false, true, true),
            (Color::Never, true, false, false),
        ] {
            assert_eq!(uses_colors(color, terminal, no_color), used, "{color:?} {terminal} {no_color}");
        }
    }
}
