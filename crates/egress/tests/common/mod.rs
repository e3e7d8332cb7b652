//! A server that counts its visitors, a resolver with given answers, and a client that speaks to doors in plain bytes.

#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    collections::{HashMap, VecDeque},
    convert::Infallible,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, StreamBody, combinators::BoxBody};
use hyper::{Request, Response, body::Frame, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use legwork_egress::{Door, Egress, Limits, Resolve, ResolveError, Resolver, Settings};
use legwork_policy::places::Reach;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

pub const SOON: Duration = Duration::from_secs(10);

/// A server on loopback that ends with its owner.
pub struct Origin {
    pub address: SocketAddr,
    visitors: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    _tasks: JoinSet<()>,
}

impl Origin {
    /// Serves pages by their paths, see [`page`].
    pub async fn pages() -> Self {
        Self::start(|stream, requests| async move {
            let service = service_fn(|request| page(request, requests.clone()));
            let serving =
                http1::Builder::new().half_close(true).serve_connection(TokioIo::new(stream), service);
            let _ = serving.await;
        })
        .await
    }

    /// Gives every visitor the same bytes after a head has come, and closes.
    pub async fn raw(reply: &'static str) -> Self {
        Self::start(move |mut stream, requests| async move {
            let head = head(&mut stream).await;
            requests.lock().unwrap().push(head);
            let _ = stream.write_all(reply.as_bytes()).await;
        })
        .await
    }

    /// Gives back whatever comes.
    pub async fn echo() -> Self {
        Self::start(|mut stream, _| async move {
            let (mut from, mut to) = stream.split();
            let _ = tokio::io::copy(&mut from, &mut to).await;
        })
        .await
    }

    /// Takes everything and says nothing.
    pub async fn silent() -> Self {
        Self::start(|mut stream, _| async move {
            let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
        })
        .await
    }

    pub async fn start<F: Future<Output = ()> + Send + 'static>(
        serve: impl Fn(TcpStream, Arc<Mutex<Vec<String>>>) -> F + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (visitors, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let (counted, noted) = (visitors.clone(), requests.clone());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut served = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                served.spawn(serve(stream, noted.clone()));
            }
        });
        Self { address, visitors, requests, _tasks: tasks }
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections came.
    pub fn visitors(&self) -> usize {
        self.visitors.load(Ordering::SeqCst)
    }

    /// The heads of all requests.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

type Page = Response<BoxBody<Bytes, Infallible>>;

async fn page(request: Request<Incoming>, requests: Arc<Mutex<Vec<String>>>) -> Result<Page, Infallible> {
    let mut told = format!("{} {}\n", request.method(), request.uri());
    for (name, value) in request.headers() {
        told += &format!("{name}: {}\n", value.to_str().unwrap());
    }
    requests.lock().unwrap().push(told.clone());
    let path = request.uri().path().to_owned();
    let full = |text: String| Full::new(Bytes::from(text)).boxed();
    let answer = Response::builder();
    let answer = match path.split('/').nth(1).unwrap() {
        "upload" => {
            let mut bytes = 0;
            let mut body = request.into_body();
            while let Some(frame) = body.frame().await {
                bytes += frame.unwrap().into_data().map_or(0, |data| data.len());
            }
            answer.body(full(format!("{bytes} bytes")))
        }
        "big" => {
            let pieces: usize = path.rsplit('/').next().unwrap().parse().unwrap();
            let piece = Bytes::from(vec![b'x'; 64 * 1024]);
            let frames = (0..pieces).map(move |_| Ok(Frame::data(piece.clone())));
            answer.body(StreamBody::new(futures_util::stream::iter(frames)).boxed())
        }
        "empty" => answer.status(204).body(full(String::new())),
        "same" => answer.status(304).header("etag", "\"1\"").body(full(String::new())),
        "to" => answer.status(302).header("location", &path[4..]).body(full(String::new())),
        "late" => answer.status(408).body(full("late".into())),
        "trap" => {
            answer.status(407).header("proxy-authenticate", "Basic realm=\"x\"").body(full("trap".into()))
        }
        "sly" => answer
            .header("proxy-authenticate", "Basic realm=\"x\"")
            .header("connection", "x-hop")
            .header("x-hop", "1")
            .body(full("sly".into())),
        _ => answer.body(full(told)),
    };
    Ok(answer.unwrap())
}

