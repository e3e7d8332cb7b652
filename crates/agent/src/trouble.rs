//! What went wrong, and what follows from it.

use serde::{Deserialize, Serialize};

/// Something that went wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trouble {
    /// Its stable code.
    pub code: String,
    /// What happened, and what to do: in words of ours, on one line.
    pub words: String,
    /// What the page had a part in, such as what lies over a button: in a fence, for models alone. Nothing where there is nothing.
    #[serde(default)]
    pub pages: String,
    /// What follows from it.
    #[serde(default)]
    pub kind: TroubleKind,
    /// Where the page was that is gone, as far as that is known: perhaps on its way somewhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What follows from a trouble, whatever it is in detail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TroubleKind {
    /// The model is told of it, and finds another way.
    #[default]
    Told,
    /// The page is gone: it was closed because it answered nothing, or attacked. The model is told of it, and finds another way.
    PageClosed,
    /// The page's process is gone, and nothing else.
    PageCrash,
    /// The same, and it ended as pages do that get no more memory.
    PageGaveUp,
    /// The same, and the system says that it ran out of memory.
    PageOutOfMemory,
    /// The network or the server refused: to try again would be the same.
    Network,
    /// The browser is gone, or the session in it: another one may be had.
    Disconnect,
    /// The same while a page was being painted: perhaps there was not enough memory for it.
    DisconnectWhilePainting,
    /// The same, and the system says that it ran out of memory.
    OutOfMemory,
    /// There is no browser to be had.
    NoBrowser,
}

impl TroubleKind {
    /// Whether the browser is gone.
    pub fn is_disconnect(self) -> bool {
        matches!(self, Self::Disconnect | Self::DisconnectWhilePainting | Self::OutOfMemory)
    }

    /// Whether it is somebody's failure. That a page or a browser is gone is nobody's.
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Self::Told | Self::PageClosed | Self::Network | Self::NoBrowser)
    }
}

impl Trouble {
    /// All of it, as a model is told.
    pub(crate) fn for_model(&self) -> String {
        match self.pages.trim_end() {
            "" => self.words.clone(),
            pages => format!("{}\n{pages}", self.words),
        }
    }
}
