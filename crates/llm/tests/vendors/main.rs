//! All wires against a vendor that is as strict as the real ones and fails in all their ways.
#![allow(clippy::unwrap_used, clippy::panic)]

mod odd;
mod torn;

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use legwork_llm::{
    Attempts, Client, Key, LlmError, Model, Patience, Runs, Slow, VendorError, Wire, without_thoughts,
};
use legwork_testkit::sites::vendor::{Asked, Billed, Fault, Reply, Spoken, Vendor, VendorWire};
use legwork_types::{
    Problem,
    model::{
        Message, ModelRequest, Part, Picture, ResultKind, ToolCall, ToolChoice, ToolResult, ToolSpec,
        TurnEnd, Usage,
    },
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

const WIRES: [(Wire, VendorWire); 4] = [
    (Wire::Anthropic, VendorWire::Anthropic),
    (Wire::OpenAi, VendorWire::OpenAi),
    (Wire::Responses, VendorWire::Responses),
    (Wire::Gemini, VendorWire::Gemini),
];

/// Far beyond what any of these tests needs.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(200);

const PATIENT: Patience = Patience { connect: LONG, first_byte: LONG, idle: LONG, total: LONG };

const QUICK: Attempts = Attempts {
    most: 3,
    pause: Duration::from_millis(10),
    longest_pause: Duration::from_millis(20),
    longest_wish: Duration::from_secs(2),
};

fn client(vendor: &Vendor, wire: (Wire, VendorWire), patience: Patience) -> Client {
    client_of(vendor, wire, "scripted", patience)
}

fn client_of(vendor: &Vendor, wire: (Wire, VendorWire), name: &str, patience: Patience) -> Client {
    let base = format!("{}/", vendor.base_url(wire.1)).parse().unwrap();
    let key = Some(Key::from("key-canary"));
    let model = Model { name: name.into(), wire: wire.0, base, key, runs: Runs::Elsewhere };
    Client::new(model, patience, QUICK).unwrap()
}

fn request(messages: Vec<Message>) -> ModelRequest {
    let schema = json!({"type": "object", "properties": {"element": {"type": "integer"}}});
    let tool = ToolSpec { name: "act".into(), description: "Acts.".into(), schema };
    let system = "You run errands.".into();
    ModelRequest { system, messages, tools: vec![tool], choice: ToolChoice::Auto, most_output: 500 }
}

fn hello() -> ModelRequest {
    request(vec![Message::User(vec![Part::Text("Order coffee.".into())])])
}

fn usage(billed: Billed) -> Usage {
    let Billed { input, cache_write, cache_read, output } = billed;
    Usage { input, cache_write, cache_read, output }
}

/// Answers these, one after the other.
fn script(replies: Vec<Reply>) -> impl FnMut(&Asked) -> Reply + Send {
    let mut replies = replies.into_iter();
    move |_| replies.next().unwrap()
}

async fn ask(client: &Client, request: &ModelRequest) -> Result<legwork_llm::Answered, LlmError> {
    client.ask(request, &CancellationToken::new()).await
}

#[tokio::test]
async fn thoughts_calls_pictures_and_results_go_both_ways() {
    for wire in WIRES {
        let first = Reply::Spoken(Spoken {
            thought: Some("Where is the \"basket\"? — hm".into()),
            text: "I press it.".into(),
            calls: vec![("act".into(), r#"{"element":  7}"#.into())],
        });
        let vendor = Vendor::start(script(vec![first, Reply::say("Thank you.")])).unwrap();
        let client = client(&vendor, wire, PATIENT);
        let mut messages = vec![Message::User(vec![Part::Text("Order coffee.".into()), Part::Breakpoint])];
        let answered = ask(&client, &request(messages.clone())).await.unwrap();
        let turn = answered.turn;
        assert_eq!((turn.text.as_str(), turn.end), ("I press it.", TurnEnd::Complete));
        assert_eq!(turn.model, "scripted");
        assert_eq!(turn.thought, "Where is the \"basket\"? — hm");
        assert_eq!(turn.calls[0].input.as_ref().unwrap().get(), r#"{"element":  7}"#);
        let picture = Picture { media_type: "image/jpeg", base64: "/9j/4AAQ".into() };
        let parts = vec![Part::Text("It was pressed.".into()), Part::Image(picture)];
        let call = turn.calls[0].id.clone();
        messages.push(Message::Assistant(turn.said));
        messages.push(Message::Results(vec![ToolResult { call, parts, outcome: ResultKind::Done }]));
        // The vendor takes back only what it said, and only results of what was called.
        let second = ask(&client, &request(messages)).await.unwrap().turn;
        assert_eq!(second.text, "Thank you.");
        let calls = vendor.books().calls();
        assert_eq!(calls.len(), 2, "{wire:?}");
        assert_eq!(
            (calls[1].asked.pictures, calls[1].asked.latest().as_str()),
            (
                1,
                match wire.0 {
                    Wire::Anthropic | Wire::Responses => "It was pressed.",
                    Wire::OpenAi | Wire::Gemini => "It was pressed.\n",
                }
            )
        );
        assert!(calls.iter().all(|call| call.key.as_deref() == Some("key-canary")));
        assert_eq!(turn.usage.plus(second.usage), usage(vendor.books().billed()));
        assert!(second.usage.cache_read > 0, "what stays the same is not charged twice");
    }
}

#[tokio::test]
async fn what_may_pass_is_asked_for_again_and_what_was_charged_is_known() {
    let faults = [
        Fault::Status(429, None),
        Fault::Status(429, Some(SHORT)),
        Fault::Status(500, None),
        Fault::Status(502, None),
        Fault::Status(529, None),
        Fault::Cut,
        Fault::Garbage,
        Fault::Overloaded,
    ];
    for wire in WIRES {
        for fault in faults {
            let vendor = Vendor::start(script(vec![fault.into(), fault.into(), Reply::say("Yes.")])).unwrap();
            let begun = Instant::now();
            let answered = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap();
            assert_eq!((answered.turn.text.as_str(), answered.attempts), ("Yes.", 3), "{fault:?}");
            if let Fault::Status(_, Some(wish)) = fault {
                assert!(begun.elapsed() >= wish * 2, "not before the vendor wants it");
            }
            let charged = answered.wasted.plus(answered.turn.usage);
            let billed = usage(vendor.books().billed());
            // Anthropic and Gemini tell at the beginning what they read, OpenAI at the end alone: what was begun and not told is counted.
            if matches!(wire.0, Wire::Anthropic | Wire::Gemini) {
                assert_eq!(charged.all_input(), billed.all_input(), "{fault:?}");
                assert!(charged.output >= billed.output, "{fault:?}: {charged:?}, {billed:?}");
            } else {
                let is_begun = matches!(fault, Fault::Cut | Fault::Overloaded | Fault::Garbage);
                assert_eq!(answered.untold, if is_begun { 2 } else { 0 }, "{fault:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_stays_wrong_ends_after_three_attempts_and_what_can_never_pass_after_one() {
    let always = |fault: Fault| move |_: &Asked| Reply::from(fault);
    for wire in WIRES {
        for (fault, attempts) in [
            (Fault::Status(503, None), 3),
            (Fault::Status(429, Some(LONG)), 1),
            (Fault::Status(400, None), 1),
            (Fault::Status(401, None), 1),
            (Fault::Status(402, None), 1),
            (Fault::Status(403, None), 1),
            (Fault::Status(404, None), 1),
            (Fault::Giant, 1),
            (Fault::Penniless, 1),
            (Fault::Telltale, 1),
            (Fault::TelltaleStream, 1),
        ] {
            let vendor = Vendor::start(always(fault)).unwrap();
            let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
            assert_eq!((failed.attempts, vendor.books().count()), (attempts, attempts as usize), "{fault:?}");
            let told = format!("{failed} {failed:?}");
            assert!(!told.contains("canary") && told.len() < 2_000, "{told}");
        }
    }
}

#[tokio::test]
async fn every_wait_has_its_own_end() {
    let waits = [
        (Fault::Silence, Patience { first_byte: SHORT, ..PATIENT }, Slow::FirstByte(SHORT)),
        (Fault::Silence, Patience { total: SHORT, ..PATIENT }, Slow::Total(SHORT)),
        (Fault::Stall, Patience { idle: SHORT, ..PATIENT }, Slow::Idle(SHORT)),
        (Fault::Stall, Patience { total: SHORT, ..PATIENT }, Slow::Total(SHORT)),
    ];
    for wire in WIRES {
        for (fault, patience, slow) in waits {
            let vendor = Vendor::start(move |_: &Asked| fault.into()).unwrap();
            let failed = ask(&client(&vendor, wire, patience), &hello()).await.unwrap_err();
            assert_eq!((failed.last, failed.attempts), (VendorError::Timeout(slow), 3), "{fault:?}");
        }
    }
}

#[tokio::test]
async fn whoever_calls_it_off_does_not_wait() {
    for wire in WIRES {
        for fault in [Fault::Silence, Fault::Stall, Fault::Status(429, Some(Duration::from_secs(2)))] {
            let asked = CancellationToken::new();
            let seen = asked.clone();
            let vendor = Vendor::start(move |_: &Asked| {
                seen.cancel();
                fault.into()
            })
            .unwrap();
            let failed = client(&vendor, wire, PATIENT).ask(&hello(), &asked).await.unwrap_err();
            assert_eq!((failed.last, failed.attempts), (VendorError::Cancelled, 1), "{fault:?}");
        }
    }
}

#[tokio::test]
async fn odd_answers_are_told_as_they_are() {
    for wire in WIRES {
        let two = Reply::calls(&[("act", json!({"element": 1})), ("nothing_like_it", json!("wrong"))]);
        let broken = Reply::Spoken(Spoken {
            calls: vec![("act".into(), "{\"element\":".into())],
            ..Spoken::default()
        });
        let vendor = Vendor::start(script(vec![two, broken, Reply::say("")])).unwrap();
        let client = client(&vendor, wire, PATIENT);
        let two = ask(&client, &hello()).await.unwrap().turn;
        let names: Vec<&str> = two.calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["act", "nothing_like_it"]);
        let mut answered = ask(&client, &hello()).await.unwrap();
        if wire.0 == Wire::Gemini {
            // This vendor reads calls itself, and says that it can't: it is asked again.
            assert_eq!((answered.attempts, answered.untold), (2, 0));
            assert!(answered.wasted.all_input() > 0, "what it took is known");
        } else {
            let broken = answered.turn;
            assert_eq!(broken.calls[0].input.as_ref().unwrap_err(), "{\"element\":");
            answered = ask(&client, &hello()).await.unwrap();
        }
        assert_eq!((answered.turn.text.as_str(), answered.turn.calls.len()), ("", 0));
    }
}

#[tokio::test]
async fn whatever_was_said_can_be_sent_back() {
    let space = Spoken { text: "\n\n".into(), ..Spoken::default() };
    let thought = Spoken { thought: Some("Hm.".into()), ..Spoken::default() };
    let thought_and_space = Spoken { text: " ".into(), ..thought.clone() };
    let space_and_call =
        Spoken { text: " \n".into(), calls: vec![("act".into(), "{}".into())], ..Spoken::default() };
    for wire in WIRES {
        for odd in [&Spoken::default(), &space, &thought, &thought_and_space, &space_and_call] {
            let vendor = Vendor::start(script(vec![odd.clone().into(), Reply::say("Yes.")])).unwrap();
            let client = client(&vendor, wire, PATIENT);
            let first = ask(&client, &hello()).await.unwrap().turn;
            let mut messages = hello().messages;
            messages.push(Message::Assistant(first.said));
            messages.push(match first.calls.first() {
                Some(call) => Message::Results(vec![ToolResult {
                    call: call.id.clone(),
                    parts: vec![Part::Text("Done.".into())],
                    outcome: ResultKind::Done,
                }]),
                None => Message::User(vec![Part::Text("Call something.".into())]),
            });
            let second = ask(&client, &request(messages)).await;
            assert_eq!(second.map(|answered| answered.turn.text), Ok("Yes.".into()), "{wire:?} {odd:?}");
        }
    }
}

#[tokio::test]
async fn a_second_model_takes_over_on_any_wire() {
    let first = Spoken {
        thought: Some("Where is it?".into()),
        text: "I press it.".into(),
        calls: vec![("act".into(), r#"{"element":7}"#.into()), ("act".into(), r#"{"element":8}"#.into())],
    };
    // Kimi's ids are refused elsewhere, and the same at every turn.
    let firsts = WIRES.map(|wire| (wire, "scripted")).into_iter().chain([(WIRES[1], "kimi-k2")]);
    for (wire, name) in firsts {
        for other in WIRES {
            let vendor = Vendor::start(script(vec![first.clone().into(); 2])).unwrap();
            let result = |call: &ToolCall| ToolResult {
                call: call.id.clone(),
                parts: vec![Part::Text("Done.".into())],
                outcome: ResultKind::Done,
            };
            let mut messages = hello().messages;
            let before = client_of(&vendor, wire, name, PATIENT);
            for _ in 0..2 {
                let turn = ask(&before, &hello()).await.unwrap().turn;
                messages.push(Message::Assistant(without_thoughts(&turn.said)));
                messages.push(Message::Results(turn.calls.iter().map(result).collect()));
            }
            // What the first one said is refused by no vendor, and what the second one says goes on from there.
            let second =
                Vendor::start(script(vec![Reply::call("act", json!({})), Reply::say("Yes.")])).unwrap();
            let client = client(&second, other, PATIENT);
            let turn = ask(&client, &request(messages.clone())).await.unwrap().turn;
            messages.push(Message::Assistant(turn.said));
            messages.push(Message::Results(turn.calls.iter().map(result).collect()));
            let last = ask(&client, &request(messages)).await;
            assert_eq!(
                last.map(|answered| answered.turn.text),
                Ok("Yes.".into()),
                "{name} {wire:?} {other:?}"
            );
            let calls = second.books().calls();
            let called: Vec<&str> = calls[1].asked.called().iter().map(|(name, _)| *name).collect();
            assert_eq!(called, ["act"; 5], "{name} {wire:?} {other:?}");
        }
    }
}

#[tokio::test]
async fn a_vendor_that_has_no_such_model_says_so_in_its_own_way_and_another_may_answer() {
    for wire in WIRES {
        for (words, is_missing) in [
            ("kimi/none is not a valid model ID", true),
            ("Model Not Exist", true),
            ("messages.1: Model Not Exist is no content", false),
        ] {
            let vendor = Vendor::start(move |_: &Asked| Fault::Refuses(400, words).into()).unwrap();
            let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
            assert_eq!((failed.attempts, failed.another_may_answer()), (1, is_missing), "{wire:?} {words}");
            let hint = Problem::from(&failed).hint;
            assert_eq!(hint.contains("check the name of the model"), is_missing, "{hint}");
        }
    }
    for wire in &WIRES[1..3] {
        let gone = "The model `none` does not exist or you do not have access to it.";
        let vendor = Vendor::start(move |_: &Asked| Fault::Refuses(400, gone).into()).unwrap();
        let failed = ask(&client(&vendor, *wire, PATIENT), &hello()).await.unwrap_err();
        assert!(failed.another_may_answer(), "by its code: {failed:?}");
    }
}

#[tokio::test]
async fn a_model_without_eyes_is_asked_in_words() {
    for wire in WIRES {
        let vendor = Vendor::start(|asked: &Asked| match asked.pictures {
            0 => Reply::say("Yes."),
            _ => Fault::Eyeless.into(),
        })
        .unwrap();
        let client = client(&vendor, wire, PATIENT);
        let picture = Picture { media_type: "image/jpeg", base64: "/9j/4AAQ".into() };
        let shown = vec![Part::Text("The page.".into()), Part::Image(picture)];
        let shown = request(vec![Message::User(shown)]);
        let answered = ask(&client, &shown).await.unwrap();
        assert_eq!((answered.turn.text.as_str(), answered.attempts), ("Yes.", 2));
        assert!(answered.in_words);
        // It is not tried again, and whoever asks is told each time that something was not shown.
        let again = ask(&client, &shown).await.unwrap();
        assert_eq!((again.attempts, again.in_words), (1, true));
        assert_eq!(vendor.books().calls().last().unwrap().asked.pictures, 0);
        assert!(!ask(&client, &hello()).await.unwrap().in_words, "there was nothing to show");
        // Two that find it out at once do not stand in each other's way.
        let client = self::client(&vendor, wire, PATIENT);
        let both = tokio::join!(ask(&client, &shown), ask(&client, &shown));
        for answered in [both.0.unwrap(), both.1.unwrap()] {
            assert!(answered.in_words, "{answered:?}");
        }
    }
}

#[tokio::test]
async fn nobody_there_is_told_as_that() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = format!("http://{free}/").parse().unwrap();
    let model = Model { name: "m".into(), wire: Wire::Anthropic, base, key: None, runs: Runs::Here };
    let client = Client::new(model, PATIENT, QUICK).unwrap();
    let failed = ask(&client, &hello()).await.unwrap_err();
    assert!(matches!(failed.last, VendorError::Unreachable(_)), "{failed:?}");
    assert_eq!(failed.attempts, 3);
}

#[tokio::test]
async fn models_that_reason_get_no_parameter_that_they_refuse() {
    let vendor = Vendor::start(|_: &Asked| Reply::say("Yes.")).unwrap();
    for name in ["gpt-5", "gpt-4o", "o3", "o4-mini", "o1-2024-12-17"] {
        let base = format!("{}/", vendor.base_url(VendorWire::OpenAi)).parse().unwrap();
        let model = Model { name: name.into(), wire: Wire::OpenAi, base, key: None, runs: Runs::Elsewhere };
        let client = Client::new(model, PATIENT, QUICK).unwrap();
        assert_eq!(ask(&client, &hello()).await.unwrap().turn.text, "Yes.", "{name}");
    }
    // Whether the version belongs to the base or to what follows it, it is said once.
    for base in [vendor.base_url(VendorWire::Anthropic), vendor.base_url(VendorWire::OpenAi)] {
        let base = format!("{base}/").parse().unwrap();
        let name = "claude-opus-4-6".into();
        let model = Model { name, wire: Wire::Anthropic, base, key: None, runs: Runs::Here };
        let client = Client::new(model, PATIENT, QUICK).unwrap();
        assert_eq!(ask(&client, &hello()).await.unwrap().turn.text, "Yes.");
    }
}
