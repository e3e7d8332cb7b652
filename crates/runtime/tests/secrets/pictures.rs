//! Pictures of pages that paint a password in every way that HTML and CSS have for words: where it can't be covered, there is no picture.

use super::*;

/// What becomes of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Picture {
    Covered,
    KeptBack,
}
use Picture::{Covered, KeptBack};

/// How a page paints `v` in red: what it is, a page, a script that runs when something is typed.
const WAYS: &[(&str, Picture, &str, &str)] = &[
    ("as text", Covered, "<p id=a>", "a.textContent = v"),
    ("as text and in the place of a picture", Covered, "<p id=a></p><img id=b width=400 height=40>", "a.textContent = b.alt = v"),
    ("in the place of a picture of no size", Covered, "<p id=a></p><img id=b>", "a.textContent = b.alt = v"),
    ("as the title of a picture that is not there", Covered, "<img id=b src=/none width=400 height=40>", "b.title = b.alt = v"),
    ("before", Covered, "<style>#a::before { content: attr(data-p) }</style><p id=a>", "a.dataset.p = v"),
    ("after", Covered, "<style>#a::after { content: 'It is ' attr(data-p) '!' }</style><p id=a>", "a.dataset.p = v"),
    ("before the page", Covered, "<style>body::before { content: attr(data-p) }</style>", "document.body.dataset.p = v"),
    ("in two halves, before and behind", Covered, "<style>#a::before { content: attr(data-p) } #a::after { content: attr(data-q) }</style><p id=a>",
        "a.dataset.p = v.slice(0, 9); a.dataset.q = v.slice(9)"),
    ("half in the text, half after it", Covered, "<style>#a::after { content: attr(data-q) }</style><p id=a>",
        "a.textContent = v.slice(0, 9); a.dataset.q = v.slice(9)"),
    ("as a style", Covered, "<style id=s></style><p id=a>", "s.textContent = `#a::before { content: '${v}' }`"),
    ("as the sign of a list", Covered, "<ul><li id=a style='margin-left: 400px'></ul>", "a.style.listStyleType = JSON.stringify(v)"),
    ("as quotes", Covered, "<q id=a></q>", "a.style.quotes = `'${v}' ''`"),
    ("as a hint", Covered, "<style>::placeholder { color: red }</style><input id=a size=40>", "a.placeholder = v"),
    ("as a hint in an area", Covered, "<style>::placeholder { color: red }</style><textarea id=a cols=40></textarea>", "a.placeholder = v"),
    ("in a field", Covered, "<input id=a size=40 aria-label=Other>", "a.value = v"),
    ("in an area", Covered, "<textarea id=a cols=40>x</textarea>", "a.value = v"),
    ("as a choice", Covered, "<select id=a style='font-size: 20px'><option>x</select>", "a.options[0].textContent = v"),
    ("as the label of a choice", Covered, "<select id=a size=3><option>y</select>", "a.options[0].label = v"),
    ("as a group of choices", Covered, "<select size=3><optgroup id=a style='color: red'><option>y</select>", "a.label = v"),
    ("on a button", Covered, "<input type=button id=a value=x>", "a.value = v"),
    ("moving", Covered, "<marquee id=a scrollamount=2000 behavior=slide></marquee>", "a.textContent = v"),
    ("in a closed root", Covered, "<p id=a>", "(a.root ??= a.attachShadow({ mode: 'closed' })).innerHTML = `<b>${v}</b>`"),
    ("scrolled", Covered, "<p id=a style='margin-top: 900px'>", "a.textContent = v; scrollTo(0, 500)"),
    ("turned", Covered, "<p id=a style='transform: rotate(30deg); transform-origin: 0 0'>", "a.textContent = v"),
    ("beginning", Covered, "<p id=a>", "a.textContent = v.slice(0, 14) + '…'"),
    ("in a frame", Covered, "<iframe id=a width=600 height=100 style='filter: none'></iframe>", "a.srcdoc = `<p style='color: red'>${v}`"),
    ("before, in a frame", Covered, "<iframe id=a width=600 height=100></iframe>",
        "a.srcdoc = `<style>p::before { color: red; content: attr(id) }</style><p id='${v}'>`"),
    ("in a frame of another site", Covered, "<iframe id=a width=600 height=100 src='{{OTHER}}/told'></iframe>", "a.contentWindow.postMessage(v, '*')"),
    ("drawn", Covered, "<svg width=600 height=60><text id=a y=30 fill=red></text></svg>", "a.textContent = v"),
    ("drawn twice", Covered, "<svg width=600 height=60><text id=a y=30 fill=red></text></svg><svg width=600 height=60><use href=#a /></svg>", "a.textContent = v"),
    ("as a drawing", Covered, "<img id=a width=600 height=60>",
        "a.src = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='600' height='60'><text y='30' fill='red'>${v}</text></svg>`"),
    ("as a drawing behind", Covered, "<div id=a style='width: 600px; height: 60px'></div>",
        "a.style.backgroundImage = `url(\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='600' height='60'><text y='30' fill='red'>${v}</text></svg>\")`"),
    ("with a small shadow", Covered, "<p id=a style='text-shadow: 12px 12px 2px red'>", "a.textContent = v"),
    ("with a shadow far away", Covered, "<p id=a style='margin: 200px; text-shadow: 300px 0 red'>", "a.textContent = v"),
    ("with a shadow that is scaled", Covered, "<p id=a style='margin: 200px; transform: scale(1.5); text-shadow: 100px 90px red'>", "a.textContent = v"),
    ("with the shadow of what is around", Covered, "<div style='margin: 200px; filter: drop-shadow(300px 90px 0 red)'><p id=a></div>", "a.textContent = v"),
    ("with a filter of its own", KeptBack, "<svg height=0><filter id=f filterUnits=userSpaceOnUse x=0 y=0 width=900 height=600><feOffset dy=90 /></filter></svg><p id=a style='filter: url(#f)'>", "a.textContent = v"),
    ("mirrored", KeptBack, "<p id=a style='-webkit-box-reflect: below 90px'>", "a.textContent = v"),
    ("a field and its shadow", Covered, "<div style='filter: drop-shadow(0 90px 0 red)'><input id=a size=40 aria-label=Other></div>", "a.value = v"),
    ("a frame and its shadow", KeptBack, "<iframe id=a width=600 height=50 style='filter: drop-shadow(0 90px 0 red)'></iframe>", "a.srcdoc = `<p style='color: red'>${v}`"),
    ("in columns", KeptBack, "<div id=a style='columns: 3; height: 20px; width: 900px'></div>", "a.textContent = 'a '.repeat(60) + v"),
    ("as a pattern", KeptBack, "<svg width=600 height=200><pattern id=p width=600 height=60 patternUnits=userSpaceOnUse><text id=a y=30 fill=red></text></pattern>
        <rect y=100 width=600 height=90 fill='url(#p)' /></svg>", "a.textContent = v"),
    ("where words are broken", KeptBack, "<p id=a lang=en style='width: 40px; hyphens: manual'>abc&shy;defghi&shy;jkl&shy;mnop</p>", "a.style.hyphenateCharacter = `'${v}'`"),
];

fn page((_, _, shown, script): &(&str, Picture, &str, &str)) -> String {
    format!(
        "<!doctype html><title>Log in</title><style>body, input, textarea, select, button {{ color: red; font: 16px sans-serif }} label {{ color: black }}</style>
        <form method=post action=/session><label>Password <input id=pw name=password type=password style='color: black'></label></form>
        {shown}
        <script>pw.oninput = () => {{ const v = pw.value; {script} }}</script>"
    )
}

fn site() -> SiteBuilder {
    let pages = WAYS.iter().enumerate();
    let echo = "<!doctype html><style>p::before { color: red; content: attr(id) }</style><p><script>onmessage = ({ data }) => document.querySelector('p').id = data</script>";
    pages.fold(Site::builder().page("/told", echo), |site, (at, way)| site.page(&format!("/{at}"), page(way)))
}

/// Goes to a page and types the password there.
async fn typed(bench: &Bench, session: &SessionId, url: &str, value: &Value) {
    let call = json!({"target": {"kind": "page"}, "action": {"type": "navigate", "url": url}});
    let went = bench.act(&bench.look(session).await, call).await;
    assert!(went.error.is_none(), "{:?}", went.error);
    let seen = went.next.unwrap();
    let fill = on(number(&seen, "Password"), json!({"type": "fill", "value": value}));
    let acted = bench.act(&seen, fill).await;
    assert!(acted.error.is_none(), "{:?}", acted.error);
}

#[tokio::test]
async fn no_picture_shows_a_password_however_it_is_painted() {
    let site = site().start().await;
    let bench = Bench::with(&site, "", &[&site.here()], reach(&site, &[])).await;
    let session = bench.open(&site.url("/told")).await.look.session().clone();
    let mut wrong = vec![];
    for (at, (what, expected, ..)) in WAYS.iter().enumerate() {
        typed(&bench, &session, &site.url(&format!("/{at}")), &json!({"secret": "pw"})).await;
        match bench.picture(&session).await {
            Ok(jpeg) => {
                let seen = reds(&jpeg);
                if seen > 0 || *expected == KeptBack {
                    wrong.push(format!("{what}: a picture with {seen} red pixels"));
                }
            }
            Err(problem) => {
                assert_eq!(problem.code, Code::SecretRefused, "{problem}");
                if *expected == Covered {
                    wrong.push(format!("{what}: no picture"));
                }
            }
        }
    }
    bench.sessions.shut().await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn each_of_these_ways_would_be_seen() {
    // The twin of the test above: what is not seen there could have been seen.
    let site = site().start().await;
    let bench = Bench::over(&site, Vault::default(), reach(&site, &[]));
    let session = bench.open(&site.url("/told")).await.look.session().clone();
    let mut wrong = vec![];
    for (at, (what, ..)) in WAYS.iter().enumerate() {
        typed(&bench, &session, &site.url(&format!("/{at}")), &json!(CANARY)).await;
        let seen = reds(&bench.picture(&session).await.unwrap());
        if seen < 50 {
            wrong.push(format!("{what}: {seen} red pixels"));
        }
    }
    bench.sessions.shut().await;
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn an_ordinary_page_has_its_picture_after_a_password_was_typed() {
    let ordinary = "<!doctype html><title>Account</title>
        <style>h1 { color: red; text-shadow: 0 1px 2px #888 } .icon::before { content: '→' } nav { columns: 2 } img { filter: drop-shadow(0 0 4px black) }</style>
        <h1 class=icon>Your account</h1><nav><a href=/orders>Orders</a> <a href=/logout>Log out</a></nav>
        <svg width=20 height=20><symbol id=s><text y=15>x</text></symbol><use href=#s /></svg>
        <img alt='A cup of coffee' width=100 height=50><form><input placeholder=Search><select><option>English</select></form>
        <iframe srcdoc='<p>An offer' width=200 height=50></iframe>";
    let login = login("/session", "")
        .replace("<title>", "<style>button { color: red; font-size: 40px }</style><title>");
    let session_page = post(move || async move { Html(ordinary) });
    let site = Site::builder().page("/login", login).route("/session", session_page).start().await;
    let bench = Bench::with(&site, "", &[&site.here()], reach(&site, &[])).await;
    let session = bench.open(&site.url("/login")).await.look.session().clone();
    typed(&bench, &session, &site.url("/login"), &json!({"secret": "pw"})).await;
    assert!(reds(&bench.picture(&session).await.unwrap()) > 50, "the page around the field is shown");
    let seen = bench.look(&session).await;
    let sent = bench.act(&seen, on(number(&seen, "Log in"), json!({"type": "click"}))).await;
    assert!(sent.error.is_none(), "{:?}", sent.error);
    assert!(reds(&bench.picture(&session).await.unwrap()) > 200, "nothing of it is covered");
    bench.sessions.shut().await;
}
