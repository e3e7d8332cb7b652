//! The errand of the demo: coffee from the bundled shop, first as a dry run, then live. Without a real model a script answers in its
//! place, and the demo says so. The shop's own books tell what really happened.

use std::{path::Path, sync::Arc};

use legwork_runtime::{
    AfterYes, Mode, Rules, SecretSpec, SessionSettings, Vault, WhoConfirms, WireSettings,
    errands::{
        MicroUsd, Model, Outcome, OutcomeKind, Preset, Prices, Reason, Runs, Spec, Wishes, choose, found,
        mode_of,
    },
};
use legwork_sites::{
    Bundled, CoffeeOptions, Effect,
    brain::{self, Brain},
    vendor::{Vendor, VendorWire},
};
use legwork_types::{Code, HostPort, Problem};
use serde::Serialize;

use super::person::Person;
use crate::{
    browser_args::Browser,
    errand::{Detail, Job, Report, carry_out},
    exit,
    model_args::{Chosen, chosen},
    output::{Form, Output},
    plain::plain,
    signals::Calls,
};

/// The most that one errand of the demo may cost.
const BUDGET: MicroUsd = MicroUsd(1_000_000);
/// What the shop writes down of an order.
const ORDER: &str = "order-placed";

/// How the errand went, for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Account {
    /// The model that was asked; `scripted` where a script took its place.
    model: String,
    dry_run: Outcome,
    orders_after_dry_run: usize,
    /// None where somebody called the demo off before.
    live: Option<Outcome>,
    orders_after_live: usize,
}

impl Account {
    /// The exit code of a demo that went so. A no is an answer like any other; with `--yes` there has to be an order, and proof of it.
    pub(super) fn exit_code(&self, says_yes: bool) -> u8 {
        let Some(live) = &self.live else { return exit::CALLED_OFF };
        let is_stopped = self.dry_run.reason == Reason::DryRun && self.orders_after_dry_run == 0;
        let is_ordered = live.kind == OutcomeKind::Verified && self.orders_after_live == 1;
        let is_no = matches!(live.reason, Reason::HumanRejected | Reason::NobodyAnswered)
            && self.orders_after_live == 0;
        match live.reason {
            Reason::Interrupted => exit::CALLED_OFF,
            _ if is_stopped && (is_ordered || (is_no && !says_yes)) => exit::DONE,
            _ => exit::FAILED,
        }
    }
}

/// The model of the demo: a real one where there is one, else a script with a vendor of its own.
pub(super) struct Mind {
    model: Chosen,
    _vendor: Option<Vendor>,
}

impl Mind {
    /// A real model, if one was chosen or can be found; else the script.
    pub(super) async fn found(real: Result<Chosen, Problem>, brain: Brain) -> Result<Self, Problem> {
        match real {
            Ok(model) => return Ok(Self { model, _vendor: None }),
            Err(problem) if problem.code != Code::ModelNotConfigured => return Err(problem),
            Err(_) => {}
        }
        let unserved = |error: std::io::Error| {
            let hint = "see whether this machine has a loopback network (127.0.0.1)";
            Problem::new(Code::InternalError, "the script can't be served", hint).because(error.to_string())
        };
        let vendor = Vendor::start(brain.script()).map_err(unserved)?;
        let wishes = Wishes {
            model: Some("scripted".into()),
            base_url: Some(vendor.base_url(VendorWire::OpenAi)),
            ..Wishes::default()
        };
        let model: Model = found(choose(&wishes)?).await?;
        debug_assert_eq!(model.runs, Runs::Here);
        Ok(Self { model: chosen(model, &Prices::default())?, _vendor: Some(vendor) })
    }

    fn words(&self) -> String {
        match self._vendor {
            Some(_) => "SCRIPTED: no key is set and no local model was found, so a script answers in the place of a model. It \
                        thinks nothing and works on this shop alone; everything else is real: browser, gate, questions, books."
                .to_owned(),
            None => {
                let name = plain(&self.model.client.model().name);
                format!("The model is {name}; each of the two errands may cost up to {BUDGET}.")
            }
        }
    }
}

