//! What comes of acts: always with a look, always as it was, never better.

use legwork_browser::{After, Blocked, BrowserError, DialogKind, Gone};
use legwork_types::{
    Details, PageText,
    contract::{Action, Dialog, ElementPattern, Navigated},
};

use super::{
    fake::{before, dispatched, done, lost, midway},
    *,
};

fn dialog(message: &str) -> Dialog {
    Dialog { kind: "confirm".into(), message: message.into() }
}

fn words_asked_for(acted: &Acted) -> String {
    assert_eq!(code(acted), Some(Code::SafetyConfirmationRequired));
    match acted.error.as_ref().unwrap().details.as_deref() {
        Some(Details::Confirmation { required_confirmation_text: Some(words), .. }) => words.clone(),
        other => panic!("{other:?}"),
    }
}

fn crashed() -> BrowserError {
    BrowserError::TabGone { gone: Gone::Crashed, url: SHOP.into() }
}

fn slow() -> BrowserError {
    BrowserError::Timeout { what: "looking at the page", url: SHOP.into() }
}

#[tokio::test]
async fn an_act_gives_a_new_look_and_only_that_one_counts() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.reacts(|scenery, _| {
        scenery.page = shop_of(vec![button("Thanks")]).url("https://shop.example/basket").capture();
        let mut receipt = dispatched();
        let to = PageText::from("https://shop.example/basket");
        receipt.effects.navigated = Some(Navigated { from: SHOP.into(), to });
        Ok(legwork_browser::Done { receipt, after: After::Quiet, look: None })
    });
    let mut call = request(&open, number(&open.look, "Add to basket"), click());
    call.observe.since = Some(open.look.id().clone());
    let acted = bench.act(call).await;
    assert!(acted.is_ok() && acted.verification.reason == "none given");
    let answer = acted.response();
    let next = answer.next_observation.unwrap();
    assert!(answer.ok && next.observation_id != *open.look.id());
    assert_eq!(next.page.url.untrusted(), "https://shop.example/basket");
    assert_eq!(next.delta.unwrap().added.len(), 1);
    assert_eq!(code(&bench.on(&open, "Help", click()).await), Some(Code::StaleObservation));
    assert_eq!(open.place.given().len(), 1);
    let given = &open.place.given()[0];
    assert_eq!((&given.session, &given.observation), (&open.id, open.look.id()));
    assert_eq!(given.aims.elements.len(), 1);
}

#[tokio::test]
async fn what_was_expected_and_is_not_so_is_no_success() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let mut call = request(&open, number(&open.look, "Add to basket"), click());
    let name = Some("Thanks".into());
    call.expect.element_appeared = Some(ElementPattern { role: None, name });
    let acted = bench.act(call).await;
    assert!(acted.error.is_none() && acted.receipt.dispatched && !acted.verification.matched);
    assert!(acted.verification.reason.contains("elementAppeared"), "{}", acted.verification.reason);
    let answer = acted.response();
    assert!(!answer.ok && answer.error.is_none() && answer.next_observation.is_some());
    assert_ne!(next_id(&acted).as_ref(), Some(open.look.id()));
}

#[tokio::test]
async fn a_dialog_gives_a_stale_look_that_can_be_answered() {
    let bench = Bench::ruled(trusting());
    let mut open = bench.open(SHOP).await;
    open.place.reacts(|scenery, _| {
        scenery.dialog = Some(dialog("Empty the basket?"));
        done(After::DialogOpen)
    });
    let acted = bench.on(&open, "Add to basket", click()).await;
    assert!(acted.is_ok());
    let seen = acted.next.unwrap();
    assert!(seen.look.is_stale() && seen.look.scene().page.dialogs == [dialog("Empty the basket?")]);
    assert_eq!(seen.look.scene().page.final_url.untrusted(), SHOP, "the page is told as it was last known");
    open.look = seen.look;
    let answer = |open: &Open, accept| on_page(open, Action::HandleDialog { accept, text: None });

    // A yes needs the words; to see the page again does not take it away.
    let acted = bench.act(answer(&open, true)).await;
    assert_eq!(next_id(&acted).as_ref(), Some(open.look.id()));
    let words = words_asked_for(&acted);
    open.look = bench.look(&open).await;
    assert!(open.look.is_stale());

    // A yes to one question is none to another that came up meanwhile.
    open.place.scenery().dialog = Some(dialog("Pay 900 EUR?"));
    let mut call = answer(&open, true);
    (call.confirm, call.confirmation_text) = (true, Some(words));
    let acted = bench.act(call.clone()).await;
    assert_eq!(code(&acted), Some(Code::StaleObservation));
    open.look = acted.next.unwrap().look;
    assert_eq!(open.look.scene().page.dialogs, [dialog("Pay 900 EUR?")]);
    assert_eq!(open.place.given().len(), 1);

    call.observation_id = open.look.id().clone();
    let acted = bench.act(call.clone()).await;
    call.confirmation_text = Some(words_asked_for(&acted));
    open.place.reacts(|scenery, _| {
        scenery.dialog = None;
        done(After::Quiet)
    });
    let acted = bench.act(call).await;
    assert!(acted.is_ok() && !acted.next.unwrap().look.is_stale());
}

