//! What a field is for, as far as it matters to whoever would write a secret into it.

use legwork_types::{FieldPurpose, PageText};

use super::{
    roles::Use,
    sensitive::Secrecy,
    survey::{Survey, Traits},
    tree::What,
    words::Words,
};
use crate::capture::{Flag, GroupKind};

/// How far up a field is looked at for a search around it.
const HIGHEST_CLIMB: usize = 6;

const SEARCHES: &[&str] = &[
    "search",
    "q",
    "query",
    "find",
    "suche",
    "suchen",
    "suchbegriff",
    "buscar",
    "busca",
    "recherche",
    "rechercher",
    "cerca",
    "zoek",
    "zoeken",
    "szukaj",
    "sok",
    "hledat",
    "поиск",
    "搜索",
    "検索",
];

const IDENTITIES: &[&str] = &[
    "user",
    "username",
    "userid",
    "login",
    "loginid",
    "email",
    "mail",
    "account",
    "accountid",
    "member",
    "membership",
    "customer",
    "client",
    "identifier",
    "handle",
    "phone",
    "mobile",
    "tel",
    "telephone",
    "benutzer",
    "benutzername",
    "nutzername",
    "kunde",
    "kundennummer",
    "anmeldename",
    "usuario",
    "correo",
    "utilisateur",
    "identifiant",
    "utente",
    "gebruikersnaam",
    "telefon",
    "handynummer",
    "логин",
    "用户名",
];

/// What a control is for, and whether it shows dots in the place of what is in it.
pub(super) fn purpose(survey: &Survey<'_>, traits: &Traits<'_>) -> (FieldPurpose, bool) {
    if traits.usage != Use::Write {
        return (FieldPurpose::Unknown, false);
    }
    let shows_dots = traits.has(Flag::Secret);
    let attributes = &traits.control.attributes;
    let kind = attributes.kind.as_ref().map_or("", PageText::untrusted).to_ascii_lowercase();
    let says = |list: &[&str]| {
        let labels = [Some(&traits.control.name), attributes.placeholder.as_ref()];
        let identifiers = [attributes.name.as_ref(), attributes.id.as_ref()];
        let labels = labels.into_iter().flatten().map(|text| Words::of(text.untrusted()));
        let identifiers =
            identifiers.into_iter().flatten().map(|text| Words::of_identifier(text.untrusted()));
        labels.chain(identifiers).any(|words| words.iter().any(|word| list.contains(&word)))
    };
    let autocomplete = attributes.autocomplete.as_ref().map_or("", PageText::untrusted);
    let completes = |names: &[&str]| {
        autocomplete
            .split_ascii_whitespace()
            .any(|token| names.contains(&token.to_ascii_lowercase().as_str()))
    };
    let is_line = &*traits.control.tag == "input";
    let is_search = kind == "search" || traits.role == "searchbox" || says(SEARCHES) && !shows_dots;
    let purpose = match traits.secrecy {
        _ if is_search || is_in_search(survey, traits) => FieldPurpose::Search,
        _ if !is_line => FieldPurpose::Prose,
        Some(Secrecy::OneTimeCode) => FieldPurpose::Code,
        Some(_) => FieldPurpose::Confidential,
        None if matches!(kind.as_str(), "email" | "tel") => FieldPurpose::Identity,
        None if completes(&["username", "email", "tel", "tel-national"]) => FieldPurpose::Identity,
        None if matches!(kind.as_str(), "" | "text" | "number") && says(IDENTITIES) => FieldPurpose::Identity,
        None => FieldPurpose::Unknown,
    };
    (purpose, shows_dots)
}

fn is_in_search(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    let mut node = traits.node;
    for _ in 0..HIGHEST_CLIMB {
        node = survey.tree.nodes[node].parent;
        match survey.tree.nodes[node].what {
            What::Group(group) if group.kind == GroupKind::Search => return true,
            What::Page => return false,
            _ => {}
        }
    }
    false
}
