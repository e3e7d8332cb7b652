//! A shop behind TLS that takes orders and gives no good answer to them: a small server in `tls/serve.py`.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
};

/// A shop that runs. It ends with this value, also when a test panics, and when the test itself is killed.
pub struct TlsShop {
    process: Child,
    talk: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    port: u16,
}

impl TlsShop {
    /// Makes a browser take the shop for `shop.test` and `pay.test`: nobody has vouched for its certificate.
    pub const TRUST: &str =
        "--ignore-certificate-errors-spki-list=XxpJXBT3EBZqhMDO74/GK3mIJ72CvLfqw6n0bq84kiI=";

    /// Starts a shop that speaks `http/1.1` or `h2`, and waits until it listens.
    pub fn start(protocol: &str) -> Self {
        Self::start_with(&[protocol])
    }

    /// The same over `http/1.1` for those alone who show a certificate: nobody has one.
    pub fn start_for_members() -> Self {
        Self::start_with(&["http/1.1", "members"])
    }

    fn start_with(wishes: &[&str]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tls/serve.py");
        let mut process = Command::new("python3")
            .arg(script)
            .args(wishes)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let (input, output) = (process.stdin.take().expect("piped"), process.stdout.take().expect("piped"));
        let mut output = BufReader::new(output);
        let port = line(&mut output).parse().expect("a port");
        Self { process, talk: Mutex::new((input, output)), port }
    }

    /// Where it listens, on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How often the order of this name has arrived.
    pub fn orders(&self, name: &str) -> usize {
        let mut talk = self.talk.lock().expect("nobody panicked while asking");
        let (input, output) = &mut *talk;
        writeln!(input, "{name}").and_then(|()| input.flush()).expect("the shop can be asked");
        line(output).parse().expect("a number")
    }
}

fn line(output: &mut impl BufRead) -> String {
    let mut line = String::new();
    output.read_line(&mut line).expect("the shop can be heard");
    line.trim().to_owned()
}

impl Drop for TlsShop {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
