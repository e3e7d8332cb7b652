//! The vendor on its port: takes requests, asks the script, answers on the wire that was chosen.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::{Path, RawQuery, State},
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    Asked, Billed, Books, Call, Fault, Reply, Spoken, VendorWire, anthropic, gemini, line::Lines, openai,
    responses,
};
use crate::bundled::Served;

/// What is said to whoever has no money left.
pub(super) const PENNILESS: &str =
    "You exceeded your current quota, please check your plan and billing details.";

type Script = Box<dyn FnMut(&Asked) -> Reply + Send>;

/// A vendor that is running; it stops when dropped.
#[derive(Debug)]
pub struct Vendor {
    served: Served,
    books: Books,
}

#[derive(Clone)]
struct Shop {
    script: Arc<Mutex<Script>>,
    books: Books,
}

impl Vendor {
    /// Starts a vendor whose model is this script.
    ///
    /// # Errors
    ///
    /// Where the machine has no port or no thread left.
    pub fn start(script: impl FnMut(&Asked) -> Reply + Send + 'static) -> io::Result<Self> {
        let books = Books::default();
        let shop = Shop { script: Arc::new(Mutex::new(Box::new(script))), books: books.clone() };
        let router = Router::new()
            .route("/v1/messages", post(messages))
            .route("/v1/chat/completions", post(chat))
            .route("/v1/responses", post(respond))
            .route("/v1beta/models/{call}", post(generate))
            .route("/api/tags", get(async || Json(json!({"models": [{"name": "scripted:latest"}]}))))
            .with_state(shop);
        Ok(Self { served: Served::start_on(Lines, router)?, books })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.served.address()
    }

    /// The base of its addresses, as clients of this wire want to have it.
    pub fn base_url(&self, wire: VendorWire) -> String {
        match wire {
            VendorWire::Anthropic => format!("http://{}", self.address()),
            VendorWire::OpenAi | VendorWire::Responses => format!("http://{}/v1", self.address()),
            VendorWire::Gemini => format!("http://{}/v1beta", self.address()),
        }
    }

    /// What it was asked, and what it charged.
    pub fn books(&self) -> Books {
        self.books.clone()
    }
}

