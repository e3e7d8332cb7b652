//! The documents that a tab's main frame went through lately, and how far each came. Pure.

use std::collections::VecDeque;

/// Loads older than this many are forgotten; a page that reloads itself without end stays bounded.
const KEPT: usize = 32;

/// How far a document came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It is still being parsed.
    Coming,
    /// It was parsed to its end.
    Parsed,
    /// Its load ended before it was parsed to its end: the server hung up, or somebody stopped it.
    BrokenOff,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Load {
    loader: String,
    progress: Progress,
}

/// In order of their commit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Loads(VecDeque<Load>);

impl Loads {
    /// A document came up in the main frame.
    pub(crate) fn committed(&mut self, loader: &str) {
        if !self.0.iter().any(|load| load.loader == loader) {
            if self.0.len() == KEPT {
                self.0.pop_front();
            }
            self.0.push_back(Load { loader: loader.to_owned(), progress: Progress::Coming });
        }
    }

    /// A document of the main frame was parsed to its end.
    pub(crate) fn content_loaded(&mut self, loader: &str) {
        self.committed(loader);
        for load in self.0.iter_mut().filter(|load| load.loader == loader) {
            load.progress = Progress::Parsed;
        }
    }

    /// Nothing of the main frame is loading any more: what is not parsed by now never will be.
    pub(crate) fn stopped(&mut self) {
        if let Some(load) = self.0.back_mut().filter(|load| load.progress == Progress::Coming) {
            load.progress = Progress::BrokenOff;
        }
    }

    /// Whether the document of `loader`, or one that took its place, has come as far as it will.
    pub(crate) fn arrived(&self, loader: &str) -> bool {
        let since = self.0.iter().skip_while(|load| load.loader != loader);
        since.map(|load| load.progress).any(|progress| progress != Progress::Coming)
    }

    /// How far the present document came; none where none has come up since we look.
    pub(crate) fn latest(&self) -> Option<Progress> {
        self.0.back().map(|load| load.progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_moves_on_by_itself_counts_as_arrived() {
        let mut loads = Loads::default();
        loads.content_loaded("old");
        loads.committed("asked");
        assert!(!loads.arrived("asked"));
        loads.committed("went on");
        assert!(!loads.arrived("asked"));
        loads.content_loaded("went on");
        assert!(loads.arrived("asked") && !loads.arrived("never"));
    }

    #[test]
    fn a_load_that_ends_early_is_as_far_as_it_will_come() {
        let mut loads = Loads::default();
        loads.stopped();
        assert_eq!(loads.latest(), None);
        loads.committed("cut");
        assert_eq!((loads.latest(), loads.arrived("cut")), (Some(Progress::Coming), false));
        loads.stopped();
        assert_eq!((loads.latest(), loads.arrived("cut")), (Some(Progress::BrokenOff), true));
        loads.content_loaded("whole");
        loads.stopped();
        assert_eq!(loads.latest(), Some(Progress::Parsed));
    }

    #[test]
    fn endless_reloads_stay_bounded() {
        let mut loads = Loads::default();
        for n in 0..1000 {
            loads.committed(&n.to_string());
        }
        assert_eq!(loads.0.len(), KEPT);
    }
}
