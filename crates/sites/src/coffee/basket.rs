//! The basket of a visitor and its arithmetic.

use super::products::{GRINDS, Product, SIZES};
use crate::{day::Day, money::Money};

/// As many different things as fit into a basket.
pub(super) const MOST_LINES: usize = 20;
/// As many of one thing as fit into a basket.
pub(super) const MOST_OF_ONE: u32 = 99;

/// A thing that can be bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// Bags of one coffee.
    Bag { product: &'static Product, grams: u32, grind: &'static str },
    /// The reorder for one slot of a subscription; there is one of it and no more.
    Reorder { product: &'static Product, subscription: u32, slot: u32, title: String, day: Day, price: Money },
}

impl Item {
    /// The bag that a form names, where the shop sells it.
    pub(super) fn bag(slug: &str, grams: &str, grind: &str) -> Option<Self> {
        let product = Product::by_slug(slug)?;
        let grams = if grams.is_empty() { 250 } else { grams.parse().ok()? };
        let grind = if grind.is_empty() { GRINDS[0].0 } else { grind };
        let (grams, _) = *SIZES.iter().find(|(size, _)| *size == grams)?;
        let (grind, _) = *GRINDS.iter().find(|(key, _)| *key == grind)?;
        Some(Self::Bag { product, grams, grind })
    }

    /// The word by which forms name the line of this thing.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Bag { product, grams, grind } => format!("{}.{grams}.{grind}", product.slug),
            Self::Reorder { subscription, slot, .. } => format!("reorder.{subscription}.{slot}"),
        }
    }

    pub(super) fn product(&self) -> &'static Product {
        match self {
            Self::Bag { product, .. } | Self::Reorder { product, .. } => product,
        }
    }

    pub(super) fn title(&self) -> String {
        match self {
            Self::Bag { product, .. } => product.title.to_owned(),
            Self::Reorder { title, .. } => title.clone(),
        }
    }

    /// The second line of its name.
    pub(super) fn particulars(&self) -> String {
        match self {
            Self::Bag { grams, grind, .. } => {
                let size = SIZES.iter().find(|(size, _)| size == grams).map_or("", |(_, title)| title);
                let grind = GRINDS.iter().find(|(key, _)| key == grind).map_or("", |(_, title)| title);
                format!("{size}, {}", grind.to_lowercase())
            }
            Self::Reorder { subscription, slot, day, .. } => {
                format!("Reorder for subscription #{subscription}, instalment {slot}, ships {day}")
            }
        }
    }

    pub(super) fn price(&self) -> Money {
        match self {
            Self::Bag { product, grams, .. } => product.price(*grams),
            Self::Reorder { price, .. } => *price,
        }
    }

    fn most(&self) -> u32 {
        if matches!(self, Self::Bag { .. }) { MOST_OF_ONE } else { 1 }
    }
}

/// So many of one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) item: Item,
    pub(super) quantity: u32,
}

impl Line {
    pub(super) fn total(&self) -> Money {
        self.item.price() * self.quantity
    }

    /// The line in one sentence, for the ledger.
    pub(super) fn sentence(&self) -> String {
        format!("{} × {} ({})", self.quantity, self.item.title(), self.item.particulars())
    }
}

/// What a visitor means to buy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Basket {
    /// Its number; empty until something is in it.
    pub(super) id: String,
    pub(super) lines: Vec<Line>,
}

impl Basket {
    /// Adds so many of a thing; false where there is no room for another thing.
    pub(super) fn add(&mut self, item: Item, quantity: u32) -> bool {
        let most = item.most();
        if let Some(line) = self.lines.iter_mut().find(|line| line.item == item) {
            line.quantity = (line.quantity + quantity.min(most)).min(most);
        } else if self.lines.len() < MOST_LINES {
            self.lines.push(Line { item, quantity: quantity.clamp(1, most) });
        } else {
            return false;
        }
        true
    }

