//! The reader of PTX text: what it remembers while it reads, and helpers that all levels share.

mod body;
mod decl;
mod head;
mod module;
mod operand;
mod refusal;

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use tilehaul_diag::{Code, Diagnostic, FileId, Level, Span};

use super::Reading;
use super::ast::{Function, FunctionId, GlobalId, Immediate, Module, OpcodeId, Operand, RegId, Symbol, Type};
use super::lexer::Cursor;
use super::table::Opcode;

use refusal::{Refusal, SYNTAX};

const UNKNOWN_NAME: Code = Code("ptx-unknown-name");
const UNKNOWN_INSTRUCTION: Code = Code("ptx-unknown-instruction");
const OPERANDS: Code = Code("ptx-operands");
const TARGET: Code = Code("ptx-target");

/// Nested braces or parentheses past this are refused, so that recursion stays bounded.
const MAX_NESTING: u32 = 48;

type Parsed<T> = Result<T, Refusal>;

/// What a name stands for inside a function.
#[derive(Clone, Copy)]
enum Entity {
    Reg(RegId),
    Symbol(Symbol),
}

/// Names of one pair of braces.
#[derive(Default)]
struct Scope<'t> {
    names: FxHashMap<&'t str, Entity>,
    /// `%r<52>`: prefix to count and type.
    ranges: FxHashMap<&'t str, (u64, Type, u8)>,
    /// Registers declared alone; `a` and `a<2>` may stand side by side.
    singles: FxHashMap<&'t str, (Type, u8)>,
    /// Operands that name a label not seen yet.
    pending: Vec<Pending<'t>>,
}

struct Pending<'t> {
    name: &'t str,
    /// Instruction and operand, or table and entry.
    site: Site,
    span: Span,
}

#[derive(Clone, Copy)]
enum Site {
    Operand(usize, usize),
    Table(usize, usize),
}

/// The reader.
pub(super) struct Parser<'t> {
    at: Cursor<'t>,
    len: usize,
    module: Module,
    diagnostics: Vec<Diagnostic>,
    suppressed: usize,
    opcodes: FxHashMap<Cow<'t, str>, OpcodeId>,
    globals: FxHashMap<&'t str, GlobalId>,
    functions: FxHashMap<&'t str, FunctionId>,
    scopes: Vec<Scope<'t>>,
    depth: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Parser<'t> {
        Parser {
            at: Cursor::new(text, file),
            len: text.len(),
            module: Module { address_size: 64, ..Module::default() },
            diagnostics: Vec::new(),
            suppressed: 0,
            opcodes: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            scopes: Vec::new(),
            depth: 0,
        }
    }

    pub(super) fn run(mut self) -> Reading {
        if u32::try_from(self.len).is_err() {
            let text = format!("The text has {} bytes; at most 4 GiB can be read.", self.len);
            self.diagnostics.push(Diagnostic::new(SYNTAX, Level::Error, text));
            return Reading { module: self.module, diagnostics: self.diagnostics };
        }
        loop {
            self.at.skip();
            if self.at.byte().is_none() {
                break;
            }
            let before = self.at.pos();
            if let Err(refusal) = self.module_statement() {
                self.refuse(refusal);
                self.recover_at_module_level();
            }
            if self.at.pos() == before {
                self.at.advance(1);
            }
        }
        self.finish()
    }

    fn finish(mut self) -> Reading {
        if self.module.version.is_none() {
            let message = "The text has no .version directive, so it is not a PTX module.";
            let start = Span::new(self.at.here().file, 0, 0);
            self.tell(Diagnostic::new(SYNTAX, Level::Error, message).at(start, "expected here"));
        }
        if self.suppressed > 0 {
            let message = format!("{} further problems are not listed.", self.suppressed);
            self.diagnostics.push(Diagnostic::new(SYNTAX, Level::Note, message));
        }
        Reading { module: self.module, diagnostics: self.diagnostics }
    }

    fn integer(&mut self) -> Parsed<i64> {
        let start = self.at.pos();
        match self.expression()? {
            Immediate::Int(value) => Ok(value),
            _ => Err(self.refusal(start, "expected a whole number".to_owned())),
        }
    }

    fn semicolon(&mut self) -> Parsed<()> {
        if self.at.eat(b';') { Ok(()) } else { Err(self.unexpected(";")) }
    }

    fn opcode_id(&mut self, text: Cow<'t, str>) -> OpcodeId {
        if let Some(&id) = self.opcodes.get(&text) {
            return id;
        }
        let id = OpcodeId(self.module.opcodes.len() as u32);
        self.module.opcodes.push(Opcode::new(&text));
        self.opcodes.insert(text, id);
        id
    }

    fn set_operand(function: &mut Function, site: Site, symbol: Symbol) {
        match site {
            Site::Operand(instruction, operand) => {
                let slot =
                    function.instructions.get_mut(instruction).and_then(|i| i.operands.get_mut(operand));
                if let Some(Operand::Symbol(s, _)) = slot {
                    *s = symbol;
                }
            }
            Site::Table(table, entry) => {
                let slot = function.tables.get_mut(table).and_then(|t| t.get_mut(entry));
                if let (Some(slot), Symbol::Label(to)) = (slot, symbol) {
                    *slot = to;
                }
            }
        }
    }
}
