//! Pages that crash: which address is to blame, what its second chance is, and what follows where memory is short.

use legwork_agent::{
    ActNote, Effect, Errand, Fate, Input, OutcomeKind, PageNote, Reason, Ruling, Spec, Thrift, Trouble,
    TroubleKind,
};

use crate::bench::{Bench, CLICK, caught, done, page, trouble};

/// A crash of what was at this address by then.
fn crash_at(url: &str) -> Trouble {
    Trouble { kind: TroubleKind::PageCrash, url: Some(url.into()), ..trouble("PAGE_CRASHED") }
}

fn crash() -> Trouble {
    Trouble { kind: TroubleKind::PageCrash, ..trouble("PAGE_CRASHED") }
}

fn acted(trouble: Trouble) -> Input {
    Input::Acted(Box::new(ActNote { trouble: Some(trouble), page: None, ..done(2) }))
}

const SHOP: &str = "https://shop.example/1";

fn shop() -> Bench {
    Bench::looking_at_first_page(Spec { start_url: Some(SHOP.into()), ..Spec::new("Order coffee") })
}

/// One that waits for its first page.
fn opening() -> Bench {
    let (errand, started) = Errand::begin(Spec { start_url: Some(SHOP.into()), ..Spec::new("Order coffee") });
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    bench.answer(&[("create_plan", r#"{"plan":"Order it.","successCriteria":"An order number"}"#)]);
    bench
}

fn is_reloading(bench: &Bench) -> bool {
    matches!(bench.errand.next(), Effect::Reload { url: SHOP, .. })
}

#[test]
fn what_a_click_leads_to_is_to_blame_and_not_the_page_that_it_was_done_on() {
    let mut bench = shop();
    for way in ["a", "b", "c"] {
        bench.answer(&[CLICK]);
        bench.tell(acted(crash_at(&format!("https://shop.example/{way}"))));
        // One is where one was, and may take another way.
        assert!(is_reloading(&bench), "{way}: {:?}", bench.errand.next());
        bench.tell(Input::Looked(Box::new(page(1))));
    }
    // The page itself has its own chance yet.
    bench.answer(&[CLICK]);
    bench.tell(acted(crash_at(SHOP)));
    assert!(is_reloading(&bench), "{:?}", bench.errand.next());
    bench.tell(Input::Looked(Box::new(page(1))));
    // Whatever crashed before is over, however one gets there.
    bench.answer(&[("act", r#"{"action":"goto","value":"https://shop.example/b","why":"w"}"#)]);
    bench.tell(acted(crash()));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
}

#[test]
fn an_address_that_leads_to_another_one_each_time_has_one_chance() {
    let mut bench = shop();
    let mut times = 0;
    bench.answer(&[("observe", "{}")]);
    bench.tell(Input::LookFailed(crash()));
    while bench.errand.outcome().is_none() {
        assert!(is_reloading(&bench), "{:?}", bench.errand.next());
        times += 1;
        bench.tell(Input::LookFailed(crash_at(&format!("https://shop.example/1?round={times}"))));
    }
    assert_eq!((bench.ended(), times), ((OutcomeKind::Stopped, Reason::PageError), 1));
}

#[test]
fn a_first_page_that_is_slow_once_and_crashes_once_is_opened_again() {
    let mut bench = opening();
    bench.tell(Input::LookFailed(trouble("TIMEOUT")));
    bench.tell(Input::LookFailed(crash_at(SHOP)));
    assert!(matches!(bench.errand.next(), Effect::Open { url: Some(SHOP), .. }), "{:?}", bench.errand.next());
    bench.tell(Input::Looked(Box::new(page(1))));
    // That was its chance.
    bench.answer(&[("observe", "{}")]);
    bench.tell(Input::LookFailed(crash_at(SHOP)));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PageError));
}

#[test]
fn browsers_that_die_of_two_things_have_not_died_of_one_twice() {
    let lost_at = |url: &str| Trouble {
        kind: TroubleKind::DisconnectWhilePainting,
        url: Some(url.into()),
        ..trouble("BROWSER_DISCONNECTED")
    };
    let mut bench = shop();
    for (way, expected) in [("a", Thrift::None), ("b", Thrift::None), ("a?page=2", Thrift::NoScripts)] {
        bench.answer(&[CLICK]);
        bench.tell(acted(lost_at(&format!("https://shop.example/{way}"))));
        let next = bench.errand.next();
        assert!(matches!(next, Effect::Reconnect { thrift, .. } if thrift == expected), "{way}: {next:?}");
        bench.tell(Input::Looked(Box::new(page(1))));
    }
}

#[test]
fn a_page_that_takes_more_memory_than_there_is_is_done_without_scripts_then_small_and_then_not() {
    let short = || Trouble { kind: TroubleKind::PageOutOfMemory, ..crash_at("https://shop.example/heavy") };
    let mut bench = shop();
    bench.answer(&[CLICK]);
    bench.tell(acted(short()));
    for expected in [Thrift::NoScripts, Thrift::NoScriptsAndSmall] {
        let next = bench.errand.next();
        assert!(matches!(next, Effect::Reconnect { thrift, .. } if thrift == expected), "{next:?}");
        bench.tell(Input::Looked(Box::new(page(1))));
        assert!(bench.told().contains("pages run no scripts now"), "{}", bench.told());
        bench.answer(&[CLICK]);
        bench.tell(acted(short()));
    }
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::ResourceExhaustion));
    // Where only its end looks like that, it is opened once more before: most pages need their scripts.
    let gave_up = || Input::LookFailed(Trouble { kind: TroubleKind::PageGaveUp, ..crash_at(SHOP) });
    let mut bench = opening();
    bench.tell(gave_up());
    assert!(matches!(bench.errand.next(), Effect::Open { .. }), "{:?}", bench.errand.next());
    for _ in 0..2 {
        bench.tell(gave_up());
        assert!(matches!(bench.errand.next(), Effect::Reconnect { .. }), "{:?}", bench.errand.next());
    }
    bench.tell(gave_up());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::ResourceExhaustion));
    let mut bench = shop();
    bench.answer(&[("observe", "{}")]);
    bench.tell(gave_up());
    assert!(is_reloading(&bench), "{:?}", bench.errand.next());
    bench.tell(gave_up());
    let next = bench.errand.next();
    assert!(matches!(next, Effect::Reconnect { thrift: Thrift::NoScripts, .. }), "{next:?}");
}

/// Twenty browsers are lost while somebody is asked, and the two failures that are too few stay too few.
#[test]
fn a_question_that_is_taken_back_with_its_browser_is_nobodys_failure() {
    let mut bench = shop();
    for round in 1..=20 {
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(Box::new(caught(Fate::Held(format!("a{round}"))))));
        bench.tell(Input::Ruled(Ruling::Withdrawn));
        assert!(
            matches!(bench.errand.next(), Effect::Reconnect { .. }),
            "{round}: {:?}",
            bench.errand.next()
        );
        bench.tell(Input::Looked(Box::new(page(1))));
    }
    let refused = |at: u64| {
        let page = Some(PageNote { digest: 100 + at, ..page(1) });
        Input::Acted(Box::new(ActNote { trouble: Some(trouble("ELEMENT_OBSCURED")), page, ..done(1) }))
    };
    for at in 0..2 {
        bench.answer(&[CLICK]);
        bench.tell(refused(at));
        assert!(bench.errand.outcome().is_none(), "{:?}", bench.errand.outcome());
    }
}
