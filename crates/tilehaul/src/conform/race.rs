//! Records of races and of blocks that leave with stores pending (`e15_race`, `e25_leave`): hardware varies there, so
//! every recorded outcome must be one that some landing of the same few operations gives.
//!
//! The operations are run on the machine itself, under eager and lazy landing and several seeds. What the records hold of
//! times is not compared.

use serde_json::{Value, json};
use tilehaul_machine::mini::{CopyEnd, Line, Mem, Mini, Op, Word};
use tilehaul_machine::{
    Contents, GlobalMemory, Landing, LaneMask, Launch, Options, Outcome as End, Part, Replay, RunResult,
    Schedule, run,
};

use super::codec::{field, field_or};
use super::{Outcome, Refusal};

/// Words before and after.
const OLD: u32 = 1;
const NEW: u32 = 2;
/// Seeds of random landing.
const SEEDS: u64 = 6;
/// Bytes of a copy here: sizes change how likely an outcome is, not which ones there are.
const BYTES: u32 = 256;
const BARRIER: u64 = 1024;
const TILE: Word = Word { mem: Mem::Shared, at: 0 };
const SECOND: Word = Word { mem: Mem::Shared, at: 512 };

/// Whether old and new words can be found, by name of what the record counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Possible {
    old: bool,
    new: bool,
}

/// The model's answer: which words can be found.
pub(super) fn answer(record: &Value) -> Result<Value, Refusal> {
    let possible = possible(record)?;
    Ok(json!({ "old": possible.old, "new": possible.new }))
}

/// A record agrees when it counts nothing that no landing gives.
pub(super) fn compare(record: &Value) -> Result<Outcome, Refusal> {
    let possible = possible(record)?;
    let (old, new) = counted(record)?;
    for (seen, can, which) in [(old, possible.old, "old"), (new, possible.new, "new")] {
        if seen > 0 && !can {
            return Ok(Outcome::Differs(format!("{seen} {which} words were seen, which no landing gives")));
        }
    }
    Ok(Outcome::Agrees)
}

/// How often the record saw old and new words.
fn counted(record: &Value) -> Result<(u64, u64), Refusal> {
    if record.get("k").is_some() {
        let mut sums = (0, 0);
        for launch in field::<Vec<Value>>(record, "out")? {
            // Old: what was to be stored; new: what overwrote it, or anything else.
            let (bad, blocks): (u64, u64) = (field(&launch, "bad")?, field(record, "ctas")?);
            sums = (sums.0 + u64::from(bad == 0) * blocks, sums.1 + bad);
        }
        return Ok(sums);
    }
    let reps: u64 = field(record, "reps")?;
    Ok(match field::<String>(record, "kind")?.as_str() {
        "overwrite" => {
            let new: u64 = field(record, "took_new")?;
            (reps.saturating_sub(new), new)
        }
        "visible" => {
            let old: u64 = field(record, "reps_with_old")?;
            (old, reps.saturating_sub(old))
        }
        "init then bulk load" => (field(record, "timeouts")?, reps),
        _ => {
            let old: u64 = field(record, "old_words")?;
            (old + field_or::<u64>(record, "timeouts", 0)?, reps)
        }
    })
}

fn possible(record: &Value) -> Result<Possible, Refusal> {
    if record.get("k").is_some() {
        return leave(field(record, "mode")?);
    }
    let kind: String = field(record, "kind")?;
    let wait = wait_of(&field_or(record, "wait", "none".to_owned())?)?;
    let store = |from, to| Op::Copy { from, to, len: BYTES, end: CopyEnd::Group };
    let load = |from, to| Op::Copy { from, to, len: BYTES, end: CopyEnd::Barrier(BARRIER) };
    let all = Op::WaitGroup(0, Part::All);
    let (global, counted) = (global(), [Op::Init(BARRIER, 1), Op::ArriveExpect(BARRIER, BYTES)]);
    let mut ops = Vec::new();
    let found = match kind.as_str() {
        "overwrite" => {
            ops.extend([Op::Store(TILE, OLD), Op::ProxyFence, store(TILE, global), Op::Commit]);
            ops.extend(wait);
            ops.extend([Op::Store(TILE, NEW), all]);
            global
        }
        "visible" => {
            // A fence behind the store is no wait, and hides nothing that the model would show.
            ops.extend([Op::Store(global, OLD), Op::Store(TILE, NEW), Op::ProxyFence]);
            ops.extend([store(TILE, global), Op::Commit]);
            ops.extend(wait);
            global
        }
        "generic then bulk load" => {
            ops.extend(counted);
            ops.extend([Op::Store(global, OLD), Op::Store(global, NEW), load(global, TILE)]);
            ops.push(Op::WaitPhase(BARRIER, 0));
            TILE
        }
        "shared then bulk store" => {
            ops.extend([Op::Store(TILE, OLD), Op::Store(TILE, NEW), store(TILE, global), Op::Commit, all]);
            global
        }
        "init then bulk load" => {
            ops.extend([Op::Store(global, NEW)]);
            ops.extend(counted);
            ops.extend([load(global, TILE), Op::WaitPhase(BARRIER, 0)]);
            TILE
        }
        "bulk store then bulk load" => {
            ops.extend(counted);
            ops.extend([Op::Store(global, OLD), Op::Store(TILE, NEW), store(TILE, global), Op::Commit]);
            ops.extend(wait);
            ops.extend([load(global, SECOND), Op::WaitPhase(BARRIER, 0)]);
            SECOND
        }
        other => {
            return Err(Refusal::Unsupported(format!(
                "records of kind \"{other}\" hold times, which are not compared"
            )));
        }
    };
    Ok(Possible { old: finds(&ops, found, OLD), new: finds(&ops, found, NEW) })
}

