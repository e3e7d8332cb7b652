//! What one document paints, read from the browser's own account of its layout. Pure.

use std::collections::{HashMap, HashSet};

use legwork_cdp::{
    Lossy,
    protocol::dom_snapshot::{Document, StringIndex},
};
use legwork_types::FrameId;

use super::{
    PaintedFrame, PaintedLabel, PaintedLine, PaintedText,
    effects::{Effects, NONE, Style},
};
use crate::Rect;

/// Attributes that elements paint, or that say which picture they show.
const PAINTED: &[&str] = &[
    "alt",
    "value",
    "placeholder",
    "label",
    "src",
    "srcset",
    "data",
    "poster",
    "href",
    "xlink:href",
    "title",
];
/// Those of them that only some elements paint.
const PAINTED_BY: &[(&str, &[&str])] =
    &[("href", &["image"]), ("xlink:href", &["image"]), ("title", &["img", "input"])];
/// What a style may take pictures from, painted within its box.
const PICTURES: &[&str] = &["background-image", "mask-image", "list-style-image", "content"];
/// What is longer is a picture itself.
const LONGEST: usize = 1 << 20;

const ELEMENT: u8 = 1;
const TEXT: u8 = 3;

/// What this document paints.
pub(super) fn painted(document: &Document, strings: &[Lossy]) -> PaintedFrame {
    let mut reader = Reader::new(document, strings);
    let order = in_reading_order(&reader);
    let mut around: HashMap<usize, Around> = HashMap::new();
    for node in order {
        let parent = document.nodes.parent_index.get(node).and_then(|parent| usize::try_from(*parent).ok());
        let outer = parent.and_then(|parent| around.get(&parent).copied()).unwrap_or(Around::NOTHING);
        let inner = reader.node(node, outer);
        around.insert(node, inner);
    }
    reader.finish()
}

/// What is around a node.
#[derive(Debug, Clone, Copy)]
struct Around {
    effects: Effects,
    /// The drawing that it is in.
    drawing: Option<Rect>,
    /// The field that paints its texts.
    field: Option<usize>,
}

impl Around {
    const NOTHING: Self = Self { effects: NONE, drawing: None, field: None };
}

