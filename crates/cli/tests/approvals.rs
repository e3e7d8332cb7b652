//! People say yes and no to what a model's client does: in a terminal, on the approval page, through the client. What counts is what
//! reached the site.

use std::{
    fs,
    io::Write,
    net::TcpStream,
    path::PathBuf,
    process::{Child, Stdio},
};

use crate::support::{
    LONG, Legwork, Ran,
    door::Reply,
    mcp::{Talk, named, number, text},
    send,
};
use legwork_testkit::{
    Site,
    axum::{response::Html, routing::post},
    wait_until,
};
use rustix::process::Signal;
use serde_json::{Value, json};

const FORM: &str = "<!doctype html><title>Checkout</title><h1>Checkout</h1><form method=\"post\" action=\"/order\">\
    <input type=\"hidden\" name=\"total\" value=\"42.00\"><button>Place order</button></form>";
const FETCH: &str = "<!doctype html><title>Checkout</title><button onclick=\"fetch('/api/order', {method: 'POST', headers: \
    {'content-type': 'application/json'}, body: JSON.stringify({total: '42.00'})}).then(r => r.text()).then(t => \
    out.textContent = t, e => out.textContent = 'failed')\">Place order</button><p id=\"out\">open</p>";

fn shop() -> Site {
    Site::builder()
        .page("/", FORM)
        .page("/fetch", FETCH)
        .route("/order", post(|| async { Html("<!doctype html><title>Thanks</title><h1>Thank you</h1>") }))
        .route("/api/order", post(|| async { "Thank you" }))
        .start_blocking()
}

/// A real server for a model's client, live, before a shop.
struct Bench {
    site: Site,
    legwork: Legwork,
    talk: Talk,
    session: String,
    /// What was last told.
    text: String,
}

impl Bench {
    fn open(path: &str) -> Self {
        Self::open_with(path, &[])
    }

    fn open_with(path: &str, more: &[&str]) -> Self {
        Self::opened(path, more, Talk::greeted)
    }

    fn opened(path: &str, more: &[&str], start: impl Fn(&Legwork, &[&str]) -> Talk) -> Self {
        let (site, legwork) = (shop(), Legwork::new());
        let grant = site.grants()[0].to_string();
        let args: Vec<&str> =
            ["--live", "--allow-private", &grant].into_iter().chain(more.iter().copied()).collect();
        let mut talk = start(&legwork, &args);
        let text = talk.told("browser_open", json!({ "url": site.url(path) }));
        Self { session: named(&text, "session"), site, legwork, talk, text }
    }

    fn act(&self, target: Value, action: Value) -> Value {
        json!({
            "sessionId": self.session, "observationId": named(&self.text, "observation"), "target": target, "action": action,
        })
    }

    fn press(&self) -> Value {
        let button = number(&self.text, "button \"Place order\"");
        self.act(json!({ "kind": "element", "actionId": button }), json!({ "type": "click" }))
    }

    /// Presses, and must be told that a yes is needed; the name of the question.
    #[track_caller]
    fn asked(&mut self) -> String {
        let call = self.press();
        self.text = self.talk.refused("browser_act", call, "SAFETY_CONFIRMATION_REQUIRED");
        named(&self.text, "approvalId:")
    }

    fn goes_to(&mut self, path: &str) {
        let call =
            self.act(json!({ "kind": "page" }), json!({ "type": "navigate", "url": self.site.url(path) }));
        self.text = self.talk.told("browser_act", call);
    }

    fn orders(&self) -> usize {
        let is_order = |path: &str| self.site.hits_of(path).iter().filter(|hit| hit.method == "POST").count();
        is_order("/order") + is_order("/api/order")
    }

    fn waiting(&self) -> Vec<Value> {
        self.legwork.waiting()
    }

