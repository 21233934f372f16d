//! Barrier operations of scripts.

use tilehaul_engine::mbarrier::{Mbarrier, MbarrierFault, MbarrierLayout, Token};
use tilehaul_engine::{Memory, bulk};

use super::{Interpreter, Log, Place, Stop, Value};
use crate::conform::Refusal;
use crate::conform::script::ops::Op;

/// Threads of a CTA and of a warp.
const THREADS: u64 = 128;
const WARP: u64 = 32;
/// Most operations that a loop in a script may ask for.
const MOST_TURNS: u32 = 1 << 20;

impl Interpreter {
    /// One barrier operation by CTA `cta`.
    pub(super) fn barrier_op(&mut self, cta: usize, index: usize, op: &Op) -> Result<Option<Value>, Stop> {
        if op.name == "pending" {
            let state = self.state(cta, op.number(0)?)?;
            return Ok(Some(Value::Number(i64::from(Token(state).pending_count()))));
        }
        let place = self.present(self.place(cta, op.shared(0)?)?, cta)?;
        let number = op.number(1)?;
        let token = match op.name.as_str() {
            "init" => {
                self.init(place, number)?;
                return Ok(None);
            }
            "initmany" => {
                self.init_many(place, u64::from(number), op.number(2)?)?;
                return Ok(None);
            }
            "inval" => {
                bulk::barrier(place.address)?;
                let owner = &mut self.device.ctas[place.cta];
                owner.barriers.invalidate(&mut owner.shared, place.address)?;
                return Ok(None);
            }
            "expect" => {
                self.operate(place, |b| b.expect_tx(number))??;
                return Ok(None);
            }
            "complete" => {
                self.operate(place, |b| b.complete_tx(number))??;
                return Ok(None);
            }
            "arrive_r" => {
                self.operate(place, |b| b.arrive(number))??;
                return Ok(None);
            }
            "arrivetx_r" => {
                self.operate(place, |b| b.arrive_expect_tx(number))??;
                return Ok(None);
            }
            "cparrive" => {
                self.copies_arrive(place, number == 0)?;
                return Ok(None);
            }
            "test" => {
                let done = self.operate(place, |b| b.test_parity(number))?;
                return Ok(Some(self.decided(place, done)));
            }
            "tests" => {
                let state = self.state(cta, number)?;
                let done = self.operate(place, |b| b.test_token(Token(state)))?;
                return Ok(Some(self.decided(place, done)));
            }
            "try" | "wait" => return Ok(Some(Value::Pair(self.operate(place, |b| b.test_parity(number))?))),
            "txc" => return Ok(Some(Value::Number(self.tx_count(place)?))),
            "pollt" => return self.poll_states(place, number, op.number(2)?).map(Some),
            "arrive" => self.operate(place, |b| b.arrive(1))??,
            "arriven" => self.operate(place, |b| b.arrive(number))??,
            "arrivetx" => self.operate(place, |b| b.arrive_expect_tx(number))??,
            "drop" => self.operate(place, |b| b.arrive_drop(number))??,
            "nocomp" => self.operate(place, |b| b.arrive_no_complete(number))??,
            other => {
                return Err(Refusal::Unsupported(format!(
                    "barrier operations called \"{other}\" are not known"
                ))
                .into());
            }
        };
        self.returned[cta][index] = token.0;
        Ok(Some(Value::State(token.0)))
    }

    /// Runs `operation` on the object at `place`.
    pub(super) fn operate<R>(
        &mut self,
        place: Place,
        operation: impl FnOnce(&mut Mbarrier) -> R,
    ) -> Result<R, Stop> {
        bulk::barrier(place.address)?;
        let owner = &mut self.device.ctas[place.cta];
        Ok(owner.barriers.operate(&mut owner.shared, place.address, operation)?)
    }

