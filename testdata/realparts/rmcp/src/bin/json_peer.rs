//! Reads JSON documents with serde_json for internal/tests/rivals: a line has words, each a document in hexadecimal.

use serde_json::Value;
use std::io::BufRead;

fn text(s: &str) -> String {
    let hex: String = s.bytes().map(|b| format!("{b:02x}")).collect();
    format!("s{hex}")
}

fn value(v: &Value) -> String {
    match v {
        Value::Null => "z".into(),
        Value::Bool(true) => "t".into(),
        Value::Bool(false) => "f".into(),
        Value::Number(n) => {
            let x = n.as_f64().unwrap_or(f64::NAN);
            format!("n{:016x}", if x == 0.0 { 0 } else { x.to_bits() })
        }
        Value::String(s) => text(s),
        Value::Array(list) => format!("[{}]", list.iter().map(value).collect::<Vec<_>>().join(",")),
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().map(|(k, v)| (text(k), value(v))).collect();
            members.sort();
            let all: Vec<_> = members.iter().map(|(k, v)| format!("{k}:{v}")).collect();
            format!("{{{}}}", all.join(","))
        }
    }
}

fn read(word: &str) -> String {
    let bytes: Vec<u8> = (0..word.len() / 2)
        .map(|i| u8::from_str_radix(&word[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    match serde_json::from_slice::<Value>(&bytes) {
        Ok(v) => value(&v),
        Err(_) => "!".into(),
    }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        println!("{}", line.split(' ').map(read).collect::<Vec<_>>().join(" "));
    }
}
