//! Sessions with a real Chromium: isolated from each other, freed when closed, and honest when the browser dies.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use legwork_runtime::{
    Acted, BrowserSource, Caller, CancellationToken, KeeperEvent, LaunchOptions, OpenRequest, Opened,
    PrepareRule, Reach, Seen, SessionSettings, Sessions, WireSettings,
};
use legwork_testkit::{
    Site,
    axum::{
        extract::Path,
        http::header,
        response::{Html, IntoResponse},
        routing::{get, post},
    },
    jpeg_size, process_counts, wait_until, wait_until_async,
};
use legwork_types::{
    Code, PageUrl, Problem,
    contract::{ActRequest, ActionId, Include, ObserveOptions, RequestVerdict, SessionId, Within},
};
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::Semaphore;

/// Far beyond what any of these tests needs.
const LONG: Duration = Duration::from_secs(120);

/// Sessions, and the processes of the browsers that were started for them.
struct Bench {
    sessions: Arc<Sessions>,
    pids: Arc<Mutex<Vec<u32>>>,
    caller: Caller,
    never: CancellationToken,
}

impl Bench {
    /// Sessions that may reach a site.
    fn on(site: &Site) -> Self {
        let pids = Arc::new(Mutex::new(Vec::new()));
        let sink = pids.clone();
        let reach = Reach { private: site.grants(), ..Reach::default() };
        // What the pages of these tests send for the sake of the test.
        let harmless = ["/did", "/row", "/echo", "/no-answer"];
        let rule = |path: &&str| PrepareRule { origin: site.here(), path: (*path).to_owned() };
        let prepare = harmless.iter().map(rule).collect();
        let wire = Arc::new(WireSettings { reach, prepare, ..WireSettings::default() });
        let settings = SessionSettings { navigation: LONG, wire, ..SessionSettings::default() };
        let source = BrowserSource::Launch(LaunchOptions::default());
        let sessions = Sessions::new(source, settings, move |event| {
            if let KeeperEvent::Started { pid: Some(pid), .. } = event {
                sink.lock().unwrap().push(pid);
            }
        });
        Self {
            sessions: Arc::new(sessions),
            pids,
            caller: Caller::new("me"),
            never: CancellationToken::new(),
        }
    }

    async fn open(&self, url: &str) -> Result<Opened, Problem> {
        let url = Some(PageUrl::parse(url).unwrap());
        let request = OpenRequest { url, ..OpenRequest::default() };
        self.sessions.open(&self.caller, request, &self.never).await
    }

    async fn look(&self, session: &SessionId) -> Result<Seen, Problem> {
        self.sessions.observe(&self.caller, session, &ObserveOptions::default(), &self.never).await
    }

    async fn act(&self, seen: &Seen, call: serde_json::Value) -> Acted {
        let mut call = call;
        call["sessionId"] = seen.look.session().0.clone().into();
        call["observationId"] = seen.look.id().0.clone().into();
        let request: ActRequest = serde_json::from_value(call).unwrap();
        self.sessions.act(&self.caller, request, &self.never).await
    }

    /// How many processes the latest browser has beside its main one.
    fn processes(&self) -> usize {
        process_counts(*self.pids.lock().unwrap().last().unwrap()).live
    }
}

fn number(seen: &Seen, name: &str) -> ActionId {
    let items = &seen.look.scene().items;
    let found = items.iter().find(|item| item.affordance.name.untrusted() == name);
    found.unwrap_or_else(|| panic!("nothing is called {name:?}")).affordance.action_id
}

fn press(seen: &Seen, name: &str) -> serde_json::Value {
    let target = serde_json::json!({"kind": "element", "actionId": number(seen, name)});
    serde_json::json!({"target": target, "action": {"type": "click"}})
}

fn names(seen: &Seen) -> Vec<String> {
    seen.look.scene().items.iter().map(|item| item.affordance.name.untrusted().to_owned()).collect()
}

