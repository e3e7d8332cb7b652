//! Records a look at a page as a fixture for the pure core.
//!
//! `record_capture ADDRESS OUT.json`, where the address is one of the web, `page:NAME` for one of the difficult pages
//! (without `.html`) or `bench:NAME` for one of the benchmark.
#![allow(clippy::expect_used, clippy::panic)]

#[path = "../src/tests/capture/recording.rs"]
mod recording;

use std::{env, fs, time::Duration};

use legwork_browser::{Browser, CaptureOptions, ContextOptions, LaunchOptions, Limit};
use legwork_testkit::{Site, bench_pages};
use legwork_types::PageUrl;

#[tokio::main]
async fn main() {
    let mut arguments = env::args().skip(1);
    let (Some(address), Some(out)) = (arguments.next(), arguments.next()) else {
        panic!("usage: record_capture ADDRESS|page:NAME|bench:NAME OUT.json");
    };
    let limit = Limit::within(Duration::from_secs(60));
    let site = Site::builder().bench_pages().start().await;
    let address = match address.split_once(':') {
        Some(("page", name)) => site.url(&format!("/pages/{name}.html")),
        Some(("bench", name)) => {
            let page = bench_pages().into_iter().find(|page| page.name == name);
            site.url(page.expect("a page of the benchmark").path)
        }
        _ => address,
    };
    let browser = Browser::launch(&LaunchOptions::default(), &limit).await.expect("the browser starts");
    let options = ContextOptions::default();
    let context = browser.new_context(&options, &limit).await.expect("a context");
    let tab = context.active_tab(&limit).await.expect("a tab");
    let address = PageUrl::parse(&address).expect("an address");
    tab.navigate(&address, &limit).await.expect("the page opens");
    tab.loaded(&limit).await;
    let look = tab.capture(&CaptureOptions::default(), &limit).await.expect("the page can be looked at");
    let page = recording::stable(&look.page, &site.here(), &site.other());
    fs::write(out, recording::written(&page)).expect("the fixture can be written");
    browser.close().await;
}
