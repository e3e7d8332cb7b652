//! Pages that keep whoever comes: by scripts without end, by loading themselves again and again, by taking all memory, by a service
//! worker that answers for the server. Each is told for what it is, and the next page opens.

use super::*;

const SHORT: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_click_that_begins_an_endless_script_ends_with_its_tab() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/endless_script_on_click.html").await;
    let pressed = act::click_within(&stage, "Hang", &Limit::within(SHORT)).await;
    assert_eq!(tab.gone(), Some(Gone::Unresponsive), "{pressed:?}");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn microtasks_without_end_are_an_endless_script() {
    let page = "<title>Microtasks</title><script>const again = () => Promise.resolve().then(again); again()</script>";
    let stage = Stage::with(Site::builder().page("/microtasks.html", page).start().await, &[]).await;
    let hung = stage.goes_to("/microtasks.html", SHORT).await;
    assert!(matches!(hung, Err(BrowserError::TabGone { gone: Gone::Unresponsive, .. })), "{hung:?}");
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_worker_without_end_hinders_nobody() {
    let page = "<title>Worker</title><button onclick=\"document.title = 'Pressed'\">Press</button><script>\
        const endless = new Blob([\"postMessage('begun'); for (;;);\"]);\
        new Worker(URL.createObjectURL(endless)).onmessage = () => fetch('/begun')</script>";
    let stage = Stage::with(Site::builder().page("/worker.html", page).start().await, &[]).await;
    let tab = stage.at("/worker.html").await;
    until("the worker is at it", async || !stage.site.hits_of("/begun").is_empty()).await;
    act::click(&stage, "Press").await.expect("the page can be used");
    assert_eq!(read::<String>(&tab, "document.title").await, "Pressed");
    assert!(tab.screenshot(&soon()).await.is_ok());
    stage.still_works().await;
    assert_eq!(tab.gone(), None);
    stage.end().await;
}

#[tokio::test]
async fn pages_that_load_themselves_again_and_again_are_hostile() {
    let site = Site::builder()
        .page("/script.html", "<title>Again</title><script>location.reload()</script>")
        .page("/refresh.html", "<title>Again</title><meta http-equiv=refresh content=0>");
    let stage = Stage::with(site.start().await, &[]).await;
    let tabs = [stage.tab().await, stage.context.new_tab(&soon()).await.unwrap()];
    let pages = [stage.page("/script.html"), stage.page("/refresh.html")];
    // Either may well be there for a moment.
    let (limit, [first, second]) = (soon(), &tabs);
    let _arrived = tokio::join!(first.navigate(&pages[0], &limit), second.navigate(&pages[1], &limit));
    until("both are told for what they are", async || {
        tabs.iter().all(|tab| tab.gone() == Some(Gone::Hostile("redirects without end")))
    })
    .await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn memory_that_a_page_takes_beside_its_objects_harms_nobody_else() {
    let stage = Stage::alone().await;
    stage.at("/pages/plain.html").await;
    let held = data_limits(stage.browser.pid().unwrap());
    assert!(held.len() >= 4, "{held:?}");
    for (_, both) in &held {
        let (soft, hard) = both.split_once(' ').unwrap();
        let bytes = soft.parse::<u64>().expect("each has a limit");
        assert!(soft == hard && (2 << 30..=8 << 30).contains(&bytes), "{held:?}");
    }
    let canvas = |width: u32, height: u32| {
        format!(
            "const canvas = document.body.appendChild(document.createElement('canvas'));\
            canvas.width = {width}; canvas.height = {height}; const brush = canvas.getContext('2d');\
            brush.fillRect(0, 0, {width}, {height}); brush.getImageData(0, 0, 1, 1)"
        )
    };
    let bombs = [
        // Only so much is really taken that the machine of the test can bear it.
        "const all = []; for (let n = 0; n < 32; n++) { all.push(new WebAssembly.Memory({initial: 1}));\
            all[n].grow(255); new Uint8Array(all[n].buffer).fill(1) }"
            .to_owned(),
        "const all = []; for (;;) all.push(new WebAssembly.Memory({initial: 65536}))".to_owned(),
        canvas(30_000, 30_000),
        canvas(30_000, 4_000),
    ];
    for bomb in bombs {
        let tab = stage.at("/pages/plain.html").await;
        let outcome = gesture(&tab, &bomb).await;
        let picture = tab.screenshot(&soon()).await;
        assert!(
            picture.is_ok() || tab.gone().is_some_and(Gone::has_crashed),
            "{bomb}: {outcome:?}, {picture:?}"
        );
    }
    stage.still_works().await;
    stage.end().await;
}

/// How much memory of its own each process of a browser may take, as the system says: its helpers and itself.
fn data_limits(browser: u32) -> Vec<(u32, String)> {
    let limit = |pid: u32| {
        let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        let line = limits.lines().find_map(|line| line.strip_prefix("Max data size"));
        let both = line.unwrap_or_default().split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        // One that has ended meanwhile has none.
        (pid, both)
    };
    helpers(browser, "").into_iter().map(limit).filter(|(_, both)| !both.is_empty()).collect()
}

#[tokio::test]
async fn no_process_of_a_browser_takes_more_memory_than_it_may() {
    const MIB: u64 = 1 << 20;
    let most = 1024 * MIB;
    let launch = LaunchOptions { most_memory: Some(most), ..LaunchOptions::default() };
    let stage = Stage::of(Site::start().await, Lent::own(&launch).await).await;
    let tab = stage.at("/pages/plain.html").await;
    let pid = stage.browser.pid().unwrap();
    let held = data_limits(pid);
    assert!(held.len() >= 4 && held.iter().any(|(one, _)| *one == pid), "{held:?}");
    assert!(held.iter().all(|(_, both)| *both == format!("{most} {most}")), "{held:?}");

    // Beside its objects, of which Chromium itself lets a page have only so many.
    let bomb = "const all = []; try { for (;;) { const one = new WebAssembly.Memory({initial: 1});\
        one.grow(1023); new Uint8Array(one.buffer).fill(1); all.push(one) } } catch { document.title = all.length }";
    gesture(&tab, bomb).await.expect("it is refused more and goes on");
    let got = read::<String>(&tab, "document.title").await.parse::<u64>().expect("it counts what it got");
    assert!(got > 0 && got * 64 * MIB < most, "{got} of 64 MiB each");
    // Canvases that are shown. Those that do not fit any more stay empty.
    let tab = stage.at("/pages/tall.html").await;
    let canvases = "for (let n = 0; n < 4; n++) { const canvas = document.createElement('canvas');\
        canvas.width = 30000; canvas.height = 4000; canvas.style.cssText = 'width: 300px; height: 40px';\
        document.body.prepend(canvas); const brush = canvas.getContext('2d');\
        brush.fillRect(0, 0, 30000, 4000); brush.getImageData(0, 0, 1, 1) }";
    let drawn = gesture(&tab, canvases).await;
    let picture = tab.screenshot(&soon()).await.map(drop);
    assert!(picture.is_ok() || tab.gone().is_some_and(Gone::has_crashed), "{drawn:?}, {picture:?}");
    for process in helpers(pid, "") {
        let kib = legwork_testkit::rss_kb(process);
        // What it shares with others counts here and not there: what is drawn, up to twice.
        assert!(kib / 1024 < 3 * most / MIB, "{kib} KiB");
    }
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_service_worker_that_answers_for_its_server_does_not_keep_us() {
    let page = "<title>Page of the server</title><script>navigator.serviceWorker.register('/trap.js');\
        navigator.serviceWorker.ready.then(() => document.title = 'Trapped')</script>";
    let worker = "onactivate = event => event.waitUntil(clients.claim());\
        onfetch = event => event.respondWith(new Response('<title>Page of the worker</title>', \
            {headers: {'content-type': 'text/html'}}))";
    let site = Site::builder().page("/trap.html", page).page("/trap.js", worker).start().await;
    let stage = Stage::with(site, &[]).await;
    let tab = stage.at("/trap.html").await;
    until("the trap is set", async || read::<String>(&tab, "document.title").await == "Trapped").await;
    let asked = stage.site.hits_of("/trap.html").len();
    gesture(&tab, "location.reload()").await.unwrap();
    until("the server is asked again", async || stage.site.hits_of("/trap.html").len() > asked).await;
    stage.still_works().await;
    let landing = stage.goes_to("/trap.html", Duration::from_secs(20)).await.unwrap();
    assert_ne!(landing.title, "Page of the worker");
    assert_eq!(stage.site.hits_of("/trap.html").len(), asked + 2);
    stage.end().await;
}
