//! Doing something to a page: only against a permit, by real input, and with a receipt of what really came of it.

mod aim;
mod drag;
mod fields;
mod grip;
mod guard;
mod keyboard;
mod outcome;
mod page;
mod pointer;
mod scroll;
mod selector;
mod settle;
mod wait;
pub(crate) mod watch;
mod witness;

use std::{path::Path, pin::Pin};

use legwork_cdp::Limit;
use legwork_observe::ElementRef;
use legwork_policy::{Permit, secrets::SecretValues};
use legwork_types::{
    Deed, Intent, TabId,
    contract::{ActionId, Receipt},
};

pub use outcome::{After, Blocked, Done, NotDone};
pub(crate) use outcome::{Did, Miss};
use watch::{Purpose, Settled, Watch, concluded};

use crate::{Context, Epoch, tab::Tab};

/// Something that is done while the effects of an act settle.
pub(crate) type Meanwhile<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// What a permit is about, as it was when the page was looked at.
#[derive(Debug, Clone)]
pub struct Aims {
    /// The tab that was looked at; any one will do where no page was seen.
    pub tab: Option<TabId>,
    /// The name of that look in the page.
    pub epoch: Epoch,
    /// The elements by their numbers.
    pub elements: Vec<(ActionId, ElementRef)>,
    /// The secrets that are typed, looked up just before.
    pub secrets: SecretValues,
}

impl Aims {
    /// The element with this number.
    pub fn element(&self, action: ActionId) -> Option<&ElementRef> {
        self.elements.iter().find(|(number, _)| *number == action).map(|(_, element)| element)
    }

    fn wanted(&self, action: ActionId) -> Result<&ElementRef, Blocked> {
        self.element(action).ok_or(Blocked::Gone)
    }
}

impl Context {
    /// Does what the permit allows, to the tab in front, and waits until its effects have settled. Nothing else sends input to a
    /// page.
    pub async fn act(&self, permit: Permit, aims: &Aims, limit: &Limit) -> Result<Done, NotDone> {
        self.act_and_look(permit, aims, None, limit).await
    }

    /// The same. Where the page does not seem to go on after the input, `look` may look at it while the effects settle: what is done
    /// then tells whether that look still holds.
    pub async fn act_and_look(
        &self,
        permit: Permit,
        aims: &Aims,
        look: Option<Meanwhile<'_>>,
        limit: &Limit,
    ) -> Result<Done, NotDone> {
        if !sends_input(permit.intent()) {
            return page::perform(self, permit, aims, limit).await;
        }
        let tab = match self.aimed_at(aims, limit).await {
            Ok(tab) => tab,
            Err(why) => return Err(NotDone::before(permit, why)),
        };
        // A page that asks something takes in no input: nobody may be told that it did.
        if let Some(obstacle) = tab.obstacle() {
            return Err(NotDone::before(permit, obstacle.into()));
        }
        let target = watched(&permit, aims);
        let watch = match Watch::begin(self, &tab, target, purpose(permit.intent()), limit).await {
            Ok(watch) => watch,
            Err(error) => return Err(NotDone::before(permit, error.into())),
        };
        let mut filled = Vec::new();
        let outcome = input(&tab, &permit, aims, &mut filled, limit).await;
        let mut held = None;
        let (mut effects, after) = match &outcome {
            Err(Miss::Before(_)) => (watch.end(), Ok(After::Quiet)),
            Ok(Did::Nothing) => watch.tell(limit).await,
            Err(Miss::During(_)) => watch.settle(limit).await,
            Ok(Did::Sent) => match look {
                None => watch.settle(limit).await,
                Some(look) => {
                    let Settled { effects, after, look } = watch.settle_while(look, limit).await;
                    held = look;
                    (effects, after)
                }
            },
        };
        effects.value_changed |= !filled.is_empty();
        effects.fields_changed = filled;
        match outcome {
            Ok(did) => match concluded(did == Did::Sent, effects, after) {
                Ok(done) => Ok(Done { look: held, ..done }),
                Err(not_done) => Err(*not_done),
            },
            Err(Miss::Before(why)) => Err(NotDone::before(permit, why)),
            Err(Miss::During(why)) => {
                Err(NotDone { why, permit: None, receipt: Receipt { dispatched: true, effects } })
            }
        }
    }
}

impl Context {
    /// The tab in front, if it is the one that was looked at. Pages open tabs by themselves, which come to the front.
    async fn aimed_at(&self, aims: &Aims, limit: &Limit) -> Result<Tab, Blocked> {
        let tab = self.active_tab(limit).await?;
        match aims.tab {
            Some(seen) if seen != tab.id() => Err(Blocked::OtherTab),
            _ => Ok(tab),
        }
    }
}

/// Whether it is done by hand and keyboard, rather than by the browser itself.
fn sends_input(intent: &Intent) -> bool {
    matches!(
        intent,
        Intent::OnElement { .. } | Intent::FillForm(_) | Intent::ScrollPage(_) | Intent::PressKeyOnPage(_)
    )
}

/// The one element whose value is of interest.
fn watched<'a>(permit: &Permit, aims: &'a Aims) -> Option<(&'a ElementRef, &'a Epoch)> {
    let one = match permit.intent() {
        Intent::OnElement { target, .. } => *target,
        Intent::PressKeyOnPage(_) => permit.targets().first()?.0,
        _ => return None,
    };
    aims.element(one).map(|element| (element, &aims.epoch))
}

fn purpose(intent: &Intent) -> Purpose {
    match intent {
        Intent::OnElement { deed: Deed::Focus, .. } => Purpose::Focus,
        _ => Purpose::Other,
    }
}

/// Sends what the permit allows.
async fn input(
    tab: &Tab,
    permit: &Permit,
    aims: &Aims,
    filled: &mut Vec<ActionId>,
    limit: &Limit,
) -> Result<Did, Miss> {
    match permit.intent() {
        Intent::OnElement { target, deed } => {
            on_element(tab, *target, deed, aims, permit.files(), limit).await
        }
        Intent::FillForm(fields) => fields::fill_form(tab, fields, aims, filled, limit).await,
        Intent::PressKeyOnPage(chord) => {
            let focused = permit.targets().first().map(|(action, _)| aims.wanted(*action)).transpose()?;
            fields::press_on_page(tab, focused, &aims.epoch, chord, limit).await
        }
        Intent::ScrollPage(scroll) => scroll::page(tab, *scroll, limit).await.map(|()| Did::Sent),
        _ => Err(Miss::Before(page::not_applicable("this is not done by hand"))),
    }
}

/// Does something to one element, with the files that it may be given.
async fn on_element(
    tab: &Tab,
    target: ActionId,
    deed: &Deed,
    aims: &Aims,
    files: impl Iterator<Item = &Path>,
    limit: &Limit,
) -> Result<Did, Miss> {
    let (element, epoch) = (aims.wanted(target)?, &aims.epoch);
    let done = match deed {
        Deed::Click(click) => pointer::click(tab, element, epoch, click, limit).await,
        Deed::Hover => pointer::hover(tab, element, epoch, limit).await,
        Deed::Focus => scroll::focus(tab, element, epoch, limit).await,
        Deed::ScrollIntoView => scroll::into_view(tab, element, epoch, limit).await,
        Deed::Scroll(how) => scroll::element(tab, element, epoch, *how, limit).await,
        Deed::DragTo(to) => drag::drag(tab, element, aims.wanted(*to)?, epoch, limit).await,
        deed => {
            let files = files.map(Path::to_owned).collect();
            return fields::perform(tab, element, aims, deed, files, limit).await;
        }
    };
    done.map(|()| Did::Sent)
}
