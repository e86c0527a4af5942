//! Digits and signs that stand for the letters they look like: p4ssw0rd, pa$$word. Such a sign counts only in a word, before a
//! letter, so that address2 and h1 are left alone.

use crate::search::{search, Match, Read};
use crate::text::letters;
use crate::work;

/// The longest text that is read again without its masks.
pub const MOST: usize = 512;

pub fn unmasked(read: &Read, prose: bool) -> Option<Match> {
    let text = read.text.as_bytes();
    let signs = |from: usize| text[from..].iter().take_while(|c| letter_for(**c, b'i') != 0).count();
    let letter = |i: usize| text.get(i).map_or(false, u8::is_ascii_alphabetic);
    if text.len() > MOST || !(0..text.len()).any(|i| letter_for(text[i], b'i') != 0 && letter(i + 1)) {
        return None;
    }
    work::add(text.len() as u32);
    for one in [b'i', b'l'] {
        let mut plain = text.to_vec();
        let (mut i, mut changed) = (0, false); // whether the word so far has a mask
        while i < text.len() {
            let n = signs(i);
            if n == 0 {
                changed = changed && letter(i);
                i += 1;
                continue;
            }
            // A sign in a word, before a letter, which the word has besides; or at the end of a word in which another was one.
            let (end, after_letter) = (i + n, i > 0 && letter(i - 1));
            let inside = letter(end) && (after_letter || letter(end + 1) || text.get(end + 1).map_or(false, |c| letter_for(*c, b'i') != 0));
            let last = n == 1 && i > 0 && !letter(end) && changed;
            if inside || last {
                for at in i..end {
                    plain[at] = letter_for(text[at], one);
                }
            }
            changed = inside || last;
            i = end;
        }
        let plain = String::from_utf8(plain).ok()?;
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
