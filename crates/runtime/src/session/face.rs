//! What surfaces give to sessions and get from them.

use std::{sync::Arc, time::Duration};

use legwork_observe::{Look, ObserveError};
use legwork_policy::{Rules, Wire};
use legwork_types::{
    PageUrl, Problem, Timestamp,
    contract::{ActResponse, Observation, ObserveOptions, Receipt, SessionId, Verification},
};

use super::telling::refused;
use crate::{Landing, Logins, Thrift, Vault, WireSettings};

/// Who calls: sessions belong to whoever opened them, and to nobody else.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller(Arc<str>);

impl Caller {
    /// A caller by a name that nobody else has, such as a digest of its token.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }
}

/// How sessions are kept.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    /// A session that nobody uses for so long is closed.
    pub idle: Duration,
    /// The most sessions at a time.
    pub most: usize,
    /// The most acts of one session: a page must not keep a caller busy for ever.
    pub most_acts: u32,
    /// How long a navigation may take.
    pub navigation: Duration,
    /// What the operator allows to be done to pages.
    pub rules: Rules,
    /// What the operator allows on the wire.
    pub wire: Arc<WireSettings>,
    /// How long a question waits for an answer.
    pub question_life: Duration,
    /// The operator's secrets.
    pub vault: Arc<Vault>,
    /// The saved logins that sessions begin with.
    pub logins: Arc<Logins>,
}

impl Default for SessionSettings {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(15 * 60),
            most: 64,
            most_acts: 1_000,
            navigation: crate::NAVIGATION,
            rules: Rules::default(),
            wire: Arc::default(),
            question_life: crate::USUAL_LIFE,
            vault: Arc::default(),
            logins: Arc::default(),
        }
    }
}

/// What a new session begins with.
#[derive(Debug, Clone, Default)]
pub struct OpenRequest {
    /// The first page; an empty one if none is named.
    pub url: Option<PageUrl>,
    /// How to look at it.
    pub observe: ObserveOptions,
    /// How its looks are numbered.
    pub numbering: Numbering,
    /// Where it takes the place of a session that is gone: what left there after a yes, or may have, and is not sent again, whoever says yes.
    pub never_again: Option<Vec<(String, String)>>,
    /// How its pages save memory.
    pub thrift: Thrift,
}

/// How the looks of a session are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbering {
    /// Each from 1: callers name the look together with the number.
    #[default]
    Anew,
    /// The next one from here on, and each after the one before it: a number alone tells which look it is of.
    OnwardFrom(u32),
}

impl Numbering {
    /// The first number of the next look.
    pub fn first(self) -> u32 {
        match self {
            Self::Anew => 1,
            Self::OnwardFrom(number) => number,
        }
    }

    /// The same after this look.
    #[must_use]
    pub fn after(self, look: &Look) -> Self {
        // Far more than anybody will look at; from then on a number might be taken for an old one.
        const LAST: u32 = u32::MAX / 2;
        match self {
            Self::Anew => Self::Anew,
            Self::OnwardFrom(number) if number > LAST => Self::OnwardFrom(1),
            Self::OnwardFrom(number) => Self::OnwardFrom(number.max(look.numbers().end)),
        }
    }
}

/// A session that was opened.
#[derive(Debug)]
pub struct Opened {
    /// Its name.
    pub session: SessionId,
    /// Where its first page led.
    pub landing: Option<Landing>,
    /// What is there.
    pub seen: Seen,
    /// What stands between it and the network.
    pub wire: Wire,
}

/// A look, with what belongs to it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The look.
    pub look: Arc<Look>,
    /// The earlier look that was asked to compare with.
    pub earlier: Option<Arc<Look>>,
    /// A picture with its numbers, if one was asked for.
    pub jpeg: Option<Vec<u8>>,
}

/// What came of a call to act.
#[derive(Debug)]
pub struct Acted {
    /// Why it was not done.
    pub error: Option<Problem>,
    /// What really happened.
    pub receipt: Receipt,
    /// Whether what was expected is so.
    pub verification: Verification,
    /// The page afterwards; none only where there is no page.
    pub next: Option<Seen>,
    /// How the caller wants to see it.
    pub observe: ObserveOptions,
    /// The look that it was decided on, where something was tried.
    pub decided_on: Option<Arc<Look>>,
}

impl Acted {
    /// The answer to a call that can't be read: nothing was done, and no session was asked for its page.
    pub fn unread(problem: Problem) -> Self {
        refused(problem, None, &ObserveOptions::default())
    }

    /// Whether it was done and what was expected is so.
    pub fn is_ok(&self) -> bool {
        self.error.is_none() && self.verification.matched
    }

    /// The same for programs.
    pub fn response(&self) -> ActResponse {
        ActResponse {
            ok: self.is_ok(),
            error: self.error.clone(),
            receipt: self.receipt.clone(),
            verification: self.verification.clone(),
            next_observation: self.next.as_ref().and_then(|seen| seen.observation(&self.observe).ok()),
        }
    }
}

impl Seen {
    /// The part of it that was asked for, for programs.
    pub fn observation(&self, options: &ObserveOptions) -> Result<Observation, ObserveError> {
        self.look.observe(options, self.earlier.as_deref())
    }
}

/// One line of a list of sessions.
#[derive(Debug, Clone)]
pub struct SessionSummary {
    /// Its name.
    pub session: SessionId,
    /// Where its page is.
    pub url: String,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// For how long nobody has used it.
    pub idle: Duration,
}
