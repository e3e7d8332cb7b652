//! What can be written in the file of a service. A key that is not here is refused.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, de};

/// A file, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) verb: String,
    pub(super) start: String,
    pub(super) goal: String,
    #[serde(default)]
    pub(super) prompt: String,
    #[serde(default)]
    pub(super) data: BTreeMap<String, DatumShape>,
    pub(super) domains: DomainsShape,
    #[serde(default)]
    pub(super) limits: LimitsShape,
    #[serde(default)]
    pub(super) prepare: Vec<PrepareShape>,
    #[serde(default)]
    pub(super) checkpoint: Vec<PredicateShape>,
    #[serde(default)]
    pub(super) success: Vec<PredicateShape>,
    #[serde(default)]
    pub(super) failure: Vec<PredicateShape>,
    #[serde(default)]
    pub(super) auth: Vec<PredicateShape>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DatumShape {
    pub(super) about: String,
    pub(super) default: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DomainsShape {
    pub(super) read: Vec<String>,
    #[serde(default)]
    pub(super) write: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LimitsShape {
    pub(super) turns: Option<i64>,
    pub(super) dollars: Option<f64>,
    pub(super) minutes: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PrepareShape {
    #[serde(default, deserialize_with = "texts")]
    pub(super) url: Vec<String>,
    pub(super) click: NamedShape,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedShape {
    pub(super) role: String,
    #[serde(deserialize_with = "texts")]
    pub(super) name: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PredicateShape {
    #[serde(deserialize_with = "texts")]
    pub(super) tool: Vec<String>,
    #[serde(deserialize_with = "texts")]
    pub(super) url: Vec<String>,
    pub(super) element: Option<ElementShape>,
    #[serde(deserialize_with = "texts")]
    pub(super) text: Vec<String>,
    pub(super) wants: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ElementShape {
    #[serde(deserialize_with = "texts")]
    pub(super) role: Vec<String>,
    #[serde(deserialize_with = "texts")]
    pub(super) name: Vec<String>,
}

/// One text, or a list of them, which must not be empty: it would hold of nothing.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Either;
    impl<'de> de::Visitor<'de> for Either {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text, or a list of texts")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Vec<String>, A::Error> {
            let texts = Vec::<String>::deserialize(de::value::SeqAccessDeserializer::new(seq))?;
            if texts.is_empty() {
                return Err(de::Error::custom("an empty list would hold of nothing; leave it out"));
            }
            Ok(texts)
        }
    }
    deserializer.deserialize_any(Either)
}
