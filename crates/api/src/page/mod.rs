//! The approval page: a question is seen and answered by whoever knows its code, in a browser on this machine.

mod gate;
mod html;
mod server;
mod visits;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Form, Path, Query, Request, State, rejection::FormRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use legwork_runtime::{Answer, Approval, ApprovalId, Approvals, NotDecided, Standing};
use serde::Deserialize;

use self::{
    gate::{Hosts, cookie},
    visits::{Knock, VISIT, Visit, Visits},
};
use crate::Shown;

pub use server::ApprovalPage;

/// The largest body of a request, in bytes: a form with a code or an answer.
const MOST_BODY: usize = 4_096;

/// What the page is made of.
struct House {
    desk: Arc<Approvals>,
    hosts: Hosts,
    policy: HeaderValue,
    visits: Mutex<Visits>,
}

type Shared = State<Arc<House>>;

#[derive(Debug, Deserialize)]
struct Code {
    code: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Decision {
    answer: String,
    token: String,
}

/// All of the page, for a server at this port.
fn router(desk: Arc<Approvals>, port: u16) -> Router {
    let policy =
        HeaderValue::try_from(html::policy()).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let house = Arc::new(House { desk, hosts: Hosts::at(port), policy, visits: Mutex::default() });
    Router::new()
        .route("/", get(|| async { Html(html::words("Legwork", "Open the address that Legwork told you.")) }))
        .route("/approve/{id}", get(see))
        .route("/approve/{id}/picture", get(picture))
        .route("/approve/{id}/code", post(enter))
        .route("/approve/{id}/answer", post(answer))
        .fallback(|| async { not_found() })
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(middleware::from_fn_with_state(house.clone(), guard))
        .with_state(house)
}

/// Turns away whoever may not come in before anything else is looked at, and tells browsers what our pages may do.
async fn guard(State(house): Shared, request: Request, next: Next) -> Response {
    let mut response = match house.hosts.admit(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(status) => {
            tracing::info!("the approval page turned somebody away");
            (status, "Forbidden").into_response()
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, house.policy.clone());
    for (name, value) in [
        // With no referrer at all a browser would not say either that an answer comes from our own page.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The question, to whoever has shown its code; to all others a form that asks for it.
async fn see(
    State(house): Shared,
    Path(id): Path<String>,
    Query(shown): Query<Code>,
    headers: HeaderMap,
) -> Response {
    let Some(id) = name(&id) else { return not_found() };
    if let Some(code) = shown.code {
        // A page of elsewhere led here: the cookie goes along only with a step that is taken from here.
        let is_led = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
        let onward = if is_led { Onward::Page } else { Onward::Redirect };
        return house.knock(&id, &code, onward);
    }
    match house.visit(&id, &headers) {
        Some((visit, approval, standing)) => {
            let shown = Shown::of(&approval, standing);
            let has_picture = approval.picture().is_some();
            Html(html::question(&shown, &visit.token, has_picture)).into_response()
        }
        None => Html(html::code_form(&id.0, None)).into_response(),
    }
}

/// A code that was typed in.
async fn enter(
    State(house): Shared,
    Path(id): Path<String>,
    form: Result<Form<Code>, FormRejection>,
) -> Response {
    let Some(id) = name(&id) else { return not_found() };
    match form {
        Ok(Form(Code { code: Some(code) })) => house.knock(&id, code.trim(), Onward::Redirect),
        Ok(_) => unreadable(StatusCode::BAD_REQUEST),
        Err(rejection) => unreadable(rejection.status()),
    }
}

/// The page as it was when it was asked.
async fn picture(State(house): Shared, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let visit = name(&id).and_then(|id| house.visit(&id, &headers));
    match visit.and_then(|(_, approval, _)| approval.picture()) {
        Some(jpeg) => ([(header::CONTENT_TYPE, "image/jpeg")], jpeg.to_vec()).into_response(),
        None => not_found(),
    }
}

/// A yes, a yes for the errand or a no, and nothing that could be taken for either.
async fn answer(
    State(house): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    form: Result<Form<Decision>, FormRejection>,
) -> Response {
    let Some(id) = name(&id) else { return not_found() };
    let decision = match form {
        Ok(Form(decision)) => decision,
        Err(FormRejection::InvalidFormContentType(_)) => {
            return unreadable(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        Err(_) => return unreadable(StatusCode::BAD_REQUEST),
    };
    let Some((visit, ..)) = house.visit(&id, &headers).filter(|(visit, ..)| visit.gave(&decision.token))
    else {
        let sentence = "This answer did not come from the page of the question, or the page was open for too long. Nothing was decided.";
        return (StatusCode::FORBIDDEN, Html(html::words("Not taken", sentence))).into_response();
    };
    let answer = match decision.answer.as_str() {
        "yes" => Answer::Yes,
        "errand" => Answer::YesForErrand,
        "no" => Answer::No,
        _ => return unreadable(StatusCode::BAD_REQUEST),
    };
    drop(visit);
    match house.desk.answer(&id, answer) {
        Ok(()) => seen_at(&id, None),
        Err(NotDecided::Already(standing)) => {
            (StatusCode::CONFLICT, Html(html::decided(standing.word()))).into_response()
        }
        Err(NotDecided::NotOffered) => unreadable(StatusCode::BAD_REQUEST),
        Err(NotDecided::Unknown) => not_found(),
    }
}

/// How somebody with the right code gets to the question.
#[derive(Debug, Clone, Copy)]
enum Onward {
    Redirect,
    Page,
}

impl House {
    /// Somebody shows a code.
    fn knock(&self, id: &ApprovalId, code: &str, onward: Onward) -> Response {
        let wrong = || {
            let note = Some("This is not the code of this question.");
            (StatusCode::FORBIDDEN, Html(html::code_form(&id.0, note))).into_response()
        };
        let Some((approval, standing)) = self.desk.find(id) else { return wrong() };
        let knock = self.visits().knock(id, &approval.code, code, Instant::now(), secret);
        match knock {
            Knock::Wrong => {
                tracing::warn!(approval = %id, "a wrong code");
                wrong()
            }
            Knock::NotYet(wait) => not_yet(id, wait),
            // With the decision the code has done its work.
            Knock::Open(_) if standing != Standing::Waiting => {
                (StatusCode::GONE, Html(html::decided(standing.word()))).into_response()
            }
            Knock::Open(visit) => {
                let cookie = format!(
                    "{}={}; Path=/approve/{id}; Max-Age={}; HttpOnly; SameSite=Strict",
                    cookie_name(id),
                    visit.cookie,
                    VISIT.as_secs()
                );
                match onward {
                    Onward::Redirect => seen_at(id, Some(&cookie)),
                    Onward::Page => {
                        ([(header::SET_COOKIE, cookie)], Html(html::onward(&id.0))).into_response()
                    }
                }
            }
        }
    }

    /// Who has shown the code before.
    fn visit(&self, id: &ApprovalId, headers: &HeaderMap) -> Option<(Visit, Arc<Approval>, Standing)> {
        let shown = cookie(headers, &cookie_name(id))?;
        let visit = self.visits().find(id, shown, Instant::now())?.clone();
        let (approval, standing) = self.desk.find(id)?;
        Some((visit, approval, standing))
    }

    fn visits(&self) -> MutexGuard<'_, Visits> {
        self.visits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a question, if it can be one.
fn name(text: &str) -> Option<ApprovalId> {
    let fits = (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| ApprovalId(text.to_owned()))
}

fn cookie_name(id: &ApprovalId) -> String {
    format!("legwork-{id}")
}

/// What only one browser knows.
fn secret() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// On to the question, at an address without its code.
fn seen_at(id: &ApprovalId, cookie: Option<&str>) -> Response {
    let mut response =
        (StatusCode::SEE_OTHER, [(header::LOCATION, format!("/approve/{id}"))]).into_response();
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(cookie).ok()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

fn not_yet(id: &ApprovalId, wait: Duration) -> Response {
    let seconds = wait.as_secs() + 1;
    let note = format!("There were several wrong codes. Try again in {seconds} seconds.");
    let headers = [(header::RETRY_AFTER, seconds.to_string())];
    (StatusCode::TOO_MANY_REQUESTS, headers, Html(html::code_form(&id.0, Some(&note)))).into_response()
}

fn unreadable(status: StatusCode) -> Response {
    (status, Html(html::words("Not understood", "Nothing was decided."))).into_response()
}

fn not_found() -> Response {
    let sentence = "There is nothing here. Open the address that Legwork told you.";
    (StatusCode::NOT_FOUND, Html(html::words("Not found", sentence))).into_response()
}
