//! Words of further languages that tell what a control does, as they are spelled there. The usual ones on buttons, no more.

/// Commands that nothing takes back.
pub(super) const DANGER: &[&str] = &[
    // Chinese.
    "删除|刪除|移除|立即购买|立即購買|马上购买|确认购买|立即支付|确认支付|去支付|立即付款|确认付款|下单|下單|提交订单|提交訂單|确认订单",
    "確認訂單|发送|發送|傳送|立即发布|发布文章|转账|轉帳|轉賬|汇款|匯款|确认退款|提现|提現|捐款|注销账户|注销账号|註銷|清空|卸载|卸載",
    "取消订单|取消訂單|永久删除",
    // Japanese.
    "削除|消去|購入する|今すぐ購入|購入を確定|購入手続き|買う|支払う|支払いを確定|お支払いを確定|注文する|注文を確定|注文確定|注文をキャンセル",
    "送信|公開する|今すぐ公開|投稿する|送金|振込|振り込|決済する|解約する|退会する|寄付する|返金する|ゴミ箱に移動|ゴミ箱を空",
    // Korean.
    "삭제|제거|구매하기|바로구매|바로 구매|즉시구매|구입하기|결제하기|주문하기|주문 완료|주문 취소|보내기|전송|게시하기|발행하기|송금",
    "이체하기|탈퇴하기|해지하기|환불하기|기부하기",
    // Thai.
    "ลบ|ซื้อเลย|ซื้อตอนนี้|สั่งซื้อเลย|ยืนยันคำสั่งซื้อ|ชำระเงินตอนนี้|จ่ายเงิน|ส่งข้อความ|ส่งเลย|เผยแพร่|โอนเงิน|โพสต์เลย",
    "ยกเลิกคำสั่งซื้อ|บริจาค",
    // Russian.
    "удалить|удалить навсегда|стереть|купить|купить сейчас|оплатить|заплатить|заказать|оформить заказ|подтвердить заказ",
    "отправить|опубликовать|перевести деньги|перевести средства|сделать перевод|отменить заказ|закрыть счет|закрыть счёт",
    "подтвердить|пожертвовать|вернуть деньги|снять деньги|очистить корзину",
    // Ukrainian.
    "видалити|купити|оплатити|сплатити|замовити|оформити замовлення|підтвердити замовлення|надіслати|відправити",
    "опублікувати|переказати|переказати кошти|підтвердити|скасувати замовлення",
    // Greek.
    "διαγραφή|διαγραφη|διαγράψτε|αγοράστε|αγόρασε|αγορά τώρα|αγορα τωρα|πληρώστε|ολοκλήρωση παραγγελίας",
    "ολοκλήρωση αγοράς|υποβολή παραγγελίας|στείλτε|δημοσίευση|δημοσιευση|μεταφορά χρημάτων|επιβεβαίωση παραγγελίας|κατάργηση",
    // Arabic and Persian.
    "حذف|احذف|اشتر الآن|اشتر الان|شراء|ادفع|ادفع الآن|ادفع الان|إتمام الطلب|اتمام الطلب|تأكيد الطلب|إتمام الشراء|أرسل",
    "إرسال|ارسال|انشر|تحويل الأموال|تحويل الاموال|إلغاء الطلب|إلغاء الاشتراك|خرید|پرداخت|ثبت سفارش|انتشار",
    // Hebrew.
    "מחק|מחיקה|למחוק|קנה|קנה עכשיו|קנו עכשיו|קנייה|שלם|שלם עכשיו|לתשלום|בצע הזמנה|בצע תשלום|הזמן עכשיו|שלח|שליחה|פרסם",
    "העבר כסף|העברת כספים|בטל הזמנה|בטל מינוי|הסר",
    // Hindi.
    "हटाएं|हटाएँ|मिटाएं|मिटाएँ|डिलीट|डिलीट करें|खरीदें|ख़रीदें|भुगतान करें|ऑर्डर करें|ऑर्डर दें|भेजें|प्रकाशित करें|पोस्ट करें",
    "ट्रांसफर करें|पैसे भेजें|पुष्टि करें",
    // Turkish.
    "hesabı sil|kalıcı olarak sil|satın al|hemen al|ödeme yap|şimdi öde|hemen öde|sipariş ver|siparişi tamamla|siparişi onayla",
    "gönder|yayınla|transfer et|para gönder|onayla|hesabı kapat|kaldır|siparişi iptal et|aboneliği iptal et",
    // Swedish.
    "ta bort|radera|köp nu|betala|betala nu|beställ|beställ nu|slutför köp|slutför köpet|genomför köp|skicka|publicera",
    "överför|bekräfta|säg upp|avsluta konto|avboka",
    // Norwegian.
    "slett|fjern|kjøp|kjøp nå|betal|betal nå|bestill|fullfør kjøp|fullfør bestilling|send inn|publiser|overfør|bekreft|si opp",
    // Danish.
    "køb|køb nu|betal nu|bestil|bestil nu|gennemfør køb|gennemfør ordre|afgiv ordre|udgiv|offentliggør|bekræft|opsig",
    // Finnish.
    "poista|osta|osta nyt|maksa|maksa nyt|tilaa nyt|vahvista tilaus|lähetä tilaus|lähetä|julkaise|siirrä rahaa|vahvista",
    "irtisano|peruuta tilaus",
    // Czech.
    "smazat|vymazat|odstranit|koupit|zaplatit|objednat|závazně objednat|odeslat objednávku|dokončit objednávku|odeslat",
    "zveřejnit|publikovat|převést|převést peníze|potvrdit|zrušit objednávku|zrušit účet",
    // Polish, what the other list lacks.
    "kupuję z obowiązkiem zapłaty|zamów teraz|przelej środki|opłać|wyślij przelew",
    // Hungarian.
    "törlés|töröl|eltávolítás|megveszem|megvásárlás|megvásárolom|fizetek|megrendelés|megrendelem|rendelés elküldése",
    "rendelés leadása|küldés|elküldés|közzététel|átutalás|megerősítés|fiók törlése",
    // Romanian.
    "șterge|elimină|cumpără|cumpără acum|plătește|plătește acum|plasează comanda|trimite comanda|finalizează comanda",
    "comandă acum|trimite|publică|transferă|confirmă|anulează comanda",
    // Vietnamese.
    "xóa|xoá|mua ngay|thanh toán|đặt hàng|gửi|đăng bài|xuất bản|chuyển tiền|chuyển khoản|xác nhận|hủy đơn|huỷ đơn",
    // Indonesian and Malay.
    "hapus|padam|beli sekarang|bayar|bayar sekarang|pesan sekarang|buat pesanan|kirim|kirim uang|terbitkan|publikasikan",
    "konfirmasi|batalkan pesanan|hapus akun",
];

