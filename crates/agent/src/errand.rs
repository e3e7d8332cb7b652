//! The state of an errand: what follows from its events, and nothing else.

use legwork_types::{contract::ActionId, model::TurnEnd};
use serde::Serialize;

use crate::{
    budget::{Reserve, Spent},
    call::{Act, Call, Claim},
    decide::MOST_QUIET,
    event::{
        ActNote, Answer, Caught, Entry, Event, Fate, Ignored, PageNote, Plan, Purpose, Question, Ruling,
    },
    outcome::Outcome,
    receipts::Receipts,
    spec::{Limits, Spec},
};

/// An errand under way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Errand {
    pub(crate) spec: Spec,
    pub(crate) limits: Limits,
    pub(crate) spent: Spent,
    pub(crate) reserved: Option<(Purpose, Reserve)>,
    pub(crate) plan: Option<Plan>,
    pub(crate) phase: Phase,
    pub(crate) talk: Talk,
    pub(crate) work: Work,
    pub(crate) counts: Counts,
    pub(crate) is_interrupted: bool,
    pub(crate) outcome: Option<Outcome>,
}

/// The longest answer to a call that is repeated at the next turns, in bytes.
const LONGEST_REPEATED: usize = 500;

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum Phase {
    Planning,
    Looking(LookFor),
    Thinking,
    Acting(u32, Act),
    Reading { within: Option<ActionId> },
    AwaitingRuling { approval: String },
    AskingPerson { question: Question, then: Box<Phase> },
    Judging,
    Ended,
}

/// Why the page is looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) enum LookFor {
    /// It is opened.
    First,
    /// The last look is out of date.
    Fresh,
    /// Nothing has changed so far.
    Change,
    /// The model wants to see this part.
    Part(crate::call::Look),
    /// The model says that it is done.
    Proof,
}

/// What the model sees and has heard since it last saw the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Talk {
    pub(crate) page: Option<PageNote>,
    /// What the model was last shown: state and picture.
    pub(crate) shown: Option<(u64, Option<u64>)>,
    /// What the model said last, until it is told what came of it.
    pub(crate) said: Option<String>,
    /// What it said and was told since it was shown the page.
    pub(crate) tail: Vec<Exchange>,
    /// What it has to know besides, told once.
    pub(crate) notices: Vec<String>,
    /// Whether the last act has to be done again: somebody said yes to what it led to.
    pub(crate) again: bool,
    /// Places that were seen before.
    pub(crate) visited: Vec<String>,
}

impl Talk {
    /// Whether the model was last shown a page like this one. Where one of the two has no picture, words have to do.
    fn has_shown(&self, page: &PageNote) -> bool {
        self.shown.is_some_and(|(digest, pixels)| {
            digest == page.digest && (pixels == page.pixels || pixels.is_none() || page.pixels.is_none())
        })
    }
}

/// What the model said, and was told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Exchange {
    pub(crate) said: String,
    /// The call that is answered; none where nothing was called.
    pub(crate) call: Option<String>,
    pub(crate) told: String,
    pub(crate) is_error: bool,
    /// Further calls, which are answered by this.
    pub(crate) ignored: Vec<Ignored>,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Work {
    pub(crate) steps: Vec<Step>,
    /// What really left the browser, and who said yes to it.
    pub(crate) receipts: Receipts,
    pub(crate) claim: Option<Claim>,
    /// What the model says that it has prepared.
    pub(crate) prepared: Option<(String, Option<String>)>,
    /// The last thing that was caught on the wire.
    pub(crate) caught: Option<Caught>,
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Step {
    pub(crate) number: u32,
    /// What, on what.
    pub(crate) deed: String,
    pub(crate) why: String,
    pub(crate) came_of_it: String,
    pub(crate) is_ok: bool,
}

/// How often something happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) plans_refused: u32,
    pub(crate) silent: u32,
    pub(crate) quiet: u32,
    pub(crate) rejected: u32,
    /// Answers of a judge to what is claimed now.
    pub(crate) judged: u32,
    /// Answers in a row that would have been longer than was allowed.
    pub(crate) cut_short: u32,
    pub(crate) troubles: u32,
    pub(crate) troubles_in_a_row: u32,
    pub(crate) look_failures: u32,
    pub(crate) same_again: u32,
    pub(crate) since_approval: Option<u32>,
}

impl Errand {
    /// An errand that has just begun, and the first line of its log.
    pub fn begin(spec: Spec) -> (Self, Entry) {
        let started = Entry { at: 0, event: Event::Started { spec: Box::new(spec.clone()) } };
        (Self::fresh(spec), started)
    }

