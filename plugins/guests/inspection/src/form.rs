//! The requests that the fields of a form make together with the message above them.

use crate::clue::{self, described, typed, Clues, Said};
use crate::index::Own;
use crate::mask;
use crate::search::{searching, Match, Read};
use crate::sentence::requested;
use crate::text::{letters, Letter};
use crate::work;

/// The texts of a field that can be typed into.
pub struct Field<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Message,
    Name,
    Title,
    Description,
}

const PARTS: [Part; 3] = [Part::Name, Part::Title, Part::Description];

/// The result of reading a form.
pub struct Asked {
    pub calmed: bool,   // by a phrase of the operator's
    pub all_read: bool, // and nothing left for want of fuel
}

/// Calls with each text that asks for a secret: the number of its field, which text, and the bytes that ask.
pub fn form(message: &str, fields: &[Field], own: &Own, each: &mut dyn FnMut(usize, Part, usize, usize)) -> Asked {
    let mut all = All { generic: true, ..All::default() };
    for (i, f) in fields.iter().enumerate() {
        all.clues |= field(i, f, own, &mut all, each);
    }
    if !fields.is_empty() {
        let mut letters = letters(message);
        let said = Said::of(&letters);
        all.calmed |= own.calms(&letters);
        if !said.elsewhere() {
            all.weak.iter().for_each(|w| each(w.0, w.1, w.2, w.3));
        }
        if let Some((from, to)) = asks(message, &mut letters, own, &said, &all) {
            each(0, Part::Message, from, to);
        }
    }
    Asked { calmed: all.calmed, all_read: !work::over() }
}

#[derive(Default)]
struct All {
    generic: bool, // no field says what to type
    clues: u32,    // what all of them say of a secret, where none names or describes one
    weak: Vec<(usize, Part, usize, usize)>,
    calmed: bool,
}

fn asks(text: &str, letters: &mut [Letter], own: &Own, said: &Said, below: &All) -> Option<(usize, usize)> {
    let named = |m: Match| (m.from, m.to, m.weak);
    let elsewhere = said.elsewhere();
    let asked = |m: &Match| !(m.weak && elsewhere) && (below.generic || requested(letters, m.start, m.end));
    let mut names = text.len() <= mask::MOST;
    let first = if names {
        Read { text, letters, before: 0, own }.find(true)
    } else {
        searching(letters, own, true, &mut names)
    };
    let mut found = first.filter(asked).map(named);
    let calm = own.calms(letters);
    if found.is_none() && !calm {
        found = said.asked().map(|c| (c.start, c.end, false));
    }
    if found.is_none() && below.generic && names {
        found = clue::mentioned(text, letters, own).map(named);
    }
    if below.generic && elsewhere {
        found = found.filter(|m| !m.2);
    }
    if found.is_none() && !calm && (below.generic || typed(below.clues)) {
        let c = said.read();
        found = Some((c.start, c.end, false)).filter(|_| described(c.clue | below.clues) && c.end > c.start);
    }
    found.map(|m| (m.0, m.1))
}

/// Reports the first of a field's texts that asks, or what they describe together; else returns what they say.
fn field(number: usize, f: &Field, own: &Own, all: &mut All, each: &mut dyn FnMut(usize, Part, usize, usize)) -> u32 {
    let texts = [f.name, f.title, f.description];
    let read_all = texts.map(letters);
    let of = |i: usize| Read { text: texts[i], letters: &read_all[i], before: 0, own };
    let named = if f.title.is_empty() { 0 } else { 1 };
    all.generic = all.generic && clue::generic(texts[named], &read_all[named]);
    let said = [0, 1, 2].map(|i| Said::of(&read_all[i]));
    let mut clues = [Clues::default(); 3];
    for i in 0..3 {
        let found = of(i).find(PARTS[i] == Part::Description);
        if found.is_none() {
            clues[i] = said[i].read();
        }
        let m = match found {
            Some(m) if i > 0 || !m.weak || of(1).agrees(&m.word) => m,
            _ => continue,
        };
        if !m.weak {
            each(number, PARTS[i], m.from, m.to);
        } else if !said.iter().any(Said::elsewhere) {
            all.weak.push((number, PARTS[i], m.from, m.to));
        }
        return 0;
    }
    let clue = clues.iter().fold(0, |all, c| all | c.clue);
    let calm = read_all.iter().any(|t| own.calms(t));
    all.calmed |= calm;
    if calm || !described(clue) {
        return if calm { 0 } else { clue };
    }
    if clue::harmless(said.iter().fold(0, |all, s| all | s.whole())) {
        return 0;
    }
    if let Some(i) = (0..3).rev().find(|i| clues[*i].clue != 0) {
        each(number, PARTS[i], clues[i].start, clues[i].end);
    }
    0
}
