//! Bytes spelled as characters: Python's `b'\x01\x00'`, C's `"\x01\0"`, and what gdb prints of a `char` array:
//! `"\000\177", '\000' <repeats 15 times>, "\377"`.

/// Longest repetition that is believed.
const MOST_REPEATS: usize = 4096;

/// The bytes of a text that is nothing but literals, at least one of them with an escape.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    if !text.contains('\\') {
        return None;
    }
    // What stands in front of the first quote is a name, a type or `b`.
    let open = text.find(['"', '\''])?;
    let before = text.get(..open)?;
    if before.contains(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        && !before.trim_end().ends_with(['=', 'b', '('])
    {
        return None;
    }
    let mut rest = text.get(open..)?;
    let mut bytes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;)}\\".contains(c));
        rest = rest.strip_prefix("b'").map_or(rest, |_| rest.get(1..).unwrap_or(""));
        rest = rest.strip_prefix("b\"").map_or(rest, |_| rest.get(1..).unwrap_or(""));
        let Some(quote) = rest.chars().next() else { break };
        if !matches!(quote, '"' | '\'') {
            return None;
        }
        let (mut literal, after) = one(rest.get(1..)?, quote)?;
        rest = after.trim_start();
        if let Some(tail) = rest.strip_prefix("<repeats ") {
            let (times, after) = tail.split_once(" times>")?;
            let times = times.parse::<usize>().ok().filter(|t| (1..=MOST_REPEATS).contains(t))?;
            literal = literal.repeat(times);
            rest = after;
        }
        bytes.extend(literal);
    }
    // gdb leaves the last byte of a char array out when it is 0 (`$1 = "…"`).
    if text.trim_start().starts_with('$') && (bytes.len() + 1).is_multiple_of(16) {
        bytes.push(0);
    }
    Some(bytes)
}

/// One literal behind its opening quote, and what follows the closing one.
fn one(text: &str, quote: char) -> Option<(Vec<u8>, &str)> {
    let mut bytes = Vec::new();
    let mut rest = text;
    loop {
        let c = rest.chars().next()?;
        rest = rest.get(c.len_utf8()..)?;
        if c == quote {
            return Some((bytes, rest));
        }
        if c != '\\' {
            bytes.push(u8::try_from(c).ok()?);
            continue;
        }
        let escape = rest.chars().next()?;
        let digits = |text: &str, most: usize, base: u32| {
            text.bytes().take(most).take_while(|&b| char::from(b).is_digit(base)).count()
        };
        let (value, length) = match escape {
            'x' => {
                let count = digits(rest.get(1..)?, 2, 16);
                (u8::from_str_radix(rest.get(1..1 + count)?, 16).ok()?, 1 + count)
            }
            '0'..='7' => {
                let count = digits(rest, 3, 8);
                (u8::try_from(u32::from_str_radix(rest.get(..count)?, 8).ok()?).ok()?, count)
            }
            'n' => (b'\n', 1),
            't' => (b'\t', 1),
            'r' => (b'\r', 1),
            'a' => (7, 1),
            'b' => (8, 1),
            'v' => (11, 1),
            'f' => (12, 1),
            'e' => (27, 1),
            other => (u8::try_from(other).ok()?, other.len_utf8()),
        };
        bytes.push(value);
        rest = rest.get(length..)?;
    }
}
