//! Connections that are reset: before anything is answered, and when everything but the last word has come.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::TcpStream,
};

use legwork_llm::{BadAnswer, VendorError};
use legwork_testkit::sites::vendor::{Asked, Fault, Reply, Spoken, Vendor, VendorWire};
use serde_json::json;

use crate::{PATIENT, WIRES, ask, client, hello, script, usage};

/// Something that would be done if it were ever used.
fn doomed() -> Spoken {
    let calls = vec![("act".into(), r#"{"element":13}"#.into())];
    Spoken { thought: Some("Hm.".into()), text: "I press it.".into(), calls }
}

/// What a socket reads of an answer before it ends, and whether it ends with a reset.
fn read_raw(vendor: &Vendor) -> (String, bool) {
    let body = json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "Hello."}]});
    let body = body.to_string();
    let mut socket = TcpStream::connect(vendor.address()).unwrap();
    let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
    write!(socket, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let (mut heard, mut piece) = (vec![], [0; 4096]);
    let is_reset = loop {
        match socket.read(&mut piece) {
            Ok(0) => break false,
            Ok(read) => heard.extend_from_slice(&piece[..read]),
            Err(error) => break error.kind() == ErrorKind::ConnectionReset,
        }
    };
    (String::from_utf8(heard).unwrap(), is_reset)
}

#[test]
fn the_scripted_vendor_really_resets() {
    let vendor = Vendor::start(script(vec![Fault::Reset.into(), Reply::Torn(doomed())])).unwrap();
    assert_eq!(read_raw(&vendor), (String::new(), true));
    let (heard, is_reset) = read_raw(&vendor);
    assert!(is_reset && heard.contains(r#""finish_reason":"tool_calls""#), "{heard}");
    assert!(!heard.contains("[DONE]"), "{heard}");
}

#[tokio::test]
async fn a_reset_is_asked_again_for_the_same_and_what_was_torn_is_never_used() {
    for wire in WIRES {
        for fault in [Reply::from(Fault::Reset), Reply::Torn(doomed())] {
            let replies = vec![fault.clone(), fault.clone(), Reply::call("act", json!({"element": 7}))];
            let vendor = Vendor::start(script(replies)).unwrap();
            let answered = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap();
            let turn = answered.turn;
            assert_eq!((turn.calls.len(), answered.attempts), (1, 3), "{wire:?} {fault:?}");
            assert_eq!(turn.calls[0].input.as_ref().unwrap().get(), r#"{"element":7}"#);
            assert!(!turn.said.json().contains("13") && turn.text.is_empty() && turn.thought.is_empty());
            // Every attempt is the same step to the letter.
            let calls = vendor.books().calls();
            assert_eq!(calls.len(), 3, "{wire:?} {fault:?}");
            assert!(calls.iter().all(|call| call.asked == calls[0].asked), "{wire:?} {fault:?}");
            // Whatever was not told may have been charged for: all that the vendor charged is known or counted.
            let (charged, billed) =
                (answered.wasted.plus(turn.usage).all_input(), usage(vendor.books().billed()));
            match answered.untold {
                0 => assert_eq!(charged, billed.all_input(), "{wire:?} {fault:?}"),
                untold => assert_eq!(untold, 2, "{wire:?} {fault:?}"),
            }
        }
    }
}

#[tokio::test]
async fn whose_connection_is_always_reset_is_told_so_after_three_attempts() {
    for wire in WIRES {
        let vendor = Vendor::start(|_: &Asked| Fault::Reset.into()).unwrap();
        let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
        let VendorError::Broken(why) = &failed.last else { panic!("{failed:?}") };
        assert!(why.contains("reset"), "{why}");
        assert_eq!((failed.attempts, failed.untold, vendor.books().count()), (3, 3, 3), "{wire:?}");

        let vendor = Vendor::start(|_: &Asked| Reply::Torn(doomed())).unwrap();
        let failed = ask(&client(&vendor, wire, PATIENT), &hello()).await.unwrap_err();
        assert_eq!((failed.last, failed.attempts), (BadAnswer::Cut.into(), 3), "{wire:?}");
        // Everything but the last word had come: what it took is known where it was told by then.
        let tells_early = wire.1 != VendorWire::Responses;
        assert_eq!((failed.untold, vendor.books().count()), (if tells_early { 0 } else { 3 }, 3), "{wire:?}");
    }
}
