//! Everything known about the tabs of one browser, as a fold over the news. Pure: facts in, effects out.

mod ask;
mod dialogs;
mod downloads;
mod effect;
mod fact;
mod frames;
mod happenings;
mod loads;
mod on_dialogs;
mod on_downloads;
mod roster;
mod tab;

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    path::PathBuf,
    time::{Duration, Instant},
};

use legwork_cdp::{
    SessionId,
    protocol::{page, target::TargetInfo},
};
use legwork_types::{FrameId, TabId};
use tokio::sync::watch;

pub(crate) use self::{
    dialogs::clip,
    effect::Effect,
    fact::{EVENTS, Fact},
    tab::{Phase, TabState},
};
pub use self::{
    dialogs::{DialogKind, OpenDialog},
    downloads::DownloadLimits,
    frames::Frame,
    happenings::{Happening, Recorded},
    tab::Gone,
};
use self::{downloads::Downloads, frames::Frames, happenings::Happenings, roster::Roster};

/// A context by the browser's own name; `None` is the default one.
pub(crate) type ContextKey = Option<String>;

/// Tabs that pages of one context may open within [`FLOOD_SPAN`].
const FLOOD: usize = 10;
const FLOOD_SPAN: Duration = Duration::from_secs(10);

/// Documents that a tab may go through by itself within [`FLOOD_SPAN`]: more is a page that sends us in circles.
const CIRCLES: usize = 30;

#[derive(Default)]
pub(crate) struct World {
    contexts: HashMap<ContextKey, Context>,
    tabs: BTreeMap<TabId, Tab>,
    sessions: HashMap<SessionId, Owner>,
    /// How many tabs there have been; watched by those who wait for one.
    arrivals: watch::Sender<u32>,
    serials: u64,
}

struct Context {
    roster: Roster,
    downloads: Downloads,
    /// Where they go.
    folder: PathBuf,
    happenings: Happenings,
    popups: VecDeque<Instant>,
}

struct Tab {
    state: watch::Sender<TabState>,
    context: ContextKey,
    main: FrameId,
    frames: Frames,
    /// Dialogs of the present document.
    dialogs: u32,
    unanswered: bool,
    leaving: bool,
    /// A page opened it, and it has shown nothing yet.
    unproven: bool,
    /// When documents came up since we last sent the tab somewhere.
    commits: VecDeque<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Page(TabId),
    Frame(TabId),
    /// Of a tab, or of a whole context.
    Worker(Option<TabId>),
}

impl Owner {
    fn tab(self) -> Option<TabId> {
        match self {
            Self::Page(tab) | Self::Frame(tab) => Some(tab),
            Self::Worker(tab) => tab,
        }
    }
}

impl World {
    /// From now on pages of this context are ours.
    pub(crate) fn add_context(&mut self, key: ContextKey, limits: DownloadLimits, folder: PathBuf) {
        let context = Context {
            roster: Roster::default(),
            downloads: Downloads::new(limits),
            folder,
            happenings: Happenings::default(),
            popups: VecDeque::new(),
        };
        self.contexts.insert(key, context);
    }

    /// The context is disposed of, and its tabs with it.
    pub(crate) fn remove_context(&mut self, key: &ContextKey) -> Vec<Effect> {
        let tabs: Vec<TabId> = self.contexts.get(key).map(|c| c.roster.tabs().to_vec()).unwrap_or_default();
        let effects =
            tabs.into_iter().flat_map(|tab| self.end_tab(tab, Gone::Closed, "context closed")).collect();
        self.contexts.remove(key);
        effects
    }

