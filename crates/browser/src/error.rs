//! What can go wrong with a browser, told apart by what the caller can do about it.

use legwork_cdp::{CdpError, Lost};
use legwork_policy::places::Denial;
use legwork_types::{Code, Details, ErrorClass, PageUrl, Problem};

use crate::{
    connect::ConnectError,
    launch::LaunchError,
    navigate::{ANSWER, OPENING},
    world::{DialogKind, Gone},
};

/// The failure of one request to a browser.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BrowserError {
    /// It could not be started.
    #[error(transparent)]
    Launch(#[from] std::sync::Arc<LaunchError>),
    /// No given endpoint could be used.
    #[error(transparent)]
    Connect(#[from] std::sync::Arc<ConnectError>),
    /// The browser itself is gone. Nothing may swallow this one.
    #[error("Browser connection lost{}: {cause}", at(url))]
    Lost {
        /// Why.
        cause: Lost,
        /// Where the tab was, if a tab was asked.
        url: Option<String>,
    },
    /// The tab is gone.
    #[error("{}{}", gone_text(*.gone), at(&Some(url.clone())))]
    TabGone {
        /// How it ended.
        gone: Gone,
        /// Where it was.
        url: String,
    },
    /// The frame is gone, or moves between processes.
    #[error("the frame is gone")]
    FrameGone,
    /// A frame answers nothing any more, although its page does.
    #[error("a frame of the page answers nothing any more{}", at(&Some(url.clone())))]
    FrameHung {
        /// Where the page is.
        url: String,
    },
    /// The profile's own context is in use already.
    #[error("this profile has one context only, and it is in use")]
    ContextInUse,
    /// A dialog waits for an answer and blocks the page.
    #[error("a dialog of the page waits for an answer")]
    DialogOpen {
        /// Its kind.
        kind: DialogKind,
        /// What it says; untrusted.
        message: String,
    },
    /// The page could not be reached.
    #[error("{url} could not be opened: {net}")]
    Navigation {
        /// Where to.
        url: String,
        /// The network's own word, `net::ERR_…`, or `download`.
        net: String,
    },
    /// The deadline passed, although page and browser answer.
    #[error("{what} took too long{}", at(&Some(url.clone())))]
    Timeout {
        /// What was waited for.
        what: &'static str,
        /// Where.
        url: String,
    },
    /// The caller called it off.
    #[error("{what} was called off")]
    Cancelled {
        /// What was waited for.
        what: &'static str,
    },
    /// Nothing may go there.
    #[error(transparent)]
    Denied(Box<Denial>),
    /// What stands between pages and the network could not be proved to stand.
    #[error("it could not be proved that pages can't get past the gate")]
    Unproved {
        /// Why not.
        why: String,
    },
    /// A picture would show a secret, and nobody can tell where.
    #[error("the picture is kept back: it would show a secret, and it is not known where")]
    PictureKeptBack,
    /// There is no such tab.
    #[error("there is no such tab")]
    NoSuchTab,
    /// The browser refused or answered in a way that we do not understand.
    #[error("unexpected answer of the browser: {0}")]
    Protocol(CdpError),
}

fn at(url: &Option<String>) -> String {
    url.as_deref().filter(|url| !url.is_empty()).map(|url| format!(" at {url}")).unwrap_or_default()
}

fn gone_text(gone: Gone) -> &'static str {
    match gone {
        Gone::Closed => "the tab was closed",
        Gone::Crashed => "the page crashed",
        Gone::GaveUp => "the page crashed, perhaps for want of memory",
        Gone::Unresponsive => "the page answered nothing any more and was closed",
        Gone::Hostile(_) => "the page attacked the browser and was closed",
    }
}

/// A tab that has shown nothing yet has no address worth telling.
fn is_nowhere(url: &str) -> bool {
    matches!(url, "" | "about:blank")
}

fn gone_at(url: &str, may_lack_memory: bool) -> Details {
    Details::Gone { gone_at: url.into(), may_lack_memory }
}

/// What stands in the place of a network error where a file comes down.
pub(crate) const DOWNLOAD: &str = "download";

