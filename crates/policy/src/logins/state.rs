//! What is kept of a login: cookies and what pages stored, each with its origin. Values never print themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::belongs::Home;
use crate::secrets::SecretText;

/// A cookie as a browser tells of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(with = "hidden")]
    pub value: SecretText,
    /// `.shop.example` for all hosts of a domain, `shop.example` for one host alone.
    pub domain: String,
    /// The paths that it is sent to.
    pub path: String,
    /// When it ends, in seconds of the epoch; none for one that ends with its session.
    pub expires: Option<f64>,
    /// Kept from scripts.
    pub http_only: bool,
    /// Only over TLS.
    pub secure: bool,
    /// `Strict`, `Lax` or `None`, where the site said so.
    pub same_site: Option<String>,
    /// `Low`, `Medium` or `High`.
    pub priority: Option<String>,
    /// `Secure`, `NonSecure` or `Unset`.
    pub source_scheme: Option<String>,
    /// The port that it came from.
    pub source_port: Option<i64>,
    /// The site within which alone it is sent.
    pub partition: Option<Partition>,
}

impl Default for Cookie {
    fn default() -> Self {
        Self {
            name: String::new(),
            value: SecretText::new(""),
            domain: String::new(),
            path: "/".into(),
            expires: None,
            http_only: false,
            secure: false,
            same_site: None,
            priority: None,
            source_scheme: None,
            source_port: None,
            partition: None,
        }
    }
}

/// The site within which alone a cookie is sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Partition {
    /// The site of the page.
    pub top_level_site: String,
    /// Whether another site stands in between.
    pub has_cross_site_ancestor: bool,
}

/// What the pages of an origin stored for later visits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Storage {
    /// `https://shop.example`.
    pub origin: String,
    /// By name.
    pub items: BTreeMap<String, Item>,
}

/// One value that a page stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item(#[serde(with = "hidden")] pub SecretText);

/// All that is kept of a login.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedState {
    /// Its cookies.
    pub cookies: Vec<Cookie>,
    /// What pages stored, origin by origin.
    pub storage: Vec<Storage>,
}

impl SavedState {
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.cookies.is_empty() && self.storage.iter().all(|storage| storage.items.is_empty())
    }

    /// The part of it that belongs to these origins and has not ended by `now`, in seconds of the epoch.
    #[must_use]
    pub fn of_origins(&self, origins: &[String], now: f64) -> Self {
        self.parted(origins, now).0
    }

    /// The rest of it that has not ended: what belongs to none of these origins.
    #[must_use]
    pub fn of_others(&self, origins: &[String], now: f64) -> Self {
        self.parted(origins, now).1
    }

    fn parted(&self, origins: &[String], now: f64) -> (Self, Self) {
        let homes: Vec<Home> = origins.iter().filter_map(|origin| Home::of(origin)).collect();
        let cookies = self.cookies.iter().filter(|cookie| cookie.expires.is_none_or(|end| end > now));
        let cookies: (Vec<_>, Vec<_>) =
            cookies.cloned().partition(|cookie| homes.iter().any(|home| home.owns(cookie)));
        let storage = self.storage.iter().filter(|storage| !storage.items.is_empty());
        let storage: (Vec<_>, Vec<_>) =
            storage.cloned().partition(|storage| origins.contains(&storage.origin));
        (Self { cookies: cookies.0, storage: storage.0 }, Self { cookies: cookies.1, storage: storage.1 })
    }

    /// The same with what another holds too.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.cookies.extend(other.cookies);
        self.storage.extend(other.storage);
        self
    }

    fn entries(&self) -> BTreeMap<Name<'_>, Entry<'_>> {
        let cookies = self.cookies.iter().map(|cookie| {
            let name = Name::Cookie(&cookie.domain, &cookie.path, &cookie.name, cookie.partition.as_ref());
            (name, Entry::Cookie(cookie))
        });
        let items = self.storage.iter().flat_map(|storage| {
            let items = storage.items.iter();
            items.map(|(name, item)| (Name::Item(&storage.origin, name), Entry::Item(item)))
        });
        cookies.chain(items).collect()
    }
}

