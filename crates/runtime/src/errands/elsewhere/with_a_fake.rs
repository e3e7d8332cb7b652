//! The ports over a browser that is made up: what somebody is asked, what is done, and what is done never again.

mod lost;

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use legwork_agent::{
    Act, ActNote, Answer, Call, Commit, Entry, Errand, Event, Look, Manner, Order, PageNote, Picture, Ports,
    Question, Seeing, Someone, Spec, Thrift, TroubleKind,
    service::{Asked, ElementRule, Predicate, ServiceRules, Wanted},
};
use legwork_browser::LaunchOptions;
use legwork_llm::{Attempts, Client, Model, Patience, Runs, Wire};
use legwork_policy::places::Reach;
use legwork_testkit::sites::vendor::{self, Reply, Vendor, VendorWire};
use legwork_types::{Problem, model::Price};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{places::Bounds, ports::Elsewhere, *};
use crate::{Approvals, BrowserSource, Caller, SessionSettings, Sessions, Vault, WireSettings};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

/// What the browser shows and answers, one after the other, the last one for ever; and what was done to it.
#[derive(Default)]
struct Script {
    looks: VecDeque<Result<ForeignPage, ForeignError>>,
    answers: VecDeque<ForeignError>,
    picture: Option<ForeignError>,
    /// What is shown from the next act on.
    led_to: Option<ForeignPage>,
    done: Vec<ForeignAct>,
}

#[derive(Clone, Default)]
struct Fake(Arc<Mutex<Script>>);

impl Fake {
    fn showing(pages: impl IntoIterator<Item = ForeignPage>) -> Self {
        let looks = pages.into_iter().map(Ok).collect();
        Self(Arc::new(Mutex::new(Script { looks, ..Script::default() })))
    }

    fn then(&self, page: ForeignPage) {
        self.0.lock().unwrap().looks.push_back(Ok(page));
    }

    /// Shows this alone from now on.
    fn shows(&self, page: ForeignPage) {
        self.0.lock().unwrap().looks = [Ok(page)].into();
    }

    fn done(&self) -> Vec<ForeignAct> {
        self.0.lock().unwrap().done.clone()
    }
}

impl ForeignBrowser for Fake {
    async fn look(&mut self) -> Result<ForeignPage, ForeignError> {
        let looks = &mut self.0.lock().unwrap().looks;
        if looks.len() > 1 { looks.pop_front().unwrap() } else { looks[0].clone() }
    }

    async fn act(&mut self, act: &ForeignAct) -> Result<(), ForeignError> {
        let mut script = self.0.lock().unwrap();
        script.done.push(act.clone());
        if let Some(page) = script.led_to.take() {
            script.looks = [Ok(page)].into();
        }
        script.answers.pop_front().map_or(Ok(()), Err)
    }

    async fn picture(&mut self) -> Result<Vec<u8>, ForeignError> {
        self.0.lock().unwrap().picture.clone().map_or_else(|| Ok(PNG.to_vec()), Err)
    }

    async fn restart(&mut self) -> Result<(), ForeignError> {
        Ok(())
    }

    async fn close(&mut self) {}
}

/// Whoever is asked, and the log: what they heard.
#[derive(Clone)]
struct Person(Answer, Arc<Mutex<Vec<Question>>>);

impl People for Person {
    async fn ask(&mut self, question: &Question) -> Answer {
        self.1.lock().unwrap().push(question.clone());
        self.0.clone()
    }

    async fn attend(&mut self, _: &Approvals) {}
}

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<String>>>);

impl Journal for Kept {
    async fn record(&mut self, _: &[Entry]) -> Result<(), Problem> {
        Ok(())
    }

    async fn keep_picture(&mut self, name: &str, _: &[u8]) {
        self.0.lock().unwrap().push(name.to_owned());
    }

