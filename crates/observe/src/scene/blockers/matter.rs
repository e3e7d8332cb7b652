//! Whether what a frame holds is what the page is about, or a mere part of it: a widget beside a story bars nobody's way.

use legwork_types::contract::{BlockerKind, Landmark};

use super::{
    super::{
        outline::Heading,
        roles::Use,
        survey::Traits,
        tree::{NodeIndex, What},
    },
    LONGEST_WALL, Sight,
    calls::is_answer,
    login::is_title_of_login,
};
use crate::capture::{Owner, Rect};

/// A frame that takes this part of what is in sight is the page, whatever else there is.
const MOST_OF_THE_PAGE: f32 = 0.6;

/// More to read or more ways on around a frame make a page of their own.
const MOST_LETTERS_AROUND: u32 = 300;
const MOST_LINKS_AROUND: usize = 5;

/// The same for ways on where the page is called after its login: helps, terms, languages.
const MOST_LINKS_AROUND_A_LOGIN: usize = 15;

impl Sight<'_, '_> {
    /// The frame that an item is in.
    pub(super) fn frame_of(&self, item: usize) -> usize {
        self.survey.tree.nodes[self.survey.traits[item].node].frame
    }

    /// Whether a login at this node would be one to the page: it is in no frame, or in one that is in a dialog, takes most of
    /// what is in sight, or has nothing around it.
    pub(super) fn bars_the_page(&self, node: NodeIndex) -> bool {
        let tree = &self.survey.tree;
        let frame = tree.nodes[node].frame;
        let bars = || {
            let Some(place) = tree.around_in_frame(node).last() else { return false };
            let is_in_dialog = self.landmarks[place] == Landmark::Modal;
            is_in_dialog || self.covers_most(place) || self.has_nothing_around(place)
        };
        frame == 0 || *self.barring_frames[frame].get_or_init(bars)
    }

    fn covers_most(&self, place: NodeIndex) -> bool {
        let survey = self.survey;
        let node = &survey.tree.nodes[place];
        let What::Owner(owner, _) = node.what else { return false };
        let shown = survey.frames.all[node.frame].place(box_around(owner));
        survey.frames.coverage(shown) >= MOST_OF_THE_PAGE
    }

    fn has_nothing_around(&self, place: NodeIndex) -> bool {
        let survey = self.survey;
        let inside = survey.tree.items_within(place);
        let around = || {
            let is_outside = |item: usize| !inside.contains(&item) && survey.traits[item].visible;
            let is_matter =
                |t: &&Traits<'_>| matches!(self.landmarks[t.node], Landmark::Main | Landmark::Unknown);
            let outside = (0..survey.traits.len()).filter(move |&item| is_outside(item));
            outside.map(|item| &survey.traits[item]).filter(is_matter)
        };
        let is_to_do = |t: &Traits<'_>| t.usage == Use::Press || t.usage.is_field();
        let is_plain = |t: &Traits<'_>| {
            t.role == "searchbox" || !t.usage.is_field() && is_answer(t, BlockerKind::LoginRequired)
        };
        if around().any(|t| is_to_do(t) && !is_plain(t)) {
            return false;
        }
        let own_head = self.heading_of(0).map_or_else(|| self.title(), |heading| heading.text.untrusted());
        let (letters, links) = match is_title_of_login(own_head) {
            true => (LONGEST_WALL as u32, MOST_LINKS_AROUND_A_LOGIN),
            false => (MOST_LETTERS_AROUND, MOST_LINKS_AROUND),
        };
        self.letters_beside(place) <= letters && around().filter(|t| t.usage == Use::Follow).count() <= links
    }

    /// How much there is to read beside a part of the page, outside navigation, foot and banners.
    pub(super) fn letters_beside(&self, part: NodeIndex) -> u32 {
        let tree = &self.survey.tree;
        let within = part..tree.nodes[part].end;
        let counts = |at: &NodeIndex| {
            !within.contains(at) && matches!(self.landmarks[*at], Landmark::Main | Landmark::Unknown)
        };
        let letters = (0..tree.nodes.len()).filter(counts).map(|at| match tree.nodes[at].what {
            What::Text(text) => text.len().min(LONGEST_WALL + 1) as u32,
            _ => 0,
        });
        letters.fold(0, u32::saturating_add)
    }

    /// The first heading of a frame, else that of the page.
    pub(super) fn heading_of(&self, frame: usize) -> Option<&Heading> {
        let of = |frame: usize| {
            let mut headings = self.headings.iter();
            headings.find(move |heading| self.survey.tree.nodes[heading.node].frame == frame)
        };
        of(frame).or_else(|| of(0))
    }
}

/// The upright box around the place of a frame, in the pixels of the frame that holds it.
fn box_around(owner: &Owner) -> Rect {
    let [a, b, c, d, e, f, g, h] = owner.quad;
    let (left, right) = (a.min(c).min(e).min(g), a.max(c).max(e).max(g));
    let (top, bottom) = (b.min(d).min(f).min(h), b.max(d).max(f).max(h));
    Rect { x: left, y: top, width: right - left, height: bottom - top }
}
