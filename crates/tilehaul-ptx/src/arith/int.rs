//! Integers and bits.

#[inline(always)]
pub(crate) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Sign-extends the low `bits` bits.
#[inline(always)]
pub(crate) fn sext(a: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    (a << shift).cast_signed() >> shift
}

/// manual: PTX `shl`/`shr`: amounts are clamped to the width, not taken modulo.
#[inline(always)]
pub(crate) fn shl<const B: u32>(a: u64, n: u64) -> u64 {
    let n = n as u32;
    if n >= B { 0 } else { a << n & mask(B) }
}

#[inline(always)]
pub(crate) fn shr_u<const B: u32>(a: u64, n: u64) -> u64 {
    let n = n as u32;
    if n >= B { 0 } else { (a & mask(B)) >> n }
}

#[inline(always)]
pub(crate) fn shr_s<const B: u32>(a: u64, n: u64) -> u64 {
    let n = (n as u32).min(B - 1);
    (sext(a, B) >> n).cast_unsigned() & mask(B)
}

/// Position and length operands of a bit field. The 32-bit forms look at 8 bits of each; hardware: generated programs on an
/// H200: the 64-bit forms are made of shifts and look at all 32, clamping.
#[inline(always)]
fn field<const B: u32>(pos: u64, len: u64) -> (u32, u32) {
    if B == 64 {
        ((pos as u32).min(255), (len as u32).min(255))
    } else {
        ((pos & 0xff) as u32, (len & 0xff) as u32)
    }
}

/// manual: PTX `bfe`: fields past the register read the sign bit (signed) or zero.
pub(crate) fn bfe<const B: u32, const S: bool>(a: u64, b: u64, c: u64) -> u64 {
    let (pos, len) = field::<B>(b, c);
    let a = a & mask(B);
    let sign = if !S || len == 0 { 0 } else { a >> (pos + len - 1).min(B - 1) & 1 };
    let inside = len.min(B.saturating_sub(pos));
    let field = if pos >= B { 0 } else { a >> pos & mask(inside) };
    // Bits above the field, and above what the register holds of it, copy the sign.
    let filled = if sign == 1 { field | !mask(inside) } else { field };
    filled & mask(B)
}

pub(crate) fn bfi<const B: u32>(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let (pos, len) = field::<B>(c, d);
    if pos >= B || len == 0 {
        return b & mask(B);
    }
    let field = mask(len.min(B - pos)) << pos;
    (b & !field | a << pos & field) & mask(B)
}

pub(crate) fn bfind<const B: u32, const S: bool, const SHIFT: bool>(a: u64) -> u64 {
    let a = a & mask(B);
    let a = if S && a >> (B - 1) == 1 { !a & mask(B) } else { a };
    if a == 0 {
        return 0xffff_ffff;
    }
    let top = u64::from(63 - a.leading_zeros());
    if SHIFT { u64::from(B) - 1 - top } else { top }
}

/// manual: PTX `fns`: the n-th set bit from `base`, upward for positive offsets, downward for negative ones.
pub(crate) fn fns(mask: u64, base: u64, offset: u64) -> u64 {
    let (mask, base, offset) = (mask as u32, base as u32, offset as u32 as i32);
    if base > 31 {
        return 0xffff_ffff;
    }
    if offset == 0 {
        return if mask >> base & 1 == 1 { u64::from(base) } else { 0xffff_ffff };
    }
    let mut left = offset.unsigned_abs();
    let step = offset.signum();
    let mut at = base as i32;
    while (0..32).contains(&at) {
        if mask >> at & 1 == 1 {
            left -= 1;
            if left == 0 {
                return u64::from(at.cast_unsigned());
            }
        }
        at += step;
    }
    0xffff_ffff
}

#[inline(always)]
pub(crate) fn lop3(a: u64, b: u64, c: u64, table: u64) -> u64 {
    let mut out = 0u64;
    for (i, term) in
        [!a & !b & !c, !a & !b & c, !a & b & !c, !a & b & c, a & !b & !c, a & !b & c, a & b & !c, a & b & c]
            .into_iter()
            .enumerate()
    {
        out |= if table >> i & 1 == 1 { term } else { 0 };
    }
    out & 0xffff_ffff
}

