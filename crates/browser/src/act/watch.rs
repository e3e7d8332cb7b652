//! Watching what comes of an act: what is noted before it, and told after it.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use futures_util::future::{Either, join_all, select};
use legwork_cdp::{Limit, protocol::browser::GetVersion};
use legwork_observe::ElementRef;
use legwork_types::{
    FrameId, PageText, TabId,
    contract::{Download, Effects, Navigated, Receipt, RequestVerdict, SentRequest, ShownDialog},
    without_credentials,
};
use tokio::sync::watch;

use super::{
    After, Blocked, Done, Meanwhile, NotDone,
    settle::{Patience, follow},
    witness::{Aimed, Told, Witnesses},
};
use crate::{
    BrowserError, Context, Epoch,
    diagnosis::probe,
    tab::Tab,
    world::{Account, Fate, Frame, Happening, Mark, Recorded, Request, Traffic},
};

/// Requests that a receipt names; the rest is counted.
const NAMED: usize = 20;

/// Workers that are waited for, and for how long: a page may keep one busy for ever.
const WORKERS: usize = 20;
const CATCH_UP: Duration = Duration::from_millis(200);
/// How long the browser itself is waited for: it answers at once unless the machine is busy.
const BROWSER_CATCH_UP: Duration = Duration::from_secs(2);

/// How long the browser may take to tell of a file that it takes down.
const FILE_TOLD: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(5);

const WHAT: &str = "watching the page";

/// Whether keys that go to what is acted on are what was wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To make keys go to it.
    Focus,
    /// Anything else.
    Other,
}

/// What was noted before an act.
pub(crate) struct Watch<'a> {
    context: &'a Context,
    pub(super) tab: &'a Tab,
    mark: Mark,
    url: String,
    documents: Vec<(FrameId, String)>,
    /// Changes with every piece of news of the context.
    pub(super) pulses: watch::Receiver<u64>,
    /// None where there are none, or no longer the right ones.
    pub(super) witnesses: Option<Witnesses>,
    /// Whether the witnesses came after the act.
    pub(super) are_late: bool,
    /// Whether the page is looked at meanwhile.
    pub(super) awaits_look: bool,
    /// The last that witnesses of the act told.
    pub(super) told: Told,
    /// How often the tab had moved when it was noted, when the witnesses came, and when a document was waited for.
    pub(super) first_moves: u64,
    pub(super) seen_moves: u64,
    pub(super) waited_moves: u64,
}

/// What came of an act.
pub(super) struct Settled {
    pub(super) effects: Effects,
    pub(super) after: Result<After, BrowserError>,
    /// The look that was taken meanwhile, if it still holds.
    pub(super) look: Option<Epoch>,
}

