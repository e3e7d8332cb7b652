//! What was caught on the wire, and what callers are told of it.

use std::sync::Arc;

use legwork_policy::{
    places::Denial,
    wire::{Card, Class, Classed, Decoded, OpaqueField, StopReason, WireFacts, card},
};
use legwork_types::{
    Code, Details, PageText, Problem,
    contract::{CaughtField, CaughtRequest},
};

use crate::approvals::Approval;

/// A request that did not leave.
#[derive(Debug, Clone)]
pub(crate) struct Caught {
    pub(crate) what: Catch,
    /// What was being done, in words.
    act: Option<String>,
    class: Class,
    card: Card,
    is_document: bool,
}

/// Why it did not.
#[derive(Debug, Clone)]
pub(crate) enum Catch {
    /// Nothing may go there.
    Denied(Denial),
    /// It may not be done.
    Stopped(StopReason),
    /// It may be done if somebody says yes, and nobody is there who could.
    NobodyToAsk,
    /// It may be done if somebody says yes, but nobody could be shown what to.
    NotReadable,
    /// It may be done if somebody says yes, but too much is asked already.
    TooMany,
    /// It may be done if somebody says yes, but not in a browser that nobody vouches for.
    Degraded,
    /// It left before the page or the browser was lost, or may have.
    SentBefore,
    /// It may be done if somebody says yes.
    Asked {
        /// The question.
        approval: Arc<Approval>,
        /// Whether it waits, and leaves by itself after a yes.
        is_held: bool,
        /// What a caller may echo, where that counts.
        echo: Option<String>,
    },
}

impl Caught {
    pub(crate) fn new(what: Catch, decoded: &Decoded, classed: &Classed, facts: &WireFacts) -> Self {
        Self::shown(what, decoded, classed, card(decoded, classed, &[], facts))
    }

    pub(crate) fn shown(what: Catch, decoded: &Decoded, classed: &Classed, card: Card) -> Self {
        let is_document = super::is_document(decoded);
        Self { what, act: None, class: classed.class, card: card.for_callers(), is_document }
    }

    /// The same, while this was being done.
    pub(super) fn during(self, act: Option<String>) -> Self {
        Self { act, ..self }
    }

    /// Whether it is what an act was for, rather than something that its page does beside: a document, or what can't be undone.
    pub(crate) fn is_grave(&self) -> bool {
        let is_told = matches!(
            self.what,
            Catch::Asked { .. }
                | Catch::Degraded
                | Catch::SentBefore
                | Catch::Stopped(StopReason::SecretElsewhere)
        );
        self.is_document || self.class == Class::Commit || is_told
    }

    /// The question that it became, if it did.
    pub(crate) fn approval(&self) -> Option<&Arc<Approval>> {
        match &self.what {
            Catch::Asked { approval, .. } => Some(approval),
            _ => None,
        }
    }

    /// What a caller is told.
    pub(crate) fn problem(&self) -> Problem {
        let reasons = self.card.reasons.join("; ");
        match &self.what {
            Catch::Denied(denial) => Problem::from(denial),
            Catch::Stopped(StopReason::SentAgain) => Problem::new(
                Code::NavigationBlocked,
                "going there would send a form a second time",
                "go on by a link or an address instead",
            )
            .because("rule: sent-again")
            .with(self.details(None, None)),
            Catch::Stopped(StopReason::Denied) => Problem::new(
                Code::ApprovalDenied,
                "somebody said no to this: it was not sent, and will not be for the rest of this session",
                "tell the user, and do not try it again in other words",
            )
            .with(self.details(None, None)),
            Catch::Stopped(StopReason::SecretElsewhere) => Problem::new(
                Code::SecretRefused,
                "the page would have sent a secret to where it is not meant for: it was stopped",
                "tell the user, and leave this page alone",
            )
            .because("rule: wire")
            .with(self.details(None, None)),
            Catch::Stopped(stopped) => {
                let allow_with = match stopped {
                    StopReason::Unknown { rule } => rule.clone(),
                    _ => None,
                };
                let hint = match stopped {
                    StopReason::NoWrites => {
                        "nothing is written in this mode; the operator may choose another one"
                    }
                    StopReason::Unknown { rule: None } => {
                        "nothing tells what it does, and no rule can: it goes to the whole site; with --live a person is asked"
                    }
                    StopReason::Unknown { rule: Some(_) } => {
                        "if it only prepares something, the operator can allow it as allowWith says; with --live a person is asked"
                    }
                    _ => {
                        "say that it was not done; with --live a person is asked, and it is done after a yes"
                    }
                };
                Problem::new(
                    Code::DryRunBlocked,
                    "DRY RUN: what this would send was stopped, nothing was sent",
                    hint,
                )
                .because(reasons)
                .with(self.details(None, allow_with))
            }
            Catch::NobodyToAsk => Problem::new(
                Code::SafetyConfirmationRequired,
                "this needs a yes, and nobody may give it here: it was not sent",
                "let a person do this step, or start Legwork with --confirm human",
            )
            .because(reasons)
            .with(self.details(None, None)),
            Catch::NotReadable => Problem::new(
                Code::SafetyConfirmationRequired,
                "this needs a yes, and what it carries can't be read here, so nobody can be asked: it was not sent",
                "let a person do this step; a file that a form takes along is one that can't be read",
            )
            .because(reasons)
            .with(self.details(None, None)),
            Catch::TooMany => Problem::new(
                Code::SafetyConfirmationRequired,
                "this needs a yes, and too many questions of this session wait already: it was not sent",
                "let the user answer those first, then do the same again",
            )
            .because(reasons)
            .with(self.details(None, None)),
            Catch::SentBefore => Problem::new(
                Code::UnknownOutcome,
                "this was approved and sent before the browser was lost, or may have been: it is not sent again",
                "find out whether it was taken, such as in a list of orders; if that can't be seen, say so",
            )
            .with(self.details(None, None)),
            Catch::Degraded => Problem::new(
                Code::BarrierUnproved,
                "this would need a yes, and nobody vouches for this browser: it was not sent",
                "let a person do this step; where the browser is known, the operator may start Legwork with --trust-endpoint",
            )
            .with(self.details(None, None)),
            Catch::Asked { is_held, .. } => {
                let hint = match is_held {
                    true => {
                        "it waits, and leaves by itself after a yes: tell the user, then look at the page again"
                    }
                    false => "tell the user; after a yes do the same again",
                };
                Problem::new(Code::SafetyConfirmationRequired, "this needs a yes: it was not sent", hint)
                    .because(reasons)
                    .with(self.details(Some(&self.what), None))
            }
        }
    }

