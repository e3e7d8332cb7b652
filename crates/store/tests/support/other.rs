//! Another process: it runs one test of this program, tells in lines what it does, and may be killed.

use std::{
    env,
    ffi::OsStr,
    io::{self, BufRead as _, BufReader, Write as _},
    process::{Child, ChildStderr, ChildStdin, Command, Stdio},
};

/// What begins a line that is meant for whoever started the process.
const MARK: &str = "> ";

/// The process.
#[derive(Debug)]
pub(crate) struct Other {
    child: Child,
    hears: Option<ChildStdin>,
    says: BufReader<ChildStderr>,
    /// What it said besides, such as why it failed.
    aside: String,
}

impl Other {
    /// Runs one test of this program in another process.
    pub(crate) fn begin<'a>(test: &str, variables: impl IntoIterator<Item = (&'a str, &'a OsStr)>) -> Self {
        Self::with(Command::new(env::current_exe().unwrap()), test, variables)
    }

    /// The same by a command that ends in the name of this program.
    pub(crate) fn with<'a>(
        mut command: Command,
        test: &str,
        variables: impl IntoIterator<Item = (&'a str, &'a OsStr)>,
    ) -> Self {
        let mut child = command
            .args(["--exact", test, "--nocapture"])
            .envs(variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let says = BufReader::new(child.stderr.take().unwrap());
        Self { hears: child.stdin.take(), says, child, aside: String::new() }
    }

    /// The next thing that it tells; none when it has ended.
    pub(crate) fn tells(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            self.says.read_line(&mut line).unwrap();
            // Without an end it was not said to the end.
            let line = line.strip_suffix('\n')?;
            match line.strip_prefix(MARK) {
                Some(told) => return Some(told.to_owned()),
                None => self.aside.extend([line, "\n"]),
            }
        }
    }

    /// Lets it go on from where it waits for that.
    pub(crate) fn go(&mut self) {
        self.hears.as_mut().unwrap().write_all(b"go\n").unwrap();
    }

    /// Kills it, and gives what it had told until then.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let told = std::iter::from_fn(|| self.tells()).collect();
        assert_eq!(self.aside, "", "it failed before it was killed");
        told
    }

    /// Waits for its end, which has to be a good one, and gives what it told until then.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.hears = None;
        let told = std::iter::from_fn(|| self.tells()).collect();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {}", self.aside);
        told
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Tells whoever started this process, in one piece.
pub(crate) fn tell(line: &str) {
    io::stderr().write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
}

/// Waits until whoever started this process says that it goes on; false if nothing more will be said.
pub(crate) fn may_go_on() -> bool {
    io::stdin().read_line(&mut String::new()).unwrap() > 0
}
