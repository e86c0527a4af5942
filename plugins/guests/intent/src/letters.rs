//! Letters as a person reads them, with where words begin.

use reading::fold::*;

/// One folded letter, digit or sign, which stands in the bytes [from, to) of its text.
#[derive(Clone, Copy)]
pub struct Letter {
    pub r: u32,
    pub from: u32,
    pub to: u32,
    pub starts: bool, // a word begins here
}

impl Letter {
    /// Whether it is a word by itself, or almost: Chinese, Japanese, Korean.
    pub fn ideograph(&self) -> bool {
        matches!(self.r, 0x3040..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
    }
}

/// Reads a text.
pub fn letters(text: &str) -> Vec<Letter> {
    let mut out = Vec::with_capacity(text.len());
    let (mut gap, mut before) = (true, IGNORED);
    for (from, c) in text.char_indices() {
        let (r, kind) = match c as u32 {
            ascii @ 0..=0x7F => match CLASS[ascii as usize] {
                class if class >= LEAST => (read(class), class & KIND),
                class => (0, class),
            },
            _ => match beyond(c) {
                Ok(letter) => (letter, SMALL),
                Err(kind) => (c as u32, kind),
            },
        };
        match kind {
            IGNORED => continue,
            JOINER | STOPPER => gap = true,
            _ => {
                let starts = gap
                    || (kind == IDEOGRAPH) != (before == IDEOGRAPH)
                    || kind == CAPITAL && before == SMALL;
                out.push(Letter { r, from: from as u32, to: (from + c.len_utf8()) as u32, starts });
                gap = false;
                before = kind;
            }
        }
    }
    out
}

/// The most bytes of a sentence that are judged together. Of a longer one, pieces that overlap are.
const LONGEST: usize = 240;
const OVERLAP: usize = 60;

/// Gives the sentences of a text, without what ends them, as the built-in inspection tells them apart.
pub fn sentences<'a>(text: &'a str, each: &mut dyn FnMut(&'a str)) {
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let ends = match c {
            '.' | '!' | '?' | ';' | ':' => end == bytes.len() || bytes[end] <= b' ',
            '\n' | '\r' | '。' | '！' | '？' | '；' | '：' | '؟' | '؛' | '।' | '—' | '•' | '…' => true,
            _ => false,
        };
        if ends {
            pieces(&text[from..at], each);
            from = end;
        }
    }
    pieces(&text[from..], each);
}

fn pieces<'a>(sentence: &'a str, each: &mut dyn FnMut(&'a str)) {
    let mut rest = sentence.trim();
    while rest.len() > LONGEST {
        each(&rest[..boundary(rest, LONGEST)]);
        rest = &rest[boundary(rest, LONGEST - OVERLAP)..];
    }
    if !rest.is_empty() {
        each(rest);
    }
}

/// The end of the last word, or else of the last character, in the first bytes of a text.
fn boundary(text: &str, most: usize) -> usize {
    let mut at = most;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    match text[..at].rfind(' ') {
        Some(space) if space > at / 2 => space,
        _ => at,
    }
}
