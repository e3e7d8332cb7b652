//! What is done to a page as a whole, or to its tab.

use std::time::Duration;

use legwork_cdp::{
    Command, Limit,
    protocol::page::{GetNavigationHistory, History, NavigateToHistoryEntry, Reload},
};
use legwork_policy::Permit;
use legwork_types::{
    Intent, PageUrl, TabId,
    contract::{Dialog, Effects},
};

use super::{
    After, Aims, Blocked, Done, NotDone,
    settle::{arrive, follow, watched},
    wait,
    watch::{Purpose, Watch, concluded},
};
use crate::{BrowserError, Context, DialogAnswer, DialogKind, NAVIGATION, tab::Tab};

/// How long a page may take to be watched that is about to be left anyway.
const BRIEFLY: Duration = Duration::from_millis(500);
/// How long the browser may take to set out.
const SETS_OUT: Duration = Duration::from_secs(5);

/// Does what the permit allows where no element is concerned. The permit is used up by it, unless nothing was done.
pub(super) async fn perform(
    context: &Context,
    permit: Permit,
    aims: &Aims,
    limit: &Limit,
) -> Result<Done, NotDone> {
    let intent = permit.intent().clone();
    let done = match intent {
        Intent::SwitchTab(id) => switch_tab(context, id, limit).await,
        Intent::CloseTab(id) => close_tab(context, id, limit).await,
        _ => {
            let tab = match context.aimed_at(aims, limit).await {
                Ok(tab) => tab,
                Err(why) => return Err(NotDone::before(permit, why)),
            };
            match intent {
                Intent::Navigate(url) => navigate(context, &tab, &url, limit).await,
                Intent::Back => go_through_history(context, &tab, Step::Back, limit).await,
                Intent::Forward => go_through_history(context, &tab, Step::Forward, limit).await,
                // The browser would not ask before it sends a form again.
                Intent::Reload if tab.news().borrow().is_answer => Err(Undone::Before(not_applicable(
                    "this page is the answer to a form: to load it again would send the form again; go to an address instead",
                ))),
                Intent::Reload => travel(context, &tab, &Reload {}, limit).await,
                Intent::Wait(wanted) => wait::until(context, &tab, &wanted, limit).await,
                Intent::HandleDialog { accept, text } => {
                    answer_dialog(context, &tab, permit.dialog(), accept, text, limit).await
                }
                _ => Err(Undone::Before(not_applicable("this is not for a page as a whole"))),
            }
        }
    };
    done.map_err(|undone| match undone {
        Undone::Before(why) => NotDone::before(permit, why),
        Undone::After(not_done) => *not_done,
    })
}

/// Why something was not done, or not to its end.
pub(super) enum Undone {
    /// Nothing was done at all.
    Before(Blocked),
    /// Something was.
    After(Box<NotDone>),
}

impl From<BrowserError> for Undone {
    fn from(error: BrowserError) -> Self {
        Self::Before(error.into())
    }
}

impl From<Box<NotDone>> for Undone {
    fn from(not_done: Box<NotDone>) -> Self {
        Self::After(not_done)
    }
}

pub(super) fn not_applicable(why: &str) -> Blocked {
    Blocked::NotApplicable { why: why.into() }
}

async fn navigate(context: &Context, tab: &Tab, url: &PageUrl, limit: &Limit) -> Result<Done, Undone> {
    let mut watch = Watch::begin(context, tab, None, Purpose::Other, &limit.at_most(BRIEFLY)).await?;
    let landed = tab.navigate(url, &limit.at_most(NAVIGATION)).await;
    let (effects, after) = match landed {
        Ok(_) => watch.settle(limit).await,
        // The new page asks something before it is all there.
        Err(BrowserError::DialogOpen { .. }) => watch.tell(limit).await,
        Err(error) => {
            if error.is_download() {
                watch.await_download(limit).await;
            }
            let (effects, _) = watch.tell(limit).await;
            (effects, Err(error))
        }
    };
    Ok(concluded(true, effects, after)?)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Back,
    Forward,
}

