//! What a person sends who proves by hand who they are: a code, or that they are human. It says that and nothing more.

use super::{
    Class, Decoded, Field, WireFacts, classify,
    evidence::is_number,
    logins::belongs_to_login,
    secrets::same_origin,
    words::{any_in_line, is_in_line, words},
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

/// Words of fields for codes, besides those of forms for coming in.
const CODES: &str = "code|otp|totp|mfa|2fa|fa|pin|digit|digits|sms|one|time|passcode|verify|verification|auth|authenticator|trust|trusted|browser|kod|codigo|kodu";
/// Words of those who make such proofs, in their addresses.
const MAKERS: &str = "captcha|recaptcha|hcaptcha|turnstile|challenge|challenges|funcaptcha|arkoselabs";
/// The longest code.
const LONGEST: usize = 12;

impl ByHand {
    /// Whether this is what the person sends: to the page's own origin with nothing in it but the proof, or by whoever makes such proofs to
    /// itself. What else would be asked about is asked about.
    pub fn is_given_by(&self, decoded: &Decoded, facts: &WireFacts) -> bool {
        let is_plain = decoded.method == "POST"
            && decoded.sent_method == "POST"
            && decoded.operations.is_empty()
            && decoded.files.is_empty()
            && decoded.opaque.is_none()
            && facts.carried.is_empty()
            && !facts.leaks;
        is_plain && (self.is_the_proof(decoded, facts) || self.is_of_its_maker(decoded, facts))
    }

    fn is_the_proof(&self, decoded: &Decoded, facts: &WireFacts) -> bool {
        let is_proof = |field: &Field| match self.proof {
            Proof::Code => is_code(field),
            Proof::Human => any_in_line(&words(&field.name), MAKERS),
        };
        let is_own = |field: &Field| is_proof(field) || belongs_to_login(field);
        // Whatever the address and what was pressed before say stays as it is.
        let said = Decoded { fields: vec![], within: vec![], ..decoded.clone() };
        same_origin(&self.origin, &decoded.address.origin())
            && decoded.all().any(is_proof)
            && decoded.all().all(is_own)
            && classify(&said, facts).class != Class::Commit
    }

    /// Proofs of being human are made in frames of others, which speak to their own servers.
    fn is_of_its_maker(&self, decoded: &Decoded, facts: &WireFacts) -> bool {
        let address = &decoded.address;
        let document = facts.document.as_deref().and_then(|document| url::Url::parse(document).ok());
        let is_maker =
            words(&address.host).iter().chain(&words(&address.path)).any(|word| is_in_line(word, MAKERS));
        self.proof == Proof::Human
            && is_maker
            && document.is_some_and(|document| {
                same_origin(&document.origin().ascii_serialization(), &address.origin())
            })
    }
}

/// A field for a code with something short in it.
fn is_code(field: &Field) -> bool {
    let said: Vec<String> = words(&field.name).into_iter().filter(|word| !is_number(word)).collect();
    let value = field.value.trim();
    let is_short = !value.is_empty()
        && value.chars().count() <= LONGEST
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ' '));
    is_short && !said.is_empty() && said.iter().all(|word| is_in_line(word, CODES))
}
