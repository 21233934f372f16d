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

use tilehaul_machine::Core;
use tilehaul_mma::{Format, Operands, Overflow, Product, Sign};

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

/// Reads `v_mfma_f32_32x32x8_f16`, `v_wmma_i32_16x16x64_iu8`, ….
pub(crate) fn shape(name: &str, fnuz: bool, neg: u8, formats: Option<[u32; 2]>) -> Option<Shape> {
    let (family, rest) = ["v_mfma_", "v_wmma_", "v_smfmac_", "v_swmmac_"]
        .iter()
        .find_map(|family| Some((*family, name.strip_prefix(family)?)))?;
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
    let c = match result {
        "f32" => Format::F32,
        "f64" => Format::F64,
        "i32" => Format::S32,
        "f16" => Format::F16,
        "bf16" => Format::Bf16,
        _ => return None,
    };
    let depth = run.unwrap_or(k);
    let product = tilehaul_mma::catalogue::amd(a, b, c, depth, Overflow::Wrap)?;
    let sparse = matches!(family, "v_smfmac_" | "v_swmmac_").then_some(0);
    let scaled = run.map(|run| Scaled { run, ..Scaled::default() });
    Some(Shape { m, n, k, blocks, a, b, c, product, pattern: Pattern::default(), sparse, scaled })
}

/// Element `e` of a lane's registers.
fn element<const L: usize>(v: &[[u32; L]], first: usize, lane: usize, e: usize, bits: usize) -> u64 {
    let at = e * bits;
    let word = |i: usize| u64::from(v[(first + i) & 1023][lane]);
    match bits {
        64 => word(2 * e) | word(2 * e + 1) << 32,
        32 => word(e),
        16 | 8 | 4 => word(at / 32) >> (at % 32) & ((1 << bits) - 1),
        _ => {
            let pair = word(at / 32) | word(at / 32 + 1) << 32;
            pair >> (at % 32) & ((1 << bits) - 1)
        }
    }
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
    let whole = plain && shape.blocks == 1 && shape.n >= 16 && shape.m >= 16 && shape.c.bits() == 32;
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
        let rd = w.reg(op.vdst);
        let v = &mut w.v;
        for_each_result::<L>(shape, block, |row, column, lane, e| {
            let value = d[row * n + column];
            match bits {
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

/// One operand of a product.
struct Side {
    first: usize,
    format: Format,
    rows: usize,
    block: usize,
}

/// Gathers a rows x K operand: lanes that share a row hold runs of K. `from` says whose registers stand in for a lane's.
fn fill<const L: usize>(
    v: &[[u32; L]],
    shape: &Shape,
    side: &Side,
    from: impl Fn(usize) -> usize,
    out: &mut [u64],
) {
    let bits = side.format.bits() as usize;
    let groups = (L / side.rows / shape.blocks).max(1);
    let per_lane = shape.k / groups;
    for row in 0..side.rows {
        for group in 0..groups {
            // Blocks take the groups of lanes one after the other, then K does.
            let lane = from((group * shape.blocks + side.block) * side.rows + row);
            for e in 0..per_lane {
                out[row * shape.k + place_in_k::<L>(shape, bits, group, e, per_lane)] =
                    element(v, side.first, lane % L, e, bits);
            }
        }
    }
}

/// Where in K element `e` of a lane of `group` stands. The products of mixed 8-, 6- and 4-bit formats take the lanes of a
/// row in turns of 16 bytes, so that operands of different widths meet, and their scales: on gfx1250 in all formats (6 bits:
/// 16 elements), on gfx950 in 8 bits, while 32 narrower elements follow each other. inferred: what compilers arrange.
fn place_in_k<const L: usize>(shape: &Shape, bits: usize, group: usize, e: usize, per_lane: usize) -> usize {
    let mixed = bits <= 8 && shape.sparse.is_none() && !shape.a.is_integer();
    let turn = match (L, shape.k, bits) {
        (32, 128, 4) => 32,
        (32, 128, _) => 16,
        (64, 128, 8) if shape.m == 16 => 16,
        (64, 64, 8) if shape.m == 32 => 16,
        _ => per_lane,
    };
    if !mixed {
        return group * per_lane + e;
    }
    let groups = shape.k / per_lane;
    e / turn * turn * groups + group * turn + e % turn
}

/// The same for a sparse A: half of the elements are stored, each with two bits that say where among four it stands.
fn fill_sparse<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    side: &Side,
    set: u8,
    out: &mut [u64],
) -> Option<()> {
    let bits = side.format.bits() as usize;
    let groups = (L / side.rows).max(1);
    let (dense, stored) = (shape.k / groups, shape.k / groups / 2);
    let index = first_register(w, op, 2)?;
    for row in 0..side.rows {
        for group in 0..groups {
            let lane = (group * side.rows + row) % L;
            let low = u64::from(w.v[index & 1023][lane]);
            let high = if stored > 16 { u64::from(w.v[(index + 1) & 1023][lane]) } else { 0 };
            let places = (low | high << 32) >> (usize::from(set) * 2 * stored).min(63);
            for e in 0..stored {
                let place = (places >> (2 * e) & 3) as usize;
                out[row * shape.k + group * dense + e / 2 * 4 + place] =
                    element(&w.v, side.first, lane, e, bits);
            }
        }
    }
    Some(())
}

/// D = C + the sum over runs of K of scale x scale x (product of the run), in singles.
fn multiply_scaled<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    scaled: &Scaled,
    [a, b]: [&[u64]; 2],
    c: &[u64],
    d: &mut [u64],
) -> Option<()> {
    let (m, n, k) = (shape.m, shape.n, shape.k);
    let scales = [scales_of(w, op, shape, scaled, 0, m), scales_of(w, op, shape, scaled, 1, n)];
    let runs = k / scaled.run;
    for (sum, c) in d.iter_mut().zip(c) {
        *sum = c & 0xffff_ffff;
    }
    let mut product = shape.product;
    product.depth = scaled.run;
    let mut parts = vec![0u64; m * n];
    for run in 0..runs {
        let lines = |matrix: &[u64]| -> Vec<u64> {
            let of_line = |line: &[u64]| line[run * scaled.run..(run + 1) * scaled.run].to_vec();
            matrix.chunks_exact(k).flat_map(of_line).collect()
        };
        let (a, b) = (lines(a), lines(b));
        let operands = Operands { rows: m, columns: n, a: &a, b: &b, c: None, sign: Sign::Keep };
        product.multiply_longs(&operands, &mut parts).ok()?;
        for (at, (sum, part)) in d.iter_mut().zip(&parts).enumerate() {
            let scale = scales[0][at / n * runs + run] * scales[1][at % n * runs + run];
            let part = (f64::from(f32::from_bits(*part as u32)) * scale) as f32;
            *sum = u64::from((f32::from_bits(*sum as u32) + part).to_bits());
        }
    }
    Some(())
}

/// The scales of each row (column) and run of K.
fn scales_of<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    shape: &Shape,
    scaled: &Scaled,
    side: usize,
    rows: usize,
) -> Vec<f64> {
    let runs = shape.k / scaled.run;
    let src = &op.rest.scales[side];
    let word = |lane: usize, part: u16| u64::from(w.lanes(src, part)[lane % L]);
    let mut out = Vec::with_capacity(rows * runs);
    for row in 0..rows {
        for run in 0..runs {
            let byte = if L == 64 {
                // Each lane holds one run: the byte of its own register.
                word(run * rows + row, 0) >> (8 * scaled.pick[side])
            } else {
                let lane = row % 16
                    + 16 * usize::from(if rows == 32 { (row / 16) as u8 } else { scaled.pick[side] });
                word(lane, (run / 4) as u16) >> (8 * (run % 4))
            };
            out.push(scale_value(byte as u8, scaled.format[side]));
        }
    }
    out
}

/// What a scale byte stands for: 2^(b - 127), or an unsigned small float.
fn scale_value(byte: u8, format: u8) -> f64 {
    let small = |exponent_bits: u32, mantissa_bits: u32| {
        let bias = (1 << (exponent_bits - 1)) - 1;
        let (e, f) = (
            i32::from(byte) >> mantissa_bits & ((1 << exponent_bits) - 1),
            f64::from(byte & ((1 << mantissa_bits) - 1)),
        );
        let fraction = f / f64::from(1u32 << mantissa_bits);
        if e == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(e - bias) }
    };
    match (format, byte) {
        (0, 255) => f64::NAN,
        (0, _) => 2f64.powi(i32::from(byte) - 127),
        (1, _) => small(5, 3),
        (_, 0x7f) => f64::NAN,
        _ => small(4, 3),
    }
}

