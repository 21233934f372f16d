	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.protected	ordinary                ; -- Begin function ordinary
	.globl	ordinary
	.p2align	8
	.type	ordinary,@function
ordinary:                               ; @ordinary
; %bb.0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x10
	s_lshl_b32 s0, s2, 8
	s_ashr_i32 s1, s0, 31
	s_lshl_b64 s[8:9], s[0:1], 2
	s_waitcnt lgkmcnt(0)
	s_add_u32 s4, s4, s8
	s_addc_u32 s5, s5, s9
	v_lshlrev_b32_e32 v1, 2, v0
	global_load_dword v2, v1, s[4:5]
	s_cmp_lt_i32 s3, 1
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v2
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_4
; %bb.1:
	s_mov_b32 s1, 0x9e3779b1
	v_mul_lo_u32 v1, v0, s1
	v_add_u32_e32 v3, s2, v1
	v_and_b32_e32 v1, 0xe0, v0
	v_lshlrev_b32_e32 v1, 2, v1
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v4, 1.0
	v_mov_b32_e32 v5, 2
	v_mov_b32_e32 v6, v0
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	v_lshlrev_b32_e32 v7, 13, v3
	v_xor_b32_e32 v3, v7, v3
	v_lshrrev_b32_e32 v7, 17, v3
	v_xor_b32_e32 v7, v7, v3
	v_lshlrev_b32_e32 v8, 5, v7
	v_xor_b32_e32 v3, v8, v7
	v_lshlrev_b32_sdwa v9, v5, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
	global_load_dword v9, v9, s[4:5]
	v_and_b32_e32 v10, 31, v6
	v_lshl_add_u32 v10, v10, 2, v1
	ds_read_b32 v10, v10
	v_bitop3_b32 v7, v8, 64, v7 bitop3:0x48
	s_add_i32 s3, s3, -1
	v_cmp_eq_u32_e32 vcc, 0, v7
	v_add_u32_e32 v6, 1, v6
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v2, v10, v4
	s_cmp_lg_u32 s3, 0
	s_waitcnt vmcnt(0)
	v_fma_f32 v8, 0.5, v4, v9
	v_sub_f32_e32 v4, v9, v4
	v_cndmask_b32_e32 v4, v8, v4, vcc
	s_cbranch_scc1 .LBB0_2
; %bb.3:
	v_add_f32_e32 v1, v4, v2
	s_branch .LBB0_5
.LBB0_4:
	v_mov_b32_e32 v1, 1.0
.LBB0_5:
	v_add_u32_e32 v4, s0, v0
	v_mov_b32_e32 v2, s6
	v_mov_b32_e32 v3, s7
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[2:3], v[4:5], 2, v[2:3]
	global_store_dword v[2:3], v1, off
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
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 11
		.amdhsa_next_free_sgpr 10
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
	.size	ordinary, .Lfunc_end0-ordinary
                                        ; -- End function
	.set ordinary.num_vgpr, 11
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
; codeLenInByte = 292
; TotalNumSgprs: 16
; NumVgprs: 11
; NumAgprs: 0
; TotalNumVgprs: 11
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 16
; NumVGPRsForWavesPerEU: 11
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
	.protected	__clang_ocl_kern_imp_ordinary ; -- Begin function __clang_ocl_kern_imp_ordinary
	.globl	__clang_ocl_kern_imp_ordinary
	.p2align	2
	.type	__clang_ocl_kern_imp_ordinary,@function
__clang_ocl_kern_imp_ordinary:          ; @__clang_ocl_kern_imp_ordinary
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v5, 0x3ff, v31
	s_ashr_i32 s1, s0, 31
	v_lshl_add_u64 v[0:1], s[0:1], 2, v[0:1]
	v_mov_b32_e32 v7, 0
	v_lshlrev_b32_e32 v6, 2, v5
	v_lshl_add_u64 v[8:9], v[0:1], 0, v[6:7]
	global_load_dword v6, v[8:9], off
	v_cmp_lt_i32_e32 vcc, 0, v4
	s_trap 2
	s_waitcnt vmcnt(0)
	ds_write_b32 v0, v6
	v_mov_b32_e32 v6, 1.0
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB1_4
; %bb.1:
	s_mov_b32 s1, 0x9e3779b1
	v_mul_lo_u32 v6, v5, s1
	v_add_u32_e32 v9, s12, v6
	s_mov_b64 s[4:5], 0
	v_mov_b32_e32 v8, 1.0
	v_mov_b32_e32 v10, 2
	v_mov_b32_e32 v11, v5
	v_mov_b32_e32 v12, 0
	s_trap 2
.LBB1_2:                                ; =>This Inner Loop Header: Depth=1
	v_lshlrev_b32_e32 v6, 13, v9
	v_xor_b32_e32 v6, v6, v9
	v_lshrrev_b32_e32 v9, 17, v6
	v_xor_b32_e32 v13, v9, v6
	v_lshlrev_b32_e32 v16, 5, v13
	v_xor_b32_e32 v9, v16, v13
	v_lshlrev_b32_sdwa v6, v10, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_1
	v_lshl_add_u64 v[14:15], v[0:1], 0, v[6:7]
	global_load_dword v6, v[14:15], off
	v_and_b32_e32 v14, 31, v11
	v_lshl_add_u32 v14, v14, 2, v0
	ds_read_b32 v14, v14
	v_add_u32_e32 v4, -1, v4
	v_cmp_eq_u32_e32 vcc, 0, v4
	v_bitop3_b32 v13, v16, 64, v13 bitop3:0x48
	s_or_b64 s[4:5], vcc, s[4:5]
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v12, v14, v8
	v_cmp_eq_u32_e32 vcc, 0, v13
	v_add_u32_e32 v11, 1, v11
	s_waitcnt vmcnt(0)
	v_fma_f32 v14, 0.5, v8, v6
	v_sub_f32_e32 v6, v6, v8
	v_cndmask_b32_e32 v8, v14, v6, vcc
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB1_2
; %bb.3:
	s_or_b64 exec, exec, s[4:5]
	v_add_f32_e32 v6, v8, v12
.LBB1_4:
	s_or_b64 exec, exec, s[2:3]
	v_add_u32_e32 v0, s0, v5
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	global_store_dword v[0:1], v6, off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
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
; codeLenInByte = 312
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
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
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
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         ordinary.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     11
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