    fn fresh(spec: Spec) -> Self {
        Self {
            limits: spec.limits,
            spec,
            spent: Spent::default(),
            reserved: None,
            plan: None,
            phase: Phase::Planning,
            talk: Talk::default(),
            work: Work::default(),
            counts: Counts::default(),
            is_interrupted: false,
            outcome: None,
        }
    }

    /// The state that a log leads to. None if it does not begin with a beginning.
    pub fn replay<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Option<Self> {
        let mut entries = entries.into_iter();
        let Event::Started { spec } = &entries.next()?.event else { return None };
        let mut errand = Self::fresh((**spec).clone());
        for entry in entries {
            errand.apply(&entry.event);
        }
        Some(errand)
    }

    /// What it is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What it has taken so far.
    pub fn spent(&self) -> &Spent {
        &self.spent
    }

    /// The page that was seen last.
    pub fn page(&self) -> Option<&PageNote> {
        self.talk.page.as_ref()
    }

    /// What really left the browser so far, and who said yes to it.
    pub fn receipts(&self) -> &[String] {
        self.work.receipts.lines()
    }

    /// How it ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// What it says that it has prepared: shown to whoever is asked, as the model's words.
    pub fn prepared(&self) -> Option<&(String, Option<String>)> {
        self.work.prepared.as_ref()
    }

