//! The protocol over HTTP on this machine: one address, a gate in front of it. No stream has to stay open, and what is lost with a
//! connection is the connection alone.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use http_body_util::LengthLimitError;
use legwork_runtime::CancellationToken;
use legwork_types::{Code, Problem};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService,
    session::local::{LocalSessionManager, SessionConfig},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::timeout};

use crate::{Server, Token, gate};

/// The largest body of a request, in bytes.
pub const MOST_BODY: usize = 4 * 1024 * 1024;
/// How long a connection of the older protocol may be idle. The sessions of the browser have an idle time of their own.
const IDLE: Duration = Duration::from_secs(3_600);
/// How long connections may take to end.
const ENDING: Duration = Duration::from_secs(2);

/// A server that is bound and not yet open.
#[derive(Debug)]
pub struct Http {
    listener: TcpListener,
    address: SocketAddr,
}

impl Http {
    /// Takes an address of this machine, and no other.
    pub async fn bind(address: SocketAddr) -> Result<Self, Problem> {
        if !address.ip().is_loopback() {
            return Err(Problem::new(
                Code::Usage,
                format!("{address} can be reached from other machines"),
                "take an address of this machine alone, such as 127.0.0.1:8931",
            ));
        }
        let refuse = |error: std::io::Error| {
            Problem::new(
                Code::Usage,
                format!("{address} can't be taken"),
                "choose another port, or 0 for any",
            )
            .because(error.to_string())
        };
        let listener = TcpListener::bind(address).await.map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        Ok(Self { listener, address })
    }

    /// The address, with the port that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves whoever shows the token, until it is called off. The sessions stay as they are.
    pub async fn serve(
        self,
        server: &Server,
        token: Token,
        cancel: &CancellationToken,
    ) -> Result<(), Problem> {
        let ending = cancel.child_token();
        let config = StreamableHttpServerConfig::default()
            .with_cancellation_token(ending.clone())
            .with_max_request_body_bytes(MOST_BODY)
            // The gate has looked at both, and more strictly.
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let mut idle = SessionConfig::default();
        idle.keep_alive = Some(IDLE);
        let mut connections = LocalSessionManager::default();
        connections.session_config = idle;
        let server = server.clone();
        let service =
            StreamableHttpService::new(move || Ok(server.for_bearers()), Arc::new(connections), config);
        let app = Router::new()
            .route_service("/mcp", service)
            .layer(middleware::from_fn(readable))
            .layer(middleware::from_fn_with_state(Arc::new(token), gate));
        let stopped = ending.clone();
        let serving =
            axum::serve(self.listener, app).with_graceful_shutdown(async move { stopped.cancelled().await });
        let mut serving = std::pin::pin!(async move { serving.await });
        let ended = tokio::select! {
            ended = &mut serving => ended,
            () = cancel.cancelled() => timeout(ENDING, &mut serving).await.unwrap_or(Ok(())),
        };
        ended.map_err(|error| {
            Problem::new(Code::InternalError, "the server ended by itself", "start it again")
                .because(error.to_string())
        })
    }
}

/// Turns away whoever may not come in, before anything of the request is read.
async fn gate(State(token): State<Arc<Token>>, mut request: Request, next: Next) -> Response {
    match gate::admit(request.headers(), request.uri(), &token) {
        Ok(bearer) => {
            request.extensions_mut().insert(bearer);
            next.run(request).await
        }
        Err(refusal) => {
            tracing::info!(?refusal, "turned away");
            let mut response = (refusal.status(), refusal.words()).into_response();
            if refusal == gate::Refusal::Token {
                let challenge = HeaderValue::from_static("Bearer realm=\"legwork\"");
                response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
            }
            response
        }
    }
}

/// Answers what is too large or no JSON in the words of the protocol.
async fn readable(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let announced = head
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let too_large = || wrong(StatusCode::PAYLOAD_TOO_LARGE, -32600, &format!("more than {MOST_BODY} bytes"));
    if announced.is_some_and(|length| length > MOST_BODY) {
        return too_large();
    }
    let body = match to_bytes(body, MOST_BODY).await.map_err(axum::Error::into_inner) {
        Ok(body) => body,
        Err(error) if error.is::<LengthLimitError>() => return too_large(),
        Err(_) => {
            return wrong(StatusCode::BAD_REQUEST, -32700, "the body ended or broke before it was read");
        }
    };
    if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(&body) {
        return wrong(StatusCode::BAD_REQUEST, -32700, &format!("not JSON: {error}"));
    }
    next.run(Request::from_parts(head, Body::from(body))).await
}

fn wrong(status: StatusCode, code: i32, message: &str) -> Response {
    let error = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": { "code": code, "message": message } });
    (status, [(header::CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}
