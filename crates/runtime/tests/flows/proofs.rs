//! Errands of a service at pages that want what only a person has, and at places that may be loaded and not changed. What the server's ledger
//! says decides.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use legwork_runtime::{
    Answer, Approvals, Caller, CancellationToken, Mode, Reach, Sessions,
    errands::{
        self, Entry, Errand, Outcome, OutcomeKind, People, Question, Reason, Someone, Spec,
        is_permitted_throughout, mode_of,
    },
    services::{Given, Wanted, confines, read, spec_of},
};
use legwork_testkit::{
    Site,
    axum::{
        response::{Html, Redirect},
        routing::{get, post},
    },
    sites::{
        brain::Brain,
        vendor::{Vendor, VendorWire},
    },
    wait_until_async,
};
use legwork_types::contract::{ActRequest, ObserveOptions};
use serde_json::json;

use super::{
    joined::{Joined, Kept},
    stage::{LONG, Run, Stage},
};

const WIRE: VendorWire = VendorWire::Anthropic;

/// The last step, which is asked about.
const ORDER: &str = "<!doctype html><title>A lamp</title><h1>A lamp for 20 euros</h1>
    <form method=post action=/order><input type=hidden name=total value=20><button>Place order</button></form>";
const ORDERED: &str = "<!doctype html><title>Thank you</title><h1>Thank you</h1><p>Your lamp is ordered.</p>";

/// What only a hand can do here is done by the page when somebody lends it one. Meanwhile it sends something that nobody gave by hand.
const CAPTCHA: &str = "<!doctype html><title>A lamp</title><h1>Before you go on</h1>
    <form method=post action=/captcha/verify><input type=hidden name=csrf value=4f1c9a02be77d154>
    <div class=g-recaptcha style='width:304px;height:78px'><label><input type=checkbox>I'm not a robot</label></div>
    <input type=hidden name=g-recaptcha-response value=03AFcWeA5Tq0></form>
    <script>fetch('/settings', {method: 'POST', body: new URLSearchParams({plan: 'gold'})});
    const wait = async () => (await (await fetch('/hand')).text()) === 'there' ? document.forms[0].submit() : setTimeout(wait, 50);
    wait();</script>";
/// The same for a login: no act of ours comes before it.
const LOGIN: &str = "<!doctype html><title>A lamp</title><h1>Sign in to order</h1>
    <form method=post action=/login><label>E-mail <input name=email type=email></label>
    <label>Password <input name=password type=password></label><button>Sign in</button></form>
    <script>fetch('/settings', {method: 'POST', body: new URLSearchParams({plan: 'gold'})});
    const [email, password] = document.forms[0];
    const wait = async () => { if (await (await fetch('/hand')).text() !== 'there') return setTimeout(wait, 50);
      [email.value, password.value] = ['demo@example.test', 'oak-steam-and-glow-42']; document.forms[0].submit(); };
    wait();</script>";
const CODE: &str = "<!doctype html><title>A lamp</title><h1>Check your phone</h1><p>We sent a code to it.</p>
    <form method=post action=/login/code><label>Verification code <input name=verification_code autocomplete=one-time-code></label>
    <button>Go on</button></form><script>fetch('/settings', {method: 'POST', body: new URLSearchParams({plan: 'gold'})})</script>";

/// A hand that is lent to a page, and whether the page has what it wanted.
#[derive(Clone, Default)]
struct Hand {
    is_there: Arc<AtomicBool>,
    is_known: Arc<AtomicBool>,
}

/// Whoever sits there: gives what the page wants with their own hands, and says so.
struct Visitor<'a> {
    hand: Hand,
    sessions: &'a Sessions,
    caller: Caller,
    asked: Rc<RefCell<Vec<Question>>>,
}

