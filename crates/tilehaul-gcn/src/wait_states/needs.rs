//! The rules: how many wait states must stand between two instructions that use the same register.

use tilehaul_diag::Level;

use super::facts::{EXEC, Facts, HARDWARE, M0, Role, SCALARS, Unit, Use};
use super::products::{addend_needs, beside_needs, result_needs};

/// A rule that two instructions fall under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Need {
    /// Wait states.
    pub states: u8,
    /// It is looked for among the instructions that are nearer than this.
    pub within: u8,
    pub rule: &'static Rule,
}

/// What a rule says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub code: &'static str,
    /// What the earlier instruction does with the register.
    pub earlier: &'static str,
    /// What the later one does.
    pub later: &'static str,
    /// What goes wrong.
    pub harm: &'static str,
    pub source: &'static str,
    /// Wait states are counted in vector instructions.
    pub vector: bool,
    pub level: Level,
}

const STATES: &str = "wait-states-missing";
const MATRIX: &str = "matrix-wait-states-missing";

macro_rules! rule {
    ($name:ident, $code:expr, $earlier:expr, $later:expr, $harm:expr, $source:expr) => {
        rule!($name, $code, $earlier, $later, $harm, $source, false, Level::Error);
    };
    ($name:ident, $code:expr, $earlier:expr, $later:expr, $harm:expr, $source:expr, $vector:expr, $level:expr) => {
        static $name: Rule = Rule {
            code: $code,
            earlier: $earlier,
            later: $later,
            harm: $harm,
            source: $source,
            vector: $vector,
            level: $level,
        };
    };
}

const OLD: &str = "it may take the old value";
const BESIDES: &str = "the two run side by side, and nothing orders them";

