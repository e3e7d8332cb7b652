//! Which tools of a server a model gets to see, and whether a call of one may be made. Pure, and a no to whatever is not known:
//! a page may add tools of its own to such a server, and what it says of them is worth nothing.

use serde_json::{Map, Value};
use thiserror::Error;

use super::{Element, Snapshot, Tool, tree};

/// Whether files of this machine may be given to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uploads {
    /// They may.
    Allowed,
    /// They may not.
    Refused,
}

/// The tools of `@playwright/mcp` that a model may have. Left out, among others: what runs script (`browser_evaluate`,
/// `browser_run_code…`), what installs (`browser_install`), what a page has brought along (`webmcp_…`), what clicks at a place
/// instead of an element (`browser_mouse_…`), what shows requests with their cookies (`browser_network_…`), and what ends the
/// browser. A promise to change nothing (`readOnlyHint`) opens no door: whoever brings a tool writes that himself.
const OFFERED: &[&str] = &[
    "browser_navigate",
    "browser_navigate_back",
    "browser_snapshot",
    "browser_find",
    "browser_take_screenshot",
    "browser_click",
    "browser_type",
    "browser_fill_form",
    "browser_select_option",
    "browser_press_key",
    "browser_hover",
    "browser_drag",
    "browser_tabs",
    "browser_wait_for",
    "browser_handle_dialog",
];

/// Those that give files to a page.
const UPLOADS: &[&str] = &["browser_file_upload", "browser_drop"];

/// What a tool that runs script takes. One that is known for something else and takes this has changed.
const SCRIPT: &[&str] = &["code", "function", "script", "expression", "javascript", "js"];

/// Where a file would be written: left out of what a model is told of, and refused.
const WRITES: &[&str] = &["filename"];

/// What names an element.
const TARGETS: &[&str] = &["target", "ref", "startTarget", "endTarget", "startRef", "endRef"];

/// The tools that a model may have, without what writes files.
pub fn offered(tools: &[Tool], uploads: Uploads) -> Vec<Tool> {
    tools.iter().filter(|tool| may_be_offered(tool, uploads)).map(without_files).collect()
}

fn may_be_offered(tool: &Tool, uploads: Uploads) -> bool {
    let name = tool.name.as_str();
    let known = OFFERED.contains(&name) || (uploads == Uploads::Allowed && UPLOADS.contains(&name));
    let fields = tool.schema.get("properties").and_then(Value::as_object);
    known && fields.is_none_or(|fields| !fields.keys().any(|field| SCRIPT.contains(&field.as_str())))
}

fn without_files(tool: &Tool) -> Tool {
    let mut tool = tool.clone();
    if let Some(fields) = tool.schema.get_mut("properties").and_then(Value::as_object_mut) {
        fields.retain(|field, _| !WRITES.contains(&field.as_str()));
    }
    tool
}

/// Why a call may not be made. The words are for the model.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such tool among those that are offered.
    #[error("there is no tool {0:?}")]
    NoTool(String),
    /// It has a field that it may not have.
    #[error("{0:?} may not be given")]
    Field(String),
    /// It names its element by something else than a reference, or by one that is not on the page.
    #[error("{0:?} is no reference of the latest look: give the ref of an element, such as e12")]
    Target(String),
    /// It leads to something else than a page of the web.
    #[error("{0:?} is no address of the web: only http and https are opened")]
    Address(String),
}

/// Whether a call may be made, and which elements of the latest look it touches.
///
/// Playwright would take a selector for an element, too. Here it has to be a reference of the latest look, so that whoever is
/// asked about the call knows what it touches; the model's own words for the element are worth nothing in this.
pub fn judge<'a>(
    offered: &[Tool],
    name: &str,
    arguments: &Map<String, Value>,
    latest: &'a Snapshot,
) -> Result<Vec<&'a Element>, Refusal> {
    let short = |text: &str| text.chars().take(100).collect::<String>();
    if !offered.iter().any(|tool| tool.name == name) {
        return Err(Refusal::NoTool(short(name)));
    }
    for field in arguments.keys() {
        if WRITES.contains(&field.as_str()) || SCRIPT.contains(&field.as_str()) {
            return Err(Refusal::Field(short(field)));
        }
    }
    if let Some(url) = arguments.get("url").filter(|url| !url.is_null()) {
        let url = url.as_str().unwrap_or_default();
        if !is_of_the_web(url) {
            return Err(Refusal::Address(short(url)));
        }
    }
    let within = arguments.get("fields").and_then(Value::as_array).into_iter().flatten();
    let places = within.filter_map(Value::as_object).chain([arguments]);
    let mut touched = Vec::new();
    for (_, target) in places.flatten().filter(|(field, _)| TARGETS.contains(&field.as_str())) {
        let target = target.as_str().unwrap_or_default();
        let element = latest.element(target).filter(|_| tree::is_reference(target));
        touched.push(element.ok_or_else(|| Refusal::Target(short(target)))?);
    }
    Ok(touched)
}

