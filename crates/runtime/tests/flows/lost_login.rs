//! A browser that is lost where somebody had saved a login: the next one is logged in as well, and without it that is told.

use std::{
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering},
    },
};

use legwork_runtime::{
    Answer, BrowserSource, Caller, CancellationToken, Endpoints, KeeperEvent, LaunchOptions, Logins, Mode,
    OpenRequest, Reach, SessionSettings, Sessions,
    errands::{Event, Spec, mode_of},
};
use legwork_testkit::{
    Site, SomebodysBrowser,
    axum::{
        http::{HeaderMap, header},
        response::Html,
        routing::get,
    },
    sites::vendor::{Asked, Reply, Vendor, VendorWire},
};
use legwork_types::PageUrl;
use serde_json::json;

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{LONG, Run, settings},
};

/// Whoever comes with the cookie may log out, all others may log in.
async fn site() -> Site {
    let home = get(|headers: HeaderMap| async move {
        let is_known =
            headers.get(header::COOKIE).is_some_and(|cookie| cookie.to_str().unwrap().contains("known=yes"));
        let button = if is_known { "Log out" } else { "Log in" };
        Html(format!("<!doctype html><title>Shop</title><h1>Shop</h1><button>{button}</button>"))
    });
    let enter =
        get(|| async { ([(header::SET_COOKIE, "known=yes; Path=/; Max-Age=3600")], Html("<h1>Hello</h1>")) });
    let neutral = "<!doctype html><title>Hello</title><h1>Hello</h1><a href='/'>To the shop</a>";
    Site::builder().route("/", home).route("/enter", enter).page("/hello", neutral).start().await
}

/// Sessions with what was saved in a folder, if anything, in browsers from there.
async fn sessions(site: &Site, folder: Option<&Path>, browsers: &Browsers) -> Sessions {
    let address = format!("127.0.0.1:{}", site.port()).parse().unwrap();
    let mut settings = settings(LONG, Run::Live(Answer::No), &[address], "none-of-it").await;
    if let Some(folder) = folder {
        let reach = Reach { private: site.grants(), ..Reach::default() };
        let named = [format!("shop@{}", site.here()).parse().unwrap()];
        let logins = Logins::load_in(folder.to_owned(), &named, None, &reach).await.unwrap();
        settings = SessionSettings { logins: Arc::new(logins), ..settings };
    }
    let (source, started) = match browsers {
        Browsers::Ours(started) => (BrowserSource::Launch(LaunchOptions::default()), started.clone()),
        Browsers::Given(given) => {
            let endpoints = given.iter().map(|browser| browser.ws_url().parse().unwrap()).collect();
            (BrowserSource::Endpoints(Endpoints::new(endpoints)), Arc::default())
        }
    };
    Sessions::new(source, settings, move |event| {
        if let KeeperEvent::Started { pid: Some(pid), .. } = event {
            started.store(pid, Ordering::SeqCst);
        }
    })
}

/// Where browsers come from.
enum Browsers {
    /// They are started; this one is there now.
    Ours(Arc<AtomicU32>),
    /// They run already, and whoever gave them vouches for them.
    Given([SomebodysBrowser; 2]),
}

impl Browsers {
    fn ours() -> Self {
        Self::Ours(Arc::default())
    }

    /// The one that is used first, once it is used.
    fn first(&self) -> Arc<AtomicU32> {
        match self {
            Self::Ours(started) => started.clone(),
            Self::Given([first, _]) => Arc::new(AtomicU32::new(first.pid())),
        }
    }
}

/// Whether somebody was logged out by a loss, by what the errand was told of it, by what the page shows where it begins, and by what the
/// model is told of the shop, one step later.
async fn logged_out_by_a_loss(
    site: &Site,
    start: &str,
    folder: Option<&Path>,
    browsers: Browsers,
) -> (bool, bool, bool) {
    let (sessions, browser) = (sessions(site, folder, &browsers).await, browsers.first());
    let (turns, is_told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (way, was_told) = (["/enter", "/"].map(|path| site.url(path)), is_told.clone());
    let vendor = Vendor::start(move |asked: &Asked| {
        if asked.has_tool("create_plan") {
            return Reply::call("create_plan", json!({"plan": "Look.", "successCriteria": "It was seen"}));
        }
        let said = asked.body.to_string();
        was_told.fetch_or(said.contains("nobody is logged in there any more"), Ordering::SeqCst);
        match turns.fetch_add(1, Ordering::SeqCst) {
            turn @ 0..2 => Reply::call("act", json!({"action": "goto", "value": way[turn], "why": "to see"})),
            2 => {
                let pid = browser.load(Ordering::SeqCst).to_string();
                assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
                Reply::call("observe", json!({}))
            }
            3 => Reply::call("act", json!({"action": "goto", "value": way[1], "why": "to see"})),
            _ => Reply::call(
                "complete_task",
                json!({"status": "failed", "reason": "seen", "evidence": "none"}),
            ),
        }
    })
    .unwrap();
    let spec = Spec { start_url: Some(site.url(start)), mode: mode_of(Mode::Live), ..Spec::new("Look") };
    let log = Kept::default();
    let joined = Joined { journal: log.clone(), people: Nobody, stop: CancellationToken::new() };
    joined.run(&sessions, &vendor, VendorWire::Anthropic, spec).await;
    sessions.shut().await;
    let lost = log.entries().into_iter().find_map(|entry| match entry.event {
        Event::Reconnected { logged_out, page, .. } => Some((logged_out, page.logged_in == Some(false))),
        _ => None,
    });
    let (logged_out, shown) = lost.expect("another browser took its place");
    (logged_out, shown, is_told.load(Ordering::SeqCst))
}

#[tokio::test]
async fn who_has_a_saved_login_is_logged_in_after_a_loss_and_who_has_none_is_told() {
    let site = site().await;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let sessions = sessions(&site, Some(&folder), &Browsers::ours()).await;
    let (caller, never) = (Caller::new("before"), CancellationToken::new());
    let url = Some(PageUrl::parse(&site.url("/enter")).unwrap());
    let opened = sessions.open(&caller, OpenRequest { url, ..OpenRequest::default() }, &never).await.unwrap();
    sessions.close(&caller, &opened.session).await.unwrap();
    sessions.shut().await;
    let given = || Browsers::Given([SomebodysBrowser::start(), SomebodysBrowser::start()]);
    for browsers in [Browsers::ours(), given()] {
        assert_eq!(logged_out_by_a_loss(&site, "/", Some(&folder), browsers).await, (false, false, false));
    }
    // Who got the cookie only on the way has lost it with the browser.
    assert_eq!(logged_out_by_a_loss(&site, "/", None, Browsers::ours()).await, (true, true, true));
    // A page that shows nothing of it tells nothing, and the next one does.
    assert_eq!(logged_out_by_a_loss(&site, "/hello", None, given()).await, (false, false, true));
}
