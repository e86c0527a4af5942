//! Secrets that a text describes and does not name, by the clues in its words.

use crate::index::{candidates, has, kinds, Entry, Own, HAPPENED};
use crate::search::{later, Match, Read};
use crate::tables::{self, clue::*, GLANCE_LONG, GLANCE_MIDDLE, GLANCE_WHOLE, REFUSES};
use crate::text::{Cursor, Letter, COMMA, DIGIT, JOIN, STOP, UPPER};
use crate::work;

pub use crate::tables::clue::ATTRIBUTE;

/// The clues to a secret in a text or in one sentence of it, and the bytes that give them.
#[derive(Clone, Copy, Default)]
pub struct Clues {
    pub clue: u32,
    pub start: usize,
    pub end: usize,
}

impl Clues {
    fn add(&mut self, clue: u32, start: usize, end: usize) {
        if self.clue & !(HARMLESS | NEVER) == 0 {
            self.start = start;
        }
        self.clue |= clue;
        if clue & !(HARMLESS | NEVER) != 0 {
            self.end = end;
        }
    }
}

/// Whether a set of clues describes a secret.
pub fn described(clue: u32) -> bool {
    let any = |of: u32| clue & of != 0;
    let all = |of: u32| clue & of == of;
    let figures = any(CODE) || all(COUNT | THING);
    if any(HARMLESS | NEVER) {
        return false;
    }
    any(TEXT) && (figures || all(SENT | THING))
        || all(SENT | SENDER) && figures
        || any(APP) && (figures || any(THING | WHAT))
        || any(CARD) && any(SIDE) && (figures || any(THING))
        || all(CARD | COUNT | CODE)
        || all(BACK | COUNT | CODE)
        || any(WALLET) && (any(WORDS) || all(COUNT | THING) || all(ORDER | THING))
        || all(DOZEN | WORDS) && any(ORDER | KNOW)
        || any(CASH) && (figures || any(THING | WHAT))
        || any(UNLOCK) && (figures || any(THING | WHAT)) && !any(USER)
        || any(KNOW) && (figures || any(THING | WHAT))
        || any(BEGIN) && any(ORIGIN | CONTENTS | THING | KEY)
        || all(ORIGIN | KEY) && any(ASK | CONTENTS)
        || any(FILE) && any(CONTENTS)
}

pub fn harmless(clue: u32) -> bool {
    clue & (HARMLESS | NEVER) != 0
}

/// Clues to what is typed: a field that has some may leave the rest to the message above it.
pub fn typed(clue: u32) -> bool {
    clue & (CODE | SIDE | UNLOCK | WHAT) != 0 || clue & (COUNT | THING) == COUNT | THING
}

/// The clues of each sentence of a text.
pub struct Said {
    sentences: Vec<Clues>,
    may: bool, // one stands there that may begin a description
}

impl Said {
    pub fn of(text: &[Letter]) -> Said {
        let sentences = sentences(text);
        Said { may: !sentences.is_empty() && glance(text), sentences }
    }

    /// The clues of a text in which one stands that may begin a description.
    pub fn read(&self) -> Clues {
        let mut all = Clues::default();
        if !self.may {
            return all;
        }
        for c in &self.sentences {
            if all.clue == 0 {
                all.start = c.start;
            }
            all.clue |= c.clue;
            all.end = c.end;
        }
        all
    }

    /// The clues of a text of which something is known already: also of one in which nothing but helping words stand.
    pub fn whole(&self) -> u32 {
        self.sentences.iter().fold(0, |all, c| all | c.clue)
    }

    /// The first sentence that asks for a secret it describes.
    pub fn asked(&self) -> Option<Clues> {
        self.sentences.iter().find(|c| described(c.clue) && c.clue & ASK != 0).copied().filter(|_| self.may)
    }

    /// Whether what stands around a weak match gives its word another meaning: the pin of a board.
    pub fn elsewhere(&self) -> bool {
        self.whole() & OTHER != 0
    }
}

/// All clues of a text, one bit each.
pub fn clues(text: &[Letter]) -> u32 {
    sentences(text).iter().fold(0, |all, c| all | c.clue)
}

/// Whether a label says nothing of what to type: value, answer, text.
pub fn generic(text: &str, letters: &[Letter]) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_' || c == ' ' || c == ':');
    if text.len() < 2 {
        return true;
    }
    let kept = letters.partition_point(|l| (l.to as usize) <= text.len());
    let (clue, end) = starting(Cursor::new(&letters[..kept]));
    clue & GENERIC != 0 && end.byte() == text.len()
}

/// A secret that the last sentence of a message names. Nothing counts that stands before that sentence, from now on.
pub fn mentioned(text: &str, letters: &mut [Letter], own: &Own) -> Option<Match> {
    let from = last_sentence(text);
    let first = letters.partition_point(|l| (l.from as usize) < from);
    letters.get_mut(first)?.gap = JOIN;
    let letters = &letters[first..];
    let m = Read { text: &text[from..], letters, before: from, own }.label()?;
    let rest = Cursor { text: letters, at: m.end };
    if rest.following().map_or(false, |w| has(kinds(w), HAPPENED)) || REFUSES.iter().any(|r| later(rest, r)) {
        return None;
    }
    Some(m)
}

