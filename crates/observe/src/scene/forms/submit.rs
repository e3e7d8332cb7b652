//! Which control sends a form.

use std::{cmp::Reverse, sync::LazyLock};

use super::{
    super::{
        roles::Use,
        sensitive::Secrecy,
        survey::{Survey, Traits},
        words::Lexicon,
    },
    FormDraft, is_button,
};
use crate::capture::Flag;

/// How many controls after a form are looked at for what sends it.
const MOST_BEHIND: usize = 3;

/// What a control is to its form, by its words. The later, the likelier it sends the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// It goes back, shows something, or deals with a part of what was entered.
    Aside,
    /// It is another way on.
    Other,
    /// It may be what the form is for.
    Main,
}

/// What sends the form: of the controls that submit the last one behind the fields, unless its words say that it does
/// something else. Where there is no form element, the first such button behind the fields.
pub(super) fn submit(
    survey: &Survey<'_>,
    draft: &FormDraft<'_>,
    of_items: &[Option<usize>],
) -> Option<usize> {
    let form = Candidates::of(survey, draft);
    let items = || draft.items.iter().copied();
    if draft.facts.is_none() {
        return form.first_behind_fields(items().filter(|&item| is_button(&survey.traits[item])));
    }
    let submits = |item: &usize| {
        let traits = &survey.traits[*item];
        traits.has(Flag::Submits) && traits.usage == Use::Press
    };
    let by_flag = items().filter(submits).max_by_key(|&item| (form.standing(item), item));
    match by_flag {
        Some(item) if form.part(item) > Part::Aside => Some(item),
        _ => form.stand_in(of_items).or(by_flag),
    }
}

struct Candidates<'c, 'a> {
    survey: &'c Survey<'a>,
    draft: &'c FormDraft<'a>,
    /// Whether the form is for those who are members already.
    is_for_members: bool,
}

impl<'c, 'a> Candidates<'c, 'a> {
    fn of(survey: &'c Survey<'a>, draft: &'c FormDraft<'a>) -> Self {
        let count = |wanted| draft.count(survey, |secrecy| secrecy == wanted);
        let is_for_members = count(Secrecy::Password) == 1 && count(Secrecy::NewPassword) == 0;
        Self { survey, draft, is_for_members }
    }

    fn part(&self, item: usize) -> Part {
        let words = &self.survey.traits[item].words;
        let says = |list: &Lexicon<()>| list.hits(words).any(|hit| hit.at == 0);
        let ends = |list: &Lexicon<()>| list.hits(words).any(|hit| hit.at + hit.len == words.len());
        if says(&ASIDE) || ends(&ASIDE_AT_THE_END) {
            Part::Aside
        } else if words.is_empty()
            || says(&OTHER)
            || OTHER_ANYWHERE.is_in(words)
            || self.is_for_members && says(&JOIN)
        {
            Part::Other
        } else {
            Part::Main
        }
    }

    fn is_behind_fields(&self, item: usize) -> bool {
        self.draft.fields.last().is_none_or(|&last| item > last)
    }

    /// What counts before the order of the page.
    fn standing(&self, item: usize) -> (Part, bool, bool, bool) {
        let traits = &self.survey.traits[item];
        (self.part(item), traits.visible, !traits.has(Flag::Disabled), self.is_behind_fields(item))
    }

    /// Behind the fields the nearest one, before them too.
    fn first_behind_fields(&self, items: impl Iterator<Item = usize>) -> Option<usize> {
        items.max_by_key(|&item| {
            let behind = self.is_behind_fields(item);
            (self.standing(item), behind.then_some(Reverse(item)), item)
        })
    }

    /// What script makes send a form with secrets: a button, something clickable or a link that leads nowhere, in the form or
    /// right behind it.
    fn stand_in(&self, of_items: &[Option<usize>]) -> Option<usize> {
        let is_worth_it =
            |secrecy| matches!(secrecy, Secrecy::Password | Secrecy::NewPassword | Secrecy::Payment);
        if self.draft.count(self.survey, is_worth_it) == 0 {
            return None;
        }
        let tree = &self.survey.tree;
        let (&first, &last) = (self.draft.items.first()?, self.draft.items.last()?);
        let own = of_items[first];
        let inside = self.draft.node.map_or(first..last + 1, |node| tree.items_within(node));
        let end = inside.end.max(last + 1);
        let behind = (end..self.survey.traits.len()).take(MOST_BEHIND).take_while(|&item| {
            let traits = &self.survey.traits[item];
            !traits.usage.is_field() && of_items[item].is_none()
        });
        let may_send = |item: &usize| {
            let traits = &self.survey.traits[*item];
            let is_free = of_items[*item].is_none_or(|form| Some(form) == own);
            is_free && acts_by_script(traits) && self.part(*item) > Part::Aside
        };
        self.first_behind_fields(inside.filter(may_send))
            .or_else(|| self.first_behind_fields(behind.filter(may_send)))
    }
}

