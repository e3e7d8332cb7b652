//! Sliders: by keys alone, since where a page draws the knob is its own affair.

use std::{iter::repeat_n, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Subject, hand, not_applicable};
use crate::act::{Did, Miss, grip::Grip, keyboard::Stroke};

/// More keys than these are not pressed: the value is written by script then.
const MOST_KEYS: u32 = 300;

/// How a slider stands.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Slider {
    value: f64,
    min: f64,
    max: f64,
    /// How far a key moves it; 0 where it stops anywhere.
    step: f64,
}

/// Moves a slider to a value that it can take.
pub(super) async fn slide(subject: &Subject<'_>, grip: &Grip<'_>, value: &str) -> Result<Did, Miss> {
    let slider: Slider = grip.ask("sliderOf", &Value::Null).await?;
    let wanted: f64 = value.parse().map_err(|_| not_applicable("this field takes a number"))?;
    if slider.value.total_cmp(&wanted).is_eq() {
        return Ok(Did::Nothing);
    }
    let Some(strokes) = strokes(slider, wanted) else {
        grip.ask::<bool>("writeByScript", &json!({ "value": value })).await.map_err(Miss::During)?;
        return Ok(Did::Sent);
    };
    super::write::bring_keys(grip, "none").await?;
    hand::strike_held(grip, &strokes, Duration::ZERO, subject.limit).await?;
    Ok(Did::Sent)
}

/// The fewest keys: from where it stands, or from either end. None where they are too many, or where no number of keys gets there.
fn strokes(slider: Slider, wanted: f64) -> Option<Vec<Stroke>> {
    let steps = |from: f64| {
        let steps = (wanted - from) / slider.step;
        ((steps - steps.round()).abs() < 1e-6).then_some(steps.round())
    };
    if slider.step <= 0.0 {
        return None;
    }
    let ways = [(None, slider.value), (Some("Home"), slider.min), (Some("End"), last_stop(slider))];
    let ways = ways.into_iter().filter_map(|(first, from)| Some((first, steps(from)?)));
    let (first, steps) = ways.min_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()))?;
    if steps.abs() > f64::from(MOST_KEYS) {
        return None;
    }
    let count = (0..=MOST_KEYS).find(|count| f64::from(*count) >= steps.abs())?;
    let arrow = if steps > 0.0 { "ArrowUp" } else { "ArrowDown" };
    let arrows = repeat_n(Stroke::named(arrow), usize::try_from(count).ok()?);
    Some(first.map(Stroke::named).into_iter().chain(arrows).collect())
}

/// The last place at which it stops, which is not always its end.
fn last_stop(slider: Slider) -> f64 {
    slider.min + ((slider.max - slider.min) / slider.step + 1e-9).floor() * slider.step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_takes_the_shortest_way() {
        let slider = Slider { value: 50.0, min: 0.0, max: 100.0, step: 5.0 };
        let keys = |wanted| strokes(slider, wanted).map(|strokes| (strokes[0].clone(), strokes.len()));
        assert_eq!(keys(60.0), Some((Stroke::named("ArrowUp"), 2)));
        assert_eq!(keys(10.0), Some((Stroke::named("Home"), 3)));
        assert_eq!(keys(100.0), Some((Stroke::named("End"), 1)));
        assert_eq!(keys(52.0), None, "it does not stop there");
        let fine = Slider { value: 0.1, min: 0.0, max: 1.0, step: 0.1 };
        assert_eq!(strokes(fine, 0.3).unwrap().len(), 2);
        let long = Slider { value: 0.0, min: 0.0, max: 100_000.0, step: 1.0 };
        assert_eq!(strokes(long, 50_000.0), None);
        assert_eq!(strokes(Slider { step: 0.0, ..long }, 7.0), None);
    }
}
