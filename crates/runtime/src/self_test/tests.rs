//! The self-test with a real Chromium: good flags pass, once; flags that leave a way open are found out.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use legwork_browser::{BrowserError, LaunchOptions, Limit, Profile, find_browser};
use legwork_testkit::{TempHome, chromium_processes};

use super::Verdicts;
use crate::{BrowserSource, KeeperEvent, SelfTest, start::Starter};

struct Desk {
    home: TempHome,
    events: Arc<Mutex<Vec<KeeperEvent>>>,
}

impl Desk {
    fn new() -> Self {
        Self { home: TempHome::new(), events: Arc::default() }
    }

    fn verdicts(&self) -> PathBuf {
        self.home.path().join("cache/self-test")
    }

    fn kept(&self) -> usize {
        fs::read_dir(self.verdicts()).map_or(0, Iterator::count)
    }

    fn persistent(&self) -> LaunchOptions {
        LaunchOptions { profile: Profile::Persistent(self.profile()), ..LaunchOptions::default() }
    }

    fn profile(&self) -> PathBuf {
        self.home.path().join("profile")
    }

    /// Starts a browser as sessions do, and ends it. How it was known that its flags hold.
    async fn start(&self, options: LaunchOptions) -> Result<SelfTest, BrowserError> {
        let sink = self.events.clone();
        let watch = move |event| sink.lock().unwrap().push(event);
        let starter = Starter::new(BrowserSource::Launch(options), None, watch);
        let mut starter = starter.with_verdicts(Verdicts::below(&self.verdicts()));
        let started = starter.start(&Limit::within(Duration::from_secs(60))).await;
        let told = std::mem::take(&mut *self.events.lock().unwrap());
        let is_started = told.iter().any(|event| matches!(event, KeeperEvent::Started { .. }));
        assert_eq!(is_started, started.is_ok(), "{told:?}");
        started?.close().await;
        let test = told.into_iter().find_map(|event| match event {
            KeeperEvent::SelfTest(test) => Some(test),
            _ => None,
        });
        Ok(test.expect("it is told how the flags are known to hold"))
    }
}

fn why(outcome: Result<SelfTest, BrowserError>) -> String {
    match outcome {
        Err(BrowserError::Unproved { why }) => why,
        other => panic!("{other:?}"),
    }
}

/// A program that starts the browser without the flags that begin so.
fn without(folder: &Path, flag: &str) -> PathBuf {
    let browser = find_browser(None).unwrap().path;
    let script = folder.join("browser.sh");
    let text = format!(
        "#!/bin/bash\nkept=()\nfor flag; do [[ $flag == {flag}* ]] || kept+=(\"$flag\"); done\nexec {} \"${{kept[@]}}\"\n",
        browser.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    script
}

#[tokio::test]
async fn good_flags_pass_once_for_each_line_of_them() {
    let desk = Desk::new();
    let options = LaunchOptions::default;
    let first = desk.start(options()).await.unwrap();
    assert!(matches!(first, SelfTest::PassedNow { .. }), "{first:?}");
    let kept = desk.kept();
    let again = desk.start(options()).await.unwrap();
    assert!(matches!(again, SelfTest::PassedEarlier { .. }), "{again:?}");
    assert_eq!((kept, desk.kept()), (1, 1));
    let profile = desk.start(desk.persistent()).await.unwrap();
    assert!(matches!(profile, SelfTest::PassedNow { .. }), "a persistent profile has a line of its own");
    assert_eq!(desk.kept(), 2);
    for file in fs::read_dir(desk.verdicts()).unwrap() {
        fs::write(file.unwrap().path(), "passed\n").unwrap();
    }
    let doubtful = desk.start(options()).await.unwrap();
    assert!(matches!(doubtful, SelfTest::PassedNow { .. }), "{doubtful:?}");
}

#[tokio::test]
async fn a_browser_that_sends_datagrams_is_not_used() {
    let desk = Desk::new();
    let extra_flags = vec!["--webrtc-ip-handling-policy=default".into()];
    let why = why(desk.start(LaunchOptions { extra_flags, ..desk.persistent() }).await);
    assert!(why.contains("a datagram of WebRTC to 127.0.0.1 went past the proxy"), "{why}");
    assert_eq!(desk.kept(), 0);
    assert_eq!(chromium_processes(desk.profile().to_str().unwrap()), [0u32; 0]);
}

#[tokio::test]
async fn a_browser_that_goes_to_this_machine_by_itself_is_not_used() {
    let desk = Desk::new();
    let binary = Some(without(desk.home.path(), "--proxy-bypass-list"));
    let why = why(desk.start(LaunchOptions { binary, ..desk.persistent() }).await);
    assert!(why.contains("a request to 127.0.0.1 went past the proxy"), "{why}");
    assert_eq!(desk.kept(), 0);
    assert_eq!(chromium_processes(desk.profile().to_str().unwrap()), [0u32; 0]);
}
