//! Pages and dialogs that want a login first.

use legwork_types::contract::{BlockerKind, Landmark};

use super::{
    super::{
        forms::FormDraft, roles::Use, sensitive::Secrecy, survey::Traits, tree::NodeIndex, words::Words,
    },
    Found, LONGEST_WALL, Sight,
    calls::is_answer,
    lists::{ACCOUNTS, ENTRANCES, LOGIN_TITLES, OTHER_KEYS, PURPOSES, Purpose, REFUSALS},
};

/// Fewer further controls than this do not make a page of their own around a login.
const MOST_BESIDE: usize = 15;

/// The same for links, where the page is called after the login: helps, terms, languages.
const MOST_LINKS_BESIDE: usize = 60;

/// A longer heading is about logins.
const LONGEST_TITLE: usize = 8;

pub(super) fn login(sight: &Sight<'_, '_>) -> Option<Found> {
    let by_form = sight.forms.all.iter().find(|form| wants_login(sight, form));
    if let Some(form) = by_form {
        let text = form.section.as_ref().map(|section| section.untrusted().to_owned());
        let frame = frame_of_login(sight, form);
        let heading = frame.and_then(|frame| sight.heading_of(frame));
        let heading = heading.map(|heading| heading.text.untrusted().to_owned());
        // A form without an element of its own may have taken in what stands around its frame.
        let is_own = |&item: &usize| sight.survey.traits[item].visible && Some(sight.frame_of(item)) == frame;
        let items = form.items.iter().copied().filter(is_own).collect();
        return Some(Found {
            kind: BlockerKind::LoginRequired,
            text: text.or(heading).unwrap_or_default(),
            items,
        });
    }
    if let Some(item) = lone_password(sight) {
        return Some(Found { kind: BlockerKind::LoginRequired, text: String::new(), items: vec![item] });
    }
    if let Some(text) = by_title(sight).or_else(|| by_refusal(sight)) {
        let text = text.to_owned();
        return Some(Found { kind: BlockerKind::LoginRequired, text, items: sight.items_of(0) });
    }
    let (wall, text) = sight.call(BlockerKind::LoginRequired)?;
    // "Already a member? Please log in" on the page where one becomes a member.
    if wall == 0 && sight.forms.all.iter().any(|form| has_password(sight, form)) {
        return None;
    }
    Some(Found { kind: BlockerKind::LoginRequired, text, items: sight.items_of(wall) })
}

fn has_password(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    form.fields.iter().map(|&item| &sight.survey.traits[item]).any(|traits| {
        traits.visible && matches!(traits.secrecy, Some(Secrecy::Password | Secrecy::NewPassword))
    })
}

