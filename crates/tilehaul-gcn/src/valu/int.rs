//! Integer and bit operations.

use super::kernel::{
    Kernel, Lanewise, Part, Row, lanewise, q1, q2, quq_to_q, s1, s2, s2_to_u, s3, shift, ssu_to_u, u1,
    u1_to_s, u2, u3, uq_to_q,
};
use super::{accumulator, merge_half, put, put_wide, raw, specials, wide};
use crate::op::{Action, Op};
use crate::wave::Wave;

pub(super) fn lanewise(name: &str) -> Option<Lanewise> {
    let table =
        |kernel, sources, result| Lanewise { kernel: Kernel::Table(kernel), sources, result, packed: false };
    const TWO: [Part; 3] = [Part::Word, Part::Word, Part::Absent];
    const THREE: [Part; 3] = [Part::Word; 3];
    match name {
        "v_bitop3_b32" => return Some(table(truth, [Part::Word; 3], Part::Word)),
        "v_bitop3_b16" => return Some(table(truth, [Part::Short; 3], Part::Short)),
        "v_bitop2_b32" => {
            return Some(table(truth_of_two, [Part::Word, Part::Word, Part::Absent], Part::Word));
        }
        "v_lshlrev_b32" => return Some(shift!(TWO, 0, |[a, b, _]| b << (a & 31))),
        "v_lshrrev_b32" => return Some(shift!(TWO, 0, |[a, b, _]| b >> (a & 31))),
        "v_ashrrev_i32" => return Some(shift!(TWO, 0, |[a, b, _]| (b as i32 >> (a & 31)) as u32)),
        "v_lshl_add_u32" => return Some(shift!(THREE, 1, |[a, b, c]| (a << (b & 31)).wrapping_add(c))),
        "v_add_lshl_u32" => return Some(shift!(THREE, 2, |[a, b, c]| a.wrapping_add(b) << (c & 31))),
        "v_lshl_or_b32" => return Some(shift!(THREE, 1, |[a, b, c]| a << (b & 31) | c)),
        _ => {}
    }
    lanewise! { name;
        "v_mov_b32" | "v_mov_b32_dpp" | "v_permlane64_b32" => u1(|a| a);
        "v_mov_b64" => q1(|a| a);
        "v_mov_b16" => s1(|a| a);
        "v_not_b32" => u1(|a| !a);
        "v_not_b16" => s1(|a| !a);
        "v_bfrev_b32" => u1(u32::reverse_bits);
        "v_ffbh_u32" | "v_clz_i32_u32" => u1(|a| if a == 0 { u32::MAX } else { a.leading_zeros() });
        "v_ffbl_b32" | "v_ctz_i32_b32" => u1(|a| if a == 0 { u32::MAX } else { a.trailing_zeros() });
        "v_ffbh_i32" | "v_cls_i32" => u1(leading_sign);
        "v_sat_pk_u8_i16" => u1(|a| u32::from((a as u16 as i16).clamp(0, 255) as u16) | u32::from(((a >> 16) as u16 as i16).clamp(0, 255) as u16) << 8);
        "v_and_b32" => u2(|a, b| a & b);
        "v_or_b32" => u2(|a, b| a | b);
        "v_xor_b32" => u2(|a, b| a ^ b);
        "v_xnor_b32" => u2(|a, b| !(a ^ b));
        "v_and_b16" => s2(|a, b| a & b);
        "v_or_b16" => s2(|a, b| a | b);
        "v_xor_b16" => s2(|a, b| a ^ b);
        "v_lshlrev_b16" => s2(|a, b| b << (a & 15));
        "v_lshrrev_b16" => s2(|a, b| b >> (a & 15));
        "v_ashrrev_i16" => s2(|a, b| (b as i16 >> (a & 15)) as u16);
        "v_lshlrev_b64" => uq_to_q(|a, b| b << (a & 63));
        "v_lshrrev_b64" => uq_to_q(|a, b| b >> (a & 63));
        "v_ashrrev_i64" => uq_to_q(|a, b| (b as i64 >> (a & 63)) as u64);
        "v_add_u32" | "v_add_nc_u32" => u2(u32::wrapping_add);
        "v_sub_u32" | "v_sub_nc_u32" => u2(u32::wrapping_sub);
        "v_subrev_u32" | "v_subrev_nc_u32" => u2(|a, b| b.wrapping_sub(a));
        "v_add_i32" | "v_add_nc_i32" => u2(u32::wrapping_add);
        "v_sub_i32" | "v_sub_nc_i32" => u2(u32::wrapping_sub);
        "v_add_u16" | "v_add_nc_u16" => s2(u16::wrapping_add);
        "v_sub_u16" | "v_sub_nc_u16" => s2(u16::wrapping_sub);
        "v_subrev_u16" => s2(|a, b| b.wrapping_sub(a));
        "v_add_i16" | "v_add_nc_i16" => s2(u16::wrapping_add);
        "v_sub_i16" | "v_sub_nc_i16" => s2(u16::wrapping_sub);
        "v_mul_lo_u16" => s2(u16::wrapping_mul);
        "v_mad_u16" | "v_mad_legacy_u16" => s3(|a, b, c| a.wrapping_mul(b).wrapping_add(c));
        "v_mad_i16" | "v_mad_legacy_i16" => s3(|a, b, c| a.wrapping_mul(b).wrapping_add(c));
        "v_max_u16" => s2(u16::max);
        "v_min_u16" => s2(u16::min);
        "v_max_i16" => s2(|a, b| (a as i16).max(b as i16) as u16);
        "v_min_i16" => s2(|a, b| (a as i16).min(b as i16) as u16);
        "v_max3_u16" => s3(|a, b, c| a.max(b).max(c));
        "v_min3_u16" => s3(|a, b, c| a.min(b).min(c));
        "v_max3_i16" => s3(|a, b, c| (a as i16).max(b as i16).max(c as i16) as u16);
        "v_min3_i16" => s3(|a, b, c| (a as i16).min(b as i16).min(c as i16) as u16);
        "v_med3_u16" => s3(|a, b, c| a.max(b).min(a.min(b).max(c)));
        "v_med3_i16" => s3(|a, b, c| { let (a, b, c) = (a as i16, b as i16, c as i16); a.max(b).min(a.min(b).max(c)) as u16 });
        "v_min_u64" => q2(u64::min);
        "v_max_u64" => q2(u64::max);
        "v_min_i64" => q2(|a, b| (a as i64).min(b as i64) as u64);
        "v_max_i64" => q2(|a, b| (a as i64).max(b as i64) as u64);
        "v_add_max_u32" => u3(|a, b, c| a.wrapping_add(b).max(c));
        "v_add_min_u32" => u3(|a, b, c| a.wrapping_add(b).min(c));
        "v_add_max_i32" => u3(|a, b, c| (a.wrapping_add(b) as i32).max(c as i32) as u32);
        "v_add_min_i32" => u3(|a, b, c| (a.wrapping_add(b) as i32).min(c as i32) as u32);
        "v_pack_b32_f16" => s2_to_u(|a, b| u32::from(a) | u32::from(b) << 16);
        "v_max_u32" => u2(u32::max);
        "v_min_u32" => u2(u32::min);
        "v_max_i32" => u2(|a, b| (a as i32).max(b as i32) as u32);
        "v_min_i32" => u2(|a, b| (a as i32).min(b as i32) as u32);
        "v_max3_u32" => u3(|a, b, c| a.max(b).max(c));
        "v_min3_u32" => u3(|a, b, c| a.min(b).min(c));
        "v_max3_i32" => u3(|a, b, c| (a as i32).max(b as i32).max(c as i32) as u32);
        "v_min3_i32" => u3(|a, b, c| (a as i32).min(b as i32).min(c as i32) as u32);
        "v_med3_u32" => u3(|a, b, c| a.max(b).min(a.min(b).max(c)));
        "v_med3_i32" => u3(|a, b, c| { let (a, b, c) = (a as i32, b as i32, c as i32); a.max(b).min(a.min(b).max(c)) as u32 });
        "v_maxmin_u32" => u3(|a, b, c| a.max(b).min(c));
        "v_minmax_u32" => u3(|a, b, c| a.min(b).max(c));
        "v_maxmin_i32" => u3(|a, b, c| (a as i32).max(b as i32).min(c as i32) as u32);
        "v_minmax_i32" => u3(|a, b, c| (a as i32).min(b as i32).max(c as i32) as u32);
        "v_mul_lo_u32" => u2(u32::wrapping_mul);
        "v_mul_hi_u32" => u2(|a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32);
        "v_mul_hi_i32" => u2(|a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32);
        "v_mul_u32_u24" => u2(|a, b| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff));
        "v_mul_hi_u32_u24" => u2(|a, b| ((u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)) >> 32) as u32);
        "v_mul_i32_i24" => u2(|a, b| s24(a).wrapping_mul(s24(b)) as u32);
        "v_mul_hi_i32_i24" => u2(|a, b| ((i64::from(s24(a)) * i64::from(s24(b))) >> 32) as u32);
        "v_mad_u32_u24" => u3(|a, b, c| (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff).wrapping_add(c));
        "v_mad_i32_i24" => u3(|a, b, c| s24(a).wrapping_mul(s24(b)).wrapping_add(c as i32) as u32);
        "v_mad_u32" => u3(|a, b, c| a.wrapping_mul(b).wrapping_add(c));
        "v_add3_u32" => u3(|a, b, c| a.wrapping_add(b).wrapping_add(c));
        "v_and_or_b32" => u3(|a, b, c| a & b | c);
        "v_or3_b32" => u3(|a, b, c| a | b | c);
        "v_xor3_b32" => u3(|a, b, c| a ^ b ^ c);
        "v_xad_u32" => u3(|a, b, c| (a ^ b).wrapping_add(c));
        "v_bfe_u32" => u3(bfe_u);
        "v_bfe_i32" => u3(bfe_i);
        "v_bfi_b32" => u3(|a, b, c| a & b | !a & c);
        "v_bfm_b32" => u2(|a, b| (1u32 << (a & 31)).wrapping_sub(1) << (b & 31));
        "v_bcnt_u32_b32" => u2(|a, b| a.count_ones().wrapping_add(b));
        "v_alignbit_b32" => u3(|a, b, c| ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32);
        "v_alignbyte_b32" => u3(|a, b, c| ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32);
        "v_perm_b32" => u3(perm);
        "v_sad_u32" => u3(|a, b, c| a.abs_diff(b).wrapping_add(c));
        "v_sad_u8" => u3(|a, b, c| sad_bytes(a, b).wrapping_add(c));
        "v_sad_hi_u8" => u3(|a, b, c| (sad_bytes(a, b) << 16).wrapping_add(c));
        "v_sad_u16" => u3(|a, b, c| sad_shorts(a, b).wrapping_add(c));
        "v_msad_u8" => u3(|a, b, c| masked_sad(a, b).wrapping_add(c));
        "v_qsad_pk_u16_u8" => quq_to_q(|a, b, c| four_sads(a, b, c, sad_bytes));
        "v_mqsad_pk_u16_u8" => quq_to_q(|a, b, c| four_sads(a, b, c, masked_sad));
        "v_lerp_u8" => u3(lerp);
        "v_sat_pk4_i4_i8" => u1_to_s(|a| saturate4(a, |b| (b as i8).clamp(-8, 7) as u8));
        "v_sat_pk4_u4_u8" => u1_to_s(|a| saturate4(a, |b| b.min(15)));
        "v_add_nc_u64" => q2(u64::wrapping_add);
        "v_sub_nc_u64" => q2(u64::wrapping_sub);
        "v_mul_u64" => q2(u64::wrapping_mul);
        "v_lshl_add_u64" => quq_to_q(|a, b, c| (a << (b & 7)).wrapping_add(c));
        "v_mad_u32_u16" => ssu_to_u(|a, b, c| (u32::from(a) * u32::from(b)).wrapping_add(c));
        "v_mad_i32_i16" => ssu_to_u(|a, b, c| (i32::from(a as i16) * i32::from(b as i16)).wrapping_add(c as i32) as u32);
        "v_accvgpr_read_b32" | "v_accvgpr_write_b32" | "v_accvgpr_mov_b32" => u1(|a| a);
        "v_ashr_pk_i8_i32" => u3(|a, b, c| pack_ashr(a, b, c, -128, 127));
        "v_ashr_pk_u8_i32" => u3(|a, b, c| pack_ashr(a, b, c, 0, 255));
        "v_prng_b32" => u1(|a| a << 1 ^ if a >> 31 == 1 { 197 } else { 0 });
    }
}

