//! Mutants of a kernel's text: each wait, fence, arrival, announced byte count and parity dropped or weakened in turn.
//!
//! Mutation is textual, so that it works on what people wrote and a report can show the changed line. A mutant of PTX is one
//! statement replaced; of AMD assembly one line. What a mutant does not compile to, or what no row of the tables below
//! describes, is not made.

use std::ops::Range;

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Bytes of the text that change.
    pub range: Range<usize>,
    /// What stands there instead.
    pub replacement: String,
    /// What was done, as a clause: `drop the wait`.
    pub what: &'static str,
}

impl Mutant {
    /// The whole text with the change.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let (before, after) = (text.get(..self.range.start), text.get(self.range.end..));
        format!("{}{}{}", before.unwrap_or(""), self.replacement, after.unwrap_or(""))
    }
}

/// Every mutant of a PTX text, in order of place.
#[must_use]
pub(super) fn ptx(text: &str) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for range in statements(text) {
        let Some(statement) = text.get(range.clone()) else { continue };
        let (guard, body) = match statement.strip_prefix('@').and_then(|s| s.split_once(char::is_whitespace))
        {
            Some((guard, body)) => (format!("@{guard} "), body.trim_start()),
            None => (String::new(), statement),
        };
        let opcode = body.split_whitespace().next().unwrap_or("").trim_end_matches(';');
        let operands = operands(body.get(opcode.len()..).unwrap_or("").trim().trim_end_matches(';'));
        for (what, changed) in ptx_changes(opcode, &operands) {
            let changed = if changed.is_empty() { String::new() } else { format!("{guard}{changed}") };
            mutants.push(Mutant { range: range.clone(), replacement: changed, what });
        }
    }
    mutants
}

