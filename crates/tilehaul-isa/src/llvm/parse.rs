//! Words to program.

use std::collections::BTreeMap;

use tilehaul_diag::{FileId, Span};

use super::ast::{Block, BlockId, Function, Global, Inst, Module, Op, Param, Type, Value};
use super::cursor::Cursor;
use super::lexer::{Spanned, Token, lex};

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
