//! What a person sends who gives a code or proves to be human by hand goes where one comes in; nothing else goes with it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod wire;

use legwork_policy::wire::{AskReason, ByHand, Carried, Given, Proof, Ruling, StopReason, WireFacts, decode};
use legwork_types::Outgoing;
use wire::*;

fn is_given(proof: Proof, outgoing: &Outgoing) -> bool {
    given_after(proof, outgoing, own_facts(outgoing)) == Some(Given::ToThePage)
}

fn given_after(proof: Proof, outgoing: &Outgoing, facts: WireFacts) -> Option<Given> {
    ByHand { origin: SHOP.into(), proof }.given(&decode(outgoing), &facts)
}

#[test]
fn a_code_goes_to_the_page_that_wants_it_and_takes_nothing_along() {
    for (goes, outgoing) in [
        (true, form("/login/code", "code=493021")),
        (
            true,
            form(
                "/login/2fa",
                "csrf=aB3dE5gH7jK9mN1p&verification_code=493-021&remember_device=on&submit=Go+on",
            ),
        ),
        (true, json("/api/v2/auth/otp/verify", r#"{"otp":"493021","state":"kJ8fQ2mZx0"}"#)),
        (true, form("/two-factor", "digit1=4&digit2=9&digit3=3&digit4=0")),
        (true, form("/session/8d1f27c6e0/verify", "pin=4930")),
        (false, form("/login/code", "code=")),
        (false, form("/login/code", "csrf=aB3dE5gH7jK9mN1p")),
        (false, form("/login/code", "code=493021&plan=gold")),
        (false, form("/login/code?plan=gold", "code=493021")),
        (false, form("/login/code", "code=493021&iban=DE89370400440532013000")),
        (false, form("/login/code", "code=DE89370400440532013000")),
        (false, form("/login/code", "code=493021&card_number=4111111111111111&cvc=123")),
        // Words that forms for coming in have too may say who gets how much.
        (false, json("/login/code", r#"{"code":"1","to":"DE89370400440532013000","value":"5000"}"#)),
        (false, form("/login/code", "commit=Place+order&code=493021&authenticity_token=aB3dE5gH7jK9mN1p")),
        (false, form("/login/code", "submit=Place+order&code=493021")),
        (false, form("/login/code", "email=x%40evil.test&new_password=y&code=493021")),
        (false, form("/login/code", "account=DE89370400440532013000&code=493021")),
        // Codes settle payments too, and change who somebody is: only an address for coming in says that it is about that.
        (false, form("/code", "code=493021")),
        (false, form("/verify", "code=493021")),
        (false, form("/sca/verify", "otp=493021")),
        (false, form("/api/flow/verify", "code=493021")),
        (false, form("/account/email/verify", "code=493021")),
        (false, form("/checkout/login/code", "code=493021")),
        (false, form("/order", "code=493021")),
        (false, form("/account/delete", "code=493021")),
        (false, form("/transfer/confirm", "code=493021")),
        (false, form("https://evil.test/login/code", "code=493021")),
        (false, Outgoing { method: "DELETE".into(), ..form("/login/code", "code=493021") }),
        (false, Outgoing { redirected: true, ..form("/login/code", "code=493021") }),
        (false, sent("GET", "/login/code?code=493021")),
        (false, form("/captcha/verify", "g-recaptcha-response=03AFcWeA5")),
    ] {
        assert_eq!(is_given(Proof::Code, &outgoing), goes, "{outgoing:?}");
    }
    let code = form("/login/code", "code=493021");
    let facts = || own_facts(&code);
    let after = WireFacts { act: Some(pressed(&["says \"Pay now\""])), ..facts() };
    assert_eq!(given_after(Proof::Code, &code, after), None, "it may be the code of a payment");
    let carried = Carried { from_site: "mail.test".into(), field: "code".into() };
    let carries = WireFacts { carried: vec![carried], ..facts() };
    assert_eq!(given_after(Proof::Code, &code, carries), None, "the code is of somewhere else");
    let leaks = WireFacts { leaks: true, ..facts() };
    assert_eq!(given_after(Proof::Code, &code, leaks), None);
    let of_a_frame = WireFacts { document: Some("https://ads.test/frame".into()), ..facts() };
    assert_eq!(given_after(Proof::Code, &code, of_a_frame), None, "nobody gives it there");
}

#[test]
fn a_proof_of_being_human_goes_to_the_page_and_takes_nothing_along() {
    for (goes, outgoing) in [
        (true, form("/captcha", "csrf=aB3dE5gH7jK9mN1p&g-recaptcha-response=03AFcWeA5Tq0")),
        (true, form("/login/challenge", "h-captcha-response=P1_eyJ0eXAiOiJ")),
        (true, form("/human/verify", "cf-turnstile-response=0.zT8kQm2")),
        (false, form("/captcha", "csrf=aB3dE5gH7jK9mN1p")),
        (false, form("/captcha", "captcha_to=DE89370400440532013000&captcha_amount=5000")),
        (false, form("/captcha", "g-recaptcha-response=I+agree+to+pay")),
        (false, form("/proof", "g-recaptcha-response=03AFcWeA5Tq0")),
        (false, form("/order", "g-recaptcha-response=03AFcWeA5Tq0")),
        (false, form("/challenge/order", "item=7&card_number=4111111111111111&total=900")),
        (false, form("/signup", "g-recaptcha-response=03AFcWeA5Tq0&plan=gold")),
    ] {
        assert_eq!(is_given(Proof::Human, &outgoing), goes, "{outgoing:?}");
    }
}

#[test]
fn a_proof_of_being_human_is_made_by_known_makers_in_frames_of_their_own() {
    let maker = "https://newassets.hcaptcha.com/captcha/v1/frame";
    let wants = |proof: Proof, document: &str, url: &str| {
        let outgoing = json(url, r#"{"motionData":"eyJ","n":"x"}"#);
        let facts = WireFacts { document: Some(document.into()), ..own_facts(&outgoing) };
        given_after(proof, &outgoing, facts)
    };
    let getcaptcha = "https://newassets.hcaptcha.com/getcaptcha/x";
    assert_eq!(wants(Proof::Human, maker, getcaptcha), Some(Given::ToItsMaker));
    let google = "https://www.google.com/recaptcha/api2/";
    let [frame, reload] = ["bframe", "reload"].map(|end| format!("{google}{end}"));
    assert_eq!(wants(Proof::Human, &frame, &reload), Some(Given::ToItsMaker));
    for (proof, document, url, why) in [
        (Proof::Code, maker, getcaptcha, "nobody proves that here"),
        (Proof::Human, "https://shop.test/a", getcaptcha, "the page itself speaks to others"),
        (Proof::Human, "https://shop.test/a", "https://shop.test/challenge/order", "it is the page's own"),
        (Proof::Human, "https://evil.test/a", "https://evil.test/captcha/collect", "nobody knows that maker"),
        (
            Proof::Human,
            "https://hcaptcha.com.evil.test/",
            "https://hcaptcha.com.evil.test/x",
            "it only looks like one",
        ),
        (Proof::Human, "https://evilhcaptcha.com/", "https://evilhcaptcha.com/x", "it only looks like one"),
        (Proof::Human, "http://hcaptcha.com/", "http://hcaptcha.com/x", "anybody could read it"),
        (
            Proof::Human,
            "https://www.google.com/recaptcha/x",
            "https://www.google.com/forms/d/x",
            "it makes other things too",
        ),
    ] {
        assert_eq!(wants(proof, document, url), None, "{why}");
    }
}

#[test]
fn a_hand_answers_questions_and_undoes_no_refusal() {
    for (ruling, is_answered) in [
        (Ruling::Ask(AskReason::Unknown), true),
        (Ruling::Ask(AskReason::Commit), true),
        (Ruling::Stop(StopReason::Unknown { rule: None }), true),
        (Ruling::Stop(StopReason::NoCommits), true),
        (Ruling::Stop(StopReason::NoWrites), false),
        (Ruling::Stop(StopReason::Denied), false),
        (Ruling::Stop(StopReason::SentAgain), false),
        (Ruling::Stop(StopReason::SecretElsewhere), false),
    ] {
        assert_eq!(ByHand::answers(&ruling), is_answered, "{ruling:?}");
    }
}
