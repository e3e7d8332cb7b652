//! Where `scripts/setup tests` puts what tests need of the network.

use std::{env, path::PathBuf};

/// The folder in the user's cache.
pub(crate) fn cache() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(env::var_os("HOME").expect("a home folder")).join(".cache");
    cache.unwrap_or_else(home).join("legwork")
}
