//! How the guests here read: words as a person takes them in, what a request shows, and tokens that are secrets by
//! form.

pub mod fold;
pub mod phrases;
pub mod subject;
pub mod token;

pub use phrases::Phrases;
pub use subject::{answers, closed, member, texts, Part, Text};
