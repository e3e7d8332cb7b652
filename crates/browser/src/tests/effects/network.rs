//! What is sent because of an act.

use legwork_types::contract::RequestVerdict;

use super::*;

#[tokio::test]
async fn requests_are_told_by_method_origin_path_and_status_alone() {
    let stage = Stage::new().await;
    stage.at(BUTTONS).await;
    let pressed = press(&stage, "ask").await;
    assert_eq!(pressed.sent(), [("GET", "/status/404", Some(404))]);
    assert_eq!(pressed.effects.requests[0].origin.untrusted(), stage.site.here());
    assert_eq!(pressed.effects.requests[0].verdict, RequestVerdict::Go);
    assert!(!format!("{pressed:?}").contains("4111"), "what is asked for is not told");
    assert_eq!(stage.site.hits_of("/status/404?card=4111").len(), 1);
    let many = press(&stage, "many").await;
    assert_eq!((many.effects.requests.len(), many.effects.more_requests), (20, 10));
    stage.end().await;
}

#[tokio::test]
async fn a_request_that_fails_is_told_as_failed() {
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let page = format!("<button id=fail onclick=\"fetch('http://{dead}/pay')\">Fail</button>");
    let stage = Stage::on(Site::builder().page("/fail.html", page).start().await).await;
    stage.at("/fail.html").await;
    let pressed = press(&stage, "fail").await;
    assert_eq!(pressed.sent(), [("GET", "/pay", None)]);
    assert_eq!(pressed.effects.requests[0].verdict, RequestVerdict::Failed);
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_can_not_be_reached_by_a_press_is_told_with_its_request() {
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let page = format!(
        "<a id=dead href='http://{dead}/away'>Away</a><a id=objects href=/pages/plain.html>Leave</a>"
    );
    let page = format!(
        "{page}<script>addEventListener('beforeunload', event => stays && event.preventDefault()); let stays</script>"
    );
    let stage = Stage::on(Site::builder().page("/dead.html", page).start().await).await;
    let tab = stage.at("/dead.html").await;
    gesture(&tab, "stays = true").await.unwrap();
    let stayed = press(&stage, "objects").await.quiet();
    let dialog = stayed.dialog.clone().expect("the page objects");
    assert_eq!((dialog.kind.as_str(), dialog.answer), ("beforeunload", "dismissed"));
    assert!(stayed.navigated.is_none() && stayed.requests.is_empty(), "{stayed:?}");
    gesture(&tab, "stays = false").await.unwrap();
    let away = press(&stage, "dead").await;
    // Chromium may try again by itself.
    assert_eq!(away.sent()[0], ("GET", "/away", None));
    assert_eq!(away.effects.requests[0].verdict, RequestVerdict::Failed);
    assert_eq!(away.quiet().navigated.unwrap().to.untrusted(), format!("http://{dead}/away"));
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_flood_of_requests_is_counted_and_keeps_nobody_waiting() {
    let page = "<button id=flood onclick=\"for (let n = 0; n < 2000; n += 1) fetch('/no-answer?' + n)\">Flood</button>\
                <button id=socket onclick=\"new WebSocket('/echo?token=1')\">Socket</button>";
    let stage = Stage::on(Site::builder().page("/flood.html", page).start().await).await;
    let tab = stage.at("/flood.html").await;
    let socket = press(&stage, "socket").await;
    assert_eq!(socket.effects.requests[0].origin.untrusted(), stage.site.here().replace("http:", "ws:"));
    assert_eq!(socket.effects.requests[0].path.untrusted(), "/echo");
    let flood = press(&stage, "flood").await;
    assert_eq!((flood.effects.requests.len(), flood.effects.more_requests), (20, 1980));
    assert!(flood.took < Duration::from_secs(8), "{:?}", flood.took);
    assert_eq!(read::<u32>(&tab, "1").await, 1, "the page can still be asked");
    stage.end().await;
}

#[tokio::test]
async fn what_foreign_frames_and_workers_send_is_told_too() {
    let stage = Stage::new().await;
    let tab = stage.at("/pages/effect_frames.html").await;
    assert!(tab.loaded(&soon()).await);
    let effects = act::click(&stage, "Grow").await.expect("it is pressed").receipt.effects;
    let sent = &effects.requests[0];
    assert_eq!((sent.method.as_str(), sent.path.untrusted(), sent.status), ("PUT", "/status/200", Some(200)));
    assert_eq!(sent.origin.untrusted(), stage.site.other());
    assert!(effects.dom_changed, "{effects:?}");
    let worked = press(&stage, "work").await;
    assert_eq!(worked.sent(), [("GET", "/status/202", Some(202))]);
    stage.end().await;
}

#[tokio::test]
async fn shared_and_service_workers_are_told_of_as_well() {
    let page = "<button id=work onclick=\"shared.port.postMessage('go')\">Work</button>\
                <script>const shared = new SharedWorker('/shared.js');\
                shared.port.onmessage = () => document.title = 'there'</script>";
    let script = "onconnect = ({ ports: [port] }) => {\
                  port.onmessage = () => fetch('/status/203'); port.postMessage('there') }";
    let site = Site::builder().page("/shared.html", page).page("/shared.js", script).start().await;
    let stage = Stage::on(site).await;
    let tab = stage.at("/shared.html").await;
    until("the worker is there", async || read::<String>(&tab, "document.title").await == "there").await;
    let worked = press(&stage, "work").await;
    assert_eq!(worked.sent(), [("GET", "/status/203", Some(203))]);
    stage.end().await;
}

#[tokio::test]
async fn a_form_that_is_sent_and_the_page_that_comes_of_it() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    let sent = press(&stage, "send").await;
    assert_eq!(sent.sent(), [("POST", "/echo", Some(200))]);
    assert!(!format!("{sent:?}").contains("4111"));
    let navigated = sent.quiet().navigated.unwrap();
    assert_eq!(navigated.from.untrusted(), stage.site.url(BUTTONS));
    assert_eq!(navigated.to.untrusted(), stage.site.url("/echo"));
    assert_eq!(stage.site.hits_of("/echo")[0].body_text(), "card=4111");
    assert!(tab.url().ends_with("/echo"));
    stage.end().await;
}

#[tokio::test]
async fn redirects_are_told_step_by_step_and_reloads_as_navigations() {
    let stage = Stage::new().await;
    stage.at(BUTTONS).await;
    let again = press(&stage, "again").await.quiet().navigated.unwrap();
    assert_eq!(again.from, again.to);
    let away = press(&stage, "away").await;
    assert_eq!(away.sent(), [("GET", "/redirect", Some(302)), ("GET", "/pages/plain.html", Some(200))]);
    assert!(away.quiet().navigated.unwrap().to.untrusted().ends_with("/pages/plain.html"));
    stage.at(BUTTONS).await;
    let empty = press(&stage, "empty").await;
    assert_eq!(empty.sent(), [("GET", "/status/204", Some(204))]);
    assert!(empty.took < Duration::from_secs(3), "{empty:?}");
    assert!(empty.quiet().navigated.is_none());
    stage.end().await;
}
