//! Which instances of Legwork this user runs. Each leaves its ports, and the way to its desk, where only this user can read them: no
//! page that one instance drives may reach what another one serves, and a terminal finds the questions of all.

pub(crate) mod folder;
mod neighbours;

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process,
};

pub(crate) use self::neighbours::Neighbours;
use crate::random;

/// How the names of the two files of an instance end.
const PORTS: &str = "ports";
const SOCKET: &str = "sock";
/// As much of a list of ports is read.
const LONGEST: u64 = 4_096;

/// This instance, as others of the same user see it. It is taken off the list when this is dropped; where that was not possible, its
/// lock is free and whoever reads the list next takes it off.
#[derive(Debug)]
pub struct Instance {
    ports: PathBuf,
    socket: PathBuf,
    /// Locked for as long as the instance lives.
    _lock: File,
}

/// An instance that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The ports that it serves.
    pub ports: BTreeSet<u16>,
    /// Where its desk is, if it has one.
    pub socket: PathBuf,
}

impl Instance {
    /// Puts this instance on the list, with the ports that it serves.
    pub fn enter(ports: &BTreeSet<u16>) -> io::Result<Self> {
        Self::enter_in(&folder::first_usable(&folder::places())?, ports)
    }

    fn enter_in(folder: &Path, ports: &BTreeSet<u16>) -> io::Result<Self> {
        let name = random::name(&format!("{}-", process::id()));
        let [new, listed, socket] = ["new", PORTS, SOCKET].map(|end| folder.join(format!("{name}.{end}")));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        let list = |file: &mut File| -> io::Result<()> {
            file.try_lock().map_err(io::Error::from)?;
            ports.iter().try_for_each(|port| writeln!(file, "{port}"))?;
            // Listed once it is locked: an entry without a lock is a leftover.
            fs::rename(&new, &listed)
        };
        if let Err(error) = list(&mut file) {
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        Ok(Self { ports: listed, socket, _lock: file })
    }

    /// Where its desk is to be.
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.socket);
        let _ = fs::remove_file(&self.ports);
    }
}

/// The instances of this user that run. What killed ones left is removed.
pub fn running() -> Vec<Running> {
    folder::places()
        .iter()
        .filter(|place| folder::is_ours(place))
        .flat_map(|place| running_in(place))
        .collect()
}

fn running_in(folder: &Path) -> Vec<Running> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let lists = paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == PORTS));
    lists.filter_map(|path| read(&path)).collect()
}

/// One entry of the list; none where whoever wrote it is no more.
fn read(path: &Path) -> Option<Running> {
    let file = File::open(path).ok()?;
    let socket = path.with_extension(SOCKET);
    if file.try_lock_shared().is_ok() {
        let _ = fs::remove_file(&socket);
        let _ = fs::remove_file(path);
        return None;
    }
    let text = io::read_to_string(io::Read::take(file, LONGEST)).unwrap_or_default();
    Some(Running { ports: text.lines().filter_map(|line| line.parse().ok()).collect(), socket })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_is_on_the_list_for_as_long_as_it_lives() {
        let folder = tempfile::tempdir().unwrap();
        let one = Instance::enter_in(folder.path(), &[8931, 40_000].into()).unwrap();
        let two = Instance::enter_in(folder.path(), &[1].into()).unwrap();
        let ports =
            || running_in(folder.path()).into_iter().flat_map(|one| one.ports).collect::<BTreeSet<_>>();
        assert_eq!(ports(), [1, 8931, 40_000].into());
        fs::write(one.socket(), "").unwrap();
        drop(one);
        assert_eq!(ports(), [1].into());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        drop(two);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_instance_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for end in [PORTS, SOCKET] {
            fs::write(folder.path().join(format!("1-1.{end}")), "8931\n").unwrap();
        }
        assert_eq!(running_in(folder.path()), []);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