/// Runs the errand twice, and says what the shop's books say.
pub(super) async fn show(
    folder: &Path,
    mind: &Mind,
    says_yes: bool,
    browser: &Browser,
    calls: &Calls,
    output: Output,
) -> Result<Account, Problem> {
    let shop = Bundled::start().map_err(|error| {
        let hint = "see whether this machine has a loopback network (127.0.0.1)";
        Problem::new(Code::InternalError, "the bundled shop can't be served", hint).because(error.to_string())
    })?;
    let say = |line: &str| match output.form {
        Form::Text => output.line(line),
        Form::Json => Ok(()),
    };
    say(&format!("\nAn errand: \"{}\"", brain::coffee().goal))?;
    say(&format!("A coffee shop that keeps books is served at {}", shop.coffee_url("/")))?;
    say(&mind.words())?;

    say("\n1. As a dry run, which is how Legwork runs unless told:\n")?;
    // One for both: whoever reads a terminal does not give it back.
    let mut person = Person::new(folder, says_yes, output, &calls.off);
    let dry_run = run(&shop, Mode::DryRun, mind, &mut person, browser, calls, output).await?;
    let orders_after_dry_run = shop.coffee_ledger().count(ORDER);
    say(&format!("orders in the shop's books: {orders_after_dry_run}"))?;

    let model = plain(&mind.model.client.model().name);
    if dry_run.reason == Reason::Interrupted {
        let live = None;
        return Ok(Account {
            model,
            dry_run,
            orders_after_dry_run,
            live,
            orders_after_live: orders_after_dry_run,
        });
    }

    say("\n2. Live, where a person is asked about what would really leave:\n")?;
    let live = run(&shop, Mode::Live, mind, &mut person, browser, calls, output).await?;
    let orders = shop.coffee_ledger().of_kind(ORDER);
    say(&format!("orders in the shop's books: {}", orders.len()))?;
    for order in &orders {
        say(&format!("  {}", plain(&entry(order))))?;
    }
    Ok(Account { model, dry_run, orders_after_dry_run, live: Some(live), orders_after_live: orders.len() })
}

/// One errand in a browser of its own.
async fn run(
    shop: &Bundled,
    mode: Mode,
    mind: &Mind,
    people: &mut Person,
    browser: &Browser,
    calls: &Calls,
    output: Output,
) -> Result<Outcome, Problem> {
    let unusable = |what: &str| {
        let hint = "run it again; if it stays so, report it";
        Problem::new(Code::InternalError, format!("the demo's {what} can't be used"), hint)
    };
    let address: HostPort = shop.coffee_address().to_string().parse().map_err(|_| unusable("address"))?;
    let browser = browser.granting(address);
    let password = CoffeeOptions::default().password;
    let secret: SecretSpec = format!("password=cmd:echo {password}@{}", shop.coffee_url(""))
        .parse()
        .map_err(|_| unusable("secret"))?;
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
    let brain = brain::coffee();
    let mut limits = Preset::Service.limits();
    (limits.turns, limits.money) = (40, BUDGET);
    let spec = Spec {
        start_url: Some(shop.coffee_url(&brain.begins)),
        mode: mode_of(mode),
        limits,
        data: [("email".to_owned(), "demo@example.test".to_owned())].into(),
        secrets: vec!["password".to_owned()],
        someone: people.someone(),
        ..Spec::new(&brain.goal)
    };
    let report = match output.form {
        Form::Text => Report::Progress(Detail::Usual),
        Form::Json => Report::Nothing,
    };
    let job =
        Job { sessions: &sessions, model: &mind.model, fallback: None, people, trace: None, report, output };
    let ended = carry_out(spec, job, calls).await;
    sessions.shut().await;
    ended
}

/// An entry of the books in a line.
fn entry(effect: &Effect) -> String {
    let details = effect.details.iter().map(|(name, value)| format!("{name}={value}"));
    let account = effect.account.as_deref().unwrap_or("nobody");
    format!("{} by {account}: {}", effect.kind, details.collect::<Vec<_>>().join(" "))
}
