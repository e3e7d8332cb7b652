//! The basket as a page, and what changes it.

use axum::http::StatusCode;
use serde_json::json;

use super::{
    basket::{Basket, Item, Line, MOST_OF_ONE},
    drawing::bag,
    layout::{page, sorry, token},
    shop::{Amounts, Shop, Visit},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html},
};

pub(super) fn show(_: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    if visit.own.basket.lines.is_empty() {
        let body = html!(
            r#"<section class="narrow centre"><h1>Your basket</h1><p class="lead">There is nothing in it yet.</p><p><a class="button" href="/products">See all coffee</a></p></section>"#
        );
        return page(visit, asked, "Basket", body);
    }
    let lines = visit.own.basket.lines.iter().enumerate();
    let lines = lines.map(|(at, line)| row(at, line, asked)).collect::<Html>();
    let body = html!(
        r#"<h1>Your basket</h1><div class="two"><ul class="lines">{lines}</ul>
<aside class="panel" aria-labelledby="sum"><h2 id="sum">Sum</h2>{amounts}<p><a class="button wide" href="/checkout">Go to checkout</a></p><p class="small muted">Nothing is ordered yet. You will see everything once more before you order.</p></aside></div>"#,
        lines = lines,
        amounts = amounts(&visit.own.basket, Amounts::of(&visit.own.basket, visit.own.checkout.delivery)),
    );
    page(visit, asked, "Basket", body)
}

fn row(at: usize, line: &Line, asked: &Asked) -> Html {
    let many = matches!(line.item, Item::Bag { .. }).then(|| {
        html!(
            r#"<label for="quantity-{at}">Quantity</label><input id="quantity-{at}" type="number" name="quantity" value="{quantity}" min="0" max="{most}"><button class="button quiet slim">Update</button>"#,
            at = at,
            quantity = line.quantity,
            most = MOST_OF_ONE,
        )
    });
    html!(
        r#"<li class="line"><div class="pic small {roast}">{bag}</div><div><h2>{title}</h2><p class="muted">{particulars}</p><p class="muted">{price} each</p>
<form class="row" method="post" action="/basket/update">{token}<input type="hidden" name="line" value="{key}">
{many}<button class="plain" name="remove" value="yes">Remove</button></form></div>
<p class="price">{total}</p></li>"#,
        roast = line.item.product().roast.key(),
        bag = bag(line.item.product()),
        title = line.item.title(),
        particulars = line.item.particulars(),
        price = line.item.price(),
        token = token(asked),
        key = line.item.key(),
        many = many,
        total = line.total(),
    )
}

/// The amounts as a list, as basket, checkout and orders show them.
pub(super) fn amounts(basket: &Basket, amounts: Amounts) -> Html {
    html!(
        r#"<dl class="sums"><div><dt>{count} in the basket</dt><dd>{subtotal}</dd></div><div><dt>Delivery</dt><dd>{delivery}</dd></div><div class="total"><dt>Total</dt><dd>{total}</dd></div><div class="small"><dt>of which VAT (7 %)</dt><dd>{tax}</dd></div></dl>"#,
        count = basket.count(),
        subtotal = amounts.subtotal,
        delivery = amounts.delivery,
        total = amounts.total,
        tax = amounts.tax,
    )
}

fn bags(slug: &str, grams: &str, grind: &str, quantity: &str) -> Option<Line> {
    let quantity = if quantity.is_empty() { 1 } else { quantity.parse().ok()? };
    let item = Item::bag(slug, grams, grind)?;
    (1..=MOST_OF_ONE).contains(&quantity).then_some(Line { item, quantity })
}

pub(super) fn add(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let [slug, grams, grind, quantity] = ["slug", "grams", "grind", "quantity"].map(|name| asked.field(name));
    let Some(line) = bags(slug, grams, grind, quantity) else { return not_sold(visit, asked) };
    let title = line.item.title();
    if !shop.fill(visit, line) {
        return sorry(visit, asked, "Your basket is full", "Please order what is in it first.");
    }
    visit.notice = Some(format!("{title} is in your basket."));
    Answer::go("/basket")
}

pub(super) fn add_by_script(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let number =
        |name| asked.json(name).as_u64().map_or_else(|| asked.json_text(name).to_owned(), |n| n.to_string());
    let line = bags(asked.json_text("slug"), &number("grams"), asked.json_text("grind"), &number("quantity"));
    let Some(line) = line else {
        return Answer::json(json!({ "error": "We do not sell that." }))
            .status(StatusCode::UNPROCESSABLE_ENTITY);
    };
    let title = line.item.title();
    if !shop.fill(visit, line) {
        return Answer::json(json!({ "error": "Your basket is full." })).status(StatusCode::CONFLICT);
    }
    let basket = &visit.own.basket;
    Answer::json(json!({ "added": title, "count": basket.count(), "subtotal": basket.subtotal().plain() }))
}

pub(super) fn update(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let removes = !asked.field("remove").is_empty();
    let quantity = if removes { Some(0) } else { asked.field("quantity").parse().ok() };
    let quantity = quantity.filter(|quantity| *quantity <= MOST_OF_ONE);
    let line = asked.field("line");
    if !quantity.is_some_and(|quantity| visit.own.basket.set(line, quantity)) {
        return not_sold(visit, asked);
    }
    let details = [
        ("line", line.to_owned()),
        ("quantity", quantity.unwrap_or_default().to_string()),
        ("basket", visit.own.basket.id.clone()),
        ("subtotal", visit.own.basket.subtotal().plain()),
    ];
    shop.note(visit, "basket-update", details);
    visit.notice = Some("Your basket was updated.".into());
    Answer::go("/basket")
}

fn not_sold(visit: &mut Visit, asked: &Asked) -> Answer {
    sorry(
        visit,
        asked,
        "That did not work",
        "We do not sell that, or not so much of it. Your basket is unchanged.",
    )
    .status(StatusCode::UNPROCESSABLE_ENTITY)
}
