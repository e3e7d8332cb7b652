//! Saved logins with a real Chromium: a session that logs in, another browser that is logged in already, and nothing of it told.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use legwork_policy::logins::{KEY_BYTES, SavedState, SealKey, open};
use legwork_runtime::{
    BrowserSource, Caller, CancellationToken, KeeperEvent, LaunchOptions, Logins, OpenRequest, Reach, Seen,
    SessionSettings, Sessions, Vault, WireSettings,
};
use legwork_testkit::{
    Site,
    axum::{
        http::{HeaderMap, header},
        response::{AppendHeaders, Html},
        routing::{get, post},
    },
};
use legwork_types::{
    PageUrl,
    contract::{ActRequest, SessionId},
};
use serde_json::json;

const PASSWORD: &str = "Xy7-canary-Plugh.42";
/// What the site keeps in a cookie that scripts can't read, in one that they can, and in storage.
const HELD: &str = "4f1c-canary-9a02be77d1";
const READ: &str = "7e2b-canary-83cc10ff5a";
const STORED: &str = "eyJ-canary-5d0b61e2c49f";
const CANARIES: [&str; 4] = [PASSWORD, HELD, READ, STORED];

/// Whoever comes with both cookies is logged in; the page shows all that its scripts can read.
const HOME: &str = "<!doctype html><title>Shop</title><h1>Welcome back</h1><p id=out>
    <script>out.textContent = document.cookie + ' ' + localStorage.token + ' kept ' + (localStorage.kept ?? 'nothing');
    localStorage.kept = 'something'</script>";

const LOGIN: &str = "<!doctype html><title>Log in</title><form method=post action=/session>
    <label>Password <input name=password type=password></label><button>Log in</button></form>";

async fn site() -> Site {
    let home = get(|headers: HeaderMap| async move {
        let cookies: Vec<_> =
            headers.get_all(header::COOKIE).iter().filter_map(|one| one.to_str().ok()).collect();
        let cookies = cookies.join("; ");
        Html(if cookies.contains(HELD) && cookies.contains(READ) { HOME } else { LOGIN })
    });
    let session = post(|| async {
        let set = |text: String| (header::SET_COOKIE, text);
        let cookies = AppendHeaders([
            set(format!("held={HELD}; Path=/; HttpOnly; SameSite=Strict; Max-Age=3600")),
            set(format!("read={READ}; Path=/")),
            set("gone=soon; Path=/; Max-Age=1".to_owned()),
            set("theme=dark; Path=/; Max-Age=3600; SameSite=Lax".to_owned()),
        ]);
        let page = format!(
            "<!doctype html><title>In</title><script>localStorage.token = '{STORED}'</script><h1>You are in</h1><a href='{{{{OTHER}}}}'>x</a>"
        );
        (cookies, Html(page))
    });
    Site::builder().route("/", home).route("/session", session).start().await
}

struct Bench {
    sessions: Sessions,
    caller: Caller,
    never: CancellationToken,
    browsers: Arc<Mutex<Vec<u32>>>,
}

impl Bench {
    async fn with(site: &Site, folder: &Path) -> Self {
        let reach = Reach { private: site.grants(), ..Reach::default() };
        let specs = [format!("shop@{}", site.here()).parse().unwrap()];
        let logins = Logins::load_in(folder.to_owned(), &specs, None, &reach).await.unwrap();
        let secret = format!("pw=cmd:echo {PASSWORD}@{}", site.here()).parse().unwrap();
        let vault = Vault::load(&[secret], &reach).await.unwrap();
        let settings = SessionSettings {
            navigation: Duration::from_secs(120),
            wire: Arc::new(WireSettings { reach, ..WireSettings::default() }),
            vault: Arc::new(vault),
            logins: Arc::new(logins),
            ..SessionSettings::default()
        };
        let browsers = Arc::new(Mutex::new(Vec::new()));
        let started = browsers.clone();
        let sessions =
            Sessions::new(BrowserSource::Launch(LaunchOptions::default()), settings, move |event| {
                if let KeeperEvent::Started { pid: Some(pid), .. } = event {
                    started.lock().unwrap().push(pid);
                }
            });
        Self { sessions, caller: Caller::new("me"), never: CancellationToken::new(), browsers }
    }

    async fn open(&self, url: &str) -> Seen {
        let request = OpenRequest { url: Some(PageUrl::parse(url).unwrap()), ..OpenRequest::default() };
        self.sessions.open(&self.caller, request, &self.never).await.unwrap().seen
    }

    /// The words of the page, none of which may be a canary.
    async fn read(&self, session: &SessionId) -> String {
        let words = self.sessions.read(&self.caller, session, None, 10_000, &self.never).await.unwrap();
        assert!(!words.contains("canary"), "{words}");
        words
    }

