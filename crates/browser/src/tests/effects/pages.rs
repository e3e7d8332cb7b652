//! What is done to the page as a whole, or to its tab.

use legwork_types::{Chord, Code, Problem, Scroll, TabId, contract::Direction};

use super::*;

#[tokio::test]
async fn going_somewhere_back_forward_and_again() {
    let stage = Stage::new().await;
    let tab = stage.at("/pages/plain.html").await;
    let went = perform(&stage, Intent::Navigate(stage.page(BUTTONS))).await.unwrap();
    assert!(went.receipt.dispatched && went.after == After::Quiet);
    let navigated = went.receipt.effects.navigated.unwrap();
    assert!(
        navigated.from.untrusted().ends_with("plain.html") && navigated.to.untrusted().ends_with(BUTTONS)
    );
    assert_eq!(went.receipt.effects.requests[0].path.untrusted(), BUTTONS);
    for (intent, address) in
        [(Intent::Back, "/pages/plain.html"), (Intent::Forward, BUTTONS), (Intent::Reload, BUTTONS)]
    {
        let done = perform(&stage, intent.clone()).await.unwrap();
        assert_eq!(done.after, After::Quiet);
        let navigated = done.receipt.effects.navigated.unwrap_or_else(|| panic!("{intent:?} goes nowhere"));
        assert!(navigated.to.untrusted().ends_with(address), "{intent:?}: {navigated:?}");
        assert_eq!(tab.url(), stage.site.url(address));
    }
    press(&stage, "push").await;
    let back = perform(&stage, Intent::Back).await.unwrap();
    assert!(back.receipt.effects.navigated.unwrap().to.untrusted().ends_with(BUTTONS));
    perform(&stage, Intent::Forward).await.unwrap();
    let nowhere = perform(&stage, Intent::Forward).await.unwrap_err();
    assert!(matches!(nowhere.why, Blocked::NotApplicable { .. }) && nowhere.permit.is_some(), "{nowhere:?}");
    assert!(nowhere.receipt.is_nothing() && !nowhere.receipt.dispatched);
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_objects_is_left_by_our_wish() {
    let stage = Stage::new().await;
    let tab = stage.at("/pages/beforeunload.html").await;
    for intent in [Intent::Reload, Intent::Navigate(stage.page(BUTTONS))] {
        gesture(&tab, "document.querySelector('input').focus()").await.unwrap();
        mouse(&tab, (60.0, 20.0)).await;
        let done = perform(&stage, intent.clone()).await.unwrap();
        assert!(done.receipt.effects.navigated.is_some(), "{intent:?}: {done:?}");
        let dialog = done.receipt.effects.dialog.unwrap_or_else(|| panic!("{intent:?}: nobody objected"));
        assert_eq!((dialog.kind.as_str(), dialog.answer), ("beforeunload", "accepted"));
    }
    stage.end().await;
}

#[tokio::test]
async fn what_can_not_be_reached_is_an_error_with_its_receipt() {
    let stage = Stage::new().await;
    stage.at("/pages/plain.html").await;
    let download = perform(&stage, Intent::Navigate(stage.page("/download/file.txt"))).await.unwrap_err();
    assert!(
        matches!(&download.why, Blocked::Browser(BrowserError::Navigation { net, .. }) if net == "download")
    );
    assert!(download.permit.is_none() && download.receipt.effects.download.is_some(), "{download:?}");
    let dead = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let dead = PageUrl::parse(&format!("http://{dead}/")).unwrap();
    let refused = perform(&stage, Intent::Navigate(dead)).await.unwrap_err();
    assert!(matches!(&refused.why, Blocked::Browser(BrowserError::Navigation { .. })), "{refused:?}");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn tabs_come_to_the_front_and_go() {
    let stage = Stage::new().await;
    let first = stage.at("/pages/plain.html").await;
    let second = stage.context.new_tab(&soon()).await.unwrap();
    let switched = perform(&stage, Intent::SwitchTab(first.id())).await.unwrap();
    assert_eq!(switched.receipt.effects.switched_tab, Some(first.id()));
    assert_eq!(stage.tab().await.id(), first.id());
    let unknown = perform(&stage, Intent::SwitchTab(TabId::nth(99))).await.unwrap_err();
    assert!(matches!(unknown.why, Blocked::Browser(BrowserError::NoSuchTab)) && unknown.permit.is_some());
    let closed = perform(&stage, Intent::CloseTab(first.id())).await.unwrap();
    assert_eq!(closed.receipt.effects, Effects { closed_tab: Some(first.id()), ..Effects::default() });
    assert_eq!(stage.tab().await.id(), second.id());
    let last = perform(&stage, Intent::CloseTab(second.id())).await.unwrap();
    let new_tab = last.receipt.effects.new_tab.expect("an empty one comes");
    assert_eq!((stage.tab().await.id(), stage.tab().await.url().as_str()), (new_tab, "about:blank"));
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn only_a_prompt_that_is_accepted_takes_a_text() {
    let stage = Stage::new().await;
    stage.at(BUTTONS).await;
    press(&stage, "confirm").await;
    let text = Some("yes".to_owned());
    let refused = perform(&stage, Intent::HandleDialog { accept: true, text }).await.unwrap_err();
    assert!(matches!(refused.why, Blocked::NotApplicable { .. }) && refused.permit.is_some());
    let dismissed = perform(&stage, Intent::HandleDialog { accept: false, text: None }).await.unwrap();
    assert_eq!(dismissed.after, After::Quiet);
    assert_eq!(read::<String>(&stage.tab().await, "list.textContent").await, "answer false");
    stage.end().await;
}

#[tokio::test]
async fn a_form_is_not_sent_again_by_loading_its_answer_again() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    let send = "(() => { const form = document.body.appendChild(document.createElement('form')); \
        form.method = 'post'; form.action = '/echo?order'; form.submit() })()";
    gesture(&tab, send).await.unwrap();
    until("the answer is there", async || tab.url().ends_with("/echo?order")).await;
    let refused = perform(&stage, Intent::Reload).await.unwrap_err();
    assert!(matches!(refused.why, Blocked::NotApplicable { .. }) && refused.permit.is_some(), "{refused:?}");
    let sent = || stage.site.hits().iter().filter(|hit| hit.method == "POST").count();
    assert_eq!(sent(), 1);

    perform(&stage, Intent::Navigate(stage.page(BUTTONS))).await.unwrap();
    perform(&stage, Intent::Reload).await.unwrap();
    assert_eq!(sent(), 1);
    stage.end().await;
}

#[tokio::test]
async fn a_tab_that_was_not_looked_at_gets_nothing() {
    const TALL: &str = "/pages/plain.html?tall";
    let stage = Stage::new().await;
    let seen = stage.at("/pages/plain.html").await;
    stage.at(BUTTONS).await;
    // As if a page had opened it since.
    let newcomer = stage.context.new_tab(&soon()).await.unwrap();
    newcomer.navigate(&stage.page(TALL), &soon()).await.unwrap();
    let listen = "document.title = ''; document.body.style.height = '5000px';
        for (const kind of ['keydown', 'scroll']) addEventListener(kind, () => document.title += kind); true";
    assert!(read::<bool>(&newcomer, listen).await);
    let heard = async || read::<String>(&newcomer, "document.title").await;
    let key = Chord::parse("x").unwrap();
    let down = Scroll { direction: Direction::Down, pixels: 100 };
    for intent in [
        Intent::Navigate(stage.page("/pages/plain.html")),
        Intent::Back,
        Intent::Forward,
        Intent::Reload,
        Intent::PressKeyOnPage(key.clone()),
        Intent::ScrollPage(down),
    ] {
        let refused = perform_in(&stage, Some(seen.id()), intent.clone(), &soon()).await.unwrap_err();
        assert!(matches!(refused.why, Blocked::OtherTab) && refused.permit.is_some(), "{intent:?}");
        assert_eq!(Problem::from(&refused.why).code, Code::StaleObservation);
        assert!(!refused.receipt.dispatched && refused.receipt.is_nothing());
    }
    assert_eq!(seen.url(), stage.site.url(BUTTONS));
    assert_eq!(newcomer.url(), stage.site.url(TALL));
    assert_eq!(heard().await, "");
    perform_in(&stage, Some(newcomer.id()), Intent::PressKeyOnPage(key), &soon()).await.unwrap();
    assert_eq!(heard().await, "keydown");
    perform_in(&stage, None, Intent::SwitchTab(seen.id()), &soon()).await.unwrap();
    perform_in(&stage, Some(seen.id()), Intent::Back, &soon()).await.unwrap();
    assert_eq!(seen.url(), stage.site.url("/pages/plain.html"));
    stage.end().await;
}
