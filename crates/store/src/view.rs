//! A task with all that belongs to it, as a fold over its log: which facts may follow which, and what follows from them. Pure.

use legwork_types::Timestamp;

use crate::{
    approval::{Approval, ApprovalId, Says, Standing},
    blob::KeptBlob,
    error::Illegal,
    fact::{Fact, Line, Step, Voice},
    intent::{Fate, Intent},
    task::{Fence, Submission, Task, TaskId, TaskState, Used, Wish},
};

/// A task with all that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// The task.
    pub task: Task,
    /// What was asked because of it.
    pub approvals: Vec<Approval>,
    /// What was about to be sent because of it.
    pub intents: Vec<Intent>,
    /// What was done.
    pub steps: Vec<Step>,
    /// What is kept beside it, by its names.
    pub blobs: Vec<KeptBlob>,
}

impl View {
    /// A task that was handed in now.
    pub fn begin(id: TaskId, submission: Submission, at: Timestamp) -> Self {
        let task = Task {
            id,
            state: TaskState::Queued,
            events: 1,
            submission,
            created: at,
            updated: at,
            owner: None,
            epoch: 0,
            wish: Wish::None,
            waits_for: None,
            requeued: None,
            end: None,
            used: Used::default(),
        };
        Self { task, approvals: vec![], intents: vec![], steps: vec![], blobs: vec![] }
    }

    /// What a whole log leads to. It begins with a submission, and each line may follow the one before it.
    pub fn replay(lines: &[Line]) -> Result<Self, Illegal> {
        let mut lines = lines.iter();
        let mut view = match lines.next() {
            Some(Line { task, at, fact: Fact::Submitted { submission }, .. }) => {
                Self::begin(task.clone(), submission.clone(), *at)
            }
            _ => return Err(Illegal::NoBeginning),
        };
        for line in lines {
            view.follow(&line.fact, line.at)?;
        }
        Ok(view)
    }

    /// Takes a fact from whoever says it by this right.
    pub fn take(&mut self, fact: &Fact, at: Timestamp, fence: Option<&Fence>) -> Result<(), Illegal> {
        if fact.voice() == Voice::Doer && (fence.is_none() || fence != self.task.fence().as_ref()) {
            return Err(Illegal::NotTheDoer);
        }
        self.follow(fact, at)
    }

    fn follow(&mut self, fact: &Fact, at: Timestamp) -> Result<(), Illegal> {
        let state = self.state_after(fact).ok_or(Illegal::State(self.task.state))?;
        match fact {
            Fact::Submitted { .. } => return Err(Illegal::State(self.task.state)),
            Fact::Claimed { owner } => {
                self.task.owner = Some(owner.clone());
                self.task.epoch += 1;
            }
            Fact::Entry { step, used, .. } => {
                self.steps.extend(step.clone());
                self.task.used = self.task.used.plus(used.unwrap_or_default());
            }
            Fact::Asked { asking } => {
                if self.approvals.iter().any(|one| one.asking.id == asking.id) {
                    return Err(Illegal::Twice);
                }
                let task = self.task.id.clone();
                let standing = Standing::Waiting;
                self.approvals.push(Approval {
                    task,
                    asking: asking.clone(),
                    asked: at,
                    standing,
                    verdict: None,
                });
            }
            Fact::Parked { approval } => {
                self.approval(approval)?;
                self.task.waits_for = Some(approval.clone());
            }
            Fact::Woken => self.task.waits_for = None,
            Fact::Answered { approval, verdict } => {
                let one = self.waiting(approval)?;
                if at >= one.asking.expires {
                    return Err(Illegal::TooLate);
                }
                one.standing = if verdict.says == Says::No { Standing::Denied } else { Standing::Approved };
                one.verdict = Some(verdict.clone());
            }
            Fact::Expired { approval } => {
                let one = self.approval(approval)?;
                if !matches!(one.standing, Standing::Waiting | Standing::Approved) {
                    return Err(Illegal::Decided(one.standing));
                }
                if at < one.asking.expires {
                    return Err(Illegal::TooEarly);
                }
                one.standing = Standing::Expired;
            }
            Fact::Withdrawn { approval } => self.waiting(approval)?.standing = Standing::Withdrawn,
            Fact::Committing { intent, approval, what } => {
                if self.intents.iter().any(|one| one.id == *intent) {
                    return Err(Illegal::Twice);
                }
                if let Some(id) = approval {
                    self.use_up(id, at)?;
                }
                self.intents.push(Intent {
                    id: intent.clone(),
                    task: self.task.id.clone(),
                    approval: approval.clone(),
                    what: what.clone(),
                    fate: Fate::Open,
                    opened: at,
                });
            }
            Fact::Committed { intent, fate } => {
                let one = self.intents.iter_mut().find(|one| one.id == *intent).ok_or(Illegal::NoIntent)?;
                if one.fate != Fate::Open || *fate == Fate::Open {
                    return Err(Illegal::Closed(one.fate));
                }
                one.fate = *fate;
            }
            Fact::Requeued { why } => {
                self.task.requeued = Some(why.clone());
                // Its page is gone, and with it whatever was asked because of that page and not waited for.
                if self.task.state == TaskState::Running {
                    self.withdraw(|standing| standing == Standing::Waiting);
                }
            }
            Fact::Released { why } => self.task.requeued = Some(why.clone()),
            Fact::PauseWanted if state != TaskState::Paused => self.task.wish = Wish::Pause,
            Fact::CancelWanted { .. } if !state.is_final() => self.task.wish = Wish::Cancel,
            Fact::Resumed => self.task.wish = Wish::None,
            Fact::PauseWanted | Fact::Paused | Fact::CancelWanted { .. } | Fact::Cancelled => {}
            Fact::Ended { end } => self.task.end = Some(end.clone()),
            Fact::Kept { blob } => {
                let kept = KeptBlob { task: self.task.id.clone(), at, blob: blob.clone() };
                self.blobs.retain(|one| one.blob.name != blob.name);
                let place = self.blobs.partition_point(|one| one.blob.name < blob.name);
                self.blobs.insert(place, kept);
            }
            Fact::Dropped { name } => self.blobs.retain(|one| one.blob.name != *name),
        }
        if matches!(state, TaskState::Queued | TaskState::Paused) || matches!(fact, Fact::Released { .. }) {
            self.leave();
        }
        if state != TaskState::Waiting && state != TaskState::Paused {
            self.task.waits_for = None;
        }
        if state.is_final() {
            self.leave();
            self.withdraw(|standing| matches!(standing, Standing::Waiting | Standing::Approved));
        }
        self.task.state = state;
        self.task.events += 1;
        self.task.updated = at;
        Ok(())
    }

