//! Which texts are part of running text.

use crate::scene::{Line, OutlineLine};

use super::SHORT;

/// What running text is made of is at least so long on average. The cells of a row are shorter.
const PIECE: usize = 20;

/// For each line of the outline whether it is part of running text: of lines in one group, perhaps with links between them,
/// whose words together are more than a caption.
pub(super) fn running(outline: &[OutlineLine]) -> Vec<bool> {
    let paragraphs =
        outline.chunk_by(|one, next| one.group == next.group && !is_heading(one) && !is_heading(next));
    let mut running = Vec::with_capacity(outline.len());
    for paragraph in paragraphs {
        let texts = paragraph.iter().filter_map(|line| match &line.line {
            Line::Text(text) => Some(text.untrusted().chars().count()),
            _ => None,
        });
        let (count, length) = texts.fold((0, 0), |(count, sum), length| (count + 1, sum + length));
        let runs = length > SHORT && length >= count * PIECE;
        running.extend(std::iter::repeat_n(runs, paragraph.len()));
    }
    running
}

fn is_heading(line: &OutlineLine) -> bool {
    matches!(line.line, Line::Heading { .. })
}
