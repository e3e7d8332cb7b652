//! Orders, and their pages.

use super::{
    basket::{Item, Line},
    layout::{nowhere, page},
    place::lines,
    shop::{Amounts, OWNER, Shop, TAX, Visit},
};
use crate::{
    day::Day,
    desk::{Answer, Asked},
    html::{Html, html},
    money::Money,
};

/// An order that was placed.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) day: Day,
    pub(super) lines: Vec<Line>,
    pub(super) amounts: Amounts,
    pub(super) address: String,
    pub(super) delivery: &'static str,
    pub(super) payment: String,
}

/// The orders that the account has from the beginning.
pub(super) fn past_orders(today: Day) -> Vec<Order> {
    let past = [("SO-19002", -80, 24), ("SO-19611", -52, 24), ("SO-20155", -17, 24), ("SO-20301", -15, 6)];
    let orders = past.into_iter().filter_map(|(id, days, bags)| {
        let line = Line { item: Item::bag("silver-oak-cafe-blend", "1000", "whole-bean")?, quantity: bags };
        let total = line.total();
        Some(Order {
            id: id.into(),
            day: today.plus(days),
            lines: vec![line],
            amounts: Amounts { subtotal: total, delivery: Money(0), total, tax: total.tax_inside(TAX) },
            address: format!("{OWNER}, Gerberweg 14, 04109 Leipzig, Germany"),
            delivery: "Standard delivery",
            payment: "Card •••• 4242".into(),
        })
    });
    orders.collect()
}

pub(super) fn list(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let rows = shop.orders.iter().rev().take(100).map(|order| {
        html!(
            r#"<tr><th scope="row"><a href="/orders/{id}">{id}</a></th><td>{day}</td><td>{total}</td></tr>"#,
            id = order.id,
            day = order.day,
            total = order.amounts.total,
        )
    });
    let body = html!(
        r#"<nav class="crumbs" aria-label="Where you are"><a href="/account">Account</a> / Orders</nav><h1>Your orders</h1>
<div class="panel"><table><thead><tr><th scope="col">Order</th><th scope="col">Day</th><th scope="col">Total</th></tr></thead><tbody>{}</tbody></table></div>"#,
        rows.collect::<Html>()
    );
    page(visit, asked, "Orders", body)
}

pub(super) fn show(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(order) = shop.orders.iter().find(|order| order.id == asked.name("id")) else {
        return nowhere(visit, asked);
    };
    let new = !asked.query("new").is_empty();
    let thanks = html!(
        r#"<p class="eyebrow">Order placed</p><h1>Thank you</h1><p class="lead">Your order number is <strong>{}</strong>. We roast, pack and write to you.</p>"#,
        order.id
    );
    let plain = html!(
        r#"<nav class="crumbs" aria-label="Where you are"><a href="/orders">Orders</a> / {id}</nav><h1>Order {id}</h1><p class="muted">Placed on {day}</p>"#,
        id = order.id,
        day = order.day,
    );
    let body = html!(
        r#"<section class="narrow">{head}<div class="panel">{lines}<dl class="sums"><div><dt>Delivery</dt><dd>{delivery_price}</dd></div><div class="total"><dt>Total</dt><dd>{total}</dd></div><div class="small"><dt>of which VAT (7 %)</dt><dd>{tax}</dd></div></dl>
<dl class="facts"><div><dt>To</dt><dd>{address}</dd></div><div><dt>Delivery</dt><dd>{delivery}</dd></div><div><dt>Paid by</dt><dd>{payment}</dd></div></dl></div><p class="row"><a class="button quiet" href="/orders">All orders</a><a class="button quiet" href="/account/subscriptions">My subscriptions</a></p></section>"#,
        head = if new { thanks } else { plain },
        lines = lines(&order.lines),
        delivery_price = order.amounts.delivery,
        total = order.amounts.total,
        tax = order.amounts.tax,
        address = order.address,
        delivery = order.delivery,
        payment = order.payment,
    );
    let title = if new { "Thank you".to_owned() } else { format!("Order {}", order.id) };
    page(visit, asked, &title, body)
}
