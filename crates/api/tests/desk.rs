//! The desk socket from both sides.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{os::unix::fs::PermissionsExt, sync::Arc};

use legwork_api::DeskSocket;
use legwork_runtime::{Approvals, CancellationToken, Card, Question, Standing, USUAL_LIFE};
use legwork_types::contract::SessionId;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
    task::JoinSet,
};

#[tokio::test]
async fn a_terminal_of_the_same_user_sees_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.sock");
    let desk = Arc::new(Approvals::new(USUAL_LIFE));
    let socket = DeskSocket::bind(&path).unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let mut serving = JoinSet::new();
    serving.spawn(socket.serve(desk.clone(), CancellationToken::new()));
    let card = Card { method: "POST".into(), ..Card::default() };
    let question = Question {
        session: SessionId("s".into()),
        act: None,
        page: "p".into(),
        card,
        said: None,
        offers_errand: false,
    };
    let approval = desk.ask(question, || ());

    let ask = async |line: String| -> Value {
        let (read, mut write) = UnixStream::connect(&path).await.unwrap().into_split();
        write.write_all(line.as_bytes()).await.unwrap();
        write.shutdown().await.unwrap();
        let mut told = String::new();
        BufReader::new(read).read_line(&mut told).await.unwrap();
        serde_json::from_str(&told).unwrap()
    };
    let listed = ask("{\"do\":\"list\"}\n".into()).await;
    assert_eq!(listed["questions"][0]["id"], approval.id.0.as_str());
    let shown = ask(format!("{{\"do\":\"show\",\"id\":\"{}\"}}\n", approval.id)).await;
    assert_eq!(
        (&shown["question"]["method"], &shown["question"]["standing"]),
        (&"POST".into(), &"waiting".into())
    );
    let yes = format!("{{\"do\":\"answer\",\"id\":\"{}\",\"answer\":\"yes\"}}", approval.id);
    // A line without its end may have been meant to go on.
    assert_eq!(ask(yes.clone()).await["is"], "unreadable");
    // An answer that the question does not offer is none.
    assert_eq!(ask(format!("{}\n", yes.replace("yes", "errand"))).await["is"], "unreadable");
    assert_eq!(desk.standing(&approval.id), Standing::Waiting);
    assert_eq!(ask(format!("{yes}\n")).await["is"], "taken");
    assert_eq!(desk.standing(&approval.id), Standing::Approved);
    let second = ask(format!("{}\n", yes.replace("yes", "no"))).await;
    assert_eq!((&second["is"], &second["standing"]), (&"decided".into(), &"approved".into()));
    assert_eq!(ask(format!("{yes}\n").replace(&approval.id.0, "a0")).await["is"], "unknown");
}
