//! What forms say about the controls that send them, and which controls may do that.

use legwork_types::{PageText, contract::RiskLevel};
use url::Url;

use super::{
    super::{
        forms::{FormDraft, Forms},
        roles::Use,
        sensitive::Secrecy,
        survey::{Survey, Traits},
        tree::NodeIndex,
        words::{Hit, Words},
    },
    Verdict, is_vague,
    lists::{ACTS, ASIDE, BACK, MONEY, Meaning},
    says::{self, Manner},
    says_nothing,
    signs::runs_script,
    titles::act_in_title,
    unnamed,
};
use crate::capture::{ButtonFacts, Flag, FormFacts, Switch};

/// The most controls after a form that are taken for its own.
const MOST_AFTER: usize = 3;

/// Further apart than this the controls of a form have too much between them that is none of it.
const WIDEST_FORM: usize = 80;

/// What a form says about whatever sends it.
struct Reason {
    level: RiskLevel,
    /// Whether it holds for a control that only may send the form, beside one that surely does.
    spreads: bool,
    /// Whether it is what a control does that says nothing but "go on".
    names_act: bool,
    words: String,
}

/// How sure it is that a control sends a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sends {
    /// The document says so, or it is the button below the fields.
    Surely,
    /// It is in the form, and a script may send it; another control surely does.
    Perhaps,
    /// The same where nothing else does.
    Likely,
}

/// What all forms say about the controls that send them.
pub(super) struct Sending {
    reasons: Vec<Vec<Reason>>,
    /// What it would mean besides if a control posts a form that says nothing of that itself.
    if_posted: Vec<Vec<(RiskLevel, String)>>,
    of_items: Vec<Option<(usize, Sends)>>,
}

impl Sending {
    pub(super) fn of(survey: &Survey<'_>, forms: &Forms<'_>) -> Self {
        let mut of_items = vec![None; survey.traits.len()];
        for (number, form) in forms.all.iter().enumerate() {
            // A button that is taken for the one that sends a form may still be one that only shows something.
            let is_sure = |item: usize| {
                let traits = &survey.traits[item];
                let is_found = || form.submit == Some(item) && may_send(survey, traits, Sends::Likely);
                (traits.has(Flag::Submits) && traits.usage == Use::Press) || is_found()
            };
            let inside = items_in(survey, forms, number);
            let has_own = inside.iter().any(|&item| is_sure(item));
            let sends = if has_own { Sends::Perhaps } else { Sends::Likely };
            for item in inside {
                if is_sure(item) {
                    of_items[item] = Some((number, Sends::Surely));
                } else if may_send(survey, &survey.traits[item], sends) {
                    of_items[item] = Some((number, sends));
                }
            }
            if !has_own {
                for item in items_after(survey, forms, form).chain(form.submit.filter(|&item| is_sure(item)))
                {
                    of_items[item].get_or_insert((number, Sends::Likely));
                }
            }
        }
        let if_posted = |form: &FormDraft<'_>| {
            form.facts.map(|facts| by_address(survey, form, facts, true)).unwrap_or_default()
        };
        Self {
            reasons: forms.all.iter().map(|form| reasons(survey, form)).collect(),
            if_posted: forms.all.iter().map(if_posted).collect(),
            of_items,
        }
    }

    /// Adds what the form of a control says, if the control may send it.
    pub(super) fn judge(&self, survey: &Survey<'_>, item: usize, verdict: &mut Verdict) {
        let Some((form, sends)) = self.of_items[item] else { return };
        let traits = &survey.traits[item];
        let name = survey.names.of_items[item].untrusted();
        let vague = is_vague(&traits.words) && !unnamed::closes(traits, name);
        for reason in self.reasons[form].iter().filter(|reason| reason.spreads || sends != Sends::Perhaps) {
            let level = if reason.names_act && vague { RiskLevel::Danger } else { reason.level };
            verdict.add(level, reason.words.as_str());
        }
        if sends == Sends::Surely {
            let attributes = &traits.control.attributes;
            let pressed = attributes.presses.as_deref();
            let elsewhere = pressed.and_then(|button| button.form_action.as_ref());
            for action in attributes.form_action.as_ref().into_iter().chain(elsewhere) {
                by_form_action(survey, traits.node, action, verdict);
            }
            let own = attributes.form_method.as_ref().is_some_and(|method| method.untrusted() == "post");
            if own || pressed.is_some_and(|button| button.posts) {
                verdict.add(RiskLevel::Caution, POSTS);
                // Where the form itself goes counts only if it goes there.
                let goes_there = attributes.form_action.is_none() && elsewhere.is_none();
                for (level, words) in self.if_posted[form].iter().filter(|_| goes_there) {
                    verdict.add(*level, words.as_str());
                }
            }
        }
    }

    /// Adds what a form says about a button of it that is not among the controls, if it has one.
    pub(super) fn judge_unseen(
        &self,
        survey: &Survey<'_>,
        (number, form): (usize, &FormDraft<'_>),
        button: Option<&ButtonFacts>,
        verdict: &mut Verdict,
    ) {
        let words = button.map(|button| Words::of(button.name.untrusted())).unwrap_or_default();
        says::judge(&words, Manner::Command, verdict);
        for reason in &self.reasons[number] {
            let goes_on = reason.names_act && is_vague(&words);
            verdict.add(if goes_on { RiskLevel::Danger } else { reason.level }, reason.words.as_str());
        }
        let (Some(button), Some(&first)) = (button, form.items.first()) else { return };
        let identifiers = button.identifiers.as_ref().map(|text| Words::of_identifier(text.untrusted()));
        let is_grave = |hit: &Hit<Meaning>| hit.value == Meaning::Danger;
        if let Some(hit) = identifiers.and_then(|words| ACTS.hits(&words).find(is_grave)) {
            let level = if says_nothing(&words) { RiskLevel::Danger } else { RiskLevel::Caution };
            verdict.add(level, format!("is known to the page as \"{}\"", hit.phrase));
        }
        if let Some(action) = &button.form_action {
            by_form_action(survey, survey.traits[first].node, action, verdict);
        }
    }
}

