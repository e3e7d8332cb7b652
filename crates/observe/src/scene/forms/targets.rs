//! Where a form may be sent.

use legwork_types::PageText;

use super::{super::survey::Survey, FormDraft};

/// The longest address: whoever asks wants to know whose it is.
const LONGEST: usize = 300;

/// Every address that a form may be sent to, by itself or by one of its buttons. Of what is no form of the document nobody knows.
pub(super) fn sent_to(survey: &Survey<'_>, draft: &FormDraft<'_>) -> Vec<PageText> {
    let Some(&first) = draft.items.first() else { return vec![] };
    let Some(facts) = draft.facts else {
        // It belongs to a form that the capture has left out.
        let is_lost = draft.items.iter().any(|&item| survey.traits[item].control.attributes.form.is_some());
        return if is_lost { vec![PageText::default()] } else { vec![] };
    };
    if &*facts.method == "dialog" {
        return vec![];
    }
    let frame = &survey.frames.all[survey.tree.nodes[survey.traits[first].node].frame];
    let hidden = facts.default_buttons.iter().flatten().filter_map(|button| button.form_action.as_ref());
    let seen = draft.items.iter().flat_map(|&item| {
        let attributes = &survey.traits[item].control.attributes;
        let pressed = attributes.presses.as_ref().and_then(|button| button.form_action.as_ref());
        attributes.form_action.as_ref().into_iter().chain(pressed)
    });
    let mut all: Vec<PageText> = Vec::new();
    for action in std::iter::once(facts.action.as_ref()).chain(hidden.map(Some)).chain(seen.map(Some)) {
        let written = action.map_or("", |action| action.untrusted().trim());
        // Script stays within the document, and the wire sees what it sends.
        if written.split_once(':').is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("javascript")) {
            continue;
        }
        let address = match (written, &frame.base) {
            ("", _) => frame.address().untrusted().to_owned(),
            (_, Some(base)) => base.join(written).map(String::from).unwrap_or_default(),
            (_, None) => written.to_owned(),
        };
        let address = survey.pen.write(&address, LONGEST);
        if !all.contains(&address) {
            all.push(address);
        }
    }
    all
}
