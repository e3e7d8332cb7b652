//! Frames: of the same site and of another, nested and late, each one reachable.

use legwork_types::FrameId;

use super::*;

/// A page that holds one frame of another site, in a process of its own.
async fn with_foreign_frame() -> (Stage, Tab, FrameId) {
    let outer = "<p>outer</p><iframe src='{{OTHER}}/pages/plain.html'></iframe>";
    let stage = Stage::with(Site::builder().page("/outer.html", outer).start().await, &[]).await;
    let tab = stage.at("/outer.html").await;
    until("the frame is there", async || {
        tab.frames().await.unwrap().get(1).is_some_and(|frame| frame.out_of_process && !frame.url.is_empty())
    })
    .await;
    let inner = tab.frames().await.unwrap()[1].id.clone();
    (stage, tab, inner)
}

#[tokio::test]
async fn every_frame_at_every_depth_can_be_read() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/frames_nested.html").await;
    until("four levels are there", async || {
        let frames = tab.frames().await.unwrap();
        frames.len() == 4 && frames.iter().all(|frame| frame.url.contains("frames_nested"))
    })
    .await;
    let frames = tab.frames().await.unwrap();
    for (level, frame) in frames.iter().enumerate() {
        assert_eq!(frame.out_of_process, level > 0, "{}", frame.url);
        assert_eq!(frame.parent.as_ref(), level.checked_sub(1).map(|above| &frames[above].id));
        let address = tab.value::<String>(&frame.id, "location.href", &soon()).await.unwrap();
        assert_eq!(address, frame.url);
    }
    stage.end().await;
}

#[tokio::test]
async fn frames_of_the_same_site_share_the_session_and_are_listed_too() {
    let outer = "<iframe src='/one.html' name=one></iframe><iframe srcdoc='<p>two</p>' name=two></iframe>";
    let site = Site::builder().page("/outer.html", outer).page("/one.html", "<p>one</p>").start().await;
    let stage = Stage::with(site, &[]).await;
    let tab = stage.at("/outer.html").await;
    until("both frames are there", async || {
        let frames = tab.frames().await.unwrap();
        frames.len() == 3 && frames.iter().all(|frame| !frame.url.is_empty())
    })
    .await;
    let frames = tab.frames().await.unwrap();
    assert!(frames.iter().all(|frame| !frame.out_of_process));
    let mut texts = Vec::new();
    for frame in &frames[1..] {
        texts.push(tab.value::<String>(&frame.id, "document.body.innerText", &soon()).await.unwrap());
    }
    texts.sort();
    assert_eq!(texts, ["one", "two"]);
    stage.end().await;
}

#[tokio::test]
async fn frames_come_go_and_move_between_processes() {
    let outer = "<iframe src='/one.html'></iframe>";
    let site = Site::builder().page("/outer.html", outer).page("/one.html", "<p>one</p>").start().await;
    let stage = Stage::with(site, &[]).await;
    let tab = stage.at("/outer.html").await;
    let frame = async || tab.frames().await.unwrap().get(1).cloned();
    until("the frame is there", async || frame().await.is_some_and(|frame| frame.url.ends_with("/one.html")))
        .await;
    for _ in 0..3 {
        let away =
            format!("document.querySelector('iframe').src = '{}'", stage.site.other_url("/one.html?away"));
        gesture(&tab, &away).await.unwrap();
        until("it lives elsewhere", async || {
            frame().await.is_some_and(|frame| frame.out_of_process && frame.url.ends_with("?away"))
        })
        .await;
        let id = frame().await.unwrap().id;
        let inside = tab.value::<String>(&id, "location.search", &soon()).await.unwrap();
        assert_eq!(inside, "?away");
        gesture(&tab, "document.querySelector('iframe').src = '/one.html?back'").await.unwrap();
        until("it is back", async || {
            frame().await.is_some_and(|frame| !frame.out_of_process && frame.url.ends_with("?back"))
        })
        .await;
    }
    let id = frame().await.unwrap().id;
    gesture(&tab, "document.querySelector('iframe').remove()").await.unwrap();
    until("it is gone", async || tab.frames().await.unwrap().len() == 1).await;
    let gone = tab.evaluate(&id, "1", &soon()).await;
    assert!(matches!(gone, Err(BrowserError::FrameGone)), "{gone:?}");
    stage.end().await;
}

