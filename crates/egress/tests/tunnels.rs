//! Tunnels: TLS goes through, sockets without it need leave, and everything ends with its door or its rules.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::time::Duration;

use common::*;
use legwork_egress::{Egress, Settings};
use legwork_policy::places::{Reach, Sockets};
use legwork_testkit::wait_until_async;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// How a browser begins with TLS.
const HELLO: &[u8] = &[0x16, 0x03, 0x01, 0x02, 0x00, 0x01];
const SOCKET: &[u8] = b"GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n";

/// Whether bytes come back through a tunnel.
async fn echoes(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    if stream.write_all(bytes).await.is_err() {
        return false;
    }
    let mut back = vec![0; bytes.len()];
    in_time(stream.read_exact(&mut back)).await.is_ok() && back == bytes
}

#[tokio::test]
async fn tls_goes_through() {
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let (mut stream, head) = connect(&door, &format!("shop.test:{}", origin.port())).await;
    assert_eq!(status(&head), 200);
    assert!(echoes(&mut stream, HELLO).await);
    for _ in 0..16 {
        let piece = vec![7; 40_000];
        assert!(echoes(&mut stream, &piece).await);
    }
    assert_eq!(words(&door), [format!("CONNECT https://shop.test:{} allowed", origin.port())]);
}

/// Large transfers are moved in another way than small ones: byte for byte the same, to the end of either side, and cut by the
/// rules all the same.
#[tokio::test]
async fn what_is_large_goes_through_whole_and_can_still_be_cut() {
    const LARGE: usize = 12 << 20;
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let (mut stream, _) = connect(&door, &format!("shop.test:{}", origin.port())).await;
    let mut sent: Vec<u8> = (0..LARGE as u32)
        .flat_map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes())
        .take(LARGE)
        .collect();
    sent[..HELLO.len()].copy_from_slice(HELLO);
    let (mut from, mut to) = stream.split();
    let sending = async {
        to.write_all(&sent).await.unwrap();
        to.shutdown().await.unwrap();
    };
    let mut back = Vec::new();
    let (read, ()) = in_time(async { tokio::join!(from.read_to_end(&mut back), sending) }).await;
    assert_eq!(read.unwrap(), LARGE);
    assert!(back == sent, "not what was sent");

    let (mut stream, _) = connect(&door, &format!("shop.test:{}", origin.port())).await;
    assert!(echoes(&mut stream, HELLO).await);
    for _ in 0..80 {
        assert!(echoes(&mut stream, &[7; 40_000]).await);
    }
    door.set_reach(Reach { deny: vec!["shop.test".parse().unwrap()], ..granted(&[origin.port()]) });
    let mut rest = [0; 1];
    assert!(matches!(in_time(stream.read(&mut rest)).await, Ok(0) | Err(_)));
}

/// Whether nothing comes for a while.
async fn keeps_silent(stream: &mut TcpStream) -> bool {
    tokio::time::timeout(Duration::from_millis(300), stream.read(&mut [0; 1])).await.is_err()
}

/// Whether it is ended.
async fn is_ended(stream: &mut TcpStream) -> bool {
    matches!(in_time(stream.read(&mut [0; 1])).await, Ok(0) | Err(_))
}

/// Writes down what it is told, and gives it back unless it ends in a question mark.
async fn scribe() -> Origin {
    Origin::start(|mut stream, told| async move {
        let mut piece = vec![0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut piece).await {
            told.lock().unwrap().push(String::from_utf8_lossy(&piece[..count]).into_owned());
            if piece[count - 1] != b'?' && stream.write_all(&piece[..count]).await.is_err() {
                return;
            }
        }
    })
    .await
}

