//! An errand that has all that makes a prompt long: words of usual length from the user and the planner, reasons that go on and on,
//! acts that fail, calls that can't be read, and questions.

use std::collections::BTreeMap;

use legwork_runtime::errands::{Limits, Mode, Spec, Vision};
use legwork_testkit::sites::vendor::{Asked, Reply};
use serde_json::{Value, json};

/// Why something is done, as talkative models say it.
const WHY: &str = "I can see on the page that this has to be done before anything else can go on, because the reviewer \
has to be named first and every visit has to be counted, as the user asked for in the errand";

/// An errand with words of usual length.
pub(crate) fn spec(page: &str, vision: Vision) -> Spec {
    let data = [
        ("name", "Robin van der Meer"),
        ("street", "Lange Nieuwstraat 108 bis"),
        ("city", "3512 PN Utrecht, Netherlands"),
        ("phone", "+31 30 555 01 73"),
        ("delivery", "weekday mornings before eleven, otherwise with the neighbours at number 110"),
    ];
    let data: BTreeMap<String, String> =
        data.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter().collect();
    Spec {
        start_url: Some(page.to_owned()),
        mode: Mode::DryRun,
        limits: Limits { turns: 60, tokens: u64::MAX, ..Limits::GENERAL },
        vision,
        data,
        secrets: vec!["shop-password".into(), "card-number".into()],
        ..Spec::new(
            "Find the cheapest folding kettle with at least four stars that ships within three days, enter me as its \
             reviewer, put two of them into my cart, and tell me the total with delivery. Do not order anything yet.",
        )
    }
}

/// The planner's answer: the five sentences that it may have.
fn plan() -> Reply {
    let plan = "Narrow the list down to folding kettles with at least four stars. Compare the prices of those that ship within \
        three days. Enter the reviewer's name at the cheapest one and put two of them into the cart. Open the cart and read the \
        total with delivery. Stop there and tell it, without going to the checkout.";
    let criteria = "The cart shows two folding kettles and a total with delivery, and the answer names that total. No order was \
        placed.";
    let items = ["Narrow the list down", "Open the cheapest", "Fill the cart", "Read total and day"];
    Reply::call("create_plan", json!({"plan": plan, "successCriteria": criteria, "actionItems": items}))
}

/// What the model of a long errand answers, as the planner or at the turn of this number.
pub(crate) fn answer(asked: &Asked, turn: usize) -> Reply {
    if asked.has_tool("create_plan") {
        return plan();
    }
    let told = asked.told();
    let mut controls = controls(&told);
    controls.sort_by_key(|control| std::cmp::Reverse(control.name.len()));
    let number = |control: Option<&Control<'_>>| control.map_or(1, |control| control.number);
    // The focus moves from one long name to the next.
    let mut focusable = controls.iter().filter(|control| control.role != "clickable").cycle();
    let longest = number(focusable.nth(turn));
    let of_role = |role: &'static str| controls.iter().filter(move |control| control.role == role);
    let act = |mut input: Value| {
        input["why"] = format!("{turn}: {WHY}").into();
        Reply::call("act", input)
    };
    let name = format!("Robin van der Meer of Utrecht, for the {turn}th time, with kind regards to all");
    match (turn, of_role("textbox").next()) {
        // What fails, one way or the other.
        (3 | 8, _) => act(json!({"action": "click", "element": 99_990 + turn})),
        (5, _) => {
            let no_list = number(of_role("button").chain(of_role("link")).next());
            act(json!({"action": "select", "element": no_list, "value": "Kettles with four stars and more"}))
        }
        (12, _) => Reply::call("act", json!({"action": "click", "why": WHY, "element": "the first one"})),
        // What says much and does nothing to the page.
        (10, _) => Reply::call("observe", json!({"find": "o"})),
        (14, _) => Reply::call("ask_user", json!({"question": format!("May I go on although {WHY}?")})),
        (15, _) => Reply::call("read", json!({})),
        (16.., _) => {
            Reply::call("complete_task", json!({"status": "failed", "reason": WHY, "evidence": "none"}))
        }
        // What goes well.
        (6, Some(_)) => {
            let fill = |field: &Control<'_>| json!({"element": field.number, "value": name});
            act(
                json!({"action": "fill_form", "fields": of_role("textbox").take(6).map(fill).collect::<Vec<_>>()}),
            )
        }
        (even, Some(field)) if even % 2 == 0 => {
            act(json!({"action": "fill", "element": field.number, "value": name}))
        }
        _ => act(json!({"action": "focus", "element": longest})),
    }
}

/// A control that the model is shown.
struct Control<'a> {
    number: u32,
    role: &'a str,
    name: &'a str,
}

/// The controls of the page that is told last: `12 button "Add to cart"`.
fn controls(told: &str) -> Vec<Control<'_>> {
    let page = told.rsplit_once("\npage \"").map_or("", |(_, page)| page);
    let control = |line| {
        let (number, rest) = str::trim_start(line).split_once(' ')?;
        let (role, rest) = rest.split_once(' ')?;
        Some(Control { number: number.parse().ok()?, role, name: rest.split('"').nth(1)? })
    };
    page.lines().filter_map(control).collect()
}
