//! Frames put together: where each one stands, what of it can be seen, and whose it is.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};

use legwork_types::{
    FrameId, PageText,
    contract::{ElementRect, FrameNumber, FrameSummary},
};
use url::Url;

use super::pen::Pen;
use crate::capture::{FrameCapture, PageCapture, Rect};

/// Beyond this nothing is a place on a page; it keeps sums of coordinates within their type.
const FARTHEST: f32 = 10_000_000.0;

/// Through a frame that is narrower or lower than this nobody can see anything, however it is scrolled.
const PINHOLE: f32 = 2.0;

/// What is this near to an edge, as a part of the whole, is at it: some leave a gap for a finger.
const NEARLY: f32 = 0.05;

/// A box by its edges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

impl Area {
    /// What two boxes have in common.
    fn meet(self, other: Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (both.left <= both.right && both.top <= both.bottom).then_some(both)
    }

    fn size(self) -> f32 {
        (self.right - self.left).max(0.0) * (self.bottom - self.top).max(0.0)
    }

    /// In whole pixels.
    fn rounded(self) -> ElementRect {
        let whole = |edge: f32| edge.clamp(-FARTHEST, FARTHEST).round() as i32;
        let (x, y) = (whole(self.left), whole(self.top));
        ElementRect { x, y, width: (whole(self.right) - x).max(0), height: (whole(self.bottom) - y).max(0) }
    }
}

/// From a frame's own pixels to those of the tab.
#[derive(Debug, Clone, Copy)]
struct Transform {
    origin: (f32, f32),
    across: (f32, f32),
    down: (f32, f32),
}

const AS_IT_IS: Transform = Transform { origin: (0.0, 0.0), across: (1.0, 0.0), down: (0.0, 1.0) };

impl Transform {
    fn point(&self, (x, y): (f32, f32)) -> (f32, f32) {
        (
            self.origin.0 + x * self.across.0 + y * self.down.0,
            self.origin.1 + x * self.across.1 + y * self.down.1,
        )
    }

    fn area(&self, corners: [(f32, f32); 4]) -> Area {
        let mut area = Area {
            left: f32::INFINITY,
            top: f32::INFINITY,
            right: f32::NEG_INFINITY,
            bottom: f32::NEG_INFINITY,
        };
        for (x, y) in corners.map(|corner| self.point(corner)) {
            area.left = area.left.min(x);
            area.right = area.right.max(x);
            area.top = area.top.min(y);
            area.bottom = area.bottom.max(y);
        }
        area
    }

    /// The one from a child's pixels, by the corners of the element that shows it.
    fn of_owner(&self, quad: [f32; 8], [width, height]: [f32; 2]) -> Option<(Self, Area)> {
        if !quad.iter().chain([&width, &height]).all(|n| n.is_finite()) || width <= 0.0 || height <= 0.0 {
            return None;
        }
        let corners = [(quad[0], quad[1]), (quad[2], quad[3]), (quad[4], quad[5]), (quad[6], quad[7])];
        let [upper_left, upper_right, _, lower_left] = corners.map(|corner| self.point(corner));
        let along =
            |to: (f32, f32), length: f32| ((to.0 - upper_left.0) / length, (to.1 - upper_left.1) / length);
        let child =
            Self { origin: upper_left, across: along(upper_right, width), down: along(lower_left, height) };
        Some((child, self.area(corners)))
    }
}

fn corners(rect: Rect) -> [(f32, f32); 4] {
    let near = |n: f32| if n.is_finite() { n.clamp(-FARTHEST, FARTHEST) } else { 0.0 };
    let (x, y) = (near(rect.x), near(rect.y));
    let (right, bottom) = (x + near(rect.width).max(0.0), y + near(rect.height).max(0.0));
    [(x, y), (right, y), (right, bottom), (x, bottom)]
}

