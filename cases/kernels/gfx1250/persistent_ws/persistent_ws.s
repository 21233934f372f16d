	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 5
	.text
	.globl	persistent                      ; -- Begin function persistent
	.p2align	8
	.type	persistent,@function
persistent:                             ; @persistent
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1 ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_mov_b64 s[64:65], 0
	v_nop
	global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	s_bfe_u32 s33, ttmp8, 0x50019
	s_mov_b32 s51, 0
	s_clause 0x4
	s_load_b128 s[28:31], s[0:1], 0x98 nv
	s_load_b96 s[48:50], s[0:1], 0xb4 nv
	s_load_b96 s[8:10], s[0:1], 0xd8 nv
	s_load_b32 s36, s[0:1], 0x90 nv
	s_load_b64 s[34:35], s[0:1], 0xa8 nv
	s_wait_kmcnt 0x0
	s_mov_b32 s4, s30
	s_mov_b32 s11, s50
	s_add_co_i32 s2, s9, 0x7f
	s_add_co_i32 s3, s8, 0x7f
	s_ashr_i32 s5, s2, 31
	s_ashr_i32 s6, s3, 31
	s_lshr_b32 s5, s5, 25
	s_lshr_b32 s6, s6, 25
	s_add_co_i32 s2, s2, s5
	s_add_co_i32 s3, s3, s6
	s_ashr_i32 s72, s2, 7
	s_ashr_i32 s2, s3, 7
	s_cmp_gt_i32 s10, 0
	s_mul_i32 s30, s72, s2
	s_cbranch_scc0 .LBB0_3
; %bb.1:
	s_sub_co_i32 s2, s30, ttmp9
	s_mov_b32 s16, 32
	s_lshr_b32 s3, s2, 31
	s_mov_b32 s24, s16
	s_add_co_i32 s3, s2, s3
	v_mov_b32_e32 v9, 0
	s_ashr_i32 s5, s3, 1
	s_and_b32 s3, s3, -2
	s_load_b96 s[52:54], s[0:1], 0x8 nv
	s_cmp_lg_u32 s2, s3
	s_load_b96 s[56:58], s[0:1], 0x24 nv
	s_cselect_b32 s3, -1, 0
	s_cmp_gt_i32 s2, -1
	s_load_b96 s[60:62], s[0:1], 0x50 nv
	s_cselect_b32 s2, -1, 0
	s_load_b96 s[64:66], s[0:1], 0x6c nv
	s_and_b32 s2, s2, s3
	s_add_co_ci_u32 s6, s5, 0
	s_add_co_i32 s2, s10, 63
	s_delay_alu instid0(SALU_CYCLE_1)
	s_lshr_b32 s3, s2, 6
	s_wait_alu depctr_va_vdst(0)
	global_load_b32 v1, v9, s[0:1] offset:26 nv
	s_mul_i32 s6, s6, s3
	s_add_co_i32 s3, s3, -1
	s_cmp_gt_i32 s6, 0
	global_load_b32 v2, v9, s[0:1] offset:22 nv
	s_cselect_b32 s2, -1, 0
	s_abs_i32 s80, s72
	s_wait_kmcnt 0x0
	s_mov_b32 s12, s54
	s_cvt_f32_u32 s5, s80
	s_mov_b32 s19, s58
	s_mov_b32 s18, s57
	s_mov_b32 s17, s56
	v_s_rcp_f32 s5, s5
	s_clause 0x1
	global_load_b32 v3, v9, s[0:1] offset:98 nv
	global_load_b32 v4, v9, s[0:1] offset:94 nv
	s_wait_xcnt 0x0
	s_ashr_i32 s0, ttmp9, 31
	s_ashr_i32 s81, s72, 31
	s_abs_i32 s1, ttmp9
	s_xor_b32 s0, s0, s81
	s_mul_f32 s5, s5, 0x4f7ffffe
	s_sub_co_i32 s7, 0, s80
	s_mov_b32 s20, s62
	s_mov_b32 s27, s66
	s_cvt_u32_f32 s82, s5
	s_mov_b32 s26, s65
	s_mov_b32 s25, s64
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_mul_i32 s7, s7, s82
	s_mul_hi_u32 s5, s82, s7
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_add_co_i32 s82, s82, s5
	s_mul_hi_u32 s5, s1, s82
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	s_mul_i32 s7, s5, s80
	s_add_co_i32 s8, s5, 1
	s_sub_co_i32 s1, s1, s7
	s_sub_co_i32 s7, s1, s80
	s_cmp_ge_u32 s1, s80
	s_cselect_b32 s5, s8, s5
	s_cselect_b32 s1, s7, s1
	s_add_co_i32 s7, s5, 1
	s_cmp_ge_u32 s1, s80
	s_cselect_b32 s1, s7, s5
	s_and_b32 s57, s57, 0xffff
	s_xor_b32 s1, s1, s0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_sub_co_i32 s38, s1, s0
	s_mul_i32 s1, s38, s72
	s_lshl_b32 s0, s38, 7
	s_sub_co_i32 s5, ttmp9, s1
	s_ashr_i32 s1, s0, 31
	s_lshl_b32 s58, s5, 7
	s_mul_u64 s[8:9], s[0:1], s[56:57]
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_lshl_b64 s[8:9], s[8:9], 1
	s_add_nc_u64 s[22:23], s[8:9], s[52:53]
	s_wait_loadcnt 0x3
	v_readfirstlane_b32 s83, v1
	s_wait_loadcnt 0x2
	v_readfirstlane_b32 s84, v2
	s_wait_loadcnt 0x1
	v_readfirstlane_b32 s85, v3
	s_wait_loadcnt 0x0
	v_readfirstlane_b32 s86, v4
	s_sub_co_i32 s7, s83, s0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	s_max_i32 s8, s7, 0
	s_cmp_gt_i32 s0, -1
	s_cselect_b32 s15, s8, 0
	s_max_i32 s14, s84, 0
	s_lshr_b64 s[42:43], s[14:15], 16
	s_and_b32 s7, s2, exec_lo
	s_cselect_b32 s40, 1, 0
	s_and_b32 s9, s42, 0x7fff
	s_lshr_b32 s7, s42, 16
	s_and_b32 s10, s15, 0x7fff0000
	s_and_b32 s75, s33, 3
	s_lshl_b32 s13, s14, 16
	s_or_b32 s7, s7, s10
	s_lshl_b32 s73, s75, 5
	s_mul_i32 s87, s75, 0x880
	s_sub_co_i32 s10, s7, s73
	s_lshl1_add_u32 s7, s87, 0
	s_max_i32 s10, s10, 0
	s_add_co_i32 s41, s7, 0x8fe0
	s_lshl_b32 s50, s75, 6
	s_lshl_b32 s14, s10, 16
	s_mul_u64 s[54:55], s[56:57], s[50:51]
	s_or_b32 s14, s14, s9
	s_add_nc_u64 s[42:43], s[22:23], s[54:55]
	s_lshr_b32 s9, s10, 16
	s_and_b32 s65, s65, 0xffff
	s_or_b32 s15, s9, 0x400000
	s_ashr_i32 s59, s58, 31
	tensor_load_to_lds s[40:43], s[12:19]
	s_sub_co_i32 s9, s85, s58
	s_mul_u64 s[14:15], s[58:59], s[64:65]
	s_max_i32 s9, s9, 0
	s_mul_i32 s88, s75, 0x900
	s_lshl_b64 s[14:15], s[14:15], 1
	s_mul_u64 s[62:63], s[64:65], s[50:51]
	s_add_nc_u64 s[14:15], s[14:15], s[60:61]
	s_cmp_gt_i32 s5, -1
	s_add_nc_u64 s[42:43], s[14:15], s[62:63]
	s_cselect_b32 s15, s9, 0
	s_max_i32 s14, s86, 0
	s_lshl1_add_u32 s41, s88, 0
	s_lshr_b64 s[22:23], s[14:15], 16
	s_and_b32 s10, s15, 0x7fff0000
	s_lshl_b32 s21, s14, 16
	s_and_b32 s13, s22, 0x7fff
	s_lshr_b32 s14, s22, 16
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_or_b32 s14, s14, s10
	s_sub_co_i32 s10, s14, s73
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_max_i32 s10, s10, 0
	s_lshl_b32 s14, s10, 16
	s_lshr_b32 s10, s10, 16
	s_or_b32 s22, s14, s13
	s_or_b32 s23, s10, 0x400000
	s_cmp_lg_u32 s3, 0
	s_wait_tensorcnt 0xa
	tensor_load_to_lds s[40:43], s[20:27]
	s_cselect_b32 s10, -1, 0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_b32 vcc_lo, exec_lo, s10
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_cbranch_vccnz .LBB0_4
; %bb.2:
	s_add_co_i32 s89, ttmp9, 2
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	s_ashr_i32 s0, s89, 31
	s_abs_i32 s1, s89
	s_xor_b32 s0, s0, s81
	s_mul_hi_u32 s8, s1, s82
	s_mul_i32 s9, s8, s80
	s_add_co_i32 s13, s8, 1
	s_sub_co_i32 s1, s1, s9
	s_delay_alu instid0(SALU_CYCLE_1)
	s_sub_co_i32 s9, s1, s80
	s_cmp_ge_u32 s1, s80
	s_cselect_b32 s8, s13, s8
	s_cselect_b32 s1, s9, s1
	s_add_co_i32 s9, s8, 1
	s_cmp_ge_u32 s1, s80
	s_cselect_b32 s1, s9, s8
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_xor_b32 s1, s1, s0
	s_sub_co_i32 s78, s1, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_mul_i32 s1, s78, s72
	s_lshl_b32 s0, s78, 7
	s_sub_co_i32 s77, s89, s1
	s_ashr_i32 s1, s0, 31
	s_sub_co_i32 s8, s83, s0
	s_lshl_b32 s58, s77, 7
	s_max_i32 s8, s8, 0
	s_ashr_i32 s59, s58, 31
	s_sub_co_i32 s9, s85, s58
	s_delay_alu instid0(SALU_CYCLE_1)
	s_max_i32 s9, s9, 0
	s_branch .LBB0_5
.LBB0_3:
	s_cbranch_execnz .LBB0_25
	s_branch .LBB0_29
.LBB0_4:
	s_mov_b32 s89, ttmp9
	s_mov_b32 s78, s38
	s_mov_b32 s77, s5
.LBB0_5:
	s_cmp_gt_i32 s6, 1
	s_mul_u64 s[14:15], s[56:57], s[0:1]
	s_mov_b32 s17, s56
	s_cselect_b32 s74, -1, 0
	s_and_b32 s1, exec_lo, s10
	s_cselect_b32 s79, 1, 0
	s_cselect_b32 s66, 64, 0
	s_mul_u64 s[22:23], s[64:65], s[58:59]
	s_or_b32 s14, s14, s66
	s_mov_b32 s24, s16
	s_lshl_b64 s[14:15], s[14:15], 1
	s_cmp_gt_i32 s0, -1
	s_add_nc_u64 s[14:15], s[14:15], s[52:53]
	s_cselect_b32 s43, s8, 0
	s_sub_co_i32 s1, s84, s66
	s_add_nc_u64 s[46:47], s[14:15], s[54:55]
	s_max_i32 s42, s1, 0
	s_mov_b32 s25, s64
	s_lshr_b64 s[14:15], s[42:43], 16
	s_and_b32 s1, s74, exec_lo
	s_cselect_b32 s44, 1, 0
	s_and_b32 s1, s14, 0x7fff
	s_lshr_b32 s8, s14, 16
	s_and_b32 s10, s43, 0x7fff0000
	s_add_co_i32 s45, s7, 0xd3e0
	s_or_b32 s8, s8, s10
	s_lshl_b32 s13, s42, 16
	s_sub_co_i32 s7, s8, s73
	s_or_b32 s22, s22, s66
	s_max_i32 s7, s7, 0
	s_lshl_b64 s[22:23], s[22:23], 1
	s_lshl_b32 s8, s7, 16
	s_lshr_b32 s7, s7, 16
	s_or_b32 s14, s8, s1
	s_or_b32 s15, s7, 0x400000
	s_add_nc_u64 s[22:23], s[22:23], s[60:61]
	tensor_load_to_lds s[44:47], s[12:19]
	s_cmp_gt_i32 s58, -1
	s_add_nc_u64 s[46:47], s[22:23], s[62:63]
	s_cselect_b32 s9, s9, 0
	s_sub_co_i32 s1, s86, s66
	s_and_b32 s7, s9, 0x7fff0000
	s_max_i32 s8, s1, 0
	v_and_b32_e32 v1, 15, v0
	s_lshr_b64 s[14:15], s[8:9], 16
	v_lshl_or_b32 v2, s33, 11, v0
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_dual_lshlrev_b32 v4, 7, v1 :: v_dual_bitop2_b32 v3, 16, v0 bitop3:0x40
	v_lshlrev_b32_e32 v1, 8, v1
	v_and_or_b32 v2, 0x810, v2, v4
	s_and_b32 s1, s14, 0x7fff
	s_lshr_b32 s9, s14, 16
	s_add_co_i32 s45, s41, 0x4800
	s_or_b32 s9, s9, s7
	v_lshrrev_b32_e32 v5, 3, v2
	s_sub_co_i32 s7, s9, s73
	s_lshl_b32 s21, s8, 16
	s_max_i32 s7, s7, 0
	s_mov_b32 s69, 0
	v_and_b32_e32 v5, 0x1e0, v5
	s_lshl_b32 s8, s7, 16
	s_lshr_b32 s7, s7, 16
	s_or_b32 s22, s8, s1
	s_or_b32 s23, s7, 0x400000
	s_set_vgpr_msb 64                       ;  msbs: dst=1 src0=0 src1=0 src2=0
	v_add_nc_u32_e32 v131 /*v387*/, v5, v2
	s_wait_tensorcnt 0xa
	tensor_load_to_lds s[44:47], s[20:27]
	s_mulk_i32 s75, 0x2200
	s_lshl_b32 s1, s33, 5
	s_set_vgpr_msb 0x4004                   ;  msbs: dst=0 src0=0 src1=1 src2=0
	v_add_nc_u32_e32 v2, 0, v131 /*v387*/
	v_and_or_b32 v5, v0, 31, s1
	s_set_vgpr_msb 0x440                    ;  msbs: dst=1 src0=0 src1=0 src2=0
	s_delay_alu instid0(VALU_DEP_1)
	v_and_b32_e32 v130 /*v386*/, 48, v5
	s_and_b32 s76, s1, 64
	s_add_co_i32 s90, s6, -2
	s_lshl_b32 s1, s76, 5
	s_cmp_lt_i32 s90, 1
	s_set_vgpr_msb 0x4000                   ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_or3_b32 v3, s1, v3, v4
	s_wait_alu depctr_va_vdst(0)
	ds_load_b128 v[210:213], v2
	ds_load_b128 v[214:217], v2 offset:32
	ds_load_b128 v[162:165], v2 offset:64
	ds_load_b128 v[166:169], v2 offset:96
	ds_load_b128 v[218:221], v2 offset:4608
	ds_load_b128 v[222:225], v2 offset:4640
	ds_load_b128 v[154:157], v2 offset:4672
	ds_load_b128 v[158:161], v2 offset:4704
	ds_load_b128 v[186:189], v2 offset:9216
	ds_load_b128 v[190:193], v2 offset:9248
	ds_load_b128 v[146:149], v2 offset:9280
	ds_load_b128 v[150:153], v2 offset:9312
	ds_load_b128 v[194:197], v2 offset:13824
	ds_load_b128 v[198:201], v2 offset:13856
	ds_load_b128 v[130:133], v2 offset:13888
	ds_load_b128 v[134:137], v2 offset:13920
	s_wait_alu depctr_vm_vsrc(0)
	v_lshrrev_b32_e32 v2, 4, v3
	s_delay_alu instid0(VALU_DEP_1)
	v_and_b32_e32 v2, 0xf0, v2
	s_set_vgpr_msb 64                       ;  msbs: dst=1 src0=0 src1=0 src2=0
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u32_e32 v132 /*v388*/, v2, v3
	s_set_vgpr_msb 0x4004                   ;  msbs: dst=0 src0=0 src1=1 src2=0
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u32_e32 v2, 0, v132 /*v388*/
	s_wait_alu depctr_va_vdst(0)
	ds_load_b128 v[250:253], v2 offset:36832
	ds_load_b128 v[254:257], v2 offset:36864
	ds_load_b128 v[234:237], v2 offset:36896
	ds_load_b128 v[238:241], v2 offset:36928
	ds_load_b128 v[242:245], v2 offset:41184
	ds_load_b128 v[246:249], v2 offset:41216
	ds_load_b128 v[178:181], v2 offset:41248
	ds_load_b128 v[182:185], v2 offset:41280
	ds_load_b128 v[226:229], v2 offset:45536
	ds_load_b128 v[230:233], v2 offset:45568
	ds_load_b128 v[170:173], v2 offset:45600
	ds_load_b128 v[174:177], v2 offset:45632
	ds_load_b128 v[202:205], v2 offset:49888
	ds_load_b128 v[206:209], v2 offset:49920
	ds_load_b128 v[138:141], v2 offset:49952
	ds_load_b128 v[142:145], v2 offset:49984
	s_set_vgpr_msb 0x400                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_cbranch_scc1 .LBB0_14
