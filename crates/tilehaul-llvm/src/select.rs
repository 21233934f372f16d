//! Which instruction and counter each intrinsic becomes, or why none.
//!
//! The tables restate what llc 22 selects (and LLVM 24 for the forms that 22 does not know).

use crate::table::{Intrinsic, Kind};
use crate::target::{Dma, Policy, Target};

/// A counter that says when a transfer is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counter {
    /// gfx9's and gfx10's vmcnt.
    Vm,
    /// gfx1250's ASYNCcnt.
    Async,
    /// gfx1250's TENSORcnt.
    Tensor,
}

impl Counter {
    /// All counters, as indices of a table.
    pub const ALL: [Counter; 3] = [Counter::Vm, Counter::Async, Counter::Tensor];

    /// The name in assembly.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Counter::Vm => "vmcnt",
            Counter::Async => "asynccnt",
            Counter::Tensor => "tensorcnt",
        }
    }

    /// The wait for it.
    #[must_use]
    pub fn wait(self, count: u64) -> String {
        match self {
            Counter::Vm => format!("s_waitcnt vmcnt({})", count.min(62)),
            Counter::Async => format!("s_wait_asynccnt {count:#x}"),
            Counter::Tensor => format!("s_wait_tensorcnt {count:#x}"),
        }
    }
}

/// Immediates of a call, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Immediates {
    /// Bytes of a lane.
    pub size: Option<i128>,
    /// Offset of both sides.
    pub offset: i128,
    /// Cache policy bits.
    pub policy: u32,
    /// `!nontemporal`.
    pub nontemporal: bool,
    /// The per-lane buffer offset is the constant 0.
    pub no_voffset: bool,
    /// The source is a buffer fat pointer (address space 7), which makes it the raw buffer form.
    pub buffer_source: bool,
}

/// The instruction of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// Mnemonic and modifiers, without registers: `buffer_load_dword offen offset:64 lds`.
    pub text: String,
    /// The counter that it counts in.
    pub counter: Counter,
}

/// The instruction that a transfer becomes on `target`.
///
/// # Errors
/// A sentence fragment that says why it cannot be selected, and what to use.
pub fn select(
    intrinsic: Intrinsic,
    imm: Immediates,
    target: &Target,
) -> Result<Selected, (String, &'static str)> {
    if let (Kind::DirectLoad { asynchronous }, true) = (intrinsic.kind, imm.buffer_source) {
        let kind = Kind::BufferLoad { structured: false, asynchronous };
        return select(Intrinsic { kind, ..intrinsic }, Immediates { buffer_source: false, ..imm }, target);
    }
    match (intrinsic.kind, target.dma) {
        (Kind::DirectLoad { .. }, Dma::Direct { new_names }) => {
            let what = lane_word(imm.size, target)?;
            let mut text =
                if new_names { format!("global_load_lds_{what}") } else { format!("global_load_{what}") };
            push_offset(&mut text, imm.offset);
            text.push_str(&policy_text(imm, target.policy));
            if !new_names {
                text.push_str(" lds");
            }
            Ok(Selected { text, counter: Counter::Vm })
        }
        (Kind::BufferLoad { structured, .. }, Dma::Direct { .. }) => {
            let what = lane_word(imm.size, target)?;
            let mode = match (structured, imm.no_voffset) {
                (true, true) => " idxen",
                (true, false) => " idxen offen",
                (false, true) => " off",
                (false, false) => " offen",
            };
            let mut text = format!("buffer_load_{what}{mode}");
            push_offset(&mut text, imm.offset);
            text.push_str(&policy_text(imm, target.policy));
            text.push_str(" lds");
            Ok(Selected { text, counter: Counter::Vm })
        }
        (Kind::DirectLoad { .. } | Kind::BufferLoad { .. }, Dma::Async) => Err((
            format!("{} has no direct load to LDS", target.name),
            "use llvm.amdgcn.global.load.async.to.lds.b8, b32, b64 or b128, with an LDS pointer for each lane",
        )),
        (Kind::DirectLoad { .. } | Kind::BufferLoad { .. }, Dma::None) => {
            Err((format!("{} has no direct load to LDS", target.name), "load to registers and store to LDS"))
        }
        (Kind::AsyncLoad { cluster, bits }, Dma::Async) => {
            async_bits(bits)?;
            let family = if cluster { "cluster" } else { "global" };
            let mut text = format!("{family}_load_async_to_lds_b{bits}");
            push_offset(&mut text, imm.offset);
            text.push_str(&th_scope(imm, false));
            Ok(Selected { text, counter: Counter::Async })
        }
        (Kind::AsyncStore { bits }, Dma::Async) => {
            async_bits(bits)?;
            let mut text = format!("global_store_async_from_lds_b{bits}");
            push_offset(&mut text, imm.offset);
            text.push_str(&th_scope(imm, true));
            Ok(Selected { text, counter: Counter::Async })
        }
        (Kind::AsyncLoad { .. } | Kind::AsyncStore { .. }, Dma::Direct { .. } | Dma::None) => Err((
            format!(
                "{} has no asynchronous copies with an LDS pointer for each lane; they come with gfx1250",
                target.name
            ),
            "use llvm.amdgcn.load.to.lds (wave-uniform LDS pointer) where the target has direct loads",
        )),
        (Kind::Tensor { store, .. }, Dma::Async) => {
            let mut text = if store { "tensor_store_from_lds" } else { "tensor_load_to_lds" }.to_owned();
            text.push_str(&th_scope(imm, store));
            Ok(Selected { text, counter: Counter::Tensor })
        }
        (Kind::Tensor { .. }, Dma::Direct { .. } | Dma::None) => Err((
            format!("{} has no Tensor Data Mover; it comes with gfx1250", target.name),
            "compile for gfx1250, or copy with loads",
        )),
        _ => Err(("it is no transfer".to_owned(), "")),
    }
}

