//! Everything known about the tabs of one browser, as a fold over the news. Pure: facts in, effects out.

mod ask;
mod clip;
mod dialogs;
mod downloads;
mod effect;
mod fact;
mod frames;
mod happenings;
mod loads;
mod on_dialogs;
mod on_downloads;
mod on_requests;
mod on_targets;
mod on_wire;
mod paused;
mod requests;
mod roster;
mod tab;
mod waited;

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    path::PathBuf,
    time::{Duration, Instant},
};

use legwork_cdp::{SessionId, protocol::page};
use legwork_types::{FrameId, Outgoing, TabId};
use tokio::sync::{oneshot, watch};

use crate::{
    Thrift,
    barrier::{SharedBarrier, Ticket},
};

pub(crate) use self::{
    ask::Sought,
    clip::{MESSAGE, clip},
    effect::Effect,
    fact::{EVENTS, Fact},
    loads::Progress,
    on_requests::{Account, Mark, RequestNews, Traffic},
    on_wire::SentAgain,
    paused::{Paused, WaitingPlace},
    requests::{Fate, Kind, Line, Request},
    tab::{Phase, TabState},
};
use self::{
    clip::ADDRESS, downloads::Downloads, frames::Frames, happenings::Happenings, on_wire::Held,
    requests::Requests, roster::Roster, waited::Waited,
};
pub use self::{
    dialogs::{DialogKind, OpenDialog},
    downloads::DownloadLimits,
    frames::Frame,
    happenings::{Happening, Recorded},
    tab::Gone,
};

/// A context by the browser's own name; `None` is the default one.
pub(crate) type ContextKey = Option<String>;

/// Tabs that pages of one context may open within [`FLOOD_SPAN`].
const FLOOD: usize = 10;
const FLOOD_SPAN: Duration = Duration::from_secs(10);

/// Documents that a tab may go through by itself within [`CIRCLES_SPAN`]: more is a page that sends us in circles.
const CIRCLES: usize = 30;
/// On a busy machine a document may take a second.
const CIRCLES_SPAN: Duration = Duration::from_secs(30);

/// Ended targets that are remembered.
const ENDED: usize = 64;

#[derive(Default)]
pub(crate) struct World {
    contexts: HashMap<ContextKey, Context>,
    tabs: BTreeMap<TabId, Tab>,
    sessions: HashMap<SessionId, Owner>,
    /// Whose the workers are that belong to no tab.
    shared_workers: HashMap<SessionId, ContextKey>,
    /// Workers by the names of their targets. Some are told of by several sessions.
    worker_targets: HashMap<String, Vec<SessionId>>,
    /// Requests that wait for a decision.
    holds: HashMap<Ticket, Held>,
    /// Requests that left and whose answer somebody wants to be told of, by their names in what is told of answers.
    awaited: VecDeque<(String, SharedBarrier, Ticket)>,
    /// The writes that waited at the barrier.
    waited: Waited,
    /// The ways of requests that waited, by their names.
    hops: VecDeque<(String, Vec<String>)>,
    /// How many tabs there have been; watched by those who wait for one.
    arrivals: watch::Sender<u32>,
    serials: u64,
    /// Writes without a sender that somebody waits for.
    strays: Vec<(String, oneshot::Sender<()>)>,
    /// Targets of tabs that ended lately: whoever still waits for one of them need not.
    ended: VecDeque<String>,
}

struct Context {
    roster: Roster,
    downloads: Downloads,
    /// Where they go.
    folder: PathBuf,
    happenings: Happenings,
    popups: VecDeque<Instant>,
    requests: Requests,
    barrier: SharedBarrier,
    /// The origins whose pages may open sockets.
    sockets: Vec<String>,
    /// How its pages save memory.
    thrift: Thrift,
    /// How long a request is held for a decision.
    hold: Duration,
}

/// What a context lives by.
pub(crate) struct Keeping {
    pub(crate) downloads: DownloadLimits,
    pub(crate) folder: PathBuf,
    pub(crate) barrier: SharedBarrier,
    pub(crate) sockets: Vec<String>,
    pub(crate) thrift: Thrift,
    pub(crate) hold: Duration,
}

struct Tab {
    state: watch::Sender<TabState>,
    context: ContextKey,
    main: FrameId,
    frames: Frames,
    /// Dialogs of the present document.
    dialogs: u32,
    unanswered: bool,
    leaving: Leaving,
    opened: Opened,
    /// A request for the tab's document that is sent again after a yes: the next one to its address leaves as it.
    sent_again: Option<(Ticket, Box<Outgoing>)>,
    /// An address of which the tab's next document is an empty one of ours: no server is asked for it.
    nothing_of: Option<String>,
    /// When documents came up since we last sent the tab somewhere.
    commits: VecDeque<Instant>,
}

/// How far a tab that a page opened has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// We opened it ourselves.
    ByUs,
    /// It has shown nothing yet.
    Empty,
    /// Its page has come up.
    AtItsPage,
    /// It has been told of.
    Introduced,
}

