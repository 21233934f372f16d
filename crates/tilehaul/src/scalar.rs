//! Single elements: a number becomes the bytes of an element type and back.
//!
//! Used where values are made from text (fill values, random buffers, arguments) and where results are compared with a
//! tolerance. Engines and machines move and compute bytes themselves.

use half::{bf16, f16};
use tilehaul_descriptor::ElementType;

/// A number before it has a type: integers stay exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// Anything else.
    Float(f64),
}

impl Number {
    /// The nearest double.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            // Rounds to nearest, which is what a conversion to a float is for.
            Number::Int(i) => i as f64,
            Number::Float(f) => f,
        }
    }

    /// The nearest integer, ties to even; wraps nothing: huge values saturate.
    fn as_int(self) -> i128 {
        match self {
            Number::Int(i) => i,
            Number::Float(f) => f.round_ties_even() as i128,
        }
    }
}

/// Why a number is not one of the type, when it is not: integers must be whole and have at most so many bits, with or
/// without a sign (`0xffffffff` and `-1` are both words of 32 bits).
#[must_use]
pub fn misfit(element: ElementType, number: Number) -> Option<String> {
    if element.is_float() {
        return None;
    }
    let bits = element.bits();
    match number {
        Number::Float(value) => {
            Some(format!("{value} is not a whole number, and {element} holds whole numbers"))
        }
        Number::Int(value) if value < -(1i128 << (bits - 1)) || value >= 1i128 << bits => {
            Some(format!("{value} does not fit {element}, which has {bits} bits"))
        }
        Number::Int(_) => None,
    }
}

/// An 8-bit float format.
struct Mini {
    mantissa: u32,
    bias: i32,
    /// Largest finite magnitude, as bits.
    largest: u8,
    /// What lies above the largest.
    above: Above,
}

/// What a magnitude beyond the largest becomes.
#[derive(PartialEq)]
enum Above {
    Nan,
    Infinity,
    /// The bits of minus zero, the format's only NaN.
    MinusZero,
}

/// manual: OCP 8-bit floating point specification.
const E4M3: Mini = Mini { mantissa: 3, bias: 7, largest: 0x7e, above: Above::Nan };
const E5M2: Mini = Mini { mantissa: 2, bias: 15, largest: 0x7b, above: Above::Infinity };
/// manual: AMD Instinct MI300 ISA, FP8 and BF8.
const E4M3_FNUZ: Mini = Mini { mantissa: 3, bias: 8, largest: 0x7f, above: Above::MinusZero };
const E5M2_FNUZ: Mini = Mini { mantissa: 2, bias: 16, largest: 0x7f, above: Above::MinusZero };

/// The float format of an element, when it is one of 8 bits.
fn mini(element: ElementType) -> Option<Mini> {
    Some(match element {
        ElementType::F8e4m3 => E4M3,
        ElementType::F8e5m2 => E5M2,
        ElementType::F8e4m3Fnuz => E4M3_FNUZ,
        ElementType::F8e5m2Fnuz => E5M2_FNUZ,
        _ => return None,
    })
}

impl Mini {
    fn encode(&self, value: f64) -> u8 {
        let one_zero = self.above == Above::MinusZero;
        let sign = if value.is_sign_negative() { 0x80 } else { 0 };
        if value.is_nan() {
            return if one_zero { 0x80 } else { sign | 0x7f };
        }
        let size = value.abs();
        let lowest = 1 - self.bias;
        let exponent = exponent_of(size).clamp(lowest, 64);
        // Exact: a division by a power of two, then one rounding.
        let steps = (size / f64::powi(2.0, exponent - self.mantissa as i32)).round_ties_even();
        let bits = (i64::from(exponent - lowest) << self.mantissa) + steps as i64;
        match u8::try_from(bits).ok().filter(|&b| b <= self.largest) {
            Some(0) if one_zero => 0,
            Some(magnitude) => sign | magnitude,
            None if one_zero => 0x80,
            None => sign | (self.largest + 1),
        }
    }

    fn decode(&self, bits: u8) -> f64 {
        let magnitude = bits & 0x7f;
        let size = if bits == 0x80 && self.above == Above::MinusZero {
            f64::NAN
        } else if magnitude > self.largest {
            let infinite = self.above == Above::Infinity && magnitude == self.largest + 1;
            if infinite { f64::INFINITY } else { f64::NAN }
        } else {
            let exponent = i32::from(magnitude >> self.mantissa);
            let fraction = f64::from(magnitude & ((1 << self.mantissa) - 1));
            let unit = f64::powi(2.0, exponent.max(1) - self.bias - self.mantissa as i32);
            let implicit = if exponent > 0 { f64::from(1u32 << self.mantissa) } else { 0.0 };
            (fraction + implicit) * unit
        };
        if bits & 0x80 != 0 { -size } else { size }
    }
}

/// floor(log2(size)) of a positive finite number, from its bits.
fn exponent_of(size: f64) -> i32 {
    let biased = (size.to_bits() >> 52) as i32;
    // Subnormal doubles lie below every 8-bit format's smallest step.
    biased - 1023
}

