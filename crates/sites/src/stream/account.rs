//! The account: what one pays and when, and the way back after a cancellation.

use super::{
    layout::{page, token},
    service::{LANGUAGES, Service, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::html,
};

pub(super) fn show(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let own = &service.membership;
    let language = LANGUAGES.iter().find(|(key, _)| *key == own.language).map_or("", |(_, title)| title);
    let (billing, way_out) = if own.cancelled {
        (
            html!(
                r#"<p>Your membership ends on <b>{}</b>. Nothing more will be charged.</p>"#,
                service.turn()
            ),
            html!(
                r#"<form method="post" action="/account/restart">{}<button class="button">Restart membership</button></form>"#,
                token(asked)
            ),
        )
    } else {
        (
            html!(
                r#"<p>Next bill: <b>{}</b> on <b>{}</b>, card •••• 1881.</p>"#,
                own.price(),
                service.turn()
            ),
            html!(r#"<p><a class="faint" href="/account/leaving">Cancel membership</a></p>"#),
        )
    };
    let half = own.half_price.then(|| html!(r#"<p class="tag">Half price for three months</p>"#));
    let body = html!(
        r#"<div class="narrow"><h1>Account</h1><section class="panel" aria-labelledby="plan"><div class="split"><div><h2 id="plan">{plan}</h2><p class="price">{price} <span>a month</span></p>{half}</div><a class="button quiet" href="/account/plan">Change plan</a></div><p class="muted">{text}</p>{billing}</section>
<section class="panel" aria-labelledby="profile"><div class="split"><div><h2 id="profile">Profile</h2><p class="muted">{email} · {language}</p></div><a class="button quiet" href="/account/settings">Settings</a></div></section>{way_out}</div>"#,
        plan = own.plan.title,
        price = own.price(),
        half = half,
        text = own.plan.text,
        billing = billing,
        email = service.options.email,
        language = language,
        way_out = way_out,
    );
    page(visit, asked, "Account", body)
}

pub(super) fn restart(service: &mut Service, visit: &mut Visit, _: &Asked) -> Answer {
    if service.membership.cancelled {
        service.membership.cancelled = false;
        let own = &service.membership;
        let details = [("plan", own.plan.key.to_owned()), ("price", own.price().plain())];
        service.note(visit, "membership-restarted", details);
        visit.notice = Some("Good to have you back. Your membership goes on.".into());
    }
    Answer::go("/account")
}
