//! The mouse, the keys, dialogs and dragging in every place: what arrives, in which order, and that a person might have done it.

use legwork_types::{
    Presses,
    contract::{Dialog, Modifier, MouseButton},
};

use super::{fields_kit::*, places_kit::*, *};

const PRESSES: [&str; 8] =
    ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu"];

#[tokio::test]
async fn buttons_counts_and_modifiers_arrive_in_every_place() {
    let mut place = Place::new().await;
    let deed = |button, count, modifiers| Deed::Click(Click { button, count, modifiers });
    for page in PLACES {
        place.go(page).await;
        place.does("Go", deed(MouseButton::Right, Presses::One, vec![])).await;
        // Where a menu opens is for the system to say: with the press, or with its end.
        let mut right = place.took_how(&PRESSES).await;
        right.sort();
        let all = ["auxclick", "contextmenu", "mousedown", "mouseup", "pointerdown", "pointerup"];
        assert_eq!(right, all.map(|kind| format!("{kind}:go 2")), "{page}");
        place.does("Go", deed(MouseButton::Middle, Presses::One, vec![])).await;
        let all = ["pointerdown", "mousedown", "pointerup", "mouseup", "auxclick"];
        assert_eq!(place.took_how(&PRESSES).await, all.map(|kind| format!("{kind}:go 1")), "{page}");
        place.does("Go", deed(MouseButton::Left, Presses::Two, vec![])).await;
        let once = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
        let twice = once.iter().chain(&once).chain(&["dblclick"]).map(|kind| format!("{kind}:go 0"));
        assert_eq!(place.took_how(&PRESSES).await, twice.collect::<Vec<_>>(), "{page}");
        let held = vec![Modifier::Alt, Modifier::Control, Modifier::Shift];
        place.does("Go", deed(MouseButton::Left, Presses::One, held)).await;
        let all = once.map(|kind| format!("{kind}:go 0+altKey+ctrlKey+shiftKey"));
        assert_eq!(place.took_how(&PRESSES).await, all, "{page}");
        place.does("Go", deed(MouseButton::Left, Presses::Three, vec![Modifier::Meta])).await;
        let thrice = once.iter().chain(&once).chain(&["dblclick"]).chain(&once);
        let all: Vec<String> = thrice.map(|kind| format!("{kind}:go 0+metaKey")).collect();
        assert_eq!(place.took_how(&PRESSES).await, all, "{page}");
        // Three presses in a row are more to a page than a double one and a single one: the last is counted as the third.
        assert_eq!(place.note().await, "presses:3", "{page}");
    }
    place.end().await;
}

#[tokio::test]
async fn keys_go_to_an_element_in_every_place() {
    let mut place = Place::new().await;
    let kinds = ["keydown", "beforeinput", "input", "keyup", "click"];
    for page in PLACES {
        place.go(page).await;
        place.does("Word", Deed::PressKey(chord("End"))).await;
        assert_eq!(place.took_how(&kinds).await, ["keydown:word End", "keyup:word End"], "{page}");
        place.does("Word", Deed::PressKey(chord("x"))).await;
        let all = ["keydown:word=old", "beforeinput:word=old", "input:word=oldx", "keyup:word=oldx"];
        assert_eq!(place.took(&kinds).await, all, "{page}");
        place.does("Go", Deed::PressKey(chord("Enter"))).await;
        let all = ["keydown:go=", "click:go=", "keyup:go="];
        assert_eq!(place.took(&kinds).await, all, "{page}");
    }
    place.end().await;
}

async fn press_on_page(stage: &Stage, looked: &Looked, focused: &str, key: &str) -> Result<Done, NotDone> {
    let permit = looked.permit_with(Intent::PressKeyOnPage(chord(key)), &[], Some(focused));
    stage.context.act(permit, &looked.aims(), &soon()).await
}

#[tokio::test]
async fn keys_on_the_page_go_where_keys_went_in_every_place() {
    let mut place = Place::new().await;
    let kinds = ["keydown", "beforeinput", "input", "keyup", "click"];
    for page in PLACES {
        place.go(page).await;
        act_on(&place.stage, "Word", Deed::Focus).await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let looked = looked(&place.stage).await;
        press_on_page(&place.stage, &looked, "Word", "End").await.expect(page);
        place.took(&kinds).await;
        press_on_page(&place.stage, &looked, "Word", "x").await.expect(page);
        let all = ["keydown:word=old", "beforeinput:word=old", "input:word=oldx", "keyup:word=oldx"];
        assert_eq!(place.took(&kinds).await, all, "{page}");
        // By the time of the next key they go elsewhere: to nothing that was meant.
        looked.act(&place.stage, "Go", Deed::Focus).await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let not = press_on_page(&place.stage, &looked, "Word", "Enter").await.expect_err(page);
        assert!(matches!(not.why, Blocked::Changed) && not.permit.is_some(), "{page}: {not:?}");
        assert_eq!(place.took(&kinds).await, [""; 0], "{page}");
    }
    place.end().await;
}

