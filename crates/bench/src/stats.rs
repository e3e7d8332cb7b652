//! The middle and the ends of a series of measurements. Pure.

/// What a series comes to. Zero throughout for an empty one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Spread {
    /// The middle: half of the series is at most this.
    pub(crate) median: f64,
    /// The least.
    pub(crate) min: f64,
    /// The most.
    pub(crate) max: f64,
}

/// The spread of a series in any order.
pub(crate) fn spread(series: &[f64]) -> Spread {
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (Some(min), Some(max)) = (sorted.first(), sorted.last()) else { return Spread::default() };
    let half = sorted.len() / 2;
    let median = match sorted.len() % 2 {
        0 => (sorted[half - 1] + sorted[half]) / 2.0,
        _ => sorted[half],
    };
    Spread { median, min: *min, max: *max }
}

/// Nine of ten of a series are at most this. Zero for an empty one.
pub(crate) fn nine_of_ten(series: &[f64]) -> f64 {
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() * 9).div_ceil(10).saturating_sub(1);
    sorted.get(at).copied().unwrap_or_default()
}

/// How many times the floor something took. Nothing can be said over a floor of zero: that is no measurement.
pub(crate) fn ratio(subject: Spread, floor: Spread) -> Option<f64> {
    (floor.median > 0.0).then(|| subject.median / floor.median)
}

/// The middle of what each took longer than its partner of the same round.
pub(crate) fn median_difference(subject: &[f64], floor: &[f64]) -> f64 {
    let differences: Vec<f64> = subject.iter().zip(floor).map(|(one, other)| one - other).collect();
    spread(&differences).median
}

/// The middle of how many times its partner of the same round each came to.
pub(crate) fn median_ratio(subject: &[f64], floor: &[f64]) -> f64 {
    let ratios: Vec<f64> = subject.iter().zip(floor).map(|(one, other)| one / other).collect();
    spread(&ratios).median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_in_any_order() {
        for (series, median) in [
            (&[7.0][..], 7.0),
            (&[3.0, 1.0][..], 2.0),
            (&[9.0, 1.0, 2.0][..], 2.0),
            (&[4.0, 1.0, 1000.0, 2.0][..], 3.0),
        ] {
            assert_eq!(spread(series).median, median, "{series:?}");
        }
    }

    #[test]
    fn one_outlier_moves_the_end_and_not_the_middle() {
        let (calm, noisy) = (spread(&[1.0, 2.0, 3.0]), spread(&[1.0, 2.0, 900.0]));
        assert_eq!(calm.median, noisy.median);
        assert_eq!((noisy.min, noisy.max), (1.0, 900.0));
    }

    #[test]
    fn nine_of_ten_are_at_most_the_ninth() {
        let ten: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!(nine_of_ten(&ten), 9.0);
        assert_eq!(nine_of_ten(&[5.0, 3.0]), 5.0);
        assert_eq!(nine_of_ten(&[]), 0.0);
    }

    #[test]
    fn an_empty_series_is_zero_and_no_floor() {
        assert_eq!(spread(&[]), Spread::default());
        assert_eq!(ratio(spread(&[1.0]), spread(&[])), None);
    }

    #[test]
    fn the_ratio_is_that_of_the_medians() {
        assert_eq!(ratio(spread(&[5.0, 6.0, 90.0]), spread(&[1.0, 4.0, 5.0])), Some(1.5));
    }

    #[test]
    fn partners_are_held_against_each_other() {
        let (subject, floor) = ([1.5, 12.0, 3.0], [1.0, 10.0, 2.0]);
        assert_eq!(median_difference(&subject, &floor), 1.0);
        assert_eq!(median_ratio(&subject, &floor), 1.5);
    }
}
