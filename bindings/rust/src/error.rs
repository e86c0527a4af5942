use std::fmt;

use crate::contract::Problem;

/// Why a call failed. A declined question and an answer with problems are not failures.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The engine cannot use the input. Each problem has a code and a JSON pointer. Nothing has changed.
    Invalid(Vec<Problem>),
    /// The input is over the limit. Nothing has changed.
    TooLarge(Vec<Problem>),
    /// A bug of the engine. It takes no more inputs: close both ends and drop it. Up to 64 engines and forms that were
    /// made one after another share memory, and break together.
    Broken,
    /// There is no memory for the output. Drop the connection, because an effect is lost.
    NoMemory,
    /// A callback of the host failed. The engine has answered every open question with an error.
    Host(Box<dyn std::error::Error + Send + Sync>),
    /// An effect is not as the contract says. No other effect is lost: go on with the next.
    Unreadable {
        /// The effect. If it shows a question, the question has been cancelled.
        text: String,
        /// The fault that was found in it.
        wrong: serde_json::Error,
    },
    /// A document is not the JSON that the contract says.
    Json(serde_json::Error),
    /// Another result of the library, by its number in `elicit.h`.
    Status(i32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, problems) = match self {
            Self::Invalid(problems) => ("the engine cannot use the input", problems),
            Self::TooLarge(problems) => ("the input is too large", problems),
            Self::Broken => return f.write_str("the engine is broken by a bug and takes no more inputs"),
            Self::NoMemory => return f.write_str("there is no memory for the output of the engine"),
            Self::Host(wrong) => return write!(f, "a callback of the host failed: {wrong}"),
            Self::Unreadable { wrong, .. } => return write!(f, "an effect is not as the contract says: {wrong}"),
            Self::Json(wrong) => return write!(f, "a document is not as the contract says: {wrong}"),
            Self::Status(number) => return write!(f, "the engine gave the status {number}"),
        };
        f.write_str(what)?;
        for (at, problem) in problems.iter().enumerate() {
            write!(f, "{} {} at {:?}", if at == 0 { ":" } else { "," }, problem.code, problem.pointer)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Host(wrong) => Some(wrong.as_ref()),
            Self::Json(wrong) | Self::Unreadable { wrong, .. } => Some(wrong),
            _ => None,
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(wrong: serde_json::Error) -> Self {
        Self::Json(wrong)
    }
}
