//! Bit fields as data: one table per format, from which encode, decode, explain and the reference page come.
//!
//! A format is a fixed number of 32-bit words (dwords), little end first. A field is a number made of one or more
//! [`Piece`]s, lowest bits first, and an [`Encoding`] that says how the stored number becomes the one people speak of.

use tilehaul_diag::Source;

/// Bits `low .. low + width` of 32-bit word `word`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index of the 32-bit word.
    pub word: u8,
    /// Lowest bit inside that word.
    pub low: u8,
    /// Number of bits, 1 to 32.
    pub width: u8,
}

/// Shorthand for table rows: bits `low .. low + width` of dword `word`.
#[must_use]
pub const fn bits(word: u8, low: u8, width: u8) -> Piece {
    Piece { word, low, width }
}

/// How a stored number stands for the number people speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Stored as it is.
    Plain,
    /// Stored minus one: 0 stands for 1.
    MinusOne,
    /// Stored in units of this many: 3 in units of 16 stands for 48.
    Units(u64),
    /// Stored as an exponent: n stands for `unit << n`.
    Shifted(u64),
    /// Two's complement of the field's width.
    Signed,
    /// Two's complement of minus the number.
    Negated,
    /// Two to the power of the field's width minus the number, so that counting down is adding; 0 is stored as 0.
    CountDown,
    /// A name for each number; other numbers have none.
    Choice(&'static [(u64, &'static str)]),
    /// One bit: off or on.
    Flag,
    /// Holds nothing of the user's; this number must stand there.
    Reserved(u64),
}

/// One field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// The name that the vendor's document and the JSON output use.
    pub name: &'static str,
    /// Where its bits are, lowest first.
    pub pieces: &'static [Piece],
    /// What the stored number means.
    pub encoding: Encoding,
    /// Unit of the decoded number (`bytes`, `elements`, `dwords`), or empty.
    pub unit: &'static str,
    /// One sentence for the reference page and `explain`.
    pub doc: &'static str,
    /// Where the position and the meaning are known from.
    pub source: Source,
}

/// Shorthand for table rows, in the order of the columns.
pub(crate) const fn field(
    name: &'static str,
    pieces: &'static [Piece],
    encoding: Encoding,
    unit: &'static str,
    doc: &'static str,
    source: Source,
) -> FieldSpec {
    FieldSpec { name, pieces, encoding, unit, doc, source }
}

/// A bit format: its words and all fields that it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// What people call it.
    pub name: &'static str,
    /// Number of 32-bit words.
    pub words: usize,
    /// Its fields, in the order in which they are shown.
    pub fields: &'static [FieldSpec],
}

