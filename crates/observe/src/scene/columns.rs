//! What the columns of a table are called, for fields in them that have no name.

use super::{
    roles::{role_of, use_of},
    tree::{NodeIndex, Tree, What},
};
use crate::capture::{Control, GroupKind};

/// How far around a field its row is looked for.
const HIGHEST_CLIMB: usize = 6;

/// The widest row.
const MOST_CELLS: usize = 60;

/// The words over the column of a field: those of the first row of its table, if that has as many cells and no field itself.
pub(super) fn column_heading<'a>(tree: &Tree<'a>, field: NodeIndex, control: &Control) -> Option<&'a str> {
    if !is_field(control) {
        return None;
    }
    let is_row = |node: &NodeIndex| tree.kind(*node) == GroupKind::Row;
    let row = tree.around_in_frame(field).take(HIGHEST_CLIMB).find(is_row)?;
    let is_table = |node: &NodeIndex| tree.kind(*node) == GroupKind::Table;
    let table = tree.around_in_frame(row).take(HIGHEST_CLIMB).find(is_table)?;
    let head = tree.within(table).find(is_row).filter(|&head| head < row)?;
    let (cells, titles) = (cells(tree, row), cells(tree, head));
    let place = cells.iter().position(|&cell| cell <= field && field < tree.nodes[cell].end)?;
    let has_fields =
        tree.within(head).any(|at| matches!(tree.nodes[at].what, What::Control(c, _) if is_field(c)));
    let title = titles.get(place).filter(|_| titles.len() == cells.len() && !has_fields)?;
    (*title..tree.nodes[*title].end).find_map(|at| match tree.nodes[at].what {
        What::Text(text) => Some(text),
        What::Control(control, _) if !control.name.is_blank() => Some(control.name.untrusted()),
        _ => None,
    })
}

fn is_field(control: &Control) -> bool {
    use_of(control, &role_of(control)).is_field()
}

/// What stands side by side in a row.
fn cells(tree: &Tree<'_>, row: NodeIndex) -> Vec<NodeIndex> {
    let end = tree.nodes[row].end;
    let next = |at: &NodeIndex| Some(tree.nodes[*at].end).filter(|&next| next < end);
    std::iter::successors(Some(row + 1).filter(|&first| first < end), next).take(MOST_CELLS).collect()
}