    /// The address of a question with its code.
    fn address(&self, id: &str) -> String {
        let waiting = self.waiting();
        let one =
            waiting.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("no {id} in {waiting:?}"));
        one["url"].as_str().unwrap().to_owned()
    }

    fn approve_typing(&self, id: &str, typed: &str) -> Ran {
        let mut command = self.legwork.command(&["approve", id]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child: Child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A request to the approval page with just these headers.
fn request(url: &str, method: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    let mut head = format!("{method} /{path} HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "Host") {
        head.push_str(&format!("Host: {host}\r\n"));
    }
    headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    write!(stream, "{head}\r\n{body}").unwrap();
    Reply::read(stream)
}

/// Opens the address with its code as a browser would, and presses one of the two buttons.
#[track_caller]
fn answer_on_page(address: &str, answer: &str) -> Reply {
    let entered = request(address, "GET", &[], "");
    assert_eq!(entered.status, 303, "{entered:?}");
    let cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let clean = address.split('?').next().unwrap();
    let page = request(clean, "GET", &[("Cookie", &cookie)], "").body;
    assert!(page.contains("42.00") && page.contains("Place order") && page.contains("/order"), "{page}");
    let token = page.split_once("name=\"token\" value=\"").unwrap().1.split('"').next().unwrap().to_owned();
    let origin = address.split("/approve").next().unwrap();
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let body = format!("answer={answer}&token={token}");
    request(&format!("{clean}/answer"), "POST", &[("Cookie", &cookie), ("Origin", origin), form], &body)
}

#[test]
fn a_yes_in_a_terminal_is_good_for_one_order_and_a_no_for_the_session() {
    let mut bench = Bench::open("/");
    let id = bench.asked();
    assert_eq!(bench.orders(), 0);
    let url = named(&bench.text, "a person can answer at:");
    assert!(url.ends_with(&format!("/approve/{id}")) && url.starts_with("http://127.0.0.1:"), "{url}");
    // The code is told to the terminal alone.
    let address = bench.address(&id);
    let code = address.split("?code=").nth(1).unwrap();
    assert!(
        code.len() >= 32 && !bench.text.contains(code) && !bench.text.contains("code="),
        "{}",
        bench.text
    );
    let list = bench.legwork.run(&["approvals"]).text();
    for part in [id.as_str(), "POST http://127.0.0.1:", "/order, total: 42.00", "Place order", &address] {
        assert!(list.contains(part), "{part} in {list}");
    }

    bench.legwork.run(&["approve", "a0", "--yes"]).refused("APPROVAL_NOT_FOUND", 1);
    let missing = bench.legwork.run(&["deny", "a0"]);
    assert!(missing.stderr.contains(&format!("these wait: {id}")), "{missing:?}");
    assert_eq!((bench.orders(), bench.waiting().len()), (0, 1));

    let ran = bench.approve_typing(&id, "y\n");
    assert_eq!((ran.code, ran.text()), (Some(0), format!("{id}: approved\n")), "{ran:?}");
    let shown = ["** total: 42.00 **", "with a picture of the page: http://127.0.0.1:", "Approve? [y/N]"];
    assert!(shown.iter().all(|part| ran.stderr.contains(part)), "{ran:?}");
    bench.legwork.run(&["deny", &id]).refused("APPROVAL_NOT_FOUND", 1);
    wait_until(LONG, "what was shown leaves by itself", || bench.orders() == 1);

    // A second order is a second question.
    bench.goes_to("/");
    let next = bench.asked();
    assert_ne!(next, id);
    // The end of the input is no yes.
    let ran = bench.approve_typing(&next, "");
    assert_eq!((ran.code, ran.text()), (Some(1), format!("{next}: denied: it is not sent\n")), "{ran:?}");
    bench.legwork.run(&["approve", &next, "--yes"]).refused("APPROVAL_DENIED", 1);
    let call = bench.press();
    bench.text = bench.talk.refused("browser_act", call, "APPROVAL_DENIED");
    assert_eq!((bench.orders(), bench.waiting().len()), (1, 0));
    assert_eq!(bench.talk.end(), 0);
    assert!(left(&bench.legwork).is_empty(), "{:?}", left(&bench.legwork));
    bench.legwork.assert_clean();
}

#[test]
fn whatever_is_no_yes_is_a_no() {
    for typed in [Some("n\n"), Some("yessir\n"), None] {
        let mut bench = Bench::open("/");
        let id = bench.asked();
        match typed {
            Some(typed) => {
                let ran = bench.approve_typing(&id, typed);
                assert_eq!(
                    (ran.code, ran.text()),
                    (Some(1), format!("{id}: denied: it is not sent\n")),
                    "{ran:?}"
                );
            }
            None => {
                let denied = bench.legwork.run(&["deny", &id, "--json"]);
                assert_eq!(denied.json(), json!({ "id": id, "standing": "denied" }));
            }
        }
        assert_eq!((bench.orders(), bench.waiting().len()), (0, 0));
    }
}

#[test]
fn what_is_held_leaves_by_itself_after_a_yes() {
    let mut bench = Bench::open("/fetch");
    let id = bench.asked();
    assert!(bench.text.contains("held"), "{}", bench.text);
    assert_eq!(bench.orders(), 0);
    let ran = bench.legwork.run(&["approve", &id, "--yes", "--json"]);
    assert_eq!((ran.code, ran.json()), (Some(0), json!({ "id": id, "standing": "approved" })));
    wait_until(LONG, "the order arrives", || bench.orders() == 1);
    let session = bench.session.clone();
    wait_until(LONG, "the page knows", || {
        let look = json!({ "sessionId": session, "include": ["text"] });
        bench.talk.told("browser_observe", look).contains("Thank you")
    });
    assert_eq!(bench.orders(), 1);
}

#[test]
fn the_page_answers_whoever_has_the_code_and_nobody_else() {
    let mut bench = Bench::open("/");
    let id = bench.asked();
    let address = bench.address(&id);
    let clean = address.split('?').next().unwrap();
    for (headers, status) in [
        (vec![], 200),
        (vec![("Host", "evil.test")], 403),
        (vec![("Host", "127.0.0.1:1")], 403),
        (vec![("Cookie", "legwork-a0=x")], 200),
    ] {
        let reply = request(clean, "GET", &headers, "");
        assert_eq!(reply.status, status, "{headers:?}");
        assert!(!reply.body.contains("42.00"), "{reply:?}");
    }
    assert_eq!(request(&format!("{clean}?code=0123"), "GET", &[], "").status, 403);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    for headers in [vec![form], vec![form, ("Origin", "http://evil.test")]] {
        let reply = request(&format!("{clean}/answer"), "POST", &headers, "answer=yes&token=x");
        assert_eq!(reply.status, 403, "{headers:?}");
    }
    assert_eq!(bench.waiting().len(), 1);
    assert_eq!(answer_on_page(&address, "yes").status, 303);
    assert_eq!(request(&address, "GET", &[], "").status, 410, "the code is dead");
    wait_until(LONG, "what was shown leaves by itself", || bench.orders() == 1);
}

/// The person's browser is driven by a Legwork of another user, as it were: its instances are not on the same list.
#[test]
fn a_real_browser_can_answer_on_the_page() {
    let mut bench = Bench::open("/");
    let id = bench.asked();
    let address = bench.address(&id);
    let host = address.split('/').nth(2).unwrap();
    let person = Legwork::new();
    let mut browser = Talk::greeted(&person, &["--live", "--confirm", "caller", "--allow-private", host]);
    let opened = browser.told("browser_open", json!({}));
    let session = named(&opened, "session");
    // To the other one all that is said here can't be undone, each step of a redirect for itself. It asks its caller, who is this test.
    let mut act = |page: &str, target: Value, action: Value| -> String {
        let mut call = json!({ "sessionId": session, "target": target, "action": action, "observe": { "include": ["text"] } });
        call["observationId"] = named(page, "observation").into();
        let result = browser.call("browser_act", call.clone());
        let asked = text(&result);
        if result["isError"] != true {
            return asked;
        }
        call["observationId"] = named(&asked, "observation").into();
        call["confirm"] = true.into();
        call["confirmationText"] = named(&asked, "requiredConfirmationText:").into();
        text(&browser.call("browser_act", call))
    };
    let clean = address.split('?').next().unwrap();
    let goes_to = |address: &str| (json!({ "kind": "page" }), json!({ "type": "navigate", "url": address }));
    let (target, action) = goes_to(&address);
    let entered = act(&opened, target, action);
    let (target, action) = goes_to(clean);
    let page = act(&entered, target, action);
    for part in ["May this be sent?", "42.00", "/order", "Deny"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let approve = json!({ "kind": "element", "actionId": number(&page, "button \"Approve\"") });
    let page = act(&page, approve, json!({ "type": "click" }));
    wait_until(LONG, "the answer has come", || bench.waiting().is_empty());
    let (target, action) = goes_to(clean);
    let page = act(&page, target, action);
    assert!(page.contains("\"# Approved\"") && !page.contains("button \"Deny\""), "{page}");
    wait_until(LONG, "what was shown leaves by itself", || bench.orders() == 1);
}

#[test]
fn no_answer_is_a_no() {
    let mut bench = Bench::open_with("/", &["--approval-life", "1"]);
    let id = bench.asked();
    wait_until(LONG, "the question is too old", || bench.waiting().is_empty());
    bench.legwork.run(&["approve", &id, "--yes"]).refused("APPROVAL_EXPIRED", 1);
    let next = bench.asked();
    assert!(next != id && bench.orders() == 0);
}

#[test]
fn a_client_that_opens_addresses_brings_the_answer_to_the_same_call() {
    let url = json!({ "elicitation": { "url": {} } });
    let mut bench = Bench::opened("/", &[], |legwork, args| Talk::greeted_as(legwork, args, url.clone()));
    let elicited = |bench: &mut Bench, answer: Option<&str>, action: &str| -> Value {
        let id =
            bench.talk.request("tools/call", json!({ "name": "browser_act", "arguments": bench.press() }));
        let asked = loop {
            let message = bench.talk.hear();
            if message["method"] == "elicitation/create" {
                break message;
            }
            assert!(message["method"].is_string(), "answered without asking: {message}");
        };
        assert_eq!(asked["params"]["mode"], "url", "{asked}");
        let address = asked["params"]["url"].as_str().unwrap().to_owned();
        assert!(address.contains("?code="), "{asked}");
        bench.talk.say(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "action": action } }));
        if let Some(answer) = answer {
            assert_eq!(answer_on_page(&address, answer).status, 303);
        }
        let (result, _) = bench.talk.answer(id);
        bench.text = text(&result["result"]);
        assert!(!bench.text.contains("code="), "{}", bench.text);
        result["result"].clone()
    };
    // A client says that it was accepted: that alone is no yes.
    elicited(&mut bench, None, "decline");
    assert!(
        bench.text.starts_with("SAFETY_CONFIRMATION_REQUIRED: ") && bench.orders() == 0,
        "{}",
        bench.text
    );
    let done = elicited(&mut bench, Some("yes"), "accept");
    assert!(done["isError"] != true && bench.text.contains("Thank you"), "{done}");
    assert_eq!(bench.orders(), 1);
    bench.goes_to("/fetch");
    let done = elicited(&mut bench, Some("yes"), "accept");
    assert!(done["isError"] != true && bench.orders() == 2, "{done}");
    bench.goes_to("/");
    elicited(&mut bench, Some("no"), "accept");
    assert!(bench.text.starts_with("APPROVAL_DENIED: ") && bench.orders() == 2, "{}", bench.text);
}

