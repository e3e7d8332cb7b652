//! What pages and workers of one context sent lately, and what is still on its way. Bounded, and pure.

use std::{
    collections::{HashMap, VecDeque, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    time::{Duration, Instant},
};

use legwork_types::TabId;
use url::Url;

use super::clip::clip;

/// Requests that are kept to be told. Those since the last mark go before older ones; what comes when even they fill it is counted.
const KEPT: usize = 512;
/// Requests on their way that are followed.
const RUNNING: usize = 2_000;
/// The longest path that is told.
const PATH: usize = 500;
/// Rulings on requests that were not told of yet.
const RULINGS: usize = 64;
/// As much of an address as is looked at.
const LOOKED_AT: usize = 64 * 1024;
/// A request without an answer for so long is one that is meant to wait: a page that is told of news that way.
const PATIENT: Duration = Duration::from_secs(5);

/// A document that was answered and then called off becomes a download, within so long.
const BECOMES_DOWNLOAD: Duration = Duration::from_secs(5);

/// What a request is for, as far as it matters to those who wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The document of a frame.
    Document,
    /// A script or a style sheet, or what a script asks for: the page is not ready without it.
    Needed,
    /// Pictures, fonts, media, beacons, event streams, sockets, and what comes ahead of its need.
    Beside,
}

impl Kind {
    pub(crate) fn of(protocol: &str) -> Self {
        match protocol {
            "Document" => Self::Document,
            "Stylesheet" | "Script" | "XHR" | "Fetch" => Self::Needed,
            _ => Self::Beside,
        }
    }

    fn holds_up(self) -> bool {
        self != Self::Beside
    }
}

/// Where a request goes: nothing that it asks for, and no name or password.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) method: String,
    pub(crate) origin: String,
    pub(crate) path: String,
}

impl Line {
    /// None for what reaches no network: `data:`, `blob:` and their like.
    pub(crate) fn of(method: &str, address: &str) -> Option<Self> {
        let on_the_network =
            ["http:", "https:", "ws:", "wss:"].iter().any(|scheme| address.starts_with(scheme));
        if !on_the_network {
            return None;
        }
        let mut end = address.len().min(LOOKED_AT);
        while !address.is_char_boundary(end) {
            end -= 1;
        }
        let url = Url::parse(&address[..end]).ok()?;
        Some(Self {
            method: plain_method(method),
            origin: url.origin().ascii_serialization(),
            path: clip(url.path(), PATH),
        })
    }

    /// Whether it opens a socket.
    pub(crate) fn is_socket(&self) -> bool {
        self.origin.starts_with("ws:") || self.origin.starts_with("wss:")
    }

    /// Whether its method is one that can write.
    pub(crate) fn writes(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// Scripts may use any word as a method.
fn plain_method(method: &str) -> String {
    let is_word = method.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    if is_word && (1..=20).contains(&method.len()) { method.to_ascii_uppercase() } else { "OTHER".into() }
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// Counts up from 1 in one context.
    pub(crate) number: u64,
    /// The tab that sent it; none for a worker of the whole context.
    pub(crate) tab: Option<TabId>,
    pub(crate) line: Line,
    pub(crate) status: Option<u16>,
    /// Whether it came to nothing.
    pub(crate) failed: bool,
    pub(crate) fate: Fate,
}

/// What became of a request at the barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing stands in its way.
    Free,
    /// It waits for a decision.
    Held,
    /// It was turned back.
    Stopped,
}

#[derive(Debug)]
struct Running {
    number: u64,
    tab: Option<TabId>,
    kind: Kind,
    digest: u64,
    writes: bool,
    begun: Instant,
}

/// A point in time among the requests of a context.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestMark {
    number: u64,
    /// What was on its way: when it is asked for again, it is a page that waits for news.
    asked: Vec<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct Requests {
    kept: VecDeque<Request>,
    running: HashMap<String, Running>,
    count: u64,
    /// Requests after this one are kept before all others.
    marked: u64,
    /// For each tab, and for the workers of all: how many that a page needs there were, and when one last began or ended.
    paces: HashMap<Option<TabId>, (u64, Instant)>,
    /// When a document turned out to be a file.
    becomes_download: Option<Instant>,
    /// What was ruled on requests that were not told of yet: the barrier may hear of one first.
    rulings: VecDeque<(u64, Fate)>,
}

/// What was sent since a mark.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent {
    pub(crate) requests: Vec<Request>,
    /// How many more.
    pub(crate) more: u64,
}

