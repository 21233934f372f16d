//! Takes away what is not a number.
//!
//! Works line by line, because dumps are lines: an address and a colon in front, an ASCII column behind. What is left is
//! cut into tokens; names in front of `=`, brackets and quotes are decoration, types and dump commands are hints about the
//! width, anything else is an error with its place.

use super::{REMEDY, WordsError};

/// One token of the input with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// Line and column, from 1.
    pub(super) place: (usize, usize),
    /// How often it counts (`0 <repeats 12 times>`).
    pub(super) repeat: usize,
}

/// The input without decoration.
#[derive(Debug, Default)]
pub(super) struct Cleaned<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Bits of a word, when a type name or a dump command says so.
    pub(super) width: Option<u32>,
    /// Groups of hex digits stand in memory order (xxd and hexdump print bytes).
    pub(super) byte_order: bool,
    /// Bytes spelled as a string literal with escapes.
    pub(super) literal: Option<Vec<u8>>,
    pub(super) notes: Vec<String>,
}

/// Longest repetition that is believed.
const MOST_REPEATS: usize = 4096;

pub(super) fn tokens(text: &str) -> Result<Cleaned<'_>, WordsError> {
    let mut cleaned = Cleaned::default();
    if let Some(bytes) = byte_literal(text) {
        cleaned.literal = Some(bytes);
        // One token stands for the literal, so that the input does not look empty.
        cleaned.tokens.push(Token { text: "0", place: (1, 1), repeat: 1 });
        return Ok(cleaned);
    }
    let mut registers: Vec<(u32, usize)> = Vec::new();
    let mut in_comment = false;
    for (number, line) in text.lines().enumerate() {
        let mut line = Line { rest: line, column: 1, number: number + 1 };
        line.comments(&mut in_comment);
        let dump = line.address();
        if dump {
            line.ascii_column(&mut cleaned);
        }
        line.tokens(&mut cleaned, &mut registers)?;
    }
    in_register_order(&mut cleaned, &registers);
    Ok(cleaned)
}

/// Where a line stands and what is left of it.
struct Line<'a> {
    rest: &'a str,
    column: usize,
    number: usize,
}

