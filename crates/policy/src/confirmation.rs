//! The words that a caller has to echo before something dangerous is done.

use legwork_types::{
    Intent, PageText,
    contract::{ActionId, Dialog},
};

use crate::{Facts, clip::beginning};

/// The most characters of a name.
const LONGEST_LABEL: usize = 80;

/// `CONFIRM click "Pay now" on shop.example`. It tells what is to be done to what, never how dangerous that seems: a yes to one
/// thing is no yes to another.
pub fn confirmation_text(intent: &Intent, facts: &Facts) -> String {
    let domain = plain(&facts.domain);
    let domain = if domain.is_empty() { "a page without a name" } else { &domain };
    format!("CONFIRM {}{} on {domain}", intent.verb(), subject(intent, facts))
}

/// `click "Pay now"`: what is done to what.
pub fn in_words(intent: &Intent, facts: &Facts) -> String {
    format!("{}{}", intent.verb(), subject(intent, facts))
}

/// What it is done to, quoted.
fn subject(intent: &Intent, facts: &Facts) -> String {
    let name = |action: &ActionId| {
        let target = facts.targets.iter().find(|target| target.action == *action);
        label(target.map(|target| &target.name), &action.to_string())
    };
    match (intent, intent.targets().as_slice()) {
        (Intent::HandleDialog { .. }, _) => match &facts.dialog {
            Some(Dialog { kind, message }) => format!(" {}", label(Some(message), kind)),
            None => String::new(),
        },
        (Intent::PressKeyOnPage(chord), _) => {
            let focused = facts.focused.as_ref();
            let otherwise = focused.map_or_else(|| chord.to_string(), |focused| focused.action.to_string());
            format!(" {}", label(focused.map(|focused| &focused.name), &otherwise))
        }
        (Intent::OnElement { .. }, [from, to]) => format!(" {} to {}", name(from), name(to)),
        (_, [one]) => format!(" {}", name(one)),
        (_, [first, more @ ..]) => format!(" {} and {} more", name(first), more.len()),
        (_, []) => String::new(),
    }
}

/// A name between quotes, or else this.
fn label(name: Option<&PageText>, otherwise: &str) -> String {
    let plain = name.map(|name| plain(name.untrusted())).filter(|plain| !plain.is_empty());
    format!("\"{}\"", plain.unwrap_or_else(|| self::plain(otherwise)))
}

/// A text in one line of characters that can be seen and echoed: without quotes, which would end it, and without what turns the
/// reading order.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::new();
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || is_quote(c) || is_blank(c));
    for word in words {
        let mut seen = word.chars().filter(|c| !is_unseen(*c)).peekable();
        if seen.peek().is_some() && !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(seen);
    }
    beginning(&plain, LONGEST_LABEL)
}

/// What a reader may take for the end of the quoted name.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{2036}' | '\u{275d}' | '\u{275e}' | '\u{301d}'..='\u{301f}' | '\u{ff02}')
}

/// A picture of nothing.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
}

/// Characters without a picture: joiners, marks of direction, selectors of variants, tags.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
