//! How sessions live and end: whose they are, how many there may be, and for how long.

use std::time::Duration;

use legwork_browser::Lost;
use legwork_types::contract::Action;
use tokio::time::{advance, sleep};

use super::*;

fn second(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn settings(most: usize, idle: u64) -> SessionSettings {
    SessionSettings { most, idle: second(idle), ..SessionSettings::default() }
}

#[tokio::test]
async fn there_are_only_as_many_sessions_as_may_be() {
    let bench = Bench::with(settings(2, 900));
    let first = bench.open(SHOP).await;
    bench.try_open(SHOP).await.unwrap();
    let problem = bench.try_open(SHOP).await.unwrap_err();
    assert!(problem.code == Code::SessionLimit && problem.retryable && problem.correlation_id.is_some());
    // The cap is for all callers together.
    let other = bench.sessions.open(&Caller::new("other"), OpenRequest::default(), &bench.never).await;
    assert_eq!(other.unwrap_err().code, Code::SessionLimit);
    bench.sessions.close(&bench.caller, &first.id).await.unwrap();
    bench.try_open(SHOP).await.unwrap();
}

#[tokio::test]
async fn a_first_page_that_can_not_be_opened_leaves_nothing_behind() {
    let bench = Bench::with(settings(1, 900));
    for _ in 0..3 {
        let problem = bench.try_open("https://nowhere.example/").await.unwrap_err();
        assert_eq!(problem.code, Code::NavigationFailed);
    }
    assert_eq!((bench.driver.open_places(), bench.sessions.list(&bench.caller).await.len()), (0, 0));
    bench.try_open(SHOP).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_uses_is_closed_and_one_in_use_is_not() {
    let bench = Bench::with(settings(8, 20));
    let (idle, used) = (bench.open(SHOP).await, bench.open_nth(SHOP, 1).await);
    sleep(second(15)).await;
    used.place.hangs(true);
    // The act hangs for longer than a session may be idle.
    let acted = bench.on(&used, "Help", click()).await;
    assert!(acted.error.is_some());
    assert!(idle.place.scenery().is_closed && !used.place.scenery().is_closed);
    let options = ObserveOptions::default();
    let gone = bench.sessions.observe(&bench.caller, &idle.id, &options, &bench.never).await.unwrap_err();
    assert_eq!(gone.code, Code::SessionNotFound);
    let list = bench.sessions.list(&bench.caller).await;
    assert!(list.len() == 1 && list[0].session == used.id && list[0].idle < second(1));
    sleep(second(19)).await;
    bench.look(&used).await;
    sleep(second(19)).await;
    assert_eq!(bench.driver.open_places(), 1);
    sleep(second(2)).await;
    assert_eq!(bench.driver.open_places(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_browser_without_sessions_comes_to_rest() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    sleep(second(100)).await;
    bench.sessions.close(&bench.caller, &open.id).await.unwrap();
    sleep(second(59)).await;
    assert_eq!(bench.driver.ends(), (0, 0));
    let again = bench.open_nth(SHOP, 1).await;
    sleep(second(100)).await;
    assert_eq!(bench.driver.ends(), (0, 0));
    bench.sessions.close(&bench.caller, &again.id).await.unwrap();
    sleep(second(200)).await;
    assert_eq!(bench.driver.ends(), (1, 0), "once is enough");
    bench.sessions.shut().await;
    assert_eq!(bench.driver.ends(), (1, 1));
}

#[tokio::test]
async fn after_all_was_shut_nothing_is_opened() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    bench.try_open(SHOP).await.unwrap();
    bench.sessions.shut().await;
    assert_eq!((bench.driver.open_places(), bench.driver.ends()), (0, (0, 1)));
    assert_eq!(bench.try_open(SHOP).await.unwrap_err().code, Code::Cancelled);
    let gone = bench.ask(&open, &ObserveOptions::default()).await.unwrap_err();
    assert_eq!(gone.code, Code::SessionNotFound);
}

#[tokio::test]
async fn a_session_whose_browser_is_gone_says_so_once_and_takes_no_seat() {
    let bench = Bench::with(settings(2, 900));
    let (one, other) = (bench.open(SHOP).await, bench.open_nth(SHOP, 1).await);
    for place in [&one.place, &other.place] {
        place.scenery().lost = Some(Lost::Closed);
    }
    bench.try_open(SHOP).await.unwrap();
    let few = ObserveOptions { max_affordances: 2, ..ObserveOptions::default() };
    let cursor = one.look.observe(&few, None).unwrap().next_cursor;
    // Also where no browser would have to be asked.
    let problem = bench.ask(&one, &ObserveOptions { cursor, ..few }).await.unwrap_err();
    assert_eq!(problem.code, Code::BrowserDisconnected);
    assert_eq!(bench.ask(&one, &ObserveOptions::default()).await.unwrap_err().code, Code::SessionNotFound);
    let acted = bench.on(&other, "Help", click()).await;
    assert_eq!(code(&acted), Some(Code::BrowserDisconnected));
    assert!(acted.next.is_none() && !acted.receipt.dispatched);
    assert_eq!(code(&bench.on(&other, "Help", click()).await), Some(Code::SessionNotFound));
    assert!(one.place.given().is_empty() && other.place.given().is_empty());
}

#[tokio::test]
async fn closing_calls_off_what_is_under_way_and_the_answer_is_honest() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.hangs(true);
    let close = async {
        open.place.hangs.notified().await;
        bench.sessions.close(&bench.caller, &open.id).await.unwrap();
    };
    let (acted, ()) = tokio::join!(bench.on(&open, "Help", click()), close);
    assert_eq!(code(&acted), Some(Code::UnknownOutcome));
    assert!(acted.receipt.dispatched && open.place.scenery().is_closed);
}

#[tokio::test]
async fn one_thing_at_a_time_in_a_session_and_sessions_side_by_side() {
    let bench = Bench::new();
    let (busy, free) = (bench.open(SHOP).await, bench.open_nth(SHOP, 1).await);
    busy.place.hangs(false);
    let (first, second) = (CancellationToken::new(), CancellationToken::new());
    let beside = async {
        busy.place.hangs.notified().await;
        assert!(bench.on(&free, "Help", click()).await.is_ok(), "another session does not wait");
        second.cancel();
        let call = request(&busy, number(&busy.look, "Help"), click());
        let waiting = bench.sessions.act(&bench.caller, call, &second).await;
        assert_eq!(code(&waiting), Some(Code::Cancelled));
        assert_eq!(next_id(&waiting).as_ref(), Some(busy.look.id()), "it is shown what was last seen");
        first.cancel();
    };
    let call = request(&busy, number(&busy.look, "Help"), click());
    let (acted, ()) = tokio::join!(bench.sessions.act(&bench.caller, call, &first), beside);
    assert_eq!(code(&acted), Some(Code::Cancelled));
    assert!(!acted.receipt.dispatched);
    // Nothing was sent, so the look still counts.
    assert_eq!(next_id(&acted).as_ref(), Some(busy.look.id()));
    assert!(bench.on(&busy, "Help", click()).await.is_ok());
    assert_eq!(busy.place.given().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_list_tells_where_sessions_are_and_for_how_long_nobody_used_them() {
    let bench = Bench::new();
    bench.open(SHOP).await;
    advance(second(3)).await;
    bench.open_nth(CAPTCHA, 1).await;
    advance(second(4)).await;
    let list = bench.sessions.list(&bench.caller).await;
    let mut told: Vec<(&str, u64)> = list.iter().map(|one| (one.url.as_str(), one.idle.as_secs())).collect();
    told.sort();
    assert_eq!(told, [(SHOP, 7), (CAPTCHA, 4)]);
    assert!(list.iter().all(|one| one.session.0.starts_with("bs_") && one.session.0.len() > 10));
}

/// Whoever serves many callers moves the calls between threads.
#[tokio::test]
async fn calls_can_be_moved_between_threads() {
    fn moves<F: Future + Send>(future: F) -> F {
        future
    }
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let (caller, never) = (&bench.caller, &bench.never);
    moves(bench.sessions.open(caller, OpenRequest::default(), never)).await.unwrap();
    moves(bench.sessions.observe(caller, &open.id, &ObserveOptions::default(), never)).await.unwrap();
    moves(bench.sessions.act(caller, on_page(&open, Action::Back {}), never)).await;
    moves(bench.sessions.read(caller, &open.id, None, 100, never)).await.unwrap();
    let _ = moves(bench.sessions.screenshot(caller, &open.id, None, never)).await;
    moves(bench.sessions.tabs(caller, &open.id, never)).await.unwrap();
    moves(bench.sessions.close(caller, &open.id)).await.unwrap();
    moves(bench.sessions.shut()).await;
}

#[tokio::test]
async fn a_saved_login_is_not_given_to_a_browser_that_others_started() {
    let folder = tempfile::tempdir().unwrap();
    let specs = ["shop@https://shop.example".parse().unwrap()];
    let reach = legwork_policy::places::Reach::default();
    let logins = crate::Logins::load_in(folder.path().join("logins"), &specs, None, &reach).await.unwrap();
    let bench = Bench::with(SessionSettings { logins: Arc::new(logins), ..settings(2, 900) });
    let problem = bench.try_open(SHOP).await.unwrap_err();
    assert_eq!(problem.code, Code::SecretRefused, "{problem}");
    assert_eq!(bench.driver.open_places(), 0);
    // The twin: without a login it may be used.
    Bench::with(settings(2, 900)).try_open(SHOP).await.unwrap();
}
