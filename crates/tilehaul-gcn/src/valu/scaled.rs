//! Conversions between 4-, 6- and 8-bit floats with a scale and larger floats: `v_cvt_scalef32_*` of gfx950 and gfx1250.
//!
//! The scale is a single of which only the exponent counts: codes times 2^e on the way up, numbers times 2^-e on the way
//! down. `op_sel` picks the byte or half that a narrow source or destination takes. `sr` rounds with the random number of
//! source 1. `v_cvt_scale_pk*` of gfx1250 takes the power of two from a byte, often of another lane. manual: CDNA4 ISA, V_CVT_SCALEF32_PK_F32_FP8 and its neighbours; inferred: that a NaN scale gives NaNs.

use half::{bf16, f16};
use tilehaul_mma::{Format, to_f32};

use super::convert::{Rounding, encode};
use super::{put, raw, specials};
use crate::op::{Action, Op, SrcKind};
use crate::wave::{VECTOR_REGISTERS, Wave};

/// One conversion.
#[derive(Clone, Copy)]
struct Convert {
    /// The narrow format.
    narrow: Format,
    /// The other one: `F32`, `F16` or `Bf16`.
    wide: Format,
    count: usize,
    /// From narrow to wide.
    up: bool,
    stochastic: bool,
    /// The scale is a byte that `scale_sel` names, a power of two (E8M0), and no single.
    byte: bool,
}

const fn up(count: usize, wide: Format, narrow: Format) -> Convert {
    Convert { narrow, wide, count, up: true, stochastic: false, byte: false }
}

const fn down(count: usize, narrow: Format, wide: Format) -> Convert {
    Convert { narrow, wide, count, up: false, stochastic: false, byte: false }
}

const fn random(count: usize, narrow: Format, wide: Format) -> Convert {
    Convert { narrow, wide, count, up: false, stochastic: true, byte: false }
}

const fn by_byte(count: usize, wide: Format, narrow: Format) -> Convert {
    Convert { narrow, wide, count, up: true, stochastic: false, byte: true }
}

use Format::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32};

