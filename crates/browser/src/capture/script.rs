//! The walker: our own script in our own world of each frame, put together from its parts.

/// Tells a walker of this version from another one's that was left in a page.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

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
    include_str!("../injected/names.js"),
    include_str!("../injected/groups.js"),
    include_str!("../injected/owners.js"),
    include_str!("../injected/controls.js"),
    include_str!("../injected/unseen.js"),
    include_str!("../injected/walk.js"),
    include_str!("../injected/memory.js"),
    "})();\n",
);

/// The walker of the world that it is evaluated in, if there is one. An element with this id or a frame with this name is a
/// property of the page's window in every world, but never one of its own.
const OURS: &str = "Object.getOwnPropertyDescriptor(globalThis, 'legwork')?.value";

/// An expression in which `legwork` is the walker.
pub(super) fn with_walker(asks: &str) -> String {
    format!("(legwork => {asks})({OURS})")
}

/// A function of one parameter, `given`, in which `legwork` is the walker.
pub(super) fn function_with_walker(asks: &str) -> String {
    format!("function (given) {{ const legwork = {OURS}; return {asks}; }}")
}
