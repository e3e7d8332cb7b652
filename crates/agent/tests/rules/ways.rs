//! How an errand begins, and the ends that are nobody's decision.

use legwork_agent::{ActNote, Effect, Errand, Input, OutcomeKind, Reason, Reserve, Spec};
use legwork_types::model::MicroUsd;

use crate::bench::{Bench, CLICK, ask_failed, done, page, trouble};

#[test]
fn where_the_planners_address_leads_nowhere_the_model_finds_its_own_way() {
    let (errand, started) = Errand::begin(Spec::new("Order coffee"));
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    let plan = r#"{"plan":"p","successCriteria":"c","url":"https://made-up.example"}"#;
    bench.answer(&[("create_plan", plan)]);
    assert!(matches!(bench.errand.next(), Effect::Open { url: Some("https://made-up.example"), .. }));
    bench.tell(Input::LookFailed(trouble("NAVIGATION_FAILED")));
    assert!(matches!(bench.errand.next(), Effect::Open { url: None, .. }));
    bench.tell(Input::Looked(Box::new(page(1))));
    assert!(bench.told().contains("! the page could not be looked at: NAVIGATION_FAILED"));
}

#[test]
fn a_model_that_makes_no_plan_gets_the_simplest_one() {
    let (errand, started) = Errand::begin(Spec::new("Order coffee"));
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    bench.answer(&[]);
    bench.answer(&[("create_plan", "{}")]);
    bench.answer(&[("act", "{}")]);
    assert!(matches!(bench.errand.next(), Effect::Open { url: None, .. }));
    bench.tell(Input::Looked(Box::new(page(1))));
    assert!(bench.told().contains("Done when: What the user asked for is done: Order coffee"));
}

#[test]
fn the_errand_begins_where_the_user_says_or_else_the_plan() {
    let begin = |start_url: Option<&str>| {
        let spec = Spec { start_url: start_url.map(str::to_owned), ..Spec::new("Order coffee") };
        let (errand, started) = Errand::begin(spec);
        let mut bench = Bench { errand, log: vec![started], calls: 0 };
        bench.answer(&[(
            "create_plan",
            r#"{"plan":"p","successCriteria":"c","url":"https://planned.example"}"#,
        )]);
        match bench.errand.next() {
            Effect::Open { url, .. } => url.map(str::to_owned),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(begin(None).as_deref(), Some("https://planned.example"));
    assert_eq!(begin(Some("https://mine.example")).as_deref(), Some("https://mine.example"));
}

#[test]
fn the_same_again_and_again_is_an_end() {
    let mut bench = Bench::live();
    let mut tries = 0;
    while bench.errand.outcome().is_none() {
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(Box::new(ActNote {
            nothing: true,
            trouble: Some(trouble("ELEMENT_OBSCURED")),
            ..done(1)
        })));
        tries += 1;
        if tries == 2 {
            assert!(bench.told().contains("do something else"));
        }
    }
    assert_eq!((bench.ended(), tries), ((OutcomeKind::Stopped, Reason::Stuck), 3));
}

#[test]
fn a_silent_model_and_a_call_to_stop_are_ends_of_their_own() {
    let mut bench = Bench::live();
    bench.tell(Input::Estimated(Reserve::default()));
    bench.tell(ask_failed("MODEL_FAILED", None));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));
    assert_eq!(bench.errand.spent().money, MicroUsd(10_007));
    // A step that is under way is finished first.
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Interrupted);
    assert!(matches!(bench.errand.next(), Effect::Act { .. }));
    bench.tell(Input::Acted(Box::new(done(2))));
    assert_eq!(bench.errand.next(), Effect::Stop);
    bench.tell(Input::Stop);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Interrupted));
}
