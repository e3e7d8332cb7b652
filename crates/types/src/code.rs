//! The stable error codes that every surface shows.

use std::fmt;

use serde::Serialize;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, retry $retry:literal;)*) => {
        /// What went wrong, in a word that scripts and models may rely on.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as it stands on the wire and on the terminal.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// Whether the same call may succeed later without a change by the caller.
            pub fn retryable(self) -> bool {
                match self { $(Code::$name => $retry,)* }
            }
        }
    };
}

codes! {
    /// No Chrome, Chromium or Edge was found.
    BrowserNotFound = "BROWSER_NOT_FOUND", retry false;
    /// The browser was found but did not come up.
    BrowserLaunchFailed = "BROWSER_LAUNCH_FAILED", retry true;
    /// The browser refuses to start because the system offers it no sandbox.
    SandboxUnavailable = "SANDBOX_UNAVAILABLE", retry false;
    /// Another browser uses the persistent profile.
    ProfileLocked = "PROFILE_LOCKED", retry true;
    /// The profile folder can't be made, read or written.
    ProfileUnusable = "PROFILE_UNUSABLE", retry false;
    /// A given endpoint answered, but not as a browser that lets us in.
    EndpointRefused = "ENDPOINT_REFUSED", retry false;
    /// Every given endpoint was tried once and none could be reached.
    EndpointsExhausted = "ENDPOINTS_EXHAUSTED", retry true;
    /// The browser is gone: process ended, socket cut, or it answers nothing any more.
    BrowserDisconnected = "BROWSER_DISCONNECTED", retry true;
    /// A browser server of somebody else's runs on Node.js, and there is none, or it is too old.
    ToolboxNodeMissing = "TOOLBOX_NODE_MISSING", retry false;
    /// A browser server of somebody else's did not come up, or does not do what one has to.
    ToolboxFailed = "TOOLBOX_FAILED", retry true;
    /// The page's renderer died.
    PageCrashed = "PAGE_CRASHED", retry true;
    /// The page's renderer answers nothing (endless script); its tab was closed.
    PageUnresponsive = "PAGE_UNRESPONSIVE", retry true;
    /// The page attacked the browser (dialog storm, popup flood); its tab was closed.
    PageHostile = "PAGE_HOSTILE", retry false;
    /// No such tab: it was closed, by us, by the page or by a person.
    TabClosed = "TAB_CLOSED", retry false;
    /// No such frame: it was removed or replaced.
    FrameDetached = "FRAME_DETACHED", retry true;
    /// A dialog of the page waits for an answer and blocks everything else.
    DialogOpen = "DIALOG_OPEN", retry true;
    /// The address is not a URL.
    InvalidUrl = "INVALID_URL", retry false;
    /// A rule forbids going there.
    NavigationBlocked = "NAVIGATION_BLOCKED", retry false;
    /// The network or the server refused the page.
    NavigationFailed = "NAVIGATION_FAILED", retry true;
    /// The page was looked at again since, or this look is not kept any more.
    StaleObservation = "STALE_OBSERVATION", retry false;
    /// The look has nothing with this number.
    ActionNotFound = "ACTION_NOT_FOUND", retry false;
    /// No such session: it was closed, or timed out, or never was this caller's.
    SessionNotFound = "SESSION_NOT_FOUND", retry false;
    /// As many sessions are open as may be.
    SessionLimit = "SESSION_LIMIT", retry true;
    /// Nobody can see it, even after scrolling.
    ElementNotVisible = "ELEMENT_NOT_VISIBLE", retry true;
    /// It is switched off.
    ElementDisabled = "ELEMENT_DISABLED", retry true;
    /// Something else lies over it.
    ElementObscured = "ELEMENT_OBSCURED", retry true;
    /// It is gone from the page, or is not what it was when it was looked at.
    ElementDetached = "ELEMENT_DETACHED", retry true;
    /// It can't be done to this kind of element, or the element has no such option.
    ActionNotApplicable = "ACTION_NOT_APPLICABLE", retry false;
    /// A proof of being human is in the way: a person has to do it.
    CaptchaBlocked = "CAPTCHA_BLOCKED", retry false;
    /// It may do what can't be undone, and nobody has said yes.
    SafetyConfirmationRequired = "SAFETY_CONFIRMATION_REQUIRED", retry false;
    /// It would have done what can't be undone, and nothing may be done for real.
    DryRunBlocked = "DRY_RUN_BLOCKED", retry false;
    /// Somebody said no.
    ApprovalDenied = "APPROVAL_DENIED", retry false;
    /// Nobody said yes in time.
    ApprovalExpired = "APPROVAL_EXPIRED", retry false;
    /// No question of this name waits for an answer.
    ApprovalNotFound = "APPROVAL_NOT_FOUND", retry false;
    /// No secret of this name may be typed there.
    SecretRefused = "SECRET_REFUSED", retry false;
    /// A saved login can't be opened: another key, or it was changed.
    LoginUnreadable = "LOGIN_UNREADABLE", retry false;
    /// No login is saved under this name.
    LoginNotFound = "LOGIN_NOT_FOUND", retry false;
    /// As much was done as may be.
    BudgetExceeded = "BUDGET_EXCEEDED", retry false;
    /// The file is in no folder that files may be uploaded from.
    UploadRefused = "UPLOAD_REFUSED", retry false;
    /// It was under way when the browser was lost: whether it was done is not known.
    UnknownOutcome = "UNKNOWN_OUTCOME", retry false;
    /// The call does not follow the tool contract.
    ContractMismatch = "CONTRACT_MISMATCH", retry false;
    /// The deadline passed; the page may be slow.
    Timeout = "TIMEOUT", retry true;
    /// The caller called it off.
    Cancelled = "CANCELLED", retry true;
    /// What stands between pages and the network could not be proved to stand: nothing is opened, or nothing that can't be undone is
    /// done.
    BarrierUnproved = "BARRIER_UNPROVED", retry false;
    /// There is no model to ask: no key, and none on this machine.
    ModelNotConfigured = "MODEL_NOT_CONFIGURED", retry false;
    /// The model did not answer, or not in a way that can be read.
    ModelFailed = "MODEL_FAILED", retry true;
    /// A file of settings can't be read or makes no sense.
    ConfigInvalid = "CONFIG_INVALID", retry false;
    /// There is no service of this name.
    ServiceUnknown = "SERVICE_UNKNOWN", retry false;
    /// A file of a service can't be read or makes no sense.
    ServiceInvalid = "SERVICE_INVALID", retry false;
    /// The command line or an option is wrong.
    Usage = "USAGE", retry false;
    /// A result could not be written where it was asked for.
    OutputFailed = "OUTPUT_FAILED", retry false;
    /// A defect in Legwork or an answer of the browser that it does not understand.
    InternalError = "INTERNAL_ERROR", retry false;
}

