//! Which tabs a context has, which one is in front, and which must go. Pure.

use legwork_types::TabId;

/// The tabs of one context in order of appearance.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Roster {
    tabs: Vec<TabId>,
    /// Tabs in the order in which they were last in front; the last one is.
    fronted: Vec<TabId>,
}

/// Tabs of one context at most: each costs 100 to 300 MB.
pub(crate) const MOST_TABS: usize = 3;

impl Roster {
    /// A new tab comes to the front. If there are too many now, returns the oldest that is idle: not the new one, not the
    /// one that was in front, not the one whose page opened it.
    #[must_use]
    pub(crate) fn enter(&mut self, tab: TabId, opener: Option<TabId>) -> Option<TabId> {
        self.tabs.push(tab);
        let before = self.active();
        self.front(tab);
        let idle = |other: &&TabId| ![Some(tab), before, opener].contains(&Some(**other));
        (self.tabs.len() > MOST_TABS).then(|| self.tabs.iter().find(idle).copied()).flatten()
    }

    /// A tab comes to the front; false if there is no such tab.
    pub(crate) fn front(&mut self, tab: TabId) -> bool {
        let known = self.tabs.contains(&tab);
        if known {
            self.fronted.retain(|other| *other != tab);
            self.fronted.push(tab);
        }
        known
    }

    /// A tab is gone; the one that was in front before it comes back.
    pub(crate) fn leave(&mut self, tab: TabId) {
        self.tabs.retain(|other| *other != tab);
        self.fronted.retain(|other| *other != tab);
    }

    /// The tab in front.
    pub(crate) fn active(&self) -> Option<TabId> {
        self.fronted.last().copied()
    }

    pub(crate) fn tabs(&self) -> &[TabId] {
        &self.tabs
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tab(n: u32) -> TabId {
        TabId::nth(n)
    }

    #[test]
    fn the_oldest_idle_tab_goes_and_the_last_front_comes_back() {
        let mut roster = Roster::default();
        assert_eq!(
            (roster.enter(tab(1), None), roster.enter(tab(2), None), roster.enter(tab(3), None)),
            (None, None, None)
        );
        assert_eq!(roster.enter(tab(4), None), Some(tab(1)));
        roster.leave(tab(1));
        assert!(roster.front(tab(2)) && !roster.front(tab(1)));
        assert_eq!(
            roster.enter(tab(5), None),
            Some(tab(3)),
            "neither the new one nor the one just left behind"
        );
        roster.leave(tab(3));
        roster.leave(tab(5));
        assert_eq!(roster.active(), Some(tab(2)));
    }

    #[test]
    fn a_page_that_opens_many_tabs_does_not_lose_its_own() {
        let mut roster = Roster::default();
        assert_eq!(roster.enter(tab(1), None), None);
        for n in 2..10 {
            if let Some(gone) = roster.enter(tab(n), Some(tab(1))) {
                assert_ne!(gone, tab(1));
                roster.leave(gone);
            }
        }
        assert_eq!(roster.tabs(), [tab(1), tab(8), tab(9)]);
    }

    proptest! {
        #[test]
        fn the_front_tab_is_always_a_living_one(steps in prop::collection::vec((0u8..3, 0u32..12), 0..80)) {
            let (mut roster, mut next) = (Roster::default(), 100);
            for (kind, n) in steps {
                match kind {
                    0 => {
                        next += 1;
                        if let Some(gone) = roster.enter(tab(next), Some(tab(100 + n))) {
                            prop_assert_ne!(gone, tab(next));
                            roster.leave(gone);
                        }
                    }
                    1 => { roster.front(tab(100 + n)); }
                    _ => roster.leave(tab(100 + n)),
                }
                prop_assert!(roster.tabs().len() <= MOST_TABS);
                prop_assert_eq!(roster.active().is_some(), !roster.tabs().is_empty());
                prop_assert!(roster.active().is_none_or(|active| roster.tabs().contains(&active)));
            }
        }
    }
}
