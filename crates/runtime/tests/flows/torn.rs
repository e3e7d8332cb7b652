//! Vendors that answer badly in the middle of an errand: connections that are reset, an answer without end, another model than the one
//! that was asked. The shop's ledger decides.

use legwork_runtime::{
    Answer, CancellationToken,
    errands::{Entry, Event, Finished, OutcomeKind, Reason, is_permitted_throughout},
};
use legwork_testkit::sites::{
    brain,
    vendor::{Asked, Books, Fault, Reply, Spoken, Vendor, VendorWire},
};

use super::{
    joined::{Joined, Kept, Nobody},
    stage::{Run, Stage},
    thinking::{PASSWORD, READY, Visited, spec},
};

/// Orders coffee with a yes, by a model of this script: it is ordered once, and asked about once.
async fn orders_once(
    wire: VendorWire,
    script: impl FnMut(&Asked) -> Reply + Send + 'static,
) -> (Finished, Vec<Entry>, Books) {
    let visited = Visited::start(&READY[0]);
    let stage = Stage::start(Run::Live(Answer::Yes), &[visited.address()], PASSWORD).await;
    let vendor = Vendor::start(script).unwrap();
    let log = Kept::default();
    let joined = Joined { journal: log.clone(), people: Nobody, stop: CancellationToken::new() };
    let spec = spec(&brain::coffee(), visited.address());
    let (finished, _) = joined.run(&stage.sessions, &vendor, wire, spec).await;
    let outcome = finished.outcome.as_ref().unwrap();
    assert_eq!((outcome.kind, outcome.reason), (OutcomeKind::Verified, Reason::Completed), "{outcome:#?}");
    assert_eq!(visited.ledger().count("order-placed"), 1, "{wire:?}");
    assert_eq!(stage.person.questions().len(), 1, "{wire:?}");
    assert!(is_permitted_throughout(&log.entries()));
    stage.sessions.shut().await;
    (finished, log.entries(), vendor.books())
}

fn count(log: &[Entry], is_one: impl Fn(&Event) -> bool) -> usize {
    log.iter().filter(|entry| is_one(&entry.event)).count()
}

#[tokio::test]
async fn every_step_whose_connection_is_reset_is_done_once() {
    let (mut script, mut torn, mut asked_for) = (brain::coffee().script(), None, 0);
    let (_, log, books) = orders_once(VendorWire::Anthropic, move |asked| {
        if let Some(reply) = torn.take() {
            return reply;
        }
        asked_for += 1;
        let reply = torn.insert(script(asked));
        match reply {
            // All of it but the last word, or not a word.
            Reply::Spoken(spoken) if asked_for % 2 == 0 => Reply::Torn(spoken.clone()),
            _ => Fault::Reset.into(),
        }
    })
    .await;
    let calls = books.calls();
    assert!(calls.chunks(2).all(|pair| pair.len() == 2 && pair[0].asked == pair[1].asked));
    // What counts was answered at the second attempt, each of them once.
    assert_eq!(count(&log, |event| matches!(event, Event::Answered { .. })), calls.len() / 2);
    assert!(log.iter().all(|entry| match &entry.event {
        Event::Answered { heard, .. } => heard.attempts == 2,
        _ => true,
    }));
    let wanted = calls.iter().skip(1).step_by(2).filter(|call| match &call.reply {
        Reply::Spoken(spoken) => spoken.calls.iter().any(|(name, _)| name == "act"),
        _ => false,
    });
    assert_eq!(count(&log, |event| matches!(event, Event::Acted { .. })), wanted.count());
}

#[tokio::test]
async fn one_answer_without_end_and_another_model_change_nothing() {
    const OTHER: &str = "somebody-else-1b";
    let (mut script, mut turns) = (brain::coffee().script(), 0);
    let (_, log, books) = orders_once(VendorWire::Gemini, move |asked| {
        turns += usize::from(asked.has_tool("complete_task"));
        if turns == 3 {
            turns += 1;
            return Reply::say(&"and so on, ".repeat(100_000));
        }
        match script(asked) {
            Reply::Spoken(spoken) => Reply::As(OTHER, spoken),
            other => other,
        }
    })
    .await;
    assert_eq!(count(&log, |event| matches!(event, Event::AskFailed { .. })), 1);
    let endless =
        |reply: &Reply| matches!(reply, Reply::Spoken(Spoken { text, .. }) if text.len() > 1_000_000);
    let calls = books.calls();
    let at = calls.iter().position(|call| endless(&call.reply)).unwrap();
    assert!(calls[at + 1].asked.latest().contains("your last answer was too long"));
    assert!(!calls.iter().any(|call| call.asked.body.to_string().contains("and so on, and so on")));
    // Who answered is written down; who was asked was always the same.
    assert!(log.iter().all(|entry| match &entry.event {
        Event::Answered { heard, .. } => heard.model.as_deref() == Some(OTHER),
        _ => true,
    }));
    assert!(calls.iter().all(|call| call.asked.model == VendorWire::Gemini.model()));
}
