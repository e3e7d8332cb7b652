//! What a title says about a control whose own name says nothing, and titles that only mention the same words.

mod common;

use common::*;
use legwork_observe::capture::{Flag, GroupKind};
use legwork_types::contract::RiskLevel::{self, Caution, Danger, Safe};

/// The last but one control of a page under this heading, with a button that steps back after it.
fn under(heads: &'static str, el: El) -> RiskLevel {
    let below = boxed(vec![text("Please read on."), el, button("Back")]);
    let scene = page(vec![group(GroupKind::Main, vec![heading(1, heads), below]), link("Home")]).scene();
    scene.items[0].affordance.risk.level
}

#[test]
fn a_title_may_end_with_the_act() {
    for (heads, name) in [
        ("Konto löschen", "Weiter"),
        ("Mein Konto löschen?", "Weiter"),
        ("Abonnement kündigen", "OK"),
        ("Account verwijderen", "Doorgaan"),
        ("Abonnement opzeggen", "Verder"),
        ("Hesabı sil", "Devam"),
        ("Hesabımı sil", "Tamam"),
        ("アカウントを削除", "次へ"),
        ("アカウント 削除", "次へ"),
        ("계정 삭제", "다음"),
        ("구독 해지", "확인"),
        ("खाता हटाएं", "आगे"),
    ] {
        assert_eq!(under(heads, button(name)), Danger, "{heads}");
    }
    for (heads, name) in [
        ("Konto einrichten", "Weiter"),
        ("Abonnement wählen", "OK"),
        ("Account aanmaken", "Doorgaan"),
        ("Hesabım", "Devam"),
        ("アカウントを作成", "次へ"),
        ("계정 설정", "다음"),
        ("खाता", "आगे"),
        ("Wie Sie kündigen", "Weiter"),
        ("Comment payer", "Suivant"),
        ("Books to buy", "Next"),
        ("Was Sie wissen sollten, bevor Sie kündigen", "Weiter"),
    ] {
        assert_eq!(under(heads, button(name)), Safe, "{heads}");
    }
}

#[test]
fn a_title_may_name_the_act_by_a_noun() {
    for heads in [
        "Account deletion",
        "Deletion of your account",
        "Order cancellation",
        "Subscription cancellation",
        "Payment",
        "Payment: €1,250.00",
        "Your purchase",
        "Bank transfer",
        "Kontolöschung",
        "Löschung Ihres Kontos",
        "Kündigung",
        "Suppression du compte",
        "Résiliation",
        "Eliminación de la cuenta",
        "Cancellazione account",
        "Betaling",
        "Exclusão da conta",
        "Usunięcie konta",
        "Удаление аккаунта",
        "Hesap silme",
    ] {
        assert_eq!(under(heads, button("Continue")), Danger, "{heads}");
    }
    for heads in [
        "Order status",
        "Payment methods accepted",
        "Deletion policy",
        "Cancellation policy",
        "Free cancellation",
        "Payment successful",
        "About account deletion",
        "Zahlungsarten",
        "Löschkonzept",
        "Kostenlose Stornierung",
        "Annulation gratuite",
        "결제 수단",
        "How to delete cookies",
    ] {
        assert_eq!(under(heads, button("Next")), Safe, "{heads}");
    }
    assert_eq!(under("Payment methods accepted", button("More")), Safe);
    for heads in ["Deletion policy", "Account deletion"] {
        let reading = link("Continue reading").set(|a| a.href = Some("/articles/5".into()));
        assert_eq!(under(heads, reading), Safe, "{heads}");
    }
}

