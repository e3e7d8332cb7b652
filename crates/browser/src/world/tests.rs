//! The fold without a browser: what news lead to which effects.

use legwork_cdp::protocol::target::{self, TargetInfo};
use serde_json::json;

use super::{ask::Sought, *};

const CONTEXT: &str = "ours";

fn keeping() -> Keeping {
    Keeping {
        downloads: DownloadLimits::default(),
        folder: "/downloads".into(),
        barrier: SharedBarrier(std::sync::Arc::new(crate::ReadsOnly)),
        sockets: vec![],
        thrift: crate::Thrift::None,
        hold: Duration::from_secs(120),
    }
}

struct Story {
    world: World,
    now: Instant,
    sessions: u32,
}

impl Story {
    fn new() -> Self {
        let mut world = World::default();
        world.add_context(Some(CONTEXT.into()), keeping());
        Self { world, now: Instant::now(), sessions: 0 }
    }

    fn hears(&mut self, fact: Fact) -> Vec<Effect> {
        self.world.apply(fact, self.now)
    }

    /// A target of this kind attaches in a new session.
    fn attaches(
        &mut self,
        kind: &str,
        context: &str,
        opener: Option<&str>,
        parent: Option<&SessionId>,
    ) -> (SessionId, Vec<Effect>) {
        self.sessions += 1;
        let session = SessionId::new(&format!("S{}", self.sessions));
        let info = json!({"targetId": format!("T{}", self.sessions), "type": kind, "title": "", "url": "about:blank",
            "browserContextId": context, "openerId": opener});
        let info = serde_json::from_value(info).unwrap();
        let effects = self.hears(Fact::Attached { parent: parent.cloned(), session: session.clone(), info });
        (session, effects)
    }

    /// A page of ours, ready.
    fn page(&mut self) -> (SessionId, TabId) {
        let (session, effects) = self.attaches("page", CONTEXT, None, None);
        assert_eq!(effects[0], Effect::PreparePage { session: session.clone() });
        let target = format!("T{}", self.sessions);
        let tree = json!({"frame": {"id": target, "loaderId": "L0", "url": "about:blank"}});
        self.world.prepared(&session, Some(&serde_json::from_value(tree).unwrap()));
        let Sought::Found(tab, _) = self.world.watch_target(&target) else { panic!("no tab for {target}") };
        (session, tab)
    }

    fn asks(&mut self, session: &SessionId, kind: &str) -> Vec<Effect> {
        let dialog = serde_json::from_value(json!({"url": "", "message": "sure?", "type": kind})).unwrap();
        self.hears(Fact::DialogOpened { session: session.clone(), dialog })
    }

    fn phase(&self, tab: TabId) -> Option<Phase> {
        self.world.watch(tab).map(|state| state.borrow().phase)
    }

    fn tabs(&self) -> (Vec<TabId>, Option<TabId>) {
        self.world.tabs_of(&Some(CONTEXT.into()))
    }
}

#[test]
fn targets_of_other_kinds_and_other_owners_are_let_go() {
    let mut story = Story::new();
    for kind in [
        "browser_ui",
        "tab",
        "webview",
        "background_page",
        "auction_worklet",
        "other",
        "a kind of the future",
    ] {
        let (session, effects) = story.attaches(kind, CONTEXT, None, None);
        assert_eq!(effects, [Effect::Release { session }], "{kind}");
    }
    for kind in ["page", "service_worker", "shared_worker"] {
        let (session, effects) = story.attaches(kind, "somebody else's", None, None);
        assert_eq!(effects, [Effect::Release { session }], "{kind}");
    }
    let (session, effects) = story.attaches("iframe", CONTEXT, None, None);
    assert_eq!(effects, [Effect::Release { session }], "a frame of nobody");
    assert_eq!(story.tabs(), (vec![], None));
}