#[tokio::test]
async fn a_session_is_opened_looked_at_and_leaves_nothing() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    let kept = bench.open(&site.url("/pages/plain.html")).await.unwrap();
    let before = bench.processes();
    let mut opened = Vec::new();
    for _ in 0..3 {
        opened.push(bench.open(&site.other_url("/pages/plain.html")).await.unwrap());
    }
    assert_eq!(opened[0].landing.as_ref().unwrap().title, "Plain page");
    assert_eq!(opened[0].seen.look.scene().page.title.as_ref().unwrap().untrusted(), "Plain page");
    for one in &opened {
        let again = bench.look(&one.session).await.unwrap();
        assert_ne!(again.look.id(), one.seen.look.id());
        assert_eq!(bench.sessions.tabs(&bench.caller, &one.session, &bench.never).await.unwrap().len(), 1);
    }
    assert!(bench.processes() > before);
    for one in &opened {
        bench.sessions.close(&bench.caller, &one.session).await.unwrap();
        assert_eq!(bench.look(&one.session).await.unwrap_err().code, Code::SessionNotFound);
    }
    // Chromium keeps one renderer in reserve.
    wait_until(LONG, "the renderers of closed sessions are gone", || bench.processes() <= before + 1);
    assert_eq!(bench.sessions.list(&bench.caller).await.len(), 1);
    assert!(bench.look(&kept.session).await.is_ok());
    bench.sessions.shut().await;
    let pid = bench.pids.lock().unwrap()[0];
    assert_eq!(process_counts(pid).live, 0);
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
}

#[tokio::test]
async fn dropped_sessions_leave_no_process() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    bench.open(&site.url("/pages/plain.html")).await.unwrap();
    let pid = bench.pids.lock().unwrap()[0];
    let Bench { sessions, .. } = bench;
    drop(sessions);
    wait_until(LONG, "the browser is gone", || !std::path::Path::new(&format!("/proc/{pid}")).exists());
}

/// A page that is one of many: its number is in its title, its names, its cookie and its text.
async fn numbered(Path(number): Path<u32>) -> impl IntoResponse {
    let page = format!(
        "<!doctype html><title>Page {number}</title><h1>Heading {number}</h1>\
         <button onclick=\"fetch('/did/{number}', {{method: 'POST'}}); this.textContent = 'Done {number}'\">Do {number}</button>\
         <input aria-label='Field {number}'><p>Text {number}</p>\
         <p id=c></p><script>c.textContent = 'Cookie ' + document.cookie</script>"
    );
    ([(header::SET_COOKIE, format!("mine={number}; Path=/"))], Html(page))
}

/// What is seen belongs to this session and to no other.
fn belongs(seen: &Seen, number: u32, session: &SessionId) {
    let page = &seen.look.scene().page;
    assert_eq!(seen.look.session(), session);
    assert_eq!(page.title.as_ref().unwrap().untrusted(), format!("Page {number}"));
    assert!(page.final_url.untrusted().ends_with(&format!("/many/{number}")));
    let names = names(seen);
    assert!(names.contains(&format!("Field {number}")), "{names:?}");
    assert!(names.iter().all(|name| name.ends_with(&format!(" {number}"))), "{names:?}");
}

#[tokio::test]
async fn fifty_sessions_at_once_see_and_do_nothing_of_each_other_and_are_freed() {
    const MANY: u32 = 50;
    let site = Site::builder()
        .route("/many/{number}", get(numbered))
        .route("/did/{number}", post(|| async { "ok" }))
        .start()
        .await;
    let bench = Bench::on(&site);
    bench.open(&site.url("/pages/plain.html")).await.unwrap();
    let before = bench.processes();
    let one = async |number: u32| {
        let opened = bench.open(&site.url(&format!("/many/{number}"))).await.unwrap();
        belongs(&opened.seen, number, &opened.session);
        let seen = bench.look(&opened.session).await.unwrap();
        belongs(&seen, number, &opened.session);
        let words =
            bench.sessions.read(&bench.caller, &opened.session, None, 2_000, &bench.never).await.unwrap();
        assert!(words.contains(&format!("Text {number}")), "{words}");
        assert!(words.contains(&format!("Cookie mine={number}")), "{words}");
        assert_eq!(words.matches("mine=").count(), 1, "{words}");
        let acted = bench.act(&seen, press(&seen, &format!("Do {number}"))).await;
        assert!(acted.is_ok() && acted.receipt.dispatched, "{:?}", acted.error);
        let next = acted.next.unwrap();
        belongs(&next, number, &opened.session);
        assert!(names(&next).contains(&format!("Done {number}")));
        opened.session
    };
    let sessions = at_once((0..MANY).map(one).collect()).await;
    assert_eq!(bench.sessions.list(&bench.caller).await.len(), MANY as usize + 1);
    assert_eq!(bench.pids.lock().unwrap().len(), 1, "one browser for all");
    for number in 0..MANY {
        let path = format!("/did/{number}");
        wait_until(LONG, "each has done its own", || !site.hits_of(&path).is_empty());
        let hits = site.hits_of(&path);
        assert_eq!((hits.len(), hits[0].header("cookie")), (1, Some(format!("mine={number}").as_str())));
    }
    at_once(sessions.iter().map(|session| bench.sessions.close(&bench.caller, session)).collect()).await;
    wait_until(LONG, "all renderers are gone", || bench.processes() <= before + 1);
    assert_eq!(bench.sessions.list(&bench.caller).await.len(), 1);
    bench.sessions.shut().await;
}