/// Where the results lie: calls `f(row, column, lane, element of the lane)`.
fn for_each_result<const L: usize>(
    shape: &Shape,
    block: usize,
    mut f: impl FnMut(usize, usize, usize, usize),
) {
    let (m, n) = (shape.m, shape.n);
    if L == 32 {
        // gfx1250: the upper half of the lanes holds the lower half of the rows.
        for lane in 0..32 {
            for e in 0..m / 2 {
                f(e + m / 2 * (lane / 16), lane % 16, lane, e);
            }
        }
        return;
    }
    if shape.c == Format::F64 {
        for lane in 0..64 {
            let per_lane = m * n * shape.blocks / 64;
            for e in 0..per_lane {
                if shape.blocks == 1 {
                    f(4 * e + lane / 16, lane % 16, lane, e);
                } else if lane / 16 == block {
                    f(lane / 4 % 4, lane % 4, lane, e);
                }
            }
        }
        return;
    }
    // Runs of four rows: registers 4q to 4q+3 of a lane are four rows; the groups of lanes follow each other.
    let groups = 64 / n / if n == 4 { shape.blocks } else { 1 };
    for lane in 0..64 {
        let column = lane % n;
        if n == 4 {
            if lane / 4 == block {
                for e in 0..4 {
                    f(e, column, lane, e);
                }
            }
            continue;
        }
        let group = lane / n;
        let registers = m / groups;
        for e in 0..registers {
            f(e / 4 * 4 * groups + 4 * group + e % 4, column, lane, block * registers + e);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_has_one_place() {
        for name in [
            "v_mfma_f32_32x32x8_f16",
            "v_mfma_f32_16x16x16_f16",
            "v_mfma_f32_32x32x4_2b_f16",
            "v_mfma_f32_4x4x4_16b_f16",
            "v_mfma_f64_16x16x4_f64",
        ] {
            let shape = shape(name, true, 0, None).unwrap();
            for block in 0..shape.blocks {
                let mut seen = vec![0; shape.m * shape.n];
                for_each_result::<64>(&shape, block, |r, c, _, _| seen[r * shape.n + c] += 1);
                assert!(seen.iter().all(|&s| s == 1), "{name} block {block}");
            }
        }
        let wide = shape("v_wmma_f32_16x16x32_f16", false, 0, None).unwrap();
        let mut seen = vec![0; 256];
        for_each_result::<32>(&wide, 0, |r, c, _, _| seen[r * 16 + c] += 1);
        assert!(seen.iter().all(|&s| s == 1));
    }
}
