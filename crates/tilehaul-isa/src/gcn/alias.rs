//! Other spellings of a mnemonic that the assembler takes: those of older generations on gfx1250, and the old names of
//! matrix products on gfx9. manual: llvm-mc 22.

use super::target::Target;

/// The names in the instruction table that `mnemonic` may stand for, when it is an alias.
pub(super) fn aliases(target: Target, mnemonic: &str) -> Vec<String> {
    if target != Target::Gfx1250 {
        return match mnemonic {
            "v_mul_lo_i32" => vec!["v_mul_lo_u32".to_owned()],
            _ => old_products(mnemonic),
        };
    }
    let end = ["_e32", "_e64", "_dpp", "_e64_dpp"].into_iter().rfind(|end| mnemonic.ends_with(end));
    let base = end.map_or(mnemonic, |end| mnemonic.strip_suffix(end).unwrap_or(mnemonic));
    let new = lds(base).or_else(|| memory(base)).or_else(|| scalar_or_vector(base));
    new.map(|new| new + end.unwrap_or_default()).into_iter().collect()
}

/// `32x32x8f16` is spelled `32x32x8_f16` now, and `32x32x4f16`, which makes two blocks, `32x32x4_2b_f16`.
fn old_products(mnemonic: &str) -> Vec<String> {
    let Some(rest) = mnemonic.strip_prefix("v_mfma_") else { return Vec::new() };
    let old = ["bf16_1k", "bf16", "xf32", "f16", "f32", "f64", "i8"].into_iter().find_map(|kind| {
        let head = rest.strip_suffix(kind).filter(|head| head.ends_with(|c: char| c.is_ascii_digit()))?;
        Some((head, kind.trim_end_matches("_1k")))
    });
    let Some((head, kind)) = old else { return Vec::new() };
    let blocks = ["", "_2b", "_4b", "_16b"];
    blocks.iter().map(|blocks| format!("v_mfma_{head}{blocks}_{kind}")).collect()
}

fn lds(name: &str) -> Option<String> {
    const HEADS: [(&str, &str); 13] = [
        ("ds_wrxchg2st64_", "ds_storexchg_2addr_stride64_"),
        ("ds_wrxchg2_", "ds_storexchg_2addr_"),
        ("ds_wrxchg_", "ds_storexchg_"),
        ("ds_min_rtn_f", "ds_min_num_rtn_f"),
        ("ds_max_rtn_f", "ds_max_num_rtn_f"),
        ("ds_read2st64_", "ds_load_2addr_stride64_"),
        ("ds_write2st64_", "ds_store_2addr_stride64_"),
        ("ds_read2_", "ds_load_2addr_"),
        ("ds_write2_", "ds_store_2addr_"),
        ("ds_read_", "ds_load_"),
        ("ds_write_", "ds_store_"),
        ("ds_min_f", "ds_min_num_f"),
        ("ds_max_f", "ds_max_num_f"),
    ];
    HEADS.iter().find_map(|(old, new)| Some(format!("{new}{}", name.strip_prefix(old)?)))
}

/// Loads, stores and atomics outside LDS, whose widths have other names.
fn memory(name: &str) -> Option<String> {
    const LOADS: [(&str, &str); 16] = [
        ("dword", "b32"),
        ("dwordx2", "b64"),
        ("dwordx3", "b96"),
        ("dwordx4", "b128"),
        ("dwordx8", "b256"),
        ("dwordx16", "b512"),
        ("ubyte", "u8"),
        ("sbyte", "i8"),
        ("ushort", "u16"),
        ("sshort", "i16"),
        ("short_d16", "d16_b16"),
        ("short_d16_hi", "d16_hi_b16"),
        ("ubyte_d16", "d16_u8"),
        ("ubyte_d16_hi", "d16_hi_u8"),
        ("sbyte_d16", "d16_i8"),
        ("sbyte_d16_hi", "d16_hi_i8"),
    ];
    const STORES: [(&str, &str); 8] = [
        ("byte", "b8"),
        ("short", "b16"),
        ("dword", "b32"),
        ("dwordx2", "b64"),
        ("dwordx3", "b96"),
        ("dwordx4", "b128"),
        ("byte_d16_hi", "d16_hi_b8"),
        ("short_d16_hi", "d16_hi_b16"),
    ];
    // Some have their type in the name already.
    const TYPED: [(&str, &str); 8] = [
        ("csub", "sub_clamp_u32"),
        ("csub_u32", "sub_clamp_u32"),
        ("fmin", "min_num_f32"),
        ("fmax", "max_num_f32"),
        ("min_f32", "min_num_f32"),
        ("max_f32", "max_num_f32"),
        ("min_f64", "min_num_f64"),
        ("max_f64", "max_num_f64"),
    ];
    const ATOMICS: [(&str, &str, &str); 13] = [
        ("swap", "swap", "b"),
        ("cmpswap", "cmpswap", "b"),
        ("add", "add", "u"),
        ("sub", "sub", "u"),
        ("smin", "min", "i"),
        ("umin", "min", "u"),
        ("smax", "max", "i"),
        ("umax", "max", "u"),
        ("and", "and", "b"),
        ("or", "or", "b"),
        ("xor", "xor", "b"),
        ("inc", "inc", "u"),
        ("dec", "dec", "u"),
    ];
    let family = ["s_buffer_", "s_", "global_", "flat_", "scratch_", "buffer_"]
        .into_iter()
        .find(|family| name.starts_with(family))?;
    let (kind, width) = name.strip_prefix(family)?.split_once('_')?;
    let renamed = |names: &[(&str, &str)]| {
        let (_, new) = names.iter().find(|(old, _)| *old == width)?;
        Some(format!("{family}{kind}_{new}"))
    };
    match kind {
        "load" => renamed(&LOADS),
        "store" => renamed(&STORES),
        "atomic" if TYPED.iter().any(|(old, _)| *old == width) => renamed(&TYPED),
        "atomic" => {
            let (operation, bits) =
                width.strip_suffix("_x2").map_or((width, 32), |operation| (operation, 64));
            let (_, new, class) = ATOMICS.iter().find(|(old, ..)| *old == operation)?;
            Some(format!("{family}atomic_{new}_{class}{bits}"))
        }
        _ => None,
    }
}

