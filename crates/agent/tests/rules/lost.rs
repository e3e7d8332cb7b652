//! Pages and browsers that are gone: what is kept, what is forgotten, and what counts.

use legwork_agent::{
    ActNote, Answered, Checkpoint, Commit, Effect, Event, Fate, Happened, Input, OutcomeKind, PageNote,
    Reason, Reserve, Resuming, Ruling, Spec, Thrift, Trouble, TroubleKind,
};
use legwork_types::model::MicroUsd;

use crate::bench::{Bench, CLICK, FENCE, caught, done, page, trouble};

fn lost(kind: TroubleKind) -> Trouble {
    Trouble { kind, words: "Browser connection lost".into(), ..trouble("BROWSER_DISCONNECTED") }
}

fn acted_and_lost() -> Input {
    let trouble = Some(lost(TroubleKind::Disconnect));
    Input::Acted(Box::new(ActNote { trouble, page: None, ..done(2) }))
}

fn obscured() -> Input {
    Input::Acted(Box::new(ActNote { trouble: Some(trouble("ELEMENT_OBSCURED")), ..done(1) }))
}

/// An errand that began at an address and has done this and that.
fn under_way() -> Bench {
    let start_url = Some("https://shop.example/start".to_owned());
    let mut bench = Bench::looking_at_first_page(Spec { start_url, ..Spec::new("Order coffee") });
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(done(2))));
    bench
}

fn of(bench: &Bench, name: &str) -> usize {
    let events = bench.log.iter().map(|entry| serde_json::to_value(&entry.event).unwrap());
    events.filter(|event| event["event"] == name).count()
}

#[test]
fn a_lost_browser_is_nobodys_failure_and_the_errand_goes_on_where_it_began() {
    let mut bench = under_way();
    for _ in 0..2 {
        bench.answer(&[CLICK]);
        bench.tell(obscured());
    }
    bench.answer(&[CLICK]);
    bench.tell(acted_and_lost());
    // The address where it began, not the one where it was.
    let Effect::Reconnect { url, commits, thrift, .. } = bench.errand.next() else {
        panic!("{:?}", bench.errand.next())
    };
    assert_eq!((url, commits, thrift), (Some("https://shop.example/start"), &[][..], Thrift::None));
    let before = bench.errand.spent().iterations();
    bench.tell(Input::Looked(Box::new(page(1))));
    assert!(
        matches!(&bench.log.last().unwrap().event, Event::Reconnected { starting_url: Some(url), .. } if url.ends_with("/start"))
    );
    // It takes a turn; the counter goes on.
    assert_eq!(bench.errand.spent().iterations(), before + 1);
    let told = bench.told();
    assert!(told.contains("Plan: Order it.\nDone when: An order number"), "{told}");
    assert!(told.contains("a new one took its place"), "{told}");
    // A site may keep a basket for a profile or a login.
    assert!(told.contains("Look first at what is there already"), "{told}");
    assert!(!told.contains("Steps so far"), "{told}");
    // Failures in a row are counted from the beginning.
    for _ in 0..2 {
        bench.answer(&[CLICK]);
        bench.tell(obscured());
        assert!(bench.errand.outcome().is_none());
    }
    bench.answer(&[("act", r#"{"action":"hover","element":12,"why":"w"}"#)]);
    bench.tell(obscured());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Stuck));
    assert_eq!(of(&bench, "reconnected"), 1);
}

#[test]
fn wherever_the_browser_is_lost_another_one_is_wanted() {
    let lost = || Input::LookFailed(lost(TroubleKind::Disconnect));
    let is_reconnecting = |bench: &Bench| matches!(bench.errand.next(), Effect::Reconnect { .. });
    let mut looking = under_way();
    looking.answer(&[("observe", "{}")]);
    looking.tell(lost());
    assert!(is_reconnecting(&looking));
    let mut reading = under_way();
    reading.answer(&[("read", "{}")]);
    reading.tell(lost());
    assert!(is_reconnecting(&reading));
    let mut asked = under_way();
    asked.answer(&[CLICK]);
    asked.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    asked.tell(Input::Ruled(Ruling::Withdrawn));
    assert!(is_reconnecting(&asked));
    let mut proving = under_way();
    proving.answer(&[crate::bench::SUCCESS]);
    proving.tell(lost());
    assert!(is_reconnecting(&proving));
    // Also where it is lost again on the way, three times.
    for _ in 0..3 {
        proving.tell(lost());
        assert!(is_reconnecting(&proving));
    }
    proving.tell(lost());
    assert_eq!(proving.ended(), (OutcomeKind::Stopped, Reason::BrowserError));
}

#[test]
fn where_no_browser_is_left_that_is_the_end_at_once() {
    let mut bench = under_way();
    bench.answer(&[CLICK]);
    bench.tell(acted_and_lost());
    let exhausted = Trouble { kind: TroubleKind::NoBrowser, ..trouble("ENDPOINTS_EXHAUSTED") };
    bench.tell(Input::LookFailed(exhausted));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::BrowserError));
    let Checkpoint { url, steps, code, .. } = bench.outcome().checkpoint.clone().unwrap();
    assert_eq!((url.as_deref(), steps.len()), (Some("https://shop.example/2"), 2));
    assert_eq!(code.as_deref(), Some("ENDPOINTS_EXHAUSTED"));
}

