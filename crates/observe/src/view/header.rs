//! What is said about the page as a whole, the most pressing first.

use legwork_types::{
    PageText,
    contract::{BlockerKind, Landmark, LoadState, Page, Severity},
};

use super::{
    escape::quoted,
    line::numbers,
    told::{NOTICES, Told, plain},
};
use crate::{look::Look, tokens};

/// Lines about the page that together cost at most so many tokens.
pub(super) fn header(look: &Look, told: &Told<'_>, most: u32) -> Vec<String> {
    let page = &look.scene().page;
    // Shares of what may be spent: a header is never all of a view.
    let share = |part: u32| (most * part / 100).max(4);
    let title = page.title.clone().unwrap_or_default();
    let mut lines = vec![format!(
        "page {} {}",
        quoted(title.untrusted(), share(12)),
        quoted(page.final_url.untrusted(), share(14))
    )];
    match page.load_state {
        LoadState::NetworkIdle => {}
        LoadState::Interactive => lines.push("still loading".to_owned()),
        LoadState::Loading => lines.push("loading".to_owned()),
    }
    listed(&mut lines, page.dialogs.iter(), "browser dialog", |dialog| {
        let kind =
            ["alert", "confirm", "prompt", "beforeunload"].into_iter().find(|kind| *kind == dialog.kind);
        format!(
            "browser dialog {} {}",
            kind.unwrap_or("other"),
            quoted(dialog.message.untrusted(), share(14))
        )
    });
    listed(&mut lines, look.scene().blockers.iter(), "blocker", |blocker| {
        let items = blocker.items.iter().filter_map(|&index| look.scene().items.get(index));
        let actions: Vec<_> = items.map(|item| item.affordance.action_id).collect();
        let text = told.words_of(blocker).map(|text| format!(" {}", quoted(text.untrusted(), share(8))));
        let at = if actions.is_empty() { String::new() } else { format!(" at {}", numbers(&actions, 6)) };
        format!("blocked by {}{}{at}", blocker_word(blocker.kind), text.unwrap_or_default())
    });
    listed(&mut lines, told.notices.iter(), "notice", |banner| {
        let severity = match banner.severity {
            Severity::Info => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        format!("{severity} {}", quoted(banner.text.untrusted(), share(8)))
    });
    modals(look, told, &mut lines, share(8));
    if page.blocking_overlay.present && page.modals.is_empty() {
        let label = page.blocking_overlay.label.clone().unwrap_or_default();
        lines.push(format!("covered by {}", quoted(label.untrusted(), share(6))));
    }
    if let Some(heading) = heading(page) {
        lines.push(format!("# {}", quoted(heading.untrusted(), share(10))));
    }
    if page.tabs.len() > 1 {
        listed(&mut lines, page.tabs.iter().filter(|tab| !tab.active), "tab", |tab| {
            format!("tab {} {}", tab.tab_id, quoted(tab.title.untrusted(), share(5)))
        });
    }
    let mut left = most;
    lines.retain(|line| {
        let cost = tokens::estimate(line) + 1;
        let fits = cost <= left;
        left -= if fits { cost } else { 0 };
        fits
    });
    lines
}

/// The heading, if the title does not say the same.
fn heading(page: &Page) -> Option<&PageText> {
    let title = page.title.as_ref().map_or(String::new(), |title| plain(title.untrusted()));
    let is_new = |heading: &&PageText| !heading.is_blank() && plain(heading.untrusted()) != title;
    page.primary_heading.as_ref().filter(is_new)
}

fn listed<T>(lines: &mut Vec<String>, all: impl Iterator<Item = T>, what: &str, line: impl Fn(T) -> String) {
    let mut more = 0;
    for (nth, one) in all.enumerate() {
        if nth < NOTICES { lines.push(line(one)) } else { more += 1 }
    }
    if more > 0 {
        let plural = if more == 1 { "" } else { "s" };
        lines.push(format!("+{more} {what}{plural}"));
    }
}

/// Open dialogs that the view has no other place for.
fn modals(look: &Look, told: &Told<'_>, lines: &mut Vec<String>, most: u32) {
    let scene = look.scene();
    let is_open = scene
        .outline
        .iter()
        .any(|line| scene.groups.get(line.group).is_some_and(|group| group.landmark == Landmark::Modal));
    let placed = |title: &PageText| told.names_dialog(title);
    let unplaced = scene.page.modals.iter().filter(|modal| !modal.title.as_ref().is_some_and(placed));
    listed(lines, unplaced, "dialog", |modal| {
        let title = modal.title.clone().unwrap_or_default();
        let excerpt = modal.excerpt.as_ref().filter(|_| !is_open);
        let excerpt = excerpt.map(|excerpt| format!(" {}", quoted(excerpt.untrusted(), most)));
        format!("dialog {}{}", quoted(title.untrusted(), most), excerpt.unwrap_or_default())
    });
}

fn blocker_word(kind: BlockerKind) -> &'static str {
    match kind {
        BlockerKind::CookieConsent => "cookieConsent",
        BlockerKind::LoginRequired => "loginRequired",
        BlockerKind::Captcha => "captcha",
        BlockerKind::Mfa => "mfa",
        BlockerKind::AgeGate => "ageGate",
        BlockerKind::GeoWall => "geoWall",
        BlockerKind::Paywall => "paywall",
    }
}