/// Whether we are about to leave a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaving {
    No,
    /// We have asked, and the old document is still there.
    Asked,
    /// A new document came up since we asked. It may be ours, or one that the page went to just before.
    UnderWay,
}

impl Leaving {
    /// The old document's questions are dismissed, those of a new one are not; objections to being left never count
    /// while we are at it.
    fn counts_for(self, kind: DialogKind) -> bool {
        self == Self::Asked || (self == Self::UnderWay && kind == DialogKind::BeforeUnload)
    }
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
    /// From now on pages of this context are ours. False if they are already: the default context is there once.
    pub(crate) fn add_context(&mut self, key: ContextKey, keeping: Keeping) -> bool {
        if self.contexts.contains_key(&key) {
            return false;
        }
        let context = Context {
            roster: Roster::default(),
            downloads: Downloads::new(keeping.downloads),
            folder: keeping.folder,
            happenings: Happenings::default(),
            popups: VecDeque::new(),
            requests: Requests::default(),
            barrier: keeping.barrier,
            sockets: keeping.sockets,
            thrift: keeping.thrift,
            hold: keeping.hold,
        };
        self.contexts.insert(key, context);
        true
    }

    /// The context is disposed of, and its tabs and downloads with it.
    pub(crate) fn remove_context(&mut self, key: &ContextKey) -> Vec<Effect> {
        let tabs: Vec<TabId> = self.contexts.get(key).map(|c| c.roster.tabs().to_vec()).unwrap_or_default();
        let mut effects = self.give_up_all(|context, _| context == key);
        effects.extend(tabs.into_iter().flat_map(|tab| self.close_tab(tab, "context closed")));
        if let Some(context) = self.contexts.remove(key) {
            let running = context.downloads.running();
            effects.extend(
                running.map(|guid| Effect::CancelDownload { context: key.clone(), guid: guid.to_owned() }),
            );
            effects.push(Effect::ForgetDownloads { context: key.clone(), folder: context.folder });
        }
        effects
    }

    /// The browser is about to end, and should not die of a question that a frame asks.
    pub(crate) fn dismiss_all(&mut self) -> Vec<Effect> {
        let tabs: Vec<TabId> = self.tabs.keys().copied().collect();
        tabs.into_iter().filter_map(|tab| self.answer_dialog(tab, false, None)).flatten().collect()
    }