/// The forms that `clamp` makes of operations that would wrap.
pub(super) fn saturating(name: &str) -> Option<Lanewise> {
    lanewise! { name;
        "v_add_u32" | "v_add_nc_u32" => u2(u32::saturating_add);
        "v_sub_u32" | "v_sub_nc_u32" => u2(u32::saturating_sub);
        "v_subrev_u32" | "v_subrev_nc_u32" => u2(|a, b| b.saturating_sub(a));
        "v_add_i32" | "v_add_nc_i32" => u2(|a, b| (a as i32).saturating_add(b as i32) as u32);
        "v_sub_i32" | "v_sub_nc_i32" => u2(|a, b| (a as i32).saturating_sub(b as i32) as u32);
        "v_add_u16" | "v_add_nc_u16" => s2(u16::saturating_add);
        "v_sub_u16" | "v_sub_nc_u16" => s2(u16::saturating_sub);
        "v_subrev_u16" => s2(|a, b| b.saturating_sub(a));
        "v_add_i16" | "v_add_nc_i16" => s2(|a, b| (a as i16).saturating_add(b as i16) as u16);
        "v_sub_i16" | "v_sub_nc_i16" => s2(|a, b| (a as i16).saturating_sub(b as i16) as u16);
        "v_mul_lo_u16" => s2(u16::saturating_mul);
        "v_mad_u16" | "v_mad_legacy_u16" => s3(mad_u16);
        "v_mad_i16" | "v_mad_legacy_i16" => s3(mad_i16);
        "v_mul_u32_u24" => u2(|a, b| (a & 0xff_ffff).saturating_mul(b & 0xff_ffff));
        "v_mul_i32_i24" => u2(|a, b| s24(a).saturating_mul(s24(b)) as u32);
        "v_mad_u32_u24" => u3(|a, b, c| limit_u(u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff) + u64::from(c)));
        "v_mad_i32_i24" => u3(|a, b, c| limit_i(i64::from(s24(a)) * i64::from(s24(b)) + i64::from(c as i32)));
        "v_mad_u32_u16" => ssu_to_u(|a, b, c| limit_u(u64::from(a) * u64::from(b) + u64::from(c)));
        "v_mad_i32_i16" => ssu_to_u(|a, b, c| limit_i(i64::from(a as i16) * i64::from(b as i16) + i64::from(c as i32)));
        "v_sad_u32" => u3(|a, b, c| a.abs_diff(b).saturating_add(c));
        "v_sad_u8" => u3(|a, b, c| sad_bytes(a, b).saturating_add(c));
        "v_sad_hi_u8" => u3(|a, b, c| (sad_bytes(a, b) << 16).saturating_add(c));
        "v_sad_u16" => u3(|a, b, c| sad_shorts(a, b).saturating_add(c));
        "v_msad_u8" => u3(|a, b, c| masked_sad(a, b).saturating_add(c));
        "v_add_max_u32" => u3(|a, b, c| a.saturating_add(b).max(c));
        "v_add_min_u32" => u3(|a, b, c| a.saturating_add(b).min(c));
        "v_add_max_i32" => u3(|a, b, c| (a as i32).saturating_add(b as i32).max(c as i32) as u32);
        "v_add_min_i32" => u3(|a, b, c| (a as i32).saturating_add(b as i32).min(c as i32) as u32);
        "v_add_nc_u64" => q2(u64::saturating_add);
        "v_sub_nc_u64" => q2(u64::saturating_sub);
    }
}

