//! Tokens become numbers, and their spelling shows how wide each is.
//!
//! Debuggers pad: sixteen digits are a 64-bit word, eight a 32-bit word, four a 16-bit word, two a byte. A type's name or a
//! dump command beats that. Unpadded lists are 32-bit words unless a value needs more, or all of many fit a byte.

use super::clean::{Cleaned, Token};
use super::{REMEDY, Words, WordsError};

/// How a token is spelled, before its value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form<'a> {
    /// `0x` and hex digits.
    Prefixed(&'a str),
    /// Hex digits without `0x`, some of them letters.
    Letters(&'a str),
    /// Decimal digits only: hex or decimal, as the company decides.
    Digits(&'a str),
    /// A minus sign and decimal digits.
    Negative(&'a str),
}

impl<'a> Form<'a> {
    fn digits(self) -> &'a str {
        match self {
            Form::Prefixed(d) | Form::Letters(d) | Form::Digits(d) | Form::Negative(d) => d,
        }
    }
}

struct Number<'a> {
    form: Form<'a>,
    token: Token<'a>,
}

/// Bytes in one list below which small values stay 32-bit words.
const FEWEST_BYTES: usize = 16;

pub(super) fn read(cleaned: &Cleaned<'_>) -> Result<Words, WordsError> {
    let numbers = cleaned
        .tokens
        .iter()
        .map(|&token| classify(token))
        .collect::<Result<Vec<Number<'_>>, WordsError>>()?;
    let mut notes = cleaned.notes.clone();
    let stated = cleaned.base.filter(|_| !cleaned.byte_order);
    let hex = stated.map_or_else(|| bare_is_hex(&numbers, cleaned.byte_order), |base| base == 16);
    let base = stated.unwrap_or(if hex { 16 } else { 10 });
    let long = numbers.iter().any(|n| n.form.digits().len() > 16 && !matches!(n.form, Form::Negative(_)));
    let strings = cleaned.byte_order || long && hex;
    if long && hex || numbers.iter().any(|n| matches!(n.form, Form::Prefixed(d) if d.len() > 16)) {
        return long_strings(&numbers, notes);
    }
    if strings {
        let mut bytes = Vec::new();
        for number in &numbers {
            push_digits(&mut bytes, number)?;
        }
        let reading = format!("{} bytes", bytes.len());
        return Ok(Words { bytes, reading, notes });
    }
    let values = numbers
        .iter()
        .map(|n| Ok((value(n, base)?, n.token.repeat)))
        .collect::<Result<Vec<(i128, usize)>, WordsError>>()?;
    let width = match cleaned.width {
        // A type in the text may belong to something else: the values know better.
        Some(bits) => {
            if large(&values) > i128::from(u32::MAX) {
                64
            } else {
                bits
            }
        }
        None => padded(&numbers, hex).unwrap_or_else(|| {
            let usual = usual(&values);
            let Some(other) = whole_descriptor(&values, usual) else { return usual };
            notes.push(format!(
                "read as numbers of {other} bits: that many of {usual} bits are no descriptor"
            ));
            other
        }),
    };
    let mut bytes = Vec::new();
    for ((value, repeat), number) in values.iter().zip(&numbers) {
        let limit = 1i128 << width;
        if *value >= limit || *value < -(limit / 2) {
            return Err(not_a_number(number.token, format!("does not fit {width} bits")));
        }
        for _ in 0..*repeat {
            // Two's complement: the low bytes of the value are the word.
            bytes.extend(value.to_le_bytes().iter().take(width as usize / 8));
        }
    }
    let count = bytes.len() * 8 / width as usize;
    let reading =
        if width == 8 { format!("{count} bytes") } else { format!("{count} words of {width} bits") };
    let bare = numbers.iter().any(|n| matches!(n.form, Form::Digits(d) if d.len() > 1));
    if bare && !hex && numbers.iter().all(|n| matches!(n.form, Form::Digits(_))) {
        notes.push("numbers without 0x or letters were read as decimal".to_owned());
    }
    Ok(Words { bytes, reading, notes })
}

fn classify(token: Token<'_>) -> Result<Number<'_>, WordsError> {
    let text = token.text;
    let lower_x = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let form = if let Some(rest) = lower_x {
        Form::Prefixed(suffix_off(rest, true))
    } else if let Some(rest) = text.strip_prefix('-') {
        Form::Negative(suffix_off(rest, false))
    } else {
        let plain = suffix_off(text, false);
        if plain.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'_' | b'\'')) {
            Form::Digits(plain)
        } else {
            Form::Letters(suffix_off(text, true))
        }
    };
    let digits = form.digits();
    let decimal = matches!(form, Form::Digits(_) | Form::Negative(_));
    let fine =
        |b: u8| matches!(b, b'_' | b'\'') || if decimal { b.is_ascii_digit() } else { b.is_ascii_hexdigit() };
    if digits.is_empty() || !digits.bytes().all(fine) {
        return Err(not_a_number(token, "is not a number".to_owned()));
    }
    Ok(Number { form, token })
}

/// Cuts `u`, `ULL`, `_u32`, `u64` off. Hex digits may end in letters, so only letters above `f` count there.
fn suffix_off(text: &str, hex: bool) -> &str {
    for name in ["u8", "u16", "u32", "u64", "i32", "i64"] {
        if let Some(rest) = text.strip_suffix(name).filter(|r| !r.is_empty()) {
            return rest.trim_end_matches('_');
        }
    }
    let rest = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if hex { rest } else { rest.trim_end_matches('_') }
}

