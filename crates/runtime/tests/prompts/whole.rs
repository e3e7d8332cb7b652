//! Whole requests: every one of an errand that has a bit of everything, on every wire, as the files in `expected` have them. With
//! `EXPECT=write` in the environment what is asked is written there; then the difference is to be read.

use std::{env, fs, path::PathBuf};

use legwork_agent::{
    ActNote, Answer, Errand, Heard, HeardCall, Input, Limits, OutcomeKind, PageNote, Purpose, Reserve,
    Someone, Spec, Trouble, TroubleKind,
};
use legwork_runtime::{CancellationToken, errands::Client};
use legwork_testkit::sites::vendor::{Asked, Reply, Vendor, VendorWire};
use legwork_types::model::{MicroUsd, Picture, Usage};
use serde_json::{Value, json};

use super::{official::wrong_with, vendor::client};

/// The mark of every fence.
const FENCE: &str = "00000000000000000007";

/// An errand that is told by hand what a page shows, and asks a model for real.
struct Paper {
    errand: Errand,
    client: Client,
}

impl Paper {
    fn tell(&mut self, input: Input) {
        for event in self.errand.decide(1_000, input) {
            self.errand.apply(&event);
        }
    }

    /// Asks the model, with a picture where the page has one.
    async fn ask(&mut self, purpose: Purpose) {
        self.tell(Input::Estimated(Reserve { tokens: 3_000, money: MicroUsd(90_000) }));
        let has_picture =
            purpose == Purpose::Turn && self.errand.page().is_some_and(|page| page.picture.is_some());
        let picture = has_picture.then(|| Picture { media_type: "image/jpeg", base64: "/9j/4AAQ".into() });
        let request = self.errand.request(purpose, picture);
        let turn = self.client.ask(&request, &CancellationToken::new()).await.unwrap().turn;
        let heard = Heard {
            model: Some(turn.model),
            text: turn.text,
            said: turn.said.json().to_owned(),
            end: turn.end,
            in_words: false,
            usage: Usage::default(),
            money: MicroUsd(1),
            attempts: 1,
            millis: 1,
        };
        let call = |call: legwork_types::model::ToolCall| HeardCall {
            id: call.id,
            tool: call.name,
            input: call.input.map_or_else(|text| text, |json| json.get().to_owned()),
        };
        self.tell(Input::Heard(heard, turn.calls.into_iter().map(call).collect()));
    }
}

