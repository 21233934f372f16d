//! What is said of two instructions that stand too close.

use tilehaul_diag::{Code, Diagnostic, Source, Span};
use tilehaul_isa::gcn::print::{VgprBanks, print};

use super::facts::{DOUBLES, EXEC, HARDWARE, M0, SCALARS};
use super::paths::Found;
use crate::op::Op;
use crate::wave::{ACC_BASE, VCC};

/// Whether the instruction does nothing when no lane is on. Scalar results come all the same, matrix products ignore EXEC.
pub(super) fn needs_lanes<const L: usize>(op: &Op<L>) -> bool {
    let name = op.name();
    let lone = ["v_readlane", "v_readfirstlane", "v_writelane", "v_cmp"].iter().any(|l| name.starts_with(l));
    !name.starts_with("s_")
        && !lone
        && !crate::matrix::is_product(crate::lower::base_name(name))
        && op.sdst == 255
}

/// Longest `s_nop` of gfx9. manual: CDNA3 ISA, S_NOP.
const LONGEST_NOP: u8 = 16;

pub(super) fn worded<const L: usize>(
    ops: &[Op<L>],
    gfx12: bool,
    found: &Found,
    span: impl Fn(u32) -> Option<Span>,
) -> Diagnostic {
    let Found { need, there, register, .. } = found;
    let rule = need.rule;
    let (first, last) = (found.path.first().copied().unwrap_or(0), found.path.last().copied().unwrap_or(0));
    let text = |at: u32| match ops.get(at as usize).and_then(|op| op.rest.inst) {
        Some(inst) => format!("`{}`", print(&inst, VgprBanks::default())),
        None => "an unknown word".to_owned(),
    };
    let (earlier, later) = (text(first), text(last));
    let name = named(gfx12, *register);
    let kind = if rule.vector { "vector instruction" } else { "wait state" };
    let stand = match there {
        0 => format!("no {kind} stands"),
        1 => format!("1 {kind} stands"),
        n => format!("{n} {kind}s stand"),
    };
    let message = format!(
        "{later} {} {name}, which {earlier} {}: {stand} between the two where {} must, and {}",
        rule.later, rule.earlier, need.states, rule.harm
    );
    let missing = need.states - there;
    let mut told = Diagnostic::new(Code(rule.code), rule.level, message)
        .fix(remedy(missing, rule.vector))
        .source(Source::manual(rule.source));
    if let Some(there_at) = span(last) {
        told = told.at(there_at, format!("{} {name}", rule.later));
    }
    if let Some(here) = span(first) {
        told = told.also(here, format!("{} {name}", rule.earlier));
    }
    told
}

fn remedy(missing: u8, vector: bool) -> String {
    let other = |what: &str| match missing {
        1 => format!("1 other {what}"),
        n => format!("{n} other {what}s"),
    };
    if vector {
        let nops = if missing == 1 { "a `v_nop`".to_owned() } else { format!("{missing} `v_nop`") };
        return format!(
            "Put {nops}, or {} with other registers, between the two.",
            other("vector instruction")
        );
    }
    let nops = match missing.checked_sub(LONGEST_NOP) {
        None | Some(0) => format!("`s_nop {}`", missing - 1),
        Some(more) => format!("`s_nop {}` and `s_nop {}`", LONGEST_NOP - 1, more - 1),
    };
    format!("Put {nops}, or {}, between the two.", other("instruction"))
}

fn named(gfx12: bool, register: u32) -> String {
    let scalar = register.wrapping_sub(SCALARS);
    match register {
        DOUBLES => "the pipeline of doubles".to_owned(),
        M0 if !gfx12 => "M0".to_owned(),
        _ if register == EXEC || register == EXEC + 1 => "EXEC".to_owned(),
        _ if register >= HARDWARE => format!("hardware register {}", register - HARDWARE),
        _ if register >= SCALARS && scalar / 2 == VCC as u32 / 2 => "VCC".to_owned(),
        _ if register >= SCALARS => format!("s{scalar}"),
        _ if !gfx12 && register >= u32::from(ACC_BASE) => format!("a{}", register - u32::from(ACC_BASE)),
        _ => format!("v{register}"),
    }
}
