//! A browser that somebody else started: we use it and leave it as it was.

use super::*;

async fn connect(endpoints: &mut Endpoints) -> Browser {
    Browser::connect(endpoints, &soon(), &mut |_| {}).await.expect("the endpoint answers")
}

#[tokio::test]
async fn a_given_browser_is_used_and_left_as_it_was() {
    let somebodys = SomebodysBrowser::start();
    let site = Site::start().await;
    let mut endpoints =
        Endpoints::new(vec![somebodys.ws_url().parse().unwrap(), somebodys.ws_url().parse().unwrap()]);
    for _ in 0..2 {
        let browser = connect(&mut endpoints).await;
        assert_eq!((browser.origin(), browser.pid()), (Origin::Endpoint, None));
        let context = browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
        let stage = Stage { site: Site::start().await, context, browser: browser.into() };
        stage.still_works().await;
        assert_eq!(stage.context.tabs(&soon()).await.unwrap().len(), 1, "only our own tabs are ours");
        let tab = stage.at("/pages/frames_nested.html").await;
        until("its frames are there", async || tab.frames().await.unwrap().len() == 4).await;
        assert_eq!(read::<String>(&tab, "Intl.DateTimeFormat().resolvedOptions().timeZone").await, "UTC");
        stage.browser.close().await;
    }
    // A third look, past the end of the list, over the raw line: only the tab that was there before is left.
    let exhausted = Browser::connect(&mut endpoints, &soon(), &mut |_| {}).await.map(drop);
    assert!(
        matches!(&exhausted, Err(BrowserError::Connect(error)) if matches!(**error, ConnectError::Exhausted { .. })),
        "{exhausted:?}"
    );
    let mut again = Endpoints::new(vec![somebodys.ws_url().parse().unwrap()]);
    let connection = again.connect(&soon(), &mut |_| {}).await.unwrap();
    use legwork_cdp::protocol::target::{GetTargets, Targets};
    let left = async || {
        let reply = connection.link().call(None, &GetTargets {}, &soon()).await.unwrap();
        let pages = reply.read::<Targets>().unwrap().target_infos;
        pages
            .into_iter()
            .filter(|target| target.kind == "page")
            .map(|target| target.url.0)
            .collect::<Vec<_>>()
    };
    until("our tabs are gone", async || left().await == ["about:blank"]).await;
    connection.close().await;
    drop(site);
}

#[tokio::test]
async fn a_given_browser_that_dies_or_stops_is_a_lost_one() {
    for how in [Signal::KILL, Signal::STOP] {
        let somebodys = SomebodysBrowser::start();
        let browser = connect(&mut Endpoints::new(vec![somebodys.ws_url().parse().unwrap()])).await;
        let context = browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
        let tab = context.active_tab(&soon()).await.unwrap();
        signal(somebodys.pid(), how);
        let limit = Duration::from_secs(5);
        let begun = Instant::now();
        let outcome = tab.screenshot(&Limit::within(limit)).await;
        assert!(matches!(&outcome, Err(error) if error.is_lost()), "{how:?}: {outcome:?}");
        assert!(begun.elapsed() <= limit + Duration::from_millis(500));
        browser.close().await;
    }
}

/// An endpoint whose browser gives its version once and is never heard again.
async fn one_answer() -> String {
    use futures_util::{SinkExt, StreamExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("ws://{}/devtools/browser/x", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
            let asked = socket.next().await.unwrap().unwrap().into_text().unwrap();
            let id = serde_json::from_str::<serde_json::Value>(&asked).unwrap()["id"].clone();
            let version = serde_json::json!({"id": id, "result":
                {"product": "Chrome/1", "userAgent": "x", "protocolVersion": "1.3"}});
            socket.send(version.to_string().into()).await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn an_endpoint_that_is_lost_while_it_is_greeted_leads_to_the_next() {
    let somebodys = SomebodysBrowser::start();
    let (first, second) = (one_answer().await, one_answer().await);
    let all = [first.as_str(), &second, somebodys.ws_url()].map(|endpoint| endpoint.parse().unwrap());
    let mut told = Vec::new();
    let browser =
        Browser::connect(&mut Endpoints::new(all.into()), &soon(), &mut |event| told.push(event)).await;
    browser.expect("the third endpoint answers").close().await;
    let cycled =
        |attempt| ConnectEvent::EndpointCycle { attempt, total: 3, error: AttemptError::ConnectionClosed };
    let connected = |endpoint_index| ConnectEvent::EndpointConnected { endpoint_index, total: 3 };
    assert_eq!(told, [connected(1), cycled(1), connected(2), cycled(2), connected(3)]);

    let both = [&first, &second].map(|endpoint| endpoint.parse().unwrap());
    let reasons = vec![AttemptError::ConnectionClosed; 2];
    let exhausted = Browser::connect(&mut Endpoints::new(both.into()), &soon(), &mut |_| {}).await.map(drop);
    assert!(
        matches!(&exhausted, Err(BrowserError::Connect(error)) if **error == ConnectError::Exhausted { total: 2, reasons }),
        "{exhausted:?}"
    );
}