#[test]
fn frames_and_workers_of_a_page_are_prepared() {
    let mut story = Story::new();
    let (page, tab) = story.page();
    let (frame, effects) = story.attaches("iframe", CONTEXT, None, Some(&page));
    assert_eq!(effects, [Effect::PrepareFrame { session: frame.clone() }]);
    let (worker, effects) = story.attaches("worker", CONTEXT, None, Some(&frame));
    assert_eq!(effects, [Effect::PrepareWorker { session: worker.clone() }]);
    let (nested, effects) = story.attaches("worker", CONTEXT, None, Some(&worker));
    assert_eq!(effects, [Effect::PrepareWorker { session: nested }]);
    assert_eq!(story.world.session_of_frame(tab, &FrameId::new("T2")), Some(frame));
}

#[test]
fn the_same_news_twice_make_one_tab() {
    let mut story = Story::new();
    let (session, _) = story.page();
    let info = json!({"targetId": "T1", "type": "page", "url": "about:blank", "browserContextId": CONTEXT});
    let info: TargetInfo = serde_json::from_value(info).unwrap();
    let again = Fact::Attached { parent: None, session, info: info.clone() };
    assert_eq!(story.hears(again), []);
    let second = SessionId::new("another session of the same target");
    let twice = Fact::Attached { parent: None, session: second.clone(), info };
    assert_eq!(story.hears(twice), [Effect::Release { session: second }]);
    assert_eq!(story.tabs().0.len(), 1);
}

#[test]
fn after_a_gap_only_what_was_known_then_can_be_gone() {
    let mut story = Story::new();
    let (_, one) = story.page();
    let known = story.world.targets();
    let (_, two) = story.page();
    let stray = json!({"targetId": "T9", "type": "page", "url": "", "browserContextId": CONTEXT});
    let foreign = json!({"targetId": "T8", "type": "page", "url": "", "browserContextId": "somebody else's"});
    let living: Vec<TargetInfo> =
        vec![serde_json::from_value(stray).unwrap(), serde_json::from_value(foreign).unwrap()];
    let effects = story.world.compared(&known, &living);
    assert_eq!(effects[0], Effect::Attach { target: "T9".into() });
    assert!(effects.contains(&Effect::CloseTarget { target: "T1".into() }));
    assert_eq!((story.phase(one), story.tabs().0), (None, vec![two]));
}

#[test]
fn a_page_has_its_say_again_when_we_stay() {
    let mut story = Story::new();
    let (session, tab) = story.page();
    let dismissed = [Effect::AnswerDialog { session: session.clone(), accept: false, text: None }];
    let accepted = [Effect::AnswerDialog { session: session.clone(), accept: true, text: None }];
    assert_eq!(story.asks(&session, "beforeunload"), dismissed);
    story.world.leaving(tab);
    assert_eq!(story.asks(&session, "confirm"), dismissed);
    assert_eq!(story.asks(&session, "beforeunload"), accepted);
    // A document that came up meanwhile may ask; but it can't keep us either.
    let frame = json!({"id": "T1", "loaderId": "L1", "url": "http://x/"});
    story.hears(Fact::FrameNavigated {
        session: session.clone(),
        frame: serde_json::from_value(frame).unwrap(),
    });
    assert!(matches!(story.asks(&session, "confirm")[..], [Effect::ExpireDialog { .. }]));
    assert_eq!(story.asks(&session, "beforeunload"), accepted);
    story.world.stays(tab);
    assert_eq!(story.asks(&session, "beforeunload"), dismissed);
}

#[test]
fn a_page_that_can_not_be_prepared_may_not_live() {
    let mut story = Story::new();
    let (session, _) = story.attaches("page", CONTEXT, None, None);
    let effects = story.world.prepared(&session, None);
    assert!(effects.contains(&Effect::CloseTarget { target: "T1".into() }));
    assert_eq!(story.tabs(), (vec![], None));
}

