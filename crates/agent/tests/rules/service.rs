//! What a service adds to an errand: whom it asks and when, what is done before the model is asked, and what proves the end.

use legwork_agent::{
    ActNote, Answer, Effect, Event, Input, Mode, OutcomeKind, Purpose, Question, Reason, Someone, Spec,
    service::{
        Asked, Auth, AuthRule, Element, ElementRule, Named, Predicate, Prepare, Seen, ServiceRules, Signs,
        Wanted,
    },
};
use legwork_types::contract::{ActionId, Target};

use crate::bench::{Bench, CLICK, SUCCESS, done, page, trouble, words};

/// A service of one shop.
fn rules(asked: Asked) -> ServiceRules {
    let text = |words: &str| vec![Predicate { text: vec![words.into()], ..Predicate::default() }];
    let element = ElementRule { role: vec![], name: vec!["place order".into()] };
    ServiceRules {
        service: "shop".into(),
        checkpoint: vec![Predicate {
            tool: vec!["click".into()],
            element: Some(element),
            ..Predicate::default()
        }],
        auth: text("who are you").into_iter().map(AuthRule::from).collect(),
        success: text("order placed"),
        failure: text("was declined"),
        prepare: vec![Prepare {
            url: vec![],
            click: Named { role: "button".into(), name: vec!["Only necessary".into()] },
        }],
        prompt: "Decline every offer.".into(),
        asked,
        ..ServiceRules::default()
    }
}

/// What a page with these words and elements shows, their numbers from 12 on.
fn signs(says: &str, elements: &[(&str, &str)], wants: Option<Wanted>) -> Signs {
    let elements: Vec<Element<'_>> = elements.iter().map(|(role, name)| Element { role, name }).collect();
    let numbers: Vec<ActionId> = (12..).take(elements.len()).map(ActionId).collect();
    let seen = Seen {
        url: "https://shop.example/",
        words: Some(says),
        is_cut: false,
        elements: Some(&elements),
        tool: None,
        acted: None,
    };
    Signs::of(&rules(Asked::AtTheWire), &seen, &numbers, wants)
}

const ORDER: &[(&str, &str)] = &[("button", "Place order"), ("link", "Help")];

