//! Why one attempt at one endpoint failed, and whether somebody has to change something because of it.

use std::io;

use legwork_cdp::CdpError;
use serde::{Serialize, Serializer};

/// Why one attempt failed. Holds no part of the endpoint's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AttemptError {
    /// Nothing, or not enough, came in time.
    #[error("no answer in time")]
    Timeout,
    /// Nobody listens there.
    #[error("the connection was refused")]
    ConnectionRefused,
    /// The line was cut.
    #[error("the connection was reset")]
    ConnectionReset,
    /// The other side hung up before it had answered.
    #[error("the connection was closed before an answer came")]
    ConnectionClosed,
    /// There is no way to that host.
    #[error("the host can't be reached")]
    Unreachable,
    /// The host's name is not known.
    #[error("the host's name can't be resolved")]
    NameResolution,
    /// This machine could not open or use a socket.
    #[error("the network could not be used ({0})")]
    Io(io::ErrorKind),
    /// It answered with an HTTP status that does not help.
    #[error("it answered HTTP {0}")]
    Status(u16),
    /// It wants to send us elsewhere.
    #[error("it answered with a redirect (HTTP {0})")]
    Redirect(u16),
    /// It does not speak HTTP.
    #[error("it does not speak HTTP")]
    NotHttp,
    /// It answered with more than an answer can be.
    #[error("its answer is too large")]
    TooLarge,
    /// It answered with a web page.
    #[error("it answered with a web page")]
    Html,
    /// It answered with something else than JSON.
    #[error("its answer is not JSON")]
    NotJson,
    /// It answered with JSON of another shape.
    #[error("its answer is not that of a browser")]
    WrongJson,
    /// It answered like a browser, but names no WebSocket.
    #[error("its answer has no webSocketDebuggerUrl")]
    NoDebuggerUrl,
    /// It names a WebSocket that can't be used.
    #[error("its webSocketDebuggerUrl is not a ws: address")]
    BadDebuggerUrl,
    /// The address can't be put into a request.
    #[error("its address can't be used in a request")]
    BadAddress,
    /// It does not become a WebSocket.
    #[error("it does not speak WebSocket")]
    BadHandshake,
    /// It speaks WebSocket, but not as a browser.
    #[error("it does not answer as a browser")]
    NotABrowser,
}

impl AttemptError {
    /// Whether it will be the same at the next try: somebody has to change something. The others are the network's faults.
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::Timeout
            | Self::ConnectionRefused
            | Self::ConnectionReset
            | Self::ConnectionClosed
            | Self::Unreachable
            | Self::NameResolution
            // What a gateway says about a browser that is not there.
            | Self::Status(502..=504) => false,
            Self::Io(_)
            | Self::Status(_)
            | Self::Redirect(_)
            | Self::NotHttp
            | Self::TooLarge
            | Self::Html
            | Self::NotJson
            | Self::WrongJson
            | Self::NoDebuggerUrl
            | Self::BadDebuggerUrl
            | Self::BadAddress
            | Self::BadHandshake
            | Self::NotABrowser => true,
        }
    }

    /// The name under which events and lists show this error.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Timeout => "Timeout",
            Self::ConnectionRefused => "ConnectionRefused",
            Self::ConnectionReset => "ConnectionReset",
            Self::ConnectionClosed => "ConnectionClosed",
            Self::Unreachable => "Unreachable",
            Self::NameResolution => "NameResolution",
            Self::Io(_) => "Io",
            Self::Status(status) => status_name(*status),
            Self::Redirect(_) => "Redirect",
            Self::NotHttp => "NotHttp",
            Self::TooLarge => "TooLarge",
            Self::Html => "Html",
            Self::NotJson => "NotJson",
            Self::WrongJson => "WrongJson",
            Self::NoDebuggerUrl => "NoDebuggerUrl",
            Self::BadDebuggerUrl => "BadDebuggerUrl",
            Self::BadAddress => "BadAddress",
            Self::BadHandshake => "BadHandshake",
            Self::NotABrowser => "NotABrowser",
        }
    }

    /// What the reader can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Status(401 | 403) => {
                "the endpoint wants a token: put it into the address (http://HOST:PORT/?token=…), or check the one that is there"
            }
            Self::Status(500) => {
                "Chromium refuses requests by host name: give its IP address instead, or look into the endpoint's log"
            }
            Self::Status(502..=504) => "the gateway has no browser behind it: start one, then try again",
            Self::Redirect(_) => {
                "redirects are not followed: give the address that the endpoint redirects to, if it is a browser's"
            }
            Self::BadDebuggerUrl => {
                "the endpoint names a WebSocket over TLS or none at all: use an ssh tunnel to the browser's own port"
            }
            Self::BadAddress => "write a plain address, for example http://127.0.0.1:9222",
            Self::Io(_) => "check this machine's network and its limit of open files",
            Self::Timeout
            | Self::ConnectionRefused
            | Self::ConnectionReset
            | Self::ConnectionClosed
            | Self::Unreachable
            | Self::NameResolution => {
                "check host and port, and that the browser runs with --remote-debugging-port=9222 and can be reached from here"
            }
            Self::Status(_)
            | Self::NotHttp
            | Self::TooLarge
            | Self::Html
            | Self::NotJson
            | Self::WrongJson
            | Self::NoDebuggerUrl
            | Self::BadHandshake
            | Self::NotABrowser => {
                "this port is not a browser's debugging port; start the browser with --remote-debugging-port=9222"
            }
        }
    }

    /// The failure behind an HTTP status other than the wished one.
    pub(super) fn of_status(status: u16) -> Self {
        match status {
            300..=399 => Self::Redirect(status),
            _ => Self::Status(status),
        }
    }
}

