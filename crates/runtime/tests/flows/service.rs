//! Errands of a service, with a person at the window of the browser: a login that only the person can do, in the same session, and on from
//! there to the one question about what would really leave.

use std::{cell::RefCell, rc::Rc};

use legwork_runtime::{
    Answer, Approvals, Caller, CancellationToken, Mode, Sessions,
    errands::{
        self, Asked, Client, Entry, Errand, Event, Outcome, OutcomeKind, People, Prices, Question, Reason,
        Runs, Someone, Spec, World, is_permitted_throughout, mode_of, run_errand,
    },
    services::{Given, Registry, Wanted, spec_of},
};
use legwork_testkit::sites::{
    Bundled, CoffeeOptions, StreamOptions,
    brain::{self, Brain},
    vendor::{self, Fault, Vendor, VendorWire},
};
use legwork_types::{
    PageUrl,
    contract::{ActRequest, ObserveOptions, SessionId},
};

use super::{
    joined::Kept,
    stage::{Run, Stage},
    steps,
    thinking::PASSWORD,
    vendor::client,
};

/// What a person does at the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtTheWindow {
    LogsIn,
    Nothing,
}

/// Whoever sits there, and what was asked of them.
struct Visitor<'a> {
    does: AtTheWindow,
    sessions: &'a Sessions,
    caller: Caller,
    asked: Rc<RefCell<Vec<Question>>>,
}

impl Visitor<'_> {
    async fn logs_in(&self) {
        let never = CancellationToken::new();
        let session: SessionId = self.sessions.list(&self.caller).await[0].session.clone();
        let options = ObserveOptions::default();
        let mut seen = self.sessions.observe(&self.caller, &session, &options, &never).await.unwrap();
        let password = format!(r#"fill textbox "Password" with "{PASSWORD}""#);
        let steps = [
            r#"fill textbox "E-mail address" with "demo@example.test""#,
            &password,
            r#"click button "Log in""#,
        ];
        for step in steps {
            let mut call =
                steps::call(&seen, step).unwrap_or_else(|| panic!("{step}: {}", steps::all(&seen)));
            call["sessionId"] = session.0.clone().into();
            call["observationId"] = seen.look.id().0.clone().into();
            let request: ActRequest = serde_json::from_value(call).unwrap();
            let acted = self.sessions.act(&self.caller, request, &never).await;
            // To log in by hand is not asked about: it is done by the person.
            assert!(acted.error.is_none(), "{step}: {:#?}", acted.error);
            seen = acted.next.unwrap();
        }
    }
}

impl People for Visitor<'_> {
    async fn ask(&mut self, question: &Question) -> errands::Answer {
        self.asked.borrow_mut().push(question.clone());
        if self.does == AtTheWindow::LogsIn {
            self.logs_in().await;
        }
        errands::Answer::Yes
    }

    async fn attend(&mut self, _: &Approvals) {}
}

/// Cancels from the account page on, by somebody who is logged in.
fn leaving() -> Brain {
    let brain = brain::cancellation();
    let is_on_the_way = |step: &&String| {
        !["E-mail address", "\"Password\"", "\"Log in\"", "\"Account\""]
            .iter()
            .any(|part| step.contains(part))
    };
    Brain { steps: brain.steps.iter().filter(is_on_the_way).cloned().collect(), ..brain }
}

struct Done {
    outcome: Outcome,
    log: Vec<Entry>,
    asked: Vec<Question>,
    /// How many questions there were about what would leave.
    on_the_wire: usize,
    cancelled: usize,
}

/// Runs the service that cancels, at the bundled site, without any secret.
async fn cancel(run: Run, does: AtTheWindow) -> Done {
    let vendor = Vendor::start(leaving().script()).unwrap();
    cancel_by(run, does, &[(&vendor, VendorWire::Anthropic)]).await
}

