	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 6
	.text
	.protected	ordinary                ; -- Begin function ordinary
	.globl	ordinary
	.p2align	8
	.type	ordinary,@function
ordinary:                               ; @ordinary
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
	s_load_b128 s[4:7], s[0:1], 0x0
	s_lshl_b32 s2, ttmp9, 8
	v_lshlrev_b32_e32 v2, 2, v0
	s_ashr_i32 s3, s2, 31
	s_delay_alu instid0(SALU_CYCLE_1)
	s_lshl_b64 s[8:9], s[2:3], 2
	s_load_b32 s3, s[0:1], 0x10
	s_wait_kmcnt 0x0
	s_add_nc_u64 s[0:1], s[4:5], s[8:9]
	global_load_b32 v1, v0, s[0:1] scale_offset
	s_cmp_lt_i32 s3, 1
	s_wait_loadcnt 0x0
	ds_store_b32 v2, v1
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_cbranch_scc1 .LBB0_4
; %bb.1:
	v_mad_u32 v4, 0x9e3779b1, v0, ttmp9
	v_and_b32_e32 v1, 0xe0, v0
	v_dual_mov_b32 v2, 1.0 :: v_dual_mov_b32 v5, v0
	s_delay_alu instid0(VALU_DEP_2)
	v_dual_lshlrev_b32 v3, 2, v1 :: v_dual_mov_b32 v1, 0
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_lshlrev_b32_e32 v6, 13, v4
	s_add_co_i32 s3, s3, -1
	v_and_b32_e32 v9, 31, v5
	s_cmp_lg_u32 s3, 0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_add_nc_u32 v5, 1, v5 :: v_dual_bitop2_b32 v4, v6, v4 bitop3:0x14
	v_lshl_add_u32 v9, v9, 2, v3
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_lshrrev_b32_e32 v6, 17, v4
	ds_load_b32 v9, v9
	v_xor_b32_e32 v6, v6, v4
	v_lshlrev_b32_e32 v7, 5, v6
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_xor_b32_e32 v4, v7, v6
	v_bitop3_b32 v6, v7, 64, v6 bitop3:0x48
	v_lshrrev_b32_e32 v8, 6, v4
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_cmp_eq_u32_e32 vcc_lo, 0, v6
	s_wait_dscnt 0x0
	v_fmac_f32_e32 v1, v9, v2
	v_and_b32_e32 v8, 0x3fc, v8
	global_load_b32 v8, v8, s[0:1]
	s_wait_loadcnt 0x0
	v_dual_fma_f32 v7, 0.5, v2, v8 :: v_dual_sub_f32 v8, v8, v2
	s_delay_alu instid0(VALU_DEP_1)
	v_cndmask_b32_e32 v2, v7, v8, vcc_lo
	s_cbranch_scc1 .LBB0_2
; %bb.3:
	s_delay_alu instid0(VALU_DEP_1)
	v_add_f32_e32 v1, v2, v1
	s_branch .LBB0_5
.LBB0_4:
	v_mov_b32_e32 v1, 1.0
.LBB0_5:
	v_add_nc_u32_e32 v0, s2, v0
	global_store_b32 v0, v1, s[6:7] scale_offset
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel ordinary
		.amdhsa_group_segment_fixed_size 1024
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
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 10
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 3
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
.Lfunc_end0:
	.size	ordinary, .Lfunc_end0-ordinary
                                        ; -- End function
	.set ordinary.num_vgpr, 10
	.set ordinary.num_agpr, 0
	.set ordinary.numbered_sgpr, 10
	.set ordinary.num_named_barrier, 0
	.set ordinary.private_seg_size, 0
	.set ordinary.uses_vcc, 1
	.set ordinary.uses_flat_scratch, 0
	.set ordinary.has_dyn_sized_stack, 0
	.set ordinary.has_recursion, 0
	.set ordinary.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 328
; TotalNumSgprs: 12
; NumVgprs: 10
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 12
; NumVGPRsForWavesPerEU: 10
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.protected	__clang_ocl_kern_imp_ordinary ; -- Begin function __clang_ocl_kern_imp_ordinary
	.globl	__clang_ocl_kern_imp_ordinary
	.p2align	2
	.type	__clang_ocl_kern_imp_ordinary,@function