#[tokio::test]
async fn questions_from_every_place_wait_and_are_answered() {
    let mut place = Place::new().await;
    for page in PLACES {
        place.go(page).await;
        for (accept, answer) in [(true, "answer:true"), (false, "answer:false")] {
            let done = click(&place.stage, "Ask").await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
            if page == PLACES[3] && done.after != After::DialogOpen {
                // Chromium lets no frame of another site ask: it answers in the person's stead that they don't agree.
                assert_eq!(place.note().await, "answer:false", "{done:?}");
                continue;
            }
            assert_eq!((done.receipt.dispatched, done.after), (true, After::DialogOpen), "{page}");
            let dialog = Dialog::from(&place.tab.dialog().expect("it waits"));
            let facts = Facts {
                session: SessionId("s1".to_owned()),
                observation: ObservationId("o1".to_owned()),
                domain: "127.0.0.1".to_owned(),
                targets: vec![],
                focused: None,
                dialog: Some(dialog),
                files: vec![],
                wire: legwork_policy::Wire::Open,
                address: Default::default(),
                secrets: vec![],
                caution: None,
            };
            let rules = Rules { who_confirms: WhoConfirms::Caller, uploads: vec![] };
            let intent = Intent::HandleDialog { accept, text: None };
            let text = Some(legwork_policy::confirmation_text(&intent, &facts));
            let permit = match judge(intent, &facts, &rules, &Confirmation { confirm: true, text }) {
                Verdict::Go(permit) => permit,
                verdict => panic!("{verdict:?}"),
            };
            let aims = Aims { tab: None, epoch: Epoch::new(), elements: vec![], secrets: Default::default() };
            let done = place.stage.context.act(permit, &aims, &soon()).await.expect(page);
            assert!(done.receipt.dispatched && place.tab.dialog().is_none(), "{page}: {done:?}");
            assert_eq!(place.note().await, answer, "{page}");
            let kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
            assert_eq!(place.took(&kinds).await, kinds.map(|kind| format!("{kind}:ask=")), "{page}");
        }
    }
    place.end().await;
}

async fn drag(place: &Place, name: &str) -> Result<Done, NotDone> {
    let looked = looked(&place.stage).await;
    looked.act(&place.stage, name, Deed::DragTo(looked.number("Room"))).await
}

/// What comes several times in a row, once.
fn without_repeats(mut all: Vec<String>) -> Vec<String> {
    all.dedup();
    all
}

#[tokio::test]
async fn the_mouse_drags_in_order_in_every_place() {
    let mut place = Place::new().await;
    for page in PLACES {
        place.go(page).await;
        drag(&place, "Knob").await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let all = place.took_how(&["mousedown", "mousemove", "mouseup"]).await;
        assert!(all.iter().all(|event| !event.ends_with('!')), "{page}: {all:?}");
        let down = all.iter().position(|event| event == "mousedown:knob 0").expect(page);
        assert_eq!(all.last().map(String::as_str), Some("mouseup:room 0"), "{page}: {all:?}");
        let between = &all[down + 1..all.len() - 1];
        assert!(between.iter().all(|event| event.starts_with("mousemove:")), "{page}: {all:?}");
        assert_eq!(between.last().map(String::as_str), Some("mousemove:room 0"), "{page}: {all:?}");
        let ends = ["pointerdown", "mousedown", "pointerup", "mouseup"];
        drag(&place, "Knob").await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let all = ["pointerdown:knob 0", "mousedown:knob 0", "pointerup:room 0", "mouseup:room 0"];
        assert_eq!(place.took_how(&ends).await, all, "{page}");
    }
    place.end().await;
}

#[tokio::test]
async fn the_browser_carries_in_order_in_every_place() {
    let mut place = Place::new().await;
    let kinds = ["mousedown", "dragstart", "drop", "dragend", "mouseup", "click"];
    for page in PLACES {
        place.go(page).await;
        drag(&place, "Thing").await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        assert_eq!(place.note().await, "dropped:cargo", "{page}");
        let all = without_repeats(place.took(&kinds).await);
        let wanted = ["mousedown:thing=Thing", "dragstart:thing=Thing", "drop:room="];
        assert_eq!(all[..3], wanted, "{page}: {all:?}");
        assert!(all.iter().all(|event| !event.ends_with('!')), "{page}: {all:?}");
    }
    place.end().await;
}

#[tokio::test]
async fn the_page_is_scrolled_in_all_four_directions() {
    let mut place = Place::new().await;
    place.go("act_places.html?large").await;
    for (direction, pixels, at) in [
        (Direction::Down, 500, "0,500"),
        (Direction::Right, 300, "300,500"),
        (Direction::Up, 200, "300,300"),
        (Direction::Left, 100, "200,300"),
    ] {
        let looked = looked(&place.stage).await;
        let permit = looked.permit(Intent::ScrollPage(Scroll { direction, pixels }));
        place.stage.context.act(permit, &looked.aims(), &soon()).await.expect("the page is scrolled");
        until(at, async || place.says("`${scrollX},${scrollY}`").await == at).await;
    }
    assert_eq!(place.took(&["pointerdown", "click"]).await, [""; 0]);
    place.end().await;
}