#[test]
fn a_flood_of_tabs_is_refused_and_ends_with_time() {
    let mut story = Story::new();
    story.page();
    for n in 0..FLOOD + 5 {
        let (session, effects) = story.attaches("page", CONTEXT, Some("T1"), None);
        let refused = matches!(&effects[0], Effect::Refuse { session: refused, .. } if *refused == session);
        assert_eq!(refused, n >= FLOOD, "tab {n}");
        assert!(story.tabs().0.len() <= 3);
    }
    story.now += FLOOD_SPAN;
    let (session, effects) = story.attaches("page", CONTEXT, Some("T1"), None);
    assert_eq!(effects[0], Effect::PreparePage { session });
}

#[test]
fn only_where_a_page_goes_by_itself_does_it_go_in_circles() {
    let mut story = Story::new();
    let (session, tab) = story.page();
    let goes_on = |story: &mut Story, n: usize| {
        story.now += Duration::from_millis(900);
        let page = json!({"id": "T1", "loaderId": format!("L{n}"), "url": "http://a/"});
        let frame = serde_json::from_value(page).unwrap();
        story.hears(Fact::FrameNavigated { session: session.clone(), frame });
        story.phase(tab)
    };
    for n in 0..3 * CIRCLES {
        story.world.is_acted_on(tab);
        assert_eq!(goes_on(&mut story, n), Some(Phase::Ready), "an act led there");
    }
    for n in 1..CIRCLES {
        assert_eq!(goes_on(&mut story, n), Some(Phase::Ready));
    }
    assert_eq!(goes_on(&mut story, 0), None, "the tab is ended");
}

#[test]
fn an_unanswered_question_is_dismissed_and_the_next_one_at_once() {
    let mut story = Story::new();
    let (session, tab) = story.page();
    let held = story.asks(&session, "confirm");
    let Effect::ExpireDialog { serial, .. } = held[0] else { panic!("{held:?}") };
    let dismissed = Effect::AnswerDialog { session: session.clone(), accept: false, text: None };
    assert_eq!(story.world.dialog_expired(tab, serial + 1), [], "another dialog's time");
    assert_eq!(story.world.dialog_expired(tab, serial), vec![dismissed.clone()]);
    assert_eq!(story.world.dialog_expired(tab, serial), [], "twice");
    assert_eq!(story.asks(&session, "confirm"), [dismissed]);
}

#[test]
fn a_decision_reaches_the_session_that_asked_once() {
    let mut story = Story::new();
    let (page, tab) = story.page();
    let (frame, _) = story.attaches("iframe", CONTEXT, None, Some(&page));
    story.asks(&frame, "prompt");
    let answer = story.world.answer_dialog(tab, true, Some("yes".into())).unwrap();
    assert_eq!(answer, [Effect::AnswerDialog { session: frame, accept: true, text: Some("yes".into()) }]);
    assert_eq!(story.world.answer_dialog(tab, true, None), None);
}

#[test]
fn a_crash_ends_the_tab_and_the_one_before_comes_to_the_front() {
    let mut story = Story::new();
    let (first, one) = story.page();
    let (second, two) = story.page();
    let watcher = story.world.watch(two).unwrap();
    assert_eq!(story.hears(Fact::SessionCrashed { session: second.clone() }), []);
    let effects = story.hears(Fact::TargetCrashed { target: "T2".into(), gone: Gone::Crashed });
    assert!(effects.contains(&Effect::Abandon { session: second.clone() }));
    assert!(effects.contains(&Effect::CloseTarget { target: "T2".into() }));
    assert!(effects.contains(&Effect::BringToFront { session: first }));
    assert_eq!(watcher.borrow().phase, Phase::Gone(Gone::Crashed));
    assert_eq!((story.phase(two), story.tabs()), (None, (vec![one], Some(one))));
    // What the browser still says of it is old news.
    assert_eq!(story.hears(Fact::TargetGone { target: "T2".into() }), []);
    assert_eq!(story.hears(Fact::Detached { session: second }), []);
}

