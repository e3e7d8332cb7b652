//! Requests that wait: whose they are, what was ruled on them, and which are held for a decision.

use std::time::{Duration, Instant};

use legwork_cdp::SessionId;
use legwork_types::{FrameId, Outgoing, OutgoingKind, Sender, TabId};
use tokio::sync::oneshot;

use super::{
    ContextKey, Effect, Gone, Opened, Owner, RequestNews, World,
    paused::{Paused, WaitingPlace, What},
    requests::{Fate, Line},
};
use crate::{
    Thrift,
    barrier::{GivenUp, Ruling, SharedBarrier, Ticket, is_reading},
};

/// Requests whose way is remembered, in case that they are sent on.
const HOPS: usize = 512;
/// Requests whose answer is told to somebody.
const AWAITED: usize = 64;
/// The longest way that is.
const LONGEST_WAY: usize = 25;

/// A request that is held for a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) place: WaitingPlace,
    context: ContextKey,
    tab: Option<TabId>,
    line: Option<Line>,
}

/// A request on its way to be ruled on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) ticket: Ticket,
    pub(crate) place: WaitingPlace,
    /// The frame that sends it, if it is one.
    pub(crate) frame: Option<FrameId>,
    pub(crate) context: ContextKey,
    pub(crate) outgoing: Outgoing,
}

/// Whether a request was sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SentAgain {
    Yes,
    No,
}

/// Who sends a request.
enum Whose {
    Tab {
        tab: TabId,
        frame: FrameId,
    },
    Worker {
        tab: Option<TabId>,
        context: ContextKey,
    },
    /// Nobody that is known: a target that has just come, or has just gone.
    Nobody,
}

impl World {
    /// A request waits. Whatever nobody can be named for must not write.
    pub(crate) fn paused(&mut self, paused: Paused, now: Instant) -> Vec<Effect> {
        let network = paused.place.network.as_deref();
        self.waited.add(network, Line::of(&paused.method, &paused.url).as_ref(), now);
        let hops = self.hops(&paused);
        let whose = self.whose(&paused);
        let key = match &whose {
            Whose::Tab { tab, .. } => self.tabs.get(tab).map(|tab| tab.context.clone()),
            Whose::Worker { context, .. } => Some(context.clone()),
            Whose::Nobody => None,
        };
        if self.is_of_nothing(&paused) {
            return vec![Effect::AnswerWithNothing { place: paused.place }];
        }
        let barrier = key.as_ref().and_then(|key| self.contexts.get(key)).map(|c| c.barrier.clone());
        if let Some((ticket, outgoing)) = self.is_sent_again(&paused) {
            let line = Line::of(&outgoing.method, &outgoing.url);
            self.waited.add(paused.place.network.as_deref(), line.as_ref(), now);
            self.await_answer(&paused.place, barrier, ticket);
            return vec![Effect::LetGoAs { place: paused.place, outgoing }];
        }
        let (place, outgoing) = self.outgoing(paused, &whose, hops);
        let (Some(context), Some(barrier)) = (key, barrier) else {
            if !is_reading(&outgoing) {
                self.strayed(&outgoing.url);
                return vec![Effect::TurnBack { place, kind: outgoing.kind }];
            }
            let barriers = self.contexts.values().map(|context| context.barrier.clone()).collect();
            return vec![Effect::JudgeUnclaimed { barriers, place, outgoing: Box::new(outgoing) }];
        };
        self.serials += 1;
        let ticket = Ticket(self.serials);
        let frame = match whose {
            Whose::Tab { frame, .. } => Some(frame),
            Whose::Worker { .. } | Whose::Nobody => None,
        };
        let waiting = Box::new(Waiting { ticket, place, frame, context, outgoing });
        vec![Effect::Judge { barrier, waiting }]
    }

    /// Tells when a write to this address is turned back because nobody can be named for it.
    pub(crate) fn expect_stray(&mut self, address: String) -> oneshot::Receiver<()> {
        let (tell, told) = oneshot::channel();
        self.strays.retain(|(_, waits)| !waits.is_closed());
        self.strays.push((address, tell));
        told
    }

    fn strayed(&mut self, address: &str) {
        if let Some(at) = self.strays.iter().position(|(expected, _)| expected == address) {
            let _ = self.strays.swap_remove(at).1.send(());
        }
    }

    /// The request that is sent again by our own navigation to its address, if this is that navigation.
    fn is_sent_again(&mut self, paused: &Paused) -> Option<(Ticket, Box<Outgoing>)> {
        self.navigating(paused)?.sent_again.take_if(|(_, outgoing)| outgoing.url == paused.url)
    }

