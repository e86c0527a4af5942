//! The model: a weight for each feature. Sums of integers are the same on every host.

use crate::bias::BIAS;
use crate::features::{unit, Feature, Message, Stream, Texts};

static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// A stretch of text that spoke for a secret.
#[derive(Clone, Copy)]
pub struct Evidence {
    pub message: bool,
    pub from: usize,
    pub to: usize,
}

fn weight(f: &Feature) -> i64 {
    let root = WEIGHTS[f.index as usize] as i8 as i64;
    root * root.abs()
}

const STREAMS: [Stream; 5] = [Stream::All, Stream::Field, Stream::Squeezed, Stream::Clues, Stream::Shape];

/// How much a field below a message looks like one that asks: more than 0 does. Also what a feature of each stream
/// counted.
pub fn score(message: &Message, field: &Texts, shape: &[u32]) -> (i64, [i64; 5]) {
    let mut sums = [0i64; 5];
    let mut counts = [0u32; 5];
    let mut take = |f: Feature| {
        sums[f.stream as usize] += weight(&f);
        counts[f.stream as usize] += 1;
    };
    message.features(&mut take);
    field.features(message, shape, &mut take);
    let units = STREAMS.map(|s| unit(s, counts[s as usize]) as i64);
    let sum = STREAMS.iter().fold(BIAS, |sum, s| sum + sums[*s as usize] * units[*s as usize]);
    (sum, units)
}

/// The stretch of the field and that of the message whose pieces spoke for a secret most.
pub fn evidence(message: &Message, field: &Texts, shape: &[u32], units: [i64; 5], most: usize) -> Vec<Evidence> {
    let mut above = vec![0i64; most];
    let mut below = vec![0i64; field.text.len()];
    let spread = |heat: &mut [i64], f: Feature| {
        if let Some(bytes) = heat.get_mut(f.from as usize..f.to as usize).filter(|b| !b.is_empty()) {
            let each = weight(&f) * units[f.stream as usize] / bytes.len() as i64;
            bytes.iter_mut().for_each(|b| *b += each);
        }
    };
    message.features(&mut |f| spread(&mut above, f));
    field.features(message, shape, &mut |f| spread(&mut below, f));
    let found = [(false, hottest(&below)), (true, hottest(&above))];
    let most = found.iter().map(|f| f.1 .0).max().unwrap_or(0);
    let decided = found.iter().filter(|f| f.1 .0 > 0 && f.1 .0 * 3 >= most);
    decided.map(|(message, (_, from, to))| Evidence { message: *message, from: *from, to: *to }).collect()
}

/// The stretch whose sum is largest, and the sum.
fn hottest(heat: &[i64]) -> (i64, usize, usize) {
    let (mut best, mut sum, mut from) = ((0, 0, 0), 0, 0);
    for (i, h) in heat.iter().enumerate() {
        if sum <= 0 {
            (sum, from) = (0, i);
        }
        sum += h;
        if sum > best.0 {
            best = (sum, from, i + 1);
        }
    }
    best
}
