//! A client of the protocol that says just what it is told, on the standard streams of a real server.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{LONG, Legwork};

/// A running server and the conversation with it.
pub(crate) struct Talk {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    heard: Receiver<String>,
    next: u64,
}

impl Talk {
    /// Starts the server and says nothing.
    pub(crate) fn silent(legwork: &Legwork, args: &[&str]) -> Self {
        Self::silent_with(legwork, args, &[])
    }

    /// The same with these variables.
    fn silent_with(legwork: &Legwork, args: &[&str], env: &[(&str, &str)]) -> Self {
        Self::started(legwork, args, env, Stdio::null())
    }

    fn started(legwork: &Legwork, args: &[&str], env: &[(&str, &str)], log: Stdio) -> Self {
        let line: Vec<&str> = ["mcp"].into_iter().chain(args.iter().copied()).collect();
        let mut command = legwork.command(&line);
        command.envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, heard) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, heard, next: 1 }
    }

    /// The same after the greeting of the older protocol.
    pub(crate) fn greeted(legwork: &Legwork, args: &[&str]) -> Self {
        Self::greeted_with(legwork, args, &[])
    }

    /// The same with these variables.
    pub(crate) fn greeted_with(legwork: &Legwork, args: &[&str], env: &[(&str, &str)]) -> Self {
        Self::silent_with(legwork, args, env).after_greeting()
    }

    /// The same with its standard error in a file.
    pub(crate) fn logged(legwork: &Legwork, args: &[&str], log: File) -> Self {
        Self::started(legwork, args, &[], log.into()).after_greeting()
    }

    /// The same with these variables too.
    pub(crate) fn logged_with(legwork: &Legwork, args: &[&str], env: &[(&str, &str)], log: File) -> Self {
        Self::started(legwork, args, env, log.into()).after_greeting()
    }

    /// The same for a client that can do more.
    pub(crate) fn greeted_as(legwork: &Legwork, args: &[&str], capabilities: Value) -> Self {
        Self::silent(legwork, args).after_greeting_as(capabilities)
    }

    fn after_greeting(self) -> Self {
        self.after_greeting_as(json!({}))
    }

    fn after_greeting_as(self, capabilities: Value) -> Self {
        let mut talk = self;
        let client = json!({ "name": "tests", "version": "1" });
        let greeting =
            json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client });
        let answer = talk.ask("initialize", greeting);
        assert_eq!(answer["result"]["serverInfo"]["name"], "legwork", "{answer}");
        talk.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        talk
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// The next message; each line must be one.
    #[track_caller]
    pub(crate) fn hear(&self) -> Value {
        let line = self.heard.recv_timeout(LONG).unwrap_or_else(|_| panic!("no message within {LONG:?}"));
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    /// Sends a request; its id.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request, and what else came before it.
    #[track_caller]
    pub(crate) fn answer(&self, id: u64) -> (Value, Vec<Value>) {
        let mut others = Vec::new();
        let end = Instant::now() + LONG;
        while Instant::now() < end {
            let message = self.hear();
            if message["id"] == id {
                return (message, others);
            }
            others.push(message);
        }
        panic!("no answer to {id}: {others:?}");
    }

    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id).0
    }

    /// Calls a tool; its result.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool; the text of a result that is no failure.
    #[track_caller]
    pub(crate) fn told(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Calls a tool; the text of a failure with this code.
    #[track_caller]
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value, code: &str) -> String {
        let result = self.call(tool, arguments);
        let text = text(&result);
        assert!(result["isError"] == true && text.starts_with(&format!("{code}: ")), "{result}");
        text
    }

    /// Ends the input; how the server ended.
    #[track_caller]
    pub(crate) fn end(mut self) -> i32 {
        drop(self.stdin.take());
        super::end_within(Duration::from_secs(30), &mut self.child).code().unwrap()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a result.
#[track_caller]
pub(crate) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}")).to_owned()
}

/// The word after `key` at the beginning of a line: `session`, `observation`.
#[track_caller]
pub(crate) fn named(text: &str, key: &str) -> String {
    let line = text.lines().rev().find_map(|line| line.strip_prefix(&format!("{key} ")));
    line.unwrap_or_else(|| panic!("no {key} in {text}")).to_owned()
}

/// The number of the control that is told as `what`, such as `button "Save"`.
#[track_caller]
pub(crate) fn number(text: &str, what: &str) -> u64 {
    let line = text.lines().rev().find_map(|line| {
        let (number, rest) = line.trim().split_once(' ')?;
        rest.starts_with(what).then(|| number.parse().ok())?
    });
    line.unwrap_or_else(|| panic!("no {what} in {text}"))
}
