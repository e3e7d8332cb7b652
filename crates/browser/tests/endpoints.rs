//! Endpoints in order: who is tried, how often, what is told about it, and what is never shown.

// Helpers of tests fail like tests, but the lints know them only by their attribute.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/endpoint_stubs.rs"]
mod stubs;

use std::{
    io,
    sync::Once,
    time::{Duration, Instant},
};

use legwork_browser::{AttemptError, ConnectError, ConnectEvent, Endpoint, Endpoints};
use legwork_cdp::{
    Connection, Limit,
    protocol::browser::{GetVersion, Version},
};
use legwork_types::{Code, Problem};
use serde_json::{Value, json};
use stubs::{Log, Manner, Stub, refusing};
use tokio_util::sync::CancellationToken;

/// Far beyond what any of these tests needs.
const LONG: Duration = Duration::from_secs(60);

/// For endpoints that never answer: long enough for a good one on a busy machine.
const SHORT: Duration = Duration::from_millis(1500);

/// Has somebody listen to the log from the beginning. What is worth telling is decided when it is first said, for all threads: a test
/// that nobody listens to could decide it for the one that reads the log at that moment.
fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let nobody = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(io::sink);
        tracing::subscriber::set_global_default(nobody.finish()).unwrap();
    });
}

fn endpoints(list: Vec<Endpoint>, each: Duration) -> Endpoints {
    listen();
    let mut endpoints = Endpoints::new(list);
    endpoints.connect_timeout = each;
    endpoints
}

/// One start, and its events as they go over the wire.
async fn start(endpoints: &mut Endpoints) -> (Result<Connection, ConnectError>, Vec<Value>) {
    let mut events = Vec::new();
    let mut watch = |event: ConnectEvent| events.push(serde_json::to_value(event).unwrap());
    let result = endpoints.connect(&Limit::within(LONG), &mut watch).await;
    (result, events)
}

/// The failure of a start that must fail.
fn failure(result: Result<Connection, ConnectError>) -> ConnectError {
    match result {
        Ok(_) => panic!("a connection came from nowhere"),
        Err(error) => error,
    }
}

fn connected(index: usize, total: usize) -> Value {
    json!({ "type": "cdp:endpoint_connected", "endpointIndex": index, "total": total })
}

fn cycle(attempt: usize, total: usize, error: &str) -> Value {
    json!({ "type": "cdp:endpoint_cycle", "attempt": attempt, "total": total, "error": error })
}

#[tokio::test]
async fn every_network_failure_leads_to_the_next_endpoint_once() {
    let (_port, refusing) = refusing();
    let silent = Stub::start(Manner::Silent).await;
    let reset = Stub::start(Manner::Reset).await;
    let hang_up = Stub::start(Manner::HangUp).await;
    let busy = Stub::answering("503 Service Unavailable", "", "busy").await;
    let half_open = Stub::start(Manner::HalfOpen).await;
    let fickle = Stub::start(Manner::OpensAndHangsUp).await;
    let good = Stub::start(Manner::Good).await;
    let spare = Stub::start(Manner::Good).await;
    // No resolver takes a label of this length, so the network is not asked.
    let nowhere = format!("http://{}:1", "n".repeat(70)).parse().unwrap();
    let list = vec![
        refusing,
        silent.http(),
        reset.http(),
        hang_up.http(),
        busy.http(),
        half_open.http(),
        fickle.http(),
        nowhere,
        good.http(),
        spare.http(),
    ];
    let (result, events) = start(&mut endpoints(list, SHORT)).await;
    let connection = result.unwrap();
    assert_eq!(
        events,
        [
            cycle(1, 10, "ConnectionRefused"),
            cycle(2, 10, "Timeout"),
            cycle(3, 10, "ConnectionReset"),
            cycle(4, 10, "ConnectionClosed"),
            cycle(5, 10, "Http503"),
            cycle(6, 10, "Timeout"),
            cycle(7, 10, "ConnectionClosed"),
            cycle(8, 10, "NameResolution"),
            connected(9, 10),
        ]
    );
    silent.reached().await;
    // An endpoint that is asked for its WebSocket sees one connection for each.
    let tried = [&silent, &reset, &hang_up, &busy, &half_open, &fickle, &good, &spare].map(Stub::connections);
    assert_eq!(tried, [1, 1, 1, 1, 2, 2, 2, 0]);
    for stub in [&silent, &reset, &hang_up, &busy, &half_open, &fickle] {
        stub.deserted().await;
    }
    connection.close().await;
    good.deserted().await;
}