pub(super) fn special<const L: usize>(name: &str, op: &Op<L>) -> Option<Action<L>> {
    if name.starts_with("v_cvt_scale_pk") && ScaleAt::of(op.opsel, name.ends_with("8")).is_none() {
        return None;
    }
    specials! { name;
        "v_cvt_scalef32_f32_fp8" => run(up(1, F32, E4m3));
        "v_cvt_scalef32_f32_bf8" => run(up(1, F32, E5m2));
        "v_cvt_scalef32_f16_fp8" => run(up(1, F16, E4m3));
        "v_cvt_scalef32_f16_bf8" => run(up(1, F16, E5m2));
        "v_cvt_scalef32_pk_f32_fp8" => run(up(2, F32, E4m3));
        "v_cvt_scalef32_pk_f32_bf8" => run(up(2, F32, E5m2));
        "v_cvt_scalef32_pk_f32_fp4" => run(up(2, F32, E2m1));
        "v_cvt_scalef32_pk_f16_fp8" => run(up(2, F16, E4m3));
        "v_cvt_scalef32_pk_f16_bf8" => run(up(2, F16, E5m2));
        "v_cvt_scalef32_pk_f16_fp4" => run(up(2, F16, E2m1));
        "v_cvt_scalef32_pk_bf16_fp8" => run(up(2, Bf16, E4m3));
        "v_cvt_scalef32_pk_bf16_bf8" => run(up(2, Bf16, E5m2));
        "v_cvt_scalef32_pk_bf16_fp4" => run(up(2, Bf16, E2m1));
        "v_cvt_scalef32_pk32_f32_fp6" => run(up(32, F32, E2m3));
        "v_cvt_scalef32_pk32_f32_bf6" => run(up(32, F32, E3m2));
        "v_cvt_scalef32_pk32_f16_fp6" => run(up(32, F16, E2m3));
        "v_cvt_scalef32_pk32_f16_bf6" => run(up(32, F16, E3m2));
        "v_cvt_scalef32_pk32_bf16_fp6" => run(up(32, Bf16, E2m3));
        "v_cvt_scalef32_pk32_bf16_bf6" => run(up(32, Bf16, E3m2));
        "v_cvt_scale_pk8_f32_fp8" => run(by_byte(8, F32, E4m3));
        "v_cvt_scale_pk8_f32_bf8" => run(by_byte(8, F32, E5m2));
        "v_cvt_scale_pk8_f32_fp4" => run(by_byte(8, F32, E2m1));
        "v_cvt_scale_pk16_f32_fp6" => run(by_byte(16, F32, E2m3));
        "v_cvt_scale_pk16_f32_bf6" => run(by_byte(16, F32, E3m2));
        "v_cvt_scale_pk8_f16_fp8" => run(by_byte(8, F16, E4m3));
        "v_cvt_scale_pk8_f16_bf8" => run(by_byte(8, F16, E5m2));
        "v_cvt_scale_pk8_f16_fp4" => run(by_byte(8, F16, E2m1));
        "v_cvt_scale_pk16_f16_fp6" => run(by_byte(16, F16, E2m3));
        "v_cvt_scale_pk16_f16_bf6" => run(by_byte(16, F16, E3m2));
        "v_cvt_scale_pk8_bf16_fp8" => run(by_byte(8, Bf16, E4m3));
        "v_cvt_scale_pk8_bf16_bf8" => run(by_byte(8, Bf16, E5m2));
        "v_cvt_scale_pk8_bf16_fp4" => run(by_byte(8, Bf16, E2m1));
        "v_cvt_scale_pk16_bf16_fp6" => run(by_byte(16, Bf16, E2m3));
        "v_cvt_scale_pk16_bf16_bf6" => run(by_byte(16, Bf16, E3m2));
        "v_cvt_scalef32_pk_fp8_f32" => run(down(2, E4m3, F32));
        "v_cvt_scalef32_pk_bf8_f32" => run(down(2, E5m2, F32));
        "v_cvt_scalef32_pk_fp4_f32" => run(down(2, E2m1, F32));
        "v_cvt_scalef32_pk_fp8_f16" => run(down(2, E4m3, F16));
        "v_cvt_scalef32_pk_bf8_f16" => run(down(2, E5m2, F16));
        "v_cvt_scalef32_pk_fp4_f16" => run(down(2, E2m1, F16));
        "v_cvt_scalef32_pk_fp8_bf16" => run(down(2, E4m3, Bf16));
        "v_cvt_scalef32_pk_bf8_bf16" => run(down(2, E5m2, Bf16));
        "v_cvt_scalef32_pk_fp4_bf16" => run(down(2, E2m1, Bf16));
        "v_cvt_scalef32_pk32_fp6_f16" => run(down(32, E2m3, F16));
        "v_cvt_scalef32_pk32_bf6_f16" => run(down(32, E3m2, F16));
        "v_cvt_scalef32_pk32_fp6_bf16" => run(down(32, E2m3, Bf16));
        "v_cvt_scalef32_pk32_bf6_bf16" => run(down(32, E3m2, Bf16));
        "v_cvt_scalef32_pk8_fp8_f32" => run(down(8, E4m3, F32));
        "v_cvt_scalef32_pk8_bf8_f32" => run(down(8, E5m2, F32));
        "v_cvt_scalef32_pk8_fp4_f32" => run(down(8, E2m1, F32));
        "v_cvt_scalef32_pk8_fp8_f16" => run(down(8, E4m3, F16));
        "v_cvt_scalef32_pk8_bf8_f16" => run(down(8, E5m2, F16));
        "v_cvt_scalef32_pk8_fp4_f16" => run(down(8, E2m1, F16));
        "v_cvt_scalef32_pk8_fp8_bf16" => run(down(8, E4m3, Bf16));
        "v_cvt_scalef32_pk8_bf8_bf16" => run(down(8, E5m2, Bf16));
        "v_cvt_scalef32_pk8_fp4_bf16" => run(down(8, E2m1, Bf16));
        "v_cvt_scalef32_pk16_fp6_f32" => run(down(16, E2m3, F32));
        "v_cvt_scalef32_pk16_bf6_f32" => run(down(16, E3m2, F32));
        "v_cvt_scalef32_pk16_fp6_f16" => run(down(16, E2m3, F16));
        "v_cvt_scalef32_pk16_bf6_f16" => run(down(16, E3m2, F16));
        "v_cvt_scalef32_pk16_fp6_bf16" => run(down(16, E2m3, Bf16));
        "v_cvt_scalef32_pk16_bf6_bf16" => run(down(16, E3m2, Bf16));
        "v_cvt_scalef32_sr_fp8_f32" => run(random(1, E4m3, F32));
        "v_cvt_scalef32_sr_bf8_f32" => run(random(1, E5m2, F32));
        "v_cvt_scalef32_sr_fp8_f16" => run(random(1, E4m3, F16));
        "v_cvt_scalef32_sr_bf8_f16" => run(random(1, E5m2, F16));
        "v_cvt_scalef32_sr_fp8_bf16" => run(random(1, E4m3, Bf16));
        "v_cvt_scalef32_sr_bf8_bf16" => run(random(1, E5m2, Bf16));
        "v_cvt_scalef32_sr_pk_fp4_f32" => run(random(2, E2m1, F32));
        "v_cvt_scalef32_sr_pk_fp4_f16" => run(random(2, E2m1, F16));
        "v_cvt_scalef32_sr_pk_fp4_bf16" => run(random(2, E2m1, Bf16));
        "v_cvt_scalef32_sr_pk8_fp8_f32" => run(random(8, E4m3, F32));
        "v_cvt_scalef32_sr_pk8_bf8_f32" => run(random(8, E5m2, F32));
        "v_cvt_scalef32_sr_pk8_fp4_f32" => run(random(8, E2m1, F32));
        "v_cvt_scalef32_sr_pk8_fp8_f16" => run(random(8, E4m3, F16));
        "v_cvt_scalef32_sr_pk8_bf8_f16" => run(random(8, E5m2, F16));
        "v_cvt_scalef32_sr_pk8_fp4_f16" => run(random(8, E2m1, F16));
        "v_cvt_scalef32_sr_pk8_fp8_bf16" => run(random(8, E4m3, Bf16));
        "v_cvt_scalef32_sr_pk8_bf8_bf16" => run(random(8, E5m2, Bf16));
        "v_cvt_scalef32_sr_pk8_fp4_bf16" => run(random(8, E2m1, Bf16));
        "v_cvt_scalef32_sr_pk32_fp6_f32" => run(random(32, E2m3, F32));
        "v_cvt_scalef32_sr_pk32_bf6_f32" => run(random(32, E3m2, F32));
        "v_cvt_scalef32_sr_pk32_fp6_f16" => run(random(32, E2m3, F16));
        "v_cvt_scalef32_sr_pk32_bf6_f16" => run(random(32, E3m2, F16));
        "v_cvt_scalef32_sr_pk32_fp6_bf16" => run(random(32, E2m3, Bf16));
        "v_cvt_scalef32_sr_pk32_bf6_bf16" => run(random(32, E3m2, Bf16));
        "v_cvt_scalef32_sr_pk16_fp6_f32" => run(random(16, E2m3, F32));
        "v_cvt_scalef32_2xpk16_fp6_f32" => run(down(32, E2m3, F32));
        "v_cvt_scalef32_2xpk16_bf6_f32" => run(down(32, E3m2, F32));
        "v_cvt_scalef32_sr_pk16_bf6_f32" => run(random(16, E3m2, F32));
        "v_cvt_scalef32_sr_pk16_fp6_f16" => run(random(16, E2m3, F16));
        "v_cvt_scalef32_sr_pk16_bf6_f16" => run(random(16, E3m2, F16));
        "v_cvt_scalef32_sr_pk16_fp6_bf16" => run(random(16, E2m3, Bf16));
        "v_cvt_scalef32_sr_pk16_bf6_bf16" => run(random(16, E3m2, Bf16));
    }
}

