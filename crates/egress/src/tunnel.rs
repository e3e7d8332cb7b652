//! A tunnel to a place: bytes both ways, as long as its first ones are TLS or a socket that may be, and the rules allow it.

use std::{future::ready, net::SocketAddr, sync::Arc};

use hyper::{Request, Response, body::Incoming, upgrade::OnUpgrade};
use hyper_util::rt::TokioIo;
use legwork_policy::places::{Denial, Place, Reach, Scheme, Sockets, decide_place, decide_socket};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::watch,
};

use crate::{
    activity::{Activity, Watched},
    answer,
    body::Inbound,
    dial::{NotDialled, dial},
    ledger::{Decision, Failure},
    lines::Line,
    passage::pass,
    pool::stands,
    room::Room,
};

/// How many bytes tell TLS from anything else.
const ENOUGH: usize = 3;

/// A connection to a place, for a browser that is about to be told so.
pub(crate) struct Tunnel {
    place: Place,
    address: SocketAddr,
    stream: TcpStream,
    rules: watch::Receiver<Arc<Reach>>,
    browser: OnUpgrade,
    line: Arc<Line>,
}

/// Judges and dials the place that is asked for.
pub(crate) async fn open(
    room: &Arc<Room>,
    mut request: Request<Incoming>,
) -> Result<Tunnel, Box<Response<Inbound>>> {
    const METHOD: &str = "CONNECT";
    let text = request.uri().to_string();
    let place = match Place::of_authority(&text) {
        Ok(place) => place,
        Err(refusal) => return Err(Box::new(answer::denied(&room.refuse_text(METHOD, &refusal, &text)))),
    };
    let mut rules = room.rules();
    let reach = rules.borrow_and_update().clone();
    let under_way = room.under_way(METHOD, &place);
    let dialled = match admitted(&place, &reach) {
        Ok(place) => match room.lines.enter(address_of(&place)).await {
            Some(line) => dial(&place, &reach, &room.resolver, &room.settings)
                .await
                .map(|dialled| (place, dialled, line)),
            None => Err(Failure::Broken.into()),
        },
        Err(denial) => Err(NotDialled::Denied(denial)),
    };
    under_way.over();
    match dialled {
        Ok((place, (stream, address), line)) => {
            room.write(METHOD, &place, Decision::Allowed { address });
            Ok(Tunnel { place, address, stream, rules, browser: hyper::upgrade::on(&mut request), line })
        }
        Err(NotDialled::Denied(denial)) => {
            room.write_denial(METHOD, &denial);
            Err(Box::new(answer::denied(&denial)))
        }
        Err(NotDialled::Failed(failure)) => {
            room.write_failure(METHOD, &place, failure);
            Err(Box::new(answer::failed(&place.to_string(), failure)))
        }
    }
}

/// The place as it may be reached: with TLS, or else as a socket without, where there may be any. Which one it is shows later.
fn admitted(place: &Place, reach: &Reach) -> Result<Place, Denial> {
    let denial = match decide_place(place, reach) {
        Ok(_) => return Ok(place.clone()),
        Err(denial) => denial,
    };
    let socket = place.over(Scheme::Ws);
    let may_be = reach.sockets != Sockets::None
        && decide_place(&socket, reach).is_ok()
        && decide_socket(&socket, reach).is_ok();
    if may_be { Ok(socket) } else { Err(denial) }
}

impl Tunnel {
    /// Passes bytes both ways until one side ends, nothing moves, or the rules change against it.
    pub(crate) async fn run(self, room: &Room, activity: Activity) {
        let Self { place, address, stream, mut rules, browser, line } = self;
        let limits = &room.settings.limits;
        let Ok(Ok(browser)) = tokio::time::timeout(limits.head, browser).await else { return };
        let Ok(parts) = browser.downcast::<TokioIo<Watched>>() else { return };
        let mut browser = parts.io.into_inner();
        let mut first = parts.read_buf.to_vec();
        let seen = tokio::time::timeout(limits.head, read_enough(&mut browser, &mut first)).await;
        if !matches!(seen, Ok(true)) {
            return;
        }
        let reach = rules.borrow_and_update().clone();
        let place = match judge_content(&place, &first, &reach) {
            Ok(place) => place,
            Err(denial) => return room.write_denial("SOCKET", &denial),
        };
        if !stands(&place, address, &reach) {
            return;
        }
        if place.scheme() == Scheme::Ws {
            room.write("SOCKET", &place, Decision::Allowed { address });
        }
        let browser = browser.into_stream();
        line.opened(&browser, &activity);
        line.asked();
        let (mut from_browser, mut to_browser) = browser.into_split();
        let (mut from_place, mut to_place) = stream.into_split();
        let (line, lines) = (&*line, &room.lines);
        let passing = async {
            if to_place.write_all(&first).await.is_ok() {
                let there = async {
                    let says = || {
                        line.asked();
                        lines.may_speak(line)
                    };
                    let passed = pass(&mut from_browser, &mut to_place, &activity, says).await;
                    lines.over(line);
                    drop(to_place);
                    passed
                };
                let back = async {
                    let says = || {
                        line.answered();
                        ready(true)
                    };
                    let passed = pass(&mut from_place, &mut to_browser, &activity, says).await;
                    lines.over(line);
                    drop(to_browser);
                    passed
                };
                // Either side may break off at any time: that is its end.
                let _ = tokio::try_join!(there, back);
            }
        };
        tokio::select! {
            () = passing => {}
            () = activity.idle(limits.idle) => {}
            () = until_denied(&place, address, &mut rules) => {}
        }
    }
}

/// Host and port, whatever is spoken there.
fn address_of(place: &Place) -> String {
    format!("{}:{}", place.host(), place.port())
}

/// Whether there are enough bytes to judge by, some time.
async fn read_enough(browser: &mut Watched, first: &mut Vec<u8>) -> bool {
    while first.len() < ENOUGH {
        match browser.read_buf(first).await {
            Ok(0) | Err(_) => return false,
            Ok(_) => {}
        }
    }
    true
}

/// The place as it is really spoken to, if it may be. A record of TLS that opens a connection begins with `16 03`; anything else
/// can be read on the way.
fn judge_content(place: &Place, first: &[u8], reach: &Reach) -> Result<Place, Denial> {
    if first.starts_with(&[0x16, 0x03]) {
        let place = place.over(Scheme::Https);
        return decide_place(&place, reach).map(|_| place);
    }
    let place = place.over(Scheme::Ws);
    decide_socket(&place, reach).map(|()| place)
}

/// Ends when the rules do not allow it any more.
async fn until_denied(place: &Place, address: SocketAddr, rules: &mut watch::Receiver<Arc<Reach>>) {
    while rules.changed().await.is_ok() {
        let reach = rules.borrow_and_update().clone();
        let is_socket = place.scheme() == Scheme::Ws;
        if !stands(place, address, &reach) || (is_socket && decide_socket(place, &reach).is_err()) {
            return;
        }
    }
    // The door itself is gone, and this task with it.
}
