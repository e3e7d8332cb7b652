//! What an element is known by when the page is looked at again.

use foldhash::{HashMap, HashMapExt};

use legwork_types::{PageText, contract::Fingerprint};
use url::Url;

use super::{forms::Forms, landmarks::structural, survey::Survey};
use crate::digest::Digest;

/// Whether a program made this id, so that it is another one next time.
fn is_generated(id: &str) -> bool {
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    let longest_hex = id
        .split(|c: char| !c.is_ascii_hexdigit())
        .filter(|run| run.bytes().any(|b| b.is_ascii_digit()))
        .map(str::len)
        .max()
        .unwrap_or(0);
    let made_by =
        ["ember", "react-", "radix-", "headlessui-", "mui-", "yui_", "gwt-uid", "__next", "ext-gen", "cdk-"];
    let lower = id.to_ascii_lowercase();
    digits >= 4
        || 3 * digits >= id.len().max(1)
        || longest_hex >= 6
        || id.contains(':')
        || (digits > 0 && made_by.iter().any(|maker| lower.starts_with(maker)))
}

fn lasting(id: Option<&PageText>) -> &str {
    id.map(PageText::untrusted).filter(|id| id.len() <= 100 && !is_generated(id)).unwrap_or_default()
}

/// The path of where it leads: what comes after it changes with every visit.
fn path_of(href: &str) -> &str {
    href.split(['?', '#']).next().unwrap_or_default()
}

/// The fingerprint of each item. State, value and place on the screen are no part of it.
pub(super) fn fingerprints(
    survey: &Survey<'_>,
    forms: &Forms<'_>,
    near_texts: &[Option<PageText>],
) -> Vec<Fingerprint> {
    let parts = structural(survey);
    let frames: Vec<_> = survey.frames.all.iter().map(|frame| frame_digest(frame.url.as_ref())).collect();
    let digests: Vec<_> = survey
        .traits
        .iter()
        .enumerate()
        .map(|(item, traits)| {
            let attributes = &traits.control.attributes;
            let section = forms.of_items[item].and_then(|form| forms.all[form].section.as_ref());
            frames[survey.tree.nodes[traits.node].frame]
                .add(&traits.role)
                .add(survey.names.of_items[item].untrusted())
                .add(&traits.control.tag)
                .add(lasting(attributes.id.as_ref()))
                .add(lasting(attributes.test_id.as_ref()))
                .add(lasting(attributes.name.as_ref()))
                .add(attributes.href.as_ref().map_or("", |href| path_of(href.untrusted())))
                .add(part_name(parts[traits.node]))
                .add(section.map_or("", PageText::untrusted))
        })
        .collect();
    told_apart(digests, near_texts)
}

fn frame_digest(url: Option<&Url>) -> Digest {
    match url {
        Some(url) => Digest::new().add(&url.origin().ascii_serialization()).add(url.path()),
        None => Digest::new(),
    }
}

fn part_name(kind: crate::capture::GroupKind) -> &'static str {
    use crate::capture::GroupKind::*;
    match kind {
        Main => "main",
        Nav => "nav",
        Header => "header",
        Footer => "footer",
        Aside => "aside",
        Search => "search",
        Dialog | Modal => "dialog",
        _ => "",
    }
}

fn counted(digests: &[Digest]) -> HashMap<u64, u32> {
    let mut counts = HashMap::with_capacity(digests.len());
    digests.iter().for_each(|digest| *counts.entry(digest.0).or_insert(0) += 1);
    counts
}

/// Twins differ by what stands near them; where that is the same too, by their order.
fn told_apart(mut digests: Vec<Digest>, near_texts: &[Option<PageText>]) -> Vec<Fingerprint> {
    let counts = counted(&digests);
    for (digest, near) in digests.iter_mut().zip(near_texts) {
        if counts.get(&digest.0).is_some_and(|&count| count > 1) {
            *digest = digest.add("near").add(near.as_ref().map_or("", PageText::untrusted));
        }
    }
    let counts = counted(&digests);
    let mut met: HashMap<u64, u32> = HashMap::new();
    digests
        .into_iter()
        .map(|digest| match counts.get(&digest.0) {
            Some(&count) if count > 1 => {
                let ordinal = met.entry(digest.0).or_insert(0);
                *ordinal += 1;
                Fingerprint(digest.add(&ordinal.to_string()).0)
            }
            _ => Fingerprint(digest.0),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_made_by_programs_do_not_count() {
        for id in [
            ":r1:",
            "ember123",
            "input-48213",
            "a8f3e9b2c",
            "radix-7",
            "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        ] {
            assert!(is_generated(id), "{id}");
        }
        for id in ["submit", "login-form", "btn2", "address-line-1", "facade", "h1"] {
            assert_eq!(is_generated(id), id == "h1", "{id}");
        }
    }
}