impl<'a> Line<'a> {
    fn skip(&mut self, bytes: usize) {
        let cut = self.rest.get(..bytes).unwrap_or(self.rest);
        self.column += cut.chars().count();
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    /// Cuts comments off: `//`, `/* */`, `#`, and `;` behind a blank (elsewhere it ends a C statement).
    fn comments(&mut self, inside: &mut bool) {
        if *inside {
            match self.rest.find("*/") {
                Some(end) => {
                    *inside = false;
                    self.skip(end + 2);
                }
                None => {
                    self.rest = "";
                    return;
                }
            }
        }
        // A block comment that ends on its line is jumped over when tokens are cut; here only where text stops.
        if let Some(start) = self.rest.find("/*")
            && !self.rest.get(start..).unwrap_or("").contains("*/")
        {
            *inside = true;
            self.rest = self.rest.get(..start).unwrap_or("");
        }
        for mark in ["//", "#", " ;", "\t;"] {
            if let Some(start) = self.rest.find(mark) {
                self.rest = self.rest.get(..start).unwrap_or("");
            }
        }
    }

    /// Strips `0x7ffe12:`, `0x7ffe <map+16>:`, `00000010  ` (hexdump) and says whether there was one.
    fn address(&mut self) -> bool {
        let trimmed = self.rest.trim_start();
        let indent = self.rest.len() - trimmed.len();
        let digits = hex_digits(trimmed.strip_prefix("0x").unwrap_or(trimmed));
        let prefix = if trimmed.starts_with("0x") { digits + 2 } else { digits };
        if digits == 0 {
            return false;
        }
        let mut after = trimmed.get(prefix..).unwrap_or("");
        let mut length = prefix;
        let spaces = after.len() - after.trim_start().len();
        if after.trim_start().starts_with('<') && !after.trim_start().starts_with("<repeats") {
            let Some(close) = after.find('>') else { return false };
            length += close + 1;
            after = after.get(close + 1..).unwrap_or("");
        }
        if after.starts_with(':') {
            self.skip(indent + length + 1);
            return true;
        }
        // `hexdump -C`: eight digits, two blanks, bytes. A list of words never pads with two blanks after the first only.
        let bytes = after.trim_start();
        let hexdump = digits == 8 && prefix == 8 && spaces >= 2 && hex_digits(bytes) == 2;
        let closing = digits == 8 && prefix == 8 && after.trim().is_empty() && self.number > 1 && indent == 0;
        if hexdump {
            self.skip(indent + length);
        } else if closing && self.looks_like_final_offset() {
            self.rest = "";
        }
        hexdump
    }

    /// `hexdump -C` ends with a line that holds nothing but the length: a multiple of nothing else, small.
    fn looks_like_final_offset(&self) -> bool {
        self.rest.trim().strip_prefix("0000").is_some()
    }

    /// Cuts the ASCII column of a dump line: behind `|`, or behind two blanks after the last group of bytes.
    fn ascii_column(&mut self, cleaned: &mut Cleaned<'_>) {
        if let Some(bar) = self.rest.find('|') {
            cleaned.byte_order = true;
            self.rest = self.rest.get(..bar).unwrap_or("");
            return;
        }
        let groups = self.rest.trim_start();
        let offset = self.rest.len() - groups.len();
        if !groups.starts_with("0x") && hex_digits(groups) > 0 {
            if let Some(gap) = groups.find("  ") {
                // `xxd` and lldb's `memory read` print bytes, then two blanks, then the characters.
                cleaned.byte_order = true;
                self.rest = self.rest.get(..offset + gap).unwrap_or("");
            } else if matches!(hex_digits(groups), 2 | 4) {
                cleaned.byte_order = true;
            }
        }
    }

    fn tokens(
        &mut self,
        cleaned: &mut Cleaned<'a>,
        registers: &mut Vec<(u32, usize)>,
    ) -> Result<(), WordsError> {
        while !self.rest.is_empty() {
            let c = self.rest.chars().next().unwrap_or(' ');
            if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").map_or(self.rest.len(), |e| e + 2);
                self.skip(end);
            } else if self.rest.starts_with("<repeats") {
                self.repeats(cleaned)?;
            } else if c == ';' {
                self.statement_end();
            } else if c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-' | '%') {
                self.word(cleaned, registers)?;
            } else if c.is_whitespace() || ",[]{}()=:|\"'&*<>+.\\`".contains(c) {
                self.skip(c.len_utf8());
            } else if c == '\u{1b}' {
                // A colour code copied from a terminal.
                let end = self.rest.find('m').map_or(self.rest.len(), |e| e + 1);
                self.skip(end);
            } else {
                return Err(self.error(c.to_string()));
            }
        }
        Ok(())
    }

    fn word(
        &mut self,
        cleaned: &mut Cleaned<'a>,
        registers: &mut Vec<(u32, usize)>,
    ) -> Result<(), WordsError> {
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '\'');
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let tail = self.rest.get(first..).unwrap_or("");
        let mut end = first + tail.find(|c| !inside(c)).unwrap_or(tail.len());
        // `'` separates digits in C++ only between digits; elsewhere it is a quote.
        if let Some(quote) = self.rest.get(..end).and_then(|w| w.find('\'')) {
            let next = self.rest.get(quote + 1..).and_then(|r| r.chars().next());
            if !next.is_some_and(|c| c.is_ascii_hexdigit()) {
                end = quote;
            }
        }
        let word = self.rest.get(..end).unwrap_or(self.rest);
        let place = (self.number, self.column);
        let after = self.rest.get(end..).unwrap_or("").trim_start();
        if let Some(label) = register(word, after) {
            // `s[4:11] =`, `s4: 0x..`, `s4  0x1  1` (rocgdb prints hex and decimal: the decimal is dropped).
            if let Some(index) = label.index {
                registers.push((index, cleaned.tokens.len()));
            }
            let skipped = self.rest.len() - after.len() + label.bytes;
            self.skip(if label.bytes > 0 { skipped } else { end });
            self.drop_decimal_echo();
            return Ok(());
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') || is_hex_word(word) {
            // `name =` in front of a value, and `f32` or `u64` behind a value, are names although they may look like hex.
            if !(after.starts_with('=') || type_width(word).is_some()) {
                cleaned.tokens.push(Token { text: word, place, repeat: 1 });
                self.skip(end);
                return Ok(());
            }
        }
        if let Some(width) = type_width(word) {
            cleaned.width = Some(width);
        } else if word.eq_ignore_ascii_case("x") && after.starts_with('/') {
            // A gdb command line `x/16gx &map` pasted with its answer.
            let command_end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
            let command = self.rest.get(..command_end).unwrap_or("");
            cleaned.width = command.chars().rev().find_map(|c| match c {
                'b' => Some(8),
                'h' => Some(16),
                'w' => Some(32),
                'g' => Some(64),
                _ => None,
            });
            let length = self.rest.len();
            self.skip(length);
            return Ok(());
        } else if !is_decoration(word, after) {
            return Err(self.error(word.to_owned()));
        }
        self.skip(end);
        Ok(())
    }

    /// `;` ends a C statement; in Rust's `[u32; 4]` the count behind it is no value.
    fn statement_end(&mut self) {
        let behind = self.rest.get(1..).unwrap_or("");
        let count = behind.trim_start();
        let digits = count.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && count.get(digits..).is_some_and(|r| r.trim_start().starts_with(']')) {
            self.skip(1 + behind.len() - count.len() + digits);
        } else {
            self.skip(1);
        }
    }

    /// rocgdb's `info registers` prints `s4  0x1  1`: the second number repeats the first.
    fn drop_decimal_echo(&mut self) {
        let parts: Vec<&str> = self.rest.split_whitespace().collect();
        if let [hex, decimal] = parts[..] {
            let value = hex.strip_prefix("0x").and_then(|h| u64::from_str_radix(h, 16).ok());
            // Compared as 32-bit words, for signed registers print negative decimals.
            let echo = decimal.parse::<i64>().ok().map(|d| d as u32);
            if value.is_some() && value.map(|v| v as u32) == echo {
                let end = self.rest.rfind(decimal).unwrap_or(self.rest.len());
                self.rest = self.rest.get(..end).unwrap_or("");
            }
        }
    }

    /// gdb's `<repeats 12 times>` behind a value.
    fn repeats(&mut self, cleaned: &mut Cleaned<'_>) -> Result<(), WordsError> {
        let end = self.rest.find('>').map_or(self.rest.len(), |e| e + 1);
        let text = self.rest.get(..end).unwrap_or("");
        let times = text.split_whitespace().nth(1).and_then(|n| n.parse::<usize>().ok());
        match (times, cleaned.tokens.last_mut()) {
            (Some(times), Some(last)) if (1..=MOST_REPEATS).contains(&times) => last.repeat = times,
            _ => return Err(self.error(text.to_owned())),
        }
        self.skip(end);
        Ok(())
    }

    fn error(&self, text: String) -> WordsError {
        let shown: String = text.chars().take(24).collect();
        WordsError {
            message: format!("`{shown}` is not a number"),
            place: Some((self.number, self.column)),
            remedy: REMEDY,
        }
    }
}

