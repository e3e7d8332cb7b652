//! Browsers that nobody vouches for, profiles that stay, and instances of Legwork that come while a page is open.

use std::sync::Arc;

use legwork_runtime::{
    Answer, BrowserSource, Caller, CancellationToken, EndpointTrust, Endpoints, Instance, LaunchOptions,
    Mode, OpenRequest, Profile, Reach, Rules, SessionSettings, Sessions, Vault, WhoConfirms, Wire,
    WireSettings,
};
use legwork_testkit::{
    Site, SomebodysBrowser, TempHome,
    axum::{response::Html, routing::post},
    wait_until_async,
};
use legwork_types::{Code, Details, PageUrl, Problem};
use serde_json::json;

use super::{
    obedient::{Answers, Obedient},
    stage::LONG,
};

const SHOP: &str = r#"<!doctype html><title>Shop</title>
<form action=/search><label>Search <input name=q></label><button>Find</button></form>
<form method=post action=/place-order><label>Name <input name=name></label>
<input type=hidden name=total value="48.00 EUR"><button>Place order and pay</button></form>
<form method=post action=/login><label>User <input name=user></label>
<label>Password <input type=password name=password></label><button>Sign in</button></form>
<button onclick="fetch('/api/checkout', {method: 'POST', headers: {'content-type': 'application/json'},
  body: JSON.stringify({total: 48})}).catch(() => {})">Next</button>"#;

fn shop() -> legwork_testkit::SiteBuilder {
    Site::builder()
        .page("/", SHOP)
        .page("/search", "<title>Found</title><p>Two roasts</p><a href=/>Home</a>")
        .route("/place-order", post(|| async { Html("<title>Thanks</title>") }))
        .route("/api/checkout", post(|| async { "done" }))
}

async fn endpoint_sessions(browser: &SomebodysBrowser, site: &Site, endpoints: EndpointTrust) -> Sessions {
    let reach = Reach { private: site.grants(), ..Reach::default() };
    let spec = format!("pw=cmd:echo top-secret@{}", site.here()).parse().unwrap();
    let vault = Arc::new(Vault::load(&[spec], &reach).await.unwrap());
    let who_confirms = WhoConfirms::Human;
    let wire = WireSettings { mode: Mode::Live, reach, who_confirms, endpoints, ..WireSettings::default() };
    let settings = SessionSettings {
        rules: Rules { who_confirms, uploads: vec![] },
        wire: Arc::new(wire),
        vault,
        ..SessionSettings::default()
    };
    let source = BrowserSource::Endpoints(Endpoints::new(vec![browser.ws_url().parse().unwrap()]));
    Sessions::new(source, settings, |_| {})
}

fn rule(problem: &Problem) -> Option<&str> {
    match problem.details.as_deref() {
        Some(Details::Rule { rule }) => Some(rule),
        _ => None,
    }
}

