//! What waits, fences, barriers and inline assembly do to the operations under way.

use tilehaul_isa::llvm::Inst;

use super::Walker;
use crate::calls::Call;
use crate::rules;
use crate::select::Counter;
use crate::state::{InstId, State};
use crate::table::Arg;

impl Walker<'_> {
    pub(super) fn fence(&self, scope: &str, ordering: &str, state: &mut State) {
        let wide =
            !matches!(scope, "wavefront" | "singlethread" | "wavefront-one-as" | "singlethread-one-as");
        if wide && matches!(ordering, "release" | "acq_rel" | "seq_cst") {
            // LLVM 22 and newer wait for synchronous direct loads and for LDS here, never for the .async forms (G2, G4).
            state.complete_sync();
            state.lds_writes.clear();
        }
    }

    pub(super) fn assembly(&mut self, inst: &Inst, text: &str, state: &mut State) {
        let number = |name: &str| -> Option<u64> {
            let rest = text.split(name).nth(1)?;
            let digits = rest.trim_start_matches(['(', ' ']);
            let hex = digits.strip_prefix("0x");
            let end = |s: &str, radix| s.find(|c: char| !c.is_digit(radix)).unwrap_or(s.len());
            match hex {
                Some(hex) => u64::from_str_radix(hex.get(..end(hex, 16))?, 16).ok(),
                None => digits.get(..end(digits, 10))?.parse().ok(),
            }
        };
        for (name, counter) in [
            ("vmcnt", Counter::Vm),
            ("s_wait_asynccnt", Counter::Async),
            ("s_wait_tensorcnt", Counter::Tensor),
        ] {
            if let Some(count) = number(name) {
                state.wait_counter(counter, count);
            }
        }
        if number("lgkmcnt") == Some(0) || number("s_wait_dscnt") == Some(0) {
            state.lds_writes.clear();
        }
        if text.contains("s_barrier") && !text.contains("s_barrier_signal") {
            self.barrier(state);
        }
        let moves =
            ["_lds", " lds", "tensor_", "buffer_load", "global_load"].iter().any(|w| text.contains(w));
        if moves {
            self.tell(
                rules::ASSEMBLY
                    .told(format!("inline assembly is not followed: `{}`", text.trim()))
                    .at(inst.span, "this assembly"),
            );
        }
    }

    pub(super) fn wait_mark(&mut self, call: &Call<'_>, mask: u32, state: &mut State) {
        let Some(count) = call.int(Arg::Count).and_then(|n| u32::try_from(n).ok()) else { return };
        if count == 0 {
            let unmarked: Vec<InstId> = state
                .pending
                .iter()
                .filter(|(_, p)| {
                    p.kind.is_async() && p.marks == 0 && !p.late_wait && mask >> p.kind.stage() & 1 == 0
                })
                .map(|(id, _)| *id)
                .collect();
            for id in unmarked {
                let told = rules::UNMARKED
                    .broken(
                        "this wait.asyncmark(0) does not cover a transfer that was issued after the last asyncmark",
                        "put an asyncmark between the transfer and the wait",
                    )
                    .at(call.inst.span, "waits for marks only")
                    .also(self.insts[id.0].span, "issued after the last mark");
                self.tell_once(told, id, InstId(usize::MAX));
            }
        }
        let (becomes, idle) = state.wait_mark(count, mask);
        if idle {
            self.tell(
                rules::WAIT_IDLE
                    .broken(
                        format!(
                            "wait.asyncmark({count}) waits for nothing: no path has more than {count} mark{} before it",
                            if count == 1 { "" } else { "s" }
                        ),
                        "count the asyncmarks, not the transfers; wait.asyncmark(N) leaves the N newest marks",
                    )
                    .at(call.inst.span, "no older mark to wait for"),
            );
        }
        for (counter, n) in becomes.iter().filter(|(counter, n)| *n > 63 && *counter != Counter::Vm) {
            self.tell(
                rules::WAIT_WIDE
                    .broken(
                        format!(
                            "wait.asyncmark({count}) becomes {}, which never waits: the counter has 6 bits and holds at most 63",
                            counter.wait(*n)
                        ),
                        "leave fewer transfers outstanding",
                    )
                    .at(call.inst.span, "this wait"),
            );
        }
        self.report_wait(call, &becomes);
    }

    pub(super) fn barrier(&mut self, state: &mut State) {
        // Compilers drop the barrier of a workgroup of one wave.
        if self.single_wave {
            return;
        }
        if self.target.waits_before_barrier {
            state.wait_counter(Counter::Vm, 0);
            state.lds_writes.clear();
        }
        state.barrier();
        state.lds_writes.values_mut().for_each(|crossed| *crossed = true);
    }
}
