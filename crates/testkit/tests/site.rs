//! The page server: two sites, its ledger, its special behaviours, its end.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod raw;

use std::{net::TcpStream, time::Duration};

use legwork_testkit::{
    PAGES, Site,
    axum::routing::{get, post},
    fd_count, wait_until,
};
use raw::{get_with, is_silent, read_all, read_until, send};

const LIMIT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn serves_every_difficult_page_on_both_sites() {
    let site = Site::start().await;
    for (name, _) in PAGES {
        let path = format!("/pages/{name}");
        for address in [site.url(&path), site.other_url(&path)] {
            let answer = raw::get(&address);
            let kind = if name.ends_with(".js") { "text/javascript" } else { "text/html" };
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains(kind), "{name}: {answer}");
            assert!(!answer.contains("{{"), "{name} keeps a placeholder");
        }
        let hosts: Vec<String> = site.hits_of(&path).into_iter().map(|hit| hit.host).collect();
        assert_eq!(hosts, [format!("127.0.0.1:{}", site.port()), format!("localhost:{}", site.port())]);
    }
}

#[test]
fn listens_on_both_loopback_addresses() {
    let site = Site::builder().start_blocking();
    assert!(TcpStream::connect(("127.0.0.1", site.port())).is_ok());
    if std::net::TcpListener::bind("[::1]:0").is_ok() {
        assert!(TcpStream::connect(("::1", site.port())).is_ok());
    }
}

