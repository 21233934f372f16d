//! Matrix instructions: MFMA and SMFMAC of CDNA, WMMA and SWMMAC of gfx1250, with block scales.
//!
//! Where the elements of A, B and C lie among lanes and registers is the only thing this file knows; the arithmetic is
//! in `tilehaul-mma`. How K is spread over lanes does not matter as long as A and B agree, except for the order in which
//! products are added. manual: CDNA3 and CDNA4 ISA, matrix layouts; inferred for gfx1250: what compilers arrange.
//!
//! * **Sparse A** (SMFMAC, SWMMAC): two of four neighbours in K are stored, with two bits each that say which; the other
//!   two are zero. A lane's index bits speak of its own elements. manual: CDNA3 ISA 7.3; inferred for gfx1250.
//! * **Scales**: 32 neighbours in K of a row of A (column of B) share a power of two. CDNA4: each lane holds 32 elements
//!   and a byte of its scale register, which `op_sel` picks. gfx1250: the four bytes of the register of one of the two
//!   lanes of a row. The sum of 32 products is made first, then scaled and added (inferred; no device was asked).
//! * **Patterns** (`cbsz`, `abid`, `blgp`): blocks share A, lanes of B are broadcast. manual: CDNA3 ISA 7.1.

mod place;
mod scaled;
#[cfg(test)]
mod tests;

use half::bf16;
use tilehaul_machine::Core;
use tilehaul_mma::{Format, Operands, Overflow, Product, Sign};

use place::{Side, element, fill, fill_sparse, for_each_result};
use scaled::multiply_scaled;

use crate::Gcn;
use crate::op::{Flow, Op, SrcKind, Stop, Work};
use crate::wave::Wave;

/// Shape and formats of one instruction.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub blocks: usize,
    pub a: Format,
    pub b: Format,
    pub c: Format,
    /// Of the result; narrower than the addend in `bf16f32` forms.
    pub d: Format,
    /// Signs of 8-bit integers are modifiers on gfx1250.
    pub product: Product,
    /// Which blocks share A and how lanes of B are moved.
    pub pattern: Pattern,
    /// A is sparse; the number says which set of index bits of a lane is taken.
    pub sparse: Option<u8>,
    /// 32 elements share a scale.
    pub scaled: Option<Scaled>,
}

/// `cbsz`, `abid` and `blgp` of an MFMA that is not of mixed formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// 2^n blocks share the A of one of them.
    pub share: u8,
    /// Which.
    pub from: u8,
    /// Lane group pattern of B.
    pub lanes: u8,
}

impl Pattern {
    fn block_of_a(self, block: usize) -> usize {
        if self.share == 0 { block } else { block >> self.share << self.share | usize::from(self.from) }
    }

    /// The lane whose B stands in for that of `lane`. manual: CDNA3 ISA 7.1, BLGP.
    fn lane_of_b(self, lane: usize) -> usize {
        match self.lanes {
            1 => lane & 31,
            2 => lane | 32,
            3 => (lane + 16) & 63,
            n @ 4..=7 => usize::from(n - 4) * 16 + lane % 16,
            _ => lane,
        }
    }
}

/// Which part of the scale registers counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scaled {
    /// CDNA4: the byte of each lane's register, for A and B. gfx1250: 1 when the scales stand in the upper 16 lanes.
    pub pick: [u8; 2],
    /// Format of the scales: 0 powers of two, 1 E5M3, 2 E4M3.
    pub format: [u8; 2],
    /// Elements that share a scale: 32, or 16.
    pub run: usize,
}

const FAMILIES: [&str; 4] = ["v_mfma_", "v_wmma_", "v_smfmac_", "v_swmmac_"];

/// Whether a name is that of a matrix product (`v_mfma_ld_scale_b32` and its like only load scales).
pub(crate) fn is_product(name: &str) -> bool {
    FAMILIES.iter().any(|family| name.strip_prefix(family).is_some_and(|rest| !rest.starts_with("ld_")))
}

