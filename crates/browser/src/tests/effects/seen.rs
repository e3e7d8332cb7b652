//! Effects on the page itself.

use super::*;

#[tokio::test]
async fn a_press_that_does_nothing_is_told_as_nothing() {
    let stage = Stage::new().await;
    stage.at(BUTTONS).await;
    for _ in 0..3 {
        let pressed = press(&stage, "nothing").await;
        assert_eq!(pressed.quiet(), Effects::default());
    }
    stage.end().await;
}

#[tokio::test]
async fn values_documents_focus_and_scrolling_are_told_apart() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    let nothing = Effects::default();
    assert_eq!(press(&stage, "box").await.quiet(), Effects { value_changed: true, ..nothing.clone() });
    assert_eq!(press(&stage, "grow").await.quiet(), Effects { dom_changed: true, ..nothing.clone() });
    assert_eq!(press(&stage, "inside").await.quiet(), Effects { dom_changed: true, ..nothing.clone() });
    assert_eq!(press(&stage, "scroll").await.quiet(), Effects { scrolled: true, ..nothing.clone() });
    assert_eq!(press(&stage, "focus").await.quiet(), Effects { focus_moved: true, ..nothing.clone() });
    assert_eq!(press(&stage, "field").await.quiet(), nothing, "keys go to what was pressed");
    let (element, epoch) = element(&tab, "choice").await;
    let choose = async || {
        gesture(&tab, "choice.selectedIndex = 1").await.unwrap();
    };
    let chosen = watched(&stage, &tab, Some((&element, &epoch)), &soon(), choose).await;
    assert_eq!(chosen.quiet(), Effects { value_changed: true, ..nothing });
    let list: String = read(&tab, "list.textContent").await;
    assert_eq!(list, "more", "the page's own record");
    stage.end().await;
}

#[tokio::test]
async fn a_change_of_address_within_a_document_is_told_as_a_navigation() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    for (id, from, to) in
        [("push", BUTTONS, "/pages/pushed"), ("fragment", "/pages/pushed", "/pages/pushed#list")]
    {
        let effects = press(&stage, id).await.quiet();
        let navigated = effects.navigated.clone().unwrap();
        assert_eq!(navigated.from.untrusted(), stage.site.url(from));
        assert_eq!(navigated.to.untrusted(), stage.site.url(to));
        assert!(!effects.dom_changed && effects.requests.is_empty(), "{effects:?}");
    }
    assert!(tab.url().ends_with("#list"));
    stage.end().await;
}

#[tokio::test]
async fn dialogs_that_are_answered_and_dialogs_that_wait() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    let alerted = press(&stage, "alert").await.quiet();
    let dialog = alerted.dialog.unwrap();
    assert_eq!(
        (dialog.kind.as_str(), dialog.message.untrusted(), dialog.answer),
        ("alert", "Look out", "accepted")
    );
    assert!(alerted.dom_changed);
    let asked = press(&stage, "confirm").await;
    assert!(matches!(asked.after, Ok(After::DialogOpen)), "{asked:?}");
    assert!(asked.took < Duration::from_secs(2), "{asked:?}");
    assert_eq!(asked.effects.dialog.unwrap().answer, "held");
    let answered = perform(&stage, Intent::HandleDialog { accept: true, text: None }).await.unwrap();
    assert_eq!(answered.after, After::Quiet);
    assert!(answered.receipt.effects.dom_changed, "{answered:?}");
    assert_eq!(answered.receipt.effects.requests[0].path.untrusted(), "/echo");
    press(&stage, "prompt").await;
    let text = Some("Ada".to_owned());
    perform(&stage, Intent::HandleDialog { accept: true, text: text.clone() }).await.unwrap();
    let list: String = read(&tab, "list.textContent").await;
    assert_eq!(list, "seenanswer truenamed Ada");
    let none = perform(&stage, Intent::HandleDialog { accept: true, text }).await.unwrap_err();
    assert!(matches!(none.why, Blocked::NotApplicable { .. }) && none.permit.is_some(), "{none:?}");
    stage.end().await;
}

#[tokio::test]
async fn new_tabs_downloads_and_tabs_that_close_themselves() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    let opened = press(&stage, "tab").await;
    let new_tab = opened.effects.new_tab.expect("a tab was opened");
    assert_eq!(opened.sent(), [("GET", "/pages/plain.html", Some(200))]);
    assert!(opened.effects.navigated.is_none() && matches!(opened.after, Ok(After::Quiet)), "{opened:?}");
    let front = stage.tab().await;
    assert_eq!(
        (front.id(), read::<String>(&front, "document.title").await.as_str()),
        (new_tab, "Plain page")
    );
    stage.context.switch_to(tab.id()).await.unwrap();
    let pressed = press(&stage, "file").await.quiet();
    let download = pressed.download.clone().unwrap_or_else(|| panic!("a file came down: {pressed:?}"));
    assert_eq!((download.name.untrusted(), download.bytes, download.stopped), ("report.txt", Some(15), None));
    assert!(pressed.navigated.is_none(), "{pressed:?}");
    assert!(stage.context.downloads().join("report.txt").exists());
    gesture(&front, "window.open('/pages/effect_buttons.html')").await.unwrap();
    let popup = stage.tab().await;
    until("the popup is there", async || popup.url().ends_with(BUTTONS) && popup.loaded(&soon()).await).await;
    let closed = press(&stage, "close").await;
    assert!(matches!(closed.after, Ok(After::Quiet)), "{closed:?}");
    assert_eq!(closed.effects.closed_tab, Some(popup.id()));
    stage.end().await;
}
