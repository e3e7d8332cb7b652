//! The job of taking one picture of one page.

use std::time::Duration;

use legwork_browser::{BrowserError, DialogAnswer, Landing, Limit, Lossy, Recorded, Tab};
use legwork_types::PageUrl;
use tokio_util::sync::CancellationToken;

use crate::Keeper;

/// How long it may take until a browser and a tab are there.
pub const STARTUP: Duration = Duration::from_secs(45);

/// How long the page's own pictures are waited for once it is there.
const COMPLETE: Duration = Duration::from_secs(5);

/// How long the picture itself may take.
pub const PICTURE: Duration = Duration::from_secs(10);

/// Questions of the page that are dismissed before we give up.
const DISMISSED: usize = 20;

/// A picture and where it was taken.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Where the browser went.
    pub landing: Landing,
    /// The picture, a JPEG of the viewport.
    pub jpeg: Vec<u8>,
    /// What happened on the way without being asked for: dialogs, tabs, downloads.
    pub happenings: Vec<Recorded>,
}

/// Opens `url` and takes a picture of what a person would see. A question of the page is dismissed, never accepted.
pub async fn screenshot(
    keeper: &Keeper,
    url: &PageUrl,
    navigation: Duration,
    cancel: &CancellationToken,
) -> Result<Shot, BrowserError> {
    let within = |duration| Limit::within(duration).cancelled_by(cancel.clone());
    let tab = keeper.page(&within(STARTUP)).await?;
    let before = keeper.happenings(0).await?.last().map_or(0, |last| last.number);
    let limit = within(navigation);
    let landing = match tab.navigate(url, &limit).await {
        Err(BrowserError::DialogOpen { .. }) => past_dialogs(&tab, &limit).await?,
        outcome => outcome?,
    };
    tab.loaded(&within(COMPLETE)).await;
    let jpeg = picture(&tab, &within(PICTURE)).await?;
    let happenings = keeper.happenings(before).await?;
    Ok(Shot { landing, jpeg, happenings })
}

/// The page asks before it is there: nobody is at hand who could answer.
async fn past_dialogs(tab: &Tab, limit: &Limit) -> Result<Landing, BrowserError> {
    let mut left = DISMISSED;
    while let Err(error) = tab.check(limit).await {
        dismiss(tab, error, &mut left).await?;
    }
    let main = tab.frames().await?.into_iter().next();
    let title = match main {
        Some(main) => tab.value::<Lossy>(&main.id, "document.title.slice(0, 500)", limit).await,
        None => Ok(Lossy::default()),
    };
    Ok(Landing { url: tab.url(), title: title.unwrap_or_default().0, status: None })
}

async fn picture(tab: &Tab, limit: &Limit) -> Result<Vec<u8>, BrowserError> {
    let mut left = DISMISSED;
    loop {
        match tab.screenshot(limit).await {
            Ok(jpeg) => return Ok(jpeg),
            Err(error) => dismiss(tab, error, &mut left).await?,
        }
    }
}

/// Dismisses the dialog that stands in the way; any other obstacle is the caller's.
async fn dismiss(tab: &Tab, obstacle: BrowserError, left: &mut usize) -> Result<(), BrowserError> {
    if !matches!(obstacle, BrowserError::DialogOpen { .. }) || *left == 0 {
        return Err(obstacle);
    }
    *left -= 1;
    tab.answer_dialog(DialogAnswer::Dismiss).await.map(drop)
}
