//! One request without TLS: passed on to the place that its address names, and the answer back.

use std::sync::Arc;

use http_body_util::{Either, Empty};
use hyper::{
    Method, Request, Response, StatusCode, Uri, Version,
    body::{Body, Incoming},
    client::conn::http1,
    header::{HOST, HeaderValue, UPGRADE},
    http::request::Parts,
};
use hyper_util::rt::TokioIo;
use legwork_policy::places::{Denial, DenialReason, Place, PlaceRefusal, Reach, Scheme, decide_place};

use crate::{
    activity::{Activity, Watched},
    answer,
    body::{Inbound, Outbound, Page},
    dial::{NotDialled, dial},
    headers,
    ledger::{Decision, Failure},
    pool::{Lease, Link},
    room::Room,
};

const MOST_HEADERS: usize = 200;

/// Judges, sends on, and passes the answer back as it comes.
pub(crate) async fn forward(room: &Arc<Room>, url: &str, request: Request<Incoming>) -> Response<Inbound> {
    let method = request.method().as_str().to_owned();
    let place = match Place::of_url(url) {
        Ok(place) if place.scheme() == Scheme::Http => place,
        Ok(place) => {
            let refusal = PlaceRefusal::Scheme(place.scheme().as_str().into());
            return answer::denied(&room.refuse_text(&method, &refusal, &place.to_string()));
        }
        Err(refusal) => return answer::denied(&room.refuse_text(&method, &refusal, url)),
    };
    let reach = room.rules().borrow().clone();
    let upgrades = request.headers().contains_key(UPGRADE);
    let sent = match decide_place(&place, &reach) {
        Err(denial) => Err(NotDialled::Denied(denial)),
        Ok(_) if upgrades => Err(Denial::on_the_way(DenialReason::Upgrade, &place).into()),
        Ok(_) => send(room, &place, &reach, request).await,
    };
    match sent {
        Ok(response) => response,
        Err(NotDialled::Denied(denial)) => {
            room.write_denial(&method, &denial);
            answer::denied(&denial)
        }
        Err(NotDialled::Failed(failure)) => {
            room.write_failure(&method, &place, failure);
            answer::failed(&place.to_string(), failure)
        }
    }
}

async fn send(
    room: &Arc<Room>,
    place: &Place,
    reach: &Reach,
    request: Request<Incoming>,
) -> Result<Response<Inbound>, NotDialled> {
    let (head, body) = outbound(place, request)?;
    let method = head.method.as_str().to_owned();
    let under_way = room.under_way(&method, place);
    // Written down before anything is sent: the browser may go away while it waits.
    let written =
        |lease: &Lease| room.write(&method, place, Decision::Allowed { address: lease.link.address });
    let has_body = matches!(body, Either::Left(_));
    let Some(lease) = room.pool.take(place, reach).await else {
        let lease = new_link(room, place, reach).await;
        under_way.over();
        let lease = lease?;
        written(&lease);
        return Ok(exchange(room, lease, Request::from_parts(head, body))
            .await
            .map_err(|broken| broken.0)?);
    };
    under_way.over();
    written(&lease);
    // A place may close a connection just when it is used again. What asks for something and changes nothing is asked once more.
    let again = (!has_body && is_harmless(&head.method)).then(|| head.clone());
    match exchange(room, lease, Request::from_parts(head, body)).await {
        Ok(sent) => Ok(sent),
        Err(Broken(failure, unsent)) => {
            let repeated =
                unsent.or_else(|| again.map(|head| Request::from_parts(head, Either::Right(Empty::new()))));
            let (Failure::Broken, Some(request)) = (failure, repeated) else { return Err(failure.into()) };
            let lease = new_link(room, place, reach).await?;
            Ok(exchange(room, lease, request).await.map_err(|broken| broken.0)?)
        }
    }
}

fn is_harmless(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
}

/// The request as its place gets it: without what is for us alone, and for the host that was judged.
fn outbound(place: &Place, request: Request<Incoming>) -> Result<(Parts, Outbound), NotDialled> {
    let (mut head, body) = request.into_parts();
    let malformed = |_| Denial::on_the_way(DenialReason::Malformed, place);
    let host = HeaderValue::from_str(&place.host_header()).map_err(|_| malformed(()))?;
    headers::strip(&mut head.headers);
    head.headers.insert(HOST, host);
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let path = if path.starts_with('/') || path == "*" { path.to_owned() } else { format!("/{path}") };
    head.uri = path.parse::<Uri>().map_err(|_| malformed(()))?;
    head.version = Version::HTTP_11;
    let body = if body.is_end_stream() { Either::Right(Empty::new()) } else { Either::Left(body) };
    Ok((head, body))
}

async fn new_link(room: &Arc<Room>, place: &Place, reach: &Reach) -> Result<Lease, NotDialled> {
    let (stream, address) = dial(place, reach, &room.resolver, &room.settings).await?;
    let activity = Activity::default();
    let io = TokioIo::new(Watched::new(stream, activity.clone()));
    let shaken = http1::Builder::new()
        .preserve_header_case(true)
        .max_buf_size(room.settings.limits.head_size)
        .max_headers(MOST_HEADERS)
        .handshake(io)
        .await;
    let (sender, connection) = shaken.map_err(|_| Failure::Broken)?;
    let (watched, idle) = (activity.clone(), room.settings.limits.idle);
    room.tasks.spawn(async move {
        tokio::select! {
            // Whoever sent something is told of its end.
            _ = connection => {}
            () = watched.idle(idle) => {}
        }
    });
    Ok(room.pool.lease(place, Link { sender, address, activity }))
}

/// Why there was no answer, and the request if nothing of it was sent.
struct Broken(Failure, Option<Request<Outbound>>);

async fn exchange(
    room: &Room,
    mut lease: Lease,
    request: Request<Outbound>,
) -> Result<Response<Inbound>, Broken> {
    let activity = lease.link.activity.clone();
    let is_write = !is_harmless(request.method());
    let answered = tokio::select! {
        answered = lease.link.sender.try_send_request(request) => answered,
        () = activity.idle(room.settings.limits.answer) => return Err(Broken(Failure::Timeout, None)),
    };
    let response = answered.map_err(|mut error| Broken(Failure::Broken, error.take_message()))?;
    match response.status() {
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => Err(Broken(Failure::ProxyChallenge, None)),
        StatusCode::SWITCHING_PROTOCOLS => Err(Broken(Failure::Broken, None)),
        // A browser takes these for leave to send the same again, several times, and tells nobody.
        StatusCode::REQUEST_TIMEOUT | StatusCode::MISDIRECTED_REQUEST if is_write => {
            Err(Broken(Failure::Timeout, None))
        }
        _ => {
            let (mut head, body) = response.into_parts();
            headers::strip(&mut head.headers);
            head.version = Version::HTTP_11;
            Ok(Response::from_parts(head, Inbound::Page(Page::new(body, lease))))
        }
    }
}
