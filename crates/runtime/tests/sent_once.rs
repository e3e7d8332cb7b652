//! What somebody said yes to arrives once, at servers behind TLS that answer it badly or not at all, from pages that are quiet and from
//! such as speak to the same server all the time. A browser left to itself sends it up to five times.

use std::{sync::Arc, time::Duration};

use legwork_runtime::{
    AfterYes, Answer, BrowserSource, Caller, CancellationToken, LaunchOptions, Mode, OpenRequest, Reach,
    Rules, SessionSettings, Sessions, WhoConfirms, WireSettings,
};
use legwork_testkit::{TlsShop, wait_until_async};
use legwork_types::{
    Code, PageUrl,
    contract::{ActRequest, ObserveOptions, SessionId},
};
use serde_json::json;
use tokio::{
    sync::Semaphore,
    task::{JoinSet, LocalSet},
};

const LONG: Duration = Duration::from_secs(60);
/// For so long a page that is busy is, before somebody says yes.
const BUSY: Duration = Duration::from_millis(900);
/// A browser that sends something again does so at once.
const AT_ONCE: Duration = Duration::from_millis(700);
/// Errands side by side.
const SIDE_BY_SIDE: usize = 3;

fn sessions(shop: &TlsShop) -> Arc<Sessions> {
    let resolve = |name: &str| format!("{name}:443=127.0.0.1:{}", shop.port()).parse().unwrap();
    let reach = Reach { resolve: ["shop.test", "pay.test"].map(resolve).into(), ..Reach::default() };
    let who_confirms = WhoConfirms::Human;
    let documents = AfterYes::SentAgain;
    let wire = WireSettings { mode: Mode::Live, reach, who_confirms, documents, ..WireSettings::default() };
    let settings = SessionSettings {
        rules: Rules { who_confirms, uploads: vec![] },
        wire: Arc::new(wire),
        ..SessionSettings::default()
    };
    let launch = LaunchOptions { extra_flags: vec![TlsShop::TRUST.into()], ..LaunchOptions::default() };
    Arc::new(Sessions::new(BrowserSource::Launch(launch), settings, |_| {}))
}

/// One order with one yes. What the page says in the end, where its script has sent it.
async fn order(sessions: &Sessions, shop: &TlsShop, name: &str, page: &str) -> String {
    let (caller, never) = (Caller::new("me"), CancellationToken::new());
    let url = Some(PageUrl::parse(&format!("https://shop.test/?id={name}&{page}")).unwrap());
    let opened = sessions.open(&caller, OpenRequest { url, ..OpenRequest::default() }, &never).await.unwrap();
    let (session, look) = (opened.session, opened.seen.look);
    let mut items = look.scene().items.iter();
    let button = items.find(|item| item.affordance.name.untrusted() == "Pay now").unwrap();
    let call = json!({
        "sessionId": session.0, "observationId": look.id().0,
        "target": {"kind": "element", "actionId": button.affordance.action_id}, "action": {"type": "click"},
    });
    let request: ActRequest = serde_json::from_value(call).unwrap();
    let acted = sessions.act(&caller, request, &never).await;
    assert_eq!(acted.error.unwrap().code, Code::SafetyConfirmationRequired, "{page}");
    if page.contains("busy") {
        tokio::time::sleep(BUSY).await;
    }
    assert_eq!(shop.orders(name), 0, "{page}");
    say_yes(sessions, &session);
    wait_until_async(LONG, "the order arrives", async || shop.orders(name) > 0).await;
    let mut said = String::new();
    if !page.contains("form") {
        wait_until_async(LONG, "the page knows", async || {
            let options = ObserveOptions::default();
            let _ = sessions.observe(&caller, &session, &options, &never).await;
            said = sessions.read(&caller, &session, None, 1_000, &never).await.unwrap_or_default();
            said.contains("answered") || said.contains("failed")
        })
        .await;
    }
    tokio::time::sleep(AT_ONCE).await;
    let _ = sessions.close(&caller, &session).await;
    said
}

fn say_yes(sessions: &Sessions, session: &SessionId) {
    let approvals = sessions.approvals();
    let mut waiting = approvals.waiting().into_iter().filter(|asked| asked.question.session == *session);
    let asked = waiting.next().expect("somebody is asked");
    assert!(waiting.next().is_none(), "once");
    approvals.answer(&asked.id, Answer::Yes).unwrap();
}

/// Orders from all these pages. Those that did not arrive once.
async fn orders(protocol: &str, pages: &[&'static str]) -> Vec<String> {
    let shop = Arc::new(TlsShop::start(protocol));
    let sessions = sessions(&shop);
    let seats = Arc::new(Semaphore::new(SIDE_BY_SIDE));
    let mut errands = JoinSet::new();
    for page in pages.iter().copied() {
        let (shop, sessions, seats) = (shop.clone(), sessions.clone(), seats.clone());
        errands.spawn_local(async move {
            let _seat = seats.acquire().await;
            let name = page.replace(['&', '='], "-");
            let said = order(&sessions, &shop, &name, page).await;
            let arrived = shop.orders(&name);
            (arrived != 1).then(|| format!("{page}: arrived {arrived} times, {said}"))
        });
    }
    let told = errands.join_all().await;
    sessions.shut().await;
    told.into_iter().flatten().collect()
}

#[tokio::test]
async fn a_yes_arrives_once_over_http_1() {
    let pages = [
        "how=421",
        "how=goodbye&elsewhere",
        "how=close&busy",
        "how=408&busy",
        "how=reset&busy&form",
        "how=200&busy",
    ];
    let wrong = LocalSet::new().run_until(orders("http/1.1", &pages)).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_yes_arrives_once_over_http_2() {
    let pages = ["how=close&busy", "how=goaway&busy", "how=close&busy&form", "how=200&busy"];
    let wrong = LocalSet::new().run_until(orders("h2", &pages)).await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}
