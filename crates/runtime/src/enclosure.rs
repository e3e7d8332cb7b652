//! A place that nothing leaves unjudged: a context of the browser, its own way to the network, and the gate on the wire.

use std::{sync::Arc, time::Duration};

use legwork_browser::{Browser, BrowserError, Context, ContextOptions, Limit, Origin};
use legwork_egress::{Decision, Door, Egress, Failure, Ledger, PortsBeside, Settings, SystemResolver};
use legwork_policy::{
    Wire,
    places::{Denial, DenialReason, Place, Reach, Sockets},
    wire::Mode,
};
use legwork_types::HostPort;
use tokio::task::JoinSet;

use crate::{
    gate::{EndpointTrust, Gate},
    instances::Neighbours,
    self_test::{Witness, try_every_way},
};

/// How long the proof that traffic comes to the proxy may take.
const PROOF: Duration = Duration::from_secs(10);

/// What the proxy answers with where it has no answer of a place.
const OUR_STATUSES: [u16; 3] = [403, 502, 504];

/// The ways to the network of one browser.
pub(crate) struct Ways {
    egress: Egress,
    /// That of the browser as a whole, if it is ours.
    home: Option<Door>,
}

impl Ways {
    /// All of them lead through this proxy of the operator's network, if there is one.
    pub(crate) fn new(upstream: Option<HostPort>) -> Self {
        let beside: Option<Arc<dyn PortsBeside>> = Some(Arc::new(Neighbours::default()));
        let settings = Settings { upstream, beside, ..Settings::default() };
        Self { egress: Egress::start(SystemResolver, settings), home: None }
    }

    /// A way for a browser that is about to be started. It leads nowhere until a session uses it.
    pub(crate) async fn for_a_browser(&mut self) -> Result<std::net::SocketAddr, BrowserError> {
        let door = self.egress.open(nowhere()).await.map_err(no_way)?;
        let address = door.address();
        self.home = Some(door);
        Ok(address)
    }

    /// Tries every way past the proxy and the barrier in a place of its own, which is gone afterwards. That of a persistent profile is
    /// the one that its session will have.
    pub(crate) async fn rehearse(&self, browser: &Browser, limit: &Limit) -> Result<(), BrowserError> {
        let own_door = match browser.keeps_profile() {
            true => None,
            false => Some(self.egress.open(nowhere()).await.map_err(no_way)?),
        };
        let ledger = own_door.as_ref().or(self.home.as_ref()).map(Door::ledger);
        let ledger =
            ledger.ok_or_else(|| BrowserError::Unproved { why: "the browser has no proxy".into() })?;
        let witness = Arc::new(Witness::default());
        let options = ContextOptions {
            barrier: witness.clone(),
            proxy: own_door.as_ref().map(Door::address),
            // Empty pages have no origin. What they can't even try proves nothing.
            sockets: vec!["null".to_owned()],
            ..ContextOptions::default()
        };
        let context = browser.new_context(&options, limit).await?;
        let tried = try_every_way(&context, &ledger, &witness, limit).await;
        context.close(limit).await?;
        tried
    }

    /// Opens a place in this browser, behind this gate, and proves that what its pages send comes to us.
    pub(crate) async fn enclose(
        &self,
        browser: &Browser,
        gate: Arc<Gate>,
        options: &ContextOptions,
        limit: &Limit,
    ) -> Result<Enclosure, BrowserError> {
        let is_ours = browser.origin() == Origin::Launched;
        let wire = match (is_ours, gate.settings().endpoints) {
            (true, _) | (false, EndpointTrust::Trusted) => Wire::Guarded,
            (false, EndpointTrust::Degraded) => Wire::Degraded,
        };
        let sockets = match gate.settings().mode {
            Mode::Live if wire == Wire::Degraded => vec![],
            Mode::Live => gate.settings().sockets.clone(),
            Mode::ReadOnly | Mode::DryRun | Mode::PlanOnly => vec![],
        };
        let reach = Reach { sockets: to_own_host(&sockets), ..gate.settings().reach.clone() };
        let own_door = match (is_ours, browser.keeps_profile()) {
            (true, false) => Some(self.egress.open(reach.clone()).await.map_err(no_way)?),
            (true, true) | (false, _) => None,
        };
        let door = own_door.as_ref().or(self.home.as_ref()).filter(|_| is_ours);
        if wire == Wire::Degraded {
            gate.degrade();
        }
        if !is_ours {
            gate.is_elsewhere();
        }
        let options = ContextOptions {
            barrier: gate.clone(),
            proxy: own_door.as_ref().map(Door::address),
            sockets,
            ..options.clone()
        };
        let context = browser.new_context(&options, limit).await?;
        gate.attach(context.held());
        // Not before the place is there: it may be somebody else's, whose rules these are not.
        if let (true, true, Some(home)) = (is_ours, browser.keeps_profile(), &self.home) {
            home.set_reach(reach);
        }
        if let Some(door) = door {
            gate.goes_by(door.lines());
            prove(&context, door, &gate, limit).await?;
        }
        let ledger = door.map(Door::ledger);
        let mut watch = JoinSet::new();
        let (loss, asking, lines) = (context.loss(), gate.clone(), door.map(Door::lines));
        watch.spawn(async move {
            loss.await;
            // One that only fell silent may wake up, and send what was held in it: nobody rules on that any more.
            if let Some(lines) = lines {
                lines.shut();
            }
            // What was asked about is gone with the page: nobody has to answer any more.
            asking.close();
        });
        Ok(Enclosure { context, gate, wire, _door: own_door, ledger, _watch: watch })
    }
}

