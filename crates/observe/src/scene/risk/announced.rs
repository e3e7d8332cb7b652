//! Words of titles that announce a grave act without commanding it: "Account deletion", "Your account will be deleted".

use std::sync::LazyLock;

use super::{
    super::words::Lexicon,
    foreign,
    lists::{HARMLESS, Meaning},
};

/// What will be done to the reader's own: it names the act wherever it stands.
pub(super) static TO_BE_DONE: LazyLock<Lexicon<()>> =
    LazyLock::new(|| Lexicon::of(&[((), PLAIN_TO_BE_DONE), ((), FOREIGN_TO_BE_DONE)]).allowing(AT_ONCE));

/// How and when it is done: "will be *permanently* deleted".
const AT_ONCE: &[&str] = &[
    "permanently immediately automatically now then soon also irrevocably",
    "endgultig dauerhaft sofort automatisch jetzt dann unwiderruflich anschliessend",
    "definitivement automatiquement immediatement definitivamente permanentemente automaticamente inmediatamente",
    "imediatamente immediatamente permanent definitief direct trwale natychmiast automatycznie навсегда безвозвратно",
];

const PLAIN_TO_BE_DONE: &[&str] = &[
    "will be deleted|will be removed|will be erased|will be wiped|will be destroyed|will be cancelled|will be canceled",
    "will be charged|will be billed|will be debited|will be terminated|will be deactivated|will be published|account will be closed",
    "changes will be lost|data will be lost|money will be transferred|funds will be transferred|amount will be transferred",
    "ll be charged|ll be billed|is going to be deleted|are going to be deleted|going to be charged",
    "about to delete|about to pay|about to buy|about to cancel|about to send|about to publish|about to transfer|about to remove",
    "ready to pay|ready to buy|ready to order|ready to delete|want to delete|want to cancel|want to remove",
    // German.
    "wird geloscht|werden geloscht|wird geloescht|werden geloescht|wird entfernt|werden entfernt|wird abgebucht|werden abgebucht",
    "wird belastet|wird eingezogen|wird gekundigt|wird storniert|werden storniert|wird uberwiesen|wird veroffentlicht|wird deaktiviert",
    // French.
    "sera supprime|sera supprimee|seront supprimes|seront supprimees|sera efface|sera effacee|seront effacees|seront effaces",
    "sera debite|sera debitee|serez debite|sera preleve|sera prelevee|sera facture|sera annule|sera annulee|sera resilie|sera resiliee",
    "sera desactive|sera publie|sera publiee",
    // Spanish.
    "sera eliminado|sera eliminada|seran eliminados|seran eliminadas|se eliminara|se eliminaran|sera borrado|sera borrada|se borrara",
    "se borraran|sera cobrado|se cobrara|se le cobrara|se te cobrara|se cancelara|se cargara en su|se cargara en tu|se cargara a su",
    // Italian.
    "sara eliminato|sara eliminata|saranno eliminati|saranno eliminate|verra eliminato|verra eliminata|verranno eliminati",
    "sara cancellato|sara cancellata|verra cancellato|verra cancellata|sara addebitato|verra addebitato|ti verra addebitato",
    // Dutch.
    "wordt verwijderd|worden verwijderd|wordt gewist|worden gewist|wordt afgeschreven|wordt opgezegd|wordt geannuleerd",
    "in rekening gebracht",
    // Portuguese, and what it shares with Spanish.
    "sera excluido|sera excluida|serao excluidos|serao excluidas|sera apagado|sera apagada|sera removido|sera removida",
    "sera cobrada|sera debitado|sera cancelado|sera cancelada",
    // Polish.
    "zostanie usuniete|zostanie usuniety|zostanie usunieta|zostana usuniete|zostanie skasowane|zostanie obciazona|zostanie obciazone",
    "zostanie anulowane|zostanie anulowana|zostanie pobrana",
];

const FOREIGN_TO_BE_DONE: &[&str] = &[
    "将被删除|將被刪除|将被注销|将被扣款|将扣款|削除されます|解約されます|請求されます|課金されます|삭제됩니다|해지됩니다|청구됩니다|결제됩니다",
    "จะถูกลบ|จะถูกเรียกเก็บเงิน|будет удален|будет удалён|будет удалена|будет удалено|будут удалены|будет списана|будут списаны",
    "будет отменена|будет отменен|будет отменён|буде видалено|будуть видалені|буде списано|θα διαγραφεί|θα διαγραφούν|θα χρεωθεί|θα χρεωθείτε",
    "سيتم حذف|سيتم خصم|سيتم إلغاء|יימחק|תימחק|יימחקו|יחויב|हटा दिया जाएगा|हटा दी जाएगी|silinecek|silinecektir|tahsil edilecek|iptal edilecek",
    "kommer att raderas|kommer att tas bort|kommer att debiteras|vil bli slettet|blir slettet|vil bli belastet|vil blive slettet|bliver slettet",
    "vil blive opkrævet|poistetaan|veloitetaan|bude smazán|bude smazána|budou smazány|bude odstraněn|bude stržena|törlésre kerül|törlődik",
    "va fi șters|vor fi șterse|va fi debitat|sẽ bị xóa|sẽ bị xoá|sẽ bị trừ|akan dihapus|akan ditagih|akan didebit",
];

