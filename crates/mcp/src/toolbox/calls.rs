//! What somebody else's browser is to do, as calls of the tools that its server has. Pure; the fields are those of its own list.

use legwork_runtime::errands::{ForeignAct, On};
use serde_json::{Map, Value, json};

use super::Tool;

/// A call: the tool, and what it is given. Nothing where the server has no tool for it.
pub(super) fn call_of(act: &ForeignAct, tools: &[Tool]) -> Option<(&'static str, Map<String, Value>)> {
    let (name, mut given) = match act {
        ForeignAct::Go(url) => ("browser_navigate", json!({"url": url})),
        ForeignAct::Back => ("browser_navigate_back", json!({})),
        ForeignAct::Click(_, 2) => ("browser_click", json!({"doubleClick": true})),
        ForeignAct::Click(..) => ("browser_click", json!({})),
        ForeignAct::Fill(_, text) => ("browser_type", json!({"text": text})),
        ForeignAct::Choose(_, words) => ("browser_select_option", json!({"values": [words]})),
        ForeignAct::Hover(_) => ("browser_hover", json!({})),
        ForeignAct::Drag(..) => ("browser_drag", json!({})),
        ForeignAct::Key(key) => ("browser_press_key", json!({"key": key})),
        #[allow(clippy::cast_precision_loss, reason = "milliseconds of a wait are few")]
        ForeignAct::Wait(millis) => ("browser_wait_for", json!({"time": *millis as f64 / 1_000.0})),
        ForeignAct::WaitFor(words) => ("browser_wait_for", json!({"text": words})),
        ForeignAct::Answer { accept, text: Some(text) } => {
            ("browser_handle_dialog", json!({"accept": accept, "promptText": text}))
        }
        ForeignAct::Answer { accept, text: None } => ("browser_handle_dialog", json!({"accept": accept})),
        ForeignAct::Tab(index) => ("browser_tabs", json!({"action": "select", "index": index})),
        ForeignAct::CloseTab(index) => ("browser_tabs", json!({"action": "close", "index": index})),
    };
    let tool = tools.iter().find(|tool| tool.name == name)?;
    let given = given.as_object_mut()?;
    match act {
        ForeignAct::Click(on, _)
        | ForeignAct::Fill(on, _)
        | ForeignAct::Choose(on, _)
        | ForeignAct::Hover(on) => {
            name_it(given, tool, on, ["target", "ref", "element"])?;
        }
        ForeignAct::Drag(from, to) => {
            name_it(given, tool, from, ["startTarget", "startRef", "startElement"])?;
            name_it(given, tool, to, ["endTarget", "endRef", "endElement"])?;
        }
        _ => {}
    }
    let fields = tool.schema.get("properties").and_then(Value::as_object)?;
    given.keys().all(|field| fields.contains_key(field)).then(|| (name, std::mem::take(given)))
}

/// Names an element as this version of the server wants it: older ones take a `ref`, and words for it.
fn name_it(given: &mut Map<String, Value>, tool: &Tool, on: &On, fields: [&str; 3]) -> Option<()> {
    let [now, before, words] = fields;
    let has = |field: &str| tool.schema.get("properties").is_some_and(|known| known.get(field).is_some());
    if has(now) {
        given.insert(now.to_owned(), on.reference.clone().into());
    } else if has(before) {
        given.insert(before.to_owned(), on.reference.clone().into());
        if has(words) {
            given.insert(words.to_owned(), on.name.clone().into());
        }
    } else {
        return None;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `@playwright/mcp` 0.0.83 lists.
    fn listed() -> Vec<Tool> {
        let sample: Value =
            serde_json::from_str(include_str!("../../samples/playwright-tools.json")).unwrap();
        let tools = sample["tools"].as_array().unwrap().iter();
        tools.map(|tool| Tool::of(&serde_json::from_value(tool.clone()).unwrap()).unwrap()).collect()
    }

    fn on(reference: &str) -> On {
        On { reference: reference.into(), name: "Go".into() }
    }

    fn called(act: ForeignAct, tools: &[Tool]) -> Option<(&'static str, Value)> {
        call_of(&act, tools).map(|(name, given)| (name, Value::Object(given)))
    }

    #[test]
    fn every_act_is_a_call_of_the_real_list() {
        for (act, tool, given) in [
            (ForeignAct::Go("http://a/".into()), "browser_navigate", json!({"url": "http://a/"})),
            (ForeignAct::Back, "browser_navigate_back", json!({})),
            (ForeignAct::Click(on("e1"), 1), "browser_click", json!({"target": "e1"})),
            (ForeignAct::Click(on("e1"), 2), "browser_click", json!({"target": "e1", "doubleClick": true})),
            (ForeignAct::Fill(on("e1"), "x".into()), "browser_type", json!({"target": "e1", "text": "x"})),
            (
                ForeignAct::Choose(on("e1"), "1 kg".into()),
                "browser_select_option",
                json!({"target": "e1", "values": ["1 kg"]}),
            ),
            (ForeignAct::Hover(on("e1")), "browser_hover", json!({"target": "e1"})),
            (
                ForeignAct::Drag(on("e1"), on("e2")),
                "browser_drag",
                json!({"startTarget": "e1", "endTarget": "e2"}),
            ),
            (ForeignAct::Key("Enter".into()), "browser_press_key", json!({"key": "Enter"})),
            (ForeignAct::Wait(1_500), "browser_wait_for", json!({"time": 1.5})),
            (ForeignAct::WaitFor("Thanks".into()), "browser_wait_for", json!({"text": "Thanks"})),
            (
                ForeignAct::Answer { accept: true, text: Some("x".into()) },
                "browser_handle_dialog",
                json!({"accept": true, "promptText": "x"}),
            ),
            (ForeignAct::Tab(1), "browser_tabs", json!({"action": "select", "index": 1})),
            (ForeignAct::CloseTab(1), "browser_tabs", json!({"action": "close", "index": 1})),
        ] {
            assert_eq!(called(act.clone(), &listed()), Some((tool, given)), "{act:?}");
        }
    }

    #[test]
    fn older_servers_are_told_of_elements_in_their_way_and_what_they_lack_is_not_called() {
        let old = |name: &str, fields: Value| Tool {
            name: name.into(),
            description: String::new(),
            schema: json!({"type": "object", "properties": fields}),
        };
        let tools = [
            old("browser_click", json!({"element": {}, "ref": {}})),
            old("browser_hover", json!({"selector": {}})),
            old("browser_wait_for", json!({"time": {}})),
        ];
        let click = called(ForeignAct::Click(on("e1"), 1), &tools);
        assert_eq!(click, Some(("browser_click", json!({"ref": "e1", "element": "Go"}))));
        for act in [
            ForeignAct::Click(on("e1"), 2),
            ForeignAct::Hover(on("e1")),
            ForeignAct::WaitFor("x".into()),
            ForeignAct::Back,
        ] {
            assert_eq!(called(act.clone(), &tools), None, "{act:?}");
        }
    }
}
