//! Reading JSON: one pass writes a tape of nodes, twelve bytes each; reading walks the tape and copies only strings
//! that hold escapes. The host wrote the text (canonical, valid UTF-8, no duplicate names), so this checks what keeps
//! reading in bounds and leaves the rest.

use std::borrow::Cow;

/// A JSON text and where its values stand in it.
pub struct Doc<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

struct Node {
    start: u32,
    end: u32,
    // The node after all that this one holds; while it is open, the one around it. ESCAPED is for a text with an
    // escape.
    next: u32,
}

const ESCAPED: u32 = 1 << 31;

/// A question of more values than this is refused, so that reading takes a part of the fuel and not all.
const MAX_NODES: usize = 8_000;

/// A value of a document, or `Missing`, which has no members and no text, so that look-ups can be chained.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    doc: &'a Doc<'a>,
    at: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Missing,
    Null,
    Bool,
    Number,
    Text,
    List,
    Object,
}

/// The kind of token that a byte begins outside of strings.
static BEGINS: [u8; 256] = {
    let mut table = [SCALAR; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = match c as u8 {
            b'"' => QUOTE,
            b'{' | b'[' => OPEN,
            b'}' | b']' => CLOSE,
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => BETWEEN,
            _ => SCALAR,
        };
        c += 1;
    }
    table
};

const SCALAR: u8 = 0;
const QUOTE: u8 = 1;
const OPEN: u8 = 2;
const CLOSE: u8 = 3;
const BETWEEN: u8 = 4;

impl<'a> Doc<'a> {
    /// Reads a text; `None` when its strings, lists and objects do not end, it holds nothing, or too much.
    pub fn read(bytes: &'a [u8]) -> Option<Doc<'a>> {
        let mut nodes: Vec<Node> = Vec::with_capacity(bytes.len() / 8 + 16);
        let (mut around, mut i) = (MISSING, 0);
        while i < bytes.len() {
            let start = i as u32;
            let mut next = nodes.len() as u32 + 1;
            i += 1;
            match BEGINS[bytes[i - 1] as usize] {
                BETWEEN => continue,
                _ if nodes.len() > MAX_NODES => return None,
                QUOTE => {
                    let (end, escaped) = string_end(bytes, i)?;
                    i = end;
                    next |= escaped;
                }
                OPEN => {
                    nodes.push(Node { start, end: 0, next: around });
                    around = next - 1;
                    continue;
                }
                CLOSE => {
                    let node = nodes.get_mut(around as usize)?;
                    around = node.next;
                    (node.end, node.next) = (i as u32, next - 1);
                    continue;
                }
                _ => {
                    while i < bytes.len() && BEGINS[bytes[i] as usize] == SCALAR {
                        i += 1;
                    }
                }
            }
            nodes.push(Node { start, end: i as u32, next });
            if i < bytes.len() && matches!(bytes[i], b',' | b':') {
                i += 1;
            }
        }
        // The host checked that it is UTF-8.
        let text = unsafe { std::str::from_utf8_unchecked(bytes) };
        (around == MISSING && !nodes.is_empty()).then(|| Doc { text, nodes })
    }

    pub fn root(&'a self) -> Value<'a> {
        Value { doc: self, at: 0 }
    }
}

/// The end of the string whose content begins at i, behind its quote, and ESCAPED if it holds an escape. It looks at
/// eight bytes at a time: the lowest high bit of found marks the first quote or backslash.
fn string_end(bytes: &[u8], mut i: usize) -> Option<(usize, u32)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut escaped = 0;
    loop {
        if let Some(eight) = bytes.get(i..i + 8) {
            let w = u64::from_le_bytes(eight.try_into().ok()?);
            let (quote, back) = (w ^ (ONES * 0x22), w ^ (ONES * 0x5C));
            let found = ((quote.wrapping_sub(ONES) & !quote) | (back.wrapping_sub(ONES) & !back)) & (ONES << 7);
            if found == 0 {
                i += 8;
                continue;
            }
            i += found.trailing_zeros() as usize / 8;
        }
        match *bytes.get(i)? {
            b'"' => return Some((i + 1, escaped)),
            b'\\' => {
                escaped = ESCAPED;
                i += 2;
                while bytes.get(i) == Some(&b'\\') {
                    i += 2;
                }
            }
            _ => i += 1,
        }
    }
}

const MISSING: u32 = u32::MAX;

impl<'a> Value<'a> {
    fn node(&self) -> Option<&'a Node> {
        self.doc.nodes.get(self.at as usize)
    }

