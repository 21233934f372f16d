//! The 64 bits of an mbarrier object (sm_90 and later), as a debugger shows them once they are in shared memory.
//!
//! hardware: h200 fact 103. Live objects sit in a cache beside shared memory that ordinary loads do not see (fact 105), so
//! a dump of a running kernel may show old bits.

use tilehaul_diag::Source;

use crate::Rule;
use crate::explain::Explanation;
use crate::field::{Encoding, FieldSpec, FormatSpec, bits};

const FACT: Source = Source::hardware("h200 fact 103");

const LAYOUT: FieldSpec = FieldSpec {
    name: "layout",
    pieces: &[bits(0, 0, 1)],
    encoding: Encoding::Choice(&[(0, "v0"), (1, "v1")]),
    unit: "",
    doc: "Layout version; v1 (PTX 9.3) counts to 511 and reports per phase.",
    source: Source::inferred("ptxas 13.5, code of mbarrier.check_layout"),
};
const EXPECTED: FieldSpec = FieldSpec {
    name: "expected",
    pieces: &[bits(0, 1, 20)],
    encoding: Encoding::CountDown,
    unit: "arrivals",
    doc: "Arrivals that every phase waits for.",
    source: FACT,
};
const TX_COUNT: FieldSpec = FieldSpec {
    name: "tx-count",
    pieces: &[bits(0, 21, 11), bits(1, 0, 10)],
    encoding: Encoding::Negated,
    unit: "bytes",
    doc: "Bytes announced in this phase and not yet copied; negative when copies came before the announcement.",
    source: FACT,
};
const ZERO: FieldSpec = FieldSpec {
    name: "zero",
    pieces: &[bits(1, 10, 1)],
    encoding: Encoding::Reserved(0),
    unit: "",
    doc: "Always 0.",
    source: FACT,
};
const PENDING: FieldSpec = FieldSpec {
    name: "pending",
    pieces: &[bits(1, 11, 20)],
    encoding: Encoding::CountDown,
    unit: "arrivals",
    doc: "Arrivals that the current phase still waits for.",
    source: FACT,
};
const PHASE: FieldSpec = FieldSpec {
    name: "phase",
    pieces: &[bits(1, 31, 1)],
    encoding: Encoding::Plain,
    unit: "",
    doc: "Parity of the current phase; a wait for parity p succeeds when it is not p.",
    source: FACT,
};

/// The table.
pub const MBARRIER: FormatSpec = FormatSpec {
    name: "mbarrier object",
    words: 2,
    fields: &[PHASE, PENDING, EXPECTED, TX_COUNT, ZERO, LAYOUT],
};

/// Rules of the object.
pub const RULES: &[Rule] = &[NEVER_INITIALISED, OVER_PENDING, ZERO_BIT, DONE];
const NEVER_INITIALISED: Rule = Rule::error(
    "mbarrier-expects-nothing",
    "An object expects 1 to 1048575 arrivals; otherwise the first arrival kills the launch with 719.",
    Source::hardware("h200 facts 110, 112"),
);
const OVER_PENDING: Rule = Rule::error(
    "mbarrier-pending-above-expected",
    "No more arrivals can be pending than are expected.",
    Source::hardware("h200 facts 103, 111"),
);
const ZERO_BIT: Rule =
    Rule::error("mbarrier-zero-bit", "Bit 42 of the object is always 0.", Source::hardware("h200 fact 103"));
const DONE: Rule = Rule::error(
    "mbarrier-stuck-word",
    "With nothing pending and no bytes outstanding the phase would have ended.",
    Source::hardware("h200 fact 114"),
);

/// An mbarrier object's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MbarrierWord {
    /// Parity of the current phase, 0 or 1.
    pub phase: u8,
    /// Arrivals that the current phase still waits for.
    pub pending: u32,
    /// Arrivals that every phase waits for.
    pub expected: u32,
    /// Bytes announced and not yet copied, -(2^20 - 1) to 2^20.
    pub tx_count: i32,
    /// Layout version, 0 or 1.
    pub layout: u8,
}

impl MbarrierWord {
    /// What `mbarrier.init` writes for `count` arrivals, 1 to 2^20 - 1.
    #[must_use]
    pub fn init(count: u32) -> MbarrierWord {
        MbarrierWord { phase: 0, pending: count, expected: count, tx_count: 0, layout: 0 }
    }

