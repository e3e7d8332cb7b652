//! Ids as types of their own, so that a tab is never mistaken for a frame.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A tab, as callers name it: `t1`, `t2`, … in order of appearance, never reused in one browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TabId(u32);

impl TabId {
    /// The `n`th tab that this browser showed, counted from 1.
    pub fn nth(n: u32) -> Self {
        Self(n)
    }
}

impl fmt::Display for TabId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl Serialize for TabId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TabId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        let number = text.strip_prefix('t').and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or_else(|| serde::de::Error::custom("a tab's id is a t and a number"))
    }
}

/// A frame, as Chromium names it. It keeps its id when it moves to another process.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameId(String);

impl FrameId {
    /// Takes the id as the browser wrote it.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id as the browser wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FrameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
