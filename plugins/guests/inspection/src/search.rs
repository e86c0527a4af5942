//! Finds the first secret that a text names and asks for.

use crate::clue::{starting, ATTRIBUTE};
use crate::index::{candidates, has, kinds, Own, AFTER, ANYWHERE, ENDING, HAPPENED, HARMLESS, TAILS};
use crate::mask;
use crate::sentence::Sentence;
use crate::tables::{FILLERS, GLUED, GLUED_FIRST, GLUED_SECOND, NAMES};
use crate::text::{Cursor, Letter, DIGIT, STOP};
use crate::work;

/// Where a secret is named: its letters and bytes, and the phrase that names it.
#[derive(Clone)]
pub struct Match {
    pub start: usize,
    pub end: usize,
    pub from: usize,
    pub to: usize,
    pub weak: bool, // the word also means other things
    pub word: String,
}

/// A text, its letters and the operator's phrases.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    pub text: &'a str,
    pub letters: &'a [Letter],
    pub before: usize, // the bytes of the whole text before this one, which its letters count
    pub own: &'a Own,
}

impl<'a> Read<'a> {
    /// The first secret that a label or, in prose, a sentence asks for. The second value is whether it does, since a
    /// label may only want to know something of a secret.
    pub fn find(&self, prose: bool) -> Option<Match> {
        match search(self.letters, self.own, prose) {
            Some(m) => Some(m).filter(|_| prose || starting(Cursor::new(self.letters)).0 & ATTRIBUTE == 0),
            None => mask::unmasked(self, prose),
        }
    }

    /// Whether a search finds anything at all.
    pub fn label(&self) -> Option<Match> {
        self.find(false)
    }

    /// Whether a title does not give a weak match in the name of its field another meaning.
    pub fn agrees(&self, word: &str) -> bool {
        self.label().is_some()
            || !(0..self.letters.len())
                .any(|at| self.letters[at].starts && Cursor { text: self.letters, at }.spell(word, true).is_some())
    }
}

pub fn search(text: &[Letter], own: &Own, prose: bool) -> Option<Match> {
    let mut named = false;
    searching(text, own, prose, &mut named)
}

/// The first secret that a text asks for. Named is set where one is named, asked for or not.
pub fn searching(text: &[Letter], own: &Own, prose: bool, named: &mut bool) -> Option<Match> {
    let mut c = Cursor::new(text);
    let mut said = Sentence::new(text);
    loop {
        let here = c;
        let l = c.next()?;
        if !l.starts {
            // The rest of a word.
            if begins_glued(l.r) {
                said.grow(c.at);
                if let Some(m) = compound(here, l, &mut said, prose, named) {
                    return Some(m);
                }
            }
            continue;
        }
        work::add(1);
        if work::over() {
            return None;
        }
        said.grow(here.at);
        said.pause(l.gap);
        match phrase(here, own, &mut said, prose, named) {
            Ok(m) => return Some(m),
            Err(after) if after.at > here.at => {
                c = after;
                said.add(here.at, after.at);
            }
            _ => {
                if let Some(m) = compound(here, l, &mut said, prose, named) {
                    return Some(m);
                }
                said.add(here.at, c.at);
            }
        }
    }
}

fn found(from: Cursor, to: Cursor, phrase: &str, weak: bool) -> Match {
    let start = from.text[from.at].from as usize;
    Match { start: from.at, end: to.at, from: start, to: to.byte(), weak, word: phrase.into() }
}

/// Tries the tables at the start of a word: a secret, or where a harmless phrase ends, which is to be stepped over.
fn phrase<'a>(
    c: Cursor<'a>,
    own: &Own,
    said: &mut Sentence<'a>,
    prose: bool,
    named: &mut bool,
) -> Result<Match, Cursor<'a>> {
    let table = candidates(&NAMES, c);
    let of = |kind: u8| table.clone().filter(move |e| e.kind == kind);
    let ordered = (HARMLESS..=ENDING).filter(|_| !table.none()).flat_map(of);
    for e in own.candidates(c).chain(ordered) {
        let end = match c.spell(e.phrase, e.kind != ENDING) {
            Some(end) => end,
            None => continue,
        };
        *named = true;
        let asked = match e.kind {
            HARMLESS => return Err(end),
            ANYWHERE => !neutral(end, prose) && said.asks(prose, end, e.lang),
            _ => {
                ends(end)
                    && !said.forbids()
                    && (prose || !said.tells_of())
                    && (!prose || said.asks_for() && !later(end, crate::tables::REFUSES[e.lang]))
            }
        };
        if asked {
            return Ok(found(c, end, e.phrase, e.kind == ENDING || e.flag));
        }
    }
    Err(c)
}

/// A word glued to the end of another: dbpassword, myapikey.
fn compound<'a>(
    c: Cursor<'a>,
    first: &Letter,
    said: &mut Sentence<'a>,
    prose: bool,
    named: &mut bool,
) -> Option<Match> {
    if !begins_glued(first.r)
        || !c.text.get(c.at + 1).map_or(false, |l| GLUED_SECOND >> l.r.wrapping_sub('a' as u32).min(31) & 1 != 0)
    {
        return None;
    }
    for e in candidates(&GLUED, c) {
        if work::over() {
            return None;
        }
        if let Some(end) = spell_inside(c, e.phrase) {
            *named = true;
            if !neutral(end, prose) && said.asks(prose, end, e.lang) {
                return Some(found(c, end, e.phrase, false));
            }
        }
    }
    None
}

fn begins_glued(r: u32) -> bool {
    let bit = r.wrapping_sub('a' as u32).min(31);
    GLUED_FIRST >> if bit < 26 { bit } else { 31 } & 1 != 0
}

/// Matches a phrase up to the end of a word, or up to a word that forms fill labels with: passwordhere.
fn spell_inside<'a>(c: Cursor<'a>, phrase: &str) -> Option<Cursor<'a>> {
    let mut inside = c;
    work::add(2);
    if !inside.pass(phrase) || c.text[c.at].gap >= crate::text::COMMA {
        return c.spell(phrase, true);
    }
    c.spell(phrase, true).or_else(|| FILLERS.iter().any(|f| inside.spell(f, false).is_some()).then(|| inside))
}

/// Whether the word after a secret makes it harmless: "password policy".
fn neutral(end: Cursor, prose: bool) -> bool {
    end.following().map_or(false, |w| {
        let k = kinds(w);
        has(k, AFTER) || prose && has(k, HAPPENED)
    })
}

/// Whether nothing follows a word that is a secret only at the end of a label, or only words that keep it so.
fn ends(end: Cursor) -> bool {
    end.following().map_or(true, |w| w[0].class == DIGIT && w[0].to - w[0].from == 1 || has(kinds(w), TAILS))
}

/// The most words after a secret that are read for what the sentence wants with it.
const MOST_LATER: usize = 24;

/// One of the phrases in the rest of the sentence.
pub fn later(mut c: Cursor, phrases: &[&str]) -> bool {
    let mut words = 0;
    while words < MOST_LATER && !phrases.is_empty() {
        let here = c;
        let l = match c.next() {
            Some(l) if l.gap != STOP => l,
            _ => return false,
        };
        if l.starts {
            words += 1;
            work::add(1);
            if phrases.iter().any(|p| p.chars().next() == char::from_u32(l.r) && here.spell(p, false).is_some()) {
                return true;
            }
        }
    }
    false
}
