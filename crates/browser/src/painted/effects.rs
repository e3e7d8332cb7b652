//! How far styles paint something beyond its box: shadows, filters, mirrors. Pure.
//!
//! Too far is better than not far enough: what is not understood reaches everywhere.

/// The properties that are asked for. `Style` names them.
pub(super) const PROPERTIES: &[&str] = &[
    "text-shadow",
    "-webkit-text-stroke-width",
    "filter",
    "-webkit-box-reflect",
    "transform",
    "scale",
    "perspective",
    "zoom",
    "column-count",
    "column-width",
    "background-image",
    "mask-image",
    "list-style-image",
    "content",
    "border-image-source",
    "hyphenate-character",
];

/// The values of [`PROPERTIES`] of one box.
pub(super) struct Style<'a>(pub(super) Vec<&'a str>);

impl<'a> Style<'a> {
    pub(super) fn get(&self, property: &str) -> &'a str {
        let place = PROPERTIES.iter().position(|known| *known == property);
        place.and_then(|place| self.0.get(place)).copied().unwrap_or_default()
    }
}

/// What the boxes around something do to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effects {
    /// How far it may be painted beyond its box, in pixels of the page; without end if nobody can tell.
    pub(super) reach: f32,
    /// How many pixels of the page one of its own may be.
    scale: f32,
}

/// Nothing around it does anything.
pub(super) const NONE: Effects = Effects { reach: 0.0, scale: 1.0 };

impl Effects {
    /// The same within a box of this style.
    pub(super) fn within(self, style: &Style<'_>) -> Self {
        let scale = self.scale * own_scale(style);
        let mut reach = self.reach + scaled(filtered(style.get("filter")), scale);
        // Columns are painted elsewhere than where layout has them.
        let in_columns = ["column-count", "column-width"].iter().any(|name| is_set(style.get(name), "auto"));
        if is_set(style.get("-webkit-box-reflect"), "none") || in_columns {
            reach = f32::INFINITY;
        }
        Self { reach, scale }
    }

    /// The same within a drawing, which has units of its own.
    pub(super) fn within_drawing(self) -> Self {
        Self { scale: f32::INFINITY, ..self }
    }

    /// The same for what is painted by reference, wherever that is.
    pub(super) fn anywhere(self) -> Self {
        Self { reach: f32::INFINITY, ..self }
    }

    /// How far letters of this style reach.
    pub(super) fn of_letters(self, style: &Style<'_>) -> f32 {
        let stroke: f32 = pixels(style.get("-webkit-text-stroke-width")).map(f32::abs).sum();
        self.reach + scaled(shadowed(style.get("text-shadow")) + stroke, self.scale)
    }
}

fn is_set(value: &str, initial: &str) -> bool {
    !value.is_empty() && value != initial
}

fn scaled(length: f32, scale: f32) -> f32 {
    if length == 0.0 { 0.0 } else { length * scale }
}

/// How large the box's own pixels are at most.
fn own_scale(style: &Style<'_>) -> f32 {
    let transform = style.get("transform");
    let by_transform = match transform.strip_prefix("matrix(") {
        _ if !is_set(transform, "none") => 1.0,
        Some(numbers) => numbers.split(',').take(4).map(number).map(|n| n * n).sum::<f32>().sqrt(),
        None => f32::INFINITY,
    };
    let scale = style.get("scale");
    let by_scale = match is_set(scale, "none") {
        true => scale.split(' ').map(number).map(f32::abs).fold(0.0, f32::max),
        false => 1.0,
    };
    let zoom = style.get("zoom");
    let by_zoom = if is_set(zoom, "normal") { number(zoom) } else { 1.0 };
    let by_depth = if is_set(style.get("perspective"), "none") { f32::INFINITY } else { 1.0 };
    // Something of no size is not seen; something smaller than it says only reaches less far.
    [by_transform, by_scale, by_zoom, by_depth].into_iter().map(|factor| factor.max(1.0)).product()
}

fn number(text: &str) -> f32 {
    text.trim().parse().unwrap_or(f32::INFINITY)
}