    pub(crate) fn apply(&mut self, fact: Fact, now: Instant) -> Vec<Effect> {
        match fact {
            Fact::Attached { parent, session, info } => self.attached(parent.as_ref(), session, &info, now),
            Fact::Detached { session } => match self.sessions.remove(&session) {
                Some(Owner::Page(tab)) => self.end_tab(tab, Gone::Closed, "closed"),
                Some(Owner::Frame(tab)) => self.with_frames(tab, |frames| frames.session_ended(&session)),
                Some(Owner::Worker(_)) | None => vec![],
            },
            Fact::TargetGone { target } => match self.tab_of_target(&target) {
                Some(tab) => self.end_tab(tab, Gone::Closed, "closed"),
                None => vec![],
            },
            Fact::TargetCrashed { target } => match self.tab_of_target(&target) {
                Some(tab) => self.end_tab(tab, Gone::Crashed, "crashed"),
                None => vec![],
            },
            Fact::SessionCrashed { session } => match self.sessions.get(&session).copied() {
                Some(Owner::Page(tab)) => self.end_tab(tab, Gone::Crashed, "crashed"),
                Some(Owner::Frame(tab)) => {
                    self.with_frames(tab, |frames| frames.session_ended(&session));
                    vec![Effect::Abandon { session }]
                }
                Some(Owner::Worker(_)) | None => vec![Effect::Abandon { session }],
            },
            Fact::FrameAttached { session, frame, parent } => {
                self.of_session(&session, |tab| tab.frames.attached(&session, &frame, parent))
            }
            Fact::FrameNavigated { session, frame } => self.navigated(&session, &frame, now),
            Fact::MovedWithin { session, frame, url } => self.of_session(&session, |tab| {
                tab.frames.moved_within(&frame, &url);
                if frame == tab.main {
                    tab.state.send_modify(|state| state.url = url);
                }
            }),
            Fact::FrameDetached { session, frame, moves } => {
                self.of_session(&session, |tab| tab.frames.detached(&session, &frame, moves))
            }
            Fact::Loading { session, frame, now } => self.of_session(&session, |tab| {
                if frame == tab.main {
                    tab.state.send_modify(|state| state.loading = now);
                }
            }),
            Fact::Lifecycle { session, event } => self.of_session(&session, |tab| {
                if event.frame_id == tab.main.as_str() {
                    match event.name.as_str() {
                        "init" | "commit" => {
                            tab.state.send_modify(|state| state.loads.committed(&event.loader_id))
                        }
                        "DOMContentLoaded" => {
                            tab.state.send_modify(|state| state.loads.content_loaded(&event.loader_id));
                        }
                        _ => {}
                    }
                }
            }),
            Fact::DialogOpened { session, dialog } => self.dialog_opened(session, &dialog),
            Fact::DialogClosed { session } => self.of_session(&session, |tab| {
                tab.state.send_if_modified(|state| state.dialog.take().is_some());
            }),
            Fact::DownloadBegan { download } => self.download_began(&download),
            Fact::DownloadWent { progress } => self.download_went(&progress),
        }
    }

    fn attached(
        &mut self,
        parent: Option<&SessionId>,
        session: SessionId,
        info: &TargetInfo,
        now: Instant,
    ) -> Vec<Effect> {
        let parent_tab = parent.and_then(|parent| self.sessions.get(parent)).copied();
        match (info.kind.as_str(), parent_tab) {
            ("page", _) => match self.context_of(info) {
                Some(context) => self.page_attached(context, session, info, now),
                None => vec![Effect::Release { session }],
            },
            ("iframe", Some(Owner::Page(tab) | Owner::Frame(tab))) => {
                self.sessions.insert(session.clone(), Owner::Frame(tab));
                let frame = FrameId::new(&*info.target_id);
                self.with_frames(tab, |frames| frames.session_opened(&session, &frame));
                vec![Effect::PrepareFrame { session }]
            }
            ("worker", Some(parent)) => self.worker_attached(session, parent.tab()),
            ("shared_worker" | "service_worker", _) if self.context_of(info).is_some() => {
                self.worker_attached(session, None)
            }
            // `browser_ui`, `tab`, `webview`, extensions, foreign pages, kinds of the future.
            _ => vec![Effect::Release { session }],
        }
    }

    fn worker_attached(&mut self, session: SessionId, tab: Option<TabId>) -> Vec<Effect> {
        self.sessions.insert(session.clone(), Owner::Worker(tab));
        vec![Effect::PrepareWorker { session }]
    }

