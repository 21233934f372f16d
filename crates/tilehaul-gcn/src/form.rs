//! What a memory instruction moves, read from its name.

/// What an access does to its register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Extend {
    /// Dwords as they are.
    #[default]
    None,
    /// A byte, zero-extended.
    U8,
    /// A byte, sign-extended.
    I8,
    /// Two bytes, zero-extended.
    U16,
    /// Two bytes, sign-extended.
    I16,
    /// A byte, zero-extended into one half of the register.
    HalfU8,
    /// A byte, sign-extended into one half.
    HalfI8,
    /// Two bytes into one half.
    HalfB16,
}

/// A read-modify-write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rmw {
    Add,
    Sub,
    RSub,
    SubClamp,
    /// Subtracts where the value is large enough.
    CondSub,
    /// Subtracts the first operand, or adds the second where the value is smaller than the first.
    Wrap,
    /// Two dwords, each exchanged where its operand has bit 31 set.
    CondXchg,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    Swap,
    CmpSwap,
    FAdd,
    FMin,
    FMax,
    PkAddF16,
    PkAddBf16,
    MskOr,
}

/// What an access is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    None,
    Load,
    Store,
    Atomic(Rmw),
}

/// Shape of a memory access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    pub kind: Kind,
    /// Bytes of each lane.
    pub bytes: u8,
    pub extend: Extend,
    /// The upper half of the register.
    pub high: bool,
}

impl Form {
    pub(crate) fn dwords(self) -> u16 {
        u16::from(self.bytes).div_ceil(4).max(1)
    }
}

/// The form of a name without its family (`global_`, `ds_`…), as `load_dwordx2` or `store_d16_hi_b8`.
pub(crate) fn of(name: &str) -> Option<Form> {
    if let Some(rest) = name.strip_prefix("atomic_") {
        return atomic(rest);
    }
    let (kind, rest) = match (
        name.strip_prefix("load_").or(name.strip_prefix("read_")),
        name.strip_prefix("store_").or(name.strip_prefix("write_")),
    ) {
        (Some(rest), _) => (Kind::Load, rest),
        (_, Some(rest)) => (Kind::Store, rest),
        _ => return None,
    };
    let form = |bytes, extend, high| Some(Form { kind, bytes, extend, high });
    // What a monitored load tells `s_monitor_sleep` is nothing that a result depends on.
    match rest.strip_prefix("monitor_").unwrap_or(rest) {
        "ubyte" | "u8" => form(1, Extend::U8, false),
        "sbyte" | "i8" => form(1, Extend::I8, false),
        "ushort" | "u16" => form(2, Extend::U16, false),
        "sshort" | "i16" => form(2, Extend::I16, false),
        "byte" | "b8" => form(1, Extend::U8, false),
        "short" | "b16" => form(2, Extend::U16, false),
        "dword" | "b32" => form(4, Extend::None, false),
        "dwordx2" | "b64" => form(8, Extend::None, false),
        "dwordx3" | "b96" => form(12, Extend::None, false),
        "dwordx4" | "b128" => form(16, Extend::None, false),
        "ubyte_d16" | "d16_u8" | "u8_d16" => form(1, Extend::HalfU8, false),
        "ubyte_d16_hi" | "d16_hi_u8" | "u8_d16_hi" => form(1, Extend::HalfU8, true),
        "sbyte_d16" | "d16_i8" | "i8_d16" => form(1, Extend::HalfI8, false),
        "sbyte_d16_hi" | "d16_hi_i8" | "i8_d16_hi" => form(1, Extend::HalfI8, true),
        "short_d16" | "d16_b16" | "u16_d16" => form(2, Extend::HalfB16, false),
        "short_d16_hi" | "d16_hi_b16" | "u16_d16_hi" | "b16_d16_hi" => form(2, Extend::HalfB16, true),
        "byte_d16_hi" | "d16_hi_b8" | "b8_d16_hi" => form(1, Extend::HalfU8, true),
        _ => None,
    }
}

