//! Pairs of instructions, and how many wait states are missing between them. The numbers are those of the manual's tables
//! and of what LLVM 22 inserts.

use tilehaul_isa::gcn::Target;

use super::found;
use crate::testing::op;

/// The wait states missing at the worst of what is found.
fn missing<const L: usize>(target: Target, text: &str) -> u8 {
    let ops: Vec<_> = text.split(';').map(|line| op::<L>(target, line.trim())).collect();
    found(&ops, 0, L == 32).iter().map(|f| f.need.states - f.there).max().unwrap_or(0)
}

/// `needed` instructions between the two are enough, and one fewer is not.
fn needs(target: Target, earlier: &str, later: &str, needed: u8) {
    for there in 0..=needed {
        let between = match there {
            0 => String::new(),
            n if n > 16 => format!("s_nop 15; s_nop {};", n - 17),
            n => format!("s_nop {};", n - 1),
        };
        let text = format!("{earlier}; {between} {later}");
        // LLVM looks 19 wait states back.
        let expected = if there < 19 { needed - there } else { 0 };
        assert_eq!(missing::<64>(target, &text), expected, "{target}: {text}");
    }
}

const BOTH: [Target; 2] = [Target::Gfx942, Target::Gfx950];

#[test]
fn scalar_registers_that_vector_instructions_write() {
    for target in BOTH {
        let first = "v_readfirstlane_b32 s8, v9";
        needs(target, first, "buffer_load_dword v1, v2, s[8:11], 0 offen", 5);
        needs(target, first, "buffer_load_dword v1, v2, s[12:15], s8 offen", 5);
        needs(target, first, "global_load_dword v1, v2, s[8:9]", 5);
        needs(target, first, "global_store_dword v1, v2, s[8:9]", 5);
        needs(target, first, "buffer_load_dword v2, s[8:11], 0 offen lds", 5);
        needs(target, first, "scratch_load_dword v1, off, s8", 5);
        needs(target, first, "v_readlane_b32 s9, v1, s8", 4);
        needs(target, first, "v_writelane_b32 v1, s9, s8", 4);
        needs(target, first, "v_add_u32_e32 v1, s8, v2", 2);
        needs(target, "v_cmp_eq_u32_e32 vcc, v1, v2", "v_div_fmas_f32 v1, v2, v3, v4", 4);
        needs(target, "v_cmp_eq_u32_e64 s[8:9], v1, v2", "global_load_dword v1, v2, s[8:9]", 5);
        // Scalar memory, scalar arithmetic, masks and carries take the new value.
        needs(target, first, "s_load_dword s0, s[8:9], 0x0", 0);
        needs(target, first, "s_add_u32 s0, s8, s1", 0);
        needs(target, "v_cmp_eq_u32_e32 vcc, v1, v2", "v_cndmask_b32_e32 v1, v2, v3, vcc", 0);
        needs(target, "v_cmp_eq_u32_e64 s[8:9], v1, v2", "v_cndmask_b32_e64 v1, v2, v3, s[8:9]", 0);
        needs(target, "v_add_co_u32_e32 v1, vcc, v2, v3", "v_addc_co_u32_e32 v4, vcc, v5, v6, vcc", 0);
        // The scalar unit's own writes are waited for.
        needs(target, "s_mov_b32 s8, 0", "buffer_load_dword v1, v2, s[8:11], 0 offen", 0);
        // A second write is what the access goes by.
        needs(target, "v_readfirstlane_b32 s8, v9; s_mov_b32 s8, 0", "global_load_dword v1, v2, s[8:9]", 0);
    }
}