/// An errand of the service, which has seen a page that shows this.
fn seeing(spec: Spec, signs: Signs) -> Bench {
    let (errand, started) = legwork_agent::Errand::begin(spec);
    let mut bench = Bench { errand, log: vec![started], calls: 0 };
    bench.answer(&[("create_plan", r#"{"plan":"Order it.","successCriteria":"An order number"}"#)]);
    bench.tell(Input::Looked(Box::new(legwork_agent::PageNote { signs: Some(signs), ..page(1) })));
    bench
}

fn spec(asked: Asked, mode: Mode, someone: Someone) -> Spec {
    Spec { mode, someone, service: Some(rules(asked)), ..Spec::new("Order coffee") }
}

#[test]
fn where_nobody_guards_the_wire_a_checkpoint_is_asked_about_before_the_act() {
    let begin = |mode, someone| {
        let mut bench = seeing(spec(Asked::BeforeTheAct, mode, someone), signs("a page", ORDER, None));
        bench.answer(&[CLICK]);
        bench
    };
    let asked = |answer| {
        let mut bench = begin(Mode::Live, Someone::Present);
        let Effect::AskPerson(Question::Checkpoint { action, why, url }) = bench.errand.next() else {
            panic!("{:?}", bench.errand.next())
        };
        assert_eq!(
            (action.as_str(), url.as_str()),
            ("click 12 button \"Place order\"", "https://shop.example/1")
        );
        assert!(why.contains("named \"place order\""), "{why}");
        bench.tell(Input::Said(answer));
        bench
    };
    let bench = asked(Answer::Yes);
    assert!(matches!(bench.errand.next(), Effect::Act { number: 1, .. }), "{:?}", bench.errand.next());
    for answer in [Answer::No, Answer::Words("go ahead".into())] {
        assert_eq!(asked(answer).ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    }
    assert_eq!(asked(Answer::Nothing).ended(), (OutcomeKind::Stopped, Reason::NobodyAnswered));
    assert_eq!(begin(Mode::Live, Someone::Absent).ended(), (OutcomeKind::Stopped, Reason::NobodyAnswered));
    let dry = begin(Mode::DryRun, Someone::Present);
    assert_eq!(dry.ended(), (OutcomeKind::Stopped, Reason::DryRun));
    assert!(dry.outcome().words.contains("this was not done: click 12 button \"Place order\""));
    // Wherever the log ends, nothing is done without the yes.
    let bench = begin(Mode::Live, Someone::Present);
    let kept = &bench.log[..bench.log.len() - 1];
    let replayed = legwork_agent::Errand::replay(kept).unwrap();
    assert!(
        matches!(replayed.next(), Effect::AskPerson(Question::Checkpoint { .. })),
        "{:?}",
        replayed.next()
    );
}

#[test]
fn what_is_refused_before_anybody_was_asked_is_told_to_the_model_and_nothing_is_taken_for_a_yes() {
    let refused = |dispatched| {
        let trouble = Some(trouble("UNKNOWN_OUTCOME"));
        Input::Acted(Box::new(ActNote { trouble, dispatched, ..done(2) }))
    };
    let mut bench =
        seeing(spec(Asked::BeforeTheAct, Mode::Live, Someone::Present), signs("a page", ORDER, None));
    bench.answer(&[CLICK]);
    // What was done without an answer can't be.
    bench.tell(refused(true));
    assert!(matches!(bench.errand.next(), Effect::AskPerson(Question::Checkpoint { .. })));
    bench.tell(refused(false));
    assert!(matches!(bench.errand.next(), Effect::Reserve(_)), "{:?}", bench.errand.next());
    let told = bench.told();
    assert!(told.contains("UNKNOWN_OUTCOME") && told.contains("FAILED click 12 button"), "{told}");
    assert!(bench.errand.receipts().is_empty(), "{:?}", bench.errand.receipts());
    assert!(!bench.log.iter().any(|entry| matches!(entry.event, Event::PersonSaid { .. })));
}

#[test]
fn somebody_is_asked_about_what_the_view_does_not_show_by_its_name_and_about_a_dialog_by_its_words() {
    let asked = |dialog: Option<&str>, input: &str| {
        let spec = spec(Asked::BeforeTheAct, Mode::Live, Someone::Present);
        let (errand, started) = legwork_agent::Errand::begin(Spec {
            service: Some(ServiceRules {
                checkpoint: vec![Predicate { text: vec!["order".into()], ..Predicate::default() }],
                ..rules(Asked::BeforeTheAct)
            }),
            ..spec
        });
        let mut bench = Bench { errand, log: vec![started], calls: 0 };
        bench.answer(&[("create_plan", r#"{"plan":"Order it.","successCriteria":"An order number"}"#)]);
        let named = [(12, "button \"Place order\""), (55, "button \"Place order twice\"")];
        let named = named.map(|(number, name)| (number, name.to_owned())).to_vec();
        let dialog = dialog.map(str::to_owned);
        // Nothing is known of the page, so whatever is done to it is asked about.
        bench.tell(Input::Looked(Box::new(legwork_agent::PageNote { named, dialog, ..page(1) })));
        bench.answer(&[("act", input)]);
        match bench.errand.next() {
            Effect::AskPerson(Question::Checkpoint { action, .. }) => action.clone(),
            other => panic!("{other:?}"),
        }
    };
    let click = r#"{"action":"click","element":55,"why":"w"}"#;
    assert_eq!(asked(None, click), "click 55 button \"Place order twice\"");
    let form = r#"{"action":"fill_form","fields":[{"element":12,"value":"a"}],"why":"w"}"#;
    assert_eq!(asked(None, form), "fill 12 button \"Place order\" \"a\"");
    let yes = r#"{"action":"accept_dialog","why":"w"}"#;
    assert_eq!(asked(Some("\"Pay €9?\""), yes), "accept the dialog, which says \"Pay €9?\"");
}

#[test]
fn what_fits_no_checkpoint_is_done_and_at_the_wire_nothing_is_asked_before() {
    for (asked, element) in [(Asked::BeforeTheAct, 13), (Asked::AtTheWire, 12)] {
        let mut bench = seeing(spec(asked, Mode::Live, Someone::Present), signs("a page", ORDER, None));
        bench.answer(&[("act", &format!(r#"{{"action":"click","element":{element},"why":"w"}}"#))]);
        assert!(matches!(bench.errand.next(), Effect::Act { .. }), "{asked:?}");
    }
    // A page that could not be seen may hold anything.
    let mut bench = Bench::looking_at_first_page(spec(Asked::BeforeTheAct, Mode::Live, Someone::Present));
    bench.answer(&[CLICK]);
    let Effect::AskPerson(Question::Checkpoint { why, .. }) = bench.errand.next() else { panic!() };
    assert!(why.starts_with("nobody can tell whether "), "{why}");
}

#[test]
fn a_page_that_wants_to_know_who_one_is_waits_for_a_person() {
    let login = || signs("Who are you?", &[("textbox", "Password")], Some(Wanted::Login));
    let mut bench = seeing(spec(Asked::AtTheWire, Mode::DryRun, Someone::Present), login());
    for _ in 0..3 {
        let Effect::AskPerson(Question::TakeOver { wants, url }) = bench.errand.next() else {
            panic!("{:?}", bench.errand.next())
        };
        assert_eq!((*wants, url.as_str()), (Wanted::Login, "https://shop.example/1"));
        bench.tell(Input::Said(Answer::Yes));
        assert!(matches!(bench.errand.next(), Effect::Look { .. }));
        bench.tell(Input::Looked(Box::new(legwork_agent::PageNote { signs: Some(login()), ..page(1) })));
    }
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LoginRequired), "not for ever");

    let asked = |answer| {
        let mut bench = seeing(spec(Asked::AtTheWire, Mode::Live, Someone::Present), login());
        bench.tell(Input::Said(answer));
        bench
    };
    assert_eq!(asked(Answer::No).ended(), (OutcomeKind::Denied, Reason::HumanRejected));
    assert_eq!(asked(Answer::Nothing).ended(), (OutcomeKind::Stopped, Reason::LoginRequired));
    let mut bench = asked(Answer::Yes);
    let inside = legwork_agent::PageNote { signs: Some(signs("Hello", ORDER, None)), ..page(2) };
    bench.tell(Input::Looked(Box::new(inside)));
    assert!(bench.told().contains("the page wanted a login, and a person saw to it"), "{}", bench.told());

    // What is only guessed is asked about once, and where nobody is there the model finds out.
    let guess = || {
        let auth = Auth { wants: Wanted::Login, why: "w".into(), is_guess: true };
        Signs { auth: Some(auth), ..signs("a page", ORDER, None) }
    };
    let mut bench = seeing(spec(Asked::AtTheWire, Mode::Live, Someone::Present), guess());
    assert!(matches!(bench.errand.next(), Effect::AskPerson(Question::TakeOver { .. })));
    bench.tell(Input::Said(Answer::Yes));
    bench.tell(Input::Looked(Box::new(legwork_agent::PageNote { signs: Some(guess()), ..page(1) })));
    assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)), "{:?}", bench.errand.next());
    let bench = seeing(spec(Asked::AtTheWire, Mode::Live, Someone::Absent), guess());
    assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)), "{:?}", bench.errand.next());

    let bench = seeing(spec(Asked::AtTheWire, Mode::Live, Someone::Absent), login());
    assert_eq!(bench.ended(), (OutcomeKind::Stopped, Reason::LoginRequired));
    assert!(bench.outcome().words.contains("--headed"), "{}", bench.outcome().words);
    let bench = seeing(spec(Asked::BeforeTheAct, Mode::Live, Someone::Absent), login());
    let words = &bench.outcome().words;
    assert!(words.contains("the window of the toolbox's browser") && !words.contains("--headed"), "{words}");
}

#[test]
fn with_a_secret_the_model_logs_in_and_what_only_people_can_do_waits_all_the_same() {
    let with_secret = |wants| {
        let spec =
            Spec { secrets: vec!["password".into()], ..spec(Asked::AtTheWire, Mode::Live, Someone::Present) };
        seeing(spec, signs("Who are you?", &[], Some(wants)))
    };
    assert!(matches!(with_secret(Wanted::Login).errand.next(), Effect::Reserve(Purpose::Turn)));
    for wants in [Wanted::Captcha, Wanted::Code] {
        let bench = with_secret(wants);
        assert!(matches!(bench.errand.next(), Effect::AskPerson(Question::TakeOver { .. })), "{wants:?}");
    }
    // Where nothing is done, or nothing written, nobody can log in.
    for mode in [Mode::PlanOnly, Mode::ReadOnly] {
        let bench = seeing(spec(Asked::AtTheWire, mode, Someone::Present), signs("Who are you?", &[], None));
        assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)), "{mode:?}");
    }
    // A page that asks for a proof, and for no password, is none where a secret would help.
    let proof =
        Spec { secrets: vec!["password".into()], ..spec(Asked::AtTheWire, Mode::Live, Someone::Present) };
    let bench = seeing(proof.clone(), signs("Who are you?", &[("button", "Send me a mail")], None));
    let question = bench.errand.next();
    assert!(
        matches!(question, Effect::AskPerson(Question::TakeOver { wants: Wanted::Code, .. })),
        "{question:?}"
    );
    let bench = seeing(proof, signs("Who are you?", &[("textbox", "Password")], None));
    assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)), "{:?}", bench.errand.next());
    // A service that says nothing of logins leaves them to the model, and nothing that only people can do.
    let mut rules = rules(Asked::AtTheWire);
    rules.auth.clear();
    let seen = Seen {
        url: "https://a.example/",
        words: Some(""),
        is_cut: false,
        elements: None,
        tool: None,
        acted: None,
    };
    assert_eq!(Signs::of(&rules, &seen, &[], Some(Wanted::Login)).auth, None::<Auth>);
    for wants in [Wanted::Captcha, Wanted::Code] {
        let signs = Signs::of(&rules, &seen, &[], Some(wants));
        let spec = Spec {
            service: Some(rules.clone()),
            secrets: vec!["password".into()],
            ..self::spec(Asked::AtTheWire, Mode::Live, Someone::Present)
        };
        let bench = seeing(spec, signs.clone());
        assert!(matches!(bench.errand.next(), Effect::AskPerson(Question::TakeOver { .. })), "{wants:?}");
        let absent = Spec {
            service: Some(rules.clone()),
            ..self::spec(Asked::AtTheWire, Mode::Live, Someone::Absent)
        };
        assert_eq!(seeing(absent, signs).ended(), (OutcomeKind::Stopped, Reason::LoginRequired), "{wants:?}");
    }
}

