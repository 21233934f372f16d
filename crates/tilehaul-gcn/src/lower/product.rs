//! Matrix instructions: their shape, formats, patterns and scales.

use tilehaul_isa::gcn::format::Field;
use tilehaul_isa::gcn::{Inst, Target};
use tilehaul_mma::Overflow;

use crate::matrix;
use crate::op::{Action, Op, Work};

pub(super) fn handler<const L: usize>(inst: &Inst, name: &str, op: &mut Op<L>) -> Action<L> {
    // An integer product with clamp stays at the largest number. manual: CDNA3 and RDNA4 ISA, CLAMP of integer results.
    let overflow = if op.clamp { Overflow::Saturate } else { Overflow::Wrap };
    let shape = if inst.row.flags.mai {
        let formats = [inst.field(Field::Cbsz), inst.field(Field::Blgp)];
        let mut shape = matrix::shape(name, inst.target == Target::Gfx942, 0, Some(formats), overflow);
        if let Some(shape) = &mut shape {
            if !cdna_modifiers(shape, inst) {
                return Action::Missing;
            }
            if shape.c == tilehaul_mma::Format::F64 {
                // Doubles have the signs of A, B and C in BLGP. manual: CDNA3 ISA 7.1; llvm-mc prints `neg:[..]`.
                op.neg_lo = inst.field(Field::Blgp) as u8;
            }
        }
        shape
    } else {
        let formats = [u32::from(op.opsel & 7), u32::from(op.opsel_hi & 7)];
        matrix::shape(name, false, op.neg_lo, inst.row.flags.matrix_fmt.then_some(formats), overflow)
    };
    // What an index key of gfx1250 picks: LLVM's name says half of a register, of which a product needs the whole; AMD's
    // emulator takes the upper half alone, and AMD's library chains two products. No source says what the hardware does.
    if inst.row.flags.indexkey && op.opsel & 1 == 1 {
        return Action::Missing;
    }
    let Some(mut shape) = shape else { return Action::Missing };
    if let Some(scaled) = &mut shape.scaled {
        scales(scaled, inst);
        // Powers of two, E5M3 and E4M3 have a code; the fourth has no name. manual: llvm-mc 22.
        if scaled.format.iter().any(|&code| code > 2) {
            return Action::Missing;
        }
    }
    op.work = Work::Matrix(Box::new(shape));
    Action::Sys(matrix::multiply)
}

/// Takes over `cbsz`, `abid` and `blgp`; false where they mean nothing that is known.
fn cdna_modifiers(shape: &mut matrix::Shape, inst: &Inst) -> bool {
    let [cbsz, abid, blgp] = [Field::Cbsz, Field::Abid, Field::Blgp].map(|f| inst.field(f) as u8);
    if inst.row.flags.matrix_fmt {
        return abid == 0;
    }
    if shape.sparse.is_some() {
        // Without CBSZ, ABID picks a set of index bits, of which a register holds as many as fit. manual: CDNA3 ISA 7.3.
        let bits = shape.k / (64 / shape.m);
        let set = if cbsz == 0 { abid & (32 / bits.max(8)).saturating_sub(1) as u8 } else { 0 };
        shape.sparse = Some(set);
        return true;
    }
    if shape.c == tilehaul_mma::Format::F64 {
        return cbsz == 0 && abid == 0;
    }
    shape.pattern = matrix::Pattern { share: cbsz, from: abid, lanes: blgp };
    // Sharing among more blocks than there are means nothing.
    1usize << cbsz <= shape.blocks.max(1) && usize::from(abid) < 1 << cbsz
}

/// Which scales a product takes.
fn scales(scaled: &mut matrix::Scaled, inst: &Inst) {
    let (low, high) = (inst.field(Field::ScaleSel) as u8, inst.field(Field::ScaleSelHi) as u8);
    if inst.row.flags.mai {
        scaled.pick = [0, 1].map(|side| (low >> side & 1) | (high >> side & 1) << 1);
    } else {
        scaled.pick = [low, high];
        scaled.format = [Field::ScaleFormatA, Field::ScaleFormatB].map(|f| inst.field(f) as u8);
    }
}
