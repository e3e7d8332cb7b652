//! Starting a browser from where it comes from, and ending one that does not answer any more.

use std::{sync::Arc, time::Instant};

use legwork_browser::{Browser, BrowserError, ContextOptions, LaunchOptions, Limit, Lost};
use legwork_types::HostPort;

use crate::{
    BrowserSource, KeeperEvent, SelfTest,
    enclosure::{Enclosure, Ways},
    gate::Gate,
    self_test::{Subject, Verdicts},
};

type Watch = Box<dyn FnMut(KeeperEvent) + Send>;

/// Starts browsers one after another, and tells what happens to them.
pub(crate) struct Starter {
    source: BrowserSource,
    watch: Watch,
    ways: Ways,
    verdicts: Verdicts,
    testing: Testing,
}

/// When the flags of a browser are put to the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Testing {
    /// Where it is not known that they passed.
    #[default]
    IfUnknown,
    /// In any case.
    Always,
}

impl Starter {
    /// Nothing is started yet.
    pub(crate) fn new(
        source: BrowserSource,
        upstream: Option<HostPort>,
        watch: impl FnMut(KeeperEvent) + Send + 'static,
    ) -> Self {
        Self {
            source,
            watch: Box::new(watch),
            ways: Ways::new(upstream),
            verdicts: Verdicts::usual(),
            testing: Testing::default(),
        }
    }

    /// The same with other verdicts than the user's.
    #[cfg(test)]
    pub(crate) fn with_verdicts(self, verdicts: Verdicts) -> Self {
        Self { verdicts, ..self }
    }

    /// From now on flags are tested at this time.
    pub(crate) fn tests(&mut self, testing: Testing) {
        self.testing = testing;
    }

    /// A new browser.
    pub(crate) async fn start(&mut self, limit: &Limit) -> Result<Browser, BrowserError> {
        let Self { source, watch, ways, verdicts, testing } = self;
        let browser = match source {
            BrowserSource::Launch(options) => {
                let proxy = Some(ways.for_a_browser().await?);
                Browser::launch(&LaunchOptions { proxy, ..options.clone() }, limit).await?
            }
            BrowserSource::Endpoints(endpoints) => {
                Browser::connect(endpoints, limit, &mut |event| watch(KeeperEvent::Endpoint(event))).await?
            }
        };
        if let Err(error) = tested(&browser, ways, verdicts, *testing, watch, limit).await {
            browser.close().await;
            return Err(error);
        }
        watch(KeeperEvent::Started {
            product: browser.product().to_owned(),
            pid: browser.pid(),
            sandbox: browser.sandbox(),
        });
        Ok(browser)
    }

    /// A place in a browser that was started here, behind this gate.
    pub(crate) async fn enclose(
        &mut self,
        browser: &Browser,
        gate: Arc<Gate>,
        options: &ContextOptions,
        limit: &Limit,
    ) -> Result<Enclosure, BrowserError> {
        self.ways.enclose(browser, gate, options, limit).await
    }

    /// Ends what does not answer any more; to ask it politely would only take time. `url` is where its page was.
    pub(crate) async fn bury(&mut self, browser: Browser, cause: Lost, url: Option<String>) {
        // Not where its page was: the log holds nothing that pages wrote.
        tracing::warn!(%cause, "the browser is gone; a new one takes its place");
        // Killing and removing files block. Were the task lost, the drop would happen in it all the same.
        let end = move || {
            browser.kill();
            drop(browser);
        };
        let _ = tokio::task::spawn_blocking(end).await;
        (self.watch)(KeeperEvent::Replaced { cause, url });
    }
}

/// Proves once for a program and its flags that pages can't get past the gate. One that somebody else started can't be vouched for
/// anyway.
async fn tested(
    browser: &Browser,
    ways: &Ways,
    verdicts: &Verdicts,
    testing: Testing,
    watch: &mut Watch,
    limit: &Limit,
) -> Result<(), BrowserError> {
    let (Some(binary), Some(line)) = (browser.binary(), browser.flag_line()) else { return Ok(()) };
    let subject =
        Subject { binary: binary.to_owned(), product: browser.product().to_owned(), line: line.to_owned() };
    if testing == Testing::IfUnknown {
        let (verdicts, subject) = (verdicts.clone(), subject.clone());
        // Reading files blocks. A task that is lost knows nothing.
        let known = tokio::task::spawn_blocking(move || verdicts.passed(&subject)).await.ok().flatten();
        if let Some(since) = known {
            watch(KeeperEvent::SelfTest(SelfTest::PassedEarlier { since }));
            return Ok(());
        }
    }
    let began = Instant::now();
    ways.rehearse(browser, limit).await?;
    watch(KeeperEvent::SelfTest(SelfTest::PassedNow { took: began.elapsed() }));
    let verdicts = verdicts.clone();
    let remembered = tokio::task::spawn_blocking(move || verdicts.remember(&subject)).await;
    if let Ok(Err(error)) = remembered {
        tracing::warn!(%error, "the self-test passed, but that can't be remembered: the next start tests again");
    }
    Ok(())
}