; %bb.6:                                ; %.lr.ph
	v_mov_b32_e32 v114, 0
	s_lshl_b32 s1, s76, 6
	s_mov_b32 s13, 0
	s_set_vgpr_msb 0x41                     ;  msbs: dst=1 src0=1 src1=0 src2=0
	v_or3_b32 v2 /*v258*/, v130 /*v386*/, v1, s1
	s_set_vgpr_msb 0x4100                   ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_dual_mov_b32 v115, v114 :: v_dual_mov_b32 v116, v114
	v_dual_mov_b32 v117, v114 :: v_dual_mov_b32 v118, v114
	v_dual_mov_b32 v119, v114 :: v_dual_mov_b32 v120, v114
	v_mov_b32_e32 v121, v114
	s_and_b32 s45, s49, 0xffff
	s_mov_b32 s44, s48
	s_lshr_b64 s[46:47], s[34:35], 16
	s_mov_b32 s6, s31
	s_mov_b32 s7, s34
	v_dual_mov_b32 v122, v114 :: v_dual_mov_b32 v123, v114
	v_dual_mov_b32 v124, v114 :: v_dual_mov_b32 v125, v114
	v_dual_mov_b32 v126, v114 :: v_dual_mov_b32 v127, v114
	v_dual_mov_b32 v128, v114 :: v_dual_mov_b32 v129, v114
	v_dual_mov_b32 v106, v114 :: v_dual_mov_b32 v107, v114
	v_dual_mov_b32 v108, v114 :: v_dual_mov_b32 v109, v114
	v_dual_mov_b32 v110, v114 :: v_dual_mov_b32 v111, v114
	v_dual_mov_b32 v112, v114 :: v_dual_mov_b32 v113, v114
	v_dual_mov_b32 v98, v114 :: v_dual_mov_b32 v99, v114
	v_dual_mov_b32 v100, v114 :: v_dual_mov_b32 v101, v114
	v_dual_mov_b32 v102, v114 :: v_dual_mov_b32 v103, v114
	v_dual_mov_b32 v104, v114 :: v_dual_mov_b32 v105, v114
	v_dual_mov_b32 v90, v114 :: v_dual_mov_b32 v91, v114
	v_dual_mov_b32 v92, v114 :: v_dual_mov_b32 v93, v114
	v_dual_mov_b32 v94, v114 :: v_dual_mov_b32 v95, v114
	v_dual_mov_b32 v96, v114 :: v_dual_mov_b32 v97, v114
	v_dual_mov_b32 v82, v114 :: v_dual_mov_b32 v83, v114
	v_dual_mov_b32 v84, v114 :: v_dual_mov_b32 v85, v114
	v_dual_mov_b32 v86, v114 :: v_dual_mov_b32 v87, v114
	v_dual_mov_b32 v88, v114 :: v_dual_mov_b32 v89, v114
	v_dual_mov_b32 v74, v114 :: v_dual_mov_b32 v75, v114
	v_dual_mov_b32 v76, v114 :: v_dual_mov_b32 v77, v114
	v_dual_mov_b32 v78, v114 :: v_dual_mov_b32 v79, v114
	v_dual_mov_b32 v80, v114 :: v_dual_mov_b32 v81, v114
	v_dual_mov_b32 v66, v114 :: v_dual_mov_b32 v67, v114
	v_dual_mov_b32 v68, v114 :: v_dual_mov_b32 v69, v114
	v_dual_mov_b32 v70, v114 :: v_dual_mov_b32 v71, v114
	v_dual_mov_b32 v72, v114 :: v_dual_mov_b32 v73, v114
	v_dual_mov_b32 v58, v114 :: v_dual_mov_b32 v59, v114
	v_dual_mov_b32 v60, v114 :: v_dual_mov_b32 v61, v114
	v_dual_mov_b32 v62, v114 :: v_dual_mov_b32 v63, v114
	v_dual_mov_b32 v64, v114 :: v_dual_mov_b32 v65, v114
	v_dual_mov_b32 v50, v114 :: v_dual_mov_b32 v51, v114
	v_dual_mov_b32 v52, v114 :: v_dual_mov_b32 v53, v114
	v_dual_mov_b32 v54, v114 :: v_dual_mov_b32 v55, v114
	v_dual_mov_b32 v56, v114 :: v_dual_mov_b32 v57, v114
	v_dual_mov_b32 v42, v114 :: v_dual_mov_b32 v43, v114
	v_dual_mov_b32 v44, v114 :: v_dual_mov_b32 v45, v114
	v_dual_mov_b32 v46, v114 :: v_dual_mov_b32 v47, v114
	v_dual_mov_b32 v48, v114 :: v_dual_mov_b32 v49, v114
	v_dual_mov_b32 v34, v114 :: v_dual_mov_b32 v35, v114
	v_dual_mov_b32 v36, v114 :: v_dual_mov_b32 v37, v114
	v_dual_mov_b32 v38, v114 :: v_dual_mov_b32 v39, v114
	v_dual_mov_b32 v40, v114 :: v_dual_mov_b32 v41, v114
	v_dual_mov_b32 v26, v114 :: v_dual_mov_b32 v27, v114
	v_dual_mov_b32 v28, v114 :: v_dual_mov_b32 v29, v114
	v_dual_mov_b32 v30, v114 :: v_dual_mov_b32 v31, v114
	v_dual_mov_b32 v32, v114 :: v_dual_mov_b32 v33, v114
	v_dual_mov_b32 v18, v114 :: v_dual_mov_b32 v19, v114
	v_dual_mov_b32 v20, v114 :: v_dual_mov_b32 v21, v114
	v_dual_mov_b32 v22, v114 :: v_dual_mov_b32 v23, v114
	v_dual_mov_b32 v24, v114 :: v_dual_mov_b32 v25, v114
	v_dual_mov_b32 v10, v114 :: v_dual_mov_b32 v11, v114
	v_dual_mov_b32 v12, v114 :: v_dual_mov_b32 v13, v114
	v_dual_mov_b32 v14, v114 :: v_dual_mov_b32 v15, v114
	v_mov_b32_e32 v16, v114
	s_add_co_i32 s37, s75, 0x117d0
	v_mov_b32_e32 v17, v114
	s_mov_b32 s8, 32
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v2, v114 :: v_dual_mov_b32 v3, v114
	v_dual_mov_b32 v4, v114 :: v_dual_mov_b32 v5, v114
	v_dual_mov_b32 v6, v114 :: v_dual_mov_b32 v7, v114
	v_dual_mov_b32 v8, v114 :: v_dual_mov_b32 v9, v114
	s_set_vgpr_msb 0x45                     ;  msbs: dst=1 src0=1 src1=1 src2=0
	v_lshrrev_b32_e32 v3 /*v259*/, 4, v2 /*v258*/
	v_add_nc_u32_e32 v2 /*v258*/, 0x117d0, v2 /*v258*/
	s_mov_b32 s9, s48
	s_mov_b32 s10, s49
	s_mov_b32 s17, s56
	v_and_b32_e32 v3 /*v259*/, 0x1f0, v3 /*v259*/
	s_mov_b32 s25, s64
	s_mov_b32 s93, 0xd3e0
	s_movk_i32 s92, 0x4800
	s_mov_b32 s40, 1
	s_mov_b32 s91, 1
	s_lshr_b64 s[68:69], s[6:7], 16
	s_mul_u64 s[70:71], s[44:45], s[50:51]
	s_mov_b32 s16, s8
	v_add_nc_u32_e32 v2 /*v258*/, v2 /*v258*/, v3 /*v259*/
	s_mov_b32 s24, s8
	s_set_vgpr_msb 0x4500                   ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_branch .LBB0_9
.LBB0_7:                                ;   in Loop: Header=BB0_9 Depth=1
	s_add_co_i32 s89, s89, 2
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_3) | instid1(SALU_CYCLE_1)
	s_ashr_i32 s0, s89, 31
	s_abs_i32 s5, s89
	s_xor_b32 s0, s0, s81
	s_mul_hi_u32 s6, s5, s82
	s_mul_i32 s7, s6, s80
	s_add_co_i32 s13, s6, 1
	s_sub_co_i32 s5, s5, s7
	s_delay_alu instid0(SALU_CYCLE_1)
	s_sub_co_i32 s7, s5, s80
	s_cmp_ge_u32 s5, s80
	s_cselect_b32 s6, s13, s6
	s_cselect_b32 s5, s7, s5
	s_add_co_i32 s7, s6, 1
	s_cmp_ge_u32 s5, s80
	s_cselect_b32 s5, s7, s6
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_xor_b32 s5, s5, s0
	s_sub_co_i32 s78, s5, s0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	s_mul_i32 s5, s78, s72
	s_lshl_b32 s0, s78, 7
	s_sub_co_i32 s77, s89, s5
	s_lshl_b32 s58, s77, 7
