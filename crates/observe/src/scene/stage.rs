//! What stands out from a page: open dialogs, covers, notices.

use super::{consent, survey::Survey, tree::NodeIndex};
use crate::capture::GroupKind;

/// Something that stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standout {
    pub(super) node: NodeIndex,
    pub(super) kind: StandoutKind,
    /// Whether it asks about cookies.
    pub(super) consent: bool,
    /// Whether the rest of the page can't be used because of it.
    pub(super) covers: bool,
}

/// How it stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandoutKind {
    /// A dialog, whether or not the page calls it one.
    Dialog,
    /// A notice.
    Notice,
}

/// Beyond this many a page is up to something; what comes later is taken for a part of the page.
const MOST_LOOKED_AT: usize = 300;

/// A notice has a few controls at most; what has more is a part of the page that happens to announce its changes.
const MOST_CONTROLS_OF_A_NOTICE: u32 = 8;

/// Words in classes and ids by which pages name what they lay over themselves.
const COVERS: &[&str] = &[
    "modal",
    "overlay",
    "popup",
    "pop-up",
    "dialog",
    "lightbox",
    "backdrop",
    "paywall",
    "interstitial",
    "gate",
    "regwall",
];

/// Words in classes and ids by which pages name their notices.
const NOTICES: &[&str] =
    &["notice", "notification", "toast", "snackbar", "alert", "message-bar", "announcement", "infobar"];

/// Whether the classes or id of a group have one of these in them.
pub(super) fn hints_at(survey: &Survey<'_>, node: NodeIndex, names: &[&str]) -> bool {
    let Some(group) = survey.tree.group(node) else { return false };
    [&group.attributes.hint, &group.attributes.id].into_iter().flatten().any(|hint| {
        let lower = hint.untrusted().to_ascii_lowercase();
        names.iter().any(|name| lower.contains(name))
    })
}

/// Everything that stands out, in order of the document.
pub(super) fn standouts(survey: &Survey<'_>) -> Vec<Standout> {
    let tree = &survey.tree;
    let mut found: Vec<Standout> = Vec::new();
    let mut consent_until = 0;
    let mut looked_at = 0;
    for (node, group) in tree.groups() {
        let is_dialog = matches!(group.kind, GroupKind::Modal | GroupKind::Dialog);
        let is_live = matches!(group.kind, GroupKind::Alert | GroupKind::Status);
        let hinted = consent::is_hinted(survey, node) || consent::is_labelled(survey, node);
        if !(is_dialog || is_live || group.fixed || hinted) || !survey.is_open(node) {
            continue;
        }
        looked_at += 1;
        if looked_at > MOST_LOOKED_AT {
            break;
        }
        let is_furniture =
            matches!(group.kind, GroupKind::Header | GroupKind::Nav | GroupKind::Footer | GroupKind::Main);
        let covers = group.kind == GroupKind::Modal || (!is_furniture && lies_over_the_page(survey, node));
        let consent = node >= consent_until
            && (is_dialog || group.fixed || is_live || (hinted && !is_in_footer(survey, node)))
            && !is_furniture
            && consent::asks(survey, node);
        if consent {
            consent_until = tree.nodes[node].end;
        }
        let small = survey.shown_controls.at(tree, node) <= MOST_CONTROLS_OF_A_NOTICE;
        let is_notice = is_live || (group.fixed && !is_furniture && hints_at(survey, node, NOTICES));
        let kind = match () {
            () if covers || (is_dialog && !consent) => StandoutKind::Dialog,
            () if consent || (is_notice && small) => StandoutKind::Notice,
            () => continue,
        };
        found.push(Standout { node, kind, consent, covers });
    }
    if !found.iter().any(|standout| standout.consent) {
        found.extend(still_bar(survey));
        found.sort_by_key(|standout| standout.node);
    }
    without_wrappers(survey, found)
}

/// A bar about cookies that merely stands on the page: it wants an answer before anything else, as one that floats does.
fn still_bar(survey: &Survey<'_>) -> Option<Standout> {
    let mut groups = survey.tree.groups().map(|(node, _)| node);
    let node = groups.find(|&node| survey.is_open(node) && consent::is_bar(survey, node))?;
    Some(Standout { node, kind: StandoutKind::Notice, consent: true, covers: false })
}

fn is_in_footer(survey: &Survey<'_>, node: NodeIndex) -> bool {
    survey.tree.around(node).any(|at| survey.tree.kind(at) == GroupKind::Footer)
}

/// A fixed group that takes half of what is in sight and keeps the rest from being used. The frame of an application often
/// has the same shape; it holds the page's matter itself, or leaves nothing outside.
fn lies_over_the_page(survey: &Survey<'_>, node: NodeIndex) -> bool {
    let tree = &survey.tree;
    let is_fixed = tree.group(node).is_some_and(|group| group.fixed);
    let wide = survey.place_of(node).is_some_and(|place| survey.frames.coverage(place) >= 0.5);
    if !is_fixed || !wide || survey.mains.at(tree, node) > 0 {
        return false;
    }
    let outside = |tally: &super::survey::Tally| tally.at(tree, 0) - tally.at(tree, node);
    match outside(&survey.controls_in_view) {
        0 if hints_at(survey, node, COVERS) => outside(&survey.letters) > 0,
        0 => hides_what_is_read(survey, node),
        in_view => 2 * outside(&survey.covered_in_view) >= in_view,
    }
}

/// Whether a fixed group leaves nothing to be seen of matter that has no controls by which that could be told.
///
/// What keeps its place may also lie behind the matter, be a section of it, or be the frame of the whole application: so
/// the matter has to come first and to be known as such, and the group to stand outside of it. Controls that are not
/// covered show that it lies on top; one without controls has to come last.
fn hides_what_is_read(survey: &Survey<'_>, node: NodeIndex) -> bool {
    let tree = &survey.tree;
    let fills = survey.place_of(node).is_some_and(|place| survey.frames.coverage(place) >= 0.9);
    let in_main = || tree.around(node).any(|at| tree.kind(at) == GroupKind::Main);
    let is_matter = |at: NodeIndex, kind| match kind {
        GroupKind::Main => survey.letters.at(tree, at) > 0,
        GroupKind::Heading => true,
        _ => false,
    };
    let before = || tree.groups().take_while(|(at, _)| *at < node);
    if !fills || in_main() || !before().any(|(at, group)| is_matter(at, group.kind)) {
        return false;
    }
    match survey.controls_in_view.at(tree, node) {
        0 => survey.letters.after(tree, node) == 0,
        own => 2 * survey.covered_in_view.at(tree, node) < own,
    }
}

/// A cover around a dialog is the dialog's own backdrop.
fn without_wrappers(survey: &Survey<'_>, found: Vec<Standout>) -> Vec<Standout> {
    let is_named = |s: &Standout| matches!(survey.tree.kind(s.node), GroupKind::Modal | GroupKind::Dialog);
    let is_wrapper = |outer: &Standout| {
        let end = survey.tree.nodes[outer.node].end;
        let inside = |s: &&Standout| s.node > outer.node && s.node < end && s.kind == StandoutKind::Dialog;
        !is_named(outer) && !outer.consent && found.iter().any(|s| inside(&s))
    };
    let mut kept: Vec<_> = found.iter().copied().filter(|outer| !is_wrapper(outer)).collect();
    for inner in &mut kept {
        let wrapped = found.iter().any(|outer| {
            outer.covers && outer.node < inner.node && inner.node < survey.tree.nodes[outer.node].end
        });
        inner.covers |= wrapped && inner.kind == StandoutKind::Dialog;
    }
    kept
}
