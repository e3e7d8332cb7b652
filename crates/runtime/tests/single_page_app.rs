//! A shop that its script draws alone, used through a session from the list to the paid order: what each step costs to read, how its
//! views are told apart, and that no money moves without a yes.

use std::sync::Arc;

use legwork_observe::tokens::estimate;
use legwork_runtime::{
    Acted, BrowserSource, Caller, CancellationToken, LaunchOptions, Mode, OpenRequest, Reach, Rules, Seen,
    SessionSettings, Sessions, WhoConfirms, WireSettings, boundary,
};
use legwork_testkit::{
    Site,
    axum::routing::{get, post},
};
use legwork_types::{
    Code, Details, PageUrl,
    contract::{ActRequest, ObserveOptions, RequestVerdict, RiskLevel},
};
use serde_json::{Value, json};

/// The most that one step may cost to read.
const MOST: u32 = 2_000;

struct Shop {
    site: Site,
    sessions: Sessions,
    caller: Caller,
    never: CancellationToken,
}

impl Shop {
    async fn open(who_confirms: WhoConfirms) -> (Self, Seen) {
        let goods: Vec<Value> = (1..=300)
            .map(|id| json!({"id": id, "name": format!("Lamp {id}"), "cents": 1_000 + id}))
            .collect();
        let goods = json!(goods).to_string();
        let site = Site::builder()
            .route("/api/goods", get(|| async move { goods }))
            .route("/api/orders", post(|| async { "A-17" }))
            .start()
            .await;
        let reach = Reach { private: site.grants(), ..Reach::default() };
        let wire = WireSettings { mode: Mode::Live, reach, who_confirms, ..WireSettings::default() };
        let settings = SessionSettings {
            rules: Rules { who_confirms, uploads: vec![] },
            wire: Arc::new(wire),
            ..SessionSettings::default()
        };
        let source = BrowserSource::Launch(LaunchOptions::default());
        let sessions = Sessions::new(source, settings, |_| {});
        let shop = Self { site, sessions, caller: Caller::new("me"), never: CancellationToken::new() };
        let url = Some(PageUrl::parse(&shop.site.url("/pages/spa_shop.html")).unwrap());
        let request = OpenRequest { url, ..OpenRequest::default() };
        let opened = shop.sessions.open(&shop.caller, request, &shop.never).await.unwrap();
        let mut seen = opened.seen;
        // The list is drawn when its goods have come.
        let is_drawn = |seen: &Seen| {
            seen.look.scene().items.iter().any(|item| item.affordance.name.untrusted() == "Lamp 7")
        };
        while !is_drawn(&seen) {
            let options = ObserveOptions::default();
            let looked = shop.sessions.observe(&shop.caller, &opened.session, &options, &shop.never).await;
            seen = looked.unwrap();
        }
        (shop, seen)
    }

    async fn act(&self, seen: &Seen, mut call: Value) -> Acted {
        call["sessionId"] = seen.look.session().0.clone().into();
        call["observationId"] = seen.look.id().0.clone().into();
        let request: ActRequest = serde_json::from_value(call).unwrap();
        self.sessions.act(&self.caller, request, &self.never).await
    }

    /// Presses what must be pressed; what is there then, and the view that the address changed to, if it did.
    async fn press(&self, seen: &Seen, name: &str) -> (Seen, Option<String>) {
        let acted = self.act(seen, press(seen, name)).await;
        assert!(acted.is_ok() && acted.receipt.dispatched, "{name}: {:?}", acted.error);
        let to = acted.receipt.effects.navigated.as_ref().map(|navigated| view(navigated.to.untrusted()));
        (acted.next.unwrap(), to)
    }

    /// How many orders the server has.
    fn orders(&self) -> usize {
        self.site.hits_of("/api/orders").len()
    }
}

/// What stands behind the path.
fn view(url: &str) -> String {
    url.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default()
}

fn press(seen: &Seen, name: &str) -> Value {
    let items = &seen.look.scene().items;
    let found = items.iter().find(|item| item.affordance.name.untrusted() == name);
    let number = found.unwrap_or_else(|| panic!("nothing is called {name:?}")).affordance.action_id;
    json!({"target": {"kind": "element", "actionId": number}, "action": {"type": "click"}})
}

/// What a model reads of it, which is never too much.
fn reading(seen: &Seen) -> String {
    let reading = seen.look.read(&ObserveOptions::default(), None, &boundary()).unwrap();
    let cost = estimate(&reading.text);
    assert!(cost <= MOST, "{cost} tokens: {}", reading.text);
    reading.text
}

