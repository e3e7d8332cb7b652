//! Where a model may lead an errand: by every spelling of an address, by a plan, and by all ways that pages know.

use std::sync::Arc;

use legwork_runtime::errands::{OutcomeKind, Reason, Spec};
use legwork_testkit::{Site, sampled};

use super::{
    errand::{Task, side_by_side},
    model::Obedient,
    went::Went,
};
use crate::attacks::{
    a_pages,
    a_places::{NOWHERE, filled_in},
    hosts::Ear,
    stage::{Run, Stage},
};

/// As many addresses of one errand: it would be over if too much went wrong.
const OF_ONE: usize = 5;

#[tokio::test]
async fn no_spelling_of_an_address_leads_an_errand_where_nobody_may_go() {
    let site = Site::builder().page("/start", "<p>Start</p>").page("/ok", "<p>Fine</p>");
    let stage = Arc::new(Stage::start(site).await);
    let all: Vec<String> = sampled(NOWHERE, 5).map(|(_, address)| filled_in(address, &stage)).collect();
    let went = side_by_side(all.chunks(OF_ONE).enumerate().map(|(nth, addresses)| {
        // After each refusal something that may be done, which is the twin.
        let orders = addresses.iter().enumerate().flat_map(|(at, address)| {
            [format!("go to \"{address}\""), format!("go to http://shop.test/ok?{nth}-{at}")]
        });
        let (model, stage) = (Obedient::told(orders), stage.clone());
        async move {
            let sessions = stage.sessions(Run::Dry).await;
            Task::new(&sessions, Run::Dry, &format!("spelling {nth}"))
                .run("http://shop.test/start", model)
                .await
        }
    }))
    .await;
    stage.shut().await;
    for went in &went {
        assert!(went.wrong().is_empty(), "{:?}; {}", went.wrong(), went.in_short());
        let is_no = |code: &&str| ["NAVIGATION_BLOCKED", "CONTRACT_MISMATCH", "INVALID_URL"].contains(code);
        assert!(went.codes().iter().all(is_no), "{}", went.in_short());
    }
    // Each is tried twice, and leads nowhere either time.
    let refused: usize = went.iter().map(|went| went.codes().len()).sum();
    assert_eq!((refused, stage.site.hits_of("/ok").len()), (2 * all.len(), all.len()));
    assert_eq!((stage.evil.connections(), stage.own.connections()), (0, 0));
}

#[tokio::test]
async fn an_errand_neither_begins_nor_is_planned_to_begin_where_nobody_may_go() {
    let site = Site::builder().page("/account/delete", "<p>Deleted</p>").page("/account", "<p>Fine</p>");
    let stage = Stage::start(site).await;
    let begun = async |run: Run, url: &str| {
        let sessions = stage.sessions(run).await;
        Task::new(&sessions, run, &format!("{run:?} {url}")).run(url, Obedient::default()).await
    };
    for url in sampled(["http://evil.test/", "http://127.1:@P/", "http://localhost:@OWN/"], 3) {
        let went = begun(Run::Dry, &filled_in(url, &stage)).await;
        assert!(went.wrong().is_empty(), "{:?}; {}", went.wrong(), went.in_short());
        assert_eq!(went.end(), Some((OutcomeKind::Stopped, Reason::PageError)), "{}", went.in_short());
    }
    // What it begins with is judged like everything that comes later.
    for run in [Run::Dry, Run::Unanswered] {
        let went = begun(run, "http://shop.test/account/delete?id=1").await;
        assert_ne!(went.end().map(|end| end.0), Some(OutcomeKind::Verified), "{}", went.in_short());
        assert!(!went.codes().is_empty(), "{}", went.in_short());
    }
    // A plan is no better; the twin is one that leads where people may go.
    let sessions = stage.sessions(Run::Dry).await;
    for (url, is_fine) in [("http://evil.test/", false), ("http://shop.test/account", true)] {
        let task = Task::new(&sessions, Run::Dry, url);
        let went = task.run_spec(Spec::new("Look around."), Obedient::who_plans(url)).await;
        assert!(went.wrong().is_empty(), "{:?}; {}", went.wrong(), went.in_short());
        assert_eq!(went.codes().is_empty(), is_fine, "{}", went.in_short());
    }
    stage.shut().await;
    assert_eq!((stage.evil.connections(), stage.own.connections()), (0, 0));
    let came = (stage.site.hits_of("/account/delete").len(), stage.site.hits_of("/account").len());
    assert_eq!(came, (0, 1));
}

#[tokio::test]
async fn no_page_leads_an_errand_where_nobody_may_go() {
    let ear = Ear::start();
    let pages = |evil, own| a_pages::ways(ear.port(), evil, own);
    let stage = Arc::new(Stage::start_at(pages, |_| {}).await);
    // Where traffic may go does not depend on who is asked.
    for run in sampled([Run::Dry, Run::Unanswered], 2) {
        let all = a_pages::begins(&stage);
        let went: Vec<(&str, Went)> = side_by_side(sampled(all, 8).map(|(name, url)| {
            let stage = stage.clone();
            async move {
                let sessions = stage.sessions(run).await;
                (name, Task::new(&sessions, run, name).run(&url, Obedient::default()).await)
            }
        }))
        .await;
        for (name, went) in went {
            assert!(went.wrong().is_empty(), "{name} ({run:?}): {:?}; {}", went.wrong(), went.in_short());
        }
    }
    stage.shut().await;
    assert_eq!((stage.evil.connections(), stage.own.connections(), ear.packets()), (0, 0, 0));
}
