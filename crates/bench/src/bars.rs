//! The bars that figures are held to. Pure.

use serde_json::{Value, json};

use crate::stats::spread;

/// One figure and the most that it may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bar {
    /// What is held to what.
    pub(crate) what: &'static str,
    /// The figure.
    pub(crate) figure: f64,
    /// The most that it may be.
    pub(crate) most: f64,
}

impl Bar {
    /// Whether it holds.
    pub(crate) fn holds(&self) -> bool {
        self.figure <= self.most
    }

    /// For people.
    pub(crate) fn line(&self) -> String {
        let verdict = if self.holds() { "holds" } else { "DOES NOT HOLD" };
        format!("{}: {:.1}, at most {:.1}: {verdict}", self.what, self.figure, self.most)
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let tenths = |figure: f64| (figure * 10.0).round() / 10.0;
        json!({ "bar": self.what, "figure": tenths(self.figure), "most": tenths(self.most), "holds": self.holds() })
    }
}

/// One figure and the least that it may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Floor {
    /// What is held to what.
    pub(crate) what: &'static str,
    /// The figure.
    pub(crate) figure: f64,
    /// The least that it may be.
    pub(crate) least: f64,
}

impl Floor {
    /// Whether it holds.
    pub(crate) fn holds(&self) -> bool {
        self.figure >= self.least
    }

    /// For people.
    pub(crate) fn line(&self) -> String {
        let verdict = if self.holds() { "holds" } else { "DOES NOT HOLD" };
        format!("{}: {:.1}, at least {:.1}: {verdict}", self.what, self.figure, self.least)
    }
}

/// An observation may take so many times the bare walk, …
const WALKS: f64 = 3.0;
/// … and so many milliseconds more.
const WALK_EXTRA: f64 = 10.0;
/// A page with so many controls is large.
const LARGE: usize = 700;
/// On a large page an observation may take this part of Chromium's accessibility tree.
const TREES: f64 = 0.25;
/// The text of one observation at the defaults, in tokens.
const TEXT_TOKENS: f64 = 2_000.0;
/// All controls of the shop, page by page, in tokens.
const LISTING_TOKENS: f64 = 9_000.0;
/// Own memory on the small form, in megabytes.
const FORM_MEGABYTES: f64 = 40.0;
/// Own memory after the long table, in megabytes.
const TABLE_MEGABYTES: f64 = 120.0;

/// An act may take its input, one observation, and so many milliseconds more.
const ACT_EXTRA: f64 = 80.0;

/// A turn of an errand may take so many milliseconds besides its model.
const TURN: f64 = 150.0;
/// An errand may hold so many megabytes more at its end than near its beginning.
const GROWTH_MEGABYTES: f64 = 3.0;

/// What the gate may add to a request that pauses, in milliseconds, …
const PAUSE_ADDS: f64 = 0.8;
/// … and to any other.
const PASSING_ADDS: f64 = 0.3;
/// What a request of a session may take, of what it takes where everything that waits is let go at once, unread.
const BARRIERS: f64 = 1.3;
/// Requests a second that a server has to answer before anything shows against it.
const SERVER_RATE: f64 = 5_000.0;
/// What goes through the proxy, of what goes without it.
const THROUGHPUT: f64 = 0.7;

/// The bar of one kind of request, from what the gate adds to it, in milliseconds.
pub(crate) fn of_the_gate(added: f64, pauses: bool) -> Bar {
    if pauses {
        Bar { what: "ms added to a request that pauses", figure: added, most: PAUSE_ADDS }
    } else {
        Bar { what: "ms added to a request that does not pause", figure: added, most: PASSING_ADDS }
    }
}

/// The bar of what a session takes, of what the least barrier takes.
pub(crate) fn of_the_barrier(ratio: f64) -> Bar {
    Bar { what: "times a barrier that lets everything go unread", figure: ratio, most: BARRIERS }
}

/// The bar of the server that requests are measured at.
pub(crate) fn of_the_server(rate: f64) -> Floor {
    Floor { what: "requests/s of the server", figure: rate, least: SERVER_RATE }
}

