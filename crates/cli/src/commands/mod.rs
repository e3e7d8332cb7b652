//! The commands, one file each.

pub(crate) mod approvals;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod logins;
pub(crate) mod mcp;
pub(crate) mod observe;
pub(crate) mod run;
pub(crate) mod screenshot;
pub(crate) mod services;
pub(crate) mod smoke;