    /// Whether it is our own navigation to an empty document.
    fn is_of_nothing(&mut self, paused: &Paused) -> bool {
        let tab = self.navigating(paused);
        tab.is_some_and(|tab| tab.nothing_of.take_if(|address| *address == paused.url).is_some())
    }

    /// The tab whose next document this request may be.
    fn navigating(&mut self, paused: &Paused) -> Option<&mut super::Tab> {
        let is_navigation =
            paused.what == What::Document && paused.method == "GET" && paused.sent_on_from.is_none();
        let mut tabs = self.tabs.values_mut().filter(|tab| tab.main.as_str() == paused.frame);
        tabs.next().filter(|_| is_navigation)
    }

    /// The next document of a tab is an empty one, if it is asked for at this address; none for any.
    pub(crate) fn show_nothing_of(&mut self, id: TabId, address: Option<String>) {
        if let Some(tab) = self.tabs.get_mut(&id) {
            tab.nothing_of = address;
        }
    }

    /// A request for the document of a tab is to be sent again. The tab's session, if it still shows the document that sent it.
    pub(crate) fn send_again(&mut self, ticket: Ticket, outgoing: Outgoing) -> Option<(TabId, SessionId)> {
        let id = outgoing.sender.tab?;
        let tab = self.tabs.get_mut(&id)?;
        let (_, loader) = tab.frames.document(&tab.main)?;
        if outgoing.sender.loader.as_deref() != Some(loader.as_str()) {
            return None;
        }
        tab.sent_again = Some((ticket, Box::new(outgoing)));
        Some((id, tab.state.borrow().session.clone()))
    }

    /// It was sent, or will not be. Of a tab that is gone nobody knows: then it counts as sent.
    pub(crate) fn was_sent_again(&mut self, id: TabId) -> SentAgain {
        let still_waits = self.tabs.get_mut(&id).is_some_and(|tab| tab.sent_again.take().is_some());
        if still_waits { SentAgain::No } else { SentAgain::Yes }
    }

    fn whose(&self, paused: &Paused) -> Whose {
        let frame = FrameId::new(&*paused.frame);
        // A session of its own says whose it is, wherever the frame is.
        let owner = paused.place.session.as_ref().and_then(|session| self.owner(session));
        let tab = self.tabs.iter().find(|(_, tab)| tab.main == frame || tab.frames.knows(&frame));
        match (tab, owner) {
            (Some((tab, _)), _) => Whose::Tab { tab: *tab, frame },
            (None, Some(whose)) => whose,
            (None, None) => {
                let sessions = self.worker_targets.get(&paused.frame).into_iter().flatten();
                sessions.filter_map(|session| self.owner(session)).next().unwrap_or(Whose::Nobody)
            }
        }
    }

    fn owner(&self, session: &SessionId) -> Option<Whose> {
        match self.sessions.get(session)? {
            Owner::Page(tab) | Owner::Frame(tab) => {
                let frame = self.tabs.get(tab)?.main.clone();
                Some(Whose::Tab { tab: *tab, frame })
            }
            Owner::Worker(Some(tab)) => {
                let context = self.tabs.get(tab)?.context.clone();
                Some(Whose::Worker { tab: Some(*tab), context })
            }
            Owner::Worker(None) => {
                let context = self.shared_workers.get(session)?.clone();
                Some(Whose::Worker { tab: None, context })
            }
        }
    }

    /// The addresses that a request was sent on from; it is remembered as one of them itself.
    fn hops(&mut self, paused: &Paused) -> Vec<String> {
        let known = |id: &String| self.hops.iter().find(|(of, _)| of == id).map(|(_, way)| way.clone());
        let hops = paused.sent_on_from.as_ref().and_then(known).unwrap_or_default();
        if self.hops.len() >= HOPS {
            self.hops.pop_front();
        }
        let mut way = hops.clone();
        // A way that is too long to be remembered is not known.
        if paused.sent_on_from.is_none() || (!way.is_empty() && way.len() < LONGEST_WAY) {
            way.push(paused.url.clone());
            self.hops.push_back((paused.place.id.clone(), way));
        }
        hops
    }

