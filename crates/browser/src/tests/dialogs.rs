//! Dialogs: answered on their own, held for a decision, or the end of a hostile page.

use super::*;

#[tokio::test]
async fn an_alert_on_load_is_accepted_and_recorded() {
    let stage = Stage::alone().await;
    stage.goes_to("/pages/alert_on_load.html", Duration::from_secs(10)).await.expect("the page opens");
    assert!(
        stage
            .saw(|what| matches!(what, Happening::Dialog { kind: DialogKind::Alert, answer: "accepted", .. }))
            .await
    );
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn alert_storms_end_as_hostile_pages() {
    let stage = Stage::alone().await;
    for page in ["/pages/alert_storm.html", "/pages/endless_alerts.html"] {
        let outcome = stage.goes_to(page, Duration::from_secs(20)).await;
        assert!(
            matches!(outcome, Err(BrowserError::TabGone { gone: Gone::Hostile(_), .. })),
            "{page}: {outcome:?}"
        );
        stage.still_works().await;
    }
    stage.end().await;
}

#[tokio::test]
async fn questions_without_end_wait_one_at_a_time_and_end_as_a_hostile_page() {
    let stage = Stage::alone().await;
    let tab = stage.tab().await;
    let asked = tab.navigate(&stage.page("/pages/endless_confirms.html"), &soon()).await;
    assert!(matches!(asked, Err(BrowserError::DialogOpen { kind: DialogKind::Confirm, .. })), "{asked:?}");
    // Whoever says no to each gets the next one, until there were too many.
    until("there were too many", async || {
        let _ = tab.answer_dialog(DialogAnswer::Dismiss).await;
        matches!(tab.screenshot(&soon()).await, Err(BrowserError::TabGone { gone: Gone::Hostile(_), .. }))
    })
    .await;
    let hostile = |what: &Happening| matches!(what, Happening::TabClosed { why: "a storm of dialogs", .. });
    assert!(stage.saw(hostile).await);
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn an_alert_in_a_foreign_frame_is_answered_too() {
    let frame = "<title>Outer</title><iframe src='{{OTHER}}/inner.html'></iframe>";
    let inner = "<script>alert('from inside'); fetch('/said')</script>";
    let site = Site::builder().page("/outer.html", frame).page("/inner.html", inner).start().await;
    let stage = Stage::with(site, &[]).await;
    stage.at("/outer.html").await;
    until("the frame goes on", async || !stage.site.hits_of("/said").is_empty()).await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_question_waits_for_a_decision_and_blocks_nothing_else() {
    let stage = Stage::alone().await;
    for (answer, heard) in [(DialogAnswer::Accept(None), "true"), (DialogAnswer::Dismiss, "false")] {
        let tab = stage.at("/pages/confirm_on_click.html").await;
        let asked = gesture(&tab, "document.querySelector('button').click()").await;
        assert!(
            matches!(asked, Err(BrowserError::DialogOpen { kind: DialogKind::Confirm, .. })),
            "{asked:?}"
        );
        assert_eq!(tab.dialog().unwrap().message, "Delete everything?");
        let blocked = tab.screenshot(&soon()).await;
        assert!(matches!(blocked, Err(BrowserError::DialogOpen { .. })), "{blocked:?}");
        assert!(stage.context.new_tab(&soon()).await.unwrap().screenshot(&soon()).await.is_ok());
        assert!(tab.answer_dialog(answer.clone()).await.unwrap());
        until("the page hears the answer", async || {
            read::<String>(&tab, "document.querySelector('#answer').textContent").await == heard
        })
        .await;
        assert!(!tab.answer_dialog(answer).await.unwrap(), "answered twice");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_prompt_gets_the_text_that_was_decided() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/prompt_on_click.html").await;
    let asked = gesture(&tab, "document.querySelector('button').click()").await;
    assert!(matches!(asked, Err(BrowserError::DialogOpen { kind: DialogKind::Prompt, .. })), "{asked:?}");
    assert!(tab.answer_dialog(DialogAnswer::Accept(Some("forty-two".into()))).await.unwrap());
    until("the page hears the text", async || {
        read::<String>(&tab, "document.body.innerText").await.contains("forty-two")
    })
    .await;
    stage.end().await;
}

#[tokio::test]
async fn a_waiting_question_does_not_keep_us_from_leaving() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/confirm_on_click.html").await;
    let _asked = gesture(&tab, "document.querySelector('button').click()").await;
    assert!(tab.dialog().is_some());
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_page_is_left_by_our_wish_but_not_by_its_own() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/beforeunload.html").await;
    gesture(&tab, "document.querySelector('a').click()").await.unwrap();
    until("the page asks", async || {
        let dismissed = |what: &Happening| {
            matches!(what, Happening::Dialog { kind: DialogKind::BeforeUnload, answer: "dismissed", .. })
        };
        stage.saw(dismissed).await
    })
    .await;
    assert!(tab.url().ends_with("/pages/beforeunload.html"));
    stage.still_works().await;
    let accepted = |what: &Happening| {
        matches!(what, Happening::Dialog { kind: DialogKind::BeforeUnload, answer: "accepted", .. })
    };
    assert!(stage.saw(accepted).await);
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_we_did_not_leave_has_its_say_again() {
    let stage = Stage::alone().await;
    for visit in ["/pages/confirm_on_click.html#part", "/status/204", "/download/file.txt", "/no-answer"] {
        let tab = stage.at("/pages/confirm_on_click.html").await;
        let _stayed = stage.goes_to(visit, Duration::from_secs(2)).await;
        assert!(tab.url().contains("confirm_on_click"), "{visit}: {}", tab.url());
        let asked = gesture(&tab, "document.querySelector('button').click()").await;
        assert!(matches!(asked, Err(BrowserError::DialogOpen { .. })), "{visit}: {asked:?}");
        assert!(tab.answer_dialog(DialogAnswer::Dismiss).await.unwrap());
    }
    stage.end().await;
}
