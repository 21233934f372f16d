//! Registers that a kernel uses and nothing has written: see `tilehaul_machine::Uses`.
//!
//! Compilers copy values that nobody wrote and compute with them. What may not depend on one is where control goes, which
//! lanes are on, which bytes an instruction uses, the words of a descriptor, and which barrier is meant. A wave finds its
//! arguments and its position in registers; M0 has a check of its own where it is an address. Nothing is said of code with
//! registers by number, of functions, and of what comes behind a call until something is written anew.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_isa::gcn::format::{Field, Format};
use tilehaul_isa::gcn::{KernelDescriptor, Target};
use tilehaul_machine::{Core, HandsOn, Next, Uses};

use crate::Gcn;
use crate::form::Kind;
use crate::op::{Action, Flow, Op, Reg, SrcKind, Stop, Work};
use crate::salu::Scalar;
use crate::wave::{TTMP, VCC, VECTOR_REGISTERS, Wave};

/// Scalar registers come after the vector registers, then SCC.
const SCALARS: u32 = VECTOR_REGISTERS as u32;
const SCC: u32 = SCALARS + 128;
const COUNT: u32 = SCC + 1;

/// What a register is needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Branch,
    Lanes,
    Target,
    Address,
    Descriptor,
    Barrier,
    Data,
    Sum,
}

impl Need {
    /// No more than a value goes wrong: a compiler may have left it open.
    fn is_data(self) -> bool {
        matches!(self, Need::Data | Need::Sum)
    }
}

/// An instruction that uses such a register: what is said, and what it then does.
pub(crate) struct Told<const L: usize> {
    diagnostic: Diagnostic,
    /// Only lanes that are on use it.
    lanes: bool,
    action: Action<L>,
}

/// Has the instructions that use such a register say so when they are executed.
pub(crate) fn mark<const L: usize>(gcn: &mut Gcn<L>) {
    let by_number = ["v_movrel", "s_movrel", "v_swaprel", "s_set_gpr_idx"];
    if gcn.ops.iter().any(|op| by_number.iter().any(|n| op.name().starts_with(n))) {
        return;
    }
    let banks = gcn.ops.iter().any(|op| {
        op.name() == "s_set_vgpr_msb" || op.name() == "s_setreg_imm32_b32" && !crate::control::keeps_banks(op)
    });
    // Which of the banks is meant is known at run time: they count as one.
    let vector = |n: u16| if banks { u32::from(n) % 256 } else { u32::from(n) };
    let mut uses = Uses::default();
    let mut facts = Facts::default();
    for op in &gcn.ops {
        facts.describe(op, vector);
        uses.push(
            &facts.writes,
            (facts.hands_on, &facts.sources),
            facts.needs.iter().map(|&(need, register)| (register, !need.is_data())),
            next(op),
        );
    }
    let given = given(&gcn.kernel.descriptor, gcn.target());
    let found = uses.unwritten(gcn.entry as usize, COUNT, given);
    for unwritten in found {
        let op = &gcn.ops[unwritten.at];
        facts.describe(op, vector);
        let Some(&(need, register)) = facts.needs.get(unwritten.need) else { continue };
        if matches!(op.action, Action::Missing) || op.rest.unwritten.is_some() || op.second.is_some() {
            continue;
        }
        let diagnostic = worded(gcn, op, need, register, unwritten.register);
        let lanes = match op.rest.inst.map(|i| i.row.format) {
            Some(Format::Smem | Format::Vimage) => false,
            _ => matches!(need, Need::Address | Need::Data | Need::Descriptor),
        };
        let told = Told { diagnostic, lanes, action: op.action };
        let op = &mut gcn.ops[unwritten.at];
        op.rest.unwritten = Some(Box::new(told));
        op.action = Action::Sys(tell);
    }
}

fn tell<const L: usize>(g: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) -> Result<Flow, Stop> {
    let Some(told) = &op.rest.unwritten else { return Ok(Flow::Next) };
    if core.watching() && (!told.lanes || w.exec != 0) {
        core.report(if told.lanes { w.who(op) } else { w.whole(op) }, told.diagnostic.clone());
    }
    match told.action {
        Action::Alu(f) => {
            f(w, op);
            Ok(Flow::Next)
        }
        Action::Sys(f) => f(g, w, op, core),
        Action::Missing => Err(g.not_modelled(op.place)),
    }
}

