//! The ports of all instances of this user at this moment. The list is read again when it has changed, and only then: who asks does so
//! for every request.

use std::{
    collections::BTreeSet,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use legwork_egress::PortsBeside;

use super::{folder, running_in};

/// A folder that changed so lately may change again without showing it: clocks of file systems are coarse.
const COARSE: Duration = Duration::from_millis(100);

/// Knows the ports of all instances of this user.
#[derive(Debug, Default)]
pub(crate) struct Neighbours(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The folders as they were when they were read; none where that may not be all of it.
    stamps: Option<Vec<Option<Stamp>>>,
    ports: Arc<BTreeSet<u16>>,
}

/// What changes when something in a folder comes or goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    changed: SystemTime,
}

impl Neighbours {
    /// The ports as they are now. The same value as before as long as they are the same.
    pub(crate) fn ports(&self) -> Arc<BTreeSet<u16>> {
        self.ports_in(&folder::places())
    }

    fn ports_in(&self, places: &[PathBuf]) -> Arc<BTreeSet<u16>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps: Vec<Option<Stamp>> = places.iter().map(|place| stamp(place)).collect();
        if known.stamps.as_ref() != Some(&stamps) {
            let is_settled = stamps.iter().flatten().all(Stamp::is_settled);
            let ours = places.iter().filter(|place| folder::is_ours(place));
            let ports: BTreeSet<u16> =
                ours.flat_map(|place| running_in(place)).flat_map(|running| running.ports).collect();
            if ports != *known.ports {
                known.ports = Arc::new(ports);
            }
            known.stamps = is_settled.then_some(stamps);
        }
        known.ports.clone()
    }
}

impl PortsBeside for Neighbours {
    fn ports(&self) -> Arc<BTreeSet<u16>> {
        Self::ports(self)
    }
}

impl Stamp {
    fn is_settled(&self) -> bool {
        self.changed.elapsed().is_ok_and(|since| since > COARSE)
    }
}

fn stamp(folder: &Path) -> Option<Stamp> {
    let meta = folder.symlink_metadata().ok()?;
    Some(Stamp { inode: meta.ino(), changed: meta.modified().ok()? })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;
    use crate::Instance;

    #[test]
    fn instances_are_known_as_they_come_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let places = [folder.path().to_owned(), folder.path().join("none")];
        let neighbours = Neighbours::default();
        let ports = || neighbours.ports_in(&places);
        assert_eq!(*ports(), [].into());
        let one = Instance::enter_in(folder.path(), &[8931].into()).unwrap();
        assert_eq!(*ports(), [8931].into());
        let two = Instance::enter_in(folder.path(), &[1].into()).unwrap();
        assert_eq!(*ports(), [1, 8931].into());
        drop(one);
        assert_eq!(*ports(), [1].into());
        drop(two);
        assert_eq!(*ports(), [].into());
    }

    #[test]
    fn a_list_that_has_not_changed_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let places = [folder.path().to_owned()];
        let neighbours = Neighbours::default();
        let _one = Instance::enter_in(folder.path(), &[8931].into()).unwrap();
        let entry = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        let date = || File::open(folder.path()).unwrap().set_modified(long_ago).unwrap();
        date();
        let first = neighbours.ports_in(&places);
        assert_eq!(*first, [8931].into());
        // Were it read again, it would be another list.
        fs::write(&entry, "9999").unwrap();
        assert!(Arc::ptr_eq(&first, &neighbours.ports_in(&places)));
        File::open(folder.path()).unwrap().set_modified(long_ago + Duration::from_secs(1)).unwrap();
        assert_eq!(*neighbours.ports_in(&places), [9999].into());
    }
}
