//! What was done, in few words. Names that a page wrote are among them, so models get to see it in a fence alone.

use legwork_observe::Boundary;
use legwork_types::contract::{Action, FieldValue, Target};

use crate::{call::Act, event::PageNote};

/// The longest value that is repeated.
const LONGEST: usize = 60;

/// What an act does: `click 12`, `fill 3 with "oat"`.
pub fn deed(act: &Act, page: Option<&PageNote>) -> String {
    let on = match act.target {
        Target::Element { action_id } => format!(" {action_id}{}", named(action_id.0, page)),
        Target::Page {} => String::new(),
    };
    match &act.action {
        Action::Navigate { url } => format!("go to {}", clipped(url)),
        Action::Back {} => "go back".to_owned(),
        Action::Forward {} => "go forward".to_owned(),
        Action::Reload {} => "load the page again".to_owned(),
        Action::Scroll { direction, .. } => format!("scroll{on} {direction:?}").to_lowercase(),
        Action::Wait { value: Some(words), .. } => format!("wait for {}", clipped(words)),
        Action::Wait { ms, .. } => format!("wait {} s", ms / 1_000),
        Action::SwitchTab { tab_id } => format!("go to tab {tab_id}"),
        Action::CloseTab { tab_id } => format!("close tab {tab_id}"),
        Action::HandleDialog { accept, .. } => {
            let says = page.and_then(|page| page.dialog.as_ref());
            let says = says.map(|says| format!(", which says {says}")).unwrap_or_default();
            format!("{} the dialog{says}", if *accept { "accept" } else { "dismiss" })
        }
        Action::PressKey { key } => format!("press {}{on}", clipped(key)),
        Action::Click { .. } => format!("click{on}"),
        Action::Hover {} => format!("point at{on}"),
        Action::Focus {} => format!("focus{on}"),
        Action::Fill { value } => format!("fill{on} with {}", value_words(value)),
        Action::Type { text, .. } => format!("type into{on} {}", value_words(text)),
        Action::Clear {} => format!("clear{on}"),
        Action::SelectOption { label, value, .. } => {
            let chosen = label.as_deref().or(value.as_deref()).unwrap_or_default();
            format!("select in{on} {}", clipped(chosen))
        }
        Action::Check {} => format!("check{on}"),
        Action::Uncheck {} => format!("uncheck{on}"),
        Action::ScrollIntoView {} => format!("scroll to{on}"),
        Action::Upload { files } => format!("upload {} files to{on}", files.len()),
        Action::Drag { to } => format!("drag{on} to {to}{}", told(to.0, page)),
        Action::FillForm { fields } => {
            let fields = fields.iter().map(|field| {
                let on = told(field.action_id.0, page);
                format!("{}{on} {}", field.action_id, value_words(&field.value))
            });
            format!("fill {}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Lines that may hold words of a page, in the fence that the page stands in. Without a page there is nothing of one in them.
pub(crate) fn fenced(lines: &str, page: Option<&PageNote>) -> String {
    let mark = page.and_then(|page| page.view.split("<untrusted ").nth(1)?.split('>').next()?.parse().ok());
    match mark {
        Some(mark) => {
            let boundary = Boundary::new(mark);
            format!("{}{}{}", boundary.opening(), lines, boundary.closing())
        }
        None => lines.to_owned(),
    }
}

/// The role and name that a number has on the page, where they are told beside the view.
fn told(number: u32, page: Option<&PageNote>) -> String {
    let known = page.and_then(|page| page.named.iter().find(|(known, _)| *known == number));
    known.map(|(_, name)| format!(" {name}")).unwrap_or_default()
}

/// The role and name that a number has on the page, as the view shows them: numbers mean nothing on the next page.
fn named(number: u32, page: Option<&PageNote>) -> String {
    let told = told(number, page);
    if !told.is_empty() {
        return told;
    }
    let begins = format!("{number} ");
    let line =
        page.and_then(|page| page.view.lines().find_map(|line| line.trim_start().strip_prefix(&begins)));
    let Some(line) = line else { return String::new() };
    let end = line.match_indices('"').nth(1).map_or(line.len(), |(at, _)| at + 1);
    let end = end.min(line.char_indices().nth(LONGEST).map_or(line.len(), |(at, _)| at));
    format!(" {}", line.get(..end).unwrap_or_default())
}

fn value_words(value: &FieldValue) -> String {
    match value {
        FieldValue::Text(text) => clipped(text),
        FieldValue::Secret { secret } => format!("the secret {}", clipped(secret)),
    }
}

/// The beginning of a text, in quotes and on one line.
fn clipped(text: &str) -> String {
    let text: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("{text:?}")
}
