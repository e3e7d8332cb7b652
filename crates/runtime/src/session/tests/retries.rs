//! An element that is gone is looked for once more, with the same permit: exactly the same, exactly once, no more dangerous.

use legwork_browser::{After, Blocked};
use legwork_observe::PageCapture;
use legwork_types::{
    TabId,
    contract::{Action, FieldValue, FormFill},
};

use super::{
    fake::{before, done, midway},
    *,
};

/// The page was drawn anew: the same things, in another document.
fn redrawn(body: Vec<El>) -> PageCapture {
    let mut page = shop_of(body).capture();
    page.frames[0].facts.loader = "anew".into();
    page
}

/// The next act finds its element gone, and the page drawn anew.
fn gone(open: &Open, why: fn() -> Blocked, page: PageCapture) {
    open.place.reacts(move |scenery, permit| {
        scenery.page = page;
        before(permit, why())
    });
}

#[tokio::test]
async fn an_element_that_was_drawn_anew_is_found_again_once() {
    for why in [|| Blocked::Gone, || Blocked::Changed] as [fn() -> Blocked; 2] {
        let bench = Bench::ruled(trusting());
        let open = bench.open(SHOP).await;
        let mut body = shop_body();
        body.insert(0, link("Welcome back"));
        gone(&open, why, redrawn(body));
        let mut call = request(&open, number(&open.look, "Pay now"), click());
        (call.confirm, call.confirmation_text) =
            (true, Some("CONFIRM click \"Pay now\" on shop.example".into()));
        let acted = bench.act(call).await;
        assert!(acted.is_ok(), "{:?}", acted.error);
        let [first, second] = &open.place.given()[..] else { panic!("twice") };
        assert_eq!((&second.intent, &second.observation), (&first.intent, &first.observation));
        assert_eq!(first.targets, second.targets);
        assert_ne!(first.aims.epoch, second.aims.epoch);
        assert_eq!(&*second.aims.elements[0].1.loader, "anew");
        assert_eq!(first.aims.elements[0].0, second.aims.elements[0].0, "under the number of the permit");
    }
}

#[tokio::test]
async fn it_is_looked_for_only_once() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    gone(&open, || Blocked::Gone, redrawn(shop_body()));
    gone(&open, || Blocked::Gone, redrawn(shop_body()));
    let acted = bench.on(&open, "Help", click()).await;
    assert_eq!(code(&acted), Some(Code::ElementDetached));
    assert_eq!(open.place.given().len(), 2);
    assert!(!acted.receipt.dispatched && !acted.next.unwrap().look.is_stale());
}

/// What is not found again as it was is not acted on; the caller gets the page as it is.
async fn is_left_alone(bench: &Bench, open: &Open, call: ActRequest) {
    let acted = bench.act(call).await;
    assert_eq!(code(&acted), Some(Code::ElementDetached));
    assert_eq!(open.place.given().len(), 1);
    let next = next_id(&acted).unwrap();
    assert_ne!(next, *open.look.id());
    let mut again = on_page(open, Action::Back {});
    again.observation_id = next;
    assert!(bench.act(again).await.is_ok(), "what it is shown is the current look");
}

#[tokio::test]
async fn what_is_gone_for_good_or_has_a_twin_is_left_alone() {
    // Of two alike the first is gone, or was: which is which now is not known.
    for (then, now) in [(2, 2), (2, 1), (1, 2)] {
        let more = |count: usize| {
            let mut body = shop_body();
            body[10] = boxed((0..count).map(|_| button("More")).chain([button("Less")]).collect());
            body
        };
        let bench = Bench::new();
        let mut open = bench.open(SHOP).await;
        open.place.scenery().page = shop_of(more(then)).capture();
        open.look = bench.look(&open).await;
        gone(&open, || Blocked::Gone, redrawn(more(now)));
        is_left_alone(&bench, &open, request(&open, number(&open.look, "More"), click())).await;
    }

    // The same name, beside other words: another row.
    let row = |words: &'static str| {
        let mut body = shop_body();
        body[10] = boxed(vec![text(words), button("Open"), text("12 €")]);
        body
    };
    let bench = Bench::new();
    let mut open = bench.open(SHOP).await;
    open.place.scenery().page = shop_of(row("Invoice of March")).capture();
    open.look = bench.look(&open).await;
    gone(&open, || Blocked::Gone, redrawn(row("Invoice of April")));
    is_left_alone(&bench, &open, request(&open, number(&open.look, "Open"), click())).await;

    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    gone(&open, || Blocked::Gone, redrawn(vec![link("Sold out")]));
    is_left_alone(&bench, &open, request(&open, number(&open.look, "Add to basket"), click())).await;
}

