//! The engine with its real parts: browsers, sites, a vendor whose model is a script. In one program, so that tests which wait do not keep
//! others from their turn.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "attacks/main.rs"]
mod attacks;
#[path = "flows/main.rs"]
mod flows;
mod keeper;
mod logins;
#[path = "prompts/main.rs"]
mod prompts;
#[path = "secrets/main.rs"]
mod secrets;
mod sent_once;
mod sessions;
mod single_page_app;
#[path = "support/vendor.rs"]
mod vendor;
