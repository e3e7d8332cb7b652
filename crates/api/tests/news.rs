//! The news of an errand: the log in `news/log.jsonl`, which has every kind of entry, makes the lines in `news/expected.jsonl`. With
//! `EXPECT=write` in the environment what comes out is written there; then the difference is to be read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{collections::BTreeSet, env, fs, path::PathBuf};

use legwork_api::{News, Newsroom, Topic};
use legwork_runtime::errands::{Entry, Errand, Event, Outcome, OutcomeKind, Reason};
use serde_json::{Value, json};

/// When the errand of the log began.
const BEGAN: u64 = 1_794_783_600_000;

const LOG: &str = include_str!("news/log.jsonl");

fn log() -> Vec<Entry> {
    let entry = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    LOG.lines().map(entry).collect()
}

fn news(log: &[Entry]) -> Vec<News> {
    let mut newsroom = Newsroom::new("e1");
    log.iter().flat_map(|entry| newsroom.tell(BEGAN + entry.at, entry)).collect()
}

fn of(news: &[News], topic: Topic) -> Vec<&News> {
    news.iter().filter(|one| one.event == topic).collect()
}

#[test]
fn a_log_with_every_entry_makes_these_news() {
    let lines: Vec<String> = news(&log()).iter().map(News::line).collect();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/news/expected.jsonl");
    if env::var("EXPECT").is_ok_and(|how| how == "write") {
        fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
    // Compared as values: the order of keys is nobody's business.
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let expected = fs::read_to_string(&path).unwrap();
    for (line, expected) in lines.iter().zip(expected.lines()) {
        assert_eq!(read(line), read(expected));
    }
    assert_eq!(lines.len(), expected.lines().count());
}

#[test]
fn the_log_has_every_entry_and_the_news_every_topic_but_the_one_of_another_end() {
    let kinds: BTreeSet<String> = LOG
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned())
        .collect();
    let all = "acted answered ask_failed asked besides called disconnected ended extended interrupted look_failed looked misused \
               model_changed page_lost permitted person_said plan_refused planned prepares reconnected rejected reserved resumed ruled silent started told warned";
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>().join(" "), all);
    let topics: BTreeSet<&str> = news(&log()).iter().map(|one| one.event.as_str()).collect();
    assert_eq!(topics.len(), 22, "{topics:?}");
    assert!(!topics.contains("task:aborted"));
    assert!(Errand::replay(&log()).is_some());
}

#[test]
fn nothing_is_told_that_belongs_into_the_log_alone() {
    for line in news(&log()).iter().map(News::line) {
        assert!(!line.contains("SECRET") && !line.contains("RAW"), "{line}");
        assert!(line.starts_with("{\"event\":\""), "{line}");
        assert!(!line.contains(['\n', '\u{202e}', '\u{e0041}']), "what can't be seen is escaped: {line}");
    }
}

#[test]
fn what_calls_took_adds_up() {
    let news = news(&log());
    let [total] = of(&news, Topic::TaskMetrics)[..] else { panic!("one sum") };
    let calls = of(&news, Topic::TaskMetricsIncremental);
    let number = |value: &Value| value.as_u64().unwrap();
    for key in [
        "calls",
        "failedCalls",
        "turns",
        "inputTokens",
        "cacheWriteTokens",
        "cacheReadTokens",
        "outputTokens",
        "microUsd",
    ] {
        let sum: u64 = calls.iter().map(|one| number(&one.data["call"][key])).sum();
        assert_eq!(sum, number(&total.data[key]), "{key}");
        assert_eq!(number(&calls.last().unwrap().data["sum"][key]), sum, "{key}");
    }
    let spent = *Errand::replay(&log()).unwrap().spent();
    assert_eq!(number(&total.data["microUsd"]), spent.money.0);
    assert_eq!(
        (number(&total.data["calls"]), number(&total.data["turns"])),
        (spent.calls.into(), spent.turns.into())
    );
    assert_eq!(total.data["usd"], json!(spent.money.0 as f64 / 1e6));
}

#[test]
fn every_turn_has_a_name_of_its_own() {
    let news = news(&log());
    let steps = of(&news, Topic::AgentStep);
    for (number, step) in (1..).zip(&steps) {
        assert_eq!(step.iteration_id, format!("e1-{number}"));
        assert_eq!(step.data["currentIteration"], number);
    }
    assert!(steps.len() > 5);
    let first = news.iter().position(|one| one.event == Topic::AgentStep).unwrap();
    assert!(news[..first].iter().all(|one| one.iteration_id == "e1-0"));
    let names: Vec<&str> = news.iter().map(|one| one.iteration_id.as_str()).collect();
    let number = |name: &&&str| name[3..].parse::<u32>().unwrap();
    assert!(names.iter().is_sorted_by_key(|name| number(&name)));
    assert!(news.iter().is_sorted_by_key(|one| one.timestamp));
}

#[test]
fn an_errand_is_completed_or_aborted_by_how_it_ended() {
    for (kind, reason, topics) in [
        (OutcomeKind::Verified, Reason::Completed, "task:validated task:completed task:metrics"),
        (OutcomeKind::Unverified, Reason::VerificationFailed, "task:validated task:completed task:metrics"),
        (OutcomeKind::Stopped, Reason::DryRun, "task:aborted task:metrics"),
        (OutcomeKind::Failed, Reason::Completed, "task:aborted task:metrics"),
        (OutcomeKind::Denied, Reason::HumanRejected, "task:aborted task:metrics"),
        (OutcomeKind::Stopped, Reason::BudgetExceeded, "task:aborted task:metrics"),
    ] {
        let outcome = Outcome {
            kind,
            reason,
            words: "so it is".into(),
            evidence: vec![],
            answer: None,
            failure_declared_by: None,
            checkpoint: None,
        };
        let ended = Entry { at: 1, event: Event::Ended { outcome: Box::new(outcome) } };
        let news = news(&[ended]);
        let told: Vec<&str> = news.iter().map(|one| one.event.as_str()).collect();
        assert_eq!(told.join(" "), topics);
        let over = &news[news.len() - 2].data;
        assert_eq!(over["success"], kind == OutcomeKind::Verified, "the model's word alone is no success");
        assert_eq!(over["kind"], json!(kind));
    }
}
