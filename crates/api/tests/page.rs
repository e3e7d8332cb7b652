//! The approval page as it stands on the wire: who sees a question, and who may answer it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{sync::Arc, time::Duration};

use legwork_api::ApprovalPage;
use legwork_runtime::{
    Approval, Approvals, CancellationToken, Card, CardField, FieldPlace, Question, Standing, USUAL_LIFE,
};
use legwork_types::contract::SessionId;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
};

/// A page with one question, and whoever serves it.
struct Bench {
    desk: Arc<Approvals>,
    port: u16,
    _serving: JoinSet<()>,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    /// The cookie that was given, as it is shown again.
    fn cookie(&self) -> String {
        self.header("set-cookie").expect("a cookie").split(';').next().unwrap().to_owned()
    }

    fn token(&self) -> String {
        let (_, rest) = self.body.split_once("name=\"token\" value=\"").expect("a token");
        rest.split('"').next().unwrap().to_owned()
    }
}

impl Bench {
    async fn open(life: Duration) -> Self {
        let page = ApprovalPage::bind().await.unwrap();
        let (port, desk) = (page.port(), Arc::new(Approvals::new(life)));
        desk.answered_at(page.url_of());
        let mut serving = JoinSet::new();
        serving.spawn(page.serve(desk.clone(), CancellationToken::new()));
        Self { desk, port, _serving: serving }
    }

    fn ask(&self) -> Arc<Approval> {
        let field = |name: &str, value: &str| CardField {
            name: name.into(),
            value: value.into(),
            place: FieldPlace::Form,
            is_account: false,
        };
        let card = Card {
            method: "POST".into(),
            origin: "https://xn--pypal-4ve.example".into(),
            path: "/order".into(),
            amounts: vec!["total: 42.00".into()],
            fields: vec![field("name", "<img src=x onerror=alert(1)>"), field("to", "a\u{202e}b")],
            opaque: vec!["csrf".into()],
            reasons: vec!["the button says \"order\"".into()],
            ..Card::default()
        };
        let question = Question {
            session: SessionId("s1".into()),
            act: Some("click button \"Place <b>order</b>\"".into()),
            page: "https://shop.example/checkout".into(),
            card,
            said: Some("opens the help page".into()),
            offers_errand: false,
        };
        let approval = self.desk.ask(question, || ());
        approval.show(b"\xff\xd8\xff\xe0 a picture".to_vec());
        approval
    }

