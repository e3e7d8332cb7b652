//! Logging in and out, and the front page of the account.

use axum::http::StatusCode;

use super::{
    layout::{page, token},
    shop::{OWNER, Shop, Visit},
};
use crate::{
    desk::{Answer, Asked, own_place},
    html::{Html, html},
};

const USUAL: &str = "/account";

pub(super) fn show(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if visit.account.is_some() {
        return Answer::go(own_place(asked.query("next"), USUAL));
    }
    form(visit, asked, asked.query("next"), "", None)
}

fn form(visit: &mut Visit, asked: &Asked, next: &str, email: &str, problem: Option<Html>) -> Answer {
    let body = html!(
        r#"<section class="narrow panel login"><h1>Log in</h1><p class="muted">To your subscriptions and orders.</p>{problem}
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

pub(super) fn enter(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let email: String = asked.field("email").chars().take(120).collect();
    let known = email.eq_ignore_ascii_case(&shop.options.email);
    if !known || asked.field("password") != shop.options.password.trim() {
        shop.note(visit, "login-failed", [("email", email.clone())]);
        let problem = html!(
            r#"<p class="problem" role="alert">E-mail address or password is wrong. Please try again.</p>"#
        );
        return form(visit, asked, asked.field("next"), &email, Some(problem))
            .status(StatusCode::UNAUTHORIZED);
    }
    visit.log_in(shop.options.email.clone());
    shop.note(visit, "login", [("email", shop.options.email.clone())]);
    Answer::go(own_place(asked.field("next"), USUAL))
}

pub(super) fn leave(shop: &mut Shop, visit: &mut Visit, _: &Asked) -> Answer {
    if visit.account.is_some() {
        shop.note(visit, "logout", []);
    }
    visit.log_out();
    Answer::go("/")
}

pub(super) fn account(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let active = shop.subscriptions.iter().filter(|subscription| subscription.is_active()).count();
    let body = html!(
        r#"<h1>Hello, {owner}</h1><p class="lead">{email}</p><ul class="tiles">
<li class="panel"><h2><a href="/account/subscriptions">Subscriptions</a></h2><p>{active} active. Fill an instalment, skip one, or stop.</p></li>
<li class="panel"><h2><a href="/orders">Orders</a></h2><p>{orders} so far, with what they cost.</p></li>
<li class="panel"><h2><a href="/basket">Basket</a></h2><p>{count} in it at the moment.</p></li></ul>"#,
        owner = OWNER,
        email = shop.options.email,
        active = active,
        orders = shop.orders.len(),
        count = visit.own.basket.count(),
    );
    page(visit, asked, "Account", body)
}