/// The registers that hold something when a wave starts.
fn given(descriptor: &KernelDescriptor, target: Target) -> impl Fn(u32) -> bool {
    let gfx12 = target == Target::Gfx1250;
    let system = if gfx12 { 0 } else { (descriptor.rsrc2 & 1) + (descriptor.rsrc2 >> 7 & 15).count_ones() };
    let set = SCALARS + descriptor.user_sgprs(target) + system;
    // What stands behind the numbered registers: trap temporaries, M0, EXEC; on gfx9 flat scratch and XNACK mask too.
    let last = SCALARS + if gfx12 { VCC as u32 } else { 102 };
    move |r| match r {
        0 => true,
        SCC => false,
        _ if r < SCALARS => false,
        _ if r < last => r < set,
        _ if r == SCALARS + VCC as u32 || r == SCALARS + VCC as u32 + 1 => false,
        _ => true,
    }
}

pub(crate) fn next<const L: usize>(op: &Op<L>) -> Next {
    let name = op.name();
    let to = || usize::try_from(op.imm).map_or(Vec::new(), |to| vec![to]);
    if name == "s_branch" {
        return if op.imm < 0 { Next::Anywhere } else { Next::Jumps { to: to(), falls: false } };
    }
    if name.starts_with("s_cbranch") {
        return if op.imm < 0 { Next::Anywhere } else { Next::Jumps { to: to(), falls: true } };
    }
    match name {
        "s_endpgm" | "s_endpgm_saved" | "" => Next::Ends,
        "s_setpc_b64" | "s_set_pc_i64" | "s_add_pc_i64" | "s_rfe_b64" | "s_rfe_i64" => Next::Anywhere,
        "s_swappc_b64" | "s_swap_pc_i64" | "s_call_b64" | "s_call_i64" => Next::Calls,
        _ => Next::Falls,
    }
}

/// What one instruction does to registers.
#[derive(Default)]
struct Facts {
    writes: Vec<u32>,
    sources: Vec<u32>,
    needs: Vec<(Need, u32)>,
    hands_on: HandsOn,
}

fn scalars(first: u8, count: u8) -> impl Iterator<Item = u32> {
    let first = u32::from(first);
    (first..first + u32::from(count.max(1))).filter(|&n| n < 128).map(|n| SCALARS + n)
}

fn vectors(reg: Reg, vector: impl Fn(u16) -> u32) -> impl Iterator<Item = u32> {
    (0..u16::from(if reg.is { reg.width.max(1) } else { 0 }))
        .map(move |i| vector((reg.n + i) % VECTOR_REGISTERS as u16))
}

impl Facts {
    fn describe<const L: usize>(&mut self, op: &Op<L>, vector: impl Fn(u16) -> u32 + Copy) {
        self.writes.clear();
        self.sources.clear();
        self.needs.clear();
        self.hands_on = HandsOn::Never;
        let Some(inst) = op.rest.inst else { return };
        let name = op.name();
        self.results(op, name, vector);
        self.made_of(op, name, vector);
        self.needs(op, name, inst.row.format, vector);
    }

    fn results<const L: usize>(&mut self, op: &Op<L>, name: &str, vector: impl Fn(u16) -> u32 + Copy) {
        let test = matches!(op.work, Work::Scalar(Scalar::Test(_)));
        // Both of a swap's registers change.
        let swaps = name.contains("swap");
        for &(reg, written) in &op.rest.touches {
            if written || swaps {
                let width =
                    if written { u16::from(reg.width).max(op.form.dwords()) } else { reg.width.into() };
                self.writes.extend(vectors(Reg { width: width as u8, ..reg }, vector));
            }
        }
        for &(first, count, written) in &op.rest.touches_s {
            if written && !test {
                self.writes.extend(scalars(first, count));
            }
        }
        if name.starts_with("s_") {
            if !matches!(op.work, Work::Scalar(Scalar::Value(_))) && !matches!(op.action, Action::Missing) {
                self.writes.push(SCC);
            }
        } else if op.sdst == 255 {
            let carries = ["v_cmp", "v_add", "v_sub", "v_div_scale", "v_mad"];
            if carries.iter().any(|c| name.starts_with(c)) {
                self.writes.extend(scalars(VCC as u8, 2));
            }
        }
    }

