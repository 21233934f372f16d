//! What instructions name: registers, predicates, addresses.

/// A register of the warp.
pub(crate) type Slot = u32;
/// A predicate of the warp.
pub(crate) type Pred = u32;

/// A predicate as a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PredSource {
    pub(crate) pred: Pred,
    pub(crate) negated: bool,
}

/// Base register plus constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Addr {
    pub(crate) base: Slot,
    pub(crate) offset: i64,
}

/// Which addresses an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mem {
    Generic,
    Global,
    Shared,
    Local,
    Param,
}
