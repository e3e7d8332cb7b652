//! What rules on the wire for one session: every request that could write is taken apart, put into a class, and goes, stops or is
//! asked about.

mod asking;
mod caught;
mod door;
mod remembered;
mod sent_before;
mod settings;
mod taking;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::Duration,
};

use legwork_browser::{Barrier, GivenUp, HeldRequests, Ruling, Ticket};
use legwork_egress::{Alone, OpenLines};
use legwork_observe::Look;
use legwork_policy::{
    WhoConfirms,
    places::{Denial, Place, Reach, decide_place},
    wire::{
        self, ActFacts, ActKind, Address, BoundSecret, ByHand, Class, Classed, Decoded, Given, Grants,
        WireFacts, WireRules, classify, decode,
    },
};
use legwork_types::{
    Outgoing, OutgoingKind,
    contract::{Fingerprint, ObservationId, SessionId},
};
use tokio::{runtime::Handle, sync::watch, time::Instant};

pub use settings::{AfterYes, EndpointTrust, WireSettings};

use asking::Waiting;
pub(crate) use asking::{AfterAnswer, Echoed};
pub(crate) use caught::{Catch, Caught};
pub use door::Hand;
use door::{Door, may_be_written};
pub(crate) use remembered::Remembered;
use sent_before::{Known, SentBefore};

use crate::{
    Vault,
    approvals::{ApprovalId, Approvals},
    instances::Neighbours,
};

/// For how long what was done to a page is held against what the page sends: scripts take their time.
const AFTERGLOW: Duration = Duration::from_secs(5);
/// The same for what is dangerous: whoever takes money may take even more time.
const LONG_AFTERGLOW: Duration = Duration::from_secs(30);
/// Writes that are remembered until somebody asks for them.
const MOST_LEFT: usize = 200;
/// Catches that are remembered until somebody asks for them.
const KEPT: usize = 50;

/// The gate of one session.
pub(crate) struct Gate {
    me: Weak<Self>,
    session: SessionId,
    desk: Arc<Approvals>,
    settings: Arc<WireSettings>,
    vault: Arc<Vault>,
    /// Where traffic may go, with the ports of all instances of this moment.
    reach: NowReach,
    /// What the caller has read.
    memory: Arc<Remembered>,
    /// There once the session has its place.
    held: OnceLock<HeldRequests>,
    /// The connections of its browser, where they go through a way of ours.
    lines: OnceLock<OpenLines>,
    /// Where what was decided is carried out.
    runtime: Handle,
    state: Mutex<State>,
    /// The latest answers that were carried out.
    carried_out: watch::Sender<VecDeque<(ApprovalId, AfterAnswer)>>,
    /// How many are being carried out.
    under_hand: watch::Sender<usize>,
}

/// What happened and was not told yet.
#[derive(Default)]
struct Untold {
    /// Writes that left without a question: method and address.
    left: VecDeque<(String, String)>,
    /// How many more there were than are kept.
    unlisted: u64,
    /// Questions that were decided.
    decided: VecDeque<(ApprovalId, AfterAnswer)>,
}

#[derive(Default)]
struct State {
    /// The sites that the errand is about.
    sites: Vec<String>,
    /// What was done last, however long ago: [`State::act`] tells whether anything may still come of it.
    last_act: Option<InFlight>,
    /// The last one before it that was dangerous: scripts of the same documents may still be about that.
    last_danger: Option<InFlight>,
    /// The loads of the documents that were there when something dangerous was done, however long ago.
    endangered: BTreeSet<Arc<str>>,
    /// Whether anything was prepared that could be settled.
    has_prepared: bool,
    caught: Vec<Caught>,
    rules: WireRules,
    grants: Grants,
    /// What is asked and not answered.
    waiting: Vec<Waiting>,
    /// What somebody said yes to and has left: until its answer is there, nothing else goes there beside it.
    under_way: Vec<(Ticket, Alone)>,
    /// What happened and was not told yet.
    untold: Untold,
    /// What somebody said yes to, and what of it is not sent again.
    sent_before: SentBefore,
    /// Where a person is at work by hand now.
    at_the_door: Option<Door>,
    /// The secrets that were typed.
    typed: Vec<BoundSecret>,
    /// An address that is let go once: the proof that traffic comes where it should.
    canary: Option<String>,
    /// Whether nobody vouches for the browser.
    is_degraded: bool,
    /// Whether the browser is somebody else's: it may let go of what is held when it is left.
    is_foreign: bool,
}

