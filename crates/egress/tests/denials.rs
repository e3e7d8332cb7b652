//! What may not be reached is not reached, and everybody learns why.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::time::Duration;

use common::*;
use legwork_egress::{CanaryLost, ResolveError};
use legwork_policy::places::{OwnPorts, Reach};

/// Every way to write this machine, with its port.
fn this_machine(port: u16) -> Vec<String> {
    [
        "127.0.0.1",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "x.localhost",
        "127.1",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.1.",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2606::5efe:7f00:1]",
        "[::]",
    ]
    .map(|host| format!("{host}:{port}"))
    .to_vec()
}

#[tokio::test]
async fn this_machine_is_not_reached_however_it_is_written() {
    let origin = Origin::pages().await;
    let egress = egress(&Names::default());
    let door = egress.open(Reach::default()).await.unwrap();
    for authority in this_machine(origin.port()) {
        let answer = get(&door, &format!("http://{authority}/")).await;
        assert_eq!((status(&answer), denied(&answer)), (403, "private-address"), "{authority}");
        let (_, head) = connect(&door, &authority).await;
        assert_eq!((status(&head), denied(&head)), (403, "private-address"), "{authority}");
    }
    assert_eq!(origin.visitors(), 0);
    let count = this_machine(1).len() as u64 * 2;
    assert_eq!(door.ledger().counts(), [("private-address", count)].into());
}

#[tokio::test]
async fn a_denial_says_what_and_why_in_one_line() {
    let egress = egress(&Names::default());
    let door = egress.open(Reach::default()).await.unwrap();
    let answer = get(&door, "http://127.1:22/secret-path").await;
    assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
    assert!(answer.contains("content-type: text/plain; charset=utf-8\r\n"), "{answer}");
    let body = answer.split("\r\n\r\n").nth(1).unwrap();
    assert_eq!(
        body,
        "Legwork: http://127.0.0.1:22 may not be reached: its address is not public (loopback).\n"
    );
    assert_eq!(words(&door), ["GET http://127.0.0.1:22 private-address"]);
}

#[tokio::test]
async fn what_the_resolver_says_is_checked_whole_and_failures_are_told_apart() {
    let origin = Origin::pages().await;
    let names = Names::default()
        .with("alias.test", &["127.0.0.1"])
        .with("mixed.test", &["93.184.216.34", "127.0.0.1"])
        .with("mapped.test", &["::ffff:10.0.0.1"])
        .with("cloud.test", &["169.254.169.254"])
        .with("empty.test", &[])
        .then("slow.test", Answer::Never)
        .then("broken.test", Answer::Error(ResolveError::Failed));
    let egress = egress(&names);
    let reach = Reach { ports: vec![80, 443, origin.port()], ..Reach::default() };
    let door = egress.open(reach).await.unwrap();
    for (name, reason) in [
        ("alias.test", "private-address"),
        ("mixed.test", "private-address"),
        ("mapped.test", "private-address"),
        ("cloud.test", "private-address"),
        ("empty.test", "no-address"),
        ("none.test", "name-unknown"),
        ("slow.test", "resolver-timeout"),
        ("broken.test", "resolver-failed"),
    ] {
        let answer = get(&door, &format!("http://{name}:{}/", origin.port())).await;
        assert_eq!((status(&answer), denied(&answer)), (403, reason), "{name}");
        let (_, head) = connect(&door, &format!("{name}:{}", origin.port())).await;
        assert_eq!((status(&head), denied(&head)), (403, reason), "{name}");
    }
    assert_eq!(origin.visitors(), 0);
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_the_checked_address_is_dialled() {
    let (good, other) = (Origin::pages().await, Origin::pages().await);
    // Answers change with every question: the second one would lead elsewhere.
    let names = Names::default().with("turn.test", &["93.184.216.34"]).with("turn.test", &["127.0.0.1"]);
    let names = names.with("shop.test", &["127.0.0.1"]).with("shop.test", &["169.254.169.254"]);
    let egress = egress(&names);
    let reach = Reach { ports: vec![80, other.port()], ..granted(&[good.port()]) };
    let door = egress.open(reach).await.unwrap();
    let answer = get(&door, &format!("http://shop.test:{}/", good.port())).await;
    assert_eq!((status(&answer), names.asked(), good.visitors()), (200, 1, 1));
    // Public first: it is dialled there, in vain, and not at what the second answer would have been.
    let answer = get(&door, &format!("http://turn.test:{}/", other.port())).await;
    assert!(matches!(status(&answer), 502 | 504), "{answer}");
    assert_eq!((names.asked(), other.visitors()), (2, 0));
    let answer = get(&door, &format!("http://turn.test:{}/", other.port())).await;
    assert_eq!((denied(&answer), other.visitors()), ("private-address", 0));
}

#[tokio::test]
async fn the_host_is_what_a_browser_takes_for_it() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let reach = Reach {
        allow: vec![format!("shop.test:{}", origin.port()).parse().unwrap()],
        ..granted(&[origin.port()])
    };
    let door = egress.open(reach).await.unwrap();
    let at = |rest: &str| rest.replace("PORT", &origin.port().to_string());
    for (url, reason) in [
        ("http://shop.test@evil.test:PORT/", "misleading"),
        ("http://shop.test:PORT@evil.test/", "misleading"),
        ("http://me@evil.test:PORT/", "not-on-the-list"),
        ("http://shop.test.evil.test:PORT/", "not-on-the-list"),
        ("http://evilshop.test:PORT/", "not-on-the-list"),
        ("http://xn--hop-ehd.test:PORT/", "not-on-the-list"),
        ("http://shop.test:22/", "port-not-listed"),
        ("http://shop.test/", "port-not-listed"),
        ("https://shop.test:PORT/", "scheme"),
        ("ws://shop.test:PORT/", "scheme"),
        ("ftp://shop.test:PORT/", "scheme"),
        ("http://shop..test:PORT/", "malformed"),
        ("http://127.0.0.1:PORT/", "private-address"),
    ] {
        let answer = get(&door, &at(url)).await;
        assert_eq!((status(&answer), denied(&answer)), (403, reason), "{url}");
    }
    assert_eq!(origin.visitors(), 0);
    for url in ["http://shop.test:PORT/", "http://SHOP.test.:PORT/", "http://me:word@shop.test:PORT/"] {
        assert_eq!(status(&get(&door, &at(url)).await), 200, "{url}");
    }
    assert!(origin.requests().iter().all(|request| request.contains(&at("host: shop.test:PORT\n"))));
    assert!(origin.requests().iter().all(|request| !request.contains("authorization")));
}

