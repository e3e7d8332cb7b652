//! The tool contract (BIC v0.1): what an observation is, and what an act and its answer are, word for word as they go over the
//! wire.

mod act;
mod action;
mod affordance;
mod caught;
mod observation;
mod options;
mod page;
mod receipt;

pub use act::{ActRequest, ActResponse, ElementPattern, Expect, ExpectedValue, RequestPattern, Verification};
pub use action::{Action, Direction, FieldValue, FormFill, Modifier, MouseButton, Target, WaitFor};

pub use affordance::{
    ActionId, Affordance, Constraints, ElementRect, Fingerprint, FrameNumber, Landmark, Risk, RiskLevel,
    Toggle,
};
pub use caught::{CaughtField, CaughtRequest};
pub use observation::{
    Change, Delta, Form, FormField, Observation, ObservationId, Omitted, SCHEMA_VERSION, SessionId,
};
pub use options::{Cursor, Find, Include, Mode, ObserveOptions, Scope, Within};
pub use page::{
    Banner, Blocker, BlockerKind, BlockingOverlay, Dialog, FrameSummary, LoadState, Modal, Page, Severity,
    Tab, Viewport,
};
pub use receipt::{Download, Effects, Navigated, Receipt, RequestVerdict, SentRequest, ShownDialog};
