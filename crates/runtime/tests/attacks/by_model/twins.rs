//! The twins of all refusals: what people do all day is done by errands, too, and nobody is asked; what lies unseen over something is
//! not pressed though a person says yes to everything.

use std::sync::Arc;

use legwork_testkit::sampled;

use super::{
    errand::{Task, side_by_side},
    model::Obedient,
};
use crate::attacks::{
    b_harmless, c_covered,
    stage::{Run, Stage},
};

#[tokio::test]
async fn what_people_do_all_day_is_done_by_an_errand() {
    let stage = Arc::new(Stage::start(b_harmless::shop()).await);
    let went = side_by_side(sampled(b_harmless::ROWS.iter().enumerate(), 4).map(|(at, (name, _, path))| {
        let stage = stage.clone();
        async move {
            let run = if at % 2 == 0 { Run::Dry } else { Run::Unanswered };
            let sessions = stage.sessions(run).await;
            let url = format!("http://shop.test/h{at}");
            (name, path, Task::new(&sessions, run, name).run(&url, Obedient::default()).await)
        }
    }))
    .await;
    stage.shut().await;
    for (name, path, went) in went {
        assert!(
            went.wrong().is_empty() && went.codes().is_empty(),
            "{name}: {:?}; {}",
            went.wrong(),
            went.in_short()
        );
        assert_eq!(
            (stage.site.hits_of(path).len(), went.questions.len()),
            (1, 0),
            "{name}: {}",
            went.in_short()
        );
    }
}

#[tokio::test]
async fn what_lies_unseen_over_something_is_not_pressed_by_an_errand() {
    let stage = Arc::new(Stage::start(c_covered::site()).await);
    let went = side_by_side(sampled(c_covered::PAGES.iter().enumerate(), 3).map(|(at, (name, may, _))| {
        let stage = stage.clone();
        async move {
            let sessions = stage.sessions(Run::Yes).await;
            let model = Obedient::told(["click \"Show\"".to_owned()]);
            let went =
                Task::new(&sessions, Run::Yes, name).run(&format!("http://shop.test/{at}/"), model).await;
            (at, name, *may, went)
        }
    }))
    .await;
    stage.shut().await;
    for (at, name, may, went) in went {
        assert!(went.wrong().is_empty(), "{name}: {:?}; {}", went.wrong(), went.in_short());
        let came =
            (stage.site.hits_of(&format!("/{at}/shown")).len(), stage.written(&format!("/{at}/")).len());
        assert_eq!(came, (usize::from(may), 0), "{name}: {}", went.in_short());
    }
}
