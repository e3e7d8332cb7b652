//! Words that tell what a control does, in plain letters (see [`crate::fold`]). They add caution, never remove it.

use std::sync::LazyLock;

use super::{super::words::Lexicon, foreign};

/// What a phrase on a control says, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// It may do what can't be undone.
    Danger,
    /// The same on a button; on a link the word is the name of a place ("Trash"), or of another language.
    DangerOnButton,
    /// It may change something.
    Caution,
    /// The words look like one of the others, but mean something harmless.
    Harmless,
}

/// What controls say.
pub(super) static ACTS: LazyLock<Lexicon<Meaning>> = LazyLock::new(|| {
    Lexicon::of(&[
        (Meaning::Danger, DANGER),
        (Meaning::Danger, foreign::DANGER),
        (Meaning::DangerOnButton, DANGER_ON_BUTTON),
        (Meaning::DangerOnButton, foreign::DANGER_ON_BUTTON),
        (Meaning::Caution, CAUTION),
        (Meaning::Caution, foreign::CAUTION),
        (Meaning::Harmless, HARMLESS),
        (Meaning::Harmless, foreign::HARMLESS),
    ])
    .allowing(FILLERS)
});

/// Whose it is, and how much of it: "cancel *my* order", "delete *all these* files".
const FILLERS: &[&str] = &[
    "my your our their his her its the this that these those a an all any every selected current entire whole",
    "mein meine meinen meiner dein deine deinen ihr ihre ihren unser unsere der die das den dem diese dieses diesen alle alles ein eine einen",
    "le la les l mon ma mes votre vos ton ta tes notre ce cet cette ces tout tous toute toutes un une",
    "el los las mi mis tu tus su sus este esta estos estas todo todos todas una",
    "il lo i gli mio mia miei tuo tua tuoi suo sua questo questa tutti tutte tutto",
    "de het mijn je jouw uw deze dit o os as meu minha meus seu sua",
    "moje moj moja twoje twoj swoje wszystkie ten min mitt mina din ditt dina denna mit dit denne bu мой мою моё мои ваш ваше этот все всё",
];

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
    "discard|permanently|overwrite|shut down|shutdown|uninstall|unpublish|force push|clear data|clear site data|clear history",
    "empty basket|empty cart|empty bag|empty bin|clear basket|clear cart|move to trash|move to bin|move to the trash",
    "move to the bin|send to trash|cancel orders|cancel trip|cancel policy|cancel contract|cancel appointment|delete forever",
    // Settling.
    "release funds|release payment|execute trade|execute order|place trade|mark as paid|charge now|sell now|sell all",
    "place a bid|pay in full|pay later|confirm purchase|confirm and pay|complete checkout|buy with 1 click",
    "confirm|i confirm|yes delete|yes remove|yes cancel",
    // German.
    "zahle|bezahle|kaufe|bestelle|losche|kostenpflichtig abschliessen|zahlungspflichtig abschliessen|zahlungspflichtig buchen",
    "verkaufen|in den papierkorb|papierkorb leeren|warenkorb leeren|deinstallieren|bestellung stornieren|vertrag kundigen",
    "bezahlen|zahlen|jetzt bezahlen|jetzt zahlen|kaufen|jetzt kaufen|zahlungspflichtig bestellen|kostenpflichtig bestellen",
    "bestellen|jetzt bestellen|bestellung abschicken|bestellung aufgeben|bestellung abschliessen|kauf abschliessen",
    "jetzt buchen|kostenpflichtig buchen|spenden|uberweisen|ueberweisen|auszahlen|erstatten|ruckerstattung",
    "loschen|loesche|loeschen|entfernen|vernichten|deaktivieren|konto schliessen|konto auflosen|kundigen|kuendigen",
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

/// Words that command on a button. A link with the same word mostly leads to the place where it is done.
const DANGER_ON_BUTTON: &[&str] = &["sell|trash|charge|send us|bin it"];

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

pub(super) const HARMLESS: &[&str] = &[
    "remove filter|remove filters|remove all filters|remove this filter|filter entfernen|alle filter entfernen",
    "supprimer le filtre|supprimer les filtres|effacer les filtres|eliminar filtro|eliminar filtros|borrar filtros",
    "quitar filtro|quitar filtros|rimuovi filtro|rimuovi filtri|cancella filtri|filter verwijderen|filters verwijderen",
    "filters wissen|remover filtro|remover filtros|usun filtr|usun filtry|reset filters|reset filter|apply filter",
    "apply filters|reset zoom|save for later|order by|sort order|order history|order status|order number|order details",
    "order summary|my order|your order|order tracking|track order|ordina per|sign in|sign in to|log in|buy again list",
    "pay attention|move up|move down|move to top|share of|read and agree|follow us|post office|block quote|move cursor",
    "book review|book club|book store|close|comment section|report a typo|send feedback link|how to pay|ways to pay",
    "how to buy|where to buy|buy and sell guide|file upload limits|reset view|confirm password|confirm email",
    "free of charge|no charge|extra charge|delivery charge|service charge|charge level|transfer news|transfer window",
    "transfer rumours|transfer rumors|transfer deadline|remove background|cancel anytime|sell on|sell with us",
    "apply coupon code help|order confirmation|accept cookies|accept all cookies|accept all",
];

