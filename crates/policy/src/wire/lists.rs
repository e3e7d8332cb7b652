//! Words of addresses and names of fields, in plain letters and small ones. Those of danger add caution; those of preparing are
//! positive evidence, and only as long as there is no danger.

use super::words::List;

/// Takes away or settles for good: a risk wherever it stands in a path, with whatever method.
pub(super) static STRONG: List = List::of(&[
    "delete|remove|destroy|erase|purge|wipe|unsubscribe|deactivate|terminate|revoke|shutdown|reboot|uninstall|unpublish|discard",
    "loschen|loesche|loeschen|entfernen|kundigen|kuendigen|stornieren|abbestellen|deaktivieren|widerrufen",
    "supprimer|effacer|resilier|desinscrire|desabonner|retirer|desactiver",
    "eliminar|borrar|quitar|desactivar|desuscribir|excluir|apagar|remover|desativar|cancelar",
    "elimina|eliminare|cancella|cancellare|rimuovi|rimuovere|disdici|disattiva",
    "verwijderen|verwijder|wissen|opzeggen|uitschrijven|usun|skasuj|wypisz|smazat|radera|slett|slet|poista|torol|sterge|sil",
    "удалить|удали|удаление|стереть|отписаться|отменить|аннулировать|видалити",
    "删除|刪除|移除|取消订阅|取消訂閱|注销|退订|清空|削除|解約|退会|삭제|해지|탈퇴|حذف|الغاء|إلغاء|מחק|हटाएं|ลบ",
]);

/// Gives money or words away: a risk at the end of a path, before a number, or with something in the query.
pub(super) static SOFT: List = List::of(&[
    "pay|buy|purchase|confirm|transfer|publish|send|donate|withdraw|refund|payout|deploy|merge|checkoutnow|bid|redeem|wire",
    "bezahlen|zahlen|bezahle|kaufen|kaufe|bestellen|bestelle|uberweisen|ueberweisen|uberweisung|ueberweisung|senden|absenden",
    "abschicken|bestatigen|bestaetigen|veroffentlichen|veroeffentlichen|spenden|buchen|auszahlen|abheben",
    "payer|regler|acheter|commander|envoyer|confirmer|publier|virement|transferer|rembourser|annuler",
    "pagar|comprar|pedir|enviar|confirmar|publicar|transferir|transferencia|donar|doar|reembolsar|retirar|sacar",
    "paga|pagare|acquista|acquistare|compra|comprare|ordina|ordinare|invia|inviare|conferma|confermare|pubblica|bonifico|dona",
    "betalen|betaal|kopen|koop|afrekenen|verzenden|versturen|bevestigen|overboeken|overmaken|publiceren|annuleren",
    "zaplac|kup|zamow|zamawiam|wyslij|potwierdz|przelew|opublikuj|anuluj|koupit|zaplatit|objednat|kop|betala|betal|kjop|osta",
    "оплатить|оплата|купить|покупка|заказать|отправить|перевести|перевод|подтвердить|опубликовать|платеж|платить",
    "支付|付款|购买|購買|下单|下單|立即购买|转账|轉賬|转帐|汇款|发送|提交订单|确认订单|确认|发布|支払|購入|注文|送信|振込|確定|公開",
    "결제|구매|주문|송금|전송|확인|دفع|شراء|ارسال|إرسال|تاكيد|تأكيد|שלם|קנה|भुगतान|खरीदें|ชำระเงิน|ซื้อ|satinal|ode|gonder",
]);

/// Does something when it is told to what: before a number, or with something in the query.
pub(super) static TOLD: List = List::of(&[
    "approve|accept|reject|decline|vote|reserve|ban|block|like|follow|unfollow|del|rm|subscribe|enroll|reset|invite|grant|charge",
    "capture|kick|trash|close|archive|restart|disable|enable|activate|promote|reservieren|reserver|reservar|accepter|aceptar",
    "renew|upgrade|unfriend|suspend|demote|upvote|downvote|dispatch|fulfill|fulfil|resend|rebook|finalize|finalise|execute|retweet",
    "repost|optout|unlock|rsvp|sign|unassign|rollback|storno|verlangern|verlaengern|renouveler|renovar|rinnova|verlengen|продлить|续费",
]);

