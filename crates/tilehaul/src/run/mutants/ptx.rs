//! Mutants of PTX.

use tilehaul_diag::FileId;
use tilehaul_isa::ptx;

use super::{Change, Mutant};

/// Every mutant of the bodies of a PTX text, in order of place.
#[must_use]
pub(in super::super) fn mutants(text: &str) -> Vec<Mutant> {
    let module = ptx::read(text, FileId(0)).module;
    let mut mutants = Vec::new();
    for instruction in module.functions.iter().flat_map(|f| &f.instructions) {
        let range = instruction.span.start as usize..instruction.span.end as usize;
        let Some(statement) = text.get(range.clone()) else { continue };
        let (guard, body) = match statement.strip_prefix('@').and_then(|s| s.split_once(char::is_whitespace))
        {
            Some((guard, body)) => (format!("@{guard} "), body.trim_start()),
            None => (String::new(), statement),
        };
        let opcode = body.split_whitespace().next().unwrap_or("").trim_end_matches(';');
        let operands = operands(body.get(opcode.len()..).unwrap_or("").trim().trim_end_matches(';'));
        for (what, changed) in (Statement { opcode, operands: &operands }).changes() {
            // In braces, a guard goes with each instruction inside them.
            let replacement = match changed.strip_prefix('{') {
                _ if changed.is_empty() => String::new(),
                Some(_) if !guard.is_empty() => guarded(&guard, &changed),
                _ => format!("{guard}{changed}"),
            };
            let probe = format!("{guard}trap;");
            mutants.push(Mutant { range: range.clone(), replacement, what, probe });
        }
    }
    mutants.sort_by_key(|m| m.range.start);
    mutants
}

/// `{ .reg .b32 t; a; b; }` with a guard before each instruction.
fn guarded(guard: &str, block: &str) -> String {
    let inner = block.trim_start_matches('{').trim_end_matches('}');
    let parts = inner.split_inclusive(';').map(str::trim).filter(|p| !p.is_empty());
    let parts: Vec<String> =
        parts.map(|p| if p.starts_with('.') { p.to_owned() } else { format!("{guard}{p}") }).collect();
    format!("{{ {} }}", parts.join(" "))
}

/// An instruction without its guard.
struct Statement<'t> {
    opcode: &'t str,
    operands: &'t [&'t str],
}

