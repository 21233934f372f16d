//! The module level: directives, variables, heads of functions.

mod body;
mod decl;
mod operand;

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use tilehaul_diag::{Code, Diagnostic, FileId, Level, Span};

use super::Reading;
use super::ast::{
    Directive, Function, FunctionId, GlobalId, Linkage, Module, OpcodeId, Operand, Param, RegId, Register,
    Space, Type,
};
use super::lexer::Cursor;
use super::table::Opcode;

const SYNTAX: Code = Code("ptx-syntax");
const UNKNOWN_NAME: Code = Code("ptx-unknown-name");
const UNKNOWN_INSTRUCTION: Code = Code("ptx-unknown-instruction");
const OPERANDS: Code = Code("ptx-operands");
const TARGET: Code = Code("ptx-target");

/// More than this is noise; the last one says that there are more.
const MAX_DIAGNOSTICS: usize = 64;
/// Nested braces or parentheses past this are refused, so that recursion stays bounded.
const MAX_NESTING: u32 = 48;

/// What went wrong in a statement; the reader then skips to the next one.
pub(super) struct Refusal {
    span: Span,
    text: String,
}

type Parsed<T> = Result<T, Refusal>;

/// What a name stands for inside a function.
#[derive(Clone, Copy)]
enum Entity {
    Reg(RegId),
    Symbol(super::ast::Symbol),
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

    fn module_statement(&mut self) -> Parsed<()> {
        let start = self.at.pos();
        let Some(word) = self.at.dot_word() else {
            return match self.at.byte() {
                Some(b';' | b'}' | b'{') => Err(self.unexpected("a directive")),
                _ => {
                    let here = self.at.pos();
                    if self.at.ident().is_some() && self.at.eat(b':') {
                        return Ok(());
                    }
                    self.at.reset(here);
                    Err(self.unexpected("a directive such as .entry or .global"))
                }
            };
        };
        match word {
            "version" => self.version(),
            "target" => self.target(),
            "address_size" => {
                let size = self.integer()?;
                self.module.address_size = u32::try_from(size).unwrap_or(0);
                Ok(())
            }
            "file" => self.file_directive(),
            "section" => self.section(),
            "pragma" => {
                while self.at.string().is_some() && self.at.eat(b',') {}
                self.semicolon()
            }
            "loc" => self.loc().map(|_| ()),
            "alias" => {
                let _ = self.at.until(b';');
                self.semicolon()
            }
            "b8" | "b32" | "b64" | "u8" | "u32" | "u64" => {
                // Bytes of a debug section that an older compiler left outside braces.
                let _ = self.at.until(b'\n');
                Ok(())
            }
            _ => {
                self.at.reset(start);
                self.definition()
            }
        }
    }

    /// A variable or a function, with its linkage in front.
    fn definition(&mut self) -> Parsed<()> {
        let start = self.at.pos();
        let mut linkage = Linkage::Internal;
        loop {
            let before = self.at.pos();
            match self.at.dot_word() {
                Some("visible") => linkage = Linkage::Visible,
                Some("extern") => linkage = Linkage::Extern,
                Some("weak") => linkage = Linkage::Weak,
                Some("common") => linkage = Linkage::Common,
                Some("entry") => return self.function(start, linkage, true),
                Some("func") => return self.function(start, linkage, false),
                Some(word) if space(word).is_some() => {
                    let Some(space) = space(word) else { continue };
                    for variable in self.variables(space, linkage, start)? {
                        let id = GlobalId(self.module.variables.len() as u32);
                        self.globals.insert(variable.1, id);
                        self.module.variables.push(variable.0);
                    }
                    return Ok(());
                }
                Some("tex" | "surf" | "texref" | "surfref" | "samplerref") => {
                    let _ = self.at.until(b';');
                    return self.semicolon();
                }
                Some("reg") => {
                    return Err(self.refusal(before, "registers are declared inside functions".to_owned()));
                }
                _ => {
                    self.at.reset(before);
                    return Err(self.unexpected("a directive such as .entry or .global"));
                }
            }
        }
    }

