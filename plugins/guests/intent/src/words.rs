//! The words that are clues, and the letters that characters are read as. The model was taught with them, so words.bin
//! never changes without the weights. It has one table after another, all numbers with their low bytes first.

static ALL: &[u8] = include_bytes!("words.bin");

const BUCKETS: usize = 4096;
const RUNS: usize = 69;
const PAGES: usize = 162;
const FOLDED: usize = 3494;

// Where each table begins.
const STARTS: usize = 0; // of the entries of each bucket, and the end of the last
const TWO: usize = STARTS + 4 * (BUCKETS + 1); // a bit for the hash of the first two letters of short entries
const FOUR: usize = TWO + 512; // and of the first four of longer ones
const CLASSES: usize = FOUR + 4096; // of the characters below LOW
const CLASS_RUNS: usize = CLASSES + LOW; // above that, runs of one class: the first character, then four bits of class
const PAGE: usize = CLASS_RUNS + 4 * RUNS; // the first character of each page, and where its letters begin
const LETTERS: usize = PAGE + 8 * (PAGES + 1);
const ENTRIES: usize = LETTERS + 2 * FOLDED;

const LOW: usize = 0x600;

fn number(at: usize, size: usize) -> u32 {
    ALL[at..at + size].iter().rev().fold(0, |n, b| n << 8 | *b as u32)
}

/// The first of so many rows, each of so many bytes, for which a number at its beginning is more.
fn above(table: usize, rows: usize, size: usize, is_more: impl Fn(u32) -> bool) -> usize {
    let (mut low, mut high) = (0, rows);
    while low < high {
        let middle = (low + high) / 2;
        if is_more(number(table + middle * size, 4)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The effect of a character on words.
pub fn class(c: u32) -> u8 {
    if (c as usize) < LOW {
        return ALL[CLASSES + c as usize];
    }
    let run = above(CLASS_RUNS, RUNS, 4, |n| n >> 4 > c);
    number(CLASS_RUNS + 4 * (run - 1), 4) as u8 & 15
}

/// The letter that a person reads: small, Latin where it only looks so or carries an accent.
pub fn fold(c: u32) -> u32 {
    if c < 0x80 {
        return if c.wrapping_sub('A' as u32) < 26 { c + 32 } else { c };
    }
    let page = match above(PAGE, PAGES, 8, |first| first > c) {
        0 => return c,
        n => PAGE + 8 * (n - 1),
    };
    let at = number(page + 4, 4) + (c - number(page, 4));
    if at < number(page + 12, 4) {
        number(LETTERS + 2 * at as usize, 2)
    } else {
        c
    }
}

pub const SEED: u32 = 2_166_136_261;

pub fn mix(hash: u32, letter: u32) -> u32 {
    (hash ^ letter).wrapping_mul(16_777_619)
}

/// Whether entries may begin with two letters of this hash, and with four.
pub fn two(hash: u32) -> bool {
    marked(TWO, 512, hash)
}

pub fn four(hash: u32) -> bool {
    marked(FOUR, 4096, hash)
}

fn marked(table: usize, size: usize, hash: u32) -> bool {
    let at = (hash ^ hash >> 15) as usize;
    let word = at >> 6 & (size / 8 - 1);
    ALL[table + 8 * word + (at >> 3 & 7)] >> (at & 7) & 1 != 0
}

/// A phrase that is a clue, folded and without spaces.
pub struct Entry {
    pub clue: u32,
    pub stem: bool, // the beginning of words
    pub phrase: &'static str,
}

/// Calls with the entries that share a hash.
pub fn bucket(hash: u32, each: &mut dyn FnMut(&Entry)) {
    let b = (hash ^ hash >> 15) as usize & (BUCKETS - 1);
    let mut at = ENTRIES + number(STARTS + 4 * b, 4) as usize;
    let end = ENTRIES + number(STARTS + 4 * (b + 1), 4) as usize;
    while at < end {
        let sign = |i: usize| (ALL[at + i] - b'#') as u32;
        let next = at + 7 + sign(0) as usize;
        let phrase = unsafe { std::str::from_utf8_unchecked(&ALL[at + 7..next]) }; // a table of texts
        each(&Entry { clue: (2..7).fold(0, |clue, i| clue << 6 | sign(i)), stem: sign(1) >= 16, phrase });
        at = next;
    }
}
