//! Which keys write a date or a time into an input that the browser draws in parts. Pure.
//!
//! Measured on Chromium 156: each part takes digits of its own, the arrows go from part to part and stop at the ends, and as soon
//! as all parts are there every further digit makes the page hear `input` and `change`. So the part that is written last is one
//! that a single further key completes, wherever the value has such a part: the page then hears of the whole value alone.

use serde::Deserialize;

use crate::act::keyboard::Stroke;

/// A part of such an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Part {
    Year,
    Month,
    Day,
    Week,
    Hour,
    Minute,
    Second,
    Thousandth,
    /// Morning or afternoon.
    DayPeriod,
}

/// The parts of one input in their order.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// The names of the months, where they are written rather than counted.
    pub(super) months: Vec<String>,
}

/// What an input of this type takes, in words.
pub(super) fn format_of(kind: &str) -> &'static str {
    match kind {
        "date" => "a date as 2026-11-16",
        "time" => "a time as 21:30",
        "datetime-local" => "a date and time as 2026-11-16T21:30",
        "month" => "a month as 2026-11",
        "week" => "a week as 2026-W46",
        "number" => "a number as 12.5",
        "color" => "a colour as #1a2b3c",
        _ => "a number within its bounds and steps",
    }
}

/// The keys that write a value of the input's own format. None where keys can't.
pub(super) fn strokes(value: &str, parts: &Parts) -> Option<Vec<Stroke>> {
    let texts = parts.parts.iter().map(|part| text_of(*part, value, parts)).collect::<Option<Vec<_>>>()?;
    let last = last_written(parts, &texts);
    let mut strokes = Vec::new();
    // As long as the last part is missing, the page hears nothing.
    to_part(&mut strokes, last, parts);
    strokes.push(Stroke::named("Backspace"));
    let others = (0..texts.len()).filter(|place| *place != last);
    for place in others.chain([last]) {
        to_part(&mut strokes, place, parts);
        strokes.extend(Stroke::typing(&texts[place]));
    }
    Some(strokes)
}

/// The keys that take out what is in all parts.
pub(super) fn clearing(parts: &Parts) -> Vec<Stroke> {
    let mut strokes = Vec::new();
    for place in 0..parts.parts.len() {
        to_part(&mut strokes, place, parts);
        strokes.push(Stroke::named("Backspace"));
    }
    strokes
}

/// From wherever the keys go now: a part that is complete passes them on to the next by itself, so nobody knows where that is.
fn to_part(strokes: &mut Vec<Stroke>, place: usize, parts: &Parts) {
    strokes.extend(std::iter::repeat_n(Stroke::named("ArrowLeft"), parts.parts.len()));
    strokes.extend(std::iter::repeat_n(Stroke::named("ArrowRight"), place));
}

/// The part that is written last: one that a single key completes. Two digits that begin with a nought are complete with the
/// second; others would be heard of after the first.
fn last_written(parts: &Parts, texts: &[String]) -> usize {
    let rank = |place: &usize| match parts.parts[*place] {
        Part::DayPeriod => 0,
        Part::Year | Part::Thousandth => 4,
        _ if texts[*place].starts_with('0') => 1,
        Part::Month if !parts.months.is_empty() => 1,
        Part::Day | Part::Minute | Part::Week => 2,
        _ => 3,
    };
    (0..texts.len()).min_by_key(rank).unwrap_or_default()
}