/// Operations of [`special`] that saturate themselves.
pub(super) fn clamps(name: &str) -> bool {
    ["v_mad_u64", "v_mad_i64", "v_mad_nc_", "v_mad_co_", "v_add_co_", "v_sub_co_", "v_subrev_co_"]
        .iter()
        .chain(&["v_addc_co_", "v_subb_co_", "v_subbrev_co_"])
        .any(|start| name.starts_with(start))
}

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_nop" | "v_clrexcp" => nothing();
        "v_mad_u64_u32" | "v_mad_nc_u64_u32" | "v_mad_co_u64_u32" => mad64(false);
        "v_mad_i64_i32" | "v_mad_nc_i64_i32" | "v_mad_co_i64_i32" => mad64(true);
        "v_add_co_u32" => carry((Carry::Add, false));
        "v_sub_co_u32" => carry((Carry::Sub, false));
        "v_subrev_co_u32" => carry((Carry::SubRev, false));
        "v_addc_co_u32" | "v_add_co_ci_u32" => carry((Carry::Add, true));
        "v_subb_co_u32" | "v_sub_co_ci_u32" => carry((Carry::Sub, true));
        "v_subbrev_co_u32" | "v_subrev_co_ci_u32" => carry((Carry::SubRev, true));
        "v_swap_b32" => swap();
        "v_swap_b16" => swap_halves();
    }
}

