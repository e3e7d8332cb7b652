//! One whole observation, page by page, against yardsticks that are measured in the same browser and the same rounds.

pub(crate) mod memory;

mod docs;
pub(crate) mod subject;
mod yardsticks;

use std::time::{Duration, Instant};

use legwork_browser::{Browser, Context, ContextOptions, LaunchOptions, Limit, Tab};
use legwork_testkit::{Site, bench_pages};
use legwork_types::PageUrl;

use crate::{
    report::{Observations, PageFigures},
    start::milliseconds,
    tokens,
};

/// Rounds that are run and not counted.
const WARM_UP: usize = 2;
/// Far beyond what any of them takes.
const PATIENCE: Duration = Duration::from_secs(120);
/// The page whose controls are listed by paging.
const LISTED: &str = "shop150";

/// Measures `runs` rounds on each page. In a round each is asked once, in [`order`].
pub(crate) fn measure(runs: usize) -> anyhow::Result<Observations> {
    let site = Site::builder().bench_pages().folder("/doc", docs::folder()).start_blocking();
    let memory = memory::measure(&site)?;
    let inner = |path: &str| path.starts_with("/inner/");
    let made = bench_pages().into_iter().filter(|page| !inner(page.path));
    let made = made.map(|page| (page.name.to_owned(), page.path.to_owned()));
    let pages: Vec<(String, String)> = made.chain(docs::pages()).collect();

    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let Opened { browser, context: _context, tab } = open().await?;
        let mut figures = Vec::new();
        let mut listing = Vec::new();
        for (name, path) in pages {
            go(&tab, &site.url(&path)).await?;
            let is_listed = name == LISTED;
            figures.push(measure_page(&tab, name, runs).await?);
            if is_listed {
                listing = subject::whole_listing(&tab, &patience()).await?;
            }
        }
        let product = browser.product().to_owned();
        browser.close().await;
        Ok(Observations {
            browser: product,
            walk_sha256: yardsticks::bare_walk_sha256(),
            pages: figures,
            listing_tokens: listing.iter().map(|page| tokens::count(&page.text)).sum(),
            memory,
        })
    })
}

async fn measure_page(tab: &Tab, name: String, runs: usize) -> anyhow::Result<PageFigures> {
    let began = Instant::now();
    let observed = subject::whole_observation(tab, &patience()).await?;
    let first = milliseconds(began.elapsed());
    let mut figures =
        PageFigures { name, first, tokens: tokens::count(&observed.text), ..PageFigures::default() };
    for round in 0..WARM_UP + runs {
        for asked in order(round) {
            let limit = patience();
            let began = Instant::now();
            // The clock stops when the answer is here, before anything of a yardstick's is read.
            let (series, took) = match asked {
                Asked::BareWalk => {
                    let walk = yardsticks::bare_walk(tab, &limit).await?;
                    let took = began.elapsed();
                    figures.controls = yardsticks::controls(&walk)?;
                    (&mut figures.walk, took)
                }
                Asked::Snapshot => {
                    yardsticks::dom_snapshot(tab, &limit).await?;
                    (&mut figures.snapshot, began.elapsed())
                }
                Asked::Tree => {
                    yardsticks::accessibility_tree(tab, &limit).await?;
                    (&mut figures.tree, began.elapsed())
                }
                Asked::Legwork => {
                    subject::whole_observation(tab, &limit).await?;
                    (&mut figures.legwork, began.elapsed())
                }
            };
            if round >= WARM_UP {
                series.push(milliseconds(took));
            }
        }
    }
    Ok(figures)
}

/// Who is asked about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    BareWalk,
    Snapshot,
    Tree,
    Legwork,
}

/// Each round begins with the next one, and every other round goes backwards: a busy moment of the machine strikes all
/// alike, and nobody always comes after the same one, whose rubbish it would clear.
fn order(round: usize) -> [Asked; 4] {
    let mut order = [Asked::BareWalk, Asked::Snapshot, Asked::Tree, Asked::Legwork];
    order.rotate_left(round / 2 % 4);
    if round % 2 == 1 {
        order.reverse();
    }
    order
}

/// A browser with one tab. The context lives as long as it.
pub(crate) struct Opened {
    pub(crate) browser: Browser,
    pub(crate) context: Context,
    pub(crate) tab: Tab,
}

/// Opens a browser and a tab in it.
pub(crate) async fn open() -> anyhow::Result<Opened> {
    let limit = patience();
    let browser = Browser::launch(&LaunchOptions::default(), &limit).await?;
    let context = browser.new_context(&ContextOptions::default(), &limit).await?;
    let tab = context.active_tab(&limit).await?;
    Ok(Opened { browser, context, tab })
}

/// Goes to a page and waits until it loads nothing any more.
pub(crate) async fn go(tab: &Tab, url: &str) -> anyhow::Result<()> {
    let limit = patience();
    tab.navigate(&PageUrl::parse(url)?, &limit).await?;
    anyhow::ensure!(tab.loaded(&limit).await, "{url} did not load");
    Ok(())
}

pub(crate) fn patience() -> Limit {
    Limit::within(PATIENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_eight_rounds_each_is_first_and_last_equally_often() {
        for asked in order(0) {
            let count = |place: usize| (0..8).filter(|round| order(*round)[place] == asked).count();
            assert_eq!([0, 1, 2, 3].map(count), [2, 2, 2, 2], "{asked:?}");
        }
    }
}