#[tokio::test]
async fn a_shop_of_one_page_is_used_to_the_end_and_pays_only_with_a_yes() {
    let (shop, list) = Shop::open(WhoConfirms::Caller).await;
    assert!(reading(&list).contains("All goods") && reading(&list).contains("Lamp 7"));
    assert!(list.look.scene().items.len() > 300, "all goods can be found");

    let (item, to) = shop.press(&list, "Lamp 7").await;
    assert_eq!(to.as_deref(), Some("view=item&id=7"));
    assert!(reading(&item).contains("Add to cart"));

    // Who still has the list in mind acts on nothing.
    let acted = shop.act(&list, press(&list, "Lamp 8")).await;
    assert_eq!(acted.error.unwrap().code, Code::StaleObservation);
    assert!(!acted.receipt.dispatched);
    let item = acted.next.unwrap_or(item);

    let (item, to) = shop.press(&item, "Add to cart").await;
    assert_eq!(to, None, "the view is the same");
    let (cart, to) = shop.press(&item, "Cart (1)").await;
    assert_eq!(to.as_deref(), Some("view=cart"));
    assert!(reading(&cart).contains("10.07 EUR"));

    let (asking, to) = shop.press(&cart, "Check out").await;
    assert_eq!(to, None);
    assert!(reading(&asking).contains("Pay your order"));
    let pay = asking.look.scene().items.iter().find(|item| item.affordance.name.untrusted() == "Pay now");
    assert_eq!(pay.unwrap().affordance.risk.level, RiskLevel::Danger);

    let refused = shop.act(&asking, press(&asking, "Pay now")).await;
    let problem = refused.error.unwrap();
    assert_eq!(problem.code, Code::SafetyConfirmationRequired);
    let Some(Details::Caught { required_confirmation_text: Some(words), held: true, .. }) =
        problem.details.as_deref()
    else {
        panic!("{problem:?}");
    };
    assert_eq!(refused.receipt.effects.requests[0].verdict, RequestVerdict::Held);
    let asking = refused.next.unwrap();
    let mut call = press(&asking, "Pay now");
    call["confirm"] = true.into();
    call["confirmationText"] = "yes".into();
    let refused = shop.act(&asking, call.clone()).await;
    assert_eq!(refused.error.unwrap().code, Code::SafetyConfirmationRequired);
    assert_eq!(shop.orders(), 0);
    let asking = refused.next.unwrap();

    call["confirmationText"] = words.clone().into();
    let paid = shop.act(&asking, call.clone()).await;
    assert!(paid.is_ok(), "{:?}", paid.error);
    let effects = &paid.receipt.effects;
    assert_eq!(effects.navigated.as_ref().map(|to| view(to.to.untrusted())).as_deref(), Some("view=done"));
    let done = paid.next.unwrap();
    assert!(reading(&done).contains("A-17"));

    // The same yes once more is for a page that is not there any more.
    let again = shop.act(&asking, call).await;
    assert_eq!(again.error.unwrap().code, Code::StaleObservation);
    let back = shop.act(&done, json!({"target": {"kind": "page"}, "action": {"type": "back"}})).await;
    assert!(back.is_ok(), "{:?}", back.error);
    let to = back.receipt.effects.navigated.map(|navigated| view(navigated.to.untrusted()));
    assert_eq!(to.as_deref(), Some("view=cart"));
    assert!(reading(&back.next.unwrap()).contains("Cart (0)"));
    shop.sessions.shut().await;
    assert_eq!(shop.orders(), 1);
    assert_eq!(shop.site.hits_of("/pages/spa_shop.html").len(), 1, "the page was never loaded again");
}

#[tokio::test]
async fn without_anybody_who_may_say_yes_a_shop_of_one_page_is_not_paid() {
    let (shop, list) = Shop::open(WhoConfirms::default()).await;
    let (item, _) = shop.press(&list, "Lamp 7").await;
    let (item, _) = shop.press(&item, "Add to cart").await;
    let (cart, _) = shop.press(&item, "Cart (1)").await;
    let (asking, _) = shop.press(&cart, "Check out").await;
    let mut call = press(&asking, "Pay now");
    call["confirm"] = true.into();
    let refused = shop.act(&asking, call).await;
    assert_eq!(refused.error.unwrap().code, Code::SafetyConfirmationRequired);
    assert_eq!(refused.receipt.effects.requests[0].verdict, RequestVerdict::Stopped);
    shop.sessions.shut().await;
    assert_eq!(shop.orders(), 0);
}