/// Blocks that end with their stores pending. Old is what was stored, new what came into the tile later.
fn leave(mode: u32) -> Result<Possible, Refusal> {
    let mut ops = vec![
        Op::Store(TILE, OLD),
        Op::ProxyFence,
        Op::Copy { from: TILE, to: global(), len: BYTES, end: CopyEnd::Group },
        Op::Commit,
    ];
    let wait = match mode {
        0 | 3 => None,
        1 | 4 => Some(Op::WaitGroup(0, Part::Source)),
        2 => Some(Op::WaitGroup(0, Part::All)),
        _ => return Err(Refusal::Malformed(format!("mode {mode}: 0 to 4 are known"))),
    };
    ops.extend(wait);
    if mode >= 3 {
        ops.push(Op::Store(TILE, NEW));
    }
    let ends: Vec<u32> = runs(&ops).filter_map(|done| word(&done.memory)).collect();
    Ok(Possible { old: ends.contains(&OLD), new: ends.iter().any(|&word| word != OLD) })
}

fn wait_of(name: &str) -> Result<Option<Op>, Refusal> {
    Ok(match name {
        "none" => None,
        "read" => Some(Op::WaitGroup(0, Part::Source)),
        "full" => Some(Op::WaitGroup(0, Part::All)),
        other => return Err(Refusal::Malformed(format!("wait \"{other}\": none, read and full are known"))),
    })
}

/// True when some landing lets a thread find the value when the operations are over.
fn finds(ops: &[Op], word: Word, value: u32) -> bool {
    let ops: Vec<Op> = ops.iter().copied().chain([Op::Await(word, value)]).collect();
    runs(&ops).any(|done| done.outcome == End::Finished)
}

/// The operations, by one thread, under several landings.
fn runs(ops: &[Op]) -> impl Iterator<Item = RunResult> {
    let lines = ops.iter().map(|&op| Line { lanes: LaneMask::one(0), op }).collect();
    let program = Mini { waves: vec![lines], copies_async: true };
    let launch = Launch { shared_bytes: 2048, ..Launch::new([1, 1, 1], [1, 1, 1], 32) };
    let fixed =
        [Landing::Eager, Landing::Lazy].map(|landing| Replay { schedule: Schedule::RoundRobin, landing });
    let replays = fixed.into_iter().chain((0..SEEDS).map(Replay::random));
    replays.map(move |replay| {
        let options = Options { replay, step_limit: 10_000, ..Options::default() };
        run(&program, &launch, memory(), options, None)
    })
}

fn memory() -> GlobalMemory {
    let mut memory = GlobalMemory::new();
    memory.allocate("a", vec![0; BYTES as usize], 256, Contents::Written);
    memory
}

fn global() -> Word {
    Word { mem: Mem::Global, at: memory().allocations().first().map_or(0, |a| a.base) }
}

/// The first word of device memory.
fn word(memory: &GlobalMemory) -> Option<u32> {
    let data = &memory.allocations().first()?.data;
    data.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_some_landing_gives_agrees() {
        let record = |wait: &str, new: u32| json!({"kind": "overwrite", "bytes": 4096, "at": 0, "wait": wait, "reps": 200, "took_new": new});
        for agreeing in [record("none", 0), record("none", 200), record("none", 7), record("read", 0)] {
            assert_eq!(compare(&agreeing).unwrap(), Outcome::Agrees, "{agreeing}");
        }
        for wrong in [record("read", 1), record("full", 200)] {
            assert!(matches!(compare(&wrong).unwrap(), Outcome::Differs(_)), "{wrong}");
        }
        let left =
            |mode: u32, bad: u32| json!({"k": "leave", "mode": mode, "ctas": 4, "out": [{"bad": bad}]});
        assert_eq!(compare(&left(0, 0)).unwrap(), Outcome::Agrees);
        assert_eq!(compare(&left(3, 5)).unwrap(), Outcome::Agrees);
        assert!(matches!(compare(&left(0, 5)).unwrap(), Outcome::Differs(_)));
        assert!(matches!(compare(&left(4, 5)).unwrap(), Outcome::Differs(_)));
    }
}