    async fn raw(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut all = Vec::new();
        // Who is turned away may be so before all is read.
        let _ = stream.read_to_end(&mut all).await;
        let all = String::from_utf8_lossy(&all).into_owned();
        let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    async fn get(&self, path: &str, cookie: &str) -> Reply {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {cookie}\r\n\r\n", self.port))
            .await
    }

    async fn post(&self, path: &str, headers: &str, body: &str) -> Reply {
        let length = body.len();
        self.raw(&format!("POST {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}")).await
    }

    /// The headers that our own page sends.
    fn usual(&self, cookie: &str) -> String {
        let here = format!("127.0.0.1:{}", self.port);
        format!(
            "Host: {here}\r\nOrigin: http://{here}\r\nContent-Type: application/x-www-form-urlencoded\r\nCookie: {cookie}\r\n"
        )
    }

    /// Shows the code; the cookie and the token of the page that comes then.
    async fn enter(&self, approval: &Approval) -> (String, String) {
        let entered = self.get(&format!("/approve/{}?code={}", approval.id, approval.code), "").await;
        assert_eq!(
            (entered.status, entered.header("location")),
            (303, Some(&*format!("/approve/{}", approval.id)))
        );
        let cookie = entered.cookie();
        let page = self.get(&format!("/approve/{}", approval.id), &cookie).await;
        assert_eq!(page.status, 200);
        (cookie, page.token())
    }
}

#[tokio::test]
async fn nothing_of_a_question_is_seen_without_its_code() {
    let bench = Bench::open(USUAL_LIFE).await;
    let (approval, other) = (bench.ask(), bench.ask());
    let path = format!("/approve/{}", approval.id);
    for path in [path.as_str(), "/approve/a0", "/"] {
        let reply = bench.get(path, "").await;
        for part in ["42.00", "/order", "Place", "xn--", "picture", &approval.code] {
            assert!(!reply.body.contains(part), "{part} in {}", reply.body);
        }
        assert_eq!(reply.status, 200);
        let policy = reply.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "img-src 'self'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    assert_eq!(bench.get(&format!("{path}/picture"), "").await.status, 404);
    assert_eq!(bench.get(&format!("{path}?code={}", other.code), "").await.status, 403);
    assert_eq!(bench.get("/approve/..%2f", "").await.status, 404);

    let (cookie, _) = bench.enter(&approval).await;
    let entered = bench.get(&format!("{path}?code={}", approval.code), "").await;
    let given = entered.header("set-cookie").unwrap();
    assert!(
        given.contains("HttpOnly; SameSite=Strict") && given.contains(&format!("Path={path};")),
        "{given}"
    );
    let page = bench.get(&path, &cookie).await.body;
    for part in [
        "click button &quot;Place &lt;b&gt;order&lt;/b&gt;&quot;",
        "https://shop.example/checkout",
        "https://xn--pypal-4ve.example",
        "42.00",
        "&lt;img src=x onerror=alert(1)&gt;",
        "a\\u{202e}b",
        "csrf",
        "The agent says",
        "opens the help page",
        "own words",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<img src=x") && !page.contains('\u{202e}') && !page.contains(&approval.code));
    let picture = bench.get(&format!("{path}/picture"), &cookie).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/jpeg")));
    // The cookie of one question opens no other.
    let elsewhere = bench.get(&format!("/approve/{}", other.id), &cookie).await.body;
    assert!(elsewhere.contains("Enter the code"));
    let value = cookie.split_once('=').unwrap().1;
    let renamed = format!("legwork-{}={value}", other.id);
    assert!(bench.get(&format!("/approve/{}", other.id), &renamed).await.body.contains("Enter the code"));
    // Led here by a page of elsewhere, the browser would not show the cookie on a redirect.
    let led = format!(
        "GET {path}?code={} HTTP/1.1\r\nHost: localhost:{}\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        approval.code, bench.port
    );
    let led = bench.raw(&led).await;
    assert!(led.status == 200 && led.body.contains("http-equiv=\"refresh\"") && !led.body.contains("42.00"));
    assert!(!led.cookie().is_empty());
}

#[tokio::test]
async fn only_our_own_page_may_answer_and_only_yes_is_yes() {
    let bench = Bench::open(USUAL_LIFE).await;
    let (approval, other) = (bench.ask(), bench.ask());
    let (cookie, token) = bench.enter(&approval).await;
    let (other_cookie, other_token) = bench.enter(&other).await;
    let path = format!("/approve/{}/answer", approval.id);
    let yes = format!("answer=yes&token={token}");
    let usual = bench.usual(&cookie);
    let here = format!("127.0.0.1:{}", bench.port);
    let origin = format!("Origin: http://{here}\r\n");
    for (headers, body, status) in [
        (usual.replacen(&here, "evil.test", 1), yes.as_str(), 403),
        (usual.replace(&origin, ""), &yes, 403),
        (usual.replace(&origin, "Origin: null\r\n"), &yes, 403),
        (usual.replace(&origin, "Origin: http://evil.test\r\n"), &yes, 403),
        (usual.replace(&origin, &format!("Origin: http://127.0.0.1:{}\r\n", bench.port ^ 1)), &yes, 403),
        (usual.replace(&cookie, "x=y"), &yes, 403),
        (usual.replace(&cookie, &other_cookie), &yes, 403),
        (usual.clone(), "answer=yes&token=", 403),
        (usual.clone(), &format!("answer=yes&token={other_token}"), 403),
        (usual.clone(), "answer=yes", 400),
        (usual.clone(), &format!("answer=no&answer=yes&token={token}"), 400),
        (usual.clone(), &format!("answer=Yes&token={token}"), 400),
        (usual.clone(), &format!("answer=&token={token}"), 400),
        (usual.clone(), &format!("answer=true&token={token}"), 400),
        (usual.clone(), &format!("answer=errand&token={token}"), 400),
        (usual.replace("application/x-www-form-urlencoded", "text/plain"), &yes, 415),
        (usual.replace("application/x-www-form-urlencoded", "application/json"), &yes, 415),
        (usual.clone(), &format!("{yes}&more={}", "x".repeat(10_000)), 400),
    ] {
        let reply = bench.post(&path, &headers, body).await;
        assert_eq!(reply.status, status, "{headers}{body}: {}", reply.body);
        assert_eq!(bench.desk.standing(&approval.id), Standing::Waiting, "{headers}{body}");
        assert!(reply.header("content-security-policy").is_some());
    }
    let get = bench.get(&format!("{path}?{yes}"), &cookie).await;
    assert_eq!((get.status, bench.desk.standing(&approval.id)), (405, Standing::Waiting));

    let answered = bench.post(&path, &usual, &yes).await;
    assert_eq!((answered.status, bench.desk.standing(&approval.id)), (303, Standing::Approved));
    let second = bench.post(&path, &usual, &format!("answer=no&token={token}")).await;
    assert_eq!((second.status, bench.desk.standing(&approval.id)), (409, Standing::Approved));
    assert!(second.body.contains("approved before"), "{}", second.body);
    let page = bench.get(&format!("/approve/{}", approval.id), &cookie).await.body;
    assert!(page.contains("<h1>Approved</h1>") && !page.contains("<button"), "{page}");
    // With the decision the code has done its work.
    let again = bench.get(&format!("/approve/{}?code={}", approval.id, approval.code), "").await;
    assert!(again.status == 410 && again.header("set-cookie").is_none(), "{}", again.head);

    let path = format!("/approve/{}/answer", other.id);
    let no = bench.post(&path, &bench.usual(&other_cookie), &format!("answer=no&token={other_token}")).await;
    assert_eq!((no.status, bench.desk.standing(&other.id)), (303, Standing::Denied));
}

#[tokio::test]
async fn a_yes_for_the_errand_is_given_where_it_is_offered() {
    let bench = Bench::open(USUAL_LIFE).await;
    let question = Question { offers_errand: true, ..bench.ask().question.clone() };
    let approval = bench.desk.ask(question, || ());
    let (cookie, token) = bench.enter(&approval).await;
    let page = bench.get(&format!("/approve/{}", approval.id), &cookie).await.body;
    assert!(page.contains("value=\"errand\">Approve, also from now on</button>"), "{page}");
    let path = format!("/approve/{}/answer", approval.id);
    let answered = bench.post(&path, &bench.usual(&cookie), &format!("answer=errand&token={token}")).await;
    assert_eq!((answered.status, bench.desk.standing(&approval.id)), (303, Standing::Approved));
}

#[tokio::test]
async fn wrong_codes_are_slowed_down_and_the_owner_is_not_kept_out() {
    let bench = Bench::open(USUAL_LIFE).await;
    let (approval, other) = (bench.ask(), bench.ask());
    let path = format!("/approve/{}/code", approval.id);
    let usual = bench.usual("");
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(bench.post(&path, &usual, "code=wrong").await.status);
    }
    assert_eq!(statuses, [403, 403, 403, 403, 429, 429]);
    let slowed = bench.post(&path, &usual, "code=wrong").await;
    assert!(slowed.status == 429 && slowed.header("retry-after").is_some());
    // Whoever knows the code comes in while somebody guesses, typed or by its address.
    let by_address = format!("/approve/{}?code={}", approval.id, approval.code);
    assert!(bench.get(&by_address, "").await.header("set-cookie").is_some());
    let owner = bench.post(&path, &usual, &format!("code={}", approval.code)).await;
    assert_eq!(owner.status, 303);
    assert!(bench.get(&format!("/approve/{}", approval.id), &owner.cookie()).await.body.contains("Approve"));
    // Other questions are not slowed down by that.
    let path = format!("/approve/{}/code", other.id);
    let typed = bench.post(&path, &usual, &format!("code=+{}+", other.code)).await;
    assert_eq!(typed.status, 303);
    assert!(bench.get(&format!("/approve/{}", other.id), &typed.cookie()).await.body.contains("Approve"));
    let foreign = usual.replace(&format!("http://127.0.0.1:{}", bench.port), "http://evil.test");
    assert_eq!(bench.post(&path, &foreign, &format!("code={}", other.code)).await.status, 403);
}

#[tokio::test]
async fn a_question_that_is_too_old_is_not_answered() {
    let bench = Bench::open(Duration::ZERO).await;
    let approval = bench.ask();
    let late = bench.get(&format!("/approve/{}?code={}", approval.id, approval.code), "").await;
    assert_eq!((late.status, bench.desk.standing(&approval.id)), (410, Standing::Expired));
    assert!(late.body.contains("not answered in time"));
}

#[tokio::test]
async fn foreign_hosts_and_great_heads_are_turned_away() {
    let bench = Bench::open(USUAL_LIFE).await;
    for host in ["evil.test", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test"] {
        let reply = bench.raw(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
        assert_eq!(reply.status, 403, "{host}");
    }
    assert_eq!(bench.raw("GET / HTTP/1.1\r\n\r\n").await.status, 403);
    let great =
        format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX: {}\r\n\r\n", bench.port, "x".repeat(100_000));
    assert!([0, 431].contains(&bench.raw(&great).await.status));
    let ok = bench.raw(&format!("GET / HTTP/1.1\r\nHost: LOCALHOST:{}\r\n\r\n", bench.port)).await;
    assert_eq!(ok.status, 200);
}
