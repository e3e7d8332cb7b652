//! A real server over HTTP, and requests to it as they stand on the wire.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    thread,
};

use serde_json::{Value, json};

use super::{LONG, Legwork};

pub(crate) const TOKEN: &str = "0123456789abcdef-of-the-tests";

/// A server over HTTP.
pub(crate) struct Door {
    pub(crate) child: Child,
    pub(crate) port: u16,
    /// What it said on standard error before it could be reached.
    pub(crate) said: Vec<String>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Reads it to its end.
    #[track_caller]
    pub(crate) fn read(mut stream: TcpStream) -> Self {
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let all = String::from_utf8_lossy(&all).into_owned();
        let (head, body) = all.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {all}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    /// The last message, be it the body or the last event of a stream.
    #[track_caller]
    pub(crate) fn message(&self) -> Value {
        let mut events = self.body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let last = events.rfind(|data| data.starts_with('{'));
        let json = last.unwrap_or_else(|| self.body.trim());
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Door {
    /// Starts it with the token of the tests.
    pub(crate) fn open(legwork: &Legwork, args: &[&str]) -> Self {
        Self::open_with(legwork, args, &[("LEGWORK_MCP_TOKEN", TOKEN)], 1)
    }

    /// Starts it with these variables; it says so many lines before it can be reached.
    pub(crate) fn open_with(legwork: &Legwork, args: &[&str], env: &[(&str, &str)], lines: usize) -> Self {
        let line: Vec<&str> =
            ["mcp", "--http", "127.0.0.1:0"].into_iter().chain(args.iter().copied()).collect();
        let mut command = legwork.command(&line);
        command.env_remove("LEGWORK_MCP_TOKEN").envs(env.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        let said: Vec<String> = stderr.by_ref().take(lines).map(Result::unwrap).collect();
        thread::spawn(move || stderr.for_each(drop));
        let address =
            said[0].strip_prefix("listening on http://127.0.0.1:").unwrap_or_else(|| panic!("{said:?}"));
        let port = address.strip_suffix("/mcp").unwrap().parse().unwrap();
        Self { child, port, said }
    }

    /// Sends a request with just these headers.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        Reply::read(self.begin(method, path, headers, body))
    }

    /// The same, without waiting for the answer.
    pub(crate) fn begin(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // Who is turned away may be so before all is sent.
        let _ = stream.write_all(body);
        stream
    }

    /// A message with the token and whatever else is usual.
    pub(crate) fn post(&self, more: &[(&str, &str)], message: &Value) -> Reply {
        let bearer = format!("Bearer {TOKEN}");
        let mut headers = usual(&bearer);
        headers.extend(more);
        self.send("POST", "/mcp", &headers, message.to_string().as_bytes())
    }

    /// A request of the newer protocol, which is complete in itself.
    pub(crate) fn modern(&self, method: &str, mut params: Value) -> Reply {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        });
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let mut headers = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
        if !name.is_empty() {
            headers.push(("Mcp-Name", &name));
        }
        self.post(&headers, &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
    }
}

/// The headers of every request.
pub(crate) fn usual(bearer: &str) -> Vec<(&str, &str)> {
    vec![
        ("Authorization", bearer),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ]
}

impl Drop for Door {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
