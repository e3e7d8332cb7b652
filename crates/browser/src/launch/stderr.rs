//! Keeps the last words of the browser, and only those: a chatty one neither blocks nor fills memory.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{io::AsyncReadExt, net::unix::pipe, sync::watch};

const KEPT: usize = 8 * 1024;

/// The last few kilobytes of a stream.
#[derive(Debug, Clone)]
pub(super) struct StderrTail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    drained: watch::Receiver<bool>,
}

/// Reads the stream to its end; to be run by whoever owns the process.
pub(super) struct StderrReader {
    stream: pipe::Receiver,
    bytes: Arc<Mutex<VecDeque<u8>>>,
    drained: watch::Sender<bool>,
}

/// The two sides of a tail: the reader to run and the tail to ask.
pub(super) fn tail_of(stream: pipe::Receiver) -> (StderrReader, StderrTail) {
    let bytes = Arc::new(Mutex::new(VecDeque::with_capacity(KEPT)));
    let (sender, receiver) = watch::channel(false);
    let reader = StderrReader { stream, bytes: bytes.clone(), drained: sender };
    (reader, StderrTail { bytes, drained: receiver })
}

impl StderrReader {
    /// Runs until every process that could write has closed the stream.
    pub(super) async fn run(mut self) {
        let mut chunk = vec![0; 4096];
        while let Ok(count @ 1..) = self.stream.read(&mut chunk).await {
            let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
            keep_last(&mut bytes, &chunk[..count], KEPT);
        }
        self.drained.send_replace(true);
    }
}

impl StderrTail {
    /// The last words so far, without the lines that say nothing about a failure.
    pub(super) fn text(&self) -> String {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, rest) = bytes.as_slices();
        telling_lines(&String::from_utf8_lossy(&[head, rest].concat()))
    }

    /// Waits until nothing more can come.
    pub(super) async fn drained(&self) {
        // An error means that the reader is gone, and then nothing more comes either.
        let _ = self.drained.clone().wait_for(|drained| *drained).await;
    }
}

fn keep_last(kept: &mut VecDeque<u8>, more: &[u8], limit: usize) {
    let more = &more[more.len().saturating_sub(limit)..];
    let surplus = (kept.len() + more.len()).saturating_sub(limit);
    kept.drain(..surplus);
    kept.extend(more);
}

/// Without a desktop bus Chromium complains dozens of times; that would bury the one line that matters.
fn telling_lines(text: &str) -> String {
    text.lines().filter(|line| !line.contains(":ERROR:dbus/")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_tail_is_the_end_of_all_that_was_said(
            parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
            limit in 1_usize..64,
        ) {
            let mut kept = VecDeque::new();
            for part in &parts {
                keep_last(&mut kept, part, limit);
                prop_assert!(kept.len() <= limit);
            }
            let all = parts.concat();
            prop_assert_eq!(Vec::from(kept), all[all.len().saturating_sub(limit)..].to_vec());
        }
    }

    #[test]
    fn complaints_about_the_desktop_bus_are_left_out() {
        let text = "[1:2:0101/1.1:ERROR:dbus/bus.cc:405] Failed\n[1:1:FATAL:x.cc] No usable sandbox!\n";
        assert_eq!(telling_lines(text), "[1:1:FATAL:x.cc] No usable sandbox!");
    }
}
