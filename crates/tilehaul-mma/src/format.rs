//! Operand and accumulator formats, and what one raw element stands for.

use std::fmt;

use crate::product::Bits;

/// Format of an operand or an accumulator. Raw elements hold it in their low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// IEEE half precision.
    F16,
    /// The upper half of an IEEE single.
    Bf16,
    /// A single of which only the upper 19 bits are looked at.
    Tf32,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// 4 exponent bits, no infinities, NaN only at all ones (OCP).
    E4m3,
    /// 5 exponent bits, infinities and NaNs as IEEE (OCP).
    E5m2,
    /// [`Format::E4m3`] of gfx940: bias 8, the only NaN at minus zero.
    E4m3Fnuz,
    /// [`Format::E5m2`] of gfx940: bias 16, the only NaN at minus zero.
    E5m2Fnuz,
    /// 6 bits, 2 of exponent, no specials (OCP).
    E2m3,
    /// 6 bits, 3 of exponent, no specials (OCP).
    E3m2,
    /// 4 bits, 2 of exponent, no specials (OCP).
    E2m1,
    /// Signed byte.
    S8,
    /// Unsigned byte.
    U8,
    /// Signed 4 bits.
    S4,
    /// Unsigned 4 bits.
    U4,
    /// Signed 32 bits; an accumulator only.
    S32,
}

/// Which patterns are infinities and NaNs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Specials {
    /// All exponent bits set: mantissa 0 is infinity, else NaN.
    Ieee,
    /// All bits but the sign set is NaN.
    AllOnesNan,
    /// Minus zero is NaN.
    MinusZeroNan,
    /// None.
    None,
}

/// Bits of a floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Mantissa bits that count.
    pub(crate) mantissa: u32,
    /// Exponent bits.
    pub(crate) exponent: u32,
    /// Exponent bias.
    pub(crate) bias: i32,
    /// Low bits of a raw element that are ignored.
    pub(crate) ignored: u32,
    /// Which patterns are special.
    pub(crate) specials: Specials,
}