fn acts_by_script(traits: &Traits<'_>) -> bool {
    let leads_nowhere = || {
        let href = traits.control.attributes.href.as_ref().map_or("", |href| href.untrusted().trim());
        let scheme = "javascript:";
        matches!(href, "" | "#" | "#!")
            || href.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    match &*traits.role {
        "button" => true,
        "clickable" | "img" => !traits.words.is_empty(),
        "link" => !traits.words.is_empty() && leads_nowhere(),
        _ => false,
    }
}

fn list(phrases: &'static [&'static str]) -> Lexicon<()> {
    Lexicon::of(&[((), phrases)])
}

/// Commands that begin so.
static ASIDE: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    list(&[
        "back|go back|return|cancel|previous|prev|previous step|close|dismiss|menu|open menu|help|forgot|forgotten|lost password",
        "show|hide|toggle|reveal|view|see|display|edit|change|remove|delete|clear|reset|undo|empty cart|minus|plus|increase",
        "decrease|add another|add a|add promo|add coupon|add gift|apply coupon|apply code|apply voucher|apply discount",
        "apply promo|apply promo code|apply gift|apply gift card|redeem|use coupon|voice search|search by voice|search by image",
        "resend|send again|send code again|send me a new code|paste|copy|scan card|scan|browse|choose file|upload",
        "zuruck|abbrechen|schliessen|loschen|entfernen|anzeigen|verbergen|einblenden|ausblenden|hilfe|gutschein",
        "retour|annuler|fermer|precedent|afficher|masquer|supprimer|retirer|effacer|appliquer|aide",
        "atras|volver|cancelar|cerrar|anterior|mostrar|ocultar|eliminar|quitar|borrar|aplicar|ayuda",
        "indietro|annulla|chiudi|precedente|mostra|nascondi|rimuovi|elimina|cancella|applica|aiuto",
        "terug|annuleren|sluiten|vorige|toon|tonen|verberg|verwijder|verwijderen|wissen|toepassen",
        "voltar|fechar|esconder|remover|excluir|limpar|ajuda|wroc|wstecz|anuluj|zamknij|pokaz|ukryj|usun|wyczysc|zastosuj",
    ])
});

/// Commands that end so, in languages that put the verb last.
static ASIDE_AT_THE_END: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    list(&[
        "anzeigen|verbergen|einblenden|ausblenden|entfernen|loschen|abbrechen|einlosen|vergessen|zurucksetzen|leeren",
        "tonen|verbergen|verwijderen|wissen|annuleren|vergeten|oublie|olvidada|dimenticata",
    ])
});

/// Further ways on that begin so.
static OTHER: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    list(&[
        "apply|save draft|save as draft|save for later|preview|skip|not now|later|update cart|update basket|update quantity",
        "update|recalculate|calculate|estimate|continue shopping|keep shopping|subscribe|print|export|anwenden|entwurf speichern",
        "uberspringen|aktualisieren|weiter einkaufen|mettre a jour|passer|continuer mes achats|actualizar|omitir",
        "seguir comprando|aggiorna|salta|continua gli acquisti|bijwerken|overslaan|verder winkelen|atualizar|pular",
        "aktualizuj|pomin|kontynuuj zakupy",
    ])
});

/// Further ways on, wherever the words stand: somebody else's account instead of one here.
static OTHER_ANYWHERE: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    list(&[
        "with google|with apple|with facebook|with microsoft|with github|with linkedin|with twitter|with x|with amazon",
        "with paypal|with sso|with a passkey|with passkey|with single sign on|with qr code|mit google|mit apple|mit facebook",
        "avec google|avec apple|avec facebook|con google|con apple|con facebook|met google|met apple|com google|com apple",
        "com o google|com facebook|przez google|z google|as a guest|as guest|passkey",
    ])
});

static JOIN: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    list(&[
        "sign up|signup|register|create account|create an account|create a new account|create new account|join|new here",
        "registrieren|konto erstellen|neues konto|s inscrire|creer un compte|inscription|registrarse|registrate|crear cuenta",
        "registrati|iscriviti|crea account|registreren|account aanmaken|cadastrar|criar conta|registar|zarejestruj|zaloz konto",
    ])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        for list in [&ASIDE, &ASIDE_AT_THE_END, &OTHER, &OTHER_ANYWHERE, &JOIN] {
            list.assert_plain_letters();
        }
    }
}
