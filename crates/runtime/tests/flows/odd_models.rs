//! Models that call what there is not, too much at once or nothing, that decline, lie or talk until there is nothing left to pay them with:
//! on the wire of every vendor, in one browser and on one site. What the log, the shop's ledger and the vendor's books say decides.

use legwork_runtime::{
    Answer,
    errands::{Event, Limits, OutcomeKind, Reason, Spec, Vision},
};
use legwork_testkit::sites::{
    brain,
    vendor::{Asked, Fault, Reply, Spoken, VendorWire},
};
use serde_json::{Value, json};
use tokio::join;

use super::{
    stage::{Run, Stage},
    thinking::{Done, PASSWORD, READY, Visited, run, spec},
};

/// As many tokens as an errand may take here.
const TOKENS: u64 = 30_000;

/// A model that is odd in one way at its turns; it plans and judges as others do.
struct Odd {
    what: &'static str,
    /// What it answers at the turn of this number, from 1.
    answers: fn(usize, &Asked) -> Reply,
    ends: (OutcomeKind, Reason),
    /// How often it is asked, plans and judgements with it.
    asked: usize,
    /// How many acts are tried.
    acts: usize,
    /// What is so besides.
    shows: fn(&Done),
}

const ODD: [Odd; 5] = [
    Odd {
        what: "it calls what there is not, ten things at once, and then nothing",
        answers: muddles,
        ends: (OutcomeKind::Stopped, Reason::LlmNoAction),
        asked: 8,
        acts: 1,
        shows: was_muddled,
    },
    Odd {
        what: "it calls what there is not three times in a row",
        answers: |turn, _| match turn {
            1 => Reply::call("evaluate", json!({"script": "document.forms[0].submit()"})),
            2 => Reply::call("act", json!({"action": "click", "element": 1, "why": "x", "confirm": true})),
            _ => Reply::call("approve", json!({})),
        },
        ends: (OutcomeKind::Stopped, Reason::Stuck),
        asked: 4,
        acts: 0,
        shows: |done| {
            let told = misuses(done);
            assert!(told[0].contains("there is no tool \"evaluate\""), "{told:?}");
            assert!(told[1].contains("unknown field `confirm`"), "{told:?}");
            assert!(told[2].contains("there is no tool \"approve\""), "{told:?}");
        },
    },
    Odd {
        what: "its vendor declines to answer",
        answers: |_, _| Fault::Declined.into(),
        ends: (OutcomeKind::Stopped, Reason::LlmError),
        asked: 2,
        acts: 0,
        shows: |done| {
            let words = &done.finished.outcome.as_ref().unwrap().words;
            assert!(words.contains("declined to answer: One moment"), "{words}");
        },
    },
    Odd {
        what: "it says on the wrong page that all is done",
        answers: |_, _| {
            let claim = json!({"status": "success", "reason": "I ordered it!", "evidence": "trust me"});
            Reply::call("complete_task", claim)
        },
        ends: (OutcomeKind::Unverified, Reason::VerificationFailed),
        asked: 7,
        acts: 0,
        shows: |done| {
            assert_eq!(count(done, |event| matches!(event, Event::Rejected { .. })), 2);
            let calls = done.books.calls();
            let judged = calls.iter().filter(|call| call.asked.has_tool("validate_task"));
            assert!(judged.clone().all(|call| !call.asked.told().contains("trust me")));
            assert_eq!(judged.count(), 3);
        },
    },
    Odd {
        what: "it talks until there are no tokens left",
        answers: |_, asked| {
            let (text, calls) =
                ("and so on, ".repeat(12_000), vec![("act".into(), consents(asked).to_string())]);
            Reply::from(Spoken { text, calls, ..Spoken::default() })
        },
        ends: (OutcomeKind::Stopped, Reason::MaxTokensExceeded),
        asked: 2,
        acts: 1,
        shows: |done| {
            assert!(done.finished.spent.tokens() > TOKENS);
            let outcome = done.finished.outcome.as_ref().unwrap();
            let checkpoint = outcome.checkpoint.as_ref().unwrap();
            assert_eq!((checkpoint.turns, checkpoint.steps.len()), (1, 1), "what was done by then is told");
            assert!(outcome.evidence.iter().any(|line| line.contains("/consent")), "{outcome:#?}");
        },
    },
];

