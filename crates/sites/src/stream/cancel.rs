//! The way out, page by page: an offer, a survey, a last question, and the end.

use super::{
    cancel_acts::REASONS,
    layout::{page, token},
    service::{Service, Visit, half},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html},
};

pub(super) fn offer(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    if service.membership.cancelled {
        return Answer::go("/account/cancelled");
    }
    let own = &service.membership;
    let keep = if own.half_price {
        html!(r#"<a class="button wide big" href="/account">Keep my plan</a>"#)
    } else {
        html!(
            r#"<form method="post" action="/account/leaving/offer">{}<button class="button wide big">Keep my plan for {} a month</button></form>"#,
            token(asked),
            half(own.plan)
        )
    };
    let body = html!(
        r#"<section class="narrow centre panel"><p class="eyebrow">Before you go</p><h1>Stay for half the price</h1>
<p class="lead">Three months of {plan} for {half} instead of {price}. Your list, your profiles and your place in every series stay where they are.</p>{keep}
<p><a class="faint" href="/account/leaving/step/1">Continue to cancel</a></p></section>"#,
        plan = own.plan.title,
        half = half(own.plan),
        price = own.plan.price,
        keep = keep,
    );
    page(visit, asked, "Before you go", body)
}

pub(super) fn survey(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    if service.membership.cancelled {
        return Answer::go("/account/cancelled");
    }
    let reasons = REASONS.iter().map(|(key, title)| {
        html!(
            r#"<label class="choice"><input type="radio" name="reason" value="{}" required><span>{}</span></label>"#,
            *key,
            *title
        )
    });
    let body = html!(
        r#"<section class="narrow panel"><p class="eyebrow">Step 1 of 2</p><h1>Why do you want to leave?</h1><form method="post" action="/account/leaving/step/1">{token}<fieldset><legend class="unseen">Reason</legend>{reasons}</fieldset>
<div class="field"><label for="comment">Anything else? (optional)</label><textarea id="comment" name="comment" rows="3" maxlength="500"></textarea></div>
<a class="button wide big" href="/account">Keep my plan</a><p class="centre"><button class="faint">Continue</button></p></form></section>"#,
        token = token(asked),
        reasons = reasons.collect::<Html>(),
    );
    page(visit, asked, "Why do you want to leave?", body)
}

pub(super) fn confirm(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    if service.membership.cancelled {
        return Answer::go("/account/cancelled");
    }
    if visit.own.reason.is_none() {
        return Answer::go("/account/leaving/step/1");
    }
    let body = html!(
        r#"<section class="narrow panel"><p class="eyebrow">Step 2 of 2</p><h1>Finish your cancellation</h1>
<p>Your {plan} membership will end on <b>{day}</b>. Until then you can watch everything. You will not be charged again.</p>
<a class="button wide big" href="/account">Keep my plan</a>
<form method="post" action="/account/membership/cancel" class="centre">{token}<button class="faint">Finish cancellation</button></form></section>"#,
        plan = service.membership.plan.title,
        day = service.turn(),
        token = token(asked),
    );
    page(visit, asked, "Finish your cancellation", body)
}

pub(super) fn cancelled(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    if !service.membership.cancelled {
        return Answer::go("/account");
    }
    let body = html!(
        r#"<section class="narrow panel centre"><h1>Your membership is cancelled</h1><p class="lead">It ends on <b>{day}</b>. You can watch until then, and come back whenever you like.</p>
<form method="post" action="/account/restart">{token}<button class="button quiet">Restart membership</button></form><p><a href="/account">To the account</a></p></section>"#,
        day = service.turn(),
        token = token(asked),
    );
    page(visit, asked, "Membership cancelled", body)
}
