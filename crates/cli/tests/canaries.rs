//! Secrets and logins that are random words, a site that repeats them in every way it can, and a search through everything that
//! Legwork leaves or tells: answers, pictures, the log, questions to people, files.

use std::{
    collections::hash_map::RandomState,
    fs,
    hash::{BuildHasher as _, Hasher as _},
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    sync::Arc,
};

use crate::support::{
    LONG, Legwork,
    door::Reply,
    mcp::{Talk, named, number, text},
    picture::Picture,
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use legwork_testkit::{
    Site, TempHome,
    axum::{
        http::{HeaderMap, header},
        response::{AppendHeaders, Html},
        routing::{get, post},
    },
};
use serde_json::{Value, json};

/// A word that nobody has ever written.
fn canary(kind: &str) -> String {
    let chance = RandomState::new().build_hasher().finish();
    format!("{kind}Cn{chance:016x}zQ")
}

/// How a word may be written, as bytes; letters in lower case where case does not matter.
fn disguises(word: &str) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let small = word.to_lowercase();
    let each = |write: &dyn Fn(u8) -> String| word.bytes().map(write).collect::<String>().to_lowercase();
    let between = |sign: &str| small.chars().map(String::from).collect::<Vec<_>>().join(sign);
    let mut folded: Vec<Vec<u8>> = [
        small.clone(),
        small.chars().rev().collect(),
        each(&|byte| format!("%{byte:02x}")),
        each(&|byte| format!("&#{byte};")),
        each(&|byte| format!("&#x{byte:x};")),
        each(&|byte| format!("\\u{byte:04x}")),
        each(&|byte| format!("{byte:02x}")),
        between(" "),
        between("-"),
        between("\u{200b}"),
    ]
    .into_iter()
    .map(String::into_bytes)
    .collect();
    folded.push(small.encode_utf16().flat_map(u16::to_le_bytes).collect());
    folded.push(small.encode_utf16().flat_map(u16::to_be_bytes).collect());
    let mut exact = Vec::new();
    for shift in 0..3 {
        let padded = [&[b'x'; 2][..shift], word.as_bytes()].concat();
        // Without the letters that depend on the neighbours.
        let first = if shift == 0 { 0 } else { 4 };
        for whole in [STANDARD.encode(&padded), URL_SAFE.encode(&padded)] {
            exact.push(whole.as_bytes()[first..padded.len() / 3 * 4].to_vec());
        }
    }
    (folded, exact)
}

/// The first way in which a word is found in something.
fn found(word: &str, hay: &[u8]) -> Option<String> {
    let (folded, exact) = disguises(word);
    // What is looked for is written in letters that stay as they are, whatever becomes of others.
    let hay = String::from_utf8_lossy(hay);
    let small = hay.to_ascii_lowercase();
    let needle = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let in_small = folded.into_iter().map(needle).find(|needle| small.contains(needle));
    in_small.or_else(|| exact.into_iter().map(needle).find(|needle| hay.contains(needle)))
}

/// Everything that was seen so far, by where it was.
#[derive(Default)]
struct Artefacts(Vec<(String, Vec<u8>)>);

impl Artefacts {
    fn add(&mut self, what: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.push((what.into(), bytes.into()));
    }

    /// All files below a folder, and their names.
    fn add_folder(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            self.add("the name of a file", path.to_string_lossy().as_bytes());
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => self.add_folder(&path),
                kind if kind.is_file() => self.add(path.to_string_lossy(), fs::read(&path).unwrap()),
                _ => {}
            }
        }
    }

    #[track_caller]
    fn assert_clean(&self, words: &[&str]) {
        for (what, bytes) in &self.0 {
            for word in words {
                if let Some(way) = found(word, bytes) {
                    panic!("{what} holds a canary as {way:?}: {}", String::from_utf8_lossy(bytes));
                }
            }
        }
    }
}

/// A login whose page repeats what is typed while it is typed.
const LOGIN: &str = include_str!("../../runtime/tests/pages/chatty_login.html");

