//! Going to a page on behalf of somebody who is not there: what the page asks is dismissed, never accepted.

use std::time::Duration;

use legwork_browser::{Body, BrowserError, Landing, Limit, Recorded, Tab};
use legwork_types::PageUrl;
use tokio_util::sync::CancellationToken;

use crate::Keeper;

/// How long it may take until a browser and a tab are there.
pub const STARTUP: Duration = Duration::from_secs(45);

/// How long the page's own pictures and scripts are waited for once it is there.
pub(crate) const COMPLETE: Duration = Duration::from_secs(5);

/// Questions of the page that are dismissed before we give up.
const DISMISSED: usize = 20;

/// A page that was gone to.
pub(crate) struct Visit<'a> {
    keeper: &'a Keeper,
    /// The tab that shows it.
    pub(crate) tab: Tab,
    /// Where the browser went.
    pub(crate) landing: Landing,
    /// The last happening before.
    before: u64,
}

impl<'a> Visit<'a> {
    /// Goes to `url` and waits until it is complete, or has had its time.
    pub(crate) async fn to(
        url: &PageUrl,
        keeper: &'a Keeper,
        navigation: Duration,
        cancel: &CancellationToken,
    ) -> Result<Self, BrowserError> {
        let within = |duration| Limit::within(duration).cancelled_by(cancel.clone());
        keeper.admits(url.as_str())?;
        let tab = keeper.page(&within(STARTUP)).await?;
        let mark = keeper.mark().await;
        let before = keeper.happenings(0).await?.last().map_or(0, |last| last.number);
        let limit = within(navigation);
        let went = tab.navigate(url, &limit).await;
        let status = went.as_ref().ok().and_then(|landing| landing.status);
        if let Some(why) = keeper.unreached(url.as_str(), mark, status).await {
            return Err(why);
        }
        let landing = match went {
            Err(BrowserError::DialogOpen { .. }) => past_dialogs(&tab, &limit).await?,
            outcome => outcome?,
        };
        let landing = complete(&tab, landing, &within(2 * COMPLETE)).await?;
        Ok(Self { keeper, tab, landing, before })
    }

    /// What `job` gives, once no question of the page is in its way any more.
    pub(crate) async fn undisturbed<T>(
        &self,
        mut job: impl AsyncFnMut(&Tab) -> Result<T, BrowserError>,
    ) -> Result<T, BrowserError> {
        let mut left = DISMISSED;
        loop {
            match job(&self.tab).await {
                Ok(done) => return Ok(done),
                Err(error) => dismiss(&self.tab, error, &mut left).await?,
            }
        }
    }

    /// What happened on the way without being asked for.
    pub(crate) async fn happenings(&self) -> Result<Vec<Recorded>, BrowserError> {
        self.keeper.happenings(self.before).await
    }
}

/// Waits until a page that was landed on is complete, or has had its time.
pub(crate) async fn complete(tab: &Tab, landing: Landing, limit: &Limit) -> Result<Landing, BrowserError> {
    tab.loaded(&limit.at_most(COMPLETE)).await;
    match landing.body {
        Body::Coming => tab.landing(&limit.at_most(COMPLETE)).await,
        _ => Ok(landing),
    }
}

/// The page asks before it is there: nobody is at hand who could answer.
async fn past_dialogs(tab: &Tab, limit: &Limit) -> Result<Landing, BrowserError> {
    let mut left = DISMISSED;
    while let Err(error) = tab.check(limit).await {
        dismiss(tab, error, &mut left).await?;
    }
    tab.landing(limit).await
}

/// Dismisses the dialog that stands in the way; any other obstacle is the caller's.
async fn dismiss(tab: &Tab, obstacle: BrowserError, left: &mut usize) -> Result<(), BrowserError> {
    if !matches!(obstacle, BrowserError::DialogOpen { .. }) || *left == 0 {
        return Err(obstacle);
    }
    *left -= 1;
    tab.dismiss_dialog().await.map(drop)
}
