//! Mutants of AMD assembly.

use super::{Change, Mutant, descriptor};

/// A no-op in the place of what is dropped.
pub(super) const NOTHING: &str = "s_nop 0";
/// Ends the launch: an illegal access of the instruction fetch would too, but this one is named.
const PROBE: &str = "s_trap 2";
/// A count that no counter exceeds in a field of six bits.
const UNLIMITED: u64 = 63;

/// Every mutant of the code lines of an AMD assembly text, in order of place.
#[must_use]
pub(in super::super) fn mutants(text: &str) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut start = 0;
    let scratch = descriptor::Scratch::free_in(text);
    for line in text.split_inclusive('\n') {
        let code_end = [line.find(';'), line.find("//")].into_iter().flatten().min().unwrap_or(line.len());
        let code = line.get(..code_end).unwrap_or("").trim_end();
        let indent = code.len() - code.trim_start().len();
        let code = code.trim_start();
        let range = start + indent..start + indent + code.len();
        start += line.len();
        let mnemonic = code.split_whitespace().next().unwrap_or("");
        let rest = code.get(mnemonic.len()..).unwrap_or("").trim();
        let mut changes = changes(mnemonic, rest);
        if let Some(scratch) = &scratch {
            descriptor::changes(code, mnemonic, rest, scratch, &mut changes);
        }
        for (what, replacement) in changes {
            mutants.push(Mutant { range: range.clone(), replacement, what, probe: PROBE.into() });
        }
    }
    mutants
}

fn changes(mnemonic: &str, rest: &str) -> Vec<Change> {
    let mut list: Vec<Change> = Vec::new();
    let drop = |what: &str| (what.to_owned(), NOTHING.to_owned());
    match mnemonic {
        "s_waitcnt" => waitcnt(rest, &mut list),
        "s_wait_loadcnt_dscnt" | "s_wait_storecnt_dscnt" => two_counts(mnemonic, rest, &mut list),
        "s_wait_idle" => list.push(drop("drop the wait")),
        // Hazards inside the vector unit, not of tiles; waits for messages.
        "s_wait_alu" | "s_wait_event" => {}
        _ if mnemonic.starts_with("s_wait_") => {
            list.push(drop("drop the wait"));
            if let Some(count) = number(rest) {
                list.push(("let one more stay outstanding".into(), format!("{mnemonic} {:#x}", count + 1)));
            }
        }
        "s_barrier" => list.push(drop("drop the barrier")),
        "s_barrier_wait" => list.push(drop("drop the barrier's wait")),
        "s_barrier_signal" | "s_barrier_signal_isfirst" => list.push(drop("drop the arrival")),
        _ if mnemonic.starts_with("ds_atomic_async_barrier_arrive")
            || mnemonic.starts_with("ds_atomic_barrier_arrive") =>
        {
            list.push(drop("drop the arrival"));
        }
        "buffer_inv" | "buffer_wbl2" | "buffer_gl0_inv" | "buffer_gl1_inv" | "global_inv" | "global_wb"
        | "global_wbinv" => {
            list.push(drop("drop the fence"));
        }
        _ if mnemonic.starts_with("s_") && rest.split(',').next().is_some_and(|d| d.trim() == "m0") => {
            list.push(drop("leave M0 as it was"));
        }
        _ => {}
    }
    list
}

/// Each term of `s_waitcnt vmcnt(3) lgkmcnt(0)`.
fn waitcnt(rest: &str, list: &mut Vec<Change>) {
    let terms: Vec<&str> = rest.split([' ', '&', ',']).filter(|t| !t.is_empty()).collect();
    for (index, term) in terms.iter().enumerate() {
        let Some((counter, count)) =
            term.split_once('(').and_then(|(c, n)| Some((c, number(n.strip_suffix(')')?)?)))
        else {
            continue;
        };
        let others = |replacement: Option<String>| {
            let mut kept: Vec<String> = Vec::new();
            for (i, t) in terms.iter().enumerate() {
                match &replacement {
                    Some(r) if i == index => kept.push(r.clone()),
                    None if i == index => {}
                    _ => kept.push((*t).to_owned()),
                }
            }
            if kept.is_empty() { NOTHING.to_owned() } else { format!("s_waitcnt {}", kept.join(" ")) }
        };
        list.push((format!("drop the wait for {counter}"), others(None)));
        let weaker = others(Some(format!("{counter}({})", count + 1)));
        list.push((format!("let one more stay outstanding on {counter}"), weaker));
    }
}

/// `s_wait_loadcnt_dscnt`: dscnt in bits 5:0, the other in bits 13:8 (manual: CDNA5 ISA, S_WAIT_LOADCNT_DSCNT).
fn two_counts(mnemonic: &str, rest: &str, list: &mut Vec<Change>) {
    let Some(imm) = number(rest) else { return };
    let other = if mnemonic.contains("load") { "loadcnt" } else { "storecnt" };
    for (name, shift) in [(other, 8), ("dscnt", 0)] {
        let count = imm >> shift & UNLIMITED;
        let without = imm & !(UNLIMITED << shift);
        let made = |n: u64| format!("{mnemonic} {:#x}", without | n << shift);
        if count < UNLIMITED {
            list.push((format!("drop the wait for {name}"), made(UNLIMITED)));
            list.push((format!("let one more stay outstanding on {name}"), made(count + 1)));
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_wait_has_its_mutants() {
        let text = "\ts_wait_tensorcnt 0x0 ; all\n\ts_waitcnt vmcnt(3) lgkmcnt(0)\n\ts_barrier\n\tv_mov_b32 v0, 0\n\
                    \ts_wait_loadcnt_dscnt 0x102\n\ts_mov_b32 m0, s3\n";
        let found: Vec<(String, String)> =
            mutants(text).into_iter().map(|m| (m.what, m.replacement)).collect();
        let texts: Vec<&str> = found.iter().map(|(_, r)| r.as_str()).collect();
        assert_eq!(
            texts,
            [
                "s_nop 0",
                "s_wait_tensorcnt 0x1",
                "s_waitcnt lgkmcnt(0)",
                "s_waitcnt vmcnt(4) lgkmcnt(0)",
                "s_waitcnt vmcnt(3)",
                "s_waitcnt vmcnt(3) lgkmcnt(1)",
                "s_nop 0",
                "s_wait_loadcnt_dscnt 0x3f02",
                "s_wait_loadcnt_dscnt 0x202",
                "s_wait_loadcnt_dscnt 0x13f",
                "s_wait_loadcnt_dscnt 0x103",
                "s_nop 0",
            ]
        );
        assert_eq!(found[2].0, "drop the wait for vmcnt");
    }
}
