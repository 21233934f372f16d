//! Reading characters: the part that all notations share.

use super::TextError;
use crate::strided::LayoutError;

/// Longest text of a layout, in bytes.
pub const MAX_TEXT: usize = 1 << 16;
/// Deepest nesting of brackets.
const MAX_DEPTH: u32 = 32;

/// A text and a place in it.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: u32,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Result<Scanner<'a>, TextError> {
        if text.len() > MAX_TEXT {
            return Err(TextError {
                at: MAX_TEXT,
                message: format!("a layout text has at most {MAX_TEXT} bytes"),
                unsupported: false,
            });
        }
        Ok(Scanner { text, at: 0, depth: 0 })
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes `what` if it comes next, blanks apart.
    pub(super) fn eat(&mut self, what: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    pub(super) fn expect(&mut self, what: &str) -> Result<(), TextError> {
        if self.eat(what) { Ok(()) } else { Err(self.wrong(format!("expected {what}"))) }
    }

    pub(super) fn peek(&mut self) -> Option<char> {
        self.blanks();
        self.rest().chars().next()
    }

    /// A name of letters, digits and underscores, dots included where the caller's words have them.
    pub(super) fn word(&mut self, dots: bool) -> Option<&'a str> {
        self.blanks();
        let rest = self.rest();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || (dots && (c == '.' || c == '#'));
        let end = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        let word = rest.get(..end).filter(|w| !w.is_empty())?;
        self.at += end;
        Some(word)
    }

    /// A whole number with an optional sign.
    pub(super) fn number(&mut self) -> Result<i64, TextError> {
        self.blanks();
        let start = self.at;
        let sign = if self.eat("-") { "-" } else { "" };
        let digits = self.rest();
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let word = digits.get(..end).unwrap_or("");
        if word.is_empty() {
            self.at = start;
            return Err(self.wrong("expected a whole number"));
        }
        self.at += end;
        format!("{sign}{word}").parse().map_err(|_| {
            self.at = start;
            self.wrong(format!("{sign}{word} does not fit 64 bits"))
        })
    }

    /// A whole number that is not negative.
    pub(super) fn count(&mut self) -> Result<u64, TextError> {
        self.blanks();
        let start = self.at;
        let number = self.number()?;
        u64::try_from(number).map_err(|_| {
            self.at = start;
            self.wrong(format!("{number} must not be negative"))
        })
    }

    /// Counts one level of nesting in.
    pub(super) fn enter(&mut self) -> Result<(), TextError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong(format!("more than {MAX_DEPTH} levels of brackets")));
        }
        Ok(())
    }

    /// Counts one level of nesting out.
    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Items between `open` and `close`, separated by commas; a comma may follow the last one.
    pub(super) fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        self.expect(open)?;
        self.enter()?;
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
                if self.eat(close) {
                    break;
                }
            }
            items.push(item(self)?);
        }
        self.leave();
        Ok(items)
    }

    pub(super) fn end(&mut self) -> Result<(), TextError> {
        self.blanks();
        if self.rest().is_empty() { Ok(()) } else { Err(self.wrong("expected the end of the layout")) }
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> TextError {
        let mut message = message.into();
        if message.starts_with("expected") {
            let next: String = self.rest().chars().take(12).collect();
            let next = if next.is_empty() { "the end".into() } else { format!("\"{next}\"") };
            message = format!("{message}, found {next}");
        }
        TextError { at: self.at, message, unsupported: false }
    }

    pub(super) fn unsupported(&self, message: impl Into<String>) -> TextError {
        TextError { at: self.at, message: message.into(), unsupported: true }
    }

    /// A layout that cannot be built, reported at `at`.
    pub(super) fn failed(at: usize) -> impl Fn(LayoutError) -> TextError {
        move |e| TextError { at, message: e.0, unsupported: false }
    }
}
