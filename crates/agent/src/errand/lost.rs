//! What is left of an errand when its page or its browser is gone: the goal, the plan, what was spent, and what may have been sent.

use super::{Errand, LookFor, Phase, Talk};
use crate::event::{PageNote, Thrift, TroubleKind};

impl Errand {
    /// The page is loaded again.
    pub(super) fn page_lost(&mut self, url: &str) {
        self.work.crashed.push(url.to_owned());
        self.work.lost_commits = self.work.commits.len();
        self.talk
            .notices
            .push("the page crashed, and was loaded again: what was typed into it is gone".to_owned());
        self.phase = Phase::Looking(LookFor::Again(url.to_owned()));
    }

    /// The page may have been closed: then nobody sees any more what became of what was sent from it.
    pub(super) fn page_closed(&mut self, trouble: TroubleKind) {
        if trouble == TroubleKind::PageClosed {
            self.work.lost_commits = self.work.commits.len();
        }
    }

    /// The browser is gone.
    pub(super) fn browser_lost(&mut self, painting: Option<&str>, thrift: Thrift) {
        self.work.painted_last.extend(painting.map(|url| place(url).to_owned()));
        self.thrift = thrift;
        self.counts.losses += 1;
        self.counts.look_failures = 0;
        self.phase = Phase::Reconnecting;
    }

    /// A new browser has nothing of the old one: no page, no basket, perhaps no login. What was said about all that would mislead.
    pub(super) fn reconnected(&mut self, page: &PageNote) {
        self.counts.troubles_in_a_row = 0;
        self.counts.look_failures = 0;
        self.counts.quiet = 0;
        self.counts.silent = 0;
        self.counts.same_again = 0;
        self.counts.since_approval = None;
        self.spent.reconnects += 1;
        self.talk = Talk::default();
        self.work.told_from = self.work.steps.len();
        self.work.lost_commits = self.work.commits.len();
        self.work.ways = Default::default();
        (self.work.prepared, self.work.caught) = (None, None);
        self.work.logins.browser_lost();
        self.work.readied.clear();
        self.phase = Phase::Thinking;
        self.talk.notices.push(
            "the browser was lost and a new one took its place, with nothing of what was done before: begin the plan again".to_owned(),
        );
        if self.thrift != Thrift::None {
            self.talk.notices.push("there may not be enough memory, so pages run no scripts now".to_owned());
        }
        // Tells of a login that is gone, where the page shows it.
        self.show(page);
    }

    /// What was approved and sent in a browser or on a page that is gone, or may have been; nothing where there is nothing to tell. It is
    /// told at every turn: nobody remembers it otherwise.
    pub(crate) fn sent_before(&self) -> Option<String> {
        let lost = self.work.commits.get(..self.work.lost_commits).filter(|lost| !lost.is_empty())?;
        let commits = lost.iter().map(|sent| format!("{} {}", sent.method, sent.address));
        Some(commits.collect::<Vec<_>>().join(", "))
    }

    /// Whether a browser was lost there before while it painted.
    pub(crate) fn was_lost_painting(&self, url: &str) -> bool {
        self.work.painted_last.iter().any(|painted| painted == place(url))
    }

    /// Whether a page crashed there before, at this very address: another thing in the same place has its own chance.
    pub(crate) fn has_crashed_at(&self, url: &str) -> bool {
        self.work.crashed.iter().any(|crashed| crashed == url)
    }
}

/// An address without what is asked of it: what a place needs to be painted is much the same whatever is asked there.
fn place(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}
