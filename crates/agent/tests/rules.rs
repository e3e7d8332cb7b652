//! The rules of an errand, one by one: what is heard, and what follows.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use legwork_agent::{
    ActNote, Answer, Caught, Declarer, Effect, Entry, Errand, Fate, Heard, HeardCall, Indicator, Input, Mode,
    Outcome, OutcomeKind, PageNote, Picture, Proof, Purpose, Question, Reason, Reserve, Ruling, Someone,
    Spec, Trouble, Vision,
};
use legwork_testkit::outside_of_fences;
use legwork_types::model::{Message, MicroUsd, ModelRequest, Part, Usage};
use serde_json::{Value, json};

/// An errand that is told everything by hand.
struct Bench {
    errand: Errand,
    log: Vec<Entry>,
    calls: u32,
}

const FENCE: &str = "00000000000000000007";

fn page(digest: u64) -> PageNote {
    PageNote {
        observation: format!("o{digest}"),
        url: format!("https://shop.example/{digest}"),
        title: format!("Page {digest}"),
        view: format!("<untrusted {FENCE}>\npage \"Page {digest}\"\n12 button \"Place order\"\n</{FENCE}>\n"),
        digest,
        pixels: None,
        picture: None,
        is_drawn: false,
    }
}

fn done(after: u64) -> ActNote {
    ActNote {
        trouble: None,
        dispatched: true,
        nothing: false,
        brief: "document changed".into(),
        words: "done: click\n".into(),
        sent: vec![],
        caught: None,
        page: Some(page(after)),
    }
}

fn trouble(code: &str) -> Trouble {
    Trouble { code: code.into(), words: format!("{code}: it is covered by \"Cookies\""), is_loss: false }
}

fn caught(fate: Fate) -> ActNote {
    ActNote {
        caught: Some(Caught { fate, request: "POST https://shop.example/order total 31.30".into() }),
        trouble: Some(trouble("SAFETY_CONFIRMATION_REQUIRED")),
        ..done(2)
    }
}

const CLICK: (&str, &str) = ("act", r#"{"action":"click","element":12,"why":"to order"}"#);
const SUCCESS: (&str, &str) =
    ("complete_task", r#"{"status":"success","reason":"splendid work","evidence":"e"}"#);

impl Bench {
    /// An errand with this spec, which was planned and has seen its first page.
    fn looking_at_first_page(spec: Spec) -> Self {
        let (errand, started) = Errand::begin(spec);
        let mut bench = Self { errand, log: vec![started], calls: 0 };
        bench.answer(&[("create_plan", r#"{"plan":"Order it.","successCriteria":"An order number"}"#)]);
        assert!(matches!(bench.errand.next(), Effect::Open { .. }));
        bench.tell(Input::Looked(page(1)));
        bench
    }

    fn live() -> Self {
        Self::looking_at_first_page(Spec::new("Order coffee"))
    }

    fn tell(&mut self, input: Input) {
        for event in self.errand.decide(1_000, input) {
            self.errand.apply(&event);
            self.log.push(Entry { at: 1_000, event });
        }
        assert_eq!(Errand::replay(&self.log).as_ref(), Some(&self.errand));
    }

    /// The model is asked and calls these.
    fn answer(&mut self, calls: &[(&str, &str)]) {
        assert!(matches!(self.errand.next(), Effect::Reserve(_)), "{:?}", self.errand.next());
        self.tell(Input::Estimated(Reserve { tokens: 3_000, money: MicroUsd(90_000) }));
        assert!(matches!(self.errand.next(), Effect::Ask(_)));
        let usage = Usage { input: 2_000, output: 50, ..Usage::default() };
        self.calls += 1;
        let said = format!("[{{\"said\":{}}}]", self.calls);
        let heard =
            Heard { text: String::new(), said, usage, money: MicroUsd(10_000), attempts: 1, millis: 3 };
        let call = |(at, (tool, input)): (usize, &(&str, &str))| HeardCall {
            id: format!("call{}-{at}", self.calls),
            tool: (*tool).into(),
            input: (*input).into(),
        };
        let calls = calls.iter().enumerate().map(call).collect();
        self.tell(Input::Heard(heard, calls));
    }

    fn outcome(&self) -> &Outcome {
        self.errand.outcome().unwrap_or_else(|| panic!("it goes on: {:?}", self.errand.next()))
    }

    fn ended(&self) -> (OutcomeKind, Reason) {
        (self.outcome().kind, self.outcome().reason)
    }

    fn request(&self) -> ModelRequest {
        self.errand.request(Purpose::Turn, None)
    }

    /// What the model is told now, all of it.
    fn told(&self) -> String {
        words(&self.request())
    }
}

fn words(request: &ModelRequest) -> String {
    let mut all = vec![];
    for message in &request.messages {
        let parts = match message {
            Message::User(parts) => parts.clone(),
            Message::Assistant(said) => vec![Part::Text(said.json().to_owned())],
            Message::Results(results) => results.iter().flat_map(|result| result.parts.clone()).collect(),
        };
        all.extend(parts.into_iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Image(_) | Part::Breakpoint => None,
        }));
    }
    all.join("\n")
}

#[test]
fn one_call_a_turn_and_the_others_are_told_to_be_ignored() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK, ("goto_moon", "{}")]);
    assert!(matches!(bench.errand.next(), Effect::Act { number: 1, .. }));
    bench.tell(Input::Acted(done(2)));
    let told = bench.told();
    assert!(told.contains("1 click 12 button \"Place order\" (to order): document changed"), "{told}");
    // Where nothing was done, each call gets its answer: vendors want that.
    let mut bench = Bench::live();
    bench.answer(&[("fly", "{}"), CLICK]);
    let Message::Results(results) = bench.request().messages.pop().unwrap() else { panic!("no results") };
    let calls: Vec<&str> = results.iter().map(|result| result.call.as_str()).collect();
    assert_eq!(calls, ["call2-0", "call2-1"]);
    assert!(
        bench.told().contains("there is no tool \"fly\"")
            && bench.told().contains("ignored: one call a turn")
    );
}

