//! Faked endpoints: each shows its one fault and counts who came.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod raw;

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::Duration,
};

use legwork_testkit::{CdpStub, wait_until};
use raw::{connect, get, is_silent, read_until, send, split};

const SHORT: Duration = Duration::from_millis(150);

fn version(stub: &CdpStub) -> String {
    get(&format!("{}/json/version", stub.http_url()))
}

#[test]
fn refusing_refuses_and_keeps_its_port() {
    let stub = CdpStub::refusing();
    let problem = TcpStream::connect(("127.0.0.1", stub.port())).unwrap_err();
    assert_eq!(problem.kind(), ErrorKind::ConnectionRefused);
    assert!(std::net::TcpListener::bind(("127.0.0.1", stub.port())).is_err());
    assert_eq!(stub.connections(), 0);
}

#[test]
fn hanging_takes_a_request_and_is_silent() {
    let stub = CdpStub::hanging();
    let mut stream = send(&stub.http_url(), "GET", "", "");
    stream.set_read_timeout(Some(SHORT)).unwrap();
    assert!(is_silent(&mut stream));
    assert_eq!(stub.connections(), 1);
}

#[test]
fn reset_resets() {
    let stub = CdpStub::reset();
    let mut stream = connect(&stub.http_url(), Duration::from_secs(10));
    assert_eq!(stream.read(&mut [0]).unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert_eq!(stub.connections(), 1);
}

#[test]
fn answers_carry_their_fault() {
    let cases = [
        (CdpStub::status(500), "HTTP/1.1 500 ", "\r\n\r\n"),
        (CdpStub::status(404), "HTTP/1.1 404 ", "\r\n\r\n"),
        (CdpStub::html(), "HTTP/1.1 200 ", "Please log in"),
        (CdpStub::wrong_json(), "HTTP/1.1 200 ", "{\"Browser\": \"Chrome/"),
        (CdpStub::no_debugger_url(), "HTTP/1.1 200 ", "\"Protocol-Version\""),
        (CdpStub::announcing("ws://a.test/"), "HTTP/1.1 200 ", "\"webSocketDebuggerUrl\": \"ws://a.test/\""),
        (CdpStub::redirect("http://b.test/"), "HTTP/1.1 302 ", "Location: http://b.test/\r\n"),
    ];
    for (stub, start, part) in cases {
        let answer = version(&stub);
        assert!(answer.starts_with(start) && answer.contains(part), "{answer}");
        version(&stub);
        assert_eq!(stub.connections(), 2);
    }
    assert!(!version(&CdpStub::no_debugger_url()).contains("webSocketDebuggerUrl"));
}

#[test]
fn half_open_shakes_hands_and_falls_silent() {
    let stub = CdpStub::half_open_ws();
    let answer = version(&stub);
    assert!(answer.contains(&format!("\"webSocketDebuggerUrl\": \"{}\"", stub.ws_url())), "{answer}");

    let address = stub.ws_url();
    let (host, path) = split(&address);
    let mut stream = connect(&address, Duration::from_secs(10));
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(20)); // the head comes in two parts
    stream
        .write_all(
            b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
              Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        )
        .unwrap();
    let answer = read_until(&mut stream, "\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
    assert!(answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{answer}");

    // A text frame "{}" and a ping, both masked with zeroes.
    stream.write_all(&[0x81, 0x82, 0, 0, 0, 0, b'{', b'}', 0x89, 0x80, 0, 0, 0, 0]).unwrap();
    stream.set_read_timeout(Some(SHORT)).unwrap();
    assert!(is_silent(&mut stream));
    assert_eq!(stub.connections(), 2);
}

#[test]
fn dropping_a_stub_closes_what_hangs() {
    let stub = CdpStub::hanging();
    let mut stream = send(&stub.http_url(), "GET", "", "");
    wait_until(Duration::from_secs(10), "the connection is taken", || stub.connections() == 1);
    drop(stub);
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty());
}
