//! Digits and signs that stand for the letters they look like: p4ssw0rd, pa$$word. Such a sign counts only in a word,
//! before a letter, so that address2 and h1 are left alone.

use crate::search::{search, Match, Read};
use crate::text::letters;
use crate::work;

/// The longest text that is read again without its masks.
pub const MOST: usize = 512;

pub fn unmasked(read: &Read, prose: bool) -> Option<Match> {
    let text = read.text.as_bytes();
    let letter = |i: usize| text.get(i).map_or(false, u8::is_ascii_alphabetic);
    if text.len() > MOST || !(0..text.len()).any(|i| letter_for(text[i], b'i') != 0 && letter(i + 1)) {
        return None;
    }
    work::add(text.len() as u32);
    for one in [b'i', b'l'] {
        let plain = plain(read.text, one);
        if let Some(m) = search(&letters(&plain), read.own, prose) {
            if plain.as_bytes()[m.from..m.to] != text[m.from..m.to] {
                let (from, to) = (m.from + read.before, m.to + read.before);
                let start = read.letters.partition_point(|l| (l.from as usize) < from);
                let end = read.letters.partition_point(|l| l.to as usize <= to);
                return Some(Match { start, end, from, to, ..m });
            }
        }
    }
    None
}

/// A text with letters where signs stand for them. It has as many bytes; one is what 1 stands for.
pub fn plain(text: &str, one: u8) -> String {
    let text = text.as_bytes();
    let sign = |i: usize| text.get(i).map_or(false, |c| letter_for(*c, b'i') != 0);
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
            plain[i..end].iter_mut().for_each(|c| *c = letter_for(*c, one));
        }
        i = end;
    }
    String::from_utf8(plain).unwrap_or_default()
}

/// The letter that a sign is drawn for, 0 for none; one is what 1 stands for.
fn letter_for(c: u8, one: u8) -> u8 {
    match c {
        b'0' => b'o',
        b'1' | b'!' | b'|' => one,
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' => b't',
        b'8' => b'b',
        _ => 0,
    }
}
