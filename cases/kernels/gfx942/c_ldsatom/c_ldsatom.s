	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	ldsatom                 ; -- Begin function ldsatom
	.globl	ldsatom
	.p2align	8
	.type	ldsatom,@function
ldsatom:                                ; @ldsatom
; %bb.0:
	v_cmp_gt_u32_e32 vcc, 32, v0
	v_lshlrev_b32_e32 v2, 2, v0
	s_and_saveexec_b64 s[4:5], vcc
; %bb.1:
	v_mov_b32_e32 v1, 0
	ds_write_b32 v2, v1
; %bb.2:
	s_or_b64 exec, exec, s[4:5]
	s_mov_b32 s8, 0
	v_cmp_eq_u32_e64 s[4:5], 0, v0
	s_and_saveexec_b64 s[6:7], s[4:5]
	s_cbranch_execz .LBB0_4
; %bb.3:
	s_mov_b32 s10, 0x80000001
	s_brev_b32 s9, -2
	s_mov_b32 s11, s8
	v_mov_b32_e32 v4, 0
	v_mov_b64_e32 v[6:7], s[8:9]
	v_mov_b64_e32 v[8:9], s[10:11]
	v_mov_b32_e32 v5, v4
	ds_write2_b64 v4, v[6:7], v[8:9] offset0:17 offset1:18
	ds_write_b64 v4, v[4:5] offset:128
.LBB0_4:
	s_or_b64 exec, exec, s[6:7]
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	v_lshl_or_b32 v0, s2, 8, v0
	v_ashrrev_i32_e32 v1, 31, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_mov_b32_e32 v4, s8
	v_mov_b32_e32 v5, s9
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[4:5]
	global_load_dword v0, v[0:1], off
	v_mov_b32_e32 v3, 1
	s_mov_b64 s[6:7], exec
	s_brev_b32 s3, 1
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v1, 31, v0
	v_lshlrev_b32_e32 v1, 2, v1
	ds_add_u32 v1, v3
.LBB0_5:                                ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s0, s[6:7]
	v_readlane_b32 s1, v0, s0
	s_max_i32 s3, s3, s1
	s_lshl_b64 s[0:1], 1, s0
	s_andn2_b64 s[6:7], s[6:7], s[0:1]
	s_cbranch_scc1 .LBB0_5
; %bb.6:
	v_mbcnt_lo_u32_b32 v1, exec_lo, 0
	v_mbcnt_hi_u32_b32 v1, exec_hi, v1
	v_cmp_eq_u32_e64 s[0:1], 0, v1
	s_and_saveexec_b64 s[6:7], s[0:1]
	s_xor_b64 s[0:1], exec, s[6:7]
; %bb.7:
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v3, s3
	ds_max_i32 v1, v3 offset:144
; %bb.8:
	s_or_b64 exec, exec, s[0:1]
	s_mov_b64 s[0:1], exec
	s_brev_b32 s6, -2
.LBB0_9:                                ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s3, s[0:1]
	v_readlane_b32 s7, v0, s3
	s_min_i32 s6, s6, s7
	s_lshl_b64 s[8:9], 1, s3
	s_andn2_b64 s[0:1], s[0:1], s[8:9]
	s_cbranch_scc1 .LBB0_9
; %bb.10:
	v_mbcnt_lo_u32_b32 v1, exec_lo, 0
	v_mbcnt_hi_u32_b32 v1, exec_hi, v1
	s_mov_b32 s3, 0
	v_cmp_eq_u32_e64 s[0:1], 0, v1
	s_and_saveexec_b64 s[8:9], s[0:1]
	s_xor_b64 s[0:1], exec, s[8:9]
; %bb.11:
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v3, s6
	ds_min_i32 v1, v3 offset:140
; %bb.12:
	s_or_b64 exec, exec, s[0:1]
	s_mov_b64 s[0:1], exec
.LBB0_13:                               ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s6, s[0:1]
	v_readlane_b32 s7, v0, s6
	s_xor_b32 s3, s3, s7
	s_lshl_b64 s[6:7], 1, s6
	s_andn2_b64 s[0:1], s[0:1], s[6:7]
	s_cbranch_scc1 .LBB0_13
; %bb.14:
	v_mbcnt_lo_u32_b32 v1, exec_lo, 0
	v_mbcnt_hi_u32_b32 v1, exec_hi, v1
	v_cmp_eq_u32_e64 s[0:1], 0, v1
	s_and_saveexec_b64 s[6:7], s[0:1]
	s_xor_b64 s[0:1], exec, s[6:7]
