//! What one instruction is to the rules of wait states: who executes it, what it reads and writes, how long it takes.

use tilehaul_isa::gcn::format::{Field, Format, Generation};
use tilehaul_isa::gcn::table::{Class, OperandSpec, Row};
use tilehaul_isa::gcn::{Inst, Operand, Tail};

use super::products::{Product, product};
use crate::form::Kind;
use crate::lower::slot_of;
use crate::op::{Op, Reg};
use crate::wave::{VCC, VECTOR_REGISTERS};

/// Scalar registers come after the vector registers, then what is no register at all but is handed on like one.
pub(super) const SCALARS: u32 = VECTOR_REGISTERS as u32;
pub(super) const HARDWARE: u32 = SCALARS + 128;
/// The pipeline of products of doubles.
pub(super) const DOUBLES: u32 = HARDWARE + 64;
pub(super) const M0: u32 = SCALARS + 124;
pub(super) const EXEC: u32 = SCALARS + 126;
const DWORD: u32 = 6;

/// Who executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    Scalar,
    Vector,
    Matrix(Product),
    /// Buffer, global, flat and private memory, loads to LDS too.
    Memory,
    Lds,
    Other,
}

/// What an instruction is besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits {
    pub transcendental: bool,
    /// DPP.
    pub across: bool,
    /// Its result is moved into a part of the register: SDWA, `op_sel` of the destination, conversions to 8 and 4 bits.
    pub shifted: bool,
    pub dot: bool,
    /// `v_readlane`, `v_readfirstlane`, `v_writelane`.
    pub one_lane: bool,
    /// `v_permlane16_swap`, `v_permlane32_swap`.
    pub permutes: bool,
    /// Two instructions in one (VOPD).
    pub dual: bool,
    /// Stores more than 8 bytes a lane and has no scalar offset register, which would cost it a cycle.
    pub wide_store: bool,
}

/// How a register is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Source 0, 1 or 2; 3 is an index or a scale.
    Source(u8),
    /// The lane of `v_readlane` and `v_writelane`.
    Lane,
    /// The condition of `v_div_fmas`.
    Scaled,
    /// A carry that comes in, or the condition of `v_cndmask`: nothing has to wait for those.
    Carry,
    /// EXEC, where the hardware takes it earlier than for other vector instructions.
    Lanes,
    /// Of a memory instruction.
    Operand,
    Stored,
    Result,
}

/// A run of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub first: u32,
    pub count: u32,
    pub role: Role,
}

impl Use {
    pub(super) fn registers(self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }

    pub(super) fn has(self, register: u32) -> bool {
        self.registers().contains(&register)
    }
}

/// One instruction.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub unit: Unit,
    pub traits: Traits,
    pub name: &'static str,
    pub uses: Vec<Use>,
    /// Wait states that it is worth when it stands between two others.
    pub states: u8,
}

/// The facts of `op`; `banks` are the register banks of `s_set_vgpr_msb` there, `None` where they are not known.
pub(super) fn facts<const L: usize>(op: &Op<L>, banks: Option<u8>) -> Option<Facts> {
    let inst = op.rest.inst?;
    let name = crate::lower::base_name(inst.row.mnemonic);
    let gfx9 = inst.target.generation() == Generation::Gfx9;
    let unit = unit(&inst, name);
    let states = match unit {
        _ if gfx9 && name == "s_nop" => (op.imm & 15) as u8 + 1,
        Unit::Vector | Unit::Matrix(_) => 1,
        // LLVM takes copies to LDS for vector instructions.
        _ => u8::from(gfx9 || name.contains("_lds")),
    };
    let mut out = Facts { unit, traits: Traits::default(), name, uses: Vec::new(), states };
    let vector = Vector { banks };
    match unit {
        Unit::Vector | Unit::Matrix(_) => {
            out.row(&inst, inst.row, false, vector);
            if let Some(second) = inst.second {
                out.row(&inst, second, true, vector);
            }
            out.implied(&inst, op.vdst, vector);
        }
        Unit::Memory | Unit::Lds => out.memory(op, &inst, vector),
        Unit::Scalar => out.scalar(op, gfx9),
        Unit::Other => {}
    }
    Some(out)
}

fn unit(inst: &Inst, name: &str) -> Unit {
    match inst.row.format {
        Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk | Format::Sopp => Unit::Scalar,
        Format::Global | Format::Flat | Format::Scratch | Format::Mubuf | Format::Mtbuf | Format::Vbuffer => {
            Unit::Memory
        }
        Format::Ds => Unit::Lds,
        Format::Smem | Format::Vimage => Unit::Other,
        _ => product(inst, name).map_or(Unit::Vector, Unit::Matrix),
    }
}