/// Playwright puts `https://` before what has no scheme; here that is refused, so that nobody has to guess.
fn is_of_the_web(url: &str) -> bool {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https")) || url == "about:blank"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::normalise, *};

    /// What `@playwright/mcp` 0.0.83 lists.
    fn listed() -> Vec<Tool> {
        let sample: Value =
            serde_json::from_str(include_str!("../../samples/playwright-tools.json")).unwrap();
        let tools = sample["tools"].as_array().unwrap().iter();
        tools.map(|tool| Tool::of(&serde_json::from_value(tool.clone()).unwrap()).unwrap()).collect()
    }

    fn names(tools: &[Tool]) -> Vec<&str> {
        tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    fn tool(name: &str, schema: Value) -> Tool {
        Tool { name: name.into(), description: String::new(), schema }
    }

    fn page() -> Snapshot {
        let tree = "### Page\n- Page URL: http://a/\n### Snapshot\n```yaml\n- button \"Go\" [ref=e1]\n- button \"No\" [ref=e2]\n- textbox \"x\" [ref=e3]\n- textbox \"y\" [ref=e3]\n```";
        normalise(&json!(tree)).unwrap()
    }

    #[test]
    fn of_the_real_list_what_runs_script_or_is_not_needed_is_left_out() {
        let listed = listed();
        let offered = offered(&listed, Uploads::Refused);
        assert_eq!(offered.len(), OFFERED.len(), "{:?}", names(&offered));
        let left_out: Vec<&str> = names(&listed).into_iter().filter(|name| !OFFERED.contains(name)).collect();
        assert_eq!(
            left_out,
            [
                "browser_close",
                "browser_resize",
                "browser_console_messages",
                "browser_emulate_media",
                "browser_evaluate",
                "browser_file_upload",
                "browser_drop",
                "browser_network_requests",
                "browser_network_request",
                "browser_run_code_unsafe",
            ]
        );
        let with_uploads = super::offered(&listed, Uploads::Allowed);
        assert_eq!(with_uploads.len(), offered.len() + UPLOADS.len());
        for tool in &with_uploads {
            assert!(tool.schema["properties"].get("filename").is_none(), "{}", tool.name);
        }
    }

    #[test]
    fn what_is_not_known_or_has_changed_is_left_out() {
        let strangers = [
            "webmcp_buy",
            "browser_install",
            "browser_run_code",
            "browser_mouse_click_xy",
            "execute",
            "browser_click2",
            "BROWSER_CLICK",
            "browser_pdf_save",
        ];
        let strangers: Vec<Tool> =
            strangers.iter().map(|name| tool(name, json!({"type": "object"}))).collect();
        assert!(offered(&strangers, Uploads::Allowed).is_empty());
        let changed = tool("browser_click", json!({"properties": {"target": {}, "code": {}}}));
        assert!(offered(&[changed], Uploads::Allowed).is_empty());
    }

    #[test]
    fn a_call_has_to_name_elements_of_the_latest_look() {
        let offered = offered(&listed(), Uploads::Refused);
        let page = page();
        let judged = |name: &str, arguments: Value| {
            let touched = judge(&offered, name, arguments.as_object().unwrap(), &page)?;
            Ok::<_, Refusal>(touched.iter().map(|element| element.name.untrusted()).collect::<Vec<_>>())
        };
        assert_eq!(judged("browser_click", json!({"target": "e1", "element": "No"})), Ok(vec!["Go"]));
        assert_eq!(judged("browser_drag", json!({"startTarget": "e1", "endTarget": "e2"})).unwrap().len(), 2);
        assert_eq!(
            judged("browser_fill_form", json!({"fields": [{"target": "e2", "value": "x"}]})),
            Ok(vec!["No"])
        );
        assert_eq!(judged("browser_navigate_back", json!({})), Ok(vec![]));
        for target in [json!("text=Go"), json!("#id"), json!("e9"), json!("e3"), json!(7), Value::Null] {
            for (name, arguments) in [
                ("browser_click", json!({"target": target})),
                ("browser_fill_form", json!({"fields": [{"target": target}]})),
                ("browser_click", json!({"ref": target})),
            ] {
                assert!(matches!(judged(name, arguments), Err(Refusal::Target(_))), "{target} in {name}");
            }
        }
    }

    #[test]
    fn script_files_and_strange_addresses_are_refused() {
        let offered = offered(&listed(), Uploads::Refused);
        let page = page();
        let judged =
            |name: &str, arguments: Value| judge(&offered, name, arguments.as_object().unwrap(), &page).err();
        assert_eq!(judged("browser_navigate", json!({"url": "https://shop.example/"})), None);
        assert_eq!(judged("browser_tabs", json!({"action": "new", "url": null})), None);
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "chrome://settings",
            "",
            "a.example",
        ] {
            for name in ["browser_navigate", "browser_tabs"] {
                assert!(matches!(judged(name, json!({"url": url})), Some(Refusal::Address(_))), "{url}");
            }
        }
        assert!(matches!(
            judged("browser_navigate", json!({"url": ["https://a/"]})),
            Some(Refusal::Address(_))
        ));
        assert!(matches!(judged("browser_evaluate", json!({})), Some(Refusal::NoTool(_))));
        assert!(matches!(judged("browser_snapshot", json!({"filename": "x"})), Some(Refusal::Field(_))));
    }
}
