//! What may be done without a question, with one, and not at all.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::PathBuf;

use common::*;
use legwork_policy::{Confirmation, Facts, FileFacts, Rules, TargetFacts, Verdict, judge};
use legwork_types::{
    Awaited, Click, Code, Deed, Intent, PageUrl, Presses, Scroll, TabId, Tick, Wait,
    contract::{ActionId, Direction, FieldValue, FormFill, Modifier, MouseButton},
};

#[track_caller]
fn comes_to(expected: &str, intent: Intent, facts: &Facts) {
    let verdict = unasked(intent.clone(), facts);
    assert_eq!(kind(&verdict), expected, "{intent:?}: {verdict:?}");
}

fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.into())
}

/// Every deed that does more than look, on target 1.
fn deeds() -> Vec<Deed> {
    let press = |button, count, modifiers| Deed::Click(Click { button, count, modifiers });
    vec![
        Deed::Click(Click::default()),
        press(MouseButton::Middle, Presses::One, vec![]),
        press(MouseButton::Right, Presses::One, vec![]),
        press(MouseButton::Left, Presses::Two, vec![]),
        press(MouseButton::Left, Presses::One, vec![Modifier::Control]),
        Deed::Fill(text("x")),
        Deed::Clear,
        Deed::Select(legwork_types::Choice::Index(0)),
        Deed::Tick(Tick::On),
        Deed::Tick(Tick::Off),
        Deed::PressKey(chord("Enter")),
        Deed::PressKey(chord("Space")),
        Deed::PressKey(chord("ArrowDown")),
        Deed::DragTo(ActionId(2)),
    ]
}

fn looks() -> Vec<Deed> {
    let scroll = Scroll { direction: Direction::Down, pixels: 5 };
    vec![Deed::Hover, Deed::Focus, Deed::ScrollIntoView, Deed::Scroll(scroll)]
}

#[test]
fn what_is_dangerous_is_asked_however_it_is_pressed() {
    for (level, expected) in [(Safe, "go"), (Caution, "go"), (Danger, "ask")] {
        let facts = facts(vec![target(1, "button", level), target(2, "button", Safe)]);
        for deed in deeds() {
            comes_to(expected, on(1, deed), &facts);
        }
        for deed in looks() {
            comes_to("go", on(1, deed), &facts);
        }
    }
}

#[test]
fn what_is_dropped_on_something_dangerous_is_asked_too() {
    let facts = facts(vec![target(1, "listitem", Safe), target(2, "button", Danger)]);
    comes_to("ask", on(1, Deed::DragTo(ActionId(2))), &facts);
    comes_to("ask", on(2, Deed::DragTo(ActionId(1))), &facts);
    comes_to("go", on(1, Deed::DragTo(ActionId(1))), &facts);
}

#[test]
fn a_form_is_as_dangerous_as_its_worst_field() {
    let fill = |fields: &[u32]| {
        let field = |&field: &u32| FormFill { action_id: ActionId(field), value: text("true") };
        Intent::FillForm(fields.iter().map(field).collect())
    };
    let facts = facts(vec![
        target(1, "textbox", Safe),
        target(2, "checkbox", Danger),
        sending(3, "textbox", Safe, Danger),
    ]);
    comes_to("go", fill(&[1, 3]), &facts);
    comes_to("ask", fill(&[1, 2, 3]), &facts);
    comes_to("stop", fill(&[1, 4]), &facts);
}

#[test]
fn enter_sends_and_space_does_so_only_where_it_is_no_character() {
    for role in ["textbox", "searchbox", "combobox", "spinbutton"] {
        let facts = facts(vec![sending(1, role, Safe, Danger)]);
        for (intent, expected) in [
            (key(1, "Enter"), "ask"),
            (key(1, "Shift+Enter"), "ask"),
            (key(1, "Control+Enter"), "ask"),
            (key(1, "Space"), "go"),
            (key(1, "a"), "go"),
            (key(1, "Tab"), "go"),
            (types(1, "two words"), "go"),
            (types(1, "line\n"), "ask"),
            (types(1, "\rline"), "ask"),
            (types(1, "line\r\nline"), "ask"),
            (types(1, "word\t"), "go"),
            (types(1, "word\tword"), "ask"),
            (on(1, Deed::Fill(text("line\nline"))), "go"),
        ] {
            comes_to(expected, intent, &facts);
        }
    }
    let facts = facts(vec![sending(1, "checkbox", Safe, Danger), target(2, "textbox", Safe)]);
    for (intent, expected) in [
        (key(1, "Enter"), "ask"),
        (key(1, "Space"), "ask"),
        (types(1, " "), "ask"),
        (key(1, "ArrowDown"), "go"),
        (key(2, "Enter"), "go"),
        (types(2, "line\n"), "go"),
    ] {
        comes_to(expected, intent, &facts);
    }
}

