//! How an errand goes on by one event.

use legwork_types::model::TurnEnd;

use super::{Errand, Exchange, ExchangeKind, LookFor, Phase};
use crate::{
    call::Call,
    decide::MOST_QUIET,
    event::{Event, Ignored, PageNote, Purpose, Question},
    loops::Ways,
};

/// The longest answer to a call that is repeated at the next turns, in bytes.
const LONGEST_REPEATED: usize = 500;

impl Errand {
    /// Goes on by one event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            // That there was a permit is for whoever reads the log.
            Event::Started { .. } | Event::Permitted { .. } => {}
            Event::Reserved { purpose, reserve } => self.reserved = Some((*purpose, *reserve)),
            Event::Answered { purpose, heard } => {
                self.reserved = None;
                self.lacks(heard);
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
                    self.counts.losses = 0;
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
            Event::ModelChanged { handover, why } => {
                self.handover = Some((handover.clone(), why.clone()));
                // What was told since the page was shown is told to the other one as well; what was cut short is not.
                self.talk.said = None;
                self.talk.of_first = self.talk.tail.len();
                (self.counts.cut_short, self.counts.silent) = (0, 0);
            }
            Event::Planned { plan } => {
                self.plan = Some(plan.clone());
                self.phase = Phase::Looking(LookFor::First);
            }
            Event::PlanRefused { .. } => self.counts.plans_refused += 1,
            Event::Looked { page } => self.looked(page),
            Event::LookFailed { trouble } => {
                self.work.last_trouble = Some((trouble.code.clone(), trouble.words.clone()));
                let is_unopened = matches!(self.phase, Phase::Looking(LookFor::First) | Phase::Reconnecting);
                self.counts.look_failures += u32::from(trouble.kind.is_failure() || is_unopened);
                self.page_gone(trouble);
                if !trouble.kind.is_failure() {
                    return;
                }
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
            Event::Prepares { rule, act } => self.prepares(*rule, act),
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
                    Question::Checkpoint { .. } | Question::TakeOver { .. } => {
                        return self.asked_about_service(question);
                    }
                    Question::Approve { .. } | Question::Tell { .. } => Phase::Thinking,
                };
                self.phase = Phase::AskingPerson { question: question.clone(), then: Box::new(then) };
            }
            Event::PersonSaid { answer } => self.person_said(answer),
            Event::Besides { happened, again, commits } => {
                happened.iter().for_each(|line| self.work.receipts.note(line));
                self.committed(commits);
                self.talk.again |= *again;
                // What came to light after the end is evidence as well.
                if let Some(outcome) = &mut self.outcome {
                    outcome.evidence.extend(happened.iter().cloned());
                }
            }
            Event::Ruled { ruling } => {
                // What is to be done again after a yes is no circle.
                self.work.ways = Ways::default();
                self.ruled(*ruling);
            }
            Event::PageLost { url } => self.page_lost(url),
            Event::Disconnected { painting, thrift, .. } => {
                self.browser_lost(painting.as_deref(), *thrift);
            }
            Event::Reconnected { page, .. } => self.reconnected(page),
            Event::Resumed { commits, .. } => self.taken_up(commits),
            Event::Warned { words } => self.talk.notices.push(words.clone()),
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

    pub(super) fn looked(&mut self, page: &PageNote) {
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
    pub(super) fn show(&mut self, page: &PageNote) {
        if self.work.logins.seen(page) {
            self.talk.notices.push(
                "this site is as it was, but nobody is logged in there any more, because the browser was lost: log in again, or ask_user"
                    .to_owned(),
            );
        }
        self.talk.page = Some(page.clone());
        self.talk.tail.clear();
        self.talk.of_first = 0;
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
        self.work.ways.note(call, self.talk.page.as_ref());
        if !ignored.is_empty() {
            let names = ignored.iter().map(|one| one.tool.as_str()).collect::<Vec<_>>().join(", ");
            self.talk.notices.push(format!("one call at a time: {names} was not done"));
        }
        match call {
            Call::Act(act) => {
                self.talk.again = false;
                self.phase = self.guarded(Phase::Acting(self.next_number(), act.clone()));
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

    pub(super) fn trouble(&mut self) {
        self.counts.troubles += 1;
        self.counts.troubles_in_a_row += 1;
    }
}
