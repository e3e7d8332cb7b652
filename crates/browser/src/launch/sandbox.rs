//! Whether Chromium runs in its sandbox: the decision, its refusals, and what the system offers.

use std::{
    fmt,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// What the caller wants of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxChoice {
    /// On, except for root, for whom Chromium has none.
    #[default]
    Auto,
    /// Off, by the operator's explicit word.
    Off,
}

/// Whether the browser runs in its sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sandbox {
    /// It does.
    On,
    /// It does not.
    Off {
        /// Why not.
        why: SandboxOff,
    },
}

/// Why the sandbox is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxOff {
    /// We run as root, for whom Chromium has no sandbox.
    Root,
    /// The operator said so.
    ByFlag,
}

impl fmt::Display for SandboxOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SandboxOff::Root => "running as root",
            SandboxOff::ByFlag => "switched off by the operator",
        })
    }
}

/// Decides from the effective user id and the caller's choice.
pub(crate) fn decide(euid: u32, choice: SandboxChoice) -> Sandbox {
    match (choice, euid) {
        (SandboxChoice::Off, _) => Sandbox::Off { why: SandboxOff::ByFlag },
        (SandboxChoice::Auto, 0) => Sandbox::Off { why: SandboxOff::Root },
        (SandboxChoice::Auto, _) => Sandbox::On,
    }
}

/// What Chromium says when it refuses to run without a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxRefusal {
    /// The system offers none.
    NoneUsable,
    /// It runs as root.
    Root,
}

impl fmt::Display for SandboxRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SandboxRefusal::NoneUsable => "the system offers no usable sandbox",
            SandboxRefusal::Root => "it does not run as root with a sandbox",
        })
    }
}

/// Recognises a refusal in the browser's last words.
pub(crate) fn recognise(stderr: &str) -> Option<SandboxRefusal> {
    if stderr.contains("Running as root without --no-sandbox") {
        return Some(SandboxRefusal::Root);
    }
    let none = [
        "No usable sandbox",
        "The SUID sandbox helper binary was found, but is not configured correctly",
        "Failed to move to new namespace",
    ];
    none.iter().any(|words| stderr.contains(words)).then_some(SandboxRefusal::NoneUsable)
}

/// What this system offers to Chromium's sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxReport {
    /// Whether we run as root.
    pub root: bool,
    /// Whether an ordinary user may make user namespaces.
    pub user_namespaces: UserNamespaces,
    /// The browser's setuid helper, where a usable one stands.
    pub setuid_helper: Option<PathBuf>,
}

/// Whether an ordinary user may make user namespaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserNamespaces {
    /// Nothing speaks against it.
    Permitted,
    /// A setting of the kernel forbids it.
    Forbidden {
        /// The setting, as `name = value`.
        setting: String,
    },
}

impl SandboxReport {
    /// Whether Chromium's sandbox would work here.
    pub fn works(&self) -> bool {
        !self.root && (self.user_namespaces == UserNamespaces::Permitted || self.setuid_helper.is_some())
    }
}

/// Looks at what this system offers to the sandbox of `binary`. The kernel's settings are read, nothing is tried.
pub fn sandbox_report(binary: &Path) -> SandboxReport {
    let read = |setting: &str| {
        let path = Path::new("/proc/sys").join(setting.replace('.', "/"));
        std::fs::read_to_string(path).ok().map(|value| value.trim().to_owned())
    };
    SandboxReport {
        root: rustix::process::geteuid().is_root(),
        user_namespaces: judge_namespaces(&read),
        setuid_helper: helper_places(binary).into_iter().find(|path| is_setuid_root(path)),
    }
}

fn judge_namespaces(read: &dyn Fn(&str) -> Option<String>) -> UserNamespaces {
    for (setting, forbidding) in [
        ("kernel.unprivileged_userns_clone", "0"),
        ("user.max_user_namespaces", "0"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1"),
    ] {
        if read(setting).as_deref() == Some(forbidding) {
            return UserNamespaces::Forbidden { setting: format!("{setting} = {forbidding}") };
        }
    }
    UserNamespaces::Permitted
}

fn helper_places(binary: &Path) -> Vec<PathBuf> {
    // The program on PATH is often a script or a link; the helper stands beside the real one.
    let real = std::fs::canonicalize(binary).unwrap_or_else(|_| binary.to_owned());
    let beside = real.parent().map(Path::to_owned);
    let usual = ["/usr/lib/chromium", "/opt/google/chrome", "/opt/microsoft/msedge"].map(PathBuf::from);
    let folders = beside.into_iter().chain(usual);
    folders.flat_map(|folder| ["chrome-sandbox", "msedge-sandbox"].map(|name| folder.join(name))).collect()
}

fn is_setuid_root(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.uid() == 0 && meta.permissions().mode() & 0o4001 == 0o4001)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_off_for_root_or_by_word_only() {
        assert_eq!(decide(1000, SandboxChoice::Auto), Sandbox::On);
        assert_eq!(decide(0, SandboxChoice::Auto), Sandbox::Off { why: SandboxOff::Root });
        for euid in [0, 1000] {
            assert_eq!(decide(euid, SandboxChoice::Off), Sandbox::Off { why: SandboxOff::ByFlag });
        }
    }

    #[test]
    fn refusals_are_recognised() {
        for (said, refusal) in [
            (
                "[1:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! Update",
                SandboxRefusal::NoneUsable,
            ),
            ("Running as root without --no-sandbox is not supported.", SandboxRefusal::Root),
        ] {
            assert_eq!(recognise(said), Some(refusal));
        }
        assert_eq!(recognise("ERROR: dbus"), None);
    }

    #[test]
    fn kernel_settings_that_forbid_namespaces_are_named() {
        let forbidden = |name: &'static str, value: &'static str| {
            judge_namespaces(&|setting| (setting == name).then(|| value.to_owned()))
        };
        assert_eq!(judge_namespaces(&|_| None), UserNamespaces::Permitted);
        assert_eq!(forbidden("user.max_user_namespaces", "15000"), UserNamespaces::Permitted);
        assert_eq!(
            forbidden("kernel.apparmor_restrict_unprivileged_userns", "1"),
            UserNamespaces::Forbidden { setting: "kernel.apparmor_restrict_unprivileged_userns = 1".into() }
        );
    }

    #[test]
    fn it_works_by_namespaces_or_helper_but_never_for_root() {
        let forbidden = UserNamespaces::Forbidden { setting: String::new() };
        let report =
            |root, user_namespaces, setuid_helper| SandboxReport { root, user_namespaces, setuid_helper };
        assert!(report(false, UserNamespaces::Permitted, None).works());
        assert!(report(false, forbidden.clone(), Some("/h".into())).works());
        assert!(!report(false, forbidden, None).works());
        assert!(!report(true, UserNamespaces::Permitted, Some("/h".into())).works());
    }
}
