//! Pages and browsers that hang, crash, stop and flood.

use tokio::io::AsyncWriteExt;

use super::*;

const SHORT: Duration = Duration::from_secs(5);

#[tokio::test]
async fn an_endless_script_is_told_from_a_slow_page_and_its_tab_is_closed() {
    let stage = Stage::alone().await;
    let hung = stage.goes_to("/pages/endless_script.html", SHORT).await;
    assert!(
        matches!(&hung, Err(BrowserError::TabGone { gone: Gone::Unresponsive, url }) if url.contains("endless_script")),
        "{hung:?}"
    );
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_response_that_never_ends_is_a_page_as_far_as_it_came() {
    let stage = Stage::alone().await;
    let landing = stage.goes_to("/never-ends", SHORT).await.expect("a part of the page has come");
    assert_eq!((landing.title.as_str(), landing.status), ("Never ends", Some(200)));
    assert_eq!(landing.body, Body::Coming);
    let tab = stage.tab().await;
    assert!(read::<usize>(&tab, "document.body.innerText.length").await > 0);
    stage.still_works().await;
    stage.end().await;
}

/// A server that says this to whoever comes, then a byte ten times a second where one is given, and never hangs up.
async fn a_server_that_holds_on(says: &'static str, then: Option<&'static str>) -> PageUrl {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = tokio::task::JoinSet::new();
        while let Ok((mut line, _)) = listener.accept().await {
            held.spawn(async move {
                let asked = line.readable().await;
                let mut said = asked.and(line.write_all(says.as_bytes()).await);
                while let (Some(byte), Ok(())) = (then, &said) {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    said = line.write_all(byte.as_bytes()).await;
                }
                std::future::pending::<()>().await;
            });
        }
    });
    PageUrl::parse(&format!("http://{address}/held")).unwrap()
}

