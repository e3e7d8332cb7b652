//! Where a frame paints what a veil hides. Pure.

use std::{borrow::Cow, ops::Range};

use legwork_browser::{PaintedFrame, PaintedText, Rect};
use legwork_observe::Veil;

/// Where a frame paints what is hidden; none if that can't be told.
pub(super) fn places(veil: &dyn Veil, frame: &PaintedFrame) -> Option<Vec<Rect>> {
    let mut found = Vec::new();
    // One after another, as what says nothing by itself may say it together with what follows.
    let all: String = frame.texts.iter().map(|text| text.text.as_str()).collect();
    let hidden = veil.places(&all);
    let mut start = 0;
    for text in &frame.texts {
        let (from, to) = (start, start + text.text.len());
        start = to;
        let parts = hidden.iter().filter(|part| part.start < to && part.end > from);
        let parts = parts.map(|part| part.start.saturating_sub(from)..part.end.min(to) - from);
        let mut parts: Vec<Range<usize>> = parts.collect();
        if parts.is_empty() && hides(veil, &text.text) {
            parts.push(0..text.text.len());
        }
        for part in parts {
            found.extend(lines(text, &part)?);
        }
    }
    for label in frame.labels.iter().filter(|label| hides(veil, &label.text)) {
        found.extend(label.rects.as_deref()?);
    }
    Some(found)
}

/// Whether a frame paints anything that is hidden.
pub(super) fn shows(veil: &dyn Veil, frame: &PaintedFrame) -> bool {
    places(veil, frame).is_none_or(|places| !places.is_empty())
}

/// The lines that hold a part of a text; all of them if none is said to.
fn lines(text: &PaintedText, part: &Range<usize>) -> Option<Vec<Rect>> {
    let lines = text.lines.as_deref()?;
    let holds = |line: &Range<usize>| line.start < part.end && line.end > part.start;
    let held: Vec<Rect> = lines.iter().filter(|line| holds(&line.part)).map(|line| line.rect).collect();
    Some(if held.is_empty() { lines.iter().map(|line| line.rect).collect() } else { held })
}

pub(super) fn hides(veil: &dyn Veil, text: &str) -> bool {
    matches!(veil.over(text), Cow::Owned(_))
}

#[cfg(test)]
mod tests {
    use legwork_browser::{PaintedLabel, PaintedLine};
    use legwork_types::FrameId;

    use super::*;

    #[derive(Debug)]
    struct Word(&'static str);

    impl Veil for Word {
        fn over<'t>(&self, text: &'t str) -> Cow<'t, str> {
            if text.contains(self.0) { text.replace(self.0, "•••").into() } else { text.into() }
        }

        fn places(&self, text: &str) -> Vec<Range<usize>> {
            text.match_indices(self.0).map(|(at, word)| at..at + word.len()).collect()
        }
    }

    /// A box that is told from others by its left edge.
    fn at(x: f32) -> Rect {
        Rect { x, y: 0.0, width: 1.0, height: 1.0 }
    }

    fn text(text: &str, lines: Option<&[(Range<usize>, f32)]>) -> PaintedText {
        let line = |(part, x): &(Range<usize>, f32)| PaintedLine { part: part.clone(), rect: at(*x) };
        PaintedText { text: text.into(), lines: lines.map(|lines| lines.iter().map(line).collect()) }
    }

    #[track_caller]
    fn check(texts: Vec<PaintedText>, labels: Vec<(&str, Option<f32>)>, expected: Option<&[f32]>) {
        let label = |(text, x): (&str, Option<f32>)| PaintedLabel {
            text: text.into(),
            rects: x.map(|x| vec![at(x)]),
        };
        let labels = labels.into_iter().map(label).collect();
        let frame = PaintedFrame { frame: FrameId::new("f"), texts, labels, repeats_frames: false };
        let found = places(&Word("hunter22"), &frame);
        let left = found.map(|rects| rects.iter().map(|rect| rect.x).collect::<Vec<_>>());
        assert_eq!(left.as_deref(), expected);
        assert_eq!(shows(&Word("hunter22"), &frame), expected.is_none_or(|places| !places.is_empty()));
    }

    #[test]
    fn the_lines_that_hold_a_part_of_it_are_found() {
        let two_lines = text("it is hunter22 now", Some(&[(0..8, 1.0), (8..14, 2.0), (14..18, 3.0)]));
        check(vec![two_lines], vec![], Some(&[1.0, 2.0]));
        let halves = || vec![text("a hunt", Some(&[(0..6, 1.0)])), text("er22 b", Some(&[(0..6, 2.0)]))];
        check(halves(), vec![], Some(&[1.0, 2.0]));
        check(vec![text("hunter22", Some(&[(9..10, 1.0), (10..11, 2.0)]))], vec![], Some(&[1.0, 2.0]));
        check(vec![text("hunter", Some(&[(0..6, 1.0)]))], vec![("x", Some(2.0)), ("y", None)], Some(&[]));
        check(vec![], vec![("x", Some(1.0)), ("is hunter22", Some(2.0))], Some(&[2.0]));
    }

    #[test]
    fn what_may_be_anywhere_is_not_told() {
        check(vec![text("hunter22", None)], vec![], None);
        check(vec![text("hunter22", Some(&[(0..8, 1.0)]))], vec![("hunter22", None)], None);
        check(vec![text("something else", None)], vec![], Some(&[]));
    }
}
