	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 5
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1 ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_mov_b64 s[64:65], 0
	v_nop
	global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	s_bfe_u32 s43, ttmp8, 0x50019
	s_lshl_b32 s14, ttmp9, 9
	s_lshl_b32 s18, s43, 5
	v_and_b32_e32 v1, 1, v0
	v_and_or_b32 v6, v0, 31, s18
	v_and_b32_e32 v7, 4, v0
	v_bfe_u32 v8, v0, 2, 1
	v_and_b32_e32 v9, 8, v0
	v_bfe_u32 v10, v0, 3, 1
	v_lshlrev_b32_e32 v11, 4, v6
	v_bfe_u32 v12, v0, 4, 1
	v_and_b32_e32 v13, 2, v0
	v_bfe_u32 v14, v0, 1, 1
	v_and_b32_e32 v15, 16, v0
	v_and_b32_e32 v16, 0x7f0, v11
	v_cmp_eq_u32_e64 s31, 1, v1
	v_cmp_eq_u32_e32 vcc_lo, 0, v1
	v_cmp_ne_u32_e64 s17, v14, v1
	v_cmp_ne_u32_e64 s2, 0, v13
	v_cmp_eq_u32_e64 s19, 0, v13
	v_cmp_ne_u32_e64 s30, v8, v14
	v_cmp_ne_u32_e64 s12, v8, v1
	v_cmp_ne_u32_e64 s3, 0, v7
	v_cmp_eq_u32_e64 s11, 0, v7
	v_cmp_ne_u32_e64 s29, v10, v8
	v_cmp_ne_u32_e64 s28, v10, v14
	v_cmp_ne_u32_e64 s10, v10, v1
	v_cmp_ne_u32_e64 s4, 0, v9
	v_cmp_eq_u32_e64 s9, 0, v9
	v_cmp_ne_u32_e64 s27, v12, v10
	v_cmp_ne_u32_e64 s26, v12, v8
	v_cmp_ne_u32_e64 s25, v12, v14
	v_cmp_ne_u32_e64 s8, v12, v1
	v_cmp_ne_u32_e64 s5, 0, v15
	v_cmp_eq_u32_e64 s6, 0, v12
	v_dual_lshlrev_b32 v15, 5, v6 :: v_dual_lshlrev_b32 v17, 7, v1
	v_dual_lshlrev_b32 v7, 3, v7 :: v_dual_lshlrev_b32 v18, 1, v9
	v_bfe_i32 v9, v0, 0, 1
	v_dual_lshlrev_b32 v11, 5, v0 :: v_dual_bitop2_b32 v13, 3, v0 bitop3:0x40
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_dual_lshlrev_b32 v19, 2, v0 :: v_dual_add_nc_u32 v20, 0, v18
	v_and_b32_e32 v21, 0x480, v9
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_4)
	v_and_b32_e32 v22, 0x240, v11
	v_dual_lshlrev_b32 v9, 3, v6 :: v_dual_lshlrev_b32 v6, 1, v6
	v_dual_add_nc_u32 v23, v20, v7 :: v_dual_lshlrev_b32 v24, 6, v1
	v_bfrev_b32_e32 v11, v13
	v_lshl_add_u32 v25, v1, 4, 0
	v_dual_add_nc_u32 v13, 0, v22 :: v_dual_bitop2_b32 v19, 28, v19 bitop3:0x40
	v_or_b32_e32 v26, v22, v17
	v_and_b32_e32 v9, 0x120, v9
	v_and_b32_e32 v6, 0x90, v6
	v_lshrrev_b32_e32 v27, 25, v11
	v_add_nc_u32_e32 v28, v13, v7
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_dual_lshrrev_b32 v7, 26, v11 :: v_dual_bitop2_b32 v11, v9, v22 bitop3:0x54
	v_add_nc_u32_e32 v13, v13, v9
	v_add3_u32 v29, v20, v26, v9
	v_add_nc_u32_e32 v30, 0, v19
	v_add_nc_u32_e32 v31, 0, v7
	s_mov_b32 s39, 0
	v_xad_u32 v32, v6, v21, v13
	v_add_nc_u32_e32 v33, v13, v6
	s_mov_b32 s38, 0xffffff
	s_ashr_i32 s15, s14, 31
	s_and_b32 s46, s43, 1
	s_lshl_b64 s[34:35], s[14:15], 2
	v_cmp_ne_u32_e64 s24, s46, v12
	v_cmp_ne_u32_e64 s23, s46, v10
	v_cmp_ne_u32_e64 s22, s46, v8
	v_cmp_ne_u32_e64 s21, s46, v14
	v_cmp_ne_u32_e64 s7, s46, v1
	s_clause 0x1
	s_load_b128 s[48:51], s[0:1], 0x0 nv
	s_load_b64 s[40:41], s[0:1], 0x10 nv
	s_bfe_u32 s47, s43, 0x10001
	s_mov_b32 s42, 0x76543210
	v_cmp_ne_u32_e64 s16, s47, v12
	v_cmp_ne_u32_e64 s15, s47, v10
	v_cmp_ne_u32_e64 s14, s47, v8
	v_cmp_ne_u32_e64 s13, s47, v14
	s_wait_xcnt 0x0
	v_cmp_ne_u32_e64 s0, s47, v1
	s_wait_kmcnt 0x0
	s_add_nc_u64 s[36:37], s[48:49], s[34:35]
	s_bfe_i32 s1, s43, 0x10001
	s_or_b32 s37, s37, 0xfc000000
	v_bitop3_b32 v6, s1, v17, 0x480 bitop3:0x6c
	s_wait_alu depctr_va_vdst(14)
	buffer_load_b128 v[2:5], v16, s[36:39], null offen
	v_add3_u32 v14, v20, v11, v6
	s_and_b32 s44, s18, 32
	s_and_b32 s45, s18, 64
	s_wait_xcnt 0x0
	s_add_nc_u64 s[36:37], s[50:51], s[34:35]
	s_wait_loadcnt 0x0
	v_cmp_gt_f32_e64 s1, v2, v3
	v_cmp_gt_f32_e64 s18, v4, v5
	v_cmp_gt_f32_e64 s20, v5, v4
	v_cmp_gt_f32_e64 s33, v3, v2
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_cndmask_b32 v6, v2, v3, s1 :: v_dual_cndmask_b32 v7, v5, v4, s18
	v_dual_cndmask_b32 v4, v5, v4, s20 :: v_dual_cndmask_b32 v2, v2, v3, s33
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e64 s1, v6, v7
	v_cmp_gt_f32_e64 s18, v7, v6
	v_cmp_gt_f32_e64 s20, v2, v4
	v_cmp_gt_f32_e64 s33, v4, v2
	s_xor_b32 s1, s1, s31
	s_xor_b32 s20, s20, s31
	v_cndmask_b32_e64 v3, v6, v7, s1
	v_cndmask_b32_e64 v5, v2, v4, s20
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_f32_e64 s1, v3, v5
	v_cmp_gt_f32_e64 s20, v5, v3
	s_xor_b32 s18, vcc_lo, s18
	s_xor_b32 s33, vcc_lo, s33
	v_cndmask_b32_e64 v6, v7, v6, s18
	v_cndmask_b32_e64 v2, v4, v2, s33
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s18, v6, v2
	v_cmp_gt_f32_e64 s33, v2, v6
	s_xor_b32 s1, s1, s31
	s_xor_b32 s20, vcc_lo, s20
	v_dual_cndmask_b32 v4, v3, v5, s1 :: v_dual_cndmask_b32 v3, v5, v3, s20
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v5, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v5
	v_cmp_gt_f32_e64 s20, v3, v7
	s_xor_b32 s18, s18, s31
	s_xor_b32 s33, vcc_lo, s33
	v_cndmask_b32_e64 v8, v6, v2, s18
	v_cndmask_b32_e64 v2, v2, v6, s33
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v6, v8 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s18, v8, v6
	v_cmp_gt_f32_e64 s33, v2, v9
	s_xor_b32 s1, s17, s1
	s_xor_b32 s20, s17, s20
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v4, v4, v5, s1 :: v_dual_cndmask_b32 v3, v3, v7, s20
	s_xor_b32 s1, s17, s18
	s_xor_b32 s17, s17, s33
	v_dual_cndmask_b32 v5, v8, v6, s1 :: v_dual_cndmask_b32 v2, v2, v9, s17
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v5
	v_cmp_gt_f32_e64 s17, v3, v2
	v_cmp_gt_f32_e64 s18, v5, v4
	v_cmp_gt_f32_e64 s20, v2, v3
	s_xor_b32 s1, s2, s1
	s_xor_b32 s17, s2, s17
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v4, v5, s1 :: v_dual_cndmask_b32 v7, v3, v2, s17
	v_cmp_gt_f32_e64 s1, v6, v7
	v_cmp_gt_f32_e64 s17, v7, v6
	s_xor_b32 s18, s19, s18
	s_xor_b32 s20, s19, s20
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v5, v4, s18 :: v_dual_cndmask_b32 v2, v2, v3, s20
	v_cmp_gt_f32_e64 s20, v4, v2
	v_cmp_gt_f32_e64 s33, v2, v4
	s_xor_b32 s1, s2, s1
	s_xor_b32 s17, s19, s17
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v6, v7, s1 :: v_dual_cndmask_b32 v5, v7, v6, s17
	v_mov_b32_dpp v6, v3 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v7, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v8, v3, v3 :: v_dual_max_num_f32 v9, v5, v5
	v_cmp_gt_f32_e64 s1, v3, v6
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_cmp_gt_f32_e64 s34, v5, v7
	v_dual_max_num_f32 v10, v6, v6 :: v_dual_max_num_f32 v11, v7, v7
	v_dual_max_num_f32 v20, v8, v10 :: v_dual_max_num_f32 v34, v9, v11
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v35, v20 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v36, v34 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s17, v20, v35
	v_cmp_gt_f32_e64 s18, v34, v36
	s_xor_b32 s20, s2, s20
	s_xor_b32 s19, s19, s33
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v8, v4, v2, s20 :: v_dual_cndmask_b32 v2, v2, v4, s19
	v_mov_b32_dpp v4, v8 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v9, v2 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v10, v8, v8 :: v_dual_max_num_f32 v11, v2, v2
	v_cmp_gt_f32_e64 s33, v8, v4
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_cmp_gt_f32_e64 s35, v2, v9
	v_dual_max_num_f32 v12, v4, v4 :: v_dual_max_num_f32 v13, v9, v9
	v_dual_max_num_f32 v37, v10, v12 :: v_dual_max_num_f32 v38, v11, v13
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v39, v37 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v40, v38 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s19, v37, v39
	v_cmp_gt_f32_e64 s20, v38, v40
	s_xor_b32 s1, s30, s1
	s_xor_b32 s34, s30, s34
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v3, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s34
	v_mov_b32_dpp v6, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v3, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s34, v5, v7
	s_xor_b32 s33, s30, s33
	s_xor_b32 s30, s30, s35
	v_dual_cndmask_b32 v4, v8, v4, s33 :: v_dual_cndmask_b32 v2, v2, v9, s30
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s30, v4, v8
	v_cmp_gt_f32_e64 s33, v2, v9
	s_xor_b32 s1, s12, s1
	s_xor_b32 s34, s12, s34
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v3, v3, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s34
	s_xor_b32 s1, s12, s30
	s_xor_b32 s30, s12, s33
	v_dual_cndmask_b32 v4, v4, v8, s1 :: v_dual_cndmask_b32 v2, v2, v9, s30
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v3, v4
	v_cmp_gt_f32_e64 s30, v5, v2
	v_cmp_gt_f32_e64 s33, v4, v3
	v_cmp_gt_f32_e64 s34, v2, v5
	s_xor_b32 s1, s3, s1
	s_xor_b32 s30, s3, s30
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v3, v4, s1 :: v_dual_cndmask_b32 v7, v5, v2, s30
	v_cmp_gt_f32_e64 s1, v6, v7
	v_cmp_gt_f32_e64 s30, v7, v6
	s_xor_b32 s33, s11, s33
	s_xor_b32 s34, s11, s34
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v4, v3, s33 :: v_dual_cndmask_b32 v2, v2, v5, s34
	v_cmp_gt_f32_e64 s33, v3, v2
	v_cmp_gt_f32_e64 s34, v2, v3
	s_xor_b32 s1, s3, s1
	s_xor_b32 s30, s11, s30
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v6, v7, s1 :: v_dual_cndmask_b32 v5, v7, v6, s30
	v_mov_b32_dpp v6, v4 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s30, v5, v7
	s_xor_b32 s33, s3, s33
	s_xor_b32 s34, s11, s34
	v_dual_cndmask_b32 v8, v3, v2, s33 :: v_dual_cndmask_b32 v2, v2, v3, s34
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v3, v8 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s33, v8, v3
	v_cmp_gt_f32_e64 s34, v2, v9
	s_xor_b32 s1, s29, s1
	s_xor_b32 s30, s29, s30
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s30
	v_mov_b32_dpp v6, v4 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s30, v5, v7
	s_xor_b32 s33, s29, s33
	s_xor_b32 s29, s29, s34
	v_dual_cndmask_b32 v3, v8, v3, s33 :: v_dual_cndmask_b32 v2, v2, v9, s29
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s29, v3, v8
	v_cmp_gt_f32_e64 s33, v2, v9
	s_xor_b32 s1, s28, s1
	s_xor_b32 s30, s28, s30
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s30
	v_mov_b32_dpp v6, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s30, v5, v7
	s_xor_b32 s29, s28, s29
	s_xor_b32 s28, s28, s33
	v_dual_cndmask_b32 v3, v3, v8, s29 :: v_dual_cndmask_b32 v2, v2, v9, s28
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s28, v3, v8
	v_cmp_gt_f32_e64 s29, v2, v9
	s_xor_b32 s1, s10, s1
	s_xor_b32 s30, s10, s30
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s30
	s_xor_b32 s1, s10, s28
	s_xor_b32 s28, s10, s29
	v_dual_cndmask_b32 v3, v3, v8, s1 :: v_dual_cndmask_b32 v2, v2, v9, s28
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v3
	v_cmp_gt_f32_e64 s28, v5, v2
	v_cmp_gt_f32_e64 s29, v3, v4
	v_cmp_gt_f32_e64 s30, v2, v5
	s_xor_b32 s1, s4, s1
	s_xor_b32 s28, s4, s28
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v4, v3, s1 :: v_dual_cndmask_b32 v7, v5, v2, s28
	v_cmp_gt_f32_e64 s1, v6, v7
	v_cmp_gt_f32_e64 s28, v7, v6
	s_xor_b32 s29, s9, s29
	s_xor_b32 s30, s9, s30
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v3, v4, s29 :: v_dual_cndmask_b32 v2, v2, v5, s30
	v_cmp_gt_f32_e64 s29, v3, v2
	v_cmp_gt_f32_e64 s30, v2, v3
	s_xor_b32 s1, s4, s1
	s_xor_b32 s28, s9, s28
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v6, v7, s1 :: v_dual_cndmask_b32 v5, v7, v6, s28
	v_mov_b32_dpp v6, v4 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s28, v5, v7
	s_xor_b32 s29, s4, s29
	s_xor_b32 s30, s9, s30
	v_dual_cndmask_b32 v8, v3, v2, s29 :: v_dual_cndmask_b32 v2, v2, v3, s30
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v3, v8 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s29, v8, v3
	v_cmp_gt_f32_e64 s30, v2, v9
	s_xor_b32 s1, s27, s1
	s_xor_b32 s28, s27, s28
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s28
	v_mov_b32_dpp v6, v4 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s28, v5, v7
	s_xor_b32 s29, s27, s29
	s_xor_b32 s27, s27, s30
	v_dual_cndmask_b32 v3, v8, v3, s29 :: v_dual_cndmask_b32 v2, v2, v9, s27
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s27, v3, v8
	v_cmp_gt_f32_e64 s29, v2, v9
	s_xor_b32 s1, s26, s1
	s_xor_b32 s28, s26, s28
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s28
	v_mov_b32_dpp v6, v4 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s28, v5, v7
	s_xor_b32 s27, s26, s27
	s_xor_b32 s26, s26, s29
	v_dual_cndmask_b32 v3, v3, v8, s27 :: v_dual_cndmask_b32 v2, v2, v9, s26
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s26, v3, v8
	v_cmp_gt_f32_e64 s27, v2, v9
	s_xor_b32 s1, s25, s1
	s_xor_b32 s28, s25, s28
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s28
	v_mov_b32_dpp v6, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s28, v5, v7
	s_xor_b32 s26, s25, s26
	s_xor_b32 s25, s25, s27
	v_dual_cndmask_b32 v3, v3, v8, s26 :: v_dual_cndmask_b32 v2, v2, v9, s25
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s25, v3, v8
	v_cmp_gt_f32_e64 s26, v2, v9
	s_xor_b32 s1, s8, s1
	s_xor_b32 s27, s8, s28
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s27
	s_xor_b32 s1, s8, s25
	s_xor_b32 s25, s8, s26
	v_dual_cndmask_b32 v3, v3, v8, s1 :: v_dual_cndmask_b32 v2, v2, v9, s25
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v3
	v_cmp_gt_f32_e64 s25, v5, v2
	v_cmp_gt_f32_e64 s26, v3, v4
	v_cmp_gt_f32_e64 s27, v2, v5
	s_xor_b32 s1, s1, s5
	s_xor_b32 s25, s25, s5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v4, v3, s1 :: v_dual_cndmask_b32 v7, v5, v2, s25
	v_cmp_gt_f32_e64 s1, v6, v7
	v_cmp_gt_f32_e64 s25, v7, v6
	s_xor_b32 s26, s6, s26
	s_xor_b32 s27, s6, s27
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v3, v4, s26 :: v_dual_cndmask_b32 v2, v2, v5, s27
	v_cmp_gt_f32_e64 s26, v3, v2
	v_cmp_gt_f32_e64 s27, v2, v3
	s_xor_b32 s1, s1, s5
	s_xor_b32 s25, s6, s25
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v6, v7, s1 :: v_dual_cndmask_b32 v5, v7, v6, s25
	v_permlanex16_b32 v6, v4, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_permlanex16_b32 v7, v5, s42, 0xfedcba98 op_sel:[1,0]
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s25, v5, v7
	s_xor_b32 s26, s26, s5
	s_xor_b32 s27, s6, s27
	v_dual_cndmask_b32 v8, v3, v2, s26 :: v_dual_cndmask_b32 v2, v2, v3, s27
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_permlanex16_b32 v3, v8, s42, 0xfedcba98 op_sel:[1,0]
	v_permlanex16_b32 v9, v2, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s26, v8, v3
	v_cmp_gt_f32_e64 s27, v2, v9
	s_xor_b32 s1, s24, s1
	s_xor_b32 s25, s24, s25
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s25
	v_mov_b32_dpp v6, v4 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s25, v5, v7
	s_xor_b32 s26, s24, s26
	s_xor_b32 s24, s24, s27
	v_dual_cndmask_b32 v3, v8, v3, s26 :: v_dual_cndmask_b32 v2, v2, v9, s24
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s24, v3, v8
	v_cmp_gt_f32_e64 s26, v2, v9
	s_xor_b32 s1, s23, s1
	s_xor_b32 s25, s23, s25
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s25
	v_mov_b32_dpp v6, v4 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v5 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s25, v5, v7
	s_xor_b32 s24, s23, s24
	s_xor_b32 s23, s23, s26
	v_dual_cndmask_b32 v3, v3, v8, s24 :: v_dual_cndmask_b32 v2, v2, v9, s23
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v8, v3 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s23, v3, v8
	v_cmp_gt_f32_e64 s24, v2, v9
	s_xor_b32 s1, s22, s1
	s_xor_b32 s25, s22, s25
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v6, s1 :: v_dual_cndmask_b32 v5, v5, v7, s25
	v_mov_b32_dpp v6, v4 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v10, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s25, v5, v10
	s_xor_b32 s23, s22, s23
	s_xor_b32 s22, s22, s24
	v_dual_cndmask_b32 v3, v3, v8, s23 :: v_dual_cndmask_b32 v2, v2, v9, s22
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v41, v3 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v42, v2 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s22, v3, v41
	v_cmp_gt_f32_e64 s23, v2, v42
	s_xor_b32 s1, s21, s1
	s_xor_b32 s24, s21, s25
	v_cndmask_b32_e64 v4, v4, v6, s1
	v_cndmask_b32_e64 v5, v5, v10, s24
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v43, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v44, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v43
	v_cmp_gt_f32_e64 s24, v5, v44
	s_xor_b32 s22, s21, s22
	s_xor_b32 s21, s21, s23
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v3, v41, s22 :: v_dual_cndmask_b32 v2, v2, v42, s21
	v_mov_b32_dpp v41, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v42, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s21, v3, v41
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s22, v2, v42
	s_xor_b32 s1, s7, s1
	s_xor_b32 s23, s7, s24
	v_dual_cndmask_b32 v4, v4, v43, s1 :: v_dual_cndmask_b32 v5, v5, v44, s23
	s_xor_b32 s1, s7, s21
	s_xor_b32 s21, s7, s22
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v3, v3, v41, s1 :: v_dual_cndmask_b32 v2, v2, v42, s21
	v_cmp_gt_f32_e64 s1, v4, v3
	s_delay_alu instid0(VALU_DEP_2)
	v_cmp_gt_f32_e64 s21, v5, v2
	v_cmp_gt_f32_e64 s22, v3, v4
	v_cmp_gt_f32_e64 s23, v2, v5
	s_bitcmp1_b32 s43, 0
	s_cselect_b32 s24, -1, 0
	s_cmp_eq_u32 s44, 0
	s_cselect_b32 s25, -1, 0
	s_lshl_b32 s26, s43, 7
	s_xor_b32 s1, s24, s1
	s_xor_b32 s21, s24, s21
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v41, v4, v3, s1 :: v_dual_cndmask_b32 v42, v5, v2, s21
	v_cmp_gt_f32_e64 s1, v41, v42
	v_cmp_gt_f32_e64 s21, v42, v41
	s_xor_b32 s22, s25, s22
	s_xor_b32 s23, s25, s23
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v43, v3, v4, s22 :: v_dual_cndmask_b32 v5, v2, v5, s23
	v_cmp_gt_f32_e64 s22, v43, v5
	v_cmp_gt_f32_e64 s23, v5, v43
	s_xor_b32 s1, s24, s1
	s_xor_b32 s21, s25, s21
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v2, v41, v42, s1 :: v_dual_cndmask_b32 v3, v42, v41, s21
	s_xor_b32 s1, s24, s22
	s_xor_b32 s21, s25, s23
	v_dual_cndmask_b32 v4, v43, v5, s1 :: v_dual_cndmask_b32 v5, v5, v43, s21
	s_and_b32 s1, s26, 0x180
	s_lshl_b32 s21, s45, 2
	v_and_or_b32 v15, 0x640, v15, s1
	v_add3_u32 v26, v23, s21, v26
	v_or_b32_e32 v22, s1, v22
	v_add3_u32 v18, v28, v18, s1
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_xad_u32 v15, v15, v17, v23
	v_xad_u32 v17, v22, v21, v23
	s_cmp_lg_u32 s47, s46
	s_cselect_b32 s26, -1, 0
	s_wait_alu depctr_va_vdst(1)
	ds_store_b128 v15, v[2:5]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(0)
	ds_load_b128 v[6:9], v17
	s_wait_dscnt 0x0
	v_xor_b32_dpp v6, v6, v6 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_barrier_signal -1
	v_xor_b32_dpp v7, v7, v7 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v8, v8, v8 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v9, v9, v9 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v18, v[6:9]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b128 v[10:13], v26
	s_wait_dscnt 0x0
	v_xor_b32_e32 v6, v10, v2
	s_barrier_signal -1
	s_wait_alu depctr_vm_vsrc(0)
	v_xor_b32_e32 v7, v11, v3
	v_xor_b32_e32 v8, v12, v4
	v_cmp_gt_f32_e64 s1, v2, v6
	v_xor_b32_e32 v9, v13, v5
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_cmp_gt_f32_e64 s21, v3, v7
	v_cmp_gt_f32_e64 s22, v4, v8
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s23, v5, v9
	s_xor_b32 s1, s26, s1
	s_xor_b32 s21, s26, s21
	v_dual_cndmask_b32 v2, v2, v6, s1 :: v_dual_cndmask_b32 v3, v3, v7, s21
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_permlanex16_b32 v6, v2, s42, 0xfedcba98 op_sel:[1,0]
	v_permlanex16_b32 v7, v3, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v2, v6
	v_cmp_gt_f32_e64 s21, v3, v7
	s_barrier_wait -1
	s_xor_b32 s22, s26, s22
	s_xor_b32 s23, s26, s23
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v8, s22 :: v_dual_cndmask_b32 v5, v5, v9, s23
	v_permlanex16_b32 v8, v4, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_permlanex16_b32 v9, v5, s42, 0xfedcba98 op_sel:[1,0]
	v_cmp_gt_f32_e64 s22, v4, v8
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s23, v5, v9
	s_xor_b32 s1, s16, s1
	s_xor_b32 s21, s16, s21
	v_dual_cndmask_b32 v2, v2, v6, s1 :: v_dual_cndmask_b32 v3, v3, v7, s21
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v6, v2 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v3 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v2, v6
	v_cmp_gt_f32_e64 s21, v3, v7
	s_xor_b32 s22, s16, s22
	s_xor_b32 s16, s16, s23
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v8, s22 :: v_dual_cndmask_b32 v5, v5, v9, s16
	v_mov_b32_dpp v8, v4 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v9, v5 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s16, v4, v8
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s22, v5, v9
	s_xor_b32 s1, s15, s1
	s_xor_b32 s21, s15, s21
	v_dual_cndmask_b32 v2, v2, v6, s1 :: v_dual_cndmask_b32 v3, v3, v7, s21
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v6, v2 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v3 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v2, v6
	v_cmp_gt_f32_e64 s21, v3, v7
	s_xor_b32 s16, s15, s16
	s_xor_b32 s15, s15, s22
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v8, s16 :: v_dual_cndmask_b32 v5, v5, v9, s15
	v_mov_b32_dpp v8, v4 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v9, v5 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s15, v4, v8
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s16, v5, v9
	s_xor_b32 s1, s14, s1
	s_xor_b32 s21, s14, s21
	v_dual_cndmask_b32 v2, v2, v6, s1 :: v_dual_cndmask_b32 v3, v3, v7, s21
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v6, v2 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v3 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v2, v6
	v_cmp_gt_f32_e64 s21, v3, v7
	s_xor_b32 s15, s14, s15
	s_xor_b32 s14, s14, s16
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v8, s15 :: v_dual_cndmask_b32 v5, v5, v9, s14
	v_mov_b32_dpp v8, v4 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v9, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s14, v4, v8
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s15, v5, v9
	s_xor_b32 s1, s13, s1
	s_xor_b32 s16, s13, s21
	v_dual_cndmask_b32 v2, v2, v6, s1 :: v_dual_cndmask_b32 v3, v3, v7, s16
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v6, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v7, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v2, v6
	v_cmp_gt_f32_e64 s16, v3, v7
	s_xor_b32 s14, s13, s14
	s_xor_b32 s13, s13, s15
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v8, s14 :: v_dual_cndmask_b32 v5, v5, v9, s13
	v_mov_b32_dpp v10, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v11, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s13, v4, v10
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s14, v5, v11
	s_xor_b32 s1, s0, s1
	s_xor_b32 s15, s0, s16
	v_dual_cndmask_b32 v2, v2, v6, s1 :: v_dual_cndmask_b32 v3, v3, v7, s15
	s_xor_b32 s1, s0, s13
	s_xor_b32 s13, s0, s14
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v4, v4, v10, s1 :: v_dual_cndmask_b32 v5, v5, v11, s13
	v_cmp_gt_f32_e64 s1, v2, v4
	s_delay_alu instid0(VALU_DEP_2)
	v_cmp_gt_f32_e64 s13, v3, v5
	v_cmp_gt_f32_e64 s14, v4, v2
	v_cmp_gt_f32_e64 s15, v5, v3
	s_bitcmp1_b32 s43, 1
	s_cselect_b32 s16, -1, 0
	s_cmp_eq_u32 s45, 0
	s_cselect_b32 s21, -1, 0
	s_xor_b32 s1, s16, s1
	s_xor_b32 s13, s16, s13
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v10, v2, v4, s1 :: v_dual_cndmask_b32 v11, v3, v5, s13
	v_cmp_gt_f32_e64 s1, v10, v11
	v_cmp_gt_f32_e64 s13, v11, v10
	s_xor_b32 s14, s21, s14
	s_xor_b32 s15, s21, s15
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v12, v4, v2, s14 :: v_dual_cndmask_b32 v5, v5, v3, s15
	v_cmp_gt_f32_e64 s14, v12, v5
	v_cmp_gt_f32_e64 s15, v5, v12
	s_xor_b32 s1, s16, s1
	s_xor_b32 s13, s21, s13
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v2, v10, v11, s1 :: v_dual_cndmask_b32 v3, v11, v10, s13
	s_xor_b32 s1, s16, s14
	s_xor_b32 s13, s21, s15
	v_dual_cndmask_b32 v4, v12, v5, s1 :: v_dual_cndmask_b32 v5, v5, v12, s13
	s_or_b32 s37, s37, 0xfc000000
	s_xor_b32 s1, s12, s17
	s_xor_b32 s13, s12, s18
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_4) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v10, v20, v35, s1 :: v_dual_cndmask_b32 v11, v34, v36, s13
	s_wait_alu depctr_va_vdst(1)
	ds_store_b128 v14, v[2:5]
	s_xor_b32 s1, s12, s19
	s_xor_b32 s12, s12, s20
	v_dual_cndmask_b32 v12, v37, v39, s1 :: v_dual_cndmask_b32 v13, v38, v40, s12
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v10, v12
	v_cmp_gt_f32_e64 s12, v11, v13
	v_cmp_gt_f32_e64 s13, v12, v10
	v_cmp_gt_f32_e64 s14, v13, v11
	s_lshr_b32 s17, s45, 2
	s_and_b32 s15, s43, 3
	v_add_nc_u32_e32 v20, s17, v27
	v_lshl_add_u32 v21, v1, 5, s17
	v_and_or_b32 v0, v0, 24, s15
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_cmp_eq_u32_e64 s15, 0, v0
	v_cndmask_b32_e64 v19, 0x80000000, v19, s15
	s_or_b32 s17, s17, s44
	s_wait_dscnt 0x0
	s_barrier_signal -1
	v_add3_u32 v22, s17, 0, v24
	s_xor_b32 s1, s3, s1
	s_xor_b32 s12, s3, s12
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v0, v10, v12, s1 :: v_dual_cndmask_b32 v1, v11, v13, s12
	v_cmp_gt_f32_e64 s1, v0, v1
	v_cmp_gt_f32_e64 s12, v1, v0
	s_barrier_wait -1
	ds_load_b128 v[6:9], v32
	s_xor_b32 s13, s11, s13
	s_xor_b32 s14, s11, s14
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v10, v12, v10, s13 :: v_dual_cndmask_b32 v11, v13, v11, s14
	v_cmp_gt_f32_e64 s13, v10, v11
	v_cmp_gt_f32_e64 s14, v11, v10
	s_xor_b32 s1, s3, s1
	s_xor_b32 s12, s11, s12
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v12, v0, v1, s1 :: v_dual_cndmask_b32 v0, v1, v0, s12
	v_mov_b32_dpp v1, v12 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v12, v12, v12
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v13, v0 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v0, v0, v0 :: v_dual_max_num_f32 v1, v1, v1
	s_xor_b32 s1, s3, s13
	s_wait_alu depctr_vm_vsrc(1)
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_max_num_f32 v13, v13, v13 :: v_dual_cndmask_b32 v14, v10, v11, s1
	v_max_num_f32_e32 v1, v12, v1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_max_num_f32_e32 v0, v0, v13
	v_mov_b32_dpp v12, v14 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v13, v14, v14
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_mov_b32_dpp v14, v1 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v23, v0 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_max_num_f32_e32 v12, v12, v12
	s_xor_b32 s1, s11, s14
	v_cmp_gt_f32_e64 s11, v1, v14
	v_cndmask_b32_e64 v10, v11, v10, s1
	v_cmp_gt_f32_e64 s1, v0, v23
	v_max_num_f32_e32 v11, v13, v12
	s_wait_dscnt 0x0
	v_xor_b32_dpp v6, v6, v6 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v7, v7, v7 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v8, v8, v8 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v9, v9, v9 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v12, v10 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v10, v10, v10
	v_mov_b32_dpp v13, v11 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_max_num_f32_e32 v12, v12, v12
	v_cmp_gt_f32_e64 s12, v11, v13
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_max_num_f32_e32 v10, v10, v12
	v_mov_b32_dpp v12, v10 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s13, v10, v12
	s_barrier_signal -1
	s_xor_b32 s11, s10, s11
	s_xor_b32 s1, s10, s1
	v_dual_cndmask_b32 v1, v1, v14, s11 :: v_dual_cndmask_b32 v0, v0, v23, s1
	s_xor_b32 s1, s10, s12
	s_xor_b32 s10, s10, s13
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v11, v11, v13, s1 :: v_dual_cndmask_b32 v10, v10, v12, s10
	v_cmp_gt_f32_e64 s1, v1, v11
	s_delay_alu instid0(VALU_DEP_2)
	v_cmp_gt_f32_e64 s10, v0, v10
	v_cmp_gt_f32_e64 s11, v11, v1
	v_cmp_gt_f32_e64 s12, v10, v0
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(14)
	ds_store_b128 v33, v[6:9]
	s_xor_b32 s1, s4, s1
	s_xor_b32 s10, s4, s10
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v12, v1, v11, s1 :: v_dual_cndmask_b32 v13, v0, v10, s10
	v_cmp_gt_f32_e64 s1, v12, v13
	v_cmp_gt_f32_e64 s10, v13, v12
	s_xor_b32 s11, s9, s11
	s_xor_b32 s12, s9, s12
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v1, v11, v1, s11 :: v_dual_cndmask_b32 v0, v10, v0, s12
	v_cmp_gt_f32_e64 s11, v1, v0
	v_cmp_gt_f32_e64 s12, v0, v1
	s_xor_b32 s1, s4, s1
	s_xor_b32 s10, s9, s10
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v10, v12, v13, s1 :: v_dual_cndmask_b32 v11, v13, v12, s10
	v_mov_b32_dpp v12, v10 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v10, v10, v10
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v13, v11 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v11, v11, v11 :: v_dual_max_num_f32 v12, v12, v12
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_2)
	v_max_num_f32_e32 v13, v13, v13
	s_xor_b32 s1, s4, s11
	v_max_num_f32_e32 v10, v10, v12
	v_dual_cndmask_b32 v12, v1, v0, s1 :: v_dual_max_num_f32 v11, v11, v13
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v13, v10 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v14, v12 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v12, v12, v12
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_mov_b32_dpp v23, v11 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v10, v13
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_max_num_f32_e32 v14, v14, v14
	v_cmp_gt_f32_e64 s10, v11, v23
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_max_num_f32_e32 v12, v12, v14
	v_mov_b32_dpp v14, v12 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_f32_e64 s11, v12, v14
	s_barrier_wait -1
	ds_load_b128 v[6:9], v29
	s_xor_b32 s9, s9, s12
	s_lshl_b32 s12, ttmp9, 3
	v_cndmask_b32_e64 v0, v0, v1, s9
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v1, v0 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v0, v0, v0
	s_ashr_i32 s13, s12, 31
	v_max_num_f32_e32 v1, v1, v1
	s_lshl_b64 s[12:13], s[12:13], 2
	s_xor_b32 s1, s8, s1
	s_add_nc_u64 s[14:15], s[40:41], s[12:13]
	v_cndmask_b32_e64 v10, v10, v13, s1
	v_max_num_f32_e32 v0, v0, v1
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_mov_b32_dpp v1, v0 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_xor_b32 s1, s8, s10
	s_xor_b32 s9, s8, s11
	v_cmp_gt_f32_e64 s10, v0, v1
	v_dual_cndmask_b32 v11, v11, v23, s1 :: v_dual_cndmask_b32 v12, v12, v14, s9
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s1, v10, v12
	v_cmp_gt_f32_e64 s9, v12, v10
	s_xor_b32 s8, s8, s10
	s_xor_b32 s1, s1, s5
	v_dual_cndmask_b32 v13, v0, v1, s8 :: v_dual_cndmask_b32 v14, v10, v12, s1
	s_wait_dscnt 0x0
	v_xor_b32_e32 v0, v6, v2
	v_xor_b32_e32 v1, v7, v3
	s_wait_alu depctr_vm_vsrc(1)
	v_xor_b32_e32 v8, v8, v4
	v_xor_b32_e32 v9, v9, v5
	v_cmp_gt_f32_e64 s1, v11, v13
	v_cmp_gt_f32_e64 s8, v2, v0
	v_cmp_gt_f32_e64 s10, v3, v1
	v_cmp_gt_f32_e64 s11, v4, v8
	v_cmp_gt_f32_e64 s12, v5, v9
	v_cmp_gt_f32_e64 s13, v13, v11
	s_barrier_signal -1
	s_xor_b32 s8, s16, s8
	s_xor_b32 s10, s16, s10
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v0, v2, v0, s8 :: v_dual_cndmask_b32 v1, v3, v1, s10
	s_xor_b32 s8, s16, s11
	s_xor_b32 s10, s16, s12
	v_dual_cndmask_b32 v2, v4, v8, s8 :: v_dual_cndmask_b32 v3, v5, v9, s10
	s_xor_b32 s1, s1, s5
	s_xor_b32 s8, s6, s9
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v8, v11, v13, s1 :: v_dual_cndmask_b32 v9, v12, v10, s8
	v_cmp_gt_f32_e64 s1, v14, v8
	v_cmp_gt_f32_e64 s8, v8, v14
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(3)
	ds_store_b128 v15, v[0:3]
	s_xor_b32 s9, s6, s13
	s_xor_b32 s1, s1, s5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v10, v13, v11, s9 :: v_dual_cndmask_b32 v11, v14, v8, s1
	v_cmp_gt_f32_e64 s1, v9, v10
	v_cmp_gt_f32_e64 s9, v10, v9
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_permlanex16_b32 v12, v11, s42, 0xfedcba98 op_sel:[1,0]
	v_dual_max_num_f32 v11, v11, v11 :: v_dual_max_num_f32 v23, v12, v12
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_max_num_f32_e32 v11, v11, v23
	v_mov_b32_dpp v23, v11 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_xor_b32 s8, s6, s8
	s_xor_b32 s1, s1, s5
	v_cndmask_b32_e64 v8, v8, v14, s8
	v_cndmask_b32_e64 v24, v9, v10, s1
	v_cmp_gt_f32_e64 s1, v11, v23
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_4)
	v_permlanex16_b32 v27, v8, s42, 0xfedcba98 op_sel:[1,0]
	v_max_num_f32_e32 v8, v8, v8
	v_permlanex16_b32 v28, v24, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_max_num_f32 v24, v24, v24 :: v_dual_max_num_f32 v27, v27, v27
	v_max_num_f32_e32 v28, v28, v28
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_max_num_f32_e32 v8, v8, v27
	v_max_num_f32_e32 v24, v24, v28
	s_xor_b32 s6, s6, s9
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v27, v8 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cndmask_b32_e64 v9, v10, v9, s6
	v_mov_b32_dpp v10, v24 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e64 s6, v8, v27
	v_permlanex16_b32 v28, v9, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s8, v24, v10
	v_dual_max_num_f32 v9, v9, v9 :: v_dual_max_num_f32 v28, v28, v28
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_max_num_f32_e32 v9, v9, v28
	v_mov_b32_dpp v28, v9 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_xor_b32 s1, s7, s1
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_f32_e64 s9, v9, v28
	v_cndmask_b32_e64 v11, v11, v23, s1
	s_xor_b32 s1, s7, s6
	s_xor_b32 s6, s7, s8
	v_cndmask_b32_e64 v8, v8, v27, s1
	v_cndmask_b32_e64 v10, v24, v10, s6
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_f32_e64 s1, v11, v10
	v_cmp_gt_f32_e64 s6, v10, v11
	s_barrier_wait -1
	ds_load_b128 v[4:7], v17
	s_xor_b32 s7, s7, s9
	s_xor_b32 s1, s24, s1
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_cndmask_b32 v9, v9, v28, s7 :: v_dual_cndmask_b32 v17, v11, v10, s1
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s1, v8, v9
	v_cmp_gt_f32_e64 s7, v9, v8
	s_xor_b32 s1, s24, s1
	s_xor_b32 s6, s25, s6
	v_dual_cndmask_b32 v23, v8, v9, s1 :: v_dual_cndmask_b32 v11, v10, v11, s6
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_gt_f32_e64 s1, v17, v23
	v_cmp_gt_f32_e64 s6, v23, v17
	s_xor_b32 s7, s25, s7
	s_xor_b32 s1, s24, s1
	v_cndmask_b32_e64 v24, v9, v8, s7
	v_cndmask_b32_e64 v8, v17, v23, s1
	s_delay_alu instid0(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v11, v24
	v_cmp_gt_f32_e64 s7, v24, v11
	s_wait_dscnt 0x0
	v_xor_b32_dpp v4, v4, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v5, v5, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v6, v6, v6 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_xor_b32_dpp v7, v7, v7 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_barrier_signal -1
	s_xor_b32 s6, s25, s6
	s_xor_b32 s1, s24, s1
	v_cndmask_b32_e64 v9, v23, v17, s6
	v_cndmask_b32_e64 v10, v11, v24, s1
	s_xor_b32 s1, s25, s7
	s_delay_alu instid0(SALU_CYCLE_1)
	v_cndmask_b32_e64 v11, v24, v11, s1
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(3)
	ds_store_b128 v18, v[4:7]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b128 v[12:15], v26
	s_wait_dscnt 0x0
	v_xor_b32_e32 v4, v12, v0
	s_wait_alu depctr_vm_vsrc(1)
	v_xor_b32_e32 v5, v13, v1
	v_xor_b32_e32 v6, v14, v2
	v_xor_b32_e32 v7, v15, v3
	v_cmp_gt_f32_e64 s1, v0, v4
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_cmp_gt_f32_e64 s6, v1, v5
	v_cmp_gt_f32_e64 s7, v2, v6
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s8, v3, v7
	s_xor_b32 s1, s24, s1
	s_xor_b32 s6, s24, s6
	v_dual_cndmask_b32 v0, v0, v4, s1 :: v_dual_cndmask_b32 v1, v1, v5, s6
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_permlanex16_b32 v4, v0, s42, 0xfedcba98 op_sel:[1,0]
	v_permlanex16_b32 v5, v1, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v0, v4
	v_cmp_gt_f32_e64 s6, v1, v5
	s_xor_b32 s7, s24, s7
	s_xor_b32 s8, s24, s8
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v2, v2, v6, s7 :: v_dual_cndmask_b32 v3, v3, v7, s8
	v_permlanex16_b32 v6, v2, s42, 0xfedcba98 op_sel:[1,0]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_permlanex16_b32 v7, v3, s42, 0xfedcba98 op_sel:[1,0]
	v_cmp_gt_f32_e64 s7, v2, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s8, v3, v7
	s_xor_b32 s1, s1, s5
	s_xor_b32 s6, s6, s5
	v_dual_cndmask_b32 v0, v0, v4, s1 :: v_dual_cndmask_b32 v1, v1, v5, s6
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v4, v0 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v5, v1 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v0, v4
	v_cmp_gt_f32_e64 s6, v1, v5
	s_xor_b32 s7, s7, s5
	s_xor_b32 s5, s8, s5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v2, v2, v6, s7 :: v_dual_cndmask_b32 v3, v3, v7, s5
	v_mov_b32_dpp v6, v2 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v7, v3 row_xmask:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s5, v2, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s7, v3, v7
	s_xor_b32 s1, s4, s1
	s_xor_b32 s6, s4, s6
	v_dual_cndmask_b32 v4, v0, v4, s1 :: v_dual_cndmask_b32 v5, v1, v5, s6
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v12, v4 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v13, v5 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v12
	v_cmp_gt_f32_e64 s6, v5, v13
	s_xor_b32 s5, s4, s5
	s_xor_b32 s4, s4, s7
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v2, v6, s5 :: v_dual_cndmask_b32 v7, v3, v7, s4
	v_mov_b32_dpp v14, v6 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v15, v7 row_xmask:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s4, v6, v14
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s5, v7, v15
	s_xor_b32 s1, s3, s1
	s_xor_b32 s6, s3, s6
	v_dual_cndmask_b32 v4, v4, v12, s1 :: v_dual_cndmask_b32 v5, v5, v13, s6
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v12, v4 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v13, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v12
	v_cmp_gt_f32_e64 s6, v5, v13
	s_xor_b32 s4, s3, s4
	s_xor_b32 s3, s3, s5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v6, v14, s4 :: v_dual_cndmask_b32 v7, v7, v15, s3
	v_mov_b32_dpp v14, v6 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v15, v7 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s3, v6, v14
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s4, v7, v15
	s_xor_b32 s1, s2, s1
	s_xor_b32 s5, s2, s6
	v_dual_cndmask_b32 v4, v4, v12, s1 :: v_dual_cndmask_b32 v5, v5, v13, s5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v12, v4 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v13, v5 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s1, v4, v12
	v_cmp_gt_f32_e64 s5, v5, v13
	s_xor_b32 s3, s2, s3
	s_xor_b32 s2, s2, s4
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v6, v14, s3 :: v_dual_cndmask_b32 v7, v7, v15, s2
	v_mov_b32_dpp v14, v6 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_mov_b32_dpp v15, v7 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s2, v6, v14
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_cmp_gt_f32_e64 s3, v7, v15
	s_xor_b32 s1, s1, s31
	s_xor_b32 s4, s5, s31
	v_dual_cndmask_b32 v4, v4, v12, s1 :: v_dual_cndmask_b32 v5, v5, v13, s4
	s_xor_b32 s1, s2, s31
	s_xor_b32 s2, s3, s31
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v6, v6, v14, s1 :: v_dual_cndmask_b32 v7, v7, v15, s2
	v_cmp_gt_f32_e64 s1, v4, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e64 s2, v5, v7
	v_cmp_gt_f32_e64 s3, v6, v4
	v_cmp_gt_f32_e64 s4, v7, v5
	v_dual_cndmask_b32 v12, v4, v6, s1 :: v_dual_cndmask_b32 v13, v5, v7, s2
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_cndmask_b32 v14, v4, v6, s3 :: v_dual_cndmask_b32 v15, v5, v7, s4
	v_cmp_gt_f32_e64 s1, v12, v13
	v_cmp_gt_f32_e64 s2, v13, v12
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e64 s3, v14, v15
	v_cmp_gt_f32_e64 s4, v15, v14
	v_dual_cndmask_b32 v0, v12, v13, s1 :: v_dual_cndmask_b32 v1, v12, v13, s2
	s_delay_alu instid0(VALU_DEP_2)
	v_dual_cndmask_b32 v2, v14, v15, s3 :: v_dual_cndmask_b32 v3, v14, v15, s4
	s_wait_alu depctr_va_vdst(0)
	buffer_store_b128 v[0:3], v16, s[36:39], null offen
	s_barrier_signal -1
	s_or_b64 s[36:37], s[14:15], 0xfc00000000000000
	s_barrier_wait -1
	ds_store_b128 v22, v[8:11]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[0:3], v20
	s_wait_dscnt 0x0
	v_mov_b32_dpp v8, v0 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_barrier_signal -1
	v_max_num_f32_e32 v0, v0, v0
	v_mov_b32_dpp v9, v1 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_dual_max_num_f32 v8, v8, v8 :: v_dual_max_num_f32 v1, v1, v1
	v_mov_b32_dpp v10, v2 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v2, v2, v2
	v_mov_b32_dpp v11, v3 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v0, v0, v8 :: v_dual_max_num_f32 v3, v3, v3
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_dual_max_num_f32 v8, v9, v9 :: v_dual_max_num_f32 v9, v10, v10
	v_max_num_f32_e32 v10, v11, v11
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v11, v0 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v1, v1, v8 :: v_dual_max_num_f32 v2, v2, v9
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_max_num_f32_e32 v3, v3, v10
	v_cmp_gt_f32_e64 s1, v0, v11
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_mov_b32_dpp v8, v1 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v9, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v10, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s2, v1, v8
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e64 s3, v2, v9
	v_cmp_gt_f32_e64 s4, v3, v10
	s_barrier_wait -1
	s_xor_b32 s1, s0, s1
	s_xor_b32 s2, s0, s2
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v0, v0, v11, s1 :: v_dual_cndmask_b32 v1, v1, v8, s2
	s_xor_b32 s1, s0, s3
	s_xor_b32 s0, s0, s4
	v_dual_cndmask_b32 v2, v2, v9, s1 :: v_dual_cndmask_b32 v3, v3, v10, s0
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e64 s0, v0, v2
	v_cmp_gt_f32_e64 s1, v1, v3
	v_cmp_gt_f32_e64 s2, v2, v0
	v_cmp_gt_f32_e64 s3, v3, v1
	s_xor_b32 s0, s16, s0
	s_xor_b32 s1, s16, s1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v8, v0, v2, s0 :: v_dual_cndmask_b32 v9, v1, v3, s1
	v_cmp_gt_f32_e64 s0, v8, v9
	v_cmp_gt_f32_e64 s1, v9, v8
	s_xor_b32 s2, s21, s2
	s_xor_b32 s3, s21, s3
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_cndmask_b32 v10, v2, v0, s2 :: v_dual_cndmask_b32 v3, v3, v1, s3
	v_cmp_gt_f32_e64 s2, v10, v3
	v_cmp_gt_f32_e64 s3, v3, v10
	s_xor_b32 s0, s16, s0
	s_xor_b32 s1, s21, s1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v0, v8, v9, s0 :: v_dual_cndmask_b32 v1, v9, v8, s1
	s_xor_b32 s0, s16, s2
	s_xor_b32 s1, s21, s3
	v_dual_cndmask_b32 v2, v10, v3, s0 :: v_dual_cndmask_b32 v3, v3, v10, s1
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v21, v[0:3]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b128 v[4:7], v31
	s_wait_dscnt 0x0
	s_wait_alu depctr_vm_vsrc(1)
	v_mov_b32_dpp v0, v4 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_barrier_signal -1
	v_max_num_f32_e32 v1, v4, v4
	v_mov_b32_dpp v2, v5 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_3) | instid1(VALU_DEP_4)
	v_dual_max_num_f32 v0, v0, v0 :: v_dual_max_num_f32 v3, v5, v5
	v_mov_b32_dpp v4, v6 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_max_num_f32_e32 v5, v6, v6
	v_mov_b32_dpp v6, v7 row_xmask:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v0, v1, v0 :: v_dual_max_num_f32 v1, v7, v7
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_dual_max_num_f32 v2, v2, v2 :: v_dual_max_num_f32 v4, v4, v4
	v_max_num_f32_e32 v6, v6, v6
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v7, v0 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_dual_max_num_f32 v2, v3, v2 :: v_dual_max_num_f32 v3, v5, v4
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_max_num_f32_e32 v1, v1, v6
	v_cmp_gt_f32_e64 s0, v0, v7
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_mov_b32_dpp v4, v2 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_dpp v5, v3 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_mov_b32_dpp v6, v1 row_xmask:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_cmp_gt_f32_e64 s1, v2, v4
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e64 s2, v3, v5
	v_cmp_gt_f32_e64 s3, v1, v6
	s_barrier_wait -1
	s_xor_b32 s0, vcc_lo, s0
	s_xor_b32 s1, vcc_lo, s1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_dual_cndmask_b32 v0, v0, v7, s0 :: v_dual_cndmask_b32 v2, v2, v4, s1
	s_xor_b32 s0, vcc_lo, s2
	s_xor_b32 vcc_lo, vcc_lo, s3
	v_dual_cndmask_b32 v3, v3, v5, s0 :: v_dual_cndmask_b32 v1, v1, v6, vcc_lo
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_gt_f32_e32 vcc_lo, v3, v0
	v_cmp_gt_f32_e64 s0, v1, v2
	v_cmp_gt_f32_e64 s1, v0, v3
	v_cmp_gt_f32_e64 s2, v2, v1
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_cndmask_b32 v4, v3, v0, vcc_lo :: v_dual_cndmask_b32 v5, v1, v2, s0
	v_dual_cndmask_b32 v0, v3, v0, s1 :: v_dual_cndmask_b32 v6, v1, v2, s2
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_cmp_gt_f32_e32 vcc_lo, v5, v4
	v_cmp_gt_f32_e64 s0, v4, v5
	v_cmp_gt_f32_e64 s1, v6, v0
	v_cmp_gt_f32_e64 s2, v0, v6
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_cndmask_b32 v3, v5, v4, vcc_lo :: v_dual_cndmask_b32 v2, v5, v4, s0
	v_dual_cndmask_b32 v1, v6, v0, s1 :: v_dual_cndmask_b32 v0, v6, v0, s2
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v25, v[0:3]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b32 v8, v30
	s_wait_dscnt 0x0
	buffer_store_b32 v8, v19, s[36:39], null offen
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 40
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 45
		.amdhsa_next_free_sgpr 66
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_round_robin_scheduling 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
                                        ; -- End function
	.set .Lk.num_vgpr, 45
	.set .Lk.num_agpr, 0
	.set .Lk.numbered_sgpr, 66
	.set .Lk.num_named_barrier, 0
	.set .Lk.private_seg_size, 0
	.set .Lk.uses_vcc, 1
	.set .Lk.uses_flat_scratch, 0
	.set .Lk.has_dyn_sized_stack, 0
	.set .Lk.has_recursion, 0
	.set .Lk.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 8472
; TotalNumSgprs: 68
; NumVgprs: 45
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 68
; NumVGPRsForWavesPerEU: 45
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 40
    .max_flat_workgroup_size: 128
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     68
    .sgpr_spill_count: 0
    .symbol:         k.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     45
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
