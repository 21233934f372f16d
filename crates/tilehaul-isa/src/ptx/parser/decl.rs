//! Declarations: variables with their initialisers, registers, source lines.

use super::super::ast::{
    Immediate, InstrId, Line, LineId, Linkage, RegId, Register, Relocation, Space, Type, Variable,
};
use super::{Entity, MAX_NESTING, Parsed, Parser};

/// Initialisers are stored; a longer one is refused.
const MAX_INITIALISER: u64 = 1 << 28;

impl<'t> Parser<'t> {
    /// `[.align N] [.v4] .type name[dims] [= init] {, name…};` after the space.
    pub(super) fn variables(
        &mut self,
        space: Space,
        linkage: Linkage,
        start: usize,
    ) -> Parsed<Vec<(Variable, &'t str)>> {
        let head = self.variable_head()?;
        let mut all = Vec::new();
        loop {
            all.push(self.declarator(&head, space, linkage, start)?);
            if !self.at.eat(b',') {
                break;
            }
        }
        self.semicolon()?;
        Ok(all)
    }

    /// One parameter: like a variable, without the semicolon.
    pub(super) fn one_variable(
        &mut self,
        space: Space,
        linkage: Linkage,
        start: usize,
    ) -> Parsed<(Variable, &'t str)> {
        let head = self.variable_head()?;
        self.declarator(&head, space, linkage, start)
    }

    fn variable_head(&mut self) -> Parsed<Head> {
        let mut head = Head { ty: None, align: None, lanes: 1 };
        loop {
            let before = self.at.pos();
            let Some(word) = self.at.dot_word() else { break };
            match word {
                "align" => head.align = Some(u32::try_from(self.integer()?).unwrap_or(0)),
                "v2" => head.lanes = 2,
                "v4" => head.lanes = 4,
                "v8" => head.lanes = 8,
                // What a pointer parameter points to: a hint without effect here.
                "ptr" | "global" | "shared" | "const" | "local" | "param" => {}
                "attribute" => {
                    self.at.reset(before);
                    self.skip_attribute();
                }
                _ => match Type::from_name(word) {
                    Some(ty) => {
                        head.ty = Some(ty);
                        let mut ahead = self.at.clone();
                        if ahead.dot_word() == Some("ptr") {
                            // `.ptr .space .align N` describes the pointee: read it, keep nothing.
                            self.at = ahead;
                            self.pointee()?;
                        }
                    }
                    None => return Err(self.refusal(before, format!("expected a type, found .{word}"))),
                },
            }
        }
        Ok(head)
    }

    fn pointee(&mut self) -> Parsed<()> {
        loop {
            let before = self.at.pos();
            match self.at.dot_word() {
                Some("align") => {
                    self.integer()?;
                }
                Some("global" | "shared" | "const" | "local" | "param") => {}
                _ => {
                    self.at.reset(before);
                    return Ok(());
                }
            }
        }
    }

    fn declarator(
        &mut self,
        head: &Head,
        space: Space,
        linkage: Linkage,
        start: usize,
    ) -> Parsed<(Variable, &'t str)> {
        let Some(ty) = head.ty else { return Err(self.unexpected("a type such as .b32")) };
        let Some(name) = self.at.ident() else { return Err(self.unexpected("a name")) };
        let element = u64::from(ty.bytes()) * u64::from(head.lanes);
        let mut dims = Vec::new();
        // `name<N>` declares name0 to nameN-1; memory variables use it as rarely as compilers do, so N copies side by side
        // would need N names. It is refused rather than guessed.
        self.at.skip();
        if self.at.byte() == Some(b'<') {
            return Err(self.unexpected("a name without a range"));
        }
        while self.at.eat(b'[') {
            if self.at.eat(b']') {
                dims.push(0);
                continue;
            }
            dims.push(self.integer()?.cast_unsigned());
            if !self.at.eat(b']') {
                return Err(self.unexpected("]"));
            }
        }
        let mut bytes = dims.iter().fold(element, |n, &d| n.saturating_mul(d));
        if bytes > 1 << 40 {
            return Err(self.refusal(start, format!("{name} has {bytes} bytes; no memory is that large")));
        }
        let align = head.align.unwrap_or_else(|| u32::try_from(element).unwrap_or(1).max(1));
        if !align.is_power_of_two() {
            return Err(self.refusal(start, format!("the alignment {align} of {name} is not a power of two")));
        }
        let mut image = Image { bytes: Vec::new(), relocations: Vec::new() };
        if self.at.eat(b'=') {
            self.initialiser(ty, &dims, 0, &mut image, 0)?;
            if dims.first() == Some(&0) {
                bytes = image.bytes.len() as u64;
            }
        }
        let variable = Variable {
            name: name.to_owned(),
            space,
            ty,
            align,
            bytes,
            linkage,
            init: image.bytes,
            relocations: image.relocations,
            span: self.at.span(start),
        };
        Ok((variable, name))
    }