/// Where the scale of a lane's elements stands under a `scale_sel`: the scales of 16 rows are dwords of one half of the
/// wave, as matrix products take them. Bit 0 says which half. Blocks of 32 or 16 elements: bit 2 for 4 and 6 bits, bit 3 for
/// 8 bits. manual: the device tests of pk4scaled_type_convert in AMD's composable_kernel (FP6 0 to 7, FP8 and
/// BF8 0 to 11); Triton 3.9 relies on 0 and, for blocks of 16, on 8. MLIR's amdgpu.scaled_ext_packed_matrix puts the bits
/// together in another order, which agrees in 0 only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScaleAt {
    /// First lane of the half: 0 or 16.
    first_lane: usize,
    /// The byte for lanes 0 to 15.
    byte: usize,
    /// How much further on the byte for lanes 16 to 31 is.
    apart: usize,
}

impl ScaleAt {
    /// None where the number is reserved.
    fn of(sel: u8, eight_bits: bool) -> Option<ScaleAt> {
        let first_lane = 16 * usize::from(sel & 1);
        let pair = usize::from(sel >> 1 & 3);
        let (byte, apart) = match (eight_bits, sel) {
            // 32 elements of 8 bits are in both halves of the wave, with one scale.
            (true, 0..8) => (*[0, 2, 1, 3].get(pair)?, 0),
            (true, 8..12) | (false, 0..4) => (2 * (pair & 1), 1),
            (false, 4..8) => (pair & 1, 2),
            (..) => return None,
        };
        Some(ScaleAt { first_lane, byte, apart })
    }

