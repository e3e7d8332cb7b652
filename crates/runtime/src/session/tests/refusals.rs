//! What is refused: with which code, before anything reaches the page, and with the current look as it is.

use legwork_types::{
    Code, Details,
    contract::{
        Action, ActionId, Cursor, Expect, ExpectedValue, FieldValue, FormFill, ObservationId, ObserveOptions,
        RiskLevel, SessionId, Within,
    },
};

use super::*;
use legwork_testkit::TempHome;

/// Refused before anything was done, and the current look is still the one to name.
fn refused(acted: &Acted, open: &Open) -> Code {
    assert!(!acted.is_ok() && !acted.receipt.dispatched && acted.receipt.is_nothing());
    assert!(!acted.verification.matched);
    assert_eq!(next_id(acted).as_ref(), Some(open.look.id()));
    assert_eq!(open.place.given().len(), 0, "nothing may be done");
    assert!(acted.response().next_observation.is_some());
    code(acted).unwrap()
}

#[tokio::test]
async fn a_call_that_does_not_follow_the_contract_names_the_field() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let link = number(&open.look, "Help");
    let mut calls = vec![
        (request(&open, link, Action::Back {}), "target"),
        (on_page(&open, click()), "target"),
        (on_page(&open, Action::Navigate { url: "example.org".into() }), "action.url"),
        (request(&open, link, press("Enterr")), "action.key"),
    ];
    let mut empty = request(&open, link, click());
    empty.expect = Expect { url_contains: Some(" ".into()), ..Expect::default() };
    calls.push((empty, "expect.urlContains"));
    let mut paged = request(&open, link, click());
    paged.observe.cursor = Some(Cursor("o1+5".into()));
    calls.push((paged, "observe.cursor"));
    let mut within = request(&open, link, click());
    within.observe.within = Some(Within::Action(link));
    calls.push((within, "observe.within"));
    for (call, path) in calls {
        let acted = bench.act(call).await;
        assert_eq!(refused(&acted, &open), Code::ContractMismatch);
        assert_eq!(
            acted.error.unwrap().details.map(|details| *details),
            Some(Details::Contract { path: path.into() })
        );
    }
}

