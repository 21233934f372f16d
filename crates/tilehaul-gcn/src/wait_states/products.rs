//! Matrix products: which pipeline, for how long, and how far away what depends on one must stand.
//!
//! manual: CDNA3 and CDNA4 ISA, manually inserted wait states of matrix instructions; LLVM GCNHazardRecognizer,
//! checkMAIHazards90A, checkMAIVALUHazards and checkWMMACoexecutionHazards, whose numbers these are.

use tilehaul_isa::gcn::format::{Field, Generation};
use tilehaul_isa::gcn::{Inst, Target};

use super::facts::{Facts, Role, Unit, Use};
use crate::matrix;

/// The pipeline that computes a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pipe {
    /// Products of 4 to 16 bits, and TF32.
    Narrow,
    /// Products of single floats.
    Single,
    Double,
}

/// A matrix product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Product {
    pipe: Pipe,
    /// Four cycles each on CDNA. On gfx1250 the vector instructions that must stand before another vector instruction.
    passes: u8,
    gfx950: bool,
}

impl Product {
    pub(super) fn is_double(self) -> bool {
        self.pipe == Pipe::Double
    }
}

/// Reads what product an instruction computes.
pub(super) fn product(inst: &Inst, name: &str) -> Option<Product> {
    if !matrix::is_product(name) {
        return None;
    }
    let gfx950 = inst.target == Target::Gfx950;
    if inst.target.generation() == Generation::Gfx12 {
        return gfx1250(inst, name).map(|passes| Product { pipe: Pipe::Narrow, passes, gfx950 });
    }
    let pipe = match name.rsplit('_').next() {
        Some("f64") => Pipe::Double,
        Some("f32") => Pipe::Single,
        _ => Pipe::Narrow,
    };
    let wide = name.contains("_32x32x");
    let blocks = ["_2b_", "_4b_", "_16b_"].iter().any(|b| name.contains(b));
    // Products of mixed formats take twice as long when either side has 8 bits. inferred: LLVM 22 (gfx950).
    let eight = inst.row.flags.matrix_fmt && (inst.field(Field::Cbsz) < 2 || inst.field(Field::Blgp) < 2);
    let passes = match pipe {
        Pipe::Double if name.contains("_4x4x") => 4,
        Pipe::Double => {
            if gfx950 {
                16
            } else {
                8
            }
        }
        _ if name.contains("_4x4x") => 2,
        Pipe::Narrow if !blocks => {
            let passes = if wide { 8 } else { 4 };
            if eight { 2 * passes } else { passes }
        }
        _ => {
            if wide {
                16
            } else {
                8
            }
        }
    };
    Some(Product { pipe, passes, gfx950 })
}

/// `v_wmma_f32_16x16x4_f32` runs where other vector instructions do: the hardware looks after those.
fn gfx1250(inst: &Inst, name: &str) -> Option<u8> {
    let sparse = name.starts_with("v_swmmac");
    let formats = || {
        let b = inst.field(Field::OpSelHi) | inst.field(Field::OpSelHi2) << 2;
        [inst.field(Field::OpSel), b]
    };
    Some(match () {
        () if name.ends_with("_16x16x4_f32") => return None,
        () if name.ends_with("_iu8") || name.ends_with("_iu4") => {
            if sparse {
                4
            } else {
                8
            }
        }
        () if sparse => 2,
        // Products of 4 bits and short ones of 8 take half the time in newer versions of LLVM.
        () if inst.row.flags.matrix_fmt && formats() == [4, 4] || name.ends_with("_f4") => 1,
        () if name.contains("_16x16x64_") => 1,
        () => 4,
    })
}

/// Wait states that a register of a product needs before `later` uses it, and how far LLVM looks.
pub(super) fn result_needs(product: Product, written: Use, later: &Facts, used: Use) -> (u8, u8) {
    const FAR: u8 = 19;
    let passes = product.passes;
    // One more on CDNA4 but for the shortest.
    let more = u8::from(product.gfx950 && passes != 2);
    let read = |memory: u8, vector: u8| match product.pipe {
        Pipe::Narrow => passes + 3 + more,
        Pipe::Single => passes + 2,
        Pipe::Double => {
            if matches!(later.unit, Unit::Memory | Unit::Lds) {
                memory
            } else {
                vector
            }
        }
    };
    let small = passes == 4;
    let Unit::Matrix(next) = later.unit else {
        let states = match (used.role, small, product.gfx950) {
            (Role::Result, true, _) => read(6, 6),
            (Role::Result, false, _) => read(11, 11),
            (_, true, _) => read(9, 6),
            (_, false, true) => read(18, 19),
            (_, false, false) => read(18, 11),
        };
        return (states, FAR);
    };
    let states = match used.role {
        Role::Source(2) if (written.first, written.count) == (used.first, used.count) => match () {
            () if product.is_double() && small => {
                if next.is_double() && next.passes == 4 {
                    4
                } else {
                    0
                }
            }
            () if passes == 2 => 2,
            () => 0,
        },
        Role::Source(2) => match (product.pipe, next.pipe) {
            (Pipe::Double | Pipe::Single, Pipe::Narrow) => 0,
            (Pipe::Double, _) if small => 4,
            (Pipe::Double, _) => {
                if product.gfx950 {
                    17
                } else {
                    9
                }
            }
            (Pipe::Single, _) => passes,
            (Pipe::Narrow, Pipe::Narrow) => passes + 1 + u8::from(product.gfx950),
            (Pipe::Narrow, _) => passes + 1 + more,
        },
        Role::Source(_) => match product.pipe {
            Pipe::Double if small => 6,
            Pipe::Double => {
                if product.gfx950 {
                    19
                } else {
                    11
                }
            }
            Pipe::Single => passes + 2,
            Pipe::Narrow => passes + 3 + more,
        },
        _ => 0,
    };
    (states, FAR)
}

/// Wait states before something else overwrites the addend of a product.
pub(super) fn addend_needs(product: Product) -> u8 {
    match (product.pipe, product.passes) {
        (Pipe::Narrow, 2) => 1,
        (Pipe::Narrow, passes) => passes - 1,
        _ => 0,
    }
}

/// Vector instructions between a product of gfx1250 and one that uses its registers.
pub(super) fn beside_needs(product: Product, later: &Facts) -> u8 {
    product.passes + u8::from(matches!(later.unit, Unit::Matrix(_)))
}
