//! An answer did not come in time: is the page slow, is it hung, or is the browser gone? What destroys something needs
//! evidence; without it the verdict is a plain timeout.

use std::time::{Duration, Instant};

use legwork_cdp::{
    CdpError, Command, Limit, Link, Lost, Reply, SessionId,
    protocol::{browser, page, runtime},
};

use crate::{BrowserError, tab::Tab, world::Gone};

/// The part of every wait that is kept for the diagnosis.
pub(crate) const RESERVE: Duration = Duration::from_secs(3);

/// How long a page must leave the cheapest question unanswered until it counts as hung.
const PAGE_EVIDENCE: Duration = Duration::from_secs(2);

/// How long nothing at all must come from a browser that was asked until it counts as gone.
const BROWSER_EVIDENCE: Duration = Duration::from_secs(4);

/// The cheapest question that only a living renderer answers.
pub(crate) fn probe() -> runtime::Evaluate<'static> {
    runtime::Evaluate { expression: "0", context_id: None, return_by_value: true, await_promise: false }
}

/// Asks the browser itself.
pub(crate) async fn ask_browser<C: Command>(
    link: &Link,
    command: &C,
    what: &'static str,
    limit: &Limit,
) -> Result<Reply, BrowserError> {
    let began = Instant::now();
    link.call(None, command, limit).await.map_err(|error| match error {
        CdpError::Deadline { .. } => silence(link, began, BrowserError::Timeout { what, url: String::new() }),
        error => BrowserError::of_browser(error, what),
    })
}

/// The browser did not answer since `began`: gone if nothing else came from it either, for long enough.
fn silence(link: &Link, began: Instant, otherwise: BrowserError) -> BrowserError {
    if link.silent_for().min(began.elapsed()) < BROWSER_EVIDENCE {
        return otherwise;
    }
    link.give_up(Lost::Silent);
    BrowserError::Lost { cause: Lost::Silent, url: None }
}

impl Tab {
    /// Why `session` of this tab left an answer or an event wanting since `began`. Comes within the limit.
    pub(crate) async fn diagnose(
        &self,
        what: &'static str,
        session: &SessionId,
        began: Instant,
        limit: &Limit,
    ) -> BrowserError {
        if let Some(obstacle) = self.obstacle() {
            return obstacle;
        }
        let main = self.session();
        // Chromium keeps back whatever is sent to a page while a navigation of it waits for its server: such a page
        // would look hung. What goes on loading after its time is over would disturb the next command anyway.
        let _ = self.link.post(Some(&main), &page::StopLoading {});
        // A little is kept so that the verdict, too, comes within the limit.
        let patience = limit.keeping(Duration::from_millis(200));
        let asked = Instant::now();
        let (get_version, probe) = (browser::GetVersion {}, probe());
        let (browser, page, frame) = tokio::join!(
            self.link.call(None, &get_version, &patience),
            self.link.call(Some(&main), &probe, &patience),
            async {
                if *session == main {
                    Ok(None)
                } else {
                    self.link.call(Some(session), &probe, &patience).await.map(Some)
                }
            },
        );
        let timeout = BrowserError::Timeout { what, url: self.url() };
        match browser {
            Err(CdpError::Cancelled { .. }) => return BrowserError::Cancelled { what },
            Err(CdpError::Lost(lost)) => return self.lost(lost),
            Err(CdpError::Deadline { .. }) => {
                return match silence(&self.link, began, timeout) {
                    BrowserError::Lost { cause, .. } => self.lost(cause),
                    otherwise => otherwise,
                };
            }
            // A refusal is an answer too.
            Ok(_) | Err(_) => {}
        }
        if let Some(obstacle) = self.obstacle() {
            return obstacle;
        }
        let enough = asked.elapsed() >= PAGE_EVIDENCE;
        match (page, frame) {
            (Err(CdpError::SessionGone { .. }), _) => self.session_gone(&main, limit).await,
            (Err(CdpError::Deadline { .. }), _) if enough => {
                let id = self.id();
                let end =
                    self.hub.ask(move |world| ((), world.end_tab(id, Gone::Unresponsive, "unresponsive")));
                match end.await {
                    Ok(()) => self.ended(),
                    Err(lost) => self.lost(lost),
                }
            }
            (Ok(_), Err(CdpError::SessionGone { .. })) => BrowserError::FrameGone,
            (Ok(_), Err(CdpError::Deadline { .. })) if enough => BrowserError::FrameHung { url: self.url() },
            _ => timeout,
        }
    }
}
