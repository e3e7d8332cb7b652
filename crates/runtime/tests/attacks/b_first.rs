//! The first request of a tab: a tab is born empty, so what it is opened for is judged like everything that comes later.

use legwork_runtime::{Caller, CancellationToken, OpenRequest};
use legwork_testkit::Site;
use legwork_types::{Code, PageUrl};

use super::{
    obedient::{Answers, Obedient},
    stage::{Run, Stage},
};

#[tokio::test]
async fn the_first_request_of_a_tab_is_judged() {
    let window = "<!doctype html><title>Shop</title><a href=/account/delete?id=2 target=_blank>Show</a>";
    let site = Site::builder()
        .page("/account/delete", "<p>Deleted</p>")
        .page("/account", "<p>Fine</p>")
        .page("/", window);
    let stage = Stage::start(site).await;
    for run in [Run::Dry, Run::Unanswered, Run::ReadOnly] {
        let sessions = stage.sessions(run).await;
        let open = async |url: &str| {
            let request = OpenRequest { url: Some(PageUrl::parse(url).unwrap()), ..OpenRequest::default() };
            sessions.open(&Caller::new("first"), request, &CancellationToken::new()).await
        };
        let opened = open("http://shop.test/account/delete?id=1").await;
        let code = opened.err().map(|problem| problem.code);
        let wanted = match run {
            Run::Unanswered => Code::SafetyConfirmationRequired,
            _ => Code::DryRunBlocked,
        };
        assert_eq!(code, Some(wanted), "{run:?}");
        // A tab that a link opens.
        let mut caller = Obedient::open(&sessions, "http://shop.test/", Answers::None).await.unwrap();
        caller.follow("click \"Show\"").await;
        assert!(caller.was_told(wanted), "{run:?}: {:?}", caller.told);
        caller.close().await;
        // The twin.
        assert!(open("http://shop.test/account").await.is_ok(), "{run:?}");
    }
    stage.shut().await;
    let came = (stage.site.hits_of("/account/delete").len(), stage.site.hits_of("/account").len());
    assert_eq!(came, (0, 3));
}
