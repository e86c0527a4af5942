//! Hosts: where a browser would go, and how a person would read that.

use crate::puny;
use reading::fold;

/// The host of a link.
pub struct Host {
    pub written: String, // small letters, no final dot
    pub unicode: String, // with punycode decoded
    pub userinfo: bool,
    pub ip: bool,
}

/// The host of a URL as a browser finds it; why not, when software reads the URL in different ways or it leads nowhere
/// on the web.
pub fn of_url(url: &str) -> Result<Host, &'static str> {
    if url.len() > 4096 {
        return Err("is longer than 4,096 bytes");
    }
    let colon = url.find(':').ok_or("has no scheme")?;
    let scheme = url[..colon].to_ascii_lowercase();
    if scheme != "https" && scheme != "http" {
        return Err("does not lead to the web");
    }
    let rest = &url[colon + 1..];
    let rest = rest.strip_prefix("//").ok_or("has no two slashes")?;
    let end = rest.find(|c| matches!(c, '/' | '\\' | '?' | '#')).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    if tail.starts_with('\\') || authority.is_empty() {
        return Err("is read in different ways");
    }
    let at = authority.rfind('@');
    let host = &authority[at.map_or(0, |i| i + 1)..];
    let ipv6 = host.starts_with('[');
    let (host, port) = match host.rfind(':') {
        Some(i) if !ipv6 || host[..i].ends_with(']') => (&host[..i], &host[i + 1..]),
        _ => (host, ""),
    };
    let written = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    if written.is_empty() || written.len() > 253 || port.len() > 5 || !port.bytes().all(|c| c.is_ascii_digit()) {
        return Err("names no host");
    }
    if !ipv6
        && written.chars().any(|c| {
            !(c.is_ascii_alphanumeric()
                || matches!(c, '-' | '_' | '.')
                || c > '\u{9f}'
                    && fold::beyond(c).err() != Some(fold::IGNORED)
                    && fold::beyond(c).err() != Some(fold::JOINER))
        })
    {
        return Err("has a host with other than letters");
    }
    let unicode = decoded(&written);
    let last = written.rsplit('.').next().unwrap_or("");
    let number = last.bytes().all(|c| c.is_ascii_digit())
        || last.starts_with("0x") && last[2..].bytes().all(|c| c.is_ascii_hexdigit());
    Ok(Host { userinfo: at.is_some(), ip: ipv6 || number, written, unicode })
}

/// A host in small letters and with punycode decoded.
pub fn decoded(host: &str) -> String {
    let small = host.to_ascii_lowercase();
    match small.split('.').any(|label| label.starts_with("xn--")) {
        true => small.split('.').map(puny::label).collect::<Vec<_>>().join("."),
        false => small,
    }
}

/// Whether a host is another or below it.
pub fn covers(known: &str, host: &str) -> bool {
    host.strip_suffix(known).map_or(false, |above| above.is_empty() || above.ends_with('.'))
}

/// A decoded host with the parts that a person sees. The owner of docs.example.co.uk is example.co.uk, its name is
/// example and its ending co.uk.
pub struct Name {
    pub host: String,
    name: (usize, usize), // where it stands in the host
    shape: Vec<u32>,      // of the name
}

/// Labels under which many countries register names.
const SECOND: [&str; 10] = ["co", "com", "net", "org", "gov", "ac", "edu", "or", "ne", "go"];

impl Name {
    pub fn of(host: String) -> Name {
        let dot_before = |end: usize| host[..end].bytes().rposition(|c| c == b'.');
        let label = |end: usize| dot_before(end).map_or(0, |i| i + 1);
        let mut end = dot_before(host.len()).unwrap_or(host.len());
        let mut from = label(end);
        if from > 0 && host.len() == end + 3 && SECOND.contains(&&host[from..end]) {
            end = from - 1;
            from = label(end);
        }
        let shape = shape(&host[from..end]);
        Name { host, name: (from, end), shape }
    }

    fn name(&self) -> &str {
        &self.host[self.name.0..self.name.1]
    }

    fn ending(&self) -> &str {
        &self.host[self.name.1..]
    }