#[tokio::test]
async fn a_page_that_keeps_a_caller_busy_is_ended_by_a_budget() {
    let bench = Bench::with(SessionSettings { most_acts: 4, ..SessionSettings::default() });
    let open = bench.open(SHOP).await;
    let link = number(&open.look, "Help");
    let wait = |ms: u64| serde_json::from_str(&format!(r#"{{"type":"wait","for":"time","ms":{ms}}}"#));
    let giant = Action::Fill { value: FieldValue::Text("x".repeat(1_000_000)) };
    // Neither waits nor values without end, and what is refused counts too.
    for call in [request(&open, link, giant), on_page(&open, Action::Navigate { url: "x".into() })] {
        assert_eq!(refused(&bench.act(call).await, &open), Code::ContractMismatch);
    }
    if let Ok(wait) = wait(3_600_000) {
        assert_eq!(refused(&bench.act(on_page(&open, wait)).await, &open), Code::ContractMismatch);
    }
    let stale = || ActRequest { observation_id: ObservationId("o0".into()), ..request(&open, link, click()) };
    let mut codes = vec![];
    for _ in 0..6 {
        codes.push(code(&bench.act(stale()).await).unwrap());
    }
    assert_eq!(codes.last(), Some(&Code::BudgetExceeded), "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == Code::StaleObservation).count(), 4, "{codes:?}");
    let acted = bench.on(&open, "Help", click()).await;
    assert_eq!(refused(&acted, &open), Code::BudgetExceeded);
    // Another session has a budget of its own.
    let other = bench.open_nth(SHOP, 1).await;
    assert!(bench.on(&other, "Help", click()).await.is_ok());
}

#[tokio::test]
async fn an_address_that_a_rule_forbids_names_the_rule() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    for url in ["file:///etc/passwd", "chrome://settings", "javascript:alert(1)"] {
        let acted = bench.act(on_page(&open, Action::Navigate { url: url.into() })).await;
        assert_eq!(refused(&acted, &open), Code::NavigationBlocked);
        let details = acted.error.unwrap().details.map(|details| *details);
        assert_eq!(details, Some(Details::Rule { rule: "scheme".into() }));
    }
}

#[tokio::test]
async fn numbers_that_go_on_from_look_to_look_are_refused_with_an_old_one() {
    let bench = Bench::new();
    let url = Some(PageUrl::parse(SHOP).unwrap());
    let numbering = Numbering::OnwardFrom(40);
    let request = OpenRequest { url, numbering, ..OpenRequest::default() };
    let opened = bench.sessions.open(&bench.caller, request, &bench.never).await.unwrap();
    let mut open = Open { id: opened.session, look: opened.seen.look, place: bench.driver.place(0) };
    assert_eq!(open.look.numbers().start, 40);
    let old = number(&open.look, "Help");
    let first = open.look.clone();
    open.look = bench.look(&open).await;
    assert_eq!(open.look.numbers().start, first.numbers().end);
    let acted = bench.act(super::request(&open, old, click())).await;
    assert_eq!(refused(&acted, &open), Code::StaleObservation);
    let never = ActionId(open.look.numbers().end);
    let acted = bench.act(super::request(&open, never, click())).await;
    assert_eq!(refused(&acted, &open), Code::ActionNotFound);
    assert!(bench.on(&open, "Help", click()).await.is_ok());
    let [given] = &open.place.given()[..] else { panic!("once") };
    assert_eq!(given.targets[0].0, number(&open.look, "Help"));
}

#[tokio::test]
async fn sessions_of_others_closed_ones_and_those_that_never_were_are_told_alike() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let closed = bench.open_nth(SHOP, 1).await;
    bench.sessions.close(&bench.caller, &closed.id).await.unwrap();
    let options = ObserveOptions::default();
    let nobody = SessionId("bs_000000000000".into());
    let other = Caller::new("somebody else");
    let mut told = Vec::new();
    for (caller, id) in [(&other, &open.id), (&bench.caller, &closed.id), (&bench.caller, &nobody)] {
        let mut call = request(&open, ActionId(1), click());
        call.session_id = id.clone();
        let acted = bench.sessions.act(caller, call, &bench.never).await;
        assert!(acted.next.is_none() && acted.response().next_observation.is_none());
        let never = &bench.never;
        for problem in [
            acted.error.unwrap(),
            bench.sessions.observe(caller, id, &options, never).await.unwrap_err(),
            bench.sessions.read(caller, id, None, 100, never).await.unwrap_err(),
            bench.sessions.screenshot(caller, id, None, never).await.unwrap_err(),
            bench.sessions.tabs(caller, id, never).await.unwrap_err(),
            bench.sessions.close(caller, id).await.unwrap_err(),
        ] {
            assert!(problem.correlation_id.is_some());
            told.push((problem.code, problem.message, problem.hint, problem.cause, problem.details));
        }
    }
    assert!(told.iter().all(|one| *one == told[0]) && told[0].0 == Code::SessionNotFound, "{told:?}");
    assert_eq!(open.place.given().len(), 0);
    assert!(bench.sessions.list(&other).await.is_empty());
    assert_eq!(bench.sessions.list(&bench.caller).await.len(), 1);
}

#[tokio::test]
async fn only_the_latest_look_may_be_acted_on() {
    let bench = Bench::new();
    let mut open = bench.open(SHOP).await;
    let first = open.look.clone();
    open.look = bench.look(&open).await;
    let number = number(&first, "Help");
    for action in [click(), Action::Back {}] {
        let mut call = match action {
            Action::Back {} => on_page(&open, action),
            _ => request(&open, number, action),
        };
        call.observation_id = first.id().clone();
        let acted = bench.act(call).await;
        assert_eq!(refused(&acted, &open), Code::StaleObservation);
        let current = Some(open.look.id().clone());
        let stale = Details::Stale { current, provided: first.id().clone() };
        assert_eq!(acted.error.unwrap().details.map(|details| *details), Some(stale));
    }
    let unknown = ObservationId("o\u{7}1".repeat(100));
    let mut call = on_page(&open, Action::Back {});
    call.observation_id = unknown;
    let told = bench.act(call).await.error.unwrap();
    assert!(
        matches!(told.details.map(|details| *details), Some(Details::Stale { provided, .. }) if provided.0.len() <= 60)
    );
}

#[tokio::test]
async fn a_look_of_another_session_is_no_look_of_this_one() {
    let bench = Bench::new();
    let (open, other) = (bench.open(SHOP).await, bench.open_nth(SHOP, 1).await);
    let mut call = request(&open, number(&open.look, "Help"), click());
    call.observation_id = other.look.id().clone();
    assert_eq!(refused(&bench.act(call).await, &open), Code::StaleObservation);
    assert_eq!(other.place.given().len(), 0);
}

#[tokio::test]
async fn a_cursor_belongs_to_its_look() {
    let bench = Bench::new();
    let mut open = bench.open(SHOP).await;
    let few = ObserveOptions { max_affordances: 2, ..ObserveOptions::default() };
    let part = open.look.observe(&few, None).unwrap();
    let next = ObserveOptions { cursor: part.next_cursor.clone(), ..few.clone() };
    let look = bench.ask(&open, &next).await.unwrap();
    assert_eq!(look.id(), open.look.id(), "a cursor is answered from the look that it belongs to");
    assert_eq!(open.place.scenery().captures, 1);

    open.look = bench.look(&open).await;
    let problem = bench.ask(&open, &next).await.unwrap_err();
    assert_eq!(problem.code, Code::StaleObservation);
    assert!(
        matches!(problem.details.map(|details| *details), Some(Details::Stale { current: Some(current), .. }) if current == *open.look.id())
    );
    let nobody = ObserveOptions { within: Some(Within::Action(ActionId(999))), ..Default::default() };
    assert_eq!(bench.ask(&open, &nobody).await.unwrap_err().code, Code::ActionNotFound);
    let since = ObserveOptions { since: Some(ObservationId("o0".into())), ..Default::default() };
    assert_eq!(bench.ask(&open, &since).await.unwrap_err().code, Code::StaleObservation);
    assert_eq!(open.place.scenery().captures, 2, "what is refused costs no look");
    let mut call = request(&open, number(&open.look, "Help"), click());
    call.observe.since = Some(ObservationId("o0".into()));
    assert_eq!(refused(&bench.act(call).await, &open), Code::StaleObservation);
}

#[tokio::test]
async fn numbers_must_be_of_the_look_and_have_an_element() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    for nobody in [0, 999, u32::MAX] {
        let acted = bench.act(request(&open, ActionId(nobody), click())).await;
        assert_eq!(refused(&acted, &open), Code::ActionNotFound);
    }
    let ghost = bench.on(&open, "Ghost", click()).await;
    assert_eq!(refused(&ghost, &open), Code::ActionNotApplicable);
    let to = ActionId(999);
    assert_eq!(refused(&bench.on(&open, "More", Action::Drag { to }).await, &open), Code::ActionNotFound);
    let value = FieldValue::Text("x".into());
    let fields = vec![
        FormFill { action_id: number(&open.look, "Search"), value: value.clone() },
        FormFill { action_id: ActionId(999), value },
    ];
    let acted = bench.act(on_page(&open, Action::FillForm { fields })).await;
    assert_eq!(refused(&acted, &open), Code::ActionNotFound);
}

