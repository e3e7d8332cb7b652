//! Where a person logs in or proves something by hand, and where anything may be written at all.

use legwork_policy::{
    places::{Denial, Place, Reach, decide_write},
    wire::{ByHand, ClassKind, Decoded, Endpoint, Given, Mode, Proof, WireFacts},
};
use legwork_types::Outgoing;

use super::{Gate, State};

/// What a person does by hand in the browser itself, where a page wants to know who one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// Logs in.
    LogsIn,
    /// Gives a code that was sent to them.
    GivesCode,
    /// Proves to be human.
    ProvesHuman,
}

/// What is let through for a person who is at work there.
pub(super) enum Door {
    /// Signing in.
    Login(Endpoint),
    /// A proof.
    Proof(ByHand),
}

impl Gate {
    /// A person is at work by hand at the origin of this address: that is a yes to what they do there, and to nothing else. None where
    /// nobody is any more.
    pub(crate) fn by_hand(&self, at: Option<(Hand, &str)>) {
        let door = at.and_then(|(hand, address)| {
            let url = url::Url::parse(address).ok().filter(url::Url::has_host)?;
            let origin = url.origin().ascii_serialization();
            Some(match hand {
                Hand::LogsIn => Door::Login(Endpoint { class: ClassKind::Login, origin, path: None }),
                Hand::GivesCode => Door::Proof(ByHand { origin, proof: Proof::Code }),
                Hand::ProvesHuman => Door::Proof(ByHand { origin, proof: Proof::Human }),
            })
        });
        let mut state = self.state();
        if let Some(Door::Login(before)) = state.at_the_door.take()
            && let Some(at) = state.rules.allowed_endpoints.iter().position(|one| *one == before)
        {
            state.rules.allowed_endpoints.remove(at);
        }
        if let Some(Door::Login(given)) = &door {
            state.rules.allowed_endpoints.push(given.clone());
        }
        state.at_the_door = door;
    }

    /// What whoever is at work there sends by hand. A proof that a document sends in which something dangerous was pressed may be what
    /// that still wanted, however long people take to find it; and in a dry run a code may be all that was missing.
    pub(super) fn given_by_hand(
        &self,
        state: &State,
        outgoing: &Outgoing,
        decoded: &Decoded,
        facts: &WireFacts,
    ) -> Option<Given> {
        let Some(Door::Proof(hand)) = &state.at_the_door else { return None };
        let loader = outgoing.sender.loader.as_deref();
        let is_endangered =
            || loader.map_or(!state.endangered.is_empty(), |loader| state.endangered.contains(loader));
        let may_settle =
            || self.settings.mode == Mode::DryRun && hand.proof == Proof::Code && state.has_prepared;
        match hand.given(decoded, facts)? {
            Given::ToThePage if is_endangered() || may_settle() => None,
            given => Some(given),
        }
    }
}

/// Whether anything may be sent to an address that could change something.
pub(super) fn may_be_written(reach: &Reach, address: &str) -> Result<(), Denial> {
    let place = Place::of_url(address).map_err(|refusal| Denial::of_text(&refusal, address))?;
    decide_write(&place, reach)
}
