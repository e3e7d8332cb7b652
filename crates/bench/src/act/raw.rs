//! The floor: the bare input that a script would send to a point that it knows, and nothing else.

use anyhow::Context as _;
use legwork_browser::{Browser, Context, Tab};
use legwork_cdp::{
    Command,
    protocol::{input::DispatchMouseEvent, runtime},
};
use serde::Serialize;

use super::Deed;
use crate::observe::{Opened, go, open, patience, subject::whole_observation};

/// A browser of its own with the same page.
pub(crate) struct RawHand {
    browser: Browser,
    _context: Context,
    tab: Tab,
    /// The middle of the button.
    button: (f64, f64),
}

impl RawHand {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let Opened { browser, context, tab } = open().await?;
        Ok(Self { browser, _context: context, tab, button: (0.0, 0.0) })
    }

    pub(crate) fn product(&self) -> String {
        self.browser.product().to_owned()
    }

    pub(crate) async fn end(self) {
        self.browser.close().await;
    }

    pub(crate) async fn go(&mut self, url: &str) -> anyhow::Result<()> {
        go(&self.tab, url).await?;
        let place = "(() => { const r = document.getElementById('hit').getBoundingClientRect(); \
            return [r.x + r.width / 2, r.y + r.height / 2]; })()";
        let reply = self.evaluates(place).await?;
        let evaluated = reply.read::<runtime::Evaluated<'_>>()?;
        let value = evaluated.result.value.context("the page has no button")?;
        self.button = serde_json::from_str(value.get())?;
        Ok(())
    }

    /// Sends the input, each part when the one before was answered.
    pub(crate) async fn does(&self, deed: Deed, words: &str) -> anyhow::Result<()> {
        match deed {
            Deed::Click => {
                for (kind, button) in
                    [("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")]
                {
                    let (x, y) = self.button;
                    let event = DispatchMouseEvent {
                        kind,
                        x,
                        y,
                        button,
                        buttons: 0,
                        click_count: 1,
                        modifiers: 0,
                        delta_x: 0.0,
                        delta_y: 0.0,
                    };
                    self.tab.ask(&event, &patience()).await?;
                }
            }
            Deed::Fill => {
                self.evaluates(
                    "document.getElementById('box').focus(), document.getElementById('box').select()",
                )
                .await?;
                self.tab.ask(&InsertText { text: words }, &patience()).await?;
            }
        }
        Ok(())
    }

    /// One observation of the page as it is now, with nothing waited for.
    pub(crate) async fn observes(&self) -> anyhow::Result<()> {
        whole_observation(&self.tab, &patience()).await.map(drop)
    }

    /// Waits until the page has drawn what came of it: what it still does would slow down whoever is measured next.
    pub(crate) async fn rests(&self) -> anyhow::Result<()> {
        let frames =
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
        self.evaluates(frames).await.map(drop)
    }

    async fn evaluates(&self, expression: &str) -> anyhow::Result<legwork_browser::Reply> {
        let evaluate =
            runtime::Evaluate { expression, context_id: None, return_by_value: true, await_promise: true };
        Ok(self.tab.ask(&evaluate, &patience()).await?)
    }
}

#[derive(Serialize)]
struct InsertText<'a> {
    text: &'a str,
}

impl Command for InsertText<'_> {
    const METHOD: &'static str = "Input.insertText";
}
