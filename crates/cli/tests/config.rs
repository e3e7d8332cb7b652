//! `legwork.toml` from the outside: what is wrong with it stops the start, and what it denies is denied.

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use crate::support::{Legwork, mcp::Talk};
use legwork_testkit::{Site, TempHome};
use serde_json::json;

/// Writes the file where Legwork looks for it by itself.
fn usual(legwork: &Legwork, text: &str) -> PathBuf {
    let folder = legwork.settings().join("legwork");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.join("legwork.toml");
    fs::write(&file, text).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    file
}

#[test]
fn a_file_that_is_not_understood_stops_every_start() {
    let legwork = Legwork::new();
    let file = usual(&legwork, "[hosts]\nalow = [\"shop.example\"]\n");
    let shown = file.display().to_string();
    for line in [
        &["mcp"][..],
        &["mcp", "--allow-host", "shop.example"],
        &["observe", "https://shop.example"],
        &["screenshot", "https://shop.example", "-o", "/dev/null"],
        &["smoke"],
        &["demo", "--out", "/dev/null/nowhere"],
        &["config", "check"],
        &["config", "show"],
    ] {
        let ran = legwork.run(line);
        ran.refused("CONFIG_INVALID", 2);
        assert!(ran.stderr.contains(&format!("{shown}, line 2: hosts.alow is not known")), "{ran:?}");
        assert!(ran.stderr.contains("did you mean allow?"), "{ran:?}");
    }
    let json = legwork.run(&["config", "check", "--json"]);
    assert_eq!((&json.json()["error"]["code"], json.code), (&"CONFIG_INVALID".into(), Some(2)));

    // Each of these would be "no rules" to a careless reader.
    usual(&legwork, "");
    let named = |name: &str| ["mcp", "--config", name].map(str::to_owned);
    legwork.run(&named("/nowhere/legwork.toml")).refused("CONFIG_INVALID", 2);
    legwork.run(&named(legwork.settings().to_str().unwrap())).refused("CONFIG_INVALID", 2);
    let by_variable = |value: &str| {
        crate::support::ran(legwork.command(&["mcp"]).env("LEGWORK_CONFIG", value).current_dir("/"))
    };
    by_variable("/nowhere/legwork.toml").refused("CONFIG_INVALID", 2);
    by_variable("").refused("CONFIG_INVALID", 2);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let ran = legwork.run(&["mcp"]);
    ran.refused("CONFIG_INVALID", 2);
    assert!(ran.stderr.contains("others may write in it") && ran.stderr.contains("chmod go-w"), "{ran:?}");

    // The same line without the slip, and without the file, is served: its input ends at once.
    for (text, line) in
        [("[hosts]\nallow = [\"shop.example\"]\n", &["mcp"][..]), ("x", &["mcp", "--no-config"])]
    {
        usual(&legwork, text);
        let ran = legwork.run(line);
        assert_eq!((ran.code, ran.text().as_str()), (Some(0), ""), "{ran:?}");
    }
    legwork.assert_no_start();
}

#[test]
fn a_file_of_the_current_folder_means_nothing() {
    let (legwork, folder) = (Legwork::new(), TempHome::new());
    fs::write(folder.path().join("legwork.toml"), "mode = \"live\"\n").unwrap();
    let shown =
        crate::support::ran(legwork.command(&["config", "show", "--json"]).current_dir(folder.path())).json();
    assert_eq!((&shown["mode"], &shown["file"]), (&"dry-run".into(), &serde_json::Value::Null), "{shown}");
    let line = ["config", "show", "--json", "--config", "legwork.toml"];
    let shown = crate::support::ran(legwork.command(&line).current_dir(folder.path())).json();
    assert_eq!((&shown["mode"], &shown["file"]), (&"live".into(), &"legwork.toml".into()), "{shown}");
}