    fn outgoing(&self, paused: Paused, whose: &Whose, hops: Vec<String>) -> (WaitingPlace, Outgoing) {
        let tab = match whose {
            Whose::Tab { tab, .. } => Some(*tab),
            Whose::Worker { tab, .. } => *tab,
            Whose::Nobody => None,
        };
        let known = tab.and_then(|tab| self.tabs.get(&tab));
        let (kind, document) = match (whose, known) {
            (Whose::Tab { frame, .. }, Some(tab)) => {
                let of = if tab.main == *frame { OutgoingKind::Page } else { OutgoingKind::Frame };
                let kind = match paused.what {
                    What::Document => of,
                    What::Other(kind) => kind,
                };
                (kind, tab.frames.document(frame))
            }
            _ => match paused.what {
                What::Document => (OutgoingKind::Frame, None),
                What::Other(kind) => (kind, None),
            },
        };
        let sender = Sender {
            tab,
            page: known.map(|tab| tab.state.borrow().url.clone()),
            document: document.as_ref().map(|(url, _)| url.clone()),
            loader: document.map(|(_, loader)| loader),
            is_worker: matches!(whose, Whose::Worker { .. }),
        };
        let headers = paused.headers.into_iter();
        let outgoing = Outgoing {
            method: paused.method,
            url: paused.url,
            kind,
            headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), value)).collect(),
            body: paused.body,
            sender,
            redirected: paused.sent_on_from.is_some(),
            hops,
        };
        (paused.place, outgoing)
    }

    /// What the barrier said to a request.
    pub(crate) fn ruled(&mut self, waiting: Waiting, ruling: Ruling) -> Vec<Effect> {
        let Waiting { ticket, place, frame, context, outgoing } = waiting;
        let is_document = matches!(outgoing.kind, OutgoingKind::Page | OutgoingKind::Frame);
        let ruling = match ruling {
            Ruling::Hold if is_document => Ruling::Stop,
            ruling => ruling,
        };
        if ruling == Ruling::GoTold {
            let barrier = self.contexts.get(&context).map(|context| context.barrier.clone());
            self.await_answer(&place, barrier, ticket);
        }
        if matches!(ruling, Ruling::Go | Ruling::GoTold) {
            return vec![Effect::LetGo { place }];
        }
        let tab = outgoing.sender.tab;
        let line = Line::of(&outgoing.method, &outgoing.url);
        let fate = if ruling == Ruling::Hold { Fate::Held } else { Fate::Stopped };
        if let (Some(line), Some(context)) = (&line, self.contexts.get_mut(&context)) {
            context.requests.meets(line, fate);
        }
        self.pulse_of(&context);
        if ruling != Ruling::Hold {
            let mut effects = vec![Effect::TurnBack { place, kind: outgoing.kind }];
            effects.extend(self.close_if_empty(tab, outgoing.kind));
            return effects;
        }
        let hold = self.contexts.get(&context).map_or(Duration::ZERO, |context| context.hold);
        self.holds.insert(ticket, Held { place, context, tab, line });
        // A frame in a process of its own freezes alone.
        let asks = |tab: &super::Tab| {
            let frame = frame.as_ref().and_then(|frame| tab.frames.session_of(frame));
            frame.unwrap_or_else(|| tab.state.borrow().session.clone())
        };
        let page = tab.and_then(|tab| self.tabs.get(&tab)).map(asks);
        vec![Effect::WatchHold { ticket, page, hold }]
    }

    /// A tab that a page opened for what was turned back will never show anything.
    fn close_if_empty(&mut self, tab: Option<TabId>, kind: OutgoingKind) -> Vec<Effect> {
        let is_empty = |id: &TabId| self.tabs.get(id).is_some_and(|tab| tab.opened == Opened::Empty);
        match tab.filter(is_empty).filter(|_| kind == OutgoingKind::Page) {
            Some(tab) => self.close_tab(tab, "was not allowed to load"),
            None => vec![],
        }
    }

    /// Takes a request that is held out of the list: whoever does that decides on it.
    pub(crate) fn take_held(&mut self, ticket: Ticket) -> Option<WaitingPlace> {
        let held = self.holds.remove(&ticket)?;
        if let (Some(line), Some(context)) = (&held.line, self.contexts.get_mut(&held.context)) {
            context.requests.decided(line);
        }
        self.pulse_of(&held.context);
        Some(held.place)
    }

    /// The same for one that leaves.
    pub(crate) fn take_released(&mut self, ticket: Ticket) -> Option<WaitingPlace> {
        let context = self.holds.get(&ticket).and_then(|held| self.contexts.get(&held.context));
        let barrier = context.map(|context| context.barrier.clone());
        let place = self.take_held(ticket)?;
        self.await_answer(&place, barrier, ticket);
        Some(place)
    }

    fn await_answer(&mut self, place: &WaitingPlace, barrier: Option<SharedBarrier>, ticket: Ticket) {
        if let (Some(name), Some(barrier)) = (&place.network, barrier) {
            if self.awaited.len() >= AWAITED {
                self.awaited.pop_front();
            }
            self.awaited.push_back((name.clone(), barrier, ticket));
        }
    }

    /// Tells whoever wants to know that a request has its answer, or will get none. What is sent on was answered.
    pub(super) fn tell_answered(&mut self, news: &RequestNews) -> Vec<Effect> {
        let id = match news {
            RequestNews::Began { redirected: None, .. } => return vec![],
            RequestNews::Began { id, .. }
            | RequestNews::Answered { id, .. }
            | RequestNews::Ended { id }
            | RequestNews::Failed { id, .. } => id,
        };
        let Some(at) = self.awaited.iter().position(|(name, ..)| name == id) else { return vec![] };
        let told = self.awaited.remove(at);
        told.map(|(_, barrier, ticket)| Effect::TellAnswered { barrier, ticket }).into_iter().collect()
    }

    /// A request was held in vain.
    pub(crate) fn give_up(&mut self, ticket: Ticket, why: GivenUp) -> Vec<Effect> {
        let Some(held) = self.holds.get(&ticket) else { return vec![] };
        let barrier = self.contexts.get(&held.context).map(|context| context.barrier.clone());
        let Some(place) = self.take_held(ticket) else { return vec![] };
        let turned_back = Effect::TurnBack { place, kind: OutgoingKind::Script };
        let told = barrier.map(|barrier| Effect::TellGivenUp { barrier, ticket, why });
        [Some(turned_back), told].into_iter().flatten().collect()
    }

    /// What was held for a tab that is gone, or for a context as a whole, came to nothing.
    pub(super) fn give_up_all(&mut self, of: impl Fn(&ContextKey, Option<TabId>) -> bool) -> Vec<Effect> {
        let held: Vec<Ticket> =
            self.holds.iter().filter(|(_, held)| of(&held.context, held.tab)).map(|(t, _)| *t).collect();
        held.into_iter().flat_map(|ticket| self.give_up(ticket, GivenUp::Orphaned)).collect()
    }

    fn pulse_of(&self, key: &ContextKey) {
        if let Some(context) = self.contexts.get(key) {
            context.happenings.pulse();
        }
    }

    /// A socket was opened although no page here may: whatever stood in its way was got around, so the page goes.
    pub(super) fn socket_opened(&mut self, session: &SessionId) -> Vec<Effect> {
        if !self.sockets_of(session).is_empty() {
            return vec![];
        }
        self.end_all_of(session, "opened a socket")
    }

    /// A write was answered that never waited at the barrier: it has left, and nothing more may.
    pub(super) fn wrote_past_barrier(&mut self, session: &SessionId) -> Vec<Effect> {
        tracing::error!(?session, "a write left that did not wait at the barrier; its tab is closed");
        self.end_all_of(session, "sent something past the barrier")
    }

    /// Ends the tab that a session is of, or all tabs that it may work for.
    fn end_all_of(&mut self, session: &SessionId, why: &'static str) -> Vec<Effect> {
        let tabs = match self.sessions.get(session).copied().map(Owner::tab) {
            Some(Some(tab)) => vec![tab],
            Some(None) => {
                let key = self.shared_workers.get(session);
                key.and_then(|key| self.contexts.get(key))
                    .map(|c| c.roster.tabs().to_vec())
                    .unwrap_or_default()
            }
            None => vec![],
        };
        tabs.into_iter().flat_map(|tab| self.end_tab(tab, Gone::Hostile(why), why)).collect()
    }

    /// The origins whose pages may open sockets, for a session that is to be prepared.
    pub(crate) fn sockets_of(&self, session: &SessionId) -> Vec<String> {
        self.home_of(session).map(|context| context.sockets.clone()).unwrap_or_default()
    }

    /// How pages save memory, for a session that is to be prepared.
    pub(crate) fn thrift_of(&self, session: &SessionId) -> Thrift {
        self.home_of(session).map(|context| context.thrift).unwrap_or_default()
    }

    fn home_of(&self, session: &SessionId) -> Option<&super::Context> {
        let owner = self.sessions.get(session).copied();
        let key = match owner.and_then(Owner::tab) {
            Some(tab) => self.tabs.get(&tab).map(|tab| &tab.context),
            None => self.shared_workers.get(session),
        };
        key.and_then(|key| self.contexts.get(key))
    }
}
