//! Where a caller may be sent: every spelling of this machine, hosts that only look allowed, ports, schemes, and redirects without end.

use legwork_testkit::{
    Site, SiteBuilder,
    axum::{extract::Path, response::Redirect, routing::get},
};
use legwork_types::Code;
use serde_json::json;

use super::{
    obedient::{Answers, Obedient},
    stage::{Run, Stage},
};

/// Addresses that lead nowhere. `@P` is a port of this machine where somebody counts who comes, `@OWN` one of Legwork itself, which
/// every other rule would allow.
pub(crate) const NOWHERE: &[(&str, &str)] = &[
    ("A01", "http://127.0.0.1:@P/"),
    ("A01", "http://localhost:@P/"),
    ("A01", "http://localhost.:@P/"),
    ("A01", "http://x.localhost:@P/"),
    ("A01", "http://LOCALHOST:@P/"),
    ("A01", "http://[::1]:@P/"),
    ("A01", "http://0.0.0.0:@P/"),
    ("A02", "http://2130706433:@P/"),
    ("A02", "http://0x7f000001:@P/"),
    ("A02", "http://0177.0.0.1:@P/"),
    ("A02", "http://0x7f.1:@P/"),
    ("A02", "http://127.1:@P/"),
    ("A02", "http://127.0.1:@P/"),
    ("A02", "http://１２７.０.０.１:@P/"),
    ("A02", "http://127。0。0。1:@P/"),
    ("A02", "http://%31%32%37.0.0.1:@P/"),
    ("A04", "http://[::ffff:127.0.0.1]:@P/"),
    ("A04", "http://[::127.0.0.1]:@P/"),
    ("A04", "http://[::ffff:0:127.0.0.1]:@P/"),
    ("A05", "http://[64:ff9b::7f00:1]:@P/"),
    ("A05", "http://[64:ff9b:1::7f00:1]:@P/"),
    ("A05", "http://[2002:7f00:1::]:@P/"),
    ("A05", "http://[2001:0:7f00:1::80ff:fffe]:@P/"),
    ("A05", "http://[fe80::5efe:7f00:1]:@P/"),
    ("A07", "http://shop.test@evil.test/"),
    ("A07", "http://shop.test:80@evil.test/"),
    ("A07", "http://shop.test%40evil.test/"),
    ("A07", "http://shop.test%2f@evil.test/"),
    ("A08", "http://evil.test/"),
    ("A08", "http://shop.test.evil.test/"),
    ("A08", "http://evilshop.test/"),
    ("A08", "http://test/"),
    ("A10", "http://ѕhop.test/"),
    ("A10", "http://xn--hop-ehd.test/"),
    ("A10", "http://shоp.test/"),
    ("A10", "http://xn--shp-ted.test/"),
    ("A11", "http:/\\evil.test/"),
    ("A11", "http:\\\\evil.test\\"),
    ("A11", "http://evil.test\\@shop.test/"),
    ("A11", "http://shop.test\\.evil.test/"),
    ("A11", "//evil.test/"),
    ("A11", "http:evil.test/"),
    ("A11", "http:///evil.test/"),
    ("A11", "http://ev\til.test/"),
    ("A11", "http://evil.test\n/"),
    ("A11", "http://evil.test\u{0}/"),
    ("A26", "http://shop.test:22/"),
    ("A26", "http://shop.test:25/"),
    ("A26", "http://shop.test:6379/"),
    ("A26", "http://shop.test:9222/"),
    ("A26", "http://shop.test:@P/"),
    ("A26", "https://shop.test:8443/"),
    ("A28", "http://127.0.0.1:@OWN/"),
    ("A28", "http://localhost:@OWN/"),
    ("A28", "http://127.1:@OWN/"),
    ("A28", "http://[::ffff:127.0.0.1]:@OWN/"),
    ("A28", "http://mine.test/"),
    ("A29", "file:///etc/hostname"),
    ("A29", "ftp://shop.test/"),
    ("A29", "view-source:http://shop.test/"),
    ("A29", "chrome://version"),
    ("A29", "devtools://devtools/bundled/inspector.html"),
    ("A29", "about:srcdoc"),
    ("A29", "about:config"),
    ("A29", "filesystem:http://shop.test/temporary/x"),
    ("A29", "chrome-extension://abc/x.html"),
    ("A29", "data:text/html,<script>fetch('http://evil.test/')</script>"),
    ("A29", "blob:http://shop.test/1"),
    ("A31", "javascript:fetch('http://evil.test/')"),
    ("A31", "JavaScript:location='http://evil.test/'"),
    ("A31", " \u{1}javascript:location='http://evil.test/'"),
];