/// What somebody said yes to goes over a new connection: on one that was used before, browsers send it again by themselves.
#[tokio::test]
async fn what_goes_alone_finds_no_tunnel_that_was_used_before() {
    let (shop, bank) = (scribe().await, scribe().await);
    let egress = egress(&shops());
    let door = egress.open(granted(&[shop.port(), bank.port()])).await.unwrap();
    let place = format!("shop.test:{}", shop.port());
    let (mut idle, _) = connect(&door, &place).await;
    let (mut waiting, _) = connect(&door, &place).await;
    let (mut young, _) = connect(&door, &place).await;
    let (mut elsewhere, _) = connect(&door, &format!("bank.test:{}", bank.port())).await;
    for stream in [&mut idle, &mut waiting, &mut elsewhere] {
        assert!(echoes(stream, HELLO).await && echoes(stream, b"one").await && echoes(stream, b"two").await);
    }
    assert!(echoes(&mut young, HELLO).await);
    waiting.write_all(b"what is new?").await.unwrap();
    wait_until_async(SOON, "it is asked", async || shop.requests().iter().any(|said| said == "what is new?"))
        .await;

    let alone = door.lines().alone("shop.test.", shop.port());
    assert!(is_ended(&mut idle).await, "nobody waits on it");
    assert!(keeps_silent(&mut waiting).await, "somebody waits on it");
    let (mut one, head) = connect(&door, &place).await;
    assert_eq!(status(&head), 200);
    assert!(echoes(&mut one, HELLO).await && echoes(&mut one, b"order").await);
    // Whatever is said on one that was used does not arrive, and ends it. One that was not used yet waits for its turn.
    waiting.write_all(b"order").await.unwrap();
    assert!(is_ended(&mut waiting).await);
    young.write_all(b"late").await.unwrap();
    assert!(keeps_silent(&mut young).await);
    assert_eq!(shop.requests().iter().filter(|said| *said == "order").count(), 1);
    assert!(echoes(&mut elsewhere, b"three").await);
    drop(alone);
    in_time(young.read_exact(&mut [0; 4])).await.unwrap();
    assert!(echoes(&mut young, b"more").await && echoes(&mut one, b"more").await);
}

#[tokio::test]
async fn beside_what_goes_alone_there_is_no_other_way_also_when_its_tunnel_ends() {
    let shop = scribe().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[shop.port()])).await.unwrap();
    let place = format!("shop.test:{}", shop.port());
    let alone = door.lines().alone("shop.test", shop.port());
    let (mut one, _) = connect(&door, &place).await;
    assert!(echoes(&mut one, HELLO).await);
    one.write_all(b"order?").await.unwrap();
    let mut second = knock(&door).await;
    second.write_all(format!("CONNECT {place} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
    assert!(keeps_silent(&mut second).await, "it waits");
    // Two of them share one way.
    let another = door.lines().alone("shop.test", shop.port());
    drop(one);
    assert_eq!(status(&head(&mut second).await), 502);
    drop(alone);
    assert_eq!(status(&connect(&door, &place).await.1), 502);
    drop(another);
    let (mut later, head) = connect(&door, &place).await;
    assert_eq!(status(&head), 200);
    assert!(echoes(&mut later, HELLO).await);

    // What ends before anything was asked has carried nothing away.
    let alone = door.lines().alone("shop.test", shop.port());
    let (mut broken, _) = connect(&door, &place).await;
    assert!(echoes(&mut broken, HELLO).await);
    drop(broken);
    let (mut one, head) = connect(&door, &place).await;
    assert_eq!(status(&head), 200);
    assert!(echoes(&mut one, HELLO).await && echoes(&mut one, b"order").await);
    drop(alone);
}

/// The one way may be taken by something that never ends: what somebody said yes to must not wait for that.
#[tokio::test]
async fn whoever_waits_for_the_one_way_does_not_wait_for_ever() {
    let shop = scribe().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[shop.port()])).await.unwrap();
    let place = format!("shop.test:{}", shop.port());
    let _alone = door.lines().alone("shop.test", shop.port());
    let (mut endless, _) = connect(&door, &place).await;
    assert!(echoes(&mut endless, HELLO).await);
    endless.write_all(b"what is new?").await.unwrap();
    let (mut second, head) = connect(&door, &place).await;
    assert_eq!(status(&head), 200);
    assert!(echoes(&mut second, HELLO).await && echoes(&mut second, b"one").await);
    // One that rests makes room at once.
    assert!(echoes(&mut second, b"two").await);
    assert!(echoes(&mut endless, b"news").await && echoes(&mut endless, b"more").await);
    let since = std::time::Instant::now();
    let (_, head) = connect(&door, &place).await;
    assert!(status(&head) == 200 && since.elapsed() < limits().alone, "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_hello_in_single_bytes_or_with_the_request_is_understood() {
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let (mut stream, _) = connect(&door, &format!("shop.test:{}", origin.port())).await;
    for byte in HELLO {
        stream.write_all(&[*byte]).await.unwrap();
        stream.flush().await.unwrap();
    }
    let mut back = [0; HELLO.len()];
    in_time(stream.read_exact(&mut back)).await.unwrap();
    assert_eq!(back, HELLO);

    let mut stream = knock(&door).await;
    let request = format!("CONNECT shop.test:{} HTTP/1.1\r\n\r\n", origin.port());
    stream.write_all(&[request.as_bytes(), HELLO].concat()).await.unwrap();
    assert_eq!(status(&head(&mut stream).await), 200);
    in_time(stream.read_exact(&mut back)).await.unwrap();
    assert_eq!(back, HELLO);
}

