//! A control in a frame is where the look says: a press of the real mouse at that point reaches it.

use legwork_cdp::protocol::input;

use super::*;

/// The middle of a control in the viewport of the page, through every frame around it.
fn middle(look: &Capture, frame: &FrameCapture, control: &Control) -> (f64, f64) {
    let rect = control.rect;
    let mut point = (f64::from(rect.x + rect.width / 2.0), f64::from(rect.y + rect.height / 2.0));
    let mut frame = frame;
    while let Some(place) = parent(look, frame) {
        let around = &look.page.frames[place];
        let owner = &around.look.owners[frame.owner.expect("the frame is shown somewhere") as usize];
        let [left, top, right, right_top, _, _, below_left, below] = owner.quad.map(f64::from);
        let [width, height] = owner.size.map(f64::from);
        let (u, v) = (point.0 / width, point.1 / height);
        point = (
            left + u * (right - left) + v * (below_left - left),
            top + u * (right_top - top) + v * (below - top),
        );
        frame = around;
    }
    point
}

async fn press(tab: &Tab, (x, y): (f64, f64)) {
    for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = input::DispatchMouseEvent {
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

/// Presses every control that frames of this page hold and expects the page to tell of it.
async fn every_press_arrives(page: &str) {
    // In a browser of ours, frames of strangers are closed to a hand that is not ours.
    let somebodys = SomebodysBrowser::start();
    let stage = Stage::in_browser_of(&somebodys).await;
    let tab = loaded(&stage, page).await;
    let look = capture(&tab).await;
    let shown = shown_frames(&look);
    let mut pressed = 0;
    for (frame, _) in look.page.frames.iter().zip(shown).filter(|(_, shown)| *shown) {
        for control in &frame.look.controls {
            let key = key(&tab, &look, frame, control).await;
            if !frame.facts.url.untrusted().contains("look_in_frame") {
                continue;
            }
            let point = middle(&look, frame, control);
            press(&tab, point).await;
            let told = format!("/echo?pressed={key}");
            until(&format!("{page}: {key} is pressed at {point:?}"), async || {
                stage.site.hits_of(&told).len() == 1
            })
            .await;
            pressed += 1;
        }
    }
    assert_eq!(stage.site.hits_of("/echo").len(), pressed, "{page}: nothing else was pressed");
    assert!(pressed > 5);
    stage.browser.close().await;
}

#[tokio::test]
async fn controls_in_frames_of_every_kind_are_where_the_look_says() {
    every_press_arrives("look_frames.html").await;
}

#[tokio::test]
async fn controls_in_transformed_frames_are_where_the_look_says() {
    every_press_arrives("look_frames_transformed.html").await;
}
