//! One wave waited for the operation, but no barrier tells the other wave: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{CounterSpec, Replay, WaveId};

use super::{Cause, Clash, Hazard, Rank, cause};
use crate::checker::WaitNote;
use crate::finding::{Finding, Spot};
use crate::late::{Arrival, Candidate};
use crate::record::Owner;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-missing-after-wait"),
    level: Level::Error,
    title: "one wave waited for the operation, but no barrier tells the other wave",
    what: "The wave that issued an operation waited for it, yet another wave uses the bytes without a barrier after that wait.",
    why: "Counters belong to one wave. Others learn of the end only when the issuing wave reaches a barrier after its wait, or raises a flag that they poll; beyond a workgroup caches must be written back before the flag and invalidated after it.",
    example: "wave 0: tensor_load; barrier; s_wait_tensorcnt 0\nwave 1:              barrier; ds_load       (the wait comes after the barrier)",
    fix: "Wait before the barrier, and let every wave that uses the bytes take part in it.",
    source: Source::manual("CDNA5 ISA 10.8; LLVM AMDGPUUsage, memory model (s_barrier waits for no counter)"),
    rank: Rank::Companion,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let Owner::Channel(kind) = clash.earlier.owner else { return super::data_race::word(clash, replay) };
    let Cause::NoBarrier(wait) = cause(clash, kind) else { return super::data_race::word(clash, replay) };
    let launch = &clash.checker.launch;
    let arrival = clash.checker.notes.get(clash.earlier.wave.index()).and_then(|n| n.arrival.as_ref());
    let before = |a: &&Arrival| a.issued(kind) >= clash.earlier.time && a.moment < wait.moment;
    let across = clash.across_workgroups(kind);
    if let Some(arrival) = arrival.filter(|a| across.is_none() && before(a)) {
        let mut finding = clash.finding(&HAZARD, String::new(), replay);
        let late = Late {
            owner: clash.earlier.wave,
            user: clash.who(&clash.later),
            noun: clash.noun(&clash.earlier),
            bytes: clash.bytes(),
            seq: clash.earlier.time,
        };
        late.tell(&mut finding, wait, arrival, clash.checker.counter_of(kind));
        return finding;
    }
    let same_block = launch.block_of(clash.earlier.wave) == launch.block_of(clash.later.wave);
    let message = format!(
        "{} uses {} with no {} after the wait in which {} saw its {} complete",
        clash.later_subject(),
        clash.bytes(),
        if same_block { "barrier" } else { "release and acquire" },
        clash.who(&clash.earlier),
        clash.noun(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.secondary.push(Spot { place: wait.place, text: format!("{} waits here", clash.earlier.wave) });
    let (first, second) = (clash.earlier.wave, clash.later.wave);
    finding.fix = Some(
        if let Some(fix) = across {
            fix
        } else if same_block {
            format!("Let {first} execute its wait and then a barrier, which {second} passes, too, before it uses the bytes.")
        } else {
            format!(
                "They are of different workgroups: let {first} write back the caches (`buffer_wbl2 sc1`, `global_wb`) and \
                 wait before it raises a flag at device scope, and {second} invalidate them (`buffer_inv sc1`, \
                 `global_inv`) after it has seen the flag."
            )
        }
        .into(),
    );
    finding
}

/// The finding for a clash whose owner came to its wait after the barrier, or after its own use of the bytes.
pub(crate) fn late(
    candidate: &Candidate,
    wait: WaitNote,
    arrival: Option<&Arrival>,
    counter: Option<&CounterSpec>,
) -> Finding {
    let mut finding = candidate.plain.clone();
    let (noun, user) = (&candidate.noun, candidate.user);
    match arrival {
        Some(arrival) if candidate.owner.wave != user => {
            (finding.code, finding.level, finding.source) = (HAZARD.code, HAZARD.level, Some(HAZARD.source));
            finding.secondary.truncate(1);
            let late = Late {
                owner: candidate.owner.wave,
                user: user.to_string(),
                noun: noun.clone(),
                bytes: candidate.bytes.clone(),
                seq: candidate.seq,
            };
            late.tell(&mut finding, wait, arrival, counter);
        }
        _ => {
            let text = wait_text(counter, wait.asked);
            finding.message = format!("{}; {user} waits for it only afterwards", finding.message);
            finding
                .secondary
                .push(Spot { place: wait.place, text: "this wait comes after the use".to_owned() });
            finding.fix = Some(format!("Move `{text}` before the use, after the {noun}.").into());
        }
    }
    finding.cause = Some(wait.place);
    finding
}

/// What a wait behind the barrier let happen.
struct Late {
    owner: WaveId,
    user: String,
    noun: String,
    bytes: String,
    seq: u32,
}

impl Late {
    fn tell(self, finding: &mut Finding, wait: WaitNote, arrival: &Arrival, counter: Option<&CounterSpec>) {
        let Late { owner, user, noun, bytes, seq } = self;
        let (asked, name) = (wait.asked, counter.map_or("its counter", |c| c.name));
        finding.message = format!(
            "the wait of {owner} for {name} {asked} stands behind the barrier: {user} uses {bytes} after the barrier, when the \
             {noun} of {owner} may still be outstanding"
        );
        finding
            .secondary
            .push(Spot { place: arrival.place, text: format!("{owner} arrives at the barrier") });
        finding.secondary.push(Spot { place: wait.place, text: format!("{owner} waits only here") });
        let enough = arrival.issued(wait.kind).saturating_sub(seq).min(asked);
        let text = wait_text(counter, enough);
        finding.fix = Some(
            format!(
                "Move the wait before the barrier: `{text}` in every wave, then the barrier, then the use."
            )
            .into(),
        );
        finding.notes.clear();
    }
}

fn wait_text(counter: Option<&CounterSpec>, n: u32) -> String {
    counter.map_or_else(|| format!("wait for {n}"), |c| c.wait.replace("{}", &n.to_string()))
}
