//! From names to addresses.

use std::{io, net::IpAddr};

use futures_util::future::BoxFuture;

/// The addresses of a name, some time.
pub type Resolve<'a> = BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;

/// Whoever knows the addresses of names. It is asked once for each connection, and with a deadline.
pub trait Resolver: Send + Sync + 'static {
    /// All addresses of a name, best first.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolve<'a>;
}

/// Why there is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such name.
    #[error("there is no such name")]
    NotFound,
    /// Nobody answered in time.
    #[error("nobody answered in time")]
    Timeout,
    /// Something else.
    #[error("the name could not be looked up")]
    Failed,
}

/// The resolver of this machine, with its files and servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolve<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await.map_err(|error| meaning(&error))?;
            let mut addresses: Vec<IpAddr> = Vec::new();
            for address in found.map(|address| address.ip()) {
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
            Ok(addresses)
        })
    }
}

/// Systems tell why only in words; ours are always the English ones.
fn meaning(error: &io::Error) -> ResolveError {
    const NO_SUCH_NAME: &[&str] = &[
        "name or service not known",
        "no address associated",
        "name does not resolve",
        "nodename nor servname",
    ];
    let words = error.to_string().to_lowercase();
    match error.kind() {
        io::ErrorKind::TimedOut => ResolveError::Timeout,
        _ if NO_SUCH_NAME.iter().any(|part| words.contains(part)) => ResolveError::NotFound,
        _ => ResolveError::Failed,
    }
}