/// What is being done to the page.
#[derive(Debug, Clone)]
pub(crate) struct InFlight {
    /// In words: `click button "Place order"`.
    pub(crate) words: String,
    pub(crate) facts: ActFacts,
    /// Whether it answers a question of the page with yes.
    pub(crate) says_yes: bool,
    /// What it is done to.
    pub(crate) target: Option<Fingerprint>,
    /// The look that it was decided on.
    pub(crate) observation: ObservationId,
    /// The loads of the documents that were there.
    pub(crate) documents: BTreeSet<Arc<str>>,
    /// What the caller says it is for.
    pub(crate) said: Option<String>,
    /// When it began.
    pub(crate) since: Instant,
}

impl InFlight {
    /// Whether what a page sends may still come of it.
    fn glows(&self) -> bool {
        self.since.elapsed() < if self.is_dangerous() { LONG_AFTERGLOW } else { AFTERGLOW }
    }

    fn is_dangerous(&self) -> bool {
        !self.facts.danger.is_empty() || self.says_yes
    }

    /// Whether a request may come of it: not if it is of a document that came later.
    fn may_have_caused(&self, outgoing: &Outgoing) -> bool {
        outgoing.sender.loader.as_deref().is_none_or(|loader| self.documents.contains(loader))
    }

    /// The same, begun after another act. To wait, to scroll or to point at something does not make a press undone: what the page
    /// sends meanwhile may still come of that.
    fn after(self, before: &Self) -> Self {
        if self.facts.kind != ActKind::Other || self.says_yes || !before.is_dangerous() {
            return self;
        }
        Self { observation: self.observation, ..before.clone() }
    }
}

