//! A real terminal with the command in it.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use legwork_testkit::wait_until;
use rustix::process::Signal;

use super::{LONG, Legwork, end_within, send};

/// A terminal with the command in it.
pub(crate) struct Terminal {
    process: Child,
    keys: ChildStdin,
    shown: Arc<Mutex<String>>,
}

impl Terminal {
    pub(crate) fn open(legwork: &Legwork, args: &[&str]) -> Self {
        let terminal = Self::started(legwork, args);
        terminal.shows("is asked here");
        terminal
    }

    pub(crate) fn started(legwork: &Legwork, args: &[&str]) -> Self {
        Self::started_with(legwork, args, &[])
    }

    /// The same with these variables in its environment.
    pub(crate) fn started_with(legwork: &Legwork, args: &[&str], variables: &[(&str, String)]) -> Self {
        let mut command = Command::new("python3");
        legwork.dress(&mut command);
        let script = format!("{}/tests/clients/terminal.py", env!("CARGO_MANIFEST_DIR"));
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command.arg(script).arg(Legwork::binary()).args(args);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (keys, mut screen) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let shown: Arc<Mutex<String>> = Arc::default();
        let text = shown.clone();
        thread::spawn(move || {
            let mut piece = [0; 4_096];
            while let Ok(count @ 1..) = screen.read(&mut piece) {
                text.lock().unwrap().push_str(&String::from_utf8_lossy(&piece[..count]));
            }
        });
        Self { process, keys, shown }
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.shown.lock().unwrap().clear();
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// The process of the command.
    pub(crate) fn command(&self) -> u32 {
        let terminal = self.process.id();
        let command = fs::read_to_string(format!("/proc/{terminal}/task/{terminal}/children")).unwrap();
        command.trim().parse().unwrap()
    }

    /// Sends a signal to the command alone.
    pub(crate) fn signals(&self, signal: Signal) {
        send(signal, self.command());
    }

    /// Closes the terminal under the command, and waits for its end.
    #[track_caller]
    pub(crate) fn closes(mut self, limit: Duration) {
        let command = format!("/proc/{}", self.command());
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        wait_until(limit, "the command has ended", || !Path::new(&command).exists());
    }

    /// All that it shows since something was typed.
    pub(crate) fn shown(&self) -> String {
        self.shown.lock().unwrap().clone()
    }

    #[track_caller]
    pub(crate) fn shows(&self, words: &str) {
        wait_until(LONG, &format!("the terminal shows {words:?}"), || {
            self.shown.lock().unwrap().contains(words)
        });
    }

    #[track_caller]
    pub(crate) fn ends(mut self) -> i32 {
        end_within(LONG, &mut self.process).code().unwrap()
    }
}

impl Drop for Terminal {
    #[allow(clippy::print_stderr, reason = "what it showed explains why a test failed")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the terminal shows:\n{}", self.shown.lock().unwrap());
        }
    }
}
