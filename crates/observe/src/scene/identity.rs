//! Which page this is.

use legwork_types::{
    PageText,
    contract::{Dialog, Modal, Tab, Viewport},
    without_credentials,
};
use url::Url;

use super::{
    frames::Frames,
    outline::Heading,
    pen::{Pen, collapsed},
    survey::Survey,
};
use crate::capture::Flag;

/// The longest address.
pub(super) const LONGEST_ADDRESS: usize = 1_000;

/// The address that the page came to.
pub(super) fn final_url<'a>(survey: &Survey<'a>) -> &'a str {
    let main = survey.capture.frames.first();
    let address = main.map(|main| match main.look.document.url.is_blank() {
        true => main.facts.url.untrusted(),
        false => main.look.document.url.untrusted(),
    });
    address.filter(|address| !address.is_empty()).unwrap_or(survey.capture.requested_url.untrusted())
}

/// Host, and port where it is not the usual one.
pub(super) fn domain(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return String::new() };
    match (url.host_str(), url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        (None, _) => String::new(),
    }
}

/// An address without the name and the password that may be in it.
pub(super) fn written(pen: &Pen, address: &str) -> PageText {
    pen.write(&without_credentials(address), LONGEST_ADDRESS)
}

/// The first main heading of the page itself, else its first heading, else the first of any frame.
pub(super) fn primary_heading(survey: &Survey<'_>, headings: &[Heading]) -> Option<PageText> {
    let own = || headings.iter().filter(|heading| survey.tree.nodes[heading.node].frame == 0);
    let first =
        own().find(|heading| heading.level == 1).or_else(|| own().next()).or_else(|| headings.first());
    first.map(|heading| heading.text.clone())
}

/// What tells this view from another: path, names of the query, heading, current entry of the navigation, open dialog.
/// Values of the query are left out, for they often are tokens or searches; a fragment counts where it is a path itself.
pub(super) fn route_key(
    survey: &Survey<'_>,
    heading: Option<&PageText>,
    modals: &[Modal],
) -> Option<PageText> {
    let address = final_url(survey);
    let mut parts = Vec::new();
    match Url::parse(address) {
        Ok(url) => {
            let mut route = format!("{}{}", url.host_str().unwrap_or_default(), url.path());
            let mut names: Vec<_> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
            names.sort();
            names.dedup();
            if !names.is_empty() {
                route = format!("{route}?{}", names.join("&"));
            }
            if let Some(fragment) = url.fragment().filter(|f| f.starts_with('/') || f.starts_with("!/")) {
                let path = fragment.split('?').next().unwrap_or_default();
                route = format!("{route}#{path}");
            }
            parts.push(route);
        }
        Err(_) if address.is_empty() => return None,
        Err(_) => parts.push(address.to_owned()),
    }
    parts.extend(heading.map(|heading| without_counts(heading.untrusted())));
    let current = survey.traits.iter().position(|traits| traits.has(Flag::Current) && traits.visible);
    if let Some(current) = current {
        parts.push(format!("at {}", without_counts(survey.names.of_items[current].untrusted())));
    }
    if let Some(title) = modals.first().and_then(|modal| modal.title.as_ref()) {
        parts.push(format!("dialog {}", without_counts(title.untrusted())));
    }
    survey.pen.write_some(&parts.join(" | "), 300)
}

/// `Inbox (3)` and `Inbox (4)` are the same view.
pub(crate) fn without_counts(text: &str) -> String {
    let is_count = |word: &str| {
        let inner = word.trim_matches(|c| matches!(c, '(' | ')' | '[' | ']'));
        inner.len() < word.len()
            && !inner.is_empty()
            && inner.bytes().all(|b| b.is_ascii_digit() || b == b'+')
    };
    collapsed(text).split(' ').filter(|word| !is_count(word)).collect::<Vec<_>>().join(" ")
}

/// What is in sight.
pub(super) fn viewport(survey: &Survey<'_>) -> Viewport {
    let facts = survey.capture.frames.first().map_or([0; 6], |main| main.look.document.viewport);
    let [width, height, scroll_x, scroll_y, _, page_height] = facts;
    Viewport { width, height, scroll_x, scroll_y, page_height }
}

/// The tabs beside it.
pub(super) fn tabs(survey: &Survey<'_>) -> Vec<Tab> {
    let written = |tab: &crate::capture::TabFacts| Tab {
        tab_id: tab.id,
        url: written(&survey.pen, tab.url.untrusted()),
        title: survey.pen.write(tab.title.untrusted(), 200),
        active: tab.active,
    };
    survey.capture.tabs.iter().map(written).collect()
}

/// The dialogs of the browser that wait.
pub(super) fn dialogs(survey: &Survey<'_>) -> Vec<Dialog> {
    let written = |dialog: &Dialog| Dialog {
        kind: dialog.kind.clone(),
        message: survey.pen.write(dialog.message.untrusted(), 500),
    };
    survey.capture.dialogs.iter().map(written).collect()
}

/// A link's address, absolute. Scripts stay as they are written; what carries its matter in itself is cut.
pub(super) fn href(frames: &Frames<'_>, frame: usize, pen: &Pen, href: &str) -> Option<PageText> {
    let href = href.trim();
    let scheme = href.split_once(':').map_or("", |(scheme, _)| scheme);
    if scheme.eq_ignore_ascii_case("javascript") {
        return pen.write_some(href, 200);
    }
    if scheme.eq_ignore_ascii_case("data") {
        return pen.write_some(href, 60);
    }
    let resolved = match frames.all.get(frame).and_then(|frame| frame.base.as_ref()) {
        Some(base) => base.join(href).ok(),
        None => Url::parse(href).ok(),
    };
    let address = resolved.as_ref().map_or(href, Url::as_str);
    Some(written(pen, address)).filter(|address| !address.is_blank())
}
