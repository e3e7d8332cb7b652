//! The other deeds of the mouse, and what pages answer with: tabs, dialogs, file choosers.

use super::*;

#[tokio::test]
async fn hover_and_focus_arrive_in_every_kind_of_place() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    for (name, frame, id) in [
        ("Go", "act_basic", "go"),
        ("In open", "act_basic", "open"),
        ("In closed", "act_basic", "shut"),
        ("In near", "act_inner.html?near", "inner"),
        ("In far", "act_inner.html?far", "inner"),
    ] {
        let done = act_on(&stage, name, Deed::Hover).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
        assert!(done.receipt.dispatched);
        let all = record(&tab, frame).await;
        assert!(all.contains(&format!("mouseover:{id}")), "{name}: {all:?}");
        act_on(&stage, name, Deed::Focus).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
        let all = record(&tab, frame).await;
        assert!(all.contains(&format!("focusin:{id}")), "{name}: {all:?}");
        assert_eq!(presses(&tab, frame).await, [""; 0], "{name}");
    }
    stage.end().await;
}

#[tokio::test]
async fn elements_and_pages_are_scrolled() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_sticky.html").await;
    let looked_at = looked(&stage).await;
    let down = Scroll { direction: Direction::Down, pixels: 400 };
    let permit = looked_at.permit(Intent::ScrollPage(down));
    stage.context.act(permit, &looked_at.aims(), &soon()).await.expect("the page is scrolled");
    until("it is scrolled", async || read::<f64>(&tab, "scrollY").await == 400.0).await;
    act_on(&stage, "Between", Deed::ScrollIntoView).await.expect("it is brought into sight");
    let top: f64 = read(&tab, "document.getElementById('between').getBoundingClientRect().top").await;
    assert!((0.0..720.0).contains(&top), "{top}");
    stage.end().await;
}

/// The page of things to drag and to scroll: in the page, in shadow roots of both kinds, and in a frame of another site.
const PLACES: [&str; 4] =
    ["act_deeds.html", "act_deeds.html?mode=open", "act_deeds.html?mode=closed", "act_deeds_far.html"];

/// What the things to drag and to scroll noted, wherever they are.
async fn noted(tab: &Tab, what: &str) -> String {
    let frames = tab.frames().await.unwrap();
    let frame = frames.iter().find(|frame| frame.url.contains("act_deeds.html")).expect("it is there");
    let ask = format!("document.documentElement.dataset.{what} ?? ''");
    tab.value(&frame.id, &ask, &soon()).await.unwrap()
}

