//! Dumps whose lines begin with an offset: `xxd`, `hexdump`, `hexdump -C`, `od` in any format, lldb's `memory read`.
//!
//! An offset without a colon looks like a word of the dump. It is an offset when the offsets of neighbouring lines differ by
//! what a line holds; that also gives the width of a group. `*` stands for lines like the one above, and the next offset says how
//! many.

use super::{Words, WordsError};

/// Most bytes that a `*` may stand for.
const MOST_BYTES: u64 = 1 << 20;

/// One line.
#[derive(Debug)]
enum Line<'a> {
    Row(Row<'a>),
    /// `*`.
    Same,
}

#[derive(Debug)]
struct Row<'a> {
    offset: &'a str,
    /// The offset ends in a colon, as xxd and lldb print it.
    colon: bool,
    groups: Vec<&'a str>,
    /// The characters behind the groups.
    characters: Option<&'a str>,
}

/// How the groups of a dump are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Groups {
    /// Digits of bytes in memory order.
    Memory,
    /// Numbers of this many bytes in this base, little end first.
    Numbers { bytes: usize, base: u32 },
}

/// The bytes of a dump with offsets; `None` when the text is none.
///
/// # Errors
/// When it is a dump, but one that leaves more out than a descriptor has.
pub(super) fn read(text: &str) -> Option<Result<Words, WordsError>> {
    let lines: Vec<Line<'_>> =
        text.lines().filter(|line| !line.trim().is_empty()).map(line).collect::<Option<Vec<_>>>()?;
    let rows: Vec<&Row<'_>> = lines.iter().filter_map(row).collect();
    let first = rows.first()?;
    if first.groups.is_empty() || rows.iter().any(|r| r.colon != first.colon) {
        return None;
    }
    // Offsets such as 20, 40, 60 fit several bases; lines hold 16 bytes unless somebody asked for another number.
    let mut bases = [16, 8, 10];
    bases.sort_by_key(|&base| {
        offsets(&rows, base).and_then(|o| step(&lines, &o, &rows)).is_none_or(|step| step != 16)
    });
    bases.iter().find_map(|&base| decode(&lines, &rows, base))
}

fn offsets(rows: &[&Row<'_>], base: u32) -> Option<Vec<u64>> {
    rows.iter().map(|r| u64::from_str_radix(r.offset, base).ok()).collect()
}

fn row<'l, 'a>(line: &'l Line<'a>) -> Option<&'l Row<'a>> {
    match line {
        Line::Row(row) => Some(row),
        Line::Same => None,
    }
}

/// A line as offset, groups and characters; `None` when it is something else.
fn line(text: &str) -> Option<Line<'_>> {
    let text = text.trim_end();
    if text.trim() == "*" {
        return Some(Line::Same);
    }
    let text = text.trim_start();
    let bare = text.strip_prefix("0x").unwrap_or(text);
    let digits = bare.bytes().take_while(u8::is_ascii_hexdigit).count();
    let offset = bare.get(..digits)?;
    let after = bare.get(digits..)?;
    let colon = after.starts_with(':');
    let rest = after.strip_prefix(':').unwrap_or(after);
    let starts_so = rest.is_empty() || rest.starts_with([' ', '\t']);
    // Six digits are the shortest that any tool prints.
    if !starts_so || digits < 6 || (bare.len() != text.len() && !colon) {
        return None;
    }
    let rest = rest.trim_start();
    let (body, characters) = match rest.find(" |").or_else(|| rest.find(" >")) {
        Some(bar) => {
            let inside = rest.get(bar + 2..).unwrap_or("");
            (rest.get(..bar).unwrap_or(""), Some(inside.trim_end_matches(['|', '<'])))
        }
        // xxd and lldb put two blanks between bytes and characters.
        None if colon => match rest.find("  ") {
            Some(gap) => (rest.get(..gap).unwrap_or(""), rest.get(gap..).map(str::trim_start)),
            None => (rest, None),
        },
        None => (rest, None),
    };
    let groups: Vec<&str> = body.split_whitespace().collect();
    let number = |g: &&str| {
        let digits = g.strip_prefix('-').unwrap_or(g);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit())
    };
    groups.iter().all(number).then_some(Line::Row(Row { offset, colon, groups, characters }))
}

