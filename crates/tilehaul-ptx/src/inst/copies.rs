//! Copies: bulk, tensor, and changes of tensor maps.

use tilehaul_engine::reduce::ReduceOp;

use super::{Addr, Slot};

/// How a tensor instruction walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TensorMode {
    Tile,
    Gather4,
    Scatter4,
    Im2col,
    Im2colW,
    Im2colW128,
    Im2colNoOffs,
}

#[derive(Clone, Debug)]
pub(crate) struct TensorOp {
    pub(crate) mode: TensorMode,
    pub(crate) rank: u32,
    /// Shared-memory address: destination of a load, source of a store. Unused by prefetches.
    pub(crate) shared: Addr,
    pub(crate) map: Addr,
    pub(crate) coords: Box<[Slot]>,
    pub(crate) offsets: Box<[Slot]>,
    pub(crate) mbar: Addr,
    pub(crate) multicast: Option<Slot>,
    pub(crate) pair: bool,
    pub(crate) reduce: Option<ReduceOp>,
}

#[derive(Clone, Debug)]
pub(crate) struct BulkOp {
    pub(crate) dst: Addr,
    pub(crate) src: Addr,
    pub(crate) size: Slot,
    pub(crate) mbar: Option<Addr>,
    pub(crate) multicast: Option<Slot>,
    pub(crate) byte_mask: Option<Slot>,
    pub(crate) reduce: Option<(ReduceOp, String)>,
    pub(crate) dst_shared: bool,
    pub(crate) src_shared: bool,
}

/// What `tensormap.replace` replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplaceField {
    pub(crate) name: String,
    pub(crate) ordinal: u32,
}
