//! What a person sends who proves by hand who they are: a code, or that they are human. It says that and nothing more, where one comes in.

use super::{
    Class, Decoded, Field, Ruling, StopReason, WireFacts, classify,
    evidence::{is_number, segments},
    lists::LOGIN,
    logins::comes_in,
    same_site,
    secrets::same_origin,
    words::{any_in_line, is_in_line, is_on, words},
};

/// What a person proves by hand, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByHand {
    /// The origin of the page that wants it.
    pub origin: String,
    /// What it wants.
    pub proof: Proof,
}

/// What a person proves by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A code that was sent to them.
    Code,
    /// That they are human.
    Human,
}

/// What is sent by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// The proof, to the page that wants it.
    ToThePage,
    /// What it takes to make one, to whoever makes it.
    ToItsMaker,
}

/// Words of fields for codes.
const CODES: &str = "code|otp|totp|mfa|2fa|fa|pin|digit|digits|sms|one|time|passcode|verify|verification|auth|authenticator|kod|codigo|kodu";
/// Words of fields for proofs of being human.
const HUMAN: &str = "captcha|recaptcha|hcaptcha|turnstile|challenge|funcaptcha|g|h|cf|response|token|answer";
/// Those of them that say it.
const CAPTCHAS: &str = "captcha|recaptcha|hcaptcha|turnstile|funcaptcha";
/// Words of addresses at which one proves something, besides those of coming in.
const PATHS: &str = "log|in|sign|on|api|v|ajax|web|php|json|two|factor|step|2fa|fa|totp|code|codes|verify|verification|challenge|challenges|check|human|submit";
/// Those of them that are about nothing but who one is.
const WHO: &str = "2fa|fa|totp|captcha|recaptcha|hcaptcha|turnstile|funcaptcha|human";
/// Words of what forms send along to know that they were theirs, and which device it is.
const BESIDE: &str = "csrf|csrfmiddlewaretoken|csrftoken|xsrf|authenticity|token|nonce|state|flow|session|request|verification|challenge|utf|remember|trust|trusted|device|browser|me|this|viewstate|viewstategenerator|eventvalidation|form|id|client";
/// What stands on the button.
const PRESSED: &str = "go|on|ok|next|continue|verify|submit|send|check|log|sign|in|weiter|continuer|continuar|prufen|verifier|verificar";
/// The longest code.
const LONGEST: usize = 12;
/// Where the makers of proofs of being human serve them from: the end of a host, and the beginning of a path.
const MAKERS: &[(&str, &str)] = &[
    ("google.com", "/recaptcha/"),
    ("recaptcha.net", "/recaptcha/"),
    ("hcaptcha.com", "/"),
    ("challenges.cloudflare.com", "/"),
    ("arkoselabs.com", "/"),
    ("funcaptcha.com", "/"),
    ("captcha-delivery.com", "/"),
    ("geetest.com", "/"),
    ("mtcaptcha.com", "/"),
    ("friendlycaptcha.com", "/"),
    ("smartcaptcha.yandexcloud.net", "/"),
    ("captcha.awswaf.com", "/"),
];

impl ByHand {
    /// Whether this is what the person sends: to an address of the page's own origin that is for coming in, with nothing in it but the
    /// proof, or by whoever makes such proofs to itself. What else would be asked about is asked about.
    pub fn given(&self, decoded: &Decoded, facts: &WireFacts) -> Option<Given> {
        let is_plain = decoded.method == "POST" && decoded.sent_method == "POST" && facts.carried.is_empty();
        if !is_plain || facts.leaks || facts.redirected {
            return None;
        }
        if self.is_to_its_maker(decoded, facts) {
            return Some(Given::ToItsMaker);
        }
        self.is_the_proof(decoded, facts).then_some(Given::ToThePage)
    }