.LBB0_8:                                ;   in Loop: Header=BB0_9 Depth=1
	s_add_co_i32 s6, s66, 64
	s_add_co_i32 s7, s91, 1
	s_mov_b32 s5, s95
	s_cmp_lt_i32 s7, 2
	s_mov_b32 s38, s94
	s_cselect_b32 s91, s7, 0
	s_and_b32 s1, s1, exec_lo
	s_cselect_b32 s66, 0, s6
	s_lshl_b32 s21, s91, 13
	s_lshl_b32 s39, s91, 14
	s_lshr_b32 s6, s21, 3
	s_ashr_i32 s1, s0, 31
	s_add_co_i32 s13, s39, s6
	s_mul_u64 s[6:7], s[56:57], s[0:1]
	s_add_co_i32 s1, s13, 0x8fe0
	s_ashr_i32 s67, s66, 31
	s_sub_co_i32 s13, s83, s0
	s_add_nc_u64 s[6:7], s[6:7], s[66:67]
	s_max_i32 s13, s13, 0
	s_lshl_b64 s[6:7], s[6:7], 1
	s_cmp_gt_i32 s0, -1
	s_add_nc_u64 s[6:7], s[6:7], s[52:53]
	s_cselect_b32 s15, s13, 0
	s_sub_co_i32 s13, s84, s66
	s_sub_co_i32 s14, s86, s66
	s_max_i32 s13, s13, 0
	s_max_i32 s22, s14, 0
	s_cmp_lt_i32 s66, 0
	s_add_nc_u64 s[42:43], s[6:7], s[54:55]
	s_cselect_b32 s14, 0, s13
	s_cselect_b32 s6, 0, s22
	s_lshr_b64 s[22:23], s[14:15], 16
	s_and_b32 s7, s15, 0x7fff0000
	s_and_b32 s15, s22, 0x7fff
	s_lshr_b32 s13, s22, 16
	s_lshl1_add_u32 s41, s87, s1
	s_or_b32 s7, s13, s7
	s_lshl_b32 s13, s14, 16
	s_sub_co_i32 s7, s7, s73
	s_lshr_b32 s14, s21, 2
	s_max_i32 s7, s7, 0
	s_add_co_i32 s47, s39, s14
	s_lshl_b32 s14, s7, 16
	s_lshr_b32 s7, s7, 16
	s_or_b32 s14, s14, s15
	s_or_b32 s15, s7, 0x400000
	s_ashr_i32 s59, s58, 31
	tensor_load_to_lds s[40:43], s[12:19]
	s_mul_u64 s[14:15], s[64:65], s[58:59]
	s_sub_co_i32 s7, s85, s58
	s_add_nc_u64 s[14:15], s[14:15], s[66:67]
	s_max_i32 s7, s7, 0
	s_lshl_b64 s[14:15], s[14:15], 1
	s_cmp_gt_i32 s58, -1
	s_add_nc_u64 s[14:15], s[14:15], s[60:61]
	s_cselect_b32 s7, s7, 0
	s_lshl1_add_u32 s41, s88, s47
	s_lshr_b64 s[22:23], s[6:7], 16
	s_and_b32 s7, s7, 0x7fff0000
	s_and_b32 s23, s22, 0x7fff
	s_lshr_b32 s13, s22, 16
	s_add_nc_u64 s[42:43], s[14:15], s[62:63]
	s_or_b32 s13, s13, s7
	s_lshl_b32 s21, s6, 16
	s_sub_co_i32 s6, s13, s73
	s_mov_b32 s13, s69
	s_max_i32 s6, s6, 0
	s_add_co_i32 s90, s90, -1
	s_lshl_b32 s7, s6, 16
	s_lshr_b32 s6, s6, 16
	s_or_b32 s22, s7, s23
	s_or_b32 s23, s6, 0x400000
	s_cmp_lg_u32 s90, 0
	s_wait_tensorcnt 0xa
	tensor_load_to_lds s[40:43], s[20:27]
	s_barrier_signal -1
	s_wait_alu depctr_vm_vsrc(2)
	v_nop
	v_nop
	s_set_vgpr_msb 4                        ;  msbs: dst=0 src0=0 src1=1 src2=0
	v_add_nc_u32_e32 v130, s93, v132 /*v388*/
	v_cndmask_b32_e64 v114, v114, 0, s96
	v_cndmask_b32_e64 v115, v115, 0, s96
	v_cndmask_b32_e64 v116, v116, 0, s96
	v_cndmask_b32_e64 v117, v117, 0, s96
	v_cndmask_b32_e64 v118, v118, 0, s96
	v_cndmask_b32_e64 v119, v119, 0, s96
	v_cndmask_b32_e64 v120, v120, 0, s96
	v_cndmask_b32_e64 v121, v121, 0, s96
	v_cndmask_b32_e64 v122, v122, 0, s96
	v_cndmask_b32_e64 v123, v123, 0, s96
	v_cndmask_b32_e64 v124, v124, 0, s96
	v_cndmask_b32_e64 v125, v125, 0, s96
	v_cndmask_b32_e64 v126, v126, 0, s96
	v_cndmask_b32_e64 v127, v127, 0, s96
	v_cndmask_b32_e64 v128, v128, 0, s96
	v_cndmask_b32_e64 v129, v129, 0, s96
	v_cndmask_b32_e64 v106, v106, 0, s96
	v_cndmask_b32_e64 v107, v107, 0, s96
	v_cndmask_b32_e64 v108, v108, 0, s96
	v_cndmask_b32_e64 v109, v109, 0, s96
	v_cndmask_b32_e64 v110, v110, 0, s96
	v_cndmask_b32_e64 v111, v111, 0, s96
	v_cndmask_b32_e64 v112, v112, 0, s96
	v_cndmask_b32_e64 v113, v113, 0, s96
	v_cndmask_b32_e64 v98, v98, 0, s96
	v_cndmask_b32_e64 v99, v99, 0, s96
	v_cndmask_b32_e64 v100, v100, 0, s96
	v_cndmask_b32_e64 v101, v101, 0, s96
	v_cndmask_b32_e64 v102, v102, 0, s96
	v_cndmask_b32_e64 v103, v103, 0, s96
	v_cndmask_b32_e64 v104, v104, 0, s96
	v_cndmask_b32_e64 v105, v105, 0, s96
	v_cndmask_b32_e64 v90, v90, 0, s96
	v_cndmask_b32_e64 v91, v91, 0, s96
	v_cndmask_b32_e64 v92, v92, 0, s96
	v_cndmask_b32_e64 v93, v93, 0, s96
	v_cndmask_b32_e64 v94, v94, 0, s96
	v_cndmask_b32_e64 v95, v95, 0, s96
	v_cndmask_b32_e64 v96, v96, 0, s96
	v_cndmask_b32_e64 v97, v97, 0, s96
	v_cndmask_b32_e64 v82, v82, 0, s96
	v_cndmask_b32_e64 v83, v83, 0, s96
	v_cndmask_b32_e64 v84, v84, 0, s96
	v_cndmask_b32_e64 v85, v85, 0, s96
	v_cndmask_b32_e64 v86, v86, 0, s96
	v_cndmask_b32_e64 v87, v87, 0, s96
	v_cndmask_b32_e64 v88, v88, 0, s96
	v_cndmask_b32_e64 v89, v89, 0, s96
	v_cndmask_b32_e64 v74, v74, 0, s96
	v_cndmask_b32_e64 v75, v75, 0, s96
	v_cndmask_b32_e64 v76, v76, 0, s96
	v_cndmask_b32_e64 v77, v77, 0, s96
	v_cndmask_b32_e64 v78, v78, 0, s96
	v_cndmask_b32_e64 v79, v79, 0, s96
	v_cndmask_b32_e64 v80, v80, 0, s96
	v_cndmask_b32_e64 v81, v81, 0, s96
	v_cndmask_b32_e64 v66, v66, 0, s96
	v_cndmask_b32_e64 v67, v67, 0, s96
	v_cndmask_b32_e64 v68, v68, 0, s96
	v_cndmask_b32_e64 v69, v69, 0, s96
	v_cndmask_b32_e64 v70, v70, 0, s96
	v_cndmask_b32_e64 v71, v71, 0, s96
	v_cndmask_b32_e64 v72, v72, 0, s96
	v_cndmask_b32_e64 v73, v73, 0, s96
	v_cndmask_b32_e64 v58, v58, 0, s96
	v_cndmask_b32_e64 v59, v59, 0, s96
	v_cndmask_b32_e64 v60, v60, 0, s96
	v_cndmask_b32_e64 v61, v61, 0, s96
	v_cndmask_b32_e64 v62, v62, 0, s96
	v_cndmask_b32_e64 v63, v63, 0, s96
	v_cndmask_b32_e64 v64, v64, 0, s96
	v_cndmask_b32_e64 v65, v65, 0, s96
	v_cndmask_b32_e64 v50, v50, 0, s96
	v_cndmask_b32_e64 v51, v51, 0, s96
	v_cndmask_b32_e64 v52, v52, 0, s96
	v_cndmask_b32_e64 v53, v53, 0, s96
	v_cndmask_b32_e64 v54, v54, 0, s96
	v_cndmask_b32_e64 v55, v55, 0, s96
	v_cndmask_b32_e64 v56, v56, 0, s96
	v_cndmask_b32_e64 v57, v57, 0, s96
	v_cndmask_b32_e64 v42, v42, 0, s96
	v_cndmask_b32_e64 v43, v43, 0, s96
	v_cndmask_b32_e64 v44, v44, 0, s96
	v_cndmask_b32_e64 v45, v45, 0, s96
	v_cndmask_b32_e64 v46, v46, 0, s96
	v_cndmask_b32_e64 v47, v47, 0, s96
	v_cndmask_b32_e64 v48, v48, 0, s96
	v_cndmask_b32_e64 v49, v49, 0, s96
	v_cndmask_b32_e64 v34, v34, 0, s96
	v_cndmask_b32_e64 v35, v35, 0, s96
	v_cndmask_b32_e64 v36, v36, 0, s96
	v_cndmask_b32_e64 v37, v37, 0, s96
	v_cndmask_b32_e64 v38, v38, 0, s96
	v_cndmask_b32_e64 v39, v39, 0, s96
	v_cndmask_b32_e64 v40, v40, 0, s96
	v_cndmask_b32_e64 v41, v41, 0, s96
	v_cndmask_b32_e64 v26, v26, 0, s96
	v_cndmask_b32_e64 v27, v27, 0, s96
	v_cndmask_b32_e64 v28, v28, 0, s96
	v_cndmask_b32_e64 v29, v29, 0, s96
	v_cndmask_b32_e64 v30, v30, 0, s96
	v_cndmask_b32_e64 v31, v31, 0, s96
	v_cndmask_b32_e64 v32, v32, 0, s96
	v_cndmask_b32_e64 v33, v33, 0, s96
	v_cndmask_b32_e64 v18, v18, 0, s96
	v_cndmask_b32_e64 v19, v19, 0, s96
	v_cndmask_b32_e64 v20, v20, 0, s96
	v_cndmask_b32_e64 v21, v21, 0, s96
	v_cndmask_b32_e64 v22, v22, 0, s96
	v_cndmask_b32_e64 v23, v23, 0, s96
	v_cndmask_b32_e64 v24, v24, 0, s96
	v_cndmask_b32_e64 v25, v25, 0, s96
	v_cndmask_b32_e64 v10, v10, 0, s96
	v_cndmask_b32_e64 v11, v11, 0, s96
	v_cndmask_b32_e64 v12, v12, 0, s96
	v_cndmask_b32_e64 v13, v13, 0, s96
	v_cndmask_b32_e64 v14, v14, 0, s96
	v_cndmask_b32_e64 v15, v15, 0, s96
	v_cndmask_b32_e64 v16, v16, 0, s96
	v_cndmask_b32_e64 v17, v17, 0, s96
	v_cndmask_b32_e64 v2, v2, 0, s96
	v_cndmask_b32_e64 v3, v3, 0, s96
	v_cndmask_b32_e64 v4, v4, 0, s96
	v_cndmask_b32_e64 v5, v5, 0, s96
	v_cndmask_b32_e64 v6, v6, 0, s96
	v_cndmask_b32_e64 v7, v7, 0, s96
	v_cndmask_b32_e64 v8, v8, 0, s96
	v_cndmask_b32_e64 v9, v9, 0, s96
	s_wait_alu depctr_vm_vsrc(0)
	v_add_nc_u32_e32 v134, s92, v131 /*v387*/
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(14)
	ds_load_b128 v[250:253], v130
	ds_load_b128 v[254:257], v130 offset:32
	ds_load_b128 v[234:237], v130 offset:64
	ds_load_b128 v[238:241], v130 offset:96
	ds_load_b128 v[242:245], v130 offset:4352
	ds_load_b128 v[246:249], v130 offset:4384
	ds_load_b128 v[178:181], v130 offset:4416
	ds_load_b128 v[182:185], v130 offset:4448
	ds_load_b128 v[226:229], v130 offset:8704
	ds_load_b128 v[230:233], v130 offset:8736
	ds_load_b128 v[170:173], v130 offset:8768
	ds_load_b128 v[174:177], v130 offset:8800
	ds_load_b128 v[202:205], v130 offset:13056
	ds_load_b128 v[206:209], v130 offset:13088
	s_wait_alu depctr_vm_vsrc(6)
	ds_load_b128 v[138:141], v130 offset:13120
	ds_load_b128 v[142:145], v130 offset:13152
	s_mov_b32 s93, s1
	s_mov_b32 s92, s47
	s_wait_alu depctr_va_vdst(0)
	ds_load_b128 v[210:213], v134
	ds_load_b128 v[214:217], v134 offset:32
	ds_load_b128 v[162:165], v134 offset:64
	ds_load_b128 v[166:169], v134 offset:96
	ds_load_b128 v[218:221], v134 offset:4608
	ds_load_b128 v[222:225], v134 offset:4640
	ds_load_b128 v[154:157], v134 offset:4672
	ds_load_b128 v[158:161], v134 offset:4704
	ds_load_b128 v[186:189], v134 offset:9216
	ds_load_b128 v[190:193], v134 offset:9248
	ds_load_b128 v[146:149], v134 offset:9280
	ds_load_b128 v[150:153], v134 offset:9312
	ds_load_b128 v[194:197], v134 offset:13824
	ds_load_b128 v[198:201], v134 offset:13856
	s_wait_alu depctr_vm_vsrc(6)
	ds_load_b128 v[130:133], v134 offset:13888
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[134:137], v134 offset:13920
	s_set_vgpr_msb 0x400                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_cbranch_scc0 .LBB0_13
.LBB0_9:                                ; =>This Inner Loop Header: Depth=1
	s_wait_dscnt 0xe
	v_wmma_f32_16x16x32_f16 v[114:121], v[210:217], v[250:257], v[114:121]
	s_mov_b32 s69, s79
	s_cmp_eq_u32 s13, s3
	s_cselect_b32 s96, -1, 0
	s_mov_b32 s94, s78
	s_cmp_lg_u32 s13, s3
	s_wait_dscnt 0xa
	v_wmma_f32_16x16x32_f16 v[122:129], v[218:225], v[250:257], v[122:129]
	s_mov_b32 s95, s77
	s_wait_dscnt 0x6
	v_wmma_f32_16x16x32_f16 v[106:113], v[186:193], v[250:257], v[106:113]
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x32_f16 v[98:105], v[194:201], v[250:257], v[98:105]
	s_wait_dscnt 0xa
	v_wmma_f32_16x16x32_f16 v[90:97], v[210:217], v[242:249], v[90:97]
	v_wmma_f32_16x16x32_f16 v[82:89], v[218:225], v[242:249], v[82:89]
	v_wmma_f32_16x16x32_f16 v[74:81], v[186:193], v[242:249], v[74:81]
	v_wmma_f32_16x16x32_f16 v[66:73], v[194:201], v[242:249], v[66:73]
	s_wait_dscnt 0x6
	v_wmma_f32_16x16x32_f16 v[58:65], v[210:217], v[226:233], v[58:65]
	v_wmma_f32_16x16x32_f16 v[50:57], v[218:225], v[226:233], v[50:57]
	v_wmma_f32_16x16x32_f16 v[42:49], v[186:193], v[226:233], v[42:49]
	v_wmma_f32_16x16x32_f16 v[34:41], v[194:201], v[226:233], v[34:41]
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x32_f16 v[26:33], v[210:217], v[202:209], v[26:33]
	v_wmma_f32_16x16x32_f16 v[18:25], v[218:225], v[202:209], v[18:25]
	v_wmma_f32_16x16x32_f16 v[10:17], v[186:193], v[202:209], v[10:17]
	v_wmma_f32_16x16x32_f16 v[2:9], v[194:201], v[202:209], v[2:9]
	v_wmma_f32_16x16x32_f16 v[114:121], v[162:169], v[234:241], v[114:121]
	v_wmma_f32_16x16x32_f16 v[122:129], v[154:161], v[234:241], v[122:129]
	v_wmma_f32_16x16x32_f16 v[106:113], v[146:153], v[234:241], v[106:113]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[98:105], v[130:137], v[234:241], v[98:105]
	v_wmma_f32_16x16x32_f16 v[90:97], v[162:169], v[178:185], v[90:97]
	v_wmma_f32_16x16x32_f16 v[82:89], v[154:161], v[178:185], v[82:89]
	v_wmma_f32_16x16x32_f16 v[74:81], v[146:153], v[178:185], v[74:81]
	v_wmma_f32_16x16x32_f16 v[66:73], v[130:137], v[178:185], v[66:73]
	v_wmma_f32_16x16x32_f16 v[58:65], v[162:169], v[170:177], v[58:65]
	v_wmma_f32_16x16x32_f16 v[50:57], v[154:161], v[170:177], v[50:57]
	v_wmma_f32_16x16x32_f16 v[42:49], v[146:153], v[170:177], v[42:49]
	v_wmma_f32_16x16x32_f16 v[34:41], v[130:137], v[170:177], v[34:41]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[26:33], v[162:169], v[138:145], v[26:33]
	v_wmma_f32_16x16x32_f16 v[18:25], v[154:161], v[138:145], v[18:25]
	v_wmma_f32_16x16x32_f16 v[10:17], v[146:153], v[138:145], v[10:17]
	v_wmma_f32_16x16x32_f16 v[2:9], v[130:137], v[138:145], v[2:9]
	s_cbranch_scc1 .LBB0_11
; %bb.10:                               ;   in Loop: Header=BB0_9 Depth=1
	s_lshl_b32 s6, s38, 7
	s_lshl_b32 s14, s5, 7
	s_ashr_i32 s7, s6, 31
	s_ashr_i32 s15, s14, 31
	s_sub_co_i32 s1, s46, s6
	s_mul_u64 s[22:23], s[44:45], s[6:7]
	s_max_i32 s1, s1, 0
	s_add_nc_u64 s[22:23], s[22:23], s[14:15]
	v_nop
	v_nop
	v_nop
	v_nop
	v_cvt_pk_f16_f32 v130, v114, v115
	s_lshl_b64 s[22:23], s[22:23], 1
	s_cmp_gt_i32 s6, -1
	s_add_nc_u64 s[6:7], s[22:23], s[28:29]
	s_cselect_b32 s15, s1, 0
	s_sub_co_i32 s1, s68, s14
	s_add_nc_u64 s[38:39], s[6:7], s[70:71]
	s_max_i32 s1, s1, 0
	s_cmp_gt_i32 s5, -1
	v_cvt_pk_f16_f32 v131, v116, v117
	s_cselect_b32 s14, s1, 0
	s_and_b32 s1, s15, 0x7fff0000
	s_lshr_b64 s[6:7], s[14:15], 16
	s_and_b32 s5, s14, 0xffff
	s_lshl_b32 s7, s6, 16
	s_lshr_b32 s6, s6, 16
	s_or_b32 s7, s7, s5
	s_or_b32 s6, s6, s1
	s_min_u32 s1, s7, 0x80
	s_sub_co_i32 s6, s6, s73
	s_lshl_b32 s5, s1, 16
	s_max_i32 s1, s6, 0
	v_cvt_pk_f16_f32 v132, v118, v119
	s_lshl_b32 s6, s1, 16
	s_lshr_b32 s1, s1, 16
	v_cvt_pk_f16_f32 v133, v120, v121
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v134, v122, v123
	v_cvt_pk_f16_f32 v135, v124, v125
	v_cvt_pk_f16_f32 v136, v126, v127
	v_cvt_pk_f16_f32 v137, v128, v129
	v_cvt_pk_f16_f32 v138, v106, v107
	v_cvt_pk_f16_f32 v139, v108, v109
	v_cvt_pk_f16_f32 v140, v110, v111
	v_cvt_pk_f16_f32 v141, v112, v113
	v_cvt_pk_f16_f32 v142, v98, v99
	v_cvt_pk_f16_f32 v143, v100, v101
	v_cvt_pk_f16_f32 v144, v102, v103
	v_cvt_pk_f16_f32 v145, v104, v105
	v_cvt_pk_f16_f32 v146, v90, v91
	v_cvt_pk_f16_f32 v147, v92, v93
	v_cvt_pk_f16_f32 v148, v94, v95
	s_wait_alu depctr_va_vdst(14)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[130:133]
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v149, v96, v97
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v130, v82, v83
	v_cvt_pk_f16_f32 v131, v84, v85
	s_wait_alu depctr_va_vdst(14)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[134:137] offset:64
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v132, v86, v87
	v_cvt_pk_f16_f32 v133, v88, v89
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v134, v74, v75
	s_wait_alu depctr_va_vdst(13)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[138:141] offset:128
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v135, v76, v77
	v_cvt_pk_f16_f32 v136, v78, v79
	v_cvt_pk_f16_f32 v137, v80, v81
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[142:145] offset:192
	s_wait_alu depctr_vm_vsrc(1)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v138, v66, v67
	v_cvt_pk_f16_f32 v139, v68, v69
	v_cvt_pk_f16_f32 v140, v70, v71
	v_cvt_pk_f16_f32 v141, v72, v73
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[146:149] offset:8704
	s_wait_alu depctr_vm_vsrc(1)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v142, v58, v59
	v_cvt_pk_f16_f32 v143, v60, v61
	v_cvt_pk_f16_f32 v144, v62, v63
	v_cvt_pk_f16_f32 v145, v64, v65
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[130:133] offset:8768
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v130, v50, v51
	v_cvt_pk_f16_f32 v131, v52, v53
	v_cvt_pk_f16_f32 v132, v54, v55
	v_cvt_pk_f16_f32 v133, v56, v57
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[134:137] offset:8832
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v134, v42, v43
	v_cvt_pk_f16_f32 v135, v44, v45
	v_cvt_pk_f16_f32 v136, v46, v47
	v_cvt_pk_f16_f32 v137, v48, v49
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[138:141] offset:8896
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v138, v34, v35
	v_cvt_pk_f16_f32 v139, v36, v37
	v_cvt_pk_f16_f32 v140, v38, v39
	v_cvt_pk_f16_f32 v141, v40, v41
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[142:145] offset:17408
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v142, v26, v27
	v_cvt_pk_f16_f32 v143, v28, v29
	v_cvt_pk_f16_f32 v144, v30, v31
	v_cvt_pk_f16_f32 v145, v32, v33
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[130:133] offset:17472
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v130, v18, v19
	v_cvt_pk_f16_f32 v131, v20, v21
	v_cvt_pk_f16_f32 v132, v22, v23
	v_cvt_pk_f16_f32 v133, v24, v25
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[134:137] offset:17536
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v134, v10, v11
	v_cvt_pk_f16_f32 v135, v12, v13
	v_cvt_pk_f16_f32 v136, v14, v15
	v_cvt_pk_f16_f32 v137, v16, v17
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[138:141] offset:17600
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v138, v2, v3
	v_cvt_pk_f16_f32 v139, v4, v5
	v_cvt_pk_f16_f32 v140, v6, v7
	v_cvt_pk_f16_f32 v141, v8, v9
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	ds_store_b128 v2 /*v258*/, v[142:145] offset:26112
	s_or_b32 s7, s1, 0x880000
	s_wait_alu depctr_va_vdst(8)
	ds_store_b128 v2 /*v258*/, v[130:133] offset:26176
	s_wait_alu depctr_va_vdst(4)
	ds_store_b128 v2 /*v258*/, v[134:137] offset:26240
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v2 /*v258*/, v[138:141] offset:26304
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_tensorcnt 0xa
	tensor_store_from_lds s[36:39], s[4:11]
	s_wait_tensorcnt 0x0
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_barrier_signal -1
	s_barrier_wait -1
