//! How the guests here read: words as a person takes them in, what a request shows, and what the inspection found
//! there.

pub mod findings;
pub mod fold;
pub mod phrases;
pub mod subject;

pub use findings::{findings, Finding};
pub use phrases::Phrases;
pub use subject::{answers, closed, member, texts, Part, Text};