    /// Where it stands after that; none where that can't be.
    fn state_after(&self, fact: &Fact) -> Option<TaskState> {
        use TaskState::{Cancelled, Ended, Paused, Queued, Running, Waiting};
        let (state, is_held) = (self.task.state, self.task.owner.is_some());
        let is_under_way = matches!(state, Running | Waiting);
        let to = |next: TaskState, may: bool| may.then_some(next);
        match fact {
            Fact::Submitted { .. } => None,
            Fact::Claimed { .. } => to(Running, state == Queued),
            Fact::Entry { .. } | Fact::Asked { .. } | Fact::Kept { .. } => to(state, is_under_way),
            Fact::Committing { .. } | Fact::Committed { .. } => to(state, is_under_way),
            Fact::Parked { .. } => to(Waiting, state == Running),
            Fact::Woken => to(Running, state == Waiting),
            // Whoever waits without holding anything is next in line with the answer.
            Fact::Answered { approval, .. } | Fact::Expired { approval } | Fact::Withdrawn { approval }
                if state == Waiting && !is_held && self.task.waits_for.as_ref() == Some(approval) =>
            {
                Some(Queued)
            }
            Fact::Answered { .. } | Fact::Expired { .. } | Fact::Withdrawn { .. } => {
                to(state, !state.is_final())
            }
            Fact::Requeued { .. } => to(self.wished_or(Queued), is_under_way),
            // The answer may have come before: nobody would tell it once more.
            Fact::Released { .. } if self.is_unanswered() => to(self.wished_or(Waiting), is_held),
            Fact::Released { .. } => to(self.wished_or(Queued), state == Waiting && is_held),
            Fact::PauseWanted if state == Queued || state == Waiting && !is_held => Some(Paused),
            Fact::PauseWanted => to(state, is_under_way && self.task.wish == Wish::None),
            Fact::Paused => to(self.wished_or(Paused), is_under_way),
            Fact::Resumed if state == Paused => Some(Queued),
            Fact::Resumed => to(state, is_under_way && self.task.wish == Wish::Pause),
            Fact::CancelWanted { .. } if matches!(state, Queued | Paused) || state == Waiting && !is_held => {
                Some(Cancelled)
            }
            Fact::CancelWanted { .. } => to(state, is_under_way && self.task.wish != Wish::Cancel),
            Fact::Cancelled => to(Cancelled, is_under_way),
            Fact::Ended { .. } => to(Ended, is_under_way),
            Fact::Dropped { .. } => Some(state),
        }
    }

    /// Whether it waits for a person who has not answered.
    fn is_unanswered(&self) -> bool {
        let question = self.approvals.iter().find(|one| Some(&one.asking.id) == self.task.waits_for.as_ref());
        self.task.state == TaskState::Waiting && question.is_some_and(|one| one.standing == Standing::Waiting)
    }

    /// Where it comes to stand when nobody does it any more: what somebody wanted is done then, whoever was to do it is gone.
    fn wished_or(&self, otherwise: TaskState) -> TaskState {
        match self.task.wish {
            Wish::None => otherwise,
            Wish::Pause => TaskState::Paused,
            Wish::Cancel => TaskState::Cancelled,
        }
    }

    /// Nobody does it any more: what was about to be sent then may have left.
    fn leave(&mut self) {
        self.task.owner = None;
        self.task.wish = Wish::None;
        for intent in self.intents.iter_mut().filter(|one| one.fate == Fate::Open) {
            intent.fate = Fate::Unknown;
        }
    }

    fn withdraw(&mut self, those: impl Fn(Standing) -> bool) {
        for one in self.approvals.iter_mut().filter(|one| those(one.standing)) {
            one.standing = Standing::Withdrawn;
        }
    }

    /// A yes is good for one thing, and only in time.
    fn use_up(&mut self, id: &ApprovalId, at: Timestamp) -> Result<(), Illegal> {
        let one = self.approval(id)?;
        if one.standing != Standing::Approved {
            return Err(Illegal::Decided(one.standing));
        }
        if at >= one.asking.expires {
            return Err(Illegal::TooLate);
        }
        one.standing = Standing::Used;
        Ok(())
    }

    fn approval(&mut self, id: &ApprovalId) -> Result<&mut Approval, Illegal> {
        self.approvals.iter_mut().find(|one| one.asking.id == *id).ok_or(Illegal::NoQuestion)
    }

    fn waiting(&mut self, id: &ApprovalId) -> Result<&mut Approval, Illegal> {
        let one = self.approval(id)?;
        match one.standing {
            Standing::Waiting => Ok(one),
            standing => Err(Illegal::Decided(standing)),
        }
    }
}