#[test]
fn a_key_that_only_moves_presses_nothing() {
    let facts = facts(vec![sending(1, "button", Danger, Danger)]);
    for name in ["Tab", "Shift+Tab", "Escape", "Home", "End", "PageUp", "PageDown"] {
        comes_to("go", key(1, name), &facts);
        let focused = with_focus(sending(1, "button", Danger, Danger));
        comes_to("go", Intent::PressKeyOnPage(chord(name)), &focused);
    }
}

#[test]
fn a_key_that_a_page_may_have_given_to_any_button_is_asked() {
    let facts = facts(vec![target(1, "textbox", Safe)]);
    for name in ["Alt+p", "Alt+Shift+P", "Control+Alt+1"] {
        comes_to("ask", key(1, name), &facts);
        comes_to("ask", Intent::PressKeyOnPage(chord(name)), &facts);
        comes_to("ask", Intent::PressKeyOnPage(chord(name)), &with_focus(target(1, "textbox", Safe)));
    }
    comes_to("go", key(1, "Alt+ArrowLeft"), &facts);
    comes_to("go", key(1, "Control+a"), &facts);
}

/// What a page may have given to a shortcut of its own.
const SHORTCUTS: &[&str] =
    &["#", "e", "E", "Delete", "Backspace", "Insert", "Control+s", "Meta+Backspace", "Control+a", "F2"];

#[test]
fn where_nothing_is_written_a_character_is_a_shortcut_of_the_page() {
    for role in ["link", "button", "listitem", "checkbox", "tab", "clickable", "row", "slider", ""] {
        let facts = facts(vec![target(1, role, Safe)]);
        for name in SHORTCUTS {
            comes_to("ask", key(1, name), &facts);
            comes_to("ask", Intent::PressKeyOnPage(chord(name)), &with_focus(target(1, role, Safe)));
            comes_to("ask", Intent::PressKeyOnPage(chord(name)), &facts);
        }
        comes_to("ask", types(1, "#"), &facts);
        comes_to("ask", types(1, "two words"), &facts);
        for name in ["Tab", "Escape", "ArrowDown", "Home", "PageDown", "Control+End"] {
            comes_to("go", key(1, name), &facts);
            comes_to("go", Intent::PressKeyOnPage(chord(name)), &facts);
        }
    }
}

#[test]
fn where_something_is_written_characters_are_written() {
    for role in ["textbox", "searchbox", "combobox", "spinbutton", "date", "time", "month"] {
        let facts = facts(vec![target(1, role, Safe)]);
        for name in ["#", "e", "Delete", "Backspace", "Control+Backspace", "Shift+A"] {
            comes_to("go", key(1, name), &facts);
        }
        for name in ["a", "c", "x", "v", "z", "y", "Shift+z", "Home", "ArrowLeft"] {
            comes_to("go", key(1, &format!("Control+{name}")), &facts);
            comes_to("go", key(1, &format!("Meta+{name}")), &facts);
        }
        for name in ["Control+s", "Meta+k", "Control+Shift+c", "Control+.", "F9"] {
            comes_to("ask", key(1, name), &facts);
        }
        comes_to("go", types(1, "two words #1"), &facts);
    }
}

