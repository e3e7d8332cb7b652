//! The one way for a page's words into a scene: white space made plain, secrets masked, length bounded.

use std::collections::HashMap;

use legwork_types::PageText;
use url::form_urlencoded::byte_serialize;

/// What stands for a secret.
const MASK: &str = "•••";

/// Shorter values occur everywhere; to mask them would garble the page and hide nothing.
const SHORTEST_SECRET: usize = 4;

/// Writes down the words of a page, without the secrets that it knows.
#[derive(Debug, Default)]
pub(super) struct Pen {
    /// In lower case, by their first four bytes, the longest first.
    secrets: HashMap<[u8; 4], Vec<String>>,
}

impl Pen {
    /// A pen that never writes one of these values, nor their usual disguises.
    pub(super) fn hiding<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut secrets = Vec::new();
        for value in values {
            let plain = collapsed(value);
            if plain.chars().count() < SHORTEST_SECRET {
                continue;
            }
            let bare: String = plain.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
            let form: String = byte_serialize(plain.as_bytes()).collect();
            let percent = form.replace('+', "%20");
            let as_address = url::Url::parse("x://x").ok().map(|mut address| {
                address.set_query(Some(&plain));
                address.query().unwrap_or_default().to_owned()
            });
            let json = plain.replace('\\', "\\\\").replace('"', "\\\"");
            secrets.extend(
                [Some(bare), Some(form), Some(percent), as_address, Some(json)].into_iter().flatten(),
            );
            secrets.push(plain);
        }
        secrets.iter_mut().for_each(|secret| secret.make_ascii_lowercase());
        secrets.retain(|secret| secret.chars().count() >= SHORTEST_SECRET);
        secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        let mut by_beginning: HashMap<_, Vec<_>> = HashMap::new();
        for secret in secrets {
            if let Some(&beginning) = secret.as_bytes().first_chunk() {
                by_beginning.entry(beginning).or_default().push(secret);
            }
        }
        Self { secrets: by_beginning }
    }

    /// Writes at most this many characters.
    pub(super) fn write(&self, text: &str, limit: usize) -> PageText {
        PageText::new(self.masked(collapsed(text))).clipped(limit)
    }

    /// The same, if there is anything to write.
    pub(super) fn write_some(&self, text: &str, limit: usize) -> Option<PageText> {
        Some(self.write(text, limit)).filter(|written| !written.is_blank())
    }

    /// Writes what may have lines of its own, such as a value: white space stays as it is.
    pub(super) fn copy(&self, text: &str, limit: usize) -> PageText {
        if self.secrets.is_empty() {
            return PageText::from(text).clipped(limit);
        }
        let plain = collapsed(text);
        match self.masked(plain.clone()) {
            masked if masked == plain => PageText::new(self.masked(text.to_owned())).clipped(limit),
            masked => PageText::new(masked).clipped(limit),
        }
    }

    fn masked(&self, text: String) -> String {
        if self.secrets.is_empty() {
            return text;
        }
        // Lower case of ASCII keeps every byte in its place.
        let lower = text.to_ascii_lowercase();
        let mut out = String::new();
        let (mut at, mut copied) = (0, 0);
        while let Some(beginning) = lower.as_bytes().get(at..).and_then(|rest| rest.first_chunk()) {
            let secret = self.secrets.get(beginning).and_then(|secrets| {
                secrets.iter().find(|secret| lower.as_bytes()[at..].starts_with(secret.as_bytes()))
            });
            let Some(secret) = secret else {
                at += 1;
                continue;
            };
            out.push_str(&text[copied..at]);
            out.push_str(MASK);
            at += secret.len();
            copied = at;
        }
        if copied == 0 {
            return text;
        }
        out.push_str(&text[copied..]);
        out
    }
}

/// One space for each run of white space and control characters, none at the ends.
pub(super) fn collapsed(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            if !plain.is_empty() && !plain.ends_with(' ') {
                plain.push(' ');
            }
        } else {
            plain.push(c);
        }
    }
    if plain.ends_with(' ') {
        plain.pop();
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_in_its_usual_disguises() {
        let pen = Pen::hiding(["s3cret pass/word", "4111 1111 1111 1111", "abc"].into_iter());
        for (text, expected) in [
            ("your s3cret pass/word!", "your •••!"),
            ("S3CRET  PASS/WORD", "•••"),
            ("?p=s3cret+pass%2Fword&x", "?p=•••&x"),
            ("?p=s3cret%20pass%2fword", "?p=•••"),
            ("?p=s3cret%20pass/word", "?p=•••"),
            ("card 4111111111111111", "card •••"),
            ("abc stays", "abc stays"),
            ("\u{0}  two \n words ", "two words"),
        ] {
            assert_eq!(pen.write(text, 200).untrusted(), expected);
        }
        assert_eq!(pen.copy("a\nb", 9).untrusted(), "a\nb");
        assert_eq!(pen.copy("a\ns3cret \n pass/word", 99).untrusted(), "a •••");
        assert_eq!(pen.write("x 4111 1111 1111 1111", 6).untrusted(), "x •••");
    }
}