/// Appends `value` as one element, rounded to nearest even; integers keep their low bits. `false` for packed types,
/// whose elements have no bytes of their own.
pub fn push(element: ElementType, value: Number, bytes: &mut Vec<u8>) -> bool {
    if let Some(mini) = mini(element) {
        bytes.push(mini.encode(value.as_f64()));
        return true;
    }
    match element {
        ElementType::F16 => bytes.extend(f16::from_f64(value.as_f64()).to_le_bytes()),
        ElementType::Bf16 => bytes.extend(bf16::from_f64(value.as_f64()).to_le_bytes()),
        ElementType::F32 | ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz => {
            bytes.extend((value.as_f64() as f32).to_le_bytes());
        }
        ElementType::F64 => bytes.extend(value.as_f64().to_le_bytes()),
        ElementType::F8e8m0 => bytes.push(match value.as_f64() {
            size if size.is_nan() => 0xff,
            size if size <= 0.0 => 0,
            size => u8::try_from(exponent_of(size) + 127).unwrap_or(0xfe),
        }),
        _ => {
            let Some(width) = element.bytes() else { return false };
            bytes.extend(value.as_int().to_le_bytes().iter().take(width as usize));
        }
    }
    true
}

/// The value of one element from its bytes; `None` for packed types and for too few bytes.
#[must_use]
pub fn read(element: ElementType, bytes: &[u8]) -> Option<Number> {
    let width = element.bytes()? as usize;
    let bytes = bytes.get(..width)?;
    let raw = bytes.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    if let Some(mini) = mini(element) {
        return Some(Number::Float(mini.decode(raw as u8)));
    }
    Some(match element {
        ElementType::F16 => Number::Float(f16::from_bits(raw as u16).to_f64()),
        ElementType::Bf16 => Number::Float(bf16::from_bits(raw as u16).to_f64()),
        ElementType::F32 | ElementType::F32Ftz | ElementType::Tf32 | ElementType::Tf32Ftz => {
            Number::Float(f64::from(f32::from_bits(raw as u32)))
        }
        ElementType::F64 => Number::Float(f64::from_bits(raw)),
        ElementType::F8e8m0 if raw == 0xff => Number::Float(f64::NAN),
        ElementType::F8e8m0 => Number::Float(f64::powi(2.0, raw as i32 - 127)),
        _ if element.is_signed_integer() => {
            let shift = 64 - 8 * width;
            Number::Int(i128::from(((raw << shift) as i64) >> shift))
        }
        _ => Number::Int(i128::from(raw)),
    })
}

/// Text of one element for a person: shortest digits that name it.
#[must_use]
pub fn text(element: ElementType, bytes: &[u8]) -> String {
    match read(element, bytes) {
        Some(Number::Int(i)) => i.to_string(),
        Some(Number::Float(f)) if f == f.trunc() && f.abs() < 1e15 => format!("{f:.1}"),
        Some(Number::Float(f)) if element.bytes() == Some(8) => f.to_string(),
        Some(Number::Float(f)) => (f as f32).to_string(),
        None => bytes.iter().map(|b| format!("{b:02x}")).collect(),
    }
}

/// Word `index` of the pseudo-random stream with that seed: the finaliser of murmur3 over index times the golden ratio
/// plus the seed (the same words that recorded hardware answers were made from).
#[must_use]
pub fn random_word(seed: u32, index: u32) -> u32 {
    let mut h = index.wrapping_mul(0x9E37_79B1).wrapping_add(seed);
    h ^= h >> 16;
    h = h.wrapping_mul(0x85EB_CA6B);
    h ^= h >> 13;
    h = h.wrapping_mul(0xC2B2_AE35);
    h ^ h >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_floats_survive_and_round_to_even() {
        for (element, mini) in ElementType::all().filter_map(|element| Some((element, mini(element)?))) {
            for bits in 0..=255u8 {
                let value = mini.decode(bits);
                if value.is_finite() {
                    assert_eq!(mini.encode(value), bits, "{element} {bits:#x} {value}");
                }
            }
        }
        assert_eq!(E4M3.encode(448.0), 0x7e);
        assert_eq!(E4M3.encode(465.0), 0x7f);
        assert_eq!(E4M3.encode(1.0625), 0x38, "halfway between 1.0 and 1.125 goes to the even one");
        assert_eq!(E5M2.encode(1e9), 0x7c);
    }

    #[test]
    fn integers_wrap_and_print() {
        let mut bytes = Vec::new();
        assert!(push(ElementType::I8, Number::Int(200), &mut bytes));
        assert_eq!(text(ElementType::I8, &bytes), "-56");
        assert!(!push(ElementType::B4x16, Number::Int(1), &mut bytes));
    }

    #[test]
    fn the_random_stream_is_that_of_the_records() {
        assert_eq!(random_word(0, 0), 0);
        // Computed once with NumPy from the formula in the records' README.
        assert_eq!(random_word(1, 0), 0x514e_28b7);
    }
}