#[test]
fn a_key_that_moves_what_it_goes_to_is_judged_as_a_change() {
    for role in ["slider", "spinbutton", "listbox", "radio", "combobox", "option", "tab", "menuitemradio"] {
        for (level, expected) in [(Safe, "go"), (Caution, "go"), (Danger, "ask")] {
            let facts = facts(vec![target(1, role, level)]);
            for name in ["Home", "End", "PageUp", "PageDown", "ArrowUp", "ArrowRight"] {
                comes_to(expected, key(1, name), &facts);
            }
            comes_to("go", key(1, "Tab"), &facts);
        }
    }
}

#[test]
fn keys_on_the_page_are_judged_by_what_they_go_to() {
    let press = |name: &str| Intent::PressKeyOnPage(chord(name));
    let on_danger = with_focus(target(1, "button", Danger));
    let on_field = with_focus(sending(1, "textbox", Safe, Danger));
    for (facts, name, expected) in [
        (&on_danger, "Enter", "ask"),
        (&on_danger, "Space", "ask"),
        (&on_danger, "x", "ask"),
        (&on_field, "Enter", "ask"),
        (&on_field, "Space", "go"),
        (&on_field, "x", "go"),
        // Nobody knows what they go to.
        (&facts(vec![]), "Enter", "ask"),
        (&facts(vec![]), "Space", "ask"),
        (&facts(vec![]), "Escape", "go"),
        (&facts(vec![]), "ArrowDown", "go"),
    ] {
        comes_to(expected, press(name), facts);
    }
    let permit = permit(unasked(press("Space"), &on_field)).unwrap();
    assert_eq!(permit.targets(), [(ActionId(1), on_field.focused.unwrap().fingerprint)]);
}

#[test]
fn only_an_alert_is_answered_with_yes_unasked() {
    for (dialog, yes) in [
        ("alert", "go"),
        ("confirm", "ask"),
        ("prompt", "ask"),
        ("beforeunload", "ask"),
        ("", "ask"),
        ("Alert", "ask"),
        ("something new", "ask"),
    ] {
        comes_to(yes, answer(true), &with_dialog(dialog, "Really?"));
        comes_to("go", answer(false), &with_dialog(dialog, "Really?"));
        let text = Some("alert".to_owned());
        comes_to(yes, Intent::HandleDialog { accept: true, text }, &with_dialog(dialog, "Really?"));
    }
    comes_to("stop", answer(true), &facts(vec![]));
    comes_to("stop", answer(false), &facts(vec![]));
}

#[test]
fn a_yes_to_one_dialog_is_none_to_the_next() {
    let dialog = with_dialog("confirm", "Subscribe?");
    let yes = echo("CONFIRM handleDialog \"Subscribe?\" on shop.example");
    let permit = permit(judge(answer(true), &dialog, &by_caller(), &yes)).unwrap();
    assert_eq!(permit.dialog(), dialog.dialog.as_ref());
    let next = with_dialog("confirm", "Delete everything?");
    assert_eq!(kind(&judge(answer(true), &next, &by_caller(), &yes)), "ask");
}

#[test]
fn going_and_waiting_needs_no_question() {
    let wait = Wait { what: Awaited::Nothing, ms: 1 };
    for intent in [
        Intent::Navigate(PageUrl::parse("https://shop.example/").unwrap()),
        Intent::Back,
        Intent::Forward,
        Intent::Reload,
        Intent::Wait(wait),
        Intent::ScrollPage(Scroll { direction: Direction::Down, pixels: 500 }),
        Intent::SwitchTab(TabId::nth(1)),
        Intent::CloseTab(TabId::nth(1)),
    ] {
        comes_to("go", intent, &facts(vec![]));
    }
}

#[test]
fn what_is_not_known_is_stopped() {
    for deed in deeds().into_iter().chain(looks()) {
        let verdict = unasked(on(7, deed.clone()), &facts(vec![target(1, "button", Safe)]));
        assert!(
            matches!(&verdict, Verdict::Stop(problem) if problem.code == Code::ActionNotFound),
            "{deed:?}"
        );
    }
    comes_to("stop", on(1, Deed::DragTo(ActionId(7))), &facts(vec![target(1, "button", Safe)]));
}

