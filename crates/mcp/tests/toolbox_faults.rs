//! A server that is wrong in every way that we could think of: each has its own error, nothing hangs, nothing stays.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use legwork_mcp::toolbox::{
    Limits, Outcome, SnapshotError, Toolbox, ToolboxError, Uploads, offered, snapshot_of,
};
use legwork_testkit::wait_until;
use legwork_types::Code;
use serde_json::{Value, json};
use support::{Bench, LIMIT, arguments, fake_command, living_in};

/// What tests can wait for, on a machine that does much else.
fn limits() -> Limits {
    let limit = Duration::from_secs(10);
    Limits { first_start: limit, start: limit, list: limit, call: limit, farewell: Duration::from_secs(1) }
}

fn soon() -> Limits {
    let limit = Duration::from_secs(1);
    Limits { list: limit, call: limit, ..limits() }
}

async fn text(toolbox: &Toolbox, tool: &str) -> (Outcome, String) {
    let answer = toolbox.call(tool, arguments(json!({}))).await.unwrap();
    (answer.outcome, answer.joined())
}

#[tokio::test]
async fn a_tool_is_called_and_its_failure_is_an_answer() {
    let bench = Bench::new();
    let mut toolbox = bench.fake("none", limits()).await.unwrap();
    assert!(toolbox.is_up());
    let answer = toolbox.call("echo", arguments(json!({"a": [1, "é\n"]}))).await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer.joined()).unwrap(), json!({"a": [1, "é\n"]}));
    assert_eq!(text(&toolbox, "fail").await, (Outcome::Failed, "the button is covered".into()));
    assert_eq!(text(&toolbox, "refuse").await, (Outcome::Failed, "no such button".into()));
    let look = toolbox.call("snapshot_object", arguments(json!({}))).await.unwrap();
    assert_eq!(snapshot_of(&look).unwrap().title, "A".into());
    let look = toolbox.call("snapshot_wrong", arguments(json!({}))).await.unwrap();
    let wrong = snapshot_of(&look).unwrap_err();
    assert!(
        matches!(&wrong, SnapshotError::Fields { available, .. } if available == "address, title"),
        "{wrong}"
    );

    toolbox.close().await;
    assert_eq!(toolbox.call("echo", arguments(json!({}))).await, Err(ToolboxError::Closed));
    assert_eq!(toolbox.tools().await, Err(ToolboxError::Closed));
    assert_eq!(toolbox.reconnect().await, Err(ToolboxError::Closed));
    assert!(!toolbox.is_up() && toolbox.group().is_none());
    bench.is_left();
}

#[tokio::test]
async fn the_list_of_tools_is_kept_until_the_server_is_another() {
    let bench = Bench::new();
    let mut toolbox = bench.fake("none", limits()).await.unwrap();
    let first = toolbox.tools().await.unwrap().to_vec();
    assert_eq!(first.len(), 4, "the strange name is left out: {first:?}");
    assert!(first.iter().all(|tool| tool.description.len() == 2_000));
    assert_eq!(offered(&first, Uploads::Allowed).len(), 2);
    assert_eq!(toolbox.tools().await.unwrap(), first);
    toolbox.reconnect().await.unwrap();
    assert_ne!(toolbox.tools().await.unwrap(), first, "it names its process");
    toolbox.close().await;
}

#[tokio::test]
async fn a_lost_server_is_started_anew_once_and_the_call_is_not_repeated() {
    let bench = Bench::new();
    let mut toolbox = bench.fake("none", limits()).await.unwrap();
    let lost = toolbox.call("die", arguments(json!({}))).await.unwrap_err();
    assert!(lost.is_loss(), "{lost:?}");
    let problem = lost.problem();
    assert_eq!(problem.code, Code::BrowserDisconnected);
    assert!(problem.cause.unwrap().contains("Segmentation fault"), "{lost:?}");
    assert!(!toolbox.is_up());
    let still = toolbox.call("echo", arguments(json!({}))).await.unwrap_err();
    assert!(still.is_loss(), "{still:?}");

    toolbox.reconnect().await.unwrap();
    assert_eq!(text(&toolbox, "echo").await, (Outcome::Done, "{}".into()));
    assert!(toolbox.call("die", arguments(json!({}))).await.unwrap_err().is_loss());
    assert_eq!(toolbox.reconnect().await, Err(ToolboxError::NoMoreStarts));
    assert!(toolbox.call("echo", arguments(json!({}))).await.unwrap_err().is_loss());
    toolbox.close().await;
    bench.is_left();
}