/// Reads `v_mfma_f32_32x32x8_f16`, `v_wmma_i32_16x16x64_iu8`, ….
pub(crate) fn shape(
    name: &str,
    fnuz: bool,
    neg: u8,
    formats: Option<[u32; 2]>,
    overflow: Overflow,
) -> Option<Shape> {
    let (family, rest) = FAMILIES.iter().find_map(|family| Some((*family, name.strip_prefix(family)?)))?;
    let (run, rest) =
        match rest.strip_prefix("scale_").map(|r| (32, r)).or(rest.strip_prefix("scale16_").map(|r| (16, r)))
        {
            Some((run, rest)) => (Some(run), rest),
            None => (None, rest),
        };
    let mut parts = rest.split('_');
    let (result, dims) = (parts.next()?, parts.next()?);
    let mut tail: Vec<&str> = parts.collect();
    let blocks = match tail.first().and_then(|t| t.strip_suffix('b')).and_then(|t| t.parse().ok()) {
        Some(blocks) => {
            tail.remove(0);
            blocks
        }
        None => 1,
    };
    let mut dims = dims.split('x').map(|d| d.parse::<usize>().ok());
    let (m, n, k) = (dims.next()??, dims.next()??, dims.next()??);
    let format = |t: &str, operand: u8| {
        Some(match t {
            "f16" => Format::F16,
            "bf16" => Format::Bf16,
            "f32" => Format::F32,
            "xf32" => Format::Tf32,
            "f64" => Format::F64,
            "i8" => Format::S8,
            "iu8" => {
                if neg >> operand & 1 == 1 {
                    Format::S8
                } else {
                    Format::U8
                }
            }
            "iu4" => {
                if neg >> operand & 1 == 1 {
                    Format::S4
                } else {
                    Format::U4
                }
            }
            "fp8" => {
                if fnuz {
                    Format::E4m3Fnuz
                } else {
                    Format::E4m3
                }
            }
            "bf8" => {
                if fnuz {
                    Format::E5m2Fnuz
                } else {
                    Format::E5m2
                }
            }
            _ => return None,
        })
    };
    let small = |code: u32| {
        Some(match code {
            0 => Format::E4m3,
            1 => Format::E5m2,
            2 => Format::E2m3,
            3 => Format::E3m2,
            4 => Format::E2m1,
            _ => return None,
        })
    };
    let (a, b) = match (tail.as_slice(), formats) {
        (["f4"], _) => (Format::E2m1, Format::E2m1),
        (["f8f6f4"], Some([a, b])) => (small(a)?, small(b)?),
        ([one], _) => (format(one, 0)?, format(one, 1)?),
        ([a, b], _) => (format(a, 0)?, format(b, 1)?),
        _ => return None,
    };
    let (c, d) = match result {
        "f32" => (Format::F32, Format::F32),
        "f64" => (Format::F64, Format::F64),
        "i32" => (Format::S32, Format::S32),
        "f16" => (Format::F16, Format::F16),
        "bf16" => (Format::Bf16, Format::Bf16),
        "bf16f32" => (Format::F32, Format::Bf16),
        _ => return None,
    };
    let depth = run.unwrap_or(k);
    let product = tilehaul_mma::catalogue::amd(a, b, c, depth, overflow)?;
    let sparse = matches!(family, "v_smfmac_" | "v_swmmac_").then_some(0);
    let scaled = run.map(|run| Scaled { run, ..Scaled::default() });
    Some(Shape { m, n, k, blocks, a, b, c, d, product, pattern: Pattern::default(), sparse, scaled })
}

fn first_register<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> Option<usize> {
    match op.src[i].kind {
        SrcKind::V(n) => Some(w.index(&op.src[i], n)),
        _ => None,
    }
}

