//! Which controls hold what nobody else should see.

use std::sync::LazyLock;

use super::{
    roles::Use,
    words::{Lexicon, Words},
};
use crate::capture::{Control, Flag};

/// What a sensitive control holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Secrecy {
    /// A password that is in use.
    Password,
    /// A password that is to be.
    NewPassword,
    /// A code that is good once.
    OneTimeCode,
    /// A card, an account of a bank.
    Payment,
    /// A number that a person is known by, a PIN.
    Personal,
}

/// Plain letters only; see [`super::fold`].
static LABELS: LazyLock<Lexicon<Option<Secrecy>>> = LazyLock::new(|| {
    Lexicon::of(&[
        (
            Some(Secrecy::Password),
            &[
                "password|passwords|passwd|pwd|passcode|passphrase|pass phrase|pass word",
                "passwort|kennwort|mot de passe|motdepasse|contrasena|clave|parola d ordine|wachtwoord|palavra passe",
                "senha|haslo|secret key|private key|api key|access token|secret token|recovery phrase|seed phrase",
            ],
        ),
        (
            Some(Secrecy::NewPassword),
            &["new password|newpassword|confirm password|repeat password|neues passwort"],
        ),
        (
            Some(Secrecy::OneTimeCode),
            &[
                "otp|totp|one time code|one time password|onetimecode|verification code|authentication code|auth code",
                "authenticator code|two factor code|2fa code|2fa|mfa code|sms code|6 digit code|six digit code|mtan",
                "bestatigungscode|verifizierungscode|einmalcode|einmalpasswort|sicherheitscode per sms",
                "code de verification|code a usage unique|codigo de verificacion|codigo de un solo uso",
                "codice di verifica|codice monouso|verificatiecode|eenmalige code|codigo de verificacao",
                "kod weryfikacyjny|kod jednorazowy|kod sms|recovery code|backup code",
            ],
        ),
        (
            Some(Secrecy::Payment),
            &[
                "card number|cardnumber|card no|cc number|ccnumber|credit card|creditcard|debit card|debit card number",
                "cvc|cvv|cvc2|cvv2|csc|card security code|security code|card verification|card code",
                "expiry|expiration date|expiration month|expiration year|expiry date|exp date|card expiry|mm yy|mm yyyy",
                "iban|bic|account number|routing number|sort code|bank account",
                "kartennummer|kreditkarte|kreditkartennummer|prufziffer|prufnummer|kartenprufnummer|ablaufdatum",
                "gultig bis|kontonummer|numero de carte|carte bancaire|carte de credit|cryptogramme|date d expiration",
                "numero de tarjeta|tarjeta de credito|codigo de seguridad|fecha de caducidad|fecha de vencimiento",
                "numero di carta|numero della carta|carta di credito|codice di sicurezza|data di scadenza",
                "kaartnummer|creditcardnummer|beveiligingscode|vervaldatum|rekeningnummer",
                "numero do cartao|cartao de credito|codigo de seguranca|data de validade|validade do cartao",
                "numer karty|karta kredytowa|kod cvc|kod cvv|data waznosci|numer konta|numer rachunku",
            ],
        ),
        (
            Some(Secrecy::Personal),
            &[
                "ssn|social security|social security number|national insurance number|national id|tax id|tin|itin|passport number",
                "sozialversicherungsnummer|steuer id|steueridentifikationsnummer|personalausweisnummer|reisepassnummer",
                "numero de securite sociale|numero de seguridad social|dni|codice fiscale|bsn|burgerservicenummer",
                "cpf|pesel|pin|pin code|pincode|pin number",
            ],
        ),
        // Words that only look like the ones above: a code of another kind, or a matter that is not the secret itself.
        (
            None,
            &[
                "forgot password|show password|hide password|remember password|reset password|passwort vergessen",
                "passwort anzeigen|mot de passe oublie|delivery pin code|area pin code|palabra clave|palabras clave",
                "gift card|gift card number|drop a pin|pin location",
            ],
        ),
    ])
});

fn by_autocomplete(token: &str) -> Option<Secrecy> {
    match token {
        "current-password" => Some(Secrecy::Password),
        "new-password" => Some(Secrecy::NewPassword),
        "one-time-code" => Some(Secrecy::OneTimeCode),
        _ if token.starts_with("cc-") => Some(Secrecy::Payment),
        _ => None,
    }
}

fn by_words(words: &Words) -> Option<Secrecy> {
    LABELS.hits(words).find_map(|hit| hit.value)
}

/// What kind of secret this control holds, if any: by its type, by what it asks the browser to fill in, by its label.
pub(super) fn secrecy(control: &Control, usage: Use) -> Option<Secrecy> {
    let attributes = &control.attributes;
    let autocomplete = attributes.autocomplete.as_ref().map(|text| text.untrusted().to_ascii_lowercase());
    let by_autocomplete =
        autocomplete.as_ref().and_then(|text| text.split_ascii_whitespace().find_map(by_autocomplete));
    if by_autocomplete.is_some() {
        return by_autocomplete;
    }
    let is_password =
        attributes.kind.as_ref().is_some_and(|kind| kind.untrusted().eq_ignore_ascii_case("password"));
    if is_password || control.state.has(Flag::Secret) {
        let named = by_words(&Words::of(control.name.untrusted()));
        return Some(named.unwrap_or(Secrecy::Password));
    }
    let is_choice = control.state.has(Flag::Multiple)
        || matches!(&*control.role, "checkbox" | "radio" | "switch" | "slider" | "ColorWell");
    if !matches!(usage, Use::Write | Use::Choose) || is_choice {
        return None;
    }
    let label = by_words(&Words::of(control.name.untrusted()));
    let identifiers = || {
        [&attributes.name, &attributes.id, &attributes.test_id]
            .into_iter()
            .flatten()
            .find_map(|text| by_words(&Words::of_identifier(text.untrusted())))
    };
    let hints = || {
        [&attributes.placeholder]
            .into_iter()
            .flatten()
            .find_map(|text| by_words(&Words::of(text.untrusted())))
    };
    label.or_else(identifiers).or_else(hints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_in_plain_letters() {
        LABELS.assert_plain_letters();
    }

    #[test]
    fn labels_of_secrets_and_their_harmless_twins() {
        for (label, expected) in [
            ("Card number", Some(Secrecy::Payment)),
            ("CVC", Some(Secrecy::Payment)),
            ("Contraseña", Some(Secrecy::Password)),
            ("Código de verificación", Some(Secrecy::OneTimeCode)),
            ("PIN", Some(Secrecy::Personal)),
            ("IBAN", Some(Secrecy::Payment)),
            ("Postcode", None),
            ("Business card", None),
            ("Show password", None),
            ("Spinning", None),
            ("Company", None),
        ] {
            assert_eq!(by_words(&Words::of(label)), expected, "{label}");
        }
    }
}