async fn go_through_history(context: &Context, tab: &Tab, step: Step, limit: &Limit) -> Result<Done, Undone> {
    const WHAT: &str = "reading the history of the tab";
    // The browser itself answers, also for a page that asks something or is busy.
    let history = tab.link.call(Some(&tab.session()), &GetNavigationHistory {}, limit).await;
    let history = history.map_err(|error| BrowserError::of_browser(error, WHAT))?;
    let history = history.read::<History>().map_err(BrowserError::Protocol)?;
    let place = match step {
        Step::Back => history.current_index.checked_sub(1),
        Step::Forward => history.current_index.checked_add(1),
    };
    let entry = place.and_then(|place| history.entries.get(place));
    let Some(entry) = entry else {
        return Err(Undone::Before(not_applicable(match step {
            Step::Back => "there is no page to go back to",
            Step::Forward => "there is no page to go forward to",
        })));
    };
    // What we would not go to by its address we don't go to by its place either.
    if PageUrl::parse(&entry.url.0).is_err() {
        return Err(Undone::Before(not_applicable("what comes there is no web page")));
    }
    travel(context, tab, &NavigateToHistoryEntry { entry_id: entry.id }, limit).await
}

/// Has the browser go somewhere, and waits until it is there.
async fn travel<C: Command>(
    context: &Context,
    tab: &Tab,
    command: &C,
    limit: &Limit,
) -> Result<Done, Undone> {
    const WHAT: &str = "going to the page";
    let leaving = tab.leave().await?;
    let watch = Watch::begin(context, tab, None, Purpose::Other, &limit.at_most(BRIEFLY)).await?;
    let moves = tab.news().borrow().moves;
    let going = async {
        tab.call(command, WHAT, limit).await?;
        let sets_out = limit.at_most(SETS_OUT);
        watched(tab, &sets_out, |state| state.moves != moves || state.under_way.is_some()).await?;
        arrive(tab, limit).await
    };
    let gone = going.await;
    drop(leaving);
    let (effects, after) = match gone {
        Ok(_) => watch.settle(limit).await,
        Err(error) => {
            let (effects, _) = watch.tell(limit).await;
            (effects, Err(error))
        }
    };
    Ok(concluded(true, effects, after)?)
}

async fn switch_tab(context: &Context, id: TabId, limit: &Limit) -> Result<Done, Undone> {
    let (_, front) = tabs(context).await?;
    context.switch_to(id).await?;
    let tab = context.tab(id).await?;
    let switched_tab = (front != Some(id)).then_some(id);
    let effects = Effects { switched_tab, ..Effects::default() };
    Ok(concluded(true, effects, follow(&tab, limit).await)?)
}

async fn close_tab(context: &Context, id: TabId, limit: &Limit) -> Result<Done, Undone> {
    let (before, _) = tabs(context).await?;
    context.close_tab(id).await?;
    let effects = Effects { closed_tab: Some(id), ..Effects::default() };
    // A context is never without a tab: where the last one goes, an empty one comes.
    let (effects, after) = match context.active_tab(limit).await {
        Ok(front) => {
            let new_tab = (!before.contains(&front.id())).then(|| front.id());
            (Effects { new_tab, ..effects }, follow(&front, limit).await)
        }
        Err(error) => (effects, Err(error)),
    };
    Ok(concluded(true, effects, after)?)
}

async fn tabs(context: &Context) -> Result<(Vec<TabId>, Option<TabId>), BrowserError> {
    let key = context.key().clone();
    Ok(context.hub().look(move |world| world.tabs_of(&key)).await?)
}

async fn answer_dialog(
    context: &Context,
    tab: &Tab,
    permitted: Option<&Dialog>,
    accept: bool,
    text: Option<String>,
    limit: &Limit,
) -> Result<Done, Undone> {
    let Some(dialog) = tab.dialog() else {
        return Err(Undone::Before(not_applicable("no dialog waits for an answer")));
    };
    if permitted != Some(&Dialog::from(&dialog)) {
        return Err(Undone::Before(Blocked::Changed));
    }
    if text.is_some() && !(dialog.kind == DialogKind::Prompt && accept) {
        return Err(Undone::Before(not_applicable("only a prompt that is accepted takes a text")));
    }
    let watch = Watch::begin(context, tab, None, Purpose::Other, limit).await?;
    let answer = if accept { DialogAnswer::Accept(text) } else { DialogAnswer::Dismiss };
    let answered = tab.answer_this_dialog(&dialog, answer).await;
    match answered {
        Ok(true) => {
            let (effects, after) = watch.settle(limit).await;
            Ok(concluded(true, effects, after)?)
        }
        Ok(false) => Err(Undone::Before(not_applicable("no dialog waits for an answer any more"))),
        Err(error) => Ok(concluded(true, Effects::default(), Err(error))?),
    }
}

/// The page is as it is.
pub(super) fn told(effects: Effects, after: Result<After, BrowserError>) -> Result<Done, Undone> {
    Ok(concluded(false, effects, after)?)
}
