//! What the operator allows on the wire.

use std::time::Duration;

use legwork_policy::{
    WhoConfirms,
    places::Reach,
    wire::{Mode, PrepareRule, TelemetryRule},
};

/// How a document that was asked about leaves after a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AfterYes {
    /// The act is done again, and what it sends then has to be what was shown.
    #[default]
    DoneAgain,
    /// What was shown is sent by the browser itself, if its tab still shows the page that it is from: pages switch their buttons off
    /// when they are pressed, and could not be pressed again.
    SentAgain,
}

/// What browsers at given endpoints, which somebody else started, are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndpointTrust {
    /// Nothing that can't be undone, and no secrets.
    #[default]
    Degraded,
    /// As much as one of ours: the operator knows it.
    Trusted,
}

/// What the operator allows on the wire.
#[derive(Debug, Clone)]
pub struct WireSettings {
    /// How far errands may go.
    pub mode: Mode,
    /// Where traffic may go.
    pub reach: Reach,
    /// Sites that every errand is about, besides that of its first page.
    pub sites: Vec<String>,
    /// What the operator calls preparing.
    pub prepare: Vec<PrepareRule>,
    /// What happens to messages that count visitors.
    pub telemetry: TelemetryRule,
    /// Origins whose pages may open sockets when errands are live.
    pub sockets: Vec<String>,
    /// Who may say yes.
    pub who_confirms: WhoConfirms,
    /// How a document that was asked about leaves after a yes.
    pub documents: AfterYes,
    /// How long a yes is good.
    pub grant_life: Duration,
    /// What browsers that somebody else started are good for.
    pub endpoints: EndpointTrust,
}

impl Default for WireSettings {
    /// Everything is prepared and nothing is settled, on the internet alone.
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            reach: Reach::default(),
            sites: vec![],
            prepare: vec![],
            telemetry: TelemetryRule::default(),
            sockets: vec![],
            who_confirms: WhoConfirms::default(),
            documents: AfterYes::default(),
            grant_life: Duration::from_secs(10 * 60),
            endpoints: EndpointTrust::default(),
        }
    }
}
