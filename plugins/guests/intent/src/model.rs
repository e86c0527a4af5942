//! The model: a weight for each feature. Sums of integers are the same on every host.

use crate::bias::BIAS;
use crate::features::{unit, Feature, Message, Stream, Texts};

static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// A piece of text that spoke for a secret, and how much.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    pub weight: i32,
    pub message: bool,
    pub from: u32,
    pub to: u32,
}

pub struct Score {
    pub sum: i64, // more than 0 asks
    pub evidence: Vec<Evidence>,
}

/// What a piece weighs at least that is shown, of 16,129.
const LEAST: i32 = 400;
const MOST_EVIDENCE: usize = 4;

/// How much a field below a message looks like one that asks.
pub fn score(message: &Message, field: &Texts, shape: &[u32]) -> Score {
    let mut sums = [0i64; 5];
    let mut counts = [0u32; 5];
    let mut evidence = Vec::with_capacity(MOST_EVIDENCE + 1);
    let mut take = |f: Feature, message: bool| {
        let root = WEIGHTS[f.index as usize] as i8 as i32;
        let weight = root * root.abs();
        sums[f.stream as usize] += weight as i64;
        counts[f.stream as usize] += 1;
        if weight > LEAST && f.to > f.from {
            keep(&mut evidence, Evidence { weight, message, from: f.from, to: f.to });
        }
    };
    message.features(&mut |f| take(f, true));
    field.features(message, shape, &mut |f| take(f, false));
    let streams = [Stream::All, Stream::Field, Stream::Squeezed, Stream::Clues, Stream::Shape];
    let sum = streams.iter().fold(BIAS, |sum, s| sum + sums[*s as usize] * unit(*s, counts[*s as usize]) as i64);
    Score { sum, evidence }
}

/// Keeps the pieces that weigh most, of those that overlap the one that does.
fn keep(all: &mut Vec<Evidence>, e: Evidence) {
    if all.len() == MOST_EVIDENCE && all[MOST_EVIDENCE - 1].weight >= e.weight {
        return;
    }
    let over = |a: &Evidence| a.message == e.message && a.from < e.to && e.from < a.to;
    if all.iter().any(|a| over(a) && a.weight >= e.weight) {
        return;
    }
    all.retain(|a| !over(a));
    let at = all.iter().position(|a| a.weight < e.weight).unwrap_or(all.len());
    all.insert(at, e);
    all.truncate(MOST_EVIDENCE);
}
