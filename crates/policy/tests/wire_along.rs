//! What is sent along to a place that is known may be the deed. Beside each what shops really send there.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{BoundSecret, Ruling, WireFacts};
use legwork_types::Outgoing;
use proptest::{prelude::*, sample::select};
use wire::*;

fn ask(text: &str) -> Outgoing {
    json("/graphql", &serde_json::json!({ "query": text }).to_string())
}

fn patch(path: &str, body: &str) -> Outgoing {
    Outgoing { method: "PATCH".into(), ..json(path, body) }
}

#[test]
fn a_button_without_a_value_is_no_field_that_was_left_blank() {
    let at = |path: &'static str, name: &'static str| form(path, &format!("id=1&{name}="));
    let deeds = [
        "settle",
        "valider",
        "zahlungspflichtig",
        "tramitar",
        "finalise",
        "rent",
        "launch",
        "concluir",
        "onayla",
        "redeem",
    ];
    let blank = [
        "address_2",
        "apt",
        "fax_number",
        "vat_id",
        "houseNumber",
        "postcode",
        "coupon_code",
        "apply_coupon",
        "order_comments",
        "delivery_instructions",
        "utm_source",
        "website",
        "properties[Engraved]",
    ];
    for path in ["/cart", "/checkout/shipping", "/basket/5/items"] {
        none_goes(&deeds.map(|name| at(path, name)));
        all_go(&blank.map(|name| at(path, name)));
    }
    // Where the checkout begins, as Shopify has it.
    all_go(&[form("/cart", "updates%5B%5D=1&note=&checkout=")]);
}