#[tokio::test]
async fn frames_of_an_old_document_are_gone_with_it() {
    let stage = Stage::alone().await;
    for next in [stage.site.url("/pages/plain.html"), stage.site.other_url("/pages/plain.html")] {
        let tab = stage.at("/pages/frames_nested.html").await;
        until("its frames are there", async || tab.frames().await.unwrap().len() == 4).await;
        tab.navigate(&PageUrl::parse(&next).unwrap(), &soon()).await.unwrap();
        let left = tab.frames().await.unwrap();
        assert_eq!(left.len(), 1, "{left:?}");
        assert_eq!(left[0].url, next);
    }
    stage.end().await;
}

#[tokio::test]
async fn a_hung_frame_is_told_from_a_slow_page() {
    let (stage, tab, inner) = with_foreign_frame().await;
    let hung = tab.evaluate(&inner, "for (;;);", &Limit::within(Duration::from_secs(5))).await;
    assert!(matches!(hung, Err(BrowserError::FrameHung { .. })), "{hung:?}");
    assert_eq!(read::<String>(&tab, "document.querySelector('p').textContent").await, "outer");
    stage.end().await;
}

#[tokio::test]
async fn reading_while_the_page_moves_on_is_no_defect() {
    let hop = "<script>setTimeout(() => location.replace('/hop.html?' + Math.random()), 300)</script>";
    let stage = Stage::with(Site::builder().page("/hop.html", hop).start().await, &[]).await;
    let tab = stage.at("/hop.html").await;
    let mut read = 0;
    let end = Instant::now() + Duration::from_secs(4);
    while Instant::now() < end {
        let main = tab.frames().await.unwrap()[0].id.clone();
        match tab.value::<String>(&main, "location.pathname", &soon()).await {
            Ok(path) => {
                assert_eq!(path, "/hop.html");
                read += 1;
            }
            Err(error) => assert!(matches!(error, BrowserError::FrameGone), "{error:?}"),
        }
    }
    assert!(read > 10);
    stage.end().await;
}

#[tokio::test]
async fn late_frames_are_found() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/frames_late.html").await;
    until("both late frames are there", async || {
        tab.frames().await.unwrap().iter().filter(|frame| frame.out_of_process).count() == 2
    })
    .await;
    for frame in &tab.frames().await.unwrap()[1..] {
        assert!(tab.value::<String>(&frame.id, "document.title", &soon()).await.is_ok());
    }
    stage.end().await;
}

#[tokio::test]
async fn a_crashed_foreign_frame_does_not_take_the_page_along() {
    let (stage, tab, inner) = with_foreign_frame().await;
    let bomb = "for (const all = [];;) all.push(new Array(1e6).fill(all.length))";
    let crashed = tab.evaluate(&inner, bomb, &soon()).await;
    assert!(matches!(crashed, Err(BrowserError::FrameGone)), "{crashed:?}");
    assert_eq!(read::<String>(&tab, "document.querySelector('p').textContent").await, "outer");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn workers_of_every_kind_run_although_they_wait_for_us() {
    let stage = Stage::alone().await;
    for kind in ["dedicated", "shared", "service"] {
        let tab = stage.at(&format!("/pages/{kind}_worker.html")).await;
        until(kind, async || {
            let answer: String = read(&tab, "document.querySelector('#answer').textContent").await;
            answer == format!("{kind} worker heard ping")
        })
        .await;
    }
    stage.end().await;
}

#[tokio::test]
async fn frames_and_workers_elsewhere_give_no_other_name_than_the_page() {
    let outer = "<iframe src='{{OTHER}}/inner.html'></iframe><script>new Worker('/named.js')</script>";
    let site = Site::builder()
        .page("/outer.html", outer)
        .page("/inner.html", "<script>fetch('/seen?frame=' + navigator.userAgent)</script>")
        .page("/named.js", "fetch('/seen?worker=' + navigator.userAgent)")
        .start()
        .await;
    let stage = Stage::with(site, &[]).await;
    stage.at("/outer.html").await;
    until("both have asked", async || stage.site.hits_of("/seen").len() == 2).await;
    for hit in stage.site.hits_of("/seen") {
        assert!(!hit.path.contains("Headless"), "{}", hit.path);
        assert!(!hit.header("user-agent").unwrap().contains("Headless"), "{}", hit.path);
    }
    stage.end().await;
}
