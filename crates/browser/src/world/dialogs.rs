//! What to do with a dialog that a page opens. Pure.

use legwork_types::{FrameId, PageText, contract::Dialog};
use serde::Serialize;

/// The kinds of dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DialogKind {
    /// `alert()`: says something.
    Alert,
    /// `confirm()`: asks yes or no. A sign of danger, never accepted without a decision.
    Confirm,
    /// `prompt()`: asks for text.
    Prompt,
    /// The page asks whether it may be left.
    BeforeUnload,
}

impl DialogKind {
    /// Reads the protocol's word; an unknown kind is treated as a question.
    pub(crate) fn from_protocol(word: &str) -> Self {
        match word {
            "alert" => Self::Alert,
            "prompt" => Self::Prompt,
            "beforeunload" => Self::BeforeUnload,
            _ => Self::Confirm,
        }
    }
}

impl DialogKind {
    /// As the contract says it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Alert => "alert",
            Self::Confirm => "confirm",
            Self::Prompt => "prompt",
            Self::BeforeUnload => "beforeunload",
        }
    }
}

impl From<&OpenDialog> for Dialog {
    fn from(open: &OpenDialog) -> Self {
        Self { kind: open.kind.word().to_owned(), message: PageText::from(open.message.as_str()) }
    }
}

/// A dialog that waits for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDialog {
    /// Its kind.
    pub kind: DialogKind,
    /// What it says, cut to a bounded length. Written by the page: untrusted.
    pub message: String,
    pub(crate) session: legwork_cdp::SessionId,
    /// The frame that asks, where it is told.
    pub(crate) frame: Option<FrameId>,
    pub(crate) serial: u64,
}

/// More dialogs than this from one document are an attack.
pub(crate) const STORM: u32 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DialogVerdict {
    Accept,
    Dismiss,
    /// Somebody may decide; after a while it is dismissed.
    Hold,
    /// The page is hostile: its tab is closed.
    Storm,
}

/// What is known when a dialog opens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DialogFacts {
    pub(crate) kind: DialogKind,
    /// How many dialogs this document has opened before.
    pub(crate) before: u32,
    /// Whether we ourselves are about to leave the page.
    pub(crate) leaving: bool,
    /// Whether nobody answered an earlier question of this document.
    pub(crate) unanswered: bool,
}

pub(crate) fn judge(facts: DialogFacts) -> DialogVerdict {
    match facts.kind {
        _ if facts.before >= STORM => DialogVerdict::Storm,
        DialogKind::Alert => DialogVerdict::Accept,
        DialogKind::BeforeUnload if facts.leaving => DialogVerdict::Accept,
        DialogKind::BeforeUnload => DialogVerdict::Dismiss,
        DialogKind::Confirm | DialogKind::Prompt if facts.leaving || facts.unanswered => {
            DialogVerdict::Dismiss
        }
        DialogKind::Confirm | DialogKind::Prompt => DialogVerdict::Hold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_never_accepted_by_itself() {
        for kind in [DialogKind::Confirm, DialogKind::Prompt] {
            for (leaving, unanswered, before) in [
                (false, false, 0),
                (true, false, 0),
                (false, true, 5),
                (true, true, 99),
                (false, false, STORM),
            ] {
                let verdict = judge(DialogFacts { kind, before, leaving, unanswered });
                assert_ne!(verdict, DialogVerdict::Accept);
            }
        }
    }

    #[test]
    fn a_page_is_left_only_when_we_leave_it() {
        let facts =
            |leaving| DialogFacts { kind: DialogKind::BeforeUnload, before: 0, leaving, unanswered: false };
        assert_eq!(
            (judge(facts(true)), judge(facts(false))),
            (DialogVerdict::Accept, DialogVerdict::Dismiss)
        );
    }

    #[test]
    fn alerts_are_accepted_until_they_become_a_storm() {
        let facts =
            |before| DialogFacts { kind: DialogKind::Alert, before, leaving: false, unanswered: false };
        assert_eq!((judge(facts(99)), judge(facts(100))), (DialogVerdict::Accept, DialogVerdict::Storm));
    }
}
