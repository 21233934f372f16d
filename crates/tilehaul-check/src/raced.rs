//! Loads that race with a store and whose values nobody uses.
//!
//! Compilers lay a small tile out over more waves than it needs: each of them loads the elements, one stores them. If it
//! stores them in place, what the others load depends on timing, and is thrown away. So where all that races is loads, the
//! run is repeated with the bytes of those loads garbled, in two ways. When it ends the same way after as many
//! instructions and leaves the same memory, the values went nowhere: the clash becomes a note.
//!
//! Soundness: may miss a race whose loaded values matter to this launch in neither garbled form and do in the form that
//! the store gives them. Never drops a finding of anything but loads, nor when one of the loads of the run is used.

use tilehaul_machine::{
    Garble, GlobalMemory, Launch, Options, Outcome, Program, Proxy, RunResult, Space, run,
};

use crate::access::Now;
use crate::checker::Checked;
use crate::explore::Fresh;
use crate::finding::Findings;
use crate::hazard;
use crate::record::{Record, Strength, What};

/// Most loads that are garbled together; where more race, all findings stand.
const MOST: usize = 512;
/// How the bytes are garbled.
const MASKS: [u8; 2] = [0xff, 0x35];

/// Loads of device memory that something races with.
#[derive(Debug, Default)]
pub(crate) struct RacedLoads {
    list: Vec<Garble>,
    too_many: bool,
}

impl RacedLoads {
    pub(crate) fn add(&mut self, load: Garble) {
        let same = |g: &&mut Garble| (g.wave, g.place) == (load.wave, load.place) && touch(g, &load);
        if let Some(before) = self.list.iter_mut().rev().find(same) {
            (before.start, before.end) = (before.start.min(load.start), before.end.max(load.end));
        } else if self.list.len() < MOST {
            self.list.push(load);
        } else {
            self.too_many = true;
        }
    }
}

fn touch(a: &Garble, b: &Garble) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// The load of a clash with an ordinary store, when that is all that the store could spoil.
pub(crate) fn load_of(
    record: &Record,
    now: &Now<'_>,
    space: Space,
    (start, len): (u64, u64),
) -> Option<Garble> {
    // Of one wave it is no more than a warning, and its own load may be the one that counts.
    if space != Space::Global || record.op != 0 || now.op.is_some() || record.wave == now.who.wave {
        return None;
    }
    let end = start.saturating_add(len);
    let plain = |what, proxy, strength| {
        what == What::Read
            && proxy == Proxy::Generic
            && matches!(strength, Strength::Weak | Strength::ReadOnly)
    };
    if plain(record.what, record.proxy, record.strength) && now.what == What::Write {
        return Some(Garble { wave: record.wave, place: record.place, start, end });
    }
    let loads = plain(now.what, now.proxy, now.strength) && record.what == What::Write;
    loads.then_some(Garble { wave: now.who.wave, place: now.who.place, start, end })
}

/// Puts aside what only loads suffer from whose values nobody uses.
pub(crate) fn put_aside(
    checked: &mut Checked,
    result: &RunResult,
    (program, launch, memory): (&dyn Program, &Launch, &Fresh<'_>),
    options: &Options,
) {
    let ended = matches!(result.outcome, Outcome::Finished | Outcome::Pruned);
    let raced = std::mem::take(&mut checked.raced);
    if !ended
        || raced.too_many
        || raced.list.is_empty()
        || !checked.findings.list().iter().any(|f| f.by_loads)
    {
        return;
    }
    let unused = MASKS.into_iter().all(|mask| {
        let options = Options { garble: (raced.list.clone(), mask), ..options.clone() };
        let again = run(program, launch, memory(), options, None);
        again.garbled
            && again.outcome == result.outcome
            && again.steps == result.steps
            && same(&again.memory, &result.memory)
    });
    if unused {
        let findings: Findings = std::mem::take(&mut checked.findings);
        checked.findings =
            findings.map(|f| if f.by_loads { hazard::raced_load_unused::instead_of(f) } else { f });
    }
}

fn same(a: &GlobalMemory, b: &GlobalMemory) -> bool {
    let (a, b) = (a.allocations(), b.allocations());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.data == b.data)
}
