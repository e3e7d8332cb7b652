//! The class of a request: dangers, and beside each its harmless twin.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{ActFacts, ActKind, BoundSecret, Class, PrepareRule, WireFacts, classify, decode};
use legwork_types::{Outgoing, OutgoingBody, OutgoingKind, Sender};
use wire::*;

#[test]
fn addresses_that_are_read() {
    for path in [
        "/",
        "/search?q=delete+my+account",
        "/autocomplete?term=pay",
        "/saved-items",
        "/trash",
        "/accept",
        "/libros-del-mes/5",
        "/cancellation-policy",
        "/payment-methods-help",
        "/delivery",
        "/orders",
        "/orders/5",
        "/orders/new",
        "/products?sort=price&page=2",
        "/help/cancel-subscription",
        "/blog/how-to-delete-your-account",
        "/basket/",
        "/checkout/",
        "/checkout/thank-you/",
        "/oauth/authorize?client_id=1",
        "/static/delete.js",
        "/icons/remove.svg",
        "/buy/laptops",
        "/cancel",
        "/transactions?type=transfer",
        "/sender/5",
        "/buyers-guide",
        "/news/uk-to-buy-five-new-ships",
        "/items?remove_filter=red",
        "/paypal",
        "/sign-in",
        "/posts/5",
        "/confirmation/5",
        "/api/products?_=4111111111111&fields=a",
        "/publishers/5",
        "/transfers/5",
        "/list?order=price&dir=asc",
        "/deleted-scenes",
        "/cart",
        "/wishlists/",
        "/graphql?query=%7Bme%7Bname%7D%7D",
        "/s?delete=0",
        "/pages/send-flowers-to-your-mother",
        "/checkout/confirmation",
    ] {
        check("read", &sent("GET", path));
        check("read", &kind(sent("GET", path), OutgoingKind::Page));
        check("read", &sent("HEAD", path));
    }
}

#[test]
fn addresses_that_are_a_risk_to_read() {
    for path in [
        "/delete?id=1",
        "/vote?id=5",
        "/approve/5",
        "/admin.php?op=del&id=4",
        "/one-click/5",
        "/book-now?room=3",
        "/checkout/complete?x=1",
        "/posts/5/delete",
        "/deletePost/5",
        "/deletepost?id=5",
        "/delete-account",
        "/unsubscribe",
        "/unsubscribe.php?u=1",
        "/orders/5/cancel",
        "/cancel?id=5",
        "/cancel-order/7",
        "/pay?invoice=3",
        "/pay",
        "/buy/5",
        "/purchase?id=1",
        "/transfer?to=x&amount=5",
        "/transfer",
        "/publish/5",
        "/posts/5/publish",
        "/send?to=a",
        "/confirm?token=abc",
        "/index.php?action=delete&id=5",
        "/x?do=remove&id=1",
        "/x?op=buyNow",
        "/x?cmd=cancel&id=3",
        "/x?delete=5",
        "/x?remove_item=abc",
        "/l%C3%B6schen?id=1",
        "/loeschen/5",
        "/kaufen/5",
        "/k%C3%BCndigen",
        "/pagar?x=1",
        "/eliminar/3",
        "/supprimer/3",
        "/acheter?p=1",
        "/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C/5",
        "/%E5%88%A0%E9%99%A4?id=1",
        "/%E7%AB%8B%E5%8D%B3%E8%B4%AD%E4%B9%B0/5",
        "/help/delete?id=1",
        "/d%65lete?id=1",
        "/d%2565lete?id=1",
        "/DELETE?id=1",
        "/order/place?id=1",
        "/cart/clear",
        "/delete/all/of/it",
        "/a;action/delete",
        "/x?_method=DELETE",
        "/x?confirm=1",
        "/graphql?query=mutation%7Bpay%7Bid%7D%7D",
        "/pay?card=4111111111111111",
        "/x?n=4111111111111111",
        "/x?iban=DE89370400440532013000",
    ] {
        check("commit", &sent("GET", path));
        check("commit", &kind(sent("GET", path), OutgoingKind::Page));
    }
    for path in ["/logout", "/accounts/logout/", "/signOut", "/sign-out?x=1", "/abmelden", "/x?action=logout"]
    {
        check("logout", &sent("GET", path));
    }
    for path in [
        "/cart/add/5",
        "/?add-to-cart=5",
        "/basket/add?id=5",
        "/warenkorb/hinzufuegen/5",
        "/x?action=add_to_cart&id=5",
    ] {
        check("prepare", &sent("GET", path));
    }
}

