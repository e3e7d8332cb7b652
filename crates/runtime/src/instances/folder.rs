//! Folders where this user's instances find each other: nobody else may enter them.

use std::{
    env,
    fs::{self, DirBuilder, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::process::geteuid;

/// Where the folder may be, the best place first: in the user's own place for such things, else beside temporary files.
pub(super) fn places() -> Vec<PathBuf> {
    let named = env::var_os("XDG_RUNTIME_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = named.filter(|place| place.is_absolute()).map(|place| place.join("legwork"));
    let shared = env::temp_dir().join(format!("legwork-run-{}", geteuid().as_raw()));
    own.into_iter().chain([shared]).collect()
}

/// The first of these folders that can be made or used.
pub(super) fn first_usable(places: &[PathBuf]) -> io::Result<PathBuf> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "there is no place for it");
    for place in places {
        match make(place) {
            Ok(()) => return Ok(place.clone()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Makes a folder that nobody else may enter, or finds it to be one.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    if !is_ours(folder) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "the folder is somebody else's, or a link",
        ));
    }
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Whether it is a folder of this user. In a place where everyone may write, someone else may have put a link or a folder of theirs
/// under that name.
pub(crate) fn is_ours(folder: &Path) -> bool {
    let Ok(meta) = folder.symlink_metadata() else { return false };
    meta.is_dir() && meta.uid() == geteuid().as_raw() && meta.mode() & 0o022 == 0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_is_private_and_a_link_in_its_place_is_passed_over() {
        let place = tempfile::tempdir().unwrap();
        let (link, own) = (place.path().join("link"), place.path().join("own"));
        let elsewhere = tempfile::tempdir().unwrap();
        symlink(elsewhere.path(), &link).unwrap();
        let used = first_usable(&[link.clone(), place.path().join("no/such"), own.clone()]).unwrap();
        assert_eq!(used, own);
        assert_eq!(own.metadata().unwrap().mode() & 0o777, 0o700);
        assert!(!is_ours(&link) && first_usable(&[link]).is_err());
    }

    #[test]
    fn a_folder_that_others_may_write_into_is_not_used() {
        let place = tempfile::tempdir().unwrap();
        let open = place.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
        assert!(first_usable(std::slice::from_ref(&open)).is_err());
    }
}