#[tokio::test]
async fn a_no_to_a_dialog_needs_no_words() {
    let bench = Bench::new();
    let mut open = bench.open(SHOP).await;
    open.place.scenery().dialog = Some(dialog("Leave?"));
    open.look = bench.look(&open).await;
    let acted = bench.act(on_page(&open, Action::HandleDialog { accept: false, text: None })).await;
    assert_eq!(acted.error, None);
    assert_eq!(open.place.given().len(), 1);
}

#[tokio::test]
async fn a_dialog_that_comes_up_during_a_look_is_told() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let asks = BrowserError::DialogOpen { kind: DialogKind::BeforeUnload, message: "Leave?".into() };
    open.place.scenery().failures.push_back(asks);
    let look = bench.look(&open).await;
    assert!(look.is_stale() && look.scene().page.dialogs[0].kind == "beforeunload");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_being_left_is_told_as_it_was_until_the_next_one_is_there() {
    let bench = Bench::new();
    let mut open = bench.open(SHOP).await;
    open.place.reacts(|scenery, _| {
        scenery.answers = false;
        done(After::Leaving)
    });
    let acted = bench.on(&open, "Help", click()).await;
    assert!(acted.is_ok() && acted.next.as_ref().unwrap().look.is_stale());
    let captures = open.place.scenery().captures;
    open.look = bench.look(&open).await;
    assert!(open.look.is_stale());
    assert_eq!(open.place.scenery().captures, captures, "a look would stop what is on its way");
    open.place.scenery().answers = true;
    open.look = bench.look(&open).await;
    assert!(!open.look.is_stale());
    assert!(bench.on(&open, "Help", click()).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_never_left_is_looked_at_in_the_end() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.reacts(|scenery, _| {
        scenery.answers = false;
        done(After::Leaving)
    });
    bench.on(&open, "Help", click()).await;
    tokio::time::sleep(SessionSettings::default().navigation).await;
    assert!(!bench.look(&open).await.is_stale());
}

#[tokio::test]
async fn what_was_under_way_when_the_browser_was_lost_is_not_known() {
    for nth in 0..3 {
        let bench = Bench::new();
        let open = bench.open(SHOP).await;
        open.place.reacts(move |scenery, permit| match nth {
            // While it was done; after it, before the page was looked at again; before anything was sent.
            0 => midway(lost()),
            1 => {
                scenery.lost = Some(legwork_browser::Lost::Closed);
                done(After::Quiet)
            }
            _ => before(permit, lost().into()),
        });
        let acted = bench.on(&open, "Add to basket", click()).await;
        let (expected, was_sent) =
            if nth < 2 { (Code::UnknownOutcome, true) } else { (Code::BrowserDisconnected, false) };
        assert_eq!((code(&acted), acted.receipt.dispatched), (Some(expected), was_sent), "{nth}");
        assert!(acted.next.is_none() && !acted.verification.matched);
        assert!(nth == 2 || acted.error.unwrap().cause.unwrap().contains("BROWSER_DISCONNECTED"));
        let gone = bench.ask(&open, &ObserveOptions::default()).await.unwrap_err();
        assert_eq!(gone.code, Code::SessionNotFound, "{nth}");
    }
}

#[tokio::test]
async fn what_was_under_way_when_the_page_crashed_is_not_known_and_the_session_goes_on() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.reacts(|_, _| midway(crashed()));
    let acted = bench.on(&open, "Add to basket", click()).await;
    assert_eq!(code(&acted), Some(Code::UnknownOutcome));
    assert!(acted.next.is_none() && !acted.error.unwrap().retryable);
    // The look before the crash counts no more.
    let acted = bench.on(&open, "Add to basket", click()).await;
    assert_eq!(code(&acted), Some(Code::StaleObservation));
    let fresh = acted.next.unwrap().look;
    open.place.reacts(|_, permit| before(permit, crashed().into()));
    let mut call = request(&open, number(&fresh, "Help"), click());
    call.observation_id = fresh.id().clone();
    let acted = bench.act(call).await;
    assert_eq!(code(&acted), Some(Code::PageCrashed));
    assert!(!acted.receipt.dispatched);
}

