//! The frame of every page: head, navigation, notice, foot, and the question about cookies.

use axum::http::StatusCode;

use super::{drawing::leaf, shop::Visit};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html},
};

const STYLE: &str = include_str!("shop.css");
const SCRIPT: &str = include_str!("shop.js");

/// The cookie that keeps the answer to the question about cookies.
pub(super) const CONSENT: &str = "silver_oak_consent";

/// A whole page. `body` begins with its `h1` somewhere.
pub(super) fn page(visit: &mut Visit, asked: &Asked, title: &str, body: Html) -> Answer {
    let count = visit.own.basket.count();
    let notice = visit.notice.take().map(|notice| html!(r#"<p class="notice" role="status">{}</p>"#, notice));
    Answer::page(html!(
        r##"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Silver Oak Roasters</title><meta name="csrf-token" content="{token}">
<link rel="icon" href="data:,"><style>{style}</style></head>
<body><a class="skip" href="#main">Skip to content</a>
<header class="top"><div class="wrap bar">
<a class="brand" href="/">{leaf}<span>Silver Oak<small>Roasters</small></span></a>
<nav aria-label="Shop"><a href="/products">Coffee</a><a href="/account/subscriptions">Subscriptions</a><a href="/about">Roastery</a></nav>
<form class="search" action="/search" role="search"><label class="unseen" for="q">Search coffee</label><input id="q" type="search" name="q" placeholder="Search coffee" maxlength="80"><button class="unseen">Search</button></form>
<nav class="own" aria-label="You">{person}<a class="pill" href="/basket">Basket <b class="count" id="basket-count" aria-live="polite" aria-label="{count} in the basket">{count}</b></a></nav>
</div></header>
<main id="main" class="wrap">{notice}{body}</main>
<footer><div class="wrap foot"><p><b>Silver Oak Roasters</b><br>Gerberweg 2, 04109 Leipzig</p>
<nav aria-label="More"><a href="/shipping">Delivery and returns</a><a href="/privacy">Privacy and cookies</a><a href="/about">About us</a></nav>
<p class="small">An invented shop, bundled to practise on. Nothing here can be bought.</p></div></footer>
{banner}<script>{script}</script></body></html>"##,
        title = title,
        token = asked.token,
        style = Html::of(STYLE),
        leaf = leaf(),
        person = person(visit, asked),
        count = count,
        notice = notice,
        body = body,
        banner = asked.cookie(CONSENT).is_empty().then(banner),
        script = Html::of(SCRIPT),
    ))
}

fn person(visit: &Visit, asked: &Asked) -> Html {
    if visit.account.is_none() {
        return html!(r#"<a href="/login">Log in</a>"#);
    }
    html!(
        r#"<a href="/account">Account</a><form method="post" action="/logout">{}<button class="plain">Log out</button></form>"#,
        token(asked)
    )
}

fn banner() -> Html {
    html!(
        r#"<section class="cookies" id="cookies" role="region" aria-labelledby="cookies-title"><div>
<h2 id="cookies-title">Cookies, the other kind</h2>
<p>We need one to remember your basket. With your consent we also count visits. <a href="/privacy">More about cookies</a></p></div>
<div class="row"><button type="button" class="button quiet" data-consent="necessary">Only necessary</button><button type="button" class="button" data-consent="all">Accept all</button></div></section>"#
    )
}

/// The hidden field with the token of the page.
pub(super) fn token(asked: &Asked) -> Html {
    html!(r#"<input type="hidden" name="csrf" value="{}">"#, asked.token)
}

/// A page that says what can't be done.
pub(super) fn sorry(visit: &mut Visit, asked: &Asked, title: &str, text: &str) -> Answer {
    let body = html!(
        r#"<section class="narrow centre"><h1>{}</h1><p class="lead">{}</p><p><a class="button" href="/products">To our coffee</a></p></section>"#,
        title,
        text
    );
    page(visit, asked, title, body)
}

/// The page for what is not there.
pub(super) fn nowhere(visit: &mut Visit, asked: &Asked) -> Answer {
    sorry(visit, asked, "There is no such page", "It may have been moved, or drunk.")
        .status(StatusCode::NOT_FOUND)
}
