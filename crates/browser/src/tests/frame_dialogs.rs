//! Dialogs of frames: whoever goes away while a frame asks something, only it goes. Chromium itself dies of most of this.

use super::*;

/// A site whose page holds a frame that asks: of another site, of its own, or one inside another.
async fn asking(how: &str) -> Stage {
    let asks = "<title>Asks</title><script>setTimeout(() => { alert('first'); const said = ";
    let then = "; fetch('/said-' + said) })</script>";
    let site = Site::builder()
        .page("/foreign", "<title>Outer</title><iframe src='{{OTHER}}/asks'></iframe>")
        .page("/own", "<title>Outer</title><iframe src='/asks'></iframe>")
        .page("/nested", "<title>Outer</title><iframe src='{{OTHER}}/between'></iframe>")
        .page("/between", "<title>Between</title><iframe src='{{OTHER}}/asks'></iframe>")
        .page("/there-and-back", "<title>Outer</title><iframe src='{{OTHER}}/back'></iframe>")
        .page("/back", "<title>Back</title><iframe src='{{HERE}}/asks'></iframe>")
        .page("/asks", format!("{asks}{how}{then}"))
        .start()
        .await;
    Stage::with(site, &[]).await
}

/// The tab in front, at a page whose frame has asked something that waits.
async fn asked(stage: &Stage, path: &str) -> Tab {
    let tab = stage.tab().await;
    let _landed = tab.navigate(&stage.page(path), &soon()).await;
    until("the frame asks", async || tab.dialog().is_some()).await;
    tab
}

const WHERE: [&str; 4] = ["/foreign", "/own", "/nested", "/there-and-back"];

#[tokio::test]
async fn a_question_of_a_frame_gets_its_answer() {
    let stage = asking("confirm('sure?')").await;
    for path in WHERE {
        let tab = asked(&stage, path).await;
        assert_eq!(tab.dialog().unwrap().message, "sure?");
        assert!(tab.answer_dialog(DialogAnswer::Accept(None)).await.unwrap());
        until("the frame goes on", async || !stage.site.hits_of("/said-true").is_empty()).await;
        stage.still_works().await;
    }
    stage.end().await;
}

#[tokio::test]
async fn a_page_is_left_over_a_question_of_its_frame() {
    for how in ["confirm('sure?')", "prompt('who?')"] {
        let stage = asking(how).await;
        for path in WHERE {
            let tab = asked(&stage, path).await;
            stage.still_works().await;
            assert_eq!((tab.gone(), stage.browser.is_lost()), (None, None), "{how} {path}");
        }
        stage.end().await;
    }
}

#[tokio::test]
async fn a_tab_closes_over_a_question_of_its_frame() {
    for how in ["confirm('sure?')", "prompt('who?')"] {
        let stage = asking(how).await;
        for path in WHERE {
            let tab = asked(&stage, path).await;
            stage.context.close_tab(tab.id()).await.unwrap();
            stage.still_works().await;
            assert_eq!(stage.browser.is_lost(), None, "{how} {path}");
        }
        stage.end().await;
    }
}

#[tokio::test]
async fn a_context_ends_over_a_question_of_a_frame() {
    let mut stage = asking("confirm('sure?')").await;
    for path in WHERE {
        asked(&stage, path).await;
        let next = stage.browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
        std::mem::replace(&mut stage.context, next).close(&soon()).await.unwrap();
        stage.still_works().await;
        asked(&stage, path).await;
        let next = stage.browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
        drop(std::mem::replace(&mut stage.context, next));
        stage.still_works().await;
        assert_eq!(stage.browser.is_lost(), None, "{path}");
    }
    asked(&stage, "/foreign").await;
    stage.end().await;
}

#[tokio::test]
async fn a_frame_that_is_taken_away_over_its_question_costs_its_tab_alone() {
    let stage = asking("confirm('sure?')").await;
    for path in ["/foreign", "/nested"] {
        let tab = asked(&stage, path).await;
        take_away_the_frame(&tab);
        until("the tab is gone", async || tab.gone().is_some()).await;
        assert!(matches!(tab.gone(), Some(Gone::Hostile(_))), "{:?}", tab.gone());
        stage.still_works().await;
        assert_eq!(stage.browser.is_lost(), None, "{path}");
    }
    stage.end().await;
}