    /// Which registers the results are made of.
    fn made_of<const L: usize>(&mut self, op: &Op<L>, name: &str, vector: impl Fn(u16) -> u32 + Copy) {
        let scalar = matches!(op.work, Work::Scalar(_));
        let moves = [
            "v_mov_b",
            "v_accvgpr_",
            "v_readfirstlane",
            "v_add_u32",
            "v_add_nc_u32",
            "v_sub_u32",
            "v_sub_nc_u32",
            "v_lshlrev_b32",
            "v_add_f32",
            "v_mul_f32",
            "v_mul_lo_u32",
        ];
        let compare = name.starts_with("v_cmp_");
        if !(scalar || compare || moves.iter().any(|m| name.starts_with(m)))
            || op.lanes != crate::op::Lanes::Straight
            || op.second.is_some()
        {
            return;
        }
        let single = op.src.iter().all(|s| s.width <= 1) && op.swidth <= 1 && op.vdst.width <= 1;
        for src in &op.src {
            match src.kind {
                SrcKind::V(n) => self
                    .sources
                    .extend(vectors(Reg { n, width: src.width.max(1), is: true, ..Reg::default() }, vector)),
                SrcKind::S(n) if n < 128 => self.sources.extend(scalars(n, src.width)),
                // A condition, or an address that the hardware gives.
                SrcKind::S(_) => return,
                SrcKind::Const(_) | SrcKind::None => {}
            }
        }
        let twice = self.sources.len() > 1 && self.sources.iter().all(|s| *s == self.sources[0]);
        if twice {
            return;
        }
        let Work::Scalar(scalar) = &op.work else {
            let any = compare && op.src.iter().all(|s| s.width <= 1) || !compare && single;
            self.hands_on = if any { HandsOn::Any } else { HandsOn::All };
            return;
        };
        // The old value of the destination is a source too, the old SCC as well.
        if op.rest.inst.is_some_and(|i| i.row.format == Format::Sopk) && !name.starts_with("s_movk") {
            self.sources.extend(scalars(op.sdst, op.swidth));
        }
        if name.starts_with("s_cselect") {
            self.sources.push(SCC);
        }
        let arithmetic = ["s_add_", "s_sub_", "s_mul_", "s_lshl_b32", "s_addk", "s_mulk"];
        self.hands_on = match scalar {
            Scalar::SaveExec(_) | Scalar::WriteExec(_) => HandsOn::Never,
            Scalar::Test(_) => HandsOn::Any,
            _ if name.starts_with("s_cmov") || name.starts_with("s_bitset") => HandsOn::Never,
            _ if single && arithmetic.iter().any(|a| name.starts_with(a)) => HandsOn::Any,
            _ => HandsOn::All,
        };
    }

