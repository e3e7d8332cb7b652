//! What may go out goes out as it is, and nothing that is between browser and proxy goes on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::*;
use legwork_policy::places::Reach;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn a_place_gets_its_own_host_and_nothing_that_is_ours() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let request = format!(
        "GET http://shop.test:{}/a%20b?c=\\d HTTP/1.1\r\nHost: evil.test\r\nProxy-Authorization: Basic c2VjcmV0\r\n\
         Proxy-Connection: keep-alive\r\nX-Hop: 1\r\nConnection: close, x-hop\r\nTE: trailers\r\nCookie: a=b\r\nX-Stays: 1\r\n\r\n",
        origin.port()
    );
    assert_eq!(status(&say(&door, &request).await), 200);
    let expected = format!("GET /a%20b?c=\\d\nhost: shop.test:{}\ncookie: a=b\nx-stays: 1\n", origin.port());
    assert_eq!(origin.requests(), [expected]);
    assert_eq!(words(&door), [format!("GET http://shop.test:{} allowed", origin.port())]);
}

#[tokio::test]
async fn a_place_can_not_pose_as_a_proxy() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let trap = get(&door, &format!("http://shop.test:{}/trap", origin.port())).await;
    assert_eq!(status(&trap), 502);
    assert!(
        trap.contains("x-legwork-failed: proxy-challenge") && !trap.to_lowercase().contains("authenticate"),
        "{trap}"
    );
    let sly = get(&door, &format!("http://shop.test:{}/sly", origin.port())).await.to_lowercase();
    assert!(sly.ends_with("sly") && !sly.contains("authenticate") && !sly.contains("x-hop"), "{sly}");
}

/// A browser takes 408 for leave to send the same again.
#[tokio::test]
async fn a_write_that_came_too_late_is_not_asked_for_again() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let asked = |method: &str| {
        format!(
            "{method} http://shop.test:{}/late HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            origin.port()
        )
    };
    assert_eq!(status(&say(&door, &asked("POST")).await), 504);
    assert_eq!(status(&say(&door, &asked("GET")).await), 408);
}

#[tokio::test]
async fn one_connection_of_the_browser_serves_many_hosts_and_links_are_used_again() {
    let (shop, bank) = (Origin::pages().await, Origin::pages().await);
    let names = shops();
    let egress = egress(&names);
    let door = egress.open(granted(&[shop.port(), bank.port()])).await.unwrap();
    let mut stream = knock(&door).await;
    for round in 0..5 {
        for (name, origin) in [("shop.test", &shop), ("bank.test", &bank), ("evil.test", &bank)] {
            let request = format!("GET http://{name}:{}/{round} HTTP/1.1\r\nHost: x\r\n\r\n", origin.port());
            stream.write_all(request.as_bytes()).await.unwrap();
            let (head, body) = answer(&mut stream).await;
            match name {
                "evil.test" => assert_eq!(denied(&head), "port-not-listed"),
                _ => assert!(
                    body.contains(&format!("/{round}\n")) && body.contains(&format!("host: {name}")),
                    "{head}{body}"
                ),
            }
        }
    }
    assert_eq!((shop.visitors(), bank.visitors(), names.asked()), (1, 1, 2));
}

#[tokio::test]
async fn a_link_is_used_again_only_while_the_rules_allow_it() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let url = format!("http://shop.test:{}/", origin.port());
    let mut stream = knock(&door).await;
    let request = format!("GET {url} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(status(&answer(&mut stream).await.0), 200);
    door.set_reach(Reach { ports: vec![origin.port()], ..Reach::default() });
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(denied(&answer(&mut stream).await.0), "private-address");
    door.set_reach(Reach { deny: vec!["shop.test".parse().unwrap()], ..granted(&[origin.port()]) });
    assert_eq!(denied(&get(&door, &url).await), "denied-by-rule");
    assert_eq!(origin.requests().len(), 1);
}

#[tokio::test]
async fn big_bodies_are_passed_on_in_both_directions() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let pieces = 512;
    let mut stream = knock(&door).await;
    let request = format!(
        "GET http://shop.test:{}/big/{pieces} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        origin.port()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let (mut buffer, mut exes) = (vec![0; 64 * 1024], 0);
    loop {
        let read = in_time(stream.read(&mut buffer)).await.unwrap();
        if read == 0 {
            break;
        }
        exes += buffer[..read].iter().filter(|byte| **byte == b'x').count();
    }
    assert_eq!(exes, pieces * 64 * 1024);

    for head in [format!("Content-Length: {}\r\n", 32 << 20), "Transfer-Encoding: chunked\r\n".into()] {
        let mut stream = knock(&door).await;
        let request =
            format!("POST http://shop.test:{}/upload HTTP/1.1\r\nHost: x\r\n{head}\r\n", origin.port());
        stream.write_all(request.as_bytes()).await.unwrap();
        let piece = vec![b'y'; 1 << 20];
        for _ in 0..32 {
            match head.starts_with("Content") {
                true => in_time(stream.write_all(&piece)).await.unwrap(),
                false => {
                    in_time(stream.write_all(&[b"100000\r\n", &piece[..], b"\r\n"].concat())).await.unwrap()
                }
            }
        }
        if head.starts_with("Transfer") {
            stream.write_all(b"0\r\n\r\n").await.unwrap();
        }
        assert_eq!(answer(&mut stream).await.1, format!("{} bytes", 32 << 20));
    }
}