/// Names that only say "go on": what they do is written beside them.
pub(super) static VAGUE: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of(&[((), PLAIN_VAGUE), ((), foreign::VAGUE)]));

const PLAIN_VAGUE: &[&str] = &[
    "ok|okay|yes|continue|proceed|next|submit|go|go ahead|do it|done|finish|i agree|agree|accept|apply|start|send",
    "ja|weiter|fortfahren|fertig|los|oui|continuer|suivant|valider|terminer|si|continuar|siguiente|aceptar|hecho",
    "continua|avanti|procedi|fatto|doorgaan|volgende|verder|klaar|sim|seguinte|proximo|avancar|tak|dalej|kontynuuj",
    "yes continue|yes i m sure|i m sure|sure|got it|confirm and continue",
];

/// Names that step back.
pub(super) static BACK: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of(&[((), PLAIN_BACK), ((), foreign::BACK)]));

const PLAIN_BACK: &[&str] = &[
    "cancel|close|back|go back|no|no thanks|not now|dismiss|keep|never mind|nevermind|x|later|maybe later|keep it",
    "abbrechen|schliessen|zuruck|nein|nein danke|behalten|annuler|fermer|retour|non|non merci|cancelar|cerrar",
    "volver|atras|annulla|chiudi|indietro|no grazie|annuleren|sluiten|terug|nee|nee bedankt|fechar|voltar|nao",
    "anuluj|zamknij|wroc|wstecz|nie|nie teraz",
];

/// Words of a dialog that asks before something is done for good, and of texts beside such a control.
pub(super) static WARNINGS: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of(&[((), PLAIN_WARNINGS), ((), foreign::WARNINGS)]));

const PLAIN_WARNINGS: &[&str] = &[
    "are you sure|cannot be undone|can t be undone|can not be undone|irreversible|permanently|for good|you will be charged",
    "your card will be charged|will be billed|this action|please confirm|do you really want|do you want to delete",
    "sind sie sicher|bist du sicher|wirklich loschen|wirklich|nicht ruckgangig|unwiderruflich|endgultig",
    "etes vous sur|es tu sur|irreversible|definitivement|ne peut pas etre annulee|voulez vous vraiment",
    "estas seguro|esta seguro|no se puede deshacer|seguro que|irreversible|permanentemente",
    "sei sicuro|sicuro di|non puo essere annullata|irreversibile|definitivamente",
    "weet je zeker|weet u zeker|kan niet ongedaan|onomkeerbaar|tem certeza|tens a certeza|nao pode ser desfeita",
    "czy na pewno|jestes pewien|nie mozna cofnac|nieodwracalne|nieodwracalna",
];

/// Headings of forms that are about money.
pub(super) static MONEY: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of(&[((), PLAIN_MONEY), ((), foreign::MONEY)]));

const PLAIN_MONEY: &[&str] = &[
    "payment|billing|payment details|payment method|pay|credit card|checkout|zahlung|bezahlung|zahlungsart",
    "rechnung|paiement|facturation|pago|facturacion|pagamento|fatturazione|betaling|facturering|faturamento",
    "platnosc|platnosci|bank transfer|uberweisung|virement|transferencia|bonifico|przelew",
];

/// First words of controls in a form that show something, step aside or change what is asked, and send nothing.
pub(super) static ASIDE: LazyLock<Lexicon<()>> = LazyLock::new(|| Lexicon::of(&[((), PLAIN_ASIDE)]));

const PLAIN_ASIDE: &[&str] = &[
    "show|hide|view|see|help|info|information|details|more|less|learn|what|what s|why|how|where|about|back|go back|cancel|close",
    "previous|prev|edit|change|clear|reset|toggle|expand|collapse|open|select|choose|browse|scan|copy|print|preview|add",
    "increase|decrease|plus|minus|today|calendar|search|find|refresh|generate|apply coupon|apply code|apply voucher|apply promo",
    "apply discount|terms|privacy|forgot|skip to|chat|contact|need help|powered by|security|faq",
    "anzeigen|zeige|ausblenden|hilfe|andern|bearbeiten|was|mehr|zuruck|abbrechen|schliessen|wahlen|suchen|hinzufugen",
    "afficher|masquer|aide|modifier|retour|annuler|fermer|choisir|ajouter|mostrar|ocultar|ayuda|ajuda|editar|volver|cancelar",
    "cerrar|elegir|anadir|mostra|nascondi|aiuto|modifica|indietro|annulla|chiudi|scegli|aggiungi|tonen|verbergen|hulp|wijzigen",
    "terug|annuleren|sluiten|kiezen|toevoegen|fechar|voltar|adicionar|pokaz|ukryj|pomoc|edytuj|wroc|anuluj|zamknij|wybierz|dodaj",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        for list in [
            DANGER,
            DANGER_ON_BUTTON,
            CAUTION,
            HARMLESS,
            PLAIN_VAGUE,
            PLAIN_BACK,
            PLAIN_WARNINGS,
            PLAIN_MONEY,
            PLAIN_ASIDE,
        ] {
            let list: &'static [&'static str] = list;
            Lexicon::of(&[((), list)]).assert_plain_letters();
        }
    }
}