impl Requests {
    pub(crate) fn began(&mut self, id: &str, tab: Option<TabId>, line: Line, kind: Kind, now: Instant) {
        // Told by two sessions: a frame that moves to a process of its own, a worker's first script.
        if self.running.contains_key(id) {
            return;
        }
        self.count += 1;
        let number = self.count;
        let (digest, writes) = (line.digest(), line.writes());
        if self.running.len() < RUNNING {
            self.running.insert(id.to_owned(), Running { number, tab, kind, digest, writes, begun: now });
        }
        if kind.holds_up() {
            let pace = self.paces.entry(tab).or_insert((0, now));
            *pace = (pace.0 + 1, now);
        }
        if self.kept.len() == KEPT && self.kept.front().is_some_and(|oldest| oldest.number <= self.marked) {
            self.kept.pop_front();
        }
        if self.kept.len() < KEPT {
            self.kept.push_back(Request { number, tab, line, status: None, failed: false, fate: Fate::Free });
        }
        if let Some(place) = self.rulings.iter().position(|(other, _)| *other == digest)
            && let Some((_, fate)) = self.rulings.remove(place)
        {
            self.give(id, fate);
        }
    }

    /// The barrier stands in the way of a request. Which of several alike does not matter: none is told apart from the others.
    pub(crate) fn meets(&mut self, line: &Line, fate: Fate) {
        let digest = line.digest();
        let free = |running: &Running| {
            let place = self.kept.binary_search_by_key(&running.number, |request| request.number);
            let kept = place.ok().and_then(|place| self.kept.get(place));
            kept.is_none_or(|request| request.fate == Fate::Free && request.status.is_none())
        };
        let mut alike = self.running.iter().filter(|(_, running)| running.digest == digest && free(running));
        match alike.next().map(|(id, _)| id.clone()) {
            Some(id) => self.give(&id, fate),
            None => {
                if self.rulings.len() == RULINGS {
                    self.rulings.pop_front();
                }
                self.rulings.push_back((digest, fate));
            }
        }
    }

    /// Somebody decided on a request that was held: what comes of it will be told.
    pub(crate) fn decided(&mut self, line: &Line) {
        let digest = line.digest();
        if let Some(request) =
            self.kept.iter_mut().find(|request| request.fate == Fate::Held && request.line.digest() == digest)
        {
            request.fate = Fate::Free;
        }
    }

    fn give(&mut self, id: &str, fate: Fate) {
        let Some(running) = self.running.get_mut(id) else { return };
        if fate == Fate::Held {
            // Nobody waits for a person as one waits for a server.
            running.kind = Kind::Beside;
        }
        let number = running.number;
        if let Some(request) = self.request(number) {
            request.fate = fate;
        }
    }

    /// A write that is on its way: where to, and since when.
    pub(crate) fn write(&self, id: &str) -> Option<(u64, Instant)> {
        self.running.get(id).filter(|running| running.writes).map(|running| (running.digest, running.begun))
    }

    /// An answer begins. One without an end is nothing that anybody waits for.
    pub(crate) fn answered(&mut self, id: &str, status: u16, endless: bool) {
        let Some(running) = self.running.get_mut(id) else { return };
        if endless {
            running.kind = Kind::Beside;
        }
        let number = running.number;
        if let Some(request) = self.request(number) {
            request.status = Some(status);
        }
    }

    /// All of the answer has come.
    pub(crate) fn ended(&mut self, id: &str, now: Instant) {
        self.over(id, now);
    }

