//! What changes between the look and the deed, or under the hand, and what is in the way: nothing but what was meant is done, and
//! what was done is told.

use legwork_types::{Chord, contract::FieldValue};

use super::*;

/// A page of races, as it was looked at. `swap` has it change then.
async fn raced(stage: &Stage, case: &str, swap: bool) -> (Tab, Looked) {
    let tab = opened(stage, &format!("act_races.html?case={case}")).await;
    let looked = looked(stage).await;
    if swap {
        let _: bool = read(&tab, "document.dispatchEvent(new Event('swap'))").await;
    }
    (tab, looked)
}

fn press() -> Deed {
    Deed::Click(Click::default())
}

#[tokio::test]
async fn a_press_on_what_is_around_something_else_never_presses_that() {
    let stage = Stage::new().await;
    for case in ["row", "label"] {
        let (tab, looked) = raced(&stage, case, false).await;
        looked.act(&stage, "Report", press()).await.unwrap_or_else(|not| panic!("{case}: {not:?}"));
        assert_eq!(presses(&tab, "act_races").await, whole_press("row"), "{case}");
    }
    let (tab, looked) = raced(&stage, "full", false).await;
    let limit = Limit::within(Duration::from_secs(4));
    let not = looked.act_within(&stage, "Report", press(), &limit).await.expect_err("nothing of it is free");
    assert!(matches!(not.why, Blocked::Obscured { .. }) && !not.receipt.dispatched, "{not:?}");
    assert_eq!(presses(&tab, "act_races").await, [""; 0]);
    looked.act(&stage, "Delete", press()).await.expect("by its own number it is pressed");
    assert_eq!(presses(&tab, "act_races").await, whole_press("delete"));
    stage.end().await;
}

#[tokio::test]
async fn what_came_into_a_pane_is_not_taken_for_what_went_out_of_it() {
    let stage = Stage::new().await;
    for case in ["pane", "wrapped"] {
        let (tab, looked) = raced(&stage, case, true).await;
        let not = looked.act(&stage, "Delete message", press()).await.expect_err(case);
        assert!(matches!(not.why, Blocked::Gone) && not.permit.is_some(), "{case}: {not:?}");
        assert_eq!(presses(&tab, "act_races").await, [""; 0], "{case}");
    }
    let (tab, looked) = raced(&stage, "redrawn", true).await;
    looked.act(&stage, "Delete message", press()).await.expect("it is the same message");
    assert_eq!(presses(&tab, "act_races").await, whole_press("spammer"));
    stage.end().await;
}

#[tokio::test]
async fn a_form_that_is_to_be_sent_elsewhere_when_the_mouse_comes_is_not_sent() {
    let stage = Stage::new().await;
    let (tab, looked) = raced(&stage, "form", false).await;
    let not = looked.act(&stage, "Search", press()).await.expect_err("its form is another one");
    assert!(matches!(not.why, Blocked::Changed) && !not.receipt.dispatched, "{not:?}");
    assert_eq!(presses(&tab, "act_races").await, [""; 0]);
    let (tab, looked) = raced(&stage, "form&still", false).await;
    looked.act(&stage, "Search", press()).await.expect("it is sent");
    until("its answer is there", async || tab.url().contains("act_basic.html?action=x")).await;
    stage.end().await;
}

#[tokio::test]
async fn what_would_be_sent_otherwise_than_it_was_at_the_look_is_not_sent() {
    let stage = Stage::new().await;
    let enter = || Deed::PressKey(Chord::parse("Enter").unwrap());
    for (change, concerned) in [
        ("action", vec!["Search", "Other", "Query", "Go on"]),
        ("method", vec!["Search", "Query"]),
        ("base", vec!["Search", "Own"]),
        ("own", vec!["Search", "Other"]),
        ("moved", vec!["Search", "Other", "Query"]),
        ("button", vec!["Go on"]),
        ("default", vec!["Search", "Query"]),
    ] {
        for name in concerned {
            let (tab, looked) = raced(&stage, &format!("sent&change={change}"), true).await;
            let deed = if name == "Query" { enter() } else { press() };
            let not = looked.act(&stage, name, deed).await.expect_err(change);
            assert!(matches!(not.why, Blocked::Changed), "{name} by {change}: {not:?}");
            assert!(!presses(&tab, "act_races").await.iter().any(|entry| entry.starts_with("click")));
            assert!(tab.url().contains("act_races"), "{name} by {change}");
        }
    }
    for (change, name) in [("none", "Search"), ("none", "Query"), ("none", "Go on"), ("default", "Other")] {
        let (tab, looked) = raced(&stage, &format!("sent&change={change}"), true).await;
        let deed = if name == "Query" { enter() } else { press() };
        looked.act(&stage, name, deed).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
        until("its answer is there", async || tab.url().contains("act_basic.html?action=x")).await;
    }
    stage.end().await;
}