/// The site: it knows the words of its cookies, and repeats all that it is sent.
fn site(held: &str, read: &str, stored: &str) -> Site {
    let (held, read, stored) =
        (Arc::new(held.to_owned()), Arc::new(read.to_owned()), Arc::new(stored.to_owned()));
    let known = held.clone();
    let home = get(move |headers: HeaderMap| {
        let known = known.clone();
        async move {
            let sent = headers
                .get_all(header::COOKIE)
                .iter()
                .any(|one| one.to_str().unwrap_or("").contains(&*known));
            Html(if sent { echo(&known, "Welcome back") } else { LOGIN.to_owned() })
        }
    });
    let session = post(move |body: String| {
        let (held, read, stored) = (held.clone(), read.clone(), stored.clone());
        async move {
            let word =
                body.split('&').find_map(|pair| pair.strip_prefix("password=")).unwrap_or("").to_owned();
            let set = |text: String| (header::SET_COOKIE, text);
            let cookies = AppendHeaders([
                set(format!("held={held}; Path=/; HttpOnly; Max-Age=3600")),
                set(format!("read={read}; Path=/; Max-Age=3600")),
            ]);
            let store = format!("<script>localStorage.token = token.textContent = '{stored}'</script>");
            (cookies, Html(format!("{}{store}", echo(&word, "You are in"))))
        }
    });
    let order = post(|| async { Html("<!doctype html><title>Thanks</title>") });
    Site::builder()
        .route("/", home)
        .route("/session", session)
        .route("/order", order)
        .page(
            "/control",
            "<!doctype html><title>Control</title><h1 style='color: red'>Nothing that is secret</h1>",
        )
        .start_blocking()
}

/// A page that shows a word, its cookies and its storage in every way.
fn echo(word: &str, heading: &str) -> String {
    let percent: String = word.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let hex: String = word.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "<!doctype html><title>{heading} {word}</title><style>{RED}</style><h1>{heading}</h1>{}
        <p><b id=out></b> <b id=token></b> <a href='/y?{word}'>home</a> <a href='/download/{word}.txt' download>Far</a> <a id=get download='{word}.txt' href='#'>Get</a>
        <button onclick='confirm(\"{word}\")'>Tell</button>
        <form method=post action='/order?note={percent}'><input type=hidden name=total value='42.00'>
        <input type=hidden name=note value='{word} {hex}'><button>Place order</button></form>
        <script>out.textContent = document.cookie.split('=').pop(); token.textContent = localStorage.token ?? '';
        get.href = URL.createObjectURL(new Blob(['{word}'])); console.log('{word}'); console.error(new Error('{word}')); history.replaceState(null, '', '?w={word}#' + btoa('{word}'));
        setTimeout(() => {{ throw new Error('{word}') }})</script>",
        painted(word),
    )
}

/// All that is secret is red, and nothing else.
const RED: &str = "body { font: 10px sans-serif } b, img, input, select, textarea, ::placeholder { color: red; font: 10px sans-serif }
    s::before { content: attr(data-p); color: red } s::after { content: '(' attr(data-p) ')'; color: red }
    u { color: red; text-shadow: 0 30px red } i { font-style: normal }";

/// A word as pages can write and paint it.
fn painted(word: &str) -> String {
    let entities: String = word.bytes().map(|byte| format!("&#{byte};")).collect();
    let hex: String = word.bytes().map(|byte| format!("{byte:02x}")).collect();
    let percent: String = word.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let backwards: String = word.chars().rev().collect();
    let letters: String = word.chars().map(|c| format!("<i>{c}</i> ")).collect();
    let upper = word.to_uppercase();
    let encoded: String =
        ["", "a", "ab"].map(|before| STANDARD.encode(format!("{before}{word}")) + " ").concat();
    format!(
        "<p><b>{word}</b> <b>{letters}</b> <b>{entities}</b> <b>{hex}</b> <b>{percent}</b> <b>{backwards}</b> <b>{upper}</b> <b>{encoded}</b>
        <p><button aria-label='{word}'>x</button> <input value='{word}' aria-label='Copy of {word}'> <img alt='{word}'> <img alt='{word}' width=200 height=20>
        <s data-p='{word}'></s> <u>{word}</u> <input placeholder='{word}'> <textarea rows=1>{word}</textarea> <select><option>{word}</select>"
    )
}

