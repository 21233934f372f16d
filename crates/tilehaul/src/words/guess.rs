//! Which kind of descriptor a number of bytes is.
//!
//! Lengths decide almost everything: only a tensor map has 128 bytes, only a D# 48 or 80. Sixteen bytes are a buffer
//! resource unless they look like group 0 of a D#; eight bytes have four readings, told apart by bits that one format
//! fixes and another would hardly ever set.

use std::fmt;

use super::{Words, count};

/// Formats that `explain` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// NVIDIA `CUtensorMap`, 128 bytes.
    Tma,
    /// AMD gfx1250 tensor descriptor D#: group 0 alone, groups 0 and 1, or all four.
    Tdm,
    /// AMD buffer resource V#, 16 bytes.
    Vbuf,
    /// NVIDIA Hopper shared-memory matrix descriptor, 8 bytes.
    Wgmma,
    /// NVIDIA Blackwell shared-memory matrix descriptor, 8 bytes.
    Tcgen05,
    /// NVIDIA mbarrier object, 8 bytes.
    Mbarrier,
    /// AMD gfx1250 LDS barrier word, 8 bytes.
    LdsBarrier,
}

impl Kind {
    /// All kinds, in the order in which the help lists them.
    pub const ALL: [Kind; 7] =
        [Kind::Tma, Kind::Tdm, Kind::Vbuf, Kind::Wgmma, Kind::Tcgen05, Kind::Mbarrier, Kind::LdsBarrier];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Tma => "tma",
            Kind::Tdm => "tdm",
            Kind::Vbuf => "vbuf",
            Kind::Wgmma => "wgmma",
            Kind::Tcgen05 => "tcgen05",
            Kind::Mbarrier => "mbarrier",
            Kind::LdsBarrier => "lds-barrier",
        }
    }

    /// What people call it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Kind::Tma => "CUtensorMap",
            Kind::Tdm => "tensor descriptor (D#)",
            Kind::Vbuf => "buffer resource (V#)",
            Kind::Wgmma => "wgmma matrix descriptor",
            Kind::Tcgen05 => "tcgen05 matrix descriptor",
            Kind::Mbarrier => "mbarrier object",
            Kind::LdsBarrier => "LDS barrier word",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind, and why it was taken for that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The kind.
    pub kind: Kind,
    /// The reason, as a clause.
    pub why: String,
    /// Kinds that the same words could be.
    pub others: Vec<Kind>,
}

/// Guesses the kind from the words, and from the target where one is named (`gfx1250`, `sm_90`).
///
/// # Errors
/// When no descriptor has that many bytes; the text says which sizes there are.
pub fn guess(words: &Words, target: Option<&str>) -> Result<Guess, String> {
    if !words.bytes.len().is_multiple_of(4) {
        return Err(sizes(words));
    }
    let dwords = &words.dwords()[..];
    let amd = target.is_some_and(|t| t.starts_with("gfx"));
    let nvidia = target.is_some_and(|t| t.starts_with("sm_"));
    let sure = |kind, why: &str| Ok(Guess { kind, why: why.to_owned(), others: Vec::new() });
    match dwords.len() {
        32 => sure(Kind::Tma, "only a tensor map has 128 bytes"),
        12 => sure(Kind::Tdm, "12 dwords are groups 0 and 1 of a D#"),
        20 => sure(Kind::Tdm, "20 dwords are groups 0 to 3 of a D#"),
        4 if group0(dwords) => Ok(Guess {
            kind: Kind::Tdm,
            why: "4 dwords with type 2 and a count of 1 are group 0 of a D#".to_owned(),
            others: vec![Kind::Vbuf],
        }),
        4 => sure(Kind::Vbuf, "4 dwords are a buffer resource"),
        2 => Ok(eight_bytes(dwords, amd, nvidia)),
        _ => Err(sizes(words)),
    }
}

