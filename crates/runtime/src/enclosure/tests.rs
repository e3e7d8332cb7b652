//! Places with a real Chromium whose way out ends under their pages.

use std::time::Duration;

use legwork_browser::LaunchOptions;
use legwork_testkit::{Hit, Site, wait_until_async};
use legwork_types::{PageUrl, contract::SessionId};

use super::*;
use crate::{Approvals, BrowserSource, USUAL_LIFE, WireSettings, start::Starter};

const LONG: Duration = Duration::from_secs(60);

/// Asks again and again, for its own host and for this machine by its other names, in every way that is left; its title says how it goes.
const POLLING: &str = r#"<!doctype html><title>start</title><script>
let came = 0, failed = 0;
const others = ["127.0.0.1", "localhost", "[::1]"].map(host => `http://${host}:${location.port}`);
const round = async () => {
  const asked = [location.origin, ...others].map(origin => fetch(origin + "/poll", { mode: "no-cors", cache: "no-store" }));
  const settled = await Promise.allSettled(asked);
  if (settled.some(one => one.status === "fulfilled")) came++; else failed++;
  new Image().src = others[1] + "/picture?" + failed;
  document.title = failed ? `failed ${failed >= 20 ? "often" : failed}` : `came ${came >= 3 ? "often" : came}`;
  setTimeout(round, 10);
};
round();
</script><img src="/slow">"#;

async fn until_titled(context: &Context, title: &str) {
    wait_until_async(LONG, title, async || {
        let tabs = context.tabs(&Limit::within(LONG)).await.unwrap();
        tabs.iter().any(|tab| tab.title == title)
    })
    .await;
}

#[tokio::test]
async fn without_its_way_out_a_page_reaches_nobody() {
    let site = Site::builder().page("/", POLLING).page("/poll", "here").start().await;
    let limit = Limit::within(LONG);
    let mut starter = Starter::new(BrowserSource::Launch(LaunchOptions::default()), None, |_| {});
    let browser = starter.start(&limit).await.unwrap();
    let reach = Reach { private: site.grants(), ..Reach::default() };
    let settings = Arc::new(WireSettings { reach, ..WireSettings::default() });
    let desk = Arc::new(Approvals::new(USUAL_LIFE));
    let gate = Gate::new(SessionId("s".into()), desk, settings, Arc::default(), Arc::default());
    let mut enclosure = starter.enclose(&browser, gate, &ContextOptions::default(), &limit).await.unwrap();
    let tab = enclosure.context.active_tab(&limit).await.unwrap();
    tab.navigate(&PageUrl::parse(&site.url("/")).unwrap(), &limit).await.unwrap();
    // The twin: as long as there is a way, it leads there.
    until_titled(&enclosure.context, "came often").await;
    assert!(!site.hits_of("/poll").is_empty());

    enclosure._door.take().expect("a door of its own").close().await;
    let hits = || site.hits().iter().map(|hit: &Hit| hit.path.clone()).collect::<Vec<_>>();
    let before = hits().len();
    until_titled(&enclosure.context, "failed often").await;
    let gone = tab.navigate(&PageUrl::parse(&site.url("/")).unwrap(), &limit).await;
    assert!(gone.is_err(), "{gone:?}");
    assert_eq!(hits()[before..], [""; 0]);
    enclosure.close(&limit).await.unwrap();
    browser.close().await;
}

#[tokio::test]
async fn a_listed_page_opens_a_socket_to_its_own_host_when_it_is_live() {
    const PAGE: &str = r#"<!doctype html><title>start</title><script>
const opened = () => { try { return new WebSocket(`ws://${location.host}/socket`) } catch { return null } };
const socket = opened();
const done = () => { document.title = "done" };
if (socket === null) done(); else socket.onerror = socket.onopen = done;
</script>"#;
    let site = Site::builder().page("/", PAGE).page("/socket", "not yet").start().await;
    let limit = Limit::within(LONG);
    let mut starter = Starter::new(BrowserSource::Launch(LaunchOptions::default()), None, |_| {});
    let browser = starter.start(&limit).await.unwrap();
    let origin = site.url("/").trim_end_matches('/').to_owned();
    for (mode, sockets, hits) in
        [(Mode::DryRun, vec![origin.clone()], 0), (Mode::Live, vec![], 0), (Mode::Live, vec![origin], 1)]
    {
        let reach = Reach { private: site.grants(), ..Reach::default() };
        let settings = Arc::new(WireSettings { reach, mode, sockets, ..WireSettings::default() });
        let desk = Arc::new(Approvals::new(USUAL_LIFE));
        let gate = Gate::new(SessionId("s".into()), desk, settings, Arc::default(), Arc::default());
        let enclosure = starter.enclose(&browser, gate, &ContextOptions::default(), &limit).await.unwrap();
        let tab = enclosure.context.active_tab(&limit).await.unwrap();
        tab.navigate(&PageUrl::parse(&site.url("/")).unwrap(), &limit).await.unwrap();
        until_titled(&enclosure.context, "done").await;
        assert_eq!(site.hits_of("/socket").len(), hits, "{mode:?}");
        enclosure.close(&limit).await.unwrap();
    }
    browser.close().await;
}
