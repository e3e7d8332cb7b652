//! Browsers that are lost while their server lives: what gives them away, what is not done in the one that follows, and what stays.

use super::*;

const FILL: &str = r#"{"action":"fill","element":2,"value":"Ada","why":"w"}"#;
const BACK: &str = r#"{"action":"back","why":"w"}"#;
const GO: &str = r#"{"action":"goto","value":"https://a.example/help","why":"w"}"#;

/// What a browser shows that has just begun.
fn blank() -> ForeignPage {
    ForeignPage { url: "about:blank".into(), ..ForeignPage::default() }
}

fn kind(note: &ActNote) -> Option<TroubleKind> {
    note.trouble.as_ref().map(|trouble| trouble.kind)
}

#[tokio::test]
async fn an_empty_page_is_that_of_another_browser_unless_something_may_have_led_there() {
    for (input, is_lost) in [
        (PRESS, true),
        (FILL, true),
        (GO, true),
        (r#"{"action":"wait","value":"1","why":"w"}"#, true),
        (BACK, false),
        (r#"{"action":"goto","value":"about:blank","why":"w"}"#, false),
        (r#"{"action":"switch_tab","value":"t2","why":"w"}"#, false),
        (r#"{"action":"close_tab","value":"t1","why":"w"}"#, false),
    ] {
        let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, "Continue")]));
        fake.0.lock().unwrap().led_to = Some(blank());
        let mut ports = bench.ports(&fake);
        let note = bench.act(&mut ports, input).await;
        let expected = is_lost.then_some(TroubleKind::Disconnect);
        assert_eq!((kind(&note), fake.done().len()), (expected, 1), "{input}: {note:?}");
        // It stays so until there is another one, which may begin with an empty page.
        let again = ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await;
        assert_eq!(again.err().map(|trouble| trouble.kind), expected, "{input}");
        ports.reconnect(None, &[], Thrift::None, bench.seeing()).await.unwrap();
    }
    // Whoever begins with an empty page has lost nothing, and behind a dialog nobody knows where the page is.
    let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([blank(), blank(), page(HERE, "Continue")]));
    let mut ports = bench.ports(&fake);
    for _ in 0..3 {
        ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
    }
    fake.shows(ForeignPage { dialog: Some("Sure?".into()), is_unread: true, ..blank() });
    ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
}

#[tokio::test]
async fn in_a_browser_that_took_the_place_of_another_while_the_model_thought_nothing_is_gone_on_with() {
    for (input, name, asked) in [
        (PRESS, "Continue", 0),
        (PRESS, "Pay now", 1),
        (GO, "Continue", 0),
        (BACK, "Continue", 0),
        (r#"{"action":"switch_tab","value":"t2","why":"w"}"#, "Continue", 0),
    ] {
        let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, name)]));
        let mut ports = bench.ports(&fake);
        let shown = ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
        fake.shows(blank());
        let note = bench.act_on(&mut ports, &shown, input).await;
        assert_eq!(kind(&note), Some(TroubleKind::Disconnect), "{input}: {note:?}");
        assert!(fake.done().is_empty() && note.commits.is_empty(), "{input}: {:?}", fake.done());
        assert_eq!(bench.asked().len(), asked, "{input}");
    }
    // A page that can't be looked at may be left.
    let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, "Continue")]));
    let mut ports = bench.ports(&fake);
    let shown = ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
    fake.0.lock().unwrap().looks = [Err(ForeignError::TimedOut("browser_snapshot".into()))].into();
    bench.act_on(&mut ports, &shown, GO).await;
    assert_eq!(fake.done().len(), 1);
}

#[tokio::test]
async fn a_failure_that_comes_of_a_lost_browser_is_no_failure_of_the_model() {
    let unclear = ForeignError::Failed("Cannot read properties of undefined".into());
    let bench = Bench::new(Answer::Yes);
    // The act fails, or the look right before it: the next look tells why.
    let fake = Fake::showing([page(HERE, "Continue")]);
    let mut ports = bench.ports(&fake);
    let shown = ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
    fake.0.lock().unwrap().looks = [Err(unclear.clone()), Ok(blank())].into();
    let note = bench.act_on(&mut ports, &shown, PRESS).await;
    assert_eq!((kind(&note), fake.done().len()), (Some(TroubleKind::Disconnect), 0), "{note:?}");

    for (answer, is_begun) in [(unclear, true), (ForeignError::NotOffered("no".into()), false)] {
        let fake = Fake::showing([page(HERE, "Continue")]);
        fake.0.lock().unwrap().led_to = Some(blank());
        fake.0.lock().unwrap().answers.push_back(answer.clone());
        let note = bench.act(&mut bench.ports(&fake), FILL).await;
        let expected = (Some(TroubleKind::Disconnect), is_begun);
        assert_eq!((kind(&note), note.dispatched), expected, "{answer:?}: {note:?}");
    }
}

#[tokio::test]
async fn what_was_approved_before_a_loss_is_not_done_again_whatever_came_of_it_and_people_are_warned() {
    for (answer, told) in [
        (None, "and it was done"),
        (Some(ForeignError::Failed("unclear".into())), "and whether it was done is not known"),
        (Some(ForeignError::Lost("closed".into())), "and whether it was done is not known"),
    ] {
        let (bench, fake) = (Bench::new(Answer::Yes), Fake::showing([page(HERE, "Pay now")]));
        fake.0.lock().unwrap().led_to = Some(blank());
        fake.0.lock().unwrap().answers.extend(answer.clone());
        let mut ports = bench.ports(&fake);
        let note = bench.act(&mut ports, PRESS).await;
        assert_eq!(kind(&note), Some(TroubleKind::Disconnect), "{answer:?}: {note:?}");
        assert!(note.sent[0].contains(told), "{answer:?}: {:?}", note.sent);

        fake.shows(page(HERE, "Pay now"));
        ports.reconnect(None, &note.commits, Thrift::None, bench.seeing()).await.unwrap();
        let again = bench.act(&mut ports, PRESS).await;
        assert_eq!(code(&again), "UNKNOWN_OUTCOME", "{answer:?}: {again:?}");
        assert_eq!((bench.asked().len(), fake.done().len()), (1, 1), "{answer:?}");
        // Something else is asked about with a warning.
        fake.shows(page(HERE, "Order more"));
        bench.act(&mut ports, PRESS).await;
        let Question::Approve { reason, .. } = &bench.asked()[1] else { panic!("{:?}", bench.asked()) };
        assert!(reason.contains("approved before and was done, or may have been"), "{answer:?}: {reason}");
    }
}

#[tokio::test]
async fn a_no_stays_a_no_when_the_browser_is_lost_meanwhile() {
    let (bench, fake) = (Bench::new(Answer::No), Fake::showing([page(HERE, "Pay now")]));
    let mut ports = bench.ports(&fake);
    let shown = ports.look(&Look::default(), bench.seeing(), Manner::AtOnce).await.unwrap();
    fake.shows(blank());
    let note = bench.act_on(&mut ports, &shown, PRESS).await;
    assert_eq!(code(&note), "APPROVAL_DENIED", "{note:?}");
    assert!(fake.done().is_empty());
}
