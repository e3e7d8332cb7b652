//! Through the operator's own proxy: it is asked for the address that was checked, so it has no name to look up in its own way.

use std::{net::SocketAddr, sync::Arc};

use legwork_types::HostPort;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{dial, ledger::Failure, resolver::Resolver};

const LONGEST_HEAD: usize = 16 * 1024;

/// A tunnel to the first of these addresses that the proxy can reach. Whoever calls has a deadline.
pub(crate) async fn connect(
    proxy: &HostPort,
    addresses: &[SocketAddr],
    resolver: &Arc<dyn Resolver>,
) -> Result<(TcpStream, SocketAddr), Failure> {
    let proxies = locate(proxy, resolver).await?;
    let mut failure = Failure::Unreachable;
    for address in addresses {
        let (mut stream, _) = dial::connect(&proxies).await?;
        match ask(&mut stream, *address).await {
            Ok(()) => return Ok((stream, *address)),
            Err(why) => failure = why,
        }
    }
    Err(failure)
}

/// The proxy is the operator's word: its own address is not checked.
async fn locate(proxy: &HostPort, resolver: &Arc<dyn Resolver>) -> Result<Vec<SocketAddr>, Failure> {
    let name = proxy.host().to_string();
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let found = match bare.parse() {
        Ok(address) => vec![address],
        Err(_) => resolver.resolve(&name).await.map_err(|_| Failure::Unreachable)?,
    };
    Ok(found.into_iter().map(|ip| SocketAddr::new(ip, proxy.port())).collect())
}

async fn ask(stream: &mut TcpStream, address: SocketAddr) -> Result<(), Failure> {
    let request = format!("CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|_| Failure::Broken)?;
    let mut head = Vec::with_capacity(512);
    while !head.ends_with(b"\r\n\r\n") {
        // Byte by byte: what follows the head belongs to the place. It is short, and there is one for each connection.
        let byte = stream.read_u8().await.map_err(|_| Failure::Broken)?;
        head.push(byte);
        if head.len() > LONGEST_HEAD {
            return Err(Failure::Broken);
        }
    }
    let is_yes = head.starts_with(b"HTTP/1.1 2") || head.starts_with(b"HTTP/1.0 2");
    if is_yes { Ok(()) } else { Err(Failure::UpstreamRefused) }
}