fn hex_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_hexdigit).count()
}

/// Letters a-f only, in lengths that dumps print: `deadbeef` is a word, `bad` or `face` in prose is not worth a guess.
fn is_hex_word(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_hexdigit()) && (matches!(word.len(), 2 | 4 | 8) || word.len() >= 16)
}

struct Register {
    /// Bytes of `[4:11]` behind the name.
    bytes: usize,
    /// Number of the register, or index into the array, where one value follows.
    index: Option<u32>,
}

/// Recognises `s4`, `$s4`, `v7`, `ttmp9`, `s[4:11]`, and `words[3] =`. An index in a declaration (`uint32_t g0[4] = {`)
/// is swallowed too but orders nothing.
fn register(word: &str, after: &str) -> Option<Register> {
    let name = word.trim_start_matches(['$', '%']).to_ascii_lowercase();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    if after.starts_with('[') && type_width(word).is_none() {
        let close = after.find(']')?;
        let inner = after.get(1..close)?.trim();
        let (first, last) = inner.split_once(':').unwrap_or((inner, inner));
        let index = first.trim().parse().ok();
        let numbers = index.is_some() && last.trim().parse::<u32>().is_ok();
        if !numbers && !inner.is_empty() {
            return None;
        }
        let behind = after.get(close + 1..).unwrap_or("").trim_start();
        let value = behind.trim_start_matches(['=', ':']).trim_start();
        let one_value = behind.len() > value.len() && !value.starts_with(['{', '[']);
        return Some(Register { bytes: close + 1, index: index.filter(|_| one_value && first == last) });
    }
    ["sgpr", "vgpr", "ttmp", "s", "v"].iter().find_map(|family| {
        let index = name.strip_prefix(family)?.parse().ok()?;
        Some(Register { bytes: 0, index: Some(index) })
    })
}