#[tokio::test]
async fn things_are_carried_by_the_browser() {
    let stage = Stage::new().await;
    for page in PLACES {
        let tab = opened(&stage, page).await;
        let looked_at = looked(&stage).await;
        let deed = Deed::DragTo(looked_at.number("Room"));
        looked_at.act(&stage, "Thing", deed).await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let all = record(&tab, "act_deeds.html").await;
        assert_eq!(noted(&tab, "note").await, "dropped:cargo:true", "{page}: {all:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn things_are_dragged_by_the_mouse() {
    let stage = Stage::new().await;
    for page in PLACES {
        let tab = opened(&stage, page).await;
        let looked_at = looked(&stage).await;
        let deed = Deed::DragTo(looked_at.number("Room"));
        looked_at.act(&stage, "Knob", deed).await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        let all = record(&tab, "act_deeds.html").await;
        assert_eq!(noted(&tab, "note").await, "released:true", "{page}: {all:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn what_is_in_an_element_is_scrolled_and_brought_into_sight() {
    let stage = Stage::new().await;
    for page in PLACES {
        let tab = opened(&stage, page).await;
        let down = Scroll { direction: Direction::Down, pixels: 120 };
        act_on(&stage, "Box", Deed::Scroll(down)).await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        until("it is scrolled", async || noted(&tab, "scrolled").await == "120").await;
        act_on(&stage, "Low", Deed::ScrollIntoView).await.unwrap_or_else(|not| panic!("{page}: {not:?}"));
        until("it is in sight", async || {
            noted(&tab, "scrolled").await.parse::<f64>().is_ok_and(|top| top > 700.0)
        })
        .await;
    }
    stage.end().await;
}

#[tokio::test]
async fn nothing_is_let_go_on_what_covers_the_target_of_a_drag() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_deeds.html?covered").await;
    let looked_at = looked(&stage).await;
    let outcome = looked_at.act(&stage, "Knob", Deed::DragTo(looked_at.number("Room"))).await;
    let all = presses(&tab, "act_deeds").await;
    assert!(!all.iter().any(|entry| entry.ends_with(":cover")), "{all:?}");
    let not = outcome.expect_err("it was not let go");
    assert!(not.permit.is_none() && not.receipt.dispatched, "{not:?}");
    stage.end().await;
}

/// Presses something in the page, and something in a frame of another site, as a person would.
async fn pressed_by_hand(tab: &Tab) {
    for place in ["#other", "[title=far]"] {
        let corner = format!(
            "(({{ left, top }}) => [left + 20, top + 20])(document.querySelector('{place}').getBoundingClientRect())"
        );
        let (x, y): (f64, f64) = read(tab, &corner).await;
        for (kind, button) in [("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")] {
            let event = legwork_cdp::protocol::input::DispatchMouseEvent {
                kind,
                x,
                y,
                button,
                buttons: 0,
                click_count: 1,
                modifiers: 0,
                delta_x: 0.0,
                delta_y: 0.0,
            };
            tab.call(&event, "pressing", &soon()).await.unwrap();
        }
    }
}

#[tokio::test]
async fn after_an_act_the_page_is_free_again_and_frames_of_strangers_are_closed() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_basic.html").await;
    click(&stage, "Go").await.expect("it can be pressed");
    pressed_by_hand(&tab).await;
    until("the press arrives", async || presses(&tab, "act_basic").await.contains(&"click:other".to_owned()))
        .await;
    // Nobody has a hand here but us: what comes after shows that nothing came before.
    click(&stage, "In far").await.expect("it can be pressed");
    assert_eq!(presses(&tab, "act_inner.html?far").await, whole_press("inner"));
    stage.end().await;
}

#[tokio::test]
async fn where_people_may_press_everything_is_free_again_after_an_act() {
    let somebodys = SomebodysBrowser::start();
    let stage = Stage::in_browser_of(&somebodys).await;
    let tab = opened(&stage, "act_basic.html").await;
    click(&stage, "Go").await.expect("it can be pressed");
    pressed_by_hand(&tab).await;
    for (frame, id) in [("act_basic", "other"), ("act_inner.html?far", "inner")] {
        let wanted = format!("click:{id}");
        until("the press arrives", async || presses(&tab, frame).await.contains(&wanted)).await;
    }
    stage.browser.close().await;
}

#[tokio::test]
async fn a_link_to_a_new_tab_opens_one() {
    let stage = Stage::new().await;
    opened(&stage, "new_tab_link.html").await;
    click(&stage, "Open in a new tab").await.expect("it can be pressed");
    until("the tab is there", async || stage.context.tabs(&soon()).await.unwrap().len() == 2).await;
    stage.end().await;
}

#[tokio::test]
async fn a_dialog_that_a_press_brings_up_is_told_of_and_waits() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "confirm_on_click.html").await;
    let done = click(&stage, "Delete").await.expect("it can be pressed");
    assert_eq!((done.receipt.dispatched, done.after), (true, After::DialogOpen));
    assert!(tab.answer_dialog(DialogAnswer::Dismiss).await.unwrap());
    until("the page goes on", async || {
        tab.dialog().is_none()
            && read::<String>(&tab, "document.getElementById('answer').textContent").await == "false"
    })
    .await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_asks_before_it_is_left_does_not_hang_a_press() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "beforeunload.html").await;
    click(&stage, "Draft").await.expect("the page is used");
    let done = click(&stage, "Leave").await.expect("it can be pressed");
    assert!(done.receipt.dispatched);
    let asked = |what: &Happening| {
        matches!(what, Happening::Dialog { kind: DialogKind::BeforeUnload, answer: "dismissed", .. })
    };
    until("the page has asked", async || stage.saw(asked).await).await;
    assert!(tab.url().ends_with("beforeunload.html"), "what is unsaved is not lost by a press");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_file_chooser_does_not_hang_a_press() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "act_file.html").await;
    click(&stage, "Picture").await.expect("it can be pressed");
    assert_eq!(presses(&tab, "act_file").await, whole_press("file"));
    stage.still_works().await;
    stage.end().await;
}
