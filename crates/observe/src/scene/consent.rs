//! Whether a part of a page asks about cookies.

use std::sync::LazyLock;

use super::{
    roles::Use,
    survey::Survey,
    tree::{NodeIndex, What},
    words::{Lexicon, Words},
};
use crate::capture::GroupKind;

/// A bar about cookies has a button or two and a link to more.
const MOST_CONTROLS_OF_A_BAR: usize = 4;

/// The most nodes within a bar.
const MOST_PARTS_OF_A_BAR: usize = 40;

/// What a bar says at most.
const LONGEST_BAR: u32 = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    Cookie,
    Context,
}

static TOPICS: LazyLock<Lexicon<Topic>> = LazyLock::new(|| {
    Lexicon::of(&[
        (Topic::Cookie, &["cookie|cookies|cookiebeleid|cookierichtlinie|ciasteczka|ciasteczek|galletas"]),
        (
            Topic::Context,
            &[
                "consent|privacy|tracking|tracker|trackers|website|site|sites|web|partners|personalise|personalize|analytics",
                "experience|essential|necessary|gdpr|browser|data|vendors|store|third party|we use|uses cookies",
                "datenschutz|einwilligung|zustimmung|webseite|partner|notwendige|erforderlich|verwenden|nutzen|daten",
                "vie privee|confidentialite|consentement|navigation|partenaires|donnees|utilise|utilisons",
                "privacidad|consentimiento|sitio|socios|datos|utilizamos|usamos|navegacion|propias",
                "riservatezza|consenso|sito|dati|utilizziamo|usiamo|navigazione|terze",
                "toestemming|gegevens|gebruiken|wij|noodzakelijke|privacidade|consentimento|dados|navegacao",
                "prywatnosci|zgode|zgody|strona|strony|serwis|danych|uzywamy|korzystamy|plikow|pliki",
            ],
        ),
    ])
});

static CHOICES: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "accept|accept all|agree|i agree|allow|allow all|reject|reject all|decline|deny|refuse|ok|okay|got it|understood",
            "necessary only|only necessary|essential only|i understand|consent|dismiss",
            "akzeptieren|annehmen|zustimmen|einverstanden|ablehnen|verstanden|erlauben|zulassen|nur notwendige",
            "accepter|j accepte|tout accepter|refuser|tout refuser|continuer sans accepter|d accord|autoriser",
            "aceptar|acepto|aceptar todo|rechazar|rechazar todo|permitir|entendido|de acuerdo",
            "accetta|accetto|accetta tutti|accettare|rifiuta|rifiuto|consenti|ho capito",
            "accepteren|accepteer|akkoord|weigeren|weiger|afwijzen|toestaan|begrepen",
            "aceitar|aceito|aceitar todos|rejeitar|recusar|permitir todos|concordo",
            "akceptuj|akceptuje|zaakceptuj|zgadzam sie|odrzuc|odmow|zezwol|rozumiem",
        ],
    )])
});

/// Answers to a question about many things at once, which next to a cookie are not eaten.
static SWEEPING: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "accept all|reject all|allow all|decline all|deny all|refuse all|necessary only|only necessary|essential only",
            "alle akzeptieren|alle ablehnen|alle annehmen|alle zulassen|nur notwendige|tout accepter|tout refuser",
            "aceptar todo|aceptar todas|rechazar todo|rechazar todas|accetta tutti|rifiuta tutti|accetta tutto|rifiuta tutto",
            "alles accepteren|alles weigeren|alles afwijzen|aceitar todos|rejeitar todos|zaakceptuj wszystkie|odrzuc wszystkie",
        ],
    )])
});

/// What a notice without a name or a fixed place says of the page that it is on.
static STATEMENTS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "uses cookies|use cookies|using cookies|use of cookies|verwendet cookies|verwenden cookies|nutzt cookies|nutzen cookies",
            "utilise des cookies|utilisons des cookies|utiliza cookies|utilizamos cookies|usa cookies|usamos cookies",
            "utilizza cookie|utilizza i cookie|utilizziamo cookie|utilizziamo i cookie|gebruikt cookies|gebruiken cookies",
            "uzywa plikow cookie|uzywa plikow cookies|uzywamy plikow cookie|uzywamy plikow cookies|uzywa ciasteczek",
            "使用cookie|cookieを使用|クッキーを使用|쿠키를 사용|использует cookie|использует файлы cookie|используем файлы cookie",
        ],
    )])
});

