//! What can be said about one call alone: arguments, immediates, address spaces, uniformity.

use tilehaul_descriptor::amd::tdm::{Direction, TdmContext, TdmDescriptor, check};
use tilehaul_diag::{Diagnostic, Level, Span};
use tilehaul_isa::llvm::{FLAT, GLOBAL, Inst, LDS, Operand, Value};

use crate::rules;
use crate::select::{Counter, Immediates, Selected, select};
use crate::table::{Arg, Intrinsic, Kind};
use crate::target::{Dma, Policy, Target};
use crate::uniform::{Shape, Shapes};

/// A call of a known intrinsic.
pub(crate) struct Call<'a> {
    pub name: &'a str,
    pub intrinsic: Intrinsic,
    pub args: &'a [Operand],
    pub inst: &'a Inst,
}

impl<'a> Call<'a> {
    pub(crate) fn arg(&self, which: Arg) -> Option<&'a Operand> {
        self.intrinsic.args.iter().position(|&a| a == which).and_then(|at| self.args.get(at))
    }

    pub(crate) fn int(&self, which: Arg) -> Option<i128> {
        self.arg(which)?.value.int()
    }

    pub(crate) fn immediates(&self) -> Immediates {
        Immediates {
            size: self.int(Arg::Size),
            offset: self.int(Arg::Offset).unwrap_or(0),
            // The policy is an i32; bit 31 is written as a negative number.
            policy: self.int(Arg::Policy).unwrap_or(0) as u32,
            nontemporal: self.inst.nontemporal,
            no_voffset: self.int(Arg::VOffset) == Some(0),
            buffer_source: self.arg(Arg::Memory).is_some_and(|a| a.ty.address_space() == Some(7)),
        }
    }

    /// Bytes of a lane in LDS, and the distance between lanes of a direct load.
    pub(crate) fn lds_bytes(&self) -> Option<i128> {
        match self.intrinsic.kind {
            Kind::DirectLoad { .. } | Kind::BufferLoad { .. } => Some(self.int(Arg::Size)?.max(4)),
            Kind::AsyncLoad { bits, .. } | Kind::AsyncStore { bits } => Some(i128::from(bits / 8)),
            _ => None,
        }
    }
}

/// Everything wrong with the call itself, and the instruction that it becomes.
pub(crate) fn judge(
    call: &Call<'_>,
    target: &Target,
    shapes: &Shapes<'_>,
) -> (Option<Selected>, Vec<Diagnostic>) {
    let mut out = Vec::new();
    let span = call.inst.span;
    let short = call.name;
    let wanted = call.intrinsic.args.len();
    // asyncmark and wait.asyncmark come with and without a stage mask.
    let optional = usize::from(matches!(call.intrinsic.kind, Kind::Mark | Kind::WaitMark));
    if call.args.len() > wanted || call.args.len() + optional < wanted {
        out.push(
            rules::ARGUMENTS
                .told(format!("{short} takes {wanted} arguments, not {}", call.args.len()))
                .at(span, "this call"),
        );
        return (None, out);
    }
    let selected = if call.intrinsic.kind.is_transfer() {
        match select(call.intrinsic, call.immediates(), target) {
            Ok(selected) => Some(selected),
            Err((why, fix)) => {
                out.push(
                    rules::NOT_SELECTABLE
                        .broken(format!("{short} cannot be selected for {}: {why}", target.name), fix)
                        .at(span, "no instruction for this"),
                );
                None
            }
        }
    } else {
        if let Some(why) = unavailable(call.intrinsic.kind, target) {
            out.push(
                rules::NOT_SELECTABLE
                    .told(format!("{short} cannot be selected for {}: {why}", target.name))
                    .at(span, "no instruction for this"),
            );
        }
        None
    };
    immediates(call, target, &mut out);
    if call.intrinsic.kind.is_transfer() {
        spaces(call, &mut out);
        uniformity(call, shapes, &mut out);
        modifiers(call, target, &mut out);
    }
    if let Kind::Tensor { store, .. } = call.intrinsic.kind {
        descriptor(call, store, &mut out);
    }
    (selected, out)
}