#[tokio::test]
async fn a_socket_without_tls_needs_leave() {
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let listed = |rule: &str| Sockets::Listed(vec![rule.parse().unwrap()]);
    let port = origin.port();
    for (sockets, passes) in [
        (Sockets::None, false),
        (listed("bank.test"), false),
        (listed("https://shop.test"), false),
        (listed("shop.test"), true),
        (listed(&format!("ws://shop.test:{port}")), true),
        (Sockets::All, true),
    ] {
        let door = egress.open(Reach { sockets: sockets.clone(), ..granted(&[port]) }).await.unwrap();
        let (mut stream, head) = connect(&door, &format!("shop.test:{port}")).await;
        assert_eq!(status(&head), 200);
        assert_eq!(echoes(&mut stream, SOCKET).await, passes, "{sockets:?}");
        let word = if passes { "allowed" } else { "plain-socket" };
        assert_eq!(words(&door)[1], format!("SOCKET ws://shop.test:{port} {word}"));
    }
}

#[tokio::test]
async fn a_place_that_is_allowed_without_tls_only_gets_only_that() {
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let allow = vec![format!("http://shop.test:{}", origin.port()).parse().unwrap()];
    let reach = Reach { allow, sockets: Sockets::All, ..granted(&[origin.port()]) };
    let door = egress.open(reach).await.unwrap();
    for (first, passes) in [(SOCKET, true), (HELLO, false)] {
        let (mut stream, _) = connect(&door, &format!("shop.test:{}", origin.port())).await;
        assert_eq!(echoes(&mut stream, first).await, passes);
    }
    assert!(words(&door).last().unwrap().ends_with("not-on-the-list"));
}

#[tokio::test]
async fn rules_that_change_cut_what_they_do_not_allow() {
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let (mut shop, _) = connect(&door, &format!("shop.test:{}", origin.port())).await;
    let (mut bank, _) = connect(&door, &format!("bank.test:{}", origin.port())).await;
    assert!(echoes(&mut shop, HELLO).await && echoes(&mut bank, HELLO).await);
    door.set_reach(Reach { deny: vec!["shop.test".parse().unwrap()], ..granted(&[origin.port()]) });
    assert_eq!(in_time(shop.read(&mut [0; 8])).await.unwrap_or(0), 0);
    assert!(echoes(&mut bank, HELLO).await);
}

