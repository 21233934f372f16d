//! The channels of asynchronous operations, and what orders them.

use tilehaul_machine::{ChannelKind, ChannelSpec, Handover, Pipeline};

/// Bulk groups of a thread.
pub(crate) const BULK: ChannelKind = ChannelKind(0);
/// `cp.async` groups of a thread.
pub(crate) const CP_ASYNC: ChannelKind = ChannelKind(1);
/// Matrix products of a warp.
pub(crate) const WGMMA: ChannelKind = ChannelKind(2);
/// Tensor-memory products, copies and shifts of a thread.
pub(crate) const TC: ChannelKind = ChannelKind(3);
/// Loads from tensor memory.
pub(crate) const TC_LD: ChannelKind = ChannelKind(4);
/// Stores to tensor memory.
pub(crate) const TC_ST: ChannelKind = ChannelKind(5);

/// manual: PTX ISA: bulk and `cp.async` operations are not ordered with each other; matrix products on one accumulator
/// are, and so are the pipelines of tensor memory (tcgen05 2b.3).
pub(super) const CHANNELS: &[ChannelSpec] = &[
    ChannelSpec {
        name: "bulk groups",
        in_order: false,
        after: &[],
        per_lane: true,
        must_be_waited: true,
        one_way: false,
        handover: None,
        waits: ["cp.async.bulk.wait_group.read {}", "cp.async.bulk.wait_group {}"],
    },
    ChannelSpec {
        name: "cp.async groups",
        in_order: false,
        after: &[],
        per_lane: true,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["cp.async.wait_group {}", "cp.async.wait_group {}"],
    },
    ChannelSpec {
        name: "wgmma groups",
        in_order: true,
        after: &[WGMMA],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["wgmma.wait_group.sync.aligned {}", "wgmma.wait_group.sync.aligned {}"],
    },
    ChannelSpec {
        name: "tcgen05 operations",
        in_order: true,
        after: &[TC],
        per_lane: true,
        must_be_waited: false,
        one_way: false,
        handover: Some(TC_HANDOVER),
        waits: [
            "tcgen05.commit, a wait on its mbarrier and tcgen05.fence::after_thread_sync",
            "tcgen05.commit, a wait on its mbarrier and tcgen05.fence::after_thread_sync",
        ],
    },
    ChannelSpec {
        name: "tcgen05 loads",
        in_order: false,
        after: &[],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["tcgen05.wait::ld.sync.aligned", "tcgen05.wait::ld.sync.aligned"],
    },
    ChannelSpec {
        name: "tcgen05 stores",
        in_order: false,
        after: &[],
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: ["tcgen05.wait::st.sync.aligned", "tcgen05.wait::st.sync.aligned"],
    },
];

/// manual: PTX ISA, tcgen05 memory consistency model: pairs that are implicitly pipelined in one thread, and in two that
/// execute the fences on both sides of what orders them.
const TC_HANDOVER: Handover = Handover {
    pairs: &[
        Pipeline { first: "tcgen05.mma", then: "tcgen05.mma", same_target: true },
        Pipeline { first: "tcgen05.cp", then: "tcgen05.mma", same_target: false },
        Pipeline { first: "tcgen05.shift", then: "tcgen05.mma", same_target: false },
        Pipeline { first: "tcgen05.shift", then: "tcgen05.cp", same_target: false },
        Pipeline { first: "tcgen05.mma", then: "tcgen05.shift", same_target: false },
    ],
    fences: ["tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"],
};
