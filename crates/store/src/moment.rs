//! Moments in rows: milliseconds since 1970.

use std::time::{Duration, UNIX_EPOCH};

use legwork_types::Timestamp;
use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn of_millis(millis: u64) -> Timestamp {
    Timestamp::of(UNIX_EPOCH + Duration::from_millis(millis))
}

pub(crate) fn serialize<S: Serializer>(moment: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(moment.millis())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    u64::deserialize(deserializer).map(of_millis)
}
