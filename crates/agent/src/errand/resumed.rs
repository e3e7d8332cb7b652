//! What is left of an errand that another process goes on with.

use legwork_types::model::Usage;

use super::{Errand, Phase, Step};
use crate::event::Commit;

impl Errand {
    pub(super) fn taken_up(&mut self, commits: &[Commit]) {
        self.work.commits.extend(commits.iter().cloned());
        self.work.lost_commits = self.work.commits.len();
        // A call that was made and never answered may have been paid for.
        if let Some((_, reserve)) = self.reserved.take() {
            self.spent.calls += 1;
            self.spent.usage = self.spent.usage.plus(Usage { input: reserve.tokens, ..Usage::default() });
            self.spent.money = self.spent.money.plus(reserve.money);
        }
        self.is_interrupted = false;
        self.talk.again = false;
        match &mut self.phase {
            Phase::Acting(number, act) => {
                let deed = crate::words::deed(act, self.talk.page.as_ref());
                let came_of_it = "whether it was done is not known".to_owned();
                let step = Step { number: *number, deed, why: act.why.clone(), came_of_it, is_ok: false };
                self.work.steps.push(step);
            }
            // Whatever is answered, its page is gone.
            Phase::AskingPerson { then, .. } => **then = Phase::Reconnecting,
            _ => {}
        }
    }

    /// Something left after a yes: what was said yes to before its page was gone is done, or something else was.
    pub(super) fn committed(&mut self, commits: &[Commit]) {
        self.work.commits.extend(commits.iter().cloned());
        if !commits.is_empty() && self.work.approved.take().is_some() {
            self.counts.since_approval = Some(0);
        }
    }
}
