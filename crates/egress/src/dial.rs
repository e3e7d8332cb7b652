//! From a place to a connection: looked up once, every address checked, and one of the checked ones dialled.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use legwork_policy::places::{Admitted, Denial, DenialReason, Place, Reach, decide_addresses, decide_place};
use tokio::net::TcpStream;

use crate::{
    ledger::Failure,
    resolver::{ResolveError, Resolver},
    settings::Settings,
    upstream,
};

/// The next address is tried after this long, while the one before it may still answer.
const STAGGER: Duration = Duration::from_millis(250);

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum NotDialled {
    Denied(Denial),
    Failed(Failure),
}

impl From<Denial> for NotDialled {
    fn from(denial: Denial) -> Self {
        Self::Denied(denial)
    }
}

impl From<Failure> for NotDialled {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A connection to a place, and the address that was dialled.
pub(crate) async fn dial(
    place: &Place,
    reach: &Reach,
    resolver: &Arc<dyn Resolver>,
    settings: &Settings,
) -> Result<(TcpStream, SocketAddr), NotDialled> {
    let addresses = match decide_place(place, reach)? {
        Admitted::Known(addresses) => addresses,
        Admitted::Name(name) => {
            let looking = tokio::time::timeout(settings.limits.resolve, resolver.resolve(&name));
            let found = looking.await.unwrap_or(Err(ResolveError::Timeout));
            let found = found.map_err(|error| Denial::on_the_way(reason(error), place))?;
            decide_addresses(place, &found, reach)?
        }
    };
    let connecting = async {
        match &settings.upstream {
            None => connect(&addresses).await,
            Some(proxy) => upstream::connect(proxy, &addresses, resolver).await,
        }
    };
    let connected = tokio::time::timeout(settings.limits.connect, connecting).await;
    let (stream, address) = connected.unwrap_or(Err(Failure::Timeout))?;
    // Only slower without it.
    let _ = stream.set_nodelay(true);
    Ok((stream, address))
}

fn reason(error: ResolveError) -> DenialReason {
    match error {
        ResolveError::NotFound => DenialReason::NameUnknown,
        ResolveError::Timeout => DenialReason::ResolverTimeout,
        ResolveError::Failed => DenialReason::ResolverFailed,
    }
}

/// The first of these addresses that takes the connection. They are tried in order, each a moment after the one before it.
pub(crate) async fn connect(addresses: &[SocketAddr]) -> Result<(TcpStream, SocketAddr), Failure> {
    let attempt = |address: SocketAddr| async move { (TcpStream::connect(address).await, address) };
    let mut waiting = addresses.iter().copied();
    let mut attempts: FuturesUnordered<_> = waiting.next().into_iter().map(attempt).collect();
    loop {
        tokio::select! {
            done = attempts.next() => match done {
                Some((Ok(stream), address)) => return Ok((stream, address)),
                Some((Err(_), _)) | None => match waiting.next() {
                    Some(address) => attempts.push(attempt(address)),
                    None if attempts.is_empty() => return Err(Failure::Unreachable),
                    None => {}
                },
            },
            () = tokio::time::sleep(STAGGER), if waiting.len() > 0 => {
                attempts.extend(waiting.next().map(attempt));
            }
        }
    }
}