#[test]
fn the_operator_is_told_of_each_question_once() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut bench =
        Bench::opened("/", &[], |legwork, args| Talk::logged(legwork, args, log.reopen().unwrap()));
    let id = bench.asked();
    let address = bench.address(&id);
    let is_told =
        |line: &&str| line.contains(&id) && line.contains("total: 42.00") && line.ends_with(&address);
    let told = || fs::read_to_string(log.path()).unwrap();
    wait_until(LONG, "the operator is told", || told().lines().any(|line| is_told(&line)));
    assert_eq!(bench.asked(), id, "the same again is the same question");
    assert_eq!(bench.talk.end(), 0);
    assert_eq!(told().lines().filter(is_told).count(), 1, "{}", told());
}

/// The files of instances.
fn left(legwork: &Legwork) -> Vec<PathBuf> {
    let folder = fs::read_dir(legwork.runtime.path().join("legwork")).unwrap();
    folder.map(|file| file.unwrap().path()).collect()
}

/// The ports of all running instances.
fn ports(legwork: &Legwork) -> Vec<u16> {
    let lists = left(legwork).into_iter().filter(|path| path.extension().is_some_and(|end| end == "ports"));
    let texts: Vec<String> = lists.map(|list| fs::read_to_string(list).unwrap()).collect();
    texts.iter().flat_map(|text| text.lines()).map(|port| port.parse().unwrap()).collect()
}