#[test]
fn exec_and_lanes() {
    for target in BOTH {
        let across = "v_mov_b32_dpp v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf";
        needs(target, "v_cmpx_eq_u32_e32 vcc, v7, v8", across, 5);
        needs(target, "v_cmpx_eq_u32_e32 vcc, v7, v8", "v_readfirstlane_b32 s0, v1", 4);
        needs(
            target,
            "v_cmpx_eq_u32_e32 vcc, v7, v8",
            "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[4:5], v[4:5], v[0:3]",
            4,
        );
        needs(target, "v_cmpx_eq_u32_e32 vcc, v7, v8", "v_mov_b32_e32 v1, v2", 0);
        needs(target, "v_mov_b32_e32 v2, 0", across, 2);
        needs(target, "v_mov_b32_e32 v2, 0", "v_readlane_b32 s0, v2, 3", 1);
        needs(target, "v_mov_b32_e32 v2, 0", "v_add_u32_e32 v1, v2, v2", 0);
    }
    needs(Target::Gfx950, "v_mov_b32_e32 v2, 0", "v_permlane32_swap_b32_e32 v1, v2", 2);
}

#[test]
fn results_that_are_not_forwarded() {
    for target in BOTH {
        needs(target, "v_rcp_f32_e32 v1, v2", "v_mul_f32_e32 v3, v1, v4", 1);
        needs(target, "v_rcp_f32_e32 v1, v2", "v_exp_f32_e32 v3, v1", 0);
        needs(
            target,
            "v_cvt_f16_f32_sdwa v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
            "v_add_u32_e32 v3, v1, v4",
            1,
        );
        needs(target, "v_dot2_f32_f16 v1, v2, v3, v1", "v_add_f32_e32 v4, v1, v5", 3);
        needs(target, "v_dot2_f32_f16 v1, v2, v3, v1", "v_dot2_f32_f16 v1, v2, v3, v1", 0);
        needs(target, "v_dot2_f32_f16 v1, v2, v3, v1", "v_dot2_f32_f16 v4, v1, v3, v4", 3);
        needs(target, "global_store_dwordx4 v[0:1], v[4:7], off", "v_mov_b32_e32 v5, 0", 2);
        needs(target, "global_store_dwordx2 v[0:1], v[4:5], off", "v_mov_b32_e32 v5, 0", 0);
        needs(target, "buffer_store_dwordx4 v[4:7], v0, s[0:3], s4 offen", "v_mov_b32_e32 v5, 0", 0);
        needs(
            target,
            "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3",
            "s_getreg_b32 s0, hwreg(HW_REG_MODE)",
            2,
        );
        needs(target, "s_mov_b32 m0, s1", "ds_read_addtid_b32 v1", 1);
    }
}

/// Passes of the product, and what must stand before a vector instruction, before source A, before an overlapping addend.
#[test]
fn results_of_products() {
    let products = [
        ("v_mfma_f32_4x4x4_16b_f16 v[0:3], v[32:33], v[34:35], v[0:3]", [5, 5, 3], [5, 5, 4]),
        ("v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[0:3]", [7, 7, 5], [8, 8, 6]),
        ("v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], v[0:15]", [11, 11, 9], [12, 12, 10]),
        ("v_mfma_f32_32x32x4_2b_f16 v[0:31], v[32:33], v[34:35], v[0:31]", [19, 19, 17], [20, 20, 18]),
        ("v_mfma_f32_16x16x4_f32 v[0:3], v32, v34, v[0:3]", [10, 10, 0], [10, 10, 0]),
        ("v_mfma_f64_4x4x4_4b_f64 v[0:1], v[32:33], v[34:35], v[0:1]", [6, 6, 0], [6, 6, 0]),
        ("v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[34:35], v[0:7]", [11, 11, 0], [19, 19, 0]),
        ("v_smfmac_f32_16x16x32_f16 v[0:3], v[32:33], v[34:37], v38", [7, 7, 5], [8, 8, 6]),
    ];
    for (product, older, newer) in products {
        for (target, [vector, a, addend]) in [(Target::Gfx942, older), (Target::Gfx950, newer)] {
            needs(target, product, "v_mov_b32_e32 v40, v1", vector);
            needs(target, product, "v_mfma_f32_4x4x4_16b_f16 v[40:43], v[0:1], v[46:47], v[40:43]", a);
            needs(target, product, "v_mfma_f32_4x4x4_16b_f16 v[40:43], v[46:47], v[46:47], v[2:5]", addend);
        }
    }
    for target in BOTH {
        let product = "v_mfma_f32_16x16x16_f16 a[0:3], v[32:33], v[34:35], a[0:3]";
        let read = if target == Target::Gfx942 { 7 } else { 8 };
        needs(target, product, "v_accvgpr_read_b32 v1, a2", read);
        needs(target, product, "v_accvgpr_write_b32 a2, v1", read);
        needs(target, product, "ds_write_b32 v1, a2", read);
        needs(target, product, "global_store_dword v[4:5], a2, off", read);
        // The same addend is forwarded.
        needs(target, product, product, 0);
        needs(
            target,
            "v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[34:35], v[0:7]",
            "global_store_dword v[40:41], v1, off",
            18,
        );
        needs(
            target,
            "v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[34:35], v[0:7]",
            "v_fma_f64 v[40:41], v[42:43], v[42:43], v[42:43]",
            2,
        );
        // What a product reads: written before it, overwritten behind it.
        needs(
            target,
            "v_mov_b32_e32 v32, 0",
            "v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[0:3]",
            2,
        );
        needs(
            target,
            "v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[8:11]",
            "v_mov_b32_e32 v8, 0",
            3,
        );
        needs(
            target,
            "v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[8:11]",
            "v_mov_b32_e32 v32, 0",
            0,
        );
    }
    // Eight bits take twice as long as four.
    for (formats, needed) in [("cbsz:4 blgp:4", 8), ("", 12)] {
        let width = if formats.is_empty() { 8 } else { 4 };
        let product = format!(
            "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[32:{}], v[40:{}], v[0:3] {formats}",
            31 + width,
            39 + width
        );
        needs(Target::Gfx950, &product, "v_mov_b32_e32 v60, v1", needed);
    }
}

