//! One listener for one session: takes the browser's connections and tells tunnels from requests.

use std::{
    fmt,
    net::SocketAddr,
    pin::pin,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use hyper::{
    Method, Request, Response, StatusCode, body::Incoming, server::conn::http1, service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use legwork_policy::places::{PlaceRefusal, Reach};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};

use crate::{
    activity::{Activity, Watched},
    answer,
    body::Inbound,
    canary::{Canary, Flight},
    egress::Doors,
    forward::forward,
    ledger::{Decision, Ledger},
    room::Room,
    tunnel::{self, Tunnel},
};

/// A session's way out. When it is dropped, its listener and everything that goes through it end.
pub struct Door {
    address: SocketAddr,
    room: Arc<Room>,
    doors: Doors,
}

impl Door {
    pub(crate) fn new(address: SocketAddr, room: Arc<Room>, doors: Doors) -> Self {
        Self { address, room, doors }
    }

    /// Where the browser has to send its traffic.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What was asked for, and what became of it.
    pub fn ledger(&self) -> Ledger {
        self.room.ledger.clone()
    }

    /// Who may have something go alone.
    pub fn lines(&self) -> OpenLines {
        OpenLines(Arc::downgrade(&self.room))
    }

    /// Other rules from now on. Tunnels that they do not allow are cut.
    pub fn set_reach(&self, reach: Reach) {
        self.doors.set_reach(&self.room, reach);
    }

    /// An address that is answered here, to prove that the browser's traffic comes here. None where the system has no random
    /// numbers to give.
    pub fn expect_canary(&self) -> Option<Canary> {
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).ok()?;
        let secret: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(self.room.canaries.expect(self.address.port(), &secret))
    }

    /// Closes the door and waits until everything behind it has ended.
    pub async fn close(self) {
        if let Some(mut tasks) = self.room.tasks.end() {
            tasks.shutdown().await;
        }
    }
}

/// The connections of a browser that are open, behind one door.
#[derive(Clone)]
pub struct OpenLines(Weak<Room>);

impl OpenLines {
    /// Nothing goes through the door any more, and all that is on its way is cut: whoever sends there is not answered for any more.
    pub fn shut(&self) {
        if let Some(room) = self.0.upgrade() {
            room.update(Some(Reach { ports: vec![], ..Reach::default() }), vec![]);
        }
    }

    /// What is sent to this host and port next, within TLS, goes over a new connection, and until its answer is there over no other: then
    /// a browser can't send it again by itself. Whoever knows of the answer lets go of what is given back.
    #[must_use = "it ends at once otherwise"]
    pub fn alone(&self, host: &str, port: u16) -> Alone {
        let to = format!("{}:{port}", host.trim_end_matches('.'));
        let number = self.0.upgrade().map_or(0, |room| room.lines.alone(&to));
        Alone { room: self.0.clone(), to, number }
    }
}

impl fmt::Debug for OpenLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenLines").finish_non_exhaustive()
    }
}

/// Something goes to a place alone, for as long as this lives, and at most for two minutes.
pub struct Alone {
    room: Weak<Room>,
    to: String,
    number: u64,
}

impl Drop for Alone {
    fn drop(&mut self) {
        if let Some(room) = self.room.upgrade() {
            room.lines.no_longer_alone(&self.to, self.number);
        }
    }
}

impl fmt::Debug for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alone").field("to", &self.to).finish_non_exhaustive()
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        drop(self.room.tasks.end());
        self.doors.remove(&self.room);
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Takes connections, as many at a time as there may be.
pub(crate) async fn listen(room: Arc<Room>, listener: TcpListener) {
    const NO_MORE_FILES: Duration = Duration::from_millis(20);
    let seats = Arc::new(Semaphore::new(room.settings.limits.connections));
    while let Ok(seat) = seats.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let serving = serve(room.clone(), stream);
                room.tasks.spawn(async move {
                    serving.await;
                    drop(seat);
                });
            }
            // The system has no file for it just now; the browser waits in the queue.
            Err(_) => tokio::time::sleep(NO_MORE_FILES).await,
        }
    }
}

/// One connection of the browser, and the tunnel that it may become.
async fn serve(room: Arc<Room>, stream: TcpStream) {
    // Only slower without it.
    let _ = stream.set_nodelay(true);
    let activity = Activity::default();
    let limits = &room.settings.limits;
    let becomes = Arc::new(Mutex::new(None::<Tunnel>));
    let service = service_fn(|request| {
        let (room, becomes) = (room.clone(), becomes.clone());
        async move { Ok::<_, hyper::Error>(respond(&room, &becomes, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(limits.head_size)
        .preserve_header_case(true)
        .auto_date_header(false)
        .serve_connection(TokioIo::new(Watched::new(stream, activity.clone())), service)
        .with_upgrades();
    tokio::select! {
        _ = pin!(connection) => {}
        () = activity.idle(limits.idle) => return,
    }
    let tunnel = becomes.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(tunnel) = tunnel {
        tunnel.run(&room, activity).await;
    }
}

async fn respond(
    room: &Arc<Room>,
    becomes: &Mutex<Option<Tunnel>>,
    request: Request<Incoming>,
) -> Response<Inbound> {
    if request.method() == Method::CONNECT {
        return match tunnel::open(room, request).await {
            Ok(tunnel) => {
                *becomes.lock().unwrap_or_else(PoisonError::into_inner) = Some(tunnel);
                answer::bare(StatusCode::OK)
            }
            Err(refusal) => *refusal,
        };
    }
    let method = request.method().as_str();
    if request.uri().scheme().is_none() {
        // Somebody takes us for a server: a page that was led here, or a browser that goes around us.
        room.canaries.noticed(request.uri().path(), Flight::Directly);
        room.refuse_text(method, &PlaceRefusal::Malformed("not for a proxy"), "(not a request to a proxy)");
        return answer::bare(StatusCode::BAD_REQUEST);
    }
    let url = request.uri().to_string();
    if room.canaries.noticed(&url, Flight::ThroughTheProxy) {
        room.ledger.write(method, "(canary)".into(), Decision::Canary);
        return answer::bare(StatusCode::NO_CONTENT);
    }
    forward(room, &url, request).await
}
