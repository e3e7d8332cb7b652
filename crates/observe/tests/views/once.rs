//! Nothing is said twice, and signs that tell nothing are not said at all.

use legwork_observe::{SceneBlocker, capture::GroupKind};
use legwork_types::contract::{Banner, BlockerKind, Find, Landmark, Modal, ObserveOptions, Severity};

use crate::support::{Scribe, boundary};

fn lines_of(page: Scribe, options: &ObserveOptions) -> Vec<String> {
    let text = page.look().read(options, None, &boundary()).unwrap().text;
    let lines = text.lines().skip(3).filter(|line| !line.starts_with("</"));
    lines.map(|line| line.trim().to_owned()).collect()
}

fn lines(write: impl FnOnce(&mut Scribe)) -> Vec<String> {
    let mut page = Scribe::new("Corner shop");
    write(&mut page);
    lines_of(page, &ObserveOptions::default())
}

fn consent(page: &mut Scribe) {
    page.within(GroupKind::Alert, "Cookies", |page| {
        page.text("We use cookies.").text("May we also count visits?");
        page.control("button", "Accept");
    });
    let text = Some("We use cookies. May we also count visits?".into());
    page.scene.blockers =
        vec![SceneBlocker { kind: BlockerKind::CookieConsent, text, items: vec![page.last()] }];
}

#[test]
fn the_words_of_a_blocker_stand_in_it_or_in_the_head() {
    assert_eq!(
        lines(consent),
        [
            "blocked by cookieConsent at 1",
            "alert \"Cookies\"",
            "\"We use cookies.\" \"May we also count visits?\"",
            "1 button \"Accept\""
        ]
    );
    let mut page = Scribe::new("Corner shop");
    consent(&mut page);
    page.control("link", "Home");
    let options = ObserveOptions { find: Some(Find::Text("home".into())), ..ObserveOptions::default() };
    let head = &lines_of(page, &options)[0];
    assert_eq!(head, "blocked by cookieConsent \"We use cookies. May we also count visits?\" at 1");
}

