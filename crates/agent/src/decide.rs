//! What an errand makes of what it hears. Pure: a state and an input give events.

use legwork_types::{
    Code,
    model::{MicroUsd, TurnEnd, Usage},
};

use crate::{
    budget::{Reserve, extended, fits},
    call::{Act, Call, Claim, ClaimStatus},
    drive::Happened,
    errand::{Errand, LookFor, Phase},
    event::{
        ActNote, Answer, Caught, Event, Fate, Heard, Ignored, PageNote, Purpose, Question, Ruling, Trouble,
    },
    outcome::{Declarer, Outcome, OutcomeKind, Reason},
    proof::{self, Sign, Verdict},
    spec::{Mode, Someone},
};

/// How often a model may call nothing in a row.
const MOST_SILENT: u32 = 3;
/// How often what is said to be done is looked at.
const MOST_CLAIMS: u32 = 3;
/// How often a judge is asked about the same.
const MOST_JUDGED: u32 = 3;
/// How often in a row a model is asked again, with more room, because its answer was cut short.
const MOST_CUT_SHORT: u32 = 1;
/// How often a model may try to make a plan.
const MOST_PLANS: u32 = 3;
/// How much may go wrong in a row, and in all.
const MOST_TROUBLES: (u32, u32) = (5, 15);
/// The longest explanation of what is wrong with a call, in characters.
const LONGEST_WHY: usize = 400;
/// How often a page may fail to be looked at in a row.
const MOST_LOOK_FAILURES: u32 = 3;
/// How often the same may be tried in vain.
const MOST_REPEATS: u32 = 3;
/// How often a page is looked at that does not change before the model is asked all the same.
pub(crate) const MOST_QUIET: u32 = 5;

const CALLED_OFF: &str = "somebody called the errand off";

/// What an errand hears.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// What the next call may take.
    Estimated(Reserve),
    /// A model answered.
    Heard(Heard, Vec<HeardCall>),
    /// A model could not be asked.
    AskFailed {
        /// What went wrong.
        trouble: Trouble,
        /// What it took all the same.
        usage: Usage,
        /// What that cost.
        money: MicroUsd,
    },
    /// The page was looked at.
    Looked(Box<PageNote>),
    /// The page could not be looked at.
    LookFailed(Trouble),
    /// The words of the page.
    Words(String),
    /// An act was tried.
    Acted(Box<ActNote>),
    /// Something happened that was not asked for.
    Besides(Happened),
    /// A question on the wire was answered, or will not be.
    Ruled(Ruling),
    /// Somebody answered.
    Said(Answer),
    /// Somebody wants the errand to stop after this step.
    Interrupted,
    /// It is time to stop.
    Stop,
}

/// Something that a model called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardCall {
    /// The vendor's name for it.
    pub id: String,
    /// What it called.
    pub tool: String,
    /// What with: JSON, or what should have been.
    pub input: String,
}

