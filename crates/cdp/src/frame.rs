//! Cuts a byte stream into NUL-terminated messages within bounded memory. Pure: bytes in, frames out.

use bytes::{Bytes, BytesMut};

/// The largest message that is kept. The accessibility tree of a page with 10,000 controls is about a quarter of it.
pub const MAX_FRAME: usize = 128 * 1024 * 1024;

/// How much of an oversized message is kept at each end, to tell whom it belonged to.
const EDGE: usize = 512;

/// One message as it came off the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A whole message.
    Whole(Bytes),
    /// A message above the limit: only its ends were kept.
    Oversized {
        /// Its first bytes.
        head: Bytes,
        /// Its last bytes.
        tail: Bytes,
        /// Its size.
        bytes: u64,
    },
}

/// Collects bytes and gives out frames. Holds at most the limit plus one read.
#[derive(Debug)]
pub struct NulFramer {
    buffer: BytesMut,
    /// Bytes of `buffer` that are known to hold no NUL.
    scanned: usize,
    limit: usize,
    skipping: Option<Skipped>,
}

/// The ends of a message that is too large to be kept.
#[derive(Debug)]
pub(crate) struct Skipped {
    head: Bytes,
    tail: BytesMut,
    bytes: u64,
}

impl NulFramer {
    /// A framer that keeps messages of up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), scanned: 0, limit, skipping: None }
    }

    /// Where the next bytes of the stream are to be appended.
    pub fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// Bytes that are held now.
    pub fn held(&self) -> usize {
        self.buffer.len()
            + self.skipping.as_ref().map_or(0, |skipped| skipped.head.len() + skipped.tail.len())
    }

    /// The next whole message, if there is one. Empty messages are passed over.
    pub fn next_frame(&mut self) -> Option<Frame> {
        loop {
            match memchr::memchr(0, &self.buffer[self.scanned..]) {
                Some(offset) => {
                    let end = self.scanned + offset;
                    let mut message = self.buffer.split_to(end + 1);
                    message.truncate(end);
                    self.scanned = 0;
                    if let Some(mut skipped) = self.skipping.take() {
                        skipped.swallow(&message);
                        return Some(skipped.finish());
                    }
                    if message.len() > self.limit {
                        let mut skipped = Skipped::from_start(&message);
                        skipped.swallow(&message);
                        return Some(skipped.finish());
                    }
                    if !message.is_empty() {
                        return Some(Frame::Whole(message.freeze()));
                    }
                }
                None => {
                    self.scanned = self.buffer.len();
                    if self.skipping.is_none() && self.buffer.len() > self.limit {
                        self.skipping = Some(Skipped::from_start(&self.buffer));
                    }
                    if let Some(skipped) = &mut self.skipping {
                        skipped.swallow(&self.buffer);
                        // A new buffer, so that the memory of the giant is given back at once.
                        self.buffer = BytesMut::new();
                        self.scanned = 0;
                    }
                    return None;
                }
            }
        }
    }
}

impl Skipped {
    /// Of a message that begins like this; nothing of it is swallowed yet.
    pub(crate) fn from_start(start: &[u8]) -> Self {
        let head = Bytes::copy_from_slice(&start[..EDGE.min(start.len())]);
        Self { head, tail: BytesMut::new(), bytes: 0 }
    }

    pub(crate) fn swallow(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        let last = &part[part.len().saturating_sub(EDGE)..];
        let excess = (self.tail.len() + last.len()).saturating_sub(EDGE);
        let _ = self.tail.split_to(excess.min(self.tail.len()));
        self.tail.extend_from_slice(last);
    }

    pub(crate) fn finish(self) -> Frame {
        Frame::Oversized { head: self.head, tail: self.tail.freeze(), bytes: self.bytes }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds `stream` in pieces of the given sizes (cycled) and collects what comes out.
    fn frames(stream: &[u8], cuts: &[usize], limit: usize) -> (Vec<Frame>, usize) {
        let mut framer = NulFramer::new(limit);
        let (mut out, mut most, mut rest) = (Vec::new(), 0, stream);
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (part, after) = rest.split_at((*cut).clamp(1, rest.len()));
            framer.buffer().extend_from_slice(part);
            rest = after;
            while let Some(frame) = framer.next_frame() {
                out.push(frame);
            }
            most = most.max(framer.held());
        }
        (out, most)
    }

    proptest! {
        #[test]
        fn however_the_stream_is_cut_the_messages_are_the_same(
            messages in prop::collection::vec(prop::collection::vec(1u8..=255, 0..80), 0..30),
            cuts in prop::collection::vec(1usize..97, 1..20),
        ) {
            let mut stream = Vec::new();
            for message in &messages {
                stream.extend_from_slice(message);
                stream.push(0);
            }
            let (got, _) = frames(&stream, &cuts, 1000);
            let want: Vec<Frame> = messages.iter().filter(|m| !m.is_empty())
                .map(|m| Frame::Whole(Bytes::copy_from_slice(m))).collect();
            prop_assert_eq!(got, want);
        }

        #[test]
        fn oversized_messages_are_skipped_alone_and_within_bounds(
            sizes in prop::collection::vec(1usize..6000, 1..12),
            cuts in prop::collection::vec(1usize..700, 1..20),
        ) {
            let limit = 1500;
            let mut stream = Vec::new();
            for (index, size) in sizes.iter().enumerate() {
                stream.extend(std::iter::repeat_n(1 + index as u8, *size));
                stream.push(0);
            }
            let (got, most) = frames(&stream, &cuts, limit);
            prop_assert!(most <= limit + 700 + 2 * EDGE, "held {most}");
            prop_assert_eq!(got.len(), sizes.len());
            for (index, (frame, size)) in got.iter().zip(&sizes).enumerate() {
                match frame {
                    Frame::Whole(message) => prop_assert!(message.len() == *size && *size <= limit),
                    Frame::Oversized { head, tail, bytes } => {
                        prop_assert!(*bytes == *size as u64 && *size > limit);
                        prop_assert!(head.iter().chain(tail.iter()).all(|b| *b == 1 + index as u8));
                        prop_assert!(head.len() == EDGE && tail.len() == EDGE);
                    }
                }
            }
        }
    }

    #[test]
    fn a_giant_of_300_mb_passes_through_in_bounded_memory() {
        let mut framer = NulFramer::new(MAX_FRAME);
        let chunk = vec![b'x'; 1 << 20];
        let mut most = 0;
        framer.buffer().extend_from_slice(br#"{"id":7,"result":""#);
        for _ in 0..300 {
            framer.buffer().extend_from_slice(&chunk);
            assert_eq!(framer.next_frame(), None);
            most = most.max(framer.held().max(framer.buffer().capacity()));
        }
        framer.buffer().extend_from_slice(b"\",\"sessionId\":\"S\"}\0{\"id\":8,\"result\":{}}\0");
        let Some(Frame::Oversized { head, tail, bytes }) = framer.next_frame() else {
            panic!("not oversized")
        };
        assert!(
            head.starts_with(br#"{"id":7,"#) && tail.ends_with(br#""sessionId":"S"}"#) && bytes > 300 << 20
        );
        assert!(matches!(framer.next_frame(), Some(Frame::Whole(next)) if next.starts_with(br#"{"id":8"#)));
        assert!(most <= 2 * MAX_FRAME + (2 << 20), "held {most}");
    }
}