/// Runs all side by side; what they give comes in their order.
async fn at_once<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        for (future, output) in &mut futures {
            if output.is_none()
                && let std::task::Poll::Ready(done) = future.as_mut().poll(context)
            {
                *output = Some(done);
            }
        }
        let all = futures.iter().all(|(_, output)| output.is_some());
        if all { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    futures.into_iter().map(|(_, output)| output.unwrap()).collect()
}

#[tokio::test]
async fn a_browser_that_is_killed_takes_its_sessions_along_and_the_next_gets_a_new_one() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    let urls = (site.url("/pages/plain.html"), site.other_url("/pages/plain.html"));
    let (one, other) = tokio::join!(bench.open(&urls.0), bench.open(&urls.1));
    let (one, other) = (one.unwrap(), other.unwrap());
    let pid = bench.pids.lock().unwrap()[0];
    kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL).unwrap();
    assert_eq!(bench.look(&one.session).await.unwrap_err().code, Code::BrowserDisconnected);
    assert_eq!(bench.look(&one.session).await.unwrap_err().code, Code::SessionNotFound);

    let new = bench.open(&site.url("/pages/plain.html")).await.unwrap();
    assert_eq!(bench.pids.lock().unwrap().len(), 2);
    let acted = bench
        .act(&other.seen, serde_json::json!({"target": {"kind": "page"}, "action": {"type": "reload"}}))
        .await;
    let problem = acted.error.unwrap();
    assert_eq!(problem.code, Code::BrowserDisconnected, "{problem}");
    assert!(acted.next.is_none() && !acted.receipt.dispatched);
    assert!(bench.look(&new.session).await.is_ok());
    assert_eq!(bench.sessions.list(&bench.caller).await.len(), 1);
    bench.sessions.shut().await;
}

#[tokio::test]
async fn a_question_of_the_page_gives_a_stale_look_until_it_is_answered() {
    let asks = "<!doctype html><title>Asks</title><h1>Before</h1>\
                <script>fetch('/gate').then(() => confirm('Sure?'))</script>";
    let open = Arc::new(Semaphore::new(0));
    let site = Site::builder().page("/asks", asks).route("/gate", gate(&open)).start().await;
    let bench = Bench::on(&site);
    let opened = bench.open(&site.url("/asks")).await.unwrap();
    assert!(!opened.seen.look.is_stale());
    open.add_permits(1);
    let session = &opened.session;
    wait_until_async(LONG, "the page asks", async || bench.look(session).await.unwrap().look.is_stale())
        .await;
    let seen = bench.look(session).await.unwrap();
    let page = &seen.look.scene().page;
    assert_eq!((page.dialogs.len(), page.dialogs[0].kind.as_str()), (1, "confirm"));
    assert_eq!(page.dialogs[0].message.untrusted(), "Sure?");
    assert_eq!(page.title.as_ref().unwrap().untrusted(), "Asks");
    bench.sessions.shut().await;
}

#[tokio::test]
async fn pictures_come_with_numbers_and_without_secrets() {
    let site = Site::start().await;
    let bench = Bench::on(&site);
    let opened = bench.open(&site.url("/pages/plain.html")).await.unwrap();
    let options = ObserveOptions { include: vec![Include::Screenshot], ..ObserveOptions::default() };
    let seen = bench.sessions.observe(&bench.caller, &opened.session, &options, &bench.never).await.unwrap();
    assert_eq!(jpeg_size(&seen.jpeg.unwrap()), (1280, 720));
    let id = seen.look.id().clone();
    for marked in [None, Some(&id)] {
        let jpeg =
            bench.sessions.screenshot(&bench.caller, &opened.session, marked, &bench.never).await.unwrap();
        assert_eq!(jpeg_size(&jpeg), (1280, 720));
    }
    // The look is still the current one.
    let again = ObserveOptions { within: Some(Within::Action(ActionId(1))), ..ObserveOptions::default() };
    let same = bench.sessions.observe(&bench.caller, &opened.session, &again, &bench.never).await.unwrap();
    assert_eq!(*same.look.id(), id);
    let old =
        bench.sessions.screenshot(&bench.caller, &opened.session, Some(opened.seen.look.id()), &bench.never);
    assert_eq!(old.await.unwrap_err().code, Code::StaleObservation);
    bench.sessions.shut().await;
}

