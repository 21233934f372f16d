//! One thing tilehaul has to say.

use std::borrow::Cow;
use std::fmt;

use crate::{Source, Span};

/// A stable name such as `tma-inner-box-bytes` or `read-before-landing`. Never reused for another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How much a diagnostic matters. Only [`Level::Error`] changes an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A finding: can give a wrong result, a hang or a dead launch; or an input that cannot be used.
    Error,
    /// A hint that turns `clean` into `clean-with-hint` and `accepted` into `accepted-with-hint`.
    Warning,
    /// A hint that changes no verdict.
    Note,
}

impl Level {
    /// `error`, `warning` or `note`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// A place and what is to be seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

/// One thing tilehaul has to say: the title alone makes sense, the rest helps to act on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name.
    pub code: Code,
    /// How much it matters.
    pub level: Level,
    /// One sentence that makes sense alone: the thing as the user wrote it, its value, the limit.
    pub message: String,
    /// Where it happened; absent for inputs without text.
    pub primary: Option<Label>,
    /// Other places that matter: the earlier access, the wait that did not cover it.
    pub secondary: Vec<Label>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// The smallest change that mends it, as an imperative sentence.
    pub fix: Option<Cow<'static, str>>,
    /// Where the rule is known from.
    pub source: Option<Source>,
}

impl Diagnostic {
    /// A diagnostic with a code, a level and its one sentence.
    #[must_use]
    pub fn new(code: Code, level: Level, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            level,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            fix: None,
            source: None,
        }
    }

    /// Says where it happened.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a sentence.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn fix(mut self, text: impl Into<Cow<'static, str>>) -> Diagnostic {
        self.fix = Some(text.into());
        self
    }

    /// Cites the rule.
    #[must_use]
    pub fn source(mut self, source: Source) -> Diagnostic {
        self.source = Some(source);
        self
    }
}
