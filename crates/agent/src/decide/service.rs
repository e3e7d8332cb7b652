//! What comes of a service between a look and the model: a page that wants a person, and small things that are done first. And what proves
//! the end.

use legwork_types::contract::{Action, Target};

use crate::{
    call::Act,
    errand::{Errand, Phase},
    event::{Answer, Event, PageNote, Question},
    outcome::{OutcomeKind, Reason},
    proof::{self, Sign},
    service::{Asked, Auth, Shown, Wanted},
    spec::{Mode, Someone},
};

/// How often somebody is asked to take over at one place.
const MOST_TAKEN_OVER: usize = 3;
/// The most small things that are done before the model is asked, in all.
const MOST_READIED: u32 = 20;

impl Errand {
    /// These events, and what a service adds where the model would be asked about a page that was just seen.
    pub(super) fn serves(&self, mut events: Vec<Event>) -> Vec<Event> {
        let is_look = |event: &Event| {
            matches!(event, Event::Looked { .. } | Event::Acted { .. } | Event::Reconnected { .. })
        };
        if self.spec.service.is_none() || !events.iter().any(is_look) {
            return events;
        }
        let mut after = self.clone();
        events.iter().for_each(|event| after.apply(event));
        if after.phase == Phase::Thinking && !after.is_interrupted {
            events.extend(after.before_the_model());
        }
        events
    }

    fn before_the_model(&self) -> Option<Event> {
        let page = self.page()?;
        let signs = page.signs.as_ref().filter(|_| self.spec.mode != Mode::PlanOnly)?;
        if let Some(auth) = signs.auth.as_ref().filter(|auth| self.needs_person(auth, page)) {
            return Some(self.wants_person(auth, page));
        }
        let is_new = |rule: usize| {
            !self.work.readied.iter().any(|(done, place)| *done == rule && place == page.place())
        };
        let ready =
            signs.ready.iter().find(|ready| is_new(ready.rule) && self.counts.readied < MOST_READIED)?;
        let act = Act {
            target: Target::Element { action_id: ready.element },
            action: Action::Click { button: Default::default(), count: 1, modifiers: vec![] },
            why: "the service says that this is done first".to_owned(),
        };
        let is_free = self.checkpoint_before(&act).is_none();
        is_free.then(|| Event::Prepares { rule: ready.rule, act: Box::new(act) })
    }

    /// Whether a person has to see to this. Where nothing is written nobody can log in; where there are secrets for it, the model can.
    /// What is only guessed is asked about once in a place, and where nobody is there the model finds out.
    fn needs_person(&self, auth: &Auth, page: &PageNote) -> bool {
        let can_log_in = matches!(self.spec.mode, Mode::Live | Mode::DryRun);
        let was_asked = || self.work.taken_over.iter().any(|place| place == page.place());
        let is_moot = auth.is_guess && (self.spec.someone == Someone::Absent || was_asked());
        can_log_in && !is_moot && (auth.wants != Wanted::Login || self.spec.secrets.is_empty())
    }

    fn wants_person(&self, auth: &Auth, page: &PageNote) -> Event {
        let asked = self.work.taken_over.iter().filter(|place| *place == page.place()).count();
        let wants = auth.wants;
        match self.spec.someone {
            Someone::Present if asked < MOST_TAKEN_OVER => {
                Event::Asked { question: Question::TakeOver { wants, url: page.url.clone() } }
            }
            Someone::Present => self.not_logged_in(wants, "it still does after a person saw to it"),
            Someone::Absent => self.not_logged_in(wants, "nobody is there to see to it"),
        }
    }

    fn not_logged_in(&self, wants: Wanted, why: &str) -> Event {
        // Where somebody is asked before acts, the browser is somebody else's, with a window and a profile of its own.
        let is_elsewhere = self.spec.service.as_ref().is_some_and(|rules| rules.asked == Asked::BeforeTheAct);
        let advice = match is_elsewhere {
            true => {
                "Run it in a terminal, and see to it in the window of the toolbox's browser, whose profile is kept"
            }
            false => {
                "Run it in a terminal with --headed, and with --profile DIR so that it is kept; or begin with a saved login (legwork \
                 logins)"
            }
        };
        let words = format!("the page wants {}, and {why}. {advice}", wants.words());
        self.ends(OutcomeKind::Stopped, Reason::LoginRequired, &words)
    }

    /// Why an errand ends before an act that somebody would have to be asked about, or the question.
    pub(super) fn stops_before(&self, act: &Act) -> Option<Event> {
        let question = self.checkpoint_before(act)?;
        let Question::Checkpoint { action, why, .. } = &question else { return None };
        Some(match (self.spec.mode, self.spec.someone) {
            (Mode::Live, Someone::Present) => Event::Asked { question },
            (Mode::Live, Someone::Absent) => {
                let words = format!("nobody can be asked, this was not done: {action} ({why})");
                self.ends(OutcomeKind::Stopped, Reason::NobodyAnswered, &words)
            }
            _ => self.dry_before(action),
        })
    }

    fn dry_before(&self, action: &str) -> Event {
        let words = format!("a dry run stops here, this was not done: {action}");
        self.ends(OutcomeKind::Stopped, Reason::DryRun, &words)
    }

    /// The end that an answer leads to; none where the errand goes on.
    pub(super) fn heard_about_service(&self, question: &Question, answer: &Answer) -> Option<Event> {
        match (question, answer) {
            (Question::Checkpoint { action, .. }, Answer::Yes) if self.spec.mode != Mode::Live => {
                Some(self.dry_before(action))
            }
            (_, Answer::Yes) => None,
            (Question::TakeOver { wants, .. }, Answer::Nothing) => {
                Some(self.not_logged_in(*wants, "nobody saw to it"))
            }
            (Question::TakeOver { wants, .. }, _) => {
                let words = format!("the page wants {}, and somebody said no to that", wants.words());
                Some(self.ends(OutcomeKind::Denied, Reason::HumanRejected, &words))
            }
            (Question::Checkpoint { action, .. }, Answer::Nothing) => {
                let words = format!("nobody answered, this was not done: {action}");
                Some(self.ends(OutcomeKind::Stopped, Reason::NobodyAnswered, &words))
            }
            (Question::Checkpoint { action, .. }, _) => {
                let words = format!("somebody said no, this was not done: {action}");
                Some(self.ends(OutcomeKind::Denied, Reason::HumanRejected, &words))
            }
            (Question::Approve { .. } | Question::Tell { .. } | Question::Extend { .. }, _) => None,
        }
    }

    /// What the page shows of the end, by what the user said and by what the service says. Failure comes first, whoever knows of it.
    pub(super) fn sign(&self, page: &PageNote) -> Sign {
        let given = proof::sign(&self.spec.proof, page);
        if self.spec.service.is_none() {
            return given;
        }
        let shown = page.signs.as_ref().map_or(Shown::Unknown, |signs| signs.shown.clone());
        match (given, shown) {
            (Sign::Failure(sign), _) | (_, Shown::Failure(sign)) => Sign::Failure(sign),
            (Sign::Unreadable, _) | (_, Shown::Unknown) => Sign::Unreadable,
            (Sign::Missing, _) => Sign::Missing,
            (Sign::Success(sign), _) | (Sign::NothingToLookFor, Shown::Success(sign)) => Sign::Success(sign),
            (Sign::NothingToLookFor, Shown::Nothing) => Sign::Missing,
        }
    }
}
