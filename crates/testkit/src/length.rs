//! How long the stress tests are.

/// The first in `make torture`, the second in every other run.
pub fn long_or_short(long: usize, short: usize) -> usize {
    if std::env::var_os("LEGWORK_TORTURE").is_some() { long } else { short }
}
