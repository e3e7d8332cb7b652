//! Deeds that nobody knows, with friendly words around them: none of them goes. Beside them what shops do all day, which does.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{BoundSecret, Ruling, WireFacts};
use legwork_types::Outgoing;
use wire::*;

#[test]
fn a_friendly_word_in_an_address_excuses_no_other() {
    none_goes(&[
        json("/v1/me/email_addresses", r#"{"email_address":"m@evil.test"}"#),
        put("/account/email-address", r#"{"email":"m@evil.test"}"#),
        json("/gmail/v1/users/me/settings/filters", r#"{"action":{"forward":"m@evil.test"}}"#),
        json("/gmail/v1/users/me/settings/forwardingAddresses", r#"{"forwardingEmail":"m@evil.test"}"#),
        json("/security/ip-addresses", r#"{"ip":"6.6.6.6"}"#),
        json("/pickup/v1/pickups", r#"{"phone":"1"}"#),
        json("/api/pickupcreation/v2409/pickup", r#"{"x":1}"#),
        json("/api/v1/delivery/create", r#"{"phone":"1"}"#),
        json("/api/shipping/create-label", r#"{"shipment":5}"#),
        Outgoing { method: "PATCH".into(), ..json("/api/v2/storefront/checkout/next", "{}") },
        json("/account/lines/add", r#"{"plan":"max"}"#),
        json("/vouchers/create", r#"{"value":5}"#),
        json("/cart/products/preorder", r#"{"id":1}"#),
        json("/bag/items/55/rent", r#"{"id":1}"#),
        json("/cloud/regions/eu/servers/create", r#"{"id":1}"#),
        json("/display/campaign/create", r#"{"budget":500}"#),
        json("/calendar/slots/5/select", "{}"),
        json("/appointments/slots/123", r#"{"patient":"ada"}"#),
        json("/api/address-book/add", r#"{"address":"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"}"#),
        json("/wallets/5/address", r#"{"address":"bc1q"}"#),
        put("/parcels/5/delivery/address", r#"{"city":"Ulm"}"#),
        json("/wp-json/wc/v3/coupons", r#"{"code":"free"}"#),
        put("/admin/api/2024-01/themes/828155753.json", r#"{"theme":{"role":"main"}}"#),
        json("/admin/shipping/items/55/fulfill", "{}"),
        json("/api/trpc/cart.update,billing.upgrade?batch=1", r#"{"0":{"id":1},"1":{"id":2}}"#),
        json("/rpc/delivery", r#"{"method":"dispatch"}"#),
        json("/cart/items", r#"{"action":"convert","id":1}"#),
    ]);
}

#[test]
fn a_friendly_field_excuses_no_address() {
    none_goes(&[
        form("/v1/tips", "currency=EUR&value=500&email=mallory@evil.test"),
        json("/api/topup", r#"{"currency":"EUR","value":100}"#),
        json("/api/turbo-checkout", r#"{"product_id":12,"quantity":1,"shipping_method":"std"}"#),
        json("/express", r#"{"product_id":12,"quantity":1,"shipping_option":"std"}"#),
        form("/membership/upgrade", "id=gold&currency=EUR"),
        form("/membership/upgrade", "id=gold&add-to-cart=1"),
        form("/membership/upgrade", "id=gold&action=add_to_cart"),
        form("/hire", "slot=3&id=7"),
        json("/v1/rides", r#"{"type":"pickup","street":"x"}"#),
        json("/api/exchange", r#"{"currency":"EUR","option":"1000"}"#),
        form("/settings", "currency=EUR&limit=9000"),
        form("/index.php", "action=preview_and_launch&id=5"),
        form("/index.php", "action=add_to_cart&op=launch"),
    ]);
}

#[test]
fn consent_is_about_cookies_or_it_is_something_else() {
    none_goes(&[
        form("/membership/gold/upgrade", "consent=on&id=gold"),
        form("/contract/77/renew", "consent=on&token=abc"),
        json("/loan/99/issue", r#"{"consent":true,"version":2,"all":true}"#),
        put("/consents/5/give", r#"{"all":true}"#),
        json("/gdpr/forget-me", r#"{"all":true}"#),
        form("/dsgvo/vergessen", "id=5"),
        sent("POST", "/cmp/launch/55"),
        json("/account/privacy/settings", r#"{"status":"public","all":true}"#),
        form("/telehealth/treatment/44", "consent=on&status=yes"),
        form("/treatment", "cookies=1&consent=on"),
        form("/", "consent=on&id=5"),
    ]);
    all_go(&[
        json("/api/cookie-consent", r#"{"analytics":true,"marketing":false}"#),
        form("/cookies/accept", ""),
        form("/cookie-consent", "consent=none"),
        form("/gdpr/accept", "all=1"),
        form("/index.php", "cookie_consent=accept"),
        form("/privacy/preferences", "analytics=0&marketing=0"),
    ]);
}

#[test]
fn a_password_goes_by_itself_only_through_a_door() {
    let secret = BoundSecret::new("hunter22", vec![SHOP.into()]);
    let goes = |outgoing: &Outgoing| {
        let facts = WireFacts { secrets: vec![secret.clone()], ..own_facts(outgoing) };
        ruling(outgoing, facts) == Ruling::Go
    };
    for (path, body) in [
        ("/api/auth/mfa/disable", "password=hunter22"),
        ("/two-factor/disable", "username=ada&password=hunter22"),
        ("/api/auth/api-tokens", "password=hunter22&name=mallory"),
        ("/wallet/export-seed", "password=hunter22"),
        ("/delegate", "account=mallory&password=hunter22"),
        ("/session/upgrade-plan", "username=ada&password=hunter22"),
    ] {
        assert!(!goes(&form(path, body)), "{path} {body}");
    }
    for path in ["/login", "/accounts/login/", "/api/v1/auth/login", "/", "/index.php", "/sessions"] {
        assert!(goes(&form(path, "username=ada&password=hunter22")), "{path}");
    }
}

#[test]
fn a_question_is_no_command() {
    for query in [
        "UPDATE public.users SET role='admin'",
        "UPDATE users AS u SET role='admin'",
        "MATCH (n) DETACH DELETE n",
        "DELETE /*a*/ FROM users",
        "DROP RETENTION POLICY a ON b",
        "DROP OWNED BY app",
        "CALL pay_out(5)",
        "SELECT 1; SELECT pay()",
    ] {
        none_goes(&[json("/api/query", &serde_json::json!({ "query": query }).to_string())]);
    }
    none_goes(&[form("/mail/filter", "from=bank&text=x&id=5")]);
    all_go(&[
        json("/api/query", r#"{"query":"blue mugs"}"#),
        form("/search", "q=delete+my+account"),
        form("/hotels/search", "checkin=2026-12-01&checkout=2026-12-05&guests=2"),
        form("/filter", "q=mug&page=2"),
    ]);
}

#[test]
fn what_is_told_to_a_mutation_counts() {
    let ask = |text: &str| json("/graphql", &serde_json::json!({ "query": text }).to_string());
    none_goes(&[
        ask("mutation { updateCart(id: 1, placeOrder: true) { id } }"),
        ask("mutation { updateCart(id: 1, action: PLACE_ORDER) { id } }"),
        ask("mutation { updateCart(input: {id: 1, options: [{submit: \"pay\"}]}) { id } }"),
        ask("mutation { setShipping(to: \"eve\", amount: 500, submit: true) { id } }"),
        ask("mutation { cart { dispatch { id } } }"),
        ask("mutation { collectionUpdate(input: {id: 1}) { id } }"),
        ask("mutation { updateCart(to: \"eve\", amount: 500) { id } }"),
    ]);
    all_go(&[
        ask(
            "mutation { cartLinesAdd(cartId: \"5\", lines: [{merchandiseId: \"7\", quantity: 2}]) { cart { id lines { id } } } }",
        ),
        ask("mutation { addProductsToCart(cartId: \"5\") { cart { id } } }"),
        ask("query { orders(first: 5, status: CANCELLED) { id } }"),
    ]);
}

#[test]
fn addresses_that_tell_are_asked_about_however_long_they_are() {
    for url in [
        "/articles/12/delete",
        "/support/tickets/delete/5",
        "/forum/topic/delete?t=5",
        "/api/deleteUserAccountById?id=5",
        "/unsubscribe-from-all-emails?u=123",
        "/remove-all-saved-cards?u=1",
        "/delete-my-account-now?id=5",
        "/x?mode=delete&p=5",
        "/booking/5?status=cancelled",
    ] {
        assert!(!goes(&sent("GET", url)), "{url}");
    }
    for url in [
        "/blog/how-to-delete-your-account",
        "/orders?status=open",
        "/help/cancel-subscription",
        "/x?mode=dark",
    ] {
        assert!(goes(&sent("GET", url)), "{url}");
    }
}

#[test]
fn a_body_that_servers_read_differently_is_read_in_every_way() {
    let boundary = "multipart/form-data; boundary=B";
    none_goes(&[
        form("/wp-admin/admin-ajax.php", r#"{"currency":"EUR&action=place_order&x=1"}"#),
        with(
            sent("POST", "/cart/add"),
            boundary,
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\n--B\nContent-Disposition: form-data; name=\"action\"\n\nplace_order\r\n--B--\r\n",
        ),
        with(
            sent("POST", "/cart/add"),
            boundary,
            "--B\r\nContent-Disposition: form-data; name=\"a\"\nX: y\r\n\r\nx\r\n--B--\r\n",
        ),
        with(sent("POST", "/cart/add"), "application/json; charset=utf-8; charset=utf-16", r#"{"id":1}"#),
        form("/cart/add", "%25u0061ction=place_order"),
        form("/cart/add", "id=1;action=place_order"),
        form("/cart/add", &format!("a={}", r#"{"b":"{\"c\":\"{\\\"action\\\":\\\"place_order\\\"}\"}"}"#)),
        form("/Checkout/Delivery.aspx", "__VIEWSTATE=abc&ctl00%24ContentPlaceHolder1%24btnPayNow=OK"),
        form("/checkout/delivery.xhtml", "checkoutForm%3Ashipping%3Aj_idt44%3ApayButton=x"),
    ]);
}

#[test]
fn headers_that_a_script_sets_count() {
    let header = |name: &str, value: &str| {
        let mut outgoing = json("/cart/update", r#"{"id":1}"#);
        outgoing.headers.push((name.into(), value.into()));
        outgoing
    };
    none_goes(&[header("x-submit", "order"), header("x-payment-token", "tok_12345678")]);
    all_go(&[
        header("hx-target", "#cart"),
        header("x-up-target", ".cart"),
        header("turbo-frame", "cart"),
        header("x-csrf-token", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE"),
        header("authorization", "Bearer x"),
    ]);
}

#[test]
fn what_shops_do_all_day_goes() {
    all_go(&[
        form("/product/blue-mug/", "add-to-cart=12&quantity=1"),
        form("/?wc-ajax=add_to_cart", "product_id=12&quantity=1"),
        form("/wp-admin/admin-ajax.php", "action=woocommerce_add_to_cart&product_id=5"),
        form("/cart", "updates%5B%5D=1&checkout="),
        form("/cart/add.js", "id=5&quantity=1"),
        form("/index.php?route=checkout/cart/add", "product_id=43&quantity=1"),
        form("/checkout/cart/add/product/12", "qty=1"),
        json("/wp-json/wc/store/v1/cart/add-item", r#"{"id":5,"quantity":1}"#),
        json("/rest/V1/carts/mine/items", r#"{"cartItem":{"sku":"a","qty":1}}"#),
        json("/rest/V1/carts/mine/shipping-information", r#"{"addressInformation":{"city":"Ulm"}}"#),
        form("/cart/remove/5", ""),
        form("/basket/add/12/", "quantity=1"),
        form("/checkout/shipping-address/", "line1=x&city=Ulm"),
        form("/checkout/delivery-slot", "slot=5"),
        form("/cart/apply-coupon", "code=X"),
        form("/en/language", "lang=de&next=/"),
        form("/settings", "currency=EUR&next=/"),
        form("/api/filters", "remove_filter=red"),
        form("/basket/add-instalment", "subscription=5"),
        form("/account/leaving/step/1", "reason=price"),
    ]);
    none_goes(&[
        form("/basket/add-instalment/launch", "id=5"),
        form("/account/leaving/step/2", "reason=price"),
        form("/account/delete/step/1", "reason=price"),
        form("/account/leaving/step/11", "reason=price"),
        form("/add/mailbox", "id=5"),
    ]);
}

#[test]
fn what_is_sent_along_can_be_the_deed() {
    let patch = |path: &str, body: &str| Outgoing { method: "PATCH".into(), ..json(path, body) };
    none_goes(&[
        form("/cart.php", "order=1"),
        form("/cart?/order", ""),
        form("/cart?/proceed", "id=1"),
        form("/cart", "subscribe=1"),
        form("/cart", "submit=Proceed"),
        form("/Cart?handler=Proceed", "id=1"),
        form("/cart", "task=process"),
        json("/cart", r#"{"event":"CONVERT"}"#),
        form("/index.php?r=cart/update&task=process", "id=1"),
        patch("/api/carts/5", r#"{"status":"completed"}"#),
        patch("/api/carts/5", r#"{"status":"processing"}"#),
        patch("/api/drafts/7", r#"{"draft":false}"#),
        patch("/api/drafts/7", r#"{"status":"live"}"#),
        patch("/api/drafts/7", r#"{"visibility":"public"}"#),
        json("/cart", r#"{"autoship":true}"#),
        with(sent("POST", "/cart"), "text/plain", "process it"),
        form("/checkout/step/4", "a=1"),
        form("/checkout/step/next", "a=1"),
        form("/wizard/4", "a=1"),
        form("/loan/launch/step1", "a=1"),
        json("/api/slots/512?lang=en", "{}"),
        json("/api/pickup/create?locale=de", "{}"),
        json("/api/accounts/create", r#"{"language":"en"}"#),
        form("/checkout/process-payment-method", "method=invoice"),
        form("/cart/5/initiate-payment-option", "method=invoice"),
        json("/api/filters", r#"{"forwardTo":"eve@evil.test"}"#),
        json("/api/v1/addresses", r#"{"address":"0x1","coin":"ETH"}"#),
        put("/api/customer/addresses/5", r#"{"default":true}"#),
        put("/api/drafts/7", r#"{"recipients":"eve","scheduled_at":"now"}"#),
        form("/carts/5/ship", ""),
        form("/dispatch/bag/5", ""),
        form("/cart/process01", ""),
        form("/basket/convert2024", ""),
        json("/wishlist/9/add-collaborator", r#"{"email":"eve@evil.test"}"#),
        json("/saved/search", r#"{"email":"eve@evil.test","notify":true}"#),
        json("/api/query", r#"{"query":"select pg_terminate_backend(12)"}"#),
        sent("POST", "/api/consent/allow"),
        json("/user/consent/allow", r#"{"all":true}"#),
        json("/consent", r#"{"accept":true,"id":55}"#),
        json("/consent/save", r#"{"consent":"data-sharing","accept":true}"#),
        json("/gdpr/settings", r#"{"all":true,"status":"forget"}"#),
    ]);
    let ask = |text: &str| json("/graphql", &serde_json::json!({ "query": text }).to_string());
    none_goes(&[
        ask("mutation { cart { pay } }"),
        ask("mutation { cart(id: 5) { pay { id } } }"),
        ask("mutation { cart { pay @include(if: true) { id } } }"),
        ask("mutation { cart { ...F } } fragment F on C { dispatch { id } }"),
        ask("mutation { cart(id: 5) { ... on C { dispatch { id } } } }"),
        ask("mutation { draft(id: 5) { send { id } } }"),
        ask("mutation { address(id: 5) { delete } }"),
        ask("mutation { saveStep(step: 9) { id } }"),
    ]);
    all_go(&[
        json("/api/cart/items/5/remove", "{}"),
        json("/checkout/shipping", r#"{"checkoutId":"5","city":"Ulm"}"#),
        form("/checkout/billing", "street=x&city=Ulm"),
        form("/shop/cart/add", "id=5"),
        ask(
            "mutation { checkoutShippingAddressUpdate(checkoutId: \"5\", city: \"Ulm\") { checkout { id } } }",
        ),
    ]);
}

#[test]
fn doors_have_no_other_purpose() {
    let secret = BoundSecret::new("hunter22", vec![SHOP.into()]);
    for (path, body, passes) in [
        ("/auth/email", "email=eve&password=hunter22", false),
        ("/auth/account", "account=eve&password=hunter22", false),
        ("/auth/users/", "user=eve&password=hunter22", false),
        ("/auth/mfa", "user=ada&password=hunter22&mode=off", false),
        ("/auth/token", "name=ada&password=hunter22", false),
        ("/session", "user=ada&password=hunter22&action=upgrade", false),
        ("/session", "user=ada&password=hunter22&action=login", true),
        ("/users/sign_in", "user=ada&password=hunter22", true),
        ("/checkout/", "user=ada&password=hunter22&options=existing", true),
    ] {
        let outgoing = form(path, body);
        let facts = WireFacts { secrets: vec![secret.clone()], ..own_facts(&outgoing) };
        assert_eq!(ruling(&outgoing, facts) == Ruling::Go, passes, "{path} {body}");
    }
}
