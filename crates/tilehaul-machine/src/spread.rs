//! Clusters of blocks on several cores.
//!
//! Clusters that have nothing to do with each other need not take turns. Each core runs some of the clusters, one at a time,
//! on its own copy of device memory, and notes for every word who read and who wrote it ([`Claims`]). When no cluster
//! touched what another one wrote, what they wrote is put together; that is what any order of clusters would have left.
//! Otherwise, and when a cluster waits for another, looks at the clock, or does not finish, all of that is thrown away
//! and the launch runs in turns as [`run`] does it. Which of the two happens does not depend on the number of cores, and
//! neither does the result: clusters run one at a time even on one core.

use std::collections::BTreeMap;
use std::ops::Range;

use tilehaul_diag::Code;
use tilehaul_engine::Memory;

use crate::machine::{Portion, run, run_portion};
use crate::{
    Access, AccessKind, ClusterId, GlobalMemory, Landing, Launch, Options, Outcome, PlaceId, Program, Report,
    RunResult, Schedule,
};

/// Bytes of device memory, all copies together, above which fewer cores are used.
const MEMORY: u64 = 4 << 30;
/// Bytes that are claimed together.
const WORD: u64 = 4;
/// Read by several clusters.
const MANY: u32 = u32::MAX;

/// Runs a launch without an observer, clusters on `cores` cores where they are independent.
///
/// Only waves in order and landings at issue or as late as possible are spread; other schedules depend on the order of all
/// waves, and run as [`run`] does.
pub fn run_spread(
    program: &dyn Program,
    launch: &Launch,
    global: GlobalMemory,
    options: Options,
    cores: usize,
) -> RunResult {
    let in_order = options.replay.schedule == Schedule::RoundRobin
        && matches!(options.replay.landing, Landing::Eager | Landing::Lazy);
    if !in_order || launch.check().is_err() || launch.clusters() < 2 {
        return run(program, launch, global, options, None);
    }
    let bytes: u64 = global.allocations().iter().map(|a| a.data.len() as u64).sum();
    let most = (MEMORY / bytes.max(1)).clamp(1, u64::from(launch.clusters()));
    let parts = (cores.max(1) as u64).min(most) as u32;
    match run_portions(program, launch, &global, &options, parts) {
        Some(result) => result,
        None => run(program, launch, global, options, None),
    }
}

/// Runs every part; none when the parts are not independent.
fn run_portions(
    program: &dyn Program,
    launch: &Launch,
    global: &GlobalMemory,
    options: &Options,
    parts: u32,
) -> Option<RunResult> {
    let clusters = launch.clusters();
    let range = |part: u32| {
        let cut = |part: u32| (u64::from(part) * u64::from(clusters) / u64::from(parts)) as u32;
        cut(part)..cut(part + 1)
    };
    let one = |clusters: Range<u32>| {
        let claims = Claims::new(global);
        run_portion(program, launch, global.clone(), options.clone(), clusters, claims)
    };
    let done: Vec<Portion> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..parts).map(|part| scope.spawn(move || one(range(part)))).collect();
        let mut done = vec![one(range(0))];
        for other in others {
            match other.join() {
                Ok(part) => done.push(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    let fine = |part: &Portion| part.outcome == Outcome::Finished;
    let steps: u64 = done.iter().map(|part| part.steps).sum();
    if !done.iter().all(fine) || steps >= options.step_limit || conflict(&done) {
        return None;
    }
    let mut memory = None;
    let mut reports: BTreeMap<(Code, PlaceId), Report> = BTreeMap::new();
    for part in done {
        for (key, report) in part.reports {
            let count = report.count;
            reports.entry(key).and_modify(|r| r.count += count).or_insert(report);
        }
        match &mut memory {
            None => memory = Some(part.memory),
            Some(memory) => part.claims.copy_written(&part.memory, memory),
        }
    }
    Some(RunResult {
        left_open: None,
        garbled: false,
        outcome: Outcome::Finished,
        memory: memory?,
        reports: reports.into_values().collect(),
        steps,
        observer: None,
        decisions: Vec::new(),
        replay: options.replay,
    })
}

/// True when one part wrote a word that another touched.
fn conflict(parts: &[Portion]) -> bool {
    let allocations = parts.first().map_or(0, |part| part.claims.maps.len());
    (0..allocations).any(|a| {
        let touched: Vec<&Map> =
            parts.iter().map(|part| &part.claims.maps[a]).filter(|map| !map.words.is_empty()).collect();
        touched.iter().enumerate().any(|(i, map)| {
            let others = || touched.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| other);
            map.written().any(|word| others().any(|other| other.words[word] != [0, 0]))
        })
    })
}

/// Who touched which words of device memory.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// The cluster that runs, counted from 1.
    now: u32,
    maps: Vec<Map>,
    /// A cluster touched what another one wrote, or did something that depends on others.
    pub(crate) conflict: bool,
}