#[test]
fn who_calls_nothing_is_nudged_and_then_it_ends() {
    let mut bench = Bench::live();
    bench.answer(&[]);
    assert!(bench.told().contains("You called no tool"));
    bench.answer(&[("read", "{}")]);
    bench.tell(Input::Words("words".into()));
    for _ in 0..2 {
        bench.answer(&[]);
    }
    assert!(bench.errand.outcome().is_none(), "any call begins the count anew");
    bench.answer(&[]);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmNoAction));
}

#[test]
fn a_judge_sees_the_page_and_the_receipts_and_not_the_praise() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench
        .tell(Input::Acted(ActNote { sent: vec!["POST https://shop.example/basket 200".into()], ..done(2) }));
    bench.answer(&[SUCCESS]);
    assert!(matches!(bench.errand.next(), Effect::Look { .. }), "proof is looked for on a page of now");
    bench.tell(Input::Looked(page(3)));
    let judge = words(&bench.errand.request(Purpose::Judge, None));
    assert!(
        judge.contains("An order number") && judge.contains("POST https://shop.example/basket 200"),
        "{judge}"
    );
    assert!(
        judge.contains("page \"Page 3\"") && !judge.contains("splendid") && !judge.contains("to order"),
        "{judge}"
    );
    bench.answer(&[(
        "validate_task",
        r#"{"taskAssessment":"There is a number.","completionQuality":"complete"}"#,
    )]);
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
    let evidence = &bench.outcome().evidence;
    assert_eq!(evidence, &["step 1: POST https://shop.example/basket 200", "judged: There is a number."]);
}

#[test]
fn done_on_a_wrong_page_goes_back_twice_and_is_then_told_as_unverified() {
    let mut bench = Bench::live();
    for time in 1..=3 {
        bench.answer(&[SUCCESS]);
        bench.tell(Input::Looked(page(1)));
        let verdict =
            r#"{"taskAssessment":"","completionQuality":"partial","feedback":"there is no number"}"#;
        bench.answer(&[("validate_task", verdict)]);
        if time < 3 {
            assert!(bench.told().contains("not taken for done: there is no number"));
        }
    }
    assert_eq!(bench.ended(), (OutcomeKind::Unverified, Reason::VerificationFailed));
    assert!(!bench.outcome().kind.is_verified());
}

