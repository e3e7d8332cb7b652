//! The pages of the subscriptions: all of them, one with its instalments, and the question before a cancellation.

use super::{
    drawing::bag,
    layout::{nowhere, page, token},
    shop::{Shop, Visit},
    subscriptions::{Filling, Slot, Status, Subscription},
};
use crate::{
    desk::{Answer, Asked},
    html::{Html, html, mark},
};

/// The subscription that the address names.
pub(super) fn named<'a>(shop: &'a Shop, asked: &Asked) -> Option<&'a Subscription> {
    shop.subscriptions.iter().find(|one| one.id.to_string() == asked.name("id"))
}

pub(super) fn list(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let body = html!(
        r#"<nav class="crumbs" aria-label="Where you are"><a href="/account">Account</a> / Subscriptions</nav><h1>Your subscriptions</h1>
<ul class="lines">{}</ul>"#,
        shop.subscriptions.iter().map(entry).collect::<Html>()
    );
    page(visit, asked, "Subscriptions", body)
}

fn entry(one: &Subscription) -> Html {
    html!(
        r#"<li class="line"><div class="pic small {roast}">{bag}</div><div><h2><a href="/account/subscriptions/{id}">{title}</a></h2>
<p class="muted">#{id} · {rhythm}</p><p>Next delivery: {next}</p></div>
<div class="end">{status}<p class="price">{price}</p></div></li>"#,
        roast = one.product.roast.key(),
        bag = bag(one.product),
        id = one.id,
        title = one.title(),
        rhythm = one.rhythm,
        next = one.next().map_or("none".into(), |slot| slot.day.to_string()),
        status = status(one.status),
        price = one.price,
    )
}

fn status(status: Status) -> Html {
    html!(r#"<span class="tag {}">{}</span>"#, status.title().to_lowercase(), status.title())
}

pub(super) fn show(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(one) = named(shop, asked) else { return nowhere(visit, asked) };
    let edits = !asked.query("edit").is_empty() && one.is_active() && one.earliest_empty().is_some();
    let rows = one.slots.iter().map(|slot| {
        let in_basket = visit.own.basket.has_reorder(one.id, slot.number);
        row(one, slot, in_basket, edits, asked)
    });
    let table = html!(
        r#"<table class="slots"><caption>Instalments of #{id}</caption><thead><tr>{choose}<th scope="col">No.</th><th scope="col">Ships on</th><th scope="col">Slot</th><th scope="col">Amount</th><th scope="col"><span class="unseen">Acts</span></th></tr></thead><tbody>{rows}</tbody></table>"#,
        id = one.id,
        choose = edits.then(|| html!(r#"<th scope="col">Choose</th>"#)),
        rows = rows.collect::<Html>(),
    );
    let table = if edits {
        html!(
            r#"<form method="post" action="/basket/add-instalment">{token}<input type="hidden" name="subscription" value="{id}">{table}<p class="row"><button class="button">Prepare reorder</button><a class="button quiet" href="/account/subscriptions/{id}">Done editing</a></p><p class="small muted">The reorder goes into your basket. Nothing is ordered before you place the order there.</p></form>"#,
            id = one.id,
            token = token(asked),
            table = table,
        )
    } else {
        table
    };
    let empty = one.slots.iter().filter(|slot| slot.filling == Filling::Empty).count();
    let acts = one.is_active().then(|| {
        let edit = html!(r#"<a class="button" href="/account/subscriptions/{}?edit=1">Edit instalments</a>"#, one.id);
        html!(
            r#"<p class="row">{edit}<a class="button quiet" href="/account/subscriptions/{id}/ending">Cancel subscription</a></p>"#,
            edit = (!edits && empty > 0).then_some(edit),
            id = one.id,
        )
    });
    let body = html!(
        r#"<nav class="crumbs" aria-label="Where you are"><a href="/account">Account</a> / <a href="/account/subscriptions">Subscriptions</a> / #{id}</nav>
<div class="subject"><div class="pic {roast}">{bag}</div><div><p class="eyebrow">Subscription #{id}</p><h1>{title}</h1>
<p>{status} {rhythm}</p><dl class="facts"><div><dt>Per instalment</dt><dd>{price}</dd></div><div><dt>Next delivery</dt><dd>{next}</dd></div><div><dt>Empty slots</dt><dd>{empty}</dd></div></dl>{acts}</div></div>
<section class="panel" aria-label="Instalments">{table}</section>"#,
        id = one.id,
        roast = one.product.roast.key(),
        bag = bag(one.product),
        title = one.title(),
        status = status(one.status),
        rhythm = one.rhythm,
        price = one.price,
        next = one.next().map_or("none".into(), |slot| slot.day.to_string()),
        empty = empty,
        acts = acts,
        table = table,
    );
    let title = format!("Subscription #{}", one.id);
    page(visit, asked, &title, body)
}

fn row(one: &Subscription, slot: &Slot, in_basket: bool, edits: bool, asked: &Asked) -> Html {
    let free = slot.filling == Filling::Empty && !in_basket;
    let choose = edits.then(|| {
        let radio = html!(
            r#"<input type="radio" name="slot" value="{number}" id="slot-{number}" aria-label="Instalment {number}, {day}, empty" required>"#,
            number = slot.number,
            day = slot.day,
        );
        html!("<td>{}</td>", free.then_some(radio))
    });
    let (state, look) = if in_basket { ("In basket", "basket") } else { (slot.filling.title(), "") };
    let skip = (!edits && one.is_active() && slot.filling == Filling::Scheduled).then(|| {
        html!(
            r#"<form method="post" action="/account/subscriptions/{id}/skip">{token}<input type="hidden" name="slot" value="{number}"><button class="plain" aria-label="Skip the delivery of {day}">Skip this delivery</button></form>"#,
            id = one.id,
            token = token(asked),
            number = slot.number,
            day = slot.day,
        )
    });
    let order = match &slot.filling {
        Filling::Ordered(order) => {
            Some(html!(r#"<a href="/orders/{order}">Order {order}</a>"#, order = order))
        }
        _ => None,
    };
    html!(
        r#"<tr{class}>{choose}<td>{number}</td><td><time datetime="{iso}">{day}</time></td><td><span class="tag {key} {look}">{state}</span></td><td>{price}</td><td>{skip}{order}</td></tr>"#,
        class = Html::of(mark(free, r#" class="free""#)),
        choose = choose,
        number = slot.number,
        iso = slot.day.iso(),
        day = slot.day,
        key = slot.filling.title().to_lowercase(),
        look = look,
        state = state,
        price = one.price,
        skip = skip,
        order = order,
    )
}

pub(super) fn ask_cancel(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(one) = named(shop, asked) else { return nowhere(visit, asked) };
    if !one.is_active() {
        return Answer::go(format!("/account/subscriptions/{}", one.id));
    }
    let body = html!(
        r#"<section class="narrow panel"><p class="eyebrow">Subscription #{id}</p><h1>Cancel {title}?</h1>
<p>No more deliveries will ship. Instalments that are on their way still arrive. This can't be taken back here; you would start a new subscription.</p>
<form method="post" action="/account/subscriptions/{id}/cancel" class="row">{token}<button class="button danger">Yes, cancel this subscription</button><a class="button quiet" href="/account/subscriptions/{id}">Keep it</a></form></section>"#,
        id = one.id,
        title = one.title(),
        token = token(asked),
    );
    page(visit, asked, "Cancel a subscription", body)
}
