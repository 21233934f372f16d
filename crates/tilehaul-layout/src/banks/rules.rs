//! The table of phases: which lanes are served together, by chip, kind and width of the access.

use std::fmt;

use tilehaul_diag::Source;

/// Chips whose banks are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chip {
    /// NVIDIA, measured on sm_90; the later chips document nothing else.
    Nvidia,
    /// CDNA3: gfx940 to gfx942.
    Cdna3,
    /// CDNA4: gfx950.
    Cdna4,
    /// gfx1250.
    Gfx1250,
}

impl Chip {
    /// All of them.
    pub const ALL: [Chip; 4] = [Chip::Nvidia, Chip::Cdna3, Chip::Cdna4, Chip::Gfx1250];

    /// The chip of a target name such as `sm_90a` or `gfx950`.
    #[must_use]
    pub fn from_target(target: &str) -> Option<Chip> {
        match target {
            "nvidia" => Some(Chip::Nvidia),
            "cdna3" | "gfx940" | "gfx941" | "gfx942" => Some(Chip::Cdna3),
            "cdna4" | "gfx950" => Some(Chip::Cdna4),
            "gfx1250" | "cdna5" => Some(Chip::Gfx1250),
            _ => {
                let digits = target.strip_prefix("sm_")?.trim_end_matches(['a', 'f']);
                (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(Chip::Nvidia)
            }
        }
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Chip::Nvidia => "NVIDIA",
            Chip::Cdna3 => "CDNA3",
            Chip::Cdna4 => "CDNA4",
            Chip::Gfx1250 => "gfx1250",
        }
    }

    /// Lanes of a warp or wave.
    #[must_use]
    pub fn lanes(self) -> u32 {
        match self {
            Chip::Nvidia | Chip::Gfx1250 => 32,
            Chip::Cdna3 | Chip::Cdna4 => 64,
        }
    }

    /// Banks of its shared memory; on gfx950 some accesses see only 32 of the 64.
    #[must_use]
    pub fn banks(self) -> u32 {
        match self {
            Chip::Nvidia | Chip::Cdna3 => 32,
            Chip::Cdna4 | Chip::Gfx1250 => 64,
        }
    }
}

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A plain load: `ld.shared`, `ds_read`, or one matrix row a lane of `ldmatrix`.
    Load,
    /// A plain store.
    Store,
    /// `ds_load_tr*` of gfx1250.
    Transpose,
}

/// Bits that each lane moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Width(u32);

impl Width {
    /// 8, 16, 32, 64, 96 or 128 bits.
    #[must_use]
    pub fn new(bits: u32) -> Option<Width> {
        matches!(bits, 8 | 16 | 32 | 64 | 96 | 128).then_some(Width(bits))
    }

    /// Bits of a lane.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Bytes of a lane.
    #[must_use]
    pub fn bytes(self) -> u32 {
        self.0 / 8
    }
}

/// How the lanes of an instruction are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Groups of this many neighbouring lanes, one after the other.
    Runs(u32),
    /// These groups of lanes, as bit masks, one after the other.
    Groups(&'static [u64]),
    /// Groups of this many neighbouring lanes; each lane gives one 32-bit word a service, so a wider access takes
    /// several services.
    WordByWord(u32),
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankRule {
    /// The chip.
    pub chip: Chip,
    /// Kinds it holds for.
    pub kind: Kind,
    /// Widths it holds for, in bits.
    pub widths: &'static [u32],
    /// Banks that the access sees.
    pub banks: u32,
    /// Lanes that are served together.
    pub service: Service,
    /// Where it is known from.
    pub source: Source,
}

/// Facts on which sources disagree; each default is named in the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// gfx950: 32-bit loads see 32 banks in two halves (a rocRoller statement) instead of 64 banks and all 64 lanes at
    /// once (measured by amd-shark).
    pub gfx950_narrow_loads: bool,
}

const H200: Source = Source::hardware("h200 timing, bank records");
const SHARK: Source = Source::manual("amd-shark guide; Triton 11365");
const KITTENS: Source = Source::manual("HipKittens, measured on gfx950");
const WRITES_32: Source = Source::inferred("a rocRoller statement: writes on gfx950 behave as 32 banks");
const BANK_1250: Source = Source::manual("the one public statement of the gfx1250 LDS schedule");

/// Lanes `a` to `b`, as a mask.
const fn lanes(a: u32, b: u32) -> u64 {
    (u64::MAX >> (63 - (b - a))) << a
}

const B128_LOAD_CDNA3: [u64; 8] = [
    lanes(0, 3) | lanes(20, 23),
    lanes(32, 35) | lanes(52, 55),
    lanes(4, 7) | lanes(16, 19),
    lanes(36, 39) | lanes(48, 51),
    lanes(8, 11) | lanes(28, 31),
    lanes(40, 43) | lanes(60, 63),
    lanes(12, 15) | lanes(24, 27),
    lanes(44, 47) | lanes(56, 59),
];
const B128_LOAD_CDNA4: [u64; 4] = [
    lanes(0, 3) | lanes(12, 15) | lanes(20, 27),
    lanes(32, 35) | lanes(44, 47) | lanes(52, 59),
    lanes(4, 11) | lanes(16, 19) | lanes(28, 31),
    lanes(36, 43) | lanes(48, 51) | lanes(60, 63),
];
const B96_LOAD_CDNA4: [u64; 8] = [
    lanes(0, 3) | lanes(20, 23),
    lanes(4, 7) | lanes(16, 19),
    lanes(8, 11) | lanes(28, 31),
    lanes(12, 15) | lanes(24, 27),
    lanes(32, 35) | lanes(52, 55),
    lanes(36, 39) | lanes(48, 51),
    lanes(40, 43) | lanes(60, 63),
    lanes(44, 47) | lanes(56, 59),
];

