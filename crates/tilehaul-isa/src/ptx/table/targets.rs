//! Which targets have which form of an instruction, where a modifier decides it rather than the row.
//!
//! Source: ptxas 13.5; `evidence/ptxas/targets.tsv` is what it answered, and the test compares every line of it.

/// Targets that end in `a` or `f`, of the data-centre chips from sm_100 on.
pub(super) const DATA_CENTRE: &str = "100a 100f 101a 101f 103a 103f 107a 107f 110a 110f";
/// The same without their families.
pub(super) const DATA_CENTRE_EXACT: &str = "100a 101a 103a 107a 110a";
/// Targets that end in `a` or `f`, of every chip from sm_100 on.
pub(super) const SPECIFIC: &str = "100a 100f 101a 101f 103a 103f 107a 107f 110a 110f 120a 120f 121a 121f";
/// The same of sm_120 and sm_121 alone.
pub(super) const GEFORCE: &str = "120a 120f 121a 121f";
/// Those of sm_100 on and sm_90a.
pub(super) const SPECIFIC_90: &str =
    "90a 100a 100f 101a 101f 103a 103f 107a 107f 110a 110f 120a 120f 121a 121f";

/// A form that needs more than its row says.
pub(super) struct Feature {
    /// First words of the instruction's name.
    pub(super) name: &'static str,
    /// Modifiers that must all be there, separated by blanks; `a|b` for either.
    pub(super) modifiers: &'static str,
    /// As in a row.
    pub(super) targets: &'static str,
}

const fn feature(name: &'static str, modifiers: &'static str, targets: &'static str) -> Feature {
    Feature { name, modifiers, targets }
}

/// All features; every one that matches must hold.
pub(super) const FEATURES: &[Feature] = &[
    feature("cp.async.bulk.tensor", "cta_group::1|cta_group::2", DATA_CENTRE),
    feature("cp.async.bulk.tensor", "tile::gather4", "100"),
    feature("cp.async.bulk.tensor", "tile::gather4 shared::cluster", DATA_CENTRE),
    feature("cp.async.bulk.tensor", "tile::scatter4", DATA_CENTRE),
    feature("cp.async.bulk.tensor", "im2col::w", "100"),
    feature("cp.async.bulk.tensor", "im2col::w shared::cluster", DATA_CENTRE),
    feature("cp.async.bulk.tensor", "im2col::w::128", DATA_CENTRE),
    feature("cp.async.bulk.prefetch.tensor", "tile::gather4|im2col::w|im2col::w::128", DATA_CENTRE),
    feature("cp.async.bulk", "cp_mask", "100"),
    feature("ld", "v8", "100"),
    feature("ld", "v4 b64|u64|s64|f64", "100"),
    feature("st", "v8", "100"),
    feature("st", "v4 b64|u64|s64|f64", "100"),
    feature("cvt", "satfinite tf32", "100"),
    feature("cvt", "rs", "100a 103a"),
    feature("cvt", "ue8m0x2", SPECIFIC),
    feature("clusterlaunchcontrol", "multicast::cluster::all", SPECIFIC),
    feature("mma", "kind::f8f6f4", SPECIFIC),
    feature("tcgen05.mma", "kind::i8", "100a 101a 110a"),
    feature("tcgen05.mma", "scale_vec::1X|scale_vec::2X|scale_vec::4X", DATA_CENTRE_EXACT),
    feature("tensormap.replace", "swizzle_atomicity", SPECIFIC),
];

impl Feature {
    pub(super) fn applies(&self, name: &str, modifiers: &[String]) -> bool {
        name.strip_prefix(self.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            && self
                .modifiers
                .split(' ')
                .all(|any| any.split('|').any(|one| modifiers.iter().any(|m| m == one)))
    }
}