#[test]
fn what_may_have_been_sent_is_told_and_not_sent_again() {
    let order = Commit { method: "POST".into(), address: "https://shop.example/order".into() };
    let mut bench = under_way();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    bench.tell(Input::Besides(Happened { commits: vec![order.clone()], ..Happened::default() }));
    bench.tell(Input::Ruled(Ruling::Unknown));
    bench.tell(Input::LookFailed(lost(TroubleKind::Disconnect)));
    let Effect::Reconnect { commits, .. } = bench.errand.next() else { panic!() };
    assert_eq!(commits, std::slice::from_ref(&order));
    bench.tell(Input::Looked(Box::new(page(1))));
    let told = bench.told();
    assert!(told.contains("is not sent again"), "{told}");
    assert!(
        told.contains(&format!("<untrusted {FENCE}>\nPOST https://shop.example/order\n</{FENCE}>")),
        "{told}"
    );
    // Nor is it after the next loss.
    bench.answer(&[CLICK]);
    bench.tell(acted_and_lost());
    let Effect::Reconnect { commits, .. } = bench.errand.next() else { panic!() };
    assert_eq!(commits, [order]);
    let evidence = &bench.errand.receipts();
    assert!(evidence.iter().any(|line| line.contains("whether it left is not known")), "{evidence:?}");
    // A model that can't find out does not make it a failure: nobody knows.
    bench.tell(Input::Looked(Box::new(page(1))));
    bench.answer(&[("complete_task", r#"{"status":"failed","reason":"can't see","evidence":"e"}"#)]);
    assert_eq!(bench.ended(), (OutcomeKind::Unverified, Reason::VerificationFailed));
    let last = bench.outcome().evidence.last().unwrap();
    assert!(last.contains("whether this was taken is not known: POST https://shop.example/order"), "{last}");
}

#[test]
fn nobody_logged_in_is_told_from_a_page_that_has_changed() {
    for (before, after, is_logged_out) in [
        (Some(true), Some(false), true),
        (Some(true), Some(true), false),
        (Some(true), None, false),
        (Some(false), Some(false), false),
    ] {
        let mut bench = under_way();
        bench.answer(&[CLICK]);
        let page = |logged_in| PageNote { logged_in, ..page(3) };
        bench.tell(Input::Acted(Box::new(ActNote { page: Some(page(before)), ..done(3) })));
        bench.answer(&[CLICK]);
        bench.tell(acted_and_lost());
        bench.tell(Input::Looked(Box::new(page(after))));
        assert_eq!(
            bench.told().contains("nobody is logged in there any more"),
            is_logged_out,
            "{before:?} {after:?}"
        );
    }
}

/// Where a page of which host shows that somebody is logged in, or that nobody is.
fn at(host: &str, logged_in: Option<bool>) -> PageNote {
    PageNote { url: format!("https://{host}/start"), logged_in, ..page(3) }
}

#[test]
fn a_login_that_is_gone_is_told_of_its_own_host_and_when_a_page_first_shows_it() {
    const GONE: &str = "nobody is logged in there any more";
    let sees = |bench: &mut Bench, page: PageNote| {
        bench.answer(&[("observe", "{}")]);
        bench.tell(Input::Looked(Box::new(page)));
        bench.told().contains(GONE)
    };
    let is_lost = |bench: &mut Bench, back_at: PageNote| {
        bench.answer(&[CLICK]);
        bench.tell(acted_and_lost());
        bench.tell(Input::Looked(Box::new(back_at)));
        let Event::Reconnected { logged_out, .. } = bench.log.last().unwrap().event else { panic!() };
        assert_eq!(bench.told().contains(GONE), logged_out);
        logged_out
    };
    let (shop, bank) = ("shop.example", "bank.example");
    let mut bench = under_way();
    assert!(!sees(&mut bench, at(bank, Some(true))));
    // Nobody ever was at the shop, so nobody lost anything there.
    assert!(!is_lost(&mut bench, at(shop, Some(false))));
    assert!(!sees(&mut bench, at(shop, Some(false))));
    // The page that tells comes later, and it is told once.
    assert!(!sees(&mut bench, at(bank, None)));
    assert!(sees(&mut bench, at(bank, Some(false))));
    assert!(!sees(&mut bench, at(bank, Some(false))));
    // Nobody has logged in since, and another loss has the model forget what it was told.
    assert!(!is_lost(&mut bench, at(bank, None)));
    assert!(sees(&mut bench, at(bank, Some(false))));
    assert!(is_lost(&mut bench, at(bank, Some(false))));
    // Whoever logs in again is there, and whoever logs out has lost nothing by a loss.
    assert!(!sees(&mut bench, at(bank, Some(true))));
    assert!(!sees(&mut bench, at(bank, Some(false))));
    assert!(!is_lost(&mut bench, at(bank, Some(false))));
}

#[test]
fn a_browser_that_is_lost_while_painting_saves_memory_step_by_step() {
    let painting = || Input::LookFailed(lost(TroubleKind::DisconnectWhilePainting));
    let mut bench = under_way();
    bench.answer(&[("observe", "{}")]);
    // Once is an accident, twice at the same page is not. The page where it began is another one than that where it was first lost.
    let mut seen = vec![];
    for _ in 0..4 {
        bench.tell(painting());
        let Effect::Reconnect { thrift, .. } = bench.errand.next() else {
            panic!("{:?}", bench.errand.outcome())
        };
        seen.push(thrift);
    }
    assert_eq!(seen, [Thrift::None, Thrift::None, Thrift::NoScripts, Thrift::NoScriptsAndSmall]);
    // Where the system says so, once is enough.
    let short = || Input::LookFailed(lost(TroubleKind::OutOfMemory));
    let mut bench = under_way();
    bench.answer(&[("observe", "{}")]);
    for expected in [Thrift::NoScripts, Thrift::NoScriptsAndSmall] {
        bench.tell(short());
        assert!(matches!(bench.errand.next(), Effect::Reconnect { thrift, .. } if thrift == expected));
    }
    bench.tell(short());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::ResourceExhaustion));
}

#[test]
fn a_page_that_crashes_is_loaded_again_once() {
    let crash = || Trouble { kind: TroubleKind::PageCrash, ..trouble("PAGE_CRASHED") };
    let mut bench = under_way();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(ActNote { trouble: Some(crash()), page: None, ..done(2) })));
    let Effect::Reload { url, .. } = bench.errand.next() else { panic!("{:?}", bench.errand.next()) };
    assert_eq!(url, "https://shop.example/2");
    bench.tell(Input::Looked(Box::new(page(2))));
    assert!(bench.told().contains("the page crashed"), "{}", bench.told());
    // Another page has its own chance.
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(done(3))));
    bench.answer(&[("observe", "{}")]);
    bench.tell(Input::LookFailed(crash()));
    assert!(matches!(bench.errand.next(), Effect::Reload { url: "https://shop.example/3", .. }));
    bench.tell(Input::LookFailed(crash()));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
}