#[tokio::test]
async fn what_the_page_turns_to_something_else_under_the_hand_is_not_sent() {
    let stage = Stage::new().await;
    let enter = || Deed::PressKey(Chord::parse("Enter").unwrap());
    for (name, deed) in [("Search", press()), ("Query", enter())] {
        let (tab, looked) = raced(&stage, "turned", false).await;
        let outcome = looked.act(&stage, name, deed.clone()).await;
        assert!(tab.url().contains("act_races"), "{name}: {outcome:?}");
        let (tab, looked) = raced(&stage, "turned&still", false).await;
        looked.act(&stage, name, deed).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
        until("its answer is there", async || tab.url().contains("act_basic.html?action=x")).await;
    }
    stage.end().await;
}

#[tokio::test]
async fn what_says_something_else_by_a_rule_of_a_script_is_not_pressed() {
    let stage = Stage::new().await;
    let (tab, looked) = raced(&stage, "ruled", false).await;
    let not = looked.act(&stage, "Cancel", press()).await.expect_err("it says another word by then");
    assert!(matches!(not.why, Blocked::Changed) && !not.receipt.dispatched, "{not:?}");
    assert_eq!(presses(&tab, "act_races").await, [""; 0]);
    let (tab, looked) = raced(&stage, "ruled&still", false).await;
    looked.act(&stage, "Cancel", press()).await.expect("it is pressed");
    assert_eq!(presses(&tab, "act_races").await, whole_press("next"));
    stage.end().await;
}

#[tokio::test]
async fn what_comes_of_a_press_is_seen_in_trees_that_the_look_did_not_see() {
    let stage = Stage::new().await;
    for case in ["rooted", "rooted&unseen"] {
        let (_, looked) = raced(&stage, case, true).await;
        let done = looked.act(&stage, "Next", press()).await.expect("it is pressed");
        assert!(done.receipt.effects.dom_changed, "{case}: {done:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn how_a_button_sends_its_form_is_told_whatever_is_secret() {
    let stage = Stage::new().await;
    let page = "<form method=get action=http://elsewhere.test/><input type=password value=post aria-label=Password>\
                <button formmethod=POST>Go</button></form>";
    let tab = stage.at("/pages/act_basic.html").await;
    gesture(&tab, &format!("document.body.innerHTML = `{page}`")).await.unwrap();
    let looked = looked(&stage).await;
    assert_eq!(looked.look.affordance(looked.number("Go")).unwrap().risk.level, RiskLevel::Danger);
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_is_busy_for_long_is_guarded_until_it_is_not() {
    let stage = Stage::new().await;
    let limit = || Limit::within(Duration::from_secs(25));
    let (tab, looked) = raced(&stage, "busy", false).await;
    let not = looked.act_within(&stage, "Next", press(), &limit()).await.expect_err("it is covered by then");
    assert!(matches!(not.why, Blocked::Obscured { .. }), "{not:?}");
    assert_eq!(presses(&tab, "act_races").await, [""; 0]);
    let (tab, looked) = raced(&stage, "busy&still", false).await;
    looked.act_within(&stage, "Next", press(), &limit()).await.expect("it only takes its time");
    assert_eq!(presses(&tab, "act_races").await, whole_press("next"));
    stage.end().await;
}

#[tokio::test]
async fn a_guard_that_is_over_says_so() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_races.html?case=row").await;
    let over = "legworkGuard.close(7, -1) && legworkGuard.disarm(7, 0).expired";
    assert!(read::<bool>(&tab, over).await);
    let in_time = "legworkGuard.close(8, 10000) && legworkGuard.disarm(8, 0).expired";
    assert!(!read::<bool>(&tab, in_time).await);
    stage.end().await;
}

#[tokio::test]
async fn a_guard_stays_until_what_is_on_its_way_has_come() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_races.html?case=row").await;
    let ask = "legworkGuard.close(9, 10000); globalThis.told = null;
        legworkGuard.disarmAfter(9, 'pointerup', 1, 10000).then((told) => globalThis.told = told); true";
    assert!(read::<bool>(&tab, ask).await);
    raw_mouse(&tab, "mousePressed").await;
    assert!(read::<bool>(&tab, "told === null").await);
    raw_mouse(&tab, "mouseReleased").await;
    until("the guard is over", async || read(&tab, "told !== null").await).await;
    assert_eq!(read::<String>(&tab, "told.stopped.type").await, "pointerdown");
    assert_eq!(presses(&tab, "act_races").await, [""; 0], "the click is stopped with the rest");
    let nothing_came = "legworkGuard.close(10, 10000); globalThis.told = null;
        legworkGuard.disarmAfter(10, 'pointerup', 1, 1).then((told) => globalThis.told = told); true";
    assert!(read::<bool>(&tab, nothing_came).await);
    until("nobody waits for ever", async || read(&tab, "told !== null").await).await;
    assert!(read::<bool>(&tab, "told.awaited && told.noted.length === 0").await);
    raw_mouse(&tab, "mousePressed").await;
    raw_mouse(&tab, "mouseReleased").await;
    assert_eq!(presses(&tab, "act_races").await, [""; 0], "what comes late gets through no more");
    let opened = "legworkGuard.close(11, 10000); legworkGuard.disarm(11, 0).awaited";
    assert!(!read::<bool>(&tab, opened).await);
    raw_mouse(&tab, "mousePressed").await;
    raw_mouse(&tab, "mouseReleased").await;
    until("it is pressed", async || !presses(&tab, "act_races").await.is_empty()).await;
    stage.end().await;
}

/// One event of the mouse on the row, without a guard of ours.
async fn raw_mouse(tab: &Tab, kind: &'static str) {
    let event = legwork_cdp::protocol::input::DispatchMouseEvent {
        kind,
        x: 60.0,
        y: 40.0,
        button: "left",
        buttons: u32::from(kind == "mousePressed"),
        click_count: 1,
        modifiers: 0,
        delta_x: 0.0,
        delta_y: 0.0,
    };
    tab.call(&event, "the mouse", &soon()).await.expect("it is sent");
}

#[tokio::test]
async fn keys_that_were_taken_from_a_field_are_told_of_also_where_the_rest_fails() {
    let stage = Stage::new().await;
    let write = || Deed::Fill(FieldValue::Text("x".to_owned()));
    for (name, deed) in [("Go", Deed::Focus), ("Thief", write())] {
        let (tab, looked) = raced(&stage, "focus", false).await;
        let not = looked.act(&stage, name, deed).await.expect_err(name);
        assert_eq!(read::<String>(&tab, "document.documentElement.dataset.saved").await, "yes");
        assert!(not.permit.is_none() && not.receipt.dispatched, "{name}: {not:?}");
        assert!(not.receipt.effects.dom_changed, "{name}: {not:?}");
    }
    let (_, looked) = raced(&stage, "focus&still", false).await;
    let done = looked.act(&stage, "Go", Deed::Focus).await.expect("it keeps the keys");
    assert!(done.receipt.effects.focus_moved, "{done:?}");
    stage.end().await;
}

#[tokio::test]
async fn nothing_is_sent_to_a_page_that_asks_something() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_sticky.html").await;
    let looked = looked(&stage).await;
    let down = || Intent::ScrollPage(Scroll { direction: Direction::Down, pixels: 300 });
    gesture(&tab, "setTimeout(() => confirm('Really?'), 0)").await.unwrap();
    until("it asks", async || tab.dialog().is_some()).await;
    let not = stage.context.act(looked.permit(down()), &looked.aims(), &soon()).await.expect_err("it asks");
    let is_told = matches!(not.why, Blocked::Browser(BrowserError::DialogOpen { .. }));
    assert!(is_told && not.permit.is_some() && !not.receipt.dispatched, "{not:?}");
    tab.answer_dialog(DialogAnswer::Dismiss).await.unwrap();
    let done = stage.context.act(looked.permit(down()), &looked.aims(), &soon()).await;
    assert!(done.expect("it asks no more").receipt.dispatched);
    stage.end().await;
}

