//! The label that a field without a name has for people: the text before it on its line.

use super::super::{
    roles::{role_of, use_of},
    tree::{NodeIndex, Tree, What},
};
use crate::capture::{Control, GroupKind};

/// How far back it is looked for.
const FARTHEST: usize = 24;

/// The last words of a paragraph are the label; what it says before is another matter.
const MOST_WORDS: usize = 12;

/// The text before a field, as far as it is the label of this field and of no other.
pub(super) fn label_beside(tree: &Tree<'_>, field: NodeIndex) -> Option<String> {
    let own = tree.nodes[field];
    let mut label = String::new();
    for at in (0..field).rev().take(FARTHEST) {
        let node = tree.nodes[at];
        if node.frame != own.frame {
            break;
        }
        if is_around(tree, at, field) && ends_lines(tree.kind(at)) {
            if label.is_empty() && tree.kind(at) == GroupKind::Fieldset {
                return tree.group(at).map(|group| group.name.untrusted().to_owned());
            }
            break;
        }
        let words = match node.what {
            What::Text(_) | What::Group(_) if is_apart(tree, at, field) => break,
            What::Text(text) => text,
            What::Group(group) if group.kind == GroupKind::Heading && tree.within(at).is_empty() => {
                group.name.untrusted()
            }
            What::Control(other, _) if is_field(other) => {
                // Boxes side by side share the words before the first of them.
                let shares =
                    label.is_empty() && node.parent == own.parent && !has_letters(other.name.untrusted());
                if shares { continue } else { break }
            }
            What::Control(other, _) => other.name.untrusted(),
            _ => continue,
        };
        let words = last_words(words);
        if !has_letters(&words) || words.starts_with('(') {
            continue;
        }
        label = format!("{words} {label}");
        // The cells of a row are all about its field; elsewhere the nearest text is.
        if tree.kind(own.parent) != GroupKind::Row {
            break;
        }
    }
    (!label.is_empty()).then_some(label)
}

/// Whether a text has anything that could be a word.
pub(super) fn has_letters(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

fn is_around(tree: &Tree<'_>, at: NodeIndex, field: NodeIndex) -> bool {
    tree.nodes[at].end > field
}

/// Whether what stands before such a group is on another line than what stands in it.
fn ends_lines(kind: GroupKind) -> bool {
    !matches!(kind, GroupKind::Generic | GroupKind::Heading)
}

/// Whether something stands in a row, a list, a field of its own.
fn is_apart(tree: &Tree<'_>, at: NodeIndex, field: NodeIndex) -> bool {
    let is_own = |node: NodeIndex| match tree.nodes[node].what {
        What::Control(control, _) => is_field(control),
        _ => ends_lines(tree.kind(node)),
    };
    let up = std::iter::once(at).chain(tree.around(at)).take(FARTHEST);
    up.take_while(|&node| !is_around(tree, node, field)).any(is_own)
}

fn is_field(control: &Control) -> bool {
    use_of(control, &role_of(control)).is_field()
}

/// The last sentence, and of a long one the last words.
fn last_words(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().rev().take(MOST_WORDS).collect();
    // Short words before a dot are shortened ones: "Card no. (16 digits)".
    let ends = |word: &&str| word.len() > 4 && word.ends_with(['.', '!', '?']);
    if let Some(end) = words.iter().skip(1).position(ends) {
        words.truncate(end + 1);
    }
    words.reverse();
    words.join(" ")
}
