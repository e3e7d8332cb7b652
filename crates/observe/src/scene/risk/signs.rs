//! What tells about a control besides its words: pictures in its name, identifiers, the address that it leads to, its script,
//! and that it has none of these.

use legwork_types::{PageText, contract::RiskLevel};

use super::{
    super::{
        roles::Use,
        survey::{Survey, Traits},
        tree::What,
        words::Words,
    },
    Verdict, is_leaving,
    lists::{ACTS, ASIDE, BACK, Meaning},
    says_nothing,
};
use crate::capture::{Flag, GroupKind, Rect, Switch};

/// Pictures that say what is done, and what they are called.
const PICTURES: &[(&str, &str)] =
    &[("🗑🚮", "trash"), ("💳", "card"), ("💰💵💶💷💴💸🪙🤑", "money"), ("☠💣", "destruction")];

/// Keys of an address whose value is a command.
const COMMAND_KEYS: &[&str] = &[
    "action",
    "act",
    "do",
    "cmd",
    "command",
    "op",
    "operation",
    "task",
    "method",
    "_method",
    "mode",
    "event",
    "func",
    "function",
    "a",
    "m",
    "q_action",
    "wpaction",
    "doaction",
];

/// A picture alone is the whole name of a control; beside words it only adds to them, and a card or money may be their matter.
pub(super) fn by_pictures(traits: &Traits<'_>, name: &str, verdict: &mut Verdict) {
    if name.is_ascii() || !matches!(traits.usage, Use::Press | Use::Follow) {
        return;
    }
    let alone = says_nothing(&traits.words);
    for &(pictures, called) in PICTURES {
        if !name.contains(|c| pictures.contains(c)) || !(alone || called == "trash") {
            continue;
        }
        let level = if alone && traits.usage == Use::Press { RiskLevel::Danger } else { RiskLevel::Caution };
        verdict.add(level, format!("shows a picture of \"{called}\""));
    }
}

/// What the page's own identifiers say; they weigh more where there is no name.
pub(super) fn by_attributes(traits: &Traits<'_>, verdict: &mut Verdict) {
    let is_pressed = traits.usage == Use::Press || runs_script(traits);
    if !is_pressed || verdict.0.level == RiskLevel::Danger {
        return;
    }
    let attributes = &traits.control.attributes;
    let nameless = says_nothing(&traits.words);
    let level = if nameless { RiskLevel::Danger } else { RiskLevel::Caution };
    let texts = [&attributes.id, &attributes.name, &attributes.test_id, &attributes.hint];
    let pressed = attributes.presses.as_ref().and_then(|button| button.identifiers.as_ref());
    for text in texts.into_iter().flatten().chain(pressed) {
        let words = Words::of_identifier(text.untrusted());
        let hit = ACTS.hits(&words).find(|hit| match hit.value {
            Meaning::Danger => true,
            // Too short to be taken from an identifier that merely accompanies a name.
            Meaning::DangerOnButton => nameless,
            Meaning::Caution | Meaning::Harmless => false,
        });
        if let Some(hit) = hit {
            verdict.add(level, format!("is known to the page as \"{}\"", hit.phrase));
        }
    }
}

fn href_of<'t>(traits: &'t Traits<'_>) -> &'t str {
    traits.control.attributes.href.as_ref().map_or("", PageText::untrusted).trim()
}

/// The code of an address that leads nowhere but runs.
fn script(href: &str) -> Option<&str> {
    let (scheme, code) = href.split_once(':')?;
    scheme.eq_ignore_ascii_case("javascript").then_some(code)
}

/// Whether a link is pressed like a button: it runs a script or leads nowhere.
pub(super) fn runs_script(traits: &Traits<'_>) -> bool {
    let href = href_of(traits);
    traits.usage == Use::Follow && (href.is_empty() || href == "#" || script(href).is_some())
}

