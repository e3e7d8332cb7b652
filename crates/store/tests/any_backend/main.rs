//! What every database has to do, written once: each case is a function over a store, and runs on all that there are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod asking;
mod doing;
mod keeping;
mod random;
mod submitting;

use legwork_store::{Check, Store};
use tempfile::TempDir;

/// An empty store for a case, with the folder that it is in.
async fn sqlite() -> (Store, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Store::open(folder.path(), Check::Whole).await.unwrap(), folder)
}

/// Runs cases on every database: another one is another module here.
macro_rules! on_every_database {
    ($($module:ident: $($case:ident),* $(,)?;)*) => {
        mod on_sqlite {
            $($(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let (store, _folder) = super::sqlite().await;
                    super::$module::$case(&store).await;
                    store.close().await;
                }
            )*)*
        }
    };
}

on_every_database! {
    submitting:
        what_is_handed_in_waits_for_its_turn_in_order,
        the_same_key_is_the_same_task_and_nothing_else,
        tasks_are_listed_in_parts_the_newest_first;
    doing:
        many_who_take_tasks_at_once_get_each_once,
        whoever_lost_a_task_writes_nothing_more,
        what_can_not_follow_is_refused_and_leaves_no_trace,
        people_pause_resume_and_call_off,
        the_log_is_read_on_from_any_place;
    asking:
        the_first_of_many_answers_counts,
        a_yes_is_used_once_in_time_and_by_its_own_task,
        whoever_waits_without_a_page_is_next_in_line_with_the_answer,
        nobody_waits_for_an_answer_that_came_before,
        what_was_about_to_be_sent_by_somebody_who_is_gone_is_unknown,
        time_denies_and_takes_back_a_yes;
    keeping:
        pictures_are_kept_found_and_swept;
    random:
        whatever_happens_the_log_leads_to_what_is_kept;
}