impl Gate {
    pub(crate) fn new(
        session: SessionId,
        desk: Arc<Approvals>,
        settings: Arc<WireSettings>,
        vault: Arc<Vault>,
        memory: Arc<Remembered>,
    ) -> Arc<Self> {
        let reach = NowReach::new(settings.reach.clone());
        let state = State {
            sites: settings.sites.clone(),
            rules: WireRules { telemetry: settings.telemetry, ..WireRules::default() },
            ..State::default()
        };
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            session,
            desk,
            settings,
            vault,
            reach,
            memory,
            held: OnceLock::new(),
            lines: OnceLock::new(),
            runtime: Handle::current(),
            state: Mutex::new(state),
            carried_out: watch::Sender::default(),
            under_hand: watch::Sender::default(),
        })
    }

    /// Writes that left since this was last asked, and how many more than these.
    pub(crate) fn take_left(&self) -> (Vec<(String, String)>, u64) {
        let mut state = self.state();
        let unlisted = std::mem::take(&mut state.untold.unlisted);
        (state.untold.left.drain(..).collect(), unlisted)
    }

    /// Questions that were decided since this was last asked, and what came of them.
    pub(crate) fn take_decided(&self) -> Vec<(ApprovalId, AfterAnswer)> {
        self.state().untold.decided.drain(..).collect()
    }

    pub(crate) fn settings(&self) -> &WireSettings {
        &self.settings
    }

    /// The place is there: from now on requests can be held.
    pub(crate) fn attach(&self, held: HeldRequests) {
        // A session has one place in its life.
        let _ = self.held.set(held);
    }

    /// Its traffic goes through here.
    pub(crate) fn goes_by(&self, lines: OpenLines) {
        let _ = self.lines.set(lines);
    }

    /// What somebody said yes to leaves next: alone, so that the browser can send it only once.
    fn clear_the_line(&self, state: &mut State, ticket: Ticket, address: &Address) {
        // Without TLS the way out itself sees to that.
        if address.scheme == "https"
            && let (Some(lines), Some(port)) = (self.lines.get(), address.port)
        {
            state.under_way.push((ticket, lines.alone(&address.host, port)));
        }
    }

    /// Lets this address go once, whatever the rules say.
    pub(crate) fn expect_canary(&self, address: &str) {
        self.state().canary = Some(address.to_owned());
    }

    /// Nobody vouches for the browser that the session is in: what would be asked about is stopped.
    pub(crate) fn degrade(&self) {
        self.state().is_degraded = true;
    }

    /// The browser is somebody else's. What is held there leaves when the connection ends, so nothing is.
    pub(crate) fn is_elsewhere(&self) {
        self.state().is_foreign = true;
    }

    /// The caller is shown this.
    pub(crate) fn saw(&self, look: &Arc<Look>) {
        self.memory.saw(look.clone(), &self.runtime);
    }

    /// Whether the caller has put anything anywhere that it read: then also what pages are made of has to wait here, because its
    /// addresses can carry something away.
    pub(crate) fn uses_what_it_read(&self) -> bool {
        self.memory.is_used()
    }

    /// The errand is about the site of this address, which the caller named.
    pub(crate) fn is_about(&self, address: &str) {
        self.memory.goes_to(address);
        self.state().sites.push(address.to_owned());
    }

    /// Something is about to be done to the page. What was caught before is of no interest any more.
    pub(crate) fn begin(&self, act: InFlight) {
        let mut state = self.state();
        state.caught.clear();
        if act.is_dangerous() {
            state.endangered.extend(act.documents.iter().cloned());
        }
        let before = state.last_act.take().filter(InFlight::glows);
        if let Some(dangerous) = before.as_ref().filter(|before| before.is_dangerous()) {
            state.last_danger = Some(dangerous.clone());
        }
        state.last_act = Some(match before {
            Some(before) => act.after(&before),
            None => act,
        });
    }

    /// Whether somebody may be asked about what is done.
    pub(crate) fn asks_people(&self) -> bool {
        self.settings.mode == wire::Mode::Live && self.settings.who_confirms != WhoConfirms::Nobody
    }

    /// Whether there are secrets that could be typed.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.vault.is_empty()
    }

    /// A secret is about to be typed: from now on it leaves for nowhere but where it is bound to.
    pub(crate) fn typed(&self, secret: BoundSecret) {
        self.state().typed.push(secret);
    }

    /// What was caught since the last time that somebody asked.
    pub(crate) fn take_caught(&self) -> Vec<Caught> {
        std::mem::take(&mut self.state().caught)
    }

    /// Whether the tab may be sent to an address, as far as that can be told by its host.
    pub(crate) fn admits(&self, address: &str) -> Result<(), Denial> {
        admits(&self.reach.get(), address)
    }

    /// The session is over: nobody need answer any more.
    pub(crate) fn close(&self) {
        self.desk.withdraw(&self.session);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn facts(&self, state: &State, outgoing: &Outgoing, decoded: &Decoded) -> WireFacts {
        let act = state.act();
        // Links may be followed after a danger all the same; what writes may be what a script waited with.
        let before = state
            .last_danger
            .as_ref()
            .filter(|before| !decoded.is_safe_method() && before.glows() && before.may_have_caused(outgoing));
        let mut facts = act.map(|act| act.facts.clone());
        if let (Some(facts), Some(before)) = (&mut facts, before) {
            facts.danger.extend(before.facts.danger.iter().cloned());
        }
        WireFacts {
            act: facts.or_else(|| before.map(|before| before.facts.clone())),
            asked: act.into_iter().chain(before).any(|act| act.says_yes),
            own_sites: state.sites.clone(),
            prepare: self.settings.prepare.clone(),
            carried: self.memory.carried(decoded),
            ..WireFacts::of(outgoing)
        }
        .knowing(&state.typed, outgoing)
    }

    fn judge(&self, ticket: Ticket, outgoing: &Outgoing) -> Ruling {
        let mut state = self.state();
        if state.canary.as_ref() == Some(&outgoing.url) {
            state.canary = None;
            return Ruling::Go;
        }
        // What a page is made of can carry nothing away but in its address, and the egress looks after where it goes.
        let is_plain =
            outgoing.kind == OutgoingKind::Piece && !state.typed.iter().any(|secret| secret.is_in(outgoing));
        if is_plain && !self.memory.is_used() {
            return Ruling::Go;
        }
        let mut decoded = decode(outgoing);
        decoded.document.clone_from(&outgoing.sender.loader);
        let facts = self.facts(&state, outgoing, &decoded);
        if is_plain && facts.carried.is_empty() {
            return Ruling::Go;
        }
        let classed = classify(&decoded, &facts);
        let changes = !matches!(classed.class, Class::Read | Class::Telemetry);
        let by_hand = self.given_by_hand(&state, outgoing, &decoded, &facts);
        let is_written = changes && by_hand != Some(Given::ToItsMaker);
        let written = || if is_written { may_be_written(&self.reach.get(), &outgoing.url) } else { Ok(()) };
        if let Err(denial) = self.admits(&outgoing.url).and_then(|()| written()) {
            log(&self.session, "denied", &classed);
            state.catch(Caught::new(Catch::Denied(denial), &decoded, &classed, &facts));
            return Ruling::Stop;
        }
        if self.was_sent_before(&state, classed.class, &decoded) {
            log(&self.session, "sent before", &classed);
            state.catch(Caught::new(Catch::SentBefore, &decoded, &classed, &facts));
            return Ruling::Stop;
        }
        let ruling = wire::rule(&classed, &decoded, self.settings.mode, &state.rules, &facts);
        if by_hand.is_some() && !state.is_degraded && ByHand::answers(&ruling) {
            log(&self.session, "by hand", &classed);
            state.left(&decoded);
            return Ruling::Go;
        }
        match ruling {
            wire::Ruling::Go => {
                state.has_prepared |= classed.class == Class::Prepare;
                if classed.class != Class::Read {
                    state.left(&decoded);
                }
                Ruling::Go
            }
            wire::Ruling::Drop => {
                log(&self.session, "drop", &classed);
                Ruling::Drop
            }
            wire::Ruling::Stop(reason) => {
                log(&self.session, "stop", &classed);
                state.catch(Caught::new(Catch::Stopped(reason), &decoded, &classed, &facts));
                Ruling::Stop
            }
            wire::Ruling::Ask(_) if state.is_degraded => {
                log(&self.session, "degraded", &classed);
                state.catch(Caught::new(Catch::Degraded, &decoded, &classed, &facts));
                Ruling::Stop
            }
            wire::Ruling::Ask(reason) => {
                let (method, address) = (decoded.method.clone(), decoded.address.clone());
                let deed = self.deed(&decoded, &facts, reason);
                let wanted = asking::Wanted { ticket, outgoing, decoded, classed, facts, reason };
                match self.ask(&mut state, wanted) {
                    Ruling::Go => {
                        state.left_for(&method, &address);
                        if let Some(deed) = deed {
                            state.sent_before.note(deed, Known::Left);
                        }
                        self.clear_the_line(&mut state, ticket, &address);
                        Ruling::GoTold
                    }
                    ruling => ruling,
                }
            }
        }
    }
}