rule!(
    MEMORY,
    STATES,
    "writes",
    "reads",
    "the access may go by the old value",
    "CDNA3 ISA 4.5, VALU writes SGPR, VMEM reads that SGPR; LLVM GCNHazardRecognizer, checkVMEMHazards"
);
rule!(
    LANE,
    STATES,
    "writes",
    "takes its lane from",
    "it may take another lane",
    "CDNA3 ISA 4.5, SGPR as lane-select; LLVM GCNHazardRecognizer, checkRWLaneHazards"
);
rule!(
    DIVIDE,
    STATES,
    "writes",
    "reads",
    OLD,
    "CDNA3 ISA 4.5, v_div_fmas; LLVM GCNHazardRecognizer, checkDivFMasHazards"
);
rule!(
    SCALAR,
    STATES,
    "writes",
    "reads",
    OLD,
    "CDNA3 ISA 4.5, VALU reads SGPR as constant; LLVM GCNHazardRecognizer, hasVDecCoExecHazard"
);
rule!(
    ONE_LANE,
    STATES,
    "writes",
    "reads",
    OLD,
    "CDNA3 ISA 4.5, v_readlane vsrc0; LLVM GCNHazardRecognizer, hasVDecCoExecHazard"
);
// The manual names v_readlane alone, and much code by hand does not wait: only LLVM does.
rule!(
    FIRST_LANE,
    STATES,
    "writes",
    "reads",
    OLD,
    "LLVM GCNHazardRecognizer, hasVDecCoExecHazard; CDNA3 ISA 4.5 names v_readlane alone",
    false,
    Level::Note
);
rule!(
    EXEC_LANES,
    STATES,
    "writes",
    "goes by",
    "it may go by the old value",
    "CDNA3 ISA 4.5, VALU writes EXEC; LLVM GCNHazardRecognizer, checkDPPHazards, checkMAIHazards90A, checkPermlaneHazards"
);
rule!(
    ACROSS,
    STATES,
    "writes",
    "takes from other lanes",
    OLD,
    "CDNA3 ISA 4.5, VALU DPP reads that VGPR; LLVM GCNHazardRecognizer, checkDPPHazards"
);
rule!(
    PERMUTED,
    STATES,
    "writes",
    "moves between lanes",
    OLD,
    "CDNA4 ISA 4.5, V_PERMLANE*; LLVM GCNHazardRecognizer, checkPermlaneHazards"
);
rule!(
    TRANSCENDENTAL,
    STATES,
    "writes",
    "reads",
    OLD,
    "CDNA3 ISA 4.5, VALU Trans Op; LLVM GCNHazardRecognizer, hasTransForwardingHazard"
);
rule!(
    SHIFTED,
    STATES,
    "writes a part of",
    "reads",
    "it may see the result in the wrong place",
    "CDNA3 ISA 4.5, VALU op which uses OPSEL or SDWA; LLVM GCNHazardRecognizer, hasDstSelForwardingHazard"
);
rule!(
    DOT,
    STATES,
    "writes",
    "uses",
    "it may take or overwrite what stood there before",
    "CDNA3 ISA 7.5, DL ops Write VGPR; LLVM GCNHazardRecognizer, checkMAIVALUHazards"
);
rule!(
    STORED,
    STATES,
    "stores",
    "overwrites",
    "the new value may be stored",
    "CDNA3 ISA 4.5, VALU writes VGPRs holding writedata; LLVM GCNHazardRecognizer, has12DWordStoreHazard"
);
rule!(
    SETTING,
    STATES,
    "writes",
    "uses",
    OLD,
    "CDNA3 ISA 4.5, S_SETREG; LLVM GCNHazardRecognizer, checkSetRegHazards"
);
rule!(
    SCALAR_M0,
    STATES,
    "writes",
    "reads",
    OLD,
    "CDNA3 ISA 4.5, SALU writes M0; LLVM GCNHazardRecognizer, checkReadM0Hazards"
);
rule!(
    INTO_PRODUCT,
    MATRIX,
    "writes",
    "multiplies",
    OLD,
    "CDNA3 ISA 7.5, Non-DLops VALU Write VGPR; LLVM GCNHazardRecognizer, checkMAIHazards90A"
);
rule!(
    PRODUCT,
    MATRIX,
    "writes",
    "uses",
    "it may take or overwrite what stood there before",
    "CDNA3 ISA 7.5, required independent instructions; LLVM GCNHazardRecognizer, checkMAIHazards90A, checkMAIVALUHazards"
);
rule!(
    ADDEND,
    MATRIX,
    "adds to",
    "overwrites",
    "the product may add the new value",
    "CDNA3 ISA 7.5, required independent instructions; LLVM GCNHazardRecognizer, checkMAIVALUHazards"
);
rule!(
    DOUBLES_PIPE,
    MATRIX,
    "keeps busy",
    "needs",
    "its result may be wrong",
    "LLVM GCNHazardRecognizer, checkMAIVALUHazards"
);
rule!(
    BESIDE,
    MATRIX,
    "uses",
    "uses",
    BESIDES,
    "LLVM GCNHazardRecognizer, checkWMMACoexecutionHazards (gfx1250)",
    true,
    Level::Error
);
rule!(
    BESIDE_TRANSCENDENTAL,
    STATES,
    "uses",
    "uses",
    BESIDES,
    "LLVM GCNHazardRecognizer, fixVALUTransCoexecutionHazards (gfx1250)",
    true,
    Level::Error
);

fn need(states: u8, rule: &'static Rule) -> Option<Need> {
    (states > 0).then_some(Need { states, within: states, rule })
}

/// The most demanding rule for `register`, which `earlier` and `later` use. `used` is how the later one does.
pub(super) fn between(gfx9: bool, earlier: &Facts, later: &Facts, used: Use, register: u32) -> Option<Need> {
    let of_earlier = earlier.uses.iter().filter(|u| u.has(register));
    of_earlier
        .filter_map(|&before| {
            if gfx9 {
                cdna(earlier, before, later, used, register)
            } else {
                gfx1250(earlier, before, later, used)
            }
        })
        .max_by_key(|n| n.states)
}

fn is_vector(facts: &Facts) -> bool {
    matches!(facts.unit, Unit::Vector | Unit::Matrix(_))
}

fn cdna(earlier: &Facts, before: Use, later: &Facts, used: Use, register: u32) -> Option<Need> {
    let writes = before.role == Role::Result;
    let reads = used.role != Role::Result;
    if register >= HARDWARE {
        let setting = register < super::facts::DOUBLES;
        return match (setting, writes && reads) {
            (_, false) => None,
            (true, true) => need(2, &SETTING),
            (false, true) => need(2, &DOUBLES_PIPE),
        };
    }
    if register >= SCALARS {
        return if writes && reads { scalar(earlier, later, used.role, register) } else { None };
    }
    match earlier.unit {
        Unit::Matrix(product) if writes => {
            let (states, within) = result_needs(product, before, later, used);
            let rule = &PRODUCT;
            return (states > 0).then_some(Need { states, within: within.min(states), rule });
        }
        Unit::Matrix(product) => {
            let overwrites =
                before.role == Role::Source(2) && !reads && !matches!(later.unit, Unit::Matrix(_));
            return if overwrites { need(addend_needs(product), &ADDEND) } else { None };
        }
        Unit::Memory => {
            let stored = earlier.traits.wide_store && before.role == Role::Stored;
            return if stored && !reads && is_vector(later) { need(2, &STORED) } else { None };
        }
        Unit::Vector if writes => {}
        _ => return None,
    }
    vector(earlier, later, used.role)
}