    /// There will be no answer, or no more of it. What was answered and then called off was sent all the same: a download for one.
    pub(crate) fn failed(&mut self, id: &str, called_off: bool, now: Instant) {
        let is_document = self.running.get(id).is_some_and(|running| running.kind == Kind::Document);
        let Some(number) = self.over(id, now) else { return };
        let Some(request) = self.request(number) else { return };
        request.failed = !(called_off && request.status.is_some());
        let has_content = request.status.is_some_and(|status| matches!(status, 200 | 201 | 202 | 203 | 206));
        if is_document && called_off && has_content {
            self.becomes_download = Some(now);
        }
    }

    /// A download has begun.
    pub(crate) fn download_came(&mut self) {
        self.becomes_download = None;
    }

    fn over(&mut self, id: &str, now: Instant) -> Option<u64> {
        let running = self.running.remove(id)?;
        if let Some(pace) = self.paces.get_mut(&running.tab).filter(|_| running.kind.holds_up()) {
            pace.1 = now;
        }
        Some(running.number)
    }

    /// News were lost: what was on its way may be over.
    pub(crate) fn forget_running(&mut self) {
        self.running.clear();
    }

    /// A tab is gone, and what it waited for.
    pub(crate) fn forget_tab(&mut self, tab: TabId) {
        self.running.retain(|_, running| running.tab != Some(tab));
        self.paces.remove(&Some(tab));
    }

    pub(crate) fn mark(&mut self) -> RequestMark {
        self.marked = self.count;
        let needed = self.running.values().filter(|running| running.kind.holds_up());
        RequestMark { number: self.count, asked: needed.map(|running| running.digest).collect() }
    }

    /// What these tabs, and workers of nobody's own, sent since a mark: at most so many.
    pub(crate) fn since(&self, mark: &RequestMark, tabs: &[TabId], most: usize) -> Sent {
        let ours = self.kept.iter().filter(|request| {
            request.number > mark.number && request.tab.is_none_or(|tab| tabs.contains(&tab))
        });
        let mut requests: Vec<Request> = ours.cloned().collect();
        let unkept = self.count - self.kept.back().map_or(self.count, |last| last.number);
        let cut = requests.split_off(requests.len().min(most));
        Sent { requests, more: unkept + cut.len() as u64 }
    }

    /// How many that the page needs are on their way since a mark.
    pub(crate) fn pending(&self, mark: &RequestMark, tab: TabId, now: Instant) -> usize {
        let held_up = |running: &&Running| {
            running.number > mark.number
                && running.kind.holds_up()
                && running.tab.is_none_or(|other| other == tab)
                && !mark.asked.contains(&running.digest)
        };
        let becomes_download =
            self.becomes_download.is_some_and(|at| now.duration_since(at) < BECOMES_DOWNLOAD);
        self.running.values().filter(held_up).count() + usize::from(becomes_download)
    }

    /// How many that the page needs are on their way at all, but for those that are meant to wait.
    pub(crate) fn busy(&self, tab: TabId, now: Instant) -> usize {
        let counts = |running: &&Running| {
            running.kind.holds_up()
                && running.tab.is_none_or(|other| other == tab)
                && now.duration_since(running.begun) < PATIENT
        };
        self.running.values().filter(counts).count()
    }

    /// How many that its page needs a tab has sent, workers of all included, and when one last began or ended.
    pub(crate) fn pace(&self, tab: TabId) -> (u64, Option<Instant>) {
        let paces = [Some(tab), None].into_iter().filter_map(|tab| self.paces.get(&tab));
        paces.fold((0, None), |(count, last), (more, at)| (count + more, last.max(Some(*at))))
    }