fn nothing<const L: usize>(_: &mut Wave<L>, _: &Op<L>) {}

fn leading_sign(a: u32) -> u32 {
    let same = (a ^ (a as i32 >> 31) as u32).leading_zeros();
    if a == 0 || a == u32::MAX { u32::MAX } else { same }
}

fn s24(a: u32) -> i32 {
    (a << 8) as i32 >> 8
}

pub(super) fn limit_u(sum: u64) -> u32 {
    sum.min(u64::from(u32::MAX)) as u32
}

pub(super) fn limit_i(sum: i64) -> u32 {
    sum.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32 as u32
}

pub(super) fn mad_u16(a: u16, b: u16, c: u16) -> u16 {
    (u32::from(a) * u32::from(b)).saturating_add(u32::from(c)).min(0xffff) as u16
}

pub(super) fn mad_i16(a: u16, b: u16, c: u16) -> u16 {
    let sum = i64::from(a as i16) * i64::from(b as i16) + i64::from(c as i16);
    sum.clamp(-0x8000, 0x7fff) as i16 as u16
}

fn sad_bytes(a: u32, b: u32) -> u32 {
    (0..4).map(|i| (a >> (8 * i) & 255).abs_diff(b >> (8 * i) & 255)).sum()
}

fn sad_shorts(a: u32, b: u32) -> u32 {
    (a & 0xffff).abs_diff(b & 0xffff) + (a >> 16).abs_diff(b >> 16)
}

