//! The desk socket: terminals of the same user see the questions of a running instance and answer them. One line of JSON asks, one
//! answers.

mod client;
mod protocol;
mod socket;

pub use client::{Answered, Desks, NoAnswer};
pub use socket::DeskSocket;
