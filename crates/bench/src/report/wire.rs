//! What the gate costs, and how much goes through the proxy, beside what they are measured by. Pure.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Report, rounded};
use crate::{
    bars::{self, Bar, Floor},
    stats::{median_difference, median_ratio, spread},
};

/// Whether a request waits at the barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Pause {
    /// It does.
    #[default]
    Yes,
    /// It goes by.
    No,
}

/// One kind of request: what one took, round by round, in milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct GateFigures {
    /// The kind.
    pub(crate) name: &'static str,
    /// How many were on their way at a time.
    pub(crate) lanes: usize,
    pub(crate) pause: Pause,
    pub(crate) held: Held,
    /// In a browser that nobody watches.
    pub(crate) unwatched: Vec<f64>,
    /// In one that tells of its requests, with nothing in their way.
    pub(crate) watched: Vec<f64>,
    /// In one where everything that could write waits too, and is let go at once, unread.
    pub(crate) intercepted: Vec<f64>,
    /// In a session that settles nothing.
    pub(crate) dry_run: Vec<f64>,
    /// In a session that may.
    pub(crate) live: Vec<f64>,
}

impl GateFigures {
    /// What Chromium's own interception adds, without anything of ours.
    fn interception(&self) -> f64 {
        median_difference(&self.intercepted, &self.watched)
    }

    /// How many times the least barrier a session takes.
    fn of_the_least(&self) -> Bar {
        let worst = [&self.dry_run, &self.live].map(|series| median_ratio(series, &self.intercepted));
        bars::of_the_barrier(worst[0].max(worst[1]))
    }

    fn bars(&self) -> [Bar; 2] {
        [&self.dry_run, &self.live].map(|series| {
            let added = median_difference(series, &self.watched);
            bars::of_the_gate(added, self.pause == Pause::Yes)
        })
    }

    fn holds(&self) -> bool {
        self.held == Held::No || (self.bars().iter().all(Bar::holds) && self.of_the_least().holds())
    }
}

/// What the gate costs.
#[derive(Debug, Clone)]
pub(crate) struct GateCosts {
    /// The browser that all used.
    pub(crate) browser: String,
    /// Requests a second that the server answers to a plain client.
    pub(crate) rate: f64,
    /// Kind by kind.
    pub(crate) figures: Vec<GateFigures>,
}

impl Report for GateCosts {
    fn table(&self) -> String {
        let runs = self.figures.first().map_or(0, |figures| figures.watched.len());
        let mut table = format!(
            "What the gate adds to a request: medians of {runs} rounds in one run, {}\n\n\
             {:<24}{:>10}{:>11}{:>9}{:>13}{:>8}{:>10}{:>8}{:>8}{:>8}{:>9}{:>10}\n",
            self.browser,
            "ms per request",
            "at a time",
            "unwatched",
            "watched",
            "intercepted",
            "added",
            "dry run",
            "added",
            "live",
            "added",
            "at most",
            "of least"
        );
        for figures in &self.figures {
            let median = |series: &[f64]| spread(series).median;
            let [dry_run, live] = figures.bars();
            let most = match figures.held {
                Held::Yes => format!("{:>9.1}{:>10.2}", live.most, figures.of_the_least().figure),
                Held::No => format!("{:>9}{:>10}", "-", "-"),
            };
            let verdict = if figures.holds() { "" } else { "  DOES NOT HOLD" };
            let _ = writeln!(
                table,
                "{:<24}{:>10}{:>11.2}{:>9.2}{:>13.2}{:>8.2}{:>10.2}{:>8.2}{:>8.2}{:>8.2}{most}{verdict}",
                figures.name,
                figures.lanes,
                median(&figures.unwatched),
                median(&figures.watched),
                median(&figures.intercepted),
                figures.interception(),
                median(&figures.dry_run),
                dry_run.figure,
                median(&figures.live),
                live.figure
            );
        }
        let held = || self.figures.iter().filter(|figures| figures.held == Held::Yes);
        let least = held().map(|figures| figures.of_the_least().figure).fold(0.0, f64::max);
        let alone = |pause: Pause| {
            let some = held().filter(|figures| figures.pause == pause);
            some.map(GateFigures::interception).fold(0.0, f64::max)
        };
        let _ = writeln!(table, "\n{}", bars::of_the_server(self.rate).line());
        let _ = writeln!(table, "{}", bars::of_the_barrier(least).line());
        let _ = writeln!(
            table,
            "the browser's own interception adds up to {:.2} ms to what pauses and {:.2} ms to what does not",
            alone(Pause::Yes),
            alone(Pause::No)
        );
        table
    }

    fn lines(&self) -> Vec<Value> {
        let line = |figures: &GateFigures| {
            let ms = |series: &[f64]| rounded(spread(series).median, 1000.0);
            let [dry_run, live] = figures.bars();
            json!({
                "bench": "gate",
                "request": figures.name,
                "atATime": figures.lanes,
                "pauses": figures.pause == Pause::Yes,
                "browser": self.browser,
                "serverRequestsPerSecond": rounded(self.rate, 1.0),
                "unwatchedMs": ms(&figures.unwatched),
                "watchedMs": ms(&figures.watched),
                "interceptedMs": ms(&figures.intercepted),
                "interceptionAddedMs": rounded(figures.interception(), 1000.0),
                "ofTheLeastBarrier": rounded(figures.of_the_least().figure, 1000.0),
                "dryRunMs": ms(&figures.dry_run),
                "dryRunAddedMs": rounded(dry_run.figure, 1000.0),
                "liveMs": ms(&figures.live),
                "liveAddedMs": rounded(live.figure, 1000.0),
                "liveAddedToUnwatchedMs": rounded(median_difference(&figures.live, &figures.unwatched), 1000.0),
                "bar": (figures.held == Held::Yes).then_some(live.most),
                "holds": figures.holds(),
                "runs": figures.watched.len(),
            })
        };
        self.figures.iter().map(line).collect()
    }

