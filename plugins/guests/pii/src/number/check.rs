//! The check digits, dates and shapes of each kind. A slice has as many signs as its kind, and no gap.

use super::Sign;

fn value(s: &Sign) -> u32 {
    if s.c.is_ascii_digit() {
        (s.c - b'0') as u32
    } else {
        (s.c - b'A') as u32 + 10
    }
}

/// The value of a digit.
fn digit(s: &Sign) -> u32 {
    (s.c & 15) as u32
}

/// The number that digits make.
pub fn number(s: &[Sign]) -> u64 {
    s.iter().fold(0, |n, s| n * 10 + digit(s) as u64)
}

fn weighed(s: &[Sign], weights: &[u32]) -> u32 {
    s.iter().zip(weights).map(|(s, w)| digit(s) * w).sum()
}

fn digits(s: &[Sign]) -> bool {
    s.iter().all(|s| s.c.is_ascii_digit())
}

fn letters(s: &[Sign]) -> bool {
    s.iter().all(|s| s.c.is_ascii_uppercase())
}

fn distinct(s: &[Sign]) -> u32 {
    s.iter().fold(0u64, |seen, s| seen | 1 << (s.c & 63)).count_ones()
}

/// ISO/IEC 7812-1: the lengths of the cards of an issued range, a bit each, by their first four digits.
pub fn card_lengths(s: &[Sign]) -> u64 {
    match number(&s[..4]) {
        4000..=4999 => 1 << 13 | 1 << 16 | 1 << 19,
        5100..=5599 | 2221..=2720 | 6011 | 6500..=6599 | 3528..=3589 => 1 << 16,
        3400..=3499 | 3700..=3799 => 1 << 15,
        3600..=3699 | 3800..=3899 | 3000..=3099 => 1 << 14,
        6200..=6299 | 5000..=5099 | 5600..=5899 => 1 << 16 | 1 << 17 | 1 << 18 | 1 << 19,
        _ => 0,
    }
}

/// Printed groups and the Luhn digit. Manuals show numbers with fewer than four different digits; these are no cards.
pub fn card(s: &[Sign]) -> bool {
    let group = |i: usize, mark: u8| mark == 0 || matches!(mark, b' ' | b'-') && (i % 4 == 0 || i == 10);
    let luhn = |(i, s): (usize, &Sign)| match digit(s) {
        n if i % 2 == 0 => n,
        n => n * 2 - if n > 4 { 9 } else { 0 },
    };
    s.iter().enumerate().skip(1).all(|(i, s)| group(i, s.mark))
        && card_lengths(s) >> s.len() & 1 != 0
        && distinct(s) > 3
        && s.iter().rev().enumerate().map(luhn).sum::<u32>() % 10 == 0
}

/// ISO 13616: the length of an account number by its country.
const IBANS: &[u8] = b"AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29\
ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27\
MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28\
TL23TN24TR26UA29VA22VG24XK20";

static IBAN_LENGTHS: [u8; 26 * 26] = {
    let mut table = [0; 26 * 26];
    let mut i = 0;
    while i < IBANS.len() {
        let country = (IBANS[i] - b'A') as usize * 26 + (IBANS[i + 1] - b'A') as usize;
        table[country] = (IBANS[i + 2] - b'0') * 10 + IBANS[i + 3] - b'0';
        i += 4;
    }
    table
};

/// How long an account number is that begins with these signs, 0 if they begin none.
pub fn iban_length(s: &[Sign]) -> usize {
    match s {
        [a, b, c, d, ..] if letters(&[*a, *b]) && digits(&[*c, *d]) => {
            IBAN_LENGTHS[(a.c - b'A') as usize * 26 + (b.c - b'A') as usize] as usize
        }
        _ => 0,
    }
}

/// ISO 13616: the remainder by 97 of the signs, the first four last.
pub fn iban(s: &[Sign]) -> bool {
    let sum = || append(append(0, &s[4..])?, &s[..4]);
    iban_length(s) == s.len() && sum().map_or(false, |n| n % 97 == 1)
}

/// A number with digits behind it, two for a letter. Other signs make none.
fn append(mut n: u64, s: &[Sign]) -> Option<u64> {
    for s in s {
        n = match s.c {
            b'0'..=b'9' => n * 10 + digit(s) as u64,
            b'A'..=b'Z' => n * 100 + (s.c - b'A') as u64 + 10,
            _ => return None,
        };
        if n >= 1 << 56 {
            n %= 97; // a remainder is dear
        }
    }
    Some(n)
}

pub fn ssn(s: &[Sign]) -> bool {
    let area = number(&s[..3]);
    let given = area != 0 && area != 666 && area < 900;
    given && number(&s[3..5]) != 0 && number(&s[5..]) != 0 && distinct(s) > 2
}