/// What is typed into one part.
fn text_of(part: Part, value: &str, parts: &Parts) -> Option<String> {
    let (date, time) = match value.split_once('T') {
        Some((date, time)) => (date, time),
        None if value.contains(':') => ("", value),
        None => (value, ""),
    };
    let mut date = date.split('-');
    let mut time = time.split(':');
    let has_period = parts.parts.contains(&Part::DayPeriod);
    match part {
        Part::Year => date.next().map(str::to_owned),
        Part::Week => date.nth(1)?.strip_prefix('W').map(str::to_owned),
        Part::Month if !parts.months.is_empty() => {
            let place = date.nth(1)?.parse::<usize>().ok()?.checked_sub(1)?;
            beginning_of(parts.months.get(place)?, &parts.months)
        }
        Part::Month => date.nth(1).map(str::to_owned),
        Part::Day => date.nth(2).map(str::to_owned),
        Part::Hour => {
            let hour = time.next()?.parse::<u8>().ok()?;
            Some(format!("{:02}", if has_period { (hour + 11) % 12 + 1 } else { hour }))
        }
        Part::Minute => time.nth(1).map(str::to_owned),
        Part::Second => Some(time.nth(2).map_or("00", |second| second.get(..2).unwrap_or("00")).to_owned()),
        Part::Thousandth => {
            let fraction =
                time.nth(2).and_then(|second| second.split_once('.')).map_or("", |(_, fraction)| fraction);
            Some(format!("{fraction:0<3}"))
        }
        Part::DayPeriod => {
            let hour = time.next()?.parse::<u8>().ok()?;
            Some(if hour < 12 { "A" } else { "P" }.to_owned())
        }
    }
}

/// As many letters of a name as no other begins with. None where they are on no key.
fn beginning_of(name: &str, names: &[String]) -> Option<String> {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let is_alone = |length: &usize| {
        let beginning: String = letters[..*length].iter().collect();
        names.iter().filter(|other| other.to_lowercase().starts_with(&beginning)).count() == 1
    };
    let length = (1..=letters.len()).find(is_alone)?;
    let beginning: String = letters[..length].iter().collect();
    beginning.is_ascii().then_some(beginning)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys as one line: `<` and `>` for the arrows, `x` for what takes out.
    fn keys(value: &str, parts: &[Part], months: &[&str]) -> String {
        let months = months.iter().map(|month| (*month).to_owned()).collect();
        let strokes = strokes(value, &Parts { parts: parts.to_vec(), months }).unwrap();
        let written: String = strokes
            .iter()
            .map(|stroke| match stroke {
                stroke if *stroke == Stroke::named("ArrowLeft") => "<".to_owned(),
                stroke if *stroke == Stroke::named("ArrowRight") => ">".to_owned(),
                stroke if *stroke == Stroke::named("Backspace") => "x".to_owned(),
                stroke => stroke.events().iter().map(|event| event.command().text.to_owned()).collect(),
            })
            .collect();
        written.replace("<<<<<", "<").replace("<<<", "<").replace("<<", "<")
    }

    const DATE: &[Part] = &[Part::Month, Part::Day, Part::Year];
    const TIME: &[Part] = &[Part::Hour, Part::Minute, Part::DayPeriod];

    #[test]
    fn the_last_part_is_one_that_a_single_key_completes() {
        assert_eq!(keys("2026-05-16", DATE, &[]), "<x<>16<>>2026<05");
        assert_eq!(keys("2026-11-06", DATE, &[]), "<>x<11<>>2026<>06");
        assert_eq!(keys("2026-11-16", DATE, &[]), "<>x<11<>>2026<>16");
        assert_eq!(keys("21:30", TIME, &[]), "<>>x<09<>30<>>P");
        assert_eq!(keys("00:05", TIME, &[]), "<>>x<12<>05<>>A");
        assert_eq!(keys("21:30", &TIME[..2], &[]), "<>x<21<>30");
        assert_eq!(keys("2026-W46", &[Part::Week, Part::Year], &[]), "<x<>2026<46");
    }

    #[test]
    fn months_are_told_apart_by_their_beginnings() {
        let months = ["January", "June", "July", "March", "May", "November"];
        let month = &[Part::Month, Part::Year];
        assert_eq!(keys("2026-06", month, &months), "<x<>2026<n");
        assert_eq!(keys("2026-03", month, &months), "<x<>2026<jul");
    }

    #[test]
    fn seconds_and_what_is_finer_are_written_where_there_is_room() {
        let parts = &[Part::Hour, Part::Minute, Part::Second, Part::Thousandth, Part::DayPeriod];
        assert!(keys("09:30:15.5", parts, &[]).contains("15"));
        assert!(keys("09:30:15.5", parts, &[]).contains("500"));
        assert!(keys("09:30", parts, &[]).contains("000"));
    }
}
