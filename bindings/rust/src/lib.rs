//! Elicit decides what happens when a program wants to ask a person something: an MCP elicitation, the approval of a
//! tool call, a link to sign in.
//!
//! A [`Connection`] reads every message between an MCP client and an MCP server. [`Connection::next`] is the loop of a
//! program that holds one. [`Console`] is a user interface of plain lines. [`Schema`] reads a form and checks answers,
//! for a program that needs no more: without the feature `full`, the crate has no more than that and [`eval`].
//! [`contract`] has the types of events, effects and problems.
//!
//! The engine is C that was made of Go, and is compiled into your program. It has no threads, no signal handlers, no
//! files and no network.

#[cfg(feature = "full")]
mod connection;
#[cfg(feature = "full")]
mod console;
#[allow(missing_docs)]
#[rustfmt::skip]
pub mod contract;
mod core;
mod error;
mod ffi;

#[cfg(feature = "full")]
pub use crate::connection::{read_lines, Connection, End, Host, HostResult, Message, Next};
#[cfg(feature = "full")]
pub use crate::console::Console;
pub use crate::core::{explain, Schema};
pub use crate::error::Error;
pub use crate::ffi::{describe, eval};
