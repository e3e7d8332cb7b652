//! The last step: everything once more, and the order. The only place where money is spent.

use axum::http::StatusCode;
use serde_json::json;

use super::{
    PayStep,
    basket::{Basket, Item, Line},
    checkout::{missing, step},
    layout::{sorry, token},
    orders::Order,
    shop::{Amounts, Checkout, Shop, Visit},
    subscriptions::Filling,
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html},
};

const CURRENCY: &str = "EUR";
/// As many orders as the shop remembers.
const MOST_ORDERS: usize = 1_000;

pub(super) fn review(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    match asked.query("pay") {
        "script" => visit.own.pay = Some(PayStep::Script),
        "form" => visit.own.pay = Some(PayStep::Form),
        _ => {}
    }
    if let Some(elsewhere) = missing(visit, 3) {
        return elsewhere;
    }
    let (basket, checkout) = (&visit.own.basket, &visit.own.checkout);
    let amounts = Amounts::of(basket, checkout.delivery);
    let last = match visit.own.pay.unwrap_or(shop.options.pay) {
        PayStep::Form => html!(
            r#"<form method="post" action="/checkout/place">{token}<input type="hidden" name="total" value="{total}"><input type="hidden" name="currency" value="{currency}"><input type="hidden" name="basket" value="{basket}"><button class="button wide">Place order</button></form>"#,
            token = token(asked),
            total = amounts.total.plain(),
            currency = CURRENCY,
            basket = basket.id,
        ),
        PayStep::Script => html!(
            r#"<div id="pay" data-total="{total}" data-currency="{currency}" data-basket="{basket}"><button type="button" class="button wide" id="place">Place order</button><p id="placed" role="status"></p></div>"#,
            total = amounts.total.plain(),
            currency = CURRENCY,
            basket = basket.id,
        ),
    };
    let body = html!(
        r#"<h2>What</h2>{lines}<div class="ways"><div><h2>Where to</h2><p>{address} <a href="/checkout/address">Change<span class="unseen"> address</span></a></p></div><div><h2>How</h2><p>{delivery} <a href="/checkout/delivery">Change<span class="unseen"> delivery</span></a></p></div><div><h2>Payment</h2><p>{payment} <a href="/checkout/payment-method">Change<span class="unseen"> payment</span></a></p></div></div>
<p class="due">To pay now <strong>{total}</strong></p>{last}<p class="small muted">With “Place order” you buy what is listed here.</p>"#,
        lines = lines(&basket.lines),
        address = checkout.address,
        delivery = checkout.delivery.map(|way| way.title),
        payment = checkout.payment,
        total = amounts.total,
        last = last,
    );
    step(visit, asked, 3, "Review your order", body)
}

/// The lines of an order as a table.
pub(super) fn lines(lines: &[Line]) -> Html {
    let rows = lines.iter().map(|line| {
        html!(
            r#"<tr><th scope="row">{}<br><span class="muted">{}</span></th><td class="num">{} × {}</td><td class="num">{}</td></tr>"#,
            line.item.title(),
            line.item.particulars(),
            line.quantity,
            line.item.price(),
            line.total()
        )
    });
    html!(
        r#"<table><thead><tr><th scope="col">Coffee</th><th scope="col">Quantity</th><th scope="col">Amount</th></tr></thead><tbody>{}</tbody></table>"#,
        rows.collect::<Html>()
    )
}

/// What a visitor says that it orders.
struct Said<'a> {
    basket: &'a str,
    total: String,
    currency: &'a str,
    /// How it came: by `form` or by `script`.
    via: &'static str,
}