#[inline(always)]
pub(crate) fn prmt(a: u64, b: u64, c: u64) -> u64 {
    let bytes = (a & 0xffff_ffff) | b << 32;
    (0..4).fold(0, |out, i| out | prmt_byte(bytes, (c >> (4 * i)) & 0xf) << (8 * i))
}

fn prmt_byte(bytes: u64, selector: u64) -> u64 {
    let byte = bytes >> (8 * (selector & 7)) & 0xff;
    if selector & 8 == 0 {
        byte
    } else if byte & 0x80 == 0 {
        0
    } else {
        0xff
    }
}

/// The patterns of `prmt.b32.f4e` and its like: which byte of eight each result byte is. manual: PTX `prmt` table.
pub(crate) fn prmt_pattern(pattern: &str, c: u64) -> u64 {
    let n = c & 3;
    let at = |bytes: [u64; 4]| bytes.iter().enumerate().fold(0, |s, (i, &b)| s | b << (4 * i));
    match pattern {
        "f4e" => at([n, n + 1, n + 2, n + 3]),
        "b4e" => at([n, (n + 7) & 7, (n + 6) & 7, (n + 5) & 7]),
        "rc8" => at([n; 4]),
        "ecl" => at([n, 1.max(n), 2.max(n), 3]),
        "ecr" => at([0, 1.min(n), 2.min(n), n]),
        _ => at([2 * (n & 1), 2 * (n & 1) + 1, 2 * (n & 1), 2 * (n & 1) + 1]),
    }
}

/// `shf`: a 64-bit value of two words, shifted. `a` is the low word.
pub(crate) fn shf<const LEFT: bool, const CLAMP: bool>(a: u64, b: u64, c: u64) -> u64 {
    let n = if CLAMP { (c as u32).min(32) } else { c as u32 & 31 };
    let pair = (a & 0xffff_ffff) | b << 32;
    let out = if LEFT { if n == 32 { pair & 0xffff_ffff } else { (pair << n) >> 32 } } else { pair >> n };
    out & 0xffff_ffff
}

pub(crate) fn dp4a<const SA: bool, const SB: bool>(a: u64, b: u64, c: u64) -> u64 {
    let sum = (0..4).fold(sext(c, 32), |sum, i| {
        let x = byte::<SA>(a >> (8 * i));
        let y = byte::<SB>(b >> (8 * i));
        sum + x * y
    });
    sum.cast_unsigned() & 0xffff_ffff
}

pub(crate) fn dp2a<const SA: bool, const SB: bool, const HIGH: bool>(a: u64, b: u64, c: u64) -> u64 {
    let sum = (0..2).fold(sext(c, 32), |sum, i| {
        let x = if SA { sext(a >> (16 * i), 16) } else { (a >> (16 * i) & 0xffff).cast_signed() };
        let y = byte::<SB>(b >> (8 * i + if HIGH { 16 } else { 0 }));
        sum + x * y
    });
    sum.cast_unsigned() & 0xffff_ffff
}

#[inline(always)]
fn byte<const S: bool>(a: u64) -> i64 {
    if S { sext(a, 8) } else { (a & 0xff).cast_signed() }
}

/// The high half of a product.
#[inline(always)]
pub(crate) fn mul_hi<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    if S {
        ((i128::from(sext(a, B)) * i128::from(sext(b, B))) >> B) as u64 & mask(B)
    } else {
        ((u128::from(a & mask(B)) * u128::from(b & mask(B))) >> B) as u64 & mask(B)
    }
}

/// The whole product of two `B`-bit numbers.
#[inline(always)]
pub(crate) fn mul_wide<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    let product = if S {
        sext(a, B).wrapping_mul(sext(b, B)).cast_unsigned()
    } else {
        (a & mask(B)).wrapping_mul(b & mask(B))
    };
    product & mask(2 * B)
}

/// manual: PTX leaves division by zero unspecified; hardware gives all ones, and the dividend as remainder (inferred from
/// the code that ptxas emits).
#[inline(always)]
pub(crate) fn div<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    if S {
        let (x, y) = (sext(a, B), sext(b, B));
        if y == 0 { mask(B) } else { x.wrapping_div(y).cast_unsigned() & mask(B) }
    } else {
        let (x, y) = (a & mask(B), b & mask(B));
        x.checked_div(y).unwrap_or(mask(B))
    }
}