    /// The fields of a word; bit 42 is dropped.
    #[must_use]
    pub fn decode(word: u64) -> MbarrierWord {
        let words = split(word);
        let get = |field: &FieldSpec| field.decode(field.stored(&words));
        // Fields of 1, 20 and 21 bits: every decoded number fits.
        MbarrierWord {
            phase: get(&PHASE) as u8,
            pending: get(&PENDING) as u32,
            expected: get(&EXPECTED) as u32,
            tx_count: get(&TX_COUNT) as i32,
            layout: get(&LAYOUT) as u8,
        }
    }

    /// The word, or `None` when a count does not fit its field.
    #[must_use]
    pub fn encode(&self) -> Option<u64> {
        let mut words = [0; 2];
        let fields: [(&FieldSpec, i128); 5] = [
            (&PHASE, self.phase.into()),
            (&PENDING, self.pending.into()),
            (&EXPECTED, self.expected.into()),
            (&TX_COUNT, self.tx_count.into()),
            (&LAYOUT, self.layout.into()),
        ];
        for (field, value) in fields {
            field.store(&mut words, field.encode(value)?);
        }
        Some(u64::from(words[0]) | u64::from(words[1]) << 32)
    }
}

/// Everything there is to say about an mbarrier object.
#[must_use]
pub fn explain_mbarrier(word: u64) -> Explanation {
    let words = split(word);
    let barrier = MbarrierWord::decode(word);
    let mut explanation = Explanation::of(&MBARRIER, &words);
    let MbarrierWord { phase, pending, expected, tx_count, .. } = barrier;
    explanation.summary = match (pending, tx_count) {
        (0, 0) => format!("Phase {phase}; nothing is pending."),
        (0, tx) => format!("Phase {phase} waits for {tx} bytes; all {expected} arrivals are in."),
        (pending, 0) => format!("Phase {phase} waits for {pending} of {expected} arrivals and for no bytes."),
        (pending, tx) => {
            format!("Phase {phase} waits for {pending} of {expected} arrivals and for {tx} bytes.")
        }
    };
    explanation.derive("a wait for parity 0", if phase == 1 { "returns" } else { "waits" });
    explanation.derive("a wait for parity 1", if phase == 0 { "returns" } else { "waits" });
    if expected == 0 {
        let told = NEVER_INITIALISED.told("0 arrivals are expected: the next arrival dies with error 719");
        explanation.diagnostics.push(match word {
            0 => told.note(
                "An all-zero word is most likely an object still in the cache, or one never initialised.",
            ),
            _ => told,
        });
    } else if pending > expected {
        explanation.diagnostics.push(OVER_PENDING.told(format!(
            "{pending} arrivals are pending, more than the {expected} expected: this is no mbarrier"
        )));
    } else if pending == 0 && tx_count == 0 {
        explanation.diagnostics.push(DONE.told(
            "no arrival is pending and no byte outstanding, yet the phase has not ended: this is no mbarrier",
        ));
    }
    if ZERO.stored(&words) != 0 {
        explanation.diagnostics.push(ZERO_BIT.told("bit 42 is 1, and no mbarrier ever has it set"));
    }
    explanation
}

fn split(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// hardware: h200 probe e09_limits, raw words after one operation on `init 1000`.
    #[test]
    fn raw_words_of_a_device() {
        for (word, tx_count, pending) in [
            (0x7fe0_c3ff_ffff_f830, 1, 1000),
            (0x7fe0_c000_003f_f830, -1, 1000),
            (0x7fe0_cbff_fe1f_f830, 16, 999),
            (0x7fe0_c200_003f_f830, 0xf_ffff, 1000),
            (0x7fe0_c1ff_ffff_f830, -0xf_ffff, 1000),
        ] {
            let barrier = MbarrierWord { tx_count, pending, ..MbarrierWord::init(1000) };
            assert_eq!(MbarrierWord::decode(word), barrier, "{word:#x}");
            assert_eq!(barrier.encode(), Some(word));
            assert!(!explain_mbarrier(word).is_illegal());
        }
    }

    #[test]
    fn words_that_are_no_barrier_are_told() {
        for word in [0, u64::MAX, 0x1234_5678_9abc_def0, 1 << 42] {
            assert!(explain_mbarrier(word).is_illegal(), "{word:#x}");
        }
    }

    proptest! {
        #[test]
        fn encode_and_decode_are_inverse(
            phase in 0u8..2, pending in 0u32..1 << 20, expected in 0u32..1 << 20, tx_count in -0xf_ffff..=1i32 << 20, layout in 0u8..2,
        ) {
            let barrier = MbarrierWord { phase, pending, expected, tx_count, layout };
            prop_assert_eq!(barrier.encode().map(MbarrierWord::decode), Some(barrier));
        }

        #[test]
        fn any_word_is_explained(word: u64) {
            prop_assert!(!explain_mbarrier(word).summary.is_empty());
        }
    }
}