fn atomic(name: &str) -> Option<Form> {
    let form = |rmw, bytes| Some(Form { kind: Kind::Atomic(rmw), bytes, extend: Extend::None, high: false });
    match name {
        "add_f32" => return form(Rmw::FAdd, 4),
        "add_f64" => return form(Rmw::FAdd, 8),
        "min_f64" | "min_num_f64" => return form(Rmw::FMin, 8),
        "max_f64" | "max_num_f64" => return form(Rmw::FMax, 8),
        "min_num_f32" | "fmin" => return form(Rmw::FMin, 4),
        "max_num_f32" | "fmax" => return form(Rmw::FMax, 4),
        "pk_add_f16" => return form(Rmw::PkAddF16, 4),
        "pk_add_bf16" => return form(Rmw::PkAddBf16, 4),
        _ => {}
    }
    let (base, bytes) = match name
        .strip_suffix("_x2")
        .or(name.strip_suffix("_u64"))
        .or(name.strip_suffix("_i64"))
        .or(name.strip_suffix("_b64"))
    {
        Some(base) => (base, 8),
        None => (name.trim_end_matches("_u32").trim_end_matches("_i32").trim_end_matches("_b32"), 4),
    };
    let signed = name.ends_with("_i32") || name.ends_with("_i64");
    let rmw = match base {
        "add" => Rmw::Add,
        "sub" => Rmw::Sub,
        "sub_clamp" => Rmw::SubClamp,
        "cond_sub" => Rmw::CondSub,
        "smin" => Rmw::SMin,
        "umin" => Rmw::UMin,
        "smax" => Rmw::SMax,
        "umax" => Rmw::UMax,
        "min" if signed => Rmw::SMin,
        "min" => Rmw::UMin,
        "max" if signed => Rmw::SMax,
        "max" => Rmw::UMax,
        "and" => Rmw::And,
        "or" => Rmw::Or,
        "xor" => Rmw::Xor,
        "inc" => Rmw::Inc,
        "dec" => Rmw::Dec,
        "swap" => Rmw::Swap,
        "cmpswap" => Rmw::CmpSwap,
        _ => return None,
    };
    form(rmw, bytes)
}

/// The form of an LDS atomic: `ds_add_rtn_u32`. The flag says that it returns the old value.
pub(crate) fn ds_atomic(name: &str) -> Option<(Form, bool)> {
    let name = name.strip_prefix("ds_")?;
    let returns = name.contains("_rtn_");
    let name = name.replace("_rtn_", "_");
    let form = |rmw, bytes| {
        Some((Form { kind: Kind::Atomic(rmw), bytes, extend: Extend::None, high: false }, returns))
    };
    let (op, kind) = name.rsplit_once('_')?;
    let bytes = match kind {
        "u64" | "i64" | "b64" | "f64" => 8,
        "u32" | "i32" | "b32" | "f32" | "f16" | "bf16" => 4,
        _ => return None,
    };
    let rmw = match (op, kind) {
        ("add", "f32" | "f64") => Rmw::FAdd,
        ("min" | "min_num", "f32" | "f64") => Rmw::FMin,
        ("max" | "max_num", "f32" | "f64") => Rmw::FMax,
        ("pk_add", "f16") => Rmw::PkAddF16,
        ("pk_add", "bf16") => Rmw::PkAddBf16,
        ("add", _) => Rmw::Add,
        ("sub", _) => Rmw::Sub,
        ("rsub", _) => Rmw::RSub,
        ("sub_clamp", _) => Rmw::SubClamp,
        ("cond_sub", _) => Rmw::CondSub,
        ("wrap", _) => Rmw::Wrap,
        ("condxchg32", _) => Rmw::CondXchg,
        ("inc", _) => Rmw::Inc,
        ("dec", _) => Rmw::Dec,
        ("min", "i32" | "i64") => Rmw::SMin,
        ("min", _) => Rmw::UMin,
        ("max", "i32" | "i64") => Rmw::SMax,
        ("max", _) => Rmw::UMax,
        ("and", _) => Rmw::And,
        ("or", _) => Rmw::Or,
        ("xor", _) => Rmw::Xor,
        ("wrxchg" | "storexchg", _) => Rmw::Swap,
        ("mskor", _) => Rmw::MskOr,
        ("cmpst" | "cmpstore", _) => Rmw::CmpSwap,
        _ => return None,
    };
    form(rmw, bytes)
}