impl Visitor<'_> {
    async fn does(&self, name: &str, action: serde_json::Value) {
        let never = CancellationToken::new();
        let session = self.sessions.list(&self.caller).await[0].session.clone();
        let options = ObserveOptions::default();
        let seen = self.sessions.observe(&self.caller, &session, &options, &never).await.unwrap();
        let items = &seen.look.scene().items;
        let item = items.iter().find(|item| item.affordance.name.untrusted() == name).unwrap();
        let act: ActRequest = serde_json::from_value(json!({
            "sessionId": session, "observationId": seen.look.id(),
            "target": {"kind": "element", "actionId": item.affordance.action_id}, "action": action,
        }))
        .unwrap();
        let acted = self.sessions.act(&self.caller, act, &never).await;
        assert!(acted.error.is_none(), "{name}: {:#?}", acted.error);
    }
}

impl People for Visitor<'_> {
    async fn ask(&mut self, question: &Question) -> errands::Answer {
        self.asked.borrow_mut().push(question.clone());
        match question {
            Question::TakeOver { wants: Wanted::Code, .. } => {
                self.does("Verification code", json!({"type": "fill", "value": "493021"})).await;
                self.does("Go on", json!({"type": "click"})).await;
            }
            _ => {
                self.hand.is_there.store(true, Ordering::SeqCst);
                let is_known = &self.hand.is_known;
                wait_until_async(LONG, "it is proved", async || is_known.load(Ordering::SeqCst)).await;
            }
        }
        errands::Answer::Yes
    }

    async fn attend(&mut self, _: &Approvals) {}
}

/// How an errand went.
struct Done {
    outcome: Outcome,
    log: Vec<Entry>,
    asked: Vec<Question>,
    /// How many questions there were about what would leave.
    on_the_wire: usize,
}

/// Orders a lamp, beginning there, by a service that writes to these hosts.
async fn order(site: &Site, begins: &str, write: &[&str], run: Run, hand: Hand) -> Done {
    order_with(&["password"], site, begins, write, run, hand).await
}

