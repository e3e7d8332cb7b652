//! What goes over the wire, with the gate and without: what each request costs more, and how much goes through the proxy.

mod client;
pub(crate) mod gate;
mod raw;
mod server;
pub(crate) mod throughput;

use std::net::SocketAddr;

use client::Way;

/// Requests of the plain client that show how fast the server is.
const SHOWN: usize = 10_000;

/// How many requests a second the server answers to a plain client, one after the other.
fn rate_of(server: SocketAddr) -> anyhow::Result<f64> {
    client::small(server, Way::Direct, 1, SHOWN / 10)?;
    let took = client::small(server, Way::Direct, 1, SHOWN)?;
    Ok(SHOWN as f64 / took.as_secs_f64())
}
