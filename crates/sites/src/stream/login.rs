//! Logging in and out of the service.

use axum::http::StatusCode;

use super::{
    layout::{page, token},
    service::{Service, Visit},
};
use crate::{
    desk::{Answer, Asked, own_place},
    html::{Html, html},
};

const USUAL: &str = "/browse";

pub(super) fn show(_: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    if visit.account.is_some() {
        return Answer::go(own_place(asked.query("next"), USUAL));
    }
    form(visit, asked, asked.query("next"), "", None)
}

fn form(visit: &mut Visit, asked: &Asked, next: &str, email: &str, problem: Option<Html>) -> Answer {
    let body = html!(
        r#"<section class="panel login"><h1>Welcome back</h1>{problem}
<form method="post" action="/login">{token}<input type="hidden" name="next" value="{next}">
<div class="field"><label for="email">E-mail address</label><input id="email" type="email" name="email" value="{email}" autocomplete="username" required></div>
<div class="field"><label for="password">Password</label><input id="password" type="password" name="password" autocomplete="current-password" required></div>
<button class="button wide">Log in</button></form></section>"#,
        problem = problem,
        token = token(asked),
        next = own_place(next, USUAL),
        email = email,
    );
    page(visit, asked, "Log in", body)
}

pub(super) fn enter(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let email: String = asked.field("email").chars().take(120).collect();
    let known = email.eq_ignore_ascii_case(&service.options.email);
    if !known || asked.field("password") != service.options.password.trim() {
        service.note(visit, "login-failed", [("email", email.clone())]);
        let problem = html!(r#"<p class="problem" role="alert">E-mail address or password is wrong.</p>"#);
        return form(visit, asked, asked.field("next"), &email, Some(problem))
            .status(StatusCode::UNAUTHORIZED);
    }
    visit.log_in(service.options.email.clone());
    service.note(visit, "login", [("email", service.options.email.clone())]);
    Answer::go(own_place(asked.field("next"), USUAL))
}

pub(super) fn leave(service: &mut Service, visit: &mut Visit, _: &Asked) -> Answer {
    if visit.account.is_some() {
        service.note(visit, "logout", []);
    }
    visit.log_out();
    Answer::go("/")
}
