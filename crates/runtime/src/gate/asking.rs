//! Asking about a request, and what becomes of the answer: a request that is held leaves, any other gets a grant for the next time.

use std::collections::VecDeque;

use legwork_browser::{GivenUp, Limit, Released, Ruling, Ticket};
use legwork_policy::{
    WhoConfirms,
    places::Place,
    wire::{
        AskReason, Card, ClassKind, Classed, Decoded, Endpoint, Grant, Moment, Opaque, OpaqueField,
        WireFacts, card, may_be_allowed, opaque_fields,
    },
};
use legwork_types::{Outgoing, OutgoingBody, OutgoingKind, contract::ObservationId, without_credentials};

use super::{AfterYes, Catch, Caught, Gate, Known, State, caught::echo, is_document, log, sent_before::Sent};
use crate::{
    approvals::{Answer, ApprovalId, Question, Standing},
    observe::now,
    random,
};

/// How long a decision may take to be carried out.
const CARRIED_OUT: std::time::Duration = std::time::Duration::from_secs(10);
/// The most questions of a session that wait at once: people are asked rarely, and a page can't bury one question under others.
const MOST_WAITING: usize = 10;
/// Of how many answers it is known what came of them.
const MOST_CARRIED_OUT: usize = 32;
/// The rules do not change within the life of a session.
const POLICY_VERSION: u64 = 1;

/// A request that needs a yes.
pub(super) struct Wanted<'a> {
    pub(super) ticket: Ticket,
    pub(super) outgoing: &'a Outgoing,
    pub(super) decoded: Decoded,
    pub(super) classed: Classed,
    pub(super) facts: WireFacts,
    pub(super) reason: AskReason,
}

/// A question that waits for an answer.
pub(super) struct Waiting {
    pub(super) approval: ApprovalId,
    /// What a caller may echo, where that counts.
    echo: Option<String>,
    /// What becomes of it after a yes.
    grant: Grant,
    reason: AskReason,
    /// The same as it is remembered once it left.
    deed: Option<Sent>,
    /// How the request itself leaves after a yes, if it can.
    way: Option<Way>,
}

/// How a request leaves by itself after a yes.
enum Way {
    /// It is held.
    Held(Ticket),
    /// It was turned back, and is sent again as it was.
    Again(Ticket, Box<Outgoing>),
}

impl Way {
    fn ticket(&self) -> Ticket {
        match self {
            Self::Held(ticket) | Self::Again(ticket, _) => *ticket,
        }
    }
}