/// Names of fields that settle something by being there.
pub(super) static SETTLED: List = List::of(&[
    "finish|finished|complete|completed|finalize|publish|published|final|place|approve|approved|execute|checkout|submitted|fertig",
]);

/// What something is after it was settled: whoever writes that down settles it.
pub(super) static BECOMES: List = List::of(&[
    "ordered|placed|paid|purchased|confirmed|sent|cancelled|canceled|deleted|removed|booked|processed|executed|transferred|refunded",
    "bought|charged|captured|settled|finalized|finalised|signed|subscribed|unsubscribed|terminated|withdrawn|shipped|released|issued",
    "completed|submitted|converted|processed|checkedout",
    "bestellt|bezahlt|gekauft|storniert|geloscht|gesendet|gebucht|commande|paye|annule|supprime|pagado|comprado|cancelado|enviado",
]);

/// What something becomes by being told so: it is seen, or it goes on.
pub(super) static STATES: List =
    List::of(&["live|public|scheduled|active|checked|processing|visible|shared|enabled"]);

/// Settles something when it is written to: the same words in an address that is only read lead to a page about it.
pub(super) static ON_WRITES: List = List::of(&[
    "submit|place|complete|finish|finalize|finalise|register|registration|signup|apply|application|approve|authorize|authorise",
    "accept|book|booking|bookings|reserve|reservation|reservations|subscribe|subscription|subscriptions|charge|charges|enroll",
    "enrol|invite|vote|execute|capture|settle|oneclick|instantbuy|quickbuy|fastcheckout|order|orders|purchases|payments|payment",
    "transfers|payouts|refunds|donation|donations|withdrawal|withdrawals|transaction|transactions|trade|sell|auction|close|cancel",
    "bestellung|bestellungen|buchung|zahlung|zahlungen|abschliessen|einreichen|registrieren|verkaufen|commande|commandes",
    "paiement|paiements|reserver|valider|soumettre|finaliser|inscription|pedido|pedidos|pago|pagos|compras|reservar|finalizar",
    "tramitar|registrar|pagamento|pagamenti|ordine|ordini|acquisto|prenota|completa|betaling|bestelling|plaatsen|afronden",
    "platnosc|zamowienie|zloz|rezerwuj|заказ|оформить|оплачено|забронировать|订单|訂單|结算|結算|预订|提交|予約|예약",
    "sign|esign|signature|impersonate|grant|share|reply|tweet|trash|forward|message|messages|comment|comments|post|posts",
]);

/// Of these words none settles anything when one of those beside it is there too.
pub(super) const HARMLESS: &[(&str, &str)] = &[
    (
        "remove|delete|clear|apply|discard|eliminar|borrar|quitar|supprimer|effacer|entfernen|loschen|usun|rimuovi",
        "filter|filters|facet|facets|refinement|refinements|filtro|filtros|filtre|filtres|filtri|filtr|sort|search",
    ),
    (
        "remove|delete|apply|accept|einlosen",
        "coupon|coupons|voucher|vouchers|promo|promocode|discount|gutschein|cupon",
    ),
    // What is taken out of a basket can be put into it again.
    (
        "remove|delete|entfernen|loschen|supprimer|retirer|eliminar|quitar|rimuovi|verwijder|usun",
        "cart|carts|basket|bag|trolley|wishlist|wishlists|minicart|warenkorb|merkzettel|panier|carrito|cesta|carrello|winkelwagen|koszyk",
    ),
    ("confirm|register", "password|passwd|email|mail|newsletter|age|captcha|code"),
    (
        "order|orders|bestellung|commande|pedido|ordine",
        "by|sort|sorted|sorting|history|status|track|tracking|search|summary|reorder|column|direction|list|listing|review",
    ),
    (
        "pay|payment|zahlung|pago|paiement|pagamento",
        "method|methods|option|options|details|type|types|mode|attention|step|help|page|art|terms",
    ),
    // A new basket is empty, and whose it is is said at the checkout.
    ("empty", "create|new"),
    ("email|mail", "cart|basket|checkout"),
    ("post|posts|place", "code|office|holder|city|codes"),
    ("sign", "in|on|up|out"),
    ("close", "dialog|modal|banner|popup|notice|menu"),
    ("share|forward", "buttons|count|url"),
    ("message|comment|comments|messages", "validate|check|gift"),
    ("book", "address|name|cover"),
    ("accept|apply|submit|confirm", "cookie|cookies|consent|gdpr|cookieconsent"),
    ("cancel", "policy|url|return|anytime"),
    ("application", "json|id|name|version"),
    (
        "transaction|transactions|message|messages|posts|comments|emails|booking|bookings|reservation|reservations",
        "filter|filters|sort|search|list",
    ),
];

