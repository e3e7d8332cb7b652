//! `legwork smoke`: opens, observes, acts and verifies on a page that comes with Legwork, and shows what is refused.

use clap::Args;
use legwork_runtime::{Acted, Caller, CancellationToken, OpenRequest, Seen, SessionSettings, Sessions, Wire};
use legwork_types::{
    Code, HostPort, PageUrl, Problem,
    contract::{
        ActRequest, Action, ActionId, Expect, ExpectedValue, FieldValue, MouseButton, ObservationId,
        ObserveOptions, Target,
    },
};
use serde::Serialize;

use crate::{
    browser_args::BrowserArgs,
    exit,
    output::{Form, Output},
    page_server::PageServer,
    plain::plain,
};

const PAGE: &str = include_str!("page.html");

/// Open, observe, act and verify on a page that comes with Legwork
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  legwork smoke
  legwork smoke --json")]
pub(crate) struct SmokeArgs {
    #[command(flatten)]
    browser: BrowserArgs,
}

/// One step and how it went.
#[derive(Debug, Serialize)]
struct Step {
    step: &'static str,
    ok: bool,
    finding: String,
}

/// The result for programs.
#[derive(Debug, Serialize)]
struct Report<'a> {
    ok: bool,
    steps: &'a [Step],
}

pub(crate) async fn run(args: &SmokeArgs, cancel: &CancellationToken, output: Output) -> Result<u8, Problem> {
    let (browser, _) = args.browser.ruled()?;
    let unserved = |reason: String| {
        let hint = "see whether this machine has a loopback network (127.0.0.1)";
        Problem::new(Code::InternalError, "the page of the smoke test can't be served", hint).because(reason)
    };
    let server = PageServer::open(PAGE).await.map_err(|error| unserved(error.to_string()))?;
    let url = PageUrl::parse(&server.url()).map_err(|refusal| unserved(refusal.to_string()))?;
    let address = server.address().parse::<HostPort>().map_err(|error| unserved(error.to_string()))?;
    let sessions = browser.granting(address).sessions(SessionSettings::default(), output)?;
    let smoke = Smoke { sessions: &sessions, caller: Caller::new("smoke"), cancel };
    let steps = tokio::select! {
        steps = smoke.steps(url) => steps,
        // It serves for as long as it is waited for.
        never = server.serve() => match never {},
    };
    sessions.shut().await;
    let steps = steps?;
    let ok = steps.iter().all(|step| step.ok);
    match output.form {
        Form::Json => output.json(&Report { ok, steps: &steps })?,
        Form::Text => {
            for Step { step, ok, finding } in &steps {
                let verdict = if *ok { "ok  " } else { "FAIL" };
                output.line(&format!("{verdict}  {step:<22} {}", plain(finding)))?;
            }
        }
    }
    Ok(if ok { exit::DONE } else { exit::FAILED })
}

struct Smoke<'a> {
    sessions: &'a Sessions,
    caller: Caller,
    cancel: &'a CancellationToken,
}