    async fn show_picture(&mut self, name: &str, _: &[u8]) -> Option<PathBuf> {
        self.0.lock().unwrap().push(name.to_owned());
        Some(Path::new("/kept").join(name))
    }
}

/// All that the ports are joined to.
struct Bench {
    sessions: Sessions,
    client: Client,
    person: Person,
    kept: Kept,
    errand: Errand,
}

impl Bench {
    fn new(answer: Answer) -> Self {
        Self::with(answer, SessionSettings::default())
    }

    fn with(answer: Answer, settings: SessionSettings) -> Self {
        Self::asking(answer, settings, "http://127.0.0.1:9")
    }

    /// The same with a model at this address.
    fn asking(answer: Answer, settings: SessionSettings, base: &str) -> Self {
        let base = base.parse().unwrap();
        let model = Model { name: "m".into(), wire: Wire::Anthropic, base, key: None, runs: Runs::Here };
        let spec = Spec { someone: Someone::Present, ..Spec::new("x") };
        Self {
            sessions: Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {}),
            client: Client::new(model, Patience::USUAL, Attempts::default()).unwrap(),
            person: Person(answer, Arc::default()),
            kept: Kept::default(),
            errand: Errand::begin(spec).0,
        }
    }

    fn ports(&self, fake: &Fake) -> Elsewhere<'_, Kept, Person, Fake> {
        Elsewhere::new(self.world(), fake.clone(), Bounds::Open)
    }

    fn world(&self) -> World<'_, Kept, Person> {
        World {
            sessions: &self.sessions,
            caller: Caller::new("me"),
            client: &self.client,
            price: Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None },
            fallback: None,
            journal: self.kept.clone(),
            people: self.person.clone(),
            stop: CancellationToken::new(),
            cancel: CancellationToken::new(),
        }
    }

    fn seeing(&self) -> Seeing<'_> {
        Seeing { picture: Picture::No, errand: &self.errand }
    }

    fn asked(&self) -> Vec<Question> {
        self.person.1.lock().unwrap().clone()
    }

    /// Does it on the page that is shown now.
    async fn act(&self, ports: &mut Elsewhere<'_, Kept, Person, Fake>, input: &str) -> ActNote {
        let page = ports.look(&Look::default(), self.seeing(), Manner::AtOnce).await.unwrap();
        self.act_on(ports, &page, input).await
    }

    async fn act_on(
        &self,
        ports: &mut Elsewhere<'_, Kept, Person, Fake>,
        page: &PageNote,
        input: &str,
    ) -> ActNote {
        let act = act(input);
        let (observation, seeing) = (page.observation.as_str(), self.seeing());
        ports.act(Order { number: 1, act: &act, observation, seeing, caution: None }).await.1
    }
}

fn act(input: &str) -> Act {
    match Call::read("act", input).unwrap() {
        Call::Act(act) => act,
        other => panic!("{other:?}"),
    }
}

fn code(note: &ActNote) -> &str {
    note.trouble.as_ref().map_or("", |trouble| &trouble.code)
}

/// A page with a button of this name, a field, and a link.
fn page(url: &str, button: &str) -> ForeignPage {
    let part = |role: &str, name: &str, reference: &str| ForeignPart {
        role: role.into(),
        name: name.into(),
        reference: Some(reference.into()),
        ..ForeignPart::default()
    };
    let link = ForeignPart { address: Some("https://b.example/x".into()), ..part("link", "Help", "e3") };
    ForeignPage {
        url: url.into(),
        title: "A".into(),
        parts: vec![part("button", button, "e1"), part("textbox", "Name", "e2"), link],
        ..ForeignPage::default()
    }
}

const HERE: &str = "https://a.example/orders/123/confirm";
const PRESS: &str = r#"{"action":"click","element":1,"why":"w"}"#;

