//! The servers of an attack: shops that may be reached, and a host that may not and counts whoever comes near.

use std::{
    net::{Ipv4Addr, SocketAddr, UdpSocket},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{net::TcpListener, task::JoinSet};

/// A place that must stay quiet: it counts every connection and answers none.
pub(crate) struct Canary {
    address: SocketAddr,
    came: Arc<AtomicUsize>,
    _task: JoinSet<()>,
}

impl Canary {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let came = Arc::new(AtomicUsize::new(0));
        let counter = came.clone();
        let mut task = JoinSet::new();
        task.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Self { address, came, _task: task }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.came.load(Ordering::SeqCst)
    }
}

/// A place that must get no packet.
pub(crate) struct Ear {
    socket: UdpSocket,
}

impl Ear {
    pub(crate) fn start() -> Self {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
        socket.set_nonblocking(true).unwrap();
        Self { socket }
    }

    pub(crate) fn port(&self) -> u16 {
        self.socket.local_addr().unwrap().port()
    }

    /// How many packets came.
    pub(crate) fn packets(&self) -> usize {
        let mut packet = [0; 2_048];
        std::iter::from_fn(|| self.socket.recv_from(&mut packet).ok()).count()
    }
}
