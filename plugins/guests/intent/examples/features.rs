//! Reads forms from the standard input, a JSON object a line, and writes the features of each stretch as the guardian
//! sees them: a line of index:weight for each, the number of an earlier one for the same again, and "end" after each
//! form. train/train.py runs it, so that what the model is taught and what it sees cannot differ.

#[path = "../src/features.rs"]
mod features;
#[allow(dead_code)]
#[path = "../src/letters.rs"]
mod letters;
#[allow(dead_code)]
#[path = "../src/stretches.rs"]
mod stretches;

use elicit_guardian::{json::Doc, Value};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Write};

fn main() {
    let out = std::io::stdout();
    let mut out = std::io::BufWriter::new(out.lock());
    let mut known = HashMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let doc = Doc::read(line.as_bytes()).expect("JSON");
        let text = |v: Value| v.text().into_owned();
        let message = text(doc.root().get("message"));
        let owned: Vec<[String; 3]> = (doc.root().get("fields").items())
            .map(|f| [text(f.get("name")), text(f.get("title")), text(f.get("description"))])
            .collect();
        let fields: Vec<stretches::Field> =
            owned.iter().map(|f| stretches::Field { name: &f[0], label: &f[1], help: &f[2] }).collect();
        stretches::stretches(&message, &fields, &mut |_, a, b| {
            let text = [a, " ", b].concat();
            if let Some(n) = known.get(&text) {
                return writeln!(out, "{}", n).unwrap();
            }
            let read = letters::letters(&text);
            known.insert(text, known.len());
            let (mut row, mut count) = (BTreeMap::<u32, i64>::new(), 0);
            features::features(&read, |index, _, _| {
                *row.entry(index).or_default() += 1;
                count += 1;
            });
            let unit = features::unit(count);
            let cells: Vec<String> = row.iter().map(|(i, n)| format!("{}:{}", i, n * unit)).collect();
            writeln!(out, "{}", cells.join(" ")).unwrap();
        });
        writeln!(out, "end").unwrap();
    }
}
