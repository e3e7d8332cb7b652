//! What is wrong with a file, in words: where, why, and what to do. Values of secrets that were written by mistake are not repeated.

use legwork_types::{Code, Problem};
use serde_path_to_error::{Path, Segment};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// The keys of the top of a file: written below a `[table]` they belong to that table.
const TOP: &[&str] = &["mode", "sites", "telemetry", "sockets", "uploads"];
/// Keys under which people would write the value of a secret.
const VALUES: &[&str] =
    &["value", "password", "passwd", "pass", "secret", "token", "key", "pin", "code", "seed", "otp", "text"];

const EVERYTHING: &str = "docs/configuration.md tells all that can be written";

/// The file is no TOML.
pub(super) fn syntax(error: &toml::de::Error, text: &str, file: &str) -> Problem {
    let at = place(error, text, file);
    // The parser's own picture of the line would repeat what stands there.
    Problem::new(Code::ConfigInvalid, format!("{at}: it can't be read as TOML"), EVERYTHING)
        .because(error.message())
}

/// Something in it is not known, or makes no sense.
pub(super) fn meaning(path: &Path, error: &toml::de::Error, text: &str, file: &str) -> Problem {
    let steps: Vec<&Segment> = path.iter().filter(|step| is_written(step)).collect();
    let at = match start_of(&steps, text) {
        Some(byte) => format!("{file}, line {}", line_at(text, byte)),
        None => place(error, text, file),
    };
    let path = steps.iter().map(|step| format!(".{step}")).collect::<String>().replace(".[", "[");
    let path = path.trim_start_matches('.').to_owned();
    let said = error.message();
    if let Some(key) = quoted(said, "unknown field") {
        let problem =
            Problem::new(Code::ConfigInvalid, format!("{at}: {path} is not known"), unknown(key, said));
        let known: Vec<&str> = words(said).into_iter().skip(1).collect();
        return problem.because(format!("known here: {}", known.join(", ")));
    }
    let what = if path.is_empty() { "it".to_owned() } else { path };
    let message = format!("{at}: {what} can't be used");
    let is_secret = what == "secrets" || what.starts_with("secrets.");
    let cause = if is_secret && said.starts_with("invalid type") {
        "a secret is a table that says where its value is"
    } else {
        said.split('\n').next().unwrap_or_default()
    };
    let hint = match near(said) {
        Some(word) => format!("did you mean {word}?"),
        None if is_secret => SECRET.to_owned(),
        None => EVERYTHING.to_owned(),
    };
    Problem::new(Code::ConfigInvalid, message, hint).because(cause)
}

const SECRET: &str = "no value stands in this file; say where it is: \
    shop = { source = \"env:SHOP_PASSWORD\", origins = [\"https://shop.example\"] }";

fn unknown(key: &str, said: &str) -> String {
    if VALUES.contains(&key.to_lowercase().as_str()) {
        return SECRET.to_owned();
    }
    if TOP.contains(&key) {
        return format!("{key} belongs to the top of the file, before the first line in brackets");
    }
    near(said).map_or_else(|| EVERYTHING.to_owned(), |word| format!("did you mean {word}?"))
}

/// The word that was most likely meant, where it is one of several.
fn near(said: &str) -> Option<String> {
    let all = words(said);
    let (written, known) = all.split_first().filter(|_| said.starts_with("unknown"))?;
    let distance = |word: &&&str| strsim::osa_distance(&written.to_lowercase(), word);
    let nearest = known.iter().min_by_key(distance)?;
    let is_near = distance(&nearest) <= 1 + nearest.len() / 4;
    is_near.then(|| (*nearest).to_owned())
}

/// The words between backquotes.
fn words(said: &str) -> Vec<&str> {
    said.split('`').skip(1).step_by(2).collect()
}

fn quoted<'s>(said: &'s str, before: &str) -> Option<&'s str> {
    said.starts_with(before).then(|| words(said).first().copied()).flatten()
}

fn place(error: &toml::de::Error, text: &str, file: &str) -> String {
    match error.span() {
        Some(span) => format!("{file}, line {}", line_at(text, span.start)),
        None => file.to_owned(),
    }
}

/// Whether it stands in the file: what carries places of values along does not.
fn is_written(step: &Segment) -> bool {
    match step {
        Segment::Map { key } => !key.starts_with('$'),
        Segment::Seq { .. } => true,
        Segment::Enum { .. } | Segment::Unknown => false,
    }
}

/// Where the last of these steps is written; a key that is not known has a value too.
fn start_of(steps: &[&Segment], text: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let (mut value, mut rest) = (None::<&Spanned<DeValue<'_>>>, steps.iter());
    if let Some(Segment::Map { key }) = rest.next() {
        value = document.get_ref().get(key.as_str());
    }
    for step in rest {
        value = match step {
            Segment::Map { key } => value?.get_ref().get(key.as_str()),
            Segment::Seq { index } => value?.get_ref().get(*index),
            Segment::Enum { .. } | Segment::Unknown => value,
        };
    }
    value.map(|value| value.span().start)
}

/// The line at which a byte of the text stands, from 1 on.
pub(super) fn line_at(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|byte| *byte == b'\n').count()
}
