//! What stands between a visitor and the page: by facts first, by words where the page makes room for nothing else.

mod calls;
mod captcha;
mod lists;
mod login;
mod matter;

pub use calls::calls_for;

use std::{cell::OnceCell, ops::Range};

use legwork_types::contract::{BlockerKind, Landmark};

use self::{
    calls::is_answer,
    lists::{CALLS, LETTERS, MILD_PAYWALLS, SUBSCRIBE},
};
use super::{
    SceneBlocker,
    forms::Forms,
    outline::Heading,
    roles::Use,
    sensitive::Secrecy,
    stage::{Standout, hints_at},
    survey::Survey,
    tree::{NodeIndex, What},
    words::Words,
};
use crate::capture::GroupKind;

/// A page with more to read, outside its navigation and foot, is a page and no wall.
const LONGEST_WALL: usize = 1_200;

/// A page with more to do is a page and no wall.
const MOST_CONTROLS_OF_A_WALL: usize = 14;

/// The most controls that one blocker names.
const MOST_ITEMS: usize = 30;

/// What the readings of blockers look at.
struct Sight<'s, 'a> {
    survey: &'s Survey<'a>,
    forms: &'s Forms<'a>,
    headings: &'s [Heading],
    landmarks: &'s [Landmark],
    standouts: &'s [Standout],
    /// Whether there is little else on the page.
    is_bare: bool,
    /// By frame, once somebody asks: whether what it holds bars the page.
    barring_frames: Vec<OnceCell<bool>>,
}

/// A blocker with its place.
struct Found {
    kind: BlockerKind,
    text: String,
    items: Vec<usize>,
}

/// All blockers, each kind once.
pub(super) fn blockers(
    survey: &Survey<'_>,
    forms: &Forms<'_>,
    headings: &[Heading],
    landmarks: &[Landmark],
    standouts: &[Standout],
) -> Vec<SceneBlocker> {
    let is_bare = is_bare(survey, landmarks);
    let barring_frames = vec![OnceCell::new(); survey.frames.all.len()];
    let sight = Sight { survey, forms, headings, landmarks, standouts, is_bare, barring_frames };
    let mfa = mfa(&sight);
    let login = if mfa.is_some() { None } else { login::login(&sight) };
    let found =
        [consent(&sight), captcha::captcha(&sight), login, mfa, age_or_country(&sight), paywall(&sight)];
    found
        .into_iter()
        .flatten()
        .map(|found| SceneBlocker {
            kind: found.kind,
            text: survey.pen.write_some(&found.text, 160),
            items: found.items.into_iter().take(MOST_ITEMS).collect(),
        })
        .collect()
}

fn is_bare(survey: &Survey<'_>, landmarks: &[Landmark]) -> bool {
    let counts =
        |node: NodeIndex| !matches!(landmarks[node], Landmark::Nav | Landmark::Footer | Landmark::Banner);
    let (mut letters, mut controls) = (0, 0);
    for (at, node) in survey.tree.nodes.iter().enumerate() {
        match node.what {
            What::Text(text) if counts(at) => letters += text.len(),
            What::Control(_, item) if counts(at) && survey.traits[item].visible => controls += 1,
            _ => {}
        }
        if letters > LONGEST_WALL || controls > MOST_CONTROLS_OF_A_WALL {
            return false;
        }
    }
    true
}

impl Sight<'_, '_> {
    fn visible(&self, items: Range<usize>) -> Vec<usize> {
        items.filter(|&item| self.survey.traits[item].visible).collect()
    }

    /// The parts of the page where a wall may stand: what covers it or asks something, and all of a bare page.
    fn walls(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        let asking = self.standouts.iter().filter(|s| {
            let kind = self.survey.tree.kind(s.node);
            !s.consent && (s.covers || matches!(kind, GroupKind::Dialog | GroupKind::Modal))
        });
        asking.map(|s| s.node).chain(self.is_bare.then_some(0))
    }

    /// Everything in a wall that can be acted on; of a bare page only its own matter.
    fn items_of(&self, wall: NodeIndex) -> Vec<usize> {
        let items = self.visible(self.survey.tree.items_within(wall));
        let apart = |item: &usize| {
            matches!(self.landmarks[self.survey.traits[*item].node], Landmark::Nav | Landmark::Footer)
        };
        items.into_iter().filter(|item| wall != 0 || !apart(item)).collect()
    }
}

fn consent(sight: &Sight<'_, '_>) -> Option<Found> {
    let survey = sight.survey;
    let by_frame = || {
        let mut owners = (0..survey.tree.nodes.len()).filter(|&at| match survey.tree.nodes[at].what {
            What::Owner(owner, shown) => owner.visible && shown.is_some(),
            _ => false,
        });
        owners.find(|&at| super::consent::is_hinted(survey, at) && super::consent::asks(survey, at))
    };
    let standing = sight.standouts.iter().find(|s| s.consent).map(|s| s.node);
    let node = standing.or_else(by_frame)?;
    let text = Some(survey.texts(node, 300)).filter(|text| !text.is_empty());
    Some(Found {
        kind: BlockerKind::CookieConsent,
        text: text.unwrap_or_else(|| survey.says(node, 300)),
        items: sight.visible(survey.tree.items_within(node)),
    })
}

