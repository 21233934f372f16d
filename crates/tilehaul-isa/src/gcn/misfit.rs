//! Why a line is no instruction, in words: the operand or modifier that does not fit, and what would.

use super::format::{Format, Generation};
use super::table::{Class, OperandSpec, Row};
use super::target::Target;

/// Where reading a line ended and why.
pub(super) struct Misfit {
    /// Operands and modifiers that fitted before it.
    pub(super) at: usize,
    /// Half a sentence.
    pub(super) reason: String,
}

impl Misfit {
    pub(super) fn new(at: usize, reason: impl Into<String>) -> Misfit {
        Misfit { at, reason: reason.into() }
    }
}

/// An operand that is missing or of another kind.
pub(super) fn operand(target: Target, row: &Row, spec: &OperandSpec, text: Option<&str>) -> String {
    let wanted = wanted(target, row, spec);
    match text {
        Some(text) => format!("`{text}` stands where {wanted} is wanted"),
        None => format!("an operand is missing: {wanted}"),
    }
}

fn wanted(target: Target, row: &Row, spec: &OperandSpec) -> String {
    match spec.class {
        Class::Vgpr(count) => registers("VGPR", count),
        Class::VgprHalf => "half a VGPR (`v1.l`)".to_owned(),
        Class::Agpr(count) => registers("AGPR", count),
        Class::Sgpr(count) => scalars(count),
        Class::Tdm2 | Class::Tdm3 => format!("null or {}", scalars(4)),
        Class::FlatSaddr => format!("off or {}", scalars(2)),
        Class::Saddr if row.format == Format::Scratch => format!("off or {}", scalars(1)),
        Class::Saddr => format!("off (behind a pair of address VGPRs) or {} (behind one)", scalars(2)),
        Class::GlobalAddr => "an address of one VGPR (with a scalar base) or two".to_owned(),
        Class::ScratchAddr => "off or a VGPR".to_owned(),
        Class::BufferAddr => "off or the address VGPRs".to_owned(),
        Class::SmemOffset => "an SGPR or a byte offset".to_owned(),
        Class::Soffset if target.generation() == Generation::Gfx12 => "an SGPR or null".to_owned(),
        Class::Soffset => "an SGPR or a small constant".to_owned(),
        Class::Source(source) => {
            let mut kinds = Vec::new();
            if source.vector {
                kinds.push(registers("VGPR", source.width));
            }
            if source.scalar {
                kinds.push(scalars(source.width));
            }
            // No literals in the long forms of gfx9.
            let long = matches!(row.format, Format::Vop3 | Format::Vop3p);
            let literal = source.literal && !(target.generation() == Generation::Gfx9 && long);
            match (source.inline, literal) {
                (_, true) => kinds.push("a constant".to_owned()),
                (true, false) => kinds.push("a constant from -16 to 64".to_owned()),
                (false, false) => {}
            }
            kinds.join(" or ")
        }
        Class::Literal(_) => "a literal constant".to_owned(),
        Class::Hex | Class::Dec | Class::Num => match row.layout.bits(spec.field) {
            Some((_, width)) => format!("a number of {width} bits"),
            None => "a number".to_owned(),
        },
        Class::Vcc if target.wave_lanes() == 32 => "vcc_lo".to_owned(),
        Class::Vcc => "vcc".to_owned(),
        Class::Opt => "a number of 16 bits or nothing".to_owned(),
        Class::Label => "a label".to_owned(),
        Class::Hwreg => "hwreg(...)".to_owned(),
        Class::SendMsg => "sendmsg(...)".to_owned(),
        Class::WaitCnt => {
            "vmcnt(0 to 63), expcnt(0 to 7), lgkmcnt(0 to 15) or a number of 16 bits".to_owned()
        }
        Class::DelayAlu | Class::DepCtr | Class::GprIdx => {
            "a list of this instruction's own fields".to_owned()
        }
    }
}

fn registers(kind: &str, count: u8) -> String {
    match count {
        0 | 1 => format!("one {kind}"),
        n => format!("{n} consecutive {kind}s"),
    }
}

fn scalars(count: u8) -> String {
    match count {
        0 | 1 => "one SGPR".to_owned(),
        2 => "a pair of SGPRs from an even number".to_owned(),
        n => format!("{n} SGPRs from a multiple of 4"),
    }
}

/// A modifier that the instruction does not have, or whose value does not fit.
pub(super) fn modifier(target: Target, row: &Row, text: &str) -> String {
    let gfx9 = target.generation() == Generation::Gfx9;
    let name = text.split(':').next().unwrap_or(text);
    let limits = match (name, row.format) {
        ("offset", Format::Ds) => "0 to 65535",
        ("offset", Format::Mubuf | Format::Mtbuf) => "0 to 4095",
        ("offset", Format::Flat) if gfx9 => "0 to 4095",
        ("offset", Format::Global | Format::Scratch) if gfx9 => "-4096 to 4095",
        ("offset", Format::Vbuffer) => "0 to 8388607",
        ("offset", Format::Global | Format::Flat | Format::Scratch | Format::Smem) => "-8388608 to 8388607",
        ("th", _) => return format!("`{text}` is no temporal hint of {}", row.mnemonic),
        _ => return format!("{} has no modifier `{text}`", row.mnemonic),
    };
    format!("`{text}`: the offset of {} goes from {limits}", row.mnemonic)
}