/// A matrix product; operands or shapes that do not fit together are not modelled.
pub(crate) fn multiply<const L: usize>(
    g: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    _: &mut Core,
) -> Result<Flow, Stop> {
    product(w, op).map(|()| Flow::Next).ok_or_else(|| g.not_modelled(op.place))
}

fn product<const L: usize>(w: &mut Wave<L>, op: &Op<L>) -> Option<()> {
    let Work::Matrix(shape) = &op.work else { return None };
    let plain = shape.sparse.is_none() && shape.scaled.is_none() && shape.pattern == Pattern::default();
    let whole = plain
        && shape.blocks == 1
        && shape.d == shape.c
        && shape.n >= 16
        && shape.m >= 16
        && shape.c.bits() == 32;
    match (shape.a.bits(), shape.b.bits()) {
        (16, 16) if whole => multiply_rows(w, op, shape, |word| [word & 0xffff, word >> 16]),
        (8, 8) if whole => multiply_rows(w, op, shape, |word| word.to_le_bytes().map(u32::from)),
        _ => multiply_any(w, op, shape),
    }
}

/// One block whose elements fill dwords evenly and whose results have 32 bits: rows are moved as they lie.
fn multiply_rows<const L: usize, const EACH: usize>(
    w: &mut Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    split: impl Fn(u32) -> [u32; EACH],
) -> Option<()> {
    let (m, n, k) = (shape.m, shape.n, shape.k);
    let (ra, rb) = (first_register(w, op, 0)?, first_register(w, op, 1)?);
    let operand = |first: usize, rows: usize| {
        // Lanes that share a row hold consecutive runs of K.
        let run = k * rows / L;
        let mut out = vec![0u32; rows * k];
        for (i, row) in (0..run / EACH).map(|i| (i, &w.v[(first + i) & 1023])) {
            for (group, words) in row.chunks_exact(rows).enumerate() {
                let lines = out.chunks_exact_mut(k).filter_map(|line| line.get_mut(group * run + i * EACH..));
                for (line, word) in lines.zip(words) {
                    for (element, value) in line.iter_mut().zip(split(*word)) {
                        *element = value;
                    }
                }
            }
        }
        out
    };
    let (a, b) = (operand(ra, m), operand(rb, n));
    // A register holds one row of the result in each group of `n` lanes.
    let groups = L / n;
    let row_of = |e: usize, group: usize| match L {
        32 => e + m / 2 * group,
        _ => e / 4 * 4 * groups + 4 * group + e % 4,
    };
    let places = || (0..m / groups).flat_map(|e| (0..groups).map(move |group| (e, group)));
    let mut c = vec![0u32; m * n];
    match op.src[2].kind {
        SrcKind::V(_) => {
            let rc = first_register(w, op, 2)?;
            for (e, group) in places() {
                let lanes = &w.v[(rc + e) & 1023][group * n..][..n];
                c[row_of(e, group) * n..][..n].copy_from_slice(lanes);
            }
        }
        SrcKind::Const(v) => c.fill(v as u32),
        SrcKind::S(_) | SrcKind::None => return None,
    }
    if !shape.c.is_integer() {
        let (clear, flip) = (op.neg_hi & 4 != 0, op.neg_lo & 4 != 0);
        if clear || flip {
            let keep = if clear { 0x7fff_ffff } else { u32::MAX };
            c.iter_mut().for_each(|x| *x = *x & keep ^ u32::from(flip) << 31);
        }
    }
    let operands = Operands { rows: m, columns: n, a: &a, b: &b, c: Some(&c), sign: sign(op, shape) };
    let mut d = vec![0u32; m * n];
    shape.product.multiply_dwords(&operands, &mut d).ok()?;
    let rd = w.reg(op.vdst);
    for (e, group) in places() {
        let row = &d[row_of(e, group) * n..][..n];
        w.v[(rd + e) & 1023][group * n..][..n].copy_from_slice(row);
    }
    Some(())
}

