//! The smallest server that a browser accepts: one page, on this machine alone, for as long as it is waited for.

use std::{convert::Infallible, io, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};

/// Browsers open connections in advance and may never use them.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_HEAD: usize = 16 * 1024;

/// One page on a port of 127.0.0.1.
pub(crate) struct PageServer {
    listener: TcpListener,
    port: u16,
    page: &'static str,
}

impl PageServer {
    pub(crate) async fn open(page: &'static str) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, page })
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address())
    }

    /// Serves until it is dropped.
    pub(crate) async fn serve(&self) -> Infallible {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept() => {
                    if let Ok((stream, _)) = accepted {
                        connections.spawn(timeout(PATIENCE, answer(stream, self.page)));
                    }
                }
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

/// Answers one request: the page at `/`, nothing elsewhere.
async fn answer(mut stream: TcpStream, page: &str) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        if head.len() > LONGEST_HEAD || stream.read_buf(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let (status, body) = if head.starts_with(b"GET / ") { ("200 OK", page) } else { ("404 Not Found", "") };
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}