    async fn act(&self, seen: &Seen, target: &str, action: serde_json::Value) -> Seen {
        let items = &seen.look.scene().items;
        let number = items.iter().find(|item| item.affordance.name.untrusted() == target);
        let target = match number {
            Some(item) => json!({"kind": "element", "actionId": item.affordance.action_id}),
            None => json!({"kind": "page"}),
        };
        let call = json!({"sessionId": seen.look.session().0, "observationId": seen.look.id().0, "target": target, "action": action});
        let request: ActRequest = serde_json::from_value(call).unwrap();
        let acted = self.sessions.act(&self.caller, request, &self.never).await;
        assert!(acted.error.is_none(), "{:?}", acted.error);
        acted.next.unwrap()
    }
}

/// What is in the saved file, for who has the key.
fn inside(folder: &Path) -> SavedState {
    let key: [u8; KEY_BYTES] = fs::read(folder.join("key")).unwrap().try_into().unwrap();
    let file = fs::read(folder.join("shop.login")).unwrap();
    open(&file, "shop", &SealKey::of_bytes(key.into())).unwrap().1
}

#[tokio::test]
async fn who_logged_in_once_is_logged_in_in_another_browser_and_nothing_of_it_is_told() {
    let site = site().await;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("logins");
    let logins_so_far = || site.hits_of("/session").len();

    // A session logs in, and picks up a cookie of another site on its way.
    let bench = Bench::with(&site, &folder).await;
    let seen = bench.open(&site.url("/")).await;
    let seen = bench.act(&seen, "Password", json!({"type": "fill", "value": {"secret": "pw"}})).await;
    let seen = bench.act(&seen, "Log in", json!({"type": "click"})).await;
    assert_eq!(logins_so_far(), 1);
    let there = site.other_url("/cookie/set?name=elsewhere&value=7d5e-canary-of-another-9b");
    let seen = bench.act(&seen, "", json!({"type": "navigate", "url": there})).await;
    // What came about in this very session is hidden in it too.
    let seen = bench.act(&seen, "", json!({"type": "navigate", "url": site.url("/")})).await;
    assert!(bench.read(seen.look.session()).await.contains("Welcome back"));
    assert!(!format!("{:?}", seen.look).contains(READ));
    bench.sessions.close(&bench.caller, seen.look.session()).await.unwrap();
    let saved = inside(&folder);
    let names: Vec<&str> = saved.cookies.iter().map(|cookie| &*cookie.name).collect();
    assert!(["held", "read", "theme"].iter().all(|name| names.contains(name)), "{names:?}");
    assert!(saved.cookies.iter().all(|cookie| cookie.domain == "127.0.0.1"), "{saved:?}");
    assert_eq!(saved.storage.len(), 1);
    let held = saved.cookies.iter().find(|cookie| cookie.name == "held").unwrap();
    assert_eq!(
        (held.http_only, held.same_site.as_deref(), held.expires.is_some()),
        (true, Some("Strict"), true)
    );
    bench.sessions.shut().await;

    // Another browser: logged in from its first page, with nothing typed.
    let first_visits = site.hits_of("/").len();
    let bench = Bench::with(&site, &folder).await;
    let seen = bench.open(&site.url("/")).await;
    let words = bench.read(seen.look.session()).await;
    assert!(words.contains("Welcome back") && words.contains("kept something"), "{words}");
    assert!(words.contains("•••"), "the page shows its cookie and its storage: {words}");
    assert_eq!(
        (logins_so_far(), site.hits_of("/").len()),
        (1, first_visits + 1),
        "no server was asked for storage"
    );
    let visit = site.hits_of("/").pop().unwrap();
    let cookies = visit.header("cookie").unwrap_or_default().to_owned();
    assert!(CANARIES[1..3].iter().all(|canary| cookies.contains(canary)), "{cookies}");
    let list = format!("{:?}", bench.sessions.list(&bench.caller).await);
    let tabs = bench.sessions.tabs(&bench.caller, seen.look.session(), &bench.never).await.unwrap();
    for told in [format!("{:?}", seen.look), format!("{tabs:?}"), list] {
        assert!(CANARIES.iter().all(|canary| !told.contains(canary)), "{told}");
    }
    // The site that is not in the name has nothing to show for it.
    let elsewhere = bench.open(&site.other_url("/cookie/show")).await;
    assert!(!site.hits_of("/cookie/show").pop().unwrap().headers.contains_key("cookie"));
    bench.sessions.close(&bench.caller, elsewhere.look.session()).await.unwrap();

    // A browser that is killed takes nothing of it along.
    let before = fs::read(folder.join("shop.login")).unwrap();
    let pid = bench.browsers.lock().unwrap()[0];
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    bench.sessions.shut().await;
    assert_eq!(fs::read(folder.join("shop.login")).unwrap(), before);

    // Nothing that lies in the folder shows a value.
    for entry in fs::read_dir(&folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
    }

    // Forgotten: the next one has to log in again.
    fs::remove_file(folder.join("shop.login")).unwrap();
    let bench = Bench::with(&site, &folder).await;
    let seen = bench.open(&site.url("/")).await;
    assert!(bench.read(seen.look.session()).await.contains("Log in"));
    bench.sessions.shut().await;
    assert!(!folder.join("shop.login").exists(), "a session that was never logged in saves nothing");
}
