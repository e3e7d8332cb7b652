//! What happened in a context without being asked for: tabs, dialogs, downloads, crashes. Bounded.

use std::{
    collections::VecDeque,
    time::{SystemTime, UNIX_EPOCH},
};

use legwork_types::TabId;
use serde::Serialize;
use tokio::sync::watch;

use super::dialogs::DialogKind;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Happening {
    /// A tab opened and came to the front.
    TabOpened {
        /// Which.
        tab: TabId,
        /// Who opened it, if a page did.
        opener: Option<TabId>,
    },
    /// A tab that a page opened has come to its page.
    TabFollowed {
        /// Which.
        tab: TabId,
        /// Where it is.
        url: String,
        /// What the page calls itself; untrusted.
        title: String,
    },
    /// A tab is gone.
    TabClosed {
        /// Which.
        tab: TabId,
        /// Where it was.
        url: String,
        /// Why.
        why: &'static str,
    },
    /// A page tried to open more tabs than it may.
    TabRefused,
    /// A dialog was shown and answered, or waits.
    Dialog {
        /// In which tab.
        tab: TabId,
        /// Of which kind.
        kind: DialogKind,
        /// What it says; untrusted.
        message: String,
        /// `accepted`, `dismissed` or `held`.
        answer: &'static str,
    },
    /// A file was downloaded into the context's folder.
    Downloaded {
        /// Under this name.
        name: String,
        /// Its size.
        bytes: u64,
    },
    /// A download was stopped.
    DownloadStopped {
        /// Why.
        why: &'static str,
    },
}

impl Happening {
    fn kind(&self) -> &'static str {
        match self {
            Self::TabOpened { .. } => "tab opened",
            Self::TabFollowed { .. } => "tab followed",
            Self::TabClosed { .. } => "tab closed",
            Self::TabRefused => "tab refused",
            Self::Dialog { .. } => "dialog",
            Self::Downloaded { .. } => "downloaded",
            Self::DownloadStopped { .. } => "download stopped",
        }
    }
}

/// A happening with its number and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// Counts up from 1 in one context.
    pub number: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// What.
    #[serde(flatten)]
    pub what: Happening,
}

/// Older ones are forgotten; their numbers tell that they were there.
const KEPT: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Happenings {
    kept: VecDeque<Recorded>,
    count: u64,
    pulse: watch::Sender<u64>,
}

impl Happenings {
    pub(crate) fn add(&mut self, what: Happening) {
        // Only its kind: messages and addresses may hold what does not belong in a log.
        tracing::debug!(happening = what.kind(), "happened");
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.count += 1;
        self.kept.push_back(Recorded { number: self.count, at_ms: now(), what });
        self.pulse();
    }

    /// The number of the last one.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Tells those who wait that something is new, be it recorded or not.
    pub(crate) fn pulse(&self) {
        self.pulse.send_modify(|count| *count += 1);
    }

    /// Changes with every piece of news.
    pub(crate) fn pulses(&self) -> watch::Receiver<u64> {
        self.pulse.subscribe()
    }

    /// Everything after the given number.
    pub(crate) fn since(&self, number: u64) -> Vec<Recorded> {
        self.kept.iter().filter(|recorded| recorded.number > number).cloned().collect()
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
