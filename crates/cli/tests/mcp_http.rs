//! `legwork mcp --http` from the outside: who is let in, what is too much, and both generations of the protocol.

use std::{
    fs,
    io::{self, Write},
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::Path,
    time::Duration,
};

use crate::support::{
    LONG, Legwork,
    door::{Door, Reply, TOKEN, usual},
    end_within, send,
};
use legwork_testkit::rss_kb;
use rustix::process::Signal;
use serde_json::{Value, json};

fn greeting() -> Value {
    let client = json!({ "name": "tests", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

#[test]
fn only_this_machine_and_the_token_open_the_door() {
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    let (body, bearer) = (greeting().to_string(), format!("Bearer {TOKEN}"));
    let here = format!("http://127.0.0.1:{}", door.port);
    let wrong = format!("{bearer}x");
    let cases: &[(&[(&str, &str)], u16)] = &[
        (&[], 200),
        (&[("Origin", &here)], 200),
        (&[("Host", "localhost")], 200),
        (&[("Host", "evil.example")], 403),
        (&[("Host", "127.0.0.1.evil.example")], 403),
        (&[("Origin", "https://evil.example")], 403),
        (&[("Origin", "null")], 403),
    ];
    for (more, status) in cases {
        let headers = [usual(&bearer), more.to_vec()].concat();
        assert_eq!(door.send("POST", "/mcp", &headers, body.as_bytes()).status, *status, "{more:?}");
    }
    for authorization in ["", "Bearer", "Basic Zm9vOmJhcg==", &wrong, &bearer[..bearer.len() - 1]] {
        let reply = door.send("POST", "/mcp", &usual(authorization), body.as_bytes());
        assert_eq!(reply.status, 401, "{authorization}");
        assert!(reply.header("www-authenticate").unwrap().starts_with("Bearer"), "{reply:?}");
        assert!(!reply.body.contains(TOKEN));
    }
    // Without the token nothing can be learned: not which paths there are, nor by which method.
    for (method, path) in
        [("GET", "/mcp"), ("DELETE", "/mcp"), ("OPTIONS", "/mcp"), ("GET", "/"), ("POST", "/else")]
    {
        assert_eq!(door.send(method, path, &[], b"").status, 401, "{method} {path}");
    }
    // A page of elsewhere is told apart before its token is looked at, and is never allowed to read an answer.
    let page = door.send("OPTIONS", "/mcp", &[("Origin", "https://evil.example")], b"");
    assert!(page.status == 403 && page.header("access-control-allow-origin").is_none(), "{page:?}");
}

#[test]
fn what_is_too_large_or_no_message_is_refused() {
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    let bearer = format!("Bearer {TOKEN}");
    let large = vec![b' '; 4 * 1024 * 1024 + 1];
    assert_eq!(door.send("POST", "/mcp", &usual(&bearer), &large).status, 413);
    for body in [&b"{"[..], b"", b"\xff\xfe"] {
        let reply = door.send("POST", "/mcp", &usual(&bearer), body);
        assert_eq!((reply.status, &reply.message()["error"]["code"]), (400, &(-32700).into()), "{reply:?}");
    }
    assert!((400..500).contains(&door.send("POST", "/mcp", &usual(&bearer), b"[1]").status));
    assert_eq!(door.send("POST", "/else", &usual(&bearer), b"{}").status, 404);
    assert_eq!(door.post(&[], &greeting()).status, 200, "the next one is served");
}

/// A request that comes in pieces and does not say beforehand how long it will be.
struct Pieces(TcpStream);

impl Pieces {
    fn begin(door: &Door) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", door.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.set_write_timeout(Some(LONG)).unwrap();
        let mut head =
            format!("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", door.port);
        for (name, value) in usual(&format!("Bearer {TOKEN}")) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes()).unwrap();
        Self(stream)
    }

    /// Sends one more piece, in one go: who answers before the last of it was read would drop the answer.
    fn send(&mut self, piece: &[u8]) -> io::Result<()> {
        self.0.write_all(&[format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat())
    }
}

#[test]
fn what_comes_in_pieces_is_read_up_to_the_limit_and_not_beyond() {
    const MIB: usize = 1024 * 1024;
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    let mut largest = greeting().to_string().into_bytes();
    largest.resize(4 * MIB, b' ');
    for (more, status) in [(&b""[..], 200), (b" ", 413)] {
        let mut pieces = Pieces::begin(&door);
        largest.chunks(MIB / 16).for_each(|piece| pieces.send(piece).unwrap());
        // An empty piece is the end. Without one the answer comes all the same: as soon as it is too much.
        pieces.send(more).unwrap();
        let reply = Reply::read(pieces.0);
        assert_eq!(reply.status, status, "{reply:?}");
        let code = (status == 413).then_some(-32600);
        assert_eq!(reply.message()["error"]["code"].as_i64(), code, "{reply:?}");
    }

    let server = door.child.id();
    let before = rss_kb(server);
    let (piece, mut most) = (vec![b' '; MIB], before);
    for _ in 0..10 {
        let mut endless = Pieces::begin(&door);
        let mut sent = 0;
        while sent < 100 && endless.send(&piece).is_ok() {
            sent += 1;
            most = most.max(rss_kb(server));
        }
        assert!(sent < 100, "{sent} MiB were taken");
    }
    assert!(most < before + 40_000, "memory went from {before} to {most} kB");
    assert_eq!(door.post(&[], &greeting()).status, 200, "the next one is served");
}

#[test]
fn what_comes_in_broken_pieces_is_refused() {
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    let mut pieces = Pieces::begin(&door);
    pieces.0.write_all(b"zz\r\n").unwrap();
    let reply = Reply::read(pieces.0);
    assert_eq!((reply.status, &reply.message()["error"]["code"]), (400, &(-32700).into()), "{reply:?}");
    assert_eq!(door.post(&[], &greeting()).status, 200, "the next one is served");
}

#[test]
fn the_older_protocol_works_with_posts_alone() {
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    let hello = door.post(&[], &greeting());
    assert_eq!(hello.message()["result"]["protocolVersion"], "2025-11-25", "{hello:?}");
    let connection = hello.header("mcp-session-id").unwrap().to_owned();
    let with = [("Mcp-Session-Id", connection.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(door.post(&with, &initialized).status, 202);
    let list = door.post(&with, &json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    assert_eq!(list.message()["result"]["tools"].as_array().unwrap().len(), 7, "{list:?}");
    let unknown =
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "browser_eval" } });
    assert_eq!(door.post(&with, &unknown).message()["error"]["code"], -32602);
    // A connection that there is not is told as such, so that a client greets again.
    let lost = [("Mcp-Session-Id", "none"), ("MCP-Protocol-Version", "2025-11-25")];
    assert_eq!(door.post(&lost, &json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/list" })).status, 404);
}

#[test]
fn the_newer_protocol_needs_neither_greeting_nor_connection() {
    let legwork = Legwork::new();
    let door = Door::open(&legwork, &[]);
    let found = door.modern("server/discover", json!({}));
    assert_eq!(found.status, 200, "{found:?}");
    let list = door.modern("tools/list", json!({}));
    assert_eq!(list.message()["result"]["tools"].as_array().unwrap().len(), 7, "{list:?}");
    assert!(list.header("mcp-session-id").is_none());
    let wrong =
        door.modern("tools/call", json!({ "name": "browser_observe", "arguments": { "sessionId": 7 } }));
    assert_eq!(wrong.message()["result"]["isError"], true, "{wrong:?}");
}

#[test]
fn a_token_is_made_where_none_is_given() {
    let legwork = Legwork::new();
    let runtime = tempfile::tempdir().unwrap();
    let env = [("XDG_RUNTIME_DIR", runtime.path().to_str().unwrap())];
    let mut door = Door::open_with(&legwork, &[], &env, 2);
    let words: Vec<&str> = door.said[1].split(' ').collect();
    assert_eq!((words[0], words[1].len()), ("token", 64), "{:?}", door.said);
    let file = Path::new(words[4]);
    assert_eq!(fs::read_to_string(file).unwrap().trim(), words[1]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    let bearer = format!("Bearer {}", words[1]);
    let body = greeting().to_string();
    assert_eq!(door.send("POST", "/mcp", &usual(&bearer), body.as_bytes()).status, 200);
    assert_eq!(door.post(&[], &greeting()).status, 401);
    // It is void with the server, and so is its file.
    send(Signal::TERM, door.child.id());
    assert_eq!(end_within(Duration::from_secs(20), &mut door.child).code(), Some(0));
    assert!(!file.exists());
}

#[test]
fn a_token_comes_from_a_file_of_the_operators_own() {
    let (legwork, folder) = (Legwork::new(), tempfile::tempdir().unwrap());
    let file = folder.path().join("token");
    fs::write(&file, format!("{TOKEN}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let name = file.to_str().unwrap();
    legwork.run(&["mcp", "--http", "127.0.0.1:0", "--token-file", name]).refused("USAGE", 2);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let door = Door::open_with(&legwork, &["--token-file", name], &[], 1);
    assert_eq!(door.post(&[], &greeting()).status, 200);
}

#[test]
fn open_streams_do_not_hold_up_the_end() {
    let legwork = Legwork::new();
    let mut door = Door::open(&legwork, &[]);
    let connection = door.post(&[], &greeting()).header("mcp-session-id").unwrap().to_owned();
    let bearer = format!("Bearer {TOKEN}");
    let headers = [usual(&bearer), vec![("Mcp-Session-Id", connection.as_str())]].concat();
    let _stream = door.begin("GET", "/mcp", &headers, b"");
    send(Signal::TERM, door.child.id());
    assert_eq!(end_within(Duration::from_secs(10), &mut door.child).code(), Some(0));
}
