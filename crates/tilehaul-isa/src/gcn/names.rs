//! Names of registers, messages and hardware registers.
//! inferred: the spellings of llvm-mc 22; the numbers are the manuals'.

use super::format::Generation;

/// The name of `count` scalar registers from number `first` (0 to 127 and the read-only ones above).
pub(crate) fn scalar(generation: Generation, first: u8, count: u8) -> Option<String> {
    let general = match generation {
        Generation::Gfx9 => 102,
        Generation::Gfx12 => 106,
    };
    let last = first.checked_add(count.checked_sub(1)?)?;
    if last < general {
        return Some(match count {
            1 => format!("s{first}"),
            _ => format!("s[{first}:{last}]"),
        });
    }
    if (108..=123).contains(&first) && last <= 123 {
        let first = first - 108;
        return Some(match count {
            1 => format!("ttmp{first}"),
            _ => format!("ttmp[{first}:{}]", last - 108),
        });
    }
    special(generation, first, count).map(str::to_owned)
}

fn special(generation: Generation, first: u8, count: u8) -> Option<&'static str> {
    let gfx9 = generation == Generation::Gfx9;
    let wide = count == 2;
    if count > 2 {
        return (!gfx9 && first == 124).then_some("null");
    }
    Some(match (first, wide) {
        (102, false) if gfx9 => "flat_scratch_lo",
        (103, false) if gfx9 => "flat_scratch_hi",
        (102, true) if gfx9 => "flat_scratch",
        (104, false) if gfx9 => "xnack_mask_lo",
        (105, false) if gfx9 => "xnack_mask_hi",
        (104, true) if gfx9 => "xnack_mask",
        (106, false) => "vcc_lo",
        (107, false) => "vcc_hi",
        (106, true) => "vcc",
        (124, false) if gfx9 => "m0",
        (125, _) if gfx9 => "null",
        (124, _) if !gfx9 => "null",
        (125, false) if !gfx9 => "m0",
        (126, false) => "exec_lo",
        (127, false) => "exec_hi",
        (126, true) => "exec",
        (230, _) if !gfx9 => "src_flat_scratch_base_lo",
        (231, false) if !gfx9 => "src_flat_scratch_base_hi",
        (235, _) => "src_shared_base",
        (236, _) => "src_shared_limit",
        (237, _) => "src_private_base",
        (238, _) => "src_private_limit",
        (239, _) if gfx9 => "src_pops_exiting_wave_id",
        (251, _) => "src_vccz",
        (252, _) => "src_execz",
        (253, _) => "src_scc",
        (254, false) if gfx9 => "src_lds_direct",
        _ => return None,
    })
}

/// Whether a source may name these registers.
pub(crate) fn is_scalar_source(generation: Generation, first: u8, count: u8) -> bool {
    scalar(generation, first, count).is_some()
}

/// The scalar register of that name: its number and how many dwords it names.
pub(crate) fn scalar_number(generation: Generation, text: &str) -> Option<(u8, u8)> {
    let (prefix, base) = if text.starts_with("ttmp") { ("ttmp", 108u32) } else { ("s", 0) };
    let limit = match (prefix, generation) {
        ("ttmp", _) => 124,
        (_, Generation::Gfx9) => 102,
        (_, Generation::Gfx12) => 106,
    };
    if let Some((first, count)) = numbered(text, prefix) {
        let first = first.checked_add(base)?;
        let end = first.checked_add(count)?;
        return (end <= limit).then_some((first as u8, count as u8));
    }
    let alias = match text {
        "shared_base" => "src_shared_base",
        "private_base" => "src_private_base",
        "shared_limit" => "src_shared_limit",
        "private_limit" => "src_private_limit",
        "vccz" => "src_vccz",
        "execz" => "src_execz",
        "scc" => "src_scc",
        "lds_direct" => "src_lds_direct",
        other => other,
    };
    for first in 102..=254u8 {
        for count in [1u8, 2] {
            if special(generation, first, count) == Some(alias) {
                return Some((first, count));
            }
        }
    }
    None
}

