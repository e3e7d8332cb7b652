//! An errand that is told everything by hand, and what it is told.

use legwork_agent::{
    ActNote, AskFailure, Caught, Effect, Entry, Errand, Fate, Handover, Heard, HeardCall, Input, Outcome,
    OutcomeKind, PageNote, Purpose, Reason, Reserve, Spec, Trouble, TroubleKind,
};
use legwork_types::model::{Message, MicroUsd, ModelRequest, Part, TurnEnd, Usage};

/// An errand that is told everything by hand.
pub(crate) struct Bench {
    pub(crate) errand: Errand,
    pub(crate) log: Vec<Entry>,
    pub(crate) calls: u32,
}

pub(crate) const FENCE: &str = "00000000000000000007";

pub(crate) fn page(digest: u64) -> PageNote {
    PageNote {
        observation: format!("o{digest}"),
        url: format!("https://shop.example/{digest}"),
        title: format!("Page {digest}"),
        view: format!("<untrusted {FENCE}>\npage \"Page {digest}\"\n12 button \"Place order\"\n</{FENCE}>\n"),
        words: Some(format!("Page {digest}")),
        digest,
        ..PageNote::default()
    }
}

pub(crate) fn done(after: u64) -> ActNote {
    ActNote {
        dispatched: true,
        brief: "document changed".into(),
        words: "done: click\n".into(),
        page: Some(page(after)),
        ..ActNote::default()
    }
}

pub(crate) fn trouble(code: &str) -> Trouble {
    Trouble {
        code: code.into(),
        words: format!("{code}: it is covered"),
        pages: format!("<untrusted {FENCE}>\nby: \"Cookies\"\n</{FENCE}>\n"),
        kind: TroubleKind::Told,
        url: None,
    }
}

pub(crate) fn caught(fate: Fate) -> ActNote {
    ActNote {
        caught: Some(Caught {
            fate,
            request: "POST https://shop.example/order total 31.30".into(),
            settles: true,
        }),
        trouble: Some(trouble("SAFETY_CONFIRMATION_REQUIRED")),
        ..done(2)
    }
}

pub(crate) const CLICK: (&str, &str) = ("act", r#"{"action":"click","element":12,"why":"to order"}"#);
pub(crate) const SUCCESS: (&str, &str) =
    ("complete_task", r#"{"status":"success","reason":"splendid work","evidence":"e"}"#);

impl Bench {
    /// An errand with this spec, which was planned and has seen its first page.
    pub(crate) fn looking_at_first_page(spec: Spec) -> Self {
        let (errand, started) = Errand::begin(spec);
        let mut bench = Self { errand, log: vec![started], calls: 0 };
        bench.answer(&[("create_plan", r#"{"plan":"Order it.","successCriteria":"An order number"}"#)]);
        assert!(matches!(bench.errand.next(), Effect::Open { .. }));
        bench.tell(Input::Looked(Box::new(page(1))));
        bench
    }

    pub(crate) fn live() -> Self {
        Self::looking_at_first_page(Spec::new("Order coffee"))
    }

    pub(crate) fn tell(&mut self, input: Input) {
        for event in self.errand.decide(1_000, input) {
            self.errand.apply(&event);
            self.log.push(Entry { at: 1_000, event });
        }
        assert_eq!(Errand::replay(&self.log).as_ref(), Some(&self.errand));
    }

    /// The model is asked and calls these.
    pub(crate) fn answer(&mut self, calls: &[(&str, &str)]) {
        self.answer_ending(TurnEnd::Complete, calls);
    }

    /// The same where the answer ended in this way.
    pub(crate) fn answer_ending(&mut self, end: TurnEnd, calls: &[(&str, &str)]) {
        self.answer_as(|heard| Heard { end, ..heard }, calls);
    }

    /// The same where this is what is heard besides.
    pub(crate) fn answer_as(&mut self, as_heard: impl FnOnce(Heard) -> Heard, calls: &[(&str, &str)]) {
        assert!(matches!(self.errand.next(), Effect::Reserve(_)), "{:?}", self.errand.next());
        self.tell(Input::Estimated(Reserve { tokens: 3_000, money: MicroUsd(90_000) }));
        assert!(matches!(self.errand.next(), Effect::Ask(_)));
        let usage = Usage { input: 2_000, output: 50, ..Usage::default() };
        self.calls += 1;
        let said = format!("[{{\"said\":{}}}]", self.calls);
        let (model, text, money) = (Some("m".into()), String::new(), MicroUsd(10_000));
        let (end, in_words) = (TurnEnd::Complete, false);
        let heard = Heard { model, text, said, end, in_words, usage, money, attempts: 1, millis: 3 };
        let call = |(at, (tool, input)): (usize, &(&str, &str))| HeardCall {
            id: format!("call{}-{at}", self.calls),
            tool: (*tool).into(),
            input: (*input).into(),
        };
        let calls = calls.iter().enumerate().map(call).collect();
        self.tell(Input::Heard(as_heard(heard), calls));
    }

    pub(crate) fn outcome(&self) -> &Outcome {
        self.errand.outcome().unwrap_or_else(|| panic!("it goes on: {:?}", self.errand.next()))
    }

    pub(crate) fn ended(&self) -> (OutcomeKind, Reason) {
        (self.outcome().kind, self.outcome().reason)
    }

    pub(crate) fn request(&self) -> ModelRequest {
        self.errand.request(Purpose::Turn, None)
    }

    /// What the model is told now, all of it.
    pub(crate) fn told(&self) -> String {
        words(&self.request())
    }
}

/// A model could not be asked, and this one might be.
pub(crate) fn ask_failed(code: &str, another: Option<Handover>) -> Input {
    let (trouble, usage) = (trouble(code), Usage::default());
    Input::AskFailed(AskFailure { trouble, usage, money: MicroUsd(7), another, is_too_long: false })
}

/// A model answered at greater length than anybody reads, and this one might do better.
pub(crate) fn answered_too_long(another: Option<Handover>) -> Input {
    match ask_failed("MODEL_FAILED", another) {
        Input::AskFailed(failure) => Input::AskFailed(AskFailure { is_too_long: true, ..failure }),
        other => other,
    }
}

pub(crate) fn words(request: &ModelRequest) -> String {
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