    fn request(&mut self, number: u64) -> Option<&mut Request> {
        let place = self.kept.binary_search_by_key(&number, |request| request.number).ok()?;
        self.kept.get_mut(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str) -> Line {
        Line { method: "GET".into(), origin: "http://a".into(), path: path.into() }
    }

    const TAB: Option<TabId> = None;

    #[test]
    fn an_address_gives_away_neither_questions_nor_names_nor_passwords() {
        let line = Line::of("post", "https://user:secret@shop.example:8443/pay/now?card=4111#top").unwrap();
        assert_eq!(
            (&*line.method, &*line.origin, &*line.path),
            ("POST", "https://shop.example:8443", "/pay/now")
        );
        assert_eq!(Line::of("GET", "data:text/html,hello"), None);
        assert_eq!(Line::of("GET", "blob:http://a/1"), None);
        assert_eq!(Line::of("<script>", "ws://a/").unwrap().method, "OTHER");
    }

    #[test]
    fn a_flood_is_counted_and_the_first_ones_are_told() {
        let (mut requests, now) = (Requests::default(), Instant::now());
        for n in 0..KEPT {
            requests.began(&format!("old {n}"), TAB, line("/old"), Kind::Needed, now);
        }
        let mark = requests.mark();
        for n in 0..10_000 {
            requests.began(&n.to_string(), TAB, line(&format!("/{n}")), Kind::Needed, now);
        }
        let sent = requests.since(&mark, &[], 20);
        assert_eq!((sent.requests.len(), sent.more), (20, 9_980));
        assert_eq!(sent.requests[0].line.path, "/0");
        assert!(requests.kept.len() <= KEPT && requests.running.len() <= RUNNING);
    }

    #[test]
    fn what_is_asked_for_again_and_again_holds_nobody_up() {
        let (mut requests, now) = (Requests::default(), Instant::now());
        let tab = TabId::nth(1);
        requests.began("1", Some(tab), line("/poll"), Kind::Needed, now);
        let mark = requests.mark();
        requests.ended("1", now);
        requests.began("2", Some(tab), line("/poll"), Kind::Needed, now);
        requests.began("3", Some(tab), line("/beacon"), Kind::Beside, now);
        assert_eq!(requests.pending(&mark, tab, now), 0);
        requests.began("4", Some(tab), line("/data"), Kind::Needed, now);
        requests.began("5", Some(tab), line("/stream"), Kind::Needed, now);
        requests.began("6", Some(TabId::nth(2)), line("/elsewhere"), Kind::Needed, now);
        assert_eq!(requests.pending(&mark, tab, now), 2);
        requests.answered("5", 200, true);
        assert_eq!(requests.pending(&mark, tab, now), 1);
        requests.answered("4", 503, false);
        requests.failed("4", false, now);
        let told = requests.since(&mark, &[tab], 20).requests;
        let data = told.iter().find(|request| request.line.path == "/data").unwrap();
        assert_eq!((requests.pending(&mark, tab, now), data.status, data.failed), (0, Some(503), true));
    }

    #[test]
    fn a_document_that_was_answered_and_called_off_becomes_a_download() {
        let (mut requests, now) = (Requests::default(), Instant::now());
        let (tab, mark) = (TabId::nth(1), requests.mark());
        for (id, status, pending) in [("1", 200, 1), ("2", 204, 0)] {
            requests.began(id, Some(tab), line("/file"), Kind::Document, now);
            requests.answered(id, status, false);
            requests.failed(id, true, now);
            assert_eq!(requests.pending(&mark, tab, now), pending, "{status}");
            assert_eq!(requests.pending(&mark, tab, now + BECOMES_DOWNLOAD), 0);
            requests.download_came();
            assert_eq!(requests.pending(&mark, tab, now), 0);
        }
        assert!(!requests.since(&mark, &[tab], 20).requests[0].failed);
    }

    #[test]
    fn what_two_sessions_tell_of_is_one_request() {
        let (mut requests, now) = (Requests::default(), Instant::now());
        requests.began("1", TAB, line("/"), Kind::Needed, now);
        requests.began("1", TAB, line("/"), Kind::Needed, now);
        assert_eq!(requests.since(&RequestMark::default(), &[], 20).requests.len(), 1);
    }
}
