//! Operands and constant expressions.

use super::super::ast::{Address, Function, Immediate, Operand, Symbol};
use super::super::special::Special;
use super::{Entity, MAX_NESTING, Parsed, Parser, Pending, Site};

impl<'t> Parser<'t> {
    /// One operand. `site` is where a label that is not known yet must be filled in.
    pub(super) fn operand(&mut self, function: &mut Function, site: Option<Site>) -> Parsed<Operand> {
        self.depth += 1;
        let result = if self.depth > MAX_NESTING {
            Err(self.unexpected("fewer nested braces"))
        } else {
            self.operand_inner(function, site)
        };
        self.depth -= 1;
        result
    }

    fn operand_inner(&mut self, function: &mut Function, site: Option<Site>) -> Parsed<Operand> {
        self.at.skip();
        match self.at.byte() {
            Some(b'{') => {
                self.at.advance(1);
                Ok(Operand::Vector(self.list(function, b'}')?))
            }
            Some(b'[') => {
                self.at.advance(1);
                self.address(function)
            }
            Some(b'!') if !matches!(self.at.byte_at(1), Some(b'0'..=b'9' | b'(')) => {
                self.at.advance(1);
                let start = self.at.pos();
                match self.name(function, None)? {
                    Operand::Reg(reg) => Ok(Operand::Not(reg)),
                    _ => Err(self.refusal(start, "expected a predicate after !".to_owned())),
                }
            }
            Some(b) if b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'%') => {
                // A name that nobody declared may be half of a pair, too.
                let first = self.name(function, site)?;
                if !self.at.eat(b'|') {
                    return Ok(first);
                }
                let second = self.name(function, None)?;
                Ok(Operand::Dual(Box::new((first, second))))
            }
            _ => self.expression().map(Operand::Imm),
        }
    }

    /// Operands up to `close`, which is taken.
    pub(super) fn list(&mut self, function: &mut Function, close: u8) -> Parsed<Box<[Operand]>> {
        let mut all = Vec::new();
        if self.at.eat(close) {
            return Ok(all.into());
        }
        loop {
            all.push(self.operand(function, None)?);
            if self.at.eat(close) {
                return Ok(all.into());
            }
            if !self.at.eat(b',') {
                return Err(self.unexpected(if close == b'}' { ", or }" } else { ", or )" }));
            }
        }
    }

    fn address(&mut self, function: &mut Function) -> Parsed<Operand> {
        let mut base = self.operand(function, None)?;
        let mut offset = 0;
        if let Operand::Symbol(_, o) = &mut base {
            offset = std::mem::take(o);
        }
        self.at.skip();
        if matches!(self.at.byte(), Some(b'+' | b'-')) {
            let start = self.at.pos();
            let negative = self.at.byte() == Some(b'-');
            self.at.advance(1);
            match self.operand(function, None)? {
                Operand::Imm(Immediate::Int(n)) => {
                    offset = if negative { offset.wrapping_sub(n) } else { offset.wrapping_add(n) };
                }
                // `[%r1+name]` is rare; only the name of a register base may come second.
                other @ (Operand::Reg(_) | Operand::Symbol(..))
                    if !negative && matches!(base, Operand::Imm(_)) =>
                {
                    if let Operand::Imm(Immediate::Int(n)) = base {
                        offset = n;
                    }
                    base = other;
                }
                _ => {
                    return Err(
                        self.refusal(start, "expected a number after the sign of an address".to_owned())
                    );
                }
            }
        }
        let mut rest = Vec::new();
        while self.at.eat(b',') {
            rest.push(self.operand(function, None)?);
        }
        if !self.at.eat(b']') {
            return Err(self.unexpected("]"));
        }
        Ok(Operand::Address(Box::new(Address { base, offset, rest: rest.into() })))
    }

    /// A name: register, special register, variable, function, label.
    fn name(&mut self, function: &mut Function, site: Option<Site>) -> Parsed<Operand> {
        self.at.skip();
        let start = self.at.pos();
        let Some(name) = self.at.ident() else { return Err(self.unexpected("a name")) };
        if name == "_" {
            return Ok(Operand::Sink);
        }
        let entity = self.register(name, &mut function.registers);
        let component = self.component();
        match (entity, component) {
            (Some(Entity::Reg(reg)), None) if self.picked() => return Ok(Operand::Picked(reg)),
            (Some(Entity::Reg(reg)), None) => return Ok(Operand::Reg(reg)),
            (Some(Entity::Reg(reg)), Some(c)) => return Ok(Operand::Element(reg, c)),
            (Some(Entity::Symbol(symbol)), _) => return Ok(Operand::Symbol(symbol, self.symbol_offset()?)),
            (None, component) => {
                if let Some(special) = Self::special(name, component) {
                    return Ok(special);
                }
            }
        }
        let span = self.at.span(start);
        if let Some(&id) = self.globals.get(name) {
            return Ok(Operand::Symbol(Symbol::Global(id), self.symbol_offset()?));
        }
        if let Some(&id) = self.functions.get(name) {
            return Ok(Operand::Symbol(Symbol::Function(id), 0));
        }
        match site {
            Some(site) => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.pending.push(Pending { name, site, span });
                }
            }
            None => self.unknown_name(name, span),
        }
        Ok(Operand::Symbol(Symbol::Unknown, self.symbol_offset()?))
    }

    /// A special register, one component of one, or all four as a vector: `mov.v4.u32 %q, %tid`.
    fn special(name: &str, component: Option<u8>) -> Option<Operand> {
        let of = |c: &str| Special::from_name(&format!("{name}.{c}")).map(Operand::Special);
        // manual: PTX "Special Registers": the fourth element is unused and always returns zero.
        let fourth = Operand::Imm(Immediate::Int(0));
        match component {
            Some(3) => of("x").map(|_| fourth),
            Some(c) => of(["x", "y", "z"].get(usize::from(c))?),
            None => Special::from_name(name)
                .map(Operand::Special)
                .or_else(|| Some(Operand::Vector([of("x")?, of("y")?, of("z")?, fourth].into()))),
        }
    }

    /// `.b0`, `.b3210`, `.h1`, `.h10` after a register, which it takes.
    fn picked(&mut self) -> bool {
        if self.at.byte() != Some(b'.') || !matches!(self.at.byte_at(1), Some(b'b' | b'h')) {
            return false;
        }
        let digits = (2..7).take_while(|&i| self.at.byte_at(i).is_some_and(|b| b.is_ascii_digit())).count();
        if digits == 0 || self.at.byte_at(2 + digits).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_')
        {
            return false;
        }
        self.at.advance(2 + digits);
        true
    }

    /// `.x` after a name.
    fn component(&mut self) -> Option<u8> {
        if self.at.byte() != Some(b'.') {
            return None;
        }
        let index = match self.at.byte_at(1)? {
            b'x' | b'r' => 0,
            b'y' | b'g' => 1,
            b'z' | b'b' => 2,
            b'w' | b'a' => 3,
            _ => return None,
        };
        if self.at.byte_at(2).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        self.at.advance(2);
        Some(index)
    }

    fn symbol_offset(&mut self) -> Parsed<i64> {
        self.at.skip();
        match self.at.byte() {
            Some(b'+' | b'-') => self.integer(),
            _ => Ok(0),
        }
    }

    /// A constant expression.
    pub(super) fn expression(&mut self) -> Parsed<Immediate> {
        self.binary(0, 0)
    }

    fn binary(&mut self, least: u8, depth: u32) -> Parsed<Immediate> {
        if depth > MAX_NESTING {
            return Err(self.unexpected("fewer nested parentheses"));
        }
        let mut left = self.unary(depth)?;
        loop {
            self.at.skip();
            let Some((operator, level, len)) = binary_operator(self.at.byte(), self.at.byte_at(1)) else {
                return Ok(left);
            };
            if level < least {
                return Ok(left);
            }
            let start = self.at.pos();
            self.at.advance(len);
            if operator == Operator::Choose {
                let yes = self.binary(0, depth + 1)?;
                if !self.at.eat(b':') {
                    return Err(self.unexpected(":"));
                }
                let no = self.binary(0, depth + 1)?;
                left = if as_int(left) == Some(0) { no } else { yes };
                continue;
            }
            let right = self.binary(level + 1, depth + 1)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None => return Err(self.refusal(start, "this expression has no value".to_owned())),
            };
        }
    }

    fn unary(&mut self, depth: u32) -> Parsed<Immediate> {
        if depth > MAX_NESTING {
            return Err(self.unexpected("fewer nested parentheses"));
        }
        self.at.skip();
        let start = self.at.pos();
        match self.at.byte() {
            Some(b'-') => {
                self.at.advance(1);
                Ok(match self.unary(depth + 1)? {
                    Immediate::Int(v) => Immediate::Int(v.wrapping_neg()),
                    Immediate::F32(b) => Immediate::F32(b ^ 0x8000_0000),
                    Immediate::F64(b) => Immediate::F64(b ^ (1 << 63)),
                })
            }
            Some(b'+') => {
                self.at.advance(1);
                self.unary(depth + 1)
            }
            Some(c @ (b'~' | b'!')) => {
                self.at.advance(1);
                match as_int(self.unary(depth + 1)?) {
                    Some(v) if c == b'~' => Ok(Immediate::Int(!v)),
                    Some(v) => Ok(Immediate::Int(i64::from(v == 0))),
                    None => Err(self.refusal(start, "this operator needs a whole number".to_owned())),
                }
            }
            Some(b'(') => {
                self.at.advance(1);
                if let Some(cast) = self.at.dot_word() {
                    let known = matches!(cast, "s64" | "u64");
                    if !known || !self.at.eat(b')') {
                        return Err(self.unexpected("a cast to .s64 or .u64"));
                    }
                    return self.unary(depth + 1);
                }
                let value = self.binary(0, depth + 1)?;
                if self.at.eat(b')') { Ok(value) } else { Err(self.unexpected(")")) }
            }
            Some(b'W') => {
                let here = self.at.pos();
                if self.at.ident() == Some("WARP_SZ") {
                    return Ok(Immediate::Int(32));
                }
                self.at.reset(here);
                Err(self.unexpected("a number"))
            }
            _ => match self.at.number() {
                Some(Ok(value)) => Ok(value),
                Some(Err(reason)) => Err(self.refusal(start, reason.to_owned())),
                None => Err(self.unexpected("an operand")),
            },
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    Both,
    Either,
    Choose,
}

/// Operator, precedence, length.
fn binary_operator(first: Option<u8>, second: Option<u8>) -> Option<(Operator, u8, usize)> {
    Some(match (first?, second) {
        (b'*', _) => (Operator::Mul, 11, 1),
        (b'/', _) => (Operator::Div, 11, 1),
        (b'%', Some(b' ' | b'0'..=b'9' | b'(')) => (Operator::Rem, 11, 1),
        (b'+', _) => (Operator::Add, 10, 1),
        (b'-', _) => (Operator::Sub, 10, 1),
        (b'<', Some(b'<')) => (Operator::Shl, 9, 2),
        (b'>', Some(b'>')) => (Operator::Shr, 9, 2),
        (b'<', Some(b'=')) => (Operator::Le, 8, 2),
        (b'>', Some(b'=')) => (Operator::Ge, 8, 2),
        // A lone `>` also closes a register range, which starts no operand.
        (b'<', Some(b' ' | b'0'..=b'9' | b'(')) => (Operator::Lt, 8, 1),
        (b'>', Some(b' ' | b'0'..=b'9' | b'(')) => (Operator::Gt, 8, 1),
        (b'=', Some(b'=')) => (Operator::Eq, 7, 2),
        (b'!', Some(b'=')) => (Operator::Ne, 7, 2),
        (b'&', Some(b'&')) => (Operator::Both, 3, 2),
        (b'|', Some(b'|')) => (Operator::Either, 2, 2),
        (b'&', _) => (Operator::And, 6, 1),
        (b'^', _) => (Operator::Xor, 5, 1),
        (b'|', _) => (Operator::Or, 4, 1),
        (b'?', _) => (Operator::Choose, 1, 1),
        _ => return None,
    })
}

fn as_int(value: Immediate) -> Option<i64> {
    match value {
        Immediate::Int(v) => Some(v),
        Immediate::F32(_) | Immediate::F64(_) => None,
    }
}

fn as_float(value: Immediate) -> f64 {
    match value {
        Immediate::Int(v) => v as f64,
        Immediate::F32(b) => f64::from(f32::from_bits(b)),
        Immediate::F64(b) => f64::from_bits(b),
    }
}

fn apply(operator: Operator, left: Immediate, right: Immediate) -> Option<Immediate> {
    let (Some(a), Some(b)) = (as_int(left), as_int(right)) else {
        let (a, b) = (as_float(left), as_float(right));
        let value = match operator {
            Operator::Add => a + b,
            Operator::Sub => a - b,
            Operator::Mul => a * b,
            Operator::Div => a / b,
            _ => return None,
        };
        return Some(Immediate::F64(value.to_bits()));
    };
    let shift = u32::try_from(b).ok();
    Some(Immediate::Int(match operator {
        Operator::Mul => a.wrapping_mul(b),
        Operator::Div => a.checked_div(b)?,
        Operator::Rem => a.checked_rem(b)?,
        Operator::Add => a.wrapping_add(b),
        Operator::Sub => a.wrapping_sub(b),
        Operator::Shl => shift.and_then(|s| a.checked_shl(s)).unwrap_or(0),
        Operator::Shr => shift.and_then(|s| a.checked_shr(s)).unwrap_or(if a < 0 { -1 } else { 0 }),
        Operator::Lt => i64::from(a < b),
        Operator::Le => i64::from(a <= b),
        Operator::Gt => i64::from(a > b),
        Operator::Ge => i64::from(a >= b),
        Operator::Eq => i64::from(a == b),
        Operator::Ne => i64::from(a != b),
        Operator::And => a & b,
        Operator::Xor => a ^ b,
        Operator::Or => a | b,
        Operator::Both => i64::from(a != 0 && b != 0),
        Operator::Either => i64::from(a != 0 || b != 0),
        Operator::Choose => return None,
    }))
}
