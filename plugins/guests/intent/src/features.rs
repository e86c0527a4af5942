//! What the model sees of a form: hashes of pieces of words, of words, of what they are clues to, and of the shape of fields.
//! train/train.py runs this very code, by examples/features.rs.

use crate::clues::clues;
use crate::letters::{letters, plain, Letter, IDEOGRAPH, STOP};
use crate::words::{mix, SEED};

/// The weights of the model, one for each feature.
pub const FEATURES: u32 = 1 << 17;

/// The texts and the shape of a field. Others are the texts of choices.
#[derive(Default)]
pub struct Field<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub choices: &'a str,
}

/// Where a feature comes from.
#[derive(Clone, Copy)]
pub enum Stream {
    All,      // message and field, as words
    Field,    // the field alone, as words
    Squeezed, // the field, without gaps and masks
    Clues,
    Shape,
}

/// One feature, and the bytes that it was made from, in the text that is read.
pub struct Feature {
    pub stream: Stream,
    pub index: u32,
    pub from: u32,
    pub to: u32,
}

fn index(seed: u32, hash: u32) -> u32 {
    let h = (hash ^ seed.wrapping_mul(0x9E37_79B1)).wrapping_mul(0x85EB_CA6B);
    (h ^ h >> 15) & (FEATURES - 1)
}

const EDGE: u32 = 1; // the beginning or end of a word

/// Gives the pieces of the words of a text, under one or two seeds.
pub fn words(text: &[Letter], each: &mut dyn FnMut(u32, u32, u32)) {
    let (mut at, mut last, mut before_last) = (0, 0, 0);
    while at < text.len() {
        let first = &text[at];
        if first.gap == STOP {
            (last, before_last) = (0, 0);
        }
        let han = first.class == IDEOGRAPH;
        let mut end = at + 1;
        while end < text.len() && text[end].gap == 0 && (!text[end].starts || han && text[end].class == IDEOGRAPH) {
            end += 1;
        }
        let word = &text[at..end];
        let (from, to) = (first.from, word[word.len() - 1].to);
        let whole = word.iter().fold(mix(SEED, EDGE), |h, l| mix(h, l.r));
        if han {
            grams(word, 1, 3, each);
        } else {
            each(mix(whole, EDGE), from, to);
            edged(word, each);
            if last != 0 {
                each(mix(last, whole), from, to);
            }
            if before_last != 0 {
                each(mix(mix(before_last, 7), whole), from, to);
            }
            (last, before_last) = (whole, last);
        }
        at = end;
    }
}

/// The pieces of least to most letters.
fn grams(word: &[Letter], least: usize, most: usize, each: &mut dyn FnMut(u32, u32, u32)) {
    for at in 0..word.len() {
        let mut hash = SEED;
        for n in 1..=most.min(word.len() - at) {
            let l = &word[at + n - 1];
            hash = mix(hash, l.r);
            if n >= least {
                each(hash, word[at].from, l.to);
            }
        }
    }
}

/// The pieces of three to five letters of a word, its edges counted as letters.
fn edged(word: &[Letter], each: &mut dyn FnMut(u32, u32, u32)) {
    let n = word.len();
    for at in 0..n + 1 {
        let mut hash = if at == 0 { mix(SEED, EDGE) } else { SEED };
        let mut size = (at == 0) as usize;
        let from = word[at.saturating_sub(1).min(n - 1)].from;
        for i in at.saturating_sub(1)..n + 1 {
            let (r, to) = word.get(i).map_or((EDGE, word[n - 1].to), |l| (l.r, l.to));
            if at > 0 && i + 1 == at {
                continue;
            }
            hash = mix(hash, r);
            size += 1;
            if size >= 3 && size <= 5 && !(at == 0 && i == n) {
                each(hash, from, to);
            }
            if size == 5 {
                break;
            }
        }
    }
}

const SQUEEZED: usize = 6;
const MOST_SQUEEZED: usize = 160;

/// The pieces of a text without gaps: six letters, or three of those that are words of their own.
pub fn squeezed(text: &[Letter], each: &mut dyn FnMut(u32, u32, u32)) {
    let text = &text[..text.len().min(MOST_SQUEEZED)];
    for at in 0..text.len() {
        let size = if text[at].class == IDEOGRAPH { 3 } else { SQUEEZED };
        if let Some(piece) = text.get(at..at + size) {
            each(piece.iter().fold(SEED, |h, l| mix(h, l.r)), piece[0].from, piece[size - 1].to);
        }
    }
}

/// What is read of a message once, for all fields.
pub struct Message {
    pub letters: Vec<Letter>,
    pub clues: u32,
}

impl Message {
    pub fn read(text: &str) -> Message {
        let letters = letters(text);
        Message { clues: clues(&letters), letters }
    }

    pub fn features(&self, each: &mut dyn FnMut(Feature)) {
        words(&self.letters, &mut |hash, from, to| each(Feature { stream: Stream::All, index: index(1, hash), from, to }));
    }
}

/// What is read of a field: its texts in one, with full stops between them.
pub struct Texts {
    pub text: String,
    letters: Vec<Letter>,
    clues: u32,
}

impl Texts {
    pub fn read(f: &Field) -> Texts {
        let name = if f.name.len() > 2 { f.name } else { "" }; // "v" says nothing
        let text = [name, f.title, f.description, f.choices].iter().filter(|t| !t.is_empty()).copied().collect::<Vec<_>>().join(". ");
        let letters = letters(&text);
        Texts { clues: clues(&letters), text, letters }
    }

    /// Every feature of the field below a message, but for those of the message alone.
    pub fn features(&self, message: &Message, shape: &[u32], each: &mut dyn FnMut(Feature)) {
        words(&self.letters, &mut |hash, from, to| {
            each(Feature { stream: Stream::All, index: index(1, hash), from, to });
            each(Feature { stream: Stream::Field, index: index(2, hash), from, to });
        });
        let squeeze = |text: &[Letter], each: &mut dyn FnMut(Feature)| {
            squeezed(text, &mut |hash, from, to| each(Feature { stream: Stream::Squeezed, index: index(3, hash), from, to }));
        };
        let plain = plain(&self.text);
        squeeze(if plain == self.text { &self.letters } else { &[] }, each);
        if plain != self.text {
            squeeze(&letters(&plain), each);
        }
        let mut signs = |seed: u32, set: u32| {
            let bits = |set: u32| (0..32u32).filter(move |b| set >> b & 1 != 0);
            for a in bits(set) {
                each(Feature { stream: Stream::Clues, index: index(seed, a), from: 0, to: 0 });
                for b in bits(set).filter(|b| *b > a) {
                    each(Feature { stream: Stream::Clues, index: index(seed, a << 8 | b | 0x10000), from: 0, to: 0 });
                }
            }
        };
        signs(4, message.clues | self.clues);
        signs(5, self.clues);
        for s in shape {
            each(Feature { stream: Stream::Shape, index: index(6, *s), from: 0, to: 0 });
        }
    }
}

/// What one feature of a stream of n weighs, so that long texts weigh no more than short ones: 1,024 / sqrt(n).
pub fn unit(stream: Stream, n: u32) -> i32 {
    match stream {
        Stream::Shape => 200,
        _ => (1 << 20) / root((n.max(1)) << 20).max(1) as i32,
    }
}

/// The root of a number, rounded down.
fn root(n: u32) -> u32 {
    let (mut low, mut high) = (0u32, 1 << 16);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= n {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