impl Errand {
    /// What follows from an input at this time.
    pub fn decide(&self, at: u64, input: Input) -> Vec<Event> {
        match (&self.phase, input) {
            (Phase::Ended, _) => vec![],
            (_, Input::Interrupted) => vec![Event::Interrupted],
            (_, Input::Besides(Happened { lines, again })) => vec![Event::Besides { happened: lines, again }],
            (_, Input::Stop) => vec![self.called_off()],
            // Whoever calls an errand off does not answer its questions any more.
            (
                Phase::AwaitingRuling { .. },
                Input::Ruled(ruling @ (Ruling::Denied | Ruling::Expired | Ruling::Withdrawn)),
            ) if self.is_interrupted => vec![Event::Ruled { ruling }, self.called_off()],
            (Phase::AskingPerson { .. }, Input::Said(Answer::Nothing)) if self.is_interrupted => {
                vec![Event::PersonSaid { answer: Answer::Nothing }, self.called_off()]
            }
            (Phase::Planning | Phase::Thinking | Phase::Judging, Input::Estimated(reserve)) => {
                self.estimated(at, reserve)
            }
            (Phase::Planning, Input::Heard(heard, calls)) => self.heard_plan(heard, &calls),
            (Phase::Thinking, Input::Heard(heard, calls)) => self.heard_turn(heard, calls),
            (Phase::Judging, Input::Heard(heard, calls)) => self.heard_judge(heard, &calls),
            (_, Input::AskFailed { trouble, usage, money }) => self.ask_failed(trouble, usage, money),
            (Phase::Looking(why), Input::Looked(page)) => self.looked_at(why, page),
            (Phase::Looking(_) | Phase::Reading { .. }, Input::LookFailed(trouble)) => {
                self.look_failed(trouble)
            }
            (Phase::Reading { .. }, Input::Words(words)) => vec![Event::Told { words }],
            (Phase::Acting(number, act), Input::Acted(done)) => self.came_of_act(*number, act, done),
            (Phase::AwaitingRuling { .. }, Input::Ruled(ruling)) => self.came_of_question(ruling),
            (Phase::AskingPerson { question, .. }, Input::Said(answer)) => {
                self.heard_person(question, answer)
            }
            // What nobody waits for changes nothing.
            _ => vec![],
        }
    }

    fn called_off(&self) -> Event {
        let mut words = CALLED_OFF.to_owned();
        if let (Phase::AwaitingRuling { .. }, Some(caught)) = (&self.phase, &self.work.caught) {
            words.push_str(&format!("; this was not sent: {}", caught.request));
        }
        self.ends(OutcomeKind::Stopped, Reason::Interrupted, &words)
    }

    /// The end of an errand whose vendor does not want to answer.
    fn declined(&self, heard: &Heard) -> Event {
        let said: String = heard.text.chars().take(LONGEST_WHY).collect();
        let words = format!("the model's vendor declined to answer: {said}");
        self.ends_at_limit(Reason::LlmError, &words)
    }

    fn purpose(&self) -> Option<Purpose> {
        match self.phase {
            Phase::Planning => Some(Purpose::Plan),
            Phase::Thinking => Some(Purpose::Turn),
            Phase::Judging => Some(Purpose::Judge),
            _ => None,
        }
    }

