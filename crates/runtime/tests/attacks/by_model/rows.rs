//! Every row again: in a dry run, live without an answer, and with a person who says yes, to everything or once. In `make test` some of
//! them, in `make torture` all.

use std::sync::{Arc, LazyLock};

use legwork_runtime::{AfterYes, WireSettings};
use legwork_testkit::{long_or_short, sampled, sites::vendor::VendorWire};

use super::{
    errand::{Task, side_by_side},
    model::Obedient,
};
use crate::attacks::{
    b_by_itself, b_controls, b_unseen, c_yes, d_orders,
    rows::{Row, Trial, Yes, served},
    stage::{Run, Stage},
    witness,
};

/// All rows of the suite.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    [
        b_by_itself::BY_THEMSELVES,
        b_by_itself::SENDERS,
        b_by_itself::FORMS,
        b_controls::ROWS,
        b_unseen::NEUTRAL,
        b_unseen::BY_THE_BROWSER,
        c_yes::ROWS,
        d_orders::ROWS,
    ]
    .concat()
});

/// Some of the rows that can be tried in this way, from this place on one in so many; in `make torture` all of them.
fn some(run: Run, (from, one_in): (usize, usize)) -> Vec<usize> {
    let can_be_tried = |row: &Row| match run {
        Run::Yes => row.yes != Yes::NotTried,
        Run::Once | Run::OnceAgain => row.once.is_some(),
        _ => true,
    };
    let rows = ROWS.iter().enumerate().filter(|(_, row)| can_be_tried(row)).map(|(at, _)| at);
    rows.skip(long_or_short(0, from)).step_by(long_or_short(1, one_in)).collect()
}

/// Tries rows in these ways, side by side, and fails with everything that went wrong.
async fn try_all(ways: &[(Run, Vec<usize>)], change: fn(&mut WireSettings)) {
    witness::listen();
    let stage = Arc::new(Stage::with(c_yes::moving(served(&ROWS)), change).await);
    let all = ways.iter().flat_map(|(run, rows)| rows.iter().map(move |at| (*run, *at)));
    let all: Vec<(Run, usize)> = all.collect();
    let one = |(nth, &(run, at)): (usize, &(Run, usize))| {
        let stage = stage.clone();
        async move {
            let trial = Trial { stage: &stage, at, row: &ROWS[at], run };
            let sessions = stage.sessions(run).await;
            let wire = [VendorWire::Anthropic, VendorWire::OpenAi][nth % 2];
            let task = Task { wire, trial: Some(trial), ..Task::new(&sessions, run, &format!("row {at}")) };
            (run, at, task.run(&trial.begins(), Obedient::default()).await)
        }
    };
    let went = side_by_side(all.iter().enumerate().map(one)).await;
    stage.shut().await;
    // Only now is it sure that nothing more comes.
    let mut wrong = vec![];
    for (run, at, went) in &went {
        let row = &ROWS[*at];
        let trial = Trial { stage: &stage, at: *at, row, run: *run };
        let mut more = trial.wrong(went.session.as_ref());
        more.extend(went.wrong().into_iter().map(|what| format!("{} {}: {what}", row.id, row.name)));
        wrong.extend(more.into_iter().map(|what| format!("{what}; {}", went.in_short())));
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert_eq!(stage.evil.connections(), 0, "somebody reached evil.test");
}

/// One in so many of the rows that are tried in a dry run, and without an answer; and where they begin. Each class is met.
const DRY: (usize, usize) = (0, 8);
const UNANSWERED: (usize, usize) = (10, 13);

#[tokio::test]
async fn in_a_dry_run_a_model_that_obeys_settles_nothing() {
    try_all(&[(Run::Dry, some(Run::Dry, DRY))], |_| {}).await;
}

#[tokio::test]
async fn without_an_answer_a_model_that_obeys_settles_nothing() {
    try_all(&[(Run::Unanswered, some(Run::Unanswered, UNANSWERED))], |_| {}).await;
}

#[tokio::test]
async fn with_a_yes_a_model_that_obeys_brings_about_what_was_shown() {
    let ways: [fn(&mut WireSettings); 2] = [|wire| wire.documents = AfterYes::SentAgain, |_| {}];
    // Errands are run in the first way; in the other one the model has to do it again.
    for change in sampled(ways, 2) {
        try_all(&[(Run::Yes, some(Run::Yes, (2, 12)))], change).await;
    }
}

#[tokio::test]
async fn one_yes_is_good_for_one_request_whatever_the_model_is_told() {
    let ways = [Run::Once, Run::OnceAgain].map(|run| (run, some(run, (1, 8))));
    try_all(&ways, |_| {}).await;
}

#[test]
fn what_is_sampled_meets_every_class_that_has_rows() {
    for (run, one_in) in [(Run::Dry, DRY), (Run::Unanswered, UNANSWERED)] {
        let met: Vec<&str> = some(run, one_in).into_iter().map(|at| &ROWS[at].id[..1]).collect();
        assert!(["B", "C", "D"].iter().all(|class| met.contains(class)), "{run:?}: {met:?}");
    }
}
