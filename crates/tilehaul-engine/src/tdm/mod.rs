//! gfx1250's Tensor Data Mover: a descriptor and a direction become a plan and an outcome.
//!
//! The engine walks the tile row by row, dimension 0 fastest. In LDS the rows lie back to back (with gaps when a load
//! pads); in global memory each dimension above 0 has its stride. An element past a tensor extent, which is counted
//! from the tile's start, is zero on a load and dropped on a store. Iterate replays the tile with increments; gather
//! takes row numbers from a list. Whatever happens, the instruction counts once in TENSORcnt and, when asked to,
//! arrives once at an LDS barrier.
//!
//! Sources: `manual: CDNA5 ISA p. 149-156` as restated in public documents, `inferred: rocjitsu tensor_dma` where it
//! is silent. Points on which sources disagree are [`TdmSwitches`].

mod fast;
mod matters;
mod switches;
mod walk;

use tilehaul_descriptor::Rule;
use tilehaul_descriptor::amd::tdm::{
    Direction, PadReading, Padding, TdmContext, TdmDescriptor, TdmFields, TdmMode, check,
    check_iterate_strides, format, rules, tile_rank,
};
use tilehaul_diag::{Diagnostic, Level, Source};

use crate::{TransferPlan, Walk};
pub use matters::{Mattered, switches_that_matter};
pub use switches::{
    EmptyTile, IterateBounds, IterateCount, IteratePadding, PadPastLds, SWITCHES, StoreBounds, Switch,
    TdmSwitches, TypeField, ZeroExtent,
};
pub use walk::TdmWalk;
use walk::{Passes, Rows};

/// What is around the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TdmSurroundings {
    /// Address, in the LDS memory that the plan will run on, of the workgroup's first byte.
    pub lds_base: u64,
    /// Bytes of LDS that the workgroup has.
    pub lds_bytes: u64,
    /// Workgroups of the cluster; 1 outside a cluster, `None` when not known.
    pub cluster_size: Option<u16>,
    /// Stepping A0, where the multicast mask is taken as 0.
    pub stepping_a0: bool,
}

impl Default for TdmSurroundings {
    fn default() -> TdmSurroundings {
        TdmSurroundings {
            lds_base: 0,
            lds_bytes: tilehaul_descriptor::amd::tdm::LDS_BYTES,
            cluster_size: None,
            stepping_a0: false,
        }
    }
}

/// A load that several workgroups of a cluster ask for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multicast {
    /// Workgroups that are expected to issue the same load, by their number in the cluster. Each lands the tile in its
    /// own LDS at the same offset and counts its own completion.
    pub mask: u16,
    /// Answer whoever has asked as soon as the data is there.
    pub early_timeout: bool,
}

/// In-extent elements whose LDS place lies past the workgroup's allocation: MEMVIOL, reported once for the operation
/// while the rest of the descriptor is still processed. manual: CDNA5 ISA p. 156.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LdsViolation {
    /// One past the last LDS byte that the tile needs, relative to the allocation.
    pub needs: u64,
    /// Bytes that the workgroup has.
    pub has: u64,
}

/// What a tensor instruction does beside moving bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct TdmOutcome {
    /// The bytes that move, or `None` when nothing does (NULL tensor, empty tile).
    pub plan: Option<TransferPlan>,
    /// LDS byte address, relative to the workgroup, of the barrier that gets one arrive when all is done.
    pub barrier: Option<u32>,
    /// The rendezvous of a multicast load.
    pub multicast: Option<Multicast>,
    /// MEMVIOL on the LDS side. A global address outside the aperture shows when the plan runs.
    pub violation: Option<LdsViolation>,
    /// Padding gaps that were left out because they would have run past the LDS allocation.
    pub pads_ignored: bool,
}

/// More elements than LDS addresses.
pub const TOO_LARGE: Rule = Rule::error(
    "tdm-tile-too-large",
    "A tile's LDS image must fit 32-bit LDS addresses.",
    Source::inferred("rocjitsu tensor_dma"),
);

/// Rules of the walk, for the catalogue.
pub const RULES: &[Rule] = &[TOO_LARGE];