#[test]
fn what_is_prepared_is_done_once_in_a_place_before_the_model_is_asked() {
    let cookies = || signs("We use cookies", &[("button", "Accept all"), ("button", "Only necessary")], None);
    let mut bench = seeing(spec(Asked::AtTheWire, Mode::DryRun, Someone::Absent), cookies());
    let Effect::Act { number: 1, act, .. } = bench.errand.next() else { panic!("{:?}", bench.errand.next()) };
    assert_eq!(act.target, Target::Element { action_id: ActionId(13) });
    // It is still there: then the model sees to it.
    let after = legwork_agent::PageNote { signs: Some(cookies()), digest: 9, ..page(1) };
    bench.tell(Input::Acted(Box::new(ActNote { page: Some(after), ..done(1) })));
    assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)), "{:?}", bench.errand.next());
    assert!(bench.told().contains("1 click 13"), "it is a step like others: {}", bench.told());
    // In another place it is done again.
    bench.answer(&[CLICK]);
    let after = legwork_agent::PageNote { signs: Some(cookies()), ..page(2) };
    bench.tell(Input::Acted(Box::new(ActNote { page: Some(after), ..done(2) })));
    assert!(matches!(bench.errand.next(), Effect::Act { number: 3, .. }), "{:?}", bench.errand.next());
    let bench = seeing(spec(Asked::AtTheWire, Mode::PlanOnly, Someone::Absent), cookies());
    assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)));
}