    fn page_attached(
        &mut self,
        key: ContextKey,
        session: SessionId,
        info: &TargetInfo,
        now: Instant,
    ) -> Vec<Effect> {
        let opener = info.opener_id.as_deref().and_then(|target| self.tab_of_target(target));
        let by_page = info.opener_id.is_some();
        let Some(context) = self.contexts.get_mut(&key) else { return vec![Effect::Release { session }] };
        if by_page {
            context.popups.retain(|at| now.duration_since(*at) < FLOOD_SPAN);
            if context.popups.len() >= FLOOD {
                context.happenings.add(Happening::TabRefused);
                // Let go first: a page waits inside `window.open` for as long as its new window waits for us.
                return vec![
                    Effect::Release { session },
                    Effect::CloseTarget { target: info.target_id.clone() },
                ];
            }
            context.popups.push_back(now);
        }
        let id = TabId::nth(*self.arrivals.borrow() + 1);
        let surplus = context.roster.enter(id, opener);
        context.happenings.add(Happening::TabOpened { tab: id, opener });
        let state = TabState {
            phase: Phase::Preparing,
            session: session.clone(),
            target: info.target_id.clone(),
            url: info.url.0.clone(),
            loads: Default::default(),
            loading: false,
            dialog: None,
        };
        let tab = Tab {
            state: watch::Sender::new(state),
            context: key,
            main: FrameId::new(&*info.target_id),
            frames: Frames::default(),
            dialogs: 0,
            unanswered: false,
            leaving: false,
            unproven: by_page,
            commits: VecDeque::new(),
        };
        self.tabs.insert(id, tab);
        self.sessions.insert(session.clone(), Owner::Page(id));
        self.arrivals.send_modify(|count| *count += 1);
        let mut effects = vec![Effect::PreparePage { session }];
        if by_page {
            effects.push(Effect::WatchLoad { tab: id });
        }
        if let Some(surplus) = surplus {
            effects.extend(self.close_tab(surplus, "too many tabs"));
        }
        effects
    }

    /// The settings of a session are in force, or could not be put in force: a page without them may not live.
    pub(crate) fn prepared(&mut self, session: &SessionId, tree: Option<&page::FrameTree>) -> Vec<Effect> {
        let Some(owner) = self.sessions.get(session).copied() else { return vec![] };
        match (owner, tree) {
            (Owner::Page(tab), None) => self.close_tab(tab, "could not be prepared"),
            (Owner::Page(id), Some(tree)) => self.of_tab(id, |tab| {
                tab.main = FrameId::new(&*tree.frame.id);
                tab.frames.tree(session, tree);
                tab.state.send_modify(|state| {
                    if state.phase == Phase::Preparing {
                        state.phase = Phase::Ready;
                    }
                });
            }),
            (Owner::Frame(tab), Some(tree)) => self.with_frames(tab, |frames| frames.tree(session, tree)),
            (Owner::Frame(_) | Owner::Worker(_), _) => vec![],
        }
    }

    fn navigated(&mut self, session: &SessionId, frame: &page::Frame, now: Instant) -> Vec<Effect> {
        let Some(Owner::Page(id) | Owner::Frame(id)) = self.sessions.get(session).copied() else {
            return vec![];
        };
        let Some(tab) = self.tabs.get_mut(&id) else { return vec![] };
        tab.frames.navigated(session, frame);
        if frame.id != tab.main.as_str() {
            return vec![];
        }
        tab.dialogs = 0;
        tab.unanswered = false;
        tab.leaving = false;
        tab.state.send_modify(|state| {
            state.loads.committed(&frame.loader_id);
            state.url = format!("{}{}", frame.url.0, frame.url_fragment.as_ref().map_or("", |f| &f.0));
        });
        tab.commits.retain(|at| now.duration_since(*at) < FLOOD_SPAN);
        tab.commits.push_back(now);
        if tab.commits.len() > CIRCLES {
            return self.end_tab(id, Gone::Hostile("redirects without end"), "redirects without end");
        }
        let failed = frame.unreachable_url.is_some();
        let unproven = tab.unproven;
        tab.unproven &= frame.url.0 == "about:blank";
        // A tab that a page opened and that shows nothing but the browser's error page is of no use to anybody.
        if failed && unproven { self.close_tab(id, "failed to load") } else { vec![] }
    }