    fn version(&mut self) -> Parsed<()> {
        self.at.skip();
        let start = self.at.pos();
        let text = self.at.opcode();
        let read = text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let Some(version) = read else {
            return Err(self.refusal(start, "expected a version such as 9.5 after .version".to_owned()));
        };
        self.module.version = Some(version);
        Ok(())
    }

    fn target(&mut self) -> Parsed<()> {
        loop {
            let Some(name) = self.at.ident() else {
                return Err(self.unexpected("an architecture such as sm_90a"));
            };
            self.module.target.push(name.to_owned());
            if !self.at.eat(b',') {
                return Ok(());
            }
        }
    }

    fn file_directive(&mut self) -> Parsed<()> {
        let number = self.integer()?;
        let Some(name) = self.at.string() else { return Err(self.unexpected("a file name in quotes")) };
        while self.at.eat(b',') {
            self.integer()?;
        }
        self.module.files.push((u32::try_from(number).unwrap_or(u32::MAX), name.to_owned()));
        Ok(())
    }

    /// A debug section: skipped.
    fn section(&mut self) -> Parsed<()> {
        let start = self.at.pos();
        if self.at.dot_word().is_none() && self.at.ident().is_none() {
            return Err(self.unexpected("a section name"));
        }
        if !self.at.eat(b'{') {
            return Err(self.unexpected("{"));
        }
        let mut depth = 1u32;
        while depth > 0 {
            self.at.skip();
            match self.at.byte() {
                None => return Err(self.refusal(start, "this section has no closing }".to_owned())),
                Some(b'"') => {
                    let _ = self.at.string();
                    continue;
                }
                Some(b'{') => depth += 1,
                Some(b'}') => depth -= 1,
                Some(_) => {}
            }
            self.at.advance(1);
        }
        Ok(())
    }

    fn function(&mut self, start: usize, linkage: Linkage, is_entry: bool) -> Parsed<()> {
        let mut function = Function {
            name: String::new(),
            is_entry,
            linkage,
            params: Vec::new(),
            returns: Vec::new(),
            directives: Vec::new(),
            registers: Vec::new(),
            variables: Vec::new(),
            instructions: Vec::new(),
            tables: Vec::new(),
            has_body: false,
            span: self.at.span(start),
        };
        self.scopes.clear();
        self.scopes.push(Scope::default());
        self.skip_attribute();
        if self.at.eat(b'(') {
            function.returns = self.params(&mut function.registers, true)?;
        }
        let Some(name) = self.at.ident() else { return Err(self.unexpected("the function's name")) };
        name.clone_into(&mut function.name);
        if self.at.eat(b'(') {
            function.params = self.params(&mut function.registers, false)?;
        }
        function.span = self.at.span(start);
        // The body may call the function itself, so its number comes first.
        let id = match self.functions.get(name) {
            Some(&id) => id,
            None => {
                let id = FunctionId(self.module.functions.len() as u32);
                self.functions.insert(name, id);
                self.module.functions.push(function.clone());
                id
            }
        };
        self.head_directives(&mut function)?;
        self.at.skip();
        if self.at.byte() == Some(b'{') {
            self.at.advance(1);
            function.has_body = true;
            self.body(&mut function);
        } else {
            self.semicolon()?;
        }
        if let Some(slot) = self.module.functions.get_mut(id.0 as usize)
            && (function.has_body || !slot.has_body)
        {
            *slot = function;
        }
        Ok(())
    }

    fn skip_attribute(&mut self) {
        let start = self.at.pos();
        if self.at.dot_word() == Some("attribute") && self.at.eat(b'(') {
            let mut open = 1u32;
            while open > 0 {
                match self.at.byte() {
                    None => return,
                    Some(b'(') => open += 1,
                    Some(b')') => open -= 1,
                    Some(_) => {}
                }
                self.at.advance(1);
            }
        } else {
            self.at.reset(start);
        }
    }

