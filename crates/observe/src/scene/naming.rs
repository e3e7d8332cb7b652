//! What controls are called, and which texts are nothing but such a name.

use legwork_types::PageText;

use super::{
    columns::column_heading,
    pen::{Pen, collapsed},
    tree::{NodeIndex, Tree, What},
    words::Words,
};
use crate::capture::{Control, GroupKind};

/// The longest name.
const LONGEST_NAME: usize = 200;

/// The longest name that is made of texts or attributes.
const LONGEST_MADE_NAME: usize = 100;

/// The names of a page's controls.
#[derive(Debug)]
pub(super) struct Names {
    /// By item.
    pub(super) of_items: Vec<PageText>,
    /// By node: texts that a name says already.
    pub(super) said: Vec<bool>,
}

impl Names {
    /// Names every control: as accessibility does, else by what is written in it, else by what its attributes say to people,
    /// else by the column that it is in, else by its identifiers.
    pub(super) fn of(tree: &Tree<'_>, pen: &Pen) -> Self {
        let mut said = vec![false; tree.nodes.len()];
        let mut of_items = Vec::with_capacity(tree.controls.len());
        for &at in &tree.controls {
            let What::Control(control, _) = tree.nodes[at].what else { continue };
            of_items.push(match control.name.is_blank() {
                false => {
                    let name = pen.write(control.name.untrusted(), LONGEST_NAME);
                    hush_repeats(tree, at, name.untrusted(), &mut said);
                    name
                }
                true => pen
                    .write_some(&written_in(tree, at, &mut said), LONGEST_MADE_NAME)
                    .or_else(|| by_words(control, pen))
                    .or_else(|| pen.write_some(column_heading(tree, at, control)?, LONGEST_MADE_NAME))
                    .or_else(|| by_identifiers(control, pen))
                    .unwrap_or_default(),
            });
        }
        Self { of_items, said }
    }
}

/// The texts of a control itself, not those of controls within it.
fn own_texts<'t>(tree: &'t Tree<'_>, at: NodeIndex) -> impl Iterator<Item = (NodeIndex, &'t str)> {
    let mut here = at + 1;
    std::iter::from_fn(move || {
        while here < tree.nodes[at].end {
            let node = &tree.nodes[here];
            let found = (here, node.what);
            here = match node.what {
                What::Control(..) | What::Owner(..) => node.end,
                _ => here + 1,
            };
            match found {
                (text, What::Text(words)) => return Some((text, words)),
                (heading, What::Group(group))
                    if group.kind == GroupKind::Heading && tree.within(heading).is_empty() =>
                {
                    return Some((heading, group.name.untrusted()));
                }
                _ => {}
            }
        }
        None
    })
}

/// Marks texts that only say again what the name says.
fn hush_repeats(tree: &Tree<'_>, at: NodeIndex, name: &str, said: &mut [bool]) {
    for (text, words) in own_texts(tree, at) {
        said[text] |= name.contains(&*collapsed(words));
    }
}

/// What is written in a control, as far as a name goes.
fn written_in(tree: &Tree<'_>, at: NodeIndex, said: &mut [bool]) -> String {
    let mut name = String::new();
    let mut length = 0;
    for (text, words) in own_texts(tree, at) {
        if length >= LONGEST_MADE_NAME {
            break;
        }
        // Never cut here: masking comes later and has to see a secret as a whole.
        let words = collapsed(words);
        if words.is_empty() {
            continue;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(&words);
        length += words.chars().count() + 1;
        said[text] = true;
    }
    name
}

fn by_words(control: &Control, pen: &Pen) -> Option<PageText> {
    let attributes = &control.attributes;
    let mut readable = [&attributes.placeholder, &attributes.description].into_iter().flatten();
    readable.find_map(|text| pen.write_some(text.untrusted(), LONGEST_MADE_NAME))
}

fn by_identifiers(control: &Control, pen: &Pen) -> Option<PageText> {
    let attributes = &control.attributes;
    let identifiers = [&attributes.name, &attributes.test_id].into_iter().flatten();
    let mut words =
        identifiers.map(|text| Words::of_identifier(text.untrusted()).iter().collect::<Vec<_>>().join(" "));
    words.find_map(|words| pen.write_some(&words, LONGEST_MADE_NAME))
}
