//! An order in a real shop, django-oscar: asked twice at most, for the card and for the order; its database is the ledger.

use legwork_runtime::Answer;
use legwork_testkit::{OscarShop, wait_until_async};
use legwork_types::Code;
use serde_json::Value;

use super::{
    errand::Errand,
    stage::{LONG, Run, Stage},
};

/// From the page of a product to the step that takes the card.
const UP_TO_PAYMENT: &[&str] = &[
    r#"click button "Add to basket""#,
    r#"click link "View basket""#,
    r#"click link "Proceed to checkout""#,
    r#"check radio "I am a returning customer, and my password is""#,
    r#"fill textbox "My email address is *" with "mira@shop.test""#,
    r#"secret textbox "password" with "password""#,
    r#"click button "Continue""#,
    r#"click button "Ship to your default shipping address""#,
    r#"click button "Select option""#,
    r#"fill textbox "Card number *" with "4111111111111111""#,
    // Of this year, whichever that is.
    r#"choose combobox "expiry month 0" with "12""#,
    r#"fill textbox "CCV number *" with "123""#,
];

const CARD: &str = r#"click button "Continue to review""#;
const ORDER: &str = r#"click button "Place order""#;

fn orders(shop: &OscarShop) -> Vec<Value> {
    serde_json::from_str(&shop.orders()).unwrap()
}

#[tokio::test]
async fn an_order_asks_twice_at_most_and_a_dry_run_reaches_the_payment() {
    let shop = OscarShop::start();
    let (addresses, (_, password)) = ([shop.address()], OscarShop::CUSTOMER);
    let start = format!("http://{}/catalogue/cast-iron-teapot-11-l_1/", shop.address());

    let dry = Stage::start(Run::Dry, &addresses, password).await;
    let mut errand = Errand::begin(&dry, &start).await;
    errand.follow(UP_TO_PAYMENT).await;
    let (problem, request) = errand.caught(CARD).await;
    assert_eq!(problem.code, Code::DryRunBlocked, "{problem:#?}");
    assert_eq!(request.class, "commit");
    let shown = serde_json::to_string(&request).unwrap();
    assert!(shown.contains("/checkout/preview/") && !shown.contains("4111111111111111"), "{shown}");
    assert!(dry.person.was_asked(&errand.session).is_empty());
    assert_eq!(orders(&shop), [] as [Value; 0]);
    dry.sessions.shut().await;

    let live = Stage::start(Run::Live(Answer::Yes), &addresses, password).await;
    let mut errand = Errand::begin(&live, &start).await;
    errand.follow(UP_TO_PAYMENT).await;
    assert!(live.person.was_asked(&errand.session).is_empty(), "asked before the payment");
    errand.asked(CARD).await;
    errand.asked(ORDER).await;
    wait_until_async(LONG, "the order is in the database", async || !orders(&shop).is_empty()).await;
    let asked = live.person.was_asked(&errand.session);
    assert_eq!(asked.len(), 2, "{asked:#?}");
    let placed = orders(&shop);
    assert_eq!(placed.len(), 1, "{placed:?}");
    assert_eq!(
        (placed[0]["total"].as_str(), &placed[0]["lines"][0]),
        (Some("53.40"), &"Cast iron teapot 1.1 l".into())
    );
    live.sessions.shut().await;
}
