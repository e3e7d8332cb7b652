//! The ends of `legwork run` that nobody wishes for: a missing key, a vendor that fails, a model that says nothing or too much, budgets,
//! signals. Each has its exit code and says what to do, and nothing is left behind.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crate::support::{LONG, Legwork, end_within, errand::Bench, send};
use legwork_testkit::{
    sites::{
        brain,
        vendor::{Asked, Billed, Fault, Reply},
    },
    wait_until,
};
use rustix::process::Signal;
use serde_json::{Value, json};

/// How an errand ended, by the news about it.
fn end(text: &str) -> Value {
    let news = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ends = ["task:completed", "task:aborted"];
    let mut ends = news.filter(|one| ends.iter().any(|name| one["event"] == *name));
    ends.next().unwrap_or_else(|| panic!("there is no end in {text}"))["data"].clone()
}

#[test]
fn what_can_be_refused_is_refused_before_anything_is_started_or_paid_for() {
    let legwork = Legwork::new();
    let ran = legwork.run(&["run", "Order coffee"]);
    ran.refused("MODEL_NOT_CONFIGURED", 2);
    for word in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "Ollama", "--base-url"] {
        assert!(ran.stderr.contains(word), "{word} in {}", ran.stderr);
    }
    let mut with_key = legwork.command(&["run", "Order coffee", "--model", "gpt-5"]);
    let other = crate::support::ran(with_key.env("ANTHROPIC_API_KEY", "sk-ant-canary"));
    other.refused("MODEL_NOT_CONFIGURED", 2);
    assert!(
        other.stderr.contains("ANTHROPIC_API_KEY is set") && !other.stderr.contains("canary"),
        "{other:?}"
    );
    for (args, code, exit) in [
        (&["run", " "][..], "USAGE", 2),
        (&["run", "x", "--confirm", "caller"], "USAGE", 2),
        (&["run", "x", "--max-turns", "0"], "USAGE", 2),
        (&["run", "x", "--budget", "free"], "USAGE", 2),
        (&["run", "x", "--url", "file:///etc/passwd"], "NAVIGATION_BLOCKED", 1),
        (&["run", "x", "--output-schema", "/nonexistent"], "USAGE", 2),
        (&["run", "x", "--base-url", "ftp://a"], "MODEL_NOT_CONFIGURED", 2),
    ] {
        legwork.run(args).refused(code, exit);
    }
    legwork.assert_no_start();
}

#[test]
fn a_vendor_that_fails_for_a_while_costs_time_and_one_that_fails_for_good_ends_it() {
    let mut faults = vec![
        Reply::from(Fault::Status(529, None)),
        Fault::Status(429, Some(Duration::from_millis(10))).into(),
    ];
    let bench = Bench::start(move |asked| faults.pop().unwrap_or_else(|| brain::coffee().reply(asked)));
    let ran = bench.run(&[&brain::coffee().goal, "--url", &bench.shop("/"), "--json"]);
    assert_eq!((ran.code, &end(&ran.text())["reason"]), (Some(6), &"dry_run".into()), "{ran:?}");

    let down = Bench::start(|_| Fault::Status(500, None).into());
    let ran = down.run(&["Order coffee", "--url", &down.shop("/"), "--json"]);
    let told = end(&ran.text());
    assert_eq!((ran.code, &told["reason"]), (Some(1), &"llm_error".into()), "{ran:?}");
    assert_eq!(down.vendor.books().count(), 3, "three attempts");
    let text = down.run(&["Order coffee", "--url", &down.shop("/")]);
    assert!(text.text().starts_with("stopped: MODEL_"), "{text:?}");
    down.legwork.assert_clean();
}