/// Words that command on a button and name a matter, or mean something else in another language, elsewhere.
pub(super) const DANGER_ON_BUTTON: &[&str] = &[
    "购买|購買|支付|付款|发布|發布|發佈|退款|确认|購入|支払|注文|公開|投稿|決済|解約|退会|寄付|返金|구매|구입|결제|게시|발행|이체|탈퇴|해지",
    "환불|기부|ซื้อ|ชำระเงิน|โพสต์|نشر|تحويل",
    "ส่ง|πληρωμή|πληρωμη|αποστολή|αποστολη|αγορά|αγορα|μεταφορά|μεταφορα|επιβεβαίωση|دفع|تأكيد|ارسل|הזמן|העבר|העברה|אישור",
    "sil|öde|köp|slet|tilaa|siirrä|vásárlás|fizetés|utalás|mua|beli|comandă|перевести|ट्रांसफर",
];

/// Commands that change something.
pub(super) const CAUTION: &[&str] = &[
    "保存|提交|注册|註冊|退出登录|登出|確認|登録|申し込|ログアウト|適用|予約|저장|제출|가입|로그아웃|예약|บันทึก|สมัคร|ออกจากระบบ",
    "сохранить|выйти|зарегистрироваться|подписаться|отписаться|забронировать|зберегти|вийти|зареєструватися",
    "αποθήκευση|αποσύνδεση|εγγραφή|υποβολή|حفظ|تسجيل الخروج|اشتراك|שמור|התנתק|הרשמה|सहेजें|लॉग आउट",
    "kaydet|çıkış yap|kayıt ol|spara|logga ut|registrera|lagre|logg ut|registrer|log ud|tilmeld|tallenna|kirjaudu ulos",
    "uložit|odhlásit se|registrovat|mentés|kijelentkezés|regisztráció|salvează|deconectare|lưu|đăng xuất|đăng ký",
    "simpan|keluar|daftar|rezervovat|foglalás|rezervă|đặt chỗ",
];

