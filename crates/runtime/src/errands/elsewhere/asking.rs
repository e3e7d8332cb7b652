//! Before an act: whether somebody says yes to it, and whether the page and the browser are still what they were.

use std::path::Path;

use legwork_agent::{Answer, Caught, Fate, Order, Ports as _, Question, Someone, Trouble};
use legwork_types::{Code, Problem};

use super::{
    super::{Journal, People, ports::said, trouble::trouble},
    ForeignBrowser, LONGEST,
    order::{Ordered, warning},
    ports::Elsewhere,
};
use crate::harmless;

/// Why something was not done: what went wrong, and what was caught.
pub(super) type NotDone = (Trouble, Option<Caught>);

impl<J: Journal, P: People, B: ForeignBrowser> Elsewhere<'_, J, P, B> {
    /// Asks somebody where that has to be; whether it may be done, and if not, why.
    pub(super) async fn approved(
        &mut self,
        ordered: &Ordered,
        why: &str,
        order: &Order<'_>,
    ) -> Result<(), NotDone> {
        let action = format!("{} at {}", ordered.deed, ordered.place);
        if order.seeing.errand.spec().someone == Someone::Absent {
            let caught = Caught { fate: Fate::NobodyToAsk, request: action, settles: true };
            let problem = Problem::new(
                Code::SafetyConfirmationRequired,
                "nobody is there to say yes, so it was not done",
                "run it where somebody can be asked",
            );
            return Err((trouble(&problem), Some(caught)));
        }
        let picture = self.pictured().await.map_err(|error| (error.trouble(), None))?;
        let reason = format!(
            "{}; asked because {why}. Legwork does not see what it sends{}",
            harmless(&said(&order.act.why, order.seeing), LONGEST),
            self.beside(picture.as_deref())
        );
        if self.joined.ask_person(&Question::Approve { action, reason }).await == Answer::Yes {
            return Ok(());
        }
        let message = format!("nobody said yes, this was not done: {}", ordered.deed);
        Err((trouble(&Problem::new(Code::ApprovalDenied, message, "nothing was done")), None))
    }

    /// What somebody is told beside a question.
    pub(super) fn beside(&self, picture: Option<&Path>) -> String {
        let warning = warning(&self.never_again).map(|warning| format!("; {warning}"));
        let picture = picture.map(|path| format!("; a picture of the page is {}", path.display()));
        [warning, picture].into_iter().flatten().collect()
    }

    /// Whether the page is still what it was: people take their time, models too, and pages do not wait.
    pub(super) async fn is_still_there(&mut self, ordered: &Ordered) -> Result<(), Trouble> {
        let now = self.see().await.map_err(|error| error.trouble())?;
        if ordered.is_still_on(&now) {
            return Ok(());
        }
        let hint = "look at the page, and do it again if it is still right";
        let message = "the page changed since it was looked at, so it was not done";
        Err(trouble(&Problem::new(Code::StaleObservation, message, hint)))
    }

    /// Whether the browser is still the one that it was. A page that can't be looked at for another reason may be left all the same.
    pub(super) async fn is_still_up(&mut self) -> Result<(), Trouble> {
        match self.see().await {
            Err(error) if error.is_loss() => Err(error.trouble()),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}
