//! The end of a renderer.

/// The renderer of this session's target died.
pub const TARGET_CRASHED: &str = "Inspector.targetCrashed";
