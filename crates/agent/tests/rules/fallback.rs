//! A second model goes on where the first one can't be asked any more: from the same page, with all that was agreed on.

use legwork_agent::{
    Answer, Effect, Event, Handover, Heard, Input, Mind, Mode, OutcomeKind, Purpose, Reason, Reserve,
    Someone, Spec,
};
use legwork_types::model::{Message, MicroUsd, TurnEnd};

use crate::bench::{Bench, CLICK, SUCCESS, ask_failed, done, page};

fn other() -> Option<Handover> {
    Some(Handover { from: "first".into(), to: "second".into() })
}

/// The call is reserved, and can't be made.
fn fails(bench: &mut Bench, code: &str, another: Option<Handover>) {
    bench.tell(Input::Estimated(Reserve::default()));
    assert!(matches!(bench.errand.next(), Effect::Ask(_)), "{:?}", bench.errand.next());
    bench.tell(ask_failed(code, another));
}

#[test]
fn the_second_goes_on_from_the_same_page_and_what_was_agreed_on_stays() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(done(2))));
    let (told, spent, page) = (bench.told(), *bench.errand.spent(), bench.errand.page().cloned());
    fails(&mut bench, "MODEL_FAILED", other());
    assert!(matches!(bench.log.last().unwrap().event, Event::ModelChanged { .. }));
    // It is told the very same: plan, criteria, steps and page.
    assert_eq!((bench.told(), bench.errand.page().cloned()), (told, page));
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 0 });
    assert_eq!(bench.errand.spent().turns, spent.turns, "what came to nothing is no turn");
    assert_eq!(bench.errand.spent().money, spent.money.plus(MicroUsd(7)));
    // What was reserved was for the first: the second's call is reserved anew.
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Turn));
    bench.answer(&[CLICK]);
    assert!(matches!(bench.errand.next(), Effect::Act { .. }));
}

#[test]
fn it_stays_so_and_when_the_second_fails_both_are_told() {
    let mut bench = Bench::live();
    fails(&mut bench, "MODEL_FAILED", other());
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(done(2))));
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 0 });
    // Even where somebody claims that there is one more.
    fails(&mut bench, "MODEL_FAILED", other());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));
    let words = &bench.outcome().words;
    assert!(words.starts_with("second: MODEL_FAILED") && words.contains("first: MODEL_FAILED"), "{words}");
}

#[test]
fn nobody_else_is_asked_by_whoever_calls_it_off_or_has_no_time_or_no_other_model() {
    for (code, another, reason) in [
        ("CANCELLED", other(), Reason::Interrupted),
        ("TIMEOUT", other(), Reason::TimeExceeded),
        ("MODEL_FAILED", None, Reason::LlmError),
    ] {
        let mut bench = Bench::live();
        fails(&mut bench, code, another);
        assert_eq!(bench.ended(), (OutcomeKind::Stopped, reason), "{code}");
        assert!(!bench.outcome().words.contains("second"));
    }
    let mut bench = Bench::live();
    bench.tell(Input::Estimated(Reserve::default()));
    bench.tell(Input::Interrupted);
    bench.tell(ask_failed("MODEL_FAILED", other()));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));
}

#[test]
fn the_second_call_is_made_only_if_it_fits_at_its_own_price() {
    let mut bench = Bench::live();
    let left = bench.errand.spec().limits.money.0 - bench.errand.spent().money.0 - 7;
    fails(&mut bench, "MODEL_FAILED", other());
    let mut dearer = Bench { errand: bench.errand.clone(), log: bench.log.clone(), calls: bench.calls };
    bench.tell(Input::Estimated(Reserve { tokens: 1, money: MicroUsd(left) }));
    assert_eq!(bench.errand.next(), Effect::Ask(Purpose::Turn));
    dearer.tell(Input::Estimated(Reserve { tokens: 1, money: MicroUsd(left + 1) }));
    assert_eq!(dearer.ended(), (OutcomeKind::Stopped, Reason::BudgetExceeded));
}