    fn is_the_proof(&self, decoded: &Decoded, facts: &WireFacts) -> bool {
        let is_proof = |field: &Field| match self.proof {
            Proof::Code => is_code(field),
            Proof::Human => is_human(field),
        };
        let others = |fields: &[Field]| fields.iter().filter(|field| !is_proof(field)).cloned().collect();
        // Whatever else is said there, by the address, and by what was pressed before, stays as it is.
        let rest =
            Decoded { fields: others(&decoded.fields), within: others(&decoded.within), ..decoded.clone() };
        let is_own = |address: &Option<String>| {
            address
                .as_deref()
                .and_then(|text| url::Url::parse(text).ok())
                .is_some_and(|url| same_origin(&self.origin, &url.origin().ascii_serialization()))
        };
        same_origin(&self.origin, &decoded.address.origin())
            && is_own(&facts.document)
            && is_own(&facts.page)
            && decoded.operations.is_empty()
            && decoded.files.is_empty()
            && decoded.opaque.is_none()
            && decoded.all().any(is_proof)
            && rest.all().all(is_beside)
            && is_about_who_one_is(decoded)
            && classify(&rest, facts).class != Class::Commit
    }

    /// Proofs of being human are made in frames of those who make them, which speak to their own servers in their own way.
    fn is_to_its_maker(&self, decoded: &Decoded, facts: &WireFacts) -> bool {
        let address = &decoded.address;
        let host = address.host.trim_end_matches('.');
        let is_maker = MAKERS.iter().any(|(maker, path)| {
            let before = host.strip_suffix(maker);
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
                && address.path.starts_with(path)
        });
        let of = |text: &Option<String>| text.as_deref().and_then(|text| url::Url::parse(text).ok());
        let (Some(page), Some(document)) = (of(&facts.page), of(&facts.document)) else { return false };
        self.proof == Proof::Human
            && is_maker
            && address.scheme == "https"
            && same_origin(&self.origin, &page.origin().ascii_serialization())
            && same_origin(&document.origin().ascii_serialization(), &address.origin())
            && !same_site(page.as_str(), address)
    }

    /// Whether a person who does it by hand answers what would have been asked, or stopped only because nobody is asked. What is refused
    /// for any other reason stays refused.
    pub fn answers(ruling: &Ruling) -> bool {
        matches!(ruling, Ruling::Ask(_) | Ruling::Stop(StopReason::Unknown { .. } | StopReason::NoCommits))
    }
}

/// Whether an address is for coming in and nothing else.
fn is_about_who_one_is(decoded: &Decoded) -> bool {
    let said: Vec<String> = segments(decoded)
        .into_iter()
        .filter(|segment| !segment.is_id)
        .flat_map(|segment| segment.words)
        .filter(|word| !is_number(word))
        .collect();
    let is_known =
        |word: &String| is_on(word, &LOGIN) || is_in_line(word, PATHS) || is_in_line(word, CAPTCHAS);
    (comes_in(&said) || any_in_line(&said, WHO)) && said.iter().all(is_known)
}

/// A field for a code with something short in it.
fn is_code(field: &Field) -> bool {
    let said = said(field);
    let value = field.value.trim();
    let is_short = !value.is_empty()
        && value.chars().count() <= LONGEST
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ' '));
    is_short && !said.is_empty() && said.iter().all(|word| is_in_line(word, CODES))
}

/// A field for a proof of being human with something like a token in it.
fn is_human(field: &Field) -> bool {
    let said = said(field);
    is_token(&field.value) && any_in_line(&said, CAPTCHAS) && said.iter().all(|word| is_in_line(word, HUMAN))
}

/// A field that says nothing by itself.
fn is_beside(field: &Field) -> bool {
    let said = said(field);
    if any_in_line(&said, "submit|button|btn") {
        return words(&field.value).iter().all(|word| is_in_line(word, PRESSED));
    }
    let is_flag =
        matches!(field.value.as_str(), "" | "on" | "off" | "true" | "false" | "0" | "1" | "yes" | "no" | "✓");
    !said.is_empty()
        && said.iter().all(|word| is_in_line(word, BESIDE))
        && (is_flag || is_token(&field.value))
}

/// Something that only who made it can read.
fn is_token(value: &str) -> bool {
    value.len() >= 8 && value.chars().all(|c| c.is_ascii_alphanumeric() || "-_.=/+:~|".contains(c))
}

fn said(field: &Field) -> Vec<String> {
    words(&field.name).into_iter().filter(|word| !is_number(word)).collect()
}
