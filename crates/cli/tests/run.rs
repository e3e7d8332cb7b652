//! `legwork run` from the outside: whole errands in the bundled shop, with a vendor whose model is a script. What the shop's ledger, the
//! vendor's books and the exit code say decides.

use std::{collections::BTreeSet, fs, io::Write, path::Path, process::Stdio};

use crate::support::{
    LONG, Legwork, end_within,
    errand::{Bench, PASSWORD},
    ran,
    terminal::Terminal,
};
use legwork_testkit::{
    TempHome, playwright_npx_in,
    sites::{brain, vendor::Reply},
    wait_until,
};
use serde_json::{Value, json};

const ASKS: &str = "Approve? Type yes; anything else is a no: ";

/// The lines of a log.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn a_dry_run_tells_what_it_does_and_leaves_a_trace_of_it() {
    let (bench, folder) = (Bench::start(brain::coffee().script()), TempHome::new());
    let trace = folder.path().join("trace");
    let coffee = brain::coffee();
    let ran = bench.run(&[&coffee.goal, "--url", &bench.shop("/"), "--trace", trace.to_str().unwrap()]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    let told = ran.text();
    assert!(
        told.starts_with("stopped: a dry run stops here, this was not sent: POST http://127.0.0.1:"),
        "{told}"
    );
    assert!(told.contains("(total: 31.30)") && told.contains("took 1"), "{told}");
    for line in [
        "a dry run: what can't be undone is stopped",
        "plan: Find Harbour Light",
        "  1  click ",
        "fill 3 textbox \"Password\" with the secret \"password\" -> value changed",
        "stopped, this is a dry run: POST",
        "     at http://127.0.0.1:",
    ] {
        assert!(ran.stderr.contains(line), "{line} in {}", ran.stderr);
    }
    assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
    // What was kept: the log, line by line, and what the model saw.
    let log = lines(&fs::read_to_string(trace.join("events.jsonl")).unwrap());
    assert_eq!((&log[0]["event"], &log.last().unwrap()["event"]), (&"started".into(), &"ended".into()));
    let acts = log.iter().filter(|line| line["event"] == "acted").count();
    let permits = log.iter().filter(|line| line["event"] == "permitted").count();
    assert!(acts >= 13 && permits == acts, "{acts} acts, {permits} permits");
    let first = fs::read(trace.join("ota-0001.jpg")).unwrap();
    assert!(first.starts_with(&[0xff, 0xd8]), "a JPEG");
    // No secret is in any of it, nor in what the vendor was asked.
    let asked = format!("{:?}", bench.vendor.books().calls());
    let kept = fs::read_to_string(trace.join("events.jsonl")).unwrap();
    assert!(![&told, &ran.stderr, &asked, &kept].iter().any(|text| text.contains(PASSWORD)));
    // A second errand does not write into the first one's trace.
    let again = bench.run(&[&coffee.goal, "--url", &bench.shop("/"), "--trace", trace.to_str().unwrap()]);
    again.refused("OUTPUT_FAILED", 1);
    bench.legwork.assert_clean();
}

#[test]
fn live_it_asks_in_the_terminal_and_only_a_whole_yes_orders() {
    for (typed, exit, orders, said) in [
        ("yes\n", 0, 1, "an independent look at the page and at what was sent confirms it"),
        ("y\n", 5, 0, "somebody said no, this was not sent: POST"),
    ] {
        let bench = Bench::start(brain::coffee().script());
        let args = bench.args(&[&brain::coffee().goal, "--url", &bench.shop("/"), "--live"]);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut terminal = Terminal::started_with(&bench.legwork, &args, &bench.variables());
        terminal.shows(
            "| One bag of Harbour Light, 1 kg, whole bean, by standard delivery (€31.30); step 15 of 15",
        );
        terminal.shows("** total: 31.30 **");
        terminal.shows(ASKS);
        assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
        terminal.types(typed);
        terminal.shows(said);
        assert_eq!(terminal.ends(), exit, "{typed:?}");
        assert_eq!(bench.sites.coffee_ledger().count("order-placed"), orders, "{typed:?}");
        bench.legwork.assert_clean();
    }
}

#[test]
fn programs_hear_of_everything_line_by_line_and_people_answer_elsewhere() {
    let bench = Bench::start(brain::cancellation().script());
    let url = bench.sites.stream_url("/");
    let child = bench
        .command(&[&brain::cancellation().goal, "--url", &url, "--live", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(LONG, "somebody is asked", || !bench.legwork.waiting().is_empty());
    assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0);
    let id = bench.legwork.waiting()[0]["id"].as_str().unwrap().to_owned();
    let mut approve = bench
        .legwork
        .command(&["approve", &id])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    approve.stdin.take().unwrap().write_all(b"yes\n").unwrap();
    assert_eq!(end_within(LONG, &mut approve).code(), Some(0));
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 1);
    let news = lines(&String::from_utf8(ended.stdout).unwrap());
    let of = |name: &str| news.iter().filter(|one| one["event"] == name).collect::<Vec<_>>();
    assert_eq!((of("task:setup").len(), of("task:started").len(), of("task:metrics").len()), (1, 1, 1));
    let end = &of("task:completed")[0]["data"];
    assert_eq!((&end["kind"], &end["success"]), (&"verified".into(), &true.into()), "{end}");
    assert!(of("agent:waiting").iter().any(|one| one["data"]["approvalId"] == id.as_str()));
    for one in &news {
        assert!(one["timestamp"].is_u64() && one["iterationId"].is_string(), "{one}");
    }
    bench.legwork.assert_clean();
}

