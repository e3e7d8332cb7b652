//! A toolbox as the browser of an errand: what an open dialog hides, what an answer that can't be read means, and its pictures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::time::Duration;

use legwork_mcp::toolbox::{Limits, ToolboxBrowser};
use legwork_runtime::errands::{ForeignAct, ForeignBrowser, ForeignError, On};
use support::Bench;

fn limits() -> Limits {
    let limit = Duration::from_secs(10);
    Limits { first_start: limit, start: limit, list: limit, call: limit, farewell: Duration::from_secs(1) }
}

async fn browser(bench: &Bench, fault: &str) -> ToolboxBrowser {
    ToolboxBrowser::new(bench.fake(fault, limits()).await.unwrap())
}

fn click() -> ForeignAct {
    ForeignAct::Click(On { reference: "e1".into(), name: "Pay".into() }, 1)
}

#[tokio::test]
async fn behind_a_dialog_nothing_is_known_of_the_page() {
    let bench = Bench::new();
    for fault in ["browser", "browser-mild"] {
        let mut browser = browser(&bench, fault).await;
        let page = browser.look().await.unwrap();
        assert!(!page.is_unread && !page.cut && page.control(1).is_some(), "{page:?}");
        browser.act(&ForeignAct::Key("d".into())).await.unwrap();
        let behind = browser.look().await.unwrap();
        assert!(behind.is_unread && behind.parts.is_empty(), "{fault}: {behind:?}");
        assert!(behind.dialog.unwrap().untrusted().contains("Sure?"), "{fault}");
        assert_eq!(behind.url, page.url);
        browser.close().await;
    }
    bench.is_left();
}

#[tokio::test]
async fn a_chooser_of_files_is_closed_without_one_and_is_no_dialog() {
    let bench = Bench::new();
    for fault in ["browser-chooser", "browser-chooser-mild"] {
        let mut browser = browser(&bench, fault).await;
        let page = browser.look().await.unwrap();
        browser.act(&ForeignAct::Key("Enter".into())).await.unwrap();
        assert_eq!(browser.look().await.unwrap(), page, "{fault}");
        browser.close().await;
    }
    // One that stays is a look that failed, and nobody is asked to answer to it.
    let mut stuck = browser(&bench, "browser-chooser-stays").await;
    stuck.act(&ForeignAct::Key("Enter".into())).await.unwrap();
    let failed = stuck.look().await;
    assert!(matches!(failed, Err(ForeignError::Failed(_))), "{failed:?}");
    stuck.close().await;
    // A dialog that has the words of one is a dialog.
    let mut liar = browser(&bench, "browser-lies").await;
    liar.act(&ForeignAct::Key("d".into())).await.unwrap();
    let behind = liar.look().await.unwrap();
    assert!(behind.dialog.unwrap().untrusted().contains("Sure?"));
    liar.close().await;
    bench.is_left();
}

#[tokio::test]
async fn an_act_whose_answer_can_t_be_read_may_have_been_done_or_not() {
    let bench = Bench::new();
    for (fault, is_known) in [("browser", true), ("browser-giant", false)] {
        let mut browser = browser(&bench, fault).await;
        browser.look().await.unwrap();
        let acted = browser.act(&click()).await;
        assert_eq!(acted.is_ok(), is_known, "{fault}: {acted:?}");
        assert_eq!(matches!(acted, Err(ForeignError::Unheard(_))), !is_known, "{fault}: {acted:?}");
        browser.look().await.expect("it goes on");
        browser.close().await;
    }
    bench.is_left();
}

#[tokio::test]
async fn a_server_that_says_that_its_browser_is_closed_is_lost_and_a_page_that_says_so_is_not() {
    let bench = Bench::new();
    for (fault, is_loss) in [("browser-closed", true), ("browser-quotes", false)] {
        let mut browser = browser(&bench, fault).await;
        browser.look().await.unwrap();
        let failed = [
            browser.act(&click()).await.unwrap_err(),
            browser.picture().await.unwrap_err(),
            browser.look().await.unwrap_err(),
        ];
        for error in failed {
            assert_eq!(matches!(error, ForeignError::Lost(_)), is_loss, "{fault}: {error:?}");
            assert_eq!(matches!(error, ForeignError::Failed(_)), !is_loss, "{fault}: {error:?}");
        }
        browser.close().await;
    }
    bench.is_left();
}

#[tokio::test]
async fn pictures_are_jpeg_or_png_and_what_is_none_is_told() {
    let bench = Bench::new();
    for (fault, begins) in [("browser", Some(&b"\xff\xd8\xff"[..])), ("browser-png", Some(b"\x89PNG"))] {
        let mut browser = browser(&bench, fault).await;
        let taken = browser.picture().await.unwrap();
        assert!(begins.is_some_and(|begins| taken.starts_with(begins)), "{fault}: {taken:?}");
        browser.close().await;
    }
    for (fault, is_loss) in [("browser-words", false), ("browser-huge", false), ("browser-dies", true)] {
        let mut browser = browser(&bench, fault).await;
        let none = browser.picture().await.unwrap_err();
        assert_eq!(matches!(none, ForeignError::Lost(_)), is_loss, "{fault}: {none:?}");
        browser.close().await;
    }
    let mut blind = browser(&bench, "none").await;
    assert!(matches!(blind.picture().await, Err(ForeignError::NotOffered(_))));
    blind.close().await;
    bench.is_left();
}
