//! Bodies: scopes, labels, instructions.

use std::borrow::Cow;

use tilehaul_diag::{Diagnostic, Level, Span};

use super::super::ast::{Function, Guard, Instruction, LineId, Linkage, LocalId, Operand, Symbol};
use super::super::similar;
use super::module::space;
use super::{
    Entity, OPERANDS, Parsed, Parser, Pending, Scope, Site, TARGET, UNKNOWN_INSTRUCTION, UNKNOWN_NAME,
};

impl<'t> Parser<'t> {
    /// Everything up to the brace that closes the body.
    pub(super) fn body(&mut self, function: &mut Function) {
        let mut line = None;
        loop {
            self.at.skip();
            let before = self.at.pos();
            match self.at.byte() {
                None => {
                    let refusal = self.unexpected("} at the end of the body");
                    self.refuse(refusal);
                    while !self.scopes.is_empty() {
                        self.close_scope(function);
                    }
                    return;
                }
                Some(b'}') => {
                    self.at.advance(1);
                    self.close_scope(function);
                    if self.scopes.is_empty() {
                        return;
                    }
                }
                Some(b'{') => {
                    self.at.advance(1);
                    self.scopes.push(Scope::default());
                }
                Some(b';') => self.at.advance(1),
                Some(_) => {
                    if let Err(refusal) = self.statement(function, &mut line) {
                        self.refuse(refusal);
                        self.recover_in_body();
                    }
                    if self.at.pos() == before {
                        self.at.advance(1);
                    }
                }
            }
        }
    }

    fn statement(&mut self, function: &mut Function, line: &mut Option<LineId>) -> Parsed<()> {
        let start = self.at.pos();
        match self.at.byte() {
            Some(b'.') => self.body_directive(function, line),
            Some(b'@') => {
                self.at.advance(1);
                let negated = self.at.eat(b'!');
                let reg = match self.operand(function, None)? {
                    Operand::Reg(reg) => reg,
                    _ => return Err(self.refusal(start, "expected a predicate after @".to_owned())),
                };
                self.instruction(function, Some(Guard { reg, negated }), start, *line)
            }
            _ => {
                let Some(name) = self.at.ident() else { return Err(self.unexpected("an instruction")) };
                let after_name = self.at.pos();
                if self.at.eat(b':') && self.at.byte() != Some(b':') {
                    return self.label(function, name);
                }
                self.at.reset(after_name);
                self.at.reset(start);
                self.instruction(function, None, start, *line)
            }
        }
    }

    fn body_directive(&mut self, function: &mut Function, line: &mut Option<LineId>) -> Parsed<()> {
        let start = self.at.pos();
        let Some(word) = self.at.dot_word() else { return Err(self.unexpected("a directive")) };
        match word {
            "reg" => self.registers(),
            "loc" => {
                *line = Some(self.loc()?);
                Ok(())
            }
            "pragma" => {
                while self.at.string().is_some() && self.at.eat(b',') {}
                self.semicolon()
            }
            "file" => self.file_directive(),
            "section" => self.section(),
            _ => match space(word) {
                Some(space) => {
                    for (variable, name) in self.variables(space, Linkage::Internal, start)? {
                        let id = LocalId(function.variables.len() as u32);
                        function.variables.push(variable);
                        if let Some(scope) = self.scopes.last_mut() {
                            scope.names.insert(name, Entity::Symbol(Symbol::Local(id)));
                        }
                    }
                    Ok(())
                }
                None => {
                    Err(self.refusal(start, format!("the directive .{word} is not known inside a function")))
                }
            },
        }
    }