/// A brain that finds out a price and says it in this form.
fn price(answer: Value) -> brain::Brain {
    brain::Brain {
        goal: "What does 1 kg of Harbour Light cost?".into(),
        plan: "Open Harbour Light and read the price.".into(),
        success_criteria: "The answer is the price that the page shows.".into(),
        steps: vec![
            r#"? click button "Only necessary""#.into(),
            r#"click link "See all coffee""#.into(),
            r#"click link "Harbour Light""#.into(),
        ],
        shows: vec!["26.40".into()],
        says: "It costs €26.40.".into(),
        answer: Some(answer),
        ..brain::Brain::default()
    }
}

#[test]
fn an_answer_has_the_shape_that_was_asked_for_or_goes_back() {
    let folder = TempHome::new();
    let schema = folder.path().join("price.json");
    let shape = json!({"type": "object", "required": ["eur"], "properties": {"eur": {"type": "number"}}});
    fs::write(&schema, shape.to_string()).unwrap();
    let ask = |answers: Vec<Value>| {
        let mut answers = answers.into_iter();
        let mut answer = answers.next().unwrap();
        let bench = Bench::start(move |asked| {
            let reply = price(answer.clone()).reply(asked);
            if matches!(&reply, Reply::Spoken(spoken) if spoken.calls.iter().any(|(name, _)| name == "complete_task"))
            {
                answer = answers.next().unwrap_or_else(|| answer.clone());
            }
            reply
        });
        let url = bench.shop("/");
        let goal = price(Value::Null).goal;
        let schema = schema.to_str().unwrap();
        let ran =
            bench.run(&[&goal, "--url", &url, "--mode", "read-only", "--json", "--output-schema", schema]);
        let news = lines(&ran.text());
        let end = news.iter().find(|one| one["event"] == "task:completed" || one["event"] == "task:aborted");
        (ran.code, end.unwrap_or_else(|| panic!("{ran:?}"))["data"].clone())
    };
    let (code, end) = ask(vec![json!({"eur": "26,40"}), json!({"eur": 26.40})]);
    assert_eq!((code, &end["answer"]), (Some(0), &json!({"eur": 26.4})), "{end}");
    let (code, end) = ask(vec![json!({"euros": 26.40})]);
    assert_eq!((code, end.get("answer")), (Some(1), None), "what never fits is never given: {end}");
}

#[test]
fn every_command_of_the_documentation_about_errands_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = in_docs
        .chain([root.join("README.md")])
        .filter(|path| path.extension().is_some_and(|end| end == "md"));
    let document: String = documents.map(|path| fs::read_to_string(path).unwrap() + "\n").collect();
    let blocks = document.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let commands: BTreeSet<String> = blocks
        .flat_map(|block| {
            block
                .replace("\\\n", " ")
                .lines()
                .map(|line| line.split(" #").next().unwrap_or(line).trim())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter(|line| line.starts_with("legwork run "))
        .collect();
    assert!(commands.len() >= 5, "{commands:?}");
    let bench = Bench::start(|asked| {
        let told = asked.told();
        let brain = match told {
            _ if told.contains("What does 1 kg") => price(json!({"eur": 26.40})),
            _ if told.contains("Cancel my membership") => brain::cancellation(),
            _ if told.contains("End my membership") => brain::cancellation_without_secrets(PASSWORD),
            _ => brain::coffee(),
        };
        brain.reply(asked)
    });
    let folder = TempHome::new();
    let schema = json!({"type": "object", "properties": {"eur": {"type": "number"}}});
    fs::write(folder.path().join("price.json"), schema.to_string()).unwrap();
    let programs = Legwork::binary().parent().unwrap();
    // Somebody else's server, as if npx had it.
    let shims = TempHome::new();
    playwright_npx_in(shims.path());
    let path =
        format!("{}:{}:{}", shims.path().display(), programs.display(), std::env::var("PATH").unwrap());
    for command in commands {
        let line = command
            .replace("https://shop.example", &bench.shop(""))
            .replace("https://stream.example", &bench.sites.stream_url(""));
        // Nobody sits at a terminal here: what would be asked about is not done.
        let line = if line.contains("--live") { format!("{line} --confirm nobody") } else { line };
        let expected = match &line {
            _ if line.contains("--live") => 5,
            _ if line.contains("read-only") => 0,
            _ => 6,
        };
        let mut shell = std::process::Command::new("sh");
        bench.dress(&mut shell);
        shell.args(["-ec", &line]).current_dir(folder.path()).env("PATH", &path);
        let ran = ran(&mut shell);
        assert_eq!(ran.code, Some(expected), "{line}: {ran:?}");
    }
    assert_eq!(bench.sites.coffee_ledger().count("order-placed"), 0);
    assert_eq!(bench.sites.stream_ledger().count("membership-cancelled"), 0);
    bench.legwork.assert_clean();
}
