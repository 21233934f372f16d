//! Operations with results of several registers: tables looked up by sixteen indices, four sums of absolute differences.

use super::int::masked_sad;
use super::specials;
use crate::op::{Action, Op, Src};
use crate::wave::Wave;

pub(super) fn special<const L: usize>(name: &str) -> Option<Action<L>> {
    specials! { name;
        "v_perm_pk16_b4_u4" => look_up([4, 1, 1]);
        "v_perm_pk16_b6_u4" => look_up([6, 1, 2]);
        "v_perm_pk16_b8_u4" => look_up([8, 2, 2]);
        "v_mqsad_u32_u8" => four_sums();
    }
}

/// Dwords of a source, lowest first.
fn dwords<const L: usize>(w: &Wave<L>, src: &Src, count: usize) -> Vec<[u32; L]> {
    (0..count as u16).map(|i| w.lanes(src, i)).collect()
}

/// Sixteen elements of `bits` bits: each takes the entry of the table (source 0 above source 1) that its four bits of
/// source 2 name. manual: CDNA5 ISA, V_PERM_PK16_B4_U4.
fn look_up<const L: usize>(w: &mut Wave<L>, op: &Op<L>, [bits, upper, lower]: [usize; 3]) {
    let mut table = dwords(w, &op.src[1], lower);
    table.extend(dwords(w, &op.src[0], upper));
    let indices = dwords(w, &op.src[2], 2);
    let mut out = vec![[0u32; L]; bits / 2];
    for l in 0..L {
        let whole = table.iter().rev().fold(0u128, |v, row| v << 32 | u128::from(row[l]));
        let mut result = 0u128;
        for e in 0..16 {
            let index = indices[e / 8][l] >> (4 * (e % 8)) & 15;
            let entry = whole >> (index as usize * bits) & ((1 << bits) - 1);
            result |= entry << (e * bits);
        }
        for (i, row) in out.iter_mut().enumerate() {
            row[l] = (result >> (32 * i)) as u32;
        }
    }
    for (i, row) in out.iter().enumerate() {
        w.write(op.vdst, i as u16, row);
    }
}

/// Masked sums at four successive bytes of source 0, each added to a dword of source 2. manual: CDNA3 ISA, V_MQSAD_U32_U8.
fn four_sums<const L: usize>(w: &mut Wave<L>, op: &Op<L>) {
    let (a, b, c) = (dwords(w, &op.src[0], 2), w.lanes(&op.src[1], 0), dwords(w, &op.src[2], 4));
    let sum = |i: usize, l: usize| {
        let bytes = (u64::from(a[0][l]) | u64::from(a[1][l]) << 32) >> (8 * i);
        let sum = masked_sad(bytes as u32, b[l]);
        if op.clamp { sum.saturating_add(c[i][l]) } else { sum.wrapping_add(c[i][l]) }
    };
    for i in 0..4 {
        w.write(op.vdst, i as u16, &std::array::from_fn(|l| sum(i, l)));
    }
}

#[cfg(test)]
mod tests {
    use tilehaul_isa::gcn::Target;

    use crate::testing::{Numbers, run, wave};

    #[test]
    fn a_table_is_source_0_above_source_1() {
        let mut numbers = Numbers(1);
        for (text, bits) in [
            ("v_perm_pk16_b4_u4 v[20:21], v1, v0, v[8:9]", 4),
            ("v_perm_pk16_b6_u4 v[20:22], v2, v[0:1], v[8:9]", 6),
            ("v_perm_pk16_b8_u4 v[20:23], v[2:3], v[0:1], v[8:9]", 8),
        ] {
            let mut w = wave::<32>();
            for row in &mut w.v[..10] {
                row.iter_mut().for_each(|x| *x = numbers.next() << 8 ^ numbers.next());
            }
            let bit = |row: &[[u32; 32]], at: usize, l: usize| row[at / 32][l] >> (at % 32) & 1;
            let before = w.v.to_vec();
            run(Target::Gfx1250, text, &mut w);
            for l in 0..32 {
                for e in 0..16 {
                    let index = (before[8 + e / 8][l] >> (4 * (e % 8)) & 15) as usize;
                    for i in 0..bits {
                        let (got, want) =
                            (bit(&w.v[20..], e * bits + i, l), bit(&before, index * bits + i, l));
                        assert_eq!(got, want, "{text} lane {l} element {e} bit {i}");
                    }
                }
            }
        }
    }

    #[test]
    fn sums_slide_by_a_byte() {
        let mut w = wave::<64>();
        (w.v[2], w.v[3], w.v[4]) = ([0x0403_0201; 64], [0x0807_0605; 64], [0x0a00_0a0a; 64]);
        (w.v[8], w.v[9], w.v[10], w.v[11]) = ([100; 64], [200; 64], [300; 64], [u32::MAX; 64]);
        run(Target::Gfx942, "v_mqsad_u32_u8 v[20:23], v[2:3], v4, v[8:11]", &mut w);
        let want: Vec<u32> = [100u32, 200, 300, u32::MAX]
            .into_iter()
            .zip(1u32..)
            // Byte 2 of the reference is 0 and does not count.
            .map(|(c, first)| c.wrapping_add((10 - first) + (10 - first - 1) + (10 - first - 3)))
            .collect();
        assert_eq!((20..24).map(|n| w.v[n][5]).collect::<Vec<_>>(), want);
    }
}
