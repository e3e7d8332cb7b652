//! Errands in a world that answers at random: they end, within their limits, and their logs say everything.
#![allow(clippy::unwrap_used, clippy::panic)]

use legwork_agent::{
    ActNote, Answer, Answered, AskFailure, Call, Caught, Commit, Entry, Errand, Event, Fate, Handover,
    Happened, Heard, HeardCall, Input, Left, Limits, Look, Manner, Mind, Mode, Order, OutcomeKind, PageNote,
    Ports, Preset, Purpose, Question, Reason, Reserve, Resuming, Ruling, Seeing, Someone, Spec, Thrift,
    Trouble, TroubleKind, drive, is_permitted_throughout, resume,
    service::{
        Asked, Auth, Finding, Guarded, Named, Predicate, Prepare, Ready, ServiceRules, Shown, Signs, Wanted,
    },
};
use legwork_types::{
    contract::ActionId,
    model::{Message, MicroUsd, ModelRequest, Picture, TurnEnd, Usage},
};
use proptest::prelude::*;

const COST: MicroUsd = MicroUsd(50_000);

/// What a call costs: the second model is dearer than the first.
fn cost(mind: Mind) -> MicroUsd {
    match mind {
        Mind::First => COST,
        Mind::Second { .. } => MicroUsd(3 * COST.0),
    }
}

/// A world that draws its answers from a list of numbers, again and again.
struct Dice {
    numbers: Vec<u8>,
    thrown: usize,
    log: Vec<Entry>,
    asked: u32,
    spent: MicroUsd,
    clock: u64,
}

impl Dice {
    fn new(numbers: Vec<u8>) -> Self {
        Self { numbers, thrown: 0, log: vec![], asked: 0, spent: MicroUsd(0), clock: 0 }
    }

    fn throw(&mut self) -> u8 {
        self.thrown += 1;
        self.clock += 700;
        self.numbers[self.thrown % self.numbers.len()]
            .wrapping_add(u8::try_from(self.thrown / 97 % 256).unwrap())
    }

    fn page(&mut self) -> PageNote {
        let digest = u64::from(self.throw() % 4);
        PageNote {
            observation: format!("o{}", self.thrown),
            url: format!("https://a.example/{digest}?x={}", self.thrown),
            title: "A".into(),
            view: format!("<untrusted 1>\n1 button \"Go {digest}\"\n</1>\n"),
            digest,
            logged_in: Some(digest == 1),
            signs: self.signs(),
            ..PageNote::default()
        }
    }

    /// What the page shows of a service: anything, or nothing where it could not be seen.
    fn signs(&mut self) -> Option<Signs> {
        let wants = match self.throw() % 12 {
            0 => Some(Wanted::Login),
            1 => Some(Wanted::Captcha),
            2 => Some(Wanted::Code),
            3 => return None,
            _ => None,
        };
        let shown = match self.throw() % 6 {
            0 => Shown::Failure("f".into()),
            1 => Shown::Unknown,
            2 => Shown::Nothing,
            _ => Shown::Success("s".into()),
        };
        let page = [Finding::Holds, Finding::Unknown, Finding::DoesNot][usize::from(self.throw() % 3)];
        let elements = Some((8..u32::from(self.throw() % 16)).map(ActionId).collect());
        let ready = self.throw().is_multiple_of(3).then_some(Ready { rule: 0, element: ActionId(3) });
        Some(Signs {
            shown,
            auth: wants.map(|wants| Auth {
                wants,
                why: "w".into(),
                is_guess: self.throw().is_multiple_of(3),
            }),
            guarded: vec![Guarded { page, elements, is_cut: self.throw().is_multiple_of(5) }],
            ready: ready.into_iter().collect(),
        })
    }

