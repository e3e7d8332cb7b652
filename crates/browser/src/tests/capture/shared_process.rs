//! Frames of one process are looked at side by side, each as if it were alone.

use super::*;
use crate::capture::{
    closed_roots::{self, Shown},
    eye::Eye,
};

const FRAMES: usize = 8;
const ROOTS: usize = 20;

/// A page of frames of its own site, each with this in it.
async fn frames_with(inside: &str) -> Stage {
    let body =
        format!("<!doctype html><body>{}", "<iframe src=/in width=300 height=600></iframe>".repeat(FRAMES));
    let site = Site::builder().page("/", body).page("/in", format!("<!doctype html><body>{inside}"));
    Stage::with(site.start().await, &[]).await
}

async fn opened(stage: &Stage) -> Tab {
    let tab = stage.at("/").await;
    assert!(tab.loaded(&soon()).await, "the frames load");
    tab
}

fn unchecked(look: &Capture) -> u32 {
    look.page.frames.iter().map(|frame| frame.look.left_out.closed_roots_unchecked).sum()
}

fn listed(look: &Capture) -> Vec<usize> {
    look.page.frames.iter().map(|frame| frame.look.controls.len()).collect()
}

fn each(count: usize) -> Vec<usize> {
    [vec![0], vec![count; FRAMES]].concat()
}

fn closed_roots() -> String {
    format!(
        "{}<script>for (const host of document.querySelectorAll('div')) \
         host.attachShadow({{ mode: 'closed' }}).innerHTML = '<button>in it</button>';</script>",
        "<div style='height:22px'></div>".repeat(ROOTS)
    )
}

#[tokio::test]
async fn closed_roots_of_every_frame_are_found() {
    let stage = frames_with(&closed_roots()).await;
    for _ in 0..3 {
        let tab = opened(&stage).await;
        let look = capture(&tab).await;
        assert_eq!((listed(&look), unchecked(&look)), (each(ROOTS), 0));
    }
    stage.end().await;
}

#[tokio::test]
async fn the_accessibility_tree_is_read_of_every_frame() {
    let stage = frames_with(&"<button>plain</button>".repeat(ROOTS)).await;
    let options = CaptureOptions { source: Source::AccessibilityTree, ..CaptureOptions::default() };
    for _ in 0..3 {
        let tab = opened(&stage).await;
        let look = tab.capture(&options, &soon()).await.expect("the page can be looked at");
        assert_eq!(look.page.unreachable, []);
        assert_eq!(listed(&look), each(ROOTS));
    }
    stage.end().await;
}

#[tokio::test]
async fn elements_that_gave_no_answer_are_counted_and_asked_again() {
    let stage = frames_with(&closed_roots()).await;
    let tab = opened(&stage).await;
    let frame = tab.frames().await.unwrap()[1].clone();
    let eye = Eye::open(&tab, &frame, false, &soon()).await.unwrap();
    let epoch = Epoch::new();
    let look = eye.look(&epoch, &CaptureOptions::default()).await.unwrap();
    assert_eq!(look.candidates as usize, ROOTS);
    let hosts = closed_roots::hosts(&eye, &epoch).await.unwrap();
    assert_eq!(hosts.len(), ROOTS);
    eye.let_go();
    let shown = closed_roots::ask(&eye, &epoch, look.candidates, &hosts).await.unwrap();
    assert_eq!(shown, Shown { found: 0, unanswered: look.candidates });
    assert_eq!(listed(&capture(&tab).await), each(ROOTS));
    drop(eye);
    stage.end().await;
}
