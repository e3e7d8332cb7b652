//! Endpoints that misbehave in one way each, one that behaves, and a real browser.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use futures_util::{SinkExt, StreamExt};
use legwork_browser::Endpoint;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::watch,
    task::JoinSet,
};
use tokio_tungstenite::{accept_async, tungstenite::Message};

/// What a stub does with a connection.
#[derive(Clone)]
pub(crate) enum Manner {
    /// Says nothing at all.
    Silent,
    /// Reads the question and resets the line.
    Reset,
    /// Reads the question and hangs up.
    HangUp,
    /// Gives this answer to every question.
    Answer(String),
    /// Answers like a browser, opens the WebSocket and says nothing on it.
    HalfOpen,
    /// Answers like a browser, opens the WebSocket and hangs up.
    OpensAndHangsUp,
    /// Answers like a browser, but refuses `Browser.getVersion`.
    NoBrowser,
    /// Answers like a browser.
    Good,
}

/// A local server with one manner. It ends with its value.
pub(crate) struct Stub {
    address: SocketAddr,
    opened: watch::Receiver<usize>,
    open: watch::Receiver<usize>,
    _tasks: JoinSet<()>,
}

impl Stub {
    pub(crate) async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (opened_now, opened) = watch::channel(0);
        let (open_now, open) = watch::channel(0);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut served = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                opened_now.send_modify(|count| *count += 1);
                open_now.send_modify(|count| *count += 1);
                let (manner, open_now) = (manner.clone(), open_now.clone());
                served.spawn(async move {
                    serve(manner, stream, address).await;
                    open_now.send_modify(|count| *count -= 1);
                });
            }
        });
        Self { address, opened, open, _tasks: tasks }
    }

    /// A server that answers with this status line, these headers and this body.
    pub(crate) async fn answering(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
        Self::start(Manner::Answer(answer)).await
    }

    pub(crate) fn http(&self) -> Endpoint {
        format!("http://{}", self.address).parse().unwrap()
    }

    pub(crate) fn ws(&self) -> Endpoint {
        format!("ws://{}/devtools/browser/stub", self.address).parse().unwrap()
    }

    /// An endpoint whose address is full of secrets.
    pub(crate) fn secret(&self) -> Endpoint {
        format!("http://{}/s3path/?token=s3token", self.address).parse().unwrap()
    }

    /// What of the address must not be seen anywhere.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let port = self.address.port().to_string();
        ["127.0.0.1", &port, "s3", "json/version", "devtools"].map(str::to_owned).to_vec()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        *self.opened.borrow()
    }

    /// Waits for the first connection.
    pub(crate) async fn reached(&self) {
        self.opened.clone().wait_for(|count| *count > 0).await.unwrap();
    }

    /// Waits until the other side has ended every connection.
    pub(crate) async fn deserted(&self) {
        self.open.clone().wait_for(|count| *count == 0).await.unwrap();
    }
}

async fn serve(manner: Manner, mut stream: TcpStream, address: SocketAddr) {
    let mut question = [0; 4096];
    match manner {
        Manner::Silent => until_ended(&mut stream).await,
        Manner::Reset => {
            let _ = stream.read(&mut question).await;
            stream.set_zero_linger().unwrap();
        }
        Manner::HangUp => {
            let _ = stream.read(&mut question).await;
        }
        Manner::Answer(answer) => {
            let _ = stream.read(&mut question).await;
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
            until_ended(&mut stream).await;
        }
        Manner::HalfOpen | Manner::OpensAndHangsUp | Manner::NoBrowser | Manner::Good => {
            let count = stream.peek(&mut question).await.unwrap_or(0);
            if String::from_utf8_lossy(&question[..count]).contains("/json/version") {
                let body = json!({
                    "Browser": "Stub/1",
                    // What a browser in a container says that listens on every address.
                    "webSocketDebuggerUrl": format!("ws://0.0.0.0:{}/devtools/browser/stub", address.port() ^ 1),
                })
                .to_string();
                let _ = stream.read(&mut question).await;
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
                let _ = stream.write_all((head + &body).as_bytes()).await;
                until_ended(&mut stream).await;
            } else if let Ok(mut socket) = accept_async(stream).await {
                while !matches!(manner, Manner::OpensAndHangsUp)
                    && let Some(Ok(message)) = socket.next().await
                {
                    let Message::Text(command) = message else { continue };
                    let command: Value = serde_json::from_str(&command).unwrap();
                    let answer = match manner {
                        Manner::Good => json!({ "id": command["id"], "result": {
                            "product": "Stub/1", "userAgent": "Stub", "protocolVersion": "1.3",
                        }}),
                        Manner::NoBrowser => {
                            json!({ "id": command["id"], "error": { "code": -32601, "message": "s3 unknown" } })
                        }
                        _ => continue,
                    };
                    let _ = socket.send(Message::text(answer.to_string())).await;
                }
            }
        }
    }
}

async fn until_ended(stream: &mut TcpStream) {
    let mut rest = [0; 4096];
    while stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
}

/// A port that is taken but not listened on, so that nobody else can begin to answer there.
pub(crate) fn refusing() -> (TcpSocket, Endpoint) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let endpoint = format!("http://{}", socket.local_addr().unwrap()).parse().unwrap();
    (socket, endpoint)
}

/// What was logged.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}
