//! The coffee shop over real HTTP: every flow, and what the ledger says of it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;

use client::{Client, Page};
use legwork_sites::{CoffeeOptions, CoffeeShop, Day, Effect, Ledger, PayStep, Served};
use serde_json::json;

const EMAIL: &str = "demo@example.test";
const PASSWORD: &str = "oak-and-steam-42";

struct Shop {
    served: Served,
    ledger: Ledger,
}

fn open(options: CoffeeOptions) -> Shop {
    let shop = CoffeeShop::new(options);
    Shop { ledger: shop.ledger(), served: Served::start(shop.router()).unwrap() }
}

impl Shop {
    fn stranger(&self) -> Client {
        Client::of(self.served.address())
    }

    fn member(&self) -> Client {
        let mut client = self.stranger();
        assert_eq!(client.log_in(EMAIL, PASSWORD).leads_to(), "/account");
        client
    }

    fn kinds(&self) -> Vec<&'static str> {
        self.ledger.effects().iter().map(|effect| effect.kind).collect()
    }

    fn last(&self) -> Effect {
        self.ledger.effects().last().unwrap().clone()
    }
}

/// The reorder of #596215 into the earliest empty slot, up to the review.
fn up_to_review(client: &mut Client) -> Page {
    let page = client.get("/account/subscriptions/596215?edit=1");
    let page = client.send(&page, "/basket/add-instalment", &[("subscription", "596215"), ("slot", "5")]);
    let page = client.follow(&page);
    let page = client.send(&page, "/checkout/address", &[("address", "home")]);
    let page = client.follow(&page);
    let page = client.send(&page, "/checkout/delivery", &[("delivery", "standard")]);
    let page = client.follow(&page);
    let page = client.send(&page, "/checkout/payment-method", &[("method", "saved")]);
    client.follow(&page)
}

fn place(client: &mut Client, review: &Page) -> Page {
    let [total, currency, basket] = ["total", "currency", "basket"].map(|name| review.hidden(name));
    client.send(review, "/checkout/place", &[("total", &total), ("currency", &currency), ("basket", &basket)])
}

#[test]
fn the_coffee_errand_ends_with_one_order_by_form() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.member();
    client.get("/account/subscriptions").says("#596215").says("Silver Oak Cafe Blend 24×1 kg");
    client.get("/account/subscriptions/596215").says("28 November 2026").says("Edit instalments");

    let review = up_to_review(&mut client);
    review.says("€349.44").says("Card •••• 4242").says("Place order").says("Robin Vale, Gerberweg 14");
    assert_eq!((review.hidden("total").as_str(), shop.ledger.count("order-placed")), ("349.44", 0));

    let thanks = place(&mut client, &review);
    let thanks = client.follow(&thanks);
    thanks.says("Thank you").says("SO-20418");
    let order = shop.last();
    assert_eq!((order.kind, order.account.as_deref()), ("order-placed", Some(EMAIL)));
    assert_eq!((order.detail("total"), order.detail("via")), ("349.44", "form"));
    assert!(order.detail("lines").contains("#596215, instalment 5, ships 28 November 2026"));
    let expected = [
        "login",
        "basket-add",
        "instalment-prepared",
        "address-set",
        "delivery-set",
        "payment-set",
        "order-placed",
    ];
    assert_eq!(shop.kinds(), expected);
    assert_eq!(shop.ledger.of_kind("instalment-prepared")[0].detail("date"), "2026-11-28");
    assert!(shop.ledger.effects().iter().zip(1..).all(|(effect, number)| effect.number == number));

    client.get("/orders").says("SO-20418");
    client.get("/account/subscriptions/596215").says("Order SO-20418");
    client.get("/basket").says("There is nothing in it yet");
}