/// What one raw element stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// `(-1)^negative * significand * 2^(exponent - mantissa bits)`. Subnormals have the exponent of the smallest
    /// normal number; zero has significand 0.
    Finite {
        negative: bool,
        significand: u64,
        exponent: i32,
    },
    Infinite {
        negative: bool,
    },
    Nan,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Format] = &[
        Format::F16,
        Format::Bf16,
        Format::Tf32,
        Format::F32,
        Format::F64,
        Format::E4m3,
        Format::E5m2,
        Format::E4m3Fnuz,
        Format::E5m2Fnuz,
        Format::E2m3,
        Format::E3m2,
        Format::E2m1,
        Format::S8,
        Format::U8,
        Format::S4,
        Format::U4,
        Format::S32,
    ];

    /// Its name, as PTX and OCP write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::F16 => "f16",
            Format::Bf16 => "bf16",
            Format::Tf32 => "tf32",
            Format::F32 => "f32",
            Format::F64 => "f64",
            Format::E4m3 => "e4m3",
            Format::E5m2 => "e5m2",
            Format::E4m3Fnuz => "e4m3fnuz",
            Format::E5m2Fnuz => "e5m2fnuz",
            Format::E2m3 => "e2m3",
            Format::E3m2 => "e3m2",
            Format::E2m1 => "e2m1",
            Format::S8 => "s8",
            Format::U8 => "u8",
            Format::S4 => "s4",
            Format::U4 => "u4",
            Format::S32 => "s32",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Bits of one element.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Format::F64 => 64,
            Format::Tf32 | Format::F32 | Format::S32 => 32,
            Format::F16 | Format::Bf16 => 16,
            Format::E4m3 | Format::E5m2 | Format::E4m3Fnuz | Format::E5m2Fnuz | Format::S8 | Format::U8 => 8,
            Format::E2m3 | Format::E3m2 => 6,
            Format::E2m1 | Format::S4 | Format::U4 => 4,
        }
    }

    /// A whole number, not a float.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Format::S8 | Format::U8 | Format::S4 | Format::U4 | Format::S32)
    }

    /// The value of an integer element; 0 for floats.
    pub(crate) fn integer(self, raw: u64) -> i64 {
        match self {
            Format::S8 => i64::from(raw as u8 as i8),
            Format::U8 => i64::from(raw as u8),
            Format::S4 => i64::from(((raw as u8) << 4) as i8 >> 4),
            Format::U4 => i64::from(raw as u8 & 15),
            Format::S32 => i64::from(raw as u32 as i32),
            _ => 0,
        }
    }

    /// The bits of a float; `None` for integers.
    pub(crate) const fn layout(self) -> Option<Layout> {
        const fn row(mantissa: u32, exponent: u32, bias: i32, specials: Specials) -> Option<Layout> {
            Some(Layout { mantissa, exponent, bias, ignored: 0, specials })
        }
        match self {
            Format::F16 => row(10, 5, 15, Specials::Ieee),
            Format::Bf16 => row(7, 8, 127, Specials::Ieee),
            // hardware: h200-mma 2, the low 13 bits are cut.
            Format::Tf32 => {
                Some(Layout { mantissa: 10, exponent: 8, bias: 127, ignored: 13, specials: Specials::Ieee })
            }
            Format::F32 => row(23, 8, 127, Specials::Ieee),
            Format::F64 => row(52, 11, 1023, Specials::Ieee),
            Format::E4m3 => row(3, 4, 7, Specials::AllOnesNan),
            Format::E5m2 => row(2, 5, 15, Specials::Ieee),
            Format::E4m3Fnuz => row(3, 4, 8, Specials::MinusZeroNan),
            Format::E5m2Fnuz => row(2, 5, 16, Specials::MinusZeroNan),
            Format::E2m3 => row(3, 2, 1, Specials::None),
            Format::E3m2 => row(2, 3, 3, Specials::None),
            Format::E2m1 => row(1, 2, 1, Specials::None),
            Format::S8 | Format::U8 | Format::S4 | Format::U4 | Format::S32 => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Layout {
    /// Largest exponent that a normal number can have, the smallest being `1 - bias`.
    pub(crate) const fn emax(&self) -> i32 {
        (1 << self.exponent) - 2 - self.bias
    }

    /// Exponent of the smallest normal number and of all subnormal ones.
    pub(crate) const fn emin(&self) -> i32 {
        1 - self.bias
    }

    /// What a raw element stands for.
    pub(crate) fn decode(&self, raw: u64) -> Number {
        let raw = raw >> self.ignored;
        let mantissa = raw & ((1 << self.mantissa) - 1);
        let field = raw >> self.mantissa & ((1 << self.exponent) - 1);
        let negative = raw >> (self.mantissa + self.exponent) & 1 == 1;
        let top = (1 << self.exponent) - 1;
        match self.specials {
            Specials::Ieee if field == top && mantissa == 0 => return Number::Infinite { negative },
            Specials::Ieee if field == top => return Number::Nan,
            Specials::AllOnesNan if field == top && mantissa + 1 == 1 << self.mantissa => return Number::Nan,
            Specials::MinusZeroNan if negative && field == 0 && mantissa == 0 => return Number::Nan,
            _ => {}
        }
        // A format's exponent field has at most 11 bits.
        let exponent = field.max(1) as i32 - self.bias;
        let significand = if field > 0 { mantissa | 1 << self.mantissa } else { mantissa };
        Number::Finite { negative, significand, exponent }
    }
}

/// Reads the elements of one format of at most 32 bits, without a branch for each.
///
/// A float's magnitude bits, moved under the exponent of a single, are its value times a power of two: subnormals too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    ignored: u32,
    magnitude: u32,
    mantissa: u32,
    /// Places from the format's sign to a single's.
    sign_up: u32,
    /// Places from the format's mantissa to a single's.
    up: u32,
    /// 2^(127 - bias).
    scale: f32,
    bias: i16,
    /// Magnitudes from here on are infinite or NaN.
    special_from: u32,
    /// What carries a magnitude from `special_from` on into the bit above; 0 when there are none.
    to_carry: u32,
    minus_zero_special: bool,
}

impl Reader {
    /// `None` for integers and doubles.
    pub(crate) fn new(format: Format) -> Option<Reader> {
        let layout = format.layout().filter(|layout| layout.mantissa <= 23)?;
        let bits = layout.mantissa + layout.exponent;
        let magnitude = (1u32 << bits) - 1;
        let special_from = match layout.specials {
            Specials::Ieee => magnitude & !((1 << layout.mantissa) - 1),
            Specials::AllOnesNan => magnitude,
            Specials::MinusZeroNan | Specials::None => u32::MAX,
        };
        Some(Reader {
            ignored: layout.ignored,
            magnitude,
            mantissa: layout.mantissa,
            sign_up: 31 - bits,
            up: 23 - layout.mantissa,
            scale: f32::from_bits(((254 - layout.bias) as u32) << 23),
            // Biases of such formats are at most 127.
            bias: layout.bias as i16,
            special_from,
            to_carry: if special_from == u32::MAX { 0 } else { magnitude + 1 - special_from },
            minus_zero_special: layout.specials == Specials::MinusZeroNan,
        })
    }

    /// The value of an element that is not special.
    #[inline]
    pub(crate) fn value(&self, raw: u64) -> f32 {
        let raw = raw as u32 >> self.ignored;
        let size = f32::from_bits((raw & self.magnitude) << self.up) * self.scale;
        f32::from_bits(size.to_bits() | (raw & (self.magnitude + 1)) << self.sign_up)
    }

    /// Exponent that the element counts with in a block; `zero` if it is zero.
    #[inline]
    pub(crate) fn exponent(&self, raw: u64, zero: i16) -> i16 {
        let size = raw as u32 >> self.ignored & self.magnitude;
        // Exponent fields have at most 8 bits.
        let field = (size >> self.mantissa) as i16;
        if size == 0 { zero } else { field.max(1) - self.bias }
    }

    /// Has a bit above the magnitude where that stands for an infinity or a NaN, minus zero apart: an addition where
    /// [`Self::is_special`] compares, which vectors of unsigned numbers have no instruction for.
    #[inline]
    fn carried(&self, raw: u64) -> u32 {
        (raw as u32 >> self.ignored & self.magnitude) + self.to_carry
    }

    /// Infinite or NaN.
    #[inline]
    pub(crate) fn is_special(&self, raw: u64) -> bool {
        let raw = raw as u32 >> self.ignored;
        (raw & self.magnitude) >= self.special_from
            || self.minus_zero_special && raw & (self.magnitude << 1 | 1) == self.magnitude + 1
    }
}

/// The value of every element.
pub(crate) fn read_all<T: Bits>(format: Format, raw: &[T], values: &mut [f32]) {
    let mut special = true;
    if let Some(reader) = Reader::new(format) {
        let mut carried = 0;
        for (raw, value) in raw.iter().zip(values.iter_mut()) {
            *value = reader.value(raw.raw());
            carried |= reader.carried(raw.raw());
        }
        special = carried > reader.magnitude
            || reader.minus_zero_special && raw.iter().any(|raw| reader.is_special(raw.raw()));
    }
    if special {
        for (raw, value) in raw.iter().zip(values) {
            *value = to_f32(format, raw.raw());
        }
    }
}

/// The value of a raw element as a single; exact for every format but `f64` and `s32`.
#[must_use]
pub fn to_f32(format: Format, raw: u64) -> f32 {
    let Some(reader) = Reader::new(format) else {
        return if format == Format::F64 { f64::from_bits(raw) as f32 } else { format.integer(raw) as f32 };
    };
    match format.layout().map(|layout| layout.decode(raw)) {
        Some(Number::Finite { .. }) => reader.value(raw),
        Some(Number::Infinite { negative: true }) => f32::NEG_INFINITY,
        Some(Number::Infinite { negative: false }) => f32::INFINITY,
        Some(Number::Nan) | None => f32::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_small_formats() {
        for (format, raw, value) in [
            (Format::E4m3, 0x7e, 448.0),
            (Format::E4m3, 0x01, 1.0 / 512.0),
            (Format::E5m2, 0xc5, -5.0),
            (Format::E2m1, 0x7, 6.0),
            (Format::E2m1, 0x1, 0.5),
            (Format::E2m3, 0x1f, 7.5),
            (Format::E3m2, 0x1f, 28.0),
            (Format::E4m3Fnuz, 0x7f, 240.0),
            (Format::E5m2Fnuz, 0x7f, 57344.0),
            (Format::S4, 0xf, -1.0),
            (Format::Tf32, 0x3f80_1fff, 1.0),
        ] {
            assert_eq!(to_f32(format, raw), value, "{format} {raw:#x}");
        }
        assert!(to_f32(Format::E4m3, 0xff).is_nan());
        assert!(to_f32(Format::E4m3Fnuz, 0x80).is_nan());
        assert_eq!(to_f32(Format::E5m2, 0xfc), f32::NEG_INFINITY);
        assert_eq!(to_f32(Format::E3m2, 0x3c), -16.0);
    }

    /// Every half against another implementation, every small float against its own fields.
    #[test]
    fn readers_agree_with_fields() {
        let half = Reader::new(Format::F16).unwrap();
        for raw in 0..=u16::MAX {
            let other = half::f16::from_bits(raw);
            assert_eq!(half.is_special(raw.into()), !other.is_finite());
            if other.is_finite() {
                assert_eq!(half.value(raw.into()).to_bits(), other.to_f32().to_bits());
            }
        }
        for &format in Format::ALL.iter().filter(|format| format.bits() <= 16) {
            let (Some(reader), Some(layout)) = (Reader::new(format), format.layout()) else { continue };
            for raw in 0..1 << format.bits() {
                match layout.decode(raw) {
                    Number::Finite { negative, significand, exponent } => {
                        let size = significand as f64 * 2f64.powi(exponent - layout.mantissa as i32);
                        let value = if negative { -size } else { size };
                        assert_eq!(
                            f64::from(reader.value(raw)).to_bits(),
                            value.to_bits(),
                            "{format} {raw:#x}"
                        );
                        let counted = if significand == 0 { -9 } else { exponent as i16 };
                        assert_eq!(reader.exponent(raw, -9), counted);
                        assert!(!reader.is_special(raw));
                    }
                    Number::Infinite { .. } | Number::Nan => {
                        assert!(reader.is_special(raw), "{format} {raw:#x}")
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_found_again() {
        for &format in Format::ALL {
            assert_eq!(Format::parse(format.name()), Some(format));
        }
    }
}