/// What is told, how the page is written, what is shown of it.
type Case<'a> = (&'a str, &'a dyn Fn(&mut Scribe), &'a [&'a str]);

#[test]
fn a_heading_is_not_said_again_by_what_it_names() {
    let form = |page: &mut Scribe, section: &str, heading: &str| {
        page.within(GroupKind::Form, "", |page| {
            page.heading(2, heading);
            page.control("textbox", "Name");
        });
        page.scene.forms[0].section = Some(section.into());
    };
    let cases: [Case<'_>; 6] = [
        ("in it", &|page| form(page, "Pick up", "Pick up"), &["form1 \"Pick up\"", "1 textbox \"Name\""]),
        (
            "another one in it",
            &|page| form(page, "Pick up", "Today"),
            &["form1 \"Pick up\"", "## \"Today\"", "1 textbox \"Name\""],
        ),
        ("the title", &|page| form(page, "Corner shop", "Corner Shop"), &["form1", "1 textbox \"Name\""]),
        (
            "above it",
            &|page| {
                page.heading(2, "Pick up");
                form(page, "Pick up", "");
            },
            &["## \"Pick up\"", "form1", "1 textbox \"Name\""],
        ),
        (
            "a dialog",
            &|page| {
                page.within(GroupKind::Modal, "Pick up", |page| {
                    page.text("When?");
                    form(page, "Pick up", "Pick up");
                });
            },
            &["dialog \"Pick up\"", "\"When?\"", "form1 in dialog", "1 textbox \"Name\""],
        ),
        (
            "a text",
            &|page| {
                page.scene.page.primary_heading = Some("Register".into());
                page.heading(1, "Register").text("Register").text("All menus").text("All menus");
                page.control("textbox", "Name");
            },
            &["# \"Register\"", "\"All menus\"", "1 textbox \"Name\""],
        ),
    ];
    for (what, write, expected) in cases {
        assert_eq!(lines(write), expected, "{what}");
    }
}

#[test]
fn a_part_of_the_page_has_one_header() {
    let shown = lines(|page| {
        page.within(GroupKind::Header, "", |page| {
            page.text("Corner Shop");
        });
        page.control("button", "Buy");
        for name in ["Tea", "Coffee"] {
            page.within(GroupKind::Nav, "", |page| {
                page.control("link", name);
                page.within(GroupKind::Form, "Search", |page| {
                    page.control("searchbox", name);
                });
                page.control("link", &format!("More {name}"));
            });
        }
        page.within(GroupKind::Nav, "Footer", |page| {
            page.control("link", "Imprint");
        });
        for group in &mut page.scene.groups {
            if group.kind == GroupKind::Header {
                group.landmark = Landmark::Nav;
            }
        }
    });
    let expected = r#"1 button "Buy"
nav
2 link "Tea"
4 link "More Tea"
5 link "Coffee"
7 link "More Coffee"
form1 "Search" in nav
3 searchbox "Tea"
form2 in nav
6 searchbox "Coffee"
nav "Footer"
8 link "Imprint""#;
    assert_eq!(shown, expected.lines().collect::<Vec<_>>());
}

#[test]
fn signs_that_tell_nothing_are_dropped() {
    for (sign, stays) in [
        ("-", false),
        ("|", false),
        (". ;", false),
        ("•", false),
        ("»", false),
        ("—", false),
        ("、", false),
        ("€", true),
        ("$", true),
        ("★★★☆☆", true),
        ("✓", true),
        ("*", true),
        ("→", true),
        ("7", true),
        ("é", true),
    ] {
        let shown = lines(|page| {
            page.control("link", "A");
            page.text(sign);
            page.control("link", "B");
        });
        assert_eq!(shown.len(), if stays { 3 } else { 2 }, "{sign} in {shown:?}");
    }
}

#[test]
fn a_notice_in_its_place_is_not_in_the_head_unless_it_presses() {
    let notice = |kind: GroupKind, severity: Severity| {
        lines(|page| {
            page.control("button", "Count");
            page.within(kind, "", |page| {
                page.text("Clicks: 0").text("since noon");
            });
            let status = page.scene.groups.last_mut().unwrap();
            status.landmark = Landmark::Banner;
            page.control("button", "Stop");
            page.scene.page.banners = vec![Banner { severity, text: "Clicks: 0 since noon".into() }];
        })
    };
    let in_place = ["1 button \"Count\"", "\"Clicks: 0\" \"since noon\"", "2 button \"Stop\""];
    assert_eq!(notice(GroupKind::Status, Severity::Info), in_place);
    for (kind, severity, word) in [
        (GroupKind::Status, Severity::Warning, "warning"),
        (GroupKind::Status, Severity::Error, "error"),
        (GroupKind::Alert, Severity::Info, "notice"),
    ] {
        let head = format!("{word} \"Clicks: 0 since noon\"");
        assert_eq!(notice(kind, severity), [head.as_str(), in_place[0], in_place[2]]);
    }
}

#[test]
fn one_is_not_many_and_a_role_is_not_repeated() {
    for (count, expected) in [
        (1, "not shown: 1 hidden text, 1 unreachable frame, 1 closed root unchecked"),
        (2, "not shown: 2 hidden texts, 2 unreachable frames, 2 closed roots unchecked"),
    ] {
        let shown = lines(|page| {
            let omitted = &mut page.scene.omitted;
            (omitted.hidden_text, omitted.unreachable_frames) = (count, count);
            omitted.closed_roots_unchecked = count;
        });
        assert_eq!(shown.last().unwrap(), expected);
    }
    for (role, kind, expected) in [
        ("date", "date", "1 date \"When\""),
        ("spinbutton", "number", "1 spinbutton \"When\""),
        ("textbox", "email", "1 textbox \"When\" email"),
    ] {
        let shown = lines(|page| page.control(role, "When").constraints.kind = Some(kind.into()));
        assert_eq!(shown, [expected]);
    }
    for (filled, expected) in [(false, "1 textbox \"PIN\" secret"), (true, "1 textbox \"PIN\" =[redacted]")] {
        let shown = lines(|page| {
            let pin = page.control("textbox", "PIN");
            (pin.sensitive, pin.value_redacted, pin.has_value) = (true, true, filled);
        });
        assert_eq!(shown, [expected]);
    }
}

#[test]
fn the_name_of_a_dialog_is_said_once() {
    let dialog = |label: &str, heading: &str, options: &ObserveOptions| {
        let mut page = Scribe::new("Corner shop");
        page.control("button", "Help");
        page.within(GroupKind::Modal, label, |page| {
            if !heading.is_empty() {
                page.heading(2, heading);
            }
            page.control("button", "OK");
        });
        page.scene.page.modals = vec![Modal { title: Some("Leave the shop?".into()), excerpt: None }];
        lines_of(page, options)
    };
    let usual = ObserveOptions::default();
    let by_name = ["dialog \"Leave the shop?\"", "1 button \"OK\"", "other", "2 button \"Help\""];
    let by_heading = ["dialog", "## \"Leave the shop?\"", "1 button \"OK\""];
    assert_eq!(dialog("Leave the shop?", "", &usual)[..2], by_name[..2]);
    assert_eq!(dialog("Leave the shop?", "Leave the shop?", &usual)[..2], by_name[..2]);
    assert_eq!(dialog("", "Leave the shop?", &usual)[..3], by_heading);
    // Where nothing of it is listed, the head tells of it.
    let options = ObserveOptions { find: Some(Find::Text("help".into())), ..ObserveOptions::default() };
    assert_eq!(dialog("Leave the shop?", "", &options)[0], "dialog \"Leave the shop?\"");
    assert_eq!(dialog("", "Leave the shop?", &options)[0], "dialog \"Leave the shop?\"");
}

#[test]
fn the_name_of_an_alert_is_said_once() {
    let alert = |label: &str, notice: &str| {
        lines(|page| {
            page.within(GroupKind::Alert, label, |page| {
                page.control("button", "Try again");
            });
            page.scene.page.banners = vec![Banner { severity: Severity::Error, text: notice.into() }];
        })
    };
    assert_eq!(alert("Not saved", "Not saved"), ["error \"Not saved\"", "alert", "1 button \"Try again\""]);
    assert_eq!(alert("Not saved", "Not saved: no room")[1], "alert");
    assert_eq!(alert("Upload", "No room")[..2], ["error \"No room\"", "alert \"Upload\""]);
}