#[tokio::test]
async fn what_is_called_otherwise_by_now_is_not_pressed_whether_somebody_was_asked_or_not() {
    for (name, renamed, asked, done) in [
        ("Continue", "Continue", 0, 1),
        ("Continue", "Finish cancellation", 0, 0),
        ("Finish cancellation", "Finish cancellation", 1, 1),
        ("Finish cancellation", "Finish and pay", 1, 0),
    ] {
        let bench = Bench::new(Answer::Yes);
        let fake = Fake::showing([page(HERE, name), page(HERE, renamed)]);
        let note = bench.act(&mut bench.ports(&fake), PRESS).await;
        assert_eq!((bench.asked().len(), fake.done().len()), (asked, done), "{name} {renamed}");
        assert_eq!(code(&note) == "STALE_OBSERVATION", done == 0, "{note:?}");
    }
    let moved = [page(HERE, "Pay"), page("https://a.example/other", "Pay")];
    let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing(moved));
    assert_eq!(code(&bench.act(&mut bench.ports(&fake), PRESS).await), "STALE_OBSERVATION");
    assert!(fake.done().is_empty());
}

#[tokio::test]
async fn only_a_yes_does_it_and_where_nobody_is_nothing_is_done() {
    for (answer, done) in
        [(Answer::Yes, 1), (Answer::No, 0), (Answer::Nothing, 0), (Answer::Words("yes".into()), 0)]
    {
        let (bench, fake) = (Bench::new(answer), Fake::showing([page(HERE, "Pay now")]));
        let note = bench.act(&mut bench.ports(&fake), PRESS).await;
        assert_eq!((fake.done().len(), note.sent.len()), (done, done), "{note:?}");
    }
    let mut bench = Bench::new(Answer::Yes);
    bench.errand = Errand::begin(Spec { someone: Someone::Absent, ..Spec::new("x") }).0;
    let fake = Fake::showing([page(HERE, "Pay now")]);
    let note = bench.act(&mut bench.ports(&fake), PRESS).await;
    assert!(note.caught.is_some() && fake.done().is_empty() && bench.asked().is_empty(), "{note:?}");
}

#[tokio::test]
async fn an_address_that_might_take_words_along_is_asked_about() {
    for (url, asked) in [
        ("https://c.example/?q=secret", 1),
        ("https://b.example/x", 0),
        ("https://c.example/", 0),
        ("https://a.example/help", 0),
    ] {
        let (bench, fake) = (Bench::new(Answer::No), Fake::showing([page(HERE, "Continue")]));
        bench
            .act(&mut bench.ports(&fake), &format!(r#"{{"action":"goto","value":"{url}","why":"w"}}"#))
            .await;
        assert_eq!((bench.asked().len(), fake.done().len()), (asked, 1 - asked), "{url}");
    }
}

#[tokio::test]
async fn what_was_approved_and_may_have_been_done_is_not_done_again() {
    for (answer, again) in [
        (None, true),
        (Some(ForeignError::NotOffered("no".into())), true),
        (Some(ForeignError::TimedOut("click".into())), false),
        (Some(ForeignError::Unheard("too long".into())), false),
        (Some(ForeignError::Failed("it says that it failed".into())), false),
        (Some(ForeignError::BrokenOff), false),
    ] {
        let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, "Pay now")]));
        fake.0.lock().unwrap().answers.extend(answer.clone());
        let mut ports = bench.ports(&fake);
        bench.act(&mut ports, PRESS).await;
        // The same of another basket.
        fake.then(page("https://a.example/orders/124/confirm", "Pay now"));
        ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
        let second = bench.act(&mut ports, PRESS).await;
        assert_eq!(code(&second) == "UNKNOWN_OUTCOME", !again, "{answer:?}: {second:?}");
        assert_eq!(fake.done().len(), if again { 2 } else { 1 }, "{answer:?}");
        // Something else is done all the same.
        fake.then(page(HERE, "Continue"));
        ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
        assert_eq!(code(&bench.act(&mut ports, PRESS).await), "", "{answer:?}");
    }
}