; %bb.15:
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v3, s3
	ds_xor_b32 v1, v3 offset:148
; %bb.16:
	s_or_b64 exec, exec, s[0:1]
	v_mov_b32_e32 v1, 0
	ds_read_b32 v4, v1 offset:136
	v_and_b32_e32 v3, 3, v0
	s_mov_b64 s[6:7], 0
.LBB0_17:                               ; =>This Inner Loop Header: Depth=1
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v5, v4, v3
	ds_cmpst_rtn_b32 v5, v1, v4, v5 offset:136
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_u32_e64 s[0:1], v5, v4
	s_or_b64 s[6:7], s[0:1], s[6:7]
	v_mov_b32_e32 v4, v5
	s_andn2_b64 exec, exec, s[6:7]
	s_cbranch_execnz .LBB0_17
; %bb.18:
	s_or_b64 exec, exec, s[6:7]
	s_mov_b32 s3, 0xf4243
	v_mad_i64_i32 v[0:1], s[6:7], v0, s3, 0
	s_mov_b64 s[0:1], exec
	s_mov_b64 s[6:7], 0
.LBB0_19:                               ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s3, s[0:1]
	v_readlane_b32 s9, v0, s3
	v_readlane_b32 s8, v1, s3
	s_add_u32 s6, s6, s9
	s_addc_u32 s7, s7, s8
	s_lshl_b64 s[8:9], 1, s3
	s_andn2_b64 s[0:1], s[0:1], s[8:9]
	s_cbranch_scc1 .LBB0_19
; %bb.20:
	v_mbcnt_lo_u32_b32 v0, exec_lo, 0
	v_mbcnt_hi_u32_b32 v0, exec_hi, v0
	v_cmp_eq_u32_e64 s[0:1], 0, v0
	s_and_saveexec_b64 s[8:9], s[0:1]
	s_xor_b64 s[0:1], exec, s[8:9]
; %bb.21:
	v_mov_b32_e32 v0, 0
	v_mov_b64_e32 v[4:5], s[6:7]
	ds_add_u64 v0, v[4:5] offset:128
; %bb.22:
	s_or_b64 exec, exec, s[0:1]
	s_mul_i32 s0, s2, 40
	s_ashr_i32 s1, s0, 31
	s_lshl_b64 s[0:1], s[0:1], 2
	s_add_u32 s0, s10, s0
	s_addc_u32 s1, s11, s1
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_24
; %bb.23:
	ds_read_b32 v0, v2
	s_waitcnt lgkmcnt(0)
	global_store_dword v2, v0, s[0:1]
.LBB0_24:
	s_or_b64 exec, exec, s[2:3]
	s_and_saveexec_b64 s[2:3], s[4:5]
	s_cbranch_execz .LBB0_26
; %bb.25:
	v_mov_b32_e32 v2, 0
	ds_read2_b64 v[8:11], v2 offset0:17 offset1:18
	ds_read_b64 v[0:1], v2 offset:128
	v_mov_b32_e32 v3, v2
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v4, v10
	v_mov_b32_e32 v5, v9
	v_mov_b32_e32 v6, v11
	v_mov_b32_e32 v7, v8
	global_store_dwordx4 v2, v[4:7], s[0:1] offset:128
	s_waitcnt lgkmcnt(0)
	global_store_dwordx4 v2, v[0:3], s[0:1] offset:144
.LBB0_26:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel ldsatom
		.amdhsa_group_segment_fixed_size 152
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	ldsatom, .Lfunc_end0-ldsatom
                                        ; -- End function
	.set ldsatom.num_vgpr, 12
	.set ldsatom.num_agpr, 0
	.set ldsatom.numbered_sgpr, 12
	.set ldsatom.num_named_barrier, 0
	.set ldsatom.private_seg_size, 0
	.set ldsatom.uses_vcc, 1
	.set ldsatom.uses_flat_scratch, 0
	.set ldsatom.has_dyn_sized_stack, 0
	.set ldsatom.has_recursion, 0
	.set ldsatom.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 760
; TotalNumSgprs: 18
; NumVgprs: 12
; NumAgprs: 0
; TotalNumVgprs: 12
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 152 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 18
; NumVGPRsForWavesPerEU: 12
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 2
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.protected	__clang_ocl_kern_imp_ldsatom ; -- Begin function __clang_ocl_kern_imp_ldsatom
	.globl	__clang_ocl_kern_imp_ldsatom
	.p2align	2
	.type	__clang_ocl_kern_imp_ldsatom,@function