#[test]
fn a_proof_of_being_human_is_left_to_a_person() {
    let captcha = |action| TargetFacts { in_captcha: true, ..target(action, "checkbox", Safe) };
    let human = facts(vec![captcha(1), target(2, "button", Safe)]);
    for deed in deeds() {
        let verdict = judge(on(1, deed), &human, &by_caller(), &echo("yes"));
        assert_eq!(problem(verdict).unwrap().code, Code::CaptchaBlocked);
    }
    comes_to("stop", on(2, Deed::DragTo(ActionId(1))), &human);
    for deed in looks() {
        comes_to("go", on(1, deed), &human);
    }
    comes_to("stop", Intent::PressKeyOnPage(chord("Space")), &with_focus(captcha(1)));
    comes_to("go", Intent::PressKeyOnPage(chord("Tab")), &with_focus(captcha(1)));
}

#[test]
fn no_secret_is_typed_that_nobody_bound() {
    let secret = || FieldValue::Secret { secret: "card".into() };
    let facts = facts(vec![target(1, "textbox", Safe), target(2, "textbox", Safe)]);
    let fields = vec![
        FormFill { action_id: ActionId(1), value: text("x") },
        FormFill { action_id: ActionId(2), value: secret() },
    ];
    for intent in [
        on(1, Deed::Fill(secret())),
        on(1, Deed::Type { text: secret(), delay_ms: 0 }),
        Intent::FillForm(fields),
    ] {
        assert_eq!(problem(unasked(intent, &facts)).unwrap().code, Code::SecretRefused);
    }
}

#[test]
fn files_are_given_away_from_allowed_folders_only() {
    let upload = |paths: &[&str]| on(1, Deed::Upload(paths.iter().map(|&path| path.into()).collect()));
    let known = |pairs: &[(&str, Option<&str>)]| {
        let file = |&(asked, real): &(&str, Option<&str>)| FileFacts {
            asked: asked.into(),
            real: real.map(PathBuf::from),
        };
        Facts { files: pairs.iter().map(file).collect(), ..facts(vec![target(1, "file", Safe)]) }
    };
    for (real, expected) in [
        (Some("/home/ada/outbox/cv.pdf"), "go"),
        (Some("/home/ada/outbox/deep/cv.pdf"), "go"),
        (Some("/home/ada/outbox"), "stop"),
        (Some("/home/ada/outbox-private/cv.pdf"), "stop"),
        (Some("/home/ada/outbox/../.ssh/id"), "stop"),
        (Some("home/ada/outbox/cv.pdf"), "stop"),
        (Some("/etc/passwd"), "stop"),
        (None, "stop"),
    ] {
        comes_to(expected, upload(&["cv.pdf"]), &known(&[("cv.pdf", real)]));
    }
    let allowed = Some("/home/ada/outbox/cv.pdf");
    // Nothing is known of the second one, or what is known is about another one.
    comes_to("stop", upload(&["cv.pdf", "more.pdf"]), &known(&[("cv.pdf", allowed)]));
    comes_to("stop", upload(&["cv.pdf"]), &known(&[("CV.pdf", allowed)]));
    comes_to("stop", upload(&["cv.pdf"]), &known(&[]));
    // A permit holds the files of its intent, in their order, and no others.
    let two = known(&[("b", Some("/home/ada/outbox/b")), ("a", Some("/home/ada/outbox/a")), ("c", None)]);
    let files: Vec<PathBuf> =
        permit(unasked(upload(&["a", "b"]), &two)).unwrap().files().map(PathBuf::from).collect();
    assert_eq!(files, [PathBuf::from("/home/ada/outbox/a"), PathBuf::from("/home/ada/outbox/b")]);
    assert_eq!(permit(unasked(click(1), &two)).unwrap().files().count(), 0);
    // Folders that are none allow nothing.
    for folder in ["", ".", "..", "outbox", "/home/ada/../ada/outbox"] {
        let rules = Rules { uploads: vec![PathBuf::from(folder)], ..by_caller() };
        let facts = known(&[("cv.pdf", allowed)]);
        assert_eq!(kind(&judge(upload(&["cv.pdf"]), &facts, &rules, &Confirmation::default())), "stop");
    }
    assert_eq!(
        kind(&judge(upload(&["cv.pdf"]), &known(&[("cv.pdf", allowed)]), &Rules::default(), &echo(""))),
        "stop"
    );
}
