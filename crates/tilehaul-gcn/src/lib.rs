//! Executes AMD GPU programs on the machine: gfx942 and gfx950 with waves of 64 lanes, gfx1250 with waves of 32.
//!
//! A module read by `tilehaul-isa` is lowered once ([`Gcn::new`]): every instruction gets a handler and resolved
//! operands. Vector registers are arrays over lanes. What others can see goes through the machine's core: memory, LDS,
//! barriers, asynchronous operations with the counters of `counters.rs`. An instruction that is not modelled matters only
//! when it is reached, and then ends the run as unsupported, by name.

mod buffer;
mod coherence;
mod control;
mod counters;
mod engine;
mod extent;
mod flat;
mod form;
mod kill;
mod launch;
mod lds;
mod lower;
mod matrix;
mod memory;
mod op;
mod pending;
mod registers;
mod replay;
mod salu;
mod scalar;
mod spin;
mod statics;
#[cfg(test)]
mod testing;
mod transpose;
mod typed;
mod unwritten;
mod valu;
mod wait_states;
mod wave;

use std::sync::Arc;

use tilehaul_diag::{Code, Diagnostic, Level, Span};
use tilehaul_isa::gcn::print::{VgprBanks, print};
use tilehaul_isa::gcn::{Kernel, Module};
use tilehaul_machine::{
    ChannelSpec, Core, CounterSpec, Executor, LaneMask, Launch, PlaceId, Ran, Status, Traits, WaveInfo, Who,
};

pub use launch::{
    Device, GcnProgram, Hidden, KernelArguments, Kill, ParamSpec, Request, Setup, kernel_arguments, params,
    place_module,
};
use op::{Action, Flow, Op, Stop, Work};
use registers::Pool;
pub use statics::{Survey, survey};
pub use tilehaul_mma::Sums;
pub use wave::Wave;

/// Flat addresses of LDS have this upper half. inferred: any value works, programs read it from `src_shared_base`.
pub(crate) const SHARED_BASE: u64 = 0x2000_0000_0000_0000;
/// Flat addresses of private memory have this upper half.
pub(crate) const PRIVATE_BASE: u64 = 0x1000_0000_0000_0000;

/// A kernel ready to run with waves of `L` lanes.
pub struct Gcn<const L: usize> {
    module: Arc<Module>,
    kernel: Kernel,
    ops: Vec<Op<L>>,
    /// The vector registers that the code names, ascending.
    registers: Vec<u16>,
    pool: Arc<Pool<L>>,
    entry: u32,
    gfx12: bool,
    setup: Setup,
    launch: Launch,
}

impl<const L: usize> Gcn<L> {
    /// The processor that its code is for.
    #[must_use]
    pub fn target(&self) -> tilehaul_isa::gcn::Target {
        self.module.target
    }

    /// Lowers a module for one of its kernels.
    ///
    /// # Errors
    /// When the wave size does not fit, or the kernel's first instruction is not in the code.
    pub fn new(
        module: Arc<Module>,
        kernel: &Kernel,
        setup: Setup,
        launch: Launch,
    ) -> Result<Gcn<L>, Box<Diagnostic>> {
        let bad = |text: String| Box::new(Diagnostic::new(Code("kernel-file"), Level::Error, text));
        let lanes = kernel.descriptor.wave_lanes(module.target);
        if lanes as usize != L {
            return Err(bad(format!(
                "kernel {} has waves of {lanes} lanes, which are not modelled on {}",
                kernel.name, module.target
            )));
        }
        let entry = module.index_of(kernel.entry).ok_or_else(|| {
            bad(format!("the entry {:#x} of kernel {} is no instruction", kernel.entry, kernel.name))
        })?;
        let mut ops: Vec<Op<L>> =
            module.code.iter().enumerate().map(|(i, p)| lower::lower(p, i, |a| module.index_of(a))).collect();
        for op in &mut ops {
            if let Work::Matrix(shape) = &mut op.work {
                shape.product = shape.product.summed(setup.sums);
            }
        }
        spin::mark(&mut ops);
        spin::mark_guesses(&mut ops);
        let gfx12 = L == 32;
        let mut gcn = Gcn {
            kernel: kernel.clone(),
            registers: registers(&ops),
            pool: Arc::default(),
            ops,
            entry: entry as u32,
            gfx12,
            setup,
            launch,
            module,
        };
        unwritten::mark(&mut gcn);
        wait_states::mark(&mut gcn);
        Ok(gcn)
    }

    /// The launch.
    #[must_use]
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The module.
    #[must_use]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Instructions of the kernel that have no handler: they end a run when they are reached.
    pub fn missing(&self) -> impl Iterator<Item = PlaceId> {
        self.ops.iter().filter(|o| matches!(o.action, Action::Missing)).map(|o| o.place)
    }