#[test]
fn a_whole_order_at_a_shop_asks_twice() {
    let token = "csrfmiddlewaretoken=aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE";
    let address = format!(
        "{token}&first_name=Mira&last_name=K&line1=Street+5&line4=Town&postcode=12345&country=DE&phone_number=%2B49301234567"
    );
    for (expected, path, body) in [
        (
            "login",
            "/accounts/login/",
            format!(
                "{token}&login-username=mira@shop.test&login-password=mira-pass-1&login-redirect_url=&login_submit=Log+In"
            ),
        ),
        ("prepare", "/basket/add/12/", format!("{token}&quantity=1")),
        ("prepare", "/basket/", format!("{token}&form-TOTAL_FORMS=1&form-0-id=5&form-0-quantity=2")),
        ("prepare", "/basket/vouchers/add/", format!("{token}&code=SUMMER")),
        ("prepare", "/wishlists/add/product/12/", token.to_owned()),
        ("prepare", "/i18n/setlang/", format!("{token}&language=de&next=/")),
        ("prepare", "/checkout/shipping-address/", address),
        ("prepare", "/checkout/shipping-address/", format!("{token}&address_id=4&action=ship_to")),
        ("prepare", "/checkout/shipping-method/", format!("{token}&method_code=express")),
        (
            "commit",
            "/checkout/preview/",
            format!("{token}&number=4111111111111111&ccv=123&expiry_month_0=01&expiry_month_1=2030"),
        ),
        ("commit", "/checkout/payment-details/", format!("{token}&number=4111111111111111&ccv=123")),
        (
            "commit",
            "/checkout/preview/",
            format!("{token}&action=place_order&number=4111111111111111&ccv=123"),
        ),
        ("commit", "/checkout/preview/", format!("{token}&action=place_order")),
        (
            "commit",
            "/accounts/login/",
            format!("{token}&registration-email=a@b.c&registration-password1=x&registration-password2=x"),
        ),
        ("unknown", "/catalogue/teapot_12/reviews/add/", format!("{token}&score=5&title=x&body=y")),
    ] {
        check(expected, &kind(form(path, &body), OutgoingKind::Page));
    }
}

