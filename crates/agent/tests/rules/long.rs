//! Answers that are too long to be read: asked for once more, and then the end, or another model.

use legwork_agent::{Effect, Event, Handover, Input, Mind, OutcomeKind, Purpose, Reason, Reserve, Spec};
use legwork_types::model::MicroUsd;

use crate::bench::{Bench, CLICK, SUCCESS, answered_too_long, done, page};

/// The call is reserved, and its answer is too long.
fn goes_on_and_on(bench: &mut Bench, another: Option<Handover>) {
    assert!(matches!(bench.errand.next(), Effect::Reserve(_)), "{:?}", bench.errand.next());
    bench.tell(Input::Estimated(Reserve::default()));
    bench.tell(answered_too_long(another));
}

#[test]
fn who_writes_too_much_is_told_so_once_and_then_it_ends() {
    let mut bench = Bench::live();
    let spent = *bench.errand.spent();
    goes_on_and_on(&mut bench, None);
    assert!(bench.told().contains("! your last answer was too long and was not read"), "{}", bench.told());
    assert_eq!(bench.errand.spent().money, spent.money.plus(MicroUsd(7)), "it may have been paid for");
    // Whoever does better then is not told again, and has another chance later.
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(done(2))));
    assert!(!bench.told().contains("too long"));
    goes_on_and_on(&mut bench, None);
    assert!(bench.errand.outcome().is_none());
    goes_on_and_on(&mut bench, None);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));
    assert!(!bench.log.iter().any(|entry| matches!(&entry.event, Event::Acted { number: 2.., .. })));
}

#[test]
fn who_stays_too_long_is_replaced_where_there_is_another() {
    let other = || Some(Handover { from: "first".into(), to: "second".into() });
    let mut bench = Bench::live();
    goes_on_and_on(&mut bench, other());
    assert_eq!(bench.errand.mind(), Mind::First, "words may help");
    goes_on_and_on(&mut bench, other());
    assert_eq!(bench.errand.mind(), Mind::Second { of_first: 0 });
    // The other one is told once as well.
    goes_on_and_on(&mut bench, None);
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Turn));
    goes_on_and_on(&mut bench, None);
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));
}

#[test]
fn a_plan_and_a_verdict_are_asked_for_once_more_too() {
    let (errand, started) = legwork_agent::Errand::begin(Spec::new("Order coffee"));
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    goes_on_and_on(&mut bench, None);
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Plan));
    bench.answer(&[("create_plan", r#"{"plan":"Order it.","successCriteria":"An order number"}"#)]);
    assert!(matches!(bench.errand.next(), Effect::Open { .. }));

    let (errand, started) = legwork_agent::Errand::begin(Spec::new("Order coffee"));
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    (0..2).for_each(|_| goes_on_and_on(&mut bench, None));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LlmError));

    for is_better in [true, false] {
        let mut bench = Bench::live();
        bench.answer(&[SUCCESS]);
        bench.tell(Input::Looked(Box::new(page(1))));
        goes_on_and_on(&mut bench, None);
        assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Judge));
        if is_better {
            let verdict = r#"{"taskAssessment":"it is there","completionQuality":"complete"}"#;
            bench.answer(&[("validate_task", verdict)]);
            assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
        } else {
            goes_on_and_on(&mut bench, None);
            assert_eq!(bench.ended(), (OutcomeKind::Unverified, Reason::LlmError));
        }
    }
}

#[test]
fn whoever_calls_it_off_is_heard_first() {
    let mut bench = Bench::live();
    bench.tell(Input::Estimated(Reserve::default()));
    bench.tell(Input::Interrupted);
    bench.tell(answered_too_long(None));
    assert_eq!(bench.ended().0, OutcomeKind::Stopped);
}
