//! A real Chromium: launch, connect, contexts, tabs, frames, navigation, screenshots.

mod connect;

pub use connect::{
    AttemptError, Class, ConnectError, ConnectEvent, Endpoint, EndpointError, Endpoints, classify,
};
