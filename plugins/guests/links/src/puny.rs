//! Punycode (RFC 3492), decoding only.

/// A label as people read it: decoded when it begins with xn--, itself when that cannot be.
pub fn label(label: &str) -> String {
    label.strip_prefix("xn--").and_then(decode).unwrap_or_else(|| label.into())
}

fn decode(text: &str) -> Option<String> {
    let (basic, rest) = match text.rfind('-') {
        Some(i) => (&text[..i], &text[i + 1..]),
        None => ("", text),
    };
    let mut out: Vec<char> = basic.chars().collect();
    let (mut n, mut bias, mut i) = (128u32, 72u32, 0u32);
    let mut digits = rest.bytes();
    while digits.len() > 0 {
        let (old, mut weight, mut k) = (i, 1u32, 36u32);
        loop {
            let digit = match digits.next()? {
                c @ b'a'..=b'z' => c - b'a',
                c @ b'0'..=b'9' => c - b'0' + 26,
                _ => return None,
            } as u32;
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let t = k.saturating_sub(bias).clamp(1, 26);
            if digit < t {
                break;
            }
            weight = weight.checked_mul(36 - t)?;
            k += 36;
        }
        let size = out.len() as u32 + 1;
        let mut delta = if old == 0 { (i - old) / 700 } else { (i - old) / 2 };
        delta += delta / size;
        bias = 0;
        while delta > 455 {
            delta /= 35;
            bias += 36;
        }
        bias += 36 * delta / (delta + 38);
        n = n.checked_add(i / size)?;
        i %= size;
        out.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(out.into_iter().collect())
}
