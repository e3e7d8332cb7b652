//! What a page offers: from its capture to a ranked, bounded observation, and to the text that a model reads. Pure: no
//! browser, no clock, no waiting.

pub mod capture;
mod cursor;
mod delta;
mod digest;
mod drawn;
mod error;
pub mod expect;
mod fold;
mod look;
mod part;
mod prose;
mod rank;
mod sameness;
mod scene;
mod select;
mod story;
pub mod tokens;
mod veil;
mod view;

pub use capture::PageCapture;
pub use error::ObserveError;
pub use look::Look;
pub use scene::{
    ElementRef, FramePlace, Group, GroupIndex, Item, ItemIndex, Line, OutlineLine, Scene, SceneBlocker,
    SceneForm, Veiled, are_for_a_code, calls_for, risk_of_words,
};
pub use veil::Veil;
pub use view::{Boundary, Reading, harmless, json::sanitised, on_one_line};
