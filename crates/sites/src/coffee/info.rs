//! Pages that only say something, and the answer to the question about cookies.

use axum::http::StatusCode;
use serde_json::json;

use super::{
    layout::{self, CONSENT, page},
    shop::{Shop, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::html,
};

pub(super) fn consent(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let choice = asked.json_text("choice");
    let Some(choice) = ["all", "necessary"].into_iter().find(|known| *known == choice) else {
        return Answer::json(json!({ "error": "all or necessary?" }))
            .status(StatusCode::UNPROCESSABLE_ENTITY);
    };
    shop.note(visit, "consent", [("choice", choice.to_owned())]);
    Answer::json(json!({ "choice": choice }))
        .cookie(format!("{CONSENT}={choice}; Path=/; Max-Age=15552000; SameSite=Lax"))
}

pub(super) fn about(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let body = html!(
        r#"<article class="narrow text"><p class="eyebrow">The roastery</p><h1>Two drums, five people, one old oak</h1>
<p class="lead">We roast in a former tannery in Leipzig, under a silver oak that was there before the street was.</p>
<p>On Tuesdays and Fridays the drums run from six in the morning. What leaves them is packed the same day and on its way the next.</p>
<h2>Fair by the kilogram</h2><p>We pay growers by the kilogram and charge by the kilogram. That keeps our sums short, and you can check them.</p></article>"#
    );
    page(visit, asked, "About us", body)
}

pub(super) fn shipping(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let body = html!(
        r#"<article class="narrow text"><h1>Delivery and returns</h1><table><caption>What delivery costs</caption><thead><tr><th scope="col">Way</th><th scope="col">Time</th><th scope="col">Price</th></tr></thead>
<tbody><tr><th scope="row">Standard</th><td>Two to three working days</td><td>€4.90, free from €60</td></tr><tr><th scope="row">Express</th><td>The next working day</td><td>€9.90</td></tr><tr><th scope="row">Pick up</th><td>Daily from 8 to 18</td><td>Free</td></tr></tbody></table>
<h2>Returns</h2><p>A closed bag comes back within thirty days. An open one too, if the coffee was not good.</p></article>"#
    );
    page(visit, asked, "Delivery and returns", body)
}

pub(super) fn privacy(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let body = html!(
        r#"<article class="narrow text"><h1>Privacy and cookies</h1><p>One cookie remembers your basket and your login, another one your answer about cookies. Of a card we keep the last four digits and nothing else.</p></article>"#
    );
    page(visit, asked, "Privacy and cookies", body)
}

pub(super) fn nowhere(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    layout::nowhere(visit, asked)
}