    pub(crate) fn mnemonic(&self, place: PlaceId) -> &'static str {
        self.ops
            .get(place.index())
            .and_then(|o| o.rest.inst)
            .map_or("a word that is no instruction", |i| i.row.mnemonic)
    }

    pub(crate) fn span_of(&self, place: PlaceId) -> Option<Span> {
        self.module.code.get(place.index()).and_then(|p| p.span)
    }

    /// Address of an instruction in the memory that the program sees.
    pub(crate) fn address(&self, index: u32) -> u64 {
        let code = &self.module.code;
        let address = match code.get(index as usize) {
            Some(placed) => placed.address,
            None => code.last().map_or(0, |p| p.address + u64::from(p.size)),
        };
        self.setup.load_address.wrapping_add(address)
    }

    pub(crate) fn jump_to(&self, address: u64) -> Result<Flow, Stop> {
        let offset = address.wrapping_sub(self.setup.load_address);
        match self.module.index_of(offset) {
            Some(index) => Ok(Flow::Jump(index as u32)),
            None => Err(Stop::Fault(Box::new(Diagnostic::new(
                Code("jump-outside-code"),
                Level::Error,
                format!("a jump to {address:#x}, where the kernel has no instruction"),
            )))),
        }
    }

    /// The mnemonic of a line that became no instruction.
    fn unknown(&self, place: PlaceId) -> Option<&str> {
        let address = self.module.code.get(place.index())?.address;
        self.module.unknown.get(&address).map(String::as_str)
    }

    pub(crate) fn not_modelled(&self, place: PlaceId) -> Stop {
        let what = match self.ops.get(place.index()).and_then(|o| o.rest.inst) {
            Some(inst) => {
                format!("`{}` on {} is not modelled", print(&inst, VgprBanks::default()), self.module.target)
            }
            None if let Some(name) = self.unknown(place) => {
                format!("the instruction {name} on {} is not modelled", self.module.target)
            }
            None => {
                let word = self.module.code.get(place.index()).map_or(0, |p| p.word);
                format!("the word {word:#010x} on {} is no instruction that is modelled", self.module.target)
            }
        };
        Stop::Unsupported(Box::new(Diagnostic::new(Code("unsupported-instruction"), Level::Error, what)))
    }

    #[cold]
    fn stopped(&self, wave: &Wave<L>, core: &Core, place: PlaceId, stop: Stop) -> Status {
        let who = Who { wave: wave.id, lanes: LaneMask(wave.exec), place };
        match stop {
            Stop::Fault(trap) => Status::Fault(who, kill::with_outstanding(self, wave, core, trap)),
            Stop::Unsupported(diagnostic) => Status::Unsupported(who, diagnostic),
        }
    }
}

impl<const L: usize> Executor for Gcn<L> {
    type Wave = Wave<L>;

    fn start(&self, info: &WaveInfo, core: &mut Core) -> Result<Wave<L>, Box<Diagnostic>> {
        launch::start(self, info, core)
    }

    fn run(&self, wave: &mut Wave<L>, core: &mut Core, budget: u32) -> Ran {
        kill::run(self, wave, core, budget)
    }

    fn fingerprint(&self, wave: &Wave<L>) -> u64 {
        wave.fingerprint(&self.registers)
    }

    fn channels(&self) -> &[ChannelSpec] {
        if self.kernel.descriptor.tg_split(self.module.target) {
            return counters::CHANNELS9_SPLIT;
        }
        counters::channels(self.gfx12)
    }

    fn counters(&self) -> &[CounterSpec] {
        counters::counters(self.gfx12)
    }

    fn span(&self, place: PlaceId) -> Option<Span> {
        self.span_of(place)
    }

    fn traits(&self, place: PlaceId) -> Traits {
        let Some(Ok(inst)) = self.module.code.get(place.index()).map(|placed| &placed.inst) else {
            return Traits::default();
        };
        let name = inst.row.mnemonic;
        // Barrier -1 is that of the workgroup.
        let its_own = || print(inst, VgprBanks::default()).ends_with(" -1");
        Traits {
            transposes: name.contains("_tr"),
            tells: name.ends_with("_isfirst"),
            whole_workgroup: name == "s_barrier" || name == "s_barrier_signal" && its_own(),
        }
    }

