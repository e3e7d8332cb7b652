//! What the tests of a toolbox share.
#![allow(dead_code, reason = "each test uses its own part")]

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use legwork_mcp::toolbox::{Limits, Toolbox, ToolboxError, ToolboxOptions};
use legwork_testkit::TempHome;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Map, Value};

/// Longer than anything takes.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

/// A place to work in, which goes with the test.
pub(crate) struct Bench {
    home: TempHome,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { home: TempHome::new() }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.home.path().canonicalize().unwrap()
    }

    pub(crate) fn options(&self, command: String, limits: Limits) -> ToolboxOptions {
        let (folder, owner) = (self.folder(), "test".to_owned());
        ToolboxOptions { command, more: Vec::new(), profile: None, folder, owner, limits }
    }

    /// A server of our own with a fault.
    pub(crate) async fn fake(&self, fault: &str, limits: Limits) -> Result<Toolbox, ToolboxError> {
        Toolbox::connect(&self.options(fake_command(fault, &self.folder()), limits)).await
    }

    /// Whatever works in the folder: each process that a server starts does, unless it goes elsewhere.
    pub(crate) fn living(&self) -> Vec<String> {
        living_in(&self.folder())
    }

    /// Kills what works in the folder and has such a command line.
    pub(crate) fn kill(&self, is_one: impl Fn(&str) -> bool) {
        for line in self.living().iter().filter(|line| is_one(line)) {
            let pid = line.split(' ').next().and_then(|pid| pid.parse().ok()).and_then(Pid::from_raw);
            // The first one takes others along.
            let _ = kill_process(pid.unwrap(), Signal::KILL);
        }
    }

    /// Nothing works in the folder, or only for the moment that the system takes to bury it.
    #[track_caller]
    pub(crate) fn is_left(&self) {
        let begun = Instant::now();
        while !self.living().is_empty() {
            assert!(begun.elapsed() < Duration::from_millis(500), "left behind: {:#?}", self.living());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

pub(crate) fn fake_command(fault: &str, folder: &Path) -> String {
    format!("python3 {}/tests/toolbox/fake.py {fault} {}", env!("CARGO_MANIFEST_DIR"), folder.display())
}

pub(crate) fn living_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|place| place.starts_with(folder)))
        .map(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            format!("{pid} {}", String::from_utf8_lossy(&line).replace('\0', " "))
        })
        .collect()
}

pub(crate) fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}
