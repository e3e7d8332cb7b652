//! How long the stress tests are.

/// The first in `make torture`, the second in every other run.
pub fn long_or_short(long: usize, short: usize) -> usize {
    if std::env::var_os("LEGWORK_TORTURE").is_some() { long } else { short }
}

/// All of these in `make torture`, and in every other run one in so many: for cases that differ in several ways, each of which is still
/// met.
pub fn sampled<T>(all: impl IntoIterator<Item = T>, one_in: usize) -> impl Iterator<Item = T> {
    all.into_iter().step_by(long_or_short(1, one_in))
}
