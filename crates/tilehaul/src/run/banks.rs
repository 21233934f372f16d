//! Bank conflicts of a kernel run: every access of threads to shared memory, grouped by the instruction that made it.
//!
//! May miss: accesses of engines and tensor cores, which have their own paths, atomics, which are served one by one, and
//! transposing loads; all of them are listed. Never counts an access that did not happen: it sees the events of one run.

use std::any::Any;
use std::collections::BTreeMap;

use tilehaul_layout::banks::{Chip, Kind, PlaceTally, Switches, Tally, Width};
use tilehaul_machine::{AccessKind, Event, Observer, PlaceId, Program, Proxy, Space};

/// Sums of one instruction.
#[derive(Clone, Debug)]
pub struct BankPlace {
    /// Where: `kernel.ptx:41`, or the instruction where there is no text.
    pub place: String,
    /// The instruction.
    pub text: String,
    /// Load or store.
    pub kind: Kind,
    /// Bits of a lane.
    pub width: Width,
    /// The sums.
    pub sums: PlaceTally,
}

/// Shared accesses of a run.
#[derive(Clone, Debug)]
pub struct BankRun {
    /// Whose banks.
    pub chip: Chip,
    /// Instructions with what they cost, most wavefronts above the ideal first.
    pub places: Vec<BankPlace>,
    /// What was not counted, each with its number.
    pub not_counted: Vec<(String, u64)>,
}

/// Counts as the run goes.
pub(super) struct BankWatch {
    chip: Chip,
    tally: Tally<PlaceId>,
    left_out: BTreeMap<String, u64>,
}

impl BankWatch {
    pub(super) fn new(chip: Chip) -> BankWatch {
        BankWatch { chip, tally: Tally::new(), left_out: BTreeMap::new() }
    }

    /// The sums, with places in words.
    pub(super) fn finish(self, program: &dyn Program, place: impl Fn(PlaceId) -> Option<String>) -> BankRun {
        let mut places: Vec<BankPlace> = self
            .tally
            .places()
            .map(|(&at, kind, width, sums)| BankPlace {
                place: place(at).unwrap_or_default(),
                text: program.text(at),
                kind,
                width,
                sums: sums.clone(),
            })
            .collect();
        // An event does not say that a load transposes; such loads are served otherwise, so they are named instead.
        let mut left_out = self.left_out;
        places.retain(|p| {
            let transposes = p.text.contains("_tr");
            if transposes {
                *left_out.entry("transposing loads".into()).or_default() += p.sums.accesses;
            }
            !transposes
        });
        // Stable: equal costs stay in the order of the program.
        places.sort_by_key(|p| std::cmp::Reverse(p.sums.wavefronts - p.sums.ideal));
        BankRun { chip: self.chip, places, not_counted: left_out.into_iter().collect() }
    }

    fn leave_out(&mut self, why: String) {
        *self.left_out.entry(why).or_default() += 1;
    }
}

impl Observer for BankWatch {
    fn event(&mut self, event: &Event<'_>) {
        let Event::Access { access, kind, .. } = event else { return };
        if !matches!(access.space, Space::Shared(_)) {
            return;
        }
        let kind = match kind {
            AccessKind::Read => Kind::Load,
            AccessKind::Write => Kind::Store,
            AccessKind::Atomic => return self.leave_out("atomic updates".into()),
            // Barrier objects are served by their own unit.
            AccessKind::BarrierInit
            | AccessKind::BarrierUse
            | AccessKind::BarrierTest
            | AccessKind::BarrierInval => return,
        };
        // AMD's LDS instructions follow a channel of their wave, but they are the lanes' own accesses all the same.
        if access.proxy != Proxy::Generic {
            return self.leave_out("accesses of engines and tensor cores".into());
        }
        let Some(width) = access.size.checked_mul(8).and_then(Width::new) else {
            return self.leave_out(format!("accesses of {} bytes a lane", access.size));
        };
        let lanes = access.who.lanes.0;
        let addresses: Vec<Option<u64>> = (0..self.chip.lanes())
            .map(|lane| {
                let active = lanes >> lane & 1 == 1;
                access.addresses.get(lane as usize).copied().filter(|_| active)
            })
            .collect();
        let counted =
            self.tally.add(&access.who.place, self.chip, kind, width, &addresses, Switches::default());
        if let Err(unknown) = counted {
            self.leave_out(unknown.to_string());
        }
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