/// Bytes of the reference, source 1, that are zero do not count. manual: CDNA3 ISA, V_MSAD_U8.
pub(super) fn masked_sad(a: u32, b: u32) -> u32 {
    let byte = |v: u32, i: u32| v >> (8 * i) & 255;
    (0..4).filter(|&i| byte(b, i) != 0).map(|i| byte(a, i).abs_diff(byte(b, i))).sum()
}

/// Four sums at successive bytes of source 0, each added to 16 bits of source 2. manual: CDNA3 ISA, V_QSAD_PK_U16_U8.
fn four_sads(a: u64, b: u32, c: u64, sad: impl Fn(u32, u32) -> u32) -> u64 {
    (0..4).fold(0, |out, i| {
        let sum = sad((a >> (8 * i)) as u32, b) as u16;
        out | u64::from(sum.wrapping_add((c >> (16 * i)) as u16)) << (16 * i)
    })
}

/// Averages of bytes, rounded up where the byte of source 2 is odd. manual: CDNA3 ISA, V_LERP_U8.
fn lerp(a: u32, b: u32, c: u32) -> u32 {
    (0..4).fold(0, |out, i| {
        let byte = |v: u32| v >> (8 * i) & 255;
        out | (byte(a) + byte(b) + (byte(c) & 1)) >> 1 << (8 * i)
    })
}

