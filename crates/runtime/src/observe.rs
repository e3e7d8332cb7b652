//! The job of looking at one page: what it offers, ranked and numbered, with a picture that carries the same numbers.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use legwork_browser::{
    Body, BrowserError, Capture, CaptureOptions, Epoch, HiddenControls, Landing, Limit, Mark, Recorded, Rect,
    Source, Tab, TabSummary, mark,
};
use legwork_observe::{Look, PageCapture, Scene, Veil, capture::TabFacts};
use legwork_types::{
    PageText, PageUrl, Timestamp,
    contract::{ActionId, Affordance, Banner, Mode, ObservationId, ObserveOptions, SessionId},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Keeper, Numbering, PICTURE,
    cover::{covers, rect_of},
    matter::notice,
    nothing::nothing,
    random,
    visit::Visit,
};

/// How long a look may take.
pub const LOOK: Duration = Duration::from_secs(15);

/// Which picture goes with a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Picture {
    /// None.
    #[default]
    None,
    /// One with a badge on everything in sight that has a number.
    Marked,
}

/// A look at a page and what belongs to it.
#[derive(Debug)]
pub struct Sight {
    /// Where the browser went.
    pub landing: Landing,
    /// What the page offers.
    pub look: Look,
    /// The picture, a JPEG of the viewport.
    pub jpeg: Option<Vec<u8>>,
    /// What happened on the way without being asked for: dialogs, tabs, downloads.
    pub happenings: Vec<Recorded>,
}

/// Opens `url` and looks at it. A question of the page is dismissed, never accepted.
pub async fn observe(
    keeper: &Keeper,
    url: &PageUrl,
    options: &ObserveOptions,
    picture: Picture,
    navigation: Duration,
    cancel: &CancellationToken,
) -> Result<Sight, BrowserError> {
    let visit = Visit::to(url, keeper, navigation, cancel).await?;
    let within = |duration| Limit::within(duration).cancelled_by(cancel.clone());
    let session = SessionId(random::name("s"));
    let tabs = keeper.tabs(&within(LOOK)).await?;
    let asked = PageText::from(url.to_string());
    let (page, epoch) = match visit.landing.body {
        Body::Empty => (nothing(&visit.landing), None),
        _ => {
            let seen = visit.undisturbed(async |tab| capture(tab, options, &within(LOOK)).await).await?;
            (seen.page, Some(seen.epoch))
        }
    };
    let look = understand(page, &session, Numbering::Anew, &asked, &tabs, notice(&visit.landing), None);
    let jpeg = match picture {
        Picture::None => None,
        Picture::Marked => {
            let covers = match &epoch {
                None => vec![],
                Some(epoch) => {
                    let limit = within(PICTURE);
                    visit.undisturbed(async |tab| covers(tab, &look, epoch, &limit).await).await?
                }
            };
            let jpeg = visit.undisturbed(async |tab| tab.screenshot(&within(PICTURE)).await).await?;
            Some(marked(&jpeg, &look, &covers)?)
        }
    };
    let happenings = visit.happenings().await?;
    Ok(Sight { landing: visit.landing, look, jpeg, happenings })
}

/// Looks at what a tab shows. `asked` is the address that it was sent to, `tabs` are those beside it.
pub async fn look(
    tab: &Tab,
    session: &SessionId,
    asked: &PageText,
    tabs: &[TabSummary],
    options: &ObserveOptions,
    limit: &Limit,
) -> Result<(Look, Epoch), BrowserError> {
    let Capture { page, epoch } = capture(tab, options, limit).await?;
    Ok((understand(page, session, Numbering::Anew, asked, tabs, None, None), epoch))
}

async fn capture(tab: &Tab, options: &ObserveOptions, limit: &Limit) -> Result<Capture, BrowserError> {
    tab.capture(&how(options), limit).await
}

/// How a page is looked at for these options.
pub(crate) fn how(options: &ObserveOptions) -> CaptureOptions {
    CaptureOptions {
        hidden: if options.include_hidden { HiddenControls::Listed } else { HiddenControls::Counted },
        source: match options.mode {
            Mode::A11y => Source::AccessibilityTree,
            Mode::Auto | Mode::Dom => Source::Walker,
        },
        pinned: None,
    }
}

/// Makes sense of what was seen. `notice` comes before what the page itself has to say; what the veil hides is nowhere.
pub(crate) fn understand(
    mut page: PageCapture,
    session: &SessionId,
    numbering: Numbering,
    asked: &PageText,
    tabs: &[TabSummary],
    notice: Option<Banner>,
    veil: Option<Arc<dyn Veil>>,
) -> Look {
    page.requested_url = asked.clone();
    page.tabs = tabs.iter().map(tab_facts).collect();
    let mut scene = Scene::behind(&page, veil);
    scene.page.banners.splice(0..0, notice);
    Look::numbered_from(numbering.first(), scene, new_name(), session.clone(), now())
}

/// A name for a look.
pub(crate) fn new_name() -> ObservationId {
    ObservationId(random::name("o"))
}

/// The moment that it is.
pub(crate) fn now() -> Timestamp {
    Timestamp::of(SystemTime::now())
}

fn tab_facts(tab: &TabSummary) -> TabFacts {
    TabFacts {
        id: tab.id,
        url: PageText::from(tab.url.as_str()),
        title: PageText::from(tab.title.as_str()),
        active: tab.active,
    }
}

/// The picture with the numbers of the look on everything in sight, and with `covers` painted over.
fn marked(jpeg: &[u8], look: &Look, covers: &[Rect]) -> Result<Vec<u8>, BrowserError> {
    let affordances = look.scene().items.iter().map(|item| &item.affordance);
    let badges: Vec<Mark> =
        affordances.filter_map(|affordance| badge(affordance, affordance.action_id)).collect();
    painted(jpeg, &badges, covers)
}

/// The badge with this number on something that is in sight.
pub(crate) fn badge(affordance: &Affordance, number: ActionId) -> Option<Mark> {
    let is_seen = affordance.visible && affordance.in_viewport && !affordance.covered;
    let Rect { x, y, width, height } = rect_of(affordance.rect.filter(|_| is_seen)?);
    Some(Mark { label: number.0, x, y, width, height })
}

/// The picture with these badges on it, and with `covers` painted over.
pub(crate) fn painted(jpeg: &[u8], badges: &[Mark], covers: &[Rect]) -> Result<Vec<u8>, BrowserError> {
    mark(jpeg, badges, covers).map_err(|error| BrowserError::unreadable_picture(error.to_string()))
}
