//! How the operator writes a login down: `shop@https://shop.example`, and where the words are that seal it.

use std::str::FromStr;

use crate::vault::Source;

/// A login as the operator writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginSpec {
    /// Its name.
    pub name: String,
    /// The origins whose cookies and storage are kept.
    pub origins: Vec<String>,
}

/// Where the words are that seal saved logins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginKey(pub(super) Source);

/// Why a login or a key can't be read. Never holds what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoginSpecError {
    /// No name and origin.
    #[error("it is not NAME@ORIGIN, such as shop@https://shop.example")]
    Form,
    /// A name that could not be told from other words.
    #[error("a name has at most 64 letters, digits, dots, dashes and underscores")]
    Name,
    /// Nothing says where the words are.
    #[error("the source is none of env:VARIABLE, file:PATH and cmd:COMMAND")]
    Source,
}

pub(super) fn is_name(name: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.len() <= 64 && name.chars().all(is_sign)
}

impl FromStr for LoginSpec {
    type Err = LoginSpecError;

    fn from_str(text: &str) -> Result<Self, LoginSpecError> {
        let (name, origins) = text.trim().split_once('@').ok_or(LoginSpecError::Form)?;
        if !is_name(name) {
            return Err(LoginSpecError::Name);
        }
        let origins: Vec<String> = origins.split(',').map(|origin| origin.trim().to_owned()).collect();
        if origins.iter().any(|origin| !origin.contains("://")) {
            return Err(LoginSpecError::Form);
        }
        Ok(Self { name: name.to_owned(), origins })
    }
}

impl FromStr for LoginKey {
    type Err = LoginSpecError;

    fn from_str(text: &str) -> Result<Self, LoginSpecError> {
        Source::read(text.trim()).map(Self).map_err(|_| LoginSpecError::Source)
    }
}
