//! Bringing things into sight: an element, what is in an element, or a part of the page. And making keys go somewhere.

use legwork_cdp::Limit;
use legwork_observe::ElementRef;
use legwork_types::{Scroll, contract::Direction};

use super::{
    Blocked, Miss,
    grip::{Grip, Needs},
    pointer::{mouse, send},
};
use crate::{Epoch, tab::Tab, viewport::Viewport};

/// Brings an element into sight: whoever can take hold of it has done so.
pub(super) async fn into_view(
    tab: &Tab,
    element: &ElementRef,
    epoch: &Epoch,
    limit: &Limit,
) -> Result<(), Miss> {
    Grip::take(tab, element, epoch, Needs::Sight, limit).await?;
    Ok(())
}

/// Makes keys go to an element.
pub(super) async fn focus(tab: &Tab, element: &ElementRef, epoch: &Epoch, limit: &Limit) -> Result<(), Miss> {
    let grip = Grip::take(tab, element, epoch, Needs::Sight, limit).await?;
    if grip.bid::<bool>("focus", &serde_json::Value::Null).await? {
        return Ok(());
    }
    // Whatever had the keys may have lost them, and the page has heard of it.
    Err(Miss::During(Blocked::NotApplicable { why: "keys can't be made to go to this element".to_owned() }))
}

/// Turns the wheel over an element.
pub(super) async fn element(
    tab: &Tab,
    element: &ElementRef,
    epoch: &Epoch,
    how: Scroll,
    limit: &Limit,
) -> Result<(), Miss> {
    let grip = Grip::take(tab, element, epoch, Needs::Reach, limit).await?;
    turn(tab, grip.point(), how, limit).await
}

/// Turns the wheel over the middle of the page, as it is at the usual size: a place that pages of every size have.
pub(super) async fn page(tab: &Tab, how: Scroll, limit: &Limit) -> Result<(), Miss> {
    let [width, height] = [Viewport::USUAL.width(), Viewport::USUAL.height()].map(f64::from);
    let middle = (width / 2.0, height / 2.0);
    turn(tab, middle, how, limit).await
}

async fn turn(tab: &Tab, point: (f64, f64), how: Scroll, limit: &Limit) -> Result<(), Miss> {
    if let Some(obstacle) = tab.obstacle() {
        return Err(Miss::Before(obstacle.into()));
    }
    let far = f64::from(how.pixels);
    let (delta_x, delta_y) = match how.direction {
        Direction::Up => (0.0, -far),
        Direction::Down => (0.0, far),
        Direction::Left => (-far, 0.0),
        Direction::Right => (far, 0.0),
    };
    let wheel =
        legwork_cdp::protocol::input::DispatchMouseEvent { delta_x, delta_y, ..mouse("mouseWheel", point) };
    send(tab, &[mouse("mouseMoved", point), wheel], limit).await
}
