//! The 64-bit LDS barrier word of gfx1250.
//!
//! The low 32 bits hold a pending count of `W` bits and above it a phase; the high half holds the count that is
//! reloaded. `W` is a setting of the chip (`LDS_CONFIG.PEND_CNT_WIDTH`) on which sources disagree, so it is a
//! parameter here; 29 is what a probe saw on hardware and what Triton and MLIR assume.

use tilehaul_diag::Source;

use crate::field::{Encoding, FieldSpec, FormatSpec, bits};

const TABLE_70: Source = Source::manual("CDNA5 ISA p. 161, Table 70");

/// Width of the pending count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PendingWidth {
    /// 16 bits pending, 16 bits phase, as AMD's emulator and one document have it.
    W16,
    /// 21 bits.
    W21,
    /// 28 bits.
    W28,
    /// 29 bits: the phase parity is bit 29.
    #[default]
    W29,
    /// 31 bits.
    W31,
    /// 32 bits: no phase is left.
    W32,
}

impl PendingWidth {
    /// All widths, smallest first.
    pub const ALL: [PendingWidth; 6] = [
        PendingWidth::W16,
        PendingWidth::W21,
        PendingWidth::W28,
        PendingWidth::W29,
        PendingWidth::W31,
        PendingWidth::W32,
    ];

    /// The width in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            PendingWidth::W16 => 16,
            PendingWidth::W21 => 21,
            PendingWidth::W28 => 28,
            PendingWidth::W29 => 29,
            PendingWidth::W31 => 31,
            PendingWidth::W32 => 32,
        }
    }

    /// The width of that many bits, if the hardware has it.
    #[must_use]
    pub fn from_bits(bits: u32) -> Option<PendingWidth> {
        PendingWidth::ALL.into_iter().find(|w| w.bits() == bits)
    }

    /// The table of the word in this width.
    #[must_use]
    pub fn format(self) -> &'static FormatSpec {
        match self {
            PendingWidth::W16 => &WORD_16,
            PendingWidth::W21 => &WORD_21,
            PendingWidth::W28 => &WORD_28,
            PendingWidth::W29 => &WORD_29,
            PendingWidth::W31 => &WORD_31,
            PendingWidth::W32 => &WORD_32,
        }
    }
}

const INIT: FieldSpec = FieldSpec {
    name: "init",
    pieces: &[bits(1, 0, 16)],
    encoding: Encoding::Plain,
    unit: "arrivals",
    doc: "Reloaded into pending when the count rolls under: arrivals of a phase minus one.",
    source: TABLE_70,
};
const UPPER: FieldSpec = FieldSpec {
    name: "reserved_63_48",
    pieces: &[bits(1, 16, 16)],
    encoding: Encoding::Reserved(0),
    unit: "",
    doc: "Zero (some sources let init reach up here).",
    source: TABLE_70,
};

macro_rules! barrier_word {
    ($table:ident, $title:literal, $pending:literal, $phase:literal) => {
        static $table: FormatSpec = FormatSpec {
            name: $title,
            words: 2,
            fields: &[
                FieldSpec {
                    name: "pending",
                    pieces: &[bits(0, 0, $pending)],
                    encoding: Encoding::Plain,
                    unit: "arrivals",
                    doc: "Arrivals still to come before the last one.",
                    source: TABLE_70,
                },
                FieldSpec {
                    name: "phase",
                    pieces: &[bits(0, $pending, $phase)],
                    encoding: Encoding::Plain,
                    unit: "",
                    doc: "Counts down, wrapping, each time that the pending count rolls under.",
                    source: TABLE_70,
                },
                INIT,
                UPPER,
            ],
        };
    };
}

barrier_word!(WORD_16, "LDS barrier (16-bit pending)", 16, 16);
barrier_word!(WORD_21, "LDS barrier (21-bit pending)", 21, 11);
barrier_word!(WORD_28, "LDS barrier (28-bit pending)", 28, 4);
barrier_word!(WORD_29, "LDS barrier (29-bit pending)", 29, 3);
barrier_word!(WORD_31, "LDS barrier (31-bit pending)", 31, 1);
static WORD_32: FormatSpec = FormatSpec {
    name: "LDS barrier (32-bit pending)",
    words: 2,
    fields: &[
        FieldSpec {
            name: "pending",
            pieces: &[bits(0, 0, 32)],
            encoding: Encoding::Plain,
            unit: "arrivals",
            doc: "Arrivals still to come before the last one.",
            source: TABLE_70,
        },
        INIT,
        UPPER,
    ],
};

/// An LDS barrier word under a given pending width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LdsBarrierWord {
    /// The 64 bits in LDS.
    pub word: u64,
    /// How they are read.
    pub width: PendingWidth,
}