/// A gate of the server that is shut until the test opens it.
fn gate(opened: &Arc<Semaphore>) -> legwork_testkit::axum::routing::MethodRouter {
    let opened = opened.clone();
    get(|| async move { opened.acquire().await.map(|_| "now").unwrap() })
}

#[tokio::test]
async fn pictures_in_between_do_not_make_a_page_forget_what_was_looked_at() {
    // Twins: what the page has forgotten could not be told from its twin.
    let page = "<!doctype html><title>Twins</title>
        <button onclick=\"fetch('/did/1', {method: 'POST'})\">Show</button>
        <button onclick=\"fetch('/did/2', {method: 'POST'})\">Show</button>";
    let site = Site::builder().page("/", page).start().await;
    let bench = Bench::on(&site);
    let session = bench.open(&site.url("/")).await.unwrap();
    for _ in 0..3 {
        let picture = bench.sessions.screenshot(&bench.caller, &session.session, None, &bench.never).await;
        assert_eq!(jpeg_size(&picture.unwrap()), (1280, 720));
    }
    let acted = bench.act(&session.seen, press(&session.seen, "Show")).await;
    assert!(acted.is_ok() && acted.receipt.dispatched, "{:?}", acted.error);
    bench.sessions.shut().await;
    assert_eq!((site.hits_of("/did/1").len(), site.hits_of("/did/2").len()), (1, 0));
}

#[tokio::test]
async fn an_element_that_was_drawn_anew_is_pressed_once_and_its_twin_is_not() {
    let page = "<!doctype html><title>Redraws</title><div id=box></div><div id=rows></div><script>
        const draw = (rows) => {
            box.innerHTML = `<button onclick=\"fetch('/did', {method: 'POST'})\">Add to list</button>`;
            document.getElementById('rows').innerHTML = rows.map((row) =>
                `<p>${row} <button onclick=\"fetch('/row/${row}', {method: 'POST'})\">Show</button></p>`).join('');
        };
        const box = document.getElementById('box');
        draw(['A']);
        fetch('/gate').then(() => { draw(['B']); fetch('/redrawn'); });
        </script>";
    let opened = Arc::new(Semaphore::new(0));
    let site = Site::builder().page("/", page).route("/gate", gate(&opened)).start().await;
    let bench = Bench::on(&site);
    let session = bench.open(&site.url("/")).await.unwrap();
    opened.add_permits(1);
    wait_until_async(LONG, "it was drawn anew", async || !site.hits_of("/redrawn").is_empty()).await;

    // The row that it was in is another one now.
    let acted = bench.act(&session.seen, press(&session.seen, "Show")).await;
    assert_eq!(acted.error.unwrap().code, Code::ElementDetached);
    assert!(!acted.receipt.dispatched && site.hits().iter().all(|hit| !hit.path.starts_with("/row")));

    let page = "<!doctype html><title>Redraws</title><div id=box></div><script>
        const draw = () => {
            box.innerHTML = `<button onclick=\"fetch('/did', {method: 'POST'})\">Add to list</button>`;
        };
        const box = document.getElementById('box');
        draw();
        fetch('/gate').then(() => { draw(); fetch('/redrawn'); });
        </script>";
    let opened = Arc::new(Semaphore::new(0));
    bench.sessions.shut().await;
    let site = Site::builder().page("/", page).route("/gate", gate(&opened)).start().await;
    let bench = Bench::on(&site);
    let session = bench.open(&site.url("/")).await.unwrap();
    opened.add_permits(1);
    wait_until_async(LONG, "it was drawn anew", async || !site.hits_of("/redrawn").is_empty()).await;
    let acted = bench.act(&session.seen, press(&session.seen, "Add to list")).await;
    assert!(acted.is_ok() && acted.receipt.dispatched, "{:?}", acted.error);
    wait_until_async(LONG, "it was pressed", async || !site.hits_of("/did").is_empty()).await;
    bench.sessions.shut().await;
    assert_eq!(site.hits_of("/did").len(), 1);
}

