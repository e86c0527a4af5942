//! The last words before the current one, which decide whether a mention is a request.

use crate::index::{has, kinds, ABOUT, ARTICLES, ASKS, BETWEEN, NEGATIONS, OTHER};
use crate::search::later;
use crate::tables::{ASKS_LATER, REFUSES};
use crate::text::{Cursor, Letter, COMMA, STOP};

const KEPT: usize = 8;
const UNKNOWN: u16 = u16::MAX;

pub struct Sentence<'a> {
    text: &'a [Letter],
    said: [(usize, usize, u16); KEPT], // the letters of each word, and its kinds once somebody asked
    words: usize,                      // since the sentence began
    floor: usize,                      // words before the last comma, which are forgotten
}

impl<'a> Sentence<'a> {
    pub fn new(text: &'a [Letter]) -> Self {
        Sentence { text, said: [(0, 0, 0); KEPT], words: 0, floor: 0 }
    }

    /// Starts a new clause or sentence.
    pub fn pause(&mut self, gap: u8) {
        match gap {
            COMMA => self.floor = self.words,
            STOP => (self.words, self.floor) = (0, 0),
            _ => {}
        }
    }

    pub fn add(&mut self, from: usize, to: usize) {
        self.said[self.words % KEPT] = (from, to, UNKNOWN);
        self.words += 1;
    }

    /// The last word ends here, and not where it was added.
    pub fn grow(&mut self, to: usize) {
        if self.words > self.floor {
            let w = &mut self.said[(self.words - 1) % KEPT];
            if w.1 != to {
                (w.1, w.2) = (to, UNKNOWN);
            }
        }
    }

    /// The effect of the word n places before the current one, n from 1.
    fn back(&mut self, n: usize) -> Option<u16> {
        if n > self.words - self.floor || n > KEPT {
            return None;
        }
        let w = &mut self.said[(self.words - n) % KEPT];
        if w.2 == UNKNOWN {
            w.2 = kinds(&self.text[w.0..w.1]);
        }
        Some(w.2)
    }

    fn all(&mut self) -> u16 {
        let (mut all, mut n) = (0, 1);
        while let Some(k) = self.back(n) {
            all |= k;
            n += 1;
        }
        all
    }

    /// Whether the sentence turns a mention into a request. A label is one unless it is about the secret.
    pub fn asks(&mut self, prose: bool, rest: Cursor, lang: usize) -> bool {
        if self.forbids() {
            return false;
        }
        let all = self.all();
        if !prose {
            return has(all, ASKS) || !has(all, ABOUT);
        }
        (has(all, ASKS) || !has(all, ABOUT) && self.words <= 3 || later(rest, ASKS_LATER[lang]))
            && !later(rest, REFUSES[lang])
    }

    /// A word that asks directly before, but for articles: "enter your".
    pub fn asks_for(&mut self) -> bool {
        self.until(ASKS, ARTICLES)
    }

    /// A negation before the current word with nothing but small words between: "do not type any".
    pub fn forbids(&mut self) -> bool {
        self.until(NEGATIONS, BETWEEN)
    }

    fn until(&mut self, kind: u8, between: u8) -> bool {
        let mut n = 1;
        while let Some(k) = self.back(n) {
            if has(k, kind) {
                return true;
            }
            if !has(k, between) {
                return false;
            }
            n += 1;
        }
        false
    }

    /// A word before that makes a label be about something of another meaning: "Message to pin".
    pub fn tells_of(&mut self) -> bool {
        let all = self.all();
        !has(all, ASKS) && (has(all, ABOUT) || has(all, OTHER))
    }
}

/// Whether the sentence around a match asks for it, before or behind, and does not only mention it.
pub fn requested(text: &[Letter], start: usize, end: usize) -> bool {
    let mut asked = false;
    for (at, l) in text.iter().enumerate().take(start) {
        if l.gap == STOP {
            asked = false;
        }
        asked = asked || l.starts && has(kinds(Cursor { text, at }.word()), ASKS);
    }
    asked || ASKS_LATER.iter().any(|phrases| later(Cursor { text, at: end }, phrases))
}