#[test]
fn signs_outrank_the_judge_and_failure_comes_first() {
    let proof = Proof {
        success: vec![Indicator::Text("Page 2".into())],
        failure: vec![Indicator::Title("Page 3".into())],
    };
    let mut bench = Bench::looking_at_first_page(Spec { proof, ..Spec::new("Order coffee") });
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(page(1)));
    assert!(
        bench.told().contains("does not show what would prove it"),
        "nobody judges where signs are known"
    );
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(PageNote { view: "Page 2".into(), ..page(3) }));
    assert!(bench.told().contains("the page shows a failure: its title contains"));
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(page(2)));
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
}

#[test]
fn a_failure_that_the_model_declares_is_told_as_that() {
    let mut bench = Bench::live();
    bench.answer(&[("complete_task", r#"{"status":"failed","reason":"sold out","evidence":"e"}"#)]);
    let outcome = bench.outcome();
    assert_eq!((outcome.kind, outcome.failure_declared_by), (OutcomeKind::Failed, Some(Declarer::Agent)));
    assert!(!outcome.kind.is_success() && !outcome.kind.is_verified() && outcome.words == "sold out");
}

#[test]
fn a_dry_run_ends_where_it_is_stopped_and_never_says_that_it_is_done() {
    let dry = || Spec { mode: Mode::DryRun, ..Spec::new("Order coffee") };
    let mut bench = Bench::looking_at_first_page(dry());
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(caught(Fate::DryRun)));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::DryRun));
    assert!(bench.outcome().words.contains("nothing was sent: POST https://shop.example/order total 31.30"));
    let mut bench = Bench::looking_at_first_page(dry());
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(page(2)));
    assert_eq!(bench.ended(), (OutcomeKind::Unverified, Reason::DryRun));
}

#[test]
fn a_plan_alone_does_nothing() {
    let mut bench = Bench::looking_at_first_page(Spec { mode: Mode::PlanOnly, ..Spec::new("Order coffee") });
    bench.answer(&[CLICK]);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PlanOnly));
    assert!(bench.outcome().words.contains("click 12 button \"Place order\""));
}

#[test]
fn what_is_held_waits_for_a_person_and_the_answer_decides() {
    let asked = |ruling| {
        let mut bench = Bench::live();
        bench.answer(&[("submit_for_approval", r#"{"summary":"1 kg Harbour Light","amount":"€31.30"}"#)]);
        assert_eq!(bench.errand.prepared().unwrap().1.as_deref(), Some("€31.30"));
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(caught(Fate::Held("a7".into()))));
        assert_eq!(bench.errand.next(), Effect::AwaitRuling { approval: "a7" });
        bench.tell(Input::Ruled(ruling));
        bench
    };
    assert_eq!(asked(Ruling::Denied).ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    assert_eq!(asked(Ruling::Expired).ended(), (OutcomeKind::Stopped, Reason::NobodyAnswered));
    let mut bench = asked(Ruling::Approved);
    bench.tell(Input::Looked(page(3)));
    assert!(bench.told().contains("a person said yes to this and it was sent"));
    // What is left to do after that is little.
    for _ in 0..4 {
        bench.answer(&[("read", "{}")]);
        bench.tell(Input::Words("words".into()));
    }
    bench.tell(Input::Estimated(Reserve::default()));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::MaxTurnsExceeded));
    assert!(bench.outcome().evidence.iter().any(|line| line.contains("a person said yes, and it was sent")));
}

#[test]
fn what_has_to_be_done_again_after_a_yes_is_told() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(caught(Fate::ToBeRepeated("a7".into()))));
    bench.tell(Input::Ruled(Ruling::Approved));
    bench.tell(Input::Looked(page(3)));
    assert!(bench.told().contains("do the same again now"));
    assert!(bench.errand.outcome().is_none());
}