#[tokio::test]
async fn pages_of_the_test_learn_the_two_origins() {
    let site = Site::builder()
        .page("/x", "<a href={{HERE}}/a></a><a href={{OTHER}}/b></a>")
        .page("/pages/plain.html", "replaced")
        .route("/y", get(|| async { "handled" }))
        .route("/z", post(|body: String| async move { body }))
        .start()
        .await;
    let page = raw::get(&site.url("/x"));
    assert!(page.contains(&format!("<a href={}></a><a href={}></a>", site.url("/a"), site.other_url("/b"))));
    assert!(raw::get(&site.url("/pages/plain.html")).ends_with("replaced"));
    assert!(raw::get(&site.url("/y")).ends_with("handled"));
    assert!(read_all(send(&site.url("/z"), "POST", "Connection: close\r\n", "sent")).ends_with("sent"));
    assert!(raw::get(&site.url("/nowhere")).starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn serves_the_pages_of_the_benchmark_and_the_files_of_a_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/pages");
    let site = Site::builder().bench_pages().folder("/doc", folder).start().await;
    assert!(raw::get(&site.url("/table")).contains("Cancel 4999"));
    assert!(raw::get(&site.other_url("/inner/X")).contains("Frame button X"));
    assert!(raw::get(&site.url("/frames")).contains(&format!("src='{}'", site.other_url("/inner/X"))));
    assert!(raw::get(&site.url("/doc/plain.html")).contains("text/html"));
    assert!(raw::get(&site.url("/doc/../Cargo.toml")).starts_with("HTTP/1.1 404"));
    assert!(raw::get(&site.url("/doc/%2e%2e/Cargo.toml")).starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn the_ledger_holds_every_request() {
    let site = Site::start().await;
    let body = "b".repeat(100_000);
    let extra = "Connection: close\r\nContent-Type: text/x-test\r\n";
    let answer = read_all(send(&site.other_url("/echo?a=1"), "POST", extra, &body));
    assert!(answer.contains("POST /echo?a=1\n") && answer.ends_with(&format!("\n\n{body}")));
    raw::get(&site.url("/status/404"));

    let hits = site.hits();
    let lines: Vec<String> =
        hits.iter().map(|hit| format!("{} {} {}", hit.method, hit.host, hit.path)).collect();
    let port = site.port();
    assert_eq!(
        lines,
        [format!("POST localhost:{port} /echo?a=1"), format!("GET 127.0.0.1:{port} /status/404")]
    );
    assert_eq!(hits[0].body_text(), body[..65_536]);
    assert_eq!(hits[0].header("content-type"), Some("text/x-test"));
    assert_eq!(site.hits_of("/echo").len(), 1);
    assert_eq!(site.hits_of("/echo?a=1").len(), 1);
    assert_eq!(site.hits_of("/echo?a=2").len(), 0);
}

#[tokio::test]
async fn some_pages_never_come_or_never_end() {
    let site = Site::start().await;
    let mut endless = send(&site.url("/never-ends"), "GET", "", "");
    read_until(&mut endless, "The start");
    read_until(&mut endless, ".");

    let mut silent = send(&site.url("/no-answer"), "GET", "", "");
    silent.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    assert!(is_silent(&mut silent));
    assert_eq!(site.hits_of("/no-answer").len(), 1);

    let start = std::time::Instant::now();
    assert!(raw::get(&site.url("/slow?ms=150")).contains("After 150 ms"));
    assert!(start.elapsed() >= Duration::from_millis(150));
}

#[tokio::test]
async fn redirects_and_statuses() {
    let site = Site::start().await;
    let answer = raw::get(&site.url("/redirect?to=%2Fpages%2Fplain.html%3Fa%3Db"));
    assert!(answer.starts_with("HTTP/1.1 302") && answer.contains("location: /pages/plain.html?a=b\r\n"));
    for code in [204, 304, 404, 500, 503] {
        assert!(raw::get(&site.url(&format!("/status/{code}"))).starts_with(&format!("HTTP/1.1 {code} ")));
    }
    assert!(raw::get(&site.url("/status/100")).starts_with("HTTP/1.1 400"));
}

#[tokio::test]
async fn downloads_small_sized_and_endless() {
    let site = Site::start().await;
    let small = raw::get(&site.url("/download/report.txt"));
    assert!(small.contains("content-disposition: attachment; filename=\"report.txt\"\r\n"), "{small}");
    let hostile = raw::get(&site.url("/download/..%2F..%2Fevil"));
    assert!(hostile.contains("filename=\"../../evil\"\r\n"), "{hostile}");
    let sized = raw::get(&site.url("/download/a?bytes=100000"));
    assert!(sized.contains("content-length: 100000\r\n") && sized.ends_with(&"x".repeat(100_000)));
    let mut endless = send(&site.url("/download/a?endless=1"), "GET", "", "");
    read_until(&mut endless, &"x".repeat(10_000));
}

#[tokio::test]
async fn cookies_are_set_and_shown() {
    let site = Site::start().await;
    let set = raw::get(&site.url("/cookie/set?name=a&value=1"));
    assert!(set.contains("set-cookie: a=1; Path=/\r\n"));
    assert!(get_with(&site.url("/cookie/show"), "Cookie: a=1; b=2\r\n").ends_with("\r\n\r\na=1; b=2"));
}

#[tokio::test]
async fn dropping_a_site_ends_open_connections_and_leaves_nothing() {
    let site = Site::start().await;
    let (port, url) = (site.port(), site.url("/never-ends"));
    let mut open = send(&url, "GET", "", "");
    read_until(&mut open, "The start");
    let _unanswered = send(&site.url("/no-answer"), "GET", "", "");
    drop(site);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "the port still listens");
    let mut rest = Vec::new();
    let _ = std::io::Read::read_to_end(&mut open, &mut rest);
}

#[test]
fn sites_do_not_leak_descriptors_or_threads() {
    // Other tests of this process have their own: a leak of fifty sites stands out among them.
    for _ in 0..50 {
        let site = Site::builder().start_blocking();
        raw::get(&site.url("/pages/plain.html"));
    }
    let own = std::process::id();
    let threads = || std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    wait_until(LIMIT, "fewer descriptors than fifty leaked sites would hold", || fd_count(own) < 150);
    wait_until(LIMIT, "fewer threads than fifty leaked sites would hold", || threads() < 50);
}
