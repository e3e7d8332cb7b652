//! Looks by Chromium's accessibility tree: its roles and names, and what it alone knows of.

use super::*;

/// A carousel whose buttons are made by its style sheet, beside controls with parts of their own.
const CAROUSEL: &str = "<!doctype html><style>
  #slides { overflow-x: scroll; width: 300px; white-space: nowrap; scroll-marker-group: after }
  #slides > div { display: inline-block; width: 280px; height: 80px }
  #slides::scroll-button(right) { content: '>' / 'Next slide' }
  #slides > div::scroll-marker { content: 'o' / 'To a slide' }
  #slides > div:last-child::scroll-marker { content: 'o' / 'To the last slide' }
  #spelt { display: block }
  #spelt::first-letter { text-transform: uppercase }
</style>
<button id=spelt>spelt</button>
<div id=slides><div>1</div><div>2</div><div>3</div></div>
<select><option>one<option>two</select><input type=date><video controls width=300 height=60></video>
<button style='opacity:0'>transparent</button>
<div id=host style='height:40px'><i>not slotted</i></div>
<div id=unseen style='height:40px;opacity:0'><i>not slotted</i></div>
<script>
  host.attachShadow({ mode: 'closed' }).innerHTML = '<button>in a root</button>';
  unseen.attachShadow({ mode: 'closed' }).innerHTML = '<button>in a root that nobody sees</button>';
</script>";

async fn opened() -> (Stage, Tab) {
    let stage = Stage::on(Site::builder().page("/", CAROUSEL).start().await).await;
    let tab = stage.at("/").await;
    assert!(tab.loaded(&soon()).await, "the page loads");
    (stage, tab)
}

async fn capture_by_the_tree(tab: &Tab) -> Capture {
    let options = CaptureOptions { source: Source::AccessibilityTree, ..CaptureOptions::default() };
    tab.capture(&options, &soon()).await.expect("the page can be looked at")
}

fn roles_and_names(look: &Capture) -> Vec<(&str, &str)> {
    look.page.frames[0].look.controls.iter().map(|one| (&*one.role, one.name.untrusted())).collect()
}

#[tokio::test]
async fn what_only_the_tree_knows_of_is_listed_or_counted() {
    let (stage, tab) = opened().await;
    let [walked, read] = [capture(&tab).await, capture_by_the_tree(&tab).await];
    let [alone, by_the_tree] = [&walked, &read].map(roles_and_names);
    let [(_, before), (_, after)] = [alone[0], by_the_tree[0]];
    assert_eq!(before.to_lowercase(), "spelt");
    assert_eq!(after, "Spelt");
    assert_eq!(by_the_tree[1..alone.len()], alone[1..], "parts of a control are no controls of their own");
    for wanted in ["Next slide", "To a slide", "To the last slide", "in a root"] {
        let count = by_the_tree.iter().filter(|(_, name)| *name == wanted).count();
        assert_eq!(count, if wanted == "To a slide" { 2 } else { 1 }, "{wanted}: {by_the_tree:?}");
    }
    let read = read.page.frames[0].look.left_out;
    assert_eq!(read.hidden, 2, "what nobody can see is counted once");
    assert_eq!(read.over_budget, 0);
    stage.end().await;
}

#[tokio::test]
async fn what_has_no_element_can_be_told_from_what_has_one() {
    let (stage, tab) = opened().await;
    let look = capture_by_the_tree(&tab).await;
    let frame = &look.page.frames[0];
    let control = |name: &str| {
        frame.look.controls.iter().find(|one| one.name.untrusted() == name).expect("it is listed")
    };
    let next = control("Next slide");
    let located = tab.locate(&element(frame, next), &look.epoch, &soon()).await.unwrap();
    let Located::Here { tag, rect, .. } = located else { panic!("{located:?}") };
    assert!(tag.starts_with("::scroll-button"), "{tag}");
    assert!(rect[2] > 2.0 && (rect[0] - next.rect.x).abs() < 1.0, "{rect:?} is {:?}", next.rect);
    assert!(control("To the last slide").state.has(Flag::NoElement));

    let scene = legwork_observe::Scene::of(&look.page);
    let item = |name: &str| {
        scene
            .items
            .iter()
            .find(|item| item.affordance.name.untrusted() == name)
            .expect("it is among the items")
    };
    assert!(item("Next slide").affordance.targetable && item("Next slide").element.is_some());
    let last = item("To the last slide");
    assert!(!last.affordance.targetable && last.element.is_none());
    stage.end().await;
}