/// Without TLS pages may open sockets to the host that they are from, and to no other.
fn to_own_host(origins: &[String]) -> Sockets {
    let host = |origin: &String| origin.split_once("://").and_then(|(_, host)| host.parse().ok());
    match origins.iter().filter_map(host).collect::<Vec<_>>() {
        hosts if hosts.is_empty() => Sockets::None,
        hosts => Sockets::Listed(hosts),
    }
}

/// One request to this machine must come to the proxy. If it did not, nothing that the proxy decides would mean anything.
async fn prove(context: &Context, door: &Door, gate: &Gate, limit: &Limit) -> Result<(), BrowserError> {
    let unproved = |why: String| BrowserError::Unproved { why };
    let canary = door.expect_canary().ok_or_else(|| unproved("the system gives no random numbers".into()))?;
    gate.expect_canary(canary.url());
    let tab = context.active_tab(limit).await?;
    let address = canary.url().to_owned();
    let (arrived, knocked) = tokio::join!(canary.arrived(PROOF), tab.knock(&address, limit));
    match (arrived, knocked) {
        (Ok(()), _) => Ok(()),
        (Err(_), Err(error @ (BrowserError::Lost { .. } | BrowserError::Cancelled { .. }))) => Err(error),
        (Err(lost), _) => Err(unproved(lost.to_string())),
    }
}

/// A place that nothing leaves unjudged. Dropping it frees it.
pub(crate) struct Enclosure {
    // Dropped in this order: the context says goodbye while its way is still there.
    pub(crate) context: Context,
    pub(crate) gate: Arc<Gate>,
    /// Whether the gate can be vouched for.
    pub(crate) wire: Wire,
    _door: Option<Door>,
    ledger: Option<Ledger>,
    /// Sees the end of the browser.
    _watch: JoinSet<()>,
}

impl Enclosure {
    /// Where the ledger of its way stands.
    pub(crate) fn mark(&self) -> u64 {
        self.ledger.as_ref().map_or(0, Ledger::written)
    }

    /// Why an address could not be reached, if the way there says so: what the browser shows for it, with this status, is a page of ours.
    pub(crate) fn unreached(&self, address: &str, since: u64, status: Option<u16>) -> Option<BrowserError> {
        if status.is_some_and(|status| !OUR_STATUSES.contains(&status)) {
            return None;
        }
        let place = Place::of_url(address).ok()?;
        let entries = self.ledger.as_ref()?.after(since);
        let did_not_come =
            |decision: &Decision| !matches!(decision, Decision::Allowed { .. } | Decision::Canary);
        // Beside our page the browser asks for its icon, which the same place may well have.
        let mut refused = entries.iter().rev().filter(|entry| did_not_come(&entry.decision));
        let last = refused.find(|entry| entry.place == place.to_string())?;
        let net = |net: &str| Some(BrowserError::Navigation { url: address.to_owned(), net: net.to_owned() });
        match &last.decision {
            Decision::Denied { reason: DenialReason::NameUnknown | DenialReason::NoAddress } => {
                net("net::ERR_NAME_NOT_RESOLVED")
            }
            Decision::Denied { reason: DenialReason::ResolverTimeout | DenialReason::ResolverFailed } => {
                net("net::ERR_NAME_RESOLUTION_FAILED")
            }
            Decision::Denied { reason } => {
                Some(BrowserError::Denied(Box::new(Denial::on_the_way(reason.clone(), &place))))
            }
            Decision::Failed { failure: Failure::Unreachable } => net("net::ERR_CONNECTION_REFUSED"),
            Decision::Failed { failure: Failure::Timeout } => net("net::ERR_TIMED_OUT"),
            Decision::Failed { failure: Failure::Broken } => net("net::ERR_EMPTY_RESPONSE"),
            Decision::Failed { failure: Failure::UpstreamRefused } => {
                net("net::ERR_TUNNEL_CONNECTION_FAILED")
            }
            Decision::Failed { failure: Failure::ProxyChallenge } => net("net::ERR_UNEXPECTED_PROXY_AUTH"),
            Decision::Failed { failure: Failure::Abandoned }
            | Decision::Allowed { .. }
            | Decision::Canary => None,
        }
    }

    /// Frees it in good order.
    pub(crate) async fn close(self, limit: &Limit) -> Result<(), BrowserError> {
        self.gate.close();
        self.context.close(limit).await
    }
}

fn nowhere() -> Reach {
    Reach { ports: vec![], ..Reach::default() }
}

fn no_way(error: std::io::Error) -> BrowserError {
    BrowserError::Unproved { why: format!("no port of this machine is free for the proxy: {error}") }
}

#[cfg(test)]
mod tests;
