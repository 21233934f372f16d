	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 6
	.text
	.hidden	add3                            ; -- Begin function add3
	.globl	add3
	.p2align	2
	.type	add3,@function
add3:                                   ; @add3
; %bb.0:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	v_dual_mov_b32 v5, 0 :: v_dual_bitop2_b32 v3, 3, v2 bitop3:0x40
	v_bitop3_b32 v10, v2, 2, 3 bitop3:0x6c
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v4, 2, v3
	v_add_nc_u64_e32 v[6:7], v[0:1], v[4:5]
	v_add_nc_u32_e32 v4, 1, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_and_b32_e32 v4, 3, v4
	flat_load_b32 v3, v[6:7]
	v_lshlrev_b32_e32 v4, 2, v4
	v_add_nc_u64_e32 v[8:9], v[0:1], v[4:5]
	v_lshlrev_b32_e32 v4, 2, v10
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u64_e32 v[0:1], v[0:1], v[4:5]
	flat_load_b32 v0, v[0:1]
	s_wait_loadcnt_dscnt 0x101
	s_wait_xcnt 0x0
	v_add_nc_u32_e32 v1, v3, v2
	s_clause 0x1
	flat_store_b32 v[6:7], v1
	flat_load_b32 v1, v[8:9]
	s_wait_loadcnt_dscnt 0x0
	v_add_nc_u32_e32 v0, v0, v1
	s_set_pc_i64 s[30:31]
.Lfunc_end0:
	.size	add3, .Lfunc_end0-add3
                                        ; -- End function
	.set add3.num_vgpr, 11
	.set add3.num_agpr, 0
	.set add3.numbered_sgpr, 32
	.set add3.num_named_barrier, 0
	.set add3.private_seg_size, 0
	.set add3.uses_vcc, 0
	.set add3.uses_flat_scratch, 1
	.set add3.has_dyn_sized_stack, 0
	.set add3.has_recursion, 0
	.set add3.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 148
; TotalNumSgprs: 32
; NumVgprs: 11
; ScratchSize: 0
; MemoryBound: 0
	.text
	.protected	generic_                ; -- Begin function generic_
	.globl	generic_
	.p2align	8
	.type	generic_,@function
generic_:                               ; @generic_
; %bb.0:
	s_mov_b32 s32, 32
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
	s_load_b128 s[0:3], s[0:1], 0x0
	v_lshl_or_b32 v12, ttmp9, 8, v0
	s_get_pc_i64 s[8:9]
	s_add_nc_u64 s[8:9], s[8:9], .L__const.generic_.priv@rel64+4
	v_lshlrev_b32_e32 v6, 2, v0
	s_load_b128 s[4:7], s[8:9], 0x0
	s_wait_kmcnt 0x0
	global_load_b32 v1, v12, s[0:1] scale_offset
	v_mov_b64_e32 v[2:3], s[4:5]
	v_mov_b64_e32 v[4:5], s[6:7]
	s_mov_b32 s4, 0
	s_mov_b32 s5, 0
	s_mov_b32 s6, exec_lo
	scratch_store_b128 off, v[2:5], off
	s_wait_loadcnt 0x0
	ds_store_b32 v6, v1
	v_mul_hi_i32 v1, 0x55555556, v12
	s_wait_xcnt 0x0
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_lshrrev_b32 v2, 31, v1 :: v_dual_ashrrev_i32 v13, 31, v12
	v_add_nc_u32_e32 v1, v1, v2
                                        ; implicit-def: $vgpr2_vgpr3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshl_add_u32 v1, v1, 1, v1
	v_sub_nc_u32_e32 v1, v12, v1
	s_wait_storecnt_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_delay_alu instid0(VALU_DEP_1)
	v_cmpx_lt_i32_e32 0, v1
	s_xor_b32 s6, exec_lo, s6
	s_cbranch_execz .LBB1_4
; %bb.1:
	s_mov_b32 s7, -1
	s_mov_b32 s5, exec_lo
                                        ; implicit-def: $vgpr2_vgpr3
	v_cmpx_eq_u32_e32 1, v1
; %bb.2:
	v_and_b32_e32 v2, -4, v12
	s_xor_b32 s7, exec_lo, -1
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[0:1]
; %bb.3:
	s_or_b32 exec_lo, exec_lo, s5
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_b32 s5, s7, exec_lo
                                        ; implicit-def: $vgpr1
.LBB1_4:
	s_and_not1_saveexec_b32 s0, s6