/// Where a control leads. It weighs more where there is no name; what has neither may lead to anything.
pub(super) fn by_address(survey: &Survey<'_>, traits: &Traits<'_>, verdict: &mut Verdict) {
    let href = href_of(traits);
    if is_unknown(survey, traits) {
        verdict.add(RiskLevel::Caution, "has no name");
    }
    if href.is_empty() {
        return;
    }
    let scheme = href.split_once(':').map_or("", |(scheme, _)| scheme);
    if ["mailto", "tel", "sms"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return verdict.add(RiskLevel::Caution, "opens another program");
    }
    let level = if says_nothing(&traits.words) { RiskLevel::Danger } else { RiskLevel::Caution };
    let phrase = match script(href) {
        Some(code) => ACTS
            .hits(&Words::of_identifier(code))
            .find(|hit| hit.value == Meaning::Danger || is_leaving(hit.phrase))
            .map(|hit| hit.phrase),
        None => in_path(survey, traits, href).or_else(|| in_query(href)),
    };
    if let Some(phrase) = phrase {
        let level = if is_leaving(phrase) { RiskLevel::Caution } else { level };
        verdict.add(level, format!("leads to \"{phrase}\""));
    }
}

/// Whether a control is pressed without anything that says what it does. Left out are those that show what they are without
/// a name: what opens or switches something, sends a form whose address tells, holds further controls, or closes a dialog.
fn is_unknown(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    let is_pressed = match traits.usage {
        Use::Press => {
            matches!(&*traits.role, "button" | "clickable" | "img" | "menuitem")
                && (href_of(traits).is_empty() || script(href_of(traits)).is_some())
        }
        _ => runs_script(traits),
    };
    is_pressed
        && is_nameless(survey, traits)
        && !opens(traits)
        && !is_told_harmless(traits)
        && !sends_a_question(survey, traits)
        && survey.tree.items_within(traits.node).is_empty()
        && !is_in_closing_corner(survey, traits)
}

/// Whether a control has no name at all, or only an identifier such as `btn-3`.
fn is_nameless(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    let What::Control(control, item) = survey.tree.nodes[traits.node].what else { return false };
    let name = survey.names.of_items[item].untrusted();
    let is_made = control.name.is_blank() && survey.tree.within(traits.node).is_empty();
    !name.contains(is_seen) || is_made && !traits.words.is_empty() && says_nothing(&traits.words)
}

/// Whether a letter shows something that others know too: the pictures of a page's own font do not.
fn is_seen(letter: char) -> bool {
    let is_own = matches!(letter as u32, 0xE000..=0xF8FF | 0xF0000..=0x10FFFF);
    let has_no_width =
        matches!(letter as u32, 0xAD | 0x200B..=0x200F | 0x2060..=0x2064 | 0xFE00..=0xFE0F | 0xFEFF);
    !(is_own || has_no_width || letter.is_whitespace() || letter.is_control())
}

fn opens(traits: &Traits<'_>) -> bool {
    let state = traits.control.state;
    traits.has(Flag::Popup)
        || state.switch(Switch::Expanded).is_some()
        || state.switch(Switch::Pressed).is_some()
}

/// Whether identifiers say that a control steps back or shows something, and nothing that it might do besides.
fn is_told_harmless(traits: &Traits<'_>) -> bool {
    const SHOWS: &[&str] = &["menu", "hamburger", "nav", "drawer", "sidebar", "carousel", "slider", "zoom"];
    let attributes = &traits.control.attributes;
    let identifiers = [&attributes.id, &attributes.name, &attributes.test_id].into_iter().flatten();
    let identifiers: Vec<_> = identifiers.map(PageText::untrusted).collect();
    let words = Words::of_identifier(&identifiers.join(" "));
    let shows = ASIDE.is_in(&words) || BACK.is_in(&words) || words.iter().any(|word| SHOWS.contains(&word));
    shows && ACTS.hits(&words).all(|hit| hit.value == Meaning::Harmless)
}

/// Whether a control sends a form that only asks for another page, as a search does: its address is judged with the form.
fn sends_a_question(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    let attributes = &traits.control.attributes;
    let forms = &survey.frames.all[survey.tree.nodes[traits.node].frame].capture.look.forms;
    let form = attributes.form.and_then(|form| forms.get(form as usize));
    traits.has(Flag::Submits)
        && attributes.form_action.is_none()
        && form.is_some_and(|form| form.method.eq_ignore_ascii_case("get"))
}

