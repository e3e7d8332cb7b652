//! The Model Context Protocol over sessions: the tools that a model gets, and the two ways to reach them, standard input and output
//! or HTTP on this machine. There is no tool that approves anything and none that runs script.

mod annie;
mod answer;
mod arguments;
mod compat;
mod compat_list;
mod desk;
mod gate;
mod http;
mod lines;
mod person;
mod progress;
mod server;
mod stdio;
mod structured;
mod token;
pub mod toolbox;
mod tools;

pub use http::{Http, MOST_BODY};
pub use lines::LONGEST_LINE;
pub use server::{Group, Server, ServerOptions};
pub use stdio::serve_stdio;
pub use token::{Token, TokenFile};
