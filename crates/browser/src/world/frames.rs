//! The frames of one tab over all its sessions, kept right whatever order the news comes in. Pure.

use std::collections::{HashMap, HashSet};

use legwork_cdp::{SessionId, protocol::page};
use legwork_types::FrameId;

use super::clip::{ADDRESS, NAME, clip};

/// One frame as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its id.
    pub id: FrameId,
    /// The frame that holds it; none for the tab's own.
    pub parent: Option<FrameId>,
    /// Its address.
    pub url: String,
    /// Its name attribute, if any.
    pub name: Option<String>,
    /// The load that its document came from.
    pub loader: String,
    /// Whether it lives in another process than its parent.
    pub out_of_process: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    parent: Option<FrameId>,
    /// Empty while the frame moves from one process to another.
    session: Option<SessionId>,
    url: String,
    name: Option<String>,
    loader: String,
    /// Position among everything seen, for a stable order.
    born: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Frames {
    nodes: HashMap<FrameId, Node>,
    births: u64,
}

/// A page may hold any number of frames; news of more than this are not kept.
const MOST: usize = 5_000;

impl Frames {
    fn node(&mut self, id: &FrameId) -> Option<&mut Node> {
        if !self.nodes.contains_key(id) {
            if self.nodes.len() >= MOST {
                return None;
            }
            self.births += 1;
            let born = self.births;
            let node = Node {
                parent: None,
                session: None,
                url: String::new(),
                name: None,
                loader: String::new(),
                born,
            };
            self.nodes.insert(id.clone(), node);
        }
        self.nodes.get_mut(id)
    }

    /// Whether this is one of them.
    pub(crate) fn knows(&self, id: &FrameId) -> bool {
        self.nodes.contains_key(id)
    }

    /// Where a frame is, and the load that its document came from.
    pub(crate) fn document(&self, id: &FrameId) -> Option<(String, String)> {
        self.nodes.get(id).map(|node| (node.url.clone(), node.loader.clone()))
    }

    /// A frame joined its parent. Where the frame is known already, by a tree or an early attach, only gaps are filled.
    pub(crate) fn attached(&mut self, session: &SessionId, id: &FrameId, parent: FrameId) {
        if let Some(node) = self.node(id) {
            node.parent.get_or_insert(parent);
            node.session.get_or_insert_with(|| session.clone());
        }
    }

    /// A frame shows a new document, in the session that says so. Whatever the old document held is gone with it: the
    /// browser does not say so for each of its frames.
    pub(crate) fn navigated(&mut self, session: &SessionId, frame: &page::Frame) {
        let id = FrameId::new(&*frame.id);
        if self.nodes.get(&id).is_some_and(|node| node.loader != frame.loader_id) {
            self.empty(&id);
        }
        if let Some(node) = self.node(&id) {
            if let Some(parent) = &frame.parent_id {
                node.parent = Some(FrameId::new(parent));
            }
            node.describe(session, frame);
        }
    }

