//! A hand-written HTTP client for the tests of the servers: sends bytes, reads bytes.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// The host and port in an `http:` or `ws:` address, and the path after it.
pub(crate) fn split(address: &str) -> (&str, &str) {
    let rest = address.split_once("://").expect("an absolute address").1;
    rest.find('/').map_or((rest, "/"), |slash| rest.split_at(slash))
}

/// Connects with a limit on every read.
pub(crate) fn connect(address: &str, limit: Duration) -> TcpStream {
    let stream = TcpStream::connect(split(address).0).unwrap();
    stream.set_read_timeout(Some(limit)).unwrap();
    stream
}

/// Sends a request and leaves the stream open.
pub(crate) fn send(address: &str, method: &str, extra: &str, body: &str) -> TcpStream {
    let (host, path) = split(address);
    let mut stream = connect(address, Duration::from_secs(10));
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{extra}Content-Length: {length}\r\n\r\n");
    stream.write_all((head + body).as_bytes()).unwrap();
    stream
}

/// Gets an address: the whole answer, head and body, as text.
pub(crate) fn get(address: &str) -> String {
    get_with(address, "")
}

/// Gets an address with extra header lines, each ended by CR LF.
pub(crate) fn get_with(address: &str, extra: &str) -> String {
    read_all(send(address, "GET", &format!("Connection: close\r\n{extra}"), ""))
}

/// Reads until the other side closes.
pub(crate) fn read_all(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

/// Reads until `wanted` has come.
pub(crate) fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while !String::from_utf8_lossy(&answer).contains(wanted) {
        let length = stream.read(&mut part).unwrap();
        assert_ne!(length, 0, "closed before {wanted:?} came: {:?}", String::from_utf8_lossy(&answer));
        answer.extend(&part[..length]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// Whether the stream stays open and silent for as long as its read limit.
pub(crate) fn is_silent(stream: &mut TcpStream) -> bool {
    let kind = stream.read(&mut [0]).map_err(|problem| problem.kind());
    matches!(kind, Err(std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut))
}
