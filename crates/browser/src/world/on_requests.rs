//! What a request does to its context, and a document's own request to its tab; what was noted before an act, and what came after.

use std::time::Instant;

use legwork_cdp::SessionId;
use legwork_types::{FrameId, TabId};

use super::{
    ContextKey, Effect, Happening, Owner, Recorded, World,
    requests::{Kind, Line, RequestMark, Sent},
    tab::UnderWay,
};

/// News of one request.
#[derive(Debug, Clone)]
pub(crate) enum RequestNews {
    Began {
        id: String,
        /// None for what reaches no network.
        line: Option<Line>,
        kind: Kind,
        /// The frame whose document it is to be.
        document_of: Option<FrameId>,
        /// The status of the answer that sent it on to here.
        redirected: Option<u16>,
    },
    Answered {
        id: String,
        status: u16,
        /// Whether it is a stream of events.
        endless: bool,
        /// Whether a server gave it, so that the request has left.
        by_server: bool,
    },
    Ended {
        id: String,
    },
    Failed {
        id: String,
        /// Whether nobody wanted it any more.
        called_off: bool,
    },
}

impl RequestNews {
    /// The request that has reached its server, if it says so.
    fn left(&self) -> Option<&str> {
        match self {
            Self::Began { id, redirected: Some(_), .. } | Self::Answered { id, by_server: true, .. } => {
                Some(id)
            }
            _ => None,
        }
    }
}

/// A point in the life of a context.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mark {
    requests: RequestMark,
    needed: u64,
    happenings: u64,
    downloads: Vec<String>,
}

/// What there is to tell since a mark.
#[derive(Debug, Clone, Default)]
pub(crate) struct Account {
    pub(crate) sent: Sent,
    pub(crate) happenings: Vec<Recorded>,
    /// Names of the downloads that have begun and are not over.
    pub(crate) downloading: Vec<String>,
    /// The tab in front.
    pub(crate) front: Option<TabId>,
}

/// What is on its way since a mark.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traffic {
    /// Whether anything that the page needs was sent at all.
    pub(crate) begun: bool,
    /// How much of it is on its way, downloads included.
    pub(crate) pending: usize,
    /// When any of it last began or ended.
    pub(crate) changed: Option<Instant>,
}

impl World {
    pub(super) fn request(&mut self, session: &SessionId, news: RequestNews, now: Instant) -> Vec<Effect> {
        let Some(owner) = self.sessions.get(session).copied() else { return vec![] };
        let tab = owner.tab();
        let key = match tab {
            Some(tab) => self.tabs.get(&tab).map(|tab| tab.context.clone()),
            None => self.shared_workers.get(session).cloned(),
        };
        let Some(context) = key.and_then(|key| self.contexts.get_mut(&key)) else { return vec![] };
        let got_past = news.left().is_some_and(|id| {
            let write = context.requests.write(id);
            write.is_some_and(|(digest, sent)| !self.waited.knows(id, digest, sent))
        });
        match news {
            RequestNews::Began { id, line, kind, document_of, redirected } => {
                if let Some(status) = redirected {
                    context.requests.answered(&id, status, false);
                    context.requests.ended(&id, now);
                }
                if let Some(line) = line {
                    let is_answer = !matches!(line.method.as_str(), "GET" | "HEAD");
                    context.requests.began(&id, tab, line, kind, now);
                    self.sets_out(owner, document_of, UnderWay { loader: id, failed: false, is_answer });
                }
            }
            RequestNews::Answered { id, status, endless, .. } => {
                context.requests.answered(&id, status, endless);
            }
            RequestNews::Ended { id } => context.requests.ended(&id, now),
            RequestNews::Failed { id, called_off } => {
                context.requests.failed(&id, called_off, now);
                self.comes_to_nothing(owner, &id, called_off);
            }
        }
        self.pulse(tab, session);
        if got_past { self.wrote_past_barrier(session) } else { vec![] }
    }

    /// A document was asked for: while the server thinks, its page answers nothing.
    fn sets_out(&mut self, owner: Owner, document_of: Option<FrameId>, under_way: UnderWay) {
        let Owner::Page(id) = owner else { return };
        self.of_tab(id, |tab| {
            if document_of.as_ref() == Some(&tab.main) {
                tab.state.send_modify(|state| state.under_way = Some(under_way));
            }
        });
    }

