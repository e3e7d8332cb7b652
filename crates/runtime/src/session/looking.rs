//! Looking at the page of a session: what is seen becomes the current look.

use std::{collections::HashMap, sync::Arc, time::Duration};

use legwork_browser::{BrowserError, CaptureOptions, Gone, Landing, Limit, Mark};
use legwork_observe::{Look, ObserveError, Scene};
use legwork_types::{
    Code, Details, Intent, Problem,
    contract::{ActionId, Affordance, Dialog, Fingerprint, Include, ObservationId, ObserveOptions, Within},
};
use tokio::time::Instant;

use super::{
    Seen,
    house::Turn,
    one::{Current, State},
    real::dialog_word,
};
use crate::{
    Body, PICTURE,
    matter::notice,
    nothing::nothing,
    observe::{badge, how, new_name, now, painted, understand},
};

/// How long a look may take. Longer than it takes alone: many sessions share one machine.
const LOOK: Duration = Duration::from_secs(30);

/// How long a page that is being left is waited for.
const ARRIVAL: Duration = Duration::from_secs(5);

/// How long until a page that did not answer is asked again.
const PAUSE: Duration = Duration::from_millis(50);

impl Turn {
    /// Looks at the page. A page that can't be looked at now, because a dialog waits or because it is being left, gives a stale
    /// look, which is the current one as well.
    pub(crate) async fn look(&mut self, options: &ObserveOptions) -> Result<Arc<Look>, BrowserError> {
        let limit = self.within(LOOK);
        if let Some(dialog) = self.place()?.dialog(&limit).await? {
            return Ok(self.look_away(vec![dialog]));
        }
        if self.state.leaving.is_some() {
            if !self.has_arrived(&limit.at_most(ARRIVAL)).await? {
                return Ok(self.look_away(vec![]));
            }
            self.state.leaving = None;
        }
        match self.glance(options, &limit).await {
            Ok(current) => Ok(self.adopt(current)),
            Err(BrowserError::DialogOpen { kind, message }) => {
                let kind = dialog_word(kind).to_owned();
                Ok(self.look_away(vec![Dialog { kind, message: message.into() }]))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether there is a page, and it is not being left.
    pub(crate) fn can_be_looked_at(&self) -> bool {
        self.state.bodiless.is_none() && self.state.leaving.is_none()
    }

    /// A look at a page that may go on any moment, if there is one to be had. It is not the current one yet.
    pub(crate) async fn glance_early(&self, options: &ObserveOptions) -> Option<Current> {
        self.glance_once(options, &self.within(LOOK)).await.ok()
    }

    /// A look that is not the current one yet. A tab that closes itself meanwhile gives way to the next one.
    async fn glance(&self, options: &ObserveOptions, limit: &Limit) -> Result<Current, BrowserError> {
        match self.glance_once(options, limit).await {
            Err(BrowserError::TabGone { gone: Gone::Closed, .. }) => self.glance_once(options, limit).await,
            outcome => outcome,
        }
    }

    async fn glance_once(&self, options: &ObserveOptions, limit: &Limit) -> Result<Current, BrowserError> {
        let place = self.place()?;
        let tabs = place.tabs(limit).await?;
        let State { numbering, asked, .. } = &*self.state;
        let understand = |page, banner| {
            let veil = self.session.vault.veil();
            Arc::new(understand(page, &self.session.id, *numbering, asked, &tabs, banner, veil))
        };
        let front = tabs.iter().find(|tab| tab.active);
        let is_shown = |landing: &&Landing| front.is_none_or(|tab| tab.url == landing.url);
        if let Some(landing) = self.state.bodiless.as_ref().filter(is_shown) {
            return Ok(Current { look: understand(nothing(landing), notice(landing)), epoch: None });
        }
        // However often the page is looked at aside, as for pictures, what acts may name stays known.
        let pinned = self.state.current.as_ref().and_then(|current| current.epoch.clone());
        let seen = place.capture(&CaptureOptions { pinned, ..how(options) }, limit).await?;
        self.session.logins.hide(place, &self.session.vault, limit).await?;
        // The page has just answered, so this costs next to nothing.
        let landing = place.landing(limit).await?;
        Ok(Current { look: understand(seen.page, notice(&landing)), epoch: Some(seen.epoch) })
    }

    /// Makes a look the current one.
    pub(crate) fn adopt(&mut self, current: Current) -> Arc<Look> {
        let look = current.look.clone();
        let session = self.session.clone();
        session.show(&mut self.state, current);
        look
    }

    /// What is known of a page that can't be looked at now.
    pub(crate) fn look_away(&mut self, dialogs: Vec<Dialog>) -> Arc<Look> {
        let dialogs = dialogs.into_iter().map(|dialog| self.session.vault.hidden_dialog(dialog)).collect();
        let (id, session) = (new_name(), self.session.id.clone());
        let look = match &self.state.seen {
            Some(last) => Look::stale(last.scene(), dialogs, id, session, now()),
            None => {
                let nowhere = Landing {
                    url: self.state.asked.untrusted().to_owned(),
                    title: String::new(),
                    status: None,
                    content_type: None,
                    body: Body::Empty,
                };
                Look::stale(&Scene::of(&nothing(&nowhere)), dialogs, id, session, now())
            }
        };
        self.adopt(Current { look: Arc::new(look), epoch: None })
    }

    /// Whether the page answers: one that waits for the server of the next one does not. To ask in the usual way would end in a
    /// diagnosis, which stops what is on its way.
    async fn has_arrived(&self, limit: &Limit) -> Result<bool, BrowserError> {
        loop {
            if self.place()?.landing(limit).await?.content_type.is_some() {
                return Ok(true);
            }
            // After as long as a navigation may take, it is for the look to find out what is wrong.
            if self.state.leaving.is_none_or(|until| Instant::now() >= until) {
                return Ok(true);
            }
            if limit.remaining().is_zero() || limit.run(tokio::time::sleep(PAUSE)).await.is_err() {
                return Ok(false);
            }
        }
    }

    /// The earlier look that is to be compared with, if one is named.
    pub(crate) fn earlier(&self, since: Option<&ObservationId>) -> Result<Option<Arc<Look>>, Problem> {
        let Some(since) = since else { return Ok(None) };
        self.state.kept(since).map(Some).ok_or_else(|| {
            let current = self.state.current.as_ref().map(|current| current.look.id().clone());
            let hint = "observe again without since";
            Problem::new(Code::StaleObservation, "the look to compare with is not kept any more", hint)
                .with(stale(current, since.clone()))
        })
    }

    /// A look that was taken just now, with what belongs to it.
    pub(crate) async fn seen(&self, earlier: Option<Arc<Look>>, include: &[Include]) -> Option<Seen> {
        let current = self.state.current.as_ref()?;
        let wanted = include.contains(&Include::Screenshot) && !current.look.is_stale();
        let jpeg = if wanted { self.or_none(self.picture_of(current, &current.look).await) } else { None };
        Some(Seen { look: current.look.clone(), earlier, jpeg })
    }

    /// The same for a look that was taken a while ago.
    pub(crate) async fn seen_before(&self, earlier: Option<Arc<Look>>, include: &[Include]) -> Option<Seen> {
        let current = self.state.current.as_ref()?;
        let wanted = include.contains(&Include::Screenshot) && !current.look.is_stale();
        let jpeg = if wanted { self.or_none(self.picture(Some(&current.look)).await) } else { None };
        Some(Seen { look: current.look.clone(), earlier, jpeg })
    }

    /// The look is worth more than its picture.
    fn or_none(&self, jpeg: Result<Vec<u8>, BrowserError>) -> Option<Vec<u8>> {
        jpeg.inspect_err(|error| {
            let code = Problem::from(error).code;
            tracing::info!(session = self.session.id.0, %code, "there is no picture for a look");
        })
        .ok()
    }

    /// A picture of what is in sight now, with the numbers of `marked` on what is still there. Secrets are covered where they are
    /// now, wherever they were at that look: so the page is looked at again, aside.
    pub(crate) async fn picture(&self, marked: Option<&Look>) -> Result<Vec<u8>, BrowserError> {
        let aside = self.glance(&ObserveOptions::default(), &self.within(LOOK)).await?;
        match marked {
            Some(marked) => self.picture_of(&aside, marked).await,
            None => self.painted(&aside, &[]).await,
        }
    }

    async fn picture_of(&self, now: &Current, marked: &Look) -> Result<Vec<u8>, BrowserError> {
        self.painted(now, &badges(marked, &now.look)).await
    }

    async fn painted(&self, now: &Current, badges: &[Mark]) -> Result<Vec<u8>, BrowserError> {
        let (place, limit) = (self.place()?, self.within(PICTURE));
        let mut covers = match &now.epoch {
            Some(epoch) => place.covers(&now.look, epoch, &limit).await?,
            None => vec![],
        };
        let jpeg = place.picture(&limit).await?;
        // What came up since the look is in the picture too.
        if !self.session.vault.hides_nothing() {
            let after = self.glance_once(&ObserveOptions::default(), &limit).await?;
            if let Some(epoch) = &after.epoch {
                covers.extend(place.covers(&after.look, epoch, &limit).await?);
            }
        }
        painted(&jpeg, badges, &covers)
    }
}

/// Badges with the numbers of one look, where a later one saw the same things. Twins are told apart by their order.
fn badges(marked: &Look, now: &Look) -> Vec<Mark> {
    let numbers: HashMap<_, ActionId> =
        keyed(marked).map(|(key, affordance)| (key, affordance.action_id)).collect();
    let numbered = keyed(now).filter_map(|(key, affordance)| badge(affordance, *numbers.get(&key)?));
    numbered.collect()
}

fn keyed(look: &Look) -> impl Iterator<Item = ((Fingerprint, u32), &Affordance)> {
    let mut seen: HashMap<Fingerprint, u32> = HashMap::new();
    look.scene().items.iter().map(move |item| {
        let nth = seen.entry(item.affordance.fingerprint).or_default();
        *nth += 1;
        ((item.affordance.fingerprint, *nth), &item.affordance)
    })
}

/// The dialog that kept a look from seeing the page, as what is in the way. It may be gone by now, which only a new look can tell.
pub(crate) fn dialog_in_the_way(look: &Look) -> Option<Problem> {
    let dialog = look.scene().page.dialogs.first().filter(|_| look.is_stale())?;
    Some(dialog_waits(dialog))
}

/// Whether an intent can be carried out by a look that a dialog kept from seeing the page.
pub(crate) fn past_dialogs(look: &Look, intent: &Intent) -> Result<(), Problem> {
    match intent {
        Intent::HandleDialog { .. } | Intent::CloseTab(_) | Intent::SwitchTab(_) => Ok(()),
        _ => dialog_in_the_way(look).map_or(Ok(()), Err),
    }
}

/// The refusal of anything that a dialog is in the way of.
pub(crate) fn dialog_waits(dialog: &Dialog) -> Problem {
    let hint = "answer it first by handleDialog with accept true or false; if it is gone, observe again";
    Problem::new(Code::DialogOpen, "a dialog of the page waits for an answer", hint).because(format!(
        "{}: {:?}",
        dialog.kind,
        dialog.message.untrusted()
    ))
}

/// Whether a question is about numbers of the current look, and so is answered from it.
pub(crate) fn is_about_numbers(options: &ObserveOptions) -> bool {
    options.cursor.is_some() || matches!(options.within, Some(Within::Action(_)))
}

/// Why a look can't answer, with what a program needs to know of it.
pub(crate) fn unanswerable(error: &ObserveError) -> Problem {
    let problem = error.problem();
    match error {
        ObserveError::StaleCursor { current, provided } => {
            problem.with(stale(Some(current.clone()), ObservationId(provided.clone())))
        }
        ObserveError::UnknownEarlier { current, provided } => {
            problem.with(stale(Some(current.clone()), provided.clone()))
        }
        ObserveError::OtherOptions => problem.with(Details::Contract { path: "cursor".into() }),
        ObserveError::UnknownAction { .. } => problem,
    }
}

/// The refusal of a look that is not the latest.
pub(crate) fn not_the_latest(
    current: Option<ObservationId>,
    provided: &ObservationId,
    hint: &str,
) -> Problem {
    let message = match &current {
        Some(current) => format!("the observation is not the latest, which is {current}"),
        None => "the page has to be looked at first".to_owned(),
    };
    Problem::new(Code::StaleObservation, message, hint).with(stale(current, provided.clone()))
}

/// Whatever a caller wrote is told again only in part.
fn stale(current: Option<ObservationId>, provided: ObservationId) -> Details {
    let provided = ObservationId(provided.0.chars().filter(|c| !c.is_control()).take(60).collect());
    Details::Stale { current, provided }
}
