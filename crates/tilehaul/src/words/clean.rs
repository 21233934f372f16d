//! Takes away what is not a number.
//!
//! Works line by line, because dumps are lines: an address and a colon in front, an ASCII column behind. What is left is
//! cut into tokens; names in front of `=`, brackets and quotes are decoration, types and dump commands are hints about the
//! width, anything else is an error with its place.

use super::{REMEDY, WordsError, prompt};

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
    /// Base of numbers without a prefix, when a dump command says so.
    pub(super) base: Option<u32>,
    /// Groups of hex digits stand in memory order (xxd and hexdump print bytes).
    pub(super) byte_order: bool,
    pub(super) notes: Vec<String>,
}

/// Longest repetition that is believed.
const MOST_REPEATS: usize = 4096;

pub(super) fn tokens(text: &str) -> Result<Cleaned<'_>, WordsError> {
    let mut cleaned = Cleaned::default();
    let mut registers: Vec<(u32, usize)> = Vec::new();
    let mut in_comment = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(command) = prompt::command(line) {
            cleaned.width = cleaned.width.or(command.width);
            cleaned.base = cleaned.base.or(command.base);
            continue;
        }
        let mut line = Line { behind_type: false, rest: line, column: 1, number: number + 1 };
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
    /// The last word was the name of a type.
    behind_type: bool,
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

    /// Strips `0x7ffe12:` and `0x7ffe <map+16>:` and says whether there was one.
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
        if after.trim_start().starts_with('<') && !after.trim_start().starts_with("<repeats") {
            let Some(close) = after.find('>') else { return false };
            length += close + 1;
            after = after.get(close + 1..).unwrap_or("");
        }
        if after.starts_with(':') {
            self.skip(indent + length + 1);
            return true;
        }
        false
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
        // gdb separates by tabs, and its numbers are numbers.
        if !groups.starts_with("0x") && !groups.contains('\t') && hex_digits(groups) > 0 {
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
            } else if self.rest.starts_with("...") {
                return Err(WordsError {
                    message: "`...` stands for numbers that were left out".to_owned(),
                    place: Some((self.number, self.column)),
                    remedy: "print all of them: `set print elements 0` in gdb, np.set_printoptions(threshold=sys.maxsize)",
                });
            } else if c == '[' && self.index_label() {
                // `[0] = 0x1`, as lldb prints arrays.
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

    /// Skips `[3]` in front of an equals sign, or behind a type (`unsigned long [16]`).
    fn index_label(&mut self) -> bool {
        let Some(close) = self.rest.find(']') else { return false };
        let inner = self.rest.get(1..close).unwrap_or("").trim();
        let behind = self.rest.get(close + 1..).unwrap_or("").trim_start();
        let label = !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit());
        let named = (behind.starts_with('=') && !behind.starts_with("==")) || self.behind_type;
        if label && named {
            self.skip(close + 1);
        }
        label && named
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
        self.behind_type = false;
        // A key in quotes: `"words": [`.
        let after =
            after.strip_prefix(['"', '\'']).filter(|a| a.trim_start().starts_with(':')).unwrap_or(after);
        if let Some(skipped) = not_a_value(word, after) {
            let length = self.rest.len() - after.len() + skipped;
            self.skip(length);
            return Ok(());
        }
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
        if word == "-" {
            self.skip(end);
            return Ok(());
        }
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') || is_hex_word(word) {
            // `name =` in front of a value, and `f32` or `u64` behind a value, are names although they may look like hex.
            if !(after.starts_with('=') || type_width(word).is_some()) {
                let behind = self.rest.get(end..).unwrap_or("");
                if behind.starts_with('.') && !behind.starts_with("..") {
                    return Err(WordsError {
                        message: format!("`{word}.` is a floating-point number"),
                        place: Some(place),
                        remedy: "print the bits as integers: tensor.view(torch.uint8), array.view(np.uint32)",
                    });
                }
                cleaned.tokens.push(Token { text: word, place, repeat: 1 });
                self.skip(end);
                return Ok(());
            }
        }
        if let Some(width) =
            type_code(word).filter(|_| self.rest.get(end..).is_some_and(|r| r.starts_with(['\'', '"'])))
        {
            // Python's `array('I', [..])`.
            cleaned.width = cleaned.width.or(Some(width));
        } else if word == "opaque" {
            // The one member of a CUtensorMap: 16 numbers of 64 bits.
            cleaned.width = cleaned.width.or(Some(64));
        } else if let Some(width) = type_width(word) {
            // The first type is the array's: what stands behind it counts or casts.
            cleaned.width = cleaned.width.or(Some(width));
            self.behind_type = true;
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

/// Words whose number is no value: how many bytes of `name, after` to skip behind the word.
fn not_a_value(word: &str, after: &str) -> Option<usize> {
    let number = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let lower = word.to_ascii_lowercase();
    if let Some(value) = after.strip_prefix('=')
        && ["_len", "_size", "_length", "_count"].iter().any(|end| lower.ends_with(end))
    {
        // The length that `xxd -i` writes behind the array.
        let blanks = value.len() - value.trim_start().len();
        let digits = number(value.trim_start());
        return (digits > 0).then_some(1 + blanks + digits);
    }
    if let Some(value) = after.strip_prefix(':')
        && lower == "cuda"
    {
        // torch's `device='cuda:0'`.
        return Some(1 + number(value));
    }
    if lower == "lane" || lower == "word" || lower == "dword" {
        // `lane 3: 0x10`.
        let digits = number(after);
        let label = after.get(digits..).unwrap_or("").trim_start();
        return (digits > 0 && label.starts_with([':', '='])).then_some(digits);
    }
    if lower.contains("readlane") {
        // `v_readlane_b32 s4, v0, 3 = 0x10` and `readlane(v0, 3) -> 0x10`: the value stands behind the mark.
        let mark = ["->", "=>", "=", ":"].into_iter().find_map(|m| after.find(m).map(|at| at + m.len()));
        return Some(mark.unwrap_or(after.len()));
    }
    None
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
    let name = lower.trim_start_matches("make_").trim_start_matches("std").trim_end_matches("_t");
    // CUDA's and HIP's vectors: uint4, ulonglong2; C's macros: UINT64_C.
    let vector =
        ["uchar", "char", "ushort", "short", "uint", "int", "ulonglong", "longlong", "ulong", "long"]
            .into_iter()
            .find(|base| name.strip_prefix(base).is_some_and(|n| matches!(n, "1" | "2" | "3" | "4")));
    let name = vector.unwrap_or(name).trim_end_matches("_c");
    Some(match name {
        "u8" | "uint8" | "i8" | "int8" | "byte" | "bytes" | "bytearray" | "uchar" | "char" => 8,
        "u16" | "uint16" | "i16" | "int16" | "ushort" | "short" => 16,
        "u32" | "uint32" | "i32" | "int32" | "uint" | "int" | "dword" | "b32" => 32,
        "u64" | "uint64" | "i64" | "int64" | "ulong" | "ulonglong" | "longlong" | "qword" | "cuuint64"
        | "b64" | "size" => 64,
        _ => return None,
    })
}

/// The width of an element of Python's `array` of that type code.
fn type_code(word: &str) -> Option<u32> {
    Some(match word {
        "B" | "b" => 8,
        "H" | "h" => 16,
        "I" | "i" => 32,
        "L" | "l" | "Q" | "q" => 64,
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
        || after.strip_prefix('.').is_some_and(|a| a.starts_with(|c: char| c.is_ascii_alphabetic()))
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