    /// What a copy of `bytes` does to the barrier when it has landed. Its signal comes in pieces of at least `grain`
    /// bytes, so a phase that expects fewer bytes than come may complete on the way. hardware: h200 facts 40, 41.
    pub(super) fn landed(&mut self, place: Place, bytes: u32, grain: u32) -> Result<(), Stop> {
        let undecided = self.operate(place, |b| {
            let left = b.tx_count();
            let partial =
                b.pending() == 0 && left > 0 && left < i64::from(bytes) && left % i64::from(grain) == 0;
            b.complete_tx(bytes).map(|()| partial)
        })??;
        if undecided {
            self.undecided.insert((place.cta, place.address));
        }
        Ok(())
    }

    fn decided(&self, place: Place, done: bool) -> Value {
        if self.undecided.contains(&(place.cta, place.address)) { Value::Any } else { Value::Flag(done) }
    }

    fn init(&mut self, place: Place, count: u32) -> Result<(), Stop> {
        bulk::barrier(place.address)?;
        self.undecided.remove(&(place.cta, place.address));
        let owner = &mut self.device.ctas[place.cta];
        owner.barriers.init(&mut owner.shared, place.address, Mbarrier::init(count, MbarrierLayout::V0))?;
        Ok(())
    }

    /// Every thread initialises the objects of its number. Warps take turns lane by lane, which decides what the
    /// barrier cache still holds afterwards.
    fn init_many(&mut self, place: Place, bytes: u64, count: u32) -> Result<(), Stop> {
        let objects = bytes / 8;
        self.device.ctas[place.cta].shared.bytes(place.address, bytes)?;
        for round in (0..objects).step_by(THREADS as usize) {
            for lane in 0..WARP {
                for warp in 0..THREADS / WARP {
                    let object = round + warp * WARP + lane;
                    if object < objects {
                        self.init(Place { address: place.address + 8 * object, ..place }, count)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `cp.async.mbarrier.arrive`; all copies have landed by now. hardware: h200 fact 117.
    fn copies_arrive(&mut self, place: Place, counts: bool) -> Result<(), Stop> {
        self.operate(place, |b| {
            if counts {
                b.add_pending(1)?;
            }
            b.arrive(1).map(drop)
        })??;
        Ok(())
    }

    /// The exact transaction count, found the way the recording kernel finds it: it uses up twelve arrivals and faults
    /// where the count or the arrivals leave their range.
    fn tx_count(&mut self, place: Place) -> Result<i64, Stop> {
        let (high, low) = self.operate(place, |b| {
            let field = |token: Token| (token.0 >> 32) as u32 & 0x7ff;
            let high = field(b.arrive(1)?);
            let mut low = 0;
            for bit in (0..11).rev().map(|k| 1 << k) {
                b.expect_tx(bit)?;
                if field(b.arrive(1)?) == high {
                    low += bit;
                } else {
                    b.complete_tx(bit)?;
                }
            }
            b.complete_tx(low)?;
            Ok::<_, MbarrierFault>((high, low))
        })??;
        let stored = i64::from((high & 0x3ff) << 11 | low);
        Ok(match stored {
            0 => 0,
            negative if negative > 1 << 20 => (1 << 21) - negative,
            positive => -positive,
        })
    }

    /// Arrivals until the count field of the state has changed often enough; everything has landed, so it stands still.
    fn poll_states(&mut self, place: Place, turns: u32, most: u32) -> Result<Value, Stop> {
        let turns = turns.min(MOST_TURNS);
        let states = self.operate(place, |b| {
            let mut last = None;
            let mut states = Vec::new();
            for _ in 0..turns {
                if states.len() >= 2 * most as usize {
                    break;
                }
                let field = b.arrive(1)?.0 >> 32 & 0x7ff;
                if last != Some(field) {
                    states.extend([0, field]);
                    last = Some(field);
                }
            }
            Ok::<_, MbarrierFault>(states)
        })??;
        self.launch.logs.push(Log::Timed(states));
        Ok(Value::IgnoredPair)
    }

    fn state(&self, cta: usize, op: u32) -> Result<u64, Stop> {
        let state = self.returned[cta].get(op as usize).copied();
        state.ok_or_else(|| Refusal::Malformed(format!("there is no operation {op}")).into())
    }
}
