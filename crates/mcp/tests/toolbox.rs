//! The real `@playwright/mcp` with a real Chromium on the bundled streaming site.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::time::Duration;

use legwork_mcp::toolbox::{
    Limits, Outcome, Snapshot, Toolbox, ToolboxBrowser, ToolboxError, ToolboxOptions, Uploads, judge,
    offered, picture_of, snapshot_of,
};
use legwork_runtime::errands::{ForeignAct, ForeignBrowser as _, ForeignError, On};
use legwork_testkit::{
    Site, playwright_command, playwright_over_npx, sites::Bundled, wait_until, wait_until_async,
};
use serde_json::{Value, json};
use support::{Bench, LIMIT, arguments};

async fn connected(bench: &Bench, command: String) -> Toolbox {
    let command = format!("{command} --isolated");
    Toolbox::connect(&bench.options(command, Limits::default())).await.unwrap()
}

async fn done(toolbox: &Toolbox, tool: &str, with: Value) -> String {
    let answer = toolbox.call(tool, arguments(with)).await.unwrap();
    assert_eq!(answer.outcome, Outcome::Done, "{tool}: {}", answer.joined());
    answer.joined()
}

async fn look(toolbox: &Toolbox) -> Snapshot {
    snapshot_of(&toolbox.call("browser_snapshot", arguments(json!({}))).await.unwrap()).unwrap()
}