#[test]
fn the_coffee_errand_ends_with_one_order_by_script() {
    for options in
        [CoffeeOptions { pay: PayStep::Script, ..CoffeeOptions::default() }, CoffeeOptions::default()]
    {
        let shop = open(options);
        let mut client = shop.member();
        up_to_review(&mut client);
        let review = client.get("/checkout/review?pay=script");
        assert!(!review.body.contains("action=\"/checkout/place\""));
        let [total, currency, basket] =
            ["total", "currency", "basket"].map(|name| review.between(&format!("data-{name}=\""), "\""));
        let body =
            |token: &str| json!({ "total": total, "currency": currency, "basket": basket, "token": token });

        assert_eq!(
            (client.call("/api/orders", &body("wrong")).status, shop.ledger.count("order-placed")),
            (403, 0)
        );
        let placed = client.call("/api/orders", &body(&review.token()));
        assert_eq!((placed.status, placed.json()["order"].as_str()), (200, Some("SO-20418")));
        assert_eq!((shop.last().detail("via"), shop.last().detail("total")), ("script", "349.44"));

        let again = client.call("/api/orders", &body(&review.token()));
        assert_eq!((again.status, shop.ledger.count("order-placed")), (409, 1));
        let form = client.get("/orders/SO-20418");
        assert_eq!(form.status, 200);
    }
}

#[test]
fn a_wrong_or_foreign_token_changes_nothing() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.member();
    let review = up_to_review(&mut client);
    let foreign = shop.member().get("/basket").token();
    let before = shop.ledger.effects();
    for token in ["", "wrong", &foreign] {
        let fields =
            [("csrf", token), ("total", "349.44"), ("currency", "EUR"), ("basket", &review.hidden("basket"))];
        let refused = client.post("/checkout/place", &fields);
        assert_eq!(refused.status, 403);
        refused.says("Nothing was changed");
        for path in ["/basket/add", "/logout", "/account/subscriptions/596215/cancel", "/checkout/address"] {
            assert_eq!(client.post(path, &[("csrf", token), ("slug", "first-frost")]).status, 403, "{path}");
        }
    }
    assert_eq!(client.call("/consent", &json!({ "choice": "all" })).status, 403);
    assert_eq!(shop.ledger.effects(), before);
}

#[test]
fn every_page_has_another_token_and_an_older_one_still_works() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.stranger();
    let (first, second) = (client.get("/"), client.get("/"));
    assert_ne!(first.token(), second.token());
    assert_eq!(client.send(&first, "/basket/add", &[("slug", "first-frost")]).leads_to(), "/basket");
    let form = client.get("/product/first-frost");
    assert_eq!(form.hidden("csrf"), form.token());
    for _ in 0..40 {
        client.get("/");
    }
    assert_eq!(client.send(&first, "/basket/add", &[("slug", "first-frost")]).status, 403);
    assert_eq!(shop.ledger.count("basket-add"), 1);
}

#[test]
fn an_order_that_is_not_what_the_page_showed_is_refused() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.member();
    let review = up_to_review(&mut client);
    let basket = review.hidden("basket");
    let (other_total, other_basket) =
        ([("total", "1.00"), ("basket", &basket)], [("total", "349.44"), ("basket", "bk-1")]);
    for [total, basket] in [other_total, other_basket] {
        assert_eq!(
            client.send(&review, "/checkout/place", &[total, basket, ("currency", "EUR")]).status,
            409
        );
    }
    // Another window fills the basket meanwhile: the review of before is out of date.
    client.send(&review, "/basket/add", &[("slug", "first-frost")]);
    assert_eq!(place(&mut client, &review).status, 409);
    assert_eq!((shop.ledger.count("order-placed"), shop.ledger.count("order-refused")), (0, 3));
    let review = client.get("/checkout/review");
    assert_eq!(review.hidden("total"), "356.44");
    assert_eq!(place(&mut client, &review).status, 303);
    assert_eq!(place(&mut client, &review).status, 409);
    assert_eq!(shop.ledger.count("order-placed"), 1);
}

