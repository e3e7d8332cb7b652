//! A picture as the browser itself writes it carries badges, and the page never learns of them.

use legwork_testkit::jpeg_size;

use super::*;

#[tokio::test]
async fn a_real_picture_carries_badges_that_the_page_never_sees() {
    let stage = Stage::on(Site::builder().bench_pages().start().await).await;
    let tab = stage.at("/shop").await;
    let frame = tab.frames().await.unwrap()[0].id.clone();
    let boxes: Vec<[f32; 4]> = tab
        .value(
            &frame,
            "[...document.querySelectorAll('a, button')].map(e => e.getBoundingClientRect()) \
             .map(r => [r.x, r.y, r.width, r.height])",
            &soon(),
        )
        .await
        .unwrap();
    let marks: Vec<Mark> = (1..)
        .zip(&boxes)
        .map(|(label, &[x, y, width, height])| Mark { label, x, y, width, height })
        .collect();
    let before: String = tab.value(&frame, "document.documentElement.outerHTML", &soon()).await.unwrap();
    let picture = tab.screenshot(&soon()).await.unwrap();

    let marked = mark(&picture, &marks, &[]).unwrap();

    assert!(marks.len() > 500);
    assert_eq!(jpeg_size(&marked), (1280, 720));
    assert_ne!(marked, mark(&picture, &[], &[]).unwrap());
    let after: String = tab.value(&frame, "document.documentElement.outerHTML", &soon()).await.unwrap();
    assert!(before == after, "the page has changed");
    assert!(matches!(mark(&picture[..picture.len() / 2], &marks, &[]), Err(MarkError::Unreadable(_))));
    stage.end().await;
}