#[tokio::test]
async fn a_door_that_goes_takes_its_tunnels_along() {
    let origin = Origin::echo().await;
    let egress = egress(&shops());
    let reach = granted(&[origin.port()]);
    let (dropped, closed, left) = (
        egress.open(reach.clone()).await.unwrap(),
        egress.open(reach.clone()).await.unwrap(),
        egress.open(reach).await.unwrap(),
    );
    let authority = format!("shop.test:{}", origin.port());
    let mut streams = Vec::new();
    for door in [&dropped, &closed, &left] {
        let (mut stream, _) = connect(door, &authority).await;
        assert!(echoes(&mut stream, HELLO).await);
        streams.push(stream);
    }
    let addresses = [dropped.address(), closed.address(), left.address()];
    drop(dropped);
    in_time(closed.close()).await;
    for stream in &mut streams[..2] {
        assert_eq!(in_time(stream.read(&mut [0; 8])).await.unwrap_or(0), 0);
    }
    assert!(echoes(&mut streams[2], HELLO).await);
    let ledger = left.ledger();
    in_time(egress.close()).await;
    assert_eq!(in_time(streams[2].read(&mut [0; 8])).await.unwrap_or(0), 0);
    assert_eq!(ledger.written(), 1);
    for address in addresses {
        wait_until_async(SOON, "nobody listens", async || TcpStream::connect(address).await.is_err()).await;
    }
}

#[tokio::test]
async fn a_transfer_ends_with_its_door() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let mut stream = knock(&door).await;
    let request = format!("GET http://shop.test:{}/big/100000 HTTP/1.1\r\nHost: x\r\n\r\n", origin.port());
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(status(&head(&mut stream).await), 200);
    drop(door);
    let rest = in_time(tokio::io::copy(&mut stream, &mut tokio::io::sink())).await.unwrap_or(0);
    assert!(rest < 100_000 * 64 * 1024, "{rest}");
}

#[tokio::test]
async fn the_operators_proxy_is_asked_for_the_checked_address() {
    let origin = Origin::pages().await;
    let target = origin.address;
    let proxy = Origin::start(move |mut stream, requests| async move {
        let asked = head(&mut stream).await;
        requests.lock().unwrap().push(asked);
        let mut place = TcpStream::connect(target).await.unwrap();
        stream.write_all(b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n").await.unwrap();
        let _ = tokio::io::copy_bidirectional(&mut stream, &mut place).await;
    })
    .await;
    let refusing =
        Origin::raw("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n").await;
    let names = Names::default().with("shop.test", &["93.184.216.34"]).with("inner.test", &["10.0.0.1"]);
    let through = |proxy: &Origin| {
        let upstream = Some(proxy.address.to_string().parse().unwrap());
        Egress::start(names.clone(), Settings { limits: limits(), upstream, ..Settings::default() })
    };
    let egress = through(&proxy);
    let door = egress.open(Reach::default()).await.unwrap();
    assert_eq!(status(&get(&door, "http://shop.test/page").await), 200);
    assert_eq!(proxy.requests(), ["CONNECT 93.184.216.34:80 HTTP/1.1\r\nHost: 93.184.216.34:80\r\n\r\n"]);
    assert!(origin.requests()[0].starts_with("GET /page\nhost: shop.test\n"));
    let (_, head) = connect(&door, "shop.test:443").await;
    assert_eq!((status(&head), proxy.requests().len()), (200, 2));
    assert_eq!(denied(&get(&door, "http://inner.test/").await), "private-address");
    assert_eq!(proxy.visitors(), 2);

    let egress = through(&refusing);
    let door = egress.open(Reach::default()).await.unwrap();
    let answer = get(&door, "http://shop.test/").await;
    assert!(
        status(&answer) == 502 && answer.contains("upstream-refused") && !answer.contains("Authenticate"),
        "{answer}"
    );
}
