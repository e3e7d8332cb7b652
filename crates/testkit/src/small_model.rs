//! A real model, small enough for any machine (SmolLM2, 135 million parameters), behind llama.cpp's own server, both of which
//! `scripts/setup tests` has installed.

use std::{path::Path, process::Command};

use crate::{cache::cache, python_server::PythonServer};

/// A model that runs. It ends with this value, also when a test panics, and when the test itself is killed.
pub struct SmallModel(PythonServer);

impl SmallModel {
    /// Starts it, and waits until it can be asked.
    pub fn start() -> Self {
        let installed = cache().join("small-model/1");
        let weights = installed.join("model.gguf");
        assert!(weights.is_file(), "there is no model in {}: run scripts/setup tests", installed.display());
        let serve = Path::new(env!("CARGO_MANIFEST_DIR")).join("small_model/serve.py");
        let mut command = Command::new("python3");
        command.arg(serve).arg(weights).env("PYTHONPATH", installed.join("python"));
        Self(PythonServer::start(&mut command, "model", &installed))
    }

    /// The base of its addresses: it speaks OpenAI's Chat.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1/", self.0.address)
    }
}