/// Nouns of grave acts. Each is the matter of many a page too, so where it stands tells whether it names what is done.
pub(super) static DEEDS: LazyLock<Lexicon<Meaning>> = LazyLock::new(|| {
    Lexicon::of(&[
        (Meaning::Danger, PLAIN_DEEDS),
        (Meaning::Danger, FOREIGN_DEEDS),
        (Meaning::Harmless, HARMLESS),
        (Meaning::Harmless, foreign::HARMLESS),
    ])
});

const PLAIN_DEEDS: &[&str] = &[
    "deletion|erasure|cancellation|cancelation|termination|deactivation|account closure|account removal|data removal",
    "payment|purchase|transfer|withdrawal|refund|donation",
    // German.
    "loschung|loeschung|kontoloschung|datenloschung|kundigung|kuendigung|kontokundigung|abokundigung|vertragskundigung|stornierung",
    "zahlung|bezahlung|uberweisung|ueberweisung|abbuchung|auszahlung|kauf|deaktivierung|spende",
    // French.
    "suppression|suppression compte|resiliation|annulation|paiement|achat|virement|desactivation|remboursement",
    // Spanish.
    "eliminacion|borrado|cancelacion|pago|compra|transferencia|desactivacion|reembolso|donacion",
    // Italian.
    "eliminazione|eliminazione account|cancellazione|cancellazione account|pagamento|acquisto|bonifico|trasferimento|disdetta|prelievo|disattivazione|rimborso",
    // Dutch.
    "verwijdering|annulering|betaling|aankoop|overboeking|opzegging|beeindiging|terugbetaling",
    // Portuguese, what it does not share with the others.
    "exclusao|cancelamento|remocao|desativacao",
    // Polish, where the noun needs no "of".
    "usuniecie|usuwanie|usuniecie konta|usuwanie konta|anulowanie|anulowanie subskrypcji|anulowanie zamowienia|platnosc|zakup|przelew|wyplata",
];

const FOREIGN_DEEDS: &[&str] = &[
    "注销|支付|付款|扣款|购买|購買|退款|解約|退会|支払い|購入|決済|返金|탈퇴|해지|결제|구매|이체|환불|ชำระเงิน",
    "удаление|удаление аккаунта|удаление учетной записи|удаление профиля|отмена подписки|отмена заказа|оплата|покупка|перевод средств",
    "видалення|видалення акаунта|видалення облікового запису|оплата|скасування підписки|πληρωμή|ακύρωση συνδρομής|ακύρωση παραγγελίας",
    "إلغاء الحساب|الدفع|תשלום|ביטול מנוי|מחיקת חשבון|भुगतान|sil|silme|hesap silme|ödeme|satın alma|kapatma|iptali|para transferi",
    "radering|kontoradering|uppsägning|betalning|köp|överföring|sletting|oppsigelse|overføring|sletning|opsigelse|overførsel|køb|kjøp",
    "poisto|poistaminen|maksu|osto|tilisiirto|smazání|smazání účtu|zrušení účtu|zrušení předplatného|platba|nákup|törlése|lemondása|fizetés",
    "ștergerea contului|plată|anularea abonamentului|xóa tài khoản|thanh toán|penghapusan|penghapusan akun|pembayaran|pembelian",
];

/// What follows a noun that has its object behind it: "Deletion *of* your account".
pub(super) static OF: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "of|for|von|vom|der|des|ihres|ihrer|deines|deiner|meines|meiner|eines|einer|fur|de|du|des|d|del|di|della|dello|dell|dei",
            "van|voor|do|da|dos|das|av|af",
        ],
    )])
});

/// Words before an act that make a title speak about it: a guide, a question that it answers, a promise that it costs nothing.
pub(super) static ABOUT: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    Lexicon::of(&[(
        (),
        &[
            "how|why|what|when|where|who|which|about|before|after|without|to|never|nothing|no|free|track|guide|tips|airport",
            "wie|warum|was|wann|wo|wer|uber|vor|nach|ohne|nichts|kein|keine|kostenlose|kostenfreie",
            "comment|pourquoi|quand|ou|avant|apres|sans|rien|aucun|aucune|como|por que|cuando|donde|antes|despues|sin|nada|gratis",
            "come|perche|quando|dove|prima|dopo|senza|niente|hoe|waarom|wanneer|waar|voor|na|zonder|niets|geen|gratis",
            "onde|depois|sem|jak|dlaczego|kiedy|gdzie|przed|po|bez|nic|hur|varfor|hvordan|hvorfor|miten|miksi|nasil|neden|hogyan|cum",
            "как|почему|зачем|когда|где|що|чому|як|πώς|γιατί|كيف|لماذا|איך|למה|कैसे|bagaimana|cara",
        ],
    )])
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        for list in [PLAIN_TO_BE_DONE, PLAIN_DEEDS] {
            let list: &'static [&'static str] = list;
            Lexicon::of(&[((), list)]).assert_plain_letters();
        }
    }
}
