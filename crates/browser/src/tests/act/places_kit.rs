//! What the tests of every place share: the same controls in the page, in shadow roots of both kinds and in a frame of another site,
//! and what they received there.

use super::{fields_kit::*, *};

/// Where the controls are.
pub(super) const PLACES: [&str; 4] =
    ["act_places.html", "act_places.html?mode=open", "act_places.html?mode=closed", "act_places_far.html"];
/// The document that the controls are in.
const CONTROLS: &str = "act_places.html";

/// One of the places, open in front.
pub(super) struct Place {
    pub stage: Stage,
    pub tab: Tab,
}

impl Place {
    pub(super) async fn new() -> Self {
        let stage = Stage::new().await;
        let tab = stage.tab().await;
        Self { stage, tab }
    }

    pub(super) async fn go(&mut self, page: &str) {
        self.tab = opened(&self.stage, page).await;
    }

    /// What the document with the controls says of an expression, as words.
    pub(super) async fn says(&self, expression: &str) -> String {
        let frames = self.tab.frames().await.unwrap();
        let frame = frames.iter().find(|frame| frame.url.contains(CONTROLS)).expect("the controls are there");
        self.tab.value(&frame.id, &format!("String({expression})"), &soon()).await.unwrap()
    }

    /// What the page made of it.
    pub(super) async fn note(&self) -> String {
        self.says("document.documentElement.dataset.note").await
    }

    /// What the controls received of these kinds since this was asked last, as `input:id=value`; what a script made has a `!` behind it.
    pub(super) async fn took(&self, kinds: &[&str]) -> Vec<String> {
        let all = told(&self.tab, CONTROLS, kinds).await;
        self.forget().await;
        all
    }

    /// The same as `click:id 0+ctrlKey`: which button or key, and what was held.
    pub(super) async fn took_how(&self, kinds: &[&str]) -> Vec<String> {
        let all = events(&self.tab, CONTROLS).await;
        self.forget().await;
        let all = all.into_iter().filter(|event| kinds.contains(&event.0.as_str()));
        all.map(|Event(kind, id, how, trusted, _)| {
            format!("{kind}:{id} {how}{}", if trusted { "" } else { "!" })
        })
        .collect()
    }

    async fn forget(&self) {
        self.says("delete document.documentElement.dataset.record").await;
    }

    /// Does something that must come to its end and be sent.
    pub(super) async fn does(&self, name: &str, deed: Deed) {
        assert!(done(&self.stage, name, deed).await, "{name} at {}", self.tab.url());
    }

    pub(super) async fn end(self) {
        self.stage.end().await;
    }
}
