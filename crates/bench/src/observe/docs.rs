//! Two large pages of documentation, where `scripts/setup bench` has put them.

use std::{env, path::PathBuf};

/// What each is called in figures, and where it lies among the documentation.
const PAGES: [(&str, &str); 2] = [
    ("pydoc-os", "python3.11/html/library/os.html"),
    ("pgdoc-string", "postgresql-doc-15/html/functions-string.html"),
];

/// The folder that is served under `/doc`.
pub(super) fn folder() -> PathBuf {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = given("XDG_CACHE_HOME")
        .unwrap_or_else(|| given("HOME").unwrap_or_else(|| PathBuf::from("/tmp")).join(".cache"));
    cache.join("legwork/bench-docs/usr/share/doc")
}

/// Name and path of each page that is there. Says in one line which are not.
pub(super) fn pages() -> Vec<(String, String)> {
    let folder = folder();
    let (there, missing): (Vec<_>, Vec<_>) =
        PAGES.into_iter().partition(|(_, file)| folder.join(file).is_file());
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
        eprintln!("legwork-bench: without {}: scripts/setup bench unpacks them", names.join(" and "));
    }
    there.into_iter().map(|(name, file)| (name.to_owned(), format!("/doc/{file}"))).collect()
}
