//! Whoever sends something: pages, frames, workers of all kinds, windows that have just come and such that are about to go.

use super::*;

/// A page that sends from everywhere at once, one path each.
const EVERYWHERE: &str = r#"<!doctype html><title>Everywhere</title>
<iframe src="{{OTHER}}/frame"></iframe>
<form id=popup method=post action=/popup target=_blank><input name=a value=b></form>
<form id=framed method=post action=/framed target=inner></form><iframe name=inner></iframe>
<script>
const post = (path, more) => fetch(path, { method: "POST", body: "x", ...more }).catch(() => {});
post("/fetch");
post("/keepalive", { keepalive: true });
navigator.sendBeacon("/beacon", "x");
const xhr = new XMLHttpRequest(); xhr.open("PUT", "/xhr"); xhr.send("x");
new Worker("/worker.js");
new SharedWorker("/shared.js");
navigator.serviceWorker.register("/service.js");
framed.submit();
</script>"#;

const SENDERS: &[&str] = &[
    "/fetch",
    "/keepalive",
    "/beacon",
    "/xhr",
    "/from-worker",
    "/from-nested",
    "/from-shared",
    "/from-service",
    "/from-frame",
    "/framed",
];

fn everywhere() -> legwork_testkit::SiteBuilder {
    let post = |path: &str| format!("fetch('{path}', {{ method: 'POST', body: 'x' }}).catch(() => {{}});");
    Site::builder()
        .page("/", EVERYWHERE)
        .page("/frame", format!("<script>{}</script>", post("/from-frame")))
        .page("/worker.js", format!("{}new Worker('/nested.js')", post("/from-worker")))
        .page("/nested.js", post("/from-nested"))
        .page("/shared.js", post("/from-shared"))
        .page("/service.js", format!("oninstall = () => {{ {} }}", post("/from-service")))
}

#[tokio::test]
async fn whoever_sends_it_nothing_is_written_that_was_not_let_go() {
    let scribe = Scribe::new(Ruling::Stop);
    let stage = Stage::behind(everywhere().start().await, scribe.clone()).await;
    let tab = stage.at("/").await;
    for path in SENDERS {
        scribe.met(path).await;
    }
    gesture(&tab, "popup.submit()").await.unwrap();
    scribe.met("/popup").await;
    stage.still_works().await;
    assert_eq!(written(&stage.site), Vec::<String>::new());
    for (path, is_worker) in [("/fetch", false), ("/from-shared", true), ("/from-service", true)] {
        let (_, outgoing) = scribe.met(path).await;
        assert_eq!(outgoing.sender.is_worker, is_worker, "{path}");
    }
    let (_, framed) = scribe.met("/from-frame").await;
    assert_eq!(framed.sender.document, Some(stage.site.other_url("/frame")));
    assert_eq!(framed.sender.page, Some(stage.site.url("/")));
}

#[tokio::test]
async fn what_is_let_go_arrives_from_all_of_them() {
    let stage = Stage::behind(everywhere().start().await, Arc::new(Everything)).await;
    let tab = stage.at("/").await;
    gesture(&tab, "popup.submit()").await.unwrap();
    for path in SENDERS.iter().chain(&["/popup"]) {
        until(&format!("{path} arrives"), async || !stage.site.hits_of(path).is_empty()).await;
    }
}

/// A page that sends whatever it still can when it goes.
const LAST_WORDS: &str = r#"<!doctype html><title>Last words</title><script>
const last = name => {
  navigator.sendBeacon("/beacon-" + name, "x");
  fetch("/keepalive-" + name, { method: "POST", body: "x", keepalive: true }).catch(() => {});
};
addEventListener("pagehide", () => last("hide"));
addEventListener("unload", () => last("unload"));
addEventListener("visibilitychange", () => last("sight"));
</script>"#;

async fn last_words(barrier: Arc<dyn Barrier>) -> Stage {
    let stage = Stage::behind(Site::builder().page("/", LAST_WORDS).start().await, barrier).await;
    stage.at("/").await;
    stage
}

#[tokio::test]
async fn last_words_of_a_closing_tab_do_not_leave() {
    let scribe = Scribe::new(Ruling::Stop);
    let stage = last_words(scribe.clone()).await;
    let tab = stage.tab().await;
    stage.context.close_tab(tab.id()).await.unwrap();
    stage.still_works().await;
    // A window that closes itself.
    let tab = stage.at("/pages/plain.html").await;
    gesture(&tab, "w = window.open('/')").await.unwrap();
    until("the window is there", async || stage.context.tabs(&soon()).await.unwrap().len() == 2).await;
    gesture(&tab, "w.close()").await.unwrap();
    until("the window is gone", async || stage.context.tabs(&soon()).await.unwrap().len() == 1).await;
    // A frame that is taken out.
    stage.context.switch_to(tab.id()).await.unwrap();
    gesture(&tab, "f = document.createElement('iframe'); f.src = '/'; document.body.append(f); f.onload = () => f.remove()")
        .await
        .unwrap();
    stage.still_works().await;
    let site = stage.site;
    stage.context.close(&soon()).await.unwrap();
    assert_eq!(written(&site), Vec::<String>::new());
}

#[tokio::test]
async fn last_words_of_a_page_that_is_left_are_ruled_on() {
    let stage = last_words(Arc::new(Everything)).await;
    stage.at("/pages/plain.html").await;
    until("the last words arrive", async || !stage.site.hits_of("/beacon-hide").is_empty()).await;
    let scribe = Scribe::new(Ruling::Drop);
    let stage = last_words(scribe.clone()).await;
    stage.at("/pages/plain.html").await;
    scribe.met("/beacon-hide").await;
    scribe.met("/keepalive-unload").await;
    assert_eq!(written(&stage.site), Vec::<String>::new());
}