#[tokio::test]
async fn servers_that_never_hang_up_give_a_part_of_a_page_or_a_slow_one() {
    let stage = Stage::alone().await;
    let tab = stage.tab().await;
    let going = async |page: &PageUrl| {
        let begun = Instant::now();
        let outcome = tab.navigate(page, &Limit::within(SHORT)).await;
        assert!(begun.elapsed() <= SHORT + Duration::from_millis(500), "{:?}", begun.elapsed());
        outcome
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Held</title><p>The start</p>";
    let page = a_server_that_holds_on(head, None).await;
    let landing = going(&page).await.expect("a part of the page has come");
    assert_eq!((landing.title.as_str(), landing.status), ("Held", Some(200)));
    assert_eq!(landing.body, Body::Coming);
    assert_eq!(read::<String>(&tab, "document.body.innerText").await, "The start");
    stage.still_works().await;
    // Not even the head of an answer comes to its end.
    let page = a_server_that_holds_on("HTTP/1.1 200 OK\r\nX-Slow: ", Some("x")).await;
    let slow = going(&page).await;
    let is_slow =
        |error: &BrowserError| matches!(error, BrowserError::Timeout { url, .. } if *url == page.to_string());
    assert!(slow.as_ref().is_err_and(is_slow), "{slow:?}");
    assert_eq!(tab.gone(), None);
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_never_answers_is_a_slow_page() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let slow = stage.goes_to("/no-answer", SHORT).await;
    let asked = stage.site.url("/no-answer");
    assert!(matches!(&slow, Err(BrowserError::Timeout { url, .. }) if *url == asked), "{slow:?}");
    assert_eq!(tab.gone(), None);
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_crashed_renderer_fails_what_waits_for_it_at_once() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let pid = stage.browser.pid().unwrap();
    let waiting = tokio::spawn({
        let tab = tab.clone();
        async move {
            let _endless = hang(&tab);
            (tab.screenshot(&Limit::within(Duration::from_secs(60))).await, Instant::now())
        }
    });
    until("the renderer runs", async || !helpers(pid, "--type=renderer").is_empty()).await;
    let killed = Instant::now();
    for renderer in helpers(pid, "--type=renderer") {
        signal(renderer, Signal::KILL);
    }
    let (outcome, at) = waiting.await.unwrap();
    assert!(
        matches!(&outcome, Err(BrowserError::TabGone { gone: Gone::Crashed, url }) if url.contains("plain.html")),
        "{outcome:?}"
    );
    assert!(at - killed < Duration::from_secs(2), "told after {:?}", at - killed);
    assert!(stage.saw(|what| matches!(what, Happening::TabClosed { why: "crashed", .. })).await);
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_killed_network_service_is_survived() {
    let stage = Stage::alone().await;
    stage.at("/pages/plain.html").await;
    let pid = stage.browser.pid().unwrap();
    let network = helpers(pid, "network.mojom.NetworkService");
    assert!(!network.is_empty());
    for process in network {
        signal(process, Signal::KILL);
    }
    // The service comes back by itself; a request that was on its way may fail.
    until("a page opens again", async || stage.goes_to("/pages/plain.html", SHORT).await.is_ok()).await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_killed_graphics_process_is_survived_by_the_page_in_front() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let pid = stage.browser.pid().unwrap();
    let graphics = helpers(pid, "--type=gpu-process");
    assert!(!graphics.is_empty());
    for process in &graphics {
        signal(*process, Signal::KILL);
    }
    until("it comes back", async || {
        helpers(pid, "--type=gpu-process").iter().any(|pid| !graphics.contains(pid))
    })
    .await;
    assert_eq!(tab.gone(), None);
    assert!(tab.screenshot(&soon()).await.expect("the page is painted anew").len() > 1000);
    capture::capture(&tab).await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_crashes_by_itself_is_replaced() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let outcome = tab.call(&Crash {}, "a crash", &soon()).await.map(drop);
    assert!(matches!(outcome, Err(BrowserError::TabGone { gone: Gone::GaveUp, .. })), "{outcome:?}");
    stage.still_works().await;
    capture::capture(&stage.tab().await).await;
    for address in ["chrome://crash", "chrome://kill", "chrome://gpucrash", "about:crash"] {
        assert!(PageUrl::parse(address).is_err(), "{address}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_killed_browser_is_one_typed_error_for_everybody_at_once() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let other = stage.context.new_tab(&soon()).await.unwrap();
    let waiting: Vec<_> = [tab.clone(), other]
        .into_iter()
        .map(|tab| {
            tokio::spawn(async move {
                let _endless = hang(&tab);
                (tab.check(&Limit::within(Duration::from_secs(60))).await, Instant::now())
            })
        })
        .collect();
    let killed = Instant::now();
    signal(stage.browser.pid().unwrap(), Signal::KILL);
    for outcome in waiting {
        let (outcome, at) = outcome.await.unwrap();
        assert!(matches!(&outcome, Err(error) if error.is_lost()), "{outcome:?}");
        assert!(outcome.unwrap_err().to_string().starts_with("Browser connection lost"));
        assert!(at - killed < Duration::from_secs(2));
    }
    for outcome in [
        tab.screenshot(&soon()).await.map(drop),
        tab.navigate(&stage.page("/pages/plain.html"), &soon()).await.map(drop),
        tab.frames().await.map(drop),
        stage.context.active_tab(&soon()).await.map(drop),
        stage.context.new_tab(&soon()).await.map(drop),
        stage.context.tabs(&soon()).await.map(drop),
        stage.browser.new_context(&ContextOptions::default(), &soon()).await.map(drop),
        stage.browser.check(&soon()).await,
    ] {
        assert!(matches!(&outcome, Err(error) if error.is_lost()), "{outcome:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_stopped_browser_is_a_lost_one_and_is_ended() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    signal(stage.browser.pid().unwrap(), Signal::STOP);
    let begun = Instant::now();
    let outcome = tab.screenshot(&Limit::within(SHORT)).await;
    assert!(matches!(&outcome, Err(BrowserError::Lost { cause: Lost::Silent, .. })), "{outcome:?}");
    assert!(begun.elapsed() <= SHORT + Duration::from_millis(500));
    let next = tab.screenshot(&soon()).await;
    assert!(matches!(&next, Err(error) if error.is_lost()), "{next:?}");
    stage.end().await;
}

#[tokio::test]
async fn a_failure_of_our_own_is_a_lost_browser_for_everybody_at_once() {
    type Failure = fn(&mut crate::world::World) -> ((), Vec<crate::world::Effect>);
    let failures: [Failure; 2] =
        [|_| panic!("as the test wants it"), |_| ((), vec![crate::world::Effect::Fail])];
    for failure in failures {
        let stage = Stage::alone().await;
        let tab = stage.at("/pages/plain.html").await;
        let _endless = hang(&tab);
        let (long, begun) = (Limit::within(Duration::from_secs(60)), Instant::now());
        let (outcome, _told) = tokio::join!(tab.check(&long), tab.hub.ask(failure));
        assert!(matches!(&outcome, Err(BrowserError::Lost { cause: Lost::Unattended, .. })), "{outcome:?}");
        assert!(begun.elapsed() < Duration::from_secs(2), "told after {:?}", begun.elapsed());
        assert_eq!(stage.browser.is_lost(), Some(Lost::Unattended));
        for outcome in [
            tab.screenshot(&soon()).await.map(drop),
            stage.context.tabs(&soon()).await.map(drop),
            stage.context.new_tab(&soon()).await.map(drop),
            stage.browser.new_context(&ContextOptions::default(), &soon()).await.map(drop),
            stage.browser.check(&soon()).await,
        ] {
            assert!(matches!(&outcome, Err(error) if error.is_lost()), "{outcome:?}");
        }
        let begun = Instant::now();
        stage.end().await;
        assert!(begun.elapsed() < Duration::from_secs(5), "it ended after {:?}", begun.elapsed());
    }
}

#[tokio::test]
async fn pages_that_send_us_in_circles_are_hostile() {
    let stage = Stage::alone().await;
    let outcome = stage.goes_to("/pages/js_redirect_loop.html", Duration::from_secs(60)).await;
    assert!(
        matches!(outcome, Err(BrowserError::TabGone { gone: Gone::Hostile("redirects without end"), .. })),
        "{outcome:?}"
    );
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_hung_page_does_not_hold_up_its_neighbour() {
    let stage = Stage::alone().await;
    let hung = stage.at("/pages/plain.html").await;
    let neighbour = stage.context.new_tab(&soon()).await.unwrap();
    neighbour
        .navigate(&PageUrl::parse(&stage.site.other_url("/pages/plain.html")).unwrap(), &soon())
        .await
        .unwrap();
    let _endless = hang(&hung);
    assert!(neighbour.screenshot(&soon()).await.is_ok());
    let outcome = hung.check(&Limit::within(SHORT)).await;
    assert!(matches!(outcome, Err(BrowserError::TabGone { gone: Gone::Unresponsive, .. })), "{outcome:?}");
    assert_eq!(neighbour.gone(), None);
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_of_a_memory_bomb_dies_alone() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let bomb = "const all = []; for (;;) all.push(new Array(1e6).fill(all.length))";
    let outcome = gesture(&tab, bomb).await;
    assert!(matches!(outcome, Err(BrowserError::TabGone { gone: Gone::GaveUp, .. })), "{outcome:?}");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_is_busy_after_its_arrival_is_left_in_peace() {
    let busy = "<title>Busy</title><script>addEventListener('DOMContentLoaded', () => \
        setTimeout(() => { for (const end = Date.now() + 5000; Date.now() < end;); }, 0))</script>";
    let stage = Stage::with(Site::builder().page("/busy.html", busy).start().await, &[]).await;
    stage.goes_to("/busy.html", Duration::from_secs(30)).await.expect("it arrived");
    let tab = stage.tab().await;
    assert_eq!((tab.gone(), tab.url()), (None, stage.site.url("/busy.html")));
    assert_eq!(read::<String>(&tab, "document.title").await, "Busy");
    stage.end().await;
}

#[tokio::test]
async fn a_short_limit_is_no_evidence_against_page_or_browser() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    gesture(&tab, "setTimeout(() => { for (const end = Date.now() + 3000; Date.now() < end;); }, 0)")
        .await
        .unwrap();
    for short in [Duration::ZERO, Duration::from_millis(500)] {
        let outcome = tab.check(&Limit::within(short)).await;
        assert!(matches!(outcome, Err(BrowserError::Timeout { .. })), "{outcome:?}");
    }
    let spent = stage.context.tabs(&Limit::within(Duration::ZERO)).await.map(drop);
    assert!(matches!(spent, Err(BrowserError::Timeout { .. })), "{spent:?}");
    assert_eq!((tab.gone(), stage.browser.is_lost()), (None, None));
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_lost_browser_is_told_even_where_only_extras_are_read() {
    let stage = Stage::alone().await;
    let slow = PageUrl::parse(&stage.site.url("/slow?ms=1500")).unwrap();
    let tab = stage.tab().await;
    let going = tokio::spawn(async move { tab.navigate(&slow, &soon()).await });
    until("the server is asked", async || !stage.site.hits_of("/slow").is_empty()).await;
    signal(stage.browser.pid().unwrap(), Signal::KILL);
    let outcome = going.await.unwrap();
    assert!(matches!(&outcome, Err(error) if error.is_lost()), "{outcome:?}");
    stage.end().await;
}

#[tokio::test]
async fn a_start_that_was_called_off_ends_before_there_is_a_process() {
    let called_off = tokio_util::sync::CancellationToken::new();
    called_off.cancel();
    let limit = soon().cancelled_by(called_off);
    let begun = Instant::now();
    let outcome = Browser::launch(&LaunchOptions::default(), &limit).await.map(drop);
    assert!(matches!(outcome, Err(BrowserError::Cancelled { .. })), "{outcome:?}");
    assert!(begun.elapsed() < Duration::from_millis(50), "{:?}", begun.elapsed());
}
