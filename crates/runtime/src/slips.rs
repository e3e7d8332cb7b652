//! Slips in a TOML text: at which line something stands, and which word was most likely meant.

use std::fmt;

use serde_path_to_error::{Path, Segment};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// One step of the way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// What is under this key.
    Key(String),
    /// What stands here in a list, from 0 on.
    At(usize),
}

impl Step {
    /// The way in words: `hosts.example[0].url`.
    pub fn path(steps: &[Self]) -> String {
        let path = steps.iter().map(|step| format!(".{step}")).collect::<String>().replace(".[", "[");
        path.trim_start_matches('.').to_owned()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::At(index) => write!(f, "[{index}]"),
        }
    }
}

/// The steps that stand in the text: what carries places of values along does not.
pub fn steps_of(path: &Path) -> Vec<Step> {
    let step = |segment: &Segment| match segment {
        Segment::Map { key } if !key.starts_with('$') => Some(Step::Key(key.clone())),
        Segment::Seq { index } => Some(Step::At(*index)),
        Segment::Map { .. } | Segment::Enum { .. } | Segment::Unknown => None,
    };
    path.iter().filter_map(step).collect()
}

/// The line of what these steps lead to, from 1 on; a key that is not known has a value too.
pub fn line_of(steps: &[Step], text: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let (mut value, mut rest) = (None::<&Spanned<DeValue<'_>>>, steps.iter());
    if let Some(Step::Key(key)) = rest.next() {
        value = document.get_ref().get(key.as_str());
    }
    for step in rest {
        value = match step {
            Step::Key(key) => value?.get_ref().get(key.as_str()),
            Step::At(index) => value?.get_ref().get(*index),
        };
    }
    value.map(|value| line_at(text, value.span().start))
}

/// The line at which a byte of the text stands, from 1 on.
pub fn line_at(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|byte| *byte == b'\n').count()
}

/// The word that was most likely meant, where what was said names the words that are known.
pub fn near(said: &str) -> Option<String> {
    let all = words(said);
    let (written, known) = all.split_first().filter(|_| said.starts_with("unknown"))?;
    nearest(written, known.iter().copied()).map(str::to_owned)
}

/// The one of these words that is most like what was written, if it is like it.
pub fn nearest<'w>(written: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let written = written.to_lowercase();
    let distance = |word: &&str| strsim::osa_distance(&written, word);
    let nearest = known.into_iter().min_by_key(distance)?;
    let is_near = distance(&nearest) <= 1 + nearest.len() / 4;
    is_near.then_some(nearest)
}

/// The words between backquotes.
pub fn words(said: &str) -> Vec<&str> {
    said.split('`').skip(1).step_by(2).collect()
}

/// The first word between backquotes, where what was said begins so.
pub fn quoted<'s>(said: &'s str, before: &str) -> Option<&'s str> {
    said.starts_with(before).then(|| words(said).first().copied()).flatten()
}
