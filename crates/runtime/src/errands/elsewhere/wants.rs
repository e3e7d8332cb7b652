//! What a page of somebody else's browser wants that only a person has, by what it says: a code, a proof of being human. Pure. Where it is
//! from, how large it is and how it looks nobody tells, so that words alone decide; a login is left to the rules of services.

use legwork_agent::service::Wanted;
use legwork_observe::{are_for_a_code, calls_for};
use legwork_types::contract::BlockerKind;

use super::{ForeignPage, ForeignPart};

/// A page with more than this to act on is about something else than a proof that it mentions.
const MOST_CONTROLS: usize = 6;
/// So many boxes are for a code of one digit each.
const BOXES: std::ops::RangeInclusive<usize> = 4..=8;

/// What it wants, if anything. First what is waited for where a page wants several.
pub(super) fn of(page: &ForeignPage) -> Option<Wanted> {
    let fields: Vec<&ForeignPart> = page.parts.iter().filter(|part| is_filled_in(part)).collect();
    let is_bare = fields.len() <= 1 && page.controls().count() <= MOST_CONTROLS && !page.is_unlisted;
    if is_bare && says(page, BlockerKind::Captcha) || has_box_in_a_frame(page) {
        return Some(Wanted::Captcha);
    }
    let is_split = || BOXES.contains(&fields.len()) && says(page, BlockerKind::Mfa);
    let names = fields.iter().map(|field| field.name.untrusted());
    (are_for_a_code(names) || is_split()).then_some(Wanted::Code)
}

fn is_filled_in(part: &ForeignPart) -> bool {
    part.reference.is_some() && matches!(part.role.as_str(), "textbox" | "spinbutton")
}

/// Whether the page calls for this. What is ticked already has been done.
fn says(page: &ForeignPage, wanted: BlockerKind) -> bool {
    let is_said = |part: &ForeignPart| {
        calls_for(part.name.untrusted(), wanted, part.role == "heading") && !part.is("checked")
    };
    calls_for(page.title.untrusted(), wanted, true) || page.parts.iter().any(is_said)
}

/// Whether a frame has a box to tick by which one says that one is human: those who make such proofs put it there, on whatever page.
fn has_box_in_a_frame(page: &ForeignPage) -> bool {
    let mut frame = None;
    page.parts.iter().any(|part| {
        frame = frame.filter(|depth| part.depth > *depth).or((part.role == "iframe").then_some(part.depth));
        let is_box = frame.is_some() && part.role == "checkbox" && !part.is("checked");
        is_box && calls_for(part.name.untrusted(), BlockerKind::Captcha, false)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of these parts: a role, and a name after a colon; what is within a frame begins with a blank.
    fn page(title: &str, parts: &[&str]) -> ForeignPage {
        let part = |text: &&str| {
            let (role, name) = text.trim_start().split_once(':').unwrap_or((text, ""));
            let is_ticked = name.ends_with(" [checked]");
            ForeignPart {
                depth: usize::from(text.starts_with(' ')),
                role: role.into(),
                name: name.trim_end_matches(" [checked]").into(),
                states: if is_ticked { vec!["checked"] } else { vec![] },
                reference: (!matches!(role, "text" | "heading" | "iframe")).then(|| "e1".into()),
                ..ForeignPart::default()
            }
        };
        ForeignPage { title: title.into(), parts: parts.iter().map(part).collect(), ..ForeignPage::default() }
    }

    const SHOP: [&str; 8] = [
        "link:Home",
        "link:Coffee",
        "link:Account",
        "link:Basket",
        "textbox:E-mail",
        "textbox:Your message",
        "button:Send",
        "link:Help",
    ];

    #[test]
    fn what_only_a_person_has_is_seen_by_what_the_page_says() {
        let in_frame = |name: &str| page("Contact", &[&SHOP[..], &["iframe", name, "text:Thanks"]].concat());
        for (page, wants) in [
            (page("Are you a robot?", &["text:One step more", "checkbox:I agree"]), Some(Wanted::Captcha)),
            (page("Lumo", &["heading:Verify you are human", "button:Continue"]), Some(Wanted::Captcha)),
            (
                page("Lumo", &["text:Type the characters that you see.", "textbox:Answer"]),
                Some(Wanted::Captcha),
            ),
            (in_frame(" checkbox:I'm not a robot"), Some(Wanted::Captcha)),
            (in_frame(" checkbox:I'm not a robot [checked]"), None),
            (in_frame(" checkbox:Keep me posted"), None),
            (page("Lumo", &["heading:Check your phone", "textbox:Verification code"]), Some(Wanted::Code)),
            (
                page("Lumo", &[&["text:Enter the code that we sent."][..], &["textbox"; 6]].concat()),
                Some(Wanted::Code),
            ),
            (page("Code Wanderer", &["heading:Films"]), None),
            (page("Log in", &["textbox:E-mail", "textbox:Password", "button:Log in"]), None),
            // The number on the back of a card, and what is given away in a shop.
            (page("Pay", &["textbox:Card number", "textbox:Security code"]), None),
            (page("Basket", &["textbox:Voucher code", "button:Apply"]), None),
            // Pages about such things.
            (page("Help", &[&SHOP[..], &["heading:Are you a robot?"]].concat()), None),
            (page("Help", &["text:An authenticator app makes your account safer."]), None),
        ] {
            assert_eq!(of(&page), wants, "{page:#?}");
        }
        let box_outside = [&SHOP[..], &["checkbox:I'm not a robot"]].concat();
        assert_eq!(of(&page("Contact", &box_outside)), None, "the model ticks it itself");
        let words = ForeignPage { is_unlisted: true, ..page("Are you a robot?", &["text:x"]) };
        assert_eq!(of(&words), None, "nobody knows what else is on it");
    }
}