impl Gate {
    /// Asks, unless somebody said yes to exactly this already.
    pub(super) fn ask(&self, state: &mut State, wanted: Wanted<'_>) -> Ruling {
        let Wanted { ticket, outgoing, decoded, classed, facts, reason } = wanted;
        let at = now().millis();
        let moment = Moment {
            now_ms: at,
            session: self.session.clone(),
            origin: sender(outgoing),
            policy_version: POLICY_VERSION,
        };
        if state.grants.take(&moment, &decoded).is_some() {
            log(&self.session, "granted", &classed);
            return Ruling::Go;
        }
        if self.settings.who_confirms == WhoConfirms::Nobody {
            log(&self.session, "nobody to ask", &classed);
            state.catch(Caught::new(Catch::NobodyToAsk, &decoded, &classed, &facts));
            return Ruling::Stop;
        }
        // A yes to what can't be read could not be told from a yes to something else: nobody is asked in vain.
        if is_document(&decoded) && decoded.opaque == Some(Opaque::Unread) {
            log(&self.session, "not readable", &classed);
            state.catch(Caught::new(Catch::NotReadable, &decoded, &classed, &facts));
            return Ruling::Stop;
        }
        // What is taken from one site to another is what the question is about, however random it looks.
        let opaque = match facts.carried.is_empty() {
            true => opaque_fields(&decoded, at),
            false => vec![],
        };
        let mut card = card(&decoded, &classed, &opaque, &facts);
        let deed = self.deed(&decoded, &facts, reason);
        card.reasons.extend(self.warning(state).filter(|_| deed.is_some()));
        // The same again while the question waits is one question.
        let same = state.waiting.iter().position(|other| {
            other.grant.origin == moment.origin && other.grant.matches(at, &decoded).is_ok()
        });
        if let Some(same) = same.and_then(|same| state.waiting.get(same))
            && let Some((approval, Standing::Waiting)) = self.desk.find(&same.approval)
        {
            let what = Catch::Asked { approval, is_held: same.way.is_some(), echo: same.echo.clone() };
            state.catch(Caught::shown(what, &decoded, &classed, card));
            return Ruling::Stop;
        }
        if state.waiting.len() >= MOST_WAITING {
            log(&self.session, "too many questions", &classed);
            state.catch(Caught::shown(Catch::TooMany, &decoded, &classed, card));
            return Ruling::Stop;
        }
        log(&self.session, "ask", &classed);
        let way = match self.held.get() {
            Some(_) if !is_document(&decoded) && !state.is_foreign => Some(Way::Held(ticket)),
            Some(_) if !is_document(&decoded) => None,
            Some(_) if self.settings.documents == AfterYes::SentAgain && can_be_sent_again(outgoing) => {
                Some(Way::Again(ticket, Box::new(outgoing.clone())))
            }
            _ => None,
        };
        let (is_held, holds) = (way.is_some(), matches!(way, Some(Way::Held(_))));
        let echo =
            (self.settings.who_confirms == WhoConfirms::Caller).then(|| echo(&card, &decoded, &opaque));
        let grant = self.grant(state, &decoded, card.clone(), opaque, &moment);
        let mut question = self.question(state, outgoing, card.clone());
        question.offers_errand = reason == AskReason::Unknown && may_be_allowed(&decoded, &facts);
        let approval = self.desk.ask(question, {
            // Told from wherever somebody answers: perhaps from here, while the state is in use.
            let (me, runtime) = (self.me.clone(), self.runtime.clone());
            move || {
                runtime.spawn(async move {
                    if let Some(gate) = me.upgrade() {
                        gate.answered();
                    }
                });
            }
        });
        let id = approval.id.clone();
        state.waiting.push(Waiting { approval: id, echo: echo.clone(), grant, reason, deed, way });
        state.catch(Caught::shown(Catch::Asked { approval, is_held, echo }, &decoded, &classed, card));
        if holds { Ruling::Hold } else { Ruling::Stop }
    }

    fn question(&self, state: &State, outgoing: &Outgoing, card: Card) -> Question {
        let page = outgoing.sender.page.as_deref().unwrap_or_default();
        let page = without_credentials(page.split(['?', '#']).next().unwrap_or_default()).into_owned();
        let act = state.act();
        self.vault.hidden_question(Question {
            session: self.session.clone(),
            act: act.map(|act| act.words.clone()),
            page,
            card,
            said: act.and_then(|act| act.said.clone()),
            offers_errand: false,
        })
    }

    fn grant(
        &self,
        state: &State,
        shown: &Decoded,
        card: Card,
        opaque: Vec<OpaqueField>,
        moment: &Moment,
    ) -> Grant {
        let act = state.act();
        Grant {
            session: self.session.clone(),
            observation: act.map_or_else(|| ObservationId(String::new()), |act| act.observation.clone()),
            origin: moment.origin.clone(),
            target: act.and_then(|act| act.target),
            shown: shown.clone(),
            card,
            opaque,
            nonce: random::code(),
            policy_version: POLICY_VERSION,
            made_ms: moment.now_ms,
            expires_ms: self.expires(moment.now_ms),
        }
    }