/// A press on the button by which cookies are refused: the shop writes it down.
fn consents(asked: &Asked) -> Value {
    let told = asked.told();
    let button = told.lines().find(|line| line.contains("button \"Only necessary"));
    let number = button.and_then(|line| line.split_whitespace().next()?.parse::<u32>().ok());
    json!({"action": "click", "element": number.unwrap(), "why": "no cookies"})
}

fn muddles(turn: usize, asked: &Asked) -> Reply {
    match turn {
        1 => Reply::call("fly", json!({"to": "the moon"})),
        // What it means is plain, and it is not guessed at.
        2 => {
            let mut click = consents(asked);
            click["element"] = click["element"].to_string().into();
            Reply::call("act", click)
        }
        3 => {
            let mut calls = vec![("act", consents(asked)); 9];
            calls.push(("act", json!({"action": "goto", "value": "/basket", "why": "onward"})));
            Reply::calls(&calls)
        }
        4 => Reply::call("act", json!({"action": "click", "element": null, "why": "that one"})),
        5 => Reply::say(""),
        6 => Reply::from(Spoken { thought: Some("Where was I?".into()), ..Spoken::default() }),
        _ => Reply::say("I'm sorry, but I can't help with that."),
    }
}

fn was_muddled(done: &Done) {
    let told = misuses(done);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("there is no tool \"fly\""), "{told:?}");
    assert!(told[1].contains("invalid type: string") && told[1].contains("expected u32"), "{told:?}");
    assert!(told[2].contains("click needs an element"), "{told:?}");
    let ignored: Vec<usize> = done
        .log
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Called { ignored, .. } => Some(ignored.len()),
            _ => None,
        })
        .collect();
    assert_eq!(ignored, [9], "one of ten is done: the others are about a page that is gone");
    assert_eq!(count(done, |event| matches!(event, Event::Silent)), 3);
    // The model is told each time, in its vendor's own way.
    let calls = done.books.calls();
    for (call, told) in calls[2..].iter().zip([
        "there is no tool \"fly\"",
        "expected u32",
        "one call at a time",
        "click needs an element",
        "You called no tool",
        "You called no tool",
    ]) {
        assert!(call.asked.told().contains(told), "{told}: {}", call.asked.told());
    }
}

fn misuses(done: &Done) -> Vec<&str> {
    let misuses = done.log.iter().filter_map(|entry| match &entry.event {
        Event::Misused { why, .. } => Some(why.as_str()),
        _ => None,
    });
    misuses.collect()
}

fn count(done: &Done, is_one: impl Fn(&Event) -> bool) -> usize {
    done.log.iter().filter(|entry| is_one(&entry.event)).count()
}

/// Runs an errand by each of these models on one wire, one after the other.
async fn all(stage: &Stage, visited: &Visited, wire: VendorWire) {
    for Odd { what, answers, ends, asked, acts, shows } in ODD {
        let what = format!("{wire:?}: {what}");
        let mut turns = 0;
        let script = move |asked: &Asked| match asked.has_tool("complete_task") {
            true => {
                turns += 1;
                answers(turns, asked)
            }
            false => brain::coffee().reply(asked),
        };
        let limits = Limits { tokens: TOKENS, ..Limits::GENERAL };
        let spec = Spec { vision: Vision::Never, limits, ..spec(&brain::coffee(), visited.address()) };
        let done = run(stage, wire, spec, script).await;
        assert_eq!(done.outcome(), ends, "{what}: {:#?}", done.finished.outcome);
        done.is_in_order(&what);
        assert_eq!(done.books.count(), asked, "{what}");
        assert_eq!(count(&done, |event| matches!(event, Event::Acted { .. })), acts, "{what}");
        shows(&done);
    }
}

#[tokio::test]
async fn models_that_are_odd_get_nowhere_and_are_told_so_on_every_wire() {
    let visited = Visited::start(&READY[0]);
    let stage = Stage::start(Run::Live(Answer::Yes), &[visited.address()], PASSWORD).await;
    let [first, second, third, fourth] = VendorWire::ALL.map(|wire| Box::pin(all(&stage, &visited, wire)));
    join!(first, second, third, fourth);
    // Whatever was called, this is all that happened: one press for each act.
    let acts: usize = ODD.iter().map(|odd| odd.acts).sum();
    let effects = visited.ledger().effects();
    assert_eq!(effects.len(), acts * VendorWire::ALL.len(), "{effects:#?}");
    assert!(effects.iter().all(|effect| effect.kind == "consent"), "{effects:#?}");
    assert!(stage.person.questions().is_empty());
    stage.sessions.shut().await;
}
