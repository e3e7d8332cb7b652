//! What is wrong with a file, in words: where, why, and what to do. Values of secrets that were written by mistake are not repeated.

use legwork_runtime::slips::{Step, line_at, line_of, near, quoted, steps_of, words};
use legwork_types::{Code, Problem};
use serde_path_to_error::Path;

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
    let steps = steps_of(path);
    let at = match line_of(&steps, text) {
        Some(line) => format!("{file}, line {line}"),
        None => place(error, text, file),
    };
    let path = Step::path(&steps);
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

fn place(error: &toml::de::Error, text: &str, file: &str) -> String {
    match error.span() {
        Some(span) => format!("{file}, line {}", line_at(text, span.start)),
        None => file.to_owned(),
    }
}
