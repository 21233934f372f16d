//! Numbers as people write them on a command line: decimal, or hex with `0x`, with `_` between digits.

/// A whole number of 64 bits.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    if text.trim_start().starts_with('-') {
        return Err("it is negative; the least is 0".to_owned());
    }
    u64::try_from(signed(text)?).map_err(|_| format!("it does not fit 64 bits; the most is {}", u64::MAX))
}

/// A whole number of any sign.
pub(crate) fn signed(text: &str) -> Result<i128, String> {
    let digits = text.trim().replace('_', "");
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, digits.as_str()),
    };
    let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => digits.parse::<u128>(),
    };
    let magnitude = parsed
        .ok()
        .filter(|_| !digits.starts_with('+'))
        .and_then(|m| i128::try_from(m).ok())
        .filter(|&m| m < 1 << 100);
    magnitude.map(|m| sign * m).ok_or_else(|| "not a whole number; write decimal, or hex with 0x".to_owned())
}

/// A coordinate: a whole number of 32 bits with a sign.
pub(crate) fn coordinate(text: &str) -> Result<i32, String> {
    i32::try_from(signed(text)?).map_err(|_| format!("it does not fit {} to {}", i32::MIN, i32::MAX))
}

/// A whole number of 64 bits with a sign.
pub(crate) fn small_signed(text: &str) -> Result<i64, String> {
    i64::try_from(signed(text)?).map_err(|_| format!("it does not fit {} to {}", i64::MIN, i64::MAX))
}

/// A number of seeds. Each is a run of the whole launch, so that more than this never ends.
pub(crate) fn seeds(text: &str) -> Result<u64, String> {
    const MOST: u64 = 65_536;
    let seeds = number(text)?;
    if seeds > MOST { Err(format!("at most {MOST} seeds can be asked for")) } else { Ok(seeds) }
}

/// `NAME=NUMBER`.
pub(crate) fn assignment(text: &str) -> Result<(String, i128), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    Ok((name.trim().to_owned(), signed(value)?))
}