.LBB0_11:                               ;   in Loop: Header=BB0_9 Depth=1
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_add_co_i32 s1, s69, 1
	s_cmp_lg_u32 s69, s3
	s_cselect_b32 s79, s1, 0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_eq_u32 s79, 0
	s_cselect_b32 s1, -1, 0
	s_cmp_lg_u32 s79, 0
	s_barrier_wait -1
	s_cbranch_scc0 .LBB0_7
; %bb.12:                               ;   in Loop: Header=BB0_9 Depth=1
	s_mov_b32 s78, s94
	s_mov_b32 s77, s95
	s_branch .LBB0_8
.LBB0_13:                               ; %Flow
	s_mov_b32 s5, s95
	s_mov_b32 s38, s94
	s_branch .LBB0_15
.LBB0_14:
	v_dual_mov_b32 v8, 0 :: v_dual_mov_b32 v7, 0
	v_dual_mov_b32 v6, 0 :: v_dual_mov_b32 v5, 0
	v_dual_mov_b32 v4, 0 :: v_dual_mov_b32 v3, 0
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v2, 0 :: v_dual_mov_b32 v17, 0
	v_dual_mov_b32 v16, 0 :: v_dual_mov_b32 v15, 0
	v_dual_mov_b32 v14, 0 :: v_dual_mov_b32 v13, 0
	v_dual_mov_b32 v12, 0 :: v_dual_mov_b32 v11, 0
	v_dual_mov_b32 v10, 0 :: v_dual_mov_b32 v25, 0
	v_dual_mov_b32 v24, 0 :: v_dual_mov_b32 v23, 0
	v_dual_mov_b32 v22, 0 :: v_dual_mov_b32 v21, 0
	v_dual_mov_b32 v20, 0 :: v_dual_mov_b32 v19, 0
	v_dual_mov_b32 v18, 0 :: v_dual_mov_b32 v33, 0
	v_dual_mov_b32 v32, 0 :: v_dual_mov_b32 v31, 0
	v_dual_mov_b32 v30, 0 :: v_dual_mov_b32 v29, 0
	v_dual_mov_b32 v28, 0 :: v_dual_mov_b32 v27, 0
	v_dual_mov_b32 v26, 0 :: v_dual_mov_b32 v41, 0
	v_dual_mov_b32 v40, 0 :: v_dual_mov_b32 v39, 0
	v_dual_mov_b32 v38, 0 :: v_dual_mov_b32 v37, 0
	v_dual_mov_b32 v36, 0 :: v_dual_mov_b32 v35, 0
	v_dual_mov_b32 v34, 0 :: v_dual_mov_b32 v49, 0
	v_dual_mov_b32 v48, 0 :: v_dual_mov_b32 v47, 0
	v_dual_mov_b32 v46, 0 :: v_dual_mov_b32 v45, 0
	v_dual_mov_b32 v44, 0 :: v_dual_mov_b32 v43, 0
	v_dual_mov_b32 v42, 0 :: v_dual_mov_b32 v57, 0
	v_dual_mov_b32 v56, 0 :: v_dual_mov_b32 v55, 0
	v_dual_mov_b32 v54, 0 :: v_dual_mov_b32 v53, 0
	v_dual_mov_b32 v52, 0 :: v_dual_mov_b32 v51, 0
	v_dual_mov_b32 v50, 0 :: v_dual_mov_b32 v65, 0
	v_dual_mov_b32 v64, 0 :: v_dual_mov_b32 v63, 0
	v_dual_mov_b32 v62, 0 :: v_dual_mov_b32 v61, 0
	v_dual_mov_b32 v60, 0 :: v_dual_mov_b32 v59, 0
	v_dual_mov_b32 v58, 0 :: v_dual_mov_b32 v73, 0
	v_dual_mov_b32 v72, 0 :: v_dual_mov_b32 v71, 0
	v_dual_mov_b32 v70, 0 :: v_dual_mov_b32 v69, 0
	v_dual_mov_b32 v68, 0 :: v_dual_mov_b32 v67, 0
	v_dual_mov_b32 v66, 0 :: v_dual_mov_b32 v81, 0
	v_dual_mov_b32 v80, 0 :: v_dual_mov_b32 v79, 0
	v_dual_mov_b32 v78, 0 :: v_dual_mov_b32 v77, 0
	v_dual_mov_b32 v76, 0 :: v_dual_mov_b32 v75, 0
	v_dual_mov_b32 v74, 0 :: v_dual_mov_b32 v89, 0
	v_dual_mov_b32 v88, 0 :: v_dual_mov_b32 v87, 0
	v_dual_mov_b32 v86, 0 :: v_dual_mov_b32 v85, 0
	v_dual_mov_b32 v84, 0 :: v_dual_mov_b32 v83, 0
	v_dual_mov_b32 v82, 0 :: v_dual_mov_b32 v97, 0
	v_dual_mov_b32 v96, 0 :: v_dual_mov_b32 v95, 0
	v_dual_mov_b32 v94, 0 :: v_dual_mov_b32 v93, 0
	v_dual_mov_b32 v92, 0 :: v_dual_mov_b32 v91, 0
	v_dual_mov_b32 v90, 0 :: v_dual_mov_b32 v105, 0
	v_dual_mov_b32 v104, 0 :: v_dual_mov_b32 v103, 0
	v_dual_mov_b32 v102, 0 :: v_dual_mov_b32 v101, 0
	v_dual_mov_b32 v100, 0 :: v_dual_mov_b32 v99, 0
	v_dual_mov_b32 v98, 0 :: v_dual_mov_b32 v113, 0
	v_dual_mov_b32 v112, 0 :: v_dual_mov_b32 v111, 0
	v_dual_mov_b32 v110, 0 :: v_dual_mov_b32 v109, 0
	v_dual_mov_b32 v108, 0 :: v_dual_mov_b32 v107, 0
	v_dual_mov_b32 v106, 0 :: v_dual_mov_b32 v129, 0
	v_dual_mov_b32 v128, 0 :: v_dual_mov_b32 v127, 0
	v_dual_mov_b32 v126, 0 :: v_dual_mov_b32 v125, 0
	v_dual_mov_b32 v124, 0 :: v_dual_mov_b32 v123, 0
	v_dual_mov_b32 v122, 0 :: v_dual_mov_b32 v121, 0
	v_dual_mov_b32 v120, 0 :: v_dual_mov_b32 v119, 0
	v_dual_mov_b32 v118, 0 :: v_dual_mov_b32 v117, 0
	v_dual_mov_b32 v116, 0 :: v_dual_mov_b32 v115, 0
	s_mov_b32 s1, 0xd3e0
	v_mov_b32_e32 v114, 0
	s_movk_i32 s47, 0x4800
.LBB0_15:                               ; %._crit_edge
	s_and_b32 s0, s2, exec_lo
	s_cselect_b32 s0, 1, 0
	s_set_vgpr_msb 64                       ;  msbs: dst=1 src0=0 src1=0 src2=0
	v_dual_mov_b32 v2 /*v258*/, v114 :: v_dual_mov_b32 v3 /*v259*/, v115
	v_dual_mov_b32 v4 /*v260*/, v116 :: v_dual_mov_b32 v5 /*v261*/, v117
	v_dual_mov_b32 v6 /*v262*/, v118 :: v_dual_mov_b32 v7 /*v263*/, v119
	v_dual_mov_b32 v8 /*v264*/, v120 :: v_dual_mov_b32 v9 /*v265*/, v121
	v_dual_mov_b32 v10 /*v266*/, v122 :: v_dual_mov_b32 v11 /*v267*/, v123
	v_dual_mov_b32 v12 /*v268*/, v124 :: v_dual_mov_b32 v13 /*v269*/, v125
	v_dual_mov_b32 v14 /*v270*/, v126 :: v_dual_mov_b32 v15 /*v271*/, v127
	v_dual_mov_b32 v16 /*v272*/, v128 :: v_dual_mov_b32 v17 /*v273*/, v129
	v_dual_mov_b32 v18 /*v274*/, v106 :: v_dual_mov_b32 v19 /*v275*/, v107
	v_dual_mov_b32 v20 /*v276*/, v108 :: v_dual_mov_b32 v21 /*v277*/, v109
	v_dual_mov_b32 v22 /*v278*/, v110 :: v_dual_mov_b32 v23 /*v279*/, v111
	v_dual_mov_b32 v24 /*v280*/, v112 :: v_dual_mov_b32 v25 /*v281*/, v113
	v_dual_mov_b32 v26 /*v282*/, v98 :: v_dual_mov_b32 v27 /*v283*/, v99
	v_dual_mov_b32 v28 /*v284*/, v100 :: v_dual_mov_b32 v29 /*v285*/, v101
	v_dual_mov_b32 v30 /*v286*/, v102 :: v_dual_mov_b32 v31 /*v287*/, v103
	v_dual_mov_b32 v32 /*v288*/, v104 :: v_dual_mov_b32 v33 /*v289*/, v105
	v_dual_mov_b32 v34 /*v290*/, v90 :: v_dual_mov_b32 v35 /*v291*/, v91
	v_dual_mov_b32 v36 /*v292*/, v92 :: v_dual_mov_b32 v37 /*v293*/, v93
	v_dual_mov_b32 v38 /*v294*/, v94 :: v_dual_mov_b32 v39 /*v295*/, v95
	v_dual_mov_b32 v40 /*v296*/, v96 :: v_dual_mov_b32 v41 /*v297*/, v97
	v_dual_mov_b32 v42 /*v298*/, v82 :: v_dual_mov_b32 v43 /*v299*/, v83
	v_dual_mov_b32 v44 /*v300*/, v84 :: v_dual_mov_b32 v45 /*v301*/, v85
	v_dual_mov_b32 v46 /*v302*/, v86 :: v_dual_mov_b32 v47 /*v303*/, v87
	v_dual_mov_b32 v48 /*v304*/, v88 :: v_dual_mov_b32 v49 /*v305*/, v89
	v_dual_mov_b32 v50 /*v306*/, v74 :: v_dual_mov_b32 v51 /*v307*/, v75
	v_dual_mov_b32 v52 /*v308*/, v76 :: v_dual_mov_b32 v53 /*v309*/, v77
	v_dual_mov_b32 v54 /*v310*/, v78 :: v_dual_mov_b32 v55 /*v311*/, v79
	v_dual_mov_b32 v56 /*v312*/, v80 :: v_dual_mov_b32 v57 /*v313*/, v81
	v_dual_mov_b32 v58 /*v314*/, v66 :: v_dual_mov_b32 v59 /*v315*/, v67
	v_dual_mov_b32 v60 /*v316*/, v68 :: v_dual_mov_b32 v61 /*v317*/, v69
	v_dual_mov_b32 v62 /*v318*/, v70 :: v_dual_mov_b32 v63 /*v319*/, v71
	v_dual_mov_b32 v64 /*v320*/, v72 :: v_dual_mov_b32 v65 /*v321*/, v73
	v_dual_mov_b32 v66 /*v322*/, v58 :: v_dual_mov_b32 v67 /*v323*/, v59
	v_dual_mov_b32 v68 /*v324*/, v60 :: v_dual_mov_b32 v69 /*v325*/, v61
	v_dual_mov_b32 v70 /*v326*/, v62 :: v_dual_mov_b32 v71 /*v327*/, v63
	v_dual_mov_b32 v72 /*v328*/, v64 :: v_dual_mov_b32 v73 /*v329*/, v65
	v_dual_mov_b32 v74 /*v330*/, v50 :: v_dual_mov_b32 v75 /*v331*/, v51
	v_dual_mov_b32 v76 /*v332*/, v52 :: v_dual_mov_b32 v77 /*v333*/, v53
	v_dual_mov_b32 v78 /*v334*/, v54 :: v_dual_mov_b32 v79 /*v335*/, v55
	v_dual_mov_b32 v80 /*v336*/, v56 :: v_dual_mov_b32 v81 /*v337*/, v57
	v_dual_mov_b32 v82 /*v338*/, v42 :: v_dual_mov_b32 v83 /*v339*/, v43
	v_dual_mov_b32 v84 /*v340*/, v44 :: v_dual_mov_b32 v85 /*v341*/, v45
	v_dual_mov_b32 v86 /*v342*/, v46 :: v_dual_mov_b32 v87 /*v343*/, v47
	v_dual_mov_b32 v88 /*v344*/, v48 :: v_dual_mov_b32 v89 /*v345*/, v49
	v_dual_mov_b32 v90 /*v346*/, v34 :: v_dual_mov_b32 v91 /*v347*/, v35
	v_dual_mov_b32 v92 /*v348*/, v36 :: v_dual_mov_b32 v93 /*v349*/, v37
	v_dual_mov_b32 v94 /*v350*/, v38 :: v_dual_mov_b32 v95 /*v351*/, v39
	v_dual_mov_b32 v96 /*v352*/, v40 :: v_dual_mov_b32 v97 /*v353*/, v41
	v_dual_mov_b32 v98 /*v354*/, v26 :: v_dual_mov_b32 v99 /*v355*/, v27
	v_dual_mov_b32 v100 /*v356*/, v28 :: v_dual_mov_b32 v101 /*v357*/, v29
	v_dual_mov_b32 v102 /*v358*/, v30 :: v_dual_mov_b32 v103 /*v359*/, v31
	v_dual_mov_b32 v104 /*v360*/, v32 :: v_dual_mov_b32 v105 /*v361*/, v33
	v_dual_mov_b32 v106 /*v362*/, v18 :: v_dual_mov_b32 v107 /*v363*/, v19
	v_dual_mov_b32 v108 /*v364*/, v20 :: v_dual_mov_b32 v109 /*v365*/, v21
	v_dual_mov_b32 v110 /*v366*/, v22 :: v_dual_mov_b32 v111 /*v367*/, v23
	v_dual_mov_b32 v112 /*v368*/, v24 :: v_dual_mov_b32 v113 /*v369*/, v25
	v_dual_mov_b32 v114 /*v370*/, v10 :: v_dual_mov_b32 v115 /*v371*/, v11
	v_dual_mov_b32 v116 /*v372*/, v12 :: v_dual_mov_b32 v117 /*v373*/, v13
	v_dual_mov_b32 v118 /*v374*/, v14 :: v_dual_mov_b32 v119 /*v375*/, v15
	v_dual_mov_b32 v120 /*v376*/, v16 :: v_dual_mov_b32 v121 /*v377*/, v17
	v_dual_mov_b32 v122 /*v378*/, v2 :: v_dual_mov_b32 v123 /*v379*/, v3
	v_dual_mov_b32 v124 /*v380*/, v4 :: v_dual_mov_b32 v125 /*v381*/, v5
	v_dual_mov_b32 v126 /*v382*/, v6 :: v_dual_mov_b32 v127 /*v383*/, v7
	v_dual_mov_b32 v128 /*v384*/, v8 :: v_dual_mov_b32 v129 /*v385*/, v9
	s_cmp_lg_u32 s0, 1
	s_set_vgpr_msb 0x4000                   ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_cbranch_scc1 .LBB0_17
