//! Sessions without a browser: what is refused, what is done, and what is told, on captures.

// What a page reacts with is what the browser's own acts give, however large.
#![allow(clippy::result_large_err)]

mod acts;
mod fake;
mod lives;
mod looks;
mod property;
mod refusals;
mod retries;

/// The builder of captures that the tests of looking use.
#[path = "../../../../observe/tests/common/mod.rs"]
mod pages;

use std::{collections::HashMap, sync::Arc};

use legwork_observe::{Look, PageCapture};
use legwork_policy::{Rules, WhoConfirms};
use legwork_types::{
    Code, PageUrl, Problem,
    contract::{ActRequest, Action, ActionId, Expect, ObservationId, ObserveOptions, SessionId, Target},
};
use tokio_util::sync::CancellationToken;

use self::{
    fake::{FakeDriver, FakePlace},
    pages::{Doc, El, boxed, button, control, field, link, page, submit, text},
};
use super::{Acted, Caller, Numbering, OpenRequest, SessionSettings, Sessions};
use legwork_observe::capture::Flag;

pub(crate) const SHOP: &str = "https://shop.example/";
pub(crate) const CAPTCHA: &str = "https://shop.example/captcha";
pub(crate) const CHECKOUT: &str = "https://shop.example/recorded";

/// A shop with something of everything.
pub(crate) fn shop_body() -> Vec<El> {
    vec![
        link("Help"),
        field("Search").form(0),
        submit("Search shop", 0),
        button("Add to basket"),
        field("Coupon").form(1),
        submit("Pay now", 1),
        field("Notes").form(2),
        field("Photo").set(|a| a.kind = Some("file".into())),
        control("checkbox", "Gift wrap"),
        button("Ghost").flag(Flag::NoElement),
        boxed(vec![button("More"), button("More")]),
    ]
}

pub(crate) fn shop_of(body: Vec<El>) -> Doc {
    page(body).url(SHOP).form("get", "/search").form("post", "/pay").form("post", "/notes")
}

pub(crate) fn shop() -> PageCapture {
    shop_of(shop_body()).capture()
}

fn captcha() -> PageCapture {
    const ESSAY: &str =
        "A long text that somebody wrote for others to read at their leisure, and that asks for nothing.";
    let widget = boxed(vec![control("checkbox", "I'm here")]).hint("g-recaptcha").at(0.0, 0.0, 300.0, 70.0);
    page(vec![text(ESSAY), text(ESSAY), widget, button("Continue reading")]).url(CAPTCHA).capture()
}

/// A look at a real page, recorded.
fn recorded() -> PageCapture {
    serde_json::from_str(include_str!("../../../../observe/fixtures/checkout.json")).unwrap()
}

/// Sessions in front of the fake browser.
pub(crate) struct Bench {
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) driver: FakeDriver,
    pub(crate) caller: Caller,
    pub(crate) never: CancellationToken,
}

/// A session that was opened, with the place behind it.
pub(crate) struct Open {
    pub(crate) id: SessionId,
    pub(crate) look: Arc<Look>,
    pub(crate) place: FakePlace,
}

pub(crate) fn trusting() -> Rules {
    Rules { who_confirms: WhoConfirms::Caller, uploads: vec![] }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(SessionSettings::default())
    }

    pub(crate) fn ruled(rules: Rules) -> Self {
        Self::with(SessionSettings { rules, ..SessionSettings::default() })
    }

    pub(crate) fn with(settings: SessionSettings) -> Self {
        let site = [(SHOP, shop()), (CAPTCHA, captcha()), (CHECKOUT, recorded())];
        let site: HashMap<_, _> = site.map(|(url, page)| (url.to_owned(), page)).into();
        let driver = FakeDriver::new(site);
        let sessions = Arc::new(Sessions::behind(Box::new(driver.clone()), settings));
        Self { sessions, driver, caller: Caller::new("me"), never: CancellationToken::new() }
    }

    pub(crate) async fn try_open(&self, url: &str) -> Result<SessionId, Problem> {
        let url = Some(PageUrl::parse(url).unwrap());
        let request = OpenRequest { url, ..OpenRequest::default() };
        self.sessions.open(&self.caller, request, &self.never).await.map(|opened| opened.session)
    }

    /// The first session of a test.
    pub(crate) async fn open(&self, url: &str) -> Open {
        self.open_nth(url, 0).await
    }

    pub(crate) async fn open_nth(&self, url: &str, nth: usize) -> Open {
        let url = Some(PageUrl::parse(url).unwrap());
        let request = OpenRequest { url, ..OpenRequest::default() };
        let opened = self.sessions.open(&self.caller, request, &self.never).await.unwrap();
        Open { id: opened.session, look: opened.seen.look, place: self.driver.place(nth) }
    }

    pub(crate) async fn look(&self, open: &Open) -> Arc<Look> {
        self.ask(open, &ObserveOptions::default()).await.unwrap()
    }

    pub(crate) async fn ask(&self, open: &Open, options: &ObserveOptions) -> Result<Arc<Look>, Problem> {
        let seen = self.sessions.observe(&self.caller, &open.id, options, &self.never).await;
        seen.map(|seen| seen.look)
    }

    pub(crate) async fn act(&self, request: ActRequest) -> Acted {
        self.sessions.act(&self.caller, request, &self.never).await
    }

    /// Acts on what the first look shows under this name.
    pub(crate) async fn on(&self, open: &Open, name: &str, action: Action) -> Acted {
        self.act(request(open, number(&open.look, name), action)).await
    }
}

/// The number of what a look shows under this name; the first where there are several.
pub(crate) fn number(look: &Look, name: &str) -> ActionId {
    pages::item(look.scene(), name).affordance.action_id
}

pub(crate) fn click() -> Action {
    serde_json::from_str(r#"{"type":"click"}"#).unwrap()
}

pub(crate) fn press(key: &str) -> Action {
    Action::PressKey { key: key.into() }
}

/// A call that names the look that the session was opened with.
pub(crate) fn request(open: &Open, action_id: ActionId, action: Action) -> ActRequest {
    on_target(open, Target::Element { action_id }, action)
}

pub(crate) fn on_page(open: &Open, action: Action) -> ActRequest {
    on_target(open, Target::Page {}, action)
}

fn on_target(open: &Open, target: Target, action: Action) -> ActRequest {
    ActRequest {
        session_id: open.id.clone(),
        observation_id: open.look.id().clone(),
        target,
        action,
        expect: Expect::default(),
        reason: None,
        confirm: false,
        confirmation_text: None,
        observe: ObserveOptions::default(),
    }
}

/// The code of an answer, which always has a name in the log.
pub(crate) fn code(acted: &Acted) -> Option<Code> {
    acted.error.as_ref().map(|problem| {
        assert!(problem.correlation_id.is_some(), "{problem}");
        problem.code
    })
}

pub(crate) fn next_id(acted: &Acted) -> Option<ObservationId> {
    acted.next.as_ref().map(|seen| seen.look.id().clone())
}
