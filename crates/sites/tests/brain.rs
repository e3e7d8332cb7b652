//! A brain behind a vendor: what it calls is the same on either wire.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;

use client::Client;
use legwork_sites::{
    brain,
    vendor::{Reply, Spoken, Vendor},
};
use serde_json::{Value, json};

const ABOUT: &str = "Errand: order\n";
const NOW: &str = "Steps so far:\n<untrusted 7>\n\
    13 click 4 button \"Continue to review\" (step 12 of 14): navigated\n</7>\n\
    observation o1\n<untrusted 7>\npage \"Review\" \"http://a.example/\"\n\"To pay now €349.44\"\n5 button \"Place order\" !danger\n</7>\n\n\
    What is next? Call one tool.";

/// What the brain called when it was asked this way.
fn called(vendor: &Vendor, path: &str, kind: &str, body: &Value) -> Vec<(String, Value)> {
    let answer = Client::of(vendor.address()).ask("POST", path, kind, &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    let Some(Reply::Spoken(Spoken { calls, .. })) = vendor.books().calls().pop().map(|call| call.reply)
    else {
        return vec![];
    };
    calls.into_iter().map(|(tool, input)| (tool, serde_json::from_str(&input).unwrap())).collect()
}

#[test]
fn either_wire_leads_from_the_summary_to_the_order() {
    let vendor = Vendor::start(brain::instalment().script()).unwrap();
    let tools = ["act", "observe", "complete_task", "submit_for_approval"];

    // The header of the wire rides on the one that says what the body is.
    let anthropic = "application/json\r\nanthropic-version: 2023-06-01";
    let ask = |messages: Value| {
        let tools: Vec<Value> = tools.iter().map(|name| json!({"name": name})).collect();
        let body =
            json!({"model": "m", "max_tokens": 9, "stream": true, "tools": tools, "messages": messages});
        called(&vendor, "/v1/messages", anthropic, &body)
    };
    let parts = json!([{"type": "text", "text": ABOUT}, {"type": "text", "text": NOW}]);
    let told = json!({"role": "user", "content": parts});
    let first = ask(json!([told]));
    let (tool, input) = first.first().unwrap();
    assert_eq!((tool.as_str(), &input["amount"]), ("submit_for_approval", &json!("€349.44")));
    let said = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": tool, "input": input}]});
    let noted =
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "noted"}]});
    let second = ask(json!([told, said, noted]));
    let placed = ("act".to_owned(), json!({"action": "click", "element": 5, "why": "step 14 of 14"}));
    assert_eq!(second, [placed]);

    let ask = |messages: Value| {
        let tools = tools.iter().map(|name| json!({"type": "function", "function": {"name": name}}));
        let tools: Vec<Value> = tools.collect();
        let body = json!({"model": "m", "stream": true, "tools": tools, "messages": messages});
        called(&vendor, "/v1/chat/completions", "application/json", &body)
    };
    assert_eq!(ask(json!([told])), first);
    let call =
        json!({"id": "c", "type": "function", "function": {"name": tool, "arguments": input.to_string()}});
    let said = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let noted = json!({"role": "tool", "tool_call_id": "c", "content": "noted"});
    assert_eq!(ask(json!([told, said, noted])), second);
}
