//! Acting in a session: in order, permitted, done once, and told as it was.

use std::{borrow::Cow, sync::Arc, time::Duration};

use legwork_browser::{After, Aims, Blocked, BrowserError, Done, Limit, NotDone};
use legwork_observe::{Look, expect};
use legwork_policy::{Confirmation, Permit, Verdict, Wire, judge, secrets::SecretValues, secrets_typed};
use legwork_types::{
    Awaited, Code, Deed, Intent, Mismatch, PageText, PageUrl, Problem, UrlRefusal, Wait,
    contract::{ActRequest, Action, Dialog, Expect, FieldValue, ObserveOptions, Receipt, Target},
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    Acted, Caller, Clerk, Seen, facts, found_again,
    house::{House, Turn, noted},
    looking::{is_about_numbers, not_the_latest, past_dialogs},
    one::Current,
    port::Work,
    telling::{
        ends_page, log_receipt, log_unmet, log_verdict, mismatch, not_checked, refused, unchecked,
        unknown_outcome,
    },
    wiring::{in_flight, refused_by_gate},
};
use crate::gate::{Echoed, InFlight};

/// How long an act may take beside what it waits for itself: to become possible, and to come to rest.
const ACT: Duration = Duration::from_secs(30);

/// How long one field of a form may take beyond that.
const FIELD: Duration = Duration::from_secs(2);

/// How long a request that was held may take to bring something about, in milliseconds.
const HELD_LEAVES: u64 = 5_000;

/// A call that follows the contract and names the current look.
struct Order {
    intent: Intent,
    /// The look that it was decided on.
    look: Arc<Look>,
    expect: Expect,
    confirmation: Confirmation,
    /// What the caller says it is for.
    said: Option<String>,
    /// Why it is to be taken for dangerous whatever it seems.
    caution: Option<String>,
    /// The look to compare the next one with.
    earlier: Option<Arc<Look>>,
    observe: ObserveOptions,
}

/// What may be done.
struct Allowed {
    permit: Permit,
    /// Whether it may only because somebody said yes.
    needs_yes: bool,
    /// The same for the gate on the wire.
    in_flight: InFlight,
}

/// What came of an act, before the page was looked at again.
struct Came {
    outcome: Result<Done, NotDone>,
    /// The look that the act was decided on, if it may still be the page's.
    before: Current,
    /// A look that was taken while its effects settled, and holds.
    after: Option<Current>,
}

impl Came {
    /// Nothing was sent to the page.
    fn to_nothing(why: Blocked, permit: Permit, before: Current) -> Self {
        let not_done = NotDone { why, permit: Some(permit), receipt: Receipt::default() };
        Self { outcome: Err(not_done), before, after: None }
    }
}

impl House {
    /// Acts. Always answers, also when it refuses.
    pub(crate) async fn act(
        &self,
        caller: &Caller,
        request: ActRequest,
        caution: Option<&str>,
        clerk: &mut dyn Clerk,
        cancel: &CancellationToken,
    ) -> Acted {
        let id = request.session_id.clone();
        let acted = self.try_act(caller, request, caution, clerk, cancel).await;
        let mut acted = self.settings.vault.hidden_acted(acted);
        acted.error = acted.error.map(|problem| noted(problem, "act", Some(&id)));
        acted
    }