    /// A frame's address changed within its document.
    pub(crate) fn moved_within(&mut self, id: &FrameId, url: &str) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.url = clip(url, ADDRESS);
        }
    }

    /// A frame left its session. When it only moves to another process it stays in the tree; and news from a session
    /// that it has already left do not count.
    pub(crate) fn detached(&mut self, session: &SessionId, id: &FrameId, moves: bool) {
        let Some(node) = self.nodes.get_mut(id) else { return };
        if moves {
            if node.session.as_ref() == Some(session) {
                node.session = None;
            }
            return;
        }
        let parent_session = node.parent.clone().and_then(|parent| self.nodes.get(&parent)?.session.clone());
        let here = self.nodes.get(id).and_then(|node| node.session.as_ref());
        if here.is_none_or(|here| here == session) || parent_session.as_ref() == Some(session) {
            self.remove(id);
        }
    }

    /// A session of its own was opened for this frame.
    pub(crate) fn session_opened(&mut self, session: &SessionId, id: &FrameId) {
        if let Some(node) = self.node(id) {
            node.session = Some(session.clone());
        }
    }

    /// A session is over: its root frame waits for its next home, the frames inside are gone with their document.
    pub(crate) fn session_ended(&mut self, session: &SessionId) {
        let of_session = self.of_session(session);
        let has_parent_here = |id: &FrameId| {
            self.nodes
                .get(id)
                .and_then(|node| node.parent.as_ref())
                .is_some_and(|parent| of_session.contains(parent))
        };
        let (inner, roots): (Vec<_>, Vec<_>) = of_session.iter().partition(|id| has_parent_here(id));
        self.remove_all(inner.into_iter().cloned().collect());
        for root in roots {
            if let Some(node) = self.nodes.get_mut(root) {
                node.session = None;
            }
        }
    }

    /// The session's own account of its frames, from before its first event. It only adds: events may have said more
    /// meanwhile.
    pub(crate) fn tree(&mut self, session: &SessionId, tree: &page::FrameTree) {
        for frame in flat(tree) {
            if let Some(node) = self.node(&FrameId::new(&*frame.id)) {
                if node.parent.is_none() {
                    node.parent = frame.parent_id.as_ref().map(FrameId::new);
                }
                if node.session.is_none() {
                    node.session = Some(session.clone());
                }
                if node.loader.is_empty() && node.session.as_ref() == Some(session) {
                    node.describe(session, frame);
                }
            }
        }
    }

    /// The session's own account after events were lost: what it does not name is gone, what it says counts.
    pub(crate) fn replace(&mut self, session: &SessionId, tree: &page::FrameTree) {
        let frames = flat(tree);
        let named: HashSet<FrameId> = frames.iter().map(|frame| FrameId::new(&*frame.id)).collect();
        let gone = self.of_session(session).into_iter().filter(|id| !named.contains(id)).collect();
        self.remove_all(gone);
        for frame in frames {
            let elsewhere = |node: &Node| node.session.as_ref().is_some_and(|other| other != session);
            if !self.nodes.get(&FrameId::new(&*frame.id)).is_some_and(elsewhere) {
                self.navigated(session, frame);
            }
        }
    }

    fn of_session(&self, session: &SessionId) -> HashSet<FrameId> {
        let here = self.nodes.iter().filter(|(_, node)| node.session.as_ref() == Some(session));
        here.map(|(id, _)| id.clone()).collect()
    }

    fn remove(&mut self, id: &FrameId) {
        // Most frames hold no others: then there is no need to know who holds whom.
        self.nodes.remove(id);
        if self.nodes.values().any(|node| node.parent.as_ref() == Some(id)) {
            self.empty(id);
        }
    }

    /// Removes everything below a frame.
    fn empty(&mut self, id: &FrameId) {
        let children = self.children();
        let mut rest: Vec<FrameId> = children.get(id).cloned().unwrap_or_default();
        let mut below = HashSet::new();
        while let Some(child) = rest.pop() {
            if child != *id && below.insert(child.clone()) {
                rest.extend(children.get(&child).cloned().unwrap_or_default());
            }
        }
        self.nodes.retain(|id, _| !below.contains(id));
    }

    fn remove_all(&mut self, ids: Vec<FrameId>) {
        for id in ids {
            if self.nodes.contains_key(&id) {
                self.remove(&id);
            }
        }
    }

    fn children(&self) -> HashMap<FrameId, Vec<FrameId>> {
        let mut children: HashMap<FrameId, Vec<FrameId>> = HashMap::new();
        for (id, node) in &self.nodes {
            if let Some(parent) = &node.parent {
                children.entry(parent.clone()).or_default().push(id.clone());
            }
        }
        children
    }

    /// The session that speaks for a frame.
    pub(crate) fn session_of(&self, id: &FrameId) -> Option<SessionId> {
        self.nodes.get(id)?.session.clone()
    }

    /// Every frame that can be reached from `main`, parents before children, siblings in order of appearance.
    pub(crate) fn list(&self, main: &FrameId) -> Vec<Frame> {
        let mut children: HashMap<&FrameId, Vec<&FrameId>> = HashMap::new();
        let mut by_age: Vec<(&FrameId, &Node)> = self.nodes.iter().collect();
        by_age.sort_by_key(|(_, node)| std::cmp::Reverse(node.born));
        for (id, node) in by_age {
            if let Some(parent) = &node.parent {
                children.entry(parent).or_default().push(id);
            }
        }
        let (mut out, mut rest, mut seen) = (Vec::new(), vec![main], HashSet::new());
        while let Some(id) = rest.pop() {
            // Damaged news may make a frame its own ancestor.
            let Some(node) = self.nodes.get(id).filter(|_| seen.insert(id)) else { continue };
            let parent = node.parent.as_ref().filter(|_| id != main);
            let parent_session = parent.and_then(|parent| self.nodes.get(parent)?.session.as_ref());
            out.push(Frame {
                id: id.clone(),
                parent: parent.cloned(),
                url: node.url.clone(),
                name: node.name.clone(),
                loader: node.loader.clone(),
                out_of_process: parent_session.is_some() && node.session.as_ref() != parent_session,
            });
            rest.extend(children.remove(id).unwrap_or_default());
        }
        out
    }
}

