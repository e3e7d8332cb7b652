//! What happens to an errand, as news for programs: a JSON object for each, on a line of its own.
//!
//! The topics are those of Mozilla's Pilo, so that programs know them already; what the news hold is our own. They never hold pictures,
//! views of pages, what was typed, or what a model said as its vendor wrote it: all that is in the log, for whoever may read it.

mod data;
mod metrics;
mod newsroom;
mod topic;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::visible::hides;

pub use newsroom::Newsroom;
pub use topic::Topic;

/// One piece of news.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct News {
    /// What it is about.
    pub event: Topic,
    /// When it was: milliseconds since 1970.
    pub timestamp: u64,
    /// The errand and the number of its turn; 0 before the first one.
    pub iteration_id: String,
    /// What is to be known of it. What pages wrote is in it as strings, and nowhere else.
    pub data: Map<String, Value>,
}

impl News {
    /// All of it on one line, without its end. What could not be seen on a terminal is written as JSON escapes it.
    pub fn line(&self) -> String {
        // Keys are strings and numbers are finite: there is nothing that could not be written.
        let json = serde_json::to_string(self).unwrap_or_default();
        let mut line = String::with_capacity(json.len());
        for c in json.chars() {
            match hides(c) {
                true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| line += &format!("\\u{unit:04x}")),
                false => line.push(c),
            }
        }
        line
    }
}
