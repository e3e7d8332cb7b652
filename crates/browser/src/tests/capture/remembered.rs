//! How long an element of a look can be found again: two looks, while it is in the page, in the same document.

use serde::de::IgnoredAny;

use super::*;

#[tokio::test]
async fn elements_of_the_last_two_looks_are_found_and_older_ones_forgotten() {
    let stage = Stage::new().await;
    let tab = loaded(&stage, "look_frames.html").await;
    let first = capture(&tab).await;
    let keys = |listed: Vec<Listed>| listed.into_iter().map(|one| one.key).collect::<Vec<_>>();
    let then = keys(listing(&tab, &first).await);
    let second = capture(&tab).await;
    assert_eq!(keys(listing(&tab, &first).await), then, "the first look is still known");
    assert_eq!(keys(listing(&tab, &second).await), then, "and so is the second");
    capture(&tab).await;
    for frame in &first.page.frames {
        for control in &frame.look.controls {
            let located = tab.locate(&element(frame, control), &first.epoch, &soon()).await.unwrap();
            assert_eq!(located, Located::Forgotten, "{}", frame.facts.url.untrusted());
        }
    }
    assert_eq!(keys(listing(&tab, &second).await), then, "the second look is known beside the third");
    stage.end().await;
}

#[tokio::test]
async fn an_element_that_left_the_page_is_told_from_one_that_moved() {
    let stage = Stage::new().await;
    let tab = loaded(&stage, "look_shadow_roots.html").await;
    let look = capture(&tab).await;
    let frame = &look.page.frames[0];
    let before = listing(&tab, &look).await;
    let locate = async |key: &str| {
        let place = before.iter().position(|one| one.key == key).unwrap();
        tab.locate(&element(frame, &frame.look.controls[place]), &look.epoch, &soon()).await.unwrap()
    };
    let removal = "document.querySelector('x-three-closed').remove(); document.body.append(document.querySelector('x-slotted'))";
    in_the_page::<IgnoredAny>(&tab, removal).await;
    assert_eq!(locate("closed-3").await, Located::Detached);
    assert!(matches!(locate("slotted-light").await, Located::Here { .. }));
    in_the_page::<IgnoredAny>(&tab, "document.querySelector('x-slotted').remove()").await;
    assert_eq!(locate("slotted-light").await, Located::Detached);
    assert!(matches!(locate("closed").await, Located::Here { .. }));
    stage.end().await;
}

#[tokio::test]
async fn another_document_knows_nothing_of_the_elements_before_it() {
    let stage = Stage::new().await;
    for page in ["look_frames.html", "look_modal.html"] {
        let tab = loaded(&stage, page).await;
        let look = capture(&tab).await;
        loaded(&stage, page).await;
        for frame in &look.page.frames {
            for control in &frame.look.controls {
                let located = tab.locate(&element(frame, control), &look.epoch, &soon()).await.unwrap();
                assert_eq!(located, Located::Forgotten, "{}", frame.facts.url.untrusted());
            }
        }
    }
    stage.end().await;
}

#[tokio::test]
async fn a_frame_that_moves_on_is_forgotten_alone() {
    let stage = Stage::new().await;
    let tab = loaded(&stage, "look_frames.html").await;
    let look = capture(&tab).await;
    let moving =
        look.page.frames.iter().find(|frame| frame.facts.url.untrusted().contains("key=away,")).unwrap();
    let (main, id) = (&look.page.frames[0], moving.facts.id.clone());
    in_the_page::<IgnoredAny>(&tab, "document.querySelectorAll('iframe')[1].src = '/pages/plain.html'").await;
    until("the frame is elsewhere", async || {
        let frames = tab.frames().await.unwrap();
        frames.iter().any(|frame| frame.id == id && frame.url.ends_with("plain.html"))
    })
    .await;
    let control = element(moving, &moving.look.controls[0]);
    assert_eq!(tab.locate(&control, &look.epoch, &soon()).await.unwrap(), Located::Forgotten);
    assert_eq!(key(&tab, &look, main, &main.look.controls[0]).await, "outside");
    stage.end().await;
}
