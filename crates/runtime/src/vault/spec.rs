//! How the operator writes a secret down: `NAME=SOURCE@ORIGIN`. Holds where the value is, never the value.

use std::{path::PathBuf, str::FromStr};

use legwork_policy::secrets::SecretKind;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A variable of the environment.
    Environment(String),
    /// A file that only its owner can read.
    File(PathBuf),
    /// The first line that a program writes.
    Command(Vec<String>),
}

impl Source {
    /// `env:VARIABLE`, `file:PATH` or `cmd:COMMAND`.
    pub(crate) fn read(text: &str) -> Result<Self, SpecError> {
        match text.split_once(':') {
            Some(("env", name)) if !name.is_empty() => Ok(Self::Environment(name.to_owned())),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            Some(("cmd", command)) => words(command).map(Self::Command).ok_or(SpecError::Command),
            _ => Err(SpecError::Source),
        }
    }
}

/// A secret as the operator writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretSpec {
    pub(super) name: String,
    pub(super) kind: SecretKind,
    pub(super) source: Source,
    pub(super) origins: Vec<String>,
}

/// Why a secret can't be read. A value may have been written by mistake, so nothing is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No name.
    #[error("write NAME=SOURCE@ORIGIN, for example shop=env:SHOP_PASSWORD@https://shop.example")]
    Form,
    /// A name that could not be told from other words.
    #[error("a name has at most 64 letters, digits, dots, dashes and underscores")]
    Name,
    /// Nothing says where it may go.
    #[error("no origin says where it may be typed; write @https://shop.example behind it")]
    NoOrigin,
    /// Nothing says where it is.
    #[error("the source is none of env:VARIABLE, file:PATH and cmd:COMMAND")]
    Source,
    /// A command that can't be taken apart.
    #[error("the command has a quote that is not closed, or no program")]
    Command,
}

impl FromStr for SecretSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = text.trim().split_once('=').ok_or(SpecError::Form)?;
        check_name(name)?;
        // Paths and commands may hold this sign too.
        let at = rest.rfind("@http://").max(rest.rfind("@https://")).ok_or(SpecError::NoOrigin)?;
        let (source, origins) = rest.split_at(at);
        let origins = origins.trim_start_matches('@').split(',').map(|origin| origin.trim().to_owned());
        Self::new(name, source, origins.collect())
    }
}

impl SecretSpec {
    /// A secret with this name from this source, such as `env:SHOP_PASSWORD` or `totp:env:SEED`, for these origins.
    pub fn new(name: &str, source: &str, origins: Vec<String>) -> Result<Self, SpecError> {
        check_name(name)?;
        if origins.is_empty() {
            return Err(SpecError::NoOrigin);
        }
        let (kind, source) = match source.split_once(':') {
            Some(("totp", source)) => (SecretKind::Code, source),
            Some(("visible", source)) => (SecretKind::Visible, source),
            _ => (SecretKind::Hidden, source),
        };
        let source = Source::read(source)?;
        Ok(Self { name: name.to_owned(), kind, source, origins })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it may be typed.
    pub fn origins(&self) -> &[String] {
        &self.origins
    }
}

fn check_name(name: &str) -> Result<(), SpecError> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_name = !name.is_empty() && name.len() <= 64 && name.chars().all(is_sign);
    is_name.then_some(()).ok_or(SpecError::Name)
}

/// The words of a command: parted by white space, held together by quotes. No shell ever sees them.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (quote.is_none() && words.first().is_some_and(|program| !program.is_empty())).then_some(words)
}

/// The secrets of a file: one in each line. Empty lines and those that begin with `#` say nothing. The error names the line.
pub fn read_specs(text: &str) -> Result<Vec<SecretSpec>, (usize, SpecError)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| line.parse().map_err(|error| (at, error))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_written_as_name_source_and_origins() {
        let spec: SecretSpec = "shop=env:SHOP_PASSWORD@https://shop.example".parse().unwrap();
        assert_eq!((spec.name.as_str(), spec.kind), ("shop", SecretKind::Hidden));
        assert_eq!(spec.source, Source::Environment("SHOP_PASSWORD".into()));
        assert_eq!(spec.origins, ["https://shop.example"]);
        let spec: SecretSpec =
            "a.b=visible:file:/home/me@work/x@https://a.test,https://b.test".parse().unwrap();
        assert_eq!((spec.kind, spec.origins.len()), (SecretKind::Visible, 2));
        assert_eq!(spec.source, Source::File("/home/me@work/x".into()));
        let spec: SecretSpec = "code=totp:cmd:pass show 'my bank'@https://bank.test".parse().unwrap();
        assert_eq!(spec.kind, SecretKind::Code);
        assert_eq!(spec.source, Source::Command(vec!["pass".into(), "show".into(), "my bank".into()]));
    }

    #[test]
    fn what_is_wrong_is_told_without_what_was_written() {
        for (text, error) in [
            ("hunter22", SpecError::Form),
            ("=env:A@https://a.test", SpecError::Name),
            ("a b=env:A@https://a.test", SpecError::Name),
            ("a=env:A", SpecError::NoOrigin),
            ("a=env:A@shop.example", SpecError::NoOrigin),
            ("a=hunter22@https://a.test", SpecError::Source),
            ("a=vault:x@https://a.test", SpecError::Source),
            ("a=env:@https://a.test", SpecError::Source),
            ("a=cmd:@https://a.test", SpecError::Command),
            ("a=cmd:echo 'x@https://a.test", SpecError::Command),
        ] {
            assert_eq!(text.parse::<SecretSpec>().unwrap_err(), error, "{text}");
            assert!(!error.to_string().contains("hunter22"));
        }
        let file = "# mine\n\na=env:A@https://a.test\nb=oops\n";
        assert_eq!(read_specs(file).unwrap_err(), (4, SpecError::NoOrigin));
        assert_eq!(read_specs("a=env:A@https://a.test\r\n").unwrap().len(), 1);
    }
}
