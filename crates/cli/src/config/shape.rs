//! What can be written in the file. Each key has the meaning of an option; a key that is not here is refused.

use std::{collections::BTreeMap, path::PathBuf};

use legwork_runtime::{
    Access, Expected, LONGEST_LIFE, PlaceRule, PrepareRule, Reach, Resolution, SecretSpec, TelemetryRule,
};
use legwork_types::{HostPort, model::Price};
use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use super::{
    examples::Examples,
    written::{
        Folder, FormWord, Origin, SiteName, SourceWord, WebAddress, each, maybe, one, one_or_many, ports,
        within,
    },
};
use crate::safety_args::{ConfirmArg, ModeArg};

/// The rules of a file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FileRules {
    pub(crate) mode: Option<ModeArg>,
    #[serde(deserialize_with = "each")]
    pub(crate) sites: Vec<SiteName>,
    telemetry: Option<TelemetryWord>,
    #[serde(deserialize_with = "each")]
    pub(crate) sockets: Vec<Origin>,
    #[serde(deserialize_with = "each")]
    pub(crate) uploads: Vec<Folder>,
    pub(crate) confirm: Confirm,
    pub(crate) model: ModelRules,
    pub(crate) session: Session,
    pub(crate) hosts: Hosts,
    pub(crate) prepare: Vec<Prepare>,
    #[serde(deserialize_with = "secrets")]
    pub(crate) secrets: Vec<SecretSpec>,
    /// Those of all rules, with where they stand.
    #[serde(skip)]
    pub(crate) examples: Examples,
}

/// Who says yes, and for how long is waited for it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Confirm {
    pub(crate) who: Option<ConfirmArg>,
    #[serde(deserialize_with = "within::<_, 1, { LONGEST_LIFE.as_secs() }>")]
    pub(crate) life: Option<u64>,
}

/// Which model errands ask, and what models cost.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(crate) struct ModelRules {
    pub(crate) name: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) fallback: Option<String>,
    /// By the names of models: what a million tokens cost, in US dollars.
    #[serde(deserialize_with = "prices")]
    pub(crate) prices: BTreeMap<String, Price>,
}

/// How sessions are kept.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Session {
    #[serde(deserialize_with = "within::<_, 1, 86_400>")]
    pub(crate) idle: Option<u64>,
    #[serde(deserialize_with = "within::<_, 1, 1_000>")]
    pub(crate) most: Option<u64>,
    #[serde(deserialize_with = "within::<_, 1, 1_000_000>")]
    pub(crate) acts: Option<u64>,
}

/// Where traffic may go.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Hosts {
    #[serde(deserialize_with = "each")]
    pub(crate) allow: Vec<PlaceRule>,
    #[serde(deserialize_with = "each")]
    pub(crate) deny: Vec<PlaceRule>,
    #[serde(deserialize_with = "ports")]
    pub(crate) ports: Option<Vec<u16>>,
    #[serde(deserialize_with = "each")]
    pub(crate) private: Vec<HostPort>,
    #[serde(deserialize_with = "each")]
    pub(crate) resolve: Vec<Resolution>,
    #[serde(deserialize_with = "maybe")]
    pub(crate) upstream: Option<HostPort>,
    #[serde(deserialize_with = "one_or_many")]
    pub(super) example: Vec<HostsExample>,
}

/// An address, and whether it may be reached.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HostsExample {
    pub(super) url: Spanned<String>,
    pub(super) expect: AccessWord,
}

/// What is sent there only prepares something.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prepare {
    #[serde(deserialize_with = "one")]
    pub(crate) path: PrepareRule,
    #[serde(deserialize_with = "one_or_many", default)]
    pub(super) example: Vec<PrepareExample>,
}

/// A request, and what it does or what becomes of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PrepareExample {
    #[serde(default = "post")]
    pub(super) method: String,
    pub(super) url: Spanned<WebAddress>,
    #[serde(deserialize_with = "maybe", default)]
    pub(super) page: Option<WebAddress>,
    #[serde(default)]
    pub(super) fields: BTreeMap<String, String>,
    #[serde(default, rename = "as")]
    pub(super) form: FormWord,
    #[serde(deserialize_with = "one")]
    pub(super) expect: Expected,
}

fn post() -> String {
    "POST".to_owned()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AccessWord {
    Allowed,
    Denied,
}

impl From<AccessWord> for Access {
    fn from(word: AccessWord) -> Self {
        match word {
            AccessWord::Allowed => Self::Allowed,
            AccessWord::Denied => Self::Denied,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TelemetryWord {
    Drop,
    Go,
}

impl FileRules {
    /// Whether the file lets messages that count visitors through.
    pub(crate) fn telemetry(&self) -> TelemetryRule {
        match self.telemetry {
            Some(TelemetryWord::Go) => TelemetryRule::Go,
            Some(TelemetryWord::Drop) | None => TelemetryRule::Drop,
        }
    }

    pub(crate) fn prepare_rules(&self) -> Vec<PrepareRule> {
        self.prepare.iter().map(|prepare| prepare.path.clone()).collect()
    }

    pub(crate) fn sites(&self) -> Vec<String> {
        self.sites.iter().map(|SiteName(site)| site.clone()).collect()
    }

    pub(crate) fn sockets(&self) -> Vec<String> {
        self.sockets.iter().map(|Origin(origin)| origin.clone()).collect()
    }

    /// Where traffic may go by the file alone.
    pub(crate) fn reach(&self) -> Reach {
        let Hosts { allow, deny, ports, private, resolve, upstream, .. } = self.hosts.clone();
        let usual = Reach::default();
        Reach {
            allow,
            deny,
            ports: ports.unwrap_or(usual.ports),
            private,
            resolve,
            upstream,
            ..Reach::default()
        }
    }

    pub(crate) fn uploads(&self) -> Vec<PathBuf> {
        self.uploads.iter().map(|Folder(folder)| folder.clone()).collect()
    }
}

/// Prices that a budget can be held against.
fn prices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Price>, D::Error> {
    let prices = BTreeMap::<String, Price>::deserialize(deserializer)?;
    let is_sum = |sum: f64| sum.is_finite() && sum >= 0.0;
    let is_price = |price: &Price| {
        let kept = [price.cache_read, price.cache_write].into_iter().flatten();
        [price.input, price.output].into_iter().chain(kept).all(is_sum)
    };
    match prices.iter().find(|(_, price)| !is_price(price)) {
        Some((model, _)) => Err(de::Error::custom(format!("{model}: prices are numbers from 0"))),
        None => Ok(prices),
    }
}

/// Where a secret is, never what it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Secret {
    #[serde(deserialize_with = "one")]
    source: SourceWord,
    #[serde(deserialize_with = "each")]
    origins: Vec<Origin>,
}

fn secrets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SecretSpec>, D::Error> {
    let named = BTreeMap::<String, Secret>::deserialize(deserializer)?;
    let spec = |(name, Secret { source, origins }): (String, Secret)| {
        let origins = origins.into_iter().map(|Origin(origin)| origin).collect();
        SecretSpec::new(&name, &source.0, origins).map_err(|why| de::Error::custom(format!("{name}: {why}")))
    };
    named.into_iter().map(spec).collect()
}
