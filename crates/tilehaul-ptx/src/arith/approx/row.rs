//! `ex2`, `rcp` and division over a whole row of lanes, for arguments that need no care.
//!
//! Results are those of the functions of one lane. Taking a number apart and squaring become vector code here, and only the
//! look-up of coefficients is done lane by lane. A row with a lane that is out of the ordinary (NaN, a subnormal divisor, a result
//! that overflows) goes through the functions of one lane.

use wide::{CmpEq, CmpGt, f32x4, i32x4};

use super::tables::{self, Slice};
use super::unit::LOW;
use crate::alu::{Lanes, Words, narrow, widen};
use crate::arith::float::{f, flush, output};

const ONE: u32 = 1 << 23;
const INFINITY: i32 = 0x7f80_0000;
/// 126: up to here neither 2^x nor 2^-x is subnormal.
const MODEST: i32 = 0x42fc_0000;
/// 2^126: reciprocals up to there are normal.
const LARGE: i32 = 0x7e80_0000;

/// `unit::square` of each: of the mixed products of upper and lower bits those count that do not fall off the end.
fn squares(at: &Words) -> [u16; 32] {
    let (mut high, mut low, mut squares) = ([0; 32], [0; 32], [0; 32]);
    halves(at, &mut high, &mut low);
    square_halves(&high, &low, &mut squares);
    squares
}

#[inline(never)]
fn halves(at: &Words, high: &mut [u16; 32], low: &mut [u16; 32]) {
    for i in 0..32 {
        (high[i], low[i]) = ((at[i] >> 9 & 0xff) as u16, (at[i] & 0x1ff) as u16);
    }
}

/// On half words alone, which are eight to a vector. The largest sum is 65,519.
#[inline(never)]
fn square_halves(high: &[u16; 32], low: &[u16; 32], squares: &mut [u16; 32]) {
    for i in 0..32 {
        let (high, low) = (high[i], low[i]);
        let mut mixed = 0u16;
        for bit in 0..8 {
            let counts = ((high << (15 - bit)).cast_signed() >> 15).cast_unsigned();
            mixed = mixed.wrapping_add(low >> (9 - bit) & counts);
        }
        squares[i] = high.wrapping_mul(high).wrapping_add(mixed.wrapping_mul(2)) >> 1;
    }
}

/// `unit::parabola` of each, without its lowest bits.
#[inline(always)]
fn parabolas<const N: usize, const CUT: u32>(slices: &[Slice; N], at: &Words) -> Words {
    let mut values = [0; 32];
    for ((value, &at), square) in values.iter_mut().zip(at).zip(squares(at)) {
        let (a, b, c) = slices[(at >> LOW) as usize % N];
        let x = at & ((1 << LOW) - 1);
        *value = ((a + i64::from(b) * i64::from(x) + i64::from(c) * i64::from(square)) >> CUT) as u32;
    }
    values
}

/// What has to be added to a significand in [1, 2] to make a number of it; where the parabola is asked for that significand; and a
/// mask that is zero where the result is.
struct Asked {
    base: Words,
    at: Words,
    keep: Words,
}

impl Asked {
    fn new() -> Asked {
        Asked { base: [0; 32], at: [0; 32], keep: [0; 32] }
    }
}

/// False when a lane is out of the ordinary.
#[inline(never)]
fn ask_ex2<const FTZ: bool>(row: &Lanes, asked: &mut Asked) -> bool {
    // From here on 2^-x is zero: what is subnormal is the square of a root that the unit gives as zero.
    let vanishes = if FTZ { 0x4300_0000 } else { 0x4380_0000 };
    let all = i32x4::splat;
    let fraction = all(ONE.cast_signed() - 1);
    let mut rare = all(0);
    for (four, row) in narrow(row).as_chunks::<4>().0.iter().enumerate() {
        let bits = i32x4::new(row.map(u32::cast_signed));
        let sign: i32x4 = bits >> 31;
        let magnitude = bits & all(i32::MAX);
        let zero: i32x4 = sign & magnitude.simd_gt(all(vanishes - 1)) & !magnitude.simd_gt(all(INFINITY));
        rare |= magnitude.simd_gt(all(MODEST - 1)) & !zero;
        // Cut off behind 23 bits, then the floor of the signed number. What does not fit is rare or zero.
        let size = f32x4::new(magnitude.to_array().map(|v| f32::from_bits(v.cast_unsigned())));
        let cut: i32x4 = (size * f32x4::splat(8_388_608.0)).fast_trunc_int();
        let whole = (cut & fraction).simd_eq(all(0));
        let fixed: i32x4 = (cut ^ sign) - (sign & whole);
        let put = |row: &mut Words, value: i32x4| {
            row[4 * four..4 * four + 4].copy_from_slice(&value.to_array().map(i32::cast_unsigned));
        };
        put(&mut asked.at, fixed & fraction);
        put(&mut asked.base, (fixed & !fraction) + all((126 * ONE).cast_signed()));
        put(&mut asked.keep, !zero);
    }
    rare.none()
}

#[inline(never)]
fn ask_rcp(row: &Lanes, asked: &mut Asked) -> bool {
    let mut rare = 0;
    for (i, bits) in narrow(row).into_iter().enumerate() {
        let magnitude = (bits & 0x7fff_ffff).cast_signed();
        rare |= -i32::from(magnitude < ONE.cast_signed()) | -i32::from(magnitude >= LARGE);
        asked.at[i] = (bits & (ONE - 1)) << 1;
        asked.base[i] = (bits & 1 << 31).wrapping_add((252 * ONE).wrapping_sub(bits & 0x7f80_0000));
    }
    rare == 0
}

