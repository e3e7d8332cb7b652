//! Events to those who asked for them. The reader of the wire never waits for a subscriber.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use serde::Deserialize;
use tokio::sync::{Notify, mpsc};

use crate::{CdpError, SessionId};

/// One event. It owns its text: a queue of small events must not keep the buffer of a giant message alive.
#[derive(Debug, Clone)]
pub struct Event {
    /// The session it came from; `None` for the browser itself.
    pub session: Option<SessionId>,
    /// Its name.
    pub method: &'static str,
    params: Box<str>,
}

impl Event {
    /// Reads the parts of the event that `T` names.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, CdpError> {
        serde_json::from_str(&self.params)
            .map_err(|error| CdpError::Unreadable { method: self.method, detail: error.to_string() })
    }
}

/// What a subscriber gets.
#[derive(Debug)]
pub enum Signal {
    /// An event.
    Event(Event),
    /// So many events were lost (no room, or damaged on the wire): look at the state anew.
    Gap(u64),
}

/// The receiving end of a subscription.
#[derive(Debug)]
pub struct Events {
    queue: mpsc::Receiver<Event>,
    state: Arc<QueueState>,
}

#[derive(Debug)]
struct QueueState {
    bytes: AtomicUsize,
    missed: AtomicU64,
    gap: Notify,
}

impl Events {
    /// The next signal; `None` once the connection is gone and everything was read.
    pub async fn next(&mut self) -> Option<Signal> {
        loop {
            let missed = self.state.missed.swap(0, Relaxed);
            if missed > 0 {
                return Some(Signal::Gap(missed));
            }
            tokio::select! {
                biased;
                event = self.queue.recv() => {
                    let event = event?;
                    self.state.bytes.fetch_sub(event.params.len(), Relaxed);
                    return Some(Signal::Event(event));
                }
                () = self.state.gap.notified() => {}
            }
        }
    }
}

#[derive(Clone)]
struct Subscriber {
    queue: mpsc::Sender<Event>,
    state: Arc<QueueState>,
}

/// Room of one subscription: a flood is cut off here, in count and in bytes.
const MAX_QUEUED: usize = 65_536;
const MAX_QUEUED_BYTES: usize = 32 * 1024 * 1024;

#[derive(Default)]
pub(crate) struct Subscriptions(Mutex<Book>);

#[derive(Default)]
struct Book {
    by_method: HashMap<&'static str, Vec<Subscriber>>,
    closed: bool,
}

impl Subscriptions {
    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, methods: &[&'static str]) -> Events {
        let (sender, queue) = mpsc::channel(MAX_QUEUED);
        let state = Arc::new(QueueState {
            bytes: AtomicUsize::new(0),
            missed: AtomicU64::new(0),
            gap: Notify::new(),
        });
        let subscriber = Subscriber { queue: sender, state: Arc::clone(&state) };
        let mut book = self.book();
        if !book.closed {
            for method in methods {
                book.by_method.entry(method).or_default().push(subscriber.clone());
            }
        }
        Events { queue, state }
    }

    /// Hands the event to everybody who asked for it; returns how many had no room.
    pub(crate) fn publish(&self, method: &str, session: Option<&str>, params: &str) -> u64 {
        let mut book = self.book();
        let Some((name, _)) = book.by_method.get_key_value(method) else { return 0 };
        let name: &'static str = name;
        let Some(subscribers) = book.by_method.get_mut(method) else { return 0 };
        let mut dropped = 0;
        subscribers.retain(|subscriber| {
            let event =
                || Event { session: session.map(SessionId::new), method: name, params: params.into() };
            match subscriber.offer(params.len(), event) {
                Offer::Taken => true,
                Offer::NoRoom => {
                    dropped += 1;
                    true
                }
                Offer::Gone => false,
            }
        });
        dropped
    }

    /// Tells everybody that something was lost on the wire.
    pub(crate) fn gap(&self) {
        for subscriber in self.book().by_method.values().flatten() {
            subscriber.miss();
        }
    }

    /// Ends every subscription.
    pub(crate) fn close(&self) {
        let mut book = self.book();
        book.closed = true;
        book.by_method.clear();
    }
}

enum Offer {
    Taken,
    NoRoom,
    Gone,
}

impl Subscriber {
    fn offer(&self, size: usize, event: impl FnOnce() -> Event) -> Offer {
        if self.state.bytes.load(Relaxed) + size > MAX_QUEUED_BYTES {
            self.miss();
            return if self.queue.is_closed() { Offer::Gone } else { Offer::NoRoom };
        }
        match self.queue.try_reserve() {
            Ok(permit) => {
                self.state.bytes.fetch_add(size, Relaxed);
                permit.send(event());
                Offer::Taken
            }
            Err(mpsc::error::TrySendError::Full(())) => {
                self.miss();
                Offer::NoRoom
            }
            Err(mpsc::error::TrySendError::Closed(())) => Offer::Gone,
        }
    }

    fn miss(&self) {
        self.state.missed.fetch_add(1, Relaxed);
        self.state.gap.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_subscriber_loses_events_but_is_told_so() {
        let subscriptions = Subscriptions::default();
        let mut slow = subscriptions.add(&["A.a"]);
        let mut dropped = 0;
        for _ in 0..MAX_QUEUED + 10 {
            dropped += subscriptions.publish("A.a", None, "{}");
        }
        assert_eq!((dropped, subscriptions.publish("B.b", None, "{}")), (10, 0));
        assert!(matches!(slow.next().await, Some(Signal::Gap(10))));
        assert!(matches!(slow.next().await, Some(Signal::Event(event)) if event.method == "A.a"));
    }

    #[tokio::test]
    async fn large_events_are_bounded_in_bytes() {
        let subscriptions = Subscriptions::default();
        let mut events = subscriptions.add(&["A.a"]);
        let large = format!("\"{}\"", "x".repeat(10 << 20));
        let dropped: u64 = (0..8).map(|_| subscriptions.publish("A.a", Some("S"), &large)).sum();
        assert_eq!(dropped, 5);
        subscriptions.close();
        let mut got = 0;
        while let Some(signal) = events.next().await {
            got += u64::from(matches!(signal, Signal::Event(_)));
        }
        assert_eq!(got, 3);
    }
}
