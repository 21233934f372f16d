//! Flags that order nothing: message passing with relaxed accesses alone.
//!
//! Atomic accesses do not race, so clocks have nothing to say where a thread waits for a flag and then reads other words
//! that the thread which raised it had stored before, all of them relaxed. Whether the reader's load is ordered behind that
//! store the clocks do know; what is kept here is which lane last stored to an atomic location and when in its own
//! program order, and which flags a lane has waited for.
//!
//! Soundness: reported only where a lane waits for a word (loads it in a loop that does nothing but look, or finds it changed
//! after it had found it otherwise at the same place just before), and then loads another word that the lane which changed the first one stored to earlier, with nothing to
//! order the two. By the manual the load may find what was there before. Loads of device memory whose values go nowhere
//! are put aside as those of races are, and loads that poll themselves are not meant: an old value there
//! is looked at again. May miss: flags that other lanes waited for, data stored by another lane than the flag, anything beyond the bounds below.

use rustc_hash::FxHashMap;
use tilehaul_machine::{Access, AccessKind, Garble, LaneMask, Order, PlaceId, Space, WaveId};

use crate::access::Now;
use crate::checker::Checker;
use crate::hazard::relaxed_flag;

/// Locations, and places of lanes, that are remembered; all are forgotten where there are more.
const MOST: usize = 1 << 16;
/// Flags of a wave that are remembered.
const SEEN: usize = 64;
/// Accesses of its wave between two looks of a lane that waits.
const SPIN: u64 = 8;

/// Who stored to an atomic location last.
#[derive(Clone, Copy, Debug)]
struct Raised {
    wave: WaveId,
    lane: u8,
    place: PlaceId,
    /// Position among everything that the wave did.
    moment: u64,
}

/// What a lane found at a place the last time.
#[derive(Clone, Copy, Debug)]
struct Look {
    space: Space,
    address: u64,
    moment: u64,
    /// The store that it found.
    found: Option<(WaveId, u64)>,
    /// It is an atomic that changed something.
    changed: bool,
}

/// A flag that a lane waited for.
#[derive(Clone, Copy, Debug)]
struct SeenFlag {
    raised: Raised,
    space: Space,
    address: u64,
    lane: u8,
    place: PlaceId,
}

/// An atomic load that nothing orders behind the atomic store whose value it finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relaxed {
    pub earlier: u32,
    pub earlier_lane: u8,
    pub lane: u8,
    pub address: u64,
    pub len: u64,
}

/// What is known of flags.
#[derive(Debug, Default)]
pub(crate) struct Flags {
    raised: FxHashMap<(Space, u64), Raised>,
    looks: FxHashMap<(WaveId, u8, PlaceId), Look>,
    seen: FxHashMap<WaveId, Vec<SeenFlag>>,
    /// The load at hand polls.
    pub(crate) polling: bool,
}

impl Flags {
    /// True when a lane of the wave has waited for a flag.
    #[inline]
    pub(crate) fn seen_by(&self, wave: WaveId) -> bool {
        !self.polling && !self.seen.is_empty() && self.seen.contains_key(&wave)
    }
}

impl Checker {
    /// Atomic loads, and updates that bring a value: has a lane just found the flag that it was polling?
    pub(crate) fn look_at_flags(&mut self, access: &Access<'_>, kind: AccessKind, silent: LaneMask) {
        let reads = matches!(kind, AccessKind::Read | AccessKind::Atomic) && access.order != Order::Guess;
        if !reads || self.launch.lockstep {
            return;
        }
        let (who, space) = (access.who, access.space);
        let moment = self.notes[who.wave.index()].moment;
        let Flags { raised, looks, seen, .. } = &mut self.flags;
        let hints = &mut self.hints;
        if looks.len() >= MOST {
            looks.clear();
        }
        for lane in who.lanes.iter() {
            let address = access.addresses[lane as usize];
            let now = raised.get(&(space, address)).copied();
            let found = now.map(|r| (r.wave, r.moment));
            let changed = kind == AccessKind::Atomic && !silent.has(lane);
            let look = Look { space, address, moment, found, changed };
            let before = looks.insert((who.wave, lane as u8, who.place), look);
            let raised_by_other = now.filter(|r| r.wave != who.wave);
            if access.polls
                && let Some(raised) = raised_by_other
            {
                note(seen, who.wave, SeenFlag { raised, space, address, lane: lane as u8, place: who.place });
                continue;
            }
            let Some(before) = before else { continue };
            let again = (before.space, before.address) == (space, address) && moment - before.moment <= SPIN;
            if again && before.found == found && !before.changed {
                // What is looked at again and again may be old for a while.
                hints.polled(who.place);
            }
            let Some(raised) = raised_by_other else { continue };
            if again && before.found != found && !before.changed {
                note(seen, who.wave, SeenFlag { raised, space, address, lane: lane as u8, place: who.place });
            }
        }
    }

    /// Atomic stores and updates that changed something.
    pub(crate) fn raise_flags(&mut self, access: &Access<'_>, silent: LaneMask) {
        if self.launch.lockstep {
            return;
        }
        let (who, moment) = (access.who, self.notes[access.who.wave.index()].moment);
        if self.flags.raised.len() >= MOST {
            self.flags.raised.clear();
        }
        for lane in LaneMask(who.lanes.0 & !silent.0).iter() {
            let raised = Raised { wave: who.wave, lane: lane as u8, place: who.place, moment };
            self.flags.raised.insert((access.space, access.addresses[lane as usize]), raised);
        }
    }

    /// An atomic load that nothing orders behind the store whose value it finds: was it a flag that led to it?
    #[cold]
    pub(crate) fn behind_a_flag(&mut self, now: &Now<'_>, space: Space, relaxed: Relaxed) {
        let Relaxed { earlier, earlier_lane, lane, address, len } = relaxed;
        let record = self.records[earlier as usize];
        let Some(&data) = self.flags.raised.get(&(space, address)) else { return };
        let Some(seen) = self.flags.seen.get(&now.who.wave) else { return };
        let writer = (record.wave, earlier_lane);
        let led = |f: &&SeenFlag| {
            (f.raised.wave, f.raised.lane) == writer && f.lane == lane && f.raised.moment > data.moment
        };
        let Some(&flag) = seen.iter().rev().find(led) else { return };
        if (data.wave, data.lane) != writer {
            return;
        }
        let words = relaxed_flag::Words {
            reader: format!("{} lane {lane}", now.who.wave),
            writer: format!("{} lane {earlier_lane}", record.wave),
            data: self.words.range(space, address, len),
            flag: self.words.range(flag.space, flag.address, len),
        };
        let places = [now.who.place, record.place, flag.place, flag.raised.place];
        let mut finding = relaxed_flag::finding(&words, places, self.replay);
        if space == Space::Global {
            finding.by_loads = true;
            let (wave, place) = (now.who.wave, now.who.place);
            self.raced.add(Garble { wave, place, start: address, end: address + len });
        }
        self.findings.take(finding);
    }
}

/// The newest flags of a wave, each once.
fn note(seen: &mut FxHashMap<WaveId, Vec<SeenFlag>>, wave: WaveId, flag: SeenFlag) {
    let list = seen.entry(wave).or_default();
    list.retain(|f| {
        (f.space, f.address, f.lane, f.place) != (flag.space, flag.address, flag.lane, flag.place)
    });
    if list.len() >= SEEN {
        list.remove(0);
    }
    list.push(flag);
}
