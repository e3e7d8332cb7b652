//! A browser that a test starts by itself: all its files lie in one folder, and nobody writes there any more afterwards.

use std::{
    fs,
    path::Path,
    process::{Child, Command},
    thread,
    time::Duration,
};

use crate::{process::uses_folder, wait_until};

/// Far beyond what a killed browser needs.
const DYING: Duration = Duration::from_secs(30);

/// Makes the browser keep everything in `home`: its profile, its scratch files, which a killed one would leave in the
/// system's place, and its crash reports.
pub fn keep_in(home: &Path, command: &mut Command) {
    // A short name, because the whole path of a socket in it must be short.
    let scratch = home.join("t");
    fs::create_dir_all(&scratch).expect("a folder for scratch files");
    command.arg(format!("--user-data-dir={}", home.display()));
    command.env("BREAKPAD_DUMP_LOCATION", scratch.join("crashes")).env("TMPDIR", scratch);
}

/// Kills such a browser and waits until its helpers and crash handlers have followed, so that `home` can be removed.
pub fn end_browser(home: &Path, browser: &mut Child) {
    let _ = browser.kill();
    let _ = browser.wait();
    // Two panics at once would hide the first.
    if !thread::panicking() {
        wait_until(DYING, "nobody uses the browser's folder", || !uses_folder(home));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Stdio;

    use super::*;
    use crate::TempHome;

    #[test]
    fn a_killed_browser_leaves_its_scratch_files_at_home() {
        let home = TempHome::new();
        let mut command = Command::new(crate::browser_binary());
        keep_in(home.path(), &mut command);
        command.args(["--headless", "--no-sandbox", "--remote-debugging-port=0"]);
        let mut browser = command.stderr(Stdio::null()).spawn().unwrap();
        let socket = home.path().join("SingletonSocket");
        wait_until(DYING, "it has its socket", || socket.symlink_metadata().is_ok());
        assert!(uses_folder(home.path()));
        let scratch = fs::read_link(&socket).unwrap();
        end_browser(home.path(), &mut browser);
        assert!(scratch.starts_with(home.path()), "{}", scratch.display());
        assert!(!uses_folder(home.path()));
    }
}