impl FieldSpec {
    /// Number of bits over all pieces.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.pieces.iter().map(|p| u32::from(p.width)).sum()
    }

    /// The largest number the bits can store.
    #[must_use]
    pub fn max_stored(&self) -> u64 {
        low_mask(self.width())
    }

    /// The stored number. Words past the end of `words` read as zero.
    ///
    /// In line, so that a field known by its name becomes a shift and a mask.
    #[must_use]
    #[inline(always)]
    pub fn stored(&self, words: &[u32]) -> u64 {
        let mut value = 0;
        let mut at = 0;
        for piece in self.pieces {
            let word = words.get(usize::from(piece.word)).copied().unwrap_or(0);
            let part = (u64::from(word) >> piece.low) & low_mask(u32::from(piece.width));
            value |= part << at;
            at += u32::from(piece.width);
        }
        value
    }

    /// Stores the low bits of `value`; bits above the field's width are lost, so check [`Self::max_stored`] first.
    /// Words past the end of `words` are left alone.
    pub fn store(&self, words: &mut [u32], value: u64) {
        let mut rest = value;
        for piece in self.pieces {
            let mask = low_mask(u32::from(piece.width));
            if let Some(word) = words.get_mut(usize::from(piece.word)) {
                // A piece lies inside one dword, so the shifted mask fits 32 bits.
                let keep = !((mask << piece.low) as u32);
                *word = (*word & keep) | (((rest & mask) << piece.low) as u32);
            }
            rest = rest.checked_shr(u32::from(piece.width)).unwrap_or(0);
        }
    }

    /// The number people speak of, for a stored one.
    #[must_use]
    #[inline(always)]
    pub fn decode(&self, stored: u64) -> i128 {
        let plain = i128::from(stored);
        match self.encoding {
            Encoding::MinusOne => plain + 1,
            Encoding::Units(unit) => plain * i128::from(unit),
            Encoding::Shifted(unit) => i128::from(unit) << stored.min(63),
            Encoding::Signed => self.signed(stored),
            Encoding::Negated => -self.signed(stored),
            Encoding::CountDown if stored == 0 => 0,
            Encoding::CountDown => (1i128 << self.width()) - plain,
            Encoding::Plain | Encoding::Choice(_) | Encoding::Flag | Encoding::Reserved(_) => plain,
        }
    }

    /// The stored number for one that people speak of, or `None` when the field cannot hold it.
    #[must_use]
    pub fn encode(&self, value: i128) -> Option<u64> {
        let stored = match self.encoding {
            Encoding::MinusOne => value.checked_sub(1)?,
            Encoding::Units(unit) => {
                let unit = i128::from(unit);
                if value % unit != 0 {
                    return None;
                }
                value / unit
            }
            Encoding::Shifted(unit) => {
                let exponent = (0..64).find(|&n| i128::from(unit) << n == value)?;
                i128::from(exponent)
            }
            Encoding::Signed => self.two_complement(value)?,
            Encoding::Negated => self.two_complement(-value)?,
            Encoding::CountDown => {
                if !(0..1i128 << self.width()).contains(&value) {
                    return None;
                }
                -value & i128::from(self.max_stored())
            }
            Encoding::Plain | Encoding::Choice(_) | Encoding::Flag | Encoding::Reserved(_) => value,
        };
        u64::try_from(stored).ok().filter(|&s| s <= self.max_stored())
    }

    fn signed(&self, stored: u64) -> i128 {
        let (plain, width) = (i128::from(stored), self.width());
        if width > 0 && stored >> (width - 1) & 1 == 1 { plain - (1i128 << width) } else { plain }
    }

    fn two_complement(&self, value: i128) -> Option<i128> {
        let half = 1i128 << (self.width().max(1) - 1);
        (-half..half).contains(&value).then_some(value & i128::from(self.max_stored()))
    }
}

impl FormatSpec {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static FieldSpec> {
        self.fields.iter().find(|f| f.name == name)
    }
}

#[inline(always)]
fn low_mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPLIT: FieldSpec = FieldSpec {
        name: "split",
        pieces: &[bits(0, 16, 16), bits(1, 0, 16)],
        encoding: Encoding::MinusOne,
        unit: "elements",
        doc: "A number over two words.",
        source: Source::inferred("test"),
    };

    #[test]
    fn counts_that_run_down_and_negated_numbers() {
        let mut field = SPLIT;
        field.encoding = Encoding::CountDown;
        assert_eq!(field.encode(3), Some(0xffff_fffd));
        assert_eq!(field.decode(0xffff_fffd), 3);
        assert_eq!((field.encode(0), field.decode(0), field.encode(1 << 32)), (Some(0), 0, None));
        field.encoding = Encoding::Negated;
        assert_eq!(field.encode(16), Some(0xffff_fff0));
        assert_eq!(
            (field.decode(16), field.decode(0x8000_0000), field.encode(-(1 << 31))),
            (-16, 1 << 31, None)
        );
        assert_eq!(field.encode(1 << 31), Some(0x8000_0000));
    }

    #[test]
    fn a_split_field_survives_the_round_trip() {
        let mut words = [0xffff_ffff, 0xffff_ffff];
        let stored = SPLIT.encode(0x1234_5679).unwrap();
        SPLIT.store(&mut words, stored);
        assert_eq!(words, [0x5678_ffff, 0xffff_1234]);
        assert_eq!(SPLIT.decode(SPLIT.stored(&words)), 0x1234_5679);
        assert_eq!(SPLIT.encode(0), None);
        assert_eq!(SPLIT.encode(1 << 32), Some(0xffff_ffff));
        assert_eq!(SPLIT.encode((1 << 32) + 1), None);
    }
}
