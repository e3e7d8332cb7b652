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
    /// Legwork's whole observation.
    pub(crate) legwork: Vec<f64>,
    /// The first of them on the page, with nothing warm.
    pub(crate) first: f64,
    /// The tokens of the observation's text.
    pub(crate) tokens: usize,
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
    pub(crate) listing_tokens: usize,
    /// Legwork's own memory.
    pub(crate) memory: Memory,
}

impl Observations {
    /// The bars that belong to no page.
    fn bars(&self) -> Vec<Bar> {
        let memory = bars::of_memory(self.memory.form, self.memory.table);
        [bars::of_the_listing(self.listing_tokens)].into_iter().chain(memory).collect()
    }
}

impl Report for Observations {
    fn table(&self) -> String {
        let runs = self.pages.first().map_or(0, |page| page.walk.len());
        let mut table = format!(
            "Whole observation: medians of {runs} rounds in one run, {}\nbare walk: SHA-256 {}\n\n\
             {:<14}{:>10}{:>11}{:>11}{:>11}{:>11}{:>11}{:>9}\n",
            self.browser,
            self.walk_sha256,
            "ms",
            "controls",
            "bare walk",
            "snapshot",
            "AX tree",
            "Legwork",
            "at first",
            "tokens"
        );
        for page in &self.pages {
            let _ = write!(table, "{:<14}{:>10}", page.name, page.controls);
            for series in [&page.walk, &page.snapshot, &page.tree, &page.legwork] {
                let _ = write!(table, "{:>11}", format!("{:.1}", spread(series).median));
            }
            let _ = writeln!(table, "{:>11}{:>9}", format!("{:.1}", page.first), page.tokens);
        }
        let Memory { form, table: long } = self.memory;
        let _ = writeln!(table, "\nown memory: {form:.1} MB on form, {long:.1} MB after table10k");
        for page in &self.pages {
            for bar in page.bars() {
                let _ = writeln!(table, "{}: {}", page.name, bar.line());
            }
        }
        for bar in self.bars() {
            let _ = writeln!(table, "{}", bar.line());
        }
        table
    }

    fn lines(&self) -> Vec<Value> {
        let of_page = |page: &PageFigures| {
            let ms = |series: &[f64]| tenths(spread(series).median);
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
                "legworkFirstMs": tenths(page.first),
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
            "bars": judged,
        });
        self.pages.iter().map(of_page).chain([whole]).collect()
    }

    fn holds(&self) -> bool {
        self.pages.iter().flat_map(PageFigures::bars).chain(self.bars()).all(|bar| bar.holds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observations(legwork: f64, tokens: usize) -> Observations {
        let page = PageFigures {
            name: "shop150".into(),
            controls: 787,
            walk: vec![4.0],
            snapshot: vec![9.04],
            tree: vec![100.0],
            legwork: vec![legwork],
            first: 30.0,
            tokens,
        };
        Observations {
            browser: "Chrome/1".into(),
            walk_sha256: "e954".into(),
            pages: vec![page],
            listing_tokens: tokens,
            memory: Memory { form: 20.0, table: 60.0 },
        }
    }

    #[test]
    fn a_page_is_a_line_of_the_table() {
        let table = observations(20.0, 1_500).table();
        assert!(
            table.contains(
                "shop150              787        4.0        9.0      100.0       20.0       30.0     1500\n"
            ),
            "{table}"
        );
    }

    #[test]
    fn an_observation_is_held_to_every_bar() {
        let good = observations(20.0, 1_500);
        assert!(good.holds(), "{}", good.table());
        assert_eq!(good.lines()[0]["bars"].as_array().map(Vec::len), Some(3));
        assert_eq!(good.lines()[1]["bars"].as_array().map(Vec::len), Some(3));
        assert!(!observations(22.1, 1_500).holds());
        assert!(!observations(20.0, 2_001).holds());
        assert!(
            observations(22.1, 1)
                .table()
                .contains("shop150: ms against 3 bare walks + 10 ms: 22.1, at most 22.0: DOES NOT HOLD")
        );
    }
}