/// `ex2.approx.f32`.
pub(crate) fn ex2<const FTZ: bool>(d: &mut Lanes, a: &Lanes) {
    let mut asked = Asked::new();
    if !ask_ex2::<FTZ>(a, &mut asked) {
        return each1(d, a, super::ex2::<FTZ>);
    }
    let significands = parabolas::<_, 15>(&tables::EX2, &asked.at);
    let mut words = [0; 32];
    for (i, word) in words.iter_mut().enumerate() {
        *word = asked.base[i].wrapping_add(significands[i]) & asked.keep[i];
    }
    widen(&words, d);
}

/// `rcp.approx.f32`.
pub(crate) fn rcp<const FTZ: bool>(d: &mut Lanes, a: &Lanes) {
    let mut asked = Asked::new();
    if !ask_rcp(a, &mut asked) {
        return each1(d, a, super::rcp::<FTZ>);
    }
    let significands = parabolas::<_, 16>(&tables::RCP, &asked.at);
    for (i, d) in d.iter_mut().enumerate() {
        *d = u64::from(asked.base[i].wrapping_add(significands[i]));
    }
}

/// `div.approx.f32`.
pub(crate) fn div<const FTZ: bool>(d: &mut Lanes, a: &Lanes, b: &Lanes) {
    divided::<FTZ>(d, a, b, super::div::<FTZ>);
}

/// `div.full.f32`.
pub(crate) fn div_full<const FTZ: bool>(d: &mut Lanes, a: &Lanes, b: &Lanes) {
    divided::<FTZ>(d, a, b, super::div_full::<FTZ>);
}

/// The dividend times the reciprocal of the divisor, for divisors that are not scaled.
#[inline(never)]
fn divided<const FTZ: bool>(d: &mut Lanes, a: &Lanes, b: &Lanes, rare: fn(u64, u64) -> u64) {
    let mut asked = Asked::new();
    if !ask_rcp(b, &mut asked) {
        return each2(d, a, b, rare);
    }
    let significands = parabolas::<_, 16>(&tables::RCP, &asked.at);
    for (i, (d, a)) in d.iter_mut().zip(a).enumerate() {
        let reciprocal = f32::from_bits(asked.base[i].wrapping_add(significands[i]));
        let dividend = if FTZ { flush(f(*a)) } else { f(*a) };
        *d = output::<FTZ, false>(reciprocal * dividend);
    }
}

#[cold]
#[inline(never)]
fn each1(d: &mut Lanes, a: &Lanes, one: fn(u64) -> u64) {
    for (d, a) in d.iter_mut().zip(a) {
        *d = one(*a);
    }
}

#[cold]
#[inline(never)]
fn each2(d: &mut Lanes, a: &Lanes, b: &Lanes, one: fn(u64, u64) -> u64) {
    for ((d, a), b) in d.iter_mut().zip(a).zip(b) {
        *d = one(*a, *b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All exponents with some significands, seams of the tables and special values among them.
    fn numbers() -> Vec<u32> {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 9
        };
        let mut list = Vec::new();
        for upper in 0..512u32 {
            list.extend([0, 1, 0x1_ffff, 0x2_0000, ONE - 1].map(|fraction| upper << 23 | fraction));
            list.extend((0..200).map(|_| upper << 23 | random() & (ONE - 1)));
        }
        // Where functions of one lane change their ways.
        let edges = [126f32, 128.0, 149.0, 256.0, 298.0, f32::MIN_POSITIVE, 8.507_059e37];
        for edge in edges.into_iter().flat_map(|x| [x, -x]) {
            list.extend((0..9).map(|step| edge.to_bits() - 4 + step));
        }
        list
    }

    /// Rows of like numbers, which mostly are ordinary in all lanes, and rows of any.
    fn rows() -> Vec<Lanes> {
        let list = numbers();
        let mut rows = Vec::new();
        for start in 0..list.len() {
            if start % 8 == 0 {
                rows.push(std::array::from_fn(|i| u64::from(list[(start + i) % list.len()])));
                rows.push(std::array::from_fn(|i| u64::from(list[(start + i * 7_919) % list.len()])));
                rows.push([u64::from(list[start]); 32]);
            }
        }
        rows
    }

    #[test]
    fn rows_are_what_their_lanes_are() {
        let one = |f: fn(&mut Lanes, &Lanes), of_lane: fn(u64) -> u64| {
            for row in rows() {
                let mut out = [0; 32];
                f(&mut out, &row);
                assert_eq!(out, row.map(of_lane), "{row:x?}");
            }
        };
        one(ex2::<false>, super::super::ex2::<false>);
        one(ex2::<true>, super::super::ex2::<true>);
        one(rcp::<false>, super::super::rcp::<false>);
        one(rcp::<true>, super::super::rcp::<true>);
        let two = |f: fn(&mut Lanes, &Lanes, &Lanes), of_lane: fn(u64, u64) -> u64| {
            let rows = rows();
            for (i, b) in rows.iter().enumerate() {
                let a = &rows[(i * 31 + 17) % rows.len()];
                let mut out = [0; 32];
                f(&mut out, a, b);
                assert_eq!(out, std::array::from_fn(|lane| of_lane(a[lane], b[lane])), "{a:x?} / {b:x?}");
            }
        };
        two(div::<false>, super::super::div::<false>);
        two(div::<true>, super::super::div::<true>);
        two(div_full::<false>, super::super::div_full::<false>);
        two(div_full::<true>, super::super::div_full::<true>);
    }

    #[test]
    fn squares_are_the_units() {
        for first in (0..1u32 << LOW).step_by(32) {
            let at: Words = std::array::from_fn(|i| first + i as u32);
            assert_eq!(squares(&at).map(u32::from), at.map(super::super::unit::square));
        }
    }
}
