//! A question as people are shown it, whichever way they are asked: every text made visible and bounded.

use std::time::SystemTime;

use legwork_runtime::{Approval, Standing};
use legwork_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::visible;

/// The most characters of what was done, and of an address.
const LONGEST_LINE: usize = 300;
/// The most characters of the caller's own words.
const LONGEST_SAID: usize = 600;
/// The most characters of a value: what is asked of a GraphQL server is one.
const LONGEST_VALUE: usize = 2_100;
/// The most characters of anything else; the card is bounded itself.
const LONGEST: usize = 400;

/// A question as people are shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Its name.
    pub id: String,
    /// Where it stands, in a word.
    pub standing: String,
    /// When it was asked.
    pub asked: String,
    /// Until when it can be answered.
    pub expires: String,
    /// For how many seconds it has waited.
    pub waits: u64,
    /// What was done to which element; none where the page did it by itself.
    pub act: Option<String>,
    /// On which page.
    pub page: String,
    /// The method of the request.
    pub method: String,
    /// Where it would go.
    pub origin: String,
    /// The path there.
    pub path: String,
    /// Sums of money.
    pub amounts: Vec<String>,
    /// What is asked of a GraphQL server.
    pub operations: Vec<String>,
    /// What would be sent.
    pub fields: Vec<ShownField>,
    /// How many fields more.
    pub more_fields: usize,
    /// The names of fields that may still change.
    pub may_change: Vec<String>,
    /// The files that would be sent.
    pub files: Vec<String>,
    /// Why it can't be inspected, if it can't.
    pub not_inspected: Option<String>,
    /// Why it is asked.
    pub reasons: Vec<String>,
    /// What the caller says it is for. Its own words: they may be anything.
    pub caller_says: Option<String>,
    /// Whether a yes may hold for the same place until the session ends.
    #[serde(default)]
    pub offers_errand: bool,
    /// Where it can be answered, with the code.
    pub url: Option<String>,
}

/// A field of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownField {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Shown {
    /// A question, and where it stands.
    pub fn of(approval: &Approval, standing: Standing) -> Self {
        let (question, card) = (&approval.question, &approval.question.card);
        let all = |texts: &[String]| texts.iter().map(|text| visible(text, LONGEST)).collect::<Vec<String>>();
        let now = Timestamp::of(SystemTime::now());
        let field = |field: &legwork_runtime::CardField| ShownField {
            name: visible(&field.name, LONGEST),
            value: visible(&field.value, LONGEST_VALUE),
        };
        Self {
            id: approval.id.to_string(),
            standing: standing.word().to_owned(),
            asked: approval.asked.to_string(),
            expires: approval.expires.to_string(),
            waits: now.millis().saturating_sub(approval.asked.millis()) / 1_000,
            act: question.act.as_deref().map(|act| visible(act, LONGEST_LINE)),
            page: visible(&question.page, LONGEST_LINE),
            method: visible(&card.method, LONGEST),
            origin: visible(&card.origin, LONGEST),
            path: visible(&card.path, LONGEST),
            amounts: all(&card.amounts),
            operations: all(&card.operations),
            fields: card.fields.iter().map(field).collect(),
            more_fields: card.more_fields,
            may_change: all(&card.opaque),
            files: all(&card.files),
            not_inspected: card.not_inspected.as_deref().map(|why| visible(why, LONGEST)),
            reasons: all(&card.reasons),
            caller_says: question.said.as_deref().map(|said| visible(said, LONGEST_SAID)),
            offers_errand: question.offers_errand,
            url: approval.url_with_code(),
        }
    }

    /// In one line: `POST https://shop.example/order, total: 12.00`.
    pub fn in_short(&self) -> String {
        let request = format!("{} {}{}", self.method, self.origin, self.path);
        match self.amounts.is_empty() {
            true => request,
            false => format!("{request}, {}", self.amounts.join(", ")),
        }
    }

    /// A moment without what follows the seconds: `2026-11-15 23:00:00 UTC`.
    pub(crate) fn moment(text: &str) -> String {
        let whole = text.split('.').next().unwrap_or(text).replace('T', " ");
        format!("{whole} UTC")
    }
}