__clang_ocl_kern_imp_ldsatom:           ; @__clang_ocl_kern_imp_ldsatom
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_and_b32_e32 v4, 0x3ff, v31
	v_cmp_gt_u32_e64 s[0:1], 32, v4
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB1_2
; %bb.1:
	v_mov_b32_e32 v5, 0
	s_trap 2
	ds_write_b32 v0, v5
.LBB1_2:
	s_or_b64 exec, exec, s[2:3]
	v_cmp_eq_u32_e32 vcc, 0, v4
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB1_4
; %bb.3:
	v_mov_b32_e32 v5, 0x80000001
	v_mov_b32_e32 v6, 0
	ds_write_b32 v0, v5
	v_bfrev_b32_e32 v5, -2
	v_mov_b32_e32 v7, v6
	ds_write_b32 v0, v5
	ds_write_b32 v0, v6
	ds_write_b64 v0, v[6:7]
	s_trap 2
.LBB1_4:
	s_or_b64 exec, exec, s[2:3]
	v_lshl_add_u32 v6, s12, 8, v4
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshl_add_u64 v[0:1], v[6:7], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	s_barrier
	global_load_dword v0, v[0:1], off
	v_mov_b32_e32 v1, 1
	s_trap 2
	s_mov_b64 s[2:3], exec
	s_brev_b32 s4, 1
	s_waitcnt vmcnt(0)
	ds_add_u32 v0, v1
.LBB1_5:                                ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s5, s[2:3]
	v_readlane_b32 s6, v0, s5
	s_max_i32 s4, s4, s6
	s_lshl_b64 s[6:7], 1, s5
	s_andn2_b64 s[2:3], s[2:3], s[6:7]
	s_cbranch_scc1 .LBB1_5
; %bb.6:
	v_mbcnt_lo_u32_b32 v1, exec_lo, 0
	v_mbcnt_hi_u32_b32 v1, exec_hi, v1
	v_cmp_eq_u32_e64 s[2:3], 0, v1
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_xor_b64 s[2:3], exec, s[6:7]
	s_cbranch_execz .LBB1_8
; %bb.7:
	v_mov_b32_e32 v1, s4
	ds_max_i32 v0, v1
	s_trap 2
.LBB1_8:
	s_or_b64 exec, exec, s[2:3]
	s_mov_b64 s[2:3], exec
	s_brev_b32 s5, -2
.LBB1_9:                                ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s4, s[2:3]
	v_readlane_b32 s6, v0, s4
	s_min_i32 s5, s5, s6
	s_lshl_b64 s[6:7], 1, s4
	s_andn2_b64 s[2:3], s[2:3], s[6:7]
	s_cbranch_scc1 .LBB1_9
; %bb.10:
	v_mbcnt_lo_u32_b32 v1, exec_lo, 0
	v_mbcnt_hi_u32_b32 v1, exec_hi, v1
	s_mov_b32 s4, 0
	v_cmp_eq_u32_e64 s[2:3], 0, v1
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_xor_b64 s[2:3], exec, s[6:7]
	s_cbranch_execz .LBB1_12
; %bb.11:
	v_mov_b32_e32 v1, s5
	ds_min_i32 v0, v1
	s_trap 2
.LBB1_12:
	s_or_b64 exec, exec, s[2:3]
	s_mov_b64 s[2:3], exec
.LBB1_13:                               ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s5, s[2:3]
	v_readlane_b32 s6, v0, s5
	s_xor_b32 s4, s4, s6
	s_lshl_b64 s[6:7], 1, s5
	s_andn2_b64 s[2:3], s[2:3], s[6:7]
	s_cbranch_scc1 .LBB1_13
; %bb.14:
	v_mbcnt_lo_u32_b32 v1, exec_lo, 0
	v_mbcnt_hi_u32_b32 v1, exec_hi, v1
	v_cmp_eq_u32_e64 s[2:3], 0, v1
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_xor_b64 s[2:3], exec, s[6:7]
	s_cbranch_execz .LBB1_16
; %bb.15:
	v_mov_b32_e32 v1, s4
	ds_xor_b32 v0, v1
	s_trap 2
.LBB1_16:
	s_or_b64 exec, exec, s[2:3]
	s_trap 2
	ds_read_b32 v5, v0
	v_and_b32_e32 v1, 3, v0
	s_mov_b64 s[4:5], 0
