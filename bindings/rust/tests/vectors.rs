//! Every vector through the crate, byte for byte, or with `ELICIT_EVERY=N` every Nth.
use std::fs;
use std::io::Write;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Vector<'a> {
    #[serde(rename = "tcId")]
    id: &'a str,
    op: &'a str,
    #[serde(rename = "in", borrow)]
    input: &'a RawValue,
    #[serde(borrow)]
    want: &'a RawValue,
}

/// Removes the white space between tokens.
fn packed(text: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keep = |c: &char| {
        let kept = in_string || !c.is_ascii_whitespace();
        in_string ^= *c == '"' && !escaped;
        escaped = in_string && *c == '\\' && !escaped;
        kept
    };
    text.chars().filter(keep).collect()
}

#[test]
fn vectors() {
    let every = std::env::var("ELICIT_EVERY").map_or(1, |every| every.parse().unwrap());
    let (mut seen, mut ran, mut wrong) = (0, 0, Vec::new());
    for folder in
        fs::read_dir("../../testdata/vectors").unwrap().filter_map(|entry| fs::read_dir(entry.ok()?.path()).ok())
    {
        for file in
            folder.map(|entry| entry.unwrap().path()).filter(|file| file.extension().is_some_and(|e| e == "json"))
        {
            let text = fs::read_to_string(file).unwrap();
            for vector in serde_json::from_str::<Vec<Vector>>(&text).unwrap() {
                seen += 1;
                if seen % every != 0 {
                    continue;
                }
                let (got, want) =
                    (elicit_engine::eval(vector.op, vector.input.get()).unwrap(), packed(vector.want.get()));
                ran += 1;
                if got != want {
                    wrong.push(format!("{}\n got {got}\nwant {want}", vector.id));
                }
            }
        }
    }
    println!("vectors through Rust: {ran}");
    assert!(seen > 5000 && ran == seen / every && wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n"));
    if let Ok(record) = std::env::var("ELICIT_HOSTS") {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(record).unwrap();
        writeln!(file, "Rust vectors {ran} {seen}").unwrap();
    }
}