#[test]
fn people_are_asked_where_somebody_is_there() {
    let ask = ("ask_user", r#"{"question":"Which grind?"}"#);
    let mut alone = Bench::live();
    alone.answer(&[ask]);
    assert!(alone.told().contains("nobody is there to ask"));
    let present = Spec { someone: Someone::Present, ..Spec::new("Order coffee") };
    let mut bench = Bench::looking_at_first_page(present.clone());
    bench.answer(&[ask]);
    assert_eq!(bench.errand.next(), Effect::AskPerson(&Question::Tell { question: "Which grind?".into() }));
    bench.tell(Input::Said(Answer::Words("Whole bean".into())));
    assert!(bench.told().contains("the user says: Whole bean"));
    bench.answer(&[("request_human_approval", r#"{"action":"take the dearer one","reason":"sold out"}"#)]);
    bench.tell(Input::Said(Answer::No));
    assert_eq!(bench.ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    // At a limit, too.
    let mut bench = Bench::looking_at_first_page(present);
    let dear = Reserve { tokens: 1, money: MicroUsd(10_000_000) };
    bench.tell(Input::Estimated(dear));
    let question = Question::Extend { out_of: Reason::BudgetExceeded };
    assert_eq!(bench.errand.next(), Effect::AskPerson(&question));
    bench.tell(Input::Said(Answer::Yes));
    bench.tell(Input::Estimated(dear));
    assert_eq!(bench.errand.next(), Effect::Ask(Purpose::Turn));
}

#[test]
fn a_page_that_does_not_change_costs_no_call_until_the_fifth_look() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(done(1)));
    for look in 1..=5 {
        assert!(matches!(bench.errand.next(), Effect::Look { .. }), "look {look}");
        bench.tell(Input::Looked(page(1)));
    }
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Turn));
    // Whatever changes is shown at once, and a failure is news.
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(done(1)));
    bench.tell(Input::Looked(page(2)));
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Turn));
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(ActNote { trouble: Some(trouble("ELEMENT_OBSCURED")), ..done(2) }));
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Turn));
    assert!(bench.told().contains("! ELEMENT_OBSCURED: it is covered by \"Cookies\""));
}

#[test]
fn the_same_again_and_again_is_an_end() {
    let mut bench = Bench::live();
    let mut tries = 0;
    while bench.errand.outcome().is_none() {
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(ActNote {
            nothing: true,
            trouble: Some(trouble("ELEMENT_OBSCURED")),
            ..done(1)
        }));
        tries += 1;
        if tries == 2 {
            assert!(bench.told().contains("do something else"));
        }
    }
    assert_eq!((bench.ended(), tries), ((OutcomeKind::Stopped, Reason::Stuck), 4));
}

#[test]
fn a_lost_browser_a_silent_model_and_a_call_to_stop_are_ends_of_their_own() {
    let lost = Trouble { is_loss: true, ..trouble("BROWSER_DISCONNECTED") };
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(ActNote { trouble: Some(lost.clone()), page: None, ..done(2) }));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::BrowserError));
    let mut bench = Bench::live();
    bench.tell(Input::Estimated(Reserve::default()));
    let failed =
        Input::AskFailed { trouble: trouble("MODEL_FAILED"), usage: Usage::default(), money: MicroUsd(7) };
    bench.tell(failed);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));
    assert_eq!(bench.errand.spent().money, MicroUsd(10_007));
    // A step that is under way is finished first.
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Interrupted);
    assert!(matches!(bench.errand.next(), Effect::Act { .. }));
    bench.tell(Input::Acted(done(2)));
    assert_eq!(bench.errand.next(), Effect::Stop);
    bench.tell(Input::Stop);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Interrupted));
}