#[tokio::test]
async fn the_next_start_begins_after_the_last_success_and_never_wraps() {
    let (_port, refusing) = refusing();
    let first = Stub::start(Manner::Good).await;
    let second = Stub::start(Manner::Good).await;
    let mut endpoints = endpoints(vec![first.ws(), refusing, second.ws()], LONG);

    let (result, events) = start(&mut endpoints).await;
    result.unwrap().close().await;
    assert_eq!(events, [connected(1, 3)]);

    let (result, events) = start(&mut endpoints).await;
    result.unwrap().close().await;
    assert_eq!(events, [cycle(2, 3, "ConnectionRefused"), connected(3, 3)]);

    let (result, events) = start(&mut endpoints).await;
    assert_eq!(failure(result), ConnectError::Exhausted { total: 3, reasons: vec![] });
    assert_eq!((events, first.connections(), second.connections()), (vec![], 1, 1));
}

#[tokio::test]
async fn exhausted_endpoints_are_an_error_of_their_own_and_may_be_tried_again() {
    let (_port, refusing) = refusing();
    let gateway = Stub::answering("504 Gateway Timeout", "", "").await;
    let mut endpoints = endpoints(vec![refusing, gateway.ws()], LONG);
    for start_count in 1..=2 {
        let (result, events) = start(&mut endpoints).await;
        let error = failure(result);
        let reasons = vec![AttemptError::ConnectionRefused, AttemptError::Status(504)];
        assert_eq!(error, ConnectError::Exhausted { total: 2, reasons });
        assert_eq!(Problem::from(&error).code, Code::EndpointsExhausted);
        assert_eq!(events, [cycle(1, 2, "ConnectionRefused")], "the last failure is no cycle");
        assert_eq!(gateway.connections(), start_count);
    }
}

#[tokio::test]
async fn what_somebody_has_to_change_is_told_and_leads_to_the_next_endpoint_all_the_same() {
    use AttemptError::*;
    let huge = "x".repeat(65 * 1024);
    let secure = r#"{"webSocketDebuggerUrl":"wss://127.0.0.1/x"}"#;
    for (stub, reason, hint) in [
        (Stub::answering("400 Bad Request", "", "").await, Status(400), "debugging port"),
        (Stub::answering("401 Unauthorized", "", "").await, Status(401), "wants a token"),
        (Stub::answering("403 Forbidden", "", "").await, Status(403), "wants a token"),
        (Stub::answering("404 Not Found", "", "").await, Status(404), "debugging port"),
        (Stub::answering("500 Oops", "", "").await, Status(500), "IP address"),
        (Stub::answering("302 Found", "Location: http://s3/\r\n", "").await, Redirect(302), "not followed"),
        (Stub::answering("200 OK", "", "<html>s3</html>").await, Html, "debugging port"),
        (Stub::answering("200 OK", "", "hello").await, NotJson, "debugging port"),
        (Stub::answering("200 OK", "", "[1]").await, WrongJson, "debugging port"),
        (Stub::answering("200 OK", "", "{}").await, NoDebuggerUrl, "debugging port"),
        (Stub::answering("200 OK", "", secure).await, BadDebuggerUrl, "ssh tunnel"),
        (Stub::answering("200 OK", "", &huge).await, TooLarge, "debugging port"),
        (Stub::answering("200 OK", &format!("X: {huge}\r\n"), "{}").await, TooLarge, "debugging port"),
        (Stub::start(Manner::Answer("SSH-2.0-s3\r\n".into())).await, NotHttp, "debugging port"),
        (Stub::start(Manner::NoBrowser).await, NotABrowser, "debugging port"),
    ] {
        let good = Stub::start(Manner::Good).await;
        let (result, events) = start(&mut endpoints(vec![stub.secret(), good.ws()], LONG)).await;
        result.expect("the second endpoint answers").close().await;
        assert_eq!(events, [cycle(1, 2, reason.name()), connected(2, 2)]);
        // Where it is the only one, or all are like it, that is the end, and another try is of no use.
        let (result, events) = start(&mut endpoints(vec![stub.secret(), stub.secret()], LONG)).await;
        let error = failure(result);
        assert_eq!(error, ConnectError::Exhausted { total: 2, reasons: vec![reason; 2] });
        assert_eq!(events, [cycle(1, 2, reason.name())]);
        let problem = Problem::from(&error);
        assert_eq!(problem.code, Code::EndpointRefused);
        assert!(problem.hint.contains(hint), "{reason}: {}", problem.hint);
        assert!(problem.message.contains(&format!("endpoint 1 of 2: {reason}, endpoint 2 of 2: {reason}")));
        let shown = format!("{error} {error:?} {}", problem.message);
        for secret in stub.secrets() {
            assert!(!shown.contains(&secret), "{shown} shows {secret}");
        }
        stub.deserted().await;
    }
}

