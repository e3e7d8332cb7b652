//! Serves the approval page on a port of 127.0.0.1: one request per connection, each within its time, so many at once.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use legwork_runtime::{ApprovalId, Approvals, CancellationToken};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(5);
/// How long a whole exchange may take.
const EXCHANGE: Duration = Duration::from_secs(20);
/// The largest head of a request, in bytes.
const MOST_HEAD: usize = 16 * 1024;
/// The most connections at a time.
const CONNECTIONS: usize = 64;
/// How long it is waited where the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);

/// The approval page, bound and not yet served.
#[derive(Debug)]
pub struct ApprovalPage {
    listener: TcpListener,
    address: SocketAddr,
}

impl ApprovalPage {
    /// Takes a port of this machine.
    pub async fn bind() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The port that it took.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Where a question can be answered by whoever knows its code.
    pub fn url_of(&self) -> impl Fn(&ApprovalId) -> String + Send + Sync + 'static {
        let address = self.address;
        move |id| format!("http://{address}/approve/{id}")
    }

    /// Serves it until it is called off.
    pub async fn serve(self, desk: Arc<Approvals>, cancel: CancellationToken) {
        let service = TowerToHyperService::new(super::router(desk, self.address.port()));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        let talk = |stream: TcpStream| {
            let mut server = http1::Builder::new();
            server
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(MOST_HEAD)
                .keep_alive(false);
            server.serve_connection(TokioIo::new(stream), service.clone())
        };
        loop {
            let accepted = tokio::select! {
                () = cancel.cancelled() => return,
                Some(_) = connections.join_next() => continue,
                accepted = self.listener.accept() => accepted,
            };
            match (accepted, room.clone().try_acquire_owned()) {
                (Ok((stream, _)), Ok(place)) => {
                    let talk = talk(stream);
                    connections.spawn(async move {
                        // A caller that is too slow, or leaves, is its own affair.
                        let _ = timeout(EXCHANGE, talk).await;
                        drop(place);
                    });
                }
                // Who comes while all places are taken is sent away: those that are taken are free again soon.
                (Ok(_), Err(_)) => {}
                (Err(_), _) => sleep(NO_ROOM).await,
            }
        }
    }
}