    fn lane(self, l: usize) -> usize {
        self.first_lane + l % 16
    }

    fn byte(self, l: usize) -> usize {
        self.byte + self.apart * (l / 16 % 2)
    }
}

/// 2^e of a single; NaN where it has no exponent of a number.
fn power(scale: u32) -> f64 {
    let exponent = (scale >> 23 & 255) as i32;
    if exponent == 255 { f64::NAN } else { 2f64.powi(exponent - 127) }
}

fn run<const L: usize>(w: &mut Wave<L>, op: &Op<L>, convert: Convert) {
    let scale_at = match (convert.up, convert.stochastic, convert.count, convert.wide) {
        (false, true, ..) | (false, false, 2 | 32, F32) => 2,
        _ => 1,
    };
    let mut scale = raw(w, op, scale_at);
    if convert.byte
        && let Some(at) = ScaleAt::of(op.opsel, convert.narrow.bits() == 8)
    {
        let bytes = std::array::from_fn(|l| scale[at.lane(l) % L] >> (8 * at.byte(l)) & 255);
        scale = bytes.map(|byte| byte << 23);
    }
    if convert.up { widen(w, op, convert, &scale) } else { narrow(w, op, convert, &scale) }
}

/// Dword `i` of source 0.
fn source<const L: usize>(w: &Wave<L>, op: &Op<L>, i: usize) -> [u32; L] {
    dword_of(w, op, 0, i)
}

/// Dword `i` of a source.
fn dword_of<const L: usize>(w: &Wave<L>, op: &Op<L>, source: usize, i: usize) -> [u32; L] {
    let src = &op.src[source];
    match src.kind {
        SrcKind::V(n) => w.v[(w.index(src, n) + i) & (VECTOR_REGISTERS - 1)],
        _ => w.lanes(src, 0),
    }
}

fn widen<const L: usize>(w: &mut Wave<L>, op: &Op<L>, convert: Convert, scale: &[u32; L]) {
    let bits = convert.narrow.bits() as usize;
    let dwords: Vec<[u32; L]> = (0..(convert.count * bits).div_ceil(32)).map(|i| source(w, op, i)).collect();
    // A source of less than a dword is the byte or half that op_sel names.
    let first = match (convert.count, bits) {
        (2, 8) => 16 * usize::from(op.opsel & 1),
        (1, 8) | (2, 4) => 8 * usize::from(op.opsel & 3),
        _ => 0,
    };
    let value = |e: usize, l: usize| {
        let code = code(&dwords, first + e * bits, bits, l);
        (f64::from(to_f32(convert.narrow, u64::from(code))) * power(scale[l])) as f32
    };
    if convert.wide == F32 {
        for e in 0..convert.count {
            w.write(op.vdst, e as u16, &std::array::from_fn(|l| value(e, l).to_bits()));
        }
        return;
    }
    let short = |x: f32| match convert.wide {
        Bf16 => u32::from(bf16::from_f32(x).to_bits()),
        _ => u32::from(f16::from_f32(x).to_bits()),
    };
    if convert.count == 1 {
        let old = w.v[w.reg(op.vdst)];
        let half = |l: usize| short(value(0, l)) as u16;
        return put(w, op, &std::array::from_fn(|l| super::merge_half(old[l], half(l), op.vdst.high)));
    }
    for pair in 0..convert.count / 2 {
        let both = |l: usize| short(value(2 * pair, l)) | short(value(2 * pair + 1, l)) << 16;
        w.write(op.vdst, pair as u16, &std::array::from_fn(both));
    }
}

