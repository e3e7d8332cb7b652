//! `legwork observe` from the outside: each option by what it changes, pictures with numbers, pages that misbehave.

use std::{collections::BTreeSet, fs};

use crate::support::{Legwork, Ran, picture::Picture};
use legwork_testkit::{CdpStub, Site, SomebodysBrowser, TempHome, jpeg_size};
use serde_json::Value;

/// A browser that is started once and looks at many pages.
struct Stand {
    site: Site,
    legwork: Legwork,
    browser: SomebodysBrowser,
}

impl Stand {
    fn new() -> Self {
        let site = Site::builder()
            .page("/shop", include_str!("pages/shop.html"))
            .page("/dialog", include_str!("pages/dialog.html"))
            .page("/many", include_str!("pages/many.html"))
            .start_blocking();
        Self { site, legwork: Legwork::new(), browser: SomebodysBrowser::start() }
    }

    fn run(&self, path: &str, more: &[&str]) -> Ran {
        let (url, endpoint) = (self.site.url(path), self.browser.http_url());
        self.legwork.run(&[&["observe", &url, "--cdp-endpoint", &endpoint], more].concat())
    }

    #[track_caller]
    fn text(&self, path: &str, more: &[&str]) -> String {
        let ran = self.run(path, more);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.text()
    }

    #[track_caller]
    fn json(&self, path: &str, more: &[&str]) -> Value {
        let ran = self.run(path, &[&["--json"], more].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    }
}

fn list<'a>(observation: &'a Value, key: &str) -> Vec<&'a Value> {
    observation[key].as_array().unwrap_or_else(|| panic!("{key} in {observation}")).iter().collect()
}

/// The names of what can be acted on, in order of their numbers.
#[track_caller]
fn names(observation: &Value) -> Vec<&str> {
    let all = list(observation, "affordances");
    all.iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn named<'a>(observation: &'a Value, name: &str) -> &'a Value {
    let found = list(observation, "affordances").into_iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("{name} in {observation}"))
}

const SHOP: [&str; 7] = ["Buy green", "PIN", "Buy black", "Buy white", "Teas", "About us", "Imprint"];

#[test]
fn a_page_is_told_as_text_and_as_json_with_the_same_numbers() {
    let (site, legwork) =
        (Site::builder().page("/shop", include_str!("pages/shop.html")).start_blocking(), Legwork::new());
    let url = site.url("/shop");
    let ran = legwork.run(&["observe", &url]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = ran.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("observation o"), "{text}");
    let boundary = lines[1].strip_prefix("<untrusted ").and_then(|rest| rest.strip_suffix('>')).unwrap();
    assert!(lines.contains(&format!("</{boundary}>").as_str()), "{text}");
    assert!(text.contains(&format!("page \"Tea shop\" \"{url}\"")), "{text}");
    assert!(text.contains("# \"Fresh teas\"") && text.contains("\n\"Green tea $4\"\n1 button"), "{text}");
    assert!(text.contains("form1 \"Basket\"\n  2 textbox \"PIN\" =[redacted]"), "{text}");
    assert!(text.contains("button \"Buy black\" disabled") && !text.contains("secretly"), "{text}");
    assert!(text.contains("not shown: 1 hidden\n"), "{text}");
    assert!(!text.contains("hush"), "{text}");

    let ran = legwork.run(&["observe", &url, "--json"]);
    let json = ran.json();
    assert_eq!(ran.code, Some(0));
    assert_eq!(names(&json), SHOP);
    for one in list(&json, "affordances") {
        let line = format!("{} {} {}", one["actionId"], one["role"].as_str().unwrap(), one["name"]);
        assert!(text.contains(&line), "{line} in {text}");
        assert!(one.get("box").is_none(), "{one}");
    }
    let ids: Vec<u64> =
        list(&json, "affordances").iter().map(|one| one["actionId"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=7).collect::<Vec<u64>>());
    assert_eq!((&json["omitted"]["hidden"], &json["hasMore"]), (&1.into(), &false.into()));
    assert_eq!(
        (named(&json, "PIN").get("value"), &named(&json, "PIN")["valueRedacted"]),
        (None, &true.into())
    );
    assert!(!ran.text().contains("hush") && json.get("text").is_none(), "{json}");
    legwork.assert_clean();
}

