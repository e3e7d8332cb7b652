//! The way from the basket to an order: whereto, and how it gets there.

use axum::http::StatusCode;

use super::{
    basket::DELIVERIES,
    basket_page::amounts,
    layout::{page, token},
    shop::{Amounts, OWNER, Shop, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html, mark},
};

/// The saved addresses of the account: word, title, address.
const SAVED: [(&str, &str, &str); 2] = [
    ("home", "Home", "Gerberweg 14, 04109 Leipzig, Germany"),
    ("studio", "Studio", "Spinnereistrasse 7, 04179 Leipzig, Germany"),
];

const STEPS: [(&str, &str); 4] = [
    ("Address", "/checkout/address"),
    ("Delivery", "/checkout/delivery"),
    ("Payment", "/checkout/payment-method"),
    ("Review", "/checkout/review"),
];

/// One step of the checkout as a page, with the sum beside it.
pub(super) fn step(visit: &mut Visit, asked: &Asked, at: usize, title: &str, body: Html) -> Answer {
    let steps = STEPS.iter().enumerate().map(|(own, (name, address))| {
        if own < at {
            html!(r#"<li class="done"><a href="{}">{}</a></li>"#, *address, *name)
        } else {
            html!("<li{}>{}</li>", Html::of(mark(own == at, r#" aria-current="step""#)), *name)
        }
    });
    let sums = amounts(&visit.own.basket, Amounts::of(&visit.own.basket, visit.own.checkout.delivery));
    let body = html!(
        r#"<nav aria-label="Steps of the checkout"><ol class="steps">{steps}</ol></nav><h1>{title}</h1>
<div class="two"><div class="panel">{body}</div><aside class="panel" aria-labelledby="sum"><h2 id="sum">Your order</h2>{sums}<p class="small"><a href="/basket">Change the basket</a></p></aside></div>"#,
        steps = steps.collect::<Html>(),
        title = title,
        body = body,
        sums = sums,
    );
    page(visit, asked, title, body)
}

/// Where a visitor has to go first who is not yet as far as step `at`.
pub(super) fn missing(visit: &Visit, at: usize) -> Option<Answer> {
    let checkout = &visit.own.checkout;
    let place = if visit.own.basket.lines.is_empty() {
        "/basket"
    } else if at > 0 && checkout.address.is_none() {
        STEPS[0].1
    } else if at > 1 && checkout.delivery.is_none() {
        STEPS[1].1
    } else if at > 2 && checkout.payment.is_none() {
        STEPS[2].1
    } else {
        return None;
    };
    Some(Answer::go(place))
}

pub(super) fn begin(_: &mut Shop, visit: &mut Visit, _: &Asked) -> Answer {
    missing(visit, 0).unwrap_or_else(|| Answer::go(STEPS[0].1))
}

pub(super) fn address(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    missing(visit, 0).unwrap_or_else(|| address_form(visit, asked, None))
}

fn address_form(visit: &mut Visit, asked: &Asked, problem: Option<&str>) -> Answer {
    let saved = SAVED.iter().enumerate().map(|(at, (key, title, address))| {
        html!(
            r#"<label class="choice"><input type="radio" name="address" value="{key}"{first}><span><b>{title}</b><br>{owner}, {address}</span></label>"#,
            key = *key,
            first = mark(at == 0, " checked"),
            title = *title,
            owner = OWNER,
            address = *address,
        )
    });
    let body = html!(
        r#"{problem}<form method="post" action="/checkout/address">{token}<fieldset><legend>Where to?</legend>{saved}
<label class="choice"><input type="radio" name="address" value="new"><span><b>Another address</b></span></label>
<div class="fields"><div class="field"><label for="name">Name</label><input id="name" name="name" autocomplete="name" maxlength="80"></div>
<div class="field"><label for="street">Street and number</label><input id="street" name="street" autocomplete="street-address" maxlength="80"></div>
<div class="field"><label for="postcode">Postcode</label><input id="postcode" name="postcode" autocomplete="postal-code" maxlength="12"></div>
<div class="field"><label for="city">City</label><input id="city" name="city" autocomplete="address-level2" maxlength="60"></div></div></fieldset>
<button class="button">Continue to delivery</button></form>"#,
        problem = problem.map(|problem| html!(r#"<p class="problem" role="alert">{}</p>"#, problem)),
        token = token(asked),
        saved = saved.collect::<Html>(),
    );
    step(visit, asked, 0, "Address", body)
}

pub(super) fn set_address(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if let Some(elsewhere) = missing(visit, 0) {
        return elsewhere;
    }
    let chosen = asked.field("address");
    let address = if chosen == "new" {
        let parts = ["name", "street", "postcode", "city"].map(|name| asked.field(name));
        let good = parts.iter().all(|part| !part.is_empty() && part.chars().count() <= 80);
        let [name, street, postcode, city] = parts;
        good.then(|| format!("{name}, {street}, {postcode} {city}"))
    } else {
        SAVED.iter().find(|(key, ..)| *key == chosen).map(|(.., address)| format!("{OWNER}, {address}"))
    };
    let Some(address) = address else {
        return address_form(visit, asked, Some("Please fill in name, street, postcode and city."))
            .status(StatusCode::UNPROCESSABLE_ENTITY);
    };
    shop.note(visit, "address-set", [("address", address.clone())]);
    visit.own.checkout.address = Some(address);
    Answer::go(STEPS[1].1)
}

pub(super) fn delivery(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if let Some(elsewhere) = missing(visit, 1) {
        return elsewhere;
    }
    let chosen = visit.own.checkout.delivery.unwrap_or(&DELIVERIES[0]);
    let ways = DELIVERIES.iter().map(|way| {
        html!(
            r#"<label class="choice"><input type="radio" name="delivery" value="{key}"{chosen}><span><b>{title}</b><br>{text}</span><b>{price}</b></label>"#,
            key = way.key,
            chosen = mark(way == chosen, " checked"),
            title = way.title,
            text = way.text,
            price = way.price_for(visit.own.basket.subtotal()),
        )
    });
    let body = html!(
        r#"<form method="post" action="/checkout/delivery">{}<fieldset><legend>How?</legend>{}</fieldset><button class="button">Continue to payment</button></form>"#,
        token(asked),
        ways.collect::<Html>()
    );
    step(visit, asked, 1, "Delivery", body)
}

pub(super) fn set_delivery(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if let Some(elsewhere) = missing(visit, 1) {
        return elsewhere;
    }
    let Some(way) = DELIVERIES.iter().find(|way| way.key == asked.field("delivery")) else {
        return Answer::go(STEPS[1].1);
    };
    let price = way.price_for(visit.own.basket.subtotal()).plain();
    shop.note(visit, "delivery-set", [("delivery", way.key.to_owned()), ("price", price)]);
    visit.own.checkout.delivery = Some(way);
    Answer::go(STEPS[2].1)
}