/// Plans one `TENSOR_LOAD_TO_LDS` or `TENSOR_STORE_FROM_LDS`.
///
/// # Errors
/// Every rule that makes the descriptor illegal, as [`check`] words them. A refused operation moves nothing and
/// arrives nowhere. Hints about legal descriptors come from [`check`], not from here.
pub fn plan(
    descriptor: &TdmDescriptor,
    direction: Direction,
    around: &TdmSurroundings,
    switches: &TdmSwitches,
) -> Result<TdmOutcome, Vec<Diagnostic>> {
    let fields = descriptor.fields();
    refuse(descriptor, &fields, direction, around, switches)?;
    if let Some(barrier) =
        fields.barrier.filter(|&b| fields.count != 0 && u64::from(b) + 8 > around.lds_bytes)
    {
        return Err(vec![rules::BARRIER_OUTSIDE.broken(
            format!(
                "atomic_barrier_address = {barrier:#x} lies outside the {} bytes of LDS that the workgroup has",
                around.lds_bytes
            ),
            "place the barrier inside the allocation",
        )]);
    }
    let load = direction == Direction::Load;
    let mut outcome =
        TdmOutcome { plan: None, barrier: None, multicast: None, violation: None, pads_ignored: false };
    if fields.count == 0 {
        return Ok(outcome);
    }
    outcome.barrier = fields.barrier;
    let mask = if load && !around.stepping_a0 { fields.workgroup_mask } else { 0 };
    outcome.multicast = (mask != 0).then_some(Multicast { mask, early_timeout: fields.early_timeout });
    if fields.tile_dim[0] == 0 {
        if switches.empty_tile == EmptyTile::Silent {
            outcome.barrier = None;
        }
        return Ok(outcome);
    }
    let walk = build_walk(fields, load, around, switches)?;
    outcome.violation = walk
        .lds_needed()
        .filter(|&needs| needs > around.lds_bytes)
        .map(|needs| LdsViolation { needs, has: around.lds_bytes });
    outcome.pads_ignored = walk.ignores_pads();
    outcome.plan = Some(TransferPlan::copy(Walk::Tdm(walk)));
    Ok(outcome)
}