/// The claims on one allocation.
#[derive(Debug)]
struct Map {
    base: u64,
    bytes: u64,
    /// Writer and reader of each word, clusters counted from 1; empty until the first access.
    words: Vec<[u32; 2]>,
    /// Words that were touched lie in here.
    span: Range<usize>,
}

impl Map {
    /// Words that were written.
    fn written(&self) -> impl Iterator<Item = usize> {
        self.span.clone().filter(|&word| self.words[word][0] != 0)
    }
}

impl Claims {
    fn new(global: &GlobalMemory) -> Claims {
        let map = |a: &crate::Allocation| Map {
            base: a.base,
            bytes: a.data.len() as u64,
            words: Vec::new(),
            span: 0..0,
        };
        Claims { now: 0, maps: global.allocations().iter().map(map).collect(), conflict: false }
    }

    pub(crate) fn start(&mut self, cluster: ClusterId) {
        self.now = cluster.0 + 1;
    }

    pub(crate) fn access(&mut self, access: &Access<'_>, kind: AccessKind) {
        let (lanes, size) = (access.who.lanes, u64::from(access.size));
        // Most often all lanes stand in one row.
        let first = lanes.lowest().unwrap_or(0) as usize;
        let row = access.addresses.get(first..first + lanes.len() as usize).unwrap_or_default();
        let in_a_row = lanes.0 >> first & (lanes.0 >> first).wrapping_add(1) == 0;
        if let (true, Some(&start)) = (in_a_row, row.first())
            && (0u64..).zip(row).all(|(i, &a)| a == start.wrapping_add(i * size))
        {
            self.touch(start, size * row.len() as u64, kind.writes());
            return;
        }
        for lane in lanes.iter() {
            self.touch(access.addresses[lane as usize], size, kind.writes());
        }
    }

    pub(crate) fn touch(&mut self, start: u64, len: u64, writes: bool) {
        let at = self.maps.partition_point(|map| map.base <= start).checked_sub(1);
        let inside = |map: &Map| (start - map.base).checked_add(len).is_some_and(|end| end <= map.bytes);
        match at {
            Some(at) if inside(&self.maps[at]) => self.touch_inside(at, start, len, writes),
            // Engines that go on after bytes outside every allocation move the others; who does not ends the run.
            at => {
                let end = start.saturating_add(len);
                for at in at.unwrap_or(0)..self.maps.len() {
                    let Map { base, bytes, .. } = self.maps[at];
                    let (first, last) = (start.max(base), end.min(base + bytes));
                    if first < last {
                        self.touch_inside(at, first, last - first, writes);
                    }
                    if base >= end {
                        break;
                    }
                }
            }
        }
    }

    #[inline]
    fn touch_inside(&mut self, at: usize, start: u64, len: u64, writes: bool) {
        let map = &mut self.maps[at];
        let offset = start - map.base;
        if len == 0 {
            return;
        }
        let words = (offset / WORD) as usize..(offset + len).div_ceil(WORD) as usize;
        if map.words.is_empty() {
            map.words = vec![[0, 0]; map.bytes.div_ceil(WORD) as usize];
            map.span = words.clone();
        }
        map.span = map.span.start.min(words.start)..map.span.end.max(words.end);
        let now = self.now;
        let words = &mut map.words[words];
        // Nearly all words are touched by one cluster only: told first, so that the loop has no branches.
        let others = words.iter().fold(0, |others, &[writer, reader]| {
            let foreign = |owner: u32| u32::from(owner != 0) & u32::from(owner != now);
            others | foreign(writer) | foreign(reader)
        });
        if others == 0 {
            let owner = usize::from(!writes);
            words.iter_mut().for_each(|word| word[owner] = now);
            return;
        }
        for [writer, reader] in words {
            let mine = |owner: u32| owner == 0 || owner == now;
            self.conflict |= !mine(*writer) || writes && !mine(*reader);
            if writes {
                *writer = now;
            } else {
                *reader = if mine(*reader) { now } else { MANY };
            }
        }
    }

    /// Copies what was written to another memory with the same allocations.
    fn copy_written(&self, from: &GlobalMemory, to: &mut GlobalMemory) {
        for map in &self.maps {
            let mut words = map.written().peekable();
            while let Some(first) = words.next() {
                let mut last = first;
                while words.next_if_eq(&(last + 1)).is_some() {
                    last += 1;
                }
                let start = first as u64 * WORD;
                let len = ((last as u64 + 1) * WORD).min(map.bytes) - start;
                let source = from.bytes(map.base + start, len);
                if let (Ok(source), Ok(target)) = (source, to.bytes_mut(map.base + start, len)) {
                    target.copy_from_slice(source);
                }
            }
        }
    }
}
