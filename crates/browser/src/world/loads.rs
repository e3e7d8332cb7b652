//! The documents that a tab's main frame went through lately, and how far each came. Pure.

use std::collections::VecDeque;

/// Loads older than this many are forgotten; a page that reloads itself without end stays bounded.
const KEPT: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Load {
    loader: String,
    content_loaded: bool,
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
            self.0.push_back(Load { loader: loader.to_owned(), content_loaded: false });
        }
    }

    /// A document of the main frame was parsed to its end.
    pub(crate) fn content_loaded(&mut self, loader: &str) {
        self.committed(loader);
        for load in self.0.iter_mut().filter(|load| load.loader == loader) {
            load.content_loaded = true;
        }
    }

    /// Whether the document of `loader`, or one that took its place, has been parsed to its end.
    pub(crate) fn arrived(&self, loader: &str) -> bool {
        self.0.iter().skip_while(|load| load.loader != loader).any(|load| load.content_loaded)
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
    fn endless_reloads_stay_bounded() {
        let mut loads = Loads::default();
        for n in 0..1000 {
            loads.committed(&n.to_string());
        }
        assert_eq!(loads.0.len(), KEPT);
    }
}
