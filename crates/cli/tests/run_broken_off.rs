//! `legwork run` that ends around a yes: signals while the server has not answered yet, a browser that is killed while somebody is asked.
//! What has left is told, what has not is not, and nothing is left behind.

use std::{
    fs::{self, OpenOptions},
    io::{Read, Write},
    os::{fd::AsRawFd, unix::fs::OpenOptionsExt as _},
    process::{Child, Stdio},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::support::{LONG, Ran, end_within, errand::Bench, send, terminal::Terminal};
use legwork_testkit::{
    Site, TempHome,
    axum::routing::{get, post},
    sites::brain::Brain,
    wait_until,
};
use rustix::{
    fs::OFlags,
    process::{Pid, Signal, kill_process},
};
use serde_json::Value;
use tokio::sync::Semaphore;

const CHECKOUT: &str = "<!doctype html><title>Checkout</title><h1>Checkout</h1><button>Place order</button><p id=said></p><script>
    document.querySelector('button').onclick = async () => {
        const order = { method: 'POST', body: new URLSearchParams({ product: '7', total: '31.30' }) };
        document.querySelector('#said').textContent = await (await fetch('/order', order)).text();
    };
</script>";

const GRANTS: &str = "LEGWORK_ALLOW_PRIVATE";

/// A shop that takes orders and does not answer them, and an errand that orders there.
struct Shop {
    bench: Bench,
    site: Site,
    answers: Arc<Semaphore>,
}

/// An errand that is running.
struct Running {
    child: Child,
    news: JoinHandle<String>,
}

impl Shop {
    fn open() -> Self {
        let answers = Arc::new(Semaphore::new(0));
        let may = answers.clone();
        let order = post(async move || {
            let _ = may.acquire().await;
            "Thank you for your order"
        });
        let slow = get(std::future::pending::<&str>);
        let site = Site::builder()
            .page("/", CHECKOUT)
            .route("/order", order)
            .page("/menu", "<!doctype html><title>Menu</title><a href=/slow>Read more</a>")
            .route("/slow", slow)
            .start_blocking();
        let brain = Brain {
            goal: "Order it".into(),
            plan: "Press the button.".into(),
            success_criteria: "The page thanks for the order.".into(),
            steps: vec!["? click link \"Read more\"".into(), "click button \"Place order\"".into()],
            shows: vec!["Thank you for your order".into()],
            says: "It is ordered.".into(),
            ..Brain::default()
        };
        Self { bench: Bench::start(brain.script()), site, answers }
    }

    /// An errand that begins at this page.
    fn runs(&self, path: &str, more: &[&str]) -> Running {
        let mut child = self.starts(path, more);
        let mut stdout = child.stdout.take().unwrap();
        let news = thread::spawn(move || {
            let mut text = String::new();
            stdout.read_to_string(&mut text).unwrap();
            text
        });
        Running { child, news }
    }

    /// The same with nobody who reads its news yet.
    fn starts(&self, path: &str, more: &[&str]) -> Child {
        let mut command =
            self.bench.command(&["Order it", "--url", &self.site.url(path), "--live", "--json"]);
        let grants = self.bench.variables().into_iter().find(|(name, _)| *name == GRANTS).unwrap().1;
        command.env(GRANTS, format!("{grants},{}", self.site.grants()[0])).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// An errand that has come to the last step, and the question about it.
    fn asks(&self) -> (Running, String) {
        let running = self.runs("/", &[]);
        wait_until(LONG, "somebody is asked", || !self.bench.legwork.waiting().is_empty());
        assert_eq!(self.orders(), 0);
        (running, self.bench.legwork.waiting()[0]["id"].as_str().unwrap().to_owned())
    }

    fn orders(&self) -> usize {
        self.site.hits_of("/order").len()
    }

    fn approve(&self, id: &str) -> Ran {
        self.bench.legwork.run(&["approve", id, "--yes"])
    }
}

impl Running {
    /// The exit code, and how it ended by the news.
    fn ends(self) -> (Option<i32>, Value) {
        self.ends_within(LONG)
    }

    fn ends_within(mut self, limit: Duration) -> (Option<i32>, Value) {
        let code = end_within(limit, &mut self.child).code();
        let text = self.news.join().unwrap();
        let mut news = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let end = news.rfind(|one| one["event"] == "task:aborted" || one["event"] == "task:completed");
        (code, end.unwrap_or_else(|| panic!("there is no end in {text}"))["data"].clone())
    }
}

fn evidence(end: &Value) -> String {
    end["evidence"].to_string()
}

#[test]
fn what_was_let_go_is_told_whichever_signal_ends_the_errand() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let shop = Shop::open();
        let (running, id) = shop.asks();
        assert_eq!(shop.approve(&id).code, Some(0));
        wait_until(LONG, "the order is with the shop", || shop.orders() == 1);
        send(signal, running.child.id());
        let (ended, end) = running.ends();
        assert_eq!((ended, &end["reason"]), (Some(code), &"interrupted".into()), "{end}");
        assert!(evidence(&end).contains("a person said yes, and it was let go: POST"), "{end}");
        assert_eq!(shop.orders(), 1, "{signal:?}");
        shop.bench.legwork.assert_clean();
    }
}

