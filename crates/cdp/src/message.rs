//! Reads the outline of one message; what it carries stays raw. Pure.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{SessionId, error::Attribution};

/// One message, borrowed from its frame.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Reply { id: u64, outcome: Outcome<'a> },
    Event { method: Cow<'a, str>, session: Option<Cow<'a, str>>, params: &'a str },
}

#[derive(Debug)]
pub(crate) enum Outcome<'a> {
    Result(&'a str),
    Refusal { code: i64, message: String },
}

#[derive(Deserialize)]
struct Outline<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: crate::Lossy,
}

/// Reads a message, or says why it is none.
pub(crate) fn read(frame: &[u8]) -> Result<Message<'_>, String> {
    let outline: Outline<'_> = serde_json::from_slice(frame).map_err(|error| error.to_string())?;
    match (outline.id, outline.method) {
        (Some(id), _) => {
            let outcome = match outline.error {
                Some(Refusal { code, message }) => Outcome::Refusal { code, message: message.0 },
                None => Outcome::Result(outline.result.map_or("{}", RawValue::get)),
            };
            Ok(Message::Reply { id, outcome })
        }
        (None, Some(method)) => {
            let params = outline.params.map_or("{}", RawValue::get);
            Ok(Message::Event { method, session: outline.session, params })
        }
        (None, None) => Err("neither a reply nor an event".into()),
    }
}

/// Whom a damaged message belonged to. Chromium writes `id` first and `sessionId` last; page text can't imitate either,
/// because quotes inside JSON strings are escaped.
pub(crate) fn attribute(head: &[u8], tail: &[u8]) -> Attribution {
    let id = head.strip_prefix(br#"{"id":"#).and_then(|rest| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
    });
    let session = (|| {
        const KEY: &[u8] = br#""sessionId":""#;
        let value = tail.strip_suffix(br#""}"#)?;
        let start = memchr::memmem::rfind(value, KEY)? + KEY.len();
        let id = std::str::from_utf8(&value[start..]).ok()?;
        id.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| SessionId::new(id))
    })();
    Attribution { id, session }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_replies_refusals_and_events() {
        let reply = read(br#"{"id":3,"result":{"a":[1,2]},"sessionId":"S"}"#);
        assert!(matches!(reply, Ok(Message::Reply { id: 3, outcome: Outcome::Result(r#"{"a":[1,2]}"#) })));
        let refusal = read(br#"{"id":3,"error":{"code":-32000,"message":"no"}}"#);
        assert!(matches!(refusal, Ok(Message::Reply { outcome: Outcome::Refusal { code: -32000, .. }, .. })));
        let event = read(br#"{"method":"A.b","params":{"x":"\ud800"},"sessionId":"S","extra":{"y":1}}"#);
        assert!(matches!(event, Ok(Message::Event { method, session: Some(session), .. })
            if method == "A.b" && session == "S"));
    }

    #[test]
    fn damaged_messages_are_attributed_by_their_ends() {
        let whole = br#"{"id":12,"result":{"text":"\"sessionId\":\"FAKE\"}"},"sessionId":"AB12"}"#;
        let found = attribute(whole, whole);
        assert_eq!(found, Attribution { id: Some(12), session: Some(SessionId::new("AB12")) });
        let unattributed = attribute(b"garbage", br#"{"text":"\"sessionId\":\"FAKE\"}"#);
        assert_eq!(unattributed, Attribution::default());
    }

    #[test]
    fn a_message_nested_a_million_deep_is_read_without_recursion() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        let frame = format!(r#"{{"id":1,"result":{deep}}}"#);
        assert!(matches!(read(frame.as_bytes()), Ok(Message::Reply { id: 1, .. })));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
            let _ = attribute(&bytes, &bytes);
        }

        #[test]
        fn no_damage_to_a_real_message_makes_it_panic(at in 0usize..70, byte in any::<u8>(), keep in 0usize..80) {
            let mut frame = br#"{"method":"Page.frameAttached","params":{"a":"\u00e9"},"sessionId":"S1"}"#.to_vec();
            frame[at] = byte;
            frame.truncate(keep);
            let _ = read(&frame);
            let _ = attribute(&frame, &frame);
        }
    }
}
