//! What changes a subscription: a reorder is prepared, a delivery skipped, the subscription cancelled.

use super::{
    basket::{Item, Line},
    layout::{nowhere, sorry},
    shop::{Shop, Visit},
    subscription_pages::named,
    subscriptions::{Filling, Status},
};
use crate::desk::{Answer, Asked};

/// Puts the reorder for the chosen empty slot into the basket.
pub(super) fn prepare(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let subscription = asked.field("subscription");
    let Some(one) = shop.subscriptions.iter().find(|one| one.id.to_string() == subscription) else {
        return nowhere(visit, asked);
    };
    let number: u32 = asked.field("slot").parse().unwrap_or_default();
    let slot = one.slots.iter().find(|slot| slot.number == number && slot.filling == Filling::Empty);
    let (Some(slot), true) = (slot, one.is_active()) else {
        return sorry(
            visit,
            asked,
            "This slot is not empty",
            "Please choose an empty slot of an active subscription.",
        );
    };
    let (id, day, title) = (one.id, slot.day, one.title());
    if !visit.own.basket.has_reorder(id, number) {
        let item = Item::Reorder {
            product: one.product,
            subscription: id,
            slot: number,
            title,
            day,
            price: one.price,
        };
        let price = item.price();
        if !shop.fill(visit, Line { item, quantity: 1 }) {
            return sorry(visit, asked, "Your basket is full", "Please order what is in it first.");
        }
        let details = [
            ("subscription", id.to_string()),
            ("slot", number.to_string()),
            ("date", day.iso()),
            ("amount", price.plain()),
        ];
        shop.note(visit, "instalment-prepared", details);
    }
    visit.notice = Some(format!("The reorder for {day} is in your basket. It is not ordered yet."));
    Answer::go("/basket")
}

pub(super) fn skip(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(id) = named(shop, asked).filter(|one| one.is_active()).map(|one| one.id) else {
        return nowhere(visit, asked);
    };
    let number: u32 = asked.field("slot").parse().unwrap_or_default();
    let slot = shop.subscriptions.iter_mut().find(|one| one.id == id).and_then(|one| one.slot_mut(number));
    let Some(slot) = slot.filter(|slot| slot.filling == Filling::Scheduled) else {
        return sorry(
            visit,
            asked,
            "This delivery can't be skipped",
            "It is not scheduled, or has left already.",
        );
    };
    slot.filling = Filling::Skipped;
    let day = slot.day;
    let details = [("subscription", id.to_string()), ("slot", number.to_string()), ("date", day.iso())];
    shop.note(visit, "delivery-skipped", details);
    visit.notice = Some(format!("The delivery of {day} is skipped."));
    Answer::go(format!("/account/subscriptions/{id}"))
}

pub(super) fn cancel(shop: &mut Shop, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some(id) = named(shop, asked).map(|one| one.id) else { return nowhere(visit, asked) };
    if let Some(one) = shop.subscriptions.iter_mut().find(|one| one.id == id && one.is_active()) {
        one.status = Status::Cancelled;
        let title = one.title();
        shop.note(visit, "subscription-cancelled", [("subscription", id.to_string()), ("title", title)]);
        visit.notice = Some(format!("Subscription #{id} is cancelled."));
    }
    Answer::go(format!("/account/subscriptions/{id}"))
}
