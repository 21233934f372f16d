//! The intrinsics: one row each, with what every argument is.

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// Where a load reads or a store writes, for each lane.
    Memory,
    /// The LDS pointer; the same for the whole wave on direct loads, for each lane on gfx1250.
    Lds,
    /// A buffer resource, the same for the whole wave.
    Resource,
    /// Bytes of a lane, an immediate.
    Size,
    /// Buffer index of each lane.
    Index,
    /// Buffer offset of each lane.
    VOffset,
    /// Buffer offset of the wave.
    SOffset,
    /// The immediate that moves both sides.
    Offset,
    /// Cache policy, an immediate.
    Policy,
    /// Workgroup mask of a cluster load.
    M0,
    /// A group of a tensor descriptor.
    Group(
        /// Its number.
        u8,
    ),
    /// A count to wait for, an immediate.
    Count,
    /// Stages that do not take part, an immediate.
    Stages,
    /// Anything else.
    Other,
}

/// What an intrinsic does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// gfx9 load to LDS through an address.
    DirectLoad {
        /// The `.async` form, which the compiler does not wait for.
        asynchronous: bool,
    },
    /// gfx9 load to LDS through a buffer resource.
    BufferLoad {
        /// With an index.
        structured: bool,
        /// The `.async` form.
        asynchronous: bool,
    },
    /// gfx1250 load to LDS.
    AsyncLoad {
        /// For several workgroups.
        cluster: bool,
        /// Bits of a lane.
        bits: u32,
    },
    /// gfx1250 store from LDS.
    AsyncStore {
        /// Bits of a lane.
        bits: u32,
    },
    /// gfx1250 tensor transfer.
    Tensor {
        /// From LDS.
        store: bool,
        /// Descriptor groups that the form takes.
        groups: usize,
    },
    /// `asyncmark`.
    Mark,
    /// `wait.asyncmark`.
    WaitMark,
    /// `s.wait.asynccnt`.
    WaitAsync,
    /// `s.wait.tensorcnt`.
    WaitTensor,
    /// `s.wait.dscnt`.
    WaitDs,
    /// `s.waitcnt`, gfx9 layout.
    WaitOld,
    /// `s.barrier` and the second half of a split barrier.
    Barrier,
    /// First half of a split barrier.
    BarrierSignal,
    /// Arrive on an LDS barrier, counted in ASYNCcnt.
    BarrierArrive,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intrinsic {
    /// What it does.
    pub kind: Kind,
    /// Its arguments.
    pub args: &'static [Arg],
}

use Arg::{Count, Index, Lds, M0, Memory, Offset, Other, Policy, Resource, SOffset, Size, Stages, VOffset};

const DIRECT: &[Arg] = &[Memory, Lds, Size, Offset, Policy];
const RAW: &[Arg] = &[Resource, Lds, Size, VOffset, SOffset, Offset, Policy];
const STRUCT: &[Arg] = &[Resource, Lds, Size, Index, VOffset, SOffset, Offset, Policy];
const ASYNC: &[Arg] = &[Memory, Lds, Offset, Policy];
const CLUSTER: &[Arg] = &[Memory, Lds, Offset, Policy, M0];
const TENSOR2: &[Arg] = &[Arg::Group(0), Arg::Group(1), Policy];
const TENSOR4: &[Arg] = &[Arg::Group(0), Arg::Group(1), Arg::Group(2), Arg::Group(3), Policy];
const TENSOR5: &[Arg] = &[Arg::Group(0), Arg::Group(1), Arg::Group(2), Arg::Group(3), Arg::Group(4), Policy];