impl LdsBarrierWord {
    /// The word that waits for `arrivals` (at least 1) in each phase: pending = init = arrivals - 1, phase 0.
    #[must_use]
    pub fn for_arrivals(arrivals: u32, width: PendingWidth) -> LdsBarrierWord {
        let count = u64::from(arrivals.saturating_sub(1));
        LdsBarrierWord { word: (count << 32) | (count & mask(width.bits())), width }
    }

    /// Arrivals still to come before the last one of the phase.
    #[must_use]
    pub fn pending(self) -> u64 {
        self.word & mask(self.width.bits())
    }

    /// The phase number; only its low bit is what waiters test.
    #[must_use]
    pub fn phase(self) -> u64 {
        (self.word & mask(32)) >> self.width.bits()
    }

    /// The count that is reloaded. All 32 upper bits count here, so that a word written by the tools that treat them
    /// as one number behaves as they expect; bits 63:48 are 0 in words the manual allows.
    #[must_use]
    pub fn init(self) -> u64 {
        self.word >> 32
    }

    /// Arrives `count` times and says whether the phase changed (which wakes sleeping waves).
    ///
    /// Source: `manual: CDNA5 ISA p. 161, p. 739`; the manual's two expressions for the roll-over disagree for width
    /// 32, where this gives reload without a phase.
    pub fn arrive(&mut self, count: u64) -> bool {
        let (pending, init, bits) = (self.pending(), self.init(), self.width.bits());
        if count <= pending {
            self.put(pending - count, self.phase());
            return false;
        }
        // The first roll-under takes pending + 1 arrivals, each further one init + 1 (in the width of the count).
        let reload = init & mask(bits);
        let rest = count - pending - 1;
        let turns = 1 + rest / (reload + 1);
        let left = reload - rest % (reload + 1);
        let phases = mask(32 - bits);
        self.put(left, self.phase().wrapping_sub(turns) & phases);
        true
    }

    fn put(&mut self, pending: u64, phase: u64) {
        let bits = self.width.bits();
        let low = (pending & mask(bits)) | if bits < 32 { phase << bits } else { 0 };
        self.word = (self.word & !mask(32)) | (low & mask(32));
    }
}

fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn after(mut word: u64, width: PendingWidth, arrivals: u64) -> u64 {
        let mut barrier = LdsBarrierWord { word, width };
        barrier.arrive(arrivals);
        word = barrier.word;
        word
    }

    #[test]
    fn two_arrivals_flip_the_phase_of_a_29_bit_word() {
        let start = LdsBarrierWord::for_arrivals(2, PendingWidth::W29);
        assert_eq!(start.word, 0x0000_0001_0000_0001);
        assert_eq!(after(start.word, PendingWidth::W29, 1), 0x0000_0001_0000_0000);
        assert_eq!(after(0x0000_0001_0000_0000, PendingWidth::W29, 1), 0x0000_0001_e000_0001);
        assert_eq!(after(0, PendingWidth::W29, 1), 0x0000_0000_e000_0000);
    }

    #[test]
    fn the_16_bit_word_counts_its_phase_from_bit_16() {
        assert_eq!(after(0x1_0000_0001, PendingWidth::W16, 1), 0x1_0000_0000);
        assert_eq!(after(0x1_0000_0000, PendingWidth::W16, 1), 0x1_ffff_0001);
        assert_eq!(after(0, PendingWidth::W16, 1), 0xffff_0000);
        assert_eq!(after(0x1234_0001_0000_0001, PendingWidth::W16, 0), 0x1234_0001_0000_0001);
    }

    proptest! {
        #[test]
        fn a_batch_of_arrivals_equals_single_ones(word: u64, count in 0u64..300, width in 0usize..6) {
            let width = PendingWidth::ALL[width];
            // Short counts, so that a batch goes around several times.
            let word = word & 0x0000_0007_ffff_ffff & !(mask(width.bits()) & !7);
            let mut single = LdsBarrierWord { word, width };
            let mut flipped = false;
            for _ in 0..count {
                flipped |= single.arrive(1);
            }
            let mut batch = LdsBarrierWord { word, width };
            prop_assert_eq!(batch.arrive(count), flipped);
            prop_assert_eq!(batch.word, single.word);
        }

        #[test]
        fn the_table_agrees_with_the_methods(word: u64, width in 0usize..6) {
            let width = PendingWidth::ALL[width];
            let barrier = LdsBarrierWord { word, width };
            let words = [word as u32, (word >> 32) as u32];
            let table = width.format();
            prop_assert_eq!(table.field("pending").unwrap().stored(&words), barrier.pending());
            if let Some(phase) = table.field("phase") {
                prop_assert_eq!(phase.stored(&words), barrier.phase());
            }
        }

        #[test]
        fn any_word_takes_any_number_of_arrivals(word: u64, count: u64, width in 0usize..6) {
            let mut barrier = LdsBarrierWord { word, width: PendingWidth::ALL[width] };
            barrier.arrive(count);
        }
    }
}