/// The width that a type's name states.
fn type_width(word: &str) -> Option<u32> {
    let lower = word.to_ascii_lowercase();
    let name = lower.trim_start_matches("std").trim_end_matches("_t");
    Some(match name {
        "u8" | "uint8" | "i8" | "int8" | "byte" | "bytes" | "bytearray" | "uchar" => 8,
        "u16" | "uint16" | "i16" | "int16" | "ushort" | "short" => 16,
        "u32" | "uint32" | "i32" | "int32" | "uint" | "int" | "dword" | "b32" => 32,
        "u64" | "uint64" | "i64" | "int64" | "ulong" | "qword" | "cuuint64" | "b64" => 64,
        _ => return None,
    })
}

/// Words that stand around numbers in C, Python, Rust and debuggers, and names in front of `=` or an index.
fn is_decoration(word: &str, after: &str) -> bool {
    const AROUND: &[&str] = &[
        "const",
        "constexpr",
        "static",
        "unsigned",
        "signed",
        "long",
        "char",
        "alignas",
        "let",
        "mut",
        "vec",
        "np",
        "numpy",
        "array",
        "dtype",
        "torch",
        "tensor",
        "list",
        "tuple",
        "opaque",
        "auto",
        "CUtensorMap",
        "hex",
        "fromhex",
        "from_hex",
        "struct",
        "volatile",
        "std",
        "words",
        "print",
        "p",
        "x",
        "lldb",
        "gdb",
        "rocgdb",
        "cuda",
        "memory",
        "read",
        "Out",
        "device",
        "cpu",
        "end",
    ];
    let name = word.trim_start_matches(['$', '%', '-']);
    AROUND.contains(&name)
        || name.is_empty()
        || name.parse::<u32>().is_ok()
        || after.starts_with('=') && !after.starts_with("==")
        || after.starts_with('[')
        || after.starts_with(':')
}

/// `b'\x01\x00'` and C's `"\x01\x00"`.
fn byte_literal(text: &str) -> Option<Vec<u8>> {
    let trimmed = text.trim().trim_end_matches([';', ',', ')']);
    if !trimmed.contains("\\x") {
        return None;
    }
    let open = trimmed.find(['"', '\''])?;
    let quote = trimmed.get(open..)?.chars().next()?;
    let close = trimmed.rfind(quote).filter(|&c| c > open)?;
    let mut bytes = Vec::new();
    let mut rest = trimmed.get(open + 1..close)?.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.push(u8::try_from(c).ok()?);
            continue;
        }
        match rest.next()? {
            'x' => {
                let pair: String = rest.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&pair, 16).ok()?);
            }
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            '0' => bytes.push(0),
            other => bytes.push(u8::try_from(other).ok()?),
        }
    }
    Some(bytes)
}

/// Register dumps may list registers out of order; one value a register is put in order, ranges are left alone.
fn in_register_order(cleaned: &mut Cleaned<'_>, registers: &[(u32, usize)]) {
    let one_each = registers.len() == cleaned.tokens.len()
        && registers.iter().enumerate().all(|(i, &(_, token))| token == i)
        && registers.len() > 1;
    if !one_each || registers.is_sorted() {
        return;
    }
    let mut order: Vec<(u32, Token<'_>)> =
        registers.iter().zip(&cleaned.tokens).map(|(&(index, _), &token)| (index, token)).collect();
    order.sort_by_key(|&(index, _)| index);
    for (slot, (_, token)) in cleaned.tokens.iter_mut().zip(order) {
        *slot = token;
    }
    cleaned.notes.push("the registers were put in ascending order".to_owned());
}
