//! What a kernel asks of the hardware that starts blocks and gives them registers.

use super::Op::*;
use super::Support::Manual;
use super::{Row, row};

pub(super) const ROWS: &[Row] = &[
    row(
        Griddepcontrol,
        "griddepcontrol",
        "launch_dependents|wait",
        "",
        "90",
        Manual,
        "Dependent launches; one launch at a time here, so there is nothing to wait for.",
    ),
    row(
        Setmaxnreg,
        "setmaxnreg",
        "=inc|dec sync aligned u32",
        "n",
        super::targets::SPECIFIC_90,
        Manual,
        "Register count of the warp; no effect on data.",
    ),
    row(
        ClusterTryCancel,
        "clusterlaunchcontrol.try_cancel",
        "=async shared::cta? mbarrier::complete_tx::bytes multicast::cluster::all? b128",
        "[a],[mbar]",
        "100",
        Manual,
        "Asks for a cluster that has not started, which then never starts.",
    ),
    row(
        ClusterIsCanceled,
        "clusterlaunchcontrol.query_cancel",
        "is_canceled pred b128",
        "p,a",
        "100",
        Manual,
        "Whether a cluster was cancelled.",
    ),
    row(
        ClusterFirstBlock,
        "clusterlaunchcontrol.query_cancel",
        "get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128",
        "d,a",
        "100",
        Manual,
        "A coordinate of the first block of the cluster that was cancelled.",
    ),
    row(
        ClusterFirstBlock,
        "clusterlaunchcontrol.query_cancel",
        "get_first_ctaid v4 b32 b128",
        "d,a",
        "100",
        Manual,
        "The position of the first block of the cluster that was cancelled.",
    ),
];