    /// The registers without which the instruction means nothing.
    fn needs<const L: usize>(
        &mut self,
        op: &Op<L>,
        name: &str,
        format: Format,
        vector: impl Fn(u16) -> u32 + Copy,
    ) {
        let mut need = |need: Need, registers: &mut dyn Iterator<Item = u32>| {
            self.needs.extend(registers.map(|r| (need, r)));
        };
        let scalar = |src: &crate::op::Src| match src.kind {
            SrcKind::S(n) if n < 128 => Some((n, src.width)),
            _ => None,
        };
        match name {
            "s_cbranch_scc0" | "s_cbranch_scc1" => need(Need::Branch, &mut [SCC].into_iter()),
            "s_cbranch_vccz" | "s_cbranch_vccnz" => need(Need::Branch, &mut scalars(VCC as u8, 1)),
            "s_setpc_b64" | "s_set_pc_i64" | "s_swappc_b64" | "s_swap_pc_i64" => {
                if let Some((n, width)) = scalar(&op.src[0]) {
                    need(Need::Target, &mut scalars(n, width));
                }
            }
            _ if name.starts_with("s_barrier_") => {
                if let Some((n, _)) = scalar(&op.src[0]) {
                    need(Need::Barrier, &mut scalars(n, 1));
                }
            }
            _ => {}
        }
        let sets_lanes = matches!(op.work, Work::Scalar(Scalar::SaveExec(_) | Scalar::WriteExec(_)))
            || name.starts_with("s_mov_b") && op.sdst == 126;
        if sets_lanes && let Some((n, width)) = scalar(&op.src[0]) {
            need(Need::Lanes, &mut scalars(n, width));
        }
        if let Work::Matrix(shape) = &op.work
            && shape.sparse.is_none()
            && let SrcKind::V(n) = op.src[2].kind
        {
            let sum = Reg { n, width: op.src[2].width.max(1), is: true, ..Reg::default() };
            need(Need::Sum, &mut vectors(sum, vector));
        }
        let memory = matches!(
            format,
            Format::Global
                | Format::Flat
                | Format::Scratch
                | Format::Mubuf
                | Format::Mtbuf
                | Format::Vbuffer
                | Format::Smem
                | Format::Ds
        );
        if format == Format::Vimage {
            for (&group, width) in op.rest.groups.iter().zip([4u8, 8, 4, 4]) {
                if group < TTMP as u8 {
                    need(Need::Descriptor, &mut scalars(group, width));
                }
            }
            return;
        }
        // No hint and no exchange between lanes.
        let idle = name.contains("permute") || name.contains("swizzle") || name.contains("prefetch");
        if !memory || idle || matches!(op.action, Action::Missing) {
            return;
        }
        // Its place in LDS comes from M0; that M0 was never written is said at run time.
        let direct = name.contains("_load_lds_")
            || op.rest.inst.is_some_and(|i| i.row.flags.lds && i.field(Field::Lds) == 1);
        if direct {
            need(Need::Address, &mut scalars(124, 1));
        }
        let describes = op
            .rest
            .inst
            .is_some_and(|i| i.row.operands.iter().any(|o| matches!(o.field, Field::Rsrc | Field::Sbase)));
        if describes {
            let smem = format == Format::Smem;
            let width = if smem { op.src[2].width.max(2) } else { 4 };
            let kind = if width == 2 { Need::Address } else { Need::Descriptor };
            need(kind, &mut scalars(op.rsrc, width));
        }
        if let Some((n, width)) = scalar(if format == Format::Smem { &op.src[1] } else { &op.saddr }) {
            need(Need::Address, &mut scalars(n, width));
        }
        let buffer = matches!(format, Format::Mubuf | Format::Mtbuf | Format::Vbuffer);
        if !(buffer && op.imm2 == 0) {
            need(Need::Address, &mut vectors(op.addr, vector));
        }
        if op.form.kind == Kind::Store {
            need(Need::Data, &mut vectors(op.data, vector));
            need(Need::Data, &mut vectors(op.data1, vector));
        }
    }
}

fn named<const L: usize>(gcn: &Gcn<L>, register: u32) -> String {
    let scalar = register.wrapping_sub(SCALARS);
    match register {
        SCC => "SCC".to_owned(),
        _ if register < 512 || gcn.gfx12 && register < SCALARS => format!("v{register}"),
        _ if register < SCALARS => format!("a{}", register - 512),
        _ if scalar == VCC as u32 => "VCC".to_owned(),
        _ if scalar == if gcn.gfx12 { 125 } else { 124 } => "M0".to_owned(),
        _ => format!("s{scalar}"),
    }
}

fn worded<const L: usize>(gcn: &Gcn<L>, op: &Op<L>, need: Need, register: u32, root: u32) -> Diagnostic {
    let name = gcn.mnemonic(op.place);
    let (used, made_of) = (named(gcn, register), named(gcn, root));
    let what = match need {
        Need::Branch => format!("{name} goes by {used}"),
        Need::Lanes => format!("{name} turns lanes on and off by {used}"),
        Need::Target => format!("{name} goes where {used} says"),
        Need::Address => format!("{name} takes an address from {used}"),
        Need::Descriptor => format!("{name} takes a word of a descriptor from {used}"),
        Need::Barrier => format!("{name} takes the number of a barrier from {used}"),
        Need::Data => format!("{name} stores {used}"),
        Need::Sum => format!("{name} adds to {used}"),
    };
    let which = if register == root {
        format!("{what}, which nothing has written on any way there")
    } else {
        format!("{what}, which is made of {made_of}, and nothing has written {made_of} on any way there")
    };
    let level = if need.is_data() { Level::Warning } else { Level::Error };
    let diagnostic = Diagnostic::new(Code("register-never-written"), level, which)
        .fix(format!("Give {made_of} a value first, or name the register that was meant."))
        .source(Source::manual(
            "LLVM AMDGPUUsage, initial kernel execution state: all other registers are undefined",
        ));
    match gcn.span_of(op.place) {
        Some(span) => diagnostic.at(span, format!("uses {used}")),
        None => diagnostic,
    }
}
