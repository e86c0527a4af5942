//! What the model sees of a stretch of text: hashes of pieces of words, of words, and of letters without gaps.
//! train/train.py runs this very code, by examples/features.rs.

use crate::letters::Letter;

/// The weights of the model, one for each feature.
pub const FEATURES: u32 = 1 << 17;

const SEED: u32 = 2_166_136_261;
const EDGE: u32 = 1; // the beginning or end of a word

fn mix(hash: u32, letter: u32) -> u32 {
    (hash ^ letter).wrapping_mul(16_777_619)
}

fn index(seed: u32, hash: u32) -> u32 {
    let h = (hash ^ seed.wrapping_mul(0x9E37_79B1)).wrapping_mul(0x85EB_CA6B);
    (h ^ h >> 15) & (FEATURES - 1)
}

/// Gives each feature of a stretch and the letters [from, to) that it was made from.
pub fn features(text: &[Letter], mut each: impl FnMut(u32, usize, usize)) {
    let (mut at, mut last) = (0, 0);
    while at < text.len() {
        let mut end = at + 1;
        while end < text.len() && !text[end].starts {
            end += 1;
        }
        pieces(&text[at..end], at, &mut each);
        let word = text[at..end].iter().fold(SEED, |h, l| mix(h, l.r));
        each(index(2, word), at, end);
        if last != 0 {
            each(index(3, mix(last, word)), at, end);
        }
        last = word;
        at = end;
    }
    squeezed(text, &mut each);
}

/// The pieces of three to five letters of a word, its edges counted as letters. The word begins at from.
#[inline(always)]
fn pieces(word: &[Letter], from: usize, each: &mut impl FnMut(u32, usize, usize)) {
    let mut hash = mix(SEED, EDGE);
    for (i, l) in word.iter().take(4).enumerate() {
        hash = mix(hash, l.r);
        if i > 0 {
            each(index(1, hash), from, from + i + 1);
        }
    }
    if word.len() < 4 {
        each(index(1, mix(hash, EDGE)), from, from + word.len());
    }
    for at in 0..word.len() {
        let mut hash = SEED;
        let mut size = 0;
        for l in word[at..].iter().take(5) {
            hash = mix(hash, l.r);
            size += 1;
            if size >= 3 {
                each(index(1, hash), from + at, from + at + size);
            }
        }
        if size >= 2 && size < 5 {
            each(index(1, mix(hash, EDGE)), from + at, from + at + size);
        }
    }
}

/// The pieces of a text without gaps, which splits between letters cannot change: four and six letters, or two and
/// three of those that are words of their own.
#[inline(always)]
fn squeezed(text: &[Letter], each: &mut impl FnMut(u32, usize, usize)) {
    for at in 0..text.len() {
        let (short, long) = if text[at].ideograph() { (2, 3) } else { (4, 6) };
        let mut hash = SEED;
        let mut size = 0;
        for l in text[at..].iter().take(long) {
            hash = mix(hash, l.r);
            size += 1;
            if size == short || size == long {
                each(index(4, hash), at, at + size);
            }
        }
    }
}

/// What one of n features weighs, so that long stretches weigh no more than short ones: 1,024 / sqrt(n).
pub fn unit(n: u32) -> i64 {
    (1 << 20) / root(n.max(1) << 10).max(1) as i64 >> 5
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
