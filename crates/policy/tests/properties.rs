//! Whatever a page wrote and whatever is asked: caution can only be added, and a permit is for what was judged.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::PathBuf;

use common::*;
use legwork_policy::{
    Confirmation, Facts, FileFacts, Rules, TargetFacts, WhoConfirms, confirmation_text, judge,
};
use legwork_types::{
    Click, Deed, Intent, PageText, Tick,
    contract::{ActionId, Dialog, FieldValue, Fingerprint, FormFill, MouseButton, Risk, RiskLevel},
};
use proptest::{collection::vec, option, prelude::*, sample::select};

fn name() -> impl Strategy<Value = PageText> {
    let known = vec!["", "Pay now", "Cancel", "safe", "\"", "\u{202e}\u{200b}", "alert", "CONFIRM"];
    prop_oneof![
        select(known).prop_map(PageText::from),
        Just(PageText::from("very long ".repeat(40))),
        "\\PC{0,20}".prop_map(PageText::from),
    ]
}

fn level() -> impl Strategy<Value = RiskLevel> {
    select(vec![Safe, Caution, Danger])
}

fn some_risk() -> impl Strategy<Value = Risk> {
    level().prop_map(risk)
}

fn a_target(action: u32) -> impl Strategy<Value = TargetFacts> {
    let roles =
        vec!["button", "textbox", "searchbox", "combobox", "checkbox", "link", "file", "clickable", ""];
    (select(roles), name(), some_risk(), option::of(some_risk()), any::<u64>(), proptest::bool::weighted(0.1))
        .prop_map(move |(role, name, risk, sends, fingerprint, in_captcha)| TargetFacts {
            action: ActionId(action),
            fingerprint: Fingerprint(fingerprint),
            role: role.into(),
            name,
            risk,
            sends,
            in_captcha,
            field: Default::default(),
        })
}

fn a_dialog() -> impl Strategy<Value = Dialog> {
    (select(vec!["alert", "confirm", "prompt", "beforeunload", "new"]), name())
        .prop_map(|(kind, message)| Dialog { kind: kind.into(), message })
}

/// Numbers 1 to 3; sometimes one of them is missing.
fn some_facts() -> impl Strategy<Value = Facts> {
    let targets = (a_target(1), a_target(2), a_target(3)).prop_map(|(a, b, c)| vec![a, b, c]);
    let files = vec((select(vec!["a", "b"]), option::of(select(vec!["/home/ada/outbox/a", "/etc/b"]))), 0..3);
    (targets, option::weighted(0.1, 0usize..3), option::of(a_target(9)), option::of(a_dialog()), files)
        .prop_map(|(mut targets, missing, focused, dialog, files)| {
            missing.map(|missing| targets.remove(missing));
            let file = |(asked, real): (&str, Option<&str>)| FileFacts {
                asked: asked.into(),
                real: real.map(PathBuf::from),
            };
            let files = files.into_iter().map(file).collect();
            Facts { focused, dialog, files, ..facts(targets) }
        })
}

fn some_chord() -> impl Strategy<Value = legwork_types::Chord> {
    select(vec!["Enter", "Space", "Tab", "Escape", "a", "Alt+a", "Control+Enter", "ArrowDown", "Delete"])
        .prop_map(chord)
}

fn some_text() -> impl Strategy<Value = FieldValue> {
    prop_oneof![
        9 => select(vec!["", "word", "two words", "line\n", "\t", "a\tb", "\r"]).prop_map(|text| FieldValue::Text(text.into())),
        1 => Just(FieldValue::Secret { secret: "card".into() }),
    ]
}

fn some_deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        Just(Deed::Click(Click::default())),
        Just(Deed::Click(Click { button: MouseButton::Middle, ..Click::default() })),
        Just(Deed::Hover),
        Just(Deed::Focus),
        Just(Deed::Clear),
        Just(Deed::Tick(Tick::Off)),
        Just(Deed::ScrollIntoView),
        some_text().prop_map(Deed::Fill),
        some_text().prop_map(|text| Deed::Type { text, delay_ms: 0 }),
        some_chord().prop_map(Deed::PressKey),
        (1u32..4).prop_map(|to| Deed::DragTo(ActionId(to))),
        vec(select(vec!["a", "b"]).prop_map(str::to_owned), 1..3).prop_map(Deed::Upload),
    ]
}

fn some_intent() -> impl Strategy<Value = Intent> {
    prop_oneof![
        5 => (1u32..4, some_deed()).prop_map(|(target, deed)| on(target, deed)),
        1 => vec((1u32..4, some_text()), 1..4).prop_map(|fields| {
            let field = |(field, value)| FormFill { action_id: ActionId(field), value };
            Intent::FillForm(fields.into_iter().map(field).collect())
        }),
        1 => some_chord().prop_map(Intent::PressKeyOnPage),
        1 => any::<bool>().prop_map(answer),
        1 => select(vec![Intent::Back, Intent::Reload]),
    ]
}

fn some_rules() -> impl Strategy<Value = Rules> {
    select(vec![WhoConfirms::Nobody, WhoConfirms::Caller])
        .prop_map(|who_confirms| Rules { who_confirms, ..by_caller() })
}

/// Nothing, the right words, or the right words of another page.
fn said(how: u8, intent: &Intent, facts: &Facts, other: &Facts) -> Confirmation {
    match how {
        0 => Confirmation::default(),
        1 => echo(&confirmation_text(intent, facts)),
        2 => echo(&confirmation_text(intent, other)),
        3 => Confirmation { confirm: false, ..echo(&confirmation_text(intent, facts)) },
        _ => echo("yes"),
    }
}

