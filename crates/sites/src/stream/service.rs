//! The service behind its desk: one membership, and what it keeps for a visitor.

use super::{StreamOptions, layout};
use crate::{
    day::Day,
    desk::{Answer, Asked, Site},
    ledger::Ledger,
    money::Money,
    sessions::Visit as VisitOf,
};

/// A visitor of the service.
pub(super) type Visit = VisitOf<Own>;

/// What the service keeps for a visitor: how far it is on the way out.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// The reason that was given in the survey, once it was.
    pub(super) reason: Option<&'static str>,
}

/// What one pays for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) key: &'static str,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    pub(super) price: Money,
}

pub(super) const PLANS: [Plan; 3] = [
    Plan {
        key: "basic",
        title: "Basic",
        text: "One screen, good picture, with a little advertising",
        price: Money(799),
    },
    Plan {
        key: "standard",
        title: "Standard",
        text: "Two screens, full HD, no advertising",
        price: Money(1_299),
    },
    Plan {
        key: "premium",
        title: "Premium",
        text: "Four screens, 4K, sound from all sides",
        price: Money(1_799),
    },
];

/// The languages of the profile: word and name.
pub(super) const LANGUAGES: [(&str, &str); 4] =
    [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("pl", "Polski")];

/// The one membership.
#[derive(Debug)]
pub(super) struct Membership {
    pub(super) plan: &'static Plan,
    /// Whether the months to come cost half.
    pub(super) half_price: bool,
    pub(super) cancelled: bool,
    pub(super) language: &'static str,
    pub(super) subtitles: bool,
}

impl Membership {
    /// What a month costs now.
    pub(super) fn price(&self) -> Money {
        if self.half_price { half(self.plan) } else { self.plan.price }
    }
}

/// Half the price of a plan, rounded down.
pub(super) fn half(plan: &Plan) -> Money {
    Money(plan.price.0 / 2)
}

/// The service.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) options: StreamOptions,
    pub(super) ledger: Ledger,
    pub(super) membership: Membership,
}

impl Service {
    pub(super) fn new(options: StreamOptions, ledger: Ledger) -> Self {
        let membership = Membership {
            plan: &PLANS[1],
            half_price: false,
            cancelled: false,
            language: "en",
            subtitles: true,
        };
        Self { options, ledger, membership }
    }

    /// The day of the next bill; after a cancellation the day on which the membership ends.
    pub(super) fn turn(&self) -> Day {
        self.options.today.plus(12)
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
}

impl Site for Service {
    type Own = Own;
    const COOKIE: &'static str = "lumo_session";

    fn refuse(&mut self, visit: &mut Visit, asked: &Asked) -> Answer {
        layout::sorry(
            visit,
            asked,
            "This page is out of date",
            "Nothing was changed. Please go back, reload the page and try again.",
        )
    }
}
