//! Amounts of money, in whole cents of the euro.

use std::{
    fmt::{self, Display, Formatter},
    iter::Sum,
    ops::{Add, Mul},
};

/// An amount in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Money(pub(crate) u32);

impl Money {
    /// The amount as a program writes it: `349.44`.
    pub(crate) fn plain(self) -> String {
        format!("{}.{:02}", self.0 / 100, self.0 % 100)
    }

    /// The tax of `percent` that is inside this amount, rounded to the cent.
    pub(crate) fn tax_inside(self, percent: u32) -> Self {
        let whole = 100 + percent;
        Self((self.0 * percent + whole / 2) / whole)
    }
}

impl Display for Money {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        let euros = (self.0 / 100).to_string();
        let mut grouped = String::new();
        for (index, digit) in euros.chars().enumerate() {
            if index > 0 && (euros.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        write!(text, "€{grouped}.{:02}", self.0 % 100)
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul<u32> for Money {
    type Output = Self;
    fn mul(self, times: u32) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_for_people_and_for_programs() {
        assert_eq!((Money(34_944).to_string(), Money(34_944).plain()), ("€349.44".into(), "349.44".into()));
        assert_eq!(
            (Money(123_456_789).to_string(), Money(5).to_string()),
            ("€1,234,567.89".into(), "€0.05".into())
        );
        assert_eq!(Money(10_700).tax_inside(7), Money(700));
    }
}
