//! Words, pictures and addresses that tell of harm in many languages, and their benign twins.

mod common;

use common::*;
use legwork_observe::{Boundary, Look};
use legwork_types::{
    Timestamp,
    contract::{
        ObservationId, ObserveOptions,
        RiskLevel::{self, Caution, Danger, Safe},
        SessionId,
    },
};

fn on_button(name: &str) -> RiskLevel {
    page(vec![button(name)]).scene().items[0].affordance.risk.level
}

fn of(el: El) -> RiskLevel {
    page(vec![el]).scene().items[0].affordance.risk.level
}

fn to(name: &str, href: &str) -> El {
    link(name).set(|a| a.href = Some(href.into()))
}

#[test]
fn commands_that_nothing_takes_back() {
    for name in [
        "Cancel my order",
        "Cancel my membership",
        "Close your account",
        "Place my bid",
        "Clear all data",
        "Charge $50",
        "Release funds",
        "Execute trade",
        "Sell",
        "Unpublish",
        "Uninstall",
        "Trash",
        "Empty basket",
        "Mark as paid",
        "Force push",
        "Pay49€",
        "Zahle 5 €",
        "Kostenpflichtig abschließen",
        "Complete my order",
        "Move to trash",
        "Submit all of the orders and pay",
        "Delete all of these files",
        "Annuler ma commande",
        "Cancelar mi suscripción",
        "Bestelling nu betalen",
    ] {
        assert_eq!(on_button(name), Danger, "{name}");
    }
    for name in [
        "My order",
        "Free of charge",
        "Close",
        "Cancel",
        "Clear filters",
        "Mark as read",
        "Selling tips",
        "Trashy novels",
        "Published articles",
        "Placement",
        "Empty",
        "Basket",
        "Zahlreich",
        "Abschließbar",
        "Payload49",
        "Cancel anytime",
    ] {
        assert_eq!(on_button(name), Safe, "{name}");
    }
    // Places, as links; what is done there is done by a button.
    for name in ["Trash", "Sell", "Charge"] {
        assert_eq!(of(link(name)), Caution, "{name}");
    }
}

#[test]
fn commands_in_many_languages() {
    for name in [
        "删除",
        "刪除帳號",
        "立即购买",
        "确认支付",
        "提交订单",
        "发送",
        "发布",
        "转账", // Chinese
        "アカウントを削除する",
        "今すぐ購入",
        "注文を確定する",
        "送信",
        "公開する",
        "送金する",
        "お支払い", // Japanese
        "삭제하기",
        "구매하기",
        "결제하기",
        "주문하기",
        "보내기",
        "게시",
        "송금하기", // Korean
        "Удалить",
        "УДАЛИТЬ АККАУНТ",
        "Купить",
        "Оплатить 500 ₽",
        "Оформить заказ",
        "Отправить",
        "Опубликовать", // Russian
        "Видалити",
        "Купити",
        "Сплатити",
        "Замовити",
        "Надіслати",
        "Опублікувати",
        "Переказати", // Ukrainian
        "Διαγραφή",
        "ΔΙΑΓΡΑΦΗ",
        "Αγορά",
        "Πληρωμή",
        "Ολοκλήρωση παραγγελίας",
        "Αποστολή",
        "Δημοσίευση", // Greek
        "حذف",
        "شراء",
        "ادفع الآن",
        "إتمام الطلب",
        "إرسال",
        "نشر",
        "تحويل", // Arabic
        "מחק",
        "קנה עכשיו",
        "שלם",
        "בצע הזמנה",
        "שלח",
        "פרסם",
        "העבר כסף", // Hebrew
        "ลบบัญชี",
        "ซื้อเลย",
        "สั่งซื้อ",
        "ชำระเงิน",
        "ส่ง",
        "เผยแพร่",
        "โอนเงิน", // Thai
        "हटाएं",
        "अभी खरीदें",
        "भुगतान करें",
        "ऑर्डर करें",
        "भेजें",
        "प्रकाशित करें", // Hindi
        "Sil",
        "Satın al",
        "Öde",
        "Siparişi tamamla",
        "GÖNDER",
        "Yayınla",
        "Para gönder", // Turkish
        "Ta bort",
        "Köp",
        "Betala",
        "Beställ",
        "Skicka",
        "Publicera",
        "Överför", // Swedish
        "Slett",
        "Kjøp nå",
        "Betal",
        "Bestill",
        "Send inn",
        "Publiser",
        "Overfør", // Norwegian
        "Slet",
        "Køb",
        "Betal nu",
        "Bestil",
        "Udgiv",
        "Offentliggør", // Danish
        "Poista",
        "Osta",
        "Maksa",
        "Tilaa",
        "Lähetä",
        "Julkaise",
        "Siirrä", // Finnish
        "Smazat",
        "Koupit",
        "Zaplatit",
        "Objednat",
        "Odeslat",
        "Zveřejnit",
        "Převést", // Czech
        "Usuń",
        "Kup teraz",
        "Zapłać",
        "Zamów",
        "Wyślij",
        "Opublikuj",
        "Przelej", // Polish
        "Törlés",
        "Vásárlás",
        "Fizetés",
        "Megrendelem",
        "Küldés",
        "Közzététel",
        "Átutalás", // Hungarian
        "Șterge",
        "Cumpără",
        "Plătește",
        "Plasează comanda",
        "Trimite",
        "Publică",
        "Transferă", // Romanian
        "Xóa",
        "Mua ngay",
        "Thanh toán",
        "Đặt hàng",
        "Gửi",
        "Xuất bản",
        "Chuyển tiền", // Vietnamese
        "Hapus",
        "Beli",
        "Bayar",
        "Pesan sekarang",
        "Kirim",
        "Terbitkan",
        "Transfer", // Indonesian
    ] {
        assert_eq!(on_button(name), Danger, "{name}");
    }
    for name in [
        "搜索",
        "首页",
        "取消",
        "购买记录",
        "検索",
        "閉じる",
        "注文履歴",
        "검색",
        "취소",
        "주문 내역",
        "Поиск",
        "Отмена",
        "Корзина",
        "Пошук",
        "Αναζήτηση",
        "بحث",
        "إلغاء",
        "חיפוש",
        "ביטול",
        "ค้นหา",
        "ยกเลิก",
        "หนังสือ",
        "खोजें",
        "Ara",
        "İptal",
        "Sök",
        "Avbryt",
        "Søk",
        "Søg",
        "Haku",
        "Hledat",
        "Szukaj",
        "Keresés",
        "Caută",
        "Tìm kiếm",
        "Cari",
    ] {
        assert_eq!(on_button(name), Safe, "{name}");
    }
}

