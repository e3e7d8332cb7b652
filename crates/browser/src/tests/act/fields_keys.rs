//! Keys go to what they are meant for or nowhere: on elements, on the page, and where a page moves them elsewhere.

use legwork_types::Tick;

use super::{fields_kit::*, *};

#[tokio::test]
async fn a_key_on_an_element_goes_to_it() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_keys.html").await;
    let press = |text| Deed::PressKey(chord(text));
    done(&stage, "Query", press("Control+a")).await;
    done(&stage, "Query", press("x")).await;
    assert_eq!(held(&tab, "query").await, "x");
    done(&stage, "Query", press("Enter")).await;
    assert_eq!(value(&tab, "document.documentElement.dataset.sent").await, "yes");
    done(&stage, "Pay", press("Space")).await;
    assert_eq!(value(&tab, "document.documentElement.dataset.paid").await, "yes");
    done(&stage, "Query", press("Tab")).await;
    assert_eq!(value(&tab, "document.activeElement.id").await, "pay");
    let all = ["query Control", "query a", "query x", "query Enter", "pay  ", "query Tab"];
    assert_eq!(keys(&tab, "field_keys").await, all);
    stage.end().await;
}

#[tokio::test]
async fn a_key_goes_to_a_field_in_a_frame_of_another_site() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_texts.html").await;
    done(&stage, "Field in far", Deed::PressKey(chord("End"))).await;
    done(&stage, "Field in far", Deed::PressKey(chord("é"))).await;
    assert_eq!(told(&tab, "field_inner.html?far", &["input"]).await, ["input:field=oldé"]);
    done(&stage, "Field in closed", Deed::PressKey(chord("Delete"))).await;
    assert!(keys(&tab, "field_texts").await.contains(&"closed-field Delete".to_owned()));
    stage.end().await;
}

async fn press_on_page(stage: &Stage, focused: Option<&str>, key: &str) -> Result<Done, NotDone> {
    let looked = looked(stage).await;
    let permit = looked.permit_with(Intent::PressKeyOnPage(chord(key)), &[], focused);
    stage.context.act(permit, &looked.aims(), &soon()).await
}

#[tokio::test]
async fn a_key_on_the_page_goes_where_keys_went_when_it_was_looked_at() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_keys.html").await;
    press_on_page(&stage, None, "PageDown").await.expect("nothing has the keys");
    assert_eq!(keys(&tab, "field_keys").await, ["BODY PageDown"]);
    gesture(&tab, "document.getElementById('query').focus()").await.unwrap();
    press_on_page(&stage, Some("Query"), "x").await.expect("the field has the keys");
    assert!(held(&tab, "query").await.contains('x'));
    // Between the look and the key the page moves them to what should not be pressed.
    let before = keys(&tab, "field_keys").await;
    for focused in [None, Some("Query")] {
        gesture(&tab, "document.getElementById('pay').focus()").await.unwrap();
        let not = press_on_page(&stage, focused, "Enter").await.unwrap_err();
        assert!(matches!(not.why, Blocked::Obscured { .. } | Blocked::Changed), "{not:?}");
        assert!(not.permit.is_some(), "{not:?}");
    }
    assert_eq!(keys(&tab, "field_keys").await, before);
    assert_eq!(value(&tab, "document.documentElement.dataset.paid").await, "undefined");
    stage.end().await;
}

#[tokio::test]
async fn a_page_that_moves_the_keys_elsewhere_gets_none() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_hostile.html").await;
    for (name, deed) in [
        ("On focus", fill("secret")),
        ("On focus", type_in("secret")),
        ("On focus", Deed::PressKey(chord("s"))),
        ("On key", type_in("secret")),
        ("Hopping", type_in("secret")),
    ] {
        let (not, _) = refused(&stage, name, deed.clone()).await;
        let is_told = matches!(not, Blocked::Obscured { .. } | Blocked::Changed);
        assert!(is_told, "{name} {deed:?}: {not:?}");
        assert_eq!(held(&tab, "victim").await, "", "{name} {deed:?}");
        gesture(&tab, "document.activeElement.blur()").await.unwrap();
    }
    // Whoever is faster: what is written goes to the field that was meant, or nowhere.
    let _ = act_on(&stage, "Later", fill("secret")).await;
    let _ = act_on(&stage, "Later", type_in("secret")).await;
    assert_eq!(held(&tab, "victim").await, "");
    let inputs = told(&tab, "field_hostile", &["input"]).await;
    assert!(inputs.iter().all(|input| !input.contains("victim")), "{inputs:?}");
    stage.end().await;
}

#[tokio::test]
async fn what_leaves_the_page_is_done() {
    let stage = Stage::new().await;
    for (name, deed) in [
        ("Leaving", Deed::PressKey(chord("Enter"))),
        ("Leaving", type_in("words\n")),
        ("Jump", label("Plain")),
    ] {
        let tab = opened(&stage, "field_keys.html").await;
        assert!(done(&stage, name, deed.clone()).await, "{name} {deed:?}");
        until("the page is left", async || tab.url().contains("/pages/plain.html")).await;
    }
    stage.end().await;
}

#[tokio::test]
async fn what_the_page_asks_about_is_done_and_waits_for_an_answer() {
    let stage = Stage::new().await;
    let tab = opened(&stage, "field_keys.html").await;
    for (name, deed) in
        [("Confirm", Deed::PressKey(chord("Enter"))), ("Asking", label("Two")), ("Ask", Deed::Tick(Tick::On))]
    {
        let done = act_on(&stage, name, deed).await.unwrap_or_else(|not| panic!("{name}: {not:?}"));
        assert!(done.receipt.dispatched && done.after == After::DialogOpen, "{name}: {done:?}");
        assert!(tab.answer_dialog(DialogAnswer::Dismiss).await.unwrap(), "{name}");
        let asked = "document.documentElement.dataset.answer";
        until("it is answered", async || {
            let main = tab.frames().await.unwrap()[0].id.clone();
            let answer = tab.value::<String>(&main, &format!("String({asked})"), &soon()).await;
            answer.is_ok_and(|answer| answer == "false")
        })
        .await;
        gesture(&tab, "delete document.documentElement.dataset.answer").await.unwrap();
    }
    stage.end().await;
}
