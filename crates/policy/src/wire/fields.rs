//! A bounded list of fields that is filled while a request is taken apart.

use super::decoded::{Field, MOST_FIELDS, Opaque, Place};

/// Fields so far.
#[derive(Debug, Default)]
pub(super) struct Fields(pub(super) Vec<Field>);

impl Fields {
    /// Adds one, if there is room.
    pub(super) fn add(&mut self, place: Place, name: String, value: String) -> Result<(), Opaque> {
        if self.0.len() >= MOST_FIELDS {
            return Err(Opaque::TooLarge);
        }
        self.0.push(Field { name, value, place });
        Ok(())
    }
}