/// `dword` and the like; sizes that the target lacks are refused.
fn lane_word(size: Option<i128>, target: &Target) -> Result<&'static str, (String, &'static str)> {
    let size = size.unwrap_or(4);
    let word = match size {
        1 => "ubyte",
        2 => "ushort",
        4 => "dword",
        12 => "dwordx3",
        16 => "dwordx4",
        _ => "",
    };
    let has = target.sizes.iter().any(|&s| i128::from(s) == size);
    if word.is_empty() || !has {
        let sizes: Vec<String> = target.sizes.iter().map(u64::to_string).collect();
        let list = sizes.join(", ");
        let hint = match size {
            12 | 16 => "use size 4, or compile for gfx950",
            8 => "use two loads of 4 bytes; there is no 8-byte form on any target",
            3 => "use a 2-byte and a 1-byte load; there is no 3-byte form on any target",
            _ => "use one of these sizes",
        };
        return Err((
            format!("size = {size} is not one of the {} loads to LDS of {list} bytes", target.name),
            hint,
        ));
    }
    Ok(word)
}

fn async_bits(bits: u32) -> Result<(), (String, &'static str)> {
    if matches!(bits, 8 | 32 | 64 | 128) {
        return Ok(());
    }
    Err((format!("there is no b{bits} form, only b8, b32, b64 and b128"), "use one of these widths"))
}

fn push_offset(text: &mut String, offset: i128) {
    if offset != 0 {
        text.push_str(&format!(" offset:{offset}"));
    }
}

/// gfx9: cache policy bits 0, 1, 4 and 31 and the metadata.
fn policy_text(imm: Immediates, policy: Policy) -> String {
    let volatile = imm.policy >> 31 == 1;
    let (first, second, third) = match policy {
        Policy::Glc | Policy::GlcScc => ("glc", "slc", "scc"),
        Policy::Sc | Policy::ThScope => ("sc0", "nt", "sc1"),
    };
    let sc = policy == Policy::Sc;
    let on = [
        (imm.policy & 1 != 0 || volatile || (imm.nontemporal && !sc), first),
        (imm.policy & 2 != 0 || imm.nontemporal, second),
        ((imm.policy & 16 != 0 && policy != Policy::Glc) || (volatile && sc), third),
    ];
    on.iter().filter(|(on, _)| *on).map(|(_, name)| format!(" {name}")).collect()
}

/// gfx1250: temporal hint in bits 2:0, scope in 4:3, nv in 5.
fn th_scope(imm: Immediates, store: bool) -> String {
    let (mut th, scope) = (imm.policy & 7, imm.policy >> 3 & 3);
    if imm.nontemporal && th == 0 {
        th = 1;
    }
    let system = scope == 3;
    let name = match (th, store) {
        (0, _) => "",
        (1, _) => "NT",
        (2, _) => "HT",
        (3, _) if system => "BYPASS",
        (3, true) => "WB",
        (3, false) => "LU",
        (4, _) => "NT_RT",
        (5, _) => "RT_NT",
        (6, _) => "NT_HT",
        (_, true) => "NT_WB",
        (_, false) => "7",
    };
    let mut text = String::new();
    if !name.is_empty() {
        let side = if store { "STORE" } else { "LOAD" };
        text.push_str(&format!(" th:TH_{side}_{name}"));
    }
    text.push_str(["", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"][scope as usize]);
    if imm.policy & 32 != 0 {
        text.push_str(" nv");
    }
    text
}