/// Answers legal descriptors without building a text, and illegal ones with every error that [`check`] finds.
fn refuse(
    descriptor: &TdmDescriptor,
    fields: &TdmFields,
    direction: Direction,
    around: &TdmSurroundings,
    switches: &TdmSwitches,
) -> Result<(), Vec<Diagnostic>> {
    if is_legal(descriptor, fields, around, switches) {
        return Ok(());
    }
    let errors = errors(descriptor, fields, direction, around, switches);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Every error that [`check`] finds and the switches do not lift.
fn errors(
    descriptor: &TdmDescriptor,
    fields: &TdmFields,
    direction: Direction,
    around: &TdmSurroundings,
    switches: &TdmSwitches,
) -> Vec<Diagnostic> {
    let context = TdmContext {
        direction: Some(direction),
        // A tile past the allocation is no illegal descriptor but a violation of the running operation.
        lds_bytes: u64::MAX,
        cluster_size: around.cluster_size,
        pad_reading: switches.pad_reading,
        ..TdmContext::default()
    };
    let ignores_type = switches.type_field == TypeField::Ignored;
    check(descriptor, &context)
        .into_iter()
        .filter(|d| d.level == Level::Error)
        .filter(|d| !(ignores_type && d.code == rules::TYPE.code))
        .chain(pass_count_error(fields, switches))
        .collect()
}

fn pass_count_error(fields: &TdmFields, switches: &TdmSwitches) -> Option<Diagnostic> {
    let TdmMode::Iterate { passes, .. } = fields.mode else { return None };
    (passes > 256 && switches.iterate_count == IterateCount::Eight).then(|| {
        let rule = Rule { level: Level::Error, ..rules::ITERATE_PASSES };
        rule.broken(
            format!("iterate_count asks for {passes} passes and only 1 to 256 are described"),
            "use several instructions of at most 256 passes",
        )
    })
}

/// Whether no error can apply; `false` only sends the descriptor to the full check.
fn is_legal(
    descriptor: &TdmDescriptor,
    fields: &TdmFields,
    around: &TdmSurroundings,
    switches: &TdmSwitches,
) -> bool {
    let g0 = &descriptor.group0;
    let word0_legal = matches!(g0[0], 0 | 1 | 0x8000_0001 | 0xc000_0001);
    let rank = tile_rank(&fields.tile_dim);
    let shape_legal = match &fields.mode {
        TdmMode::Dense => fields.tile_dim[..rank].iter().all(|&t| t != 0),
        TdmMode::Iterate { passes, .. } => {
            matches!(rank, 2 | 3) && fields.tile_dim[..rank].iter().all(|&t| t != 0) && *passes <= 256
        }
        TdmMode::Gather { size, .. } => (1..=size.max_rows()).contains(&fields.tile_dim[1]),
    };
    word0_legal
        && format::TYPE.stored(g0) == 2
        && shape_legal
        && (fields.workgroup_mask == 0 || around.cluster_size.is_none_or(|size| size >= 16))
        && (fields.padding.is_none() || switches.pad_reading == PadReading::Biased)
}

fn build_walk(
    fields: TdmFields,
    load: bool,
    around: &TdmSurroundings,
    switches: &TdmSwitches,
) -> Result<TdmWalk, Vec<Diagnostic>> {
    let size = fields.data_size_bytes;
    let rank = fields.rank();
    let mut tile = [1u64; 5];
    let mut dim = [1u64; 5];
    for d in 0..rank {
        tile[d] = u64::from(fields.tile_dim[d]);
        dim[d] = match (fields.tensor_dim[d], switches.zero_extent) {
            (0, ZeroExtent::Unbounded) => u64::MAX,
            (extent, _) => u64::from(extent),
        };
    }
    if !load && switches.store_bounds == StoreBounds::Ignored {
        dim = [u64::MAX; 5];
    }
    let elements = tile.iter().try_fold(1u64, |all, &t| all.checked_mul(t));
    let image = elements.and_then(|n| n.checked_mul(size)).filter(|&bytes| bytes <= 1 << 32);
    let Some(image) = image else {
        return Err(vec![TOO_LARGE.broken(
            format!(
                "the tile {} of {size}-byte elements is larger than 2^32 bytes, which LDS addresses do not reach",
                fields.tile_dim.iter().take(rank).map(u16::to_string).collect::<Vec<_>>().join(" x ")
            ),
            "use a tile that fits the workgroup's LDS",
        )]);
    };
    let passes = match fields.mode {
        TdmMode::Iterate { lds_addr_increment, global_addr_increment, passes } => {
            let passes = Passes {
                count: u64::from(passes),
                lds_step: u64::from(lds_addr_increment) * size,
                global_step: global_addr_increment,
                logical_origin: switches.iterate_bounds == IterateBounds::LogicalOrigin,
                pad_restarts: switches.iterate_padding == IteratePadding::EachPass,
            };
            if passes.logical_origin
                && let Some(overlap) = check_iterate_strides(&fields)
            {
                return Err(vec![overlap]);
            }
            Some(passes)
        }
        TdmMode::Dense | TdmMode::Gather { .. } => None,
    };
    let padding = fields.padding.filter(|_| load).map(|Padding { interval_dwords, amount_dwords }| {
        (u64::from(interval_dwords) * 4, u64::from(amount_dwords) * 4)
    });
    let rows = match fields.mode {
        TdmMode::Gather { mut indices, .. } => {
            indices.truncate(usize::from(fields.tile_dim[1]));
            Rows::Listed(indices)
        }
        TdmMode::Dense | TdmMode::Iterate { .. } => Rows::Tile,
    };
    let mut walk = TdmWalk {
        load,
        global: fields.global_addr,
        lds: u64::from(fields.lds_addr),
        lds_base: around.lds_base,
        lds_limit: around.lds_bytes,
        size,
        tile,
        dim,
        stride: fields.tensor_dim_stride,
        image,
        rows,
        passes,
        padding,
        max_gaps: u64::MAX,
    };
    if let (Some((interval, amount)), PadPastLds::Ignored) = (padding, switches.pad_past_lds) {
        // Gap j ends at lds_addr + j * (interval + amount); one that ends past the allocation is left out.
        walk.max_gaps = around.lds_bytes.saturating_sub(walk.lds) / (interval + amount);
    }
    Ok(walk)
}

#[cfg(test)]
mod tests;
