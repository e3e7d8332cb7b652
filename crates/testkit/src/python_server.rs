//! A server written in Python that `scripts/setup tests` has installed: it prints its address once it listens.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// A server that runs. It ends with this value, also when a test panics, and when the test itself is killed: then its input ends.
pub(crate) struct PythonServer {
    process: Child,
    pub(crate) input: ChildStdin,
    pub(crate) output: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

impl PythonServer {
    /// Starts the script that `command` names, and waits until it listens. `what` it is and where it was `installed` is told where it
    /// does not.
    pub(crate) fn start(command: &mut Command, what: &str, installed: &Path) -> Self {
        let mut process = command
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 starts");
        let (input, output) = (process.stdin.take().expect("piped"), process.stdout.take().expect("piped"));
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line).expect("the server can be heard");
        let Ok(address) = line.trim().parse() else {
            let ended = process.wait();
            panic!(
                "the {what} ended before it listened: {ended:?}; remove {} and run scripts/setup tests",
                installed.display()
            );
        };
        Self { process, input, output, address }
    }
}

impl Drop for PythonServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