#[inline(always)]
pub(crate) fn rem<const B: u32, const S: bool>(a: u64, b: u64) -> u64 {
    if S {
        let (x, y) = (sext(a, B), sext(b, B));
        if y == 0 { a & mask(B) } else { x.wrapping_rem(y).cast_unsigned() & mask(B) }
    } else {
        let (x, y) = (a & mask(B), b & mask(B));
        x.checked_rem(y).unwrap_or(x)
    }
}

#[inline(always)]
pub(crate) fn sat32(x: i64) -> u64 {
    x.clamp(i64::from(i32::MIN), i64::from(i32::MAX)).cast_unsigned() & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        assert_eq!(bfe::<32, false>(0xabcd_1234, 8, 8), 0x12);
        assert_eq!(bfe::<32, true>(0xabcd_9234, 8, 8), 0xffff_ff92);
        assert_eq!(bfe::<32, true>(0x8000_0000, 30, 8), 0xffff_fffe);
        assert_eq!(bfe::<32, true>(0x8000_0000, 40, 8), 0xffff_ffff);
        assert_eq!(bfe::<32, false>(0xffff_ffff, 0, 0), 0);
        assert_eq!(bfe::<32, true>(0xffff_ffff, 0, 0), 0);
        assert_eq!(bfe::<64, false>(u64::MAX, 0, 64), u64::MAX);
        assert_eq!(bfi::<32>(0xff, 0, 4, 4), 0xf0);
        assert_eq!(bfi::<32>(0xff, 0x1234, 28, 8), 0xf000_1234);
        assert_eq!(bfi::<32>(0xff, 0x1234, 32, 8), 0x1234);
    }

    #[test]
    fn shifts_clamp() {
        assert_eq!(shl::<32>(1, 32), 0);
        assert_eq!(shr_s::<32>(0x8000_0000, 99), 0xffff_ffff);
        assert_eq!(shf::<true, false>(0x8000_0000, 1, 1), 3);
        assert_eq!(shf::<false, false>(0x8000_0000, 1, 1), 0xc000_0000);
        assert_eq!(shf::<false, true>(5, 7, 40), 7);
        assert_eq!(shf::<true, true>(5, 7, 40), 5);
    }

    #[test]
    fn bit_games() {
        assert_eq!(lop3(0b1100, 0b1010, 0b0110, 0x96), 0b1100 ^ 0b1010 ^ 0b0110);
        assert_eq!(lop3(5, 6, 7, 0xf0), 5);
        assert_eq!(prmt(0x0403_0201, 0x8807_0605, 0x7654), 0x8807_0605);
        assert_eq!(prmt(0x0403_0201, 0x8807_0605, 0xf000), 0xff01_0101);
        assert_eq!(prmt(0x0403_0201, 0x0807_0605, prmt_pattern("f4e", 1)), 0x0504_0302);
        assert_eq!(bfind::<32, false, false>(0), 0xffff_ffff);
        assert_eq!(bfind::<32, true, false>(0xffff_fffe), 0);
        assert_eq!(bfind::<32, false, true>(1), 31);
        assert_eq!(fns(0b1010_1000, 3, 2), 5);
        assert_eq!(fns(0b1010_1000, 5, -1_i32 as u32 as u64), 5);
        assert_eq!(
            dp4a::<true, false>(0xff01_0101, 0x0201_0101, 10),
            (10i64 + 1 + 1 + 1 - 2).cast_unsigned()
        );
        assert_eq!(mul_hi::<32, true>(0xffff_ffff, 2), 0xffff_ffff);
        assert_eq!(mul_wide::<32, true>(0xffff_ffff, 2), (-2i64).cast_unsigned());
        assert_eq!(div::<32, true>(0x8000_0000, 0xffff_ffff), 0x8000_0000);
        assert_eq!(rem::<32, true>((-7i64).cast_unsigned() & 0xffff_ffff, 3), 0xffff_ffff);
    }
}