#[tokio::test]
async fn what_has_become_more_dangerous_or_is_elsewhere_is_left_alone() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    // The field is as it was, but what Enter in it sets off is not.
    let mut worse = shop_body();
    worse[2] = submit("Delete account", 0);
    gone(&open, || Blocked::Gone, redrawn(worse));
    is_left_alone(&bench, &open, request(&open, number(&open.look, "Search"), press("Enter"))).await;

    for url in ["https://elsewhere.example/", "https://shop.example/?order=2", "https://shop.example/#/other"]
    {
        let bench = Bench::new();
        let open = bench.open(SHOP).await;
        gone(&open, || Blocked::Gone, shop_of(shop_body()).url(url).capture());
        is_left_alone(&bench, &open, request(&open, number(&open.look, "Help"), click())).await;
    }

    // The same page in another tab.
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.reacts(|scenery, permit| {
        (scenery.front, scenery.page) = (TabId::nth(2), redrawn(shop_body()));
        before(permit, Blocked::Gone)
    });
    is_left_alone(&bench, &open, request(&open, number(&open.look, "Help"), click())).await;
}

#[tokio::test]
async fn a_form_is_filled_in_again_only_if_all_its_fields_are_there() {
    let fill = |open: &Open| {
        let value = FieldValue::Text("x".into());
        let fields = ["Search", "Notes"];
        let fields =
            fields.map(|name| FormFill { action_id: number(&open.look, name), value: value.clone() });
        on_page(open, Action::FillForm { fields: fields.to_vec() })
    };
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    gone(&open, || Blocked::Changed, redrawn(shop_body()));
    assert!(bench.act(fill(&open)).await.is_ok());
    assert_eq!(open.place.given()[1].aims.elements.len(), 2);

    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let mut body = shop_body();
    body.remove(6);
    gone(&open, || Blocked::Changed, redrawn(body));
    is_left_alone(&bench, &open, fill(&open)).await;
}

#[tokio::test]
async fn a_key_without_an_element_is_not_sent_again() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let mut body = shop_body();
    body[5] = submit("Pay now", 1).flag(Flag::Focused);
    gone(&open, || Blocked::Changed, redrawn(body));
    is_left_alone(&bench, &open, on_page(&open, press("ArrowDown"))).await;
}

#[tokio::test]
async fn what_was_sent_is_not_sent_again() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.reacts(|_, _| midway(legwork_browser::BrowserError::FrameGone));
    let acted = bench.on(&open, "Help", click()).await;
    assert!(acted.receipt.dispatched && acted.error.is_some_and(|problem| !problem.retryable));
    assert_eq!(open.place.given().len(), 1);
    let look = bench.look(&open).await;
    open.place.reacts(|_, _| {
        let receipt = super::fake::dispatched();
        Err(legwork_browser::NotDone { why: Blocked::Gone, permit: None, receipt })
    });
    let mut call = request(&open, number(&look, "Help"), click());
    call.observation_id = look.id().clone();
    assert_eq!(code(&bench.act(call).await), Some(Code::ElementDetached));
    assert_eq!(open.place.given().len(), 2);
    assert!(matches!(done(After::Quiet), Ok(done) if done.receipt.dispatched));
}

#[tokio::test]
async fn a_yes_is_for_the_page_that_was_read() {
    let confirmed = |open: &Open| {
        let mut call = request(open, number(&open.look, "Pay now"), click());
        (call.confirm, call.confirmation_text) =
            (true, Some("CONFIRM click \"Pay now\" on shop.example".into()));
        call
    };
    // The same button at another address of the site, without a trace of that in the button itself.
    let bench = Bench::ruled(trusting());
    let open = bench.open(SHOP).await;
    open.place.scenery().page = shop_of(shop_body()).url("https://shop.example/other-order").capture();
    let acted = bench.act(confirmed(&open)).await;
    assert_eq!(code(&acted), Some(Code::ElementDetached));
    assert!(open.place.given().is_empty() && !acted.receipt.dispatched);
    assert_ne!(next_id(&acted).unwrap(), *open.look.id(), "the page as it is now comes with the answer");

    let bench = Bench::ruled(trusting());
    let open = bench.open(SHOP).await;
    open.place.scenery().page = redrawn(shop_body());
    assert!(bench.act(confirmed(&open)).await.is_ok());
    let [given] = &open.place.given()[..] else { panic!("once") };
    assert_eq!(&*given.aims.elements[0].1.loader, "anew", "it is done on the page as it is now");
}

#[tokio::test]
async fn a_word_that_says_little_is_for_what_stands_beside_it() {
    let asks = |question: &'static str| {
        let row = boxed(vec![text(question), button("Yes")]);
        [shop_body(), vec![row]].concat()
    };
    for (now, is_done) in [("Newsletter", true), ("Delete all of it?", false), ("Newsletter, monthly", false)]
    {
        let bench = Bench::new();
        let mut open = bench.open(SHOP).await;
        open.place.scenery().page = shop_of(asks("Newsletter")).capture();
        open.look = bench.look(&open).await;
        open.place.scenery().page = redrawn(asks(now));
        let acted = bench.on(&open, "Yes", click()).await;
        assert_eq!((acted.is_ok(), acted.receipt.dispatched), (is_done, is_done), "{now}: {:?}", acted.error);
        assert_eq!(open.place.given().len(), usize::from(is_done), "{now}");
    }
}
