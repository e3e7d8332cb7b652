//! Both sites, running on loopback ports of their own until dropped.

use std::{
    io::{self, ErrorKind},
    net::{Ipv6Addr, SocketAddr, TcpListener},
};

use axum::{
    Router,
    serve::{Listener, ListenerExt},
};

use crate::{
    coffee::{CoffeeOptions, CoffeeShop},
    ledger::Ledger,
    server_thread::ServerThread,
    stream::{StreamOptions, StreamService},
};

/// The coffee shop and the streaming service, running; they stop, with every open connection, when dropped.
#[derive(Debug)]
pub struct Bundled {
    coffee: Served,
    stream: Served,
    coffee_ledger: Ledger,
    stream_ledger: Ledger,
}

impl Bundled {
    /// Starts both sites as they are by default. Works in a runtime and without one.
    ///
    /// # Errors
    ///
    /// Where the machine has no port or no thread left.
    pub fn start() -> io::Result<Self> {
        Self::start_with(CoffeeOptions::default(), StreamOptions::default())
    }

    /// Starts both sites with options.
    ///
    /// # Errors
    ///
    /// Where the machine has no port or no thread left.
    pub fn start_with(coffee: CoffeeOptions, stream: StreamOptions) -> io::Result<Self> {
        let (coffee, stream) = (CoffeeShop::new(coffee), StreamService::new(stream));
        Ok(Self {
            coffee_ledger: coffee.ledger(),
            stream_ledger: stream.ledger(),
            coffee: Served::start(coffee.router())?,
            stream: Served::start(stream.router())?,
        })
    }

    /// Where the coffee shop listens; on `::1` it has the same port.
    pub fn coffee_address(&self) -> SocketAddr {
        self.coffee.address
    }

    /// Where the streaming service listens; on `::1` it has the same port.
    pub fn stream_address(&self) -> SocketAddr {
        self.stream.address
    }

    /// The address of a page of the coffee shop, for a path that starts with a slash.
    pub fn coffee_url(&self, path: &str) -> String {
        format!("http://{}{path}", self.coffee.address)
    }

    /// The address of a page of the streaming service, for a path that starts with a slash.
    pub fn stream_url(&self, path: &str) -> String {
        format!("http://{}{path}", self.stream.address)
    }

    /// What happened in the coffee shop.
    pub fn coffee_ledger(&self) -> Ledger {
        self.coffee_ledger.clone()
    }

    /// What happened in the streaming service.
    pub fn stream_ledger(&self) -> Ledger {
        self.stream_ledger.clone()
    }
}

/// One router that is served on a loopback port until dropped.
#[derive(Debug)]
pub struct Served {
    address: SocketAddr,
    _thread: ServerThread,
}

impl Served {
    /// Serves on a free port of `127.0.0.1`, and of `::1` where there is one.
    ///
    /// # Errors
    ///
    /// Where the machine has no port or no thread left.
    pub fn start(router: Router) -> io::Result<Self> {
        Self::start_on(|listener| listener.tap_io(|stream| drop(stream.set_nodelay(true))), router)
    }

    /// The same on connections of a kind of its own.
    pub(crate) fn start_on<L: Listener<Addr = SocketAddr>>(
        listen: impl Fn(tokio::net::TcpListener) -> L + Send + 'static,
        router: Router,
    ) -> io::Result<Self> {
        let (address, listeners) = bind_both()?;
        let thread = ServerThread::start(move || serve(listeners, listen, router))?;
        Ok(Self { address, _thread: thread })
    }

    /// The IPv4 address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

async fn serve<L: Listener<Addr = SocketAddr>>(
    listeners: Vec<TcpListener>,
    listen: impl Fn(tokio::net::TcpListener) -> L,
    router: Router,
) {
    let mut servers = tokio::task::JoinSet::new();
    for listener in listeners.into_iter().filter_map(|one| tokio::net::TcpListener::from_std(one).ok()) {
        let (listener, router) = (listen(listener), router.clone());
        servers.spawn(async move { axum::serve(listener, router).await });
    }
    servers.join_all().await;
}

/// Binds one port on both loopback addresses, or on the IPv4 one alone where there is no IPv6.
fn bind_both() -> io::Result<(SocketAddr, Vec<TcpListener>)> {
    for _ in 0..100 {
        let four = TcpListener::bind(("127.0.0.1", 0))?;
        let address = four.local_addr()?;
        let mut listeners = vec![four];
        match TcpListener::bind((Ipv6Addr::LOCALHOST, address.port())) {
            Ok(six) => listeners.push(six),
            // Another process has this port on ::1; `localhost` would lead there.
            Err(problem) if problem.kind() == ErrorKind::AddrInUse => continue,
            Err(_) => {}
        }
        for listener in &listeners {
            listener.set_nonblocking(true)?;
        }
        return Ok((address, listeners));
    }
    Err(io::Error::new(ErrorKind::AddrInUse, "no port that is free on both 127.0.0.1 and ::1"))
}
