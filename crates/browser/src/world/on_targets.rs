//! Which targets are ours, what each is given before it runs, and how losses of news about them are mended.

use std::{collections::VecDeque, time::Instant};

use legwork_cdp::{
    SessionId,
    protocol::{page, target::TargetInfo},
};
use legwork_types::{FrameId, TabId};
use tokio::sync::watch;

use super::{
    ContextKey, Effect, FLOOD, FLOOD_SPAN, Happening, Leaving, Opened, Owner, Phase, Tab, TabState, World,
    clip::{ADDRESS, clip},
    frames::{self, Frames},
};

impl World {
    pub(super) fn attached(
        &mut self,
        parent: Option<&SessionId>,
        session: SessionId,
        info: &TargetInfo,
        now: Instant,
    ) -> Vec<Effect> {
        if self.sessions.contains_key(&session) {
            return vec![];
        }
        let parent_session = parent;
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
            ("worker", Some(parent)) => {
                let above = parent_session.and_then(|parent| self.shared_workers.get(parent)).cloned();
                self.worker_attached(session, info, parent.tab(), above)
            }
            ("shared_worker" | "service_worker", _) => match self.context_of(info) {
                Some(context) => self.worker_attached(session, info, None, Some(context)),
                None => vec![Effect::Release { session }],
            },
            // `browser_ui`, `tab`, `webview`, extensions, foreign pages, kinds of the future.
            _ => vec![Effect::Release { session }],
        }
    }

    fn worker_attached(
        &mut self,
        session: SessionId,
        info: &TargetInfo,
        tab: Option<TabId>,
        shared_in: Option<ContextKey>,
    ) -> Vec<Effect> {
        if let Some(context) = shared_in {
            self.shared_workers.insert(session.clone(), context);
        }
        self.worker_targets.entry(info.target_id.clone()).or_default().push(session.clone());
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
        // Attached to twice, after a look at all targets: one session is enough.
        if self.tab_of_target(&info.target_id).is_some() {
            return vec![Effect::Release { session }];
        }
        let Some(context) = self.contexts.get_mut(&key) else { return vec![Effect::Release { session }] };
        if by_page {
            context.popups.retain(|at| now.duration_since(*at) < FLOOD_SPAN);
            if context.popups.len() >= FLOOD {
                context.happenings.add(Happening::TabRefused);
                return vec![Effect::Refuse { session, target: info.target_id.clone() }];
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
            url: clip(&info.url.0, ADDRESS),
            loads: Default::default(),
            loading: false,
            under_way: None,
            is_answer: false,
            moves: 0,
            dialog: None,
        };
        let tab = Tab {
            state: watch::Sender::new(state),
            context: key,
            main: FrameId::new(&*info.target_id),
            frames: Frames::default(),
            dialogs: 0,
            unanswered: false,
            leaving: Leaving::No,
            opened: if by_page { Opened::Empty } else { Opened::ByUs },
            sent_again: None,
            nothing_of: None,
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

    /// What a session says of its frames after events were lost. Silence says nothing: the page may be busy.
    pub(crate) fn looked(&mut self, session: &SessionId, tree: &page::FrameTree) -> Vec<Effect> {
        self.of_session(session, |tab| {
            tab.frames.replace(session, tree);
            if tree.frame.id == tab.main.as_str() {
                tab.state.send_modify(|state| {
                    state.url = frames::address(&tree.frame);
                    // A page that answers is on its way to nowhere.
                    state.under_way = None;
                    state.moves += 1;
                });
            }
        })
    }

    /// What the browser says of its targets after events were lost: tabs that were known when it was asked and are not
    /// named are gone; pages of ours that are not known are attached to.
    pub(crate) fn compared(&mut self, known: &[(TabId, String)], living: &[TargetInfo]) -> Vec<Effect> {
        let named = |target: &str| living.iter().any(|info| info.target_id == target);
        let gone: Vec<TabId> =
            known.iter().filter(|(_, target)| !named(target)).map(|(tab, _)| *tab).collect();
        let unknown = living.iter().filter(|info| {
            info.kind == "page"
                && self.context_of(info).is_some()
                && self.tab_of_target(&info.target_id).is_none()
        });
        let mut effects: Vec<Effect> =
            unknown.map(|info| Effect::Attach { target: info.target_id.clone() }).collect();
        effects.extend(gone.into_iter().flat_map(|tab| self.close_tab(tab, "closed")));
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
}