/// The sign of the products: each operand may be negated.
fn sign<const L: usize>(op: &Op<L>, shape: &Shape) -> Sign {
    let flips = !shape.a.is_integer() && (op.neg_lo & 1) ^ (op.neg_lo >> 1 & 1) == 1;
    if flips { Sign::Flip } else { Sign::Keep }
}

/// Any shape, element by element.
fn multiply_any<const L: usize>(w: &mut Wave<L>, op: &Op<L>, shape: &Shape) -> Option<()> {
    let (m, n, k) = (shape.m, shape.n, shape.k);
    let (ra, rb) = (first_register(w, op, 0)?, first_register(w, op, 1)?);
    // The result may lie over the operands, of which a pattern takes those of other blocks: it is written when all is read.
    let mut results = Vec::with_capacity(shape.blocks);
    for block in 0..shape.blocks {
        let mut a = vec![0u64; m * k];
        let mut b = vec![0u64; n * k];
        let left = Side { first: ra, format: shape.a, rows: m, block: shape.pattern.block_of_a(block) };
        match shape.sparse {
            Some(set) => fill_sparse(w, op, shape, &left, set, &mut a)?,
            None => fill(&w.v, shape, &left, |lane| lane, &mut a),
        }
        let right = Side { first: rb, format: shape.b, rows: n, block };
        fill(&w.v, shape, &right, |lane| shape.pattern.lane_of_b(lane), &mut b);
        let mut c = vec![0u64; m * n];
        let bits = shape.c.bits() as usize;
        let addend = if shape.sparse.is_some() { Some(w.reg(op.vdst)) } else { first_register(w, op, 2) };
        match (addend, op.src[2].kind) {
            (Some(rc), _) => {
                for_each_result::<L>(shape, block, |row, column, lane, e| {
                    c[row * n + column] = element(&w.v, rc, lane, e, bits)
                });
            }
            (None, SrcKind::Const(v)) => c.fill(v & if bits == 64 { u64::MAX } else { (1 << bits) - 1 }),
            (None, _) => return None,
        }
        // Signs of C and of the products.
        let sign_bit = 1u64 << (bits - 1);
        if !shape.c.is_integer() && shape.sparse.is_none() {
            if op.neg_hi & 4 != 0 {
                c.iter_mut().for_each(|x| *x &= !sign_bit);
            }
            if op.neg_lo & 4 != 0 {
                c.iter_mut().for_each(|x| *x ^= sign_bit);
            }
        }
        let mut d = vec![0u64; m * n];
        match shape.scaled {
            Some(scaled) => multiply_scaled(w, op, shape, &scaled, [&a, &b], &c, &mut d)?,
            None => {
                let operands =
                    Operands { rows: m, columns: n, a: &a, b: &b, c: Some(&c), sign: sign(op, shape) };
                shape.product.multiply_longs(&operands, &mut d).ok()?;
            }
        }
        if shape.d != shape.c {
            d.iter_mut().for_each(|x| *x = u64::from(bf16::from_f32(f32::from_bits(*x as u32)).to_bits()));
        }
        results.push(d);
    }
    let rd = w.reg(op.vdst);
    let v = &mut w.v;
    for (block, d) in results.iter().enumerate() {
        for_each_result::<L>(shape, block, |row, column, lane, e| {
            let value = d[row * n + column];
            match shape.d.bits() {
                64 => {
                    v[(rd + 2 * e) & 1023][lane] = value as u32;
                    v[(rd + 2 * e + 1) & 1023][lane] = (value >> 32) as u32;
                }
                32 => v[(rd + e) & 1023][lane] = value as u32,
                _ => {
                    let slot = &mut v[(rd + e / 2) & 1023][lane];
                    *slot = crate::valu::merge_half(*slot, value as u16, e % 2 == 1);
                }
            }
        });
    }
    Some(())
}
