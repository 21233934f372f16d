//! Special registers: one row each.

/// A special register, by its row in [`SPECIALS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "one variant a row of the table below, named as PTX names it")]
pub enum Special {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    Laneid,
    Warpid,
    Nwarpid,
    Smid,
    Nsmid,
    Gridid,
    IsExplicitCluster,
    ClusteridX,
    ClusteridY,
    ClusteridZ,
    NclusteridX,
    NclusteridY,
    NclusteridZ,
    ClusterCtaidX,
    ClusterCtaidY,
    ClusterCtaidZ,
    ClusterNctaidX,
    ClusterNctaidY,
    ClusterNctaidZ,
    ClusterCtarank,
    ClusterNctarank,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    Globaltimer,
    GlobaltimerLo,
    GlobaltimerHi,
    DynamicSmemSize,
    TotalSmemSize,
    AggrSmemSize,
    ReservedSmemBegin,
    ReservedSmemEnd,
    ReservedSmemCap,
    CurrentGraphExec,
    Envreg,
    PerformanceCounter,
    ReservedSmemSlot,
    WarpSz,
}

/// Name, register, doc.
pub const SPECIALS: &[(&str, Special, &str)] = &[
    ("%tid.x", Special::TidX, "thread in its block, x"),
    ("%tid.y", Special::TidY, "thread in its block, y"),
    ("%tid.z", Special::TidZ, "thread in its block, z"),
    ("%ntid.x", Special::NtidX, "threads in a block, x"),
    ("%ntid.y", Special::NtidY, "threads in a block, y"),
    ("%ntid.z", Special::NtidZ, "threads in a block, z"),
    ("%ctaid.x", Special::CtaidX, "block in the grid, x"),
    ("%ctaid.y", Special::CtaidY, "block in the grid, y"),
    ("%ctaid.z", Special::CtaidZ, "block in the grid, z"),
    ("%nctaid.x", Special::NctaidX, "blocks in the grid, x"),
    ("%nctaid.y", Special::NctaidY, "blocks in the grid, y"),
    ("%nctaid.z", Special::NctaidZ, "blocks in the grid, z"),
    ("%laneid", Special::Laneid, "lane in its warp"),
    ("%warpid", Special::Warpid, "warp in its block; here the linear thread number over 32"),
    ("%nwarpid", Special::Nwarpid, "warps that a block can have"),
    ("%smid", Special::Smid, "multiprocessor; here the block's number modulo the number of multiprocessors"),
    ("%nsmid", Special::Nsmid, "multiprocessors"),
    ("%gridid", Special::Gridid, "launch number; here 1"),
    ("%is_explicit_cluster", Special::IsExplicitCluster, "the launch named a cluster shape"),
    ("%clusterid.x", Special::ClusteridX, "cluster in the grid, x"),
    ("%clusterid.y", Special::ClusteridY, "cluster in the grid, y"),
    ("%clusterid.z", Special::ClusteridZ, "cluster in the grid, z"),
    ("%nclusterid.x", Special::NclusteridX, "clusters in the grid, x"),
    ("%nclusterid.y", Special::NclusteridY, "clusters in the grid, y"),
    ("%nclusterid.z", Special::NclusteridZ, "clusters in the grid, z"),
    ("%cluster_ctaid.x", Special::ClusterCtaidX, "block in its cluster, x"),
    ("%cluster_ctaid.y", Special::ClusterCtaidY, "block in its cluster, y"),
    ("%cluster_ctaid.z", Special::ClusterCtaidZ, "block in its cluster, z"),
    ("%cluster_nctaid.x", Special::ClusterNctaidX, "blocks in a cluster, x"),
    ("%cluster_nctaid.y", Special::ClusterNctaidY, "blocks in a cluster, y"),
    ("%cluster_nctaid.z", Special::ClusterNctaidZ, "blocks in a cluster, z"),
    ("%cluster_ctarank", Special::ClusterCtarank, "block in its cluster, as one number"),
    ("%cluster_nctarank", Special::ClusterNctarank, "blocks in a cluster, as one number"),
    ("%lanemask_eq", Special::LanemaskEq, "bit of this lane"),
    ("%lanemask_le", Special::LanemaskLe, "bits up to this lane"),
    ("%lanemask_lt", Special::LanemaskLt, "bits below this lane"),
    ("%lanemask_ge", Special::LanemaskGe, "bits from this lane"),
    ("%lanemask_gt", Special::LanemaskGt, "bits above this lane"),
    ("%clock", Special::Clock, "cycle counter; here the steps that the warp has made"),
    ("%clock_hi", Special::ClockHi, "upper half of the cycle counter"),
    ("%clock64", Special::Clock64, "cycle counter, 64 bits"),
    ("%globaltimer", Special::Globaltimer, "nanoseconds; here the steps that the warp has made"),
    ("%globaltimer_lo", Special::GlobaltimerLo, "lower half of the nanoseconds"),
    ("%globaltimer_hi", Special::GlobaltimerHi, "upper half of the nanoseconds"),
    ("%dynamic_smem_size", Special::DynamicSmemSize, "bytes of dynamic shared memory"),
    ("%total_smem_size", Special::TotalSmemSize, "bytes of shared memory, static and dynamic"),
    ("%aggr_smem_size", Special::AggrSmemSize, "bytes of shared memory, reserved part included"),
    ("%reserved_smem_offset_begin", Special::ReservedSmemBegin, "start of the reserved shared memory"),
    ("%reserved_smem_offset_end", Special::ReservedSmemEnd, "end of the reserved shared memory"),
    ("%reserved_smem_offset_cap", Special::ReservedSmemCap, "bytes of the reserved shared memory"),
    ("%current_graph_exec", Special::CurrentGraphExec, "the running graph; here 0"),
    ("WARP_SZ", Special::WarpSz, "32"),
];

/// Registers in numbered families: what stands before the number, how many there are, register.
///
/// Drivers and tools decide what they hold.
pub const NUMBERED: &[(&str, u32, Special)] = &[
    ("%envreg", 32, Special::Envreg),
    ("%pm", 8, Special::PerformanceCounter),
    ("%reserved_smem_offset_", 2, Special::ReservedSmemSlot),
];

impl Special {
    /// True for registers whose value only a driver or a tool knows.
    #[must_use]
    pub fn is_set_by_driver(self) -> bool {
        matches!(self, Special::Envreg | Special::PerformanceCounter)
    }

    /// The register of that name, component included.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Special> {
        let numbered = |row: &&(&str, u32, Special)| {
            let number = name.strip_prefix(row.0).map(|n| n.strip_suffix("_64").unwrap_or(n));
            number.and_then(|n| n.parse::<u32>().ok()).is_some_and(|n| n < row.1)
        };
        let plain = SPECIALS.iter().find(|row| row.0 == name).map(|row| row.1);
        plain.or_else(|| NUMBERED.iter().find(numbered).map(|row| row.2))
    }
}
