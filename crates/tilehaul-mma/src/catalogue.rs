//! The units of known chips: which arithmetic an instruction has, and how well that is known.

use tilehaul_diag::Source;

use crate::format::Format;
use crate::product::{Arithmetic, Parity, Product};

/// What an integer product does at the ends of 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// Modulo 2^32.
    #[default]
    Wrap,
    /// Clamped once, at the end.
    Saturate,
}

const FUSED_25: Arithmetic = Arithmetic::Fused { kept: 25, significant: None };

fn is_eight_bit_float(format: Format) -> bool {
    matches!(format, Format::E4m3 | Format::E5m2)
}

fn is_small_float(format: Format) -> bool {
    is_eight_bit_float(format) || matches!(format, Format::E2m3 | Format::E3m2 | Format::E2m1)
}

/// What both Hopper units share; `eight` is the arithmetic of 8-bit floats.
fn nvidia(
    a: Format,
    b: Format,
    accumulator: Format,
    depth: usize,
    overflow: Overflow,
    eight: Arithmetic,
    source: Source,
) -> Option<Product> {
    let integer = match overflow {
        Overflow::Wrap => Arithmetic::Wrap,
        Overflow::Saturate => Arithmetic::Saturate,
    };
    let arithmetic = match (a, b, accumulator) {
        (Format::F16, Format::F16, Format::F16 | Format::F32) => FUSED_25,
        (Format::Bf16, Format::Bf16, Format::F32) | (Format::Tf32, Format::Tf32, Format::F32) => FUSED_25,
        (Format::F64, Format::F64, Format::F64) => Arithmetic::Chain,
        (Format::S8 | Format::U8, Format::S8 | Format::U8, Format::S32) => integer,
        // inferred: 4-bit integers as bytes (h200-mma 8, not tried).
        (Format::S4 | Format::U4, Format::S4 | Format::U4, Format::S32) => integer,
        (a, b, Format::F16 | Format::F32) if is_small_float(a) && is_small_float(b) => eight,
        _ => return None,
    };
    Some(Product { a, b, accumulator, depth, arithmetic, source })
}

/// `mma.sync` of sm_90 and earlier: `None` for formats that it does not multiply.
#[must_use]
pub fn nvidia_mma(
    a: Format,
    b: Format,
    accumulator: Format,
    depth: usize,
    overflow: Overflow,
) -> Option<Product> {
    let source = Source::hardware("h200-mma 1 to 6");
    nvidia(a, b, accumulator, depth, overflow, Arithmetic::SplitHalves, source)
        .filter(|_| !is_small_float(a) || is_eight_bit_float(a) && is_eight_bit_float(b))
}

/// `wgmma` of sm_90a.
#[must_use]
pub fn nvidia_wgmma(
    a: Format,
    b: Format,
    accumulator: Format,
    depth: usize,
    overflow: Overflow,
) -> Option<Product> {
    // Accumulators in singles keep 14 significant bits; halves take the sum as it is: h200-mma 1.
    let significant = (accumulator == Format::F32).then_some(14);
    let eight = Arithmetic::Fused { kept: 13, significant };
    nvidia(a, b, accumulator, depth, overflow, eight, Source::hardware("h200-mma 1 to 5"))
        .filter(|_| a != Format::F64)
        .filter(|_| !is_small_float(a) || is_eight_bit_float(a) && is_eight_bit_float(b))
}

/// `tcgen05.mma` of sm_100 and `mma.sync` of sm_100 and sm_120, 8-, 6- and 4-bit floats included.
///
/// inferred: the fused block of sm_90 with all 25 bits for every format, which published measurements of Blackwell
/// (MMA-Sim, arXiv 2511.10909) found too; none was measured for this project.
#[must_use]
pub fn nvidia_blackwell(
    a: Format,
    b: Format,
    accumulator: Format,
    depth: usize,
    overflow: Overflow,
) -> Option<Product> {
    let source = Source::inferred("sm_90's fused block; MMA-Sim (arXiv 2511.10909) for Blackwell");
    nvidia(a, b, accumulator, depth, overflow, FUSED_25, source)
}

/// MFMA of CDNA3 and CDNA4, WMMA of gfx1250.
///
/// Integers are exact. Doubles and singles are a chain of fused multiply-adds, K ascending. Smaller floats go in groups:
/// inferred from published measurements of CDNA3 (MMA-Sim, arXiv 2511.10909) and taken over for gfx950 and gfx1250, whose
/// groups nobody has published; halves as accumulators are rounded once at the end (inferred). Tests that compare floats
/// should leave room for another order of summation.
#[must_use]
pub fn amd(a: Format, b: Format, accumulator: Format, depth: usize, overflow: Overflow) -> Option<Product> {
    let small =
        |format: Format| is_small_float(format) || matches!(format, Format::E4m3Fnuz | Format::E5m2Fnuz);
    let bytes = |format: Format| matches!(format, Format::S8 | Format::U8 | Format::S4 | Format::U4);
    let groups = |size: usize, parity: Parity| Arithmetic::Grouped { size: size.min(depth.max(1)), parity };
    let measured = Source::inferred("MMA-Sim (arXiv 2511.10909) for CDNA3; later chips taken alike");
    let (arithmetic, source) = match (a, b, accumulator) {
        (a, b, Format::S32) if bytes(a) && bytes(b) => {
            let arithmetic = match overflow {
                Overflow::Wrap => Arithmetic::Wrap,
                Overflow::Saturate => Arithmetic::Saturate,
            };
            (arithmetic, Source::manual("CDNA3 and gfx1250 ISA: integer products are exact"))
        }
        (Format::F64, Format::F64, Format::F64) | (Format::F32, Format::F32, Format::F32) => {
            (Arithmetic::Chain, measured)
        }
        (Format::F16, Format::F16, Format::F32 | Format::F16)
        | (Format::Bf16, Format::Bf16, Format::F32 | Format::Bf16) => (groups(8, Parity::Together), measured),
        (Format::Tf32, Format::Tf32, Format::F32) => (groups(4, Parity::Together), measured),
        (a, b, Format::F32 | Format::F16) if small(a) && small(b) => (groups(16, Parity::Apart), measured),
        _ => return None,
    };
    Some(Product { a, b, accumulator, depth, arithmetic, source })
}
