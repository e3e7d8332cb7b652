//! Words that tell what a control does, in plain letters (see [`super::super::fold`]). They add caution, never remove it.

use std::sync::LazyLock;

use super::super::words::Lexicon;

/// What a phrase on a control says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It may do what can't be undone.
    Danger,
    /// It may change something.
    Caution,
    /// The words look like one of the others, but mean something harmless.
    Harmless,
}

/// What controls say.
pub(super) static ACTS: LazyLock<Lexicon<Meaning>> = LazyLock::new(|| {
    Lexicon::of(&[(Meaning::Danger, DANGER), (Meaning::Caution, CAUTION), (Meaning::Harmless, HARMLESS)])
});

const DANGER: &[&str] = &[
    // Buying and paying.
    "pay|pay now|pay with|paypal|buy|buy now|buy it now|purchase|place order|place your order|place my order|place the order",
    "order now|submit order|submit your order|confirm order|complete order|complete purchase|complete payment",
    "complete booking|complete your order|complete your purchase|finish order|finalize|finalise|submit payment|make payment",
    "send payment|send money|authorize payment|authorise payment|confirm payment|order and pay|book now|confirm booking",
    "reserve now|place bid|bid now|donate|donate now|top up|subscribe and pay|start paid plan|charge card|rent now",
    // Giving away.
    "transfer|transfer funds|wire|withdraw|withdraw funds|refund|issue refund|redeem",
    // Making public, handing over.
    "publish|publish now|merge|merge pull request|deploy|release now|send|send now|send message|send email|post now|tweet",
    "sign contract|sign document|sign agreement|sign and submit|e sign|esign|sign and send|submit application",
    // Taking away.
    "delete|delete account|remove|erase|destroy|wipe|purge|drop database|empty trash|deactivate|terminate|revoke",
    "close account|close my account|cancel subscription|cancel my subscription|cancel membership|cancel plan",
    "cancel order|cancel booking|cancel reservation|cancel account|end subscription|factory reset|reset all|format disk",
    "discard|permanently|overwrite|shut down|shutdown",
    "confirm|i confirm|yes delete|yes remove|yes cancel",
    // German.
    "bezahlen|zahlen|jetzt bezahlen|jetzt zahlen|kaufen|jetzt kaufen|zahlungspflichtig bestellen|kostenpflichtig bestellen",
    "bestellen|jetzt bestellen|bestellung abschicken|bestellung aufgeben|bestellung abschliessen|kauf abschliessen",
    "jetzt buchen|kostenpflichtig buchen|spenden|uberweisen|ueberweisen|auszahlen|erstatten|ruckerstattung",
    "loschen|loesche|losche|loeschen|entfernen|vernichten|deaktivieren|konto schliessen|konto auflosen|kundigen|kuendigen",
    "stornieren|abo beenden|veroffentlichen|veroeffentlichen|zusammenfuhren|senden|absenden|abschicken|versenden",
    "bestatigen|bestaetigen|unterschreiben|unterzeichnen|widerrufen|endgultig",
    // French.
    "payer|payer maintenant|regler|acheter|acheter maintenant|commander|passer commande|passer la commande",
    "valider la commande|valider ma commande|confirmer la commande|valider le paiement|finaliser|reserver maintenant",
    "faire un don|virer|effectuer le virement|transferer|rembourser|supprimer|effacer|retirer|desactiver",
    "fermer le compte|resilier|annuler la commande|annuler l abonnement|publier|fusionner|envoyer|confirmer",
    "signer le contrat|definitivement",
    // Spanish.
    "pagar|pagar ahora|comprar|comprar ahora|realizar pedido|realizar el pedido|hacer pedido|finalizar compra",
    "finalizar pedido|tramitar pedido|confirmar pedido|confirmar compra|confirmar pago|reservar ahora|donar|transferir",
    "retirar fondos|reembolsar|eliminar|borrar|quitar|desactivar|cerrar cuenta|cancelar suscripcion|cancelar pedido",
    "darse de baja|publicar|fusionar|enviar|confirmar|firmar contrato",
    // Italian.
    "paga|paga ora|pagare|acquista|acquista ora|compra|compra ora|ordina|ordina ora|effettua ordine|invia ordine",
    "conferma ordine|completa ordine|completa acquisto|concludi ordine|prenota ora|dona|trasferisci|preleva|rimborsa",
    "elimina|cancella|rimuovi|disattiva|chiudi account|disdici|annulla abbonamento|annulla ordine|pubblica|unisci",
    "invia|conferma|firma contratto",
    // Dutch.
    "betalen|betaal|nu betalen|kopen|koop nu|nu kopen|bestelling plaatsen|plaats bestelling|bestelling afronden",
    "nu bestellen|nu boeken|doneren|overboeken|overmaken|terugbetalen|verwijderen|verwijder|wissen|deactiveren",
    "account sluiten|opzeggen|abonnement opzeggen|bestelling annuleren|publiceren|samenvoegen|verzenden|versturen",
    "verstuur|bevestigen|bevestig|ondertekenen|definitief",
    // Portuguese.
    "pague agora|comprar agora|fazer pedido|fechar pedido|enviar pedido|concluir compra|concluir pedido",
    "efetuar pagamento|reservar agora|doar|sacar|excluir|apagar|remover|desativar|encerrar conta|cancelar assinatura",
    "mesclar|assinar contrato",
    // Polish.
    "zaplac|zaplac teraz|kup|kup teraz|kupuje|kupuje i place|zamawiam|zamawiam i place|zamow|zloz zamowienie",
    "zamawiam z obowiazkiem zaplaty|potwierdz zamowienie|zarezerwuj teraz|przelej|wykonaj przelew|wyplac|zwroc srodki",
    "usun|skasuj|dezaktywuj|zamknij konto|zrezygnuj|anuluj subskrypcje|anuluj zamowienie|opublikuj|scal|wyslij",
    "potwierdz|podpisz umowe|na zawsze",
];