fn scalar_or_vector(name: &str) -> Option<String> {
    const HEADS: [(&str, &str); 17] = [
        ("s_andn1_", "s_and_not0_"),
        ("s_orn1_", "s_or_not0_"),
        ("s_max_f", "s_max_num_f"),
        ("s_min_f", "s_min_num_f"),
        ("v_max3_f", "v_max3_num_f"),
        ("v_min3_f", "v_min3_num_f"),
        ("v_med3_f", "v_med3_num_f"),
        ("v_maxmin_f", "v_maxmin_num_f"),
        ("v_minmax_f", "v_minmax_num_f"),
        ("v_cvt_pknorm_", "v_cvt_pk_norm_"),
        ("v_fma_legacy_f", "v_fma_dx9_zero_f"),
        ("s_andn2_", "s_and_not1_"),
        ("s_orn2_", "s_or_not1_"),
        ("v_max_f", "v_max_num_f"),
        ("v_min_f", "v_min_num_f"),
        ("v_pk_max_f", "v_pk_max_num_f"),
        ("v_pk_min_f", "v_pk_min_num_f"),
    ];
    const NAMES: [(&str, &str); 37] = [
        ("s_rfe_b64", "s_rfe_i64"),
        ("v_add_i32", "v_add_nc_i32"),
        ("v_sub_i32", "v_sub_nc_i32"),
        ("v_subrev_u32", "v_subrev_nc_u32"),
        ("v_cvt_flr_i32_f32", "v_cvt_floor_i32_f32"),
        ("v_cvt_rpi_i32_f32", "v_cvt_nearest_i32_f32"),
        ("global_load_tr_b64", "global_load_tr8_b64"),
        ("global_load_tr_b128", "global_load_tr16_b128"),
        ("global_load_dword_addtid", "global_load_addtid_b32"),
        ("global_store_dword_addtid", "global_store_addtid_b32"),
        ("s_waitcnt_depctr", "s_wait_alu"),
        ("s_add_u32", "s_add_co_u32"),
        ("s_add_i32", "s_add_co_i32"),
        ("s_addc_u32", "s_add_co_ci_u32"),
        ("s_sub_u32", "s_sub_co_u32"),
        ("s_sub_i32", "s_sub_co_i32"),
        ("s_subb_u32", "s_sub_co_ci_u32"),
        ("s_addk_i32", "s_addk_co_i32"),
        ("s_add_u64", "s_add_nc_u64"),
        ("s_sub_u64", "s_sub_nc_u64"),
        ("s_getpc_b64", "s_get_pc_i64"),
        ("s_setpc_b64", "s_set_pc_i64"),
        ("s_swappc_b64", "s_swap_pc_i64"),
        ("s_call_b64", "s_call_i64"),
        ("s_ff1_i32_b32", "s_ctz_i32_b32"),
        ("s_ff1_i32_b64", "s_ctz_i32_b64"),
        ("s_flbit_i32_b32", "s_clz_i32_u32"),
        ("s_flbit_i32_b64", "s_clz_i32_u64"),
        ("s_flbit_i32", "s_cls_i32"),
        ("s_flbit_i32_i64", "s_cls_i32_i64"),
        ("v_ffbh_u32", "v_clz_i32_u32"),
        ("v_ffbl_b32", "v_ctz_i32_b32"),
        ("v_ffbh_i32", "v_cls_i32"),
        ("v_cvt_pkrtz_f16_f32", "v_cvt_pk_rtz_f16_f32"),
        ("v_sub_u32", "v_sub_nc_u32"),
        ("v_add_u32", "v_add_nc_u32"),
        ("v_mul_legacy_f32", "v_mul_dx9_zero_f32"),
    ];
    let whole = NAMES.iter().find(|(old, _)| *old == name).map(|(_, new)| (*new).to_owned());
    whole.or_else(|| HEADS.iter().find_map(|(old, new)| Some(format!("{new}{}", name.strip_prefix(old)?))))
}