/// A word of the first with a word of the second, anywhere in a path or a name, settles something.
pub(super) const PAIRS: &[(&str, &str)] = &[
    (
        "place|submit|confirm|complete|finish|finalize|finalise|create|execute|process|cancel|pay|new|send|do|make|start",
        "order|orders|purchase|payment|payments|booking|reservation|transaction|trade|bid|bestellung|pedido|commande|ordine|заказ",
    ),
    (
        "place|submit|confirm|complete|finish|finalize|finalise|order|pay|process|purchase|now|buy|done|execute",
        "checkout|kasse|caisse|cassa",
    ),
    (
        "cancel|close|terminate|annuler|cancelar|anuluj|annulla|kundigen",
        "account|subscription|membership|contract|plan|order|orders|booking|bookings|reservation|trip|ticket|appointment|konto|abo|abonnement|suscripcion|pedido",
    ),
    (
        "empty|clear|flush|leeren|vider|vaciar|svuota",
        "cart|basket|bag|trash|bin|account|history|data|warenkorb|panier|carrito|carrello|papierkorb",
    ),
    ("one|1|single|instant|quick|express|fast", "click|buy|order|purchase|checkout"),
    ("reset|change|set|update|new", "password|passwd|passwort|email|phone|iban|payee"),
    ("buy|order|pay|book|subscribe|donate|bid|sell", "now|jetzt|ahora|maintenant|ora|teraz|nu|agora"),
    (
        "make|send|create|new|add|issue",
        "payment|transfer|payee|beneficiary|payout|refund|invoice|charge|order|user|admin|key",
    ),
    ("start|activate|begin", "trial|subscription|membership|plan"),
];

/// The same for what is only read: few words are as clear in an address that leads to a page.
pub(super) const PAIRS_ON_READS: &[(&str, &str)] = &[
    ("complete|finish|finalize|place|confirm|pay", "checkout"),
    ("buy|order|pay|book|donate|bid", "now|jetzt|ahora|maintenant|ora|teraz|agora"),
    ("one", "click"),
    ("create", "order|orders|payment|payments|booking|bookings"),
    (
        "place|submit|complete|finalize|finalise|execute",
        "order|purchase|payment|booking|transaction|trade|bid",
    ),
    (
        "cancel|close|annuler|cancelar|anuluj|annulla|kundigen",
        "account|subscription|membership|contract|order|booking|reservation|appointment|konto|abo|abonnement|suscripcion|pedido",
    ),
    (
        "empty|clear|leeren|vider|vaciar|svuota",
        "cart|basket|bag|trash|bin|history|warenkorb|panier|carrito|carrello|papierkorb",
    ),
];

/// Names of fields that say what is to be done, in addresses too.
pub(super) static ACTION_NAMES_ON_READS: List = List::of(&[
    "action|act|do|op|oper|operation|cmd|command|task|method|func|function|verb|submit|button|btn|ajax|todo|a|rpc|call|procedure",
    "aktion|accion|acao|azione|akcja|действие|操作|fn|handler",
]);

/// Names of fields that say what is to be done.
pub(super) static ACTION_NAMES: List = List::of(&[
    "action|act|do|op|oper|operation|cmd|command|task|event|method|func|function|verb|submit|button|btn|ajax|intent|todo|mode|what",
    "aktion|accion|acao|azione|akcja|действие|操作|rpc|call|procedure|trigger|commit|a|m|fn|status|state|visibility|then|job|request|type|eventtarget|handler|step",
]);

/// What a shop keeps for somebody who has not ordered yet.
pub(super) static BASKET: List = List::of(&[
    "basket|cart|bag|trolley|wishlist|wish|warenkorb|merkzettel|wunschliste|panier|carrito|cesta|cesto|carrello|winkelwagen",
    "winkelmandje|koszyk|kosik|varukorg|handlekurv|kurv|ostoskori|sepet|carrinho|sacola|корзина|购物车|購物車|カート|장바구니|minicart",
]);