#[test]
fn what_gets_no_memory_gives_up_and_what_is_killed_does_not() {
    for (status, error_code, expected) in [
        ("crashed", 5, Gone::GaveUp),
        ("oom", 9, Gone::GaveUp),
        ("crashed", 11, Gone::Crashed),
        ("killed", 9, Gone::Crashed),
        ("", 0, Gone::Crashed),
    ] {
        let crashed = target::Crashed { target_id: "T1".into(), status: status.into(), error_code };
        assert_eq!(Gone::of_crash(&crashed), expected, "{status} {error_code}");
    }
}

#[test]
fn of_a_tab_that_is_gone_nobody_says_that_what_it_was_to_send_again_did_not_leave() {
    let outgoing = |tab| Outgoing {
        method: "POST".into(),
        url: "https://shop.test/order".into(),
        kind: legwork_types::OutgoingKind::Page,
        headers: vec![],
        body: legwork_types::OutgoingBody::None,
        sender: legwork_types::Sender { tab: Some(tab), loader: Some("L0".into()), ..Default::default() },
        redirected: false,
        hops: vec![],
    };
    for crashes in [false, true] {
        let mut story = Story::new();
        let (_, tab) = story.page();
        assert!(story.world.send_again(Ticket(1), outgoing(tab)).is_some());
        if crashes {
            story.hears(Fact::TargetCrashed { target: "T1".into(), gone: Gone::Crashed });
        }
        let sent = story.world.was_sent_again(tab);
        // It may have left before the tab was gone; in a tab that is there it still waits.
        assert_eq!(matches!(sent, SentAgain::Yes), crashes);
    }
}

#[test]
fn a_closed_context_takes_its_tabs_along() {
    let mut story = Story::new();
    let (_, tab) = story.page();
    let effects = story.world.remove_context(&Some(CONTEXT.into()));
    assert!(effects.contains(&Effect::CloseTarget { target: "T1".into() }));
    assert_eq!(story.phase(tab), None);
    let (session, effects) = story.attaches("page", CONTEXT, None, None);
    assert_eq!(effects, [Effect::Release { session }], "a page that comes too late");
}

#[test]
fn a_closed_context_ends_its_downloads() {
    let mut story = Story::new();
    story.page();
    let download = json!({"frameId": "T1", "guid": "6", "url": "u", "suggestedFilename": "a.txt"});
    story.hears(Fact::DownloadBegan { download: serde_json::from_value(download).unwrap() });
    let context = Some(CONTEXT.to_owned());
    let effects = story.world.remove_context(&context);
    assert!(effects.contains(&Effect::CancelDownload { context: context.clone(), guid: "6".into() }));
    assert!(effects.contains(&Effect::ForgetDownloads { context, folder: "/downloads".into() }));
}

#[test]
fn the_default_context_takes_what_has_no_other_owner() {
    let mut story = Story::new();
    assert!(story.world.add_context(None, keeping()));
    assert!(!story.world.add_context(None, keeping()), "it is there once");
    let (session, effects) = story.attaches("page", "the profile's own", None, None);
    assert_eq!(effects, [Effect::PreparePage { session }]);
    assert_eq!(story.world.tabs_of(&None).0.len(), 1);
}

#[test]
fn a_new_tab_that_shows_nothing_in_time_is_closed() {
    let mut story = Story::new();
    story.page();
    let (session, effects) = story.attaches("page", CONTEXT, Some("T1"), None);
    let tab = story.tabs().1.unwrap();
    assert!(effects.contains(&Effect::WatchLoad { tab }));
    assert_eq!(story.world.load_overdue(tab), [], "about:blank on purpose");
    story.hears(Fact::Loading { session, frame: FrameId::new("T2"), now: true });
    assert!(story.world.load_overdue(tab).contains(&Effect::CloseTarget { target: "T2".into() }));
}