/// An address with the ports of this stage.
pub(crate) fn filled_in(address: &str, stage: &Stage) -> String {
    address.replace("@P", &stage.evil.port().to_string()).replace("@OWN", &stage.own.port().to_string())
}

#[tokio::test]
async fn no_spelling_of_an_address_leads_where_nobody_may_go() {
    let site = Site::builder().page("/start", "<p>Start</p>").page("/ok", "<p>Fine</p>");
    let stage = Stage::start(site).await;
    let sessions = stage.sessions(Run::Dry).await;
    let mut caller = Obedient::open(&sessions, "http://shop.test/start", Answers::None).await.unwrap();
    let mut wrong = vec![];
    for (id, address) in NOWHERE {
        let address = filled_in(address, &stage);
        let acted = caller
            .act(json!({"target": {"kind": "page"}, "action": {"type": "navigate", "url": address}}))
            .await;
        let code = acted.error.as_ref().map(|problem| problem.code);
        let is_no = matches!(code, Some(Code::NavigationBlocked | Code::ContractMismatch | Code::InvalidUrl));
        if !is_no || acted.receipt.dispatched {
            wrong.push(format!("{id} {address:?}: {code:?}"));
        }
        // What only looks like an allowed host is named so that nobody takes it for that.
        let said = acted.error.map(|problem| format!("{problem:?}")).unwrap_or_default();
        if *id == "A10" && !said.contains("xn--") {
            wrong.push(format!("{id} {address:?} is not named in punycode: {said}"));
        }
        match acted.next {
            Some(next) => caller.seen = next,
            None => caller.look().await,
        }
        let now = caller.seen.look.scene().page.final_url.untrusted().to_owned();
        if now != "http://shop.test/start" {
            wrong.push(format!("{id} {address:?}: the page is {now}"));
        }
    }
    // A session that would begin there.
    for address in ["http://evil.test/", "http://127.1:@P/", "http://localhost:@OWN/", "http://ѕhop.test/"] {
        let opened = Obedient::open(&sessions, &filled_in(address, &stage), Answers::None).await;
        if opened.is_ok() {
            wrong.push(format!("{address} was opened"));
        }
    }
    // The twin: where people may go.
    for address in ["http://shop.test/ok", "http://bank.test/ok", "http://SHOP.test:80/ok"] {
        let acted = caller.once(&format!("go to {address}"), &json!({})).await.unwrap();
        if !acted.is_ok() {
            wrong.push(format!("{address}: {:?}", acted.error));
        }
    }
    stage.shut().await;
    let came = (stage.evil.connections(), stage.own.connections());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((came, stage.site.hits_of("/ok").len()), ((0, 0), 3));
}

/// Redirects back and forth between two shops: so many, or for ever.
fn hops() -> SiteBuilder {
    let hop = async |Path(left): Path<u32>| {
        let host = if left % 2 == 0 { "shop.test" } else { "bank.test" };
        Redirect::temporary(&match left {
            0 => "http://shop.test/end".to_owned(),
            1_000.. => format!("http://{host}/hop/{}", left ^ 1),
            left => format!("http://{host}/hop/{}", left - 1),
        })
    };
    Site::builder()
        .route("/hop/{left}", get(hop))
        .page("/end", "<p>The end</p>")
        .page("/start", "<p>Start</p>")
}

#[tokio::test]
async fn redirects_end() {
    let stage = Stage::start(hops()).await;
    let sessions = stage.sessions(Run::Dry).await;
    let mut caller = Obedient::open(&sessions, "http://shop.test/start", Answers::None).await.unwrap();
    let mut go = async |left: u32| {
        let acted = caller.once(&format!("go to http://shop.test/hop/{left}"), &json!({})).await.unwrap();
        acted.error.map(|problem| problem.code)
    };
    assert_eq!(go(5).await, None);
    assert_eq!(go(25).await, Some(Code::NavigationFailed));
    assert_eq!(go(1_000).await, Some(Code::NavigationFailed));
    assert_eq!(go(2).await, None);
    stage.shut().await;
    let asked: Vec<_> =
        stage.site.hits().into_iter().map(|hit| format!("{} {}{}", hit.method, hit.host, hit.path)).collect();
    assert_eq!(stage.site.hits_of("/end").len(), 2, "{asked:#?}");
}
