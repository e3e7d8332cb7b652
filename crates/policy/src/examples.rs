//! Examples that the operator writes beside rules: judged by the very functions that serve later, so that a rule that does
//! something else than its writer believes is found before anybody is served.

use std::{fmt, str::FromStr};

use legwork_types::{Outgoing, OutgoingBody, OutgoingKind, Sender};
use url::{Url, form_urlencoded};

use crate::{
    places::{Denial, DenialReason, Place, Reach, decide_place},
    wire::{Class, Mode, PrepareRule, Ruling, SessionKind, WireFacts, WireRules, classify, decode, rule},
};

/// An example came out otherwise than it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    /// What was written.
    pub expected: &'static str,
    /// What came out.
    pub found: &'static str,
    /// Why it did.
    pub because: String,
}

impl fmt::Display for Surprise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, found, because } = self;
        write!(f, "expected {expected}, came out {found}: {because}")
    }
}

/// An address, and whether it may be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceExample {
    /// The whole address.
    pub url: String,
    /// What the operator believes.
    pub expected: Access,
}

/// Whether a place may be reached, as far as that can be told before its name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It may.
    Allowed,
    /// It may not.
    Denied,
}

impl Access {
    fn word(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
        }
    }
}

impl PlaceExample {
    /// Whether it comes out as written.
    pub fn check(&self, reach: &Reach) -> Result<(), Surprise> {
        let decided = Place::of_url(&self.url)
            .map_err(|refusal| Denial::of_text(&refusal, &self.url))
            .and_then(|place| decide_place(&place, reach));
        let expected = self.expected.word();
        let (found, because) = match decided {
            Ok(_) => (Access::Allowed.word(), "no rule forbids it".to_owned()),
            // What is no address is denied under any rules: it would be an example of nothing.
            Err(denial) if denial.reason == DenialReason::Malformed => ("no address", denial.why()),
            Err(denial) => (Access::Denied.word(), denial.why()),
        };
        if found == expected { Ok(()) } else { Err(Surprise { expected, found, because }) }
    }
}

/// A request, and what the operator believes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestExample {
    /// `POST`
    pub method: String,
    /// Where it goes to.
    pub url: String,
    /// The page that sends it; one of the same origin where none is named.
    pub page: Option<String>,
    /// What it says.
    pub fields: Vec<(String, String)>,
    /// How that is written.
    pub form: ExampleForm,
    /// What the operator believes.
    pub expected: Expected,
}

/// How the fields of an example are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExampleForm {
    /// As forms do.
    #[default]
    Form,
    /// As JSON.
    Json,
}

/// What is believed of a request: what it does, or what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected(&'static str);

const CLASSES: [Class; 8] = [
    Class::Read,
    Class::Telemetry,
    Class::Session(SessionKind::Login),
    Class::Session(SessionKind::Consent),
    Class::Session(SessionKind::Logout),
    Class::Prepare,
    Class::Commit,
    Class::Unknown,
];
const RULINGS: [&str; 4] = ["go", "drop", "ask", "stop"];

impl Expected {
    /// Every word for it.
    pub fn words() -> impl Iterator<Item = &'static str> {
        CLASSES.into_iter().map(Class::word).chain(RULINGS)
    }

    /// Whether it is about what a request does, and not about what becomes of it.
    pub fn is_class(self) -> bool {
        !RULINGS.contains(&self.0)
    }
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::words().find(|word| *word == text).map(Self);
        known.ok_or_else(|| {
            let words: Vec<String> = Self::words().map(|word| format!("`{word}`")).collect();
            format!("unknown variant `{text}`, expected one of {}", words.join(", "))
        })
    }
}

/// The rules that a request is judged by.
#[derive(Debug, Clone, Copy)]
pub struct WirePolicy<'p> {
    /// How far errands may go.
    pub mode: Mode,
    /// Sites that errands are about, besides that of the page.
    pub sites: &'p [String],
    /// What the operator calls preparing.
    pub prepare: &'p [PrepareRule],
}

impl RequestExample {
    /// Whether it comes out as written, for an errand about the site of its page.
    pub fn check(&self, policy: WirePolicy<'_>) -> Result<(), Surprise> {
        let outgoing = self.outgoing();
        let page = outgoing.sender.page.clone().into_iter();
        let facts = WireFacts {
            own_sites: policy.sites.iter().cloned().chain(page).collect(),
            prepare: policy.prepare.to_vec(),
            ..WireFacts::of(&outgoing)
        };
        let decoded = decode(&outgoing);
        let classed = classify(&decoded, &facts);
        let Expected(expected) = self.expected;
        let because = classed.reasons.join("; ");
        let (found, because) = match self.expected.is_class() {
            true => (classed.class.word(), because),
            false => {
                let ruling = rule(&classed, &decoded, policy.mode, &WireRules::default(), &facts);
                (ruling_word(&ruling), format!("{} ({because})", classed.class.word()))
            }
        };
        if found == expected { Ok(()) } else { Err(Surprise { expected, found, because }) }
    }

    /// The request as a script of the page would send it.
    fn outgoing(&self) -> Outgoing {
        let page = self.page.clone().or_else(|| {
            let url = Url::parse(&self.url).ok()?;
            Some(format!("{}/", url.origin().ascii_serialization()))
        });
        let sender = Sender { page: page.clone(), document: page, ..Sender::default() };
        let (mut url, mut headers, mut body) = (self.url.clone(), vec![], OutgoingBody::None);
        let written = form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.fields).finish();
        let carries_nothing = ["GET", "HEAD"].iter().any(|safe| self.method.eq_ignore_ascii_case(safe));
        let content = match self.form {
            _ if self.fields.is_empty() => None,
            ExampleForm::Form if carries_nothing => {
                url.push(if url.contains('?') { '&' } else { '?' });
                url.push_str(&written);
                None
            }
            ExampleForm::Form => Some(("application/x-www-form-urlencoded", written)),
            ExampleForm::Json => Some(("application/json", json(&self.fields))),
        };
        if let Some((kind, written)) = content {
            headers.push(("content-type".to_owned(), kind.to_owned()));
            body = OutgoingBody::Bytes(written.into_bytes());
        }
        let kind = OutgoingKind::Script;
        Outgoing {
            method: self.method.clone(),
            url,
            kind,
            headers,
            body,
            sender,
            redirected: false,
            hops: vec![],
        }
    }
}

fn json(fields: &[(String, String)]) -> String {
    let fields = fields.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    serde_json::Value::Object(fields.collect()).to_string()
}

fn ruling_word(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Go => "go",
        Ruling::Drop => "drop",
        Ruling::Ask(_) => "ask",
        Ruling::Stop(_) => "stop",
    }
}