; %bb.16:
	s_set_vgpr_msb 0x50                     ;  msbs: dst=1 src0=0 src1=0 src2=1
	v_mov_b64_e32 v[8:9] /*v[264:265]*/, v[120:121]
	v_mov_b64_e32 v[6:7] /*v[262:263]*/, v[118:119]
	v_mov_b64_e32 v[4:5] /*v[260:261]*/, v[116:117]
	v_mov_b64_e32 v[2:3] /*v[258:259]*/, v[114:115]
	v_mov_b64_e32 v[16:17] /*v[272:273]*/, v[128:129]
	v_mov_b64_e32 v[14:15] /*v[270:271]*/, v[126:127]
	v_mov_b64_e32 v[12:13] /*v[268:269]*/, v[124:125]
	v_mov_b64_e32 v[10:11] /*v[266:267]*/, v[122:123]
	s_wait_dscnt 0xe
	v_wmma_f32_16x16x32_f16 v[2:9] /*v[258:265]*/, v[210:217], v[250:257], v[2:9] /*v[258:265]*/
	s_wait_dscnt 0xa
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[10:17] /*v[266:273]*/, v[218:225], v[250:257], v[10:17] /*v[266:273]*/
	v_wmma_f32_16x16x32_f16 v[2:9] /*v[258:265]*/, v[162:169], v[234:241], v[2:9] /*v[258:265]*/
	s_wait_dscnt 0x8
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[10:17] /*v[266:273]*/, v[154:161], v[234:241], v[10:17] /*v[266:273]*/
	v_mov_b64_e32 v[24:25] /*v[280:281]*/, v[112:113]
	v_mov_b64_e32 v[22:23] /*v[278:279]*/, v[110:111]
	v_mov_b64_e32 v[20:21] /*v[276:277]*/, v[108:109]
	v_mov_b64_e32 v[18:19] /*v[274:275]*/, v[106:107]
	v_mov_b64_e32 v[32:33] /*v[288:289]*/, v[104:105]
	v_mov_b64_e32 v[30:31] /*v[286:287]*/, v[102:103]
	v_mov_b64_e32 v[28:29] /*v[284:285]*/, v[100:101]
	v_mov_b64_e32 v[26:27] /*v[282:283]*/, v[98:99]
	s_wait_dscnt 0x6
	v_wmma_f32_16x16x32_f16 v[18:25] /*v[274:281]*/, v[186:193], v[250:257], v[18:25] /*v[274:281]*/
	s_wait_dscnt 0x2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[26:33] /*v[282:289]*/, v[194:201], v[250:257], v[26:33] /*v[282:289]*/
	v_wmma_f32_16x16x32_f16 v[18:25] /*v[274:281]*/, v[146:153], v[234:241], v[18:25] /*v[274:281]*/
	s_wait_dscnt 0x0
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[26:33] /*v[282:289]*/, v[130:137], v[234:241], v[26:33] /*v[282:289]*/
	v_mov_b64_e32 v[40:41] /*v[296:297]*/, v[96:97]
	v_mov_b64_e32 v[38:39] /*v[294:295]*/, v[94:95]
	v_mov_b64_e32 v[36:37] /*v[292:293]*/, v[92:93]
	v_mov_b64_e32 v[34:35] /*v[290:291]*/, v[90:91]
	v_mov_b64_e32 v[48:49] /*v[304:305]*/, v[88:89]
	v_mov_b64_e32 v[46:47] /*v[302:303]*/, v[86:87]
	v_mov_b64_e32 v[44:45] /*v[300:301]*/, v[84:85]
	v_mov_b64_e32 v[42:43] /*v[298:299]*/, v[82:83]
	v_wmma_f32_16x16x32_f16 v[34:41] /*v[290:297]*/, v[210:217], v[242:249], v[34:41] /*v[290:297]*/
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[42:49] /*v[298:305]*/, v[218:225], v[242:249], v[42:49] /*v[298:305]*/
	v_wmma_f32_16x16x32_f16 v[34:41] /*v[290:297]*/, v[162:169], v[178:185], v[34:41] /*v[290:297]*/
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[42:49] /*v[298:305]*/, v[154:161], v[178:185], v[42:49] /*v[298:305]*/
	v_mov_b64_e32 v[56:57] /*v[312:313]*/, v[80:81]
	v_mov_b64_e32 v[54:55] /*v[310:311]*/, v[78:79]
	v_mov_b64_e32 v[52:53] /*v[308:309]*/, v[76:77]
	v_mov_b64_e32 v[50:51] /*v[306:307]*/, v[74:75]
	v_mov_b64_e32 v[64:65] /*v[320:321]*/, v[72:73]
	v_mov_b64_e32 v[62:63] /*v[318:319]*/, v[70:71]
	v_mov_b64_e32 v[60:61] /*v[316:317]*/, v[68:69]
	v_mov_b64_e32 v[58:59] /*v[314:315]*/, v[66:67]
	v_wmma_f32_16x16x32_f16 v[50:57] /*v[306:313]*/, v[186:193], v[242:249], v[50:57] /*v[306:313]*/
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[58:65] /*v[314:321]*/, v[194:201], v[242:249], v[58:65] /*v[314:321]*/
	v_wmma_f32_16x16x32_f16 v[50:57] /*v[306:313]*/, v[146:153], v[178:185], v[50:57] /*v[306:313]*/
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[58:65] /*v[314:321]*/, v[130:137], v[178:185], v[58:65] /*v[314:321]*/
	v_mov_b64_e32 v[72:73] /*v[328:329]*/, v[64:65]
	v_mov_b64_e32 v[70:71] /*v[326:327]*/, v[62:63]
	v_mov_b64_e32 v[68:69] /*v[324:325]*/, v[60:61]
	v_mov_b64_e32 v[66:67] /*v[322:323]*/, v[58:59]
	v_mov_b64_e32 v[80:81] /*v[336:337]*/, v[56:57]
	v_mov_b64_e32 v[78:79] /*v[334:335]*/, v[54:55]
	v_mov_b64_e32 v[76:77] /*v[332:333]*/, v[52:53]
	v_mov_b64_e32 v[74:75] /*v[330:331]*/, v[50:51]
	v_wmma_f32_16x16x32_f16 v[66:73] /*v[322:329]*/, v[210:217], v[226:233], v[66:73] /*v[322:329]*/
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[74:81] /*v[330:337]*/, v[218:225], v[226:233], v[74:81] /*v[330:337]*/
	v_wmma_f32_16x16x32_f16 v[66:73] /*v[322:329]*/, v[162:169], v[170:177], v[66:73] /*v[322:329]*/
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[74:81] /*v[330:337]*/, v[154:161], v[170:177], v[74:81] /*v[330:337]*/
	v_mov_b64_e32 v[88:89] /*v[344:345]*/, v[48:49]
	v_mov_b64_e32 v[86:87] /*v[342:343]*/, v[46:47]
	v_mov_b64_e32 v[84:85] /*v[340:341]*/, v[44:45]
	v_mov_b64_e32 v[82:83] /*v[338:339]*/, v[42:43]
	v_mov_b64_e32 v[96:97] /*v[352:353]*/, v[40:41]
	v_mov_b64_e32 v[94:95] /*v[350:351]*/, v[38:39]
	v_mov_b64_e32 v[92:93] /*v[348:349]*/, v[36:37]
	v_mov_b64_e32 v[90:91] /*v[346:347]*/, v[34:35]
	v_wmma_f32_16x16x32_f16 v[82:89] /*v[338:345]*/, v[186:193], v[226:233], v[82:89] /*v[338:345]*/
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[90:97] /*v[346:353]*/, v[194:201], v[226:233], v[90:97] /*v[346:353]*/
	v_wmma_f32_16x16x32_f16 v[82:89] /*v[338:345]*/, v[146:153], v[170:177], v[82:89] /*v[338:345]*/
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[90:97] /*v[346:353]*/, v[130:137], v[170:177], v[90:97] /*v[346:353]*/
	v_mov_b64_e32 v[104:105] /*v[360:361]*/, v[32:33]
	v_mov_b64_e32 v[102:103] /*v[358:359]*/, v[30:31]
	v_mov_b64_e32 v[100:101] /*v[356:357]*/, v[28:29]
	v_mov_b64_e32 v[98:99] /*v[354:355]*/, v[26:27]
	v_mov_b64_e32 v[112:113] /*v[368:369]*/, v[24:25]
	v_mov_b64_e32 v[110:111] /*v[366:367]*/, v[22:23]
	v_mov_b64_e32 v[108:109] /*v[364:365]*/, v[20:21]
	v_mov_b64_e32 v[106:107] /*v[362:363]*/, v[18:19]
	v_wmma_f32_16x16x32_f16 v[98:105] /*v[354:361]*/, v[210:217], v[202:209], v[98:105] /*v[354:361]*/
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[106:113] /*v[362:369]*/, v[218:225], v[202:209], v[106:113] /*v[362:369]*/
	v_wmma_f32_16x16x32_f16 v[98:105] /*v[354:361]*/, v[162:169], v[138:145], v[98:105] /*v[354:361]*/
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[106:113] /*v[362:369]*/, v[154:161], v[138:145], v[106:113] /*v[362:369]*/
	v_mov_b64_e32 v[120:121] /*v[376:377]*/, v[16:17]
	v_mov_b64_e32 v[118:119] /*v[374:375]*/, v[14:15]
	v_mov_b64_e32 v[116:117] /*v[372:373]*/, v[12:13]
	v_mov_b64_e32 v[114:115] /*v[370:371]*/, v[10:11]
	v_mov_b64_e32 v[128:129] /*v[384:385]*/, v[8:9]
	v_mov_b64_e32 v[126:127] /*v[382:383]*/, v[6:7]
	v_mov_b64_e32 v[124:125] /*v[380:381]*/, v[4:5]
	v_mov_b64_e32 v[122:123] /*v[378:379]*/, v[2:3]
	v_wmma_f32_16x16x32_f16 v[114:121] /*v[370:377]*/, v[186:193], v[202:209], v[114:121] /*v[370:377]*/
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[122:129] /*v[378:385]*/, v[194:201], v[202:209], v[122:129] /*v[378:385]*/
	v_wmma_f32_16x16x32_f16 v[114:121] /*v[370:377]*/, v[146:153], v[138:145], v[114:121] /*v[370:377]*/
	s_delay_alu instid0(TRANS32_DEP_2)
	v_wmma_f32_16x16x32_f16 v[122:129] /*v[378:385]*/, v[130:137], v[138:145], v[122:129] /*v[378:385]*/
	s_set_vgpr_msb 0x5000                   ;  msbs: dst=0 src0=0 src1=0 src2=0
.LBB0_17:
	s_cmp_eq_u32 s69, s3
	s_cselect_b32 s12, -1, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_and_b32 s0, s2, s12
	s_and_b32 s0, s0, exec_lo
	s_cselect_b32 s0, 1, 0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_lg_u32 s0, 1
	s_cbranch_scc1 .LBB0_19