/// The basket, at one of its states.
fn page(state: u64, picture: Option<&str>) -> PageNote {
    let lines = [
        r#"page "Your basket" "https://shop.example/basket""#.to_owned(),
        r#"dialog "We value your privacy""#.to_owned(),
        r#"  1 button "Only necessary""#.to_owned(),
        format!(r#"2 textbox "Voucher" ="{}""#, if state > 1 { "SPRING" } else { "" }),
        r#"3 button "Place order" !danger"#.to_owned(),
        format!(r#""To pay €{}""#, if state > 1 { "28.17" } else { "31.30" }),
    ];
    let view = format!(
        "observation o{state}\n<untrusted {FENCE}>\n{}\n</{FENCE}>\nnot shown: 2 hidden\n",
        lines.join("\n")
    );
    PageNote {
        observation: format!("o{state}"),
        url: "https://shop.example/basket".into(),
        title: "Your basket".into(),
        view,
        digest: state,
        picture: picture.map(str::to_owned),
        ..PageNote::default()
    }
}

fn acted(brief: &str, page: PageNote) -> Input {
    Input::Acted(Box::new(ActNote {
        dispatched: true,
        brief: brief.into(),
        page: Some(page),
        ..ActNote::default()
    }))
}

fn covered(page: PageNote) -> Input {
    let trouble = Trouble {
        code: "ELEMENT_OBSCURED".into(),
        words: "ELEMENT_OBSCURED: something lies over it. Next: deal with that first".into(),
        pages: format!("<untrusted {FENCE}>\nby: dialog \"We value your privacy\"\n</{FENCE}>\n"),
        kind: TroubleKind::Told,
        url: None,
    };
    let Input::Acted(mut done) = acted("ELEMENT_OBSCURED", page) else { unreachable!() };
    (done.trouble, done.dispatched) = (Some(trouble), false);
    Input::Acted(done)
}

fn spec() -> Spec {
    Spec {
        start_url: Some("https://shop.example/basket".into()),
        limits: Limits { turns: 6, ..Limits::GENERAL },
        data: [("voucher".to_owned(), "SPRING".to_owned())].into(),
        secrets: vec!["password".into()],
        answer_schema: Some(
            json!({"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}),
        ),
        someone: Someone::Present,
        ..Spec::new("Use my voucher, order what is in my basket, and tell me the number of the order.")
    }
}

/// What the model calls, request by request.
fn replies() -> Vec<Reply> {
    let act = |action: Value| Reply::call("act", action);
    vec![
        Reply::call(
            "create_plan",
            json!({"plan": "Enter the voucher. Place the order.", "successCriteria": "An order number", "actionItems": ["Order"]}),
        ),
        act(json!({"action": "fill", "element": 2, "value": "SPRING", "why": "the user has a voucher"})),
        Reply::calls(&[
            ("act", json!({"action": "click", "element": 3, "why": "to order"})),
            ("observe", json!({})),
        ]),
        Reply::call("ask_user", json!({"question": "Is €28.17 all right?"})),
        act(json!({"action": "click", "why": "to get rid of it"})),
        act(json!({"action": "click", "element": 1, "why": "it lies over the page"})),
        Reply::call(
            "complete_task",
            json!({"status": "success", "reason": "ordered", "evidence": "thanks", "answer": {"order": "A-17"}}),
        ),
        Reply::call(
            "validate_task",
            json!({"taskAssessment": "It shows a number.", "completionQuality": "complete"}),
        ),
    ]
}

/// Runs the errand by one wire, and gives every request as it came.
async fn requests(wire: VendorWire) -> Vec<Value> {
    let mut replies = replies().into_iter();
    let vendor = Vendor::start(move |_: &Asked| replies.next().unwrap()).unwrap();
    let mut paper = Paper { errand: Errand::begin(spec()).0, client: client(&vendor, wire).await };
    paper.ask(Purpose::Plan).await;
    paper.tell(Input::Looked(Box::new(page(1, Some("first.jpg")))));
    paper.ask(Purpose::Turn).await;
    paper.tell(acted("value changed", page(2, None)));
    paper.ask(Purpose::Turn).await;
    paper.tell(covered(page(3, Some("second.jpg"))));
    paper.ask(Purpose::Turn).await;
    paper.tell(Input::Said(Answer::Words("Yes, it is.".into())));
    // The call that follows can't be read, so the model is asked once more with nothing new on the page.
    paper.ask(Purpose::Turn).await;
    paper.ask(Purpose::Turn).await;
    paper.tell(acted("document changed", page(4, None)));
    paper.ask(Purpose::Turn).await;
    paper.tell(Input::Looked(Box::new(page(5, None))));
    paper.ask(Purpose::Judge).await;
    let outcome = paper.errand.outcome().expect("the errand is over");
    assert_eq!(outcome.kind, OutcomeKind::Verified, "{outcome:?}");
    vendor.books().calls().into_iter().map(|call| call.asked.body).collect()
}

/// Ids of calls with numbers of their own: those of Anthropic are told apart from all that were given in this program.
fn numbered_anew(requests: &[Value]) -> Vec<Value> {
    let mut text = serde_json::to_string(requests).unwrap();
    let ids: Vec<String> = text.split("\"toolu_").skip(1).map(|rest| rest[..6].to_owned()).collect();
    let mut known: Vec<&String> = vec![];
    for id in &ids {
        if !known.contains(&id) {
            known.push(id);
            text = text.replace(&format!("\"toolu_{id}_"), &format!("\"call_{:06}_", known.len()));
        }
    }
    serde_json::from_str(&text).unwrap()
}

/// Requests for people to read: texts line by line, and what is the same as in the request before only said to be.
fn readable(requests: &[Value]) -> Vec<Value> {
    let before = std::iter::once(&Value::Null).chain(requests);
    let shorter = |(request, before): (&Value, &Value)| {
        let mut shorter = by_lines(request);
        for part in ["system", "tools", "instructions", "systemInstruction"] {
            if request[part] == before[part] && !request[part].is_null() {
                shorter[part] = "as before".into();
            }
        }
        shorter
    };
    requests.iter().zip(before).map(shorter).collect()
}

fn by_lines(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains('\n') => text.split('\n').map(Value::from).collect(),
        Value::Array(parts) => parts.iter().map(by_lines).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), by_lines(value))).collect(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn every_request_of_an_errand_is_the_expected_one_on_every_wire() {
    for wire in VendorWire::ALL {
        let name = match wire {
            VendorWire::Anthropic => "anthropic.json",
            VendorWire::OpenAi => "openai.json",
            VendorWire::Responses => "responses.json",
            VendorWire::Gemini => "gemini.json",
        };
        let requests = readable(&numbered_anew(&requests(wire).await));
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/prompts/expected").join(name);
        if env::var("EXPECT").is_ok_and(|how| how == "write") {
            fs::write(&path, serde_json::to_string_pretty(&requests).unwrap() + "\n").unwrap();
        }
        let expected: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for (number, (request, expected)) in (1..).zip(requests.iter().zip(&expected)) {
            let shown = serde_json::to_string_pretty(request).unwrap();
            assert!(request == expected, "{name}, request {number} is another one now:\n{shown}");
        }
        assert_eq!(requests.len(), expected.len(), "{name}");
    }
}

#[tokio::test]
async fn the_official_types_take_every_request_of_an_errand() {
    let mut all = vec![];
    for wire in VendorWire::ALL {
        all.extend(requests(wire).await.into_iter().map(|body| (wire, body)));
    }
    for ((wire, body), wrong) in all.iter().zip(wrong_with(&all)) {
        assert_eq!(wrong, None, "{wire:?}: {body}");
    }
    // Planner, judge, all that can be called in between and the answer that is wanted are among them, on every wire.
    for wire in VendorWire::ALL {
        let sent: String =
            all.iter().filter(|(of, _)| *of == wire).map(|(_, body)| body.to_string()).collect();
        for name in [
            "create_plan",
            "validate_task",
            "act",
            "observe",
            "read",
            "complete_task",
            "submit_for_approval",
            "request_human_approval",
            "ask_user",
        ] {
            assert!(sent.contains(&format!("\"name\":\"{name}\"")), "{wire:?} {name}");
        }
        assert!(sent.contains(r#""order":{"type":"string"}"#), "{wire:?}");
    }
    // What is wrong with one tool among all is noticed.
    let broken: Vec<(VendorWire, Value)> = VendorWire::ALL
        .into_iter()
        .map(|wire| {
            let place = match wire {
                VendorWire::Anthropic => "/tools/2/description",
                VendorWire::OpenAi => "/tools/2/function/parameters",
                VendorWire::Responses => "/tools/2/parameters",
                VendorWire::Gemini => "/tools/0/functionDeclarations/2/name",
            };
            let (_, body) =
                all.iter().find(|(of, body)| *of == wire && body.to_string().contains("ask_user")).unwrap();
            let mut body = body.clone();
            *body.pointer_mut(place).unwrap() = json!(7);
            (wire, body)
        })
        .collect();
    assert!(wrong_with(&broken).iter().all(Option::is_some));
}
