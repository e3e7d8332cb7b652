//! What an errand makes of what its model answers: a plan, the next thing to do, or nothing.

use legwork_types::{Code, model::TurnEnd};

use super::{CALLED_OFF, HeardCall, limit_words};
use crate::{
    budget::{Reserve, fits},
    call::{Call, Claim, ClaimStatus},
    drive::AskFailure,
    errand::Errand,
    event::{Event, Heard, Ignored, Purpose, Question},
    loops::Circle,
    mind::Handover,
    outcome::{Declarer, OutcomeKind, Reason},
    proof,
    spec::{Mode, Someone},
};

/// How often a model may call nothing in a row.
const MOST_SILENT: u32 = 3;
/// How often in a row a model is asked again, with more room, because its answer was cut short.
const MOST_CUT_SHORT: u32 = 1;
/// How often a model may try to make a plan.
const MOST_PLANS: u32 = 3;
/// The longest explanation of what is wrong with a call, in characters.
const LONGEST_WHY: usize = 400;

impl Errand {
    /// The end of an errand whose vendor does not want to answer.
    pub(super) fn declined(&self, heard: &Heard) -> Event {
        let said: String = heard.text.chars().take(LONGEST_WHY).collect();
        let words = format!("the model's vendor declined to answer: {said}");
        self.ends_at_limit(Reason::LlmError, &words)
    }

    pub(super) fn estimated(&self, at: u64, reserve: Reserve) -> Vec<Event> {
        let Some(purpose) = self.purpose() else { return vec![] };
        let after = self.counts.since_approval;
        if purpose == Purpose::Turn && after.is_some_and(|turns| turns >= self.limits.turns_after_approval) {
            let words = "what was left to do after the approval took too many turns";
            return vec![self.ends_at_limit(Reason::MaxTurnsExceeded, words)];
        }
        match fits(&self.limits, &self.spent, purpose, &reserve, at) {
            Ok(()) => vec![Event::Reserved { purpose, reserve }],
            Err(out_of) if self.spec.someone == Someone::Present => {
                vec![Event::Asked { question: Question::Extend { out_of } }]
            }
            // The last call of all would have told whether it is done.
            Err(out_of) if purpose == Purpose::Judge => {
                let words = "there is nothing left to have it judged";
                vec![self.claimed(OutcomeKind::Unverified, out_of, words, None)]
            }
            Err(out_of) => vec![self.ends_at_limit(out_of, limit_words(out_of))],
        }
    }

    pub(super) fn heard_plan(&self, heard: Heard, calls: &[HeardCall]) -> Vec<Event> {
        let plan = proof::read_plan(calls);
        let declined = (heard.end == TurnEnd::Declined).then(|| self.declined(&heard));
        let answered = Event::Answered { purpose: Purpose::Plan, heard };
        match plan {
            Err(_) if declined.is_some() => [Some(answered), declined].into_iter().flatten().collect(),
            Ok(plan) => vec![answered, Event::Planned { plan }],
            Err(_) if self.counts.plans_refused + 1 >= MOST_PLANS => {
                vec![answered, Event::Planned { plan: proof::simplest_plan(&self.spec.goal) }]
            }
            Err(why) => vec![answered, Event::PlanRefused { why }],
        }
    }

    pub(super) fn heard_turn(&self, heard: Heard, mut calls: Vec<HeardCall>) -> Vec<Event> {
        let end = heard.end;
        let declined = (end == TurnEnd::Declined).then(|| self.declined(&heard));
        let mut events = vec![Event::Answered { purpose: Purpose::Turn, heard }];
        if calls.is_empty() {
            if let Some(declined) = declined {
                events.push(declined);
                return events;
            }
            // It would have called something: it is asked again, with more room.
            if end == TurnEnd::CutShort && self.counts.cut_short < MOST_CUT_SHORT {
                return events;
            }
            events.push(Event::Silent);
            if self.counts.silent + 1 >= MOST_SILENT {
                let words = "the model called nothing, three times in a row";
                events.push(self.ends(OutcomeKind::Stopped, Reason::LlmNoAction, words));
            }
            return events;
        }
        let ignored = calls
            .split_off(1)
            .into_iter()
            .map(|HeardCall { id, tool, .. }| Ignored { id, tool: short(&tool) });
        let ignored: Vec<Ignored> = ignored.collect();
        let Some(HeardCall { id, tool, input }) = calls.pop() else { return events };
        match self.offered(&tool).and_then(|()| Call::read(&tool, &input)).and_then(|call| self.allowed(call))
        {
            Ok(call) => events.extend(self.follows(call, id, ignored)),
            Err(why) => {
                let why = why.chars().take(LONGEST_WHY).collect();
                events.push(Event::Misused { tool: short(&tool), id, why, ignored });
                events.extend(self.too_much_trouble().then(|| self.stuck("too much went wrong")));
            }
        }
        events
    }

    /// Whether this is among what the model may call now. What nobody knows is told when it is read.
    pub(super) fn offered(&self, tool: &str) -> Result<(), String> {
        match crate::prompt::may_call(self, tool) {
            true => Ok(()),
            false => Err("this can't be called any more: what is left is to see it through and to end with complete_task".to_owned()),
        }
    }