; %bb.18:
	s_lshl_b32 s0, s76, 6
	s_lshl_b32 s6, s38, 7
	s_lshl_b32 s14, s5, 7
	s_and_b32 s17, s49, 0xffff
	s_mov_b32 s16, s48
	s_lshr_b64 s[18:19], s[34:35], 16
	s_mov_b32 s20, s31
	s_mov_b32 s21, s34
	s_mov_b32 s8, 32
	s_mov_b32 s9, s48
	s_mov_b32 s10, s49
	s_ashr_i32 s7, s6, 31
	s_ashr_i32 s15, s14, 31
	s_sub_co_i32 s13, s18, s6
	s_mul_u64 s[18:19], s[16:17], s[50:51]
	s_mul_u64 s[16:17], s[16:17], s[6:7]
	s_max_i32 s13, s13, 0
	s_add_nc_u64 s[16:17], s[16:17], s[14:15]
	s_wait_dscnt 0x1
	v_nop
	v_nop
	v_nop
	v_nop
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v130, v2 /*v258*/, v3 /*v259*/
	s_lshl_b64 s[16:17], s[16:17], 1
	s_cmp_gt_i32 s6, -1
	s_add_nc_u64 s[6:7], s[16:17], s[28:29]
	s_cselect_b32 s15, s13, 0
	s_lshr_b64 s[16:17], s[20:21], 16
	s_add_nc_u64 s[38:39], s[6:7], s[18:19]
	s_sub_co_i32 s6, s16, s14
	v_cvt_pk_f16_f32 v131, v4 /*v260*/, v5 /*v261*/
	s_max_i32 s6, s6, 0
	s_cmp_gt_i32 s5, -1
	v_cvt_pk_f16_f32 v132, v6 /*v262*/, v7 /*v263*/
	s_cselect_b32 s14, s6, 0
	s_and_b32 s5, s15, 0x7fff0000
	s_add_co_i32 s37, s75, 0x117d0
	s_lshr_b64 s[6:7], s[14:15], 16
	s_and_b32 s7, s14, 0xffff
	s_lshl_b32 s13, s6, 16
	s_lshr_b32 s6, s6, 16
	s_or_b32 s13, s13, s7
	s_or_b32 s6, s6, s5
	s_min_u32 s5, s13, 0x80
	s_sub_co_i32 s6, s6, s73
	v_cvt_pk_f16_f32 v133, v8 /*v264*/, v9 /*v265*/
	s_set_vgpr_msb 0x501                    ;  msbs: dst=0 src0=1 src1=0 src2=0
	s_wait_dscnt 0x0
	v_or3_b32 v142, v130 /*v386*/, v1, s0
	s_wait_alu depctr_vm_vsrc(0)
	s_set_vgpr_msb 0x105                    ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v134, v10 /*v266*/, v11 /*v267*/
	v_cvt_pk_f16_f32 v135, v12 /*v268*/, v13 /*v269*/
	v_cvt_pk_f16_f32 v136, v14 /*v270*/, v15 /*v271*/
	v_cvt_pk_f16_f32 v137, v16 /*v272*/, v17 /*v273*/
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_lshrrev_b32_e32 v141, 4, v142
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v138, v18 /*v274*/, v19 /*v275*/
	v_cvt_pk_f16_f32 v139, v20 /*v276*/, v21 /*v277*/
	v_cvt_pk_f16_f32 v140, v22 /*v278*/, v23 /*v279*/
	s_max_i32 s0, s6, 0
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_and_b32_e32 v143, 0x1f0, v141
	s_lshl_b32 s5, s5, 16
	s_lshl_b32 s6, s0, 16
	s_lshr_b32 s0, s0, 16
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v141, v24 /*v280*/, v25 /*v281*/
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_add3_u32 v158, 0x117d0, v142, v143
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v142, v26 /*v282*/, v27 /*v283*/
	v_cvt_pk_f16_f32 v143, v28 /*v284*/, v29 /*v285*/
	v_cvt_pk_f16_f32 v144, v30 /*v286*/, v31 /*v287*/
	v_cvt_pk_f16_f32 v145, v32 /*v288*/, v33 /*v289*/
	v_cvt_pk_f16_f32 v146, v34 /*v290*/, v35 /*v291*/
	v_cvt_pk_f16_f32 v147, v36 /*v292*/, v37 /*v293*/
	v_cvt_pk_f16_f32 v148, v38 /*v294*/, v39 /*v295*/
	v_cvt_pk_f16_f32 v149, v40 /*v296*/, v41 /*v297*/
	v_cvt_pk_f16_f32 v150, v42 /*v298*/, v43 /*v299*/
	v_cvt_pk_f16_f32 v151, v44 /*v300*/, v45 /*v301*/
	v_cvt_pk_f16_f32 v152, v46 /*v302*/, v47 /*v303*/
	v_cvt_pk_f16_f32 v153, v48 /*v304*/, v49 /*v305*/
	v_cvt_pk_f16_f32 v154, v50 /*v306*/, v51 /*v307*/
	v_cvt_pk_f16_f32 v155, v52 /*v308*/, v53 /*v309*/
	v_cvt_pk_f16_f32 v156, v54 /*v310*/, v55 /*v311*/
	s_wait_alu depctr_va_vdst(14)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[130:133]
	ds_store_b128 v158, v[134:137] offset:64
	ds_store_b128 v158, v[138:141] offset:128
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v157, v56 /*v312*/, v57 /*v313*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[142:145] offset:192
	s_wait_alu depctr_vm_vsrc(3)
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v130, v58 /*v314*/, v59 /*v315*/
	v_cvt_pk_f16_f32 v131, v60 /*v316*/, v61 /*v317*/
	v_cvt_pk_f16_f32 v132, v62 /*v318*/, v63 /*v319*/
	s_wait_alu depctr_va_vdst(11)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[146:149] offset:8704
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v133, v64 /*v320*/, v65 /*v321*/
	s_wait_alu depctr_vm_vsrc(3)
	v_cvt_pk_f16_f32 v134, v66 /*v322*/, v67 /*v323*/
	v_cvt_pk_f16_f32 v135, v68 /*v324*/, v69 /*v325*/
	s_wait_alu depctr_va_vdst(10)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[150:153] offset:8768
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v136, v70 /*v326*/, v71 /*v327*/
	v_cvt_pk_f16_f32 v137, v72 /*v328*/, v73 /*v329*/
	s_wait_alu depctr_vm_vsrc(3)
	v_cvt_pk_f16_f32 v138, v74 /*v330*/, v75 /*v331*/
	v_cvt_pk_f16_f32 v139, v76 /*v332*/, v77 /*v333*/
	v_cvt_pk_f16_f32 v140, v78 /*v334*/, v79 /*v335*/
	v_cvt_pk_f16_f32 v141, v80 /*v336*/, v81 /*v337*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[154:157] offset:8832
	s_wait_alu depctr_vm_vsrc(3)
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v142, v82 /*v338*/, v83 /*v339*/
	v_cvt_pk_f16_f32 v143, v84 /*v340*/, v85 /*v341*/
	v_cvt_pk_f16_f32 v144, v86 /*v342*/, v87 /*v343*/
	v_cvt_pk_f16_f32 v145, v88 /*v344*/, v89 /*v345*/
	s_wait_alu depctr_vm_vsrc(2)
	v_cvt_pk_f16_f32 v146, v90 /*v346*/, v91 /*v347*/
	s_wait_alu depctr_va_vdst(13)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[130:133] offset:8896
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v147, v92 /*v348*/, v93 /*v349*/
	v_cvt_pk_f16_f32 v148, v94 /*v350*/, v95 /*v351*/
	v_cvt_pk_f16_f32 v149, v96 /*v352*/, v97 /*v353*/
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v130, v98 /*v354*/, v99 /*v355*/
	s_wait_alu depctr_va_vdst(13)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[134:137] offset:17408
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v131, v100 /*v356*/, v101 /*v357*/
	v_cvt_pk_f16_f32 v132, v102 /*v358*/, v103 /*v359*/
	v_cvt_pk_f16_f32 v133, v104 /*v360*/, v105 /*v361*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[138:141] offset:17472
	s_wait_alu depctr_vm_vsrc(1)
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v134, v106 /*v362*/, v107 /*v363*/
	v_cvt_pk_f16_f32 v135, v108 /*v364*/, v109 /*v365*/
	v_cvt_pk_f16_f32 v136, v110 /*v366*/, v111 /*v367*/
	v_cvt_pk_f16_f32 v137, v112 /*v368*/, v113 /*v369*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[142:145] offset:17536
	s_wait_alu depctr_vm_vsrc(1)
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v138, v114 /*v370*/, v115 /*v371*/
	v_cvt_pk_f16_f32 v139, v116 /*v372*/, v117 /*v373*/
	v_cvt_pk_f16_f32 v140, v118 /*v374*/, v119 /*v375*/
	v_cvt_pk_f16_f32 v141, v120 /*v376*/, v121 /*v377*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[146:149] offset:17600
	s_wait_alu depctr_vm_vsrc(1)
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v142, v122 /*v378*/, v123 /*v379*/
	v_cvt_pk_f16_f32 v143, v124 /*v380*/, v125 /*v381*/
	v_cvt_pk_f16_f32 v144, v126 /*v382*/, v127 /*v383*/
	v_cvt_pk_f16_f32 v145, v128 /*v384*/, v129 /*v385*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v158, v[130:133] offset:26112
	s_or_b32 s7, s0, 0x880000
	s_wait_alu depctr_va_vdst(8)
	ds_store_b128 v158, v[134:137] offset:26176
	s_wait_alu depctr_va_vdst(4)
	ds_store_b128 v158, v[138:141] offset:26240
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v158, v[142:145] offset:26304
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_tensorcnt 0xa
	tensor_store_from_lds s[36:39], s[4:11]
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
.LBB0_19:
	s_wait_tensorcnt 0x0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_mov_b32 s0, 0
	s_and_b32 s5, s74, exec_lo
	s_cselect_b32 s5, 1, 0
	s_wait_alu depctr_vm_vsrc(3)
	v_nop
	v_nop
	v_nop
	v_nop
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	v_cndmask_b32_e64 v130, v2 /*v258*/, 0, s12
	v_cndmask_b32_e64 v131, v3 /*v259*/, 0, s12
	v_cndmask_b32_e64 v132, v4 /*v260*/, 0, s12
	v_cndmask_b32_e64 v133, v5 /*v261*/, 0, s12
	s_wait_alu depctr_vm_vsrc(0)
	v_cndmask_b32_e64 v134, v6 /*v262*/, 0, s12
	v_cndmask_b32_e64 v135, v7 /*v263*/, 0, s12
	v_cndmask_b32_e64 v136, v8 /*v264*/, 0, s12
	v_cndmask_b32_e64 v137, v9 /*v265*/, 0, s12
	v_cndmask_b32_e64 v146, v10 /*v266*/, 0, s12
	v_cndmask_b32_e64 v147, v11 /*v267*/, 0, s12
	v_cndmask_b32_e64 v148, v12 /*v268*/, 0, s12
	v_cndmask_b32_e64 v149, v13 /*v269*/, 0, s12
	v_cndmask_b32_e64 v150, v14 /*v270*/, 0, s12
	v_cndmask_b32_e64 v151, v15 /*v271*/, 0, s12
	v_cndmask_b32_e64 v152, v16 /*v272*/, 0, s12
	v_cndmask_b32_e64 v153, v17 /*v273*/, 0, s12
	v_cndmask_b32_e64 v138, v18 /*v274*/, 0, s12
	v_cndmask_b32_e64 v139, v19 /*v275*/, 0, s12
	v_cndmask_b32_e64 v140, v20 /*v276*/, 0, s12
	v_cndmask_b32_e64 v141, v21 /*v277*/, 0, s12
	v_cndmask_b32_e64 v142, v22 /*v278*/, 0, s12
	v_cndmask_b32_e64 v143, v23 /*v279*/, 0, s12
	v_cndmask_b32_e64 v144, v24 /*v280*/, 0, s12
	v_cndmask_b32_e64 v145, v25 /*v281*/, 0, s12
	v_cndmask_b32_e64 v154, v26 /*v282*/, 0, s12
	v_cndmask_b32_e64 v155, v27 /*v283*/, 0, s12
	v_cndmask_b32_e64 v156, v28 /*v284*/, 0, s12
	v_cndmask_b32_e64 v157, v29 /*v285*/, 0, s12
	v_cndmask_b32_e64 v158, v30 /*v286*/, 0, s12
	v_cndmask_b32_e64 v159, v31 /*v287*/, 0, s12
	v_cndmask_b32_e64 v160, v32 /*v288*/, 0, s12
	v_cndmask_b32_e64 v161, v33 /*v289*/, 0, s12
	v_cndmask_b32_e64 v162, v34 /*v290*/, 0, s12
	v_cndmask_b32_e64 v163, v35 /*v291*/, 0, s12
	v_cndmask_b32_e64 v164, v36 /*v292*/, 0, s12
	v_cndmask_b32_e64 v165, v37 /*v293*/, 0, s12
	v_cndmask_b32_e64 v166, v38 /*v294*/, 0, s12
	v_cndmask_b32_e64 v167, v39 /*v295*/, 0, s12
	v_cndmask_b32_e64 v168, v40 /*v296*/, 0, s12
	v_cndmask_b32_e64 v169, v41 /*v297*/, 0, s12
	v_cndmask_b32_e64 v170, v42 /*v298*/, 0, s12
	v_cndmask_b32_e64 v171, v43 /*v299*/, 0, s12
	v_cndmask_b32_e64 v172, v44 /*v300*/, 0, s12
	v_cndmask_b32_e64 v173, v45 /*v301*/, 0, s12
	v_cndmask_b32_e64 v174, v46 /*v302*/, 0, s12
	v_cndmask_b32_e64 v175, v47 /*v303*/, 0, s12
	v_cndmask_b32_e64 v176, v48 /*v304*/, 0, s12
	v_cndmask_b32_e64 v177, v49 /*v305*/, 0, s12
	v_cndmask_b32_e64 v178, v50 /*v306*/, 0, s12
	v_cndmask_b32_e64 v179, v51 /*v307*/, 0, s12
	v_cndmask_b32_e64 v180, v52 /*v308*/, 0, s12
	v_cndmask_b32_e64 v181, v53 /*v309*/, 0, s12
	v_cndmask_b32_e64 v182, v54 /*v310*/, 0, s12
	v_cndmask_b32_e64 v183, v55 /*v311*/, 0, s12
	v_cndmask_b32_e64 v184, v56 /*v312*/, 0, s12
	v_cndmask_b32_e64 v185, v57 /*v313*/, 0, s12
	v_cndmask_b32_e64 v186, v58 /*v314*/, 0, s12
	v_cndmask_b32_e64 v187, v59 /*v315*/, 0, s12
	v_cndmask_b32_e64 v188, v60 /*v316*/, 0, s12
	v_cndmask_b32_e64 v189, v61 /*v317*/, 0, s12
	v_cndmask_b32_e64 v190, v62 /*v318*/, 0, s12
	v_cndmask_b32_e64 v191, v63 /*v319*/, 0, s12
	v_cndmask_b32_e64 v192, v64 /*v320*/, 0, s12
	v_cndmask_b32_e64 v193, v65 /*v321*/, 0, s12
	v_cndmask_b32_e64 v194, v66 /*v322*/, 0, s12
	v_cndmask_b32_e64 v195, v67 /*v323*/, 0, s12
	v_cndmask_b32_e64 v196, v68 /*v324*/, 0, s12
	v_cndmask_b32_e64 v197, v69 /*v325*/, 0, s12
	v_cndmask_b32_e64 v198, v70 /*v326*/, 0, s12
	v_cndmask_b32_e64 v199, v71 /*v327*/, 0, s12
	v_cndmask_b32_e64 v200, v72 /*v328*/, 0, s12
	v_cndmask_b32_e64 v201, v73 /*v329*/, 0, s12
	v_cndmask_b32_e64 v202, v74 /*v330*/, 0, s12
	v_cndmask_b32_e64 v203, v75 /*v331*/, 0, s12
	v_cndmask_b32_e64 v204, v76 /*v332*/, 0, s12
	v_cndmask_b32_e64 v205, v77 /*v333*/, 0, s12
	v_cndmask_b32_e64 v206, v78 /*v334*/, 0, s12
	v_cndmask_b32_e64 v207, v79 /*v335*/, 0, s12
	v_cndmask_b32_e64 v208, v80 /*v336*/, 0, s12
	v_cndmask_b32_e64 v209, v81 /*v337*/, 0, s12
	v_cndmask_b32_e64 v210, v82 /*v338*/, 0, s12
	v_cndmask_b32_e64 v211, v83 /*v339*/, 0, s12
	v_cndmask_b32_e64 v212, v84 /*v340*/, 0, s12
	v_cndmask_b32_e64 v213, v85 /*v341*/, 0, s12
	v_cndmask_b32_e64 v214, v86 /*v342*/, 0, s12
	v_cndmask_b32_e64 v215, v87 /*v343*/, 0, s12
	v_cndmask_b32_e64 v216, v88 /*v344*/, 0, s12
	v_cndmask_b32_e64 v217, v89 /*v345*/, 0, s12
	v_cndmask_b32_e64 v218, v90 /*v346*/, 0, s12
	v_cndmask_b32_e64 v219, v91 /*v347*/, 0, s12
	v_cndmask_b32_e64 v220, v92 /*v348*/, 0, s12
	v_cndmask_b32_e64 v221, v93 /*v349*/, 0, s12
	v_cndmask_b32_e64 v222, v94 /*v350*/, 0, s12
	v_cndmask_b32_e64 v223, v95 /*v351*/, 0, s12
	v_cndmask_b32_e64 v224, v96 /*v352*/, 0, s12
	v_cndmask_b32_e64 v225, v97 /*v353*/, 0, s12
	v_cndmask_b32_e64 v226, v98 /*v354*/, 0, s12
	v_cndmask_b32_e64 v227, v99 /*v355*/, 0, s12
	v_cndmask_b32_e64 v228, v100 /*v356*/, 0, s12
	v_cndmask_b32_e64 v229, v101 /*v357*/, 0, s12
	v_cndmask_b32_e64 v230, v102 /*v358*/, 0, s12
	v_cndmask_b32_e64 v231, v103 /*v359*/, 0, s12
	v_cndmask_b32_e64 v232, v104 /*v360*/, 0, s12
	v_cndmask_b32_e64 v233, v105 /*v361*/, 0, s12
	v_cndmask_b32_e64 v234, v106 /*v362*/, 0, s12
	v_cndmask_b32_e64 v235, v107 /*v363*/, 0, s12
	v_cndmask_b32_e64 v236, v108 /*v364*/, 0, s12
	v_cndmask_b32_e64 v237, v109 /*v365*/, 0, s12
	v_cndmask_b32_e64 v238, v110 /*v366*/, 0, s12
	v_cndmask_b32_e64 v239, v111 /*v367*/, 0, s12
	v_cndmask_b32_e64 v240, v112 /*v368*/, 0, s12
	v_cndmask_b32_e64 v241, v113 /*v369*/, 0, s12
	v_cndmask_b32_e64 v242, v114 /*v370*/, 0, s12
	v_cndmask_b32_e64 v243, v115 /*v371*/, 0, s12
	v_cndmask_b32_e64 v244, v116 /*v372*/, 0, s12
	v_cndmask_b32_e64 v245, v117 /*v373*/, 0, s12
	v_cndmask_b32_e64 v246, v118 /*v374*/, 0, s12
	v_cndmask_b32_e64 v247, v119 /*v375*/, 0, s12
	v_cndmask_b32_e64 v248, v120 /*v376*/, 0, s12
	v_cndmask_b32_e64 v249, v121 /*v377*/, 0, s12
	v_cndmask_b32_e64 v250, v122 /*v378*/, 0, s12
	v_cndmask_b32_e64 v251, v123 /*v379*/, 0, s12
	v_cndmask_b32_e64 v252, v124 /*v380*/, 0, s12
	v_cndmask_b32_e64 v253, v125 /*v381*/, 0, s12
	v_cndmask_b32_e64 v254, v126 /*v382*/, 0, s12
	v_cndmask_b32_e64 v255, v127 /*v383*/, 0, s12
	s_set_vgpr_msb 0x141                    ;  msbs: dst=1 src0=1 src1=0 src2=0
	v_cndmask_b32_e64 v0 /*v256*/, v128 /*v384*/, 0, s12
	v_cndmask_b32_e64 v1 /*v257*/, v129 /*v385*/, 0, s12
	s_barrier_wait -1
	s_cmp_lg_u32 s5, 1
	s_set_vgpr_msb 0x4100                   ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_cbranch_scc1 .LBB0_21
