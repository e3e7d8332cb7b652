//! One connection to one browser: commands out, replies matched, events fanned out, loss told to everybody at once.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use bytes::Bytes;
use serde::Serialize;
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinSet,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::{
    CdpError, Command, Counters, Events, Frame, FrameSink, FrameSource, Limit, Lost, Reply, SessionId,
    Transport,
    counters::Tally,
    error::{Attribution, Failure},
    events::Subscriptions,
    message::{self, Message, Outcome},
    pending::{Answer, Pending},
};

/// Commands that may wait to be written. A browser that reads nothing any more fills it.
const OUTBOX: usize = 4096;

/// "Session with given id not found."
const NO_SUCH_SESSION: i64 = -32001;

/// Owns the two tasks that read and write. Dropping it ends the connection.
pub struct Connection {
    link: Link,
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

/// A handle to a connection.
#[derive(Clone)]
pub struct Link {
    shared: Arc<Shared>,
}

struct Shared {
    outbox: mpsc::Sender<String>,
    pending: Pending,
    subscriptions: Subscriptions,
    tally: Tally,
    lost: watch::Sender<Option<Lost>>,
    /// When the last message came, in milliseconds since `began`.
    heard: AtomicU64,
    began: Instant,
}

impl Connection {
    /// Starts to read and write.
    pub fn start(transport: impl Transport) -> Self {
        let (source, sink) = transport.split();
        let (outbox, messages) = mpsc::channel(OUTBOX);
        let shared = Arc::new(Shared {
            outbox,
            pending: Pending::new(),
            subscriptions: Subscriptions::default(),
            tally: Tally::default(),
            lost: watch::Sender::new(None),
            heard: AtomicU64::new(0),
            began: Instant::now(),
        });
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        tasks.spawn(read_all(Arc::clone(&shared), source, stop.clone()));
        tasks.spawn(write_all(Arc::clone(&shared), sink, messages, stop.clone()));
        Self { link: Link { shared }, tasks, stop }
    }

    /// A handle for those who send and listen.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Ends the connection and waits until both tasks are gone.
    pub async fn close(mut self) {
        self.stop.cancel();
        while self.tasks.join_next().await.is_some() {}
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.stop.cancel();
        self.link.shared.lose(Lost::Ended);
    }
}

impl Link {
    /// Sends a command and waits for its reply.
    pub async fn call<C: Command>(
        &self,
        session: Option<&SessionId>,
        command: &C,
        limit: &Limit,
    ) -> Result<Reply, CdpError> {
        self.post(session, command)?.reply(limit).await
    }

    /// Sends a command and comes back at once. Commands of one task are written in the order of these calls.
    pub fn post<C: Command>(&self, session: Option<&SessionId>, command: &C) -> Result<Posted, CdpError> {
        let (id, answer) = self.shared.pending.open(session.cloned())?;
        // From here on the guard in `posted` takes the id back.
        let posted = Posted { method: C::METHOD, id, answer, shared: Arc::clone(&self.shared) };
        let message = serde_json::to_string(&Outgoing { id, method: C::METHOD, params: command, session })
            .map_err(|error| CdpError::Unreadable { method: C::METHOD, detail: error.to_string() })?;
        match self.shared.outbox.try_send(message) {
            Ok(()) => Ok(posted),
            Err(mpsc::error::TrySendError::Full(_)) => Err(self.shared.lose(Lost::Congested).into()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(self.shared.lose(Lost::Closed).into()),
        }
    }

    /// Asks for the events of these names, from every session.
    pub fn subscribe(&self, methods: &[&'static str]) -> Events {
        self.shared.subscriptions.add(methods)
    }

    /// Fails what is pending on one session, whose target is known to be dead.
    pub fn abandon(&self, session: &SessionId) {
        self.shared.pending.fail_session(session, &Failure::SessionGone);
    }

    /// Waits until the connection is lost.
    pub async fn lost(&self) -> Lost {
        let mut lost = self.shared.lost.subscribe();
        match lost.wait_for(Option::is_some).await {
            Ok(lost) => lost.clone().unwrap_or(Lost::Closed),
            Err(_) => Lost::Closed,
        }
    }

    /// Whether the connection is lost already, and why.
    pub fn is_lost(&self) -> Option<Lost> {
        self.shared.lost.borrow().clone()
    }

    /// Declares the connection lost: for a browser that is found to be dead although the line is up.
    pub fn give_up(&self, lost: Lost) {
        self.shared.lose(lost);
    }

    /// How long nothing at all has come from the browser.
    pub fn silent_for(&self) -> Duration {
        let heard = Duration::from_millis(self.shared.heard.load(Relaxed));
        self.shared.began.elapsed().saturating_sub(heard)
    }

    /// What had to be passed over so far.
    pub fn counters(&self) -> Counters {
        self.shared.tally.read()
    }
}

#[derive(Serialize)]
struct Outgoing<'a, C> {
    id: u64,
    method: &'static str,
    params: &'a C,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a SessionId>,
}

/// A command on its way. Dropping it forgets the reply.
pub struct Posted {
    method: &'static str,
    id: u64,
    answer: oneshot::Receiver<Answer>,
    shared: Arc<Shared>,
}

impl Posted {
    /// Waits for the reply, no longer than `limit`.
    pub async fn reply(mut self, limit: &Limit) -> Result<Reply, CdpError> {
        let method = self.method;
        match limit.run(&mut self.answer).await {
            Ok(Ok(Ok(result))) => Ok(Reply::new(method, result)),
            Ok(Ok(Err(failure))) => Err(failure.of(method)),
            // The sender lives in the book until it answers, so this is the end of the book itself.
            Ok(Err(_)) => Err(CdpError::Lost(Lost::Closed)),
            Err(expired) => Err(CdpError::expired(method, expired)),
        }
    }
}

impl Drop for Posted {
    fn drop(&mut self) {
        self.shared.pending.forget(self.id);
    }
}

/// Tells everybody that the connection is lost when whoever holds this fails.
struct Attendant(Arc<Shared>);

impl Drop for Attendant {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lose(Lost::Unattended);
        }
    }
}