#[test]
fn a_step_under_way_ends_or_is_written_down_as_unknown_within_45_seconds() {
    for (signal, code, is_unknown) in
        [(Signal::TERM, 143, true), (Signal::HUP, 129, true), (Signal::INT, 130, false)]
    {
        let shop = Shop::open();
        let home = TempHome::new();
        let trace = home.path().join("trace");
        let running = shop.runs("/menu", &["--trace", trace.to_str().unwrap()]);
        wait_until(LONG, "the step is under way", || !shop.site.hits_of("/slow").is_empty());
        send(signal, running.child.id());
        let (ended, end) = running.ends_within(Duration::from_secs(45));
        assert_eq!((ended, &end["reason"]), (Some(code), &"interrupted".into()), "{end}");
        // What was begun is in the log, with how it went, and so is the end.
        let log = fs::read_to_string(trace.join("events.jsonl")).unwrap();
        let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let acted = events.iter().rfind(|event| event["event"] == "acted").unwrap();
        assert_eq!(acted.to_string().contains("UNKNOWN_OUTCOME"), is_unknown, "{signal:?}: {acted}");
        assert_eq!(events.last().unwrap()["event"], "ended", "{log}");
        shop.bench.legwork.assert_clean();
    }
}

/// Fills a pipe that nobody reads, so that whoever writes to it waits for ever.
fn fill(pipe: &impl AsRawFd) {
    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    let nonblock = OFlags::NONBLOCK.bits().cast_signed();
    let mut other_end = OpenOptions::new().write(true).custom_flags(nonblock).open(path).unwrap();
    for size in [4_096, 1] {
        while other_end.write(&vec![b'x'; size]).is_ok() {}
    }
}

#[test]
fn an_errand_whose_news_nobody_reads_ends_all_the_same() {
    let shop = Shop::open();
    let home = TempHome::new();
    let trace = home.path().join("trace");
    let mut child = shop.starts("/menu", &["--trace", trace.to_str().unwrap()]);
    wait_until(LONG, "the step is under way", || !shop.site.hits_of("/slow").is_empty());
    fill(child.stdout.as_ref().unwrap());
    send(Signal::TERM, child.id());
    assert_eq!(end_within(Duration::from_secs(45), &mut child).code(), Some(143));
    // The step was begun by the log and has no end there: that is how one that nobody knows the end of is written down.
    let log = fs::read_to_string(trace.join("events.jsonl")).unwrap();
    let steps = log.lines().filter_map(|line| {
        let event = serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned();
        ["permitted", "acted"].contains(&event.as_str()).then_some(event)
    });
    assert_eq!(steps.collect::<Vec<_>>(), ["permitted"], "{log}");
    wait_until(Duration::from_secs(5), "nothing is left", || {
        shop.bench.legwork.browsers().is_empty() && shop.bench.legwork.profiles().is_empty()
    });
}

#[test]
fn a_terminal_that_is_closed_while_somebody_is_asked_calls_the_errand_off() {
    let shop = Shop::open();
    let home = TempHome::new();
    let trace = home.path().join("trace");
    let url = shop.site.url("/");
    let args = shop.bench.args(&[
        "Order it",
        "--url",
        &url,
        "--live",
        "--log",
        "debug",
        "--trace",
        trace.to_str().unwrap(),
    ]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut variables = shop.bench.variables();
    variables.iter_mut().filter(|(name, _)| *name == GRANTS).for_each(|(_, grants)| {
        *grants = format!("{grants},{}", shop.site.grants()[0]);
    });
    let terminal = Terminal::started_with(&shop.bench.legwork, &args, &variables);
    terminal.shows("Approve? Type yes; anything else is a no: ");
    terminal.closes(Duration::from_secs(20));
    let log = fs::read_to_string(trace.join("events.jsonl")).unwrap();
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "ended", "{log}");
    assert!(last.to_string().contains("interrupted"), "{last}");
    assert_eq!(shop.orders(), 0);
    shop.bench.legwork.assert_clean();
}

#[test]
fn with_an_answer_the_same_errand_is_done() {
    let shop = Shop::open();
    shop.answers.add_permits(1);
    let (running, id) = shop.asks();
    assert_eq!(shop.approve(&id).code, Some(0));
    let (ended, end) = running.ends();
    assert_eq!((ended, &end["kind"]), (Some(0), &"verified".into()), "{end}");
    assert_eq!(shop.orders(), 1);
}

#[test]
fn a_browser_that_is_killed_before_the_yes_takes_the_question_along_and_another_one_asks_anew() {
    let shop = Shop::open();
    shop.answers.add_permits(1);
    let (running, id) = shop.asks();
    for browser in shop.bench.legwork.browsers() {
        // The first one takes others along.
        let _ = kill_process(Pid::from_raw(browser.cast_signed()).unwrap(), Signal::KILL);
    }
    let next = || shop.bench.legwork.waiting().iter().find_map(|one| one["id"].as_str().map(str::to_owned));
    wait_until(LONG, "somebody is asked anew", || next().is_some_and(|next| next != id));
    let late = shop.approve(&id);
    assert_ne!(late.code, Some(0), "{late:?}");
    assert_eq!(shop.orders(), 0, "an answer to a question that was taken back is none");
    assert_eq!(shop.approve(&next().unwrap()).code, Some(0));
    let (ended, end) = running.ends();
    assert_eq!((ended, &end["kind"]), (Some(0), &"verified".into()), "{end}");
    assert_eq!(shop.orders(), 1);
    shop.bench.legwork.assert_clean();
}
