//! Lines that do not do what they say: instructions that assemblers refuse, waits on the wrong counter, calls that do not
//! exist.
//!
//! Soundness: a line is only called wrong when llvm-mc 22 or ptxas 13.5 refuses it, or when the counter it waits on is not the
//! one that its text's copies use. Lines that are merely unusual are left alone.

use tilehaul_diag::{Code, Diagnostic, FileId, Level, Source, Span};

use super::Recognised;

/// manual: checked with llvm-mc 22.1.8 on every gfx9 target.
const MC: Source = Source::manual("llvm-mc 22.1.8; CDNA3 ISA 9.1.9");
/// manual: checked with ptxas 13.5.
const PTXAS: Source = Source::manual("ptxas 13.5; PTX ISA, cp.async.bulk and mbarrier");

/// One instruction or call with its place.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    start: usize,
}

impl Line<'_> {
    pub(super) fn span(&self, part: &str) -> Span {
        let at = self.text.find(part).unwrap_or(0);
        let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span::new(FileId(0), offset(self.start + at), offset(self.start + at + part.len().max(1)))
    }

    fn wrong(
        &self,
        code: &'static str,
        part: &str,
        message: String,
        fix: &str,
        source: Source,
    ) -> Diagnostic {
        Diagnostic::new(Code(code), Level::Error, message)
            .at(self.span(part), "")
            .fix(fix.to_owned())
            .source(source)
    }
}

/// Everything wrong in a text, one report for AMD lines and one for PTX.
pub(super) fn wrong_lines(text: &str) -> Vec<Recognised> {
    let lines = statements(text);
    let mut found = Vec::new();
    for (title, diagnostics) in
        [("AMD direct-to-LDS lines", amd(&lines)), ("PTX lines", lines.iter().filter_map(ptx).collect())]
    {
        if !diagnostics.is_empty() {
            found.push(Recognised {
                title: title.to_owned(),
                explained: None,
                assumptions: Vec::new(),
                diagnostics,
            });
        }
    }
    found
}

/// Statements: a line, or what stands between semicolons of a line; comments cut off, `asm volatile("…")` opened. A PTX
/// statement may go on over several lines until its semicolon.
pub(super) fn statements(text: &str) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code_end = line.find("//").unwrap_or(line.len());
        let code = line.get(..code_end).unwrap_or("");
        let mut at = 0;
        for part in code.split_inclusive([';', '\n']) {
            let inner = part.trim_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '\\'));
            let inner = inner.strip_suffix("\")").unwrap_or(inner).trim_matches('"');
            let inner = inner.rsplit("asm volatile(\"").next().unwrap_or(inner);
            let inner = inner.rsplit("asm(\"").next().unwrap_or(inner).trim();
            if !inner.is_empty() {
                let offset = part.find(inner).unwrap_or(0);
                let ends_with_comma =
                    part.trim_end().ends_with(';') && part.trim_end_matches([';', ' ', '\n']).ends_with(',');
                // The empty operand of `[mbar], ;` is kept visible.
                let end = offset + inner.len() + usize::from(ends_with_comma && !inner.ends_with(','));
                found.push(Line { text: part.get(offset..end).unwrap_or(inner), start: start + at + offset });
            }
            at += part.len();
        }
        start += line.len();
    }
    join_ptx(text, found)
}

/// Operands on the lines below an opcode (`cp.async.bulk…\n    [dst], [map, {x, y}], [mbar];`) belong to it.
fn join_ptx<'a>(text: &'a str, lines: Vec<Line<'a>>) -> Vec<Line<'a>> {
    let mut joined: Vec<Line<'a>> = Vec::new();
    for line in lines {
        match joined.last_mut() {
            Some(last) if line.text.starts_with('[') && is_bulk(last.text) && !last.text.contains('[') => {
                let end = line.start + line.text.len();
                last.text = text.get(last.start..end).unwrap_or(last.text);
            }
            _ => joined.push(line),
        }
    }
    joined
}

fn is_bulk(text: &str) -> bool {
    text.starts_with("cp.async.bulk")
        || text.starts_with("cp.reduce.async.bulk")
        || text.starts_with("mbarrier.")
}

