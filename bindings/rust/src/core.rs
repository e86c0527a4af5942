use serde::Deserialize;

use crate::contract::{Form, Problem};
use crate::ffi::{eval, Handle};
use crate::Error;

/// A compiled schema: the form to draw, and a check of answers that is fast enough for every key press. Any number of
/// threads may use it.
///
/// ```
/// use elicit_engine::Schema;
/// # fn main() -> Result<(), elicit_engine::Error> {
/// let schema = Schema::read(r#"{"type":"object","properties":{"days":{"type":"integer","maximum":30}}}"#)?;
/// assert_eq!(schema.form().fields[0].label, "Days");
/// assert_eq!(schema.check(r#"{"days":99}"#)?[0].pointer, "/days");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Schema {
    handle: Handle,
    form: Form,
}

#[derive(Deserialize)]
struct Problems {
    problems: Vec<Problem>,
}

impl Schema {
    /// Compiles the text of a schema. A schema that cannot be asked gives [`Error::Invalid`].
    pub fn read(schema: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Compiled {
            form: Form,
        }
        let (handle, out) = Handle::form(&serde_json::json!({ "schema_text": schema }).to_string())?;
        Ok(Self { handle, form: serde_json::from_str::<Compiled>(&out)?.form })
    }

    /// The form to draw.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// The problems of the content of an answer, a JSON object; none if it fits.
    pub fn check(&self, content: &str) -> Result<Vec<Problem>, Error> {
        Ok(serde_json::from_str::<Problems>(&self.handle.check(content)?)?.problems)
    }
}

/// A sentence in English for each problem.
pub fn explain(problems: &[Problem]) -> Result<Vec<String>, Error> {
    #[derive(Deserialize)]
    struct Explained {
        problems: Vec<String>,
    }
    let out = eval("explain", &serde_json::json!({ "problems": problems }).to_string())?;
    Ok(serde_json::from_str::<Explained>(&out)?.problems)
}