#[test]
fn options_choose_what_is_told() {
    let stand = Stand::new();

    let sight = stand.json("/shop", &["--scope", "viewport"]);
    assert!(names(&sight).contains(&"Buy green") && !names(&sight).contains(&"Buy white"), "{sight}");
    assert!(list(&sight, "affordances").iter().all(|one| one["inViewport"] == true), "{sight}");
    assert_eq!(sight["omitted"]["paged"], 7 - list(&sight, "affordances").len(), "{sight}");

    let dialog = stand.json("/dialog", &["--scope", "modal"]);
    assert_eq!(names(&dialog), ["Stay", "Leave"]);
    assert_eq!(names(&stand.json("/dialog", &["--scope", "modalOnly"])), ["Stay", "Leave"]);
    assert_eq!(dialog["page"]["modals"][0]["title"], "Leave?", "{dialog}");
    assert!(stand.text("/shop", &["--scope", "modal"]).contains("no controls to list\n"));

    let one = stand.json("/shop", &["--max", "1"]);
    assert_eq!((names(&one), &one["hasMore"]), (vec!["Buy green"], &true.into()));
    assert!(one["nextCursor"].is_string(), "{one}");

    assert_eq!(names(&stand.json("/shop", &["--find", "buy"])), ["Buy green", "Buy black", "Buy white"]);
    assert_eq!(names(&stand.json("/shop", &["--find", "link ABOUT"])), ["About us"]);
    assert_eq!(names(&stand.json("/shop", &["--find", "$9"])), ["Buy white"], "the price beside it");
    assert!(stand.text("/shop", &["--find", "about"]).contains("link \"About us\" → \"/about\""));
    assert!(stand.text("/shop", &["--find", "coffee"]).contains("no controls to list\n"));

    assert_eq!(names(&stand.json("/shop", &["--within", "nav"])), ["Teas", "About us"]);
    assert_eq!(names(&stand.json("/shop", &["--within", "footer"])), ["Imprint"]);
    assert_eq!(names(&stand.json("/shop", &["--within", "2"])), ["PIN"], "its form");

    let told = stand.json("/shop", &["--text"]);
    let text = told["text"].as_str().unwrap();
    assert!(text.contains("# Fresh teas") && text.contains("Picked in April"), "{text}");
    assert!(stand.text("/shop", &["--text"]).contains("\ntext\n"));

    let boxes = stand.json("/shop", &["--boxes"]);
    let expected = serde_json::json!({ "x": 100, "y": 200, "width": 200, "height": 40 });
    assert_eq!(named(&boxes, "Buy green")["box"], expected);

    let hidden = stand.json("/shop", &["--include-hidden"]);
    assert_eq!(
        (&named(&hidden, "Buy secretly")["visible"], &hidden["omitted"]["hidden"]),
        (&false.into(), &0.into())
    );
    assert!(stand.text("/shop", &["--include-hidden"]).contains("button \"Buy secretly\" hidden"));

    let enabled = stand.json("/shop", &["--exclude-disabled"]);
    assert!(!names(&enabled).contains(&"Buy black"), "{enabled}");
    assert_eq!(enabled["omitted"]["disabled"], 1);

    for mode in ["auto", "dom", "a11y"] {
        assert_eq!(names(&stand.json("/shop", &["--mode", mode])), SHOP, "{mode}");
    }
}