#[test]
fn what_a_person_answered_the_first_is_told_to_the_second_and_no_call_is_left_unanswered() {
    let spec = Spec { someone: Someone::Present, ..Spec::new("Order coffee") };
    let mut bench = Bench::looking_at_first_page(spec);
    bench.answer(&[("ask_user", r#"{"question":"Which grind?"}"#), ("observe", "{}")]);
    bench.tell(Input::Said(Answer::Words("Whole bean".into())));
    // The next answer is cut short, and then there is none: it is nobody's any more.
    bench.answer_ending(TurnEnd::CutShort, &[]);
    fails(&mut bench, "MODEL_FAILED", other());
    assert!(bench.told().contains("Whole bean"));
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 1 });
    bench.answer(&[("act", "{")]);
    let request = bench.request();
    let said: Vec<String> = request
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Assistant(said) => Some(said.json().to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(said, [r#"[{"said":2}]"#, r#"[{"said":4}]"#], "what the first said, and what the second said");
    let results = request.messages.iter().filter_map(|message| match message {
        Message::Results(results) => {
            Some(results.iter().map(|result| result.call.clone()).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(results.collect::<Vec<_>>(), [vec!["call2-0", "call2-1"], vec!["call4-0"]]);
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 1 });
    // On another page that is history.
    bench.answer(&[("observe", "{}")]);
    bench.tell(Input::Looked(Box::new(page(2))));
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 0 });
}

#[test]
fn plans_and_judges_are_asked_of_the_second_as_well() {
    let mut bench = Bench { errand: legwork_agent::Errand::begin(Spec::new("x")).0, log: vec![], calls: 0 };
    bench.log.push(legwork_agent::Errand::begin(Spec::new("x")).1);
    fails(&mut bench, "MODEL_FAILED", other());
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Plan));
    bench.answer(&[("create_plan", r#"{"plan":"p","successCriteria":"c"}"#)]);
    bench.tell(Input::Looked(Box::new(page(1))));
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 0 });
    let mut bench = Bench::live();
    bench.answer(&[("complete_task", r#"{"status":"success","reason":"r","evidence":"e"}"#)]);
    bench.tell(Input::Looked(Box::new(page(2))));
    fails(&mut bench, "MODEL_FAILED", other());
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Judge));
    bench.answer(&[("validate_task", r#"{"taskAssessment":"a","completionQuality":"complete"}"#)]);
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
}

#[test]
fn that_the_second_takes_no_pictures_is_told_once_also_where_it_is_found_out_by_the_last_answer() {
    const SECOND: &str = "second, in the place of first, takes no pictures: it went by words alone";
    let in_words = |heard| Heard { in_words: true, ..heard };
    let lacks = |bench: &Bench| -> Vec<String> {
        let evidence = bench.outcome().evidence.iter();
        evidence.filter(|line| line.contains("pictures")).cloned().collect()
    };
    let judged = ("validate_task", r#"{"taskAssessment":"a","completionQuality":"complete"}"#);
    let mut bench = Bench::live();
    bench.answer_as(in_words, &[CLICK]);
    bench.tell(Input::Acted(Box::new(done(2))));
    fails(&mut bench, "MODEL_FAILED", other());
    for after in [3, 4] {
        bench.answer_as(in_words, &[CLICK]);
        bench.tell(Input::Acted(Box::new(done(after))));
    }
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(4))));
    bench.answer(&[judged]);
    assert_eq!(lacks(&bench), ["the model takes no pictures: it went by words alone", SECOND]);
    let mut bench = Bench::live();
    fails(&mut bench, "MODEL_FAILED", other());
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(2))));
    bench.answer_as(in_words, &[judged]);
    assert_eq!((bench.ended().0, lacks(&bench)), (OutcomeKind::Verified, vec![SECOND.to_owned()]));
    let mut bench = Bench::live();
    fails(&mut bench, "MODEL_FAILED", other());
    bench.answer(&[SUCCESS]);
    bench.tell(Input::Looked(Box::new(page(2))));
    bench.answer(&[judged]);
    assert_eq!(lacks(&bench), [""; 0], "nothing is said of what was never found out");
}

#[test]
fn a_dry_run_stays_one() {
    let mut bench = Bench::looking_at_first_page(Spec { mode: Mode::DryRun, ..Spec::new("Order coffee") });
    let before = bench.errand.spec().clone();
    fails(&mut bench, "MODEL_FAILED", other());
    assert_eq!(bench.errand.spec(), &before);
    assert!(bench.told().contains("This is a dry run"));
}