/// The bar of one load of the proxy, from its part of the direct way's.
pub(crate) fn of_throughput(ratio: f64) -> Floor {
    Floor { what: "of the direct way", figure: ratio, least: THROUGHPUT }
}

/// The bar of one deed on one page, from what each took, in milliseconds.
pub(crate) fn of_an_act(legwork: &[f64], raw: &[f64], observation: &[f64]) -> Bar {
    let most = spread(raw).median + spread(observation).median + ACT_EXTRA;
    Bar { what: "ms against raw input + an observation + 80 ms", figure: spread(legwork).median, most }
}

/// The bar of a turn, from what everything but the model took, in milliseconds.
pub(crate) fn of_a_turn(besides: &[f64]) -> Bar {
    Bar { what: "ms of a turn besides the model", figure: spread(besides).median, most: TURN }
}

/// The bar of an errand's memory, from what each of several held more at its end, in megabytes.
pub(crate) fn of_growth(grown: &[f64]) -> Bar {
    Bar {
        what: "MB more after turn 100 than after turn 20",
        figure: spread(grown).median,
        most: GROWTH_MEGABYTES,
    }
}

/// The bars of one page. `legwork`, `walk` and `tree` are what each took, in milliseconds.
pub(crate) fn of_a_page(
    controls: usize,
    legwork: &[f64],
    walk: &[f64],
    tree: &[f64],
    tokens: usize,
) -> Vec<Bar> {
    let figure = spread(legwork).median;
    let most = WALKS * spread(walk).median + WALK_EXTRA;
    let mut bars = vec![Bar { what: "ms against 3 bare walks + 10 ms", figure, most }];
    if controls >= LARGE {
        let most = TREES * spread(tree).median;
        bars.push(Bar { what: "ms against a quarter of the AX tree", figure, most });
    }
    bars.push(Bar { what: "tokens of the text", figure: tokens as f64, most: TEXT_TOKENS });
    bars
}

/// The bar of the listing by pages.
pub(crate) fn of_the_listing(tokens: usize) -> Bar {
    Bar { what: "tokens of all controls of shop150", figure: tokens as f64, most: LISTING_TOKENS }
}

/// The bars of the memory, in megabytes.
pub(crate) fn of_memory(form: f64, table: f64) -> [Bar; 2] {
    [
        Bar { what: "MB on form", figure: form, most: FORM_MEGABYTES },
        Bar { what: "MB after table10k", figure: table, most: TABLE_MEGABYTES },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(bars: &[Bar]) -> Vec<bool> {
        bars.iter().map(Bar::holds).collect()
    }

    #[test]
    fn a_small_page_is_held_to_the_walk_and_the_text() {
        assert_eq!(verdicts(&of_a_page(699, &[16.0], &[2.0], &[1.0], 2000)), [true, true]);
        assert_eq!(verdicts(&of_a_page(699, &[16.1], &[2.0], &[1.0], 2001)), [false, false]);
    }

    #[test]
    fn a_large_page_is_held_to_the_tree_too() {
        assert_eq!(verdicts(&of_a_page(700, &[25.0], &[5.0], &[100.0], 1)), [true, true, true]);
        assert_eq!(verdicts(&of_a_page(700, &[25.0], &[5.0], &[99.0], 1)), [true, false, true]);
    }

    #[test]
    fn memory_and_listing_have_their_bars() {
        assert_eq!(verdicts(&of_memory(40.0, 120.1)), [true, false]);
        assert!(of_the_listing(9000).holds());
    }

    #[test]
    fn turns_are_held_to_their_time_and_errands_to_their_memory() {
        assert!(of_a_turn(&[150.0, 10.0, 900.0]).holds() && !of_a_turn(&[150.1]).holds());
        assert!(of_growth(&[3.0, -1.0, 9.0]).holds() && !of_growth(&[3.1]).holds());
    }

    #[test]
    fn a_bar_says_what_is_wrong() {
        let bar = Bar { what: "MB on form", figure: 41.26, most: 40.0 };
        assert_eq!(bar.line(), "MB on form: 41.3, at most 40.0: DOES NOT HOLD");
        assert_eq!(bar.json(), json!({ "bar": "MB on form", "figure": 41.3, "most": 40.0, "holds": false }));
    }
}
