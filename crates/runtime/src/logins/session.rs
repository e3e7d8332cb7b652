//! What a session begins with, and what is kept of it when it ends.

use std::{sync::Arc, time::Duration};

use legwork_browser::{BrowserError, Limit};
use legwork_policy::{
    Wire,
    logins::{SavedState, worth_hiding},
};
use legwork_types::{Code, Problem};
use tokio::task::spawn_blocking;

use super::{Bound, Logins, now};
use crate::{Vault, session::Place};

/// How long reading and writing may take when a session ends: it is not to be late for that.
const SAVING: Duration = Duration::from_secs(6);

/// What a session began with, login by login; none where nothing was saved.
#[derive(Debug, Clone, Default)]
pub(crate) struct Begun(Vec<Option<SavedState>>);

impl Logins {
    /// Gives a fresh place what is saved. Nothing of it is given to a browser that others started.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        place: &dyn Place,
        vault: &Vault,
        limit: &Limit,
    ) -> Result<Begun, Problem> {
        if self.is_empty() {
            return Ok(Begun::default());
        }
        if place.wire() != Wire::Guarded {
            return Err(Problem::new(
                Code::SecretRefused,
                "saved logins are given only to a browser that Legwork started",
                "leave out --login, or let Legwork start the browser",
            ));
        }
        let me = self.clone();
        // Files block, and so do words that are stretched to a key.
        let saved = spawn_blocking(move || {
            me.bound.iter().map(|login| me.read(login)).collect::<Result<Vec<_>, _>>()
        });
        let ended = |_| Problem::from(&BrowserError::Cancelled { what: "reading saved logins" });
        let saved = saved.await.map_err(ended)??;
        let all = saved.iter().flatten().cloned().fold(SavedState::default(), SavedState::with);
        self.hide_all_of(&all, vault);
        let failed = |error: BrowserError| Problem::from(&error);
        if !all.is_empty() {
            place.log_in(&all, limit).await.map_err(failed)?;
        }
        // As the browser tells it, so that nothing seems changed which only is written otherwise.
        let cookies = place.cookies(limit).await.map_err(failed)?;
        let told = SavedState { cookies, storage: all.storage };
        let begun = self
            .bound
            .iter()
            .zip(saved)
            .map(|(login, saved)| saved.map(|_| told.of_origins(&login.origins, now())));
        Ok(Begun(begun.collect()))
    }

    /// The values by which a session is logged in by now are seen nowhere from now on. Where they can't be known nothing may be told.
    pub(crate) async fn hide(
        &self,
        place: &dyn Place,
        vault: &Vault,
        limit: &Limit,
    ) -> Result<(), BrowserError> {
        if self.is_empty() {
            return Ok(());
        }
        let origins = self.origins();
        let (cookies, storage) = tokio::join!(place.cookies(limit), place.stored_in_front(&origins, limit));
        self.hide_all_of(&SavedState { cookies: cookies?, storage: storage? }, vault);
        Ok(())
    }

    /// Login by login, so that one that keeps much takes nothing from another.
    pub(super) fn hide_all_of(&self, state: &SavedState, vault: &Vault) {
        let of_each = self.bound.iter().map(|login| worth_hiding(&state.of_origins(&login.origins, now())));
        vault.hide_too(of_each.flatten().collect());
    }

    /// Saves what a session that is about to end has changed. What can't be read or written stays as it was.
    pub(crate) async fn end(self: &Arc<Self>, place: &dyn Place, begun: Begun, vault: &Vault, limit: &Limit) {
        if self.is_empty() || place.wire() != Wire::Guarded || place.is_lost().is_some() {
            return;
        }
        let limit = limit.at_most(SAVING);
        let told = async {
            let cookies = place.cookies(&limit).await?;
            Ok::<_, BrowserError>((cookies, place.stored(&self.origins(), &limit).await))
        };
        let (cookies, stored) = match told.await {
            Ok(told) => told,
            Err(error) => return unsaved(&Problem::from(&error)),
        };
        let storage = stored.unwrap_or_else(|error| {
            unsaved(&Problem::from(&error));
            begun.0.iter().flatten().flat_map(|state| state.storage.clone()).collect()
        });
        let ended = SavedState { cookies, storage };
        self.hide_all_of(&ended, vault);
        let me = self.clone();
        let saving = spawn_blocking(move || {
            let nothing = std::iter::repeat(&None);
            for (login, begun) in me.bound.iter().zip(begun.0.iter().chain(nothing)) {
                if let Err(problem) = me.write(login, begun.as_ref(), &ended) {
                    unsaved(&problem);
                }
            }
        });
        let _ = saving.await;
    }

    fn origins(&self) -> Vec<String> {
        self.bound.iter().flat_map(|Bound { origins, .. }| origins.clone()).collect()
    }
}

/// Nobody waits for an answer any more.
fn unsaved(problem: &Problem) {
    tracing::warn!(code = %problem.code, "a login was not saved, or not all of it");
}
