//! With a real Chromium on pages of two sites: every fault is a typed result in time, and the next command works.

mod act;
mod capture;
mod contexts;
mod cycles;
mod dialogs;
mod downloads;
mod effects;
mod faults;
mod foreign;
mod frame_dialogs;
mod frames;
mod marks;
mod navigation;
mod oracle;
mod prompts;
mod saved_passwords;
mod shared;
mod tabs;
mod traps;
mod wire;

use std::{
    ffi::OsString,
    sync::Arc,
    time::{Duration, Instant},
};

use legwork_cdp::protocol::runtime;
use legwork_testkit::{Site, SomebodysBrowser};
use legwork_types::PageUrl;
use rustix::process::{Pid, Signal, kill_process};

use crate::*;

use shared::Lent;

/// A site, a browser and a context on it.
struct Stage {
    site: Site,
    context: Context,
    browser: Lent,
}

/// Lets everything go: for tests of what is not about the wire.
#[derive(Debug)]
struct Everything;

impl Barrier for Everything {
    fn rule(&self, _: Ticket, _: &legwork_types::Outgoing) -> Ruling {
        Ruling::Go
    }

    fn given_up(&self, _: Ticket, _: GivenUp) {}

    fn admits_unclaimed(&self, _: &legwork_types::Outgoing) -> bool {
        true
    }
}

/// Long enough for a busy machine; nothing waits for it to pass.
fn soon() -> Limit {
    Limit::within(Duration::from_secs(20))
}

impl Stage {
    /// In the browser that tests share: for whoever does nothing to more than its own pages.
    async fn new() -> Self {
        Self::on(Site::start().await).await
    }

    async fn on(site: Site) -> Self {
        Self::of(site, Lent::shared().await).await
    }

    /// In the shared browser, when there is room for much work.
    async fn in_turn(site: Site) -> Self {
        Self::of(site, Lent::in_turn().await).await
    }

    /// In a browser of its own.
    async fn alone() -> Self {
        Self::with(Site::start().await, &[]).await
    }

    async fn with(site: Site, flags: &[&str]) -> Self {
        let extra_flags = flags.iter().map(OsString::from).collect();
        let options = LaunchOptions { extra_flags, ..LaunchOptions::default() };
        Self::of(site, Lent::own(&options).await).await
    }

    /// In a browser that somebody else started, where people may press too.
    async fn in_browser_of(somebodys: &SomebodysBrowser) -> Self {
        let mut endpoints = Endpoints::new(vec![somebodys.ws_url().parse().unwrap()]);
        let browser = Browser::connect(&mut endpoints, &soon(), &mut |_| {}).await.expect("it answers");
        Self::of(Site::start().await, browser.into()).await
    }

    async fn of(site: Site, browser: Lent) -> Self {
        let barrier = Arc::new(Everything);
        let sockets = vec![site.here(), site.other()];
        let options = ContextOptions { barrier, sockets, ..ContextOptions::default() };
        let context = browser.new_context(&options, &soon()).await.unwrap();
        Self { site, context, browser }
    }

    fn page(&self, path: &str) -> PageUrl {
        PageUrl::parse(&self.site.url(path)).unwrap()
    }

    async fn tab(&self) -> Tab {
        self.context.active_tab(&soon()).await.expect("there is a tab")
    }

    async fn goes_to(&self, path: &str, limit: Duration) -> Result<Landing, BrowserError> {
        let tab = self.tab().await;
        let begun = Instant::now();
        let outcome = tab.navigate(&self.page(path), &Limit::within(limit)).await;
        let took = begun.elapsed();
        assert!(took <= limit + Duration::from_millis(500), "{path} took {took:?} of {limit:?}");
        outcome
    }

    /// The tab in front, at a page of the site.
    async fn at(&self, path: &str) -> Tab {
        let tab = self.tab().await;
        tab.navigate(&self.page(path), &soon()).await.expect("the page opens");
        tab
    }

    /// The proof that the next command works.
    async fn still_works(&self) {
        let landing =
            self.goes_to("/pages/plain.html", Duration::from_secs(20)).await.expect("the next page opens");
        assert_eq!(landing.title, "Plain page");
        assert!(self.tab().await.screenshot(&soon()).await.expect("the next picture is taken").len() > 1000);
    }

    async fn saw(&self, wanted: impl Fn(&Happening) -> bool) -> bool {
        self.context.happenings(0).await.unwrap().iter().any(|recorded| wanted(&recorded.what))
    }

    async fn end(self) {
        let profile = self.browser.profile().unwrap();
        drop(self.context);
        if !self.browser.close().await {
            return;
        }
        let folder = profile.parent().unwrap();
        let left = legwork_testkit::processes_naming(folder.to_str().unwrap());
        assert!(left.is_empty(), "processes stayed: {left:?}");
        assert!(!folder.exists(), "the temporary folder stayed");
    }
}

/// Runs a script in the main frame as a person's gesture would, in the page's own world.
async fn gesture(tab: &Tab, expression: &str) -> Result<(), BrowserError> {
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Gesture<'a> {
        expression: &'a str,
        user_gesture: bool,
    }
    impl legwork_cdp::Command for Gesture<'_> {
        const METHOD: &'static str = "Runtime.evaluate";
    }
    tab.call(&Gesture { expression, user_gesture: true }, "a gesture", &soon()).await.map(drop)
}

/// Reads a value in the main frame.
async fn read<T: for<'a> serde::Deserialize<'a>>(tab: &Tab, expression: &str) -> T {
    let main = tab.frames().await.unwrap()[0].id.clone();
    tab.value(&main, expression, &soon()).await.unwrap()
}

/// Waits for a condition on the page; the limit is the failure.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    legwork_testkit::wait_until_async(Duration::from_secs(20), what, async || holds().await).await;
}

fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).expect("the process is there");
}

/// The browser's helpers of one kind, by their command line.
fn helpers(browser: u32, kind: &str) -> Vec<u32> {
    let all = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let group = |pid: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        fields.get(2).and_then(|group| group.parse::<u32>().ok())
    };
    let line = |pid: u32| std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let is_kind = |pid: u32| String::from_utf8_lossy(&line(pid)).contains(kind);
    all.filter(|pid: &u32| group(*pid) == Some(browser) && is_kind(*pid)).collect()
}

/// Has the process of a page end abruptly.
#[derive(serde::Serialize)]
struct Crash {}

impl legwork_cdp::Command for Crash {
    const METHOD: &'static str = "Page.crash";
}

/// A script that never ends, sent on its way without waiting for it.
fn hang(tab: &Tab) -> legwork_cdp::Posted {
    let endless = runtime::Evaluate {
        expression: "for (;;);",
        context_id: None,
        return_by_value: true,
        await_promise: false,
    };
    tab.link.post(Some(&tab.session()), &endless).unwrap()
}