/// What can be done to an instruction: a clause and the statement that stands in its place (empty: nothing).
fn ptx_changes(opcode: &str, operands: &[&str]) -> Vec<(&'static str, String)> {
    let mut changes: Vec<(&'static str, String)> = Vec::new();
    let all = operands.join(", ");
    let with = |index: usize, value: &str| {
        let list: Vec<&str> =
            operands.iter().enumerate().map(|(i, o)| if i == index { value } else { o }).collect();
        format!("{opcode} {};", list.join(", "))
    };
    let number = |index: usize| operands.get(index).and_then(|o| o.parse::<i64>().ok());
    let last = operands.len().saturating_sub(1);
    if opcode.starts_with("mbarrier.try_wait") || opcode.starts_with("mbarrier.test_wait") {
        if let Some(predicate) = operands.first() {
            changes.push(("drop the wait", format!("setp.eq.u32 {predicate}, 0, 0;")));
        }
        if opcode.contains(".parity")
            && let Some(parity) = operands.get(2)
        {
            match number(2) {
                Some(value) => changes.push(("wait for the other parity", with(2, &(value ^ 1).to_string()))),
                None => {
                    let inner = with(2, "%mutant_parity");
                    let flipped = format!(
                        "{{ .reg .b32 %mutant_parity; xor.b32 %mutant_parity, {parity}, 1; {inner} }}"
                    );
                    changes.push(("wait for the other parity", flipped));
                }
            }
        }
    } else if opcode.contains("wait_group")
        || opcode == "cp.async.wait_all"
        || opcode.starts_with("tcgen05.wait")
    {
        changes.push(("drop the wait", String::new()));
        if let Some(groups) = number(last).filter(|_| !operands.is_empty()) {
            changes.push(("let one more group stay outstanding", with(last, &(groups + 1).to_string())));
        }
        if opcode == "cp.async.bulk.wait_group" {
            changes.push(("wait for the sources only", format!("{opcode}.read {all};")));
        }
    } else if opcode.starts_with("fence.")
        || opcode.starts_with("membar.")
        || opcode.starts_with("wgmma.fence")
    {
        changes.push(("drop the fence", String::new()));
    } else if opcode.starts_with("bar.sync")
        || opcode.starts_with("barrier.sync")
        || opcode.starts_with("barrier.cluster")
        || opcode.starts_with("bar.warp.sync")
    {
        changes.push(("drop the barrier", String::new()));
    } else if opcode.starts_with("mbarrier.init") {
        if let Some(count) = number(last) {
            changes.push(("expect one arrival more", with(last, &(count + 1).to_string())));
        }
    } else if opcode.starts_with("mbarrier.arrive") || opcode.starts_with("mbarrier.expect_tx") {
        let unused = operands.first() == Some(&"_") || operands.first().is_some_and(|o| o.starts_with('['));
        if opcode.contains("expect_tx") {
            for (by, what) in [(16, "announce 16 bytes more"), (-16, "announce 16 bytes fewer")] {
                match number(last) {
                    Some(bytes) if bytes + by >= 0 => {
                        changes.push((what, with(last, &(bytes + by).to_string())))
                    }
                    Some(_) => {}
                    None => {
                        let bytes = operands.get(last).copied().unwrap_or("0");
                        let inner = with(last, "%mutant_bytes");
                        let scoped = format!(
                            "{{ .reg .b32 %mutant_bytes; add.s32 %mutant_bytes, {bytes}, {by}; {inner} }}"
                        );
                        changes.push((what, scoped));
                    }
                }
            }
        }
        if opcode.starts_with("mbarrier.arrive") && unused {
            changes.push(("drop the arrival", String::new()));
        }
    } else if opcode.starts_with("cp.async.mbarrier.arrive") || opcode.starts_with("tcgen05.commit") {
        changes.push(("drop the arrival", String::new()));
    } else if opcode.starts_with("cp.async.bulk.commit_group") || opcode.starts_with("wgmma.commit_group") {
        changes.push(("drop the commit", String::new()));
    }
    changes
}

/// Statements inside function bodies: from their first character to their semicolon, comments skipped.
fn statements(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut start = None;
    let mut depth = 0u32;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if text.get(at..).is_some_and(|r| r.starts_with("//")) {
            at += text.get(at..).and_then(|r| r.find('\n')).unwrap_or(bytes.len() - at);
            continue;
        }
        match byte {
            b'{' if start.is_none() => depth += 1,
            // The body of a function begins; an initialiser's braces stand behind `=`.
            b'{' if start.is_some_and(|s| opens_body(text, s, at)) => {
                start = None;
                depth += 1;
            }
            b'}' if start.is_none() => depth = depth.saturating_sub(1),
            // A label ends; what follows is a statement of its own.
            b':' if start.is_some_and(|s| is_label(text, s, at)) => start = None,
            b';' => {
                if let Some(begin) = start.take()
                    && depth > 0
                {
                    found.push(begin..at + 1);
                }
            }
            _ if start.is_none() && !byte.is_ascii_whitespace() => start = Some(at),
            _ => {}
        }
        at += 1;
    }
    found
}

/// `.visible .entry k(…)` in front of a brace, and directives without a semicolon before it.
fn opens_body(text: &str, start: usize, brace: usize) -> bool {
    let head = text.get(start..brace).unwrap_or("");
    head.starts_with('.') && !head.contains('=')
}

/// `name:` and not the `::` inside an opcode.
fn is_label(text: &str, start: usize, colon: usize) -> bool {
    let name = text.get(start..colon).unwrap_or("");
    let next = text.as_bytes().get(colon + 1);
    next != Some(&b':')
        && !name.ends_with(':')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '%'))
}

/// Operands separated by commas outside brackets and braces.
fn operands(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut depth, mut start) = (0u32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(text.get(start..at).unwrap_or("").trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text.get(start..).unwrap_or("").trim());
    out.retain(|o| !o.is_empty());
    out
}

/// Every mutant of an AMD assembly text, in order of place.
#[must_use]
pub(super) fn amd(text: &str) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code_end = line.find(';').or_else(|| line.find("//")).unwrap_or(line.len());
        let code = line.get(..code_end).unwrap_or("").trim_end();
        let indent = code.len() - code.trim_start().len();
        let code = code.trim_start();
        let range = start + indent..start + indent + code.len();
        start += line.len();
        let mnemonic = code.split_whitespace().next().unwrap_or("");
        let rest = code.get(mnemonic.len()..).unwrap_or("").trim();
        for (what, replacement) in amd_changes(mnemonic, rest) {
            mutants.push(Mutant { range: range.clone(), replacement, what });
        }
    }
    mutants
}