/// What looks like one of them, but only names a matter.
pub(super) const HARMLESS: &[&str] = &[
    "支付方式|付款方式|购买记录|購買記錄|購入履歴|注文履歴|注文詳細|注文状況|支払い方法|支払方法|公開日|公開範囲|発送状況",
    "결제 수단|결제 방법|구매 내역|주문 내역|คำสั่งซื้อของฉัน|ประวัติการสั่งซื้อ|รายการสั่งซื้อ|วิธีชำระเงิน|วิธีการชำระเงิน",
    "filtreyi kaldır|filtreleri kaldır|ta bort filter|fjern filter|fjern filtre|poista suodatin|odstranit filtr|удалить фильтр",
    "清空筛选|清除筛选",
];

/// Names that only say "go on".
pub(super) const VAGUE: &[&str] = &[
    "确定|確定|继续|繼續|下一步|是|好|次へ|はい|続ける|続行|進む|확인|계속|다음|예|네|ตกลง|ถัดไป|ใช่|ต่อไป|да|далее|продолжить|ок",
    "так|далі|продовжити|ναι|συνέχεια|επόμενο|نعم|متابعة|التالي|موافق|כן|המשך|הבא|हाँ|जारी रखें|आगे|evet|devam|devam et",
    "ileri|tamam|fortsätt|nästa|fortsett|neste|fortsæt|næste|jatka|seuraava|kyllä|pokračovat|další|ano|tovább|igen|folytatás",
    "continuă|înainte|tiếp tục|đồng ý|có|lanjutkan|lanjut|ya",
];

/// Names that step back.
pub(super) const BACK: &[&str] = &[
    "取消|关闭|關閉|返回|否|キャンセル|閉じる|戻る|いいえ|취소|닫기|뒤로|아니요|ยกเลิก|ปิด|กลับ|ไม่|отмена|закрыть|назад|нет",
    "скасувати|закрити|ні|ακύρωση|κλείσιμο|πίσω|όχι|إلغاء|إغلاق|رجوع|لا|ביטול|סגור|סגירה|חזרה|לא|रद्द करें|बंद करें|वापस|नहीं",
    "iptal|vazgeç|kapat|geri|hayır|avbryt|stäng|tillbaka|nej|lukk|tilbake|nei|annuller|luk|tilbage|peruuta|sulje|takaisin|ei",
    "zrušit|zavřít|zpět|ne|mégse|bezárás|vissza|nem|anulează|închide|înapoi|nu|hủy|đóng|quay lại|không|batal|tutup|kembali|tidak",
];

/// Words of a question before something is done for good.
pub(super) const WARNINGS: &[&str] = &[
    "确定要|確定要|无法撤销|無法復原|不可恢复|元に戻せません|取り消せません|取り消すことはできません|よろしいですか|되돌릴 수 없|하시겠습니까",
    "ไม่สามารถย้อนกลับ|แน่ใจหรือ|вы уверены|нельзя отменить|необратимо|безвозвратно|ви впевнені|неможливо скасувати",
    "είστε βέβαιοι|είστε σίγουροι|δεν μπορεί να αναιρεθεί|هل أنت متأكد|لا يمكن التراجع|האם אתה בטוח|לא ניתן לבטל|क्या आप वाकई",
    "emin misiniz|geri alınamaz|är du säker|kan inte ångras|er du sikker|kan ikke angres|kan ikke fortrydes|oletko varma",
    "ei voi kumota|opravdu chcete|nelze vrátit|biztosan|nem vonható vissza|sunteți sigur|nu poate fi anulată|bạn có chắc",
    "không thể hoàn tác|apakah anda yakin|tidak dapat dibatalkan",
];

/// Headings of forms that are about money.
pub(super) const MONEY: &[&str] = &[
    "支付|付款|お支払い|支払い|決済|결제|ชำระเงิน|оплата|платіж|πληρωμή|الدفع|תשלום|भुगतान|ödeme|betalning|betaling|maksu|platba",
    "fizetés|plată|thanh toán|pembayaran",
];