/// `v5`, `v[2:3]`, `s[0:1]`: the first register and how many.
pub(crate) fn numbered(text: &str, prefix: &str) -> Option<(u32, u32)> {
    let rest = text.strip_prefix(prefix)?;
    if let Some(range) = rest.strip_prefix('[') {
        let range = range.strip_suffix(']')?;
        let (first, last) = range.split_once(':').unwrap_or((range, range));
        let first: u32 = first.trim().parse().ok()?;
        let last: u32 = last.trim().parse().ok()?;
        let count = last.checked_sub(first)?.checked_add(1)?;
        return (count <= 64).then_some((first, count));
    }
    if rest.is_empty() || !rest.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((rest.parse().ok()?, 1))
}

/// The inline floats, number 240 first.
pub(crate) const INLINE_FLOATS: [f64; 9] =
    [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.159_154_943_091_895_32];

/// The spelling of an inline float: `0.5`, and for 1/(2 pi) as many digits as the type has.
pub(crate) fn inline_float(code: u8, wide: bool) -> &'static str {
    match code {
        240 => "0.5",
        241 => "-0.5",
        242 => "1.0",
        243 => "-1.0",
        244 => "2.0",
        245 => "-2.0",
        246 => "4.0",
        247 => "-4.0",
        _ if wide => "0.15915494309189532",
        _ => "0.15915494",
    }
}

/// The name of hardware register `id`.
pub(crate) fn hwreg(generation: Generation, id: u32) -> Option<&'static str> {
    let names = match generation {
        Generation::Gfx9 => HWREG9,
        Generation::Gfx12 => HWREG12,
    };
    names.iter().find(|(i, _)| *i == id).map(|(_, n)| *n)
}

/// The number of the hardware register of that name.
pub(crate) fn hwreg_number(generation: Generation, name: &str) -> Option<u32> {
    let names = match generation {
        Generation::Gfx9 => HWREG9,
        Generation::Gfx12 => HWREG12,
    };
    names.iter().find(|(_, n)| *n == name).map(|(i, _)| *i)
}

const HWREG9: &[(u32, &str)] = &[
    (1, "HW_REG_MODE"),
    (2, "HW_REG_STATUS"),
    (3, "HW_REG_TRAPSTS"),
    (4, "HW_REG_HW_ID"),
    (5, "HW_REG_GPR_ALLOC"),
    (6, "HW_REG_LDS_ALLOC"),
    (7, "HW_REG_IB_STS"),
    (15, "HW_REG_SH_MEM_BASES"),
    (16, "HW_REG_TBA_LO"),
    (17, "HW_REG_TBA_HI"),
    (18, "HW_REG_TMA_LO"),
    (19, "HW_REG_TMA_HI"),
    (20, "HW_REG_XCC_ID"),
    (21, "HW_REG_SQ_PERF_SNAPSHOT_DATA"),
    (22, "HW_REG_SQ_PERF_SNAPSHOT_DATA1"),
    (23, "HW_REG_SQ_PERF_SNAPSHOT_PC_LO"),
    (24, "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"),
];

const HWREG12: &[(u32, &str)] = &[
    (1, "HW_REG_WAVE_MODE"),
    (2, "HW_REG_WAVE_STATUS"),
    (4, "HW_REG_WAVE_STATE_PRIV"),
    (5, "HW_REG_WAVE_GPR_ALLOC"),
    (6, "HW_REG_WAVE_LDS_ALLOC"),
    (7, "HW_REG_IB_STS"),
    (10, "HW_REG_PERF_SNAPSHOT_DATA"),
    (11, "HW_REG_PERF_SNAPSHOT_PC_LO"),
    (12, "HW_REG_PERF_SNAPSHOT_PC_HI"),
    (15, "HW_REG_PERF_SNAPSHOT_DATA1"),
    (16, "HW_REG_PERF_SNAPSHOT_DATA2"),
    (17, "HW_REG_WAVE_EXCP_FLAG_PRIV"),
    (18, "HW_REG_WAVE_EXCP_FLAG_USER"),
    (19, "HW_REG_WAVE_TRAP_CTRL"),
    (20, "HW_REG_WAVE_SCRATCH_BASE_LO"),
    (21, "HW_REG_WAVE_SCRATCH_BASE_HI"),
    (23, "HW_REG_WAVE_HW_ID1"),
    (24, "HW_REG_WAVE_HW_ID2"),
    (26, "HW_REG_WAVE_SCHED_MODE"),
    (28, "HW_REG_IB_STS2"),
    (29, "HW_REG_SHADER_CYCLES_LO"),
    (30, "HW_REG_SHADER_CYCLES_HI"),
    (31, "HW_REG_WAVE_DVGPR_ALLOC_LO"),
    (32, "HW_REG_WAVE_DVGPR_ALLOC_HI"),
    (33, "HW_REG_XNACK_STATE_PRIV"),
    (34, "HW_REG_XNACK_MASK"),
];

