//! The shop behind its desk: its subscriptions and orders, and what it keeps for a visitor.

use super::{
    CoffeeOptions, PayStep,
    basket::{Basket, DELIVERIES, Delivery, Line},
    layout,
    orders::{Order, past_orders},
    subscriptions::{Subscription, first_subscriptions},
};
use crate::{
    desk::{Answer, Asked, Site},
    ledger::Ledger,
    money::Money,
    sessions::Visit as VisitOf,
};

/// The tax that is inside every price, in percent.
pub(super) const TAX: u32 = 7;
/// Whose account it is.
pub(super) const OWNER: &str = "Robin Vale";

/// A visitor of the shop.
pub(super) type Visit = VisitOf<Own>;

/// What the shop keeps for a visitor.
#[derive(Debug, Default)]
pub(super) struct Own {
    pub(super) basket: Basket,
    pub(super) checkout: Checkout,
    /// How this visitor wants the last step done, where it said so.
    pub(super) pay: Option<PayStep>,
    /// The number of the basket that was ordered last, and the order.
    pub(super) ordered: Option<(String, String)>,
}

/// How far a visitor is on the way from the basket to an order.
#[derive(Debug, Default)]
pub(super) struct Checkout {
    pub(super) address: Option<String>,
    pub(super) delivery: Option<&'static Delivery>,
    /// How it will be paid: a sentence, with no more of a card than the last four digits.
    pub(super) payment: Option<String>,
}

/// All amounts of an order to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) subtotal: Money,
    pub(super) delivery: Money,
    pub(super) total: Money,
    pub(super) tax: Money,
}

impl Amounts {
    pub(super) fn of(basket: &Basket, delivery: Option<&'static Delivery>) -> Self {
        let subtotal = basket.subtotal();
        let delivery = delivery.unwrap_or(&DELIVERIES[0]).price_for(subtotal);
        let total = subtotal + delivery;
        Self { subtotal, delivery, total, tax: total.tax_inside(TAX) }
    }
}

/// The shop.
#[derive(Debug)]
pub(super) struct Shop {
    pub(super) options: CoffeeOptions,
    pub(super) ledger: Ledger,
    pub(super) subscriptions: Vec<Subscription>,
    /// The newest last.
    pub(super) orders: Vec<Order>,
    pub(super) next_order: u32,
    next_basket: u32,
}

impl Shop {
    pub(super) fn new(options: CoffeeOptions, ledger: Ledger) -> Self {
        let subscriptions = first_subscriptions(options.today);
        let orders = past_orders(options.today);
        Self { options, ledger, subscriptions, orders, next_order: 20_418, next_basket: 7_001 }
    }

    /// Writes into the ledger, under the visitor's account.
    pub(super) fn note<const N: usize>(
        &self,
        visit: &Visit,
        kind: &'static str,
        details: [(&str, String); N],
    ) {
        self.ledger.enter(kind, visit.account(), details);
    }

    /// Puts a line into the basket and says so in the ledger; false where the basket is full.
    pub(super) fn fill(&mut self, visit: &mut Visit, line: Line) -> bool {
        let basket = &mut visit.own.basket;
        if basket.id.is_empty() {
            basket.id = format!("bk-{}", self.next_basket);
            self.next_basket += 1;
        }
        let (key, quantity) = (line.item.key(), line.quantity);
        let fits = basket.add(line.item, quantity);
        if fits {
            let basket = &visit.own.basket;
            let details = [
                ("line", key),
                ("quantity", quantity.to_string()),
                ("basket", basket.id.clone()),
                ("subtotal", basket.subtotal().plain()),
            ];
            self.note(visit, "basket-add", details);
        }
        fits
    }
}

impl Site for Shop {
    type Own = Own;
    const COOKIE: &'static str = "silver_oak_session";

    fn refuse(&mut self, visit: &mut Visit, asked: &Asked) -> Answer {
        if !asked.json("token").is_null() {
            return Answer::json(
                serde_json::json!({ "error": "This page is out of date. Please reload it." }),
            );
        }
        layout::sorry(
            visit,
            asked,
            "This page is out of date",
            "Nothing was changed. Please go back, reload the page and try again.",
        )
    }
}
