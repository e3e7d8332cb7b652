//! Listeners of ours at which nobody must arrive: each way has one of its own, so that its port tells which way it was.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket as StdUdpSocket},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use tokio::{
    net::{TcpListener, UdpSocket},
    task::JoinSet,
};

use super::ways::{Kind, Way};

/// How often the same port is looked for at several addresses.
const TRIES: usize = 10;

/// Where one way would arrive if it went past the proxy.
#[derive(Debug)]
pub(super) struct Trap {
    pub(super) port: u16,
    sprung: Arc<AtomicBool>,
    /// End with it.
    _listening: JoinSet<()>,
}

enum Listener {
    Stream(TcpListener),
    Datagrams(UdpSocket),
}

impl Trap {
    /// Listens where a way leads to.
    pub(super) async fn set(way: &Way) -> io::Result<Self> {
        let addresses = match way.listens {
            Some(address) => vec![address],
            None => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        };
        let mut last = io::Error::from(io::ErrorKind::AddrInUse);
        for _ in 0..TRIES {
            match listen(way.kind, &addresses).await {
                Ok((port, listeners)) => return Ok(Self::at(port, listeners)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn at(port: u16, listeners: Vec<Listener>) -> Self {
        let sprung = Arc::new(AtomicBool::new(false));
        let mut listening = JoinSet::new();
        for listener in listeners {
            listening.spawn(wait(listener, sprung.clone()));
        }
        Self { port, sprung, _listening: listening }
    }

    /// Whether somebody arrived.
    pub(super) fn is_sprung(&self) -> bool {
        self.sprung.load(Relaxed)
    }
}

/// Listens at the same port of all these addresses. One that the machine does not have is passed over, but for the first.
async fn listen(kind: Kind, addresses: &[IpAddr]) -> io::Result<(u16, Vec<Listener>)> {
    let (mut port, mut listeners) = (0, vec![]);
    for address in addresses {
        let at = SocketAddr::new(*address, port);
        let bound = match kind {
            Kind::Datagram => UdpSocket::bind(at).await.map(Listener::Datagrams),
            _ => TcpListener::bind(at).await.map(Listener::Stream),
        };
        match bound {
            Ok(listener) => {
                port = listener.port()?;
                listeners.push(listener);
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse || listeners.is_empty() => {
                return Err(error);
            }
            // A machine without this family of addresses can't be reached by it.
            Err(_) => {}
        }
    }
    Ok((port, listeners))
}

impl Listener {
    fn port(&self) -> io::Result<u16> {
        let address = match self {
            Self::Stream(listener) => listener.local_addr(),
            Self::Datagrams(socket) => socket.local_addr(),
        };
        address.map(|address| address.port())
    }
}

/// Whoever arrives gets no answer: the page's attempt comes to its end.
async fn wait(listener: Listener, sprung: Arc<AtomicBool>) {
    loop {
        let arrived = match &listener {
            Listener::Stream(listener) => listener.accept().await.is_ok(),
            Listener::Datagrams(socket) => socket.recv(&mut [0; 16]).await.is_ok(),
        };
        if !arrived {
            return;
        }
        sprung.store(true, Relaxed);
    }
}

/// The address of this machine on a network, if it is on one. Nothing is sent.
pub(super) fn own_address() -> Option<IpAddr> {
    let socket = StdUdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // Kept for documentation: only the way there is asked for.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    Some(address).filter(|address| !address.is_loopback() && !address.is_unspecified())
}