    fn holds(&self) -> bool {
        self.figures.iter().all(GateFigures::holds) && bars::of_the_server(self.rate).holds()
    }
}

/// Whether a figure is held to a bar, or told for information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Held {
    #[default]
    Yes,
    No,
}

/// One load: how much of it a second, round by round.
#[derive(Debug, Clone, Default)]
pub(crate) struct ThroughputFigures {
    /// What was moved.
    pub(crate) name: &'static str,
    /// `MB/s`, `requests/s`.
    pub(crate) unit: &'static str,
    pub(crate) held: Held,
    /// Without the proxy.
    pub(crate) direct: Vec<f64>,
    /// Through the proxy.
    pub(crate) through: Vec<f64>,
}

impl ThroughputFigures {
    fn floor(&self) -> Floor {
        bars::of_throughput(median_ratio(&self.through, &self.direct))
    }

    fn holds(&self) -> bool {
        self.held == Held::No || self.floor().holds()
    }
}

/// How much goes through the proxy.
#[derive(Debug, Clone)]
pub(crate) struct Throughput {
    /// The browser that asked.
    pub(crate) browser: String,
    /// Load by load.
    pub(crate) figures: Vec<ThroughputFigures>,
}

impl Report for Throughput {
    fn table(&self) -> String {
        let runs = self.figures.first().map_or(0, |figures| figures.direct.len());
        let mut table = format!(
            "How much goes through the proxy: medians of {runs} rounds in one run, {}\n\n\
             {:<30}{:>12}{:>10}{:>10}{:>8}{:>10}\n",
            self.browser, "", "", "direct", "proxy", "ratio", "at least"
        );
        for figures in &self.figures {
            let (direct, through) = (spread(&figures.direct).median, spread(&figures.through).median);
            let floor = figures.floor();
            let bar = match figures.held {
                Held::Yes if floor.holds() => format!("{:>10.1}", floor.least),
                Held::Yes => format!("{:>10.1}  DOES NOT HOLD", floor.least),
                Held::No => format!("{:>10}", "-"),
            };
            let _ = writeln!(
                table,
                "{:<30}{:>12}{direct:>10.0}{through:>10.0}{:>8.2}{bar}",
                figures.name, figures.unit, floor.figure
            );
        }
        table
    }

    fn lines(&self) -> Vec<Value> {
        let line = |figures: &ThroughputFigures| {
            let floor = figures.floor();
            json!({
                "bench": "throughput",
                "load": figures.name,
                "unit": figures.unit,
                "browser": self.browser,
                "direct": rounded(spread(&figures.direct).median, 1.0),
                "through": rounded(spread(&figures.through).median, 1.0),
                "ratio": rounded(floor.figure, 1000.0),
                "bar": (figures.held == Held::Yes).then_some(floor.least),
                "holds": figures.holds(),
                "runs": figures.direct.len(),
            })
        };
        self.figures.iter().map(line).collect()
    }

    fn holds(&self) -> bool {
        self.figures.iter().all(ThroughputFigures::holds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(pause: Pause, added: f64, rate: f64) -> GateCosts {
        let figures = GateFigures {
            name: "fetch, GET",
            lanes: 6,
            pause,
            held: Held::Yes,
            unwatched: vec![0.5, 1.0, 8.0],
            watched: vec![1.0, 2.0, 9.0],
            intercepted: vec![1.0 + added, 2.0 + added, 9.0],
            dry_run: vec![1.0 + added, 2.0 + added, 9.0],
            live: vec![1.1, 2.1, 9.1],
        };
        GateCosts { browser: "Chrome/1".into(), rate, figures: vec![figures] }
    }

    #[test]
    fn what_pauses_may_cost_more_than_what_does_not() {
        assert!(costs(Pause::Yes, 0.79, 5000.0).holds() && !costs(Pause::Yes, 0.81, 5000.0).holds());
        assert!(costs(Pause::No, 0.29, 5000.0).holds() && !costs(Pause::No, 0.31, 5000.0).holds());
    }

    #[test]
    fn a_slow_server_shows_nothing() {
        let slow = costs(Pause::Yes, 0.1, 4999.0);
        assert!(!slow.holds());
        assert!(
            slow.table().contains("\nrequests/s of the server: 4999.0, at least 5000.0: DOES NOT HOLD\n")
        );
        assert_eq!(slow.lines()[0]["dryRunAddedMs"], 0.1);
    }

    #[test]
    fn the_proxy_is_held_to_the_direct_way() {
        let of = |through: f64, held| {
            let figures = ThroughputFigures {
                name: "64 MiB",
                unit: "MB/s",
                held,
                direct: vec![100.0],
                through: vec![through],
            };
            Throughput { browser: "Chrome/1".into(), figures: vec![figures] }
        };
        assert!(of(70.0, Held::Yes).holds() && !of(69.0, Held::Yes).holds() && of(1.0, Held::No).holds());
        assert!(of(69.0, Held::Yes).table().contains("0.69       0.7  DOES NOT HOLD"));
        assert_eq!(of(70.0, Held::Yes).lines()[0]["ratio"], 0.7);
    }
}