fn amd_changes(mnemonic: &str, rest: &str) -> Vec<(&'static str, String)> {
    let mut changes = Vec::new();
    // A no-op keeps offsets of branches as they are.
    let nothing = || "s_nop 0".to_owned();
    // Waits on argument loads and instruction caches are not about tiles.
    let counted = mnemonic == "s_waitcnt" || mnemonic.starts_with("s_wait_") && mnemonic != "s_wait_kmcnt";
    if counted && mnemonic != "s_wait_alu" {
        changes.push(("drop the wait", nothing()));
        let digits =
            rest.strip_prefix("0x").map(|h| i64::from_str_radix(h, 16)).unwrap_or_else(|| rest.parse());
        if let Ok(count) = digits
            && mnemonic != "s_waitcnt"
        {
            changes.push(("let one more stay outstanding", format!("{mnemonic} {:#x}", count + 1)));
        } else if let Some((counter, tail)) = rest.split_once('(')
            && let Some((count, after)) = tail.split_once(')')
            && let Ok(count) = count.parse::<i64>()
        {
            let weaker = format!("{mnemonic} {counter}({}){after}", count + 1);
            changes.push(("let one more stay outstanding", weaker));
        }
    } else if mnemonic == "s_barrier" || mnemonic.starts_with("s_barrier_wait") {
        changes.push(("drop the barrier", nothing()));
    } else if mnemonic.starts_with("ds_atomic_async_barrier_arrive")
        || mnemonic.starts_with("s_barrier_signal")
    {
        changes.push(("drop the arrival", nothing()));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guard_of_a_kernel_has_its_mutants() {
        let text = "// fence.proxy.async; in a comment\n.version 8.6\n.target sm_90a\n.visible .entry k(.param .u64 p)\n{\n\
                    .reg .b32 %b, %n;\nmbarrier.init.shared::cta.b64 [%b], 1;\nfence.proxy.async;\n\
                    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], %n;\nwait:\n\
                    @%q mbarrier.try_wait.parity.shared::cta.b64 %p, [%b], 0;\n@!%p bra wait;\n\
                    cp.async.bulk.wait_group 0;\nret;\n}\n";
        let found: Vec<(&str, String)> = ptx(text).into_iter().map(|m| (m.what, m.replacement)).collect();
        let whats: Vec<&str> = found.iter().map(|(w, _)| *w).collect();
        assert_eq!(
            whats,
            [
                "expect one arrival more",
                "drop the fence",
                "announce 16 bytes more",
                "announce 16 bytes fewer",
                "drop the arrival",
                "drop the wait",
                "wait for the other parity",
                "drop the wait",
                "let one more group stay outstanding",
                "wait for the sources only",
            ]
        );
        assert_eq!(found[5].1, "@%q setp.eq.u32 %p, 0, 0;");
        assert_eq!(found[6].1, "@%q mbarrier.try_wait.parity.shared::cta.b64 %p, [%b], 1;");
        assert!(ptx(text)[0].apply(text).contains("[%b], 2;"));
    }

    #[test]
    fn amd_waits_have_theirs() {
        let text =
            "\ts_wait_tensorcnt 0x0 ; all\n\ts_waitcnt vmcnt(3) lgkmcnt(0)\n\ts_barrier\n\tv_mov_b32 v0, 0\n";
        let found: Vec<(&str, String)> = amd(text).into_iter().map(|m| (m.what, m.replacement)).collect();
        assert_eq!(found[1].1, "s_wait_tensorcnt 0x1");
        assert_eq!(found[3].1, "s_waitcnt vmcnt(4) lgkmcnt(0)");
        assert_eq!(found.len(), 5);
    }
}
