//! Cuts a WebSocket stream into messages within bounded memory. Pure: bytes in, items out. The library that shakes hands
//! could do it too, but not skip a message that is too large, nor pass on a text that is none.

use bytes::{Buf, Bytes, BytesMut};

use crate::{Frame, frame::Skipped};

/// One thing that a peer sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A whole message, text or binary.
    Message(Frame),
    /// To be answered with the same payload.
    Ping(Bytes),
    /// The peer says goodbye.
    Close,
}

/// The peer does not keep to the protocol: nothing after this can be trusted to be cut right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the endpoint broke the WebSocket protocol: {0}")]
pub(super) struct Violation(&'static str);

pub(super) struct Framer {
    buffer: BytesMut,
    limit: usize,
    /// What is left of the data frame that is being read, and whether it is its message's last.
    frame: Option<(u64, bool)>,
    /// The message that is being put together.
    message: Option<Message>,
}

enum Message {
    Kept(BytesMut),
    Skipped(Skipped),
}

impl Framer {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), limit, frame: None, message: None }
    }

    /// Where the next bytes of the stream are to be appended.
    pub(super) fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// The next item, if there is one.
    pub(super) fn next_item(&mut self) -> Result<Option<Item>, Violation> {
        loop {
            if let Some((left, last)) = self.frame {
                let here = usize::try_from(left).unwrap_or(usize::MAX).min(self.buffer.len());
                let part = self.buffer.split_to(here);
                self.collect(part);
                let left = left - here as u64;
                self.frame = (left > 0).then_some((left, last));
                match (left, last) {
                    (0, true) => {
                        return Ok(self.message.take().map(|message| Item::Message(message.finish())));
                    }
                    (0, false) => {}
                    _ => return Ok(None),
                }
            }
            let Some(header) = Header::read(&self.buffer)? else { return Ok(None) };
            match header.opcode {
                0..=2 => self.begin(&header)?,
                8..=10 => {
                    let whole = header.size + header.length as usize;
                    if self.buffer.len() < whole {
                        return Ok(None);
                    }
                    let mut frame = self.buffer.split_to(whole);
                    frame.advance(header.size);
                    match header.opcode {
                        8 => return Ok(Some(Item::Close)),
                        9 => return Ok(Some(Item::Ping(frame.freeze()))),
                        _ => {}
                    }
                }
                _ => return Err(Violation("an unknown kind of frame")),
            }
        }
    }

    fn begin(&mut self, header: &Header) -> Result<(), Violation> {
        match (header.opcode, &self.message) {
            (0, None) => return Err(Violation("a continuation of nothing")),
            (0, Some(_)) => {}
            (_, Some(_)) => return Err(Violation("a message inside another")),
            (_, None) => self.message = Some(Message::Kept(BytesMut::new())),
        }
        self.buffer.advance(header.size);
        self.frame = Some((header.length, header.last));
        Ok(())
    }

    fn collect(&mut self, part: BytesMut) {
        match &mut self.message {
            Some(Message::Skipped(skipped)) => skipped.swallow(&part),
            Some(Message::Kept(kept)) if kept.len() + part.len() > self.limit => {
                let mut skipped = Skipped::from_start(if kept.is_empty() { &part } else { kept });
                skipped.swallow(kept);
                skipped.swallow(&part);
                self.message = Some(Message::Skipped(skipped));
            }
            // The usual case, a message in one piece, is not copied.
            Some(Message::Kept(kept)) if kept.is_empty() => *kept = part,
            Some(Message::Kept(kept)) => kept.extend_from_slice(&part),
            None => {}
        }
    }
}

impl Message {
    fn finish(self) -> Frame {
        match self {
            Self::Kept(bytes) => Frame::Whole(bytes.freeze()),
            Self::Skipped(skipped) => skipped.finish(),
        }
    }
}

struct Header {
    opcode: u8,
    last: bool,
    /// Of the payload.
    length: u64,
    /// Of the header itself.
    size: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Option<Self>, Violation> {
        let [first, second, rest @ ..] = bytes else { return Ok(None) };
        let (opcode, last, short) = (first & 0x0f, first & 0x80 != 0, second & 0x7f);
        if first & 0x70 != 0 {
            return Err(Violation("an extension that was not agreed on"));
        }
        if second & 0x80 != 0 {
            return Err(Violation("a masked frame from a server"));
        }
        if opcode >= 8 && (!last || short > 125) {
            return Err(Violation("a control frame that is too long or in parts"));
        }
        let (length, size) = match (short, rest) {
            (0..=125, _) => (u64::from(short), 2),
            (126, [a, b, ..]) => (u64::from(u16::from_be_bytes([*a, *b])), 4),
            (127, [a, b, c, d, e, f, g, h, ..]) => (u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]), 10),
            _ => return Ok(None),
        };
        if length > i64::MAX as u64 {
            return Err(Violation("a length that can't be"));
        }
        Ok(Some(Self { opcode, last, length, size }))
    }
}

