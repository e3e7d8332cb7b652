//! The connection against a scripted peer: reordered, repeated, damaged and flooding.

use std::time::Duration;

use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::*;
use crate::{PipeTransport, Signal, protocol::browser::GetVersion};

struct Peer {
    from_us: DuplexStream,
    to_us: DuplexStream,
    unread: Vec<u8>,
}

fn connect() -> (Connection, Peer) {
    let (ours_in, to_us) = tokio::io::duplex(1 << 20);
    let (ours_out, from_us) = tokio::io::duplex(1 << 20);
    (Connection::start(PipeTransport::new(ours_in, ours_out)), Peer { from_us, to_us, unread: Vec::new() })
}

impl Peer {
    /// The id of the next command that was written to the peer.
    async fn command(&mut self) -> u64 {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == 0) {
                let message: Vec<u8> = self.unread.drain(..=end).collect();
                let value: serde_json::Value = serde_json::from_slice(&message[..end]).unwrap();
                return value["id"].as_u64().unwrap();
            }
            assert!(self.from_us.read_buf(&mut self.unread).await.unwrap() > 0);
        }
    }

    async fn say(&mut self, message: impl AsRef<[u8]>) {
        self.to_us.write_all(message.as_ref()).await.unwrap();
        self.to_us.write_all(b"\0").await.unwrap();
    }
}