#[test]
fn the_service_says_what_proves_the_end_and_no_judge_is_asked() {
    let claimed = |says: Option<&str>| {
        let mut bench =
            seeing(spec(Asked::AtTheWire, Mode::Live, Someone::Absent), signs("a page", ORDER, None));
        bench.answer(&[SUCCESS]);
        let signs = says.map(|says| signs(says, &[], None));
        bench.tell(Input::Looked(Box::new(legwork_agent::PageNote { signs, ..page(2) })));
        bench
    };
    let bench = claimed(Some("Order placed!"));
    assert_eq!(bench.ended(), (OutcomeKind::Verified, Reason::Completed));
    assert!(bench.outcome().evidence.iter().any(|line| line.contains("order placed")));
    for (says, why) in [
        (Some("Order placed, but your card was declined"), "the page shows a failure"),
        (Some("Hello"), "does not show what would prove it"),
        (None, "can't be read"),
    ] {
        let bench = claimed(says);
        assert!(matches!(bench.errand.next(), Effect::Reserve(Purpose::Turn)), "{:?}", bench.errand.next());
        assert!(bench.told().contains(why), "{says:?}: {}", bench.told());
    }
}

#[test]
fn what_the_operator_says_of_the_service_is_told_to_planner_and_model_at_their_beginning() {
    let bench = seeing(spec(Asked::AtTheWire, Mode::Live, Someone::Absent), signs("a page", ORDER, None));
    assert!(bench.told().starts_with("Errand: Order coffee\nAbout the service: Decline every offer.\n"));
    assert!(
        words(&bench.errand.request(Purpose::Plan, None)).contains("About the service: Decline every offer.")
    );
}
