//! The pictures of an errand: all beside its log, the latest at hand for the model.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use legwork_types::model::Picture;

use super::Journal;

/// Pictures that may still be asked for.
const AT_HAND: usize = 2;

/// What was pictured so far.
#[derive(Default)]
pub(super) struct Album {
    at_hand: VecDeque<(String, Picture)>,
    taken: u32,
}

impl Album {
    /// The name of a picture that was taken just now.
    pub(super) fn name(&mut self, bytes: &[u8]) -> String {
        self.taken += 1;
        format!("ota-{:04}.{}", self.taken, kind_of(bytes).0)
    }

    /// Writes a picture that the model is shown beside the log, under a name.
    pub(super) async fn keep(&mut self, journal: &mut impl Journal, bytes: &[u8]) -> String {
        let name = self.name(bytes);
        journal.keep_picture(&name, bytes).await;
        let picture = Picture { media_type: kind_of(bytes).1, base64: BASE64_STANDARD.encode(bytes) };
        if self.at_hand.len() >= AT_HAND {
            self.at_hand.pop_front();
        }
        self.at_hand.push_back((name.clone(), picture));
        name
    }

    /// One of the latest.
    pub(super) fn find(&self, name: &str) -> Option<Picture> {
        self.at_hand.iter().find(|(kept, _)| kept == name).map(|(_, picture)| picture.clone())
    }
}

/// How the file of a picture ends, and what vendors call it. Our own are JPEG; those of other people's browsers may be PNG.
fn kind_of(picture: &[u8]) -> (&'static str, &'static str) {
    match picture.starts_with(b"\x89PNG") {
        true => ("png", "image/png"),
        false => ("jpg", "image/jpeg"),
    }
}

/// By what two pictures are told apart.
pub(super) fn digest(picture: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    picture.hash(&mut hasher);
    hasher.finish()
}
