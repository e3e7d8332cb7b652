//! Lines of bounded length out of a stream of bytes. A line that is too long is skipped and never kept.

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// What stood on one line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// All of it, without its end.
    Whole(Vec<u8>),
    /// Too much: it is thrown away.
    TooLong,
}

/// Cuts a stream into lines.
#[derive(Debug)]
pub(crate) struct Lines {
    most: usize,
    begun: Vec<u8>,
    skipping: bool,
}

impl Lines {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, begun: Vec::new(), skipping: false }
    }

    /// Takes the next bytes of the stream; the lines that end in them.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> Vec<Line> {
        let mut ended = Vec::new();
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let (part, rest) = match end {
                Some(end) => (&bytes[..end], &bytes[end + 1..]),
                None => (bytes, &bytes[bytes.len()..]),
            };
            bytes = rest;
            if !self.skipping && self.begun.len() + part.len() > self.most {
                self.skipping = true;
                self.begun = Vec::new();
                ended.push(Line::TooLong);
            }
            if !self.skipping {
                self.begun.extend_from_slice(part);
            }
            if end.is_some() {
                if !self.skipping {
                    ended.push(Line::Whole(std::mem::take(&mut self.begun)));
                }
                self.skipping = false;
            }
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.into())
    }

    #[test]
    fn lines_are_whole_however_the_bytes_come() {
        let text = b"one\n\ntwo words\nrest";
        for step in 1..text.len() {
            let mut lines = Lines::new(20);
            let found: Vec<Line> = text.chunks(step).flat_map(|chunk| lines.take(chunk)).collect();
            assert_eq!(found, [whole("one"), whole(""), whole("two words")], "in steps of {step}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_told_of_once_and_never_kept() {
        let mut lines = Lines::new(8);
        let mut found = lines.take(b"12345678\n12345");
        for _ in 0..1_000 {
            found.extend(lines.take(&[b'x'; 100]));
            assert!(lines.begun.capacity() <= 16, "{}", lines.begun.capacity());
        }
        found.extend(lines.take(b"x\nnext\n"));
        assert_eq!(found, [whole("12345678"), Line::TooLong, whole("next")]);
    }
}