/// What was read, and what there could be.
fn sizes(words: &Words) -> String {
    let bytes = words.bytes.len();
    let read = if words.reading.contains("byte") {
        words.reading.clone()
    } else {
        format!("{} ({})", words.reading, count(bytes, "byte"))
    };
    let several = [("CUtensorMaps", 128), ("D#s of two groups", 48), ("D#s of four groups", 80)]
        .iter()
        .find(|(_, size)| bytes > *size && bytes.is_multiple_of(*size))
        .map(|(name, size)| format!("; these may be {} {name}: give one", bytes / size));
    format!(
        "{read} are no descriptor: a CUtensorMap has 128 bytes (32 words), a D# 48 (groups 0 and 1, 12 words) or 80 (groups 0 \
         to 3, 20 words; group 0 alone 16), a buffer resource 16 (4 words), an mbarrier, LDS barrier word or matrix \
         descriptor 8 (2 words){}",
        several.unwrap_or_default()
    )
}

/// Group 0 of a D# names itself: type 2 in the top bits, count 1, nothing between count and the gather bits.
fn group0(dwords: &[u32]) -> bool {
    let (Some(&first), Some(&last)) = (dwords.first(), dwords.get(3)) else { return false };
    first & 0x3fff_ffff == 1 && last >> 25 == 0x40
}

fn eight_bytes(dwords: &[u32], amd: bool, nvidia: bool) -> Guess {
    let word = dwords.iter().rev().fold(0u64, |w, &d| w << 32 | u64::from(d));
    let (kind, why) = if amd {
        (Kind::LdsBarrier, "8 bytes on an AMD target are an LDS barrier word")
    } else if blackwell_descriptor(word) {
        (Kind::Tcgen05, "bits 48:46 hold the constant 1 that only a tcgen05 descriptor has")
    } else if mbarrier(word) {
        (
            Kind::Mbarrier,
            "it holds a small expected count the way an mbarrier stores it, as 2^20 minus the count",
        )
    } else if !nvidia && word >> 29 & 7 != 0 && word & 0x1fff_ffff < 1024 && word >> 48 == 0 {
        (Kind::LdsBarrier, "a small pending count, a phase above bit 28 and a small reload count")
    } else if hopper_descriptor(word) {
        (Kind::Wgmma, "the bits that a wgmma descriptor leaves zero are zero, and its strides are not")
    } else if word >> 48 == 0 && word & 0x1fff_ffff < 1024 && !nvidia {
        (Kind::LdsBarrier, "small pending and reload counts")
    } else {
        (Kind::Mbarrier, "8 bytes that fit no matrix descriptor")
    };
    let others = [Kind::Mbarrier, Kind::Wgmma, Kind::Tcgen05, Kind::LdsBarrier]
        .into_iter()
        .filter(|&k| k != kind && !(nvidia && k == Kind::LdsBarrier) && !(amd && k != Kind::LdsBarrier))
        .collect();
    Guess { kind, why: why.to_owned(), others }
}

/// tcgen05: 48:46 = 001, bits 15:14, 31:30, 60:54 zero (spec tcgen05, shared-memory descriptor).
fn blackwell_descriptor(word: u64) -> bool {
    word >> 46 & 7 == 1 && word >> 14 & 3 == 0 && word >> 30 & 3 == 0 && word >> 53 & 0xff == 0
}

/// wgmma: bits 15:14, 31:30, 48:46 and 61:52 zero, and a stride or leading offset that is not zero.
fn hopper_descriptor(word: u64) -> bool {
    let zero = word >> 14 & 3 == 0 && word >> 30 & 3 == 0 && word >> 46 & 7 == 0 && word >> 52 & 0x3ff == 0;
    zero && (word >> 16 & 0x3fff != 0 || word >> 62 != 0) && word >> 32 & 0x3fff != 0
}

/// mbarrier: bits 20:1 hold 2^20 - expected, bits 62:43 2^20 - pending, and pending never exceeds expected.
fn mbarrier(word: u64) -> bool {
    const SCALE: u64 = 1 << 20;
    let expected = SCALE - (word >> 1 & (SCALE - 1));
    let pending = (SCALE - (word >> 43 & (SCALE - 1))) % SCALE;
    expected <= 2048 && pending <= expected
}