#[tokio::test]
async fn after_a_loss_a_question_names_what_was_approved_before_and_its_picture() {
    let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, "Pay now")]));
    let mut ports = bench.ports(&fake);
    bench.act(&mut ports, PRESS).await;
    let Question::Approve { action, reason } = &bench.asked()[0] else { panic!() };
    assert_eq!(action, &format!("click button \"Pay now\" at {HERE}"));
    assert!(
        reason.contains("a picture of the page is /kept/ota-0001.png") && !reason.contains("approved before"),
        "{reason}"
    );
    assert_eq!(*bench.kept.0.lock().unwrap(), ["ota-0001.png"]);

    let spot = "https://a.example:443/orders/{id}/confirm#click-button-order-all";
    let commits = [Commit { method: "ACT".into(), address: spot.into() }];
    ports.reconnect(None, &commits, Thrift::None, bench.seeing()).await.unwrap();
    bench.act(&mut ports, PRESS).await;
    let checkpoint = Question::Checkpoint { action: "click".into(), why: "it pays".into(), url: HERE.into() };
    assert_eq!(ports.ask_person(&checkpoint).await, Answer::Yes);
    for question in &bench.asked()[1..] {
        let (Question::Approve { reason: why, .. } | Question::Checkpoint { why, .. }) = question else {
            panic!()
        };
        assert!(why.contains("approved before") && why.contains(spot) && why.contains(".png"), "{why}");
    }
    assert_eq!(bench.asked().len(), 3);
}

#[tokio::test]
async fn a_server_that_is_lost_over_a_picture_is_lost_and_one_without_pictures_is_good_enough() {
    for (error, kind) in [
        (ForeignError::Lost("it ended".into()), Some(TroubleKind::Disconnect)),
        (ForeignError::Gone("for good".into()), Some(TroubleKind::NoBrowser)),
        (ForeignError::NotOffered("it takes none".into()), None),
        (ForeignError::TimedOut("a picture".into()), None),
    ] {
        let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, "Pay now")]));
        fake.0.lock().unwrap().picture = Some(error.clone());
        let mut ports = bench.ports(&fake);
        let seeing = Seeing { picture: Picture::Wanted, ..bench.seeing() };
        let looked = ports.look(&Look::default(), seeing, Manner::AtOnce).await;
        assert_eq!(looked.err().map(|trouble| trouble.kind), kind, "{error:?}");
        let note = bench.act(&mut ports, PRESS).await;
        assert_eq!(note.trouble.map(|trouble| trouble.kind), kind, "{error:?}");
        assert_eq!((bench.asked().len(), fake.done().len()), if kind.is_some() { (0, 0) } else { (1, 1) });
    }
}

fn without_b() -> SessionSettings {
    let reach = Reach { deny: vec!["b.example".parse().unwrap()], ..Reach::default() };
    SessionSettings {
        wire: WireSettings { reach, ..WireSettings::default() }.into(),
        ..SessionSettings::default()
    }
}