fn amd(lines: &[Line<'_>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut direct: Option<&Line<'_>> = None;
    let mut m0_written = false;
    for line in lines {
        let mnemonic = line.text.split_whitespace().next().unwrap_or("");
        let operands = line.text.get(mnemonic.len()..).unwrap_or("").trim();
        if line.text.contains("__hip_memcpy_to_shared") {
            found.push(line.wrong(
                "no-hip-memcpy-to-shared",
                "__hip_memcpy_to_shared",
                "HIP has no function __hip_memcpy_to_shared".to_owned(),
                "use __builtin_amdgcn_global_load_lds, __builtin_amdgcn_load_to_lds or \
                 __builtin_amdgcn_raw_ptr_buffer_load_lds, then wait with s_waitcnt vmcnt(0)",
                Source::manual("clang's AMDGPU builtins, feature vmem-to-lds-load-insts"),
            ));
        }
        m0_written |= writes_m0(mnemonic, operands);
        if let Some(memory) = direct_load(mnemonic, operands) {
            direct = Some(line);
            if let Some(vdst) = memory {
                let rest = operands.split_once(',').map_or("", |(_, rest)| rest.trim());
                let right = format!("{mnemonic} {rest}");
                found.push(line.wrong(
                    "lds-load-with-destination",
                    &vdst,
                    format!(
                        "{mnemonic} takes no destination register, {vdst} is one: the data goes to LDS at M0"
                    ),
                    &format!("write `{right}`, after s_mov_b32 m0, <LDS byte offset> and s_nop 0"),
                    MC,
                ));
            } else if !m0_written {
                found.push(
                    Diagnostic::new(
                        Code("lds-load-without-m0"),
                        Level::Warning,
                        format!("{mnemonic} writes LDS at M0, and nothing in the text writes M0"),
                    )
                    .at(line.span(mnemonic), "")
                    .fix("put s_mov_b32 m0, <LDS byte offset> and s_nop 0 in front of it")
                    .source(MC),
                );
            }
        }
        let wait = mnemonic == "s_waitcnt" || mnemonic.starts_with("s_wait_");
        if let (true, Some(load)) = (wait, direct) {
            if operands.contains("vmcnt") || mnemonic == "s_wait_loadcnt" {
                direct = None;
            } else if operands.contains("lgkmcnt") {
                let name = load.text.split_whitespace().next().unwrap_or("");
                found.push(
                    line.wrong(
                        "lds-load-waited-on-lgkmcnt",
                        "lgkmcnt",
                        format!(
                            "`{}` does not wait for {name}: direct-to-LDS loads count in vmcnt",
                            line.text.trim()
                        ),
                        "wait with s_waitcnt vmcnt(0), then a barrier before other waves read the LDS bytes",
                        MC,
                    )
                    .also(load.span(name), "this load is still in flight"),
                );
                direct = None;
            }
        }
    }
    found
}

/// `s_mov_b32 m0, …` and everything else whose first operand is M0.
fn writes_m0(mnemonic: &str, operands: &str) -> bool {
    let first = operands.split(',').next().unwrap_or("").trim();
    first == "m0" && !mnemonic.is_empty()
}

/// A direct-to-LDS load; inside, its destination register if somebody wrote one.
fn direct_load(mnemonic: &str, operands: &str) -> Option<Option<String>> {
    let list: Vec<&str> = operands.split(',').map(str::trim).collect();
    let is_vector = |text: &str| {
        let rest = text.strip_prefix('v').unwrap_or("");
        rest.starts_with(['[', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    };
    let lds_form =
        ["global_load_lds_", "buffer_load_lds_", "scratch_load_lds_"].iter().any(|p| mnemonic.starts_with(p));
    let flagged = (mnemonic.starts_with("buffer_load_") || mnemonic.starts_with("global_load_"))
        && operands.split_whitespace().any(|w| w == "lds");
    if !lds_form && !flagged {
        return None;
    }
    // `v[2:3], v[0:1], off`: two vector operands and an address end; the right form has one of them.
    let end = list.get(2).is_some_and(|third| third.starts_with("off") || third.starts_with("s["));
    let written = lds_form && list.len() >= 3 && end && list.iter().take(2).all(|o| is_vector(o));
    Some(written.then(|| list.first().map(|o| (*o).to_owned())).flatten())
}

fn ptx(line: &Line<'_>) -> Option<Diagnostic> {
    let mut words = line.text.split_whitespace();
    let mut opcode = words.next()?;
    if opcode.starts_with('@') {
        opcode = words.next()?;
    }
    let after =
        line.text.find(opcode).map_or("", |at| line.text.get(at + opcode.len()..).unwrap_or("")).trim();
    let operands = operands(after);
    let has = |modifier: &str| opcode.split('.').any(|m| m == modifier);
    let wrong =
        |code, part: &str, message: String, fix: &str| Some(line.wrong(code, part, message, fix, PTXAS));
    if opcode.starts_with("cp.async.bulk.tensor")
        || opcode.starts_with("cp.async.bulk.") && opcode.contains("global")
    {
        if opcode.contains("prefetch") {
            return None;
        }
        // The first state space is the destination; other modifiers may stand between the two.
        let to_global =
            opcode.split('.').find(|m| *m == "global" || m.starts_with("shared")) == Some("global");
        if to_global && !has("bulk_group") {
            let right = opcode.replacen(".global.shared::cta", ".global.shared::cta.bulk_group", 1);
            return wrong(
                "ptx-bulk-store-without-group",
                opcode,
                format!("{opcode} does not say how it completes: stores need .bulk_group"),
                &format!("write `{right}`; commit_group and wait_group then cover it"),
            );
        }
        if !to_global && !opcode.contains("mbarrier::complete_tx::bytes") {
            return wrong(
                "ptx-bulk-load-without-mbarrier",
                opcode,
                format!("{opcode} does not say how it completes: loads need .mbarrier::complete_tx::bytes"),
                "add .mbarrier::complete_tx::bytes and the barrier's address as operand",
            );
        }
        if opcode.contains(".shared.global") {
            return wrong(
                "ptx-bulk-state-space",
                ".shared.",
                format!("{opcode} names .shared, which this instruction does not take"),
                "write .shared::cluster (or .shared::cta from PTX 8.6 on)",
            );
        }
        if opcode.contains(".shared::cta.global") && has("multicast::cluster") {
            return wrong(
                "ptx-multicast",
                "multicast::cluster",
                "a multicast goes to .shared::cluster, not to .shared::cta".to_owned(),
                "write .shared::cluster.global",
            );
        }
        if opcode.contains(".tensor.")
            && let Some(map) =
                operands.iter().find(|o| o.starts_with('[') && o.contains(',') && !o.contains('{'))
        {
            return wrong(
                "ptx-coordinates-in-braces",
                map,
                format!("{map} gives the coordinates without braces"),
                "write [map, {x, y}]",
            );
        }
    }
    if opcode.starts_with("mbarrier.arrive") && has("expect_tx") && operands.len() < 3 {
        return wrong(
            "ptx-expect-tx-without-bytes",
            opcode,
            format!("{opcode} has no byte count: expect_tx must say how many bytes the barrier waits for"),
            "add the bytes of the copies as third operand: mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], bytes;",
        );
    }
    if opcode.starts_with("mbarrier.") && opcode.contains("arrive") && opcode.contains("shared::cluster") {
        let first = operands.first().copied().unwrap_or("_");
        if first != "_" && !first.starts_with('[') {
            return wrong(
                "ptx-remote-arrive-returns-nothing",
                first,
                format!("{opcode} on another CTA's barrier returns no state, {first} would receive one"),
                "write _ as destination",
            );
        }
    }
    if (opcode.starts_with("mbarrier.try_wait") || opcode.starts_with("mbarrier.test_wait"))
        && operands.first().is_some_and(|o| o.starts_with('['))
    {
        return wrong(
            "ptx-wait-without-predicate",
            opcode,
            format!("{opcode} has no destination: it answers with a predicate and does not block for good"),
            "write `mbarrier.try_wait.parity.shared::cta.b64 p, [mbar], parity;` and branch back while p is false",
        );
    }
    if opcode.starts_with("cp.async.bulk.wait_group")
        && let Some(count) = operands.first().filter(|o| o.parse::<u32>().is_err())
    {
        return wrong(
            "ptx-wait-group-register",
            count,
            format!("wait_group takes a constant, {count} is none"),
            "write the number of groups that may stay outstanding, such as 0",
        );
    }
    None
}

/// Operands separated by commas outside brackets and braces; an empty last one is left out.
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
