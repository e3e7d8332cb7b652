//! How a look is shown: as text for models, as JSON for programs.

mod block;
pub(crate) mod escape;
mod fence;
mod header;
pub(crate) mod json;
mod layout;
mod line;
mod margin;
pub(crate) mod text;
mod told;

use legwork_types::contract::Observation;

pub use escape::{harmless, on_one_line};
pub use fence::Boundary;

/// One part of a look in both forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// For models: whatever the page wrote stands in a fence.
    pub text: String,
    /// For programs.
    pub observation: Observation,
}
