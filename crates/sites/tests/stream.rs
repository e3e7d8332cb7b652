//! The streaming service over real HTTP: the way out, the way back, and what the ledger says of them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;

use client::Client;
use legwork_sites::{Ledger, Served, StreamOptions, StreamService};

const EMAIL: &str = "demo@example.test";
const PASSWORD: &str = "soft-glow-77";

fn open() -> (Served, Ledger) {
    let service = StreamService::new(StreamOptions::default());
    (Served::start(service.router()).unwrap(), service.ledger())
}

fn member(served: &Served) -> Client {
    let mut client = Client::of(served.address());
    assert_eq!(client.log_in(EMAIL, PASSWORD).leads_to(), "/browse");
    client
}

fn kinds(ledger: &Ledger) -> Vec<&'static str> {
    ledger.effects().iter().map(|effect| effect.kind).collect()
}

#[test]
fn a_membership_is_cancelled_step_by_step_and_restarted() {
    let (served, ledger) = open();
    let mut client = member(&served);
    client.get("/account").says("Standard").says("€12.99").says("Cancel membership");
    client.get("/account/leaving").says("Stay for half the price").says("Continue to cancel").says("€6.49");
    let survey = client.get("/account/leaving/step/1");
    let answered =
        client.send(&survey, "/account/leaving/step/1", &[("reason", "price"), ("comment", "<b>")]);
    let confirm = client.follow(&answered);
    confirm.says("Finish cancellation").says("29 November 2026");
    assert_eq!(ledger.count("membership-cancelled"), 0);
    let done = client.send(&confirm, "/account/membership/cancel", &[]);
    assert_eq!(done.leads_to(), "/account/cancelled");
    let done = client.follow(&done);
    done.says("Your membership is cancelled").says("29 November 2026").says("Restart membership");
    client.send(&confirm, "/account/membership/cancel", &[]);
    assert_eq!(kinds(&ledger), ["login", "survey-answered", "membership-cancelled"]);
    let effect = &ledger.of_kind("membership-cancelled")[0];
    assert_eq!((effect.detail("ends"), effect.detail("reason")), ("2026-11-29", "price"));
    assert_eq!(effect.account.as_deref(), Some(EMAIL));

    for path in ["/account/leaving", "/account/leaving/step/1", "/account/leaving/step/2"] {
        assert_eq!(client.get(path).leads_to(), "/account/cancelled");
    }
    client.get("/account").says("ends on <b>29 November 2026</b>");
    client.send(&done, "/account/restart", &[]);
    client.get("/account").says("Good to have you back").says("Cancel membership");
    assert_eq!(ledger.count("membership-restarted"), 1);
}

#[test]
fn no_step_of_the_way_out_can_be_left_out() {
    let (served, ledger) = open();
    let mut client = member(&served);
    assert_eq!(client.get("/account/leaving/step/2").leads_to(), "/account/leaving/step/1");
    let page = client.get("/account");
    assert_eq!(client.send(&page, "/account/membership/cancel", &[]).leads_to(), "/account/leaving/step/1");
    assert_eq!(client.send(&page, "/account/leaving/step/1", &[]).leads_to(), "/account/leaving/step/1");
    client.send(&page, "/account/leaving/step/1", &[("reason", "time")]);
    assert_eq!(client.post("/account/membership/cancel", &[("csrf", "wrong")]).status, 403);
    assert_eq!(client.post("/account/membership/cancel", &[]).status, 403);
    assert_eq!(kinds(&ledger), ["login", "survey-answered"]);
}

#[test]
fn who_takes_the_offer_pays_half_and_stays() {
    let (served, ledger) = open();
    let mut client = member(&served);
    let page = client.get("/account/leaving");
    client.send(&page, "/account/leaving/offer", &[]);
    client.send(&page, "/account/leaving/offer", &[]);
    client.get("/account").says("€6.49").says("Half price");
    assert_eq!((ledger.count("offer-accepted"), ledger.count("membership-cancelled")), (1, 0));
}

#[test]
fn plans_and_settings_are_changed() {
    let (served, ledger) = open();
    let mut client = member(&served);
    let page = client.get("/account/plan");
    client.send(&page, "/account/plan", &[("plan", "premium")]);
    client.send(&page, "/account/plan", &[("plan", "premium")]);
    client.send(&page, "/account/plan", &[("plan", "none")]);
    client.get("/account").says("Premium").says("€17.99");
    let page = client.get("/account/settings");
    client.send(&page, "/account/settings", &[("language", "de")]);
    client.get("/account").says("Deutsch");
    assert_eq!(kinds(&ledger), ["login", "plan-changed", "setting-saved"]);
    let changed = &ledger.effects()[1];
    assert_eq!(
        (changed.detail("from"), changed.detail("to"), changed.detail("price")),
        ("standard", "premium", "17.99")
    );
    assert_eq!(ledger.effects()[2].detail("subtitles"), "no");
}

#[test]
fn strangers_are_led_to_the_login_and_wrong_passwords_are_told() {
    let (served, ledger) = open();
    let mut client = Client::of(served.address());
    assert_eq!(client.get("/account/leaving").leads_to(), "/login?next=%2Faccount%2Fleaving");
    let failed = client.log_in(EMAIL, "canary-password");
    assert_eq!(failed.status, 401);
    failed.says("password is wrong");
    assert_eq!(kinds(&ledger), ["login-failed"]);
    assert!(!format!("{ledger:?}").contains("canary-password"));
}
