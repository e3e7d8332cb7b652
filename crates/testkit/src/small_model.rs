//! A real model, small enough for any machine (SmolLM2, 135 million parameters), behind llama.cpp's own server, both of which
//! `scripts/setup tests` has installed.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
};

use crate::cache::cache;

/// A model that runs. It ends with this value, also when a test panics, and when the test itself is killed.
pub struct SmallModel {
    process: Child,
    /// It ends when this is closed.
    _talk: Option<ChildStdin>,
    address: SocketAddr,
}

impl SmallModel {
    /// Starts it, and waits until it can be asked.
    pub fn start() -> Self {
        let installed = cache().join("small-model/1");
        let weights = installed.join("model.gguf");
        assert!(weights.is_file(), "there is no model in {}: run scripts/setup tests", installed.display());
        let serve = Path::new(env!("CARGO_MANIFEST_DIR")).join("small_model/serve.py");
        let mut process = Command::new("python3")
            .arg(serve)
            .arg(weights)
            .env("PYTHONPATH", installed.join("python"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 starts");
        let (talk, output) = (process.stdin.take(), process.stdout.take().expect("piped"));
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("the model can be heard");
        let Ok(address) = line.trim().parse() else {
            let ended = process.wait();
            panic!(
                "the model ended before it listened: {ended:?}; remove {} and run scripts/setup tests",
                installed.display()
            );
        };
        Self { process, _talk: talk, address }
    }

    /// The base of its addresses: it speaks OpenAI's Chat.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1/", self.address)
    }
}

impl Drop for SmallModel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
