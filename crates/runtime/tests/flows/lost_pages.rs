//! Pages that are lost with what somebody said yes to: it is sent once, whatever a model believes, and nobody is told that it failed.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use legwork_runtime::{
    Answer,
    errands::{Event, OutcomeKind},
};
use legwork_testkit::{
    Site, SiteBuilder,
    axum::{
        response::Html,
        routing::{get, post},
    },
    long_or_short,
};
use serde_json::Value;

use super::trouble::{Started, Went, act, errand_answered, give_up};

/// The order is a form.
const FORM: &str = "<!doctype html><title>A lamp</title><h1>A lamp for 20 euros</h1>
    <form method=post action=/order><input type=hidden name=total value=20><button>Place order</button></form>";
/// The order is sent by a script, which then hangs.
const HANGS: &str =
    "<!doctype html><title>A lamp</title><h1>A lamp for 20 euros</h1><button>Place order</button><script>
    document.querySelector('button').onclick = async () => {
        await fetch('/order', {method: 'POST', body: new URLSearchParams({total: 20})});
        for (;;);
    };</script>";
const ORDERED: &str = "<!doctype html><title>Thank you</title><h1>Thank you</h1><p>Your lamp is ordered.</p>";
/// What a page that is sent with the order does to whoever opens it.
const ENDLESS: &str = "<!doctype html><title>Thank you</title><script>for (;;);</script>";

/// A shop whose orders are answered with this page; `taken` hears of each.
fn shop(
    page: &'static str,
    answer: &'static str,
    taken: impl Fn(usize) + Send + Sync + 'static,
) -> SiteBuilder {
    let (count, taken) = (Arc::new(AtomicUsize::new(0)), Arc::new(taken));
    let order = post(move || {
        let (count, taken) = (count.clone(), taken.clone());
        async move {
            taken(count.fetch_add(1, Ordering::SeqCst) + 1);
            Html(answer)
        }
    });
    Site::builder().route("/lamp", get(move || async move { Html(page) })).route("/order", order)
}

/// A model that believes nobody: it orders wherever it can, goes back to where it can twice, and then gives up.
fn reckless(turn: usize, told: &str, _: &Started, site: &Site) -> (&'static str, Value) {
    let button = told.lines().find_map(|line| {
        line.trim().split_once(" button \"Place order\"").and_then(|(number, _)| number.parse().ok())
    });
    match button {
        Some(_) if turn > 8 => give_up(),
        Some(number) => act("click", Some(number), None),
        None if turn > 5 => give_up(),
        None => act("goto", None, Some(&site.url("/lamp"))),
    }
}

fn orders(went: &Went) -> usize {
    went.site.hits_of("/order").len()
}

/// What is so however the page was lost.
fn is_sent_once(went: &Went, what: &str) {
    assert_eq!(orders(went), 1, "{what}: {:#?}", went.outcome);
    let kind = went.outcome.kind;
    assert!(matches!(kind, OutcomeKind::Unverified | OutcomeKind::Stopped), "{what}: {:#?}", went.outcome);
    let evidence = went.outcome.evidence.join("\n");
    assert!(evidence.contains("a person said yes"), "{what}: {evidence}");
    let kept_back = went.count(|event| match event {
        Event::Acted { done, .. } => {
            done.trouble.as_ref().is_some_and(|trouble| trouble.words.contains("it is not sent again"))
        }
        _ => false,
    });
    assert!(kept_back > 0, "{what}: it was never tried again: {:#?}", went.log);
}

#[tokio::test]
async fn an_order_whose_page_crashes_while_it_is_under_way_is_not_sent_again() {
    let went = errand_answered(
        Answer::Yes,
        |started| {
            let started = started.clone();
            shop(FORM, ORDERED, move |count| {
                if count == 1 {
                    started.kill_renderers();
                    // The answer comes when the page that asked for it is gone.
                    std::thread::sleep(std::time::Duration::from_millis(500));
                }
            })
        },
        "/lamp",
        reckless,
    )
    .await;
    is_sent_once(&went, "a crash");
}

#[tokio::test]
async fn an_order_whose_page_hangs_then_is_not_sent_again() {
    let cases = [("a script", HANGS, ORDERED), ("a form", FORM, ENDLESS)];
    for (what, page, answer) in cases.into_iter().take(long_or_short(2, 1)) {
        let went = errand_answered(Answer::Yes, |_| shop(page, answer, |_| {}), "/lamp", reckless).await;
        is_sent_once(&went, what);
    }
}

#[tokio::test]
async fn two_orders_that_somebody_said_yes_to_are_two_where_no_page_is_lost() {
    let went = errand_answered(
        Answer::Yes,
        |_| shop(FORM, ORDERED, |_| {}),
        "/lamp",
        |turn, told, started, site| match told.contains("lamp is ordered") && turn > 3 {
            true => give_up(),
            false => reckless(turn, told, started, site),
        },
    )
    .await;
    assert_eq!(orders(&went), 2, "{:#?}", went.outcome);
}