#[tokio::test]
async fn what_is_dangerous_needs_the_very_words_and_names_the_same_look() {
    let bench = Bench::ruled(trusting());
    let open = bench.open(SHOP).await;
    let pay = number(&open.look, "Pay now");
    assert_eq!(open.look.affordance(pay).unwrap().risk.level, RiskLevel::Danger);

    let acted = bench.act(request(&open, pay, click())).await;
    assert_eq!(refused(&acted, &open), Code::SafetyConfirmationRequired);
    let Some(Details::Confirmation { required_confirmation_text: Some(words), missing, mismatch, .. }) =
        acted.error.unwrap().details.map(|details| *details)
    else {
        panic!("the words are told")
    };
    assert_eq!(
        (words.as_str(), missing, mismatch),
        ("CONFIRM click \"Pay now\" on shop.example", Some("confirm"), false)
    );

    for (confirm, text) in [
        (true, None),
        (false, Some(words.clone())),
        (true, Some(words.to_lowercase())),
        (true, Some(format!("{words} "))),
        (true, Some(words.replace("Pay now", "Help"))),
    ] {
        let mut call = request(&open, pay, click());
        (call.confirm, call.confirmation_text) = (confirm, text);
        assert_eq!(refused(&bench.act(call).await, &open), Code::SafetyConfirmationRequired);
    }
    let mut call = request(&open, pay, click());
    (call.confirm, call.confirmation_text) = (true, Some(words));
    let acted = bench.act(call).await;
    assert!(acted.is_ok() && acted.receipt.dispatched);
    assert_eq!(open.place.given().len(), 1);
}

