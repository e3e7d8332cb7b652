//! What an act is to the gate on the wire, and what the gate has to say about it.

use legwork_observe::Look;
use legwork_policy::{
    Facts, danger_of, in_words,
    wire::{ActFacts, ActKind, Mode},
};
use legwork_types::{Code, Deed, Intent, Problem, contract::Receipt};
use tokio::time::Instant;

use super::{
    Acted,
    house::{House, Turn},
};
use crate::{
    approvals::Approval,
    gate::{Caught, InFlight},
};

/// An act as the gate needs to know it.
pub(super) fn in_flight(intent: &Intent, facts: &Facts, look: &Look, said: Option<&str>) -> InFlight {
    let target = facts.targets.first().or(facts.focused.as_ref());
    let is_link = target.is_some_and(|target| target.role == "link");
    InFlight {
        words: in_words(intent, facts),
        facts: ActFacts { danger: danger_of(intent, facts), is_link, kind: kind(intent) },
        says_yes: matches!(intent, Intent::HandleDialog { accept: true, .. }),
        target: target.map(|target| target.fingerprint),
        observation: look.id().clone(),
        documents: look
            .scene()
            .items
            .iter()
            .filter_map(|item| Some(item.element.as_ref()?.loader.clone()))
            .collect(),
        said: said.map(str::to_owned),
        since: Instant::now(),
    }
}

fn kind(intent: &Intent) -> ActKind {
    match intent {
        Intent::Navigate(_) => ActKind::Navigated,
        Intent::Back | Intent::Forward | Intent::Reload => ActKind::History,
        Intent::FillForm(_) => ActKind::Typed,
        Intent::PressKeyOnPage(_) => ActKind::Pressed,
        Intent::OnElement { deed, .. } => match deed {
            Deed::Click(_) | Deed::PressKey(_) | Deed::DragTo(_) | Deed::Tick(_) => ActKind::Pressed,
            Deed::Fill(_) | Deed::Type { .. } | Deed::Clear | Deed::Select(_) | Deed::Upload(_) => {
                ActKind::Typed
            }
            Deed::Hover | Deed::Focus | Deed::ScrollIntoView | Deed::Scroll(_) => ActKind::Other,
        },
        Intent::Wait(_)
        | Intent::ScrollPage(_)
        | Intent::SwitchTab(_)
        | Intent::CloseTab(_)
        | Intent::HandleDialog { .. } => ActKind::Other,
    }
}

/// Why an intent may not be tried at all: before anything is done, as far as that can be told.
pub(super) fn refused_by_gate(turn: &Turn, intent: &Intent) -> Option<Problem> {
    let gate = &turn.session.gate;
    if let Intent::Navigate(url) = intent
        && let Err(denial) = gate.admits(url.as_str())
    {
        return Some(Problem::from(&denial));
    }
    let changes = !matches!(
        intent,
        Intent::Wait(_)
            | Intent::ScrollPage(_)
            | Intent::SwitchTab(_)
            | Intent::OnElement { deed: Deed::Hover | Deed::ScrollIntoView | Deed::Scroll(_), .. }
    );
    (gate.settings().mode == Mode::PlanOnly && changes).then(|| {
        Problem::new(
            Code::DryRunBlocked,
            "PLAN ONLY: nothing is done to pages, this is where the plan stops",
            "say what would be done next; the operator may choose another mode",
        )
    })
}

impl Turn {
    /// Puts a picture beside a question: of the page before anything was done to it, where there is one. A question without a picture
    /// is better than none.
    pub(super) async fn show_to(&self, question: Option<&Approval>) {
        let Some(question) = question.filter(|question| question.picture().is_none()) else { return };
        let jpeg = match &self.state.pictured {
            Some(jpeg) => Some(jpeg.clone()),
            None => self.picture(None).await.ok(),
        };
        if let Some(jpeg) = jpeg {
            question.show(jpeg);
        }
    }
}

impl House {
    /// What the gate caught of an act belongs to its answer.
    pub(super) async fn with_caught(&self, turn: &Turn, mut acted: Acted) -> Acted {
        let caught = turn.session.gate.take_caught();
        let Some(told) = worst(&caught, &acted.receipt) else { return acted };
        for approval in caught.iter().filter_map(Caught::approval) {
            turn.show_to(Some(approval.as_ref())).await;
        }
        let is_explained = |problem: &Problem| {
            matches!(problem.code, Code::NavigationFailed | Code::Timeout | Code::NavigationBlocked)
        };
        if acted.error.as_ref().is_none_or(is_explained) {
            acted.error = Some(told.problem());
        }
        acted
    }
}

/// The catch that an act is to be judged by. What a page sends beside, while the act did what it was for, is none.
fn worst<'a>(caught: &'a [Caught], receipt: &Receipt) -> Option<&'a Caught> {
    let went_on = receipt.effects.navigated.is_some() || receipt.effects.new_tab.is_some();
    caught
        .iter()
        .find(|one| one.is_grave())
        .or_else(|| caught.first().filter(|_| !went_on && receipt.dispatched))
}
