//! What people are asked, and what follows from their answers.

use legwork_agent::{
    ActNote, Answer, Effect, Fate, Happened, Input, OutcomeKind, Purpose, Question, Reason, Reserve, Ruling,
    Someone, Spec, Trouble, TroubleKind,
};
use legwork_types::model::MicroUsd;

use crate::bench::{Bench, CLICK, ask_failed, caught, done, page, trouble};

#[test]
fn what_is_held_waits_for_a_person_and_the_answer_decides() {
    let asked = |ruling| {
        let mut bench = Bench::live();
        bench.answer(&[("submit_for_approval", r#"{"summary":"1 kg Harbour Light","amount":"€31.30"}"#)]);
        assert_eq!(bench.errand.prepared().unwrap().1.as_deref(), Some("€31.30"));
        bench.answer(&[CLICK]);
        bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
        assert_eq!(bench.errand.next(), Effect::AwaitRuling { approval: "a7" });
        bench.tell(Input::Ruled(ruling));
        bench
    };
    assert_eq!(asked(Ruling::Denied).ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    assert_eq!(asked(Ruling::Expired).ended(), (OutcomeKind::Stopped, Reason::NobodyAnswered));
    let mut bench = asked(Ruling::LetGo);
    bench.tell(Input::Looked(Box::new(page(3))));
    assert!(bench.told().contains("a person said yes to this and it was sent"));
    assert!(bench.told().contains("A person has approved the last step."));
    // The step that was held is no failure.
    assert!(
        bench
            .told()
            .contains("1 click 12 button \"Place order\" (to order): a person said yes, and it was let go")
    );
    assert!(bench.errand.prepared().is_none(), "what was announced was for that one");
    let tools: Vec<String> = bench.request().tools.into_iter().map(|tool| tool.name).collect();
    assert_eq!(tools, ["act", "observe", "read", "complete_task"]);
    // What is left to do after that is little.
    for _ in 0..4 {
        bench.answer(&[("read", "{}")]);
        bench.tell(Input::Words("words".into()));
    }
    bench.tell(Input::Estimated(Reserve::default()));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::MaxTurnsExceeded));
    assert!(
        bench
            .outcome()
            .evidence
            .iter()
            .any(|line| line.contains("a person said yes, and it was let go: POST"))
    );
}

#[test]
fn what_has_to_be_done_again_after_a_yes_is_told() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(caught(Fate::ToBeRepeated("a7".into())))));
    bench.tell(Input::Ruled(Ruling::ToBeRepeated));
    bench.tell(Input::Looked(Box::new(page(3))));
    assert!(bench.told().contains("do the same again now"));
    assert!(bench.errand.outcome().is_none());
    // Something else that it led to: the model is told, whatever else it is told, until it acts.
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    let lines = vec!["a person said yes, and it leaves when it is tried again: POST /paid".to_owned()];
    bench.tell(Input::Besides(Happened { lines, again: true, commits: vec![] }));
    bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    bench.tell(Input::Ruled(Ruling::LetGo));
    bench.tell(Input::Looked(Box::new(page(3))));
    assert!(bench.told().contains("it was sent") && bench.told().contains("do the same again now"));
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(done(4))));
    assert!(!bench.told().contains("do the same again now"));
}

