//! The errand of the demo: a scripted caller that buys coffee in the bundled shop, up to the press that would order it.

use std::sync::Arc;

use legwork_runtime::{
    Acted, AfterYes, Caller, CancellationToken, Mode, OpenRequest, Rules, SecretSpec, Seen, SessionSettings,
    Sessions, Vault, WhoConfirms, WireSettings,
};
use legwork_sites::{Bundled, CoffeeOptions};
use legwork_types::{
    Code, HostPort, PageUrl, Problem,
    contract::{ActRequest, ObserveOptions, SessionId},
};
use serde_json::{Value, json};

use crate::{browser_args::Browser, output::Output};

/// What is pressed to order.
const ORDER: (&str, &str) = ("button", "Place order");
/// How often a page is looked at again until its script has done its work.
const LOOKS: usize = 50;

/// One step: what it is done to, and what.
struct Step(&'static str, &'static str, Does);

enum Does {
    Click,
    Fill(&'static str),
    Secret(&'static str),
}

const STEPS: [Step; 11] = [
    Step("button", "Only necessary", Does::Click),
    Step("link", "Harbour Light", Does::Click),
    Step("button", "Add to basket", Does::Click),
    Step("link", "See your basket", Does::Click),
    Step("link", "Go to checkout", Does::Click),
    Step("textbox", "E-mail address", Does::Fill("demo@example.test")),
    Step("textbox", "Password", Does::Secret("password")),
    Step("button", "Log in", Does::Click),
    Step("button", "Continue to delivery", Does::Click),
    Step("button", "Continue to payment", Does::Click),
    Step("button", "Continue to review", Does::Click),
];

/// An errand in a session of its own, in a browser of its own.
pub(super) struct Errand {
    pub(super) sessions: Sessions,
    caller: Caller,
    session: SessionId,
    seen: Seen,
    cancel: CancellationToken,
}

impl Errand {
    /// Opens the shop.
    pub(super) async fn begin(
        shop: &Bundled,
        mode: Mode,
        browser: &Browser,
        cancel: &CancellationToken,
        output: Output,
    ) -> Result<Self, Problem> {
        let address: HostPort =
            shop.coffee_address().to_string().parse().map_err(|_| stuck("its address"))?;
        let browser = browser.granting(address);
        let password = CoffeeOptions::default().password;
        let secret: SecretSpec = format!("password=cmd:echo {password}@{}", shop.coffee_url(""))
            .parse()
            .map_err(|_| stuck("its secret"))?;
        let who_confirms = WhoConfirms::Human;
        let settings = SessionSettings {
            rules: Rules { who_confirms, ..Rules::default() },
            vault: Arc::new(Vault::load(&[secret], &browser.reach()).await?),
            wire: Arc::new(WireSettings {
                mode,
                who_confirms,
                documents: AfterYes::SentAgain,
                ..WireSettings::default()
            }),
            ..SessionSettings::default()
        };
        let sessions = browser.sessions(settings, output)?;
        let caller = Caller::new("demo");
        let url = PageUrl::parse(&shop.coffee_url("/")).map_err(|refusal| Problem::from(&refusal))?;
        let request = OpenRequest { url: Some(url), ..OpenRequest::default() };
        let opened = sessions.open(&caller, request, cancel).await?;
        let (session, seen) = (opened.session, opened.seen);
        Ok(Self { sessions, caller, session, seen, cancel: cancel.clone() })
    }

    /// Everything up to the last press.
    pub(super) async fn prepare(&mut self) -> Result<(), Problem> {
        for Step(role, name, does) in &STEPS {
            let action = match does {
                Does::Click => json!({"type": "click"}),
                Does::Fill(value) => json!({"type": "fill", "value": value}),
                Does::Secret(secret) => json!({"type": "fill", "value": {"secret": secret}}),
            };
            if let Some(problem) = self.act(role, name, action).await?.error {
                return Err(problem);
            }
        }
        self.find(ORDER.0, ORDER.1).await.map(drop)
    }

    /// The last press: what was said to it. Nothing where it went through.
    pub(super) async fn order(&mut self) -> Result<Option<Problem>, Problem> {
        Ok(self.act(ORDER.0, ORDER.1, json!({"type": "click"})).await?.error)
    }

    /// The page with the numbers of its observation.
    pub(super) async fn picture(&self) -> Result<Vec<u8>, Problem> {
        let look = self.seen.look.id();
        self.sessions.screenshot(&self.caller, &self.session, Some(look), &self.cancel).await
    }

    async fn act(&mut self, role: &str, name: &str, action: Value) -> Result<Acted, Problem> {
        let number = self.find(role, name).await?;
        let call = json!({
            "sessionId": self.session, "observationId": self.seen.look.id(), "action": action,
            "target": {"kind": "element", "actionId": number},
        });
        let request: ActRequest = serde_json::from_value(call).map_err(|_| stuck(name))?;
        let acted = self.sessions.act(&self.caller, request, &self.cancel).await;
        if let Some(next) = &acted.next {
            self.seen = next.clone();
        }
        Ok(acted)
    }

    /// The number of something, once it is there.
    async fn find(&mut self, role: &str, name: &str) -> Result<u32, Problem> {
        for _ in 0..LOOKS {
            let items = &self.seen.look.scene().items;
            let is_it = |affordance: &legwork_types::contract::Affordance| {
                affordance.role == role && affordance.name.untrusted() == name
            };
            if let Some(item) = items.iter().find(|item| is_it(&item.affordance)) {
                return Ok(item.affordance.action_id.0);
            }
            let options = ObserveOptions::default();
            self.seen = self.sessions.observe(&self.caller, &self.session, &options, &self.cancel).await?;
        }
        Err(stuck(name))
    }
}

fn stuck(what: &str) -> Problem {
    let message = format!("the demo does not get on: {what} is not as it should be");
    Problem::new(Code::InternalError, message, "run it again; if it stays so, report it")
}
