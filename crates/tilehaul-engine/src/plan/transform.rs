//! What happens to bytes on their way.

use crate::reduce::Reduction;

/// What is done to the bytes between source and destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transform {
    /// They are copied.
    #[default]
    Copy,
    /// Every 32-bit word is rounded to tf32 (10 mantissa bits), to nearest even on the bit pattern.
    /// hardware: h200 fact 37.
    RoundTf32,
    /// Every 16 source bytes hold 16 six-bit values in their low bits and become 12 packed bytes.
    /// manual: PTX ISA `.b6p2x16`.
    PackSixBit,
    /// Every byte (or half, as `halves` says) becomes a sign-extended dword: what AMD's signed direct loads put into LDS.
    /// manual: CDNA3 ISA, `global_load_lds_sbyte`; not measured.
    SignExtend {
        /// 16-bit sources instead of bytes.
        halves: bool,
    },
    /// They are combined with what the destination holds.
    Reduce(Reduction),
}

impl Transform {
    /// Source bytes that `len` destination bytes come from.
    #[must_use]
    pub fn source_len(self, len: u64) -> u64 {
        match self {
            Transform::PackSixBit => len / 12 * 16,
            Transform::SignExtend { halves } => len / if halves { 2 } else { 4 },
            Transform::Copy | Transform::RoundTf32 | Transform::Reduce(_) => len,
        }
    }
}

/// Rounds one f32 bit pattern to tf32, to nearest even. Carries may reach the exponent; NaN of either sign becomes
/// 0x7FFFE000; infinities and signed zeros stay; subnormals are rounded like any pattern. hardware: h200 fact 37.
#[must_use]
pub fn round_to_tf32(bits: u32) -> u32 {
    const DROPPED: u32 = 13;
    let magnitude = bits & 0x7fff_ffff;
    if magnitude > 0x7f80_0000 {
        return 0x7fff_e000;
    }
    let odd = bits >> DROPPED & 1;
    let rounded = bits.wrapping_add((1 << (DROPPED - 1)) - 1 + odd);
    rounded & !((1 << DROPPED) - 1)
}

pub(super) fn round_words_to_tf32(bytes: &mut [u8]) {
    for word in bytes.chunks_exact_mut(4) {
        let bits = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        word.copy_from_slice(&round_to_tf32(bits).to_le_bytes());
    }
}

/// 16 bytes with six valid low bits each become 12 packed bytes, first value lowest.
pub(super) fn pack_six_bit(from: &[u8], to: &mut Vec<u8>) {
    for group in from.chunks_exact(4) {
        let packed = group.iter().rev().fold(0u32, |acc, byte| acc << 6 | u32::from(byte & 0x3f));
        to.extend_from_slice(&packed.to_le_bytes()[..3]);
    }
}

/// Bytes or halves to sign-extended dwords.
pub(super) fn sign_extend(from: &[u8], halves: bool, to: &mut Vec<u8>) {
    if halves {
        for pair in from.chunks_exact(2) {
            to.extend_from_slice(&i32::from(i16::from_le_bytes([pair[0], pair[1]])).to_le_bytes());
        }
    } else {
        for &byte in from {
            to.extend_from_slice(&i32::from(byte as i8).to_le_bytes());
        }
    }
}
