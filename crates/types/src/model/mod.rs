//! What is asked of models and what they answer, in words that no vendor owns.

mod money;
mod request;
mod turn;

pub use money::{MicroUsd, Price};
pub use request::{Message, ModelRequest, Part, Picture, ResultKind, Said, ToolChoice, ToolResult, ToolSpec};
pub use turn::{ModelTurn, ToolCall, TurnEnd, Usage};