fn saturate4(a: u32, one: impl Fn(u8) -> u8) -> u16 {
    (0..4).fold(0, |out, i| out | u16::from(one((a >> (8 * i)) as u8) & 15) << (4 * i))
}

fn bfe_u(a: u32, offset: u32, width: u32) -> u32 {
    let (offset, width) = (offset & 31, width & 31);
    a >> offset & (1u32 << width).wrapping_sub(1)
}

fn bfe_i(a: u32, offset: u32, width: u32) -> u32 {
    let (offset, width) = (offset & 31, width & 31);
    if width == 0 {
        return 0;
    }
    // Past the top bit the sign goes on: the source is shifted arithmetically. inferred: LLVM folds sbfe so.
    (((a as i32) >> offset) << (32 - width) >> (32 - width)) as u32
}

/// Bytes 0 to 3 select from source 1, 4 to 7 from source 0, 8 to 11 a sign, 12 zero, above 0xff.
/// manual: CDNA3 ISA, V_PERM_B32.
fn perm(a: u32, b: u32, c: u32) -> u32 {
    let all = u64::from(a) << 32 | u64::from(b);
    let byte = |sel: u32| -> u32 {
        match sel {
            0..=7 => (all >> (8 * sel)) as u32 & 255,
            8..=11 => {
                if all >> (16 * (sel - 8) + 15) & 1 == 1 {
                    255
                } else {
                    0
                }
            }
            12 => 0,
            _ => 255,
        }
    };
    (0..4).fold(0, |v, i| v | byte(c >> (8 * i) & 255) << (8 * i))
}

fn pack_ashr(a: u32, b: u32, c: u32, low: i32, high: i32) -> u32 {
    let one = |v: u32| ((v as i32 >> (c & 31)).clamp(low, high) & 255) as u32;
    one(a) | one(b) << 8
}

fn mad64<const L: usize>(w: &mut Wave<L>, op: &Op<L>, signed: bool) {
    let (a, b, c) = (raw(w, op, 0), raw(w, op, 1), wide(w, op, 2));
    let mut carry = 0u64;
    let value = std::array::from_fn(|l| {
        let product = if signed {
            i64::from(a[l] as i32).wrapping_mul(i64::from(b[l] as i32)) as u64
        } else {
            u64::from(a[l]) * u64::from(b[l])
        };
        let (sum, over) = product.overflowing_add(c[l]);
        carry |= u64::from(over) << l;
        match (op.clamp, signed) {
            (false, _) => sum,
            (true, false) => product.saturating_add(c[l]),
            (true, true) => (product as i64).saturating_add(c[l] as i64) as u64,
        }
    });
    put_wide(w, op, &value);
    if op.sdst != 255 {
        let mask = carry & w.exec;
        w.write_mask(usize::from(op.sdst), mask);
    }
}

#[derive(Clone, Copy)]
enum Carry {
    Add,
    Sub,
    SubRev,
}

fn carry<const L: usize>(w: &mut Wave<L>, op: &Op<L>, (kind, takes): (Carry, bool)) {
    let (a, b) = (raw(w, op, 0), raw(w, op, 1));
    let incoming = match (takes, op.src[2].kind) {
        (false, _) => 0,
        (true, crate::op::SrcKind::S(n)) => w.read_mask(usize::from(n)),
        (true, _) => w.vcc(),
    };
    let mut out = 0u64;
    let value = std::array::from_fn(|l| {
        let c = incoming >> l & 1 == 1;
        let (value, over) = match kind {
            Carry::Add => a[l].carrying(b[l], c),
            Carry::Sub => a[l].borrowing(b[l], c),
            Carry::SubRev => b[l].borrowing(a[l], c),
        };
        out |= u64::from(over) << l;
        match (op.clamp && over, kind) {
            (false, _) => value,
            (true, Carry::Add) => u32::MAX,
            (true, Carry::Sub | Carry::SubRev) => 0,
        }
    });
    put(w, op, &value);
    let mask = out & w.exec;
    let to = if op.sdst == 255 { crate::wave::VCC } else { usize::from(op.sdst) };
    w.write_mask(to, mask);
}