/// The field that makes a form a login: its password, else the first that can be seen.
fn key_field(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> Option<usize> {
    let traits = &sight.survey.traits;
    let visible = || form.fields.iter().copied().filter(|&item| traits[item].visible);
    visible().find(|&item| traits[item].secrecy == Some(Secrecy::Password)).or_else(|| visible().next())
}

fn frame_of_login(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> Option<usize> {
    key_field(sight, form).map(|item| sight.frame_of(item))
}

/// Whether a form asks for a login and is what the page is about. Two passwords are a registration or a change.
fn wants_login(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    let survey = sight.survey;
    let visible = |item: &&usize| survey.traits[**item].visible;
    let secret = |wanted: Secrecy| {
        form.fields
            .iter()
            .filter(visible)
            .filter(|&&item| survey.traits[item].secrecy == Some(wanted))
            .count()
    };
    if secret(Secrecy::NewPassword) > 0 || secret(Secrecy::Payment) > 0 || secret(Secrecy::Password) > 1 {
        return false;
    }
    if form.fields.iter().filter(visible).any(|&item| opens_something_else(&survey.traits[item])) {
        return false;
    }
    let has_password = secret(Secrecy::Password) == 1;
    let asks_who = || form.fields.iter().filter(visible).any(|&item| is_account(sight, item));
    let asks_for_login = match has_password {
        true => lets_in(sight, form),
        false => is_called_login(sight, form) && asks_who(),
    };
    asks_for_login && dominates(sight, form)
}

/// Whether a form with one password is there to be let in. The button says it best, then what the form is called, then the
/// page; where nothing does, a form that asks for more than a name and a password wants something else.
fn lets_in(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    let survey = sight.survey;
    let purpose = |words: &Words| {
        let said: Vec<Purpose> = PURPOSES.hits(words).map(|hit| hit.value).collect();
        // "Log in or register" lets in whoever is a member.
        let is_login = said.contains(&Purpose::Login);
        (words.len() <= 12 && !said.is_empty()).then_some(if is_login {
            Purpose::Login
        } else {
            Purpose::Other
        })
    };
    let by_button = form.submit.and_then(|item| purpose(&survey.traits[item].words));
    let by_name =
        || form.section.as_ref().and_then(|section| purpose(&Words::of_identifier(section.untrusted())));
    let by_page = || {
        let heading = sight.heading_of(frame_of_login(sight, form)?)?;
        purpose(&Words::of(heading.text.untrusted()))
    };
    let asked = form
        .fields
        .iter()
        .map(|&item| &survey.traits[item])
        .filter(|traits| traits.visible && matches!(traits.usage, Use::Write | Use::Choose));
    match by_button.or_else(by_name).or_else(by_page) {
        Some(purpose) => purpose == Purpose::Login,
        None => asked.count() <= 2,
    }
}

/// A dialog that asks for a login is in the way by itself; on a page the form has to be most of it.
fn dominates(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    let survey = sight.survey;
    let Some(key) = key_field(sight, form) else { return false };
    let node = survey.traits[key].node;
    if !sight.bars_the_page(node) {
        return false;
    }
    match sight.landmarks[node] {
        Landmark::Modal => return true,
        Landmark::Nav | Landmark::Footer | Landmark::Banner => return false,
        Landmark::Main | Landmark::Unknown => {}
    }
    let beside = survey.traits.iter().filter(|traits| {
        traits.visible && matches!(sight.landmarks[traits.node], Landmark::Main | Landmark::Unknown)
    });
    let (mut fields, mut links, mut others) = (0, 0, 0);
    for traits in beside {
        match traits.usage {
            usage if usage.is_field() => fields += 1,
            Use::Follow => links += 1,
            _ => others += 1,
        }
    }
    let own = form.fields.iter().filter(|&&item| survey.traits[item].visible).count();
    let is_little = links + others <= MOST_BESIDE;
    let is_called_so = || is_login_title(sight) && links <= MOST_LINKS_BESIDE && others <= MOST_BESIDE;
    2 * own >= fields && (is_called_so() || is_little && !stands_beside_a_story(sight, form))
}

/// Whether a form is a widget beside more to read than a wall has, and does not ask for a login to read on.
fn stands_beside_a_story(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    let Some(node) = form.node else { return false };
    let near = sight.survey.tree.nodes[node].parent;
    let asks = |node: NodeIndex| node != 0 && sight.calls(node, BlockerKind::LoginRequired);
    sight.letters_beside(node) as usize > LONGEST_WALL && !asks(node) && !asks(near)
}

/// A key, a token, the password of a network, or the present one to prove a change.
fn opens_something_else(traits: &Traits<'_>) -> bool {
    traits.usage == Use::Write && OTHER_KEYS.is_in(&traits.words)
}

/// What the page is called: its first heading, else its title. The headings of a widget are not the page's.
fn head<'s>(sight: &'s Sight<'_, '_>) -> &'s str {
    let heading = sight.headings.iter().find(|heading| sight.bars_the_page(heading.node));
    heading.map_or_else(|| sight.title(), |heading| heading.text.untrusted())
}

/// Whether the page is called after its login.
fn is_login_title(sight: &Sight<'_, '_>) -> bool {
    is_title_of_login(head(sight))
}

/// Whether a title is that of a login, and not of something about logins.
pub(super) fn is_title_of_login(title: &str) -> bool {
    let words = Words::of(title);
    names_login(&words) && LOGIN_TITLES.hits(&words).any(|hit| hit.at == 0)
}

/// Whether a heading is that of a login: short, and not about how, when or where one logs in.
fn names_login(words: &Words) -> bool {
    const ABOUT: &[&str] = &[
        "history", "sheet", "settings", "methods", "options", "issues", "problems", "attempts", "api",
        "guide", "activity", "alerts", "design", "flow", "how", "why", "faq", "button", "records", "errors",
    ];
    words.len() <= LONGEST_TITLE
        && LOGIN_TITLES.is_in(words)
        && !words.iter().any(|word| ABOUT.contains(&word))
}