/// What is shown to others, or tells where somebody is reached: whoever is named there by a mail address gets to see it, or gets what is
/// meant for somebody else.
pub(super) static SHARED: List = List::of(&[
    "addresses|wishlist|wish|wunschliste|merkzettel|favourite|favorite|address|adresse|direccion|endereco|indirizzo|adres|адрес|地址|住所|주소",
]);

/// Ways of putting something there.
pub(super) static ADDING: List = List::of(&[
    "add|plus|put|hinzufugen|hinzufuegen|ajouter|anadir|agregar|adicionar|aggiungi|toevoegen|dodaj|добавить|添加|加入|追加|update|change|set",
]);

/// What fills in or moves on, in a path or as what is to be done.
pub(super) static PREPARE: List = List::of(&[
    "address|addresses|shipping|delivery|quantity|qty|coupon|voucher|promocode|promo|promotion|discount|consignment|configure|filter|facet|sort|sorting|draft|autosave|step|wizard",
    "next|preview|locale|currency|language|lang|setlang|country|region|timezone|theme|slot|timeslot|availability|seat|pickup",
    "collection|display|estimate|calculate|compare|billing|contact|guest|customer|information|favourite|favorite|favorites|favourites|lines",
    "adresse|lieferadresse|versand|versandart|lieferung|lieferart|menge|gutschein|sprache|wahrung|waehrung|entwurf|schritt|weiter",
    "livraison|quantite|devise|langue|brouillon|etape|suivant|direccion|envio|entrega|cantidad|cupon|idioma|moneda|borrador|paso",
    "siguiente|endereco|frete|quantidade|moeda|rascunho|indirizzo|spedizione|consegna|quantita|lingua|valuta|bozza|avanti",
    "adres|verzending|levering|bezorging|aantal|taal|dostawa|ilosc|jezyk|waluta|szkic|krok|dalej|адрес|доставка|количество|язык",
    "валюта|черновик|шаг|далее|地址|配送|数量|语言|货币|草稿|下一步|住所|言語|通貨|下書き|배송|주소|수량|언어",
]);

/// What prepares something wherever it is asked for. The others need a basket or a checkout around them: a pickup is booked, a slot taken.
pub(super) static ANYWHERE: List = List::of(&[
    "filter|filters|facet|facets|sort|sorting|draft|autosave|preview|locale|currency|language|lang|setlang|country|timezone|estimate",
    "calculate|compare|address|addresses|adresse|lieferadresse|sprache|wahrung|waehrung|entwurf|devise|langue|brouillon|direccion|idioma",
    "moneda|borrador|endereco|moeda|rascunho|indirizzo|lingua|valuta|bozza|adres|taal|jezyk|waluta|szkic|адрес|язык|валюта|черновик",
    "地址|语言|货币|草稿|住所|言語|通貨|下書き|주소|언어",
]);

/// What somebody prefers, as the name of a field.
pub(super) static PREFERENCES: List = List::of(&[
    "locale|currency|language|lang|timezone|theme|sort|orderby|sortby|filter|filters|facet|facets|country|sprache|waehrung|wahrung|langue",
    "devise|idioma|moneda|lingua|valuta|jezyk|waluta|язык|валюта|语言|货币",
]);

/// Names of fields that lead back, or prove that a form is a site's own.
pub(super) static LED: List = List::of(&[
    "csrf|csrfmiddlewaretoken|csrftoken|xsrf|authenticity|token|nonce|wpnonce|next|redirect|return|back|url|uri|to|referer|referrer|utf|page",
]);

/// Programs that are told elsewhere what to do.
pub(super) static DISPATCHERS: List = List::of(&[
    "index|php|ajax|admin|wp|wc|api|rest|rpc|do|action|v|json|html|asp|aspx|jsp|cgi|main|default|home|service|handler|web|shop|storefront|site|public|data|en|de|fr|es|it|nl|us|gb|uk",
]);

/// Where the page of a product is.
pub(super) static PRODUCTS: List = List::of(&[
    "product|products|produkt|produkte|artikel|produit|produits|producto|productos|prodotto|prodotti",
]);

