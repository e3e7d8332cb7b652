//! The turns of errands beside what they are measured by. Pure.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Report, rounded, tenths};
use crate::{
    bars::{self, Bar},
    stats::{median_ratio, nine_of_ten, spread},
    think::{EVERY, PAGE},
};

/// Errands with or without pictures: what each took, turn by turn, in milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct TurnFigures {
    /// When the model was shown a picture.
    pub(crate) pictures: &'static str,
    /// The whole turn.
    pub(crate) whole: Vec<f64>,
    /// Of it asking the model.
    pub(crate) asking: Vec<f64>,
    /// Of it writing the log.
    pub(crate) log: Vec<f64>,
    /// The act of the turn alone, without an errand.
    pub(crate) act: Vec<f64>,
    /// Own memory as each of the errands went on, in megabytes.
    pub(crate) memory: Vec<Vec<f64>>,
}

impl TurnFigures {
    /// Everything but the model.
    fn besides(&self) -> Vec<f64> {
        self.whole.iter().zip(&self.asking).map(|(whole, asking)| whole - asking).collect()
    }

    /// What each errand held more at its end than at the first measurement.
    fn grown(&self) -> Vec<f64> {
        let ends = |memory: &Vec<f64>| Some(memory.last()? - memory.first()?);
        self.memory.iter().filter_map(ends).collect()
    }

    fn bars(&self) -> Vec<Bar> {
        let mut bars = vec![];
        if self.pictures == "never" {
            bars.push(bars::of_a_turn(&self.besides()));
        }
        bars.push(bars::of_growth(&self.grown()));
        bars
    }
}

/// All errands.
#[derive(Debug, Clone)]
pub(crate) struct Thinking {
    /// The browser that all used.
    pub(crate) browser: String,
    /// Without pictures and with them.
    pub(crate) figures: Vec<TurnFigures>,
}

impl Report for Thinking {
    fn table(&self) -> String {
        let turns = self.figures.first().map_or(0, |figures| figures.whole.len());
        let mut table = format!(
            "A turn of an errand on {PAGE}: medians of {turns} turns in one run, {}\n\n\
             {:<10}{:>14}{:>9}{:>7}{:>10}{:>7}{:>9}{:>12}\n",
            self.browser,
            "pictures",
            "times an act",
            "besides",
            "p90",
            "an act",
            "log",
            "asking",
            "whole turn"
        );
        for figures in &self.figures {
            let besides = figures.besides();
            let ms = |series: &[f64]| format!("{:.1}", spread(series).median);
            let _ = writeln!(
                table,
                "{:<10}{:>14}{:>9}{:>7}{:>10}{:>7}{:>9}{:>12}",
                figures.pictures,
                format!("{:.2}", median_ratio(&besides, &figures.act)),
                ms(&besides),
                format!("{:.1}", nine_of_ten(&besides)),
                ms(&figures.act),
                ms(&figures.log),
                ms(&figures.asking),
                ms(&figures.whole)
            );
        }
        let _ = writeln!(table, "\nMB after every {EVERY} turns");
        for figures in &self.figures {
            for memory in &figures.memory {
                let megabytes: String = memory.iter().map(|held| format!("{held:>8.1}")).collect();
                let _ = writeln!(table, "{:<10}{megabytes}", figures.pictures);
            }
        }
        table.push('\n');
        for figures in &self.figures {
            for bar in figures.bars() {
                let _ = writeln!(table, "pictures {}, {}", figures.pictures, bar.line());
            }
        }
        table
    }

    fn lines(&self) -> Vec<Value> {
        let line = |figures: &TurnFigures| {
            let besides = figures.besides();
            let ms = |series: &[f64]| tenths(spread(series).median);
            let memory: Vec<Vec<Value>> =
                figures.memory.iter().map(|held| held.iter().copied().map(tenths).collect()).collect();
            json!({
                "bench": "think",
                "page": PAGE,
                "pictures": figures.pictures,
                "browser": self.browser,
                "timesAnAct": rounded(median_ratio(&besides, &figures.act), 100.0),
                "besidesModelMs": ms(&besides),
                "besidesModelP90Ms": tenths(nine_of_ten(&besides)),
                "actMs": ms(&figures.act),
                "logMs": ms(&figures.log),
                "askingMs": ms(&figures.asking),
                "wholeTurnMs": ms(&figures.whole),
                "turns": figures.whole.len(),
                "memoryMb": memory,
                "bars": figures.bars().iter().map(Bar::json).collect::<Vec<_>>(),
            })
        };
        self.figures.iter().map(line).collect()
    }

    fn holds(&self) -> bool {
        self.figures.iter().flat_map(TurnFigures::bars).all(|bar| bar.holds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking(whole: f64, last: f64) -> Thinking {
        let figures = TurnFigures {
            pictures: "never",
            whole: vec![whole],
            asking: vec![10.0],
            log: vec![6.0],
            act: vec![50.0],
            memory: vec![vec![40.0, last]],
        };
        let shown = TurnFigures { pictures: "always", ..figures.clone() };
        Thinking { browser: "Chrome/1".into(), figures: vec![figures, shown] }
    }

    #[test]
    fn a_turn_without_pictures_and_the_memory_have_bars() {
        assert!(thinking(160.0, 43.0).holds());
        assert!(!thinking(160.1, 43.0).holds());
        assert!(!thinking(160.0, 43.1).holds());
        let mut slow_with_pictures = thinking(160.0, 43.0);
        slow_with_pictures.figures[1].whole = vec![300.0];
        assert!(slow_with_pictures.holds());
    }

    #[test]
    fn the_ratio_comes_first_and_the_memory_below() {
        let thinking = thinking(85.0, 40.5);
        let table = thinking.table();
        assert!(
            table
                .contains("never               1.50     75.0   75.0      50.0    6.0     10.0        85.0\n"),
            "{table}"
        );
        assert!(table.contains("never         40.0    40.5\n"), "{table}");
        assert!(
            table.contains("pictures never, ms of a turn besides the model: 75.0, at most 150.0: holds\n"),
            "{table}"
        );
        let line = &thinking.lines()[0];
        assert_eq!((&line["timesAnAct"], &line["besidesModelMs"]), (&json!(1.5), &json!(75.0)));
        assert_eq!(line["bars"].as_array().map(Vec::len), Some(2));
        assert_eq!(thinking.lines()[1]["bars"].as_array().map(Vec::len), Some(1));
    }
}
