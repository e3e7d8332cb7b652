//! Pages and dialogs that want a login first.

use legwork_types::contract::{BlockerKind, Landmark};

use super::{
    super::{forms::FormDraft, roles::Use, sensitive::Secrecy, words::Words},
    Found, Sight,
    lists::{LOGIN_TITLES, PURPOSES, Purpose},
};

/// Fewer further controls than this do not make a page of their own around a login.
const MOST_BESIDE: usize = 15;

pub(super) fn login(sight: &Sight<'_, '_>) -> Option<Found> {
    let by_form = sight.forms.all.iter().find(|form| wants_login(sight, form));
    if let Some(form) = by_form {
        let text = form.section.as_ref().map(|section| section.untrusted().to_owned());
        let heading = sight.headings.first().map(|heading| heading.text.untrusted().to_owned());
        let items = form.items.iter().copied().filter(|&item| sight.survey.traits[item].visible).collect();
        return Some(Found {
            kind: BlockerKind::LoginRequired,
            text: text.or(heading).unwrap_or_default(),
            items,
        });
    }
    if let Some(item) = lone_password(sight) {
        return Some(Found { kind: BlockerKind::LoginRequired, text: String::new(), items: vec![item] });
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
    let by_page = || sight.headings.first().and_then(|heading| purpose(&Words::of(heading.text.untrusted())));
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
    let Some(&first) = form.items.first() else { return false };
    match sight.landmarks[survey.traits[first].node] {
        Landmark::Modal => return true,
        Landmark::Nav | Landmark::Footer | Landmark::Banner => return false,
        Landmark::Main | Landmark::Unknown => {}
    }
    let beside = survey.traits.iter().filter(|traits| {
        traits.visible && matches!(sight.landmarks[traits.node], Landmark::Main | Landmark::Unknown)
    });
    let (mut fields, mut others) = (0, 0);
    for traits in beside {
        match traits.usage.is_field() {
            true => fields += 1,
            false => others += 1,
        }
    }
    let own = form.fields.iter().filter(|&&item| survey.traits[item].visible).count();
    2 * own >= fields && others <= MOST_BESIDE
}

/// A field for a name, an address or a number by which an account is known.
fn is_account(sight: &Sight<'_, '_>, item: usize) -> bool {
    const WORDS: &[&str] = &[
        "email",
        "mail",
        "username",
        "user",
        "login",
        "account",
        "benutzername",
        "nutzername",
        "identifiant",
        "usuario",
        "correo",
        "utente",
        "gebruikersnaam",
        "utilizador",
        "uzytkownika",
        "phone",
    ];
    let traits = &sight.survey.traits[item];
    let token = traits.control.attributes.autocomplete.as_ref().map_or("", |text| text.untrusted());
    traits.usage == Use::Write
        && (token.contains("username") || traits.words.iter().any(|word| WORDS.contains(&word)))
}

fn is_called_login(sight: &Sight<'_, '_>, form: &FormDraft<'_>) -> bool {
    let says = |text: &str| {
        let words = Words::of(text);
        words.len() <= 8 && LOGIN_TITLES.is_in(&words)
    };
    let heading = sight.headings.first().is_some_and(|heading| says(heading.text.untrusted()));
    heading || form.section.as_ref().is_some_and(|section| says(section.untrusted()))
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
            && !apart
    };
    let mut passwords = (0..survey.traits.len()).filter(is_lone);
    let first = passwords.next().filter(|_| sight.is_bare)?;
    let says = |wanted: Purpose, words: &Words| PURPOSES.hits(words).any(|hit| hit.value == wanted);
    let buttons = || survey.traits.iter().filter(|traits| traits.visible && traits.usage == Use::Press);
    let is_for = |wanted: Purpose| {
        buttons().any(|traits| says(wanted, &traits.words))
            || sight.headings.first().is_some_and(|h| says(wanted, &Words::of(h.text.untrusted())))
    };
    let lets_in = is_for(Purpose::Login) || !is_for(Purpose::Other);
    (lets_in && passwords.next().is_none()).then_some(first)
}
