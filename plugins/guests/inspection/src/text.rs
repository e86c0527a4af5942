//! Letters as a person reads them, with what separates them. A text is read once into a list, and everything else walks
//! the list.

use crate::tables::{CLASSES, CLASS_RUNS, FOLDED};

pub const IGNORED: u8 = 0; // invisible, combining, apostrophe: as if it were not there
pub const JOINER: u8 = 1; // separates words of one phrase
pub const STOPPER: u8 = 2; // ends a phrase
pub const LOWER: u8 = 3; // a letter that is not a capital
pub const UPPER: u8 = 4;
pub const DIGIT: u8 = 5;
pub const IDEOGRAPH: u8 = 6; // a word of its own

/// The separator between a letter and the one before it.
pub const JOIN: u8 = 1; // space, _, -, /: the same phrase goes on
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

pub const SEED: u32 = 2_166_136_261;

pub fn mix(hash: u32, letter: u32) -> u32 {
    (hash ^ letter).wrapping_mul(16_777_619)
}

/// A place in a text: what follows ends before the limit, as if the text did.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    pub text: &'a [Letter],
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a [Letter]) -> Self {
        Cursor { text, at: 0 }
    }

    pub fn peek(&self) -> Option<&'a Letter> {
        self.text.get(self.at)
    }

    pub fn next(&mut self) -> Option<&'a Letter> {
        let l = self.text.get(self.at);
        self.at += 1;
        l
    }

    /// Whether a word ends here.
    pub fn at_end(&self) -> bool {
        self.peek().map_or(true, |l| l.starts)
    }

    /// The byte where what was read ends.
    pub fn byte(&self) -> usize {
        self.text[..self.at].last().map_or(0, |l| l.to as usize)
    }

    /// Matches a phrase of the tables, folded and without spaces, up to the end of a word. A plural s is allowed where
    /// told.
    pub fn spell(mut self, phrase: &str, plural: bool) -> Option<Self> {
        if !self.pass(phrase) {
            return None;
        }
        if self.at_end() {
            return Some(self);
        }
        let s = plural && self.next()?.r == 's' as u32 && self.at_end();
        s.then(|| self)
    }

    /// Steps over the letters of a phrase.
    pub fn pass(&mut self, phrase: &str) -> bool {
        let first = self.at;
        for want in phrase.chars() {
            match self.next() {
                Some(l) if l.r == want as u32 && (l.gap < COMMA || self.at == first + 1) => {}
                _ => return false,
            }
        }
        true
    }

    /// The next word of the same phrase.
    pub fn following(self) -> Option<&'a [Letter]> {
        self.peek().filter(|l| l.gap < COMMA).map(|_| self.word())
    }

    /// The word that begins here.
    pub fn word(self) -> &'a [Letter] {
        let mut end = self.at + 1;
        while end < self.text.len() && !self.text[end].starts {
            end += 1;
        }
        &self.text[self.at..end]
    }
}

/// Reads a text.
pub fn letters(text: &str) -> Vec<Letter> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let (mut at, mut gap, mut before) = (0, 0, IGNORED);
    while at < bytes.len() {
        let (mut c, mut size) = (bytes[at] as u32, 1);
        let class = if c < 0x80 {
            CLASSES[c as usize] - b'0'
        } else {
            (c, size) = decode(text, at);
            class(c)
        };
        let from = at;
        at += size;
        if class == LOWER && before == LOWER && gap == 0 {
            let r = if c < 0x80 { c } else { fold(c) };
            out.push(Letter { r, from: from as u32, to: at as u32, gap, starts: false, class });
            continue;
        }
        match class {
            IGNORED => {}
            JOINER => {
                let ends = (c == '.' as u32 || c == ':' as u32) && (at == bytes.len() || bytes[at] <= b' ');
                gap = gap.max(if ends { STOP } else { JOIN });
            }
            STOPPER => gap = gap.max(if matches!(bytes[from], b',' | b'(' | b')') { COMMA } else { STOP }),
            _ => {
                let starts = gap != 0 || boundary(text, at, before, class);
                out.push(Letter { r: fold(c), from: from as u32, to: at as u32, gap, starts, class });
                (gap, before) = (0, class);
            }
        }
    }
    out
}

fn decode(text: &str, at: usize) -> (u32, usize) {
    match text.as_bytes()[at..] {
        [b, ..] if b < 0x80 => (b as u32, 1),
        [b, c, ..] if b < 0xE0 => ((b as u32 & 31) << 6 | c as u32 & 63, 2),
        [b, c, d, ..] if b < 0xF0 => ((b as u32 & 15) << 12 | (c as u32 & 63) << 6 | d as u32 & 63, 3),
        _ => text[at..].chars().next().map_or((0, 1), |c| (c as u32, c.len_utf8())),
    }
}

/// Whether a word begins at a letter that follows another directly: fooBar, XMLHttp, foo2, and every ideograph.
fn boundary(text: &str, after: usize, before: u8, class: u8) -> bool {
    if class == before && class == LOWER {
        return false;
    }
    before == IGNORED
        || class == IDEOGRAPH
        || before == IDEOGRAPH
        || (class == DIGIT) != (before == DIGIT)
        || class == UPPER && before == LOWER
        || class == UPPER && before == UPPER && after < text.len() && self::class(decode(text, after).0) == LOWER
}

/// The effect of a character on words.
pub fn class(c: u32) -> u8 {
    if let Some(class) = CLASSES.get(c as usize) {
        return *class - b'0';
    }
    let run = CLASS_RUNS.partition_point(|run| run.0 <= c);
    CLASS_RUNS[run - 1].1
}

/// The letter that a person reads: small, Latin where it only looks so or carries an accent.
pub fn fold(c: u32) -> u32 {
    if c < 0x80 {
        return if c.wrapping_sub('A' as u32) < 26 { c + 32 } else { c };
    }
    let (least, low) = FOLDED[0];
    if let Some(l) = low.get(c.wrapping_sub(least) as usize) {
        return *l as u32;
    }
    let page = FOLDED.partition_point(|page| page.0 <= c);
    let letter = page.checked_sub(1).and_then(|page| FOLDED[page].1.get((c - FOLDED[page].0) as usize));
    letter.map_or(c, |l| *l as u32)
}