/// The dump with its offsets in one base, when they fit.
fn decode(lines: &[Line<'_>], rows: &[&Row<'_>], base: u32) -> Option<Result<Words, WordsError>> {
    let offsets = offsets(rows, base)?;
    let step = step(lines, &offsets, rows)?;
    let full = rows.first()?.groups.len();
    let groups = groups(rows, step, full)?;
    let mut bytes = Vec::new();
    let mut at = 0;
    let mut last: Vec<u8> = Vec::new();
    let start = *offsets.first()?;
    for line in lines {
        match line {
            Line::Same => {
                let next = offsets.get(at).and_then(|o| o.checked_sub(start))?;
                if next > MOST_BYTES {
                    return Some(Err(WordsError {
                        message: format!("the dump stands for {next} bytes, far more than any descriptor"),
                        place: None,
                        remedy: "cut out the 128 bytes or fewer that matter",
                    }));
                }
                while (bytes.len() as u64) < next && !last.is_empty() {
                    bytes.extend_from_slice(&last);
                }
            }
            Line::Row(row) => {
                let offset = offsets.get(at)?.checked_sub(start)?;
                if offset != bytes.len() as u64 {
                    return None;
                }
                at += 1;
                last = self::bytes(row, groups)?;
                bytes.extend_from_slice(&last);
            }
        }
    }
    let reading = format!("{} bytes of a dump with offsets", bytes.len());
    Some(Ok(Words { bytes, reading, notes: Vec::new() }))
}

/// Bytes of a full line.
fn step(lines: &[Line<'_>], offsets: &[u64], rows: &[&Row<'_>]) -> Option<u64> {
    let mut at = 0;
    for pair in lines.windows(2) {
        if let Line::Row(_) = pair[0] {
            at += 1;
            if let Line::Row(_) = pair[1] {
                return offsets.get(at)?.checked_sub(*offsets.get(at - 1)?);
            }
        }
    }
    // One line with words: only digits say how wide its groups are, and what tells that it has an offset is a colon, hexdump's
    // characters, or a further line with the end.
    let row = rows.first()?;
    if rows.len() > 1 {
        return Some(row.groups.iter().map(|g| g.len() as u64).sum::<u64>() / 2);
    }
    let digits: usize = row.groups.iter().map(|g| g.len()).sum();
    let bytes = row.groups.iter().all(|g| g.len() == 2);
    (row.colon || bytes && row.characters.is_some()).then_some(digits as u64 / 2)
}

fn groups(rows: &[&Row<'_>], step: u64, full: usize) -> Option<Groups> {
    let all = || rows.iter().flat_map(|r| &r.groups);
    let digits = all().next()?.len();
    let even = all().all(|g| g.len() == digits && !g.starts_with('-'));
    let fits = |width: usize| full as u64 * width as u64 == step && matches!(width, 1 | 2 | 4 | 8);
    if rows.first()?.colon {
        // The last group of a dump may be cut short.
        let hex = all().all(|g| g.len().is_multiple_of(2) && !g.starts_with('-'));
        if !hex {
            return None;
        }
        if even && matches!(digits, 8 | 16) && little(rows) {
            return Some(Groups::Numbers { bytes: digits / 2, base: 16 });
        }
        return Some(Groups::Memory);
    }
    if even && digits.is_multiple_of(2) && fits(digits / 2) {
        return Some(Groups::Numbers { bytes: digits / 2, base: 16 });
    }
    let width = usize::try_from(step.checked_div(full as u64)?).ok().filter(|&w| fits(w))?;
    // od's octal digits: three a byte, six, eleven and twenty-two for two, four and eight.
    let octal = even && [3, 6, 0, 11, 0, 0, 0, 22].get(width - 1) == Some(&digits);
    let base = if octal { 8 } else { 10 };
    let digit = |b: u8| b == b'-' || char::from(b).is_digit(base);
    all().all(|g| g.bytes().all(digit)).then_some(Groups::Numbers { bytes: width, base })
}

/// Whether groups of a dump with characters are numbers (`xxd -e`) rather than bytes (`xxd -g 4`): the characters tell.
fn little(rows: &[&Row<'_>]) -> bool {
    let printed = |bytes: &[u8]| -> String {
        bytes.iter().map(|&b| if (0x20..0x7f).contains(&b) { char::from(b) } else { '.' }).collect()
    };
    let mut votes = (0, 0);
    for row in rows {
        let Some(characters) = row.characters else { continue };
        let memory = bytes(row, Groups::Memory).map(|b| printed(&b));
        let width = row.groups.first().map_or(8, |g| g.len()) / 2;
        let numbers = bytes(row, Groups::Numbers { bytes: width, base: 16 }).map(|b| printed(&b));
        votes.0 += usize::from(memory.as_deref() == Some(characters));
        votes.1 += usize::from(numbers.as_deref() == Some(characters));
    }
    votes.1 > votes.0
}

/// The bytes of a line.
fn bytes(row: &Row<'_>, groups: Groups) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    for group in &row.groups {
        match groups {
            Groups::Memory => {
                for at in (0..group.len()).step_by(2) {
                    out.push(u8::from_str_radix(group.get(at..at + 2)?, 16).ok()?);
                }
            }
            Groups::Numbers { bytes, base } => {
                let value = i128::from_str_radix(group, base).ok()?;
                let limit = 1i128 << (8 * bytes);
                if value >= limit || value < -(limit / 2) {
                    return None;
                }
                out.extend(value.to_le_bytes().iter().take(bytes));
            }
        }
    }
    Some(out)
}
