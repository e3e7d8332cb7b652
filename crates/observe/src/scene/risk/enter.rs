//! How much harm Enter might do where it does not press what it goes to, but sends what that is a field of.

use std::sync::LazyLock;

use legwork_types::{
    PageText,
    contract::{Risk, RiskLevel},
};

use super::{
    super::{
        forms::{FormDraft, Forms},
        roles::Use,
        sensitive::Secrecy,
        survey::{Survey, Traits},
        words::{Lexicon, Words},
    },
    Verdict,
    lists::{ACTS, Meaning},
    sending::{Sending, posts},
};
use crate::capture::{Flag, GroupKind};

/// How far up a search is looked for.
const HIGHEST_CLIMB: usize = 12;

/// A label with more words than this is a sentence, whatever it speaks of.
const LONGEST_LABEL: usize = 8;

const MAY_SEND: &str = "Enter may send it";

/// What fields are called that only find or sift something.
static FINDS: LazyLock<Lexicon<()>> = LazyLock::new(|| Lexicon::of(&[((), FINDING)]));

const FINDING: &[&str] = &[
    "search|search for|find|filter|filter by|look up|lookup|query|quick search|searchbox|searchbar|searchfield|searchterm",
    "suche|suchen|suchbegriff|suchfeld|suchwort|finden|filtern|durchsuchen|rechercher|recherche|chercher|trouver|filtrer",
    "buscar|busca|busqueda|buscador|filtrar|filtro|encontrar|cerca|ricerca|cercare|trova|filtra|zoeken|zoek|zoekterm|vinden",
    "filteren|pesquisar|pesquisa|procurar|localizar|szukaj|wyszukaj|szukana fraza|znajdz|filtruj|sok|sog|haku|hae|etsi|hledat",
    "vyhledat|hledani|kereses|cauta|cautare|tim kiem|cari|ara|arama|поиск|найти|искать|фильтр|пошук|знайти|αναζήτηση|بحث|חיפוש|खोज|खोजें",
    "搜索|搜尋|查找|筛选|検索|絞り込み|검색|찾기|필터|ค้นหา",
];

/// The worst that Enter might do in each item besides pressing it; none where it does nothing else.
pub(super) fn by_enter(
    survey: &Survey<'_>,
    forms: &Forms<'_>,
    sending: &Sending,
    risks: &[Risk],
) -> Vec<Option<Risk>> {
    let of_forms: Vec<Risk> =
        forms.all.iter().enumerate().map(|form| of_form(survey, form, sending, risks)).collect();
    let of_item = |(item, traits): (usize, &Traits<'_>)| {
        let number = forms.of_items[item];
        let form = number.and_then(|number| Some((forms.all.get(number)?, of_forms.get(number)?)));
        match form {
            _ if !is_field(traits) => None,
            Some((draft, risk)) if draft.facts.is_some() => Some(risk.clone()),
            // No browser sends anything here: script alone knows what Enter does.
            _ if is_written_in(traits) && !only_finds(survey, item, traits) => Some(may_send()),
            Some((_, risk)) => Some(risk.clone()),
            None => None,
        }
    };
    survey.traits.iter().enumerate().map(of_item).collect()
}

fn may_send() -> Risk {
    Risk { level: RiskLevel::Danger, reasons: vec![MAY_SEND.into()] }
}

