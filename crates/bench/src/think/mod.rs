//! What a turn of an errand takes besides the model: a hundred turns by a model that answers at once, against the same acts in the same
//! browser without loop, prompt, log and model.

mod clock;
pub(crate) mod errand;
mod steps;

use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use legwork_testkit::{
    Site, bench_pages,
    sites::{
        brain::Brain,
        vendor::{Vendor, VendorWire},
    },
};

use crate::report::{Thinking, TurnFigures};

use errand::{Pictures, Took};
use steps::Step;

pub(crate) use clock::EVERY;

/// Turns of an errand.
pub(crate) const TURNS: usize = 100;
/// Turns at the beginning of an errand that are not counted, except for the memory.
const WARM_UP: usize = 4;
/// The page that all of it happens on.
pub(crate) const PAGE: &str = "shop150";
/// An errand is run for so many of the pairs that were asked for.
const PAIRS: usize = 10;

/// Measures an errand without and one with pictures, for every ten runs.
pub(crate) fn measure(runs: usize) -> anyhow::Result<Thinking> {
    let site = Site::builder().bench_pages().start_blocking();
    let page = bench_pages().into_iter().find(|page| page.name == PAGE).context("the page is not there")?;
    let url = site.url(page.path);
    let mut thinking = Thinking { browser: String::new(), figures: vec![] };
    for pictures in [Pictures::Never, Pictures::Always] {
        thinking.figures.push(TurnFigures { pictures: pictures.name(), ..TurnFigures::default() });
    }
    for round in 0..(runs / PAIRS).max(1) {
        let order = match round % 2 {
            0 => [Pictures::Never, Pictures::Always],
            _ => [Pictures::Always, Pictures::Never],
        };
        for pictures in order {
            let took = run(pictures, &url)?;
            let of_these = |figures: &&mut TurnFigures| figures.pictures == pictures.name();
            if let Some(figures) = thinking.figures.iter_mut().find(of_these) {
                add(figures, &took);
            }
            thinking.browser = took.browser;
        }
    }
    Ok(thinking)
}

/// One errand in a fresh process: this one has the site and the vendor, whose books grow.
fn run(pictures: Pictures, page: &str) -> anyhow::Result<Took> {
    let vendor = Vendor::start(brain().script())?;
    let output = Command::new(std::env::current_exe()?)
        .args(["--errand", pictures.name(), page, &vendor.base_url(VendorWire::Anthropic)])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("the process of the errand could not be started")?;
    ensure!(output.status.success(), "the process of the errand failed: {}", output.status);
    let took: Took = serde_json::from_slice(&output.stdout)?;
    ensure!(took.whole.len() == TURNS, "{} turns were measured", took.whole.len());
    Ok(took)
}

fn add(figures: &mut TurnFigures, took: &Took) {
    for (all, more) in [
        (&mut figures.whole, &took.whole),
        (&mut figures.asking, &took.asking),
        (&mut figures.log, &took.log),
        (&mut figures.act, &took.act),
    ] {
        all.extend_from_slice(more.get(WARM_UP..).unwrap_or_default());
    }
    figures.memory.push(took.memory.clone());
}

/// The model: does it turn by turn, and says then that it is done.
fn brain() -> Brain {
    Brain {
        plan: "Tick the boxes one after the other, sort the list in between, and untick them again.".into(),
        success_criteria: "All boxes are ticked, and the list is sorted.".into(),
        steps: (1..=TURNS).map(|turn| Step::of_turn(turn).words()).collect(),
        shows: steps::shows(),
        says: "All boxes are ticked.".into(),
        ..Brain::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_turns_count_for_the_memory_alone() {
        let series = |from: u32| (0..TURNS as u32).map(|turn| f64::from(from + turn)).collect::<Vec<_>>();
        let took = Took {
            browser: "Chrome/1".into(),
            whole: series(100),
            asking: series(0),
            log: series(0),
            act: series(50),
            memory: vec![30.0, 31.0],
        };
        let mut figures = TurnFigures::default();
        add(&mut figures, &took);
        add(&mut figures, &took);
        assert_eq!((figures.whole.len(), figures.whole[0]), (2 * (TURNS - WARM_UP), 104.0));
        assert_eq!(figures.memory, [[30.0, 31.0], [30.0, 31.0]]);
    }
}
