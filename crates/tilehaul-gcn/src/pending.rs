//! Registers that an outstanding load fills: using one before a wait covers the load is a finding.
//!
//! A load fills its register at issue, so a run never depends on the landing policy here; what a wait has proven decides
//! whether the use was legal. Only kept while somebody watches the run. May miss uses through relative addressing; never
//! reports a use that a wait covers.

use tilehaul_diag::{Code, Diagnostic, Level, Source};
use tilehaul_machine::{ChannelKind, Core, CounterKind, LaneMask, PlaceId, Who};

use crate::Gcn;
use crate::counters;
use crate::op::{Op, Reg};
use crate::replay;
use crate::wave::{Pending, Wave};

impl<const L: usize> Wave<L> {
    /// The next number of a channel.
    pub(crate) fn next(&mut self, core: &mut Core, kind: ChannelKind) -> u32 {
        let seq = core.next_seq(self.id, kind);
        self.issued[kind.index()] = seq;
        seq
    }

    /// Marks registers that operation `seq` of a channel fills.
    pub(crate) fn fills(
        &mut self,
        core: &Core,
        reg: Reg,
        dwords: u16,
        kind: ChannelKind,
        seq: u32,
        place: PlaceId,
    ) {
        if !core.watching() {
            return;
        }
        if self.pending_v.is_empty() {
            self.pending_v = vec![Pending::default(); 1024];
            self.pending_s = vec![Pending::default(); 128];
        }
        let first = self.reg(reg);
        for i in 0..usize::from(dwords) {
            let slot = &mut self.pending_v[(first + i) & 1023];
            self.pending_count += u32::from(slot.channel == 0);
            *slot = Pending { channel: kind.0 as u8 + 1, seq, place };
        }
    }

    /// Likewise scalar registers.
    pub(crate) fn fills_scalar(
        &mut self,
        core: &Core,
        first: u8,
        dwords: u8,
        kind: ChannelKind,
        seq: u32,
        place: PlaceId,
    ) {
        if !core.watching() {
            return;
        }
        if self.pending_s.is_empty() {
            self.pending_v = vec![Pending::default(); 1024];
            self.pending_s = vec![Pending::default(); 128];
        }
        for i in usize::from(first)..usize::from(first) + usize::from(dwords) {
            if let Some(slot) = self.pending_s.get_mut(i) {
                self.pending_count += u32::from(slot.channel == 0);
                *slot = Pending { channel: kind.0 as u8 + 1, seq, place };
            }
        }
    }
}

/// What a wait for `n` of a counter proves, noted for registers as the machine notes it for memory.
pub(crate) fn proves<const L: usize>(w: &mut Wave<L>, counter: CounterKind, n: u32) {
    let spec = counters::counters(w.gfx12)[counter.index()];
    let channels = counters::channels(w.gfx12);
    for kind in spec.channels {
        let issued = w.issued[kind.index()];
        let proven = match n {
            0 => issued,
            _ if channels[kind.index()].in_order => issued.saturating_sub(n),
            _ => 0,
        };
        let slot = &mut w.proven[kind.index()];
        *slot = (*slot).max(proven);
    }
}

/// The most operations of a channel that can be under way, where they end in order: its counters hold no more, and the issue
/// stalls. manual: LLVM SIInsertWaitcnts, which asks for no wait for what is older.
pub(crate) fn most_outstanding(gfx12: bool, kind: ChannelKind) -> Option<u32> {
    if !counters::channels(gfx12)[kind.index()].in_order {
        return None;
    }
    counters::counters(gfx12).iter().filter(|s| s.channels.contains(&kind)).map(|s| s.max).min()
}

/// Looks at the registers that an instruction uses.
#[cold]
pub(crate) fn check<const L: usize>(gcn: &Gcn<L>, w: &mut Wave<L>, op: &Op<L>, core: &mut Core) {
    for &(reg, written) in &op.rest.touches {
        let first = w.reg(reg);
        for i in 0..usize::from(reg.width) {
            let index = (first + i) & 1023;
            let pending = w.pending_v.get(index).copied().unwrap_or_default();
            if written && pending.channel == counters::VMEM.0 as u8 + 1 && lands_in_order(op) {
                // What the younger load brings comes last. A register that it reads as well stands among those read.
            } else if pending.channel != 0 {
                w.pending_v[index] = Pending::default();
                w.pending_count -= 1;
                let name =
                    if index >= 512 && !w.gfx12 { format!("a{}", index - 512) } else { format!("v{index}") };
                judge(gcn, w, op, core, pending, &name, written);
            }
            if written {
                replay::written(gcn, w, op, core, true, index);
            }
        }
    }
    for &(first, count, written) in &op.rest.touches_s {
        for index in usize::from(first)..usize::from(first) + usize::from(count) {
            let pending = w.pending_s.get(index).copied().unwrap_or_default();
            if pending.channel != 0 {
                w.pending_s[index] = Pending::default();
                w.pending_count -= 1;
                judge(gcn, w, op, core, pending, &format!("s{index}"), written);
            }
            if written {
                replay::written(gcn, w, op, core, false, index);
            }
        }
    }
}

/// A load or an atomic that fills its registers on the channel of vector memory, whose operations end in the order of issue: LLVM
/// (SIInsertWaitcnts) puts no wait between two of them that fill one register.
fn lands_in_order<const L: usize>(op: &Op<L>) -> bool {
    let name = op.name();
    let fills = name.contains("_load_") || name.contains("_atomic_");
    fills && ["global_", "buffer_", "scratch_", "tbuffer_"].iter().any(|space| name.starts_with(space))
}

fn judge<const L: usize>(
    gcn: &Gcn<L>,
    w: &Wave<L>,
    op: &Op<L>,
    core: &mut Core,
    pending: Pending,
    name: &str,
    written: bool,
) {
    let kind = ChannelKind(u32::from(pending.channel) - 1);
    let who = Who { wave: w.id, lanes: LaneMask(w.all), place: op.place };
    if pending.seq <= w.proven[kind.index()] {
        core.needed(who, kind, pending.seq);
        return;
    }
    let younger = w.issued[kind.index()] - pending.seq;
    if most_outstanding(w.gfx12, kind).is_some_and(|most| younger >= most) {
        return;
    }
    let specs = counters::counters(w.gfx12);
    let channel = counters::channels(w.gfx12)[kind.index()];
    let waits: Vec<String> = specs
        .iter()
        .filter(|s| s.channels.contains(&kind))
        .map(|s| s.wait.replace("{}", &if channel.in_order { younger } else { 0 }.to_string()))
        .collect();
    let wait = waits.join(" and ");
    let (verb, code) = if written {
        ("overwritten", "register-overwritten-before-load")
    } else {
        ("used", "register-before-wait")
    };
    let (load, user) = (gcn.mnemonic(pending.place), gcn.mnemonic(op.place));
    let mut diagnostic = Diagnostic::new(
        Code(code),
        Level::Error,
        format!("{name} is {verb} by {user} before {load}, which fills it, is known to have ended: {wait} is missing"),
    )
    .fix(format!("Put `{wait}` between {load} and {user}."))
    .source(Source::manual("CDNA3 ISA 4.4, CDNA5 ISA 10.8"));
    if let Some(span) = gcn.span_of(op.place) {
        diagnostic = diagnostic.at(span, format!("{name} is {verb} here"));
    }
    if let Some(span) = gcn.span_of(pending.place) {
        diagnostic = diagnostic.also(span, format!("{load} fills {name}"));
    }
    core.report(who, diagnostic);
}
