//! The asynchronous channels of a wave and the counters that count them.
//!
//! gfx9 has vmcnt (vector memory, loads and stores alike, and loads to LDS) and lgkmcnt (LDS, scalar memory, messages).
//! gfx1250 has one counter a kind. A channel completes in order unless its row says otherwise. Flat operations count on two
//! counters; the one of the memory that their lanes go to says when they have ended. manual: CDNA3 ISA 4.4; LLVM SIInsertWaitcnts.

use tilehaul_machine::{ChannelKind, ChannelSpec, CounterKind, CounterSpec};

pub(crate) const DS: ChannelKind = ChannelKind(1);
pub(crate) const SMEM: ChannelKind = ChannelKind(2);

/// gfx9: all vector memory operations. gfx1250: vector loads.
pub(crate) const VMEM: ChannelKind = ChannelKind(0);
/// Flat operations with lanes in LDS and in memory, or with none.
const FLAT9: ChannelKind = ChannelKind(3);
const MESSAGE9: ChannelKind = ChannelKind(4);
/// Flat operations whose lanes all go to memory: LDS has nothing to do and lgkmcnt goes down at once.
const FLAT_MEMORY9: ChannelKind = ChannelKind(5);
/// Flat operations whose lanes all go to LDS.
const FLAT_LDS9: ChannelKind = ChannelKind(6);

pub(crate) const STORE12: ChannelKind = ChannelKind(3);
pub(crate) const ASYNC_LOAD: ChannelKind = ChannelKind(4);
pub(crate) const ASYNC_STORE: ChannelKind = ChannelKind(5);
pub(crate) const TENSOR: ChannelKind = ChannelKind(6);
/// Flat operations with lanes in LDS and in memory, or with none.
const FLAT12: ChannelKind = ChannelKind(7);
pub(crate) const CLUSTER: ChannelKind = ChannelKind(8);
const MESSAGE12: ChannelKind = ChannelKind(9);
/// Flat loads, and atomics that return, whose lanes all go to memory: LDS has nothing to do.
const FLAT_LOAD12: ChannelKind = ChannelKind(10);
/// Flat stores, and atomics that return nothing, whose lanes all go to memory.
const FLAT_STORE12: ChannelKind = ChannelKind(11);
/// Flat operations whose lanes all go to LDS.
const FLAT_LDS12: ChannelKind = ChannelKind(12);

/// Number of channels that the machine knows, and the last two, which live in the wave alone.
pub(crate) const TRACKED: usize = 15;

/// Address translations of vector memory instructions, in order.
pub(crate) const VECTOR_TRANSLATION: ChannelKind = ChannelKind(13);
/// Address translations of scalar memory instructions, out of order.
pub(crate) const SCALAR_TRANSLATION: ChannelKind = ChannelKind(14);

pub(crate) fn store_channel(gfx12: bool) -> ChannelKind {
    if gfx12 { STORE12 } else { VMEM }
}

/// The channel of a flat operation with lanes in LDS, lanes in memory, or both; `alone` is where a global one would be.
pub(crate) fn flat_channel(gfx12: bool, lds: bool, memory: bool, alone: ChannelKind) -> ChannelKind {
    match (lds, memory) {
        (false, true) if gfx12 && alone == STORE12 => FLAT_STORE12,
        (false, true) if gfx12 => FLAT_LOAD12,
        (true, false) if gfx12 => FLAT_LDS12,
        _ if gfx12 => FLAT12,
        (false, true) => FLAT_MEMORY9,
        (true, false) => FLAT_LDS9,
        _ => FLAT9,
    }
}

pub(crate) fn message_channel(gfx12: bool) -> ChannelKind {
    if gfx12 { MESSAGE12 } else { MESSAGE9 }
}

const fn channel(name: &'static str, in_order: bool, after: &'static [ChannelKind]) -> ChannelSpec {
    ChannelSpec {
        name,
        in_order,
        after,
        per_lane: false,
        must_be_waited: false,
        one_way: false,
        handover: None,
        waits: [""; 2],
    }
}

/// Waves of one workgroup share the vector cache of their compute unit, which takes their operations in order of issue:
/// LLVM leaves the wait for vmcnt out of a release to the workgroup. manual: LLVM AMDGPUUsage, memory model of gfx90a and
/// gfx942, "if not TgSplit execution mode, omit vmcnt(0)". From gfx10 on the wait is there.
const fn one_way(spec: ChannelSpec) -> ChannelSpec {
    ChannelSpec { one_way: true, ..spec }
}

const BEHIND_MEMORY9: &[ChannelKind] = &[VMEM, FLAT9, FLAT_MEMORY9];
const BEHIND_LDS9: &[ChannelKind] = &[DS, FLAT9, FLAT_LDS9];
const BEHIND_FLAT9: &[ChannelKind] = &[VMEM, DS, FLAT9, FLAT_MEMORY9, FLAT_LDS9];

