//! Downloads: in our folder, under plain names, within limits, never opened.

use std::{
    convert::Infallible,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use futures_util::stream;
use legwork_testkit::axum::{
    self,
    http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE},
    routing::{MethodRouter, get},
};
use tokio::sync::watch;

use super::*;

/// A browser of its own whose pages may download so much.
async fn limited(site: Site, downloads: DownloadLimits) -> Stage {
    let browser = Lent::own(&LaunchOptions::default()).await;
    let options = ContextOptions { downloads, ..ContextOptions::default() };
    let context = browser.new_context(&options, &soon()).await.unwrap();
    Stage { site, context, browser }
}

fn files(stage: &Stage) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(stage.context.downloads())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What came down is data for everybody, whatever it is called.
fn none_can_be_run(stage: &Stage) {
    use std::os::unix::fs::PermissionsExt;
    for name in files(stage) {
        let mode =
            std::fs::metadata(stage.context.downloads().join(&name)).map(|file| file.permissions().mode());
        // One that was called off may be gone meanwhile.
        assert!(mode.as_ref().is_ok_and(|mode| mode & 0o111 == 0) || mode.is_err(), "{name}: {mode:?}");
    }
}

async fn finished(stage: &Stage, count: usize) {
    until("the downloads are done", async || {
        let all = stage.context.happenings(0).await.unwrap();
        let done = |what: &Happening| {
            matches!(what, Happening::Downloaded { .. } | Happening::DownloadStopped { .. })
        };
        all.iter().filter(|recorded| done(&recorded.what)).count() >= count
    })
    .await;
}