impl BrowserError {
    /// Whether the browser itself is gone, so that only a new one helps.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Lost { .. })
    }

    /// Whether there is no page because the address is a file, which comes down instead.
    pub(crate) fn is_download(&self) -> bool {
        matches!(self, Self::Navigation { net, .. } if net == DOWNLOAD)
    }

    /// What it means for whoever wants to go on.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Timeout { what: OPENING | ANSWER, .. } => ErrorClass::NavigationTimeout,
            error => Problem::from(error).code.class(),
        }
    }

    /// A picture came that is none.
    pub fn unreadable_picture(detail: String) -> Self {
        Self::Protocol(CdpError::Unreadable { method: "Page.captureScreenshot", detail })
    }

    /// The same for a tab that was on its way to `asked`.
    pub(crate) fn on_the_way_to(self, asked: &PageUrl) -> Self {
        let asked = asked.to_string();
        match self {
            Self::Timeout { what, .. } => Self::Timeout { what, url: asked },
            Self::TabGone { gone, url } if is_nowhere(&url) => Self::TabGone { gone, url: asked },
            Self::Lost { cause, url } if url.as_deref().is_none_or(is_nowhere) => {
                Self::Lost { cause, url: Some(asked) }
            }
            other => other,
        }
    }

    /// For commands to the browser as a whole.
    pub(crate) fn of_browser(error: CdpError, what: &'static str) -> Self {
        match error {
            CdpError::Lost(cause) => Self::Lost { cause, url: None },
            CdpError::Deadline { .. } => Self::Timeout { what, url: String::new() },
            CdpError::Cancelled { .. } => Self::Cancelled { what },
            other => Self::Protocol(other),
        }
    }
}

impl From<Lost> for BrowserError {
    fn from(cause: Lost) -> Self {
        Self::Lost { cause, url: None }
    }
}

impl From<&BrowserError> for Problem {
    fn from(error: &BrowserError) -> Self {
        let message = error.to_string();
        match error {
            BrowserError::Launch(error) => Problem::from(&**error),
            BrowserError::Connect(error) => Problem::from(&**error),
            BrowserError::Lost { cause, url } => {
                let hint = "run the command again: it starts a new browser";
                let problem = Problem::new(Code::BrowserDisconnected, message, hint).because(cause.to_string());
                match url.as_deref().filter(|url| !is_nowhere(url)) {
                    Some(url) => problem.with(gone_at(url, false)),
                    None => problem,
                }
            }
            BrowserError::TabGone { gone, url } => {
                let (code, hint) = match gone {
                    Gone::Closed => (Code::TabClosed, "use another tab or open a new one"),
                    Gone::Crashed => {
                        (Code::PageCrashed, "load the page again; if it crashes again it is too heavy")
                    }
                    Gone::GaveUp => {
                        (Code::PageCrashed, "load it again; if it crashes again it needs more memory than there is")
                    }
                    Gone::Unresponsive => {
                        (Code::PageUnresponsive, "the page runs an endless script; try another page")
                    }
                    Gone::Hostile(_) => (Code::PageHostile, "leave this page alone"),
                };
                let problem = Problem::new(code, message, hint);
                match gone {
                    Gone::Hostile(why) => problem.because(*why),
                    Gone::Crashed => problem.with(gone_at(url, false)),
                    Gone::GaveUp => problem.with(gone_at(url, true)),
                    Gone::Closed | Gone::Unresponsive => problem,
                }
            }
            BrowserError::FrameGone => Problem::new(Code::FrameDetached, message, "look at the page again"),
            // The page itself lives on.
            BrowserError::FrameHung { .. } => Problem::new(
                Code::Timeout,
                message,
                "work without this frame, or load the page again",
            ),
            BrowserError::ContextInUse => Problem::new(
                Code::ProfileLocked,
                message,
                "close what uses it first, or work without a persistent profile",
            ),
            BrowserError::DialogOpen { kind, message: says } => {
                Problem::new(Code::DialogOpen, message, "accept or dismiss the dialog first")
                    .because(format!("{kind:?}: {says:?}"))
            }
            BrowserError::Navigation { url, net } => Problem::new(
                Code::NavigationFailed,
                format!("{url} could not be opened"),
                navigation_hint(net),
            )
            .because(net.clone())
            .with(Details::Network { net: net.clone() }),
            BrowserError::Timeout { .. } => {
                Problem::new(Code::Timeout, message, "the page is slow: try again or allow more time")
            }
            BrowserError::Cancelled { .. } => {
                Problem::new(Code::Cancelled, message, "run it again when you like")
            }
            BrowserError::Denied(denial) => Problem::from(&**denial),
            BrowserError::Unproved { why } => Problem::new(
                Code::BarrierUnproved,
                message,
                "nothing was opened; run `legwork doctor`, and if a browser of your own is named, use the system's",
            )
            .because(why.clone()),
            BrowserError::PictureKeptBack => {
                Problem::new(Code::SecretRefused, message, "read the page by its words instead")
                    .with(Details::Rule { rule: "picture".into() })
            }
            BrowserError::NoSuchTab => {
                Problem::new(Code::TabClosed, message, "list the tabs and choose one of them")
            }
            BrowserError::Protocol(cause) => Problem::new(
                Code::InternalError,
                "the browser gave an answer that Legwork does not understand",
                "run `legwork doctor`; if the browser is a recent one, report this as a defect",
            )
            .because(cause.to_string()),
        }
    }
}