#[test]
fn what_is_written() {
    for (expected, path, body) in [
        ("read", "/search", "q=pay+now&page=2&sort=price"),
        ("read", "/api/suggest", "term=del"),
        ("prepare", "/search", "q=x&note=y"),
        ("prepare", "/flights/search", "from=ULM&to=TXL&date=2026-12-01"),
        ("unknown", "/search/apply", "q=x"),
        ("unknown", "/api/x", "a=1"),
        ("unknown", "/checkout", "a=1"),
        ("unknown", "/cart/checkout", "a=1"),
        ("unknown", "/cart/convert", "a=1"),
        ("unknown", "/api/items", "sku=5&quantity=1"),
        ("prepare", "/cart/add.js", "id=5&quantity=1"),
        ("prepare", "/cart/change", "line=1&quantity=0"),
        ("prepare", "/cart/apply-coupon", "code=X"),
        ("unknown", "/address-book/add", "street=x"),
        ("prepare", "/warenkorb/hinzufuegen", "artikel=5"),
        ("prepare", "/panier/ajouter", "id=5"),
        ("prepare", "/api/filters", "remove_filter=red"),
        ("prepare", "/drafts/5", "text=hello"),
        ("unknown", "/form/step/2", "name=x"),
        ("prepare", "/form/step/1", "name=x"),
        ("prepare", "/wp-admin/admin-ajax.php", "action=add_to_cart&id=5"),
        ("commit", "/wp-admin/admin-ajax.php", "action=delete_post&id=5"),
        ("commit", "/?wc-ajax=checkout", "billing_city=x"),
        ("commit", "/checkout/place", ""),
        ("commit", "/checkout/confirm", "a=1"),
        ("commit", "/checkout/order", "a=1"),
        ("commit", "/checkout/complete", "a=1"),
        ("commit", "/checkout/submit", "a=1"),
        ("commit", "/checkout/pay", "a=1"),
        ("commit", "/checkout/shipping/place-order", "street=x"),
        ("unknown", "/api/frob", "next=/&text=x"),
        ("unknown", "/api/frob", "currency=EUR&listing=5"),
        ("prepare", "/settings", "currency=EUR&next=/"),
        ("unknown", "/x", "shipping_street=a&shipping_city=b&csrf_token=c"),
        ("unknown", "/x", "shipping_street=a&frobnicate=1"),
        ("commit", "/draft", "status=publish"),
        ("commit", "/draft", "published=true"),
        ("commit", "/wizard/next", "wizard_finish=1"),
        ("unknown", "/account/preferences", "two_factor=off"),
        ("commit", "/cart/empty", "a=1"),
        ("commit", "/cart", "woocommerce_checkout_place_order=1"),
        ("commit", "/cart", "cart=5&buy=1"),
        ("commit", "/cart", "cart=5&submit=Buy+now"),
        ("commit", "/cart", "cart=5&action=%D0%BE%D0%BF%D0%BB%D0%B0%D1%82%D0%B8%D1%82%D1%8C"),
        ("commit", "/warenkorb/bestellen", "a=1"),
        ("commit", "/warenkorb/kaufen", "a=1"),
        ("commit", "/panier/payer", "a=1"),
        ("commit", "/carrito/comprar", "a=1"),
        ("commit", "/cart/%E6%94%AF%E4%BB%98", "a=1"),
        ("commit", "/address", "amount=5&to=mallory"),
        ("commit", "/address", "cvc=123"),
        ("commit", "/address", "card_number=x"),
        ("commit", "/address", "x=4111+1111+1111+1111"),
        ("commit", "/address", "x=DE89+3704+0044+0532+0130+00"),
        ("commit", "/address", "payment_method_nonce=abc"),
        ("commit", "/address", "payload=%7B%22cvc%22%3A%22123%22%7D"),
        ("commit", "/address", "password=x"),
        ("commit", "/address", "_method=delete"),
        ("commit", "/api/orders", "a=1"),
        ("commit", "/orders/5/address", "a=1"),
        ("commit", "/rest/V1/carts/mine/payment-information", "a=1"),
        ("prepare", "/rest/V1/carts/mine/shipping-information", "a=1"),
        ("consent", "/cookie-consent", "analytics=true&marketing=false"),
        ("consent", "/api/gdpr/accept", "all=1"),
        ("consent", "/privacy/preferences", "statistics=0"),
        ("consent", "/consent", "choice=necessary&csrf_token=x"),
        ("consent", "/api/consent", "choice=all"),
        ("unknown", "/consent", "choice=accept"),
        ("unknown", "/consent", "choice=necessary&loan=5000"),
        ("unknown", "/choices", "choice=all"),
        ("unknown", "/oauth/consent", "client_id=5&scope=mail"),
        ("unknown", "/oauth/consent", "client_id=5&choice=all"),
        ("prepare", "/checkout/payment-method", "method=invoice"),
        ("prepare", "/rest/carts/mine/selected-payment-method", "method=invoice"),
        ("commit", "/checkout/payment-method", "method=card&number=4111111111111111"),
        ("commit", "/checkout/payment-method", "paymentToken=tok_1"),
        ("commit", "/checkout/payment-method/confirm", "method=invoice"),
        ("commit", "/checkout/payment", "method=invoice"),
        ("unknown", "/account/payment-methods", "method=invoice"),
        ("unknown", "/checkout/payment-method/do-it", "method=invoice"),
        ("unknown", "/checkout/add-payment-method", "method=invoice"),
        ("logout", "/logout", ""),
        ("login", "/login", "email=a@b.c"),
        ("login", "/api/x", "username=a&password=b"),
        ("commit", "/change", "password=b&new_password=c"),
        ("commit", "/login", "user=a&password=b&cvc=123"),
        ("commit", "/login/delete", "user=a&password=b"),
    ] {
        check(expected, &form(path, body));
    }
    for method in ["DELETE", "PURGE", "LINK", "foo"] {
        check("commit", &sent(method, "/cart/5"));
    }
    check("prepare", &with(sent("PUT", "/cart/items/5"), "application/json", r#"{"quantity":2}"#));
    check("unknown", &with(sent("PATCH", "/api/x/5"), "application/json", r#"{"a":2}"#));
}

#[test]
fn other_sites_beacons_and_what_cannot_be_read() {
    let beacon = |outgoing| kind(outgoing, OutgoingKind::Beacon);
    for (expected, outgoing) in [
        ("commit", form("https://evil.test/cart/add", "id=5")),
        ("prepare", form("https://www.shop.test/cart/add", "id=5")),
        ("commit", form("http://shop.test/cart/add", "id=5")),
        ("commit", form("https://shop.test.evil.test/cart/add", "id=5")),
        ("telemetry", beacon(json("https://stats.test/x", r#"{"a":1}"#))),
        ("telemetry", beacon(with(sent("POST", "https://stats.test/x"), "application/octet-stream", [1, 2]))),
        ("commit", beacon(json("https://stats.test/x", r#"{"card":"4111111111111111"}"#))),
        ("commit", beacon(json("https://stats.test/place-order", "{}"))),
        ("telemetry", beacon(json("/collect", r#"{"a":1}"#))),
        ("telemetry", json("https://stats.test/g/collect", r#"{"a":1}"#)),
        ("unknown", beacon(json("/x", r#"{"a":1}"#))),
        ("commit", beacon(json("/order", r#"{"a":1}"#))),
        ("commit", with(sent("POST", "/cart/add"), "application/x-protobuf", [1])),
        ("commit", with(sent("POST", "/cart/add"), "application/json", "{")),
        ("commit", with(sent("POST", "/cart/add"), "", [0xff, 0])),
        ("commit", Outgoing { body: OutgoingBody::Unread, ..sent("POST", "/cart/add") }),
        ("commit", sent("POST", "nonsense")),
        (
            "commit",
            with(
                sent("POST", "/cart/add"),
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nx\r\n--b--\r\n",
            ),
        ),
        ("commit", Outgoing { sender: Sender::default(), ..form("/cart/add", "id=5") }),
    ] {
        check(expected, &outgoing);
    }
    let mut null = form("/cart/add", "id=5");
    null.headers.push(("origin".into(), "null".into()));
    check("commit", &null);
    let mut over = form("/cart/add", "id=5");
    over.headers.push(("x-http-method-override".into(), "delete".into()));
    check("commit", &over);
    let mut framed = form("https://ads.test/cart/add", "id=5");
    framed.sender.document = Some("https://ads.test/frame".into());
    check("commit", &framed);
    for (from, to, expected) in [
        ("http://127.0.0.1:8802/x", "http://127.0.0.1:8802/basket/add/5/", "prepare"),
        ("http://127.0.0.1:8802/x", "http://127.0.0.1:9999/basket/add/5/", "commit"),
        ("http://127.0.0.1/x", "http://127.0.0.2/basket/add/5/", "commit"),
        ("http://localhost/x", "http://127.0.0.1/basket/add/5/", "commit"),
        ("https://a.github.io/x", "https://b.github.io/basket/add/5/", "commit"),
        ("https://a.co.uk/x", "https://b.co.uk/basket/add/5/", "commit"),
        ("https://a.shop.co.uk/x", "https://b.shop.co.uk/basket/add/5/", "prepare"),
        ("http://shop.test/x", "https://shop.test./basket/add/5/", "prepare"),
    ] {
        let sender = Sender { page: Some(from.into()), document: Some(from.into()), ..Sender::default() };
        check(expected, &Outgoing { sender, ..form(to, "a=1") });
    }
}

#[test]
fn what_is_known_besides() {
    let class = |outgoing: &Outgoing, change: &dyn Fn(&mut WireFacts)| {
        let mut facts = own_facts(outgoing);
        change(&mut facts);
        classify(&decode(outgoing), &facts).class
    };
    let basket = form("/basket/add/5/", "quantity=1");
    let page = kind(sent("GET", "/x"), OutgoingKind::Page);
    let danger = |facts: &mut WireFacts| facts.act = Some(pressed(&["says \"pay\""]));
    let link =
        |facts: &mut WireFacts| facts.act = Some(ActFacts { is_link: true, ..pressed(&["says \"pay\""]) });
    let asked = |facts: &mut WireFacts| facts.asked = true;
    assert_eq!(class(&basket, &|_| {}), Class::Prepare);
    assert_eq!(class(&basket, &danger), Class::Commit);
    assert_eq!(class(&basket, &asked), Class::Commit);
    assert_eq!(
        class(&basket, &|facts| facts.act = Some(ActFacts { kind: ActKind::History, ..pressed(&[]) })),
        Class::Commit
    );
    assert_eq!(class(&page, &danger), Class::Commit);
    assert_eq!(class(&page, &link), Class::Read);
    assert_eq!(class(&sent("GET", "/x"), &danger), Class::Read);
    let rule = |path: &str| {
        let path = path.to_owned();
        move |facts: &mut WireFacts| {
            facts.prepare = vec![PrepareRule { origin: SHOP.into(), path: path.clone() }]
        }
    };
    assert_eq!(class(&form("/api/x", "a=1"), &rule("/api")), Class::Prepare);
    assert_eq!(class(&form("/apix", "a=1"), &rule("/api")), Class::Unknown);
    assert_eq!(class(&form("/api/..%2fx", "a=1"), &rule("/api")), Class::Unknown);
    assert_eq!(class(&form("/api/delete", "a=1"), &rule("/api")), Class::Commit);
    let secret = |value: &str, origin: &str| {
        let bound = BoundSecret::new(value, vec![origin.into()]);
        move |facts: &mut WireFacts| facts.secrets = vec![bound.clone()]
    };
    let login = form("/login", "user=a&password=hunter22");
    assert_eq!(named(class(&login, &secret("hunter22", SHOP))), "login");
    assert_eq!(class(&login, &secret("hunter22", "https://bank.test")), Class::Commit);
    for value in [
        "hunter22",
        "HUNTER22",
        "22retnuh",
        "aHVudGVyMjI",
        "eGh1bnRlcjIyeA",
        "68756e7465723232",
        "x%2568unter22",
    ] {
        assert_eq!(
            class(&form("/basket/add", &format!("x={value}")), &secret("hunter22", SHOP)),
            Class::Commit,
            "{value}"
        );
        assert_eq!(
            class(&sent("GET", &format!("/x?y={value}")), &secret("hunter22", SHOP)),
            Class::Commit,
            "{value}"
        );
    }
}

/// A page at an address that the operator names may be opened whatever its words say; what is below it, and what is sent there, may not.
#[test]
fn a_page_that_leads_to_something_can_be_named_by_the_operator() {
    let rule = PrepareRule { origin: SHOP.into(), path: "/account/cancel".into() };
    let class = |outgoing: &Outgoing, prepare: Vec<PrepareRule>| {
        classify(&decode(outgoing), &WireFacts { prepare, ..own_facts(outgoing) }).class
    };
    let page = kind(sent("GET", "/account/cancel"), OutgoingKind::Page);
    assert_eq!(class(&page, vec![]), Class::Commit);
    assert_eq!(class(&page, vec![rule.clone()]), Class::Read);
    for other in [
        kind(sent("GET", "/account/cancel/subscription"), OutgoingKind::Page),
        form("/account/cancel", "plan=1"),
        sent("DELETE", "/account/cancel"),
    ] {
        assert_eq!(class(&other, vec![rule.clone()]), Class::Commit, "{other:?}");
    }
}

/// Some servers are told what to do by a path within the query.
#[test]
fn a_route_in_the_query_is_read_like_a_path() {
    for (expected, url) in [
        ("commit", "/index.php?route=extension/payment/cod/confirm"),
        ("commit", "/index.php?r=user/delete&id=4"),
        ("commit", "/?q=node/1/delete"),
        ("read", "/index.php?route=product/product&product_id=43"),
        ("read", "/index.php?route=common/home"),
        ("read", "/login?next=/checkout/confirm"),
        ("read", "/img?src=/pay/confirm.png"),
    ] {
        check(expected, &sent("GET", url));
    }
    check("commit", &form("/index.php?route=checkout/confirm", "a=1"));
}

/// A press on what is dangerous counts for scripts too where they say that something is to be done.
#[test]
fn danger_counts_for_what_a_script_commands() {
    let class = |url: &str| {
        let outgoing = sent("GET", url);
        let facts = WireFacts { act: Some(pressed(&["pays"])), ..own_facts(&outgoing) };
        named(classify(&decode(&outgoing), &facts).class)
    };
    assert_eq!(class("/ajax.php?action=go"), "commit");
    assert_eq!(class("/api/prices?sku=7"), "read");
}

#[test]
fn what_goes_to_a_checkout_as_a_whole_is_no_step() {
    let order = r#"{"billing_address":{"city":"Ulm"},"shipping_address":{"city":"Ulm"},"note":"x"}"#;
    for path in ["/wp-json/wc/store/v1/checkout", "/api/cart/checkout"] {
        assert_ne!(named(classed(&json(path, order)).class), "prepare", "{path}");
    }
    check("prepare", &form("/checkout", "step=address&city=Ulm"));
    check("prepare", &form("/checkout/shipping-address", "city=Ulm"));
}

/// A header that says what is to be done is a field like any other: judged, and no sign that it is harmless.
#[test]
fn headers_may_say_what_is_to_be_done() {
    let header = |mut outgoing: Outgoing, name: &str, value: &str| {
        outgoing.headers.push((name.into(), value.into()));
        outgoing
    };
    check("unknown", &header(json("/cart", "[]"), "next-action", "7f3a9c0e"));
    check("commit", &header(json("/", "{}"), "x-amz-target", "Orders.PlaceOrder"));
    check("prepare", &header(json("/cart/add", r#"{"sku":1}"#), "x-requested-with", "XMLHttpRequest"));
    check("read", &header(json("/graphql", r#"{"query":"{ a }"}"#), "x-apollo-operation-name", "A"));
    let shown = decode(&header(json("/account", "[]"), "next-action", "aaaa"));
    assert!(shown.fields.iter().any(|field| field.name == "next-action" && field.value == "aaaa"));
}

/// What hangs on an address says nothing about what is sent there.
#[test]
fn a_word_in_the_query_makes_no_preparation() {
    check("unknown", &form("/api/friends/42?mode=preview", ""));
    check("unknown", &json("/api/x?step=next", r#"{"a":1}"#));
    check("unknown", &form("/api/x", "mode=preview&sum=5&whom=me"));
    check("unknown", &form("/api/x", "action=preview&id=5"));
    check("prepare", &form("/api/ajax.php", "action=preview&id=5"));
}

#[test]
fn an_answer_about_cookies_says_nothing_else() {
    check("unknown", &json("/account/privacy-settings", r#"{"profile_public":true}"#));
    check("consent", &form("/privacy/preferences", "analytics=0&marketing=0"));
    check("commit", &form("/gdpr/x/accept/y/delete-account", "consent=1"));
}

#[test]
fn what_signs_out_and_does_more_is_no_logout() {
    check("commit", &sent("GET", "/account/delete?id=1&logout=1"));
    check("logout", &sent("GET", "/logout"));
}

/// Only where all that sent it on are of the site itself is it the site's own affair.
#[test]
fn another_site_can_not_send_on_to_what_is_dangerous() {
    let class = |hops: &[&str]| {
        let outgoing = Outgoing {
            redirected: true,
            hops: hops.iter().map(|hop| (*hop).to_owned()).collect(),
            ..kind(sent("GET", "/account/delete?id=1"), OutgoingKind::Page)
        };
        named(classed(&outgoing).class)
    };
    assert_eq!(class(&["https://shop.test/bye"]), "read");
    assert_eq!(class(&["https://evil.test/r"]), "commit");
    assert_eq!(class(&["https://shop.test/a", "https://evil.test/r"]), "commit");
    assert_eq!(class(&[]), "commit");
}

#[test]
fn a_body_with_two_boundaries_is_not_inspected() {
    let body = "--A\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nx\r\n--A--\r\n";
    let plain = with(sent("POST", "/cart/add"), "multipart/form-data; boundary=A", body);
    assert!(decode(&plain).opaque.is_none());
    let twisted = with(sent("POST", "/cart/add"), "multipart/form-data; xboundary=B; boundary=A", body);
    assert!(decode(&twisted).opaque.is_some());
    check("commit", &twisted);
}