/// The same by an errand that has these secrets.
async fn order_with(
    secrets: &[&str],
    site: &Site,
    begins: &str,
    write: &[&str],
    run: Run,
    hand: Hand,
) -> Done {
    let port = site.port();
    let text = format!(
        r#"name = "lamps"
description = "Order a lamp"
verb = "order"
start = "{}"
goal = "Order a lamp."
[domains]
read = ["127.0.0.1", "127.0.0.1:{port}", "localhost", "localhost:{port}"]
write = {write:?}
[[checkpoint]]
tool = "click"
element = {{ name = "place order" }}
[[success]]
text = "lamp is ordered"
[[auth]]
text = "sign in to order"
wants = "login"
"#,
        site.url(begins)
    );
    let service = read(&text, "lamps.toml").unwrap();
    let (spec, rules) = spec_of(&service, &Given::default()).unwrap();
    let confines = Some(confines(&rules.domains).unwrap());
    let stage = Stage::reaching(run, Reach { private: site.grants(), confines, ..Reach::default() });
    let brain = Brain {
        steps: vec![r#"click button "Place order""#.into()],
        shows: vec!["lamp is ordered".into()],
        ..Brain::default()
    };
    let vendor = Vendor::start(brain.script()).unwrap();
    let mode = mode_of(if run == Run::Dry { Mode::DryRun } else { Mode::Live });
    let secrets = secrets.iter().map(ToString::to_string).collect();
    let spec = Spec { service: Some(rules), mode, someone: Someone::Present, secrets, ..spec };
    let (log, asked) = (Kept::default(), Rc::new(RefCell::new(vec![])));
    let caller = Caller::new(&vendor.base_url(WIRE));
    let people = Visitor { hand, sessions: &stage.sessions, caller, asked: asked.clone() };
    let joined = Joined { journal: log.clone(), people, stop: CancellationToken::new() };
    let (finished, _) = joined.run_as(&stage.sessions, &[(&vendor, WIRE)], spec).await;
    let done = Done {
        outcome: finished.outcome.unwrap(),
        log: log.entries(),
        asked: asked.borrow().clone(),
        on_the_wire: stage.person.questions().len(),
    };
    stage.sessions.shut().await;
    assert!(is_permitted_throughout(&done.log));
    assert_eq!(Errand::replay(&done.log).unwrap().outcome(), Some(&done.outcome));
    done
}

fn posts(site: &Site, path: &str) -> usize {
    site.hits_of(path).iter().filter(|hit| hit.method == "POST").count()
}

/// Of captchas and codes the service says nothing; a secret is of no use for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_login_a_captcha_and_a_code_wait_for_a_person_and_the_errand_goes_on_behind_them() {
    let live = Run::Live(Answer::Yes);
    for (wall, wants, run) in [
        (LOGIN, Some(Wanted::Login), live),
        (CAPTCHA, Some(Wanted::Captcha), live),
        (CODE, Some(Wanted::Code), live),
        (ORDER, None, live),
        (LOGIN, Some(Wanted::Login), Run::Dry),
        (CAPTCHA, Some(Wanted::Captcha), Run::Dry),
        (CODE, Some(Wanted::Code), Run::Dry),
    ] {
        let hand = Hand::default();
        let (knows, learns, lent) = (hand.is_known.clone(), hand.is_known.clone(), hand.is_there.clone());
        let page = get(move || async move { Html(if knows.load(Ordering::SeqCst) { ORDER } else { wall }) });
        let proof = post(move || async move {
            learns.store(true, Ordering::SeqCst);
            Redirect::to("/order")
        });
        let site = Site::builder()
            .route("/order", page.post(async || Html(ORDERED)))
            .route("/captcha/verify", proof.clone())
            .route("/login/code", proof.clone())
            .route("/login", proof)
            .route("/settings", post(async || "changed"))
            .route(
                "/hand",
                get(move || async move { if lent.load(Ordering::SeqCst) { "there" } else { "" } }),
            )
            .start()
            .await;
        // Whoever has a secret logs in by itself.
        let secrets: &[&str] = if wants == Some(Wanted::Login) { &[] } else { &["password"] };
        let done = order_with(secrets, &site, "/order", &["127.0.0.1"], run, hand).await;
        let expected = match run {
            Run::Dry => (OutcomeKind::Stopped, Reason::DryRun),
            Run::Live(_) => (OutcomeKind::Verified, Reason::Completed),
        };
        assert_eq!((done.outcome.kind, done.outcome.reason), expected, "{wants:?}: {:?}", done.outcome);
        let url = site.url("/order");
        let expected: Vec<Question> =
            wants.into_iter().map(|wants| Question::TakeOver { wants, url: url.clone() }).collect();
        assert_eq!(done.asked, expected);
        let [ordered, login, captcha, code] =
            ["/order", "/login", "/captcha/verify", "/login/code"].map(|path| posts(&site, path));
        let proved = login + captcha + code;
        let orders = usize::from(run == live);
        assert_eq!((ordered, proved), (orders, usize::from(wants.is_some())), "{wants:?} {run:?}");
        // What the page sent by itself meanwhile is nobody's proof: live it was asked about, and said yes to.
        let besides = usize::from(wants.is_some()) * orders;
        assert_eq!(
            (posts(&site, "/settings"), done.on_the_wire),
            (besides, orders + besides),
            "{wants:?} {run:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_service_lets_be_loaded_is_changed_only_where_it_says_so() {
    for (write, sent) in [(&["127.0.0.1"][..], 0), (&["127.0.0.1", "localhost"], 1)] {
        let there = ORDER.replace("action=/order", "action={{OTHER}}/order");
        let site = Site::builder()
            .page("/lamp", there)
            .route("/order", get(async || Html(ORDER)).post(async || Html(ORDERED)))
            .start()
            .await;
        let done = order(&site, "/lamp", write, Run::Live(Answer::Yes), Hand::default()).await;
        assert_eq!((posts(&site, "/order"), done.on_the_wire), (sent, sent), "{write:?}: {:?}", done.outcome);
        let caught = format!("{:?}", done.log);
        assert_eq!(caught.contains("only-to-be-read"), sent == 0, "{write:?}: {caught}");
        assert_eq!(done.outcome.kind == OutcomeKind::Verified, sent == 1, "{write:?}: {:?}", done.outcome);
        assert_eq!(done.asked, []);
    }
}