impl<'a> Watch<'a> {
    /// Notes how everything is, before anything is sent to the page. Where something is aimed at, a page that does not answer is
    /// an error: nobody could tell what came of it.
    pub(crate) async fn begin(
        context: &'a Context,
        tab: &'a Tab,
        target: Option<(&ElementRef, &Epoch)>,
        purpose: Purpose,
        limit: &Limit,
    ) -> Result<Watch<'a>, BrowserError> {
        let (key, id) = (context.key().clone(), tab.id());
        let noted = context.hub().ask(move |world| {
            world.is_acted_on(id);
            let noted = (world.mark(&key, id), world.frames_of(id), world.pulses(&key));
            (noted, vec![])
        });
        let (mark, Some(frames), Some(pulses)) = noted.await.map_err(|lost| tab.lost(lost))? else {
            return Err(tab.ended());
        };
        let (moves, url, is_mute) = {
            let news = tab.news();
            let state = news.borrow();
            (state.moves, state.url.clone(), state.dialog.is_some() || state.under_way.is_some())
        };
        let witnesses = if is_mute {
            None
        } else {
            let aimed = Aimed { target, wants_focus: purpose == Purpose::Focus };
            Witnesses::begin(tab, &frames, &aimed, limit).await?
        };
        if witnesses.is_none() && target.is_some() {
            return Err(tab
                .obstacle()
                .unwrap_or_else(|| BrowserError::Timeout { what: WHAT, url: tab.url() }));
        }
        Ok(Self {
            context,
            tab,
            mark,
            url,
            documents: documents(&frames),
            pulses,
            witnesses,
            are_late: false,
            awaits_look: false,
            told: Told::default(),
            first_moves: moves,
            seen_moves: moves,
            waited_moves: moves,
        })
    }

    /// Waits until the effects have settled, and tells them. An error is that of the page or the browser: whatever was seen before
    /// it is told all the same.
    pub(crate) async fn settle(self, limit: &Limit) -> (Effects, Result<After, BrowserError>) {
        let Settled { effects, after, .. } = self.conclude(Patience::Usual, limit).await;
        (effects, after)
    }

    /// The same. A page that does not seem to go on is looked at meanwhile, by `look`.
    pub(super) async fn settle_while(mut self, look: Meanwhile<'_>, limit: &Limit) -> Settled {
        self.awaits_look = self.seems_still().await;
        let (mut news, moves, is_wanted) = (self.tab.news(), self.first_moves, self.awaits_look);
        let look = pin!(async move {
            if is_wanted {
                // A page that is about to be left answers nobody: to wait for it would end in a diagnosis.
                let goes_on = news.wait_for(|state| state.under_way.is_some() || state.moves != moves);
                tokio::select! {
                    () = look => {}
                    _ = goes_on => {}
                }
            }
        });
        let conclusion = pin!(self.conclude(Patience::Usual, limit));
        match select(conclusion, look).await {
            Either::Left((settled, look)) => {
                if settled.look.is_some() {
                    look.await;
                }
                settled
            }
            Either::Right(((), conclusion)) => conclusion.await,
        }
    }

    /// Whether nothing is on its way as far as anybody knows.
    async fn seems_still(&self) -> bool {
        self.has_not_moved() && self.traffic().await.is_ok_and(|traffic| !traffic.begun)
    }

    /// Nothing was done after all: there is nothing to tell.
    pub(super) fn end(self) -> Effects {
        if let Some(witnesses) = &self.witnesses {
            witnesses.end(self.tab);
        }
        Effects::default()
    }

    /// The same without waiting for anything.
    pub(super) async fn tell(self, limit: &Limit) -> (Effects, Result<After, BrowserError>) {
        let Settled { effects, after, .. } = self.conclude(Patience::None, limit).await;
        (effects, after)
    }

    async fn conclude(mut self, patience: Patience, limit: &Limit) -> Settled {
        let mut after = self.rest(patience, limit).await;
        // A page that asks something goes on afterwards: its witnesses will still be needed.
        if let Some(witnesses) = self.witnesses.as_ref().filter(|_| !matches!(after, Ok(After::DialogOpen))) {
            witnesses.end(self.tab);
        }
        let account = match self.account().await {
            Ok(account) => account,
            Err(error) => {
                return Settled { effects: Effects::default(), after: after.and(Err(error)), look: None };
            }
        };
        let opened = opened_by(self.tab.id(), &account.happenings);
        if matches!(after, Ok(After::Quiet))
            && let Some(front) = account.front.filter(|front| opened.contains(front))
        {
            after = match self.context.tab(front).await {
                Ok(tab) => follow(&tab, limit).await,
                Err(BrowserError::NoSuchTab) => Ok(After::Quiet),
                Err(error) => Err(error),
            };
        }
        let (account, after) = match self.account().await {
            Ok(account) => (account, after),
            Err(error) => (account, after.and(Err(error))),
        };
        let look = match self.told.look.take() {
            Some(look) if matches!(after, Ok(After::Quiet)) && account.happenings.is_empty() => {
                let frames = documents(&self.tab.frames().await.unwrap_or_default());
                let is_as_it_was = frames == self.documents && self.seems_still().await;
                Some(look).filter(|_| is_as_it_was)
            }
            _ => None,
        };
        Settled { effects: self.effects(account).await, after, look }
    }

    fn has_not_moved(&self) -> bool {
        let news = self.tab.news();
        let state = news.borrow();
        state.dialog.is_none() && state.under_way.is_none() && state.moves == self.first_moves
    }

    /// Waits until the browser tells of the file that comes down: that may be later than that no page comes.
    pub(super) async fn await_download(&mut self, limit: &Limit) {
        let limit = limit.at_most(FILE_TOLD);
        while let Ok(account) = self.account().await
            && download(&account.happenings, account.downloading).is_none()
            && matches!(limit.run(self.next_news()).await, Ok(Ok(())))
        {}
    }

    /// A flood of news is no reason to ask without a pause.
    async fn next_news(&mut self) -> Result<(), watch::error::RecvError> {
        tokio::time::sleep(BETWEEN).await;
        self.pulses.changed().await
    }

    async fn account(&self) -> Result<Account, BrowserError> {
        let (key, id, mark) = (self.context.key().clone(), self.tab.id(), self.mark.clone());
        let account = self.context.hub().look(move |world| world.since(&key, id, &mark, NAMED)).await;
        account.map_err(|lost| self.tab.lost(lost))
    }

    /// What is on its way since the act.
    pub(super) async fn traffic(&self) -> Result<Traffic, BrowserError> {
        let (key, id, mark) = (self.context.key().clone(), self.tab.id(), self.mark.clone());
        let traffic =
            self.context.hub().look(move |world| world.traffic(&key, id, &mark, Instant::now())).await;
        traffic.map_err(|lost| self.tab.lost(lost))
    }

    /// Waits until the browser and the workers have done what the page asked of them by now, or for a moment: what they send and
    /// open is told by themselves, and may be told later than what the page says.
    /// Whether there are workers.
    pub(super) async fn catch_up(&self, limit: &Limit) -> Result<bool, BrowserError> {
        let (key, id) = (self.context.key().clone(), self.tab.id());
        let workers = self.context.hub().look(move |world| world.workers(&key, id)).await;
        let mut workers = workers.map_err(|lost| self.tab.lost(lost))?;
        workers.truncate(WORKERS);
        let (for_workers, for_browser) = (limit.at_most(CATCH_UP), limit.at_most(BROWSER_CATCH_UP));
        let (link, probe, version) = (&self.tab.link, probe(), GetVersion {});
        let asked = join_all(workers.iter().map(|worker| link.call(Some(worker), &probe, &for_workers)));
        // Whether they answer does not matter: a loss is told by whoever asks next.
        let _ = tokio::join!(link.call(None, &version, &for_browser), asked);
        Ok(!workers.is_empty())
    }

    async fn effects(&self, account: Account) -> Effects {
        let frames = documents(&self.tab.frames().await.unwrap_or_default());
        let navigated = self.navigated(&frames);
        let replaced = |(id, loader): &(FrameId, String)| {
            frames.iter().any(|(other, now)| other == id && now != loader && !loader.is_empty())
        };
        let has_new_frames = navigated.is_none() && self.documents.iter().skip(1).any(replaced);
        let requests = account.sent.requests.into_iter().map(sent).collect();
        let happenings = &account.happenings;
        Effects {
            navigated,
            dom_changed: self.told.changes > 0 || has_new_frames,
            value_changed: self.told.value,
            focus_moved: self.told.focus,
            scrolled: self.told.scrolled,
            requests,
            more_requests: u32::try_from(account.sent.more).unwrap_or(u32::MAX),
            new_tab: opened_by(self.tab.id(), happenings).first().copied(),
            closed_tab: closed(self.tab.id(), happenings),
            dialog: dialog(happenings),
            download: download(happenings, account.downloading),
            ..Effects::default()
        }
    }

    /// From where to where, if the tab has another document or address.
    fn navigated(&self, now: &[(FrameId, String)]) -> Option<Navigated> {
        let loader = |documents: &[(FrameId, String)]| documents.first().map(|(_, loader)| loader.clone());
        let url = self.tab.url();
        // A tab that is gone has no documents any more.
        let has_new_document = !now.is_empty() && loader(now) != loader(&self.documents);
        (has_new_document || url != self.url).then(|| Navigated {
            from: PageText::from(&*without_credentials(&self.url)),
            to: PageText::from(&*without_credentials(&url)),
        })
    }
}