/// A conversation in which everything that is said is kept.
struct Kept<'a> {
    talk: Talk,
    artefacts: &'a mut Artefacts,
    session: String,
    last: String,
    pictures: Vec<Vec<u8>>,
}

fn kept(talk: Talk, artefacts: &mut Artefacts) -> Kept<'_> {
    Kept { talk, artefacts, session: String::new(), last: String::new(), pictures: vec![] }
}

impl Kept<'_> {
    fn call(&mut self, tool: &str, mut arguments: Value) -> Value {
        if !self.session.is_empty() {
            arguments["sessionId"] = self.session.clone().into();
        }
        let answer = self.talk.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        self.artefacts.add(format!("the answer of {tool}"), answer.to_string());
        let result = answer["result"].clone();
        for part in result["content"].as_array().into_iter().flatten().filter(|part| part["type"] == "image")
        {
            self.pictures.push(STANDARD.decode(part["data"].as_str().unwrap()).unwrap());
        }
        result
    }

    fn open(&mut self, url: &str) {
        let result = self.call("browser_open", json!({ "url": url }));
        self.last = text(&result);
        self.session = named(&self.last, "session");
    }

    fn act(&mut self, what: &str, action: Value) -> Value {
        let target = match what {
            "" => json!({ "kind": "page" }),
            what => json!({ "kind": "element", "actionId": number(&self.last, what) }),
        };
        let observation = named(&self.last, "observation");
        let result = self
            .call("browser_act", json!({ "observationId": observation, "target": target, "action": action }));
        self.last = text(&result);
        result
    }

    /// Everything that can be asked about a page. How many pixels of its picture are red, as what it repeats is; none where there is
    /// no picture.
    fn ask_everything(&mut self) -> Option<usize> {
        let look = self.call("browser_observe", json!({ "include": ["text", "boxes"] }));
        self.last = text(&look);
        self.call("browser_read", json!({}));
        self.call("browser_tabs", json!({}));
        self.pictures.clear();
        let shot = self.call("browser_screenshot", json!({}));
        if shot["isError"] == true {
            // Where a page shows a secret in a place that can't be told, there is no picture.
            assert!(text(&shot).starts_with("SECRET_REFUSED"), "{shot}");
            return None;
        }
        let jpeg = self.pictures.pop().unwrap();
        Some(Picture::read(&jpeg).reds(0, 0, 1280, 720))
    }
}

fn get_page(url: &str, cookie: Option<&str>) -> Reply {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    let cookie = cookie.map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n{cookie}\r\n").unwrap();
    Reply::read(stream)
}

/// The picture of a question; none where there is none.
fn picture_of(url: &str, cookie: &str) -> Option<Picture> {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    write!(stream, "GET /{path}/picture HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n").unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    let start = all.windows(4).position(|part| part == b"\r\n\r\n").unwrap() + 4;
    all.starts_with(b"HTTP/1.1 200").then(|| Picture::read(&all[start..]))
}

