//! What a wall says to its visitor: a call counts where it stands out, and where there is nothing else to do.

use legwork_types::contract::{BlockerKind, Landmark};

use super::{
    super::{
        risk::only_goes_on_or_back,
        roles::Use,
        sensitive::Secrecy,
        survey::Traits,
        tree::{NodeIndex, What},
        words::Words,
    },
    Sight,
    lists::{ALREADY, ANSWERS, ASIDES, CALLS, WHOLE_CALLS},
};

/// A longer sentence is prose that mentions a matter.
const LONGEST_CALL: usize = 16;

/// The most that is read of a wall.
const MOST_READ: usize = 1_500;

/// A group with more letters or parts in it is read by its parts alone.
const LONGEST_GROUP: u32 = 400;
const WIDEST_GROUP: usize = 60;

/// The most parts of a wall that are read one by one.
const MOST_PARTS: usize = 400;

/// A dialog may have a few buttons that nobody knows; more of them are a matter of its own.
const MOST_UNKNOWN_IN_A_DIALOG: usize = 3;

/// Where a piece of text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The title of the page, the first heading: what it is about.
    Head,
    /// A sentence of the text.
    Sentence,
}

impl Sight<'_, '_> {
    /// The first wall that calls for this, with what it says.
    pub(super) fn call(&self, wanted: BlockerKind) -> Option<(NodeIndex, String)> {
        let wall = self.walls().find(|&node| {
            self.counts_for(node, wanted) && self.calls(node, wanted) && !self.has_other_matter(node, wanted)
        })?;
        let mut text = self.survey.says(wall, MOST_READ);
        if wall == 0 {
            text = format!("{} {text}", self.title());
        }
        Some((wall, text))
    }

    /// The title of the document.
    pub(super) fn title(&self) -> &str {
        self.survey.capture.frames.first().map_or("", |main| main.look.document.title.untrusted())
    }

    /// Whether what is said at a node is said by the page: a widget in a frame may ask for a login of its own.
    fn counts_for(&self, node: NodeIndex, wanted: BlockerKind) -> bool {
        wanted != BlockerKind::LoginRequired || self.bars_the_page(node)
    }

    /// Whether there is such a call in a part of the page.
    pub(super) fn calls(&self, wall: NodeIndex, wanted: BlockerKind) -> bool {
        let tree = &self.survey.tree;
        let within = tree.nodes[wall].end;
        let heading = self.headings.iter().find(|heading| {
            heading.node >= wall && heading.node < within && self.counts_for(heading.node, wanted)
        });
        let head = heading.map_or("", |heading| heading.text.untrusted());
        let title = if wall == 0 { self.title() } else { "" };
        if speaks_of(title, wanted, Place::Head) || speaks_of(head, wanted, Place::Head) {
            return true;
        }
        let mut read = 0;
        tree.within(wall).take(MOST_PARTS).any(|at| {
            let text = match tree.nodes[at].what {
                _ if read > MOST_READ => return false,
                What::Text(text) => text.to_owned(),
                What::Control(_, item) => self.survey.names.of_items[item].untrusted().to_owned(),
                // A sentence may have a link in its middle.
                What::Group(_) if self.is_small(at) => {
                    return speaks_of(&self.survey.says(at, LONGEST_GROUP as usize), wanted, Place::Sentence)
                        && self.counts_for(at, wanted);
                }
                _ => return false,
            };
            read += text.len();
            speaks_of(&text, wanted, Place::Sentence) && self.counts_for(at, wanted)
        })
    }

    pub(super) fn is_small(&self, group: NodeIndex) -> bool {
        let tree = &self.survey.tree;
        tree.within(group).len() <= WIDEST_GROUP && self.survey.letters.at(tree, group) <= LONGEST_GROUP
    }

    /// Whether there is something to press or to fill in that has nothing to do with such a wall.
    fn has_other_matter(&self, wall: NodeIndex, wanted: BlockerKind) -> bool {
        let others = self.unexplained(wall, wanted);
        let fields = others.iter().filter(|traits| traits.usage.is_field()).count();
        let most = if wall == 0 { 0 } else { MOST_UNKNOWN_IN_A_DIALOG };
        wanted != BlockerKind::Mfa && (fields > 0 || others.len() > most)
    }

    /// What can be pressed or filled in within a wall, and is no answer to it.
    pub(super) fn unexplained(&self, wall: NodeIndex, wanted: BlockerKind) -> Vec<&Traits<'_>> {
        let survey = self.survey;
        let is_near = |traits: &&Traits<'_>| {
            wall != 0 || matches!(self.landmarks[traits.node], Landmark::Main | Landmark::Unknown)
        };
        survey.traits[survey.tree.items_within(wall)]
            .iter()
            .filter(|traits| traits.visible && (traits.usage == Use::Press || traits.usage.is_field()))
            .filter(|traits| traits.role != "searchbox")
            .filter(is_near)
            .filter(|traits| !is_answer(traits, wanted))
            .collect()
    }
}

/// Whether a control is one that such a wall has.
pub(super) fn is_answer(traits: &Traits<'_>, wall: BlockerKind) -> bool {
    let says = || ANSWERS.hits(&traits.words).any(|hit| hit.value.is_none_or(|kind| kind == wall));
    let holds = || match wall {
        BlockerKind::LoginRequired => traits.secrecy == Some(Secrecy::Password),
        BlockerKind::Captcha => traits.role == "checkbox" || traits.words.is_empty(),
        _ => false,
    };
    let is_plain_press =
        || traits.usage == Use::Press && (traits.words.is_empty() || only_goes_on_or_back(&traits.words));
    is_plain_press() || says() || holds()
}

/// Whether a text calls for this, taken by itself: for pages of which nothing but what is written there is known. Titles and headings may be
/// longer than what else counts as a call.
pub fn calls_for(text: &str, wanted: BlockerKind, is_head: bool) -> bool {
    speaks_of(text, wanted, if is_head { Place::Head } else { Place::Sentence })
}

/// Whether a text has a sentence that calls for this.
fn speaks_of(text: &str, wanted: BlockerKind, place: Place) -> bool {
    let mut after_already = false;
    text.split(['.', '!', '?', '…', '\n', '|', '•', '。', '！', '？', '؟', '।']).any(|sentence| {
        let words = Words::of(sentence);
        if words.is_empty() {
            return false;
        }
        // "Already a subscriber? Please log in" is for others than the one who is asked to do something here.
        let for_others = std::mem::replace(&mut after_already, ALREADY.is_in(&words));
        let for_others = wanted == BlockerKind::LoginRequired && (for_others || after_already);
        let to_do_something_else = || wanted == BlockerKind::LoginRequired && ASIDES.is_in(&words);
        !for_others && is_call(&words, wanted, place) && !to_do_something_else()
    })
}

fn is_call(words: &Words, wanted: BlockerKind, place: Place) -> bool {
    let whole = WHOLE_CALLS.hits(words).any(|hit| hit.value == wanted && words.len() <= hit.len + 1);
    let fits = place == Place::Head || words.len() <= LONGEST_CALL;
    whole || fits && CALLS.hits(words).any(|hit| hit.value == wanted)
}