pub(crate) fn unavailable(kind: Kind, target: &Target) -> Option<&'static str> {
    let gfx12 = target.policy == Policy::ThScope;
    match kind {
        Kind::Mark | Kind::WaitMark if target.dma == Dma::None => {
            Some("it has no asynchronous transfers to mark")
        }
        Kind::WaitAsync | Kind::WaitTensor | Kind::BarrierArrive if target.dma != Dma::Async => {
            Some("its counter comes with gfx1250")
        }
        Kind::WaitDs if !gfx12 => Some("dscnt comes with gfx12; earlier targets have s_waitcnt lgkmcnt"),
        Kind::WaitOld if gfx12 => Some("gfx12 has a wait for each counter instead of s_waitcnt"),
        _ => None,
    }
}

fn immediates(call: &Call<'_>, target: &Target, out: &mut Vec<Diagnostic>) {
    let short = call.name;
    for (what, name) in [
        (Arg::Size, "size"),
        (Arg::Offset, "offset"),
        (Arg::Policy, "cache policy"),
        (Arg::Count, "count"),
        (Arg::Stages, "stage mask"),
    ] {
        let Some(arg) = call.arg(what) else { continue };
        if arg.value.int().is_none() {
            out.push(
                rules::NOT_IMMEDIATE
                    .broken(format!("the {name} of {short} must be an immediate"), "write the number itself")
                    .at(arg.span, "not a constant"),
            );
        }
    }
    offset(call, target, out);
    if let (Some(mask), Some(arg)) = (call.int(Arg::Stages), call.arg(Arg::Stages))
        && !(0..1 << 11).contains(&mask)
    {
        out.push(
            rules::STAGE_MASK
                .broken(
                    format!("the stage mask {mask:#x} of {short} sets bits past 10, which no stage has"),
                    format!("use {:#x}", mask & 0x7ff),
                )
                .at(arg.span, "this mask"),
        );
    }
    if matches!(call.intrinsic.kind, Kind::WaitAsync | Kind::WaitTensor)
        && target.dma == Dma::Async
        && let (Some(count), Some(arg)) = (call.int(Arg::Count).filter(|&n| n > 63), call.arg(Arg::Count))
    {
        out.push(
            rules::WAIT_WIDE
                .broken(
                    format!("{short} with {count} never waits: the counter has 6 bits and holds at most 63"),
                    "use a count of at most 63",
                )
                .at(arg.span, "this count"),
        );
    }
}

fn offset(call: &Call<'_>, target: &Target, out: &mut Vec<Diagnostic>) {
    let (Some(offset), Some(arg)) = (call.int(Arg::Offset), call.arg(Arg::Offset)) else { return };
    let (low, high, cut): (i128, i128, String) = match (call.intrinsic.kind, target.dma) {
        (Kind::DirectLoad { .. }, Dma::Direct { .. }) if !call.immediates().buffer_source => {
            let field = offset.rem_euclid(8192);
            let kept = if field >= 4096 { field - 8192 } else { field };
            (
                -4096,
                4095,
                format!("LLVM 22 and 24 emit offset:{kept}, so both addresses are off by {}", kept - offset),
            )
        }
        (Kind::DirectLoad { .. } | Kind::BufferLoad { .. }, Dma::Direct { .. }) => {
            let kept = offset.rem_euclid(4096);
            let off = kept - offset;
            (
                0,
                4095,
                format!("LLVM 22 and 24 emit {kept} in the object file, so both addresses are off by {off}"),
            )
        }
        (Kind::AsyncLoad { .. } | Kind::AsyncStore { .. }, Dma::Async) => {
            (-(1 << 23), (1 << 23) - 1, "the instruction has 24 bits for it".to_owned())
        }
        _ => return,
    };
    if (low..=high).contains(&offset) {
        return;
    }
    out.push(
        rules::OFFSET_RANGE
            .broken(
                format!(
                    "offset = {offset} of {} is outside {low} to {high} on {}: {cut}",
                    call.name, target.name
                ),
                format!("add the offset to both pointers, and pass 0 (or {})", offset.clamp(low, high)),
            )
            .at(arg.span, "this offset"),
    );
}

