//! Matrix instructions: MFMA of CDNA and WMMA of gfx1250.
//!
//! Where the elements of A, B and C lie among lanes and registers is the only thing this file knows; the arithmetic is
//! in `tilehaul-mma`. How K is spread over lanes does not matter as long as A and B agree, except for the order in which
//! products are added. manual: CDNA3 and CDNA4 ISA, matrix layouts; inferred for gfx1250: what compilers arrange.

use tilehaul_mma::{Format, Operands, Overflow, Product, Sign};

use crate::op::{Op, SrcKind, Work};
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
}

/// Reads `v_mfma_f32_32x32x8_f16`, `v_wmma_i32_16x16x64_iu8`, ….
pub(crate) fn shape(name: &str, fnuz: bool, neg: u8, formats: Option<[u32; 2]>) -> Option<Shape> {
    let rest = name.strip_prefix("v_mfma_").or(name.strip_prefix("v_wmma_"))?;
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
    let product = tilehaul_mma::catalogue::amd(a, b, c, k, Overflow::Wrap)?;
    Some(Shape { m, n, k, blocks, a, b, c, product })
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

pub(crate) fn multiply<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let Work::Matrix(shape) = &op.work else { return };
    let whole = shape.blocks == 1 && shape.n >= 16 && shape.m >= 16 && shape.c.bits() == 32;
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
) {
    let (m, n, k) = (shape.m, shape.n, shape.k);
    let (Some(ra), Some(rb)) = (first_register(w, op, 0), first_register(w, op, 1)) else { return };
    let operand = |first: usize, rows: usize| {
        // Lanes that share a row hold consecutive runs of K.
        let run = k * rows / L;
        let mut out = vec![0u32; rows * k];
        for (i, row) in (0..run / EACH).map(|i| (i, &w.v[(first + i) & 1023])) {
            for (lane, word) in row.iter().enumerate() {
                let at = lane % rows * k + lane / rows * run + i * EACH;
                out[at..at + EACH].copy_from_slice(&split(*word));
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
            let rc = first_register(w, op, 2).unwrap_or(0);
            for (e, group) in places() {
                let lanes = &w.v[(rc + e) & 1023][group * n..][..n];
                c[row_of(e, group) * n..][..n].copy_from_slice(lanes);
            }
        }
        SrcKind::Const(v) => c.fill(v as u32),
        _ => {}
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
    // The shapes fit by construction: they come from one name.
    if shape.product.multiply_dwords(&operands, &mut d).is_err() {
        return;
    }
    let rd = w.reg(op.vdst);
    for (e, group) in places() {
        let row = &d[row_of(e, group) * n..][..n];
        w.v[(rd + e) & 1023][group * n..][..n].copy_from_slice(row);
    }
}

/// The sign of the products: each operand may be negated.
fn sign<const L: usize>(op: &Op<L>, shape: &Shape) -> Sign {
    let flips = !shape.a.is_integer() && (op.neg_lo & 1) ^ (op.neg_lo >> 1 & 1) == 1;
    if flips { Sign::Flip } else { Sign::Keep }
}

/// Any shape, element by element.
fn multiply_any<const L: usize>(w: &mut Wave<L>, op: &Op<L>, shape: &Shape) {
    let (m, n, k) = (shape.m, shape.n, shape.k);
    let (Some(ra), Some(rb)) = (first_register(w, op, 0), first_register(w, op, 1)) else { return };
    for block in 0..shape.blocks {
        let mut a = vec![0u64; m * k];
        let mut b = vec![0u64; n * k];
        fill(&w.v, ra, shape.a.bits() as usize, m, k, shape.blocks, block, &mut a);
        fill(&w.v, rb, shape.b.bits() as usize, n, k, shape.blocks, block, &mut b);
        let mut c = vec![0u64; m * n];
        let bits = shape.c.bits() as usize;
        match op.src[2].kind {
            SrcKind::V(_) => {
                let rc = first_register(w, op, 2).unwrap_or(0);
                for_each_result::<L>(shape, block, |row, column, lane, e| {
                    c[row * n + column] = element(&w.v, rc, lane, e, bits)
                });
            }
            SrcKind::Const(v) => c.fill(v & if bits == 64 { u64::MAX } else { (1 << bits) - 1 }),
            _ => {}
        }
        // Signs of C and of the products.
        let sign_bit = 1u64 << (bits - 1);
        if !shape.c.is_integer() {
            if op.neg_hi & 4 != 0 {
                c.iter_mut().for_each(|x| *x &= !sign_bit);
            }
            if op.neg_lo & 4 != 0 {
                c.iter_mut().for_each(|x| *x ^= sign_bit);
            }
        }
        let operands = Operands { rows: m, columns: n, a: &a, b: &b, c: Some(&c), sign: sign(op, shape) };
        let mut d = vec![0u64; m * n];
        // The shapes fit by construction: they come from one name.
        if shape.product.multiply_longs(&operands, &mut d).is_err() {
            return;
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
}

/// Gathers a `rows` x `k` operand: lanes that share a row hold consecutive runs of K.
#[expect(clippy::too_many_arguments, reason = "a register file, a format and a shape")]
fn fill<const L: usize>(
    v: &[[u32; L]],
    first: usize,
    bits: usize,
    rows: usize,
    k: usize,
    blocks: usize,
    block: usize,
    out: &mut [u64],
) {
    let groups = L / rows / blocks;
    let per_lane = k / groups.max(1);
    for row in 0..rows {
        for group in 0..groups.max(1) {
            // Blocks take the groups of lanes one after the other, then K does.
            let lane = (group * blocks + block) * rows + row;
            for e in 0..per_lane {
                out[row * k + group * per_lane + e] = element(v, first, lane % L, e, bits);
            }
        }
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
