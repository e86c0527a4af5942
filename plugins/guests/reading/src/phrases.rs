//! Phrases in a text, in one walk. A word is a hash of its folded letters, so nothing is copied; a phrase is found at
//! its last word by the words before it.

use crate::fold::{beyond, read, BEYOND, CAPITAL, CLASS, IDEOGRAPH, IGNORED, KIND, LEAST, MARK, SMALL, STOPPER};

/// The most words of a phrase; ideographs are words of their own.
const MOST_WORDS: usize = 8;
const SLOTS: usize = 2048;

/// Lists of phrases to look for.
pub struct Phrases {
    slots: Vec<u16>, // by hash of the last word: where its first entry is, plus 1
    list: Vec<Entry>,
    known: Known,
}

/// A bit for the hash of every word of the phrases. A word without one ends a phrase as a stopper does, and most words
/// have none.
struct Known([u32; 256]);

impl Known {
    fn has(&self, hash: u32) -> bool {
        self.0[(hash >> 24) as usize] >> (hash >> 19 & 31) & 1 != 0
    }

    fn add(&mut self, hash: u32) {
        self.0[(hash >> 24) as usize] |= 1 << (hash >> 19 & 31);
    }
}

struct Entry {
    words: [u32; MOST_WORDS], // the last first
    count: u8,
    group: u8,
    next: u16, // the entry after it in the slot, plus 1
}

/// Where a phrase stands.
pub struct Found {
    pub group: usize,
    pub start: usize,
    pub end: usize,
}

impl Phrases {
    /// Each group is a list of phrases.
    pub fn new(groups: &[&[&str]]) -> Phrases {
        let mut all = Phrases { slots: vec![0; SLOTS], list: Vec::with_capacity(512), known: Known([0; 256]) };
        for (group, phrases) in groups.iter().enumerate() {
            phrases.iter().for_each(|p| all.add(group, p));
        }
        all
    }

    /// Adds a phrase; one without a word, or with more than eight, is never found.
    pub fn add(&mut self, group: usize, phrase: &str) {
        let mut entry = Entry { words: [0; MOST_WORDS], count: 0, group: group as u8, next: 0 };
        let mut words = 0;
        walk(phrase, &Known([!0; 256]), &mut |w: &Words, _| {
            words += 1;
            if w.since == words && words <= MOST_WORDS {
                entry.count = words as u8;
                (0..words).for_each(|back| entry.words[back] = w.hash(back));
            }
        });
        if words == entry.count as usize && words > 0 && self.list.len() < u16::MAX as usize {
            let slot = &mut self.slots[slot(entry.words[0])];
            entry.next = *slot;
            *slot = self.list.len() as u16 + 1;
            entry.words[..words].iter().for_each(|hash| self.known.add(*hash));
            self.list.push(entry);
        }
    }

    /// Calls with every phrase found, in the order in which they end.
    pub fn find(&self, text: &str, found: &mut dyn FnMut(Found)) {
        walk(text, &self.known, &mut |w: &Words, end| {
            let mut at = self.slots[slot(w.hash(0))];
            while at > 0 {
                let e = &self.list[at as usize - 1];
                let n = e.count as usize;
                if n <= w.since && (0..n).all(|back| e.words[back] == w.hash(back)) {
                    found(Found { group: e.group as usize, start: w.starts[(w.count - n) % MOST_WORDS] as usize, end });
                }
                at = e.next;
            }
        });
    }

    /// The first phrase of all.
    pub fn first(&self, text: &str) -> Option<Found> {
        let mut first = None;
        self.find(text, &mut |f| {
            first.get_or_insert(f);
        });
        first
    }

    /// The first phrase of a group.
    pub fn first_of(&self, text: &str, group: usize) -> Option<Found> {
        let mut first = None;
        self.find(text, &mut |f| {
            if f.group == group {
                first.get_or_insert(f);
            }
        });
        first
    }
}

fn slot(hash: u32) -> usize {
    (hash ^ hash >> 16) as usize & (SLOTS - 1)
}

const SEED: u32 = 2_166_136_261;

