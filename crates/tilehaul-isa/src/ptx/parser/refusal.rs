//! What is told of text that cannot be read, and where reading goes on behind it.

use tilehaul_diag::{Code, Diagnostic, Level, Span};

use super::Parser;

pub(super) const SYNTAX: Code = Code("ptx-syntax");

/// More than this is noise; the last one says that there are more.
const MAX_DIAGNOSTICS: usize = 64;

/// What went wrong in a statement; the reader then skips to the next one.
pub(super) struct Refusal {
    span: Span,
    text: String,
}

impl Parser<'_> {
    pub(super) fn refusal(&self, start: usize, text: String) -> Refusal {
        Refusal { span: self.at.span(start), text }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Refusal {
        let mut at = self.at.clone();
        at.skip();
        let found = match at.byte() {
            None => "the text ends here".to_owned(),
            Some(_) => {
                let mut word = at.clone();
                let text = match word.ident() {
                    Some(name) => name.to_owned(),
                    None => {
                        let rest = word.until(b'\n');
                        rest.chars().next().map(String::from).unwrap_or_default()
                    }
                };
                format!("found {text}")
            }
        };
        Refusal { span: at.here(), text: format!("expected {wanted}, {found}") }
    }

    pub(super) fn refuse(&mut self, refusal: Refusal) {
        let message = format!("The PTX text cannot be read here: {}.", refusal.text);
        self.tell(Diagnostic::new(SYNTAX, Level::Error, message).at(refusal.span, refusal.text));
    }

    pub(super) fn tell(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else {
            self.suppressed += 1;
        }
    }

    pub(super) fn recover_at_module_level(&mut self) {
        // To the end of this statement, or past the body if one starts first.
        loop {
            self.at.skip();
            match self.at.byte() {
                None => return,
                Some(b';') => {
                    self.at.advance(1);
                    return;
                }
                Some(b'{') => {
                    self.skip_braces();
                    // A body ends here; an initialiser goes on to its semicolon.
                    self.at.skip();
                    if !matches!(self.at.byte(), Some(b'}' | b',' | b';')) {
                        return;
                    }
                }
                Some(b'"') => {
                    let _ = self.at.string();
                }
                Some(_) => self.at.advance(1),
            }
        }
    }

    pub(super) fn skip_braces(&mut self) {
        let mut depth = 0u64;
        loop {
            self.at.skip();
            match self.at.byte() {
                None => return,
                Some(b'{') => depth += 1,
                Some(b'}') => depth = depth.saturating_sub(1),
                Some(b'"') => {
                    let _ = self.at.string();
                    continue;
                }
                Some(_) => {}
            }
            self.at.advance(1);
            if depth == 0 {
                return;
            }
        }
    }
}