/// Past the tab's own way in, on which nothing goes while it is asked something.
fn take_away_the_frame(tab: &Tab) {
    let remove = runtime::Evaluate {
        expression: "document.querySelector('iframe').remove()",
        context_id: None,
        return_by_value: true,
        await_promise: false,
    };
    drop(tab.link.post(Some(&tab.session()), &remove).unwrap());
}

#[tokio::test]
async fn a_window_closes_over_a_question_of_its_frame() {
    let stage = asking("confirm('sure?')").await;
    let opener = stage.at("/pages/plain.html").await;
    for (path, closed_by_page) in [("/foreign", true), ("/foreign", false), ("/own", false), ("/asks", false)]
    {
        gesture(&opener, &format!("w = window.open('{path}')")).await.unwrap();
        until("the window asks", async || stage.tab().await.dialog().is_some()).await;
        let window = stage.tab().await;
        assert_ne!(window.id(), opener.id());
        if closed_by_page {
            gesture(&opener, "w.close()").await.unwrap();
        } else {
            stage.context.close_tab(window.id()).await.unwrap();
        }
        until("the window is gone", async || window.gone().is_some()).await;
        assert_eq!((opener.gone(), stage.browser.is_lost()), (None, None), "{path}");
    }
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_storm_of_a_frame_ends_its_tab_alone() {
    let stage = asking("(() => { for (;;) alert('again') })()").await;
    for path in WHERE {
        let tab = stage.tab().await;
        let _landed = tab.navigate(&stage.page(path), &soon()).await;
        until("the tab is gone", async || tab.gone().is_some()).await;
        assert!(matches!(tab.gone(), Some(Gone::Hostile("a storm of dialogs"))), "{:?}", tab.gone());
        stage.still_works().await;
        assert_eq!(stage.browser.is_lost(), None, "{path}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_frame_that_objects_to_being_left_is_left_by_our_wish() {
    let objects = "<title>Objects</title><button>Touch</button><script>onbeforeunload = event => event.preventDefault()</script>";
    let outer = "<title>Outer</title><iframe src='{{OTHER}}/objects'></iframe>";
    let stage =
        Stage::with(Site::builder().page("/outer", outer).page("/objects", objects).start().await, &[]).await;
    for close in [false, true] {
        let tab = stage.at("/outer").await;
        let is_there = |frame: &Frame| frame.out_of_process && frame.url.ends_with("/objects");
        let there = async || tab.frames().await.unwrap().into_iter().find(is_there);
        until("the frame is there", async || there().await.is_some()).await;
        let session = tab.session_of(&there().await.unwrap().id).await.unwrap();
        until("the frame can object", async || touch(&tab, &session).await.is_ok()).await;
        if close {
            stage.context.close_tab(tab.id()).await.unwrap();
        }
        stage.still_works().await;
        assert_eq!(stage.browser.is_lost(), None);
    }
    let accepted = |what: &Happening| {
        matches!(what, Happening::Dialog { kind: DialogKind::BeforeUnload, answer: "accepted", .. })
    };
    assert!(stage.saw(accepted).await);
    stage.end().await;
}

/// A page may object only once somebody has done something in it.
async fn touch(tab: &Tab, session: &legwork_cdp::SessionId) -> Result<(), String> {
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Touch {
        expression: &'static str,
        user_gesture: bool,
    }
    impl legwork_cdp::Command for Touch {
        const METHOD: &'static str = "Runtime.evaluate";
    }
    const TOUCH: &str =
        "if (!window.onbeforeunload) throw 'not yet'; document.querySelector('button').click()";
    let touch = Touch { expression: TOUCH, user_gesture: true };
    let touched =
        tab.call_in(session, &touch, "a touch", &soon()).await.map_err(|error| error.to_string())?;
    match touched.read::<runtime::Evaluated<'_>>().map_err(|error| error.to_string())?.exception_details {
        Some(thrown) => Err(thrown.text.0),
        None => Ok(()),
    }
}