; %bb.5:
	v_cmp_ne_u32_e32 vcc_lo, 0, v1
	s_and_not1_b32 s1, s5, exec_lo
	s_mov_b32 s4, exec_lo
	s_and_b32 s5, vcc_lo, exec_lo
	s_delay_alu instid0(SALU_CYCLE_1)
	s_or_b32 s5, s1, s5
; %bb.6:
	s_or_b32 exec_lo, exec_lo, s0
	v_mbcnt_lo_u32_b32 v1, -1, 0
	s_and_saveexec_b32 s0, s5
	s_delay_alu instid0(SALU_CYCLE_1)
	s_xor_b32 s0, exec_lo, s0
; %bb.7:
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_dual_mov_b32 v2, 0 :: v_dual_lshlrev_b32 v3, 20, v1
	s_and_not1_b32 s4, s4, exec_lo
	v_add_nc_u64_e32 v[2:3], src_flat_scratch_base_lo, v[2:3]
; %bb.8:
	s_or_b32 exec_lo, exec_lo, s0
	s_and_saveexec_b32 s0, s4
; %bb.9:
	v_and_b32_e32 v2, 0xfc, v0
	s_mov_b64 s[4:5], src_shared_base
	s_delay_alu instid0(VALU_DEP_1) | instid1(SALU_CYCLE_1)
	v_dual_mov_b32 v3, s5 :: v_dual_lshlrev_b32 v2, 2, v2
