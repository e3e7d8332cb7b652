//! The cable between the code under test and a browser of somebody else's: it carries everything, knows what, and can be damaged at any point.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    process::Command,
    sync::{Arc, Mutex},
};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, accept_async_with_config, client_async_with_config,
    tungstenite::{Message, protocol::WebSocketConfig},
};

use crate::{SomebodysBrowser, server_thread::ServerThread};

/// How a cable is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// It is cut: the connection is reset.
    Cut,
    /// Nothing comes through any more, in either direction, and nobody is told.
    HalfOpen,
    /// The browser at its other end is killed.
    Kill,
}

/// Where a cable is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// Before a command is carried: the browser never hears of it.
    Command(Damage),
    /// When the browser has carried it out and answers: nobody here hears of that.
    Answer(Damage),
}

/// What a message is, before it is carried: the name of its command. Says where the cable is damaged, if it is.
type Watch = Box<dyn FnMut(&str) -> Option<Break> + Send>;

/// A cable to a real browser. Both end with this value.
pub struct Cable {
    port: u16,
    _thread: ServerThread,
    _browser: Arc<SomebodysBrowser>,
}

impl Cable {
    /// A cable to a browser of its own. `watch` is told of every command before it is carried.
    pub fn plug(watch: impl FnMut(&str) -> Option<Break> + Send + 'static) -> Self {
        let browser = Arc::new(SomebodysBrowser::start());
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on 127.0.0.1");
        listener.set_nonblocking(true).expect("a listener that does not block");
        let port = listener.local_addr().expect("a bound port").port();
        let (other_end, watch) = (browser.clone(), Arc::new(Mutex::new(Box::new(watch) as Watch)));
        let thread = ServerThread::start(move || async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener for the runtime");
            let tasks = tokio::task::LocalSet::new();
            let taking = async {
                while let Ok((stream, _)) = listener.accept().await {
                    let (browser, watch) = (other_end.clone(), watch.clone());
                    // Whoever goes away early takes the cable along.
                    tokio::task::spawn_local(async move { drop(carry(stream, &browser, &watch).await) });
                }
            };
            tasks.run_until(taking).await;
        });
        Self { port, _thread: thread, _browser: browser }
    }

    /// The address of its end.
    pub fn ws_url(&self) -> String {
        format!("ws://127.0.0.1:{}/devtools/browser/cable", self.port)
    }
}

/// Screenshots are large.
fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(None).max_frame_size(None)
}

async fn carry(near: TcpStream, browser: &SomebodysBrowser, watch: &Mutex<Watch>) -> io::Result<()> {
    let url = browser.ws_url();
    let host = url.trim_start_matches("ws://").split('/').next().expect("a host");
    let far = TcpStream::connect(host).await?;
    let (far, _) = client_async_with_config(url, far, Some(config())).await.map_err(io::Error::other)?;
    let near = accept_async_with_config(near, Some(config())).await.map_err(io::Error::other)?;
    match between(near, far, watch).await {
        Some((Damage::Cut, near, _)) => near.into_inner().set_zero_linger(),
        Some((Damage::Kill, _near, _far)) => {
            let kill = Command::new("kill").args(["-KILL", &browser.pid().to_string()]).status();
            assert!(kill?.success(), "the browser could not be killed");
            Ok(())
        }
        // Held open until the test is over.
        Some((Damage::HalfOpen, _near, _far)) => std::future::pending().await,
        None => Ok(()),
    }
}

type End = WebSocketStream<TcpStream>;

/// Carries messages until one end hangs up or the cable is damaged.
async fn between(mut near: End, mut far: End, watch: &Mutex<Watch>) -> Option<(Damage, End, End)> {
    let mut awaited: Option<(String, Damage)> = None;
    loop {
        tokio::select! {
            message = near.next() => {
                let message = message?.ok()?;
                if let Message::Text(text) = &message {
                    match (watch.lock().expect("nobody panicked"))(method(text)) {
                        Some(Break::Command(damage)) => return Some((damage, near, far)),
                        Some(Break::Answer(damage)) => awaited = Some((beginning(text), damage)),
                        None => {}
                    }
                }
                far.send(message).await.ok()?;
            }
            message = far.next() => {
                let message = message?.ok()?;
                if let (Message::Text(text), Some((answer, damage))) = (&message, &awaited)
                    && text.starts_with(answer)
                {
                    return Some((*damage, near, far));
                }
                near.send(message).await.ok()?;
            }
        }
    }
}

/// How the answer to a command begins: both begin with its number.
fn beginning(command: &str) -> String {
    let (number, _) = command.split_once(',').expect("a command has more than its number");
    assert!(number.starts_with("{\"id\":"), "{command}");
    format!("{number},")
}

/// The name of a command, as it stands in its message.
fn method(message: &str) -> &str {
    let rest = message.split_once("\"method\":\"").map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}
