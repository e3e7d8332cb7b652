//! Giving files to pages: only those of the permit, to the field itself or through the chooser that a press opens.

use std::path::PathBuf;

use super::{fields_kit::*, *};

/// Two files in a folder of their own.
fn files() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let files = ["first.txt", "second.txt"].map(|name| {
        let path = folder.path().canonicalize().unwrap().join(name);
        std::fs::write(&path, name).unwrap();
        path
    });
    (folder, files.into())
}

async fn upload(stage: &Stage, name: &str, files: &[PathBuf]) -> Result<Done, NotDone> {
    let looked = looked(stage).await;
    let asked = files.iter().map(|file| file.display().to_string()).collect();
    let intent = Intent::OnElement { target: looked.number(name), deed: Deed::Upload(asked) };
    stage.context.act(looked.permit_with(intent, files, None), &looked.aims(), &soon()).await
}

async fn given(tab: &Tab, id: &str) -> String {
    value(tab, &format!("Array.from(document.getElementById('{id}').files, (file) => file.name).join()"))
        .await
}

#[tokio::test]
async fn fields_take_files_also_where_they_are_hidden() {
    let stage = Stage::new().await;
    let (_folder, files) = files();
    let tab = opened(&stage, "field_files.html").await;
    upload(&stage, "One", &files[..1]).await.expect("one file");
    assert_eq!(given(&tab, "one").await, "first.txt");
    upload(&stage, "Many", &files).await.expect("two files");
    assert_eq!(given(&tab, "many").await, "first.txt,second.txt");
    assert_eq!(told(&tab, "field_files", &["change"]).await.len(), 2);
    upload(&stage, "File in far", &files[..1]).await.expect("in a frame of another site");
    let far = told(&tab, "field_inner.html?far", &["change"]).await;
    assert_eq!(far, [r"change:file=C:\fakepath\first.txt"]);
    stage.end().await;
}

#[tokio::test]
async fn a_chooser_that_a_press_opens_gets_the_files() {
    let stage = Stage::new().await;
    let (_folder, files) = files();
    let tab = opened(&stage, "field_files.html").await;
    upload(&stage, "Attach", &files[..1]).await.expect("one file");
    until("the file is there", async || given(&tab, "unseen").await == "first.txt").await;
    let not = upload(&stage, "Attach", &files).await.unwrap_err();
    assert!(why(&not.why).contains("only one file") && not.permit.is_none(), "{not:?}");
    upload(&stage, "Picture", &files[1..]).await.expect("the label of a hidden field");
    assert_eq!(given(&tab, "picture").await, "second.txt");
    stage.end().await;
}

#[tokio::test]
async fn what_takes_no_files_or_not_so_many_is_refused() {
    let stage = Stage::new().await;
    let (_folder, files) = files();
    let tab = opened(&stage, "field_files.html").await;
    let not = upload(&stage, "One", &files).await.unwrap_err();
    assert!(why(&not.why).contains("only one file") && not.permit.is_some(), "{not:?}");
    let not = upload(&stage, "Off", &files[..1]).await.unwrap_err();
    assert!(matches!(not.why, Blocked::Disabled), "{not:?}");
    let not = upload(&stage, "Idle", &files[..1]).await.unwrap_err();
    assert!(why(&not.why).contains("asked for no file") && not.receipt.dispatched, "{not:?}");
    assert_eq!(told(&tab, "field_files", &["change"]).await, [""; 0]);
    stage.end().await;
}