#[tokio::test]
async fn silence_has_an_end_and_the_server_can_still_be_asked_after_a_large_answer() {
    let bench = Bench::new();
    let toolbox = bench.fake("none", limits()).await.unwrap();
    let begun = Instant::now();
    let large = toolbox.call("giant", arguments(json!({}))).await.unwrap_err();
    assert!(matches!(large, ToolboxError::TooLarge { .. }), "{large:?}");
    assert!(begun.elapsed() < Duration::from_secs(9), "nobody waited for the deadline");
    let cut = toolbox.call("large", arguments(json!({}))).await.unwrap();
    assert!(cut.cut && cut.joined().len() == 1024 * 1024);
    assert_eq!(text(&toolbox, "chatty").await, (Outcome::Done, "here".into()));
    drop(toolbox);
    bench.is_left();

    let toolbox = bench.fake("none", soon()).await.unwrap();
    let late = toolbox.call("hang", arguments(json!({}))).await.unwrap_err();
    assert!(matches!(&late, ToolboxError::TimedOut { what, .. } if what == "hang"), "{late:?}");
    assert_eq!(late.problem().code, Code::Timeout);
    drop(toolbox);
    bench.is_left();
}

#[tokio::test]
async fn garbage_between_the_messages_is_skipped() {
    let bench = Bench::new();
    let mut toolbox = bench.fake("garbage", limits()).await.unwrap();
    assert_eq!(text(&toolbox, "echo").await, (Outcome::Done, "{}".into()));
    toolbox.close().await;
}

#[tokio::test]
async fn a_server_that_does_not_come_up_says_why_and_leaves_nothing() {
    let bench = Bench::new();
    let brief = Limits { first_start: Duration::from_secs(2), ..limits() };
    for (fault, why, words) in [
        ("exits", "it ended before it answered", "I can't find my browser"),
        ("mute", "it did not answer within 2s", ""),
        ("wrong", "", ""),
    ] {
        let refused = bench.fake(fault, brief).await.unwrap_err();
        let ToolboxError::NotUp { why: told, last_words } = &refused else { panic!("{fault}: {refused:?}") };
        assert!(told.contains(why) && last_words.contains(words), "{fault}: {refused:?}");
        assert_eq!(refused.problem().code, Code::ToolboxFailed);
        bench.is_left();
    }
    let absent =
        Toolbox::connect(&bench.options("no-such-program-at-all".into(), limits())).await.unwrap_err();
    assert_eq!(absent, ToolboxError::NoProgram("no-such-program-at-all".into()));
    let strange = Toolbox::connect(&bench.options("echo x | cat".into(), limits())).await.unwrap_err();
    assert_eq!(strange.problem().code, Code::Usage);
}

#[tokio::test]
async fn a_list_without_end_or_shape_is_bounded() {
    let bench = Bench::new();
    let toolbox = bench.fake("endless", limits()).await.unwrap();
    assert_eq!(toolbox.tools().await.unwrap().len(), 200);
    let toolbox = bench.fake("shapeless", soon()).await.unwrap();
    let wrong = toolbox.tools().await.unwrap_err();
    assert!(matches!(wrong, ToolboxError::Protocol(_) | ToolboxError::TimedOut { .. }), "{wrong:?}");
    let toolbox = bench.fake("listless", soon()).await.unwrap();
    assert!(matches!(toolbox.tools().await, Err(ToolboxError::TimedOut { .. })));
}

