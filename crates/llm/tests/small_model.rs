//! A real model answers through the same code: words as they come, a call of a tool, and what came of it sent back.
#![allow(clippy::unwrap_used)]

use legwork_llm::{Attempts, Client, Model, Patience, Runs, Wire};
use legwork_testkit::SmallModel;
use legwork_types::model::{
    Message, ModelRequest, Part, ResultKind, ToolChoice, ToolResult, ToolSpec, TurnEnd,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

fn told(words: &str) -> Message {
    Message::User(vec![Part::Text(words.to_owned())])
}

#[tokio::test]
async fn a_real_model_speaks_calls_a_tool_and_hears_of_its_result() {
    let server = SmallModel::start();
    let base = server.base_url().parse().unwrap();
    let model = Model { name: "small".into(), wire: Wire::OpenAi, base, key: None, runs: Runs::Here };
    let client = Client::new(model, Patience::LOCAL, Attempts::default()).unwrap();
    let never = CancellationToken::new();
    let mut request = ModelRequest {
        system: "You help.".into(),
        messages: vec![told("Name three fruits.")],
        tools: vec![],
        choice: ToolChoice::Auto,
        most_output: 40,
    };
    let words = client.ask(&request, &never).await.unwrap().turn;
    assert!(!words.text.is_empty() && words.calls.is_empty(), "{words:?}");
    assert!(words.usage.all_input() > 5 && (1..=40).contains(&words.usage.output), "{words:?}");
    let schema = json!({"type": "object", "properties": {"element": {"type": "integer", "enum": [1, 2]}},
        "required": ["element"], "additionalProperties": false});
    request.tools = vec![ToolSpec { name: "click".into(), description: "Clicks.".into(), schema }];
    request.choice = ToolChoice::Any;
    request.messages = vec![told("1 link \"Basket\"\n2 link \"Log in\"\nOpen the basket.")];
    let called = client.ask(&request, &never).await.unwrap().turn;
    assert_eq!((called.calls.len(), called.end), (1, TurnEnd::Complete));
    let call = &called.calls[0];
    let input: Value = serde_json::from_str(call.input.as_ref().unwrap().get()).unwrap();
    assert!(call.name == "click" && input["element"].is_i64(), "{call:?}");
    let parts = vec![Part::Text("It was clicked.".into())];
    let result = ToolResult { call: call.id.clone(), parts, outcome: ResultKind::Done };
    request.messages.extend([Message::Assistant(called.said), Message::Results(vec![result])]);
    let again = client.ask(&request, &never).await.unwrap().turn;
    assert_eq!(again.calls.len(), 1, "{again:?}");
}
