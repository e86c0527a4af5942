//! What the words of a text are clues to, one bit each.

use crate::letters::{Letter, COMMA, DIGIT};
use crate::words::{bucket, four, mix, two, Entry, SEED};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How much has been looked up. A hostile text makes every letter begin many phrases; reading stops before the fuel
/// does.
static DONE: AtomicU32 = AtomicU32::new(0);

/// The most that is looked up in one question.
const MOST: u32 = 1_800;

fn work() {
    DONE.store(DONE.load(Relaxed).saturating_add(1), Relaxed);
}

/// Begins another question, where one process reads many.
#[allow(dead_code)]
pub fn restart() {
    DONE.store(0, Relaxed);
}

/// All clues of a text.
pub fn clues(text: &[Letter]) -> u32 {
    let (mut all, mut at) = (0, 0);
    loop {
        while text.get(at).map_or(false, |l| !l.starts) {
            at += 1;
        }
        work();
        if at >= text.len() || DONE.load(Relaxed) > MOST {
            return all;
        }
        let here = &text[at..];
        let (n, size) = if here[0].class == DIGIT { numeral(here) } else { (0, 0) };
        let (clue, size) = if n > 0 { (count(n), size) } else { starting(here) };
        all |= clue;
        at += size.max(1);
    }
}

/// The clues of the phrases that begin here, and the letters of the longest.
fn starting(here: &[Letter]) -> (u32, usize) {
    let (mut clue, mut size) = (0, 0);
    candidates(here, &mut |e| {
        work();
        if let Some(n) = begins(here, e) {
            clue |= e.clue;
            size = size.max(n);
        }
    });
    (clue, size)
}

/// Calls with the entries that may begin here. They are told apart by two, four, seven or ten of their first letters,
/// as many as they have.
fn candidates(here: &[Letter], each: &mut dyn FnMut(&Entry)) {
    let begun = here.iter().enumerate().take(10).take_while(|(i, l)| *i == 0 || l.gap < COMMA).count();
    if begun < 2 {
        return;
    }
    let mut hash = mix(mix(SEED, here[0].r), here[1].r);
    let first = hash;
    if begun >= 4 {
        hash = mix(mix(hash, here[2].r), here[3].r);
    }
    let longer = begun >= 4 && hash != 0 && four(hash);
    if !longer && !two(first) {
        return;
    }
    work();
    bucket(first, each);
    if !longer {
        return;
    }
    bucket(hash, each);
    for n in 4..begun {
        hash = mix(hash, here[n].r);
        if n + 1 == 7 || n + 1 == 10 {
            bucket(hash, each);
        }
    }
}

/// The letters of an entry that begins here: a stem goes on to the end of its word, anything else is whole words.
fn begins(here: &[Letter], e: &Entry) -> Option<usize> {
    let mut n = 0;
    for want in e.phrase.chars() {
        let l = here.get(n)?;
        if l.r != want as u32 || l.gap >= COMMA && (n > 0 || e.stem) {
            return None;
        }
        n += 1;
    }
    let ends = |n: usize| here.get(n).map_or(true, |l| l.starts);
    while e.stem && !ends(n) {
        n += 1;
    }
    ends(n).then(|| n)
}

/// A number of one or two digits and its length, 0 for none.
fn numeral(here: &[Letter]) -> (usize, usize) {
    let digits =
        here.iter().enumerate().take_while(|(i, l)| l.r.wrapping_sub('0' as u32) <= 9 && (*i == 0 || !l.starts));
    let (n, size) = digits.take(3).fold((0, 0), |(n, size), (_, l)| (n * 10 + (l.r - '0' as u32) as usize, size + 1));
    if size > 2 {
        (0, 0)
    } else {
        (n, size)
    }
}

const COUNT: u32 = 1 << 4;
const DOZEN: u32 = 1 << 5;

fn count(n: usize) -> u32 {
    match n {
        12 | 15 | 18 | 21 | 24 | 25 => DOZEN | COUNT,
        3..=9 | 16 => COUNT,
        _ => 0,
    }
}