#[test]
fn a_download_of_an_unknown_page_is_cancelled() {
    let mut story = Story::new();
    story.page();
    let began = |frame: &str| {
        let download = json!({"frameId": frame, "guid": "6", "url": "u", "suggestedFilename": "a.txt"});
        Fact::DownloadBegan { download: serde_json::from_value(download).unwrap() }
    };
    let context = Some(CONTEXT.to_owned());
    assert_eq!(
        story.hears(began("nobody")),
        [Effect::CancelDownload { context: context.clone(), guid: "6".into() }]
    );
    let most = DownloadLimits::default().time;
    let watch = Effect::WatchDownload { context: context.clone(), guid: "6".into(), most };
    assert_eq!(story.hears(began("T1")), [watch]);
    let done = json!({"guid": "6", "totalBytes": 3, "receivedBytes": 3, "state": "completed"});
    let done = Fact::DownloadWent { progress: serde_json::from_value(done).unwrap() };
    let keep = Effect::KeepDownload {
        context,
        folder: "/downloads".into(),
        guid: "6".into(),
        name: "a.txt".into(),
        bytes: 3,
    };
    assert_eq!(story.hears(done), [keep]);
    assert_eq!(story.world.download_overdue(&Some(CONTEXT.to_owned()), "6"), [], "it was in time");
}

#[test]
fn a_document_that_is_asked_for_is_under_way_until_it_comes_up_or_is_called_off() {
    let mut story = Story::new();
    let (session, tab) = story.page();
    let begins = |loader: &str, frame: &str| RequestNews::Began {
        id: loader.into(),
        line: Line::of("GET", "http://a/"),
        kind: Kind::of("Document"),
        document_of: Some(FrameId::new(frame)),
        redirected: None,
    };
    let failed = |loader: &str, called_off| RequestNews::Failed { id: loader.into(), called_off };
    let leaves = |story: &Story| story.world.watch(tab).unwrap().borrow().under_way.is_some();
    let hears = |story: &mut Story, news| {
        story.hears(Fact::Request { session: session.clone(), news });
        leaves(story)
    };
    assert!(!hears(&mut story, begins("L1", "a frame in it")));
    assert!(hears(&mut story, begins("L2", "T1")));
    assert!(hears(&mut story, failed("L1", true)), "another one");
    assert!(!hears(&mut story, failed("L2", true)));
    assert!(hears(&mut story, begins("L3", "T1")) && hears(&mut story, failed("L3", false)));
    let page = json!({"id": "T1", "loaderId": "L3", "url": "http://a/", "unreachableUrl": "http://a/"});
    let frame = serde_json::from_value(page).unwrap();
    story.hears(Fact::FrameNavigated { session: session.clone(), frame });
    assert!(!leaves(&story), "the browser's own page came up in its place");
    assert!(hears(&mut story, begins("L4", "T1")) && hears(&mut story, failed("L4", false)));
    story.world.goes_nowhere(tab);
    assert!(!leaves(&story));
}

#[test]
fn what_others_send_is_not_told_as_a_tabs_own() {
    let mut story = Story::new();
    let ((first, tab), (second, _)) = (story.page(), story.page());
    let (worker, _) = story.attaches("shared_worker", CONTEXT, None, None);
    let key = Some(CONTEXT.to_owned());
    let mark = story.world.mark(&key, tab);
    for (session, path) in [(&first, "/own"), (&second, "/other"), (&worker, "/shared")] {
        let news = RequestNews::Began {
            id: path.into(),
            line: Line::of("GET", &format!("http://a{path}")),
            kind: Kind::of("Fetch"),
            document_of: None,
            redirected: None,
        };
        story.hears(Fact::Request { session: session.clone(), news });
    }
    let account = story.world.since(&key, tab, &mark, 20);
    let paths: Vec<&str> = account.sent.requests.iter().map(|request| &*request.line.path).collect();
    assert_eq!(paths, ["/own", "/shared"]);
    assert_eq!(story.world.traffic(&key, tab, &mark, story.now).pending, 2);
    story.world.news_lost();
    assert_eq!(
        story.world.traffic(&key, tab, &mark, story.now).pending,
        0,
        "nobody knows what is still on its way"
    );
    story.hears(Fact::Detached { session: worker });
    assert!(story.world.shared_workers.is_empty());
}

