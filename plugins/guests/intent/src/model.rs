//! The model: a weight for each feature. Sums of integers are the same on every host.

use crate::bias::BIAS;
use crate::features::{features, unit};
use crate::letters::Letter;

static WEIGHTS: &[u8] = include_bytes!("weights.bin");

fn weight(index: u32) -> i64 {
    let root = WEIGHTS[index as usize] as i8 as i64;
    root * root.abs()
}

/// How much a stretch looks like one that asks: more than 0 does.
pub fn score(text: &[Letter]) -> i64 {
    let (mut sum, mut count) = (0, 0);
    features(text, |index, _, _| {
        sum += weight(index);
        count += 1;
    });
    BIAS + sum * unit(count)
}

/// The letters [from, to) whose features spoke most for a secret.
pub fn evidence(text: &[Letter]) -> (usize, usize) {
    let mut heat = vec![0i64; text.len()];
    features(text, |index, from, to| {
        let each = weight(index) * 1024 / (to - from).max(1) as i64;
        heat[from..to].iter_mut().for_each(|h| *h += each);
    });
    let (mut best, mut sum, mut from) = ((0, 0, 0), 0, 0);
    for (i, h) in heat.iter().enumerate() {
        if sum <= 0 {
            sum = 0;
            from = i;
        }
        sum += h;
        if sum > best.0 {
            best = (sum, from, i + 1);
        }
    }
    let (_, mut from, mut to) = best;
    while from > 0 && !text[from].starts {
        from -= 1;
    }
    while to < text.len() && !text[to].starts {
        to += 1;
    }
    (from, to)
}