/// Places the order, unless what was said is not what is in the basket now. The answer is its number.
fn order(shop: &mut Shop, visit: &mut Visit, said: &Said<'_>) -> Result<String, &'static str> {
    let problem =
        if let Some((_, order)) = visit.own.ordered.as_ref().filter(|(basket, _)| basket == said.basket) {
            let order = order.clone();
            shop.note(visit, "order-refused", [("reason", "ordered already".into()), ("order", order)]);
            return Err("This basket was ordered already. It was not ordered again.");
        } else if missing(visit, 3).is_some() || said.basket != visit.own.basket.id {
            "The basket is not the one that you saw."
        } else if !slots_are_empty(shop, &visit.own.basket) {
            "An instalment of it was filled meanwhile."
        } else if said.total != Amounts::of(&visit.own.basket, visit.own.checkout.delivery).total.plain()
            || said.currency != CURRENCY
        {
            "The total is not the one that you saw."
        } else {
            return Ok(commit(shop, visit, said));
        };
    shop.note(visit, "order-refused", [("reason", problem.to_owned())]);
    Err(problem)
}

/// Whether every slot that the basket would fill is still empty: another visitor may have filled it.
fn slots_are_empty(shop: &Shop, basket: &Basket) -> bool {
    basket.lines.iter().all(|line| {
        let Item::Reorder { subscription, slot: number, .. } = line.item else { return true };
        let slots = shop.subscriptions.iter().filter(|one| one.id == subscription && one.is_active());
        slots.flat_map(|one| &one.slots).any(|slot| slot.number == number && slot.filling == Filling::Empty)
    })
}

fn commit(shop: &mut Shop, visit: &mut Visit, said: &Said<'_>) -> String {
    let basket: Basket = std::mem::take(&mut visit.own.basket);
    let Checkout { address, delivery, payment } = std::mem::take(&mut visit.own.checkout);
    let id = format!("SO-{}", shop.next_order);
    shop.next_order += 1;
    for line in &basket.lines {
        let Item::Reorder { subscription, slot, .. } = line.item else { continue };
        let one = shop.subscriptions.iter_mut().find(|one| one.id == subscription);
        if let Some(slot) = one.and_then(|one| one.slot_mut(slot)) {
            slot.filling = Filling::Ordered(id.clone());
        }
    }
    let amounts = Amounts::of(&basket, delivery);
    let order = Order {
        id: id.clone(),
        day: shop.options.today,
        lines: basket.lines,
        amounts,
        address: address.unwrap_or_default(),
        delivery: delivery.map_or("", |way| way.title),
        payment: payment.unwrap_or_default(),
    };
    let details = [
        ("order", id.clone()),
        ("basket", basket.id.clone()),
        ("total", amounts.total.plain()),
        ("currency", CURRENCY.to_owned()),
        ("lines", order.lines.iter().map(Line::sentence).collect::<Vec<_>>().join("; ")),
        ("address", order.address.clone()),
        ("delivery", order.delivery.to_owned()),
        ("payment", order.payment.clone()),
        ("via", said.via.to_owned()),
    ];
    shop.note(visit, "order-placed", details);
    if shop.orders.len() == MOST_ORDERS {
        shop.orders.remove(0);
    }
    shop.orders.push(order);
    visit.own.ordered = Some((basket.id, id.clone()));
    id
}

pub(super) fn place(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let said = Said {
        basket: asked.field("basket"),
        total: asked.field("total").to_owned(),
        currency: asked.field("currency"),
        via: "form",
    };
    match order(shop, visit, &said) {
        Ok(id) => Answer::go(format!("/orders/{id}?new=1")),
        Err(problem) => sorry(visit, asked, "Nothing was ordered", problem).status(StatusCode::CONFLICT),
    }
}

pub(super) fn place_by_script(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let said = Said {
        basket: asked.json_text("basket"),
        total: asked.json_text("total").to_owned(),
        currency: asked.json_text("currency"),
        via: "script",
    };
    match order(shop, visit, &said) {
        Ok(id) => Answer::json(json!({ "order": id, "total": said.total, "currency": CURRENCY })),
        Err(problem) => Answer::json(json!({ "error": problem })).status(StatusCode::CONFLICT),
    }
}
