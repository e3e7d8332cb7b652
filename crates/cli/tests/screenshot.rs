//! `legwork screenshot` from the outside: pictures, refusals, endpoints.

use std::{
    fs,
    time::{Duration, Instant},
};

use crate::support::Legwork;
use legwork_testkit::{CdpStub, Site, SomebodysBrowser, TempHome, jpeg_size};

fn site() -> Site {
    Site::builder()
        .page(
            "/hostile-title",
            "<!doctype html><meta charset=utf-8><title>\u{1b}[31mred\u{9b}2J\u{202e}gpj</title>",
        )
        .start_blocking()
}

#[test]
fn a_picture_of_the_viewport_is_saved_and_described() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let url = site.url("/pages/plain.html");
    let ran = legwork.run(&["screenshot", &url, "-o", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let picture = fs::read(&file).unwrap();
    assert_eq!(jpeg_size(&picture), (1280, 720));
    let line = ran.text();
    let kilobytes = picture.len().div_ceil(1000);
    assert_eq!(line, format!("saved {} (1280×720, {kilobytes} KB) Plain page — {url}\n", file.display()));
    let warnings = ran.stderr.lines().filter(|line| line.starts_with("warning: ")).count();
    assert!(warnings <= 1 && !ran.stderr.contains('\u{1b}') && !line.contains('\u{1b}'), "{ran:?}");
    assert_eq!(out.entries(), [file]);
    legwork.assert_clean();
}

#[test]
fn root_is_warned_of_the_missing_sandbox_once() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let ran = legwork.run(&["screenshot", &site.url("/pages/plain.html"), "-o", file.to_str().unwrap()]);
    let root = rustix::process::geteuid().is_root();
    let expected = if root { "warning: the browser's sandbox is off (running as root)\n" } else { "" };
    assert_eq!(ran.stderr, expected);
}

#[test]
fn the_picture_can_go_to_standard_output() {
    let (site, legwork) = (site(), Legwork::new());
    let ran = legwork.run(&["screenshot", &site.url("/pages/plain.html"), "-o", "-"]);
    assert_eq!(jpeg_size(&ran.stdout), (1280, 720));
    assert!(ran.stderr.contains("saved to standard output (1280×720, "), "{}", ran.stderr);
}

#[test]
fn programs_get_json_and_the_last_address_after_redirects() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let url = site.url("/redirect?to=/pages/plain.html");
    let ran = legwork.run(&["screenshot", &url, "-o", file.to_str().unwrap(), "--json"]);
    let json = ran.json();
    assert_eq!(json["landing"]["url"], site.url("/pages/plain.html"));
    assert_eq!((&json["landing"]["title"], &json["landing"]["status"]), (&"Plain page".into(), &200.into()));
    assert_eq!((&json["width"], &json["height"]), (&1280.into(), &720.into()));
    assert_eq!(json["bytes"], fs::metadata(&file).unwrap().len());
    assert_eq!(ran.code, Some(0));
}

#[test]
fn an_error_page_is_saved_with_a_warning() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let url = site.url("/status/404");
    let ran = legwork.run(&["screenshot", &url, "-o", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stderr.contains(&format!("warning: the server answered HTTP 404 for {url}")),
        "{}",
        ran.stderr
    );
    assert!(file.exists());
}

#[test]
fn what_a_page_writes_cannot_command_the_terminal() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let url = site.url("/hostile-title");
    for form in [&["--color", "always"][..], &["--json"]] {
        let mut args = vec!["screenshot", &url, "-o", file.to_str().unwrap()];
        args.extend(form);
        let ran = legwork.run(&args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(ran.text().contains("red") && !ran.text().chars().any(bad), "{:?}", ran.text());
    }
}

