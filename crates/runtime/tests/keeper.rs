//! The keeper with a real Chromium: one browser for all, a new one where the old one is gone, none left at the end.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use legwork_runtime::{
    AttemptError, BrowserError, BrowserSource, CancellationToken, ConnectEvent, Endpoints, Keeper,
    KeeperEvent, LaunchOptions, Limit, Profile, Reach, Tab, screenshot,
};
use legwork_testkit::{
    CdpStub, Site, SomebodysBrowser, TempHome,
    axum::{http::header, routing::get},
    chromium_processes, wait_until,
};
use legwork_types::{Code, HostPort, PageUrl, Problem};
use rustix::process::{Pid, Signal, kill_process};

/// Far beyond what any of these tests needs.
const LONG: Duration = Duration::from_secs(60);

fn limit() -> Limit {
    Limit::within(LONG)
}

/// A keeper with a profile of its own, by which its processes are found, and what it told.
struct Bench {
    keeper: Arc<Keeper>,
    events: Arc<Mutex<Vec<KeeperEvent>>>,
    home: TempHome,
}

impl Bench {
    fn new() -> Self {
        Self::granted(vec![])
    }

    /// One that may reach a site.
    fn on(site: &Site) -> Self {
        Self::granted(site.grants())
    }

    fn granted(private: Vec<HostPort>) -> Self {
        let home = TempHome::new();
        let profile = Profile::Persistent(home.path().join("profile"));
        let source = BrowserSource::Launch(LaunchOptions { profile, ..Default::default() });
        let events = Arc::new(Mutex::new(Vec::new()));
        let sink = events.clone();
        let keeper = Keeper::new(source, Reach { private, ..Reach::default() }, move |event| {
            sink.lock().unwrap().push(event)
        });
        Self { keeper: Arc::new(keeper), events, home }
    }

    fn profile(&self) -> PathBuf {
        self.home.path().join("profile")
    }

    /// The main processes of all browsers that were started, in order.
    fn started(&self) -> Vec<u32> {
        let started = |event: &KeeperEvent| match event {
            KeeperEvent::Started { pid, .. } => *pid,
            _ => None,
        };
        self.events.lock().unwrap().iter().filter_map(started).collect()
    }

    fn processes(&self) -> Vec<u32> {
        processes(&self.profile())
    }

    fn signal(&self, signal: Signal) {
        let pid = *self.started().last().unwrap();
        kill_process(Pid::from_raw(pid as i32).unwrap(), signal).unwrap();
    }
}

fn processes(profile: &Path) -> Vec<u32> {
    chromium_processes(profile.to_str().unwrap())
}

async fn go(tab: &Tab, url: &str) -> Result<String, BrowserError> {
    tab.navigate(&PageUrl::parse(url).unwrap(), &limit()).await.map(|landing| landing.title)
}

#[tokio::test]
async fn a_second_call_gets_the_same_tab_of_the_same_browser() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    assert!(bench.started().is_empty(), "nothing is started before it is needed");
    let first = bench.keeper.page(&limit()).await.unwrap();
    assert_eq!(go(&first, &site.url("/pages/plain.html")).await.unwrap(), "Plain page");
    let second = bench.keeper.page(&limit()).await.unwrap();
    assert_eq!((second.id(), second.url()), (first.id(), site.url("/pages/plain.html")));
    assert_eq!(bench.started().len(), 1);
    bench.keeper.close().await;
    assert_eq!(bench.processes(), [0u32; 0]);
}

#[tokio::test]
async fn two_first_calls_at_once_start_one_browser() {
    let bench = Bench::new();
    let (here, there) = (bench.keeper.clone(), bench.keeper.clone());
    let (one, other) = (limit(), limit());
    let (one, other) = tokio::join!(here.page(&one), there.page(&other));
    assert_eq!(one.unwrap().id(), other.unwrap().id());
    assert_eq!(bench.started().len(), 1);
    bench.keeper.close().await;
}

