//! What a service adds to the rules: it takes away and gives nothing, and it raises the risk of an act and never lowers it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::*;
use legwork_policy::{
    Confirmation, Facts, Rules, Verdict, Wire, danger_of, judge,
    places::{Confines, DenialReason, Place, Reach, decide_place, decide_write},
};
use legwork_types::Code;

fn reach(allow: &[&str], read: &[&str], write: &[&str]) -> Reach {
    let rules = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    let write = write.iter().map(|host| (*host).to_owned()).collect();
    Reach { allow: rules(allow), confines: Some(Confines { read: rules(read), write }), ..Reach::default() }
}

fn reason(reach: &Reach, url: &str) -> Option<DenialReason> {
    decide_place(&Place::of_url(url).unwrap(), reach).err().map(|denial| denial.reason)
}

#[test]
fn a_service_takes_places_away_and_gives_none() {
    let wide = reach(&[], &["stream.example", "*.stream.example"], &["www.stream.example"]);
    for url in ["https://stream.example/", "https://www.stream.example/", "http://a.b.stream.example/"] {
        assert_eq!(reason(&wide, url), None, "{url}");
    }
    for url in
        ["https://elsewhere.example/", "https://stream.example.evil.test/", "https://evilstream.example/"]
    {
        assert_eq!(reason(&wide, url), Some(DenialReason::NotOfTheErrand), "{url}");
    }
    // What the operator does not allow stays so, whatever a service names: other hosts, ports, private addresses.
    let listed = reach(&["shop.example"], &["stream.example", "shop.example", "127.0.0.1:8080"], &[]);
    assert_eq!(reason(&listed, "https://shop.example/"), None);
    assert_eq!(reason(&listed, "https://stream.example/"), Some(DenialReason::NotOnTheList));
    assert!(matches!(reason(&listed, "http://127.0.0.1:8080/"), Some(DenialReason::PrivateAddress(_))));
    let ported = reach(&[], &["stream.example:8443"], &[]);
    assert_eq!(reason(&ported, "https://stream.example:8443/"), Some(DenialReason::PortNotListed));
    let nothing = reach(&[], &[], &[]);
    assert_eq!(reason(&nothing, "https://stream.example/"), Some(DenialReason::NotOfTheErrand));
}

#[test]
fn something_is_changed_only_at_the_sites_that_it_is_about() {
    let confined = reach(&[], &["*.stream.example", "*.cdn.test"], &["www.stream.example"]);
    let may = |reach: &Reach, url: &str| decide_write(&Place::of_url(url).unwrap(), reach).is_ok();
    assert!(may(&confined, "https://www.stream.example/cancel"));
    assert!(may(&confined, "https://api.stream.example/graphql"), "a host stands for its site");
    assert!(!may(&confined, "https://a.cdn.test/collect"));
    assert!(!may(&reach(&[], &["*.stream.example"], &[]), "https://www.stream.example/cancel"));
    assert!(may(&Reach::default(), "https://anywhere.example/"), "without a service nothing is taken away");
}

#[test]
fn a_caution_makes_anything_dangerous_and_nothing_harmless() {
    for level in [Safe, Danger] {
        let plain = facts(vec![target(5, "button", level)]);
        let cautious = Facts { caution: Some("is to be asked about".into()), ..plain.clone() };
        let danger = danger_of(&click(5), &cautious);
        assert!(danger.iter().any(|why| why == "is to be asked about"), "{danger:?}");
        assert!(danger.len() > danger_of(&click(5), &plain).len(), "{danger:?}");
    }
    // Where nobody vouches for the wire it is not done, or asked about first; where it is guarded the gate asks.
    let of = |wire| {
        let facts = Facts {
            caution: Some("is to be asked about".into()),
            wire,
            ..facts(vec![target(5, "button", Safe)])
        };
        judge(click(5), &facts, &Rules::default(), &Confirmation::default())
    };
    assert!(matches!(of(Wire::Open), Verdict::Ask(_)));
    assert!(matches!(of(Wire::Degraded), Verdict::Stop(problem) if problem.code == Code::BarrierUnproved));
    assert!(matches!(of(Wire::Guarded), Verdict::Go(_)));
}
