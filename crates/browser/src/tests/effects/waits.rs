//! Waiting for something of a page.

use legwork_types::{Awaited, Wait};

use super::*;

async fn waits(stage: &Stage, what: Awaited, ms: u64) -> Result<Done, NotDone> {
    perform(stage, Intent::Wait(Wait { what, ms })).await
}

fn is_timeout(outcome: &Result<Done, NotDone>) -> bool {
    matches!(outcome, Err(NotDone { why: Blocked::Browser(BrowserError::Timeout { .. }), .. }))
}

/// Has the page do something a while from now.
async fn later(tab: &Tab, script: &str) {
    gesture(tab, &format!("setTimeout(() => {{ {script} }}, 300)")).await.unwrap();
}

#[tokio::test]
async fn words_are_waited_for_in_every_frame_and_shadow_root() {
    let stage = Stage::new().await;
    let tab = stage.at("/pages/effect_frames.html").await;
    assert!(tab.loaded(&soon()).await);
    let more = Awaited::Text("MORE".to_owned());
    assert!(is_timeout(&waits(&stage, more.clone(), 400).await));
    act::click(&stage, "Grow").await.expect("it is pressed");
    waits(&stage, more, 10_000).await.expect("a foreign frame says it");
    let tab = stage.at(BUTTONS).await;
    // Again and again, so that it changes while it is waited for, however late that begins.
    let words = "list.innerHTML = '<li>Two <b>words</b> <i style=display:none>hidden</i></li>'";
    later(&tab, &format!("setInterval(() => {{ {words} }}, 5)")).await;
    let done = waits(&stage, Awaited::Text("two words".to_owned()), 10_000).await.unwrap();
    assert!(done.receipt.effects.dom_changed && !done.receipt.dispatched, "{done:?}");
    assert!(is_timeout(&waits(&stage, Awaited::Text("hidden".to_owned()), 300).await), "nobody can read it");
    waits(&stage, Awaited::Text("In a shadow root".to_owned()), 10_000)
        .await
        .expect("it is in a shadow root");
    assert!(is_timeout(&waits(&stage, Awaited::TextGone("two words".to_owned()), 300).await));
    later(&tab, "list.hidden = true").await;
    waits(&stage, Awaited::TextGone("two words".to_owned()), 10_000).await.expect("they went");
    stage.end().await;
}

#[tokio::test]
async fn addresses_elements_and_usable_pages_are_waited_for() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    later(&tab, "location = '/slow?ms=300'").await;
    let done = waits(&stage, Awaited::Url("/slow".to_owned()), 10_000).await.unwrap();
    assert!(done.receipt.effects.navigated.is_some(), "{done:?}");
    assert!(is_timeout(&waits(&stage, Awaited::Url("/nowhere".to_owned()), 300).await));
    let tab = stage.at(BUTTONS).await;
    later(&tab, "inside.shadowRoot.innerHTML = '<i class=come>come</i>'").await;
    waits(&stage, Awaited::Selector("i.come".to_owned()), 10_000).await.expect("it is in a shadow root");
    let bad = waits(&stage, Awaited::Selector("i..".to_owned()), 10_000).await.unwrap_err();
    assert!(matches!(bad.why, Blocked::NotApplicable { .. }), "{bad:?}");
    waits(&stage, Awaited::Interactive, 10_000).await.expect("it can be used");
    let curtain = "document.body.insertAdjacentHTML('beforeend', \
                   '<div id=curtain style=\"position:fixed;inset:0\">Please wait</div>')";
    gesture(&tab, curtain).await.unwrap();
    assert!(is_timeout(&waits(&stage, Awaited::Interactive, 300).await));
    later(&tab, "curtain.remove()").await;
    waits(&stage, Awaited::Interactive, 10_000).await.expect("the curtain is gone");
    stage.end().await;
}

#[tokio::test]
async fn an_idle_network_and_time_itself_are_waited_for() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    gesture(&tab, "fetch('/slow?ms=1000').then(() => list.append('come'))").await.unwrap();
    waits(&stage, Awaited::NetworkIdle, 10_000).await.expect("nothing is on its way");
    assert_eq!(read::<String>(&tab, "list.textContent").await, "come");
    let begun = Instant::now();
    waits(&stage, Awaited::Nothing, 400).await.expect("time passes");
    assert!(begun.elapsed() >= Duration::from_millis(400));
    stage.end().await;
}

#[tokio::test]
async fn a_question_of_the_page_ends_a_wait() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    later(&tab, "confirm('Really?')").await;
    let ended = waits(&stage, Awaited::Text("never there".to_owned()), 15_000).await.unwrap_err();
    assert!(matches!(ended.why, Blocked::Browser(BrowserError::DialogOpen { .. })), "{ended:?}");
    assert_eq!(ended.receipt.effects.dialog.unwrap().answer, "held");
    let begun = Instant::now();
    let passed = waits(&stage, Awaited::Nothing, 15_000).await.unwrap();
    assert!(passed.after == After::DialogOpen && begun.elapsed() < Duration::from_secs(5));
    stage.end().await;
}

#[tokio::test]
async fn what_somebody_wrote_is_not_found_out_by_waiting() {
    let stage = Stage::new().await;
    let tab = stage.at(BUTTONS).await;
    let field = "document.body.insertAdjacentHTML('beforeend', '<input type=password name=pin value=4711>')";
    gesture(&tab, field).await.unwrap();
    for selector in ["input[value^='4']", "input[value^='5']", "p:is([value])", "[v\\61lue^='4']"] {
        let not = waits(&stage, Awaited::Selector(selector.to_owned()), 5_000).await.unwrap_err();
        let Blocked::NotApplicable { why } = &not.why else { panic!("{selector}: {not:?}") };
        assert!(why.contains("aria-*") && not.permit.is_some(), "{selector}: {why}");
    }
    let field = Awaited::Selector("input[name=pin][type='password']:not([disabled])".to_owned());
    waits(&stage, field, 10_000).await.expect("what it is may be asked for");
    stage.end().await;
}
