//! What calls cost. Pure.

use std::collections::BTreeMap;

use legwork_types::model::Price;
use serde::Serialize;

/// Where a price comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriceSource {
    /// The table, or what the user wrote.
    Known,
    /// It runs on this machine.
    Local,
    /// Nobody knows: the dearest of the table is taken, so that a budget holds.
    Assumed,
}

/// Models by the beginning of their names; what costs what: read, written, read from what was kept, kept.
const TABLE: &[(&str, [f64; 4])] = &[
    ("claude-opus-4-0", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4-1", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4-2", [15.0, 75.0, 1.5, 18.75]),
    ("claude-opus-4", [5.0, 25.0, 0.5, 6.25]),
    ("claude-sonnet", [3.0, 15.0, 0.3, 3.75]),
    ("claude-haiku", [1.0, 5.0, 0.1, 1.25]),
    ("gpt-5-nano", [0.05, 0.4, 0.005, 0.05]),
    ("gpt-5-mini", [0.25, 2.0, 0.025, 0.25]),
    ("gpt-5", [1.25, 10.0, 0.125, 1.25]),
    ("gpt-4.1-nano", [0.1, 0.4, 0.025, 0.1]),
    ("gpt-4.1-mini", [0.4, 1.6, 0.1, 0.4]),
    ("gpt-4.1", [2.0, 8.0, 0.5, 2.0]),
    ("gpt-4o-mini", [0.15, 0.6, 0.075, 0.15]),
    ("gpt-4o", [2.5, 10.0, 1.25, 2.5]),
];

/// The dearest of all.
const DEAREST: [f64; 4] = [15.0, 75.0, 15.0, 18.75];

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
        let known = TABLE.iter().find(|(begins, _)| bare.starts_with(begins));
        match (known, runs) {
            (Some((_, known)), _) => (price(*known), PriceSource::Known),
            (None, Runs::Here) => (price(FREE), PriceSource::Local),
            (None, Runs::Elsewhere) => (price(DEAREST), PriceSource::Assumed),
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
    fn what_nobody_knows_is_taken_for_the_dearest() {
        let (assumed, source) = Prices::default().of("mystery-1", Runs::Elsewhere);
        assert_eq!(source, PriceSource::Assumed);
        for (name, known) in TABLE {
            assert!(price(*known).of(&USAGE) <= assumed.of(&USAGE), "{name}");
            let longer = format!("{name}-latest");
            assert_eq!(Prices::default().of(&longer, Runs::Elsewhere), (price(*known), PriceSource::Known));
        }
    }
}
