//! Choosing another plan.

use super::{
    layout::{page, token},
    service::{PLANS, Service, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html, mark},
};

pub(super) fn show(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let plans = PLANS.iter().map(|plan| {
        html!(
            r#"<label class="choice"><input type="radio" name="plan" value="{key}"{chosen}><span><b>{title}</b><br>{text}</span><b>{price}</b></label>"#,
            key = plan.key,
            chosen = mark(*plan == *service.membership.plan, " checked"),
            title = plan.title,
            text = plan.text,
            price = plan.price,
        )
    });
    let body = html!(
        r#"<div class="narrow"><h1>Change plan</h1><form method="post" action="/account/plan" class="panel">{token}<fieldset><legend class="unseen">Plan</legend>{plans}</fieldset>
<p class="muted">The new price is charged from {day} on, to card •••• 1881.</p><p class="row"><button class="button">Confirm change</button><a class="button quiet" href="/account">Back</a></p></form></div>"#,
        token = token(asked),
        plans = plans.collect::<Html>(),
        day = service.turn(),
    );
    page(visit, asked, "Change plan", body)
}

pub(super) fn change(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(plan) = PLANS.iter().find(|plan| plan.key == asked.field("plan")) else {
        return Answer::go("/account/plan");
    };
    if plan != service.membership.plan {
        let from = service.membership.plan.key.to_owned();
        service.membership.plan = plan;
        service.membership.half_price = false;
        let details = [("from", from), ("to", plan.key.to_owned()), ("price", plan.price.plain())];
        service.note(visit, "plan-changed", details);
        visit.notice = Some(format!("Your plan is now {}.", plan.title));
    }
    Answer::go("/account")
}
