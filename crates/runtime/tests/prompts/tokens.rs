//! How many tokens a turn costs: by our own estimate, and by a public vocabulary.

use std::sync::{Arc, Mutex};

use legwork_runtime::{
    Approvals, BrowserSource, Caller, CancellationToken, LaunchOptions, Reach, SessionSettings, Sessions,
    WireSettings,
    errands::{
        Answer, Entry, Event, Journal, OutcomeKind, People, Prices, Purpose, Question, Runs, Vision, World,
        run_errand,
    },
};
use legwork_testkit::{
    Site, bench_pages,
    sites::vendor::{Asked, Vendor, VendorWire},
};
use legwork_types::Problem;
use serde_json::Value;

use super::{
    long_errand::{answer, spec},
    vendor::client,
};

/// The most that a turn may cost without a picture and with one.
const MOST: [u64; 2] = [2_600, 4_200];
/// What a picture of the usual size costs.
const PICTURE: u64 = 1_300;
/// What is read of a page, up to 4,000 characters, comes on top of that.
const READ: u64 = 2_200;
/// What a model may answer at a turn: it is reserved along with what is told.
const ANSWER: u64 = 2_000;

/// The log of an errand, in memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Entry>>>);

impl Journal for Kept {
    async fn record(&mut self, entries: &[Entry]) -> Result<(), Problem> {
        self.0.lock().unwrap().extend_from_slice(entries);
        Ok(())
    }

    async fn keep_picture(&mut self, _: &str, _: &[u8]) {}
}

struct Nobody;

impl People for Nobody {
    async fn ask(&mut self, _: &Question) -> Answer {
        Answer::Nothing
    }

    async fn attend(&mut self, _: &Approvals) {}
}

/// What a turn costs.
#[derive(Debug)]
struct Cost {
    estimated: u64,
    counted: u64,
    pictures: usize,
    /// Whether the model was told something since it was shown the page.
    is_after_talk: bool,
    /// Whether the model has just read the page.
    is_after_reading: bool,
}

/// Runs a long errand on this page, and says what each of its turns cost.
async fn costs(sessions: &Sessions, page: &str, wire: VendorWire, vision: Vision) -> Vec<Cost> {
    let mut turn = 0;
    let vendor = Vendor::start(move |asked| {
        turn += usize::from(asked.has_tool("complete_task"));
        answer(asked, turn)
    })
    .unwrap();
    let client = client(&vendor, wire).await;
    let log = Kept::default();
    let world = World {
        sessions,
        caller: Caller::new("prompts"),
        client: &client,
        price: Prices::default().of(&client.model().name, Runs::Elsewhere).0,
        fallback: None,
        journal: log.clone(),
        people: Nobody,
        stop: CancellationToken::new(),
        cancel: CancellationToken::new(),
    };
    let outcome = run_errand(spec(page, vision), world).await.outcome.unwrap();
    let last = vendor.books().calls().pop().unwrap().asked.told();
    assert_eq!(outcome.kind, OutcomeKind::Failed, "the model says so at the end: {outcome:?}\n{last}");
    let estimated = log
        .0
        .lock()
        .unwrap()
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Reserved { purpose: Purpose::Turn, reserve } => Some(reserve.tokens - ANSWER),
            _ => None,
        })
        .collect::<Vec<_>>();
    let asked = vendor.books().calls().into_iter().map(|call| call.asked);
    let turns: Vec<Asked> = asked.filter(|asked| asked.has_tool("complete_task")).collect();
    assert_eq!(turns.len(), estimated.len());
    let cost = |(asked, estimated): (&Asked, u64)| Cost {
        estimated,
        counted: counted(&asked.body) + PICTURE * asked.pictures as u64,
        pictures: asked.pictures,
        is_after_talk: asked.turns.len() > 1,
        is_after_reading: asked.called().last().is_some_and(|(tool, _)| *tool == "read"),
    };
    turns.iter().zip(estimated).map(cost).collect()
}

/// The words of a request that a model reads, counted by the public vocabulary o200k: tools as the JSON that they are, and all texts.
fn counted(body: &Value) -> u64 {
    let mut words = vec![body["tools"].to_string()];
    texts(&body["system"], &mut words);
    texts(&body["messages"], &mut words);
    let count = |words: &String| tiktoken_rs::o200k_base_singleton().encode_ordinary(words).len() as u64;
    words.iter().map(count).sum()
}

/// The texts in a part of a request: what is said and told, and what was called with what.
fn texts(part: &Value, words: &mut Vec<String>) {
    match part {
        Value::Array(parts) => parts.iter().for_each(|part| texts(part, words)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("text" | "content" | "name" | "arguments", Value::String(text)) => {
                        words.push(text.clone())
                    }
                    ("input", input) => words.push(input.to_string()),
                    // Pictures are counted as such.
                    ("source" | "image_url", _) => {}
                    (_, inner) => texts(inner, words),
                }
            }
        }
        _ => {}
    }
}

#[tokio::test]
async fn no_turn_costs_more_than_it_may_on_any_page_of_the_benchmark() {
    let site = Site::builder().bench_pages().start().await;
    let reach = Reach { private: site.grants(), ..Reach::default() };
    let wire = Arc::new(WireSettings { reach, ..WireSettings::default() });
    let settings = SessionSettings { wire, ..SessionSettings::default() };
    let sessions = Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, |_| {});
    let measured = bench_pages().into_iter().filter(|page| !page.path.starts_with("/inner/"));
    for (page, wire) in measured.zip([VendorWire::Anthropic, VendorWire::OpenAi].into_iter().cycle()) {
        // A page that is new and one after a failure are shown as a picture, all others are not.
        let costs = costs(&sessions, &site.url(page.path), wire, Vision::Auto).await;
        for pictures in [0, 1] {
            assert!(costs.iter().filter(|cost| cost.pictures == pictures).count() >= 4, "{}", page.name);
        }
        for (turn, cost) in (1..).zip(&costs) {
            let read = if cost.is_after_reading { READ } else { 0 };
            let most = MOST[cost.pictures] + read;
            assert!(cost.counted <= most, "{}, turn {turn}: {cost:?}", page.name);
            // The estimate is about a fifth too high, and more than that for what is quoted in quotes.
            assert!(cost.estimated <= most || cost.is_after_talk, "{}, turn {turn}: {cost:?}", page.name);
            assert!(cost.estimated >= cost.counted, "{}, turn {turn}: {cost:?}", page.name);
        }
    }
    sessions.shut().await;
}