    async fn try_act(
        &self,
        caller: &Caller,
        request: ActRequest,
        caution: Option<&str>,
        clerk: &mut dyn Clerk,
        cancel: &CancellationToken,
    ) -> Acted {
        let intent = in_order(&request);
        let in_use = match self.register.enter(caller, &request.session_id, cancel) {
            Ok(in_use) => in_use,
            Err(problem) => return refused(intent.err().unwrap_or(problem), None, &request.observe),
        };
        // Whoever does not get a turn is shown what was last seen.
        let shown = in_use.session.shown();
        let last = move || shown.map(|look| Seen { look, earlier: None, jpeg: None });
        let intent = match intent {
            Ok(intent) => intent,
            Err(problem) => return refused(problem, last(), &ObserveOptions::default()),
        };
        let mut turn = match self.turn(in_use).await {
            Ok(turn) => turn,
            Err(problem) => {
                let seen = if is_gone(&problem) { None } else { last() };
                return refused(problem, seen, &request.observe);
            }
        };
        let mut observe = request.observe;
        if let Err(problem) = self.one_more(&mut turn) {
            return self.refuse(&mut turn, problem, &observe).await;
        }
        let earlier = turn.earlier(observe.since.as_ref());
        if earlier.is_err() {
            observe.since = None;
        }
        let current = turn.state.current.as_ref().map(|current| current.look.clone());
        let Some(look) = current.clone().filter(|look| *look.id() == request.observation_id) else {
            let current = current.map(|look| look.id().clone());
            let hint = "decide anew on the observation that comes with this answer, and name it";
            let problem = not_the_latest(current, &request.observation_id, hint);
            return self.refuse(&mut turn, problem, &observe).await;
        };
        let earlier = match earlier {
            Ok(earlier) => earlier,
            Err(problem) => return self.refuse(&mut turn, problem, &observe).await,
        };
        let confirmation = Confirmation { confirm: request.confirm, text: request.confirmation_text };
        let mut order = Order {
            intent,
            look,
            expect: request.expect,
            confirmation,
            said: request.reason,
            caution: caution.map(str::to_owned),
            earlier,
            observe,
        };
        // What was held leaves by itself: to do it again would be to do it twice.
        if order.confirmation.confirm
            && let Some(words) = &order.confirmation.text
            && turn.session.gate.echoed(words).await == Some(Echoed::Leaves)
        {
            order.intent = Intent::Wait(Wait { what: Awaited::NetworkIdle, ms: HELD_LEAVES });
        }
        let permitted = match self.permitted(&mut turn, &order).await {
            Ok(allowed) => clerk.note(&allowed.permit).await.map(|()| allowed),
            Err(problem) => Err(problem),
        };
        match permitted {
            Ok(allowed) => self.carry_out(&mut turn, order, allowed).await,
            Err(problem) => self.refuse(&mut turn, problem, &order.observe).await,
        }
    }

    /// Whether the session may act once more. What is refused counts too: a page that has a caller try for ever is ended as well.
    fn one_more(&self, turn: &mut Turn) -> Result<(), Problem> {
        let most = self.settings.most_acts;
        if turn.state.acts >= most {
            return Err(Problem::new(
                Code::BudgetExceeded,
                format!("this session has acted {most} times, which is as often as it may"),
                "tell the user what was done so far and what was not; the operator may allow more with --max-acts",
            ));
        }
        turn.state.acts += 1;
        Ok(())
    }

    /// Whether the current look and the rules allow it.
    async fn permitted(&self, turn: &mut Turn, order: &Order) -> Result<Allowed, Problem> {
        let Order { look, intent, .. } = order;
        past_dialogs(look, intent)?;
        if let Some(problem) = refused_by_gate(turn, intent) {
            return Err(problem);
        }
        facts::check_targets(look, intent)?;
        let dialog = match intent {
            Intent::HandleDialog { .. } => turn.dialog().await.map_err(|error| self.failed(turn, &error))?,
            _ => None,
        };
        // A yes is for the question that was read, not for one that has come up since.
        if let (Intent::HandleDialog { accept: true, .. }, Some(dialog)) = (intent, &dialog)
            && !look.scene().page.dialogs.contains(&self.settings.vault.hidden_dialog(dialog.clone()))
        {
            turn.state.current = None;
            return Err(not_the_latest(None, look.id(), "read the dialog that waits now, then decide"));
        }
        let wire = turn.place().map_or(Wire::Open, |place| place.wire());
        let mut facts = facts::gather(look, intent, dialog.as_ref(), wire, self.settings.vault.rules()).await;
        facts.caution.clone_from(&order.caution);
        let rules = facts::with_real_folders(&self.settings.rules).await;
        // What is asked about where nobody has said yes is what a yes is needed for.
        let unasked = judge(intent.clone(), &facts, &rules, &Confirmation::default());
        let needs_yes = matches!(unasked, Verdict::Ask(_));
        let verdict = judge(intent.clone(), &facts, &rules, &order.confirmation);
        log_verdict(&verdict, intent, &facts);
        match verdict {
            Verdict::Go(permit) => {
                let in_flight = in_flight(intent, &facts, look, order.said.as_deref());
                // What is dangerous is looked at again before it is done, whoever asks about it and when.
                let needs_yes = needs_yes || !in_flight.facts.danger.is_empty();
                Ok(Allowed { permit, needs_yes, in_flight })
            }
            Verdict::Ask(problem) | Verdict::Stop(problem) => Err(problem),
        }
    }