#[test]
fn one_slot_is_filled_by_one_order() {
    let shop = open(CoffeeOptions::default());
    let (mut one, mut other) = (shop.member(), shop.member());
    let (review, late) = (up_to_review(&mut one), up_to_review(&mut other));
    assert_eq!(place(&mut one, &review).status, 303);
    assert_eq!(place(&mut other, &late).status, 409);
    assert_eq!(shop.ledger.count("order-placed"), 1);
    let page = one.get("/account/subscriptions/596215?edit=1");
    page.says("26 December 2026");
    one.send(&page, "/basket/add-instalment", &[("subscription", "596215"), ("slot", "5")])
        .says("This slot is not empty");
    assert_eq!(shop.ledger.count("instalment-prepared"), 2);
}

#[test]
fn the_basket_adds_up() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.stranger();
    let page = client.get("/product/midnight-tram");
    let body = json!({ "slug": "midnight-tram", "grams": 500, "grind": "filter", "quantity": 2, "token": page.token() });
    let added = client.call("/api/basket", &body).json();
    assert_eq!((added["count"].as_u64(), added["subtotal"].as_str()), (Some(2), Some("17.20")));
    let page =
        client.send(&page, "/basket/add", &[("slug", "harbour-light"), ("grams", "250"), ("quantity", "3")]);
    let page = client.follow(&page);
    // 2 × 8.60 + 3 × 6.60 = 37.00, and 4.90 for delivery.
    page.says("€37.00")
        .says("€4.90")
        .says("€41.90")
        .says("aria-live=\"polite\" aria-label=\"5 in the basket\">5<");
    let update = |quantity| [("line", "harbour-light.250.whole-bean"), ("quantity", quantity)];
    client.send(&page, "/basket/update", &update("10"));
    client.get("/basket").says("€83.20").says("€0.00");
    assert_eq!(client.send(&page, "/basket/update", &update("100")).status, 422);
    assert_eq!(
        client.send(&page, "/basket/add", &[("slug", "harbour-light"), ("quantity", "-1")]).status,
        422
    );
    client.send(&page, "/basket/update", &[("line", "harbour-light.250.whole-bean"), ("remove", "yes")]);
    client.get("/basket").says("€17.20").says("€22.10");
    assert_eq!(shop.kinds(), ["basket-add", "basket-add", "basket-update", "basket-update"]);
    assert_eq!(shop.last().detail("subtotal"), "17.20");
}

#[test]
fn the_basket_is_kept_through_the_login_and_the_cookie_is_new() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.stranger();
    let page = client.get("/");
    let set = page.header("set-cookie");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    client.send(&page, "/basket/add", &[("slug", "first-frost")]);
    let before = client.cookies.clone();
    client.log_in(EMAIL, PASSWORD);
    assert_ne!(client.cookies, before);
    client.get("/basket").says("First Frost");
    let mut old = shop.stranger();
    old.cookies = before;
    assert!(old.get("/account").leads_to().starts_with("/login"));
}

#[test]
fn a_wrong_password_is_told_and_never_kept() {
    let shop = open(CoffeeOptions { password: "other-secret".into(), ..CoffeeOptions::default() });
    let mut client = shop.stranger();
    let failed = client.log_in(EMAIL, "canary-password");
    assert_eq!(failed.status, 401);
    failed.says("password is wrong");
    assert!(!failed.body.contains("canary-password"));
    let inside = client.log_in(EMAIL, "other-secret");
    let page = client.follow(&inside);
    client.send(&page, "/logout", &[]);
    assert!(client.get("/account").leads_to().starts_with("/login"));
    assert_eq!(shop.kinds(), ["login-failed", "login", "logout"]);
    let ledger = format!("{:?}", shop.ledger);
    assert!(!ledger.contains("canary-password") && !ledger.contains("other-secret"));
}

#[test]
fn of_a_new_card_the_last_four_digits_are_kept() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.member();
    let page = up_to_review(&mut client);
    let card = |number| [("number", number), ("expiry", "12/29"), ("cvc", "737")];
    let wrong = client.send(&page, "/checkout/card", &card("5555 5555 5555 4445"));
    assert_eq!(wrong.status, 422);
    wrong.says("card number is not right");
    client.send(&page, "/checkout/card", &card("5555 5555 5555 4444"));
    client.get("/checkout/review").says("Card •••• 4444");
    let ledger = format!("{:?}", shop.ledger);
    assert!(ledger.contains("•••• 4444") && !ledger.contains("5555") && !ledger.contains("737"));
}

