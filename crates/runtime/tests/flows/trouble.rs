//! What goes wrong with pages, each class provoked in a real browser: the model is told, the page is loaded again, or the errand ends.

use std::{
    fs,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
    time::Duration,
};

use legwork_runtime::{
    Answer, BrowserSource, Caller, CancellationToken, KeeperEvent, LaunchOptions, Mode, OpenRequest, Thrift,
    errands::{self, Entry, Event, Outcome, OutcomeKind, Reason, Spec, mode_of},
};
use legwork_testkit::{
    CdpStub, Site, SiteBuilder,
    axum::{http::header, routing::get},
    sites::vendor::{Asked, Reply, Vendor, VendorWire},
};
use legwork_types::{
    PageUrl,
    contract::ObserveOptions,
    contract::{ActRequest, Action, ActionId, Expect, Target},
};
use serde_json::{Value, json};

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{Run, Stage},
};

/// Pages here come at once, or hang.
const SOON: Duration = Duration::from_secs(15);

/// The browser of a stage.
#[derive(Clone, Default)]
pub(crate) struct Started(Arc<AtomicU32>);

impl Started {
    fn watch(&self) -> impl FnMut(KeeperEvent) + Send + 'static {
        let pid = self.0.clone();
        move |event| {
            if let KeeperEvent::Started { pid: Some(started), .. } = event {
                pid.store(started, Ordering::SeqCst);
            }
        }
    }

    /// Kills all of it.
    fn kill(&self) {
        let _ = Command::new("kill").args(["-KILL", &self.0.load(Ordering::SeqCst).to_string()]).status();
    }

    /// Kills every process of it that paints pages.
    pub(crate) fn kill_renderers(&self) {
        let browser = self.0.load(Ordering::SeqCst).to_string();
        let processes = fs::read_dir("/proc").unwrap().flatten();
        for process in processes {
            let read = |file| fs::read_to_string(process.path().join(file)).unwrap_or_default();
            let stat = read("stat");
            // After the name, which may hold anything: state, parent, group.
            let group = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(2)).unwrap_or_default();
            if group == browser && read("cmdline").contains("--type=renderer") {
                let pid = process.file_name().into_string().unwrap();
                let _ = Command::new("kill").args(["-KILL", &pid]).status();
            }
        }
    }
}

pub(crate) struct Went {
    pub(crate) outcome: Outcome,
    pub(crate) log: Vec<Entry>,
    pub(crate) turns: usize,
    pub(crate) site: Arc<Site>,
}

impl Went {
    pub(crate) fn count(&self, is_it: impl Fn(&Event) -> bool) -> usize {
        self.log.iter().filter(|entry| is_it(&entry.event)).count()
    }

    /// How memory was saved after each browser that was lost while it painted.
    pub(crate) fn saved(&self) -> Vec<errands::Thrift> {
        let saved = |entry: &Entry| match &entry.event {
            Event::Disconnected { thrift, painting: Some(_), .. } => Some(*thrift),
            _ => None,
        };
        self.log.iter().filter_map(saved).collect()
    }

    pub(crate) fn reloaded(&self) -> usize {
        self.count(|event| matches!(event, Event::PageLost { .. }))
    }
}

