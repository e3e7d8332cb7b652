//! Subscriptions and the slots of their instalments.

use super::products::Product;
use crate::{day::Day, money::Money};

/// What is in one slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Filling {
    Delivered,
    /// Will ship by itself.
    Scheduled,
    /// Waits for a reorder.
    Empty,
    Skipped,
    /// Was filled by this order.
    Ordered(String),
}

impl Filling {
    pub(super) fn title(&self) -> &str {
        match self {
            Self::Delivered => "Delivered",
            Self::Scheduled => "Scheduled",
            Self::Empty => "Empty",
            Self::Skipped => "Skipped",
            Self::Ordered(_) => "Ordered",
        }
    }
}

/// One instalment: a day and what ships on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) number: u32,
    pub(super) day: Day,
    pub(super) filling: Filling,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Active,
    Paused,
    Cancelled,
}

impl Status {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Active => "Active",
            Self::Paused => "Paused",
            Self::Cancelled => "Cancelled",
        }
    }
}

#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) id: u32,
    pub(super) product: &'static Product,
    /// For example `24×1 kg`.
    pub(super) pack: &'static str,
    /// What one instalment costs.
    pub(super) price: Money,
    pub(super) rhythm: &'static str,
    pub(super) status: Status,
    pub(super) slots: Vec<Slot>,
}

impl Subscription {
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.product.title, self.pack)
    }

    pub(super) fn is_active(&self) -> bool {
        self.status == Status::Active
    }

    /// The day of the next delivery that will ship by itself.
    pub(super) fn next(&self) -> Option<&Slot> {
        self.slots.iter().find(|slot| self.is_active() && slot.filling == Filling::Scheduled)
    }

    pub(super) fn earliest_empty(&self) -> Option<&Slot> {
        self.slots.iter().find(|slot| self.is_active() && slot.filling == Filling::Empty)
    }

    pub(super) fn slot_mut(&mut self, number: u32) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.number == number)
    }
}

/// The subscriptions with which the account begins.
pub(super) fn first_subscriptions(today: Day) -> Vec<Subscription> {
    use Filling::{Delivered, Empty, Scheduled};
    let slots = |slots: &[(i32, Filling)]| {
        let numbered = (1_u32..).zip(slots);
        numbered
            .map(|(number, (days, filling))| Slot {
                number,
                day: today.plus(*days),
                filling: filling.clone(),
            })
            .collect()
    };
    let make = |id, slug, grams: u32, bags: u32, pack, rhythm, status, slots| {
        let product = Product::by_slug(slug)?;
        let price = product.price(grams) * bags;
        Some(Subscription { id, product, pack, price, rhythm, status, slots })
    };
    let cafe = [
        (-80, Delivered),
        (-52, Delivered),
        (-17, Delivered),
        (4, Scheduled),
        (11, Empty),
        (25, Scheduled),
        (39, Empty),
        (74, Empty),
    ];
    let small = [(-24, Delivered), (-10, Delivered), (4, Scheduled), (18, Scheduled), (32, Scheduled)];
    let office = [(-45, Delivered), (-15, Delivered), (15, Scheduled), (45, Empty)];
    let paused = [(-60, Delivered), (-30, Delivered), (30, Empty)];
    let ended = [(-200, Delivered), (-170, Delivered)];
    [
        make(
            588_031,
            "silver-oak-cafe-blend",
            1_000,
            6,
            "6×1 kg",
            "Every month",
            Status::Active,
            slots(&office),
        ),
        make(596_188, "harbour-light", 250, 2, "2×250 g", "Every two weeks", Status::Active, slots(&small)),
        make(
            596_215,
            "silver-oak-cafe-blend",
            1_000,
            24,
            "24×1 kg",
            "By instalments, when you fill a slot",
            Status::Active,
            slots(&cafe),
        ),
        make(601_742, "low-tide-decaf", 250, 4, "4×250 g", "Every month", Status::Paused, slots(&paused)),
        make(571_904, "midnight-tram", 1_000, 1, "1×1 kg", "Every month", Status::Cancelled, slots(&ended)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cafe_blend_costs_what_it_should_and_its_earliest_empty_slot_is_known() {
        let all = first_subscriptions(Day::default());
        let cafe = all.iter().find(|one| one.id == 596_215).unwrap();
        assert_eq!((cafe.title().as_str(), cafe.price), ("Silver Oak Cafe Blend 24×1 kg", Money(34_944)));
        let slot = cafe.earliest_empty().unwrap();
        assert_eq!((slot.number, slot.day.iso().as_str()), (5, "2026-11-28"));
        assert_eq!(cafe.next().unwrap().day.iso(), "2026-11-21");
        assert_eq!(all.len(), 5);
        assert!(all.iter().all(|one| one.slots.is_sorted_by_key(|slot| slot.day)));
    }
}
