//! The tool contract (BIC v0.1): what an observation is, word for word as it goes over the wire.

mod affordance;
mod observation;
mod options;
mod page;

pub use affordance::{
    ActionId, Affordance, Constraints, ElementRect, Fingerprint, FrameNumber, Landmark, Risk, RiskLevel,
    Toggle,
};
pub use observation::{
    Change, Delta, Form, FormField, Observation, ObservationId, Omitted, SCHEMA_VERSION, SessionId,
};
pub use options::{Cursor, Find, Include, Mode, ObserveOptions, Scope, Within};
pub use page::{
    Banner, Blocker, BlockerKind, BlockingOverlay, Dialog, FrameSummary, LoadState, Modal, Page, Severity,
    Tab, Viewport,
};