const CAUTION: &[&str] = &[
    "submit|save|save changes|checkout|check out|proceed to checkout|complete|apply|apply now|continue to payment",
    "log out|logout|sign out|signout|log off|unsubscribe|subscribe|create account|register|sign up|join now|upgrade",
    "downgrade|renew|enroll|accept|agree|i agree|agree and continue|accept terms|sign|post|share|invite|import|upload",
    "install|archive|block|report|disable|enable|reset|restore|rename|move|change plan|start free trial|free trial",
    "start trial|generate|approve|reject|decline|assign|close issue|cancel all|reply|comment|vote|follow|unfollow",
    "log out of all|order|book|reserve|add payment method|authorize|authorise|grant access|connect account|lock",
    "abmelden|ausloggen|speichern|einreichen|zur kasse|registrieren|konto erstellen|abonnieren|abbestellen|zustimmen",
    "akzeptieren|hochladen|genehmigen|ablehnen|teilen|sperren|anwenden|buchen|reservieren|freigeben|zurucksetzen",
    "se deconnecter|deconnexion|enregistrer|soumettre|s inscrire|creer un compte|s abonner|se desabonner|accepter",
    "telecharger un fichier|approuver|refuser|partager|reserver|valider|sauvegarder|reinitialiser",
    "cerrar sesion|guardar|registrarse|crear cuenta|suscribirse|aceptar|subir|aprobar|rechazar|compartir|reservar",
    "restablecer|esci|disconnetti|salva|registrati|crea account|iscriviti|accetta|carica|approva|rifiuta|condividi",
    "prenota|ripristina|uitloggen|afmelden|opslaan|indienen|registreren|account aanmaken|abonneren|accepteren",
    "uploaden|goedkeuren|afwijzen|delen|boeken|bestellen|afrekenen|sair|terminar sessao|salvar|guardar alteracoes",
    "cadastrar|criar conta|inscrever se|aceitar|carregar|aprovar|rejeitar|compartilhar|wyloguj|zapisz|zarejestruj sie",
    "utworz konto|subskrybuj|wypisz sie|akceptuj|przeslij|zatwierdz|odrzuc|udostepnij|zarezerwuj|przejdz do kasy",
];