/// Names of fields that may stand beside those and settle nothing.
pub(super) static BESIDE: List = List::of(&[
    "csrf|csrfmiddlewaretoken|csrftoken|xsrf|authenticity|token|nonce|page|size|limit|per|offset|id|ids|next|redirect|first|last|name",
    "line|street|city|zip|postcode|postal|country|state|company|region|house|province|county|item|items|product|quantity",
    "qty|code|option|direction|dir|by|q|query|utf|strasse|plz|ort|ville|ciudad|add|update|rue|calle|via|variation|variant|attribute|size",
    "color|colour|sku|security|artikel|text|title|body|content|note",
]);

/// Names of fields that shops send along beside those.
pub(super) static SHOP_FIELDS: List = List::of(&[
    "stackable|removable|good|payload|referenced|related|configurable|super|pa|attributes|customization|uid|uuid|key|forms|initial|min",
    "max|num|gift|wrap|wrapping|bundle|section|sections|properties|updates|notes|same|as|is|has|full|info|different|parent|child|group",
    "pid|asin|package|carrier|service|zone|phone|email|mail|telephone|firstname|lastname|middlename|salutation|gender|vat|business|residential",
    "version|calc|validate|validated|valid|include|exclude|with|without|reload|html|return",
]);

/// Words of paths that neither settle nor prepare anything.
pub(super) static NEUTRAL: List = List::of(&[
    "add|update|change|set|save|edit|item|items|line|lines|product|products|sku|method|methods|api|rest|v|js|json|php|ajax|do|html",
    "new|create|list|get|index|choose|select|user|me|current|account|accounts|guest|customer|billing|details|form|page|view|i|n|id",
    "increase|decrease|quantity|qty|checkout|onepage|information|contact|options|option|save|for|later|saved|move|to|the|my|all|entry",
    "asp|aspx|jsp|cgi|action|post|code|codes|apply|search|query|results|data|default|primary|estimate|totals|total|rates|date",
    "time|dates|times|refresh|sync|back|previous|prev|toggle|switch|remove|filters|variant|variants|graphql|on|off|by|of|with|mine|from",
    "wc|wp|woocommerce|store|trpc|and|entries|input|selected|rate|refreshed|fragment|fragments|continue|ok|anonymous|mode|services|up|down",
    "common|catalog|sidebar|uenc|note|attribute|attributes|buyer|identity|variation|variations",
]);

/// Places where things are only described.
pub(super) static READING: List = List::of(&[
    "help|docs|doc|documentation|blog|article|articles|news|wiki|faq|faqs|guide|guides|support|learn|questions|tutorial|tutorials",
    "manual|how|what|why|policy|policies|about|category|categories|kb|knowledge|terms|legal|glossary|tag|tags|forum|reference|hilfe",
    "aide|ayuda|aiuto|ajuda|pomoc|помощь|帮助|search|topics|topic|story|stories|press|careers|reviews",
]);

/// Leaving.
pub(super) static LOGOUT: List = List::of(&[
    "logout|signout|logoff|abmelden|ausloggen|deconnexion|deconnecter|uitloggen|afmelden|wyloguj|odhlasit|выход|выйти|退出|登出|ログアウト|로그아웃|desconectar|disconnetti|endsession",
]);

/// Coming in.
pub(super) static LOGIN: List = List::of(&[
    "login|signin|logon|auth|authenticate|authentication|session|sessions|anmelden|anmeldung|einloggen|connexion|connecter|entrar|acceder|accedi|inloggen|aanmelden|zaloguj|logowanie|вход|войти|登录|登入|ログイン|로그인|sso|mfa|twofactor|otp|identifier",
]);

/// Words of addresses that are for coming in.
pub(super) static LOGIN_PATHS: List = List::of(&[
    "log|in|sign|on|user|users|customer|customers|member|members|account|accounts|form|post|check|do|php|asp|aspx|jsp|json|api|v|ajax",
    "index|two|factor|verify|step|oauth|oauth2|token|password|local|callback|credentials|email|me|web|site|portal|page|action|submit",
]);

/// Words of the last part of an address that is a door.
pub(super) static DOORS: List = List::of(&[
    "login|signin|logon|session|sessions|authenticate|anmelden|anmeldung|einloggen|connexion|connecter|entrar|acceder|accedi|inloggen",
    "aanmelden|zaloguj|logowanie|вход|войти|登录|登入|ログイン|로그인|sso",
]);

