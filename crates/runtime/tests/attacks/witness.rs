//! Who saw that something was tried: the log of the gates, which names the session of each request that did not leave, and nothing of
//! what its page wrote.

use std::{
    collections::HashSet,
    fmt::Debug,
    sync::{LazyLock, Mutex, Once},
};

use legwork_types::contract::SessionId;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer,
    filter::LevelFilter,
    layer::{Context, SubscriberExt},
};

/// What a gate says of what it did not let go.
const STOPS: &[&str] = &["stop", "drop", "denied", "ask", "nobody to ask", "degraded"];

/// The sessions of which something was stopped.
static STOPPED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Listens from now on, for all tests of this program.
pub(crate) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = tracing_subscriber::registry().with(Witness.with_filter(LevelFilter::INFO));
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

/// Whether a request of this session was stopped.
pub(crate) fn stopped(session: &SessionId) -> bool {
    STOPPED.lock().unwrap().contains(&session.0)
}

struct Witness;

impl<S: Subscriber> Layer<S> for Witness {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        if said.ruling.is_some_and(|ruling| STOPS.contains(&ruling.as_str())) {
            STOPPED.lock().unwrap().extend(said.session);
        }
    }
}

/// The two fields of an event that matter.
#[derive(Default)]
struct Said {
    session: Option<String>,
    ruling: Option<String>,
}

impl Visit for Said {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "session" => self.session = Some(value.to_owned()),
            "ruling" => self.ruling = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}