/// A page that is called after its login and has nothing but ways in: others who vouch, a key, the first of two steps.
fn by_title<'s>(sight: &'s Sight<'_, '_>) -> Option<&'s str> {
    let survey = sight.survey;
    if !sight.is_bare || !is_login_title(sight) {
        return None;
    }
    let near = || sight.items_of(0).into_iter();
    let vouches = |item: usize| {
        let traits = &survey.traits[item];
        matches!(traits.usage, Use::Press | Use::Follow)
            && traits.words.len() <= LONGEST_TITLE
            && ENTRANCES.is_in(&traits.words)
    };
    let goes_on = |item: usize| {
        let traits = &survey.traits[item];
        traits.usage == Use::Press && is_answer(traits, BlockerKind::LoginRequired)
    };
    let has_first_step = || near().any(|item| is_account(sight, item)) && near().any(goes_on);
    let is_all = || sight.unexplained(0, BlockerKind::LoginRequired).is_empty();
    let asks_new = || near().any(|item| survey.traits[item].secrecy == Some(Secrecy::NewPassword));
    ((near().any(vouches) || has_first_step()) && is_all() && !asks_new()).then(|| head(sight))
}

/// A page that turns the visitor away and shows where to log in.
fn by_refusal<'s>(sight: &'s Sight<'_, '_>) -> Option<&'s str> {
    let is_refused = |text: &str| {
        let words = Words::of(text);
        words.len() <= LONGEST_TITLE && REFUSALS.is_in(&words)
    };
    if !sight.is_bare || !(is_refused(head(sight)) || is_refused(sight.title())) {
        return None;
    }
    let is_way_in = |item: usize| {
        let traits = &sight.survey.traits[item];
        matches!(traits.usage, Use::Press | Use::Follow)
            && traits.words.len() <= LONGEST_TITLE
            && LOGIN_TITLES.is_in(&traits.words)
    };
    let is_all = sight.unexplained(0, BlockerKind::LoginRequired).is_empty();
    (is_all && sight.items_of(0).into_iter().any(is_way_in)).then(|| head(sight))
}

/// A field for a name, an address or a number by which an account is known.
fn is_account(sight: &Sight<'_, '_>, item: usize) -> bool {
    let traits = &sight.survey.traits[item];
    let token = traits.control.attributes.autocomplete.as_ref().map_or("", |text| text.untrusted());
    traits.usage == Use::Write && (token.contains("username") || ACCOUNTS.is_in(&traits.words))
}

fn is_called_login(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    let says = |text: &str| names_login(&Words::of(text));
    let heading = frame_of_login(sight, form).and_then(|frame| sight.heading_of(frame));
    heading.is_some_and(|heading| says(heading.text.untrusted()))
        || form.section.as_ref().is_some_and(|section| says(section.untrusted()))
}

/// A password on a bare page, outside any form.
fn lone_password(sight: &Sight<'_, '_>) -> Option<usize> {
    let survey = sight.survey;
    let is_lone = |item: &usize| {
        let traits = &survey.traits[*item];
        let apart = matches!(sight.landmarks[traits.node], Landmark::Nav | Landmark::Footer);
        traits.visible
            && traits.secrecy == Some(Secrecy::Password)
            && traits.usage == Use::Write
            && sight.forms.of_items[*item].is_none()
            && !opens_something_else(traits)
            && !apart
    };
    let mut passwords = (0..survey.traits.len()).filter(is_lone);
    let first = passwords.next().filter(|_| sight.is_bare)?;
    let says = |wanted: Purpose, words: &Words| PURPOSES.hits(words).any(|hit| hit.value == wanted);
    let frame = sight.frame_of(first);
    let buttons = || {
        let own = (0..survey.traits.len()).filter(|&item| sight.frame_of(item) == frame);
        own.map(|item| &survey.traits[item]).filter(|traits| traits.visible && traits.usage == Use::Press)
    };
    let is_for = |wanted: Purpose| {
        buttons().any(|traits| says(wanted, &traits.words))
            || sight.heading_of(frame).is_some_and(|h| says(wanted, &Words::of(h.text.untrusted())))
    };
    let lets_in = is_for(Purpose::Login) || !is_for(Purpose::Other);
    let is_wall = lets_in && sight.bars_the_page(survey.traits[first].node);
    (is_wall && passwords.next().is_none()).then_some(first)
}
