//! Cursors: opaque to callers; inside they hold the look, how far it was read, and a digest of what was asked.

use legwork_types::contract::{Cursor, ObservationId, ObserveOptions};

use crate::error::ObserveError;

/// How much of a wrong cursor an error repeats.
const REPEATED: usize = 60;

/// Makes the cursor to the part that begins at `offset`.
pub(crate) fn encode(look: &ObservationId, offset: usize, options: &ObserveOptions) -> Cursor {
    // Usual questions have no digest: cursors stand in what models read.
    let digest = digest(options).map(|digest| format!("~{digest:08x}")).unwrap_or_default();
    Cursor(format!("{look}+{offset}{digest}"))
}

/// Where the part begins that this cursor leads to.
pub(crate) fn decode(
    cursor: &Cursor,
    look: &ObservationId,
    options: &ObserveOptions,
    total: usize,
) -> Result<usize, ObserveError> {
    let stale = || ObserveError::StaleCursor {
        current: look.clone(),
        provided: cursor.0.chars().filter(|c| !c.is_control()).take(REPEATED).collect(),
    };
    let (id, place) = cursor.0.rsplit_once('+').ok_or_else(stale)?;
    let (offset, made_for) = match place.split_once('~') {
        None => (place, None),
        Some((offset, digest)) => (offset, Some(u32::from_str_radix(digest, 16).map_err(|_| stale())?)),
    };
    if id != look.0 || !offset.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(stale());
    }
    let offset: usize = offset.parse().map_err(|_| stale())?;
    if made_for != digest(options) {
        return Err(ObserveError::OtherOptions);
    }
    if offset == 0 || offset >= total { Err(stale()) } else { Ok(offset) }
}

/// A digest of what decides which controls are listed; none for the defaults. How many come in one part, and what comes
/// with them, may change from part to part.
fn digest(options: &ObserveOptions) -> Option<u32> {
    let usual = ObserveOptions::default();
    let asked =
        (options.scope, options.include_hidden, options.include_disabled, &options.find, options.within);
    if asked == (usual.scope, usual.include_hidden, usual.include_disabled, &usual.find, usual.within) {
        return None;
    }
    // FNV-1a, folded: the same on every machine and in every version.
    let hash = format!("{asked:?}").bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Some((hash ^ hash >> 32) as u32)
}
