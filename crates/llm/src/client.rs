//! The HTTP shell: one call of a model, with its deadlines and its further attempts.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use legwork_types::model::{ModelRequest, ModelTurn, Usage};
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    redirect::Policy,
};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    choice::{Model, is_loopback},
    error::{BadAnswer, LlmError, Slow, VendorError},
    retry::{self, Attempts},
    stream::{self, Events, Fed},
    wire::{self, Assembly},
};

/// The most that an answer may hold, with everything around it.
const LARGEST: usize = 16 << 20;
/// As much of a refusal as is read.
const REFUSAL: usize = 64 << 10;

/// How long the parts of one attempt may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// To get a connection.
    pub connect: Duration,
    /// Until the answer begins.
    pub first_byte: Duration,
    /// Between two pieces of it.
    pub idle: Duration,
    /// The whole.
    pub total: Duration,
}

impl Patience {
    /// For models that run elsewhere.
    pub const USUAL: Self = Self {
        connect: Duration::from_secs(10),
        first_byte: Duration::from_secs(45),
        idle: Duration::from_secs(30),
        total: Duration::from_secs(60),
    };
    /// For models on this machine, which may have to read everything on a slow processor first.
    pub const LOCAL: Self = Self {
        connect: Duration::from_secs(5),
        first_byte: Duration::from_secs(240),
        idle: Duration::from_secs(60),
        total: Duration::from_secs(300),
    };
}

/// A model, ready to be asked.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    model: Model,
    url: Url,
    headers: HeaderMap,
    patience: Patience,
    attempts: Attempts,
    /// Whether it was found out that the model has no eyes.
    is_blind: Arc<AtomicBool>,
}

/// An answer, and what it took to get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The answer.
    pub turn: ModelTurn,
    /// How often it was asked for.
    pub attempts: u32,
    /// What vendors told of the attempts that came to nothing.
    pub wasted: Usage,
    /// How many of those may have been charged for without anybody telling.
    pub untold: u32,
    /// Whether the model was not shown what it should have been, because it takes no pictures.
    pub in_words: bool,
}

/// Why no client could be made.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct NoClient(String);

impl Client {
    /// A client for this model.
    pub fn new(model: Model, patience: Patience, attempts: Attempts) -> Result<Self, NoClient> {
        let failed = |error: &dyn std::fmt::Display| NoClient(error.to_string());
        let http = http_client(patience.connect, &model.base).map_err(|error| failed(&error))?;
        let url = wire::address(&model).map_err(|error| failed(&error))?;
        let mut headers = wire::headers(&model).map_err(|_| NoClient("the key has odd characters".into()))?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(Self { http, model, url, headers, patience, attempts, is_blind: Arc::default() })
    }

    /// The model that is asked.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Asks, and asks again where that may help.
    pub async fn ask(
        &self,
        request: &ModelRequest,
        cancel: &CancellationToken,
    ) -> Result<Answered, LlmError> {
        self.ask_within(request, cancel, |_, _| true).await
    }

    /// The same where a further attempt is made only if that may be, after what the ones before took: as far as they told, and how many
    /// of them did not tell.
    pub async fn ask_within(
        &self,
        request: &ModelRequest,
        cancel: &CancellationToken,
        may_go_on: impl Fn(&Usage, u32) -> bool,
    ) -> Result<Answered, LlmError> {
        let has_pictures = request.has_pictures();
        let mut in_words = has_pictures && self.is_blind.load(Ordering::Relaxed);
        let mut body = self.body(request, in_words)?;
        let (mut wasted, mut untold) = (Usage::default(), 0);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let asked = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(Vain { error: VendorError::Cancelled, usage: None }),
                asked = self.attempt(body.clone()) => asked,
            };
            let Vain { error, usage } = match asked {
                Ok(turn) => return Ok(Answered { turn, attempts: attempt, wasted, untold, in_words }),
                Err(vain) => vain,
            };
            let error = error.in_words(|words| wire::shortened(&self.hidden(words)));
            // Whoever has no eyes is asked in words, now and from now on.
            if error.is_about_pictures() && has_pictures && !in_words {
                in_words = true;
                self.is_blind.store(true, Ordering::Relaxed);
                tracing::warn!(model = self.model.name, %error, "the model takes no pictures; it is asked in words alone");
                body = self.body(request, in_words)?;
                continue;
            }
            untold += u32::from(usage.is_none() && error.may_be_charged());
            wasted = wasted.plus(usage.unwrap_or_default());
            let pause = self.attempts.pause_after(attempt, &error, chance());
            let pause = pause.filter(|_| may_go_on(&wasted, untold));
            tracing::info!(model = self.model.name, attempt, %error, ?pause, "a model did not answer");
            let Some(pause) = pause else {
                return Err(LlmError { last: error, attempts: attempt, usage: wasted, untold });
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => {
                    let last = VendorError::Cancelled;
                    return Err(LlmError { last, attempts: attempt, usage: wasted, untold });
                }
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    fn body(&self, request: &ModelRequest, in_words: bool) -> Result<Vec<u8>, LlmError> {
        let body = match in_words {
            true => wire::body(&self.model, &request.without_pictures()),
            false => wire::body(&self.model, request),
        };
        body.map_err(|error| LlmError {
            last: BadAnswer::of(&error).into(),
            attempts: 0,
            usage: Usage::default(),
            untold: 0,
        })
    }

    /// One attempt.
    async fn attempt(&self, body: Vec<u8>) -> Result<ModelTurn, Vain> {
        let Patience { connect, first_byte, total, .. } = self.patience;
        let (first, end) = (Instant::now() + first_byte, Instant::now() + total);
        let sent = self.http.post(self.url.clone()).headers(self.headers.clone()).body(body).send();
        let in_time = timeout_at(first.min(end), sent).await;
        let response = match in_time {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() && error.is_connect() => {
                return Err(VendorError::Timeout(Slow::Connecting(connect)).into());
            }
            Ok(Err(error)) if error.is_connect() => return Err(VendorError::Unreachable(why(&error)).into()),
            Ok(Err(error)) => return Err(VendorError::Broken(why(&error)).into()),
            Err(_) => return Err(self.slow_to_begin().into()),
        };
        match response.status() {
            StatusCode::OK => self.read(response, first, end).await,
            _ => Err(self.refused(response, end).await.into()),
        }
    }

    /// Reads an answer as it comes.
    async fn read(&self, mut response: Response, first: Instant, end: Instant) -> Result<ModelTurn, Vain> {
        let is_whole = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.starts_with("application/json"));
        let mut assembly = Assembly::of(self.model.wire);
        let (mut events, mut whole, mut size) = (Events::default(), Vec::new(), 0_usize);
        let vain = |error: VendorError, assembly: &Assembly| Vain { error, usage: assembly.usage_so_far() };
        loop {
            let piece = match size {
                0 => timeout_at(first, self.piece(&mut response, end))
                    .await
                    .unwrap_or(Err(self.slow_to_begin())),
                _ => self.piece(&mut response, end).await,
            };
            let piece = match piece {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(error) => return Err(vain(error, &assembly)),
            };
            size += piece.len();
            if size > LARGEST {
                return Err(vain(BadAnswer::TooLarge.into(), &assembly));
            }
            if is_whole {
                whole.extend_from_slice(&piece);
                if whole.len() > stream::LARGEST {
                    return Err(vain(BadAnswer::TooLarge.into(), &assembly));
                }
                continue;
            }
            let data = events.feed(&piece).map_err(|error| vain(error.into(), &assembly))?;
            for data in data {
                match assembly.feed(&data) {
                    Ok(Fed::More) => {}
                    Ok(Fed::Over) => return finish(assembly),
                    Err(error) => return Err(vain(error, &assembly)),
                }
            }
        }
        let last = match is_whole {
            true => Some(String::from_utf8(whole).map_err(|_| vain(BadAnswer::NotText.into(), &assembly))?),
            false => events.finish().map_err(|error| vain(error.into(), &assembly))?,
        };
        if let Some(last) = last
            && let Err(error) = assembly.feed(&last)
        {
            return Err(vain(error, &assembly));
        }
        finish(assembly)
    }

