//! Days of the calendar; the sites know no clock, they are told what day it is.

use std::fmt::{self, Display, Formatter};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day, as a number of days since the first of March of the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i32);

impl Day {
    /// The day of a date of our calendar; a month or day out of range is moved to the nearest that exists.
    pub fn new(year: u16, month: u8, day: u8) -> Self {
        let (month, day) = (i32::from(month.clamp(1, 12)), i32::from(day.max(1)));
        // A year that starts in March has its leap day last.
        let (year, from_march) = (i32::from(year) - i32::from(month < 3), (month + 9) % 12);
        let before = |from_march: i32| (153 * from_march + 2) / 5;
        let leap = (year + 1) % 4 == 0 && ((year + 1) % 100 != 0 || (year + 1) % 400 == 0);
        let length =
            if from_march == 11 { 28 + i32::from(leap) } else { before(from_march + 1) - before(from_march) };
        let years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        Self(years + before(from_march) + day.min(length) - 1)
    }

    /// The day `days` later, or earlier where it is below zero.
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// Year, month and day of the month.
    pub fn parts(self) -> (i32, u8, u8) {
        let era = self.0.div_euclid(146_097);
        let of_era = self.0.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = year_of_era + era * 400 + i32::from(month < 3);
        (year, u8::try_from(month).unwrap_or(1), u8::try_from(day).unwrap_or(1))
    }

    /// The day as a program writes it: `2026-11-28`.
    pub fn iso(self) -> String {
        let (year, month, day) = self.parts();
        format!("{year:04}-{month:02}-{day:02}")
    }
}

impl Default for Day {
    /// The day on which the bundled sites live: 17 November 2026.
    fn default() -> Self {
        Self::new(2026, 11, 17)
    }
}

impl Display for Day {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(text, "{day} {} {year}", MONTHS[usize::from(month.clamp(1, 12)) - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        let today = Day::default();
        assert_eq!(
            (today.to_string(), today.plus(11).iso()),
            ("17 November 2026".into(), "2026-11-28".into())
        );
        assert_eq!(Day::new(2028, 2, 28).plus(1).iso(), "2028-02-29");
        assert_eq!(Day::new(2027, 2, 29).iso(), "2027-02-28");
        assert_eq!(Day::new(2028, 2, 31).iso(), "2028-02-29");
        assert_eq!(Day::new(2026, 12, 31).plus(1).iso(), "2027-01-01");
        assert_eq!(Day::new(2000, 4, 31).iso(), "2000-04-30");
        for days in 0..1_500 {
            let (year, month, day) = today.plus(days).parts();
            assert_eq!(Day::new(u16::try_from(year).unwrap(), month, day), today.plus(days));
        }
    }
}