// Flat accesses of one wave to the same bytes stay in order. inferred: LLVM 22 puts no wait between them.
pub(crate) const CHANNELS9: &[ChannelSpec] = &[
    one_way(channel("vector memory", true, BEHIND_MEMORY9)),
    channel("LDS", true, BEHIND_LDS9),
    channel("scalar memory", false, &[]),
    one_way(channel("flat memory", false, BEHIND_FLAT9)),
    channel("messages", false, &[]),
    one_way(channel("flat memory", false, BEHIND_MEMORY9)),
    channel("flat memory", false, BEHIND_LDS9),
];

/// With TG_SPLIT waves of one workgroup run on several compute units and share no vector cache. manual: LLVM AMDGPUUsage,
/// memory model of gfx942, tgsplit.
pub(crate) const CHANNELS9_SPLIT: &[ChannelSpec] = &[
    channel("vector memory", true, BEHIND_MEMORY9),
    channel("LDS", true, BEHIND_LDS9),
    channel("scalar memory", false, &[]),
    channel("flat memory", false, BEHIND_FLAT9),
    channel("messages", false, &[]),
    channel("flat memory", false, BEHIND_MEMORY9),
    channel("flat memory", false, BEHIND_LDS9),
];

const BEHIND_MEMORY12: &[ChannelKind] = &[VMEM, STORE12, FLAT12, FLAT_LOAD12, FLAT_STORE12];
const BEHIND_LDS12: &[ChannelKind] = &[DS, FLAT12, FLAT_LDS12];
const BEHIND_FLAT12: &[ChannelKind] = &[VMEM, STORE12, DS, FLAT12, FLAT_LOAD12, FLAT_STORE12, FLAT_LDS12];

pub(crate) const CHANNELS12: &[ChannelSpec] = &[
    channel("vector loads", true, BEHIND_MEMORY12),
    channel("LDS", true, BEHIND_LDS12),
    channel("scalar memory", false, &[]),
    channel("vector stores", true, BEHIND_MEMORY12),
    channel("async loads", true, &[ASYNC_LOAD]),
    channel("async stores", true, &[ASYNC_STORE]),
    channel("tensor operations", true, &[TENSOR]),
    // From gfx10 on flat operations end in order on each of their counters, with the others that it counts (`flat.rs`).
    // inferred: the waits of LLVM 22.
    channel("flat memory", true, BEHIND_FLAT12),
    channel("cluster loads", true, &[CLUSTER]),
    channel("messages", false, &[]),
    channel("flat memory", true, BEHIND_MEMORY12),
    channel("flat memory", true, BEHIND_MEMORY12),
    channel("flat memory", true, BEHIND_LDS12),
];

pub(crate) const VMCNT: CounterKind = CounterKind(0);
pub(crate) const LGKMCNT: CounterKind = CounterKind(1);

pub(crate) const COUNTERS9: &[CounterSpec] = &[
    CounterSpec {
        name: "vmcnt",
        channels: BEHIND_MEMORY9,
        max: 63,
        wait: "s_waitcnt vmcnt({})",
        drain: None,
    },
    CounterSpec {
        name: "lgkmcnt",
        channels: &[DS, SMEM, FLAT9, MESSAGE9, FLAT_LDS9],
        max: 15,
        wait: "s_waitcnt lgkmcnt({})",
        drain: None,
    },
];

pub(crate) const LOADCNT: CounterKind = CounterKind(0);
pub(crate) const STORECNT: CounterKind = CounterKind(1);
pub(crate) const DSCNT: CounterKind = CounterKind(2);
pub(crate) const KMCNT: CounterKind = CounterKind(3);
pub(crate) const ASYNCCNT: CounterKind = CounterKind(4);
pub(crate) const TENSORCNT: CounterKind = CounterKind(5);

pub(crate) const COUNTERS12: &[CounterSpec] = &[
    CounterSpec {
        name: "loadcnt",
        channels: &[VMEM, FLAT12, FLAT_LOAD12],
        max: 63,
        wait: "s_wait_loadcnt {}",
        drain: None,
    },
    CounterSpec {
        name: "storecnt",
        channels: &[STORE12, FLAT_STORE12],
        max: 63,
        wait: "s_wait_storecnt {}",
        drain: None,
    },
    CounterSpec { name: "dscnt", channels: BEHIND_LDS12, max: 63, wait: "s_wait_dscnt {}", drain: None },
    CounterSpec {
        name: "kmcnt",
        channels: &[SMEM, MESSAGE12],
        max: 31,
        wait: "s_wait_kmcnt {}",
        drain: None,
    },
    CounterSpec {
        name: "asynccnt",
        channels: &[ASYNC_LOAD, ASYNC_STORE, CLUSTER],
        max: 63,
        wait: "s_wait_asynccnt {}",
        drain: None,
    },
    // manual: LLVM, FeatureNeedsTDMDrain (gfx1250) puts a wait for 10 before a tensor operation.
    CounterSpec {
        name: "tensorcnt",
        channels: &[TENSOR],
        max: 63,
        wait: "s_wait_tensorcnt {}",
        drain: Some(10),
    },
];

pub(crate) fn channels(gfx12: bool) -> &'static [ChannelSpec] {
    if gfx12 { CHANNELS12 } else { CHANNELS9 }
}

pub(crate) fn counters(gfx12: bool) -> &'static [CounterSpec] {
    if gfx12 { COUNTERS12 } else { COUNTERS9 }
}