__clang_ocl_kern_imp_ordinary:          ; @__clang_ocl_kern_imp_ordinary
; %bb.0:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	v_and_b32_e32 v5, 0x3ff, v31
	s_lshl_b32 s2, ttmp9, 8
	v_mov_b32_e32 v7, 0
	s_ashr_i32 s3, s2, 31
	s_mov_b32 s1, exec_lo
	v_lshl_add_u64 v[0:1], s[2:3], 2, v[0:1]
	v_lshlrev_b32_e32 v6, 2, v5
	s_mov_b32 s3, 0
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u64_e32 v[8:9], v[0:1], v[6:7]
	global_load_b32 v6, v[8:9], off
	s_trap 2
	s_wait_loadcnt 0x0
	ds_store_b32 v0, v6
	s_wait_storecnt_dscnt 0x0
	s_barrier_signal -1
	v_mov_b32_e32 v6, 1.0
	s_barrier_wait -1
	v_cmpx_lt_i32_e32 0, v4
	s_cbranch_execz .LBB1_4
; %bb.1:
	v_mad_u32 v10, 0x9e3779b1, v5, ttmp9
	s_wait_xcnt 0x0
	v_dual_mov_b32 v8, 1.0 :: v_dual_mov_b32 v9, v5
	v_mov_b32_e32 v11, 0
	s_trap 2
.LBB1_2:                                ; =>This Inner Loop Header: Depth=1
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_lshlrev_b32 v6, 13, v10 :: v_dual_add_nc_u32 v4, -1, v4
	v_xor_b32_e32 v6, v6, v10
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_cmp_eq_u32_e32 vcc_lo, 0, v4
	v_lshrrev_b32_e32 v10, 17, v6
	s_or_b32 s3, vcc_lo, s3
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_xor_b32_e32 v14, v10, v6
	v_lshlrev_b32_e32 v15, 5, v14
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_xor_b32_e32 v10, v15, v14
	v_lshrrev_b32_e32 v6, 6, v10
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_and_b32_e32 v6, 0x3fc, v6
	v_add_nc_u64_e32 v[12:13], v[0:1], v[6:7]
	global_load_b32 v6, v[12:13], off
	s_wait_xcnt 0x0
	v_dual_add_nc_u32 v9, 1, v9 :: v_dual_bitop2_b32 v12, 31, v9 bitop3:0x40
	v_bitop3_b32 v13, v15, 64, v14 bitop3:0x48
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshl_add_u32 v12, v12, 2, s0
	v_cmp_eq_u32_e64 s0, 0, v13
	ds_load_b32 v12, v12
	s_wait_loadcnt_dscnt 0x0
	v_dual_fmac_f32 v11, v12, v8 :: v_dual_fma_f32 v14, 0.5, v8, v6
	v_sub_f32_e32 v6, v6, v8
	s_delay_alu instid0(VALU_DEP_1)
	v_cndmask_b32_e64 v8, v14, v6, s0
	s_and_not1_b32 exec_lo, exec_lo, s3
	s_cbranch_execnz .LBB1_2
; %bb.3:
	s_or_b32 exec_lo, exec_lo, s3
	s_delay_alu instid0(VALU_DEP_1)
	v_add_f32_e32 v6, v8, v11
.LBB1_4:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s1
	v_add_nc_u32_e32 v0, s2, v5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	global_store_b32 v[0:1], v6, off
	s_set_pc_i64 s[30:31]
.Lfunc_end1:
	.size	__clang_ocl_kern_imp_ordinary, .Lfunc_end1-__clang_ocl_kern_imp_ordinary
                                        ; -- End function
	.set __clang_ocl_kern_imp_ordinary.num_vgpr, 32
	.set __clang_ocl_kern_imp_ordinary.num_agpr, 0
	.set __clang_ocl_kern_imp_ordinary.numbered_sgpr, 32
	.set __clang_ocl_kern_imp_ordinary.num_named_barrier, 0
	.set __clang_ocl_kern_imp_ordinary.private_seg_size, 0
	.set __clang_ocl_kern_imp_ordinary.uses_vcc, 1
	.set __clang_ocl_kern_imp_ordinary.uses_flat_scratch, 0
	.set __clang_ocl_kern_imp_ordinary.has_dyn_sized_stack, 0
	.set __clang_ocl_kern_imp_ordinary.has_recursion, 0
	.set __clang_ocl_kern_imp_ordinary.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 376
; TotalNumSgprs: 34
; NumVgprs: 32
; ScratchSize: 0
; MemoryBound: 0
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .is_const:       true
        .offset:         0
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .type_name:      'float*'
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
      - 1
      - 2
    .max_flat_workgroup_size: 256
    .name:           ordinary
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 256
      - 1
      - 1
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         ordinary.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