#[test]
fn no_artefact_holds_a_secret_or_what_a_login_is_kept_by() {
    let [password, held, read, stored] = ["Pw", "Hd", "Rd", "St"].map(canary);
    let words = [password.as_str(), &held, &read, &stored];
    // The search finds what it looks for: each way of writing, in the middle of other bytes.
    for word in words {
        let (folded, exact) = disguises(word);
        for way in folded.iter().chain(&exact) {
            assert!(found(word, &[b"before ", &way[..], b" after"].concat()).is_some());
        }
        assert!(found(word, STANDARD.encode(format!("{{\"p\":\"{word}\"}}")).as_bytes()).is_some());
    }
    assert!(found(&password, held.as_bytes()).is_none());

    let (site, legwork, logs) = (site(&held, &read, &stored), Legwork::new(), TempHome::new());
    let mut artefacts = Artefacts::default();
    let grant = format!("127.0.0.1:{}", site.port());
    let (secret, login) =
        (format!("pw=env:LEGWORK_TEST_SECRET@{}", site.here()), format!("shop@{}", site.here()));
    let args = [
        "--live",
        "--structured",
        "--log",
        "trace",
        "--secret",
        &secret,
        "--login",
        &login,
        "--allow-private",
        &grant,
    ];
    let start = |log: &str| {
        let log = fs::File::create(logs.path().join(log)).unwrap();
        Talk::logged_with(&legwork, &args, &[("LEGWORK_TEST_SECRET", &password)], log)
    };

    // Logged in by the secret; the page repeats it while it is typed, and the server after that.
    let mut one = kept(start("first.log"), &mut artefacts);
    one.open(&site.url("/"));
    let filled = one.act("textbox \"Password\"", json!({ "type": "fill", "value": { "secret": "pw" } }));
    assert_ne!(filled["isError"], true, "{filled}");
    assert_eq!(one.ask_everything(), Some(0), "what the page repeats is covered");
    let sent = one.act("button \"Log in\"", json!({ "type": "click" }));
    assert_ne!(sent["isError"], true, "{sent}");
    let logins = site.hits_of("/session");
    assert!(logins.len() == 1 && logins[0].body_text().contains(&password), "the server got it");
    assert_eq!(one.ask_everything(), Some(0), "what the page repeats is covered");
    assert!(one.last.contains("•••"), "it was there to be hidden: {}", one.last);

    // Dialogs, downloads, and a question to a person.
    one.act("button \"Tell\"", json!({ "type": "click" }));
    one.act("", json!({ "type": "handleDialog", "accept": false }));
    one.ask_everything();
    let got = one.act("link \"Get\"", json!({ "type": "click" }));
    assert!(got.to_string().contains("download"), "{got}");
    // An address that holds the secret is asked about.
    one.ask_everything();
    let far = one.act("link \"Far\"", json!({ "type": "click" }));
    assert!(text(&far).starts_with("SAFETY_CONFIRMATION_REQUIRED"), "{far}");
    one.ask_everything();
    let asked = one.act("button \"Place order\"", json!({ "type": "click" }));
    assert!(text(&asked).starts_with("SAFETY_CONFIRMATION_REQUIRED"), "{asked}");
    let id = named(&text(&asked), "approvalId:");
    let list = legwork.run(&["approvals", "--json"]);
    let list_of_all = list.json()["approvals"].clone();
    let question = list_of_all.as_array().unwrap().iter().find(|one| one["id"] == id.as_str()).unwrap();
    let address = question["url"].as_str().unwrap().to_owned();
    let entered = get_page(&address, None);
    let cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let page = get_page(address.split('?').next().unwrap(), Some(&cookie));
    assert!(page.status == 200 && page.body.contains("42.00"), "{page:?}");
    let picture = picture_of(address.split('?').next().unwrap(), &cookie).expect("the card has a picture");
    assert_eq!(picture.reds(0, 0, 1280, 720), 0, "what the page repeats is covered in the card too");
    let plain_list = legwork.run(&["approvals"]);
    // The end of its input is a no.
    let shown = legwork.run(&["approve", &id]);
    assert!(
        shown.stderr.contains("42.00") && plain_list.text().contains("/order"),
        "{shown:?} {plain_list:?}"
    );
    for ran in [list, plain_list, shown, legwork.run(&["deny", &id])] {
        one.artefacts.add("what is told to people", format!("{} {}", ran.text(), ran.stderr));
    }
    one.artefacts.add("the approval page", format!("{} {}", page.head, page.body));
    one.artefacts.add_folder(legwork.runtime.path());
    // The twin of the pictures above: red words that are no secret are seen.
    one.ask_everything();
    one.act("", json!({ "type": "navigate", "url": site.url("/control") }));
    assert!(one.ask_everything() > Some(100), "red letters are found where they are not covered");
    let missing = one
        .act("", json!({ "type": "navigate", "url": format!("{}?x={password}", site.url("/status/404")) }));
    assert!(!missing.is_null());
    one.call("browser_close", json!({}));
    assert_eq!(one.talk.end(), 0);

    // Another run is logged in already, by words that nobody typed.
    let mut two = kept(start("second.log"), &mut artefacts);
    two.open(&site.url("/"));
    assert!(two.last.contains("Welcome back"), "{}", two.last);
    assert_eq!(two.ask_everything(), Some(0), "cookies that the page shows are covered");
    assert_eq!(site.hits_of("/session").len(), 1);
    // It saves also when it just ends.
    assert_eq!(two.talk.end(), 0);

    let list = legwork.run(&["logins", "--json"]);
    assert_eq!(list.json()["logins"][0]["name"], "shop", "{list:?}");
    let spoken = legwork.run(&["logins"]);
    assert!(spoken.text().contains(&format!("shop  {}  saved ", site.here())), "{spoken:?}");
    let wrong = legwork.run(&[
        "mcp",
        "--login",
        &login,
        "--allow-private",
        &grant,
        "--login-key",
        "cmd:echo other-words-42",
    ]);
    wrong.refused("LOGIN_UNREADABLE", 1);
    for ran in [list, spoken, wrong] {
        artefacts.add("what is told of logins", format!("{} {}", ran.text(), ran.stderr));
    }
    for folder in [&legwork.home, &legwork.runtime, &legwork.data, &logs] {
        artefacts.add_folder(folder.path());
    }
    let names: String = artefacts.0.iter().map(|(what, _)| format!("{what}\n")).collect();
    for artefact in ["shop.login", "first.log", "second.log", "the answer of browser_screenshot"] {
        assert!(names.contains(artefact), "{artefact} was not searched: {names}");
    }
    let logged = fs::metadata(logs.path().join("first.log")).unwrap().len();
    assert!(logged > 1_000, "the log was talkative: {logged}");
    artefacts.assert_clean(&words);
    // What is planted is found.
    artefacts.add("planted", format!("x{}x", STANDARD.encode(&stored)));
    assert!(artefacts.0.iter().any(|(_, bytes)| found(&stored, bytes).is_some()));

    let forgotten = legwork.run(&["logins", "forget", "shop"]);
    assert_eq!(
        (forgotten.code, forgotten.text()),
        (Some(0), "shop: forgotten\n".to_owned()),
        "{forgotten:?}"
    );
    legwork.run(&["logins", "forget", "shop"]).refused("LOGIN_NOT_FOUND", 1);
    legwork.run(&["logins", "forget", "../key"]).refused("LOGIN_NOT_FOUND", 1);
    assert_eq!(legwork.run(&["logins"]).text(), "no login is saved\n");
    legwork.assert_clean();
}