; %bb.10:
	s_or_b32 exec_lo, exec_lo, s0
	v_dual_add_nc_u32 v6, 1, v0 :: v_dual_bitop2_b32 v4, 3, v0 bitop3:0x40
	v_mov_b32_e32 v5, 0
	v_bitop3_b32 v10, v0, 2, 3 bitop3:0x6c
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], add3@rel64+4
	v_dual_lshlrev_b32 v4, 2, v4 :: v_dual_bitop2_b32 v8, 3, v6 bitop3:0x40
	v_dual_add_nc_u32 v0, -1, v0 :: v_dual_lshlrev_b32 v1, 20, v1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_add_nc_u64_e32 v[6:7], v[2:3], v[4:5]
	v_lshlrev_b32_e32 v4, 2, v8
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_and_b32_e32 v0, 3, v0
	v_add_nc_u64_e32 v[8:9], v[2:3], v[4:5]
	v_lshlrev_b32_e32 v4, 2, v10
	s_clause 0x1
	flat_load_b32 v10, v[6:7]
	flat_load_b32 v11, v[8:9]
	s_wait_xcnt 0x1
	v_add_nc_u64_e32 v[6:7], v[2:3], v[4:5]
	v_dual_lshlrev_b32 v4, 2, v0 :: v_dual_mov_b32 v0, 0
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u64_e32 v[2:3], v[2:3], v[4:5]
	flat_load_b32 v6, v[6:7]
	v_add_nc_u64_e32 v[0:1], src_flat_scratch_base_lo, v[0:1]
	flat_load_b32 v14, v[2:3]
	s_wait_loadcnt_dscnt 0x202
	s_wait_xcnt 0x0
	v_mad_u32 v2, v10, 3, v11
	s_wait_loadcnt_dscnt 0x101
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mad_u32 v2, v2, 3, v6
	v_lshl_add_u32 v11, v2, 1, v2
	v_mov_b32_e32 v2, v12
	s_swap_pc_i64 s[30:31], s[0:1]
	s_wait_storecnt 0x0
	s_barrier_signal -1
	v_lshl_add_u64 v[2:3], v[12:13], 2, s[2:3]
	v_add3_u32 v0, v14, v11, v0
	s_barrier_wait -1
	global_store_b32 v[2:3], v0, off
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel generic_
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_private_segment_fixed_size 32
		.amdhsa_kernarg_size 20
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
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 15
		.amdhsa_next_free_sgpr 33
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 5
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
.Lfunc_end1:
	.size	generic_, .Lfunc_end1-generic_
                                        ; -- End function
	.set generic_.num_vgpr, max(15, add3.num_vgpr)
	.set generic_.num_agpr, max(0, add3.num_agpr)
	.set generic_.numbered_sgpr, max(33, add3.numbered_sgpr)
	.set generic_.num_named_barrier, max(0, add3.num_named_barrier)
	.set generic_.private_seg_size, 32+max(add3.private_seg_size)
	.set generic_.uses_vcc, or(1, add3.uses_vcc)
	.set generic_.uses_flat_scratch, or(1, add3.uses_flat_scratch)
	.set generic_.has_dyn_sized_stack, or(0, add3.has_dyn_sized_stack)
	.set generic_.has_recursion, or(0, add3.has_recursion)
	.set generic_.has_indirect_call, or(0, add3.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 624
; TotalNumSgprs: 35
; NumVgprs: 15
; ScratchSize: 32
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 35
; NumVGPRsForWavesPerEU: 15
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.protected	__clang_ocl_kern_imp_generic_ ; -- Begin function __clang_ocl_kern_imp_generic_
	.globl	__clang_ocl_kern_imp_generic_
	.p2align	2
	.type	__clang_ocl_kern_imp_generic_,@function
__clang_ocl_kern_imp_generic_:          ; @__clang_ocl_kern_imp_generic_
; %bb.0:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	s_mov_b32 s6, s33
	s_mov_b32 s33, s32
	s_xor_saveexec_b32 s0, -1
	scratch_store_b32 off, v17, s33 offset:16 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s0
	v_and_b32_e32 v4, 0x3ff, v31
	v_dual_mov_b32 v13, v3 :: v_dual_mov_b32 v12, v2
	s_get_pc_i64 s[4:5]
	s_add_nc_u64 s[4:5], s[4:5], .L__const.generic_.priv@rel64+4
	v_writelane_b32 v17, s30, 0
	v_lshl_or_b32 v14, ttmp9, 8, v4
	s_load_b128 s[0:3], s[4:5], 0x0
	s_add_co_i32 s32, s32, 32
	v_writelane_b32 v17, s31, 1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v15, 31, v14
	v_lshl_add_u64 v[2:3], v[14:15], 2, v[0:1]
	global_load_b32 v2, v[2:3], off
	s_wait_kmcnt 0x0
	v_mov_b64_e32 v[8:9], s[2:3]
	v_mov_b64_e32 v[6:7], s[0:1]
	s_mov_b32 s0, 0
	s_mov_b32 s1, 0
	s_mov_b32 s2, exec_lo
	scratch_store_b128 off, v[6:9], s33
	s_trap 2
	s_wait_loadcnt 0x0
	ds_store_b32 v0, v2
	s_wait_xcnt 0x1
	v_mul_hi_i32 v2, 0x55555556, v14
	s_wait_storecnt_dscnt 0x0
	s_barrier_signal -1
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshrrev_b32_e32 v3, 31, v2
	v_add_nc_u32_e32 v2, v2, v3
	s_barrier_wait -1
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshl_add_u32 v2, v2, 1, v2
	v_sub_nc_u32_e32 v5, v14, v2
                                        ; implicit-def: $vgpr2_vgpr3
	s_wait_xcnt 0x0
	s_delay_alu instid0(VALU_DEP_1)
	v_cmpx_lt_i32_e32 0, v5
	s_xor_b32 s2, exec_lo, s2
	s_cbranch_execz .LBB2_4
; %bb.1:
	s_mov_b32 s3, -1
	s_mov_b32 s1, exec_lo
                                        ; implicit-def: $vgpr2_vgpr3
	v_cmpx_eq_u32_e32 1, v5
; %bb.2:
	v_and_b32_e32 v2, -4, v14
	s_xor_b32 s3, exec_lo, -1
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[2:3], v[2:3], 2, v[0:1]
; %bb.3:
	s_or_b32 exec_lo, exec_lo, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_b32 s1, s3, exec_lo
                                        ; implicit-def: $vgpr5
.LBB2_4:
	s_and_not1_saveexec_b32 s2, s2
; %bb.5:
	v_cmp_ne_u32_e32 vcc_lo, 0, v5
	s_and_not1_b32 s1, s1, exec_lo
	s_mov_b32 s0, exec_lo
	s_and_b32 s3, vcc_lo, exec_lo
	s_delay_alu instid0(SALU_CYCLE_1)
	s_or_b32 s1, s1, s3
; %bb.6:
	s_or_b32 exec_lo, exec_lo, s2
	v_mbcnt_lo_u32_b32 v0, -1, 0
	s_and_saveexec_b32 s2, s1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_xor_b32 s1, exec_lo, s2
; %bb.7:
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_dual_mov_b32 v2, s33 :: v_dual_lshlrev_b32 v3, 20, v0
	s_and_not1_b32 s0, s0, exec_lo
	v_add_nc_u64_e32 v[2:3], src_flat_scratch_base_lo, v[2:3]
; %bb.8:
	s_or_b32 exec_lo, exec_lo, s1
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB2_10
; %bb.9:
	s_mov_b64 s[2:3], src_shared_base
	s_trap 2
	v_mov_b32_e32 v3, s3
.LBB2_10:
	s_or_b32 exec_lo, exec_lo, s1
	v_dual_add_nc_u32 v5, 1, v4 :: v_dual_bitop2_b32 v1, 3, v4 bitop3:0x40
	v_mov_b32_e32 v7, 0
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], add3@rel64+4
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_lshlrev_b32_e32 v6, 2, v1
	v_and_b32_e32 v1, 3, v5
	v_add_nc_u64_e32 v[8:9], v[2:3], v[6:7]
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v6, 2, v1
	v_bitop3_b32 v1, v4, 2, 3 bitop3:0x6c
	v_add_nc_u32_e32 v4, -1, v4
	v_and_b32_e32 v4, 3, v4
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_add_nc_u64_e32 v[10:11], v[2:3], v[6:7]
	v_lshlrev_b32_e32 v6, 2, v1
	s_clause 0x1
	flat_load_b32 v1, v[8:9]
	flat_load_b32 v5, v[10:11]
	s_wait_xcnt 0x1
	v_add_nc_u64_e32 v[8:9], v[2:3], v[6:7]
	v_lshlrev_b32_e32 v6, 2, v4
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u64_e32 v[2:3], v[2:3], v[6:7]
	s_clause 0x1
	flat_load_b32 v8, v[8:9]
	flat_load_b32 v11, v[2:3]
	s_wait_loadcnt_dscnt 0x202
	s_wait_xcnt 0x0
	v_mad_u32 v2, v1, 3, v5
	v_dual_mov_b32 v0, s33 :: v_dual_lshlrev_b32 v1, 20, v0
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_add_nc_u64_e32 v[0:1], src_flat_scratch_base_lo, v[0:1]
	s_wait_loadcnt_dscnt 0x101
	v_mad_u32 v2, v2, 3, v8
	s_delay_alu instid0(VALU_DEP_1)
	v_lshl_add_u32 v16, v2, 1, v2
	v_mov_b32_e32 v2, v14
	s_swap_pc_i64 s[30:31], s[0:1]
	s_wait_storecnt 0x0
	s_barrier_signal -1
	v_lshl_add_u64 v[2:3], v[14:15], 2, v[12:13]
	v_add3_u32 v0, v11, v16, v0
	v_readlane_b32 s31, v17, 1
	v_readlane_b32 s30, v17, 0
	s_mov_b32 s32, s33
	s_barrier_wait -1
	global_store_b32 v[2:3], v0, off
	s_wait_xcnt 0x0
	s_xor_saveexec_b32 s0, -1
	scratch_load_b32 v17, off, s33 offset:16 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s0
	s_mov_b32 s33, s6
	s_wait_loadcnt 0x0
	s_set_pc_i64 s[30:31]