/// What a failure means for whoever wants to go on. It follows from the typed error, never from its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// What was to be acted on is not there, or not as it was: look again.
    ActionStale,
    /// It is there but can't be used now.
    ActionObscured,
    /// A page took too long to come.
    NavigationTimeout,
    /// The page's process is gone.
    PageCrash,
    /// The network or the server refused.
    NetworkError,
    /// The browser is gone.
    BrowserDisconnect,
    /// None of these.
    Unknown,
}

impl Code {
    /// The class of a failure with this code. That a page took too long to come can't be told from the code alone.
    pub fn class(self) -> ErrorClass {
        match self {
            Self::StaleObservation
            | Self::ActionNotFound
            | Self::ElementDetached
            | Self::ElementNotVisible
            | Self::FrameDetached => ErrorClass::ActionStale,
            Self::ElementObscured | Self::ElementDisabled => ErrorClass::ActionObscured,
            Self::PageCrashed | Self::PageUnresponsive => ErrorClass::PageCrash,
            Self::NavigationFailed => ErrorClass::NetworkError,
            Self::BrowserDisconnected | Self::EndpointsExhausted => ErrorClass::BrowserDisconnect,
            _ => ErrorClass::Unknown,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_shouted() {
        let mut seen = std::collections::HashSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.as_str()), "{code} stands twice");
            assert!(code.as_str().chars().all(|c| c.is_ascii_uppercase() || c == '_'), "{code}");
        }
    }
}
