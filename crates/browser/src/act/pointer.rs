//! What the mouse does to an element: press it, or move over it.

use futures_util::future::join_all;
use legwork_cdp::{Limit, protocol::input};
use legwork_types::{
    Click,
    contract::{Modifier, MouseButton},
};

use super::{
    Blocked, Miss,
    grip::{Grip, Needs},
    guard::{Guard, Input, Last},
};
use crate::{BrowserError, Epoch, Gone, tab::Tab};
use legwork_observe::ElementRef;

const WHAT: &str = "moving the mouse";

/// What a press begins with, as pages see it.
pub(super) const BEGINS: [&str; 3] = ["pointerdown", "mousedown", "click"];

/// Presses an element.
pub(super) async fn click(
    tab: &Tab,
    element: &ElementRef,
    epoch: &Epoch,
    click: &Click,
    limit: &Limit,
) -> Result<(), Miss> {
    let mut grip = Grip::take(tab, element, epoch, Needs::PressAtOnce, limit).await?;
    for _ in 1..ATTEMPTS {
        match press(&grip, click, limit).await {
            // Frames of several processes do not move at once: what was sent may have met the one around it.
            Err(Miss::Before(Blocked::Obscured { .. })) if grip.is_in_frame() => {}
            outcome => return outcome,
        }
        grip = Grip::take(tab, element, epoch, Needs::Press, limit).await?;
    }
    press(&grip, click, limit).await
}

/// How often a press into a frame is tried, as long as nothing of it got through.
const ATTEMPTS: usize = 3;

/// Presses what is held.
pub(super) async fn press(grip: &Grip<'_>, click: &Click, limit: &Limit) -> Result<(), Miss> {
    let guard = Guard::arm(grip, None, Input::Press, limit).await?;
    let (x, y) = grip.point();
    let modifiers = modifiers(&click.modifiers);
    let (button, held) = button(click.button);
    let moved = input::DispatchMouseEvent { modifiers, ..mouse("mouseMoved", (x, y)) };
    let mut events = vec![moved];
    for click_count in 1..=u32::from(click.count.get()) {
        for (kind, buttons) in [("mousePressed", held), ("mouseReleased", 0)] {
            let event = mouse(kind, (x, y));
            events.push(input::DispatchMouseEvent { button, buttons, click_count, modifiers, ..event });
        }
    }
    send(grip.tab, &events, limit).await?;
    let last = Last { grip, kind: "pointerup", count: click.count.get() };
    guard.report_after(last, &BEGINS, limit).await?.begun()
}

/// Moves the mouse over an element.
pub(super) async fn hover(tab: &Tab, element: &ElementRef, epoch: &Epoch, limit: &Limit) -> Result<(), Miss> {
    let grip = Grip::take(tab, element, epoch, Needs::Reach, limit).await?;
    let guard = Guard::arm(&grip, None, Input::Press, limit).await?;
    let (x, y) = grip.point();
    // Where the mouse is already, a page would not hear of it.
    let beside = mouse("mouseMoved", (x - 1.0, y));
    send(tab, &[beside, mouse("mouseMoved", (x, y))], limit).await?;
    let last = Last { grip: &grip, kind: "", count: 1 };
    guard.report_after(last, &["pointermove", "mousemove"], limit).await?.begun()
}

/// One event of the mouse without a button.
pub(super) fn mouse(kind: &'static str, (x, y): (f64, f64)) -> input::DispatchMouseEvent<'static> {
    input::DispatchMouseEvent {
        kind,
        x,
        y,
        button: "none",
        buttons: 0,
        click_count: 0,
        modifiers: 0,
        delta_x: 0.0,
        delta_y: 0.0,
    }
}

/// Sends events in one go, and waits until the page has taken them in.
pub(super) async fn send(
    tab: &Tab,
    events: &[input::DispatchMouseEvent<'_>],
    limit: &Limit,
) -> Result<(), Miss> {
    for sent in join_all(events.iter().map(|event| tab.call(event, WHAT, limit))).await {
        settled(sent.map(drop))?;
    }
    Ok(())
}

/// A page may answer input with a dialog, or with its own end: it has taken it in all the same.
pub(super) fn settled(sent: Result<(), BrowserError>) -> Result<(), Miss> {
    match sent {
        Ok(()) | Err(BrowserError::DialogOpen { .. } | BrowserError::TabGone { gone: Gone::Closed, .. }) => {
            Ok(())
        }
        Err(error) => Err(Miss::During(Blocked::Browser(error))),
    }
}

/// As the protocol counts them.
pub(super) fn modifiers(held: &[Modifier]) -> u32 {
    let bit = |modifier: &Modifier| match modifier {
        Modifier::Alt => 1,
        Modifier::Control => 2,
        Modifier::Meta => 4,
        Modifier::Shift => 8,
    };
    held.iter().map(bit).fold(0, |all, bit| all | bit)
}

/// Its name, and the bit of it among those that are held.
fn button(button: MouseButton) -> (&'static str, u32) {
    match button {
        MouseButton::Left => ("left", 1),
        MouseButton::Right => ("right", 2),
        MouseButton::Middle => ("middle", 4),
    }
}