.Lfunc_end2:
	.size	__clang_ocl_kern_imp_generic_, .Lfunc_end2-__clang_ocl_kern_imp_generic_
                                        ; -- End function
	.set __clang_ocl_kern_imp_generic_.num_vgpr, max(32, add3.num_vgpr)
	.set __clang_ocl_kern_imp_generic_.num_agpr, max(0, add3.num_agpr)
	.set __clang_ocl_kern_imp_generic_.numbered_sgpr, max(34, add3.numbered_sgpr)
	.set __clang_ocl_kern_imp_generic_.num_named_barrier, max(0, add3.num_named_barrier)
	.set __clang_ocl_kern_imp_generic_.private_seg_size, 32+max(add3.private_seg_size)
	.set __clang_ocl_kern_imp_generic_.uses_vcc, or(1, add3.uses_vcc)
	.set __clang_ocl_kern_imp_generic_.uses_flat_scratch, or(1, add3.uses_flat_scratch)
	.set __clang_ocl_kern_imp_generic_.has_dyn_sized_stack, or(0, add3.has_dyn_sized_stack)
	.set __clang_ocl_kern_imp_generic_.has_recursion, or(0, add3.has_recursion)
	.set __clang_ocl_kern_imp_generic_.has_indirect_call, or(0, add3.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 736
; TotalNumSgprs: 36
; NumVgprs: 32
; ScratchSize: 32
; MemoryBound: 0
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 34
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	.L__const.generic_.priv,@object ; @__const.generic_.priv
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	2, 0x0
.L__const.generic_.priv:
	.long	1                               ; 0x1
	.long	2                               ; 0x2
	.long	3                               ; 0x3
	.long	4                               ; 0x4
	.size	.L__const.generic_.priv, 16

	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
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
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           generic_
    .private_segment_fixed_size: 32
    .sgpr_count:     35
    .sgpr_spill_count: 0
    .symbol:         generic_.kd
    .uses_dynamic_stack: false
    .vgpr_count:     15
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
