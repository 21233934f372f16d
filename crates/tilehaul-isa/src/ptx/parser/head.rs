//! Heads of functions: names, parameters, directives such as `.reqntid`.

use super::{Entity, Parsed, Parser, Scope};
use crate::ptx::ast::{Directive, Function, FunctionId, Linkage, Param, RegId, Register, Space, Symbol};

impl Parser<'_> {
    /// `.entry` or `.func` up to the end of its body, or to the semicolon of a declaration.
    pub(super) fn function(&mut self, start: usize, linkage: Linkage, is_entry: bool) -> Parsed<()> {
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

    pub(super) fn skip_attribute(&mut self) {
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
            let symbol = if returns { Symbol::Return(position) } else { Symbol::Param(position) };
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
}
