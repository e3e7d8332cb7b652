//! What really came of an act: on the page, in the network, in the browser; and how long it is waited for.

mod network;
mod pages;
mod seen;
mod settle;
mod waits;

use legwork_cdp::protocol::input::DispatchMouseEvent;
use legwork_observe::ElementRef;
use legwork_policy::{Confirmation, Facts, Permit, Rules, Verdict, WhoConfirms, confirmation_text, judge};
use legwork_types::contract::Dialog;
use legwork_types::{
    Intent, TabId,
    contract::{Effects, ObservationId, SessionId},
};

use super::*;
use crate::act::watch::{Purpose, Watch};

/// What came of a press.
#[derive(Debug)]
struct Pressed {
    effects: Effects,
    after: Result<After, BrowserError>,
    took: Duration,
}

impl Pressed {
    /// The effects of a page that can be looked at afterwards.
    fn quiet(self) -> Effects {
        assert!(matches!(self.after, Ok(After::Quiet)), "{self:?}");
        self.effects
    }

    fn sent(&self) -> Vec<(&str, &str, Option<u16>)> {
        let requests = self.effects.requests.iter();
        requests.map(|request| (request.method.as_str(), request.path.untrusted(), request.status)).collect()
    }
}

/// Looks, watches, presses the element of this id with the mouse, and waits until it has settled.
async fn press(stage: &Stage, id: &str) -> Pressed {
    press_within(stage, id, &soon()).await
}

async fn press_within(stage: &Stage, id: &str, limit: &Limit) -> Pressed {
    let tab = stage.tab().await;
    let (element, epoch) = element(&tab, id).await;
    let point = centre(&tab, id).await;
    watched(stage, &tab, Some((&element, &epoch)), limit, async || mouse(&tab, point).await).await
}

async fn watched(
    stage: &Stage,
    tab: &Tab,
    target: Option<(&ElementRef, &Epoch)>,
    limit: &Limit,
    act: impl AsyncFnOnce(),
) -> Pressed {
    let watch =
        Watch::begin(&stage.context, tab, target, Purpose::Other, limit).await.expect("it is watched");
    act().await;
    let begun = Instant::now();
    let (effects, after) = watch.settle(limit).await;
    Pressed { effects, after, took: begun.elapsed() }
}

/// The element of the main frame with this id, and the look that it is of.
async fn element(tab: &Tab, id: &str) -> (ElementRef, Epoch) {
    let look = tab.capture(&CaptureOptions::default(), &soon()).await.unwrap();
    let frame = &look.page.frames[0];
    for control in &frame.look.controls {
        let element = ElementRef {
            frame: frame.facts.id.clone(),
            loader: frame.facts.loader.as_str().into(),
            index: control.index,
            identity: control.identity(&frame.look.forms),
        };
        let located = tab.locate(&element, &look.epoch, &soon()).await.unwrap();
        let Located::Here { attributes, .. } = located else { continue };
        if attributes.iter().any(|(name, value)| (name.untrusted(), value.untrusted()) == ("id", id)) {
            return (element, look.epoch);
        }
    }
    panic!("nothing with the id {id} can be acted on");
}

async fn centre(tab: &Tab, id: &str) -> (f64, f64) {
    let middle = format!(
        "(() => {{ const {{ x, y, width, height }} = document.getElementById('{id}').getBoundingClientRect(); \
         return [x + width / 2, y + height / 2] }})()"
    );
    read(tab, &middle).await
}

/// A press of the mouse, as from the device. A page that is frozen by it answers nothing.
async fn mouse(tab: &Tab, (x, y): (f64, f64)) {
    let event = |kind| DispatchMouseEvent {
        kind,
        x,
        y,
        button: "left",
        buttons: 1,
        click_count: 1,
        modifiers: 0,
        delta_x: 0.0,
        delta_y: 0.0,
    };
    let pressed = ["mousePressed", "mouseReleased"]
        .map(|kind| tab.link.post(Some(&tab.session()), &event(kind)).unwrap());
    let limit = Limit::within(Duration::from_secs(1));
    for posted in pressed {
        tokio::select! {
            _ = posted.reply(&limit) => {}
            _ = tab.interrupted() => {}
        }
    }
}

/// The right to do something to the page as a whole, from a caller who may say yes.
fn permit(intent: Intent, dialog: Option<Dialog>) -> Permit {
    let facts = Facts {
        session: SessionId("s1".into()),
        observation: ObservationId("o1".into()),
        domain: "127.0.0.1".into(),
        targets: vec![],
        focused: None,
        dialog,
        files: vec![],
        wire: legwork_policy::Wire::Open,
        address: Default::default(),
        secrets: vec![],
        caution: None,
    };
    let rules = Rules { who_confirms: WhoConfirms::Caller, uploads: vec![] };
    let text = Some(confirmation_text(&intent, &facts));
    match judge(intent, &facts, &rules, &Confirmation { confirm: true, text }) {
        Verdict::Go(permit) => permit,
        verdict => panic!("{verdict:?}"),
    }
}

/// Does something to the page as a whole.
async fn perform(stage: &Stage, intent: Intent) -> Result<Done, NotDone> {
    perform_within(stage, intent, &soon()).await
}

async fn perform_within(stage: &Stage, intent: Intent, limit: &Limit) -> Result<Done, NotDone> {
    perform_in(stage, None, intent, limit).await
}

/// The same to a page that was looked at in this tab.
async fn perform_in(
    stage: &Stage,
    tab: Option<TabId>,
    intent: Intent,
    limit: &Limit,
) -> Result<Done, NotDone> {
    let aims = Aims { tab, epoch: Epoch::new(), elements: vec![], secrets: Default::default() };
    let dialog = stage.tab().await.dialog().as_ref().map(Dialog::from);
    // For those who have seen one that is gone by now.
    let dialog = dialog.or(Some(Dialog { kind: "confirm".into(), message: "Gone by now".into() }));
    stage.context.act(permit(intent, dialog), &aims, limit).await
}

const BUTTONS: &str = "/pages/effect_buttons.html";