impl Smoke<'_> {
    /// Whatever keeps the rest from being tried is a problem; all else is a finding.
    async fn steps(&self, url: PageUrl) -> Result<Vec<Step>, Problem> {
        let mut steps = Vec::new();
        let page = OpenRequest { url: Some(url), ..OpenRequest::default() };
        let opened = self.sessions.open(&self.caller, page, self.cancel).await?;
        let (first, wire) = (opened.seen, opened.wire);
        let count = first.look.scene().items.len();
        steps.push(Step { step: "open and observe", ok: count == 4, finding: format!("{count} controls") });

        let mut seen = first.clone();
        for trial in Trial::all() {
            let request = request(&seen, seen.look.id().clone(), &trial)?;
            let acted = self.sessions.act(&self.caller, request, self.cancel).await;
            let ok = acted.is_ok() && acted.receipt.dispatched && !acted.receipt.is_nothing();
            let finding = match &acted.error {
                Some(problem) => problem.to_string(),
                None => format!("{}: {}", trial.name, what_came(&acted)),
            };
            steps.push(Step { step: trial.step, ok, finding });
            seen = acted.next.ok_or_else(|| acted.error.unwrap_or_else(no_observation))?;
        }

        let danger = Trial { step: "refuse a danger", name: "Delete account", ..Trial::press() };
        let refused = self.refusal(request(&seen, seen.look.id().clone(), &danger)?).await;
        let expected = if wire == Wire::Degraded { Code::BarrierUnproved } else { Code::DryRunBlocked };
        steps.push(told(danger.step, &refused, expected));
        let old = Trial { step: "refuse an old look", ..Trial::press() };
        let refused = self.refusal(request(&seen, first.look.id().clone(), &old)?).await;
        steps.push(told(old.step, &refused, Code::StaleObservation));
        let session = first.look.session();
        self.sessions.close(&self.caller, session).await?;
        let gone =
            self.sessions.observe(&self.caller, session, &ObserveOptions::default(), self.cancel).await;
        steps.push(told("close", &gone.err(), Code::SessionNotFound));
        Ok(steps)
    }

    async fn refusal(&self, request: ActRequest) -> Option<Problem> {
        self.sessions.act(&self.caller, request, self.cancel).await.error
    }
}

/// Something to try.
struct Trial {
    step: &'static str,
    name: &'static str,
    action: Action,
    expect: Expect,
}

impl Trial {
    fn all() -> [Self; 3] {
        let fill = Action::Fill { value: FieldValue::Text("Ada".into()) };
        let saved =
            Expect { text_appeared: Some("Settings of Ada: once a week".into()), ..Expect::default() };
        [
            Self { step: "fill and verify", name: "Your name", action: fill, expect: Expect::default() },
            Self {
                step: "check and verify",
                name: "Once a week",
                action: Action::Check {},
                expect: Expect::default(),
            },
            Self { step: "click and verify", expect: saved, ..Self::press() },
        ]
    }

    fn press() -> Self {
        let action = Action::Click { button: MouseButton::Left, count: 1, modifiers: vec![] };
        Self { step: "", name: "Apply", action, expect: Expect::default() }
    }
}

/// Whether it is proved, in a few words.
fn what_came(acted: &Acted) -> String {
    match acted.verification.matched {
        true => "as expected".to_owned(),
        false => format!("not as expected: {}", acted.verification.reason),
    }
}

fn no_observation() -> Problem {
    Problem::new(Code::InternalError, "an act gave no observation", "report this as a defect")
}

fn told(step: &'static str, refused: &Option<Problem>, wanted: Code) -> Step {
    match refused {
        Some(problem) => Step { step, ok: problem.code == wanted, finding: problem.to_string() },
        None => Step { step, ok: false, finding: format!("{wanted} was expected, and it was done") },
    }
}

fn request(seen: &Seen, observation: ObservationId, trial: &Trial) -> Result<ActRequest, Problem> {
    let action_id = number_of(seen, trial.name)?;
    let held = match &trial.action {
        Action::Fill { value: FieldValue::Text(text) } => Some(text.clone()),
        Action::Check {} => Some("true".to_owned()),
        _ => None,
    };
    let input_value_equals = held.map(|value| ExpectedValue { action_id, value });
    Ok(ActRequest {
        session_id: seen.look.session().clone(),
        observation_id: observation,
        target: Target::Element { action_id },
        action: trial.action.clone(),
        expect: Expect { input_value_equals, ..trial.expect.clone() },
        reason: Some("smoke test".into()),
        confirm: false,
        confirmation_text: None,
        observe: ObserveOptions::default(),
    })
}

fn number_of(seen: &Seen, name: &str) -> Result<ActionId, Problem> {
    let items = &seen.look.scene().items;
    let found = items.iter().find(|item| item.affordance.name.untrusted() == name);
    found.map(|item| item.affordance.action_id).ok_or_else(|| {
        Problem::new(Code::InternalError, format!("{name:?} was not seen"), "report this as a defect")
    })
}
