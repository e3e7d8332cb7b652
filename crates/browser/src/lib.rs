//! A real Chromium: find, start and end its process.

// The joiner of process and protocol is the user of what is not public here.
#[allow(dead_code)]
mod launch;

pub use launch::{
    Found, FoundBy, LaunchError, LaunchOptions, Profile, Sandbox, SandboxChoice, SandboxOff, SandboxRefusal,
    SandboxReport, UserNamespaces, Window, find_browser, sandbox_report, version,
};
