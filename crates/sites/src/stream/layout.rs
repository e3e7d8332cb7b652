//! The frame of every page of the service.

use axum::http::StatusCode;

use super::service::Visit;
use crate::{
    desk::{Answer, Asked},
    html::{Html, html},
};

const STYLE: &str = include_str!("lumo.css");

/// A whole page. `body` begins with its `h1` somewhere.
pub(super) fn page(visit: &mut Visit, asked: &Asked, title: &str, body: Html) -> Answer {
    let notice = visit.notice.take().map(|notice| html!(r#"<p class="notice" role="status">{}</p>"#, notice));
    let member = visit.account.is_some();
    let person = if member {
        html!(
            r#"<a href="/browse">Browse</a><a href="/account">Account</a><form method="post" action="/logout">{}<button class="plain">Log out</button></form>"#,
            token(asked)
        )
    } else {
        html!(r#"<a href="/help">Help</a><a class="button slim" href="/login">Log in</a>"#)
    };
    Answer::page(html!(
        r##"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Lumo</title><meta name="csrf-token" content="{token}"><link rel="icon" href="data:,"><style>{style}</style></head>
<body><a class="skip" href="#main">Skip to content</a><header class="wrap bar"><a class="brand" href="{home}"><svg viewBox="0 0 40 40" aria-hidden="true"><defs><radialGradient id="glow"><stop offset="0" stop-color="#fff3d6"/><stop offset=".45" stop-color="#ffb454"/><stop offset="1" stop-color="#ff5d73" stop-opacity="0"/></radialGradient></defs><circle cx="20" cy="20" r="20" fill="url(#glow)"/><circle cx="20" cy="20" r="7" fill="#fff6e4"/></svg>lumo</a>
<nav aria-label="Main">{person}</nav></header>
<main id="main" class="wrap">{notice}{body}</main>
<footer class="wrap"><nav aria-label="More"><a href="/help">Help</a><a href="/">About Lumo</a></nav><p>An invented service, bundled to practise on. There is nothing to watch.</p></footer></body></html>"##,
        title = title,
        token = asked.token,
        style = Html::of(STYLE),
        home = if member { "/browse" } else { "/" },
        person = person,
        notice = notice,
        body = body,
    ))
}

/// The hidden field with the token of the page.
pub(super) fn token(asked: &Asked) -> Html {
    html!(r#"<input type="hidden" name="csrf" value="{}">"#, asked.token)
}

/// A page that says what can't be done.
pub(super) fn sorry(visit: &mut Visit, asked: &Asked, title: &str, text: &str) -> Answer {
    let body = html!(
        r#"<section class="narrow centre"><h1>{}</h1><p class="lead">{}</p><p><a class="button" href="/">To the start</a></p></section>"#,
        title,
        text
    );
    page(visit, asked, title, body)
}

/// The page for what is not there.
pub(super) fn nowhere(visit: &mut Visit, asked: &Asked) -> Answer {
    sorry(visit, asked, "There is no such page", "Perhaps it went dark.").status(StatusCode::NOT_FOUND)
}
