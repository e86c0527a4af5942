//! The shape of a field: what is known of the answer besides words.

/// The constraints of a field, as the form tells them.
#[derive(Default)]
pub struct Shape<'a> {
    pub kind: &'a str,
    pub format: &'a str,
    pub pattern: &'a str,
    pub least: Option<i64>,
    pub most: Option<i64>,
    pub fields: usize,  // that can be typed into, in the whole form
    pub choices: usize, // of the fields that cannot
    pub words: usize,   // bytes of the field's texts
}

/// A number for each sign of a shape.
pub fn signs(s: &Shape) -> Vec<u32> {
    let mut out = Vec::with_capacity(8);
    let mut sign = |of: u32, what: u32| out.push(of << 16 | what);
    sign(1, hash(s.kind));
    sign(2, hash(s.format));
    sign(3, size(s.most));
    sign(4, size(s.least));
    let digits = s.pattern.contains("\\d") || s.pattern.contains("[0-9]");
    let counted = s.pattern.contains('{');
    sign(5, (!s.pattern.is_empty()) as u32 | (digits as u32) << 1 | (counted as u32) << 2);
    sign(6, s.fields.min(6) as u32);
    sign(7, s.choices.min(3) as u32);
    sign(8, (s.words / 16).min(8) as u32);
    out
}

fn hash(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261u32, |h, b| (h ^ b as u32).wrapping_mul(16_777_619)) & 0xFFFF
}

fn size(n: Option<i64>) -> u32 {
    match n {
        None => 0,
        Some(n) if n < 1 => 1,
        Some(1..=3) => 2,
        Some(4) => 3,
        Some(5) => 4,
        Some(6) => 5,
        Some(7..=8) => 6,
        Some(9..=19) => 7,
        Some(20..=64) => 8,
        _ => 9,
    }
}