/// Bits `at` to `at + bits` of a lane's dwords.
fn code<const L: usize>(dwords: &[[u32; L]], at: usize, bits: usize, lane: usize) -> u32 {
    let word = |i: usize| dwords.get(i).map_or(0, |d| u64::from(d[lane]));
    let pair = word(at / 32) | word(at / 32 + 1) << 32;
    (pair >> (at % 32)) as u32 & ((1 << bits) - 1)
}

fn narrow<const L: usize>(w: &mut Wave<L>, op: &Op<L>, convert: Convert, scale: &[u32; L]) {
    let bits = convert.narrow.bits() as usize;
    let signed = |i: usize, x: f32| {
        let x = if op.src[i].abs { x.abs() } else { x };
        if op.src[i].neg { -x } else { x }
    };
    // Two singles stand in two sources, more stand in a row of registers.
    let pair_of_sources = convert.count == 2 && convert.wide == F32 && !convert.stochastic;
    // Sixteen singles in each of two sources, which take turns. manual: composable_kernel, "interleaves two 16-component
    // vectors".
    let turns = convert.count == 32 && convert.wide == F32 && !convert.stochastic;
    let per_dword = if convert.wide == F32 { 1 } else { 2 };
    let dwords: Vec<[u32; L]> = if pair_of_sources {
        vec![raw(w, op, 0), raw(w, op, 1)]
    } else if turns {
        (0..32).map(|e| dword_of(w, op, e % 2, e / 2)).collect()
    } else {
        (0..convert.count.div_ceil(per_dword)).map(|i| source(w, op, i)).collect()
    };
    let value = |e: usize, l: usize| {
        let word = dwords[e / per_dword][l];
        // A single 16-bit source is the half that op_sel names.
        let high = if convert.count == 1 { op.src[0].high } else { e % 2 == 1 };
        let half = if high { word >> 16 } else { word & 0xffff };
        let x = match convert.wide {
            F32 => f32::from_bits(word),
            Bf16 => f32::from_bits(half << 16),
            _ => f16::from_bits(half as u16).to_f32(),
        };
        let from = if pair_of_sources || turns { e % 2 } else { 0 };
        (f64::from(signed(from, x)) / power(scale[l])) as f32
    };
    let seeds = if convert.stochastic { Some(raw(w, op, 1)) } else { None };
    let rounding = |l: usize| seeds.map_or(Rounding::Nearest, |s| Rounding::Stochastic(s[l]));
    let total = convert.count * bits;
    let mut out = vec![[0u32; L]; total.div_ceil(32)];
    for e in 0..convert.count {
        let (dword, shift) = (e * bits / 32, e * bits % 32);
        for l in 0..L {
            let code = u64::from(encode(value(e, l), convert.narrow, rounding(l))) << shift;
            out[dword][l] |= code as u32;
            if let Some(next) = out.get_mut(dword + 1) {
                next[l] |= (code >> 32) as u32;
            }
        }
    }
    // Less than a dword goes to the byte or half that op_sel names; the rest stays.
    if total < 32 {
        let shift =
            if total == 16 { 16 * u32::from(op.opsel >> 3 & 1) } else { 8 * u32::from(op.opsel >> 2 & 3) };
        let mask = ((1u32 << total) - 1) << shift;
        let old = w.v[w.reg(op.vdst)];
        return put(w, op, &std::array::from_fn(|l| old[l] & !mask | out[0][l] << shift & mask));
    }
    for (i, dword) in out.iter().enumerate() {
        w.write(op.vdst, i as u16, dword);
    }
}

#[cfg(test)]
mod tests {
    use tilehaul_isa::gcn::Target;

    use super::*;
    use crate::testing::{run, wave};

