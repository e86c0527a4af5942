//! Letters as a person reads them, with what separates them.

use crate::words::{class, fold};

const IGNORED: u8 = 0; // invisible, combining, apostrophe: as if it were not there
const JOINER: u8 = 1; // separates words of one phrase
const STOPPER: u8 = 2; // ends a phrase
const LOWER: u8 = 3; // a letter that is not a capital
const UPPER: u8 = 4;
pub const DIGIT: u8 = 5;
pub const IDEOGRAPH: u8 = 6; // a word of its own

/// The separator between a letter and the one before it.
const JOIN: u8 = 1; // space, _, -, /: the same phrase goes on
pub const COMMA: u8 = 2; // ends a phrase, not the sentence
pub const STOP: u8 = 3; // ends the sentence

/// One folded letter or digit, which stands in the bytes [from, to) of its text.
#[derive(Clone, Copy)]
pub struct Letter {
    pub r: u32,
    pub from: u32,
    pub to: u32,
    pub gap: u8,
    pub starts: bool, // a word begins here
    pub class: u8,
}

/// Reads a text.
pub fn letters(text: &str) -> Vec<Letter> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let (mut gap, mut before) = (0, IGNORED);
    for (from, c) in text.char_indices() {
        let (c, at) = (c as u32, from + c.len_utf8());
        let class = class(c);
        match class {
            IGNORED => {}
            JOINER => {
                let ends = (c == '.' as u32 || c == ':' as u32) && (at == bytes.len() || bytes[at] <= b' ');
                gap = gap.max(if ends { STOP } else { JOIN });
            }
            STOPPER => gap = gap.max(if matches!(bytes[from], b',' | b'(' | b')') { COMMA } else { STOP }),
            _ => {
                let starts = gap != 0 || boundary(&text[at..], before, class);
                out.push(Letter { r: fold(c), from: from as u32, to: at as u32, gap, starts, class });
                (gap, before) = (0, class);
            }
        }
    }
    out
}

/// Whether a word begins at a letter that follows another directly: fooBar, XMLHttp, foo2, and every ideograph.
fn boundary(after: &str, before: u8, class: u8) -> bool {
    if class == before && class == LOWER {
        return false;
    }
    before == IGNORED
        || class == IDEOGRAPH
        || before == IDEOGRAPH
        || (class == DIGIT) != (before == DIGIT)
        || class == UPPER && before == LOWER
        || class == UPPER && before == UPPER && after.chars().next().map_or(false, |c| self::class(c as u32) == LOWER)
}

/// A text with letters where signs are drawn for them, as in p4$$word. It has as many bytes.
pub fn plain(text: &str) -> String {
    let text = text.as_bytes();
    let sign = |i: usize| text.get(i).map_or(false, |c| letter_for(*c) != 0);
    let letter = |i: usize| text.get(i).map_or(false, u8::is_ascii_alphabetic);
    let mut plain = text.to_vec();
    let (mut i, mut changed) = (0, false); // whether the word so far has a mask
    while i < text.len() {
        if !sign(i) {
            changed = changed && letter(i);
            i += 1;
            continue;
        }
        let mut end = i + 1;
        while sign(end) {
            end += 1;
        }
        // Signs in a word, before a letter, which the word has besides; or one at the end of a word in which another
        // was a mask.
        let inside = letter(end) && (i > 0 && letter(i - 1) || letter(end + 1) || sign(end + 1));
        let last = end == i + 1 && i > 0 && !letter(end) && changed;
        changed = inside || last;
        if changed {
            plain[i..end].iter_mut().for_each(|c| *c = letter_for(*c));
        }
        i = end;
    }
    String::from_utf8(plain).unwrap_or_default()
}

/// The letter that a sign is drawn for, 0 for none.
fn letter_for(c: u8) -> u8 {
    match c {
        b'0' => b'o',
        b'1' | b'!' | b'|' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        b'8' => b'b',
        _ => 0,
    }
}