; %bb.20:
	s_set_vgpr_msb 4                        ;  msbs: dst=0 src0=0 src1=1 src2=0
	v_dual_add_nc_u32 v98, s47, v131 /*v387*/ :: v_dual_add_nc_u32 v122, s1, v132 /*v388*/
	s_wait_alu depctr_va_vdst(0)
	ds_load_b128 v[2:5], v98
	ds_load_b128 v[6:9], v98 offset:32
	ds_load_b128 v[10:13], v122
	ds_load_b128 v[14:17], v122 offset:32
	ds_load_b128 v[22:25], v98 offset:4640
	ds_load_b128 v[18:21], v98 offset:4608
	ds_load_b128 v[30:33], v98 offset:9248
	ds_load_b128 v[26:29], v98 offset:9216
	ds_load_b128 v[38:41], v98 offset:13856
	ds_load_b128 v[34:37], v98 offset:13824
	ds_load_b128 v[46:49], v122 offset:4384
	ds_load_b128 v[42:45], v122 offset:4352
	ds_load_b128 v[54:57], v122 offset:8736
	ds_load_b128 v[50:53], v122 offset:8704
	ds_load_b128 v[62:65], v122 offset:13088
	ds_load_b128 v[58:61], v122 offset:13056
	ds_load_b128 v[70:73], v98 offset:96
	ds_load_b128 v[66:69], v98 offset:64
	ds_load_b128 v[78:81], v122 offset:96
	s_set_vgpr_msb 0x400                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_wait_dscnt 0xf
	v_wmma_f32_16x16x32_f16 v[130:137], v[2:9], v[10:17], v[130:137]
	s_wait_dscnt 0xd
	v_wmma_f32_16x16x32_f16 v[146:153], v[18:25], v[10:17], v[146:153]
	s_wait_dscnt 0xb
	v_wmma_f32_16x16x32_f16 v[138:145], v[26:33], v[10:17], v[138:145]
	s_wait_dscnt 0x9
	v_wmma_f32_16x16x32_f16 v[154:161], v[34:41], v[10:17], v[154:161]
	s_wait_alu depctr_va_vdst(3)
	ds_load_b128 v[74:77], v122 offset:64
	ds_load_b128 v[86:89], v98 offset:4704
	ds_load_b128 v[82:85], v98 offset:4672
	ds_load_b128 v[94:97], v98 offset:9312
	ds_load_b128 v[90:93], v98 offset:9280
	ds_load_b128 v[102:105], v98 offset:13920
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[98:101], v98 offset:13888
	s_wait_dscnt 0xe
	v_wmma_f32_16x16x32_f16 v[162:169], v[2:9], v[42:49], v[162:169]
	ds_load_b128 v[110:113], v122 offset:4448
	ds_load_b128 v[106:109], v122 offset:4416
	ds_load_b128 v[118:121], v122 offset:13152
	ds_load_b128 v[114:117], v122 offset:13120
	ds_load_b128 v[126:129], v122 offset:8800
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[122:125], v122 offset:8768
	v_wmma_f32_16x16x32_f16 v[170:177], v[18:25], v[42:49], v[170:177]
	v_wmma_f32_16x16x32_f16 v[178:185], v[26:33], v[42:49], v[178:185]
	v_wmma_f32_16x16x32_f16 v[186:193], v[34:41], v[42:49], v[186:193]
	s_wait_dscnt 0x12
	v_wmma_f32_16x16x32_f16 v[194:201], v[2:9], v[50:57], v[194:201]
	v_wmma_f32_16x16x32_f16 v[202:209], v[18:25], v[50:57], v[202:209]
	v_wmma_f32_16x16x32_f16 v[210:217], v[26:33], v[50:57], v[210:217]
	v_wmma_f32_16x16x32_f16 v[218:225], v[34:41], v[50:57], v[218:225]
	s_wait_dscnt 0x10
	v_wmma_f32_16x16x32_f16 v[226:233], v[2:9], v[58:65], v[226:233]
	v_wmma_f32_16x16x32_f16 v[234:241], v[18:25], v[58:65], v[234:241]
	v_wmma_f32_16x16x32_f16 v[242:249], v[26:33], v[58:65], v[242:249]
	v_wmma_f32_16x16x32_f16 v[250:257], v[34:41], v[58:65], v[250:257]
	s_wait_dscnt 0xc
	v_wmma_f32_16x16x32_f16 v[130:137], v[66:73], v[74:81], v[130:137]
	s_wait_dscnt 0xa
	v_wmma_f32_16x16x32_f16 v[146:153], v[82:89], v[74:81], v[146:153]
	s_wait_dscnt 0x8
	v_wmma_f32_16x16x32_f16 v[138:145], v[90:97], v[74:81], v[138:145]
	s_wait_dscnt 0x6
	v_wmma_f32_16x16x32_f16 v[154:161], v[98:105], v[74:81], v[154:161]
	s_wait_dscnt 0x4
	v_wmma_f32_16x16x32_f16 v[162:169], v[66:73], v[106:113], v[162:169]
	v_wmma_f32_16x16x32_f16 v[170:177], v[82:89], v[106:113], v[170:177]
	v_wmma_f32_16x16x32_f16 v[178:185], v[90:97], v[106:113], v[178:185]
	v_wmma_f32_16x16x32_f16 v[186:193], v[98:105], v[106:113], v[186:193]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[194:201], v[66:73], v[122:129], v[194:201]
	v_wmma_f32_16x16x32_f16 v[202:209], v[82:89], v[122:129], v[202:209]
	v_wmma_f32_16x16x32_f16 v[210:217], v[90:97], v[122:129], v[210:217]
	v_wmma_f32_16x16x32_f16 v[218:225], v[98:105], v[122:129], v[218:225]
	v_wmma_f32_16x16x32_f16 v[226:233], v[66:73], v[114:121], v[226:233]
	v_wmma_f32_16x16x32_f16 v[234:241], v[82:89], v[114:121], v[234:241]
	v_wmma_f32_16x16x32_f16 v[242:249], v[90:97], v[114:121], v[242:249]
	v_wmma_f32_16x16x32_f16 v[250:257], v[98:105], v[114:121], v[250:257]
	s_branch .LBB0_22
.LBB0_21:
	v_dual_cndmask_b32 v130, v114, v130, s2 :: v_dual_cndmask_b32 v131, v115, v131, s2
	v_dual_cndmask_b32 v132, v116, v132, s2 :: v_dual_cndmask_b32 v133, v117, v133, s2
	v_dual_cndmask_b32 v134, v118, v134, s2 :: v_dual_cndmask_b32 v135, v119, v135, s2
	v_dual_cndmask_b32 v136, v120, v136, s2 :: v_dual_cndmask_b32 v137, v121, v137, s2
	v_dual_cndmask_b32 v146, v122, v146, s2 :: v_dual_cndmask_b32 v147, v123, v147, s2
	v_dual_cndmask_b32 v148, v124, v148, s2 :: v_dual_cndmask_b32 v149, v125, v149, s2
	v_dual_cndmask_b32 v150, v126, v150, s2 :: v_dual_cndmask_b32 v151, v127, v151, s2
	v_dual_cndmask_b32 v152, v128, v152, s2 :: v_dual_cndmask_b32 v153, v129, v153, s2
	v_dual_cndmask_b32 v138, v106, v138, s2 :: v_dual_cndmask_b32 v139, v107, v139, s2
	v_dual_cndmask_b32 v140, v108, v140, s2 :: v_dual_cndmask_b32 v141, v109, v141, s2
	v_dual_cndmask_b32 v142, v110, v142, s2 :: v_dual_cndmask_b32 v143, v111, v143, s2
	v_dual_cndmask_b32 v144, v112, v144, s2 :: v_dual_cndmask_b32 v145, v113, v145, s2
	v_dual_cndmask_b32 v154, v98, v154, s2 :: v_dual_cndmask_b32 v155, v99, v155, s2
	v_dual_cndmask_b32 v156, v100, v156, s2 :: v_dual_cndmask_b32 v157, v101, v157, s2
	v_dual_cndmask_b32 v158, v102, v158, s2 :: v_dual_cndmask_b32 v159, v103, v159, s2
	v_dual_cndmask_b32 v160, v104, v160, s2 :: v_dual_cndmask_b32 v161, v105, v161, s2
	v_dual_cndmask_b32 v162, v90, v162, s2 :: v_dual_cndmask_b32 v163, v91, v163, s2
	v_dual_cndmask_b32 v164, v92, v164, s2 :: v_dual_cndmask_b32 v165, v93, v165, s2
	v_dual_cndmask_b32 v166, v94, v166, s2 :: v_dual_cndmask_b32 v167, v95, v167, s2
	v_dual_cndmask_b32 v168, v96, v168, s2 :: v_dual_cndmask_b32 v169, v97, v169, s2
	v_dual_cndmask_b32 v170, v82, v170, s2 :: v_dual_cndmask_b32 v171, v83, v171, s2
	v_dual_cndmask_b32 v172, v84, v172, s2 :: v_dual_cndmask_b32 v173, v85, v173, s2
	v_dual_cndmask_b32 v174, v86, v174, s2 :: v_dual_cndmask_b32 v175, v87, v175, s2
	v_dual_cndmask_b32 v176, v88, v176, s2 :: v_dual_cndmask_b32 v177, v89, v177, s2
	v_dual_cndmask_b32 v178, v74, v178, s2 :: v_dual_cndmask_b32 v179, v75, v179, s2
	v_dual_cndmask_b32 v180, v76, v180, s2 :: v_dual_cndmask_b32 v181, v77, v181, s2
	v_dual_cndmask_b32 v182, v78, v182, s2 :: v_dual_cndmask_b32 v183, v79, v183, s2
	v_dual_cndmask_b32 v184, v80, v184, s2 :: v_dual_cndmask_b32 v185, v81, v185, s2
	v_dual_cndmask_b32 v186, v66, v186, s2 :: v_dual_cndmask_b32 v187, v67, v187, s2
	v_dual_cndmask_b32 v188, v68, v188, s2 :: v_dual_cndmask_b32 v189, v69, v189, s2
	v_dual_cndmask_b32 v190, v70, v190, s2 :: v_dual_cndmask_b32 v191, v71, v191, s2
	v_dual_cndmask_b32 v192, v72, v192, s2 :: v_dual_cndmask_b32 v193, v73, v193, s2
	v_dual_cndmask_b32 v194, v58, v194, s2 :: v_dual_cndmask_b32 v195, v59, v195, s2
	v_dual_cndmask_b32 v196, v60, v196, s2 :: v_dual_cndmask_b32 v197, v61, v197, s2
	v_dual_cndmask_b32 v198, v62, v198, s2 :: v_dual_cndmask_b32 v199, v63, v199, s2
	v_dual_cndmask_b32 v200, v64, v200, s2 :: v_dual_cndmask_b32 v201, v65, v201, s2
	v_dual_cndmask_b32 v202, v50, v202, s2 :: v_dual_cndmask_b32 v203, v51, v203, s2
	v_dual_cndmask_b32 v204, v52, v204, s2 :: v_dual_cndmask_b32 v205, v53, v205, s2
	v_dual_cndmask_b32 v206, v54, v206, s2 :: v_dual_cndmask_b32 v207, v55, v207, s2
	v_dual_cndmask_b32 v208, v56, v208, s2 :: v_dual_cndmask_b32 v209, v57, v209, s2
	v_dual_cndmask_b32 v210, v42, v210, s2 :: v_dual_cndmask_b32 v211, v43, v211, s2
	v_dual_cndmask_b32 v212, v44, v212, s2 :: v_dual_cndmask_b32 v213, v45, v213, s2
	v_dual_cndmask_b32 v214, v46, v214, s2 :: v_dual_cndmask_b32 v215, v47, v215, s2
	v_dual_cndmask_b32 v216, v48, v216, s2 :: v_dual_cndmask_b32 v217, v49, v217, s2
	v_dual_cndmask_b32 v218, v34, v218, s2 :: v_dual_cndmask_b32 v219, v35, v219, s2
	v_dual_cndmask_b32 v220, v36, v220, s2 :: v_dual_cndmask_b32 v221, v37, v221, s2
	v_dual_cndmask_b32 v222, v38, v222, s2 :: v_dual_cndmask_b32 v223, v39, v223, s2
	v_dual_cndmask_b32 v224, v40, v224, s2 :: v_dual_cndmask_b32 v225, v41, v225, s2
	v_dual_cndmask_b32 v226, v26, v226, s2 :: v_dual_cndmask_b32 v227, v27, v227, s2
	v_dual_cndmask_b32 v228, v28, v228, s2 :: v_dual_cndmask_b32 v229, v29, v229, s2
	v_dual_cndmask_b32 v230, v30, v230, s2 :: v_dual_cndmask_b32 v231, v31, v231, s2
	v_dual_cndmask_b32 v232, v32, v232, s2 :: v_dual_cndmask_b32 v233, v33, v233, s2
	v_dual_cndmask_b32 v234, v18, v234, s2 :: v_dual_cndmask_b32 v235, v19, v235, s2
	v_dual_cndmask_b32 v236, v20, v236, s2 :: v_dual_cndmask_b32 v237, v21, v237, s2
	v_dual_cndmask_b32 v238, v22, v238, s2 :: v_dual_cndmask_b32 v239, v23, v239, s2
	v_dual_cndmask_b32 v240, v24, v240, s2 :: v_dual_cndmask_b32 v241, v25, v241, s2
	v_dual_cndmask_b32 v242, v10, v242, s2 :: v_dual_cndmask_b32 v243, v11, v243, s2
	v_dual_cndmask_b32 v244, v12, v244, s2 :: v_dual_cndmask_b32 v245, v13, v245, s2
	v_dual_cndmask_b32 v246, v14, v246, s2 :: v_dual_cndmask_b32 v247, v15, v247, s2
	v_dual_cndmask_b32 v248, v16, v248, s2 :: v_dual_cndmask_b32 v249, v17, v249, s2
	v_dual_cndmask_b32 v250, v2, v250, s2 :: v_dual_cndmask_b32 v251, v3, v251, s2
	v_dual_cndmask_b32 v252, v4, v252, s2 :: v_dual_cndmask_b32 v253, v5, v253, s2
	v_dual_cndmask_b32 v254, v6, v254, s2 :: v_dual_cndmask_b32 v255, v7, v255, s2
	s_set_vgpr_msb 0x44                     ;  msbs: dst=1 src0=0 src1=1 src2=0
	v_dual_cndmask_b32 v0 /*v256*/, v8, v0 /*v256*/, s2 :: v_dual_cndmask_b32 v1 /*v257*/, v9, v1 /*v257*/, s2
	s_set_vgpr_msb 0x4400                   ;  msbs: dst=0 src0=0 src1=0 src2=0
.LBB0_22:
	s_cmp_lg_u32 s79, s3
	s_cselect_b32 s1, -1, 0
	s_xor_b32 s2, s74, -1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_or_b32 s1, s2, s1
	s_and_b32 vcc_lo, exec_lo, s1
	s_cbranch_vccnz .LBB0_24
