//! Numbers that name a person or an account. Most have check digits. A number without them is recognized by its shape
//! alone, and its kind is not sure.

mod check;

use check::*;

/// A kind of number.
pub struct Kind {
    pub name: &'static str, // as in the settings
    pub what: &'static str,
    pub sure: bool, // by check digits
}

pub const CARD: Kind = Kind { name: "card", what: "a payment card number", sure: true };
pub const IBAN: Kind = Kind { name: "iban", what: "a bank account number (IBAN)", sure: true };
const BE: Kind = Kind { name: "be", what: "a Belgian national number", sure: true };
const BR: Kind = Kind { name: "br", what: "a Brazilian CPF", sure: true };
const CH: Kind = Kind { name: "ch", what: "a Swiss AHV number", sure: true };
const CN: Kind = Kind { name: "cn", what: "a Chinese resident identity number", sure: true };
const DE: Kind = Kind { name: "de", what: "a German Steuer-ID", sure: true };
const ES: Kind = Kind { name: "es", what: "a Spanish DNI or NIE", sure: true };
const FR: Kind = Kind { name: "fr", what: "a French NIR", sure: true };
const GB: Kind = Kind { name: "gb", what: "what looks like a British National Insurance number", sure: false };
const IT: Kind = Kind { name: "it", what: "an Italian codice fiscale", sure: true };
const NL: Kind = Kind { name: "nl", what: "a Dutch BSN", sure: true };
const PL: Kind = Kind { name: "pl", what: "a Polish PESEL", sure: true };
const US: Kind = Kind { name: "us", what: "what looks like a US Social Security number", sure: false };

pub const NAMES: [&str; 14] = ["card", "iban", "be", "br", "ch", "cn", "de", "es", "fr", "gb", "it", "nl", "pl", "us"];

/// The most letters and digits of a number, and of bytes with the marks between them.
const MOST: usize = 34;
const MOST_BYTES: usize = 48;

/// Calls with every number in a text. Each begins and ends where a word does. Blanks, dots, dashes and slashes may
/// separate its groups. named says that the name of the field mentions a BSN, because one check digit proves little.
///
/// The fuel grows with the text, whatever it holds: the text is packed once, and each word tries a few lengths.
pub fn find(text: &str, named: bool, each: &mut dyn FnMut(&'static Kind)) {
    let (room, first) = pack(text.as_bytes());
    let (signs, mut i) = (&room[first..], 0);
    while i < signs.len() {
        let (found, next) = number_at(signs, i, named);
        found.into_iter().for_each(&mut *each);
        i = next;
    }
}

const OTHER: u8 = 0;
const DIGIT: u8 = 1;
const LETTER: u8 = 2;

static CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = match c as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80..=0xFF => LETTER,
            _ => OTHER,
        };
        c += 1;
    }
    table
};

/// A letter or digit of a text.
#[derive(Clone, Copy)]
pub struct Sign {
    ends: u64,    // bit n: a word ends n signs from here, and no gap comes before
    pub c: u8,    // a capital, if it is an ASCII letter
    pub mark: u8, // what separates it from the one before: 0 nothing, GAP more than a number may hold
    digits: u8,   // digits from here up to a letter or a gap
}

const GAP: u8 = 1;

/// The letters and digits of a text, and where they begin in the list.
fn pack(text: &[u8]) -> (Vec<Sign>, usize) {
    let mut room = vec![Sign { ends: 0, c: 0, mark: GAP, digits: 0 }; text.len()];
    let mut first = room.len();
    // mark stands between a byte and the sign after it. The text is read from its end.
    let (mut mark, mut ends, mut digits) = (GAP, 0u64, 0u8);
    for &c in text.iter().rev() {
        if CLASS[c as usize] == OTHER {
            mark = if mark == 0 && matches!(c, b' ' | b'-' | b'.' | b'/') { c } else { GAP };
            continue;
        }
        match mark {
            0 => ends <<= 1,
            GAP => (ends, digits) = (2, 0),
            _ => ends = ends << 1 | 2,
        }
        if let Some(next) = room.get_mut(first) {
            next.mark = mark;
        }
        digits = if c.is_ascii_digit() { digits.saturating_add(1) } else { 0 };
        first -= 1;
        room[first] = Sign { ends, c: c.to_ascii_uppercase(), mark: GAP, digits };
        mark = 0;
    }
    (room, first)
}

