//! Targets and contexts: attaching, creating, closing.

use serde::{Deserialize, Serialize};

use crate::SessionId;

super::commands! {
    /// Attaches to related targets as they appear, before they run.
    SetAutoAttach = "Target.setAutoAttach" {
        /// On or off.
        auto_attach: bool,
        /// New targets wait until we let them go.
        wait_for_debugger_on_start: bool,
        /// Sessions share this connection.
        flatten: bool,
    }

    /// Announces targets as they come, change and go.
    SetDiscoverTargets = "Target.setDiscoverTargets" {
        /// On or off.
        discover: bool,
        /// Which kinds; all if empty.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        filter: Vec<FilterEntry>,
    }

    /// What the browser says of one target.
    GetTargetInfo<'a> = "Target.getTargetInfo" {
        /// Which.
        target_id: &'a str,
    }

    /// Lists the targets that there are.
    GetTargets = "Target.getTargets" {}

    /// Attaches to one target.
    AttachToTarget<'a> = "Target.attachToTarget" {
        /// Which.
        target_id: &'a str,
        /// The session shares this connection.
        flatten: bool,
    }

    /// Lets go of a session.
    DetachFromTarget<'a> = "Target.detachFromTarget" {
        /// Which.
        session_id: &'a SessionId,
    }

    /// A fresh, isolated context.
    CreateBrowserContext<'a> = "Target.createBrowserContext" {
        /// It ends with our connection.
        dispose_on_detach: bool,
        /// The only way to the network, `http://host:port`.
        #[serde(skip_serializing_if = "Option::is_none")]
        proxy_server: Option<&'a str>,
        /// What goes another way. Addresses of this machine do, unless this says otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        proxy_bypass_list: Option<&'a str>,
    }

    /// Ends a context with all its pages.
    DisposeBrowserContext<'a> = "Target.disposeBrowserContext" {
        /// Which.
        browser_context_id: &'a str,
    }

    /// A new page.
    CreateTarget<'a> = "Target.createTarget" {
        /// Its address.
        url: &'a str,
        /// In which context; the default one if none.
        #[serde(skip_serializing_if = "Option::is_none")]
        browser_context_id: Option<&'a str>,
    }

    /// Closes a page, also one whose renderer answers nothing.
    CloseTarget<'a> = "Target.closeTarget" {
        /// Which.
        target_id: &'a str,
    }
}

/// One line of a target filter; the first that fits decides.
#[derive(Debug, Clone, Serialize)]
pub struct FilterEntry {
    /// The kind; every kind if none.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Leave it out rather than take it in.
    pub exclude: bool,
}

/// A target was attached to, by our wish or by auto-attach.
pub const ATTACHED: &str = "Target.attachedToTarget";
/// A session is over.
pub const DETACHED: &str = "Target.detachedFromTarget";
/// A target is gone.
pub const DESTROYED: &str = "Target.targetDestroyed";
/// A target's process died.
pub const CRASHED: &str = "Target.targetCrashed";

/// What the browser says of a target.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TargetInfo {
    /// Its id; for frames the frame's id.
    pub target_id: String,
    /// `page`, `iframe`, `worker`, `service_worker`, `browser_ui`, …: an open list.
    #[serde(rename = "type")]
    pub kind: String,
    /// As the page names itself.
    #[serde(default)]
    pub title: crate::Lossy,
    /// Its address.
    #[serde(default)]
    pub url: crate::Lossy,
    /// Who opened it.
    pub opener_id: Option<String>,
    /// Its context.
    pub browser_context_id: Option<String>,
}

/// A target was attached to.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attached {
    /// The new session.
    pub session_id: SessionId,
    /// Its target.
    pub target_info: TargetInfo,
    /// It waits until we let it run.
    pub waiting_for_debugger: bool,
}

/// A session is over.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Detached {
    /// Which.
    pub session_id: SessionId,
}

/// What the browser says of one target.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InfoOfTarget {
    /// As it is now.
    pub target_info: TargetInfo,
}

/// A target is gone.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Destroyed {
    /// Which.
    pub target_id: String,
}

/// A target's process died.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Crashed {
    /// Which.
    pub target_id: String,
    /// How: `crashed`, `killed`, `oom`, …
    #[serde(default)]
    pub status: String,
    /// The code that its process ended with.
    #[serde(default)]
    pub error_code: i64,
}

/// The targets that there are.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Targets {
    /// All of them.
    pub target_infos: Vec<TargetInfo>,
}

/// A context was made.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedContext {
    /// Which.
    pub browser_context_id: String,
}

/// A page was made.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedTarget {
    /// Which.
    pub target_id: String,
}
