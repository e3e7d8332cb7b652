//! Start and stop, over and over: processes, threads, handles, memory and folders stay flat.

use super::*;

fn cycles() -> usize {
    legwork_testkit::long_or_short(500, 40)
}

#[tokio::test]
async fn start_and_stop_leave_everything_flat() {
    // Other tests of this process start browsers too; a process of its own has only this test's.
    if std::env::var_os("LEGWORK_CYCLES_ALONE").is_none() {
        let home = tempfile::Builder::new().prefix("lw").tempdir().unwrap();
        let alone = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::cycles::start_and_stop_leave_everything_flat", "--nocapture"])
            .env("LEGWORK_CYCLES_ALONE", "1")
            .env("LEGWORK_TMPDIR", home.path())
            .output()
            .await
            .unwrap();
        let said =
            String::from_utf8_lossy(&alone.stdout).into_owned() + &String::from_utf8_lossy(&alone.stderr);
        assert!(alone.status.success() && said.contains("1 passed"), "{said}");
        let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().flatten().collect();
        let profiles = left.iter().flat_map(|base| std::fs::read_dir(base.path()).unwrap().flatten());
        let profiles: Vec<_> = profiles.filter(|entry| entry.path().is_dir()).collect();
        assert!(profiles.is_empty(), "{profiles:?}");
        // Also those that belong to nobody any more, and those outside the browsers' process groups.
        let processes = legwork_testkit::processes_naming(home.path().to_str().unwrap());
        assert!(processes.is_empty(), "{processes:?}");
        return;
    }
    let site = Site::start().await;
    let page = PageUrl::parse(&site.url("/pages/plain.html")).unwrap();
    let me = std::process::id();
    let mut baseline = None;
    for cycle in 0..cycles() {
        let browser = Browser::launch(&LaunchOptions::default(), &soon()).await.unwrap();
        let context = browser.new_context(&ContextOptions::default(), &soon()).await.unwrap();
        let tab = context.active_tab(&soon()).await.unwrap();
        tab.navigate(&page, &soon()).await.unwrap();
        // Every other one ends without a goodbye.
        if cycle % 2 == 0 {
            browser.close().await
        } else {
            drop(browser)
        }
        drop((context, tab));
        if cycle == cycles() / 2 {
            let (handles, threads) = (legwork_testkit::fd_count(me), legwork_testkit::thread_count(me));
            baseline = Some((handles, threads, legwork_testkit::rss_kb(me)));
        }
    }
    let (handles, threads, memory) = baseline.unwrap();
    until("no process is left", async || {
        let counts = legwork_testkit::process_counts(me);
        counts.live + counts.zombies == 0
    })
    .await;
    until("handles are flat", async || legwork_testkit::fd_count(me) <= handles + 4).await;
    // Those for work that blocks end some seconds after it.
    until("threads are flat", async || legwork_testkit::thread_count(me) <= threads + 2).await;
    let now = legwork_testkit::rss_kb(me);
    assert!(now < memory + 4_000, "memory grew from {memory} to {now} kB over the second half");
}