const NARROW: &[u32] = &[8, 16, 32];

const fn row(
    chip: Chip,
    kind: Kind,
    widths: &'static [u32],
    banks: u32,
    service: Service,
    source: Source,
) -> BankRule {
    BankRule { chip, kind, widths, banks, service, source }
}

/// Every known schedule.
pub const RULES: &[BankRule] = &[
    row(Chip::Nvidia, Kind::Load, NARROW, 32, Service::Runs(32), H200),
    row(Chip::Nvidia, Kind::Load, &[64], 32, Service::Runs(16), H200),
    row(Chip::Nvidia, Kind::Load, &[128], 32, Service::Runs(8), H200),
    row(Chip::Nvidia, Kind::Store, NARROW, 32, Service::Runs(32), Source::inferred("as the loads of sm_90")),
    row(Chip::Nvidia, Kind::Store, &[64], 32, Service::Runs(16), Source::inferred("as the loads of sm_90")),
    row(Chip::Nvidia, Kind::Store, &[128], 32, Service::Runs(8), Source::inferred("as the loads of sm_90")),
    row(Chip::Cdna3, Kind::Load, NARROW, 32, Service::Runs(32), SHARK),
    row(Chip::Cdna3, Kind::Load, &[64], 32, Service::Runs(16), SHARK),
    row(Chip::Cdna3, Kind::Load, &[128], 32, Service::Groups(&B128_LOAD_CDNA3), SHARK),
    row(Chip::Cdna3, Kind::Store, NARROW, 32, Service::Runs(32), SHARK),
    row(Chip::Cdna3, Kind::Store, &[64], 32, Service::Runs(16), SHARK),
    row(Chip::Cdna3, Kind::Store, &[128], 32, Service::Runs(8), SHARK),
    row(Chip::Cdna4, Kind::Load, NARROW, 64, Service::Runs(64), SHARK),
    row(Chip::Cdna4, Kind::Load, &[64], 64, Service::Runs(32), SHARK),
    row(Chip::Cdna4, Kind::Load, &[96], 32, Service::Groups(&B96_LOAD_CDNA4), KITTENS),
    row(Chip::Cdna4, Kind::Load, &[128], 64, Service::Groups(&B128_LOAD_CDNA4), SHARK),
    row(Chip::Cdna4, Kind::Store, NARROW, 32, Service::Runs(32), WRITES_32),
    row(Chip::Cdna4, Kind::Store, &[64], 32, Service::Runs(16), KITTENS),
    row(Chip::Cdna4, Kind::Store, &[128], 32, Service::Runs(8), WRITES_32),
    row(Chip::Gfx1250, Kind::Load, NARROW, 64, Service::Runs(16), BANK_1250),
    row(Chip::Gfx1250, Kind::Load, &[64, 128], 64, Service::Runs(16), BANK_1250),
    row(
        Chip::Gfx1250,
        Kind::Load,
        &[96],
        64,
        Service::Runs(8),
        Source::inferred("gfx12 b96: groups of eight"),
    ),
    row(
        Chip::Gfx1250,
        Kind::Store,
        &[8, 16, 32, 64, 128],
        64,
        Service::Runs(16),
        Source::inferred("as the loads of gfx1250"),
    ),
    row(Chip::Gfx1250, Kind::Transpose, &[64, 96, 128], 64, Service::WordByWord(16), BANK_1250),
];

/// gfx950 when 32-bit loads behave as 32 banks.
const NARROW_LOADS_950: BankRule = row(
    Chip::Cdna4,
    Kind::Load,
    NARROW,
    32,
    Service::Runs(32),
    Source::inferred("a rocRoller statement: narrow loads on gfx950 behave as 32 banks"),
);

/// No source says how the chip serves this access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The chip.
    pub chip: Chip,
    /// The kind.
    pub kind: Kind,
    /// The width.
    pub width: Width,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Load => "loads",
            Kind::Store => "stores",
            Kind::Transpose => "transposing loads",
        };
        write!(
            f,
            "bank phases of {}-bit {kind} on {} are not known from any source",
            self.width.bits(),
            self.chip.name()
        )
    }
}

impl std::error::Error for Unknown {}

/// The schedule of an access.
///
/// # Errors
/// When no source tells it.
pub fn rule(chip: Chip, kind: Kind, width: Width, switches: Switches) -> Result<&'static BankRule, Unknown> {
    let fits = |r: &&BankRule| r.chip == chip && r.kind == kind && r.widths.contains(&width.bits());
    if switches.gfx950_narrow_loads && fits(&&NARROW_LOADS_950) {
        return Ok(&NARROW_LOADS_950);
    }
    RULES.iter().find(fits).ok_or(Unknown { chip, kind, width })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_every_lane_once() {
        for r in RULES {
            let all = u64::MAX >> (64 - r.chip.lanes());
            match r.service {
                Service::Groups(groups) => {
                    assert_eq!(groups.iter().map(|g| g.count_ones()).sum::<u32>(), r.chip.lanes());
                    assert_eq!(groups.iter().fold(0, |a, g| a | g), all);
                }
                Service::Runs(n) | Service::WordByWord(n) => assert_eq!(r.chip.lanes() % n, 0),
            }
        }
    }

    #[test]
    fn targets_name_chips() {
        assert_eq!(Chip::from_target("sm_90a"), Some(Chip::Nvidia));
        assert_eq!(Chip::from_target("sm_"), None);
        assert_eq!(Chip::from_target("gfx942"), Some(Chip::Cdna3));
        assert_eq!(Chip::from_target("gfx1100"), None);
        let wide = Width::new(96).unwrap();
        assert!(rule(Chip::Cdna3, Kind::Load, wide, Switches::default()).is_err());
    }
}
