//! Rules of descriptors: stable names, levels and sources.

use std::borrow::Cow;

use tilehaul_diag::{Code, Diagnostic, Level, Source};

/// One rule that a descriptor can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable name, such as `tma-inner-box-swizzle`.
    pub code: Code,
    /// [`Level::Error`] makes the descriptor illegal; a warning or a note does not.
    pub level: Level,
    /// The rule itself as one sentence, without the numbers of a case.
    pub text: &'static str,
    /// Where it is known from.
    pub source: Source,
}

impl Rule {
    /// A rule that makes a descriptor illegal when broken.
    #[must_use]
    pub const fn error(code: &'static str, text: &'static str, source: Source) -> Rule {
        Rule { code: Code(code), level: Level::Error, text, source }
    }

    /// A rule whose breach must be told, although the descriptor stays legal.
    #[must_use]
    pub const fn warning(code: &'static str, text: &'static str, source: Source) -> Rule {
        Rule { code: Code(code), level: Level::Warning, text, source }
    }

    /// A remark that changes no verdict.
    #[must_use]
    pub const fn note(code: &'static str, text: &'static str, source: Source) -> Rule {
        Rule { code: Code(code), level: Level::Note, text, source }
    }

    /// This rule broken: `message` names the argument as the user wrote it, its value and the limit; `fix` the
    /// nearest legal choice.
    #[must_use]
    pub fn broken(&self, message: impl Into<String>, fix: impl Into<Cow<'static, str>>) -> Diagnostic {
        Diagnostic::new(self.code, self.level, message).fix(fix).source(self.source)
    }

    /// This rule broken, with nothing to suggest.
    #[must_use]
    pub fn told(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, self.level, message).source(self.source)
    }
}