#[test]
fn people_are_asked_where_somebody_is_there() {
    let ask = ("ask_user", r#"{"question":"Which grind?"}"#);
    let mut alone = Bench::live();
    alone.answer(&[ask]);
    assert!(alone.told().contains("nobody is there to ask"));
    let present = Spec { someone: Someone::Present, ..Spec::new("Order coffee") };
    let mut bench = Bench::looking_at_first_page(present.clone());
    bench.answer(&[ask]);
    assert_eq!(bench.errand.next(), Effect::AskPerson(&Question::Tell { question: "Which grind?".into() }));
    bench.tell(Input::Said(Answer::Words("Whole bean".into())));
    assert!(bench.told().contains("the user says: Whole bean"));
    bench.answer(&[("request_human_approval", r#"{"action":"take the dearer one","reason":"sold out"}"#)]);
    bench.tell(Input::Said(Answer::No));
    assert_eq!(bench.ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    // At a limit, too.
    let mut bench = Bench::looking_at_first_page(present);
    let dear = Reserve { tokens: 1, money: MicroUsd(10_000_000) };
    bench.tell(Input::Estimated(dear));
    let question = Question::Extend { out_of: Reason::BudgetExceeded };
    assert_eq!(bench.errand.next(), Effect::AskPerson(&question));
    bench.tell(Input::Said(Answer::Yes));
    bench.tell(Input::Estimated(dear));
    assert_eq!(bench.errand.next(), Effect::Ask(Purpose::Turn));
}

#[test]
fn what_comes_of_a_yes_is_waited_for_before_the_model_is_asked() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    // The page says that it works on it while somebody is asked.
    bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    bench.tell(Input::Ruled(Ruling::LetGo));
    bench.tell(Input::Looked(Box::new(page(2))));
    assert!(matches!(bench.errand.next(), Effect::Look { .. }), "nothing has come of it so far");
    bench.tell(Input::Looked(Box::new(page(3))));
    assert_eq!(bench.errand.next(), Effect::Reserve(Purpose::Turn));
}

#[test]
fn whoever_calls_an_errand_off_is_not_told_that_nobody_answered() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
    bench.tell(Input::Interrupted);
    bench.tell(Input::Ruled(Ruling::Expired));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Interrupted));
    let mut bench = Bench::live();
    bench.tell(Input::Estimated(Reserve::default()));
    bench.tell(ask_failed("CANCELLED", None));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Interrupted), "also while the model thinks");
}

#[test]
fn a_question_is_taken_back_before_the_errand_ends_and_a_late_yes_is_told() {
    for (ruling, told) in [(Ruling::Denied, false), (Ruling::LetGo, true), (Ruling::Unknown, true)] {
        let mut bench = Bench::live();
        bench.answer(&[CLICK]);
        bench.tell(Input::Interrupted);
        bench.tell(Input::Acted(Box::new(caught(Fate::Held("a7".into())))));
        assert_eq!(bench.errand.next(), Effect::AwaitRuling { approval: "a7" });
        bench.tell(Input::Ruled(ruling));
        if bench.errand.outcome().is_none() {
            assert_eq!(bench.errand.next(), Effect::Stop);
            bench.tell(Input::Stop);
        }
        assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Interrupted), "{ruling:?}");
        let says_yes = bench.outcome().evidence.iter().any(|line| line.contains("a person said yes"));
        assert_eq!(says_yes, told, "{ruling:?}");
        assert_eq!(bench.outcome().words.contains("this was not sent"), !told, "{ruling:?}");
    }
}

#[test]
fn an_act_that_was_broken_off_is_told_as_unknown_and_not_as_a_lost_browser() {
    let mut bench = Bench::live();
    bench.answer(&[CLICK]);
    bench.tell(Input::Interrupted);
    let unknown = Trouble { kind: TroubleKind::Disconnect, ..trouble("UNKNOWN_OUTCOME") };
    bench.tell(Input::Acted(Box::new(ActNote { trouble: Some(unknown), page: None, ..done(2) })));
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::Interrupted));
    assert!(bench.outcome().words.contains("UNKNOWN_OUTCOME"), "{}", bench.outcome().words);
}

#[test]
fn a_question_before_an_act_that_was_taken_back_is_no_no() {
    for (is_called_off, ended) in [
        (false, (OutcomeKind::Denied, Reason::HumanRejected)),
        (true, (OutcomeKind::Stopped, Reason::Interrupted)),
    ] {
        let mut bench = Bench::live();
        bench.answer(&[CLICK]);
        if is_called_off {
            bench.tell(Input::Interrupted);
        }
        let denied = Some(trouble("APPROVAL_DENIED"));
        bench.tell(Input::Acted(Box::new(ActNote { trouble: denied, dispatched: false, ..done(1) })));
        assert_eq!(bench.ended(), ended);
        assert!(bench.outcome().words.contains("APPROVAL_DENIED"), "{}", bench.outcome().words);
    }
}