/// A frame as a client sends it: whole, and masked with `key`.
pub(super) fn encode(opcode: u8, payload: &[u8], key: [u8; 4]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + 14);
    frame.push(0x80 | opcode);
    match payload.len() {
        short @ 0..=125 => frame.push(0x80 | short as u8),
        medium @ 126..=0xffff => {
            frame.push(0x80 | 126);
            frame.extend_from_slice(&(medium as u16).to_be_bytes());
        }
        long => {
            frame.push(0x80 | 127);
            frame.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(&key);
    frame.extend(payload.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key));
    frame
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A frame as a server sends it.
    fn frame(opcode: u8, last: bool, payload: &[u8]) -> Vec<u8> {
        let mut frame = encode(opcode, payload, [0; 4]);
        frame[0] = opcode | if last { 0x80 } else { 0 };
        frame[1] &= 0x7f;
        let key = frame.len() - payload.len() - 4;
        frame.drain(key..key + 4);
        frame
    }

    fn items(stream: &[u8], cuts: &[usize], limit: usize) -> (Result<Vec<Item>, Violation>, usize) {
        let mut framer = Framer::new(limit);
        let (mut out, mut rest, mut most) = (Vec::new(), stream, 0);
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, after) = rest.split_at((*cut).clamp(1, rest.len()));
            framer.buffer().extend_from_slice(part);
            rest = after;
            loop {
                match framer.next_item() {
                    Ok(Some(item)) => out.push(item),
                    Ok(None) => break,
                    Err(violation) => return (Err(violation), most),
                }
            }
            let kept = match &framer.message {
                Some(Message::Kept(kept)) => kept.len(),
                _ => 0,
            };
            most = most.max(framer.buffer.len() + kept);
        }
        (Ok(out), most)
    }

    proptest! {
        #[test]
        fn however_it_is_cut_and_divided_the_messages_are_the_same(
            messages in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..300), 1usize..4), 0..12),
            cuts in prop::collection::vec(1usize..200, 1..20),
        ) {
            let limit = 200;
            let mut stream = Vec::new();
            for (message, parts) in &messages {
                let size = message.len().div_ceil(*parts).max(1);
                let mut chunks: Vec<&[u8]> = message.chunks(size).collect();
                if chunks.is_empty() {
                    chunks.push(&[]);
                }
                for (index, chunk) in chunks.iter().enumerate() {
                    stream.extend(frame(if index == 0 { 2 } else { 0 }, index + 1 == chunks.len(), chunk));
                    // Control frames may stand between the parts of a message.
                    stream.extend(frame(9, true, b"there?"));
                }
            }
            let (got, most) = items(&stream, &cuts, limit);
            let got: Vec<Frame> = got.unwrap().into_iter().filter_map(|item| match item {
                Item::Message(frame) => Some(frame),
                Item::Ping(payload) => { assert_eq!(&payload[..], b"there?"); None }
                Item::Close => None,
            }).collect();
            prop_assert!(most <= limit + 200 + 14, "held {most}");
            prop_assert_eq!(got.len(), messages.len());
            for (frame, (message, _)) in got.iter().zip(&messages) {
                match frame {
                    Frame::Whole(bytes) => prop_assert!(bytes == message && message.len() <= limit),
                    Frame::Oversized { head, tail, bytes } => {
                        prop_assert!(*bytes == message.len() as u64 && message.len() > limit);
                        prop_assert!(message.starts_with(head) && message.ends_with(tail));
                    }
                }
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), cuts in prop::collection::vec(1usize..50, 1..5)) {
            let _ = items(&bytes, &cuts, 50);
        }

        #[test]
        fn what_we_send_is_masked_and_whole(payload in prop::collection::vec(any::<u8>(), 0..70_000), key in any::<[u8; 4]>()) {
            let sent = encode(1, &payload, key);
            prop_assert!(sent[0] == 0x81 && sent[1] & 0x80 != 0);
            let masked = &sent[sent.len() - payload.len()..];
            let back: Vec<u8> = masked.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect();
            prop_assert_eq!(back, payload);
        }
    }

    #[test]
    fn those_who_break_the_protocol_are_told_so() {
        for stream in [
            vec![0x81, 0x80, 0, 0, 0, 0],
            vec![0xf1, 0],
            vec![0x83, 0],
            vec![0x09, 0],
            vec![0x89, 126, 0, 200],
            frame(0, true, b"of nothing"),
            [frame(1, false, b"a"), frame(1, true, b"b")].concat(),
            vec![0x82, 127, 0xff, 0, 0, 0, 0, 0, 0, 0],
        ] {
            assert!(items(&stream, &[1], 50).0.is_err(), "{stream:?}");
        }
    }
}