    /// Goes on by one event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            // That there was a permit is for whoever reads the log.
            Event::Started { .. } | Event::Permitted { .. } => {}
            Event::Reserved { purpose, reserve } => self.reserved = Some((*purpose, *reserve)),
            Event::Answered { purpose, heard } => {
                self.reserved = None;
                self.spent.calls += 1;
                self.spent.usage = self.spent.usage.plus(heard.usage);
                self.spent.money = self.spent.money.plus(heard.money);
                self.counts.cut_short = match heard.end {
                    TurnEnd::CutShort => self.counts.cut_short + 1,
                    TurnEnd::Complete | TurnEnd::Declined => 0,
                };
                if *purpose == Purpose::Judge {
                    self.counts.judged += 1;
                }
                if *purpose == Purpose::Turn {
                    self.spent.turns += 1;
                    self.counts.since_approval = self.counts.since_approval.map(|turns| turns + 1);
                    self.talk.said = Some(heard.said.clone());
                    // Whose answer was cut short is told the same again.
                    if heard.end != TurnEnd::CutShort {
                        self.talk.notices.clear();
                    }
                    self.was_shown();
                }
            }
            Event::AskFailed { usage, money, .. } => {
                self.reserved = None;
                self.spent.calls += 1;
                self.spent.usage = self.spent.usage.plus(*usage);
                self.spent.money = self.spent.money.plus(*money);
            }
            Event::Planned { plan } => {
                self.plan = Some(plan.clone());
                self.phase = Phase::Looking(LookFor::First);
            }
            Event::PlanRefused { .. } => self.counts.plans_refused += 1,
            Event::Looked { page } => self.looked(page),
            Event::LookFailed { trouble } => {
                self.counts.look_failures += 1;
                self.counts.troubles += 1;
                self.talk.notices.push(format!("the page could not be looked at: {}", trouble.for_model()));
                // The part that was wanted may not be there: then the whole page is shown again.
                if matches!(self.phase, Phase::Looking(LookFor::Part(_)) | Phase::Reading { .. }) {
                    self.phase = Phase::Looking(LookFor::Fresh);
                }
            }
            Event::Called { call, id, ignored } => self.called(call, id, ignored),
            Event::Misused { tool, id, why, ignored } => {
                self.trouble();
                self.counts.silent = 0;
                self.exchange(Some(id), format!("{tool}: {why}"), ExchangeKind::Error, ignored);
            }
            Event::Silent => {
                self.counts.silent += 1;
                self.exchange(None, crate::prompt::NUDGE.to_owned(), ExchangeKind::Error, &[]);
            }
            Event::Acted { number, done } => self.acted(*number, done),
            Event::Told { words } => {
                // What was read before is not repeated at every turn.
                for earlier in self.talk.tail.iter_mut().filter(|one| one.told.len() > LONGEST_REPEATED) {
                    earlier.told = "(told before, and not repeated)".to_owned();
                }
                if let Some(last) = self.talk.tail.last_mut() {
                    last.told.clone_from(words);
                }
                self.phase = Phase::Thinking;
            }
            Event::Asked { question } => {
                let then = match question {
                    Question::Extend { .. } => self.phase.clone(),
                    Question::Approve { .. } | Question::Tell { .. } => Phase::Thinking,
                };
                self.phase = Phase::AskingPerson { question: question.clone(), then: Box::new(then) };
            }
            Event::PersonSaid { answer } => self.person_said(answer),
            Event::Besides { happened, again } => {
                happened.iter().for_each(|line| self.work.receipts.note(line));
                self.talk.again |= *again;
                // What came to light after the end is evidence as well.
                if let Some(outcome) = &mut self.outcome {
                    outcome.evidence.extend(happened.iter().cloned());
                }
            }
            Event::Ruled { ruling } => self.ruled(*ruling),
            Event::Extended { limits } => {
                self.limits = *limits;
                if let Phase::AskingPerson { then, .. } = &self.phase {
                    self.phase = (**then).clone();
                }
            }
            Event::Rejected { why } => {
                self.counts.rejected += 1;
                // A judge has read the page, and may repeat what it says.
                let why = crate::words::fenced(&format!("because: {why}\n"), self.talk.page.as_ref());
                self.talk.notices.push(format!("the errand is not taken for done\n{}", why.trim_end()));
                self.phase = Phase::Thinking;
            }
            Event::Interrupted => self.is_interrupted = true,
            Event::Ended { outcome } => {
                self.outcome = Some((**outcome).clone());
                self.phase = Phase::Ended;
            }
        }
    }

    fn looked(&mut self, page: &PageNote) {
        self.counts.look_failures = 0;
        let was = std::mem::replace(&mut self.phase, Phase::Thinking);
        let is_same = self.talk.has_shown(page);
        match was {
            Phase::Looking(LookFor::Proof) => self.phase = Phase::Judging,
            Phase::Looking(LookFor::Change) if is_same && self.counts.quiet + 1 < MOST_QUIET => {
                self.counts.quiet += 1;
                self.phase = Phase::Looking(LookFor::Change);
            }
            _ => {}
        }
        self.show(page);
    }

    /// Puts a page before the model: what was said about the one before it is history.
    fn show(&mut self, page: &PageNote) {
        self.talk.page = Some(page.clone());
        self.talk.tail.clear();
        self.talk.said = None;
    }

    /// The model has seen the page as it is.
    fn was_shown(&mut self) {
        let Some(page) = &self.talk.page else { return };
        self.talk.shown = Some((page.digest, page.pixels));
        let place = page.place().to_owned();
        if !self.talk.visited.contains(&place) {
            self.talk.visited.push(place);
        }
    }

    fn called(&mut self, call: &Call, id: &String, ignored: &[Ignored]) {
        self.counts.silent = 0;
        if !ignored.is_empty() {
            let names = ignored.iter().map(|one| one.tool.as_str()).collect::<Vec<_>>().join(", ");
            self.talk.notices.push(format!("one call at a time: {names} was not done"));
        }
        match call {
            Call::Act(act) => {
                self.talk.again = false;
                let number = u32::try_from(self.work.steps.len()).unwrap_or(u32::MAX).saturating_add(1);
                self.phase = Phase::Acting(number, act.clone());
            }
            Call::Observe(look) => self.phase = Phase::Looking(LookFor::Part(look.clone())),
            Call::Read { within } => {
                self.exchange(Some(id), String::new(), ExchangeKind::Result, ignored);
                self.phase = Phase::Reading { within: *within };
            }
            Call::CompleteTask(claim) => {
                self.work.claim = Some(claim.clone());
                self.counts.judged = 0;
                self.phase = Phase::Looking(LookFor::Proof);
            }
            Call::SubmitForApproval { summary, amount } => {
                self.work.prepared = Some((summary.clone(), amount.clone()));
                self.exchange(Some(id), String::new(), ExchangeKind::Result, ignored);
            }
            Call::RequestHumanApproval { .. } | Call::AskUser { .. } => {
                self.exchange(Some(id), String::new(), ExchangeKind::Result, ignored);
            }
        }
    }

    /// What the model said last, and what it is told of it.
    fn exchange(&mut self, call: Option<&String>, told: String, kind: ExchangeKind, ignored: &[Ignored]) {
        let Some(said) = self.talk.said.take() else { return };
        self.talk.tail.push(Exchange {
            said,
            call: call.cloned(),
            told,
            is_error: kind == ExchangeKind::Error,
            ignored: ignored.to_vec(),
        });
    }

    fn acted(&mut self, number: u32, done: &ActNote) {
        let Phase::Acting(_, act) = std::mem::replace(&mut self.phase, Phase::Thinking) else { return };
        self.counts.same_again = self.same_again(&act, done);
        let deed = crate::words::deed(&act, self.talk.page.as_ref());
        match &done.trouble {
            Some(trouble) => {
                self.trouble();
                self.talk.notices.push(trouble.for_model());
            }
            None => self.counts.troubles_in_a_row = 0,
        }
        done.sent.iter().for_each(|sent| self.work.receipts.note(&format!("step {number}: {sent}")));
        self.work.steps.push(Step {
            number,
            deed,
            why: act.why.clone(),
            came_of_it: done.brief.clone(),
            is_ok: done.trouble.is_none(),
        });
        self.work.caught.clone_from(&done.caught);
        match &done.page {
            Some(page) => {
                let is_same = self.talk.has_shown(page);
                // A failure is news by itself.
                let is_quiet = is_same && done.trouble.is_none() && done.dispatched;
                self.show(page);
                self.counts.quiet = 0;
                if is_quiet {
                    self.phase = Phase::Looking(LookFor::Change);
                }
            }
            None => self.phase = Phase::Looking(LookFor::Fresh),
        }
        if let Some(Caught { fate: Fate::Held(approval) | Fate::ToBeRepeated(approval), .. }) = &done.caught {
            self.phase = Phase::AwaitingRuling { approval: approval.clone() };
        }
    }

    /// How often the same was done in vain, with this time.
    pub(crate) fn same_again(&self, act: &Act, done: &ActNote) -> u32 {
        let deed = crate::words::deed(act, self.talk.page.as_ref());
        let is_repeated = self.work.steps.last().is_some_and(|last| last.deed == deed);
        match is_repeated && (done.trouble.is_some() || done.nothing) {
            true => self.counts.same_again + 1,
            false => 0,
        }
    }

    fn ruled(&mut self, ruling: Ruling) {
        if !matches!(self.phase, Phase::AwaitingRuling { .. }) {
            return;
        }
        self.phase = Phase::Looking(LookFor::Fresh);
        let prepared = self.work.prepared.take();
        let (request, settles) = match &self.work.caught {
            Some(caught) => (caught.request.clone(), caught.settles),
            None => (String::new(), false),
        };
        let came_of_it = match ruling {
            Ruling::LetGo => "a person said yes, and it was let go",
            Ruling::ToBeRepeated => "a person said yes; it leaves when it is done again",
            Ruling::NotSent => "a person said yes, and it could not leave any more",
            Ruling::Unknown => "a person said yes, and whether it left is not known",
            Ruling::Denied | Ruling::Expired | Ruling::Withdrawn => return,
        };
        // Nothing of it was the model's failure.
        self.counts.troubles = self.counts.troubles.saturating_sub(1);
        self.counts.troubles_in_a_row = 0;
        self.counts.same_again = 0;
        self.talk.notices.clear();
        if let Some(step) = self.work.steps.last_mut() {
            step.is_ok = matches!(ruling, Ruling::LetGo);
            step.came_of_it = came_of_it.to_owned();
        }
        self.work.receipts.note(&format!("{came_of_it}: {request}"));
        self.talk.notices.push(match ruling {
            Ruling::LetGo => {
                "a person said yes to this and it was sent; look whether it was taken".to_owned()
            }
            Ruling::ToBeRepeated => {
                "a person said yes to this; do the same again now, it will be sent".to_owned()
            }
            _ => format!("{came_of_it}; do not do it again: find out whether it was taken"),
        });
        // What the model announced as the last step is under way: what is left is to see it through.
        if prepared.is_some() && settles {
            self.counts.since_approval = Some(0);
        }
        if ruling == Ruling::LetGo {
            // The page as it was while it was asked about is nothing new: what comes of it is waited for.
            self.talk.shown = self.talk.page.as_ref().map(|page| (page.digest, page.pixels));
            self.counts.quiet = 0;
            self.phase = Phase::Looking(LookFor::Change);
        }
    }

    fn person_said(&mut self, answer: &Answer) {
        let Phase::AskingPerson { question, then } = self.phase.clone() else { return };
        let told = match (&question, answer) {
            (Question::Approve { .. }, Answer::Yes) => {
                "yes, you may go on. What can't be undone is still asked about when it is sent.".to_owned()
            }
            (Question::Approve { .. }, _) => "no".to_owned(),
            (Question::Tell { .. }, Answer::Words(words)) => format!("the user says: {words}"),
            (Question::Tell { .. }, Answer::Yes) => "the user says: yes".to_owned(),
            (Question::Tell { .. }, Answer::No) => "the user says: no".to_owned(),
            (Question::Tell { .. }, Answer::Nothing) => "nobody answered".to_owned(),
            (Question::Extend { .. }, _) => return,
        };
        if let Some(last) = self.talk.tail.last_mut() {
            last.told = told;
        }
        self.phase = *then;
    }

    fn trouble(&mut self) {
        self.counts.troubles += 1;
        self.counts.troubles_in_a_row += 1;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExchangeKind {
    Result,
    Error,
}
