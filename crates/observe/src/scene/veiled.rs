//! Where a page shows what the veil hides: pictures have to be painted over there.

use std::{borrow::Cow, fmt, sync::Arc};

use legwork_types::{FrameId, PageText, contract::ElementRect};

use super::{
    survey::{Survey, Traits},
    tree::What,
};
use crate::{capture::GroupKind, veil::Veil};

/// Where a page shows what the veil hides, besides in controls: those say so themselves.
#[derive(Clone, Default)]
pub struct Veiled {
    /// What hides it; none where there is nothing to hide.
    pub veil: Option<Arc<dyn Veil>>,
    /// The texts of the page itself that show it, as they are. Nobody is told them; they are only looked for in the page.
    pub texts: Vec<PageText>,
    /// Whether the texts of the page itself show it only where they are read together.
    pub in_pieces: bool,
    /// The frames within the page.
    pub frames: Vec<FramePlace>,
    /// Whether it is shown where nobody can tell the place.
    pub unplaced: bool,
}

/// A frame within the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FramePlace {
    /// Which.
    pub frame: FrameId,
    /// What can be seen of it in the tab, if that can be told.
    pub rect: Option<ElementRect>,
    /// Whether its texts show what the veil hides.
    pub is_veiled: bool,
}

impl fmt::Debug for Veiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.texts.len() + self.frames.iter().filter(|window| window.is_veiled).count();
        f.debug_struct("Veiled").field("shown", &shown).field("unplaced", &self.unplaced).finish()
    }
}

fn hides(veil: &dyn Veil, text: &str) -> bool {
    matches!(veil.over(text), Cow::Owned(_))
}

/// Whether a control shows what the veil hides.
pub(super) fn is_veiled(survey: &Survey<'_>, traits: &Traits<'_>) -> bool {
    let Some(veil) = survey.pen.veil() else { return false };
    let attributes = &traits.control.attributes;
    let shown = [&attributes.value, &attributes.placeholder, &attributes.description];
    let mut texts = shown.into_iter().flatten().chain(&attributes.options).chain([&traits.control.name]);
    texts.any(|text| hides(veil, text.untrusted()))
}

/// Finds what the veil hides among the texts of a page.
pub(super) fn veiled(survey: &Survey<'_>) -> Veiled {
    let Some(veil) = survey.pen.veil() else { return Veiled::default() };
    let within = survey.frames.all.iter().skip(1).map(|frame| FramePlace {
        frame: frame.capture.facts.id.clone(),
        rect: frame.window_rect(),
        is_veiled: false,
    });
    let mut found = Veiled { veil: survey.pen.shared_veil(), frames: within.collect(), ..Veiled::default() };
    // What says nothing by itself may say it together with what follows.
    let mut runs: Vec<String> = vec![String::new(); survey.frames.all.len()];
    for node in &survey.tree.nodes {
        let text = match node.what {
            What::Text(text) => text,
            What::Group(group) if group.kind == GroupKind::Heading => group.name.untrusted(),
            _ => continue,
        };
        if !hides(veil, text) {
            if let Some(run) = runs.get_mut(node.frame) {
                run.push_str(text);
                run.push(' ');
            }
        } else if node.frame == 0 {
            found.texts.push(PageText::from(text));
        } else {
            found.in_frame(node.frame);
        }
    }
    for (frame, _) in runs.iter().enumerate().filter(|(_, run)| hides(veil, run)) {
        if frame == 0 {
            found.in_pieces = true;
        } else {
            found.in_frame(frame);
        }
    }
    found
}

impl Veiled {
    fn in_frame(&mut self, frame: usize) {
        // The page itself is no window.
        let window = frame.checked_sub(1).and_then(|at| self.frames.get_mut(at));
        self.unplaced |= window.as_ref().is_none_or(|window| window.rect.is_none());
        if let Some(window) = window {
            window.is_veiled = true;
        }
    }
}
