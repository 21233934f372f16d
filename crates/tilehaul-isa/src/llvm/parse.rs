//! Words to program.

use std::collections::BTreeMap;

use tilehaul_diag::{FileId, Span};

use super::ast::{
    Block, BlockId, Function, Global, Inst, Module, Op, Operand, Param, Type, Value, index_steps,
};
use super::lexer::{Spanned, Token, lex};

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
const ORDERINGS: &[&str] = &["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];
const CASTS: &[&str] = &[
    "bitcast",
    "addrspacecast",
    "zext",
    "sext",
    "trunc",
    "inttoptr",
    "ptrtoint",
    "fptoui",
    "fptosi",
    "uitofp",
    "sitofp",
    "fptrunc",
    "fpext",
    "ptrtoaddr",
];
const BINARIES: &[&str] =
    &["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"];
const FLAGS: &[&str] = &["nuw", "nsw", "exact", "disjoint", "nneg", "inbounds", "nusw", "samesign"];
/// Nested types and constants deeper than this are read as plain text.
const MAX_DEPTH: usize = 64;

/// Reads a module; never fails (see the module documentation).
#[must_use]
pub fn parse(text: &str, file: FileId) -> Module {
    let tokens = lex(text, file);
    let mut module = Module::default();
    let groups = attribute_groups(&tokens);
    let mut cursor = Cursor { tokens: &tokens, at: 0, depth: 0 };
    while cursor.at < tokens.len() {
        match cursor.peek() {
            Some(Token::Word(word)) if word == "define" => {
                if let Some(function) = function(&mut cursor, &groups) {
                    module.functions.push(function);
                }
            }
            Some(Token::Word(word)) if word == "target" => {
                let line = cursor.line();
                if line.iter().any(|t| t.token == Token::Word("triple".to_owned()))
                    && let Some(Token::Text(triple)) = line.last().map(|t| &t.token)
                {
                    module.triple.clone_from(triple);
                }
            }
            Some(Token::Global(name)) => {
                let name = name.clone();
                let line = cursor.line();
                module.globals.extend(global(name, line));
            }
            _ => {
                cursor.line();
            }
        }
    }
    module
}

/// `attributes #N = { … }`: each group's string attributes.
fn attribute_groups(tokens: &[Spanned]) -> Vec<(String, Vec<(String, String)>)> {
    let mut groups = Vec::new();
    let mut cursor = Cursor { tokens, at: 0, depth: 0 };
    while cursor.at < tokens.len() {
        let line = cursor.line();
        let mut rest = line.iter().map(|t| &t.token);
        if rest.next() == Some(&Token::Word("attributes".to_owned()))
            && let Some(Token::Group(name)) = rest.next()
        {
            groups.push((name.clone(), string_attributes(line)));
        }
    }
    groups
}

/// Every `"name"="value"` and `"name"` of a line.
fn string_attributes(line: &[Spanned]) -> Vec<(String, String)> {
    let mut list = Vec::new();
    let mut at = 0;
    while at < line.len() {
        if let Some(Token::Text(name)) = line.get(at).map(|t| &t.token) {
            let value = match (line.get(at + 1).map(|t| &t.token), line.get(at + 2).map(|t| &t.token)) {
                (Some(Token::Punct('=')), Some(Token::Text(value))) => {
                    at += 2;
                    value.clone()
                }
                _ => String::new(),
            };
            list.push((name.clone(), value));
        }
        at += 1;
    }
    list
}

fn global(name: String, line: &[Spanned]) -> Option<Global> {
    let mut cursor = Cursor { tokens: line, at: 1, depth: 0 };
    if !cursor.eat('=') {
        return None;
    }
    let mut address_space = 0;
    while let Some(token) = cursor.peek() {
        match token {
            Token::Word(word) if word == "addrspace" => {
                cursor.at += 1;
                address_space = cursor.bracketed_int()?;
            }
            Token::Word(word) if word == "global" || word == "constant" => {
                cursor.at += 1;
                return Some(Global { name, address_space, ty: cursor.ty() });
            }
            _ => cursor.at += 1,
        }
    }
    None
}

fn function(cursor: &mut Cursor<'_>, groups: &[(String, Vec<(String, String)>)]) -> Option<Function> {
    let head = cursor.line();
    let span = whole(head)?;
    let mut inner = Cursor { tokens: head, at: 0, depth: 0 };
    let mut kernel = false;
    let name = loop {
        match &inner.tokens.get(inner.at)?.token {
            Token::Global(name) => break name.clone(),
            Token::Word(word) => kernel |= word == "amdgpu_kernel",
            _ => {}
        }
        inner.at += 1;
    };
    inner.at += 1;
    let params = params(&mut inner);
    let mut attributes = string_attributes(head);
    for token in &head[inner.at.min(head.len())..] {
        if let Token::Group(group) = &token.token {
            attributes
                .extend(groups.iter().filter(|(name, _)| name == group).flat_map(|(_, list)| list.clone()));
        }
    }
    let blocks = body(cursor);
    Some(Function { name, kernel, params, attributes, blocks, span })
}

fn params(cursor: &mut Cursor<'_>) -> Vec<Param> {
    let mut list = Vec::new();
    if !cursor.eat('(') {
        return list;
    }
    let mut unnamed = 0;
    while !cursor.eat(')') && cursor.at < cursor.tokens.len() {
        let start = cursor.at;
        if cursor.eat(',') || cursor.eat('.') {
            continue;
        }
        let ty = cursor.ty();
        let inreg = cursor.attributes();
        let mut name = String::new();
        if let Some(Token::Local(local)) = cursor.peek() {
            name.clone_from(local);
            cursor.at += 1;
        } else {
            name.push_str(&format!("{unnamed}"));
            unnamed += 1;
        }
        list.push(Param { name, ty, inreg });
        if cursor.at == start {
            cursor.at += 1;
        }
    }
    list
}

/// Lines up to the closing brace, as blocks with resolved successors.
fn body(cursor: &mut Cursor<'_>) -> Vec<Block> {
    let mut blocks = vec![Block { label: String::new(), insts: Vec::new(), successors: Vec::new() }];
    while cursor.at < cursor.tokens.len() {
        let mut line = cursor.line();
        if line.first().is_some_and(|t| t.token == Token::Punct('}')) {
            break;
        }
        if let Some((label, rest)) = label(line) {
            let fresh = blocks.len() == 1 && blocks.iter().all(|b| b.insts.is_empty() && b.label.is_empty());
            if fresh {
                blocks[0].label = label;
            } else {
                blocks.push(Block { label, insts: Vec::new(), successors: Vec::new() });
            }
            line = rest;
        }
        if let (Some(inst), Some(block)) = (instruction(line), blocks.last_mut()) {
            block.insts.push(inst);
        }
    }
    // An entry block without a label may still be branched to by its number, which nothing here needs.
    let labels: BTreeMap<String, BlockId> =
        blocks.iter().enumerate().map(|(at, b)| (b.label.clone(), BlockId(at))).collect();
    let count = blocks.len();
    for (at, block) in blocks.iter_mut().enumerate() {
        let targets = match block.insts.last().map(|i| &i.op) {
            Some(Op::Branch { targets, .. }) => targets.clone(),
            Some(Op::End) => continue,
            // A block that ends in nothing known goes on with the next one.
            _ => {
                block.successors.extend((at + 1 < count).then_some(BlockId(at + 1)));
                continue;
            }
        };
        for target in targets {
            let id = labels.get(&target).copied();
            block.successors.extend(id.filter(|id| !block.successors.contains(id)));
        }
    }
    blocks
}

fn label(line: &[Spanned]) -> Option<(String, &[Spanned])> {
    let name = match &line.first()?.token {
        Token::Word(word) | Token::Text(word) => word.clone(),
        Token::Int(n) => n.to_string(),
        _ => return None,
    };
    (line.get(1)?.token == Token::Punct(':')).then(|| (name, &line[2..]))
}

fn instruction(line: &[Spanned]) -> Option<Inst> {
    let span = whole(line)?;
    let mut cursor = Cursor { tokens: line, at: 0, depth: 0 };
    let mut result = None;
    if let (Token::Local(name), Some(Token::Punct('='))) =
        (&line.first()?.token, line.get(1).map(|t| &t.token))
    {
        result = Some(name.clone());
        cursor.at = 2;
    }
    while cursor.word_of(&["tail", "musttail", "notail"]).is_some() {}
    let opcode = match cursor.peek()? {
        Token::Word(word) => word.clone(),
        _ => return None,
    };
    cursor.at += 1;
    let has = |word: &str| line.iter().any(|t| matches!(&t.token, Token::Word(w) if w == word));
    let volatile = has("volatile");
    let nontemporal = line.iter().any(|t| t.token == Token::Meta("nontemporal".to_owned()));
    let mut atomic = has("syncscope") || ORDERINGS.iter().any(|o| has(o)) || has("atomic");
    let op = match opcode.as_str() {
        "call" => call(&mut cursor),
        "load" => {
            while cursor.word_of(&["volatile", "atomic"]).is_some() {}
            let ty = cursor.ty();
            cursor.eat(',');
            Op::Load { ty, pointer: cursor.operand() }
        }
        "store" => {
            while cursor.word_of(&["volatile", "atomic"]).is_some() {}
            let value = cursor.operand();
            cursor.eat(',');
            Op::Store { value, pointer: cursor.operand() }
        }
        "atomicrmw" | "cmpxchg" => {
            atomic = true;
            while matches!(cursor.peek(), Some(Token::Word(w)) if !is_type_word(w)) {
                cursor.at += 1;
            }
            let pointer = cursor.operand();
            Op::Atomic { pointer, values: names(&line[cursor.at.min(line.len())..]) }
        }
        "fence" => {
            let mut scope = String::new();
            if cursor.word_of(&["syncscope"]).is_some()
                && let Some(Token::Text(text)) = line.get(cursor.at + 1).map(|t| &t.token)
            {
                scope.clone_from(text);
            }
            let ordering = ORDERINGS.iter().find(|o| has(o)).copied().unwrap_or_default().to_owned();
            Op::Fence { scope, ordering }
        }
        "getelementptr" => {
            cursor.flags();
            let element = cursor.ty();
            cursor.eat(',');
            let base = cursor.operand();
            let mut indices = Vec::new();
            while cursor.eat(',') && !matches!(cursor.peek(), Some(Token::Meta(_)) | None) {
                indices.push(cursor.operand());
            }
            Op::Gep { element, base, indices }
        }
        "phi" => {
            cursor.flags();
            let ty = cursor.ty();
            Op::Phi { incoming: incoming(&mut cursor, &ty) }
        }
        "select" => {
            let condition = cursor.operand().value;
            cursor.eat(',');
            let first = cursor.operand().value;
            cursor.eat(',');
            Op::Select { condition, values: [first, cursor.operand().value] }
        }
        "br" | "switch" | "indirectbr" => branch(line, &opcode),
        "ret" | "unreachable" | "resume" => Op::End,
        word if CASTS.contains(&word) => {
            cursor.flags();
            let value = cursor.operand();
            let to = if cursor.word_of(&["to"]).is_some() { cursor.ty() } else { Type::Other(String::new()) };
            Op::Cast { opcode, value, to }
        }
        word if BINARIES.contains(&word) => {
            cursor.flags();
            let first = cursor.operand();
            cursor.eat(',');
            let second = cursor.value(&first.ty);
            Op::Binary { opcode, values: [first.value, second] }
        }
        _ => Op::Other { opcode, values: names(&line[cursor.at.min(line.len())..]) },
    };
    Some(Inst { result, op, volatile, nontemporal, atomic, span })
}

fn is_type_word(word: &str) -> bool {
    word == "ptr"
        || word == "half"
        || word == "float"
        || (word.starts_with('i') && word[1..].parse::<u32>().is_ok())
}

fn call(cursor: &mut Cursor<'_>) -> Op {
    // Between `call` and the callee stand flags, conventions, attributes and the return type, in which a bracket can open
    // only for a type or an attribute; the callee is the first global or local name, or `asm`.
    let mut callee = None;
    let mut asm = None;
    while let Some(token) = cursor.peek() {
        match token {
            Token::Global(name) => {
                callee = Some(name.clone());
                cursor.at += 1;
                break;
            }
            Token::Local(_)
                if matches!(cursor.tokens.get(cursor.at + 1).map(|t| &t.token), Some(Token::Punct('('))) =>
            {
                cursor.at += 1;
                break;
            }
            Token::Word(word) if word == "asm" => {
                cursor.at += 1;
                let mut texts = Vec::new();
                while let Some(Token::Word(_) | Token::Text(_) | Token::Punct(',')) = cursor.peek() {
                    if let Some(Token::Text(text)) = cursor.peek() {
                        texts.push(text.clone());
                    }
                    cursor.at += 1;
                }
                asm = Some(texts.into_iter().next().unwrap_or_default());
                break;
            }
            _ => cursor.at += 1,
        }
    }
    let mut args = Vec::new();
    if cursor.eat('(') {
        while !cursor.eat(')') && cursor.at < cursor.tokens.len() {
            let before = cursor.at;
            if !cursor.eat(',') {
                args.push(cursor.operand());
            }
            if cursor.at == before {
                cursor.at += 1;
            }
        }
    }
    Op::Call { callee, asm, args }
}

fn incoming(cursor: &mut Cursor<'_>, ty: &Type) -> Vec<(Value, String)> {
    let mut list = Vec::new();
    loop {
        if !cursor.eat('[') {
            return list;
        }
        let value = cursor.value(ty);
        cursor.eat(',');
        if let Some(Token::Local(label)) = cursor.peek() {
            list.push((value, label.clone()));
            cursor.at += 1;
        }
        cursor.eat(']');
        cursor.eat(',');
    }
}

fn branch(line: &[Spanned], opcode: &str) -> Op {
    let mut targets = Vec::new();
    let mut condition = None;
    for (at, token) in line.iter().enumerate() {
        let Token::Local(name) = &token.token else { continue };
        let is_label = at > 0 && line[at - 1].token == Token::Word("label".to_owned());
        if is_label {
            targets.push(name.clone());
        } else if condition.is_none() {
            condition = Some(Value::Local(name.clone()));
        }
    }
    if opcode == "br" && targets.len() < 2 {
        condition = None;
    }
    Op::Branch { condition, targets }
}

/// Local and global names of some words.
fn names(line: &[Spanned]) -> Vec<Value> {
    line.iter()
        .filter_map(|t| match &t.token {
            Token::Local(name) => Some(Value::Local(name.clone())),
            Token::Global(name) => Some(Value::Global(name.clone())),
            _ => None,
        })
        .collect()
}

fn whole(line: &[Spanned]) -> Option<Span> {
    Some(line.first()?.span.to(line.last()?.span))
}

struct Cursor<'a> {
    tokens: &'a [Spanned],
    at: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|t| &t.token)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(&Token::Punct(c));
        self.at += usize::from(found);
        found
    }

    fn word_of(&mut self, words: &[&str]) -> Option<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) if words.contains(&word.as_str()) => {
                self.at += 1;
                Some(word)
            }
            _ => None,
        }
    }

    fn flags(&mut self) {
        while self.word_of(FLAGS).is_some() {
            if self.eat('(') {
                self.skip_to_close('(', ')');
            }
        }
    }

    /// Words up to the end of the statement: a line, or several while a bracket is open. A `{` that ends a line opens a
    /// body and ends the statement too.
    fn line(&mut self) -> &'a [Spanned] {
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
    fn skip_to_close(&mut self, open: char, close: char) {
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

    fn bracketed_int(&mut self) -> Option<u32> {
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
    fn attributes(&mut self) -> bool {
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

    fn ty(&mut self) -> Type {
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

    fn operand(&mut self) -> Operand {
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

    fn value(&mut self, _ty: &Type) -> Value {
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
