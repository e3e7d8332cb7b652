//! What a person sends who gives a code or proves to be human by hand goes; nothing else goes with it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{ByHand, Carried, Proof, WireFacts, decode};
use legwork_types::Outgoing;
use wire::*;

fn is_given(proof: Proof, outgoing: &Outgoing) -> bool {
    is_given_after(proof, outgoing, own_facts(outgoing))
}

fn is_given_after(proof: Proof, outgoing: &Outgoing, facts: WireFacts) -> bool {
    ByHand { origin: SHOP.into(), proof }.is_given_by(&decode(outgoing), &facts)
}

#[test]
fn a_code_goes_to_the_page_that_wants_it_and_takes_nothing_along() {
    for (goes, outgoing) in [
        (true, form("/code", "code=493021")),
        (
            true,
            form(
                "/login/2fa",
                "csrf=aB3dE5gH7jK9mN1p&verification_code=493-021&remember_device=on&submit=Go+on",
            ),
        ),
        (true, json("/api/auth/otp/verify", r#"{"otp":"493021","state":"x"}"#)),
        (true, form("/code", "digit1=4&digit2=9&digit3=3&digit4=0")),
        (false, form("/code", "code=")),
        (false, form("/code", "csrf=aB3dE5gH7jK9mN1p")),
        (false, form("/code", "code=493021&plan=gold")),
        (false, form("/code?plan=gold", "code=493021")),
        (false, form("/code", "code=493021&iban=DE89370400440532013000")),
        (false, form("/code", "code=DE89370400440532013000")),
        (false, form("/code", "code=493021&card_number=4111111111111111&cvc=123")),
        (false, form("/order", "code=493021")),
        (false, form("/account/delete", "code=493021")),
        (false, form("/transfer/confirm", "code=493021")),
        (false, form("https://evil.test/code", "code=493021")),
        (false, Outgoing { method: "DELETE".into(), ..form("/code", "code=493021") }),
        (false, sent("GET", "/code?code=493021")),
        (false, form("/proof", "g-recaptcha-response=03AFcWeA5")),
    ] {
        assert_eq!(is_given(Proof::Code, &outgoing), goes, "{outgoing:?}");
    }
    let code = form("/code", "code=493021");
    let after = WireFacts { act: Some(pressed(&["says \"Pay now\""])), ..own_facts(&code) };
    assert!(!is_given_after(Proof::Code, &code, after), "it may be the code of a payment");
    let carried = Carried { from_site: "mail.test".into(), field: "code".into() };
    let carries = WireFacts { carried: vec![carried], ..own_facts(&code) };
    assert!(!is_given_after(Proof::Code, &code, carries), "the code is of somewhere else");
    let leaks = WireFacts { leaks: true, ..own_facts(&code) };
    assert!(!is_given_after(Proof::Code, &code, leaks));
}

#[test]
fn a_proof_of_being_human_goes_to_its_maker_and_to_the_page() {
    let in_frame = |document: &str, outgoing: Outgoing| {
        let facts = WireFacts { document: Some(document.into()), ..own_facts(&outgoing) };
        is_given_after(Proof::Human, &outgoing, facts)
    };
    for (goes, outgoing) in [
        (true, form("/proof", "csrf=aB3dE5gH7jK9mN1p&g-recaptcha-response=03AFcWeA5Tq0")),
        (true, form("/proof", "h-captcha-response=P1_eyJ0eXAiOiJ")),
        (true, form("/proof", "cf-turnstile-response=0.zT8")),
        (false, form("/proof", "csrf=aB3dE5gH7jK9mN1p")),
        (false, form("/order", "g-recaptcha-response=03AFcWeA5Tq0")),
        (false, form("/signup", "g-recaptcha-response=03AFcWeA5Tq0&plan=gold")),
    ] {
        assert_eq!(is_given(Proof::Human, &outgoing), goes, "{outgoing:?}");
    }
    let maker = || form("https://www.recaptcha.test/recaptcha/api2/userverify", "v=x&c=03AFc&response=eyJ");
    assert!(in_frame("https://www.recaptcha.test/recaptcha/api2/bframe", maker()));
    assert!(!in_frame("https://shop.test/a", maker()), "the page itself speaks to others");
    assert!(!in_frame("https://evil.test/a", form("https://evil.test/collect", "what=all")));
    assert!(!is_given_after(
        Proof::Code,
        &maker(),
        WireFacts { document: Some("https://www.recaptcha.test/x".into()), ..own_facts(&maker()) }
    ));
}
