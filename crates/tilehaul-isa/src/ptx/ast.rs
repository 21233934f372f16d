//! What the reader hands out: a module with names resolved, scopes flattened and labels turned into indices.
//!
//! Instructions keep their text only as an index into [`Module::opcodes`] (each distinct spelling is stored once, with
//! the table row that it matched) and a span. Registers are numbered per function in the order of first use, so a
//! declared range of a thousand registers costs what is used of it.

use tilehaul_diag::Span;

use super::special::Special;
use super::table::Opcode;

/// A register of one function, by its position in [`Function::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegId(pub u32);

/// A module-scope variable, by its position in [`Module::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);

/// A variable of one function (shared, local, param inside the body), by its position in [`Function::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// A distinct opcode spelling, by its position in [`Module::opcodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpcodeId(pub u32);

/// A function, by its position in [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A place in a body: the index of an instruction, or the number of instructions for "past the end".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstrId(pub u32);

/// A scalar type as declarations and modifiers spell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are PTX's own")]
pub enum Type {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
    /// Texture, sampler and surface handles: kept, never executed.
    Opaque,
}

impl Type {
    /// The type of that name, without its dot.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Type> {
        Some(match name {
            "pred" => Type::Pred,
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "b128" => Type::B128,
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "f16" => Type::F16,
            "f16x2" => Type::F16x2,
            "bf16" => Type::Bf16,
            "bf16x2" => Type::Bf16x2,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "texref" | "samplerref" | "surfref" => Type::Opaque,
            _ => return None,
        })
    }

    /// Size in bits; predicates count as 1.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Type::Pred => 1,
            Type::B8 | Type::U8 | Type::S8 => 8,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::Bf16 => 16,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 | Type::F16x2 | Type::Bf16x2 => 32,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 | Type::Opaque => 64,
            Type::B128 => 128,
        }
    }

    /// Size in memory, in bytes.
    #[must_use]
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }
}

/// A state space that a variable can be declared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are PTX's own")]
pub enum Space {
    Global,
    Shared,
    Const,
    Local,
    Param,
}

/// Who sees a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are PTX's own")]
pub enum Linkage {
    #[default]
    Internal,
    Visible,
    Extern,
    Weak,
    Common,
}

/// A variable in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name as written.
    pub name: String,
    /// Where it lives.
    pub space: Space,
    /// Element type.
    pub ty: Type,
    /// Alignment in bytes; the type's own size unless `.align` says otherwise.
    pub align: u32,
    /// Size in bytes; 0 for an array of unknown size (`.extern .shared … name[]`).
    pub bytes: u64,
    /// Who sees it.
    pub linkage: Linkage,
    /// Written part of the initialiser; the rest is zero.
    pub init: Vec<u8>,
    /// Addresses that the initialiser names.
    pub relocations: Vec<Relocation>,
    /// The declaration.
    pub span: Span,
}

/// An address inside an initialiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Byte offset inside the variable.
    pub at: u64,
    /// Bytes stored.
    pub bytes: u32,
    /// Name of the variable or function.
    pub name: String,
    /// Added to its address.
    pub addend: i64,
    /// `generic(name)`: the generic address.
    pub generic: bool,
}

/// A declared register that the body uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name as written.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Elements, for `.v2` and `.v4` registers; else 1.
    pub lanes: u8,
}

/// A launch-shape or compiler directive between a function's head and its body, such as `.reqntid 128, 1, 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Name without its dot.
    pub name: String,
    /// Numbers that follow.
    pub values: Vec<u64>,
    /// Strings that follow (`.pragma`).
    pub strings: Vec<String>,
    /// The whole directive.
    pub span: Span,
}

/// An entry point or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// `.entry`, so a launch can name it.
    pub is_entry: bool,
    /// Who sees it.
    pub linkage: Linkage,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Return values in order (functions only).
    pub returns: Vec<Param>,
    /// `.maxntid`, `.reqntid`, `.explicitcluster`, ….
    pub directives: Vec<Directive>,
    /// Registers that the body uses.
    pub registers: Vec<Register>,
    /// Memory declared inside the body.
    pub variables: Vec<Variable>,
    /// The body, scopes flattened; empty for a declaration.
    pub instructions: Vec<Instruction>,
    /// Targets of `brx.idx`, calls through pointers: the tables that labels name.
    pub tables: Vec<Vec<InstrId>>,
    /// True when a body was written.
    pub has_body: bool,
    /// The head.
    pub span: Span,
}

