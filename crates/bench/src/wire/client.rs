//! The plainest client: one connection, blocking, nothing but what the protocol needs.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};

const PIECE: usize = 256 * 1024;
/// Far beyond what any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a client gets to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Straight.
    Direct,
    /// A proxy is asked for each thing.
    Forward(SocketAddr),
    /// A proxy makes a tunnel.
    Tunnel(SocketAddr),
}

/// A connection that is used again and again.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// What stands before a path.
    prefix: String,
    server: SocketAddr,
}

impl Client {
    pub(crate) fn connect(server: SocketAddr, way: Way) -> anyhow::Result<Self> {
        let first = match way {
            Way::Direct => server,
            Way::Forward(proxy) | Way::Tunnel(proxy) => proxy,
        };
        let mut stream = TcpStream::connect(first)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut buffer = vec![0; PIECE];
        if let Way::Tunnel(_) = way {
            stream.write_all(format!("CONNECT {server} HTTP/1.1\r\nHost: {server}\r\n\r\n").as_bytes())?;
            let read = stream.read(&mut buffer)?;
            ensure!(buffer[..read].starts_with(b"HTTP/1.1 200"), "there is no tunnel");
        }
        let prefix = if let Way::Forward(_) = way { format!("http://{server}") } else { String::new() };
        Ok(Self { stream, buffer, prefix, server })
    }

    /// Asks for a path and reads all of the answer.
    pub(crate) fn get(&mut self, path: &str) -> anyhow::Result<()> {
        let (prefix, server) = (&self.prefix, self.server);
        let head = format!(
            "GET {prefix}{path} HTTP/1.1\r\nHost: {server}\r\nAccept: */*\r\nUser-Agent: bench\r\n\r\n"
        );
        self.stream.write_all(head.as_bytes())?;
        self.read_answer()
    }

    /// Sends so many bytes and reads all of the answer.
    pub(crate) fn send(&mut self, length: usize) -> anyhow::Result<()> {
        let (prefix, server) = (&self.prefix, self.server);
        let head =
            format!("POST {prefix}/sink HTTP/1.1\r\nHost: {server}\r\nContent-Length: {length}\r\n\r\n");
        self.stream.write_all(head.as_bytes())?;
        let piece = vec![b'x'; PIECE];
        let mut left = length;
        while left > 0 {
            let some = left.min(PIECE);
            self.stream.write_all(&piece[..some])?;
            left -= some;
        }
        self.read_answer()
    }

    fn read_answer(&mut self) -> anyhow::Result<()> {
        let mut filled = 0;
        let (head, length) = loop {
            let read = self.stream.read(&mut self.buffer[filled..])?;
            ensure!(read > 0, "the connection broke");
            filled += read;
            if let Some(end) = self.buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n") {
                break (end + 4, length(&self.buffer[..end])?);
            }
        };
        let mut left = length.checked_sub(filled - head).context("more came than was told")?;
        while left > 0 {
            let most = left.min(PIECE);
            match self.stream.read(&mut self.buffer[..most])? {
                0 => bail!("the connection broke"),
                read => left -= read,
            }
        }
        Ok(())
    }
}

fn length(head: &[u8]) -> anyhow::Result<usize> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    ensure!(head.starts_with("http/1.1 200"), "not the answer that was asked for: {head}");
    let found = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    found.context("an answer without a length")
}

/// How long `clients` at a time take for `count` small answers in all.
pub(crate) fn small(server: SocketAddr, way: Way, clients: usize, count: usize) -> anyhow::Result<Duration> {
    let connected: anyhow::Result<Vec<Client>> = (0..clients).map(|_| Client::connect(server, way)).collect();
    let began = Instant::now();
    thread::scope(|scope| {
        let asking: Vec<_> = connected?
            .into_iter()
            .map(|mut client| scope.spawn(move || (0..count / clients).try_for_each(|_| client.get("/data"))))
            .collect();
        asking.into_iter().try_for_each(|one| one.join().unwrap_or_else(|_| bail!("a client broke off")))
    })?;
    Ok(began.elapsed())
}