#[tokio::test]
async fn in_a_browser_that_nobody_vouches_for_nothing_is_settled_and_no_secret_is_typed() {
    let (site, browser) = (shop().start().await, SomebodysBrowser::start());
    let sessions = endpoint_sessions(&browser, &site, EndpointTrust::Degraded).await;
    let request =
        OpenRequest { url: Some(PageUrl::parse(&site.url("/")).unwrap()), ..OpenRequest::default() };
    let me = Caller::new("me");
    let opened = sessions.open(&me, request, &CancellationToken::new()).await.unwrap();
    assert_eq!(opened.wire, Wire::Degraded, "whoever opens it is told");

    let mut caller = Obedient::open(&sessions, &site.url("/"), Answers::None).await.unwrap();
    for order in [
        r#"fill "Name" with "Ada""#,
        r#"secret "pw" into "Password""#,
        r#"click "Place order and pay""#,
        r#"click "Next""#,
    ] {
        caller.follow(order).await;
    }
    let refused = caller.told.iter().find(|problem| problem.code == Code::SecretRefused).unwrap();
    assert_eq!(rule(refused), Some("degraded"));
    let refused = caller.told.iter().filter(|problem| problem.code == Code::BarrierUnproved).count();
    assert!(refused >= 2, "{:?}", caller.told);
    assert!(sessions.approvals().waiting().is_empty(), "nobody is asked what no yes could allow");
    // The twin: to read, to fill in, to search.
    let filled = caller.once(r#"fill "Search" with "roast""#, &json!({})).await.unwrap();
    let searched = caller.once(r#"click "Find""#, &json!({})).await.unwrap();
    assert!(filled.is_ok() && searched.is_ok(), "{:?} {:?}", filled.error, searched.error);
    assert_eq!(site.hits_of("/search").len(), 1);
    sessions.shut().await;
    assert_eq!((site.hits_of("/place-order").len(), site.hits_of("/api/checkout").len()), (0, 0));
}

#[tokio::test]
async fn in_a_browser_that_the_operator_vouches_for_a_yes_counts() {
    let (site, browser) = (shop().start().await, SomebodysBrowser::start());
    let sessions = endpoint_sessions(&browser, &site, EndpointTrust::Trusted).await;
    let approvals = sessions.approvals().clone();
    let person = tokio::spawn(async move {
        let mut changes = approvals.changes();
        loop {
            for asked in approvals.waiting() {
                let _ = approvals.answer(&asked.id, Answer::Yes);
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    });
    let mut caller = Obedient::open(&sessions, &site.url("/"), Answers::Yes).await.unwrap();
    let typed = caller.once(r#"secret "pw" into "Password""#, &json!({})).await.unwrap();
    assert!(typed.is_ok(), "{:?}", typed.error);
    caller.follow(r#"fill "Name" with "Ada""#).await;
    caller.follow(r#"click "Place order and pay""#).await;
    assert_eq!(site.hits_of("/place-order").len(), 1, "{:?}", caller.told);
    sessions.shut().await;
    person.abort();
}

const NEIGHBOURS: &str = r#"<!doctype html><title>Neighbours</title><button onclick="
  for (const port of ['{LATER}', '{OTHER}']) {
    const picture = new Image();
    picture.onload = picture.onerror = () => document.body.append(` answered-${port}`);
    picture.src = `http://127.0.0.1:${port}/picture?` + Math.random();
  }">Show</button><p>Pictures:</p>"#;

#[tokio::test]
async fn an_instance_that_starts_later_is_not_reached_either() {
    let (later, other) = (Site::start().await, Site::start().await);
    let page = NEIGHBOURS.replace("{LATER}", &later.port().to_string());
    let page = page.replace("{OTHER}", &other.port().to_string());
    let site = Site::builder().page("/", page).start().await;
    let private = [&site, &later, &other].into_iter().flat_map(|site| site.grants()).collect();
    let wire =
        Arc::new(WireSettings { reach: Reach { private, ..Reach::default() }, ..WireSettings::default() });
    let settings = SessionSettings { wire, ..SessionSettings::default() };
    let sessions = Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {});
    let mut caller = Obedient::open(&sessions, &site.url("/"), Answers::None).await.unwrap();
    let came = |site: &Site| site.hits_of("/picture").len();
    let show = async |caller: &mut Obedient<'_>, times: usize| {
        assert!(caller.once(r#"click "Show""#, &json!({})).await.unwrap().is_ok());
        wait_until_async(LONG, "the other one is asked", async || came(&other) == times).await;
        caller.look().await;
    };
    show(&mut caller, 1).await;
    wait_until_async(LONG, "both are asked", async || came(&later) == 1).await;

    let instance = Instance::enter(&[later.port()].into()).unwrap();
    show(&mut caller, 2).await;
    let went = caller.once(&format!("go to {}", later.url("/pages/plain.html")), &json!({})).await.unwrap();
    assert_eq!(went.error.map(|problem| problem.code), Some(Code::NavigationBlocked));
    assert_eq!((came(&later), later.hits_of("/pages/plain.html").len()), (1, 0));

    drop(instance);
    // The twin: a port that is nobody's any more is one like others.
    show(&mut caller, 3).await;
    wait_until_async(LONG, "it is asked again", async || came(&later) == 2).await;
    let went = caller.once(&format!("go to {}", later.url("/pages/plain.html")), &json!({})).await.unwrap();
    assert!(went.is_ok(), "{:?}", went.error);
    sessions.shut().await;
}

#[tokio::test]
async fn nobody_comes_back_to_a_host_that_may_not_be_reached_any_more() {
    let later = Site::builder().page("/", "<title>Later</title><p>Here</p>").header(
        "/",
        "cache-control",
        "max-age=600",
    );
    let (later, site) = (later.start().await, Site::start().await);
    let private = [&site, &later].into_iter().flat_map(|site| site.grants()).collect();
    let wire =
        Arc::new(WireSettings { reach: Reach { private, ..Reach::default() }, ..WireSettings::default() });
    let settings = SessionSettings { wire, ..SessionSettings::default() };
    let sessions = Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {});
    let mut caller = Obedient::open(&sessions, &later.url("/"), Answers::None).await.unwrap();
    let on = format!("go to {}", site.url("/pages/plain.html"));
    assert!(caller.once(&on, &json!({})).await.unwrap().is_ok());

    let instance = Instance::enter(&[later.port()].into()).unwrap();
    let back = caller.once("back", &json!({})).await.unwrap();
    assert_eq!(back.error.map(|problem| problem.code), Some(Code::NavigationBlocked));
    let url = |caller: &Obedient<'_>| caller.seen.look.scene().page.url.untrusted().to_owned();
    assert_eq!((later.hits_of("/").len(), url(&caller)), (1, site.url("/pages/plain.html")));

    drop(instance);
    // The twin: where it may be reached again, the way back leads there.
    let back = caller.once("back", &json!({})).await.unwrap();
    assert!(back.is_ok() && url(&caller) == later.url("/"), "{:?} {}", back.error, url(&caller));
    sessions.shut().await;
}

/// Every key opens a window and looks at once whether its sockets are the browser's own.
const WINDOWS: &str = r#"<!doctype html><title>Windows</title><label>Name <input onkeydown="
  const opened = open('', '_blank', 'popup');
  const names = ['WebSocket', 'WebTransport', 'RTCPeerConnection'];
  const native = self => self ? names.filter(name => /native code/.test(self[name])).join() : '';
  const frame = opened && opened.document.body.appendChild(opened.document.createElement('iframe'));
  fetch('/window?' + native(opened) + native(frame && frame.contentWindow))"></label>"#;

#[tokio::test]
async fn however_many_windows_a_page_opens_none_has_sockets() {
    let site = Site::builder().page("/", WINDOWS).start().await;
    let reach = Reach { private: site.grants(), ..Reach::default() };
    let settings = SessionSettings {
        wire: Arc::new(WireSettings { reach, ..WireSettings::default() }),
        ..SessionSettings::default()
    };
    let sessions = Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {});
    let caller = Obedient::open(&sessions, &site.url("/"), Answers::None).await.unwrap();
    let call = super::orders::call(&caller.seen, r#"type "aaaaaaaaaaaaaaaaaaaaaa" into "Name""#).unwrap();
    let mut call = call;
    call["action"]["delayMs"] = 100.into();
    // The windows may well take the page's place while it is written into.
    caller.act(call).await;
    let asked = |what: &str| site.hits().iter().filter(|hit| hit.path.starts_with(what)).count();
    wait_until_async(LONG, "more windows than there may be", async || asked("/window") > 12).await;
    sessions.shut().await;
    let native: Vec<_> = site.hits_of("/window").into_iter().filter(|hit| hit.path != "/window?").collect();
    assert!(native.is_empty(), "{native:?}");
}

#[tokio::test]
async fn a_profile_that_stays_has_one_session_at_a_time() {
    let (site, home) = (Site::start().await, TempHome::new());
    let profile = Profile::Persistent(home.path().join("profile"));
    let wire = WireSettings {
        reach: Reach { private: site.grants(), ..Reach::default() },
        ..WireSettings::default()
    };
    let settings = SessionSettings { wire: Arc::new(wire), ..SessionSettings::default() };
    let source = BrowserSource::Launch(LaunchOptions { profile, ..LaunchOptions::default() });
    let sessions = Sessions::new(source, settings, |_| {});
    let page = site.url("/pages/plain.html");
    let mut first = Obedient::open(&sessions, &page, Answers::None).await.unwrap();
    let second = Obedient::open(&sessions, &page, Answers::None).await;
    assert_eq!(second.err().map(|problem| problem.code), Some(Code::ProfileLocked));
    // The first one goes on, and its rules with it.
    assert!(first.once(&format!("go to {page}"), &json!({})).await.unwrap().is_ok());
    first.close().await;
    let third = Obedient::open(&sessions, &page, Answers::None).await;
    assert!(third.is_ok(), "{:?}", third.err());
    sessions.shut().await;
    assert_eq!(site.hits_of("/pages/plain.html").len(), 3);
}