#[tokio::test]
async fn after_a_close_the_next_call_starts_anew_and_cookies_that_last_are_still_there() {
    let keep = get(|| async { ([(header::SET_COOKIE, "kept=yes; Max-Age=3600; Path=/")], "set") });
    let site = Site::builder().route("/keep", keep).start().await;
    let bench = Bench::on(&site);
    let tab = bench.keeper.page(&limit()).await.unwrap();
    go(&tab, &site.url("/keep")).await.unwrap();
    bench.keeper.close().await;
    assert_eq!(bench.processes(), [0u32; 0]);
    assert!(go(&tab, &site.url("/keep")).await.unwrap_err().is_lost());

    let tab = bench.keeper.page(&limit()).await.unwrap();
    go(&tab, &site.url("/cookie/show")).await.unwrap();
    let shown = site.hits_of("/cookie/show");
    assert_eq!(shown[0].header("cookie"), Some("kept=yes"));
    assert_eq!(bench.started().len(), 2);
    bench.keeper.close().await;
}

#[tokio::test]
async fn a_killed_browser_is_replaced_by_one_that_works() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    let tab = bench.keeper.page(&limit()).await.unwrap();
    go(&tab, &site.url("/pages/plain.html")).await.unwrap();
    bench.signal(Signal::KILL);
    wait_until(LONG, "the browser is dead", || bench.processes().is_empty());

    let lost = go(&tab, &site.url("/pages/tall.html")).await.unwrap_err();
    assert!(lost.is_lost() && lost.to_string().contains(&site.url("/pages/plain.html")), "{lost}");

    let tab = bench.keeper.page(&limit()).await.unwrap();
    assert_eq!(go(&tab, &site.url("/pages/plain.html")).await.unwrap(), "Plain page");
    assert_eq!(bench.started().len(), 2);
    let replaced = |event: &KeeperEvent| matches!(event, KeeperEvent::Replaced { url: Some(url), .. } if url.ends_with("plain.html"));
    assert!(bench.events.lock().unwrap().iter().any(replaced));
    bench.keeper.close().await;
}

#[tokio::test]
async fn a_browser_that_stopped_answering_is_replaced_and_ended() {
    let bench = Bench::new();
    bench.keeper.page(&limit()).await.unwrap();
    let deaf = bench.started()[0];
    bench.signal(Signal::STOP);
    let begun = Instant::now();
    bench.keeper.page(&limit()).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(bench.started().len(), 2);
    assert!(!bench.processes().contains(&deaf));
    bench.keeper.close().await;
    assert_eq!(bench.processes(), [0u32; 0]);
}

#[tokio::test]
async fn a_page_that_hangs_gives_way_to_another_in_the_same_browser() {
    let hang = "<!doctype html><title>Hang</title><script>onload = () => setTimeout(() => { while (true); })</script>";
    let site = Site::builder().page("/hang", hang).start().await;
    let bench = Bench::on(&site);
    let hung = bench.keeper.page(&limit()).await.unwrap();
    go(&hung, &site.url("/hang")).await.unwrap();
    let tab = bench.keeper.page(&limit()).await.unwrap();
    assert_ne!(tab.id(), hung.id());
    assert_eq!(go(&tab, &site.url("/pages/plain.html")).await.unwrap(), "Plain page");
    assert_eq!(bench.started().len(), 1);
    bench.keeper.close().await;
}

#[tokio::test]
async fn a_dropped_keeper_leaves_no_process() {
    let bench = Bench::new();
    bench.keeper.page(&limit()).await.unwrap();
    let profile = bench.profile();
    assert!(!processes(&profile).is_empty());
    let Bench { keeper, home: _home, .. } = bench;
    drop(keeper);
    assert_eq!(processes(&profile), [0u32; 0]);
}