    /// One of the questions was answered, or will not be.
    fn answered(&self) {
        let decided: Vec<(Waiting, Standing)> = {
            let mut state = self.state();
            let waiting = std::mem::take(&mut state.waiting);
            let (over, waiting): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .map(|one| {
                    let standing = self.desk.standing(&one.approval);
                    (one, standing)
                })
                .partition(|(_, standing)| *standing != Standing::Waiting);
            state.waiting = waiting.into_iter().map(|(one, _)| one).collect();
            over
        };
        for (waiting, standing) in decided {
            let Some(me) = self.me.upgrade() else { return };
            self.under_hand.send_modify(|count| *count += 1);
            self.runtime.spawn(async move {
                me.carry_out(waiting, standing).await;
                me.under_hand.send_modify(|count| *count -= 1);
            });
        }
    }

    /// Nothing can be said yes to any more; what was answered by then is waited for.
    pub(crate) async fn settle(&self) {
        self.close();
        self.answered();
        let mut under_hand = self.under_hand.subscribe();
        // What is not carried out by then is not known.
        let _ = tokio::time::timeout(CARRIED_OUT, under_hand.wait_for(|count| *count == 0)).await;
    }

    async fn carry_out(&self, waiting: Waiting, standing: Standing) {
        let is_yes = standing == Standing::Approved;
        if standing == Standing::Denied {
            self.state().rules.denied.push(waiting.grant.shown.clone());
        }
        let leaves = waiting.way.as_ref().filter(|_| is_yes).map(Way::ticket);
        if is_yes {
            // What was pressed was for this.
            self.state().last_danger = None;
            self.allow_from_now_on(&waiting);
        }
        if let Some(ticket) = leaves {
            self.clear_the_line(&mut self.state(), ticket, &waiting.grant.shown.address);
        }
        let limit = Limit::within(CARRIED_OUT);
        let released = match (waiting.way, self.held.get()) {
            (Some(Way::Held(ticket)), Some(held)) if is_yes => held.release(ticket, &limit).await,
            (Some(Way::Again(ticket, outgoing)), Some(held)) if is_yes => {
                held.send_again(ticket, *outgoing, &limit).await
            }
            (Some(Way::Held(ticket)), Some(held)) => held.turn_back(ticket).await,
            _ => Ok(Released::TooLate),
        };
        // What is too late may be sent the next time. What has left is not: nobody knows whether it arrived.
        let is_too_late = matches!(released, Ok(Released::TooLate));
        if is_yes && is_too_late {
            if let Some(ticket) = leaves {
                self.state().under_way.retain(|(sent, _)| *sent != ticket);
            }
            self.give(waiting.grant);
        }
        let what = match released {
            _ if !is_yes => AfterAnswer::NotSent,
            Ok(Released::AsDecided) => AfterAnswer::LetGo,
            Ok(Released::TooLate) => AfterAnswer::ToBeDoneAgain,
            Ok(Released::NoBrowser) => AfterAnswer::NotSent,
            Err(_) => AfterAnswer::Unknown,
        };
        let is_for_all = waiting.reason == AskReason::Unknown && self.desk.is_for_errand(&waiting.approval);
        let may_have_left = is_yes && matches!(what, AfterAnswer::LetGo | AfterAnswer::Unknown);
        if let Some(deed) = waiting.deed.filter(|_| may_have_left && !is_for_all) {
            let known = if what == AfterAnswer::Unknown { Known::Perhaps } else { Known::Left };
            self.state().sent_before.note(deed, known);
        }
        let carried_out = (waiting.approval, what);
        push(&mut self.state().untold.decided, carried_out.clone());
        self.carried_out.send_modify(|all| push(all, carried_out));
    }

    /// Waits until an answer is carried out: what is left to do then. None where that is not known any more.
    pub(crate) async fn carried_out(&self, approval: &ApprovalId) -> Option<AfterAnswer> {
        let mut all = self.carried_out.subscribe();
        let is_it = |all: &VecDeque<(ApprovalId, AfterAnswer)>| all.iter().any(|(one, _)| one == approval);
        let all = tokio::time::timeout(2 * CARRIED_OUT, all.wait_for(is_it)).await.ok()?.ok()?;
        all.iter().find(|(one, _)| one == approval).map(|(_, what)| *what)
    }

