//! Lumo: a streaming service that makes it easy to stay and a little hard to go.

mod account;
mod cancel;
mod cancel_acts;
mod films;
mod layout;
mod login;
mod plan;
mod service;
mod settings;

use axum::Router;

use crate::{
    day::Day,
    desk::{
        Desk,
        Door::{Members, Open},
    },
    ledger::Ledger,
};
use service::Service;

/// What can be chosen about the service.
#[derive(Debug, Clone)]
pub struct StreamOptions {
    /// The day on which the service lives.
    pub today: Day,
    /// The e-mail address of the one account.
    pub email: String,
    /// The password of the one account.
    pub password: String,
    /// The number that all tokens of pages come from.
    pub seed: u64,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self {
            today: Day::default(),
            email: "demo@example.test".into(),
            password: "soft-glow-77".into(),
            seed: 77,
        }
    }
}

/// The streaming service.
#[derive(Debug)]
pub struct StreamService {
    router: Router,
    ledger: Ledger,
}

impl StreamService {
    /// Opens a service; every one has its own membership.
    pub fn new(options: StreamOptions) -> Self {
        let (ledger, seed) = (Ledger::default(), options.seed);
        let router = routes(&Desk::new(Service::new(options, ledger.clone()), seed));
        Self { router, ledger }
    }

    /// The routes of the service; clones are the same service.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// What happened in the service.
    pub fn ledger(&self) -> Ledger {
        self.ledger.clone()
    }
}

fn routes(desk: &Desk<Service>) -> Router {
    let page = |act| desk.page(Members, act);
    let form = |act| desk.form(Members, act);
    Router::new()
        .route("/", desk.page(Open, films::home))
        .route("/browse", page(films::browse))
        .route("/title/{slug}", page(films::show))
        .route("/help", desk.page(Open, films::help))
        .route("/login", desk.page(Open, login::show).merge(desk.form(Open, login::enter)))
        .route("/logout", desk.form(Open, login::leave))
        .route("/account", page(account::show))
        .route("/account/restart", form(account::restart))
        .route("/account/plan", page(plan::show).merge(form(plan::change)))
        .route("/account/settings", page(settings::show).merge(form(settings::save)))
        .route("/account/leaving", page(cancel::offer))
        .route("/account/leaving/offer", form(cancel_acts::accept_offer))
        .route("/account/leaving/step/1", page(cancel::survey).merge(form(cancel_acts::answer_survey)))
        .route("/account/leaving/step/2", page(cancel::confirm))
        .route("/account/membership/cancel", form(cancel_acts::finish))
        .route("/account/cancelled", page(cancel::cancelled))
        .route("/{*anything}", desk.page(Open, films::nowhere))
}
