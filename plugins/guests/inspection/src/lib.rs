//! The rules of the built-in inspection for forms that ask for a secret: engine/internal/secret and
//! engine/risk/secret_in_form.go, in Rust. The words, the classes of characters and their folding are generated from
//! the engine (tables.rs). The rules are written twice, and the tests of plugins/guests hold both to the same findings.
//! The guardian intent reads letters and clues from here.

mod clue;
mod form;
mod index;
mod mask;
mod search;
mod sentence;
mod tables;
mod text;
mod work;

pub use clue::clues;
pub use form::{form, Asked, Field, Part};
pub use index::Own;
pub use mask::plain;
pub use text::{fold, letters, Letter, IDEOGRAPH, STOP};
pub use work::restart;
