//! The bundled sites: every errand asks once, at what can't be undone, and at nothing else on the way there.

use std::{net::SocketAddr, rc::Rc};

use legwork_runtime::Answer;
use legwork_testkit::{
    sites::{Bundled, CoffeeOptions, Effect, Ledger, PayStep, StreamOptions},
    wait_until_async,
};
use legwork_types::Code;
use tokio::{
    sync::Semaphore,
    task::{JoinError, LocalSet, spawn_local},
};

use super::{
    errand::Errand,
    stage::{LONG, Run, Stage},
};

/// Which of the two sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Site {
    Coffee(PayStep),
    Stream,
}

/// One errand.
struct Flow {
    what: &'static str,
    site: Site,
    begins: &'static str,
    /// Until everything is prepared.
    steps: &'static [&'static str],
    /// What can't be undone.
    commit: &'static str,
    /// What the server calls it, with its particulars.
    effect: &'static str,
    told: &'static [(&'static str, &'static str)],
    /// What the request says that is asked about.
    shows: &'static [&'static str],
    /// What the page says afterwards.
    ends: &'static str,
}

/// What is written on the way and can be changed again.
const HARMLESS: [&str; 10] = [
    "login",
    "consent",
    "basket-add",
    "basket-update",
    "address-set",
    "delivery-set",
    "payment-set",
    "instalment-prepared",
    "survey-answered",
    "setting-saved",
];

const ORDER: &[&str] = &[
    r#"click button "Only necessary""#,
    r#"click link "See all coffee""#,
    r#"click link "Harbour Light""#,
    r#"choose combobox "Bag" with "1 kg, €26.40""#,
    r#"click button "Add to basket""#,
    r#"click link "See your basket""#,
    r#"click link "Go to checkout""#,
    r#"fill textbox "E-mail address" with "demo@example.test""#,
    r#"secret textbox "Password" with "password""#,
    r#"click button "Log in""#,
    r#"click button "Continue to delivery""#,
    r#"click button "Continue to payment""#,
    r#"click button "Continue to review""#,
];

const MEMBER: [&str; 3] = [
    r#"fill textbox "E-mail address" with "demo@example.test""#,
    r#"secret textbox "Password" with "password""#,
    r#"click button "Log in""#,
];

const SUBSCRIPTION: &str = "/account/subscriptions/596215";

