//! What is turned back leaves the page as it was.

use super::*;

const FORM: &str = r#"<!doctype html><title>Form</title>
<form id=f method=post action=/sent><input id=i name=a value=given><input type=file name=file></form>"#;

#[tokio::test]
async fn a_form_that_is_turned_back_stays_filled_in() {
    let scribe = Scribe::new(Ruling::Stop);
    let stage = Stage::behind(Site::builder().page("/", FORM).start().await, scribe.clone()).await;
    let tab = stage.at("/").await;
    gesture(&tab, "i.value = 'by hand'; f.submit()").await.unwrap();
    let (_, outgoing) = scribe.met("/sent").await;
    assert_eq!(outgoing.kind, legwork_types::OutgoingKind::Page);
    assert_eq!(outgoing.body, legwork_types::OutgoingBody::Bytes(b"a=by+hand&file=".into()));
    assert_eq!(outgoing.header("origin"), Some(&*stage.site.here()));
    until("the page is there", async || tab.ready(&soon()).await.is_ok()).await;
    assert_eq!(read::<String>(&tab, "i.value").await, "by hand");
    assert_eq!(read::<String>(&tab, "location.pathname").await, "/");
    assert_eq!(written(&stage.site), Vec::<String>::new());
    stage.still_works().await;
}

#[tokio::test]
async fn a_redirect_is_ruled_on_anew() {
    #[derive(Debug, Default)]
    struct First(std::sync::Mutex<Vec<String>>);
    impl Barrier for First {
        fn rule(&self, _: Ticket, outgoing: &Outgoing) -> Ruling {
            if outgoing.redirected {
                self.0.lock().unwrap().extend(outgoing.hops.clone());
            }
            let goes = crate::barrier::is_reading(outgoing) || outgoing.url.ends_with("/first");
            if goes && !outgoing.redirected { Ruling::Go } else { Ruling::Stop }
        }

        fn given_up(&self, _: Ticket, _: GivenUp) {}

        fn admits_unclaimed(&self, _: &Outgoing) -> bool {
            true
        }
    }
    use legwork_testkit::axum::{response::Redirect, routing::post};
    let site = Site::builder()
        .page("/", "<form id=f method=post action=/first><input name=a value=b></form>")
        .route("/first", post(|| async { Redirect::temporary("/second") }))
        .start()
        .await;
    let first = Arc::new(First::default());
    let stage = Stage::behind(site, first.clone()).await;
    let tab = stage.at("/").await;
    gesture(&tab, "f.submit()").await.unwrap();
    until("it is sent on", async || !first.0.lock().unwrap().is_empty()).await;
    stage.still_works().await;
    assert_eq!(written(&stage.site), ["/first"]);
    assert_eq!(*first.0.lock().unwrap(), [stage.site.url("/first")], "where it was sent on from");
}

#[tokio::test]
async fn a_window_for_what_was_turned_back_does_not_stay() {
    let scribe = Scribe::new(Ruling::Stop);
    let page = "<form id=f method=post action=/sent target=_blank><input name=a value=b></form>";
    let stage = Stage::behind(Site::builder().page("/", page).start().await, scribe.clone()).await;
    let tab = stage.at("/").await;
    gesture(&tab, "f.submit()").await.unwrap();
    scribe.met("/sent").await;
    until("one tab is left", async || stage.context.tabs(&soon()).await.unwrap().len() == 1).await;
    assert_eq!(stage.tab().await.id(), tab.id());
}

#[tokio::test]
async fn a_browser_of_somebody_else_has_a_barrier_too() {
    let somebodys = SomebodysBrowser::start();
    let mut endpoints = Endpoints::new(vec![somebodys.ws_url().parse().unwrap()]);
    let browser = Browser::connect(&mut endpoints, &soon(), &mut |_| {}).await.expect("it answers");
    let scribe = Scribe::new(Ruling::Stop);
    let site = Site::builder()
        .page("/", "<script>new Worker('/w.js'); new SharedWorker('/s.js')</script><iframe src={{OTHER}}/frame></iframe>")
        .page("/frame", "<script>fetch('/framed', {method: 'POST'}).catch(() => {})</script>")
        .page("/w.js", "fetch('/worked', {method: 'POST'}).catch(() => {})")
        .page("/s.js", "fetch('/shared', {method: 'POST'}).catch(() => {})")
        .start()
        .await;
    let options = ContextOptions { barrier: scribe.clone(), ..ContextOptions::default() };
    let context = browser.new_context(&options, &soon()).await.unwrap();
    let stage = Stage { site, context, browser: browser.into() };
    stage.at("/").await;
    for path in ["/framed", "/worked", "/shared"] {
        scribe.met(path).await;
    }
    stage.still_works().await;
    assert_eq!(written(&stage.site), Vec::<String>::new());
}
