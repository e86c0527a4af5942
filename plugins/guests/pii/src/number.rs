//! Numbers that name a person or an account, told by their check digits. What has none is told by its shape alone, and says so.

/// A kind of number.
pub struct Kind {
    pub name: &'static str, // as in the settings
    pub what: &'static str,
    pub sure: bool, // by check digits
}

pub const CARD: Kind = Kind { name: "card", what: "a payment card number", sure: true };
pub const IBAN: Kind = Kind { name: "iban", what: "a bank account number (IBAN)", sure: true };
const BE: Kind = Kind { name: "be", what: "a Belgian national number", sure: true };
const BR: Kind = Kind { name: "br", what: "a Brazilian CPF", sure: true };
const CH: Kind = Kind { name: "ch", what: "a Swiss AHV number", sure: true };
const CN: Kind = Kind { name: "cn", what: "a Chinese resident identity number", sure: true };
const DE: Kind = Kind { name: "de", what: "a German Steuer-ID", sure: true };
const ES: Kind = Kind { name: "es", what: "a Spanish DNI or NIE", sure: true };
const FR: Kind = Kind { name: "fr", what: "a French NIR", sure: true };
const GB: Kind = Kind { name: "gb", what: "what looks like a British National Insurance number", sure: false };
const IT: Kind = Kind { name: "it", what: "an Italian codice fiscale", sure: true };
const NL: Kind = Kind { name: "nl", what: "a Dutch BSN", sure: true };
const PL: Kind = Kind { name: "pl", what: "a Polish PESEL", sure: true };
const US: Kind = Kind { name: "us", what: "what looks like a US Social Security number", sure: false };

pub const NAMES: [&str; 14] = ["card", "iban", "be", "br", "ch", "cn", "de", "es", "fr", "gb", "it", "nl", "pl", "us"];

/// The most letters and digits of a number, and of bytes with the marks between them.
const MOST: usize = 34;
const MOST_BYTES: usize = 48;

/// Calls with every number in a text: what it is. Each begins and ends where a word does; blanks, dots, dashes and slashes may stand
/// between its groups. named says that the name of the field speaks of a BSN, whose check alone proves little.
pub fn find(text: &str, named: bool, each: &mut dyn FnMut(&'static Kind)) {
    let b = text.as_bytes();
    let mut i = 0;
    while i < b.len() {
        if CLASS[b[i] as usize] == OTHER {
            i += 1;
            continue;
        }
        let (found, next) = at(&b[i..], named);
        if let Some(kind) = found {
            each(kind);
        }
        i += next;
    }
}

const OTHER: u8 = 0;
const DIGIT: u8 = 1;
const LETTER: u8 = 2;

static CLASS: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = match c as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | 0x80..=0xFF => LETTER,
            _ => OTHER,
        };
        c += 1;
    }
    table
};

/// The number that begins here, and how many bytes to go on: past the number, or else past the word.
fn at(b: &[u8], named: bool) -> (Option<&'static Kind>, usize) {
    let word = b.iter().position(|c| CLASS[*c as usize] == OTHER).unwrap_or(b.len());
    // A word of letters begins none, unless it is the one or two that may stand apart; and neither does one too long.
    let apart = word <= 2 && matches!(b.get(word), Some(b' ' | b'-')) && b.get(word + 1).map_or(false, u8::is_ascii_digit);
    if word > MOST || CLASS[b[0] as usize] == LETTER && !apart && !b[..word].iter().any(u8::is_ascii_digit) {
        return (None, word);
    }
    let mut s = [0u8; MOST]; // letters and digits
    let mut marks = [0u8; MOST]; // what stood before each
    let (mut n, mut i) = (0, 0);
    let mut best: (Option<&'static Kind>, usize) = (None, word);
    while i < b.len() && i < MOST_BYTES && n < MOST {
        let c = b[i];
        match CLASS[c as usize] {
            OTHER => {
                // The end of a word: a number may be whole.
                if let Some(kind) = known(&s[..n], &marks[..n], named) {
                    best = (Some(kind), i);
                }
                if !matches!(c, b' ' | b'-' | b'.' | b'/') || i + 1 == b.len() || CLASS[b[i + 1] as usize] == OTHER || c != b' ' && c != b'-' && n > 20 {
                    return best;
                }
                marks[n] = c;
            }
            _ => {
                s[n] = c.to_ascii_uppercase();
                n += 1;
            }
        }
        i += 1;
    }
    if i == b.len() || CLASS[b[i] as usize] == OTHER {
        if let Some(kind) = known(&s[..n], &marks[..n], named) {
            best = (Some(kind), i);
        }
    }
    best
}

/// What letters and digits are, all of them together.
fn known(s: &[u8], marks: &[u8], named: bool) -> Option<&'static Kind> {
    let n = s.len();
    if n < 9 || n == 10 || n == 12 {
        return None;
    }
    let digits = s.iter().filter(|c| c.is_ascii_digit()).count();
    let apart = marks.iter().filter(|m| **m != 0).count();
    if digits == n {
        return match n {
            9 if marks[3] == b'-' && marks[5] == b'-' && apart == 2 && ssn(s) => Some(&US),
            9 if (named || marks[3] == b'.' && marks[6] == b'.') && bsn(s) => Some(&NL),
            11 if marks[3] == b'.' && marks[6] == b'.' && cpf(s) => Some(&BR),
            11 if marks[6] == b'-' && marks[9] == b'.' && belgian(s) => Some(&BE),
            11 if apart == 0 && pesel(s) => Some(&PL),
            11 if (apart == 0 || marks[2] == b' ') && steuer_id(s) => Some(&DE),
            11 if apart == 0 && cpf(s) => Some(&BR),
            11 if apart == 0 && belgian(s) => Some(&BE),
            13 if s.starts_with(b"756") && ean(s) => Some(&CH),
            15 if nir(s) => Some(&FR),
            18 if apart == 0 && resident(s) => Some(&CN),
            13..=19 if card(s, marks) => Some(&CARD),
            _ => None,
        };
    }
    match n {
        9 if digits == 8 || digits == 7 => dni(s).then(|| &ES).or_else(|| (named_insurance(s)).then(|| &GB)),
        9 if digits == 6 && named_insurance(s) => Some(&GB),
        15 if digits == 14 && nir(s) => Some(&FR),
        16 if apart == 0 && codice(s) => Some(&IT),
        18 if apart == 0 && digits == 17 && resident(s) => Some(&CN),
        15..=34 if iban(s) => Some(&IBAN),
        _ => None,
    }
}

