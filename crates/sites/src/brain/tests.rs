//! Brains and what they are told: what they call then.

use serde_json::{Value, json};

use super::*;
use crate::vendor::{Exchange, Spoken, VendorWire};

const MARK: &str = "00000000000000000007";
const TOOLS: [&str; 4] = ["act", "observe", "complete_task", "submit_for_approval"];

fn asked(tools: &[&str], turns: Vec<Exchange>) -> Asked {
    Asked {
        wire: VendorWire::Anthropic,
        model: "scripted".into(),
        system: String::new(),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        must_call: None,
        turns,
        pictures: 0,
        body: Value::Null,
    }
}

/// What is told at a turn: the steps so far, the notices, and the lines of the page.
fn prompt(past: &[&str], notices: &[&str], page: &[&str]) -> String {
    let mut words = "Errand: order\nPlan: look\n".to_owned();
    if !past.is_empty() {
        words += &format!("Steps so far:\n<untrusted {MARK}>\n{}\n</{MARK}>\n", past.join("\n"));
    }
    for notice in notices {
        words += &format!("! {notice}\n");
    }
    let page = [&[r#"page "Shop" "http://a.example/""#], page].concat().join("\n");
    words += &format!("observation o1\n<untrusted {MARK}>\n{page}\n</{MARK}>\nnot shown: 2 hidden\n");
    words + "\nWhat is next? Call one tool."
}

fn turn(words: String) -> Asked {
    asked(&TOOLS, vec![Exchange::Told(words)])
}

/// The one call of an answer.
fn called(reply: Reply) -> (String, Value) {
    let Reply::Spoken(Spoken { calls, .. }) = reply else { panic!("a fault") };
    let [(tool, input)] = calls.as_slice() else { panic!("{calls:?}") };
    (tool.clone(), serde_json::from_str(input).unwrap())
}

fn small() -> Brain {
    Brain {
        plan: "Order it.".into(),
        success_criteria: "The shop says thanks.".into(),
        steps: [
            r#"? click button "Only necessary""#,
            r#"fill textbox "Name" with "Robin""#,
            r#"secret textbox "Password" with "password""#,
            r#"submit for approval "Coffee for Robin" "€3.00""#,
            r#"click button "Order""#,
        ]
        .map(str::to_owned)
        .to_vec(),
        shows: vec!["Thank you".into()],
        says: "It is ordered.".into(),
        ..Brain::default()
    }
}

fn act(brain: &Brain, past: &[&str], notices: &[&str], page: &[&str]) -> (String, Value) {
    called(brain.reply(&turn(prompt(past, notices, page))))
}

const FORM: [&str; 4] = [
    r#"  1 textbox "Name""#,
    r#"  2 textbox "Password" secret"#,
    r#""To pay €3.00""#,
    r#"3 button "Order" !danger"#,
];

#[test]
fn the_planner_says_the_same_however_often_it_is_asked() {
    let brain = small();
    for _ in 0..3 {
        let (tool, input) = called(brain.reply(&asked(&["create_plan"], vec![])));
        assert_eq!(tool, "create_plan");
        let wanted =
            json!({"plan": "Order it.", "successCriteria": "The shop says thanks.", "actionItems": []});
        assert_eq!(input, wanted);
    }
}

#[test]
fn the_next_step_is_done_to_the_number_that_the_page_shows() {
    let brain = small();
    let banner = [&[r#"7 button "Only necessary""#], &FORM[..]].concat();
    let why = |step: u32| format!("step {step} of 5");
    let first = act(&brain, &[], &[], &banner);
    assert_eq!(first, ("act".into(), json!({"action": "click", "element": 7, "why": why(1)})));
    let filled = json!({"action": "fill", "element": 1, "value": "Robin", "why": why(2)});
    assert_eq!(act(&brain, &[], &[], &FORM).1, filled, "what may be left out is left out");
    let after = r#"1 click 7 button "Only necessary" (step 1 of 5): document changed"#;
    assert_eq!(act(&brain, &[after], &[], &FORM).1, filled);
    let secret = json!({"action": "fill", "element": 2, "secret": "password", "why": why(3)});
    assert_eq!(
        act(&brain, &[r#"2 fill 1 textbox "Name" with "Robin" (step 2 of 5): x"#], &[], &FORM).1,
        secret
    );
}

#[test]
fn what_is_not_there_yet_is_waited_for_and_then_given_up() {
    let brain = small();
    let waits = |seconds: &str| json!({"action": "wait", "value": seconds, "why": "after step 0: what the next one needs is not there yet"});
    let line = |number: u32| {
        format!("{number} wait 1 s (after step 0: what the next one needs is not there yet): x")
    };
    let lines: Vec<String> = (1..5).map(line).collect();
    let past: Vec<&str> = lines.iter().map(String::as_str).collect();
    let off = [r#"1 textbox "Name" disabled"#, r#"2 link "Name""#];
    for (waited, seconds) in ["1", "2", "4", "8"].iter().enumerate() {
        assert_eq!(act(&brain, &past[..waited], &[], &off), ("act".into(), waits(seconds)));
    }
    // Then it is there after all.
    assert_eq!(act(&brain, &past[..2], &[], &FORM).1["element"], 1);
    let (tool, input) = act(&brain, &past, &[], &off);
    assert_eq!((tool.as_str(), &input["status"]), ("complete_task", &json!("failed")));
    let reason = input["reason"].as_str().unwrap();
    assert_eq!(reason, r#"the page does not show what this needs: fill textbox "Name" with "Robin""#);
}

#[test]
fn what_may_be_on_another_part_of_the_page_is_looked_for_once() {
    let brain = small();
    let long =
        prompt(&[], &[], &[]).replace("not shown: 2 hidden", "40 more: cursor abc\nnot shown: 2 hidden");
    assert_eq!(called(brain.reply(&turn(long.clone()))), ("observe".into(), json!({"find": "Name"})));
    let found = long.replace("2 hidden", "2 hidden, 90 outside");
    assert_eq!(called(brain.reply(&turn(found))).1["action"], "wait");
}

#[test]
fn a_step_that_failed_is_tried_again_while_it_is_there() {
    let brain = small();
    let failed =
        |number: u32| format!(r#"{number} FAILED fill 1 textbox "Name" with "Robin" (step 2 of 5): covered"#);
    let lines: Vec<String> = (1..4).map(failed).collect();
    let past: Vec<&str> = lines.iter().map(String::as_str).collect();
    for times in 1..3 {
        assert_eq!(act(&brain, &past[..times], &["it is covered"], &FORM).1["why"], "step 2 of 5");
    }
    let (tool, input) = act(&brain, &past, &["it is covered"], &FORM);
    assert_eq!((tool.as_str(), &input["status"]), ("complete_task", &json!("failed")));
    assert!(input["reason"].as_str().unwrap().ends_with("does not work: it is covered"));
    // What is gone after it failed has had its effect.
    assert_eq!(act(&brain, &past[..1], &["x"], &FORM[1..]).1["why"], "step 3 of 5");
    // What may be left out does not stop anything.
    let banner = [&[r#"7 button "Only necessary""#], &FORM[..]].concat();
    let past = [r#"1 FAILED click 7 button "Only necessary" (step 1 of 5): x"#; 3];
    assert_eq!(act(&brain, &past, &["x"], &banner).1["why"], "step 2 of 5");
}

#[test]
fn what_will_be_done_is_said_first_and_only_if_the_page_shows_the_amount() {
    let brain = small();
    let past = [r#"3 fill 2 textbox "Password" with the secret "password" (step 3 of 5): value changed"#];
    let (tool, input) = act(&brain, &past, &[], &FORM);
    assert_eq!(
        (tool.as_str(), &input),
        ("submit_for_approval", &json!({"summary": "Coffee for Robin", "amount": "€3.00"}))
    );
    assert_eq!(act(&brain, &past, &[], &FORM[3..]).1["action"], "wait");
    // The page is not shown again after it: the answer is all that is new.
    let said = Exchange::Said(String::new(), vec![(tool, input)]);
    let turns = vec![Exchange::Told(prompt(&past, &[], &FORM)), said, Exchange::Told("noted".into())];
    let (tool, input) = called(brain.reply(&asked(&TOOLS, turns)));
    assert_eq!(
        (tool.as_str(), input),
        ("act", json!({"action": "click", "element": 3, "why": "step 5 of 5"}))
    );
}

#[test]
fn what_was_held_is_done_again_only_if_that_is_wanted() {
    let brain = small();
    let past = [r#"4 FAILED click 3 button "Order" (step 5 of 5): somebody is asked"#];
    let sent = "a person said yes to this and it was sent; look whether it was taken";
    let (_, input) = act(&brain, &past, &[sent], &FORM);
    let why = "after step 5 of 5: the page does not say it yet";
    assert_eq!(input, json!({"action": "wait", "value": "Thank you", "why": why}));
    let repeat = "a person said yes to this; do the same again now, it will be sent";
    assert_eq!(act(&brain, &past, &[repeat], &FORM).1["action"], "click");
}

#[test]
fn it_is_done_when_the_page_says_so_and_not_before() {
    let brain = Brain { answer: Some(json!({"order": 7})), ..small() };
    let past = [r#"4 click 3 button "Order" (step 5 of 5): navigated"#];
    let (tool, input) = act(&brain, &past, &[], &["# \"Thank you\""]);
    let wanted = json!({"status": "success", "reason": "It is ordered.", "evidence": "The page says \"Thank you\"",
        "answer": {"order": 7}});
    assert_eq!((tool.as_str(), input), ("complete_task", wanted));
    let waited = r#"5 FAILED wait for "Thank you" (after step 5 of 5: the page does not say it yet): x"#;
    assert_eq!(act(&brain, &[past[0], waited, waited], &["x"], &[]).1["value"], "Thank you");
    assert_eq!(act(&brain, &[past[0], waited], &["x"], &["\"thank you\""]).1["status"], "success");
    let (tool, input) = act(&brain, &[past[0], waited, waited, waited], &["x"], &[]);
    assert_eq!((tool.as_str(), &input["status"]), ("complete_task", &json!("failed")));
}

#[test]
fn at_the_last_turn_the_page_alone_decides() {
    let brain = small();
    let last = |page: &[&str]| {
        called(brain.reply(&asked(&["complete_task"], vec![Exchange::Told(prompt(&[], &[], page))])))
    };
    assert_eq!(last(&FORM).1["status"], "failed");
    assert_eq!(last(&["\"Thank you, Robin\""]).1["status"], "success");
}

#[test]
fn the_judge_believes_the_last_page_and_nobody_else() {
    let brain = small();
    let judge = |page: &str| {
        let fence = |lines: &str| format!("<untrusted {MARK}>\n{lines}\n</{MARK}>\n");
        let done = fence("1 click 3 button \"Order\": the page said Thank you");
        let words = format!(
            "It is done when: Thank you\nWhat was done:\n{done}The last page:\n{}\nIs the errand done?",
            fence(page)
        );
        called(brain.reply(&asked(&["validate_task"], vec![Exchange::Told(words)])))
    };
    let (tool, input) = judge("page \"Thank you\" \"http://a.example/\"\n# \"Order 7\"");
    assert_eq!((tool.as_str(), &input["completionQuality"]), ("validate_task", &json!("complete")));
    let (_, input) = judge("page \"Review\" \"http://a.example/\"\n3 button \"Order\"");
    assert_eq!(input["completionQuality"], "partial");
    assert_eq!(input["feedback"], "the last page does not say \"Thank you\"");
}

#[test]
fn a_fence_that_was_cut_off_hides_no_page() {
    let words = prompt(&[], &["it is covered by\n<untrusted 3>\n\"Cook"], &FORM);
    assert_eq!(called(small().reply(&turn(words))).1["element"], 1);
}

#[test]
fn every_step_of_the_ready_brains_can_be_read() {
    for brain in [coffee(), instalment(), cancellation()] {
        for words in &brain.steps {
            assert!(step::Step::read(words).is_some(), "{words}");
        }
        assert!(!brain.shows.is_empty() && !brain.plan.is_empty() && !brain.success_criteria.is_empty());
        assert!(
            brain.action_items.iter().all(|item| item.split(' ').count() <= 6),
            "{:?}",
            brain.action_items
        );
        assert!(brain.begins.starts_with('/'));
    }
    let (_, input) =
        called(Brain { steps: vec!["dance".into()], ..small() }.reply(&turn(prompt(&[], &[], &[]))));
    assert_eq!(input["reason"], "nobody understands this step: dance");
}