    /// The shape of the host without its last label.
    pub fn words(&self) -> Vec<u32> {
        shape(self.host.rsplit_once('.').map_or("", |(above, _)| above))
    }

    /// How this host, which is not allowed, resembles one that is. words are its own.
    pub fn resembles(&self, words: &[u32], known: &Name) -> Option<&'static str> {
        let (long, ending) = (known.shape.len() >= 5, self.ending() == known.ending());
        if ending && self.shape == known.shape {
            // Another host of the same owner, or the same to the eye.
            return (self.name() != known.name()).then(|| " looks like ");
        }
        if ending && long && slip(&self.shape, &known.shape) {
            return Some(" is a slip away from ");
        }
        if long && self.shape != known.shape && stands_in(words, &known.shape) {
            return Some(" carries the name of ");
        }
        None
    }
}

/// A name as a hurried eye takes it in: without accents, other alphabets or digits for letters; rn is m and vv is w.
fn shape(name: &str) -> Vec<u32> {
    let mut out: Vec<u32> = Vec::with_capacity(name.len());
    for c in name.chars() {
        let letter = if c.is_ascii() {
            match fold::CLASS[c as usize] {
                class if class >= fold::LEAST => fold::read(class),
                _ => c as u32,
            }
        } else {
            fold::beyond(c).unwrap_or(c as u32)
        };
        let pair = |out: &[u32], a: u8| out.last() == Some(&fold::read(a & 0x1F));
        if letter == fold::read(b'n' & 0x1F) && pair(&out, b'r') {
            out.pop();
            out.push(fold::read(b'm' & 0x1F));
        } else if letter == fold::read(b'v' & 0x1F) && pair(&out, b'v') {
            out.pop();
            out.push(fold::read(b'w' & 0x1F));
        } else {
            out.push(letter);
        }
    }
    out
}

/// Whether b is a with one letter added, dropped or replaced, or two neighbours swapped.
fn slip(a: &[u32], b: &[u32]) -> bool {
    let (a, b) = if a.len() > b.len() { (b, a) } else { (a, b) };
    if a == b || b.len() - a.len() > 1 {
        return false;
    }
    let i = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    if a.len() < b.len() {
        return a[i..] == b[i + 1..];
    }
    a[i + 1..] == b[i + 1..] || i + 1 < a.len() && a[i] == b[i + 1] && a[i + 1] == b[i] && a[i + 2..] == b[i + 2..]
}

/// Whether a name stands in a host as a whole word between dots and dashes.
fn stands_in(host: &[u32], name: &[u32]) -> bool {
    host.split(|c| *c == b'.' as u32 || *c == b'-' as u32 || *c == b'_' as u32).any(|word| word == name)
}

/// The alphabets that no language writes together.
fn script(c: char) -> u32 {
    match c as u32 {
        0x30..=0x39 | 0x2D | 0x5F | 0x300..=0x36F => 0,
        0..=0x24F | 0x1E00..=0x1EFF => 1,
        0x370..=0x3FF | 0x1F00..=0x1FFF => 2,
        0x400..=0x52F | 0x1C80..=0x1C8F => 4,
        0x530..=0x58F => 8,
        0x590..=0x5FF => 16,
        0x600..=0x6FF => 32,
        0x2E80..=0x9FFF | 0xAC00..=0xD7A3 => 0, // written together with Latin
        _ => 64,
    }
}

pub fn mixed(label: &str) -> bool {
    let scripts = label.chars().fold(0, |s, c| s | script(c));
    scripts & (scripts.wrapping_sub(1)) != 0
}

/// Whether a label under a Latin ending is in another alphabet, but only in letters that look Latin.
pub fn imitates(host: &str) -> bool {
    let (names, ending) = host.rsplit_once('.').unwrap_or((host, ""));
    ending.is_ascii()
        && names.split('.').any(|label| {
            !label.is_ascii()
                && label.chars().all(|c| {
                    if c.is_ascii() {
                        script(c) == 0
                    } else {
                        matches!(script(c), 2 | 4 | 8) && fold::beyond(c).map_or(false, |l| l < 0x100)
                    }
                })
        })
}