    /// Does it, looks at what came of it, and says so.
    async fn carry_out(&self, turn: &mut Turn, order: Order, allowed: Allowed) -> Acted {
        let came = match self.attempt(turn, &order, allowed).await {
            Ok(came) => came,
            Err(problem) => return self.refuse(turn, problem, &order.observe).await,
        };
        let acted = match came.outcome {
            Ok(done) => self.done(turn, order, done, came.after).await,
            Err(not_done) => self.not_done(turn, order, not_done, came.before).await,
        };
        self.with_caught(turn, acted).await
    }

    /// Does it. Where the element is gone before anything was sent, it is looked for once more, with the same permit. What needed a
    /// yes, or is named by nothing but what stands beside it, is never done on the look that was read: the page is looked at again
    /// first, and has to be the one that the decision was for.
    async fn attempt(&self, turn: &mut Turn, order: &Order, allowed: Allowed) -> Result<Came, Problem> {
        let Allowed { permit, needs_yes, in_flight } = allowed;
        turn.session.gate.begin(in_flight);
        let limit = turn.within(self.patience(&order.intent));
        turn.state.pictured = match needs_yes && turn.session.gate.asks_people() {
            true => turn.picture(None).await.ok(),
            false => None,
        };
        if let Err(not_taken) = turn.session.gate.may_take(&order.intent, &order.look) {
            turn.show_to(not_taken.question.as_deref()).await;
            return Err(not_taken.problem);
        }
        if turn.session.gate.uses_what_it_read()
            && let Err(error) = turn.watch_everything(&limit).await
        {
            return Err(self.failed(turn, &error));
        }
        // Until the page was looked at again there is no current look, whatever interrupts this.
        let Some(before) = turn.state.current.take() else {
            return Err(not_the_latest(None, permit.observation(), "observe the page first"));
        };
        // What a word like "Yes" does is written beside it, and that may have changed since.
        let looks_first =
            (needs_yes && is_about_page(&order.intent)) || found_again::says_little(&before.look, &permit);
        let find = match needs_yes || looks_first {
            true => found_again::confirmed_aims,
            false => found_again::aims,
        };
        let (aims, before) = if looks_first {
            if let Err(error) = turn.look(&order.observe).await {
                return Ok(Came::to_nothing(error.into(), permit, before));
            }
            let Some(now) = turn.state.current.clone() else {
                return Ok(Came::to_nothing(Blocked::Changed, permit, before));
            };
            let Some(aims) = find(&before.look, &now, &permit) else {
                return Ok(Came::to_nothing(Blocked::Changed, permit, now));
            };
            turn.state.current = None;
            (aims, now)
        } else {
            (found_again::first_aims(&before, &permit), before)
        };
        let Came { outcome, before, after } = dispatch(turn, order, permit, &aims, before, &limit).await;
        let (permit, why) = match outcome {
            Err(NotDone { why: why @ (Blocked::Gone | Blocked::Changed), permit: Some(permit), receipt })
                if !receipt.dispatched =>
            {
                (permit, why)
            }
            outcome => return Ok(Came { outcome, before, after }),
        };
        match turn.look(&order.observe).await {
            Ok(_) => {}
            Err(error) => return Ok(Came::to_nothing(error.into(), permit, before)),
        }
        let Some(now) = turn.state.current.clone() else {
            return Ok(Came::to_nothing(why, permit, before));
        };
        let Some(aims) = find(&before.look, &now, &permit) else {
            return Ok(Came::to_nothing(why, permit, now));
        };
        tracing::info!(
            session = turn.session.id.0,
            verb = order.intent.verb(),
            "the element was found again"
        );
        turn.state.current = None;
        Ok(dispatch(turn, order, permit, &aims, now, &limit).await)
    }

    /// It was done: looks at the page again and holds it against what was expected.
    async fn done(&self, turn: &mut Turn, order: Order, done: Done, seen: Option<Current>) -> Acted {
        let Done { receipt, after, .. } = done;
        log_receipt(&turn.session.id, &order.intent, &receipt);
        turn.state.bodiless = None;
        note_address(turn, &order.intent, &receipt);
        // Numbers are those of the look that was decided on; where that could not see the page, the last one that did counts.
        let decided_on = Some(&order.look).filter(|look| !look.is_stale());
        let before = decided_on.or(turn.state.seen.as_ref()).unwrap_or(&order.look).clone();
        let looked = match after {
            After::Leaving => {
                turn.state.leaving = Some(Instant::now() + self.settings.navigation);
                Ok(turn.look_away(vec![]))
            }
            After::Quiet | After::DialogOpen => match seen {
                Some(seen) => Ok(turn.adopt(seen)),
                None => turn.look(&order.observe).await,
            },
        };
        let look = match looked {
            Ok(look) => look,
            Err(error) => return self.lost_sight(turn, order, receipt, &error).await,
        };
        let verification = expect::check(&order.expect, &before, &look, &receipt.effects.requests);
        if !verification.matched {
            log_unmet(&turn.session.id, &verification);
        }
        let next = turn.seen(order.earlier, &order.observe.include).await;
        Acted {
            error: None,
            receipt,
            verification,
            next,
            observe: order.observe,
            decided_on: Some(order.look),
        }
    }

