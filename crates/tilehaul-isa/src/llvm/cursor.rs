//! Types, values and operands among the words of a statement.

use tilehaul_diag::Span;

use super::ast::{Operand, Type, Value, index_steps};
use super::lexer::{Spanned, Token};

/// Words that stand between a type and its value, or before it, and say nothing about where bytes go.
const ATTRIBUTE_WORDS: &[&str] = &[
    "inreg",
    "immarg",
    "noundef",
    "nonnull",
    "zeroext",
    "signext",
    "noalias",
    "nocapture",
    "readonly",
    "writeonly",
    "readnone",
    "returned",
    "nofree",
    "dead_on_unwind",
    "writable",
    "nest",
    "swiftself",
    "noext",
];
/// The same, followed by a bracket or a number.
const ATTRIBUTE_CALLS: &[&str] = &[
    "align",
    "dereferenceable",
    "dereferenceable_or_null",
    "range",
    "captures",
    "byref",
    "byval",
    "sret",
    "initializes",
    "nofpclass",
    "preallocated",
    "alignstack",
    "allocsize",
    "memory",
];
const FLAGS: &[&str] = &["nuw", "nsw", "exact", "disjoint", "nneg", "inbounds", "nusw", "samesign"];
/// Nested types and constants deeper than this are read as plain text.
const MAX_DEPTH: usize = 64;

