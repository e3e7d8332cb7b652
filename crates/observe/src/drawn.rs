//! Whether words are enough to tell what is in sight of a page, or a picture should go with them.

use foldhash::{HashMap, HashMapExt, HashSet};

use legwork_types::{
    PageText,
    contract::{Affordance, ElementRect},
};

use crate::scene::{Line, Scene, Use};

/// How wide and how high at least the part in sight is of what script draws, in CSS pixels: what is smaller is decoration.
const SMALLEST_SURFACE: (i32, i32) = (100, 60);

/// Whether script draws something there, or something can be acted on and nothing says what it is.
pub(crate) fn is_drawn(scene: &Scene) -> bool {
    scene.surfaces.iter().any(is_large) || has_nameless(scene)
}

fn is_large(surface: &ElementRect) -> bool {
    surface.width >= SMALLEST_SURFACE.0 && surface.height >= SMALLEST_SURFACE.1
}

/// Whether there is a control in sight that a caller can tell from others by its place alone.
fn has_nameless(scene: &Scene) -> bool {
    let affordances = || scene.items.iter().map(|item| &item.affordance);
    let following = affordances().skip(1).map(Some).chain([None]);
    let nameless: Vec<&Affordance> = affordances()
        .zip(following)
        .filter(|(one, next)| is_nameless(one) && !next.is_some_and(|next| is_told_by(one, next)))
        .map(|(one, _)| one)
        .collect();
    if nameless.is_empty() {
        return false;
    }
    let mut sharing: HashMap<&str, u32> = HashMap::new();
    for near in nameless.iter().filter_map(|one| one.near_text.as_ref()) {
        *sharing.entry(near.untrusted()).or_default() += 1;
    }
    let headings: HashSet<&str> = scene.outline.iter().filter_map(|line| heading(&line.line)).collect();
    nameless.iter().any(|one| match one.near_text.as_ref().map(PageText::untrusted) {
        None => true,
        // What stands beside several of them tells none of them; a heading tells where a button is, not what it does.
        Some(near) => {
            sharing.get(near).is_some_and(|&count| count > 1)
                || !Use::of_role(&one.role).is_field() && headings.contains(near)
        }
    })
}

fn heading(line: &Line) -> Option<&str> {
    match line {
        Line::Heading { text, .. } => Some(text.untrusted()),
        _ => None,
    }
}

/// Whether somebody could use it now and nothing of its own says what it is: no name, no choices, no address.
fn is_nameless(one: &Affordance) -> bool {
    one.in_viewport
        && !one.disabled
        && !one.covered
        && says_nothing(one.name.untrusted())
        && one.constraints.options.is_empty()
        && !one.href.as_ref().is_some_and(|href| leads_somewhere(href.untrusted()))
}

/// Whether what comes next in the document tells of a control, because it lies within it and has a name.
fn is_told_by(one: &Affordance, next: &Affordance) -> bool {
    let is_within = |inner: &ElementRect, outer: &ElementRect| {
        let across = inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
        let down = inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
        across && down
    };
    let lies_in_it =
        next.rect.as_ref().zip(one.rect.as_ref()).is_some_and(|(next, one)| is_within(next, one));
    next.in_viewport && lies_in_it && !says_nothing(next.name.untrusted())
}

/// Whether a name has nothing to read in it. The pictures of icon fonts are letters that mean nothing to anybody else.
fn says_nothing(name: &str) -> bool {
    let is_private = |c| matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    name.chars().all(|c| c.is_whitespace() || c.is_control() || is_private(c))
}

/// Whether an address tells where one would get: a script does not, and neither does the top of the page.
fn leads_somewhere(href: &str) -> bool {
    !href.starts_with("javascript:") && !href.ends_with('#')
}
