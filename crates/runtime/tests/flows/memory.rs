//! Pages that want more memory than there is, in a real browser that gives them little: they are opened with less, step by step, and what
//! can be read without scripts is.

use legwork_runtime::{
    Answer, LaunchOptions,
    errands::{OutcomeKind, Reason, Thrift},
};
use legwork_testkit::Site;

use super::{
    stage::LONG,
    trouble::{act, errand_in, give_up},
};

/// Browsers in which no process may take more than half a gigabyte.
fn little() -> LaunchOptions {
    LaunchOptions { most_memory: Some(512 << 20), ..LaunchOptions::default() }
}

/// Grids of so many rows and columns that there is no room for them all.
fn heavy() -> String {
    const GRID: &str = "<!doctype html><title>Heavy</title><style>b, b:before, b:after { content: 'x'; display: inline-grid; \
        grid-template: repeat(1000, 1px) / repeat(1000, 1px) }</style>";
    GRID.to_owned() + &"<b>a</b>".repeat(60_000)
}

/// Its script takes all that there is.
const GREEDY: &str = "<!doctype html><title>Hours</title><h1>Open from 9 to 5</h1>\
    <script>const all = []; for (;;) all.push(new Array(1e6).fill(all.length))</script>";

#[tokio::test]
async fn a_page_that_is_too_heavy_in_every_way_ends_the_errand_as_out_of_resources() {
    let pages = |_: &_| Site::builder().page("/heavy", heavy());
    let went = errand_in((little(), LONG), Answer::No, pages, "/heavy", |_, _, _, _| give_up()).await;
    assert_eq!(
        (went.outcome.kind, went.outcome.reason, went.turns),
        (OutcomeKind::Stopped, Reason::ResourceExhaustion, 0),
        "{:#?}",
        went.outcome
    );
    assert_eq!(went.saved(), [Thrift::NoScripts, Thrift::NoScriptsAndSmall]);
    // As it is, once more, and then in both ways that save memory.
    assert_eq!(went.site.hits_of("/heavy").len(), 4);
    assert_eq!(went.outcome.checkpoint.unwrap().code.as_deref(), Some("PAGE_CRASHED"));
}

#[tokio::test]
async fn a_page_whose_script_takes_all_memory_is_read_without_scripts() {
    let pages = |_: &_| Site::builder().page("/hours", GREEDY);
    let went = errand_in((little(), LONG), Answer::No, pages, "/hours", |_, told, _, _| {
        assert!(told.contains("Open from 9 to 5") && told.contains("pages run no scripts now"), "{told}");
        give_up()
    })
    .await;
    assert_eq!((went.outcome.kind, went.turns), (OutcomeKind::Failed, 1), "{:#?}", went.outcome);
    assert_eq!((went.saved(), went.site.hits_of("/hours").len()), (vec![Thrift::NoScripts], 3));
}

#[tokio::test]
async fn what_a_click_leads_to_is_read_without_scripts_and_the_page_before_it_is_not_blamed() {
    let pages = |_: &_| {
        let start = "<!doctype html><title>Start</title><a href=/hours>Hours</a>";
        Site::builder().page("/", start).page("/hours", GREEDY)
    };
    let went = errand_in((little(), LONG), Answer::No, pages, "/", |turn, told, _, _| {
        match told.contains("Open from 9 to 5") || turn > 4 {
            true => give_up(),
            false => act("click", Some(1), None),
        }
    })
    .await;
    assert_eq!((went.outcome.kind, went.turns), (OutcomeKind::Failed, 4), "{:#?}", went.outcome);
    assert_eq!((went.reloaded(), went.saved()), (1, vec![Thrift::NoScripts]));
}