#[test]
fn a_tab_that_ends_is_asked_nothing_any_more() {
    let mut story = Story::new();
    let (session, tab) = story.page();
    story.asks(&session, "confirm");
    let effects = story.world.close_tab(tab, "closed by us");
    let dismissed = Effect::AnswerDialog { session, accept: false, text: None };
    assert_eq!(effects[0], dismissed, "before the tab is closed");
    assert!(effects.contains(&Effect::CloseTarget { target: "T1".into() }));
}

#[test]
fn a_question_whose_frame_is_taken_away_is_never_answered() {
    let mut story = Story::new();
    let (session, tab) = story.page();
    let frame = FrameId::new("F1");
    story.hears(Fact::FrameAttached {
        session: session.clone(),
        frame: frame.clone(),
        parent: FrameId::new("T1"),
    });
    let asks = json!({"message": "sure?", "type": "confirm", "frameId": "F1"});
    let dialog = serde_json::from_value(asks).unwrap();
    story.hears(Fact::DialogOpened { session: session.clone(), dialog });
    let moves = Fact::FrameDetached { session: session.clone(), frame: frame.clone(), moves: true };
    assert_eq!(story.hears(moves), [], "it is only elsewhere");
    let effects = story.hears(Fact::FrameDetached { session: session.clone(), frame, moves: false });
    assert_eq!(effects[0], Effect::CutOff { session });
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::AnswerDialog { .. })), "{effects:?}");
    assert_eq!(story.phase(tab), None);
}

/// A write to this path, as the network tells of it.
fn write(path: &str, redirected: Option<u16>) -> RequestNews {
    RequestNews::Began {
        id: "R1".into(),
        line: Line::of("POST", &format!("http://a{path}")),
        kind: Kind::of("Fetch"),
        document_of: None,
        redirected,
    }
}

/// The same, as it waits at the barrier.
fn waits(session: &SessionId, path: &str) -> Paused {
    let event = json!({"requestId": "interception", "networkId": "R1", "frameId": "T1", "resourceType": "XHR",
        "request": {"url": format!("http://a{path}"), "method": "POST"}});
    Paused::of(Some(session.clone()), serde_json::from_str(&event.to_string()).unwrap())
}

#[test]
fn a_write_that_was_answered_and_did_not_wait_costs_its_tab() {
    let answered =
        |by_server| RequestNews::Answered { id: "R1".into(), status: 200, endless: false, by_server };
    for (waited, news, is_closed) in [
        (&["/"][..], vec![write("/", None), answered(true)], false),
        (&["/", "/on"], vec![write("/", None), write("/on", Some(307)), answered(true)], false),
        (&[], vec![write("/", None), answered(false)], false),
        (&[], vec![write("/", None), RequestNews::Failed { id: "R1".into(), called_off: false }], false),
        (&[], vec![answered(true)], false),
        (&[], vec![write("/", None), answered(true)], true),
        (&[], vec![write("/", None), write("/on", Some(307))], true),
        (&["/"], vec![write("/", None), write("/on", Some(307)), answered(true)], true),
    ] {
        let mut story = Story::new();
        let (session, tab) = story.page();
        for path in waited {
            story.world.paused(waits(&session, path), story.now);
        }
        let told = format!("{waited:?} {news:?}");
        for news in news {
            story.hears(Fact::Request { session: session.clone(), news });
        }
        assert_eq!(story.phase(tab).is_none(), is_closed, "{told}");
    }
}