/// The longest number that begins with a word, and where to go on: after the number, or else after the word.
fn number_at(signs: &[Sign], from: usize, named: bool) -> (Option<&'static Kind>, usize) {
    let rest = &signs[from..];
    let word = rest[0].ends.trailing_zeros() as usize;
    if word > MOST {
        return (None, word_end(signs, from));
    }
    let mut lengths = rest[0].ends & lengths(rest, named);
    if lengths == 0 || !begins(rest, word) {
        return (None, from + word);
    }
    while lengths != 0 {
        let length = 63 - lengths.leading_zeros() as usize;
        lengths ^= 1 << length;
        let marks = (rest[0].ends & !(!0 << length)).count_ones() as usize;
        // Groups have two signs or more, and behind 20 signs only blanks and dashes separate them.
        let grouped = length < 22 || !rest[21..length].iter().any(|s| matches!(s.mark, b'.' | b'/'));
        if marks <= length / 2 && length + marks <= MOST_BYTES && grouped {
            if let Some(kind) = known(&rest[..length], marks, named) {
                return (Some(kind), from + length);
            }
        }
    }
    (None, from + word)
}

/// Where a long word ends.
fn word_end(signs: &[Sign], from: usize) -> usize {
    let behind = &signs[from + 1..];
    behind.iter().position(|s| s.mark != 0).map_or(signs.len(), |n| from + 1 + n)
}

/// Whether a number may begin with a word: one that begins with a digit or has one. One or two letters may stand apart.
fn begins(s: &[Sign], word: usize) -> bool {
    let apart = || s.get(word).map_or(false, |s| matches!(s.mark, b' ' | b'-') && s.c.is_ascii_digit());
    s[0].c.is_ascii_digit() || s[..word].iter().any(|s| s.c.is_ascii_digit()) || word <= 2 && apart()
}

/// The lengths that a number which begins here may have, a bit each. Every length is a check to pay for, so the first
/// signs leave out what they can.
fn lengths(s: &[Sign], named: bool) -> u64 {
    let digits = s[0].digits as u32;
    let letters = match digits {
        17 => 1 << 18,
        6 => 1 << 15,
        0 => 1 << 16 | 1 << iban_length(s),
        _ => 0,
    };
    // With a letter in it or behind it, a number is longer than its first digits.
    let of_digits = !0 >> (63 - digits.min(63));
    let mixed = (letters | 1 << 9) & !of_digits;
    if digits < 9 {
        return mixed;
    }
    let mut all = card_lengths(s);
    if named || matches!(s[3].mark, b'-' | b'.') {
        all |= 1 << 9;
    }
    if s[0].ends & 0x7FE == 0 || s[2].mark == b' ' || s[3].mark == b'.' || s[6].mark == b'-' {
        all |= 1 << 11;
    }
    all |= match s[0].c {
        b'7' => 1 << 13 | 1 << 15,
        b'1'..=b'4' | b'8' => 1 << 15,
        _ => 0,
    };
    if matches!((s[6].c, s[7].c), (b'1', b'9') | (b'2', b'0')) {
        all |= 1 << 18;
    }
    mixed | all & of_digits
}

/// The kind of number that letters and digits are, all of them together, with that many marks between them.
fn known(s: &[Sign], apart: usize, named: bool) -> Option<&'static Kind> {
    let n = s.len();
    let mark = |at: usize| s[at].mark;
    if s[0].digits as usize >= n {
        return match n {
            9 if mark(3) == b'-' && mark(5) == b'-' && apart == 2 && ssn(s) => Some(&US),
            9 if (named || mark(3) == b'.' && mark(6) == b'.') && bsn(s) => Some(&NL),
            11 if mark(3) == b'.' && mark(6) == b'.' && cpf(s) => Some(&BR),
            11 if mark(6) == b'-' && mark(9) == b'.' && belgian(s) => Some(&BE),
            11 if apart == 0 && pesel(s) => Some(&PL),
            11 if (apart == 0 || mark(2) == b' ') && steuer_id(s) => Some(&DE),
            11 if apart == 0 && cpf(s) => Some(&BR),
            11 if apart == 0 && belgian(s) => Some(&BE),
            13 if number(&s[..3]) == 756 && ean(s) => Some(&CH),
            15 if nir(s) => Some(&FR),
            18 if apart == 0 && resident(s) => Some(&CN),
            13..=19 if card(s) => Some(&CARD),
            _ => None,
        };
    }
    match n {
        9 if dni(s) => Some(&ES),
        9 if national_insurance(s) => Some(&GB),
        15 if nir(s) => Some(&FR),
        16 if apart == 0 && codice(s) => Some(&IT),
        18 if apart == 0 && resident(s) => Some(&CN),
        15..=34 if iban(s) => Some(&IBAN),
        _ => None,
    }
}