    /// It was done, but the page can't be looked at afterwards.
    async fn lost_sight(
        &self,
        turn: &mut Turn,
        order: Order,
        receipt: Receipt,
        error: &BrowserError,
    ) -> Acted {
        let mut problem = self.failed(turn, error);
        let is_fatal = ends_page(error);
        let is_broken_off = matches!(error, BrowserError::Cancelled { .. });
        if receipt.dispatched && (is_fatal || is_broken_off) {
            problem = unknown_outcome(error);
        }
        problem.retryable &= !receipt.dispatched;
        let next = if is_fatal { None } else { self.away(turn, order.earlier).await };
        Acted {
            error: Some(problem),
            receipt,
            verification: unchecked(),
            next,
            observe: order.observe,
            decided_on: Some(order.look),
        }
    }

    /// It was not done, or not to its end.
    async fn not_done(&self, turn: &mut Turn, order: Order, not_done: NotDone, before: Current) -> Acted {
        let NotDone { why, receipt, .. } = not_done;
        log_receipt(&turn.session.id, &order.intent, &receipt);
        if receipt.dispatched {
            turn.state.bodiless = None;
            note_address(turn, &order.intent, &receipt);
        }
        if let Blocked::Browser(error) = &why
            && (ends_page(error) || matches!(error, BrowserError::Cancelled { .. }))
        {
            // Nothing has happened to the page: what was seen still counts.
            if !receipt.dispatched && !ends_page(error) {
                turn.adopt(before);
                let next = turn.seen(order.earlier, &[]).await;
                return refused(Problem::from(error), next, &order.observe);
            }
            return self.lost_sight(turn, order, receipt, error).await;
        }
        let mut problem = Problem::from(&why);
        problem.retryable &= !receipt.dispatched;
        let still_counts = !receipt.dispatched
            && matches!(why, Blocked::NotApplicable { .. } | Blocked::NoSuchOption { .. });
        let already_new = turn.state.current.is_some();
        let looked = match (still_counts, already_new) {
            (true, _) => Ok(turn.adopt(before)),
            (false, true) => Ok(before.look),
            (false, false) => turn.look(&order.observe).await,
        };
        let next = match looked {
            Ok(_) => turn.seen(order.earlier, &order.observe.include).await,
            Err(error) if ends_page(&error) => {
                let _ = self.failed(turn, &error);
                None
            }
            Err(_) => self.away(turn, order.earlier).await,
        };
        Acted {
            error: Some(problem),
            receipt,
            verification: not_checked(),
            next,
            observe: order.observe,
            decided_on: Some(order.look),
        }
    }

    /// What is known of a page that can't be looked at.
    async fn away(&self, turn: &mut Turn, earlier: Option<Arc<Look>>) -> Option<Seen> {
        turn.look_away(vec![]);
        turn.seen(earlier, &[]).await
    }

    /// Refuses before anything was sent. What the caller is shown is the current look: nothing has happened to the page, and a
    /// yes to what was asked may name the same look. Only where there is none is the page looked at.
    async fn refuse(&self, turn: &mut Turn, problem: Problem, observe: &ObserveOptions) -> Acted {
        if turn.state.current.is_none()
            && turn.state.place.is_some()
            && let Err(error) = turn.look(observe).await
        {
            let _ = self.failed(turn, &error);
        }
        let earlier = turn.earlier(observe.since.as_ref()).ok().flatten();
        let seen = turn.seen_before(earlier, &observe.include).await;
        refused(problem, seen, observe)
    }