    fn details(&self, asked: Option<&Catch>, allow_with: Option<String>) -> Details {
        let (approval, held, echo) = match asked {
            Some(Catch::Asked { approval, is_held, echo }) => (Some(approval), *is_held, echo.clone()),
            _ => (None, false, None),
        };
        Details::Caught {
            act: self.act.as_deref().map(PageText::from),
            request: Box::new(self.request()),
            approval_id: approval.map(|approval| approval.id.to_string()),
            approval_url: approval.and_then(|approval| approval.url.clone()),
            required_confirmation_text: echo,
            held,
            reasons: self.card.reasons.clone(),
            allow_with,
        }
    }

    fn request(&self) -> CaughtRequest {
        let text = |text: &String| PageText::from(text.as_str());
        let texts = |texts: &[String]| texts.iter().map(text).collect();
        let card = &self.card;
        CaughtRequest {
            class: self.class.word(),
            method: card.method.clone(),
            origin: text(&card.origin),
            path: text(&card.path),
            amounts: texts(&card.amounts),
            operations: texts(&card.operations),
            fields: card
                .fields
                .iter()
                .map(|field| CaughtField { name: text(&field.name), value: text(&field.value) })
                .collect(),
            more_fields: card.more_fields,
            opaque: texts(&card.opaque),
            files: texts(&card.files),
            not_inspected: card.not_inspected.clone(),
        }
    }
}

/// What has to be echoed to say yes to a request: what it is, never how dangerous it seems. A yes to one sum is no yes to another.
pub(super) fn echo(card: &Card, decoded: &Decoded, opaque: &[OpaqueField]) -> String {
    let sums = match card.amounts.is_empty() {
        true => format!("{} fields", card.fields.len() + card.more_fields + opaque.len()),
        false => card.amounts.join(", "),
    };
    // Two requests with the same sum may have different payees: the words are of the whole request.
    let [a, b, c, d, ..] = decoded.digest;
    let name = format!("#{a:02x}{b:02x}{c:02x}{d:02x}");
    format!("CONFIRM {} {}{} with {sums} {name}", card.method, card.origin, card.path)
}

#[cfg(test)]
mod tests {
    use legwork_policy::wire::{classify, decode};
    use legwork_types::{Outgoing, OutgoingBody, OutgoingKind, Sender};

    use super::*;

    fn request(body: &str) -> (Decoded, Classed, Card) {
        let outgoing = Outgoing {
            method: "POST".into(),
            url: "https://bank.test/pay".into(),
            headers: vec![("content-type".into(), "application/x-www-form-urlencoded".into())],
            body: OutgoingBody::Bytes(body.as_bytes().to_vec()),
            kind: OutgoingKind::Page,
            sender: Sender::default(),
            redirected: false,
            hops: vec![],
        };
        let (decoded, facts) = (decode(&outgoing), WireFacts::of(&outgoing));
        let classed = classify(&decoded, &facts);
        let card = card(&decoded, &classed, &[], &facts);
        (decoded, classed, card)
    }

    #[test]
    fn a_yes_to_one_sum_or_payee_is_no_yes_to_another_however_many_there_are() {
        let words = |body: &str| {
            let (decoded, _, card) = request(body);
            echo(&card, &decoded, &[])
        };
        assert!(words("to=ada&amount=5").starts_with("CONFIRM POST https://bank.test/pay with amount: 5 #"));
        assert_ne!(words("amount=5"), words("amount=6"));
        assert_ne!(words("to=ada&amount=5"), words("to=eve&amount=5"), "the payee is part of it");
        let many = |last: u8| {
            let prices: String = (0..12).map(|at| format!("items.{at}.price=1&")).collect();
            format!("{prices}last.price={last}")
        };
        assert_eq!(words(&many(1)), words(&many(1)));
        assert_ne!(words(&many(1)), words(&many(2)));
        assert!(words(&format!("{}&total=13", many(1))).contains("with total: 13, items.0.price: 1,"));
    }

    #[test]
    fn callers_are_not_told_numbers_of_accounts() {
        let (decoded, classed, card) = request("payee=ada&iban=DE89370400440532013000&amount=5");
        let caught = Caught::shown(Catch::NobodyToAsk, &decoded, &classed, card);
        let told = caught.request();
        let fields: Vec<(&str, &str)> =
            told.fields.iter().map(|field| (field.name.untrusted(), field.value.untrusted())).collect();
        assert_eq!(fields, [("payee", "ada"), ("iban", "••••"), ("amount", "5")]);
    }
}