#[test]
fn a_long_page_comes_in_parts_that_leave_nothing_out() {
    let stand = Stand::new();
    let first = stand.json("/many", &[]);
    assert_eq!((names(&first).len(), &first["omitted"]["paged"]), (50, &70.into()));
    assert_eq!(names(&stand.json("/many", &["--max", "200"])).len(), 120, "programs pay no tokens");

    let all = stand.json("/many", &["--all"]);
    let parts = all.as_array().unwrap();
    let ids: Vec<u64> = parts
        .iter()
        .flat_map(|part| list(part, "affordances"))
        .map(|one| one["actionId"].as_u64().unwrap())
        .collect();
    assert_eq!((parts.len(), ids), (3, (1..=120).collect::<Vec<u64>>()));
    let looks: BTreeSet<&str> = parts.iter().map(|part| part["observationId"].as_str().unwrap()).collect();
    assert_eq!(looks.len(), 1, "one look");
    assert!(stand.json("/shop", &["--all"]).as_array().is_some_and(|parts| parts.len() == 1));

    let ran = stand.run("/many", &["--max-tokens", "200"]);
    let short = ran.text();
    assert!(short.contains(" more: cursor o"), "{short}");
    assert!(ran.stderr.contains("--all lists every part"), "{ran:?}");
    let long = stand.text("/many", &["--max", "200", "--max-tokens", "20000"]);
    assert!(long.contains("120 link") && !long.contains(" more: "), "{long}");
    assert!(short.len() < 1_500 && long.len() > 3 * short.len(), "{} {}", short.len(), long.len());
    let bounded = stand.json("/many", &["--max-tokens", "200"]);
    assert!((1..30).contains(&names(&bounded).len()), "{bounded}");

    let ran = stand.run("/many", &["--all"]);
    let text = ran.text();
    assert!(text.contains("120 link") && !ran.stderr.contains("--all"), "{ran:?}");
    let fences: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("<untrusted ")).collect();
    assert!(fences.len() >= 3, "each part has a fence of its own: {text}");
}