    /// What follows `name:`.
    fn label(&mut self, function: &mut Function, name: &'t str) -> Parsed<()> {
        let here = Self::next_instruction(function.instructions.len());
        let mut ahead = self.at.clone();
        let symbol = match ahead.dot_word() {
            Some("branchtargets") => {
                self.at = ahead;
                let table = function.tables.len();
                function.tables.push(Vec::new());
                loop {
                    self.at.skip();
                    let start = self.at.pos();
                    let Some(target) = self.at.ident() else { return Err(self.unexpected("a label")) };
                    let entry = function.tables[table].len();
                    function.tables[table].push(here);
                    let span = self.at.span(start);
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.pending.push(Pending { name: target, site: Site::Table(table, entry), span });
                    }
                    if !self.at.eat(b',') {
                        break;
                    }
                }
                self.semicolon()?;
                Symbol::Table(table as u32)
            }
            // Which functions a pointer may hold, or what they take: nothing that execution needs.
            Some("calltargets" | "callprototype") => {
                let _ = self.at.until(b';');
                self.semicolon()?;
                Symbol::Label(here)
            }
            _ => Symbol::Label(here),
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, Entity::Symbol(symbol));
        }
        Ok(())
    }

    fn instruction(
        &mut self,
        function: &mut Function,
        guard: Option<Guard>,
        start: usize,
        line: Option<LineId>,
    ) -> Parsed<()> {
        self.at.skip();
        let opcode_start = self.at.pos();
        let text = self.spelling();
        if text.is_empty() {
            return Err(self.unexpected("an instruction"));
        }
        let opcode_span = self.at.span(opcode_start);
        let index = function.instructions.len();
        let is_call = text == "call" || text.starts_with("call.");
        let mut operands = Vec::new();
        if !self.at.eat(b';') {
            loop {
                let site = Site::Operand(index, operands.len());
                let operand = if is_call && self.at.eat(b'(') {
                    Operand::List(self.list(function, b')')?)
                } else {
                    self.operand(function, Some(site))?
                };
                operands.push(operand);
                if self.at.eat(b';') {
                    break;
                }
                if !self.at.eat(b',') {
                    return Err(self.unexpected(", or ;"));
                }
            }
        }
        let opcode = self.opcode_id(text.clone());
        self.validate(&text, operands.len(), opcode_span);
        function.instructions.push(Instruction {
            opcode,
            guard,
            operands: operands.into(),
            span: self.at.span(start),
            line,
        });
        Ok(())
    }

    /// An opcode with all its modifiers. Blanks may stand before a modifier (ptxas takes them, TileLang writes them); no
    /// operand begins with a dot.
    fn spelling(&mut self) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(self.at.opcode());
        if text.is_empty() {
            return text;
        }
        loop {
            let end = self.at.pos();
            self.at.skip();
            let modifier =
                self.at.byte() == Some(b'.') && self.at.byte_at(1).is_some_and(|b| b.is_ascii_alphabetic());
            if !modifier {
                self.at.reset(end);
                return text;
            }
            text.to_mut().push_str(self.at.opcode());
        }
    }

    /// Tells what the table says against an instruction. It is kept all the same.
    fn validate(&mut self, text: &str, operands: usize, span: Span) {
        let opcode = self.opcodes.get(text).map(|id| &self.module.opcodes[id.0 as usize]);
        let Some((opcode, (least, most))) = opcode.and_then(|o| Some((o, o.operand_count()?))) else {
            let message =
                format!("{text} is not in tilehaul's instruction table; executing it ends as unsupported.");
            let mut told =
                Diagnostic::new(UNKNOWN_INSTRUCTION, Level::Note, message).at(span, "not modelled");
            told.fix = similar(text).map(|name| format!("If it is misspelt: did you mean {name}?").into());
            self.tell(told);
            return;
        };
        let missing = self.module.target.first().and_then(|t| Some((t.clone(), opcode.missing_on(t)?)));
        if !(least..=most).contains(&operands) {
            let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
            let message = format!("{text} takes {wanted} operands; {operands} are written.");
            self.tell(Diagnostic::new(OPERANDS, Level::Error, message).at(span, "wrong number of operands"));
        }
        if let Some((target, (modifiers, targets))) = missing {
            let form = match modifiers {
                "" => text.to_owned(),
                // Of alternatives the one that is written.
                _ => {
                    let written =
                        |any: &str| any.split('|').find(|m| text.contains(m)).unwrap_or(any).to_owned();
                    let words: Vec<String> =
                        modifiers.split(' ').map(|any| format!(".{}", written(any))).collect();
                    format!("{text}: {}", words.join(" with "))
                }
            };
            let message = format!(
                "{form} does not exist on {target}, which this module is compiled for; it needs {}.",
                spoken_targets(targets)
            );
            self.tell(Diagnostic::new(TARGET, Level::Error, message).at(span, "not on this target"));
        }
    }

    /// Resolves what the scope's labels answer and hands the rest to the scope around it.
    fn close_scope(&mut self, function: &mut Function) {
        let Some(scope) = self.scopes.pop() else { return };
        let mut left = Vec::new();
        for pending in scope.pending {
            match scope.names.get(pending.name) {
                Some(Entity::Symbol(symbol)) => Self::set_operand(function, pending.site, *symbol),
                _ => left.push(pending),
            }
        }
        if let Some(outer) = self.scopes.last_mut() {
            outer.pending.extend(left);
            return;
        }
        for pending in left {
            self.unknown_name(pending.name, pending.span);
        }
    }

    pub(super) fn unknown_name(&mut self, name: &str, span: Span) {
        let message = format!("{name} is used here and declared nowhere.");
        self.tell(Diagnostic::new(UNKNOWN_NAME, Level::Error, message).at(span, "not declared"));
    }

    fn recover_in_body(&mut self) {
        loop {
            self.at.skip();
            match self.at.byte() {
                None | Some(b'}' | b'{') => return,
                Some(b';') => {
                    self.at.advance(1);
                    return;
                }
                Some(b'"') => {
                    let _ = self.at.string();
                }
                Some(_) => self.at.advance(1),
            }
        }
    }
}

fn spoken_targets(targets: &str) -> String {
    let names: Vec<String> = targets
        .split(' ')
        .map(|t| if t.parse::<u32>().is_ok() { format!("sm_{t} or later") } else { format!("sm_{t}") })
        .collect();
    names.join(", ")
}