#[test]
fn an_example_that_comes_out_otherwise_stops_the_start() {
    let legwork = Legwork::new();
    let text = |expect: &str| {
        format!(
            "[hosts]\nallow = [\"*.cdn.example\"]\ndeny = [\"ads.cdn.example\"]\n\
             [[hosts.example]]\nurl = \"https://ads.cdn.example/x.js\"\nexpect = \"{expect}\"\n"
        )
    };
    let file = usual(&legwork, &text("allowed"));
    for line in [&["mcp"][..], &["config", "check"]] {
        let ran = legwork.run(line);
        ran.refused("CONFIG_INVALID", 2);
        for words in
            ["line 5: hosts.example number 1", "expected allowed, came out denied: a rule forbids it"]
        {
            assert!(ran.stderr.contains(words), "{ran:?}");
        }
    }
    usual(&legwork, &text("denied"));
    let ran = legwork.run(&["config", "check"]);
    let expected = format!("{} can be used: its example comes out as written.\n", file.display());
    assert_eq!((ran.code, ran.text()), (Some(0), expected));
    assert_eq!(legwork.run(&["mcp"]).code, Some(0));
    // What an example says is denied can't be allowed in passing.
    usual(&legwork, &text("denied").replace("deny =", "#").replace("https://ads.cdn", "https://shop"));
    assert_eq!(legwork.run(&["mcp"]).code, Some(0));
    legwork.run(&["mcp", "--allow-host", "shop.example"]).refused("CONFIG_INVALID", 2);
    usual(&legwork, "[hosts]\nallow = [\"*.co.uk\"]\n");
    let ran = legwork.run(&["config", "check", "--json"]);
    assert!(ran.json()["warnings"][0].as_str().unwrap().contains("very broad"), "{ran:?}");
    legwork.assert_no_start();
}

#[test]
fn what_holds_is_shown_without_secrets() {
    let legwork = Legwork::new();
    let example = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/legwork.toml");
    let file = usual(&legwork, &fs::read_to_string(example).unwrap());
    let line = ["config", "show", "--json", "--live", "--deny-host", "img.coffee.example"];
    let shown = crate::support::ran(legwork.command(&line).env("COFFEE_PASSWORD", "hunter22")).json();
    assert_eq!((&shown["file"], &shown["mode"]), (&file.to_str().unwrap().into(), &"live".into()), "{shown}");
    assert_eq!(shown["deny"], json!(["img.coffee.example", "ads.coffee.example"]));
    assert_eq!(shown["secrets"][0], json!({ "name": "code", "origins": ["https://coffee.example"] }));
    assert_eq!((&shown["confirm"], &shown["approvalLife"]), (&"human".into(), &3600.into()));
    assert_eq!((&shown["idle"], &shown["maxSessions"]), (&900.into(), &8.into()));
    let text = legwork.run(&["config", "show"]).text();
    for line in ["mode: dry-run\n", "deny: ads.coffee.example\n", "uploads: /tmp\n"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!format!("{shown}{text}").contains("hunter22") && !text.contains("COFFEE_PASSWORD"), "{text}");
}

#[test]
fn the_doctor_tells_of_a_broken_file_and_goes_on() {
    let legwork = Legwork::new();
    let rules = |line: &[&str]| {
        let ran = legwork.run(line);
        (ran.json()["checks"][0].clone(), ran.code)
    };
    let line = ["doctor", "--json", "--browser", "/nonexistent"];
    let file = usual(&legwork, "mode = \"dryrun\"\n");
    let (check, code) = rules(&line);
    assert_eq!((&check["name"], &check["status"], code), (&"rules".into(), &"fail".into(), Some(1)));
    assert!(check["finding"].as_str().unwrap().contains("line 1: mode"), "{check}");
    assert_eq!(check["mend"], "did you mean dry-run?");
    usual(&legwork, "mode = \"dry-run\"\n");
    let (check, _) = rules(&line);
    assert_eq!(
        (&check["status"], &check["finding"]),
        (&"ok".into(), &file.to_str().unwrap().into()),
        "{check}"
    );
}

