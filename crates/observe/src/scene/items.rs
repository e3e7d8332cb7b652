//! Controls as callers see them.

use legwork_types::{
    PageText,
    contract::{ActionId, Affordance, Constraints, Fingerprint, Landmark, Risk, Toggle},
};

use super::{
    ElementRef, Item, identity,
    outline::Groups,
    purpose::purpose,
    risk::says_little,
    roles::Use,
    survey::{Survey, Traits},
    veiled::is_veiled,
};
use crate::capture::{Flag, Switch};

/// The longest value.
const LONGEST_VALUE: usize = 200;

/// The most options, and the longest of them.
const OPTIONS: (usize, usize) = (50, 80);

/// What was found out about one item.
pub(super) struct Findings {
    pub(super) risk: Risk,
    pub(super) sends: Option<Risk>,
    pub(super) near_text: Option<PageText>,
    pub(super) fingerprint: Fingerprint,
    pub(super) form: Option<usize>,
}

/// Puts one item together.
pub(super) fn item(
    survey: &Survey<'_>,
    number: usize,
    landmarks: &[Landmark],
    groups: &Groups,
    findings: Findings,
) -> Item {
    let traits = &survey.traits[number];
    let control = traits.control;
    let node = survey.tree.nodes[traits.node];
    let frame = &survey.frames.all[node.frame];
    let (value, has_value) = value(survey, traits);
    let (purpose, shows_dots) = purpose(survey, traits);
    let on = |switch: Switch| control.state.switch(switch).map(|toggle| toggle == Toggle::On);
    let targetable = !traits.has(Flag::NoElement);
    let affordance = Affordance {
        action_id: ActionId(0),
        role: traits.role.clone().into_owned(),
        name: survey.names.of_items[number].clone(),
        visible: traits.visible,
        in_viewport: traits.in_view,
        disabled: traits.has(Flag::Disabled),
        risk: findings.risk,
        landmark: landmarks[traits.node],
        href: href(survey, traits, node.frame),
        value,
        value_redacted: traits.secrecy.is_some(),
        has_value,
        sensitive: traits.secrecy.is_some(),
        checked: control.state.switch(Switch::Checked),
        selected: on(Switch::Selected),
        expanded: on(Switch::Expanded),
        pressed: control.state.switch(Switch::Pressed),
        focused: traits.has(Flag::Focused),
        required: traits.has(Flag::Required),
        invalid: traits.has(Flag::Invalid),
        readonly: traits.has(Flag::Readonly),
        covered: traits.has(Flag::Covered),
        constraints: constraints(survey, traits),
        near_text: findings.near_text,
        frame_id: survey.frame_of(node.frame),
        rect: Some(traits.place.rect()),
        targetable,
        fingerprint: findings.fingerprint,
    };
    let element = targetable.then(|| ElementRef {
        frame: frame.capture.facts.id.clone(),
        loader: frame.loader.clone(),
        index: control.index,
        identity: control.identity(&frame.capture.look.forms),
    });
    Item {
        affordance,
        element,
        group: groups.of_nodes[node.parent],
        form: findings.form,
        says_little: says_little(traits),
        sends: findings.sends,
        purpose,
        shows_dots,
        veiled: is_veiled(survey, traits),
    }
}

fn href(survey: &Survey<'_>, traits: &Traits<'_>, frame: usize) -> Option<PageText> {
    let href = traits.control.attributes.href.as_ref()?;
    identity::href(&survey.frames, frame, &survey.pen, href.untrusted())
}

/// The value, unless it is a secret; then only whether there is one.
fn value(survey: &Survey<'_>, traits: &Traits<'_>) -> (Option<PageText>, bool) {
    let value = traits.control.attributes.value.as_ref();
    if traits.secrecy.is_some() {
        let has_one = traits.has(Flag::Filled) || value.is_some_and(|value| !value.untrusted().is_empty());
        return (None, has_one);
    }
    // What a box or a button would send is of no interest to whoever ticks or presses it.
    let has_one = matches!(traits.usage, Use::Write | Use::Upload | Use::Other)
        || matches!(&*traits.role, "combobox" | "listbox");
    let written = value.filter(|value| has_one && !value.untrusted().is_empty());
    (written.map(|value| survey.pen.copy(value.untrusted(), LONGEST_VALUE)), false)
}

fn constraints(survey: &Survey<'_>, traits: &Traits<'_>) -> Constraints {
    let attributes = &traits.control.attributes;
    let write =
        |text: &Option<PageText>| text.as_ref().and_then(|text| survey.pen.write_some(text.untrusted(), 100));
    let told_by_role = |kind: &PageText| {
        matches!(
            kind.untrusted(),
            "text"
                | "button"
                | "submit"
                | "reset"
                | "checkbox"
                | "radio"
                | "search"
                | "image"
                | "hidden"
                | "select-one"
                | "select-multiple"
                | "textarea"
        )
    };
    let kind = write(&attributes.kind).filter(|kind| traits.usage.is_field() && !told_by_role(kind));
    let (most, longest) = OPTIONS;
    // What is offered for a secret field are secrets: the numbers of saved cards.
    let told = if traits.secrecy.is_some() { 0 } else { most };
    let options: Vec<_> = attributes
        .options
        .iter()
        .take(told)
        .map(|option| survey.pen.write(option.untrusted(), longest))
        .collect();
    let count = attributes.option_count.unwrap_or(0).max(attributes.options.len() as u32);
    Constraints {
        kind,
        pattern: write(&attributes.pattern),
        min_length: attributes.min_length.filter(|&least| least > 0),
        max_length: attributes.max_length,
        min: write(&attributes.min),
        max: write(&attributes.max),
        option_count: (count as usize > options.len()).then_some(count),
        options,
    }
}