/// How the numbers of vector registers are to be read.
#[derive(Clone, Copy)]
struct Vector {
    banks: Option<u8>,
}

impl Vector {
    fn run(self, first: u16, count: u8, slot: u8, role: Role) -> Option<Use> {
        let bank = match slot {
            0..=3 => u32::from(self.banks? >> (2 * slot) & 3) << 8,
            _ => 0,
        };
        Some(Use { first: (u32::from(first) + bank) % SCALARS, count: u32::from(count.max(1)), role })
    }

    fn reg(self, reg: Reg, role: Role) -> Option<Use> {
        if reg.is { self.run(reg.n, reg.width, reg.slot, role) } else { None }
    }
}

fn scalars(first: u8, count: u8, role: Role) -> Option<Use> {
    let count = u32::from(count.max(1)).min(128u32.saturating_sub(first.into()));
    (count > 0).then_some(Use { first: SCALARS + u32::from(first), count, role })
}

impl Facts {
    /// The operands that a vector instruction names.
    fn row(&mut self, inst: &Inst, row: &Row, second: bool, vector: Vector) {
        let written_until =
            row.operands.iter().position(|o| !matches!(o.field, Field::Vdst | Field::Sdst | Field::Implied));
        // A comparison in SDWA may have another destination than VCC.
        let (sdwa_result, word) = match inst.tail {
            Tail::Sdwa(v) => (row.format == Format::Vopc && v >> 15 & 1 == 1, v),
            _ => (false, 0),
        };
        for (i, spec) in row.operands.iter().enumerate() {
            let value = if second { inst.operand_y(spec) } else { inst.operand(spec) };
            if sdwa_result && spec.field == Field::Implied {
                self.uses.extend(scalars((word >> 8 & 127) as u8, 2, Role::Result));
                continue;
            }
            let Some(role) = self.role(spec, i < written_until.unwrap_or(row.operands.len())) else {
                continue;
            };
            let slot = slot_of(spec.field);
            let used = match value {
                Operand::Vgpr { first, count } => vector.run(first, count, slot, role),
                Operand::VgprHalf { index, .. } => vector.run(index, 1, slot, role),
                Operand::Agpr { first, count } => {
                    vector.run(first + crate::wave::ACC_BASE, count, slot, role)
                }
                Operand::Sgpr { first, count } => scalars(first, count, role),
                _ => None,
            };
            self.uses.extend(used);
        }
    }

    fn role(&self, spec: &OperandSpec, written: bool) -> Option<Role> {
        Some(match spec.field {
            Field::Vdst | Field::Sdst => Role::Result,
            Field::Implied if spec.class == Class::Vcc => {
                if written {
                    Role::Result
                } else {
                    Role::Carry
                }
            }
            Field::Src0 => Role::Source(0),
            Field::Src1 if matches!(self.name, "v_readlane_b32" | "v_writelane_b32") => Role::Lane,
            Field::Src1 | Field::Vsrc1 => Role::Source(1),
            Field::Src2 if self.name.starts_with("v_smfmac") || self.name.starts_with("v_swmmac") => {
                Role::Source(3)
            }
            Field::Src2 if carries(self.name) => Role::Carry,
            Field::Src2 | Field::Vsrc2 => Role::Source(2),
            Field::ScaleA | Field::ScaleB => Role::Source(3),
            _ => return None,
        })
    }

    /// What a vector instruction uses without naming it, and what it is besides.
    fn implied(&mut self, inst: &Inst, vdst: Reg, vector: Vector) {
        let name = self.name;
        let gfx9 = inst.target.generation() == Generation::Gfx9;
        let accumulates =
            ["v_fmac_", "v_mac_", "v_pk_fmac_", "v_dot2c_", "v_dot2acc_", "v_dot4c_", "v_smfmac", "v_swmmac"];
        if accumulates.iter().any(|a| name.starts_with(a)) {
            self.uses.extend(vector.reg(vdst, Role::Source(2)));
        }
        if name.contains("swap") {
            let other: Vec<Use> = self.uses.clone();
            for used in other {
                let role = if used.role == Role::Result { Role::Source(0) } else { Role::Result };
                self.uses.push(Use { role, ..used });
            }
        }
        if name.starts_with("v_div_fmas") {
            self.uses.extend(scalars(VCC as u8, 2, Role::Scaled));
        }
        let exec = |role| Use { first: EXEC, count: 2, role };
        if name.starts_with("v_cmpx_") {
            self.uses.push(exec(Role::Result));
        }
        let lanes = ["v_readlane", "v_readfirstlane", "v_writelane"];
        let across = matches!(inst.tail, Tail::Dpp(_) | Tail::Dpp8(..));
        let one_lane = lanes.iter().any(|l| name.starts_with(l));
        let permutes = gfx9 && name.starts_with("v_permlane");
        if across || one_lane || permutes || matches!(self.unit, Unit::Matrix(_)) {
            self.uses.push(exec(Role::Lanes));
        }
        if let Unit::Matrix(product) = self.unit
            && product.is_double()
        {
            self.uses.push(Use { first: DOUBLES, count: 1, role: Role::Result });
        }
        if name.starts_with("v_fma_f64") || name.starts_with("v_fmac_f64") {
            self.uses.push(Use { first: DOUBLES, count: 1, role: Role::Source(3) });
        }
        let sdwa =
            matches!(inst.tail, Tail::Sdwa(v) if inst.row.format != Format::Vopc && v >> 8 & 7 != DWORD);
        self.traits = Traits {
            transcendental: is_transcendental(name),
            across,
            shifted: gfx9 && (sdwa || vdst.high || narrow(inst, name)),
            dot: name.starts_with("v_dot"),
            one_lane,
            permutes,
            dual: inst.second.is_some(),
            wide_store: false,
        };
    }

