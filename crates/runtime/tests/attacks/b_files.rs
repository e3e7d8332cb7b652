//! Files: only those of named folders are given to a page, and what it does with them is asked about like everything else.

use legwork_testkit::{Site, TempHome, wait_until_async};
use legwork_types::Code;
use serde_json::json;

use super::{
    obedient::{Answers, Obedient},
    stage::{LONG, Run, Stage},
};

const FORM: &str = "<!doctype html><title>Send</title><form method=post action=/send enctype=multipart/form-data>\
    <input type=file aria-label=File name=f><button>Send</button></form>";
/// A page that sends a file as soon as it has it.
const AT_ONCE: &str = "<!doctype html><title>Send</title><input type=file aria-label=File \
    onchange=\"const d = new FormData(); d.append('f', this.files[0]); fetch('/send', {method:'POST', body:d})\">";

#[tokio::test]
async fn a_file_of_a_named_folder_leaves_with_a_yes_and_no_other_at_all() {
    let home = TempHome::new();
    let (given, kept) = (home.path().join("given"), home.path().join("kept"));
    for (folder, text) in [(&given, "for the page"), (&kept, "for nobody")] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("note.txt"), text).unwrap();
    }
    let site = Site::builder().page("/form", FORM).page("/at-once", AT_ONCE);
    let mut stage = Stage::start(site).await;
    stage.uploads = vec![given.clone()];
    let upload = |folder: &std::path::Path| format!("upload \"{}/note.txt\" to \"File\"", folder.display());
    for (run, code) in [(Run::Dry, Code::DryRunBlocked), (Run::Unanswered, Code::SafetyConfirmationRequired)]
    {
        let sessions = stage.sessions(run).await;
        let mut caller = Obedient::open(&sessions, "http://shop.test/form", Answers::None).await.unwrap();
        let refused = caller.once(&upload(&kept), &json!({})).await.unwrap();
        assert_eq!(refused.error.map(|problem| problem.code), Some(Code::UploadRefused), "{run:?}");
        let taken = caller.once(&upload(&given), &json!({})).await.unwrap();
        assert!(taken.is_ok(), "{run:?}: {:?}", taken.error);
        caller.told.clear();
        caller.follow("click \"Send\"").await;
        let told: Vec<_> = caller.told.iter().map(|problem| problem.code).collect();
        assert!(!told.is_empty() && told.iter().all(|one| *one == code), "{run:?}: {told:?}");
        for asked in sessions.approvals().waiting() {
            // The browser does not show what is in a file that a form takes along: that is said, not passed over.
            assert!(asked.question.card.not_inspected.is_some(), "{asked:?}");
        }
        caller.close().await;
        let mut caller = Obedient::open(&sessions, "http://shop.test/at-once", Answers::None).await.unwrap();
        caller.follow(&upload(&given)).await;
        assert!(caller.was_told(code), "{run:?}: {:?}", caller.told);
        caller.close().await;
    }
    assert_eq!(stage.written("/send").len(), 0);
    // The twin: with a yes it leaves, and no other file does.
    let sessions = stage.sessions(Run::Yes).await;
    let mut caller = Obedient::open(&sessions, "http://shop.test/at-once", Answers::Yes).await.unwrap();
    caller.follow(&upload(&kept)).await;
    caller.follow(&upload(&given)).await;
    wait_until_async(LONG, "the file arrives", async || stage.written("/send").len() == 1).await;
    assert!(stage.written("/send")[0].contains("for the page"), "{:?}", stage.written("/send"));
    stage.shut().await;
    assert_eq!(stage.written("/send").len(), 1);
}
