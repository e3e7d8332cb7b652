//! Joins the engine to its surfaces: keeps a browser alive, runs jobs on it, says what is wrong with a machine.

mod cover;
mod doctor;
mod keeper;
mod matter;
mod nothing;
mod observe;
mod random;
mod screenshot;
mod session;
mod start;
mod visit;

pub use doctor::{Check, DoctorSource, MINIMUM_MAJOR, Status, examine};
pub use keeper::{BrowserSource, Keeper, KeeperEvent};
pub use matter::Matter;
pub use observe::{LOOK, Picture, Sight, look, observe};
pub use random::boundary;
pub use screenshot::{PICTURE, Shot, screenshot};
pub use session::{
    Acted, Caller, Numbering, OpenRequest, Opened, Seen, SessionSettings, SessionSummary, Sessions, noted,
};
pub use visit::STARTUP;

// What the surfaces need to name of the engine below; they know no other way to it.
pub use legwork_browser::{
    Body, BrowserError, ConnectEvent, ContextOptions, Endpoint, EndpointError, Endpoints, Happening, Landing,
    LaunchOptions, Limit, NAVIGATION, Profile, Recorded, Sandbox, SandboxChoice, SandboxOff, Tab, VIEWPORT,
    Window,
};
pub use legwork_observe::{Boundary, Look, ObserveError, Reading, harmless, on_one_line, sanitised};
pub use legwork_policy::{Rules, WhoConfirms};
pub use tokio_util::sync::CancellationToken;