.LBB1_17:                               ; =>This Inner Loop Header: Depth=1
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v6, v5, v1
	ds_cmpst_rtn_b32 v6, v0, v5, v6
	s_trap 2
	s_waitcnt lgkmcnt(0)
	v_cmp_eq_u32_e64 s[2:3], v6, v5
	s_or_b64 s[4:5], s[2:3], s[4:5]
	v_mov_b32_e32 v5, v6
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB1_17
; %bb.18:
	s_or_b64 exec, exec, s[4:5]
	s_mov_b32 s4, 0xf4243
	v_mad_i64_i32 v[0:1], s[4:5], v0, s4, 0
	s_mov_b64 s[2:3], exec
	s_mov_b64 s[4:5], 0
.LBB1_19:                               ; =>This Inner Loop Header: Depth=1
	s_ff1_i32_b64 s6, s[2:3]
	v_readlane_b32 s8, v0, s6
	v_readlane_b32 s7, v1, s6
	s_add_u32 s4, s4, s8
	s_addc_u32 s5, s5, s7
	s_lshl_b64 s[6:7], 1, s6
	s_andn2_b64 s[2:3], s[2:3], s[6:7]
	s_cbranch_scc1 .LBB1_19
; %bb.20:
	v_mbcnt_lo_u32_b32 v0, exec_lo, 0
	v_mbcnt_hi_u32_b32 v0, exec_hi, v0
	v_cmp_eq_u32_e64 s[2:3], 0, v0
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_xor_b64 s[2:3], exec, s[6:7]
	s_cbranch_execz .LBB1_22
; %bb.21:
	v_mov_b64_e32 v[0:1], s[4:5]
	ds_add_u64 v0, v[0:1]
	s_trap 2
.LBB1_22:
	s_or_b64 exec, exec, s[2:3]
	s_mul_i32 s2, s12, 40
	s_ashr_i32 s3, s2, 31
	v_lshl_add_u64 v[0:1], s[2:3], 2, v[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB1_24
; %bb.23:
	s_trap 2
	ds_read_b32 v5, v0
	v_mov_b32_e32 v3, 0
	v_lshlrev_b32_e32 v2, 2, v4
	v_lshl_add_u64 v[2:3], v[0:1], 0, v[2:3]
	s_waitcnt lgkmcnt(0)
	global_store_dword v[2:3], v5, off
.LBB1_24:
	s_or_b64 exec, exec, s[2:3]
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB1_26
; %bb.25:
	ds_read_b32 v2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, v2
	v_mov_b32_e32 v4, v2
	v_mov_b32_e32 v5, v2
	global_store_dwordx4 v[0:1], v[2:5], off offset:128
	s_trap 2
	ds_read_b64 v[2:3], v0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, v4
	s_waitcnt lgkmcnt(0)
	global_store_dwordx4 v[0:1], v[2:5], off offset:144
.LBB1_26:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	__clang_ocl_kern_imp_ldsatom, .Lfunc_end1-__clang_ocl_kern_imp_ldsatom
                                        ; -- End function
	.set __clang_ocl_kern_imp_ldsatom.num_vgpr, 32
	.set __clang_ocl_kern_imp_ldsatom.num_agpr, 0
	.set __clang_ocl_kern_imp_ldsatom.numbered_sgpr, 32
	.set __clang_ocl_kern_imp_ldsatom.num_named_barrier, 0
	.set __clang_ocl_kern_imp_ldsatom.private_seg_size, 0
	.set __clang_ocl_kern_imp_ldsatom.uses_vcc, 1
	.set __clang_ocl_kern_imp_ldsatom.uses_flat_scratch, 0
	.set __clang_ocl_kern_imp_ldsatom.has_dyn_sized_stack, 0
	.set __clang_ocl_kern_imp_ldsatom.has_recursion, 0
	.set __clang_ocl_kern_imp_ldsatom.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 804
; TotalNumSgprs: 38
; NumVgprs: 32
; NumAgprs: 0
; TotalNumVgprs: 32
; ScratchSize: 0
; MemoryBound: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym ldsatom.h
	.addrsig_sym ldsatom.mx
	.addrsig_sym ldsatom.mn
	.addrsig_sym ldsatom.xr
	.addrsig_sym ldsatom.cas
	.addrsig_sym ldsatom.sum
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .is_const:       true
        .offset:         0
        .size:           8
        .type_name:      'int*'
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .type_name:      'int*'
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .type_name:      int
        .value_kind:     by_value
    .group_segment_fixed_size: 152
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           ldsatom
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         ldsatom.kd
    .uses_dynamic_stack: false
    .vgpr_count:     12
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
