//! Acting on real pages: what arrives is told by the page's own record, and what was not meant never arrives.

mod aim_places;
mod aim_waits;
mod deeds;
mod fields_combos;
mod fields_dates;
mod fields_files;
mod fields_form;
mod fields_keys;
mod fields_kit;
mod fields_lists;
mod fields_text;
mod fields_ticks;
mod frames;
mod meanwhile;
mod places;
mod places_fields;
mod places_kit;
mod pointer;
mod races;
mod strangers;
mod swapped;
mod swapped_fields;
mod swapped_places;

use legwork_observe::Look;
use legwork_policy::{Confirmation, Facts, Permit, Rules, TargetFacts, Verdict, WhoConfirms, judge};
use legwork_types::{
    Click, Deed, Intent, Scroll,
    contract::{ActionId, Direction, ObservationId, RiskLevel, SessionId},
};

use super::{capture, *};

/// A look at the page in front, and what acting on it takes.
struct Looked {
    capture: Capture,
    look: Look,
}

async fn looked(stage: &Stage) -> Looked {
    let capture = capture::capture(&stage.tab().await).await;
    let look = capture::understood(&capture);
    Looked { capture, look }
}

impl Looked {
    /// The number of the only control with this name.
    fn number(&self, name: &str) -> ActionId {
        let all = (1..).map(ActionId).take(self.look.scene().items.len());
        let named: Vec<ActionId> =
            all.filter(|number| self.look.affordance(*number).unwrap().name.untrusted() == name).collect();
        let names: Vec<&str> =
            self.look.scene().items.iter().map(|item| item.affordance.name.untrusted()).collect();
        assert_eq!(named.len(), 1, "{name:?} is once among {names:?}");
        named[0]
    }

    fn aims(&self) -> Aims {
        let all = (1..).map(ActionId).take(self.look.scene().items.len());
        let elements = all.filter_map(|number| Some((number, self.look.element(number)?.clone()))).collect();
        Aims { tab: None, epoch: self.capture.epoch.clone(), elements, secrets: Default::default() }
    }

    /// What is known of an element, as far as it matters to a judge who trusts whoever asks.
    fn facts_of(&self, action: ActionId) -> TargetFacts {
        let affordance = self.look.affordance(action).expect("it is in the look");
        let mut risk = affordance.risk.clone();
        risk.level = RiskLevel::Safe;
        TargetFacts {
            action,
            fingerprint: affordance.fingerprint,
            role: affordance.role.clone(),
            name: affordance.name.clone(),
            risk,
            sends: None,
            in_captcha: false,
            field: Default::default(),
        }
    }

    /// The right to do it, from a judge who trusts whoever asks.
    fn permit(&self, intent: Intent) -> Permit {
        let facts = Facts {
            session: SessionId("s1".to_owned()),
            observation: ObservationId("o1".to_owned()),
            domain: "127.0.0.1".to_owned(),
            targets: intent.targets().into_iter().map(|action| self.facts_of(action)).collect(),
            focused: None,
            dialog: None,
            files: vec![],
            wire: legwork_policy::Wire::Open,
            address: Default::default(),
            secrets: vec![],
            caution: None,
        };
        let rules = Rules { who_confirms: WhoConfirms::Caller, uploads: vec![] };
        match judge(intent, &facts, &rules, &Confirmation::default()) {
            Verdict::Go(permit) => permit,
            verdict => panic!("{verdict:?}"),
        }
    }

    async fn act(&self, stage: &Stage, name: &str, deed: Deed) -> Result<Done, NotDone> {
        self.act_within(stage, name, deed, &soon()).await
    }

    async fn act_within(
        &self,
        stage: &Stage,
        name: &str,
        deed: Deed,
        limit: &Limit,
    ) -> Result<Done, NotDone> {
        let permit = self.permit(Intent::OnElement { target: self.number(name), deed });
        stage.context.act(permit, &self.aims(), limit).await
    }
}

/// Looks, finds a control by its name and does something to it.
async fn act_on(stage: &Stage, name: &str, deed: Deed) -> Result<Done, NotDone> {
    looked(stage).await.act(stage, name, deed).await
}

pub(super) async fn click(stage: &Stage, name: &str) -> Result<Done, NotDone> {
    act_on(stage, name, Deed::Click(Click::default())).await
}

pub(super) async fn click_within(stage: &Stage, name: &str, limit: &Limit) -> Result<Done, NotDone> {
    looked(stage).await.act_within(stage, name, Deed::Click(Click::default()), limit).await
}

/// The tab at a page, with all its frames loaded.
async fn opened(stage: &Stage, page: &str) -> Tab {
    let tab = stage.at(&format!("/pages/{page}")).await;
    assert!(tab.loaded(&soon()).await, "{page} loads");
    tab
}

/// What the frame whose address holds `part` received, in order.
async fn record(tab: &Tab, part: &str) -> Vec<String> {
    let record = noted_in(tab, part, "record").await;
    record.split(' ').filter(|kind| !kind.is_empty()).map(str::to_owned).collect()
}

/// What that frame has noted under this name.
async fn noted_in(tab: &Tab, part: &str, name: &str) -> String {
    let frames = tab.frames().await.unwrap();
    let frame = frames.iter().find(|frame| frame.url.contains(part)).expect("the frame is there");
    let ask = format!("document.documentElement.dataset.{name} ?? ''");
    tab.value(&frame.id, &ask, &soon()).await.unwrap()
}

/// The same without what only tells that the mouse went by, and what focus does.
async fn presses(tab: &Tab, part: &str) -> Vec<String> {
    let kinds =
        ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu"];
    let mut all = record(tab, part).await;
    all.retain(|entry| kinds.iter().any(|kind| entry.starts_with(&format!("{kind}:"))));
    all
}

/// A whole press on the element of this id.
fn whole_press(id: &str) -> Vec<String> {
    ["pointerdown", "mousedown", "pointerup", "mouseup", "click"].map(|kind| format!("{kind}:{id}")).into()
}