impl Function {
    /// The directive of that name.
    #[must_use]
    pub fn directive(&self, name: &str) -> Option<&Directive> {
        self.directives.iter().find(|d| d.name == name)
    }
}

/// A parameter or return value of a function: bytes in param space, or (functions only) a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Size, alignment and name.
    pub variable: Variable,
    /// Set when it is declared `.reg`.
    pub register: Option<RegId>,
}

/// A memory object that an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A module-scope variable.
    Global(GlobalId),
    /// A variable of the body.
    Local(LocalId),
    /// A parameter of the function, by position.
    Param(u32),
    /// A return value of the function, by position.
    Return(u32),
    /// A function.
    Function(FunctionId),
    /// A place in the body.
    Label(InstrId),
    /// A table of places (`.branchtargets`), by position in [`Function::tables`].
    Table(u32),
    /// A name that nothing declares; a diagnostic says so. Executing its instruction is unsupported.
    Unknown,
}

/// A number in an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Immediate {
    /// Two's complement of 64 bits.
    Int(i64),
    /// Bits of `0f…`.
    F32(u32),
    /// Bits of `0d…` or of a decimal fraction.
    F64(u64),
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register.
    Reg(RegId),
    /// One element of a vector register: `V.x`.
    Element(RegId, u8),
    /// A negated predicate: `!%p`.
    Not(RegId),
    /// `%tid.x` and the like.
    Special(Special),
    /// Bytes or halves of a register that a video instruction picks: `%r0.b3`, `%r1.h10`.
    Picked(RegId),
    /// A number.
    Imm(Immediate),
    /// A name, with a byte offset for variables.
    Symbol(Symbol, i64),
    /// `_`: a result nobody wants.
    Sink,
    /// `%p|%q`.
    Dual(Box<(Operand, Operand)>),
    /// `{a, b}`.
    Vector(Box<[Operand]>),
    /// `[base+offset]`, `[map, {x, y}]`.
    Address(Box<Address>),
    /// `(a, b)` of a call.
    List(Box<[Operand]>),
}

/// What stands in square brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Register, symbol or number.
    pub base: Operand,
    /// Added to it, in bytes.
    pub offset: i64,
    /// What follows the first comma: coordinates of a tensor copy.
    pub rest: Box<[Operand]>,
}

/// `@%p` or `@!%p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The predicate.
    pub reg: RegId,
    /// `@!`.
    pub negated: bool,
}

/// A place in the source that the compiler was given, from `.loc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// Number of the `.file` directive.
    pub file: u32,
    /// Line, from 1; 0 when the compiler knows none.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
    /// Where it was inlined, by position in [`Module::lines`].
    pub inlined_at: Option<LineId>,
}

/// A source place, by its position in [`Module::lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u32);

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its spelling and table row.
    pub opcode: OpcodeId,
    /// The predicate in front.
    pub guard: Option<Guard>,
    /// Operands in order.
    pub operands: Box<[Operand]>,
    /// From the guard to the semicolon.
    pub span: Span,
    /// The line of the CUDA, Triton or other source.
    pub line: Option<LineId>,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// `.version`, major and minor.
    pub version: Option<(u32, u32)>,
    /// `.target`: the architecture first, then options.
    pub target: Vec<String>,
    /// `.address_size`, 64 unless written.
    pub address_size: u32,
    /// `.file` numbers and names, in order of appearance.
    pub files: Vec<(u32, String)>,
    /// Places that `.loc` names.
    pub lines: Vec<Line>,
    /// Module-scope variables.
    pub variables: Vec<Variable>,
    /// Entries and functions, declarations included.
    pub functions: Vec<Function>,
    /// Distinct opcode spellings.
    pub opcodes: Vec<Opcode>,
}

impl Module {
    /// The entry points that have a body, in order.
    pub fn entries(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|f| f.is_entry && f.has_body)
    }

    /// The spelling and row of an instruction.
    #[must_use]
    pub fn opcode(&self, instruction: &Instruction) -> Option<&Opcode> {
        self.opcodes.get(instruction.opcode.0 as usize)
    }

    /// The name given to a `.file` number.
    #[must_use]
    pub fn file_name(&self, number: u32) -> Option<&str> {
        self.files.iter().find(|(n, _)| *n == number).map(|(_, name)| name.as_str())
    }
}
