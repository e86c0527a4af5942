//! The words of the tables by their first two letters. A table is one text, in which an entry is a head of a few signs
//! and its letters, folded and without spaces.

use crate::tables::{Table, BASE, VOCABULARY};
use crate::text::{letters, mix, Cursor, Letter, COMMA, SEED};
use crate::work;

pub const HARMLESS: u8 = 0;
pub const ANYWHERE: u8 = 1;
pub const ENDING: u8 = 2;
pub const AFTER: u8 = 4;
pub const TAILS: u8 = 5;
pub const ASKS: u8 = 6;
pub const ABOUT: u8 = 7;
pub const HAPPENED: u8 = 8;
pub const ARTICLES: u8 = 9;
pub const NEGATIONS: u8 = 10;
pub const BETWEEN: u8 = 11;
pub const OTHER: u8 = 12;

/// One phrase or word.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    pub kind: u8,
    pub flag: bool, // also means other things; of a clue: the beginning of words
    pub lang: usize,
    pub clue: u32,
    pub phrase: &'a str,
}

/// Phrases are told apart by so many of their first letters, as many as they have.
const TIERS: [usize; 4] = [2, 4, 7, 10];

/// The entries of a table that may begin with what stands here, those of many letters first.
pub fn candidates<'a>(table: &Table<'a>, here: Cursor) -> Entries<'a> {
    let mut found = Entries { text: table.text, clues: table.clues, spans: [(0, 0); 4], tier: 0 };
    let letters = &here.text[here.at.min(here.text.len())..];
    let begun = |n: usize| letters.len() >= n && letters[1..n].iter().all(|l| l.gap < COMMA);
    if !begun(2) {
        return found;
    }
    let two = mix(mix(SEED, letters[0].r), letters[1].r);
    let four = if begun(4) { mix(mix(two, letters[2].r), letters[3].r) } else { 0 };
    let longer = four != 0 && marked(table.four, four);
    if !longer && !marked(table.two, two) {
        return found;
    }
    work::add(1);
    found.spans[0] = bucket(table, two);
    found.tier = 1;
    if !longer {
        return found;
    }
    found.spans[1] = bucket(table, four);
    found.tier = 2;
    let mut hash = four;
    for n in TIERS[1]..TIERS[3] {
        match letters.get(n) {
            Some(l) if l.gap < COMMA => hash = mix(hash, l.r),
            _ => break,
        }
        if n + 1 == TIERS[found.tier] {
            found.spans[found.tier] = bucket(table, hash);
            found.tier += 1;
        }
    }
    found
}

/// Whether a hash has its bit.
fn marked(bits: &[u64], hash: u32) -> bool {
    let at = (hash ^ hash >> 15) as usize;
    bits[at >> 6 & (bits.len() - 1)] >> (at & 63) & 1 != 0
}

fn bucket(table: &Table, hash: u32) -> (usize, usize) {
    let b = (hash ^ hash >> 15) as usize & (table.starts.len() - 2);
    (table.starts[b] as usize, table.starts[b + 1] as usize)
}

#[derive(Clone)]
pub struct Entries<'a> {
    text: &'a str,
    clues: bool,
    spans: [(usize, usize); 4],
    tier: usize, // those below are still to be read
}

impl Entries<'_> {
    pub fn none(&self) -> bool {
        self.spans.iter().all(|s| s.0 == s.1)
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let span = &mut self.spans[self.tier.checked_sub(1)?];
            if span.0 < span.1 {
                work::add(1);
                let e = entry(self.text, span.0, self.clues);
                span.0 = e.1;
                return Some(e.0);
            }
            self.tier -= 1;
        }
    }
}

/// The entry that begins at a byte of a table, and where it ends.
fn entry(text: &str, at: usize, clues: bool) -> (Entry<'_>, usize) {
    let bytes = &text.as_bytes()[at..];
    let sign = |i: usize| (bytes[i] - BASE) as u32;
    let phrase = at + if clues { 7 } else { 3 };
    let end = phrase + sign(0) as usize;
    let mut e = Entry { kind: sign(1) as u8 & 15, flag: sign(1) >= 16, lang: 0, clue: 0, phrase: &text[phrase..end] };
    if clues {
        e.clue = (2..7).fold(0, |clue, i| clue << 6 | sign(i));
    } else {
        e.lang = sign(2) as usize;
    }
    (e, end)
}

/// The kinds that a word has for the words around it, a bit each. The vocabulary is looked up by whole words.
pub fn kinds(word: &[Letter]) -> u16 {
    work::add(2);
    let here = Cursor::new(word);
    let (mut at, end) = bucket(&VOCABULARY, word.iter().fold(SEED, |hash, l| mix(hash, l.r)));
    let mut all = 0;
    while at < end {
        let (e, next) = entry(VOCABULARY.text, at, false);
        if here.spell(e.phrase, false).map_or(false, |end| end.at == word.len()) {
            all |= 1 << e.kind;
        }
        at = next;
    }
    all
}

pub fn has(kinds: u16, kind: u8) -> bool {
    kinds >> kind & 1 != 0
}

const BUCKETS: usize = 256;

/// A bucket by the first two letters.
fn key(mut here: Cursor) -> usize {
    let a = here.next().map_or(0, |l| l.r);
    let b = here.next().map_or(0, |l| l.r);
    mix(mix(SEED, a), b) as usize >> 7 & (BUCKETS - 1)
}

/// The operator's own phrases. They are tried before those of the tables, the harmless ones first.
#[derive(Default)]
pub struct Own {
    first: Vec<u16>, // by bucket: the first phrase of a list, plus 1
    list: Vec<(u8, String, u16)>,
}

impl Own {
    /// Adds phrases that name a secret, or harmless ones. The latest is tried first, so harmless ones come last.
    pub fn add(&mut self, phrase: &str, harmless: bool) {
        let folded = letters(phrase);
        if folded.len() < 2 {
            return;
        }
        self.first.resize(BUCKETS, 0);
        let slot = &mut self.first[key(Cursor::new(&folded))];
        let phrase = folded.iter().filter_map(|l| char::from_u32(l.r)).collect();
        self.list.push((if harmless { HARMLESS } else { ANYWHERE }, phrase, *slot));
        *slot = self.list.len() as u16;
    }

    /// What begins here.
    pub fn candidates(&self, here: Cursor) -> impl Iterator<Item = Entry<'_>> {
        let mut at = if self.first.is_empty() { 0 } else { self.first[key(here)] };
        std::iter::from_fn(move || {
            let (kind, phrase, next) = self.list.get((at as usize).wrapping_sub(1))?;
            at = *next;
            Some(Entry { kind: *kind, flag: false, lang: 0, clue: 0, phrase })
        })
    }

    /// Whether one of the harmless phrases stands in a text.
    pub fn calms(&self, text: &[Letter]) -> bool {
        let harmless = |at| {
            let here = Cursor { text, at };
            text[at].starts && self.candidates(here).any(|e| e.kind == HARMLESS && here.spell(e.phrase, true).is_some())
        };
        !self.first.is_empty() && (0..text.len()).any(harmless)
    }
}
