//! The binary as its users have it: what it prints, how it ends, what it leaves behind. In one program, so that tests which wait do not keep
//! others from their turn.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
mod approvals;
mod canaries;
mod commands;
mod config;
mod contract;
mod covers;
mod mcp_clients;
mod mcp_groups;
mod mcp_http;
mod mcp_refs;
mod mcp_sessions;
mod mcp_stdio;
mod mcp_words;
mod observe;
mod programs;
mod run;
mod run_broken_off;
mod run_ends;
mod run_toolbox;
mod screenshot;
mod secrets;
mod service_errands;
mod services;
mod signals;
mod support;
mod untrusted;
mod watch;
mod window;
