//! What is sent is what the vendors' official clients would send: whole requests of all wires, held against the types of those.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "clients/official.rs"]
mod official;

use legwork_llm::{Attempts, Client, Model, Patience, Runs, Wire};
use legwork_testkit::sites::vendor::{Asked, Reply, Spoken, Vendor, VendorWire};
use legwork_types::model::{
    Message, ModelRequest, Part, Picture, ResultKind, ToolCall, ToolChoice, ToolResult, ToolSpec,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use official::wrong_with;

fn wire(of: VendorWire) -> Wire {
    match of {
        VendorWire::Anthropic => Wire::Anthropic,
        VendorWire::OpenAi => Wire::OpenAi,
        VendorWire::Responses => Wire::Responses,
        VendorWire::Gemini => Wire::Gemini,
    }
}

fn text(words: &str) -> Part {
    Part::Text(words.into())
}

fn picture() -> Part {
    Part::Image(Picture { media_type: "image/jpeg", base64: "/9j/4AAQ".into() })
}

/// What is sent by a model that is asked, thinks and calls, hears what came of it with pictures and errors, and is asked again in all
/// the ways of asking; and what is sent by one that takes over from a model of another wire.
async fn bodies(of: VendorWire) -> Vec<Value> {
    let thinks = |_: &Asked| {
        Reply::Spoken(Spoken {
            thought: Some("Where is it?".into()),
            text: "I press it.".into(),
            calls: vec![("act".into(), r#"{"element": 7}"#.into()), ("look".into(), "{}".into())],
        })
    };
    let vendor = Vendor::start(thinks).unwrap();
    let client = |of: VendorWire| {
        let base = format!("{}/", vendor.base_url(of)).parse().unwrap();
        let name = of.model().into();
        let model = Model { name, wire: wire(of), base, key: None, runs: Runs::Elsewhere };
        Client::new(model, Patience::USUAL, Attempts::default()).unwrap()
    };
    let schema = json!({"type": "object", "properties": {"element": {"type": ["integer", "null"]}},
        "required": ["element"], "additionalProperties": false});
    let tool =
        |name: &str| ToolSpec { name: name.into(), description: "Acts.".into(), schema: schema.clone() };
    let mut request = ModelRequest {
        system: "You run errands.".into(),
        messages: vec![Message::User(vec![
            text("Order coffee."),
            Part::Breakpoint,
            text("A page."),
            picture(),
        ])],
        tools: vec![tool("act"), tool("look")],
        choice: ToolChoice::Any,
        most_output: 500,
    };
    let other = VendorWire::ALL.into_iter().find(|other| *other != of).unwrap();
    for speaker in [other, of, of, of] {
        let turn = client(speaker).ask(&request, &CancellationToken::new()).await.unwrap().turn;
        let result = |(call, outcome): (&ToolCall, ResultKind)| ToolResult {
            call: call.id.clone(),
            parts: vec![text("It is so."), picture()],
            outcome,
        };
        let results = turn.calls.iter().zip([ResultKind::Done, ResultKind::Failed]).map(result).collect();
        let told = Message::User(vec![text("Go on.")]);
        request.messages.extend([Message::Assistant(turn.said), Message::Results(results), told]);
        request.choice = match request.choice {
            ToolChoice::Any => ToolChoice::Auto,
            ToolChoice::Auto | ToolChoice::Only(_) => ToolChoice::Only("act".into()),
        };
    }
    // Words alone, and nothing to call.
    let mut plain = request.without_pictures();
    plain.tools.clear();
    client(of).ask(&plain, &CancellationToken::new()).await.unwrap();
    let calls = vendor.books().calls();
    calls.into_iter().filter(|call| call.asked.wire == of).map(|call| call.asked.body).collect()
}

async fn all() -> Vec<(VendorWire, Value)> {
    let mut all = vec![];
    for of in VendorWire::ALL {
        let bodies = bodies(of).await;
        all.extend(bodies.into_iter().map(|body| (of, body)));
    }
    // What others who speak Chat want to have back is not in OpenAI's types.
    let chats = all.iter_mut().filter(|(of, _)| *of == VendorWire::OpenAi);
    let messages = chats.flat_map(|(_, body)| body["messages"].as_array_mut().unwrap());
    let thoughts = messages.filter_map(|message| message.as_object_mut()?.remove("reasoning_content"));
    assert!(thoughts.count() > 2);
    for of in VendorWire::ALL {
        assert_eq!(all.iter().filter(|(wire, _)| *wire == of).count(), 4, "{of:?}");
    }
    all
}

#[tokio::test]
async fn the_official_types_take_whatever_is_sent() {
    let all = all().await;
    for ((wire, body), wrong) in all.iter().zip(wrong_with(&all)) {
        assert_eq!(wrong, None, "{wire:?}: {body}");
    }
    // What makes them rich is really there.
    for (wire, part) in [
        (VendorWire::Anthropic, r#""type":"thinking""#),
        (VendorWire::Anthropic, r#""is_error":true"#),
        (VendorWire::OpenAi, r#""content":"ERROR: It is so.""#),
        (VendorWire::Responses, r#""encrypted_content":"EqQB"#),
        (VendorWire::Responses, r#""type":"input_image""#),
        (VendorWire::Gemini, r#""thoughtSignature":"EqQB"#),
        (VendorWire::Gemini, r#""thoughtSignature":"skip"#),
        (VendorWire::Gemini, r#""response":{"error":"#),
    ] {
        let has = all.iter().any(|(of, body)| *of == wire && body.to_string().contains(part));
        assert!(has, "{wire:?} {part}");
    }
}

/// A place in a request, and what is put there; nothing takes it away.
type Break = (&'static str, Option<Value>);

#[tokio::test]
async fn the_official_types_refuse_what_is_broken() {
    let all = all().await;
    // A field that nobody knows, a value of another kind, and nothing where there has to be something.
    let breaks: [(VendorWire, [Break; 6]); 4] = [
        (
            VendorWire::Anthropic,
            [
                ("/max_token", Some(json!(5))),
                ("/messages/0/content/0/txt", Some(json!("x"))),
                ("/max_tokens", Some(json!("500"))),
                ("/messages/0/content/2/source/media_type", Some(json!("image/x"))),
                ("/max_tokens", None),
                ("/messages/2/content/0/tool_use_id", None),
            ],
        ),
        (
            VendorWire::OpenAi,
            [
                ("/max_token", Some(json!(5))),
                ("/messages/1/content/0/txt", Some(json!("x"))),
                ("/stream", Some(json!("true"))),
                ("/tool_choice", Some(json!("must"))),
                ("/model", None),
                ("/tools/0/function/name", None),
            ],
        ),
        (
            VendorWire::Responses,
            [
                ("/messages", Some(json!([]))),
                ("/input/0/content/0/txt", Some(json!("x"))),
                ("/max_output_tokens", Some(json!("500"))),
                ("/include", Some(json!(["everything"]))),
                ("/tools/0/name", None),
                ("/input/0/content/0/text", None),
            ],
        ),
        (
            VendorWire::Gemini,
            [
                ("/messages", Some(json!([]))),
                ("/contents/0/parts/0/txt", Some(json!("x"))),
                ("/generationConfig/maxOutputTokens", Some(json!("500"))),
                ("/toolConfig/functionCallingConfig/mode", Some(json!("MUST"))),
                ("/contents", None),
                ("/contents/0/role", None),
            ],
        ),
    ];
    let mut broken = vec![];
    for (wire, breaks) in breaks {
        let (_, body) = all.iter().find(|(of, _)| *of == wire).unwrap();
        for (place, value) in breaks {
            let mut body = body.clone();
            let (parent, name) = place.rsplit_once('/').unwrap();
            let parent = body.pointer_mut(parent).and_then(Value::as_object_mut);
            let parent = parent.unwrap_or_else(|| panic!("{wire:?} has no {place}"));
            match value {
                Some(value) => drop(parent.insert(name.to_owned(), value)),
                None => assert!(parent.remove(name).is_some(), "{wire:?} {place}"),
            }
            broken.push((wire, body));
        }
    }
    for ((wire, body), wrong) in broken.iter().zip(wrong_with(&broken)) {
        assert!(wrong.is_some(), "{wire:?}: {body}");
    }
}
