//! The operator's secrets: what may be one, where it may be typed, and how it is kept out of everything that is told.

mod binding;
mod fitness;
mod forms;
mod glyphs;
mod mask;
mod typing;
mod value;

pub use binding::{BoundTo, NotBound, bound_to};
pub use fitness::{Unfit, fit};
pub use mask::{MASK, Mask};
pub(crate) use typing::refusal;
pub use typing::{FieldFacts, SecretKind, SecretRule};
pub use value::{SecretText, SecretValues};