    fn memory<const L: usize>(&mut self, op: &Op<L>, inst: &Inst, vector: Vector) {
        let loads = op.form.kind == Kind::Load || op.returns || op.form.kind == Kind::None;
        for (reg, role) in [(op.addr, Role::Operand), (op.data, Role::Stored), (op.data1, Role::Stored)] {
            let taken = role == Role::Operand || op.form.kind != Kind::Load;
            self.uses.extend(vector.reg(reg, role).filter(|_| taken));
        }
        let lands = op.vdst.is && loads;
        if lands {
            let width = u16::from(op.vdst.width).max(op.form.dwords()) as u8;
            self.uses.extend(vector.reg(Reg { width, ..op.vdst }, Role::Result));
        }
        if let crate::op::SrcKind::S(n) = op.saddr.kind
            && n < 128
        {
            self.uses.extend(scalars(n, op.saddr.width, Role::Operand));
        }
        if inst.row.operands.iter().any(|o| o.field == Field::Rsrc) {
            self.uses.extend(scalars(op.rsrc, 4, Role::Operand));
        }
        let direct = self.name.contains("_load_lds_") || inst.row.flags.lds && inst.field(Field::Lds) == 1;
        if direct || self.name.contains("addtid") {
            self.uses.push(Use { first: M0, count: 1, role: Role::Operand });
        }
        let offset = matches!(inst.row.format, Format::Mubuf | Format::Mtbuf)
            && matches!(op.saddr.kind, crate::op::SrcKind::S(_));
        self.traits.wide_store =
            self.unit == Unit::Memory && op.form.kind == Kind::Store && op.data.width > 2 && !offset;
    }

    fn scalar<const L: usize>(&mut self, op: &Op<L>, gfx9: bool) {
        if op.sdst < 128 && self.name != "s_setreg_b32" {
            self.uses.extend(scalars(op.sdst, op.swidth, Role::Result));
        }
        let hardware = |role| Use { first: HARDWARE + (op.imm2 & 63), count: 1, role };
        match self.name {
            "s_getreg_b32" => self.uses.push(hardware(Role::Source(0))),
            "s_setreg_b32" | "s_setreg_imm32_b32" => {
                self.uses.push(hardware(Role::Result));
                self.uses.push(hardware(Role::Source(0)));
            }
            "s_sendmsg" | "s_sendmsghalt" if gfx9 => {
                self.uses.push(Use { first: M0, count: 1, role: Role::Operand });
            }
            _ => {}
        }
        let saves = self.name.contains("saveexec") || self.name.contains("wrexec");
        if saves {
            self.uses.push(Use { first: EXEC, count: 2, role: Role::Result });
        }
    }
}

fn carries(name: &str) -> bool {
    ["v_cndmask_", "v_addc_", "v_subb_", "v_subbrev_"].iter().any(|c| name.starts_with(c))
}

fn is_transcendental(name: &str) -> bool {
    let kinds = ["v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_", "v_tanh_"];
    kinds.iter().any(|k| name.starts_with(k))
}

/// Conversions to narrow formats that put their result into a part of the register.
fn narrow(inst: &Inst, name: &str) -> bool {
    let fours = name.starts_with("v_cvt_scalef32_")
        && ["_fp4_f16", "_fp4_bf16", "_fp4_f32"].iter().any(|f| name.ends_with(f));
    let part = inst.field(Field::OpSel) >> 2 != 0;
    fours || part && name.starts_with("v_cvt_") && (name.contains("_sr_fp8") || name.contains("_sr_bf8"))
}