; %bb.23:
	s_lshl_b32 s5, s76, 6
	s_lshl_b32 s0, s78, 7
	s_lshl_b32 s2, s77, 7
	s_and_b32 s7, s49, 0xffff
	s_mov_b32 s6, s48
	s_lshr_b64 s[12:13], s[34:35], 16
	s_mov_b32 s14, s31
	s_mov_b32 s15, s34
	s_mov_b32 s8, 32
	s_mov_b32 s9, s48
	s_mov_b32 s10, s49
	s_ashr_i32 s1, s0, 31
	s_ashr_i32 s3, s2, 31
	s_mul_u64 s[16:17], s[6:7], s[0:1]
	s_sub_co_i32 s1, s12, s0
	s_add_nc_u64 s[12:13], s[16:17], s[2:3]
	s_max_i32 s3, s1, 0
	s_lshl_b64 s[12:13], s[12:13], 1
	s_cmp_gt_i32 s0, -1
	s_add_nc_u64 s[0:1], s[12:13], s[28:29]
	s_cselect_b32 s3, s3, 0
	s_lshr_b64 s[12:13], s[14:15], 16
	s_mul_u64 s[6:7], s[6:7], s[50:51]
	s_sub_co_i32 s2, s12, s2
	s_add_nc_u64 s[38:39], s[0:1], s[6:7]
	s_max_i32 s1, s2, 0
	s_cmp_gt_i32 s77, -1
	s_mov_b32 s0, -1
	s_cselect_b32 s2, s1, 0
	s_and_b32 s1, s3, 0x7fff0000
	s_add_co_i32 s37, s75, 0x117d0
	s_lshr_b64 s[6:7], s[2:3], 16
	s_and_b32 s2, s2, 0xffff
	s_lshl_b32 s3, s6, 16
	s_lshr_b32 s6, s6, 16
	s_or_b32 s3, s3, s2
	s_or_b32 s6, s6, s1
	s_min_u32 s1, s3, 0x80
	s_sub_co_i32 s2, s6, s73
	v_cvt_pk_f16_f32 v2, v130, v131
	v_cvt_pk_f16_f32 v3, v132, v133
	v_cvt_pk_f16_f32 v4, v134, v135
	v_cvt_pk_f16_f32 v5, v136, v137
	s_set_vgpr_msb 1                        ;  msbs: dst=0 src0=1 src1=0 src2=0
	v_or3_b32 v1, v130 /*v386*/, v1, s5
	s_set_vgpr_msb 0x100                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	v_cvt_pk_f16_f32 v6, v146, v147
	v_cvt_pk_f16_f32 v7, v148, v149
	v_cvt_pk_f16_f32 v8, v150, v151
	v_cvt_pk_f16_f32 v9, v152, v153
	v_lshrrev_b32_e32 v13, 4, v1
	v_cvt_pk_f16_f32 v10, v138, v139
	v_cvt_pk_f16_f32 v11, v140, v141
	v_cvt_pk_f16_f32 v12, v142, v143
	s_max_i32 s2, s2, 0
	v_and_b32_e32 v14, 0x1f0, v13
	s_lshl_b32 s5, s1, 16
	s_lshl_b32 s6, s2, 16
	s_lshr_b32 s1, s2, 16
	v_cvt_pk_f16_f32 v13, v144, v145
	v_add3_u32 v1, 0x117d0, v1, v14
	v_cvt_pk_f16_f32 v14, v154, v155
	v_cvt_pk_f16_f32 v15, v156, v157
	v_cvt_pk_f16_f32 v16, v158, v159
	v_cvt_pk_f16_f32 v17, v160, v161
	v_cvt_pk_f16_f32 v18, v162, v163
	v_cvt_pk_f16_f32 v19, v164, v165
	v_cvt_pk_f16_f32 v20, v166, v167
	v_cvt_pk_f16_f32 v21, v168, v169
	v_cvt_pk_f16_f32 v22, v170, v171
	v_cvt_pk_f16_f32 v23, v172, v173
	v_cvt_pk_f16_f32 v24, v174, v175
	v_cvt_pk_f16_f32 v25, v176, v177
	v_cvt_pk_f16_f32 v26, v178, v179
	v_cvt_pk_f16_f32 v27, v180, v181
	v_cvt_pk_f16_f32 v28, v182, v183
	s_wait_alu depctr_va_vdst(14)
	ds_store_b128 v1, v[2:5]
	ds_store_b128 v1, v[6:9] offset:64
	ds_store_b128 v1, v[10:13] offset:128
	v_cvt_pk_f16_f32 v29, v184, v185
	s_wait_alu depctr_va_vdst(12)
	ds_store_b128 v1, v[14:17] offset:192
	s_wait_alu depctr_vm_vsrc(3)
	v_cvt_pk_f16_f32 v2, v186, v187
	v_cvt_pk_f16_f32 v3, v188, v189
	v_cvt_pk_f16_f32 v4, v190, v191
	s_wait_alu depctr_va_vdst(11)
	ds_store_b128 v1, v[18:21] offset:8704
	v_cvt_pk_f16_f32 v5, v192, v193
	s_wait_alu depctr_vm_vsrc(3)
	v_cvt_pk_f16_f32 v6, v194, v195
	v_cvt_pk_f16_f32 v7, v196, v197
	s_wait_alu depctr_va_vdst(10)
	ds_store_b128 v1, v[22:25] offset:8768
	v_cvt_pk_f16_f32 v8, v198, v199
	v_cvt_pk_f16_f32 v9, v200, v201
	s_wait_alu depctr_vm_vsrc(3)
	v_cvt_pk_f16_f32 v10, v202, v203
	v_cvt_pk_f16_f32 v11, v204, v205
	v_cvt_pk_f16_f32 v12, v206, v207
	v_cvt_pk_f16_f32 v13, v208, v209
	s_wait_alu depctr_va_vdst(12)
	ds_store_b128 v1, v[26:29] offset:8832
	s_wait_alu depctr_vm_vsrc(3)
	v_cvt_pk_f16_f32 v14, v210, v211
	v_cvt_pk_f16_f32 v15, v212, v213
	v_cvt_pk_f16_f32 v16, v214, v215
	v_cvt_pk_f16_f32 v17, v216, v217
	s_wait_alu depctr_vm_vsrc(2)
	v_cvt_pk_f16_f32 v18, v218, v219
	s_wait_alu depctr_va_vdst(13)
	ds_store_b128 v1, v[2:5] offset:8896
	v_cvt_pk_f16_f32 v19, v220, v221
	v_cvt_pk_f16_f32 v20, v222, v223
	v_cvt_pk_f16_f32 v21, v224, v225
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v2, v226, v227
	s_wait_alu depctr_va_vdst(13)
	ds_store_b128 v1, v[6:9] offset:17408
	v_cvt_pk_f16_f32 v3, v228, v229
	v_cvt_pk_f16_f32 v4, v230, v231
	v_cvt_pk_f16_f32 v5, v232, v233
	s_wait_alu depctr_va_vdst(12)
	ds_store_b128 v1, v[10:13] offset:17472
	s_wait_alu depctr_vm_vsrc(1)
	v_cvt_pk_f16_f32 v6, v234, v235
	v_cvt_pk_f16_f32 v7, v236, v237
	v_cvt_pk_f16_f32 v8, v238, v239
	v_cvt_pk_f16_f32 v9, v240, v241
	s_wait_alu depctr_va_vdst(12)
	ds_store_b128 v1, v[14:17] offset:17536
	s_wait_alu depctr_vm_vsrc(1)
	v_cvt_pk_f16_f32 v10, v242, v243
	v_cvt_pk_f16_f32 v11, v244, v245
	v_cvt_pk_f16_f32 v12, v246, v247
	v_cvt_pk_f16_f32 v13, v248, v249
	s_wait_alu depctr_va_vdst(12)
	ds_store_b128 v1, v[18:21] offset:17600
	s_wait_alu depctr_vm_vsrc(1)
	v_cvt_pk_f16_f32 v14, v250, v251
	v_cvt_pk_f16_f32 v15, v252, v253
	v_cvt_pk_f16_f32 v16, v254, v255
	s_set_vgpr_msb 5                        ;  msbs: dst=0 src0=1 src1=1 src2=0
	v_cvt_pk_f16_f32 v17, v0 /*v256*/, v1 /*v257*/
	s_wait_alu depctr_va_vdst(12)
	s_set_vgpr_msb 0x500                    ;  msbs: dst=0 src0=0 src1=0 src2=0
	ds_store_b128 v1, v[2:5] offset:26112
	s_or_b32 s7, s1, 0x880000
	s_wait_alu depctr_va_vdst(8)
	ds_store_b128 v1, v[6:9] offset:26176
	s_wait_alu depctr_va_vdst(4)
	ds_store_b128 v1, v[10:13] offset:26240
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v1, v[14:17] offset:26304
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	tensor_store_from_lds s[36:39], s[4:11]
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
.LBB0_24:                               ; %Flow350
	s_mov_b32 s51, s0
	s_branch .LBB0_29
.LBB0_25:
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_cmp_le_i32 s30, ttmp9
	s_barrier_wait -1
	s_cbranch_scc1 .LBB0_28
; %bb.26:                               ; %.lr.ph1303
	s_mov_b32 s14, ttmp9
	s_abs_i32 s15, s72
	s_lshl_b32 s2, s33, 5
	s_cvt_f32_u32 s3, s15
	s_mov_b32 s25, 0
	s_and_b32 s1, s49, 0xffff
	s_mov_b32 s0, s48
	v_s_rcp_f32 s5, s3
	v_and_b32_e32 v0, 31, v0
	s_and_b32 s22, s2, 0x60
	s_lshr_b64 s[2:3], s[34:35], 16
	s_mov_b32 s6, s31
	s_mov_b32 s7, s34
	s_and_b32 s12, s33, 3
	s_mov_b32 s8, 32
	s_mov_b32 s9, s48
	s_mov_b32 s10, s49
	s_ashr_i32 s3, s72, 31
	s_sub_co_i32 s16, 0, s72
	s_lshl_b32 s17, s72, 7
	s_lshl_b32 s18, ttmp9, 7
	s_lshr_b64 s[6:7], s[6:7], 16
	s_mul_i32 s37, s12, 0x2200
	s_lshl_b32 s24, s12, 6
	s_lshl_b32 s19, s12, 5
	s_sub_co_i32 s7, 0, s15
	s_sub_co_i32 s20, 0, s17
	s_mov_b32 s26, s25
	s_mov_b32 s27, s25
	s_mul_u64 s[12:13], s[0:1], s[24:25]
	s_sub_co_i32 s21, s6, s18
	s_mov_b32 s24, s25
	s_mul_f32 s5, s5, 0x4f7ffffe
	s_wait_alu depctr_vm_vsrc(3)
	v_or_b32_e32 v4, s22, v0
	v_bitop3_b32 v5, s22, 0x70, v0 bitop3:0xc8
	s_wait_alu depctr_vm_vsrc(0)
	v_mov_b64_e32 v[0:1], s[24:25]
	v_mov_b64_e32 v[2:3], s[26:27]
	v_lshl_add_u32 v4, v4, 4, 0
	s_cvt_u32_f32 s22, s5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_2)
	v_add_nc_u32_e32 v4, v4, v5
	s_mul_i32 s7, s7, s22
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_mul_hi_u32 s5, s22, s7
	s_add_co_i32 s22, s22, s5
.LBB0_27:                               ; =>This Inner Loop Header: Depth=1
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_ashr_i32 s5, s14, 31
	s_abs_i32 s6, s14
	s_xor_b32 s5, s5, s3
	s_mul_hi_u32 s7, s6, s22
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	s_mul_i32 s23, s7, s15
	s_add_co_i32 s24, s7, 1
	s_sub_co_i32 s6, s6, s23
	s_sub_co_i32 s23, s6, s15
	s_cmp_ge_u32 s6, s15
	s_cselect_b32 s7, s24, s7
	s_cselect_b32 s6, s23, s6
	s_add_co_i32 s23, s7, 1
	s_cmp_ge_u32 s6, s15
	s_cselect_b32 s6, s23, s7
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_xor_b32 s6, s6, s5
	s_sub_co_i32 s5, s6, s5
	s_delay_alu instid0(SALU_CYCLE_1)
	s_mul_i32 s7, s16, s5
	s_lshl_b32 s6, s5, 7
	s_mul_i32 s23, s20, s5
	s_mul_i32 s5, s17, s5
	s_add_co_i32 s31, s14, s7
	s_add_co_i32 s24, s18, s23
	s_ashr_i32 s7, s6, 31
	s_sub_co_i32 s23, s2, s6
	s_mul_u64 s[26:27], s[0:1], s[6:7]
	s_ashr_i32 s25, s24, 31
	s_max_i32 s23, s23, 0
	s_barrier_wait -1
	s_add_nc_u64 s[24:25], s[26:27], s[24:25]
	s_wait_alu depctr_va_vdst(0)
	ds_store_b128 v4, v[0:3]
	s_lshl_b64 s[24:25], s[24:25], 1
	s_cmp_gt_i32 s6, -1
	s_add_nc_u64 s[6:7], s[24:25], s[28:29]
	s_cselect_b32 s25, s23, 0
	s_add_co_i32 s5, s21, s5
	s_add_nc_u64 s[38:39], s[6:7], s[12:13]
	s_max_i32 s5, s5, 0
	s_cmp_gt_i32 s31, -1
	ds_store_b128 v4, v[0:3] offset:2176
	s_cselect_b32 s24, s5, 0
	s_and_b32 s5, s25, 0x7fff0000
	s_lshr_b64 s[6:7], s[24:25], 16
	s_and_b32 s7, s24, 0xffff
	s_lshl_b32 s23, s6, 16
	s_lshr_b32 s6, s6, 16
	s_or_b32 s23, s23, s7
	s_sub_co_i32 s5, s5, s19
	s_min_u32 s7, s23, 0x80
	s_add_co_i32 s6, s5, s6
	s_lshl_b32 s5, s7, 16
	s_max_i32 s7, s6, 0
	s_add_co_i32 s14, s14, 2
	s_lshl_b32 s6, s7, 16
	s_lshr_b32 s7, s7, 16
	s_addk_co_i32 s21, 0xff00
	s_or_b32 s7, s7, 0x880000
	s_addk_co_i32 s18, 0x100
	ds_store_b128 v4, v[0:3] offset:4352
	ds_store_b128 v4, v[0:3] offset:6528
	ds_store_b128 v4, v[0:3] offset:8704
	ds_store_b128 v4, v[0:3] offset:10880
	ds_store_b128 v4, v[0:3] offset:13056
	ds_store_b128 v4, v[0:3] offset:15232
	ds_store_b128 v4, v[0:3] offset:17408
	ds_store_b128 v4, v[0:3] offset:19584
	ds_store_b128 v4, v[0:3] offset:21760
	ds_store_b128 v4, v[0:3] offset:23936
	ds_store_b128 v4, v[0:3] offset:26112
	ds_store_b128 v4, v[0:3] offset:28288
	ds_store_b128 v4, v[0:3] offset:30464
	ds_store_b128 v4, v[0:3] offset:32640
	s_cmp_lt_i32 s14, s30
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	tensor_store_from_lds s[36:39], s[4:11]
	s_cbranch_scc1 .LBB0_27
.LBB0_28:                               ; %._crit_edge1304
	s_wait_tensorcnt 0x0
	s_barrier_signal -1
	s_mov_b32 s51, -1
	s_barrier_wait -1
.LBB0_29:                               ; %Flow351
	s_and_b32 vcc_lo, exec_lo, s51
	s_cbranch_vccnz .LBB0_31
; %bb.30:
	s_endpgm
.LBB0_31:                               ; %.sink.split
	s_endpgm
.Lfunc_end0:
	.size	persistent, .Lfunc_end0-persistent
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel persistent
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 248
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
		.amdhsa_next_free_vgpr 389
		.amdhsa_next_free_sgpr 97
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
	.set .Lpersistent.num_vgpr, 389
	.set .Lpersistent.num_agpr, 0
	.set .Lpersistent.numbered_sgpr, 97
	.set .Lpersistent.num_named_barrier, 0
	.set .Lpersistent.private_seg_size, 0
	.set .Lpersistent.uses_vcc, 1
	.set .Lpersistent.uses_flat_scratch, 0
	.set .Lpersistent.has_dyn_sized_stack, 0
	.set .Lpersistent.has_recursion, 0
	.set .Lpersistent.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 12752
; TotalNumSgprs: 99
; NumVgprs: 389
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 24
; NumSGPRsForWavesPerEU: 99
; NumVGPRsForWavesPerEU: 389
; NamedBarCnt: 0
; Occupancy: 2
; WaveLimiterHint : 1
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
      - .offset:         0
        .size:           48
        .value_kind:     by_value
      - .offset:         48
        .size:           4
        .value_kind:     by_value
      - .offset:         52
        .size:           4
        .value_kind:     by_value
      - .offset:         56
        .size:           8
        .value_kind:     by_value
      - .offset:         64
        .size:           8
        .value_kind:     by_value
      - .offset:         72
        .size:           48
        .value_kind:     by_value
      - .offset:         120
        .size:           4
        .value_kind:     by_value
      - .offset:         124
        .size:           4
        .value_kind:     by_value
      - .offset:         128
        .size:           8
        .value_kind:     by_value
      - .offset:         136
        .size:           8
        .value_kind:     by_value
      - .offset:         144
        .size:           48
        .value_kind:     by_value
      - .offset:         192
        .size:           4
        .value_kind:     by_value
      - .offset:         196
        .size:           4
        .value_kind:     by_value
      - .offset:         200
        .size:           8
        .value_kind:     by_value
      - .offset:         208
        .size:           8
        .value_kind:     by_value
      - .offset:         216
        .size:           4
        .value_kind:     by_value
      - .offset:         220
        .size:           4
        .value_kind:     by_value
      - .offset:         224
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         232
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         240
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 248
    .max_flat_workgroup_size: 128
    .name:           persistent
    .private_segment_fixed_size: 0
    .sgpr_count:     99
    .sgpr_spill_count: 0
    .symbol:         persistent.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     389
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