/// Rules about places, to which the ports of all instances of this user are added as they come and go.
struct NowReach {
    given: Reach,
    neighbours: Neighbours,
    latest: Mutex<(Arc<BTreeSet<u16>>, Arc<Reach>)>,
}

impl NowReach {
    fn new(given: Reach) -> Self {
        let latest = Mutex::new((Arc::default(), Arc::new(given.clone())));
        Self { given, neighbours: Neighbours::default(), latest }
    }

    fn get(&self) -> Arc<Reach> {
        let ports = self.neighbours.ports();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if !Arc::ptr_eq(&latest.0, &ports) {
            let mut reach = self.given.clone();
            reach.own.ports.extend(ports.iter());
            *latest = (ports, Arc::new(reach));
        }
        latest.1.clone()
    }
}

/// Whether traffic may go to an address, as far as that can be told by its host. An empty page is on no network.
pub(crate) fn admits(reach: &Reach, address: &str) -> Result<(), Denial> {
    if address == "about:blank" {
        return Ok(());
    }
    let place = Place::of_url(address).map_err(|refusal| Denial::of_text(&refusal, address))?;
    decide_place(&place, reach).map(drop)
}

impl State {
    /// The act that what a page sends now may come of. What was done longer ago is neither blamed nor bound to a yes.
    fn act(&self) -> Option<&InFlight> {
        self.last_act.as_ref().filter(|act| act.glows())
    }

    /// A request leaves without a question. What only asks is not worth a word.
    fn left(&mut self, decoded: &Decoded) {
        if !matches!(decoded.method.as_str(), "GET" | "HEAD" | "OPTIONS") {
            self.left_for(&decoded.method, &decoded.address);
        }
    }

    fn left_for(&mut self, method: &str, address: &Address) {
        let Untold { left, unlisted, .. } = &mut self.untold;
        if left.len() >= MOST_LEFT {
            left.pop_front();
            *unlisted += 1;
        }
        left.push_back((method.to_owned(), spot(address)));
    }

    fn catch(&mut self, caught: Caught) {
        if self.caught.len() < KEPT {
            let act = self.act().map(|act| act.words.clone());
            self.caught.push(caught.during(act));
        }
    }
}

impl Barrier for Gate {
    fn rule(&self, ticket: Ticket, outgoing: &Outgoing) -> Ruling {
        self.judge(ticket, outgoing)
    }

    fn given_up(&self, ticket: Ticket, why: GivenUp) {
        self.held_in_vain(ticket, why);
    }

    fn answered(&self, ticket: Ticket) {
        self.state().under_way.retain(|(sent, _)| *sent != ticket);
    }

    fn admits_unclaimed(&self, outgoing: &Outgoing) -> bool {
        let decoded = decode(outgoing);
        let facts = self.facts(&self.state(), outgoing, &decoded);
        let reads = outgoing.kind == OutgoingKind::Piece || classify(&decoded, &facts).class == Class::Read;
        reads && !facts.leaks && facts.carried.is_empty()
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("session", &self.session).finish_non_exhaustive()
    }
}

/// What was decided, and nothing of what the page wrote.
fn log(session: &SessionId, ruling: &'static str, classed: &Classed) {
    tracing::info!(session = session.0, ruling, class = classed.class.word(), "wire");
}

/// An address without what is asked there.
fn spot(address: &Address) -> String {
    format!("{}{}", address.origin(), address.path)
}

/// Whether it asks for the document of a tab or a frame.
fn is_document(decoded: &Decoded) -> bool {
    matches!(decoded.kind, OutgoingKind::Page | OutgoingKind::Frame)
}