    /// Parameters up to and including the closing parenthesis.
    fn params(&mut self, registers: &mut Vec<Register>, returns: bool) -> Parsed<Vec<Param>> {
        let mut params = Vec::new();
        if self.at.eat(b')') {
            return Ok(params);
        }
        loop {
            let start = self.at.pos();
            let (space, is_reg) = match self.at.dot_word() {
                Some("param") => (Space::Param, false),
                Some("reg") => (Space::Param, true),
                _ => {
                    self.at.reset(start);
                    return Err(self.unexpected(".param or .reg"));
                }
            };
            let (variable, name) = self.one_variable(space, Linkage::Internal, start)?;
            let position = params.len() as u32;
            let register = is_reg.then(|| {
                let id = RegId(registers.len() as u32);
                registers.push(Register { name: name.to_owned(), ty: variable.ty, lanes: 1 });
                id
            });
            let symbol = if returns {
                super::ast::Symbol::Return(position)
            } else {
                super::ast::Symbol::Param(position)
            };
            let entity = register.map_or(Entity::Symbol(symbol), Entity::Reg);
            if let Some(scope) = self.scopes.last_mut() {
                scope.names.insert(name, entity);
            }
            params.push(Param { variable, register });
            if self.at.eat(b')') {
                return Ok(params);
            }
            if !self.at.eat(b',') {
                return Err(self.unexpected(", or )"));
            }
        }
    }

    /// `.reqntid 128, 1, 1` and its like, up to `{` or `;`.
    fn head_directives(&mut self, function: &mut Function) -> Parsed<()> {
        loop {
            self.at.skip();
            let start = self.at.pos();
            if self.at.byte() != Some(b'.') {
                return Ok(());
            }
            let Some(name) = self.at.dot_word() else { return Err(self.unexpected("a directive")) };
            if name == "attribute" {
                self.at.reset(start);
                self.skip_attribute();
                continue;
            }
            let mut directive = Directive {
                name: name.to_owned(),
                values: Vec::new(),
                strings: Vec::new(),
                span: self.at.span(start),
            };
            self.at.skip();
            if self.at.byte() == Some(b'"') {
                while let Some(text) = self.at.string() {
                    directive.strings.push(text.to_owned());
                    if !self.at.eat(b',') {
                        break;
                    }
                }
                let _ = self.at.eat(b';');
            } else if self.at.byte().is_some_and(|b| b.is_ascii_digit()) {
                loop {
                    directive.values.push(self.integer()?.cast_unsigned());
                    if !self.at.eat(b',') {
                        break;
                    }
                }
            }
            directive.span = self.at.span(start);
            function.directives.push(directive);
        }
    }

    // Small helpers shared by the other files.

    fn integer(&mut self) -> Parsed<i64> {
        let start = self.at.pos();
        match self.expression()? {
            super::ast::Immediate::Int(value) => Ok(value),
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

    fn refusal(&self, start: usize, text: String) -> Refusal {
        Refusal { span: self.at.span(start), text }
    }

    fn unexpected(&self, wanted: &str) -> Refusal {
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

    fn refuse(&mut self, refusal: Refusal) {
        let message = format!("The PTX text cannot be read here: {}.", refusal.text);
        self.tell(Diagnostic::new(SYNTAX, Level::Error, message).at(refusal.span, refusal.text));
    }

    fn tell(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else {
            self.suppressed += 1;
        }
    }

    fn recover_at_module_level(&mut self) {
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

    fn skip_braces(&mut self) {
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

    fn set_operand(function: &mut Function, site: Site, symbol: super::ast::Symbol) {
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
                if let (Some(slot), super::ast::Symbol::Label(to)) = (slot, symbol) {
                    *slot = to;
                }
            }
        }
    }
}

fn space(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "const" => Space::Const,
        "shared" => Space::Shared,
        "local" => Space::Local,
        "param" => Space::Param,
        _ => return None,
    })
}
