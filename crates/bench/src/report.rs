//! What was measured, as a table for people and as JSON lines for programs. Pure.

mod acts;
mod observations;
mod turns;
mod wire;

use std::fmt::Write;

use serde_json::{Value, json};

use crate::stats::{Spread, ratio, spread};

pub(crate) use acts::{ActFigures, Acts};
pub(crate) use observations::{Observations, PageFigures};
pub(crate) use turns::{Thinking, TurnFigures};
pub(crate) use wire::{GateCosts, GateFigures, Held, Pause, Throughput, ThroughputFigures};

/// What a benchmark found.
pub(crate) trait Report {
    /// For people.
    fn table(&self) -> String;
    /// For programs: one JSON object per line.
    fn lines(&self) -> Vec<Value>;
    /// Whether every bar holds.
    fn holds(&self) -> bool;
}

/// Legwork against a floor: what each of them took in the same run, in milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Comparison {
    /// Its name for programs.
    pub(crate) bench: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// The browser that both used.
    pub(crate) browser: String,
    /// Legwork's median may be so many times the floor's.
    pub(crate) bar: f64,
    /// Legwork, run by run.
    pub(crate) legwork: Vec<f64>,
    /// The floor, run by run.
    pub(crate) raw: Vec<f64>,
    /// Where Legwork's time went, part by part and run by run.
    pub(crate) parts: Vec<(&'static str, Vec<f64>)>,
}

impl Comparison {
    /// Legwork's median over the floor's. Infinite where there is no floor.
    pub(crate) fn ratio(&self) -> f64 {
        ratio(spread(&self.legwork), spread(&self.raw)).unwrap_or(f64::INFINITY)
    }
}

impl Report for Comparison {
    fn holds(&self) -> bool {
        self.ratio() <= self.bar
    }

    fn table(&self) -> String {
        let mut table = format!(
            "{}: {} pairs in one run, {}\n\n{:<14}{:>10}{:>10}{:>10}\n",
            self.title,
            self.legwork.len(),
            self.browser,
            "ms",
            "median",
            "min",
            "max"
        );
        for (name, series) in [("Legwork", &self.legwork), ("raw script", &self.raw)] {
            row(&mut table, name, spread(series));
        }
        table.push_str("\nof Legwork's\n");
        for (name, series) in &self.parts {
            row(&mut table, &format!("  {name}"), spread(series));
        }
        let verdict = if self.holds() { "holds" } else { "DOES NOT HOLD" };
        let _ = writeln!(table, "\nratio of medians {:.3}, bar {:.2}: {verdict}", self.ratio(), self.bar);
        table
    }

    fn lines(&self) -> Vec<Value> {
        let (legwork, raw) = (spread(&self.legwork), spread(&self.raw));
        let parts: serde_json::Map<String, Value> = self
            .parts
            .iter()
            .map(|(name, series)| (format!("{name}Ms"), tenths(spread(series).median)))
            .collect();
        vec![json!({
            "bench": self.bench,
            "browser": self.browser,
            "legworkMs": tenths(legwork.median),
            "legworkMinMs": tenths(legwork.min),
            "legworkMaxMs": tenths(legwork.max),
            "rawMs": tenths(raw.median),
            "rawMinMs": tenths(raw.min),
            "rawMaxMs": tenths(raw.max),
            "ratio": rounded(self.ratio(), 1000.0),
            "bar": self.bar,
            "holds": self.holds(),
            "runs": self.legwork.len(),
            "parts": parts,
        })]
    }
}

fn row(table: &mut String, name: &str, Spread { median, min, max }: Spread) {
    let _ = writeln!(table, "{name:<14}{median:>10.1}{min:>10.1}{max:>10.1}");
}

fn tenths(milliseconds: f64) -> Value {
    rounded(milliseconds, 10.0)
}

/// JSON knows no infinity: such a value becomes null.
fn rounded(value: f64, per_unit: f64) -> Value {
    json!((value * per_unit).round() / per_unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(legwork: &[f64]) -> Comparison {
        Comparison {
            bench: "some_bench",
            title: "Some bench",
            browser: "Chrome/1".into(),
            bar: 1.25,
            legwork: legwork.to_vec(),
            raw: vec![100.0, 104.0, 90.0],
            parts: vec![("launch", vec![60.0, 61.04, 80.0])],
        }
    }

    #[test]
    fn a_bar_holds_up_to_its_very_value() {
        assert!(comparison(&[125.0]).holds());
        assert!(!comparison(&[125.1]).holds());
    }

    #[test]
    fn without_a_floor_no_bar_holds() {
        let empty = Comparison { bar: 1.25, ..Comparison::default() };
        assert!(!empty.holds());
        assert_eq!(empty.lines()[0]["ratio"], Value::Null);
    }

    #[test]
    fn the_line_for_programs() {
        assert_eq!(
            comparison(&[120.0, 110.0, 300.0]).lines(),
            [json!({
                "bench": "some_bench", "browser": "Chrome/1",
                "legworkMs": 120.0, "legworkMinMs": 110.0, "legworkMaxMs": 300.0,
                "rawMs": 100.0, "rawMinMs": 90.0, "rawMaxMs": 104.0,
                "ratio": 1.2, "bar": 1.25, "holds": true, "runs": 3,
                "parts": { "launchMs": 61.0 },
            })]
        );
    }

    #[test]
    fn the_table_for_people() {
        let table = comparison(&[130.0, 110.0, 300.0]).table();
        let expected = "\
Some bench: 3 pairs in one run, Chrome/1

ms                median       min       max
Legwork            130.0     110.0     300.0
raw script         100.0      90.0     104.0

of Legwork's
  launch            61.0      60.0      80.0

ratio of medians 1.300, bar 1.25: DOES NOT HOLD
";
        assert_eq!(table, expected);
    }
}