/// Where somebody changes what is known of them: a name and a password that go there may be meant to change just that.
pub(super) static OWN_PLACES: List = List::of(&[
    "email|emails|mail|profile|settings|account|accounts|user|users|me|member|members|preferences|contact|phone|security|password|details",
    "credentials|payee|payees|recovery|admin|billing|identity|customer|customers|store|stores|wallet|wallets|domain|konto|profil|einstellungen|compte|parametres|cuenta|perfil|ajustes",
]);

/// Names of fields that forms for coming in have.
pub(super) static LOGIN_FIELDS: List = List::of(&[
    "user|username|userid|name|email|mail|identifier|account|handle|benutzer|benutzername|usuario|utilisateur|phone|tel|логин|用户名",
    "csrf|csrfmiddlewaretoken|csrftoken|xsrf|authenticity|token|nonce|wpnonce|state|form|key|id|session|request|verification|utf|submit",
    "commit|button|btn|action|redirect|next|return|to|url|uri|back|continue|from|ref|remember|me|keep|stay|logged|signed|in|persistent",
    "captcha|recaptcha|g|response|hcaptcha|turnstile|cf|challenge|lang|language|locale|timezone|tz|device|fingerprint|client|grant|type",
    "realm|tenant|domain|connection|flow|step|method|mode|version|log|sign|on|login|signin|field|input|value|wp|cookie|test|testcookie",
    "op|operation|hash|viewstate|viewstategenerator|eventvalidation|code|factor|two|rmb|autologin|rememberme|option|options|existing|guest",
    "http|referer|referrer|rurl|woocommerce|gateway|build|checkout|customer|returning|anmelden|angemeldet|bleiben|weiter|zuruck|ziel",
]);

/// Names of fields for a password.
pub(super) static PASSWORDS: List = List::of(&[
    "password|passwd|pwd|pass|passphrase|passcode|passwort|kennwort|contrasena|contrasenya|clave|motdepasse|mdp|senha|haslo|wachtwoord|parola|heslo|losenord|пароль|密码|密碼|パスワード|비밀번호|otp|totp",
]);

/// Names of fields that only belong to paying, and whose values are for nobody else: numbers of cards, and what proves who pays.
pub(super) static PAYMENT_NAMES: List = List::of(&[
    "cvc|cvv|cvv2|cvc2|ccv|csc|cvn|ccnumber|ccnum|cardnumber|cardnum|cardno|creditcard|kartennummer|prufziffer|pruefziffer|numerotarjeta|numerocarte|numerocarta|номеркарты|卡号|カード番号|stripetoken|ssn|pan|pin",
]);

/// Two words that together are the same.
pub(super) const PAYMENT_PAIRS: &[(&str, &str)] = &[
    (
        "card|cc|karte|tarjeta|carte|carta|kaart|karta|карты",
        "number|num|no|nummer|numero|code|cvc|exp|expiry|holder|month|year|nr",
    ),
    ("security|verification", "code"),
    ("payment|stripe|braintree|paypal|adyen|klarna", "token|nonce|intent|secret"),
];

/// Names of fields for an account: they belong to paying too, but say who gets the money.
pub(super) static ACCOUNT_NAMES: List = List::of(&["iban|accountnumber|routingnumber|sortcode|kontonummer"]);

/// Two words that together are the same.
pub(super) const ACCOUNT_PAIRS: &[(&str, &str)] =
    &[("account|routing|konto|cuenta|compte", "number|nummer|numero|no"), ("sort", "code")];

/// Sums that somebody decides on.
pub(super) static AMOUNTS: List =
    List::of(&["amount|sum|betrag|montant|importe|importo|kwota|valor|bedrag|сумма|金额|金額|금액"]);

/// Those who get something.
pub(super) static RECIPIENTS: List = List::of(&[
    "to|recipient|payee|beneficiary|destination|receiver|iban|account|empfanger|empfaenger|beneficiaire|destinatario|beneficiario|odbiorca|получатель|收款人|wallet|address",
]);

/// Counting visitors.
pub(super) static ANALYTICS: List = List::of(&[
    "collect|beacon|telemetry|metrics|analytics|rum|csp|csprerport|cspreport|vitals|webvitals|pixel|track|tracking|tracker|ping|stats|statistics|matomo|piwik|sentry|envelope|clientlog|perf|pageview|pageviews|impression|impressions|nel",
]);

