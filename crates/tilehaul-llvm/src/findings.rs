//! The words of findings along control flow.

use tilehaul_diag::Diagnostic;
use tilehaul_isa::llvm::{Function, Inst, Op, Value};

use crate::calls::Call;
use crate::flow::{Walker, dma_call, lds_access};
use crate::rules;
use crate::select::Counter;
use crate::state::{InstId, Pending};
use crate::table::Kind;
use crate::target::{Dma, Target};

impl Walker<'_> {
    pub(crate) fn early(&mut self, id: InstId, inst: &Inst, other: InstId, p: &Pending, writes: bool) {
        let what = self.what(other);
        let earlier = self.insts[other.0].span;
        let wait = self.wait_for(p.counter);
        let access = if writes { "written" } else { "read" };
        if p.late_wait {
            if writes || self.single_wave {
                return;
            }
            let told = rules::LATE_WAIT
                .broken(
                    format!(
                        "LDS that {what} fills is read after a wait that stands behind the barrier: the wait covers this \
                         wave's transfer, and other waves' bytes may still be missing"
                    ),
                    format!("let every wave do {wait} before the barrier"),
                )
                .at(inst.span, "read here")
                .also(earlier, "issued here");
            self.tell_once(told, other, id);
            return;
        }
        let (rule, message, fix) = if !p.kind.writes_lds() {
            (
                &rules::SOURCE_CHANGED,
                format!("LDS that {what} reads is written before the transfer is known to be complete"),
                format!("put {wait} before the write"),
            )
        } else if !p.kind.is_async() {
            (
                &rules::RAW_OTHER_WAVES,
                format!(
                    "LDS that {what} fills is {access} after a barrier that no release fence precedes: the compiler waits \
                     only behind the barrier and only for this wave's own transfer, so other waves' bytes may be missing"
                ),
                "put `fence syncscope(\"workgroup\") release` before the barrier and an acquire fence behind it".to_owned(),
            )
        } else {
            let rule = if writes { &rules::WAW } else { &rules::RAW };
            let barrier = if p.crossed_barrier { "; fences and barriers do not wait for it" } else { "" };
            let fix = if p.crossed_barrier {
                format!("put {wait} before the barrier")
            } else {
                format!("put {wait} before it")
            };
            (
                rule,
                format!(
                    "LDS that {what} fills is {access} before the transfer is known to be complete{barrier}"
                ),
                fix,
            )
        };
        let mut told =
            rule.broken(message, fix).at(inst.span, format!("{access} here")).also(earlier, "issued here");
        if let Some(n) = p.doubtful_wait {
            told = told.note(format!(
                "the wait in between becomes {}, which a younger operation of another kind can satisfy: asynchronous loads \
                 and stores complete out of order with each other, so only 0 proves this one",
                p.counter.wait(n)
            ));
        }
        self.tell_once(told, other, id);
    }

    pub(crate) fn source_pending(&mut self, write: InstId, id: InstId, call: &Call<'_>) {
        let told = rules::SOURCE_PENDING
            .broken(
                format!(
                    "{} reads LDS that this wave wrote without waiting: the compiler puts no wait between an LDS write and an \
                     asynchronous store",
                    call.name
                ),
                "put s_wait_dscnt 0 (a workgroup release fence, or llvm.amdgcn.s.wait.dscnt) between them",
            )
            .at(call.inst.span, "reads it asynchronously")
            .also(self.insts[write.0].span, "written here");
        self.tell_once(told, write, id);
    }

    pub(crate) fn mixed(&mut self, other: InstId, id: InstId, call: &Call<'_>) {
        let told = rules::MIXED
            .broken(
                format!(
                    "{} touches LDS that {} still uses: asynchronous loads and stores of a wave are unordered with each other",
                    call.name,
                    self.what(other)
                ),
                "put s_wait_asynccnt 0 between them",
            )
            .at(call.inst.span, "issued here")
            .also(self.insts[other.0].span, "may still be outstanding");
        self.tell_once(told, other, id);
    }

    pub(crate) fn what(&self, id: InstId) -> String {
        self.insts.get(id.0).and_then(|i| dma_call(i)).map_or_else(String::new, |c| c.name.to_owned())
    }

    pub(crate) fn wait_for(&self, counter: Counter) -> String {
        match counter {
            Counter::Vm => "asyncmark and wait.asyncmark(0) (s_waitcnt vmcnt(0))".to_owned(),
            Counter::Async | Counter::Tensor => {
                format!("{} (or asyncmark and wait.asyncmark(0))", counter.wait(0))
            }
        }
    }
}

/// LLVM 22 on gfx942 and gfx950: an LDS read is outstanding when a global load to LDS is issued, and its value is used
/// behind it (G6).
pub(crate) fn lgkm_bug(function: &Function, target: &Target) -> Option<Diagnostic> {
    if !matches!(target.dma, Dma::Direct { new_names: true }) {
        return None;
    }
    for block in &function.blocks {
        let dma = block.insts.iter().enumerate().filter(|(_, inst)| {
            dma_call(inst).is_some_and(|c| matches!(c.intrinsic.kind, Kind::DirectLoad { .. }))
        });
        for (at, inst) in dma {
            let read = block.insts[..at].iter().rev().find(|i| {
                matches!(i.op, Op::Load { .. })
                    && i.result.is_some()
                    && lds_access(i).is_some_and(|(_, _, w)| !w)
            });
            let Some(read) = read else { continue };
            let name = read.result.as_deref().unwrap_or_default();
            let uses = |i: &Inst| {
                let mut found = false;
                operands(&i.op, &mut |value| value.locals(&mut |local| found |= local == name));
                found
            };
            let used_before = block.insts[..at].iter().any(uses);
            if !used_before && block.insts[at + 1..].iter().any(uses) {
                let told = rules::LGKM_BUG.told(format!(
                    "LLVM 22 counts this load to LDS in lgkmcnt on {}, so it waits with lgkmcnt(1) for the LDS read before it, \
                     which waits for nothing; newer versions wait with lgkmcnt(0)",
                    target.name
                ));
                return Some(
                    told.at(inst.span, "issued here")
                        .also(read.span, "an LDS read whose value is used later"),
                );
            }
        }
    }
    None
}

/// Calls `see` with every value that an instruction uses.
pub(crate) fn operands<'o>(op: &'o Op, see: &mut impl FnMut(&'o Value)) {
    match op {
        Op::Call { args, .. } => args.iter().for_each(|a| see(&a.value)),
        Op::Load { pointer, .. } => see(&pointer.value),
        Op::Store { value, pointer } => {
            see(&value.value);
            see(&pointer.value);
        }
        Op::Atomic { pointer, values } => {
            see(&pointer.value);
            values.iter().for_each(see);
        }
        Op::Gep { base, indices, .. } => {
            see(&base.value);
            indices.iter().for_each(|i| see(&i.value));
        }
        Op::Cast { value, .. } => see(&value.value),
        Op::Phi { incoming } => incoming.iter().for_each(|(v, _)| see(v)),
        Op::Select { condition, values } => {
            see(condition);
            values.iter().for_each(see);
        }
        Op::Binary { values, .. } => values.iter().for_each(see),
        Op::Other { values, .. } => values.iter().for_each(see),
        Op::Branch { condition, .. } => condition.iter().for_each(see),
        Op::Fence { .. } | Op::End => {}
    }
}
