//! The corpus: pages on which every control has a key. Each key is listed once, or counted where nobody can see it.

use super::*;

/// Looks at one page both ways and compares with its source.
async fn holds(page: &str) {
    let stage = Stage::new().await;
    let tab = loaded(&stage, page).await;
    let keys = keys_in_source(page);
    assert!(!keys.is_empty());
    let look = capture(&tab).await;
    assert!(look.page.unreachable.is_empty(), "{page}: {:?}", look.page.unreachable);
    let listed = listing(&tab, &look).await;
    let seen = once(page, listed.iter().filter(|one| one.visible));
    let wanted: BTreeSet<&str> = keys.iter().map(String::as_str).filter(|key| !is_hidden(key)).collect();
    assert_eq!(seen, wanted, "{page}: what can be seen is listed");
    // In a frame that can't be seen everything is listed, and told by the frame.
    let beside = once(page, listed.iter().filter(|one| !one.visible));
    assert!(beside.iter().all(|key| is_hidden(key)), "{page}: {beside:?}");
    let counted: u32 = look.page.frames.iter().map(|frame| frame.look.left_out.hidden).sum();
    assert_eq!(
        wanted.len() + beside.len() + counted as usize,
        keys.len(),
        "{page}: the hidden ones are counted"
    );
    let over: u32 = look.page.frames.iter().map(|frame| frame.look.left_out.over_budget).sum();
    assert_eq!(over, 0, "{page}: nothing is given up");

    let look = capture_with_hidden(&tab).await;
    let listed = listing(&tab, &look).await;
    let all = once(page, listed.iter());
    assert_eq!(all, keys.iter().map(String::as_str).collect(), "{page}: everything is listed on demand");
    for one in &listed {
        assert_eq!(one.visible, !is_hidden(&one.key), "{page}: {} is marked", one.key);
    }
    stage.end().await;
}

/// The keys, each of which must be there once.
fn once<'a>(page: &str, listed: impl Iterator<Item = &'a Listed>) -> BTreeSet<&'a str> {
    let mut keys = BTreeSet::new();
    for Listed { key, .. } in listed {
        assert!(keys.insert(key.as_str()), "{page}: {key} is listed twice");
    }
    keys
}

macro_rules! corpus {
    ($($page:ident),* $(,)?) => {$(
        #[tokio::test]
        async fn $page() {
            holds(concat!(stringify!($page), ".html")).await;
        }
    )*};
}

corpus![
    look_app_shell,
    look_clickable,
    look_clobbered,
    look_frames,
    look_frames_transformed,
    look_hidden,
    look_modal,
    look_odd_boxes,
    look_off_screen,
    look_patched_prototypes,
    look_rtl,
    look_shadow_roots,
    look_watched,
    look_zoom,
];

#[tokio::test]
async fn the_page_with_patched_prototypes_has_really_patched_them() {
    let stage = Stage::new().await;
    let tab = loaded(&stage, "look_patched_prototypes.html").await;
    let look = capture(&tab).await;
    assert_eq!(look.page.frames[0].look.document.title.untrusted(), "patched to the end");
    stage.end().await;
}