/// A vector instruction has written a scalar register.
fn scalar(earlier: &Facts, later: &Facts, role: Role, register: u32) -> Option<Need> {
    if register == M0 && earlier.unit == Unit::Scalar {
        // Loads to LDS have a check of their own.
        let other = later.name.contains("addtid") || later.unit == Unit::Scalar;
        return if other { need(1, &SCALAR_M0) } else { None };
    }
    if earlier.unit != Unit::Vector {
        return None;
    }
    match (later.unit, role) {
        (_, Role::Lanes) if register == EXEC || register == EXEC + 1 => {
            let states = if later.traits.across { 5 } else { 4 };
            need(states, &EXEC_LANES)
        }
        (Unit::Memory, _) => need(5, &MEMORY),
        (_, Role::Lane) => need(4, &LANE),
        (_, Role::Scaled) => need(4, &DIVIDE),
        (Unit::Vector, Role::Source(_)) => need(2, &SCALAR),
        _ => None,
    }
}

/// A vector instruction that is no product has written a vector register.
fn vector(earlier: &Facts, later: &Facts, role: Role) -> Option<Need> {
    let reads = role != Role::Result;
    let vector = is_vector(later);
    let mut found = None;
    let mut also = |need: Option<Need>| {
        if need.map(|n| n.states) > found.map(|n: Need| n.states) {
            found = need;
        }
    };
    if reads && vector {
        if later.traits.across && role == Role::Source(0) {
            also(need(2, &ACROSS));
        }
        if later.traits.one_lane && later.name != "v_writelane_b32" && role == Role::Source(0) {
            also(need(1, if later.name == "v_readlane_b32" { &ONE_LANE } else { &FIRST_LANE }));
        }
        if later.traits.permutes {
            also(need(2, &PERMUTED));
        }
        if matches!(later.unit, Unit::Matrix(_)) && !earlier.traits.dot {
            also(need(2, &INTO_PRODUCT));
        }
        if earlier.traits.transcendental && !later.traits.transcendental {
            also(need(1, &TRANSCENDENTAL));
        }
    }
    // What writes a part of a register takes the rest from it.
    if earlier.traits.shifted && vector && (reads || later.traits.shifted) {
        also(need(1, &SHIFTED));
    }
    if earlier.traits.dot && matches!(later.unit, Unit::Vector | Unit::Memory | Unit::Lds) {
        let same = earlier.name == later.name;
        let forwarded = same && matches!(role, Role::Source(2) | Role::Result);
        also(if forwarded { None } else { need(3, &DOT) });
    }
    found
}

/// On gfx1250 products and transcendental functions run beside other vector instructions.
fn gfx1250(earlier: &Facts, before: Use, later: &Facts, used: Use) -> Option<Need> {
    if used.first >= SCALARS || !is_vector(later) {
        return None;
    }
    let (wrote, writes) = (before.role == Role::Result, used.role == Role::Result);
    match earlier.unit {
        Unit::Matrix(product) => {
            // Indices count, scales do not.
            let index = earlier.name.starts_with("v_swmmac");
            let accumulates =
                matches!(before.role, Role::Source(2)) || before.role == Role::Source(3) && !index;
            let clash = match later.unit {
                Unit::Matrix(_) => wrote && matches!(used.role, Role::Source(0 | 1 | 3)),
                _ => !accumulates && (wrote || writes),
            };
            if clash { need(beside_needs(product, later), &BESIDE) } else { None }
        }
        Unit::Vector if earlier.traits.transcendental && !later.traits.transcendental => {
            // LLVM does not look at what dual instructions write.
            let clash = wrote && !writes || !wrote && writes && !later.traits.dual;
            if clash { need(1, &BESIDE_TRANSCENDENTAL) } else { None }
        }
        _ => None,
    }
}
