//! `legwork` at addresses that hold no web page, or not all of one: what it is and what to do next is told.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use crate::support::{Legwork, Ran};
use legwork_testkit::{
    CdpStub, Site, SomebodysBrowser, TempHome,
    axum::{
        http::{StatusCode, header::CONTENT_TYPE},
        response::Html,
        routing::get,
    },
};

/// A browser that is started once and goes to many addresses.
struct Stand {
    legwork: Legwork,
    browser: SomebodysBrowser,
}

impl Stand {
    fn new() -> Self {
        Self { legwork: Legwork::new(), browser: SomebodysBrowser::start() }
    }

    fn run(&self, command: &str, url: &str, more: &[&str]) -> Ran {
        let endpoint = self.browser.http_url();
        self.legwork.run(&[&[command, url, "--cdp-endpoint", &endpoint], more].concat())
    }

    #[track_caller]
    fn observe(&self, url: &str, more: &[&str]) -> Ran {
        let ran = self.run("observe", url, more);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }
}

/// A page of which the head promises more than there is.
const PROMISING: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100000\r\n\r\n\
                         <!doctype html><title>Half</title><p>Arrived</p><a href='/on'>Go on</a>\n";

/// Answers every request with these bytes and then does what `next` does with the connection.
fn serve(bytes: &'static str, next: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            // A connection that the browser opens in advance asks for nothing.
            if stream.read(&mut request).is_ok_and(|read| read > 0) {
                let _ = stream.write_all(bytes.as_bytes());
                next(stream);
            }
        }
    });
    format!("http://{address}/half")
}

#[test]
fn what_is_no_web_page_is_named_by_its_kind_with_a_next_step() {
    let kinds: &[(&str, &str, &[u8])] = &[
        ("/paper.pdf", "application/pdf", b"%PDF-1.4\n%%EOF"),
        ("/dot.png", "image/png", include_bytes!("pages/dot.png")),
        ("/data.json", "application/json", br#"{"greeting":"hello"}"#),
        ("/notes.txt", "text/plain", b"some plain words"),
    ];
    let mut site = Site::builder().page("/page", "<title>Page</title><p>words");
    for &(path, kind, bytes) in kinds {
        site = site.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], bytes) }));
    }
    let (site, stand) = (site.start_blocking(), Stand::new());
    for (path, kind, next) in [
        ("/paper.pdf", "application/pdf", "it can't be shown here: download it"),
        ("/dot.png", "image/png", "`legwork screenshot` saves what it shows"),
        ("/data.json", "application/json", "--text gives more of its text"),
        ("/notes.txt", "text/plain", "--text gives more of its text"),
    ] {
        let url = site.url(path);
        let warning = format!("warning: {url} is {kind}, not a web page; {next}");
        let ran = stand.observe(&url, &[]);
        assert!(ran.stderr.contains(&warning), "{ran:?}");
        assert!(ran.text().contains(&format!("\nnotice \"not a web page: {kind}\"\n")), "{ran:?}");
        let ran = stand.observe(&url, &["--json", "--text"]);
        assert!(ran.stderr.contains(&warning), "{ran:?}");
        let banner = &ran.json()["page"]["banners"][0];
        assert_eq!(
            (&banner["severity"], &banner["text"]),
            (&"info".into(), &format!("not a web page: {kind}").into())
        );
    }
    let words = |path: &str| stand.observe(&site.url(path), &["--text"]).text();
    assert!(words("/data.json").contains("hello") && words("/notes.txt").contains("some plain words"));

    let ran = stand.observe(&site.url("/page"), &[]);
    assert!(!ran.stderr.contains("not a web page") && !ran.text().contains("notice"), "{ran:?}");

    let out = TempHome::new();
    let file = out.path().join("page.jpg");
    let picture =
        |path: &str| stand.run("screenshot", &site.url(path), &["-o", file.to_str().unwrap(), "--json"]);
    let ran = picture("/dot.png");
    assert!(!ran.stderr.contains("not a web page"), "{ran:?}");
    assert_eq!(ran.json()["landing"]["contentType"], "image/png");
    assert!(picture("/paper.pdf").stderr.contains("is application/pdf, not a web page"));
}