#[test]
fn what_the_file_denies_is_denied_to_calls_and_to_pages_and_the_rest_is_reached() {
    let site = Site::builder();
    let page = "<!doctype html><title>Here</title><img src=/own.png><script>\
        const other = location.origin.replace('127.0.0.1', 'localhost');\
        fetch(other + '/away', { mode: 'no-cors' }).catch(() => {}).then(() => fetch('/after'));</script>";
    let site = site.page("/", page).start_blocking();
    let legwork = Legwork::new();
    usual(&legwork, "[hosts]\ndeny = [\"localhost\"]\n");
    // An option that allows it does not lose the denial.
    let places = [format!("localhost:{}", site.port()), format!("127.0.0.1:{}", site.port())];
    let mut talk = Talk::greeted(&legwork, &["--allow-host", &places[0], "--allow-host", &places[1]]);
    let text = talk.refused("browser_open", json!({ "url": site.other_url("/") }), "NAVIGATION_BLOCKED");
    assert!(text.contains("denied-by-rule"), "{text}");
    let text = talk.told("browser_open", json!({ "url": site.url("/") }));
    assert!(text.contains("page \"Here\""), "{text}");
    legwork_testkit::wait_until(crate::support::LONG, "the page has tried", || {
        !site.hits_of("/after").is_empty()
    });
    assert!(!site.hits_of("/own.png").is_empty() && site.hits_of("/away").is_empty(), "{:?}", site.hits());
    assert_eq!(site.hits_of("/").len(), 1, "the denied page was asked for");
    assert_eq!(talk.end(), 0);

    // Its twin: the same without the denial.
    usual(&legwork, "[hosts]\ndeny = [\"elsewhere.example\"]\n");
    let mut talk = Talk::greeted(&legwork, &["--allow-host", &places[0], "--allow-host", &places[1]]);
    let text = talk.told("browser_open", json!({ "url": site.other_url("/") }));
    assert!(text.contains("page \"Here\""), "{text}");
    assert_eq!((site.hits_of("/").len(), talk.end()), (2, 0));
    legwork.assert_clean();
}

/// Lists of what is denied are joined, wherever they come from: no option loses what a variable says.
#[test]
fn what_the_environment_denies_stays_denied_beside_an_option() {
    let legwork = Legwork::new();
    let show = |value: &str| {
        let line = ["config", "show", "--json", "--deny-host", "ads.example"];
        crate::support::ran(legwork.command(&line).env("LEGWORK_DENY_HOST", value))
    };
    let shown = show("evil.example, *.bad.example").json();
    let deny: Vec<&str> =
        shown["deny"].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap()).collect();
    assert_eq!(deny, ["ads.example", "evil.example", "*.bad.example"], "{shown}");
    let refused = show("http://");
    assert_eq!(refused.json()["error"]["code"], "USAGE", "{refused:?}");
}

/// A proxy of the operator's network: everything goes through it, and it is asked for addresses that were checked, never for names.
#[tokio::test]
async fn everything_goes_through_the_proxy_of_the_operator() {
    let site = Site::builder().page("/", "<h1>Behind the proxy</h1>").start().await;
    let upstream = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = upstream.local_addr().unwrap().to_string();
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = asked.clone();
    let serving = tokio::spawn(async move {
        while let Ok((browser, _)) = upstream.accept().await {
            let heard = heard.clone();
            tokio::spawn(async move { drop(pass_on(browser, &heard).await) });
        }
    });
    let legwork = Legwork::new();
    let line = ["observe", &site.url("/"), "--upstream-proxy", &proxy];
    let mut command = legwork.command(&line);
    let ran = tokio::task::spawn_blocking(move || crate::support::ran(&mut command)).await.unwrap();
    assert!(ran.text().contains("Behind the proxy"), "{ran:?}");
    serving.abort();
    let asked = asked.lock().unwrap().clone();
    let place = format!("CONNECT 127.0.0.1:{} HTTP/1.1", site.port());
    assert!(!asked.is_empty() && asked.iter().all(|one| *one == place), "{asked:?}");
}

async fn pass_on(
    mut browser: tokio::net::TcpStream,
    heard: &std::sync::Mutex<Vec<String>>,
) -> std::io::Result<()> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(browser.read_u8().await?);
    }
    let first = String::from_utf8_lossy(&head).lines().next().unwrap_or_default().to_owned();
    let place = first.split(' ').nth(1).unwrap_or_default().to_owned();
    heard.lock().unwrap().push(first);
    let mut server = tokio::net::TcpStream::connect(place).await?;
    browser.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
    tokio::io::copy_bidirectional(&mut browser, &mut server).await.map(drop)
}
