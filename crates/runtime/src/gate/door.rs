//! Where a person logs in by hand, and where anything may be written at all.

use legwork_policy::{
    places::{Denial, Place, Reach, decide_write},
    wire::{ClassKind, Endpoint},
};

use super::Gate;

impl Gate {
    /// A person logs in at the origin of this address, in the browser itself: that is a yes to signing in there. None where nobody does
    /// so any more.
    pub(crate) fn logs_in_at(&self, address: Option<&str>) {
        let url = address.and_then(|address| url::Url::parse(address).ok()).filter(url::Url::has_host);
        let origin = url.map(|url| url.origin().ascii_serialization());
        let given = origin.map(|origin| Endpoint { class: ClassKind::Login, origin, path: None });
        let mut state = self.state();
        if let Some(before) = std::mem::replace(&mut state.at_the_door, given.clone())
            && let Some(at) = state.rules.allowed_endpoints.iter().position(|one| *one == before)
        {
            state.rules.allowed_endpoints.remove(at);
        }
        state.rules.allowed_endpoints.extend(given);
    }
}

/// Whether anything may be sent to an address that could change something.
pub(super) fn may_be_written(reach: &Reach, address: &str) -> Result<(), Denial> {
    let place = Place::of_url(address).map_err(|refusal| Denial::of_text(&refusal, address))?;
    decide_write(&place, reach)
}