#[tokio::test]
async fn a_server_that_won_t_end_is_killed_with_what_it_started() {
    let bench = Bench::new();
    let mut toolbox = bench.fake("stubborn", limits()).await.unwrap();
    assert_eq!(text(&toolbox, "stray").await.1, "started");
    wait_until(LIMIT, "the stray runs", || bench.living().iter().any(|line| line.contains("sleep 60")));
    let begun = Instant::now();
    toolbox.close().await;
    bench.is_left();
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

/// The keys are in the environment of another process, which runs this test anew.
#[tokio::test]
async fn our_keys_are_not_in_the_server_s_environment() {
    const KEYS: [&str; 4] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "npm_config__auth"];
    if env::var_os("TOOLBOX_WITH_KEYS").is_none() {
        let with_keys = Command::new(env::current_exe().unwrap())
            .args(["--exact", "our_keys_are_not_in_the_server_s_environment"])
            .envs(KEYS.map(|name| (name, "canary-4711")))
            .env("TOOLBOX_WITH_KEYS", "1")
            .output()
            .unwrap();
        assert!(with_keys.status.success(), "{}", String::from_utf8_lossy(&with_keys.stdout));
        return;
    }
    assert!(KEYS.iter().all(|name| env::var_os(name).is_some()));
    let bench = Bench::new();
    let mut toolbox = bench.fake("none", limits()).await.unwrap();
    let (_, told) = text(&toolbox, "environment").await;
    let variables: Value = serde_json::from_str(&told).unwrap();
    // A python may be a script that puts more before it.
    assert!(variables["PATH"].as_str().unwrap().ends_with(&env::var("PATH").unwrap()), "{told}");
    assert!(!told.contains("canary-4711") && variables.get("TOOLBOX_WITH_KEYS").is_none(), "{told}");
    toolbox.close().await;
}

#[tokio::test]
async fn a_profile_is_given_to_a_server_that_knows_how_and_another_starts_without_it() {
    let bench = Bench::new();
    let profile = bench.folder().join("profile");
    for (fault, is_known) in [("none", true), ("no-profile", false)] {
        let options = legwork_mcp::toolbox::ToolboxOptions {
            profile: Some(profile.clone()),
            ..bench.options(fake_command(fault, &bench.folder()), limits())
        };
        let mut toolbox = Toolbox::connect(&options).await.unwrap();
        let given = json!(["--user-data-dir", profile]).to_string();
        let (_, told) = text(&toolbox, "arguments").await;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told.to_string(), if is_known { given } else { "[]".into() }, "{fault}");
        assert_eq!(toolbox.is_without_profile(), !is_known, "{fault}");
        toolbox.close().await;
    }
    bench.is_left();
}

/// Not a test of its own: what the next one starts, to be killed.
#[tokio::test]
async fn somebody_who_is_killed() {
    let Some(folder) = env::var_os("TOOLBOX_OF_THE_KILLED").map(PathBuf::from) else { return };
    let bench = Bench::new();
    let options = legwork_mcp::toolbox::ToolboxOptions {
        command: fake_command("stubborn", &folder),
        folder: folder.clone(),
        ..bench.options(String::new(), limits())
    };
    let _toolbox = Toolbox::connect(&options).await.unwrap();
    fs::write(folder.join("up"), "").unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
}

#[test]
fn when_we_are_killed_the_server_goes_too() {
    let bench = Bench::new();
    let mut holder = Command::new(env::current_exe().unwrap())
        .args(["--exact", "somebody_who_is_killed"])
        .env("TOOLBOX_OF_THE_KILLED", bench.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until(LIMIT, "the server is up", || bench.folder().join("up").exists());
    assert!(!living_in(&bench.folder()).is_empty());
    holder.kill().unwrap();
    holder.wait().unwrap();
    wait_until(LIMIT, "nothing is left", || bench.living().is_empty());
}