#[test]
fn words_of_a_script_without_a_list_are_not_understood() {
    for name in ["წაშლა", "Ջնջել", "মুছে ফেলুন", "நீக்கு", "లొగించు"]
    {
        let scene = page(vec![button(name), link(name), field(name)]).scene();
        let risk = &scene.items[0].affordance.risk;
        assert_eq!(risk.level, Caution, "{name}");
        assert_eq!(risk.reasons, ["words not understood"], "{name}");
        assert_eq!(scene.items[1].affordance.risk.level, Safe, "{name}");
        assert_eq!(scene.items[2].affordance.risk.level, Safe, "{name}");
    }
    for name in ["ℹ", "★★★", "Café Łódź", "Ελλάδα", "日本語", "ქ"] {
        assert_eq!(on_button(name), Safe, "{name}");
    }
}

#[test]
fn pictures_and_identifiers_speak_where_the_name_does_not() {
    for el in [
        button("🗑️"),
        button("🗑"),
        button("💳"),
        button("💸"),
        button("×").set(|a| a.id = Some("delete-row-5".into())),
        button("icon").set(|a| a.test_id = Some("trash-btn".into())),
        button("").set(|a| a.hint = Some("btn icon-trash".into())),
        to("", "/entries/5/delete"),
        to("5", "/entries?action=delete&id=5"),
        to("", "javascript:deleteEntry(5)"),
    ] {
        assert_eq!(of(el.clone()), Danger, "{el:?}");
    }
    for el in [
        link("🗑"),
        button("🗑 Old drafts"),
        to("Entry 5", "/entries?action=delete&id=5"),
        to("Entry 5", "/entries.php?do=removeItem&id=5"),
        to("Entry 5", "/entries?delete=5"),
        to("Entry 5", "/delete/5"),
        to("Entry 5", "/delete.php?id=5"),
        to("Entry 5", "javascript:void(deleteEntry(5))"),
        to("Me", "/logout"),
        to("Me", "?logout"),
        to("Me", "/index?action=logout"),
    ] {
        assert_eq!(of(el.clone()), Caution, "{el:?}");
    }
    for el in [
        button("⭐"),
        button("💳 Payment methods"),
        button("×").set(|a| a.id = Some("menu-5".into())),
        button("Row menu").set(|a| a.id = Some("trash-menu".into())),
        to("Entry 5", "/entries?action=view&id=5"),
        to("Entry 5", "/search?q=delete"),
        to("Entry 5", "/how-to-delete.html"),
        to("Entry 5", "javascript:void(0)"),
        to("Entry 5", "/undelete"),
    ] {
        assert_eq!(of(el.clone()), Safe, "{el:?}");
    }
}

#[test]
fn padding_hides_no_word() {
    let harmless = format!("{}delete account", "close ".repeat(20));
    assert_eq!(on_button(&harmless), Danger);
    let weak = format!("{}delete account", "save share reply vote ".repeat(5));
    let scene = page(vec![button(&weak)]).scene();
    let risk = &scene.items[0].affordance.risk;
    assert_eq!(risk.level, Danger);
    assert_eq!(risk.reasons[0], r#"says "delete account""#);
    assert_eq!(on_button(&"close ".repeat(20)), Safe);
    let id = format!("{}delete", "close-".repeat(12));
    assert_eq!(of(button("").set(|a| a.id = Some(id.as_str().into()))), Danger);
}

#[test]
fn a_long_link_that_begins_with_a_command_is_one() {
    let pay = to("Buy now with 1-Click for $49.99", "/cart/pay");
    assert_eq!(of(pay), Danger);
    assert_eq!(of(link("Delete your account and all of its data")), Danger);
    assert_eq!(of(link("How to delete your account and all of its data")), Caution);
    assert_eq!(of(link("Send us your thoughts on the new book review")), Caution);
    assert_eq!(of(link("Transfer news: three clubs after the same striker")), Safe);
}

#[test]
fn marks_of_grave_matters_stay_where_caution_is_usual() {
    let mut body: Vec<El> = ["Save", "Share", "Reply", "Vote", "Follow"].map(button).into();
    body.extend([
        link("How to delete your account and all of its data"),
        to("Entry 5", "/entries/5/delete"),
        control("checkbox", "Remove after 30 days"),
        button("Row").set(|a| a.id = Some("row-delete".into())),
    ]);
    let look = Look::new(
        page(body).scene(),
        ObservationId("o1".into()),
        SessionId("s1".into()),
        Timestamp::default(),
    );
    let text = look.read(&ObserveOptions::default(), None, &Boundary::new(7)).expect("a reading").text;
    let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    for name in ["How to delete", "Entry 5", "Remove after", "Row"] {
        assert!(line(name).ends_with(" !"), "{text}");
    }
    for name in ["Save", "Share", "Reply"] {
        assert!(line(name).ends_with('"'), "{text}");
    }
}