/// The controls of a form, and those between them that belong to no other form: links and clickable boxes belong to none.
fn items_in(survey: &Survey<'_>, forms: &Forms<'_>, number: usize) -> Vec<usize> {
    let form = &forms.all[number];
    let spread = match (form.node, form.items.first(), form.items.last()) {
        (Some(node), ..) => survey.tree.items_within(node),
        (None, Some(&first), Some(&last)) if last - first <= WIDEST_FORM => first..last + 1,
        _ => 0..0,
    };
    let free = spread.filter(|&item| forms.of_items[item].is_none());
    form.items.iter().copied().chain(free).collect()
}

/// The controls that follow a form without a control of its own to send it, up to the next field or link that leads away.
fn items_after<'s>(
    survey: &'s Survey<'_>,
    forms: &'s Forms<'_>,
    form: &FormDraft<'_>,
) -> impl Iterator<Item = usize> + use<'s> {
    let inside = form.node.map_or(0, |node| survey.tree.items_within(node).end);
    let next = form.items.last().map_or(0, |last| last + 1).max(inside);
    let frame = form.items.first().map(|&item| survey.tree.nodes[survey.traits[item].node].frame);
    (next..survey.traits.len())
        .take_while(move |&item| {
            let traits = &survey.traits[item];
            let is_near = Some(survey.tree.nodes[traits.node].frame) == frame;
            is_near && forms.of_items[item].is_none() && (traits.usage == Use::Press || runs_script(traits))
        })
        .take(MOST_AFTER)
        .filter(|&item| may_send(survey, &survey.traits[item], Sends::Likely))
}

/// Whether a script may send a form by this control: whatever is pressed, unless it steps back, shows something or opens it.
fn may_send(survey: &Survey<'_>, traits: &Traits<'_>, sends: Sends) -> bool {
    let is_alone = sends == Sends::Likely;
    let is_pressed = match traits.usage {
        Use::Press => matches!(&*traits.role, "button" | "clickable" | "img" | "menuitem"),
        _ => is_alone && runs_script(traits),
    };
    // A box around further controls is clicked beside them by mistake only.
    let is_leaf = survey.tree.items_within(traits.node).is_empty();
    let steps_aside = BACK.whole(&traits.words).is_some() || ASIDE.hits(&traits.words).any(|hit| hit.at == 0);
    is_pressed && is_leaf && !opens(traits) && !steps_aside && (is_alone || !traits.words.is_empty())
}

/// Whether a control says that it opens or switches something.
pub(super) fn opens(traits: &Traits<'_>) -> bool {
    let state = traits.control.state;
    traits.has(Flag::Popup)
        || state.switch(Switch::Expanded).is_some()
        || state.switch(Switch::Pressed).is_some()
}

fn resolved(survey: &Survey<'_>, node: usize, address: &PageText) -> Option<Url> {
    let frame = &survey.frames.all[survey.tree.nodes[node].frame];
    match &frame.base {
        Some(base) => base.join(address.untrusted().trim()).ok(),
        None => Url::parse(address.untrusted().trim()).ok(),
    }
}

