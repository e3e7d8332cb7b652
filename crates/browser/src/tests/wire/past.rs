//! The second line: what leaves without having waited at the barrier costs its page.

use legwork_testkit::axum::{response::Redirect, routing::post};

use super::*;

/// Takes the barrier away behind our back, as a defect of the browser would.
#[derive(serde::Serialize)]
struct TakeAway {}

impl legwork_cdp::Command for TakeAway {
    const METHOD: &'static str = "Fetch.disable";
}

/// A browser of its own, at a page behind a barrier that lets nothing go.
async fn at_a_page() -> (Stage, Tab) {
    let sends = "fetch('/sent', { method: 'POST', body: 'x' }).catch(() => {})";
    let site = Site::builder()
        .page("/", "<title>Sends</title>")
        .page("/frame", format!("<script>{sends}</script>"))
        .page("/worker.js", sends)
        .page("/shared.js", sends)
        .route("/sent", post(|| async { "thanks" }))
        .route("/on", post(|| async { Redirect::temporary("/sent") }))
        .start()
        .await;
    let browser = Lent::own(&LaunchOptions::default()).await;
    let options = ContextOptions { barrier: Scribe::new(Ruling::Stop), ..ContextOptions::default() };
    let context = browser.new_context(&options, &soon()).await.unwrap();
    let stage = Stage { site, context, browser };
    let tab = stage.at("/").await;
    (stage, tab)
}

#[tokio::test]
async fn a_page_whose_write_did_not_wait_is_closed() {
    let (stage, _) = at_a_page().await;
    for way in [
        "fetch('/sent', { method: 'POST', body: 'x' })",
        "fetch('/on', { method: 'POST', body: 'x' })",
        "new Worker('/worker.js')",
        "new SharedWorker('/shared.js')",
        "f = document.createElement('iframe'); f.src = '/frame'; document.body.append(f)",
        "f = document.createElement('iframe'); f.src = '{{OTHER}}/frame'; document.body.append(f)",
        "f = document.createElement('form'); f.method = 'post'; f.action = '/sent'; document.body.append(f); f.submit()",
    ] {
        let tab = stage.at("/").await;
        tab.link.call(None, &TakeAway {}, &soon()).await.unwrap();
        let _gone = gesture(&tab, &way.replace("{{OTHER}}", &stage.site.other())).await;
        until(&format!("{way} costs the tab"), async || tab.gone().is_some()).await;
        const WHY: &str = "sent something past the barrier";
        assert_eq!(tab.gone(), Some(Gone::Hostile(WHY)), "{way}");
        assert!(stage.saw(|what| matches!(what, Happening::TabClosed { why: WHY, .. })).await);
        stage.still_works().await;
    }
    stage.end().await;
}

#[tokio::test]
async fn what_never_leaves_needs_no_barrier() {
    let (stage, tab) = at_a_page().await;
    for never in [
        "fetch('data:text/plain,x', { method: 'POST', body: 'x' })",
        "fetch(URL.createObjectURL(new Blob(['x'])), { method: 'POST', body: 'x' })",
        "fetch('http://127.0.0.1:1/', { method: 'POST', body: 'x' })",
    ] {
        gesture(&tab, &format!("{never}.catch(() => {{}}).then(() => {{ document.title = 'over' }})"))
            .await
            .unwrap();
        until(never, async || read::<String>(&tab, "document.title").await == "over").await;
        gesture(&tab, "document.title = ''").await.unwrap();
    }
    assert_eq!(tab.gone(), None);
    stage.end().await;
}
