//! What is put in the place of an element is never acted on: in a frame of another site, in shadow roots, and whatever the deed is.

use std::path::PathBuf;

use legwork_testkit::sampled;
use legwork_types::Tick;

use super::{fields_kit::*, *};

/// In good time for what never comes to rest.
pub(super) fn trial() -> Limit {
    Limit::within(Duration::from_secs(5))
}

/// A page with the mouse far from what will be there: only the act itself brings it.
pub(super) async fn opened_unvisited(stage: &Stage, page: &str) -> Tab {
    let event = legwork_cdp::protocol::input::DispatchMouseEvent {
        kind: "mouseMoved",
        x: 1.0,
        y: 1.0,
        button: "none",
        buttons: 0,
        click_count: 0,
        modifiers: 0,
        delta_x: 0.0,
        delta_y: 0.0,
    };
    stage.tab().await.call(&event, "moving the mouse away", &soon()).await.unwrap();
    opened(stage, page).await
}

/// Has the page swap now, in whichever frame does so.
pub(super) async fn swap_now(tab: &Tab, part: &str) {
    let frames = tab.frames().await.unwrap();
    let frame = frames.iter().find(|frame| frame.url.contains(part)).expect("the frame is there");
    let _: bool = tab.value(&frame.id, "document.dispatchEvent(new Event('swap'))", &soon()).await.unwrap();
}

/// Whether it was found out before anything was sent, as it must be for what was swapped before the press.
pub(super) fn is_refused(outcome: &Result<Done, NotDone>) -> bool {
    outcome.as_ref().is_err_and(|not| {
        let is_told = matches!(not.why, Blocked::Gone | Blocked::Changed | Blocked::Obscured { .. });
        is_told && not.permit.is_some() && !not.receipt.dispatched
    })
}

#[tokio::test]
async fn in_a_frame_of_another_site_nothing_else_is_pressed() {
    let stage = Stage::new().await;
    let is_early = |when: &str| !when.ends_with("down");
    // What stands for the others under the press itself: what is put in its place, and what comes over it.
    let is_tried = |how: &str, when: &str| {
        (is_early(when) || matches!(how, "replace" | "strange")) && (how, when) != ("move", "now")
    };
    let hows = ["move", "replace", "relabel", "retarget", "cover", "frame", "strange"];
    let all = hows.into_iter().flat_map(|how| ["now", "pointermove", "pointerdown"].map(|when| (how, when)));
    for (how, when) in sampled(all.filter(|(how, when)| is_tried(how, when)), 2) {
        let tab = opened_unvisited(&stage, &format!("act_swapped_far.html?how={how}&when={when}")).await;
        let looked = looked(&stage).await;
        if when == "now" {
            swap_now(&tab, "act_swapped.html").await;
        }
        let outcome = looked.act_within(&stage, "Save", Deed::Click(Click::default()), &trial()).await;
        let all = presses(&tab, "act_swapped.html").await;
        assert!(!all.iter().any(|entry| entry.contains(":pay")), "{how} on {when}: {all:?} {outcome:?}");
        assert_eq!(presses(&tab, "?strange").await, [""; 0], "{how} on {when}");
        if !is_early(when) {
            assert!(all.contains(&"pointerdown:save".to_owned()), "{how} on {when}: {all:?}");
        } else if how == "move" && outcome.is_ok() {
            // A press into a frame of which nothing got through is tried again, and by then it is aimed at where it is now.
            assert_eq!(all, whole_press("save"), "{when}: {outcome:?}");
        } else {
            assert!(is_refused(&outcome) && all.is_empty(), "{how} on {when}: {all:?} {outcome:?}");
        }
    }
    stage.end().await;
}

/// What the other one got.
async fn paid(tab: &Tab) -> String {
    read(tab, "document.documentElement.dataset.paid ?? ''").await
}

#[tokio::test]
async fn in_shadow_roots_nothing_else_is_pressed() {
    let stage = Stage::new().await;
    for mode in ["open", "closed"] {
        for when in ["now", "pointermove", "pointerdown"] {
            for how in ["replace", "relabel", "retarget", "cover", "move"] {
                let is_early = !when.ends_with("down");
                if !is_early && matches!(how, "relabel" | "retarget") || (when, how) == ("now", "move") {
                    continue;
                }
                let page = format!("act_swapped_parts.html?mode={mode}&how={how}&when={when}");
                let tab = opened_unvisited(&stage, &page).await;
                let looked = looked(&stage).await;
                if when == "now" {
                    swap_now(&tab, "act_swapped_parts").await;
                }
                let outcome =
                    looked.act_within(&stage, "Save", Deed::Click(Click::default()), &trial()).await;
                assert_eq!(paid(&tab).await, "", "{page}: {outcome:?}");
                assert!(!is_early || is_refused(&outcome), "{page}: {outcome:?}");
            }
        }
    }
    stage.end().await;
}

