//! What can be asked of a session without doing anything.

use legwork_types::contract::{Include, Landmark, Within};

use super::*;

#[tokio::test]
async fn words_are_read_from_the_current_look_and_leave_it_as_it_is() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let read =
        async |within, most| bench.sessions.read(&bench.caller, &open.id, within, most, &bench.never).await;
    let all = read(None, 10_000).await.unwrap();
    assert!(all.contains("[Add to basket]") && all.contains("[Pay now]"), "{all}");
    let short = read(None, 10).await.unwrap();
    assert!(short.ends_with('…') && short.chars().count() <= 10, "{short}");
    let more = read(Some(Within::Action(number(&open.look, "More"))), 1_000).await.unwrap();
    assert_eq!(more, "[More] [More]");
    assert_eq!(read(Some(Within::Landmark(Landmark::Footer)), 1_000).await.unwrap(), "");
    let unknown = read(Some(Within::Action(ActionId(999))), 1_000).await.unwrap_err();
    assert_eq!(unknown.code, Code::ActionNotFound);
    assert_eq!(open.place.scenery().captures, 1);
    assert!(bench.on(&open, "Help", click()).await.is_ok());
}

#[tokio::test]
async fn a_few_earlier_looks_are_kept_to_compare_with() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let mut last = open.look.id().clone();
    for _ in 0..4 {
        last = bench.look(&open).await.id().clone();
    }
    let since = |id: &ObservationId| ObserveOptions { since: Some(id.clone()), ..ObserveOptions::default() };
    let mut body = shop_body();
    body.push(button("New here"));
    open.place.scenery().page = shop_of(body).capture();
    let options = since(open.look.id());
    let seen = bench.sessions.observe(&bench.caller, &open.id, &options, &bench.never).await.unwrap();
    assert_eq!(seen.observation(&options).unwrap().delta.unwrap().added.len(), 1);
    assert!(bench.ask(&open, &since(&last)).await.is_ok());
    assert_eq!(bench.ask(&open, &since(open.look.id())).await.unwrap_err().code, Code::StaleObservation);
}

#[tokio::test]
async fn a_look_is_worth_more_than_its_picture() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let options = ObserveOptions { include: vec![Include::Screenshot], ..ObserveOptions::default() };
    let seen = bench.sessions.observe(&bench.caller, &open.id, &options, &bench.never).await.unwrap();
    assert!(seen.jpeg.is_none() && seen.look.id() != open.look.id());
    let marked = Some(open.look.id());
    let old = bench.sessions.screenshot(&bench.caller, &open.id, marked, &bench.never).await.unwrap_err();
    assert_eq!(old.code, Code::StaleObservation);
    let none = bench.sessions.screenshot(&bench.caller, &open.id, None, &bench.never).await.unwrap_err();
    assert_eq!(none.code, Code::InternalError);
}

#[tokio::test]
async fn tabs_are_listed() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let tabs = bench.sessions.tabs(&bench.caller, &open.id, &bench.never).await.unwrap();
    assert!(tabs.len() == 1 && tabs[0].active && tabs[0].url.untrusted() == SHOP);
}

#[tokio::test]
async fn where_the_keys_of_a_login_can_not_be_known_nothing_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let specs = ["shop@https://shop.example".parse().unwrap()];
    let reach = crate::Reach::default();
    let logins = crate::Logins::load_in(folder.path().join("logins"), &specs, None, &reach).await.unwrap();
    let (bench, vault) = (Bench::new(), crate::Vault::default());
    let open = bench.open(SHOP).await;
    let limit = legwork_browser::Limit::within(std::time::Duration::from_secs(5));
    assert!(logins.hide(&open.place, &vault, &limit).await.is_ok(), "the twin");
    open.place.scenery().lost = Some(legwork_browser::Lost::Closed);
    assert!(logins.hide(&open.place, &vault, &limit).await.is_err());
}
