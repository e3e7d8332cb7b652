//! Acts, page by page, beside what they are measured by. Pure.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Report, tenths};
use crate::{
    bars::{self, Bar},
    stats::spread,
};

/// One deed on one page: what each took, run by run, in milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActFigures {
    /// The page.
    pub(crate) page: &'static str,
    /// The deed.
    pub(crate) deed: &'static str,
    /// Legwork's act, with its receipt and the next observation.
    pub(crate) legwork: Vec<f64>,
    /// The bare input.
    pub(crate) raw: Vec<f64>,
    /// One observation right after that input, while the page still draws what came of it.
    pub(crate) observation: Vec<f64>,
    /// One observation of the page at rest.
    pub(crate) at_rest: Vec<f64>,
}

impl ActFigures {
    fn bar(&self) -> Bar {
        bars::of_an_act(&self.legwork, &self.raw, &self.observation)
    }
}

/// All deeds on all pages.
#[derive(Debug, Clone)]
pub(crate) struct Acts {
    /// The browser that all used.
    pub(crate) browser: String,
    /// Deed by deed.
    pub(crate) figures: Vec<ActFigures>,
}

impl Report for Acts {
    fn table(&self) -> String {
        let runs = self.figures.first().map_or(0, |figures| figures.raw.len());
        let mut table = format!(
            "An act with its receipt and the next observation: medians of {runs} rounds in one run, {}\n\n\
             {:<14}{:<8}{:>11}{:>13}{:>11}{:>22}\n",
            self.browser, "ms", "deed", "raw input", "observation", "Legwork", "observation at rest"
        );
        for figures in &self.figures {
            let ms = |series: &[f64]| format!("{:.1}", spread(series).median);
            let _ = writeln!(
                table,
                "{:<14}{:<8}{:>11}{:>13}{:>11}{:>22}",
                figures.page,
                figures.deed,
                ms(&figures.raw),
                ms(&figures.observation),
                ms(&figures.legwork),
                ms(&figures.at_rest)
            );
        }
        table.push('\n');
        for figures in &self.figures {
            let _ = writeln!(table, "{}, {}: {}", figures.page, figures.deed, figures.bar().line());
        }
        table
    }

    fn lines(&self) -> Vec<Value> {
        let line = |figures: &ActFigures| {
            let ms = |series: &[f64]| tenths(spread(series).median);
            json!({
                "bench": "act",
                "page": figures.page,
                "deed": figures.deed,
                "browser": self.browser,
                "rawInputMs": ms(&figures.raw),
                "observationMs": ms(&figures.observation),
                "observationAtRestMs": ms(&figures.at_rest),
                "legworkMs": ms(&figures.legwork),
                "runs": figures.raw.len(),
                "bars": [figures.bar().json()],
            })
        };
        self.figures.iter().map(line).collect()
    }

    fn holds(&self) -> bool {
        self.figures.iter().all(|figures| figures.bar().holds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acts(legwork: f64) -> Acts {
        let figures = ActFigures {
            page: "form",
            deed: "click",
            legwork: vec![legwork],
            raw: vec![3.0],
            observation: vec![5.0],
            at_rest: vec![4.0],
        };
        Acts { browser: "Chrome/1".into(), figures: vec![figures] }
    }

    #[test]
    fn an_act_may_cost_its_input_an_observation_and_a_little_more() {
        assert!(acts(88.0).holds() && !acts(88.1).holds());
        let table = acts(60.0).table();
        assert!(
            table.contains(
                "form          click           3.0          5.0       60.0                   4.0\n"
            ),
            "{table}"
        );
        assert_eq!(acts(60.0).lines()[0]["bars"][0]["most"], 88.0);
    }
}