fn soon() -> Limit {
    Limit::within(Duration::from_secs(20))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

#[derive(serde::Deserialize)]
struct Numbered {
    n: u64,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Replies in any order, some twice, with garbage and foreign ids between them: each waiter gets its own.
    #[test]
    fn each_waiter_gets_its_own_reply(
        order in Just((0usize..12).collect::<Vec<_>>()).prop_shuffle(),
        twice in prop::collection::vec(any::<bool>(), 12),
        noise in prop::collection::vec(prop::collection::vec(1u8..=255, 0..40), 12),
    ) {
        block_on(async {
            let (connection, mut peer) = connect();
            let posted: Vec<Posted> = (0..12).map(|_| connection.link().post(None, &GetVersion {}).unwrap()).collect();
            let mut ids = Vec::new();
            for _ in 0..12 {
                ids.push(peer.command().await);
            }
            for index in order {
                peer.say(&noise[index]).await;
                peer.say(r#"{"id":99999,"result":{}}"#).await;
                let reply = format!(r#"{{"id":{},"result":{{"n":{index}}}}}"#, ids[index]);
                peer.say(&reply).await;
                if twice[index] {
                    peer.say(&reply).await;
                }
            }
            for (index, posted) in posted.into_iter().enumerate() {
                let reply = posted.reply(&soon()).await.unwrap();
                assert_eq!(reply.read::<Numbered>().unwrap().n, index as u64);
            }
            assert!(connection.link().counters().unknown_replies >= 12);
            assert!(connection.link().is_lost().is_none());
        });
    }
}

#[tokio::test]
async fn a_damaged_reply_fails_its_own_command_only() {
    let (connection, mut peer) = connect();
    let link = connection.link();
    let session = SessionId::new("S1");
    let damaged = link.post(Some(&session), &GetVersion {}).unwrap();
    let mut not_utf8 = format!(r#"{{"id":{},"result":{{"text":""#, peer.command().await).into_bytes();
    not_utf8.extend_from_slice(b"\xff\xfe\"},\"sessionId\":\"S1\"}");
    let same_session = link.post(Some(&session), &GetVersion {}).unwrap();
    let id = peer.command().await;
    peer.say(not_utf8).await;
    peer.say(format!(r#"{{"id":{id},"result":{{}},"sessionId":"S1"}}"#)).await;
    assert!(matches!(damaged.reply(&soon()).await, Err(CdpError::Unreadable { .. })));
    assert!(same_session.reply(&soon()).await.is_ok());
}

#[tokio::test]
async fn a_damaged_event_resets_its_own_session_only() {
    let (connection, mut peer) = connect();
    let link = connection.link();
    let (one, two) = (SessionId::new("S1"), SessionId::new("S2"));
    let mut events = link.subscribe(&["A.a"]);
    let reset = link.post(Some(&one), &GetVersion {}).unwrap();
    peer.command().await;
    let kept = link.post(Some(&two), &GetVersion {}).unwrap();
    let id = peer.command().await;
    peer.say(b"{\"method\":\"A.a\",\"params\":{\"x\":\"\xff\"},\"sessionId\":\"S1\"}").await;
    peer.say(format!(r#"{{"id":{id},"result":{{}},"sessionId":"S2"}}"#)).await;
    assert!(matches!(reset.reply(&soon()).await, Err(CdpError::Unreadable { .. })));
    assert!(kept.reply(&soon()).await.is_ok());
    assert!(matches!(events.next().await, Some(Signal::Gap(1))));
}

#[tokio::test]
async fn a_giant_reply_fails_its_own_command_only() {
    let (connection, mut peer) = connect();
    let link = connection.link().clone();
    let giant = link.post(None, &GetVersion {}).unwrap();
    let giant_id = peer.command().await;
    let writer = tokio::spawn(async move {
        peer.to_us.write_all(format!(r#"{{"id":{giant_id},"result":{{"x":""#).as_bytes()).await.unwrap();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..300 {
            peer.to_us.write_all(&chunk).await.unwrap();
        }
        peer.say("\"}}").await;
        peer
    });
    assert!(matches!(giant.reply(&soon()).await, Err(CdpError::TooLarge { bytes, .. }) if bytes > 300 << 20));
    let mut peer = writer.await.unwrap();
    let next = link.post(None, &GetVersion {}).unwrap();
    let id = peer.command().await;
    peer.say(format!(r#"{{"id":{id},"result":{{}}}}"#)).await;
    assert!(next.reply(&soon()).await.is_ok());
    assert_eq!(link.counters().oversized, 1);
}

#[tokio::test]
async fn a_lost_connection_fails_everything_at_once() {
    let (connection, mut peer) = connect();
    let link = connection.link();
    let posted: Vec<Posted> = (0..5).map(|_| link.post(None, &GetVersion {}).unwrap()).collect();
    let mut events = link.subscribe(&["A.a"]);
    peer.command().await;
    drop(peer);
    for waiting in posted {
        assert!(matches!(waiting.reply(&soon()).await, Err(CdpError::Lost(Lost::Closed))));
    }
    assert_eq!(link.lost().await, Lost::Closed);
    assert!(events.next().await.is_none());
    assert!(link.subscribe(&["A.a"]).next().await.is_none());
    assert!(matches!(link.post(None, &GetVersion {}), Err(CdpError::Lost(_))));
}

#[tokio::test]
async fn an_ended_session_fails_its_commands_only() {
    let (connection, mut peer) = connect();
    let link = connection.link();
    let (one, two) = (SessionId::new("S1"), SessionId::new("S2"));
    let gone = link.post(Some(&one), &GetVersion {}).unwrap();
    peer.command().await;
    let kept = link.post(Some(&two), &GetVersion {}).unwrap();
    let id = peer.command().await;
    peer.say(r#"{"method":"Target.detachedFromTarget","params":{"sessionId":"S1"}}"#).await;
    peer.say(format!(r#"{{"id":{id},"result":{{}},"sessionId":"S2"}}"#)).await;
    assert!(matches!(gone.reply(&soon()).await, Err(CdpError::SessionGone { .. })));
    assert!(kept.reply(&soon()).await.is_ok());
    let unknown = link.post(Some(&one), &GetVersion {}).unwrap();
    let id = peer.command().await;
    peer.say(format!(
        r#"{{"id":{id},"error":{{"code":-32001,"message":"Session with given id not found."}}}}"#
    ))
    .await;
    assert!(matches!(unknown.reply(&soon()).await, Err(CdpError::SessionGone { .. })));
}

#[tokio::test(start_paused = true)]
async fn deadline_and_cancellation_leave_nothing_behind() {
    let (connection, _peer) = connect();
    let link = connection.link();
    let late = link.call(None, &GetVersion {}, &Limit::within(Duration::from_secs(3))).await;
    assert!(matches!(late, Err(CdpError::Deadline { method: "Browser.getVersion" })));
    let cancel = CancellationToken::new();
    let limit = soon().cancelled_by(cancel.clone());
    let posted = link.post(None, &GetVersion {}).unwrap();
    cancel.cancel();
    assert!(matches!(posted.reply(&limit).await, Err(CdpError::Cancelled { .. })));
    drop(link.post(None, &GetVersion {}).unwrap());
    assert_eq!(link.shared.pending.len(), 0);
}

/// A flood without end, half of it wanted by a subscriber that never reads: every reply arrives all the same, in the
/// middle of it, and memory is bounded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_flood_does_not_block_replies() {
    let (connection, peer) = connect();
    let link = connection.link().clone();
    let _never_reads = link.subscribe(&["Network.dataReceived"]);
    let Peer { mut from_us, mut to_us, .. } = peer;
    let (answers, mut answered) = tokio::sync::mpsc::unbounded_channel::<u64>();
    let reader = tokio::spawn(async move {
        let (mut unread, mut next_id) = (vec![], 1);
        while from_us.read_buf(&mut unread).await.is_ok_and(|bytes| bytes > 0) {
            for _ in unread.iter().filter(|byte| **byte == 0) {
                let _ = answers.send(next_id);
                next_id += 1;
            }
            unread.clear();
        }
    });
    let flood = tokio::spawn(async move {
        let mut burst = Vec::new();
        for index in 0..1000 {
            let name = if index % 2 == 0 { "Network.dataReceived" } else { "Runtime.consoleAPICalled" };
            burst.extend_from_slice(
                format!(
                    r#"{{"method":"{name}","params":{{"requestId":"{index}","timestamp":1234.5}},"sessionId":"S1"}}"#
                )
                .as_bytes(),
            );
            burst.push(0);
        }
        let (began, mut events) = (std::time::Instant::now(), 0u32);
        // It ends only with the connection.
        while to_us.write_all(&burst).await.is_ok() {
            events += 1000;
            while let Ok(id) = answered.try_recv() {
                let reply = format!("{{\"id\":{id},\"result\":{{\"n\":{id}}}}}\0");
                if to_us.write_all(reply.as_bytes()).await.is_err() {
                    break;
                }
            }
        }
        (events, began.elapsed())
    });
    for _ in 0..50 {
        link.call(None, &GetVersion {}, &soon()).await.unwrap();
    }
    assert!(link.is_lost().is_none());
    let dropped = link.counters().dropped_events;
    connection.close().await;
    let (events, took) = flood.await.unwrap();
    reader.await.unwrap();
    assert!(u64::from(events / 2) >= dropped);
    let rate = f64::from(events) / took.as_secs_f64();
    assert!(rate >= 100_000.0, "only {rate:.0} events a second were read, no flood to speak of");
}

#[tokio::test]
async fn a_reader_that_fails_is_a_lost_connection_for_everybody_at_once() {
    struct Failing;
    impl FrameSource for Failing {
        async fn next(&mut self) -> io::Result<Option<Frame>> {
            panic!("as the test wants it")
        }
    }
    struct Quiet;
    impl FrameSink for Quiet {
        async fn send(&mut self, _: String) -> io::Result<()> {
            Ok(())
        }
    }
    struct Line;
    impl Transport for Line {
        type Source = Failing;
        type Sink = Quiet;
        fn split(self) -> (Failing, Quiet) {
            (Failing, Quiet)
        }
    }
    let connection = Connection::start(Line);
    let waited = connection.link().call(None, &GetVersion {}, &soon()).await;
    assert!(matches!(waited, Err(CdpError::Lost(Lost::Unattended))), "{waited:?}");
    assert_eq!(connection.link().lost().await, Lost::Unattended);
}
