//! How words and numbers of the file are read: the same parsers that read the options, so that both say the same.

use std::{marker::PhantomData, path::PathBuf, str::FromStr};

use legwork_runtime::{ExampleForm, Expected, PlaceRule, PrepareRule, Resolution, SecretSpec};
use legwork_types::HostPort;
use serde::{Deserialize, Deserializer, de};

use crate::safety_args;

/// What is written as a text.
pub(super) trait Written: Sized {
    fn read(text: &str) -> Result<Self, String>;
}

macro_rules! written_as_options {
    ($($kind:ty),*) => {$(
        impl Written for $kind {
            fn read(text: &str) -> Result<Self, String> {
                Self::from_str(text).map_err(|error| error.to_string())
            }
        }
    )*};
}
written_as_options!(PlaceRule, HostPort, Resolution, Expected);

impl Written for PrepareRule {
    fn read(text: &str) -> Result<Self, String> {
        safety_args::prepare_rule(text)
    }
}

/// `https://chat.example`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin(pub(crate) String);

impl Written for Origin {
    fn read(text: &str) -> Result<Self, String> {
        safety_args::origin(text).map(Self)
    }
}

/// `env:SHOP_PASSWORD`. It may hold a value by mistake: what is wrong with it is told without it.
pub(super) struct SourceWord(pub(super) String);

impl std::fmt::Debug for SourceWord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SourceWord")
    }
}

impl Written for SourceWord {
    fn read(text: &str) -> Result<Self, String> {
        let alone = SecretSpec::new("name", text, vec!["https://shop.example".to_owned()]);
        alone.map(|_| Self(text.to_owned())).map_err(|why| why.to_string())
    }
}

/// `shop.example`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SiteName(pub(crate) String);

impl Written for SiteName {
    fn read(text: &str) -> Result<Self, String> {
        safety_args::site(text).map(Self)
    }
}

/// A whole address of the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WebAddress(pub(crate) String);

impl Written for WebAddress {
    fn read(text: &str) -> Result<Self, String> {
        safety_args::web_address(text).map(|_| Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for WebAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one(deserializer)
    }
}

/// A folder. Whole: from the current folder another one would be meant each time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Written for Folder {
    fn read(text: &str) -> Result<Self, String> {
        let path = match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
            (Some(below), Some(home)) => PathBuf::from(home).join(below),
            _ => PathBuf::from(text),
        };
        let wrong = || "write the whole path, from / or from ~/".to_owned();
        path.is_absolute().then_some(Self(path)).ok_or_else(wrong)
    }
}

/// How the fields of an example are written.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FormWord {
    #[default]
    Form,
    Json,
}

impl From<FormWord> for ExampleForm {
    fn from(word: FormWord) -> Self {
        match word {
            FormWord::Form => Self::Form,
            FormWord::Json => Self::Json,
        }
    }
}

/// One such text.
pub(super) fn one<'de, D: Deserializer<'de>, T: Written>(deserializer: D) -> Result<T, D::Error> {
    T::read(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}

/// The same where it may be missing.
pub(super) fn maybe<'de, D: Deserializer<'de>, T: Written>(deserializer: D) -> Result<Option<T>, D::Error> {
    one(deserializer).map(Some)
}

/// A list of such texts.
pub(super) fn each<'de, D: Deserializer<'de>, T: Written>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let words = Vec::<Word<T>>::deserialize(deserializer)?;
    Ok(words.into_iter().map(|Word(word)| word).collect())
}

struct Word<T>(T);

impl<'de, T: Written> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one(deserializer).map(Self)
    }
}

/// A number within bounds.
pub(super) fn within<'de, D: Deserializer<'de>, const LEAST: u64, const MOST: u64>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    let number = i64::deserialize(deserializer)?;
    let fits = u64::try_from(number).ok().filter(|number| (LEAST..=MOST).contains(number));
    let wrong = || de::Error::custom(format!("{number} is not a number from {LEAST} to {MOST}"));
    fits.map(Some).ok_or_else(wrong)
}

/// Ports.
pub(super) fn ports<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u16>>, D::Error> {
    struct Port(u16);
    impl<'de> Deserialize<'de> for Port {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let port = within::<D, 1, 65_535>(deserializer)?.unwrap_or_default();
            Ok(Self(u16::try_from(port).unwrap_or_default()))
        }
    }
    let ports = Vec::<Port>::deserialize(deserializer)?;
    if ports.is_empty() {
        return Err(de::Error::custom("an empty list would allow no port; leave it out for 80 and 443"));
    }
    Ok(Some(ports.into_iter().map(|Port(port)| port).collect()))
}

/// One table, or a list of them.
pub(super) fn one_or_many<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Either<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Either<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a table, or a list of tables")
        }

        fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
            T::deserialize(de::value::MapAccessDeserializer::new(map)).map(|one| vec![one])
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(de::value::SeqAccessDeserializer::new(seq))
        }
    }
    deserializer.deserialize_any(Either(PhantomData))
}
