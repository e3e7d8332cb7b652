//! What can be asked of the world.

use legwork_cdp::SessionId;
use legwork_types::{FrameId, TabId};
use tokio::sync::watch;

use super::{ContextKey, Frame, Owner, Recorded, TabState, World};

/// What is known of the tab of a target.
#[derive(Debug)]
pub(crate) enum Sought {
    Found(TabId, watch::Receiver<TabState>),
    NotYet,
    Ended,
}

impl World {
    pub(crate) fn watch(&self, id: TabId) -> Option<watch::Receiver<TabState>> {
        self.tabs.get(&id).map(|tab| tab.state.subscribe())
    }

    pub(crate) fn arrivals(&self) -> watch::Receiver<u32> {
        self.arrivals.subscribe()
    }

    pub(crate) fn watch_target(&self, target: &str) -> Sought {
        let found = self.tab_of_target(target).and_then(|id| Some((id, self.watch(id)?)));
        match found {
            Some((id, state)) => Sought::Found(id, state),
            None if self.ended.iter().any(|ended| ended == target) => Sought::Ended,
            None => Sought::NotYet,
        }
    }

    pub(crate) fn tabs_of(&self, key: &ContextKey) -> (Vec<TabId>, Option<TabId>) {
        let roster = self.contexts.get(key).map(|context| &context.roster);
        roster.map(|roster| (roster.tabs().to_vec(), roster.active())).unwrap_or_default()
    }

    pub(crate) fn frames_of(&self, id: TabId) -> Option<Vec<Frame>> {
        self.tabs.get(&id).map(|tab| tab.frames.list(&tab.main))
    }

    pub(crate) fn session_of_frame(&self, id: TabId, frame: &FrameId) -> Option<SessionId> {
        self.tabs.get(&id)?.frames.session_of(frame)
    }

    pub(crate) fn happenings(&self, key: &ContextKey, since: u64) -> Vec<Recorded> {
        self.contexts.get(key).map(|context| context.happenings.since(since)).unwrap_or_default()
    }

    /// Every page session that is known, to compare with what the browser says after news were lost.
    pub(crate) fn targets(&self) -> Vec<(TabId, String)> {
        self.tabs.iter().map(|(id, tab)| (*id, tab.state.borrow().target.clone())).collect()
    }

    /// Every session that holds frames.
    pub(crate) fn frame_sessions(&self) -> Vec<SessionId> {
        let frames = |owner: &Owner| matches!(owner, Owner::Page(_) | Owner::Frame(_));
        self.sessions.iter().filter(|(_, owner)| frames(owner)).map(|(session, _)| session.clone()).collect()
    }
}