    /// How long an act may take.
    fn patience(&self, intent: &Intent) -> Duration {
        let more = match intent {
            Intent::Navigate(_) | Intent::Back | Intent::Forward | Intent::Reload => self.settings.navigation,
            Intent::Wait(wait) => Duration::from_millis(wait.ms),
            Intent::FillForm(fields) => FIELD * u32::try_from(fields.len()).unwrap_or(u32::MAX),
            Intent::OnElement { deed: Deed::Type { text: FieldValue::Text(text), delay_ms }, .. } => {
                let each = Duration::from_millis(delay_ms.saturating_add(5));
                each.saturating_mul(u32::try_from(text.chars().count()).unwrap_or(u32::MAX))
            }
            _ => Duration::ZERO,
        };
        ACT.saturating_add(more)
    }
}

impl Turn {
    /// From now on everything waits at the gate.
    pub(super) async fn watch_everything(&self, limit: &Limit) -> Result<(), BrowserError> {
        self.place()?.watch_everything(limit).await
    }

    /// The dialog that waits for an answer.
    async fn dialog(&self) -> Result<Option<Dialog>, BrowserError> {
        self.place()?.dialog(&self.within(ACT)).await
    }
}

/// Has the place do it. A page that does not seem to go on afterwards is looked at while the effects settle.
async fn dispatch(
    turn: &Turn,
    order: &Order,
    permit: Permit,
    aims: &Aims,
    before: Current,
    limit: &Limit,
) -> Came {
    let place = match turn.place() {
        Ok(place) => place,
        Err(error) => return Came::to_nothing(error.into(), permit, before),
    };
    let mut seen = None;
    let look: Option<Work<'_, ()>> = match turn.can_be_looked_at() {
        true => Some(Box::pin(async { seen = turn.glance_early(&order.observe).await })),
        false => None,
    };
    let outcome = place.act(permit, &with_secrets(turn, &order.intent, aims), look, limit).await;
    let held = outcome.as_ref().ok().and_then(|done| done.look.as_ref());
    let after = seen.filter(|seen: &Current| held.is_some() && seen.epoch.as_ref() == held);
    Came { outcome, before, after }
}

/// The same with the values of the secrets that are typed, as late as can be. The gate learns of them first.
fn with_secrets<'a>(turn: &Turn, intent: &Intent, aims: &'a Aims) -> Cow<'a, Aims> {
    let names = secrets_typed(intent);
    if names.is_empty() {
        return Cow::Borrowed(aims);
    }
    let mut secrets = SecretValues::none();
    for (_, name) in names {
        if let Some((value, bound)) = turn.session.vault.take(name) {
            turn.session.gate.typed(bound);
            secrets = secrets.with(name, value);
        }
    }
    Cow::Owned(Aims { secrets, ..aims.clone() })
}

/// What a call means, if it follows the contract.
fn in_order(request: &ActRequest) -> Result<Intent, Problem> {
    // An address that a rule forbids is no slip of whoever calls.
    if let (Target::Page {}, Action::Navigate { url }) = (request.target, &request.action)
        && let Err(refusal @ UrlRefusal::Scheme { .. }) = PageUrl::parse(url)
    {
        return Err(Problem::from(&refusal));
    }
    let intent = Intent::of(request.target, request.action.clone()).map_err(mismatch)?;
    expect::validate(&request.expect).map_err(mismatch)?;
    // The next look has numbers of its own.
    if is_about_numbers(&request.observe) {
        let path = if request.observe.cursor.is_some() { "observe.cursor" } else { "observe.within" };
        let why = "this belongs to the look before the act; the one after it has other numbers".into();
        return Err(mismatch(Mismatch { path, why }));
    }
    Ok(intent)
}

/// Whether it is done to what the page shows. An answer to a dialog is held against the dialog itself, and a page that asks can't be
/// looked at.
fn is_about_page(intent: &Intent) -> bool {
    matches!(intent, Intent::OnElement { .. } | Intent::FillForm(_) | Intent::PressKeyOnPage(_))
}

/// Whether there is no page to show because there is no session.
fn is_gone(problem: &Problem) -> bool {
    matches!(problem.code, Code::SessionNotFound | Code::BrowserDisconnected)
}

/// Notes the address that the page was sent to.
fn note_address(turn: &mut Turn, intent: &Intent, receipt: &Receipt) {
    let asked = match (intent, &receipt.effects.navigated) {
        (Intent::Navigate(url), _) if receipt.dispatched => Some(PageText::from(url.to_string())),
        (_, Some(navigated)) => Some(navigated.to.clone()),
        _ => None,
    };
    if let Some(asked) = asked {
        turn.state.asked = asked;
    }
}