    /// A call that the errand allows.
    pub(super) fn allowed(&self, call: Call) -> Result<Call, String> {
        match &call {
            Call::CompleteTask(Claim { status: ClaimStatus::Success, answer: None, .. })
                if self.spec.answer_schema.is_some() =>
            {
                Err("this errand wants an answer: give it in `answer`".to_owned())
            }
            Call::CompleteTask(Claim { answer: Some(answer), .. }) => match &self.spec.answer_schema {
                Some(schema) => proof::fits_schema(answer, schema).map(|()| call),
                None => Ok(call),
            },
            _ => Ok(call),
        }
    }

    pub(super) fn follows(&self, call: Call, id: String, ignored: Vec<Ignored>) -> Vec<Event> {
        let is_someone = self.spec.someone == Someone::Present;
        let next = match &call {
            Call::Act(act) if self.spec.mode == Mode::PlanOnly => {
                let deed = crate::words::deed(act, self.talk.page.as_ref());
                let words = format!("this is where the plan stops; the first step would be: {deed}");
                Some(self.ends(OutcomeKind::Stopped, Reason::PlanOnly, &words))
            }
            Call::Act(act) if self.checkpoint_before(act).is_some() => self.stops_before(act),
            Call::CompleteTask(claim) if claim.status == ClaimStatus::Failed => Some(self.failed(claim)),
            Call::RequestHumanApproval { action, reason } if is_someone => Some(Event::Asked {
                question: Question::Approve { action: action.clone(), reason: reason.clone() },
            }),
            Call::AskUser { question } if is_someone => {
                Some(Event::Asked { question: Question::Tell { question: question.clone() } })
            }
            Call::RequestHumanApproval { .. } | Call::AskUser { .. } => Some(Event::Told {
                words: "nobody is there to ask; decide by what you know, or end with complete_task"
                    .to_owned(),
            }),
            Call::SubmitForApproval { .. } => Some(Event::Told {
                words: "noted. Now do the last step itself: whoever has to say yes is asked by what is \
                        really sent, with your summary beside it"
                    .to_owned(),
            }),
            Call::Act(_) | Call::Observe(_) | Call::Read { .. } | Call::CompleteTask(_) => None,
        };
        let circle = match next {
            None => self.work.ways.after(&call, self.page()),
            Some(_) => Circle::None,
        };
        let mut events = vec![Event::Called { call: Box::new(call), id, ignored }];
        events.extend(next);
        match circle {
            Circle::None => {}
            Circle::Warn(words) => events.push(Event::Warned { words: words.to_owned() }),
            Circle::Stop(words) => events.push(self.stuck(words)),
        }
        events
    }

    pub(super) fn failed(&self, claim: &Claim) -> Event {
        // What may have been taken has not failed: whoever reads that would do it again.
        if self.sent_before().is_some() {
            return self.claimed(OutcomeKind::Unverified, Reason::VerificationFailed, &claim.reason, None);
        }
        let mut outcome = self.outcome_of(OutcomeKind::Failed, Reason::Completed, &claim.reason);
        outcome.failure_declared_by = Some(Declarer::Agent);
        outcome.answer.clone_from(&claim.answer);
        Event::Ended { outcome: Box::new(outcome) }
    }

    /// Whether an answer that was too long to be read is asked for once more. It may have been paid for, so that this is once in a row.
    fn may_be_nudged(&self, purpose: Purpose) -> bool {
        match purpose {
            Purpose::Plan => self.counts.plans_refused == 0,
            Purpose::Turn | Purpose::Judge => self.counts.silent == 0,
        }
    }

    pub(super) fn ask_failed(&self, failure: AskFailure) -> Vec<Event> {
        let Some(purpose) = self.purpose() else { return vec![] };
        let AskFailure { trouble, usage, money, another, is_too_long } = failure;
        let reason = match () {
            () if trouble.code == Code::Cancelled.as_str() => Reason::Interrupted,
            () if trouble.code == Code::Timeout.as_str() => Reason::TimeExceeded,
            () => Reason::LlmError,
        };
        let words = match (reason, &self.handover) {
            (Reason::Interrupted, _) => CALLED_OFF.to_owned(),
            (Reason::LlmError, Some((Handover { from, to }, why))) => {
                format!("{to}: {}; before that, {from}: {why}", trouble.words)
            }
            _ => trouble.words.clone(),
        };
        let goes_on = reason == Reason::LlmError && !self.is_interrupted;
        if is_too_long && goes_on && self.may_be_nudged(purpose) {
            let mut events = vec![Event::AskFailed { purpose, trouble, usage, money }];
            events.extend(too_long(purpose));
            return events;
        }
        let may_change = goes_on && self.handover.is_none();
        let then = match (another.filter(|_| may_change), purpose) {
            (Some(handover), _) => Event::ModelChanged { handover, why: words },
            (None, Purpose::Judge) => self.claimed(OutcomeKind::Unverified, reason, &words, None),
            (None, Purpose::Plan | Purpose::Turn) => self.ends(OutcomeKind::Stopped, reason, &words),
        };
        vec![Event::AskFailed { purpose, trouble, usage, money }, then]
    }
}

/// What follows where an answer was too long to be read: it is asked for once more.
fn too_long(purpose: Purpose) -> Vec<Event> {
    let words = crate::prompt::TOO_LONG.to_owned();
    match purpose {
        Purpose::Plan => vec![Event::PlanRefused { why: words }],
        Purpose::Turn => vec![Event::Silent, Event::Warned { words }],
        Purpose::Judge => vec![Event::Silent],
    }
}

/// A name of a tool that a model may have made up.
fn short(tool: &str) -> String {
    tool.chars().take(60).collect()
}
