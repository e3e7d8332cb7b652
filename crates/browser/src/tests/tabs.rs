//! Tabs: followed when pages open them, few at a time, closed when they fail.

use super::*;

const CLICK: &str = "document.querySelector('a, button').click()";

async fn ids(stage: &Stage) -> Vec<String> {
    stage.context.tabs(&soon()).await.unwrap().into_iter().map(|tab| tab.id.to_string()).collect()
}

#[tokio::test]
async fn a_tab_is_born_blank_in_front_and_focused_and_paints_in_the_background() {
    let stage = Stage::alone().await;
    let behind = stage.tab().await;
    assert_eq!((behind.id().to_string().as_str(), behind.url().as_str()), ("t1", "about:blank"));
    let front = stage.context.new_tab(&soon()).await.unwrap();
    for tab in [&behind, &front] {
        assert_eq!(
            read::<(bool, String)>(tab, "[document.hasFocus(), document.visibilityState]").await,
            (true, "visible".into())
        );
        gesture(tab, "requestAnimationFrame(() => requestAnimationFrame(() => document.title = 'painted'))")
            .await
            .unwrap();
        until("two frames are painted", async || read::<String>(tab, "document.title").await == "painted")
            .await;
        assert!(tab.screenshot(&soon()).await.is_ok());
    }
    stage.end().await;
}

#[tokio::test]
async fn a_link_to_a_new_tab_is_followed_and_the_way_back_works() {
    let stage = Stage::alone().await;
    let first = stage.at("/pages/new_tab_link.html").await;
    gesture(&first, CLICK).await.unwrap();
    until("the new tab is in front", async || stage.tab().await.id() != first.id()).await;
    let second = stage.tab().await;
    until("it has loaded", async || second.url().ends_with("/pages/plain.html")).await;
    assert!(
        stage.saw(|what| matches!(what, Happening::TabOpened { opener: Some(opener), .. } if *opener == first.id())).await
    );
    until("it is told where the new tab went", async || {
        let told = stage.context.happenings(0).await.unwrap();
        told.iter().any(|recorded| {
            recorded.at_ms > 1_700_000_000_000
                && matches!(&recorded.what, Happening::TabFollowed { tab, url, title }
                    if *tab == second.id() && url.ends_with("/pages/plain.html") && title == "Plain page")
        })
    })
    .await;
    stage.context.switch_to(first.id()).await.unwrap();
    assert_eq!(stage.tab().await.id(), first.id());
    stage.context.close_tab(first.id()).await.unwrap();
    assert_eq!(stage.tab().await.id(), second.id());
    let gone = first.screenshot(&soon()).await;
    assert!(matches!(gone, Err(BrowserError::TabGone { gone: Gone::Closed, .. })), "{gone:?}");
    let unknown = stage.context.switch_to(first.id()).await;
    assert!(matches!(unknown, Err(BrowserError::NoSuchTab)), "{unknown:?}");
    stage.end().await;
}

#[tokio::test]
async fn there_are_at_most_three_tabs_and_the_oldest_idle_one_goes() {
    let stage = Stage::alone().await;
    for _ in 0..3 {
        stage.context.new_tab(&soon()).await.unwrap();
    }
    assert_eq!(ids(&stage).await, ["t1", "t2", "t3"]);
    stage.context.new_tab(&soon()).await.unwrap();
    assert_eq!(ids(&stage).await, ["t2", "t3", "t4"]);
    stage.context.switch_to(stage.context.tabs(&soon()).await.unwrap()[0].id).await.unwrap();
    stage.context.new_tab(&soon()).await.unwrap();
    assert_eq!(ids(&stage).await, ["t2", "t4", "t5"], "the one that was in front stays");
    let pages = helpers(stage.browser.pid().unwrap(), "--type=renderer").len();
    assert!(pages <= 6, "{pages} renderers for three tabs");
    stage.end().await;
}

#[tokio::test]
async fn a_hundred_popups_leave_three_tabs_and_a_working_browser() {
    let stage = Stage::with(Site::start().await, &["--disable-popup-blocking"]).await;
    let tab = stage.at("/pages/popups_100.html").await;
    gesture(&tab, CLICK).await.ok();
    until("the flood is refused", async || stage.saw(|what| *what == Happening::TabRefused).await).await;
    // Each of a hundred windows is opened and closed by the browser itself: seconds here, many more on a machine with other work.
    let most = Duration::from_secs(60);
    legwork_testkit::wait_until_async(most, "the flood is over", async || {
        let closed = stage.context.happenings(0).await.unwrap();
        closed.iter().filter(|recorded| recorded.what == Happening::TabRefused).count() >= 80
    })
    .await;
    assert!(stage.context.tabs(&soon()).await.unwrap().len() <= 3);
    stage.still_works().await;
    assert!(stage.context.tabs(&soon()).await.unwrap().len() <= 3);
    stage.end().await;
}

