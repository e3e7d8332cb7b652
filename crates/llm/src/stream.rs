//! A stream of server-sent events, read as it comes: bytes in, whole events out. Pure.

use crate::error::BadAnswer;

/// The most that one event, or a part of one, may hold. Nobody answers as much.
pub(crate) const LARGEST: usize = 4 << 20;

/// Whether there is more to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fed {
    More,
    Over,
}

/// What has come of the next event.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: String,
    /// Whether the line that ended last ended with a return: what follows may be the rest of that end.
    returned: bool,
}

impl Events {
    /// Takes bytes in and gives the data of every event that is whole by now.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<String>, BadAnswer> {
        let mut whole = vec![];
        for byte in bytes {
            let follows_return = std::mem::take(&mut self.returned);
            match byte {
                b'\n' if follows_return => {}
                b'\n' | b'\r' => {
                    self.returned = *byte == b'\r';
                    whole.extend(self.end_line()?);
                }
                byte => self.line.push(*byte),
            }
            if self.line.len() + self.data.len() > LARGEST {
                return Err(BadAnswer::TooLarge);
            }
        }
        Ok(whole)
    }

    /// What is left when nothing more comes: some leave the last empty line out.
    pub(crate) fn finish(mut self) -> Result<Option<String>, BadAnswer> {
        if !self.line.is_empty()
            && let Some(whole) = self.end_line()?
        {
            return Ok(Some(whole));
        }
        Ok((!self.data.is_empty()).then_some(self.data))
    }

    fn end_line(&mut self) -> Result<Option<String>, BadAnswer> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return Ok((!data.is_empty()).then_some(data));
        }
        let line = std::str::from_utf8(&line).map_err(|_| BadAnswer::NotText)?;
        // Names of events and comments say nothing that the data does not say.
        if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut events = Events::default();
        let mut all: Vec<String> = pieces.iter().flat_map(|piece| events.feed(piece).unwrap()).collect();
        all.extend(events.finish().unwrap());
        all
    }

    const STREAM: &str =
        "event: a\ndata: {\"ö\":1}\n\n: still here\n\ndata:two\r\ndata: lines\r\n\r\ndata: last";

    #[test]
    fn data_is_read_whatever_its_line_ends_are() {
        assert_eq!(read(&[STREAM.as_bytes()]), ["{\"ö\":1}", "two\nlines", "last"]);
    }

    #[test]
    fn what_never_ends_is_refused() {
        let mut events = Events::default();
        let piece = vec![b'x'; 1 << 20];
        let fed: Result<Vec<_>, _> = (0..5).map(|_| events.feed(&piece)).collect();
        assert!(matches!(fed, Err(BadAnswer::TooLarge)));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_bytes_are_cut(cuts in proptest::collection::vec(0..STREAM.len(), 0..12)) {
            let mut cuts = cuts;
            cuts.extend([0, STREAM.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &STREAM.as_bytes()[cut[0]..cut[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[STREAM.as_bytes()]));
        }
    }
}