#[tokio::test]
async fn what_is_dangerous_does_not_reach_the_server_without_a_yes() {
    let page = "<!doctype html><title>Pay</title><form method=post action=/paid>\
        <input name=note aria-label=Note><button>Pay now</button></form>";
    let site = Site::builder().page("/", page).route("/paid", post(|| async { "paid" })).start().await;
    let bench = Bench::on(&site);
    let mut seen = bench.open(&site.url("/")).await.unwrap().seen;
    let on = |seen: &Seen, name: &str, action: serde_json::Value| {
        let target = serde_json::json!({"kind": "element", "actionId": number(seen, name)});
        serde_json::json!({"target": target, "action": action})
    };
    let acted =
        bench.act(&seen, on(&seen, "Note", serde_json::json!({"type": "fill", "value": "hello"}))).await;
    assert!(acted.is_ok(), "{:?}", acted.error);
    seen = acted.next.unwrap();
    let enter = || serde_json::json!({"type": "pressKey", "key": "Enter"});
    let ways = [("Pay now", serde_json::json!({"type": "click"})), ("Note", enter()), ("Pay now", enter())];
    for (name, action) in ways {
        let acted = bench.act(&seen, on(&seen, name, action)).await;
        assert_eq!(acted.error.unwrap().code, Code::DryRunBlocked);
        assert!(acted.receipt.dispatched, "it was tried, and caught on its way");
        assert_eq!(acted.receipt.effects.requests[0].verdict, RequestVerdict::Stopped);
        seen = acted.next.unwrap();
        let note = seen.look.scene().items.iter().find(|item| item.affordance.name.untrusted() == "Note");
        let value = note.unwrap().affordance.value.as_ref().map(|value| value.untrusted().to_owned());
        assert_eq!(value.as_deref(), Some("hello"), "what was filled in is still there");
    }
    bench.sessions.shut().await;
    assert_eq!(site.hits_of("/paid").len(), 0);
}

#[tokio::test]
async fn what_was_under_way_when_the_browser_was_killed_is_not_known() {
    let page = "<!doctype html><title>Begins</title><button onclick=\"const x = new XMLHttpRequest(); \
        x.open('POST', '/no-answer', false); x.send()\">Begin</button>";
    let site = Site::builder().page("/", page).start().await;
    let bench = Bench::on(&site);
    let session = bench.open(&site.url("/")).await.unwrap();
    let kill = async {
        wait_until_async(LONG, "it has begun", async || !site.hits_of("/no-answer").is_empty()).await;
        let pid = bench.pids.lock().unwrap()[0];
        kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL).unwrap();
    };
    let (acted, ()) = tokio::join!(bench.act(&session.seen, press(&session.seen, "Begin")), kill);
    let problem = acted.error.unwrap();
    assert_eq!(problem.code, Code::UnknownOutcome, "{problem}");
    assert!(acted.receipt.dispatched && acted.next.is_none() && !problem.retryable);
    assert_eq!(bench.look(&session.session).await.unwrap_err().code, Code::SessionNotFound);
    bench.sessions.shut().await;
}

#[tokio::test]
async fn a_press_that_does_nothing_says_so_and_one_that_does_something_says_what() {
    let page = "<!doctype html><title>Dead</title><button>Dead</button><button onclick=\"this.textContent = 'Pressed'\">Live</button>\
        <button onclick=\"fetch('/echo', { method: 'POST', body: 'x' })\">Sending</button>";
    let site = Site::builder().route("/dead", get(async move || Html(page))).start().await;
    let bench = Bench::on(&site);
    let opened = bench.open(&site.url("/dead")).await.unwrap();
    let dead = bench.act(&opened.seen, press(&opened.seen, "Dead")).await;
    assert!(dead.is_ok() && dead.receipt.dispatched && dead.receipt.is_nothing(), "{:?}", dead.receipt);
    let seen = dead.next.unwrap();
    let live = bench.act(&seen, press(&seen, "Live")).await;
    assert!(live.receipt.effects.dom_changed && !live.receipt.is_nothing(), "{:?}", live.receipt);
    assert!(live.receipt.effects.requests.is_empty(), "{:?}", live.receipt);
    let seen = live.next.unwrap();
    let sending = bench.act(&seen, press(&seen, "Sending")).await;
    let request = &sending.receipt.effects.requests[0];
    assert_eq!(
        (request.method.as_str(), request.path.untrusted(), request.status),
        ("POST", "/echo", Some(200))
    );
    assert_eq!(site.hits_of("/echo").len(), 1);
    bench.sessions.shut().await;
}