/// The document of each frame, the page's own first.
fn documents(frames: &[Frame]) -> Vec<(FrameId, String)> {
    frames.iter().map(|frame| (frame.id.clone(), frame.loader.clone())).collect()
}

fn sent(request: Request) -> SentRequest {
    SentRequest {
        method: request.line.method,
        origin: PageText::from(request.line.origin),
        path: PageText::from(request.line.path),
        status: request.status,
        verdict: match request.fate {
            Fate::Stopped => RequestVerdict::Stopped,
            Fate::Held => RequestVerdict::Held,
            Fate::Free if request.failed => RequestVerdict::Failed,
            Fate::Free => RequestVerdict::Go,
        },
    }
}

/// The tabs that a tab opened, and those that they opened.
fn opened_by(tab: TabId, happenings: &[Recorded]) -> Vec<TabId> {
    let mut openers = vec![tab];
    for recorded in happenings {
        if let Happening::TabOpened { tab, opener: Some(opener) } = recorded.what
            && openers.contains(&opener)
        {
            openers.push(tab);
        }
    }
    openers.split_off(1)
}

/// The tab that is gone: the one that was acted on before all others.
fn closed(tab: TabId, happenings: &[Recorded]) -> Option<TabId> {
    let gone = |recorded: &Recorded| match recorded.what {
        Happening::TabClosed { tab, .. } => Some(tab),
        _ => None,
    };
    let gone: Vec<TabId> = happenings.iter().filter_map(gone).collect();
    gone.iter().find(|gone| **gone == tab).or(gone.first()).copied()
}

