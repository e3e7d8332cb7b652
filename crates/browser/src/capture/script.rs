//! The walker: our own script in our own world of each frame, put together from its parts.

/// Tells a walker of this version from another one's that was left in a page.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Defines `legwork` in the world that it is evaluated in.
pub(crate) const WALKER: &str = concat!(
    "(() => {\n'use strict';\nconst VERSION = '",
    env!("CARGO_PKG_VERSION"),
    "';\n",
    include_str!("../injected/strings.js"),
    include_str!("../injected/dom.js"),
    include_str!("../injected/markup.js"),
    include_str!("../injected/labels.js"),
    include_str!("../injected/tables.js"),
    include_str!("../injected/roles.js"),
    include_str!("../injected/selectors.js"),
    include_str!("../injected/content.js"),
    include_str!("../injected/paint.js"),
    include_str!("../injected/sheets.js"),
    include_str!("../injected/looks.js"),
    include_str!("../injected/states.js"),
    include_str!("../injected/backdrop.js"),
    include_str!("../injected/covers.js"),
    include_str!("../injected/names.js"),
    include_str!("../injected/groups.js"),
    include_str!("../injected/owners.js"),
    include_str!("../injected/controls.js"),
    include_str!("../injected/unseen.js"),
    include_str!("../injected/walk.js"),
    include_str!("../injected/identity.js"),
    include_str!("../injected/aim.js"),
    include_str!("../injected/through.js"),
    include_str!("../injected/meant.js"),
    include_str!("../injected/witness.js"),
    include_str!("../injected/fields.js"),
    include_str!("../injected/choices.js"),
    include_str!("../injected/memory.js"),
    "})();\n",
);

/// Defines `legworkGuard` in the world that it is evaluated in, unless it is there.
pub(crate) const GUARD: &str = concat!(include_str!("../injected/guard.js"), "(true);\n");

/// The same for a browser that nobody works in by hand.
pub(crate) const STRICT_GUARD: &str = concat!(include_str!("../injected/guard.js"), "(false);\n");

/// The walker of the world that it is evaluated in, if there is one. An element with this id or a frame with this name is a
/// property of the page's window in every world, but never one of its own.
const OURS: &str = "Object.getOwnPropertyDescriptor(globalThis, 'legwork')?.value";

/// An expression in which `legwork` is the walker.
pub(crate) fn with_walker(asks: &str) -> String {
    format!("(legwork => {asks})({OURS})")
}

/// A function of one parameter, `given`, in which `legwork` is the walker.
pub(crate) fn function_with_walker(asks: &str) -> String {
    format!("function (given) {{ const legwork = {OURS}; return {asks}; }}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// All parts share one scope, in which a later function quietly takes the place of an earlier one.
    #[test]
    fn no_name_is_given_twice() {
        let mut given = HashSet::new();
        for line in WALKER.lines() {
            let line = line.strip_prefix("async ").unwrap_or(line);
            let declared = ["function ", "const ", "let ", "class "];
            let Some(rest) = declared.iter().find_map(|word| line.strip_prefix(word)) else { continue };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(name.is_empty() || given.insert(name.clone()), "{name} is given twice");
        }
        assert!(given.len() > 100, "the parts were not found");
    }
}
