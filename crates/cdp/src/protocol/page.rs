//! Documents, frames, dialogs, pictures.

use serde::Deserialize;

use crate::Lossy;

super::commands! {
    /// Whether a chooser of files is told of instead of being shown.
    SetInterceptFileChooserDialog = "Page.setInterceptFileChooserDialog" {
        /// On or off.
        enabled: bool,
    }

    /// Page events from now on.
    Enable = "Page.enable" {}

    /// No page events any more; a dialog that is open is left to the browser.
    Disable = "Page.disable" {}

    /// Lifecycle events (init, DOMContentLoaded, load, …) from now on.
    SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" {
        /// On or off.
        enabled: bool,
    }

    /// Goes to an address.
    Navigate<'a> = "Page.navigate" {
        /// Where to.
        url: &'a str,
    }

    /// Loads the page again.
    Reload = "Page.reload" {}

    /// The pages that the tab went through.
    GetNavigationHistory = "Page.getNavigationHistory" {}

    /// Forgets where the page was before.
    ResetNavigationHistory = "Page.resetNavigationHistory" {}

    /// Goes to one of them.
    NavigateToHistoryEntry = "Page.navigateToHistoryEntry" {
        /// Its id.
        entry_id: i64,
    }

    /// Ends every load of the page.
    StopLoading = "Page.stopLoading" {}

    /// The frames that this session holds.
    GetFrameTree = "Page.getFrameTree" {}

    /// A world of our own in a frame, whose objects the page can't patch.
    CreateIsolatedWorld<'a> = "Page.createIsolatedWorld" {
        /// The frame.
        frame_id: &'a str,
        /// Its name.
        world_name: &'a str,
    }

    /// Runs our own script in our own world of every document that begins, before any script of the page.
    AddScriptToEvaluateOnNewDocument<'a> = "Page.addScriptToEvaluateOnNewDocument" {
        /// The script.
        source: &'a str,
        /// A world of our own; the page's own if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        world_name: Option<&'a str>,
        /// Also in the documents that are there.
        run_immediately: bool,
    }

    /// The end of that.
    RemoveScriptToEvaluateOnNewDocument<'a> = "Page.removeScriptToEvaluateOnNewDocument" {
        /// Which.
        identifier: &'a str,
    }

    /// Answers the open dialog.
    HandleJavaScriptDialog<'a> = "Page.handleJavaScriptDialog" {
        /// OK or Cancel.
        accept: bool,
        /// What is typed into a prompt.
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt_text: Option<&'a str>,
    }

    /// A picture of the viewport.
    CaptureScreenshot<'a> = "Page.captureScreenshot" {
        /// `jpeg`, `png` or `webp`.
        format: &'a str,
        /// 0 to 100.
        #[serde(skip_serializing_if = "Option::is_none")]
        quality: Option<u8>,
        /// Faster encoding, larger file.
        optimize_for_speed: bool,
    }

    /// Brings the page to the front of its window.
    BringToFront = "Page.bringToFront" {}
}

/// A frame joined its parent.
pub const FRAME_ATTACHED: &str = "Page.frameAttached";
/// A frame shows a new document.
pub const FRAME_NAVIGATED: &str = "Page.frameNavigated";
/// A frame's address changed without a new document.
pub const NAVIGATED_WITHIN: &str = "Page.navigatedWithinDocument";
/// A frame left, or moved to another process.
pub const FRAME_DETACHED: &str = "Page.frameDetached";
/// A frame begins to load something.
pub const STARTED_LOADING: &str = "Page.frameStartedLoading";
/// A frame has stopped loading.
pub const STOPPED_LOADING: &str = "Page.frameStoppedLoading";
/// A document reached a point of its life.
pub const LIFECYCLE: &str = "Page.lifecycleEvent";
/// A dialog opened; every renderer-bound command hangs until it is answered.
pub const DIALOG_OPENING: &str = "Page.javascriptDialogOpening";
/// The dialog was answered.
pub const DIALOG_CLOSED: &str = "Page.javascriptDialogClosed";

/// How a navigation went.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigated {
    /// The new document's loader; absent if the document stayed.
    pub loader_id: Option<String>,
    /// `net::ERR_…`.
    pub error_text: Option<String>,
    /// It became a download.
    pub is_download: Option<bool>,
}

/// The pages that a tab went through.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The place of the one that it shows.
    pub current_index: usize,
    /// In order.
    pub entries: Vec<HistoryEntry>,
}

/// A page that a tab went through.
#[derive(Debug, Clone, Deserialize)]
pub struct HistoryEntry {
    /// Its id.
    pub id: i64,
    /// Its address.
    pub url: Lossy,
}

/// A frame as the browser describes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// Its id.
    pub id: String,
    /// The frame that holds it.
    pub parent_id: Option<String>,
    /// The load that its document came from.
    pub loader_id: String,
    /// Its name attribute.
    #[serde(default)]
    pub name: Option<Lossy>,
    /// Its address, without the fragment.
    pub url: Lossy,
    /// The fragment.
    #[serde(default)]
    pub url_fragment: Option<Lossy>,
    /// The address that could not be reached, when this is the browser's own error page.
    #[serde(default)]
    pub unreachable_url: Option<Lossy>,
}

/// A frame and those in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameTree {
    /// The frame.
    pub frame: Frame,
    /// Those in it that live in the same session.
    #[serde(default)]
    pub child_frames: Vec<FrameTree>,
}

/// The frames that a session holds.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GotFrameTree {
    /// From the session's root frame down.
    pub frame_tree: FrameTree,
}

/// A frame joined its parent.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameAttached {
    /// The new frame.
    pub frame_id: String,
    /// Its parent.
    pub parent_frame_id: String,
}

/// A frame shows a new document.
#[derive(Debug, Clone, Deserialize)]
pub struct FrameNavigated {
    /// As it is now.
    pub frame: Frame,
}

/// A frame's address changed without a new document.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigatedWithin {
    /// Which.
    pub frame_id: String,
    /// Its address now.
    pub url: Lossy,
}

/// A frame left, or moved to another process.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameDetached {
    /// Which.
    pub frame_id: String,
    /// `remove` or `swap`.
    #[serde(default)]
    pub reason: String,
}

/// A frame begins to load, or has stopped.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameLoading {
    /// Which.
    pub frame_id: String,
}

/// A document reached a point of its life.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleEvent {
    /// The frame.
    pub frame_id: String,
    /// The document's loader.
    pub loader_id: String,
    /// `init`, `DOMContentLoaded`, `load`, …
    pub name: String,
}

/// A dialog opened.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DialogOpening {
    /// The frame's address.
    #[serde(default)]
    pub url: Lossy,
    /// What it says.
    pub message: Lossy,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The frame that asks. Older browsers don't tell.
    pub frame_id: Option<String>,
}

/// A script was added.
#[derive(Debug, Clone, Deserialize)]
pub struct AddedScript {
    /// Its name, to take it away by.
    pub identifier: String,
}

/// A world was made.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IsolatedWorld {
    /// Its id.
    pub execution_context_id: i64,
}

/// A picture.
#[derive(Debug, Clone, Deserialize)]
pub struct Screenshot<'a> {
    /// Base64.
    #[serde(borrow)]
    pub data: &'a str,
}

/// A chooser of files would be shown now.
pub const FILE_CHOOSER_OPENED: &str = "Page.fileChooserOpened";

/// A chooser of files would be shown now.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileChooserOpened {
    /// `selectSingle` or `selectMultiple`.
    pub mode: String,
    /// The number of the field that it is for; none where a page asks without one.
    pub backend_node_id: Option<i64>,
}
