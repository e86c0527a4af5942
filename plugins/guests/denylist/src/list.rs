//! The list: hosts in lines, sorted by bytes. A lookup reads a few hundred bytes of it.

use elicit_guardian::data;
use std::cmp::Ordering;

/// The longest name of a host.
const LONGEST: usize = 253;

/// Bytes of a window in which a line is found around its middle, whole, wherever the middle falls into it.
const AROUND: usize = 2 * (LONGEST + 1);

/// Whether the list holds a name. In a list that was not checked, a line that is longer than any host is a trap, and a
/// trap is a denial.
pub fn holds(name: &[u8]) -> bool {
    let mut window = [0u8; AROUND];
    let (mut low, mut high) = (0, data::size()); // beginnings of lines; what is sought is from low on and before high
    while low < high {
        let middle = low + (high - low) / 2;
        let from = middle.saturating_sub(LONGEST + 1).max(low);
        let length = data::read(from, &mut window);
        let (before, after) = window[..length].split_at(middle - from);
        let start = match before.iter().rposition(|&b| b == b'\n') {
            Some(end) => from + end + 1,
            None if from == low => low,
            None => unreachable!(),
        };
        let end = match after.iter().position(|&b| b == b'\n') {
            Some(end) => middle + end,
            None if from + length == data::size() => from + length,
            None => unreachable!(),
        };
        match window[start - from..end - from].cmp(name) {
            Ordering::Equal => return true,
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    false
}

const PIECE: usize = 32 << 10;

/// What may be read behind a piece: whole words, where its last line has an end.
const BEHIND: usize = 16;

/// Reads the whole list. A lookup finds a name only if all lines are hosts, and each comes after the one before it.
/// It works on words of 8 bytes: a list of 4 MiB must be read within the fuel of one check.
pub fn check() -> Result<(), String> {
    let size = data::size();
    let known = pairs();
    let mut piece = vec![0u8; PIECE + BEHIND];
    let (mut at, mut count) = (0, 0);
    while at < size {
        let length = data::read(at, &mut piece[..PIECE]);
        piece[length..length + BEHIND].fill(b'\n');
        let whole = at + length == size;
        let plain = all_known(&piece[..length], &known);
        // Each piece but the first begins with the last line of the one before it.
        let (mut previous, mut long, mut from) = (0, 0, 0);
        if at > 0 {
            long = newline(&piece, 0);
            from = long + 1;
        }
        while from < length {
            let end = newline(&piece, from);
            if end >= length && !whole {
                break;
            }
            count += 1;
            let line = &piece[from..end];
            let long_or_empty = line.len().wrapping_sub(1) >= LONGEST;
            if long_or_empty || line[0] == b'.' || line[line.len() - 1] == b'.' || !plain && !is_host(line) {
                return Err(said(count, line, " is no host in small letters"));
            }
            if count > 1 && !follows(&piece, previous, long, from) {
                let what = " does not come after the line before it; sort the list: LC_ALL=C sort -u";
                return Err(said(count, line, what));
            }
            (previous, long, from) = (from, line.len(), end + 1);
        }
        if whole {
            return Ok(());
        }
        if previous == 0 {
            return Err(said(count + 1, &piece[..80], "… is no host in small letters"));
        }
        at += previous;
    }
    Ok(())
}

fn said(line: usize, text: &[u8], what: &str) -> String {
    let shown = String::from_utf8_lossy(&text[..text.len().min(80)]).into_owned();
    ["line ", &line.to_string(), " of the data document: ", &shown, what].concat()
}

fn word(piece: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(piece[at..at + 8].try_into().unwrap())
}

/// Where the line that begins there ends. Behind every piece there is an end of a line.
fn newline(piece: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    loop {
        let zeros = word(piece, at) ^ (b'\n' as u64 * ONES);
        let found = zeros.wrapping_sub(ONES) & !zeros & (ONES << 7);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
}

/// Whether the line at b comes after the one at a, which is so long. The end of a line is less than all letters of
/// hosts.
fn follows(piece: &[u8], a: usize, long: usize, b: usize) -> bool {
    let mut at = 0;
    while at <= long {
        let (x, y) = (word(piece, a + at), word(piece, b + at));
        if x != y {
            let shift = (x ^ y).trailing_zeros() & !7;
            return at + shift as usize / 8 <= long && (x >> shift & 0xff) < (y >> shift & 0xff);
        }
        at += 8;
    }
    false
}

/// Whether a byte can be part of a list.
fn known(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'_' | b'\n')
}

fn is_host(line: &[u8]) -> bool {
    line.iter().all(|&b| known(b))
}

/// By two bytes as a number: 0 if both can be part of a list.
fn pairs() -> Vec<u8> {
    let mut table = vec![1u8; 1 << 16];
    for high in (0..=255).filter(|&b| known(b)) {
        for low in (0..=255).filter(|&b| known(b)) {
            table[(high as usize) << 8 | low as usize] = 0;
        }
    }
    table
}

/// Whether all bytes of a piece can be part of a list.
fn all_known(bytes: &[u8], pairs: &[u8]) -> bool {
    let pairs: &[u8; 1 << 16] = pairs.try_into().unwrap();
    let mut strange = 0;
    let mut eights = bytes.chunks_exact(8);
    for eight in &mut eights {
        for two in 0..4 {
            strange |= pairs[u16::from_le_bytes([eight[2 * two], eight[2 * two + 1]]) as usize];
        }
    }
    strange == 0 && is_host(eights.remainder())
}