/// The same with these models: where the first can't be asked any more, the second goes on.
async fn cancel_by(run: Run, does: AtTheWindow, vendors: &[(&Vendor, VendorWire)]) -> Done {
    let stream = StreamOptions { password: PASSWORD.into(), ..StreamOptions::default() };
    let sites = Bundled::start_with(CoffeeOptions::default(), stream).unwrap();
    let stage = Stage::start(run, &[sites.stream_address()], PASSWORD).await;
    let mut clients = vec![];
    for (vendor, wire) in vendors {
        clients.push(client(vendor, *wire).await);
    }
    let price = |client: &Client| Prices::default().of(&client.model().name, Runs::Elsewhere).0;
    let registry = Registry::load(None).unwrap();
    let start = Some(PageUrl::parse(&sites.stream_url("/account")).unwrap());
    let (spec, rules) =
        spec_of(registry.get("netflix").unwrap(), &Given { start, ..Given::default() }).unwrap();
    let mode = mode_of(if run == Run::Dry { Mode::DryRun } else { Mode::Live });
    let spec = Spec { service: Some(rules), mode, someone: Someone::Present, ..spec };
    let caller = Caller::new("service");
    let (log, asked) = (Kept::default(), Rc::new(RefCell::new(vec![])));
    let world = World {
        sessions: &stage.sessions,
        caller: caller.clone(),
        client: &clients[0],
        fallback: clients.get(1).map(|client| Asked { client, price: price(client) }),
        price: price(&clients[0]),
        journal: log.clone(),
        people: Visitor { does, sessions: &stage.sessions, caller, asked: asked.clone() },
        stop: CancellationToken::new(),
        cancel: CancellationToken::new(),
    };
    let finished = run_errand(spec, world).await;
    let done = Done {
        outcome: finished.outcome.unwrap(),
        log: log.entries(),
        asked: asked.borrow().clone(),
        on_the_wire: stage.person.questions().len(),
        cancelled: sites.stream_ledger().count("membership-cancelled"),
    };
    stage.sessions.shut().await;
    assert!(is_permitted_throughout(&done.log));
    assert_eq!(Errand::replay(&done.log).unwrap().outcome(), Some(&done.outcome));
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_logs_in_at_the_window_and_the_errand_goes_on_to_one_question() {
    let done = cancel(Run::Live(Answer::Yes), AtTheWindow::LogsIn).await;
    assert_eq!(
        (done.outcome.kind, done.outcome.reason),
        (OutcomeKind::Verified, Reason::Completed),
        "{:?}",
        done.outcome
    );
    assert_eq!((done.cancelled, done.on_the_wire), (1, 1));
    let is_login = |one: &Question| matches!(one, Question::TakeOver { wants: Wanted::Login, url } if url.contains("/login"));
    assert!(done.asked.len() == 1 && is_login(&done.asked[0]), "{:?}", done.asked);
    // The signs of the service prove it, and no judge is asked.
    assert!(done.outcome.evidence.iter().any(|line| line.contains("your membership is cancelled")));

    let done = cancel(Run::Live(Answer::No), AtTheWindow::LogsIn).await;
    assert_eq!((done.outcome.kind, done.outcome.reason), (OutcomeKind::Denied, Reason::HumanRejected));
    assert_eq!((done.cancelled, done.on_the_wire), (0, 1));

    let done = cancel(Run::Dry, AtTheWindow::LogsIn).await;
    assert_eq!(
        (done.outcome.kind, done.outcome.reason),
        (OutcomeKind::Stopped, Reason::DryRun),
        "{:?}",
        done.outcome
    );
    assert_eq!((done.cancelled, done.on_the_wire), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_model_goes_on_with_a_service_to_the_same_one_question() {
    for (answer, kind, cancelled) in
        [(Answer::Yes, OutcomeKind::Verified, 1), (Answer::No, OutcomeKind::Denied, 0)]
    {
        let (mut turns, mut script) = (0, leaving().script());
        let first = Vendor::start(move |asked: &vendor::Asked| {
            turns += usize::from(asked.has_tool("complete_task"));
            if turns <= 2 { script(asked) } else { Fault::Refuses(400, "Model Not Exist").into() }
        })
        .unwrap();
        let second = Vendor::start(leaving().script()).unwrap();
        let vendors = [(&first, VendorWire::OpenAi), (&second, VendorWire::Anthropic)];
        let done = cancel_by(Run::Live(answer), AtTheWindow::LogsIn, &vendors).await;
        assert_eq!(done.outcome.kind, kind, "{:?}", done.outcome);
        assert_eq!((done.cancelled, done.on_the_wire, done.asked.len()), (cancelled, 1, 1));
        let changed = done.log.iter().filter(|entry| matches!(entry.event, Event::ModelChanged { .. }));
        assert_eq!(changed.count(), 1);
        // It goes on where the first one was, and is told of the service as that one was.
        let calls = second.books().calls();
        let told = calls[0].asked.told();
        assert!(told.contains("Steps so far:") && !calls[0].asked.has_tool("create_plan"), "{told}");
        assert!(format!("{calls:?}").contains("About the service:"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_login_that_nobody_does_is_asked_for_three_times_and_no_more() {
    let done = cancel(Run::Live(Answer::Yes), AtTheWindow::Nothing).await;
    assert_eq!((done.outcome.kind, done.outcome.reason), (OutcomeKind::Stopped, Reason::LoginRequired));
    assert_eq!((done.asked.len(), done.cancelled), (3, 0));
    // What the log holds of the conditions is small, and of the rest of the page nothing.
    let looks = done.log.iter().filter_map(|entry| match &entry.event {
        Event::Looked { page } => page.signs.clone(),
        _ => None,
    });
    for signs in looks {
        assert!(serde_json::to_string(&signs).unwrap().len() < 1_000, "{signs:?}");
    }
}
