//! Dialogs over the page, and whether the page can be used beneath them.

use legwork_types::{
    PageText,
    contract::{BlockingOverlay, Landmark, Modal},
};

use super::{
    stage::{Standout, StandoutKind},
    survey::Survey,
    tree::NodeIndex,
};
use crate::capture::{Flag, GroupKind};

/// The most dialogs that are told of.
const MOST: usize = 10;

/// What a dialog is called: its name, or its first heading.
pub(super) fn title(survey: &Survey<'_>, node: NodeIndex) -> Option<PageText> {
    let named = survey.tree.group(node).and_then(|group| survey.pen.write_some(group.name.untrusted(), 100));
    named.or_else(|| {
        let mut within = survey.tree.within(node).take(2_000);
        let heading = within.find(|&at| survey.tree.kind(at) == GroupKind::Heading)?;
        survey.pen.write_some(&survey.heading(heading), 100)
    })
}

/// The open dialogs, the topmost first: what covers the page before what does not, later before earlier.
fn topmost_first(standouts: &[Standout]) -> Vec<Standout> {
    let mut dialogs: Vec<_> = standouts.iter().copied().filter(|s| s.kind == StandoutKind::Dialog).collect();
    dialogs.sort_by_key(|dialog| std::cmp::Reverse((dialog.covers, dialog.node)));
    dialogs.truncate(MOST);
    dialogs
}

/// The dialogs for callers.
pub(super) fn modals(survey: &Survey<'_>, standouts: &[Standout]) -> Vec<Modal> {
    topmost_first(standouts)
        .into_iter()
        .map(|dialog| Modal {
            title: title(survey, dialog.node),
            excerpt: survey.pen.write_some(&survey.texts(dialog.node, 400), 200),
        })
        .collect()
}

/// Whether something lies over the page: a dialog that locks it, a cover, or whatever lies over most of its controls.
pub(super) fn overlay(
    survey: &Survey<'_>,
    standouts: &[Standout],
    landmarks: &[Landmark],
) -> BlockingOverlay {
    let cover = topmost_first(standouts).into_iter().find(|dialog| dialog.covers);
    if let Some(cover) = cover {
        let label =
            title(survey, cover.node).or_else(|| survey.pen.write_some(&survey.texts(cover.node, 200), 100));
        return BlockingOverlay { present: true, label };
    }
    let main = survey.traits.iter().filter(|t| t.in_view && landmarks[t.node] == Landmark::Main);
    let (mut all, mut covered) = (0, 0);
    for traits in main {
        all += 1;
        covered += usize::from(traits.has(Flag::Covered));
    }
    // One or two covered controls may be a menu that is open, or a label that lies over its box.
    BlockingOverlay { present: covered >= 3 && 2 * covered > all, label: None }
}