trait Carrying: Sized {
    fn carrying(self, b: Self, c: bool) -> (Self, bool);
    fn borrowing(self, b: Self, c: bool) -> (Self, bool);
}

impl Carrying for u32 {
    fn carrying(self, b: u32, c: bool) -> (u32, bool) {
        let sum = u64::from(self) + u64::from(b) + u64::from(c);
        (sum as u32, sum >> 32 != 0)
    }

    fn borrowing(self, b: u32, c: bool) -> (u32, bool) {
        let take = u64::from(b) + u64::from(c);
        (self.wrapping_sub(take as u32), take > u64::from(self))
    }
}

/// Any function of three bits: bit `a << 2 | b << 1 | c` of the table. inferred: llvm, v_bitop3.
fn truth([a, b, c]: [&Row; 3], table: u32, out: &mut Row) {
    *out = [0; 32];
    for term in (0..8u32).filter(|term| table >> term & 1 == 1) {
        // Flips what the term wants to be zero.
        let [x, y, z] = [2, 1, 0].map(|bit| (term >> bit & 1).wrapping_sub(1));
        for l in 0..32 {
            out[l] |= (a[l] ^ x) & (b[l] ^ y) & (c[l] ^ z);
        }
    }
}

/// Two sources: the table is that of `v_bitop3` with source 2 zero. inferred: bitop3:0x14 is an exclusive or.
fn truth_of_two([a, b, _]: [&Row; 3], table: u32, out: &mut Row) {
    truth([a, b, &[0; 32]], table, out);
}

fn swap<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let crate::op::SrcKind::V(n) = op.src[0].kind else { return w.misled(op) };
    let (a, b) = (raw(w, op, 0), accumulator(w, op));
    w.write(op.vdst, 0, &a);
    w.write(crate::op::Reg { n, slot: op.src[0].slot, width: 1, high: false, is: true }, 0, &b);
}

fn swap_halves<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let crate::op::SrcKind::V(n) = op.src[0].kind else { return w.misled(op) };
    let to = crate::op::Reg { n, slot: op.src[0].slot, width: 1, high: op.src[0].high, is: true };
    let half = |v: u32, high: bool| if high { (v >> 16) as u16 } else { v as u16 };
    let (theirs, ours) = (raw(w, op, 0), accumulator(w, op));
    let into = |w: &mut Wave<L>, reg: crate::op::Reg, from: [u32; L], high: bool| {
        let old = w.v[w.reg(reg)];
        w.write(reg, 0, &std::array::from_fn(|l| merge_half(old[l], half(from[l], high), reg.high)));
    };
    into(w, op.vdst, theirs, to.high);
    into(w, to, ours, op.vdst.high);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_permutes_and_truth_tables() {
        assert_eq!(perm(0x0706_0504, 0x0302_0100, 0x0c05_0d01), 0x0005_ff01);
        let mut out = [0; 32];
        truth([&[0b1100; 32], &[0b1010; 32], &[0b0110; 32]], 0x36, &mut out);
        assert_eq!(out, [0b1010 ^ (0b1100 | 0b0110); 32]);
        truth_of_two([&[0b1100; 32], &[0b1010; 32], &[0; 32]], 0x14, &mut out);
        assert_eq!(out[0] & 15, 0b0110);
        assert_eq!(bfe_i(0x0000_0f00, 8, 4), u32::MAX);
        assert_eq!(7u32.borrowing(7, true), (u32::MAX, true));
    }
}