const FLOWS: &[Flow] = &[
    Flow {
        what: "an order",
        site: Site::Coffee(PayStep::Form),
        begins: "/",
        steps: ORDER,
        commit: r#"click button "Place order""#,
        effect: "order-placed",
        told: &[("via", "form")],
        shows: &["POST", "/checkout/place", "total", "EUR"],
        ends: "Thank you",
    },
    Flow {
        what: "an order that a script sends",
        site: Site::Coffee(PayStep::Script),
        begins: "/",
        steps: ORDER,
        commit: r#"click button "Place order""#,
        effect: "order-placed",
        told: &[("via", "script")],
        shows: &["POST", "/api/orders", "total", "EUR"],
        ends: "Thank you",
    },
    Flow {
        what: "an instalment of a subscription that is filled",
        site: Site::Coffee(PayStep::Form),
        begins: SUBSCRIPTION,
        steps: &[
            r#"click button "Only necessary""#,
            MEMBER[0],
            MEMBER[1],
            MEMBER[2],
            r#"click link "Edit instalments""#,
            r#"click radio "Instalment 5, 28 November 2026, empty""#,
            r#"click button "Prepare reorder""#,
            r#"click link "Go to checkout""#,
            r#"click button "Continue to delivery""#,
            r#"click button "Continue to payment""#,
            r#"click button "Continue to review""#,
        ],
        commit: r#"click button "Place order""#,
        effect: "order-placed",
        told: &[("total", "349.44")],
        shows: &["/checkout/place", "349.44"],
        ends: "Thank you",
    },
    Flow {
        what: "a delivery that is skipped",
        site: Site::Coffee(PayStep::Form),
        begins: SUBSCRIPTION,
        steps: &MEMBER,
        commit: r#"click button "Skip the delivery of 21 November 2026""#,
        effect: "delivery-skipped",
        told: &[("subscription", "596215"), ("date", "2026-11-21")],
        shows: &["/account/subscriptions/596215/skip", "slot"],
        ends: "is skipped",
    },
    Flow {
        what: "a subscription that is cancelled",
        site: Site::Coffee(PayStep::Form),
        begins: SUBSCRIPTION,
        steps: &[MEMBER[0], MEMBER[1], MEMBER[2], r#"click link "Cancel subscription""#],
        commit: r#"click button "Yes, cancel this subscription""#,
        effect: "subscription-cancelled",
        told: &[("subscription", "596215")],
        shows: &["/account/subscriptions/596215/cancel"],
        ends: "is cancelled",
    },
    Flow {
        what: "a membership that is cancelled",
        site: Site::Stream,
        begins: "/",
        steps: &[
            r#"click link "Log in""#,
            MEMBER[0],
            MEMBER[1],
            MEMBER[2],
            r#"click link "Account""#,
            r#"click link "Cancel membership""#,
            r#"click link "Continue to cancel""#,
            r#"check radio "I do not watch enough""#,
            r#"click button "Continue""#,
        ],
        commit: r#"click button "Finish cancellation""#,
        effect: "membership-cancelled",
        told: &[("reason", "time"), ("plan", "standard")],
        shows: &["POST", "/account/membership/cancel"],
        ends: "Your membership is cancelled",
    },
    Flow {
        what: "a plan that is changed",
        site: Site::Stream,
        begins: "/account/plan",
        steps: &[
            MEMBER[0],
            MEMBER[1],
            MEMBER[2],
            r#"check radio "Premium Four screens, 4K, sound from all sides €17.99""#,
        ],
        commit: r#"click button "Confirm change""#,
        effect: "plan-changed",
        told: &[("to", "premium"), ("price", "17.99")],
        shows: &["/account/plan", "premium"],
        ends: "Your plan is now Premium",
    },
];

/// A site of its own for one errand.
struct Visited {
    bundled: Bundled,
    flow: &'static Flow,
}

impl Visited {
    fn start(flow: &'static Flow) -> Self {
        let pay = match flow.site {
            Site::Coffee(pay) => pay,
            Site::Stream => PayStep::Form,
        };
        let coffee = CoffeeOptions { pay, password: PASSWORD.into(), ..CoffeeOptions::default() };
        let stream = StreamOptions { password: PASSWORD.into(), ..StreamOptions::default() };
        Self { bundled: Bundled::start_with(coffee, stream).unwrap(), flow }
    }

    fn address(&self) -> SocketAddr {
        match self.flow.site {
            Site::Coffee(_) => self.bundled.coffee_address(),
            Site::Stream => self.bundled.stream_address(),
        }
    }

    fn ledger(&self) -> Ledger {
        match self.flow.site {
            Site::Coffee(_) => self.bundled.coffee_ledger(),
            Site::Stream => self.bundled.stream_ledger(),
        }
    }

    /// What happened that can't be undone.
    fn effects(&self) -> Vec<Effect> {
        let all = self.ledger().effects().into_iter();
        all.filter(|effect| !HARMLESS.contains(&effect.kind)).collect()
    }

    async fn run(&self, stage: &Stage) {
        let flow = self.flow;
        let start = format!("http://{}{}", self.address(), flow.begins);
        let mut errand = Errand::begin(stage, &start).await;
        errand.follow(flow.steps).await;
        let asked = stage.person.was_asked(&errand.session);
        assert!(asked.is_empty(), "{}: asked before its commit: {asked:#?}", flow.what);
        assert_eq!(self.effects(), [], "{}", flow.what);
        match stage.run {
            Run::Dry => self.dry(stage, &mut errand).await,
            Run::Live(Answer::Yes | Answer::YesForErrand) => self.approved(stage, &mut errand).await,
            Run::Live(Answer::No) => self.denied(stage, &mut errand).await,
        }
    }

    async fn dry(&self, stage: &Stage, errand: &mut Errand<'_>) {
        let flow = self.flow;
        let (problem, request) = errand.caught(flow.commit).await;
        assert_eq!(problem.code, Code::DryRunBlocked, "{}: {problem:#?}", flow.what);
        assert!(problem.message.contains("nothing was sent"), "{problem:#?}");
        assert_eq!(request.class, "commit", "{}", flow.what);
        let shown = serde_json::to_string(&request).unwrap();
        for part in flow.shows {
            assert!(shown.contains(part), "{}: {part} in {shown}", flow.what);
        }
        assert!(stage.person.was_asked(&errand.session).is_empty());
        assert_eq!(self.effects(), [], "{}", flow.what);
    }

    async fn approved(&self, stage: &Stage, errand: &mut Errand<'_>) {
        let flow = self.flow;
        errand.asked(flow.commit).await;
        wait_until_async(LONG, &format!("{} is carried out", flow.what), async || !self.effects().is_empty())
            .await;
        errand.reads(flow.ends).await;
        let effects = self.effects();
        assert_eq!(effects.len(), 1, "{}: {effects:#?}", flow.what);
        assert_eq!(effects[0].kind, flow.effect);
        for (name, value) in flow.told {
            assert_eq!(effects[0].detail(name), *value, "{}", flow.what);
        }
        let asked = stage.person.was_asked(&errand.session);
        assert_eq!(asked.len(), 1, "{}: {asked:#?}", flow.what);
        let card = format!("{:?}", asked[0].question.card);
        for part in flow.shows {
            assert!(card.contains(part), "{}: {part} in {card}", flow.what);
        }
        assert!(asked[0].picture().is_some(), "{}: the page is shown beside the question", flow.what);
    }

    async fn denied(&self, stage: &Stage, errand: &mut Errand<'_>) {
        let flow = self.flow;
        let (problem, _) = errand.caught(flow.commit).await;
        assert_eq!(problem.code, Code::SafetyConfirmationRequired, "{}: {problem:#?}", flow.what);
        assert_eq!(stage.person.was_asked(&errand.session).len(), 1, "{}", flow.what);
        assert_eq!(self.effects(), [], "{}", flow.what);
    }
}

const PASSWORD: &str = "oak-steam-and-glow-42";

/// As many errands as are run side by side.
const AT_ONCE: usize = 3;

/// Runs these errands, a few side by side, and says of all that went wrong.
async fn all(run: Run, flows: impl Iterator<Item = &'static Flow>) {
    let visited: Vec<Visited> = flows.map(Visited::start).collect();
    let addresses: Vec<SocketAddr> = visited.iter().map(Visited::address).collect();
    let stage = Rc::new(Stage::start(run, &addresses, PASSWORD).await);
    let room = Rc::new(Semaphore::new(AT_ONCE));
    let begun = async {
        let begin = |one: Visited| {
            let (stage, room) = (stage.clone(), room.clone());
            let what = one.flow.what;
            let task = spawn_local(async move {
                let _room = room.acquire().await.unwrap();
                one.run(&stage).await;
            });
            (what, task)
        };
        let mut wrong = vec![];
        for (what, task) in visited.into_iter().map(begin).collect::<Vec<_>>() {
            if let Err(failed) = task.await {
                wrong.push(format!("{what}: {}", why(failed)));
            }
        }
        wrong
    };
    let wrong = LocalSet::new().run_until(begun).await;
    stage.sessions.shut().await;
    assert!(wrong.is_empty(), "{run:?}: {wrong:#?}");
}

/// What a task said when it failed.
fn why(failed: JoinError) -> String {
    let said = failed.into_panic();
    let words = said.downcast_ref::<String>().cloned();
    words.or_else(|| said.downcast_ref::<&str>().map(|words| (*words).to_owned())).unwrap_or_default()
}

#[tokio::test]
async fn each_errand_asks_once_at_what_cant_be_undone_and_has_one_effect() {
    all(Run::Live(Answer::Yes), FLOWS.iter()).await;
}

#[tokio::test]
async fn a_dry_run_gets_as_far_as_that_and_says_what_was_not_done() {
    all(Run::Dry, FLOWS.iter()).await;
}

#[tokio::test]
async fn after_a_no_nothing_has_happened() {
    // One of a form, one of a script, one of the other site: whatever else is sent is sent in one of these ways.
    let some = ["an order", "an order that a script sends", "a membership that is cancelled"];
    all(Run::Live(Answer::No), FLOWS.iter().filter(|flow| some.contains(&flow.what))).await;
}
