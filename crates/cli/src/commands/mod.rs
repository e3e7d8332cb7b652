//! The commands, one file each.

pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod mcp;
pub(crate) mod observe;
pub(crate) mod screenshot;
pub(crate) mod smoke;
