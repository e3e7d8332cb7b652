//! Nothing takes for ever, and many may come at once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::time::Duration;

use common::*;
use legwork_egress::{Egress, Limits, Settings};
use legwork_testkit::wait_until_async;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    task::JoinSet,
};

const SHORT: Duration = Duration::from_millis(200);

fn bounded(limits: Limits) -> Egress {
    Egress::start(shops(), Settings { limits, ..Settings::default() })
}

#[tokio::test]
async fn a_head_that_does_not_end_is_not_awaited() {
    let egress = bounded(Limits { head: SHORT, ..limits() });
    let door = egress.open(granted(&[])).await.unwrap();
    for start in ["", "GET", "GET http://shop.test/ HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = knock(&door).await;
        stream.write_all(start.as_bytes()).await.unwrap();
        let mut rest = Vec::new();
        let _ = in_time(stream.read_to_end(&mut rest)).await;
        assert!(rest.is_empty() || status(&String::from_utf8_lossy(&rest)) == 408, "{start}");
    }
    assert_eq!(door.ledger().written(), 0);
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let origin = Origin::pages().await;
    let egress = bounded(limits());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    for (length, expected) in [(1_000, 200), (50_000, 200), (200_000, 431), (1_000_000, 431)] {
        let cookie = "c".repeat(length);
        let request = format!(
            "GET http://shop.test:{}/same HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: {cookie}\r\n\r\n",
            origin.port()
        );
        let expected = if expected == 200 { 304 } else { expected };
        let mut stream = knock(&door).await;
        let (mut from, mut to) = stream.split();
        // The door may close before everything was said.
        let (_, head) = tokio::join!(to.write_all(request.as_bytes()), async {
            let mut head = vec![0; 12];
            in_time(from.read_exact(&mut head))
                .await
                .map(|_| String::from_utf8(head).unwrap())
                .unwrap_or_default()
        });
        assert!(status(&head) == expected || (expected == 431 && head.is_empty()), "{length}: {head}");
    }
    assert_eq!(origin.requests().len(), 2);
}

#[tokio::test]
async fn a_place_that_says_nothing_is_given_up() {
    let origin = Origin::silent().await;
    let egress = bounded(Limits { answer: SHORT, idle: SHORT * 5, ..limits() });
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let answer = get(&door, &format!("http://shop.test:{}/", origin.port())).await;
    assert!(status(&answer) == 504 && answer.contains("x-legwork-failed: timeout"), "{answer}");
    let (mut stream, head) = connect(&door, &format!("shop.test:{}", origin.port())).await;
    assert_eq!(status(&head), 200);
    stream.write_all(&[0x16, 0x03, 0x01]).await.unwrap();
    assert_eq!(in_time(stream.read(&mut [0; 8])).await.unwrap_or(0), 0, "an idle tunnel ends");
}

#[tokio::test]
async fn what_the_browser_does_not_wait_for_is_written_down_too() {
    let origin = Origin::silent().await;
    let names = shops().then("slow.test", Answer::Never);
    let limits = Limits { resolve: SOON * 10, ..limits() };
    let egress = Egress::start(names.clone(), Settings { limits, ..Settings::default() });
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    for (url, asked, word) in [
        (format!("http://shop.test:{}/", origin.port()), 1, "allowed"),
        ("http://slow.test/".into(), 2, "abandoned"),
    ] {
        let mut stream = knock(&door).await;
        stream.write_all(format!("GET {url} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).await.unwrap();
        wait_until_async(SOON, "the name is asked for", async || names.asked() == asked).await;
        if word == "allowed" {
            wait_until_async(SOON, "the place is visited", async || door.ledger().written() == 1).await;
        }
        drop(stream);
        wait_until_async(SOON, word, async || door.ledger().counts().contains_key(word)).await;
    }
    let mut slow = knock(&door).await;
    slow.write_all(b"CONNECT slow.test:443 HTTP/1.1\r\n\r\n").await.unwrap();
    wait_until_async(SOON, "the name is asked for", async || names.asked() == 3).await;
    drop(slow);
    wait_until_async(SOON, "it is written down", async || {
        door.ledger().counts().get("abandoned") == Some(&2)
    })
    .await;
}

#[tokio::test]
async fn nobody_there_is_told_at_once() {
    let gone = Origin::pages().await;
    let port = gone.port();
    drop(gone);
    let egress = bounded(limits());
    let door = egress.open(granted(&[port])).await.unwrap();
    let answer = get(&door, &format!("http://shop.test:{port}/")).await;
    assert!(status(&answer) == 502 && answer.contains("x-legwork-failed: unreachable"), "{answer}");
    assert_eq!(status(&connect(&door, &format!("shop.test:{port}")).await.1), 502);
    assert_eq!(door.ledger().counts(), [("unreachable", 2)].into());
}

#[tokio::test]
async fn a_second_address_is_tried_when_the_first_does_not_answer() {
    let origin = Origin::pages().await;
    // Nobody listens on the first one.
    let names = Names::default().with("shop.test", &["127.0.0.77", "127.0.0.1"]);
    let egress = Egress::start(names, Settings { limits: limits(), ..Settings::default() });
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    assert_eq!(status(&get(&door, &format!("http://shop.test:{}/", origin.port())).await), 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_at_once_are_served() {
    let (origin, echo) = (Origin::pages().await, Origin::echo().await);
    let egress = bounded(limits());
    let door = std::sync::Arc::new(egress.open(granted(&[origin.port(), echo.port()])).await.unwrap());
    let mut clients = JoinSet::new();
    for number in 0..100 {
        let (door, page, echo) = (door.clone(), origin.port(), echo.port());
        clients.spawn(async move {
            if number % 2 == 0 {
                let answer = get(&door, &format!("http://shop.test:{page}/{number}")).await;
                assert!(answer.contains(&format!("GET /{number}\n")), "{answer}");
            } else {
                let (mut stream, head) = connect(&door, &format!("bank.test:{echo}")).await;
                assert_eq!(status(&head), 200);
                let hello = [0x16, 0x03, number as u8];
                stream.write_all(&hello).await.unwrap();
                let mut back = [0; 3];
                in_time(stream.read_exact(&mut back)).await.unwrap();
                assert_eq!(back, hello);
            }
        });
    }
    while let Some(done) = clients.join_next().await {
        done.unwrap();
    }
    assert_eq!(door.ledger().counts(), [("allowed", 100)].into());
}

#[tokio::test]
async fn more_than_may_come_wait_for_their_turn() {
    let origin = Origin::pages().await;
    let egress = bounded(Limits { connections: 1, ..limits() });
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let first = knock(&door).await;
    let url = format!("http://shop.test:{}/", origin.port());
    let mut second = std::pin::pin!(get(&door, &url));
    assert!(tokio::time::timeout(SHORT, &mut second).await.is_err());
    drop(first);
    assert_eq!(status(&second.await), 200);
}
