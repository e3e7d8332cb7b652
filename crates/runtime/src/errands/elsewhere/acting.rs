//! An act from the order to what came of it: judged, asked about, permitted, done and looked at afterwards.

use legwork_agent::{ActNote, Entry, Event, Look, Order, Ports as _, Seeing, Trouble};
use legwork_types::{Code, Problem};

use super::{
    super::{Journal, People, trouble::trouble},
    ForeignAct, ForeignBrowser, ForeignError, acts_of, may_commit,
    order::{Ordered, was_asked},
    places::leads_to,
    ports::Elsewhere,
    view,
};

impl<J: Journal, P: People, B: ForeignBrowser> Elsewhere<'_, J, P, B> {
    /// What is to be done, and why somebody has to say yes to it. Nothing has been done yet.
    pub(super) fn judged(&self, order: &Order<'_>) -> Result<Ordered, Problem> {
        let Some((_, page)) = self.latest.as_ref().filter(|(name, _)| name == order.observation) else {
            let hint = "take the numbers of the page that is shown now";
            return Err(Problem::new(Code::StaleObservation, "the page was looked at again since", hint));
        };
        let acts = acts_of(order.act, page)?;
        for act in &acts {
            if let Some(address) = leads_to(act, page) {
                self.joined.world.sessions.admits(&address)?;
            }
        }
        let announced = order.seeing.errand.prepared().map(|(summary, _)| summary.as_str());
        let why: Vec<String> = acts.iter().filter_map(|act| may_commit(act, page, announced)).collect();
        let ordered = Ordered::of(order, page, acts, why);
        if self.never_again.contains(&ordered.commit) {
            let hint = "find out whether it was done, such as in a list of orders";
            return Err(Problem::new(
                Code::UnknownOutcome,
                "this was approved before and may have been done: it is not done again",
                hint,
            ));
        }
        Ok(ordered)
    }

    /// Does it where it may be done, and tells what came of it.
    pub(super) async fn try_act(&mut self, order: &Order<'_>) -> (Vec<Entry>, ActNote) {
        let seeing = order.seeing;
        let ordered = match self.judged(order) {
            Ok(ordered) => ordered,
            Err(problem) => return (vec![], self.undone(trouble(&problem), seeing).await),
        };
        // What the service's own checkpoint is about was asked about by the loop, and is not asked about twice.
        let was_asked = was_asked(order);
        if let Some(why) = ordered.why.as_ref().filter(|_| !was_asked)
            && let Err((trouble, caught)) = self.approved(&ordered, why, order).await
        {
            return (vec![], ActNote { caught, ..self.undone(trouble, seeing).await });
        }
        let is_approved = was_asked || ordered.why.is_some();
        let still = match () {
            () if is_approved || ordered.presses() => self.is_still_there(&ordered).await,
            () if ordered.leaves() => self.is_still_up().await,
            () => Ok(()),
        };
        if let Err(trouble) = still {
            return (vec![], self.undone(trouble, seeing).await);
        }
        let before = self.latest.as_ref().map(|(_, page)| view::digest(page));
        let permit = match self.permit(order).await {
            Ok(permit) => permit,
            Err(trouble) => return (vec![], self.undone(trouble, seeing).await),
        };
        let (mut failed, tried) = self.carry_out(&ordered.acts).await;
        let seeing = if failed.is_some() { seeing.after_failure() } else { seeing };
        let (page, unseen) = match failed.as_ref().is_some_and(ForeignError::is_loss) {
            true => (None, None),
            false => match self.note(&Look::default(), seeing).await {
                Ok(page) => (Some(page), None),
                Err(trouble) => (None, Some(trouble)),
            },
        };
        // A server whose browser is lost on the way calls it a failure like any other.
        let is_lost = unseen.as_ref().is_some_and(|trouble| trouble.kind.is_disconnect());
        if is_lost {
            let lost = || ForeignError::Lost("its browser was lost on the way".to_owned());
            failed = failed.filter(|_| tried > 0).map(|_| lost());
        }
        let (mut sent, mut commits) = (vec![], vec![]);
        if is_approved && tried > 0 {
            // A browser that says that it failed may have got as far as the click.
            let came = match &failed {
                None => "and it was done",
                Some(error) if error.is_unknown() => "and whether it was done is not known",
                Some(_) => "and the browser says that it failed; whether it was done is not known",
            };
            sent.push(format!("a person said yes, {came}: {} at {}", ordered.deed, ordered.place));
            commits.push(ordered.commit.clone());
            if failed.is_some() {
                self.never_again.push(ordered.commit);
            }
        }
        let trouble = failed.as_ref().map(ForeignError::trouble_of_act);
        let barred = page.as_ref().and_then(|_| self.barred());
        let nothing = failed.is_none() && page.as_ref().is_some_and(|page| Some(page.digest) == before);
        let brief = match (&trouble, ordered.acts.is_empty(), nothing) {
            (Some(trouble), ..) => trouble.code.clone(),
            (None, true, _) => "was so already".to_owned(),
            (None, _, true) => "nothing changed".to_owned(),
            (None, ..) => "page changed".to_owned(),
        };
        let note = ActNote {
            words: format!("{brief}: {}\n", order.act.action.verb()),
            brief,
            trouble: trouble.or(unseen).or(barred),
            dispatched: tried > 0,
            nothing,
            sent,
            commits,
            caught: None,
            page,
        };
        (vec![permit], note)
    }

    /// Does one after the other until one fails: why that was, and how many were begun.
    async fn carry_out(&mut self, acts: &[ForeignAct]) -> (Option<ForeignError>, usize) {
        let mut tried = 0;
        for act in acts {
            let failed = self.perform(act).await.err();
            // What is not offered was not begun, and that alone is certain.
            tried += usize::from(!matches!(failed, Some(ForeignError::NotOffered(_))));
            if failed.is_some() {
                return (failed, tried);
            }
        }
        (None, tried)
    }

    /// Does it, unless somebody wants everything to stop at once.
    pub(super) async fn perform(&mut self, act: &ForeignAct) -> Result<(), ForeignError> {
        let cancel = self.joined.world.cancel.clone();
        self.trail.acts(act);
        tokio::select! {
            biased;
            done = self.browser.act(act) => done,
            () = cancel.cancelled() => Err(ForeignError::BrokenOff),
        }
    }

    /// That the page that was seen last is none for this errand, where it is so.
    fn barred(&self) -> Option<Trouble> {
        let why = self.latest.as_ref().and_then(|(_, page)| page.barred.clone())?;
        let hint = "go back, or to an address of the errand: nothing of this page is shown, and nothing is done here";
        Some(trouble(&Problem::new(Code::NavigationBlocked, why, hint)))
    }

    /// Writes down that it may be done.
    async fn permit(&mut self, order: &Order<'_>) -> Result<Entry, Trouble> {
        let event = Event::Permitted {
            number: order.number,
            observation: order.observation.to_owned(),
            verb: order.act.action.verb().to_owned(),
        };
        let entry = Entry { at: self.joined.at(), event };
        self.joined.record(std::slice::from_ref(&entry)).await?;
        Ok(entry)
    }

    /// The page after something that was not done.
    pub(super) async fn undone(&mut self, trouble: Trouble, seeing: Seeing<'_>) -> ActNote {
        let seen = match trouble.kind.is_disconnect() {
            true => None,
            false => Some(self.note(&Look::default(), seeing.after_failure()).await),
        };
        let (trouble, page) = match seen {
            Some(Ok(page)) => (trouble, Some(page)),
            // Whatever it was, it comes of that.
            Some(Err(lost)) if lost.kind.is_disconnect() && !is_decided(&trouble) => (lost, None),
            Some(Err(_)) | None => (trouble, None),
        };
        ActNote {
            brief: trouble.code.clone(),
            words: trouble.words.clone(),
            trouble: Some(trouble),
            page,
            ..ActNote::default()
        }
    }
}

/// Whether it was not done because somebody wants it so, or because nobody is there: that stays, whatever becomes of the browser.
fn is_decided(trouble: &Trouble) -> bool {
    [Code::ApprovalDenied, Code::SafetyConfirmationRequired].iter().any(|code| code.as_str() == trouble.code)
}