#[tokio::test]
async fn odd_ports_are_closed_for_allowed_hosts() {
    let egress = egress(&shops());
    let door =
        egress.open(Reach { allow: vec!["shop.test".parse().unwrap()], ..Reach::default() }).await.unwrap();
    for port in [22, 25, 6379, 9222] {
        assert_eq!(denied(&get(&door, &format!("http://shop.test:{port}/")).await), "port-not-listed");
        assert_eq!(denied(&connect(&door, &format!("shop.test:{port}")).await.1), "port-not-listed");
    }
}

#[tokio::test]
async fn own_ports_and_doors_are_denied_above_every_grant() {
    let origin = Origin::pages().await;
    let names = shops();
    let egress = egress(&names);
    let mut ports = vec![origin.port()];
    let reach = |ports: &[u16]| {
        let all = ports.iter().flat_map(|port| {
            ["127.0.0.1", "localhost", "[::1]", "shop.test"]
                .map(|host| format!("{host}:{port}").parse().unwrap())
        });
        let resolve = ports.iter().map(|port| format!("given{port}.test=127.0.0.1:{port}").parse().unwrap());
        let own = OwnPorts { ports: [origin.port()].into(), addresses: vec![] };
        Reach { private: all.collect(), resolve: resolve.collect(), own, ..Reach::default() }
    };
    let door = egress.open(reach(&ports)).await.unwrap();
    let later = egress.open(Reach::default()).await.unwrap();
    ports.extend([door.address().port(), later.address().port()]);
    door.set_reach(reach(&ports));
    for port in &ports {
        let given = format!("http://given{port}.test/");
        for url in this_machine(*port)
            .iter()
            .map(|authority| format!("http://{authority}/"))
            .chain([format!("http://shop.test:{port}/"), given])
        {
            assert_eq!(denied(&get(&door, &url).await), "own-port", "{url}");
        }
    }
    assert_eq!(origin.visitors(), 0);
    // A door that is closed leaves its port to others.
    let port = later.address().port();
    later.close().await;
    assert_eq!(status(&get(&door, &format!("http://127.0.0.1:{port}/")).await), 502);
}

#[tokio::test]
async fn a_redirect_is_the_browsers_next_request() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let answer =
        get(&door, &format!("http://shop.test:{}/to/http://127.0.0.1:{}/", origin.port(), origin.port()))
            .await;
    let to = answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    assert_eq!((status(&answer), origin.visitors()), (302, 1));
    assert_eq!(denied(&get(&door, to).await), "private-address");
    assert_eq!(origin.visitors(), 1);
}

#[tokio::test]
async fn who_takes_the_door_for_a_server_learns_nothing() {
    let egress = egress(&Names::default());
    let door = egress.open(Reach::default()).await.unwrap();
    for request in [
        "GET / HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ] {
        let answer = say(&door, request).await.to_lowercase();
        assert_eq!(status(&answer), 400, "{answer}");
        assert!(!answer.contains("legwork") && answer.ends_with("\r\n\r\n"), "{answer}");
    }
    assert_eq!(door.ledger().counts(), [("malformed", 3)].into());
}

#[tokio::test]
async fn calls_of_the_browser_to_its_maker_are_marked() {
    let egress = egress(&Names::default());
    let door = egress.open(Reach::default()).await.unwrap();
    let (_, head) = connect(&door, "update.googleapis.com:443").await;
    assert_eq!(denied(&head), "vendor-host");
    assert!(door.ledger().entries()[0].is_vendor());
}

#[tokio::test]
async fn a_canary_is_answered_here_and_seen_when_it_goes_around() {
    let egress = egress(&Names::default());
    let door = egress.open(Reach::default()).await.unwrap();
    let canary = door.expect_canary().unwrap();
    let url = canary.url().to_owned();
    assert!(url.starts_with("http://127.0.0.1:"));
    assert_eq!(denied(&get(&door, &format!("{url}x")).await), "own-port");
    assert_eq!(status(&get(&door, &url).await), 204);
    assert_eq!(canary.arrived(SOON).await, Ok(()));
    assert_eq!(denied(&get(&door, &url).await), "own-port", "it is answered once");

    let canary = door.expect_canary().unwrap();
    let path = canary.url().splitn(4, '/').nth(3).unwrap().to_owned();
    let answer = say(&door, &format!("GET /{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).await;
    assert_eq!((status(&answer), canary.arrived(SOON).await), (400, Err(CanaryLost::Bypassed)));
    let canary = door.expect_canary().unwrap();
    assert_eq!(canary.arrived(Duration::ZERO).await, Err(CanaryLost::NotSeen));
    assert_eq!(door.ledger().counts()["canary"], 1);
}
