//! Characters to words: a cursor that never leaves its text and never goes back by more than it was told.

use tilehaul_diag::{FileId, Span};

use super::ast::Immediate;

/// A position in the text.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    file: FileId,
    pos: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Cursor<'t> {
        Cursor { text, file, pos: 0 }
    }

    pub(super) fn pos(&self) -> usize {
        self.pos
    }

    pub(super) fn reset(&mut self, pos: usize) {
        self.pos = pos.min(self.text.len());
    }

    /// The place from `start` to here. Offsets fit: longer texts are refused before reading.
    pub(super) fn span(&self, start: usize) -> Span {
        let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span::new(self.file, clip(start), clip(self.pos))
    }

    /// The place of the next character.
    pub(super) fn here(&self) -> Span {
        let mut after = self.clone();
        after.advance(1);
        after.span(self.pos)
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    pub(super) fn byte_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    /// Moves on by `n` bytes, at least to a character boundary.
    pub(super) fn advance(&mut self, n: usize) {
        self.pos = (self.pos + n).min(self.text.len());
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
    }

    /// Skips blanks and comments.
    pub(super) fn skip(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&b) = bytes.get(self.pos) {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'/' if bytes.get(self.pos + 1) == Some(&b'/') => {
                    let rest = &bytes[self.pos..];
                    self.pos += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                b'/' if bytes.get(self.pos + 1) == Some(&b'*') => {
                    let rest = &self.text[self.pos + 2..];
                    self.pos = rest.find("*/").map_or(self.text.len(), |at| self.pos + 2 + at + 2);
                }
                _ => return,
            }
        }
    }

    /// Takes `c` after blanks.
    pub(super) fn eat(&mut self, c: u8) -> bool {
        self.skip();
        let found = self.byte() == Some(c);
        if found {
            self.pos += 1;
        }
        found
    }

    /// Takes a name after blanks: letters, digits, `_`, `$`, `%` in front.
    pub(super) fn ident(&mut self) -> Option<&'t str> {
        self.skip();
        let bytes = self.text.as_bytes();
        let first = *bytes.get(self.pos)?;
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'$' | b'%')) {
            return None;
        }
        let start = self.pos;
        self.pos += 1;
        while bytes.get(self.pos).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$')) {
            self.pos += 1;
        }
        Some(&self.text[start..self.pos])
    }

    /// Takes an opcode: letters, digits, `_`, dots and colons.
    pub(super) fn opcode(&mut self) -> &'t str {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        while bytes
            .get(self.pos)
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':'))
        {
            self.pos += 1;
        }
        &self.text[start..self.pos]
    }

    /// Takes `.word` after blanks and gives the word.
    pub(super) fn dot_word(&mut self) -> Option<&'t str> {
        self.skip();
        if self.byte() != Some(b'.') {
            return None;
        }
        let bytes = self.text.as_bytes();
        let start = self.pos + 1;
        let mut end = start;
        while bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'$')) {
            end += 1;
        }
        if end == start {
            return None;
        }
        self.pos = end;
        Some(&self.text[start..end])
    }

    /// Takes a string in double quotes after blanks; a missing end quote ends it at the line's end.
    pub(super) fn string(&mut self) -> Option<&'t str> {
        self.skip();
        if self.byte() != Some(b'"') {
            return None;
        }
        let start = self.pos + 1;
        let rest = &self.text.as_bytes()[start..];
        let end = rest.iter().position(|b| matches!(b, b'"' | b'\n')).unwrap_or(rest.len());
        self.pos = start + end;
        let text = &self.text[start..self.pos];
        if self.byte() == Some(b'"') {
            self.pos += 1;
        }
        Some(text)
    }

    /// Takes a number after blanks. `Err` gives the reason why what stands there is none although it starts like one.
    pub(super) fn number(&mut self) -> Option<Result<Immediate, &'static str>> {
        self.skip();
        let bytes = self.text.as_bytes();
        if !self.byte()?.is_ascii_digit() {
            return None;
        }
        let start = self.pos;
        while let Some(&b) = bytes.get(self.pos) {
            let fraction = b == b'.' && bytes.get(self.pos + 1).is_some_and(u8::is_ascii_digit);
            let exponent_sign = matches!(b, b'+' | b'-')
                && matches!(bytes[self.pos - 1], b'e' | b'E')
                && is_decimal_float_head(&bytes[start..self.pos - 1]);
            if b.is_ascii_alphanumeric() || b == b'_' || fraction || exponent_sign {
                self.pos += 1;
            } else {
                break;
            }
        }
        Some(parse_number(&self.text[start..self.pos]))
    }

    /// Everything up to `end`, which is left standing; the whole rest when it is missing.
    pub(super) fn until(&mut self, end: u8) -> &'t str {
        let start = self.pos;
        let rest = &self.text.as_bytes()[start..];
        self.pos += rest.iter().position(|&b| b == end).unwrap_or(rest.len());
        &self.text[start..self.pos]
    }
}

fn is_decimal_float_head(head: &[u8]) -> bool {
    !head.is_empty() && head.iter().all(|b| b.is_ascii_digit() || *b == b'.')
}

fn parse_number(text: &str) -> Result<Immediate, &'static str> {
    let hex_bits = |digits: &str, len: usize| {
        if digits.len() == len { u64::from_str_radix(digits, 16).ok() } else { None }
    };
    if let Some(digits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
        let bits = hex_bits(digits, 8).ok_or("0f needs exactly 8 hexadecimal digits")?;
        return Ok(Immediate::F32(bits as u32));
    }
    if let Some(digits) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0D")) {
        return hex_bits(digits, 16).map(Immediate::F64).ok_or("0d needs exactly 16 hexadecimal digits");
    }
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    if !is_hex && text.contains(['.', 'e', 'E']) {
        return text.parse::<f64>().map(|v| Immediate::F64(v.to_bits())).map_err(|_| "this is not a number");
    }
    let digits = text.strip_suffix('U').unwrap_or(text);
    let (digits, radix) = if is_hex {
        (&digits[2..], 16)
    } else if let Some(d) = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0B")) {
        (d, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    match u64::from_str_radix(digits, radix) {
        Ok(value) => Ok(Immediate::Int(value.cast_signed())),
        Err(e) if *e.kind() == std::num::IntErrorKind::PosOverflow => Err("this number does not fit 64 bits"),
        Err(_) => Err("this is not a number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<Immediate, &'static str> {
        Cursor::new(text, FileId(0)).number().unwrap()
    }

    #[test]
    fn numbers() {
        assert_eq!(number("12"), Ok(Immediate::Int(12)));
        assert_eq!(number("0x10"), Ok(Immediate::Int(16)));
        assert_eq!(number("0xffffffffffffffff"), Ok(Immediate::Int(-1)));
        assert_eq!(number("0b101U"), Ok(Immediate::Int(5)));
        assert_eq!(number("017"), Ok(Immediate::Int(15)));
        assert_eq!(number("0f3F800000"), Ok(Immediate::F32(0x3f80_0000)));
        assert_eq!(number("0d3FF0000000000000"), Ok(Immediate::F64(1f64.to_bits())));
        assert_eq!(number("1.5e+3"), Ok(Immediate::F64(1500f64.to_bits())));
        assert!(number("0f12").is_err());
        assert!(number("0x1ffffffffffffffff").is_err());
        assert!(number("12abc").is_err());
    }
}