    fn trouble(&mut self) -> Trouble {
        let (code, kind) = match self.throw() % 12 {
            8 => ("PAGE_CRASHED", TroubleKind::PageOutOfMemory),
            9 => ("PAGE_CRASHED", TroubleKind::PageGaveUp),
            0 => ("BROWSER_DISCONNECTED", TroubleKind::Disconnect),
            1 => ("BROWSER_DISCONNECTED", TroubleKind::DisconnectWhilePainting),
            6 => ("BROWSER_DISCONNECTED", TroubleKind::OutOfMemory),
            2 => ("PAGE_CRASHED", TroubleKind::PageCrash),
            3 => ("ENDPOINTS_EXHAUSTED", TroubleKind::NoBrowser),
            4 => ("NAVIGATION_FAILED", TroubleKind::Network),
            5 => ("APPROVAL_DENIED", TroubleKind::Told),
            7 => ("PAGE_UNRESPONSIVE", TroubleKind::PageClosed),
            _ => ("ELEMENT_OBSCURED", TroubleKind::Told),
        };
        let url =
            self.throw().is_multiple_of(3).then(|| format!("https://shop.example/{}", self.throw() % 4));
        Trouble {
            code: code.into(),
            words: "something is in the way".into(),
            pages: String::new(),
            kind,
            url,
        }
    }
}

impl Ports for Dice {
    fn at(&self) -> u64 {
        self.clock
    }

    fn is_interrupted(&self) -> bool {
        self.thrown % 251 == 250
    }

    async fn record(&mut self, entries: &[Entry]) -> Result<(), Trouble> {
        self.log.extend_from_slice(entries);
        Ok(())
    }

    fn reserve(&self, mind: Mind, _: &ModelRequest) -> Reserve {
        Reserve { tokens: 3_000, money: cost(mind) }
    }

    fn besides(&mut self) -> Happened {
        let is_something = self.throw().is_multiple_of(50);
        let lines = if is_something { vec!["POST http://a.example/x: left".into()] } else { vec![] };
        Happened { lines, again: self.throw().is_multiple_of(80), commits: vec![] }
    }

    async fn leave(&mut self) -> Happened {
        self.besides()
    }