#[tokio::test]
async fn a_new_tab_that_fails_to_load_is_closed_and_the_old_one_comes_back() {
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let page = format!("<a href='http://{dead}/' target=_blank>Dead end</a>");
    let stage = Stage::with(Site::builder().page("/dead.html", page).start().await, &[]).await;
    let first = stage.at("/dead.html").await;
    gesture(&first, CLICK).await.unwrap();
    let failed = |what: &Happening| matches!(what, Happening::TabClosed { why: "failed to load", .. });
    until("the dead tab is closed", async || stage.saw(failed).await).await;
    assert_eq!(stage.tab().await.id(), first.id());
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_tab_that_closes_itself_leaves_a_valid_front() {
    let stage = Stage::with(Site::start().await, &["--disable-popup-blocking"]).await;
    let first = stage.at("/pages/plain.html").await;
    gesture(&first, "window.open('/pages/closes_itself.html')").await.unwrap();
    let closed = |what: &Happening| matches!(what, Happening::TabClosed { why: "closed", .. });
    until("the tab is gone", async || stage.saw(closed).await).await;
    assert_eq!(stage.tab().await.id(), first.id());
    stage.context.close_tab(first.id()).await.unwrap();
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_and_the_tab_that_it_opened_may_send_each_other_away_and_the_front_stays() {
    let stage = Stage::with(Site::start().await, &["--disable-popup-blocking"]).await;
    let first = stage.at("/pages/plain.html").await;
    gesture(&first, "opened = window.open('/pages/tall.html')").await.unwrap();
    until("the new tab is in front", async || stage.tab().await.id() != first.id()).await;
    let second = stage.tab().await;
    until("it has loaded", async || second.url().ends_with("/pages/tall.html")).await;

    gesture(&first, "opened.location = '/pages/confirm_on_click.html'").await.unwrap();
    until("the tab in front was sent away", async || second.url().ends_with("confirm_on_click.html")).await;
    assert_eq!((stage.tab().await.id(), second.gone()), (second.id(), None));
    assert!(second.screenshot(&soon()).await.is_ok());

    gesture(&second, "opener.location = '/pages/tall.html'").await.unwrap();
    until("the one behind was sent away", async || first.url().ends_with("/pages/tall.html")).await;
    assert_eq!(stage.tab().await.id(), second.id());
    first.screenshot(&soon()).await.expect("a picture is taken of the one behind");

    gesture(&second, "close()").await.ok();
    until("the one in front is gone", async || second.gone() == Some(Gone::Closed)).await;
    assert_eq!(stage.tab().await.id(), first.id());
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_tab_that_crashes_in_front_leaves_the_one_behind_it_there() {
    let stage = Stage::alone().await;
    let behind = stage.at("/pages/plain.html").await;
    let front = stage.context.new_tab(&soon()).await.unwrap();
    // Another site, so that it has a process of its own.
    let page = PageUrl::parse(&stage.site.other_url("/pages/tall.html")).unwrap();
    front.navigate(&page, &soon()).await.unwrap();
    assert_eq!(stage.tab().await.id(), front.id());
    let crashed = front.call(&Crash {}, "a crash", &soon()).await.map(drop);
    assert!(matches!(crashed, Err(BrowserError::TabGone { gone: Gone::GaveUp, .. })), "{crashed:?}");
    let (now, left) = (stage.tab().await, stage.context.tabs(&soon()).await.unwrap());
    assert_eq!((now.id(), now.gone(), left.len()), (behind.id(), None, 1));
    assert!(now.url().ends_with("/pages/plain.html"), "{}", now.url());
    assert!(now.screenshot(&soon()).await.expect("a picture is taken of it").len() > 1000);
    let gone = front.screenshot(&soon()).await.map(drop);
    assert!(matches!(gone, Err(BrowserError::TabGone { gone: Gone::GaveUp, .. })), "{gone:?}");
    let back = stage.context.switch_to(front.id()).await;
    assert!(matches!(back, Err(BrowserError::NoSuchTab)), "{back:?}");
    stage.still_works().await;
    assert_eq!(stage.tab().await.id(), behind.id());
    stage.end().await;
}

#[tokio::test]
async fn titles_of_pages_reach_the_list_of_tabs() {
    let stage = Stage::alone().await;
    stage.at("/pages/plain.html").await;
    until("the title is known", async || stage.context.tabs(&soon()).await.unwrap()[0].title == "Plain page")
        .await;
    stage.at("/pages/lone_surrogate_title.html").await;
    until("the odd title is known", async || {
        stage.context.tabs(&soon()).await.unwrap()[0].title.starts_with('a')
    })
    .await;
    stage.end().await;
}