/// Answers of a resolver, in order; the last one stays.
#[derive(Clone, Default)]
pub struct Names(Arc<Mutex<HashMap<String, VecDeque<Answer>>>>, Arc<AtomicUsize>);

#[derive(Clone)]
pub enum Answer {
    Addresses(Vec<IpAddr>),
    Error(ResolveError),
    Never,
}

impl Names {
    pub fn with(self, name: &str, addresses: &[&str]) -> Self {
        self.then(name, Answer::Addresses(addresses.iter().map(|address| address.parse().unwrap()).collect()))
    }

    pub fn then(self, name: &str, answer: Answer) -> Self {
        self.0.lock().unwrap().entry(name.into()).or_default().push_back(answer);
        self
    }

    pub fn asked(&self) -> usize {
        self.1.load(Ordering::SeqCst)
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolve<'a> {
        self.1.fetch_add(1, Ordering::SeqCst);
        let mut names = self.0.lock().unwrap();
        let answer = match names.get_mut(name) {
            None => Answer::Error(ResolveError::NotFound),
            Some(answers) if answers.len() > 1 => answers.pop_front().unwrap(),
            Some(answers) => answers[0].clone(),
        };
        Box::pin(async move {
            match answer {
                Answer::Addresses(addresses) => Ok(addresses),
                Answer::Error(error) => Err(error),
                Answer::Never => std::future::pending().await,
            }
        })
    }
}

pub fn limits() -> Limits {
    let second = Duration::from_secs(1);
    Limits { resolve: second / 5, connect: second, alone: second, ..Limits::default() }
}

pub fn egress(names: &Names) -> Egress {
    Egress::start(names.clone(), Settings { limits: limits(), ..Settings::default() })
}

/// `shop.test` and `bank.test` are on loopback, and may be reached at these ports.
pub fn shops() -> Names {
    Names::default().with("shop.test", &["127.0.0.1"]).with("bank.test", &["127.0.0.1"])
}

pub fn granted(ports: &[u16]) -> Reach {
    let grants =
        ports.iter().flat_map(|port| ["shop.test", "bank.test"].map(|name| format!("{name}:{port}")));
    Reach { private: grants.map(|grant| grant.parse().unwrap()).collect(), ..Reach::default() }
}

/// A connection to a door.
pub async fn knock(door: &Door) -> TcpStream {
    TcpStream::connect(door.address()).await.unwrap()
}

/// Sends a whole request and reads to the end.
pub async fn say(door: &Door, request: &str) -> String {
    let mut stream = knock(door).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A door that closes while we still speak may reset the connection.
    let _ = in_time(stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

pub async fn get(door: &Door, url: &str) -> String {
    say(door, &format!("GET {url} HTTP/1.1\r\nHost: whatever.test\r\nConnection: close\r\n\r\n")).await
}

pub async fn connect(door: &Door, authority: &str) -> (TcpStream, String) {
    let mut stream = knock(door).await;
    let request = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let head = head(&mut stream).await;
    (stream, head)
}

/// One head, and not a byte more.
pub async fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match in_time(stream.read_u8()).await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// One head and the body that its length says.
pub async fn answer(stream: &mut TcpStream) -> (String, String) {
    let head = head(stream).await.to_lowercase();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    in_time(stream.read_exact(&mut body)).await.unwrap();
    (head, String::from_utf8(body).unwrap())
}

pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(SOON, future).await.expect("nothing came in time")
}

pub fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// The reason in the header of a denial.
pub fn denied(answer: &str) -> &str {
    let line = answer.lines().find_map(|line| line.strip_prefix("x-legwork-denied: "));
    line.unwrap_or_else(|| panic!("not denied: {answer}"))
}

/// The words of the ledger, in order.
pub fn words(door: &Door) -> Vec<String> {
    door.ledger()
        .entries()
        .iter()
        .map(|entry| format!("{} {} {}", entry.method, entry.place, entry.decision.as_str()))
        .collect()
}