async fn messages(State(shop): State<Shop>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    if headers.get("anthropic-version").is_none() {
        return refused(VendorWire::Anthropic, 400, "anthropic-version: header is required", None);
    }
    let key = headers.get("x-api-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    shop.answer(VendorWire::Anthropic, anthropic::read(&body), key)
}

async fn chat(State(shop): State<Shop>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    shop.answer(VendorWire::OpenAi, openai::read(&body), bearer(&headers))
}

async fn respond(State(shop): State<Shop>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    shop.answer(VendorWire::Responses, responses::read(&body), bearer(&headers))
}

async fn generate(
    State(shop): State<Shop>,
    Path(call): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let Some((model, "streamGenerateContent")) = call.split_once(':') else {
        return refused(VendorWire::Gemini, 404, "this vendor answers as a stream alone", None);
    };
    if query.as_deref() != Some("alt=sse") {
        return refused(VendorWire::Gemini, 400, "this vendor answers in events alone: alt=sse", None);
    }
    let key = headers.get("x-goog-api-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    shop.answer(VendorWire::Gemini, gemini::read(model, &body), key)
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let key = headers.get("authorization").and_then(|key| key.to_str().ok());
    key.and_then(|key| key.strip_prefix("Bearer ")).map(str::to_owned)
}

impl Shop {
    fn answer(&self, wire: VendorWire, asked: Result<Asked, String>, key: Option<String>) -> Response {
        let asked = match asked {
            Ok(asked) => asked,
            Err(problem) => return refused(wire, 400, &problem, None),
        };
        let reply = (self.script.lock().unwrap_or_else(PoisonError::into_inner))(&asked);
        let number = self.books.count() as u64 + 1;
        let billed = bill(&asked, &reply, self.books.calls().last().map(|call| &call.asked));
        let response = response(&asked, &reply, &billed, number, key.as_deref());
        self.books.enter(Call { asked, reply, billed, key });
        response
    }
}

/// A token for every four bytes, and more for pictures. What was the same at the beginning of the call before was kept.
fn bill(asked: &Asked, reply: &Reply, before: Option<&Asked>) -> Billed {
    const PICTURE: u64 = 1_300;
    let tokens = |text: &str| (text.len() as u64).div_ceil(4);
    let spoken = match reply {
        Reply::Spoken(spoken) | Reply::As(_, spoken) | Reply::Torn(spoken) => spoken,
        // What has begun was read, and is charged for.
        Reply::Fault(
            Fault::Stall
            | Fault::Cut
            | Fault::Giant
            | Fault::Overloaded
            | Fault::Declined
            | Fault::NotText
            | Fault::HalfCharacter,
        ) => &begun(),
        Reply::Fault(_) => return Billed::default(),
    };
    let prefix = tokens(&asked.system) + tokens(&asked.body["tools"].to_string());
    let is_kept = before.is_some_and(|before| before.system == asked.system && before.tools == asked.tools);
    let calls: u64 = spoken.calls.iter().map(|(name, input)| tokens(name) + tokens(input)).sum();
    let thought = spoken.thought.as_deref().map_or(0, tokens);
    let turns = asked.turns.iter().map(|turn| tokens(&format!("{turn:?}"))).sum::<u64>();
    let input = turns + PICTURE * asked.pictures as u64;
    // Gemini takes no money for what it keeps.
    let (first, cache_write) = match asked.wire {
        _ if is_kept => (0, 0),
        VendorWire::Gemini => (prefix, 0),
        VendorWire::Anthropic | VendorWire::OpenAi | VendorWire::Responses => (0, prefix),
    };
    Billed {
        input: input + first,
        cache_write,
        cache_read: if is_kept { prefix } else { 0 },
        output: tokens(&spoken.text) + calls + thought + 1,
    }
}

/// What is said before something goes wrong.
fn begun() -> Spoken {
    let text =
        "One moment, I look at what there is to see on this page before I go on with what you asked for.";
    Spoken { text: text.into(), ..Spoken::default() }
}

fn response(asked: &Asked, reply: &Reply, billed: &Billed, number: u64, key: Option<&str>) -> Response {
    /// What ends an answer, and something before it where that is less.
    const ENDING: usize = 3;
    let events_as = |model: &str, spoken: &Spoken| match asked.wire {
        VendorWire::Anthropic => anthropic::events(model, spoken, billed, number),
        VendorWire::OpenAi => openai::events(asked, model, spoken, billed, number),
        VendorWire::Responses => responses::events(model, spoken, billed, number),
        VendorWire::Gemini => gemini::events(model, spoken, billed, number),
    };
    let events = |spoken: &Spoken| events_as(&asked.model, spoken);
    let begun = || {
        let mut events = events(&begun());
        events.truncate(events.len().saturating_sub(ENDING));
        events
    };
    // As long as it may be, so that the key stands where others cut.
    let wrong_key = || format!("Incorrect API key provided{}: {}", ".".repeat(365), key.unwrap_or_default());
    match reply {
        Reply::Spoken(spoken) => streamed(events(spoken), Then::End),
        Reply::As(model, spoken) => streamed(events_as(model, spoken), Then::End),
        Reply::Torn(spoken) => {
            let mut events = events(spoken);
            events.pop();
            streamed(events, Then::Reset)
        }
        Reply::Fault(Fault::Reset) => {
            Body::from_stream(futures_util::stream::iter([reset()])).into_response()
        }
        Reply::Fault(Fault::NotText) => streamed(odd(events, b"\xff"), Then::End),
        Reply::Fault(Fault::HalfCharacter) => streamed(odd(events, br"\ud83d"), Then::End),
        Reply::Fault(Fault::Status(status, again)) => refused(asked.wire, *status, "not now", *again),
        Reply::Fault(Fault::Refuses(status, words)) => refused(asked.wire, *status, words, None),
        Reply::Fault(Fault::Silence) => streamed(Vec::<Bytes>::new(), Then::Nothing),
        Reply::Fault(Fault::Stall) => streamed(begun(), Then::Nothing),
        Reply::Fault(Fault::Cut) => {
            let mut events = begun();
            // In the middle of JSON.
            if let Some(last) = events.last_mut() {
                last.truncate(last.len() / 2);
            }
            streamed(events, Then::End)
        }
        Reply::Fault(Fault::Giant) => streamed(begun(), Then::OnAndOn),
        Reply::Fault(Fault::Garbage) => streamed(vec!["data: {\"type\": 7}\n\n"], Then::End),
        Reply::Fault(Fault::Overloaded) => {
            let mut events = begun();
            events.push(broken_off(asked.wire, 529, "Overloaded"));
            streamed(events, Then::End)
        }
        Reply::Fault(Fault::Declined) => streamed(declined(events(&self::begun())), Then::End),
        Reply::Fault(Fault::Penniless) => refused(asked.wire, 429, PENNILESS, None),
        Reply::Fault(Fault::Telltale) => refused(asked.wire, 401, &wrong_key(), None),
        Reply::Fault(Fault::TelltaleStream) => {
            streamed(vec![broken_off(asked.wire, 401, &wrong_key())], Then::End)
        }
        Reply::Fault(Fault::Eyeless) => {
            let words = "image input is not supported - hint: you may need to provide the mmproj";
            refused(asked.wire, 500, words, None)
        }
    }
}

/// The same answer where its end is that the vendor does not want to give one.
fn declined(mut events: Vec<String>) -> Vec<String> {
    /// How whole answers end, and how these do: on each of the wires.
    const ENDS: [(&str, &str); 5] = [
        (r#""stop_reason":"end_turn""#, r#""stop_reason":"refusal""#),
        (r#""finish_reason":"stop""#, r#""finish_reason":"content_filter""#),
        (r#""finishReason":"STOP""#, r#""finishReason":"SAFETY""#),
        ("response.completed", "response.incomplete"),
        (r#""incomplete_details":null"#, r#""incomplete_details":{"reason":"content_filter"}"#),
    ];
    for (whole, declined) in ENDS {
        events.iter_mut().for_each(|event| *event = event.replace(whole, declined));
    }
    events
}

/// What breaks off an answer.
fn broken_off(wire: VendorWire, status: u16, message: &str) -> String {
    match wire {
        VendorWire::Anthropic => format!("event: error\ndata: {}\n\n", anthropic::refusal(status, message)),
        VendorWire::OpenAi => format!("data: {}\n\n", openai::refusal(status, message)),
        VendorWire::Responses => responses::broken_off(status, message),
        VendorWire::Gemini => format!("data: {}\n\n", gemini::refusal(status, message)),
    }
}

/// The whole answer that is otherwise begun, with these bytes in the place of a letter in its middle.
fn odd(events: impl Fn(&Spoken) -> Vec<String>, bytes: &[u8]) -> Vec<Bytes> {
    /// Stands for nothing in any text.
    const PLACE: &str = "\u{e000}";
    let text = begun().text.replacen("page", &format!("p{PLACE}ge"), 1);
    let events = events(&Spoken { text, ..Spoken::default() });
    let replaced = |event: String| match event.split_once(PLACE) {
        Some((before, after)) => [before.as_bytes(), bytes, after.as_bytes()].concat().into(),
        None => event.into(),
    };
    events.into_iter().map(replaced).collect()
}

/// What makes whoever sends a body let go of its connection.
fn reset() -> io::Result<Bytes> {
    Err(ErrorKind::ConnectionReset.into())
}

/// What follows after the events of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    End,
    Nothing,
    OnAndOn,
    Reset,
}

fn streamed<E: Into<Bytes> + Send + 'static>(events: Vec<E>, then: Then) -> Response {
    /// So many events are under way.
    const ROOM: usize = 4;
    let (give, take) = mpsc::channel::<io::Result<Bytes>>(ROOM);
    tokio::spawn(async move {
        for event in events {
            if give.send(Ok(event.into())).await.is_err() {
                return;
            }
        }
        match then {
            Then::End => {}
            Then::Nothing => give.closed().await,
            // Not before all that was said has left.
            Then::Reset => {
                if let Ok(mut room) = give.reserve_many(ROOM).await
                    && let Some(place) = room.next()
                {
                    place.send(reset());
                }
            }
            Then::OnAndOn => while give.send(Ok(Bytes::from_static(&[b'x'; 65_536]))).await.is_ok() {},
        }
    });
    let pieces = futures_util::stream::unfold(take, async |mut take| Some((take.recv().await?, take)));
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(pieces)).into_response()
}

fn refused(wire: VendorWire, status: u16, message: &str, again: Option<Duration>) -> Response {
    let again = again.map(|again| again.as_secs_f64().to_string());
    let mut body = match wire {
        VendorWire::Anthropic => anthropic::refusal(status, message),
        VendorWire::OpenAi | VendorWire::Responses => openai::refusal(status, message),
        VendorWire::Gemini => gemini::refusal(status, message),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut header = None;
    match (wire, again) {
        // This one says so in what it answers, and nowhere else.
        (VendorWire::Gemini, Some(again)) => {
            body["error"]["details"] = json!([{"@type": "type.googleapis.com/google.rpc.RetryInfo",
                "retryDelay": format!("{again}s")}]);
        }
        (_, again) => header = again.and_then(|again| again.parse().ok()),
    }
    let mut response = (status, Json(body)).into_response();
    if let Some(value) = header {
        response.headers_mut().insert("retry-after", value);
    }
    response
}