    /// The browser shows a page of its own for a document that failed; one that was called off leaves the old one in place.
    fn comes_to_nothing(&mut self, owner: Owner, loader: &str, called_off: bool) {
        let Owner::Page(id) = owner else { return };
        self.of_tab(id, |tab| {
            tab.state.send_if_modified(|state| match &mut state.under_way {
                Some(under_way) if under_way.loader == loader => {
                    under_way.failed = true;
                    if called_off {
                        state.under_way = None;
                    }
                    true
                }
                _ => false,
            });
        });
    }

    /// What failed was not shown: the tab is where it was.
    pub(crate) fn goes_nowhere(&mut self, id: TabId) -> Vec<Effect> {
        self.of_tab(id, |tab| {
            tab.state
                .send_if_modified(|state| state.under_way.take_if(|under_way| under_way.failed).is_some());
        })
    }

    /// Tells those who wait that something happened in the context.
    fn pulse(&self, tab: Option<TabId>, session: &SessionId) {
        let key = match tab {
            Some(tab) => self.tabs.get(&tab).map(|tab| &tab.context),
            None => self.shared_workers.get(session),
        };
        if let Some(context) = key.and_then(|key| self.contexts.get(key)) {
            context.happenings.pulse();
        }
    }

    /// Notes where a context is now.
    pub(crate) fn mark(&mut self, key: &ContextKey, tab: TabId) -> Mark {
        let Some(context) = self.contexts.get_mut(key) else { return Mark::default() };
        Mark {
            requests: context.requests.mark(),
            needed: context.requests.pace(tab).0,
            happenings: context.happenings.count(),
            downloads: context.downloads.names().map(str::to_owned).collect(),
        }
    }

    /// What a tab and those that it opened did since a mark; at most so many requests.
    pub(crate) fn since(&self, key: &ContextKey, tab: TabId, mark: &Mark, most: usize) -> Account {
        let Some(context) = self.contexts.get(key) else { return Account::default() };
        let happenings = context.happenings.since(mark.happenings);
        let mut tabs = vec![tab];
        for recorded in &happenings {
            if let Happening::TabOpened { tab, opener: Some(opener) } = &recorded.what
                && tabs.contains(opener)
            {
                tabs.push(*tab);
            }
        }
        Account {
            sent: context.requests.since(&mark.requests, &tabs, most),
            happenings,
            downloading: self.downloading(key, mark),
            front: context.roster.active(),
        }
    }

    /// What is on its way for a tab since a mark.
    pub(crate) fn traffic(&self, key: &ContextKey, tab: TabId, mark: &Mark, now: Instant) -> Traffic {
        let Some(context) = self.contexts.get(key) else { return Traffic::default() };
        let (needed, changed) = context.requests.pace(tab);
        let downloading = self.downloading(key, mark).len();
        Traffic {
            begun: needed > mark.needed || downloading > 0,
            pending: context.requests.pending(&mark.requests, tab, now) + downloading,
            changed: changed.filter(|_| needed > mark.needed),
        }
    }

    /// How much that its page needs is on its way, whenever it was sent.
    pub(crate) fn busy(&self, key: &ContextKey, tab: TabId, now: Instant) -> usize {
        self.contexts.get(key).map_or(0, |context| context.requests.busy(tab, now))
    }

    /// The workers that a page may have set to work: its own, and those of all.
    pub(crate) fn workers(&self, key: &ContextKey, tab: TabId) -> Vec<SessionId> {
        let at_work = |(session, owner): &(&SessionId, &Owner)| match owner {
            Owner::Worker(Some(of)) => *of == tab,
            Owner::Worker(None) => self.shared_workers.get(*session) == Some(key),
            Owner::Page(_) | Owner::Frame(_) => false,
        };
        self.sessions.iter().filter(at_work).map(|(session, _)| session.clone()).collect()
    }

    /// Counts up with everything that happens in a context; watched by those who wait.
    pub(crate) fn pulses(&self, key: &ContextKey) -> Option<tokio::sync::watch::Receiver<u64>> {
        self.contexts.get(key).map(|context| context.happenings.pulses())
    }

    /// News were lost: nobody knows what is still on its way.
    pub(crate) fn news_lost(&mut self) {
        for context in self.contexts.values_mut() {
            context.requests.forget_running();
        }
    }

    fn downloading(&self, key: &ContextKey, mark: &Mark) -> Vec<String> {
        let names = self.contexts.get(key).into_iter().flat_map(|context| context.downloads.names());
        names.filter(|name| !mark.downloads.iter().any(|old| old == name)).map(str::to_owned).collect()
    }
}
