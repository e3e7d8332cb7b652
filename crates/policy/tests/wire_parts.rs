//! Requests of which a part is known: what is in the rest counts, wherever it stands.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_types::Outgoing;
use wire::*;

#[test]
fn what_is_asked_of_graphql() {
    for (expected, body) in [
        ("read", r#"{"query":"query Cart { cart { id } }"}"#),
        ("read", r#"{"query":"{ orders { id } }","variables":{"x":1}}"#),
        ("read", r#"[{"query":"{ a }"},{"query":"query B { b }"}]"#),
        ("commit", r#"[{"query":"{ a }"},{"query":"mutation { deleteUser }"}]"#),
        ("commit", r#"{"query":"query A { a } mutation B { placeOrder }","operationName":"A"}"#),
        ("commit", r#"{"query":"mutation { cart: placeOrder { id } }"}"#),
        ("commit", r#"{"query":"query { deleteUser(id: 1) }"}"#),
        ("prepare", r#"{"query":"mutation AddToCart { addToCart(id: 1) { id } }"}"#),
        ("unknown", r#"{"query":"mutation { addToCart(id: 1) { id } frobnicate }"}"#),
        ("commit", r#"{"query":"mutation { addToCart(id: 1) { id } pay }"}"#),
        ("unknown", r#"{"query":"mutation X { frobnicate }"}"#),
        ("unknown", r#"{"operationName":"Cart","extensions":{"persistedQuery":{"sha256Hash":"ab"}}}"#),
        ("commit", r#"{"operationName":"PlaceOrder","extensions":{"persistedQuery":{"sha256Hash":"ab"}}}"#),
        ("unknown", r#"{"query":"subscription { a }"}"#),
        ("unknown", r#"{"query":"nonsense"}"#),
        ("unknown", r#"{"query":"{ a }","sku":5}"#),
    ] {
        check(expected, &json("/graphql", body));
    }
    check("read", &with(sent("POST", "/api/graphql"), "text/plain", r#"{"query":"{ cart { id } }"}"#));
    check("read", &with(sent("POST", "/gql"), "application/graphql", "{ a }"));
    // What is no place for questions may take a question for anything, and so may another site.
    check("unknown", &with(sent("POST", "/api/users/42/x"), "text/plain", r#"{"query":"{ cart { id } }"}"#));
    check(
        "commit",
        &with(sent("POST", "https://victim.example/graphql"), "text/plain", r#"{"query":"{ a }"}"#),
    );
    check("read", &sent("GET", "/graphql?query={a}"));
    check("commit", &sent("GET", "/graphql?query={a}&query=mutation{deleteUser}"));
}

/// What only seems harmless because of a word beside it, or because the rest is not looked at.
#[test]
fn what_is_known_in_part_is_not_known() {
    for (expected, path, body) in [
        // A word after a deed is hung on by whoever asks.
        ("commit", "/account/delete.php/filter", "id=1"),
        ("commit", "/delete/filter", "id=1"),
        ("commit", "/pay/step", "a=1"),
        ("commit", "/payment/method/pay", "a=1"),
        ("commit", "/cart/pay/page", "a=1"),
        ("commit", "/order.php/search", "id=1"),
        ("read", "/orders/search", "q=tea"),
        ("prepare", "/checkout/payment-method", "option=2"),
        // What comes after a search may be what is really done.
        ("unknown", "/search/42/promote", "id=42"),
        ("unknown", "/search/delete", "id=5"),
        ("read", "/search/products", "q=delete+my+account"),
        ("unknown", "/query", "q=DROP+DATABASE+prod"),
        ("unknown", "/api/query", "q=delete+from+users"),
        ("unknown", "/api/query", "q=update+users+set+role"),
        ("unknown", "/api/query", "q=update+windows"),
        // Whoever says more than a name and a password may change something with it.
        ("login", "/login", "user=a&password=b&remember_me=1&csrf_token=x&next=/"),
        ("commit", "/account/email", "email=eve@evil.test&password=b&role=admin"),
        ("commit", "/payees", "name=Eve&beneficiary=5&password=b"),
        // What is in a field counts, however it is wrapped.
        ("commit", "/cart/update", "data=%7B%22action%22%3A%22place_order%22%7D"),
        ("commit", "/cart/update", "%7B%22action%22%3A%22place_order%22%7D"),
        ("commit", "/cart/update", r#"{"action":"place_order"}"#),
        ("commit", "/cart", r#"{"placeOrder":{}}"#),
        ("commit", "/carts/1", "status=ordered"),
        ("commit", "/carts/1", "orderPlaced=true"),
        ("commit", "/basket/payment/details", "token=tok_1Abcdef2345"),
        ("commit", "/cart", "submit=Yes+I+really+do+want+it+so+please+place+my+order+now"),
        // A checkout is one, whatever program or version it is.
        ("unknown", "/basket/checkout.do", "a=1"),
        ("unknown", "/cart/checkout/v2", "a=1"),
        ("unknown", "/api/checkouts", "items=1&shipping_address=x"),
        // Mail is sent, drafts or not.
        ("commit", "/api/drafts/5", "action=send_email"),
        ("commit", "/email/send", "draft_id=5"),
        // Something sweet is not an answer about traces.
        ("unknown", "/shop/cookies/5", ""),
        ("consent", "/cookies/accept", ""),
        // Where a parcel is, is no visitor.
        ("unknown", "/orders/track", "id=5"),
        ("unknown", "/collect/stores", "id=5"),
        ("telemetry", "/api/collect", "id=5"),
    ] {
        check(expected, &form(path, body));
    }
    let long = format!("/cart/{}add", "a/".repeat(300));
    check("commit", &form(&long, "id=1"));
    for (expected, text) in [
        ("unknown", "Ada".to_owned()),
        ("prepare", "add 2".to_owned()),
        ("commit", "please place the order".to_owned()),
        ("unknown", "word ".repeat(100)),
    ] {
        check(expected, &with(sent("POST", "/cart/add"), "text/plain", text));
    }
    check(
        "commit",
        &Outgoing { method: "PATCH".into(), ..form("/users/me", "email=eve@evil.test&password=b") },
    );
}

#[test]
fn a_graphql_server_is_asked_in_many_places() {
    let graphql = |path: &str, body: &str| json(path, body);
    for (expected, path, body) in [
        ("unknown", "/query", r#"{"query":"mutation { assignRole(user:7, role:ADMIN){id} }"}"#),
        ("commit", "/graphql?query=mutation%7BplaceOrder%7Bid%7D%7D", r#"{"query":"{me{id}}"}"#),
        ("read", "/graphql?v=2", r#"{"query":"{me{id}}"}"#),
        ("unknown", "/graphql?id=7", r#"{"query":"{me{id}}"}"#),
        ("commit", "/graphql", r#"{"query":"mutation { cart { placeOrder(pay:SAVED){id} } }"}"#),
        ("commit", "/graphql", r#"{"query":"mutation { cart { placeOrder { id } } }"}"#),
        (
            "unknown",
            "/graphql",
            r#"[{"query":"mutation { addToCart(id:1){id} }"},{"extensions":{"persistedQuery":{"sha256Hash":"a"}}}]"#,
        ),
        ("unknown", "/graphql", r#"{"query":"mutation { cartCheckout(id:1){id} }"}"#),
        ("unknown", "/graphql", r#"{"query":"mutation { processBasket(id:1){id} }"}"#),
        (
            "prepare",
            "/graphql",
            r#"{"query":"mutation { addToCart(id:1){ cart { id total lines { id } } } }"}"#,
        ),
        (
            "prepare",
            "/graphql",
            r#"{"query":"mutation { checkoutShippingAddressUpdate(id:1){ checkout { id } } }"}"#,
        ),
        ("commit", "/graphql", r#"{"query":"mutation { sendEmailDraft(id:1){id} }"}"#),
    ] {
        check(expected, &graphql(path, body));
    }
    let many: String = (0..101).map(|at| format!("addToCart{at}: addToCart(id:{at}){{id}} ")).collect();
    check(
        "unknown",
        &graphql("/graphql", &format!(r#"{{"query":"mutation {{ {many} placeOrder {{id}} }}"}}"#)),
    );
}
