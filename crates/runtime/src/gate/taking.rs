//! What a caller puts into a page or an address and has read on another site. Once it is there the page may send it in any form, so a
//! yes is needed before, as for a request.

use std::sync::Arc;

use legwork_browser::{Ruling, Ticket};
use legwork_observe::Look;
use legwork_policy::wire::{self, Field, Place, classify, decode};
use legwork_types::{
    Chord, Deed, Intent, Outgoing, OutgoingBody, OutgoingKind, Problem, Sender,
    contract::{ActionId, FieldValue},
};

use super::{Catch, Caught, Gate, asking::Wanted, log};
use crate::approvals::Approval;

/// What stands for a method where something is put into a page.
const TYPED: &str = "TYPE";
/// Up to how many characters something is taken for a bit of something longer.
const BIT: usize = 12;
/// Nobody waits under this name: there is no request yet.
const NOBODY: Ticket = Ticket(u64::MAX);

/// A text on its way into a document.
struct Put<'a> {
    /// The address of the document, or the one that is gone to.
    to: String,
    /// What is done.
    how: &'static str,
    /// The field.
    name: String,
    text: &'a str,
}

/// That a caller may not take something along, and the question that it became, if it did.
pub(crate) struct NotTaken {
    pub(crate) problem: Problem,
    pub(crate) question: Option<Arc<Approval>>,
}

impl Gate {
    /// Whether the caller may put this into the page: not what it read on another site, unless somebody says yes.
    pub(crate) fn may_take(&self, intent: &Intent, look: &Look) -> Result<(), NotTaken> {
        self.memory.does(intent, look);
        if !self.memory.is_used() {
            return Ok(());
        }
        puts(intent, look).iter().try_for_each(|put| self.may_put(put, look))
    }

    /// Whether a session may begin at this address. Nobody can be asked before there is a session.
    pub(crate) fn may_begin_at(&self, address: &str) -> Result<(), Problem> {
        let text = address.split_once('#').map_or("", |(_, fragment)| fragment);
        let put = Put { to: address.to_owned(), how: "GET", name: "fragment".to_owned(), text };
        let mut decoded = decode(&outgoing(&put, None));
        decoded.fields.push(Field { name: put.name, value: text.to_owned(), place: Place::Query });
        if self.memory.carried(&decoded).is_empty() {
            return Ok(());
        }
        let hint = "open a session without an address and go there from it, so that somebody can be asked";
        let message = "this address holds what was read on another site, and needs a yes";
        Err(Problem::new(legwork_types::Code::SafetyConfirmationRequired, message, hint))
    }

    fn may_put(&self, put: &Put<'_>, look: &Look) -> Result<(), NotTaken> {
        let outgoing = outgoing(put, Some(look));
        let mut decoded = decode(&outgoing);
        let field = |name: &str, value: &str| Field {
            name: name.to_owned(),
            value: value.to_owned(),
            place: Place::Form,
        };
        // What is put in bit by bit belongs together.
        let is_bit = put.how == TYPED && put.text.chars().count() <= BIT;
        let mut whole = decoded.clone();
        whole.fields.push(field("", &self.memory.tail()));
        if !put.text.is_empty() {
            decoded.fields.push(field(&put.name, put.text));
        }
        let mut carried = self.memory.carried(&decoded);
        if carried.is_empty() && is_bit {
            carried = self.memory.carried(&whole);
        }
        if carried.is_empty() {
            return Ok(());
        }
        let mut state = self.state();
        let facts = wire::WireFacts { carried, ..self.facts(&state, &outgoing, &decoded) };
        let classed = classify(&decoded, &facts);
        let ruling = match wire::rule(&classed, &decoded, self.settings.mode, &state.rules, &facts) {
            wire::Ruling::Go => Ruling::Go,
            wire::Ruling::Ask(reason) => {
                let decoded = decoded.clone();
                self.ask(
                    &mut state,
                    Wanted { ticket: NOBODY, outgoing: &outgoing, decoded, classed, facts, reason },
                )
            }
            wire::Ruling::Drop => Ruling::Stop,
            wire::Ruling::Stop(reason) => {
                log(&self.session, "stop", &classed);
                state.catch(Caught::new(Catch::Stopped(reason), &decoded, &classed, &facts));
                Ruling::Stop
            }
        };
        if ruling == Ruling::Go {
            drop(state);
            // From now on that site has it.
            self.memory.is_known_at(&put.to, &format!("{} {}", put.text, put.to));
            return Ok(());
        }
        let last = state.caught.pop();
        let problem = last.as_ref().map_or_else(refused, Caught::problem);
        Err(NotTaken { problem, question: last.and_then(|last| last.approval().cloned()) })
    }
}

/// The texts that an intent puts somewhere.
fn puts<'a>(intent: &'a Intent, look: &Look) -> Vec<Put<'a>> {
    let page = || look.scene().page.final_url.untrusted().to_owned();
    let into = |target: Option<ActionId>, text: &'a str| {
        let affordance = target.and_then(|target| look.affordance(target));
        let frame = affordance.and_then(|affordance| affordance.frame_id);
        let frame = look.scene().page.frames.iter().find(|one| Some(one.frame_id) == frame);
        let address = frame.and_then(|frame| frame.url.as_ref()).map(|url| url.untrusted().to_owned());
        Put {
            // A frame of nothing is the page's own.
            to: address.filter(|address| address.starts_with("http")).unwrap_or_else(page),
            how: TYPED,
            name: affordance.map(|affordance| affordance.name.untrusted().to_owned()).unwrap_or_default(),
            text,
        }
    };
    let value = |target: ActionId, value: &'a FieldValue| match value {
        FieldValue::Text(text) => Some(into(Some(target), text)),
        FieldValue::Secret { .. } => None,
    };
    let key = |target: Option<ActionId>, chord: &'a Chord| {
        (chord.key.chars().count() == 1).then(|| into(target, &chord.key))
    };
    match intent {
        Intent::Navigate(url) => {
            let text = url.as_str().split_once('#').map_or("", |(_, fragment)| fragment);
            vec![Put { to: url.as_str().to_owned(), how: "GET", name: "fragment".to_owned(), text }]
        }
        Intent::HandleDialog { text: Some(text), .. } => vec![into(None, text)],
        Intent::FillForm(fields) => {
            fields.iter().filter_map(|field| value(field.action_id, &field.value)).collect()
        }
        Intent::PressKeyOnPage(chord) => key(None, chord).into_iter().collect(),
        Intent::OnElement { target, deed } => match deed {
            Deed::Fill(text) | Deed::Type { text, .. } => value(*target, text).into_iter().collect(),
            Deed::PressKey(chord) => key(Some(*target), chord).into_iter().collect(),
            _ => vec![],
        },
        _ => vec![],
    }
}

/// The same as a request would be, so that it is asked about like one.
fn outgoing(put: &Put<'_>, look: Option<&Look>) -> Outgoing {
    let page = look.map(|look| look.scene().page.final_url.untrusted().to_owned());
    let url = match put.how {
        TYPED => put.to.split(['?', '#']).next(),
        _ => put.to.split('#').next(),
    };
    Outgoing {
        method: put.how.to_owned(),
        url: url.unwrap_or_default().to_owned(),
        kind: OutgoingKind::Page,
        headers: vec![],
        body: OutgoingBody::None,
        sender: Sender { document: page.clone(), page, ..Sender::default() },
        redirected: false,
        hops: vec![],
    }
}

fn refused() -> Problem {
    Problem::new(
        legwork_types::Code::SafetyConfirmationRequired,
        "this was read on another site and needs a yes before it is put here",
        "tell the user",
    )
}