/// One step of a read-modify-write: the new value of `old` with operand `a` (and for a compare the comparand `b`).
pub(crate) fn apply(rmw: Rmw, bytes: u8, old: u64, a: u64, b: u64) -> u64 {
    let wide = bytes == 8;
    let signed = |v: u64| if wide { v as i64 } else { i64::from(v as u32 as i32) };
    let limit = if wide { u64::MAX } else { 0xffff_ffff };
    let value = match rmw {
        Rmw::Add => old.wrapping_add(a),
        Rmw::Sub => old.wrapping_sub(a),
        Rmw::RSub => a.wrapping_sub(old),
        Rmw::SubClamp => old.saturating_sub(a),
        // manual: RDNA4 ISA, DS_COND_SUB_U32.
        Rmw::CondSub => old.checked_sub(a).unwrap_or(old),
        // manual: CDNA3 ISA, DS_WRAP_RTN_B32.
        Rmw::Wrap => old.checked_sub(a).unwrap_or(old.wrapping_add(b)),
        // manual: CDNA3 ISA, DS_CONDXCHG32_RTN_B64.
        Rmw::CondXchg => [0, 32].into_iter().fold(0, |new, at| {
            let (old, a) = (old >> at & 0xffff_ffff, a >> at & 0xffff_ffff);
            new | (if a >> 31 == 1 { a & 0x7fff_ffff } else { old }) << at
        }),
        Rmw::SMin => {
            if signed(old) < signed(a) {
                old
            } else {
                a
            }
        }
        Rmw::SMax => {
            if signed(old) > signed(a) {
                old
            } else {
                a
            }
        }
        Rmw::UMin => old.min(a),
        Rmw::UMax => old.max(a),
        Rmw::And => old & a,
        Rmw::Or => old | a,
        Rmw::Xor => old ^ a,
        Rmw::Inc => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        Rmw::Dec => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        Rmw::Swap => a,
        Rmw::CmpSwap => {
            if old == b {
                a
            } else {
                old
            }
        }
        Rmw::MskOr => old & !a | b,
        Rmw::FAdd | Rmw::FMin | Rmw::FMax if wide => {
            let (x, y) = (f64::from_bits(old), f64::from_bits(a));
            match rmw {
                Rmw::FAdd => x + y,
                Rmw::FMin => crate::valu::double_min(x, y),
                _ => crate::valu::double_max(x, y),
            }
            .to_bits()
        }
        Rmw::FAdd | Rmw::FMin | Rmw::FMax => {
            let (x, y) = (f32::from_bits(old as u32), f32::from_bits(a as u32));
            u64::from(
                match rmw {
                    Rmw::FAdd => x + y,
                    Rmw::FMin => crate::valu::float_min(x, y),
                    _ => crate::valu::float_max(x, y),
                }
                .to_bits(),
            )
        }
        Rmw::PkAddF16 => pairs(old, a, |x, y| {
            half::f16::from_f32(half::f16::from_bits(x).to_f32() + half::f16::from_bits(y).to_f32()).to_bits()
        }),
        Rmw::PkAddBf16 => pairs(old, a, |x, y| {
            half::bf16::from_f32(half::bf16::from_bits(x).to_f32() + half::bf16::from_bits(y).to_f32())
                .to_bits()
        }),
    };
    value & limit
}

fn pairs(a: u64, b: u64, f: impl Fn(u16, u16) -> u16) -> u64 {
    u64::from(f(a as u16, b as u16)) | u64::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_generations_mean_the_same() {
        for (a, b) in [
            ("load_dwordx4", "load_b128"),
            ("store_short_d16_hi", "store_d16_hi_b16"),
            ("load_ubyte", "load_u8"),
        ] {
            assert_eq!(of(a), of(b), "{a}");
        }
        assert_eq!(of("atomic_smax"), of("atomic_max_i32"));
        assert_eq!(of("atomic_cmpswap_x2"), of("atomic_cmpswap_b64"));
        assert_eq!(of("load_monitor_b64"), of("load_b64"));
        assert_eq!(ds_atomic("ds_cond_sub_rtn_u32").map(|f| f.0), of("atomic_cond_sub_u32"));
        assert_eq!(ds_atomic("ds_add_rtn_u32").map(|f| f.1), Some(true));
    }

    #[test]
    fn counters_wrap_at_their_bound() {
        assert_eq!(apply(Rmw::Inc, 4, 7, 7, 0), 0);
        assert_eq!(apply(Rmw::Dec, 4, 0, 7, 0), 7);
        assert_eq!(apply(Rmw::SMin, 4, 5, 0xffff_ffff, 0), 0xffff_ffff);
        assert_eq!(apply(Rmw::Add, 4, 0xffff_ffff, 1, 0), 0);
        assert_eq!(apply(Rmw::CondSub, 4, 5, 7, 0), 5);
        assert_eq!(apply(Rmw::CondSub, 4, 9, 7, 0), 2);
        assert_eq!(apply(Rmw::SubClamp, 4, 5, 7, 0), 0);
        assert_eq!(apply(Rmw::Wrap, 4, 9, 7, 100), 2);
        assert_eq!(apply(Rmw::Wrap, 4, 5, 7, 100), 105);
        assert_eq!(
            apply(Rmw::CondXchg, 8, 0x1111_1111_2222_2222, 0x8000_0003_0000_0004, 0),
            0x0000_0003_2222_2222
        );
    }
}