#[tokio::test]
async fn where_nobody_may_confirm_no_words_help() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let mut call = request(&open, number(&open.look, "Pay now"), click());
    (call.confirm, call.confirmation_text) = (true, Some("CONFIRM click \"Pay now\" on shop.example".into()));
    let acted = bench.act(call).await;
    assert_eq!(refused(&acted, &open), Code::SafetyConfirmationRequired);
    let told = matches!(
        acted.error.unwrap().details.map(|details| *details),
        Some(Details::Confirmation { required_confirmation_text: None, .. })
    );
    assert!(told);
}

#[tokio::test]
async fn the_key_that_sends_a_dangerous_form_is_dangerous_and_others_are_not() {
    let bench = Bench::ruled(trusting());
    let open = bench.open(SHOP).await;
    let typed = |text: &str| Action::Type { text: FieldValue::Text(text.into()), delay_ms: 0 };
    for action in [press("Enter"), typed("SAVE10\n")] {
        let acted = bench.on(&open, "Coupon", action).await;
        assert_eq!(refused(&acted, &open), Code::SafetyConfirmationRequired);
    }
    // Nothing that can be seen tells what Enter sends here.
    let acted = bench.on(&open, "Notes", press("Enter")).await;
    assert_eq!(refused(&acted, &open), Code::SafetyConfirmationRequired);
    for (name, action) in [("Notes", typed("note")), ("Search", press("Enter")), ("Coupon", typed("SAVE10"))]
    {
        let look = bench.look(&open).await;
        let mut call = request(&open, number(&look, name), action);
        call.observation_id = look.id().clone();
        assert!(bench.act(call).await.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn a_key_on_the_page_is_judged_by_what_has_the_focus() {
    let bench = Bench::ruled(trusting());
    let mut open = bench.open(SHOP).await;
    let mut body = shop_body();
    body[5] = submit("Pay now", 1).flag(Flag::Focused);
    open.place.scenery().page = shop_of(body).capture();
    open.look = bench.look(&open).await;
    let pay = number(&open.look, "Pay now");
    assert!(open.look.affordance(pay).unwrap().focused);
    let acted = bench.act(on_page(&open, press("Enter"))).await;
    assert_eq!(refused(&acted, &open), Code::SafetyConfirmationRequired);
    let acted = bench.act(on_page(&open, press("Escape"))).await;
    assert!(acted.is_ok());
    assert_eq!(open.place.given()[0].targets[0].0, pay, "the key is bound to what has the focus");
}

#[tokio::test]
async fn a_proof_of_being_human_is_left_to_humans() {
    let bench = Bench::ruled(trusting());
    let open = bench.open(CAPTCHA).await;
    for action in [click(), Action::Check {}, press("Space")] {
        assert_eq!(refused(&bench.on(&open, "I'm here", action).await, &open), Code::CaptchaBlocked);
    }
    assert!(bench.on(&open, "I'm here", Action::Hover {}).await.is_ok());
}

#[tokio::test]
async fn secrets_are_refused_by_name() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let secret = || FieldValue::Secret { secret: "card".into() };
    let field = number(&open.look, "Coupon");
    let fields = vec![FormFill { action_id: field, value: secret() }];
    for call in [
        request(&open, field, Action::Fill { value: secret() }),
        request(&open, field, Action::Type { text: secret(), delay_ms: 0 }),
        on_page(&open, Action::FillForm { fields }),
    ] {
        assert_eq!(refused(&bench.act(call).await, &open), Code::SecretRefused);
    }
}

#[tokio::test]
async fn only_files_that_really_are_in_an_allowed_folder_are_given_away() {
    let home = TempHome::new();
    let (inside, outside) = (home.path().join("allowed"), home.path().join("private"));
    std::fs::create_dir_all(inside.join("sub")).unwrap();
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(inside.join("photo.jpg"), "jpg").unwrap();
    std::fs::write(outside.join("key"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.join("key"), inside.join("link.jpg")).unwrap();
    std::os::unix::fs::symlink(&outside, inside.join("folder")).unwrap();
    std::os::unix::fs::symlink(&inside, home.path().join("way")).unwrap();
    // The operator may name the folder by a link to it.
    let bench = Bench::ruled(Rules { uploads: vec![home.path().join("way")], ..trusting() });
    let open = bench.open(SHOP).await;
    let upload = |paths: &[&std::path::Path]| Action::Upload {
        files: paths.iter().map(|path| path.display().to_string()).collect(),
    };
    let photo = inside.join("photo.jpg");
    for refused_path in [
        outside.join("key"),
        inside.join("link.jpg"),
        inside.join("folder/key"),
        inside.join("../private/key"),
        inside.join("sub"),
        inside.join("nothing"),
        "/etc/passwd".into(),
    ] {
        let acted = bench.on(&open, "Photo", upload(&[&photo, &refused_path])).await;
        assert_eq!(refused(&acted, &open), Code::UploadRefused, "{}", refused_path.display());
    }
    let acted = bench.on(&open, "Photo", upload(&[&home.path().join("way/photo.jpg")])).await;
    assert!(acted.is_ok(), "{:?}", acted.error);
    assert_eq!(open.place.given()[0].files, [photo.canonicalize().unwrap()]);
}

#[tokio::test]
async fn without_a_dialog_there_is_nothing_to_answer() {
    let bench = Bench::ruled(trusting());
    let open = bench.open(SHOP).await;
    for accept in [true, false] {
        let acted = bench.act(on_page(&open, Action::HandleDialog { accept, text: None })).await;
        assert_eq!(refused(&acted, &open), Code::ActionNotApplicable);
    }
}

#[tokio::test]
async fn a_recorded_checkout_is_not_paid_without_a_yes() {
    let bench = Bench::ruled(trusting());
    let open = bench.open(CHECKOUT).await;
    let dangers: Vec<ActionId> = open
        .look
        .scene()
        .items
        .iter()
        .filter(|item| item.affordance.risk.level == RiskLevel::Danger && item.affordance.targetable)
        .map(|item| item.affordance.action_id)
        .collect();
    assert!(!dangers.is_empty());
    for danger in dangers {
        let acted = bench.act(request(&open, danger, click())).await;
        assert_eq!(refused(&acted, &open), Code::SafetyConfirmationRequired);
    }
}

#[tokio::test]
async fn an_expectation_about_a_field_uses_the_numbers_of_the_look_before() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let search = number(&open.look, "Search");
    let mut call = request(&open, search, Action::Fill { value: FieldValue::Text("tea".into()) });
    call.expect.input_value_equals = Some(ExpectedValue { action_id: search, value: "tea".into() });
    open.place.reacts(|scenery, _| {
        let mut body = shop_body();
        body[1] = field("Search").form(0).value("tea");
        // What comes before it moves all the numbers.
        body.insert(0, link("Saved searches"));
        scenery.page = shop_of(body).capture();
        super::fake::done(legwork_browser::After::Quiet)
    });
    let acted = bench.act(call).await;
    assert!(acted.is_ok(), "{:?}", acted.verification);
}