const HARMLESS: &[&str] = &[
    "remove filter|remove filters|remove all filters|remove this filter|filter entfernen|alle filter entfernen",
    "supprimer le filtre|supprimer les filtres|effacer les filtres|eliminar filtro|eliminar filtros|borrar filtros",
    "quitar filtro|quitar filtros|rimuovi filtro|rimuovi filtri|cancella filtri|filter verwijderen|filters verwijderen",
    "filters wissen|remover filtro|remover filtros|usun filtr|usun filtry|reset filters|reset filter|apply filter",
    "apply filters|reset zoom|save for later|order by|sort order|order history|order status|order number|order details",
    "order summary|my order|your order|order tracking|track order|ordina per|sign in|sign in to|log in|buy again list",
    "pay attention|move up|move down|move to top|share of|read and agree|follow us|post office|block quote|move cursor",
    "book review|book club|book store|close|comment section|report a typo|send feedback link|how to pay|ways to pay",
    "how to buy|where to buy|buy and sell guide|file upload limits|reset view|confirm password|confirm email",
    "apply coupon code help|order confirmation|accept cookies|accept all cookies|accept all",
];

/// Names that only say "go on": what they do is written beside them.
pub(super) static VAGUE: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "ok|okay|yes|continue|proceed|next|submit|go|go ahead|do it|done|finish|i agree|agree|accept|apply|start|send",
            "ja|weiter|fortfahren|fertig|los|oui|continuer|suivant|valider|terminer|si|continuar|siguiente|aceptar|hecho",
            "continua|avanti|procedi|fatto|doorgaan|volgende|verder|klaar|sim|seguinte|proximo|avancar|tak|dalej|kontynuuj",
            "yes continue|yes i m sure|i m sure|sure|got it|confirm and continue",
        ],
    )])
});

/// Names that step back.
pub(super) static BACK: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "cancel|close|back|go back|no|no thanks|not now|dismiss|keep|never mind|nevermind|x|later|maybe later|keep it",
            "abbrechen|schliessen|zuruck|nein|nein danke|behalten|annuler|fermer|retour|non|non merci|cancelar|cerrar",
            "volver|atras|annulla|chiudi|indietro|no grazie|annuleren|sluiten|terug|nee|nee bedankt|fechar|voltar|nao",
            "anuluj|zamknij|wroc|wstecz|nie|nie teraz",
        ],
    )])
});

/// Words of a dialog that asks before something is done for good, and of texts beside such a control.
pub(super) static WARNINGS: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "are you sure|cannot be undone|can t be undone|can not be undone|irreversible|permanently|for good|you will be charged",
            "your card will be charged|will be billed|this action|please confirm|do you really want|do you want to delete",
            "sind sie sicher|bist du sicher|wirklich loschen|wirklich|nicht ruckgangig|unwiderruflich|endgultig",
            "etes vous sur|es tu sur|irreversible|definitivement|ne peut pas etre annulee|voulez vous vraiment",
            "estas seguro|esta seguro|no se puede deshacer|seguro que|irreversible|permanentemente",
            "sei sicuro|sicuro di|non puo essere annullata|irreversibile|definitivamente",
            "weet je zeker|weet u zeker|kan niet ongedaan|onomkeerbaar|tem certeza|tens a certeza|nao pode ser desfeita",
            "czy na pewno|jestes pewien|nie mozna cofnac|nieodwracalne|nieodwracalna",
        ],
    )])
});

/// Headings of forms that are about money.
pub(super) static MONEY: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "payment|billing|payment details|payment method|pay|credit card|checkout|zahlung|bezahlung|zahlungsart",
            "rechnung|paiement|facturation|pago|facturacion|pagamento|fatturazione|betaling|facturering|faturamento",
            "platnosc|platnosci|bank transfer|uberweisung|virement|transferencia|bonifico|przelew",
        ],
    )])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        ACTS.assert_plain_letters();
        [&VAGUE, &BACK, &WARNINGS, &MONEY].into_iter().for_each(|list| list.assert_plain_letters());
    }
}