#[test]
fn addresses_that_are_not_opened_start_no_browser() {
    let (legwork, out) = (Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    for (url, code, exit) in [
        ("file:///etc/passwd", "NAVIGATION_BLOCKED", 1),
        ("chrome://version", "NAVIGATION_BLOCKED", 1),
        ("devtools://devtools/bundled/inspector.html", "NAVIGATION_BLOCKED", 1),
        ("view-source:http://127.0.0.1/", "NAVIGATION_BLOCKED", 1),
        ("data:text/html,hello", "NAVIGATION_BLOCKED", 1),
        ("javascript:alert(1)", "NAVIGATION_BLOCKED", 1),
        ("example.com", "INVALID_URL", 2),
        ("http://", "INVALID_URL", 2),
        ("http:/\\a", "INVALID_URL", 2),
        ("", "INVALID_URL", 2),
    ] {
        legwork.run(&["screenshot", url, "-o", file.to_str().unwrap()]).refused(code, exit);
        let ran = legwork.run(&["screenshot", url, "-o", file.to_str().unwrap(), "--json"]);
        assert_eq!((&ran.json()["error"]["code"], ran.code), (&code.into(), Some(exit)), "{url}");
        assert_eq!(ran.stderr, "");
    }
    legwork.assert_no_start();
    assert!(!file.exists());
}

#[test]
fn an_address_that_nobody_serves_fails_with_its_cause() {
    let (legwork, out) = (Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let nobody = CdpStub::refusing();
    let url = format!("http://127.0.0.1:{}/", nobody.port());
    let granted = format!("127.0.0.1:{}", nobody.port());
    let line = ["screenshot", &url, "-o", file.to_str().unwrap(), "--allow-private", &granted];
    let ran = legwork.run(&line);
    ran.refused("NAVIGATION_FAILED", 1);
    let expected = format!(
        "error[NAVIGATION_FAILED]: {url} could not be opened\n  cause: net::ERR_CONNECTION_REFUSED\n  \
         next:  check the port and that the server is running\n"
    );
    assert!(ran.stderr.ends_with(&expected), "{}", ran.stderr);
    let error = legwork.run(&[&line[..], &["--json"]].concat()).json();
    assert_eq!(error["error"]["cause"], "net::ERR_CONNECTION_REFUSED");
    assert_eq!(error["error"]["retryable"], true);

    let url = "http://no-such-host.invalid/";
    legwork.run(&["screenshot", url, "-o", file.to_str().unwrap()]).refused("NAVIGATION_FAILED", 1);
    assert!(out.entries().is_empty());
    legwork.assert_clean();
}

#[test]
fn a_page_that_never_answers_is_given_up() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let url = site.url("/no-answer");
    let ran = legwork.run(&["screenshot", &url, "-o", file.to_str().unwrap(), "--timeout", "1"]);
    ran.refused("TIMEOUT", 1);
    legwork.assert_clean();
}

#[test]
fn a_missing_browser_is_named_with_a_way_out() {
    let legwork = Legwork::new();
    for by in ["variable", "option"] {
        let mut command = legwork.command(&["screenshot", "http://example.com/", "-o", "/dev/null"]);
        match by {
            "variable" => command.env("LEGWORK_BROWSER", "/nonexistent"),
            _ => command.args(["--browser", "/nonexistent"]),
        };
        let ran = crate::support::ran(&mut command);
        ran.refused("BROWSER_NOT_FOUND", 3);
        assert!(ran.stderr.contains("  next:  name an existing, executable browser"), "{}", ran.stderr);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_a_browser_starts() {
    let (legwork, out) = (Legwork::new(), TempHome::new());
    for file in [out.path().join("no/such/page.jpg"), out.path().to_owned()] {
        legwork
            .run(&["screenshot", "http://127.0.0.1/", "-o", file.to_str().unwrap()])
            .refused("OUTPUT_FAILED", 1);
    }
    legwork.run(&["screenshot", "http://127.0.0.1/", "-o", "-", "--json"]).json();
    legwork.assert_no_start();
}

#[test]
fn wrong_options_are_refused_before_a_browser_starts() {
    let legwork = Legwork::new();
    let check = |more: &[&str], words: &str| {
        let args = [&["screenshot", "http://127.0.0.1/", "-o", "/dev/null"], more].concat();
        let ran = legwork.run(&args);
        ran.refused("USAGE", 2);
        assert!(ran.stderr.contains(words), "{more:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("secret"), "{more:?}: {}", ran.stderr);
        let json = legwork.run(&[&args[..], &["--json"]].concat()).json();
        assert_eq!(json["error"]["code"], "USAGE", "{more:?}");
    };
    check(&["--allow-private", "localhost"], "the port is missing");
    check(&["--allow-private", "http://localhost:80"], "is not a host");
    check(&["--allow-private", "*.test:80"], "is not a host");
    check(&["--timeout", "0"], "1..=3600");
    check(&["--viewport", "640x480"], "from 800x600 to 1920x1080");
    check(&["--viewport", "1024"], "WIDTHxHEIGHT");
    check(&["--log", "loud"], "the log filter can't be read");
    check(&["--color", "sometimes"], "auto");
    check(&["--cdp-endpoint", "https://secret:1"], "over TLS");
    check(&["--cdp-endpoint", "secret"], "must begin with http://");
    for one in [&["--headed"][..], &["--no-sandbox"], &["--profile", "/x"], &["--browser", "/x"]] {
        check(&[&["--cdp-endpoint", "http://127.0.0.1:9"], one].concat(), "cannot be used with");
    }
    for seconds in ["0", "31", "x"] {
        let words = ["--cdp-endpoint", "http://127.0.0.1:9", "--endpoint-timeout", seconds];
        check(&words, if seconds == "x" { "invalid digit" } else { "1..=30" });
    }
    check(&["--endpoint-timeout", "7"], "--cdp-endpoint");
    check(&["--nonsense"], "--nonsense");
    legwork.assert_no_start();
}

#[test]
fn the_next_endpoint_is_used_where_one_refuses_or_wants_another_token() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let (refusing, expired, chromium) =
        (CdpStub::refusing(), CdpStub::status(401), SomebodysBrowser::start());
    let url = site.url("/pages/plain.html");
    let (first, last) = (format!("{}/?token=secret", refusing.http_url()), chromium.http_url());
    let second = format!("{}/?token=secret", expired.http_url());
    let endpoints = [&first, &second, &last].map(|endpoint| ["--cdp-endpoint", endpoint]).concat();
    let endpoints = [&endpoints[..], &["--log", "info"]].concat();
    let args = [&["screenshot", &url, "-o", file.to_str().unwrap()][..], &endpoints].concat();
    let ran = legwork.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(jpeg_size(&fs::read(&file).unwrap()), (1280, 720));
    assert!(ran.stderr.contains("cdp:endpoint_cycle attempt=1 total=3"), "{}", ran.stderr);
    assert!(ran.stderr.contains("cdp:endpoint_connected endpoint_index=3 total=3"), "{}", ran.stderr);
    // What somebody has to change is told to them, what may pass is not.
    let wrong = "endpoint 2 of 3 can't be used, the next one is tried: it answered HTTP 401";
    assert!(ran.stderr.contains(wrong) && !ran.stderr.contains("endpoint 1 of 3"), "{}", ran.stderr);
    let degraded = "can't vouch for it: no secret is typed in it";
    assert!(ran.stderr.contains(degraded), "{}", ran.stderr);
    let rest = ran.stderr.replace(degraded, "");
    assert!(!rest.contains("secret") && !rest.contains("sandbox is off"), "{}", ran.stderr);

    let args = ["screenshot", &url, "-o", file.to_str().unwrap(), "--cdp-endpoint", &first];
    legwork.run(&args).refused("ENDPOINTS_EXHAUSTED", 3);
    legwork.assert_clean();
}

#[test]
fn an_endpoint_that_is_silent_is_given_up_on_when_somebody_says() {
    let (legwork, out) = (Legwork::new(), TempHome::new());
    let file = out.path().join("page.jpg");
    let silent: Vec<CdpStub> = (0..4).map(|_| CdpStub::hanging()).collect();
    let endpoints = silent.iter().flat_map(|stub| ["--cdp-endpoint".to_owned(), stub.http_url()]);
    let endpoints: Vec<String> = endpoints.collect();
    let mut args = vec!["screenshot", "http://a.example/", "-o", file.to_str().unwrap()];
    args.extend(endpoints.iter().map(String::as_str));
    args.extend(["--endpoint-timeout", "1"]);
    let begun = Instant::now();
    legwork.run(&args).refused("ENDPOINTS_EXHAUSTED", 3);
    // All of them were tried, and all together took less than the usual five seconds for each.
    assert!(silent.iter().all(|stub| stub.connections() > 0));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    legwork.assert_clean();
}

#[test]
fn pages_are_as_large_as_somebody_says() {
    let (site, legwork, out) = (site(), Legwork::new(), TempHome::new());
    let (file, chromium) = (out.path().join("page.jpg"), SomebodysBrowser::start());
    let (url, endpoint) = (site.url("/pages/plain.html"), chromium.http_url());
    for more in [&[][..], &["--cdp-endpoint", &endpoint]] {
        let args = ["screenshot", &url, "-o", file.to_str().unwrap(), "--viewport", "1024x768", "--json"];
        let ran = legwork.run(&[&args[..], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(jpeg_size(&fs::read(&file).unwrap()), (1024, 768), "{more:?}");
        assert_eq!((&ran.json()["width"], &ran.json()["height"]), (&1024.into(), &768.into()), "{more:?}");
    }
    legwork.assert_clean();
}
