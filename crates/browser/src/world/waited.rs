//! Which writes waited at the barrier: one that was answered and never did got past it. Bounded, and pure.

use std::{collections::VecDeque, time::Instant};

use super::requests::Line;

/// Writes that are remembered, in all contexts.
const KEPT: usize = 4_096;

/// The writes that waited, by the names that the network gives them: whatever is sent on keeps its name and waits again.
#[derive(Debug, Default)]
pub(crate) struct Waited {
    kept: VecDeque<(Instant, String, u64)>,
    /// What waited until then may be forgotten.
    forgotten: Option<Instant>,
}

impl Waited {
    /// A request waits, or is let go as this one.
    pub(crate) fn add(&mut self, network: Option<&str>, line: Option<&Line>, now: Instant) {
        let (Some(network), Some(line)) = (network, line.filter(|line| line.writes())) else { return };
        if self.kept.len() == KEPT {
            self.forgotten = self.kept.pop_front().map(|(at, ..)| at);
        }
        self.kept.push_back((now, network.to_owned(), line.digest()));
    }

    /// Whether a write that was sent then has waited, as far as is known.
    pub(crate) fn knows(&self, network: &str, digest: u64, sent: Instant) -> bool {
        self.forgotten.is_some_and(|forgotten| sent <= forgotten)
            || self.kept.iter().rev().any(|(_, id, line)| *line == digest && id == network)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn line(method: &str, path: &str) -> Line {
        Line::of(method, &format!("http://a{path}")).unwrap()
    }

    #[test]
    fn a_write_is_known_by_its_name_and_where_it_goes() {
        let (mut waited, now) = (Waited::default(), Instant::now());
        let (first, second) = (line("POST", "/first"), line("POST", "/second"));
        waited.add(Some("1"), Some(&first), now);
        assert!(waited.knows("1", first.digest(), now));
        assert!(!waited.knows("1", second.digest(), now), "sent on, and did not wait there");
        assert!(!waited.knows("2", first.digest(), now));
    }

    #[test]
    fn what_may_have_been_forgotten_is_no_evidence() {
        let (mut waited, now) = (Waited::default(), Instant::now());
        let write = line("PUT", "/");
        for n in 0..=KEPT {
            waited.add(Some(&n.to_string()), Some(&write), now);
        }
        waited.add(Some("a read"), Some(&line("GET", "/")), now);
        waited.add(None, Some(&write), now);
        assert_eq!(waited.kept.len(), KEPT);
        assert!(waited.knows("0", write.digest(), now));
        assert!(!waited.knows("0", write.digest(), now + Duration::from_millis(1)));
    }
}