#[test]
fn side_by_side_on_gfx1250() {
    let products = [
        ("v_wmma_f32_16x16x32_f16 v[0:7], v[16:23], v[24:31], v[0:7]", 4),
        ("v_wmma_i32_16x16x64_iu8 v[0:7], v[16:23], v[24:31], v[0:7]", 8),
        ("v_swmmac_f32_16x16x64_f16 v[0:7], v[16:23], v[24:39], v40", 2),
    ];
    for (product, needed) in products {
        for there in 0..=needed {
            let nops = "v_nop; ".repeat(there.into());
            // Scalar instructions and `s_nop` count nothing.
            for later in ["v_mov_b32_e32 v50, v1", "v_mov_b32_e32 v1, 0", "v_mov_b32_e32 v17, 0"] {
                let text = format!("{product}; s_nop 7; {nops}{later}");
                assert_eq!(missing::<32>(Target::Gfx1250, &text), needed - there, "{text}");
            }
            let next = "v_wmma_f32_16x16x32_f16 v[50:57], v[0:7], v[60:67], v[50:57]";
            let text = format!("{product}; {nops}{next}");
            assert_eq!(missing::<32>(Target::Gfx1250, &text), needed + 1 - there, "{text}");
        }
        let stored = format!("{product}; global_store_b32 v[50:51], v1, off");
        assert_eq!(missing::<32>(Target::Gfx1250, &stored), 0);
    }
    let after = |later: &str| {
        missing::<32>(Target::Gfx1250, &format!("v_exp_f32_e32 v1, v2; s_mov_b32 s0, 0; {later}"))
    };
    assert_eq!(after("v_add_f32_e32 v3, v1, v4"), 1);
    assert_eq!(after("v_mov_b32_e32 v2, 0"), 1);
    assert_eq!(after("v_nop; v_add_f32_e32 v3, v1, v4"), 0);
    assert_eq!(after("v_exp_f32_e32 v3, v1"), 0);
}

#[test]
fn banks_of_registers_tell_them_apart() {
    let text = |bits: u32| {
        format!(
            "v_wmma_f32_16x16x32_f16 v[0:7], v[16:23], v[24:31], v[0:7]; s_set_vgpr_msb {bits:#x}; v_mov_b32_e32 v50, v1"
        )
    };
    assert_eq!(missing::<32>(Target::Gfx1250, &text(0)), 4);
    assert_eq!(missing::<32>(Target::Gfx1250, &text(1)), 0);
}
