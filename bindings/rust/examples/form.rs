//! `form SCHEMA CONTENT` draws the fields of a schema, and says what is wrong with the content of an answer.
use elicit_engine::{explain, Schema};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().collect();
    let schema = Schema::read(&words[1])?;
    for field in &schema.form().fields {
        println!("{} ({:?}){}", field.label, field.kind, if field.required { "" } else { ", may stay empty" });
    }
    let problems = schema.check(&words[2])?;
    for (problem, sentence) in problems.iter().zip(explain(&problems)?) {
        println!("{}: {sentence}", problem.pointer);
    }
    Ok(())
}
