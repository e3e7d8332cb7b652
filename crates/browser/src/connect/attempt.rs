//! One attempt at one endpoint: socket, discovery, WebSocket, and a first sign of life, all within one limit.

use std::net::SocketAddr;

use legwork_cdp::{
    Connection, Expired, Limit, WebSocketError, WebSocketTransport, protocol::browser::GetVersion,
};
use serde::Deserialize;
use tokio::net::{TcpStream, lookup_host};
use url::{Host, Url};

use super::{AttemptError, Endpoint, discover::discover, endpoint::Way};

/// How an attempt ended without a connection.
pub(super) enum Stopped {
    /// The endpoint failed.
    Failed(AttemptError),
    /// The caller called it off.
    Cancelled,
}

impl From<AttemptError> for Stopped {
    fn from(error: AttemptError) -> Self {
        Self::Failed(error)
    }
}

impl From<Expired> for Stopped {
    fn from(expired: Expired) -> Self {
        match expired {
            Expired::Deadline => Self::Failed(AttemptError::Timeout),
            Expired::Cancelled => Self::Cancelled,
        }
    }
}

/// Connects to a browser that has shown that it lives.
pub(super) async fn attempt(endpoint: &Endpoint, limit: &Limit) -> Result<Connection, Stopped> {
    let transport = limit.run(open(endpoint)).await??;
    let connection = Connection::start(transport);
    match greet(&connection, limit).await {
        Ok(()) => Ok(connection),
        Err(stopped) => {
            connection.close().await;
            Err(stopped)
        }
    }
}

/// Everything before the first message. It starts no task, so dropping it leaves nothing behind.
async fn open(endpoint: &Endpoint) -> Result<WebSocketTransport<TcpStream>, AttemptError> {
    let address = match endpoint.way() {
        Way::Direct(address) => address.clone(),
        Way::Discover(address) => discover(address, dial(address).await?).await?,
    };
    let stream = dial(&address).await?;
    WebSocketTransport::handshake(address.as_str(), stream).await.map_err(|error| match error {
        WebSocketError::Status(status) => AttemptError::of_status(status),
        WebSocketError::Io(error) => AttemptError::from(&error),
        WebSocketError::Protocol(_) => AttemptError::BadHandshake,
        WebSocketError::Address(_) => AttemptError::BadAddress,
    })
}

async fn dial(address: &Url) -> Result<TcpStream, AttemptError> {
    let port = address.port_or_known_default().ok_or(AttemptError::BadAddress)?;
    let addresses: Vec<SocketAddr> = match address.host().ok_or(AttemptError::BadAddress)? {
        Host::Ipv4(host) => vec![(host, port).into()],
        Host::Ipv6(host) => vec![(host, port).into()],
        // Resolved apart from connecting, because only here the error means that the name is unknown.
        Host::Domain(name) => {
            lookup_host((name, port)).await.map_err(|_| AttemptError::NameResolution)?.collect()
        }
    };
    if addresses.is_empty() {
        return Err(AttemptError::NameResolution);
    }
    let stream =
        TcpStream::connect(addresses.as_slice()).await.map_err(|error| AttemptError::from(&error))?;
    // Commands are small and wait for their answers; batching them would only add delay.
    stream.set_nodelay(true).map_err(|error| AttemptError::from(&error))?;
    Ok(stream)
}

/// The part of the answer that every browser gives.
#[derive(Deserialize)]
struct Product {
    #[serde(rename = "product")]
    _product: String,
}

/// A WebSocket that opens proves nothing: gateways open one before they have a browser.
async fn greet(connection: &Connection, limit: &Limit) -> Result<(), Stopped> {
    let answer = connection.link().call(None, &GetVersion {}, limit).await;
    answer
        .and_then(|reply| reply.read::<Product>())
        .map(drop)
        .map_err(|error| AttemptError::of_greeting(&error).map_or(Stopped::Cancelled, Stopped::Failed))
}
