//! Runs the real binary with a place of its own, and a real Chromium beside it where one is needed.
#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod door;
pub(crate) mod errand;
pub(crate) mod mcp;
pub(crate) mod picture;
pub(crate) mod terminal;

use std::{
    ffi::OsStr,
    fmt,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use legwork_testkit::{TempHome, chromium_processes, grants_of_all_sites, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Far beyond what any of these tests needs, and beyond all that the program itself waits for.
pub(crate) const LONG: Duration = Duration::from_secs(120);

/// What may name a model, or have its key.
const MODELS: [&str; 9] = [
    "LEGWORK_MODEL",
    "LEGWORK_BASE_URL",
    "LEGWORK_WIRE",
    "LEGWORK_API_KEY",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OPENROUTER_API_KEY",
];

/// The binary with a home of its own for its temporary profiles.
pub(crate) struct Legwork {
    pub(crate) home: TempHome,
    /// Where its instances find each other.
    pub(crate) runtime: TempHome,
    /// Where it keeps saved logins.
    pub(crate) data: TempHome,
}

/// How one run ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl fmt::Debug for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit code {:?}\n{}\n{}", self.code, self.text(), self.stderr)
    }
}

impl Ran {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let text = self.text();
        assert_eq!(text.lines().count(), 1, "one JSON value on one line: {self:?}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error as text: exactly this code on standard error, and nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(&self, code: &str, exit: i32) {
        assert!(self.stderr.contains(&format!("error[{code}]: ")), "{self:?}");
        assert_eq!((self.code, self.text().as_str()), (Some(exit), ""), "{self:?}");
    }
}

impl Legwork {
    pub(crate) fn new() -> Self {
        Self { home: TempHome::new(), runtime: TempHome::new(), data: TempHome::new() }
    }

    /// Where the user's settings are: nothing, unless a test puts something there.
    pub(crate) fn settings(&self) -> PathBuf {
        self.runtime.path().join("settings")
    }

    pub(crate) fn binary() -> &'static Path {
        Path::new(env!("CARGO_BIN_EXE_legwork"))
    }

    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut command = Command::new(Self::binary());
        // Every private address that is opened is granted, whoever serves it.
        let addresses =
            args.iter().filter_map(|arg| arg.as_ref().to_str()?.strip_prefix("http://")?.split('/').next());
        let private = |address: &&str| address.starts_with("127.0.0.1:") || address.starts_with("localhost:");
        self.dress_granting(&mut command, addresses.filter(private).map(str::to_owned));
        command.args(args);
        command
    }

    /// The environment of every run: its own place, and nothing from the machine that changes the output.
    pub(crate) fn dress(&self, command: &mut Command) {
        self.dress_granting(command, []);
    }

    /// The same with these private addresses granted too.
    fn dress_granting(&self, command: &mut Command, more: impl IntoIterator<Item = String>) {
        let (name, place) = self.home.variable();
        let sites: Vec<String> = grants_of_all_sites().iter().map(ToString::to_string).collect();
        command
            .env(name, place)
            .env("XDG_RUNTIME_DIR", self.runtime.path())
            .env("XDG_CONFIG_HOME", self.settings())
            .env_remove("LEGWORK_CONFIG")
            .env("XDG_DATA_HOME", self.data.path())
            .env_remove("LEGWORK_LOG")
            .env_remove("NO_COLOR")
            .stdin(Stdio::null());
        // Models of the machine are not asked, and nobody's key is used.
        for name in MODELS {
            command.env_remove(name);
        }
        command.env("OLLAMA_HOST", "127.0.0.1:1");
        if !sites.is_empty() {
            // What pages of tests send for the sake of the test.
            let notes: Vec<String> = sites.iter().map(|site| format!("http://{site}/note")).collect();
            command.env("LEGWORK_ALLOW_PREPARE", notes.join(","));
        }
        let grants: Vec<String> = sites.into_iter().chain(more).collect();
        if !grants.is_empty() {
            command.env("LEGWORK_ALLOW_PRIVATE", grants.join(","));
        }
    }

    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Ran {
        ran(&mut self.command(args))
    }

    pub(crate) fn start<A: AsRef<OsStr>>(&self, args: &[A]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The questions that wait for an answer.
    pub(crate) fn waiting(&self) -> Vec<Value> {
        let ran = self.run(&["approvals", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()["approvals"].as_array().unwrap().clone()
    }

    /// The browser processes of this home.
    pub(crate) fn browsers(&self) -> Vec<u32> {
        chromium_processes(self.home.path().to_str().unwrap())
    }

    /// Whether a browser start was so much as prepared.
    #[track_caller]
    pub(crate) fn assert_no_start(&self) {
        assert!(self.home.entries().is_empty(), "a browser was started: {:?}", self.home.entries());
    }

    /// The temporary profiles that lie in the home.
    pub(crate) fn profiles(&self) -> Vec<PathBuf> {
        let bases = self.home.entries();
        let inside = bases.iter().flat_map(|base| std::fs::read_dir(base).unwrap());
        inside.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
    }

    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        assert!(self.browsers().is_empty(), "browsers are left");
        assert!(self.profiles().is_empty(), "profiles are left: {:?}", self.profiles());
    }
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub(crate) fn send(signal: Signal, pid: u32) {
    kill_process(Pid::from_raw(pid as i32).unwrap(), signal).unwrap();
}

/// The end of a child that must end within `limit`.
#[track_caller]
pub(crate) fn end_within(limit: Duration, child: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_until(limit, "the program has ended", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

pub(crate) fn stderr_of(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}