    /// A tab that a page opened has had its time to show something.
    pub(crate) fn load_overdue(&mut self, id: TabId) -> Vec<Effect> {
        let empty = self.tabs.get(&id).is_some_and(|tab| {
            let state = tab.state.borrow();
            state.loading && matches!(state.url.as_str(), "" | "about:blank")
        });
        if empty { self.close_tab(id, "failed to load") } else { vec![] }
    }

    /// We are about to leave the page: its objections don't count, and a waiting question is dismissed.
    pub(crate) fn leaving(&mut self, id: TabId) -> Vec<Effect> {
        self.of_tab(id, |tab| {
            tab.leaving = true;
            tab.commits.clear();
        });
        self.answer_dialog(id, false, None).unwrap_or_default()
    }

    /// The navigation is over, well or not: the page has its say again.
    pub(crate) fn stays(&mut self, id: TabId) {
        self.of_tab(id, |tab| tab.leaving = false);
    }

    /// Brings a tab to the front; none if there is no such tab.
    pub(crate) fn front(&mut self, id: TabId) -> Option<Vec<Effect>> {
        let tab = self.tabs.get(&id)?;
        let context = self.contexts.get_mut(&tab.context)?;
        context
            .roster
            .front(id)
            .then(|| vec![Effect::BringToFront { session: tab.state.borrow().session.clone() }])
    }

    /// Closes a tab.
    pub(crate) fn close_tab(&mut self, id: TabId, why: &'static str) -> Vec<Effect> {
        self.end_tab(id, Gone::Closed, why)
    }

    /// A tab is no more, or must not be any more.
    pub(crate) fn end_tab(&mut self, id: TabId, gone: Gone, why: &'static str) -> Vec<Effect> {
        let Some(tab) = self.tabs.remove(&id) else { return vec![] };
        let (session, target, url) = {
            let state = tab.state.borrow();
            (state.session.clone(), state.target.clone(), state.url.clone())
        };
        self.sessions.retain(|_, owner| owner.tab() != Some(id));
        tab.state.send_modify(|state| {
            state.phase = Phase::Gone(gone);
            state.dialog = None;
        });
        let mut effects = vec![Effect::Abandon { session }, Effect::CloseTarget { target }];
        if let Some(context) = self.contexts.get_mut(&tab.context) {
            let was_active = context.roster.active() == Some(id);
            context.roster.leave(id);
            context.happenings.add(Happening::TabClosed { tab: id, url, why });
            let next = context.roster.active().filter(|_| was_active).and_then(|next| self.tabs.get(&next));
            effects.extend(
                next.map(|next| Effect::BringToFront { session: next.state.borrow().session.clone() }),
            );
        }
        effects
    }

    fn context_of(&self, info: &TargetInfo) -> Option<ContextKey> {
        let named = info.browser_context_id.clone();
        if named.is_some() && self.contexts.contains_key(&named) {
            return Some(named);
        }
        // Once the default context is ours, so is the whole browser: every context that has no other owner is it.
        self.contexts.contains_key(&None).then_some(None)
    }

    fn tab_of_target(&self, target: &str) -> Option<TabId> {
        self.tabs.iter().find(|(_, tab)| tab.state.borrow().target == target).map(|(id, _)| *id)
    }

    fn of_tab(&mut self, id: TabId, change: impl FnOnce(&mut Tab)) -> Vec<Effect> {
        if let Some(tab) = self.tabs.get_mut(&id) {
            change(tab);
        }
        vec![]
    }

    fn with_frames(&mut self, id: TabId, change: impl FnOnce(&mut Frames)) -> Vec<Effect> {
        self.of_tab(id, |tab| change(&mut tab.frames))
    }

    fn of_session(&mut self, session: &SessionId, change: impl FnOnce(&mut Tab)) -> Vec<Effect> {
        match self.sessions.get(session).copied() {
            Some(Owner::Page(tab) | Owner::Frame(tab)) => self.of_tab(tab, change),
            Some(Owner::Worker(_)) | None => vec![],
        }
    }
}

#[cfg(test)]
mod tests;