/// A field for a code that is good once; next to the fields of a card the same words mean the number on its back.
fn mfa(sight: &Sight<'_, '_>) -> Option<Found> {
    let survey = sight.survey;
    let is_code = |item: usize| {
        let traits = &survey.traits[item];
        traits.visible && traits.secrecy == Some(Secrecy::OneTimeCode)
    };
    let pays = |form: usize| sight.forms.all[form].count(survey, |s| s == Secrecy::Payment) > 0;
    let field = (0..survey.traits.len())
        .find(|&item| is_code(item) && !sight.forms.of_items[item].is_some_and(pays))
        .or_else(|| split_code(sight))?;
    let form = sight.forms.of_items[field].map(|form| &sight.forms.all[form]);
    let items = form.map_or_else(|| vec![field], |form| form.items.clone());
    let near = form.and_then(|form| form.node).map(|node| survey.texts(node, 300));
    let text = near
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| survey.names.of_items[field].untrusted().to_owned());
    let items = items.into_iter().filter(|&item| survey.traits[item].visible).collect();
    Some(Found { kind: BlockerKind::Mfa, text, items })
}

/// A code in boxes of one digit each.
fn split_code(sight: &Sight<'_, '_>) -> Option<usize> {
    let survey = sight.survey;
    let first = survey.code_rows.iter().map(|row| row.start).find(|&first| survey.traits[first].visible)?;
    sight.call(BlockerKind::Mfa).is_some().then_some(first)
}

fn age_or_country(sight: &Sight<'_, '_>) -> Option<Found> {
    [BlockerKind::AgeGate, BlockerKind::GeoWall].into_iter().find_map(|kind| {
        let (wall, text) = sight.call(kind)?;
        let items = sight.items_of(wall);
        // Nobody can answer a question about age without a control; a closed country needs none.
        let can_answer = || items.iter().any(|&item| is_answer(&sight.survey.traits[item], kind));
        (kind == BlockerKind::GeoWall || can_answer()).then_some(Found { kind, text, items })
    })
}

/// A wall across an article: what the page calls so, or a call to subscribe with a way to do it beside.
fn paywall(sight: &Sight<'_, '_>) -> Option<Found> {
    const NAMES: &[&str] =
        &["paywall", "regwall", "subscribe-wall", "subscription-wall", "tp-modal", "piano-offer"];
    let survey = sight.survey;
    // Most pages have none, and need not be read for it.
    let offers = sight.visible(0..survey.traits.len());
    let offers: Vec<usize> =
        offers.into_iter().filter(|&item| SUBSCRIBE.is_in(&survey.traits[item].words)).collect();
    let subscribe = |node: NodeIndex| {
        let within = survey.tree.items_within(node);
        let first = offers.partition_point(|&item| item < within.start);
        offers.get(first).filter(|&&item| item < within.end)?;
        let items = sight.visible(within);
        (items.len() <= MOST_CONTROLS_OF_A_WALL).then_some(items)
    };
    if offers.is_empty() {
        return None;
    }
    let by_name = || {
        let mut named = survey
            .tree
            .groups()
            .filter(|&(node, _)| hints_at(survey, node, NAMES) && survey.letters.at(&survey.tree, node) > 0);
        named.find_map(|(node, _)| subscribe(node).map(|items| (node, items)))
    };
    // Who offers a letter asks for an address, not for money.
    let is_letter = |at: NodeIndex| {
        let near = survey.tree.around(at).take(4).take_while(|&node| node != 0);
        near.filter(|&node| survey.tree.kind(node) != GroupKind::Main).any(|node| {
            let asks = |item: usize| survey.traits[item].visible && survey.traits[item].usage == Use::Write;
            survey.tree.items_within(node).any(asks) || LETTERS.is_in(&Words::of(&survey.texts(node, 400)))
        })
    };
    let calls = |at: NodeIndex, text: &str| {
        let words = Words::of(text);
        CALLS.hits(&words).any(|hit| hit.value == BlockerKind::Paywall)
            || MILD_PAYWALLS.is_in(&words) && !LETTERS.is_in(&words) && !is_letter(at)
    };
    let by_words = || {
        // The way to subscribe stands in the same small group, not just anywhere on the page.
        let offer_near = |at: NodeIndex| {
            let mut near = survey.tree.around(at).take(3).filter(|&node| {
                node != 0
                    && survey.tree.kind(node) != GroupKind::Main
                    && survey.tree.kind(node) != GroupKind::List
            });
            near.find_map(|node| subscribe(node).map(|items| (node, items)))
        };
        (0..survey.tree.nodes.len()).find_map(|at| match survey.tree.nodes[at].what {
            What::Text(text)
                if text.len() < 400 && matches!(sight.landmarks[at], Landmark::Main | Landmark::Modal) =>
            {
                offer_near(at).filter(|_| calls(at, text))
            }
            _ => None,
        })
    };
    let by_heading = || {
        let heading = sight.headings.iter().find(|heading| calls(heading.node, heading.text.untrusted()))?;
        let mut near = survey.tree.around(heading.node).take(3).filter(|&node| node != 0);
        near.find_map(|node| subscribe(node).map(|items| (node, items)))
    };
    let (node, items) = by_name().or_else(by_words).or_else(by_heading)?;
    Some(Found { kind: BlockerKind::Paywall, text: survey.texts(node, 300), items })
}
