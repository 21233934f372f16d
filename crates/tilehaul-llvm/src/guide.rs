//! Guidance for targets whose only copy engine is the direct load: LDS budgets, waves, issue slots, masked lanes.
//!
//! Everything but the LDS limit is a remark: rules of thumb with the numbers of the function at hand.

use std::collections::BTreeSet;

use tilehaul_diag::Diagnostic;
use tilehaul_isa::llvm::{Function, Global, LDS, Op, Value};

use crate::findings::operands;
use crate::flow::dma_call;
use crate::rules;
use crate::table::{Arg, Kind};
use crate::target::{Dma, Target};
use crate::uniform::{MAX_BLOCKS, Shape, Shapes};

/// Waves of a compute unit below which overlap is said to break down.
const FEW_WAVES: u64 = 8;
/// Waves that a compute unit of gfx90a and up can hold.
const MOST_WAVES: u64 = 32;
/// The largest workgroup, when nothing is said.
const LARGEST_WORKGROUP: u64 = 1024;

/// Remarks about one function.
pub(crate) fn advise(function: &Function, globals: &[Global], target: &Target) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    lds_budget(function, globals, target, &mut out);
    if matches!(target.dma, Dma::Direct { .. }) {
        issue_share(function, target, &mut out);
        masked_lanes(function, &mut out);
    }
    out
}

/// LDS arrays that a function names, against the limit and against the waves that they leave room for.
fn lds_budget(function: &Function, globals: &[Global], target: &Target, out: &mut Vec<Diagnostic>) {
    let mut named = BTreeSet::new();
    for inst in function.blocks.iter().flat_map(|b| &b.insts) {
        operands(&inst.op, &mut |value| collect(value, &mut named));
    }
    let arrays: Vec<(&str, u64)> = globals
        .iter()
        .filter(|g| g.address_space == LDS && named.contains(g.name.as_str()))
        .filter_map(|g| Some((g.name.as_str(), g.ty.bytes()?)))
        .collect();
    let total =
        arrays.iter().fold(0u64, |sum, (_, bytes)| sum.saturating_add(bytes.saturating_add(15) & !15));
    if total == 0 {
        return;
    }
    let limit = target.lds;
    if total > limit {
        let list: Vec<String> = arrays.iter().map(|(name, bytes)| format!("@{name} {bytes}")).collect();
        out.push(
            rules::LDS_CAPACITY
                .broken(
                    format!(
                        "@{} uses {total} bytes of LDS ({}), and a workgroup of {} can have {limit}",
                        function.name,
                        list.join(", "),
                        target.name
                    ),
                    format!("cut the tiles: two buffers of at most {} bytes each", limit / 2),
                )
                .at(function.span, "this function"),
        );
        return;
    }
    let direct = function
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .any(|i| dma_call(i).is_some_and(|c| c.intrinsic.kind.is_transfer()));
    if !direct || target.wave != 64 {
        return;
    }
    let threads = function
        .attribute("amdgpu-flat-work-group-size")
        .and_then(|v| v.split(',').nth(1))
        .and_then(|n| n.trim().parse::<u64>().ok())
        .unwrap_or(LARGEST_WORKGROUP)
        .clamp(1, LARGEST_WORKGROUP);
    let waves = (limit / total).saturating_mul(threads.div_ceil(target.wave)).min(MOST_WAVES);
    if waves < FEW_WAVES {
        out.push(
            rules::FEW_WAVES
                .told(format!(
                    "@{} uses {total} of {limit} bytes of LDS in workgroups of {threads} threads, so a CU of {} holds at most \
                     {waves} waves; with fewer than {FEW_WAVES} little hides the latency of its loads",
                    function.name, target.name
                ))
                .at(function.span, "this function"),
        );
    }
}

fn collect<'v>(value: &'v Value, named: &mut BTreeSet<&'v str>) {
    match value {
        Value::Global(name) => {
            named.insert(name);
        }
        Value::Address { global, .. } => {
            named.insert(global);
        }
        Value::Other { globals, .. } => named.extend(globals.iter().map(String::as_str)),
        Value::Vector(elements) => elements.iter().for_each(|e| collect(e, named)),
        Value::Local(_) | Value::Int(_) | Value::Zero => {}
    }
}

/// Direct loads beside matrix instructions, counted in the text.
fn issue_share(function: &Function, target: &Target, out: &mut Vec<Diagnostic>) {
    let (mut loads, mut small, mut matrix, mut first) = (0u64, 0u64, 0u64, None);
    for inst in function.blocks.iter().flat_map(|b| &b.insts) {
        if let Some(call) = dma_call(inst).filter(|c| c.intrinsic.kind.is_transfer()) {
            loads += 1;
            small += u64::from(call.int(Arg::Size).is_some_and(|n| n <= 4));
            first = first.or(Some(inst.span));
        } else if matches!(&inst.op, Op::Call { callee: Some(name), .. } if name.starts_with("llvm.amdgcn.mfma."))
        {
            matrix += 1;
        }
    }
    if let (Some(span), true) = (first, matrix > 0 && loads > matrix) {
        let wide = target.sizes.contains(&16) && small > 0;
        let hint = if wide {
            format!("; {small} of them move 4 bytes a lane where {} can move 16", target.name)
        } else {
            String::new()
        };
        out.push(
            rules::ISSUE_SHARE
                .told(format!(
                    "@{} issues {loads} direct loads beside {matrix} matrix instructions, which take turns at the wave's issue \
                     slots{hint}",
                    function.name
                ))
                .at(span, "the first direct load"),
        );
    }
}

/// Transfers on one side of a branch on which lanes part.
fn masked_lanes(function: &Function, out: &mut Vec<Diagnostic>) {
    if function.blocks.len() > MAX_BLOCKS {
        return;
    }
    let shapes = Shapes::of(function);
    for (at, block) in function.blocks.iter().enumerate() {
        let mut before = function.blocks.iter().filter(|b| b.successors.iter().any(|s| s.0 == at));
        let (Some(one), None) = (before.next(), before.next()) else { continue };
        let Some(Op::Branch { condition: Some(condition), .. }) = one.insts.last().map(|i| &i.op) else {
            continue;
        };
        if shapes.value(condition) != Shape::Divergent {
            continue;
        }
        let Some((call, inst)) = block
            .insts
            .iter()
            .find_map(|i| Some((dma_call(i)?, i)))
            .filter(|(c, _)| c.intrinsic.kind.is_transfer())
        else {
            continue;
        };
        let fill = if matches!(call.intrinsic.kind, Kind::BufferLoad { .. }) {
            "mask lanes by an offset out of the buffer's range instead: such lanes get zeros, and the load always counts"
        } else {
            "the buffer form can mask lanes by an offset out of range instead: such lanes get zeros, and the load always counts"
        };
        out.push(
            rules::MASKED_LANES
                .told(format!(
                    "{} stands behind a branch that differs from lane to lane: lanes that are off keep what was in their LDS \
                     slots, and a wave with no lane on skips it, so counts behind the join differ from wave to wave",
                    call.name
                ))
                .note(fill)
                .at(inst.span, "issued under the branch"),
        );
    }
}