    #[test]
    fn scales_stand_in_one_half_of_the_wave() {
        // fp4 code 2 is 1.0: the result is the scale. Byte b of lane l is 2^(l + 32 b - 64).
        let scale = |sel: usize| {
            let mut w = wave::<32>();
            w.v[1] = [0x2222_2222; 32];
            w.v[2] = std::array::from_fn(|l| {
                u32::from_le_bytes(std::array::from_fn(|b| (127 + l + 32 * b - 64) as u8))
            });
            run(Target::Gfx1250, &format!("v_cvt_scale_pk8_f32_fp4 v[8:15], v1, v2 scale_sel:{sel}"), &mut w);
            std::array::from_fn::<(usize, usize), 32, _>(|l| {
                let log = (f32::from_bits(w.v[9][l]).log2() + 64.0) as usize;
                (log % 32, log / 32)
            })
        };
        for l in 0..32 {
            let (row, upper) = (l % 16, l / 16);
            assert_eq!(scale(0)[l], (row, upper));
            assert_eq!(scale(1)[l], (16 + row, upper));
            assert_eq!(scale(2)[l], (row, 2 + upper));
            assert_eq!(scale(3)[l], (16 + row, 2 + upper));
            assert_eq!(scale(4)[l], (row, 2 * upper));
            assert_eq!(scale(7)[l], (16 + row, 1 + 2 * upper));
        }
        let eight = |sel| ScaleAt::of(sel, true).map(|at| [at.lane(3), at.byte(3), at.lane(19), at.byte(19)]);
        assert_eq!(eight(0), Some([3, 0, 3, 0]));
        assert_eq!(eight(2), Some([3, 2, 3, 2]));
        assert_eq!(eight(5), Some([19, 1, 19, 1]));
        assert_eq!(eight(8), Some([3, 0, 3, 1]));
        assert_eq!(eight(11), Some([19, 2, 19, 3]));
        assert_eq!([12, 15].map(eight), [None; 2]);
        assert_eq!(ScaleAt::of(8, false), None);
    }

    #[test]
    fn two_sources_take_turns() {
        let mut w = wave::<64>();
        for i in 0..16 {
            // 0, 1/8, ... 15/8 of the first, their negatives of the second, under a scale of 2.
            w.v[i] = [(i as f32 / 4.0).to_bits(); 64];
            w.v[16 + i] = [(-(i as f32) / 4.0).to_bits(); 64];
        }
        w.v[40] = [2f32.to_bits(); 64];
        run(Target::Gfx950, "v_cvt_scalef32_2xpk16_fp6_f32 v[50:55], v[0:15], v[16:31], v40", &mut w);
        let dwords: Vec<[u32; 64]> = (0..6).map(|i| w.v[50 + i]).collect();
        let codes: Vec<u32> = (0..32).map(|e| code(&dwords, 6 * e, 6, 7)).collect();
        // In steps of 1/8 the codes of e2m3 below 2 count up; the sign is bit 5.
        let want: Vec<u32> = (0..32).map(|e| (e / 2) | ((e & 1) << 5)).collect();
        assert_eq!(codes, want);
    }

    #[test]
    fn stochastic_rounding_of_many_is_that_of_each() {
        let mut w = wave::<32>();
        for i in 0..8 {
            w.v[i] = std::array::from_fn(|l| (0.3f32 + i as f32 * 0.7 + l as f32 * 0.01).to_bits());
        }
        (w.v[30], w.v[31]) = ([0x8000_1234; 32], [(4.0f32).to_bits(); 32]);
        run(Target::Gfx1250, "v_cvt_scalef32_sr_pk8_fp8_f32 v[20:21], v[0:7], v30, v31", &mut w);
        for e in 0..8 {
            for l in 0..32 {
                let value = f32::from_bits(w.v[e][l]) / 4.0;
                let want = encode(value, E4m3, Rounding::Stochastic(0x8000_1234));
                let got = w.v[20 + e / 4][l] >> (8 * (e % 4)) & 255;
                assert_eq!(got, u32::from(want), "element {e} lane {l}");
            }
        }
        let mut w = wave::<64>();
        (w.v[0], w.v[1]) = ([1.4f32.to_bits(); 64], [(-2.6f32).to_bits(); 64]);
        (w.v[3], w.v[4], w.v[9]) = ([0x7fff_ffff; 64], [1f32.to_bits(); 64], [0xaabb_ccdd; 64]);
        run(Target::Gfx950, "v_cvt_scalef32_sr_pk_fp4_f32 v9, v[0:1], v3, v4 op_sel:[0,0,1,0]", &mut w);
        let byte = w.v[9][0] >> 8 & 255;
        assert_eq!(w.v[9][0] & 0xffff_00ff, 0xaabb_00dd);
        assert!(matches!(byte & 15, 2 | 3) && matches!(byte >> 4, 12 | 13), "{byte:#x}");
    }
}