#[tokio::test]
async fn the_way_over_the_endpoints_is_told_and_ends_in_an_error() {
    let stubs = [CdpStub::refusing(), CdpStub::refusing()];
    let list = stubs.iter().map(|stub| stub.http_url().parse().unwrap()).collect();
    let events = Arc::new(Mutex::new(Vec::new()));
    let sink = events.clone();
    let keeper =
        Keeper::new(BrowserSource::Endpoints(Endpoints::new(list)), Reach::default(), move |event| {
            sink.lock().unwrap().push(event);
        });
    let error = keeper.page(&limit()).await.err().expect("nobody listens there");
    assert_eq!(Problem::from(&error).code, Code::EndpointsExhausted);
    let cycle = ConnectEvent::EndpointCycle { attempt: 1, total: 2, error: AttemptError::ConnectionRefused };
    assert_eq!(*events.lock().unwrap(), [KeeperEvent::Endpoint(cycle)]);
}

#[tokio::test]
async fn a_lost_endpoint_is_followed_by_the_next_one_and_never_used_again() {
    let site = Site::start().await;
    let (first, second) = (SomebodysBrowser::start(), SomebodysBrowser::start());
    let (dead, expired) = (CdpStub::refusing(), CdpStub::status(401));
    let list = [first.ws_url(), &dead.ws_url(), &expired.ws_url(), second.ws_url()]
        .map(|address| address.parse().unwrap())
        .to_vec();
    let events = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&events);
    let source = BrowserSource::Endpoints(Endpoints::new(list));
    let keeper = Keeper::new(source, Reach { private: site.grants(), ..Reach::default() }, move |event| {
        sink.lock().unwrap().push(event)
    });
    let tab = keeper.page(&limit()).await.unwrap();
    assert_eq!(go(&tab, &site.url("/pages/plain.html")).await.unwrap(), "Plain page");
    drop(first);
    let tab = keeper.page(&limit()).await.unwrap();
    assert_eq!(go(&tab, &site.url("/pages/plain.html")).await.unwrap(), "Plain page");
    keeper.close().await;
    let error = keeper.page(&limit()).await.err().expect("no endpoint is left");
    assert_eq!(Problem::from(&error).code, Code::EndpointsExhausted);
    let told: Vec<String> = events.lock().unwrap().iter().map(|event| format!("{event:?}")).collect();
    let wanted = [
        "endpoint_index: 1, total: 4",
        "Started",
        "Replaced",
        "attempt: 2, total: 4, error: ConnectionRefused",
        "attempt: 3, total: 4, error: Status(401)",
        "endpoint_index: 4, total: 4",
        "Started",
    ];
    assert_eq!(told.len(), wanted.len(), "{told:?}");
    assert!(told.iter().zip(wanted).all(|(told, wanted)| told.contains(wanted)), "{told:?}");
}

#[tokio::test]
async fn a_picture_comes_through_questions_of_the_page() {
    let asks =
        "<!doctype html><title>Asks</title><script>confirm('Sure?'); prompt('Name?')</script><h1>Here</h1>";
    let site = Site::builder().page("/asks", asks).start().await;
    let bench = Bench::on(&site);
    let url = PageUrl::parse(&site.url("/asks")).unwrap();
    let shot = screenshot(&bench.keeper, &url, LONG, &CancellationToken::new()).await.unwrap();
    assert_eq!((shot.landing.url, shot.landing.title), (site.url("/asks"), "Asks".to_owned()));
    assert!(shot.jpeg.starts_with(&[0xff, 0xd8]) && shot.happenings.len() >= 2, "{:?}", shot.happenings);
    bench.keeper.close().await;
}

#[tokio::test]
async fn a_job_that_is_called_off_ends_soon_and_the_browser_stays() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    bench.keeper.page(&limit()).await.unwrap();
    let cancel = CancellationToken::new();
    let url = PageUrl::parse(&site.url("/no-answer")).unwrap();
    let asked = async {
        legwork_testkit::wait_until_async(LONG, "the request is there", async || {
            !site.hits_of("/no-answer").is_empty()
        })
        .await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(screenshot(&bench.keeper, &url, LONG, &cancel), asked);
    assert!(matches!(outcome, Err(BrowserError::Cancelled { .. })), "{outcome:?}");
    let tab = bench.keeper.page(&limit()).await.unwrap();
    assert_eq!(go(&tab, &site.url("/pages/plain.html")).await.unwrap(), "Plain page");
    assert_eq!(bench.started().len(), 1);
    bench.keeper.close().await;
}