fn value(c: u8) -> u32 {
    if c.is_ascii_digit() {
        (c - b'0') as u32
    } else {
        (c - b'A') as u32 + 10
    }
}

fn number(s: &[u8]) -> u64 {
    s.iter().fold(0, |n, c| n * 10 + value(*c) as u64)
}

fn weighed(s: &[u8], weights: &[u32]) -> u32 {
    s.iter().zip(weights).map(|(c, w)| value(*c) * w).sum()
}

fn distinct(s: &[u8]) -> u32 {
    s.iter().fold(0u64, |seen, c| seen | 1 << (c & 63)).count_ones()
}

/// ISO/IEC 7812-1: a range that is issued, the Luhn digit, groups as printed. Numbers of hardly any different digits are examples.
fn card(s: &[u8], marks: &[u8]) -> bool {
    if distinct(s) < 4 {
        return false;
    }
    let four = number(&s[..4]);
    let fits = match four {
        4000..=4999 => matches!(s.len(), 13 | 16 | 19),
        5100..=5599 | 2221..=2720 | 6011 | 6500..=6599 | 3528..=3589 => s.len() == 16,
        3400..=3499 | 3700..=3799 => s.len() == 15,
        3600..=3699 | 3800..=3899 | 3000..=3099 => s.len() == 14,
        6200..=6299 | 5000..=5099 | 5600..=5899 => s.len() >= 16,
        _ => false,
    };
    let printed = marks.iter().enumerate().all(|(i, m)| *m == 0 || matches!(m, b' ' | b'-') && (i % 4 == 0 || i == 10));
    let luhn: u32 = s.iter().rev().enumerate().map(|(i, c)| if i % 2 == 0 { value(*c) } else { value(*c) * 2 - if value(*c) > 4 { 9 } else { 0 } }).sum();
    fits && printed && luhn % 10 == 0
}

/// ISO 13616: the country's length, the remainder by 97.
fn iban(s: &[u8]) -> bool {
    const LENGTHS: &[u8] = b"AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20";
    if !s[0].is_ascii_uppercase() || !s[1].is_ascii_uppercase() || !s[2].is_ascii_digit() || !s[3].is_ascii_digit() {
        return false;
    }
    let length = LENGTHS.chunks(4).find(|c| c[..2] == s[..2]).map(|c| number(&c[2..]) as usize);
    length == Some(s.len()) && s.iter().all(u8::is_ascii_alphanumeric) && s[4..].iter().chain(&s[..4]).fold(0, |rest, c| (rest * if value(*c) > 9 { 100 } else { 10 } + value(*c)) % 97) == 1
}

fn ssn(s: &[u8]) -> bool {
    let area = number(&s[..3]);
    area != 0 && area != 666 && area < 900 && number(&s[3..5]) != 0 && number(&s[5..]) != 0 && distinct(s) > 2
}