/// Tries a deed on what is swapped; what came of it, when the other one got nothing.
async fn tried(stage: &Stage, query: &str, deed: impl FnOnce(&Looked) -> Deed) -> Result<Done, NotDone> {
    let page = format!("act_swapped_parts.html?{query}");
    let tab = opened_unvisited(stage, &page).await;
    let looked = looked(stage).await;
    if query.contains("when=now") {
        swap_now(&tab, "act_swapped_parts").await;
    }
    let deed = deed(&looked);
    let (name, deed) = match deed {
        // What is swapped is where it should go.
        Deed::DragTo(to) if query.contains("on=other") => {
            assert_eq!(to, looked.number("Save"));
            ("Other", deed)
        }
        deed => ("Save", deed),
    };
    let files = match &deed {
        Deed::Upload(files) => files.iter().map(PathBuf::from).collect(),
        _ => vec![],
    };
    let intent = Intent::OnElement { target: looked.number(name), deed };
    let permit = looked.permit_with(intent, &files, None);
    let outcome = stage.context.act(permit, &looked.aims(), &trial()).await;
    assert_eq!(paid(&tab).await, "", "{page}: {outcome:?}");
    outcome
}

const HOWS: [&str; 3] = ["replace", "relabel", "cover"];

#[tokio::test]
async fn no_other_box_is_ticked() {
    let stage = Stage::new().await;
    for how in HOWS {
        for when in ["now", "pointermove"] {
            let query = format!("part=box&how={how}&when={when}");
            let outcome = tried(&stage, &query, |_| Deed::Tick(Tick::On)).await;
            assert!(is_refused(&outcome), "{query}: {outcome:?}");
        }
    }
    // The press began on the right one; what comes up under it gets none of the rest.
    let outcome = tried(&stage, "part=box&how=replace&when=pointerdown", |_| Deed::Tick(Tick::On)).await;
    let dispatched = match &outcome {
        Ok(done) => done.receipt.dispatched,
        Err(not) => not.receipt.dispatched && not.permit.is_none(),
    };
    assert!(dispatched, "{outcome:?}");
    stage.end().await;
}

#[tokio::test]
async fn nothing_is_chosen_from_another_list() {
    let stage = Stage::new().await;
    for how in ["replace", "relabel"] {
        let query = format!("part=select&how={how}&when=now");
        let outcome = tried(&stage, &query, |_| label("Two")).await;
        assert!(is_refused(&outcome), "{query}: {outcome:?}");
    }
    for query in ["part=select&how=replace&when=focus", "part=select&how=replace&when=keydown"] {
        let outcome = tried(&stage, query, |_| label("Two")).await;
        assert!(outcome.is_err(), "{query}: {outcome:?}");
    }
    for (part, option) in [("list", "Save Two"), ("words", "Two")] {
        for (how, when) in [
            ("replace", "now"),
            ("relabel", "now"),
            ("cover", "now"),
            ("replace", "pointermove"),
            ("cover", "pointermove"),
        ] {
            let query = format!("part={part}&how={how}&when={when}");
            let outcome = tried(&stage, &query, |_| label(option)).await;
            assert!(is_refused(&outcome), "{query}: {outcome:?}");
        }
    }
    stage.end().await;
}

#[tokio::test]
async fn no_other_field_gets_the_files() {
    let stage = Stage::new().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().canonicalize().unwrap().join("first.txt");
    std::fs::write(&file, "words").unwrap();
    let upload = || Deed::Upload(vec![file.display().to_string()]);
    for query in ["part=file&how=replace&when=now", "part=file&how=relabel&when=now"] {
        let outcome = tried(&stage, query, |_| upload()).await;
        assert!(is_refused(&outcome), "{query}: {outcome:?}");
    }
    for how in HOWS {
        for when in ["now", "pointermove"] {
            let query = format!("part=attach&how={how}&when={when}");
            let outcome = tried(&stage, &query, |_| upload()).await;
            assert!(is_refused(&outcome), "{query}: {outcome:?}");
        }
    }
    stage.end().await;
}

#[tokio::test]
async fn nothing_else_is_dragged_and_nothing_is_let_go_elsewhere() {
    let stage = Stage::new().await;
    for how in HOWS {
        for when in ["now", "pointermove"] {
            let query = format!("part=knob&how={how}&when={when}");
            let outcome = tried(&stage, &query, |looked| Deed::DragTo(looked.number("Other"))).await;
            assert!(is_refused(&outcome), "{query}: {outcome:?}");
        }
    }
    for how in HOWS {
        let query = format!("part=knob&how={how}&when=mousedown&on=other");
        let outcome = tried(&stage, &query, |looked| Deed::DragTo(looked.number("Save"))).await;
        assert!(outcome.as_ref().is_err_and(|not| not.permit.is_none()), "{query}: {outcome:?}");
    }
    stage.end().await;
}
