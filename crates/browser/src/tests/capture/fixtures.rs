//! The fixtures of the pure core are what a real browser gives today.

use legwork_observe::capture::{PageCapture, Rect};

use super::{recording::stable, *};

const FIXTURES: [&str; 9] = [
    "booking_form",
    "checkout",
    "consent_and_dialog",
    "dashboard",
    "errors",
    "frames",
    "login",
    "navigation_twins",
    "shop_listing",
];

/// Without what depends on the fonts of a machine.
fn without_places(mut page: PageCapture) -> PageCapture {
    for frame in &mut page.frames {
        frame.look.document.viewport = [0; 6];
        frame.look.controls.iter_mut().for_each(|control| control.rect = Rect::default());
        frame.look.owners.iter_mut().for_each(|owner| owner.quad = [0.0; 8]);
        frame.look.groups.iter_mut().for_each(|group| group.rect = Rect::default());
    }
    page
}

#[tokio::test]
async fn a_page_recorded_again_is_the_committed_fixture() {
    let stage = Stage::new().await;
    for name in FIXTURES {
        let file = format!("{}/../observe/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let committed = std::fs::read_to_string(&file).expect("the fixture is there");
        let committed: PageCapture = serde_json::from_str(&committed).expect("the fixture can be read");
        let tab = loaded(&stage, &format!("site_{name}.html")).await;
        let page = stable(&capture(&tab).await.page, &stage.site.here(), &stage.site.other());
        let [recorded, committed] = [page, committed].map(|page| recording::written(&without_places(page)));
        assert_eq!(
            recorded, committed,
            "{name} has changed: cargo run -p legwork-browser --example record_capture -- page:site_{name} {file}"
        );
    }
    stage.end().await;
}
