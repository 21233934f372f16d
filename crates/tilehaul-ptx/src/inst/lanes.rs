//! Exchange between lanes, and barriers of blocks.

use super::{Pred, Slot};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

#[derive(Clone, Debug)]
pub(crate) struct ShuffleOp {
    pub(crate) kind: Shuffle,
    pub(crate) d: Slot,
    pub(crate) p: Option<Pred>,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) mask: Slot,
    /// Where each lane's value comes from, when `b` and `c` are literals and `mask` names all lanes, as nearly always.
    pub(crate) routes: Option<Routes>,
}

/// Where the lanes of a shuffle get their values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routes {
    pub(crate) from: [u8; 32],
    /// Lanes whose source is in reach; the others keep their own value.
    pub(crate) valid: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteKind {
    All,
    Any,
    Uni,
    Ballot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarKind {
    Sync,
    Arrive,
    Popc,
    And,
    Or,
}
