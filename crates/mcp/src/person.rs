//! Asks the person in front of the client, where the client can open an address for them: the address holds the code of the question,
//! which goes to the person's browser and never to the model. What is decided there, not what the client says, counts.

use std::time::Duration;

use legwork_runtime::{Acted, ApprovalId, Approvals, CancellationToken, Look, Sessions, Standing, noted};
use legwork_types::{
    Code, Details, Problem,
    contract::{ActRequest, Action, ActionId, SessionId, Target, WaitFor},
};
use rmcp::{
    Peer, RoleServer,
    model::{ElicitRequestParams, ElicitationAction},
    service::ElicitationMode,
};
use tokio::time::sleep;

/// How long an answer is waited for: less than a request is held.
const PATIENCE: Duration = Duration::from_secs(110);
/// How long a request that was held may take to bring something about, in milliseconds.
const HELD_LEAVES: u64 = 5_000;

/// The person in front of a client.
pub(crate) struct Person<'a> {
    peer: &'a Peer<RoleServer>,
    desk: &'a Approvals,
}

/// The question that an act became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(crate) id: ApprovalId,
    /// Whether what it is about waits, and leaves by itself after a yes.
    held: bool,
}

impl Pending {
    /// The question that this act became, if it did.
    pub(crate) fn of(acted: &Acted) -> Option<Self> {
        let problem = acted.error.as_ref().filter(|error| error.code == Code::SafetyConfirmationRequired)?;
        match problem.details.as_deref() {
            Some(Details::Caught { approval_id: Some(id), held, .. }) => {
                Some(Self { id: ApprovalId(id.clone()), held: *held })
            }
            _ => None,
        }
    }
}

impl<'a> Person<'a> {
    /// None where the client can't open an address.
    pub(crate) fn before(peer: &'a Peer<RoleServer>, sessions: &'a Sessions) -> Option<Self> {
        let can = peer.supported_elicitation_modes().contains(&ElicitationMode::Url);
        can.then(|| Self { peer, desk: sessions.approvals() })
    }

    /// Where the question stands when it is decided, or nobody waits any more.
    pub(crate) async fn decide(&self, id: &ApprovalId, cancel: &CancellationToken) -> Standing {
        let Some((approval, Standing::Waiting)) = self.desk.find(id) else { return self.desk.standing(id) };
        let Some(url) = approval.url_with_code() else { return Standing::Waiting };
        let card = &approval.question.card;
        let sums = card.amounts.iter().map(|amount| format!(", {amount}")).collect::<String>();
        let message = format!(
            "Legwork needs your yes before it sends {} {}{}{sums}. Open the page to see all of it and to answer.",
            card.method, card.origin, card.path
        );
        let asked = ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message,
            url,
            elicitation_id: id.to_string(),
        };
        let mut asked = std::pin::pin!(self.peer.create_elicitation_with_timeout(asked, Some(PATIENCE)));
        let mut decided = std::pin::pin!(self.desk.decided(id));
        let mut end = std::pin::pin!(sleep(PATIENCE));
        let mut is_open = false;
        loop {
            tokio::select! {
                biased;
                standing = &mut decided => return standing,
                () = cancel.cancelled() => return Standing::Waiting,
                () = &mut end => return Standing::Waiting,
                shown = &mut asked, if !is_open => match shown {
                    Ok(shown) if shown.action == ElicitationAction::Accept => is_open = true,
                    // The person does not want to see it now, or the client could not show it: the question waits all the same.
                    _ => return self.desk.standing(id),
                },
            }
        }
    }
}

/// What is done after a yes: what was held leaves by itself, anything else is done again on the page as it is now.
pub(crate) fn after_yes(request: &ActRequest, pending: &Pending, acted: &Acted) -> Option<ActRequest> {
    let now = &acted.next.as_ref()?.look;
    let mut next = ActRequest { observation_id: now.id().clone(), ..request.clone() };
    if pending.held {
        next.target = Target::Page {};
        next.action = Action::Wait { what: WaitFor::NetworkIdle, value: None, ms: HELD_LEAVES };
        return Some(next);
    }
    // Numbers inside of it would have to be found again too.
    if matches!(request.action, Action::FillForm { .. } | Action::Drag { .. })
        || request.expect.input_value_equals.is_some()
    {
        return None;
    }
    if let Target::Element { action_id } = request.target {
        let action_id = same(acted.decided_on.as_deref()?, action_id, now)?;
        next.target = Target::Element { action_id };
    }
    Some(next)
}

/// The number of the same element in another look, if there is just one.
fn same(before: &Look, number: ActionId, now: &Look) -> Option<ActionId> {
    let wanted = before.affordance(number)?.fingerprint;
    let all = |look: &Look| -> Vec<ActionId> {
        let items = look.scene().items.iter().map(|item| &item.affordance);
        items.filter(|one| one.fingerprint == wanted).map(|one| one.action_id).collect()
    };
    match (all(before).as_slice(), all(now).as_slice()) {
        ([_], [only]) => Some(*only),
        _ => None,
    }
}

/// What a caller is told whose question was decided, other than by a yes that was carried out.
pub(crate) fn told(standing: Standing, session: &SessionId, asked: Problem) -> Problem {
    let problem = match standing {
        Standing::Denied => Problem::new(
            Code::ApprovalDenied,
            "somebody said no to this: it was not sent, and will not be for the rest of this session",
            "tell the user, and do not try it again in other words",
        ),
        Standing::Expired => Problem::new(
            Code::ApprovalExpired,
            "nobody answered in time: it was not sent",
            "tell the user; doing the same again asks again",
        ),
        Standing::Approved => {
            return Problem { hint: "somebody has said yes since: do the same again".into(), ..asked };
        }
        Standing::Waiting | Standing::Withdrawn => return asked,
    };
    noted(Problem { details: asked.details, ..problem }, "act", Some(session))
}
