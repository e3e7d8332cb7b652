//! Whether a browser of somebody else's is still the one that it was: its server may start another one in its place and say nothing. Pure.

use super::{ForeignAct, ForeignError, ForeignPage};

/// Where a browser begins.
const BLANK: &str = "about:blank";

/// What was seen and done in it, as far as it tells one browser from another.
#[derive(Debug, Default)]
pub(super) struct Trail {
    /// Whether a page of the web was seen, and nothing was done since that may have led to an empty one.
    is_on_the_web: bool,
}

impl Trail {
    /// Something is done now.
    pub(super) fn acts(&mut self, act: &ForeignAct) {
        if may_lead_to_nothing(act) {
            self.is_on_the_web = false;
        }
    }

    /// This is seen now. An empty page that nothing led to is that of another browser.
    pub(super) fn sees(&mut self, page: &ForeignPage) -> Result<(), ForeignError> {
        let address = page.url.untrusted().trim();
        // Behind a dialog the address is an old one.
        if self.is_on_the_web && page.dialog.is_none() && address.eq_ignore_ascii_case(BLANK) {
            let why = "its page is empty all of a sudden, as that of a browser which has just begun";
            return Err(ForeignError::Lost(why.to_owned()));
        }
        self.is_on_the_web |= is_of_the_web(address);
        Ok(())
    }
}

/// Whether an act may lead from a page of the web to an empty one.
fn may_lead_to_nothing(act: &ForeignAct) -> bool {
    match act {
        ForeignAct::Go(address) => !is_of_the_web(address),
        ForeignAct::Back | ForeignAct::Tab(_) | ForeignAct::CloseTab(_) => true,
        ForeignAct::Click(..)
        | ForeignAct::Fill(..)
        | ForeignAct::Choose(..)
        | ForeignAct::Hover(_)
        | ForeignAct::Drag(..)
        | ForeignAct::Key(_)
        | ForeignAct::Wait(_)
        | ForeignAct::WaitFor(_)
        | ForeignAct::Answer { .. } => false,
    }
}

fn is_of_the_web(address: &str) -> bool {
    url::Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
