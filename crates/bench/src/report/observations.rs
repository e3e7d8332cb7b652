//! Whole observations, page by page, beside what they are measured by. Pure.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Report, tenths};
use crate::{
    bars::{self, Bar},
    observe::memory::Memory,
    stats::spread,
};

/// One page: what each took on it, run by run, in milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageFigures {
    /// Its name.
    pub(crate) name: String,
    /// How many controls the bare walk found.
    pub(crate) controls: usize,
    /// The bare walk.
    pub(crate) walk: Vec<f64>,
    /// Chromium's snapshot of the document.
    pub(crate) snapshot: Vec<f64>,
    /// Chromium's accessibility tree.
    pub(crate) tree: Vec<f64>,
    /// Legwork's whole observation; empty where there is none.
    pub(crate) legwork: Vec<f64>,
    /// The tokens of the observation's text.
    pub(crate) tokens: Option<usize>,
}

impl PageFigures {
    fn bars(&self) -> Vec<Bar> {
        bars::of_a_page(self.controls, &self.legwork, &self.walk, &self.tree, self.tokens)
    }
}

/// Whole observations on all pages, against yardsticks of the same rounds.
#[derive(Debug, Clone)]
pub(crate) struct Observations {
    /// The browser that all used.
    pub(crate) browser: String,
    /// The SHA-256 of the bare walk's text.
    pub(crate) walk_sha256: String,
    /// Page by page.
    pub(crate) pages: Vec<PageFigures>,
    /// The tokens of all controls of the shop, listed page by page.
    pub(crate) listing_tokens: Option<usize>,
    /// Legwork's own memory.
    pub(crate) memory: Memory,
}

impl Observations {
    /// The bars that belong to no page.
    fn bars(&self) -> Vec<Bar> {
        let memory = bars::of_memory(self.memory.form, self.memory.table);
        let memory = memory.into_iter().filter(|_| self.memory.observed);
        bars::of_the_listing(self.listing_tokens).into_iter().chain(memory).collect()
    }
}

impl Report for Observations {
    fn table(&self) -> String {
        let runs = self.pages.first().map_or(0, |page| page.walk.len());
        let mut table = format!(
            "Whole observation: medians of {runs} rounds in one run, {}\nbare walk: SHA-256 {}\n\n\
             {:<14}{:>10}{:>11}{:>11}{:>11}{:>11}{:>9}\n",
            self.browser,
            self.walk_sha256,
            "ms",
            "controls",
            "bare walk",
            "snapshot",
            "AX tree",
            "Legwork",
            "tokens"
        );
        for page in &self.pages {
            let _ = write!(table, "{:<14}{:>10}", page.name, page.controls);
            for series in [&page.walk, &page.snapshot, &page.tree, &page.legwork] {
                let _ = write!(table, "{:>11}", median(series).map_or("-".into(), |ms| format!("{ms:.1}")));
            }
            let _ = writeln!(table, "{:>9}", page.tokens.map_or("-".into(), |tokens| tokens.to_string()));
        }
        let Memory { form, table: long, observed } = self.memory;
        let of = if observed { "observed" } else { "only opened" };
        let _ =
            writeln!(table, "\nown memory, pages {of}: {form:.1} MB on form, {long:.1} MB after table10k");
        for page in &self.pages {
            for bar in page.bars() {
                let _ = writeln!(table, "{}: {}", page.name, bar.line());
            }
        }
        for bar in self.bars() {
            let _ = writeln!(table, "{}", bar.line());
        }
        if self.pages.iter().all(|page| page.legwork.is_empty()) {
            table.push_str("no observation to measure: yardsticks alone, no bar is judged\n");
        }
        table
    }

    fn lines(&self) -> Vec<Value> {
        let of_page = |page: &PageFigures| {
            let ms = |series: &[f64]| median(series).map(tenths);
            let judged: Vec<Value> = page.bars().iter().map(Bar::json).collect();
            json!({
                "bench": "observe",
                "page": page.name,
                "browser": self.browser,
                "controls": page.controls,
                "bareWalkMs": ms(&page.walk),
                "snapshotMs": ms(&page.snapshot),
                "axTreeMs": ms(&page.tree),
                "legworkMs": ms(&page.legwork),
                "tokens": page.tokens,
                "bareWalkSha256": self.walk_sha256,
                "runs": page.walk.len(),
                "bars": judged,
            })
        };
        let judged: Vec<Value> = self.bars().iter().map(Bar::json).collect();
        let whole = json!({
            "bench": "observe_whole",
            "browser": self.browser,
            "listingTokens": self.listing_tokens,
            "formMb": tenths(self.memory.form),
            "tableMb": tenths(self.memory.table),
            "observed": self.memory.observed,
            "bars": judged,
        });
        self.pages.iter().map(of_page).chain([whole]).collect()
    }

    fn holds(&self) -> bool {
        self.pages.iter().flat_map(PageFigures::bars).chain(self.bars()).all(|bar| bar.holds())
    }
}

fn median(series: &[f64]) -> Option<f64> {
    (!series.is_empty()).then(|| spread(series).median)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observations(legwork: &[f64], tokens: Option<usize>) -> Observations {
        let page = PageFigures {
            name: "shop150".into(),
            controls: 787,
            walk: vec![4.0],
            snapshot: vec![9.04],
            tree: vec![100.0],
            legwork: legwork.to_vec(),
            tokens,
        };
        Observations {
            browser: "Chrome/1".into(),
            walk_sha256: "e954".into(),
            pages: vec![page],
            listing_tokens: tokens,
            memory: Memory { form: 20.0, table: 60.0, observed: !legwork.is_empty() },
        }
    }

    #[test]
    fn yardsticks_alone_are_told_and_nothing_is_judged() {
        let alone = observations(&[], None);
        assert!(alone.holds());
        let table = alone.table();
        assert!(
            table.contains("shop150              787        4.0        9.0      100.0          -        -\n"),
            "{table}"
        );
        assert!(table.contains("no bar is judged"), "{table}");
        assert_eq!(alone.lines()[0]["legworkMs"], Value::Null);
    }

    #[test]
    fn an_observation_is_held_to_every_bar() {
        let good = observations(&[20.0], Some(1_500));
        assert!(good.holds(), "{}", good.table());
        assert_eq!(good.lines()[0]["bars"].as_array().map(Vec::len), Some(3));
        assert_eq!(good.lines()[1]["bars"].as_array().map(Vec::len), Some(3));
        assert!(!observations(&[22.1], Some(1_500)).holds());
        assert!(!observations(&[20.0], Some(2_001)).holds());
        assert!(
            observations(&[22.1], Some(1))
                .table()
                .contains("shop150: ms against 3 bare walks + 10 ms: 22.1, at most 22.0: DOES NOT HOLD")
        );
    }
}