    /// Sets how many of a line there are, none of it takes it out; false where there is no such line.
    pub(super) fn set(&mut self, key: &str, quantity: u32) -> bool {
        let Some(at) = self.lines.iter().position(|line| line.item.key() == key) else { return false };
        if quantity == 0 {
            self.lines.remove(at);
        } else {
            self.lines[at].quantity = quantity.min(self.lines[at].item.most());
        }
        true
    }

    /// How many things there are.
    pub(super) fn count(&self) -> u32 {
        self.lines.iter().map(|line| line.quantity).sum()
    }

    pub(super) fn subtotal(&self) -> Money {
        self.lines.iter().map(Line::total).sum()
    }

    /// Whether the reorder of this slot is in it.
    pub(super) fn has_reorder(&self, id: u32, number: u32) -> bool {
        self.lines.iter().any(|line| matches!(line.item, Item::Reorder { subscription, slot, .. } if (subscription, slot) == (id, number)))
    }
}

/// A way of getting the coffee.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Delivery {
    pub(super) key: &'static str,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    price: Money,
    /// From this amount on it costs nothing.
    free_from: Money,
}

/// The ways of getting the coffee, the usual one first.
pub(super) const DELIVERIES: [Delivery; 3] = [
    Delivery {
        key: "standard",
        title: "Standard delivery",
        text: "Two to three working days, by bicycle where we can",
        price: Money(490),
        free_from: Money(6_000),
    },
    Delivery {
        key: "express",
        title: "Express delivery",
        text: "The next working day, for orders before noon",
        price: Money(990),
        free_from: Money(u32::MAX),
    },
    Delivery {
        key: "pickup",
        title: "Pick up at the roastery",
        text: "Gerberweg 2, Leipzig, daily from 8 to 18",
        price: Money(0),
        free_from: Money(0),
    },
];

impl Delivery {
    pub(super) fn price_for(&self, subtotal: Money) -> Money {
        if subtotal >= self.free_from { Money(0) } else { self.price }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_bounded_and_amounts_add_up() {
        let bag = || Item::bag("silver-oak-cafe-blend", "1000", "").unwrap();
        let mut basket = Basket::default();
        assert!(
            basket.add(bag(), 2) && basket.add(Item::bag("midnight-tram", "250", "espresso").unwrap(), 1)
        );
        assert_eq!((basket.count(), basket.subtotal()), (3, Money(2 * 1_456 + 430)));
        assert!(basket.add(bag(), u32::MAX) && basket.set("midnight-tram.250.espresso", 0));
        assert_eq!((basket.count(), basket.lines.len()), (MOST_OF_ONE, 1));
        assert!(!basket.set("nothing", 1) && basket.set(&bag().key(), 1));
        assert_eq!(basket.subtotal(), Money(1_456));
        for (slug, grams, grind) in
            [("none", "250", ""), ("first-frost", "251", ""), ("first-frost", "", "coarse")]
        {
            assert_eq!(Item::bag(slug, grams, grind), None);
        }
    }

    #[test]
    fn a_reorder_is_in_the_basket_once() {
        let (title, day) = ("A subscription".to_owned(), Day::default());
        let product = Product::by_slug("first-frost").unwrap();
        let item = Item::Reorder { product, subscription: 1, slot: 2, title, day, price: Money(100) };
        let mut basket = Basket::default();
        assert!(basket.add(item.clone(), 5) && basket.add(item, 1) && basket.set("reorder.1.2", 9));
        assert_eq!((basket.count(), basket.has_reorder(1, 2), basket.has_reorder(1, 3)), (1, true, false));
    }

    #[test]
    fn standard_delivery_is_free_from_sixty_euros() {
        let prices = |amount| DELIVERIES.iter().map(|way| way.price_for(Money(amount)).0).collect::<Vec<_>>();
        assert_eq!((prices(5_999), prices(6_000)), (vec![490, 990, 0], vec![0, 990, 0]));
    }
}
