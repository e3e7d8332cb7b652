//! The part of the page that everything stands in.

use legwork_types::contract::Landmark;

use super::{
    bars,
    roles::Use,
    stage::{Standout, StandoutKind},
    survey::Survey,
    tree::{NodeIndex, What},
};
use crate::capture::GroupKind;

/// The landmark of each node: that of the nearest group around it that says one.
///
/// - What stands out wins over everything in it: the navigation within a dialog is the dialog's.
/// - A page without a main part is all main except head, navigation and foot, so that its matter never ranks below its foot.
/// - Heads and feet within the main part belong to an article, not to the page.
/// - A bar to buy that is always in sight belongs to the matter, wherever the document has it.
/// - What stands beside the main part is unknown, unless there is something to do in it (a filter, a basket).
pub(super) fn landmarks(survey: &Survey<'_>, standouts: &[Standout]) -> Vec<Landmark> {
    let tree = &survey.tree;
    let has_main = tree.groups().any(|(node, group)| {
        group.kind == GroupKind::Main && tree.nodes[node].frame == 0 && survey.is_open(node)
    });
    let outside = if has_main { Landmark::Unknown } else { Landmark::Main };
    let mut standing: Vec<Option<Landmark>> = vec![None; tree.nodes.len()];
    for standout in standouts {
        standing[standout.node] = Some(match standout.kind {
            StandoutKind::Dialog => Landmark::Modal,
            StandoutKind::Notice => Landmark::Banner,
        });
    }
    let mut landmarks: Vec<Landmark> = Vec::with_capacity(tree.nodes.len());
    for (at, node) in tree.nodes.iter().enumerate() {
        let around = if at == 0 { outside } else { landmarks[node.parent] };
        let here = match (around, standing[at]) {
            (Landmark::Modal, _) | (_, Some(Landmark::Modal)) => Landmark::Modal,
            (Landmark::Banner, _) | (_, Some(Landmark::Banner)) => Landmark::Banner,
            _ if around != Landmark::Main && bars::sells(survey, at) => Landmark::Main,
            _ => match tree.kind(at) {
                GroupKind::Main | GroupKind::Search => Landmark::Main,
                GroupKind::Nav => Landmark::Nav,
                GroupKind::Header if !is_in_matter(survey, at) => Landmark::Nav,
                GroupKind::Footer if !is_in_matter(survey, at) => Landmark::Footer,
                GroupKind::Aside if around != Landmark::Main => match has_something_to_do(survey, at) {
                    true => Landmark::Main,
                    false => outside,
                },
                _ => around,
            },
        };
        landmarks.push(here);
    }
    landmarks
}

/// Whether a node is within the main part or one of a row of like things.
fn is_in_matter(survey: &Survey<'_>, node: NodeIndex) -> bool {
    let inner = |kind| matches!(kind, GroupKind::Main | GroupKind::Item | GroupKind::Row);
    survey.tree.around(node).take(64).any(|at| inner(survey.tree.kind(at)))
}

fn has_something_to_do(survey: &Survey<'_>, node: NodeIndex) -> bool {
    survey.tree.items_within(node).any(|item| {
        let traits = &survey.traits[item];
        traits.visible && (traits.usage.is_field() || traits.usage == Use::Press)
    })
}

/// The part of the page by its structure alone, whatever lies over what: it stays when boxes and states change.
pub(super) fn structural(survey: &Survey<'_>) -> Vec<GroupKind> {
    let tree = &survey.tree;
    let mut kinds: Vec<GroupKind> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let around = kinds.get(node.parent).copied().unwrap_or(GroupKind::Generic);
        kinds.push(match node.what {
            What::Group(group) => match group.kind {
                kind @ (GroupKind::Main
                | GroupKind::Nav
                | GroupKind::Header
                | GroupKind::Footer
                | GroupKind::Aside
                | GroupKind::Search
                | GroupKind::Dialog
                | GroupKind::Modal) => kind,
                _ => around,
            },
            _ => around,
        });
    }
    kinds
}
