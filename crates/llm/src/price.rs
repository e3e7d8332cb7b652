//! What calls cost. Pure.

use std::collections::BTreeMap;

use legwork_types::model::Price;
use serde::Serialize;

use crate::choice::Family;

/// Where a price comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriceSource {
    /// The table, or what the user wrote.
    Known,
    /// It runs on this machine.
    Local,
    /// Nobody knows: more than any of the table costs is taken, so that a budget holds.
    Assumed,
}

/// Models by name, and what costs what: read, written, read from what was kept, kept.
const TABLE: &[(&str, [f64; 4])] = &[
    ("claude-opus-4-6", [5.0, 25.0, 0.5, 6.25]),
    ("claude-opus-4-5", [5.0, 25.0, 0.5, 6.25]),
    ("claude-opus-4-1", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4-0", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4", [15.0, 75.0, 1.5, 18.75]),
    ("claude-sonnet-4-6", [3.0, 15.0, 0.3, 3.75]),
    ("claude-sonnet-4-5", [3.0, 15.0, 0.3, 3.75]),
    ("claude-sonnet-4-0", [3.0, 15.0, 0.3, 3.75]),
    ("claude-sonnet-4", [3.0, 15.0, 0.3, 3.75]),
    ("claude-haiku-4-5", [1.0, 5.0, 0.1, 1.25]),
    ("claude-3-7-sonnet", [3.0, 15.0, 0.3, 3.75]),
    ("claude-3-5-haiku", [0.8, 4.0, 0.08, 1.0]),
    ("gpt-5", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5-mini", [0.25, 2.0, 0.025, 0.25]),
    ("gpt-5-nano", [0.05, 0.4, 0.005, 0.05]),
    ("gpt-5-pro", [15.0, 120.0, 15.0, 15.0]),
    ("gpt-5.1", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-5.2", [1.75, 14.0, 0.175, 1.75]),
    ("gpt-4.1", [2.0, 8.0, 0.5, 2.0]),
    ("gpt-4.1-mini", [0.4, 1.6, 0.1, 0.4]),
    ("gpt-4.1-nano", [0.1, 0.4, 0.025, 0.1]),
    ("gpt-4o-2024-05-13", [5.0, 15.0, 5.0, 5.0]),
    ("gpt-4o", [2.5, 10.0, 1.25, 2.5]),
    ("gpt-4o-mini", [0.15, 0.6, 0.075, 0.15]),
    ("o3", [2.0, 8.0, 0.5, 2.0]),
    ("o3-mini", [1.1, 4.4, 0.55, 1.1]),
    ("o4-mini", [1.1, 4.4, 0.275, 1.1]),
    // Gemini's are those of requests up to 200,000 tokens; what an errand asks is far below.
    ("gemini-3.1-pro-preview", [2.0, 12.0, 0.2, 2.0]),
    ("gemini-3-pro-preview", [2.0, 12.0, 0.2, 2.0]),
    ("gemini-3-flash-preview", [0.5, 3.0, 0.05, 0.5]),
    ("gemini-2.5-pro", [1.25, 10.0, 0.125, 1.25]),
    ("gemini-2.5-flash", [0.3, 2.5, 0.03, 0.3]),
    ("gemini-2.5-flash-lite", [0.1, 0.4, 0.01, 0.1]),
];

/// What a model is taken for that nobody knows: more than any of the table.
const ASSUMED: [f64; 4] = [30.0, 180.0, 30.0, 37.5];

const FREE: [f64; 4] = [0.0; 4];

/// What models cost: the table, and what the user wrote, which counts first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(pub BTreeMap<String, Price>);

impl Prices {
    /// The price of this model, which runs on this machine or elsewhere.
    pub fn of(&self, model: &str, runs: Runs) -> (Price, PriceSource) {
        // A vendor between us and the vendor puts its name before.
        let bare = model.rsplit('/').next().unwrap_or(model);
        if let Some(price) = self.0.get(model).or_else(|| self.0.get(bare)) {
            return (*price, PriceSource::Known);
        }
        // A model of a vendor costs what it costs, also where the way to it begins on this machine.
        let known = TABLE.iter().find(|(name, _)| is_the_same(bare, name));
        match (known, runs) {
            (Some((_, known)), _) => (price(*known), PriceSource::Known),
            (None, Runs::Here) if Family::of(bare) == Family::Other => (price(FREE), PriceSource::Local),
            (None, _) => (price(ASSUMED), PriceSource::Assumed),
        }
    }
}

/// Where a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// On this machine: it costs nothing.
    Here,
    /// Elsewhere.
    Elsewhere,
}

/// Whether a name is that of a model of the table, with or without the day on which it came. Another word after it is another model.
fn is_the_same(name: &str, known: &str) -> bool {
    // Vendors and those between do not agree on dots.
    let (name, known) = (name.replace('.', "-"), known.replace('.', "-"));
    let Some(rest) = name.strip_prefix(&known) else { return false };
    let is_day = |day: &str| {
        let digits: String = day.chars().filter(|letter| *letter != '-').collect();
        digits.len() == 8 && digits.starts_with("20") && digits.chars().all(|digit| digit.is_ascii_digit())
    };
    rest.is_empty() || rest.strip_prefix('-').is_some_and(|day| day == "latest" || is_day(day))
}

fn price([input, output, read, write]: [f64; 4]) -> Price {
    Price { input, output, cache_read: Some(read), cache_write: Some(write) }
}

#[cfg(test)]
mod tests {
    use legwork_types::model::{MicroUsd, Usage};

    use super::*;

    const USAGE: Usage = Usage { input: 1_000, cache_write: 2_000, cache_read: 10_000, output: 300 };

    #[test]
    fn a_call_costs_what_its_parts_cost() {
        let (price, source) = Prices::default().of("claude-opus-4-6", Runs::Elsewhere);
        assert_eq!(source, PriceSource::Known);
        // 0.005 + 0.0125 + 0.005 + 0.0075
        assert_eq!(price.of(&USAGE), MicroUsd(30_000));
    }

    #[test]
    fn what_the_user_wrote_counts_first_and_what_runs_here_is_free() {
        let own = Price { input: 1.0, output: 2.0, cache_read: None, cache_write: None };
        let prices = Prices(BTreeMap::from([("house".to_owned(), own)]));
        assert_eq!(prices.of("house", Runs::Here), (own, PriceSource::Known));
        assert_eq!(prices.of("vendor/house", Runs::Elsewhere), (own, PriceSource::Known));
        assert_eq!(own.of(&USAGE), MicroUsd(13_600));
        let (free, source) = prices.of("local", Runs::Here);
        assert_eq!((free.of(&USAGE), source), (MicroUsd(0), PriceSource::Local));
    }

    #[test]
    fn what_nobody_knows_is_taken_for_more_than_anything_costs() {
        let (assumed, source) = Prices::default().of("mystery-1", Runs::Elsewhere);
        assert_eq!(source, PriceSource::Assumed);
        for (name, known) in TABLE {
            assert!(price(*known).of(&USAGE) <= assumed.of(&USAGE), "{name}");
        }
        // A model of a vendor is not free where the way to it begins on this machine, also if nobody knows it.
        assert_eq!(Prices::default().of("claude-next-9", Runs::Here).1, PriceSource::Assumed);
        assert_eq!(Prices::default().of("gpt-oss:20b", Runs::Here).1, PriceSource::Local);
    }

    #[test]
    fn a_price_is_that_of_this_model_and_of_no_other_that_begins_like_it() {
        let of = |name: &str| match Prices::default().of(name, Runs::Elsewhere) {
            (price, PriceSource::Known) => Some((price.input, price.output)),
            (_, PriceSource::Assumed | PriceSource::Local) => None,
        };
        for (name, price) in [
            ("claude-opus-4-6", Some((5.0, 25.0))),
            ("anthropic/claude-opus-4.6", Some((5.0, 25.0))),
            ("anthropic/claude-opus-4.1", Some((15.0, 75.0))),
            ("claude-opus-4-20250514", Some((15.0, 75.0))),
            ("claude-opus-4-7", None),
            ("claude-sonnet-4-5-20250929", Some((3.0, 15.0))),
            ("claude-3-7-sonnet-latest", Some((3.0, 15.0))),
            ("openai/gpt-5-pro", Some((15.0, 120.0))),
            ("gpt-5-2025-08-07", Some((1.25, 10.0))),
            ("gpt-5.2", Some((1.75, 14.0))),
            ("gpt-5.9", None),
            ("gpt-5-turbo", None),
            ("gpt-4o-2024-05-13", Some((5.0, 15.0))),
            ("gpt-4o-2024-08-06", Some((2.5, 10.0))),
            ("o3-pro", None),
            ("gemini-2.5-flash", Some((0.3, 2.5))),
            ("google/gemini-2.5-pro", Some((1.25, 10.0))),
            ("gemini-2.5-flash-lite", Some((0.1, 0.4))),
            ("gemini-2.5-flash-image", None),
            ("gemini-flash-latest", None),
        ] {
            assert_eq!(of(name), price, "{name}");
        }
    }
}
