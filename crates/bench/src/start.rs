//! Start to first accessibility tree: from nothing to the parsed tree of a small page, with everything that stands between pages and
//! the network, against the raw script.

use std::{
    path::Path,
    sync::mpsc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use legwork_browser::find_browser;
use legwork_runtime::{BrowserSource, Keeper, KeeperEvent, LaunchOptions, Limit, Reach, SelfTest};
use legwork_testkit::Site;
use legwork_types::{HostPort, PageUrl};
use serde_json::Value;

use crate::{raw, report::Comparison};

/// Legwork may take so many times as long as the raw script.
const BAR: f64 = 1.25;
/// Pairs that are run and not counted: they bring the browser's files into memory.
const WARM_UP: usize = 2;
/// Far beyond what a start takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The process and that its flags are known to hold; a place of its own with its proxy, its barrier, a tab and the proof that its traffic
/// comes by; the page; its tree.
const PARTS: [&str; 4] = ["launch", "place", "navigate", "tree"];

const PAGE: &str = r#"<!doctype html>
<meta charset="utf-8">
<title>A small form</title>
<h1>Order a sandwich</h1>
<form>
  <label>Name <input name="name"></label>
  <label>Bread <select name="bread"><option>Rye<option>Wheat<option>Corn</select></label>
  <label><input type="checkbox" name="cheese"> With cheese</label>
  <button>Order</button>
</form>
<ul><li><a href="/menu">Menu</a><li><a href="/about">About us</a></ul>
"#;

/// Measures `runs` pairs. Within a pair the two follow each other, and every other pair begins with the other one, so
/// that a busy moment of the machine strikes both alike.
pub(crate) fn measure(runs: usize) -> anyhow::Result<Comparison> {
    let binary = find_browser(None)?.path;
    let site = Site::builder().page("/small", PAGE).start_blocking();
    let (url, grants) = (PageUrl::parse(&site.url("/small"))?, site.grants());

    let mut comparison = Comparison {
        bench: "start_to_first_ax_tree",
        title: "Start to first accessibility tree",
        bar: BAR,
        parts: PARTS.map(|name| (name, Vec::new())).into(),
        ..Comparison::default()
    };
    for pair in 0..WARM_UP + runs {
        let (through_legwork, by_script) = if pair % 2 == 0 {
            let through_legwork = through_legwork(&binary, &url, &grants)?;
            (through_legwork, raw::start_to_first_tree(&binary, url.as_str())?)
        } else {
            let by_script = raw::start_to_first_tree(&binary, url.as_str())?;
            (through_legwork(&binary, &url, &grants)?, by_script)
        };
        if pair < WARM_UP {
            comparison.browser = through_legwork.browser;
            continue;
        }
        // Done once for a browser, not at every start.
        let is_known = matches!(through_legwork.self_test, SelfTest::PassedEarlier { .. });
        ensure!(is_known, "the flags were tested again: their verdict is not kept");
        comparison.legwork.push(milliseconds(through_legwork.parts.iter().sum()));
        comparison.raw.push(milliseconds(by_script));
        for ((_, series), took) in comparison.parts.iter_mut().zip(through_legwork.parts) {
            series.push(milliseconds(took));
        }
    }
    Ok(comparison)
}

/// One start through Legwork.
struct Start {
    browser: String,
    /// How long each of [`PARTS`] took. Together they are the whole: the clock is never stopped in between.
    parts: [Duration; 4],
    self_test: SelfTest,
}

/// As every command starts a browser: with its proxy and its barrier, and with the proof that both hold before anything is opened.
fn through_legwork(binary: &Path, url: &PageUrl, grants: &[HostPort]) -> anyhow::Result<Start> {
    let began = Instant::now();
    // A runtime per start, on the clock: a program that begins with nothing has none yet.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let limit = Limit::within(PATIENCE);
        let options = LaunchOptions { binary: Some(binary.to_owned()), ..LaunchOptions::default() };
        let reach = Reach { private: grants.to_vec(), ..Reach::default() };
        let (tell, told) = mpsc::channel();
        let keeper = Keeper::new(BrowserSource::Launch(options), reach, move |event| {
            let _ = tell.send((Instant::now(), event));
        });
        let tab = keeper.page(&limit).await?;
        let ready = Instant::now();
        tab.navigate(url, &limit).await?;
        let landed = Instant::now();
        let tree: Value = tab.accessibility_tree(&limit).await?.read()?;
        let done = Instant::now();

        ensure!(is_of_the_page(&tree), "the tree is not that of the page");
        let (mut launched, mut self_test) = (None, None);
        for (at, event) in told.try_iter() {
            match event {
                KeeperEvent::Started { .. } => launched = Some(at),
                KeeperEvent::SelfTest(test) => self_test = Some(test),
                _ => {}
            }
        }
        let launched = launched.context("it was not told that the browser started")?;
        let self_test = self_test.context("it was not told that the browser's flags hold")?;
        let browser = keeper.product().await.unwrap_or_default();
        keeper.close().await;
        let parts = [launched - began, ready - launched, landed - ready, done - landed];
        Ok(Start { browser, parts, self_test })
    })
}

/// Whether the tree is that of the page and not of a blank one: both sides must have done the same work.
pub(crate) fn is_of_the_page(tree: &Value) -> bool {
    let named = |node: &Value| node["name"]["value"] == "Order a sandwich";
    tree["nodes"].as_array().is_some_and(|nodes| nodes.iter().any(named))
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