struct Reader<'a> {
    document: &'a Document,
    strings: &'a [Lossy],
    /// The boxes of nodes.
    boxes: HashMap<usize, Vec<usize>>,
    /// The lines of boxes.
    lines: HashMap<usize, Vec<usize>>,
    /// What is in fields.
    values: HashMap<usize, Vec<StringIndex>>,
    /// What kind of generated content nodes are.
    generated: HashMap<usize, &'a str>,
    painted: PaintedFrame,
    /// The texts in each field, with its place.
    fields: HashMap<usize, (String, Option<Vec<Rect>>)>,
    /// All that is written in drawings, and where drawings are repeated.
    drawn: String,
    repeated: Vec<Option<Vec<Rect>>>,
    /// What stands where words are broken.
    hyphens: HashSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn new(document: &'a Document, strings: &'a [Lossy]) -> Self {
        let mut reader = Self {
            document,
            strings,
            boxes: HashMap::new(),
            lines: HashMap::new(),
            values: HashMap::new(),
            generated: HashMap::new(),
            painted: PaintedFrame {
                frame: FrameId::new(""),
                texts: vec![],
                labels: vec![],
                repeats_frames: false,
            },
            fields: HashMap::new(),
            drawn: String::new(),
            repeated: vec![],
            hyphens: HashSet::new(),
        };
        reader.painted.frame = FrameId::new(reader.string(document.frame_id));
        for (at, node) in document.layout.node_index.iter().enumerate() {
            reader.boxes.entry(*node).or_default().push(at);
        }
        for (at, of) in document.text_boxes.layout_index.iter().enumerate() {
            reader.lines.entry(*of).or_default().push(at);
        }
        for values in [&document.nodes.input_value, &document.nodes.text_value] {
            for (node, value) in values.index.iter().zip(&values.value) {
                reader.values.entry(*node).or_default().push(*value);
            }
        }
        let kinds = &document.nodes.pseudo_type;
        reader.generated =
            kinds.index.iter().zip(&kinds.value).map(|(node, kind)| (*node, reader.string(*kind))).collect();
        reader
    }

    fn string(&self, at: StringIndex) -> &'a str {
        usize::try_from(at).ok().and_then(|at| self.strings.get(at)).map_or("", |text| text.0.as_str())
    }

    fn style(&self, at: usize) -> Style<'a> {
        let values = self.document.layout.styles.get(at).map(Vec::as_slice).unwrap_or_default();
        Style(values.iter().map(|value| self.string(*value)).collect())
    }

    /// Bounds of the document as a box of the viewport, larger by what is painted around it.
    fn rect(&self, bounds: Option<&Vec<f32>>, reach: f32) -> Option<Rect> {
        let [x, y, width, height] = bounds?[..] else { return None };
        Some(Rect {
            x: x - self.document.scroll_offset_x - reach,
            y: y - self.document.scroll_offset_y - reach,
            width: width + 2.0 * reach,
            height: height + 2.0 * reach,
        })
    }

    /// Where the boxes of a node are painted; none if nobody can tell.
    fn rects(&self, node: usize, reach: f32) -> Option<Vec<Rect>> {
        let boxes = self.boxes.get(&node).map(Vec::as_slice).unwrap_or_default();
        let rects = boxes.iter().filter_map(|at| self.rect(self.document.layout.bounds.get(*at), reach));
        reach.is_finite().then(|| rects.collect())
    }

    /// Takes in what a node paints. What is around those within it.
    fn node(&mut self, node: usize, outer: Around) -> Around {
        let nodes = &self.document.nodes;
        let kind = nodes.node_type.get(node).copied().unwrap_or_default();
        if kind == TEXT {
            self.text_node(node, outer);
            return outer;
        }
        let name = self.string(nodes.node_name.get(node).copied().unwrap_or(-1)).to_ascii_lowercase();
        let mut inner = outer;
        if let Some(first) = self.boxes.get(&node).and_then(|boxes| boxes.first().copied()) {
            let style = self.style(first);
            inner.effects = outer.effects.within(&style);
            self.pictures(node, &name, &style, inner.effects);
            if kind == ELEMENT {
                self.element(node, &name, &style, &mut inner);
            }
            self.texts(node, inner);
        } else if let (ELEMENT, Some(field)) = (kind, outer.field) {
            let labels: Vec<&str> =
                self.attributes(node).filter(|(name, _)| *name == "label").map(|(_, value)| value).collect();
            labels.into_iter().for_each(|label| self.in_field(field, label));
        }
        match name.as_str() {
            // Painted wherever something refers to it.
            "pattern" | "mask" | "clippath" | "marker" | "filter" => inner.effects = inner.effects.anywhere(),
            "feimage" => self.repeated.push(None),
            _ => {}
        }
        inner
    }

    fn text_node(&mut self, node: usize, outer: Around) {
        let value = self.string(self.document.nodes.node_value.get(node).copied().unwrap_or(-1));
        if outer.drawing.is_some() {
            self.drawn.push_str(value);
        }
        if let Some(field) = outer.field {
            self.in_field(field, value);
        }
        self.texts(node, outer);
    }

    fn in_field(&mut self, field: usize, text: &str) {
        if let Some((texts, _)) = self.fields.get_mut(&field) {
            texts.push_str(text);
            texts.push('\n');
        }
    }

    /// The texts of a node's boxes.
    fn texts(&mut self, node: usize, around: Around) {
        for at in self.boxes.get(&node).cloned().unwrap_or_default() {
            let text = self.string(self.document.layout.text.get(at).copied().unwrap_or(-1));
            if text.trim().is_empty() {
                continue;
            }
            let style = self.style(at);
            let hyphen = style.get("hyphenate-character");
            if !hyphen.is_empty() && hyphen != "auto" {
                self.hyphens.insert(hyphen);
            }
            let reach = around.effects.of_letters(&style);
            let lines = reach.is_finite().then(|| self.lines_of(at, text, reach, around.drawing));
            self.painted.texts.push(PaintedText { text: text.to_owned(), lines });
        }
    }

    fn lines_of(&self, at: usize, text: &str, reach: f32, drawing: Option<Rect>) -> Vec<PaintedLine> {
        let boxes = &self.document.text_boxes;
        let numbers = self.lines.get(&at).map(Vec::as_slice).unwrap_or_default();
        // Units that are no letters are read as something of another length.
        let is_exact = !text.contains('\u{fffd}');
        let line = |number: &usize| {
            let (start, length) = (*boxes.start.get(*number)?, *boxes.length.get(*number)?);
            let part = if is_exact { bytes(text, start)..bytes(text, start + length) } else { 0..text.len() };
            Some(PaintedLine { part, rect: self.rect(boxes.bounds.get(*number), reach)? })
        };
        let lines = numbers.iter().filter_map(line);
        // In drawings letters may stand along a line, each for itself.
        lines.chain(drawing.map(|rect| PaintedLine { part: 0..text.len(), rect })).collect()
    }

    fn attributes(&self, node: usize) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let all = self.document.nodes.attributes.get(node).map(Vec::as_slice).unwrap_or_default();
        let strings = self.strings;
        let string = move |at: StringIndex| {
            usize::try_from(at).ok().and_then(|at| strings.get(at)).map_or("", |text| text.0.as_str())
        };
        all.chunks_exact(2).map(move |pair| (string(pair[0]), string(pair[1])))
    }

    fn label(&mut self, text: &str, rects: Option<Vec<Rect>>) {
        if !text.is_empty() && text.len() <= LONGEST {
            self.painted.labels.push(PaintedLabel { text: text.to_owned(), rects });
        }
    }

    /// Pictures that styles name.
    fn pictures(&mut self, node: usize, name: &str, style: &Style<'_>, effects: Effects) {
        let has_url = |property: &str| Some(style.get(property)).filter(|value| value.contains("url("));
        for property in PICTURES {
            let Some(value) = has_url(property) else { continue };
            // What is behind the page is behind all of it.
            let rects = if matches!(name, "html" | "body") { None } else { self.rects(node, effects.reach) };
            self.label(value, rects);
        }
        if let Some(value) = has_url("border-image-source") {
            self.label(value, None);
        }
    }

    /// What an element paints that is no text of it.
    fn element(&mut self, node: usize, name: &str, style: &Style<'_>, inner: &mut Around) {
        let rects = self.rects(node, inner.effects.of_letters(style));
        match name {
            "iframe" | "frame" | "fencedframe" | "object" | "embed" => {
                self.painted.repeats_frames |= inner.effects.reach > 0.0;
            }
            "select" | "textarea" => {
                self.fields.insert(node, (String::new(), rects.clone()));
                inner.field = Some(node);
            }
            "svg" if inner.drawing.is_none() => {
                inner.drawing = rects.as_ref().and_then(|rects| rects.first().copied());
                inner.effects = inner.effects.within_drawing();
            }
            "use" => {
                let with_drawing = |rects: Vec<Rect>| rects.into_iter().chain(inner.drawing).collect();
                self.repeated.push(rects.clone().map(with_drawing));
            }
            _ => {}
        }
        let is_painted = |attribute: &str| {
            let by = PAINTED_BY.iter().find(|(known, _)| *known == attribute);
            PAINTED.contains(&attribute) && by.is_none_or(|(_, names)| names.contains(&name))
        };
        for (_, value) in self.attributes(node).filter(|(attribute, _)| is_painted(attribute)) {
            self.label(value, rects.clone());
        }
        for value in self.values.get(&node).cloned().unwrap_or_default() {
            self.label(self.string(value), rects.clone());
        }
    }

    fn finish(mut self) -> PaintedFrame {
        for (text, rects) in std::mem::take(&mut self.fields).into_values() {
            self.label(&text, rects);
        }
        let drawn = std::mem::take(&mut self.drawn);
        for rects in std::mem::take(&mut self.repeated) {
            self.label(&drawn, rects);
        }
        for hyphen in std::mem::take(&mut self.hyphens) {
            self.label(hyphen, None);
        }
        self.painted
    }
}

