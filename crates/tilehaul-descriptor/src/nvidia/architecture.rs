//! What differs between chips: one row a target.
//!
//! Driver rules were measured on sm_90 (h200 facts 1 to 17). For the other chips they are the default, labelled
//! inferred; only what cuda.h and the PTX manual add for them (packed types, swizzle atoms, 96B) is a row's own.

use tilehaul_diag::Source;

use super::{DataType, Swizzle};

/// One target, and what its tensor maps can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Its name, such as `sm_90a`.
    pub name: &'static str,
    /// Number of the compute capability: 90, 100, 120.
    pub number: u32,
    /// Swizzles that an encode call takes.
    pub swizzles: &'static [Swizzle],
    /// The packed 4- and 6-bit types exist.
    pub packed_types: PackedTypes,
    /// The 96B swizzle, which only `tensormap.replace` can set, exists.
    pub swizzle_96: Swizzle96,
    /// `tensormap.replace` assembles for this target.
    pub replace: Replace,
    /// Most shared memory that one CTA can have, in bytes.
    pub shared_bytes: u32,
    /// How well the driver's rules are known here.
    pub source: Source,
}

/// Are there packed 4- and 6-bit types?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedTypes {
    /// Every encode call with them is refused.
    Absent,
    /// They can be named.
    Present,
}

/// Is there a 96B swizzle?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swizzle96 {
    /// The bit has no meaning.
    Absent,
    /// The bit selects it.
    Present,
}

/// Can the target edit maps?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// `tensormap.replace` does not assemble.
    Absent,
    /// It does.
    Present,
}

const HOPPER: &[Swizzle] = &[Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128];
const BLACKWELL: &[Swizzle] = &[
    Swizzle::None,
    Swizzle::B32,
    Swizzle::B64,
    Swizzle::B128,
    Swizzle::B128Atom32,
    Swizzle::B128Atom32Flip8,
    Swizzle::B128Atom64,
];

const fn hopper(name: &'static str, replace: Replace) -> Architecture {
    Architecture {
        name,
        number: 90,
        swizzles: HOPPER,
        packed_types: PackedTypes::Absent,
        swizzle_96: Swizzle96::Absent,
        replace,
        shared_bytes: 227 * 1024,
        source: Source::hardware("h200 facts 1-17"),
    }
}

const fn blackwell(
    name: &'static str,
    number: u32,
    shared_kib: u32,
    swizzle_96: Swizzle96,
    replace: Replace,
) -> Architecture {
    Architecture {
        name,
        number,
        swizzles: BLACKWELL,
        packed_types: PackedTypes::Present,
        swizzle_96,
        replace,
        shared_bytes: shared_kib * 1024,
        source: Source::inferred("sm_90's driver rules (h200 facts 1-17) with cuda.h 13.5"),
    }
}

use Replace::{Absent as Fixed, Present as Editable};
use Swizzle96::{Absent as No96, Present as Has96};

// Editability and 96B: ptxas 13.5. Shared memory: CUDA Programming Guide, compute capabilities.
const ARCHITECTURES: &[Architecture] = &[
    hopper("sm_90", Fixed),
    hopper("sm_90a", Editable),
    blackwell("sm_100", 100, 227, No96, Fixed),
    blackwell("sm_100f", 100, 227, No96, Editable),
    blackwell("sm_100a", 100, 227, No96, Editable),
    blackwell("sm_103", 103, 227, No96, Fixed),
    blackwell("sm_103f", 103, 227, No96, Editable),
    blackwell("sm_103a", 103, 227, Has96, Editable),
    blackwell("sm_107a", 107, 227, Has96, Editable),
    blackwell("sm_110", 110, 227, No96, Fixed),
    blackwell("sm_110f", 110, 227, No96, Editable),
    blackwell("sm_110a", 110, 227, No96, Editable),
    blackwell("sm_120", 120, 99, No96, Fixed),
    blackwell("sm_120f", 120, 99, No96, Editable),
    blackwell("sm_120a", 120, 99, No96, Editable),
    blackwell("sm_121", 121, 99, No96, Fixed),
    blackwell("sm_121a", 121, 99, No96, Editable),
];

impl Architecture {
    /// `sm_90a`: the chip that the rules were measured on, and the default.
    pub const SM_90A: &'static Architecture = &ARCHITECTURES[1];

    /// Every target known, by rising number.
    #[must_use]
    pub fn all() -> &'static [Architecture] {
        ARCHITECTURES
    }

    /// The target of that name; `compute_90a` and `90a` are understood too.
    #[must_use]
    pub fn parse(name: &str) -> Option<&'static Architecture> {
        let name = name.trim();
        let bare = name.strip_prefix("sm_").or_else(|| name.strip_prefix("compute_")).unwrap_or(name);
        ARCHITECTURES.iter().find(|a| a.name.strip_prefix("sm_") == Some(bare))
    }

    /// Whether code compiled for this target runs on `chip`, and if not, why: a sentence without its beginning.
    ///
    /// manual: PTX ISA, `.target`: `sm_90a` code runs on that architecture only, `sm_100f` code on its family; checked with
    /// ptxas 13.5.
    ///
    /// # Errors
    /// The reason.
    pub fn runs_on(&self, chip: &Architecture) -> Result<(), &'static str> {
        if self.name == chip.name {
            return Ok(());
        }
        if self.number > chip.number {
            return Err("is for a newer architecture");
        }
        match self.name.chars().last() {
            Some('a') => {
                Err("runs on that architecture only: targets that end in a are not forward compatible")
            }
            Some('f') if self.number / 10 != chip.number / 10 => Err(
                "runs on its own family only: targets that end in f are not compatible with other families",
            ),
            _ => Ok(()),
        }
    }

    /// An encode call may name this data type.
    #[must_use]
    pub fn has_data_type(&self, data_type: DataType) -> bool {
        self.packed_types == PackedTypes::Present || !data_type.element().is_packed()
    }

    /// An encode call may name this swizzle.
    #[must_use]
    pub fn has_swizzle(&self, swizzle: Swizzle) -> bool {
        self.swizzles.contains(&swizzle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_runs_where_ptxas_compiles_it() {
        let runs = |code: &str, chip: &str| {
            Architecture::parse(code).unwrap().runs_on(Architecture::parse(chip).unwrap()).is_ok()
        };
        for (code, chip, want) in [
            ("sm_90", "sm_90a", true),
            ("sm_90", "sm_100a", true),
            ("sm_90a", "sm_90a", true),
            ("sm_90a", "sm_100a", false),
            ("sm_90a", "sm_90", false),
            ("sm_100f", "sm_103a", true),
            ("sm_100f", "sm_100", true),
            ("sm_100f", "sm_110a", false),
            ("sm_103f", "sm_100a", false),
            ("sm_120f", "sm_121a", true),
            ("sm_100a", "sm_100f", false),
            ("sm_100", "sm_90a", false),
        ] {
            assert_eq!(runs(code, chip), want, "{code} on {chip}");
        }
    }

    #[test]
    fn targets_are_found_by_their_spellings() {
        assert_eq!(Architecture::SM_90A.name, "sm_90a");
        assert_eq!(Architecture::parse("compute_103a").map(|a| a.name), Some("sm_103a"));
        assert_eq!(Architecture::parse("120a").map(|a| a.number), Some(120));
        assert_eq!(Architecture::parse("sm_80"), None);
        assert!(!Architecture::SM_90A.has_data_type(DataType::U4Align8));
    }
}
