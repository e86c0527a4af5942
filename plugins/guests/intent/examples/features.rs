//! Reads forms from the standard input, a JSON object a line, and writes the features of each as the guardian sees
//! them: a line of index:weight. Train/train.py runs it, so that what the model is taught and what it sees cannot
//! differ.

#[path = "../src/clues.rs"]
mod clues;
#[path = "../src/features.rs"]
mod features;
#[path = "../src/letters.rs"]
mod letters;
#[path = "../src/shape.rs"]
mod shape;
#[path = "../src/words.rs"]
mod words;

use elicit_guardian::{json::Doc, Value};
use features::{unit, Field, Message, Stream, Texts};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};

fn main() {
    let out = std::io::stdout();
    let mut out = std::io::BufWriter::new(out.lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        clues::restart();
        let doc = Doc::read(line.as_bytes()).expect("JSON");
        let form = doc.root();
        let text = |v: Value| v.text().into_owned();
        let (name, title, help) = (text(form.get("name")), text(form.get("title")), text(form.get("description")));
        let (choices, pattern) = (text(form.get("choices")), text(form.get("pattern")));
        let shape = shape::signs(&shape::Shape {
            kind: "text",
            format: &text(form.get("format")),
            pattern: &pattern,
            least: form.get("least").int(),
            most: form.get("most").int(),
            fields: form.get("fields").int().unwrap_or(1) as usize,
            choices: form.get("closed").int().unwrap_or(0) as usize,
            words: name.len() + title.len() + help.len() + choices.len(),
        });
        let message = Message::read(&text(form.get("message")));
        let field = Field { name: &name, title: &title, description: &help, choices: &choices };
        let mut counts = [0u32; 5];
        let mut found: Vec<(Stream, u32)> = Vec::new();
        let mut take = |f: features::Feature| {
            counts[f.stream as usize] += 1;
            found.push((f.stream, f.index));
        };
        message.features(&mut take);
        Texts::read(&field).features(&message, &shape, &mut take);
        let mut row: BTreeMap<u32, i32> = BTreeMap::new();
        for (stream, index) in found {
            *row.entry(index).or_default() += unit(stream, counts[stream as usize]);
        }
        let cells: Vec<String> = row.iter().map(|(i, v)| format!("{}:{}", i, v)).collect();
        writeln!(out, "{}", cells.join(" ")).unwrap();
    }
}
