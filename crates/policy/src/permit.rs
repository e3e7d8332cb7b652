//! The right to do one thing, once.

use std::path::{Path, PathBuf};

use legwork_types::{
    Intent,
    contract::{ActionId, Dialog, Fingerprint, ObservationId, SessionId},
};

/// The right to do one thing to one page as it was looked at, once: it is given away with the deed, and can't be copied. Only
/// [`crate::judge`] makes one.
///
/// Whoever has one can read it:
///
/// ```
/// # use legwork_policy::Permit;
/// # fn read(permit: Permit) -> (legwork_types::Intent, Permit) {
/// (permit.intent().clone(), permit)
/// # }
/// ```
///
/// but nobody can write one down:
///
/// ```compile_fail,E0451
/// # use legwork_policy::Permit;
/// # fn forge(intent: legwork_types::Intent, permit: Permit) -> Permit {
/// Permit { intent, ..permit }
/// # }
/// ```
///
/// nor call its maker:
///
/// ```compile_fail,E0624
/// # fn forge(intent: legwork_types::Intent) {
/// let permit = legwork_policy::Permit::new(intent, unreachable!());
/// # }
/// ```
///
/// nor use one twice:
///
/// ```compile_fail,E0599
/// # fn twice(permit: legwork_policy::Permit) -> (legwork_policy::Permit, legwork_policy::Permit) {
/// (permit.clone(), permit)
/// # }
/// ```
///
/// ```compile_fail,E0382
/// # fn twice(permit: legwork_policy::Permit) -> (legwork_policy::Permit, legwork_policy::Permit) {
/// (permit, permit)
/// # }
/// ```
///
/// nor have one for nothing:
///
/// ```compile_fail,E0277
/// # fn for_nothing<T: Default>() -> T { T::default() }
/// let permit: legwork_policy::Permit = for_nothing();
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    intent: Intent,
    bounds: Bounds,
}

/// What a permit is bound to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) session: SessionId,
    pub(crate) observation: ObservationId,
    pub(crate) targets: Vec<(ActionId, Fingerprint)>,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) files: Vec<PathBuf>,
}

impl Permit {
    pub(crate) fn new(intent: Intent, bounds: Bounds) -> Self {
        Self { intent, bounds }
    }

    /// What may be done.
    pub fn intent(&self) -> &Intent {
        &self.intent
    }

    /// In which session.
    pub fn session(&self) -> &SessionId {
        &self.bounds.session
    }

    /// To the page as it was at this look.
    pub fn observation(&self) -> &ObservationId {
        &self.bounds.observation
    }

    /// To these elements and no others: their numbers in that look, and what they are known by.
    pub fn targets(&self) -> &[(ActionId, Fingerprint)] {
        &self.bounds.targets
    }

    /// In answer to this dialog and no other: another one may have come up meanwhile.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.bounds.dialog.as_ref()
    }

    /// With these files, links followed.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.bounds.files.iter().map(PathBuf::as_path)
    }
}
