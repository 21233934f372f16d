//! Words of LLVM IR text.

use tilehaul_diag::{FileId, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `%name`, without the sign.
    Local(String),
    /// `@name`, without the sign.
    Global(String),
    /// `!name` or `!0`.
    Meta(String),
    /// `#0`.
    Group(String),
    /// A keyword, label, float, or anything else of letters and digits.
    Word(String),
    /// An integer.
    Int(i128),
    /// `"…"`.
    Text(String),
    /// One other character.
    Punct(char),
    /// End of a line.
    Newline,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spanned {
    pub token: Token,
    pub span: Span,
}

/// Splits `text`; every byte of it is passed over once.
pub(super) fn lex(text: &str, file: FileId) -> Vec<Spanned> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let token = match byte {
            b'\n' => {
                at += 1;
                Some(Token::Newline)
            }
            b';' => {
                while bytes.get(at).is_some_and(|&b| b != b'\n') {
                    at += 1;
                }
                None
            }
            b'"' => Some(Token::Text(quoted(text, &mut at))),
            b'%' | b'@' | b'!' | b'#' => {
                at += 1;
                let name =
                    if bytes.get(at) == Some(&b'"') { quoted(text, &mut at) } else { word(text, &mut at) };
                Some(match byte {
                    b'%' => Token::Local(name),
                    b'@' => Token::Global(name),
                    b'!' => Token::Meta(name),
                    _ => Token::Group(name),
                })
            }
            b if is_word(b) => {
                let word = word(text, &mut at);
                Some(word.parse().map_or(Token::Word(word), Token::Int))
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                None
            }
            _ => {
                let c = text[at..].chars().next().unwrap_or(' ');
                at += c.len_utf8();
                Some(Token::Punct(c))
            }
        };
        if let Some(token) = token {
            out.push(Spanned { token, span: Span::new(file, offset(start), offset(at)) });
        }
    }
    out
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

fn word(text: &str, at: &mut usize) -> String {
    let start = *at;
    while text.as_bytes().get(*at).is_some_and(|&b| is_word(b)) {
        *at += 1;
    }
    text.get(start..*at).unwrap_or_default().to_owned()
}

/// The text between the quotes; a quote inside is written `\22`, so the next one ends it.
fn quoted(text: &str, at: &mut usize) -> String {
    *at += 1;
    let start = *at;
    while text.as_bytes().get(*at).is_some_and(|&b| b != b'"' && b != b'\n') {
        *at += 1;
    }
    let inner = text.get(start..*at).unwrap_or_default().to_owned();
    if text.as_bytes().get(*at) == Some(&b'"') {
        *at += 1;
    }
    inner
}
