//! What a gate asks, and what becomes of the answers, without a browser.

use legwork_policy::{WhoConfirms, wire::Mode};
use legwork_testkit::wait_until_async;
use legwork_types::{OutgoingBody, Sender};

use super::*;
use crate::approvals::{Answer, Approval, NotDecided, USUAL_LIFE};

fn act(danger: &[&str], kind: ActKind) -> InFlight {
    let danger = danger.iter().map(|reason| (*reason).to_owned()).collect();
    InFlight {
        words: "act".into(),
        facts: ActFacts { danger, is_link: false, kind },
        says_yes: false,
        target: None,
        observation: ObservationId("o".into()),
        documents: BTreeSet::from([Arc::from("l1")]),
        said: None,
        since: Instant::now(),
    }
}

#[tokio::test(start_paused = true)]
async fn danger_is_not_forgotten_because_somebody_waits() {
    let pay = act(&["pays"], ActKind::Pressed);
    for (next, is_dangerous) in [(ActKind::Other, true), (ActKind::Pressed, false), (ActKind::Typed, false)] {
        let after = act(&[], next).after(&pay);
        assert_eq!(!after.facts.danger.is_empty(), is_dangerous, "{next:?}");
        assert_eq!(after.since, pay.since);
    }
    let asked = InFlight { says_yes: true, ..act(&[], ActKind::Other) };
    assert!(act(&[], ActKind::Other).after(&asked).says_yes);
    let calm = act(&[], ActKind::Pressed);
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!((pay.glows(), asked.glows(), calm.glows()), (true, true, false));
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(!pay.glows() && !asked.glows());
}

#[tokio::test(start_paused = true)]
async fn no_act_of_long_ago_is_blamed_for_what_a_page_sends() {
    let state = State { last_act: Some(act(&["pays"], ActKind::Pressed)), ..State::default() };
    assert_eq!(state.act().map(|act| act.words.as_str()), Some("act"));
    tokio::time::advance(LONG_AFTERGLOW).await;
    assert!(state.act().is_none(), "the page did this by itself");
}

#[tokio::test(start_paused = true)]
async fn what_is_pressed_next_does_not_excuse_what_was_pressed_before() {
    let (gate, _desk) = live();
    let adds = |loader: &str| {
        let mut outgoing = form("https://shop.example/cart/add", "id=1");
        outgoing.sender.loader = Some(loader.to_owned());
        outgoing
    };
    gate.begin(act(&[], ActKind::Pressed));
    assert_eq!(gate.rule(Ticket(1), &adds("l1")), Ruling::Go);
    gate.begin(act(&["pays"], ActKind::Pressed));
    gate.begin(act(&[], ActKind::Pressed));
    gate.begin(act(&[], ActKind::Typed));
    assert_ne!(gate.rule(Ticket(2), &adds("l1")), Ruling::Go, "a script of the same page may have waited");
    assert_eq!(gate.rule(Ticket(3), &adds("l2")), Ruling::Go, "another page has nothing to do with it");
    tokio::time::advance(LONG_AFTERGLOW).await;
    gate.begin(act(&[], ActKind::Pressed));
    assert_eq!(gate.rule(Ticket(4), &adds("l1")), Ruling::Go);
}

#[tokio::test(start_paused = true)]
async fn a_code_by_hand_goes_unless_it_may_be_what_something_dangerous_still_wanted() {
    let code = |loader: &str| {
        let mut outgoing = form("https://shop.example/login/code", "code=493021");
        outgoing.sender.loader = Some(loader.to_owned());
        outgoing
    };
    let stands_open = |mode| {
        let (gate, desk) = in_mode(mode);
        gate.by_hand(Some((Hand::GivesCode, PAGE)));
        (gate, desk)
    };
    for mode in [Mode::Live, Mode::DryRun] {
        let (gate, _desk) = stands_open(mode);
        assert_eq!(gate.rule(Ticket(1), &code("l1")), Ruling::Go, "{mode:?}");
        gate.begin(act(&["pays"], ActKind::Pressed));
        tokio::time::advance(LONG_AFTERGLOW * 3).await;
        gate.begin(act(&[], ActKind::Typed));
        assert_ne!(
            gate.rule(Ticket(2), &code("l1")),
            Ruling::Go,
            "people take longer than scripts: {mode:?}"
        );
        assert_eq!(gate.rule(Ticket(3), &code("l2")), Ruling::Go, "another page: {mode:?}");
        gate.by_hand(None);
        assert_ne!(gate.rule(Ticket(4), &code("l2")), Ruling::Go, "nobody is there any more: {mode:?}");
    }
    // What was prepared may want nothing but the code.
    for (mode, goes) in [(Mode::Live, true), (Mode::DryRun, false)] {
        let (gate, _desk) = stands_open(mode);
        assert_eq!(gate.rule(Ticket(1), &form("https://shop.example/cart/add", "id=1")), Ruling::Go);
        assert_eq!(gate.rule(Ticket(2), &code("l1")) == Ruling::Go, goes, "{mode:?}");
    }
    for mode in [Mode::ReadOnly, Mode::PlanOnly] {
        let (gate, _desk) = stands_open(mode);
        assert_ne!(gate.rule(Ticket(1), &code("l1")), Ruling::Go, "{mode:?}");
    }
    let (gate, _desk) = stands_open(Mode::Live);
    gate.degrade();
    assert_ne!(gate.rule(Ticket(1), &code("l1")), Ruling::Go, "nobody vouches for the browser");
}