    pub(crate) fn apply(&mut self, fact: Fact, now: Instant) -> Vec<Effect> {
        match fact {
            Fact::Attached { parent, session, info } => self.attached(parent.as_ref(), session, &info, now),
            Fact::Detached { session } => match self.sessions.remove(&session) {
                Some(Owner::Page(tab)) => self.close_tab(tab, "closed"),
                Some(Owner::Frame(tab)) => self.with_frames(tab, |frames| frames.session_ended(&session)),
                Some(Owner::Worker(_)) | None => {
                    self.shared_workers.remove(&session);
                    self.worker_targets.retain(|_, sessions| {
                        sessions.retain(|other| *other != session);
                        !sessions.is_empty()
                    });
                    vec![]
                }
            },
            Fact::TargetGone { target } => match self.tab_of_target(&target) {
                Some(tab) => self.close_tab(tab, "closed"),
                None => vec![],
            },
            Fact::TargetCrashed { target, gone } => match self.tab_of_target(&target) {
                Some(tab) => self.end_tab(tab, gone, "crashed"),
                None => vec![],
            },
            Fact::SessionCrashed { session } => match self.sessions.get(&session).copied() {
                // How it died comes right after this, with its target.
                Some(Owner::Page(_)) => vec![],
                Some(Owner::Frame(tab)) => {
                    let mut effects = self.with_frames(tab, |frames| frames.session_ended(&session));
                    effects.push(Effect::Abandon { session });
                    effects
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
                    tab.state.send_modify(|state| {
                        state.url = clip(&url, ADDRESS);
                        state.moves += 1;
                    });
                }
            }),
            Fact::FrameDetached { session, frame, moves } => match self.sessions.get(&session).copied() {
                Some(Owner::Page(tab) | Owner::Frame(tab)) => {
                    self.with_frames(tab, |frames| frames.detached(&session, &frame, moves))
                }
                Some(Owner::Worker(_)) | None => vec![],
            },
            Fact::Loading { session, frame, now } => self.of_session(&session, |tab| {
                if frame == tab.main {
                    tab.state.send_modify(|state| {
                        state.loading = now;
                        if !now {
                            state.loads.stopped();
                            state.under_way.take_if(|under_way| under_way.failed);
                        }
                    });
                }
            }),
            Fact::Lifecycle { session, event } => self.lifecycle(&session, &event),
            Fact::DialogOpened { session, dialog } => self.dialog_opened(session, &dialog),
            Fact::DialogClosed { session } => self.of_session(&session, |tab| {
                tab.state.send_if_modified(|state| state.dialog.take().is_some());
            }),
            Fact::DownloadBegan { download } => self.download_began(&download),
            Fact::DownloadWent { progress } => self.download_went(&progress),
            Fact::Request { session, news } => {
                let is_socket =
                    matches!(&news, RequestNews::Began { line: Some(line), .. } if line.is_socket());
                let mut effects = self.tell_answered(&news);
                effects.extend(self.request(&session, news, now));
                if is_socket {
                    effects.extend(self.socket_opened(&session));
                }
                effects
            }
        }
    }

    fn lifecycle(&mut self, session: &SessionId, event: &page::LifecycleEvent) -> Vec<Effect> {
        let Some(Owner::Page(id)) = self.sessions.get(session).copied() else { return vec![] };
        let Some(tab) = self.tabs.get_mut(&id).filter(|tab| event.frame_id == tab.main.as_str()) else {
            return vec![];
        };
        match event.name.as_str() {
            "init" | "commit" => tab.state.send_modify(|state| state.loads.committed(&event.loader_id)),
            "DOMContentLoaded" => {
                tab.state.send_modify(|state| state.loads.content_loaded(&event.loader_id));
                if tab.opened == Opened::AtItsPage {
                    tab.opened = Opened::Introduced;
                    return vec![Effect::Introduce { tab: id, target: tab.state.borrow().target.clone() }];
                }
            }
            _ => {}
        }
        vec![]
    }

    /// A tab that a page opened has come to its page.
    pub(crate) fn followed(&mut self, id: TabId, title: &str) {
        let Some(tab) = self.tabs.get(&id) else { return };
        let url = tab.state.borrow().url.clone();
        if let Some(context) = self.contexts.get_mut(&tab.context) {
            context.happenings.add(Happening::TabFollowed { tab: id, url, title: clip(title, MESSAGE) });
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
        if tab.leaving == Leaving::Asked {
            tab.leaving = Leaving::UnderWay;
        }
        tab.state.send_modify(|state| {
            state.loads.committed(&frame.loader_id);
            state.url = frames::address(frame);
            state.moves += 1;
            let came = state.under_way.take_if(|under_way| under_way.loader == frame.loader_id);
            state.is_answer = came.is_some_and(|came| came.is_answer);
        });
        tab.commits.retain(|at| now.duration_since(*at) < CIRCLES_SPAN);
        tab.commits.push_back(now);
        if tab.commits.len() > CIRCLES {
            return self.end_tab(id, Gone::Hostile("redirects without end"), "redirects without end");
        }
        let failed = frame.unreachable_url.is_some();
        let empty = tab.opened == Opened::Empty;
        if empty && frame.url.0 != "about:blank" {
            tab.opened = Opened::AtItsPage;
        }
        // A tab that a page opened and that shows nothing but the browser's error page is of no use to anybody.
        if failed && empty { self.close_tab(id, "failed to load") } else { vec![] }
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
            tab.leaving = Leaving::Asked;
            tab.commits.clear();
        });
        self.answer_dialog(id, false, None).unwrap_or_default()
    }

    /// Something is about to be done to the page: where it goes now it does not go by itself.
    pub(crate) fn is_acted_on(&mut self, id: TabId) {
        self.of_tab(id, |tab| tab.commits.clear());
    }

    /// The navigation is over, well or not: the page has its say again.
    pub(crate) fn stays(&mut self, id: TabId) {
        self.of_tab(id, |tab| tab.leaving = Leaving::No);
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
        // Chromium as a whole dies when a tab goes whose frame asks something.
        let dismissed = self.answer_dialog(id, false, None).unwrap_or_default();
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
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(target.clone());
        let mut effects = dismissed;
        effects.extend(self.give_up_all(|_, tab| tab == Some(id)));
        effects.extend([Effect::Abandon { session }, Effect::CloseTarget { target }]);
        if let Some(context) = self.contexts.get_mut(&tab.context) {
            let was_active = context.roster.active() == Some(id);
            context.roster.leave(id);
            context.requests.forget_tab(id);
            context.happenings.add(Happening::TabClosed { tab: id, url, why });
            let next = context.roster.active().filter(|_| was_active).and_then(|next| self.tabs.get(&next));
            effects.extend(
                next.map(|next| Effect::BringToFront { session: next.state.borrow().session.clone() }),
            );
        }
        effects
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

    /// Changes the frames of a tab. It can't go on if one is taken away that asks something.
    fn with_frames(&mut self, id: TabId, change: impl FnOnce(&mut Frames)) -> Vec<Effect> {
        const WHY: &str = "took away a frame that asked something";
        let Some(tab) = self.tabs.get_mut(&id) else { return vec![] };
        let dialog = tab.state.borrow().dialog.clone();
        let who = dialog.and_then(|dialog| dialog.frame).filter(|frame| tab.frames.knows(frame));
        change(&mut tab.frames);
        if who.is_some_and(|frame| !tab.frames.knows(&frame)) {
            return self.end_over_dialogs(id, WHY);
        }
        vec![]
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