pub fn bsn(s: &[Sign]) -> bool {
    let sum = weighed(&s[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) as i32 - value(&s[8]) as i32;
    sum % 11 == 0 && sum != 0 && distinct(s) > 2
}

pub fn cpf(s: &[Sign]) -> bool {
    let check = |n: usize| (0..n).map(|i| value(&s[i]) * (n + 1 - i) as u32).sum::<u32>() * 10 % 11 % 10;
    distinct(s) > 1 && check(9) == value(&s[9]) && check(10) == value(&s[10])
}

pub fn belgian(s: &[Sign]) -> bool {
    let (n, check) = (number(&s[..9]), number(&s[9..]));
    let (month, day) = (number(&s[2..4]), number(&s[4..6]));
    month <= 12 && day <= 31 && (97 - n % 97 == check || 97 - (2_000_000_000 + n) % 97 == check)
}

pub fn pesel(s: &[Sign]) -> bool {
    let (month, day) = (number(&s[2..4]) % 20, number(&s[4..6]));
    let date = (1..=12).contains(&month) && (1..=31).contains(&day);
    date && weighed(s, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 == 0
}

/// ISO 7064 MOD 11,10. One of the first ten digits occurs twice or three times, and no other repeats.
pub fn steuer_id(s: &[Sign]) -> bool {
    let mut product = 10;
    let mut counts = [0; 10];
    for s in &s[..10] {
        counts[value(s) as usize] += 1;
        let sum = (value(s) + product) % 10;
        product = if sum == 0 { 10 } else { sum } * 2 % 11;
    }
    let repeated = counts.iter().filter(|n| **n > 1).count() == 1 && counts.iter().all(|n| *n < 4);
    s[0].c != b'0' && repeated && (11 - product) % 10 == value(&s[10])
}

pub fn ean(s: &[Sign]) -> bool {
    weighed(s, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 == 0
}

/// Thirteen digits and a key of two. Departments of Corsica are 2A and 2B.
pub fn nir(s: &[Sign]) -> bool {
    let sex = matches!(s[0].c, b'1'..=b'4' | b'7' | b'8');
    let month = number(&s[3..5]); // 20 and above stand for an unknown one
    if !sex || !matches!(month, 1..=12 | 20..=42) || !digits(&s[1..6]) || !digits(&s[7..]) {
        return false;
    }
    // The letter counts as 0, and 2A and 2B as 19 and 18.
    let (department, less) = match (s[5].c, s[6].c) {
        (b'2', b'A') => (0, 1_000_000),
        (b'2', b'B') => (0, 2_000_000),
        (_, c) if c.is_ascii_digit() => (value(&s[6]) as u64, 0),
        _ => return false,
    };
    let body = (number(&s[..6]) * 10 + department) * 1_000_000 + number(&s[7..13]) - less;
    97 - body % 97 == number(&s[13..])
}

pub fn resident(s: &[Sign]) -> bool {
    if !digits(&s[..17]) {
        return false;
    }
    let (year, month, day) = (number(&s[6..10]), number(&s[10..12]), number(&s[12..14]));
    let born = (1900..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let sum = weighed(&s[..17], &[7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
    born && b"10X98765432"[sum as usize % 11] == s[17].c
}

pub fn dni(s: &[Sign]) -> bool {
    let first = match s[0].c {
        b'X' => 0,
        b'Y' => 1,
        b'Z' => 2,
        c if c.is_ascii_digit() => value(&s[0]) as u64,
        _ => return false,
    };
    let fits = digits(&s[1..8]) && s[8].c.is_ascii_uppercase();
    fits && b"TRWAGMYFPDXBNJZSQVHLCKE"[((first * 10_000_000 + number(&s[1..8])) % 23) as usize] == s[8].c
}

pub fn national_insurance(s: &[Sign]) -> bool {
    let two = [s[0].c, s[1].c];
    let given = letters(&s[..2]) && !two.iter().any(|c| b"DFIQUV".contains(c)) && two[1] != b'O';
    let never = [b"BG", b"GB", b"NK", b"KN", b"TN", b"NT", b"ZZ"];
    given && digits(&s[2..8]) && matches!(s[8].c, b'A'..=b'D') && !never.contains(&&two)
}

/// Where several persons would share a code, some of its digits are written as letters.
pub fn codice(s: &[Sign]) -> bool {
    const SHAPE: &[u8] = b"LLLLLLDDLDDLDDDL";
    const ODD: [u32; 36] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, // digits
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ];
    let fits = s.iter().zip(SHAPE).all(|(s, shape)| match shape {
        b'L' => s.c.is_ascii_uppercase(),
        _ => s.c.is_ascii_digit() || b"LMNPQRSTUV".contains(&s.c),
    });
    let even = |s: &Sign| if s.c.is_ascii_digit() { value(s) } else { value(s) - 10 };
    let sum = || (0..15).map(|i| if i % 2 == 0 { ODD[value(&s[i]) as usize] } else { even(&s[i]) }).sum::<u32>();
    fits && b"ABCDEHLMPRST".contains(&s[8].c) && sum() % 26 == even(&s[15])
}