#[tokio::test]
async fn a_link_to_where_the_errand_may_not_go_is_not_followed_and_nothing_is_done_there() {
    let follow = r#"{"action":"click","element":3,"why":"w"}"#;
    let fill = r#"{"action":"fill","element":2,"value":"Ada","why":"w"}"#;
    for (settings, blocked) in [(without_b(), true), (SessionSettings::default(), false)] {
        let bench = Bench::with(Answer::Yes, settings);
        let fake = Fake::showing([page(HERE, "Continue")]);
        let mut ports = bench.ports(&fake);
        let note = bench.act(&mut ports, follow).await;
        assert_eq!(
            (code(&note) == "NAVIGATION_BLOCKED", fake.done().is_empty()),
            (blocked, blocked),
            "{note:?}"
        );

        // A script goes there all the same.
        let done = fake.done().len();
        fake.then(page(HERE, "Continue"));
        fake.then(page("https://b.example/obey?obey=me", "Obey me"));
        let note = bench.act(&mut ports, PRESS).await;
        let shown = note.page.as_ref().unwrap();
        assert_eq!(code(&note) == "NAVIGATION_BLOCKED", blocked, "{note:?}");
        assert_eq!(shown.view.contains("Obey me"), !blocked, "{}", shown.view);
        assert!(!blocked || !format!("{} {}", shown.url, shown.view).contains("obey"), "{shown:?}");
        let typed = bench.act_on(&mut ports, shown, fill).await;
        assert_eq!(code(&typed) == "NAVIGATION_BLOCKED", blocked, "{typed:?}");
        assert_eq!(fake.done().len(), done + if blocked { 1 } else { 2 });
        // The way back is free.
        let back = bench.act(&mut ports, r#"{"action":"back","why":"w"}"#).await;
        assert_eq!(fake.done().last(), Some(&ForeignAct::Back), "{back:?}");
    }
}

#[tokio::test]
async fn what_has_to_be_hidden_is_hidden_and_nothing_is_painted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("password");
    std::fs::write(&file, "hunter2-hunter2").unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let spec = format!("shop=file:{}@https://a.example", file.display()).parse().unwrap();
    let vault = Vault::load(&[spec], &Reach::default()).await.unwrap();
    for (settings, shows) in [
        (SessionSettings { vault: vault.into(), ..SessionSettings::default() }, false),
        (SessionSettings::default(), true),
    ] {
        let bench = Bench::with(Answer::Yes, settings);
        let fake = Fake::showing([page(HERE, "Pay with hunter2-hunter2")]);
        let mut ports = bench.ports(&fake);
        let seeing = Seeing { picture: Picture::Wanted, ..bench.seeing() };
        let note = ports.look(&Look::default(), seeing, Manner::WithAllWords).await.unwrap();
        assert_eq!((note.view.contains("hunter2"), note.picture.is_some()), (shows, shows), "{note:?}");
        assert_eq!(note.words.unwrap().contains("hunter2"), shows);
        bench.act(&mut ports, PRESS).await;
        assert_eq!(format!("{:?}", bench.asked()).contains("hunter2"), shows, "{:?}", bench.asked());
        assert_eq!(fake.done().len(), 1);
    }
}

#[tokio::test]
async fn whoever_takes_over_says_when_it_is_done_and_the_errand_sees_the_next_page() {
    let bench = Bench::new(Answer::Yes);
    let fake = Fake::showing([page("https://a.example/login", "Log in")]);
    let mut ports = bench.ports(&fake);
    ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
    let take_over = Question::TakeOver { wants: Wanted::Login, url: "https://a.example/login".into() };
    assert_eq!(ports.ask_person(&take_over).await, Answer::Yes);
    assert_eq!(bench.asked(), [take_over]);
    fake.shows(page("https://a.example/account", "Log out"));
    let after = ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
    assert_eq!((after.url.as_str(), after.logged_in), ("https://a.example/account", Some(true)));
    assert!(fake.done().is_empty());
}

/// An errand of a service that asks before whatever is called finish.
fn of_service() -> Spec {
    let element = Some(ElementRule { role: vec![], name: vec!["finish".into()] });
    let rules = ServiceRules {
        checkpoint: vec![Predicate { element, ..Predicate::default() }],
        asked: Asked::BeforeTheAct,
        ..ServiceRules::default()
    };
    Spec { someone: Someone::Present, service: Some(rules), ..Spec::new("x") }
}

