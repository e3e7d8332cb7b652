//! The floor: the shortest careful script that starts a browser, opens a page and asks for its accessibility tree.
//!
//! Two pipes, blocking reads, one question after the other; no settings, no watch over dialogs, crashes or frames.

use std::{
    convert::Infallible,
    io::{BufRead, BufReader, PipeReader, PipeWriter, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use command_fds::{CommandFdExt, FdMapping};
use legwork_testkit::{end_browser, keep_in};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::start::is_of_the_page;

/// What a careful author of a script gives: quiet at the first start, no traffic of its own, no window to begin with.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
];

/// Reads block for ever; a browser that is silent for so long is killed, which ends them.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the script took until it held the parsed tree. Its browser is gone when this returns.
pub(crate) fn start_to_first_tree(binary: &Path, url: &str) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let mut script = Script::start(binary)?;
    // A context of its own: it isolates as Legwork's does, and is up sooner than the profile's own.
    let context = script.ask(None, "Target.createBrowserContext", json!({}))?;
    let create = json!({ "url": "about:blank", "browserContextId": context["browserContextId"] });
    let created = script.ask(None, "Target.createTarget", create)?;
    let attach = json!({ "targetId": created["targetId"], "flatten": true });
    let attached = script.ask(None, "Target.attachToTarget", attach)?;
    let session = attached["sessionId"].as_str().context("no session")?.to_owned();
    // Answered by the page: one that is sent away before loses the event that is waited for.
    script.ask(Some(&session), "Page.enable", json!({}))?;
    script.go(&session, url)?;
    let tree = script.ask(Some(&session), "Accessibility.getFullAXTree", json!({}))?;
    let took = began.elapsed();
    ensure!(is_of_the_page(&tree), "the tree is not that of the page");
    Ok(took)
}

struct Script {
    to_browser: PipeWriter,
    from_browser: BufReader<PipeReader>,
    last_id: u64,
    _keeper: Keeper,
}

impl Script {
    fn start(binary: &Path) -> anyhow::Result<Self> {
        let profile = tempfile::Builder::new().prefix("legwork-bench-").tempdir()?;
        let (browser_reads, to_browser) = std::io::pipe()?;
        let (from_browser, browser_writes) = std::io::pipe()?;
        let mut command = Command::new(binary);
        keep_in(profile.path(), &mut command);
        command.args(FLAGS).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if rustix::process::geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        command.fd_mappings(vec![
            FdMapping { parent_fd: browser_reads.into(), child_fd: 3 },
            FdMapping { parent_fd: browser_writes.into(), child_fd: 4 },
        ])?;
        let child = command.spawn().with_context(|| format!("{} could not be started", binary.display()))?;
        // It holds the browser's ends of the pipes: as long as it lives their end is never seen.
        drop(command);
        Ok(Self {
            to_browser,
            from_browser: BufReader::new(from_browser),
            last_id: 0,
            _keeper: Keeper::of(child, profile),
        })
    }

    /// Goes to `url` and waits until its document is parsed. The event may come before the answer.
    fn go(&mut self, session: &str, url: &str) -> anyhow::Result<()> {
        let id = self.send(Some(session), "Page.navigate", json!({ "url": url }))?;
        let (mut answered, mut parsed) = (false, false);
        while !(answered && parsed) {
            let message = self.receive()?;
            if message["id"] == id {
                let navigated = result(message)?;
                ensure!(navigated["errorText"].is_null(), "{url}: {}", navigated["errorText"]);
                answered = true;
            } else if message["method"] == "Page.domContentEventFired" {
                parsed = true;
            }
        }
        Ok(())
    }

    fn ask(&mut self, session: Option<&str>, method: &str, params: Value) -> anyhow::Result<Value> {
        let id = self.send(session, method, params)?;
        loop {
            let message = self.receive()?;
            if message["id"] == id {
                return result(message).with_context(|| method.to_owned());
            }
        }
    }

    fn send(&mut self, session: Option<&str>, method: &str, params: Value) -> anyhow::Result<u64> {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to_browser.write_all(&bytes)?;
        Ok(self.last_id)
    }

    fn receive(&mut self) -> anyhow::Result<Value> {
        let mut bytes = Vec::new();
        self.from_browser.read_until(0, &mut bytes)?;
        ensure!(bytes.pop() == Some(0), "the browser ended, or was silent for {PATIENCE:?}");
        Ok(serde_json::from_slice(&bytes)?)
    }
}

fn result(mut message: Value) -> anyhow::Result<Value> {
    ensure!(message["error"].is_null(), "{}", message["error"]);
    Ok(message["result"].take())
}

/// A thread that owns the browser: it kills it when the script is over, and when it takes too long.
struct Keeper {
    over: Option<mpsc::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    fn of(mut child: Child, profile: TempDir) -> Self {
        let (over, is_over) = mpsc::channel();
        let thread = thread::spawn(move || {
            // Nothing is ever sent: the channel closes or the time is up.
            let _ = is_over.recv_timeout(PATIENCE);
            // What still lives would disturb the next run, and the folder's removal.
            end_browser(profile.path(), &mut child);
        });
        Self { over: Some(over), thread: Some(thread) }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.over.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