/// A browser sends a form by its first button, seen or not, which need not be the one that a person would take: the worst counts.
fn of_form(
    survey: &Survey<'_>,
    (number, form): (usize, &FormDraft<'_>),
    sending: &Sending,
    risks: &[Risk],
) -> Risk {
    let is_button = |item: &usize| {
        let traits = &survey.traits[*item];
        traits.role == "button" || traits.has(Flag::Submits) || form.submit == Some(*item)
    };
    let mut all: Vec<Risk> =
        form.items.iter().copied().filter(is_button).map(|item| risks[item].clone()).collect();
    let unseen = form.facts.and_then(|facts| facts.default_buttons.as_deref()).unwrap_or_default();
    let judged = |button| {
        let mut verdict = Verdict::safe();
        sending.judge_unseen(survey, (number, form), button, &mut verdict);
        verdict
    };
    all.extend(unseen.iter().map(|button| judged(Some(button)).0));
    if all.is_empty() {
        let mut verdict = judged(None);
        let matters = form.facts.is_none_or(posts)
            || form.fields.iter().any(|&item| is_of_several_lines(&survey.traits[item]))
            || form.count(survey, |secrecy| secrecy == Secrecy::Payment) > 0;
        let level = if matters { RiskLevel::Danger } else { RiskLevel::Caution };
        verdict.add(level, "sends a form that has no button for it");
        all.push(verdict.0);
    }
    worst(&all)
}

/// The highest level, with the reasons of all that reach it.
fn worst(risks: &[Risk]) -> Risk {
    let level = risks.iter().map(|risk| risk.level).max().unwrap_or(RiskLevel::Safe);
    let mut verdict = Verdict(Risk { level, reasons: Vec::new() });
    let reasons = risks.iter().filter(|risk| risk.level == level).flat_map(|risk| &risk.reasons);
    reasons.for_each(|reason| verdict.add(level, reason.as_str()));
    verdict.0
}

fn kind_of<'t>(traits: &'t Traits<'_>) -> &'t str {
    traits.control.attributes.kind.as_ref().map_or("", PageText::untrusted)
}

/// Whether it is a field, whatever it calls itself.
fn is_field(traits: &Traits<'_>) -> bool {
    let is_native = match &*traits.control.tag {
        "textarea" | "select" => true,
        "input" => !matches!(kind_of(traits), "button" | "reset" | "submit" | "image"),
        _ => false,
    };
    !traits.has(Flag::Submits) && (is_native || traits.usage.is_field() || traits.has(Flag::Editable))
}

/// Whether words are written in it.
fn is_written_in(traits: &Traits<'_>) -> bool {
    let is_ticked = matches!(&*traits.role, "checkbox" | "radio");
    let is_native = match &*traits.control.tag {
        "textarea" => true,
        "input" => {
            !is_ticked && !matches!(kind_of(traits), "checkbox" | "radio" | "range" | "color" | "file")
        }
        _ => false,
    };
    let is_set = matches!(&*traits.role, "slider" | "color");
    is_native || traits.has(Flag::Editable) || (traits.usage == Use::Write && !is_set)
}

/// Whether Enter begins a new line in it, unless script takes it for something else.
fn is_of_several_lines(traits: &Traits<'_>) -> bool {
    &*traits.control.tag == "textarea" || traits.has(Flag::Editable)
}

/// Whether a field evidently does no more than to find or to sift something.
fn only_finds(survey: &Survey<'_>, item: usize, traits: &Traits<'_>) -> bool {
    let attributes = &traits.control.attributes;
    let placeholder = attributes.placeholder.as_ref().map(|text| Words::of(text.untrusted()));
    let placeholder = placeholder.unwrap_or_default();
    let labels = [&traits.words, &placeholder];
    let acts = |words: &&Words| ACTS.hits(words).any(|hit| hit.value <= Meaning::Caution);
    if traits.secrecy.is_some() || is_of_several_lines(traits) || labels.iter().any(acts) {
        return false;
    }
    let finds = |words: &Words| words.len() <= LONGEST_LABEL && FINDS.is_in(words);
    let is_unnamed = survey.names.of_items[item].is_blank() && placeholder.is_empty();
    let known = [&attributes.id, &attributes.name].into_iter().flatten();
    let is_known = || known.into_iter().any(|text| finds(&Words::of_identifier(text.untrusted())));
    let mut around = survey.tree.around(traits.node).take(HIGHEST_CLIMB);
    traits.role == "searchbox"
        || kind_of(traits) == "search"
        || labels.into_iter().any(finds)
        || is_unnamed && is_known()
        || around.any(|node| survey.tree.kind(node) == GroupKind::Search)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_searches_are_told_from_others() {
        for name in [
            "Search",
            "Search products",
            "Produkt suchen",
            "Rechercher",
            "搜索",
            "Filter by name",
            "Поиск по сайту",
        ] {
            assert!(FINDS.is_in(&Words::of(name)), "{name}");
        }
        for name in ["Message Bob", "Research", "Searching for love", "Body", "Nachricht", "Filtered water"] {
            assert!(!FINDS.is_in(&Words::of(name)), "{name}");
        }
    }
}