impl Statement<'_> {
    fn changes(&self) -> Vec<Change> {
        let op = self.opcode;
        let starts = |names: &[&str]| names.iter().any(|n| op.starts_with(n));
        let mut list: Vec<Change> = Vec::new();
        if starts(&["mbarrier.try_wait", "mbarrier.test_wait"]) {
            self.phase_wait(&mut list);
        } else if op.contains("wait_group") || op == "cp.async.wait_all" || op.starts_with("tcgen05.wait") {
            self.group_wait(&mut list);
        } else if starts(&["fence.", "membar.", "wgmma.fence", "tcgen05.fence"]) {
            list.push(dropped("drop the fence"));
            for wide in [".sys", ".gpu", ".cluster"] {
                // Of a proxy fence the scope is another thing.
                if op.starts_with("fence.")
                    && !op.contains("proxy")
                    && op.ends_with(wide)
                    && !op.contains("init")
                {
                    let narrow = format!("{}.cta;", op.trim_end_matches(wide));
                    list.push(("narrow the fence to the block".into(), narrow));
                }
            }
        } else if starts(&["bar.arrive", "barrier.arrive", "barrier.cta.arrive", "barrier.cluster.arrive"]) {
            list.push(dropped("drop the arrival"));
            if op.starts_with("barrier.cluster.arrive") && !op.contains("relaxed") {
                let relaxed = op.replace(".release", "").replace(".arrive", ".arrive.relaxed");
                list.push(("arrive without release".into(), format!("{relaxed};")));
            }
        } else if starts(&["bar.sync", "barrier.sync", "barrier.cta.sync", "bar.warp.sync"]) {
            list.push(dropped("drop the barrier"));
            if let (Some(threads), false) = (self.number(1), op.starts_with("bar.warp")) {
                list.push(("expect one warp more".into(), self.with(1, &(threads + 32).to_string())));
            }
        } else if op.starts_with("barrier.cluster.wait") {
            list.push(dropped("drop the barrier's wait"));
        } else if op.starts_with("mbarrier.init") {
            self.init(&mut list);
        } else if starts(&["mbarrier.arrive", "mbarrier.expect_tx"]) {
            self.arrive(&mut list);
        } else if starts(&["cp.async.mbarrier.arrive", "tcgen05.commit"]) {
            list.push(dropped("drop the arrival"));
        } else if op.ends_with("commit_group") || op.contains("commit_group.") {
            list.push(dropped("drop the commit"));
        } else if starts(&["ld.", "st.", "atom.", "red."]) {
            for strong in [".acq_rel", ".acquire", ".release"] {
                if op.contains(strong) {
                    let what = format!("make it relaxed, not {}", &strong[1..]);
                    list.push((what, self.spelled(&op.replace(strong, ".relaxed"))));
                }
            }
        }
        list
    }

    fn phase_wait(&self, list: &mut Vec<Change>) {
        if let Some(predicate) = self.operands.first() {
            list.push(("drop the wait".into(), format!("setp.eq.u32 {predicate}, 0, 0;")));
        }
        if self.opcode.contains(".parity")
            && let Some(parity) = self.operands.get(2)
        {
            let flipped = match self.number(2) {
                Some(value) => self.with(2, &(value ^ 1).to_string()),
                None => self.computed(2, &format!("xor.b32 %mutant, {parity}, 1;")),
            };
            list.push(("wait for the other parity".into(), flipped));
        }
        if self.opcode.contains(".acquire") {
            list.push((
                "wait without acquire".into(),
                self.spelled(&self.opcode.replace(".acquire", ".relaxed")),
            ));
        }
    }

    fn group_wait(&self, list: &mut Vec<Change>) {
        list.push(dropped("drop the wait"));
        let last = self.operands.len().saturating_sub(1);
        if let Some(groups) = self.number(last) {
            list.push((
                "let one more group stay outstanding".into(),
                self.with(last, &(groups + 1).to_string()),
            ));
        }
        if self.opcode == "cp.async.bulk.wait_group" {
            list.push(("wait for the sources only".into(), self.spelled("cp.async.bulk.wait_group.read")));
        }
    }

    fn init(&self, list: &mut Vec<Change>) {
        let last = self.operands.len().saturating_sub(1);
        let Some(count) = self.operands.get(last) else { return };
        match self.number(last) {
            Some(n) => {
                list.push(("expect one arrival more".into(), self.with(last, &(n + 1).to_string())));
                if n > 1 {
                    list.push(("expect one arrival fewer".into(), self.with(last, &(n - 1).to_string())));
                }
            }
            None => {
                let more = self.computed(last, &format!("add.u32 %mutant, {count}, 1;"));
                list.push(("expect one arrival more".into(), more));
            }
        }
    }

    fn arrive(&self, list: &mut Vec<Change>) {
        let last = self.operands.len().saturating_sub(1);
        let state = self.operands.first().filter(|o| !o.starts_with(['_', '[']));
        if self.opcode.contains("expect_tx") {
            for (by, what) in [(16, "announce 16 bytes more"), (-16, "announce 16 bytes fewer")] {
                match self.number(last) {
                    Some(bytes) if bytes + by >= 0 => {
                        list.push((what.into(), self.with(last, &(bytes + by).to_string())));
                    }
                    Some(_) => {}
                    None => {
                        let bytes = self.operands.get(last).copied().unwrap_or("0");
                        list.push((
                            what.into(),
                            self.computed(last, &format!("add.s32 %mutant, {bytes}, {by};")),
                        ));
                    }
                }
            }
            if self.opcode.starts_with("mbarrier.arrive") {
                let plain = self.opcode.replace(".expect_tx", "");
                let rest = self.operands.get(..last).unwrap_or_default().join(", ");
                list.push(("announce no bytes".into(), format!("{plain} {rest};")));
            }
        }
        // What a dropped arrival would have returned is read by nobody who could tell.
        let nothing = state.map_or(String::new(), |s| format!("mov.b64 {s}, 0;"));
        list.push(("drop the arrival".into(), nothing));
        if self.opcode.contains(".release") {
            let relaxed = self.opcode.replace(".release", ".relaxed");
            list.push(("arrive without release".into(), self.spelled(&relaxed)));
        }
    }

    fn number(&self, index: usize) -> Option<i64> {
        self.operands.get(index).and_then(|o| o.parse().ok())
    }

    /// The statement with another opcode.
    fn spelled(&self, opcode: &str) -> String {
        format!("{opcode} {};", self.operands.join(", "))
    }

    /// The statement with another operand.
    fn with(&self, index: usize, value: &str) -> String {
        let list: Vec<&str> =
            self.operands.iter().enumerate().map(|(i, o)| if i == index { value } else { o }).collect();
        format!("{} {};", self.opcode, list.join(", "))
    }

    /// The statement with `%mutant` for an operand, which `compute` sets.
    fn computed(&self, index: usize, compute: &str) -> String {
        format!("{{ .reg .b32 %mutant; {compute} {} }}", self.with(index, "%mutant"))
    }
}