    async fn ask(
        &mut self,
        mind: Mind,
        purpose: Purpose,
        request: &ModelRequest,
        left: Left,
    ) -> Result<(Heard, Vec<HeardCall>), AskFailure> {
        let last = self.log.last().unwrap();
        assert!(matches!(last.event, Event::Reserved { .. }), "every call is reserved: {last:?}");
        let money = cost(mind);
        assert!(left.holds(&Reserve { tokens: 3_000, money }), "{left:?}");
        // Once changed it stays so, and nothing is counted as the first one's that is not there.
        let has_changed = self.log.iter().any(|entry| matches!(entry.event, Event::ModelChanged { .. }));
        assert_eq!(has_changed, mind != Mind::First);
        let said = request.messages.iter().filter(|one| matches!(one, Message::Assistant(_))).count();
        assert!(purpose != Purpose::Turn || !matches!(mind, Mind::Second { of_first } if of_first > said));
        self.asked += 1;
        self.spent = self.spent.plus(money);
        let usage = Usage { input: 2_000, output: 100, ..Usage::default() };
        if self.throw().is_multiple_of(40) {
            let trouble = Trouble {
                code: "MODEL_FAILED".into(),
                words: "it is down".into(),
                pages: String::new(),
                kind: TroubleKind::Told,
                url: None,
            };
            let handover = Handover { from: "first".into(), to: "second".into() };
            let another = self.throw().is_multiple_of(2).then_some(handover);
            let is_too_long = self.throw().is_multiple_of(2);
            return Err(AskFailure { trouble, usage, money, another, is_too_long });
        }
        let end = match self.throw() % 12 {
            0 => TurnEnd::CutShort,
            1 if self.throw().is_multiple_of(4) => TurnEnd::Declined,
            _ => TurnEnd::Complete,
        };
        let (model, text, said) = (None, "x".into(), "[]".into());
        let in_words = self.throw().is_multiple_of(8);
        let heard = Heard { model, text, said, end, in_words, usage, money, attempts: 1, millis: 5 };
        let call =
            |tool: &str, input: &str| HeardCall { id: "c".into(), tool: tool.into(), input: input.into() };
        let calls = match (purpose, self.throw() % 16) {
            (Purpose::Plan, 0..4) => vec![],
            (Purpose::Plan, _) => vec![call("create_plan", r#"{"plan":"p","successCriteria":"c"}"#)],
            (Purpose::Judge, 0..8) => vec![call("validate_task", r#"{"completionQuality":"partial"}"#)],
            (Purpose::Judge, 8) => vec![],
            (Purpose::Judge, _) => vec![call("validate_task", r#"{"completionQuality":"complete"}"#)],
            (Purpose::Turn, 0) => vec![],
            (Purpose::Turn, 1) => vec![call("act", "{"), call("act", "{}")],
            (Purpose::Turn, 2) => vec![call("observe", "{}")],
            (Purpose::Turn, 3) => vec![call("read", "{}")],
            (Purpose::Turn, 4) => {
                vec![call("complete_task", r#"{"status":"success","reason":"r","evidence":"e"}"#)]
            }
            (Purpose::Turn, 5) => vec![call("ask_user", r#"{"question":"q"}"#)],
            (Purpose::Turn, 6) => vec![call("request_human_approval", r#"{"action":"a","reason":"r"}"#)],
            (Purpose::Turn, 7) => vec![call("submit_for_approval", r#"{"summary":"s"}"#)],
            (Purpose::Turn, 8) => vec![call("approve", "{}")],
            (Purpose::Turn, n) => {
                let input = format!(r#"{{"action":"click","element":{n},"why":"w"}}"#);
                vec![call("act", &input), call("act", &input)]
            }
        };
        Ok((heard, calls))
    }

    fn picture(&self, _: &str) -> Option<Picture> {
        None
    }

    async fn open(&mut self, _: Option<&str>, _: Seeing<'_>) -> Result<PageNote, Trouble> {
        self.look(
            &Look::default(),
            Seeing { picture: legwork_agent::Picture::No, errand: &Errand::begin(Spec::new("x")).0 },
            Manner::AtOnce,
        )
        .await
    }

    async fn reload(&mut self, _: &str, _: &[Commit], _: Seeing<'_>) -> Result<PageNote, Trouble> {
        if self.throw().is_multiple_of(4) { Err(self.trouble()) } else { Ok(self.page()) }
    }

    async fn reconnect(
        &mut self,
        _: Option<&str>,
        _: &[Commit],
        _: Thrift,
        _: Seeing<'_>,
    ) -> Result<PageNote, Trouble> {
        if self.throw().is_multiple_of(4) { Err(self.trouble()) } else { Ok(self.page()) }
    }

    async fn look(&mut self, _: &Look, _: Seeing<'_>, _: Manner) -> Result<PageNote, Trouble> {
        if self.throw().is_multiple_of(20) { Err(self.trouble()) } else { Ok(self.page()) }
    }

    async fn read(&mut self, _: Option<ActionId>) -> Result<String, Trouble> {
        if self.throw().is_multiple_of(10) { Err(self.trouble()) } else { Ok("words".into()) }
    }

    async fn act(&mut self, order: Order<'_>) -> (Vec<Entry>, ActNote) {
        let number = order.number;
        let mut note = ActNote { nothing: true, brief: "nothing changed".into(), ..ActNote::default() };
        let what = self.throw() % 12;
        if what == 0 {
            note.trouble = Some(self.trouble());
            return (vec![], note);
        }
        let event = Event::Permitted { number, observation: order.observation.into(), verb: "click".into() };
        let permit = Entry { at: self.clock, event };
        self.log.push(permit.clone());
        note.dispatched = true;
        note.nothing = what.is_multiple_of(2);
        if what < 4 {
            let fate =
                [Fate::DryRun, Fate::NobodyToAsk, Fate::Held("a1".into()), Fate::ToBeRepeated("a2".into())];
            note.caught = Some(Caught {
                fate: fate[usize::from(self.throw() % 4)].clone(),
                request: "POST".into(),
                settles: true,
            });
            let code = "SAFETY_CONFIRMATION_REQUIRED".into();
            note.trouble = Some(Trouble {
                code,
                words: "somebody is asked".into(),
                pages: String::new(),
                kind: TroubleKind::Told,
                url: None,
            });
        } else if what == 4 {
            note.trouble = Some(self.trouble());
        }
        if what != 5 {
            note.page = Some(self.page());
        }
        (vec![permit], note)
    }

    async fn await_ruling(&mut self, _: &str) -> Ruling {
        match self.throw() % 6 {
            // Only another process hears of a page that is gone: ToBeReached.
            0 => Ruling::Denied,
            1 => Ruling::Expired,
            2 => Ruling::ToBeRepeated,
            3 => Ruling::Unknown,
            4 => Ruling::Withdrawn,
            _ => Ruling::LetGo,
        }
    }

    async fn ask_person(&mut self, question: &Question) -> Answer {
        match (question, self.throw() % 4) {
            (Question::Extend { .. }, 0 | 1) => Answer::Yes,
            (_, 0) => Answer::No,
            (_, 1) => Answer::Nothing,
            (_, 2) => Answer::Words("words".into()),
            _ => Answer::Yes,
        }
    }
}

/// These futures wait for nothing.
fn now<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(output) => output,
        std::task::Poll::Pending => panic!("nothing here waits"),
    }
}

/// A service that says something about everything.
fn service(asked: Asked) -> ServiceRules {
    let predicate = Predicate { tool: vec!["click".into()], text: vec!["x".into()], ..Predicate::default() };
    let click = Named { role: "button".into(), name: vec!["Only necessary".into()] };
    ServiceRules {
        service: "gym".into(),
        checkpoint: vec![predicate.clone()],
        auth: vec![predicate.clone().into()],
        success: vec![predicate.clone()],
        failure: vec![predicate],
        prepare: vec![Prepare { url: vec![], click }],
        prompt: "Decline all offers.".into(),
        asked,
        ..ServiceRules::default()
    }
}

fn spec(mode: Mode, someone: Someone, limits: Limits) -> Spec {
    Spec { mode, someone, limits, ..Spec::new("Order coffee.") }
}

/// Whether something was tried that fits a checkpoint and that nobody said yes to right before.
fn was_done_unasked(log: &[Entry]) -> bool {
    let rules = service(Asked::BeforeTheAct);
    let (mut page, mut due, mut said_yes): (Option<PageNote>, bool, bool) = (None, false, false);
    log.iter().any(|entry| {
        let mut unasked = false;
        match &entry.event {
            Event::Looked { page: seen } | Event::Reconnected { page: seen, .. } => {
                page = Some((**seen).clone())
            }
            Event::Called { call, .. } => {
                let signs = page.as_ref().and_then(|page| page.signs.as_ref());
                due = matches!(&**call, Call::Act(act) if rules.checkpoint_of(act, signs).is_some());
                said_yes = false;
            }
            Event::PersonSaid { answer } => said_yes = *answer == Answer::Yes,
            Event::Prepares { .. } => due = false,
            Event::Acted { done, .. } => {
                unasked = due && !said_yes;
                page = done.page.clone().or_else(|| page.take());
            }
            _ => {}
        }
        unasked
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_errand_ends_within_its_limits_and_its_log_tells_all(
        numbers in proptest::collection::vec(any::<u8>(), 5..60),
        mode in prop_oneof![Just(Mode::Live), Just(Mode::DryRun), Just(Mode::PlanOnly), Just(Mode::ReadOnly)],
        turns in 1_u32..40,
        dollars in 0_u64..3,
        asked in prop_oneof![Just(None), Just(Some(Asked::AtTheWire)), Just(Some(Asked::BeforeTheAct))],
    ) {
        let limits = Limits { turns, money: MicroUsd(dollars * 1_000_000), ..Limits::GENERAL };
        let mut dice = Dice::new(numbers);
        let driven = now(drive(Spec { service: asked.map(service), ..spec(mode, Someone::Absent, limits) }, &mut dice));
        let outcome = driven.outcome.unwrap();
        prop_assert!(driven.errand.spent().turns <= turns);
        prop_assert!(dice.spent <= limits.money, "{:?} of {:?}", dice.spent, limits.money);
        // What the log says was spent is what was spent.
        prop_assert_eq!(driven.errand.spent().money, dice.spent);
        prop_assert_eq!(driven.errand.spent().calls, dice.asked);
        prop_assert!(is_permitted_throughout(&dice.log));
        let changes = dice.log.iter().filter(|entry| matches!(entry.event, Event::ModelChanged { .. })).count();
        prop_assert!(changes <= 1);
        // The log alone gives the same state, also by way of its file.
        let lines: Vec<String> = dice.log.iter().map(|entry| serde_json::to_string(entry).unwrap()).collect();
        let read: Vec<Entry> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let again = Errand::replay(&read).unwrap();
        prop_assert_eq!(&again, &driven.errand);
        // Nothing is done for real without a proof of it.
        if mode != Mode::Live {
            // No call of these worlds has an answer, so nothing can be proved by reading alone.
            prop_assert!(outcome.kind != OutcomeKind::Verified);
        }
        if mode == Mode::PlanOnly {
            let acted = dice.log.iter().any(|entry| matches!(entry.event, Event::Acted { .. }));
            prop_assert!(!acted);
        }
        // Where nobody can be asked, nothing is done that somebody would have to be asked about first.
        if asked == Some(Asked::BeforeTheAct) {
            prop_assert!(!was_done_unasked(&dice.log));
        }
        // After the end nothing but what came to light too late.
        let last = dice.log.iter().rfind(|entry| !matches!(entry.event, Event::Besides { .. })).unwrap();
        let is_end = matches!(last.event, Event::Ended { .. });
        prop_assert!(is_end);
    }

    #[test]
    fn with_somebody_there_nothing_is_exceeded_that_was_not_allowed(
        numbers in proptest::collection::vec(any::<u8>(), 5..60),
    ) {
        let limits = Limits { turns: 6, money: MicroUsd(500_000), ..Limits::GENERAL };
        let mut dice = Dice::new(numbers);
        let driven = now(drive(spec(Mode::Live, Someone::Present, limits), &mut dice));
        prop_assert!(driven.outcome.is_ok());
        let asked: Vec<&Entry> =
            dice.log.iter().filter(|entry| !matches!(entry.event, Event::Besides { .. })).collect();
        let more = |reason: Reason| asked.windows(2).filter(|two| matches!(
            (&two[0].event, &two[1].event),
            (Event::Asked { question: Question::Extend { out_of } }, Event::PersonSaid { answer: Answer::Yes }) if *out_of == reason
        )).count();
        let turns = u32::try_from(more(Reason::MaxTurnsExceeded)).unwrap();
        prop_assert!(driven.errand.spent().turns <= 6 * (turns + 1));
        let money = more(Reason::BudgetExceeded) as u64;
        prop_assert!(dice.spent <= MicroUsd(500_000 * (money + 1)));
    }

    #[test]
    fn what_a_service_has_asked_about_before_it_is_done_is_done_after_a_yes_alone(
        numbers in proptest::collection::vec(any::<u8>(), 5..60),
        mode in prop_oneof![Just(Mode::Live), Just(Mode::DryRun)],
    ) {
        let limits = Limits { turns: 15, ..Limits::GENERAL };
        let mut dice = Dice::new(numbers);
        let spec = Spec { service: Some(service(Asked::BeforeTheAct)), ..spec(mode, Someone::Present, limits) };
        let driven = now(drive(spec, &mut dice));
        prop_assert!(driven.outcome.is_ok());
        prop_assert!(!was_done_unasked(&dice.log));
        prop_assert_eq!(&Errand::replay(&dice.log).unwrap(), &driven.errand);
        // A person is not asked for ever to see to the same page.
        let taken = |entry: &&Entry| {
            matches!(&entry.event, Event::Asked { question: Question::TakeOver { url, .. } } if url.contains("/2?"))
        };
        prop_assert!(dice.log.iter().filter(taken).count() <= 3);
    }

    #[test]
    fn whoever_is_left_anywhere_is_gone_on_with_to_the_end_and_within_the_limits(
        numbers in proptest::collection::vec(any::<u8>(), 5..60),
        left in 0_usize..80,
        answer in 0_u8..6,
    ) {
        let limits = Limits { turns: 15, money: MicroUsd(2_000_000), ..Limits::GENERAL };
        let mut before = Dice::new(numbers.clone());
        now(drive(spec(Mode::Live, Someone::Present, limits), &mut before));
        let kept = left.min(before.log.len() - 1) + 1;
        let log = before.log[..kept].to_vec();
        let errand = Errand::replay(&log).unwrap();
        let was_over = errand.outcome().is_some();
        let is_called = |entry: &Entry| matches!(entry.event, Event::Answered { .. } | Event::AskFailed { .. });
        let calls = u32::try_from(log.iter().filter(|entry| is_called(entry)).count()).unwrap();
        let answer = [
            Some(Answered::Approved), Some(Answered::Denied), Some(Answered::Expired), None,
            Some(Answered::Said(Answer::Yes)), Some(Answered::Said(Answer::No)),
        ][usize::from(answer)].clone();
        let commits = vec![Commit { method: "POST".into(), address: "https://a.example/order".into() }];
        let resuming = Resuming { why: "the program ended".into(), commits, answer };
        let mut after = Dice { log, ..Dice::new(numbers) };
        let extended = |dice: &Dice| dice.log.iter().any(|entry| matches!(entry.event, Event::Extended { .. }));
        let driven = now(resume(errand, resuming, &mut after));
        prop_assert!(driven.outcome.is_ok());
        prop_assert!(is_permitted_throughout(&after.log));
        prop_assert_eq!(&Errand::replay(&after.log).unwrap(), &driven.errand);
        prop_assert!(driven.errand.spent().calls >= calls + after.asked);
        if !extended(&after) {
            prop_assert!(driven.errand.spent().turns <= 15);
            prop_assert!(driven.errand.spent().money <= limits.money);
        }
        // What may have been sent before is told in the end, and nobody is asked to do it again.
        if !was_over && driven.outcome.as_ref().unwrap().kind != OutcomeKind::Verified {
            let evidence = driven.outcome.unwrap().evidence.join("\n");
            prop_assert!(evidence.contains("whether this was taken is not known: POST https://a.example/order"), "{}", evidence);
        }
    }

    #[test]
    fn a_log_that_ends_anywhere_can_be_gone_on_with(numbers in proptest::collection::vec(any::<u8>(), 5..60), kept in 0_usize..60) {
        let mut dice = Dice::new(numbers);
        now(drive(spec(Mode::Live, Someone::Absent, Preset::Service.limits()), &mut dice));
        let kept = kept.min(dice.log.len() - 1) + 1;
        let errand = Errand::replay(&dice.log[..kept]).unwrap();
        // Whatever it was about to do, odd news do not harm it.
        let _ = errand.next();
        for input in [Input::Words("x".into()), Input::Ruled(Ruling::LetGo), Input::Said(Answer::Yes), Input::Interrupted] {
            let mut after = errand.clone();
            let events = after.decide(1, input);
            events.iter().for_each(|event| after.apply(event));
        }
        let mut stopped = errand.clone();
        stopped.decide(1, Input::Stop).iter().for_each(|event| stopped.apply(event));
        prop_assert!(stopped.outcome().is_some());
    }
}