#[test]
fn who_is_not_logged_in_is_led_to_the_login_and_back() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.stranger();
    let led = client.get("/account/subscriptions/596215?edit=1");
    assert_eq!(led.leads_to(), "/login?next=%2Faccount%2Fsubscriptions%2F596215%3Fedit%3D1");
    let login = client.follow(&led);
    let next = login.hidden("next");
    let inside = client.send(&login, "/login", &[("email", EMAIL), ("password", PASSWORD), ("next", &next)]);
    assert_eq!(inside.leads_to(), "/account/subscriptions/596215?edit=1");
    for path in ["/account", "/orders", "/orders/SO-20155", "/checkout/review", "/checkout"] {
        assert!(shop.stranger().get(path).leads_to().starts_with("/login?next="), "{path}");
    }
    assert_eq!(shop.stranger().call("/api/orders", &json!({})).status, 401);
    assert_eq!(shop.stranger().get("/login?next=//evil.test").hidden("next"), "/account");
}

#[test]
fn deliveries_are_skipped_and_subscriptions_cancelled() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.member();
    let page = client.get("/account/subscriptions/596215");
    client.send(&page, "/account/subscriptions/596215/skip", &[("slot", "4")]);
    client.get("/account/subscriptions/596215").says("Skipped").says("12 December 2026");
    assert_eq!(shop.last().detail("date"), "2026-11-21");
    client.send(&page, "/account/subscriptions/596215/skip", &[("slot", "4")]).says("can&#39;t be skipped");

    let page = client.get("/account/subscriptions/596188/ending");
    page.says("Cancel Harbour Light 2×250 g?");
    assert_eq!(shop.ledger.count("subscription-cancelled"), 0);
    client.send(&page, "/account/subscriptions/596188/cancel", &[]);
    client.send(&page, "/account/subscriptions/596188/cancel", &[]);
    client.get("/account/subscriptions/596188").says("Cancelled");
    assert_eq!((shop.ledger.count("delivery-skipped"), shop.ledger.count("subscription-cancelled")), (1, 1));
}

#[test]
fn the_question_about_cookies_is_asked_until_it_is_answered() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.stranger();
    let page = client.get("/");
    page.says("Accept all").says("Only necessary");
    let answer = client.call("/consent", &json!({ "choice": "necessary", "token": page.token() }));
    assert_eq!(answer.json()["choice"], "necessary");
    assert!(!client.get("/").body.contains("Accept all"));
    assert_eq!(client.call("/consent", &json!({ "choice": "x", "token": page.token() })).status, 422);
    assert_eq!((shop.kinds(), shop.last().detail("choice")), (vec!["consent"], "necessary"));
}

#[test]
fn what_is_searched_is_found_and_never_markup() {
    let shop = open(CoffeeOptions::default());
    let mut client = shop.stranger();
    client.get("/search?q=JASMINE").says("1 found").says("Harbour Light");
    let page = client.get("/search?q=%3Cscript%3Ealert(1)%3C/script%3E%22'%26");
    page.says("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
    assert!(!page.body.contains("<script>alert"));
    client.get("/products?roast=dark").says("2 coffees").says("Midnight Tram");
    let page = client.get("/checkout");
    assert!(page.leads_to().starts_with("/login"));
    assert_eq!((client.get("/nowhere").status, client.get("/product/none").status), (404, 404));
    assert_eq!(client.post("/nowhere", &[]).status, 405);
}

#[test]
fn the_day_is_the_one_that_was_given() {
    let shop = open(CoffeeOptions { today: Day::new(2026, 3, 17), ..CoffeeOptions::default() });
    shop.member().get("/account/subscriptions/596215").says("28 March 2026");
}
