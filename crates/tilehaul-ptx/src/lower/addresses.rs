//! Addresses of variables and functions.

use rustc_hash::FxHashMap;
use tilehaul_isa::ptx::ast::{FunctionId, GlobalId, LocalId, Module, Space, Symbol};

use super::code::Init;
use super::{Lower, Lowered};

/// Addresses of functions start here.
pub(crate) const CODE_WINDOW: u64 = 0x3000_0000_0000;

/// Where module-scope and shared variables lie.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Address of each module variable: device address, or offset in shared memory.
    pub(crate) globals: Vec<u64>,
    /// Offset of each `.shared` variable declared in a function.
    pub(crate) shared: FxHashMap<(FunctionId, LocalId), u32>,
    /// Names of static shared memory: offset, bytes, name.
    pub(crate) shared_names: Vec<(u32, u32, String)>,
    /// Names of parameters: offset, bytes, name.
    pub(crate) param_names: Vec<(u32, u32, String)>,
    /// Offset of each parameter of the entry.
    pub(crate) params: Vec<u64>,
    /// The parameters' bytes.
    pub(crate) param_bytes: Vec<u8>,
    /// The target that the text is written for: it decides which instructions there are.
    pub(crate) target: String,
}

impl Lower<'_> {
    pub(super) fn variable_address(&mut self, id: FunctionId, symbol: Symbol) -> Lowered<Init> {
        Ok(match symbol {
            Symbol::Global(GlobalId(g)) => {
                let variable = self.module.variables.get(g as usize).ok_or("no such variable")?;
                let address = self.layout.globals.get(g as usize).copied().ok_or("no such variable")?;
                if variable.space == Space::Shared {
                    Init::Shared(address as u32)
                } else {
                    Init::Const(address)
                }
            }
            Symbol::Local(local) => {
                let function = self.module.functions.get(id.0 as usize).ok_or("no such function")?;
                let variable = function.variables.get(local.0 as usize).ok_or("no such variable")?;
                match variable.space {
                    Space::Shared => {
                        Init::Shared(*self.layout.shared.get(&(id, local)).ok_or("no such variable")?)
                    }
                    Space::Local | Space::Param => {
                        let frame = self.frames.get(&id).ok_or("no such function")?;
                        Init::Const(*frame.locals.get(local.0 as usize).ok_or("no such variable")?)
                    }
                    Space::Global | Space::Const => {
                        return Err("device variables inside functions are not modelled".to_owned());
                    }
                }
            }
            Symbol::Param(i) => {
                let frame = self.frames.get(&id).ok_or("no such function")?;
                Init::Const(*frame.params.get(i as usize).ok_or("no such parameter")?)
            }
            Symbol::Return(i) => {
                let frame = self.frames.get(&id).ok_or("no such function")?;
                Init::Const(*frame.returns.get(i as usize).ok_or("no such parameter")?)
            }
            Symbol::Function(f) => Init::Const(function_address(f)),
            Symbol::Label(to) => Init::Const(u64::from(self.bases.get(&id).copied().unwrap_or(0) + to.0)),
            Symbol::Table(_) => return Err("a branch table is no value".to_owned()),
            Symbol::Unknown => return Err("it names something that is not declared".to_owned()),
        })
    }
}

/// The function of that name.
pub(crate) fn function_named(module: &Module, name: &str) -> Option<FunctionId> {
    module.functions.iter().position(|f| f.name == name).map(|i| FunctionId(i as u32))
}

/// What a pointer to a function holds. It names no bytes: code cannot be read.
pub(crate) fn function_address(id: FunctionId) -> u64 {
    CODE_WINDOW + 16 * u64::from(id.0)
}