fn is_foreign(survey: &Survey<'_>, node: usize, address: &Url) -> bool {
    let frame = &survey.frames.all[survey.tree.nodes[node].frame];
    matches!(address.scheme(), "http" | "https")
        && frame.url.as_ref().is_some_and(|own| own.scheme() != "about" && own.origin() != address.origin())
}

/// Whether a form, or the button that Enter presses, says that it is to be posted.
pub(super) fn posts(facts: &FormFacts) -> bool {
    facts.method.eq_ignore_ascii_case("post")
        || facts.default_buttons.iter().flatten().any(|button| button.posts)
}

/// What a form says about the control that sends it, once per form.
fn reasons(survey: &Survey<'_>, form: &FormDraft<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let reason = |level: RiskLevel, words: &str| Reason {
        level,
        spreads: false,
        names_act: false,
        words: words.to_owned(),
    };
    if form.count(survey, |secrecy| secrecy == Secrecy::Payment) > 0 {
        reasons.push(Reason { spreads: true, ..reason(RiskLevel::Danger, "sends payment details") });
    }
    let section = form.section.as_ref().map(|section| Words::of(section.untrusted())).unwrap_or_default();
    if let Some(hit) = MONEY.hits(&section).next() {
        let words = format!("sends a form about \"{}\"", hit.phrase);
        reasons.push(Reason { spreads: true, ..reason(RiskLevel::Danger, &words) });
    }
    if let Some((phrase, names_act)) = act_in_title(&section) {
        let words = format!("sends a form headed \"{phrase}\"");
        reasons.push(Reason { spreads: true, names_act, ..reason(RiskLevel::Caution, &words) });
    }
    let mut add = |level: RiskLevel, words: &str| reasons.push(reason(level, words));
    let passwords = form.count(survey, |secrecy| matches!(secrecy, Secrecy::Password | Secrecy::NewPassword));
    let new = form.count(survey, |secrecy| secrecy == Secrecy::NewPassword);
    match (passwords, new) {
        (0, _) => {}
        (1, 0) => add(RiskLevel::Caution, "sends a password"),
        _ => add(RiskLevel::Danger, "sets a password"),
    }
    if form
        .count(survey, |secrecy| matches!(secrecy, Secrecy::OneTimeCode | Secrecy::Personal | Secrecy::Key))
        > 0
    {
        add(RiskLevel::Caution, "sends a secret");
    }
    if form.fields.iter().any(|&item| survey.traits[item].usage == Use::Upload) {
        add(RiskLevel::Caution, "uploads a file");
    }
    if let Some(facts) = form.facts {
        let posts = posts(facts);
        if posts {
            add(RiskLevel::Caution, POSTS);
        }
        for (level, words) in by_address(survey, form, facts, posts) {
            add(level, &words);
        }
    }
    reasons
}

const POSTS: &str = "sends a form";

/// What it means that a form goes where it says.
fn by_address(
    survey: &Survey<'_>,
    form: &FormDraft<'_>,
    facts: &FormFacts,
    posts: bool,
) -> Vec<(RiskLevel, String)> {
    let mut found = Vec::new();
    let Some(&first) = form.items.first() else { return found };
    let node = survey.traits[first].node;
    if let Some(action) = facts.action.as_ref().and_then(|action| resolved(survey, node, action)) {
        if posts && is_foreign(survey, node, &action) {
            found.push((RiskLevel::Danger, "sends to another site".to_owned()));
        }
        let words = Words::of_identifier(action.path());
        if let Some(hit) = ACTS.hits(&words).find(|hit| hit.value == Meaning::Danger) {
            let level = if posts { RiskLevel::Danger } else { RiskLevel::Caution };
            found.push((level, format!("goes to \"{}\"", hit.phrase)));
        }
    }
    found
}

/// A control that sends its form elsewhere than the form says.
fn by_form_action(survey: &Survey<'_>, node: NodeIndex, action: &PageText, verdict: &mut Verdict) {
    verdict.add(RiskLevel::Caution, "sends the form elsewhere");
    if resolved(survey, node, action).is_some_and(|address| is_foreign(survey, node, &address)) {
        verdict.add(RiskLevel::Danger, "sends to another site");
    }
    let words = Words::of_identifier(action.untrusted());
    if let Some(hit) = ACTS.hits(&words).find(|hit| hit.value == Meaning::Danger) {
        verdict.add(RiskLevel::Danger, format!("goes to \"{}\"", hit.phrase));
    }
}
