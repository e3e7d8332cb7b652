//! What a browser would ask a person for or show to one alone: nothing of it holds a page up, and what is refused says why.

use legwork_testkit::{
    TlsShop,
    axum::{
        http::{StatusCode, header::WWW_AUTHENTICATE},
        routing::get,
    },
};
use legwork_types::{Code, Problem};

use super::*;

const QUICK: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_page_that_prints_itself_goes_on() {
    let page = "<title>Printed</title><script>print()</script><button onclick='print()'>Print</button>\
        <script>onload = () => { print(); fetch('/went-on') }</script>";
    let stage = Stage::with(Site::builder().page("/print.html", page).start().await, &[]).await;
    let landing = stage.goes_to("/print.html", QUICK).await.expect("the page opens");
    assert_eq!(landing.title, "Printed");
    until("the page goes on", async || !stage.site.hits_of("/went-on").is_empty()).await;
    let tab = stage.tab().await;
    gesture(&tab, "document.querySelector('button').click()").await.unwrap();
    capture::capture(&tab).await;
    assert!(tab.screenshot(&soon()).await.is_ok());
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_takes_the_screen_or_the_pointer_can_be_used_all_the_same() {
    let stage = Stage::alone().await;
    for take in ["document.documentElement.requestFullscreen()", "document.body.requestPointerLock()"] {
        let tab = stage.at("/pages/confirm_on_click.html").await;
        gesture(&tab, &format!("{take}.then(() => document.title = 'Taken')")).await.unwrap();
        until("it is taken", async || read::<String>(&tab, "document.title").await == "Taken").await;
        until("the pointer is free", async || read(&tab, "document.pointerLockElement === null").await).await;
        let picture = tab.screenshot(&soon()).await.expect("a picture is taken");
        assert_eq!(legwork_testkit::jpeg_size(&picture), (1280, 720), "{take}");
        let pressed = act::click(&stage, "Delete").await;
        assert!(tab.dialog().is_some(), "{take}: {pressed:?}");
        stage.still_works().await;
    }
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_wants_a_name_and_a_password_is_told_by_its_status() {
    let members = |body: &'static str| {
        get(
            move || async move { (StatusCode::UNAUTHORIZED, [(WWW_AUTHENTICATE, "Basic realm=Members")], body) },
        )
    };
    let inside = "<title>Outside</title><img src='/members'><iframe src='/members'></iframe>\
        <script>fetch('/members').then(answer => document.title = answer.status)</script>";
    let site = Site::builder()
        .route("/members", members("<title>Members only</title>"))
        .route("/wordless", members(""))
        .page("/inside.html", inside);
    let stage = Stage::with(site.start().await, &[]).await;
    for path in ["/members", "/wordless"] {
        let landing = stage.goes_to(path, QUICK).await.expect("an answer is an answer");
        assert_eq!(landing.status, Some(401), "{landing:?}");
        stage.still_works().await;
    }
    let tab = stage.at("/inside.html").await;
    until("the script has its answer", async || read::<String>(&tab, "document.title").await == "401").await;
    capture::capture(&tab).await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_is_not_opened() {
    let shop = TlsShop::start("http/1.1");
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let page = PageUrl::parse(&format!("https://127.0.0.1:{}/", shop.port())).unwrap();
    let refused = tab.navigate(&page, &Limit::within(QUICK)).await.expect_err("nobody vouches for it");
    assert!(
        matches!(&refused, BrowserError::Navigation { net, .. } if net.starts_with("net::ERR_CERT")),
        "{refused:?}"
    );
    let told = Problem::from(&refused);
    assert_eq!(told.code, Code::NavigationFailed);
    assert!(told.hint.contains("certificate"), "{told:?}");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_wants_a_certificate_of_us_is_a_failure_in_time() {
    let club = TlsShop::start_for_members();
    let stage = Stage::with(Site::start().await, &[TlsShop::TRUST]).await;
    let tab = stage.tab().await;
    let page = PageUrl::parse(&format!("https://127.0.0.1:{}/", club.port())).unwrap();
    let refused = tab.navigate(&page, &Limit::within(QUICK)).await.expect_err("we have none");
    // Whichever comes first: that it wants one, or that it hung up.
    let is_refusal =
        |net: &str| ["CLIENT_AUTH", "SOCKET_NOT_CONNECTED", "CONNECTION"].iter().any(|why| net.contains(why));
    assert!(matches!(&refused, BrowserError::Navigation { net, .. } if is_refusal(net)), "{refused:?}");
    assert_eq!(Problem::from(&refused).code, Code::NavigationFailed);
    stage.still_works().await;
    stage.end().await;
}
