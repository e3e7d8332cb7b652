//! Which browsers passed the self-test, in files that only this user can have written. Whatever is doubtful is no verdict.

use std::{
    env,
    ffi::OsString,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    time::SystemTime,
};

use rustix::process::geteuid;
use sha2::{Digest, Sha256};

use crate::{instances::folder, random};

/// Changed with what is tried: a verdict on less is none.
const REVISION: u32 = 1;
/// Verdicts that are kept; the oldest go first.
const KEPT: usize = 32;
const LONGEST: u64 = 64 * 1024;

/// What a verdict is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    /// The program.
    pub(crate) binary: PathBuf,
    /// What it says that it is: the program may be a script that starts another one.
    pub(crate) product: String,
    /// Its flags, without what is another one each time.
    pub(crate) line: Vec<OsString>,
}

/// All of it that can change, as text; none where the program can't be looked at.
fn described(subject: &Subject) -> Option<Vec<u8>> {
    let binary = subject.binary.canonicalize().ok()?;
    let meta = binary.metadata().ok()?;
    let mut text = format!(
        "legwork {} self-test {REVISION}\n{}\n{} bytes, {}.{:09}\n",
        env!("CARGO_PKG_VERSION"),
        subject.product,
        meta.len(),
        meta.mtime(),
        meta.mtime_nsec(),
    )
    .into_bytes();
    let lines = [binary.as_os_str()].into_iter().chain(subject.line.iter().map(OsString::as_os_str));
    for line in lines {
        // Nul is in no name and in no flag.
        text.extend(line.as_bytes().iter().chain(b"\0\n"));
    }
    text.extend(b"passed\n");
    Some(text)
}

/// The files of all verdicts. Without a place for them nothing is remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdicts {
    folder: Option<PathBuf>,
}

impl Verdicts {
    /// Those in the user's place for what can be made again.
    pub(crate) fn usual() -> Self {
        let named = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
        Self { folder: cache.map(|cache| cache.join("legwork").join("self-test")) }
    }

    #[cfg(test)]
    pub(crate) fn below(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// Since when it is known that this passed; none if it is not known.
    pub(crate) fn passed(&self, subject: &Subject) -> Option<SystemTime> {
        let folder = self.folder.as_ref().filter(|path| folder::is_ours(path))?;
        let expected = described(subject)?;
        let no_follow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).ok()?;
        let path = folder.join(name(&expected));
        let file = OpenOptions::new().read(true).custom_flags(no_follow).open(path).ok()?;
        let meta = file.metadata().ok()?;
        let is_ours = meta.is_file() && meta.uid() == geteuid().as_raw() && meta.mode() & 0o077 == 0;
        let mut text = vec![];
        file.take(LONGEST).read_to_end(&mut text).ok()?;
        (is_ours && text == expected).then(|| meta.modified().ok()).flatten()
    }

    /// Remembers that this passed. To forget it only costs time.
    pub(crate) fn remember(&self, subject: &Subject) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let Some(text) = described(subject) else { return Ok(()) };
        if let Some(parent) = folder.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
        }
        folder::make(folder)?;
        let (new, known) = (folder.join(random::name("new-")), folder.join(name(&text)));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        let written = file.write_all(&text).and_then(|()| fs::rename(&new, &known));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        forget_old(folder);
        written
    }
}