#[test]
fn two_things_in_one_place_have_a_chance_each() {
    let crash = || Input::LookFailed(Trouble { kind: TroubleKind::PageCrash, ..trouble("PAGE_CRASHED") });
    let of_item =
        |item: u64, seen: u64| PageNote { url: format!("https://shop.example/item?id={item}"), ..page(seen) };
    let mut bench = under_way();
    for (step, item) in [(1, 1), (2, 2), (3, 2)] {
        assert!(bench.errand.outcome().is_none(), "{:?}", bench.errand.outcome());
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(Box::new(ActNote { page: Some(of_item(item, 10 * step)), ..done(2) })));
        bench.answer(&[("observe", "{}")]);
        bench.tell(crash());
        if bench.errand.outcome().is_none() {
            assert!(
                matches!(bench.errand.next(), Effect::Reload { url, .. } if url.ends_with(&item.to_string()))
            );
            bench.tell(Input::Looked(Box::new(of_item(item, 10 * step + 1))));
        }
    }
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
}

#[test]
fn a_first_page_that_crashes_is_opened_once_more() {
    let crash = || Input::LookFailed(Trouble { kind: TroubleKind::PageCrash, ..trouble("PAGE_CRASHED") });
    let mut bench = under_way();
    bench.answer(&[CLICK]);
    bench.tell(acted_and_lost());
    // The same holds for the first page of another browser.
    bench.tell(crash());
    assert!(matches!(bench.errand.next(), Effect::Reconnect { .. }), "{:?}", bench.errand.next());
    bench.tell(crash());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
}

