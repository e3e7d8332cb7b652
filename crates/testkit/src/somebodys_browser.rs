//! A browser that somebody else started and that listens on a port, as far as the code under test can tell.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
};

use crate::{TempHome, browser_binary, end_browser, keep_in};

/// A real browser with a debugging port and one blank tab. It ends with this value, also when a test panics.
pub struct SomebodysBrowser {
    process: Child,
    home: TempHome,
    address: String,
}

impl SomebodysBrowser {
    /// Starts it and waits until it listens.
    pub fn start() -> Self {
        let home = TempHome::new();
        let mut command = Command::new(browser_binary());
        keep_in(home.path(), &mut command);
        let mut process = command
            .args(["--headless", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run"])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "about:blank",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("DevTools listening on ")?.1.to_owned()));
        // Read on until the end: a full pipe would stop the browser.
        thread::spawn(move || lines.for_each(drop));
        Self { process, home, address: address.expect("the browser ended before it listened") }
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// `ws://127.0.0.1:PORT/devtools/browser/…`.
    pub fn ws_url(&self) -> &str {
        &self.address
    }

    /// `http://127.0.0.1:PORT`, which is asked for the other.
    pub fn http_url(&self) -> String {
        let (host, _) = self.address.trim_start_matches("ws://").split_once('/').unwrap();
        format!("http://{host}")
    }
}

impl Drop for SomebodysBrowser {
    fn drop(&mut self) {
        end_browser(self.home.path(), &mut self.process);
    }
}
