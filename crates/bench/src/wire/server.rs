//! A server that answers at once, on threads of its own. It also tells pages what to ask for, and hears how long that took them.

use std::{
    collections::HashMap,
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::Duration,
};

use anyhow::{Context, anyhow};
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");
const IMAGE: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
/// How long a page waits for its next task before it asks again.
const POLL: Duration = Duration::from_secs(20);
/// Far beyond what any task takes.
const PATIENCE: Duration = Duration::from_secs(120);
/// How much is written or read in one go.
const PIECE: usize = 256 * 1024;

/// It lives as long as the process.
#[derive(Clone)]
pub(crate) struct Server {
    address: SocketAddr,
    board: Board,
}

type Board = Arc<Mutex<HashMap<String, Place>>>;

/// What is known of one page.
struct Place {
    tasks: Arc<Mutex<Receiver<Value>>>,
    told: Sender<Result<Duration, String>>,
}

/// A page that does what it is told.
pub(crate) struct Worker {
    url: String,
    tasks: Sender<Value>,
    told: Receiver<Result<Duration, String>>,
}

/// What a page asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// `fetch`, nothing sent.
    Get,
    /// `fetch`, with something that counts as a preparation.
    Post,
    /// The document of a frame.
    Document,
    /// The same, sent on from address to address before one comes up: fifteen requests for each.
    Hops,
    /// 64 MiB.
    Large,
    /// A picture, a script, a style sheet by turns.
    Piece,
}

impl Ask {
    fn word(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Document => "document",
            Self::Hops => "hops",
            Self::Large => "large",
            Self::Piece => "piece",
        }
    }
}

impl Server {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let board = Board::default();
        let posted = board.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let board = posted.clone();
                // One that breaks off has had its answer, or wants none.
                thread::spawn(move || serve(stream, &board).ok());
            }
        });
        Ok(Self { address, board })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A page of this name that will do what it is told once it is opened.
    pub(crate) fn worker(&self, name: &str) -> Worker {
        let (tasks, to_do) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        let place = Place { tasks: Arc::new(Mutex::new(to_do)), told: tell };
        locked(&self.board).insert(name.to_owned(), place);
        Worker { url: format!("http://{}/work/{name}", self.address), tasks, told }
    }
}

impl Worker {
    /// What has to be opened.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Has `count` things asked for, `lanes` at a time: how long all of it took, by the page's own clock.
    pub(crate) fn does(&self, ask: Ask, count: usize, lanes: usize) -> anyhow::Result<Duration> {
        self.tasks.send(json!({ "ask": ask.word(), "count": count, "lanes": lanes }))?;
        let told = self.told.recv_timeout(PATIENCE).with_context(|| format!("{} said nothing", self.url))?;
        told.map_err(|why| anyhow!("{}, {}: {why}", self.url, ask.word()))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One connection, request after request.
fn serve(mut stream: TcpStream, board: &Board) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut read = vec![0; PIECE];
    let mut filled = 0;
    loop {
        let head = loop {
            if let Some(end) = read[..filled].windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            match stream.read(&mut read[filled..])? {
                0 => return Ok(()),
                more => filled += more,
            }
        };
        let text = String::from_utf8_lossy(&read[..head]).into_owned();
        let mut left = length(&text).saturating_sub(filled - head);
        let consumed = head + length(&text).min(filled - head);
        read.copy_within(consumed..filled, 0);
        filled -= consumed;
        let mut sunk = vec![0; left.min(PIECE)];
        while left > 0 {
            let most = left.min(PIECE);
            match stream.read(&mut sunk[..most])? {
                0 => return Ok(()),
                more => left -= more,
            }
        }
        let path = text.split(' ').nth(1).unwrap_or_default();
        answer(&mut stream, path.split('?').next().unwrap_or_default(), board)?;
    }
}

fn length(head: &str) -> usize {
    let value = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    value.unwrap_or(0)
}

fn answer(stream: &mut TcpStream, path: &str, board: &Board) -> io::Result<()> {
    let mut parts = path.trim_start_matches('/').split('/');
    let (first, who, last) = (parts.next(), parts.next().unwrap_or_default(), parts.next());
    match first.unwrap_or_default() {
        "work" => say(stream, "text/html", PAGE.as_bytes()),
        "next" => {
            let tasks = locked(board).get(who).map(|place| place.tasks.clone());
            let task = tasks.and_then(|tasks| locked(&tasks).recv_timeout(POLL).ok());
            say(stream, "application/json", task.unwrap_or(Value::Null).to_string().as_bytes())
        }
        kind @ ("took" | "broke") => {
            let last = last.unwrap_or_default();
            let told = match last.parse() {
                Ok(micros) if kind == "took" => Ok(Duration::from_micros(micros)),
                _ => Err(last.to_owned()),
            };
            if let Some(place) = locked(board).get(who) {
                // Nobody listens any more when the benchmark is over.
                let _ = place.told.send(told);
            }
            say(stream, "text/plain", b"")
        }
        "hop" => match who.parse::<u32>() {
            Ok(more) if more > 0 => send_on(stream, more - 1),
            _ => say(stream, "text/html", b"<!doctype html><title>The end</title>"),
        },
        "bytes" => pour(stream, who.parse().unwrap_or(0)),
        "document" => say(stream, "text/html", b"<!doctype html><title>A document</title><p>Words"),
        "image" => say(stream, "image/gif", IMAGE),
        "script" => say(stream, "text/javascript", b"0"),
        "style" => say(stream, "text/css", b"p{margin:0}"),
        "data" | "prepare" => say(stream, "application/json", br#"{"answer":"at once"}"#),
        _ => say(stream, "text/plain", b"small"),
    }
}

/// Head and body in one write.
fn say(stream: &mut TcpStream, content: &str, body: &[u8]) -> io::Result<()> {
    let mut whole = head(content, body.len()).into_bytes();
    whole.extend_from_slice(body);
    stream.write_all(&whole)
}

fn head(content: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content}\r\nCache-Control: no-store\r\nContent-Length: {length}\r\n\r\n"
    )
}

fn send_on(stream: &mut TcpStream, left: u32) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 302 Found\r\nLocation: /hop/{left}\r\nCache-Control: no-store\r\nContent-Length: 0\r\n\r\n"
    );
    stream.write_all(head.as_bytes())
}

fn pour(stream: &mut TcpStream, mut left: usize) -> io::Result<()> {
    stream.write_all(head("application/octet-stream", left).as_bytes())?;
    let piece = vec![b'x'; PIECE];
    while left > 0 {
        let some = left.min(PIECE);
        stream.write_all(&piece[..some])?;
        left -= some;
    }
    Ok(())
}