/// Whether a small control is in the upper corner of a dialog, where everybody looks for what closes it.
fn is_in_closing_corner(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    const CORNER: f32 = 72.0;
    const HIGHEST_CLIMB: usize = 64;
    let tree = &survey.tree;
    let is_dialog = |kind: GroupKind| matches!(kind, GroupKind::Dialog | GroupKind::Modal);
    let mut around = tree.around_in_frame(traits.node).take(HIGHEST_CLIMB);
    let dialog = around.find(|&node| is_dialog(tree.kind(node))).and_then(|node| tree.group(node));
    let Some(dialog) = dialog.map(|group| group.rect) else { return false };
    let Rect { x, y, width, height } = traits.control.rect;
    let is_small = width <= CORNER && height <= CORNER;
    let to_the_right = dialog.x + dialog.width - (x + width);
    let is_in_corner = (-CORNER..=CORNER / 2.0).contains(&to_the_right)
        && (-CORNER..=CORNER / 2.0).contains(&(y - dialog.y));
    is_small && is_in_corner && dialog.width > 3.0 * CORNER && dialog.height > CORNER
}

/// A page that tells its own story in an address, such as `/blog/how-to-delete`, is no command: only whole segments count.
fn in_path(survey: &Survey<'_>, traits: &Traits<'_>, href: &str) -> Option<&'static str> {
    let frame = &survey.frames.all[survey.tree.nodes[traits.node].frame];
    let path = href.split(['?', '#']).next().unwrap_or_default();
    let path = match &frame.base {
        Some(base) if path.starts_with(base.scheme()) => path.splitn(4, '/').nth(3).unwrap_or_default(),
        _ => path,
    };
    path.split('/').filter(|segment| segment.len() <= 30).take(12).find_map(|segment| {
        // `delete.php` is the command and how it is served.
        let bare = segment.split_once('.').map_or(segment, |(bare, _)| bare);
        command(bare)
    })
}

/// `?action=delete&id=5`, `?delete=5`, `?logout`.
fn in_query(href: &str) -> Option<&'static str> {
    let query = href.split_once('?')?.1.split('#').next().unwrap_or_default();
    query.split('&').take(24).find_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if !COMMAND_KEYS.iter().any(|known| key.eq_ignore_ascii_case(known)) {
            return command(key);
        }
        let words = Words::of_identifier(value.get(..60).unwrap_or(value));
        let first = ACTS.hits(&words).find(|hit| hit.at == 0)?;
        (first.value <= Meaning::DangerOnButton || is_leaving(first.phrase)).then_some(first.phrase)
    })
}

/// The act that an identifier names as a whole.
fn command(identifier: &str) -> Option<&'static str> {
    if !identifier.bytes().any(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let hit = ACTS.whole(&Words::of_identifier(identifier))?;
    (hit.value == Meaning::Danger || is_leaving(hit.phrase)).then_some(hit.phrase)
}

/// Words in a script that no list covers may say anything.
pub(super) fn by_script(traits: &Traits<'_>, verdict: &mut Verdict) {
    if traits.usage != Use::Press {
        return;
    }
    let (mut letters, mut foreign) = (0, 0);
    for letter in traits.words.iter().flat_map(str::chars).filter(|c| c.is_alphabetic()) {
        letters += 1;
        foreign += usize::from(!is_covered(letter));
    }
    if foreign >= 2 && 2 * foreign >= letters {
        verdict.add(RiskLevel::Caution, "words not understood");
    }
}

/// Whether a letter is of a script that the lists have words in.
fn is_covered(letter: char) -> bool {
    matches!(letter as u32,
        0..=0x52F // Latin, Greek, Cyrillic
        | 0x590..=0x6FF | 0x750..=0x77F | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF // Hebrew, Arabic
        | 0x900..=0x97F // Devanagari
        | 0xE00..=0xE7F // Thai
        | 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7FF // Hangul
        | 0x1D00..=0x1DBF | 0x1E00..=0x1FFF | 0x2100..=0x218F | 0x2C60..=0x2C7F | 0xA720..=0xA7FF // more Latin and Greek
        | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
        | 0x20000..=0x3FFFF // Han and kana
    )
}