    fn estimated(&self, at: u64, reserve: Reserve) -> Vec<Event> {
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

    /// The end at a limit. What was said to be done and not taken for done is told as that.
    fn ends_at_limit(&self, out_of: Reason, words: &str) -> Event {
        match &self.work.claim {
            Some(_) => self.claimed(OutcomeKind::Unverified, out_of, words, None),
            None => self.ends(OutcomeKind::Stopped, out_of, words),
        }
    }

    fn heard_plan(&self, heard: Heard, calls: &[HeardCall]) -> Vec<Event> {
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

    fn heard_turn(&self, heard: Heard, mut calls: Vec<HeardCall>) -> Vec<Event> {
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
    fn offered(&self, tool: &str) -> Result<(), String> {
        match crate::prompt::may_call(self, tool) {
            true => Ok(()),
            false => Err("this can't be called any more: what is left is to see it through and to end with complete_task".to_owned()),
        }
    }

    /// A call that the errand allows.
    fn allowed(&self, call: Call) -> Result<Call, String> {
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

    fn follows(&self, call: Call, id: String, ignored: Vec<Ignored>) -> Vec<Event> {
        let is_someone = self.spec.someone == Someone::Present;
        let next = match &call {
            Call::Act(act) if self.spec.mode == Mode::PlanOnly => {
                let deed = crate::words::deed(act, self.talk.page.as_ref());
                let words = format!("this is where the plan stops; the first step would be: {deed}");
                Some(self.ends(OutcomeKind::Stopped, Reason::PlanOnly, &words))
            }
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
        let mut events = vec![Event::Called { call: Box::new(call), id, ignored }];
        events.extend(next);
        events
    }

    fn failed(&self, claim: &Claim) -> Event {
        let mut outcome = self.outcome_of(OutcomeKind::Failed, Reason::Completed, &claim.reason);
        outcome.failure_declared_by = Some(Declarer::Agent);
        outcome.answer.clone_from(&claim.answer);
        Event::Ended { outcome: Box::new(outcome) }
    }

    fn ask_failed(&self, trouble: Trouble, usage: Usage, money: MicroUsd) -> Vec<Event> {
        let Some(purpose) = self.purpose() else { return vec![] };
        let reason = match () {
            () if trouble.code == Code::Cancelled.as_str() => Reason::Interrupted,
            () if trouble.code == Code::Timeout.as_str() => Reason::TimeExceeded,
            () => Reason::LlmError,
        };
        let words = match reason {
            Reason::Interrupted => CALLED_OFF,
            _ => trouble.words.as_str(),
        };
        let ended = match purpose {
            Purpose::Judge => self.claimed(OutcomeKind::Unverified, reason, words, None),
            Purpose::Plan | Purpose::Turn => self.ends(OutcomeKind::Stopped, reason, words),
        };
        vec![Event::AskFailed { purpose, trouble, usage, money }, ended]
    }

    fn looked_at(&self, why: &LookFor, page: Box<PageNote>) -> Vec<Event> {
        let sign = (*why == LookFor::Proof).then(|| proof::sign(&self.spec.proof, &page));
        let mut events = vec![Event::Looked { page }];
        let Some(sign) = sign else { return events };
        if !self.can_be_proved() {
            let words = "nothing is done for real in this mode, so nothing of it is done";
            events.push(self.claimed(OutcomeKind::Stopped, Reason::DryRun, words, None));
            return events;
        }
        match sign {
            Sign::Success(sign) => {
                let words = "the page shows what proves it";
                events.push(self.claimed(OutcomeKind::Verified, Reason::Completed, words, Some(sign)));
            }
            Sign::Failure(sign) => events.push(self.fails(&format!("the page shows a failure: {sign}"))),
            Sign::Missing => events.push(self.rejects("the page does not show what would prove it")),
            Sign::Unreadable => {
                events.push(self.rejects("the page can't be read as it is now, so it proves nothing"));
            }
            Sign::NothingToLookFor => {}
        }
        events
    }

    /// Whether what is said to be done can be: nothing is, where nothing is done for real. What was only read and found out can be.
    fn can_be_proved(&self) -> bool {
        let has_answer = self.work.claim.as_ref().is_some_and(|claim| claim.answer.is_some());
        match self.spec.mode {
            Mode::Live => true,
            Mode::ReadOnly => has_answer,
            Mode::DryRun | Mode::PlanOnly => false,
        }
    }

    /// What is said to be done is not taken for done; after the last time it is told as that.
    fn rejects(&self, why: &str) -> Event {
        match self.counts.rejected + 1 >= MOST_CLAIMS {
            false => Event::Rejected { why: why.to_owned() },
            true => self.claimed(OutcomeKind::Unverified, Reason::VerificationFailed, why, None),
        }
    }

    /// The same where the page shows that it failed: after the last time it has.
    fn fails(&self, why: &str) -> Event {
        match self.rejects(why) {
            Event::Ended { mut outcome } => {
                outcome.kind = OutcomeKind::Failed;
                outcome.failure_declared_by = Some(Declarer::Page);
                Event::Ended { outcome }
            }
            again => again,
        }
    }

    fn heard_judge(&self, heard: Heard, calls: &[HeardCall]) -> Vec<Event> {
        let verdict = proof::read_verdict(calls);
        let is_declined = heard.end == TurnEnd::Declined;
        let mut events = vec![Event::Answered { purpose: Purpose::Judge, heard }];
        match verdict {
            Verdict::Done(assessment) => {
                let sign = Some(format!("judged: {assessment}"));
                let words = "an independent look at the page and at what was sent confirms it";
                events.push(self.claimed(OutcomeKind::Verified, Reason::Completed, words, sign));
            }
            Verdict::NotDone(why) => events.push(self.rejects(&why)),
            // That nobody can tell is no word against it: the judge is asked again.
            Verdict::Unknown if !is_declined && self.counts.judged + 1 < MOST_JUDGED => {}
            Verdict::Unknown => {
                let (reason, words) = (Reason::VerificationFailed, "whether it is done could not be told");
                events.push(self.claimed(OutcomeKind::Unverified, reason, words, None));
            }
        }
        events
    }

    fn look_failed(&self, trouble: Trouble) -> Vec<Event> {
        // Where the user's own address is forbidden, it stays so.
        let is_forbidden = trouble.code == Code::NavigationBlocked.as_str()
            && self.phase == Phase::Looking(LookFor::First)
            && self.spec.start_url.is_some();
        let is_over = trouble.is_loss || is_forbidden || self.counts.look_failures + 1 >= MOST_LOOK_FAILURES;
        let reason = if trouble.is_loss { Reason::BrowserError } else { Reason::PageError };
        let ended = is_over.then(|| self.ends(OutcomeKind::Stopped, reason, &trouble.words));
        [Some(Event::LookFailed { trouble }), ended].into_iter().flatten().collect()
    }

    fn came_of_act(&self, number: u32, act: &Act, done: Box<ActNote>) -> Vec<Event> {
        let acted = Event::Acted { number, done };
        // What the act itself sent is part of what there is to tell in the end.
        let mut after = self.clone();
        after.apply(&acted);
        let Event::Acted { done, .. } = &acted else { return vec![] };
        let stop = |caught: &Caught, reason, words: &str| {
            let words = format!("{words}: {}", caught.request);
            Some(after.ends(OutcomeKind::Stopped, reason, &words))
        };
        let ended = match (&done.caught, &done.trouble) {
            (Some(caught @ Caught { fate: Fate::DryRun, .. }), _) => {
                stop(caught, Reason::DryRun, "a dry run stops here, this was not sent")
            }
            (Some(caught @ Caught { fate: Fate::NobodyToAsk, .. }), _) => {
                stop(caught, Reason::NobodyAnswered, "nobody can be asked, this was not sent")
            }
            (_, Some(trouble)) if trouble.code == Code::ApprovalDenied.as_str() => {
                Some(after.ends(OutcomeKind::Denied, Reason::HumanRejected, &trouble.words))
            }
            // Whoever broke it off knows why it ended; what came of it may not be known.
            (_, Some(trouble)) if self.is_interrupted && trouble.code == Code::UnknownOutcome.as_str() => {
                let words = format!("{CALLED_OFF}. {}", trouble.words);
                Some(after.ends(OutcomeKind::Stopped, Reason::Interrupted, &words))
            }
            (_, Some(trouble)) if trouble.is_loss => {
                Some(after.ends(OutcomeKind::Stopped, Reason::BrowserError, &trouble.words))
            }
            (Some(Caught { fate: Fate::Held(_) | Fate::ToBeRepeated(_), .. }), _) => None,
            (_, Some(_)) => self.too_much_trouble().then(|| after.stuck("too much went wrong")),
            (_, None) => None,
        };
        let is_repeated = ended.is_none() && self.same_again(act, done) >= MOST_REPEATS;
        let stuck =
            is_repeated.then(|| after.stuck("the same was tried again and again, and nothing came of it"));
        [Some(acted), ended, stuck].into_iter().flatten().collect()
    }

    fn stuck(&self, words: &str) -> Event {
        self.ends(OutcomeKind::Stopped, Reason::Stuck, words)
    }

    /// Whether one more trouble is too much.
    fn too_much_trouble(&self) -> bool {
        let (in_a_row, in_all) = MOST_TROUBLES;
        self.counts.troubles_in_a_row + 1 >= in_a_row || self.counts.troubles + 1 >= in_all
    }

    fn came_of_question(&self, ruling: Ruling) -> Vec<Event> {
        let request = self.work.caught.as_ref().map(|caught| caught.request.as_str()).unwrap_or_default();
        let ended = match ruling {
            Ruling::LetGo | Ruling::ToBeRepeated | Ruling::NotSent | Ruling::Unknown => None,
            Ruling::Denied => {
                let words = format!("somebody said no, this was not sent: {request}");
                Some(self.ends(OutcomeKind::Denied, Reason::HumanRejected, &words))
            }
            Ruling::Expired => {
                let words = format!("nobody answered in time, this was not sent: {request}");
                Some(self.ends(OutcomeKind::Stopped, Reason::NobodyAnswered, &words))
            }
            Ruling::Withdrawn => {
                let words = format!("the browser is gone, this was not sent: {request}");
                Some(self.ends(OutcomeKind::Stopped, Reason::BrowserError, &words))
            }
        };
        [Some(Event::Ruled { ruling }), ended].into_iter().flatten().collect()
    }

    fn heard_person(&self, question: &Question, answer: Answer) -> Vec<Event> {
        let said = Event::PersonSaid { answer: answer.clone() };
        match (question, answer) {
            (Question::Extend { out_of }, Answer::Yes) => {
                let limits = extended(&self.limits, &self.spec.limits, *out_of);
                vec![said, Event::Extended { limits }]
            }
            (Question::Extend { out_of }, _) => {
                vec![said, self.ends_at_limit(*out_of, limit_words(*out_of))]
            }
            (Question::Approve { action, .. }, Answer::No) => {
                let words = format!("somebody said no to: {action}");
                vec![said, self.ends(OutcomeKind::Denied, Reason::HumanRejected, &words)]
            }
            (Question::Approve { action, .. }, Answer::Nothing) => {
                let words = format!("nobody answered: {action}");
                vec![said, self.ends(OutcomeKind::Stopped, Reason::NobodyAnswered, &words)]
            }
            (Question::Approve { .. } | Question::Tell { .. }, _) => vec![said],
        }
    }

    /// The end of an errand that the model says is done.
    fn claimed(&self, kind: OutcomeKind, reason: Reason, words: &str, sign: Option<String>) -> Event {
        let mut outcome = self.outcome_of(kind, reason, words);
        if let Some(claim) = &self.work.claim {
            outcome.answer.clone_from(&claim.answer);
            if !kind.is_verified() {
                outcome.words = format!("{words}. The model says: {}", claim.reason);
            }
        }
        outcome.evidence.extend(sign);
        Event::Ended { outcome: Box::new(outcome) }
    }

    fn ends(&self, kind: OutcomeKind, reason: Reason, words: &str) -> Event {
        Event::Ended { outcome: Box::new(self.outcome_of(kind, reason, words)) }
    }

    fn outcome_of(&self, kind: OutcomeKind, reason: Reason, words: &str) -> Outcome {
        Outcome {
            kind,
            reason,
            words: words.to_owned(),
            evidence: self.work.receipts.lines().to_vec(),
            answer: None,
            failure_declared_by: None,
        }
    }
}

/// A name of a tool that a model may have made up.
fn short(tool: &str) -> String {
    tool.chars().take(60).collect()
}

fn limit_words(out_of: Reason) -> &'static str {
    match out_of {
        Reason::MaxTurnsExceeded => "the errand took as many turns as it may",
        Reason::MaxTokensExceeded => "the errand took as many tokens as it may",
        Reason::BudgetExceeded => "the next call might cost more than is left of the budget",
        Reason::TimeExceeded => "the errand took as long as it may",
        _ => "the errand has come to a limit",
    }
}