/// What makes two entries the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name<'a> {
    Cookie(&'a str, &'a str, &'a str, Option<&'a Partition>),
    Item(&'a str, &'a str),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Entry<'a> {
    Cookie(&'a Cookie),
    Item(&'a Item),
}

/// What is to be kept from now on, when a session ends that began with `begun` and ended with `ended`, while others may have changed
/// what is `kept`: whatever this session changed is as it left it, all else is as it is kept. None where that is nothing new, and
/// where nothing would be left of what is kept: a page that failed, or a browser that lost its mind, must not cost a login.
pub fn merged(kept: &SavedState, begun: &SavedState, ended: &SavedState) -> Option<SavedState> {
    let (kept_entries, begun, ended) = (kept.entries(), begun.entries(), ended.entries());
    let names: std::collections::BTreeSet<_> = kept_entries.keys().chain(ended.keys()).copied().collect();
    let mut state = SavedState::default();
    let mut stored: BTreeMap<&str, BTreeMap<String, Item>> = BTreeMap::new();
    for name in names {
        let untouched = begun.get(&name) == ended.get(&name);
        let source = if untouched { &kept_entries } else { &ended };
        match (name, source.get(&name)) {
            (_, Some(Entry::Cookie(cookie))) => state.cookies.push((*cookie).clone()),
            (Name::Item(origin, key), Some(Entry::Item(item))) => {
                stored.entry(origin).or_default().insert(key.to_owned(), (*item).clone());
            }
            _ => {}
        }
    }
    state.storage =
        stored.into_iter().map(|(origin, items)| Storage { origin: origin.to_owned(), items }).collect();
    let is_news = state.entries() != kept_entries;
    (is_news && !state.is_empty()).then_some(state)
}

/// A hidden value among others, for the sealed file alone.
mod hidden {
    use super::{Deserialize, Deserializer, SecretText, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &SecretText, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.expose())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SecretText, D::Error> {
        String::deserialize(deserializer).map(SecretText::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(name: &str, value: &str) -> Cookie {
        Cookie {
            name: name.into(),
            value: value.into(),
            domain: "shop.example".into(),
            secure: true,
            ..Cookie::default()
        }
    }

    fn state(cookies: &[(&str, &str)], items: &[(&str, &str)]) -> SavedState {
        let items = items.iter().map(|(name, value)| ((*name).to_owned(), Item((*value).into())));
        let storage = Storage { origin: "https://shop.example".into(), items: items.collect() };
        let storage = if storage.items.is_empty() { vec![] } else { vec![storage] };
        SavedState { cookies: cookies.iter().map(|(name, value)| cookie(name, value)).collect(), storage }
    }

    #[test]
    fn only_what_belongs_to_the_origins_and_lives_is_kept() {
        let mut all = state(&[("sid", "a")], &[("token", "t")]);
        all.cookies.push(Cookie { expires: Some(99.0), ..cookie("old", "b") });
        all.cookies.push(Cookie { expires: Some(101.0), ..cookie("new", "c") });
        all.cookies.push(Cookie { domain: "other.example".into(), ..cookie("sid", "d") });
        all.storage.push(Storage { origin: "https://other.example".into(), ..all.storage[0].clone() });
        let kept = all.of_origins(&["https://shop.example".into()], 100.0);
        let names: Vec<&str> = kept.cookies.iter().map(|cookie| &*cookie.name).collect();
        assert_eq!((names, kept.storage.len()), (vec!["sid", "new"], 1));
        let rest = all.of_others(&["https://shop.example".into()], 100.0);
        let domains: Vec<&str> = rest.cookies.iter().map(|cookie| &*cookie.domain).collect();
        assert_eq!((domains, &*rest.storage[0].origin), (vec!["other.example"], "https://other.example"));
        assert!(all.of_origins(&["https://third.example".into()], 100.0).is_empty());
        assert!(all.of_origins(&[], 100.0).is_empty());
    }

    #[test]
    fn sessions_that_end_one_after_the_other_are_both_heard() {
        let begun = state(&[("sid", "1"), ("theme", "dark")], &[("cart", "0")]);
        let first = state(&[("sid", "2"), ("theme", "dark")], &[("cart", "0")]);
        let second = state(&[("sid", "1"), ("theme", "light")], &[("cart", "0"), ("seen", "yes")]);
        let after_first = merged(&begun, &begun, &first).unwrap();
        let after_both = merged(&after_first, &begun, &second).unwrap();
        assert_eq!(after_both, state(&[("sid", "2"), ("theme", "light")], &[("cart", "0"), ("seen", "yes")]));
        // What a site takes away is taken away.
        let without = state(&[("sid", "1")], &[]);
        assert_eq!(merged(&begun, &begun, &without).unwrap(), without);
    }

    #[test]
    fn a_saved_login_is_neither_written_for_nothing_nor_emptied() {
        let begun = state(&[("sid", "1")], &[("cart", "0")]);
        let nothing = SavedState::default();
        assert_eq!(merged(&begun, &begun, &begun), None, "nothing has changed");
        assert_eq!(merged(&begun, &begun, &nothing), None, "all is gone");
        assert_eq!(merged(&nothing, &nothing, &nothing), None, "there was nothing");
        assert_eq!(merged(&nothing, &nothing, &begun), Some(begun.clone()), "the first time");
        // Forgotten meanwhile: what this session did not touch stays forgotten.
        assert_eq!(merged(&nothing, &begun, &begun), None);
    }

    #[test]
    fn values_are_written_and_never_printed() {
        let state = state(&[("sid", "xyzzy-42")], &[("token", "plugh-43")]);
        let printed = format!("{state:?}");
        assert!(!printed.contains("xyzzy") && !printed.contains("plugh"), "{printed}");
        let json = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<SavedState>(&json).unwrap(), state);
        assert!(serde_json::from_str::<SavedState>("{\"cookies\":[{\"name\":\"a\"}],\"later\":1}").is_ok());
    }
}
