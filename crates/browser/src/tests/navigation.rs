//! Going somewhere, and pictures of what is there.

use tokio_util::sync::CancellationToken;

use super::*;

#[tokio::test]
async fn a_landing_tells_address_title_and_status() {
    let stage = Stage::alone().await;
    let landing = stage.goes_to("/redirect?to=/pages/plain.html", Duration::from_secs(10)).await.unwrap();
    assert_eq!(landing.url, stage.site.url("/pages/plain.html"));
    assert_eq!((landing.title.as_str(), landing.status), ("Plain page", Some(200)));
    let missing = stage.goes_to("/status/404", Duration::from_secs(10)).await.unwrap();
    assert_eq!(missing.status, Some(404));
    let tab = stage.tab().await;
    let blank = tab.navigate(&PageUrl::blank(), &soon()).await.unwrap();
    assert_eq!(blank.url, "about:blank");
    stage.end().await;
}

#[tokio::test]
async fn a_page_is_there_when_it_is_parsed_not_when_its_last_picture_is() {
    let page = "<title>There</title><img src='/no-answer'>";
    let stage = Stage::with(Site::builder().page("/pictures.html", page).start().await, &[]).await;
    // Far below the time that the picture would take.
    let landing = stage.goes_to("/pictures.html", Duration::from_secs(10)).await.expect("it is there");
    assert_eq!(landing.title, "There");
    assert!(
        !stage.tab().await.loaded(&Limit::within(Duration::from_millis(300))).await,
        "the picture never comes"
    );
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_fragment_of_the_same_page_is_reached_without_a_new_document() {
    let stage = Stage::alone().await;
    stage.at("/pages/plain.html").await;
    let landing = stage.goes_to("/pages/plain.html#there", Duration::from_secs(10)).await.unwrap();
    assert!(landing.url.ends_with("#there"), "{}", landing.url);
    assert_eq!(stage.site.hits_of("/pages/plain.html").len(), 1);
    stage.end().await;
}

#[tokio::test]
async fn what_can_not_be_reached_is_told_by_the_networks_own_word() {
    let stage = Stage::alone().await;
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (address, word) in [
        (format!("http://{dead}/"), "net::ERR_CONNECTION_REFUSED"),
        ("http://no-such-host.invalid/".to_owned(), "net::ERR_NAME_NOT_RESOLVED"),
        (format!("https://127.0.0.1:{}/", stage.site.port()), "net::ERR_SSL_PROTOCOL_ERROR"),
        (stage.site.url("/download/file.txt"), "download"),
    ] {
        let outcome = stage.tab().await.navigate(&PageUrl::parse(&address).unwrap(), &soon()).await;
        assert!(
            matches!(&outcome, Err(BrowserError::Navigation { net, .. }) if net == word),
            "{address}: {outcome:?}"
        );
        stage.still_works().await;
    }
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_redirects_in_a_circle_is_a_failure_of_its_own() {
    use legwork_testkit::axum::{response::Redirect, routing::get};
    let site = Site::builder().route("/circle", get(|| async { Redirect::to("/circle") })).start().await;
    let stage = Stage::with(site, &[]).await;
    let outcome = stage.goes_to("/circle", Duration::from_secs(20)).await;
    let word = "net::ERR_TOO_MANY_REDIRECTS";
    assert!(matches!(&outcome, Err(BrowserError::Navigation { net, .. }) if net == word), "{outcome:?}");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_navigation_that_is_called_off_ends_at_once_and_the_tab_stays() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let cancel = CancellationToken::new();
    let limit = Limit::within(Duration::from_secs(60)).cancelled_by(cancel.clone());
    let going = tokio::spawn({
        let (tab, page) = (tab.clone(), stage.page("/no-answer"));
        async move { tab.navigate(&page, &limit).await }
    });
    until("the server is asked", async || !stage.site.hits_of("/no-answer").is_empty()).await;
    let called_off = Instant::now();
    cancel.cancel();
    let outcome = going.await.unwrap();
    assert!(matches!(outcome, Err(BrowserError::Cancelled { .. })), "{outcome:?}");
    assert!(called_off.elapsed() < Duration::from_secs(1));
    assert_eq!(tab.gone(), None);
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_picture_is_a_jpeg_of_the_viewport_however_tall_the_page() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/tall.html").await;
    let picture = tab.screenshot(&soon()).await.unwrap();
    assert_eq!(legwork_testkit::jpeg_size(&picture), (1280, 720));
    assert!(picture.len() < 1_000_000);
    stage.end().await;
}

#[tokio::test]
async fn pages_see_a_plain_desktop_browser() {
    let stage = Stage::alone().await;
    let tab = stage.at("/echo").await;
    let seen: (String, String, String, u32, f64) = read(
        &tab,
        "[navigator.userAgent, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, devicePixelRatio]",
    )
    .await;
    assert!(seen.0.starts_with("Mozilla/5.0 (") && seen.0.contains(" Chrome/"), "{}", seen.0);
    assert!(!seen.0.contains("Headless") && !seen.0.contains("Mobile"), "{}", seen.0);
    assert_eq!((seen.1.as_str(), seen.2.as_str(), seen.3, seen.4), ("en-US", "UTC", 1280, 1.0));
    let hit = &stage.site.hits_of("/echo")[0];
    assert!(!hit.header("user-agent").unwrap().contains("Headless"));
    assert!(
        !hit.header("sec-ch-ua").unwrap_or_default().contains("Headless"),
        "{:?}",
        hit.header("sec-ch-ua")
    );
    gesture(&tab, "navigator.permissions.query({name: 'geolocation'}).then(it => document.title = it.state)")
        .await
        .unwrap();
    until("the permission is refused", async || read::<String>(&tab, "document.title").await == "denied")
        .await;
    let permission: String =
        tab.value(&tab.frames().await.unwrap()[0].id, "Notification.permission", &soon()).await.unwrap();
    assert_eq!(permission, "denied");
    stage.end().await;
}
