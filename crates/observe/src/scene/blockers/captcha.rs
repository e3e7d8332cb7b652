//! Proofs of being human.

use legwork_types::contract::BlockerKind;
use url::Url;

use super::{
    super::{
        roles::Use,
        stage::hints_at,
        tree::{NodeIndex, What},
        words::Words,
    },
    Found, Sight,
    lists::PICTURE_TEXTS,
};
use crate::capture::Owner;

/// Where the makers of such proofs serve them from: the end of a host, and the beginning of a path.
const MAKERS: &[(&str, &str)] = &[
    ("google.com", "/recaptcha/"),
    ("recaptcha.net", "/recaptcha/"),
    ("hcaptcha.com", "/"),
    ("challenges.cloudflare.com", "/"),
    ("arkoselabs.com", "/"),
    ("funcaptcha.com", "/"),
    ("captcha-delivery.com", "/"),
    ("geetest.com", "/"),
    ("mtcaptcha.com", "/"),
    ("friendlycaptcha.com", "/"),
    ("smartcaptcha.yandexcloud.net", "/"),
    ("captcha.awswaf.com", "/"),
    ("px-cdn.net", "/"),
    ("px-cloud.net", "/"),
];

/// What their boxes are called in classes and ids.
const BOXES: &[&str] = &[
    "g-recaptcha",
    "h-captcha",
    "cf-turnstile",
    "cf-challenge",
    "px-captcha",
    "geetest_",
    "frc-captcha",
    "mtcaptcha",
    "funcaptcha",
    "captcha-box",
    "captcha-container",
    "smart-captcha",
];

/// What the frames of such proofs are called, whoever serves them.
const CALLED: &[&str] =
    &["recaptcha", "hcaptcha", "captcha", "funcaptcha", "turnstile", "geetest", "challenge"];

/// What else stands in such a name. A name with other words in it is that of something about proofs: a video, a game.
const CALLED_BESIDE: &[&str] = &[
    "widget",
    "containing",
    "checkbox",
    "box",
    "for",
    "a",
    "an",
    "the",
    "in",
    "of",
    "frame",
    "iframe",
    "security",
    "human",
    "verification",
    "check",
    "google",
    "cloudflare",
    "arkose",
    "visual",
    "audio",
    "expires",
    "two",
    "minutes",
    "v2",
    "v3",
    "enterprise",
];

/// The smallest box that a person can use: badges and watchers are smaller.
const LEAST: (f32, f32) = (120.0, 40.0);

pub(super) fn captcha(sight: &Sight<'_, '_>) -> Option<Found> {
    let survey = sight.survey;
    let by_frame = || {
        (0..survey.tree.nodes.len()).find(|&at| match survey.tree.nodes[at].what {
            What::Owner(owner, shown) => {
                let address = shown.map(|frame| survey.frames.all[frame].address().untrusted());
                is_proof(owner, owner.src.untrusted())
                    || address.is_some_and(|address| is_proof(owner, address))
            }
            _ => false,
        })
    };
    let by_box = || {
        let mut boxes = survey.tree.groups().filter(|&(node, group)| {
            group.rect.width >= LEAST.0 && group.rect.height >= LEAST.1 && hints_at(survey, node, BOXES)
        });
        boxes.find(|&(node, _)| survey.is_open(node)).map(|(node, _)| node)
    };
    if let Some(node) = by_frame().or_else(by_box) {
        return Some(found(sight, node));
    }
    if let Some(node) = by_name_of_frame(sight) {
        return Some(found(sight, node));
    }
    if let Some(item) = by_field(sight) {
        let text = survey.names.of_items[item].untrusted().to_owned();
        return Some(Found { kind: BlockerKind::Captcha, text, items: vec![item] });
    }
    let (wall, text) = sight.call(BlockerKind::Captcha)?;
    Some(Found { kind: BlockerKind::Captcha, text, items: sight.items_of(wall) })
}

/// A frame that is called after a proof, where the page calls for one. A name alone may be that of anything.
fn by_name_of_frame(sight: &Sight<'_, '_>) -> Option<NodeIndex> {
    let tree = &sight.survey.tree;
    let calls = |node: NodeIndex| sight.calls(node, BlockerKind::Captcha);
    let is_called_for = |place: NodeIndex| {
        let mut near = tree.around(place).take(3).filter(|&node| node != 0 && sight.is_small(node));
        calls(place) || near.any(calls) || sight.is_bare && calls(0)
    };
    (0..tree.nodes.len()).find(|&at| match tree.nodes[at].what {
        What::Owner(owner, _) => {
            can_be_used(owner) && is_name_of_proof(owner.name.untrusted()) && is_called_for(at)
        }
        _ => false,
    })
}

fn is_name_of_proof(name: &str) -> bool {
    let words = Words::of(name);
    words.iter().any(|word| CALLED.contains(&word))
        && words.iter().all(|word| CALLED.contains(&word) || CALLED_BESIDE.contains(&word))
}

fn can_be_used(owner: &Owner) -> bool {
    let [width, height] = owner.size;
    owner.visible && width >= LEAST.0 && height >= LEAST.1
}

fn found(sight: &Sight<'_, '_>, node: NodeIndex) -> Found {
    let survey = sight.survey;
    let said = survey.says(node, 300);
    let text = match survey.tree.nodes[node].what {
        What::Owner(owner, _) if said.is_empty() => owner.name.untrusted().to_owned(),
        _ => said,
    };
    Found { kind: BlockerKind::Captcha, text, items: sight.visible(survey.tree.items_within(node)) }
}

/// Whether a frame shows a proof to work on. The invisible kind watches and asks nothing.
fn is_proof(owner: &Owner, address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let host = url.host_str().unwrap_or_default();
    let is_maker = MAKERS.iter().any(|(end, beginning)| {
        let of_host = host.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        of_host && url.path().starts_with(beginning)
    });
    let watches = url.query().unwrap_or_default().contains("size=invisible");
    is_maker && !watches && can_be_used(owner)
}

/// A field to copy letters into.
fn by_field(sight: &Sight<'_, '_>) -> Option<usize> {
    let survey = sight.survey;
    (0..survey.traits.len()).find(|&item| {
        let traits = &survey.traits[item];
        let attributes = &traits.control.attributes;
        let identifiers = || {
            [&attributes.name, &attributes.id]
                .into_iter()
                .flatten()
                .any(|text| Words::of_identifier(text.untrusted()).iter().any(|word| word == "captcha"))
        };
        traits.visible
            && traits.usage == Use::Write
            && traits.role == "textbox"
            && (PICTURE_TEXTS.is_in(&traits.words) || identifiers() || is_told_before(sight, traits.node))
    })
}

/// Whether the text right before a field asks for what a picture shows.
fn is_told_before(sight: &Sight<'_, '_>, field: NodeIndex) -> bool {
    let before =
        (field.saturating_sub(3)..field).rev().find_map(|at| match sight.survey.tree.nodes[at].what {
            What::Text(text) if text.len() <= 200 => Some(Some(text)),
            What::Control(..) => Some(None),
            _ => None,
        });
    before.flatten().is_some_and(|text| PICTURE_TEXTS.is_in(&Words::of(text)))
}
