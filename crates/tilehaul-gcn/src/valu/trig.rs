//! `v_trig_preop_f64`: a piece of 2/pi, for the reduction of large angles.
//!
//! Segment `n` is the 53 bits of 2/pi from bit 53 n on, further on where the angle is so large that earlier bits only give
//! whole turns. manual: CDNA3 ISA, V_TRIG_PREOP_F64; LLVM, what InstCombine folds it to.

use super::float::ldexp;

/// The bits of 2/pi behind the binary point, first bits first.
const TWO_OVER_PI: [u32; 37] = [
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
    0xdebb_c561,
    0xb724_6e3a,
    0x424d_d2e0,
    0x0649_2eea,
    0x09d1_921c,
    0xfe1d_eb1c,
    0xb129_a73e,
    0xe882_35f5,
    0x2ebb_4484,
    0xe99c_7026,
    0xb45f_7e41,
    0x3991_d639,
    0x8353_39f4,
    0x9c84_5f8b,
    0xbdf9_283b,
    0x1ff8_97ff,
    0xde05_980f,
    0xef2f_118b,
    0x5a0a_6d1f,
    0x6d36_7ecf,
    0x27cb_09b7,
    0x4f46_3f66,
    0x9e5f_ea2d,
    0x7527_bac7,
    0xebe5_f17b,
    0x3d07_39f7,
    0x8a52_92ea,
    0x6bfb_5fb1,
    0x1f8d_5d08,
    0x5603_3046,
];

/// Angles from this exponent on lose bits at the start.
const LARGE: u32 = 1077;
/// Results for angles from this exponent on are scaled up, so that they stay normal.
const HUGE: u32 = 1968;

pub(super) fn piece(angle: f64, segment: u32) -> f64 {
    if angle.is_nan() {
        return f64::from_bits(angle.to_bits() | 1 << 51);
    }
    let exponent = (angle.to_bits() >> 52 & 0x7ff) as u32;
    let shift = (segment & 31) * 53 + exponent.saturating_sub(LARGE);
    let at = (shift / 32) as usize;
    // Beyond the table there are zeros.
    let Some(&[a, b, c]) = TWO_OVER_PI.get(at..at + 3) else { return 0.0 };
    let bits = u128::from(a) << 64 | u128::from(b) << 32 | u128::from(c);
    let piece = (bits >> (96 - 53 - shift % 32)) as u64 & ((1 << 53) - 1);
    let scale = if exponent >= HUGE { 128 } else { 0 };
    ldexp(piece as f64, scale - 53 - shift as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_add_up_to_two_over_pi() {
        let [first, second, third] = [0, 1, 2].map(|segment| piece(1.0, segment));
        assert_eq!(first, f64::from_bits(0xa2f9_836e_4e44_1529 >> 11 & !(1 << 52) | 1022 << 52));
        assert_eq!(first + second, std::f64::consts::FRAC_2_PI);
        assert!(second < 2f64.powi(-53) && third < 2f64.powi(-106) && third > 0.0);
        // Of 2^60 the first six bits make whole numbers of quarter turns.
        let moved = piece(2f64.powi(60), 0);
        assert!((moved - (std::f64::consts::FRAC_2_PI * 64.0).fract() / 64.0).abs() < 1e-15);
        assert_eq!(piece(1.0, 31), 0.0);
        assert!(piece(f64::NAN, 0).is_nan());
        assert!(piece(f64::MAX, 0) > 0.0);
    }
}
