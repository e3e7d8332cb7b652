//! Buttons that are pressed by way of something else: by Enter in a field, by their labels. Seen or not, they are told.

use legwork_observe::capture::{ButtonFacts, FrameLook};
use legwork_types::contract::RiskLevel::{Caution, Danger, Safe};

use super::*;

const BODY: &str = "
    <form method=get action=/a><input aria-label=Shown><button>Search</button></form>
    <form method=post action=/b><input name=elements aria-label=Unseen>
      <button type=button>Help</button><input type=submit value='Pay now' style='display:none'></form>
    <form method=post action=/c><button formaction=/delete-account formmethod=post name=do value=drop hidden><b>Delete</b> it</button>
      <input aria-label=First><button>Search</button></form>
    <form method=post action=/d><input aria-label=None></form>
    <form id=e method=get action=/e><input aria-label=Picture></form><input type=image form=e alt='Buy now' style='display:none'>
    <form method=post action=/f><input aria-label=Labelled><input id=go type=submit value='Pay now' hidden>
      <label for=go style='cursor:pointer'>Proceed</label></form>
    <form method=get action=/g><input aria-label=Harmless><button id=find hidden>Search</button>
      <label for=find style='cursor:pointer'>Go</label></form>";

async fn seen() -> (FrameLook, Look) {
    let page = format!("<!doctype html><title>Buttons</title><body>{BODY}");
    let stage = Stage::on(Site::builder().page("/", page).start().await).await;
    let tab = stage.at("/").await;
    assert!(tab.loaded(&soon()).await);
    let mut look = capture(&tab).await;
    stage.end().await;
    let understood = understood(&look);
    (look.page.frames.remove(0).look, understood)
}

#[tokio::test]
async fn the_button_that_enter_presses_is_told_with_its_form() {
    let (look, understood) = seen().await;
    let buttons = |form: usize| look.forms[form].default_buttons.clone().expect("they were looked for");
    let names = |form: usize| -> Vec<String> {
        buttons(form).iter().map(|button| button.name.untrusted().to_owned()).collect()
    };
    assert_eq!(names(0), ["Search"]);
    assert_eq!(names(1), ["Pay now"]);
    let first = ButtonFacts {
        name: "Delete it".into(),
        identifiers: Some("do drop".into()),
        form_action: Some("/delete-account".into()),
        posts: true,
    };
    assert_eq!(buttons(2), [first]);
    assert_eq!(names(3), [""; 0]);
    assert_eq!(names(4), ["Buy now"]);
    let sends = |name: &str| {
        let mut items = understood.scene().items.iter();
        let item = items.find(|item| item.affordance.name.untrusted() == name).expect("it is listed");
        item.sends.as_ref().map(|risk| risk.level)
    };
    for (name, expected) in [
        ("Shown", Safe),
        ("Unseen", Danger),
        ("First", Danger),
        ("None", Danger),
        ("Picture", Danger),
        ("Harmless", Safe),
    ] {
        assert_eq!(sends(name), Some(expected), "{name}");
    }
}

#[tokio::test]
async fn a_label_is_as_dangerous_as_the_button_that_it_presses() {
    let (_, understood) = seen().await;
    let risk = |name: &str| {
        let mut items = understood.scene().items.iter();
        let item = items.find(|item| item.affordance.name.untrusted() == name).expect("it is listed");
        item.affordance.risk.level
    };
    assert_eq!(risk("Proceed"), Danger);
    assert!(risk("Go") <= Caution, "{:?}", risk("Go"));
}