fn dropped(what: &str) -> Change {
    (what.to_owned(), String::new())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Vec<(String, String)> {
        let text = format!(
            "// fence.proxy.async; in a comment\n.version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n\
             .reqntid 128\n{{\n.reg .b32 %b, %n;\n.reg .b64 %s;\n.reg .pred %p, %q;\n{body}\nret;\n}}\n"
        );
        mutants(&text).into_iter().map(|m| (m.what, m.replacement)).collect()
    }

    #[test]
    fn every_guard_of_a_kernel_has_its_mutants() {
        let found = found(
            "mbarrier.init.shared::cta.b64 [%b], 1;\nfence.proxy.async;\n\
             mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], %n;\nwait:\n\
             @%q mbarrier.try_wait.parity.shared::cta.b64 %p, [%b], 0;\n@!%p bra wait;\ncp.async.bulk.wait_group 0;",
        );
        let whats: Vec<&str> = found.iter().map(|(w, _)| w.as_str()).collect();
        assert_eq!(
            whats,
            [
                "expect one arrival more",
                "drop the fence",
                "announce 16 bytes more",
                "announce 16 bytes fewer",
                "announce no bytes",
                "drop the arrival",
                "drop the wait",
                "wait for the other parity",
                "drop the wait",
                "let one more group stay outstanding",
                "wait for the sources only",
            ]
        );
        assert_eq!(found[0].1, "mbarrier.init.shared::cta.b64 [%b], 2;");
        assert_eq!(found[4].1, "mbarrier.arrive.shared::cta.b64 _, [%b];");
        assert_eq!(found[6].1, "@%q setp.eq.u32 %p, 0, 0;");
        assert_eq!(found[7].1, "@%q mbarrier.try_wait.parity.shared::cta.b64 %p, [%b], 1;");
    }

    #[test]
    fn scopes_braces_and_guards_do_not_hide_anything() {
        let found = found(
            "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%b], %n;\n@!done bra again;\n}\n\
             @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], %n;\nwgmma.fence.sync.aligned;\n\
             mbarrier.arrive.shared::cta.b64 %s, [%b];\nbar.sync 1, 128;\nfence.acq_rel.gpu;",
        );
        let whats: Vec<&str> = found.iter().map(|(w, _)| w.as_str()).collect();
        assert_eq!(
            whats,
            [
                "drop the wait",
                "wait for the other parity",
                "wait without acquire",
                "announce 16 bytes more",
                "announce 16 bytes fewer",
                "announce no bytes",
                "drop the arrival",
                "drop the fence",
                "drop the arrival",
                "drop the barrier",
                "expect one warp more",
                "drop the fence",
                "narrow the fence to the block",
            ]
        );
        let more = "{ .reg .b32 %mutant; @%p add.s32 %mutant, %n, 16; @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], %mutant; }";
        assert_eq!(found[3].1, more);
        assert_eq!(found[8].1, "mov.b64 %s, 0;");
        assert_eq!(found[10].1, "bar.sync 1, 160;");
        assert_eq!(found[12].1, "fence.acq_rel.cta;");
    }
}