#[tokio::test]
async fn an_answer_is_passed_on_while_it_comes() {
    let (go, wait) = tokio::sync::watch::channel(false);
    let origin = Origin::start(move |mut stream, _| {
        let mut wait = wait.clone();
        async move {
            head(&mut stream).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf").await.unwrap();
            wait.wait_for(|go| *go).await.unwrap();
            stream.write_all(b"full").await.unwrap();
        }
    })
    .await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let mut stream = knock(&door).await;
    stream
        .write_all(format!("GET http://shop.test:{}/ HTTP/1.1\r\nHost: x\r\n\r\n", origin.port()).as_bytes())
        .await
        .unwrap();
    head(&mut stream).await;
    let mut half = [0; 4];
    in_time(stream.read_exact(&mut half)).await.unwrap();
    assert_eq!(&half, b"half");
    go.send_replace(true);
    in_time(stream.read_exact(&mut half)).await.unwrap();
    assert_eq!(&half, b"full");
}

#[tokio::test]
async fn answers_without_a_body_and_old_servers_are_understood() {
    let origin = Origin::pages().await;
    let old = Origin::raw("HTTP/1.0 200 OK\r\nX-Old: 1\r\n\r\nuntil the end").await;
    let odd =
        Origin::raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n").await;
    let junk = Origin::raw("SSH-2.0-server\r\n").await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port(), old.port(), odd.port(), junk.port()])).await.unwrap();
    let mut stream = knock(&door).await;
    for (method, path, expected) in
        [("HEAD", "", 200), ("GET", "empty", 204), ("GET", "same", 304), ("DELETE", "x", 200)]
    {
        let request =
            format!("{method} http://shop.test:{}/{path} HTTP/1.1\r\nHost: x\r\n\r\n", origin.port());
        stream.write_all(request.as_bytes()).await.unwrap();
        let head = head(&mut stream).await.to_lowercase();
        assert_eq!(status(&head), expected, "{head}");
        if method == "HEAD" {
            assert!(head.contains("content-length: "), "{head}");
        }
    }
    let answer = get(&door, &format!("http://shop.test:{}/", old.port())).await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("X-Old: 1") && answer.contains("until the end"),
        "{answer}"
    );
    for broken in [&odd, &junk] {
        assert_eq!(status(&get(&door, &format!("http://shop.test:{}/", broken.port())).await), 502);
    }
}

#[tokio::test]
async fn who_asks_to_continue_is_told_to_and_who_asks_for_another_protocol_is_not() {
    let origin = Origin::pages().await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let mut stream = knock(&door).await;
    let request = format!(
        "POST http://shop.test:{}/upload HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
        origin.port()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(status(&head(&mut stream).await), 100);
    stream.write_all(b"hello").await.unwrap();
    assert_eq!(answer(&mut stream).await.1, "5 bytes");
    let request = format!(
        "GET http://shop.test:{}/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: close, upgrade\r\n\r\n",
        origin.port()
    );
    assert_eq!(denied(&say(&door, &request).await), "upgrade");
    assert_eq!(origin.requests().len(), 1);
}

#[tokio::test]
async fn a_link_that_its_place_closed_is_not_noticed_by_the_browser() {
    // Serves one request on each connection, says that it will serve more, and closes.
    let origin = Origin::raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let egress = egress(&shops());
    let door = egress.open(granted(&[origin.port()])).await.unwrap();
    let mut stream = knock(&door).await;
    for _ in 0..20 {
        let request = format!("GET http://shop.test:{}/ HTTP/1.1\r\nHost: x\r\n\r\n", origin.port());
        stream.write_all(request.as_bytes()).await.unwrap();
        assert_eq!(answer(&mut stream).await.1, "ok");
    }
    assert_eq!(origin.visitors(), 20);
}

#[tokio::test]
async fn a_given_address_is_dialled_for_its_name() {
    let origin = Origin::pages().await;
    let names = Names::default();
    let egress = egress(&names);
    let reach = Reach {
        resolve: vec![format!("given.test={}", origin.address).parse().unwrap()],
        ..Reach::default()
    };
    let door = egress.open(reach).await.unwrap();
    assert_eq!(status(&get(&door, "http://given.test/").await), 200);
    assert_eq!(denied(&get(&door, "http://other.given.test/").await), "name-unknown");
    assert!(origin.requests()[0].contains("host: given.test\n"));
    assert_eq!((origin.visitors(), names.asked()), (1, 1));
}