/// The dialog that came up: one that waits before all others.
fn dialog(happenings: &[Recorded]) -> Option<ShownDialog> {
    let shown: Vec<ShownDialog> = happenings
        .iter()
        .filter_map(|recorded| match &recorded.what {
            Happening::Dialog { kind, message, answer, .. } => {
                let message = PageText::from(message.as_str());
                Some(ShownDialog { kind: kind.word().to_owned(), message, answer })
            }
            _ => None,
        })
        .collect();
    let waits = shown.iter().rposition(|dialog| dialog.answer == "held").unwrap_or(0);
    shown.into_iter().nth(waits)
}

/// The file that came down, comes down or was stopped.
fn download(happenings: &[Recorded], coming: Vec<String>) -> Option<Download> {
    let ended = happenings.iter().find_map(|recorded| match &recorded.what {
        Happening::Downloaded { name, bytes } => {
            Some(Download { name: PageText::from(name.as_str()), bytes: Some(*bytes), stopped: None })
        }
        Happening::DownloadStopped { why } => {
            Some(Download { name: PageText::default(), bytes: None, stopped: Some(why) })
        }
        _ => None,
    });
    let comes = |name: String| Download { name: PageText::from(name), bytes: None, stopped: None };
    ended.or_else(|| coming.into_iter().next().map(comes))
}

/// What came of something that was sent to the page (`dispatched`), as callers get it.
pub(super) fn concluded(
    dispatched: bool,
    effects: Effects,
    after: Result<After, BrowserError>,
) -> Result<Done, Box<NotDone>> {
    let receipt = Receipt { dispatched, effects };
    match after {
        Ok(after) => Ok(Done { receipt, after, look: None }),
        Err(error) => Err(Box::new(NotDone { why: Blocked::Browser(error), permit: None, receipt })),
    }
}
