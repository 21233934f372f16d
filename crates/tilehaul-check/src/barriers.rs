//! Barriers that order nothing: those that a wave comes to straight from the same barrier, and those of a workgroup of one
//! wave that acts in lockstep.
//!
//! Soundness: a place is told only when every wave that came to it, in every explored run, had done nothing that anybody
//! could rely on since the barrier's last time round. Another input could make a wave do something in between.

use std::collections::BTreeMap;

use tilehaul_machine::{Event, LaneMask, Launch, PlaceId, Program, Token, WaveId, Who};

/// Why a barrier orders nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Idle {
    /// Nobody did anything since the same barrier.
    Repeated,
    /// A wave in lockstep is alone in its workgroup.
    OneWave,
}

/// What waves had done when they came to the barriers of a launch, by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct BarrierUses {
    /// Waves in lockstep, each alone in its block.
    one_wave: bool,
    /// Of each wave: the barrier that it left last, and with which lanes, if it did nothing since.
    quiet: Vec<Option<(Token, LaneMask)>>,
    /// Places of arrivals; true as long as all of them were quiet.
    places: BTreeMap<PlaceId, bool>,
}

impl BarrierUses {
    /// Nothing seen yet.
    pub(crate) fn of(launch: &Launch) -> BarrierUses {
        let waves = launch.blocks() * launch.waves_per_block();
        BarrierUses {
            one_wave: launch.lockstep && launch.waves_per_block() == 1,
            quiet: vec![None; waves as usize],
            places: BTreeMap::new(),
        }
    }

    /// Takes note of an event.
    #[inline]
    pub(crate) fn saw(&mut self, event: &Event<'_>) {
        match event {
            Event::Release { who, token } => self.arrived(*who, *token),
            Event::Acquire { who, token } => self.set(who.wave, Some((*token, who.lanes))),
            Event::Access { access, .. } => self.set(access.who.wave, None),
            Event::Issue(issued) => self.set(issued.who.wave, None),
            // A wait that proves nothing new lets nobody rely on anything.
            Event::Waited { wait, .. } if wait.proven <= wait.before => {}
            // An arrival that waits for operations is for those who wait at its own barrier.
            Event::Observe { .. } | Event::Needed { .. } | Event::Passed { .. } | Event::Pledged { .. } => {}
            Event::Waited { who, .. }
            | Event::Exit(who)
            | Event::ReleaseFenced { who, .. }
            | Event::AcquireFenced { who, .. }
            | Event::Fence { who, .. }
            | Event::ProxyFence { who, .. }
            | Event::PipelineFence { who, .. }
            | Event::ObservePart { who, .. }
            | Event::ReadsArranged { who, .. } => self.set(who.wave, None),
            Event::BlockStart(_)
            | Event::BlockEnd(_)
            | Event::Complete { .. }
            | Event::Carry { .. }
            | Event::LandsArranged { .. } => {}
        }
    }

    fn set(&mut self, wave: WaveId, quiet: Option<(Token, LaneMask)>) {
        if let Some(slot) = self.quiet.get_mut(wave.index()) {
            *slot = quiet;
        }
    }

    fn arrived(&mut self, who: Who, token: Token) {
        let left = self.quiet.get(who.wave.index()).copied().flatten();
        let again = left.is_some_and(|(last, lanes)| {
            last.sync == token.sync && last.generation + 1 == token.generation && lanes == who.lanes
        });
        let all = self.places.entry(who.place).or_insert(true);
        *all &= again;
    }

    /// Takes in what another run saw.
    pub(crate) fn merge(&mut self, other: BarrierUses) {
        self.one_wave |= other.one_wave;
        for (place, quiet) in other.places {
            *self.places.entry(place).or_insert(true) &= quiet;
        }
    }

    /// Places of barriers that ordered nothing.
    pub(crate) fn idle(&self, program: &dyn Program) -> Vec<(PlaceId, Idle)> {
        let why = |(&place, &quiet): (&PlaceId, &bool)| {
            let traits = program.traits(place);
            if self.one_wave && traits.whole_workgroup {
                return Some((place, Idle::OneWave));
            }
            (quiet && !traits.tells).then_some((place, Idle::Repeated))
        };
        self.places.iter().filter_map(why).collect()
    }
}