/// What stands beside those in an address that only counts.
pub(super) static COUNTED: List = List::of(&[
    "api|v|rest|event|events|page|view|views|log|logs|js|json|php|gif|png|web|client|user|session|batch|data|i|e|t|p|g|b|s|r|x|mp|m|j|store",
    "error|errors|report|reports|track|hit|hits|click|clicks|time|timing|load|performance|browser|site|public|internal|ingest|intake|capture",
    "measurement|digest|visit|visits|visitor|heartbeat|alive|count|counter|audience|ga|gtm|insights|apm|project|projects|endpoint|report",
]);

/// Looking for something.
pub(super) static SEARCH: List = List::of(&[
    "search|query|queries|suggest|suggestions|suggestion|autocomplete|autosuggest|typeahead|find|lookup|filter|facets|suche|suchen|recherche|chercher|buscar|busqueda|cerca|ricerca|zoeken|szukaj|pesquisa|поиск|搜索|検索|검색",
]);

/// What is looked for, and how it is given.
pub(super) static LISTED: List = List::of(&[
    "product|products|item|items|article|articles|result|results|page|pages|list|index|data|all|api|rest|v|json|ajax|view|users|people",
    "documents|docs|catalog|catalogue|content|entries|multi|msearch|count|quick|simple|advanced|do|form|global|site|instant|live|box|by",
    "orders|messages|hotels|flights|rooms|trips|places|locations|stores|shops|books|jobs|homes|properties|listings|destinations|events",
    "php|asp|aspx|jsp|cgi|html|async|partial|fragment|widget|more|next|keyword|text|name|names|term|terms|for|the|in|of|and|with",
]);

/// Names of fields of those who look for something.
pub(super) static SEARCH_FIELDS: List = List::of(&[
    "q|query|term|terms|keyword|keywords|search|searchterm|text|s|page|pagesize|per|size|limit|offset|from|start|count|filter",
    "filters|facet|facets|sort|sorting|order|orderby|by|dir|direction|lang|language|locale|category|categories|prefix|suggest",
    "csrf|csrfmiddlewaretoken|csrftoken|xsrf|token|nonce|authenticity|min|max|price|range|brand|color|size|fields|index|suche",
    "hits|highlight|cursor|after|before|first|last|aggregations|in|number|key|form|id|params|requests|indexname|region|country|currency",
]);

/// What all sites ask about traces.
pub(super) static CONSENT: List = List::of(&[
    "cookie|cookies|cookieconsent|gdpr|ccpa|tcf|cmp|onetrust|cookiebot|didomi|usercentrics|dsgvo|rgpd|cookiebanner",
]);

/// What such an answer is about.
pub(super) static CONSENT_FIELDS: List = List::of(&[
    "analytics|marketing|statistics|necessary|functional|preferences|cookie|cookies|ads|advertising|purposes|vendors|consent|all|essential|performance|targeting|status|csrf|csrfmiddlewaretoken|token|nonce|accept|reject|accepted|version|id",
]);

/// What an address says that is about an answer, and not about something sweet.
pub(super) static CONSENT_WORDS: List = List::of(&[
    "consent|accept|acceptall|reject|decline|deny|agree|choice|choices|preferences|settings|banner|notice|policy|dismiss|allow|save|close",
    "cookieconsent|cookiebanner|gdpr|ccpa|tcf|cmp|onetrust|cookiebot|didomi|usercentrics|dsgvo|rgpd|zustimmung|akzeptieren|ablehnen",
]);

/// What else stands in an address that is about cookies.
pub(super) static CONSENT_PLACES: List = List::of(&[
    "privacy|tracking|my|user|update|set|save|submit|record|store|log|site|wp|plugin|module|all|necessary|essential",
]);

/// Which cookies somebody chose, where nothing but that is meant.
pub(super) static CONSENT_CHOICES: List = List::of(&[
    "necessary|essential|required|only|all|none|analytics|marketing|statistics|functional|preferences|performance|advertising|ads",
    "notwendig|notwendige|erforderlich|alle|keine|necessaires|tous|aucun|necesarias|todas|ninguna|necessari|tutti|nessuno",
]);