fn name(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn forget_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let dated = |path: PathBuf| Some((File::open(&path).ok()?.metadata().ok()?.modified().ok()?, path));
    let mut files: Vec<_> = entries.filter_map(|entry| dated(entry.ok()?.path())).collect();
    files.sort();
    for (_, path) in files.iter().take(files.len().saturating_sub(KEPT)) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};

    use super::*;

    struct Desk {
        place: tempfile::TempDir,
        subject: Subject,
        verdicts: Verdicts,
    }

    impl Desk {
        fn new() -> Self {
            let place = tempfile::tempdir().unwrap();
            let binary = place.path().join("browser");
            fs::write(&binary, "one").unwrap();
            let subject = Subject { binary, product: "Chrome/1".into(), line: vec!["--a".into()] };
            let verdicts = Verdicts::below(&place.path().join("cache/self-test"));
            Self { place, subject, verdicts }
        }

        fn file(&self) -> PathBuf {
            let folder = self.verdicts.folder.as_ref().unwrap();
            fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
        }

        fn knows(&self, subject: &Subject) -> bool {
            self.verdicts.passed(subject).is_some()
        }
    }

    #[test]
    fn a_verdict_is_good_for_the_same_program_flags_and_version_alone() {
        let desk = Desk::new();
        assert!(!desk.knows(&desk.subject));
        desk.verdicts.remember(&desk.subject).unwrap();
        assert!(desk.knows(&desk.subject));
        let other_line = Subject { line: vec!["--a".into(), "--b".into()], ..desk.subject.clone() };
        let joined = Subject { line: vec!["--a\n--b".into()], ..desk.subject.clone() };
        let newer = Subject { product: "Chrome/2".into(), ..desk.subject.clone() };
        let elsewhere = Subject { binary: desk.place.path().join("none"), ..desk.subject.clone() };
        for other in [&other_line, &joined, &newer, &elsewhere] {
            assert!(!desk.knows(other), "{other:?}");
        }
        desk.verdicts.remember(&other_line).unwrap();
        assert!(!desk.knows(&joined));
        fs::write(&desk.subject.binary, "another one").unwrap();
        assert!(!desk.knows(&desk.subject));
    }

    #[test]
    fn what_somebody_else_could_have_written_is_no_verdict() {
        let desk = Desk::new();
        desk.verdicts.remember(&desk.subject).unwrap();
        let (file, folder) = (desk.file(), desk.verdicts.folder.clone().unwrap());
        let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
        assert_eq!((mode(&file), mode(&folder)), (0o600, 0o700));
        let good = fs::read(&file).unwrap();
        for (path, wrong, right) in [(&file, 0o620, 0o600), (&file, 0o604, 0o600), (&folder, 0o770, 0o700)] {
            fs::set_permissions(path, Permissions::from_mode(wrong)).unwrap();
            assert!(!desk.knows(&desk.subject), "{wrong:o}");
            fs::set_permissions(path, Permissions::from_mode(right)).unwrap();
            assert!(desk.knows(&desk.subject));
        }
        for corrupt in [&good[..good.len() - 1], b"", b"passed\n", &[good.as_slice(), b"x"].concat()] {
            fs::write(&file, corrupt).unwrap();
            assert!(!desk.knows(&desk.subject), "{corrupt:?}");
        }
        // A link to the very same text.
        let elsewhere = desk.place.path().join("text");
        fs::write(&elsewhere, &good).unwrap();
        fs::set_permissions(&elsewhere, Permissions::from_mode(0o600)).unwrap();
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        assert!(!desk.knows(&desk.subject));
        desk.verdicts.remember(&desk.subject).unwrap();
        assert!(desk.knows(&desk.subject));
        if geteuid().is_root() {
            std::os::unix::fs::chown(&file, Some(65_534), None).unwrap();
            assert!(!desk.knows(&desk.subject), "somebody else's");
        }
    }

    #[test]
    fn old_verdicts_go_and_without_a_place_nothing_is_known() {
        let desk = Desk::new();
        for number in 0..KEPT + 5 {
            let line = vec![format!("--n={number}").into()];
            desk.verdicts.remember(&Subject { line, ..desk.subject.clone() }).unwrap();
        }
        let folder = desk.verdicts.folder.as_ref().unwrap();
        assert_eq!(fs::read_dir(folder).unwrap().count(), KEPT);
        let nowhere = Verdicts::default();
        nowhere.remember(&desk.subject).unwrap();
        assert_eq!(nowhere.passed(&desk.subject), None);
    }
}
