//! What calls cost.

use serde::{Deserialize, Serialize};

use super::Usage;

/// Money, in millionths of a US dollar: sums stay exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MicroUsd(pub u64);

impl MicroUsd {
    /// So many dollars, at least nothing and at most all there is.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn of_dollars(dollars: f64) -> Self {
        Self((dollars.max(0.0) * 1e6).round() as u64)
    }

    /// The two together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::fmt::Display for MicroUsd {
    /// To the cent, and finer where there would be nothing else.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(micro) = self;
        match micro {
            0 => write!(f, "$0"),
            1..10_000 => write!(f, "${}.{:04}", micro / 1_000_000, micro.div_ceil(100) % 10_000),
            _ => {
                let cents = (micro + 5_000) / 10_000;
                write!(f, "${}.{:02}", cents / 100, cents % 100)
            }
        }
    }
}

/// What a million tokens cost, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Price {
    /// Read for the first time.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read again by the vendor from what it kept; as `input` where it is not said.
    pub cache_read: Option<f64>,
    /// Read and kept by the vendor; as `input` where it is not said.
    pub cache_write: Option<f64>,
}

impl Price {
    /// What a call costs.
    pub fn of(&self, usage: &Usage) -> MicroUsd {
        // Dollars for a million are millionths for one.
        #[allow(clippy::cast_precision_loss)]
        let part = |tokens: u64, price: f64| tokens as f64 * price;
        let sum = part(usage.input, self.input)
            + part(usage.output, self.output)
            + part(usage.cache_read, self.cache_read.unwrap_or(self.input))
            + part(usage.cache_write, self.cache_write.unwrap_or(self.input));
        MicroUsd::of_dollars(sum / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_as_people_write_it() {
        let written = [0, 1, 120, 9_999, 30_000, 1_000_000, 12_345_678];
        let written = written.map(|micro| MicroUsd(micro).to_string());
        assert_eq!(written, ["$0", "$0.0001", "$0.0002", "$0.0100", "$0.03", "$1.00", "$12.35"]);
    }
}