    fn to(&self, at: u32) -> Value<'a> {
        Value { doc: self.doc, at }
    }

    /// The value as it is spelled; "" when it is missing.
    pub fn raw(&self) -> &'a str {
        // A value begins and ends at an ASCII byte, so the text is not cut inside a character.
        self.node().map_or("", |n| unsafe { self.doc.text.get_unchecked(n.start as usize..n.end as usize) })
    }

    pub fn kind(&self) -> Kind {
        match self.node().map_or(b' ', |n| self.doc.text.as_bytes()[n.start as usize]) {
            b' ' => Kind::Missing,
            b'{' => Kind::Object,
            b'[' => Kind::List,
            b'"' => Kind::Text,
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Bool,
            _ => Kind::Number,
        }
    }

    /// The member of that name of an object.
    pub fn get(&self, name: &str) -> Value<'a> {
        let mut walk = self.walk(Kind::Object);
        while walk.at.at < walk.end {
            let value = walk.at.at + 1;
            if walk.at.is(name) {
                return self.to(value);
            }
            walk.at.at = self.to(value).next();
        }
        self.to(MISSING)
    }

    /// Whether it is this text.
    pub fn is(&self, text: &str) -> bool {
        match self.node() {
            Some(n) if n.next & ESCAPED != 0 => self.text() == text,
            Some(n) => n.end - n.start == text.len() as u32 + 2 && self.kind() == Kind::Text && self.inner() == text,
            None => false,
        }
    }

    /// Its text; "" when it is no string.
    pub fn text(&self) -> Cow<'a, str> {
        match self.node() {
            Some(n) if n.next & ESCAPED != 0 => Cow::Owned(unescape(self.inner())),
            Some(_) if self.kind() == Kind::Text => Cow::Borrowed(self.inner()),
            _ => Cow::Borrowed(""),
        }
    }

    /// The text between the quotes of a string.
    fn inner(&self) -> &'a str {
        let raw = self.raw();
        unsafe { raw.get_unchecked(1..raw.len() - 1) } // reading a string found both quotes
    }

    fn next(&self) -> u32 {
        self.node().map_or(MISSING, |n| n.next & !ESCAPED)
    }

    pub fn is_true(&self) -> bool {
        self.raw() == "true"
    }

    /// A whole number; `None` when it is none, or has a fraction or an exponent.
    pub fn int(&self) -> Option<i64> {
        self.raw().parse().ok()
    }

    /// Whether the host keeps the value from this guardian because its exact pointer was not permitted.
    pub fn redacted(&self) -> bool {
        self.get("$redacted").kind() != Kind::Missing
    }

    /// The items of a list.
    pub fn items(&self) -> Walk<'a> {
        self.walk(Kind::List)
    }

    /// The members of an object, names before values.
    pub fn members(&self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let mut walk = self.walk(Kind::Object);
        std::iter::from_fn(move || Some((walk.next()?, walk.next()?)))
    }

    fn walk(&self, kind: Kind) -> Walk<'a> {
        match self.node() {
            Some(n) if self.kind() == kind => Walk { at: self.to(self.at + 1), end: n.next },
            _ => Walk { at: *self, end: 0 },
        }
    }
}

pub struct Walk<'a> {
    at: Value<'a>,
    end: u32,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Value<'a>;
    fn next(&mut self) -> Option<Value<'a>> {
        if self.at.at >= self.end {
            return None;
        }
        let value = self.at;
        self.at.at = value.next();
        Some(value)
    }
}

fn unescape(s: &str) -> String {
    let b = s.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(b.len());
    let mut i = 0;
    while i < b.len() {
        let c = b[i];
        i += 1;
        if c != b'\\' || i == b.len() {
            out.push(c);
            continue;
        }
        let c = b[i];
        i += 1;
        out.push(match c {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'u' => {
                let mut code = hex4(b, i);
                i += 4;
                if code >> 10 == 0xD800 >> 10 && b.get(i) == Some(&b'\\') && hex4(b, i + 2) >> 10 == 0xDC00 >> 10 {
                    code = 0x10000 + ((code & 0x3FF) << 10 | hex4(b, i + 2) & 0x3FF);
                    i += 6;
                }
                let letter = char::from_u32(code).unwrap_or('\u{FFFD}');
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            c => c,
        });
    }
    String::from_utf8(out).unwrap_or_default()
}

fn hex4(b: &[u8], at: usize) -> u32 {
    b.get(at..at + 4).map_or(0xFFFD, |h| h.iter().fold(0, |n, c| n << 4 | (*c as char).to_digit(16).unwrap_or(0)))
}

/// Appends text as a JSON string.
pub fn quote(out: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    let mut from = 0;
    for (i, c) in text.bytes().enumerate() {
        if c >= b' ' && c != b'"' && c != b'\\' {
            continue;
        }
        out.push_str(&text[from..i]);
        from = i + 1;
        match c {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ => {
                out.push_str("\\u00");
                out.push(HEX[c as usize >> 4] as char);
                out.push(HEX[c as usize & 15] as char);
            }
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}

/// A pointer with a number for the star of a pattern: `at("/request/form/fields/*/label", 2)`.
pub fn at(pattern: &str, index: usize) -> String {
    let mut digits = [0; 20];
    let (mut first, mut left) = (digits.len(), index);
    while first == digits.len() || left > 0 {
        first -= 1;
        digits[first] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    let (before, behind) = pattern.split_once('*').unwrap_or((pattern, ""));
    let mut out = String::with_capacity(pattern.len() + digits.len());
    out.push_str(before);
    out.extend(digits[first..].iter().map(|&d| d as char).filter(|_| pattern.contains('*')));
    out.push_str(behind);
    out
}

/// A pointer of RFC 6901: `pointer("/answer", "a/b")` is "/answer/a~1b".
pub fn pointer(above: &str, name: &str) -> String {
    let mut out = String::with_capacity(above.len() + name.len() + 1);
    out.push_str(above);
    out.push('/');
    for c in name.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
    out
}
