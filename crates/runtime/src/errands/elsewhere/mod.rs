//! Errands in a browser of somebody else's: the same loop over a browser that Legwork neither started nor sees the wire of.
//!
//! There is no gate on the wire here. What stands in its place is a question before every act that may settle something
//! ([`may_commit`]), the rules of places for addresses that are opened, for links that are clicked and for pages that are seen, and no
//! secrets at all.

mod acting;
mod asking;
mod deeds;
mod error;
mod floor;
mod order;
mod page;
mod places;
mod ports;
mod shown;
mod trail;
mod view;
mod wants;

use legwork_agent::{Mode, Spec, Spent, service::Asked};
use legwork_types::{Code, Problem};

use self::places::Bounds;
pub use self::{
    deeds::{ForeignAct, On, acts_of},
    error::ForeignError,
    floor::may_commit,
    page::{ForeignPage, ForeignPart, ForeignTab},
};
use super::{Finished, Journal, People, World, trouble};

/// The longest address, title or line about a page, in characters.
const LONGEST: usize = 300;

/// What has to be known of every errand in such a browser: the first line of its evidence.
pub const UNSEEN: &str = "somebody else's browser: what leaves this browser is not seen by Legwork";

/// A browser of somebody else's. Every call has an end of its own: whoever implements it keeps deadlines.
pub trait ForeignBrowser {
    /// Looks at the page. References of earlier looks mean nothing any more.
    fn look(&mut self) -> impl Future<Output = Result<ForeignPage, ForeignError>>;

    /// Does something to the page of the latest look. Never twice: where it is not known whether it was done, that is said.
    fn act(&mut self, act: &ForeignAct) -> impl Future<Output = Result<(), ForeignError>>;

    /// A picture of the page, as JPEG or PNG.
    fn picture(&mut self) -> impl Future<Output = Result<Vec<u8>, ForeignError>>;

    /// Starts it anew after it was lost: once, and no more.
    fn restart(&mut self) -> impl Future<Output = Result<(), ForeignError>>;

    /// Ends it with all that it has started.
    fn close(&mut self) -> impl Future<Output = ()>;
}

impl<B: ForeignBrowser> ForeignBrowser for &mut B {
    async fn look(&mut self) -> Result<ForeignPage, ForeignError> {
        (**self).look().await
    }

    async fn act(&mut self, act: &ForeignAct) -> Result<(), ForeignError> {
        (**self).act(act).await
    }

    async fn picture(&mut self) -> Result<Vec<u8>, ForeignError> {
        (**self).picture().await
    }

    async fn restart(&mut self) -> Result<(), ForeignError> {
        (**self).restart().await
    }

    async fn close(&mut self) {
        (**self).close().await;
    }
}

/// Why an errand can't be done in a browser of somebody else's; nothing where it can.
pub fn not_elsewhere(spec: &Spec) -> Option<Problem> {
    let usage = |message: &str, hint: &str| Some(Problem::new(Code::Usage, message, hint));
    match spec.mode {
        Mode::DryRun | Mode::ReadOnly => usage(
            "a dry run can't be kept in somebody else's browser: Legwork does not see what leaves it, so it can stop nothing there",
            "write --live, to be asked before whatever may settle something, or --mode plan-only; or leave --toolbox out",
        ),
        Mode::Live | Mode::PlanOnly if !spec.secrets.is_empty() => usage(
            "secrets are never typed into somebody else's browser: nobody could say where they go",
            "leave --secret out, and log in by yourself once: the profile of the toolbox is kept",
        ),
        Mode::Live | Mode::PlanOnly => None,
    }
}

/// Runs an errand to its end in a browser of somebody else's, and ends that browser. The world's sessions are never opened: what
/// counts of them is where one may go, and what has to be hidden.
pub async fn run_errand_elsewhere<J: Journal, P: People, B: ForeignBrowser>(
    mut spec: Spec,
    world: World<'_, J, P>,
    mut browser: B,
) -> Finished {
    // Nobody guards the wire there: whoever has to be asked is asked before.
    if let Some(rules) = &mut spec.service {
        rules.asked = Asked::BeforeTheAct;
    }
    let refused = not_elsewhere(&spec);
    let bounds = if spec.service.is_some() { Bounds::OfService } else { Bounds::Open };
    let mut ports = ports::Elsewhere::new(world, &mut browser, bounds);
    let finished = match refused {
        Some(problem) => {
            Finished { outcome: Err(problem), evidence: vec![], spent: Spent::default(), page: None }
        }
        None => {
            let driven = legwork_agent::drive(spec, &mut ports).await;
            Finished {
                outcome: driven.outcome.map_err(|trouble| trouble::problem(&trouble)),
                evidence: driven.errand.receipts().to_vec(),
                spent: *driven.errand.spent(),
                page: driven.errand.page().cloned(),
            }
        }
    };
    ports.over(&finished);
    browser.close().await;
    finished
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod with_a_fake;