#[test]
fn what_the_network_refuses_ends_it_at_once() {
    let mut bench = under_way();
    bench.answer(&[("act", r#"{"action":"goto","value":"https://nowhere.example","why":"w"}"#)]);
    let refused = Trouble { kind: TroubleKind::Network, ..trouble("NAVIGATION_FAILED") };
    bench.tell(Input::Acted(Box::new(ActNote { trouble: Some(refused), ..done(2) })));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
}

#[test]
fn a_model_that_goes_round_in_circles_is_warned_and_stopped() {
    let mut bench = under_way();
    let mut turns = 0;
    while bench.errand.outcome().is_none() {
        let (element, after) = if turns % 2 == 0 { (11, 3) } else { (13, 2) };
        let click = format!(r#"{{"action":"click","element":{element},"why":"w"}}"#);
        bench.answer(&[("act", &click)]);
        if bench.errand.outcome().is_none() {
            bench.tell(Input::Acted(Box::new(done(after))));
        }
        turns += 1;
        assert_eq!(
            turns == 5 || turns == 6,
            turns < 7 && bench.told().contains("are where you were"),
            "{turns}"
        );
    }
    assert_eq!((bench.ended(), turns), ((OutcomeKind::Stopped, Reason::Stuck), 9));
}

#[test]
fn a_loss_is_no_failure_and_makes_none_undone() {
    // A browser is lost after every second failure: in a row there are never three.
    let after = |failures: u32| {
        let mut bench = under_way();
        for failure in 1..=failures {
            if failure > 1 && failure % 2 == 1 {
                bench.answer(&[CLICK]);
                bench.tell(acted_and_lost());
                bench.tell(Input::Looked(Box::new(page(1))));
            }
            assert!(
                bench.errand.outcome().is_none(),
                "before failure {failure}: {:?}",
                bench.errand.outcome()
            );
            bench.answer(&[CLICK]);
            bench.tell(obscured());
        }
        bench
    };
    let bench = after(14);
    assert!(bench.errand.outcome().is_none(), "fourteen are not too many");
    assert_eq!(of(&bench, "reconnected"), 6);
    let bench = after(15);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Stuck));
    assert!(bench.outcome().words.contains("too much went wrong"), "{}", bench.outcome().words);
}

#[test]
fn a_page_that_can_not_be_looked_at_three_times_in_a_row_is_the_end() {
    let fails = || Input::LookFailed(trouble("TIMEOUT"));
    let mut bench = under_way();
    bench.answer(&[("observe", "{}")]);
    for _ in 0..2 {
        bench.tell(fails());
        assert!(matches!(bench.errand.next(), Effect::Look { .. }), "{:?}", bench.errand.next());
    }
    let mut goes_on = Bench { errand: bench.errand.clone(), log: bench.log.clone(), calls: bench.calls };
    goes_on.tell(Input::Looked(Box::new(page(3))));
    assert!(goes_on.told().contains("the page could not be looked at"), "{}", goes_on.told());
    bench.tell(fails());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
    assert_eq!(bench.outcome().checkpoint.as_ref().unwrap().code.as_deref(), Some("TIMEOUT"));
}

/// Never three in a row.
#[test]
fn fifteen_looks_that_fail_are_too_many_in_all() {
    let mut bench = under_way();
    let mut failed = 0;
    while bench.errand.outcome().is_none() {
        bench.answer(&[("observe", "{}")]);
        bench.tell(Input::LookFailed(trouble("TIMEOUT")));
        failed += 1;
        if bench.errand.outcome().is_none() {
            bench.tell(Input::Looked(Box::new(page(failed + 2))));
        }
    }
    assert_eq!((bench.ended(), failed), ((OutcomeKind::Stopped, Reason::Stuck), 15));
    assert!(bench.outcome().words.contains("too much went wrong"), "{}", bench.outcome().words);
}

#[test]
fn what_left_from_a_page_that_was_closed_may_have_been_taken() {
    let order = Commit { method: "POST".into(), address: "https://shop.example/order".into() };
    let closed = || Trouble { kind: TroubleKind::PageClosed, ..trouble("PAGE_UNRESPONSIVE") };
    let ordered = || {
        let mut bench = under_way();
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
        bench.tell(Input::Besides(Happened { commits: vec![order.clone()], ..Happened::default() }));
        bench.tell(Input::Ruled(Ruling::LetGo));
        bench
    };
    let mut looking = ordered();
    looking.tell(Input::LookFailed(closed()));
    let mut acting = ordered();
    acting.tell(Input::Looked(Box::new(page(3))));
    acting.answer(&[CLICK]);
    acting.tell(Input::Acted(Box::new(ActNote { trouble: Some(closed()), page: None, ..done(3) })));
    for mut bench in [looking, acting] {
        bench.tell(Input::Looked(Box::new(page(4))));
        assert!(bench.told().contains("is not sent again"), "{}", bench.told());
        bench.answer(&[("complete_task", r#"{"status":"failed","reason":"no order","evidence":"e"}"#)]);
        assert_eq!(bench.ended(), (OutcomeKind::Unverified, Reason::VerificationFailed));
    }
    // As long as the page is there it tells itself.
    let mut whole = ordered();
    whole.tell(Input::Looked(Box::new(page(4))));
    assert!(!whole.told().contains("is not sent again"), "{}", whole.told());
}

/// An errand that waits for the answer to a question on the wire.
fn parked() -> Bench {
    let mut bench = under_way();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    bench
}

fn taken_up(answer: Option<Answered>) -> Input {
    Input::Resumed(Resuming { why: "the program ended".into(), commits: vec![], answer })
}

#[test]
fn what_was_answered_while_nobody_did_the_errand_decides_how_it_goes_on() {
    let mut denied = parked();
    denied.tell(taken_up(Some(Answered::Denied)));
    assert_eq!(denied.ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    let mut late = parked();
    late.tell(taken_up(Some(Answered::Expired)));
    assert_eq!(late.ended(), (OutcomeKind::Stopped, Reason::NobodyAnswered));
    // The way is made again from where it began, and somebody is asked about what is there then.
    let mut unanswered = parked();
    unanswered.tell(taken_up(None));
    assert!(matches!(unanswered.errand.next(), Effect::Reconnect { .. }), "{:?}", unanswered.errand.next());
    unanswered.tell(Input::Looked(Box::new(page(1))));
    assert!(!unanswered.told().contains("a person said yes"), "{}", unanswered.told());

    let mut approved = parked();
    let request = "POST https://shop.example/order total 31.30";
    approved.tell(taken_up(Some(Answered::Approved)));
    let Effect::Reconnect { url, .. } = approved.errand.next() else {
        panic!("{:?}", approved.errand.next())
    };
    assert_eq!(url, Some("https://shop.example/start"));
    approved.tell(Input::Looked(Box::new(page(1))));
    for _ in 0..2 {
        let told = approved.told();
        assert!(told.contains("! a person said yes to this, and its page is gone"), "{told}");
        assert!(told.contains(&format!("<untrusted {FENCE}>\n{request}\n</{FENCE}>")), "{told}");
        approved.answer(&[("observe", "{}")]);
        approved.tell(Input::Looked(Box::new(page(2))));
    }
    // It leaves there without a further question: what is left is little.
    approved.answer(&[CLICK]);
    let order = Commit { method: "POST".into(), address: "https://shop.example/order".into() };
    approved.tell(Input::Acted(Box::new(ActNote { commits: vec![order], ..done(3) })));
    let told = approved.told();
    assert!(
        !told.contains("its page is gone") && told.contains("A person has approved the last step."),
        "{told}"
    );
}

#[test]
fn a_call_and_an_act_that_nobody_heard_of_again_are_counted_and_told_as_unknown() {
    let mut asking = under_way();
    let before = *asking.errand.spent();
    asking.tell(Input::Estimated(Reserve { tokens: 3_000, money: MicroUsd(90_000) }));
    asking.tell(taken_up(None));
    let spent = asking.errand.spent();
    assert_eq!(spent.calls, before.calls + 1);
    assert_eq!((spent.money, spent.tokens()), (before.money.plus(MicroUsd(90_000)), before.tokens() + 3_000));
    assert!(matches!(asking.errand.next(), Effect::Reconnect { .. }));

    let mut acting = under_way();
    acting.answer(&[CLICK]);
    let order = Commit { method: "POST".into(), address: "https://shop.example/order".into() };
    acting.tell(Input::Resumed(Resuming {
        why: "the program ended".into(),
        commits: vec![order.clone()],
        answer: None,
    }));
    let Effect::Reconnect { commits, .. } = acting.errand.next() else {
        panic!("{:?}", acting.errand.next())
    };
    assert_eq!(commits, [order]);
    acting.tell(Input::Looked(Box::new(page(1))));
    assert!(acting.told().contains("is not sent again"), "{}", acting.told());
    acting.answer(&[("complete_task", r#"{"status":"failed","reason":"no order","evidence":"e"}"#)]);
    assert_eq!(acting.ended(), (OutcomeKind::Unverified, Reason::VerificationFailed));
    // Where nothing was opened yet, it is opened.
    let (errand, started) = legwork_agent::Errand::begin(Spec::new("Order coffee"));
    let mut planning = Bench { errand, log: vec![started], calls: 0 };
    planning.tell(taken_up(None));
    assert!(matches!(planning.errand.next(), Effect::Reserve(_)), "{:?}", planning.errand.next());
}