#[test]
fn an_answer_has_to_have_its_shape() {
    let schema =
        json!({"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}});
    let mut bench =
        Bench::looking_at_first_page(Spec { answer_schema: Some(schema), ..Spec::new("What is the price?") });
    bench.answer(&[SUCCESS]);
    assert!(bench.told().contains("this errand wants an answer"));
    let with = |price: Value| {
        json!({"status": "success", "reason": "r", "evidence": "e", "answer": {"price": price}}).to_string()
    };
    bench.answer(&[("complete_task", &with(json!("much")))]);
    assert!(bench.told().contains("does not have the shape"));
    bench.answer(&[("complete_task", &with(json!(3.5)))]);
    bench.tell(Input::Looked(page(2)));
    bench.answer(&[("validate_task", r#"{"completionQuality":"complete"}"#)]);
    assert_eq!(bench.outcome().answer, Some(json!({"price": 3.5})));
}

#[test]
fn a_model_that_makes_no_plan_gets_the_simplest_one() {
    let (errand, started) = Errand::begin(Spec::new("Order coffee"));
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    bench.answer(&[]);
    bench.answer(&[("create_plan", "{}")]);
    bench.answer(&[("act", "{}")]);
    assert!(matches!(bench.errand.next(), Effect::Open { url: None, .. }));
    bench.tell(Input::Looked(page(1)));
    assert!(bench.told().contains("Done when: What the user asked for is done: Order coffee"));
}

#[test]
fn the_errand_begins_where_the_user_says_or_else_the_plan() {
    let begin = |start_url: Option<&str>| {
        let spec = Spec { start_url: start_url.map(str::to_owned), ..Spec::new("Order coffee") };
        let (errand, started) = Errand::begin(spec);
        let mut bench = Bench { errand, log: vec![started], calls: 0 };
        bench.answer(&[(
            "create_plan",
            r#"{"plan":"p","successCriteria":"c","url":"https://planned.example"}"#,
        )]);
        match bench.errand.next() {
            Effect::Open { url, .. } => url.map(str::to_owned),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(begin(None).as_deref(), Some("https://planned.example"));
    assert_eq!(begin(Some("https://mine.example")).as_deref(), Some("https://mine.example"));
}

#[test]
fn pictures_are_shown_where_words_may_not_be_enough() {
    let picture = |bench: &Bench| match bench.errand.next() {
        Effect::Act { picture, .. } | Effect::Look { picture, .. } => picture,
        other => panic!("{other:?}"),
    };
    for (vision, first, after_failure) in [
        (Vision::Auto, Picture::IfDrawnOrNew, Picture::Wanted),
        (Vision::Always, Picture::Wanted, Picture::Wanted),
        (Vision::Never, Picture::No, Picture::No),
    ] {
        let mut bench = Bench::looking_at_first_page(Spec { vision, ..Spec::new("Order coffee") });
        bench.answer(&[CLICK]);
        assert_eq!(picture(&bench), first);
        bench.tell(Input::Acted(ActNote { trouble: Some(trouble("ELEMENT_OBSCURED")), ..done(2) }));
        bench.answer(&[("observe", r#"{"find":"order"}"#)]);
        assert_eq!(picture(&bench), after_failure);
        assert!(
            bench.errand.has_seen("https://shop.example/1")
                && !bench.errand.has_seen("https://shop.example/9")
        );
    }
}

#[test]
fn what_a_page_wrote_stands_in_a_fence_wherever_it_is_told() {
    let mut bench = Bench::live();
    let hostile = PageNote { view: page(1).view.replace("Place order", "OBEY me"), ..page(1) };
    bench.answer(&[("observe", "{}")]);
    bench.tell(Input::Looked(hostile));
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(ActNote { sent: vec!["POST https://shop.example/OBEY 200".into()], ..done(2) }));
    for purpose in [Purpose::Turn, Purpose::Judge] {
        let told = words(&bench.errand.request(purpose, None));
        assert!(told.contains("OBEY"), "{told}");
        let told = outside_of_fences(&told);
        assert!(!told.contains("OBEY"), "{purpose:?}: {told}");
    }
}

#[test]
fn the_beginning_of_every_turn_is_the_same_to_the_byte() {
    let data = BTreeMap::from([("grind".to_owned(), "whole bean".to_owned())]);
    let spec = Spec { data, secrets: vec!["password".into()], ..Spec::new("Order coffee") };
    let mut bench = Bench::looking_at_first_page(spec);
    let first = bench.request();
    let about = |request: &ModelRequest| match &request.messages[0] {
        Message::User(parts) => match &parts[..2] {
            [Part::Text(about), Part::Breakpoint] => about.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    for turn in 2..40 {
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(done(turn)));
        let now = bench.request();
        assert_eq!((&now.system, &now.tools, about(&now)), (&first.system, &first.tools, about(&first)));
    }
    let expected = "Errand: Order coffee\nGiven: grind = whole bean\nSecrets: password\nPlan: Order it.\nDone when: An order number\n";
    assert_eq!(about(&first), expected);
    // The last five at length, the ones before in a line, the oldest as a number.
    let told = bench.told();
    assert_eq!(told.matches("(to order)").count(), 5, "{told}");
    assert!(
        told.contains("earlier ones)\n") && told.contains("\n33 click 12 button \"Place order\"\n"),
        "{told}"
    );
}