/// A model that plans like everybody and then says this at every turn.
fn always(say: impl Fn(&Asked) -> Reply + Send + 'static) -> impl FnMut(&Asked) -> Reply + Send + 'static {
    move |asked| match asked.has_tool("create_plan") || asked.has_tool("validate_task") {
        true => brain::coffee().reply(asked),
        false => say(asked),
    }
}

#[test]
fn odd_models_come_to_an_end() {
    let click = json!({"action": "click", "element": 999, "why": "x"});
    let cases: Vec<(&str, Reply, i32, &str)> = vec![
        ("nothing", Reply::say("I would rather talk about the weather."), 1, "llm_no_action"),
        ("an unknown tool", Reply::call("evaluate", json!({"script": "alert(1)"})), 1, "stuck"),
        ("wrong types", Reply::call("act", json!({"action": "click", "element": "three"})), 1, "stuck"),
        ("what is not there", Reply::call("act", click), 1, "stuck"),
        (
            "defeat",
            Reply::call("complete_task", json!({"status": "failed", "reason": "no", "evidence": ""})),
            1,
            "completed",
        ),
        (
            "a lie",
            Reply::call("complete_task", json!({"status": "success", "reason": "yes", "evidence": ""})),
            4,
            "verification_failed",
        ),
    ];
    for (what, reply, exit, reason) in cases {
        let bench = Bench::start(always(move |_| reply.clone()));
        let ran = bench.run(&["Order coffee", "--url", &bench.shop("/"), "--json", "--live"]);
        assert_eq!((ran.code, &end(&ran.text())["reason"]), (Some(exit), &reason.into()), "{what}: {ran:?}");
        assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
        bench.legwork.assert_clean();
    }
}

#[test]
fn a_budget_ends_an_errand_before_it_is_exceeded() {
    // Something else every time, so that nobody takes it for a circle.
    let ways = ["down", "up"].into_iter().cycle();
    let ways = Mutex::new(ways);
    let bench = Bench::start(always(move |_| {
        let way = ways.lock().unwrap().next();
        Reply::call("act", json!({"action": "scroll", "value": way, "why": "to see more"}))
    }));
    let rules = bench.legwork.settings().join("legwork");
    fs::create_dir_all(&rules).unwrap();
    fs::write(rules.join("legwork.toml"), "[model.prices.scripted]\ninput = 10.0\noutput = 40.0\n").unwrap();
    let ran =
        bench.run(&["Wait", "--url", &bench.shop("/"), "--json", "--budget", "0.20", "--vision", "never"]);
    let told = end(&ran.text());
    assert_eq!((ran.code, &told["reason"]), (Some(1), &"budget_exceeded".into()), "{ran:?}");
    let Billed { input, cache_write, cache_read, output } = bench.vendor.books().billed();
    #[allow(clippy::cast_precision_loss)]
    let charged = ((input + cache_write + cache_read) as f64 * 10.0 + output as f64 * 40.0) / 1e6;
    assert!(charged > 0.05 && charged <= 0.20, "{charged}");
    let metrics = ran.text();
    let metrics = metrics.lines().find(|line| line.contains("\"task:metrics\"")).unwrap();
    let metrics: Value = serde_json::from_str(metrics).unwrap();
    assert!((metrics["data"]["usd"].as_f64().unwrap() - charged).abs() < 1e-3, "{metrics} {charged}");
    let turns =
        bench.run(&["Wait", "--url", &bench.shop("/"), "--json", "--max-turns", "2", "--vision", "never"]);
    assert_eq!(
        (turns.code, &end(&turns.text())["reason"]),
        (Some(1), &"max_turns_exceeded".into()),
        "{turns:?}"
    );
    bench.legwork.assert_clean();
}

/// An errand that tells its news, under way.
fn begun(bench: &Bench) -> Child {
    let mut command = bench.command(&["Order coffee", "--url", &bench.shop("/"), "--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn one_signal_ends_it_after_the_step_and_a_second_one_at_once() {
    // The model takes for ever: nothing is half done, so nobody waits for it.
    let thinks = Arc::new(AtomicBool::new(false));
    let thinking = thinks.clone();
    let bench = Bench::start(always(move |_| {
        thinking.store(true, Ordering::SeqCst);
        Fault::Silence.into()
    }));
    let mut child = begun(&bench);
    wait_until(LONG, "the model thinks", || thinks.load(Ordering::SeqCst));
    send(Signal::INT, child.id());
    assert_eq!(end_within(Duration::from_secs(20), &mut child).code(), Some(130));
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
    assert_eq!(end(&text)["reason"], "interrupted");
    bench.legwork.assert_clean();

    // An act is under way: it is finished, and told.
    let bench = Bench::start(always(|_| {
        Reply::call("act", json!({"action": "wait", "value": "4", "why": "it takes time"}))
    }));
    let mut child = begun(&bench);
    let mut news = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    news.by_ref().find(|line| line.contains("browser:action_started")).unwrap();
    send(Signal::INT, child.id());
    let rest: Vec<String> = news.collect();
    assert!(rest.iter().any(|line| line.contains("browser:action_completed")), "{rest:?}");
    assert_eq!(end(&rest.join("\n"))["reason"], "interrupted");
    assert_eq!(end_within(LONG, &mut child).code(), Some(130));
    bench.legwork.assert_clean();

    // Twice: at once.
    let mut child = begun(&bench);
    let mut news = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    news.by_ref().find(|line| line.contains("browser:action_started")).unwrap();
    send(Signal::INT, child.id());
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.starts_with("called off: ")));
    send(Signal::INT, child.id());
    assert_eq!(end_within(Duration::from_secs(4), &mut child).code(), Some(130));
    bench.legwork.assert_clean();
}

#[test]
fn a_fallback_model_goes_on_where_the_first_one_can_not_be_asked_any_more() {
    let (mut turns, mut script) = (0, brain::coffee().script());
    let mut reply = move |asked: &Asked| {
        let is_first = asked.body["model"] == "scripted";
        turns += usize::from(is_first && asked.has_tool("complete_task"));
        if is_first && turns > 3 { Fault::Penniless.into() } else { script(asked) }
    };
    let bench = Bench::start(move |asked| reply(asked));
    let goal = brain::coffee().goal;
    let ran = bench.run(&[&goal, "--url", &bench.shop("/"), "--fallback-model", "second", "--verbose"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    for line in ["scripted, or else second", "model: scripted can't be asked; second goes on"] {
        assert!(ran.stderr.contains(line), "{line} in {}", ran.stderr);
    }
    assert!(ran.text().contains("calls of scripted, then second"), "{}", ran.text());
    assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
    // Where nobody goes on it ends there.
    let bench = Bench::start(|_: &Asked| Fault::Penniless.into());
    let ran = bench.run(&[&goal, "--url", &bench.shop("/"), "--fallback-model", "second"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told = ran.text();
    assert!(told.starts_with("stopped: second: ") && told.contains("; before that, scripted: "), "{told}");
    assert_eq!(bench.vendor.books().count(), 2);
    bench.legwork.assert_clean();
}