/// How far shadows of letters reach.
fn shadowed(shadows: &str) -> f32 {
    if !is_set(shadows, "none") {
        return 0.0;
    }
    let shadows = outside_of_brackets(shadows, ',');
    shadows.iter().map(|shadow| shadow_of(shadow, 2.0)).fold(0.0, f32::max)
}

/// How far a chain of filters reaches.
fn filtered(filters: &str) -> f32 {
    if !is_set(filters, "none") {
        return 0.0;
    }
    let reach = |filter: &str| match filter.split('(').next() {
        // A drawing says what it does.
        Some("url") => f32::INFINITY,
        Some("drop-shadow") => shadow_of(filter, 3.0),
        _ => pixels(filter).map(|length| length.abs() * 3.0).sum(),
    };
    outside_of_brackets(filters, ' ').into_iter().map(reach).sum()
}

/// A shadow is moved to the right and down, and blurred.
fn shadow_of(shadow: &str, blurs: f32) -> f32 {
    let lengths: Vec<f32> = pixels(shadow).map(f32::abs).collect();
    match lengths[..] {
        [across, down] => across.max(down),
        [across, down, blur, ..] => across.max(down) + blur * blurs,
        _ => f32::INFINITY,
    }
}

/// All lengths in a text.
fn pixels(text: &str) -> impl Iterator<Item = f32> {
    let words = text.split([' ', ',', '(', ')']);
    words.filter_map(|word| word.strip_suffix("px")).map(number)
}

fn outside_of_brackets(text: &str, sign: char) -> Vec<&str> {
    let mut depth = 0_i32;
    let parts = text.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c == sign
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style<'a>(given: &[(&str, &'a str)]) -> Style<'a> {
        let value =
            |name: &&str| given.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value);
        Style(PROPERTIES.iter().map(value).collect())
    }

    #[track_caller]
    fn check(given: &[(&str, &str)], expected: f32) {
        let style = style(given);
        let reach = NONE.within(&style).of_letters(&style);
        assert!(reach == expected || (reach - expected).abs() < 0.01, "{given:?} reach {reach}");
    }

    #[test]
    fn shadows_and_filters_reach_as_far_as_they_say() {
        check(&[], 0.0);
        check(&[("text-shadow", "none"), ("filter", "none"), ("transform", "none"), ("zoom", "1")], 0.0);
        check(&[("text-shadow", "rgb(255, 0, 0) 300px 0px 0px")], 300.0);
        check(&[("text-shadow", "rgb(255, 0, 0) 1px 2px 3px, rgba(0, 0, 0, 0.5) -9px 0px 0px")], 9.0);
        check(&[("filter", "drop-shadow(rgb(255, 0, 0) 10px -20px 5px) blur(2px)")], 41.0);
        check(&[("filter", "brightness(0.5)")], 0.0);
        check(&[("-webkit-text-stroke-width", "3px")], 3.0);
        check(&[("text-shadow", "rgb(255, 0, 0) 10px 0px 0px"), ("scale", "2 3")], 30.0);
        check(&[("text-shadow", "rgb(255, 0, 0) 10px 0px 0px"), ("zoom", "2")], 20.0);
        check(
            &[("text-shadow", "rgb(255, 0, 0) 10px 0px 0px"), ("transform", "matrix(3, 0, 0, 4, 9, 9)")],
            50.0,
        );
        check(&[("transform", "matrix3d(1, 0)"), ("perspective", "3px")], 0.0);
    }

    #[test]
    fn what_is_not_understood_reaches_everywhere() {
        for given in [
            ("filter", "url(\"#f\")"),
            ("text-shadow", "something else"),
            ("-webkit-box-reflect", "below 10px none"),
            ("column-count", "3"),
            ("column-width", "90px"),
        ] {
            check(&[given], f32::INFINITY);
        }
        check(&[("text-shadow", "red 1px 0px 0px"), ("transform", "matrix3d(1, 0)")], f32::INFINITY);
        let style = style(&[("text-shadow", "red 1px 0px 0px")]);
        assert_eq!(NONE.within_drawing().of_letters(&style), f32::INFINITY);
    }
}