#[tokio::test]
async fn a_checkpoint_of_a_service_is_asked_about_once_and_by_name() {
    let mut bench = Bench::new(Answer::Yes);
    bench.errand = Errand::begin(of_service()).0;
    let fake = Fake::showing([page(HERE, "Finish cancellation")]);
    let looked = bench.ports(&fake).look(&Look::default(), bench.seeing(), Manner::AtOnce).await;
    let note = looked.unwrap();
    assert!(note.named.contains(&(1, "button \"Finish cancellation\"".to_owned())), "{:?}", note.named);
    bench.errand.apply(&Event::Looked { page: Box::new(note) });
    // The loop has asked: the floor does not ask again, and the yes is in the evidence.
    let mut ports = bench.ports(&fake);
    let done = bench.act(&mut ports, PRESS).await;
    assert!(bench.asked().is_empty() && fake.done().len() == 1, "{done:?}");
    assert_eq!(done.commits.len(), 1);
    let behind = ForeignPage { is_unread: true, dialog: Some("Sure?".into()), ..page(HERE, "") };
    fake.shows(behind);
    let note = ports.look(&Look::default(), bench.seeing(), Manner::WithAllWords).await.unwrap();
    assert_eq!((note.dialog.as_deref(), note.words, note.signs), (Some("\"Sure?\""), None, None));
}

#[tokio::test]
async fn a_captcha_and_a_code_wait_for_a_person_where_the_file_of_a_service_says_nothing_of_them() {
    let heading =
        |says: &str| ForeignPart { role: "heading".into(), name: says.into(), ..ForeignPart::default() };
    let field = |name: &str| ForeignPart {
        role: "textbox".into(),
        name: name.into(),
        reference: Some("e9".into()),
        ..ForeignPart::default()
    };
    for (part, wants) in [
        (heading("Verify you are human"), Some(Wanted::Captcha)),
        (field("Verification code"), Some(Wanted::Code)),
        (heading("Your orders"), None),
    ] {
        let vendor = Vendor::start(|asked: &vendor::Asked| match asked.has_tool("create_plan") {
            true => Reply::call("create_plan", json!({"plan": "See.", "successCriteria": "It is seen."})),
            false => {
                Reply::call("complete_task", json!({"status": "failed", "reason": "r", "evidence": "e"}))
            }
        });
        let vendor = vendor.unwrap();
        let base = vendor.base_url(VendorWire::Anthropic);
        let bench = Bench::asking(Answer::Yes, SessionSettings::default(), &base);
        let mut walled = page(HERE, "Continue");
        walled.parts.push(part);
        let fake = Fake::showing([walled.clone(), page(HERE, "Continue")]);
        run_errand_elsewhere(of_service(), bench.world(), fake.clone()).await;
        let waited = wants.map(|wants| Question::TakeOver { wants, url: HERE.into() });
        assert_eq!(bench.asked(), Vec::from_iter(waited), "{walled:?}");
        assert!(fake.done().is_empty());
    }
}

#[tokio::test]
async fn nobody_is_asked_at_a_checkpoint_about_what_is_not_done_again_anyway() {
    let mut turns = 0;
    let vendor = Vendor::start(move |asked: &vendor::Asked| {
        if asked.has_tool("create_plan") {
            return Reply::call(
                "create_plan",
                json!({"plan": "Press it.", "successCriteria": "It is gone."}),
            );
        }
        turns += 1;
        match turns {
            1 | 2 => Reply::call("act", json!({"action": "click", "element": 1, "why": "w"})),
            _ => {
                let end = json!({"status": "failed", "reason": "nobody can tell", "evidence": "e"});
                Reply::call("complete_task", end)
            }
        }
    });
    let vendor = vendor.unwrap();
    let base = vendor.base_url(VendorWire::Anthropic);
    let bench = Bench::asking(Answer::Yes, SessionSettings::default(), &base);
    let fake = Fake::showing([page(HERE, "Finish cancellation")]);
    fake.0.lock().unwrap().answers.push_back(ForeignError::TimedOut("click".into()));
    let finished = run_errand_elsewhere(of_service(), bench.world(), fake.clone()).await;
    assert_eq!(finished.spent.turns, 3, "{finished:?}");
    assert_eq!((bench.asked().len(), fake.done().len()), (1, 1), "{:?}", bench.asked());
}