    fn text(&self, place: PlaceId) -> String {
        let Some(placed) = self.module.code.get(place.index()) else {
            return "past the end of the code".to_owned();
        };
        let text = match placed.inst {
            Ok(inst) => print(&inst, VgprBanks::default()),
            Err(_) => format!("word {:#010x}", placed.word),
        };
        let line = placed
            .line
            .and_then(|(file, line)| Some(format!(", {}:{line}", self.module.files.get(file as usize)?)));
        format!(
            "{text} (offset {:#x}{})",
            placed.address.wrapping_sub(self.kernel.entry),
            line.unwrap_or_default()
        )
    }
}

/// The vector registers that any instruction names; all of them where numbers are made at run time.
fn registers<const L: usize>(ops: &[Op<L>]) -> Vec<u16> {
    let mut named = vec![false; wave::VECTOR_REGISTERS];
    for op in ops {
        let name = op.name();
        let computed =
            ["v_movrel", "v_swaprel", "s_set_gpr_idx", "s_set_vgpr_msb"].iter().any(|n| name.starts_with(n))
                || name == "s_setreg_imm32_b32" && op.imm2 & 63 == 1 && !control::keeps_banks(op);
        if computed {
            named.fill(true);
            break;
        }
        for (reg, _) in &op.rest.touches {
            let first = usize::from(reg.n);
            named.iter_mut().skip(first).take(usize::from(reg.width.max(1))).for_each(|n| *n = true);
        }
    }
    // Where work items find their number.
    named[0] = true;
    (0u16..).zip(named).filter_map(|(n, named)| named.then_some(n)).collect()
}

/// Executes instructions until the budget is spent or something else must happen first.
fn steps<const L: usize>(gcn: &Gcn<L>, wave: &mut Wave<L>, core: &mut Core, budget: u32) -> Ran {
    let mut steps = 0;
    while steps < budget {
        let Some(op) = gcn.ops.get(wave.pc as usize) else {
            if let Some(place) = wave.stray {
                return Ran { steps, place, status: gcn.stopped(wave, core, place, gcn.not_modelled(place)) };
            }
            let place = PlaceId(wave.pc);
            let stop = Stop::Fault(Box::new(Diagnostic::new(
                Code("jump-outside-code"),
                Level::Error,
                "execution ran past the end of the code",
            )));
            return Ran { steps, place, status: gcn.stopped(wave, core, place, stop) };
        };
        if wave.pending_count > 0 {
            pending::check(gcn, wave, op, core);
        }
        let flow = match op.action {
            Action::Alu(f) => {
                match &op.second {
                    None => f(wave, op),
                    Some(second) => dual(wave, op, second, f),
                }
                wave.pc += 1;
                steps += 1;
                continue;
            }
            Action::Sys(f) => f(gcn, wave, op, core),
            Action::Missing => Err(gcn.not_modelled(op.place)),
        };
        match flow {
            Ok(Flow::Next) => wave.pc += 1,
            Ok(Flow::Jump(to)) => {
                let from = std::mem::replace(&mut wave.pc, to);
                if op.spins
                    && let Some(waits) =
                        spin::poll(wave, &gcn.ops[to as usize..from as usize], op, core.progress())
                {
                    return Ran { steps: steps + 1, place: waits.place, status: Status::Polling(waits) };
                }
            }
            Ok(Flow::Poll(waits)) => {
                wave.pc += 1;
                return Ran { steps: steps + 1, place: PlaceId(wave.pc), status: Status::Polling(waits) };
            }
            Ok(Flow::Block(waits)) => {
                return Ran { steps, place: op.place, status: Status::Blocked(waits) };
            }
            Ok(Flow::Exit) => return Ran { steps: steps + 1, place: op.place, status: Status::Exited },
            Err(stop) => {
                return Ran { steps, place: op.place, status: gcn.stopped(wave, core, op.place, stop) };
            }
        }
        steps += 1;
    }
    Ran { steps, place: PlaceId(wave.pc), status: Status::Ready }
}

/// Both halves read their sources before either writes. The X half may write two registers, the Y half writes one.
fn dual<const L: usize>(wave: &mut Wave<L>, x: &Op<L>, y: &Op<L>, f: op::AluFn<L>) {
    let Action::Alu(g) = y.action else { return wave.misled(x) };
    let at_x = wave.reg(x.vdst);
    let count = usize::from(x.vdst.width.clamp(1, 2));
    let registers = move |i: usize| (at_x + i) % wave::VECTOR_REGISTERS;
    let before = [0, 1].map(|i| wave.v[registers(i)]);
    f(wave, x);
    let result = [0, 1].map(|i| wave.v[registers(i)]);
    for (i, lanes) in before.into_iter().enumerate().take(count) {
        wave.v[registers(i)] = lanes;
    }
    g(wave, y);
    let at_y = wave.reg(y.vdst);
    for i in (0..count).filter(|&i| registers(i) != at_y) {
        wave.v[registers(i)] = result[i];
    }
}