/// All nodes as they are read: what comes after the texts of an element is told before them.
fn in_reading_order(reader: &Reader<'_>) -> Vec<usize> {
    let parents = &reader.document.nodes.parent_index;
    let mut within: HashMap<i32, Vec<usize>> = HashMap::new();
    for (node, parent) in parents.iter().enumerate() {
        within.entry(*parent).or_default().push(node);
    }
    for nodes in within.values_mut() {
        nodes.sort_by_key(|node| reader.generated.get(node) == Some(&"after"));
    }
    let mut order = Vec::with_capacity(parents.len());
    let mut waiting: Vec<usize> = within.remove(&-1).unwrap_or_default().into_iter().rev().collect();
    while let Some(node) = waiting.pop() {
        order.push(node);
        let inside = i32::try_from(node).ok().and_then(|node| within.remove(&node)).unwrap_or_default();
        waiting.extend(inside.into_iter().rev());
    }
    order
}

/// How many bytes these units of UTF-16 are.
fn bytes(text: &str, units: usize) -> usize {
    let mut counted = 0;
    let after = text.char_indices().find(|(_, letter)| {
        let is_over = counted >= units;
        counted += letter.len_utf16();
        is_over
    });
    after.map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use legwork_cdp::protocol::dom_snapshot::Snapshot;
    use serde_json::json;

    use super::*;

    /// A page with a text, what comes after it, and a picture that is not there; scrolled by ten pixels.
    fn snapshot() -> Snapshot {
        let strings =
            ["frame", "P", "", "one two", "three", "after", "IMG", "alt", "a cup", "::after", "#text"];
        serde_json::from_value(json!({
            "strings": strings,
            "documents": [{
                "frameId": 0, "scrollOffsetY": 10,
                "nodes": {
                    "parentIndex": [-1, 0, 1, 1, 0], "nodeType": [9, 1, 1, 3, 1], "nodeName": [2, 1, 9, 10, 6],
                    "nodeValue": [-1, -1, -1, 3, -1], "attributes": [[], [], [], [], [7, 8]],
                    "pseudoType": {"index": [2], "value": [5]},
                },
                "layout": {
                    "nodeIndex": [1, 2, 2, 3, 4], "styles": [[], [], [], [], []], "text": [-1, -1, 4, 3, -1],
                    "bounds": [[0, 10, 90, 40], [0, 30, 9, 9], [0, 30, 9, 9], [0, 10, 9, 29], [0, 50, 20, 20]],
                },
                "textBoxes": {
                    "layoutIndex": [2, 3, 3], "bounds": [[0, 30, 9, 9], [0, 10, 9, 9], [0, 20, 9, 9]],
                    "start": [0, 0, 4], "length": [5, 3, 3],
                },
            }],
        }))
        .unwrap()
    }

    #[test]
    fn texts_are_told_as_they_are_read_and_where_they_are_in_sight() {
        let snapshot = snapshot();
        let told = painted(&snapshot.documents[0], &snapshot.strings);
        let rect = |y, width, height| Rect { x: 0.0, y, width, height };
        let line = |part, y| PaintedLine { part, rect: rect(y, 9.0, 9.0) };
        let text = |text: &str, lines| PaintedText { text: text.into(), lines: Some(lines) };
        let texts =
            [text("one two", vec![line(0..3, 0.0), line(4..7, 10.0)]), text("three", vec![line(0..5, 20.0)])];
        assert_eq!(told.texts, texts);
        let label = PaintedLabel { text: "a cup".into(), rects: Some(vec![rect(40.0, 20.0, 20.0)]) };
        assert_eq!((told.frame.as_str(), told.labels), ("frame", vec![label]));
    }

    #[test]
    fn units_of_scripts_are_counted_as_bytes() {
        for (units, expected) in [(0, 0), (1, 1), (2, 3), (4, 7), (5, 8), (9, 8)] {
            assert_eq!(bytes("aä🎉b", units), expected, "{units}");
        }
    }
}