/// By its name.
impl Serialize for AttemptError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Names are static so that nothing of what the endpoint sends can get into an event.
fn status_name(status: u16) -> &'static str {
    match status {
        400 => "Http400",
        401 => "Http401",
        403 => "Http403",
        404 => "Http404",
        407 => "Http407",
        429 => "Http429",
        500 => "Http500",
        502 => "Http502",
        503 => "Http503",
        504 => "Http504",
        _ => "HttpStatus",
    }
}

impl AttemptError {
    /// What a browser's answer to its first commands means; none where the caller called it off.
    pub(crate) fn of_greeting(error: &CdpError) -> Option<Self> {
        match error {
            CdpError::Cancelled { .. } => None,
            CdpError::Deadline { .. } => Some(Self::Timeout),
            CdpError::Lost(_) => Some(Self::ConnectionClosed),
            CdpError::Refused { .. }
            | CdpError::Unreadable { .. }
            | CdpError::TooLarge { .. }
            | CdpError::SessionGone { .. } => Some(Self::NotABrowser),
        }
    }
}

impl From<&io::Error> for AttemptError {
    fn from(error: &io::Error) -> Self {
        use io::ErrorKind as Kind;
        match error.kind() {
            Kind::TimedOut => Self::Timeout,
            Kind::ConnectionRefused => Self::ConnectionRefused,
            Kind::ConnectionReset | Kind::ConnectionAborted | Kind::BrokenPipe => Self::ConnectionReset,
            Kind::UnexpectedEof | Kind::NotConnected => Self::ConnectionClosed,
            Kind::HostUnreachable | Kind::NetworkUnreachable | Kind::NetworkDown => Self::Unreachable,
            kind => Self::Io(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use AttemptError::*;

    use super::*;

    #[test]
    fn the_networks_faults_may_pass_and_all_others_last() {
        let network = [
            (Timeout, "Timeout"),
            (ConnectionRefused, "ConnectionRefused"),
            (ConnectionReset, "ConnectionReset"),
            (ConnectionClosed, "ConnectionClosed"),
            (Unreachable, "Unreachable"),
            (NameResolution, "NameResolution"),
            (Status(502), "Http502"),
            (Status(503), "Http503"),
            (Status(504), "Http504"),
        ];
        let lasting = [
            (Io(io::ErrorKind::PermissionDenied), "Io"),
            (Status(200), "HttpStatus"),
            (Status(400), "Http400"),
            (Status(401), "Http401"),
            (Status(403), "Http403"),
            (Status(404), "Http404"),
            (Status(429), "Http429"),
            (Status(500), "Http500"),
            (Status(501), "HttpStatus"),
            (Status(505), "HttpStatus"),
            (Redirect(302), "Redirect"),
            (NotHttp, "NotHttp"),
            (TooLarge, "TooLarge"),
            (Html, "Html"),
            (NotJson, "NotJson"),
            (WrongJson, "WrongJson"),
            (NoDebuggerUrl, "NoDebuggerUrl"),
            (BadDebuggerUrl, "BadDebuggerUrl"),
            (BadAddress, "BadAddress"),
            (BadHandshake, "BadHandshake"),
            (NotABrowser, "NotABrowser"),
        ];
        for (error, name) in network {
            assert_eq!((error.is_lasting(), error.name()), (false, name));
        }
        for (error, name) in lasting {
            assert_eq!((error.is_lasting(), error.name()), (true, name));
        }
    }

    #[test]
    fn socket_errors_become_reasons() {
        use io::ErrorKind as Kind;
        for (kind, expected) in [
            (Kind::ConnectionRefused, ConnectionRefused),
            (Kind::ConnectionReset, ConnectionReset),
            (Kind::BrokenPipe, ConnectionReset),
            (Kind::UnexpectedEof, ConnectionClosed),
            (Kind::TimedOut, Timeout),
            (Kind::NetworkUnreachable, Unreachable),
            (Kind::HostUnreachable, Unreachable),
            (Kind::PermissionDenied, Io(Kind::PermissionDenied)),
        ] {
            assert_eq!(AttemptError::from(&io::Error::from(kind)), expected);
        }
    }
}