#[test]
fn no_page_reaches_what_any_instance_serves() {
    let legwork = Legwork::new();
    let first = Talk::greeted(&legwork, &[]);
    let [port] = ports(&legwork)[..] else { panic!("{:?}", ports(&legwork)) };
    for host in ["127.0.0.1", "localhost"] {
        let grant = format!("{host}:{port}");
        let mut second = Talk::greeted(&legwork, &["--allow-private", &grant]);
        assert_eq!(ports(&legwork).len(), 2);
        let open = json!({ "url": format!("http://{grant}/") });
        let refused = second.refused("browser_open", open, "NAVIGATION_BLOCKED");
        assert!(refused.contains("own-port"), "{refused}");
        assert_eq!(second.end(), 0);
    }
    assert_eq!(first.end(), 0);
    assert!(ports(&legwork).is_empty());
}

#[test]
fn a_killed_instance_stands_in_nobodys_way() {
    let mut bench = Bench::open("/");
    let id = bench.asked();
    send(Signal::KILL, bench.talk.child.id());
    bench.talk.child.wait().unwrap();
    assert_eq!(ports(&bench.legwork).len(), 1, "it could not tidy up");
    let list = bench.legwork.run(&["approvals"]);
    assert_eq!((list.code, list.text().as_str()), (Some(0), "nothing waits for an answer\n"));
    bench.legwork.run(&["approve", &id, "--yes"]).refused("APPROVAL_NOT_FOUND", 1);
    assert!(ports(&bench.legwork).is_empty());
    assert!(left(&bench.legwork).is_empty(), "{:?}", left(&bench.legwork));
}
