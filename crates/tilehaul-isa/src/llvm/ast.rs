//! The program as read.

use tilehaul_diag::Span;

/// Flat pointers.
pub const FLAT: u32 = 0;
/// Global memory.
pub const GLOBAL: u32 = 1;
/// LDS.
pub const LDS: u32 = 3;

/// A type; sizes are those of the AMDGPU data layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `iN`.
    Int(u32),
    /// `half`, `bfloat`, `float`, `double`: number of bits.
    Float(u32),
    /// `ptr addrspace(N)`.
    Ptr(u32),
    /// `<N x T>`.
    Vector(u64, Box<Type>),
    /// `[N x T]`.
    Array(u64, Box<Type>),
    /// `{ T, … }`.
    Struct(Vec<Type>),
    /// Anything else, as written.
    Other(String),
}

impl Type {
    /// Bytes in memory, when known.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Type::Int(bits) => Some(u64::from(bits.div_ceil(8)).next_power_of_two()),
            Type::Float(bits) => Some(u64::from(*bits) / 8),
            Type::Ptr(2 | 3 | 5 | 6) => Some(4),
            Type::Ptr(7) => Some(20),
            Type::Ptr(8) => Some(16),
            Type::Ptr(_) => Some(8),
            Type::Vector(n, element) => {
                // Elements below a byte are packed.
                let bits = match **element {
                    Type::Int(bits) => u64::from(bits),
                    _ => element.bytes()?.checked_mul(8)?,
                };
                n.checked_mul(bits).map(|b| b.div_ceil(8))
            }
            Type::Array(n, element) => element.bytes()?.checked_mul(*n),
            Type::Struct(fields) => fields.iter().try_fold(0u64, |sum, f| {
                // Natural alignment of scalars; nested aggregates of unknown alignment make the size unknown.
                let size = f.bytes()?;
                let align = match f {
                    Type::Int(_) | Type::Float(_) | Type::Ptr(_) => size.clamp(1, 16),
                    _ => return None,
                };
                sum.checked_next_multiple_of(align)?.checked_add(size)
            }),
            Type::Void | Type::Other(_) => None,
        }
    }

    /// The address space of a pointer.
    #[must_use]
    pub fn address_space(&self) -> Option<u32> {
        match self {
            Type::Ptr(space) => Some(*space),
            _ => None,
        }
    }
}

/// An operand's value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// `%name`.
    Local(String),
    /// `@name`.
    Global(String),
    /// An integer, `true` or `false`.
    Int(i128),
    /// `zeroinitializer` or `null`.
    Zero,
    /// `<i32 1, i32 %x, …>`: each element's value.
    Vector(Vec<Value>),
    /// `getelementptr (T, ptr @name, …)` with constant indices: a global and a distance in bytes.
    Address {
        /// The global.
        global: String,
        /// Bytes from its start.
        offset: i128,
    },
    /// `poison`, a float, another constant expression: as written, with the globals that stand in it.
    Other {
        /// The text.
        text: String,
        /// Globals named inside.
        globals: Vec<String>,
    },
}

impl Value {
    /// The number, when it is one.
    #[must_use]
    pub fn int(&self) -> Option<i128> {
        match self {
            Value::Int(n) => Some(*n),
            Value::Zero => Some(0),
            _ => None,
        }
    }

    /// Calls `see` with every local name inside.
    pub fn locals(&self, see: &mut impl FnMut(&str)) {
        match self {
            Value::Local(name) => see(name),
            Value::Vector(elements) => elements.iter().for_each(|e| e.locals(see)),
            Value::Global(_) | Value::Int(_) | Value::Zero | Value::Address { .. } | Value::Other { .. } => {}
        }
    }
}

/// A typed operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// Index of a block in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A call; `callee` is absent for a call through a pointer or of inline assembly.
    Call {
        /// Name without `@`.
        callee: Option<String>,
        /// Inline assembly text, when it is that.
        asm: Option<String>,
        /// Arguments.
        args: Vec<Operand>,
    },
    /// `load`.
    Load {
        /// What is loaded.
        ty: Type,
        /// From where.
        pointer: Operand,
    },
    /// `store`.
    Store {
        /// What is stored.
        value: Operand,
        /// Where.
        pointer: Operand,
    },
    /// `atomicrmw` or `cmpxchg`.
    Atomic {
        /// Where.
        pointer: Operand,
        /// Further operands.
        values: Vec<Value>,
    },
    /// `fence`.
    Fence {
        /// `syncscope("…")`; empty for the whole system.
        scope: String,
        /// `release`, `acquire`, `acq_rel`, `seq_cst`.
        ordering: String,
    },
    /// `getelementptr`.
    Gep {
        /// The type that indices step over.
        element: Type,
        /// The pointer.
        base: Operand,
        /// The indices.
        indices: Vec<Operand>,
    },
    /// A conversion.
    Cast {
        /// `bitcast`, `addrspacecast`, `zext`, …
        opcode: String,
        /// What is converted.
        value: Operand,
        /// To what.
        to: Type,
    },
    /// `phi`.
    Phi {
        /// Values and the labels that they come from.
        incoming: Vec<(Value, String)>,
    },
    /// `select`.
    Select {
        /// The condition.
        condition: Value,
        /// Both choices.
        values: [Value; 2],
    },
    /// An integer operation of two operands.
    Binary {
        /// `add`, `mul`, …
        opcode: String,
        /// Operands.
        values: [Value; 2],
    },
    /// `br`, `switch`, `indirectbr`: where control goes.
    Branch {
        /// What decides, when something does.
        condition: Option<Value>,
        /// Labels.
        targets: Vec<String>,
    },
    /// `ret`, `unreachable`.
    End,
    /// Anything else.
    Other {
        /// Its first word.
        opcode: String,
        /// Names that stand in it.
        values: Vec<Value>,
    },
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// `%name` that it defines.
    pub result: Option<String>,
    /// What it does.
    pub op: Op,
    /// `volatile` stands in it.
    pub volatile: bool,
    /// `!nontemporal` metadata.
    pub nontemporal: bool,
    /// An atomic ordering or a synchronisation scope stands in it.
    pub atomic: bool,
    /// Where it stands.
    pub span: Span,
}

/// A run of instructions with one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its label; empty for an entry block without one.
    pub label: String,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// Blocks that may follow.
    pub successors: Vec<BlockId>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name without `%`; empty when it has none.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// In scalar registers.
    pub inreg: bool,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name without `@`.
    pub name: String,
    /// `amdgpu_kernel`.
    pub kernel: bool,
    /// Parameters.
    pub params: Vec<Param>,
    /// Attributes by name: those of the definition and of its attribute groups.
    pub attributes: Vec<(String, String)>,
    /// Blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// Where the definition's first line stands.
    pub span: Span,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Name without `@`.
    pub name: String,
    /// Address space.
    pub address_space: u32,
    /// Its type.
    pub ty: Type,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// `target triple`, empty when absent.
    pub triple: String,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions with a body.
    pub functions: Vec<Function>,
}

impl Function {
    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// Bytes that the indices of a `getelementptr` over `element` move, for each index its step; the last steps are absent
/// when a type's size or shape is not known.
#[must_use]
pub fn index_steps(element: &Type, count: usize) -> Vec<u64> {
    let mut steps = Vec::new();
    let mut ty = element;
    for at in 0..count {
        if at > 0 {
            match ty {
                Type::Array(_, inner) | Type::Vector(_, inner) => ty = inner,
                // A struct's fields have no common step.
                _ => return steps,
            }
        }
        match ty.bytes() {
            Some(bytes) => steps.push(bytes),
            None => return steps,
        }
    }
    steps
}
