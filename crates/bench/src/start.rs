//! Start to first accessibility tree: from nothing to the parsed tree of a small page, against the raw script.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::ensure;
use legwork_browser::{Browser, ContextOptions, LaunchOptions, find_browser};
use legwork_cdp::Limit;
use legwork_testkit::Site;
use legwork_types::PageUrl;
use serde_json::Value;

use crate::{raw, report::Comparison};

/// Legwork may take so many times as long as the raw script.
const BAR: f64 = 1.25;
/// Pairs that are run and not counted: they bring the browser's files into memory.
const WARM_UP: usize = 2;
/// Far beyond what a start takes.
const PATIENCE: Duration = Duration::from_secs(60);

const PARTS: [&str; 5] = ["launch", "context", "tab", "navigate", "tree"];

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
    let url = PageUrl::parse(&site.url("/small"))?;

    let mut comparison = Comparison {
        bench: "start_to_first_ax_tree",
        title: "Start to first accessibility tree",
        bar: BAR,
        parts: PARTS.map(|name| (name, Vec::new())).into(),
        ..Comparison::default()
    };
    for pair in 0..WARM_UP + runs {
        let (through_legwork, by_script) = if pair % 2 == 0 {
            let through_legwork = through_legwork(&binary, &url)?;
            (through_legwork, raw::start_to_first_tree(&binary, url.as_str())?)
        } else {
            let by_script = raw::start_to_first_tree(&binary, url.as_str())?;
            (through_legwork(&binary, &url)?, by_script)
        };
        if pair < WARM_UP {
            comparison.browser = through_legwork.browser;
            continue;
        }
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
    parts: [Duration; 5],
}

fn through_legwork(binary: &Path, url: &PageUrl) -> anyhow::Result<Start> {
    let began = Instant::now();
    // A runtime per start, on the clock: a program that begins with nothing has none yet.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let limit = Limit::within(PATIENCE);
        let options = LaunchOptions { binary: Some(binary.to_owned()), ..LaunchOptions::default() };
        let browser = Browser::launch(&options, &limit).await?;
        let launched = Instant::now();
        let site = url.as_url();
        let granted = format!("{}:{}", site.host_str().unwrap_or_default(), site.port().unwrap_or_default());
        let options = ContextOptions { allow_private: vec![granted.parse()?], ..ContextOptions::default() };
        let context = browser.new_context(&options, &limit).await?;
        let opened = Instant::now();
        let tab = context.active_tab(&limit).await?;
        let ready = Instant::now();
        tab.navigate(url, &limit).await?;
        let landed = Instant::now();
        let tree: Value = tab.accessibility_tree(&limit).await?.read()?;
        let done = Instant::now();

        ensure!(is_of_the_page(&tree), "the tree is not that of the page");
        let name = browser.product().to_owned();
        browser.close().await;
        let parts = [launched - began, opened - launched, ready - opened, landed - ready, done - landed];
        Ok(Start { browser: name, parts })
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
