//! Answers that no model should give: nested without end, of a million letters, of bytes that are no text, of nothing, under another
//! name.

use legwork_llm::{BadAnswer, VendorError};
use legwork_testkit::sites::vendor::{Asked, Fault, Reply, Spoken, Vendor, VendorWire};
use legwork_types::model::{Message, Part, ResultKind, ToolResult, TurnEnd};
use serde_json::json;

use crate::{PATIENT, WIRES, ask, client, hello, request, script};

fn called(input: String) -> Spoken {
    Spoken { calls: vec![("act".into(), input)], ..Spoken::default() }
}

#[tokio::test]
async fn what_nobody_can_read_is_told_as_text_and_does_not_spoil_what_follows() {
    const DEEP: usize = 100_000;
    for wire in WIRES {
        for input in [
            format!(r#"{{"element":{}{}}}"#, "[".repeat(DEEP), "]".repeat(DEEP)),
            format!("{}1{}", r#"{"a":"#.repeat(DEEP / 4), "}".repeat(DEEP / 4)),
            "[".repeat(DEEP),
            r#"{"value":"\ud83d"}"#.to_owned(),
            r#"{"value":"\ude00\ud83d"}"#.to_owned(),
        ] {
            let replies = vec![called(input.clone()).into(), Reply::say("Yes."), Reply::say("Yes.")];
            let vendor = Vendor::start(script(replies)).unwrap();
            let client = client(&vendor, wire, PATIENT);
            let answered = ask(&client, &hello()).await.unwrap();
            if wire.1 == VendorWire::Gemini {
                // This vendor reads calls itself, and says that it can't: it is asked again.
                assert_eq!((answered.turn.text.as_str(), answered.attempts), ("Yes.", 2));
                continue;
            }
            let call = &answered.turn.calls[0];
            assert!(call.input.as_ref().is_err_and(|text| *text == input), "{wire:?}");
            let result = ToolResult {
                call: call.id.clone(),
                parts: vec![Part::Text("This can't be read.".into())],
                outcome: ResultKind::Failed,
            };
            let mut messages = hello().messages;
            messages.push(Message::Assistant(answered.turn.said));
            messages.push(Message::Results(vec![result]));
            // The vendor would refuse what it can't read either.
            assert_eq!(ask(&client, &request(messages)).await.unwrap().turn.text, "Yes.", "{wire:?}");
            let last = vendor.books().calls().pop().unwrap().asked;
            assert_eq!(last.called(), [("act", &json!({}))], "{wire:?}");
        }
    }
}

#[tokio::test]
async fn a_million_letters_are_not_read_to_their_end() {
    let million = "x".repeat(1_000_000);
    for wire in WIRES {
        for endless in [
            Spoken { text: million.clone(), ..Spoken::default() },
            Spoken { thought: Some(million.clone()), ..Spoken::default() },
            called(json!({ "value": million }).to_string()),
            // Many small ones are one large one.
            Spoken {
                calls: vec![("act".into(), json!({"value": "x".repeat(2_000)}).to_string()); 500],
                ..Spoken::default()
            },
        ] {
            let vendor = Vendor::start(script(vec![endless.into()])).unwrap();
            let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
            assert_eq!((failed.last, failed.attempts), (BadAnswer::TooLarge.into(), 1), "{wire:?}");
            assert_eq!(vendor.books().count(), 1, "it is paid for once");
        }
        // What is long and not too long is an answer like any other.
        let long = called(json!({"value": "x".repeat(200_000)}).to_string());
        let vendor = Vendor::start(script(vec![long.clone().into()])).unwrap();
        let turn = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap().turn;
        assert_eq!(turn.calls[0].input.as_ref().unwrap().get(), long.calls[0].1, "{wire:?}");
    }
}

#[tokio::test]
async fn how_much_of_a_million_letters_was_read_is_known() {
    // These two tell at the beginning what they read; the letters are counted.
    for wire in [WIRES[0], WIRES[3]] {
        let vendor = Vendor::start(|_: &Asked| Reply::say(&"x".repeat(1_000_000))).unwrap();
        let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
        assert!((87_000..90_000).contains(&failed.usage.output), "{wire:?}: {:?}", failed.usage);
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_are_asked_for_again_and_are_no_answer_in_the_end() {
    for wire in WIRES {
        for fault in [Fault::NotText, Fault::HalfCharacter] {
            let vendor = Vendor::start(script(vec![fault.into(), Reply::say("Yes.")])).unwrap();
            let answered = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap();
            assert_eq!((answered.turn.text.as_str(), answered.attempts), ("Yes.", 2), "{wire:?} {fault:?}");
            let vendor = Vendor::start(move |_: &Asked| fault.into()).unwrap();
            let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
            assert_eq!((failed.attempts, vendor.books().count()), (3, 3), "{wire:?} {fault:?}");
            match (fault, &failed.last) {
                (Fault::NotText, VendorError::Unreadable(BadAnswer::NotText)) => {}
                (Fault::HalfCharacter, VendorError::Unreadable(BadAnswer::Shape(_))) => {}
                other => panic!("{wire:?} {other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn an_answer_without_a_call_is_whole_and_says_what_there_is() {
    for wire in WIRES {
        let thought = Spoken { thought: Some("Hm.".into()), ..Spoken::default() };
        let vendor = Vendor::start(script(vec![Spoken::default().into(), thought.into()])).unwrap();
        let client = client(&vendor, wire, PATIENT);
        for thought in ["", "Hm."] {
            let answered = ask(&client, &hello()).await.unwrap();
            let turn = answered.turn;
            assert_eq!((turn.text.as_str(), turn.thought.as_str()), ("", thought), "{wire:?}");
            assert_eq!(
                (turn.calls.len(), turn.end, answered.attempts),
                (0, TurnEnd::Complete, 1),
                "{wire:?}"
            );
        }
    }
}

#[tokio::test]
async fn another_model_that_answers_is_told_by_its_own_name() {
    for wire in WIRES {
        let spoken = called(r#"{"element":7}"#.into());
        let vendor = Vendor::start(script(vec![Reply::As("somebody-else-1b", spoken)])).unwrap();
        let client = client(&vendor, wire, PATIENT);
        let turn = ask(&client, &hello()).await.unwrap().turn;
        assert_eq!(vendor.books().calls()[0].asked.model, "scripted");
        assert_eq!((turn.model.as_str(), turn.calls.len()), ("somebody-else-1b", 1), "{wire:?}");
        assert_eq!(client.model().name, "scripted", "who is asked, and at which price, stays as it is");
    }
}