    /// What is asked once is not asked again. Of what nobody knows only if somebody said so.
    fn allow_from_now_on(&self, waiting: &Waiting) {
        let path = || Some(waiting.grant.shown.address.path.clone());
        let (class, path) = match waiting.reason {
            AskReason::Login => (ClassKind::Login, path()),
            AskReason::Unknown if self.desk.is_for_errand(&waiting.approval) => (ClassKind::Unknown, path()),
            AskReason::PrepareElsewhere => (ClassKind::Prepare, None),
            AskReason::Commit | AskReason::Unknown | AskReason::Logout => return,
        };
        let origin = waiting.grant.shown.address.origin();
        self.state().rules.allowed_endpoints.push(Endpoint { class, origin, path });
    }

    /// Until when a yes of this moment is good.
    fn expires(&self, at: u64) -> u64 {
        let life = u64::try_from(self.settings.grant_life.as_millis()).unwrap_or(u64::MAX);
        at.saturating_add(life)
    }

    /// A yes is good for so long from when it was given, not from when it was asked for.
    fn give(&self, grant: Grant) {
        let expires_ms = self.expires(now().millis());
        self.state().grants.give(Grant { expires_ms, ..grant });
    }

    /// The caller's own yes, where that counts: the words of a question that waits. Whether there is such a question, and whether
    /// what it is about waits and leaves now.
    pub(crate) async fn echoed(&self, words: &str) -> Option<Echoed> {
        let waiting = {
            let mut state = self.state();
            let place = state.waiting.iter().position(|one| one.echo.as_deref() == Some(words))?;
            state.waiting.remove(place)
        };
        self.desk.answer(&waiting.approval, Answer::Yes).ok()?;
        let leaves = if waiting.way.is_some() { Echoed::Leaves } else { Echoed::ToBeDoneAgain };
        self.carry_out(waiting, Standing::Approved).await;
        Some(leaves)
    }

    pub(super) fn held_in_vain(&self, ticket: Ticket, why: GivenUp) {
        tracing::info!(session = self.session.0, ?why, "a request was held in vain");
        let mut state = self.state();
        let is_it = |waiting: &&mut Waiting| matches!(waiting.way, Some(Way::Held(held)) if held == ticket);
        for waiting in state.waiting.iter_mut().filter(is_it) {
            // A yes is good for the next time.
            waiting.way = None;
        }
    }
}

/// Whether a document's request is known well enough to be sent again as it was.
fn can_be_sent_again(outgoing: &Outgoing) -> bool {
    outgoing.kind == OutgoingKind::Page
        && outgoing.body != OutgoingBody::Unread
        && outgoing.sender.loader.is_some()
        && !outgoing.redirected
}

/// Who sends a request: the addresses of the page and of the document in it that asks, without what is asked of them.
fn sender(outgoing: &Outgoing) -> String {
    let page = |address: &Option<String>| {
        let address = address.as_deref().unwrap_or_default();
        let place = Place::of_url(address).map_or_else(|_| "none".to_owned(), |place| place.to_string());
        let path = address.split(['?', '#']).next().and_then(|plain| plain.splitn(4, '/').nth(3));
        format!("{place}/{}", path.unwrap_or_default())
    };
    format!("{} {}", page(&outgoing.sender.page), page(&outgoing.sender.document))
}

/// Keeps the latest ones.
fn push<T>(all: &mut VecDeque<T>, one: T) {
    if all.len() >= MOST_CARRIED_OUT {
        all.pop_front();
    }
    all.push_back(one);
}

/// What came of an answer once it was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterAnswer {
    /// It was let go. What its server makes of it is for the page to tell.
    LetGo,
    /// It leaves when the act is done again.
    ToBeDoneAgain,
    /// It did not leave, and will not.
    NotSent,
    /// It was to leave; whether it did is not known.
    Unknown,
}

/// What becomes of a request that its caller said yes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Echoed {
    /// It was held, and leaves.
    Leaves,
    /// It leaves when the act is done again.
    ToBeDoneAgain,
}
