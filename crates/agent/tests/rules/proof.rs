//! What counts as done, and what is told of the rest.

use legwork_agent::{
    ActNote, Declarer, Effect, Fate, Happened, Indicator, Input, Mode, OutcomeKind, PageNote, Proof, Purpose,
    Reason, Ruling, Spec,
};
use legwork_testkit::outside_of_fences;
use serde_json::{Value, json};

use crate::bench::{Bench, CLICK, SUCCESS, caught, done, page, words};

#[test]
fn a_judge_sees_the_page_and_the_receipts_and_not_the_praise() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(ActNote {
        sent: vec!["POST https://shop.example/basket 200".into()],
        ..done(2)
    })));
    bench.answer(&[SUCCESS]);
    assert!(matches!(bench.errand.next(), Effect::Look { .. }), "proof is looked for on a page of now");
    bench.tell(Input::Looked(Box::new(page(3))));
    let judge = words(&bench.errand.request(Purpose::Judge, None));
    assert!(
        judge.contains("An order number") && judge.contains("POST https://shop.example/basket 200"),
        "{judge}"
    );
    assert!(
        judge.contains("page \"Page 3\"") && !judge.contains("splendid") && !judge.contains("to order"),
        "{judge}"
    );
    bench.answer(&[(
        "validate_task",
        r#"{"taskAssessment":"There is a number.","completionQuality":"complete"}"#,
    )]);
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
    let evidence = &bench.outcome().evidence;
    assert_eq!(evidence, &["step 1: POST https://shop.example/basket 200", "judged: There is a number."]);
}

#[test]
fn done_on_a_wrong_page_goes_back_twice_and_is_then_told_as_unverified() {
    let mut bench = Bench::live();
    for time in 1..=3 {
        bench.answer(&[SUCCESS]);
        bench.tell(Input::Looked(Box::new(page(1))));
        let verdict =
            r#"{"taskAssessment":"","completionQuality":"partial","feedback":"there is no number"}"#;
        bench.answer(&[("validate_task", verdict)]);
        if time < 3 {
            let told = bench.told();
            assert!(told.contains("! the errand is not taken for done\n"), "{told}");
            assert!(
                told.contains("because: there is no number")
                    && !outside_of_fences(&told).contains("no number")
            );
        }
    }
    assert_eq!(bench.ended(), (OutcomeKind::Unverified, Reason::VerificationFailed));
    assert!(!bench.outcome().kind.is_verified());
}

#[test]
fn signs_outrank_the_judge_and_failure_comes_first() {
    let proof = Proof {
        success: vec![Indicator::Text("Page 2".into())],
        failure: vec![Indicator::Title("Page 3".into())],
    };
    let mut bench = Bench::looking_at_first_page(Spec { proof, ..Spec::new("Order coffee") });
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(1))));
    assert!(
        bench.told().contains("does not show what would prove it"),
        "nobody judges where signs are known"
    );
    bench.answer(&[SUCCESS]);
    let failed = || Input::Looked(Box::new(PageNote { words: Some("Page 2".into()), ..page(3) }));
    bench.tell(failed());
    assert!(bench.told().contains("the page shows a failure: its title contains"));
    let mut stubborn = Bench { errand: bench.errand.clone(), log: bench.log.clone(), calls: bench.calls };
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(2))));
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
    // Whoever insists on it is not believed: the page says that it failed.
    stubborn.answer(&[SUCCESS]);
    stubborn.tell(failed());
    assert_eq!(stubborn.ended(), (OutcomeKind::Failed, Reason::VerificationFailed));
    assert_eq!(stubborn.outcome().failure_declared_by, Some(Declarer::Page));
}

#[test]
fn a_page_that_can_not_be_read_proves_nothing() {
    let proof =
        Proof { success: vec![Indicator::Url("/2".into())], failure: vec![Indicator::Text("no".into())] };
    let mut bench = Bench::looking_at_first_page(Spec { proof, ..Spec::new("Order coffee") });
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(PageNote { words: None, ..page(2) })));
    assert!(bench.told().contains("can't be read as it is now"), "{}", bench.told());
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(2))));
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
}

#[test]
fn a_judge_without_a_verdict_is_asked_again_and_is_no_word_against_it() {
    let praise =
        r#"{"status":"success","reason":"splendid work","evidence":"e","answer":"It is all ordered"}"#;
    let verdict = r#"{"taskAssessment":"It is there.","completionQuality":"complete"}"#;
    for (answers, ended) in [
        (vec![None, Some("{"), Some(verdict)], (OutcomeKind::Verified, Reason::Completed)),
        (
            vec![None, Some(r#"{"completionQuality":"complete"}"#), None],
            (OutcomeKind::Unverified, Reason::VerificationFailed),
        ),
    ] {
        let mut bench = Bench::live();
        bench.answer(&[("complete_task", praise)]);
        bench.tell(Input::Looked(Box::new(page(3))));
        let judge = words(&bench.errand.request(Purpose::Judge, None));
        assert!(!judge.contains("all ordered"), "an answer that nobody wanted is praise: {judge}");
        for answer in answers {
            let calls: Vec<(&str, &str)> = answer.iter().map(|input| ("validate_task", *input)).collect();
            bench.answer(&calls);
        }
        assert_eq!(bench.ended(), ended);
    }
}

#[test]
fn a_failure_that_the_model_declares_is_told_as_that() {
    let mut bench = Bench::live();
    bench.answer(&[("complete_task", r#"{"status":"failed","reason":"sold out","evidence":"e"}"#)]);
    let outcome = bench.outcome();
    assert_eq!((outcome.kind, outcome.failure_declared_by), (OutcomeKind::Failed, Some(Declarer::Agent)));
    assert!(!outcome.kind.is_verified() && outcome.words == "sold out");
}

#[test]
fn a_dry_run_ends_where_it_is_stopped_and_never_says_that_it_is_done() {
    let dry = || Spec { mode: Mode::DryRun, ..Spec::new("Order coffee") };
    let mut bench = Bench::looking_at_first_page(dry());
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(caught(Fate::DryRun))));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::DryRun));
    assert!(bench.outcome().words.contains("this was not sent: POST https://shop.example/order total 31.30"));
    let mut bench = Bench::looking_at_first_page(dry());
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(2))));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::DryRun));
}