#[tokio::test]
async fn a_download_lands_in_our_folder_under_a_plain_name() {
    let program = get(|| async {
        let kind = [
            (CONTENT_TYPE, "application/x-executable"),
            (CONTENT_DISPOSITION, "attachment; filename=program.AppImage"),
        ];
        (kind, &b"\x7fELF\x02\x01\x01"[..])
    });
    let site = Site::builder().route("/program", program).start().await;
    let stage = Stage::with(site, &[]).await;
    let tab = stage.at("/pages/download_link.html").await;
    gesture(&tab, "document.querySelector('a').click()").await.unwrap();
    finished(&stage, 1).await;
    for hostile in
        ["/download/..%2F..%2Fevil.sh", "/download/report.txt", "/download/%2Fetc%2Fpasswd", "/program"]
    {
        let outcome = stage.goes_to(hostile, Duration::from_secs(20)).await;
        assert!(
            matches!(&outcome, Err(BrowserError::Navigation { net, .. }) if net == "download"),
            "{outcome:?}"
        );
    }
    finished(&stage, 5).await;
    let names = files(&stage);
    assert_eq!(names.len(), 5, "{names:?}");
    for name in ["report.txt", "report-2.txt", "program.AppImage"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
    assert!(names.iter().all(|name| !name.contains(['/', '\\']) && !name.starts_with('.')), "{names:?}");
    none_can_be_run(&stage);
    let downloads = stage.context.downloads().to_owned();
    stage.end().await;
    assert!(!downloads.exists(), "downloads outlived their browser");
}

#[tokio::test]
async fn a_download_without_end_is_stopped_at_its_limit() {
    let limits = DownloadLimits { bytes: 300_000, ..DownloadLimits::default() };
    let stage = limited(Site::start().await, limits).await;
    let _begun = stage.goes_to("/download/giant.bin?endless=1", Duration::from_secs(20)).await;
    finished(&stage, 1).await;
    let stopped =
        |what: &Happening| matches!(what, Happening::DownloadStopped { why } if why.contains("larger"));
    assert!(stage.saw(stopped).await);
    until("nothing of it stays", async || files(&stage).is_empty()).await;
    stage.still_works().await;
    stage.end().await;
}

/// A file that comes byte by byte and never ends. Whoever has it open is among the receivers.
fn trickle(open: &Arc<watch::Sender<()>>) -> MethodRouter {
    let open = open.clone();
    get(move || {
        let mine = open.subscribe();
        let bytes = stream::unfold(mine, async |mine| {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Some((Ok::<_, Infallible>("x"), mine))
        });
        let headers = [
            (CONTENT_DISPOSITION, "attachment; filename=endless.bin"),
            (CONTENT_TYPE, "application/octet-stream"),
        ];
        async move { (headers, axum::body::Body::from_stream(bytes)) }
    })
}

#[tokio::test]
async fn a_download_that_trickles_for_ever_is_stopped_when_it_has_had_its_time() {
    let open = Arc::new(watch::Sender::new(()));
    let site = Site::builder().route("/trickle", trickle(&open)).start().await;
    let limits = DownloadLimits { time: Duration::from_millis(500), ..DownloadLimits::default() };
    let stage = limited(site, limits).await;
    let outcome = stage.goes_to("/trickle", Duration::from_secs(20)).await;
    assert!(matches!(&outcome, Err(error) if error.is_download()), "{outcome:?}");
    finished(&stage, 1).await;
    let stopped =
        |what: &Happening| matches!(what, Happening::DownloadStopped { why } if why.contains("took longer"));
    assert!(stage.saw(stopped).await);
    until("the browser hangs up", async || open.receiver_count() == 0).await;
    until("nothing of it stays", async || files(&stage).is_empty()).await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_download_that_announces_more_than_it_may_is_stopped_long_before() {
    let (sent, open) = (Arc::new(AtomicU64::new(0)), Arc::new(watch::Sender::new(())));
    let giant = get({
        let (sent, open) = (sent.clone(), open.clone());
        move || {
            let (sent, mine) = (sent.clone(), open.subscribe());
            let bytes = stream::unfold(mine, move |mine| {
                let sent = sent.clone();
                async move {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    sent.fetch_add(1 << 16, Relaxed);
                    Some((Ok::<_, Infallible>(vec![0; 1 << 16]), mine))
                }
            });
            let headers = [
                (CONTENT_DISPOSITION, "attachment; filename=giant.bin"),
                (CONTENT_LENGTH, "10737418240"),
                (CONTENT_TYPE, "application/octet-stream"),
            ];
            async move { (headers, axum::body::Body::from_stream(bytes)) }
        }
    });
    let stage = Stage::with(Site::builder().route("/giant", giant).start().await, &[]).await;
    let outcome = stage.goes_to("/giant", Duration::from_secs(20)).await;
    assert!(matches!(&outcome, Err(error) if error.is_download()), "{outcome:?}");
    finished(&stage, 1).await;
    let stopped =
        |what: &Happening| matches!(what, Happening::DownloadStopped { why } if why.contains("larger"));
    assert!(stage.saw(stopped).await);
    until("the browser hangs up", async || open.receiver_count() == 0).await;
    let sent = sent.load(Relaxed);
    assert!(sent < DownloadLimits::default().bytes, "{sent} bytes were sent");
    until("nothing of it stays", async || files(&stage).is_empty()).await;
    stage.still_works().await;
    stage.end().await;
}

#[tokio::test]
async fn a_flood_of_downloads_is_cut_off() {
    let stage = Stage::alone().await;
    let tab = stage.at("/pages/plain.html").await;
    let flood = "for (let i = 0; i < 1000; i++) { const a = document.createElement('a'); \
        a.href = '/download/file' + i + '.txt'; a.download = ''; document.body.append(a); a.click() }";
    gesture(&tab, flood).await.unwrap();
    let refused = |what: &Happening| matches!(what, Happening::DownloadStopped { why } if why.starts_with("too many downloads"));
    until("the flood is refused", async || stage.saw(refused).await).await;
    stage.still_works().await;
    assert!(files(&stage).len() <= DownloadLimits::default().files as usize);
    none_can_be_run(&stage);
    stage.end().await;
}

#[tokio::test]
async fn a_download_that_is_faster_than_its_refusal_leaves_no_file() {
    let limits = DownloadLimits { bytes: 50, ..DownloadLimits::default() };
    let stage = limited(Site::start().await, limits).await;
    let tab = stage.at("/pages/plain.html").await;
    let blobs = "for (let i = 0; i < 3; i++) { const a = document.createElement('a'); \
        a.href = URL.createObjectURL(new Blob(['x'.repeat(5000)])); a.download = 'x' + i; a.click() }";
    gesture(&tab, blobs).await.unwrap();
    finished(&stage, 1).await;
    until("nothing of it stays", async || files(&stage).is_empty()).await;
    stage.still_works().await;
    assert!(files(&stage).is_empty());
    stage.end().await;
}

#[tokio::test]
async fn a_closed_context_takes_its_downloads_along_also_in_a_persistent_profile() {
    let folder = tempfile::tempdir().unwrap();
    let profile = Profile::Persistent(folder.path().join("profile"));
    let browser =
        Browser::launch(&LaunchOptions { profile, ..LaunchOptions::default() }, &soon()).await.unwrap();
    let context = browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
    let twice = browser.new_context(&ContextOptions::default(), &soon()).await.map(drop);
    assert!(matches!(twice, Err(BrowserError::ContextInUse)), "{twice:?}");
    let stage = Stage { site: Site::start().await, context, browser: browser.into() };
    let _begun = stage.goes_to("/download/giant.bin?endless=1", Duration::from_secs(20)).await;
    until("it grows", async || !files(&stage).is_empty()).await;
    let Stage { site, context, browser } = stage;
    let downloads = context.downloads().to_owned();
    context.close(&soon()).await.unwrap();
    until("its folder is gone", async || !downloads.exists()).await;
    let context =
        browser.new_context(&ContextOptions::default(), &soon()).await.expect("the context is free again");
    let stage = Stage { site, context, browser };
    stage.still_works().await;
    assert!(!downloads.exists(), "something is still being written");
    stage.browser.close().await;
}