#[tokio::test]
async fn a_page_that_can_not_be_looked_at_afterwards_leaves_a_stale_look_and_is_not_called_retryable() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.reacts(|scenery, _| {
        scenery.failures.push_back(slow());
        done(After::Quiet)
    });
    let acted = bench.on(&open, "Add to basket", click()).await;
    assert_eq!(code(&acted), Some(Code::Timeout));
    assert!(acted.receipt.dispatched && !acted.error.as_ref().unwrap().retryable);
    assert!(!acted.verification.matched && acted.next.unwrap().look.is_stale());
    open.place.reacts(|_, _| midway(slow()));
    let look = bench.look(&open).await;
    let mut call = request(&open, number(&look, "Help"), click());
    call.observation_id = look.id().clone();
    let acted = bench.act(call).await;
    assert_eq!(code(&acted), Some(Code::Timeout));
    assert!(!acted.error.as_ref().unwrap().retryable && !acted.next.unwrap().look.is_stale());
}

#[tokio::test]
async fn calling_an_act_off_tells_whether_anything_was_sent() {
    for was_sent in [true, false] {
        let bench = Bench::new();
        let open = bench.open(SHOP).await;
        open.place.hangs(was_sent);
        let cancel = CancellationToken::new();
        let call = request(&open, number(&open.look, "Help"), click());
        let calling_off = async {
            open.place.hangs.notified().await;
            cancel.cancel();
        };
        let (acted, ()) = tokio::join!(bench.sessions.act(&bench.caller, call, &cancel), calling_off);
        let told = if was_sent { Code::UnknownOutcome } else { Code::Cancelled };
        assert_eq!((code(&acted), acted.receipt.dispatched), (Some(told), was_sent));
        assert_eq!(acted.error.as_ref().unwrap().retryable, !was_sent);
        let next = acted.next.unwrap().look;
        assert_eq!((next.is_stale(), next.id() == open.look.id()), (was_sent, !was_sent));
    }
}

#[tokio::test]
async fn an_act_that_is_dropped_half_way_leaves_no_look_to_act_on() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    open.place.hangs(true);
    tokio::select! {
        _ = bench.on(&open, "Help", click()) => panic!("it hangs"),
        () = open.place.hangs.notified() => {}
    }
    let acted = bench.on(&open, "Help", click()).await;
    assert_eq!(code(&acted), Some(Code::StaleObservation));
    assert_ne!(next_id(&acted).as_ref(), Some(open.look.id()), "the page was looked at again");
    assert_eq!(open.place.given().len(), 1);
}

#[tokio::test]
async fn what_is_in_the_way_is_told_with_a_look_at_it() {
    type Why = fn() -> Blocked;
    let blocked: [(Why, Code, bool); 5] = [
        (|| Blocked::Obscured { by: "dialog \"Cookies\"".into() }, Code::ElementObscured, true),
        (|| Blocked::Disabled, Code::ElementDisabled, true),
        (|| Blocked::NotVisible, Code::ElementNotVisible, true),
        (|| Blocked::Moving, Code::Timeout, true),
        (|| Blocked::NotApplicable { why: "no list".into() }, Code::ActionNotApplicable, false),
    ];
    for (why, expected, is_new) in blocked {
        let bench = Bench::new();
        let open = bench.open(SHOP).await;
        open.place.reacts(move |_, permit| before(permit, why()));
        let acted = bench.on(&open, "Help", click()).await;
        assert_eq!(code(&acted), Some(expected));
        assert!(!acted.receipt.dispatched && !acted.verification.matched);
        assert_eq!(next_id(&acted).as_ref() != Some(open.look.id()), is_new, "{expected}");
        assert_eq!(open.place.given().len(), 1, "it is not tried again");
    }
}

#[tokio::test]
async fn a_look_that_was_taken_while_effects_settled_counts_only_if_it_holds() {
    let bench = Bench::new();
    let open = bench.open(SHOP).await;
    let before = open.place.scenery().captures;
    open.place.is_seen(true, |_| ());
    let held = bench.on(&open, "Add to basket", click()).await;
    assert!(held.is_ok(), "{held:?}");
    assert_eq!(open.place.scenery().captures, before + 1);
    let next = held.next.unwrap().look;
    open.place.is_seen(false, |scenery| scenery.page = shop_of(vec![button("Thanks")]).capture());
    let mut call = request(&open, number(&next, "Add to basket"), click());
    call.observation_id = next.id().clone();
    let gone_on = bench.act(call).await;
    assert_eq!(open.place.scenery().captures, before + 3);
    let last = gone_on.next.unwrap().look;
    assert_eq!(last.affordance(number(&last, "Thanks")).unwrap().name.untrusted(), "Thanks");
}