fn spaces(call: &Call<'_>, out: &mut Vec<Diagnostic>) {
    let short = call.name;
    if let Some(lds) = call.arg(Arg::Lds)
        && let Some(space) = lds.ty.address_space().filter(|&s| s != LDS)
    {
        out.push(
            rules::ADDRESS_SPACE
                .broken(
                    format!("the LDS pointer of {short} is in address space {space}, not 3"),
                    "pass a ptr addrspace(3)",
                )
                .at(lds.span, "this pointer"),
        );
    }
    let Some(memory) = call.arg(Arg::Memory) else { return };
    let Some(space) = memory.ty.address_space() else { return };
    match call.intrinsic.kind {
        Kind::DirectLoad { .. } if space == FLAT => out.push(
            rules::FLAT_SOURCE
                .broken(
                    format!(
                        "{short} with a flat source becomes a global load: a flat pointer to LDS or scratch is read as a \
                         global address"
                    ),
                    "cast to ptr addrspace(1) where it is global, and use the .p1 form",
                )
                .at(memory.span, "a flat pointer"),
        ),
        Kind::DirectLoad { .. } if !matches!(space, FLAT | GLOBAL | 7) => out.push(
            rules::ADDRESS_SPACE
                .broken(
                    format!("the source of {short} is in address space {space}, not flat (0), global (1) or buffer (7)"),
                    "pass a global pointer",
                )
                .at(memory.span, "this pointer"),
        ),
        Kind::AsyncLoad { .. } | Kind::AsyncStore { .. } if space != GLOBAL => out.push(
            rules::ADDRESS_SPACE
                .broken(format!("the memory pointer of {short} is in address space {space}, not 1"), "pass a ptr addrspace(1)")
                .at(memory.span, "this pointer"),
        ),
        _ => {}
    }
}

fn uniformity(call: &Call<'_>, shapes: &Shapes<'_>, out: &mut Vec<Diagnostic>) {
    let short = call.name;
    let direct = matches!(call.intrinsic.kind, Kind::DirectLoad { .. } | Kind::BufferLoad { .. });
    for (what, arg) in call.intrinsic.args.iter().zip(call.args) {
        let name = match what {
            Arg::Lds if direct => "LDS base".to_owned(),
            Arg::Resource => "buffer resource".to_owned(),
            Arg::SOffset => "scalar offset".to_owned(),
            Arg::M0 => "workgroup mask".to_owned(),
            Arg::Group(n) => format!("descriptor group {n}"),
            _ => continue,
        };
        let rule = if *what == Arg::Lds { &rules::LDS_UNIFORM } else { &rules::UNIFORM };
        match shapes.value(&arg.value) {
            Shape::Uniform => {}
            Shape::Divergent => out.push(
                rule.broken(
                    format!(
                        "the {name} of {short} differs from lane to lane; the compiler silently takes that of the first \
                         active lane"
                    ),
                    if *what == Arg::Lds {
                        "pass the wave's base; each lane's slot follows from its number"
                    } else {
                        "pass a value that is the same in every lane (readfirstlane where it is meant so)"
                    },
                )
                .at(arg.span, "differs from lane to lane"),
            ),
            Shape::Unknown => out.push(
                rules::LDS_MAYBE_DIVERGENT
                    .broken(
                        format!("the {name} of {short} comes in vector registers and must be the same in every lane"),
                        "mark the parameter inreg, or pass it through llvm.amdgcn.readfirstlane",
                    )
                    .at(arg.span, "may differ from lane to lane"),
            ),
        }
    }
}