    /// A value or braces of values; `at` is where it goes.
    fn initialiser(&mut self, ty: Type, dims: &[u64], at: u64, image: &mut Image, depth: u32) -> Parsed<u64> {
        let element = u64::from(ty.bytes());
        if !self.at.eat(b'{') {
            return self.initial_value(ty, at, image);
        }
        if depth > MAX_NESTING {
            return Err(self.unexpected("fewer nested braces"));
        }
        let inner = dims.get(1..).unwrap_or(&[]);
        let step = inner.iter().fold(element, |n, &d| n.saturating_mul(d));
        let mut next = at;
        if self.at.eat(b'}') {
            return Ok(at);
        }
        loop {
            let end = self.initialiser(ty, inner, next, image, depth + 1)?;
            next = next.saturating_add(step).max(end);
            if next > MAX_INITIALISER {
                return Err(self.unexpected("an initialiser of at most 256 MiB"));
            }
            if self.at.eat(b'}') {
                return Ok(next);
            }
            if !self.at.eat(b',') {
                return Err(self.unexpected(", or }"));
            }
        }
    }

    fn initial_value(&mut self, ty: Type, at: u64, image: &mut Image) -> Parsed<u64> {
        let width = u64::from(ty.bytes());
        let mut before = self.at.clone();
        let mut shift = 0;
        // `0xff00(name)` takes one byte of an address.
        if let Some(Ok(Immediate::Int(mask))) = before.number()
            && before.eat(b'(')
        {
            shift = mask.trailing_zeros().min(63);
            self.at = before;
            let relocation = self.address_constant(at, width)?;
            if !self.at.eat(b')') {
                return Err(self.unexpected(")"));
            }
            if shift > 0 {
                return Err(self.unexpected("a whole address: byte masks of addresses are not modelled"));
            }
            image.put(at, &vec![0; width as usize]);
            image.relocations.push(relocation);
            return Ok(at + width);
        }
        let _ = shift;
        self.at.skip();
        if self.at.byte().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'%')) {
            let relocation = self.address_constant(at, width)?;
            image.put(at, &vec![0; width as usize]);
            image.relocations.push(relocation);
            return Ok(at + width);
        }
        let bits = match (self.expression()?, ty) {
            (Immediate::Int(v), Type::F32) => u64::from((v as f32).to_bits()),
            (Immediate::Int(v), Type::F64) => (v as f64).to_bits(),
            (Immediate::Int(v), _) => v.cast_unsigned(),
            (Immediate::F32(b), Type::F64) => f64::from(f32::from_bits(b)).to_bits(),
            (Immediate::F32(b), _) => u64::from(b),
            (Immediate::F64(b), Type::F32) => u64::from((f64::from_bits(b) as f32).to_bits()),
            (Immediate::F64(b), _) => b,
        };
        let mut raw = [0u8; 16];
        raw[..8].copy_from_slice(&bits.to_le_bytes());
        image.put(at, &raw[..(width as usize).min(16)]);
        Ok(at + width)
    }

    fn address_constant(&mut self, at: u64, width: u64) -> Parsed<Relocation> {
        let Some(mut name) = self.at.ident() else { return Err(self.unexpected("a name")) };
        let mut generic = false;
        if name == "generic" && self.at.eat(b'(') {
            generic = true;
            name = self.at.ident().ok_or_else(|| self.unexpected("a name"))?;
            if !self.at.eat(b')') {
                return Err(self.unexpected(")"));
            }
        }
        let mut addend = 0;
        self.at.skip();
        if matches!(self.at.byte(), Some(b'+' | b'-')) {
            addend = self.integer()?;
        }
        Ok(Relocation { at, bytes: width as u32, name: name.to_owned(), addend, generic })
    }

    /// `.reg .b32 %r<52>, %t;` after `.reg`.
    pub(super) fn registers(&mut self) -> Parsed<()> {
        let mut lanes = 1;
        let mut ty = None;
        loop {
            let before = self.at.pos();
            match self.at.dot_word() {
                Some("v2") => lanes = 2,
                Some("v4") => lanes = 4,
                Some("v8") => lanes = 8,
                Some("align") => {
                    self.integer()?;
                }
                Some(word) => match Type::from_name(word) {
                    Some(t) => ty = Some(t),
                    None => {
                        return Err(self.refusal(before, format!("expected a register type, found .{word}")));
                    }
                },
                None => break,
            }
        }
        let Some(ty) = ty else { return Err(self.unexpected("a register type such as .b32")) };
        loop {
            let Some(name) = self.at.ident() else { return Err(self.unexpected("a register name")) };
            let count = if self.at.eat(b'<') {
                let n = self.integer()?;
                if !self.at.eat(b'>') {
                    return Err(self.unexpected(">"));
                }
                Some(n.max(0).cast_unsigned())
            } else {
                None
            };
            if let Some(scope) = self.scopes.last_mut() {
                match count {
                    Some(count) => {
                        scope.ranges.insert(name, (count, ty, lanes));
                    }
                    // A single register gets its number at first use, like those of a range.
                    None => {
                        scope.names.remove(name);
                        scope.singles.insert(name, (ty, lanes));
                    }
                }
            }
            if !self.at.eat(b',') {
                break;
            }
        }
        self.semicolon()
    }

    /// The register of that name, declared and perhaps not used before.
    pub(super) fn register(&mut self, name: &'t str, registers: &mut Vec<Register>) -> Option<Entity> {
        for scope in self.scopes.iter_mut().rev() {
            if let Some(&entity) = scope.names.get(name) {
                return Some(entity);
            }
            let declared = match scope.singles.get(name) {
                Some(&declared) => Some(declared),
                None => {
                    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
                    let digits = &name[prefix.len()..];
                    scope
                        .ranges
                        .get(prefix)
                        .filter(|r| digits.parse::<u64>().is_ok_and(|n| n < r.0))
                        .map(|&(_, ty, lanes)| (ty, lanes))
                }
            };
            if let Some((ty, lanes)) = declared {
                let entity = Entity::Reg(RegId(registers.len() as u32));
                registers.push(Register { name: name.to_owned(), ty, lanes });
                scope.names.insert(name, entity);
                return Some(entity);
            }
        }
        None
    }

    /// `.loc file line column [, function_name …, inlined_at file line column]` after `.loc`.
    pub(super) fn loc(&mut self) -> Parsed<LineId> {
        let small = |n: i64| u32::try_from(n).unwrap_or(0);
        let file = small(self.integer()?);
        let line = small(self.integer()?);
        let column = small(self.integer()?);
        let mut place = Line { file, line, column, inlined_at: None };
        while self.at.eat(b',') {
            match self.at.ident() {
                Some("function_name") => {
                    let _ = self.at.ident();
                    self.at.skip();
                    if matches!(self.at.byte(), Some(b'+')) {
                        self.integer()?;
                    }
                }
                Some("inlined_at") => {
                    let file = small(self.integer()?);
                    let line = small(self.integer()?);
                    let column = small(self.integer()?);
                    let id = LineId(self.module.lines.len() as u32);
                    self.module.lines.push(Line { file, line, column, inlined_at: None });
                    place.inlined_at = Some(id);
                }
                _ => return Err(self.unexpected("function_name or inlined_at")),
            }
        }
        let id = LineId(self.module.lines.len() as u32);
        self.module.lines.push(place);
        Ok(id)
    }

    /// The instruction that comes next.
    pub(super) fn next_instruction(count: usize) -> InstrId {
        InstrId(count as u32)
    }
}

struct Head {
    ty: Option<Type>,
    align: Option<u32>,
    lanes: u8,
}

struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    fn put(&mut self, at: u64, value: &[u8]) {
        let start = at as usize;
        if self.bytes.len() < start + value.len() {
            self.bytes.resize(start + value.len(), 0);
        }
        self.bytes[start..start + value.len()].copy_from_slice(value);
    }
}
