//! Letters as a person reads them: small, without accents, Latin where they only look so. Signs that disguise a letter
//! (0, 1, 3, 4, 5, 7, @, $) are that letter, and i, l, 1 and | are one. The words of the tables are folded likewise.

/// The effect of a character on words, by its byte. Below LEAST:
pub const IGNORED: u8 = 0; // as if it were not there
pub const JOINER: u8 = 1; // ends a word
pub const STOPPER: u8 = 2; // ends a phrase
pub const IDEOGRAPH: u8 = 3; // a word of its own
pub const BEYOND: u8 = 4; // not ASCII: see beyond

/// From LEAST: the five low bits are the letter it is read as, those above say what it is.
pub const LEAST: u8 = DIGIT;
pub const KIND: u8 = 0xE0;
pub const DIGIT: u8 = 0x20;
pub const CAPITAL: u8 = 0x40;
pub const MARK: u8 = 0x60; // a letter only inside a word: "$price" is no "sprice"
pub const SMALL: u8 = 0xE0;

/// The letter that a class is read as, which for small ones is the class itself.
pub const fn read(class: u8) -> u32 {
    (class | SMALL) as u32
}

pub static CLASS: [u8; 256] = {
    let mut table = [BEYOND; 256];
    let mut c = 0;
    while c < 128 {
        let b = c as u8;
        table[c] = match b {
            b'\'' => IGNORED,
            b' ' | b'\t' | b'\n' | b'\r' | b'_' | b'-' | b'/' | b'.' | b':' | b'"' | b'`' | b'*' | b'#' | b'\\'
            | b'=' | b'+' | b'&' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' => JOINER,
            b'0' => DIGIT | letter_bits(b'o'),
            b'1' => DIGIT | letter_bits(b'l'),
            b'3' => DIGIT | letter_bits(b'e'),
            b'4' => DIGIT | letter_bits(b'a'),
            b'5' => DIGIT | letter_bits(b's'),
            b'7' => DIGIT | letter_bits(b't'),
            b'2' => DIGIT | 27,
            b'6' => DIGIT | 28,
            b'8' => DIGIT | 29,
            b'9' => DIGIT | 30,
            b'|' => MARK | letter_bits(b'l'),
            b'@' => MARK | letter_bits(b'a'),
            b'$' => MARK | letter_bits(b's'),
            b'a'..=b'z' => SMALL | letter_bits(b),
            b'A'..=b'Z' => CAPITAL | letter_bits(b + 32),
            _ => STOPPER,
        };
        c += 1;
    }
    table
};

const fn letter_bits(small: u8) -> u8 {
    match small {
        b'i' => b'l' & 0x1F,
        _ => small & 0x1F,
    }
}

/// The reading of a character beyond ASCII: a class, or a letter. The ranges come first, so that each character is
/// compared with few others.
pub fn beyond(c: char) -> Result<u32, u8> {
    let c = c as u32;
    Err(match c {
        0..=0x5FF => match c {
            0xAD | 0x34F | 0x300..=0x36F => IGNORED,
            0xA0 | 0xB7 => JOINER,
            0x80..=0xBF if c != 0xAA && c != 0xB5 && c != 0xBA => STOPPER,
            0xD7 | 0xF7 => STOPPER,
            _ => return Ok(letter(c)),
        },
        0x600..=0x1FFF => match c {
            0x61C | 0x180E => IGNORED,
            _ => return Ok(letter(c)),
        },
        0x2000..=0x303F => match c {
            0x2019 | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F => IGNORED,
            0x2000..=0x200A | 0x2010..=0x2012 | 0x3000 => JOINER,
            0x2013..=0x205F | 0x3001..=0x303F => STOPPER,
            _ => return Ok(letter(c)),
        },
        0x3040..=0x9FFF => match c {
            0x30FB => JOINER,
            _ => IDEOGRAPH,
        },
        0xA000..=0xFFFF => match c {
            0xAC00..=0xD7A3 | 0xF900..=0xFAFF => IDEOGRAPH,
            0xFE00..=0xFE0F | 0xFEFF => IGNORED,
            0xFF00..=0xFF0F | 0xFF1A..=0xFF20 | 0xFFFD => STOPPER,
            _ => return Ok(letter(c)),
        },
        _ => match c {
            0x20000..=0x3FFFF => IDEOGRAPH,
            0xE0000..=0xE0FFF => IGNORED,
            _ => return Ok(letter(c)),
        },
    })
}

/// The accents of U+0100 to U+017F.
const EXTENDED_A: &[u8; 128] = b"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhlllllllllllljjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

/// Small letters that are read as a Latin one, with accents or of other alphabets, all of two bytes.
const ALIKE: [(u8, &str); 20] = [
    (b'a', "аαɑàáâãäå"),
    (b'c', "сçϲ"),
    (b'd', "ԁ"),
    (b'e', "еёεèéêë"),
    (b'g', "ɡ"),
    (b'h', "һ"),
    (b'l', "іїιìíîïӏ"),
    (b'j', "ј"),
    (b'k', "кκ"),
    (b'm', "м"),
    (b'n', "ñ"),
    (b'o', "оοσòóôõöøօ"),
    (b'p', "рρ"),
    (b's', "ѕß"),
    (b't', "тτ"),
    (b'u', "υùúûüս"),
    (b'v', "ѵν"),
    (b'w', "ԝω"),
    (b'x', "хχ"),
    (b'y', "уүγýÿ"),
];

fn letter(c: u32) -> u32 {
    match c {
        0x100..=0x17F => ascii_letter(EXTENDED_A[c as usize - 0x100] as u32),
        0xFF21..=0xFF3A => ascii_letter(c - 0xFF21 + 0x41),
        0xFF41..=0xFF5A => ascii_letter(c - 0xFF41 + 0x61),
        0xFF10..=0xFF19 => ascii_letter(c - 0xFF10 + 0x30),
        0x1D400..=0x1D6A3 => ascii_letter((c - 0x1D400) % 26 + 0x61),
        0xC0..=0x5FF => alike(c),
        _ => c,
    }
}

fn ascii_letter(c: u32) -> u32 {
    read(CLASS[c as usize])
}

fn alike(c: u32) -> u32 {
    let small = match c {
        0xC0..=0xDE | 0x391..=0x3A9 | 0x410..=0x42F => c + 32,
        0x400..=0x40F => c + 80,
        _ => c,
    };
    match LOOKS[small as usize - 0xC0] {
        0 => small,
        latin => ascii_letter(latin as u32),
    }
}

static LOOKS: [u8; 0x540] = looks();

const fn looks() -> [u8; 0x540] {
    let mut table = [0; 0x540];
    let mut row = 0;
    while row < ALIKE.len() {
        let (latin, text) = ALIKE[row];
        let text = text.as_bytes();
        let mut i = 0;
        while i + 1 < text.len() {
            // Two-byte sequences, U+0080 to U+07FF.
            let c = ((text[i] & 0x1F) as usize) << 6 | (text[i + 1] & 0x3F) as usize;
            table[c - 0xC0] = latin;
            i += 2;
        }
        row += 1;
    }
    table
}
