//! What is left of an errand when its page or its browser is gone: the goal, the plan, what was spent, and what may have been sent.

use legwork_types::contract::Action;

use super::{Errand, LookFor, Phase, Talk};
use crate::{
    call::Act,
    event::{PageNote, Thrift},
    trouble::{Trouble, TroubleKind},
};

impl Errand {
    /// The page is loaded again.
    pub(super) fn page_lost(&mut self, url: &str) {
        self.work.lost_commits = self.work.commits.len();
        self.talk
            .notices
            .push("the page crashed, and was loaded again: what was typed into it is gone".to_owned());
        self.phase = Phase::Looking(LookFor::Again(url.to_owned()));
    }

    /// The page may be gone. Of one that was closed nobody sees any more what became of what was sent from it; what crashed has had its chance.
    pub(super) fn page_gone(&mut self, trouble: &Trouble) {
        match trouble.kind {
            TroubleKind::PageClosed => self.work.lost_commits = self.work.commits.len(),
            TroubleKind::PageCrash | TroubleKind::PageGaveUp => {
                let blamed: Vec<String> = self.blamed(trouble).into_iter().map(str::to_owned).collect();
                self.work.crashed.extend(blamed);
            }
            _ => {}
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
            "the browser was lost and a new one took its place: begin the plan again. Look first at what is there already: the site may \
             have kept what was put into a basket or a form, and it must not be there twice"
                .to_owned(),
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

    /// Whether what is to blame for a crash has crashed before, at this very address: another thing in the same place has its own chance.
    pub(crate) fn has_crashed_before(&self, trouble: &Trouble) -> bool {
        self.blamed(trouble).into_iter().any(|url| self.work.crashed.iter().any(|crashed| crashed == url))
    }

    /// The addresses that are to blame where a page or its browser is gone: where it was by then, if it had left the page that was seen, and
    /// what was asked for. A page that something was only done on is not to blame for where that led.
    pub(crate) fn blamed<'a>(&'a self, trouble: &'a Trouble) -> Vec<&'a str> {
        let seen = self.page().map(|page| page.url.as_str());
        let left_for = trouble.url.as_deref().filter(|url| Some(*url) != seen);
        let blamed: Vec<&str> = left_for.into_iter().chain(self.asked_for()).collect();
        if blamed.is_empty() { seen.into_iter().collect() } else { blamed }
    }

    /// The address that is being opened; none where something else is done.
    fn asked_for(&self) -> Option<&str> {
        match &self.phase {
            Phase::Looking(LookFor::Again(url)) => Some(url),
            Phase::Looking(LookFor::First) | Phase::Reconnecting => self.starting_url(),
            Phase::Acting(_, Act { action: Action::Navigate { url }, .. }) => Some(url),
            _ => None,
        }
    }

    /// Where the page is, or was to be.
    pub(crate) fn address_under_way(&self) -> Option<&str> {
        self.asked_for().or_else(|| self.page().map(|page| page.url.as_str()))
    }
}

/// An address without what is asked of it: what a place needs to be painted is much the same whatever is asked there.
fn place(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}