/// A site that asks for a name, a password and a code, and repeats what it was sent, and the seed of the code.
fn site_with_codes(seed: String) -> Site {
    let login = "<!doctype html><title>Log in</title><form method=post action=/session><label>Password <input name=password type=password></label>
        <label>User <input name=user autocomplete=username></label> <label>One-time code <input name=code autocomplete=one-time-code></label>
        <button>Log in</button></form>";
    let session = post(move |body: String| {
        let mut page = echo(&field(&body, "password"), "You are in");
        for word in [field(&body, "user"), field(&body, "code"), seed.clone()] {
            page.push_str(&painted(&word));
        }
        async { Html(page) }
    });
    Site::builder().page("/", login).route("/session", session).start_blocking()
}

/// What a form sent in a field.
fn field(body: &str, name: &str) -> String {
    let mut pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned()).unwrap_or_default()
}

/// A file that nobody else may read.
fn private(path: &Path, text: &str) -> String {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(path).unwrap().write_all(text.as_bytes()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn no_artefact_holds_a_secret_of_a_file_or_a_command_nor_a_code_or_its_seed() {
    let [password, user] = ["Pw", "Us"].map(canary);
    // Letters of base32, as many as no page has by chance.
    let seed: String =
        canary("Sd").bytes().chain(canary("Sd").bytes()).map(|byte| char::from(b'A' + byte % 26)).collect();
    let (site, legwork, logs, hidden) =
        (site_with_codes(seed.clone()), Legwork::new(), TempHome::new(), TempHome::new());
    let grant = format!("127.0.0.1:{}", site.port());
    let here = site.here();
    let address = format!("otpauth://totp/Shop:me?secret={seed}&digits=8");
    let of_file = format!("pw=file:{}@{here}", private(&hidden.path().join("password"), &password));
    let of_command = format!("user=visible:cmd:printenv LEGWORK_TEST_USER@{here}");
    let of_seed = format!("code=totp:file:{}@{here}", private(&hidden.path().join("seed"), &address));
    let args = [
        ["--live", "--structured"],
        ["--log", "trace"],
        ["--secret", &of_file],
        ["--secret", &of_command],
        ["--secret", &of_seed],
        ["--allow-private", &grant],
    ]
    .concat();
    let log = fs::File::create(logs.path().join("codes.log")).unwrap();
    let mut artefacts = Artefacts::default();
    let mut one =
        kept(Talk::logged_with(&legwork, &args, &[("LEGWORK_TEST_USER", &user)], log), &mut artefacts);
    one.open(&site.url("/"));
    let [first, second, third] = ["textbox \"Password\"", "textbox \"User\"", "textbox \"One-time code\""]
        .map(|what| number(&one.last, what));
    let fields = json!([
        { "actionId": first, "value": { "secret": "pw" } },
        { "actionId": second, "value": { "secret": "user" } },
        { "actionId": third, "value": { "secret": "code" } },
    ]);
    let filled = one.act("", json!({ "type": "fillForm", "fields": fields }));
    assert_ne!(filled["isError"], true, "{filled}");
    assert_eq!(one.ask_everything(), Some(0));
    let sent = one.act("button \"Log in\"", json!({ "type": "click" }));
    assert_ne!(sent["isError"], true, "{sent}");
    let logins = site.hits_of("/session");
    let body = logins.first().unwrap().body_text().to_owned();
    let code = field(&body, "code");
    assert!(
        code.len() == 8 && body.contains(&password) && body.contains(&user),
        "the server got them: {body}"
    );
    assert_eq!(one.ask_everything(), Some(0), "what the page repeats is covered");
    assert!(one.last.matches("•••").count() > 8, "all were there to be hidden: {}", one.last);
    let asked = one.act("button \"Place order\"", json!({ "type": "click" }));
    assert!(text(&asked).starts_with("SAFETY_CONFIRMATION_REQUIRED"), "{asked}");
    for ran in [legwork.run(&["approvals", "--json"]), legwork.run(&["approvals"])] {
        assert!(ran.text().contains("/order"), "{ran:?}");
        one.artefacts.add("what is told to people", format!("{} {}", ran.text(), ran.stderr));
    }
    one.artefacts.add_folder(legwork.runtime.path());
    one.call("browser_close", json!({}));
    assert_eq!(one.talk.end(), 0);
    for folder in [&legwork.home, &legwork.runtime, &legwork.data, &logs] {
        artefacts.add_folder(folder.path());
    }
    let logged = fs::metadata(logs.path().join("codes.log")).unwrap().len();
    assert!(logged > 1_000, "the log was talkative: {logged}");
    artefacts.assert_clean(&[&password, &user, &code, &seed]);
    legwork.assert_clean();
}
