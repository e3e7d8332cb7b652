//! A value that nobody should see: it never prints itself, and its memory is wiped when it is dropped.

use std::fmt;

use zeroize::Zeroizing;

/// A value that nobody should see.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    /// Takes over a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    /// The value itself, for whoever types it or looks for it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<&str> for SecretText {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}

impl fmt::Display for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}

/// The values of the secrets that one act types, by their names. Made just before the act, and gone after it.
#[derive(Debug, Clone, Default)]
pub struct SecretValues(Vec<(String, SecretText)>);

impl SecretValues {
    /// No values, which is what most acts need.
    pub fn none() -> Self {
        Self::default()
    }

    /// The same with this one too.
    #[must_use]
    pub fn with(mut self, name: &str, value: SecretText) -> Self {
        self.0.push((name.to_owned(), value));
        self
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&SecretText> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_prints_itself() {
        let values = SecretValues::none().with("shop", SecretText::new("correct horse"));
        let printed = format!("{values:?} {:?} {}", values.get("shop"), SecretText::new("correct horse"));
        assert!(!printed.contains("correct"), "{printed}");
        assert_eq!(values.get("shop").map(SecretText::expose), Some("correct horse"));
        assert!(values.get("bank").is_none());
    }
}