/// A frame in its place.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    pub(super) capture: &'a FrameCapture,
    pub(super) number: FrameNumber,
    pub(super) loader: Arc<str>,
    pub(super) url: Option<Url>,
    pub(super) base: Option<Url>,
    /// Whether a person could see it, perhaps after scrolling.
    pub(super) visible: bool,
    /// Whether it is known where it stands.
    placed: bool,
    transform: Transform,
    /// What its owners leave to be seen of it; none for the page itself, which has no edge.
    window: Option<Area>,
}

impl Frame<'_> {
    /// Where something of this frame is in the tab; only the part that its owners show, if there is any.
    pub(super) fn place(&self, rect: Rect) -> Place {
        let whole = self.transform.area(corners(rect));
        match self.window {
            None => Place { area: whole, shown: self.placed },
            Some(window) => match whole.meet(window) {
                Some(area) => Place { area, shown: self.placed && self.visible },
                None => Place { area: whole, shown: false },
            },
        }
    }

    /// What its owners leave to be seen of it; none for the page itself.
    pub(super) fn window_rect(&self) -> Option<ElementRect> {
        self.window.map(Area::rounded)
    }

    /// The address as the document says it, or else as the browser does.
    pub(super) fn address(&self) -> &PageText {
        address(self.capture)
    }
}

/// Where something is in the tab.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    area: Area,
    /// Whether its frame and all around it leave it to be seen.
    pub(super) shown: bool,
}

impl Place {
    /// In whole pixels of the tab.
    pub(super) fn rect(&self) -> ElementRect {
        self.area.rounded()
    }
}

/// All frames, in the order of the capture.
#[derive(Debug)]
pub(super) struct Frames<'a> {
    pub(super) all: Vec<Frame<'a>>,
    /// Which frame stands at which owner of which frame.
    pub(super) by_owner: HashMap<(usize, u32), usize>,
    viewport: (f32, f32),
}

fn address(frame: &FrameCapture) -> &PageText {
    let own = &frame.look.document.url;
    if own.is_blank() { &frame.facts.url } else { own }
}

impl<'a> Frames<'a> {
    /// Puts them together; a parent that is missing or comes later is as good as none.
    pub(super) fn of(capture: &'a PageCapture) -> Self {
        let [width, height, ..] = capture.frames.first().map_or([0; 6], |main| main.look.document.viewport);
        let mut frames = Self {
            all: Vec::with_capacity(capture.frames.len()),
            by_owner: HashMap::new(),
            viewport: (width as f32, height as f32),
        };
        let mut by_id: HashMap<&FrameId, usize> = HashMap::new();
        for (at, frame) in capture.frames.iter().enumerate() {
            let parent = frame.facts.parent.as_ref().and_then(|id| by_id.get(id).copied());
            let owner = match (at, parent, frame.owner) {
                (0, ..) => None,
                (_, Some(parent), Some(owner)) => {
                    let known = capture.frames[parent].look.owners.get(owner as usize);
                    known
                        .filter(|_| !frames.by_owner.contains_key(&(parent, owner)))
                        .map(|o| (parent, owner, o))
                }
                _ => None,
            };
            by_id.entry(&frame.facts.id).or_insert(at);
            let url = Url::parse(address(frame).untrusted()).ok();
            let base = Url::parse(frame.look.document.base.untrusted()).ok().or_else(|| url.clone());
            let mut placed = Frame {
                capture: frame,
                number: FrameNumber(at as u32),
                loader: frame.facts.loader.as_str().into(),
                url,
                base,
                visible: true,
                placed: at == 0,
                transform: AS_IT_IS,
                window: None,
            };
            if let Some((parent, number, owner)) = owner {
                frames.by_owner.insert((parent, number), at);
                let around = &frames.all[parent];
                let put = around.transform.of_owner(owner.quad, owner.size);
                let window = put.and_then(|(_, area)| around.window.map_or(Some(area), |w| w.meet(area)));
                let is_open = put.is_some() && owner.size.iter().all(|&side| side >= PINHOLE);
                placed.visible = owner.visible && around.visible && is_open;
                placed.placed = around.placed && window.is_some();
                placed.transform = put.map_or(AS_IT_IS, |(transform, _)| transform);
                placed.window = window;
            }
            frames.all.push(placed);
        }
        frames
    }