#[test]
fn a_plan_alone_does_nothing() {
    let mut bench = Bench::looking_at_first_page(Spec { mode: Mode::PlanOnly, ..Spec::new("Order coffee") });
    bench.answer(&[CLICK]);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::PlanOnly));
    assert!(bench.outcome().words.contains("click 12 button \"Place order\""));
}

#[test]
fn whatever_left_is_told_in_the_end_and_nothing_that_is_not_known() {
    // What the very last act sent, besides what was stopped.
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    let sent = vec!["POST https://shop.example/cart: answered with 200".to_owned()];
    bench.tell(Input::Acted(Box::new(ActNote { sent, ..caught(Fate::DryRun) })));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::DryRun));
    assert_eq!(bench.outcome().evidence, ["step 1: POST https://shop.example/cart: answered with 200"]);
    assert!(bench.outcome().words.contains("this was not sent: POST https://shop.example/order"));
    // What the page did by itself, and what nobody knows.
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    bench.tell(Input::Besides(Happened {
        lines: vec!["POST https://shop.example/express: left".into()],
        ..Happened::default()
    }));
    bench.tell(Input::Ruled(Ruling::Unknown));
    bench.tell(Input::Stop);
    let evidence = &bench.outcome().evidence;
    assert!(evidence[0].contains("/express"), "{evidence:?}");
    assert!(evidence[1].contains("whether it left is not known"), "{evidence:?}");
}

#[test]
fn what_was_found_out_by_reading_alone_can_be_proved_and_what_was_done_can_not() {
    let end = |input: &str| {
        let mut bench =
            Bench::looking_at_first_page(Spec { mode: Mode::ReadOnly, ..Spec::new("What does it cost?") });
        bench.answer(&[("complete_task", input)]);
        bench.tell(Input::Looked(Box::new(page(1))));
        bench
    };
    let mut answered = end(r#"{"status":"success","reason":"r","evidence":"e","answer":"31.30"}"#);
    answered.answer(&[("validate_task", r#"{"taskAssessment":"so it is","completionQuality":"complete"}"#)]);
    assert_eq!(answered.ended(), (OutcomeKind::Verified, Reason::Completed));
    let done = end(r#"{"status":"success","reason":"ordered","evidence":"e"}"#);
    assert_eq!(done.ended(), (OutcomeKind::Stopped, Reason::DryRun));
}

#[test]
fn an_answer_has_to_have_its_shape() {
    let schema =
        json!({"type": "object", "required": ["price"], "properties": {"price": {"type": "number"}}});
    let mut bench =
        Bench::looking_at_first_page(Spec { answer_schema: Some(schema), ..Spec::new("What is the price?") });
    bench.answer(&[SUCCESS]);
    assert!(bench.told().contains("this errand wants an answer"));
    let with = |price: Value| {
        json!({"status": "success", "reason": "r", "evidence": "e", "answer": {"price": price}}).to_string()
    };
    bench.answer(&[("complete_task", &with(json!("much")))]);
    assert!(bench.told().contains("does not have the shape"));
    bench.answer(&[("complete_task", &with(json!(3.5)))]);
    bench.tell(Input::Looked(Box::new(page(2))));
    bench.answer(&[("validate_task", r#"{"taskAssessment":"it says so","completionQuality":"complete"}"#)]);
    assert_eq!(bench.outcome().answer, Some(json!({"price": 3.5})));
}

#[test]
fn what_a_schema_refers_to_is_found_in_the_tool_and_in_the_answer() {
    let schema = json!({
        "type": "object", "required": ["price"],
        "properties": {"price": {"$ref": "#/$defs/money"}},
        "$defs": {"money": {"type": "number", "minimum": 0}},
    });
    let mut bench =
        Bench::looking_at_first_page(Spec { answer_schema: Some(schema), ..Spec::new("What is the price?") });
    let tools = bench.request().tools;
    let tool = tools.iter().find(|tool| tool.name == "complete_task").unwrap();
    let shown = &tool.schema;
    assert_eq!(shown["$defs"]["money"]["type"], "number", "references are looked for at the root: {shown}");
    assert_eq!(shown["properties"]["answer"]["properties"]["price"]["$ref"], "#/$defs/money");
    let with = |price: Value| {
        json!({"status": "success", "reason": "r", "evidence": "e", "answer": {"price": price}}).to_string()
    };
    bench.answer(&[("complete_task", &with(json!(-1)))]);
    assert!(bench.told().contains("does not have the shape"));
    bench.answer(&[("complete_task", &with(json!(1)))]);
    assert!(matches!(bench.errand.next(), Effect::Look { .. }), "{:?}", bench.errand.next());
}