fn mix(hash: u32, letter: u32) -> u32 {
    (hash ^ letter).wrapping_mul(16_777_619)
}

/// The last words, in rings.
struct Words {
    hashes: [u32; MOST_WORDS],
    starts: [u32; MOST_WORDS],
    count: usize,
    since: usize, // words since the last stopper
    // A word with a gap after every letter: its hash, letters and start.
    spelled: u32,
    letters: usize,
    first: usize,
}

impl Words {
    fn hash(&self, back: usize) -> u32 {
        self.hashes[(self.count - 1 - back) % MOST_WORDS]
    }

    fn push(&mut self, hash: u32, start: usize) {
        self.hashes[self.count % MOST_WORDS] = hash;
        self.starts[self.count % MOST_WORDS] = start as u32;
        self.count += 1;
        self.since += 1;
    }
}

/// Calls with every word and where it ends.
fn walk<F: FnMut(&Words, usize)>(text: &str, known: &Known, each: &mut F) {
    let mut w = Words {
        hashes: [0; MOST_WORDS],
        starts: [0; MOST_WORDS],
        count: 0,
        since: 0,
        spelled: SEED,
        letters: 0,
        first: 0,
    };
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let (start, b) = (i, bytes[i]);
        let class = CLASS[b as usize];
        if class < LEAST && class != BEYOND || class & KIND == MARK {
            i += 1;
            if class == STOPPER {
                spell(&mut w, start, each);
                w.since = 0;
            }
            continue;
        }
        if class == BEYOND {
            let c = text[i..].chars().next().unwrap_or(' ');
            if let Err(kind) = beyond(c) {
                i += c.len_utf8();
                if kind == IDEOGRAPH {
                    w.push(mix(SEED, c as u32), start);
                    each(&w, i);
                } else if kind == STOPPER {
                    spell(&mut w, start, each);
                    w.since = 0;
                }
                continue;
            }
        }
        let (hash, end) = word(text, i);
        i = end;
        if end - start == 1 {
            if w.letters == 0 {
                w.first = start;
            }
            w.spelled = mix(w.spelled, read(class));
            w.letters += 1;
        } else if w.letters > 0 {
            spell(&mut w, start, each);
        }
        if known.has(hash) {
            w.push(hash, start);
            each(&w, end);
        } else {
            w.since = 0;
        }
    }
    spell(&mut w, bytes.len(), each);
}

/// Ends a word that is s p e l l e d.
fn spell<F: FnMut(&Words, usize)>(w: &mut Words, end: usize, each: &mut F) {
    if w.letters > 2 {
        w.push(w.spelled, w.first);
        each(w, end);
    }
    (w.spelled, w.letters) = (SEED, 0);
}

/// The hash of the word at start, and its end, which is start when there is none. Digits behind it do not count.
fn word(text: &str, start: usize) -> (u32, usize) {
    let bytes = text.as_bytes();
    let (mut hash, mut i) = (SEED, start);
    let (mut kept, mut digits) = (SEED, start); // the hash before the last digits, and where these end
    loop {
        let mut class = STOPPER;
        while i < bytes.len() {
            class = CLASS[bytes[i] as usize];
            if class < SMALL {
                break;
            }
            hash = mix(hash, class as u32);
            i += 1;
        }
        if i == bytes.len() || class < LEAST && class != BEYOND && class != IGNORED {
            break;
        }
        match class {
            IGNORED if i > start => i += 1,
            BEYOND => {
                let c = text[i..].chars().next().unwrap_or(' ');
                match beyond(c) {
                    Ok(letter) => hash = mix(hash, letter),
                    Err(IGNORED) if i > start => {}
                    _ => break,
                }
                i += c.len_utf8();
            }
            _ if class & KIND == CAPITAL => {
                if i > start && bytes[i - 1].is_ascii_lowercase() {
                    break; // camelCase
                }
                hash = mix(hash, read(class));
                i += 1;
            }
            _ => {
                if digits != i {
                    kept = hash;
                }
                hash = mix(hash, read(class));
                i += 1;
                digits = i;
            }
        }
    }
    (if digits == i { kept } else { hash }, i)
}