/// The row of an intrinsic called with so many arguments; `None` for one that has nothing to do with DMA.
#[must_use]
pub fn lookup(callee: &str, arguments: usize) -> Option<Intrinsic> {
    let name = callee.strip_prefix("llvm.amdgcn.")?;
    let row = |kind, args| Some(Intrinsic { kind, args });
    let without_space =
        name.rsplit_once(".p").filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(name, |(head, _)| head);
    match without_space {
        "load.to.lds" | "global.load.lds" => return row(Kind::DirectLoad { asynchronous: false }, DIRECT),
        "load.async.to.lds" | "global.load.async.lds" => {
            return row(Kind::DirectLoad { asynchronous: true }, DIRECT);
        }
        _ => {}
    }
    if let Some(rest) =
        name.strip_suffix(".buffer.load.lds").or_else(|| name.strip_suffix(".buffer.load.async.lds"))
    {
        let asynchronous = name.ends_with(".async.lds");
        return match rest {
            "raw" | "raw.ptr" => row(Kind::BufferLoad { structured: false, asynchronous }, RAW),
            "struct" | "struct.ptr" => row(Kind::BufferLoad { structured: true, asynchronous }, STRUCT),
            _ => None,
        };
    }
    let bits_of = |prefix: &str| name.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
    if let Some(bits) = bits_of("global.load.async.to.lds.b") {
        return row(Kind::AsyncLoad { cluster: false, bits }, ASYNC);
    }
    if let Some(bits) = bits_of("cluster.load.async.to.lds.b") {
        return row(Kind::AsyncLoad { cluster: true, bits }, CLUSTER);
    }
    if let Some(bits) = bits_of("global.store.async.from.lds.b") {
        return row(Kind::AsyncStore { bits }, ASYNC);
    }
    let tensor = |store| match (name.ends_with(".d2"), arguments) {
        (true, _) => row(Kind::Tensor { store, groups: 2 }, TENSOR2),
        (false, 6) => row(Kind::Tensor { store, groups: 5 }, TENSOR5),
        (false, _) => row(Kind::Tensor { store, groups: 4 }, TENSOR4),
    };
    match name {
        "tensor.load.to.lds" | "tensor.load.to.lds.d2" => tensor(false),
        "tensor.store.from.lds" | "tensor.store.from.lds.d2" => tensor(true),
        "asyncmark" => row(Kind::Mark, &[Stages]),
        "wait.asyncmark" => row(Kind::WaitMark, &[Count, Stages]),
        "s.wait.asynccnt" => row(Kind::WaitAsync, &[Count]),
        "s.wait.tensorcnt" => row(Kind::WaitTensor, &[Count]),
        "s.wait.dscnt" => row(Kind::WaitDs, &[Count]),
        "s.waitcnt" => row(Kind::WaitOld, &[Count]),
        "s.barrier" | "s.cluster.barrier" => row(Kind::Barrier, &[]),
        "s.barrier.wait" => row(Kind::Barrier, &[Other]),
        "s.barrier.signal" | "s.barrier.signal.var" | "s.barrier.signal.isfirst" => {
            row(Kind::BarrierSignal, &[Other])
        }
        "ds.atomic.async.barrier.arrive.b64" => row(Kind::BarrierArrive, &[Lds]),
        _ => None,
    }
}

impl Kind {
    /// A transfer whose completion somebody must wait for.
    #[must_use]
    pub fn is_transfer(self) -> bool {
        matches!(
            self,
            Kind::DirectLoad { .. }
                | Kind::BufferLoad { .. }
                | Kind::AsyncLoad { .. }
                | Kind::AsyncStore { .. }
                | Kind::Tensor { .. }
        )
    }

    /// Whether the compiler leaves waiting to the program.
    #[must_use]
    pub fn is_async(self) -> bool {
        match self {
            Kind::DirectLoad { asynchronous } | Kind::BufferLoad { asynchronous, .. } => asynchronous,
            Kind::AsyncLoad { .. } | Kind::AsyncStore { .. } | Kind::Tensor { .. } => true,
            _ => false,
        }
    }

    /// Whether it writes LDS (a load) rather than reads it.
    #[must_use]
    pub fn writes_lds(self) -> bool {
        !matches!(self, Kind::AsyncStore { .. } | Kind::Tensor { store: true, .. })
    }

    /// The asyncmark stage that it belongs to: the bit of a stage mask.
    #[must_use]
    pub fn stage(self) -> u32 {
        match self {
            Kind::Tensor { .. } => 0,
            Kind::AsyncLoad { cluster: false, .. } => 1,
            Kind::AsyncLoad { cluster: true, .. } => 2,
            Kind::AsyncStore { .. } => 3,
            _ => 5,
        }
    }
}