/// What makers of such notices call them in classes, ids and addresses.
const NAMES: &[&str] = &[
    "cookie",
    "consent",
    "gdpr",
    "onetrust",
    "cookiebot",
    "didomi",
    "usercentrics",
    "trustarc",
    "truste",
    "qc-cmp",
    "sp_message",
    "cmplz",
    "borlabs",
    "klaro",
    "iubenda",
    "osano",
    "termly",
    "axeptio",
    "tarteaucitron",
    "cmpbox",
    "cc-window",
    "privacy-mgmt",
    "quantcast",
    "sourcepoint",
    "ccpa",
];

fn is_named_so(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    NAMES.iter().any(|name| lower.contains(name))
}

/// Whether the classes, id, name or address of a node say that it is a notice about cookies.
pub(super) fn is_hinted(survey: &Survey<'_>, node: NodeIndex) -> bool {
    match survey.tree.nodes[node].what {
        What::Group(group) => {
            let attributes = &group.attributes;
            let hints = [&attributes.hint, &attributes.id, &attributes.test_id];
            hints.into_iter().flatten().any(|hint| is_named_so(hint.untrusted()))
        }
        What::Owner(owner, _) => is_named_so(owner.src.untrusted()) || is_named_so(owner.name.untrusted()),
        _ => false,
    }
}

/// Whether a part of the page is called after cookies by its own label.
pub(super) fn is_labelled(survey: &Survey<'_>, node: NodeIndex) -> bool {
    survey.tree.group(node).is_some_and(|group| {
        matches!(group.kind, GroupKind::Region | GroupKind::Aside | GroupKind::Form)
            && group.name.untrusted().len() <= 60
            && TOPICS.hits(&Words::of(group.name.untrusted())).any(|hit| hit.value == Topic::Cookie)
    })
}

/// Whether one of the controls within lets a visitor say such a thing. A button that merely opens settings does not count.
fn offers(survey: &Survey<'_>, node: NodeIndex, choices: &Lexicon<()>) -> bool {
    survey.tree.items_within(node).any(|item| {
        let traits = &survey.traits[item];
        traits.visible
            && matches!(traits.usage, Use::Press | Use::Follow)
            && traits.words.len() <= 8
            && choices.is_in(&traits.words)
    })
}

/// Whether this group, which stands out from the page, asks about cookies.
pub(super) fn asks(survey: &Survey<'_>, node: NodeIndex) -> bool {
    let controls = survey.tree.items_within(node).len();
    if controls == 0
        || controls > 60
        || survey.mains.at(&survey.tree, node) > 0
        || !offers(survey, node, &CHOICES)
    {
        return false;
    }
    if is_hinted(survey, node) {
        return true;
    }
    let mut words = Words::of(&survey.says(node, 800));
    if let Some(group) = survey.tree.group(node) {
        words.add(group.name.untrusted());
    }
    let found: Vec<_> = TOPICS.hits(&words).map(|hit| hit.value).collect();
    // The label of a region within counts as well: often the box that is fixed is not the one that has a name.
    let is_about_cookies =
        found.contains(&Topic::Cookie) || survey.tree.within(node).any(|at| is_labelled(survey, at));
    is_about_cookies && (found.contains(&Topic::Context) || offers(survey, node, &SWEEPING))
}

/// Whether a group is a bar about cookies that merely stands on the page, neither fixed nor called so: a few words that the page
/// uses them, and a button or two to say yes.
pub(super) fn is_bar(survey: &Survey<'_>, node: NodeIndex) -> bool {
    let tree = &survey.tree;
    let items = tree.items_within(node);
    let is_small = tree.within(node).len() <= MOST_PARTS_OF_A_BAR && items.len() <= MOST_CONTROLS_OF_A_BAR;
    if items.is_empty() || !is_small {
        return false;
    }
    // The matter of a page may be cookies.
    let is_matter = |kind| {
        matches!(
            kind,
            GroupKind::Main | GroupKind::Footer | GroupKind::Item | GroupKind::Row | GroupKind::Heading
        )
    };
    let is_short = survey.letters.at(tree, node) <= LONGEST_BAR;
    let presses = || items.clone().any(|item| survey.traits[item].usage == Use::Press);
    let asks = || items.clone().any(|item| survey.traits[item].usage.is_field());
    is_short
        && presses()
        && !asks()
        && offers(survey, node, &CHOICES)
        && STATEMENTS.is_in(&Words::of(&survey.texts(node, LONGEST_BAR as usize)))
        && survey.mains.at(tree, node) == 0
        && !is_matter(tree.kind(node))
        && !tree.around(node).any(|at| is_matter(tree.kind(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        TOPICS.assert_plain_letters();
        CHOICES.assert_plain_letters();
        SWEEPING.assert_plain_letters();
    }
}