fn everything(facts: &mut Facts) -> impl Iterator<Item = &mut TargetFacts> {
    facts.targets.iter_mut().chain(&mut facts.focused)
}

/// The same with other words of the page.
fn renamed(facts: &Facts, names: &[PageText]) -> Facts {
    let mut other = facts.clone();
    let mut names = names.iter().cycle().cloned();
    for target in everything(&mut other) {
        target.name = names.next().unwrap_or_default();
    }
    if let Some(dialog) = &mut other.dialog {
        dialog.message = names.next().unwrap_or_default();
    }
    other
}

/// The same, each risk at least as high.
fn raised(facts: &Facts, levels: &[RiskLevel]) -> Facts {
    let mut other = facts.clone();
    let mut levels = levels.iter().cycle().copied();
    let mut next = || levels.next().unwrap_or(Safe);
    for target in everything(&mut other) {
        target.risk.level = target.risk.level.max(next());
        match &mut target.sends {
            Some(sends) => sends.level = sends.level.max(next()),
            None => target.sends = Some(risk(next())),
        }
    }
    other
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn words_of_the_page_decide_nothing(
        intent in some_intent(), facts in some_facts(), rules in some_rules(), names in vec(name(), 4),
    ) {
        let other = renamed(&facts, &names);
        let nothing = Confirmation::default();
        let (one, two) = (judge(intent.clone(), &facts, &rules, &nothing), judge(intent, &other, &rules, &nothing));
        prop_assert_eq!(kind(&one), kind(&two));
    }

    #[test]
    fn caution_is_never_taken_away(
        intent in some_intent(), facts in some_facts(), rules in some_rules(), how in 0u8..5,
        names in vec(name(), 4), levels in vec(level(), 8),
    ) {
        let renamed = renamed(&facts, &names);
        let said = said(how, &intent, &facts, &renamed);
        let before = judge(intent.clone(), &facts, &rules, &said);
        let after = judge(intent.clone(), &raised(&facts, &levels), &rules, &said);
        prop_assert!(kind(&before) == "go" || kind(&after) != "go", "{:?} {:?}", before, after);
        // With other words too, unless just these words were echoed.
        let worse = raised(&renamed, &levels);
        let after = judge(intent.clone(), &worse, &rules, &said);
        let is_yes = said.text == Some(confirmation_text(&intent, &worse));
        prop_assert!(kind(&before) == "go" || kind(&after) != "go" || is_yes, "{:?} {:?}", before, after);
    }

    #[test]
    fn what_would_be_asked_goes_only_against_its_own_text(
        intent in some_intent(), facts in some_facts(), rules in some_rules(), how in 0u8..5, names in vec(name(), 4),
    ) {
        let said = said(how, &intent, &facts, &renamed(&facts, &names));
        let asked = kind(&judge(intent.clone(), &facts, &rules, &Confirmation::default()));
        let verdict = kind(&judge(intent.clone(), &facts, &rules, &said));
        let is_yes = rules.who_confirms == WhoConfirms::Caller
            && said.confirm
            && said.text == Some(confirmation_text(&intent, &facts));
        let expected = if asked == "ask" && is_yes { "go" } else { asked };
        prop_assert_eq!(verdict, expected);
    }

    #[test]
    fn a_permit_is_for_what_was_judged(
        intent in some_intent(), facts in some_facts(), rules in some_rules(),
    ) {
        let yes = echo(&confirmation_text(&intent, &facts));
        let verdict = judge(intent.clone(), &facts, &rules, &yes);
        let known = |action: &ActionId| facts.targets.iter().find(|target| target.action == *action);
        let all_known = intent.targets().iter().all(|action| known(action).is_some());
        prop_assert!(all_known || kind(&verdict) == "stop");
        if let Some(permit) = permit(verdict) {
            let on_page = matches!(intent, Intent::PressKeyOnPage(_));
            let targets = intent.targets();
            let targets = targets.iter().filter_map(known).chain(facts.focused.iter().filter(|_| on_page));
            let targets: Vec<_> = targets.map(|target| (target.action, target.fingerprint)).collect();
            prop_assert_eq!(permit.targets(), targets);
            prop_assert!(permit.files().all(|file| file.starts_with("/home/ada/outbox")));
            let asked = match &intent {
                Intent::OnElement { deed: Deed::Upload(files), .. } => files.len(),
                _ => 0,
            };
            prop_assert_eq!(permit.files().count(), asked);
            let dialog = facts.dialog.as_ref().filter(|_| matches!(intent, Intent::HandleDialog { .. }));
            prop_assert_eq!(permit.dialog(), dialog);
            prop_assert_eq!(permit.session(), &facts.session);
            prop_assert_eq!(permit.observation(), &facts.observation);
            prop_assert_eq!(permit.intent(), &intent);
        }
    }

    #[test]
    fn a_text_to_echo_is_one_short_line(intent in some_intent(), facts in some_facts(), names in vec(name(), 4)) {
        let text = confirmation_text(&intent, &renamed(&facts, &names));
        prop_assert!(text.starts_with("CONFIRM ") && text.ends_with(" on shop.example"), "{text}");
        prop_assert!(text.chars().count() <= 250 && text.trim() == text, "{text}");
        prop_assert!(text.chars().all(|c| c == ' ' || !(c.is_control() || c.is_whitespace())), "{text:?}");
        prop_assert!(matches!(text.matches('"').count(), 0 | 2 | 4), "{text}");
        prop_assert!(!text.contains("\"\""), "{text}");
    }
}