fn navigation_hint(net: &str) -> &'static str {
    match net {
        "net::ERR_NAME_NOT_RESOLVED" => "check the spelling of the host name and the network",
        "net::ERR_CONNECTION_REFUSED" => "check the port and that the server is running",
        "net::ERR_INTERNET_DISCONNECTED" | "net::ERR_ADDRESS_UNREACHABLE" => "check the network",
        "net::ERR_TOO_MANY_REDIRECTS" => "the server sends the browser in circles; try another address",
        "net::ERR_UNSAFE_PORT" => "browsers do not open pages on this port; serve it on another one",
        "net::ERR_EMPTY_RESPONSE"
        | "net::ERR_CONNECTION_CLOSED"
        | "net::ERR_CONNECTION_RESET"
        | "net::ERR_SOCKET_NOT_CONNECTED" => {
            "the server hung up without an answer: see that it speaks HTTP on this port, or try again later"
        }
        "net::ERR_ABORTED" => {
            "the server answered with nothing to show, as with HTTP 204, or the page was left: try another address"
        }
        DOWNLOAD => "the address is a file to download, not a page",
        _ if net.starts_with("net::ERR_CERT") => {
            "the server's certificate is not valid; do not enter anything there until its owner has mended it"
        }
        _ => "check the address and that the server is up, then try again",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_network_said_is_told_to_programs_too() {
        let error = BrowserError::Navigation { url: "http://a.test/".into(), net: "net::ERR_FAILED".into() };
        let details = Problem::from(&error).details.map(|details| *details);
        assert_eq!(details, Some(Details::Network { net: "net::ERR_FAILED".into() }));
    }

    #[test]
    fn classes_follow_from_the_typed_error() {
        let url = || "https://example.org/".to_owned();
        let gone = |gone| BrowserError::TabGone { gone, url: url() };
        for (error, class) in [
            (BrowserError::Timeout { what: OPENING, url: url() }, ErrorClass::NavigationTimeout),
            (BrowserError::Timeout { what: "anything else", url: url() }, ErrorClass::Unknown),
            (BrowserError::FrameGone, ErrorClass::ActionStale),
            (gone(Gone::Crashed), ErrorClass::PageCrash),
            (gone(Gone::GaveUp), ErrorClass::PageCrash),
            (gone(Gone::Closed), ErrorClass::Unknown),
            (BrowserError::Lost { cause: Lost::Ended, url: None }, ErrorClass::BrowserDisconnect),
            (
                BrowserError::Navigation { url: url(), net: "net::ERR_FAILED".into() },
                ErrorClass::NetworkError,
            ),
        ] {
            assert_eq!(error.class(), class, "{error:?}");
        }
    }
}
