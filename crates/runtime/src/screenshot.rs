//! The job of taking one picture of one page.

use std::time::Duration;

use legwork_browser::{BrowserError, Landing, Limit, Recorded};
use legwork_types::PageUrl;
use tokio_util::sync::CancellationToken;

use crate::{Keeper, visit::Visit};

/// How long the picture itself may take.
pub const PICTURE: Duration = Duration::from_secs(10);

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
    let visit = Visit::to(url, keeper, navigation, cancel).await?;
    let limit = Limit::within(PICTURE).cancelled_by(cancel.clone());
    let jpeg = visit.undisturbed(async |tab| tab.screenshot(&limit).await).await?;
    let happenings = visit.happenings().await?;
    Ok(Shot { landing: visit.landing, jpeg, happenings })
}