    fn slow_to_begin(&self) -> VendorError {
        let Patience { first_byte, total, .. } = self.patience;
        VendorError::Timeout(if first_byte < total {
            Slow::FirstByte(first_byte)
        } else {
            Slow::Total(total)
        })
    }

    /// The next piece of a body; none at its end.
    async fn piece(
        &self,
        response: &mut Response,
        end: Instant,
    ) -> Result<Option<impl std::ops::Deref<Target = [u8]> + use<>>, VendorError> {
        let Patience { idle, total, .. } = self.patience;
        let until = (Instant::now() + idle).min(end);
        match timeout_at(until, response.chunk()).await {
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(_)) => Err(BadAnswer::Cut.into()),
            Err(_) if until == end => Err(VendorError::Timeout(Slow::Total(total))),
            Err(_) => Err(VendorError::Timeout(Slow::Idle(idle))),
        }
    }

    /// What a vendor says that does not want to answer.
    async fn refused(&self, mut response: Response, end: Instant) -> VendorError {
        let status = response.status().as_u16();
        let header = |name: HeaderName| response.headers().get(name)?.to_str().ok();
        let now = header(DATE).and_then(|date| httpdate::parse_http_date(date).ok());
        let again_after =
            header(RETRY_AFTER).and_then(|wish| retry::wish(wish, now.unwrap_or_else(SystemTime::now)));
        let mut body = Vec::new();
        while body.len() < REFUSAL {
            match self.piece(&mut response, end).await {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) | Err(_) => break,
            }
        }
        let wire::Refusal { kind, message, again_after: told } = wire::refusal(&body);
        VendorError::Refused { status, kind, message, again_after: again_after.or(told) }
    }

    /// Words of a vendor without the key that it may have repeated.
    fn hidden(&self, words: String) -> String {
        match &self.model.key {
            Some(key) if !key.0.is_empty() => words.replace(&key.0, "…"),
            _ => words,
        }
    }
}

/// An attempt that came to nothing, and what it took as far as it is known.
struct Vain {
    error: VendorError,
    usage: Option<Usage>,
}

impl From<VendorError> for Vain {
    fn from(error: VendorError) -> Self {
        Self { error, usage: None }
    }
}

fn finish(assembly: Assembly) -> Result<ModelTurn, Vain> {
    let usage = assembly.usage_so_far();
    assembly.finish().map_err(|error| Vain { error, usage })
}

/// A client that follows nobody elsewhere: a key must not. What is on this machine is asked without anybody in between.
pub(crate) fn http_client(connect: Duration, base: &Url) -> reqwest::Result<reqwest::Client> {
    // Whoever was first has installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().connect_timeout(connect).redirect(Policy::none());
    if is_loopback(base) { builder.no_proxy() } else { builder }.build()
}

/// Why a vendor could not be reached: the innermost cause, without the address, which is known.
fn why(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// Something between 0 and 1.
fn chance() -> f64 {
    let mut bytes = [0; 4];
    match getrandom::fill(&mut bytes) {
        Ok(()) => f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX),
        Err(_) => 0.5,
    }
}