/// An errand on the usual pages, by a model that does what it is told at each of its turns, counted from 1.
async fn errand(
    begins: &str,
    turn: impl Fn(usize, &str, &Started, &Site) -> (&'static str, Value) + Send + 'static,
) -> Went {
    errand_on(|_| Site::builder(), begins, turn).await
}

/// The same on pages that may know the browser.
async fn errand_on(
    pages: impl FnOnce(&Started) -> SiteBuilder,
    begins: &str,
    turn: impl Fn(usize, &str, &Started, &Site) -> (&'static str, Value) + Send + 'static,
) -> Went {
    errand_answered(Answer::No, pages, begins, turn).await
}

/// The same where somebody gives this answer to whatever is asked.
pub(crate) async fn errand_answered(
    answer: Answer,
    pages: impl FnOnce(&Started) -> SiteBuilder,
    begins: &str,
    turn: impl Fn(usize, &str, &Started, &Site) -> (&'static str, Value) + Send + 'static,
) -> Went {
    errand_in((LaunchOptions::default(), SOON), answer, pages, begins, turn).await
}

/// The same in browsers that are started like this, where pages have so long.
pub(crate) async fn errand_in(
    (launch, navigation): (LaunchOptions, Duration),
    answer: Answer,
    pages: impl FnOnce(&Started) -> SiteBuilder,
    begins: &str,
    turn: impl Fn(usize, &str, &Started, &Site) -> (&'static str, Value) + Send + 'static,
) -> Went {
    let started = Started::default();
    let site = Arc::new(pages(&started).start().await);
    let nowhere = CdpStub::refusing();
    let address = |port: u16| format!("127.0.0.1:{port}").parse().unwrap();
    let addresses = [address(site.port()), address(nowhere.port())];
    let source = BrowserSource::Launch(launch);
    let stage = Stage::in_browsers_of(
        source,
        navigation,
        Run::Live(answer),
        &addresses,
        "none-of-it",
        started.watch(),
    )
    .await;
    let turns = Arc::new(AtomicUsize::new(0));
    let (counted, visited) = (turns.clone(), site.clone());
    let script = move |asked: &Asked| {
        if asked.has_tool("create_plan") {
            return Reply::call("create_plan", json!({"plan": "Look.", "successCriteria": "It was seen"}));
        }
        let now = counted.fetch_add(1, Ordering::SeqCst) + 1;
        let (tool, input) = turn(now, &asked.told(), &started, &visited);
        Reply::call(tool, input)
    };
    let vendor = Vendor::start(script).unwrap();
    let spec = Spec {
        start_url: Some(site.url(begins)),
        mode: mode_of(Mode::Live),
        data: [("nowhere".to_owned(), nowhere.http_url())].into(),
        ..Spec::new("See what the page says")
    };
    let log = Kept::default();
    let joined = Joined { journal: log.clone(), people: Nobody, stop: CancellationToken::new() };
    let (finished, _) = joined.run(&stage.sessions, &vendor, VendorWire::Anthropic, spec).await;
    stage.sessions.shut().await;
    Went { outcome: finished.outcome.unwrap(), log: log.entries(), turns: turns.load(Ordering::SeqCst), site }
}

/// A page with a script from `/fatal.js`, which takes what paints the page along, or the whole browser, so many times.
fn fatal(started: &Started, times: usize, deed: fn(&Started)) -> SiteBuilder {
    let (started, left) = (started.clone(), AtomicUsize::new(times));
    let left = Arc::new(left);
    let script = get(move || {
        let (started, left) = (started.clone(), left.clone());
        async move {
            if left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
                deed(&started);
            }
            ([(header::CONTENT_TYPE, "text/javascript")], "document.title = 'a script ran'")
        }
    });
    let page = "<!doctype html><title>no script ran</title><h1>Heavy</h1><script src=/fatal.js></script><p>the end</p>";
    Site::builder().page("/heavy", page).route("/fatal.js", script)
}

const GIVE_UP: &str = "complete_task";

pub(crate) fn give_up() -> (&'static str, Value) {
    (GIVE_UP, json!({"status": "failed", "reason": "enough was seen", "evidence": "none"}))
}

pub(crate) fn act(action: &str, element: Option<u32>, value: Option<&str>) -> (&'static str, Value) {
    ("act", json!({"action": action, "element": element, "value": value, "why": "to see"}))
}

#[tokio::test]
async fn a_page_that_crashes_is_loaded_again_once() {
    let once = errand("/pages/plain.html", |turn, told, started, _| match turn {
        1 => {
            started.kill_renderers();
            ("observe", json!({}))
        }
        _ => {
            assert!(told.contains("the page crashed, and was loaded again"), "{told}");
            give_up()
        }
    })
    .await;
    assert_eq!(
        (once.outcome.kind, once.reloaded(), once.turns),
        (OutcomeKind::Failed, 1, 2),
        "{:#?}",
        once.outcome
    );
    let twice = errand("/pages/plain.html", |_, _, started, _| {
        started.kill_renderers();
        ("observe", json!({}))
    })
    .await;
    assert_eq!((twice.outcome.kind, twice.outcome.reason), (OutcomeKind::Stopped, Reason::PageError));
    assert_eq!((twice.reloaded(), twice.turns), (1, 2), "{:#?}", twice.outcome);
    assert_eq!(twice.outcome.checkpoint.unwrap().code.as_deref(), Some("PAGE_CRASHED"));
}

#[tokio::test]
async fn a_first_page_that_crashes_is_opened_once_more() {
    let once = errand_on(
        |started| fatal(started, 1, Started::kill_renderers),
        "/heavy",
        |_, told, _, _| {
            assert!(told.contains("a script ran"), "{told}");
            give_up()
        },
    )
    .await;
    assert_eq!((once.outcome.kind, once.turns), (OutcomeKind::Failed, 1), "{:#?}", once.outcome);
    assert_eq!(once.site.hits_of("/heavy").len(), 2);
    let always =
        errand_on(|started| fatal(started, 100, Started::kill_renderers), "/heavy", |_, _, _, _| give_up())
            .await;
    assert_eq!((always.outcome.kind, always.outcome.reason), (OutcomeKind::Stopped, Reason::PageError));
    assert_eq!((always.site.hits_of("/heavy").len(), always.turns), (2, 0), "{:#?}", always.outcome);
    assert_eq!(always.outcome.checkpoint.unwrap().code.as_deref(), Some("PAGE_CRASHED"));
}

#[tokio::test]
async fn a_browser_that_dies_of_the_same_page_twice_opens_it_without_scripts() {
    let went = errand_on(
        |started| fatal(started, 100, Started::kill),
        "/heavy",
        |_, told, _, _| {
            assert!(told.contains("no script ran") && told.contains("pages run no scripts now"), "{told}");
            give_up()
        },
    )
    .await;
    assert_eq!((went.outcome.kind, went.turns), (OutcomeKind::Failed, 1), "{:#?}", went.outcome);
    assert_eq!(went.saved(), [errands::Thrift::None, errands::Thrift::NoScripts]);
    assert_eq!(went.site.hits_of("/fatal.js").len(), 2);
}

#[tokio::test]
async fn a_browser_that_dies_twice_of_what_a_click_leads_to_goes_there_without_scripts() {
    let went = errand_on(
        |started| {
            fatal(started, 100, Started::kill)
                .page("/", "<!doctype html><title>Start</title><a href=/heavy>Go on</a>")
        },
        "/",
        |turn, told, _, _| match told.contains("no script ran") || turn > 4 {
            true => give_up(),
            false => act("click", Some(1), None),
        },
    )
    .await;
    assert_eq!((went.outcome.kind, went.turns), (OutcomeKind::Failed, 4), "{:#?}", went.outcome);
    assert_eq!(went.saved(), [errands::Thrift::None, errands::Thrift::NoScripts]);
}

#[tokio::test]
async fn what_is_covered_is_told_and_three_failures_in_a_row_are_the_end() {
    const COVERED: &str = "<!doctype html><title>Covered</title><button>Look closer</button>\
        <div style='position:fixed;inset:0;background:#fffc;z-index:9'>Please wait</div>";
    let went = errand_on(
        |_| Site::builder().page("/covered", COVERED),
        "/covered",
        |turn, told, _, _| {
            assert_eq!(turn > 1, told.contains("ELEMENT_OBSCURED"), "{told}");
            act("click", Some(1), None)
        },
    )
    .await;
    assert_eq!(
        (went.outcome.kind, went.outcome.reason, went.turns),
        (OutcomeKind::Stopped, Reason::Stuck, 3),
        "{:#?}",
        went.outcome
    );
    assert_eq!(went.outcome.checkpoint.unwrap().code.as_deref(), Some("ELEMENT_OBSCURED"));
}

#[tokio::test]
async fn an_address_that_never_answers_is_told_and_the_errand_goes_on() {
    let silent = get(std::future::pending::<&str>);
    let went = errand_on(
        |_| Site::builder().route("/silent", silent),
        "/pages/plain.html",
        |turn, told, _, site| match turn {
            1 => act("goto", None, Some(&site.url("/silent"))),
            _ => {
                assert!(told.contains("TIMEOUT"), "{told}");
                give_up()
            }
        },
    )
    .await;
    assert_eq!((went.outcome.kind, went.turns), (OutcomeKind::Failed, 2), "{:#?}", went.outcome);
}

#[tokio::test]
async fn a_page_that_hangs_is_closed_and_the_errand_goes_on() {
    let went = errand("/pages/plain.html", |turn, told, _, site| match turn {
        1 => act("goto", None, Some(&site.url("/pages/endless_script.html"))),
        2 => {
            assert!(told.contains("PAGE_UNRESPONSIVE"), "{told}");
            act("goto", None, Some(&site.url("/pages/plain.html")))
        }
        _ => {
            assert!(told.contains("/pages/plain.html"), "{told}");
            give_up()
        }
    })
    .await;
    assert_eq!((went.outcome.kind, went.turns), (OutcomeKind::Failed, 3), "{:#?}", went.outcome);
}

#[tokio::test]
async fn what_the_network_refuses_ends_the_errand_at_once() {
    let nobody = |_: usize, told: &str, _: &Started, _: &Site| {
        let nowhere = told.lines().find_map(|line| line.strip_prefix("Given: nowhere = ")).unwrap();
        act("goto", None, Some(nowhere))
    };
    let went = errand("/pages/plain.html", nobody).await;
    assert_eq!(
        (went.outcome.kind, went.outcome.reason),
        (OutcomeKind::Stopped, Reason::PageError),
        "{:#?}",
        went.outcome
    );
    assert_eq!(went.turns, 1);
}

#[tokio::test]
async fn a_model_that_repeats_what_changes_nothing_is_stopped_long_before_the_limit() {
    let wait = errand("/pages/plain.html", |_, _, _, _| act("wait", None, Some("1"))).await;
    let scroll = errand("/pages/plain.html", |_, _, _, _| act("scroll", None, Some("down"))).await;
    let look = errand("/pages/plain.html", |_, _, _, _| ("observe", json!({"find": "nothing"}))).await;
    let there_and_back = errand("/pages/plain.html", |turn, _, _, site| {
        let page = if turn.is_multiple_of(2) { "/pages/plain.html" } else { "/pages/buttons.html" };
        act("goto", None, Some(&site.url(page)))
    })
    .await;
    for went in [wait, scroll, look, there_and_back] {
        assert_eq!(
            (went.outcome.kind, went.outcome.reason),
            (OutcomeKind::Stopped, Reason::Stuck),
            "{:#?}",
            went.outcome
        );
        assert!(went.turns < 20, "{}", went.turns);
        assert!(went.count(|event| matches!(event, Event::Warned { .. })) > 0 || went.turns < 5);
    }
}

#[tokio::test]
async fn where_memory_is_short_pages_run_no_scripts_and_can_be_used_all_the_same() {
    const PAGE: &str = "<!doctype html><title>Form</title><h1>Form</h1><p id=said>nothing ran</p>\
        <form action=/pages/plain.html><label>Name <input name=n></label><button>Go</button></form>\
        <script>document.querySelector('#said').textContent = 'a script ran, ' + innerWidth</script>";
    let site = Site::builder().page("/", PAGE).start().await;
    let address = format!("127.0.0.1:{}", site.port()).parse().unwrap();
    let stage = Stage::start(Run::Live(Answer::No), &[address], "none-of-it").await;
    let (caller, never) = (Caller::new("thrift"), CancellationToken::new());
    for (thrift, says) in [
        (Thrift::None, "a script ran, 1280"),
        (Thrift::NoScripts, "nothing ran"),
        (Thrift::NoScriptsAndSmall, "nothing ran"),
    ] {
        let url = Some(PageUrl::parse(&site.url("/")).unwrap());
        let opened = stage
            .sessions
            .open(&caller, OpenRequest { url, thrift, ..OpenRequest::default() }, &never)
            .await
            .unwrap();
        let words = stage.sessions.read(&caller, &opened.session, None, 1_000, &never).await.unwrap();
        assert!(words.contains(says), "{thrift:?}: {words}");
        let jpeg = stage.sessions.screenshot(&caller, &opened.session, None, &never).await.unwrap();
        let size = if thrift == Thrift::NoScriptsAndSmall { (800, 600) } else { (1280, 720) };
        assert_eq!(legwork_testkit::jpeg_size(&jpeg), size, "{thrift:?}");
        // Fields are filled and forms are sent without a script.
        let mut look = opened.seen.look;
        for (name, action) in [
            ("Name", Action::Fill { value: legwork_types::contract::FieldValue::Text("Robin".into()) }),
            ("Go", serde_json::from_value(json!({"type": "click"})).unwrap()),
        ] {
            let items = &look.scene().items;
            let at = items.iter().position(|item| item.affordance.name.untrusted() == name).unwrap();
            let request = ActRequest {
                session_id: opened.session.clone(),
                observation_id: look.id().clone(),
                target: Target::Element { action_id: ActionId(u32::try_from(at).unwrap() + 1) },
                action,
                expect: Expect::default(),
                reason: None,
                confirm: false,
                confirmation_text: None,
                observe: ObserveOptions::default(),
            };
            let acted = stage.sessions.act(&caller, request, &never).await;
            assert!(acted.error.is_none(), "{thrift:?} {name}: {:?}", acted.error);
            look = acted.next.unwrap().look;
        }
        assert!(look.scene().page.final_url.untrusted().ends_with("/pages/plain.html?n=Robin"), "{thrift:?}");
        stage.sessions.close(&caller, &opened.session).await.unwrap();
    }
    stage.sessions.shut().await;
}