impl Node {
    fn describe(&mut self, session: &SessionId, frame: &page::Frame) {
        self.session = Some(session.clone());
        self.url = address(frame);
        self.name = frame.name.as_ref().map(|name| clip(&name.0, NAME));
        self.loader.clone_from(&frame.loader_id);
    }
}

/// A frame and all below it, parents first.
fn flat(tree: &page::FrameTree) -> Vec<&page::Frame> {
    let (mut out, mut rest) = (Vec::new(), vec![tree]);
    while let Some(tree) = rest.pop() {
        out.push(&tree.frame);
        rest.extend(tree.child_frames.iter());
    }
    out
}

/// A frame's whole address, in a bounded length. Under the browser's own error page that is the address that failed.
pub(super) fn address(frame: &page::Frame) -> String {
    if let Some(failed) = frame.unreachable_url.as_ref().filter(|failed| !failed.0.is_empty()) {
        return clip(&failed.0, ADDRESS);
    }
    let fragment = frame.url_fragment.as_ref().map_or("", |fragment| &fragment.0);
    clip(&format!("{}{fragment}", frame.url.0), ADDRESS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(name: &str) -> FrameId {
        FrameId::new(name)
    }

    fn session(name: &str) -> SessionId {
        SessionId::new(name)
    }

    fn frame(name: &str, parent: Option<&str>, url: &str) -> page::Frame {
        let json =
            serde_json::json!({"id": name, "parentId": parent, "loaderId": format!("L-{url}"), "url": url});
        serde_json::from_value(json).unwrap()
    }

    fn tree(frame: page::Frame, children: Vec<page::FrameTree>) -> page::FrameTree {
        page::FrameTree { frame, child_frames: children }
    }

    fn shape(frames: &Frames) -> Vec<(String, bool)> {
        frames.list(&id("main")).into_iter().map(|frame| (frame.url, frame.out_of_process)).collect()
    }

    #[test]
    fn a_child_that_attaches_before_the_tree_is_known_is_kept() {
        let mut frames = Frames::default();
        let (page, inner) = (session("page"), session("inner"));
        frames.session_opened(&inner, &id("kid"));
        frames.navigated(&inner, &frame("kid", None, "http://other/"));
        frames.tree(&page, &tree(frame("main", None, "http://here/"), vec![]));
        frames.attached(&page, &id("kid"), id("main"));
        assert_eq!(shape(&frames), [("http://here/".into(), false), ("http://other/".into(), true)]);
        assert_eq!(frames.session_of(&id("kid")), Some(inner));
    }

    #[test]
    fn a_frame_that_moves_to_another_process_and_back_stays_one_frame() {
        let mut frames = Frames::default();
        let (page, inner) = (session("page"), session("inner"));
        frames.navigated(&page, &frame("main", None, "http://here/"));
        frames.attached(&page, &id("kid"), id("main"));
        frames.navigated(&page, &frame("kid", Some("main"), "http://here/kid"));
        frames.session_opened(&inner, &id("kid"));
        frames.detached(&page, &id("kid"), true);
        frames.navigated(&inner, &frame("kid", None, "http://other/kid"));
        assert_eq!(shape(&frames)[1], ("http://other/kid".into(), true));
        frames.session_ended(&inner);
        frames.navigated(&page, &frame("kid", Some("main"), "http://here/again"));
        assert_eq!(shape(&frames)[1], ("http://here/again".into(), false));
        frames.detached(&page, &id("kid"), false);
        assert_eq!(shape(&frames).len(), 1);
    }

    #[test]
    fn a_removed_frame_takes_its_descendants_along() {
        let mut frames = Frames::default();
        let page = session("page");
        frames.tree(
            &page,
            &tree(
                frame("main", None, "0"),
                vec![tree(frame("a", Some("main"), "1"), vec![tree(frame("b", Some("a"), "2"), vec![])])],
            ),
        );
        assert_eq!(shape(&frames).len(), 3);
        frames.detached(&page, &id("a"), false);
        assert_eq!(shape(&frames).len(), 1);
        assert_eq!(frames.nodes.len(), 1);
    }

    #[test]
    fn a_new_document_takes_the_frames_of_the_old_one_along() {
        let mut frames = Frames::default();
        let (page, inner) = (session("page"), session("inner"));
        frames.navigated(&page, &frame("main", None, "first"));
        frames.attached(&page, &id("kid"), id("main"));
        frames.session_opened(&inner, &id("kid"));
        frames.attached(&inner, &id("grandkid"), id("kid"));
        frames.navigated(&page, &frame("main", None, "second"));
        assert_eq!((shape(&frames).len(), frames.nodes.len()), (1, 1));
    }

    #[test]
    fn after_a_gap_the_session_s_own_account_counts() {
        let mut frames = Frames::default();
        let (page, inner) = (session("page"), session("inner"));
        frames.navigated(&page, &frame("main", None, "0"));
        for kid in ["a", "b", "away"] {
            frames.attached(&page, &id(kid), id("main"));
        }
        frames.session_opened(&inner, &id("away"));
        let now = tree(frame("main", None, "1"), vec![tree(frame("b", Some("main"), "2"), vec![])]);
        frames.replace(&page, &now);
        assert!(frames.session_of(&id("a")).is_none());
        assert_eq!(shape(&frames).first(), Some(&("1".into(), false)));
        assert_eq!(frames.session_of(&id("b")), Some(page));
    }

    #[test]
    fn what_pages_write_is_kept_in_bounded_length() {
        let mut frames = Frames::default();
        let json = serde_json::json!({"id": "main", "loaderId": "L", "url": "u".repeat(1_000_000), "name": "n".repeat(1_000_000)});
        frames.navigated(&session("page"), &serde_json::from_value(json).unwrap());
        let main = &frames.list(&id("main"))[0];
        assert!(main.url.len() < 10_000 && main.name.as_ref().unwrap().len() < 1_000);
    }

    proptest! {
        /// Any news in any order: no panic, no endless list, no frame twice.
        #[test]
        fn any_order_of_news_gives_a_tree(news in prop::collection::vec((0u8..8, 0u8..5, 0u8..5, 0u8..3), 0..60)) {
            let names = ["main", "a", "b", "c", "d"];
            let sessions = [session("s0"), session("s1"), session("s2")];
            let mut frames = Frames::default();
            for (kind, one, two, from) in news {
                let (one, two, from) = (names[one as usize], names[two as usize], &sessions[from as usize]);
                match kind {
                    0 => frames.attached(from, &id(one), id(two)),
                    1 => frames.navigated(from, &frame(one, Some(two), "u")),
                    2 => frames.detached(from, &id(one), true),
                    3 => frames.detached(from, &id(one), false),
                    4 => frames.session_opened(from, &id(one)),
                    5 => frames.session_ended(from),
                    6 => frames.replace(from, &tree(frame(one, Some(two), "w"), vec![])),
                    _ => frames.tree(from, &tree(frame(one, None, "u"), vec![tree(frame(two, Some(one), "v"), vec![])])),
                }
                let listed = frames.list(&id("main"));
                let mut seen = std::collections::HashSet::new();
                prop_assert!(listed.iter().all(|frame| seen.insert(frame.id.clone())));
                prop_assert!(listed.len() <= names.len());
            }
        }
    }
}