fn reference(look: &Snapshot, role: &str, name: &str) -> String {
    let mut found = look.elements.iter().filter(|element| element.role == role);
    let element = found.find(|element| element.name.untrusted() == name);
    element.unwrap_or_else(|| panic!("no {role} {name:?} in {}", look.content.untrusted())).reference.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_streaming_site_is_seen_and_clicked_through_over_somebody_else_s_browser() {
    let (bench, sites) = (Bench::new(), Bundled::start().unwrap());
    let mut toolbox = connected(&bench, playwright_command()).await;
    let tools = offered(toolbox.tools().await.unwrap(), Uploads::Refused);
    assert!(tools.iter().any(|tool| tool.name == "browser_click"));
    assert!(!tools.iter().any(|tool| tool.name.contains("evaluate") || tool.name.contains("code")));

    done(&toolbox, "browser_navigate", json!({"url": sites.stream_url("/login")})).await;
    let login = look(&toolbox).await;
    assert_eq!(login.url.untrusted(), sites.stream_url("/login"));
    assert!(!login.title.is_blank() && !login.cut);
    for (name, words) in [("E-mail address", "demo@example.test"), ("Password", "soft-glow-77")] {
        let typed = json!({"target": reference(&login, "textbox", name), "text": words});
        assert_eq!(judge(&tools, "browser_type", &arguments(typed.clone()), &login).unwrap().len(), 1);
        done(&toolbox, "browser_type", typed).await;
    }
    done(&toolbox, "browser_click", json!({"target": reference(&login, "button", "Log in")})).await;
    done(&toolbox, "browser_navigate", json!({"url": sites.stream_url("/account")})).await;
    let account = look(&toolbox).await;
    assert_eq!(account.url.untrusted(), sites.stream_url("/account"), "logged in");

    let away = toolbox.call("browser_click", arguments(json!({"target": "e9999"}))).await.unwrap();
    assert_eq!(away.outcome, Outcome::Failed, "{}", away.joined());
    assert!(judge(&tools, "browser_click", &arguments(json!({"target": "e9999"})), &login).is_err());

    done(&toolbox, "browser_navigate", json!({"url": sites.stream_url("/")})).await;
    let home = look(&toolbox).await;
    let help = reference(&home, "link", "Help");
    let click = arguments(json!({"target": help}));
    assert_eq!(judge(&tools, "browser_click", &click, &home).unwrap()[0].name, "Help".into());
    done(&toolbox, "browser_click", json!({"target": help})).await;
    assert_eq!(look(&toolbox).await.url.untrusted(), sites.stream_url("/help"));

    let shot = toolbox.call("browser_take_screenshot", arguments(json!({"scale": "css"}))).await.unwrap();
    let picture = picture_of(&shot, toolbox.folder()).unwrap();
    assert!(picture.media_type == "image/png" && picture.bytes.len() > 1_000);
    let file = json!({"scale": "css", "type": "jpeg", "filename": "shot.jpeg"});
    let shot = toolbox.call("browser_take_screenshot", arguments(file)).await.unwrap();
    assert!(shot.pictures.is_empty(), "a file is named");
    assert_eq!(picture_of(&shot, toolbox.folder()).unwrap().media_type, "image/jpeg");

    assert!(bench.living().iter().any(|line| line.contains("--type=renderer")), "{:#?}", bench.living());
    toolbox.close().await;
    bench.is_left();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_in_the_middle_is_lost_and_comes_back_once_with_its_profile() {
    let (bench, sites) = (Bench::new(), Bundled::start().unwrap());
    let options = ToolboxOptions {
        profile: Some(bench.folder().join("profile")),
        ..bench.options(playwright_command(), Limits::default())
    };
    let mut toolbox = Toolbox::connect(&options).await.unwrap();
    done(&toolbox, "browser_navigate", json!({"url": sites.stream_url("/help")})).await;
    for is_first in [true, false] {
        let group = toolbox.group().unwrap();
        let waits = toolbox.call("browser_wait_for", arguments(json!({"time": 20})));
        let kill = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let pid = group.to_string();
            assert!(std::process::Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
        };
        let (answer, ()) = tokio::join!(waits, kill);
        assert!(answer.as_ref().is_err_and(ToolboxError::is_loss), "{answer:?}");
        if !is_first {
            assert_eq!(toolbox.reconnect().await, Err(ToolboxError::NoMoreStarts));
            break;
        }
        toolbox.reconnect().await.unwrap();
        assert_eq!(look(&toolbox).await.url.untrusted(), "about:blank", "nothing was repeated");
        done(&toolbox, "browser_navigate", json!({"url": sites.stream_url("/help")})).await;
    }
    toolbox.close().await;
    bench.is_left();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_killed_below_its_server_is_lost_and_comes_back_with_another_server() {
    let (bench, site) = (Bench::new(), Site::builder().page("/", "<h1>Here</h1>").start_blocking());
    let mut browser = ToolboxBrowser::new(connected(&bench, playwright_command()).await);
    let group = browser.toolbox().group();
    browser.act(&ForeignAct::Go(site.url("/"))).await.unwrap();
    let slow = ForeignAct::Go(site.url("/no-answer"));
    let kill = async {
        wait_until_async(LIMIT, "the page was asked for", async || !site.hits_of("/no-answer").is_empty())
            .await;
        bench.kill(|line| !line.contains("cli.js"));
    };
    let (gone, ()) = tokio::join!(browser.act(&slow), kill);
    assert!(matches!(gone, Err(ForeignError::Lost(_))), "{gone:?}");
    assert!(browser.toolbox().is_up(), "the server lives");
    assert_eq!(browser.look().await.unwrap().url.untrusted(), "about:blank", "it says nothing of it");

    browser.restart().await.unwrap();
    assert_ne!(browser.toolbox().group(), group);
    browser.act(&ForeignAct::Go(site.url("/"))).await.unwrap();
    assert_eq!(browser.look().await.unwrap().url.untrusted(), site.url("/"));
    assert_eq!(site.hits_of("/no-answer").len(), 1, "nothing was repeated");
    browser.close().await;
    bench.is_left();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_that_opens_a_chooser_of_files_leaves_a_page_that_can_be_used() {
    let form = r#"<input type=file aria-label="Receipt"><button onclick="document.title = 'Sent'">Send</button>
        <input type=file multiple aria-label="Pictures">"#;
    let (bench, site) = (Bench::new(), Site::builder().page("/", form).start_blocking());
    let mut browser = ToolboxBrowser::new(connected(&bench, playwright_command()).await);
    browser.act(&ForeignAct::Go(site.url("/"))).await.unwrap();
    for name in ["Receipt", "Pictures", "Send"] {
        let page = browser.look().await.unwrap();
        assert_eq!(page.dialog, None, "{name}: {page:?}");
        assert!(!page.is_unread, "{name}: {page:?}");
        let (_, part) = page.controls().find(|(_, part)| part.name.untrusted() == name).unwrap();
        let reference = part.reference.clone().unwrap();
        browser.act(&ForeignAct::Click(On { reference, name: name.into() }, 1)).await.unwrap();
    }
    assert_eq!(browser.look().await.unwrap().title.untrusted(), "Sent");
    browser.close().await;
    bench.is_left();
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_one_that_npx_has_started_leaves_no_browser() {
    let (bench, sites) = (Bench::new(), Bundled::start().unwrap());
    let toolbox = connected(&bench, playwright_over_npx()).await;
    done(&toolbox, "browser_navigate", json!({"url": sites.stream_url("/")})).await;
    wait_until(LIMIT, "the browser runs", || bench.living().len() > 3);
    drop(toolbox);
    bench.is_left();
}
