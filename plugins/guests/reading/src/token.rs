//! Secrets by their form alone, whatever is said about them. The built-in inspection knows the same forms; here each is
//! told apart, and a text is read once.

/// The kind of a token. In the order of gravity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Random,
    Jwt,
    Key,
    PrivateKey,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Random => "a long random string",
            Kind::Jwt => "a JSON Web Token",
            Kind::Key => "a key with a known prefix",
            Kind::PrivateKey => "a private key",
        }
    }
}

/// How services mark the keys they give out, and the fewest bytes that follow.
const PREFIXES: [(&str, usize); 44] = [
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 30),
    ("glpat-", 20),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("whsec_", 24),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xoxr-", 20),
    ("xoxs-", 20),
    ("xapp-", 20),
    ("npm_", 30),
    ("pypi-", 40),
    ("hf_", 30),
    ("dop_v1_", 40),
    ("SG.", 40),
    ("shpat_", 30),
    ("glsa_", 30),
    ("dckr_pat_", 20),
    ("lin_api_", 30),
    ("sq0csp-", 20),
    ("AGE-SECRET-KEY-1", 50),
    ("EAACEdEose0cBA", 20),
    ("hvs.", 24),
    ("gsk_", 30),
    ("xai-", 40),
    ("r8_", 30),
    ("PMAK-", 30),
    ("ATATT3", 40),
    ("vercel_", 20),
    ("sntrys_", 30),
    ("dapi", 32),
    ("nvapi-", 40),
];

const SHORTEST: usize = 20;

/// How many lines are looked at that begin like a private key.
const MOST_LINES: usize = 64;

/// The gravest token in a text, the first of them: its kind, start and end. Random strings count only when asked for.
pub fn gravest(text: &str, random: bool) -> Option<(Kind, usize, usize)> {
    let bytes = text.as_bytes();
    let mut worst: Option<(Kind, usize, usize)> = None;
    let mut lines = 0; // that begin like a private key
    let mut i = 0;
    while i < bytes.len() {
        if !TOKEN[bytes[i] as usize] {
            i += 1;
            continue;
        }
        let start = i;
        while i < bytes.len() && TOKEN[bytes[i] as usize] {
            i += 1;
        }
        let least = worst.map(|w| w.0);
        let kind = if bytes[start] == b'-' && text[start..].starts_with("-----BEGIN") && lines < MOST_LINES {
            lines += 1;
            if !private_key(&bytes[start..]) {
                continue;
            }
            Kind::PrivateKey
        } else if i - start < SHORTEST || least >= Some(Kind::Key) {
            continue;
        } else {
            let run = trim(&bytes[start..i]);
            if run.len() < SHORTEST {
                continue;
            } else if least < Some(Kind::Jwt) && is_jwt(run) {
                Kind::Jwt
            } else if is_key(run) {
                Kind::Key
            } else if random && least.is_none() && is_random(run) {
                Kind::Random
            } else {
                continue;
            }
        };
        if kind == Kind::PrivateKey {
            return Some((kind, start, i));
        }
        if worst.map_or(true, |w| kind > w.0) {
            worst = Some((kind, start, i));
        }
    }
    worst
}

/// The alphabets of keys. '=' is not, so that a value is seen after its name.
static TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = matches!(c as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'+' | b'/');
        c += 1;
    }
    table
};

fn trim(mut run: &[u8]) -> &[u8] {
    while let Some(b'.' | b'-' | b'/') = run.last() {
        run = &run[..run.len() - 1];
    }
    run
}

fn private_key(rest: &[u8]) -> bool {
    let line = &rest[..rest.len().min(64)];
    line.windows(11).any(|w| w == b"PRIVATE KEY")
}

fn is_jwt(run: &[u8]) -> bool {
    if !run.starts_with(b"eyJ") {
        return false;
    }
    let parts = run.iter().filter(|c| **c == b'.').count() + 1;
    let header = run.iter().position(|c| *c == b'.').unwrap_or(0);
    (parts == 3 || parts == 5) && header >= 12 && run.len() - header >= 20
}

/// The rest of a key must look made by a machine, so that "ghp_xxxx…" in a help text does not.
fn is_key(run: &[u8]) -> bool {
    PREFIXES.iter().any(|(prefix, least)| {
        run[0] == prefix.as_bytes()[0] && run.len() >= prefix.len() + least && run.starts_with(prefix.as_bytes()) && {
            let body = &run[prefix.len()..];
            let t = Tally::of(body);
            let mixed = t.upper > 0 && t.lower > 0 || t.lower == 0 || t.digits * 5 >= body.len();
            t.digits > 0
                && t.upper + t.lower > 0
                && t.distinct >= 8
                && mixed
                && !body.windows(7).any(|w| w == b"EXAMPLE")
        }
    })
}

/// Twenty-four bytes or more that mix capitals, small letters and digits as chance does and names do not.
fn is_random(run: &[u8]) -> bool {
    if run.len() < 24 || run.len() > 512 {
        return false;
    }
    let t = Tally::of(run);
    t.upper >= 3
        && t.lower >= 3
        && t.digits >= 2
        && t.words * 4 <= t.upper * 3
        && t.other * 12 <= run.len()
        && t.changes * 20 >= run.len() * 9
        && t.distinct >= 14
}

/// The parts of a token.
#[derive(Default)]
struct Tally {
    upper: usize,
    lower: usize,
    digits: usize,
    other: usize,
    changes: usize, // from one of the three classes to another
    words: usize,   // capitals with a small letter after them
    distinct: usize,
}

impl Tally {
    fn of(run: &[u8]) -> Tally {
        let mut t = Tally::default();
        let (mut seen, mut before) = (0u64, 0u8);
        for c in run {
            let class = match c {
                b'0'..=b'9' => {
                    t.digits += 1;
                    b'd'
                }
                b'a'..=b'z' => {
                    t.lower += 1;
                    t.words += (before == b'u') as usize;
                    b'l'
                }
                b'A'..=b'Z' => {
                    t.upper += 1;
                    b'u'
                }
                _ => {
                    t.other += 1;
                    continue;
                }
            };
            t.changes += (before != 0 && class != before) as usize;
            before = class;
            seen |= 1 << (c.wrapping_sub(b'0') & 63);
        }
        t.distinct = seen.count_ones() as usize;
        t
    }
}
