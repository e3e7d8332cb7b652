//! Faked browser endpoints, each with one fault, for tests of connecting and failing over.

use std::{
    future::Future,
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::sleep,
};

use crate::server_thread::ServerThread;

/// One faked endpoint on a port of `127.0.0.1`; it stops, with every open connection, when dropped.
#[derive(Debug)]
pub struct CdpStub {
    port: u16,
    connections: Arc<AtomicUsize>,
    _keeps: Keeps,
}

/// What must live as long as the endpoint.
#[derive(Debug)]
enum Keeps {
    /// Held for its drop alone.
    Thread { _thread: ServerThread },
    /// A port that is bound but not listened on: nobody else gets it, and who connects is refused.
    Port { _socket: TcpSocket },
}

impl CdpStub {
    /// Nothing listens: connections are refused.
    pub fn refusing() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a port");
        let port = socket.local_addr().expect("a bound port").port();
        Self { port, connections: Arc::default(), _keeps: Keeps::Port { _socket: socket } }
    }

    /// Takes connections and requests, never answers.
    pub fn hanging() -> Self {
        Self::serving(async |mut stream, _| swallow(&mut stream).await)
    }

    /// Ends each connection at once by a reset.
    pub fn reset() -> Self {
        Self::serving(async |stream, _| stream.set_zero_linger())
    }

    /// Answers every request with this status and an empty body.
    pub fn status(code: u16) -> Self {
        Self::answering(move |_| {
            format!("HTTP/1.1 {code} Status\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        })
    }

    /// Answers every request with an HTML page, as a router's login page would.
    pub fn html() -> Self {
        Self::answering(|_| ok("text/html", "<!doctype html><title>Welcome</title><h1>Please log in</h1>\n"))
    }

    /// Answers every request with text that claims to be JSON and breaks off.
    pub fn wrong_json() -> Self {
        Self::answering(|_| ok("application/json", "{\"Browser\": \"Chrome/"))
    }

    /// Answers every request with JSON that lacks `webSocketDebuggerUrl`.
    pub fn no_debugger_url() -> Self {
        Self::answering(|_| {
            ok("application/json", "{\"Browser\": \"Chrome/156.0.0.0\", \"Protocol-Version\": \"1.3\"}")
        })
    }

    /// Answers every request with JSON that announces `address` as `webSocketDebuggerUrl`.
    pub fn announcing(address: &str) -> Self {
        let answer = ok("application/json", &version(address));
        Self::answering(move |_| answer.clone())
    }

    /// Answers every request with a redirect to `address`.
    pub fn redirect(address: &str) -> Self {
        let head = format!("HTTP/1.1 302 Found\r\nLocation: {address}\r\n");
        Self::answering(move |_| format!("{head}Content-Length: 0\r\nConnection: close\r\n\r\n"))
    }

    /// Answers `/json/version` rightly and completes the WebSocket handshake, then is silent for ever: no reply
    /// to any command, no pong, no close.
    pub fn half_open_ws() -> Self {
        Self::serving(async |mut stream, port| {
            if wants_websocket(&stream).await? {
                let socket = tokio_tungstenite::accept_async(stream).await.map_err(io::Error::other)?;
                return swallow(&mut socket.into_inner()).await;
            }
            read_head(&mut stream).await?;
            answer(stream, &ok("application/json", &version(&ws_address(port)))).await
        })
    }

    /// The address to give as an HTTP endpoint.
    pub fn http_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The address to give as a WebSocket endpoint.
    pub fn ws_url(&self) -> String {
        ws_address(self.port)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How many connections were taken so far; refused ones are not seen.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Answers each connection's first request with the text that `reply` makes from the port.
    fn answering(reply: impl Fn(u16) -> String + Clone + Send + Sync + 'static) -> Self {
        Self::serving(move |mut stream, port| {
            let reply = reply.clone();
            async move {
                read_head(&mut stream).await?;
                answer(stream, &reply(port)).await
            }
        })
    }

    fn serving<F>(handle: impl Fn(TcpStream, u16) -> F + Send + 'static) -> Self
    where
        F: Future<Output = io::Result<()>> + 'static,
    {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on 127.0.0.1");
        listener.set_nonblocking(true).expect("a listener that does not block");
        let port = listener.local_addr().expect("a bound port").port();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        let thread = ServerThread::start(move || async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener for the runtime");
            let tasks = tokio::task::LocalSet::new();
            tasks
                .run_until(async {
                    while let Ok((stream, _)) = listener.accept().await {
                        count.fetch_add(1, Ordering::SeqCst);
                        // A client that goes away early is what these endpoints are for.
                        let handling = handle(stream, port);
                        tokio::task::spawn_local(async move { drop(handling.await) });
                    }
                })
                .await;
        });
        Self { port, connections, _keeps: Keeps::Thread { _thread: thread } }
    }
}

fn ws_address(port: u16) -> String {
    format!("ws://127.0.0.1:{port}/devtools/browser/stub")
}

fn version(debugger_url: &str) -> String {
    format!(
        "{{\"Browser\": \"Chrome/156.0.0.0\", \"Protocol-Version\": \"1.3\", \
         \"webSocketDebuggerUrl\": \"{debugger_url}\"}}"
    )
}

fn ok(kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// Reads until the empty line after the request's head.
async fn read_head(stream: &mut TcpStream) -> io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    Ok(())
}

async fn answer(mut stream: TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    swallow(&mut stream).await
}

/// Reads and forgets until the other side closes.
async fn swallow(stream: &mut TcpStream) -> io::Result<()> {
    tokio::io::copy(stream, &mut tokio::io::sink()).await.map(drop)
}

/// Looks at the request's head, without taking it, for the wish to upgrade.
async fn wants_websocket(stream: &TcpStream) -> io::Result<bool> {
    let mut seen = vec![0; 16 * 1024];
    loop {
        let length = stream.peek(&mut seen).await?;
        let head = &seen[..length];
        if length == 0 || length == seen.len() || head.windows(4).any(|end| end == b"\r\n\r\n") {
            return Ok(String::from_utf8_lossy(head).to_ascii_lowercase().contains("upgrade: websocket"));
        }
        // A peek does not wait for more than it has seen already.
        sleep(Duration::from_millis(1)).await;
    }
}