async fn read_all(shared: Arc<Shared>, mut source: impl FrameSource, stop: CancellationToken) {
    let _attendant = Attendant(Arc::clone(&shared));
    let lost = loop {
        let frame = tokio::select! {
            biased;
            () = stop.cancelled() => break Lost::Ended,
            frame = source.next() => frame,
        };
        shared.heard.store(shared.began.elapsed().as_millis() as u64, Relaxed);
        match frame {
            Ok(Some(Frame::Whole(frame))) => shared.take(&frame),
            Ok(Some(Frame::Oversized { head, tail, bytes })) => {
                Tally::count(&shared.tally.oversized);
                shared.damaged(&message::attribute(&head, &tail), &Failure::TooLarge { bytes });
            }
            Ok(None) => break Lost::Closed,
            Err(error) => break broken(&error),
        }
    };
    shared.lose(lost);
}

async fn write_all(
    shared: Arc<Shared>,
    mut sink: impl FrameSink,
    mut messages: mpsc::Receiver<String>,
    stop: CancellationToken,
) {
    let _attendant = Attendant(Arc::clone(&shared));
    let lost = loop {
        let sent = tokio::select! {
            biased;
            () = stop.cancelled() => break Lost::Ended,
            sent = async {
                match messages.recv().await {
                    Some(message) => sink.send(message).await.map(|()| true),
                    None => Ok(false),
                }
            } => sent,
        };
        match sent {
            Ok(true) => {}
            Ok(false) => break Lost::Ended,
            Err(error) => break broken(&error),
        }
    };
    shared.lose(lost);
}

fn broken(error: &io::Error) -> Lost {
    match error.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof => {
            Lost::Closed
        }
        _ => Lost::Broken(error.to_string().into()),
    }
}

impl Shared {
    fn take(&self, frame: &Bytes) {
        match message::read(frame) {
            Ok(Message::Reply { id, outcome }) => {
                let answer = match outcome {
                    Outcome::Result(result) => Ok(frame.slice_ref(result.as_bytes())),
                    Outcome::Refusal { code: NO_SUCH_SESSION, .. } => Err(Failure::SessionGone),
                    Outcome::Refusal { code, message } => Err(Failure::Refused { code, message }),
                };
                if !self.pending.answer(id, answer) {
                    Tally::count(&self.tally.unknown_replies);
                }
            }
            Ok(Message::Event { method, session, params }) => {
                if method == "Target.detachedFromTarget" {
                    self.session_ended(params);
                }
                for _ in 0..self.subscriptions.publish(&method, session.as_deref(), params) {
                    Tally::count(&self.tally.dropped_events);
                }
            }
            Err(detail) => {
                Tally::count(&self.tally.malformed);
                tracing::debug!(bytes = frame.len(), %detail, "passed over a message that is none");
                self.damaged(&message::attribute(frame, frame), &Failure::Unreadable { detail });
            }
        }
    }

    /// A message could not be read: whoever it belonged to is told, nobody else.
    fn damaged(&self, whose: &Attribution, failure: &Failure) {
        match whose {
            Attribution { id: Some(id), .. } => {
                self.pending.answer(*id, Err(failure.clone()));
            }
            Attribution { id: None, session } => {
                if let Some(session) = session {
                    self.pending.fail_session(session, failure);
                }
                self.subscriptions.gap();
            }
        }
    }

    fn session_ended(&self, params: &str) {
        #[derive(serde::Deserialize)]
        struct Ended {
            #[serde(rename = "sessionId")]
            session: SessionId,
        }
        if let Ok(Ended { session }) = serde_json::from_str(params) {
            self.pending.fail_session(&session, &Failure::SessionGone);
        }
    }

    /// Fails everything at once; the first reason stays.
    fn lose(&self, lost: Lost) -> Lost {
        let lost = self.pending.lose(lost);
        self.lost.send_if_modified(|seen| {
            let first = seen.is_none();
            if first {
                *seen = Some(lost.clone());
            }
            first
        });
        self.subscriptions.close();
        lost
    }
}

#[cfg(test)]
mod tests;