const PAGE: &str = "https://shop.example/";
/// Nothing here takes so long.
const LONG: Duration = Duration::from_secs(60);

fn live() -> (Arc<Gate>, Arc<Approvals>) {
    in_mode(Mode::Live)
}

fn in_mode(mode: Mode) -> (Arc<Gate>, Arc<Approvals>) {
    let settings = WireSettings {
        mode,
        sites: vec![PAGE.into()],
        who_confirms: WhoConfirms::Human,
        ..WireSettings::default()
    };
    let desk = Arc::new(Approvals::new(USUAL_LIFE));
    let session = SessionId("s".into());
    let gate = Gate::new(session, desk.clone(), Arc::new(settings), Arc::default(), Arc::default());
    (gate, desk)
}

fn form(address: &str, body: &str) -> Outgoing {
    Outgoing {
        method: "POST".into(),
        url: address.into(),
        kind: OutgoingKind::Script,
        headers: vec![("content-type".into(), "application/x-www-form-urlencoded".into())],
        body: OutgoingBody::Bytes(body.as_bytes().to_vec()),
        sender: Sender { page: Some(PAGE.into()), document: Some(PAGE.into()), ..Sender::default() },
        redirected: false,
        hops: vec![],
    }
}

/// The question that a request becomes.
fn asked(gate: &Gate, desk: &Approvals, outgoing: &Outgoing) -> Arc<Approval> {
    assert_eq!(gate.rule(Ticket(1), outgoing), Ruling::Stop);
    desk.waiting().pop().expect("it is asked")
}

#[tokio::test(start_paused = true)]
async fn a_question_names_the_act_only_while_it_may_have_come_of_it() {
    let (gate, desk) = live();
    gate.begin(InFlight { said: Some("buys tea".into()), ..act(&[], ActKind::Pressed) });
    let soon = asked(&gate, &desk, &form("https://shop.example/order/place", "a=1"));
    assert_eq!(
        (soon.question.act.as_deref(), soon.question.said.as_deref()),
        (Some("act"), Some("buys tea"))
    );
    tokio::time::advance(LONG_AFTERGLOW).await;
    let late = asked(&gate, &desk, &form("https://shop.example/order/place", "a=2"));
    assert_eq!((&late.question.act, &late.question.said), (&None, &None));
}

#[tokio::test]
async fn a_yes_for_the_errand_is_good_for_one_place_and_for_nothing_that_settles() {
    let (gate, desk) = live();
    let place = "https://shop.example/api/x";
    let go = |body: &str| matches!(gate.rule(Ticket(1), &form(place, body)), Ruling::Go | Ruling::GoTold);
    // A usual yes is for this once.
    let once = asked(&gate, &desk, &form(place, "a=1"));
    desk.answer(&once.id, Answer::Yes).unwrap();
    wait_until_async(LONG, "the yes is carried out", async || !gate.state().grants.is_empty()).await;
    assert!(go("a=1") && !go("a=2"));
    let errand = desk.waiting().pop().expect("another one is asked about");
    assert!(errand.question.offers_errand);
    desk.answer(&errand.id, Answer::YesForErrand).unwrap();
    wait_until_async(LONG, "the place is allowed", async || !gate.state().rules.allowed_endpoints.is_empty())
        .await;
    assert!(go("a=3") && go("b=4"));
    // Another place, what settles something, and what can't be inspected are asked about all the same.
    asked(&gate, &desk, &form("https://shop.example/api/y", "a=1"));
    let pays = asked(&gate, &desk, &form(place, "cvc=123"));
    let elsewhere = asked(&gate, &desk, &form("https://other.example/api/x", "a=1"));
    let unread = asked(&gate, &desk, &Outgoing { body: OutgoingBody::Unread, ..form(place, "") });
    for one in [pays, elsewhere, unread] {
        assert_eq!(desk.answer(&one.id, Answer::YesForErrand), Err(NotDecided::NotOffered));
        assert_eq!(desk.standing(&one.id), crate::approvals::Standing::Waiting);
    }
}

#[tokio::test]
async fn no_page_buries_a_question_under_others() {
    let (gate, desk) = live();
    let first = asked(&gate, &desk, &form("https://shop.example/order/place", "a=1"));
    for number in 0..1_000 {
        assert_eq!(
            gate.rule(Ticket(number), &form("https://shop.example/x", &format!("n={number}"))),
            Ruling::Stop
        );
    }
    assert_eq!(desk.waiting().len(), 10);
    assert_eq!(desk.waiting().first().map(|one| one.id.clone()), Some(first.id.clone()));
    assert!(matches!(gate.take_caught().last().map(|caught| caught.what.clone()), Some(Catch::TooMany)));
    // An answer makes room for one more.
    desk.answer(&first.id, Answer::No).unwrap();
    wait_until_async(LONG, "the answer is heard", async || gate.state().waiting.len() < 10).await;
    gate.rule(Ticket(1), &form("https://shop.example/x", "n=again"));
    assert_eq!(desk.waiting().len(), 10);
}