/// A place among words.
pub(super) struct Cursor<'a> {
    pub(super) tokens: &'a [Spanned],
    pub(super) at: usize,
    pub(super) depth: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(&Token::Punct(c));
        self.at += usize::from(found);
        found
    }

    pub(super) fn word_of(&mut self, words: &[&str]) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) if words.contains(&word.as_str()) => {
                self.at += 1;
                Some(word)
            }
            _ => None,
        }
    }

    pub(super) fn flags(&mut self) {
        while self.word_of(FLAGS).is_some() {
            if self.eat('(') {
                self.skip_to_close('(', ')');
            }
        }
    }

    /// Words up to the end of the statement: a line, or several while a bracket is open. A `{` that ends a line opens a
    /// body and ends the statement too.
    pub(super) fn line(&mut self) -> &'a [Spanned] {
        let start = self.at;
        let mut depth = 0i32;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token {
                Token::Punct('(' | '[') => depth += 1,
                Token::Punct(')' | ']') => depth -= 1,
                Token::Newline if depth <= 0 => {
                    return &self.tokens[start..self.at - 1];
                }
                _ => {}
            }
        }
        &self.tokens[start..self.at]
    }

    /// After an opening bracket: to behind its closing one.
    pub(super) fn skip_to_close(&mut self, open: char, close: char) {
        let mut depth = 1;
        while let Some(token) = self.peek() {
            self.at += 1;
            if *token == Token::Punct(open) {
                depth += 1;
            } else if *token == Token::Punct(close) {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }

    pub(super) fn bracketed_int(&mut self) -> Option<u32> {
        let open = self.eat('(');
        let number = match self.peek() {
            Some(Token::Int(n)) => u32::try_from(*n).ok(),
            _ => None,
        };
        if open {
            self.skip_to_close('(', ')');
        }
        number
    }

    /// Parameter attributes; says whether `inreg` was among them.
    pub(super) fn attributes(&mut self) -> bool {
        let mut inreg = false;
        loop {
            if let Some(word) = self.word_of(ATTRIBUTE_WORDS) {
                inreg |= word == "inreg";
            } else if self.word_of(ATTRIBUTE_CALLS).is_some() {
                if self.eat('(') {
                    self.skip_to_close('(', ')');
                } else if matches!(self.peek(), Some(Token::Int(_))) {
                    self.at += 1;
                }
            } else if matches!(self.peek(), Some(Token::Text(_))) {
                self.at += 1;
                if self.eat('=') {
                    self.at += 1;
                }
            } else {
                return inreg;
            }
        }
    }

    pub(super) fn ty(&mut self) -> Type {
        self.depth += 1;
        let ty = if self.depth > MAX_DEPTH { Type::Other(String::new()) } else { self.ty_inner() };
        self.depth -= 1;
        ty
    }

    fn ty_inner(&mut self) -> Type {
        let ty = match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                match word.as_str() {
                    "void" => Type::Void,
                    "half" | "bfloat" => Type::Float(16),
                    "float" => Type::Float(32),
                    "double" => Type::Float(64),
                    "ptr" => {
                        let space = self.word_of(&["addrspace"]).and_then(|_| self.bracketed_int());
                        Type::Ptr(space.unwrap_or(0))
                    }
                    other => match other.strip_prefix('i').and_then(|n| n.parse().ok()) {
                        Some(bits) => Type::Int(bits),
                        None => Type::Other(other.to_owned()),
                    },
                }
            }
            Some(Token::Punct('<')) => {
                self.at += 1;
                let ty = self.counted('>', |n, element| Type::Vector(n, Box::new(element)));
                self.eat('>');
                ty
            }
            Some(Token::Punct('[')) => {
                self.at += 1;
                let ty = self.counted(']', |n, element| Type::Array(n, Box::new(element)));
                self.eat(']');
                ty
            }
            Some(Token::Punct('{')) => {
                self.at += 1;
                self.fields()
            }
            Some(Token::Local(name)) => {
                self.at += 1;
                Type::Other(format!("%{name}"))
            }
            _ => Type::Other(String::new()),
        };
        // Old typed pointers: `i32 addrspace(3)*`.
        let mut ty = ty;
        loop {
            let mark = self.at;
            let space = self.word_of(&["addrspace"]).and_then(|_| self.bracketed_int());
            if self.eat('*') {
                ty = Type::Ptr(space.unwrap_or(0));
            } else {
                self.at = mark;
                return ty;
            }
        }
    }

    /// `N x T` of a vector or array.
    fn counted(&mut self, close: char, make: impl Fn(u64, Type) -> Type) -> Type {
        if self.eat('{') {
            return self.fields();
        }
        self.word_of(&["vscale"]);
        let count = match self.peek() {
            Some(Token::Int(n)) => u64::try_from(*n).ok(),
            _ => None,
        };
        let Some(count) = count else {
            while !matches!(self.peek(), None | Some(Token::Newline))
                && self.peek() != Some(&Token::Punct(close))
            {
                self.at += 1;
            }
            return Type::Other(String::new());
        };
        self.at += 1;
        self.word_of(&["x"]);
        make(count, self.ty())
    }

    fn fields(&mut self) -> Type {
        let mut fields = Vec::new();
        while !self.eat('}') && self.at < self.tokens.len() {
            let before = self.at;
            if !self.eat(',') {
                fields.push(self.ty());
            }
            if self.at == before {
                self.at += 1;
            }
        }
        Type::Struct(fields)
    }

    pub(super) fn operand(&mut self) -> Operand {
        let start = self.at;
        let ty = self.ty();
        self.attributes();
        let value = self.value(&ty);
        let end = self.at.max(start + 1) - 1;
        let span = |at: usize| self.tokens.get(at.min(self.tokens.len().saturating_sub(1))).map(|t| t.span);
        let span = match (span(start), span(end)) {
            (Some(first), Some(last)) => first.to(last),
            _ => Span::default(),
        };
        Operand { ty, value, span }
    }

    pub(super) fn value(&mut self, _ty: &Type) -> Value {
        self.depth += 1;
        let value = if self.depth > MAX_DEPTH { None } else { self.value_inner() };
        self.depth -= 1;
        value.unwrap_or_else(|| self.rest_as_text())
    }

    fn value_inner(&mut self) -> Option<Value> {
        let value = match self.peek()? {
            Token::Local(name) => Value::Local(name.clone()),
            Token::Global(name) => Value::Global(name.clone()),
            Token::Int(n) => Value::Int(*n),
            Token::Word(word) => match word.as_str() {
                "zeroinitializer" | "null" => Value::Zero,
                "true" => Value::Int(1),
                "false" => Value::Int(0),
                "getelementptr" => return self.constant_address(),
                "splat" => {
                    self.at += 1;
                    self.eat('(');
                    let element = self.operand().value;
                    self.eat(')');
                    return Some(Value::Vector(vec![element; 8]));
                }
                _ => return None,
            },
            Token::Punct('<') => {
                self.at += 1;
                let mut elements = Vec::new();
                while !self.eat('>') && !matches!(self.peek(), None | Some(Token::Newline)) {
                    let before = self.at;
                    if !self.eat(',') {
                        elements.push(self.operand().value);
                    }
                    if self.at == before {
                        self.at += 1;
                    }
                }
                return Some(Value::Vector(elements));
            }
            _ => return None,
        };
        self.at += 1;
        Some(value)
    }

    /// `getelementptr [flags] (T, ptr @g, i32 N, …)` with all indices known; otherwise nothing is passed over.
    fn constant_address(&mut self) -> Option<Value> {
        let start = self.at;
        self.at += 1;
        self.flags();
        let found = self.constant_address_inner();
        if found.is_none() {
            self.at = start;
        }
        found
    }

    fn constant_address_inner(&mut self) -> Option<Value> {
        if !self.eat('(') {
            return None;
        }
        let element = self.ty();
        self.eat(',');
        let (global, mut offset) = match self.operand().value {
            Value::Global(global) => (global, 0),
            Value::Address { global, offset } => (global, offset),
            _ => return None,
        };
        let mut indices = Vec::new();
        while self.eat(',') {
            indices.push(self.operand().value.int()?);
        }
        let steps = index_steps(&element, indices.len());
        if steps.len() != indices.len() || !self.eat(')') {
            return None;
        }
        for (index, step) in indices.into_iter().zip(steps) {
            offset = index.checked_mul(i128::from(step))?.checked_add(offset)?;
        }
        Some(Value::Address { global, offset })
    }

    /// Text up to the next comma or closing bracket at this depth.
    fn rest_as_text(&mut self) -> Value {
        let mut text = String::new();
        let mut globals = Vec::new();
        let mut depth = 0;
        while let Some(token) = self.peek() {
            match token {
                Token::Punct('(' | '[' | '{') => depth += 1,
                Token::Punct(')' | ']' | '}') if depth == 0 => break,
                Token::Punct(')' | ']' | '}') => depth -= 1,
                Token::Punct(',') if depth == 0 => break,
                Token::Newline if depth == 0 => break,
                Token::Global(name) => globals.push(name.clone()),
                _ => {}
            }
            if let Token::Word(word) = token {
                text.push_str(word);
            }
            self.at += 1;
        }
        Value::Other { text, globals }
    }
}
