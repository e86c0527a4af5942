//! Elicit decides what happens when a program wants to ask a person something: an MCP elicitation, the approval of a
//! tool call, a link to sign in.
//!
//! A [`Connection`] reads every message between an MCP client and an MCP server. [`Connection::next`] is the loop of a
//! program that holds one. [`Console`] is a user interface of plain lines. [`Schema`] reads a form and checks answers,
//! for a program that needs no more. [`contract`] has the types of events, effects and problems.
//!
//! The engine is C that was made of Go, and is compiled into your program. It has no threads, no signal handlers, no
//! files and no network.

mod connection;
mod console;
#[allow(missing_docs)]
#[rustfmt::skip]
pub mod contract;
mod core;
mod error;
mod ffi;

pub use crate::connection::{read_lines, Connection, End, Host, HostResult, Message, Next};
pub use crate::console::Console;
pub use crate::core::{describe, eval, explain, Schema};
pub use crate::error::Error;