#[test]
fn an_error_without_a_body_is_told_by_its_status() {
    let (stand, out) = (Stand::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    for (status, next) in
        [(500, "the server failed"), (401, "log in first"), (404, "check the path of the address")]
    {
        let server = CdpStub::status(status);
        let url = format!("{}/there", server.http_url());
        let warning =
            format!("warning: the server answered HTTP {status} for {url} with an empty body; {next}");
        let ran = stand.observe(&url, &[]);
        assert!(ran.stderr.contains(&warning), "{ran:?}");
        let text = ran.text();
        assert!(text.contains(&format!("page \"\" \"{url}\"\nerror \"HTTP {status} with an empty body\"\n")));
        assert!(text.contains("\nno controls to list\n"), "{text}");
        let ran = stand.observe(&url, &["--json"]);
        let page = &ran.json()["page"];
        assert_eq!((&page["url"], &page["finalUrl"]), (&url.as_str().into(), &url.as_str().into()));
        assert_eq!(page["banners"][0]["severity"], "error", "{page}");
        assert!(ran.stderr.contains(&warning), "{ran:?}");

        let ran = stand.run("screenshot", &url, &["-o", file.to_str().unwrap(), "--json"]);
        let landing = &ran.json()["landing"];
        assert_eq!((&landing["url"], &landing["status"]), (&url.as_str().into(), &status.into()));
        assert_eq!((&landing["body"], ran.code), (&"empty".into(), Some(0)), "{landing}");
        assert!(ran.stderr.contains(&warning), "{ran:?}");
    }
}

#[test]
fn the_status_is_told_also_where_a_question_of_the_page_came_first() {
    let asking = "<!doctype html><title>Gone</title><script>confirm('Really?')</script><p>Not here";
    let missing = get(move || async move { (StatusCode::NOT_FOUND, Html(asking)) });
    let (site, stand) = (Site::builder().route("/gone", missing).start_blocking(), Stand::new());
    let ran = stand.observe(&site.url("/gone"), &[]);
    let warning = format!("warning: the server answered HTTP 404 for {}; ", site.url("/gone"));
    assert!(ran.stderr.contains(&warning), "{ran:?}");
    assert!(ran.stderr.contains("it was dismissed") && ran.text().contains("Not here"), "{ran:?}");
}

#[test]
fn a_page_that_does_not_end_is_observed_as_far_as_it_came() {
    let stand = Stand::new();
    let held = std::sync::Mutex::new(Vec::new());
    let url = serve(PROMISING, move |stream| held.lock().unwrap().push(stream));
    let ran = stand.observe(&url, &["--timeout", "6"]);
    let text = ran.text();
    assert!(
        text.contains(&format!("page \"Half\" \"{url}\"\nloading\n\"Arrived\"\n1 link \"Go on\"")),
        "{text}"
    );
    assert!(ran.stderr.contains(&format!("warning: {url} was still loading; ")), "{ran:?}");
    let ran = stand.observe(&url, &["--timeout", "6", "--json"]);
    assert_eq!(ran.json()["page"]["loadState"], "loading");

    // Of an answer that is cut short the browser may drop what it has not read by then.
    let url = serve(PROMISING, drop);
    let ran = stand.observe(&url, &[]);
    assert!(ran.stderr.contains(&format!("warning: {url} broke off before its end; ")), "{ran:?}");
}

#[test]
fn a_server_that_hangs_up_or_is_silent_is_named_by_the_address_that_was_asked_for() {
    let stand = Stand::new();
    // When exactly a server hangs up, and so what the network calls it, is a matter of luck.
    for (server, told) in [
        (CdpStub::reset(), "next:  the server hung up"),
        (CdpStub::refusing(), "net::ERR_CONNECTION_REFUSED"),
    ] {
        let url = format!("{}/there", server.http_url());
        let ran = stand.run("observe", &url, &[]);
        ran.refused("NAVIGATION_FAILED", 1);
        assert!(ran.stderr.contains(&format!("{url} could not be opened\n  cause: net::ERR_")), "{ran:?}");
        assert!(ran.stderr.contains(told), "{ran:?}");
    }
    let silent = CdpStub::hanging();
    let url = format!("{}/there", silent.http_url());
    let ran = stand.run("observe", &url, &["--timeout", "2"]);
    ran.refused("TIMEOUT", 1);
    assert!(ran.stderr.contains(&format!("the answer of the server took too long at {url}\n")), "{ran:?}");
}
