//! Where parameters and variables lie, and what they hold when the kernel starts.

use rustc_hash::FxHashSet;
use tilehaul_diag::{Code as DiagCode, Diagnostic, Level};
use tilehaul_engine::Memory;
use tilehaul_isa::ptx::Module;
use tilehaul_isa::ptx::ast::{Function, FunctionId, GlobalId, LocalId, Operand, Space, Symbol, Variable};
use tilehaul_machine::{Contents, GlobalMemory};

use super::bad;
use crate::lower::{Layout, function_address, function_named};

/// Bytes of `.const` variables that a module may have. manual: ptxas 13.5 ("too much global constant data").
const MOST_CONSTANTS: u64 = 64 << 10;
/// Bytes of `.global` variables; no limit of a device but what a run of every seed can hold.
const MOST_GLOBALS: u64 = 1 << 30;
/// Bytes of static shared memory that are placed at all; `check_shared` knows the chip's own limit.
const MOST_STATIC_SHARED: u64 = 1 << 20;
/// Bytes of parameters that are placed at all; no driver takes as many.
const MOST_PARAMS: usize = 1 << 20;

impl Layout {
    pub(super) fn place_params(
        &mut self,
        function: &Function,
        given: &[Vec<u8>],
    ) -> Result<(), Box<Diagnostic>> {
        if function.params.len() != given.len() {
            let (name, wanted, got) = (&function.name, function.params.len(), given.len());
            let message = format!("{name} takes {wanted} arguments; the launch gives {got}");
            return Err(Box::new(
                Diagnostic::new(DiagCode("launch-arguments"), Level::Error, message)
                    .at(function.span, "the kernel's parameters"),
            ));
        }
        for (param, bytes) in function.params.iter().zip(given) {
            let v = &param.variable;
            if v.bytes != bytes.len() as u64 {
                let message = format!(
                    "the parameter {} of {} has {} bytes; the launch gives {}",
                    v.name,
                    function.name,
                    v.bytes,
                    bytes.len()
                );
                return Err(Box::new(
                    Diagnostic::new(DiagCode("launch-arguments"), Level::Error, message)
                        .at(v.span, "declared here"),
                ));
            }
            let at = self.param_bytes.len().next_multiple_of(v.align.max(1) as usize);
            if at > MOST_PARAMS {
                return Err(bad("launch-arguments", "the parameters are larger than 1 MiB"));
            }
            self.param_bytes.resize(at, 0);
            self.params.push(at as u64);
            self.param_names.push((at as u32, bytes.len() as u32, v.name.clone()));
            self.param_bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Places every variable; returns the bytes of static shared memory, up to where the dynamic array starts.
    /// Shared memory is that of the entry and of functions: other entries' does not count.
    pub(super) fn place_variables(
        &mut self,
        module: &Module,
        entry: FunctionId,
        global: &mut GlobalMemory,
    ) -> Result<u32, Box<Diagnostic>> {
        let runs = |f: usize, function: &Function| !function.is_entry || f == entry.0 as usize;
        let mut named = FxHashSet::default();
        for (_, function) in module.functions.iter().enumerate().filter(|&(f, function)| runs(f, function)) {
            let operands = function.instructions.iter().flat_map(|i| &i.operands);
            operands.for_each(|operand| mentioned(operand, &mut named));
        }
        let mut shared_end = 0;
        let mut device = DeviceRoom::default();
        for (g, v) in module.variables.iter().enumerate() {
            let at = match v.space {
                Space::Shared if is_dynamic(v) || !named.contains(&GlobalId(g as u32)) => 0,
                Space::Shared => self.place_shared(v, &mut shared_end).into(),
                Space::Global | Space::Const => {
                    device.take(v)?;
                    let mut data = v.init.clone();
                    data.resize(v.bytes as usize, 0);
                    global.allocate(v.name.clone(), data, u64::from(v.align), Contents::Written)
                }
                Space::Local | Space::Param => 0,
            };
            self.globals.push(at);
        }
        for (f, function) in module.functions.iter().enumerate() {
            for (i, v) in function.variables.iter().enumerate().filter(|_| runs(f, function)) {
                if v.space == Space::Shared && !is_dynamic(v) {
                    let at = self.place_shared(v, &mut shared_end);
                    self.shared.insert((FunctionId(f as u32), LocalId(i as u32)), at);
                }
            }
        }
        if shared_end > MOST_STATIC_SHARED {
            return Err(bad("ptx-variable-size", &format!("{shared_end} bytes of static shared memory")));
        }
        Ok(self.place_dynamic(module, shared_end as u32))
    }

    /// Puts a static array behind the others, which end at `end`.
    fn place_shared(&mut self, v: &Variable, end: &mut u64) -> u32 {
        let at = end.next_multiple_of(u64::from(v.align.max(1)));
        *end = at.saturating_add(v.bytes);
        self.shared_names.push((at as u32, v.bytes as u32, v.name.clone()));
        at as u32
    }

    /// Puts every dynamic array where the static ones end; returns that place.
    fn place_dynamic(&mut self, module: &Module, static_bytes: u32) -> u32 {
        let locals = || module.functions.iter().flat_map(|f| &f.variables);
        // Triton's swizzles count on 1024-byte alignment of the dynamic array.
        let start = match module.variables.iter().chain(locals()).any(is_dynamic) {
            true => static_bytes.next_multiple_of(1024),
            false => static_bytes,
        };
        for (v, at) in module.variables.iter().zip(&mut self.globals) {
            if is_dynamic(v) {
                *at = start.into();
            }
        }
        for (f, function) in module.functions.iter().enumerate() {
            for (i, v) in function.variables.iter().enumerate() {
                if is_dynamic(v) {
                    self.shared.insert((FunctionId(f as u32), LocalId(i as u32)), start);
                }
            }
        }
        start
    }

    pub(super) fn resolve_relocations(
        &self,
        module: &Module,
        global: &mut GlobalMemory,
    ) -> Result<(), Box<Diagnostic>> {
        for (v, &at) in module.variables.iter().zip(&self.globals) {
            for r in &v.relocations {
                if let Some(id) = function_named(module, &r.name) {
                    write_address(global, at + r.at, r.bytes, function_address(id))?;
                    continue;
                }
                let target = module.variables.iter().position(|t| t.name == r.name);
                let address = target.and_then(|i| Some((module.variables.get(i)?, self.globals.get(i)?)));
                let Some((named, &address)) = address else {
                    let message =
                        format!("the initialiser of {} names {}, which is not declared", v.name, r.name);
                    return Err(bad("ptx-initialiser", &message));
                };
                if named.space == Space::Shared || v.space == Space::Shared {
                    let message = format!("the initialiser of {} holds a shared-memory address", v.name);
                    return Err(bad("ptx-initialiser", &message));
                }
                write_address(global, at + r.at, r.bytes, address.wrapping_add_signed(r.addend))?;
            }
        }
        Ok(())
    }
}

/// The array whose size the launch gives: `.extern .shared .b8 name[]`.
fn is_dynamic(v: &Variable) -> bool {
    v.space == Space::Shared && v.bytes == 0
}

/// Bytes that module variables take in device memory.
#[derive(Default)]
struct DeviceRoom {
    constants: u64,
    globals: u64,
}

impl DeviceRoom {
    fn take(&mut self, v: &Variable) -> Result<(), Box<Diagnostic>> {
        let (sum, most, space) = match v.space {
            Space::Const => (&mut self.constants, MOST_CONSTANTS, ".const"),
            _ => (&mut self.globals, MOST_GLOBALS, ".global"),
        };
        *sum = sum.saturating_add(v.bytes);
        if *sum <= most {
            return Ok(());
        }
        let message = format!(
            "the module's {space} variables come to {sum} bytes with {} ({} bytes); there is room for {most}",
            v.name, v.bytes
        );
        Err(bad("ptx-variable-size", &message))
    }
}

/// Writes an address into an initialiser. Fails when the place is outside of the variable.
fn write_address(global: &mut GlobalMemory, at: u64, bytes: u32, value: u64) -> Result<(), Box<Diagnostic>> {
    let value = value.to_le_bytes();
    let len = (bytes as usize).min(value.len());
    let outside =
        |_| bad("ptx-initialiser", "an initialiser holds an address that reaches past its variable");
    global.bytes_mut(at, len as u64).map_err(outside)?.copy_from_slice(&value[..len]);
    Ok(())
}

/// The module-scope variables that an operand names.
fn mentioned(operand: &Operand, named: &mut FxHashSet<GlobalId>) {
    match operand {
        Operand::Symbol(Symbol::Global(id), _) => {
            named.insert(*id);
        }
        Operand::Dual(pair) => {
            mentioned(&pair.0, named);
            mentioned(&pair.1, named);
        }
        Operand::Vector(list) | Operand::List(list) => list.iter().for_each(|o| mentioned(o, named)),
        Operand::Address(address) => {
            mentioned(&address.base, named);
            address.rest.iter().for_each(|o| mentioned(o, named));
        }
        Operand::Symbol(
            Symbol::Local(_)
            | Symbol::Param(_)
            | Symbol::Return(_)
            | Symbol::Function(_)
            | Symbol::Label(_)
            | Symbol::Table(_)
            | Symbol::Unknown,
            _,
        )
        | Operand::Reg(_)
        | Operand::Element(..)
        | Operand::Not(_)
        | Operand::Imm(_)
        | Operand::Special(_)
        | Operand::Sink
        | Operand::Picked(_) => {}
    }
}