/// Messages without operations.
pub(crate) fn message(generation: Generation, id: u32) -> Option<&'static str> {
    messages(generation).iter().find(|(i, _)| *i == id).map(|(_, n)| *n)
}

/// The number of a message.
pub(crate) fn message_number(generation: Generation, name: &str) -> Option<u32> {
    messages(generation).iter().find(|(_, n)| *n == name).map(|(i, _)| *i)
}

fn messages(generation: Generation) -> &'static [(u32, &'static str)] {
    match generation {
        Generation::Gfx9 => &[
            (1, "MSG_INTERRUPT"),
            (4, "MSG_SAVEWAVE"),
            (5, "MSG_STALL_WAVE_GEN"),
            (6, "MSG_HALT_WAVES"),
            (7, "MSG_ORDERED_PS_DONE"),
            (8, "MSG_EARLY_PRIM_DEALLOC"),
            (9, "MSG_GS_ALLOC_REQ"),
            (10, "MSG_GET_DOORBELL"),
        ],
        Generation::Gfx12 => &[
            (1, "MSG_INTERRUPT"),
            (2, "MSG_HS_TESSFACTOR"),
            (3, "MSG_DEALLOC_VGPRS"),
            (9, "MSG_GS_ALLOC_REQ"),
            (10, "MSG_SAVEWAVE_HAS_TDM"),
            (128, "MSG_RTN_GET_DOORBELL"),
            (129, "MSG_RTN_GET_DDID"),
            (130, "MSG_RTN_GET_TMA"),
            (131, "MSG_RTN_GET_REALTIME"),
            (132, "MSG_RTN_SAVE_WAVE"),
            (133, "MSG_RTN_GET_TBA"),
            (134, "MSG_RTN_GET_TBA_TO_PC"),
            (135, "MSG_RTN_GET_SE_AID_ID"),
            (136, "MSG_RTN_GET_CLUSTER_BARRIER_STATE"),
        ],
    }
}