fn last_sentence(text: &str) -> usize {
    let end = text.trim_end_matches(|c| " .!?:\n。！？：".contains(c)).len();
    let mut from = 0;
    for (i, c) in text[..end].char_indices() {
        if matches!(c, '.' | '!' | '?' | '\n' | '。' | '！' | '？') {
            let n = i + c.len_utf8();
            if c > '\u{80}' || c == '\n' || n < end && text.as_bytes()[n] == b' ' {
                from = n;
            }
        }
    }
    from
}

fn sentences(text: &[Letter]) -> Vec<Clues> {
    let mut all = Vec::new();
    let mut c = Cursor::new(text);
    let mut said = Clues::default();
    loop {
        while text.get(c.at).map_or(false, |l| !l.starts) {
            c.at += 1;
        }
        work::add(1);
        let here = c;
        let l = c.next().filter(|_| !work::over());
        if l.map_or(true, |l| l.gap == STOP) {
            if said.clue != 0 {
                all.push(said);
            }
            said = Clues::default();
        }
        let l = match l {
            Some(l) => l,
            None => return all,
        };
        if l.class == DIGIT {
            let (n, end) = numeral(here);
            if n > 0 {
                said.add(count(n), l.from as usize, end.byte());
                c = end;
                continue;
            }
        }
        let (clue, end) = starting(here);
        if clue != 0 {
            said.add(clue, l.from as usize, end.byte());
            c = end;
        }
    }
}

/// The clues of the phrases that begin here, and where the longest ends.
pub fn starting(here: Cursor) -> (u32, Cursor) {
    let (mut clue, mut end) = (0, Cursor { text: here.text, at: 0 });
    for e in candidates(&tables::CLUES, here) {
        if let Some(after) = begins(here, &e) {
            clue |= e.clue;
            if after.at > end.at {
                end = after;
            }
        }
    }
    (clue, end)
}

/// Matches an entry: a stem to the end of the word it begins, anything else as a whole.
fn begins<'a>(mut here: Cursor<'a>, e: &Entry) -> Option<Cursor<'a>> {
    if !e.flag {
        return here.spell(e.phrase, false);
    }
    if here.peek()?.gap >= COMMA || !here.pass(e.phrase) {
        return None;
    }
    while !here.at_end() {
        here.at += 1;
    }
    Some(here)
}

/// A number of one or two digits, 0 for none.
fn numeral(here: Cursor) -> (usize, Cursor) {
    let (mut n, mut at) = (0, here.at);
    while let Some(l) = here.text.get(at) {
        let digit = l.r.wrapping_sub('0' as u32);
        if digit > 9 || at > here.at && l.starts {
            break;
        }
        n = if at - here.at < 2 { n * 10 + digit as usize } else { 0 };
        if at - here.at >= 2 {
            return (0, here);
        }
        at += 1;
    }
    (n, Cursor { text: here.text, at })
}

fn count(n: usize) -> u32 {
    match n {
        12 | 15 | 18 | 21 | 24 | 25 => DOZEN | COUNT,
        3..=9 | 16 => COUNT,
        _ => 0,
    }
}

/// Whether a text may hold a phrase without which nothing is described, by how phrases begin. The engine looks in the
/// same bits.
fn glance(text: &[Letter]) -> bool {
    let (mut letters, mut starts, mut fresh) = (0u64, 0u32, 1u32);
    for l in text {
        let capital = (l.class >= UPPER) as u32;
        if (l.gap > 0 || capital > 0 || fresh > 0) && whole_word(letters, starts) {
            return true;
        }
        if l.gap > 0 {
            fresh = 1;
        }
        letters = letters << 8 | code(l.r);
        starts = starts << 1 | fresh | capital;
        fresh = (l.class > UPPER) as u32;
        let begun = |n: u32| starts >> (n - 1) & 1 != 0;
        if begun(4) && marked(&GLANCE_MIDDLE, letters & 0xFFFF_FFFF)
            || begun(6) && marked(&GLANCE_LONG, letters & 0xFFFF_FFFF_FFFF)
            || begun(8) && marked(&GLANCE_LONG, letters)
        {
            return true;
        }
    }
    whole_word(letters, starts)
}

fn whole_word(letters: u64, starts: u32) -> bool {
    (2..=6).any(|n| starts >> (n - 1) & 1 != 0 && marked(&GLANCE_WHOLE, letters & ((1 << (8 * n)) - 1)))
}

fn marked(bits: &[u64; 512], letters: u64) -> bool {
    let at = (letters.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32;
    bits[(at >> 6 & 511) as usize] >> (at & 63) & 1 != 0 && bits[(at >> 23) as usize] >> (at >> 17 & 63) & 1 != 0
}

fn code(r: u32) -> u64 {
    match r {
        0x61..=0x7A => r as u64 - 0x60,
        0x30..=0x39 => r as u64 - 0x30 + 27,
        0..=0x7F => 0,
        _ => (r % 219) as u64 + 37,
    }
}