#[test]
fn a_yes_to_what_nobody_knows_is_asked_about() {
    none_goes(&[
        json("/cart", r#"{"finalise":true}"#),
        json("/cart", r#"{"checkOut":true}"#),
        json("/api/cart", r#"{"checkout":true}"#),
        form("/cart", "check_out=1"),
        json("/cart", r#"{"autopay":true}"#),
        json("/cart", r#"{"oneTap":true,"id":5}"#),
        json("/cart", r#"{"pl4ce_0rder":true}"#),
        json("/cart", r#"{"раy":true}"#),
        json("/cart", r#"{"a":{"b":{"settleIt":{"enabled":true}}}}"#),
        form("/cart", "payload=%7B%22settleIt%22%3Atrue%7D"),
        form("/cart", "x=a%3D1%26settleIt%3Dtrue"),
        json("/cart", r#"[{"name":"settleIt","value":"true"}]"#),
        form("/warenkorb", "zahlungspflichtig=1"),
        form("/panier", "valider=1"),
        form("/carrito", "tramitar_pedido=1"),
        form("/koszyk", "zloz=tak"),
        form("/carrinho", "concluir=1"),
        form("/корзина", "оформить=1"),
        form("/sepet", "onayla=1"),
        form("/winkelwagen", "bestel=1"),
        form("/cart?rent", "id=1"),
        json("/checkout/shipping", r#"{"city":"Ulm","createAccount":true}"#),
        json("/checkout/shipping", r#"{"city":"Ulm","authorise":true}"#),
        form("/checkout/shipping", "city=Ulm&terms=on"),
        json("/checkout/payment-method", r#"{"method":"invoice","settle":true}"#),
        form("/checkout", "step=shipping&settle=true"),
        json("/approval/step/1", r#"{"decision":true}"#),
        json("/automation/5/step/1", "{}"),
        form("/pipeline/5/step/1?run", ""),
        json("/wishlist/5", r#"{"isPublic":true}"#),
        json(
            "/graphql",
            r#"{"query":"mutation ($i: X!) { updateCart(input:$i) {id} }","variables":{"i":{"settle":true}}}"#,
        ),
    ]);
    all_go(&[
        json("/api/basket/items", r#"{"productId":5,"quantity":1,"isGift":true,"giftMessage":"Buy more"}"#),
        form("/checkout/shipping", "city=Ulm&same_as_billing=1&save_address=on&email=a%40b.test"),
        form("/basket/", "form-TOTAL_FORMS=1&form-0-id=5&form-0-quantity=1&form-0-save_for_later=on"),
        form("/cart/add", "id=5&quantity=1&properties%5BEngraving%5D=Pay+me&properties%5BGift%5D=yes"),
        form("/cart", "updates%5B%5D=1&note=&checkout=Check+out"),
        form("/cart?_=1763340000000", "id=5&quantity=1"),
        json(
            "/carts/5",
            r#"{"version":1,"actions":[{"action":"addLineItem","productId":"x","quantity":1}]}"#,
        ),
        form("/form/step/1", "name=x"),
        form("/stores/5/cart/add", "id=1"),
        ask("mutation ($n: Int = 1) { cartLinesAdd(cartId: \"5\", quantity: $n) { cart { id } } }"),
    ]);
}

#[test]
fn whatever_says_what_is_to_be_done_is_known_to_the_last_word() {
    none_goes(&[
        json("/cart", r#"{"mode":"convert"}"#),
        json("/cart", r#"{"action":["convert"]}"#),
        json("/cart", r#"{"actions":["placeOrder"]}"#),
        form("/cart", "action[0]=convert"),
        json("/cart", r#"{"action":{"type":"convert"}}"#),
        json("/cart", r#"{"jsonrpc":"2.0","method":"convert","params":[5]}"#),
        json("/cart", r#"["convert"]"#),
        json("/cart", r#""convert""#),
        json("/cart", r#"[{"name":"action","value":"convert"}]"#),
        json("/carts/5", r#"{"version":1,"actions":[{"action":"setShippingAddress"},{"action":"settle"}]}"#),
        form("/cart", "action=3"),
        form("/cart.do", "dispatch=convert"),
        form("/cart.do", "method=convert"),
        form("/cart.action", "action%3Aconvert=Go"),
        form("/cart?execution=e1s4", "_eventId_proceed=Weiter"),
        form("/cart.xhtml", "form=form&form%3Aj_idt44=form%3Aj_idt44"),
        form("/Cart.aspx", "__EVENTTARGET=&ctl00%24Body%24btnX.x=5&ctl00%24Body%24btnX.y=7"),
        form("/Cart.aspx", "__EVENTTARGET=&__EVENTARGUMENT=convert"),
        form("/cart?0-1.-form-convertButton", "id=1"),
        form("/index.php?route=checkout/cart/add", "route=checkout/settle"),
        form("/index.php?route=checkout/cart/add&controller=launch", "id=1"),
        form("/index.php?controller=cart&module=launch", "id=1"),
        form("/cart", "xml=%3Cconvert%3E1%3C%2Fconvert%3E"),
        ask("mutation { updateCart(id:5, mode: CONVERT) { id } }"),
        ask("mutation { updateCart(id:5, actions: [CONVERT]) { id } }"),
        ask("mutation { updateCart(id:5, action: \"\\u0070lace_order\") { id } }"),
        ask("mutation ($m: Mode = CONVERT) { updateCart(id:5, mode: $m) { id } }"),
        ask("mutation ($i: X = {id: 5, settle: true}) { updateCart(input: $i) { id } }"),
        json(
            "/graphql",
            r#"{"query":"mutation ($m: M) { updateCart(id: 5, mode: $m) { id } }","variables":{"m":"CONVERT"}}"#,
        ),
        json(
            "/graphql",
            r#"[{"query":"mutation ($a: A) { updateCart(id: 5, actions: [$a]) { id } }","variables":{"a":"SETTLE"}}]"#,
        ),
        form("/dispatch/5/cart", "id=1"),
        json("/drafts/7/move", r#"{"to":"sent"}"#),
        put("/wishlist/5", r#"{"privacy":"public"}"#),
    ]);
    let mut rewritten = json("/cart/update", r#"{"id":1}"#);
    rewritten.headers.push(("x-original-uri".into(), "/checkout/settle".into()));
    none_goes(&[rewritten]);
}

#[test]
fn a_button_says_what_it_does_whatever_it_is_called() {
    none_goes(&[
        form("/cart", "go=Buy"),
        form("/cart", "x=Place+order"),
        form("/checkout/shipping", "continue=Place+order&city=Ulm"),
        form("/checkout/shipping", "weiter=Zahlungspflichtig+bestellen&city=Ulm"),
        form("/cart", "boton=Realizar+pedido"),
        form("/cart", "przycisk=Zamawiam+i+p%C5%82ac%C4%99"),
        form("/cart", "кнопка=Оформить+заказ"),
        form("/cart", "按钮=提交订单"),
    ]);
    all_go(&[
        form("/cart/update", "note=Please+send+quickly"),
        form("/checkout/shipping-method", "carrier=Deutsche+Post"),
        form("/basket/add/12/", "quantity=1&next=%2Fcheckout%2Fcomplete"),
    ]);
}

#[test]
fn what_something_is_to_become_is_asked_about_in_numbers_too() {
    none_goes(&[
        patch("/carts/5", r#"{"status":3}"#),
        patch("/carts/5", r#"{"stage":4}"#),
        patch("/carts/5", r#"[{"op":"add","path":"/status","value":"ordered"}]"#),
        patch("/carts/5", r#"[{"op":"add","path":"/order","value":true}]"#),
        patch("/carts/5", r#"[{"op":"add","path":"/state","value":3}]"#),
        form("/admin/shop/cart/5/change/", "status=3&_save=Save"),
        put("/api/drafts/7", r#"{"state":3}"#),
    ]);
    all_go(&[form("/checkout/shipping", "city=Austin&state=TX"), patch("/carts/5", r#"{"quantity":3}"#)]);
}

#[test]
fn a_word_with_a_number_is_no_name_of_a_thing() {
    none_goes(&[
        form("/cart/5/ship-it-77", ""),
        form("/cart/5/convert-42", ""),
        form("/cart/rent-2024", "id=1"),
        form("/cart/add;convert", "id=1"),
    ]);
    all_go(&[form("/cart/add/blue-mug-77", ""), form("/cart/0a1b2c3d-1111/items", "id=5&quantity=1")]);
}

#[test]
fn who_is_named_by_a_mail_address_or_a_wallet_gets_something() {
    none_goes(&[
        json("/api/addresses", r#"{"address":"0x3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c12345678"}"#),
        json("/api/addresses", r#"{"address":"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq","name":"me"}"#),
        json("/api/addresses", r#"{"address":"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa","name":"me"}"#),
        json("/api/addresses", r#"{"address":"eve@evil.test"}"#),
        json("/wishlist/9/add-editor", r#"{"email":"eve@evil.test"}"#),
        json("/wishlist/9/update", r#"{"shareWith":"eve@evil.test"}"#),
        json("/cart/add-cosigner", r#"{"email":"eve@evil.test"}"#),
    ]);
    all_go(&[
        json("/api/addresses", r#"{"firstName":"A","street":"x","city":"Ulm","zip":"1","country":"DE"}"#),
        form("/checkout/shipping-address", "email=a%40b.test&city=Ulm"),
        json("/wishlist/5/items", r#"{"productId":5,"quantity":1}"#),
    ]);
}

#[test]
fn a_search_looks_and_a_list_lists() {
    none_goes(&[
        form("/upgrade.php/search", "q=1"),
        form("/upgrade.php/products/list", "page=1"),
        json("/api/search", r#"{"jsonrpc":"2.0","method":"convert","params":{"q":1}}"#),
        json("/search", r#"{"q":"x","then":"hire"}"#),
        form("/search", "q=x&cmd=launch"),
        json("/search", r#"{"q":"x","upgrade":true}"#),
        json("/search", r#"{"sql":"CALL pay_out(5)"}"#),
        json("/saved/search", r#"{"q":"x","frequency":"daily"}"#),
        json("/items/5/list", r#"{"page":1}"#),
        json("/listings/list", r#"{"id":5}"#),
        json("/products/list", r#"{"title":"x","price":5,"page":1}"#),
    ]);
    all_go(&[
        json("/api/products/list", r#"{"page":1,"limit":20,"filters":{"brand":["x"]}}"#),
        json("/api/orders/list", r#"{"page":1}"#),
        json("/api/products/count", r#"{"filters":{"brand":"x"}}"#),
        json("/store-api/product-listing/abc0123456789", r#"{"page":2,"limit":24}"#),
        json("/flights/search", r#"{"from":"ULM","to":"TXL","direct":true,"adults":1}"#),
        form("/index.php/search", "q=1"),
    ]);
}

#[test]
fn where_one_address_is_for_everything_a_field_says_that_somebody_comes_in() {
    let secret = BoundSecret::new("hunter22", vec![SHOP.into()]);
    for (path, body, passes) in [
        ("/index.php?action=email", "email=eve%40evil.test&password=hunter22", false),
        ("/index.php?action=phone", "user=ada&phone=666&password=hunter22", false),
        ("/index.php?step=email", "email=eve&password=hunter22", false),
        ("/?form=domain", "user=eve&password=hunter22", false),
        ("/session", "user=ada&password=hunter22&do=account", false),
        ("/login", "user=ada&password=hunter22&action=email", false),
        ("/index.php?route=account/edit", "email=eve&password=hunter22", false),
        ("/index.php?route=account/login&route=account/edit", "email=eve&password=hunter22", false),
        ("/my-account/", "username=eve&password=hunter22", false),
        ("/my-account/", "login=eve&password=hunter22&submit=Save", false),
        ("/my-account/", "username=ada&password=hunter22&login=Log+in&newsletter=1", false),
        ("/my-account/?action=email", "username=eve&password=hunter22&login=Log+in", false),
        ("/my-account/edit-account/", "username=ada&password=hunter22&login=Log+in", false),
        ("/account/email", "email=eve&password=hunter22&login=Log+in", false),
        (
            "/my-account/",
            "username=ada&password=hunter22&woocommerce-login-nonce=x&_wp_http_referer=%2F&login=Log+in",
            true,
        ),
        ("/mein-konto/", "username=ada&password=hunter22&login=Anmelden&rememberme=forever", true),
        ("/index.php?route=account/login", "email=ada&password=hunter22", true),
        ("/index.php?action=login", "user=ada&password=hunter22", true),
        ("/index.php?step=password", "user=ada&password=hunter22", true),
        ("/user/login", "name=ada&pass=hunter22&form_build_id=x&form_id=user_login_form&op=Log+in", true),
    ] {
        let outgoing = form(path, body);
        let facts = WireFacts { secrets: vec![secret.clone()], ..own_facts(&outgoing) };
        assert_eq!(ruling(&outgoing, facts) == Ruling::Go, passes, "{path} {body}");
    }
    none_goes(&[form("/cookie-consent", "analytics=%7B%22upgrade%22%3Atrue%7D")]);
    all_go(&[json("/cookie-consent", r#"{"preferences":{"analytics":true,"marketing":false}}"#)]);
}

#[test]
fn addresses_that_are_read_tell_in_more_ways() {
    for url in [
        "/renew?id=1",
        "/upgrade?plan=gold",
        "/orders/5/dispatch",
        "/users/5/suspend",
        "/quote/5/finalize",
        "/x?action=renew&id=5",
        "/x?action=delete_all_of_my_old_posts&id=1",
        "/x?confirm_delete=1&id=5",
        "/admin/coupons/5/delete",
    ] {
        assert!(!goes(&sent("GET", url)), "{url}");
    }
    for url in [
        "/upgrade",
        "/help/upgrade?lang=en",
        "/x?show_delete=1",
        "/cart/remove-coupon/X",
        "/sign-up?ref=1",
        "/notebook/5",
        "/renewals/5",
        "/search?q=renew",
    ] {
        assert!(goes(&sent("GET", url)), "{url}");
    }
}

#[test]
fn shops_of_many_makers_are_used_without_a_question() {
    all_go(&[
        form(
            "/?wc-ajax=update_order_review",
            "security=abc&payment_method=cod&country=DE&postcode=12345&city=Ulm&s_city=Ulm&has_full_address=true&post_data=billing_city%3DUlm%26terms%3Don%26woocommerce-process-checkout-nonce%3Dx&shipping_method%5B0%5D=flat_rate%3A1",
        ),
        form("/?wc-ajax=get_refreshed_fragments", "time=1"),
        form("/?wc-ajax=remove_from_cart", "cart_item_key=abc"),
        form("/?wc-ajax=apply_coupon", "security=a&coupon_code=X"),
        form("/product/mug/", "attribute_pa_color=blue&quantity=1&add-to-cart=12&variation_id=13"),
        form(
            "/checkout/line-item/add",
            "lineItems%5Babc%5D%5Bstackable%5D=1&lineItems%5Babc%5D%5Bquantity%5D=1&lineItems%5Babc%5D%5Btype%5D=product&redirectTo=frontend.cart.offcanvas",
        ),
        form("/checkout/line-item/change-quantity/0189abcdef0123456789abcdef012345", "quantity=2"),
        form("/checkout/promotion/add", "code=X&redirectTo=frontend.checkout.cart.page"),
        form("/checkout/configure", "shippingMethodId=0189abcdef0123456789abcdef012345"),
        json("/store-api/checkout/cart/line-item", r#"{"items":[{"type":"product","id":"a","quantity":1}]}"#),
        form("/checkout/cart/add/uenc/aHR0cHM6Ly9zaG9wLnRlc3Qv/product/12/", "product=12&form_key=abc&qty=1"),
        form("/checkout/cart/updatePost/", "form_key=a&cart%5B5%5D%5Bqty%5D=2&update_cart_action="),
        form("/catalog/product_compare/add/", "product=5&form_key=x&uenc=aHR0"),
        ask("mutation { createEmptyCart }"),
        ask(
            "mutation { setPaymentMethodOnCart(input:{cart_id:\"5\", payment_method:{code:\"checkmo\"}}) { cart { id } } }",
        ),
        ask("mutation { setGuestEmailOnCart(input:{cart_id:\"5\", email:\"a@b.test\"}) { cart { id } } }"),
        ask(
            "mutation { cartBuyerIdentityUpdate(cartId:\"5\", buyerIdentity:{countryCode:DE}) { cart { id } } }",
        ),
        ask("mutation { cartDiscountCodesUpdate(cartId:\"5\", discountCodes:[\"X\"]) { cart { id } } }"),
        form("/localization", "form_type=localization&_method=put&return_to=%2F&country_code=DE"),
        form(
            "/index.php?controller=cart",
            "token=abc&id_product=1&id_customization=0&qty=1&add=1&action=update",
        ),
        form("/index.php?route=checkout/cart/edit", "quantity%5B5%5D=2"),
        form("/index.php?route=checkout/cart/remove", "key=5"),
        form("/index.php?route=common/currency/currency", "code=EUR&redirect=x"),
        json("/api/storefront/checkouts/0a1b2c3d-1111/consignments", r#"[{"address":{"city":"Ulm"}}]"#),
        form(
            "/on/demandware.store/Sites-X-Site/en_US/CheckoutShippingServices-SelectShippingMethod",
            "methodID=001",
        ),
        json("/occ/v2/spa/users/anonymous/carts/0a1b2c3d-1111/entries?lang=en", r#"{"quantity":1}"#),
    ]);
    none_goes(&[
        Outgoing { method: "DELETE".into(), ..sent("DELETE", "/api/cart/items/5") },
        form("/?wc-ajax=update_order_review&action=launch", "security=abc"),
        form("/?wc-ajax=update_order_review", "post_data=card_number%3D4111111111111111%26x%3D1"),
        form("/?wc-ajax=update_order_review&wc-ajax=checkout", "security=a"),
        form("/upgrade/?wc-ajax=update_order_review", "security=a"),
        form("/?wc-ajax=get_and_settle", "security=a"),
        form("/localization", "form_type=upgrade&country_code=DE"),
        form("/localization", "_method=delete&country_code=DE"),
        form("/checkout/line-item/settle", "id=1"),
        form("/index.php?controller=order", "action=update"),
        ask("mutation { setPaymentMethodAndPlaceOrder(input:{cart_id:\"5\"}) { id } }"),
        form("/checkout/line-item/delete/0189abcdef0123456789abcdef012345", ""),
    ]);
}

/// Deeds that are on no list here.
const UNHEARD: &[&str] = &[
    "frobnicate",
    "conclude",
    "bindingOffer",
    "ratify",
    "zahlungspflichtig",
    "go_live",
    "enactNow",
    "оплатиться",
    "endorse",
    "tender",
    "commitment",
    "escrow",
    "hand-over",
    "lock_in",
    "einwilligen",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// A deed that nobody has heard of does not go, wherever it stands in a request to a place that is known.
    #[test]
    fn no_deed_that_nobody_knows_goes_by_the_place_that_it_is_sent_to(
        place in select(vec!["/cart", "/api/carts/5", "/basket/items", "/checkout/shipping", "/checkout/payment-method", "/wishlist/9/items", "/drafts/7", "/index.php?route=checkout/cart/add"]),
        deed in select(UNHEARD.to_vec()),
        how in 0usize..12,
        yes in select(vec!["true", "1", "yes", "on", "ja"]),
        method in select(vec!["POST", "PUT", "PATCH"]),
    ) {
        let and = if place.contains('?') { "&" } else { "?" };
        let outgoing = match how {
            0 => form(place, &format!("id=5&{deed}={yes}")),
            1 => form(place, &format!("id=5&x[{deed}]={yes}")),
            2 => json(place, &format!(r#"{{"id":5,"{deed}":true}}"#)),
            3 => json(place, &format!(r#"{{"input":{{"id":5,"{deed}":{{"enabled":true}}}}}}"#)),
            4 => json(place, &format!(r#"{{"action":"{deed}"}}"#)),
            5 => json(place, &format!(r#"{{"actions":[{{"action":"add"}},{{"action":"{deed}"}}]}}"#)),
            6 => form(&format!("{place}{and}{deed}"), "id=5"),
            7 => form(&format!("{place}{and}op={deed}"), "id=5"),
            8 => json(place, &format!(r#"[{{"op":"add","path":"/{deed}","value":true}}]"#)),
            9 => form(place, &format!("data={{\"{deed}\":\"{yes}\"}}")),
            10 => json(place, &format!(r#"{{"status":"{deed}"}}"#)),
            _ => form(place, &format!("btn_{deed}=OK")),
        };
        let outgoing = Outgoing { method: method.into(), ..outgoing };
        prop_assert!(!goes(&outgoing), "{} {} {:?}", outgoing.method, outgoing.url, outgoing.body);
    }
}