#[tokio::test]
async fn a_websocket_address_is_refused_by_the_same_rules() {
    for (status, reason) in [
        ("401 Unauthorized", AttemptError::Status(401)),
        ("404 Not Found", AttemptError::Status(404)),
        ("307 Temporary Redirect", AttemptError::Redirect(307)),
        ("200 OK", AttemptError::Status(200)),
        ("101 Switching Protocols", AttemptError::BadHandshake),
    ] {
        let stub = Stub::answering(status, "", "").await;
        let (result, _) = start(&mut endpoints(vec![stub.ws(), stub.ws()], LONG)).await;
        assert_eq!(failure(result), ConnectError::Exhausted { total: 2, reasons: vec![reason; 2] });
        assert_eq!(stub.connections(), 2);
    }
}

#[tokio::test]
async fn cancelling_ends_at_once() {
    for manner in [Manner::Silent, Manner::HalfOpen] {
        let stub = Stub::start(manner).await;
        let mut endpoints = endpoints(vec![stub.ws(), stub.ws()], LONG);
        let cancel = CancellationToken::new();
        let limit = Limit::within(LONG).cancelled_by(cancel.clone());
        let began = Instant::now();
        let mut watch = |event| panic!("{event:?} although it was called off");
        let (result, ()) = tokio::join!(endpoints.connect(&limit, &mut watch), async {
            stub.reached().await;
            cancel.cancel();
        });
        let error = failure(result);
        assert_eq!((&error, Problem::from(&error).code), (&ConnectError::Cancelled, Code::Cancelled));
        assert!(began.elapsed() < LONG / 4, "{:?}", began.elapsed());
        stub.deserted().await;
        assert_eq!(stub.connections(), 1);
    }
}

#[tokio::test]
async fn the_callers_limit_ends_the_whole_start() {
    let silent = Stub::start(Manner::Silent).await;
    let good = Stub::start(Manner::Good).await;
    let mut endpoints = Endpoints::new(vec![silent.http(), good.ws()]);
    let error = failure(endpoints.connect(&Limit::within(SHORT), &mut |_| {}).await);
    assert_eq!(error, ConnectError::Deadline { index: 1, total: 2, reason: AttemptError::Timeout });
    assert_eq!((Problem::from(&error).code, good.connections()), (Code::Timeout, 0));
}

#[test]
fn a_failed_start_leaves_no_task_behind() {
    let servers = tokio::runtime::Runtime::new().unwrap();
    let half_open = servers.block_on(Stub::start(Manner::HalfOpen));
    let alone = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    alone.block_on(async {
        let (result, _) = start(&mut endpoints(vec![half_open.http(), half_open.ws()], SHORT)).await;
        let reasons = vec![AttemptError::Timeout; 2];
        assert_eq!(failure(result), ConnectError::Exhausted { total: 2, reasons });
        assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
    });
}

#[tokio::test]
async fn no_log_event_or_error_shows_an_address() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .without_time()
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let busy = Stub::answering("503 Service Unavailable", "", "busy").await;
    let good = Stub::start(Manner::Good).await;
    let closed = Stub::start(Manner::HangUp).await;
    let mut endpoints = endpoints(vec![busy.secret(), good.secret(), closed.secret()], LONG);
    let (result, mut events) = start(&mut endpoints).await;
    result.unwrap().close().await;
    let (result, more) = start(&mut endpoints).await;
    events.extend(more);
    let error = failure(result);

    let log = log.text();
    assert!(log.contains("connected to an endpoint") && log.contains("Http503"), "{log}");
    let events = serde_json::to_string(&events).unwrap();
    assert!(events.contains("cdp:endpoint_connected") && events.contains("cdp:endpoint_cycle"), "{events}");
    let shown = format!("{log} {events} {error} {error:?} {endpoints:?}");
    for secret in [&busy, &good, &closed].into_iter().flat_map(Stub::secrets) {
        assert!(!shown.contains(&secret), "{secret} in {shown}");
    }
}

#[tokio::test]
async fn a_real_browser_takes_over_from_a_dead_endpoint() {
    let chromium = legwork_testkit::SomebodysBrowser::start();
    let (http, ws) = (format!("{}/?token=ignored", chromium.http_url()), chromium.ws_url());
    let (_port, refusing) = refusing();
    let mut endpoints = endpoints(vec![refusing, http.parse().unwrap(), ws.parse().unwrap()], LONG);
    for expected in [vec![cycle(1, 3, "ConnectionRefused"), connected(2, 3)], vec![connected(3, 3)]] {
        let (result, events) = start(&mut endpoints).await;
        assert_eq!(events, expected);
        let connection = result.unwrap();
        let reply = connection.link().call(None, &GetVersion {}, &Limit::within(LONG)).await.unwrap();
        assert!(reply.read::<Version>().unwrap().product.contains("Chrom"));
        connection.close().await;
    }
}

#[test]
fn an_endpoint_has_five_seconds() {
    assert_eq!(Endpoints::new(vec![]).connect_timeout, Duration::from_secs(5));
}
