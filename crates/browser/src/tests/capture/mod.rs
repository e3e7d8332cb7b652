//! Looks at real pages: everything that can be acted on is listed or counted, and every entry leads back to its element.

mod action_ids;
mod by_the_tree;
mod corpus;
mod drawn;
mod fields;
mod fixtures;
mod hostile;
mod odd_names;
mod painted;
mod places;
mod pressed;
mod recording;
mod remembered;
mod shared_process;
mod unnoticed;

use std::collections::BTreeSet;

use legwork_observe::{
    ElementRef, Look, Scene,
    capture::{Control, Flag, FrameCapture},
};
use legwork_testkit::PAGES;
use legwork_types::{
    Timestamp,
    contract::{ObservationId, SessionId},
};

use super::*;

/// One control of a look, and the element that it leads to.
struct Listed {
    key: String,
    /// Whether a person could see it: in its frame, and the frame in the page.
    visible: bool,
}

pub(super) async fn capture(tab: &Tab) -> Capture {
    tab.capture(&CaptureOptions::default(), &soon()).await.expect("the page can be looked at")
}

pub(super) async fn capture_with_hidden(tab: &Tab) -> Capture {
    let options = CaptureOptions { hidden: HiddenControls::Listed, ..CaptureOptions::default() };
    tab.capture(&options, &soon()).await.expect("the page can be looked at")
}

/// What is made of a look for whoever acts on it.
pub(super) fn understood(look: &Capture) -> Look {
    let (id, session) = (ObservationId("o1".to_owned()), SessionId("s1".to_owned()));
    Look::new(Scene::of(&look.page), id, session, Timestamp::default())
}

fn element(frame: &FrameCapture, control: &Control) -> ElementRef {
    ElementRef {
        frame: frame.facts.id.clone(),
        loader: frame.facts.loader.as_str().into(),
        index: control.index,
        identity: control.identity(&frame.look.forms),
    }
}

/// The `data-key` of the element that a control leads to.
async fn key(tab: &Tab, look: &Capture, frame: &FrameCapture, control: &Control) -> String {
    let (_, key) = tag_and_key(tab, look, &element(frame, control)).await;
    key.unwrap_or_else(|| format!("without a key: {control:?}"))
}

/// The tag of an element of a look and its `data-key`.
async fn tag_and_key(tab: &Tab, look: &Capture, element: &ElementRef) -> (String, Option<String>) {
    let located = tab.locate(element, &look.epoch, &soon()).await.expect("it can be asked for");
    let Located::Here { tag, attributes, .. } = located else { panic!("{element:?} is {located:?}") };
    let key = attributes.iter().find(|(name, _)| name.untrusted() == "data-key");
    (tag, key.map(|(_, key)| key.untrusted().to_owned()))
}

/// Every control of a look by the key of its element, each asked for on its own.
async fn listing(tab: &Tab, look: &Capture) -> Vec<Listed> {
    let shown = shown_frames(look);
    let mut listed = Vec::new();
    for (frame, shown) in look.page.frames.iter().zip(shown) {
        for control in &frame.look.controls {
            let visible = shown && control.state.has(Flag::Visible);
            listed.push(Listed { key: key(tab, look, frame, control).await, visible });
        }
    }
    listed
}

/// Which frames of a look a person could see.
fn shown_frames(look: &Capture) -> Vec<bool> {
    let mut shown: Vec<bool> = Vec::new();
    for frame in &look.page.frames {
        let is_shown = match (parent(look, frame), frame.owner) {
            (Some(parent), Some(owner)) => {
                shown[parent] && look.page.frames[parent].look.owners[owner as usize].visible
            }
            (Some(_), None) => false,
            (None, _) => true,
        };
        shown.push(is_shown);
    }
    shown
}

/// The place of the frame around a frame.
fn parent(look: &Capture, frame: &FrameCapture) -> Option<usize> {
    let parent = frame.facts.parent.as_ref()?;
    look.page.frames.iter().position(|other| other.facts.id == *parent)
}

/// The keys that the source of a page names, and those that it hands to the frames in it.
fn keys_in_source(page: &str) -> BTreeSet<String> {
    let (_, text) = PAGES.iter().find(|(name, _)| *name == page).expect("the page is in the corpus");
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ',';
    let after = |mark| text.split(mark).skip(1).map(|rest: &str| rest.trim_start_matches('"'));
    after("data-key=")
        .chain(after("?key="))
        .flat_map(|rest| rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].split(','))
        .filter(|key| !key.is_empty())
        .map(str::to_owned)
        .collect()
}

fn is_hidden(key: &str) -> bool {
    key.starts_with("hidden-")
}

/// The tab at a page of the corpus that has loaded completely.
async fn loaded(stage: &Stage, page: &str) -> Tab {
    let tab = stage.at(&format!("/pages/{page}")).await;
    assert!(tab.loaded(&soon()).await, "{page} loads");
    for frame in tab.frames().await.unwrap().iter().filter(|frame| frame.url.contains("&scroll=")) {
        until("the frame is scrolled inside", async || {
            tab.value::<f64>(&frame.id, "innerHeight && scrollY", &soon()).await.unwrap() > 0.0
        })
        .await;
    }
    tab
}

/// Runs an expression in the page's own world.
pub(super) async fn in_the_page<T: for<'d> serde::Deserialize<'d>>(tab: &Tab, expression: &str) -> T {
    let evaluate =
        runtime::Evaluate { expression, context_id: None, return_by_value: true, await_promise: false };
    let reply = tab.call(&evaluate, "asking the page", &soon()).await.unwrap();
    crate::tab::read_value(&reply).unwrap()
}
