//! `legwork approvals --watch` in a real terminal: each question is asked as it comes, and whatever is no whole yes is a no.

use crate::support::{
    LONG, Legwork,
    mcp::{Talk, named, number},
    terminal::Terminal,
};
use legwork_testkit::{
    Site, TempHome,
    axum::{response::Html, routing::post},
    wait_until,
};
use serde_json::{Value, json};

const FORM: &str = "<!doctype html><title>Checkout</title><form method=\"post\" action=\"/order\">\
    <input type=\"hidden\" name=\"total\" value=\"42.00\"><button>Place order</button></form>";

/// A live server for a model's client, before a shop.
struct Bench {
    site: Site,
    legwork: Legwork,
    talk: Talk,
}

impl Bench {
    fn open() -> Self {
        let thanks = || post(|| async { Html("<!doctype html><title>Thanks</title><h1>Thank you</h1>") });
        let site = Site::builder().page("/", FORM).route("/order", thanks()).start_blocking();
        let legwork = Legwork::new();
        let grant = site.grants()[0].to_string();
        let talk = Talk::greeted(&legwork, &["--live", "--allow-private", &grant]);
        Self { site, legwork, talk }
    }

    /// A new session presses the button, and is told that a yes is needed.
    fn asks(&mut self) {
        let text = self.talk.told("browser_open", json!({ "url": self.site.url("/") }));
        let call: Value = json!({
            "sessionId": named(&text, "session"), "observationId": named(&text, "observation"), "action": { "type": "click" },
            "target": { "kind": "element", "actionId": number(&text, "button \"Place order\"") },
        });
        let asked = self.talk.refused("browser_act", call, "SAFETY_CONFIRMATION_REQUIRED");
        assert!(asked.contains("approvalId:"), "{asked}");
    }

    fn orders(&self) -> usize {
        self.site.hits_of("/order").len()
    }
}

#[test]
fn the_demo_asks_in_a_terminal_and_orders_after_a_yes_alone() {
    let (legwork, folder) = (Legwork::new(), TempHome::new());
    let out = folder.path().join("out");
    for (typed, said, told) in [
        ("yes\n", "a person said yes: it was let go", "orders in the shop's books: 1"),
        ("y\n", "a person said no: this was not sent", "somebody said no, this was not sent: POST"),
    ] {
        let mut terminal = Terminal::started(&legwork, &["demo", "--out", out.to_str().unwrap()]);
        terminal.shows(ASKS);
        terminal.types(typed);
        terminal.shows(said);
        terminal.shows(told);
        assert_eq!(terminal.ends(), 0);
    }
    legwork.assert_clean();
}

const ASKS: &str = "Approve? Type yes; anything else is a no: ";

#[test]
fn questions_are_asked_in_a_terminal_as_they_come_and_only_a_whole_yes_approves() {
    let mut bench = Bench::open();
    // Without a terminal nobody is there.
    bench.legwork.run(&["approvals", "--watch"]).refused("USAGE", 2);
    assert_eq!(bench.legwork.run(&["approvals", "--deny-after", "5"]).code, Some(2));

    let mut terminal = Terminal::open(&bench.legwork, &["approvals", "--watch"]);
    // Typed before there was a question: no answer to it.
    terminal.types("yes\n");
    bench.asks();
    terminal.shows(ASKS);
    terminal.shows("** total: 42.00 **");
    terminal.types("y\n");
    terminal.shows("denied: it is not sent");
    bench.asks();
    terminal.shows(ASKS);
    assert_eq!(bench.orders(), 0);
    terminal.types("yes\n");
    terminal.shows("approved");
    wait_until(LONG, "what was shown leaves", || bench.orders() == 1);
    // Ctrl-C denies what is shown.
    bench.asks();
    terminal.shows(ASKS);
    terminal.types("\u{3}");
    terminal.shows("denied: it is not sent");
    assert_eq!(terminal.ends(), 130);
    assert_eq!((bench.orders(), bench.legwork.waiting().len()), (1, 0));

    // So does the end of the input, and no answer in time.
    let mut terminal = Terminal::open(&bench.legwork, &["approvals", "--watch"]);
    bench.asks();
    terminal.shows(ASKS);
    terminal.types("\u{4}");
    terminal.shows("denied: it is not sent");
    assert_eq!(terminal.ends(), 0);
    let mut terminal = Terminal::open(&bench.legwork, &["approvals", "--watch", "--deny-after", "1"]);
    bench.asks();
    terminal.shows("no answer in time");
    terminal.shows("denied: it is not sent");
    // Where nothing is asked, its end decides nothing.
    terminal.types("\u{4}");
    assert_eq!(terminal.ends(), 0);
    assert_eq!((bench.orders(), bench.legwork.waiting().len()), (1, 0));
    assert_eq!(bench.talk.end(), 0);
}