/// The parts of `s_waitcnt` on gfx9: name, bits low and high, largest value.
pub(crate) fn gfx9_waitcnt(imm: u32) -> [(&'static str, u32, u32); 3] {
    [
        ("vmcnt", imm & 0xf | (imm >> 14 & 3) << 4, 63),
        ("expcnt", imm >> 4 & 7, 7),
        ("lgkmcnt", imm >> 8 & 15, 15),
    ]
}

/// The parts of `s_wait_alu`: name, lowest bit, width; bits 5 and 6 have no meaning and are zero.
pub(crate) const DEPCTR: [(&str, u32, u32); 7] = [
    ("depctr_hold_cnt", 7, 1),
    ("depctr_sa_sdst", 0, 1),
    ("depctr_va_vdst", 12, 4),
    ("depctr_va_sdst", 9, 3),
    ("depctr_va_ssrc", 8, 1),
    ("depctr_va_vcc", 1, 1),
    ("depctr_vm_vsrc", 2, 3),
];

/// The dependences of `s_delay_alu`, number 1 first.
pub(crate) const DELAY_IDS: [&str; 11] = [
    "VALU_DEP_1",
    "VALU_DEP_2",
    "VALU_DEP_3",
    "VALU_DEP_4",
    "TRANS32_DEP_1",
    "TRANS32_DEP_2",
    "TRANS32_DEP_3",
    "FMA_ACCUM_CYCLE_1",
    "SALU_CYCLE_1",
    "SALU_CYCLE_2",
    "SALU_CYCLE_3",
];

/// The skips of `s_delay_alu`, number 1 first.
pub(crate) const DELAY_SKIPS: [&str; 5] = ["NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];

/// Operand selections of SDWA, number 0 first.
pub(crate) const SDWA_SEL: [&str; 7] = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];

/// Treatment of unselected destination bits by SDWA.
pub(crate) const SDWA_UNUSED: [&str; 3] = ["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"];

/// Data formats of typed buffer instructions on gfx9, number 0 first.
pub(crate) const BUFFER_DATA_FORMATS: [&str; 16] = [
    "BUF_DATA_FORMAT_INVALID",
    "BUF_DATA_FORMAT_8",
    "BUF_DATA_FORMAT_16",
    "BUF_DATA_FORMAT_8_8",
    "BUF_DATA_FORMAT_32",
    "BUF_DATA_FORMAT_16_16",
    "BUF_DATA_FORMAT_10_11_11",
    "BUF_DATA_FORMAT_11_11_10",
    "BUF_DATA_FORMAT_10_10_10_2",
    "BUF_DATA_FORMAT_2_10_10_10",
    "BUF_DATA_FORMAT_8_8_8_8",
    "BUF_DATA_FORMAT_32_32",
    "BUF_DATA_FORMAT_16_16_16_16",
    "BUF_DATA_FORMAT_32_32_32",
    "BUF_DATA_FORMAT_32_32_32_32",
    "BUF_DATA_FORMAT_RESERVED_15",
];

/// Their number formats.
pub(crate) const BUFFER_NUMBER_FORMATS: [&str; 8] = [
    "BUF_NUM_FORMAT_UNORM",
    "BUF_NUM_FORMAT_SNORM",
    "BUF_NUM_FORMAT_USCALED",
    "BUF_NUM_FORMAT_SSCALED",
    "BUF_NUM_FORMAT_UINT",
    "BUF_NUM_FORMAT_SINT",
    "BUF_NUM_FORMAT_RESERVED_6",
    "BUF_NUM_FORMAT_FLOAT",
];

/// Element formats of mixed matrix operands on gfx1250, number 0 first.
pub(crate) const MATRIX_FORMATS: [&str; 5] =
    ["MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6", "MATRIX_FMT_FP4"];

/// Formats of their scales, number 0 first.
pub(crate) const SCALE_FORMATS: [&str; 3] =
    ["MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"];

/// Memory scopes of gfx1250.
pub(crate) const SCOPES: [&str; 4] = ["SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"];

/// The temporal hint `th` (with `scope`) of a load, a store or an atomic on gfx1250; none for the default.
pub(crate) fn temporal_hint(kind: HintKind, th: u32, scope: u32) -> Option<String> {
    const LOAD: [&str; 8] = ["RT", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", "RESERVED"];
    const STORE: [&str; 8] = ["RT", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"];
    if th == 0 {
        return None;
    }
    let index = (th & 7) as usize;
    Some(match kind {
        HintKind::Load if th == 3 && scope == 3 => "TH_LOAD_BYPASS".into(),
        HintKind::Load if th == 7 => "0x7".into(),
        HintKind::Load => format!("TH_LOAD_{}", LOAD.get(index).copied().unwrap_or("RT")),
        HintKind::Store if th == 3 && scope == 3 => "TH_STORE_BYPASS".into(),
        HintKind::Store => format!("TH_STORE_{}", STORE.get(index).copied().unwrap_or("RT")),
        HintKind::Atomic => match (th & 1 == 1, th & 2 == 2, th & 4 == 4) {
            (_, nt, true) if scope >= 2 => format!("TH_ATOMIC_CASCADE_{}", if nt { "NT" } else { "RT" }),
            (_, _, true) => format!("TH_ATOMIC_{th:#x}"),
            (true, true, _) => "TH_ATOMIC_NT_RETURN".into(),
            (true, false, _) => "TH_ATOMIC_RETURN".into(),
            (false, true, _) => "TH_ATOMIC_NT".into(),
            (false, false, _) => format!("{th:#x}"),
        },
    })
}

/// Which names a temporal hint has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HintKind {
    /// Loads, async loads and prefetches.
    Load,
    /// Stores.
    Store,
    /// Atomics.
    Atomic,
}
