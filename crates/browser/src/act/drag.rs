//! Dragging one element to another: by the mouse alone, or the way in which browsers themselves carry things.

use futures_util::FutureExt;
use legwork_cdp::{
    CdpError, Events, Limit, Signal,
    protocol::input::{self, DispatchMouseEvent},
};
use legwork_observe::ElementRef;

use super::{
    Blocked, Miss,
    grip::{Grip, Needs},
    guard::{Guard, Input, Last},
    pointer::{BEGINS, mouse, send, settled},
};
use crate::{BrowserError, Epoch, tab::Tab};

const WHAT: &str = "dragging";
/// Pages take a press for a drag only after some way.
const STEPS: u32 = 5;
/// What comes last where the browser carried something: the pointer itself was called off.
const AFTER_DROP: &str = "mouseup";

/// Drags one element to another.
pub(super) async fn drag(
    tab: &Tab,
    element: &ElementRef,
    to: &ElementRef,
    epoch: &Epoch,
    limit: &Limit,
) -> Result<(), Miss> {
    // What is to be dragged comes last: nothing may scroll it away again.
    Grip::take(tab, to, epoch, Needs::Reach, limit).await?;
    let from = Grip::take(tab, element, epoch, Needs::Press, limit).await?;
    let to = Grip::take(tab, to, epoch, Needs::Still, limit).await?;
    let guard = Guard::arm(&from, Some(&to), Input::Drag, limit).await?;
    let mut news = tab.link.subscribe(&[input::DRAG_INTERCEPTED]);
    tab.call(&input::SetInterceptDrags { enabled: true }, WHAT, limit).await.map_err(Blocked::from)?;
    let mut hand = Hand { tab, at: from.point(), is_holding: false };
    let last = hand.carry(to.point(), &mut news, limit).await?;
    // A button that is held belongs to the frame that it was pressed in.
    let grip = if last == AFTER_DROP { &to } else { &from };
    guard.report_after(Last { grip, kind: last, count: 1 }, &BEGINS, limit).await?.whole()
}

/// The mouse while it drags. However that ends, it lets go.
struct Hand<'a> {
    tab: &'a Tab,
    at: (f64, f64),
    is_holding: bool,
}

impl Hand<'_> {
    /// Presses, moves and lets go. What a page hears of last.
    async fn carry(
        &mut self,
        to: (f64, f64),
        news: &mut Events,
        limit: &Limit,
    ) -> Result<&'static str, Miss> {
        let (tab, from) = (self.tab, self.at);
        let held = |kind, point| DispatchMouseEvent { buttons: 1, ..pressed(kind, point) };
        self.is_holding = true;
        send(tab, &[mouse("mouseMoved", from), held("mousePressed", from)], limit).await?;
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            self.at = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            // One after the other: moves that come together are one to a page.
            let moved = DispatchMouseEvent { click_count: 0, ..held("mouseMoved", self.at) };
            send(tab, &[moved], limit).await?;
        }
        let mut last = "pointerup";
        if let Some(drag) = intercepted(tab, news) {
            last = AFTER_DROP;
            let drag = drag.read::<input::DragIntercepted<'_>>().map_err(protocol)?;
            for kind in ["dragEnter", "dragOver", "drop"] {
                let event = input::DispatchDragEvent { kind, x: to.0, y: to.1, data: drag.data };
                settled(tab.call(&event, WHAT, limit).await.map(drop))?;
            }
        }
        self.is_holding = false;
        send(tab, &[pressed("mouseReleased", to)], limit).await?;
        Ok(last)
    }
}

impl Drop for Hand<'_> {
    fn drop(&mut self) {
        let session = self.tab.session();
        if self.is_holding {
            let _ = self.tab.link.post(Some(&session), &pressed("mouseReleased", self.at));
        }
        let _ = self.tab.link.post(Some(&session), &input::SetInterceptDrags { enabled: false });
    }
}

fn pressed(kind: &'static str, point: (f64, f64)) -> DispatchMouseEvent<'static> {
    DispatchMouseEvent { button: "left", click_count: 1, ..mouse(kind, point) }
}

/// What the browser was about to carry. It tells of it before it answers the move that began it.
fn intercepted(tab: &Tab, news: &mut Events) -> Option<legwork_cdp::Event> {
    let session = tab.session();
    while let Some(Some(signal)) = news.next().now_or_never() {
        match signal {
            Signal::Event(event) if event.session.as_ref() == Some(&session) => return Some(event),
            _ => {}
        }
    }
    None
}

fn protocol(error: CdpError) -> Miss {
    Miss::During(BrowserError::Protocol(error).into())
}
