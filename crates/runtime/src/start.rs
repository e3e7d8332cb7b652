//! Starting a browser from where it comes from, and ending one that does not answer any more.

use legwork_browser::{Browser, BrowserError, Limit, Lost};

use crate::{BrowserSource, KeeperEvent};

type Watch = Box<dyn FnMut(KeeperEvent) + Send>;

/// Starts browsers one after another, and tells what happens to them.
pub(crate) struct Starter {
    source: BrowserSource,
    watch: Watch,
}

impl Starter {
    /// Nothing is started yet.
    pub(crate) fn new(source: BrowserSource, watch: impl FnMut(KeeperEvent) + Send + 'static) -> Self {
        Self { source, watch: Box::new(watch) }
    }

    /// A new browser.
    pub(crate) async fn start(&mut self, limit: &Limit) -> Result<Browser, BrowserError> {
        let Self { source, watch } = self;
        let browser = match source {
            BrowserSource::Launch(options) => Browser::launch(options, limit).await?,
            BrowserSource::Endpoints(endpoints) => {
                Browser::connect(endpoints, limit, &mut |event| watch(KeeperEvent::Endpoint(event))).await?
            }
        };
        watch(KeeperEvent::Started {
            product: browser.product().to_owned(),
            pid: browser.pid(),
            sandbox: browser.sandbox(),
        });
        Ok(browser)
    }

    /// Ends what does not answer any more; to ask it politely would only take time. `url` is where its page was.
    pub(crate) async fn bury(&mut self, browser: Browser, cause: Lost, url: Option<String>) {
        tracing::warn!(%cause, ?url, "the browser is gone; a new one takes its place");
        // Killing and removing files block. Were the task lost, the drop would happen in it all the same.
        let _ = tokio::task::spawn_blocking(move || drop(browser)).await;
        (self.watch)(KeeperEvent::Replaced { cause, url });
    }
}
