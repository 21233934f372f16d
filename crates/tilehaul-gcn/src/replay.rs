//! XCNT of gfx1250: registers that a memory instruction would read again if its address translation is retried.
//!
//! A vector or scalar memory instruction counts on XCNT from its issue until its address has been translated; an XNACK
//! retry sends it again, with what its source registers hold by then. So none of them may be written before `s_wait_xcnt`
//! (six bits: vector translations end in order, scalar ones in any order, so that only 0 proves those). A translation has
//! ended too when its access has, when the other kind of memory instruction issues (the two kinds never coexist), and at
//! a branch, taken or not. inferred: LLVM SIInsertWaitcnts, X_CNT.
//!
//! Translation here always succeeds at once: what a retry would read is no part of a run, the write too early is a finding.
//! It is looked for when the launch says `xnack_retry`. By default pages are resident, as when a process runs without
//! retry, and `s_wait_xcnt` then has nothing to wait for: compiled kernels leave it out in places (LLVM 24, inferred), so
//! the rule would cry wolf over them. Tensor operations copy their descriptor when they issue and are not counted.
//! May miss writes through relative addressing; never reports a write that one of the rules above covers.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{ChannelKind, Core, LaneMask, Who};

use crate::Gcn;
use crate::counters::{SCALAR_TRANSLATION, VECTOR_TRANSLATION};
use crate::op::Op;
use crate::wave::{Pending, Replay, Wave};

/// Largest value of the counter. inferred: LLVM 22, X_CNT has six bits.
const MOST: u32 = 63;

impl<const L: usize> Wave<L> {
    /// `s_wait_xcnt n`.
    pub(crate) fn translated(&mut self, n: u32) {
        if n <= MOST {
            let vector = VECTOR_TRANSLATION.index();
            self.proven[vector] = self.proven[vector].max(self.issued[vector].saturating_sub(n));
        }
        if n == 0 {
            self.proven[SCALAR_TRANSLATION.index()] = self.issued[SCALAR_TRANSLATION.index()];
        }
    }

    /// The instruction, operation `seq` of `channel`, has issued: its source registers are in use.
    pub(crate) fn translates(&mut self, op: &Op<L>, channel: ChannelKind, seq: u32, scalar: bool) {
        if !self.replays {
            return;
        }
        let (own, other) = if scalar {
            (SCALAR_TRANSLATION, VECTOR_TRANSLATION)
        } else {
            (VECTOR_TRANSLATION, SCALAR_TRANSLATION)
        };
        self.proven[other.index()] = self.issued[other.index()];
        self.issued[own.index()] += 1;
        if self.replay_v.is_empty() {
            self.replay_v = vec![Replay::default(); 1024];
            self.replay_s = vec![Replay::default(); 128];
        }
        let pending = |kind: ChannelKind, seq| Pending { channel: kind.0 as u8 + 1, seq, place: op.place };
        let replay =
            Replay { translation: pending(own, self.issued[own.index()]), access: pending(channel, seq) };
        for &(reg, written) in &op.rest.touches {
            let first = self.reg(reg);
            for i in (0..usize::from(reg.width)).filter(|_| !written) {
                mark(&mut self.replay_v, (first + i) & 1023, replay, &mut self.pending_count);
            }
        }
        for &(first, count, written) in &op.rest.touches_s {
            // 124 is null.
            for i in (first..first + count).filter(|i| !written && *i != 124) {
                mark(&mut self.replay_s, usize::from(i), replay, &mut self.pending_count);
            }
        }
    }
}

fn mark(slots: &mut [Replay], index: usize, replay: Replay, count: &mut u32) {
    if let Some(slot) = slots.get_mut(index) {
        *count += u32::from(slot.translation.channel == 0);
        *slot = replay;
    }
}

/// Looks at a register that `op` writes, vector register or scalar by `name`.
pub(crate) fn written<const L: usize>(
    gcn: &Gcn<L>,
    w: &mut Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    vector: bool,
    index: usize,
) {
    let slots = if vector { &mut w.replay_v } else { &mut w.replay_s };
    let Some(slot) = slots.get_mut(index).filter(|s| s.translation.channel != 0) else { return };
    let Replay { translation, access } = std::mem::take(slot);
    w.pending_count -= 1;
    let ended = |p: Pending| p.seq <= w.proven[usize::from(p.channel) - 1];
    // A memory instruction of the same kind translates later, one of the other kind has waited.
    if ended(translation) || ended(access) || op.translates {
        return;
    }
    let kind = ChannelKind(u32::from(translation.channel) - 1);
    let in_order = kind == VECTOR_TRANSLATION;
    let least = if in_order { w.issued[kind.index()] - translation.seq } else { 0 };
    let name = format!("{}{index}", if vector { 'v' } else { 's' });
    let (reader, writer) = (gcn.mnemonic(translation.place), gcn.mnemonic(op.place));
    let mut diagnostic = Diagnostic::new(
        Code("register-overwritten-before-translation"),
        Level::Error,
        format!(
            "{writer} overwrites {name} while {reader}, which reads it, may still have to be sent again (XNACK retry): s_wait_xcnt {least} is missing"
        ),
    )
    .fix(format!("Put `s_wait_xcnt {least}` before {writer}."))
    .source(Source::inferred("LLVM SIInsertWaitcnts, X_CNT"));
    if let Some(span) = gcn.span_of(op.place) {
        diagnostic = diagnostic.at(span, format!("{name} is overwritten here"));
    }
    if let Some(span) = gcn.span_of(translation.place) {
        diagnostic = diagnostic.also(span, format!("{reader} reads {name}"));
    }
    core.report(Who { wave: w.id, lanes: LaneMask(w.all), place: op.place }, diagnostic);
}
