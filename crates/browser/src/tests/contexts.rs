//! Contexts know nothing of each other; a persistent profile remembers.

use super::*;

#[tokio::test]
async fn contexts_share_no_cookies_and_end_alone() {
    let stage = Stage::alone().await;
    let other = stage.browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
    stage.at("/cookie/set?name=who&value=first").await;
    let theirs = other.active_tab(&soon()).await.unwrap();
    theirs.navigate(&stage.page("/cookie/show"), &soon()).await.unwrap();
    assert!(!read::<String>(&theirs, "document.body.innerText").await.contains("first"));
    let ours = stage.at("/cookie/show").await;
    assert!(read::<String>(&ours, "document.body.innerText").await.contains("first"));
    assert_ne!(ours.id(), theirs.id());
    other.close(&soon()).await.unwrap();
    assert!(theirs.gone().is_some());
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn many_contexts_leave_nothing_behind() {
    let stage = Stage::alone().await;
    stage.still_works().await;
    let pid = stage.browser.pid().unwrap();
    let renderers = helpers(pid, "--type=renderer").len();
    for _ in 0..legwork_testkit::long_or_short(50, 15) {
        let context = stage.browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
        context.active_tab(&soon()).await.unwrap();
        context.close(&soon()).await.unwrap();
    }
    until("their renderers are gone", async || helpers(pid, "--type=renderer").len() <= renderers + 2).await;
    stage.still_works().await;
    stage.end().await;
}

/// A site that sets a cookie which outlives the browser.
async fn remembering() -> Site {
    let remember = || async { ([("set-cookie", "kept=yes; Max-Age=86400; Path=/")], "remembered") };
    Site::builder().route("/remember", legwork_testkit::axum::routing::get(remember)).start().await
}

/// Starts a browser with the profile, opens a page of the site and checks that the cookie is shown where it should be.
async fn visit(site: &Site, options: &LaunchOptions, path: &str) -> Browser {
    let browser = Browser::launch(options, &soon()).await.unwrap();
    let context = browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
    let tab = context.active_tab(&soon()).await.unwrap();
    tab.navigate(&PageUrl::parse(&site.url(path)).unwrap(), &soon()).await.unwrap();
    let shown = read::<String>(&tab, "document.body.innerText").await;
    assert_eq!(shown.contains("kept=yes"), path == "/cookie/show", "{shown}");
    browser
}

#[tokio::test]
async fn cookies_of_a_persistent_profile_survive_a_browser_that_is_only_dropped() {
    let site = remembering().await;
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::Persistent(folder.path().join("profile"));
    let options = LaunchOptions { profile, ..LaunchOptions::default() };
    for path in ["/remember", "/cookie/show"] {
        drop(visit(&site, &options, path).await);
        let left = legwork_testkit::processes_naming(folder.path().to_str().unwrap());
        assert!(left.is_empty(), "processes stayed: {left:?}");
    }
}

#[tokio::test]
async fn cookies_of_a_persistent_profile_survive_and_the_profile_is_locked_meanwhile() {
    let site = remembering().await;
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::Persistent(folder.path().join("profile"));
    let options = LaunchOptions { profile, ..LaunchOptions::default() };
    for path in ["/remember", "/cookie/show"] {
        let browser = visit(&site, &options, path).await;
        let second = Browser::launch(&options, &soon()).await.map(drop);
        assert!(
            matches!(&second, Err(BrowserError::Launch(error)) if matches!(**error, LaunchError::ProfileLocked { .. })),
            "{second:?}"
        );
        browser.close().await;
    }
    assert!(folder.path().join("profile").exists());
}
