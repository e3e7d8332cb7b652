//! What happens on the way out: the offer is taken, the survey answered, the membership cancelled.

use super::service::{Service, Visit};
use crate::desk::{Answer, Asked};

/// The reasons of the survey: word and sentence.
pub(super) const REASONS: [(&str, &str); 5] = [
    ("price", "It costs too much"),
    ("time", "I do not watch enough"),
    ("choice", "I miss films that I want to see"),
    ("technical", "It did not work well"),
    ("other", "Another reason"),
];

pub(super) fn accept_offer(service: &mut Service, visit: &mut Visit, _: &Asked) -> Answer {
    if !service.membership.cancelled && !service.membership.half_price {
        service.membership.half_price = true;
        let price = service.membership.price().plain();
        service.note(visit, "offer-accepted", [("price", price), ("months", "3".into())]);
        visit.notice = Some("You stay, for half the price. Thank you.".into());
    }
    visit.own.reason = None;
    Answer::go("/account")
}

pub(super) fn answer_survey(service: &mut Service, visit: &mut Visit, asked: &Asked) -> Answer {
    let Some((reason, _)) = REASONS.iter().find(|(key, _)| *key == asked.field("reason")) else {
        return Answer::go("/account/leaving/step/1");
    };
    let comment = asked.field("comment").chars().take(500).collect();
    service.note(visit, "survey-answered", [("reason", (*reason).to_owned()), ("comment", comment)]);
    visit.own.reason = Some(reason);
    Answer::go("/account/leaving/step/2")
}

pub(super) fn finish(service: &mut Service, visit: &mut Visit, _: &Asked) -> Answer {
    let Some(reason) = visit.own.reason.take() else { return Answer::go("/account/leaving/step/1") };
    if !service.membership.cancelled {
        service.membership.cancelled = true;
        let details = [
            ("plan", service.membership.plan.key.to_owned()),
            ("ends", service.turn().iso()),
            ("reason", reason.to_owned()),
        ];
        service.note(visit, "membership-cancelled", details);
    }
    Answer::go("/account/cancelled")
}