    /// Whether this is in sight of the tab.
    pub(super) fn in_view(&self, place: Place) -> bool {
        let Area { left, top, right, bottom } = place.area;
        // Something without any width or height may still be at a place that is in sight.
        let (right, bottom) = (right.max(left + 0.5), bottom.max(top + 0.5));
        place.shown && right > 0.0 && bottom > 0.0 && left < self.viewport.0 && top < self.viewport.1
    }

    /// All that is in sight of the tab.
    fn sight(&self) -> Area {
        let (right, bottom) = self.viewport;
        Area { left: 0.0, top: 0.0, right, bottom }
    }

    /// The part of this that is in sight of the tab.
    pub(super) fn part_in_sight(&self, place: Place) -> Option<ElementRect> {
        place.area.meet(self.sight()).filter(|_| place.shown).map(Area::rounded)
    }

    /// How much of what is in sight this covers, from 0 to 1.
    pub(super) fn coverage(&self, place: Place) -> f32 {
        let all = self.sight();
        let covered = place.area.meet(all).map_or(0.0, Area::size);
        if place.shown && all.size() > 0.0 { covered / all.size() } else { 0.0 }
    }

    /// Whether this is at the lower edge of what is in sight and takes at most such a part of its height.
    pub(super) fn is_at_the_foot(&self, place: Place, highest: f32) -> bool {
        let Area { top, bottom, .. } = place.area;
        let height = self.viewport.1;
        place.shown && bottom >= height * (1.0 - NEARLY) && top >= height * (1.0 - highest) && top < height
    }

    /// Whether this address belongs to another origin than the page. A document without an address of its own belongs to
    /// whoever made it.
    fn is_foreign(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else { return false };
        if url.scheme() == "about" {
            return false;
        }
        let main = self.all.first().and_then(|main| main.url.as_ref());
        main.is_some_and(|main| main.origin() != url.origin())
    }

    /// What script draws in any of them: the parts that are in sight of the tab.
    pub(super) fn surfaces(&self) -> Vec<ElementRect> {
        let rects = self
            .all
            .iter()
            .flat_map(|frame| frame.capture.look.surfaces.iter().map(move |&rect| (frame, rect)));
        rects.filter_map(|(frame, rect)| self.part_in_sight(frame.place(rect))).collect()
    }

    /// All of them for callers, those that could not be looked at last.
    pub(super) fn summaries(&self, capture: &PageCapture, pen: &Pen) -> Vec<FrameSummary> {
        let owner_name = |at: usize| {
            let (&(parent, owner), _) = self.by_owner.iter().find(|(_, child)| **child == at)?;
            pen.write_some(capture.frames[parent].look.owners.get(owner as usize)?.name.untrusted(), 100)
        };
        let seen = self.all.iter().enumerate().map(|(at, frame)| {
            let name = frame.capture.facts.name.as_ref();
            FrameSummary {
                frame_id: frame.number,
                url: pen.write_some(frame.address().untrusted(), 1000),
                name: name.and_then(|name| pen.write_some(name.untrusted(), 100)).or_else(|| owner_name(at)),
                cross_origin: self.is_foreign(frame.address().untrusted()),
                omitted: false,
            }
        });
        let unseen = capture.unreachable.iter().enumerate().map(|(at, facts)| FrameSummary {
            frame_id: FrameNumber((self.all.len() + at) as u32),
            url: pen.write_some(facts.url.untrusted(), 1000),
            name: facts.name.as_ref().and_then(|name| pen.write_some(name.untrusted(), 100)),
            cross_origin: self.is_foreign(facts.url.untrusted()),
            omitted: true,
        });
        seen.chain(unseen).collect()
    }
}