#[tokio::test]
async fn a_list_that_a_press_opened_keeps_nobody_from_the_next_act() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    let list = "document.body.insertAdjacentHTML('afterbegin', '<select id=size aria-label=Size><option>S<option>M</select>')";
    gesture(&tab, list).await.unwrap();
    click(&stage, "Size").await.expect("it is opened");
    let is_open = async || read::<bool>(&tab, "document.getElementById('size').matches(':open')").await;
    assert!(is_open().await);
    click(&stage, "Go").await.expect("the list is put away, or does not matter");
    // Chromium puts an open list away with the first press beside it, and gives that press to the page all the same: the whole of it.
    assert_eq!(presses(&tab, "act_basic").await, [whole_press("size"), whole_press("go")].concat());
    assert!(!is_open().await);
    // Nothing was chosen on the way.
    let all = record(&tab, "act_basic").await;
    assert!(!all.iter().any(|entry| entry.starts_with("change:")), "{all:?}");
    assert_eq!(read::<String>(&tab, "document.getElementById('size').value").await, "S");
    stage.end().await;
}

#[tokio::test]
async fn a_file_that_a_press_brings_down_and_a_prompt_are_told_of() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "effect_buttons.html").await;
    let more = "document.body.insertAdjacentHTML('afterbegin', \
                '<button onclick=\"file.click()\">Fetch the report file</button>')";
    gesture(&tab, more).await.unwrap();
    let done = click(&stage, "Fetch the report file").await.expect("it is pressed");
    let download = done.receipt.effects.download.expect("a file came down");
    assert_eq!((download.name.untrusted(), download.stopped), ("report.txt", None));
    let done = click(&stage, "Prompt").await.expect("it is pressed");
    assert_eq!((done.receipt.dispatched, done.after), (true, After::DialogOpen));
    assert!(tab.answer_dialog(DialogAnswer::Accept(Some("me".to_owned()))).await.unwrap());
    until("the page goes on", async || {
        tab.dialog().is_none() && read::<bool>(&tab, "list.textContent.includes('named me')").await
    })
    .await;
    stage.end().await;
}