#[test]
fn a_title_may_say_what_will_be_done() {
    for heads in [
        "Your account will be deleted",
        "Your files will be permanently deleted",
        "Your card ending in 4242 will be charged",
        "Your subscription will be cancelled today",
        "You'll be charged $5",
        "You are about to delete three files",
        "Ihr Konto wird gelöscht",
        "Der Betrag wird sofort abgebucht",
        "Votre compte sera supprimé",
        "Votre carte sera débitée",
        "Su cuenta será eliminada",
        "Il tuo account verrà eliminato",
        "Je account wordt verwijderd",
        "Sua conta será excluída",
        "Twoje konto zostanie usunięte",
        "Ваш аккаунт будет удалён",
        "Hesabınız silinecek",
    ] {
        assert_eq!(under(heads, button("Continue")), Danger, "{heads}");
        let said = page(vec![boxed(vec![text(heads), button("Continue")]), text("Far away")]).scene();
        assert_eq!(level(&said, "Continue"), Danger, "{heads}");
    }
    for heads in [
        "Your account will be ready",
        "Nothing will be deleted",
        "How your data will be stored",
        "When late orders will be cancelled",
        "Ihr Konto wird eingerichtet",
        "Votre compte sera créé",
        "Je account wordt aangemaakt",
    ] {
        assert_eq!(under(heads, button("Continue")), Safe, "{heads}");
    }
}

#[test]
fn a_dialog_and_a_form_take_their_titles_alike() {
    let asked = |title: &'static str| {
        let dialog = group(GroupKind::Modal, vec![text("One moment."), button("Continue"), button("Cancel")]);
        let scene = page(vec![group(GroupKind::Main, vec![link("a")]), dialog.named(title)]).scene();
        (level(&scene, "Continue"), level(&scene, "Cancel"))
    };
    assert_eq!(asked("Account deletion"), (Danger, Safe));
    assert_eq!(asked("Your account will be deleted"), (Danger, Safe));
    assert_eq!(asked("Account settings"), (Safe, Safe));
    let sent = |legend: &'static str| {
        let form = vec![heading(2, legend), field("Reason").form(0), submit("Weiter", 0)];
        level(&page(vec![group(GroupKind::Form, form).form(0)]).form("post", "/x").scene(), "Weiter")
    };
    assert_eq!((sent("Konto löschen"), sent("Konto einrichten")), (Danger, Caution));
}

#[test]
fn a_control_without_a_name_does_what_the_title_says() {
    let known = |id: &'static str| button("").set(|a| a.id = Some(id.into()));
    for heads in ["Delete account?", "Konto löschen", "Account deletion"] {
        for el in [button(""), button("→"), button("✓"), button("icon"), known("b5"), clickable(vec![])] {
            assert_eq!(under(heads, el.clone()), Danger, "{heads}: {el:?}");
        }
        // What closes or opens something, as far as can be seen, or leads elsewhere.
        for el in [button("×"), button("✕"), known("dialog-close"), button("").flag(Flag::Popup)] {
            assert_eq!(under(heads, el.clone()), Caution, "{heads}: {el:?}");
        }
        assert_eq!(under(heads, button("Close")), Safe, "{heads}");
        let away = link("").set(|a| a.href = Some("/why".into()));
        assert_eq!(under(heads, away), Safe, "{heads}");
        // A sign makes nothing harmless that sends a form.
        assert_eq!(under(heads, button("×").flag(Flag::Submits)), Danger, "{heads}");
    }
    for heads in ["Tell us about you", "Order status", "Deletion policy"] {
        for el in [button("→"), button("×"), known("dialog-close")] {
            assert_eq!(under(heads, el.clone()), Safe, "{heads}: {el:?}");
        }
        // Nobody knows what it does, but nothing says that it is grave.
        assert_eq!(under(heads, button("")), Caution, "{heads}");
    }
}

#[test]
fn a_sign_that_closes_a_dialog_is_no_answer_to_it() {
    let corner = |title: &'static str, el: El| {
        let dialog = group(GroupKind::Modal, vec![el, text("One moment."), button("Yes")]).named(title);
        let scene = page(vec![dialog, group(GroupKind::Main, vec![link("a")])]).scene();
        scene.items[0].affordance.risk.level
    };
    assert_eq!(corner("Delete file?", button("×")), Caution);
    assert_eq!(corner("Delete file?", button("").hint("btn-close")), Caution);
    assert_eq!(corner("Delete file?", button("")), Danger);
    assert_eq!(corner("Delete file?", button("").hint("icon-trash close")), Danger);
    assert_eq!(corner("Choose a size", button("×")), Safe);
}
