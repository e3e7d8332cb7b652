//! What waits for a decision: the page goes on meanwhile, and the request leaves only if somebody says so.

use super::*;

const ASKS: &str = r#"<!doctype html><title>Asks</title><script>
const ask = more => fetch("/held", { method: "POST", body: "x", ...more }).then(
  answer => { document.title = "answered " + answer.status; }, () => { document.title = "failed"; });
</script>"#;

async fn asks(more: &str) -> (Stage, Arc<Scribe>, Tab, Ticket) {
    asks_within(more, ContextOptions::default()).await
}

async fn asks_within(more: &str, options: ContextOptions) -> (Stage, Arc<Scribe>, Tab, Ticket) {
    let scribe = Scribe::new(Ruling::Hold);
    let site = Site::builder()
        .page("/", ASKS)
        .route("/held", legwork_testkit::axum::routing::post(|| async { "thanks" }))
        .start()
        .await;
    let stage = Stage::given(site, ContextOptions { barrier: scribe.clone(), ..options }).await;
    let tab = stage.at("/").await;
    gesture(&tab, more).await.unwrap();
    let (ticket, _) = scribe.met("/held").await;
    (stage, scribe, tab, ticket)
}

async fn titled(tab: &Tab, title: &str) {
    until(title, async || read::<String>(tab, "document.title").await == title).await;
}

#[tokio::test]
async fn what_is_held_leaves_after_a_yes() {
    let (stage, _, tab, ticket) = asks("ask()").await;
    assert_eq!(read::<u32>(&tab, "1 + 1").await, 2, "the page goes on meanwhile");
    assert_eq!(written(&stage.site), Vec::<String>::new());
    assert_eq!(stage.context.held().release(ticket, &soon()).await.unwrap(), Released::AsDecided);
    titled(&tab, "answered 200").await;
    assert_eq!(written(&stage.site), ["/held"]);
    assert_eq!(
        stage.context.held().release(ticket, &soon()).await.unwrap(),
        Released::TooLate,
        "once is enough"
    );
}

#[tokio::test]
async fn what_is_held_comes_to_nothing_after_a_no() {
    let (stage, _, tab, ticket) = asks("ask()").await;
    assert_eq!(stage.context.held().turn_back(ticket).await.unwrap(), Released::AsDecided);
    titled(&tab, "failed").await;
    assert_eq!(stage.context.held().release(ticket, &soon()).await.unwrap(), Released::TooLate);
    assert_eq!(written(&stage.site), Vec::<String>::new());
}

#[tokio::test]
async fn what_nobody_decides_on_in_time_comes_to_nothing() {
    let hold = std::time::Duration::from_millis(200);
    let (stage, scribe, tab, ticket) =
        asks_within("ask()", ContextOptions { hold, ..ContextOptions::default() }).await;
    titled(&tab, "failed").await;
    assert_eq!(scribe.given_up(), [(ticket, GivenUp::Overdue)]);
    assert_eq!(
        stage.context.held().release(ticket, &soon()).await.unwrap(),
        Released::TooLate,
        "a yes is too late for it"
    );
    assert_eq!(written(&stage.site), Vec::<String>::new());
}

#[tokio::test]
async fn what_the_page_gave_up_itself_is_too_late() {
    let (stage, _, tab, ticket) = asks("c = new AbortController(); ask({ signal: c.signal })").await;
    gesture(&tab, "c.abort()").await.unwrap();
    titled(&tab, "failed").await;
    assert_eq!(stage.context.held().release(ticket, &soon()).await.unwrap(), Released::TooLate);
    assert_eq!(written(&stage.site), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_held_when_its_tab_goes_does_not_leave() {
    let (stage, scribe, tab, ticket) = asks("ask({ keepalive: true })").await;
    stage.context.close_tab(tab.id()).await.unwrap();
    until("it is given up", async || scribe.given_up() == [(ticket, GivenUp::Orphaned)]).await;
    stage.still_works().await;
    assert_eq!(stage.context.held().release(ticket, &soon()).await.unwrap(), Released::TooLate);
    assert_eq!(written(&stage.site), Vec::<String>::new());
}

#[tokio::test]
async fn a_frame_that_freezes_over_it_alone_is_freed() {
    let scribe = Scribe::new(Ruling::Hold);
    let frozen = "<script>setTimeout(() => { const x = new XMLHttpRequest(); x.open('POST', '/held', false); \
                  try { x.send('x') } catch { parent.postMessage('failed', '*') } })</script>";
    let page =
        "<iframe src='{{OTHER}}/frame'></iframe><script>onmessage = (e) => document.title = e.data</script>";
    let site = Site::builder().page("/", page).page("/frame", frozen).start().await;
    let stage = Stage::behind(site, scribe.clone()).await;
    let tab = stage.at("/").await;
    titled(&tab, "failed").await;
    assert!(matches!(scribe.given_up()[..], [(_, GivenUp::Frozen)]), "{:?}", scribe.given_up());
    assert_eq!(written(&stage.site), Vec::<String>::new());
    stage.still_works().await;
}

#[tokio::test]
async fn a_page_that_freezes_over_it_is_freed() {
    let frozen = "setTimeout(() => { const x = new XMLHttpRequest(); x.open('POST', '/held', false); \
                  try { x.send('x') } catch { document.title = 'failed' } })";
    let (stage, scribe, tab, ticket) = asks(frozen).await;
    titled(&tab, "failed").await;
    assert_eq!(scribe.given_up(), [(ticket, GivenUp::Frozen)]);
    assert_eq!(written(&stage.site), Vec::<String>::new());
    stage.still_works().await;
}
