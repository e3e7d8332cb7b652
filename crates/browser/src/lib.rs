//! A real Chromium: launch, connect, contexts, tabs, frames, navigation, screenshots. Knows nothing of prompts, policy or
//! models.

mod act;
mod barrier;
mod browser;
mod capture;
mod connect;
mod context;
mod decided;
mod diagnosis;
mod error;
mod held;
mod hub;
mod launch;
mod logins;
mod marks;
mod navigate;
mod painted;
mod prepare;
mod reach;
mod screenshot;
mod self_test;
mod tab;
mod viewport;
mod watch;
mod world;
#[cfg(feature = "yardsticks")]
mod yardstick;

pub use act::{After, Aims, Blocked, Done, NotDone};
pub use barrier::{Barrier, GivenUp, ReadsOnly, Ruling, Ticket};
pub use browser::{Browser, Origin};
pub use capture::{Capture, CaptureOptions, Epoch, HiddenControls, Located, Source};
pub use connect::{AttemptError, ConnectError, ConnectEvent, Endpoint, EndpointError, Endpoints};
pub use context::{Context, ContextOptions, TabSummary};
pub use error::BrowserError;
pub use held::{HeldRequests, Released};
#[cfg(feature = "yardsticks")]
pub use launch::unwatched_flags;
pub use launch::{
    Found, FoundBy, Holder, LaunchError, LaunchOptions, Profile, Sandbox, SandboxChoice, SandboxOff,
    SandboxRefusal, SandboxReport, TemporaryReport, UserNamespaces, Window, clear_leftovers, find_browser,
    profile_report, sandbox_report, temporary_report, version,
};
pub use legwork_cdp::{Expired, Limit, Lossy, Lost, Reply};
pub use marks::{Mark, MarkError, Rect, mark};
pub use navigate::{Body, Landing, NAVIGATION};
pub use painted::{PaintedFrame, PaintedLabel, PaintedLine, PaintedText};
pub use prepare::Thrift;
pub use reach::Reach;
pub use self_test::Attempts;
pub(crate) use tab::DialogAnswer;
pub use tab::Tab;
pub use viewport::{Viewport, ViewportError};
pub use world::{DialogKind, DownloadLimits, Frame, Gone, Happening, OpenDialog, Recorded};
#[cfg(feature = "yardsticks")]
pub use yardstick::waiting_kinds;

#[cfg(test)]
mod tests;
