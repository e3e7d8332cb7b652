//! A look made the same on every machine and in every run, so that it can be kept as a fixture: ids are numbered, the ports
//! of the page server have names.

use std::collections::HashMap;

use legwork_observe::capture::{FrameFacts, PageCapture};
use legwork_types::{FrameId, PageText};

/// The fixture as it is written.
pub(crate) fn written(page: &PageCapture) -> String {
    let mut text = serde_json::to_string_pretty(page).unwrap_or_default();
    text.push('\n');
    text
}

/// The same look with numbered frames and loads, and `site.test` and `other.test` for the two sites of the page server.
pub(crate) fn stable(page: &PageCapture, here: &str, other: &str) -> PageCapture {
    let named = |text: &PageText| {
        let text = text.untrusted().replace(here, "http://site.test").replace(other, "http://other.test");
        PageText::from(text)
    };
    let mut page = page.clone();
    page.requested_url = named(&page.requested_url);
    let mut numbers: HashMap<FrameId, FrameId> = HashMap::new();
    let mut number = |id: &FrameId| {
        let next = numbers.len();
        numbers.entry(id.clone()).or_insert_with(|| FrameId::new(format!("frame-{next}"))).clone()
    };
    let mut rename = |facts: &mut FrameFacts| {
        facts.parent = facts.parent.as_ref().map(&mut number);
        facts.id = number(&facts.id);
        facts.loader = facts.id.as_str().replace("frame", "loader");
        facts.url = named(&facts.url);
    };
    for frame in &mut page.frames {
        rename(&mut frame.facts);
        let look = &mut frame.look;
        look.document.url = named(&look.document.url);
        look.document.base = named(&look.document.base);
        for owner in &mut look.owners {
            owner.src = named(&owner.src);
        }
        for control in &mut look.controls {
            control.attributes.href = control.attributes.href.as_ref().map(named);
        }
    }
    page.unreachable.iter_mut().for_each(rename);
    page
}