/// Whether tokens without `0x` are hex: some have letters, or they are padded as dumps pad.
fn bare_is_hex(numbers: &[Number<'_>], byte_order: bool) -> bool {
    if byte_order || numbers.iter().any(|n| matches!(n.form, Form::Letters(_))) {
        return true;
    }
    if numbers.iter().any(|n| matches!(n.form, Form::Prefixed(_) | Form::Negative(_))) {
        return false;
    }
    let first = numbers.first().map_or(0, |n| n.form.digits().len());
    let even = numbers.iter().all(|n| n.form.digits().len() == first);
    let padded = numbers.iter().any(|n| n.form.digits().starts_with('0'));
    // No decimal of a descriptor has more than twenty digits.
    even && (padded && matches!(first, 2 | 4 | 8 | 16)) || first > 20
}

/// Any list with a string of more than sixteen hex digits: bytes as they lie in memory, or with `0x` one big number.
fn long_strings(numbers: &[Number<'_>], mut notes: Vec<String>) -> Result<Words, WordsError> {
    let mut bytes = Vec::new();
    for number in numbers {
        if matches!(number.form, Form::Prefixed(_)) {
            let mut big = Vec::new();
            let digits = clean_digits(number);
            let padded = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits };
            push_pairs(&mut big, &padded, number)?;
            big.reverse();
            bytes.extend(big);
        } else {
            push_digits(&mut bytes, number)?;
        }
    }
    notes.push(if numbers.iter().any(|n| matches!(n.form, Form::Prefixed(_))) {
        "a long number with 0x was read with its most significant digit first".to_owned()
    } else {
        "the hex string was read as bytes in memory order".to_owned()
    });
    let reading = format!("{} bytes", bytes.len());
    Ok(Words { bytes, reading, notes })
}

fn clean_digits(number: &Number<'_>) -> String {
    number.form.digits().chars().filter(char::is_ascii_hexdigit).collect()
}

fn push_digits(bytes: &mut Vec<u8>, number: &Number<'_>) -> Result<(), WordsError> {
    let digits = clean_digits(number);
    if digits.len() % 2 == 1 {
        return Err(not_a_number(number.token, "has an odd number of hex digits".to_owned()));
    }
    for _ in 0..number.token.repeat {
        push_pairs(bytes, &digits, number)?;
    }
    Ok(())
}

fn push_pairs(bytes: &mut Vec<u8>, digits: &str, number: &Number<'_>) -> Result<(), WordsError> {
    for at in (0..digits.len()).step_by(2) {
        let byte = digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.push(byte.ok_or_else(|| not_a_number(number.token, "is not hex".to_owned()))?);
    }
    Ok(())
}

fn value(number: &Number<'_>, base: u32) -> Result<i128, WordsError> {
    let digits = clean_digits(number);
    let (radix, sign) = match number.form {
        Form::Prefixed(_) | Form::Letters(_) => (16, 1),
        Form::Digits(_) => (base, 1),
        Form::Negative(_) => (10, -1),
    };
    let magnitude = u64::from_str_radix(&digits, radix)
        .map_err(|_| not_a_number(number.token, "does not fit 64 bits".to_owned()))?;
    Ok(sign * i128::from(magnitude))
}

/// The width that equally long hex numbers show: debuggers pad.
fn padded(numbers: &[Number<'_>], hex: bool) -> Option<u32> {
    let spelled = numbers.iter().filter(|n| hex || matches!(n.form, Form::Prefixed(_) | Form::Letters(_)));
    let lengths: Vec<usize> = spelled.map(|n| n.form.digits().len()).collect();
    let &first = lengths.first()?;
    if lengths.len() != numbers.len() || lengths.iter().any(|&l| l != first) {
        return None;
    }
    match first {
        16 => Some(64),
        8 => Some(32),
        4 if numbers.len() > 1 => Some(16),
        2 if numbers.len() >= 8 => Some(8),
        _ => None,
    }
}

/// The width of numbers whose spelling shows none.
fn usual(values: &[(i128, usize)]) -> u32 {
    let large = large(values);
    let count: usize = values.iter().map(|&(_, repeat)| repeat).sum();
    if large > i128::from(u32::MAX) {
        64
    } else if large <= 0xff && count >= FEWEST_BYTES {
        8
    } else {
        32
    }
}

fn large(values: &[(i128, usize)]) -> i128 {
    values.iter().map(|&(v, _)| v.max(-(v + 1))).max().unwrap_or(0)
}

/// The width that makes a list without padding or type a descriptor, when the usual one does not and only one does.
fn whole_descriptor(values: &[(i128, usize)], width: u32) -> Option<u32> {
    const SIZES: [usize; 5] = [8, 16, 48, 80, 128];
    let count: usize = values.iter().map(|&(_, repeat)| repeat).sum();
    let whole = |bits: u32| SIZES.contains(&(count * bits as usize / 8));
    let holds = |bits: u32| values.iter().all(|&(v, _)| v < 1i128 << bits && v >= -(1i128 << (bits - 1)));
    let fitting: Vec<u32> = [8, 16, 32, 64].into_iter().filter(|&bits| whole(bits) && holds(bits)).collect();
    match fitting[..] {
        [only] if only != width && !whole(width) => Some(only),
        _ => None,
    }
}

fn not_a_number(token: Token<'_>, what: String) -> WordsError {
    let shown: String = token.text.chars().take(24).collect();
    WordsError { message: format!("`{shown}` {what}"), place: Some(token.place), remedy: REMEDY }
}