fn modifiers(call: &Call<'_>, target: &Target, out: &mut Vec<Diagnostic>) {
    let short = call.name;
    let span = call.inst.span;
    let imm = call.immediates();
    if call.inst.atomic {
        out.push(
            rules::ATOMIC
                .broken(
                    format!("{short} cannot be performed atomically"),
                    "drop the ordering, and order with waits and fences",
                )
                .at(span, "an atomic ordering or scope"),
        );
    }
    if matches!(call.intrinsic.kind, Kind::Tensor { .. }) {
        for (on, what) in
            [(imm.policy >> 31 == 1, "volatile (cache policy bit 31)"), (imm.nontemporal, "nontemporal")]
        {
            if on {
                out.push(
                    rules::TENSOR_VOLATILE
                        .broken(
                            format!("{short} does not support {what}"),
                            "drop it; use the temporal hint of the cache policy",
                        )
                        .at(span, "this call"),
                );
            }
        }
        if let Some(group) = call.arg(Arg::Group(4)).filter(|a| !is_zero(&a.value)) {
            out.push(
                rules::FIFTH_GROUP
                    .broken(
                        format!("the fifth descriptor group of {short} is reserved and must be zero"),
                        "pass zeroinitializer",
                    )
                    .at(group.span, "not zero"),
            );
        }
    }
    let known: u32 = match target.policy {
        Policy::Glc => 1 << 31 | 0b11,
        Policy::GlcScc | Policy::Sc => 1 << 31 | 0b10011,
        Policy::ThScope => 1 << 31 | 0b11_1111,
    };
    // Bit 2 (dlc on gfx10) and bit 3 (swizzled buffer) say something for buffers of some targets.
    let known = if matches!(call.intrinsic.kind, Kind::BufferLoad { .. }) { known | 0b1100 } else { known };
    if imm.policy & !known != 0 {
        out.push(
            rules::POLICY_BITS
                .broken(
                    format!(
                        "cache policy {:#x} of {short} sets bits that {} does not have",
                        imm.policy, target.name
                    ),
                    format!("use {:#x}", imm.policy & known),
                )
                .at(call.arg(Arg::Policy).map_or(span, |a| a.span), "these bits"),
        );
    }
    let store = !call.intrinsic.kind.writes_lds();
    if target.policy == Policy::ThScope && imm.policy & 7 == 7 && !store {
        out.push(
            rules::POLICY_BITS
                .broken(
                    format!("temporal hint 7 of {short} exists for stores only"),
                    "use a hint from 0 to 6",
                )
                .at(call.arg(Arg::Policy).map_or(span, |a| a.span), "this hint"),
        );
    }
}

/// A descriptor that is all constants is checked as one.
fn descriptor(call: &Call<'_>, store: bool, out: &mut Vec<Diagnostic>) {
    let group = |n: u8, words: usize| -> Option<Vec<u32>> {
        match &call.arg(Arg::Group(n))?.value {
            Value::Zero => Some(vec![0; words]),
            Value::Vector(elements) => elements.iter().take(words).map(|e| Some(e.int()? as u32)).collect(),
            _ => None,
        }
    };
    let fixed = |n| group(n, 4).and_then(|w| <[u32; 4]>::try_from(w).ok());
    let (Some(group0), Some(group1)) = (fixed(0), group(1, 8).and_then(|w| <[u32; 8]>::try_from(w).ok()))
    else {
        return;
    };
    let (group2, group3) = (fixed(2), fixed(3));
    // Upper groups that are computed are unknown, not absent.
    if call.arg(Arg::Group(2)).is_some() && group2.is_none() {
        return;
    }
    let descriptor = TdmDescriptor { group0, group1, group2, group3 };
    let direction = if store { Direction::Store } else { Direction::Load };
    let context = TdmContext { direction: Some(direction), ..TdmContext::default() };
    out.extend(check(&descriptor, &context).into_iter().map(|d| d.at(call.inst.span, "this descriptor")));
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Vector(elements) => elements.iter().all(is_zero),
        other => other.int() == Some(0),
    }
}

/// What LLVM 22 does with a call that it does not know, when that is so.
pub(crate) fn in_llvm22(call: &Call<'_>) -> Option<&'static str> {
    match call.intrinsic.kind {
        Kind::BufferLoad { asynchronous: true, .. } => Some("refuses its argument types"),
        Kind::DirectLoad { asynchronous: true } | Kind::Mark | Kind::WaitMark => {
            Some("does not know it and emits a call of a function that nobody defines")
        }
        Kind::Tensor { groups: 5, .. } => Some("refuses its argument types: there it takes four groups"),
        Kind::WaitDs => Some("does not know it and emits a call of a function that nobody defines"),
        _ => None,
    }
}

/// One remark for all calls of an intrinsic that LLVM 22 lacks.
pub(crate) fn newer_than_22(name: &str, what: &str, span: Span) -> Diagnostic {
    let mut told = rules::OLD_COMPILER.told(format!("{name} needs an LLVM newer than 22, which {what}"));
    told.level = Level::Note;
    told.at(span, "first use")
}

/// The counter of a barrier arrive or of an ordinary vector memory operation.
pub(crate) fn plain_counter(target: &Target) -> Option<Counter> {
    matches!(target.dma, Dma::Direct { .. }).then_some(Counter::Vm)
}