#[test]
fn the_picture_carries_the_numbers_where_the_controls_are() {
    let (stand, out) = (Stand::new(), TempHome::new());
    let (file, marked) = (out.path().join("look.jpg"), out.path().join("marked.jpg"));
    let ran = stand.run("/shop", &["--json", "--boxes", "--screenshot", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (warning, saved) = ran.stderr.split_once('\n').unwrap();
    assert!(warning.starts_with("warning: Legwork did not start this browser"), "{ran:?}");
    assert_eq!(saved, format!("saved {}\n", file.display()));
    assert_eq!(named(&ran.json(), "Buy green")["actionId"], 1);

    let (url, endpoint) = (stand.site.url("/shop"), stand.browser.http_url());
    let args = ["screenshot", &url, "--marked", "-o", marked.to_str().unwrap(), "--cdp-endpoint", &endpoint];
    let ran = stand.legwork.run(&args);
    assert!(ran.code == Some(0) && ran.text().contains("(1280×720, "), "{ran:?}");

    for file in [&file, &marked] {
        let jpeg = fs::read(file).unwrap();
        assert_eq!(jpeg_size(&jpeg), (1280, 720));
        let picture = Picture::read(&jpeg);
        // An outline around each control, and a badge at its upper left corner.
        for (x, y) in [(100, 200), (500, 200), (100, 400)] {
            assert!(picture.reds(x + 90, y - 3, 20, 6) > 10, "the upper edge at {x},{y}");
            assert!(picture.reds(x + 90, y + 37, 20, 6) > 10, "the lower edge at {x},{y}");
            assert!(picture.reds(x - 6, y - 18, 24, 24) > 60, "the badge at {x},{y}");
        }
        assert_eq!(picture.reds(800, 100, 480, 600), 0, "nothing where nothing is");
        assert_eq!(picture.at(200, 420), [48, 48, 48], "the PIN is painted over");
    }
    assert_eq!(out.entries().len(), 2);
}

#[test]
fn error_pages_dialogs_and_dead_servers_are_told() {
    let stand = Stand::new();
    let ran = stand.run("/status/404", &["--json"]);
    assert!(
        ran.code == Some(0) && ran.json()["page"]["finalUrl"] == stand.site.url("/status/404"),
        "{ran:?}"
    );
    let warning = format!("warning: the server answered HTTP 404 for {}", stand.site.url("/status/404"));
    assert!(ran.stderr.contains(&warning), "{ran:?}");

    let ran = stand.run("/pages/alert_on_load.html", &[]);
    assert!(ran.code == Some(0) && ran.text().contains("\n</"), "{ran:?}");
    assert!(ran.stderr.contains("warning: the page opened a dialog"), "{ran:?}");

    let ran = stand.run("/redirect?to=/shop", &["--json"]);
    assert_eq!(ran.json()["page"]["url"], stand.site.url("/redirect?to=/shop"));
    assert_eq!(ran.json()["page"]["finalUrl"], stand.site.url("/shop"));

    let nobody = CdpStub::refusing();
    let (url, endpoint) = (format!("http://127.0.0.1:{}/", nobody.port()), stand.browser.http_url());
    let args = ["observe", &url, "--cdp-endpoint", &endpoint];
    stand.legwork.run(&args).refused("NAVIGATION_FAILED", 1);
    let error = stand.legwork.run(&[&args[..], &["--json"]].concat()).json();
    assert_eq!(error["error"]["code"], "NAVIGATION_FAILED");
    assert_eq!(error["error"]["cause"], "net::ERR_CONNECTION_REFUSED");
}

#[test]
fn a_number_that_is_not_there_is_refused_and_leaves_no_picture() {
    let (stand, out) = (Stand::new(), TempHome::new());
    let file = out.path().join("look.jpg");
    let asked = ["--within", "9999", "--screenshot", file.to_str().unwrap()];
    let ran = stand.run("/shop", &asked);
    ran.refused("ACTION_NOT_FOUND", 1);
    assert!(ran.stderr.contains("  next:  use a number that the current observation shows"), "{ran:?}");
    let ran = stand.run("/shop", &[&asked[..], &["--json"]].concat());
    let error = &ran.json()["error"];
    assert_eq!(
        (&error["code"], &error["retryable"], ran.code),
        (&"ACTION_NOT_FOUND".into(), &false.into(), Some(1))
    );
    assert!(out.entries().is_empty(), "{:?}", out.entries());
}

#[test]
fn what_can_be_refused_is_refused_before_a_browser_starts() {
    let (legwork, out) = (Legwork::new(), TempHome::new());
    let here = "http://127.0.0.1/";
    let (folder, nowhere) = (out.path().to_str().unwrap(), out.path().join("no/such/look.jpg"));
    let nowhere = nowhere.to_str().unwrap();
    let cases: &[(&[&str], &str, i32, &str)] = &[
        (&["example.com"], "INVALID_URL", 2, "http"),
        (&[""], "INVALID_URL", 2, "http"),
        (&["file:///etc/passwd"], "NAVIGATION_BLOCKED", 1, "http"),
        (&[here, "--max", "0"], "USAGE", 2, "1..=200"),
        (&[here, "--max", "201"], "USAGE", 2, "1..=200"),
        (&[here, "--max", "many"], "USAGE", 2, "--max"),
        (&[here, "--max-tokens", "5"], "USAGE", 2, "200..=20000"),
        (&[here, "--max-tokens", "20001"], "USAGE", 2, "200..=20000"),
        (&[here, "--within", "nonsense"], "USAGE", 2, "neither a part of the page"),
        (&[here, "--within", "0"], "USAGE", 2, "neither a part of the page"),
        (&[here, "--within=-1"], "USAGE", 2, "neither a part of the page"),
        (&[here, "--scope", "everything"], "USAGE", 2, "viewport"),
        (&[here, "--mode", "magic"], "USAGE", 2, "a11y"),
        (&[here, "--find", "  "], "USAGE", 2, "there are no words to find"),
        (&[here, "--screenshot", "-"], "USAGE", 2, "name a file with --screenshot FILE"),
        (&[here, "--screenshot", folder], "OUTPUT_FAILED", 1, "it is a folder"),
        (&[here, "--screenshot", nowhere], "OUTPUT_FAILED", 1, "there is no folder"),
        (&[], "USAGE", 2, "<URL>"),
    ];
    for (more, code, exit, words) in cases {
        let args = [&["observe"], *more].concat();
        let ran = legwork.run(&args);
        ran.refused(code, *exit);
        assert!(ran.stderr.contains(words), "{words} in {}", ran.stderr);
        let ran = legwork.run(&[&args[..], &["--json"]].concat());
        let error = &ran.json()["error"];
        assert_eq!((&error["code"], ran.code), (&(*code).into(), Some(*exit)), "{args:?}");
        assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{error}");
        assert_eq!(ran.stderr, "");
    }
    let ran = legwork.run(&["observe", here, "--boxes"]);
    ran.refused("USAGE", 2);
    assert!(ran.stderr.contains("  next:  add --json"), "{ran:?}");
    legwork.assert_no_start();
    assert!(out.entries().is_empty(), "{:?}", out.entries());
}
