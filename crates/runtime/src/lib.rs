//! Joins the engine to its surfaces: keeps a browser alive, runs jobs on it, says what is wrong with a machine.

mod approvals;
mod cover;
mod doctor;
mod enclosure;
pub mod errands;
mod gate;
mod instances;
mod keeper;
mod logins;
mod matter;
mod nothing;
mod observe;
mod random;
mod screenshot;
mod self_test;
pub mod services;
mod session;
pub mod slips;
mod start;
mod trusted;
mod vault;
mod visit;
pub mod words;

pub use approvals::{
    Answer, Approval, ApprovalId, Approvals, LONGEST_LIFE, NotDecided, Question, Standing, USUAL_LIFE,
};
pub use doctor::{Check, DoctorSource, FlagTest, MINIMUM_MAJOR, Status, examine};
pub use gate::{AfterYes, EndpointTrust, Hand, WireSettings};
pub use instances::{Instance, Running, running};
pub use keeper::{BrowserSource, Keeper, KeeperEvent, SelfTest};
pub use logins::{LoginKey, LoginSpec, LoginSpecError, Logins, SavedLogin, forget_login, saved_logins};
pub use matter::Matter;
pub use observe::{LOOK, Picture, Sight, look, observe};
pub use random::boundary;
pub use screenshot::{PICTURE, Shot, screenshot};
pub use session::{
    Acted, Besides, Caller, Clerk, Decided, Doings, Noting, Numbering, OpenRequest, Opened, Seen,
    SessionSettings, SessionSummary, Sessions, noted,
};
pub use trusted::{Distrust, trusted_text};
pub use vault::{SecretSpec, SpecError, Vault, read_specs, without_credentials_of_others};
pub use visit::STARTUP;

// What the surfaces need to name of the engine below; they know no other way to it.
pub use legwork_browser::{
    AttemptError, Body, BrowserError, ConnectEvent, ContextOptions, Endpoint, EndpointError, Endpoints,
    Happening, Landing, LaunchOptions, Limit, NAVIGATION, Profile, Recorded, Sandbox, SandboxChoice,
    SandboxOff, Tab, Thrift, Viewport, Window, clear_leftovers,
};
pub use legwork_observe::{Boundary, Look, ObserveError, Reading, harmless, on_one_line, sanitised};
pub use legwork_policy::{
    Permit, Rules, WhoConfirms, Wire,
    examples::{Access, ExampleForm, Expected, PlaceExample, RequestExample, Surprise, WirePolicy},
    hide_credentials,
    places::{Confines, OwnPorts, PlaceRule, Reach, Resolution},
    secrets::Mask,
    wire::{Card, CardField, Mode, Place as FieldPlace, PrepareRule, TelemetryRule},
};
pub use tokio_util::sync::CancellationToken;