fn bsn(s: &[u8]) -> bool {
    let sum = weighed(&s[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) as i32 - value(s[8]) as i32;
    sum % 11 == 0 && sum != 0 && distinct(s) > 2
}

fn cpf(s: &[u8]) -> bool {
    let check = |n: usize| (0..n).map(|i| value(s[i]) * (n + 1 - i) as u32).sum::<u32>() * 10 % 11 % 10;
    distinct(s) > 1 && check(9) == value(s[9]) && check(10) == value(s[10])
}

fn belgian(s: &[u8]) -> bool {
    let (n, check) = (number(&s[..9]), number(&s[9..]));
    let (month, day) = (number(&s[2..4]), number(&s[4..6]));
    month <= 12 && day <= 31 && (97 - n % 97 == check || 97 - (2_000_000_000 + n) % 97 == check)
}

fn pesel(s: &[u8]) -> bool {
    let (month, day) = (number(&s[2..4]) % 20, number(&s[4..6]));
    (1..=12).contains(&month) && (1..=31).contains(&day) && weighed(s, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 == 0
}

/// ISO 7064 MOD 11,10; of the first ten digits one stands there twice or three times, and no other.
fn steuer_id(s: &[u8]) -> bool {
    let mut product = 10;
    let mut counts = [0; 10];
    for c in &s[..10] {
        counts[value(*c) as usize] += 1;
        let sum = (value(*c) + product) % 10;
        product = if sum == 0 { 10 } else { sum } * 2 % 11;
    }
    let repeated = counts.iter().filter(|n| **n > 1).count() == 1 && counts.iter().all(|n| *n < 4);
    s[0] != b'0' && repeated && (11 - product) % 10 == value(s[10])
}

fn ean(s: &[u8]) -> bool {
    weighed(s, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 == 0
}

/// Thirteen and a key of two; Corsica writes 2A and 2B.
fn nir(s: &[u8]) -> bool {
    let mut body = [0; 13];
    body.copy_from_slice(&s[..13]);
    let less = match (body[5], body[6]) {
        (b'2', b'A') => 1_000_000,
        (b'2', b'B') => 2_000_000,
        _ => 0,
    };
    if less > 0 {
        body[6] = b'0';
    }
    let month = number(&s[3..5]);
    let digits = body.iter().chain(&s[13..]).all(u8::is_ascii_digit);
    digits && matches!(s[0], b'1'..=b'4' | b'7' | b'8') && (1..=12).contains(&month) | (20..=42).contains(&month) && 97 - (number(&body) - less) % 97 == number(&s[13..])
}

fn resident(s: &[u8]) -> bool {
    let sum = weighed(&s[..17], &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    let (year, month, day) = (number(&s[6..10]), number(&s[10..12]), number(&s[12..14]));
    s[..17].iter().all(u8::is_ascii_digit) && (1900..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day) && b"10X98765432"[sum as usize % 11] == s[17]
}

fn dni(s: &[u8]) -> bool {
    let first = match s[0] {
        b'X' => b'0',
        b'Y' => b'1',
        b'Z' => b'2',
        c => c,
    };
    let fits = first.is_ascii_digit() && s[1..8].iter().all(u8::is_ascii_digit) && s[8].is_ascii_uppercase();
    fits && b"TRWAGMYFPDXBNJZSQVHLCKE"[((number(&[first]) * 10_000_000 + number(&s[1..8])) % 23) as usize] == s[8]
}

fn named_insurance(s: &[u8]) -> bool {
    let two = s[..2].iter().all(u8::is_ascii_uppercase) && !s[..2].iter().any(|c| b"DFIQUV".contains(c)) && s[1] != b'O';
    two && s[2..8].iter().all(u8::is_ascii_digit) && matches!(s[8], b'A'..=b'D') && ![&b"BG"[..], b"GB", b"NK", b"KN", b"TN", b"NT", b"ZZ"].contains(&&s[..2])
}

fn codice(s: &[u8]) -> bool {
    // Digits may be written as letters, where several persons would share a code.
    const SHAPE: &[u8] = b"LLLLLLDDLDDLDDDL";
    const ODD: [u32; 36] = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let fits = s.iter().zip(SHAPE).all(|(c, shape)| if *shape == b'L' { c.is_ascii_uppercase() } else { c.is_ascii_digit() || b"LMNPQRSTUV".contains(c) });
    let even = |c: u8| if c.is_ascii_digit() { value(c) } else { value(c) - 10 };
    fits && b"ABCDEHLMPRST".contains(&s[8]) && (0..15).map(|i| if i % 2 == 0 { ODD[value(s[i]) as usize] } else { even(s[i]) }).sum::<u32>() % 26 == even(s[15])
}
